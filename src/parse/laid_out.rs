//! Tables of kubectl that somebody laid out anew: as a table of Markdown or of Jira, or as k9s draws it; and tables of any
//! tool whose frame is drawn with the characters for boxes instead of `+`, `-` and `|`.
//!
//! Why: chats, tickets and terminals take tables in these ways, and the readers of tables want the columns of kubectl and
//! the frames of old. Newer versions of the library that draws etcdctl's tables (`olekukonko/tablewriter` 1.0) use boxes.
//!
//! Invariants: only a table whose headers are those of a known kind is laid out anew, and only what stands between rules
//! with junctions is drawn anew; every line stays a line, so that all numbers are those of what was pasted.

use crate::table;
use crate::transcript::chat;
use std::borrow::Cow;

/// Lines that one table may have.
const MOST_ROWS: usize = 5_000;
/// The longest line of one.
const LONGEST: usize = 2_000;
/// Lines above the header of a framed table in which its title is looked for.
const TITLE: usize = 3;

/// A text with its tables as kubectl prints them.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    let framed = text.contains(['│', '┃', '║', '↑', '↓', '●']);
    let hints = |line: &str| line.trim_start().starts_with('|') || chat::prefix(line).is_some();
    if !framed && !text.lines().any(hints) {
        return Cow::Borrowed(text);
    }
    let mut all: Vec<String> = text.lines().map(str::to_owned).collect();
    if !lines(&mut all) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(all.join("\n") + if text.ends_with('\n') { "\n" } else { "" })
}

/// The same for lines; `false` if there was nothing to do.
pub(crate) fn lines(lines: &mut [String]) -> bool {
    let mut changed = chat::strip(lines);
    let mut at = 0;
    while at < lines.len() {
        let boxed = boxed(&mut lines[at..]);
        if boxed > 0 {
            changed = true;
            at += boxed;
            continue;
        }
        let Some(grid) = marked_up(&lines[at..]).or_else(|| framed(lines, at)) else {
            at += 1;
            continue;
        };
        let end = at + grid.length;
        grid.put(&mut lines[at..end]);
        changed = true;
        at = end;
    }
    changed
}

/// A table: its cells by the lines that it takes up.
struct Grid {
    header: Vec<String>,
    /// The line of the header.
    header_at: usize,
    rows: Vec<(usize, Vec<String>)>,
    /// The lines that belong to it.
    length: usize,
}

impl Grid {
    /// Writes it over its lines.
    fn put(self, lines: &mut [String]) {
        let wide = |cell: &String| cell.chars().count();
        let mut widths: Vec<usize> = self.header.iter().map(wide).collect();
        for (_, cells) in &self.rows {
            for (width, cell) in widths.iter_mut().zip(cells) {
                *width = (*width).max(wide(cell));
            }
        }
        let laid = |cells: &[String]| {
            let padded = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
            padded.collect::<Vec<_>>().join("   ").trim_end().to_owned()
        };
        for line in lines.iter_mut() {
            line.clear();
        }
        let all =
            std::iter::once((self.header_at, &self.header)).chain(self.rows.iter().map(|(at, cells)| (*at, cells)));
        for (at, cells) in all {
            if let Some(line) = lines.get_mut(at) {
                *line = laid(cells);
            }
        }
    }
}

/// Are these the headers of a table of kubectl?
fn is_known(header: &[String]) -> bool {
    header.len() > 1 && table::header(&header.join("   ")).is_some() && table::is_known(header)
}

/// `| NAME | READY |` above `|---|---|`, and `||NAME||READY||`.
fn marked_up(lines: &[String]) -> Option<Grid> {
    let first = lines.first()?.trim();
    if !first.starts_with('|') || first.len() > LONGEST {
        return None;
    }
    let is_jira = first.starts_with("||");
    let header_at = usize::from(!is_jira);
    if !is_jira && !lines.get(1).is_some_and(|line| is_ruler(line)) {
        return None;
    }
    let header: Vec<String> = match is_jira {
        true => first.trim_matches('|').split("||").map(|cell| plain(cell).to_uppercase()).collect(),
        false => cells(first).iter().map(|cell| cell.to_uppercase()).collect(),
    };
    if !is_known(&header) {
        return None;
    }
    let below = lines.iter().enumerate().skip(header_at + 1).take(MOST_ROWS);
    let rows = below.take_while(|(_, line)| {
        let line = line.trim();
        line.starts_with('|') && !line.starts_with("||") && line.len() <= LONGEST
    });
    let rows: Vec<(usize, Vec<String>)> = rows.map(|(at, line)| (at, cells(line))).collect();
    let length = rows.last().map_or(header_at, |(at, _)| *at) + 1;
    Some(Grid { header, header_at, rows, length })
}

/// `|:---|---:|`
fn is_ruler(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('|') && line.contains("--") && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

/// The cells of a row between bars.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    line.split('|').map(|cell| plain(cell).to_owned()).collect()
}

/// A cell without its blanks and the marks that make it code or bold.
fn plain(cell: &str) -> &str {
    cell.trim().trim_matches(['`', '*']).trim()
}

/// Headers of two words; all other words of k9s are headers of their own.
const PAIRS: [&str; 7] = [
    "LAST SEEN",
    "ACCESS MODES",
    "STORAGE CLASS",
    "RECLAIM POLICY",
    "NOMINATED NODE",
    "READINESS GATES",
    "EXTERNAL IP",
];

/// Columns in the order of kubectl; all others stand behind them.
const ORDER: [&str; 6] = ["NAMESPACE", "NAME", "READY", "STATUS", "RESTARTS", "AGE"];

/// Draws a table with the characters for boxes anew with `+`, `-` and `|`, if the first line begins one; of how many lines it
/// is. A rule with a junction tells it from what only frames something.
fn boxed(lines: &mut [String]) -> usize {
    let is_rule = |line: &str| {
        let line = line.trim();
        line.starts_with(['┌', '╔', '┏', '╭', '├'])
            && line.chars().all(|c| ('\u{2500}'..='\u{257f}').contains(&c) && !is_bar(c))
            && line.contains(['┬', '╦', '┳', '┼', '╤', '╥'])
    };
    if !lines.first().is_some_and(|line| line.len() <= LONGEST && is_rule(line)) {
        return 0;
    }
    let drawn = |line: &str| {
        let line = line.trim();
        let is_drawn = |c: char| ('\u{2500}'..='\u{257f}').contains(&c);
        line.len() <= LONGEST && line.starts_with(is_drawn) && line.ends_with(is_drawn)
    };
    let length = lines.iter().take(MOST_ROWS).take_while(|line| drawn(line)).count();
    for line in &mut lines[..length] {
        let bare = line.trim();
        let is_row = bare.starts_with(is_bar);
        let plain = |c: char| match c {
            c if is_bar(c) => '|',
            '─' | '━' | '═' if !is_row => '-',
            '\u{2500}'..='\u{257f}' if !is_row => '+',
            c => c,
        };
        *line = bare.chars().map(plain).collect();
    }
    length
}

/// An upright line between cells.
fn is_bar(c: char) -> bool {
    matches!(c, '│' | '┃' | '║')
}

/// A line without the frame around it.
fn unframed(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let Some(inner) = line.trim_start().strip_prefix('│') else { return Some(line) };
    Some(inner.strip_suffix('│').unwrap_or(inner))
}

/// A table as k9s draws it.
fn framed(lines: &[String], at: usize) -> Option<Grid> {
    let line = lines.get(at)?;
    if line.len() > LONGEST || !line.contains(['↑', '↓']) && !line.contains(" PF ") {
        return None;
    }
    let columns = columns(unframed(line)?)?;
    let title = lines[at.saturating_sub(TITLE)..at].iter().rev().find_map(|line| namespace(line));
    let kept: Vec<usize> = {
        let mut kept: Vec<usize> = (0..columns.len()).filter(|at| is_of_kubectl(&columns[*at].0)).collect();
        let rank = |at: &usize| ORDER.iter().position(|name| *name == columns[*at].0).unwrap_or(ORDER.len());
        kept.sort_by_key(rank);
        kept
    };
    let named = |name: &str| columns.iter().any(|(column, _)| column == name);
    let title = title.filter(|_| !named("NAMESPACE"));
    let mut header: Vec<String> = kept.iter().map(|at| columns[*at].0.clone()).collect();
    if title.is_some() {
        header.insert(0, "NAMESPACE".to_owned());
    }
    if !is_known(&header) {
        return None;
    }
    let mut rows = Vec::new();
    for (offset, line) in lines[at..].iter().enumerate().skip(1).take(MOST_ROWS) {
        let inner = unframed(line).filter(|inner| inner.len() <= LONGEST && !inner.trim().is_empty());
        let Some(inner) = inner.filter(|inner| !inner.contains(['└', '┘', '─'])) else { break };
        let chars: Vec<char> = inner.chars().collect();
        let cell = |index: usize| {
            let start = if index == 0 { 0 } else { columns[index].1 };
            let end = columns.get(index + 1).map_or(chars.len(), |(_, next)| *next).min(chars.len());
            let text: String = chars.get(start.min(end)..end).unwrap_or_default().iter().collect();
            match text.trim() {
                "n/a" => "<none>".to_owned(),
                text => text.to_owned(),
            }
        };
        let mut cells: Vec<String> = kept.iter().map(|index| cell(*index)).collect();
        cells.splice(0..0, title.clone());
        rows.push((offset, cells));
    }
    let length = rows.last().map_or(0, |(at, _)| *at) + 1;
    Some(Grid { header, header_at: 0, rows, length })
}

/// The headers of a line and where they stand, in characters; `None` if they are none of k9s.
fn columns(line: &str) -> Option<Vec<(String, usize)>> {
    let mut columns: Vec<(String, usize)> = Vec::new();
    let mut word: Option<(String, usize)> = None;
    for (at, c) in line.chars().chain([' ']).enumerate() {
        match (&mut word, c) {
            (_, '↑' | '↓') => {}
            (Some(_), ' ') => columns.extend(word.take()),
            (Some((text, _)), c) => text.push(c),
            (None, ' ') => {}
            (None, c) => word = Some((c.to_string(), at)),
        }
    }
    let mut joined: Vec<(String, usize)> = Vec::new();
    for (text, at) in columns {
        let pair =
            joined.last().map(|(last, _)| format!("{last} {text}")).filter(|pair| PAIRS.contains(&pair.as_str()));
        match (pair, joined.last_mut()) {
            (Some(pair), Some(last)) => last.0 = pair,
            _ => joined.push((text, at)),
        }
    }
    let capitals =
        |text: &str| text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || "-/%_.:() ".contains(c));
    let first = matches!(joined.first()?.0.as_str(), "NAME" | "NAMESPACE");
    (first && joined.len() > 2 && joined.iter().all(|(text, _)| capitals(text))).then_some(joined)
}

/// Does kubectl print this column as well?
fn is_of_kubectl(header: &str) -> bool {
    !header.contains(['%', ':'])
        && !matches!(header, "PF" | "CPU" | "MEM" | "VS" | "PODS" | "TAINTS" | "CPU/A" | "MEM/A")
}

/// The namespace in the title of a frame: `┌── Pods(shop)[2] ──┐`.
fn namespace(line: &str) -> Option<String> {
    let inner = line.trim().trim_matches(['┌', '┐', '─', ' ', '╭', '╮']);
    let (kind, rest) = inner.split_once('(')?;
    let (namespace, count) = rest.split_once(")[")?;
    let counted = count.strip_suffix(']').is_some_and(|count| count.bytes().all(|b| b.is_ascii_digit()));
    let plain = namespace.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    let named = kind.chars().all(char::is_alphanumeric) && plain && !matches!(namespace, "" | "all" | "-");
    (counted && named).then(|| namespace.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_drawn_as_of_old() {
        let drawn = "\
            ┌──────┬─────────┬──────┐\n\
            │  ID  │ STATUS  │ NAME │\n\
            ├──────┼─────────┼──────┤\n\
            │ c1ca │ started │ cp-1 │\n\
            └──────┴─────────┴──────┘\n\
            ╔═══╦═══╗\n║ A ║ B ║\n╚═══╩═══╝\n\
            text │ text\n";
        let plain = "\
            +------+---------+------+\n\
            |  ID  | STATUS  | NAME |\n\
            +------+---------+------+\n\
            | c1ca | started | cp-1 |\n\
            +------+---------+------+\n\
            +---+---+\n| A | B |\n+---+---+\n\
            text │ text\n";
        assert_eq!(text(drawn), plain);
        // A frame around something, and a tree.
        for other in ["┌──────┐\n│ text │\n└──────┘\n", "├── a\n│   └── b\n"]
        {
            assert_eq!(text(other), other);
        }
    }

    #[test]
    fn tables_of_markdown_and_jira() {
        let shown = text(
            "See:\n| Name | Ready | Status | Restarts | Age |\n|---|:--|---|---|---|\n| `web-0` | 0/1 | Error | 4 (2m ago) | 5m |\nBye\n",
        );
        let wanted =
            "See:\n\nNAME    READY   STATUS   RESTARTS     AGE\nweb-0   0/1     Error    4 (2m ago)   5m\nBye\n";
        assert_eq!(shown, wanted);
        let shown = text("||NAME||READY||STATUS||RESTARTS||AGE||\n|web-0|0/1|Error|4|5m|\n");
        assert_eq!(shown, "NAME    READY   STATUS   RESTARTS   AGE\nweb-0   0/1     Error    4          5m\n");
    }

    #[test]
    fn tables_of_k9s() {
        let shown = text(
            "┌──────── Pods(shop)[2] ────────┐\n\
             │ NAME↑        PF READY STATUS            RESTARTS IP          NODE  AGE │\n\
             │ web-0        ●  1/1   Running                  0 10.0.0.1    w-1   12d │\n\
             │ web-1        ●  0/1   CrashLoopBackOff        16 n/a         w-2   31m │\n\
             └───────────────────────────────┘\n",
        );
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[1], "NAMESPACE   NAME    READY   STATUS             RESTARTS   AGE   IP         NODE");
        assert_eq!(lines[3], "shop        web-1   0/1     CrashLoopBackOff   16         31m   <none>     w-2");
        let shown = text(
            " NAMESPACE↑  NAME    PF  READY  STATUS   RESTARTS  CPU  MEM  %CPU/R  IP        NODE   AGE\n shop        web-0   ●   0/1    Error          14    0    0     n/a  10.0.0.7  wk-1   52m\n",
        );
        assert!(
            shown.ends_with("\nshop        web-0   0/1     Error    14         52m   10.0.0.7   wk-1\n"),
            "{shown}"
        );
    }

    #[test]
    fn what_is_laid_out_otherwise_stays() {
        for same in [
            "| ENDPOINT | HEALTH |\n|---|---|\n| a | true |\n",
            "| NAME | OWNER | PHONE |\n|---|---|---|\n| a | b | c |\n",
            "+----+------+\n| ID | NAME |\n+----+------+\n",
            "│ some words in a frame │\n",
            "temperature ↑ again\n",
            "NAME   READY   STATUS   RESTARTS   AGE\nweb    1/1     Running   0   5m\n",
        ] {
            assert_eq!(text(same), same);
        }
    }

    proptest::proptest! {
        #[test]
        fn foreign_text_never_panics(rest in "[-| a-zA-Z│↑●:\n]{0,200}") {
            text(&format!("| NAME | READY | STATUS | AGE |\n|---|\n{rest}"));
            text(&format!(" NAME↑  PF READY STATUS RESTARTS AGE\n{rest}"));
        }
    }
}
