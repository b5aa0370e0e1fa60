//! The clock of a bundle where its logs are of several forms, or of a machine that prints local time.

#![expect(clippy::expect_used, reason = "a helper of a test may panic")]

use catalogue::kinds::Catalogue;
use selftest::bench::Bench;
use signature::load::Library;
use std::collections::BTreeSet;

/// The clock, as text.
fn clock(files: &[(&str, &str)]) -> String {
    let library = Library::built_in().expect("the built-in signatures load");
    let members = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    let facts = Bench::new(&library, &Catalogue::built_in()).collect(members, None, &BTreeSet::new()).0.facts;
    let as_of = facts.contexts.first().and_then(|context| context.as_of.as_ref());
    as_of.map_or_else(|| "-".to_owned(), |as_of| as_of.time.to_string())
}

const NODE: &str = "apiVersion: v1\nkind: Node\nmetadata: {name: w-1, creationTimestamp: '2026-05-01T00:00:00Z'}\nstatus:\n  conditions:\n  - {type: Ready, status: Unknown, reason: NodeStatusUnknown, lastHeartbeatTime: '2026-05-13T23:23:27Z', lastTransitionTime: '2026-05-13T23:24:11Z'}\n";

#[test]
fn a_log_of_two_forms_ends_with_the_newest_line_that_states_its_zone() {
    let log = "time=\"2026-05-14T05:33:02Z\" level=info msg=\"checking\"\ntime=\"2026-05-14T06:02:02Z\" level=info msg=\"resolving\"\nI0514 06:02:03.046865       1 event.go:364] \"Event occurred\" object=\"kafka\"\n";
    assert_eq!(clock(&[("operator.log", log)]), "2026-05-14T06:02:02Z");
}

/// The journal of a kubelet that is started again every ten seconds, from this minute of an hour on.
fn journal(hour: u32, minute: u32) -> String {
    let lines = (0..60).map(|at| {
        let (minute, second) = (minute + at / 6, at % 6 * 10);
        format!("May 14 {hour:02}:{minute:02}:{second:02} w-1 systemd[1]: kubelet.service: Scheduled restart job, restart counter is at {at}.\n")
    });
    lines.collect()
}

#[test]
fn a_journal_that_goes_on_for_longer_than_a_zone_explains_is_the_clock() {
    let of = |journal: &str| clock(&[("node.yaml", NODE), ("w-1/kubelet.log", journal)]);
    assert_eq!(of(&journal(7, 8)), "2026-05-14T07:17:50Z", "seven hours and 53 minutes and a half later");
    assert_eq!(of(&journal(7, 14)), "2026-05-13T23:24:11Z", "eight hours later, within a minute: that may be its zone");
}

/// An event of a description is no older than its object.
#[test]
fn a_description_is_as_late_as_its_object_is_old_by_its_events() {
    let described = |name: &str, created: &str, age: &str| {
        format!(
            "Name:         {name}\nNamespace:    post\nLabels:       <none>\nAnnotations:  <none>\nAPI Version:  external-secrets.io/v1beta1\nKind:         ExternalSecret\nMetadata:\n  Creation Timestamp:  {created}\n  UID:                 u-{name}\nSpec:\n  Size:  1\nStatus:\n  Phase:  Waiting\nEvents:\n  Type     Reason  Age                 From    Message\n  ----     ------  ----                ----    -------\n  Warning  Failed  {age:<18}  stamps  no ink\n"
        )
    };
    let one = described("blue", "2026-05-14T08:17:40Z", "95s (x13 over 34m)");
    assert_eq!(clock(&[("blue.txt", &one)]), "2026-05-14T08:51:40Z");
    let often = described("blue", "2026-05-14T08:17:40Z", "2m");
    assert_eq!(clock(&[("blue.txt", &often)]), "2026-05-14T08:19:40Z");
    // Of two of one name in one file nobody knows whose the events are.
    let two = one + "\n\n" + &described("blue", "2026-05-14T07:17:40Z", "3h");
    assert_eq!(clock(&[("two.txt", &two)]), "2026-05-14T08:17:40Z");
}

/// A Machine and what its controller says of it at a time of the day, which the log states without a zone.
fn claim(said_at: &str) -> String {
    let claim = "apiVersion: ipam.cluster.x-k8s.io/v1beta1\nkind: IPAddressClaim\nmetadata: {name: pay-md-0-x2x4z-0, namespace: pay, creationTimestamp: '2026-05-14T06:52:18Z'}\nspec: {poolRef: {name: pay-nodes}}\nstatus: {}\n";
    let log = format!(
        "E0514 {said_at}.908312       1 controller.go:474] \"Reconciler error\" err=\"failed to find free address: no address available\" controller=\"ipaddressclaim\" name=\"pay-md-0-x2x4z-0\"\nI0514 08:12:06.000000       1 controller.go:474] \"Waiting\" name=\"other\"\n"
    );
    clock(&[("claims.yaml", claim), ("some-controller-manager.log", &log)])
}

#[test]
fn a_log_that_names_what_was_just_made_is_in_utc() {
    assert_eq!(claim("06:52:42"), "2026-05-14T08:12:06Z");
    assert_eq!(claim("06:52:18"), "2026-05-14T08:12:06Z");
    // An hour later it may be one of another zone.
    assert_eq!(claim("07:52:42"), "2026-05-14T06:52:18Z");
}

#[test]
fn a_management_cluster_and_its_workload_are_collected_in_one_go() {
    let library = Library::built_in().expect("the built-in signatures load");
    let clocks_of = |folder: &str, beat: &str| {
        let cluster = "apiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata: {name: wl-1, namespace: pay, creationTimestamp: '2026-05-01T00:00:00Z'}\nstatus:\n  conditions:\n  - {type: Ready, status: 'False', reason: Broken, lastTransitionTime: '2026-05-14T12:14:12Z'}\n";
        let node = format!(
            "apiVersion: v1\nkind: Node\nmetadata: {{name: w-1, creationTimestamp: '2026-05-01T00:00:00Z'}}\nstatus:\n  conditions:\n  - {{type: Ready, status: 'True', lastHeartbeatTime: '{beat}', lastTransitionTime: '2026-05-01T00:01:00Z'}}\n"
        );
        let files = [("mgmt/clusters.yaml", cluster.to_owned()), (&*format!("{folder}/nodes.yaml"), node)];
        let members: Vec<_> = files.into_iter().map(|(name, text)| (name.to_owned(), text.into_bytes())).collect();
        let facts = Bench::new(&library, &Catalogue::built_in()).collect(members, None, &BTreeSet::new()).0.facts;
        let clock = |name: &str| {
            let context = facts.contexts.iter().find(|context| context.name == name);
            let as_of = context.and_then(|context| context.as_of.as_ref());
            as_of.map_or_else(|| "-".to_owned(), |as_of| as_of.time.to_string())
        };
        (clock("mgmt"), clock(folder))
    };
    let clocks = |beat: &str| clocks_of("wl-1", beat);
    let both = |mgmt: &str, workload: &str| (mgmt.to_owned(), workload.to_owned());
    assert_eq!(clocks("2026-05-14T12:59:36Z"), both("2026-05-14T12:59:36Z", "2026-05-14T12:59:36Z"));
    let both_now = both("2026-05-14T12:59:36Z", "2026-05-14T12:59:36Z");
    assert_eq!(clocks_of("workload", "2026-05-14T12:59:36Z"), both_now, "the only Cluster that is shown");
    assert_eq!(clocks("2026-05-14T18:59:36Z"), both("2026-05-14T12:14:12Z", "2026-05-14T18:59:36Z"), "not in one go");
    assert_eq!(clocks("2026-05-14T11:59:36Z"), both("2026-05-14T12:14:12Z", "2026-05-14T11:59:36Z"));
}

/// Each log by the node that it is of, with its first time.
fn streams(files: &[(&str, &str)]) -> String {
    let library = Library::built_in().expect("the built-in signatures load");
    let members = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    let facts = Bench::new(&library, &Catalogue::built_in()).collect(members, None, &BTreeSet::new()).0.facts;
    let as_of = facts.contexts.first().and_then(|context| context.as_of.as_ref()).map(|as_of| as_of.time);
    let of = |stream: &facts::store::Stream| {
        let first = stream.parts.first().and_then(|(_, log)| log.tally.first?.resolve(as_of));
        let first = first.map_or_else(|| "-".to_owned(), |time| time.to_string());
        format!("{} {first}", stream.node.as_deref().unwrap_or("?"))
    };
    facts.streams.iter().map(of).collect::<Vec<_>>().join(", ")
}

#[test]
fn lines_of_a_machine_whose_clock_is_wrong_are_of_the_year_that_they_state() {
    let journal = |stated: &str| {
        format!(
            "Jan 01 00:44:01 w-1 kubelet[900]: I0101 00:44:01.000000     900 server.go:1] starting\nJan 01 00:44:02 w-1 kubelet[900]: E0101 00:44:02.112233     900 reflector.go:1] failed to list: x509: certificate has expired or is not yet valid: current time {stated} is before 2026-04-18T06:51:40Z\n"
        )
    };
    let of = |stated: &str| streams(&[("node.yaml", NODE), ("w-1/kubelet.log", &journal(stated))]);
    assert_eq!(of("2022-01-01T00:44:02Z"), "w-1 2022-01-01T00:44:01Z");
    // Without such a time they are of the last January before the bundle.
    assert_eq!(of("unknown"), "w-1 2026-01-01T00:44:01Z");
}

#[test]
fn a_journal_that_was_pasted_is_of_the_machine_that_its_lines_name() {
    let ticket = "all pods on it hang\n\nMay 14 03:17:31 ml-9 kernel: I/O error, dev nvme1n1, sector 1285652480 op 0x1:(WRITE) flags 0x4000 phys_seg 128 prio class 2\nMay 14 03:17:32 ml-9 kernel: Aborting journal on device nvme1n1p1-8.\n\n$ kubectl get nodes\nNAME   STATUS   ROLES    AGE    VERSION\nml-9   Ready    <none>   120d   v1.31.4\n";
    assert!(streams(&[("ticket.txt", ticket)]).starts_with("ml-9 "), "{}", streams(&[("ticket.txt", ticket)]));
}

#[test]
fn a_log_in_the_folder_of_a_machine_is_of_that_machine() {
    let node = NODE.replace("w-1", "m2");
    let log = "{\"level\":\"info\",\"ts\":\"2026-05-13T23:20:28.194Z\",\"caller\":\"rafthttp/peer_status.go:51\",\"msg\":\"peer became active\",\"peer-id\":\"2c72469d7cd27c92\"}\n";
    let of = |file: &str| streams(&[("nodes.yaml", &node), (file, log)]);
    assert_eq!(of("m2/etcd-before-power-loss.log"), "m2 2026-05-13T23:20:28.194Z");
    assert_eq!(of("logs/etcd-m3.log"), "m3 2026-05-13T23:20:28.194Z");
}

/// Somebody calls a folder after a machine in his own words.
#[test]
fn a_journal_is_of_the_node_that_its_lines_name_whatever_its_folder_is_called() {
    let journal = "May 13 23:20:28 w-1 kubelet[701]: I0513 23:20:28.114502     701 server.go:487] \"Kubelet version\" kubeletVersion=\"v1.29.9\"\nMay 13 23:20:29 w-1 kubelet[701]: I0513 23:20:29.114502     701 server.go:900] \"Client rotation is on\"\n";
    let of = |journal: &str| streams(&[("nodes.yaml", NODE), ("broken-node7/kubelet.log", journal)]);
    assert!(of(journal).starts_with("w-1 "), "{}", of(journal));
    // A name that is no Node's may be an alias of this one.
    let other = journal.replace(" w-1 ", " metal-04 ");
    assert!(of(&other).starts_with("broken-node7 "), "{}", of(&other));
}

#[test]
fn who_asked_several_clusters_asked_them_at_the_time_of_his_date() {
    let session = "$ kubectl --context blue get nodes\nNAME   STATUS   ROLES    AGE   VERSION\nb-1    Ready    <none>   9d    v1.31.4\n$ date -u\nThu May 14 10:00:00 UTC 2026\n$ kubectl --context red get nodes\nNAME   STATUS   ROLES    AGE   VERSION\nr-1    Ready    <none>   9d    v1.31.4\n$ date\n";
    let library = Library::built_in().expect("the built-in signatures load");
    let members = [("session.txt".to_owned(), session.as_bytes().to_vec())];
    let facts = Bench::new(&library, &Catalogue::built_in()).collect(members, None, &BTreeSet::new()).0.facts;
    let clock = |context: &facts::store::Context| {
        let time = context.as_of.as_ref().map(|as_of| as_of.time.to_string());
        format!("{} {}", context.name, time.unwrap_or_default())
    };
    let mut clocks: Vec<String> = facts.contexts.iter().map(clock).collect();
    clocks.sort();
    assert_eq!(clocks.join(", "), "blue 2026-05-14T10:00:00Z, red 2026-05-14T10:00:00Z");
}

#[test]
fn a_cluster_of_which_nothing_tells_a_time_has_that_of_the_same_text() {
    let library = Library::built_in().expect("the built-in signatures load");
    let clocks = |files: &[(&str, &str)]| {
        let members: Vec<_> = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
        let facts = Bench::new(&library, &Catalogue::built_in()).collect(members, None, &BTreeSet::new()).0.facts;
        let shown = |context: &facts::store::Context| {
            let clock = context.as_of.as_ref().map(|clock| format!("{} {:?}", clock.time, clock.precision));
            format!("{} {}", context.name, clock.unwrap_or_default())
        };
        let mut all: Vec<String> = facts.contexts.iter().map(shown).collect();
        all.sort();
        all.join(", ")
    };
    let blue = "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: shop, creationTimestamp: '2026-05-14T09:00:00Z'}\nstatus: {phase: Pending}\n";
    let red = "E0514 09:58:01.000000       1 controller.go:1] \"it failed\"\n";
    let text = format!(
        "$ kubectl --context blue get pod -n shop a -o yaml\n{blue}$ kubectl --context red logs -n shop web-1\n{red}$ date\n"
    );
    assert_eq!(clocks(&[("ticket.txt", &text)]), "blue 2026-05-14T09:00:00Z Quiet, red 2026-05-14T09:00:00Z Quiet");
    // Several files were collected at several times.
    let node = "NAME   STATUS   ROLES    AGE   VERSION\nb-1    Ready    <none>   9d    v1.31.4\n";
    assert!(
        clocks(&[("ticket.txt", &text), ("notes.txt", node)]).contains("red ,")
            || clocks(&[("ticket.txt", &text), ("notes.txt", node)]).ends_with("red ")
    );
}

#[test]
fn a_controller_of_cluster_api_writes_in_utc() {
    let machine = "apiVersion: cluster.x-k8s.io/v1beta1\nkind: Machine\nmetadata: {name: edge-md-0-x7k2q, namespace: edge, creationTimestamp: '2026-05-14T06:52:18Z'}\nspec: {clusterName: edge}\nstatus:\n  phase: Provisioning\n  conditions:\n  - {type: InfrastructureReady, status: 'False', reason: WaitingForInfrastructure, lastTransitionTime: '2026-05-14T06:52:20Z'}\n";
    let of = |name: &str| {
        let log = "I0514 09:52:20.000000       1 machine_controller_phases.go:286] \"Infrastructure provider is not ready, requeuing\"\nI0514 09:52:31.000000       1 machine_controller_phases.go:286] \"Infrastructure provider is not ready, requeuing\"\n";
        clock(&[("machines.yaml", machine), (name, log)])
    };
    assert_eq!(of("capi-controller-manager.log"), "2026-05-14T09:52:31Z");
    assert_eq!(of("capv-controller-manager-6c9b8f7d5-x2x4z.log"), "2026-05-14T09:52:31Z");
    // Three hours are a zone, and who else writes may be in it.
    assert_eq!(of("kubelet.log"), "2026-05-14T06:52:20Z");
    // An age in days tells no hour.
    let table = (
        "clusters.txt",
        "NAME   CLUSTERCLASS   PHASE         AGE   VERSION\nedge                  Provisioned   233d  v1.31.4\n",
    );
    let cluster = (
        "cluster.yaml",
        "apiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata: {name: edge, namespace: edge, creationTimestamp: '2025-09-23T05:00:00Z'}\nspec: {}\n",
    );
    let log = "I0514 09:52:31.000000       1 cluster_controller.go:286] \"Reconciling\"\n";
    assert_eq!(clock(&[("machines.yaml", machine), cluster, table, ("capi.log", log)]), "2026-05-14T09:52:31Z");
    let ticket = format!(
        "The machine does not come.\n\n$ kubectl get machine -n edge edge-md-0-x7k2q -o yaml\n{machine}\n$ kubectl logs -n capi-system deploy/capi-controller-manager --tail=2\nI0514 09:52:20.000000       1 machine_controller_phases.go:286] \"Infrastructure provider is not ready, requeuing\"\nI0514 09:52:31.000000       1 machine_controller_phases.go:286] \"Infrastructure provider is not ready, requeuing\"\n"
    );
    assert_eq!(clock(&[("ticket.txt", &ticket)]), "2026-05-14T09:52:31Z");
}

#[test]
fn a_log_between_commands_is_of_the_cluster_in_which_its_program_runs() {
    let log = "E1124 08:47:58.300121       1 controller.go:347] \"Reconciler error\" err=\"failed to run instance: InsufficientInstanceCapacity\" controller=\"awsmachine\" controllerGroup=\"infrastructure.cluster.x-k8s.io\" AWSMachine=\"data/pool-1\"\n";
    let machines = "$ kubectl --context mgmt get machines -n data\nNAME     CLUSTER   NODENAME   PROVIDERID   PHASE          AGE    VERSION\npool-1   data                              Provisioning   118m   v1.31.4\n\n";
    let pods = "$ kubectl --context data -n batch get pods\nNAME      READY   STATUS    RESTARTS   AGE\ntrain-1   0/1     Pending   0          121m\n\n";
    let context = |text: &str| {
        let library = Library::built_in().expect("the built-in signatures load");
        let members = [("ticket.txt".to_owned(), text.as_bytes().to_vec())].into_iter();
        let facts = Bench::new(&library, &Catalogue::built_in()).collect(members, None, &BTreeSet::new()).0.facts;
        let stream = facts.streams.first().expect("a log");
        facts.context(stream.context).name.clone()
    };
    assert_eq!(context(&format!("{machines}{pods}the log of capa, one of many:\n{log}")), "mgmt");
    // A command says where it was asked.
    assert_eq!(context(&format!("{machines}{pods}$ kubectl --context data logs -n x capa-1\n{log}")), "data");
}

#[test]
fn a_day_at_the_top_of_a_ticket_gives_a_log_its_year_and_is_a_lower_bound() {
    let cluster = "$ kubectl get machine w-3 -n shop -o yaml\napiVersion: cluster.x-k8s.io/v1beta1\nkind: Machine\nmetadata: {name: w-3, namespace: shop, creationTimestamp: '2026-06-16T08:44:09Z'}\nstatus: {phase: Running}\n";
    let log =
        "\nfrom the log of our operator on the node:\n\nE0914 07:02:12.118233       1 main.go:181] it did not work\n";
    let of = |day: &str, log: &str| clock(&[("ticket.txt", &format!("{day}\nNothing is made.\n\n{cluster}{log}"))]);
    assert_eq!(of("", ""), "2026-06-16T08:44:09Z");
    assert_eq!(of("Date: 2026-09-14", ""), "2026-09-13T10:00:00Z");
    assert_eq!(of("Date: 2026-09-14", log), "2026-09-14T07:02:12.118233Z");
    assert_eq!(of("The certificate expires 2026-12-01", ""), "2026-06-16T08:44:09Z");
}
