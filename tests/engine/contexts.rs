//! Questions that cross clusters, objects of which it is not known which one they are, and evidence that
//! speaks for both sides.

use crate::bench::{Bench, CLUSTERS, MACHINES, about_clusters, cluster, evidence, machine};
use catalogue::kinds::Catalogue;
use facts::coverage::Basis;
use facts::object::ContextId;
use serde_json::json;
use signature::evidence_state::EvidenceState;
use signature::load::Library;
use signature::model::VerdictWord;
use std::collections::BTreeSet;

const SENTRY: &str = "
  - id: provisioned
    role: hallmark
    claim: '{cluster} is Provisioned'
    object:
      self: true
      where: [{ path: status.phase, equals: Provisioned }]
  - id: no-sentry
    expect: absent
    claim: 'ServiceAccount sentry is missing inside {cluster}'
    object:
      kind: serviceaccounts
      context_of: $cluster.name
      where:
        - { path: metadata.namespace, equals: cpaas-system }
        - { path: metadata.name, equals: sentry }
";

#[test]
fn a_question_about_a_workload_is_asked_of_the_cluster_it_belongs_to() {
    let mut bench = Bench::new();
    for name in ["dark", "empty", "good"] {
        bench.object(CLUSTERS, cluster(name));
    }
    bench.listed(CLUSTERS, Basis::Stated);
    for name in ["empty", "good", "stranger"] {
        let context = bench.context(name, &["workload"]);
        bench.listed_in(context, "serviceaccounts", Basis::Stated);
        if name != "empty" {
            let sentry = json!({"metadata": {"name": "sentry", "namespace": "cpaas-system"}});
            bench.object_in(context, "serviceaccounts", sentry);
        }
        if name != "stranger" {
            bench.facts.contexts[context.0 as usize].workload_of = Some((ContextId(0), name.to_owned()));
        }
    }
    let verdict = "  confirmed: provisioned and no-sentry\n  probable: provisioned\n  ruled_out: not no-sentry";
    let outcome = bench.run(&[&about_clusters(SENTRY, verdict)]);
    let got: Vec<_> =
        outcome.findings.iter().map(|f| (f.entity.name.as_str(), f.verdict, f.evidence[1].state)).collect();
    assert_eq!(
        got,
        [
            ("empty", VerdictWord::Confirmed, EvidenceState::Supports),
            ("dark", VerdictWord::Probable, EvidenceState::Unknown),
            ("good", VerdictWord::RuledOut, EvidenceState::Contradicts),
        ]
    );
    let commands: Vec<&str> = outcome.asks.iter().map(|ask| ask.command.as_str()).collect();
    assert_eq!(commands, ["kubectl get serviceaccounts -A -o yaml"], "the workload of `dark` was not collected");
}

const FAILED: &str = "
  - id: provisioned
    role: hallmark
    claim: '{cluster} is Provisioned'
    object:
      self: true
      where: [{ path: status.phase, equals: Provisioned }]
  - id: failed
    claim: '{count} Machines of {cluster} have failed'
    object:
      kind: machines.cluster.x-k8s.io
      join: [{ path: spec.clusterName, is: $cluster.name }]
      where: [{ path: status.phase, equals: Failed }]
";

#[test]
fn a_shadow_may_be_one_more_until_a_whole_list_holds_its_name() {
    let mut bench = Bench::new();
    bench.object(CLUSTERS, cluster("c"));
    bench.object(CLUSTERS, cluster("shadow")).shadow = true;
    let shadow = bench.object(MACHINES, machine("m", "c", "Failed"));
    shadow.shadow = true;
    (shadow.namespace, shadow.sightings[0].record.namespace) = (None, None);
    let signature =
        about_clusters(FAILED, "  confirmed: provisioned and failed\n  probable: provisioned\n  ruled_out: not failed");
    let outcome = bench.run(&[&signature]);
    let [only] = outcome.findings.as_slice() else { panic!("a shadow is no entity: {:#?}", outcome.findings) };
    assert_eq!(only.verdict, VerdictWord::Probable);
    let failed = evidence(only, "failed");
    assert_eq!((failed.state, failed.at_least, failed.at_most), (EvidenceState::Unknown, 0, None));
    bench.listed(MACHINES, Basis::Listed);
    let listed = &bench.run(&[&signature]).findings;
    assert_eq!(evidence(&listed[0], "failed").state, EvidenceState::Contradicts, "as listed, it is one of the others");
    assert_eq!(listed[0].verdict, VerdictWord::Probable, "and that rules nothing out");
    bench.listed(MACHINES, Basis::Stated);
    assert_eq!(bench.run(&[&signature]).findings[0].verdict, VerdictWord::RuledOut);
}

#[test]
fn both_sides_are_shown_where_both_hold() {
    let mut bench = Bench::new();
    bench.object(CLUSTERS, cluster("c"));
    bench.object(MACHINES, machine("m", "c", "Failed"));
    let outcome = bench.run(&[&about_clusters(FAILED, "  confirmed: provisioned\n  ruled_out: failed")]);
    let [c] = outcome.findings.as_slice() else { panic!("{:#?}", outcome.findings) };
    assert_eq!((c.verdict, c.conflicting), (VerdictWord::Probable, true));
    assert_eq!(
        c.reason,
        "Both sides hold. For it: “c is Provisioned”. Against it: at least 1 Machines of c have failed (seen in global/all.yaml:11)."
    );
}

#[test]
fn sightings_that_differ_decide_nothing_and_ask_for_nothing() {
    let mut bench = Bench::new();
    bench.object(CLUSTERS, cluster("c"));
    let failed = bench.object(MACHINES, machine("m", "c", "Failed")).sightings[0].clone();
    let object = bench.object(MACHINES, machine("m2", "c", "Running"));
    let mut other = failed;
    other.record.name = "m2".to_owned();
    object.sightings.push(other);
    bench.facts.objects.remove(1);
    bench
        .facts
        .by_kind
        .insert((ContextId(0), facts::kind::KindName::parse(MACHINES)), vec![facts::object::ObjectId(1)]);
    bench.listed(MACHINES, Basis::Stated);
    let outcome = bench.run(&[&about_clusters(
        FAILED,
        "  confirmed: provisioned and failed\n  probable: provisioned\n  ruled_out: not failed",
    )]);
    let [c] = outcome.findings.as_slice() else { panic!("{:#?}", outcome.findings) };
    assert_eq!((c.verdict, evidence(c, "failed").state), (VerdictWord::Probable, EvidenceState::Unknown));
    assert_eq!(outcome.asks, [], "no command settles which of two sources is right");
}

/// The contexts of a bundle of these files: name, objects and logs of each.
fn shown_contexts(files: &[(&str, &str)]) -> String {
    let members = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    let library = Library::default();
    let (collected, ..) =
        selftest::bench::Bench::new(&library, &Catalogue::built_in()).collect(members, None, &BTreeSet::new());
    let facts = collected.facts;
    let mut shown: Vec<String> = facts
        .context_ids()
        .map(|id| {
            let collected = facts.objects.iter().filter(|object| object.kind.group != "casefile.dev");
            let objects = collected.filter(|object| object.context == id).count();
            let logs = facts.streams.iter().filter(|stream| stream.context == id).count();
            format!("{} {objects} {logs}", facts.context(id).name)
        })
        .collect();
    shown.sort();
    shown.join(", ")
}

#[test]
fn a_session_beside_the_folders_of_clusters_is_of_the_one_whose_objects_it_shows() {
    let member = |name: &str| {
        format!(
            "apiVersion: cluster.kubernetes-fleet.io/v1\nkind: MemberCluster\nmetadata: {{ name: {name}, uid: u-{name}, creationTimestamp: \"2026-05-01T10:00:00Z\" }}\nspec: {{}}\n"
        )
    };
    let hub = [member("oslo"), member("bergen")].join("---\n");
    let pod = |name: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{ name: {name}, namespace: shop, uid: u-{name}, creationTimestamp: \"2026-05-01T10:00:00Z\" }}\nstatus: {{ phase: Running }}\n"
        )
    };
    let site = pod("cart-5d9c7b7f5-x2x7q");
    let of_hub = "bergen does not answer\n\n$ kubectl get memberclusters\nNAME     JOINED   AGE    MEMBER-AGENT-LAST-SEEN   NODE-COUNT   AVAILABLE-CPU   AVAILABLE-MEMORY\noslo     True     221d   19s                      5            15              71172835Ki\nbergen   True     221d   22h                      5            15              71172835Ki\n";
    let folders: Vec<(&str, &str)> = vec![("hub/memberclusters.yaml", &hub), ("member-bergen/pods.yaml", &site)];
    let beside = |text: &str| shown_contexts(&[folders.clone(), vec![("ticket.txt", text)]].concat());
    assert_eq!(beside(of_hub), "hub 2 0, member-bergen 1 0");
    let of_site = "$ kubectl get pods -n shop\nNAME                   READY   STATUS    RESTARTS   AGE\ncart-5d9c7b7f5-x2x7q   1/1     Running   0          3d\n";
    assert_eq!(beside(of_site), "hub 2 0, member-bergen 1 0");
    // What no folder shows is of a cluster of its own, and so is what two of them show.
    assert_eq!(beside(&of_site.replace("x2x7q", "zzzzz")), "cluster 1 0, hub 2 0, member-bergen 1 0");
    let twice = shown_contexts(&[folders.clone(), vec![("management/m.yaml", &hub), ("ticket.txt", of_hub)]].concat());
    assert_eq!(twice, "cluster 2 0, hub 2 0, management 2 0, member-bergen 1 0");
    // Most of what it shows is not there: another fleet that has a member of the same name.
    let other = of_hub.replace("oslo  ", "turku ").replace(
        "\nbergen",
        "\nturku2   True     221d   19s                      5            15              71172835Ki\nbergen",
    );
    assert_eq!(beside(&other), "cluster 3 0, hub 2 0, member-bergen 1 0");
    // A Pod of the member cluster beside members of a hub that nobody collected.
    let both = [of_hub, of_site].concat();
    assert_eq!(
        shown_contexts(&[
            ("member-oslo/pods.yaml", &site),
            ("member-bergen/pods.yaml", &pod("till-5d9c7b7f5-x2x7q")),
            ("ticket.txt", &both)
        ]),
        "cluster 3 0, member-bergen 1 0, member-oslo 1 0"
    );
}

#[test]
fn attempts_of_one_program_in_one_folder_are_one_log() {
    let log = |minute: u8| {
        format!(
            "{{\"level\":\"info\",\"ts\":\"2026-05-14T10:0{minute}:00Z\",\"caller\":\"etcdmain/etcd.go:73\",\"msg\":\"Running: \"}}\n"
        )
    };
    let (first, second) = (log(1), log(2));
    let of = |one, other| shown_contexts(&[(one, first.as_str()), (other, second.as_str())]);
    assert_eq!(of("crictl/etcd_attempt_5.log", "crictl/etcd_attempt_6.log"), "cluster 0 1");
    assert_eq!(of("crictl/etcd-attempt-9.txt", "crictl/etcd-attempt-10.txt"), "cluster 0 1");
    // Of two machines, or of two containers of which nobody knows the machine.
    assert_eq!(of("cp-1/etcd_attempt_5.log", "cp-2/etcd_attempt_6.log"), "cluster 0 2");
    assert_eq!(of("crictl/etcd-3f9a6c21be70d.log", "crictl/etcd-8e1b6c21be7aa.log"), "cluster 0 2");
}

#[test]
fn logs_beside_the_folder_of_the_only_cluster_are_of_it() {
    let machine = "apiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata: { name: shop, namespace: fleet, uid: c-1, creationTimestamp: \"2026-05-01T10:00:00Z\" }\nspec: {}\n";
    let node = "apiVersion: v1\nkind: Node\nmetadata: { name: w-1, uid: n-1, creationTimestamp: \"2026-05-01T10:00:00Z\" }\nstatus: {}\n";
    let capi = "I0514 10:00:00.000000       1 machine_controller.go:300] \"Reconcile\" controller=\"machine\"\n";
    let log = ("logs/capi-controller-manager.log", capi);
    assert_eq!(shown_contexts(&[("mgmt/clusters.yaml", machine), log]), "mgmt 1 1");
    // What any cluster may run goes with what stands beside it; etcd does not.
    let operator = ("logs/ipam-operator.log", "I0514 10:00:00.000000       1 main.go:300] \"up\"\n");
    assert_eq!(shown_contexts(&[("mgmt/clusters.yaml", machine), log, operator]), "mgmt 1 2");
    assert_eq!(shown_contexts(&[("mgmt/clusters.yaml", machine), operator]), "cluster 0 1, mgmt 1 0");
    // The other cluster has no such program, and with two of them it is not known whose log it is.
    assert_eq!(shown_contexts(&[("workload/nodes.yaml", node), log]), "cluster 0 1, workload 1 0");
    assert_eq!(
        shown_contexts(&[("mgmt/clusters.yaml", machine), ("management/clusters.yaml", machine), log]),
        "cluster 0 1, management 1 0, mgmt 1 0"
    );
    // etcd runs in each cluster, also in one that this one manages.
    let etcd = (
        "logs/etcd.log",
        "{\"level\":\"info\",\"ts\":\"2026-05-14T10:00:00Z\",\"caller\":\"etcdmain/etcd.go:73\",\"msg\":\"Running: \"}\n",
    );
    assert_eq!(shown_contexts(&[("mgmt/clusters.yaml", machine), etcd]), "cluster 0 1, mgmt 1 0");
    assert_eq!(shown_contexts(&[("mgmt/clusters.yaml", machine), etcd, log]), "cluster 0 1, mgmt 1 1");
    assert_eq!(shown_contexts(&[("workload/nodes.yaml", node), etcd]), "workload 1 1");
}
