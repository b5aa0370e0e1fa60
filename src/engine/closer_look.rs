//! What somebody looked at by itself: of thirty Pods that a list shows, the one that was described.
//!
//! Why: a bundle or a ticket is about something, and whoever wrote it down looked closer at that. A cluster has other troubles
//! as well; of troubles that are as severe and as sure as each other, the one that was looked at is the one asked about.
//!
//! Invariant: it decides an order, never a verdict; only what was described counts, and where each object of a kind was it says
//! nothing.

use crate::relations::Decided;
use facts::coverage::Basis;
use facts::kind::KindName;
use facts::object::{ContextId, Form, Object};
use facts::origin::MemberId;
use facts::provenance::Bases;
use facts::store::Facts;
use std::collections::{BTreeMap, BTreeSet};

/// Of more objects of one kind that are shown alone, nobody looked at each for its own sake.
const FEW: usize = 5;

/// The answers that show what was looked at.
pub(crate) struct CloserLook<'a> {
    bases: Bases,
    answers: BTreeSet<(MemberId, Option<u32>)>,
    /// What was looked at, by its namespace and name.
    names: BTreeSet<(ContextId, Option<&'a str>, &'a str)>,
}

impl<'a> CloserLook<'a> {
    /// By the answers of the bundle: objects that are shown alone, beside lists that show others.
    pub(crate) fn of(facts: &'a Facts) -> Self {
        let bases = Bases::of(facts);
        let is_alone = |place: &(MemberId, u32)| bases.at(place.0, place.1) == Basis::Named;
        let mut alone: BTreeMap<(ContextId, &KindName), Vec<&Object>> = BTreeMap::new();
        let mut with_lists: BTreeSet<ContextId> = BTreeSet::new();
        for object in facts.objects.iter().filter(|object| is_collected(object)) {
            // The only object of its kind may be all that a list holds; whoever describes one asks for that.
            let is_description = |form: Form| matches!(form, Form::Describe | Form::TypedDescribe);
            let is_described = object.sightings.iter().any(|sighting| is_description(sighting.record.form));
            if is_described && records(object).any(|place| is_alone(&place)) {
                alone.entry((object.context, &object.kind)).or_default().push(object);
            } else {
                with_lists.insert(object.context);
            }
        }
        // A table of which nobody knows what was asked shows its rows alone as well.
        with_lists.extend(alone.iter().filter(|(_, objects)| objects.len() > FEW).map(|((context, _), _)| *context));
        alone.retain(|(context, _), objects| objects.len() <= FEW && with_lists.contains(context));
        let looked_at: Vec<&Object> = alone.into_values().flatten().collect();
        let places = looked_at.iter().copied().flat_map(records).filter(is_alone);
        let answers = places.map(|(member, line)| (member, bases.begin(member, line))).collect();
        let name = |object: &&'a Object| (object.context, object.namespace.as_deref(), object.name.as_str());
        let names = looked_at.iter().map(name).collect();
        Self { bases, answers, names }
    }

    /// Is a finding about what was looked at, or about what that made, or does what speaks for it stand there?
    pub(crate) fn holds(&self, decided: &Decided<'_>) -> bool {
        let subject = &decided.subject;
        let owner = decided.finding.owner.as_ref().map(|owner| owner.name.as_str());
        let named = |name: &str| self.names.contains(&(subject.context, subject.namespace.as_deref(), name));
        let is_in =
            |(member, line): &(MemberId, u32)| self.answers.contains(&(*member, self.bases.begin(*member, *line)));
        !self.answers.is_empty()
            && (named(&subject.name) || owner.is_some_and(named) || decided.places.iter().any(is_in))
    }
}

/// Is it an object that somebody could ask for? Events come by themselves.
fn is_collected(object: &Object) -> bool {
    object.kind.group != "casefile.dev" && object.kind.plural != "events"
}

fn records(object: &Object) -> impl Iterator<Item = (MemberId, u32)> + '_ {
    object.sightings.iter().map(|sighting| (sighting.record.member, sighting.record.line))
}
