//! From the text of log files to the streams and states that signatures ask for.

#![expect(clippy::expect_used, reason = "a test outside of `cfg(test)`: it fails loudly")]

use diagnose::Collected;

use catalogue::kinds::Catalogue;
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::kind::KindName;
use facts::object::ContextId;
use facts::order::Order;
use facts::origin::{Citation, MemberId};
use facts::store::{Coverage, Facts, Precision};
use selftest::bench::Bench;
use signature::load::Library;
use signature::pack::Pack;
use std::collections::BTreeSet;

const CLUSTER: &str =
    "apiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata: { name: one, namespace: ns, uid: u }\nstatus: {}\n";

/// A signature that counts the streams whose last word is `went down`, and one that counts lines.
fn library() -> Library {
    let signature = |id: &str, log: &str| {
        format!(
            "schema: 1\nid: {id}\nname: a-test-{}\ntitle: A test\nsummary: A test.\nstatus: test\nseverity: low\n\
             reviewed: 2026-11-21\nreferences: [{{ title: None }}]\n\
             entity:\n  name: cluster\n  object: {{ kind: clusters.cluster.x-k8s.io }}\n\
             evidence:\n  - id: logged\n    role: hallmark\n    claim: 'It says so {{count}} times'\n    log: {log}\n\
             remediation: {{ steps: [{{ do: Nothing. }}], verify: [It is well.] }}\n\
             verdict:\n  confirmed: logged\n",
            id.to_lowercase()
        )
    };
    let files = vec![
        (
            "a.yaml".to_owned(),
            signature("T-1", "{ state: { down: ['went down'], up: ['came up'] }, count: { gte: 1 } }"),
        ),
        ("b.yaml".to_owned(), signature("T-2", "{ any: ['went down'], count: { gte: 1 } }")),
    ];
    Library::of(&[Pack::of("test", files)]).expect("valid")
}

fn read(files: &[(&str, &str)], as_of: Option<&str>) -> Collected {
    let members = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    let members = std::iter::once(("cluster.yaml".to_owned(), CLUSTER.as_bytes().to_vec())).chain(members);
    let as_of = as_of.map(|time| time.parse().expect("a time"));
    let mut collected = Bench::new(&library(), &Catalogue::built_in()).collect(members, as_of, &BTreeSet::new()).0;
    collected.facts.add_answer(Coverage {
        context: ContextId(0),
        answer: Answer {
            kind: KindName::parse("clusters.cluster.x-k8s.io"),
            namespaces: Namespaces::All,
            names: None,
            selector: None,
            state: State::Complete,
            basis: Basis::Stated,
            order: Order::default(),
            citation: Citation::line(MemberId(0), 1, "all Clusters"),
        },
    });
    collected
}

/// How many streams are down, and how many lines say so: with the lines that are cited.
fn answers(files: &[(&str, &str)], as_of: Option<&str>) -> Vec<String> {
    let collected = read(files, as_of);
    let outcome = engine::evaluate(&collected.facts, &library(), &Catalogue::built_in(), &collected.literals);
    let says = |id: &str| {
        let found = outcome.findings.iter().find(|finding| finding.signature.id == id);
        let row = found.and_then(|finding| finding.evidence.first());
        row.map_or("none".to_owned(), |row| {
            let lines: Vec<String> =
                row.citations.iter().map(|cited| cited.line.map_or("-".to_owned(), |line| line.to_string())).collect();
            format!("{} (line {})", row.at_least, lines.join(", "))
        })
    };
    vec![format!("down: {}", says("T-1")), format!("lines: {}", says("T-2"))]
}

/// Name, class, node, and the numbers of the lines that hit.
fn streams(facts: &Facts) -> Vec<String> {
    let show = |stream: &facts::store::Stream| {
        let lines: Vec<String> =
            stream.parts.iter().flat_map(|(_, log)| &log.hits).map(|hit| hit.line.to_string()).collect();
        format!(
            "{} class={} node={} lines={}",
            stream.name,
            stream.class.as_deref().unwrap_or("-"),
            stream.node.as_deref().unwrap_or("-"),
            lines.join(",")
        )
    };
    facts.streams.iter().map(show).collect()
}

const MASTERS: &str = "mg/host_service_logs/masters/kubelet_service.log";

#[test]
fn journals_one_behind_the_other_are_a_stream_for_each_machine() {
    let text = "\
-- Logs begin at Tue 2026-03-03 06:46:27 UTC, end at Wed 2026-03-04 09:53:07 UTC. --
Mar 04 08:00:00 m-0 kubelet[11]: the link went down
Mar 04 08:30:00 m-0 kubelet[11]: ready
-- Logs begin at Tue 2026-03-03 06:50:00 UTC, end at Wed 2026-03-04 09:53:07 UTC. --
Mar 04 07:00:00 m-1 kubelet[12]: the link went down
-- Reboot --
Mar 04 09:00:00 m-1 kubelet[12]: the link came up
";
    insta::assert_debug_snapshot!(streams(&read(&[(MASTERS, text)], None).facts), @r#"
    [
        "m-0/kubelet_service class=kubelet node=m-0 lines=2",
        "m-1/kubelet_service class=kubelet node=m-1 lines=5,7",
    ]
    "#);
    insta::assert_debug_snapshot!(answers(&[(MASTERS, text)], None), @r#"
    [
        "down: 1 (line 2)",
        "lines: 2 (line 2, 5)",
    ]
    "#);
}

#[test]
fn journals_sorted_into_each_other_are_a_stream_for_each_machine() {
    let text = "\
Mar 04 08:00:00 m-0 kubelet[11]: the link went down
Mar 04 08:00:01 m-1 kubelet[12]: the link went down
goroutine 1 [running]: went down
Mar 04 08:00:02 m-0 kubelet[11]: the link came up
Mar 04 08:00:03 m-2 kubelet[13]: fine
";
    insta::assert_debug_snapshot!(streams(&read(&[(MASTERS, text)], None).facts), @r#"
    [
        "m-0/kubelet_service class=kubelet node=m-0 lines=1,4",
        "m-1/kubelet_service class=kubelet node=m-1 lines=2,3",
        "m-2/kubelet_service class=kubelet node=m-2 lines=",
    ]
    "#);
    insta::assert_debug_snapshot!(answers(&[(MASTERS, text)], None), @r#"
    [
        "down: 1 (line 3)",
        "lines: 3 (line 1, 2, 3)",
    ]
    "#);
}

#[test]
fn machines_of_a_journal_in_json() {
    let line = |host: &str, time: &str, text: &str| {
        format!(
            "{{\"_HOSTNAME\":\"{host}\",\"__REALTIME_TIMESTAMP\":\"{time}\",\"SYSLOG_IDENTIFIER\":\"kubelet\",\"MESSAGE\":\"{text}\"}}\n"
        )
    };
    let text = line("m-0", "1764338526000000", "it went down")
        + &line("m-1", "1764338526000000", "it went down")
        + &line("m-1", "1764338527000000", "it came up");
    insta::assert_debug_snapshot!(streams(&read(&[("journal.json", &text)], None).facts), @r#"
    [
        "m-0/journal.json class=- node=m-0 lines=1",
        "m-1/journal.json class=- node=m-1 lines=2,3",
    ]
    "#);
    insta::assert_debug_snapshot!(answers(&[("journal.json", &text)], None), @r#"
    [
        "down: 1 (line 1)",
        "lines: 1 (line 1)",
    ]
    "#);
}

#[test]
fn words_with_a_colon_behind_a_time_are_no_machines() {
    let text = "2026-06-01T10:00:00Z Waiting for: it went down\n2026-06-01T10:00:01Z Still waiting: it went down\n\
                Mar 04 08:00:02 INFO worker: it came up\n";
    insta::assert_debug_snapshot!(streams(&read(&[("app.log", text)], None).facts), @r#"
    [
        "app.log class=- node=- lines=1,2,3",
    ]
    "#);
}

#[test]
fn the_boots_of_one_machine_are_one_stream_in_the_order_of_the_file() {
    let text = "\
-- Logs begin at Tue 2026-03-03 06:46:27 UTC, end at Wed 2026-03-04 09:53:07 UTC. --
Mar 03 08:00:00 m-0 kubelet[11]: the link went down
-- Reboot --
-- Logs begin at Tue 2026-03-03 06:46:27 UTC, end at Wed 2026-03-04 09:53:07 UTC. --
Mar 04 08:00:00 m-0 kubelet[11]: the link came up
Mar 04 08:30:00 m-0 kubelet[11]: ready
";
    insta::assert_debug_snapshot!(streams(&read(&[("kubelet.log", text)], None).facts), @r#"
    [
        "kubelet.log class=kubelet node=m-0 lines=2,5",
    ]
    "#);
    insta::assert_debug_snapshot!(answers(&[("kubelet.log", text)], None), @r#"
    [
        "down: none",
        "lines: 1 (line 2)",
    ]
    "#);
}

#[test]
fn the_newest_line_first_does_not_turn_a_state_around() {
    let text = "\
Mar 04 08:30:00 m-0 kubelet[11]: ready
Mar 04 08:00:00 m-0 kubelet[11]: the link came up
Mar 04 07:00:00 m-0 kubelet[11]: the link went down
";
    insta::assert_debug_snapshot!(answers(&[("kubelet.log", text)], None), @r#"
    [
        "down: none",
        "lines: 1 (line 3)",
    ]
    "#);
    // Of one second the order of the file decides, from its end.
    let text = text.replace("07:00:00", "08:00:00");
    insta::assert_debug_snapshot!(answers(&[("kubelet.log", &text)], None), @r#"
    [
        "down: none",
        "lines: 1 (line 3)",
    ]
    "#);
}

#[test]
fn the_turn_of_the_year_goes_on() {
    let oldest_first = "I1231 23:59:00.000000 1 a.go:1] \"went down\"\nI0101 00:01:00.000000 1 a.go:1] \"came up\"\n";
    let newest_first = "I0101 00:01:00.000000 1 a.go:1] \"came up\"\nI1231 23:59:00.000000 1 a.go:1] \"went down\"\n";
    for text in [oldest_first, newest_first] {
        for as_of in [None, Some("2026-01-05T00:00:00Z"), Some("2025-12-31T23:59:30Z")] {
            assert_eq!(answers(&[("a.log", text)], as_of)[0], "down: none", "{text} {as_of:?}");
        }
    }
    let down = "I1231 23:59:00.000000 1 a.go:1] \"came up\"\nI0101 00:01:00.000000 1 a.go:1] \"went down\"\n";
    assert_eq!(answers(&[("a.log", down)], None)[0], "down: 1 (line 2)");
}

#[test]
fn rotated_and_previous_parts_come_before_the_current_one() {
    let uid = "0b7c1a52-6b71-4b7d-b729-1c2d3e4f5a6b";
    let folder = format!("var/log/pods/ns_web_{uid}/app");
    let must_gather = "namespaces/ns/pods/web/app/app/logs";
    let pairs = [
        (format!("{folder}/0.log.20260501-101010"), format!("{folder}/0.log")),
        (format!("{folder}/0.log"), format!("{folder}/1.log")),
        (format!("{must_gather}/rotated/0.log.20260501-101010"), format!("{must_gather}/current.log")),
        (format!("{must_gather}/previous.log"), format!("{must_gather}/current.log")),
        ("pods/logs/ns/web/app-previous.log".to_owned(), "pods/logs/ns/web/app.log".to_owned()),
        ("nodes/n-1/app.log.1".to_owned(), "nodes/n-1/app.log".to_owned()),
        ("nodes/n-1/app.log.10".to_owned(), "nodes/n-1/app.log.9".to_owned()),
        ("logs/ns/web.previous.log".to_owned(), "logs/ns/web.log".to_owned()),
    ];
    for (older, newer) in &pairs {
        // Lines without a time: only the order of the parts tells which is the last.
        let files = [(newer.as_str(), "log:\nit came up\n"), (older.as_str(), "log:\nit went down\n")];
        assert_eq!(read(&files, None).facts.streams.len(), 1, "{older} and {newer} are one stream");
        assert_eq!(answers(&files, None)[0], "down: none", "{older} comes before {newer}");
        let files = [(newer.as_str(), "log:\nit went down\n"), (older.as_str(), "log:\nit came up\n")];
        assert_eq!(answers(&files, None)[0], "down: 1 (line 2)", "{older} comes before {newer}");
    }
}

#[test]
fn lines_that_runtimes_cut_or_that_hold_odd_bytes_are_kept() {
    let cut = "2026-06-01T10:00:00.1Z stderr P E0601 10:00:00.000001 1 a.go:1] it we\n\
               2026-06-01T10:00:00.2Z stderr F nt down\n";
    insta::assert_debug_snapshot!(answers(&[("a.log", cut)], Some("2026-06-01T11:00:00Z")), @r#"
    [
        "down: 1 (line 1)",
        "lines: 1 (line 1)",
    ]
    "#);
    let odd = "E0601 10:00:00.000001 1 a.go:1] zone: us-east-1:\0:us-east-1b went down\n";
    insta::assert_debug_snapshot!(answers(&[("a.log", odd)], Some("2026-06-01T11:00:00Z")), @r#"
    [
        "down: 1 (line 1)",
        "lines: 1 (line 1)",
    ]
    "#);
    let middle = "2026-06-01T10:00:00.1Z wrote /var/lib/x/.lock2026-06-01T10:00:00.2Z E0601 10:00:00.000001 1 a.go:1] went down\n";
    insta::assert_debug_snapshot!(answers(&[("a.log", middle)], None), @r#"
    [
        "down: 1 (line 1)",
        "lines: 1 (line 1)",
    ]
    "#);
}

#[test]
fn one_log_under_two_names_is_one_stream_that_speaks() {
    let text = "2026-06-01T10:00:00Z went down\n2026-06-01T10:00:01Z went down again\n";
    let paste = "2026-06-01T10:00:00Z went down\n2026-06-01T10:00:02Z others\n";
    insta::assert_debug_snapshot!(answers(&[("a/app.log", text), ("b/copy.log", paste)], None), @r#"
    [
        "down: 1 (line 2)",
        "lines: 2 (line 1, 2)",
    ]
    "#);
}

#[test]
fn machines_that_say_the_same_in_the_same_second_are_each_down() {
    let text = |node: &str| format!("2026-06-01 10:00:00 went down\n2026-06-01 10:00:01 I am {node}\n");
    let (a, b, c) = (text("a"), text("b"), text("c"));
    let files = [("nodes/a/app.log", a.as_str()), ("nodes/b/app.log", &b), ("nodes/c/app.log", &c)];
    // Three streams are down; of the line, which is the same in all of them, there is one.
    insta::assert_debug_snapshot!(answers(&files, None), @r#"
    [
        "down: 3 (line 1, 1, 1)",
        "lines: 1 (line 1)",
    ]
    "#);
}

#[test]
fn a_file_with_the_answer_of_date_is_the_clock() {
    let clock = |files: &[(&str, &str)]| {
        let collected = read(files, None);
        let as_of = collected.facts.contexts.first().and_then(|context| context.as_of.clone()).expect("a clock");
        (as_of.time.to_string(), as_of.precision == Precision::Stated)
    };
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: { name: p, namespace: shop, uid: u, creationTimestamp: \"2025-01-01T00:00:00Z\" }\n";
    assert_eq!(clock(&[("pod.yaml", pod)]), ("2025-01-01T00:00:00Z".to_owned(), false));
    let date = "Fri Jun 12 09:44:31 UTC 2026\n";
    assert_eq!(clock(&[("pod.yaml", pod), ("date.txt", date)]), ("2026-06-12T09:44:31Z".to_owned(), true));
    // In a file of another name it is a line of a log, which says when that was written.
    assert_eq!(clock(&[("pod.yaml", pod), ("notes.txt", date)]), ("2026-06-12T09:44:31Z".to_owned(), false));
}

#[test]
fn all_journals_of_a_machine_leave_its_zone_where_one_line_tells_it() {
    let containerd = "May 14 12:00:01 n-7 containerd[811]: time=\"2026-05-14T10:00:01Z\" level=info msg=\"booted\"\n";
    let kubelet = "May 14 12:00:02 n-7 kubelet[901]: E0514 12:00:02.000000     901 run.go:74] the member went down\n";
    let other = "May 14 12:00:03 n-8 kubelet[77]: E0514 12:00:03.000000      77 run.go:74] the member went down\n";
    let times = |files: &[(&str, &str)]| {
        let collected = read(files, Some("2026-05-15T00:00:00Z"));
        let clock = Some("2026-05-15T00:00:00Z".parse().expect("a time"));
        let parts = collected.facts.streams.iter().flat_map(|stream| &stream.parts);
        let logs = parts.filter(|(_, log)| !log.hits.is_empty());
        let times = logs.map(|(_, log)| {
            let of =
                |time: Option<facts::log::LineTime>| time.and_then(|time| time.resolve(clock)).map(|t| t.to_string());
            let hit = log.hits.first().and_then(|hit| of(hit.fields.time)).unwrap_or_default();
            let minutes: Vec<&str> = log.tally.buckets.keys().map(|(minute, ..)| minute.as_str()).collect();
            format!("{hit} {} {}", of(log.tally.last).unwrap_or_default(), minutes.join(" "))
        });
        let mut times: Vec<String> = times.collect();
        times.sort();
        times
    };
    let (local, utc) = ("12:00", "10:00");
    let row = |hour: &str, second: u8| {
        let time = format!("2026-05-14T{hour}:0{second}Z");
        format!("{time} {time} 0000-05-14T{hour}")
    };
    assert_eq!(times(&[("kubelet.log", kubelet), ("other.log", other)]), [row(local, 2), row(local, 3)]);
    assert_eq!(
        times(&[("containerd.log", containerd), ("kubelet.log", kubelet), ("other.log", other)]),
        [row(utc, 2), row(local, 3)]
    );
}

#[test]
fn the_log_of_a_sidecar_shows_its_product_in_its_own_cluster_alone() {
    let line = "[2026-05-14T10:02:41.113Z] \"GET /orders HTTP/1.1\" 200 - via_upstream - \"-\" 0 19 0 - \"-\"\n";
    let products = |files: &[(&str, &str)]| -> Vec<(String, Vec<String>)> {
        let contexts = read(files, None).facts.contexts;
        contexts.into_iter().map(|context| (context.name, context.products)).collect()
    };
    let shows = |files: &[(&str, &str)]| {
        let of_istio = products(files).into_iter().filter(|(_, products)| products.iter().any(|name| name == "istio"));
        of_istio.map(|(context, _)| context).collect::<Vec<String>>()
    };
    assert_eq!(shows(&[("logs/orders_api-1_istio-proxy.log", line)]).len(), 1);
    assert_eq!(shows(&[("logs/orders_api-1_api.log", line)]), [""; 0]);
    let node = |uid: &str| format!("apiVersion: v1\nkind: Node\nmetadata: {{ name: n-1, uid: {uid} }}\n");
    let (east, west) = (node("11111111-0000-4000-8000-000000000001"), node("22222222-0000-4000-8000-000000000002"));
    let two = [
        ("east/nodes.yaml", east.as_str()),
        ("east/logs/orders_api-1_istio-proxy.log", line),
        ("west/nodes.yaml", west.as_str()),
        ("west/logs/orders_api-1_api.log", line),
    ];
    assert_eq!(shows(&two), ["east"], "{:?}", products(&two));
}

#[test]
fn a_file_named_after_the_id_of_a_container_is_the_log_of_its_pod() {
    let rows = "CONTAINER           IMAGE               CREATED             STATE               NAME                ATTEMPT             POD ID              POD\n\
                1e0c4d7a2b93f       a0eed15eed449       38 seconds ago      Exited              etcd                14                  e6a0a1f1a9be4       etcd-cp01\n\
                b7f05c1a9d220       a0eed15eed449       6 minutes ago       Exited              etcd                13                  e6a0a1f1a9be4       etcd-cp01\n";
    let old = "2026-05-14 10:00:00.000000 I | etcdmain: went down\n";
    let new = "2026-05-14 10:05:00.000000 I | etcdmain: came up\n";
    let files =
        |id: &'static str| [("crictl/crictl_ps_-a.txt", rows), (id, old), ("crictl/logs_etcd_1e0c4d7a2b93f.txt", new)];
    let names = |files: &[(&str, &str)]| -> Vec<String> {
        read(files, None).facts.streams.iter().map(|stream| format!("{} {}", stream.name, stream.parts.len())).collect()
    };
    assert_eq!(names(&files("crictl/logs_etcd_previous_b7f05c1a9d220.txt")), ["kube-system/etcd-cp01/etcd 2"]);
    // An ID that no table shows tells nothing.
    let other = names(&files("crictl/logs_etcd_previous_0000000000000.txt"));
    assert_eq!(other, ["crictl/logs_etcd_previous_0000000000000.txt 1", "kube-system/etcd-cp01/etcd 1"]);
    assert_eq!(answers(&files("crictl/logs_etcd_previous_b7f05c1a9d220.txt"), None)[0], "down: none");
}

#[test]
fn a_pasted_log_is_of_what_stands_above_it() {
    let names = |text: &str| -> Vec<String> {
        let shown = |stream: &facts::store::Stream| {
            let pod = stream.pod.as_ref().map_or("-", |(_, pod, _)| pod);
            let lines: u64 = stream.parts.iter().map(|(_, log)| log.tally.lines).sum();
            format!("{} node={} pod={pod} {lines}", stream.name, stream.node.as_deref().unwrap_or("-"))
        };
        read(&[("ticket.txt", text)], None).facts.streams.iter().map(shown).collect()
    };
    let slow = |second: u32| {
        format!(
            "{{\"level\":\"warn\",\"ts\":\"2026-05-14T08:11:{second:02}Z\",\"caller\":\"wal/wal.go:805\",\"msg\":\"slow fdatasync\",\"took\":\"2s\"}}\n"
        )
    };
    let (a, b, c) = (slow(1), slow(2), slow(3));
    assert_eq!(
        names(&format!("Writes hang, please help.\n\nmaster1:\n{a}{b}\netcd on master2 (the leader):\n\n{c}Thanks.\n")),
        ["ticket.txt (master1 etcd) node=master1 pod=- 2", "ticket.txt (master2 etcd) node=master2 pod=- 1"]
    );
    // What goes on behind lines that were left out is of the same title; the mark for them is a line as well.
    assert_eq!(
        names(&format!("cp-1\n```\n{a}...\n{b}```\ncp-2\n```\n{c}```\n")),
        ["ticket.txt (cp-1 etcd) node=cp-1 pod=- 3", "ticket.txt (cp-2 etcd) node=cp-2 pod=- 1"]
    );
    // A sentence names nobody, and what stands behind it is of nobody.
    assert_eq!(names(&format!("It began after we moved cp-1 to the new rack:\n{a}{b}")), ["ticket.txt node=- pod=- 3"]);
    let app = "2026-05-14T08:11:01Z ERROR it went down: no such table\n";
    assert_eq!(
        names(&format!("shop/web-6d4cf56db6-x2x9q:\n{app}\n## db-0\n{app}")),
        ["ticket.txt (db-0) node=- pod=- 1", "ticket.txt (web-6d4cf56db6-x2x9q) node=- pod=web-6d4cf56db6-x2x9q 1"]
    );
}

#[test]
fn a_component_in_a_folder_called_after_the_host_of_its_journal() {
    let journal =
        |host: &str| format!("Mar 04 08:00:00 {host} kubelet[11]: ready\nMar 04 08:00:01 {host} kubelet[11]: ready\n");
    let component = "I0304 08:00:00.000000       1 server.go:1] went down\n";
    let node = |folder: &str| {
        let (log, file) = (format!("{folder}/crictl-logs/kube-apiserver.log"), format!("{folder}/journal-kubelet.log"));
        let journal = journal("ber-cp2");
        let facts = read(&[(log.as_str(), component), (file.as_str(), journal.as_str())], None).facts;
        let found = facts.streams.iter().find(|stream| stream.class.as_deref() == Some("kube-apiserver"));
        found.and_then(|stream| stream.node.clone())
    };
    assert_eq!(node("ber-cp2").as_deref(), Some("ber-cp2"));
    assert_eq!(node("upload"), None, "one journal among logs of several machines");
}
