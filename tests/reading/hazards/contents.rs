//! Traps in what members hold: objects, lists, values and log lines.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of a test may panic")]

use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, collect};
use facts::kind::KindName;
use facts::object::{ContextId, Lookup, ObjectId};
use facts::path::Path;
use facts::store::Facts;
use intake::Source;
use signature::load::Library;
use std::collections::BTreeSet;

/// The facts of a bundle of these files.
fn facts(files: &[(&str, &str)]) -> Facts {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let input = Input { source: Source::Path(folder.path().to_owned()), context: None };
    let (library, catalogue) = (Library::built_in().unwrap(), Catalogue::built_in());
    collect(&[input], &library, &catalogue, &Options::default(), &mut Quiet).unwrap().facts
}

/// Every object, as `kind namespace/name`, with the number of its sightings.
fn objects(facts: &Facts) -> Vec<String> {
    let one = |object: &facts::object::Object| {
        let shadow = if object.shadow { " shadow" } else { "" };
        let namespace = object.namespace.as_deref().unwrap_or("-");
        format!("{} {namespace}/{} x{}{shadow}", object.kind, object.name, object.sightings.len())
    };
    facts.objects.iter().filter(|object| object.kind.group != "casefile.dev").map(one).collect()
}

/// The only object of a kind.
fn only(facts: &Facts, kind: &str) -> ObjectId {
    match facts.of_kind(ContextId(0), &KindName::parse(kind)) {
        [id] => *id,
        other => panic!("{} objects of {kind}: {:?}", other.len(), objects(facts)),
    }
}

/// How many objects of a kind there are, kept or only counted.
fn number(facts: &Facts, kind: &str) -> u64 {
    let kind = KindName::parse(kind);
    let kept = facts.of_kind(ContextId(0), &kind).len() as u64;
    kept + facts.counted.get(&(ContextId(0), kind)).copied().unwrap_or(0)
}

/// What a path of an object says, in words.
fn says(facts: &Facts, id: ObjectId, path: &str) -> String {
    match facts.lookup(id, &Path::parse(path).unwrap()) {
        Lookup::Found(values) => {
            values.iter().map(|(node, _)| format!("{:?}", node.value)).collect::<Vec<_>>().join(" ")
        }
        Lookup::AtLeast(values) => format!("at least {}", values.len()),
        Lookup::NotSet(_) => "not set".to_owned(),
        Lookup::NotSetOrEmpty(_) => "not set or empty".to_owned(),
        Lookup::Redacted(_) => "redacted".to_owned(),
        Lookup::Unknown(why) => format!("unknown: {why:?}"),
    }
}

/// What was not understood, as `member:line reason`.
fn unread(facts: &Facts) -> Vec<String> {
    facts.unread.iter().map(|(member, line, why)| format!("{}:{line} {why}", facts.members[member])).collect()
}

const NODE: &str = r#"{"kind":"Node","apiVersion":"v1","metadata":{"name":"a","uid":"u-a"}}"#;
const OTHER: &str = r#"{"kind":"Node","apiVersion":"v1","metadata":{"name":"b","uid":"u-b"}}"#;

#[test]
fn hazard_01_every_form_of_a_list_holds_the_same_objects() {
    let bare = |name: &str| format!(r#"{{"metadata":{{"name":"{name}","uid":"u-{name}"}}}}"#);
    let (a, b) = (bare("a"), bare("b"));
    let yaml = |name: &str| format!("apiVersion: v1\nkind: Node\nmetadata:\n  name: {name}\n  uid: u-{name}\n");
    let forms = [
        format!(r#"{{"kind":"List","apiVersion":"v1","items":[{NODE},{OTHER}]}}"#),
        format!(r#"{{"kind":"NodeList","apiVersion":"v1","items":[{a},{b}]}}"#),
        format!(r#"{{"items":[{NODE},{OTHER}]}}"#),
        format!("[{NODE},\n{OTHER}]"),
        format!("{NODE}{OTHER}"),
        format!(r#"{{"kind":"NodeList","apiVersion":"v1","items":[{a}]}}{{"kind":"List","items":[{OTHER}]}}"#),
        format!("{NODE}\n{OTHER}\n"),
        format!("---\n{}---\n{}", yaml("a"), yaml("b")),
        format!(
            "apiVersion: v1\nitems:\n- {}- {}kind: List\n",
            yaml("a").replace('\n', "\n  ").trim_end_matches(' '),
            yaml("b").replace('\n', "\n  ").trim_end_matches(' ')
        ),
    ];
    for text in forms {
        let found = facts(&[("objects.txt", &text)]);
        assert_eq!(objects(&found), ["nodes -/a x1", "nodes -/b x1"], "{text}");
        assert_eq!(unread(&found), Vec::<String>::new(), "{text}");
    }
    assert_eq!(objects(&facts(&[("objects.txt", NODE)])), ["nodes -/a x1"]);
}

#[test]
fn hazard_02_the_kind_comes_from_the_path_where_the_objects_name_none() {
    let bare = r#"[{"metadata":{"name":"a","namespace":"n","uid":"u"}}]"#;
    let cases = [
        ("cluster-resources/pods/n.json", "pods n/a x1"),
        ("resources/ns/n/core_v1_pods.json", "pods n/a x1"),
        ("resources/ns/n/Pods.json", "pods n/a x1"),
        ("resources/ns/n/Events.json", "events n/a x1"),
        ("resources/cluster/core_v1_nodes.json", "nodes -/a x1"),
        ("resources/cluster/Nodes.json", "nodes -/a x1"),
    ];
    for (name, wanted) in cases {
        let found = facts(&[(name, bare), ("meta/run.log", "x\n")]);
        assert_eq!(objects(&found), [wanted], "{name}");
    }
    let claims = facts(&[("cluster-resources/pvcs/n.json", bare)]);
    assert_eq!(number(&claims, "persistentvolumeclaims"), 1);
    // Where nothing tells it, the objects are listed as not understood.
    assert!(unread(&facts(&[("x/y.json", bare)]))[0].contains("unknown kind"));
}

#[test]
fn hazard_17_a_log_that_was_cut_when_it_was_collected_says_so() {
    let cut = "sos_strings/kubernetes/var.log.pods.n_p_0b7c1a52-6b71-4b7d-b729-1c2d3e4f5a6b.c.0.log.tailed";
    let lines = "2026-05-01T10:00:00Z x\n".repeat(500);
    let frames = "==== START logs for container c of pod n/p ====\n2026-05-01T10:00:00Z x\n";
    for (name, text) in [
        (cut, "2026-05-01T10:00:00Z x\n"),
        ("cluster-resources/pods/logs/n/p/c.log", lines.as_str()),
        ("n/p/logs.txt", frames),
    ] {
        let mark = if name == cut { "sos_reports/manifest.json" } else { "readme.txt" };
        let found = facts(&[(name, text), (mark, "{}")]);
        let said: Vec<(&str, Option<Vec<String>>)> = found
            .coverage
            .iter()
            .filter(|c| c.answer.kind.plural == "pods/log")
            .map(|c| (c.answer.state.word(), c.answer.names.clone()))
            .collect();
        assert_eq!(said, [("truncated", Some(vec!["p/c".to_owned()]))], "{name}");
    }
}

#[test]
fn hazard_03_the_word_null_of_support_bundle_kit_is_nothing() {
    let text = "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    labels:\n      node-role.kubernetes.io/control-plane: \
                \"null\"\n    name: a\n  spec:\n    providerID: \"null\"\n    podCIDR: 10.0.0.0/24\nkind: List\n";
    let found =
        facts(&[("metadata.yaml", "bundlename: x\nbundleversion: 0.1.0\n"), ("yamls/cluster/v1/nodes.yaml", text)]);
    let node = only(&found, "nodes");
    assert_eq!(says(&found, node, "spec.providerID"), "not set");
    assert_eq!(says(&found, node, "spec.podCIDR"), r#"Str("10.0.0.0/24")"#);
    // The API server keeps no null in a map of texts: there it was the empty string.
    assert_eq!(says(&found, node, r#"metadata.labels["node-role.kubernetes.io/control-plane"]"#), r#"Str("")"#);
}

#[test]
fn hazard_03_the_word_null_of_anybody_else_is_a_word() {
    let text = "apiVersion: v1\nkind: Node\nmetadata:\n  name: a\nspec:\n  providerID: \"null\"\n";
    let elsewhere = facts(&[("yaml/nodes.yaml", text)]);
    assert_eq!(says(&elsewhere, only(&elsewhere, "nodes"), "spec.providerID"), r#"Str("null")"#);
    // The kit leaves no empty string behind: this file was written by somebody else.
    let not_its = facts(&[("yamls/cluster/v1/nodes.yaml", &format!("{text}  podCIDR: \"\"\n"))]);
    assert_eq!(says(&not_its, only(&not_its, "nodes"), "spec.providerID"), r#"Str("null")"#);
}

#[test]
fn hazard_04_whole_numbers_with_an_exponent_are_integers() {
    let forms = [
        (
            "pod.json",
            r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n"},"spec":{"x":1e+06,"y":1.00065e+09,"z":1.5e-01}}"#,
        ),
        (
            "pod.yaml",
            "kind: Pod\napiVersion: v1\nmetadata: {name: a, namespace: n}\nspec:\n  x: 1e+06\n  y: 1.00065e+09\n  z: 1.5e-01\n",
        ),
    ];
    for (name, text) in forms {
        let found = facts(&[(name, text)]);
        let pod = only(&found, "pods");
        assert_eq!(says(&found, pod, "spec.x"), "Int(1000000)", "{name}");
        assert_eq!(says(&found, pod, "spec.y"), "Int(1000650000)", "{name}");
        assert_eq!(says(&found, pod, "spec.z"), "Float(0.15)", "{name}");
    }
}

const ETCD: [&str; 5] = [
    r#"{"level":"info","ts":"2026-05-01T10:00:00.000Z","caller":"etcdserver/server.go:1","msg":"starting etcd server"}"#,
    r#"{"level":"info","ts":"2026-05-01T10:00:01.000Z","logger":"raft","caller":"etcdserver/zap_raft.go:77","msg":"raft.node: 8e9e05c52164694d elected leader 8e9e05c52164694d at term 2"}"#,
    r#"{"level":"info","ts":"2026-05-01T10:00:02.000Z","logger":"raft","caller":"etcdserver/zap_raft.go:77","msg":"raft.node: 8e9e05c52164694d lost leader 8e9e05c52164694d at term 3"}"#,
    r#"{"level":"info","ts":"2026-05-01T10:00:02.000Z","logger":"raft","caller":"etcdserver/zap_raft.go:77","msg":"raft.node: 8e9e05c52164694d elected leader 91bc3c398fb3c146 at term 4"}"#,
    r#"{"level":"info","ts":"2026-05-01T10:00:09.000Z","caller":"etcdserver/server.go:1","msg":"saved snapshot"}"#,
];

#[test]
fn hazard_06_a_log_with_the_newest_line_first_is_read_in_the_order_of_its_times() {
    let oldest_first = ETCD.join("\n");
    let newest_first = ETCD.iter().rev().copied().collect::<Vec<_>>().join("\n");
    let read = |text: &str| {
        let found = facts(&[("nodes/cp-1/etcd.log", text)]);
        let (_, log) = &found.streams[0].parts[0];
        let messages: Vec<String> = log.hits.iter().map(|hit| hit.fields.message.clone()).collect();
        let lines: Vec<u32> = log.hits.iter().map(|hit| hit.line).collect();
        let etcd = only(&found, "etcdclusters.casefile.dev");
        let leader = ["status.withLeader", "status.withoutLeader"].map(|path| says(&found, etcd, path));
        (messages, (log.tally.first, log.tally.last), leader, lines)
    };
    let (forward, backward) = (read(&oldest_first), read(&newest_first));
    assert_eq!(forward.0, backward.0);
    assert_eq!(forward.1, backward.1, "first and last");
    assert!(forward.1.0 < forward.1.1);
    assert_eq!(forward.2, backward.2);
    // A line is cited where it stands.
    let mirrored: Vec<u32> = forward.3.iter().map(|line| 6 - line).collect();
    assert_eq!(mirrored, backward.3);
}

#[test]
fn hazard_06_a_restart_in_the_middle_does_not_turn_a_log_around() {
    let text = [ETCD[2], ETCD[3], ETCD[4], ETCD[0], ETCD[1]].join("\n");
    let found = facts(&[("nodes/cp-1/etcd.log", &text)]);
    let lines: Vec<u32> = found.streams[0].parts[0].1.hits.iter().map(|hit| hit.line).collect();
    assert!(lines.is_sorted() && lines.len() > 1, "{lines:?}");
}

#[test]
fn hazard_10_one_object_in_many_files_is_one_object_with_all_its_sightings() {
    let full = r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n","uid":"u-1","resourceVersion":"7"},"spec":{"nodeName":"w-1","containers":[{"name":"c"}]},"status":{"phase":"Running","containerStatuses":[{"name":"c","ready":true,"restartCount":0,"state":{"running":{}}}]}}"#;
    let older = full.replace(r#""7""#, r#""5""#).replace("Running", "Pending");
    let table =
        "NAMESPACE   NAME   READY   STATUS    RESTARTS   AGE\nn           a      1/1     Running   0          3d\n";
    let found = facts(&[
        ("resources/ns/n/core_v1_pods.json", &format!("[{full}]")),
        ("resources/cluster/pods.json", &format!(r#"{{"kind":"PodList","items":[{full}]}}"#)),
        ("extra/pod-a.json", &older),
        ("get-pods.txt", table),
    ]);
    assert_eq!(objects(&found), ["pods n/a x4"]);
    let pod = only(&found, "pods");
    assert_eq!(says(&found, pod, "status.phase"), r#"Str("Running")"#);
    assert_eq!(says(&found, pod, "spec.nodeName"), r#"Str("w-1")"#);
    let cited: BTreeSet<&str> =
        found.object(pod).sightings.iter().map(|seen| found.members[&seen.record.member].inside()).collect();
    assert_eq!(cited.len(), 4);
    assert!(found.conflicts.is_empty(), "{:?}", found.conflicts);
}

#[test]
fn hazard_11_a_custom_resource_in_another_version_is_of_the_same_kind() {
    let machine = |version: &str| {
        format!("apiVersion: cluster.x-k8s.io/{version}\nkind: Machine\nmetadata: {{name: {version}, namespace: n}}\n")
    };
    let found = facts(
        &["v1alpha3", "v1alpha4", "v1beta1", "v1beta2"]
            .map(|v| (v, machine(v)))
            .each_ref()
            .map(|(v, text)| (*v, text.as_str())),
    );
    let all = objects(&found);
    assert_eq!(all.len(), 4);
    assert!(all.iter().all(|object| object.starts_with("machines.cluster.x-k8s.io n/")), "{all:?}");
}

#[test]
fn hazard_12_a_masked_value_is_set_and_known_to_nobody() {
    let text = r#"{"kind":"Node","apiVersion":"v1","metadata":{"name":"a","annotations":{"a":"***HIDDEN***","b":"***TOKEN_ID_1F3A***","c":"xxx","d":"REDACTED","e":"vsphere://***HIDDEN***/x"}}}"#;
    let yaml = "kind: Node\napiVersion: v1\nmetadata:\n  name: a\n  annotations:\n    a: ***HIDDEN***\n    b: '***TOKEN_ID_1F3A***'\n    c: xxx\n    d: REDACTED\n    e: vsphere://***HIDDEN***/x\n";
    for (name, text) in [("node.json", text), ("node.yaml", yaml)] {
        let found = facts(&[(name, text)]);
        let node = only(&found, "nodes");
        for key in ["a", "b", "c", "d"] {
            assert_eq!(says(&found, node, &format!(r#"metadata.annotations["{key}"]"#)), "redacted", "{key} in {name}");
        }
        let partly = says(&found, node, r#"metadata.annotations["e"]"#);
        assert_eq!(partly, r#"Str("vsphere://***HIDDEN***/x")"#, "what is around a mask stays readable");
    }
}

#[test]
fn hazard_12_two_texts_with_masks_are_not_equal_because_their_masks_are() {
    use engine::logic::Truth;
    use engine::predicate::check;
    use facts::node::{Node, Value};
    use facts::origin::{Citation, MemberId};
    use signature::model::Test;
    let node = Node::str(1, "dial tcp ***HIDDEN***:6443: refused");
    let cite = Citation::line(MemberId(0), 1, "x");
    let test =
        |test: Test| check(&test, &Path::parse("a").unwrap(), &Lookup::Found(vec![(&node, cite.clone().into())])).truth;
    let text = |text: &str| Value::Str(text.into());
    assert_eq!(test(Test::Equals(text("dial tcp ***HIDDEN***:6443: refused"))), Truth::Unknown);
    assert_eq!(test(Test::Equals(text("dial tcp 10.0.0.1:6443: refused"))), Truth::Unknown);
    assert_eq!(test(Test::Equals(text("dial tcp 10.0.0.1:6443: reset"))), Truth::False);
    assert_eq!(test(Test::NotEquals(text("dial tcp 10.0.0.1:6443: refused"))), Truth::Unknown);
    assert_eq!(test(Test::Contains("refused".to_owned())), Truth::True);
    assert_eq!(test(Test::Contains("10.0.0.1".to_owned())), Truth::Unknown);
    assert_eq!(test(Test::StartsWith("get ".to_owned())), Truth::False);
    assert_eq!(test(Test::IsSet(true)), Truth::True);
}

#[test]
fn hazard_14_a_name_that_promises_another_format_decides_nothing() {
    let members = "8211f1d0f64f3269, started, cp-1, https://10.0.0.1:2380, https://10.0.0.1:2379, false\n";
    let cut = format!(
        "{{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"items\":[{NODE}]}}\nerror: unable to list nodes: etcdserver: request timed out\n"
    );
    let page = "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body>502</body></html>\n";
    let found = facts(&[("etcd/member-list.json", members), ("nodes.json", &cut), ("logs/n/p.log", page)]);
    assert_eq!(
        found.of_kind(ContextId(0), &KindName::parse("etcdmembers.casefile.dev")).len(),
        1,
        "{:?}",
        objects(&found)
    );
    assert_eq!(objects(&found), ["nodes -/a x1"]);
    let nodes = found.coverage.iter().find(|c| c.answer.kind == KindName::parse("nodes")).unwrap();
    assert_eq!(nodes.answer.state.word(), "partial");
    assert!(unread(&found).iter().any(|text| text.starts_with("logs/n/p.log:1 a web page")), "{:?}", unread(&found));
    assert!(found.streams.iter().all(|stream| !stream.name.contains("logs/n/p")), "a web page is no log");
}

#[test]
fn hazard_16_the_place_of_a_log_in_every_layout() {
    let catalogue = Catalogue::built_in();
    let place = |name: &str| {
        let place = catalogue.sources.locate(name);
        let show = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let part = match (place.part.restart, place.part.rotation) {
            (0, 0) => "current".to_owned(),
            (-1, _) => "previous".to_owned(),
            (restart, rotation) => format!("{restart}.{rotation}"),
        };
        format!("{} {}/{}/{} {part}", show(place.node), show(place.namespace), show(place.pod), show(place.container))
    };
    let cases = [
        ("namespaces/n/v1/pod/p-1/c/current.log", "- n/p-1/c current"),
        ("namespaces/n/v1/pod/p-1/c/previous.log", "- n/p-1/c previous"),
        ("logs/n/p-1/c.log", "- n/p-1/c current"),
        ("logs/n/p-1/c.log.1", "- n/p-1/c previous"),
        ("kubecapture/core_v1/n/p-1/c/c.log", "- n/p-1/c current"),
        ("tmp/crashd/kubecapture/core_v1/n/pods/p-1/c/c.log", "- n/p-1/c current"),
        ("cluster-resources/pods/logs/n/p-1/c.log", "- n/p-1/c current"),
        ("cluster-resources/pods/logs/n/p-1/c-previous.log", "- n/p-1/c previous"),
        ("podlogs/n/p-1/logs/c.txt", "- n/p-1/c current"),
        ("n/p-1/logs.txt", "- n/p-1/- current"),
        ("namespaces/n/pods/p-1/c/c/logs/current.log", "- n/p-1/c current"),
        ("namespaces/n/pods/p-1/c/c/logs/previous.log", "- n/p-1/c previous"),
        ("config/pod/n/logs/p-1/errors.log", "- n/p-1/- current"),
        (
            "sos_commands/kubernetes/cluster-info/n/podlogs/p-1/kubectl_--kubeconfig_.etc.kubernetes.admin.conf_--namespace_n_logs_p-1_-c_c",
            "- n/p-1/c current",
        ),
        (
            "sos_commands/kubernetes/cluster-info/n/podlogs/p-1/k8s_kubectl_--namespace_n_logs_p-1_-c_c",
            "- n/p-1/c current",
        ),
        ("sos_commands/openshift/namespaces/n/pods/podlogs/oc_logs_--namespace_n_p-1", "- n/p-1/- current"),
        ("sos_commands/openshift/namespaces/n/pods/podlogs/oc_logs_--namespace_n_p-1_-p", "- n/p-1/- previous"),
        ("var/log/pods/n_p-1_0b7c1a52-6b71-4b7d-b729-1c2d3e4f5a6b/c/2.log", "- n/p-1/c 2.0"),
        (
            "sos_strings/kubernetes/var.log.pods.n_p-1_0b7c1a52-6b71-4b7d-b729-1c2d3e4f5a6b.c.2.log.tailed",
            "- n/p-1/c 2.0",
        ),
        ("nodes/w-1.zip!/logs/kubelet.log", "w-1 -/-/- current"),
        ("plugins/systemd-logs/results/w-1/systemd_logs", "w-1 -/-/- current"),
        ("plugins/systemd_logs/results/w-1", "w-1 -/-/- current"),
    ];
    for (name, wanted) in cases {
        assert_eq!(place(name), wanted, "{name}");
    }
    let class = |name: &str| catalogue.sources.locate(name).class;
    assert_eq!(class("sos_commands/kubernetes/journalctl_--no-pager_--unit_kubelet").as_deref(), Some("kubelet"));
    assert_eq!(class("nodes/w-1.zip!/logs/kubelet.log").as_deref(), Some("kubelet"));
    assert_eq!(class("logs/kube-system/etcd-cp-1/etcd.log.1").as_deref(), Some("etcd"));
}

#[test]
fn hazard_19_the_name_of_an_object_is_what_it_says_and_not_its_file() {
    let text = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: system:node\n";
    let node = "apiVersion: v1\nkind: Node\nmetadata:\n  name: w.1\n";
    let found = facts(&[
        ("cluster/rbac.authorization.k8s.io-v1/clusterrole/system-node.yaml", text),
        ("cluster/v1/node/w-1.yaml", node),
    ]);
    assert_eq!(objects(&found), ["clusterroles.rbac.authorization.k8s.io -/system:node x1", "nodes -/w.1 x1"]);
    assert_eq!(number(&found, "clusterroles.rbac.authorization.k8s.io"), 1);
}

#[test]
fn hazard_20_old_api_groups_are_the_kinds_of_today() {
    let catalogue = Catalogue::built_in();
    let kind = |version: &str, kind: &str| catalogue.kind_of(version, kind).to_string();
    for (version, typed, wanted) in [
        ("extensions/v1beta1", "Deployment", "deployments.apps"),
        ("apps/v1beta1", "Deployment", "deployments.apps"),
        ("extensions/v1beta1", "ReplicaSet", "replicasets.apps"),
        ("extensions/v1beta1", "DaemonSet", "daemonsets.apps"),
        ("extensions/v1beta1", "Ingress", "ingresses.networking.k8s.io"),
        ("extensions/v1beta1", "NetworkPolicy", "networkpolicies.networking.k8s.io"),
        ("policy/v1beta1", "PodDisruptionBudget", "poddisruptionbudgets.policy"),
        ("batch/v2alpha1", "CronJob", "cronjobs.batch"),
        ("v1", "Endpoints", "endpoints"),
        ("discovery.k8s.io/v1beta1", "EndpointSlice", "endpointslices.discovery.k8s.io"),
    ] {
        assert_eq!(kind(version, typed), wanted, "{typed} of {version}");
    }
    // Seen through two groups, it is one object.
    let deployment = |version: &str| {
        format!("apiVersion: {version}\nkind: Deployment\nmetadata: {{name: a, namespace: n, uid: u}}\n")
    };
    let found = facts(&[("a.yaml", &deployment("apps/v1")), ("b.yaml", &deployment("extensions/v1beta1"))]);
    assert_eq!(number(&found, "deployments.apps"), 1);
}

const CORE_EVENT: &str = r#"{"kind":"Event","apiVersion":"v1","metadata":{"name":"w.1","namespace":"n","uid":"u","resourceVersion":"9"},
    "involvedObject":{"kind":"Pod","name":"w","namespace":"n"},"reason":"FailedScheduling","message":"0/3 nodes are available","type":"Warning",
    "source":{"component":"default-scheduler"},"firstTimestamp":"2026-05-01T09:00:00Z","lastTimestamp":"2026-05-01T10:00:00Z","count":7,"eventTime":null}"#;
const SAME_EVENT: &str = r#"{"kind":"Event","apiVersion":"events.k8s.io/v1","metadata":{"name":"w.1","namespace":"n","uid":"u","resourceVersion":"9"},
    "regarding":{"kind":"Pod","name":"w","namespace":"n"},"reason":"FailedScheduling","note":"0/3 nodes are available","type":"Warning",
    "deprecatedSource":{"component":"default-scheduler"},"deprecatedFirstTimestamp":"2026-05-01T09:00:00Z","deprecatedLastTimestamp":"2026-05-01T10:00:00Z","deprecatedCount":7,"eventTime":null}"#;
const NEW_EVENT: &str = r#"{"kind":"Event","apiVersion":"v1","metadata":{"name":"w.2","namespace":"n","uid":"v"},
    "involvedObject":{"kind":"Pod","name":"w","namespace":"n"},"reason":"FailedScheduling","message":"0/3 nodes are available","type":"Warning",
    "source":{},"reportingComponent":"default-scheduler","firstTimestamp":null,"lastTimestamp":null,"eventTime":"2026-05-01T09:00:00.000000Z",
    "series":{"count":7,"lastObservedTime":"2026-05-01T10:00:00.000000Z"}}"#;

#[test]
fn hazard_21_both_forms_of_an_event_answer_to_one_set_of_paths() {
    let paths = [
        "message",
        "reason",
        "involvedObject.kind",
        "involvedObject.name",
        "source.component",
        "firstTimestamp",
        "lastTimestamp",
        "count",
    ];
    let read = |text: &str| {
        let found = facts(&[("event.json", text)]);
        let event = only(&found, "events");
        paths.map(|path| says(&found, event, path).replace(".000000", ""))
    };
    let core = read(CORE_EVENT);
    assert_eq!(core[0], r#"Str("0/3 nodes are available")"#);
    assert_eq!((core[6].as_str(), core[7].as_str()), (r#"Str("2026-05-01T10:00:00Z")"#, "Int(7)"));
    assert_eq!(read(SAME_EVENT), core);
    assert_eq!(read(NEW_EVENT), core);
}

#[test]
fn hazard_21_two_forms_of_one_event_are_one_event_without_a_conflict() {
    let found = facts(&[("a.json", CORE_EVENT), ("b.json", SAME_EVENT)]);
    assert_eq!(objects(&found), ["events n/w.1 x2"]);
    assert!(found.conflicts.is_empty(), "{:?}", found.conflicts);
    // The form that is read is the one that is cited.
    let alone = facts(&[("b.json", SAME_EVENT)]);
    let Lookup::Found(values) = alone.lookup(only(&alone, "events"), &Path::parse("message").unwrap()) else {
        panic!("the note of the event");
    };
    let cited = values[0].1.cite();
    assert!(cited.excerpt.starts_with("\"note\":"), "{cited:?}");
}
