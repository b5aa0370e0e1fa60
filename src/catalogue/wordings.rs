//! What a message of a foreign program means, by the texts in it (`patterns/wordings.yaml`).
//!
//! Why data: the same message stands in events, in states of containers and in logs, versions word it differently, and
//! signatures and code must call it by one name.
//!
//! Invariant: a message of unknown wording has no class; it is never pressed into one.

use crate::built_in;
use facts::human_duration;
use facts::lazy_regex::LazyRegex;
use serde::Deserialize;
use std::cell::LazyCell;
use std::sync::LazyLock;

/// One reading of a message.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wording {
    /// Its name inside the group.
    pub class: String,
    /// What it means, for people.
    pub means: String,
    /// One of these texts is in the message.
    #[serde(default)]
    any: Vec<String>,
    /// All of these are.
    #[serde(default)]
    all: Vec<String>,
    /// This regex matches it.
    matches: Option<String>,
    /// For so long what it says is normal, as people write durations.
    #[serde(default)]
    normal_for: Option<String>,
    /// First version with it, for people.
    #[serde(default)]
    pub since: Option<String>,
    /// Last version with it, for people.
    #[serde(default)]
    pub until: Option<String>,
    #[serde(skip)]
    regex: Option<LazyRegex>,
}

impl Wording {
    /// For how many seconds what it says is normal.
    #[must_use]
    pub fn normal_for(&self) -> Option<i64> {
        self.normal_for.as_deref().and_then(human_duration::parse).map(|normal| normal.from)
    }

    /// Does a message say this? `lower` gives the message in small letters.
    fn fits<'l>(&self, text: &str, lower: impl Fn() -> &'l str) -> bool {
        let holds = |part: &String| lower().contains(part.as_str());
        self.any.iter().any(holds)
            || !self.all.is_empty() && self.all.iter().all(holds)
            || self.regex.as_ref().is_some_and(|regex| regex.is_match(text) == Some(true))
    }
}

/// How a group reads a message that fits several of its wordings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tells {
    /// The first one is what it says.
    First,
    /// It says all of them.
    All,
}

/// Readings of one sort of message, in order.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    pub name: String,
    /// What its messages speak of, for people.
    pub about: String,
    /// Where its texts come from, for people.
    pub source: String,
    /// How several are read.
    tells: Tells,
    wordings: Vec<Wording>,
    /// Messages with the classes that they are of; read by a test.
    #[cfg(not(test))]
    #[serde(default, rename = "examples")]
    _examples: serde::de::IgnoredAny,
    #[cfg(test)]
    #[serde(default)]
    examples: Vec<(String, Vec<String>)>,
}

impl Group {
    /// What a message says; empty if none of the wordings fits.
    pub fn read(&self, text: &str) -> Vec<&Wording> {
        let lower = LazyCell::new(|| text.to_ascii_lowercase());
        let fitting = self.wordings.iter().filter(|wording| wording.fits(text, || lower.as_str()));
        match self.tells {
            Tells::First => fitting.take(1).collect(),
            Tells::All => fitting.collect(),
        }
    }

    /// The names of its classes.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.wordings.iter().map(|wording| wording.class.as_str())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WordingsFile {
    #[expect(dead_code, reason = "the version of the format is read so that a file states it")]
    schema: u64,
    groups: Vec<Group>,
}

static GROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| {
    let mut groups = built_in::document::<WordingsFile>("wordings.yaml").map(|file| file.groups).unwrap_or_default();
    for wording in groups.iter_mut().flat_map(|group| &mut group.wordings) {
        wording.any.iter_mut().chain(&mut wording.all).for_each(|text| text.make_ascii_lowercase());
        wording.regex = wording.matches.as_deref().map(LazyRegex::proven);
    }
    groups
});

/// The names of all groups.
pub fn groups() -> impl Iterator<Item = &'static str> {
    GROUPS.iter().map(|group| group.name.as_str())
}

/// A group by its name.
pub fn group(name: &str) -> Option<&'static Group> {
    GROUPS.iter().find(|group| group.name == name)
}

/// What a message says by the wordings of a group; `None` if none of them fits.
pub fn first(name: &str, text: &str) -> Option<&'static Wording> {
    group(name)?.read(text).into_iter().next()
}

/// Is a class among what a message says by the wordings of a group?
pub fn says(name: &str, class: &str, text: &str) -> bool {
    group(name).is_some_and(|group| group.read(text).iter().any(|wording| wording.class == class))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_file_is_whole() {
        let text = include_str!("../../patterns/wordings.yaml");
        let file: WordingsFile = serde_saphyr::from_str(text).expect("the wordings");
        assert_eq!(file.groups.len(), GROUPS.len());
        let names: BTreeSet<&str> = groups().collect();
        assert_eq!(names.len(), GROUPS.len(), "a name is used twice");
        for group in GROUPS.iter() {
            let classes: BTreeSet<&str> = group.classes().collect();
            assert_eq!(classes.len(), group.wordings.len(), "{}: a class is used twice", group.name);
            for wording in &group.wordings {
                let said = !wording.any.is_empty() || !wording.all.is_empty() || wording.matches.is_some();
                assert!(said && wording.matches.is_some() == wording.regex.is_some(), "{}", wording.class);
                assert_eq!(wording.normal_for.is_some(), wording.normal_for().is_some(), "{}", wording.class);
            }
        }
    }

    #[test]
    fn every_example_is_of_its_classes() {
        for group in GROUPS.iter() {
            for (text, classes) in &group.examples {
                let found: Vec<&str> = group.read(text).iter().map(|wording| wording.class.as_str()).collect();
                assert_eq!(found, *classes, "{}: {text}", group.name);
            }
        }
    }

    #[test]
    fn a_message_is_read_in_the_order_of_its_group() {
        let class = |group: &str, text: &str| first(group, text).map_or("-", |wording| wording.class.as_str());
        assert_eq!(class("image-cannot-be-pulled", "x509: ... not found"), "untrusted");
        assert_eq!(class("image-cannot-be-pulled", "Back-off pulling image \"x\""), "-");
        assert_eq!(
            class("pod-not-created", "admission webhook \"x\" denied the request: exceeded quota"),
            "webhook-denies"
        );
        assert_eq!(class("no-such-group", "x"), "-");
        let all =
            group("no-node-fits").unwrap().read("0/2 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.");
        assert_eq!(all.iter().map(|wording| wording.class.as_str()).collect::<Vec<_>>(), ["cpu", "memory"]);
    }
}
