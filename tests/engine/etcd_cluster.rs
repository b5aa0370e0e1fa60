//! The derived etcd cluster: one test for each rule of its fields.

#![expect(clippy::expect_used, reason = "a test outside of `cfg(test)`: it fails loudly")]

use catalogue::kinds::Catalogue;
use facts::kind::KindName;
use facts::node::Node;
use facts::object::Lookup;
use facts::path::Path;
use facts::store::Facts;
use selftest::bench::Bench;
use signature::load::Library;
use std::collections::BTreeSet;

const CP1: &str = "4b2c9d01a7e35f60";
const CP2: &str = "8d19e3f27b604ac5";
const CP3: &str = "c57a60b1d8f2943e";

fn facts(files: &[(&str, &str)]) -> Facts {
    let members = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    let library = Library::built_in().expect("the built-in signatures load");
    Bench::new(&library, &Catalogue::built_in()).collect(members, None, &BTreeSet::new()).0.facts
}

/// The value of a field of the only etcd cluster, as text; `?` if it is not known, `-` if not set.
fn field(facts: &Facts, path: &str) -> String {
    let ids: Vec<_> = facts
        .context_ids()
        .flat_map(|context| facts.of_kind(context, &KindName::parse("etcdclusters.casefile.dev")).to_vec())
        .collect();
    assert_eq!(ids.len(), 1, "one etcd cluster");
    match facts.lookup(ids[0], &Path::parse(path).expect("a path")) {
        Lookup::Found(values) | Lookup::AtLeast(values) => {
            values.iter().map(|(node, _)| Node::to_string(node)).collect::<Vec<_>>().join(", ")
        }
        Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_) => "-".to_owned(),
        Lookup::Redacted(_) => "redacted".to_owned(),
        Lookup::Unknown(_) => "?".to_owned(),
    }
}

fn fields(facts: &Facts, names: &[&str]) -> String {
    names.iter().map(|name| format!("{name}={}", field(facts, &format!("status.{name}")))).collect::<Vec<_>>().join(" ")
}

fn raft(time: &str, text: &str) -> String {
    format!(
        r#"{{"level":"info","ts":"2026-03-04T{time}Z","logger":"raft","caller":"etcdserver/zap_raft.go:77","msg":"{text}"}}"#
    )
}

fn voters(me: &str) -> String {
    let ids: Vec<String> =
        [CP1, CP2, CP3].iter().map(|id| u64::from_str_radix(id, 16).expect("hex").to_string()).collect();
    raft("08:00:00.000", &format!("{me} switched to configuration voters=({})", ids.join(" ")))
}

fn elected(time: &str, me: &str, leader: &str) -> String {
    raft(time, &format!("raft.node: {me} elected leader {leader} at term 7"))
}

fn lost(time: &str, me: &str, leader: &str) -> String {
    raft(time, &format!("raft.node: {me} lost leader {leader} at term 7"))
}

fn refused(time: &str, peer: &str) -> String {
    dial(time, peer, "dial tcp 10.0.0.9:2380: connect: connection refused")
}

fn dial(time: &str, peer: &str, error: &str) -> String {
    format!(
        r#"{{"level":"warn","ts":"2026-03-04T{time}Z","caller":"rafthttp/probing_status.go:68","msg":"prober detected unhealthy status","remote-peer-id":"{peer}","error":"{error}"}}"#
    )
}

fn active(time: &str, peer: &str) -> String {
    format!(
        r#"{{"level":"info","ts":"2026-03-04T{time}Z","caller":"rafthttp/peer_status.go:53","msg":"peer became active","peer-id":"{peer}"}}"#
    )
}

fn log(lines: &[String]) -> String {
    lines.join("\n") + "\n"
}

const LIST: &str = "4b2c9d01a7e35f60, started, cp-1, https://10.0.0.1:2380, https://10.0.0.1:2379, false\n\
                    8d19e3f27b604ac5, started, cp-2, https://10.0.0.2:2380, https://10.0.0.2:2379, false\n\
                    c57a60b1d8f2943e, started, cp-3, https://10.0.0.3:2380, https://10.0.0.3:2379, false\n";

#[test]
fn voters_come_from_the_member_list_and_learners_do_not_vote() {
    let list = format!("{LIST}aa11aa11aa11aa11, unstarted, , https://10.0.0.4:2380, , true\n");
    let facts = facts(&[("member-list.txt", &list)]);
    assert_eq!(field(&facts, "spec.voters"), "3");
    assert_eq!(field(&facts, "status.majority"), "2");
}

#[test]
fn without_a_list_the_last_configuration_in_a_log_names_the_voters() {
    let facts = facts(&[("etcd-cp-1.log", &log(&[voters(CP1), elected("08:00:02.000", CP1, CP2)]))]);
    assert_eq!(field(&facts, "spec.voters"), "3");
}

#[test]
fn without_either_there_are_at_least_the_members_seen_and_no_majority_is_known() {
    let facts = facts(&[("etcd-cp-1.log", &log(&[elected("08:00:02.000", CP1, CP2)]))]);
    assert!(field(&facts, "spec.voters").starts_with("at least"), "{}", field(&facts, "spec.voters"));
    assert!(field(&facts, "status.majority").starts_with("at least"));
}

#[test]
fn a_lost_majority_leaves_nobody_with_a_leader() {
    let survivor = log(&[
        voters(CP1),
        elected("08:00:02.000", CP1, CP2),
        lost("09:00:00.000", CP1, CP2),
        refused("09:05:00.000", CP2),
        refused("09:05:01.000", CP3),
    ]);
    let facts = facts(&[("etcd-cp-1.log", &survivor), ("member-list.txt", LIST)]);
    assert_eq!(
        fields(&facts, &["withoutLeader", "withLeader", "unreachable", "possiblyServing", "healed"]),
        "withoutLeader=1 withLeader=0 unreachable=2 possiblyServing=0 healed=0"
    );
    assert_eq!(field(&facts, "status.leaderByStatus"), "?");
}

#[test]
fn a_peer_that_became_active_again_is_reachable() {
    let survivor = log(&[
        voters(CP1),
        refused("08:00:01.000", CP2),
        active("08:00:02.000", CP2),
        elected("08:00:03.000", CP1, CP2),
    ]);
    let facts = facts(&[("etcd-cp-1.log", &survivor)]);
    assert_eq!(fields(&facts, &["unreachable", "withoutLeader"]), "unreachable=0 withoutLeader=0");
}

#[test]
fn tls_errors_and_deadlines_are_no_proof_that_a_peer_is_gone() {
    for error in ["remote error: tls: bad certificate", "context deadline exceeded"] {
        let survivor = log(&[voters(CP1), lost("09:00:00.000", CP1, CP2), dial("09:05:00.000", CP2, error)]);
        let facts = facts(&[("etcd-cp-1.log", &survivor)]);
        assert_eq!(field(&facts, "status.unreachable"), "0 to 1", "{error}");
        assert_eq!(field(&facts, "status.possiblyServing"), "2", "{error}: maybe counts as serving");
    }
}

#[test]
fn a_member_that_goes_on_logging_after_a_failed_dial_was_there() {
    let one = log(&[voters(CP1), elected("08:00:02.000", CP1, CP3), refused("08:10:00.000", CP2)]);
    let two = log(&[voters(CP2), elected("08:00:02.000", CP2, CP3), raft("09:00:00.000", "compacted")]);
    let facts = facts(&[("etcd-cp-1.log", &one), ("etcd-cp-2.log", &two)]);
    assert_eq!(fields(&facts, &["unreachable", "possiblyServing"]), "unreachable=0 possiblyServing=3");
}

#[test]
fn a_leader_word_older_than_the_loss_elsewhere_does_not_count() {
    let dead = log(&[voters(CP2), elected("08:00:02.000", CP2, CP2)]);
    let survivor = log(&[voters(CP1), elected("08:00:02.000", CP1, CP2), lost("09:00:00.000", CP1, CP2)]);
    let facts = facts(&[("etcd-cp-1.log", &survivor), ("etcd-cp-2.log", &dead)]);
    // cp-3 never spoke: it may have a leader. cp-2 spoke an hour before the loss: it no longer counts.
    assert_eq!(field(&facts, "status.withLeader"), "0 to 1");
}

#[test]
fn times_of_two_machines_less_than_a_minute_apart_have_no_order() {
    let other = log(&[voters(CP2), elected("08:59:40.000", CP2, CP2)]);
    let survivor = log(&[voters(CP1), elected("08:00:02.000", CP1, CP2), lost("09:00:00.000", CP1, CP2)]);
    let facts = facts(&[("etcd-cp-1.log", &survivor), ("etcd-cp-2.log", &other), ("member-list.txt", LIST)]);
    assert_eq!(field(&facts, "status.withLeader"), "0 to 2");
}

#[test]
fn a_leader_that_came_back_in_the_same_log_is_healed() {
    let one = log(&[voters(CP1), lost("09:00:00.000", CP1, CP2), elected("09:00:02.000", CP1, CP3)]);
    let two = log(&[voters(CP2), lost("09:00:00.500", CP2, CP2), elected("09:00:02.000", CP2, CP3)]);
    let facts = facts(&[("etcd-cp-1.log", &one), ("etcd-cp-2.log", &two)]);
    assert_eq!(fields(&facts, &["withoutLeader", "healed"]), "withoutLeader=0 healed=2");
}

#[test]
fn one_election_after_the_other_is_no_leader_and_a_single_one_is_how_it_is_found() {
    let election = |second: u32| {
        raft(&format!("08:01:{second:02}.000"), &format!("{CP1} is starting a new election at term {second}"))
    };
    let of = |elections: u32, more: &[String]| {
        let lines: Vec<String> =
            std::iter::once(voters(CP1)).chain((1..=elections).map(election)).chain(more.iter().cloned()).collect();
        let facts = facts(&[("nodes/cp-1/etcd.log", &log(&lines))]);
        (field(&facts, "status.withoutLeader"), field(&facts, "status.healed"))
    };
    let found = [elected("08:02:00.000", CP1, CP2)];
    assert_ne!(of(9, &[]).0, of(0, &[]).0);
    assert_eq!(of(2, &[]), of(0, &[]));
    assert_eq!(of(2, &found), of(0, &found), "a single election leaves no trace");
    assert_eq!(of(9, &found).0, of(0, &found).0);
}

#[test]
fn an_answer_that_shows_a_leader_is_named() {
    let id = |hex: &str| u64::from_str_radix(hex, 16).expect("hex");
    let status = format!(
        r#"[{{"Endpoint":"https://10.0.0.1:2379","Status":{{"header":{{"member_id":{}}},"version":"3.5.21","leader":{}}}}}]"#,
        id(CP1),
        id(CP2)
    );
    let facts = facts(&[("endpoint-status.json", &status), ("member-list.txt", LIST)]);
    assert_eq!(field(&facts, "status.leaderByStatus"), "cp-2");
    assert_eq!(field(&facts, "status.withLeader"), "1 to 3");
}

#[test]
fn an_answer_without_a_leader_is_known_to_show_none() {
    let status =
        "https://10.0.0.1:2379, 4b2c9d01a7e35f60, 3.5.7, 182 MB, false, false, 812, 9, 9, etcdserver: no leader\n";
    let facts = facts(&[("endpoint-status.txt", status)]);
    assert_eq!(field(&facts, "status.leaderByStatus"), "-");
    assert_eq!(field(&facts, "status.withoutLeader"), "1");
}

#[test]
fn a_removed_member_is_not_counted() {
    let list = LIST.lines().filter(|line| !line.contains("cp-2")).collect::<Vec<_>>().join("\n") + "\n";
    let removed = log(&[voters(CP2), lost("09:00:00.000", CP2, CP1)]);
    let session = format!("$ etcdctl member list\n{list}$ date\n");
    let whole = facts(&[("etcd-cp-2.log", &removed), ("session.txt", &session)]);
    assert_eq!(field(&whole, "spec.voters"), "2");
    assert_eq!(field(&whole, "status.withoutLeader"), "0");
    let maybe_cut = facts(&[("etcd-cp-2.log", &removed), ("member-list.txt", &list)]);
    assert_eq!(field(&maybe_cut, "spec.voters"), "at least 2", "its row may have been cut");
}

#[test]
fn whom_a_candidate_asks_for_a_vote_are_the_other_voters() {
    let asks = |time: &str, peer: &str| {
        raft(time, &format!("{CP1} [logterm: 2, index: 33] sent MsgPreVote request to {peer} at term 2"))
    };
    let election =
        |second: u8| raft(&format!("09:00:0{second}.000"), &format!("{CP1} is starting a new election at term 2"));
    let voters = |lines: &[String]| field(&facts(&[("etcd-cp-1.log", &log(lines))]), "spec.voters");
    let two = [election(1), asks("09:00:01.001", CP2), election(3), asks("09:00:03.001", CP2)];
    assert_eq!(voters(&two), "2");
    let three = [election(1), asks("09:00:01.001", CP2), asks("09:00:01.001", CP3), election(3)];
    assert_eq!(voters(&three), "3");
    // What stands before the first election that is shown, or behind the last one, may be the rest of more.
    assert_eq!(voters(&[asks("09:00:00.001", CP2), election(1), asks("09:00:01.001", CP2)]), "at least 1");
}

#[test]
fn the_endpoint_that_does_not_answer_and_the_peer_that_is_not_reached_are_one_member() {
    let survivor = log(&[voters(CP1), elected("08:00:01.000", CP1, CP3), refused("08:10:00.000", CP3)]);
    let members = |port: &str| {
        let why = "failed to commit proposal: context deadline exceeded";
        let asked = format!("https://10.0.0.9:{port} is unhealthy: {why}\nhttps://10.0.0.1:2379 is unhealthy: {why}\n");
        let facts = facts(&[("etcd-cp-1.log", &survivor), ("health.txt", &asked)]);
        let kind = KindName::parse("etcdclustermembers.casefile.dev");
        let addresses = facts.of_kind(facts::object::ContextId(0), &kind).iter().map(|id| {
            match facts.lookup(*id, &Path::parse("spec.addresses").expect("a path")) {
                Lookup::Found(values) => values.iter().map(|(node, _)| Node::to_string(node)).collect::<String>(),
                _ => String::new(),
            }
        });
        addresses.filter(|addresses| addresses.contains("10.0.0.9")).collect::<Vec<_>>().join(" | ")
    };
    assert_eq!(members("2379"), "10.0.0.9:2379, 10.0.0.9:2380");
    // Another etcd on that machine.
    assert_eq!(members("2381"), "10.0.0.9:2380");
}

#[test]
fn what_was_said_of_a_member_before_it_was_removed_is_no_trouble_now() {
    let removed = |me: &str, gone: &str| {
        format!(
            r#"{{"level":"info","ts":"2026-03-04T08:20:00.000Z","caller":"membership/cluster.go:472","msg":"removed member","cluster-id":"a1","local-member-id":"{me}","removed-remote-peer-id":"{gone}","removed-remote-peer-urls":["https://10.0.0.7:2380"]}}"#
        )
    };
    let of = |me: &str, more: &[String]| {
        log(&[&[elected("08:00:01.000", me, CP1), refused("08:10:00.000", CP3)], more].concat())
    };
    let down = facts(&[("etcd-cp-1.log", &of(CP1, &[])), ("etcd-cp-2.log", &of(CP2, &[]))]);
    assert_eq!(field(&down, "status.unreachable"), "1");
    // One survivor says it is enough, in the words of any version.
    let old = "2026-03-04 08:20:00.000000 I | etcdserver/membership: removed member c57a60b1d8f2943e from cluster a1"
        .to_owned();
    for line in [removed(CP2, CP3), old] {
        let healed = facts(&[("etcd-cp-1.log", &of(CP1, &[])), ("etcd-cp-2.log", &of(CP2, &[line]))]);
        assert_eq!(field(&healed, "status.unreachable"), "0");
        assert_eq!(field(&healed, "status.withLeader"), "2");
    }
    // Another one was removed, and a list that still holds it says more than a line.
    let other = facts(&[("etcd-cp-1.log", &of(CP1, &[])), ("etcd-cp-2.log", &of(CP2, &[removed(CP2, "aa")]))]);
    assert_eq!(field(&other, "status.unreachable"), "1");
    let listed = facts(&[
        ("etcd-cp-1.log", &of(CP1, &[])),
        ("etcd-cp-2.log", &of(CP2, &[removed(CP2, CP3)])),
        ("etcdctl/member-list.txt", LIST),
    ]);
    assert_eq!(field(&listed, "status.unreachable"), "1");
    // The log of its machine goes on with another ID, and is that of the member which came in its place.
    let before = r#"{"level":"info","ts":"2026-03-04T08:15:00.000Z","caller":"etcdserver/raft.go:536","msg":"starting local member","local-member-id":"c57a60b1d8f2943e","cluster-id":"a1"}"#;
    let after = before.replace(CP3, "d1").replace("08:15", "08:30");
    let own = log(&[before.to_owned(), after, elected("08:31:00.000", "d1", CP1)]);
    let again = facts(&[("etcd-cp-2.log", &of(CP2, &[removed(CP2, CP3)])), ("etcd-cp-3.log", &own)]);
    let kind = KindName::parse("etcdclustermembers.casefile.dev");
    let names = again.of_kind(facts::object::ContextId(0), &kind).iter();
    let names: Vec<&str> = names.map(|id| again.objects[id.0 as usize].name.as_str()).collect();
    assert!(names.contains(&"cp-3") && !names.contains(&"?"), "{names:?}");
}

#[test]
fn a_member_that_was_bootstrapped_with_another_cluster_id_is_one_member() {
    // Its own log shows another id and other ids for its peers; the name and the addresses are the same.
    let stale = log(&[
        r#"{"level":"info","ts":"2026-03-04T08:00:00.000Z","caller":"embed/etcd.go:311","msg":"starting an etcd server","name":"cp-3"}"#.to_owned(),
        raft("08:00:01.000", "aaaa0000aaaa0000 switched to configuration voters=(12297735558912453632 13527612320720337920 14757489082528222208)"),
        r#"{"level":"info","ts":"2026-03-04T08:00:02.000Z","caller":"membership/cluster.go:421","msg":"added member","local-member-id":"aaaa0000aaaa0000","added-peer-id":"bbbb0000bbbb0000","added-peer-peer-urls":["https://10.0.0.1:2380"]}"#.to_owned(),
        r#"{"level":"warn","ts":"2026-03-04T08:10:00.000Z","caller":"etcdhttp/health.go:233","msg":"serving /health false; no leader"}"#.to_owned(),
    ]);
    let facts = facts(&[("etcd-cp-3.log", &stale), ("member-list.txt", LIST)]);
    assert_eq!(field(&facts, "spec.voters"), "3");
    assert_eq!(field(&facts, "status.withoutLeader"), "1");
    assert_eq!(field(&facts, "status.members[leader=none].name"), "cp-3");
}

#[test]
fn what_a_member_of_another_cluster_id_says_of_a_leader_is_of_that_cluster() {
    let starts = |name: &str, id: &str, cluster: &str| {
        log(&[
            format!(
                r#"{{"level":"info","ts":"2026-03-04T08:00:00.000Z","caller":"embed/etcd.go:311","msg":"starting an etcd server","name":"{name}"}}"#
            ),
            format!(
                r#"{{"level":"info","ts":"2026-03-04T08:00:01.000Z","caller":"membership/cluster.go:421","msg":"added member","cluster-id":"{cluster}","local-member-id":"{id}","added-peer-id":"{id}","added-peer-peer-urls":["https://10.0.0.{}:2380"]}}"#,
                name.trim_start_matches("cp-")
            ),
        ])
    };
    let one = starts("cp-1", CP1, "aaaa0000aaaa0000") + &log(&[elected("08:00:02.000", CP1, CP2)]);
    let two = starts("cp-2", CP2, "aaaa0000aaaa0000") + &log(&[elected("08:00:02.000", CP2, CP2)]);
    let no_leader = |cluster: &str| {
        let says = r#"{"level":"warn","ts":"2026-03-04T08:10:00.000Z","caller":"etcdhttp/health.go:233","msg":"serving /health false; no leader"}"#;
        starts("cp-3", CP3, cluster) + &log(&[says.to_owned()])
    };
    let told = |three: &str| {
        let files = [
            ("etcd-cp-1.log", one.as_str()),
            ("etcd-cp-2.log", &two),
            ("etcd-cp-3.log", three),
            ("member-list.txt", LIST),
        ];
        fields(&facts(&files), &["withoutLeader", "withLeader", "possiblyServing"])
    };
    assert_eq!(told(&no_leader("bbbb0000bbbb0000")), "withoutLeader=0 withLeader=2 possiblyServing=2");
    assert_eq!(told(&no_leader("aaaa0000aaaa0000")), "withoutLeader=1 withLeader=0 possiblyServing=2");
}

#[test]
fn alarms_are_listed_with_their_member() {
    let facts =
        facts(&[("alarm-list.txt", "memberID:5416877082257088352 alarm:NOSPACE \n"), ("member-list.txt", LIST)]);
    assert_eq!(field(&facts, "status.nospace"), "cp-1");
}

#[test]
fn a_log_of_another_component_that_mentions_etcd_is_no_member() {
    let text =
        "E0304 09:00:00.000000       1 status.go:71] \"apiserver received an error\" err=\"etcdserver: no leader\"\n";
    let facts = facts(&[("kube-apiserver-cp-1.log", text)]);
    let kind = KindName::parse("etcdclusters.casefile.dev");
    assert!(facts.context_ids().all(|context| facts.of_kind(context, &kind).is_empty()));
}

#[test]
fn members_that_write_the_same_line_in_the_same_second_are_each_without_a_leader() {
    // etcd 3.4 names nobody in this line, and a collector may cut times to seconds.
    let text = |me: &str| {
        format!(
            "2026-03-04 08:00:00.000000 I | etcdserver: name = {me}\n\
             2026-03-04 09:00:00.000000 W | etcdserver/api/etcdhttp: /health error; no leader (status code 503)\n"
        )
    };
    let (one, two, three) = (text("cp-1"), text("cp-2"), text("cp-3"));
    let by_path = [("etcd-cp-1.log", one.as_str()), ("etcd-cp-2.log", two.as_str()), ("etcd-cp-3.log", three.as_str())];
    assert_eq!(field(&facts(&by_path), "status.withoutLeader"), "3");
    // The same log under a second name adds no member.
    let copy = one.clone() + "2026-03-04 09:00:01.000000 I | etcdserver: one more line\n";
    let with_copy = [by_path[0], by_path[1], by_path[2], ("copies/etcd-cp-1/etcd.log", copy.as_str())];
    assert_eq!(field(&facts(&with_copy), "status.withoutLeader"), "3");
}

#[test]
fn a_list_of_alarms_without_one_says_that_there_is_none() {
    let header = r#"{"header":{"cluster_id":1,"member_id":5416877082257088352,"raft_term":7}}"#;
    let facts = facts(&[("etcd_info/alarm_list.json", header), ("member-list.txt", LIST)]);
    assert_eq!(field(&facts, "status.alarmFree"), "true");
}

#[test]
fn a_member_that_a_session_adds_changes_the_list_before() {
    let session = |rest: &str| {
        format!(
            "[root@cp-1 ~]# etcdctl member list\n{CP1}, started, cp-1, https://10.0.0.1:2380, https://10.0.0.1:2379, false\n[root@cp-1 ~]# {rest}[root@cp-1 ~]# date\nWed Mar  4 09:00:00 UTC 2026\n"
        )
    };
    let add = format!(
        "etcdctl member add cp-2 --peer-urls=https://10.0.0.2:2380\nMember {CP2} added to cluster 64abd3344ae654f4\n\nETCD_NAME=\"cp-2\"\n\
         ETCD_INITIAL_CLUSTER=\"cp-1=https://10.0.0.1:2380,cp-2=https://10.0.0.2:2380\"\n\
         ETCD_INITIAL_ADVERTISE_PEER_URLS=\"https://10.0.0.2:2380\"\nETCD_INITIAL_CLUSTER_STATE=\"existing\"\n"
    );
    let of = |rest: &str| {
        let facts = facts(&[("session.txt", &session(rest))]);
        ["spec.voters", "status.majority", "status.members[started=false].name"]
            .map(|path| field(&facts, path))
            .join(" ")
    };
    assert_eq!(of(""), "1 1 -");
    assert_eq!(of(&add), format!("2 2 {CP2}"), "it is a member, and has not come");
    let learner = add.replace(" added to ", " added as learner to ");
    assert_eq!(of(&learner), format!("1 1 {CP2}"), "a learner does not vote");
    let later = format!(
        "{add}[root@cp-1 ~]# etcdctl member list\n{CP1}, started, cp-1, https://10.0.0.1:2380, https://10.0.0.1:2379, false\n\
         {CP2}, started, cp-2, https://10.0.0.2:2380, https://10.0.0.2:2379, false\n"
    );
    assert_eq!(of(&later), "2 2 -", "a later list shows that it came");
}

#[test]
fn an_answer_that_shows_its_errors_tells_that_there_is_a_leader() {
    let row = |host: u8, id: &str, version: &str, leads: bool, errors: &str| {
        let learner = if version < "3.4" { "" } else { "false, " };
        format!("https://10.0.0.{host}:2379, {id}, {version}, 182 MB, {leads}, {learner}812, 9, 9, {errors}\n")
    };
    let without = |rows: &str| field(&facts(&[("endpoint-status.txt", rows)]), "status.withLeader");
    let three = |errors: &str| {
        row(1, CP1, "3.5.16", true, "") + &row(2, CP2, "3.5.16", false, "") + &row(3, CP3, "3.5.16", false, errors)
    };
    assert_eq!(without(&three("")), "3");
    assert_eq!(without(&three("memberID:1 alarm:NOSPACE")), "3");
    assert_eq!(without(&three("etcdserver: no leader")), "2");
}

#[test]
fn a_static_pod_is_the_member_at_the_address_of_its_machine() {
    let pod = |name: &str, host: &str, noted: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{ name: etcd-{name}, namespace: kube-system, uid: u-{name}, labels: {{ component: etcd }}, annotations: {{ {noted} }} }}\nspec: {{ nodeName: {name} }}\nstatus: {{ hostIP: {host} }}\n---\n"
        )
    };
    let status = format!(
        "https://10.0.0.1:2379, {CP1}, 3.5.16, 182 MB, true, false, 812, 9, 9, \nhttps://10.0.0.2:2379, {CP2}, 3.5.16, 182 MB, false, false, 812, 9, 9, \n"
    );
    let noted = "kubeadm.kubernetes.io/etcd.advertise-client-urls: \"https://10.0.0.2:2379\"";
    let pods = pod("cp-1", "10.0.0.1", "") + &pod("cp-2", "192.168.7.2", noted);
    let shown = facts(&[("endpoint-status.txt", &status), ("pods.yaml", &pods)]);
    let kind = KindName::parse("etcdclustermembers.casefile.dev");
    let ids = shown.of_kind(facts::object::ContextId(0), &kind).iter();
    let names: Vec<&str> = ids.map(|id| shown.objects[id.0 as usize].name.as_str()).collect();
    assert_eq!(names, ["cp-1", "cp-2"]);
}
