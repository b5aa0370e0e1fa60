//! What a check found becomes its object, and that of its advice.

use crate::checklist::{Check, Checklist, Profile, When};
use crate::outcome::{Outcome, State};
use facts::derived::Derived;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::origin::Citation;

/// The object of a check and, where it has an advice, that of the advice; nothing if it does not apply.
///
/// `decide` is asked for every edition; the object is that of the chosen one, the newest if none is chosen.
/// `kinds` names the kinds of the provider for what to collect.
pub(super) fn objects(
    check: &Check,
    checklist: &Checklist,
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

    let mut node = Node::map(0);
    let mut set = |keys: [&str; 2], text: &str| node.set_at(&keys, Node::new(0, Value::Str(text.into())));
    set(["metadata", "name"], &check.id);
    set(["spec", "title"], &check.title);
    set(["spec", "breaks"], &check.breaks);
    set(["spec", "remedy"], &check.remedy);
    set(["spec", "when"], check.when.word());
    set(["spec", "profile"], &profile.id);
    set(["status", "found"], &sentences);
    set(["status", "object"], told.iter().find_map(|outcome| outcome.object.as_deref()).unwrap_or_default());
    set(["status", "editions"], &editions.join("; "));
    set(["status", "soFar"], state.word());
    let mut known = ["spec", "status.found", "status.editions", "status.object"].map(str::to_owned).to_vec();
    if *state == State::Fail || *state != State::Unknown && check.of_one_object {
        set(["status", "state"], state.word());
        known.push("status.state".to_owned());
    } else if *state == State::Unknown {
        let collect = checklist.collect(check, kinds);
        set(["status", "whyUnknown"], &format!("{sentences}; to assess it, collect: {collect}"));
    } else {
        set(["status", "whyUnknown"], &format!("nothing wrong in what was collected: {sentences}"));
    }
    let mut citations: Vec<Citation> = Vec::new();
    for citation in told.iter().flat_map(|outcome| &outcome.citations) {
        if !citations.contains(citation) {
            citations.push(citation.clone());
        }
    }
    let derived = |kind: &str| Derived {
        namespace: None,
        stands_for: None,
        kind: KindName::parse(kind),
        name: check.id.clone(),
        node: node.clone(),
        known: known.clone(),
        citations: ["status", "spec"].map(|field| (field.to_owned(), citations.clone())).into(),
    };
    let advises = *state == State::Warn || *state == State::Fail && check.when == When::Advice;
    let advice = advises.then(|| derived("installationadvices.casefile.dev"));
    std::iter::once(derived("installationchecks.casefile.dev")).chain(advice).collect()
}
