//! The laws of what is derived of Pods, Services and members of etcd, from bytes to fields.

use crate::facts_of_bundles::bundle;
use crate::taken_away::{CATALOGUE, LIBRARY};
use assemble::assembly::{BuildOptions, build};
use catalogue::kinds::Catalogue;
use derive::{derive, kinds};
use diagnose::{Input, Options, Quiet, collect};
use engine::age;
use facts::kind::KindName;
use facts::object::ContextId;
use facts::path::Path;
use facts::store::Facts;
use intake::Source;
use signature::model::AgeTest;

fn facts(files: &[(&str, &str)]) -> Facts {
    let options = BuildOptions { wanted: kinds().into_iter().collect(), ..BuildOptions::default() };
    let mut facts = build(&mut [bundle(files)], &Catalogue::built_in(), &options);
    derive(&mut facts);
    facts
}

/// Objects of a derived kind as `name: status`.
fn derived(files: &[(&str, &str)], kind: &str) -> String {
    let facts = facts(files);
    let ids = facts.of_kind(ContextId(0), &KindName::parse(&format!("{kind}.casefile.dev")));
    let shown = ids.iter().map(|id| {
        let object = facts.object(*id);
        let status = object.sightings.first().and_then(|sighting| sighting.record.node.get("status"));
        format!("{}: {}", object.name, status.map_or_else(String::new, ToString::to_string))
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// What is wrong with workloads.
fn troubles(files: &[(&str, &str)]) -> String {
    let facts = facts(files);
    let ids = facts.of_kind(ContextId(0), &KindName::parse("workloads.casefile.dev"));
    let troubles = |id| {
        let status = facts.object(id).sightings.first()?.record.node.get("status")?;
        let lasting = |(key, node): &(facts::node::SmolStr, facts::node::Node)| {
            node.get("present")?;
            Some(format!("{key} lasting {}", node.get("lasting").map_or("?".to_owned(), ToString::to_string)))
        };
        let all: Vec<String> = status.entries().iter().filter_map(lasting).collect();
        Some(format!("{}: {}", facts.object(id).name, all.join(", ")))
    };
    ids.iter().filter_map(|id| troubles(*id)).collect::<Vec<_>>().join("\n")
}

const PENDING: &str = "NAMESPACE   NAME    READY   STATUS              RESTARTS   AGE
shop        web-1   0/1     ContainerCreating   0          5h
";

fn events(last_seen: &str) -> String {
    format!(
        "NAMESPACE   LAST SEEN               TYPE      REASON        OBJECT      MESSAGE\n\
         shop        {last_seen:<24}Warning   FailedMount   pod/web-1   MountVolume.SetUp failed for volume \"data\" : no such device\n"
    )
}

#[test]
fn the_age_of_an_event_in_a_table_tells_whether_it_is_over() {
    let told = |last_seen: &str| troubles(&[("get-pods.txt", PENDING), ("get-events.txt", &events(last_seen))]);
    insta::assert_snapshot!(told("5m12s (x23 over 4h)"), @"web-1: volumeMount lasting true");
    insta::assert_snapshot!(told("5m12s"), @"web-1: volumeMount lasting true");
    // Seen four hours ago and not since: that is not why the Pod waits now.
    insta::assert_snapshot!(told("4h2m (x23 over 4h40m)"), @"web-1:");
    insta::assert_snapshot!(told("<unknown>"), @"web-1: volumeMount lasting true");
}

#[test]
fn the_age_of_an_event_in_a_description_tells_it_too() {
    let described = |age: &str| {
        format!(
            "Name:             web-1\nNamespace:        shop\nLabels:           app=web\nStatus:           Pending\nNode:             w-1/10.0.0.1\nIP:               \nContainers:\n  app:\n    Image:          app:1\n    \
             State:          Waiting\n      Reason:       ContainerCreating\n    Ready:          False\n    Restart Count:  0\n\
             Conditions:\n  Type              Status\n  Initialized       True\n  Ready             False\n  PodScheduled      True\n\
             Events:\n  Type     Reason       Age                    From     Message\n  ----     ------       ----                   ----     -------\n  \
             Warning  FailedMount  {age:<23}kubelet  MountVolume.SetUp failed for volume \"data\" : no such device\n"
        )
    };
    insta::assert_snapshot!(troubles(&[("describe-pods.txt", &described("5m12s (x23 over 4h)"))]), @"web-1: volumeMount lasting true");
    insta::assert_snapshot!(troubles(&[("describe-pods.txt", &described("4h2m (x23 over 4h40m)"))]), @"web-1:");
}

#[test]
fn the_time_of_an_event_wins_over_its_printed_age() {
    let event = |last: &str| {
        format!(
            "apiVersion: v1\nkind: Event\nmetadata: {{name: web-1.17a, namespace: shop, uid: e1}}\ntype: Warning\nreason: FailedMount\n\
             message: \"MountVolume.SetUp failed for volume \\\"data\\\" : no such device\"\ncount: 23\nlastTimestamp: \"{last}\"\n\
             involvedObject: {{kind: Pod, name: web-1, namespace: shop}}\n---\n\
             apiVersion: v1\nkind: Event\nmetadata: {{name: other.17a, namespace: shop}}\ntype: Normal\nreason: Pulled\nmessage: Pulled it\n\
             lastTimestamp: \"2026-05-01T10:00:00Z\"\ninvolvedObject: {{kind: Pod, name: other, namespace: shop}}\n---\n\
             apiVersion: v1\nkind: Pod\nmetadata: {{name: other, namespace: shop, creationTimestamp: \"2026-05-01T09:59:00Z\"}}\n"
        )
    };
    let (old, young) = (event("2026-05-01T06:00:00Z"), event("2026-05-01T09:55:00Z"));
    let table = events("5m12s (x23 over 4h)");
    for names in [["a/events.yaml", "get-events.txt"], ["z/events.yaml", "get-events.txt"]] {
        let told = |event: &str| troubles(&[("get-pods.txt", PENDING), (names[0], event), (names[1], &table)]);
        assert!(!told(&old).contains("volumeMount"), "{}", told(&old));
        assert!(told(&young).contains("volumeMount lasting true"), "{}", told(&young));
    }
}

#[test]
fn a_pod_that_a_table_shows_as_young_is_only_starting() {
    let young = PENDING.replace("5h", "8s");
    assert_eq!(troubles(&[("get-pods.txt", &young), ("get-events.txt", &events("5s"))]), "web-1: ");
}

fn pod(init: &str, statuses: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: web-1, namespace: shop, creationTimestamp: \"2026-05-01T08:00:00Z\", labels: {{app: web}}}}\n\
         spec:\n  nodeName: w-1\n  initContainers: [{init}]\n  containers: [{{name: app, image: app:1, ports: [{{name: http, containerPort: 8080}}]}}]\n\
         status:\n  phase: Running\n  conditions: [{{type: Ready, status: \"False\", lastTransitionTime: \"2026-05-01T10:00:00Z\"}}]\n  \
         initContainerStatuses: [{statuses}]\n  containerStatuses: [{{name: app, ready: true, restartCount: 0, state: {{running: {{startedAt: \"2026-05-01T08:00:05Z\"}}}}}}]\n"
    )
}

#[test]
fn a_sidecar_that_crashes_is_no_init_container_that_blocks() {
    let state = "{name: proxy, ready: false, restartCount: 9, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 1, reason: Error}}}";
    let told = |init: &str| troubles(&[("pod.yaml", &pod(init, state))]);
    assert_eq!(told("{name: proxy, image: proxy:1}"), "web-1: initFailing lasting true");
    assert_eq!(told("{name: proxy, image: proxy:1, restartPolicy: Always}"), "web-1: crashLoop lasting true");
}

#[test]
fn a_port_is_missing_only_where_the_names_of_all_ports_are_known() {
    let service = |target: &str| {
        format!(
            "apiVersion: v1\nkind: Service\nmetadata: {{name: web, namespace: shop, uid: u1}}\nspec: {{selector: {{app: web}}, ports: [{{port: 80, targetPort: {target}}}]}}\n"
        )
    };
    let sidecar = "{name: proxy, image: proxy:1, restartPolicy: Always, ports: [{name: admin, containerPort: 9901}]}";
    let told = |target: &str, file: &str, pod: &str| {
        let status = derived(&[("service.yaml", &service(target)), (file, pod)], "servicebackends");
        status.split_once("missingPorts: ").map_or("-".to_owned(), |(_, ports)| ports.to_owned())
    };
    let yaml = pod(sidecar, "");
    assert_eq!(told("http", "pod.yaml", &yaml), "-");
    assert!(told("grpc", "pod.yaml", &yaml).contains("grpc"));
    // Native sidecars have ports too; init containers that end have none that serve.
    assert_eq!(told("admin", "pod.yaml", &yaml), "-");
    let ends = pod(&sidecar.replace(", restartPolicy: Always", ""), "");
    assert!(told("admin", "pod.yaml", &ends).contains("admin"));
    // A description prints the numbers of ports without their names.
    let described = "Name:             web-1\nNamespace:        shop\nLabels:           app=web\nStatus:           Running\nNode:             w-1/10.0.0.1\nContainers:\n  app:\n    Container ID:   containerd://1\n    Image:          app:1\n    Port:           8080/TCP\n    Host Port:      0/TCP\n    State:          Running\n      Started:      Fri, 01 May 2026 08:00:05 +0000\n    Ready:          True\n    Restart Count:  0\nConditions:\n  Type              Status\n  Ready             True\nEvents:             <none>\n";
    assert_eq!(told("http", "describe-pods.txt", described), "-");
}

#[test]
fn a_table_of_endpoints_tells_how_many_are_ready() {
    let service = "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop, uid: u1}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n";
    let ready = |cell: &str| {
        let table = format!(
            "NAMESPACE   NAME   ENDPOINTS                                AGE\nshop        web    {cell:<40} 80d\n"
        );
        let status = derived(&[("service.yaml", service), ("get-endpoints.txt", &table)], "servicebackends");
        let behind = status.split_once("readyEndpoints: ").map_or("", |(_, behind)| behind);
        behind.split([',', ' ']).next().unwrap_or_default().to_owned()
    };
    assert_eq!(ready("<none>"), "0");
    assert_eq!(ready("10.42.1.9:8080"), "1");
    assert_eq!(ready("10.42.1.9:8080,10.42.1.10:8080"), "2");
    assert_eq!(ready("10.42.1.9:80,10.42.1.10:80 + 7 more..."), "", "the list is cut");
}

#[test]
fn a_certificate_expires_by_no_clock_of_an_unknown_zone() {
    // An answer of openssl, Nodes that beat, and a controller whose container has the zone of its host.
    let certificate = (
        "openssl.txt",
        "subject=CN = kube-apiserver\nnotBefore=May  1 09:00:00 2025 GMT\nnotAfter=May  1 10:30:00 2026 GMT\n",
    );
    let node = |name: &str| {
        format!(
            "apiVersion: v1\nkind: Node\nmetadata: {{name: {name}, creationTimestamp: \"2026-04-01T10:00:00Z\"}}\nstatus: {{conditions: [{{type: Ready, status: \"True\", lastHeartbeatTime: \"2026-05-01T10:00:00Z\", lastTransitionTime: \"2026-04-01T10:00:00Z\"}}]}}\n"
        )
    };
    let (a, b) = (node("a"), node("b"));
    let klog = ("capi-controller-manager.log", "I0501 10:59:00.000000       1 a.go:1] \"Reconciling\"\n");
    let told = |files: &[(&str, &str)]| {
        let kind = KindName::parse("certificates.casefile.dev");
        let options = BuildOptions { wanted: [kind.clone()].into(), ..BuildOptions::default() };
        let facts = build(&mut [bundle(files)], &Catalogue::built_in(), &options);
        let [id] = facts.of_kind(ContextId(0), &kind) else { return "not one".to_owned() };
        let window = age::window(&facts, ContextId(0));
        let says = |path: &str, test: AgeTest| {
            let path = Path::parse(path).expect("a path");
            format!("{:?}", age::check(test, &path, &facts.lookup(*id, &path), window).truth)
        };
        let (expired, started) = (AgeTest::OlderThan(0), AgeTest::OlderThan(0));
        let soon = AgeTest::DueWithin(24 * 3600);
        format!(
            "expired {}, due in a day {}, begun {}",
            says("spec.notAfter", expired),
            says("spec.notAfter", soon),
            says("spec.notBefore", started)
        )
    };
    insta::assert_snapshot!(told(&[certificate, ("a.yaml", &a), ("b.yaml", &b), klog]), @"expired False, due in a day True, begun True");
    // A clock that states no zone itself, an hour or a day after the end.
    let etcd = |time: &str| format!("{time}.000000 I | etcdserver: ready to serve client requests\n");
    insta::assert_snapshot!(told(&[certificate, ("etcd.log", &etcd("2026-05-01 11:30:00"))]), @"expired Unknown, due in a day True, begun True");
    insta::assert_snapshot!(told(&[certificate, ("etcd.log", &etcd("2026-05-02 11:30:00"))]), @"expired True, due in a day True, begun True");
    insta::assert_snapshot!(told(&[certificate, ("etcd.log", &etcd("2026-04-29 11:30:00"))]), @"expired False, due in a day False, begun True");
}

#[test]
fn an_event_of_a_claim_is_of_the_claim_that_is_here_now() {
    let claim = |uid: &str| {
        format!(
            "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: data, namespace: shop{uid}, creationTimestamp: \"2026-05-01T09:00:00Z\"}}\nstatus: {{phase: Pending}}\n---\n\
             apiVersion: v1\nkind: Node\nmetadata: {{name: a, creationTimestamp: \"2026-05-01T10:00:00Z\"}}\n"
        )
    };
    let event = |uid: &str, last: &str| {
        format!(
            "apiVersion: v1\nkind: Event\nmetadata: {{name: e1, namespace: shop}}\nreason: ProvisioningFailed\nmessage: no room\nlastTimestamp: \"{last}\"\n\
             involvedObject: {{kind: PersistentVolumeClaim, name: data, namespace: shop{uid}}}\n"
        )
    };
    let told = |of: &str, about: &str, last: &str| {
        let files = [("claim.yaml", claim(of)), ("event.yaml", event(about, last))];
        !derived(&files.each_ref().map(|(name, text)| (*name, text.as_str())), "claimevents").is_empty()
    };
    let (new, old) = (", uid: u-2", ", uid: u-1");
    assert!(told(new, new, "2026-05-01T09:55:00Z"));
    assert!(!told(new, old, "2026-05-01T09:55:00Z"), "another UID");
    // Where one of the UIDs is not known, the age decides.
    assert!(told("", old, "2026-05-01T09:55:00Z") && told(new, "", "2026-05-01T09:55:00Z"));
    assert!(!told("", old, "2026-05-01T08:30:00Z"), "older than the claim");
}

/// A line of the log of a member of etcd, by its ID.
fn of_member(id: &str, second: u32) -> String {
    format!(
        "{{\"level\":\"info\",\"ts\":\"2026-05-14T10:00:{second:02}.000Z\",\"caller\":\"rafthttp/stream.go:166\",\"msg\":\"started stream writer with remote peer\",\"local-member-id\":\"{id}\",\"remote-peer-id\":\"cccccccccccccccc\"}}\n"
    )
}

const LISTED: &str = "aaaaaaaaaaaaaaaa, started, cp-1, https://10.0.0.11:2380, https://10.0.0.11:2379, false
bbbbbbbbbbbbbbbb, started, cp-2, https://10.0.0.12:2380, https://10.0.0.12:2379, false
cccccccccccccccc, started, cp-3, https://10.0.0.13:2380, https://10.0.0.13:2379, false
";

/// How many members of etcd there are, given a log.
fn members_beside(log: &str, listed: &str) -> usize {
    let files = [("etcdctl-member-list.txt", listed), ("etcd.log", log)];
    derived(&files, "etcdclustermembers").lines().count()
}

#[test]
fn a_line_of_another_log_makes_no_two_members_of_etcd_one() {
    let [a, b] = ["aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"];
    let own: String = (0..5).map(|second| of_member(a, second)).collect();
    assert_eq!(members_beside(&own, LISTED), 3);
    // One line, and a whole log, of another member.
    assert_eq!(members_beside(&format!("{own}{}", of_member(b, 9)), LISTED), 3);
    let other: String = (10..15).map(|second| of_member(b, second)).collect();
    assert!(members_beside(&format!("{own}{other}"), LISTED) >= 3, "a list that shows both says that they are two");
    // What restores a snapshot calls itself 0.
    let zero: String = (0..5).map(|second| of_member("0", second)).collect();
    assert!(
        !derived(&[("etcdctl-member-list.txt", LISTED), ("etcd.log", &zero)], "etcdclustermembers").contains("\n0:")
    );
}

#[test]
fn a_member_of_etcd_that_never_came_votes_for_nothing() {
    let serving = |listed: &str| {
        let status = derived(&[("etcdctl-member-list.txt", listed)], "etcdclusters");
        let (_, rest) = status.split_once("possiblyServing: ").expect("the field is there");
        rest.split([',', '}']).next().unwrap_or_default().to_owned()
    };
    assert_eq!(serving(LISTED), "3");
    assert_eq!(serving(&LISTED.replace("started, cp-3,", "unstarted, ,")), "2");
}

/// Two Pods of one DaemonSet that crash alike, and a log that is called after their container.
#[test]
fn a_log_is_called_after_a_container_that_one_workload_alone_has() {
    let pod = |name: &str, owner: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: net, uid: u-{name}, ownerReferences: [{{kind: DaemonSet, apiVersion: apps/v1, name: {owner}, uid: u-{owner}, controller: true}}]}}\nspec: {{containers: [{{name: mesh-agent, image: a:1}}]}}\nstatus: {{phase: Running, containerStatuses: [{{name: mesh-agent, image: a:1, ready: false, restartCount: 9, state: {{waiting: {{reason: CrashLoopBackOff}}}}, lastState: {{terminated: {{exitCode: 1, reason: Error}}}}}}]}}\n---\n"
        )
    };
    let log = "2026-05-14T10:00:00Z INFO starting\n2026-05-14T10:00:01Z FATAL cannot read the key of the mesh\n";
    let said = |pods: &str, file: &str| {
        let status = derived(&[("pods.yaml", pods), (file, log)], "workloads");
        status.contains("cannot read the key of the mesh")
    };
    let both = format!("{}{}", pod("mesh-2x4zv", "mesh"), pod("mesh-9k7lq", "mesh"));
    assert!(said(&both, "mesh-agent-previous.log"));
    let of_two = format!("{}{}", pod("mesh-2x4zv", "mesh"), pod("edge-9k7lq", "edge"));
    assert!(!said(&of_two, "mesh-agent-previous.log"), "of which of the two?");
    assert!(!said(&both, "other-agent.log"));
}

#[test]
fn a_pod_that_is_shown_alone_is_not_known_to_be_young() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: db-0, namespace: shop, uid: u1, creationTimestamp: \"2026-05-14T10:00:00Z\"}\nspec: {containers: [{name: db, image: db:1}]}\nstatus: {phase: Pending, conditions: [{type: PodScheduled, status: \"False\", reason: Unschedulable, message: '0/3 nodes are available: 3 Insufficient cpu.', lastTransitionTime: \"2026-05-14T10:00:00Z\"}]}\n";
    assert_eq!(troubles(&[("pod.yaml", pod)]), "db-0: unschedulable lasting ?");
    // A Lease that was renewed a minute later says that it is.
    let lease = "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: w-1, namespace: kube-node-lease, uid: u2}\nspec: {holderIdentity: w-1, renewTime: \"2026-05-14T10:01:00.000000Z\"}\n";
    assert_eq!(troubles(&[("pod.yaml", pod), ("leases.yaml", lease)]), "db-0: ");
}

#[test]
fn a_file_that_is_called_after_its_command_has_the_namespace_of_it() {
    let table =
        "NAME    READY   STATUS             RESTARTS   AGE\nweb-1   0/1     CrashLoopBackOff   12         40m\n";
    let namespace = |file: &str| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join(file), table).expect("written");
        let input = Input { source: Source::Path(folder.path().to_owned()), context: None };
        let collected = collect(&[input], &LIBRARY, &CATALOGUE, &Options::default(), &mut Quiet).expect("it is read");
        let facts = collected.facts;
        let ids = facts.of_kind(ContextId(0), &KindName::parse("pods"));
        ids.iter().map(|id| facts.object(*id).namespace.clone().unwrap_or_default()).collect::<Vec<_>>()
    };
    assert_eq!(namespace("oc_get_pods_-n_shop_-o_wide.txt"), ["shop"]);
    assert_eq!(namespace("pods.txt"), [""]);
}
