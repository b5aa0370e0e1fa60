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
