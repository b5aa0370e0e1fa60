//! JSON in which every character is seen: what deceives the eye or is obeyed by a terminal is written as `\uXXXX`.
//!
//! Why: `jq` and `cat` print the strings of a file as they stand, and names and log lines come from strangers. The
//! value is the same; a program that reads it sees no difference.
//!
//! Invariant: what is written holds no control character but line feeds between values, and none that
//! [`visible::deceives`]; the same value gives the same bytes.

use crate::visible;
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use std::io::{self, Write};

/// The value as indented JSON, with a final line feed.
///
/// # Errors
/// If the value cannot be JSON (a map whose keys are no strings).
pub fn pretty<T: Serialize + ?Sized>(value: &T) -> Result<String, serde_json::Error> {
    let mut text = written(value, Plain { layout: PrettyFormatter::new(), in_html: false })?;
    text.push('\n');
    Ok(text)
}

/// The value as JSON without white space that can stand inside a `<script>` element: `<`, `>` and `&` are written
/// as `\uXXXX` too, so that no text can end the element.
///
/// # Errors
/// If the value cannot be JSON (a map whose keys are no strings).
pub fn in_html<T: Serialize + ?Sized>(value: &T) -> Result<String, serde_json::Error> {
    written(value, Plain { layout: CompactFormatter, in_html: true })
}

fn written<T: Serialize + ?Sized, F: Formatter>(value: &T, formatter: F) -> Result<String, serde_json::Error> {
    let mut out = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut out, formatter))?;
    String::from_utf8(out).map_err(|error| serde_json::Error::io(io::Error::other(error)))
}

/// Writes strings so that all of them is seen, and lays values out as `layout` does.
struct Plain<F> {
    layout: F,
    in_html: bool,
}

impl<F> Plain<F> {
    fn escapes(&self, c: char) -> bool {
        visible::deceives(c) || (self.in_html && matches!(c, '<' | '>' | '&'))
    }
}

impl<F: Formatter> Formatter for Plain<F> {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| self.escapes(*c)) {
            let (before, from) = rest.split_at(at);
            writer.write_all(before.as_bytes())?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = from.get(c.len_utf8()..).unwrap_or_default();
        }
        writer.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.layout.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.layout.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::{in_html, pretty};
    use serde_json::{Value, json};

    #[test]
    fn it_is_the_same_value_and_nothing_in_it_acts() {
        let deceit = "a\u{202e}b\u{2066}c\u{200b}d\u{e0041}e\u{9b}f\u{7f}g\u{1b}h\u{feff}i\u{2028}j\u{3164}k\u{e0100}l";
        let value = json!({ deceit: [deceit, "ünï 漢字 😀\n\t\"\\", { "a": 1, "b": [] , "c": {} }] });
        for text in [pretty(&value).unwrap(), in_html(&value).unwrap()] {
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
            assert!(
                text.contains("\\u202e") && text.contains("\\udb40\\udc41") && text.contains("ünï 漢字 😀"),
                "{text}"
            );
            assert!(!text.chars().any(|c| c != '\n' && crate::visible::deceives(c)), "{text}");
        }
        let plain = json!({ "a": [1, true, null, "x"], "b": {} });
        assert_eq!(pretty(&plain).unwrap(), serde_json::to_string_pretty(&plain).unwrap() + "\n");
        assert_eq!(in_html(&plain).unwrap(), plain.to_string());
        assert_eq!(in_html("</script>&").unwrap(), "\"\\u003c/script\\u003e\\u0026\"");
    }
}
