//! A typed description as sections: a label in the first column, its text, and the lines below it.
//!
//! Why not the reader of the generic form: typed forms have labels of any case and depth
//! (`Min available`, `Image pull secrets`), blocks that are tables, and texts that go on in the first
//! column.
//!
//! Invariants: every line belongs to one section or stands before the first; nothing is interpreted here.

use crate::describe::values::is_none;

/// A numbered line without its line end.
pub(super) type Line<'a> = (u32, &'a str);

/// A label with all that is printed for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Section<'a, 'b> {
    /// Line of the label.
    pub line: u32,
    /// The label, without its colon.
    pub key: &'a str,
    /// What stands behind it.
    pub text: &'a str,
    /// The lines below it.
    pub body: &'b [Line<'a>],
}

/// Splits the text of one object.
pub(super) fn sections<'a, 'b>(lines: &'b [Line<'a>], is_label: fn(&str) -> bool) -> Vec<Section<'a, 'b>> {
    let mut found: Vec<(usize, &'a str, &'a str)> = Vec::new();
    for (at, (_, line)) in lines.iter().enumerate() {
        let Some((key, text)) = label(line) else { continue };
        // What looks like a label of no kind goes on with a text that may have any lines.
        let free = found.last().is_some_and(|(_, key, _)| matches!(*key, "Message" | "Description"));
        if is_label(key) || !free && is_title(key) && (text.is_empty() || wide(line, key)) {
            found.push((at, key, text));
        }
    }
    let ends: Vec<usize> = found.iter().skip(1).map(|(at, ..)| *at).chain([lines.len()]).collect();
    found
        .into_iter()
        .zip(ends)
        .filter_map(|((at, key, text), end)| {
            let line = lines.get(at)?.0;
            Some(Section { line, key, text, body: lines.get(at + 1..end).unwrap_or_default() })
        })
        .collect()
}

/// The label and text of a line whose first column is a label's.
fn label(line: &str) -> Option<(&str, &str)> {
    if line.starts_with([' ', '\t']) {
        return None;
    }
    pair(line)
}

/// `Key:  value`, `Key: value` and `Key:`, blanks around both trimmed.
pub(super) fn pair(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let (key, text) = match line.split_once(": ") {
        Some((key, text)) => (key, text),
        None => (line.strip_suffix(':')?, ""),
    };
    (!key.is_empty() && key.len() < 80).then(|| (key.trim_end(), text.trim()))
}

fn is_title(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_uppercase())
        && key.chars().all(|c| c.is_ascii_alphanumeric() || " -/".contains(c))
}

/// Do at least two blanks stand between label and text?
fn wide(line: &str, key: &str) -> bool {
    line.get(key.len() + 1..).is_some_and(|rest| rest.starts_with("  "))
}

/// The blanks before a line.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Splits an indented block at the lines that stand as deep as its first one; each is a label with its text
/// and what stands below it. Lines that stand less deep go on with what is above them.
pub(super) fn blocks<'a, 'b>(lines: &'b [Line<'a>]) -> Vec<Section<'a, 'b>> {
    let Some(first) = lines.iter().position(|(_, line)| !line.trim().is_empty()) else { return Vec::new() };
    let level = lines.get(first).map_or(0, |(_, line)| indent(line));
    if level == 0 {
        return Vec::new();
    }
    let starts: Vec<usize> = lines
        .iter()
        .enumerate()
        .filter(|(_, (_, line))| indent(line) == level && !line.trim().is_empty())
        .map(|(at, _)| at)
        .collect();
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([lines.len()]).collect();
    starts
        .into_iter()
        .zip(ends)
        .filter_map(|(at, end)| {
            let (line, text) = *lines.get(at)?;
            let (key, text) = pair(text).unwrap_or(("", text.trim()));
            Some(Section { line, key, text, body: lines.get(at + 1..end).unwrap_or_default() })
        })
        .collect()
}

/// The values of a block whose lines are values: that behind the label and those below it.
pub(super) fn values<'a, 'b>(section: &Section<'a, 'b>) -> Vec<Line<'a>> {
    let first = (!is_none(section.text)).then_some((section.line, section.text));
    let more = section.body.iter().map(|(number, line)| (*number, line.trim())).filter(|(_, line)| !line.is_empty());
    first.into_iter().chain(more).collect()
}

/// A table inside a description: cells by header. Columns stand at the offsets of the headers; the line of
/// dashes below them, if there is one, is left out.
pub(super) fn table<'a>(lines: &[Line<'a>]) -> Vec<(u32, Vec<(&'a str, String)>)> {
    let mut rows = lines.iter().filter(|(_, line)| !line.trim().is_empty());
    let Some((_, header)) = rows.next() else { return Vec::new() };
    let columns = columns(header);
    let mut found: Vec<(u32, Vec<(&'a str, String)>)> = Vec::new();
    for (number, line) in rows {
        if line.trim_start().starts_with("---") {
            continue;
        }
        let chars: Vec<char> = line.chars().collect();
        let first = columns.first().map_or(0, |(_, start)| *start);
        let fits = indent(line) == first
            && columns.iter().skip(1).all(|(_, start)| *start > 0 && chars.get(start - 1).is_none_or(|c| *c == ' '));
        if !fits {
            // A message of several lines goes on.
            if let Some((_, cell)) = found.last_mut().and_then(|(_, cells)| cells.last_mut()) {
                cell.push('\n');
                cell.push_str(line.trim_end());
            }
            continue;
        }
        let ends = columns.iter().skip(1).map(|(_, start)| *start).chain([usize::MAX]);
        let cells = columns.iter().zip(ends).map(|((name, start), end)| {
            let cell = chars.get(*start..end.min(chars.len())).unwrap_or_default();
            (*name, cell.iter().collect::<String>().trim().to_owned())
        });
        found.push((*number, cells.collect()));
    }
    found
}

/// Headers with the column where their cells start; two blanks stand between them.
fn columns(header: &str) -> Vec<(&str, usize)> {
    let mut columns = Vec::new();
    let mut start = indent(header);
    let mut rest = header.trim_start_matches(' ').trim_end();
    loop {
        let Some(end) = rest.find("  ") else {
            if !rest.is_empty() {
                columns.push((rest, start));
            }
            return columns;
        };
        let (name, more) = rest.split_at(end);
        columns.push((name, start));
        let next = more.trim_start_matches(' ');
        start += name.chars().count() + more.len() - next.len();
        rest = next;
    }
}
