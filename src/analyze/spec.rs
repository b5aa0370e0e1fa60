//! A spec: the documents of a YAML file, and the analyzers in them.
//!
//! Source: <https://troubleshoot.sh/docs/analyze/>, `replicatedhq/troubleshoot:pkg/apis/troubleshoot/v1beta2`.
//!
//! Invariants: no analyzer of a file is dropped, whatever its type; whatever is wrong with the file itself is an error
//! with file and line.

use facts::node::{Node, Value};
use facts::outside::Outside;
use parse::yaml::{chunks, read_chunk};
use std::collections::BTreeMap;

/// Maps and lists inside each other.
const NESTING: u32 = 64;
/// Kinds of documents that hold analyzers.
const KINDS: [&str; 4] = ["SupportBundle", "Preflight", "Analyzer", "HostPreflight"];
/// Versions of the API that are read. Those of `v1beta3` are templates.
const VERSIONS: [&str; 3] =
    ["troubleshoot.sh/v1beta2", "troubleshoot.replicated.com/v1beta1", "troubleshoot.sh/v1beta1"];

/// A spec that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {what}; {next}")]
pub struct SpecError {
    /// The file as it was named.
    pub file: Outside,
    pub line: u32,
    what: String,
    next: &'static str,
}

/// A file with analyzers.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// The file as it was named.
    pub file: Outside,
    pub analyzers: Vec<Analyzer>,
    pub(crate) logs: Vec<LogsOf>,
}

/// A `logs` collector of a spec: whose logs it collects, and under which name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LogsOf {
    pub name: String,
    /// Empty for all.
    pub namespace: String,
    /// Labels of the Pods.
    pub selector: Vec<String>,
    /// None for all.
    pub containers: Vec<String>,
}

/// How an outcome of a spec judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Judges {
    Pass,
    Warn,
    Fail,
}

/// One outcome of an analyzer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub judges: Judges,
    /// The condition; empty for always.
    pub when: String,
    pub message: String,
    pub uri: Option<String>,
}

/// A switch of an analyzer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Switch {
    On,
    Off,
    /// Something else than a truth: a template that nobody filled in.
    Other(String),
}

/// One analyzer of a spec.
#[derive(Debug, Clone, PartialEq)]
pub struct Analyzer {
    /// Its type, as the spec writes it: `clusterVersion`.
    pub of: String,
    /// It stands among those of hosts.
    pub is_of_host: bool,
    /// Its line in the file.
    pub line: u32,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) exclude: Switch,
    pub(crate) strict: bool,
    pub(crate) annotations: BTreeMap<String, String>,
    settings: Node,
}

impl Spec {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// If it is no YAML, is of another version or kind, or holds no analyzer.
    pub fn read(file: &str, text: &str) -> Result<Self, SpecError> {
        let file = Outside::name(file);
        let failed = |line: u32, what: String, next| SpecError { file: file.clone(), line: line.max(1), what, next };
        let (mut analyzers, mut logs) = (Vec::new(), Vec::new());
        for document in chunks(text).iter().flat_map(|chunk| read_chunk(chunk, NESTING)) {
            if let Some((line, why)) = document.damage {
                return Err(failed(line, format!("this is no YAML: {why}"), "fix the file"));
            }
            let Some(node) = document.node.filter(|node| !node.entries().is_empty()) else { continue };
            let [version, kind] = ["apiVersion", "kind"].map(|key| text_at(&node, key).to_owned());
            if version == "troubleshoot.sh/v1beta3" {
                let next =
                    "render it first (`preflight template` or `support-bundle template`), and name what comes out";
                return Err(failed(node.line, format!("`{version}` is a template"), next));
            }
            if !VERSIONS.contains(&version.as_str()) || !KINDS.contains(&kind.as_str()) {
                continue;
            }
            let Some(spec) = node.get("spec") else { continue };
            let collectors = spec.get("collectors").map(Node::items).unwrap_or_default();
            logs.extend(collectors.iter().filter_map(|one| one.get("logs")).map(logs_of));
            for (key, is_of_host) in [("analyzers", false), ("hostAnalyzers", true)] {
                for item in spec.get(key).map(Node::items).unwrap_or_default() {
                    let read = analyzer(item, is_of_host).map_err(|(line, what)| {
                        failed(line, what, "write it as <https://troubleshoot.sh/docs/analyze/> shows")
                    })?;
                    // Troubleshoot runs analyzers that are written twice once.
                    let is_same = |one: &Analyzer| one.of == read.of && same(&one.settings, &read.settings);
                    if !analyzers.iter().any(is_same) {
                        analyzers.push(read);
                    }
                }
            }
        }
        if analyzers.is_empty() {
            let what = "no analyzer is in this file".to_owned();
            let next = "name one with `kind: SupportBundle`, `Preflight` or `Analyzer` of `troubleshoot.sh/v1beta2` \
                and a list `spec.analyzers`";
            return Err(failed(1, what, next));
        }
        Ok(Self { file, analyzers, logs })
    }
}

impl Analyzer {
    /// A setting as text; empty if it is not there.
    pub(crate) fn text(&self, key: &str) -> String {
        self.settings.get(key).and_then(|node| node.value.scalar()).unwrap_or_default()
    }

    /// A setting that is a list of texts.
    pub(crate) fn texts(&self, key: &str) -> Vec<String> {
        let items = self.settings.get(key).map(Node::items).unwrap_or_default();
        items.iter().filter_map(|item| item.value.scalar()).collect()
    }

    /// A setting that is set to something true.
    pub(crate) fn is_set(&self, key: &str) -> bool {
        self.settings.get(key).is_some_and(|node| node.value == Value::Bool(true))
    }

    /// A setting with a shape of its own.
    pub(crate) fn setting(&self, key: &str) -> Option<&Node> {
        self.settings.get(key).filter(|node| node.value != Value::Null)
    }

    /// The namespaces that it looks at; none for all.
    pub(crate) fn namespaces(&self) -> Vec<String> {
        let one = Some(self.text("namespace")).filter(|name| !name.is_empty());
        one.into_iter().chain(self.texts("namespaces")).collect()
    }
}

fn text_at<'n>(node: &'n Node, key: &str) -> &'n str {
    node.get(key).and_then(Node::as_str).unwrap_or_default()
}

/// Do two trees say the same, wherever they stand?
fn same(a: &Node, b: &Node) -> bool {
    match (&a.value, &b.value) {
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && same(a, b))
        }
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (a, b) => a == b,
    }
}

fn logs_of(settings: &Node) -> LogsOf {
    let text = |key: &str| settings.get(key).and_then(|node| node.value.scalar()).unwrap_or_default();
    let texts = |key: &str| -> Vec<String> {
        let items = settings.get(key).map(Node::items).unwrap_or_default();
        items.iter().filter_map(|item| item.value.scalar()).collect()
    };
    let name = Some(text("name")).filter(|name| !name.is_empty()).unwrap_or_else(|| text("collectorName"));
    LogsOf { name, namespace: text("namespace"), selector: texts("selector"), containers: texts("containerNames") }
}

fn analyzer(item: &Node, is_of_host: bool) -> Result<Analyzer, (u32, String)> {
    let [(of, settings)] = item.entries() else {
        return Err((item.line, format!("an analyzer has one type, and this has {}", item.entries().len())));
    };
    let mut outcomes = Vec::new();
    for one in settings.get("outcomes").map(Node::items).unwrap_or_default() {
        outcomes.extend(outcomes_of(one)?);
    }
    let annotations = settings.get("annotations").map(Node::entries).unwrap_or_default();
    let annotation = |(key, value): &(facts::node::SmolStr, Node)| Some((key.to_string(), value.value.scalar()?));
    Ok(Analyzer {
        of: of.to_string(),
        is_of_host,
        line: item.line,
        outcomes,
        exclude: switch(settings.get("exclude")),
        strict: switch(settings.get("strict")) == Switch::On,
        annotations: annotations.iter().filter_map(annotation).collect(),
        settings: settings.clone(),
    })
}

/// A truth or a text that is one, as Go reads it.
/// Source: <https://pkg.go.dev/strconv#ParseBool>.
fn switch(node: Option<&Node>) -> Switch {
    let text = node.and_then(|node| node.value.scalar()).unwrap_or_default();
    match text.as_str() {
        "" => Switch::Off,
        text => match truth(text) {
            Some(true) => Switch::On,
            Some(false) => Switch::Off,
            None => Switch::Other(text.to_owned()),
        },
    }
}

/// A text that Go reads as a truth.
pub(crate) fn truth(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

/// The outcomes of one item: mostly one; where several stand together, in the order in which Troubleshoot tries them.
fn outcomes_of(node: &Node) -> Result<Vec<Outcome>, (u32, String)> {
    let judged = [("fail", Judges::Fail), ("warn", Judges::Warn), ("pass", Judges::Pass)];
    let found: Vec<Outcome> =
        judged.into_iter().filter_map(|(key, judges)| Some(outcome(judges, node.get(key)?))).collect();
    if found.is_empty() {
        return Err((node.line, "an outcome is `fail`, `warn` or `pass`".to_owned()));
    }
    Ok(found)
}

fn outcome(judges: Judges, single: &Node) -> Outcome {
    let text = |key: &str| single.get(key).and_then(|node| node.value.scalar()).unwrap_or_default();
    let uri = Some(text("uri")).filter(|uri| !uri.is_empty());
    Outcome { judges, when: text("when").trim().to_owned(), message: text("message"), uri }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "apiVersion: troubleshoot.sh/v1beta2\nkind: Preflight\nspec:\n  analyzers:\n";

    #[test]
    fn every_analyzer_of_every_document_is_read_once() {
        let one =
            "  - nodeResources:\n      exclude: \"true\"\n      outcomes:\n      - pass: {when: \"count() > 1\"}\n";
        let text = format!("{HEAD}{one}---\n{HEAD}{one}  - fromTheFuture: {{}}\n---\nkind: Secret\n");
        let spec = Spec::read("a.yaml", &text).unwrap();
        let read: Vec<_> = spec.analyzers.iter().map(|one| (one.of.as_str(), one.line, one.outcomes.len())).collect();
        assert_eq!(read, [("nodeResources", 5, 1), ("fromTheFuture", 18, 0)]);
        assert_eq!(spec.analyzers[0].exclude, Switch::On);
    }

    #[test]
    fn collectors_of_logs_are_read_wherever_they_stand() {
        let collectors = "apiVersion: troubleshoot.sh/v1beta2\nkind: SupportBundle\nspec:\n  collectors:\n  - clusterInfo: {}\n  - logs:\n      name: web\n      namespace: shop\n      selector: [app=web, tier=1]\n      containerNames: [main]\n";
        let spec = Spec::read("a.yaml", &format!("{collectors}---\n{HEAD}  - distribution: {{}}\n")).unwrap();
        let texts = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let expected = LogsOf {
            name: "web".to_owned(),
            namespace: "shop".to_owned(),
            selector: texts(&["app=web", "tier=1"]),
            containers: texts(&["main"]),
        };
        assert_eq!(spec.logs, [expected]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let error = |text: &str| Spec::read("a.yaml", text).unwrap_err().to_string();
        assert!(error("kind: Pod\n").starts_with("a.yaml:1: no analyzer is in this file; name one with"));
        let two = format!("{HEAD}  - a: {{}}\n    b: {{}}\n");
        assert!(error(&two).starts_with("a.yaml:5: an analyzer has one type, and this has 2; write it as"));
        let odd = format!("{HEAD}  - a:\n      outcomes:\n      - maybe: {{}}\n");
        assert!(error(&odd).starts_with("a.yaml:7: an outcome is `fail`, `warn` or `pass`;"), "{}", error(&odd));
        assert!(error("apiVersion: troubleshoot.sh/v1beta3\nkind: Preflight\n").contains("is a template; render it"));
    }
}
