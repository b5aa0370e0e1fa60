//! Tables as kubectl prints them, whole, cut, collapsed and with prose around.

use super::*;
use facts::origin::MemberId;

/// Tables as `header|header` lines with their rows, `cut:` and `!` lines.
fn show(text: &str) -> String {
    let output = read(&Asked { member: MemberId(0), name: "get-pods.txt", command: None }, text, 1);
    let mut out = String::new();
    for record in output.records {
        match record {
            Record::Table(table) => {
                out += &format!("{}: {}\n", table.line, table.headers.join("|"));
                for row in table.rows {
                    out += &format!("{}: {}\n", row.line, row.cells.join("|"));
                }
                if let Some(cut) = table.cut {
                    out += &format!("cut: {cut}\n");
                }
            }
            Record::Answer(answer) => out += &format!("{}: {}\n", answer.citation.line, answer.state.word()),
            other => out += &format!("{other:?}\n"),
        }
    }
    for (line, reason) in output.unread {
        out += &format!("{line}! {reason}\n");
    }
    out
}

#[test]
fn a_status_that_a_screen_cut() {
    let text = "NAME    READY   STATUS         AGE\nweb-0   0/1     CrashLoopB…    5m\nweb-1   0/1     Container…     5m\nweb-2   0/1     Init:ErrIm…    5m\nweb-3   1/1     Odd thing...   5m\n";
    let wanted = "1: NAME|READY|STATUS|AGE\n2: web-0|0/1|CrashLoopBackOff|5m\n3: web-1|0/1|Container…|5m\n4: web-2|0/1|Init:ErrIm…|5m\n5: web-3|1/1|Odd thing...|5m\n";
    assert_eq!(show(text), wanted);
}

#[test]
fn a_row_that_was_moved_by_a_blank() {
    let columns = header("NAMESPACE   NAME     STATE        CONSUMER   ONLINE   ERROR              AGE").unwrap();
    let row = "metal3      node-1   inspecting             true     inspection error   46m";
    let wanted = ["metal3", "node-1", "inspecting", "", "true", "inspection error", "46m"];
    assert_eq!(cells(row, &columns).unwrap(), wanted);
    assert_eq!(cells("this is  a sentence  with gaps in it", &columns), None);
}

#[test]
fn the_same_row_again_says_nothing_more() {
    let rows = "web    0/1   5m\n".repeat(3) + "db     1/1   5m\nweb    0/1   5m\n";
    insta::assert_snapshot!(show(&format!("NAME   UP    AGE\n{rows}")), @r"
        1: NAME|UP|AGE
        2: web|0/1|5m
        5: db|1/1|5m
        6: web|0/1|5m
        ");
}

#[test]
fn empty_cells_and_repeated_headers() {
    insta::assert_snapshot!(show("\
NAME      CLUSTER   AVAILABLE   CP UP-TO-DATE   READY   AVAILABLE   AGE   VERSION
cp-a      wl        True                                3           12d   v1.34.2
cp-bbbb             False       1               0                   3m4s  
"), @r"
        1: NAME|CLUSTER|AVAILABLE|CP UP-TO-DATE|READY|AVAILABLE|AGE|VERSION
        2: cp-a|wl|True|||3|12d|v1.34.2
        3: cp-bbbb||False|1|0||3m4s|
        ");
}

#[test]
fn characters_not_bytes() {
    insta::assert_snapshot!(show("\
LAST SEEN   REASON   OBJECT   MESSAGE
3m          Ünïcö    pod/é    größer  als 3
"), @r"
        1: LAST SEEN|REASON|OBJECT|MESSAGE
        2: 3m|Ünïcö|pod/é|größer  als 3
        ");
}

#[test]
fn the_last_message_goes_on_as_those_above_it() {
    let text = "LAST SEEN   REASON      OBJECT   MESSAGE\n14s         Unhealthy   pod/a    probe failed:\nnode is not ready: with b\n21s         Unhealthy   pod/b    probe failed:\nnode is not ready: with a\n";
    insta::assert_snapshot!(show(text), @r"
        1: LAST SEEN|REASON|OBJECT|MESSAGE
        2: 14s|Unhealthy|pod/a|probe failed:
        node is not ready: with b
        4: 21s|Unhealthy|pod/b|probe failed:
        node is not ready: with a
        ");
    let prose = text.replace("node is not ready: with a", "And now?");
    assert!(show(&prose).contains("no row of a table"), "{}", show(&prose));
}

#[test]
fn rows_beyond_the_bound_leave_the_table_cut_and_what_follows_is_read() {
    let rows: String = (0..MAX_ROWS + 9).map(|i| format!("w{i:<9}1/1   5m\n")).collect();
    let text = format!("NAME      UP    AGE\n{rows}\nNAME   UP    AGE\ndb     1/1   5m\n");
    let output = read(&Asked { member: MemberId(0), name: "get-pods.txt", command: None }, &text, 1);
    let [Record::Table(first), Record::Table(second)] = output.records.as_slice() else { panic!("two tables") };
    assert_eq!((first.rows.len(), second.rows.len()), (MAX_ROWS, 1));
    assert_eq!(first.cut, Some(WhyPartial::RowsLeftOut(250_002)));
    assert_eq!(second.cut, None);
    assert_eq!(output.unread, [(250_002, WhyUnread::RowsBeyond(MAX_ROWS))]);
}

#[test]
fn a_text_that_is_no_table_is_not_looked_at_to_its_end() {
    let others = "this is no row of anything\n".repeat(MAX_OTHERS + 9);
    let text = format!("NAME   UP    AGE\ndb     1/1   5m\n\n{others}\nNAME   UP    AGE\nweb    1/1   5m\n");
    let output = read(&Asked { member: MemberId(0), name: "get-pods.txt", command: None }, &text, 1);
    let [Record::Table(table)] = output.records.as_slice() else { panic!("the table before them") };
    assert_eq!((table.rows.len(), &table.cut), (1, &Some(WhyPartial::RowsLeftOut(100_004))));
    assert_eq!(output.unread.last(), Some(&(100_004, WhyUnread::LinesBeyond(MAX_OTHERS))));
    assert!(try_parse(&Asked { member: MemberId(0), name: "get-pods.txt", command: None }, &text).is_none());
}

#[test]
fn lines_that_stand_for_rows_are_none() {
    for mark in ["...", "[...]", "[snip]", "<snip>", "(12 rows omitted)", "--More--"] {
        let shown = show(&format!("NAME   READY   AGE\na      1/1     2d\n{mark}\nb      1/1     2d\n"));
        assert!(shown.contains("cut: line 3 stands for rows"), "{shown}");
        assert!(shown.contains("4: b|1/1|2d") && !shown.contains("3: "), "{shown}");
        let before = show(&format!("{mark}\nNAME   READY   AGE\na      1/1     2d\n"));
        assert!(before.contains("cut: line 1 stands for"), "{before}");
        let after = show(&format!("NAME   READY   AGE\na      1/1     2d\n\n{mark}\n"));
        assert!(after.contains("cut: line 4 stands for"), "{after}");
    }
}

#[test]
fn several_kinds_and_an_error() {
    insta::assert_snapshot!(show("\
NAMESPACE   NAME                  READY   AGE
shop        deployment.apps/web   3/3     20m

NAMESPACE   NAME                 PORT(S)   AGE
default     service/kubernetes   443/TCP   22m
            node/a               <none>    22m
Error from server (NotFound): machines.cluster.x-k8s.io \"x\" not found
"), @r#"
        1: NAMESPACE|NAME|READY|AGE
        2: shop|deployment.apps/web|3/3|20m
        cut: Error from server (NotFound): machines.cluster.x-k8s.io "x" not found
        4: NAMESPACE|NAME|PORT(S)|AGE
        5: default|service/kubernetes|443/TCP|22m
        6: |node/a|<none>|22m
        cut: Error from server (NotFound): machines.cluster.x-k8s.io "x" not found
        7: not-found
        "#);
}

#[test]
fn a_row_that_ends_early_is_no_row() {
    insta::assert_snapshot!(show("NAME   READY   AGE\na      1/1     2d\nb      0/"), @r"
        1: NAME|READY|AGE
        2: a|1/1|2d
        cut: the text ends inside the row on line 3
        3! the last row ends early, so its cells are not known
        ");
    insta::assert_snapshot!(show("NAME   READY   AGE\na      1/1     2d"), @r"
        1: NAME|READY|AGE
        2: a|1/1|2d
        ");
}

#[test]
fn an_error_behind_half_a_row() {
    insta::assert_snapshot!(show("\
NAMESPACE   NAME    READY   STATUS    RESTARTS   AGE
shop        web-1   1/1     Running   0          5m
shop        web-2   0/1     CrashLoError from server (Timeout): the server was unable to return a response
"), @r"
        3: error
        1: NAMESPACE|NAME|READY|STATUS|RESTARTS|AGE
        2: shop|web-1|1/1|Running|0|5m
        cut: an error cut the row on line 3
        3! an error cut this row, so its cells are not known
        ");
    // Its blanks fit the columns here.
    insta::assert_snapshot!(show("\
NAME   READY   STATUS
a      1/1     Running
b      0/1     CraUnable to connect to the server: net/http: TLS handshake timeout
"), @r"
        3: error
        1: NAME|READY|STATUS
        2: a|1/1|Running
        cut: an error cut the row on line 3
        3! an error cut this row, so its cells are not known
        ");
    insta::assert_snapshot!(show("\
NAME   READY   STATUS
a      1/1     Running
  error: timed out waiting for the condition
"), @r"
        1: NAME|READY|STATUS
        2: a|1/1|Running
        cut: error: timed out waiting for the condition
        3: error
        ");
    insta::assert_snapshot!(show("\
NAME   READY   STATUS
a      1/1     Running
and half a line
"), @r"
        1: NAME|READY|STATUS
        2: a|1/1|Running
        cut: line 3 stands below its rows and is none
        3! no row of a table: `and half a line`
        ");
}

#[test]
fn messages_of_old_kubectl_span_lines() {
    insta::assert_snapshot!(show("\
LAST SEEN   OBJECT   MESSAGE
3m          pod/a    first
second
1m          pod/b    other
and what follows the table
"), @r"
        1: LAST SEEN|OBJECT|MESSAGE
        2: 3m|pod/a|first
        second
        4: 1m|pod/b|other
        cut: line 5 stands below its rows and is none
        5! no row of a table: `and what follows the table`
        ");
}

#[test]
fn wider_rows_of_a_watch() {
    insta::assert_snapshot!(show("\
NAME   READY   STATUS    AGE
a      1/1     Running   2d
a-much-longer-name   0/1     Pending   1s
"), @r"
        1: NAME|READY|STATUS|AGE
        2: a|1/1|Running|2d
        3: a-much-longer-name|0/1|Pending|1s
        ");
}

#[test]
fn collapsed_spaces() {
    insta::assert_snapshot!(show("\
NAME CLUSTER NODENAME PROVIDERID PHASE AGE VERSION
md-7nhgr it-mgmt md-7nhgr vsphere://4233fe14 Running 16d v1.27.5+vmware.1
cp-vrkvg it-mgmt vsphere://4233564d Provisioned 12m v1.27.5+vmware.1
cp-other elsewhere vsphere://4233564e Provisioned 12m v1.27.5+vmware.1
That still did not give me any hint.
"), @r"
        1: NAME|CLUSTER|NODENAME|PROVIDERID|PHASE|AGE|VERSION
        2: md-7nhgr|it-mgmt|md-7nhgr|vsphere://4233fe14|Running|16d|v1.27.5+vmware.1
        3: cp-vrkvg|it-mgmt||vsphere://4233564d|Provisioned|12m|v1.27.5+vmware.1
        cut: the cells of the row on line 4 cannot be told apart
        4! the spaces between columns were lost, and which cells of this row are empty is not known
        5! no row of a table: `That still did not give me any hint.`
        ");
}

#[test]
fn near_misses() {
    for line in [
        "NAME OF THE CLUSTER",
        "Name:         a",
        "NAME\tNAMESPACE",
        "NAME  of   things",
        "STATUS   NAME",
        "+------+------+",
        "ID   NAME   AGE",
        "CONTAINER           IMAGE               CREATED",
        "NAMES   AGE",
        "ERROR   NAME   AGE",
    ] {
        assert_eq!(header(line), None, "{line}");
    }
    for line in ["NAME", "POD   NAME   CPU(cores)   MEMORY(bytes)", "NAME   CPU(cores)   CPU%", "  NAME   AGE  "] {
        assert!(header(line).is_some(), "{line}");
    }
}

#[test]
fn a_tree_is_no_table() {
    insta::assert_snapshot!(show("\
NAME          REPLICAS AVAILABLE READY  SINCE
Cluster/wl    5/5      0         0      34s
├─ControlPlane - KubeadmControlPlane/wl-cp
└─Workers
"), @"1! a tree of objects (as `clusterctl describe` prints it) states no fields; collect the objects with `kubectl get -o yaml`");
}
