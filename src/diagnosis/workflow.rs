//! Commands of a GitHub workflow: how a program annotates a run.
//!
//! Why here: the diagnosis and what came of an analyzer spec are both written so.
//!
//! Source: <https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions>; what is escaped and how:
//! `actions/toolkit:packages/core/src/command.ts`.
//!
//! Invariant: a command is one line, whatever its texts hold: no text of a bundle can begin another one.

use crate::visible::visible;
use std::fmt;

/// How loud an annotation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Error,
    Warning,
    Notice,
}

/// One annotation.
#[derive(Debug, Clone, Copy)]
pub struct Command<'a> {
    pub level: Level,
    pub title: &'a str,
    /// A file of the repository that it belongs to.
    pub file: Option<&'a str>,
    pub line: Option<u32>,
    pub message: &'a str,
}

impl fmt::Display for Command<'_> {
    /// Writes the command with its line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match self.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Notice => "notice",
        };
        write!(f, "::{level} ")?;
        if let Some(file) = self.file {
            write!(f, "file={},", property(file))?;
        }
        if let Some(line) = self.line {
            write!(f, "line={line},")?;
        }
        writeln!(f, "title={}::{}", property(self.title), data(self.message))
    }
}

/// A message: lines are joined by an escape that GitHub shows as a line break.
fn data(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| visible(line).replace('%', "%25").replace('\r', "%0D")).collect();
    lines.join("%0A")
}

/// A property, which ends at a comma or a colon as well.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// The name of a member as a relative reference (RFC 3986, section 4.2): no name of a bundle becomes an address.
pub fn uri(member: &str) -> String {
    let mut out = String::with_capacity(member.len());
    for byte in member.trim_start_matches('/').bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_command() {
        let hostile = "a,b: 100%\n::error::owned\r\u{1b}[31m";
        let text =
            Command { level: Level::Error, title: hostile, file: Some("s.yaml"), line: Some(3), message: hostile };
        let text = text.to_string();
        assert_eq!(text.lines().count(), 1);
        assert!(
            text.starts_with("::error file=s.yaml,line=3,title=a%2Cb%3A 100%25%0A%3A%3Aerror%3A%3Aowned"),
            "{text}"
        );
        assert!(text.contains("::a,b: 100%25%0A::error::owned"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
    }
}
