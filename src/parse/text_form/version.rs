//! Versions: `kubectl version` and `oc version` in all their forms, `/version` of an API server, and the two
//! lines of `kubectl cluster-info`, which say nothing more than that it answered.
//!
//! Invariant: only the server's version is a fact about the cluster; the client is whoever collected.
//! Sources: `kubernetes/kubectl:pkg/cmd/version/version.go@v0.20, v0.34`, `openshift/oc:pkg/cli/version`.

use crate::answer;
use crate::answer::Asked;
use crate::failure;
use crate::text_form::form::{Mark, NONE, TextForm};
use crate::text_form::records;
use crate::text_form::records::Records;
use facts::node::Node;
use facts::origin::Citation;
use facts::record::{Parsed, Record, Stamp, Stated};
use facts::unread::{Reporter, WhyUnread};
use nom::Parser;
use nom::bytes::complete::{tag, take_until};
use nom::sequence::preceded;

pub(super) const FORM: TextForm = TextForm {
    name: "version",
    mark: Mark::Program(is_first_line),
    text: Some(try_parse),
    document: Some(|asked, document, _| try_document(asked, document)),
    yaml_keys: &["clientVersion:", "serverVersion:", "info:"],
    ..NONE
};

const FORMAT: &str = "version";

/// Reads the text forms; `None` if it is something else.
fn try_parse(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let (_, first) = records::lines(text).find(|(_, line)| !answer::is_one(line))?;
    let info = is_cluster_info(first);
    if !is_first_line(first) && !info {
        return None;
    }
    let mut records = Records::new(asked, if info { "cluster-info" } else { FORMAT });
    for (number, line) in records::lines(text) {
        let citation = || Citation::line(asked.member, number, line);
        if let Some(version) = server_version(line) {
            let text = version.to_owned();
            records.push(Record::from(Stamp { what: Stated::ServerVersion, text, citation: citation() }));
        } else if answer::is_one(line) && line.contains("rror") || line.starts_with("The connection to the server") {
            records.unread(number, WhyUnread::Failed(Reporter::NoServer, failure::trouble(line)));
        }
    }
    Some(records.finish())
}

/// Does a version text begin so?
fn is_first_line(line: &str) -> bool {
    ["Client Version: ", "Server Version: ", "Kubernetes Version: "].iter().any(|mark| line.starts_with(mark))
}

/// `Kubernetes control plane is running at https://...`, coloured or not; `master` before 1.20.
fn is_cluster_info(line: &str) -> bool {
    line.contains("is running at ") && (line.contains("Kubernetes control plane") || line.contains("Kubernetes master"))
}

fn server_version(line: &str) -> Option<&str> {
    let old = preceded(
        (tag("Server Version: version.Info{"), take_until("GitVersion:\""), tag("GitVersion:\"")),
        take_until::<_, _, nom::error::Error<&str>>("\""),
    );
    if let Ok((_, version)) = { old }.parse(line) {
        return Some(version);
    }
    // `oc` prints the version of OpenShift as the server's, without a `v`, and that of Kubernetes behind it.
    let version = line.strip_prefix("Server Version: ").or_else(|| line.strip_prefix("Kubernetes Version: "))?.trim();
    (version.starts_with('v') && !version.contains(' ')).then_some(version)
}

/// Reads `-o json` and `-o yaml`, and the answer of `/version`; `None` if it is something else.
fn try_document(asked: &Asked<'_>, document: &Node) -> Option<Parsed> {
    let version = |node: &Node| node.get("gitVersion").filter(|v| v.as_str().is_some()).cloned();
    let server = match (document.get("serverVersion"), document.get("clientVersion")) {
        (Some(server), _) => version(server),
        (None, Some(client)) if version(client).is_some() => None,
        // The bare answer, and the same as a collector wraps it.
        _ => Some(version(document).or_else(|| document.get("info").and_then(version))?),
    };
    let mut records = Records::new(asked, FORMAT);
    if let Some(server) = server {
        let text = server.as_str().unwrap_or_default().to_owned();
        let citation = Citation::line(asked.member, server.line, &format!("gitVersion: {text}"));
        records.push(Record::from(Stamp { what: Stated::ServerVersion, text, citation }));
    } else {
        records.unread(document.line, WhyUnread::OnlyTheClient);
    }
    Some(records.finish())
}

#[cfg(test)]
mod tests {
    use crate::text_form::testing::{read, read_json};

    #[test]
    fn the_long_the_short_and_the_one_of_openshift() {
        let long = "Client Version: version.Info{Major:\"1\", Minor:\"20\", GitVersion:\"v1.20.4\", GitCommit:\"e87da0b\"}\nServer Version: version.Info{Major:\"1\", Minor:\"20\", GitVersion:\"v1.20.2\", GitCommit:\"faecb19\"}\n";
        insta::assert_snapshot!(read("v.txt", long), @"2: server-version v1.20.2");
        insta::assert_snapshot!(read("v.txt", "Client Version: v1.32.3\nKustomize Version: v5.5.0\nServer Version: v1.20.2\nWARNING: version difference\n"), @"3: server-version v1.20.2");
        insta::assert_snapshot!(read("v.txt", "Client Version: 4.12.0\nServer Version: 4.12.3\nKubernetes Version: v1.25.4+a34b9e9\n"), @"3: server-version v1.25.4+a34b9e9");
    }

    #[test]
    fn a_client_without_a_server() {
        let text = "Client Version: v1.32.3\nThe connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?\n";
        insta::assert_snapshot!(read("v.txt", text), @"2! the API server did not answer: `The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?`");
        insta::assert_snapshot!(read_json("v.json", r#"{"clientVersion":{"gitVersion":"v1.32.3"}}"#), @"1! only the version of the client: the API server did not answer");
    }

    #[test]
    fn documents() {
        insta::assert_snapshot!(read_json("v.json", "{\n\"clientVersion\":{\"gitVersion\":\"v1.32.3\"},\n\"serverVersion\":{\"gitVersion\":\"v1.30.1\"}}"), @"3: server-version v1.30.1");
        insta::assert_snapshot!(read_json("v.json", r#"{"major":"1","minor":"20","gitVersion":"v1.20.0"}"#), @"1: server-version v1.20.0");
        insta::assert_snapshot!(read_json("v.json", r#"{"info":{"gitVersion":"v1.23.5"},"string":"v1.23.5"}"#), @"1: server-version v1.23.5");
    }

    #[test]
    fn cluster_info_is_known_and_says_nothing() {
        insta::assert_snapshot!(read("i.txt", "\u{1b}[0;32mKubernetes control plane\u{1b}[0m is running at \u{1b}[0;33mhttps://10.0.0.1:6443\u{1b}[0m\n"), @"");
    }
}
