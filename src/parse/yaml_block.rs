//! The fast reader for the regular subset of YAML.

use crate::facts::node::Node;

/// Reads one document, or `None` if it uses anything outside the subset.
pub(super) fn read(_text: &str, _first_line: u32, _nesting: u32) -> Option<Node> {
    None
}
