//! The fast reader for the regular subset of YAML that kubectl, oc and Go's writers print.
//!
//! Block maps and sequences, plain and quoted scalars (folded over lines or not), literal and folded blocks,
//! `{}` and `[]`, comments, one document. Why not a library for it: this is most of the bytes of most
//! bundles, and reading lines beats general scanning several times.
//!
//! Invariants: whatever is not surely inside the subset makes the whole document [`None`], never a guess:
//! the general reader decides then, and reports damage. Recursion is bounded by the nesting limit.

use super::json::last_wins;
use super::manifest::string_value;
use super::yaml::plain;
use crate::facts::node::{Node, Value};

/// Reads one document, or `None` if it uses anything outside the subset (or breaks off, or nests too deep).
pub(super) fn read(text: &str, first_line: u32, nesting: u32) -> Option<Node> {
    if text.contains(['\r', '\u{feff}', '\u{85}', '\u{2028}', '\u{2029}', '\0']) {
        return None;
    }
    let mut reader = Reader { text, next: 0, next_line: first_line, indent: 0, rest: "", line: 0, done: false };
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

struct Reader<'a> {
    text: &'a str,
    /// Start of the line after the current one.
    next: usize,
    next_line: u32,
    /// Column at which `rest` starts.
    indent: usize,
    /// What is left of the current line, without line end and spaces behind it.
    rest: &'a str,
    line: u32,
    /// No line is left.
    done: bool,
}

impl<'a> Reader<'a> {
    /// Takes the next raw line.
    fn raw(&mut self) -> Option<&'a str> {
        let rest = self.text.get(self.next..).filter(|rest| !rest.is_empty())?;
        let end = memchr::memchr(b'\n', rest.as_bytes());
        let line = end.map_or(rest, |end| &rest[..end]);
        self.next += end.map_or(rest.len(), |end| end + 1);
        self.next_line += 1;
        Some(line)
    }

    /// Moves to the next line that is not blank and no comment.
    fn advance(&mut self) -> Option<()> {
        loop {
            let line_number = self.next_line;
            let Some(line) = self.raw() else {
                self.done = true;
                self.rest = "";
                self.indent = 0;
                return Some(());
            };
            let body = line.trim_start_matches(' ');
            if body.starts_with('\t') {
                return None;
            }
            if body.is_empty() || body.starts_with('#') {
                continue;
            }
            let indent = line.len() - body.len();
            if indent == 0 && (body.starts_with("...") || body.starts_with('%')) {
                return None;
            }
            self.indent = indent;
            self.rest = body.trim_end_matches(' ');
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
        (self.done || self.indent <= indent).then(|| Node::new(start, Value::List(items)))
    }

    fn map(&mut self, depth: u32) -> Option<Node> {
        let depth = depth.checked_sub(1)?;
        let (indent, start) = (self.indent, self.line);
        let mut entries: Vec<(Box<str>, Node)> = Vec::new();
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
            entries.push((key, node));
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

    /// A scalar that starts on this line; moves behind it. `parent` is the column of its map or sequence.
    fn scalar(&mut self, text: &'a str, parent: usize) -> Option<Node> {
        let line = self.line;
        let value = match text.as_bytes().first()? {
            b'"' => self.double_quoted(&text[1..])?,
            b'\'' => self.single_quoted(&text[1..])?,
            b'|' => self.literal(&text[1..], parent)?,
            b'{' | b'[' => {
                let bare = text.split_once(" #").map_or(text, |(bare, _)| bare).trim_end();
                let value = match bare {
                    "{}" => Value::Map(Vec::new()),
                    "[]" => Value::List(Vec::new()),
                    _ => return None,
                };
                self.advance()?;
                // A flow value cannot go on.
                (self.done || self.indent <= parent).then_some(value)?
            }
            _ => self.plain(text, parent)?,
        };
        Some(Node::new(line, value))
    }

    fn plain(&mut self, text: &'a str, parent: usize) -> Option<Value> {
        let fits =
            |text: &str| !(text.contains(": ") || text.ends_with(':') || text.contains('\t') || text.contains(" #"));
        let first = text.as_bytes()[0];
        if b"?:-".contains(&first) && matches!(text.as_bytes().get(1), None | Some(b' '))
            || b",[]{}#&*!|>'\"%@`".contains(&first)
        {
            return None;
        }
        if let Some((bare, _)) = text.split_once(" #") {
            let bare = bare.trim_end();
            fits(bare).then_some(())?;
            self.advance()?;
            return (self.done || self.indent <= parent).then(|| plain(bare));
        }
        fits(text).then_some(())?;
        let before = self.next_line;
        self.advance()?;
        if self.done || self.indent <= parent {
            return Some(plain(text));
        }
        // Folded over several lines: a line end is a space, blank lines are line ends.
        let mut folded = text.to_owned();
        let mut expected = before;
        while !self.done && self.indent > parent {
            let blank = self.line - expected;
            // Something between was not a blank line: a comment ends a plain scalar.
            if blank > 0 && !self.only_blank(expected) {
                return None;
            }
            if !fits(self.rest) || self.rest.starts_with('#') || self.at_dash() {
                return None;
            }
            if blank == 0 {
                folded.push(' ');
            } else {
                (0..blank).for_each(|_| folded.push('\n'));
            }
            folded.push_str(self.rest);
            expected = self.next_line;
            self.advance()?;
        }
        Some(plain(&folded))
    }

    /// Were the lines between `from` and the current one blank? Walks back over the text.
    fn only_blank(&self, from: u32) -> bool {
        let before = &self.text[..self.next];
        let mut lines = before.strip_suffix('\n').unwrap_or(before).rsplit('\n');
        lines.next();
        (from..self.line).all(|_| lines.next().is_some_and(|line| line.trim_matches(' ').is_empty()))
    }

    /// After the closing quote only a comment may stand.
    fn end_of_quoted(&mut self, after: &str) -> Option<()> {
        let body = after.trim_start_matches(' ');
        let fits = body.is_empty() || body.starts_with('#') && body.len() < after.len();
        fits.then_some(())?;
        self.advance()
    }

    fn single_quoted(&mut self, text: &'a str) -> Option<Value> {
        let mut out = String::new();
        let mut part = text;
        loop {
            match part.find('\'') {
                // Over several lines: left to the general reader.
                None => return None,
                Some(at) if part[at + 1..].starts_with('\'') => {
                    out.push_str(&part[..=at]);
                    part = &part[at + 2..];
                }
                Some(at) => {
                    out.push_str(&part[..at]);
                    self.end_of_quoted(&part[at + 1..])?;
                    return Some(string_value(out.into()));
                }
            }
        }
    }

    /// A double-quoted scalar on one line, with the escapes that Go's writers use.
    fn double_quoted(&mut self, text: &'a str) -> Option<Value> {
        let bytes = text.as_bytes();
        let at = memchr::memchr2(b'"', b'\\', bytes)?;
        let mut out = text[..at].to_owned();
        let mut part = &text[at..];
        loop {
            let escape = part.strip_prefix('\\');
            let Some(escape) = escape else { break };
            let c = escape.chars().next()?;
            let mut used = c.len_utf8();
            match c {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'r' => out.push('\r'),
                '"' | '\\' | '/' => out.push(c),
                '0' => out.push('\0'),
                'a' => out.push('\u{7}'),
                'b' => out.push('\u{8}'),
                'e' => out.push('\u{1b}'),
                'f' => out.push('\u{c}'),
                'v' => out.push('\u{b}'),
                ' ' => out.push(' '),
                'x' | 'u' => {
                    let digits = if c == 'x' { 2 } else { 4 };
                    let hex = escape.get(1..=digits)?;
                    hex.bytes().all(|b| b.is_ascii_hexdigit()).then_some(())?;
                    out.push(char::from_u32(u32::from_str_radix(hex, 16).ok()?)?);
                    used = 1 + digits;
                }
                _ => return None,
            }
            part = &escape[used..];
            let at = memchr::memchr2(b'"', b'\\', part.as_bytes())?;
            out.push_str(&part[..at]);
            part = &part[at..];
        }
        self.end_of_quoted(part.strip_prefix('"')?)?;
        Some(string_value(out.into()))
    }

    /// A literal block, `|`, `|-` or `|+`. Folded blocks and stated indents go to the general reader.
    fn literal(&mut self, header: &str, parent: usize) -> Option<Value> {
        let (strip, keep) = match header.trim_end() {
            "" => (false, false),
            "-" => (true, false),
            "+" => (false, true),
            _ => return None,
        };
        let mut out = String::new();
        let mut indent = None;
        loop {
            let (next, next_line) = (self.next, self.next_line);
            let Some(raw) = self.raw() else { break };
            let body = raw.trim_start_matches(' ');
            let spaces = raw.len() - body.len();
            match indent {
                None if body.is_empty() => {
                    // Blank lines before the first one may decide the indent in odd ways.
                    (spaces == 0).then_some(())?;
                    out.push('\n');
                    continue;
                }
                None if spaces > parent => indent = Some(spaces),
                _ => {}
            }
            match indent {
                Some(indent) if spaces >= indent => {
                    out.push_str(&raw[indent..]);
                    out.push('\n');
                }
                Some(_) if body.is_empty() => out.push('\n'),
                _ => {
                    // A comment further left may stand behind a block; a line between the two columns may not.
                    (spaces <= parent && !body.starts_with('\t')).then_some(())?;
                    self.next = next;
                    self.next_line = next_line;
                    break;
                }
            }
        }
        // An end of the text without a line end, or a block without lines, is an edge the library knows.
        (indent.is_some() && (self.next < self.text.len() || self.text.ends_with('\n'))).then_some(())?;
        if !keep {
            out.truncate(out.trim_end_matches('\n').len());
            if !strip && !out.is_empty() {
                out.push('\n');
            }
        }
        self.advance()?;
        Some(string_value(out.into()))
    }
}

/// Splits a line at the colon of its key; `None` if it does not start with a key.
fn key(line: &str) -> Option<(Box<str>, &str)> {
    let first = line.as_bytes().first()?;
    if matches!(first, b'"' | b'\'') {
        let quote = char::from(*first);
        let end = line[1..].find([quote, '\\'])? + 1;
        if line.as_bytes()[end] == b'\\' {
            return None;
        }
        let after = line[end + 1..].strip_prefix(':')?;
        return (after.is_empty() || after.starts_with(' ')).then(|| (line[1..end].into(), after));
    }
    if b",[]{}#&*!|>%@`?-:".contains(first) && !(b"-?:".contains(first) && line.len() > 1 && line.as_bytes()[1] != b' ')
    {
        return None;
    }
    let bytes = line.as_bytes();
    let end = memchr::memchr_iter(b':', bytes).find(|at| matches!(bytes.get(at + 1), None | Some(b' ')))?;
    let name = &line[..end];
    if name.is_empty() || name.contains(" #") || name.contains('\t') || name.ends_with(' ') {
        return None;
    }
    Some((name.into(), &line[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::super::yaml::{chunks, read_chunk, read_events};
    use super::*;
    use proptest::prelude::*;

    fn agree(text: &str, line: u32) -> bool {
        let Some(own) = read(text, line, 100) else { return false };
        let theirs = read_events(text, line, 100);
        assert_eq!(theirs.len(), 1, "documents of {text:?}");
        assert_eq!(theirs[0].damage, None, "{text:?}");
        assert_eq!(Some(&own), theirs[0].node.as_ref(), "{text:?}");
        true
    }

    #[test]
    fn the_subset_is_read_here_and_as_the_library_reads_it() {
        for text in [
            "a: 1\nb:\n- x\n- y: 2\n  z: true\nc:\n  d: null\n",
            "---\n# note\na: b # note\nm: {}\nl: []\ne: \"\"\nq: 'it''s'\n",
            "a: |\n  one\n    two\n\n  three\nb: |-\n  x\nc: |+\n  y\n\nd: 1\n",
            "a: this is\n  folded over\n\n  lines\nb: 2\n",
            "a: \"x\\n\\\"y\\u00e9\"\n\"k/1\": v\nf:a: v\n",
            "- - 1\n  - 2\n-\n  a: 1\n- -3\n",
            "a:\n  - b: 1\n    c: |\n      text\n  -\n    d\u{3a} 2\nurl: https://x:1/y\n",
            "a:\nb: 2\n",
            "t: 2026-05-01T10:00:00Z\nn: 18446744073709551615\nf: 1e+06\ns: 0123\n",
        ] {
            assert!(agree(text, 5), "not in the subset: {text:?}");
        }
    }

    #[test]
    fn everything_else_goes_to_the_library() {
        for text in [
            "a: {b: 1}\n",
            "a: &x 1\nb: *x\n",
            "a: !!str 1\n",
            "a: >\n  x\n",
            "a:\n\t- b\n",
            "a: 'x\n  y'\n",
            "a: b: c\n",
            "a: 1\n b: 2\n",
            "a\n",
            "a: \"x\n",
            "- a\nb: 1\n",
            "? a\n: b\n",
        ] {
            assert_eq!(read(text, 1, 100), None, "{text:?}");
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the corpus is not part of the repository; a variable names it")]
    fn both_readers_agree_on_the_corpus() {
        let Ok(root) = std::env::var("CASEFILE_CORPUS") else {
            eprintln!("CASEFILE_CORPUS is not set: the YAML readers were NOT compared on real files");
            return;
        };
        let (mut own, mut all, mut folders) = (0, 0, vec![std::path::PathBuf::from(root)]);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "yaml" || e == "yml")
                    && let Ok(text) = std::fs::read_to_string(&path)
                {
                    for chunk in chunks(&text) {
                        all += 1;
                        own += u32::from(agree(chunk.text, chunk.line));
                    }
                }
            }
        }
        assert!(all > 50 && own * 2 > all, "only {own} of {all} documents were in the subset");
    }

    fn tree() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            "[ -~\\n]{0,12}".prop_map(Into::into),
            "[a-z: #'\"-]{0,12}".prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
                prop::collection::vec(("[a-z/.]{1,8}", inner), 0..5)
                    .prop_map(|entries| serde_json::Value::Object(entries.into_iter().collect())),
            ]
        })
    }

    /// Writes a tree in the way of Go's writers.
    fn write(value: &serde_json::Value, indent: usize, out: &mut String) {
        use serde_json::Value as V;
        let pad = " ".repeat(indent);
        match value {
            V::Object(map) if !map.is_empty() => {
                for (key, value) in map {
                    out.push_str(&format!("\n{pad}{key}:"));
                    let deeper = indent + if value.is_array() { 0 } else { 2 };
                    write(value, deeper, out);
                }
            }
            V::Array(items) if !items.is_empty() => {
                for item in items {
                    out.push_str(&format!("\n{pad}-"));
                    write(item, indent + 2, out);
                }
            }
            V::String(text) if text.ends_with("e\n") && !text.starts_with([' ', '\n']) => {
                out.push_str(" |");
                for line in text.trim_end_matches('\n').split('\n') {
                    out.push_str(&format!("\n{pad}  {line}"));
                }
            }
            other => out.push_str(&format!(" {other}")),
        }
    }

    proptest! {
        #[test]
        fn both_readers_agree_on_written_trees(value in tree()) {
            prop_assume!(value.as_object().is_some_and(|map| !map.is_empty()));
            let mut text = String::new();
            write(&value, 0, &mut text);
            text.push('\n');
            let text = text.trim_start_matches('\n');
            prop_assert!(agree(text, 1), "not in the subset: {:?}", text);
        }

        #[test]
        fn whatever_is_read_here_is_read_alike_by_the_library(text in "([a-c-]{0,2}[ ]{0,3}[:#|'\"a]{0,2}[ \\n]{0,3}){0,12}") {
            if let Some(own) = read(&text, 1, 100) {
                let theirs = read_events(&text, 1, 100);
                prop_assert_eq!(Some(&own), theirs.first().and_then(|d| d.node.as_ref()), "{:?}", &text);
            }
        }

        #[test]
        fn no_text_is_a_crash(text in "\\PC{0,80}|[ \\n:\\-#|>'\"{}a]{0,60}") {
            for chunk in chunks(&text) {
                read_chunk(&chunk, 20);
            }
        }
    }
}
