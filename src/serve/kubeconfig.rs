//! The kubeconfig that clients are given: one context for each cluster.
//!
//! Why the token stands in the address: clients send no credentials over plain HTTP
//! (`kubernetes/client-go:rest/config.go@v0.34`, `IsConfigTransportTLS`).

use serde_json::Value;
use std::fmt::Write as _;

/// The first line, by which Casefile knows its own file again.
const MARK: &str = "# Written by `casefile serve`. It is of use only while that runs.";

/// The file: `base` is the address with the token, and each cluster has a name and a path behind it.
pub fn text<'a>(base: &str, clusters: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    // Writing to a String cannot fail. A text of JSON is one of YAML.
    let quoted = |text: &str| Value::from(text).to_string();
    let (mut servers, mut contexts, mut first) = (String::new(), String::new(), None);
    for (name, path) in clusters {
        let (name, server) = (quoted(name), quoted(&format!("{base}/{path}")));
        let _ = writeln!(servers, "- name: {name}\n  cluster:\n    server: {server}");
        let _ = writeln!(contexts, "- name: {name}\n  context:\n    cluster: {name}\n    user: casefile");
        first.get_or_insert(name);
    }
    let current = first.unwrap_or_else(|| "\"\"".to_owned());
    format!(
        "{MARK}\napiVersion: v1\nkind: Config\ncurrent-context: {current}\nclusters:\n{servers}contexts:\n{contexts}users:\n- name: casefile\n  user: {{}}\n"
    )
}

/// Did Casefile write this file, and nobody else after it? kubectl drops the first line when it changes a file.
pub fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_and_the_file_is_known_again() {
        let text = text("http://127.0.0.1:1/t", [("a: \"b\"", "a---b-"), ("c", "c")].into_iter());
        assert!(text.contains("current-context: \"a: \\\"b\\\"\"\n"), "{text}");
        assert!(text.contains("server: \"http://127.0.0.1:1/t/c\"\n"), "{text}");
        assert!(is_one(text.as_bytes()) && !is_one(b"apiVersion: v1\n"));
    }
}
