//! What a check found becomes its object, and that of its advice.

use crate::checklist::{Check, Checklist, Profile, When};
use crate::outcome::{Outcome, State};
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::provenance::{Bases, Provenance};

/// The object of a check and, where it has an advice, that of the advice; nothing if it does not apply.
///
/// `decide` is asked for every edition; the object is that of the chosen one, the newest if none is chosen.
/// `kinds` names the kinds of the provider for what to collect.
pub(super) fn objects(
    check: &Check,
    checklist: &Checklist,
    bases: &Bases,
    chosen: Option<&str>,
    kinds: &str,
    decide: impl Fn(&Profile) -> Vec<Outcome>,
) -> Vec<Derived> {
    let editions = checklist.profiles.iter().filter(|profile| check.asked_by(profile)).filter_map(|profile| {
        let outcomes = decide(profile);
        let worst = outcomes.iter().map(|outcome| outcome.state).min()?;
        Some((profile, worst, outcomes))
    });
    let editions: Vec<(&Profile, State, Vec<Outcome>)> = editions.collect();
    let newest = checklist.profiles.last().map(|profile| profile.id.as_str());
    let wanted = chosen.or(newest);
    let Some((profile, state, outcomes)) = editions.iter().find(|(own, ..)| Some(own.id.as_str()) == wanted) else {
        return Vec::new();
    };
    let told: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.state == *state).collect();
    let sentences: Vec<&str> = told.iter().map(|outcome| outcome.sentence.as_str()).collect();
    let sentences = sentences.join("; ");
    let differing = editions.iter().filter(|(_, differs, _)| differs != state);
    let differing =
        differing.map(|(own, state, _)| format!("by the documentation of {} it is {}", own.date, state.said()));
    let others = checklist.profiles.iter().filter(|own| own.id != profile.id && !check.asked_by(own));
    let others = others.map(|own| format!("the documentation of {} does not ask for it", own.date));
    let editions: Vec<String> = differing.chain(others).collect();

    let places = told.iter().flat_map(|outcome| &outcome.citations).map(|citation| bases.cited(citation.clone()));
    let from = Provenance::all_or(places, Provenance::bare(Basis::Named));
    let object = told.iter().find_map(|outcome| outcome.object.as_deref()).unwrap_or_default();
    let derived = |plural: &str| {
        let mut made = Derived::new(plural, None, &check.id).with_all_lines();
        made.text("spec.title", &check.title, &from);
        made.text("spec.breaks", &check.breaks, &from);
        made.text("spec.remedy", &check.remedy, &from);
        made.text("spec.when", check.when.word(), &from);
        made.text("spec.profile", &profile.id, &from);
        made.text("status.found", &sentences, &from);
        made.text("status.object", object, &from);
        made.text("status.editions", &editions.join("; "), &from);
        made.text("status.soFar", state.word(), &from);
        if *state == State::Fail || *state != State::Unknown && check.of_one_object {
            made.text("status.state", state.word(), &from);
            made.text("status.observed", if check.observed { "true" } else { "false" }, &from);
        } else if *state == State::Unknown {
            let collect = checklist.collect(check, kinds);
            made.text("status.whyUnknown", &format!("{sentences}; to assess it, collect: {collect}"), &from);
        } else {
            made.text("status.whyUnknown", &format!("nothing wrong in what was collected: {sentences}"), &from);
        }
        made
    };
    let advises = *state == State::Warn || *state == State::Fail && check.when == When::Advice;
    let advice = advises.then(|| derived("installationadvices"));
    std::iter::once(derived("installationchecks")).chain(advice).collect()
}
