//! The checks as data: `patterns/checks.yaml`.
//!
//! Invariants: profiles are in the order of their dates; ids and numbers are never reused.

use crate::group::{Group, NAMES};
use crate::language::{Case, Guard, Test};
use crate::provider::Provider;
use crate::select::{NamedValue, Objects};
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
    pub title: String,
    /// Is it an edition since bare metal came, and the credentials of DCS are imported?
    #[serde(default)]
    pub(crate) revised: bool,
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
    pub not_shown: Option<String>,
    /// What a wrong value breaks.
    pub breaks: String,
    /// What to do.
    pub remedy: String,
    /// What to collect to decide it, where it is not that of its group.
    pub collect: Option<String>,
    /// Editions that ask for it; none means all.
    #[serde(default)]
    pub profiles: Vec<String>,
    /// What must have been collected; where it was not, the check says so and decides nothing.
    #[serde(default)]
    pub(crate) needs: Vec<String>,
    /// It compares a primary with a standby cluster.
    #[serde(default)]
    pub(crate) pair: bool,
    /// It reads one object alone, so that it can be seen to hold. A check of several objects can be seen to
    /// fail, and no more.
    #[serde(default)]
    pub(crate) of_one_object: bool,
    /// It reads what happened (a log, a condition, an answer) and not only what values state.
    #[serde(default)]
    pub(crate) observed: bool,
    /// When it applies.
    #[serde(default)]
    pub(crate) only: Guard,
    /// Values with which its tests are not held, and what is then said.
    #[serde(default)]
    pub(crate) unless: Vec<Case>,
    /// Where one test passes, nothing else is said.
    #[serde(default)]
    pub(crate) one_pass_is_enough: bool,
    /// The objects that its tests look at.
    pub(crate) of: Option<Objects>,
    /// What it tests; none where it has a mechanism of its own, see [`crate::registry`].
    #[serde(default)]
    pub(crate) tests: Vec<Test>,
    /// Of a pair: checks whose tests must hold on both sides.
    #[serde(default)]
    pub(crate) on_both_sides: Vec<String>,
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
    /// The infrastructure providers.
    pub(crate) providers: Vec<Provider>,
    /// Values by their names.
    pub(crate) values: Vec<NamedValue>,
    /// Objects by what they are for, which checks look at and need.
    pub(crate) groups: Vec<Group>,
    /// Every kind that a check reads.
    pub(crate) kinds: Vec<String>,
    /// Kinds of which every cluster has many, read in the namespace of the platform alone.
    pub(crate) kinds_in_namespace: Vec<String>,
    /// The checks, by number.
    pub checks: Vec<Check>,
}

/// What is wrong with a list of checks.
#[derive(Debug)]
pub struct Problem {
    /// The line, if it stands at one.
    pub line: Option<usize>,
    /// What is wrong, and what was expected.
    pub reason: String,
}

/// The list that is built in does not load: a run without it would look like one in which every check holds.
#[derive(Debug)]
pub struct BuiltInError(Problem);

impl std::fmt::Display for BuiltInError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let line = self.0.line.map_or(String::new(), |line| format!(":{line}"));
        let reason = &self.0.reason;
        write!(
            f,
            "the built-in checks.yaml{line} does not load: {reason}; run `casefile lint` and build Casefile again"
        )
    }
}

impl std::error::Error for BuiltInError {}

impl Checklist {
    /// The checks that are built in, parsed once.
    ///
    /// # Errors
    /// If they do not parse. Who starts a run asks here first: [`Self::built_in`] then has checks.
    pub fn load() -> Result<&'static Self, &'static BuiltInError> {
        static LOADED: LazyLock<Result<Checklist, BuiltInError>> = LazyLock::new(|| {
            let text = || built_in::files().find(|(path, _)| *path == "checks.yaml").map_or("", |(_, text)| text);
            built_in::document("checks.yaml").map_or_else(|| Checklist::parse(text()).map_err(BuiltInError), Ok)
        });
        LOADED.as_ref()
    }

    /// The same; without checks where they do not parse.
    pub(crate) fn built_in() -> &'static Self {
        static NONE: LazyLock<Checklist> = LazyLock::new(Checklist::default);
        Self::load().unwrap_or(&NONE)
    }

    /// Reads a list of checks as text.
    ///
    /// # Errors
    /// With the line of what is wrong: a key that the language does not have, a sentence with an unknown word,
    /// a path that is none, an id that nothing defines.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let list: Self = serde_saphyr::from_str(text).map_err(|error| Problem {
            line: error.location().and_then(|location| usize::try_from(location.line()).ok()),
            reason: error.without_snippet().to_string(),
        })?;
        match list.undefined() {
            Some((id, what)) => {
                let line = text.lines().position(|line| line.trim_start_matches([' ', '-']) == format!("id: {id}"));
                Err(Problem { line: line.map(|line| line + 1), reason: format!("check {id}: {what}") })
            }
            None => Ok(list),
        }
    }

    /// A check that names what nothing defines, or that nothing decides.
    fn undefined(&self) -> Option<(&str, String)> {
        let has_row = |name: &&str| self.groups.iter().any(|known| known.name == *name);
        if let Some(name) = NAMES.iter().copied().find(|name| !has_row(name)) {
            return Some((name, "the group has no row; add it to `groups`".to_owned()));
        }
        let wrong = |check: &Check| {
            let tests = || check.tests.iter();
            let guards = tests().flat_map(|test| test.cases.iter().map(|case| &case.only).chain([&test.only]));
            let providers = guards.chain([&check.only]).flat_map(|own| own.provider.iter().chain(&own.not_provider));
            let unknown = |name: Option<&String>, what: &str| {
                Some(format!("there is no {what}", what = what.replace("{}", name?)))
            };
            let edition = check.profiles.iter().find(|id| !self.profiles.iter().any(|known| known.id == **id));
            let group = check.needs.iter().find(|name| !self.groups.iter().any(|known| known.name == **name));
            let provider = { providers }.find(|name| !self.providers.iter().any(|known| known.name == **name));
            let other = check.on_both_sides.iter().find(|id| !self.checks.iter().any(|known| known.id == **id));
            let conditions = tests().flat_map(|test| {
                let cases = test.cases.iter().chain(&test.flaws).flat_map(|case| &case.conditions);
                cases.chain(&test.having)
            });
            let talks = { conditions }.any(|condition| condition.said().is_some());
            let is_code = crate::registry::mechanism(&check.id).is_some();
            let is_decided = is_code || tests().len() + check.on_both_sides.len() + check.carried_by.len() > 0;
            unknown(edition, "profile `{}`; add it to `profiles`")
                .or_else(|| unknown(group, "group `{}`; add it to `groups`"))
                .or_else(|| unknown(provider, "provider `{}`; add it to `providers`"))
                .or_else(|| unknown(other, "check `{}` to hold on both sides"))
                .or_else(|| talks.then(|| "a condition of `having` or `if` says nothing".to_owned()))
                .or_else(|| {
                    (!is_decided).then(|| "nothing decides it; give it `tests`, a mechanism or `carried_by`".to_owned())
                })
        };
        self.checks.iter().find_map(|check| Some((check.id.as_str(), wrong(check)?)))
    }

    /// The texts of logs that tests look at.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> {
        let tests = self.checks.iter().flat_map(|check| &check.tests);
        tests.flat_map(|test| &test.of).flat_map(Objects::lines)
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
        let list = Checklist::parse(include_str!("../../patterns/checks.yaml")).expect("patterns/checks.yaml");
        assert_eq!(list, *Checklist::built_in());
        let profiles: Vec<&str> = list.profiles.iter().map(|p| p.date.as_str()).collect();
        assert!(profiles.is_sorted() && profiles.len() >= 2, "{profiles:?}");
        let numbers: Vec<u32> = list.checks.iter().map(|check| check.number).collect();
        assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    }

    #[test]
    fn the_embedded_list_loads_and_an_error_says_where_and_what_next() {
        assert_eq!(Checklist::load().expect("the embedded list").checks.len(), 120);
        let problem = Checklist::parse("profiles: []\nchekcs: []\n").expect_err("an unknown key");
        let told = BuiltInError(problem).to_string();
        assert!(told.starts_with("the built-in checks.yaml:2 does not load: ") && told.contains("chekcs"), "{told}");
        assert!(told.ends_with("run `casefile lint` and build Casefile again"), "{told}");
    }

    #[test]
    fn each_check_has_its_logic_and_each_logic_its_check() {
        let checks = &Checklist::built_in().checks;
        let data: BTreeSet<&str> = checks.iter().map(|check| check.id.as_str()).collect();
        let unknown: Vec<_> = crate::registry::MECHANISMS.iter().filter(|(id, _)| !data.contains(id)).collect();
        assert!(unknown.is_empty(), "logic without data: {:?}", unknown.iter().map(|(id, _)| id).collect::<Vec<_>>());
        assert!(Checklist::built_in().undefined().is_none());
    }

    #[test]
    fn a_mistake_is_refused_with_its_line() {
        let text = include_str!("../../patterns/checks.yaml");
        for (from, to, said) in [
            ("must_be: \"true\"", "must_bee: \"true\"", "must_bee"),
            ("{ provider: [VSphere] }", "{ provider: [vSphere] }", "there is no provider `vSphere`"),
            ("of: cluster\n", "of: clusters\n", "`clusters` are no objects"),
            ("is not named `global`", "is not {named `global`", "names nothing that is known"),
            ("matches: encryption-provider }", "matches: encryption-provider, fail: x }", "says nothing"),
        ] {
            assert!(text.contains(from), "{from}");
            let problem = Checklist::parse(&text.replacen(from, to, 1)).expect_err(to);
            assert!(problem.line.is_some() && problem.reason.contains(said), "{problem:?}");
        }
    }
}
