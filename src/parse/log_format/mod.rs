//! The formats of log lines.
//!
//! # How to add one
//!
//! Write a file here with a `pub const FORMAT: LogFormat`, declare it below and add a line to
//! [`LOG_FORMATS`]. Nothing else: reading lines, telling a log from other files and counting formats go by that
//! constant. Give its tests as lines with what they mean, as those of `klog.rs` in `tests/reading/log_lines.rs`.
//!
//! What stands before a program's own line (a runtime's or a journal's time, JSON around it) is no format; see
//! [`line`](crate::line). A line of none of these formats is `plain`.
//!
//! Invariants: a head allocates nothing and looks at no more of the line than it needs, because it runs on
//! every line of a bundle; a format claims a line only by a mark that no other format has, so that their order
//! does not matter.

mod access;
mod capnslog;
mod kernel_ring;
mod klog;
mod logfmt;
pub(crate) mod plain;
mod postgres;
mod zap;
mod zap_console;

use crate::glance::Glance;
pub(crate) use klog::NAME as KLOG;

/// All formats but `plain`.
pub const LOG_FORMATS: [&LogFormat; 8] = [
    &kernel_ring::FORMAT,
    &klog::FORMAT,
    &zap::FORMAT,
    &zap_console::FORMAT,
    &capnslog::FORMAT,
    &postgres::FORMAT,
    &logfmt::FORMAT,
    &access::FORMAT,
];

/// Key-value pairs in the order of the line.
pub type Fields = Vec<(String, String)>;

/// The message of a line, and its fields.
pub type Body = (Option<String>, Fields);

/// Everything about one format.
#[derive(Debug)]
pub struct LogFormat {
    /// What [`Glance::format`] says of lines whose message and fields [`body`](Self::body) reads. A line under
    /// another name has neither.
    pub names: &'static [&'static str],
    /// The bytes that a line of it can begin with: its head is tried on no other line.
    pub begins: &'static [u8],
    /// It begins with a time that a prefix could begin with too, so it is tried before prefixes are taken off.
    pub like_prefix: bool,
    /// Reads time, level, component and message of a line without its prefixes; `None` if it is not of this format.
    pub head: fn(&[u8]) -> Option<Glance<'_>>,
    /// Reads message and fields, given the line and what its head found to be the message. Without a message the
    /// whole line is it.
    pub body: fn(line: &[u8], message: &[u8]) -> Body,
    /// Is this text surely a line of it, even if it states no time? For telling a log from documents and from
    /// texts that a command printed; a time alone makes a line one of a log.
    pub is_surely: fn(&str) -> bool,
}

/// The formats that a line can have, by its first byte: bit `n` stands for row `n`.
const CANDIDATES: [u16; 256] = {
    let mut table = [0; 256];
    let mut row = 0;
    while row < LOG_FORMATS.len() {
        let begins = LOG_FORMATS[row].begins;
        let mut at = 0;
        while at < begins.len() {
            table[begins[at] as usize] |= 1 << row;
            at += 1;
        }
        row += 1;
    }
    table
};

/// Time, level, component and message of a line, if it is of one of the formats that begin as a prefix does.
pub(crate) fn head_like_prefix(line: &[u8]) -> Option<Glance<'_>> {
    head(line, true)
}

/// The same of a line without its prefixes, if it is of one of the other formats.
pub(crate) fn head_of_own(line: &[u8]) -> Option<Glance<'_>> {
    head(line, false)
}

fn head(line: &[u8], like_prefix: bool) -> Option<Glance<'_>> {
    let mut rows = CANDIDATES[usize::from(*line.first()?)];
    while rows != 0 {
        let row = rows.trailing_zeros() as usize;
        rows &= rows - 1;
        let format = LOG_FORMATS[row];
        if format.like_prefix == like_prefix
            && let Some(seen) = (format.head)(line)
        {
            return Some(seen);
        }
    }
    None
}

/// Message and fields of a line of the format of this name, see [`LogFormat::body`].
pub(crate) fn body(name: &str, line: &[u8], message: &[u8]) -> Body {
    let format = LOG_FORMATS.into_iter().find(|format| format.names.contains(&name));
    format.map_or((None, Fields::new()), |format| (format.body)(line, message))
}

/// Is this text surely a line of one of these formats?
pub(crate) fn is_surely_line(line: &str) -> bool {
    LOG_FORMATS.iter().any(|format| (format.is_surely)(line))
}

/// Nothing tells its lines but their heads.
pub(crate) fn never(_: &str) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_whole_and_named_once() {
        let mut names: Vec<&str> = LOG_FORMATS.iter().flat_map(|format| format.names).copied().collect();
        assert!(LOG_FORMATS.iter().all(|format| !format.begins.is_empty() && !format.names.is_empty()));
        let count = names.len();
        names.extend([plain::NAME]);
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count + 1);
    }
}
