//! Whether a file is a report that Casefile wrote: by what stands in it, never by its name.
//!
//! Why: a new report may replace an old one, and nothing else. Each output says in a fixed place who made it; a part
//! of a report (a disk was full once) is one too where it holds that place.

/// Bytes in which an output that names its maker at its beginning does so.
const HEAD: usize = 4 << 10;
/// How an HTML report names its maker.
const GENERATOR: &str = "<meta name=\"generator\" content=\"Casefile ";
/// How JSON begins, without its white space.
const JSON: [&str; 2] = ["{\"schema_version\":", "\"tool\":{\"name\":\"casefile\","];
/// The root of a JUnit report.
const JUNIT: &str = "<testsuites name=\"casefile ";
/// How Markdown names its maker, near its end.
const MARKDOWN: &str = "\n### How this was decided\n\n- Made by casefile ";

/// Is this a report of Casefile, in any of its formats and of any of its versions?
pub fn is_report(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(bytes.get(..HEAD).unwrap_or(bytes));
    let dense: String = head.chars().filter(|c| !c.is_whitespace()).collect();
    let [begin, tool] = JSON;
    (head.starts_with("<!doctype html>") && head.contains(GENERATOR))
        || (dense.starts_with(begin) && dense.contains(tool))
        || (head.starts_with("<?xml") && head.contains(JUNIT))
        || String::from_utf8_lossy(bytes).contains(MARKDOWN)
}

/// Is this the expectation of a sample bundle? Also one of another version, which has other fields.
pub fn is_expectation(bytes: &[u8]) -> bool {
    let value: Result<serde_json::Value, _> = serde_json::from_slice(bytes);
    value.is_ok_and(|value| value["silent"].is_boolean() && value["findings"].is_array())
}

#[cfg(test)]
mod tests {
    use super::{is_expectation, is_report};

    #[test]
    fn what_others_wrote_is_no_report() {
        for foreign in [
            "",
            "notes",
            "<!doctype html>\n<title>Casefile diagnosis</title>",
            "{\"schema_version\": 1, \"tool\": {\"name\": \"other\"}}",
            "{\"tool\": {\"name\": \"casefile\", \"version\": \"1\"}}",
            "<?xml version=\"1.0\"?><testsuites name=\"other\"/>",
            "# Notes on casefile\n\n- Made by casefile 0.1.0\n",
        ] {
            assert!(!is_report(foreign.as_bytes()), "{foreign}");
        }
        assert!(!is_report(&[0x1f, 0x8b, 8, 0]) && !is_report(&[0xff; 5000]));
        assert!(is_expectation(br#"{"silent": true, "findings": [], "more": 1}"#));
        assert!(!is_expectation(b"{}") && !is_expectation(b"[]") && !is_expectation(b"{\"silent\":"));
    }
}
