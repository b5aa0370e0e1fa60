//! The page in a real browser: no error, no request, and everything is there without JavaScript.
//!
//! Needs Chromium; without it the tests say loudly that they were skipped.
#![expect(clippy::print_stderr, clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, diagnose};
use intake::Source;
use report::html;
use signature::load::Library;
use signature::model::VerdictWord;
use std::path::{Path, PathBuf};
use std::process::Command;

const FIXTURES: [&str; 4] = ["hostile", "typical", "clean", "together"];

fn chromium() -> Option<&'static str> {
    let found = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .into_iter()
        .find(|path| Path::new(path).exists());
    if found.is_none() {
        #[expect(clippy::disallowed_methods, reason = "the test script says so that it has installed the browser")]
        let required = std::env::var("CASEFILE_REQUIRE_BROWSER").is_ok();
        assert!(!required, "no Chromium in /usr/bin; install the package `chromium` and run the tests again");
        eprintln!("SKIPPED: no Chromium at /usr/bin/chromium; the page was NOT tested in a browser");
    }
    found
}

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/report/{name}.html"))
}

/// Opens a page; gives the document as the browser holds it, what it said, and its log of the network.
fn open(browser: &str, page: &Path) -> (String, String, String) {
    open_at(browser, page, "")
}

/// As [`open`], at a fragment such as `#verdict=probable`.
fn open_at(browser: &str, page: &Path, fragment: &str) -> (String, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let net_log = folder.path().join("net.json");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--v=0"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("--log-net-log={}", net_log.display()))
        // The document is written when the page has nothing left to do, and not as soon as it is loaded.
        .arg("--virtual-time-budget=60000")
        .arg("--dump-dom")
        .arg(format!("file://{}{fragment}", page.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
        std::fs::read_to_string(net_log).unwrap(),
    )
}

#[test]
fn the_page_runs_without_error_and_without_request() {
    let Some(browser) = chromium() else { return };
    for name in FIXTURES {
        let (dom, said, net) = open(browser, &page(name));
        let errors: Vec<&str> = said.lines().filter(|line| line.contains("CONSOLE")).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
        assert!(
            dom.contains("class=\"has-js\""),
            "{name}: the script did not run: the policy refused it, or it failed"
        );
        // The browser's own background requests are no concern; the page's hosts are.
        for host in ["evil.example", "kubernetes.io", "etcd.io"] {
            assert!(!net.contains(host), "{name}: the browser asked {host}");
        }
        assert!(!dom.contains("<script>alert"), "{name}");
    }
}

#[test]
fn the_page_of_a_real_diagnosis_runs_without_error_and_without_request() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let library = Library::built_in().unwrap();
    for case in ["failed-import", "etcd-no-leader", "incomplete-import"] {
        let bundle = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles").join(case).join("bundle");
        let input = Input { source: Source::Path(bundle), context: None };
        let found = diagnose(&[input], &library, &Catalogue::built_in(), &Options::default(), &mut Quiet).unwrap();
        let path = folder.path().join(format!("{case}.html"));
        std::fs::write(&path, html::render(&found).unwrap()).unwrap();
        let (dom, said, net) = open(browser, &path);
        let errors: Vec<&str> = said.lines().filter(|line| line.contains("CONSOLE")).collect();
        assert!(errors.is_empty(), "{case}: {errors:#?}");
        assert!(dom.contains("class=\"has-js\""), "{case}: the script did not run");
        assert!(!net.contains("github.com"), "{case}: a reference is a link, and nobody may follow it");
        assert!(dom.contains(&found.findings[0].signature.id), "{case}");
    }
}

#[test]
fn a_broken_policy_would_be_seen() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let text = std::fs::read_to_string(page("typical")).unwrap();
    std::fs::write(&path, text.replace("<script>", "<script> ")).unwrap();
    let (dom, said, _) = open(browser, &path);
    assert!(said.contains("CONSOLE"), "the browser says nothing about a script that its policy refuses");
    assert!(!dom.contains("class=\"has-js\""));
}

/// The opening tag of each finding as the browser holds it.
fn findings(dom: &str) -> Vec<&str> {
    dom.split("<details class=\"finding").skip(1).map(|rest| rest.split('>').next().unwrap()).collect()
}

#[test]
fn the_hash_brings_the_state_back() {
    let Some(browser) = chromium() else { return };
    let (dom, _, _) = open_at(browser, &page("typical"), "#verdict=undecided,nonsense");
    let all = findings(&dom);
    assert!(all.iter().any(|tag| tag.contains("data-verdict=\"undecided\"")), "the fixture has such a finding");
    for tag in all {
        let wanted = tag.contains("data-verdict=\"undecided\"");
        assert_eq!(!tag.contains("hidden"), wanted, "{tag}");
    }
    assert!(dom.contains("data-filter=\"undecided\" role=\"button\" aria-pressed=\"true\""));
    let (dom, _, _) = open_at(browser, &page("typical"), "#q=no%20such%20text%20anywhere");
    assert!(findings(&dom).iter().all(|tag| tag.contains("hidden")));
    let id = |tag: &str| tag.split_once("id=\"").unwrap().1.split('"').next().unwrap().to_owned();
    let (dom, _, _) = open(browser, &page("typical"));
    let closed = findings(&dom).into_iter().find(|tag| !tag.contains("open")).map(id).expect("a closed finding");
    for fragment in [format!("#{closed}"), format!("#open={closed}")] {
        let (dom, _, _) = open_at(browser, &page("typical"), &fragment);
        let tag = findings(&dom).into_iter().find(|tag| id(tag) == closed).unwrap();
        assert!(tag.contains("open"), "{fragment} does not open {tag}");
    }
}

/// A link to an entity that another finding stands for opens that finding, and the part of its list.
#[test]
fn a_link_to_an_entity_of_a_list_leads_to_it() {
    let Some(browser) = chromium() else { return };
    let text = std::fs::read_to_string(page("together")).unwrap();
    let diagnosis: diagnosis::model::Diagnosis =
        serde_json::from_str(include_str!("../data/report/together.diagnosis.json")).unwrap();
    let last = diagnosis.findings[0].alike.last().unwrap();
    assert_eq!(text.matches("<details class=\"places\" open").count(), 0);
    let (dom, _, _) = open_at(browser, &page("together"), &format!("#{}", last.anchor));
    let list = dom.split("<details class=\"places\" open=\"\">").nth(1).expect("a part of the list is open");
    assert!(list.contains(&format!("id=\"{}\"", last.anchor)));
}

/// Works the page like a reader and writes what happened into the document.
const READER: &str = r##"
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const said = [];
const note = (name, value) => said.push(name + "=" + value);
const q = document.getElementById("q");
press("/"); note("slash", document.activeElement.id); q.blur();
press("n"); note("next", document.querySelectorAll(".here").length);
const first = document.querySelector(".here").id;
press("n"); press("p"); note("back", document.querySelector(".here").id === first);
press("?"); note("help", document.getElementById("help").open); document.getElementById("help").close();
press("e"); note("expanded", [...document.querySelectorAll("main details")].every((e) => e.open)); press("e");
press("t"); note("theme", document.documentElement.dataset.theme);
document.querySelector("[data-filter=probable]").click(); note("filter", location.hash);
q.value = "etcd"; q.dispatchEvent(new Event("input")); note("search", location.hash.includes("q=etcd"));
press("Escape"); note("clear", q.value + document.querySelectorAll("[aria-pressed=true]").length + document.querySelectorAll(".finding[hidden]").length);
let saved = "";
URL.createObjectURL = (blob) => { saved += blob.size > 100 ? "blob" : "empty"; return "blob:none"; };
HTMLAnchorElement.prototype.click = function () { saved += " " + this.download; };
document.querySelector("[data-save=diagnosis]").click(); note("save", saved);
let copied = "";
Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { copied = text; } } });
document.querySelector("[data-copy=ticket-text]").click();
note("copy", copied === document.getElementById("ticket-text").textContent && copied.startsWith("**"));
const box = document.querySelector(".copybox");
box.querySelector("button").click(); note("command", copied === box.querySelector("pre").textContent);
const result = document.createElement("output"); result.id = "result"; result.textContent = said.join(";"); document.body.append(result);
"##;

#[test]
fn keys_filters_copy_and_save_do_what_they_say() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let text = std::fs::read_to_string(page("typical")).unwrap();
    // The reader's script is allowed by its own hash; the rest of the policy stays.
    let hash = report::csp::source(READER);
    let text = text.replacen("script-src ", &format!("script-src &#39;{hash}&#39; "), 1);
    let (head, tail) = text.rsplit_once("</body>").unwrap();
    std::fs::write(&path, format!("{head}<script>{READER}</script></body>{tail}")).unwrap();
    let (dom, said, _) = open(browser, &path);
    let errors: Vec<&str> = said.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let result = dom.split_once("<output id=\"result\">").expect("the reader ran to its end").1;
    let result = result.split("</output>").next().unwrap().replace("&amp;", "&");
    let result: Vec<&str> = result.split(';').collect();
    for wanted in [
        "slash=q",
        "next=1",
        "back=true",
        "help=true",
        "expanded=true",
        "filter=#verdict=probable",
        "search=true",
        "clear=00",
        "save=blob diagnosis.json",
        "copy=true",
        "command=true",
    ] {
        assert!(result.contains(&wanted), "{wanted} is not in {result:?}");
    }
    assert!(result.iter().any(|part| matches!(*part, "theme=dark" | "theme=light")), "{result:?}");
}

#[test]
fn without_javascript_everything_is_there() {
    let Some(browser) = chromium() else { return };
    // `--dump-dom` itself needs scripts, so the page gets a script that its own policy refuses.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let text = std::fs::read_to_string(page("typical")).unwrap();
    std::fs::write(&path, text.replace("<script>", "<script> ")).unwrap();
    let (dom, _, _) = open(browser, &path);
    assert!(!dom.contains("class=\"has-js\""), "JavaScript ran");
    let diagnosis: diagnosis::model::Diagnosis = serde_json::from_str(
        &std::fs::read_to_string(page("typical").with_file_name("typical.diagnosis.json")).unwrap(),
    )
    .unwrap();
    let (visible, _) = dom.split_once("<script").unwrap();
    // Names between backticks are set as code, without the backticks.
    let visible = visible.replace("<code>", "").replace("</code>", "");
    let has = |text: &str| {
        let text = text.replace('`', "").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        assert!(visible.contains(&text), "missing without JavaScript: {text}");
    };
    has(&diagnosis.answer);
    for finding in &diagnosis.findings {
        has(&finding.signature.title);
        match finding.verdict {
            VerdictWord::RuledOut | VerdictWord::Resolved => has(&finding.reason),
            _ => has(&diagnosis::words::why(finding)),
        }
        for row in &finding.evidence {
            has(&row.claim);
            // Where it was seen stands beside it as a citation.
            if !row.reason.starts_with("seen in ") {
                has(&row.reason);
            }
            row.citations.iter().take(4).for_each(|citation| has(&citation.member));
        }
        finding.remediation.steps.iter().for_each(|step| has(&step.action));
    }
    diagnosis.asks.iter().for_each(|ask| has(&ask.command));
    diagnosis.timeline.events.iter().for_each(|event| has(&event.text));
    diagnosis.inventory.iter().flat_map(|table| table.rows.iter().flatten()).for_each(|cell| has(cell));
    diagnosis.anomalies.iter().for_each(|anomaly| has(&anomaly.text));
    diagnosis.not_assessed.iter().for_each(|row| has(&row.reason));
    diagnosis.not_applicable.iter().for_each(|row| has(&row.reason));
    diagnosis.unread.iter().for_each(|row| has(&row.reason));
}

/// A page of each sample that shows another part: an etcd cluster without a majority, many problems, nothing found.
fn of_samples(folder: &Path) -> Vec<(String, PathBuf)> {
    let library = Library::built_in().unwrap();
    let cases = ["etcd-no-leader", "many-faults", "healthy-etcd", "failed-import-down-to-pods", "pasted-chat"];
    let page = |case: &&str| {
        let bundle = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles").join(case).join("bundle");
        let input = Input { source: Source::Path(bundle), context: None };
        let mut found = diagnose(&[input], &library, &Catalogue::built_in(), &Options::default(), &mut Quiet).unwrap();
        diagnose::gather(&mut found);
        let path = folder.join(format!("{case}.html"));
        std::fs::write(&path, html::render(&found).unwrap()).unwrap();
        ((*case).to_owned(), path)
    };
    cases.iter().map(page).collect()
}

#[test]
fn a_printed_page_has_at_most_four_sheets() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let fixtures = FIXTURES.map(|name| (name.to_owned(), page(name)));
    for (name, path) in of_samples(folder.path()).into_iter().chain(fixtures) {
        let pdf = folder.path().join("page.pdf");
        let output = Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .arg(format!("--print-to-pdf={}", pdf.display()))
            .arg(format!("file://{}", path.display()))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let bytes = std::fs::read(&pdf).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        // The root of the tree of pages counts all of them.
        let counts = text.split("/Count ").skip(1);
        let counts = counts.filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok());
        let sheets = counts.max().expect("a PDF counts its pages");
        assert!((1..=4).contains(&sheets), "{name}: {sheets} sheets");
    }
}

/// Works the tables, the pictures and the pages of objects, and writes what happened into the document.
const LOOKER: &str = r##"
const said = [];
const note = (name, value) => said.push(name + "=" + value);
const table = document.querySelector(".kubectl");
const names = () => [...table.tBodies[0].rows].map((row) => row.cells[1].textContent);
const before = names();
table.tHead.rows[0].cells[1].querySelector("button").click();
note("up", String(names()) === String([...before].sort((a, b) => a.localeCompare(b, "en", { numeric: true }))));
table.tHead.rows[0].cells[1].querySelector("button").click();
note("down", table.tHead.rows[0].cells[1].getAttribute("aria-sort"));
const marked = document.querySelector(".object mark").closest("details");
const links = [...document.querySelectorAll(".cites a")].map((link) => decodeURIComponent(link.getAttribute("href").slice(1)));
note("object", links.includes(marked.id));
note("graph", document.querySelectorAll(".graph rect").length > 1);
const result = document.createElement("output"); result.id = "result"; result.textContent = said.join(";"); document.body.append(result);
"##;

/// Adds a script to a page, before an end tag.
fn add(page: &Path, script: &str, before: &str) {
    let text = std::fs::read_to_string(page).unwrap();
    let hash = report::csp::source(script);
    let text = text.replacen("script-src ", &format!("script-src &#39;{hash}&#39; "), 1);
    let (head, tail) = text.split_once(before).unwrap();
    std::fs::write(page, format!("{head}<script>{script}</script>{before}{tail}")).unwrap();
}

/// What a script writes into the element `result` of a page that it was added to.
fn looked(browser: &str, page: &Path, script: &str) -> String {
    add(page, script, "</body>");
    let (dom, said, _) = open(browser, page);
    let errors: Vec<&str> = said.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let result = dom.split_once("<output id=\"result\">").unwrap().1;
    result.split("</output>").next().unwrap_or_default().to_owned()
}

/// Makes the rules for paper those of the screen, and writes what can be seen then into the document.
const PAPER: &str = r##"
for (const rule of document.styleSheets[0].cssRules) {
  if (rule.media?.mediaText === "print") rule.media.mediaText = "all";
}
const seen = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility({ contentVisibilityAuto: true }) && one.offsetHeight > 0).length;
const all = (selector) => document.querySelectorAll(selector).length;
const said = [
  "steps=" + (seen(".leads .steps > li") === all(".leads .steps > li") && seen(".leads .steps .command") > 0),
  "proof=" + seen(".leads .evidence, .leads summary"),
  "others=" + seen(".finding:not(.leads)"),
  "sections=" + seen("#inventory, #decided, #ticket, #objects"),
  "answer=" + seen("#answer .sentence"),
];
const result = document.createElement("output"); result.id = "result"; result.textContent = said.join(";"); document.body.append(result);
"##;

/// Somebody without a screen in the machine room has the commands of the first problem, and a few sheets.
#[test]
fn paper_has_all_steps_of_the_first_problem() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    for name in ["many-faults", "etcd-no-leader"] {
        let pages = of_samples(folder.path());
        let (_, path) = pages.iter().find(|(page, _)| page == name).unwrap();
        assert_eq!(looked(browser, path, PAPER), "steps=true;proof=0;others=0;sections=0;answer=1", "{name}");
    }
}

/// Counts what is measured while nobody can see it.
const MEASURED: &str = r##"
let hidden = 0, all = 0;
const { get } = Object.getOwnPropertyDescriptor(Element.prototype, "scrollHeight");
Object.defineProperty(Element.prototype, "scrollHeight", { get() {
  all += 1;
  if (this.closest("details:not([open])")) hidden += 1;
  return get.call(this);
} });
"##;
const SAY_MEASURED: &str = r##"
setTimeout(() => {
  const closed = document.querySelectorAll("details:not([open]) pre, details:not([open]) .scroll").length;
  const result = document.createElement("output"); result.id = "result";
  result.textContent = [closed > 5, all > 0, hidden].join(";"); document.body.append(result);
});
"##;

/// To measure what is closed makes the browser lay it out: of thousands, one by one, for seconds.
#[test]
fn what_is_closed_is_not_measured() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let pages = of_samples(folder.path());
    let (_, path) = pages.iter().find(|(name, _)| name == "many-faults").unwrap();
    add(path, MEASURED, "</head>");
    assert_eq!(looked(browser, path, SAY_MEASURED), "true;true;0");
}

#[test]
fn tables_are_sorted_and_objects_are_a_click_away() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let pages = of_samples(folder.path());
    let (_, path) = pages.iter().find(|(name, _)| name == "many-faults").unwrap();
    assert_eq!(looked(browser, path, LOOKER), "up=true;down=descending;object=true;graph=true");
    let (_, lost) = pages.iter().find(|(name, _)| name == "etcd-no-leader").unwrap();
    let lost = std::fs::read_to_string(lost).unwrap();
    assert!(lost.contains("<figure class=\"quorum\">") && lost.contains("class=\"v-"), "the voters are drawn");
}

/// Runs the rules of axe, once the page has measured itself, and writes what they found into the document.
const AXE: &str = r##"
addEventListener("load", () => setTimeout(() => axe.run(document, { resultTypes: ["violations"] }).then((said) => {
  const result = document.createElement("output"); result.id = "axe";
  result.textContent = JSON.stringify(said.violations.map((rule) => [rule.id, rule.nodes.map((node) => node.html)]));
  document.body.append(result);
}), 500));
"##;

/// axe with what runs it; `None` if nobody fetched it.
fn axe() -> Option<String> {
    let Some(axe) = std::env::var_os("CASEFILE_AXE").map(|path| std::fs::read_to_string(path).unwrap()) else {
        eprintln!(
            "\n*** SKIPPED: CASEFILE_AXE names no axe.min.js, so its rules were not run (scripts/test fetches it) ***\n"
        );
        return None;
    };
    Some(format!("{axe}\n{AXE}").replace("</script", "<\\/script"))
}

/// axe over a page in both colour schemes; its policy must let scripts in at `policy`.
fn axe_finds_nothing(browser: &str, script: &str, page: &Path, policy: (&str, &str)) {
    let folder = tempfile::tempdir().unwrap();
    let hash = report::csp::source(script);
    for theme in ["light", "dark"] {
        let text = std::fs::read_to_string(page).unwrap();
        let text = text.replacen(policy.0, &policy.1.replace("HASH", &format!("&#39;{hash}&#39;")), 1);
        let text = text.replacen("<html lang=\"en\">", &format!("<html lang=\"en\" data-theme=\"{theme}\">"), 1);
        let (head, tail) = text.rsplit_once("</body>").unwrap();
        let path = folder.path().join("page.html");
        std::fs::write(&path, format!("{head}<script>{script}</script></body>{tail}")).unwrap();
        // The browser may write the document down before axe has ended, seldom and whatever the machine; then it is asked
        // again. What it said the last time tells why there never was a result.
        let mut said = String::new();
        let result = (0..10).find_map(|_| {
            let (dom, errors, _) = open(browser, &path);
            said = errors;
            let (_, result) = dom.rsplit_once("<output id=\"axe\">")?;
            Some(result.split("</output>").next().unwrap_or_default().to_owned())
        });
        assert_eq!(result.as_deref(), Some("[]"), "{}, {theme}: {said}", page.display());
    }
}

#[test]
fn axe_finds_nothing_in_both_colour_schemes() {
    let (Some(browser), Some(script)) = (chromium(), axe()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let fixtures = FIXTURES.map(|name| (name.to_owned(), page(name)));
    for (_, path) in of_samples(folder.path()).into_iter().chain(fixtures) {
        axe_finds_nothing(browser, &script, &path, ("script-src ", "script-src HASH "));
    }
}

#[test]
fn axe_finds_nothing_in_the_page_over_a_fleet() {
    let (Some(browser), Some(script)) = (chromium(), axe()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let casefile = |args: &[&str]| {
        let run = Command::new(env!("CARGO_BIN_EXE_casefile")).current_dir(folder.path()).args(args).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    };
    for sample in ["etcd-no-leader", "etcd-one-member-down", "failed-import", "failed-import-down-to-pods"] {
        let bundle = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles").join(sample).join("bundle");
        let bundle = bundle.to_str().unwrap();
        casefile(&["export", bundle, "--tables", "fleet", "--format", "jsonl", "--to", "results"]);
    }
    std::fs::create_dir(folder.path().join("results/inputs")).unwrap();
    let poison = "{\"file\":\"poison.tgz\",\"exit_code\":3,\"message\":\"nothing\"}\n";
    std::fs::write(folder.path().join("results/inputs/a.jsonl"), poison).unwrap();
    std::fs::write(folder.path().join("results/inputs/b.txt"), poison).unwrap();
    casefile(&["fleet", "results", "-o", "fleet.html"]);
    let page = folder.path().join("fleet.html");
    axe_finds_nothing(browser, &script, &page, ("img-src ", "script-src HASH; img-src "));
    let (_, said, _) = open(browser, &page);
    assert!(!said.contains("CONSOLE"), "{said}");
}
