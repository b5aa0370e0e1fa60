//! Times as objects write them.

use jiff::Timestamp;

/// A time: RFC 3339, or as `kubectl describe` prints it.
pub fn time_of(text: &str) -> Option<Timestamp> {
    text.parse().or_else(|_| Timestamp::strptime("%a, %d %b %Y %H:%M:%S %z", text)).ok()
}
