//! The checks of an installation of the `global` cluster of Alauda Container Platform, each one object:
//! `installationchecks.casefile.dev`, named by the id of the check.
//!
//! Why derived: most checks hold several objects against each other (networks that overlap, references that
//! lead nowhere, a list that must name what another object names), which the signature language cannot.
//! A check is data, in `patterns/checks.yaml`: what it means to people (its title, what breaks, the remedy, which
//! edition of the documentation asks for it), what it needs, and what it tests; `language.rs` is what may stand
//! there. What that language cannot say (networks that overlap, two encryption configurations that mean the same)
//! is a mechanism: a function in `registry.rs`, one file for what belongs together.
//!
//! The language: `select.rs` names objects and values, `subject.rs` reads them, `words.rs` holds cases against what was
//! read, `interpreter.rs` goes through the tests.
//!
//! May know: facts, catalogue, parse.
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

mod address;
pub mod checklist;
mod encryption;
mod group;
mod imports;
mod installation;
mod installer;
mod interpreter;
mod language;
mod log_line;
mod manifests;
mod named_provider;
mod networks;
mod object;
mod outcome;
mod pair;
mod pools;
mod provider;
mod reach;
mod registry;
mod result;
mod running;
mod select;
mod sentence;
mod shared_encryption;
mod subject;
mod sync;
mod words;

use checklist::{Check, Checklist, Profile};
use facts::derived::Derived;
use facts::kind::KindName;
use facts::object::ContextId;
use facts::provenance::Bases;
use facts::store::Facts;
use group::{Group, Unmet};
use installation::Installation;
use outcome::{Found, unknown};
use pair::{Handover, Pair};
use registry::{Mechanism, mechanism};

/// Every text that mechanisms look for in logs.
const LITERALS: [&[&str]; 3] = [&[sync::MISSED, sync::SURPLUS], &[reach::DIG], &reach::DIALS];

/// The kinds that the checks read.
pub fn kinds() -> Vec<KindName> {
    Checklist::built_in().kinds.iter().map(|text| KindName::parse(text)).collect()
}

/// Every literal that the checks look for in logs.
pub fn literals() -> impl Iterator<Item = String> {
    let of_mechanisms = LITERALS.into_iter().flatten().copied();
    of_mechanisms.chain(Checklist::built_in().lines()).map(str::to_owned)
}

/// Kinds of which every cluster has many, read in the namespace of the platform alone.
pub fn placed_kinds() -> Vec<(KindName, &'static str)> {
    let kinds = Checklist::built_in().kinds_in_namespace.iter();
    kinds.map(|text| (KindName::parse(text), installation::NAMESPACE)).collect()
}

/// Adds the objects of all checks to the facts; to be called when everything else was derived. `profile` is the
/// edition of the documentation that was chosen (`--profile`), the newest without it.
pub fn add_all(facts: &mut Facts, profile: Option<&str>) {
    let bases = Bases::of(facts);
    let mut all: Vec<(ContextId, Vec<Derived>)> =
        facts.context_ids().map(|context| (context, of_context(facts, &bases, context, profile))).collect();
    all.extend(of_pairs(facts, &bases, profile));
    for (context, checks) in all {
        for check in checks {
            facts::derived::add(facts, context, check);
        }
    }
}

/// The checks of one context; none where it shows no installation of `global`.
fn of_context(facts: &Facts, bases: &Bases, context: ContextId, profile: Option<&str>) -> Vec<Derived> {
    let here = Installation::of(facts, context);
    if !here.is_installation() {
        return Vec::new();
    }
    let own = here.provider();
    let kinds = own.map_or(String::new(), |own| format!(",{},{},{}", own.clusters, own.templates, own.pools));
    all_objects(bases, profile, &kinds, |check, profile| of_one(check, &here, profile))
}

/// What a check finds in one installation.
fn of_one(check: &Check, here: &Installation<'_>, profile: &Profile) -> Found {
    let own = mechanism(&check.id);
    if check.pair || check.tests.is_empty() && !matches!(own, Some(Mechanism::One(_))) {
        return Vec::new();
    }
    for needed in check.needs.iter().filter_map(|name| Group::of(name)) {
        match needed.met(here) {
            Ok(()) => {}
            Err(Unmet::Absent) => return Vec::new(),
            Err(Unmet::Unknown(sentence)) => return vec![unknown(sentence)],
        }
    }
    interpreter::of_one(check, here, profile, own)
}

/// The checks that compare two contexts, and the context that they belong to: those of a primary with its
/// standby, and of a bootstrap host with the cluster that was installed from it.
fn of_pairs(facts: &Facts, bases: &Bases, profile: Option<&str>) -> Vec<(ContextId, Vec<Derived>)> {
    let context = |name: &str| facts.context_ids().find(|id| installation::short(facts, *id) == name);
    let both = |[one, other]: [&str; 2]| Some((context(one)?, context(other)?));
    let [pair, handover] = installation::TOGETHER;
    let mut all = Vec::new();
    if let Some((primary, standby)) = both(pair) {
        let pair = Pair { primary: Installation::of(facts, primary), standby: Installation::of(facts, standby) };
        let decide = |check: &Check, profile: &Profile| match check.pair {
            true => interpreter::of_pair(check, &pair, profile, mechanism(&check.id)),
            false => Vec::new(),
        };
        all.push((standby, all_objects(bases, profile, "", decide)));
    }
    if let Some((bootstrap, global)) = both(handover) {
        let both = Handover { bootstrap: Installation::of(facts, bootstrap), global: Installation::of(facts, global) };
        let decide = |check: &Check, profile: &Profile| match mechanism(&check.id) {
            Some(Mechanism::Handover(decide)) => decide(&both, profile),
            _ => Vec::new(),
        };
        all.push((global, all_objects(bases, profile, "", decide)));
    }
    all
}

/// The objects of all checks.
fn all_objects(
    bases: &Bases,
    chosen: Option<&str>,
    kinds: &str,
    decide: impl Fn(&Check, &Profile) -> Found,
) -> Vec<Derived> {
    let checklist = Checklist::built_in();
    let checks = checklist.checks.iter();
    checks
        .flat_map(|check| result::objects(check, checklist, bases, chosen, kinds, |edition| decide(check, edition)))
        .collect()
}
