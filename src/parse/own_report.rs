//! Whether a file is a report that Casefile wrote: by what stands in it, never by its name.
//!
//! Why: a report that lies beside a bundle, or was packed into one, is no evidence: the next run would find in it what
//! the last one said. And a new report may replace an old one, and nothing else. Each output says near its beginning who
//! made it; a part of a report (a disk was full once) is one too where it holds that place.

/// What such a file is, as a reason why it was not read.
pub const WHAT: &str = "a report of Casefile, which is no evidence";

/// Bytes in which an output that names its maker at its beginning does so.
const HEAD: usize = 4 << 10;
/// How an HTML report names its maker.
const GENERATOR: &str = "<meta name=\"generator\" content=\"Casefile ";
/// How JSON begins, without its white space.
const JSON: [&str; 2] = ["{\"schema_version\":", "\"tool\":{\"name\":\"casefile\","];
/// The root of a JUnit report.
const JUNIT: &str = "<testsuites name=\"casefile ";
/// The run that SARIF names.
const SARIF: &str = "\"driver\":{\"name\":\"casefile\",";
/// How texts name their maker: a line of their own.
pub const MADE_BY: &str = "- Diagnosed by casefile ";
/// How Markdown of earlier versions names its maker, near its end.
const MARKDOWN: &str = "\n### How this was decided\n\n- Made by casefile ";

/// Is this a report of Casefile, in any of its formats and of any of its versions? The first 64 KiB are enough.
pub fn is_one(bytes: &[u8]) -> bool {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    match head.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'<') => {
            let head = String::from_utf8_lossy(head);
            (head.starts_with("<!doctype html>") && head.contains(GENERATOR))
                || (head.starts_with("<?xml") && head.contains(JUNIT))
        }
        Some(b'{') => {
            let head = String::from_utf8_lossy(head);
            let dense: String = head.chars().filter(|c| !c.is_whitespace()).collect();
            let [begin, tool] = JSON;
            (dense.starts_with(begin) && dense.contains(tool)) || dense.contains(SARIF)
        }
        Some(b'*') => {
            let text = String::from_utf8_lossy(bytes);
            text.starts_with("**") && (text.contains(&format!("\n{MADE_BY}")) || text.contains(MARKDOWN))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_one;

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
            "- Diagnosed by casefile 0.1.0, somebody wrote in a note\n",
        ] {
            assert!(!is_one(foreign.as_bytes()), "{foreign}");
        }
        assert!(!is_one(&[0x1f, 0x8b, 8, 0]) && !is_one(&[0xff; 5000]));
        assert!(is_one(b"**etcd has no leader**\n\n- Diagnosed by casefile 0.1.0\n"));
    }
}
