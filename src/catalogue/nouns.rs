//! What people call derived objects, and what those are put together from.
//!
//! Why: nobody collects an `etcdclustermembers.casefile.dev`, so a sentence that says it "was not collected" is
//! not true and sends its reader to look for nothing. It names what can be collected instead.

use crate::built_in;
use facts::kind::KindName;
use facts::path::{Path, Step};
use serde::Deserialize;
use std::sync::LazyLock;

/// Kinds that are spelt out; the others are counted.
const SPELT_OUT: usize = 4;

/// Where the fields of an object stand: nobody says "status" of what has no spec.
const ROOTS: [&str; 2] = ["spec", "status"];

/// One kind of the group `casefile.dev`: a row of `casefile` in `patterns/kinds.yaml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OwnKind {
    plural: String,
    one: String,
    many: String,
    command: Option<String>,
    #[serde(default)]
    from: Vec<String>,
    #[serde(default)]
    also: Vec<String>,
    #[serde(default)]
    logs: Vec<String>,
    #[serde(default)]
    needs: Vec<String>,
    #[serde(default)]
    reads: Reads,
    #[serde(default)]
    fields: Vec<Field>,
}

/// What objects of a derived kind are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reads {
    /// The kinds and logs that its row names; or it is collected as it is.
    #[default]
    Named,
    /// Objects of any kind.
    Objects,
    /// Logs of any program.
    Logs,
    /// What was pasted.
    Pastes,
}

/// Fields of a derived object, and what they mean.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Their paths; `status.*` stands for all below `status`.
    pub names: Vec<String>,
    pub means: String,
}

#[derive(Deserialize)]
struct OwnKinds {
    casefile: Vec<OwnKind>,
}

static OWN: LazyLock<Vec<OwnKind>> =
    LazyLock::new(|| built_in::document::<OwnKinds>("kinds.yaml").map(|file| file.casefile).unwrap_or_default());

fn own(kind: &KindName) -> Option<&'static OwnKind> {
    if kind.group != "casefile.dev" {
        return None;
    }
    OWN.iter().find(|own| own.plural == kind.plural)
}

/// What a kind that is read off the answer of a program is called, and the command that prints it.
pub fn program(kind: &KindName) -> Option<(&'static str, &'static str)> {
    let own = own(kind)?;
    Some((own.one.as_str(), own.command.as_deref()?))
}

/// Every kind of `casefile.dev` that is put together from other kinds.
pub fn put_together() -> impl Iterator<Item = KindName> {
    let derived = OWN.iter().filter(|own| !own.from.is_empty());
    derived.map(|own| KindName { plural: own.plural.clone(), group: "casefile.dev".to_owned() })
}

/// What one and several objects of a kind of `casefile.dev` are called; `None` for other kinds.
pub fn nouns(kind: &KindName) -> Option<(&str, &str)> {
    if kind.group != "casefile.dev" {
        return None;
    }
    Some(own(kind).map_or((kind.plural.as_str(), kind.plural.as_str()), |own| (own.one.as_str(), own.many.as_str())))
}

/// What an object of a derived kind is put together from: kinds that are collected, and classes of logs. A kind
/// that is read off a bundle as it is stands for itself.
pub fn made_of(kind: &KindName) -> (Vec<KindName>, &'static [String]) {
    match own(kind) {
        Some(own) if !own.from.is_empty() || !own.logs.is_empty() => {
            (own.from.iter().map(|name| KindName::parse(name)).collect(), &own.logs)
        }
        _ => (vec![kind.clone()], &[]),
    }
}

/// Without which of the kinds and classes of logs that a derived kind is put together from nothing can be said of it:
/// those that its row names, else the first kind, else the logs. A kind that is collected as it is needs itself.
pub fn needs(kind: &KindName) -> (Vec<KindName>, &'static [String]) {
    let Some(own) = own(kind).filter(|own| !own.from.is_empty() || !own.logs.is_empty()) else {
        return (vec![kind.clone()], &[]);
    };
    let named = if own.needs.is_empty() { own.from.get(..1).unwrap_or_default() } else { own.needs.as_slice() };
    (named.iter().map(|name| KindName::parse(name)).collect(), &own.logs)
}

/// What objects of a kind are made of.
pub fn reads(kind: &KindName) -> Reads {
    own(kind).map_or(Reads::Named, |own| own.reads)
}

/// Every kind that objects of a derived kind are put together from, also those that nobody is asked for.
pub fn read_for(kind: &KindName) -> Vec<KindName> {
    let named = own(kind).into_iter().flat_map(|own| own.from.iter().chain(&own.also));
    named.map(|name| KindName::parse(name)).collect()
}

/// The fields of a derived kind, as its row names them.
pub fn fields(kind: &KindName) -> &'static [Field] {
    own(kind).map_or(&[], |own| &own.fields)
}

/// Does the row of a derived kind name the field at a path, or no field at all?
pub fn has_field(kind: &KindName, path: &str) -> bool {
    let is_it = |name: &String| path.starts_with(name.trim_end_matches('*'));
    let fields = fields(kind);
    fields.is_empty() || fields.iter().flat_map(|field| &field.names).any(is_it)
}

/// An object as a sentence names it: etcd member `cp-1`, nodes `w-1`.
pub fn object(kind: &KindName, name: &str) -> String {
    match nouns(kind) {
        Some((one, _)) => format!("{one} `{name}`"),
        None => format!("{kind} `{name}`"),
    }
}

/// A path as a reader says it: of a derived object in words, because nobody else knows its fields
/// (`status.lastWordTime` is `last word time`); of any other as it is written.
pub fn path(kind: &KindName, path: &Path) -> String {
    if kind.group != "casefile.dev" {
        return path.to_string();
    }
    let is_root = |name: &str, at: usize| name == "metadata" || at == 0 && ROOTS.contains(&name);
    let mut out = String::new();
    for (at, step) in path.0.iter().enumerate() {
        match step {
            Step::Field(name) if is_root(name, at) => {}
            Step::Field(name) | Step::Key(name) => {
                if !out.is_empty() {
                    out.push_str(", ");
                }
                out.push_str(&in_words(name));
            }
            Step::Pick { field, value } => out.push_str(&format!(" of {} {value}", in_words(field))),
            Step::All => {}
            Step::Index(index) => out.push_str(&format!(" {}", index + 1)),
        }
    }
    out
}

/// The name of a field as words: `lastWordTime` is `last word time`, `clusterIDCount` is `cluster ID count`.
fn in_words(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut before = None;
    let mut left = name.chars().peekable();
    while let Some(c) = left.next() {
        let upper = |other: Option<&char>| other.is_some_and(char::is_ascii_uppercase);
        let is_short_form = c.is_ascii_uppercase()
            && (upper(left.peek()) || upper(before.as_ref()) && !left.peek().is_some_and(char::is_ascii_lowercase));
        let begins =
            c.is_ascii_uppercase() && (!upper(before.as_ref()) || left.peek().is_some_and(char::is_ascii_lowercase));
        if begins && before.is_some() {
            out.push(' ');
        }
        out.push(if is_short_form { c } else { c.to_ascii_lowercase() });
        before = Some(c);
    }
    out
}

/// What somebody collects, as a list names it: `alarm list`, `pods`.
pub fn source(kind: &KindName) -> String {
    program(kind).map_or_else(|| kind.plural.clone(), |(name, _)| name.to_owned())
}

/// What a derived kind is put together from, in words; `None` for what is collected as it is.
pub fn put_together_from(kind: &KindName) -> Option<String> {
    let (kinds, classes) = made_of(kind);
    if kind.group != "casefile.dev" || kinds == [kind.clone()] {
        return None;
    }
    let one = |kind: &KindName| program(kind).map_or_else(|| source(kind), |(name, _)| format!("the {name}"));
    let mut parts: Vec<String> = kinds.iter().take(SPELT_OUT).map(one).collect();
    if kinds.len() > SPELT_OUT {
        parts.push(format!("{} more kinds", kinds.len() - SPELT_OUT));
    }
    if !classes.is_empty() {
        parts.push(format!("the logs of {}", classes.join(", ")));
    }
    let last = parts.pop()?;
    Some(if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) })
}

/// Why it cannot be known that there are no objects of a derived kind but those that were seen.
pub fn never_whole(kind: &KindName, context: &str) -> Option<String> {
    if let Some((name, command)) = program(kind) {
        return Some(format!("no whole {name} was collected from {context} (`{command}`)"));
    }
    let (_, many) = nouns(kind)?;
    let sources = put_together_from(kind).map(|from| format!(": they show in {from} only"));
    Some(format!("there may be {many} in {context} that the bundle does not show{}", sources.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_names_what_can_be_collected() {
        let kind = |name: &str| KindName::parse(name);
        let whole = |name: &str| never_whole(&kind(name), "cluster").unwrap_or_default();
        insta::assert_snapshot!(whole("etcdclustermembers.casefile.dev"), @"there may be etcd members in cluster that the bundle does not show: they show in the member list, the endpoint status, the endpoint health, the alarm list and the logs of etcd only");
        insta::assert_snapshot!(whole("etcdendpointstatuses.casefile.dev"), @"no whole endpoint status was collected from cluster (`etcdctl endpoint status --cluster -w json`)");
        assert_eq!(whole("nodes"), "");
        assert_eq!(object(&kind("etcdclustermembers.casefile.dev"), "cp-1"), "etcd member `cp-1`");
        assert_eq!(object(&kind("nodes"), "w-1"), "nodes `w-1`");
        assert_eq!(put_together_from(&kind("nodes")), None);
    }

    #[test]
    fn nobody_reads_the_path_of_an_object_that_casefile_made() {
        let said = |kind: &str, path: &str| super::path(&KindName::parse(kind), &Path::parse(path).expect("a path"));
        assert_eq!(said("etcdclusters.casefile.dev", "status.possiblyServing"), "possibly serving");
        assert_eq!(said("etcdclusters.casefile.dev", "status.clusterIDCount"), "cluster ID count");
        assert_eq!(said("etcdclusters.casefile.dev", "status.clusterID"), "cluster ID");
        assert_eq!(said("logs.casefile.dev", "status.lastWords[*].lastWordTime"), "last words, last word time");
        assert_eq!(
            said("objects.casefile.dev", "status.conditions[type=Ready].status"),
            "conditions of type Ready, status"
        );
        assert_eq!(said("pods", "status.phase"), "status.phase");
    }
}
