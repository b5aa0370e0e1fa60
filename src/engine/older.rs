//! Is an answer that shows no object older than what refers to the object?
//!
//! Why: a list says nothing of what was made after it. An Ingress of Tuesday may name a Service that was made on
//! Tuesday too, while the list of Services is of Monday.
//!
//! Invariants: resourceVersions of one cluster count up, so that the one of a list and the one of an object compare; a
//! list is no older than anything that was so already when it was made; where nothing tells, no answer is called old.

use facts::node::{Node, Value};
use facts::object::{ContextId, ObjectId};
use facts::order::Order;
use facts::origin::{Citation, MemberId};
use facts::store::Facts;
use jiff::Timestamp;
use std::collections::BTreeMap;

/// Where an answer stands.
type Place = (MemberId, u32, String);

/// What is known of the times of a run's answers.
#[derive(Debug)]
pub(crate) struct Times {
    /// The order of each answer that has one.
    orders: BTreeMap<(ContextId, Place), Order>,
    /// For each context the resourceVersions of its objects, each with the latest time that is known to lie before it.
    clocks: BTreeMap<ContextId, Vec<(u64, Timestamp)>>,
}

impl Times {
    /// What the facts tell.
    pub(crate) fn new(facts: &Facts) -> Self {
        let with_order = facts.coverage.iter().filter(|c| c.answer.order != Order::default());
        let orders = with_order.map(|c| {
            let citation = &c.answer.citation;
            ((c.context, (citation.member, citation.line, citation.path.clone())), c.answer.order)
        });
        let orders: BTreeMap<_, _> = orders.collect();
        let mut clocks: BTreeMap<ContextId, Vec<(u64, Timestamp)>> = BTreeMap::new();
        // Without the version of a list there is nothing to compare.
        if orders.values().any(|order| order.list_version.is_some()) {
            for object in &facts.objects {
                for sighting in &object.sightings {
                    if let Some((version, time)) = sighting.resource_version.zip(latest(&sighting.record.node)) {
                        clocks.entry(object.context).or_default().push((version, time));
                    }
                }
            }
        }
        for clock in clocks.values_mut() {
            clock.sort_unstable();
            let mut newest = Timestamp::MIN;
            for (_, time) in clock.iter_mut() {
                newest = newest.max(*time);
                *time = newest;
            }
        }
        Self { orders, clocks }
    }

    /// Was one of the answers at these places given before the object may have begun to refer to anything?
    pub(crate) fn before(&self, facts: &Facts, context: ContextId, places: &[Citation], referring: ObjectId) -> bool {
        let object = facts.object(referring);
        if object.context != context || self.orders.is_empty() {
            return false;
        }
        let made = object.sightings.iter().find_map(|sighting| created(&sighting.record.node));
        let version = object.sightings.iter().filter_map(|sighting| sighting.resource_version).max();
        places.iter().any(|citation| {
            let place = (citation.member, citation.line, citation.path.clone());
            self.orders.get(&(context, place)).is_some_and(|order| self.is_before(context, order, made, version))
        })
    }

    fn is_before(&self, context: ContextId, answer: &Order, made: Option<Timestamp>, version: Option<u64>) -> bool {
        let by_time = answer.time.zip(made).is_some_and(|(answered, made)| answered < made);
        let by_version = answer.list_version.zip(version).is_some_and(|(listed, version)| {
            // What was made before the list was made could have been in it, whatever changed since.
            listed < version && self.reached(context, listed).zip(made).is_none_or(|(reached, made)| reached < made)
        });
        by_time || by_version
    }

    /// The latest time that surely lies before a resourceVersion.
    fn reached(&self, context: ContextId, version: u64) -> Option<Timestamp> {
        let clock = self.clocks.get(&context)?;
        let after = clock.partition_point(|(other, _)| *other <= version);
        clock.get(after.checked_sub(1)?).map(|(_, time)| *time)
    }
}

/// When an object was made.
fn created(node: &Node) -> Option<Timestamp> {
    node.at(&["metadata", "creationTimestamp"])?.as_str()?.parse().ok()
}

/// The latest time that an object tells of itself.
fn latest(node: &Node) -> Option<Timestamp> {
    let conditions = match node.at(&["status", "conditions"]).map(|conditions| &conditions.value) {
        Some(Value::List(conditions)) => conditions.as_slice(),
        _ => &[],
    };
    let changes = conditions.iter().filter_map(|condition| condition.get("lastTransitionTime"));
    let times = changes.chain(node.at(&["spec", "renewTime"])).filter_map(|time| time.as_str()?.parse().ok());
    times.chain(created(node)).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_list_is_older_than_what_was_made_after_it() {
        let context = ContextId(0);
        let times = Times {
            orders: BTreeMap::new(),
            clocks: [(context, vec![(50, at("2026-03-02T10:00:00Z")), (90, at("2026-03-02T11:00:00Z"))])].into(),
        };
        let list = |version| Order { list_version: Some(version), ..Order::default() };
        let before = |list: &Order, made: Option<&str>, version| times.is_before(context, list, made.map(at), version);
        assert!(before(&list(100), None, Some(9000)), "nothing says that it was there");
        assert!(before(&list(100), Some("2026-03-02T12:00:00Z"), Some(9000)));
        assert!(!before(&list(100), Some("2026-03-02T10:30:00Z"), Some(9000)), "made before the list, changed since");
        assert!(before(&list(60), Some("2026-03-02T10:30:00Z"), Some(9000)));
        assert!(!before(&list(100), Some("2026-03-02T12:00:00Z"), Some(99)));
        assert!(!before(&Order::default(), Some("2026-03-02T12:00:00Z"), Some(9000)));
        let monday = Order::at(at("2026-03-02T00:00:00Z"));
        assert!(before(&monday, Some("2026-03-03T00:00:00Z"), None));
        assert!(!before(&monday, Some("2026-03-01T00:00:00Z"), None));
    }
}
