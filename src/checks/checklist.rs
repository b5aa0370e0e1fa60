//! The checks as data: `patterns/checks.yaml`.
//!
//! Invariants: profiles are in the order of their dates; ids and numbers are never reused.

use catalogue::built_in;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// An edition of the documentation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its id, as `--profile` takes it.
    pub id: String,
    /// Year and month of the documentation.
    pub date: String,
    /// What it is.
    pub title: String,
}

impl Profile {
    /// Is it the edition of May 2026, before bare metal and before the credentials of DCS were imported?
    pub fn is_first(&self) -> bool {
        self.id == "acp-iid-2026-05"
    }
}

/// When a fault shows itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// It stops the installation.
    Now,
    /// The cluster installs, and fails after the bootstrap host is gone or a node is replaced.
    HandOver,
    /// All is well until a failover.
    Failover,
    /// The cluster was installed, and does not run as it should.
    Running,
    /// The cluster is about to be destroyed.
    Destruction,
    /// It may never matter.
    Advice,
}

impl When {
    /// The word in the objects.
    pub fn word(self) -> &'static str {
        match self {
            When::Now => "now",
            When::HandOver => "hand-over",
            When::Failover => "failover",
            When::Running => "running",
            When::Destruction => "destruction",
            When::Advice => "advice",
        }
    }
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Its id: a letter for the group and a number.
    pub id: String,
    /// Its number in the whole list, 1 to 120.
    pub number: u32,
    /// What is right.
    pub title: String,
    /// When a fault shows itself.
    pub when: When,
    /// Signatures, or another check, that report it or a part of it.
    #[serde(default)]
    pub carried_by: Vec<String>,
    /// What of it no bundle can show, and why.
    #[serde(default)]
    pub not_shown: Option<String>,
    /// What a wrong value breaks.
    pub breaks: String,
    /// What to do.
    pub remedy: String,
    /// What to collect to decide it, where it is not that of its group.
    #[serde(default)]
    pub collect: Option<String>,
    /// Editions that ask for it; none means all.
    #[serde(default)]
    pub profiles: Vec<String>,
}

impl Check {
    /// Does this edition ask for it?
    pub(crate) fn asked_by(&self, profile: &Profile) -> bool {
        self.profiles.is_empty() || self.profiles.contains(&profile.id)
    }
}

/// All checks with the editions they come from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct Checklist {
    /// Editions, oldest first.
    pub profiles: Vec<Profile>,
    /// What to collect for the checks of a group, by its letter; `{kinds}` stands for the kinds of the provider.
    pub collect: BTreeMap<String, String>,
    /// The checks, by number.
    pub checks: Vec<Check>,
}

impl Checklist {
    /// The checks that are built in, parsed once.
    pub fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<Checklist> = LazyLock::new(|| built_in::document("checks.yaml").unwrap_or_default());
        &BUILT_IN
    }

    /// What to collect to decide a check; `kinds` names the kinds of the provider, each behind a comma.
    pub fn collect(&self, check: &Check, kinds: &str) -> String {
        let of_group = check.id.get(..1).and_then(|group| self.collect.get(group));
        let text = check.collect.as_ref().or(of_group).map_or("", String::as_str);
        text.replace("{kinds}", kinds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_data_is_sound() {
        let text = include_str!("../../patterns/checks.yaml");
        let list: Checklist = serde_saphyr::from_str(text).expect("patterns/checks.yaml");
        assert_eq!(list, *Checklist::built_in());
        let profiles: Vec<&str> = list.profiles.iter().map(|p| p.date.as_str()).collect();
        assert!(profiles.is_sorted() && profiles.len() >= 2, "{profiles:?}");
        let numbers: Vec<u32> = list.checks.iter().map(|check| check.number).collect();
        assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
        for check in &list.checks {
            assert!(check.profiles.iter().all(|id| list.profiles.iter().any(|p| p.id == *id)), "{}", check.id);
        }
    }

    #[test]
    fn each_check_has_its_logic_and_each_logic_its_check() {
        let checks = &Checklist::built_in().checks;
        let logic: BTreeSet<&str> = crate::ids().collect();
        let data: BTreeSet<&str> = checks.iter().map(|check| check.id.as_str()).collect();
        let unknown: Vec<_> = logic.difference(&data).collect();
        assert!(unknown.is_empty(), "logic without data: {unknown:?}");
        let without = checks.iter().filter(|check| !logic.contains(check.id.as_str()) && check.carried_by.is_empty());
        let without: Vec<&str> = without.map(|check| check.id.as_str()).collect();
        assert!(without.is_empty(), "neither logic nor a signature that carries it: {without:?}");
    }
}
