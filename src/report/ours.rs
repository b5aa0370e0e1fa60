//! Whether a file is an expectation that `casefile check --update` wrote: by what stands in it, never by its name.
//!
//! Why: a new expectation may replace an old one, and nothing else. What is a report is told by the room that reads.

/// Is this the expectation of a sample bundle? Also one of another version, which has other fields.
pub fn is_expectation(bytes: &[u8]) -> bool {
    let value: Result<serde_json::Value, _> = serde_json::from_slice(bytes);
    value.is_ok_and(|value| value["silent"].is_boolean() && value["findings"].is_array())
}

#[cfg(test)]
mod tests {
    use super::is_expectation;

    #[test]
    fn what_others_wrote_is_no_expectation() {
        assert!(is_expectation(br#"{"silent": true, "findings": [], "more": 1}"#));
        assert!(!is_expectation(b"{}") && !is_expectation(b"[]") && !is_expectation(b"{\"silent\":"));
    }
}
