//! The laws of the as-of clock, tested from bytes to the time: what may raise it, and what may not.

use crate::facts_of_bundles::{digest, facts};
use facts::object::ContextId;
use facts::store::Precision;
use proptest::prelude::*;

/// The clock, how closely it is known, when the objects were read, if earlier, and when the logs were, if later.
fn clock(files: &[(&str, &str)]) -> String {
    let facts = facts(files);
    let Some(as_of) = &facts.context(ContextId(0)).as_of else { return "-".to_owned() };
    let precision = match as_of.precision {
        Precision::Stated => String::new(),
        Precision::OrLater | Precision::Quiet => " or later".to_owned(),
        Precision::Before(until) => format!(" before {until}"),
        Precision::Unzoned => " in a zone that is not stated".to_owned(),
    };
    let objects = as_of.objects.filter(|time| *time < as_of.time).map(|time| format!(", objects {time}"));
    let logs = as_of.logs.map(|time| format!(", logs {time}"));
    format!("{}{precision}{}{}", as_of.time, objects.unwrap_or_default(), logs.unwrap_or_default())
}

const MACHINES: (&str, &str) = (
    "machines.yaml",
    "apiVersion: v1
kind: List
items:
- apiVersion: cluster.x-k8s.io/v1beta2
  kind: Machine
  metadata: {name: cp-1, namespace: edge, creationTimestamp: \"2026-05-01T10:00:00Z\"}
- apiVersion: cluster.x-k8s.io/v1beta2
  kind: Machine
  metadata: {name: md-1, namespace: edge, creationTimestamp: \"2026-05-01T10:00:13Z\"}
",
);
const TABLE: (&str, &str) = (
    "get-machines.txt",
    "NAME   CLUSTER   NODENAME   PROVIDERID   PHASE         AGE     VERSION
cp-1   edge      cp-1       m://1        Running       6m49s   v1.31.1
md-1   edge                 m://2        Provisioned   6m36s   v1.31.1
",
);
const NODES: (&str, &str) = (
    "nodes.yaml",
    "apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata: {name: a, creationTimestamp: \"2026-04-01T10:00:00Z\"}
  status: {conditions: [{type: Ready, status: \"True\", lastHeartbeatTime: \"2026-05-01T10:00:00Z\", lastTransitionTime: \"2026-04-01T10:00:00Z\"}]}
- apiVersion: v1
  kind: Node
  metadata: {name: b, creationTimestamp: \"2026-04-01T10:00:00Z\"}
  status: {conditions: [{type: Ready, status: \"True\", lastHeartbeatTime: \"2026-05-01T10:01:00Z\", lastTransitionTime: \"2026-04-01T10:00:00Z\"}]}
",
);

#[test]
fn an_age_and_a_date_of_creation_give_the_time_of_a_table() {
    assert_eq!(clock(&[MACHINES]), "2026-05-01T10:00:13Z or later");
    assert_eq!(clock(&[TABLE]), "-");
    assert_eq!(clock(&[MACHINES, TABLE]), "2026-05-01T10:06:49Z before 2026-05-01T10:06:50Z");
}

#[test]
fn a_log_that_states_no_zone_never_raises_the_clock() {
    let line = "I0501 10:20:00.000000       1 a.go:1] \"Reconciling\"\n";
    let later = "I0501 14:20:00.000000       1 a.go:1] \"Reconciling\"\n";
    let of_container = "argocd-repo-server.log";
    assert_eq!(
        clock(&[MACHINES, TABLE, (of_container, line)]),
        "2026-05-01T10:06:49Z or later, logs 2026-05-01T10:20:00Z"
    );
    // Programs of nodes print the local time of nobody knows where.
    for name in ["nodes/cp-1/kubelet.log", "containerd.log", "notes.log"] {
        assert_eq!(clock(&[MACHINES, (name, line)]), "2026-05-01T10:00:13Z or later", "{name}");
    }
    // Another day, another zone, or a wrong clock.
    assert_eq!(clock(&[MACHINES, (of_container, later)]), "2026-05-01T10:00:13Z or later");
    assert_eq!(clock(&[(of_container, line)]), "-");
    // Controllers of Cluster API are known to write in UTC; a table of ages tells when the objects were read all the same.
    let in_utc = "capi-controller-manager.log";
    assert_eq!(clock(&[MACHINES, (in_utc, later)]), "2026-05-01T14:20:00Z or later");
    assert_eq!(clock(&[MACHINES, TABLE, (in_utc, line)]), "2026-05-01T10:06:49Z or later, logs 2026-05-01T10:20:00Z");
}

#[test]
fn one_wild_line_moves_no_healthy_bundle() {
    let quiet = "2026-05-01T10:01:30Z all is well\n";
    let wild = "2026-05-01T10:01:30Z all is well\n2027-01-01T00:00:00Z all is well\n";
    let calm = clock(&[NODES, ("capi-controller-manager.log", quiet)]);
    assert_eq!(calm, "2026-05-01T10:01:30Z or later, objects 2026-05-01T10:01:00Z");
    let stirred = clock(&[NODES, ("capi-controller-manager.log", wild)]);
    assert_eq!(stirred, "2026-05-01T10:01:00Z or later");
    // Nor does a Lease of the future, nor the logs of the machine that holds it.
    let lease = "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: b, namespace: kube-node-lease}\nspec: {renewTime: \"2027-01-01T00:00:00.000000Z\"}\n";
    let ahead = "2027-01-01T00:00:00Z one\n";
    let files = [NODES, ("leases.yaml", lease), ("nodes/b/one.log", ahead), ("nodes/b/two.log", ahead)];
    assert_eq!(clock(&files), "2026-05-01T10:01:00Z or later");
}

proptest! {
    // Each case reads a whole bundle several times.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_members_never_moves_the_clock(order in Just(vec![
        MACHINES,
        TABLE,
        NODES,
        ("capi-controller-manager.log", "I0501 10:20:00.000000       1 a.go:1] \"one\"\n"),
        ("nodes/b/one.log", "2026-05-01T10:03:00Z one\n"),
        ("nodes/a/one.log", "2026-05-01T10:03:00Z one\n"),
        ("again/get-machines.txt", TABLE.1),
    ]).prop_shuffle()) {
        let found = digest(&facts(&order));
        prop_assert!(found.contains("as of 2026-05-01T10:06:49Z OrLater Some(2026-05-01T10:06:49Z)"), "{found}");
    }

    /// The same bundle, collected where containers print the time of another zone.
    #[test]
    fn hours_that_a_log_without_a_zone_is_off_never_move_a_clock_that_states_one(
        hours in -14..=14_i64,
        minute in 0..60_i64,
        is_klog in any::<bool>(),
        name in prop::sample::select(vec!["capi-controller-manager.log", "nodes/a/kubelet.log", "notes.log"]),
    ) {
        let time = "2026-05-01T10:00:00Z".parse::<jiff::Timestamp>().unwrap()
            + jiff::SignedDuration::from_hours(hours)
            + jiff::SignedDuration::from_mins(minute);
        let civil = time.to_zoned(jiff::tz::TimeZone::UTC).datetime();
        let line = if is_klog {
            format!("I{}.000000       1 a.go:1] \"Reconciling\"\n", civil.strftime("%m%d %H:%M:%S"))
        } else {
            format!("{} INFO all is well\n", civil.strftime("%Y-%m-%d %H:%M:%S"))
        };
        for files in [&[NODES][..], &[MACHINES, TABLE], &[NODES, MACHINES, TABLE]] {
            let time = |files: &[(&str, &str)]| facts(files).context(ContextId(0)).as_of.as_ref().map(|as_of| (as_of.time, as_of.for_objects()));
            prop_assert_eq!(time(files), time(&[files, &[(name, &line)]].concat()), "{}", line);
        }
    }

    /// An older copy of a file, an older log: what was known is still known.
    #[test]
    fn an_older_file_never_moves_the_clock_back(minutes in 0..600_i64, is_log in any::<bool>()) {
        let time = "2026-05-01T10:00:00Z".parse::<jiff::Timestamp>().unwrap() - jiff::SignedDuration::from_mins(minutes);
        let event = format!("apiVersion: v1\nkind: Event\nmetadata: {{name: e, namespace: edge}}\nlastTimestamp: \"{time}\"\n");
        let log = format!("{time} one\n");
        let older = if is_log { ("nodes/c/older.log", log.as_str()) } else { ("older.yaml", event.as_str()) };
        for files in [&[NODES][..], &[MACHINES, TABLE], &[NODES, MACHINES, TABLE]] {
            prop_assert_eq!(clock(files), clock(&[files, &[older]].concat()));
        }
    }
}
