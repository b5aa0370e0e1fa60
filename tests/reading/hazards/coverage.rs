//! Traps of what was asked and not answered, and of time.
#![expect(clippy::expect_used, reason = "tests and their helpers fail by panicking")]

use catalogue::kinds::Catalogue;
use diagnose::{Collected, Input, Options, Quiet, collect};
use facts::kind::KindName;
use facts::object::ContextId;
use facts::store::{Absence, Scope};
use intake::Source;
use signature::load::Library;

/// Reads a folder with these files, under a name of its own.
fn read(name: &str, files: &[(&str, &str)]) -> Collected {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join(name);
    for (name, text) in files {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let library = Library::built_in().expect("the built-in signatures load");
    let input = Input { source: Source::Path(root), context: None };
    collect(&[input], &library, &Catalogue::built_in(), &Options::default(), &mut Quiet)
        .expect("the folder can be read")
}

/// What is known of the absence of a kind: `stated`, `listed`, or the state that says why it is unknown.
fn absence(collected: &Collected, kind: &str, namespace: Option<&str>) -> &'static str {
    let scope = Scope { namespace: namespace.map(str::to_owned), name: None };
    match collected.facts.absence(ContextId(0), &KindName::parse(kind), &scope) {
        Absence::Stated(_) => "stated",
        Absence::Listed(_) => "listed",
        Absence::Rows(_) => "rows",
        Absence::Unknown { state, .. } => state.word(),
    }
}

fn said(collected: &Collected) -> Vec<String> {
    collected.facts.unread.iter().map(|(_, _, why)| why.to_string()).collect()
}

const EMPTY_PODS: &str = r#"{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":null}"#;

#[test]
fn hazard_13_what_a_collector_says_it_did_not_get_is_no_absence() {
    let bundle = read(
        "x",
        &[
            ("cluster-resources/pods/shop.json", EMPTY_PODS),
            (
                "cluster-resources/pods-errors.json",
                r#"{"desk": "pods is forbidden: User \"c\" cannot list resource \"pods\""}"#,
            ),
            (
                "cluster-resources/nodes-errors.json",
                r#"["the server was unable to return a response in the time allotted"]"#,
            ),
            ("cluster-resources/services/shop.json", ""),
            ("cluster-resources/pods/logs/shop/web-1/web-logs-errors.log", "container \"web\" is waiting to start"),
            (
                "collector-errors/etcd-error.json",
                r#"{"collector":"etcd","error":"no such host","timestamp":"2026-03-04T09:00:00Z"}"#,
            ),
            (
                "skipped-collectors.json",
                r#"[{"collector":"cluster-resources","reason":"insufficient RBAC permissions","errors":["cannot collect x: action \"list\" is not allowed on resource \"leases.coordination.k8s.io\" in the \"shop\" namespace"],"timestamp":"2026-03-04T09:00:01Z"}]"#,
            ),
        ],
    );
    assert_eq!(bundle.bundles[0].layout, "troubleshoot");
    let kinds = [
        ("pods", Some("shop"), "stated"),
        ("pods", Some("desk"), "forbidden"),
        ("pods", Some("mill"), "never-asked"),
        ("nodes", None, "error"),
        // A file was opened and nothing came.
        ("services", Some("shop"), "error"),
        ("leases.coordination.k8s.io", Some("shop"), "forbidden"),
        ("etcdmembers.casefile.dev", None, "error"),
        ("pods/log", Some("shop"), "error"),
        ("secrets", Some("shop"), "never-asked"),
    ];
    for (kind, namespace, wanted) in kinds {
        assert_eq!(absence(&bundle, kind, namespace), wanted, "{kind} in {namespace:?}");
    }
    assert!(said(&bundle).iter().any(|reason| reason.contains("collector `etcd` failed: no such host")));
}

#[test]
fn hazard_13_a_missing_etcd_info_means_that_nobody_could_ask_etcd() {
    let pods = "apiVersion: v1\nitems: []\nkind: PodList\nmetadata:\n  resourceVersion: \"7\"\n";
    let files = [("version", "openshift/must-gather\n4.16.0\n"), ("namespaces/openshift-etcd/core/pods.yaml", pods)];
    let down = read("x", &files);
    assert_eq!(down.bundles[0].layout, "must-gather");
    assert_eq!(absence(&down, "etcdmembers.casefile.dev", None), "error");
    // Another image never asks for etcd.
    let other = read("x", &files[1..]);
    assert_eq!(absence(&other, "etcdmembers.casefile.dev", None), "never-asked");
}

#[test]
fn an_alarm_list_of_must_gather_without_alarms_is_an_answer() {
    let header = r#"{"header":{"cluster_id":1,"member_id":2,"raft_term":7}}"#;
    let health = r#"[{"endpoint":"https://10.0.0.1:2379","health":true,"took":"22ms"},{"endpoint":"unixs://10.0.0.1:0","health":false,"took":"5s","error":"context deadline exceeded"}]"#;
    let members = r#"{"header":{"cluster_id":1,"member_id":2,"raft_term":7},"members":[{"ID":2,"name":"m-0","peerURLs":["https://10.0.0.1:2380"],"clientURLs":["https://10.0.0.1:2379"]}]}"#;
    let files = [
        ("version", "openshift/must-gather\n4.16.0\n"),
        ("cluster-scoped-resources/core/nodes/m-0.yaml", "apiVersion: v1\nkind: Node\nmetadata:\n  name: m-0\n"),
        ("etcd_info/alarm_list.json", header),
        ("etcd_info/endpoint_health.json", health),
        ("etcd_info/member_list.json", members),
    ];
    let bundle = read("x", &files);
    assert_eq!(bundle.bundles[0].layout, "must-gather");
    assert_eq!(absence(&bundle, "etcdalarms.casefile.dev", None), "stated");
    let kind = KindName::parse("etcdendpointhealths.casefile.dev");
    let names: Vec<&str> =
        bundle.facts.of_kind(ContextId(0), &kind).iter().map(|id| bundle.facts.object(*id).name.as_str()).collect();
    assert_eq!(names, ["https://10.0.0.1:2379"], "sockets of the node never answer, and are no members");
    assert_eq!(said(&bundle), Vec::<String>::new());
}

#[test]
fn hazard_15_a_stated_time_of_collection_comes_first() {
    let pod = "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a\n    namespace: shop\n    creationTimestamp: \"2026-03-04T08:00:00Z\"\nkind: PodList\n";
    let clock = |bundle: &Collected| {
        let as_of = bundle.facts.context(ContextId(0)).as_of.clone().expect("a clock");
        (as_of.time.to_string(), as_of.source)
    };
    let name = "namespaces/shop/core/pods.yaml";
    let inferred = read("x", &[(name, pod)]);
    assert_eq!(clock(&inferred).0, "2026-03-04T08:00:00Z");
    let times = "2026-03-04 12:11:56.91501602 +0200 CEST m=+1.65\n2026-03-04 12:14:13.632016778 +0200 CEST m=+138.3\n";
    let stated = read("x", &[(name, pod), ("timestamp", times)]);
    assert_eq!(clock(&stated).0, "2026-03-04T10:14:13.632016778Z");
    assert!(clock(&stated).1.contains("stated by the collector"));
    // In the name of the root folder, though it is stripped off the names of members.
    let named = read(
        "x",
        &[(&format!("support-bundle-2026-03-04T10_11_12/cluster-resources/{}", "pods/shop.json"), EMPTY_PODS)],
    );
    assert_eq!(clock(&named).0, "2026-03-04T10:11:12Z");
    // Of the folder that was named on the command line.
    let given = read("support-bundle-2026-03-04T10_11_12", &[("cluster-resources/pods/shop.json", EMPTY_PODS)]);
    assert_eq!(clock(&given).0, "2026-03-04T10:11:12Z");
    // A folder that no collector made says nothing by its name.
    let plain = read("notes-2026-03-04T10_11_12", &[("get-pods.yaml", pod)]);
    assert_eq!(clock(&plain).0, "2026-03-04T08:00:00Z");
}

#[test]
fn hazard_22_no_events_means_only_that_none_is_kept() {
    let events = EMPTY_PODS.replace("PodList", "EventList");
    let bundle = read("x", &[("cluster-resources/events/shop.json", &events)]);
    // The list is whole, and the API server forgets events after an hour.
    assert_eq!(absence(&bundle, "events", Some("shop")), "truncated");
    let empty = bundle.facts.coverage.iter().filter(|c| c.answer.state.word() == "empty").count();
    assert_eq!(empty, 1, "what was asked is still said");
    let plain = read("x", &[("events.json", &events)]);
    assert_eq!(absence(&plain, "events", Some("shop")), "never-asked");
}

#[test]
fn a_table_whose_command_is_not_known_shows_rows_and_a_list_a_list() {
    const NODES: &str = "NAME   STATUS   ROLES    AGE   VERSION\ncp-1   Ready    <none>   3d    v1.31.0\n";
    const LIST: &str =
        "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata: {name: cp-1, uid: u}\nkind: List\n";
    let session = format!("$ kubectl get nodes\n{NODES}$ date\n");
    let of = |file: &str, text: &str, kind: &str| absence(&read("x", &[(file, text)]), kind, None);
    assert_eq!(of("get-nodes.txt", NODES, "nodes"), "rows");
    assert_eq!(of("nodes.yaml", LIST, "nodes"), "listed");
    assert_eq!(of("session.txt", &session, "nodes"), "stated");
    assert_eq!(of("session.txt", &session.replace("nodes", "nodes | head -3"), "nodes"), "partial");
}
