//! Gives the objects of a test other names, so that they can stand beside those of another test.
//!
//! Why on the text: then a bundle with other names goes the same way as any bundle, with its tables, logs and file
//! names; and each name keeps its length, so that columns stay where they are.
//!
//! Invariants: one name becomes one other, wherever it stands as a word or as a part of a longer name (`c1` and
//! `c1-kubeconfig`); no new name is one that either test holds.

use facts::object::Form;
use facts::store::Facts;
use regex::Regex;
use signature::tests_file::Case;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Which names become others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    /// Those of objects and of namespaces.
    All,
    /// Those of objects: they stand in the namespaces of the others.
    Names,
    /// Those of namespaces, and of objects that are in none.
    Namespaces,
}

impl What {
    pub(super) const ALL: [Self; 3] = [Self::All, Self::Names, Self::Namespaces];
}

/// Kinds whose names say what they are: they are the same in each cluster.
const SAME_EVERYWHERE: [&str; 6] =
    ["customresourcedefinitions", "apiservices", "storageclasses", "clusterroles", "priorityclasses", "casefile.dev"];

/// Old names and new ones, the longest first.
#[derive(Debug, Default)]
pub(super) struct Renaming {
    names: Vec<(String, String)>,
    addresses: bool,
}

impl Renaming {
    /// Other names for what these facts hold. `kept` are words that mean something and stay; `texts` are all texts
    /// of both tests, in which the new names must not stand.
    pub(super) fn of(what: What, facts: &[&Facts], entities: &[String], kept: &str, texts: &str) -> Self {
        let mut wanted: BTreeSet<String> = BTreeSet::new();
        for object in facts.iter().flat_map(|facts| &facts.objects) {
            let kind = object.kind.to_string();
            let is_derived = object.sightings.iter().all(|sighting| sighting.record.form == Form::Derived);
            if is_derived || SAME_EVERYWHERE.iter().any(|same| kind.contains(same)) {
                continue;
            }
            wanted.extend(object.uid.clone());
            let is_namespace = kind == "namespaces";
            if (what != What::Namespaces || object.namespace.is_none() && !is_namespace)
                && !(is_namespace && what == What::Names)
            {
                wanted.insert(object.name.clone());
            }
            if what != What::Names {
                wanted.extend(object.namespace.clone());
                wanted.extend(is_namespace.then(|| object.name.clone()));
            }
        }
        for stream in facts.iter().flat_map(|facts| &facts.streams) {
            wanted.extend(stream.node.clone());
            if let Some((namespace, pod, _)) = &stream.pod {
                wanted.insert(if what == What::Namespaces { namespace } else { pod }.clone());
            }
        }
        if what != What::Namespaces {
            wanted.extend(entities.iter().cloned());
        }
        let namespaces: BTreeSet<&str> = match what {
            What::Names => facts
                .iter()
                .flat_map(|facts| &facts.objects)
                .flat_map(|object| {
                    let own = (object.kind.to_string() == "namespaces").then_some(object.name.as_str());
                    own.into_iter().chain(object.namespace.as_deref())
                })
                .collect(),
            _ => BTreeSet::new(),
        };
        let mut wanted: Vec<String> = wanted
            .into_iter()
            .filter(|name| name.bytes().any(|byte| byte.is_ascii_alphabetic()) && !namespaces.contains(name.as_str()))
            .filter(|name| !holds(kept, name))
            .collect();
        wanted.sort_by_key(|name| (name.len(), name.clone()));
        let mut names: Vec<(String, String)> = Vec::new();
        for name in wanted {
            if names.iter().any(|(shorter, _)| holds(&name, shorter)) {
                continue;
            }
            let taken: BTreeSet<&str> = names.iter().map(|(_, new)| new.as_str()).collect();
            if let Some(new) = other(&name, |new| !taken.contains(new) && !holds(texts, new)) {
                names.push((name, new));
            }
        }
        names.reverse();
        Self { names, addresses: what != What::Namespaces }
    }

    /// Is there a name to give?
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// A text with the new names.
    pub(super) fn text(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        let mut before = None;
        while let Some(next) = text[at..].chars().next() {
            let rest = &text[at..];
            let found = (!before.is_some_and(char::is_alphanumeric))
                .then(|| self.names.iter().find(|(old, _)| rest.starts_with(old.as_str()) && ends(&rest[old.len()..])))
                .flatten();
            match found {
                Some((old, new)) => {
                    out.push_str(new);
                    at += old.len();
                    before = old.chars().last();
                }
                None => {
                    out.push(next);
                    at += next.len_utf8();
                    before = Some(next);
                }
            }
        }
        if self.addresses { addresses(&out) } else { out }
    }

    /// A test with the new names in all its texts.
    pub(super) fn case(&self, case: &Case) -> Case {
        let pair = |(path, text): (&String, &String)| (self.text(path), self.text(text));
        let files: BTreeMap<String, String> = case.files.iter().map(pair).collect();
        let commands = case.commands.iter().map(pair).collect();
        Case { files, commands, ..case.clone() }
    }
}

/// Does a word stand in a text, by itself or as a part of a longer name?
fn holds(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(char::is_alphanumeric) && ends(&text[at + word.len()..])
    })
}

fn ends(rest: &str) -> bool {
    !rest.chars().next().is_some_and(char::is_alphanumeric)
}

/// A name of the same length that is fine: its last letter or digit that can be changed is another.
fn other(name: &str, is_fine: impl Fn(&str) -> bool) -> Option<String> {
    for (at, old) in name.char_indices().rev() {
        let pool = match old {
            'a'..='z' => "qxvzkjwyabcdefghilmnoprstu",
            '0'..='9' => "9876543210",
            _ => continue,
        };
        // A UID is a number, and letters after `f` would be none.
        let is_hex = name.len() == 36 && name.matches('-').count() == 4;
        for new in pool.chars().filter(|new| *new != old && (!is_hex || new.is_ascii_hexdigit())) {
            let candidate = format!("{}{new}{}", &name[..at], &name[at + 1..]);
            if is_fine(&candidate) {
                return Some(candidate);
            }
        }
    }
    None
}

/// An address of a private network.
static ADDRESS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b(10|172|192)(\.\d{1,3}\.\d{1,3}\.\d{1,3})\b").ok());

/// Addresses of another network: the first number is one more.
fn addresses(text: &str) -> String {
    let Some(address) = ADDRESS.as_ref() else { return text.to_owned() };
    let more = |found: &regex::Captures<'_>| {
        let first: u32 = found[1].parse().unwrap_or_default();
        format!("{}{}", first + 1, &found[2])
    };
    address.replace_all(text, more).into_owned()
}
