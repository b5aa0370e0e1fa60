//! What a line says in words for people: its message, with the error that a field of it holds.
//!
//! Why: in a structured log the message only says that something failed (`command failed`); why stands in a field.
//!
//! Invariant: the result is one line, without time, level and place in the source.

use crate::log_format::plain;
use crate::{line, pairs};
use facts::log::{LineFields, PLAIN};

/// A message of fewer words says nothing beside its error: `command failed`.
const FEW: usize = 2;
/// The fields that say why.
const CAUSES: [&str; 4] = ["error", "err", "cause", "exception"];

/// A line without its prefixes, and what was read out of it. The message of a line in no format is what stands behind its
/// time.
pub(crate) fn read(text: &str) -> (String, LineFields) {
    let (own, mut fields) = (line::own(text), line::parse(text));
    if fields.format == PLAIN {
        fields.message = pairs::lossy(plain::head(own.as_bytes()).message);
    }
    (own, fields)
}

/// What a line says.
pub fn of(fields: &LineFields) -> String {
    let message = fields.message.trim();
    let error = CAUSES.into_iter().find_map(|key| fields.field(key));
    let said = match error.map(str::trim).filter(|error| !error.is_empty() && !message.contains(error)) {
        Some(error) if message.split_whitespace().count() <= FEW => error.to_owned(),
        Some(error) => format!("{message}: {error}"),
        None => message.to_owned(),
    };
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}
