"use strict";
// Adds filter, search, copy and keys to a page that is complete without them.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);
  root.classList.add("has-js");

  const say = (text) => {
    byId("said").textContent = text;
    clearTimeout(say.timer);
    say.timer = setTimeout(() => { byId("said").textContent = ""; }, 1800);
  };

  // Copy and save. A page on file:// may lack the clipboard API, so selecting the text is the fallback.
  const copy = async (text, from) => {
    try {
      await navigator.clipboard.writeText(text);
      say("Copied");
    } catch {
      const range = document.createRange();
      range.selectNodeContents(from);
      const selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      say(document.execCommand("copy") ? "Copied" : "Selected: press Ctrl+C");
    }
  };
  const save = (name, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  for (const pre of all("pre.command")) {
    const box = document.createElement("div");
    box.className = "copybox";
    pre.replaceWith(box);
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", () => copy(pre.textContent, pre));
    box.append(pre, button);
  }
  for (const button of all("[data-copy]")) {
    button.addEventListener("click", () => copy(byId(button.dataset.copy).textContent, byId(button.dataset.copy)));
  }
  for (const button of all("[data-copy-all]")) {
    button.addEventListener("click", () => {
      const parts = all(button.dataset.copyAll);
      if (parts.length) copy(parts.map((part) => part.textContent).join("\n---\n\n"), parts[0]);
    });
  }
  for (const button of all("[data-save]")) {
    button.addEventListener("click", () => save(button.dataset.name, byId(button.dataset.save).textContent));
  }

  function reveal(element) {
    for (let at = element; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  }

  // Of long names of folders only the ends are shown; the whole of each stands in a table, once.
  const whole = new Map(all("#folders tbody tr").map((row) => [row.cells[0].textContent, row.cells[1].textContent]));
  for (const place of all(".cut")) {
    place.title = place.textContent.split("/").map((part) => whole.get(part) ?? part).join("/");
  }

  // Tables in the shape of kubectl are sorted by a click on a header, and filtered by namespace.
  const value = (text) => {
    const age = /^(?:(\d+)y)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
    if (text && age) return [31536000, 86400, 3600, 60, 1].reduce((sum, unit, at) => sum + unit * Number(age[at + 1] || 0), 0);
    return /^\d+(\/\d+)?( |$)/.test(text) ? Number.parseInt(text, 10) : null;
  };
  for (const header of all(".kubectl th")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.textContent = header.textContent;
    header.replaceChildren(button);
    button.addEventListener("click", () => {
      const table = header.closest("table");
      const at = header.cellIndex;
      const up = header.getAttribute("aria-sort") !== "ascending";
      for (const other of all("th", table)) other.removeAttribute("aria-sort");
      header.setAttribute("aria-sort", up ? "ascending" : "descending");
      const sorted = all("tbody tr", table).map((row) => [row, row.cells[at].textContent]);
      sorted.sort(([, a], [, b]) => {
        const [x, y] = [value(a), value(b)];
        return (x !== null && y !== null ? x - y : a.localeCompare(b, "en", { numeric: true })) * (up ? 1 : -1);
      });
      table.tBodies[0].append(...sorted.map(([row]) => row));
    });
  }
  const places = byId("namespace");
  if (places) {
    const cells = all(".kubectl").filter((table) => table.tHead.rows[0].cells[0].textContent === "NAMESPACE")
      .flatMap((table) => all("tbody tr", table)).map((row) => [row, row.cells[0].textContent]);
    for (const name of [...new Set(cells.map(([, name]) => name))].sort()) places.append(new Option(name, name));
    if (places.options.length < 3) places.closest(".filterbar").hidden = true;
    places.addEventListener("change", () => {
      for (const [row, name] of cells) row.classList.toggle("elsewhere", places.value !== "" && places.value !== name);
    });
  }

  // Filters: verdicts, a search text and a span of time. Each row is shown if all of them let it.
  const findings = all(".finding");
  const rows = all("table.rows tbody tr");
  // A place is shown with its long folders cut; the whole of it stands in its title, and is found too.
  const text = (element) => [element.textContent, ...all("[title]", element).map((inner) => inner.title)].join(" ").toLowerCase();
  const texts = new Map([...findings, ...rows].map((element) => [element, text(element)]));
  const verdicts = new Set();
  let span = null;
  const apply = () => {
    remember();
    const wanted = byId("q").value.trim().toLowerCase();
    const fits = (element) => texts.get(element).includes(wanted);
    let shown = 0;
    for (const finding of findings) {
      const show = fits(finding) && (verdicts.size === 0 || verdicts.has(finding.dataset.verdict));
      finding.hidden = !show;
      shown += show;
    }
    for (const fold of all(".follows")) {
      const left = all(".finding", fold).filter((finding) => !finding.hidden);
      fold.hidden = left.length === 0;
      if (left.length && (wanted || verdicts.size)) fold.open = true;
    }
    let lines = 0;
    for (const row of rows) {
      const time = span && row.dataset.time ? Date.parse(row.dataset.time) / 1000 : null;
      const show = fits(row) && (time === null || (time >= span[0] && time <= span[1]));
      row.hidden = !show;
      lines += show;
    }
    if (wanted) for (const table of all("details.table")) {
      if (all("tbody tr", table).some((row) => !row.hidden)) table.open = true;
    }
    mark(wanted);
    const number = `${shown} ${shown === 1 ? "finding" : "findings"}, ${lines} table ${lines === 1 ? "row" : "rows"}`;
    byId("hits").textContent = !wanted ? "" : shown + lines === 0 ? "nothing found" : number;
    const none = document.querySelector(".empty-filter");
    if (none) none.hidden = shown > 0;
  };
  // Hits are marked where the browser can do it without changing the page.
  let at = -1;
  function mark(wanted) {
    if (!("highlights" in CSS)) return;
    CSS.highlights.delete("hit");
    at = -1;
    if (wanted.length < 2) return;
    const ranges = [];
    for (const element of [...findings, ...rows]) {
      if (element.hidden || !texts.get(element).includes(wanted)) continue;
      const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walk.nextNode(); node && ranges.length < 2000; node = walk.nextNode()) {
        const text = node.data.toLowerCase();
        for (let from = text.indexOf(wanted); from >= 0 && text.length === node.data.length; from = text.indexOf(wanted, from + wanted.length)) {
          const range = new Range();
          range.setStart(node, from);
          range.setEnd(node, from + wanted.length);
          ranges.push(range);
        }
      }
    }
    if (ranges.length) CSS.highlights.set("hit", new Highlight(...ranges));
  }
  // The state lives in the hash, so that a link on file:// shows the same: `#verdict=probable&q=etcd&open=CF-1001/x`.
  // An anchor of an element stays what it is.
  let last = null;
  const opened = () => findings.filter((finding) => finding.open && !finding.dataset.first).map((finding) => finding.id);
  const state = () => {
    const parts = [];
    if (verdicts.size) parts.push("verdict=" + [...verdicts].sort().join(","));
    const wanted = byId("q").value.trim();
    if (wanted) parts.push("q=" + encodeURIComponent(wanted));
    const open = opened();
    if (open.length) parts.push("open=" + open.map(encodeURIComponent).join(","));
    return parts.join("&");
  };
  function remember() {
    const now = state();
    if (last === null || now === last) return;
    last = now;
    try {
      history.replaceState(null, "", "#" + now);
    } catch { /* some browsers refuse it on file:// */ }
  }
  const restore = (hash) => {
    const parts = new Map(hash.split("&").map((part) => [part.split("=")[0], part.slice(part.indexOf("=") + 1)]));
    const plain = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
    verdicts.clear();
    const known = all("[data-filter]").map((counter) => counter.dataset.filter);
    for (const verdict of (parts.get("verdict") || "").split(",")) if (known.includes(verdict)) verdicts.add(verdict);
    for (const counter of all("[data-filter]")) counter.setAttribute("aria-pressed", String(verdicts.has(counter.dataset.filter)));
    byId("q").value = plain(parts.get("q") || "");
    for (const id of (parts.get("open") || "").split(",").map(plain)) {
      const target = id && byId(id);
      if (target && findings.includes(target)) reveal(target);
    }
    apply();
  };
  const clear = () => {
    byId("q").value = "";
    verdicts.clear();
    for (const counter of all("[data-filter]")) counter.setAttribute("aria-pressed", "false");
    unbrush();
  };
  for (const counter of all("[data-filter]")) {
    counter.setAttribute("role", "button");
    counter.setAttribute("aria-pressed", "false");
    const toggle = (event) => {
      event.preventDefault();
      const key = counter.dataset.filter;
      if (!verdicts.delete(key)) verdicts.add(key);
      counter.setAttribute("aria-pressed", String(verdicts.has(key)));
      apply();
    };
    counter.addEventListener("click", toggle);
    counter.addEventListener("keydown", (event) => { if (event.key === " ") toggle(event); });
  }
  // Typing waits for the next key; what restores a state does not.
  byId("q").addEventListener("input", (event) => {
    clearTimeout(apply.timer);
    if (event.isTrusted) apply.timer = setTimeout(apply, 120);
    else apply();
  });
  byId("q").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !byId("q").value.trim()) return;
    event.preventDefault();
    clearTimeout(apply.timer);
    apply();
    const hits = [...findings, ...rows].filter((element) => !element.hidden && texts.get(element).includes(byId("q").value.trim().toLowerCase()));
    if (hits.length === 0) return;
    at = (at + (event.shiftKey ? hits.length - 1 : 1)) % hits.length;
    reveal(hits[at]);
    for (const element of all(".here")) element.classList.remove("here");
    hits[at].classList.add("here");
    hits[at].scrollIntoView({ block: "center" });
  });

  // The picture: what a bar holds, and a span of time chosen by dragging.
  const svg = document.querySelector(".lanes svg");
  const brush = document.querySelector(".brush");
  function unbrush() {
    span = null;
    if (brush) brush.setAttribute("width", "0");
    const note = byId("brushed");
    if (note) note.textContent = "";
    for (const button of all("[data-act=unbrush]")) button.hidden = true;
    apply();
  }
  if (svg) {
    const [start, end] = [Number(svg.dataset.start), Number(svg.dataset.end)];
    const width = svg.viewBox.baseVal.width;
    const part = (event) => {
      const box = svg.getBoundingClientRect();
      return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    };
    const time = (at) => new Date(at * 1000).toISOString().slice(0, 16).replace("T", " ");
    let from = null;
    svg.addEventListener("pointerdown", (event) => {
      from = part(event);
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointermove", (event) => {
      const at = part(event);
      if (from !== null) {
        brush.setAttribute("x", String(Math.min(from, at) * width));
        brush.setAttribute("width", String(Math.abs(at - from) * width));
        return;
      }
    });
    svg.addEventListener("pointerup", (event) => {
      const at = part(event);
      if (from === null) return;
      const [low, high] = [Math.min(from, at), Math.max(from, at)];
      from = null;
      if (high - low < 0.005) { unbrush(); return; }
      span = [start + low * (end - start), start + high * (end - start)];
      byId("brushed").textContent = `Shown: ${time(span[0])} to ${time(span[1])}.`;
      for (const button of all("[data-act=unbrush]")) button.hidden = false;
      apply();
    });
  }

  // Moving about.
  const toHash = () => {
    let id = location.hash.slice(1);
    if (/^(verdict|q|open)=/.test(id)) { restore(id); return; }
    try { id = decodeURIComponent(id); } catch { /* an id as it stands */ }
    const target = id && byId(id);
    if (target) {
      reveal(target);
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", toHash);
  let current = -1;
  const go = (step) => {
    const visible = findings.filter((finding) => !finding.hidden);
    if (visible.length === 0) return;
    current = (current + step + visible.length) % visible.length;
    for (const finding of findings) finding.classList.remove("here");
    const finding = visible[current];
    reveal(finding);
    finding.classList.add("here");
    finding.querySelector("summary").focus({ preventScroll: true });
    finding.scrollIntoView({ block: "start" });
  };
  const atFirst = all("main details").filter((element) => element.open);
  const expand = () => {
    const details = all("main details");
    const open = details.some((element) => !element.open);
    for (const element of details) element.open = open || atFirst.includes(element);
    say(open ? "Everything is open" : "As it was");
  };
  const theme = () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  };
  const printAll = () => {
    root.dataset.print = "all";
    print();
  };
  const acts = { "print-all": printAll, theme, expand, clear, unbrush, help: () => byId("help").showModal() };
  for (const button of all("[data-act]")) button.addEventListener("click", acts[button.dataset.act]);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && !byId("help").open) { clear(); byId("q").blur(); return; }
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const key = { "/": () => byId("q").focus(), n: () => go(1), p: () => go(-1), e: expand, t: theme, "?": acts.help }[event.key];
    if (key) {
      event.preventDefault();
      key();
    }
  });

  // What is scrolled inside the page is reached by keys.
  // All are measured before the first is changed, and what is closed is not measured: for each of both the browser would lay
  // a part of the page out.
  const reachable = (boxes) => {
    const shown = (box) => !box.hasAttribute("tabindex") && !box.closest("details:not([open])");
    const scrolls = (box) => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;
    for (const box of boxes.filter(shown).filter(scrolls)) box.tabIndex = 0;
  };
  const unmeasured = new Set([document.body]);
  const later = () => setTimeout(() => {
    reachable([...unmeasured].flatMap((part) => [...part.querySelectorAll("pre, .scroll")]));
    unmeasured.clear();
  });
  later();
  document.addEventListener("toggle", ({ target }) => {
    if (unmeasured.size === 0) later();
    unmeasured.add(target);
  }, true);

  // On paper stands the first screen with the table of problems and what to collect; everything, all of it open, if
  // that was asked for. Afterwards it is as it was.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = root.dataset.print === "all" ? all("details:not([open])") : [];
    for (const element of closed) element.open = true;
  });
  addEventListener("afterprint", () => {
    for (const element of closed) element.open = false;
    delete root.dataset.print;
  });
  for (const finding of findings) {
    if (finding.open) finding.dataset.first = "open";
  }
  toHash();
  last = state();
  for (const finding of findings) finding.addEventListener("toggle", remember);
})();
