//! Scalars of the fast YAML reader: plain, quoted (on one line or folded over several) and literal.
//!
//! Invariants: those of [`crate::yaml_block`]: `None` for whatever is not surely inside the subset. A
//! scalar cites the line on which it starts, a block scalar that of its `|`.
//! Source of what Go writes: `kubernetes-sigs/yaml:goyaml.v2/emitterc.go@v1.4`.

use crate::string_value::string_value;
use crate::yaml::plain;
use crate::yaml_block::{Reader, split};
use facts::node::{Node, Value};

impl<'a> Reader<'a> {
    /// A scalar that starts on this line; moves behind it. `parent` is the column of its map or sequence.
    pub(super) fn scalar(&mut self, text: &'a str, parent: usize) -> Option<Node> {
        let line = self.line;
        let value = match text.as_bytes().first()? {
            b'"' => self.double_quoted(&text[1..], parent)?,
            b'\'' => self.single_quoted(&text[1..], parent)?,
            b'|' => self.literal(&text[1..], parent)?,
            b'{' | b'[' => {
                let bare = text.split_once(" #").map_or(text, |(bare, _)| bare).trim_end();
                let value = match bare {
                    "{}" => Value::Map(Vec::new()),
                    "[]" => Value::List(Vec::new()),
                    _ => return None,
                };
                self.advance()?;
                value
            }
            _ => self.plain_scalar(text, parent)?,
        };
        // What is further right than its parent would go on with a scalar that has ended.
        (self.done || self.indent <= parent).then(|| Node::new(line, value))
    }

    fn plain_scalar(&mut self, text: &'a str, parent: usize) -> Option<Value> {
        let bytes = text.as_bytes();
        let is_indicator = match bytes[0] {
            b'-' | b'?' | b':' => matches!(bytes.get(1), None | Some(b' ')),
            // No alias: what collectors put in place of a secret, and do not quote.
            b'*' => !["***HIDDEN***", "***TOKEN_"].iter().any(|mask| text.starts_with(mask)),
            first => b",[]{}#&!|>'\"%@`".contains(&first),
        };
        if is_indicator {
            return None;
        }
        let (bare, has_comment) = bare_line(text)?;
        let mark = self.mark();
        self.advance()?;
        if self.done || self.indent <= parent || has_comment {
            return Some(plain(bare));
        }
        // Folded over several lines: a line end is a space, blank lines are line ends.
        self.back(mark);
        let mut folded = bare.to_owned();
        loop {
            let before = self.mark();
            let mut blank = 0;
            let next = loop {
                match self.raw().map(split) {
                    Some((_, "")) => blank += 1,
                    other => break other,
                }
            };
            let Some((_, body)) = next.filter(|(indent, body)| *indent > parent && !body.starts_with('#')) else {
                self.back(before);
                self.advance()?;
                return Some(plain(&folded));
            };
            let (bare, has_comment) = bare_line(body.trim_end_matches(' '))?;
            fold(&mut folded, blank);
            folded.push_str(bare);
            if has_comment {
                self.advance()?;
                return Some(plain(&folded));
            }
        }
    }

    /// After the closing quote only a comment may stand.
    fn end_of_quoted(&mut self, after: &str) -> Option<()> {
        let body = after.trim_start_matches(' ');
        let fits = body.is_empty() || body.starts_with('#') && body.len() < after.len();
        fits.then_some(())?;
        self.advance()
    }

    /// Goes to the next line of a quoted scalar; what is blank at the end of `out` beyond `keep` is no text.
    fn quoted_line(&mut self, out: &mut String, keep: usize, parent: usize) -> Option<&'a str> {
        let end = out.trim_end_matches([' ', '\t']).len().max(keep);
        out.truncate(end);
        let mut blank = 0;
        loop {
            match split(self.raw()?) {
                (_, "") => blank += 1,
                (indent, body) => {
                    (indent > parent && !body.starts_with('\t')).then_some(())?;
                    fold(out, blank);
                    return Some(body);
                }
            }
        }
    }

    fn single_quoted(&mut self, text: &'a str, parent: usize) -> Option<Value> {
        let mut out = String::new();
        let mut part = text;
        loop {
            match memchr::memchr(b'\'', part.as_bytes()) {
                None => {
                    out.push_str(part);
                    part = self.quoted_line(&mut out, 0, parent)?;
                }
                Some(at) if part.as_bytes().get(at + 1) == Some(&b'\'') => {
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

    fn double_quoted(&mut self, text: &'a str, parent: usize) -> Option<Value> {
        let mut out = String::new();
        let mut part = text;
        // What an escape stands for is text, even if it is blank.
        let mut keep = 0;
        let mut first = true;
        loop {
            let Some(at) = memchr::memchr2(b'"', b'\\', part.as_bytes()) else {
                out.push_str(part);
                part = self.quoted_line(&mut out, keep, parent)?;
                first = false;
                continue;
            };
            out.push_str(&part[..at]);
            let after = &part[at + 1..];
            if part.as_bytes()[at] == b'"' {
                self.end_of_quoted(after)?;
                return Some(string_value(out.into()));
            }
            if after.is_empty() {
                // A line end that is no text. If spaces were cut behind it, the first of them was.
                (!first || !self.trimmed).then_some(())?;
                let (indent, body) = split(self.raw()?);
                (indent > parent && !body.is_empty() && !body.starts_with('\t')).then_some(())?;
                part = body;
                first = false;
            } else {
                let (c, used) = escape(after)?;
                out.push(c);
                part = &after[used..];
            }
            keep = out.len();
        }
    }

    /// A literal block: `|`, with `-` or `+` for its end and a digit for its indent. Folded blocks go to the
    /// general reader.
    fn literal(&mut self, header: &str, parent: usize) -> Option<Value> {
        let header = header.split_once(" #").map_or(header, |(header, _)| header).trim_end_matches(' ');
        let (mut strip, mut keep, mut indent) = (false, false, None);
        for sign in header.bytes() {
            match sign {
                b'-' if !strip && !keep => strip = true,
                b'+' if !strip && !keep => keep = true,
                b'1'..=b'9' if indent.is_none() => indent = Some(parent + usize::from(sign - b'0')),
                _ => return None,
            }
        }
        let mut out = String::new();
        let mut any = false;
        loop {
            let mark = self.mark();
            let Some(raw) = self.raw() else { break };
            let (spaces, body) = split(raw);
            if indent.is_none() {
                if body.is_empty() {
                    // Blank lines before the first one may decide the indent in odd ways.
                    (spaces == 0).then_some(())?;
                } else if spaces > parent {
                    indent = Some(spaces);
                }
            }
            match indent {
                Some(indent) if spaces >= indent && raw.len() > indent => {
                    out.push_str(&raw[indent..]);
                    out.push('\n');
                    any = true;
                }
                _ if body.is_empty() => out.push('\n'),
                _ => {
                    // A comment further left may stand behind a block; a line between the two columns may not.
                    (spaces <= parent && !body.starts_with('\t')).then_some(())?;
                    self.back(mark);
                    break;
                }
            }
        }
        // An end of the text without a line end, or a block without lines, is an edge the library knows.
        (any && self.line_is_whole()).then_some(())?;
        if !keep {
            out.truncate(out.trim_end_matches('\n').len());
            if !strip {
                out.push('\n');
            }
        }
        self.advance()?;
        Some(string_value(out.into()))
    }
}

/// Joins two lines of a scalar that is folded over several.
fn fold(out: &mut String, blank: usize) {
    if blank == 0 {
        out.push(' ');
    } else {
        (0..blank).for_each(|_| out.push('\n'));
    }
}

/// A line of a plain scalar without its comment, and whether it had one; `None` if it holds more than that.
fn bare_line(line: &str) -> Option<(&str, bool)> {
    let bytes = line.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'\t' => return None,
            b':' if matches!(bytes.get(at + 1), None | Some(b' ')) => return None,
            b'#' if at > 0 && bytes[at - 1] == b' ' => return Some((line[..at].trim_end_matches(' '), true)),
            _ => {}
        }
    }
    Some((line, false))
}

/// The character of an escape (the text after its backslash), and how many bytes say it.
fn escape(text: &str) -> Option<(char, usize)> {
    let first = text.chars().next()?;
    let digits = match first {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => 0,
    };
    if digits > 0 {
        let hex = text.get(1..=digits)?;
        hex.bytes().all(|b| b.is_ascii_hexdigit()).then_some(())?;
        return Some((char::from_u32(u32::from_str_radix(hex, 16).ok()?)?, 1 + digits));
    }
    let c = match first {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        '"' | '\\' | '/' | ' ' => first,
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        'e' => '\u{1b}',
        'f' => '\u{c}',
        'v' => '\u{b}',
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        _ => return None,
    };
    Some((c, 1))
}
