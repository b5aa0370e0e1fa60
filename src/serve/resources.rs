//! Which kinds a cluster serves: what it holds objects of, what it was asked about, what its CustomResourceDefinitions
//! define, and what every Kubernetes serves (`patterns/groups.yaml`).
//!
//! Why also kinds of which there is nothing: a client that does not find a kind says that the server does not have it,
//! and nobody knows that. Such a kind is served, and answered with "not in the bundle".
//!
//! Invariants: a kind stands in one row; it is left out where the cluster itself said that it does not serve it, or where
//! its group belongs to a product and the cluster's own list of definitions is whole and lacks it.

use catalogue::groups;
use catalogue::kinds::{Catalogue, Kind, KindScope};
use facts::kind::KindName;
use facts::node::Node;
use facts::object::ContextId;
use facts::store::{Facts, Scope};
use facts::whole as missing;
use std::collections::{BTreeMap, BTreeSet};

/// One kind that a cluster serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resource {
    pub kind: KindName,
    /// As `kind:` spells it.
    pub word: String,
    pub singular: String,
    pub short: Vec<String>,
    pub is_namespaced: bool,
    /// The versions of its group in which it is served, the preferred one first.
    pub versions: Vec<String>,
    /// `kubectl get all` asks for these.
    pub categories: Vec<String>,
    /// How much speaks for it: 0 objects, 1 answers or a definition, 2 nothing.
    rank: u8,
}

impl Resource {
    /// `apps/v1`, `v1`.
    pub(crate) fn api_version(&self) -> String {
        let version = self.versions.first().map_or("v1", String::as_str);
        if self.kind.group.is_empty() { version.to_owned() } else { format!("{}/{version}", self.kind.group) }
    }
}

/// Kinds that are put together by Casefile, which no API server has.
const OWN_GROUP: &str = "casefile.dev";

/// The kinds of a cluster, in the order in which clients look through them: the core group first, then the other groups of
/// Kubernetes, then groups of which there are objects.
pub(crate) fn of(facts: &Facts, catalogue: &Catalogue, context: ContextId) -> Vec<Resource> {
    let mut known = Known { facts, context, rows: BTreeMap::new() };
    known.defined();
    let definitions = KindName::parse("customresourcedefinitions.apiextensions.k8s.io");
    let is_whole = !matches!(missing::whole(facts, context, &definitions, &Scope::default()), missing::Whole::No(_));
    for (_, kind) in facts.by_kind.keys().chain(facts.gone.keys()).filter(|(own, _)| *own == context) {
        known.add(kind, catalogue.kind(kind), 0);
    }
    for answer in facts.coverage.iter().filter(|known| known.context == context).map(|known| &known.answer) {
        known.add(&answer.kind, catalogue.kind(&answer.kind), 1);
    }
    for kind in catalogue.kinds() {
        // What products define stands in the list of definitions, if that is whole.
        if is_built_in(&kind.name.group) || !is_whole {
            known.add(&kind.name, Some(kind), 2);
        }
    }
    let mut rows: Vec<Resource> =
        known.rows.into_values().filter(|row| missing::not_served(facts, context, &row.kind).is_none()).collect();
    let mut ranks: BTreeMap<String, u8> = BTreeMap::new();
    for row in &rows {
        let rank = ranks.entry(row.kind.group.clone()).or_insert(row.rank);
        *rank = row.rank.min(*rank);
    }
    // As in a cluster, whose own groups come before those of definitions.
    let rank = |group: &str| (!group.is_empty(), !is_built_in(group), ranks.get(group).copied());
    rows.sort_by(|a, b| {
        (rank(&a.kind.group), &a.kind.group, &a.kind).cmp(&(rank(&b.kind.group), &b.kind.group, &b.kind))
    });
    rows
}

fn is_built_in(group: &str) -> bool {
    groups::version(group).is_some()
}

/// Is it a name that can stand in an address?
fn is_name(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.'))
}

struct Known<'f> {
    facts: &'f Facts,
    context: ContextId,
    rows: BTreeMap<KindName, Resource>,
}

impl Known<'_> {
    /// The kinds that definitions in the cluster define.
    fn defined(&mut self) {
        let definitions = KindName::parse("customresourcedefinitions.apiextensions.k8s.io");
        for id in self.facts.of_kind(self.context, &definitions) {
            let object = self.facts.object(*id);
            let whole = object.sightings.iter().find(|sighting| sighting.record.shown.is_whole());
            let Some(spec) = whole.and_then(|sighting| sighting.record.node.get("spec")) else { continue };
            let text = |keys: &[&str]| spec.at(keys).and_then(Node::as_str).map(str::to_owned);
            let (Some(group), Some(plural)) = (text(&["group"]), text(&["names", "plural"])) else { continue };
            let Some(word) = text(&["names", "kind"]) else { continue };
            let texts = |key: &str| -> Vec<String> {
                let items = spec.at(&["names", key]).map(Node::items).unwrap_or_default();
                items.iter().filter_map(Node::as_str).map(str::to_owned).collect()
            };
            let is_served = |version: &&Node| {
                version.get("served").is_none_or(|served| served.value.scalar().as_deref() != Some("false"))
            };
            let is_stored =
                |version: &Node| version.get("storage").and_then(|node| node.value.scalar()).as_deref() == Some("true");
            let mut versions: Vec<&Node> =
                spec.get("versions").map(Node::items).unwrap_or_default().iter().filter(is_served).collect();
            versions.sort_by_key(|version| !is_stored(version));
            let versions =
                versions.into_iter().filter_map(|version| version.get("name")?.as_str().map(str::to_owned)).collect();
            let kind = KindName { plural, group };
            if !is_name(&kind.plural) || !is_name(&kind.group) {
                continue;
            }
            let row = Resource {
                singular: text(&["names", "singular"]).unwrap_or_else(|| word.to_ascii_lowercase()),
                short: texts("shortNames"),
                categories: texts("categories"),
                is_namespaced: text(&["scope"]).as_deref() != Some("Cluster"),
                word,
                versions,
                kind: kind.clone(),
                rank: 1,
            };
            self.rows.insert(kind, row);
        }
    }

    fn add(&mut self, kind: &KindName, catalogued: Option<&Kind>, rank: u8) {
        if kind.group == OWN_GROUP || !is_name(&kind.plural) || !is_name(&kind.group) || kind.plural.is_empty() {
            return;
        }
        if let Some(row) = self.rows.get_mut(kind) {
            row.rank = row.rank.min(rank);
            if row.versions.is_empty() {
                row.versions = versions(self.facts, self.context, kind);
            }
            return;
        }
        let ids = self.facts.of_kind(self.context, kind);
        let object = || ids.iter().map(|id| self.facts.object(*id));
        let stated = || {
            let mut words = object().flat_map(|object| &object.sightings);
            words.find_map(|sighting| sighting.record.node.get("kind")?.as_str().map(str::to_owned))
        };
        let word = catalogued.map(|known| known.kind.clone()).or_else(stated).unwrap_or_else(|| spelt(&kind.plural));
        let row = Resource {
            singular: word.to_ascii_lowercase(),
            short: catalogued.map(|known| known.short.clone()).unwrap_or_default(),
            is_namespaced: catalogued.map_or_else(
                || object().any(|object| object.namespace.is_some()),
                |known| known.scope == KindScope::Namespaced,
            ),
            versions: versions(self.facts, self.context, kind),
            categories: groups::categories(kind),
            word,
            kind: kind.clone(),
            rank,
        };
        self.rows.insert(kind.clone(), row);
    }
}

/// The versions in which objects of a kind were seen, the most frequent first; else those of its group; else the one of
/// Kubernetes.
fn versions(facts: &Facts, context: ContextId, kind: &KindName) -> Vec<String> {
    let seen = count(facts, facts.of_kind(context, kind), &kind.group);
    if !seen.is_empty() {
        return seen;
    }
    if let Some(version) = groups::version(&kind.group) {
        return vec![version.to_owned()];
    }
    let same: BTreeSet<&KindName> = facts
        .by_kind
        .keys()
        .filter(|(own, other)| *own == context && other.group == kind.group)
        .map(|(_, other)| other)
        .collect();
    let of_group = same.into_iter().flat_map(|other| facts.of_kind(context, other)).copied().collect::<Vec<_>>();
    let seen = count(facts, &of_group, &kind.group);
    if seen.is_empty() { vec!["v1".to_owned()] } else { seen.into_iter().take(1).collect() }
}

fn count(facts: &Facts, ids: &[facts::object::ObjectId], group: &str) -> Vec<String> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for sighting in ids.iter().flat_map(|id| &facts.object(*id).sightings) {
        let Some(stated) = sighting.record.api_version.as_deref() else { continue };
        let (own, version) = stated.split_once('/').unwrap_or(("", stated));
        if own == group && is_name(version) && !version.is_empty() {
            *seen.entry(version).or_default() += 1;
        }
    }
    let mut seen: Vec<(&str, usize)> = seen.into_iter().collect();
    seen.sort_by_key(|(version, count)| (std::cmp::Reverse(*count), *version));
    seen.into_iter().map(|(version, _)| version.to_owned()).collect()
}

/// The kind of a plural that nobody knows, as well as its letters tell.
fn spelt(plural: &str) -> String {
    let one = match plural {
        _ if plural.ends_with("ies") => format!("{}y", &plural[..plural.len() - 3]),
        _ if plural.ends_with("ses") || plural.ends_with("xes") => plural[..plural.len() - 2].to_owned(),
        _ => plural.strip_suffix('s').unwrap_or(plural).to_owned(),
    };
    let mut letters = one.chars();
    letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
}
