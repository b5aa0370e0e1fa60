//! Products, recognised in a context by their marks (`patterns/products.yaml`).
//!
//! Invariant: a product is named only if one of its marks was seen; no mark says that it is absent.

use facts::kind::KindName;
use facts::node::Node;
use serde::Deserialize;
use std::collections::BTreeSet;

/// A product and its marks.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Product {
    /// Its name, as signatures write it in `applies_to`.
    pub name: String,
    /// API groups; one that begins with a dot is the end of a group.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Kinds as `plural.group`.
    #[serde(default)]
    pub kinds: Vec<String>,
    /// Label or annotation keys; one that ends with a slash is a prefix.
    #[serde(default)]
    pub labels: Vec<String>,
    #[serde(default)]
    pub namespaces: Vec<String>,
    /// Parts of container images.
    #[serde(default)]
    pub images: Vec<String>,
    /// Classes of logs (`patterns/sources.yaml`) that nobody else writes.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Units of systemd of which nothing else is one.
    #[serde(default)]
    pub units: Vec<String>,
}

/// What was seen of a context that can be a mark.
#[derive(Debug, Default)]
pub struct Marks {
    /// Kinds of objects.
    pub kinds: BTreeSet<KindName>,
    /// Label and annotation keys.
    pub keys: BTreeSet<String>,
    pub namespaces: BTreeSet<String>,
    /// Container images.
    pub images: BTreeSet<String>,
    /// Classes of logs.
    pub sources: BTreeSet<String>,
    /// Units of systemd that are to run and do not, or whose program wrote a log.
    pub units: BTreeSet<String>,
}

/// Most different texts that are kept of each sort of mark.
const MAX_MARKS: usize = 50_000;

impl Marks {
    /// Takes in what was seen elsewhere of the same context.
    pub fn absorb(&mut self, other: Self) {
        self.kinds.extend(other.kinds);
        let texts = [
            (&mut self.keys, other.keys),
            (&mut self.namespaces, other.namespaces),
            (&mut self.images, other.images),
            (&mut self.sources, other.sources),
            (&mut self.units, other.units),
        ];
        for (own, others) in texts {
            others.iter().for_each(|text| insert(own, text));
        }
    }

    /// Takes in one object.
    pub fn add(&mut self, kind: &KindName, namespace: Option<&str>, name: &str, node: &Node) {
        self.kinds.insert(kind.clone());
        if let Some(namespace) = namespace {
            insert(&mut self.namespaces, namespace);
        }
        if kind.group.is_empty() && kind.plural == "namespaces" {
            insert(&mut self.namespaces, name);
        }
        let state = || node.at(&["status", "active"]).and_then(Node::as_str);
        if kind.group == "casefile.dev"
            && kind.plural == "systemdunits"
            && matches!(state(), Some("failed" | "activating"))
        {
            insert(&mut self.units, name.rsplit(' ').next().unwrap_or(name));
        }
        for field in ["labels", "annotations"] {
            for (key, _) in node.at(&["metadata", field]).map_or(&[][..], Node::entries) {
                insert(&mut self.keys, key);
            }
        }
        for spec in [node.at(&["spec"]), node.at(&["spec", "template", "spec"])].into_iter().flatten() {
            for containers in ["containers", "initContainers"] {
                for container in spec.field(containers).map_or(&[][..], Node::items) {
                    if let Some(image) = container.field("image").and_then(Node::as_str) {
                        insert(&mut self.images, image);
                    }
                }
            }
        }
    }

    /// The products whose marks are among these, sorted.
    pub fn products(&self, all: &[Product]) -> Vec<String> {
        let mut found: Vec<String> = all.iter().filter(|p| self.show(p)).map(|p| p.name.clone()).collect();
        found.sort();
        found.dedup();
        found
    }

    fn show(&self, product: &Product) -> bool {
        let group = |mark: &String| {
            self.kinds
                .iter()
                .any(|k| if mark.starts_with('.') { k.group.ends_with(mark.as_str()) } else { k.group == *mark })
        };
        let key = |mark: &String| {
            self.keys.iter().any(|k| if mark.ends_with('/') { k.starts_with(mark.as_str()) } else { k == mark })
        };
        product.groups.iter().any(group)
            || product.kinds.iter().any(|mark| self.kinds.contains(&KindName::parse(mark)))
            || product.labels.iter().any(key)
            || product.namespaces.iter().any(|mark| self.namespaces.contains(mark))
            || product.images.iter().any(|mark| self.images.iter().any(|image| image.contains(mark.as_str())))
            || product.sources.iter().any(|mark| self.sources.contains(mark))
            || product.units.iter().any(|mark| self.units.contains(mark))
    }
}

fn insert(set: &mut BTreeSet<String>, text: &str) {
    if set.len() < MAX_MARKS && !set.contains(text) {
        set.insert(text.to_owned());
    }
}
