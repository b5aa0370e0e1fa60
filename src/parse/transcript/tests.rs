use super::*;

/// The records of a session, one a line.
fn show(text: &str) -> String {
    let Some(content) = read(MemberId(0), "x/paste.txt", text, &Literals::default(), &Limits::default()) else {
        return "none".to_owned();
    };
    let session = content.session.clone().unwrap_or_default();
    let mut out = Vec::new();
    for record in &content.parsed.records {
        match record {
            Record::Object(object) => {
                let kind = object.kind.as_ref().map_or("?".to_owned(), ToString::to_string);
                let node = object.node.at(&["spec", "node"]).and_then(Node::as_str);
                let on = node.map_or(String::new(), |node| format!(" on {node}"));
                out.push(format!("{}: {kind} {}{on}", object.line, object.name));
            }
            Record::Table(table) => {
                let rows: Vec<&str> = table.rows.iter().map(|row| row.cells[0].as_str()).collect();
                out.push(format!("{}: table {}", table.line, rows.join(",")));
            }
            Record::Answer(answer) => out.push(format!("{}: {}", answer.citation.line, answer.state.word())),
            _ => {}
        }
    }
    for part in &session.logs {
        let source = part.source.as_ref().map_or("?", Source::name);
        out.push(format!("log of {source} on {}", part.node.as_deref().unwrap_or("?")));
    }
    out.join("\n")
}

const DISKS: &str = "Filesystem  1K-blocks  Used Available Use% Mounted on\n/dev/vda1  100  90  10  90% /\n";
const JOURNAL: &str = "Nov 24 16:05:01 w-7 kubelet[228]: E1124 16:05:01.330912     228 kubelet.go:1] it fails\n";

#[test]
fn headings_of_a_collected_text() {
    let text = format!("### host: w-7\n### uptime\n up 3 days\n### df -h\n{DISKS}### journalctl -u kubelet\n{JOURNAL}");
    assert_eq!(show(&text), "6: filesystems.casefile.dev /\nlog of kubelet on w-7");
    let text = format!("==== df -h ====\n{DISKS}==== hostname ====\nw-7\n");
    assert_eq!(show(&text), "3: filesystems.casefile.dev /");
    let nodes = "NAME   STATUS   ROLES    AGE   VERSION\nw-7    Ready    <none>   5d    v1.30.1\n";
    let text = format!("=====================\nkubectl get nodes\n=====================\n{nodes}");
    assert_eq!(show(&text), "4: table w-7");
}

#[test]
fn machines_that_commands_name() {
    let text =
        format!("$ ssh cp-1 df -h\n{DISKS}$ kubectl debug node/w-2 -it --image=busybox -- chroot /host df -h\n{DISKS}");
    let wanted = "3: filesystems.casefile.dev / on cp-1\n6: filesystems.casefile.dev / on w-2";
    assert_eq!(show(&text), wanted);
    let text = format!("$ kubectl exec web-0 -- df -h\n{DISKS}");
    assert_eq!(show(&text), "3: filesystems.casefile.dev /");
}

#[test]
fn a_description_of_all_is_of_the_only_one() {
    let rows = |rows: &str| format!("$ kubectl get widgets -n shop\nNAME   READY   STATUS   AGE\n{rows}\n");
    let described = "$ kubectl describe widgets -n shop | grep -A9 ^Status\nStatus:\n  Conditions:\n    Last Transition Time:  2026-05-15T23:12:09Z\n    Reason:  Bad\n    Status:  False\n    Type:    Ready\n";
    let one = rows("a      0/1     Bad      5d") + described;
    assert!(show(&one).ends_with("widgets a"), "{}", show(&one));
    let two = rows("a      0/1     Bad      5d\nb      1/1     Good     5d") + described;
    assert!(show(&two).contains("(unnamed, paste.txt"), "{}", show(&two));
}

#[test]
fn lines_with_a_level_and_no_time() {
    let lines = "[ERROR] plugin/errors: 2 a. A: timeout\n[ERROR] plugin/errors: 2 b. A: timeout\n";
    let session =
        "\n$ kubectl get nodes\nNAME   STATUS   ROLES    AGE   VERSION\nw-7    Ready    <none>   5d    v1.30.1\n";
    let text = |above: &str| format!("names fail:\n\n{above}{session}");
    assert!(show(&text(lines)).contains("log of"));
    let one = "[ERROR] is what it says\n";
    assert!(!show(&text(one)).contains("log of"));
}

#[test]
fn a_quotation_is_older_than_its_answer() {
    let table = |state: &str| format!("NAME    READY   STATUS   RESTARTS   AGE\nweb-0   {state}   0          5m\n");
    let event = "\n  Warning  Failed  2m (x9 over 21m)  kubelet  Error: secret \"key\" not found\n";
    let quoted = |text: &str| text.lines().map(|line| format!("> {line}\n")).collect::<String>();
    let thread = |now: &str| {
        let older = format!("From: Ann\n\n$ kubectl get pods\n{}{event}", table("0/1     Failed "));
        format!("Solved:\n$ kubectl get pods\n{}\n{}", table(now), quoted(&older))
    };
    assert!(!show(&thread("1/1     Running")).contains("unnamed"));
    // What is not over keeps its reason.
    assert!(show(&thread("0/1     Failed ")).contains("unnamed"));
}

#[test]
fn a_row_of_before_is_overruled_by_a_whole_list() {
    let row = "```\nmail-6c5f7c9c5b-cs2l4   0/1     ImagePullBackOff   0          4m\n```\nlater:\n";
    let list = |pod: &str, state: &str| {
        format!(
            "```\n$ kubectl -n mail get pods\nNAME                    READY   STATUS    RESTARTS   AGE\n{pod}   {state}   Running   0          6m\n```\n"
        )
    };
    let shown = |list: String| show(&format!("first:\n{row}{list}"));
    assert_eq!(shown(list("mail-7d9fdb8c6d-6x5rt", "1/1  ")), "8: table mail-7d9fdb8c6d-6x5rt");
    for other in [list("mail-7d9fdb8c6d-6x5rt", "0/1  "), list("news-7d9fdb8c6d-6x5rt", "1/1  ")] {
        assert!(shown(other).starts_with("3: table mail-6c5f7c9c5b-cs2l4"));
    }
}

#[test]
fn conditions_of_before_are_overruled_below_a_word_of_the_past() {
    let group = |status: &str| {
        format!(
            "    Last Transition Time:  2026-05-15T23:12:09Z\n    Reason:  X\n    Status:  {status}\n    Type:    PlacementApplied\n"
        )
    };
    let text = |above: &str| format!("{above}\n\n{}\nand now:\n\n{}\nok?\n", group("False"), group("True"));
    assert_eq!(show(&text("Old status of this morning:")).lines().count(), 1);
    assert_eq!(show(&text("The one of the east:")).lines().count(), 2);
}

#[test]
fn what_a_filter_picked_out_of_a_description() {
    let text =
        "$ kubectl describe node w-3 | grep -i taint\nTaints:             node.kubernetes.io/unreachable:NoExecute\n";
    assert_eq!(show(text), "2: nodes w-3");
    let text = "$ kubectl describe nodes | grep -E '^Name:|Unschedulable'\nName:               w-1\nUnschedulable:      false\nName:               w-2\nUnschedulable:      true\n";
    assert_eq!(show(text), "3: nodes w-1\n5: nodes w-2");
    assert_eq!(show("$ kubectl get nodes\nTaints:             <none>\n"), "none");
}

#[test]
fn a_document_with_sentences_beside_it() {
    let object = "apiVersion: widgets.example.net/v1\nkind: Frobnicator\nmetadata:\n  name: lead\n  uid: a-1\nstatus:\n  phase: Broken\n";
    let wanted = |line: u32| format!("{line}: frobnicators.widgets.example.net lead");
    assert_eq!(show(&format!("{object}What can we do about it?\n")), wanted(1));
    assert_eq!(show(&format!("The press is broken:\n\n{object}")), wanted(3));
}

#[test]
fn lines_that_name_their_container() {
    let text = "+ web-0 › app\n+ web-0 › side\nweb-0 app 2026-05-14T10:00:01Z it starts\nweb-0 side 2026-05-14T10:00:02Z listens\nweb-0 app bye\n";
    assert_eq!(show(text), "log of web-0 on ?\nlog of web-0 on ?");
}

/// The messages of the Events of a session.
fn messages(text: &str) -> Vec<String> {
    let content = read(MemberId(0), "x/paste.txt", text, &Literals::default(), &Limits::default());
    let objects = content.iter().flat_map(|content| &content.parsed.records).filter_map(|record| match record {
        Record::Object(object) => {
            object.node.get("message").and_then(Node::as_str).map(|said| (object, said.to_owned()))
        }
        _ => None,
    });
    objects.map(|(object, said)| format!("{}: {said}", object.name.split('#').next().unwrap_or_default())).collect()
}

/// The programs that mount print several lines, which kubectl prints from the first column on.
#[test]
fn a_message_of_an_event_goes_on_in_the_first_column() {
    let volumes = "Volumes:\n  content:\n    Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)\n    ClaimName:  shelf\n    ReadOnly:   false\n";
    let events = "Events:\n  Type     Reason       Age                    From     Message\n  ----     ------       ----                   ----     -------\n  Warning  FailedMount  3m12s (x766 over 26h)  kubelet  MountVolume.SetUp failed for volume \"pv-shelf\" : mount failed: exit status 32\nMounting command: mount\nOutput: mount.nfs: access denied by server\n";
    let wanted = "web-5: MountVolume.SetUp failed for volume \"pv-shelf\" : mount failed: exit status 32\nMounting command: mount\nOutput: mount.nfs: access denied by server";
    let head = "Name:             web-5\nNamespace:        shop\nPriority:         0\nNode:             w-3/10.0.0.7\nStatus:           Pending\nIP:               \nIPs:              <none>\n";
    let command = "$ kubectl -n shop describe pod web-5\n";
    for text in [
        format!("{command}{head}{volumes}{events}"),
        format!("{command}{head}{volumes}{events}\nWhat is wrong with it?\n"),
        format!("{command}....\n{volumes}{events}"),
        format!("{command}[...]\n{events}Can you tell us more?\n"),
        format!("{command}<snip>\n{events}The export is the same as before.\n"),
    ] {
        assert_eq!(messages(&text), [wanted], "{text}");
    }
}

/// Whoever drains a node is told at its end what held it up, behind lines of progress.
#[test]
fn the_last_word_of_a_drain() {
    let progress = "$ kubectl drain w-7 --ignore-daemonsets\nnode/w-7 cordoned\nevicting pod cache/kv-1\nThere are pending nodes to be drained:\n w-7\n";
    let refused = "error when evicting pods/\"kv-1\" -n \"cache\": This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
    for last in [
        format!("error: unable to drain node \"w-7\" due to error:{refused}, continuing command...\n"),
        format!(
            "error: unable to drain node \"w-7\" due to error: [{refused}, error when waiting for pod \"a\" to terminate: timed out], continuing command...\n"
        ),
        format!("{refused}\n"),
    ] {
        let said = show(&format!("{progress}{last}"));
        assert!(said.contains("toolreports.casefile.dev kubectl kv-1"), "{said}");
    }
}
