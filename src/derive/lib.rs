//! Derived objects: what a person would first put together, put together once, in code.
//!
//! Each yields objects of the group `casefile.dev` with three-valued fields and citations; signatures and
//! pictures read them like any other object. Deriving is the place for arithmetic; the signature language
//! has none.

mod api_endpoints;
pub mod builder;
mod claim_events;
mod component_runs;
pub mod control_plane;
mod control_plane_waits;
pub mod disruptions;
pub mod etcd;
pub mod joins;

mod leader_elections;
mod machine_hardware;
mod machine_waits;
mod member_heartbeats;
pub mod nodes;
pub mod reader;
pub mod services;
pub mod silence;
mod storage_defaults;
mod webhooks;
pub mod workloads;

use facts::derived;
use facts::kind::KindName;
use facts::store::Facts;

/// Every literal that derived objects look for in logs.
pub fn literals() -> Vec<String> {
    let literals = [
        etcd::words::LITERALS,
        etcd::troubles::STORAGE,
        etcd::troubles::LITERALS,
        etcd::troubles::CLIENT_LITERALS,
        control_plane::LITERALS,
        control_plane_waits::LITERALS,
        leader_elections::LITERALS,
        silence::LITERALS,
    ];
    literals.into_iter().flatten().map(|text| (*text).to_owned()).collect()
}

/// Kinds that derived objects are made of: they are kept whether a signature reads them or not.
pub fn kinds() -> Vec<KindName> {
    [
        etcd::kinds(),
        workloads::kinds(),
        nodes::kinds(),
        services::kinds(),
        webhooks::kinds(),
        disruptions::kinds(),
        joins::kinds(),
        storage_defaults::kinds(),
        machine_waits::kinds(),
        machine_hardware::kinds(),
        claim_events::kinds(),
        component_runs::kinds(),
        control_plane_waits::kinds(),
        member_heartbeats::kinds(),
    ]
    .concat()
}

/// Adds all derived objects to the facts.
pub fn derive(facts: &mut Facts) {
    for context in facts.context_ids() {
        let mut derived = etcd::derive(facts, context);
        let nodes = nodes::Nodes::gather(facts, context);
        let workloads = workloads::Workloads::gather(facts, context, &nodes);
        derived.extend(nodes.derive(facts, context));
        derived.extend(workloads.derive());
        let services = services::Services::gather(facts, context, &workloads);
        derived.extend(services.derive());
        derived.extend(disruptions::derive(facts, context, &workloads));
        derived.extend(claim_events::derive(facts, context, &workloads));
        derived.extend(webhooks::derive(facts, context, &workloads, &services));
        derived.extend(storage_defaults::derive(facts, context));
        derived.extend(api_endpoints::derive(facts, context));
        derived.extend(leader_elections::derive(facts, context));
        derived.extend(component_runs::derive(facts, context));
        derived.extend(control_plane_waits::derive(facts, context));
        derived.extend(machine_hardware::derive(facts, context));
        for derived in derived {
            derived::add(facts, context, derived);
        }
        if let Some(derived) = control_plane::derive(facts, context) {
            derived::add(facts, context, derived);
        }
        for derived in joins::derive(facts, context) {
            derived::add(facts, context, derived);
        }
        for derived in machine_waits::derive(facts, context) {
            derived::add(facts, context, derived);
        }
        for derived in member_heartbeats::derive(facts, context) {
            derived::add(facts, context, derived);
        }
    }
}
