//! The checks of an installation of the `global` cluster of Alauda Container Platform, each one object:
//! `installationchecks.casefile.dev`, named by the id of the check.
//!
//! Why derived: most checks are arithmetic over several objects (networks that overlap, references that
//! lead nowhere, a list that must name what another object names), which the signature language has not.
//! What a check means to people (its title, what breaks, the remedy, which edition of the documentation
//! asks for it) is data, in `patterns/checks.yaml`; the logic is here, one file per group.
//!
//! | field | meaning |
//! |---|---|
//! | `spec.title`, `spec.breaks`, `spec.remedy`, `spec.when` | from the data |
//! | `spec.profile` | the edition that was applied |
//! | `status.state` | `fail` or `pass`; not known where an input is missing, or may be |
//! | `status.soFar` | `fail`, `warn`, `unknown` or `pass` by what was collected; more may turn `pass` into `fail`, so nothing is ruled out by it |
//! | `status.whyUnknown` | why `status.state` is not known, and what to collect |
//! | `status.found` | what was found, in sentences |
//! | `status.object` | the name of the (first) object that is wrong, where it is one among many |
//! | `status.editions` | what another edition says, where it says otherwise |
//!
//! What is only unusual, or is wrong in a check that merely advises, is besides an object
//! `installationadvices.casefile.dev` with the same fields: such an object exists only where there is an advice.
//!
//! A check that reads one object alone can be seen to hold. One that reads several can be seen to fail, and no
//! more: the object that would make it fail may not have been collected.
//!
//! Invariants: a check whose input is missing gives no verdict, unless a whole list proves that it does not
//! exist; a check that does not concern the provider gives no object; no secret is ever in a sentence.
//!
//! Source: alauda/immutable-infra-docs:docs/en/install/global@92a8c6e (2026-05) and @fd4d43f (2026-08).

mod bootstrap;
pub mod checklist;
mod cluster;
mod encryption;
mod endpoint;
mod handover;
mod imports;
mod machines;
mod names;
mod networks;
mod outcome;
mod pair;
mod plane;
mod pools;
mod progress;
mod provider;
mod reach;
mod references;
mod request;
mod rule;
mod running;
mod shared_encryption;
mod side;
mod sync;
mod thing;
mod trust;

use checklist::{Check, Checklist, Profile, When};
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::kind::KindName;
use facts::object::ContextId;
use facts::provenance::{Bases, Provenance};
use facts::store::Facts;
use outcome::{Outcome, State};
use rule::Rule;
use side::Side;
use std::collections::BTreeMap;

/// What a history of commands holds if somebody deleted the cluster.
const DELETIONS: [&str; 3] =
    ["delete cluster global", "delete clusters global", "delete clusters.cluster.x-k8s.io global"];

/// Every text that the checks look for in logs.
const LITERALS: [&str; 16] = [
    progress::REQUEST_PATH,
    sync::MISSED,
    sync::SURPLUS,
    sync::NOT_VALID_FOR,
    machines::OLD_CPU,
    machines::CPU_FLAGS,
    reach::DIG,
    reach::DIALS[0],
    reach::DIALS[1],
    reach::DIALS[2],
    reach::DIALS[3],
    reach::DIALS[4],
    reach::DIALS[5],
    DELETIONS[0],
    DELETIONS[1],
    DELETIONS[2],
];

/// The check of what was imported, which compares the bootstrap host with the new cluster.
const IMPORTED: &str = "H09";

/// Every check that compares two clusters of a pair.
fn pair_logic() -> impl Iterator<Item = (&'static str, pair::PairLogic)> {
    pair::LOGIC.into_iter().chain(shared_encryption::LOGIC).chain(trust::LOGIC).chain(reach::LOGIC)
}

/// Checks that read one object alone.
const OF_ONE_OBJECT: [&str; 22] = [
    "B02", "B07", "D01", "D02", "D05", "D07", "D08", "D09", "D10", "D11", "D12", "D29", "D30", "H02", "H03", "H04",
    "H05", "I01", "I07", "I08", "I09", "I10",
];

/// Every check that looks at one cluster.
fn rules() -> impl Iterator<Item = Rule> {
    let groups: [&[Rule]; 15] = [
        &names::RULES,
        &references::RULES,
        &pools::RULES,
        &cluster::RULES,
        &plane::RULES,
        &endpoint::RULES,
        &networks::RULES,
        &encryption::RULES,
        &machines::RULES,
        &bootstrap::RULES,
        &imports::RULES,
        &request::RULES,
        &progress::RULES,
        &running::RULES,
        &sync::RULES,
    ];
    groups.into_iter().flatten().copied()
}

/// The ids of all checks that have logic.
#[cfg(test)]
fn ids() -> impl Iterator<Item = &'static str> {
    let of_pairs = pair_logic().map(|(id, _)| id);
    rules().map(|rule| rule.id).chain(of_pairs).chain([IMPORTED])
}

/// The checks that compare two contexts, and the context that they belong to: those of a primary with its
/// standby, and of a bootstrap host with the cluster that was installed from it.
fn derive_pair(facts: &Facts, bases: &Bases, profile: Option<&str>) -> Vec<(ContextId, Vec<Derived>)> {
    let side = |name: &str| facts.context_ids().find(|id| side::short(facts, *id) == name);
    let both = |[one, other]: [&str; 2]| Some((side(one)?, side(other)?));
    let [pair, handover] = side::TOGETHER;
    let mut all = Vec::new();
    if let Some((primary, standby)) = both(pair) {
        let pair = pair::Pair { primary: Side::of(facts, primary), standby: Side::of(facts, standby) };
        let logic: BTreeMap<&str, pair::PairLogic> = pair_logic().collect();
        let decide = |id: &str, profile: &Profile| Some(logic.get(id)?(&pair, profile));
        all.push((standby, compared(bases, profile, decide)));
    }
    if let Some((bootstrap, global)) = both(handover) {
        let (one, other) = (Side::of(facts, bootstrap), Side::of(facts, global));
        let decide = |id: &str, profile: &Profile| (id == IMPORTED).then(|| handover::imported(&one, &other, profile));
        all.push((global, compared(bases, profile, decide)));
    }
    all
}

/// The objects of those checks that `decide` knows.
fn compared(
    bases: &Bases,
    chosen: Option<&str>,
    decide: impl Fn(&str, &Profile) -> Option<Vec<Outcome>>,
) -> Vec<Derived> {
    let checklist = Checklist::built_in();
    let checks = checklist.checks.iter();
    checks
        .flat_map(|check| {
            assemble(check, checklist, bases, chosen, "", |profile| decide(&check.id, profile).unwrap_or_default())
        })
        .collect()
}

/// The kinds that the checks read.
pub fn kinds() -> Vec<KindName> {
    side::KINDS.iter().map(|text| KindName::parse(text)).collect()
}

/// Every literal that the checks look for in logs.
pub fn literals() -> impl Iterator<Item = String> {
    LITERALS.iter().map(|text| (*text).to_owned())
}

/// Kinds of which every cluster has many, read in the namespace of the platform alone.
pub fn placed_kinds() -> Vec<(KindName, &'static str)> {
    side::PLACED.iter().map(|text| (KindName::parse(text), side::NAMESPACE)).collect()
}

/// The checks of one context; none where it shows no installation of `global`.
///
/// That is decided by a few look-ups by kind, and the list of checks is parsed only then.
fn derive(facts: &Facts, bases: &Bases, context: ContextId, profile: Option<&str>) -> Vec<Derived> {
    let side = Side::of(facts, context);
    if !side.is_installation() {
        return Vec::new();
    }
    let checklist = Checklist::built_in();
    let rules: BTreeMap<&str, Rule> = rules().map(|rule| (rule.id, rule)).collect();
    let checks = checklist.checks.iter().filter_map(|check| Some((check, rules.get(check.id.as_str())?)));
    let kinds = side.provider().map(|own| format!(",{},{},{}", own.clusters, own.templates, own.pools));
    let kinds = kinds.unwrap_or_default();
    let derived = checks.flat_map(|(check, rule)| {
        assemble(check, checklist, bases, profile, &kinds, |profile| rule.apply(&side, profile))
    });
    derived.collect()
}

/// Applies every edition, and makes the object of the chosen one (the newest if none is chosen).
fn assemble(
    check: &Check,
    checklist: &Checklist,
    bases: &Bases,
    chosen: Option<&str>,
    kinds: &str,
    decide: impl Fn(&Profile) -> Vec<Outcome>,
) -> Vec<Derived> {
    made(check, checklist, bases, chosen, kinds, decide).into_iter().flatten().collect()
}

/// The object of a check and, where it has an advice, that of the advice; nothing if it does not apply.
fn made(
    check: &Check,
    checklist: &Checklist,
    bases: &Bases,
    chosen: Option<&str>,
    kinds: &str,
    decide: impl Fn(&Profile) -> Vec<Outcome>,
) -> Option<Vec<Derived>> {
    let editions: Vec<(&Profile, State, Vec<Outcome>)> = checklist
        .profiles
        .iter()
        .filter(|profile| check.asked_by(profile))
        .filter_map(|profile| {
            let outcomes = decide(profile);
            let worst = outcomes.iter().map(|outcome| outcome.state).min()?;
            Some((profile, worst, outcomes))
        })
        .collect();
    let newest = checklist.profiles.last().map(|profile| profile.id.as_str());
    let wanted = chosen.or(newest);
    let (profile, state, outcomes) = editions.iter().find(|(profile, ..)| Some(profile.id.as_str()) == wanted)?;
    let told: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.state == *state).collect();
    let others: Vec<String> = editions
        .iter()
        .filter(|(other, differs, _)| other.id != profile.id && differs != state)
        .map(|(other, state, _)| format!("by the documentation of {} it is {}", other.date, state.said()))
        .collect();
    let not_asked = checklist.profiles.iter().filter(|other| other.id != profile.id && !check.asked_by(other));
    let others: Vec<String> = others
        .into_iter()
        .chain(not_asked.map(|other| format!("the documentation of {} does not ask for it", other.date)))
        .collect();

    let places = told.iter().flat_map(|outcome| &outcome.citations).map(|citation| bases.cited(citation.clone()));
    let from = Provenance::all_or(places, Provenance::bare(Basis::Named));
    let sentences: Vec<String> = told.iter().map(|outcome| outcome.sentence.clone()).collect();
    let sentences = sentences.join("; ");
    let derived = |plural: &str| {
        let mut made = Derived::new(plural, None, &check.id).with_all_lines();
        made.text("spec.title", &check.title, &from);
        made.text("spec.breaks", &check.breaks, &from);
        made.text("spec.remedy", &check.remedy, &from);
        made.text("spec.when", check.when.word(), &from);
        made.text("spec.profile", &profile.id, &from);
        made.text("status.found", &sentences, &from);
        let object = told.iter().find_map(|outcome| outcome.object.as_deref());
        made.text("status.object", object.unwrap_or_default(), &from);
        made.text("status.editions", &others.join("; "), &from);
        made.text("status.soFar", state.word(), &from);
        if *state == State::Fail || *state != State::Unknown && OF_ONE_OBJECT.contains(&check.id.as_str()) {
            made.text("status.state", state.word(), &from);
        } else {
            let why = match state {
                State::Unknown => format!("{sentences}; to assess it, collect: {}", checklist.collect(check, kinds)),
                _ => format!("nothing wrong in what was collected: {sentences}"),
            };
            made.text("status.whyUnknown", &why, &from);
        }
        made
    };
    let advises = *state == State::Warn || *state == State::Fail && check.when == When::Advice;
    let advice = advises.then(|| derived("installationadvices"));
    Some(std::iter::once(derived("installationchecks")).chain(advice).collect())
}

/// Adds the objects of all checks to the facts; to be called when everything else was derived. `profile` is the
/// edition of the documentation that was chosen (`--profile`), the newest without it.
pub fn add_all(facts: &mut Facts, profile: Option<&str>) {
    let bases = Bases::of(facts);
    let mut all: Vec<(ContextId, Vec<Derived>)> =
        facts.context_ids().map(|context| (context, derive(facts, &bases, context, profile))).collect();
    all.extend(derive_pair(facts, &bases, profile));
    for (context, checks) in all {
        for check in checks {
            facts::derived::add(facts, context, check);
        }
    }
}
