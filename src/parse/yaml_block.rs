//! The fast reader for the regular subset of YAML that kubectl, oc and Go's writers print.
//!
//! Block maps and sequences, `{}` and `[]`, comments, one document; the scalars are in
//! [`crate::yaml_scalar`]. Why not a library for it: this is most of the bytes of most bundles, and reading
//! lines beats general scanning several times.
//!
//! Invariants: whatever is not surely inside the subset makes the whole document [`None`], never a guess:
//! the general reader decides then, and reports damage. Recursion is bounded by the nesting limit.

use crate::json::last_wins;
use facts::node::{Node, SmolStr, Value};

/// Reads one document, or `None` if it uses anything outside the subset (or breaks off, or nests too deep).
pub(super) fn read(text: &str, first_line: u32, nesting: u32) -> Option<Node> {
    // Line ends of other systems and of YAML 1.1, byte order marks.
    if memchr::memchr2(b'\r', b'\0', text.as_bytes()).is_some()
        || !text.is_ascii() && text.contains(['\u{feff}', '\u{85}', '\u{2028}', '\u{2029}'])
    {
        return None;
    }
    let mut reader =
        Reader { text, next: 0, next_line: first_line, indent: 0, rest: "", trimmed: false, line: 0, done: false };
    reader.advance()?;
    if reader.indent == 0 && reader.rest.starts_with("---") {
        let after = reader.rest[3..].trim();
        if !(after.is_empty() || after.starts_with('#')) {
            return None;
        }
        reader.advance()?;
    }
    if reader.done {
        return None;
    }
    // The documents that matter are maps or lists; a lone scalar is not worth a rule.
    let node = reader.block(nesting)?;
    (reader.done && matches!(node.value, Value::Map(_) | Value::List(_))).then_some(node)
}

/// A place in the text: before it all is read.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    next: usize,
    next_line: u32,
}

/// Reads a text line by line; between two steps it stands on the start of a key, a dash or a value.
pub(super) struct Reader<'a> {
    text: &'a str,
    /// Start of the line after the current one.
    next: usize,
    next_line: u32,
    /// Column at which `rest` starts.
    pub(super) indent: usize,
    /// What is left of the current line, without line end and spaces behind it.
    pub(super) rest: &'a str,
    /// Spaces stood behind `rest`.
    pub(super) trimmed: bool,
    /// Number of the current line.
    pub(super) line: u32,
    /// No line is left.
    pub(super) done: bool,
}

impl<'a> Reader<'a> {
    /// Takes the next raw line.
    pub(super) fn raw(&mut self) -> Option<&'a str> {
        let rest = self.text.get(self.next..).filter(|rest| !rest.is_empty())?;
        let end = memchr::memchr(b'\n', rest.as_bytes());
        let line = end.map_or(rest, |end| &rest[..end]);
        self.next += end.map_or(rest.len(), |end| end + 1);
        self.next_line += 1;
        Some(line)
    }

    /// Where the next raw line starts.
    pub(super) fn mark(&self) -> Mark {
        Mark { next: self.next, next_line: self.next_line }
    }

    /// Goes back to a mark.
    pub(super) fn back(&mut self, mark: Mark) {
        self.next = mark.next;
        self.next_line = mark.next_line;
        self.done = false;
    }

    /// Was the line that ends here ended by a line end?
    pub(super) fn line_is_whole(&self) -> bool {
        self.text.as_bytes().get(self.next.wrapping_sub(1)) == Some(&b'\n')
    }

    /// Moves to the next line that is not blank and no comment.
    pub(super) fn advance(&mut self) -> Option<()> {
        loop {
            let line_number = self.next_line;
            let Some(line) = self.raw() else {
                self.done = true;
                self.rest = "";
                self.indent = 0;
                return Some(());
            };
            let (indent, body) = split(line);
            let Some(first) = body.as_bytes().first() else { continue };
            match first {
                b'\t' => return None,
                b'#' => continue,
                // The end of a document, or a directive.
                b'.' if indent == 0 && (body == "..." || body.starts_with("... ") || body.starts_with("...\t")) => {
                    return None;
                }
                b'%' if indent == 0 => return None,
                _ => {}
            }
            self.indent = indent;
            self.rest = body.trim_end_matches(' ');
            self.trimmed = self.rest.len() < body.len();
            if self.rest.ends_with('\t') {
                return None;
            }
            self.line = line_number;
            return Some(());
        }
    }

    fn at_dash(&self) -> bool {
        !self.done && (self.rest == "-" || self.rest.starts_with("- "))
    }

    /// A map or a sequence that starts here.
    fn block(&mut self, depth: u32) -> Option<Node> {
        if self.at_dash() { self.sequence(depth) } else { self.map(depth) }
    }

    fn sequence(&mut self, depth: u32) -> Option<Node> {
        let depth = depth.checked_sub(1)?;
        let (indent, start) = (self.indent, self.line);
        let mut items = Vec::new();
        while !self.done && self.indent == indent && self.at_dash() {
            let body = self.rest[1..].trim_start_matches(' ');
            if body.is_empty() || body.starts_with('#') {
                items.push(self.below(indent, false, depth)?);
                continue;
            }
            let column = indent + self.rest.len() - body.len();
            let is_key = body == "-" || body.starts_with("- ") || key(body).is_some();
            if is_key {
                self.indent = column;
                self.rest = body;
                items.push(self.block(depth)?);
            } else {
                items.push(self.scalar(body, indent)?);
            }
        }
        items.shrink_to_fit();
        (self.done || self.indent <= indent).then(|| Node::new(start, Value::List(items)))
    }

    fn map(&mut self, depth: u32) -> Option<Node> {
        let depth = depth.checked_sub(1)?;
        let (indent, start) = (self.indent, self.line);
        let mut entries: Vec<(SmolStr, Node)> = Vec::new();
        while !self.done && self.indent == indent {
            if self.at_dash() {
                break;
            }
            let (key, value) = key(self.rest)?;
            let value = value.trim_start_matches(' ');
            let node = if value.is_empty() || value.starts_with('#') {
                self.below(indent, true, depth)?
            } else {
                self.scalar(value, indent)?
            };
            entries.push((key.into(), node));
        }
        let fits = self.done || self.indent < indent || (self.indent == indent && self.at_dash());
        fits.then(|| Node::new(start, Value::Map(last_wins(entries))))
    }

    /// What stands below a key or dash without a value on its line.
    fn below(&mut self, indent: usize, is_key: bool, depth: u32) -> Option<Node> {
        let line = self.line;
        self.advance()?;
        if !self.done && (self.indent > indent || is_key && self.indent == indent && self.at_dash()) {
            // A scalar on a line of its own is legal and never written.
            return self.block(depth);
        }
        Some(Node::new(line, Value::Null))
    }
}

/// The number of spaces before a line, and the line without them.
pub(super) fn split(line: &str) -> (usize, &str) {
    let indent = line.bytes().take_while(|b| *b == b' ').count();
    (indent, &line[indent..])
}

/// Splits a line at the colon of its key; `None` if it does not start with a key.
fn key(line: &str) -> Option<(&str, &str)> {
    let bytes = line.as_bytes();
    let first = *bytes.first()?;
    if matches!(first, b'"' | b'\'') {
        let end = memchr::memchr2(first, b'\\', &bytes[1..])? + 1;
        if bytes[end] == b'\\' && first == b'"' {
            return None;
        }
        let after = line[end + 1..].strip_prefix(':')?;
        return (after.is_empty() || after.starts_with(' ')).then(|| (&line[1..end], after));
    }
    let is_indicator = match first {
        b'-' | b'?' | b':' => matches!(bytes.get(1), None | Some(b' ')),
        _ => b",[]{}#&*!|>%@`".contains(&first),
    };
    if is_indicator {
        return None;
    }
    let end = memchr::memchr_iter(b':', bytes).find(|at| matches!(bytes.get(at + 1), None | Some(b' ')))?;
    let name = &line[..end];
    if name.is_empty() || name.contains(" #") || name.contains('\t') || name.ends_with(' ') {
        return None;
    }
    Some((name, &line[end + 1..]))
}
