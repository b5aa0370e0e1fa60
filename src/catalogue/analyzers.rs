//! The analyzers of Troubleshoot, and by what a distribution is known (`patterns/analyzers.yaml`).
//!
//! Invariant: a type that stands there without a reason why not is answered; a test of `analyze` holds it.

use crate::built_in;
use serde::Deserialize;
use std::sync::LazyLock;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "schema")]
    _schema: u32,
    analyzers: Vec<Row>,
    logs: Vec<LogPath>,
    distributions: Vec<Distribution>,
}

/// Where a collector puts the log of a container.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogPath {
    /// Below the root of a Troubleshoot bundle; with `{namespace}`, `{pod}`, `{container}`, `{collector}` and `{previous}`.
    pub path: String,
    /// Only where the Pod has one container.
    #[serde(default)]
    pub alone: bool,
}

impl LogPath {
    /// Is it the place of a collector with a name, and not of the one that every bundle has?
    pub fn is_of_collector(&self) -> bool {
        self.path.contains("{collector}")
    }

    /// The path of one log.
    pub fn filled(
        &self,
        collector: &str,
        (namespace, pod, container): (&str, &str, &str),
        is_previous: bool,
    ) -> String {
        let previous = if is_previous { "-previous" } else { "" };
        let filled = [
            ("{collector}", collector),
            ("{namespace}", namespace),
            ("{pod}", pod),
            ("{container}", container),
            ("{previous}", previous),
        ];
        filled.iter().fold(self.path.clone(), |path, (variable, value)| path.replace(variable, value))
    }
}

/// A type of analyzers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// As specs write it.
    #[serde(rename = "type")]
    pub of: String,
    /// What it is called where a spec names it nothing; with settings in braces.
    pub title: String,
    /// The files that it reads; with settings in braces.
    #[serde(default)]
    pub files: Vec<String>,
    /// What Casefile does.
    pub does: String,
    /// Why it is not answered.
    pub no: Option<String>,
}

/// A distribution of Kubernetes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distribution {
    pub name: String,
    /// Other names that specs have for it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// A group of the API that it alone serves.
    pub group: Option<String>,
    /// One of them is enough.
    pub marks: Vec<Mark>,
    /// Labels of Nodes that rule it out.
    #[serde(default)]
    pub unless: Vec<String>,
}

/// What a Node of a distribution shows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// A label, with the value `is` or with any.
    pub label: Option<String>,
    pub is: Option<String>,
    /// An annotation.
    pub annotation: Option<String>,
    /// The beginning of its `spec.providerID`.
    pub provider: Option<String>,
    /// Its `status.nodeInfo.osImage`.
    pub image: Option<String>,
}

static FILE: LazyLock<File> = LazyLock::new(|| built_in::document("analyzers.yaml").unwrap_or_default());

/// All types, in the order of the file.
pub fn all() -> impl Iterator<Item = &'static Row> {
    FILE.analyzers.iter()
}

/// All distributions.
pub fn distributions() -> impl Iterator<Item = &'static Distribution> {
    FILE.distributions.iter()
}

/// The places of logs.
pub fn log_paths() -> impl Iterator<Item = &'static LogPath> {
    FILE.logs.iter()
}

impl Distribution {
    /// Is this a name of it? Case and hyphens do not count.
    pub fn is_called(&self, name: &str) -> bool {
        let plain = |name: &str| name.to_ascii_lowercase().replace(['-', ' '], "");
        std::iter::once(&self.name).chain(&self.aliases).any(|own| plain(own) == plain(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_read() {
        let text = include_str!("../../patterns/analyzers.yaml");
        let file: File = serde_saphyr::from_str(text).expect("the file has its shape");
        assert_eq!((all().count(), distributions().count()), (file.analyzers.len(), file.distributions.len()));
        assert!(
            all().all(|row| row.no.is_some() == row.does.is_empty()),
            "each row says what is done, or why nothing is"
        );
        assert!(distributions().any(|one| one.is_called("Docker-Desktop")));
        let paths: Vec<String> = log_paths().map(|path| path.filled("all", ("shop", "web-1", "web"), true)).collect();
        assert_eq!(
            paths,
            [
                "cluster-resources/pods/logs/shop/web-1/web-previous.log",
                "all/web-1/web-previous.log",
                "all/web-1-previous.log"
            ]
        );
    }
}
