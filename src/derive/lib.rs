//! Derived objects: what a person would first put together, put together once, in code.
//!
//! Each yields objects of the group `casefile.dev` with three-valued fields, each with what it rests on; signatures
//! and pictures read them like any other object. Deriving is the place for arithmetic; the signature language has
//! none.
//!
//! May know: `facts`, `catalogue`, `parse`.
//!
//! # How to add a derived object
//!
//! Write one file with a `pub(crate) const DERIVER: Deriver` and add it to [`DERIVED`]; name its kinds and what
//! their fields mean in `patterns/kinds.yaml` (`casefile:`), which a test holds against the registry. A deriver asks objects through
//! [`reader::Reader`], whose answers carry what they prove, and writes them with [`facts::derived::Derived`], which
//! takes no field without that. See [`disruptions`].
//!
//! Invariants: a field that is not known for certain is a range or is left out, never a guess; no field is surer
//! than what it rests on; a deriver changes nothing that another one reads.

mod api_endpoints;
mod claim_events;
mod component_runs;
pub mod container_state;
mod control_plane;
mod control_plane_waits;
mod deriver;
mod disruptions;
mod etcd;
mod healed;
mod heard;
mod joins;
mod leader_elections;
mod machine_hardware;
mod member_heartbeats;
pub mod named_services;
mod nodes;
pub mod reader;
mod runs_again;
mod services;
mod storage_defaults;
mod webhooks;
mod workloads;

use catalogue::{nouns, statements};
use deriver::{Deriver, Inputs};
use facts::derived;
use facts::derived::Derived;
use facts::kind::KindName;
use facts::object::ContextId;
use facts::parallel;
use facts::provenance::Bases;
use facts::store::Facts;
use reader::Reader;

/// All derivers, in the order in which their objects are added.
const DERIVED: &[Deriver] = &[
    etcd::DERIVER,
    nodes::DERIVER,
    workloads::DERIVER,
    services::DERIVER,
    disruptions::DERIVER,
    claim_events::DERIVER,
    webhooks::DERIVER,
    storage_defaults::DERIVER,
    api_endpoints::DERIVER,
    leader_elections::DERIVER,
    component_runs::DERIVER,
    control_plane_waits::DERIVER,
    machine_hardware::DERIVER,
    control_plane::DERIVER,
    joins::DERIVER,
    member_heartbeats::DERIVER,
];

/// From so many objects on the derivers run side by side.
const MANY: usize = 1_000;

/// Every literal that derived objects look for in logs.
pub fn literals() -> Vec<String> {
    let groups = DERIVED.iter().flat_map(|deriver| deriver.statements).filter_map(|name| statements::group(name));
    groups.flat_map(|group| group.literals.iter().cloned()).collect()
}

/// Kinds that derived objects are made of: they are kept whether a signature reads them or not.
pub fn kinds() -> Vec<KindName> {
    made().flat_map(|kind| nouns::read_for(&kind)).collect()
}

/// The kinds of the derived objects.
fn made() -> impl Iterator<Item = KindName> {
    let plurals = DERIVED.iter().flat_map(|deriver| deriver.makes);
    plurals.map(|plural| KindName { plural: (*plural).to_owned(), group: "casefile.dev".to_owned() })
}

/// Adds all derived objects to the facts.
pub fn derive(facts: &mut Facts) {
    let bases = Bases::of(facts);
    for (index, place) in runs_again::find(facts, &bases) {
        if let Some(stream) = facts.streams.get_mut(index) {
            stream.over = Some(place);
        }
    }
    for context in facts.context_ids() {
        let (derived, limit) = of_context(facts, &bases, context);
        facts.limits.extend(limit);
        for made in derived {
            debug_assert_eq!(made.paths().find(|path| !nouns::has_field(made.kind(), path)), None, "{}", made.kind());
            derived::add(facts, context, made);
        }
    }
}

/// The derived objects of one context.
fn of_context(facts: &Facts, bases: &Bases, context: ContextId) -> (Vec<Derived>, Option<facts::limit::Limit>) {
    let reader = Reader::new(facts, bases, context);
    let nodes = nodes::Nodes::gather(reader);
    let workloads = workloads::Workloads::gather(reader, &nodes);
    let services = services::Services::gather(reader, &workloads);
    let inputs = Inputs { reader, nodes: &nodes, workloads: &workloads, services: &services };
    // To start threads takes longer than to derive from a few objects.
    let few = if facts.objects.len() < MANY { usize::MAX } else { 2 };
    let made = parallel::map_from(few, DERIVED, |deriver| (deriver.derive)(&inputs));
    (made.into_iter().flatten().collect(), services.limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_rows_of_the_catalogue_are_those_of_the_registry() {
        for kind in made() {
            let (one, _) = nouns::nouns(&kind).expect("a noun");
            assert_ne!(one, kind.plural, "`patterns/kinds.yaml` has no row for {kind}");
            assert_ne!(
                nouns::made_of(&kind).0,
                std::slice::from_ref(&kind),
                "the row of {kind} names nothing that it is made of"
            );
        }
        let elsewhere = ["installationchecks", "installationadvices", "endings"];
        for kind in nouns::put_together().filter(|kind| !elsewhere.contains(&kind.plural.as_str())) {
            assert!(made().any(|known| known == kind), "nothing makes {kind}");
        }
    }

    #[test]
    fn the_groups_of_statements_are_there() {
        for name in DERIVED.iter().flat_map(|deriver| deriver.statements) {
            let group = statements::group(name).unwrap_or_else(|| panic!("`patterns/statements.yaml` has no {name}"));
            assert!(!group.literals.is_empty(), "no literal brings a line to {name}");
        }
    }

    #[test]
    fn no_kind_is_made_twice() {
        assert_eq!(made().count(), made().collect::<BTreeSet<_>>().len());
    }
}
