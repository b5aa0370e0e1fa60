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
