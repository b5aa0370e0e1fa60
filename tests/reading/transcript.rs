//! Terminal sessions as members: what is read, what is not, and laws that hold for any text.
#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

use facts::origin::MemberId;
use facts::record::Record;
use intake::Limits;
use parse::member;
use parse::member::MemberContent;
use parse::scan::Literals;
use parse::transcript::account::Line;
use parse::transcript::{FORMAT, cut, dialect, stretch};
use parse::wrapped;
use proptest::prelude::*;

fn read(name: &str, text: &str) -> MemberContent {
    let literals = Literals::new(["no leader".to_owned()]);
    member::read(MemberId(0), name, &mut text.as_bytes(), &literals, &Limits::default())
}

fn is_transcript(name: &str, text: &str) -> bool {
    read(name, text).parsed.format == FORMAT
}

/// Records, contexts, logs and what was not read, one to a line.
fn show(text: &str) -> String {
    let content = read("session.txt", text);
    assert_eq!(content.parsed.format, FORMAT, "{:?}", content.parsed);
    let session = content.session.expect("a transcript has a session");
    let context = |line: u32| session.context_of(line).map_or(String::new(), |context| format!(" in {context}"));
    let mut out = String::new();
    for record in &content.parsed.records {
        out += &match record {
            Record::Object(object) => {
                let kind = object.kind.as_ref().map_or("?".to_owned(), ToString::to_string);
                format!("{}: {kind} {}{}\n", object.line, object.name, context(object.line))
            }
            Record::Table(table) => {
                let cut = table.cut.as_ref().map_or(String::new(), |why| format!(" ({why})"));
                let asked = table.command.as_ref().map_or(String::new(), |command| format!(" of `{}`", command.text));
                format!("{}: table of {} rows{asked}{cut}{}\n", table.line, table.rows.len(), context(table.line))
            }
            Record::Answer(answer) => {
                let line = answer.citation.line;
                format!("{line}: {} {:?} {}{}\n", answer.kind, answer.namespaces, answer.state.word(), context(line))
            }
            Record::Stamp(stamp) => format!("{}: {} {}\n", stamp.citation.line, stamp.what, stamp.text),
            Record::Served(_) => "served\n".to_owned(),
        };
    }
    for log in &session.logs {
        let hits: Vec<u32> = log.log.hits.iter().map(|hit| hit.line).collect();
        let place = (&log.node, &log.source, &log.context);
        out += &format!("log {place:?}: {} lines, hits {hits:?}\n", log.log.tally.lines);
    }
    for (line, why) in &content.parsed.unread {
        out += &format!("{line}! {why}\n");
    }
    out
}

const NODES: &str = "NAME   STATUS   ROLES    AGE   VERSION\ncp-1   Ready    <none>   3d    v1.30.2\n";

#[test]
fn a_filter_proves_no_absence() {
    insta::assert_snapshot!(show(&format!("$ kubectl get nodes | head -5\n{NODES}")), @"2: table of 1 rows of `kubectl get nodes` (the output went through `head -5`)");
}

#[test]
fn contexts_are_carried_along() {
    let text = format!(
        "$ kubectl --context hub get nodes\n{NODES}$ kubectl config use-context m1\n$ kubectl get nodes\n{NODES}\
         $ KUBECONFIG=/tmp/wl-a.kubeconfig kubectl get pods -n x\nNo resources found in x namespace.\n"
    );
    insta::assert_snapshot!(show(&text), @r#"
    2: table of 1 rows of `kubectl --context hub get nodes` in hub
    6: table of 1 rows of `kubectl get nodes` in m1
    9: pods Some(["x"]) empty in wl-a
    "#);
}

#[test]
fn titles_of_clusters_name_the_context_of_what_is_typed_below() {
    let text = format!(
        "$ kubectl get ns x\nNo resources found\n\nHUB:\n\n$ kubectl get nodes\n{NODES}\nMEMBER prod-2:\n$ kubectl get nodes\n{NODES}\
         $ kubectl --context other get nodes\n{NODES}\nThe hub is slow:\n$ kubectl get nodes\n{NODES}"
    );
    insta::assert_snapshot!(show(&text), @r"
    2: ns All empty
    7: table of 1 rows of `kubectl get nodes` in hub
    12: table of 1 rows of `kubectl get nodes` in prod-2
    15: table of 1 rows of `kubectl --context other get nodes` in other
    20: table of 1 rows of `kubectl get nodes` (the session ends with its rows, so more of them may have stood there) in prod-2
    ");
}

#[test]
fn hosts_and_sources_of_logs() {
    let text = "\
ops@jump:~$ ssh root@cp-1
Last login: Thu Apr  2 05:12:44 2026 from 10.9.0.4
root@cp-1:~# journalctl -u kubelet -n 1
Apr 02 06:00:00 cp-1 kubelet[1]: E0402 06:00:00.000000       1 a.go:1] \"there is no leader\"
root@cp-1:~# exit
ops@jump:~$ kubectl -n kube-system logs etcd-cp-1
{\"level\":\"warn\",\"ts\":\"2026-04-02T06:10:42.330Z\",\"caller\":\"etcdhttp/metrics.go:173\",\"msg\":\"serving /health false; no leader\"}
ops@jump:~$ date -u
Thu Apr  2 06:11:00 UTC 2026
";
    insta::assert_snapshot!(show(text), @r#"
    9: collected-at Thu Apr  2 06:11:00 UTC 2026
    log (Some("cp-1"), Some(Unit("kubelet")), None): 1 lines, hits [4]
    log (None, Some(Pod { namespace: Some("kube-system"), name: "etcd-cp-1", container: None }), None): 1 lines, hits [7]
    "#);
}

#[test]
fn answers_are_coverage() {
    let text = "\
$ kubectl get clusters.platform.tkestack.io wl
Error from server (NotFound): clusters.platform.tkestack.io \"wl\" not found
$ kubectl get widgets -A
error: the server doesn't have a resource type \"widgets\"
$ kubectl get nodes
Error from server (Forbidden): nodes is forbidden: User \"u\" cannot list resource \"nodes\" in API group \"\" at the cluster scope
$ kubectl get pods -n a
The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?
";
    insta::assert_snapshot!(show(text), @r#"
    2: clusters.platform.tkestack.io Some([]) not-found
    4: widgets All no-such-kind
    6: nodes All forbidden
    6: toolreports.casefile.dev kubectl get nodes
    8: pods Some(["a"]) error
    8: toolreports.casefile.dev kubectl get pods -n a
    "#);
}

#[test]
fn an_empty_list_of_alarms_is_an_answer_where_the_next_prompt_stands() {
    let lists =
        "[root@a ~]# etcdctl alarm list\n[root@a ~]# etcdctl alarm list | grep x\n[root@a ~]# etcdctl alarm disarm\n";
    insta::assert_snapshot!(show(&format!("{lists}[root@a ~]# etcdctl alarm list\n")), @"1: etcdalarms.casefile.dev All empty");
}

#[test]
fn a_manifest_without_a_state_and_a_sample_are_not_believed() {
    let text = format!(
        "$ kubectl get nodes\n{NODES}\n```yaml\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n```\n\n\
         A sample output:\n\n```\n{NODES}```\n"
    );
    insta::assert_snapshot!(show(&text), @r#"
    2: table of 1 rows of `kubectl get nodes`
    6! the manifest of `a` shows no state of a cluster: it may never have been applied
    15! the text calls this a sample, so it is not read as the state of a cluster
    "#);
}

#[test]
fn what_is_no_transcript() {
    let session = format!("$ kubectl get nodes\n{NODES}");
    assert!(is_transcript("notes.md", &session));
    assert!(is_transcript("notes.txt", &format!("> {}", session.trim_end().replace('\n', "\n> "))));
    assert!(is_transcript("notes.txt", &format!("so I typed “kubectl” and saw\n```\n{NODES}```\n")));
    for (name, text) in [
        ("README.md", session.as_str()),
        ("collect.sh", session.as_str()),
        ("collect", &format!("#!/bin/bash\n{session}")),
        ("notes.md", "# Collect\n\nRun\n\n```sh\nkubectl get nodes\nkubectl get pods -A\n```\n\nand send it.\n"),
        ("notes.txt", "$ kubectl get nodes\n$ kubectl get pods -A\n"),
        ("notes.txt", "# kubectl get nodes lists the nodes.\nNothing else is there.\n"),
        ("a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: |\n    $ kubectl get nodes\n"),
        (
            "a.log",
            "2026-01-01T00:00:00Z a\n2026-01-01T00:00:01Z b\n$ kubectl get nodes\nNAME   AGE\na      1d\n2026-01-01T00:00:02Z c\n2026-01-01T00:00:03Z d\n2026-01-01T00:00:04Z e\n",
        ),
    ] {
        assert!(!is_transcript(name, text), "{name}:\n{text}");
    }
}

/// With the quotes of a keyboard.
fn straight(text: &str) -> String {
    text.replace(['“', '”', '„'], "\"")
}

/// Lines of which texts are put together: prompts, outputs, prose, fences, damage.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "$ kubectl get nodes",
            "root@cp-1:~# crictl ps -a",
            "$ kubectl describe machine a -n b \\",
            "ETCDCTL_API=3 etcdctl member list",
            "Output:",
            "```",
            "```yaml",
            "> quoted",
            "NAME STATUS ROLES AGE VERSION",
            "NAME   STATUS   ROLES    AGE   VERSION",
            "cp-1   Ready    <none>   3d    v1.30.2",
            "cp-2 Ready <none> 3d v1.30.2",
            "51c0ffee00000001, started, cp-1, https://10.9.1.11:2380, https://10.9.1.11:2379, false",
            "{\"level\":\"warn\",\"ts\":\"2026-04-02T06:10:42.330Z\",\"msg\":\"no leader\"}",
            "Name: a",
            "Namespace: b",
            "Labels: c=",
            "API Version: cluster.x-k8s.io/v1beta1",
            "Kind: Machine",
            "Metadata:",
            "Status:",
            "Conditions:",
            "Type: Ready",
            "Events:",
            "Normal A 14s (x2 over 5m) b c",
            "apiVersion: v1",
            "kind: Pod",
            "{",
            "}",
            "cat <<EOF",
            "",
            "This is prose, with no leader in it.",
            "No resources found",
            "ssh cp-9",
            "exit",
        ])
        .prop_map(str::to_owned),
        "[ -~\u{a0}–“➜\u{1b}]{0,40}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_line_belongs_to_one_part(lines in prop::collection::vec(line(), 0..60)) {
        let lines = dialect::clean(&lines.join("\n"));
        let mut next = 0;
        for part in cut::cut(&lines) {
            prop_assert_eq!(part.typed.start, next);
            prop_assert_eq!(part.follows.start, part.typed.end);
            next = part.follows.end;
        }
        prop_assert_eq!(next, lines.len());
    }

    #[test]
    fn citations_name_the_line_that_was_read(lines in prop::collection::vec(line(), 0..60)) {
        let text = lines.join("\n");
        let content = read("session.txt", &text);
        let text = wrapped::without_colours(text.as_bytes());
        let text = String::from_utf8_lossy(&text);
        // A word processor changes quotes, and they are read as they were typed.
        let text = straight(&text);
        let lines: Vec<&str> = text.lines().collect();
        let at = |line: u32| lines.get((line as usize).wrapping_sub(1)).copied();
        if content.parsed.format != FORMAT {
            return Ok(());
        }
        for record in &content.parsed.records {
            match record {
                Record::Table(table) => for row in &table.rows {
                    let first = row.cells.first().map_or("", String::as_str);
                    prop_assert!(at(row.line).is_some_and(|line| line.contains(&straight(first))), "{:?} at {}", row, row.line);
                },
                Record::Object(object) if object.kind.as_ref().is_some_and(|kind| kind.plural == "etcdmembers") => {
                    prop_assert!(at(object.line).is_some_and(|line| line.contains(&object.name)));
                }
                Record::Object(object) => prop_assert!(at(object.line).is_some()),
                Record::Answer(answer) => prop_assert!(at(answer.citation.line).is_some()),
                Record::Stamp(_) | Record::Served(_) => {}
            }
        }
        for hit in content.session.iter().flat_map(|session| &session.logs).flat_map(|log| &log.log.hits) {
            prop_assert!(at(hit.line).is_some_and(|line| line.contains("no leader") && line.contains("level")));
        }
        for (line, _) in &content.parsed.unread {
            prop_assert!(at(*line).is_some(), "line {line}");
        }
    }

    #[test]
    fn every_line_is_accounted_for(lines in prop::collection::vec(line(), 0..60)) {
        accounted(&lines.join("\n"), &Border::Any).map_err(TestCaseError::fail)?;
    }
}

#[test]
fn a_fence_of_a_log_without_a_command_is_a_log() {
    for log in [
        "E0514 10:00:00.000000 1 a.go:1] there is no leader\n",
        "{\"level\":\"warn\",\"ts\":\"2026-04-02T06:10:42.330Z\",\"msg\":\"no leader\"}\n",
        "May 14 10:00:00 cp-1 etcd[7]: no leader\n",
        "etcd: there is no leader\n",
    ] {
        let content = read("ticket.md", &format!("We saw this at noon:\n\n```\n{log}```\n"));
        let logs = content.session.expect("a ticket is a session").logs;
        assert_eq!(logs.iter().map(|log| log.log.hits.len()).sum::<usize>(), 1, "{log}");
        assert!(layout::accounted::understood(&read("ticket.md", &format!("```\n{log}```\n"))), "{log}");
    }
}

#[test]
fn logs_between_marks_are_read_and_no_empty_file() {
    let line = "{\"level\":\"warn\",\"ts\":\"2026-04-02T06:10:42.330Z\",\"msg\":\"no leader\"}\n";
    let marks =
        ["START", "END"].map(|mark| format!("==== {mark} logs for container etcd of pod kube-system/etcd-a ====\n"));
    let mut content = read("kube-system/etcd-a/logs.txt", &[&marks[0], line, &marks[1]].concat());
    assert!(layout::accounted::understood(&content));
    layout::accounted::explain(&mut content);
    assert_eq!(content.parsed.unread, []);
}

/// Whether what is called prose may read like a line of a log, and whether what is unread has its reason beside it. In a
/// random session forms stand broken in one another, and neither holds yet.
#[derive(PartialEq)]
enum Border {
    Any,
    Sharp,
}

/// Is each line of a session something, and what it is said to be?
fn accounted(text: &str, border: &Border) -> Result<(), String> {
    let content = read("session.txt", text);
    let Some(session) = &content.session else { return Ok(()) };
    let plain = wrapped::without_colours(text.as_bytes());
    let clean = dialect::clean(&String::from_utf8_lossy(&plain));
    let lines = session.account.lines();
    if lines.len() != clean.len() {
        return Err(format!("{} of {} lines are accounted for", lines.len(), clean.len()));
    }
    let unread = &content.parsed.unread;
    let logged: u64 = session.logs.iter().map(|log| log.log.tally.lines).sum();
    let logs = lines.iter().filter(|line| **line == Line::Log).count() as u64;
    if logged < logs {
        return Err(format!("{logs} lines are called lines of logs, and {logged} were scanned"));
    }
    for (number, (line, text)) in (1u32..).zip(lines.iter().zip(&clean)) {
        let lost = match line {
            Line::Blank => !text.trim().is_empty(),
            Line::Fence => dialect::fence(text).is_none(),
            Line::Prose => *border == Border::Sharp && stretch::is_log(text),
            // The reason stands at the first line of what it is about, or where its reader gave up.
            Line::Unread => {
                let behind = lines.iter().skip(number as usize).take_while(|line| **line == Line::Unread).count();
                *border == Border::Sharp && !unread.iter().any(|(first, _)| *first as usize <= number as usize + behind)
            }
            Line::Command | Line::Output | Line::Log => text.trim().is_empty(),
        };
        if lost {
            return Err(format!("line {number} is no {line:?}: {text}"));
        }
    }
    Ok(())
}

/// The files below a folder.
fn files(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

#[test]
fn every_line_of_the_sessions_that_are_samples_is_accounted_for() {
    let mut all = Vec::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles");
    for bundle in std::fs::read_dir(root).expect("the sample bundles").flatten() {
        files(&bundle.path().join("bundle"), &mut all);
    }
    if let Some(corpus) = std::env::var_os("CASEFILE_CORPUS") {
        files(&std::path::Path::new(&corpus).join("pasted"), &mut all);
    }
    let texts = all.iter().filter_map(|path| Some((path, std::fs::read_to_string(path).ok()?)));
    let mut sessions = 0;
    for (path, text) in texts {
        sessions += usize::from(read("session.txt", &text).session.is_some());
        assert_eq!(accounted(&text, &Border::Sharp), Ok(()), "{}", path.display());
    }
    assert!(sessions > 2, "only {sessions} sessions were found");
}

/// A value of several lines, as `describe` prints it: its second line stands in the first column.
const OF_SEVERAL_LINES: &str = "\
Name:         cp
Namespace:    clusters
Labels:       <none>
API Version:  controlplane.cluster.x-k8s.io/v1beta2
Kind:         KubeadmControlPlane
Spec:
  Machine Template:
    Infrastructure Ref:
      Name:  cp
Status:
  Conditions:
    Last Transition Time:  2026-02-01T10:00:00Z
    Message:               Rolling out 3 replicas
* DevMachine is not up-to-date
* Spec differs: replicas
    Reason:                RollingOut
    Status:                True
    Type:                  RollingOut
  Replicas:  4
Events:      <none>
";

#[test]
fn a_value_of_several_lines_does_not_end_a_description() {
    let whole = |content: &MemberContent| {
        let object = content.parsed.records.iter().find_map(|record| match record {
            Record::Object(object) => Some(object),
            _ => None,
        });
        let object = object.expect("an object");
        assert_eq!(object.shown, facts::object::Shown::Everything, "{:?}", content.parsed.unread);
        object.node.to_string()
    };
    let alone = whole(&read("cp.txt", OF_SEVERAL_LINES));
    assert!(alone.contains("Spec differs: replicas") && alone.contains("Replicas: 4"), "{alone}");
    let session = format!("$ kubectl describe kcp cp -n clusters\n{OF_SEVERAL_LINES}$ kubectl get nodes\n");
    assert_eq!(whole(&read("session.txt", &session)), alone);
    // What somebody writes below a description is none of it.
    let (head, _) = OF_SEVERAL_LINES.split_once("* DevMachine").expect("the value");
    let commented =
        format!("$ kubectl describe kcp cp -n clusters\n{head}and it stays like that\nfor hours\n\nName: x\n");
    let content = read("session.txt", &commented);
    let said = content.parsed.records.iter().any(|record| format!("{record:?}").contains("stays like that"));
    assert!(!said, "{:?}", content.parsed.records);
}

#[test]
fn a_word_that_begins_like_a_program_makes_no_session() {
    for word in
        ["kubeadmcontrolplanes", "kubectl.kubernetes.io/last-applied-configuration", "etcdctl-image", "helm-secrets"]
    {
        let text = format!(
            "Name:         cp\nNamespace:    clusters\nLabels:       of={word}\nAnnotations:  <none>\nAPI Version:  a/v1\nKind:         {word}\nSpec:\n  A:  {word}\nEvents:  <none>\n"
        );
        assert!(!is_transcript("cp.txt", &text), "{word}");
    }
    for command in ["$ kubectl get pods", "root@cp-1:~# k get pods", "# /usr/local/bin/etcdctl member list"] {
        let text = format!(
            "Please look:\n{command}\nNAME   READY   STATUS    RESTARTS   AGE\na      1/1     Running   0          3d\n"
        );
        assert!(is_transcript("ticket.txt", &text), "{command}");
    }
}
