//! G06: the Nodes of the `global` cluster once it was installed.
//!
//! Nodes that are not ready, Pods that fail, a ClusterModule that failed and the like have signatures of
//! their own (`carried_by` in `patterns/checks.yaml`); here is what they do not read.

use crate::checklist::Profile;
use crate::installation::{Installation, MACHINE_DEPLOYMENTS};
use crate::object::Object;
use crate::outcome::{Found, Outcome, State, unknown};
use facts::origin::Citation;

/// How many Nodes the cluster should have.
fn wanted_nodes(here: &Installation<'_>) -> Option<(i64, Vec<Citation>)> {
    let (mut count, first) = here.one("control-plane")?.field("spec.replicas").whole_number()?;
    let mut citations = vec![first];
    here.listed(MACHINE_DEPLOYMENTS)?;
    for workers in here.belonging(MACHINE_DEPLOYMENTS) {
        let (more, citation) = workers.field("spec.replicas").whole_number()?;
        count += more;
        citations.push(citation);
    }
    Some((count, citations))
}

/// G06: all Nodes of `global` are there.
pub(super) fn number_of_nodes(here: &Installation<'_>, _: &Profile) -> Found {
    let nodes = here.all("nodes");
    if here.listed("nodes").is_none() {
        return vec![unknown("the Nodes of `global` were not listed whole")];
    }
    let Some((wanted, citations)) = wanted_nodes(here) else {
        return vec![unknown(
            "how many Nodes there should be is not known: the MachineDeployments were not listed whole",
        )];
    };
    let told =
        format!("{} Nodes, and the control plane and the MachineDeployments have {wanted} replicas", nodes.len());
    let right = i64::try_from(nodes.len()) == Ok(wanted);
    vec![Outcome::new(
        if right { State::Pass } else { State::Warn },
        told,
        citations.into_iter().chain(nodes.first().map(Object::citation)),
    )]
}
