//! Whose object a finding is about.

use crate::bench::{Bench, MACHINES, signature};
use diagnosis::model::{Finding, OwnerInfo};
use facts::kind::KindName;
use facts::object::ObjectId;
use serde_json::{Value as Json, json};

const MACHINE_SETS: &str = "machinesets.cluster.x-k8s.io";
const DEPLOYMENTS: &str = "machinedeployments.cluster.x-k8s.io";
const REPLICA_SETS: &str = "replicasets.apps";

/// An object of namespace `ns` with an owner reference.
fn owned(name: &str, version: &str, kind: &str, owner: &str, controller: bool) -> Json {
    let reference = json!({"apiVersion": version, "kind": kind, "name": owner, "controller": controller});
    json!({"metadata": {"name": name, "namespace": "ns", "ownerReferences": [reference]}})
}

fn capi(name: &str, kind: &str, owner: &str) -> Json {
    owned(name, "cluster.x-k8s.io/v1beta1", kind, owner, true)
}

/// The owner that is said of each object of a kind, as `Kind.group name`.
fn owners(bench: &Bench, kind: &str) -> Vec<Option<String>> {
    let entity = format!("entity:\n  name: thing\n  object: {{ kind: {kind} }}\n");
    let there = "
  - id: there
    role: hallmark
    claim: '{thing} is there'
    object: { self: true }
";
    let outcome = bench.run(&[&signature("T-1", &entity, there, "  confirmed: there")]);
    let said = |OwnerInfo { kind, group, name }: &OwnerInfo| format!("{kind}.{group} {name}");
    outcome.findings.iter().map(|finding: &Finding| finding.owner.as_ref().map(said)).collect()
}

#[test]
fn the_way_leads_over_the_generation_to_what_a_person_made() {
    let mut bench = Bench::new();
    bench.object(MACHINES, capi("md-0-7c9zt-4xk2p", "MachineSet", "md-0-7c9zt"));
    let below = || vec![Some("MachineSet.cluster.x-k8s.io md-0-7c9zt".to_owned())];
    assert_eq!(owners(&bench, MACHINES), below(), "the MachineSet was not collected");
    bench.object(MACHINE_SETS, capi("md-0-7c9zt", "MachineDeployment", "md-0")).namespace = Some("other".to_owned());
    assert_eq!(owners(&bench, MACHINES), below(), "that one is another's");
    bench.object(MACHINE_SETS, capi("md-0-7c9zt", "MachineDeployment", "md-0"));
    let top = || vec![Some("MachineDeployment.cluster.x-k8s.io md-0".to_owned())];
    assert_eq!(owners(&bench, MACHINES), top());
    bench.object(DEPLOYMENTS, owned("md-0", "cluster.x-k8s.io/v1beta1", "Cluster", "kestrel", false));
    assert_eq!(owners(&bench, MACHINES), top(), "a Cluster does not control its MachineDeployments");
    assert_eq!(owners(&bench, DEPLOYMENTS), [None]);
}

#[test]
fn a_kind_that_nobody_knows_is_an_owner_like_any_other() {
    let mut bench = Bench::new();
    bench.object("pods", owned("web-6d4cf56db6-x2x9q", "apps/v1", "ReplicaSet", "web-6d4cf56db6", true));
    bench.object(REPLICA_SETS, owned("web-6d4cf56db6", "argoproj.io/v1alpha1", "Rollout", "web", true));
    assert_eq!(owners(&bench, "pods"), [Some("Rollout.argoproj.io web".to_owned())]);
}

#[test]
fn the_way_ends_at_the_workload() {
    let mut bench = Bench::new();
    bench.object(
        MACHINES,
        owned("k-cp-x7k2d", "controlplane.cluster.x-k8s.io/v1beta1", "KubeadmControlPlane", "k-cp", true),
    );
    bench.object("kubeadmcontrolplanes.controlplane.cluster.x-k8s.io", capi("k-cp", "Cluster", "k"));
    bench.object("pods", owned("calico-node-8vqmz", "apps/v1", "DaemonSet", "calico-node", true));
    bench.object("daemonsets.apps", owned("calico-node", "operator.tigera.io/v1", "Installation", "default", true));
    assert_eq!(owners(&bench, MACHINES), [Some("KubeadmControlPlane.controlplane.cluster.x-k8s.io k-cp".to_owned())]);
    assert_eq!(owners(&bench, "pods"), [Some("DaemonSet.apps calico-node".to_owned())]);
}

#[test]
fn a_node_runs_its_static_pods_and_does_not_make_them() {
    let mut bench = Bench::new();
    bench.object("pods", owned("etcd-cp-1", "v1", "Node", "cp-1", true));
    assert_eq!(owners(&bench, "pods"), [None]);
}

#[test]
fn what_is_not_shown_and_what_is_ambiguous_has_no_known_owner() {
    let mut bench = Bench::new();
    bench.row(
        MACHINES,
        json!({"metadata": {"name": "m-1", "namespace": "ns"}}),
        &["metadata.name", "metadata.namespace"],
    );
    bench.object(MACHINES, json!({"metadata": {"name": "m-2", "namespace": "ns"}}));
    assert_eq!(owners(&bench, MACHINES), [None, None]);
    let mut bench = Bench::new();
    bench.object("pods", owned("web-6d4cf56db6-x2x9q", "apps/v1", "ReplicaSet", "web-6d4cf56db6", true));
    for above in ["web", "web-6d4cf"] {
        bench.object(REPLICA_SETS, owned("web-6d4cf56db6", "apps/v1", "Deployment", above, true));
    }
    assert_eq!(owners(&bench, "pods"), [Some("ReplicaSet.apps web-6d4cf56db6".to_owned())]);
}

#[test]
fn a_circle_ends() {
    let mut bench = Bench::new();
    bench.object(MACHINES, capi("a-11111", "MachineSet", "a"));
    bench.object(MACHINE_SETS, capi("a", "MachineSet", "a"));
    assert_eq!(owners(&bench, MACHINES), [Some("MachineSet.cluster.x-k8s.io a".to_owned())]);
}

#[test]
fn a_derived_object_has_the_owner_of_what_it_stands_for() {
    let mut bench = Bench::new();
    bench.object("pods", owned("web-0", "apps/v1", "StatefulSet", "web", true));
    bench.object("workloads.casefile.dev", json!({"metadata": {"name": "web-0", "namespace": "ns"}}));
    assert_eq!(owners(&bench, "workloads.casefile.dev"), [None]);
    bench.facts.stands_for.insert(ObjectId(1), KindName::parse("pods"));
    assert_eq!(owners(&bench, "workloads.casefile.dev"), [Some("StatefulSet.apps web".to_owned())]);
}
