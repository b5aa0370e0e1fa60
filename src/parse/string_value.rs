//! The value that a text in JSON or YAML stands for.

use facts::masked_text;
use facts::node::{SmolStr, Value};

/// A string value, or redacted if a collector's mask stands in its place.
pub(crate) fn string_value(text: SmolStr) -> Value {
    if masked_text::is_mask(&text) { Value::REDACTED } else { Value::Str(text) }
}
