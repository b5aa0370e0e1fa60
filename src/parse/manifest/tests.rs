use super::*;
use std::fmt::Write as _;

/// Objects, answers and unread parts, one on each line.
fn show(parsed: &Parsed) -> String {
    let mut out = String::new();
    for record in &parsed.records {
        let _ = match record {
            Record::Object(o) => {
                let kind = o.kind.as_ref().map_or_else(|| "?".to_owned(), ToString::to_string);
                let namespace = o.namespace.as_deref().unwrap_or("-");
                writeln!(out, "{}: {kind} {namespace}/{} {}", o.line, o.name, o.path)
            }
            Record::Answer(a) => {
                writeln!(out, "{}: answer {} {:?} {:?}", a.citation.line, a.kind, a.namespaces, a.state)
            }
            other => writeln!(out, "{other:?}"),
        };
    }
    for (line, reason) in &parsed.unread {
        let _ = writeln!(out, "{line}: unread {reason}");
    }
    out
}

fn json(text: &str) -> String {
    show(&read_json(MemberId(0), "x.json", text.as_bytes(), &Limits::default()))
}

fn yaml(text: &str) -> String {
    show(&read_yaml(MemberId(0), "x.yaml", text.as_bytes(), &Limits::default()))
}

#[test]
fn more_objects_than_the_memory_can_hold_end_the_reading() {
    let limits = Limits { memory: 64 << 10, ..Limits::default() };
    let most = usize::try_from(limits.memory_of_facts() / weight::SHOWN).unwrap();
    let pod = |i: usize| format!("{{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{{\"name\":\"p{i}\"}}}}\n");
    let json: String = (0..1_000).map(pod).collect();
    let yaml = (0..1_000).map(pod).collect::<Vec<_>>().join("---\n");
    for parsed in [
        read_json(MemberId(0), "x.json", json.as_bytes(), &limits),
        read_yaml(MemberId(0), "x.yaml", yaml.as_bytes(), &limits),
    ] {
        assert!(is_over(&parsed, &limits));
        assert!((most..2 * most).contains(&parsed.records.len()), "{} of {most}", parsed.records.len());
    }
}

#[test]
fn every_form_of_a_json_list() {
    let pod = r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n"}}"#;
    let bare = r#"{"metadata":{"name":"a","namespace":"n"}}"#;
    insta::assert_snapshot!(json(pod), @"1: pods n/a ");
    insta::assert_snapshot!(json(&format!("{{\"kind\":\"List\",\"items\":[\n{pod}]}}")), @r#"
    2: pods n/a items[0]
    1: answer pods Some(["n"]) Complete
    "#);
    insta::assert_snapshot!(
        json(&format!("{{\"items\":[\n{bare}],\"kind\":\"MachineList\",\"apiVersion\":\"cluster.x-k8s.io/v1beta1\"}}")),
        @r#"
    2: machines.cluster.x-k8s.io n/a items[0]
    1: answer machines.cluster.x-k8s.io Some(["n"]) Complete
    "#
    );
    insta::assert_snapshot!(json(&format!("[{pod},\n{bare}]")), @r#"
    1: pods n/a [0]
    2: ? n/a [1]
    1: answer pods Some(["n"]) Complete
    "#);
    insta::assert_snapshot!(json(&format!("{pod}\n{pod}\n")), @r"
    1: pods n/a 
    2: pods n/a
    ");
    insta::assert_snapshot!(
        json(r#"{"kind":"MachineList","items":null}"#),
        @"1: unread empty list: proves nothing without its command"
    );
}

#[test]
fn a_list_that_is_not_whole_is_partial() {
    let pod = r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n"}}"#;
    let paged = format!("{{\"kind\":\"List\",\"metadata\":{{\"continue\":\"abc\"}},\"items\":[{pod}]}}");
    assert!(json(&paged).contains("Partial(\"`metadata.continue`"), "{}", json(&paged));
    let cut = format!("{{\"kind\":\"List\",\"items\":[\n{pod},\n{{\"kind\":\"Po");
    assert!(json(&cut).contains("2: pods n/a items[0]"), "{}", json(&cut));
    assert!(json(&cut).contains("Partial(\"the text breaks off at line 3"), "{}", json(&cut));
    let error = format!("{{\"kind\":\"List\",\"items\":[{pod}]}}\nError from server (Forbidden): no\n");
    assert!(json(&error).contains("Partial(\"text follows at line 2: Error from server"), "{}", json(&error));
    let ended = format!("{{\"kind\":\"List\",\"items\":[{pod}]}}\nCluster info dumped to standard output\n");
    assert!(!json(&ended).contains("Partial"), "{}", json(&ended));
}

#[test]
fn items_of_an_object_that_is_no_list() {
    let text = r#"{"kind":"Odd","apiVersion":"x.io/v1","metadata":{"name":"a"},"items":{"b":1}}"#;
    insta::assert_snapshot!(json(text), @"1: odds.x.io -/a ");
}

#[test]
fn yaml_documents_and_lists() {
    let text = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n---\n# nothing\n---\napiVersion: v1\nitems:\n- \
                apiVersion: v1\n  kind: Node\n  metadata: {name: b}\nkind: List\n";
    insta::assert_snapshot!(yaml(text), @r"
    1: pods -/a 
    10: nodes -/b items[0]
    8: answer nodes Some([]) Complete
    ");
}

#[test]
fn damage_in_yaml_costs_one_document() {
    let text = "kind: Pod\nmetadata:\n  name: a\n---\nkind: List\nitems:\n- kind: Pod\n  metadata: {name: b}\n\
                - kind: Pod\n  metadata: {name: \"c\n---\nkind: Pod\nmetadata: {name: d}\n";
    let shown = yaml(text);
    assert!(shown.contains("pods -/a") && shown.contains("pods -/b") && shown.contains("pods -/d"), "{shown}");
    assert!(shown.contains("Partial("), "{shown}");
}

#[test]
fn a_list_of_kubectl_without_its_end_was_cut() {
    let text = "apiVersion: v1\nitems:\n- kind: Pod\n  metadata: {name: a}\n- kind: Pod\n  metadata:\n    name: b\n";
    insta::assert_snapshot!(yaml(text), @r#"
    3: pods -/a items[0]
    1: answer pods Some([]) Partial("the list ends with its items, and kubectl prints `kind: List` behind them")
    5: unread the text was cut within this object or right behind it, so it was not kept: what it does not show would look as if it were not set; collect it again to have it whole
    "#);
    // Two dumps that were written to one file are two documents.
    let nodes =
        "apiVersion: v1\nitems:\n- kind: Node\n  metadata: {name: n}\nkind: List\nmetadata:\n  resourceVersion: \"\"\n";
    let pods = nodes.replace("Node", "Pod");
    insta::assert_snapshot!(yaml(&format!("{nodes}{pods}")), @r"
    3: nodes -/n items[0]
    1: answer nodes Some([]) Complete
    10: pods -/n items[0]
    8: answer pods Some([]) Complete
    ");
    insta::assert_snapshot!(yaml(&format!("{text}{nodes}")), @r#"
    3: pods -/a items[0]
    1: answer pods Some([]) Partial("the list ends with its items, and kubectl prints `kind: List` behind them")
    10: nodes -/n items[0]
    8: answer nodes Some([]) Complete
    5: unread the text was cut within this object or right behind it, so it was not kept: what it does not show would look as if it were not set; collect it again to have it whole
    "#);
    let one = |name: &str| format!("kind: Node\napiVersion: v1\nmetadata:\n  name: {name}\n");
    insta::assert_snapshot!(yaml(&format!("{}{}", one("a"), one("b"))), @r"
    1: nodes -/a 
    5: nodes -/b
    ");
}

#[test]
fn deep_nesting_is_refused_and_not_a_crash() {
    for open in ["[", "{\"a\":"] {
        let deep = open.repeat(200_000);
        assert!(json(&deep).contains("unread"));
        let closed = format!("[{}1{}]", "[".repeat(5000), "]".repeat(5000));
        assert!(json(&closed).contains("nested deeper"), "{}", json(&closed));
    }
    assert!(yaml(&"[".repeat(50_000)).contains("unread"));
    let blocks: String = (0..3000).map(|i| format!("{}a:\n", " ".repeat(i))).collect();
    assert!(yaml(&blocks).contains("nested deeper"));
    assert!(yaml(&"- ".repeat(3000)).contains("nested deeper"));
}

#[test]
fn numbers_stay_exact_and_marks_are_redacted() {
    let text = r#"{"metadata":{"name":"a"},"id":18446744073709551615,"n":-3,"f":1e+06,"m":"***HIDDEN***"}"#;
    let parsed = read_json(MemberId(0), "x", text.as_bytes(), &Limits::default());
    let Some(Record::Object(object)) = parsed.records.first() else { panic!("no object") };
    let value = |key: &str| object.node.get(key).map(|n| n.value.clone());
    assert_eq!(value("id"), Some(Value::UInt(u64::MAX)));
    assert_eq!(value("n"), Some(Value::Int(-3)));
    assert_eq!(value("f"), Some(Value::Int(1_000_000)));
    assert_eq!(value("m"), Some(Value::REDACTED));
}

#[test]
fn an_answer_as_an_object() {
    let text = r#"{"kind":"Status","status":"Failure","reason":"NotFound","message":"pods \"x\" not found","details":{"name":"x","kind":"pods"}}"#;
    insta::assert_snapshot!(json(text), @r#"1: answer pods Some([]) NotFound("x")"#);
}
