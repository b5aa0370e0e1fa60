//! What expressions pick out of one object, and what of it is shown.

use super::*;

/// The command that asks for one Machine and lets this be printed.
fn asked(output: &str) -> Command {
    Command {
        verb: "get".to_owned(),
        kinds: vec!["machines.cluster.x-k8s.io".to_owned()],
        names: vec!["w-3".to_owned()],
        output: Some(output.to_owned()),
        ..Command::default()
    }
}

fn show(expression: &str) -> String {
    let Some(picked) = picked(expression) else { return "-".to_owned() };
    let items = if picked.items { "[]" } else { "" };
    format!("{}{items} {:?} {:?}", picked.path.join("."), picked.of_type, picked.field)
}

#[test]
fn expressions_tell_where_a_value_stood() {
    for (expression, expected) in [
        ("{.status.conditions}", "status.conditions None None"),
        ("'.status.conditions[] | {type,status}'", "status.conditions[] None None"),
        (
            "{.status.conditions[?(@.type==\"NodeDegraded\")].message}{\"\\n\"}",
            "status.conditions[] Some(\"NodeDegraded\") Some(\"message\")",
        ),
        (
            ".status.conditions[] | select(.type == \"Ready\") | .message",
            "status.conditions[] Some(\"Ready\") Some(\"message\")",
        ),
        ("{range .status.conditions[*]}{.type}{\"\\t\"}{.status}{end}", "status.conditions[] None None"),
        (".status.placementStatuses[] | {clusterName}", "status.placementStatuses[] None None"),
        ("{.status.phase}", "status.phase None None"),
        (".statuses", "-"),
        (".", "-"),
    ] {
        assert_eq!(show(expression), expected, "{expression}");
    }
}

/// The cells of a row of this expression.
fn cells(expression: &str, line: &str) -> Option<Vec<String>> {
    let fields = row(&picked(expression).unwrap(), line)?;
    let shown = |Cell { of, field, text }: Cell| match of {
        Some((list, kind)) => format!("{list}/{kind}/{field}:{text}"),
        None => format!("{field}:{text}"),
    };
    Some(fields.into_iter().map(shown).collect())
}

#[test]
fn rows_of_conditions() {
    let cells = |line: &str| cells("{.status.conditions[*]}", line).map(|cells| cells.join(" "));
    let shown = |text: &str| Some(text.to_owned());
    let wanted = shown("type:Initialized status:False reason:Failed message:cannot go on");
    assert_eq!(cells("Initialized\tFalse\tFailed\tcannot go on"), wanted);
    assert_eq!(cells("Ready=False"), shown("type:Ready status:False"));
    assert_eq!(cells("Available\tTrue\t\tDone"), shown("type:Available status:True reason: message:Done"));
    for line in ["", "this is True or not", "Ready", "ready=False"] {
        assert_eq!(cells(line), None, "{line}");
    }
}

#[test]
fn rows_in_the_form_of_the_expression() {
    let shown = |expression: &str, line: &str| cells(expression, line).map(|cells| cells.join(" | "));
    let range = r#"{range .status.conditions[*]}{.type}={.status} {.reason} {.message}{"\n"}{end}"#;
    let wanted = "type:Ready | status:False | reason:Failed | message:it is = so".to_owned();
    assert_eq!(shown(range, "Ready=False Failed it is = so"), Some(wanted.clone()));
    let arrows = r#"{range .status.conditions[*]}{.status}{" "}{.type}: {.message}{"\n"}{end}"#;
    assert_eq!(shown(arrows, "False Ready: not so"), Some("status:False | type:Ready | message:not so".to_owned()));
    let go = "{{range .status.conditions}}{{.type}}={{.status}} {{.reason}} {{.message}}{{\"\\n\"}}{{end}}";
    assert_eq!(printed(go).len(), 8, "{:?}", printed(go));
    let jq = r#".status.conditions[] | "\(.type)=\(.status) \(.reason) \(.message)""#;
    assert_eq!(shown(jq, "Ready=False Failed it is = so"), Some(wanted));
    let tsv = ".status.conditions[] | [.type,.status,.reason,.lastTransitionTime,.message] | @tsv";
    assert_eq!(
        shown(tsv, "Ready\tFalse\tFailed\t2026-05-14T10:00:00Z\tit is, so").as_deref(),
        Some("type:Ready | status:False | reason:Failed | lastTransitionTime:2026-05-14T10:00:00Z | message:it is, so")
    );
    let csv = ".status.conditions[]|[.type, .status, .message // \"\"]|@csv";
    assert_eq!(
        shown(csv, "\"Ready\",\"False\",\"it is, so\"").as_deref(),
        Some("type:Ready | status:False | message:it is, so")
    );
    let nested = ".status.placementStatuses[] | [.clusterName, (.conditions[]|select(.type==\"Applied\")|.status,.reason)] | join(\" \")";
    assert_eq!(
        shown(nested, "edge-1 False Conflict").as_deref(),
        Some("clusterName:edge-1 | conditions/Applied/status:False | conditions/Applied/reason:Conflict")
    );
    assert_eq!(shown(nested, "edge-1 is not well"), None);
    assert_eq!(shown(range, "so it is"), None);
    assert_eq!(shown(range, "It=is not so"), None);
}

#[test]
fn rows_of_many_objects() {
    let rows = |output: &str, lines: &[&str]| {
        let command = Command {
            verb: "get".to_owned(),
            kinds: vec!["pods".to_owned()],
            output: Some(output.to_owned()),
            namespace: Some("shop".to_owned()),
            ..Command::default()
        };
        let count = length(lines, Some(&command)).unwrap_or_default();
        let limits = intake::Limits::default();
        let member = facts::origin::MemberId(0);
        let place = Place { member, name: "a.txt", first: 5, command: Some(&command), limits: &limits };
        let records = read(&place, &lines[..count]).map(|parsed| parsed.records).unwrap_or_default();
        let shown = records.iter().map(|record| match record {
            facts::record::Record::Object(object) => {
                let at = |path: &[&str]| object.node.at(path).and_then(Node::as_str).unwrap_or("-").to_owned();
                format!("{}: {} {}", object.name, at(&["status", "phase"]), at(&["status", "message"]))
            }
            other => format!("{other:?}"),
        });
        shown.collect::<Vec<_>>().join(" | ")
    };
    let tsv = "jq= -r '.items[] | [.metadata.name, .status.phase, .status.message] | @tsv'";
    assert_eq!(
        rows(tsv, &["web-0\tRunning\t", "web-1\tFailed\tno room for it", "", "That is all."]),
        "web-0: Running - | web-1: Failed no room for it"
    );
    let range = "jsonpath='{range .items[*]}{.metadata.name}{\"\\t\"}{.status.phase}{\"\\n\"}{end}'";
    assert_eq!(rows(range, &["web-0\tRunning", "web-1    Pending"]), "web-0: Running - | web-1: Pending -");
    let text = "jq= -r '.items[] | \"\\(.metadata.name) \\(.status.phase)\"'";
    assert_eq!(rows(text, &["web-0 Running", "Now I see."]), "web-0: Running -");
    let one = "jq= -r '.items[] | select(.metadata.name==\"web-1\") | .status.phase'";
    assert_eq!(rows(one, &["Failed"]), "web-1: Failed -");
    // Nothing says which of them it is.
    assert_eq!(rows("jq= -r '.items[] | [.status.phase, .status.message] | @tsv'", &["Failed\tno room"]), "");
}

#[test]
fn several_paths_of_one_object_in_a_line() {
    let asked = |output: &str| Command {
        verb: "get".to_owned(),
        kinds: vec!["machinedeployments.cluster.x-k8s.io".to_owned()],
        names: vec!["pool-1".to_owned()],
        output: Some(output.to_owned()),
        ..Command::default()
    };
    let show = |output: &str, line: &str| {
        let command = asked(output);
        length(&[line], Some(&command))?;
        let limits = intake::Limits::default();
        let member = facts::origin::MemberId(0);
        let place = Place { member, name: "a.txt", first: 5, command: Some(&command), limits: &limits };
        let parsed = read(&place, &[line])?;
        let Some(facts::record::Record::Object(object)) = parsed.records.first() else { return None };
        let at = |path: &[&str]| object.node.at(path).and_then(Node::as_str).unwrap_or("-").to_owned();
        let condition = object.node.at(&["status", "conditions"]).and_then(|all| all.elements().first()).cloned();
        let status = condition.and_then(|one| one.field("status").and_then(Node::as_str).map(str::to_owned));
        Some(format!("{} {} {}", at(&["spec", "replicas"]), at(&["status", "replicas"]), status.unwrap_or_default()))
    };
    let counts = "jsonpath='{.spec.replicas} {.status.replicas}'";
    assert_eq!(show(counts, "6 4").as_deref(), Some("6 4 "));
    assert_eq!(show(counts, "6 ").as_deref(), Some("6 - "));
    let ready = "jsonpath='{.spec.replicas}{\"\\t\"}{.status.conditions[?(@.type==\"Ready\")].status}{\"\\n\"}'";
    assert_eq!(show(ready, "6\tFalse").as_deref(), Some("6 - False"));
    assert_eq!(show(counts, "Error from server (NotFound): machinedeployments \"pool-1\" not found"), None);
}

#[test]
fn one_value_is_printed_once() {
    for (output, once) in [
        ("jsonpath='{.status.phase}'", true),
        ("jsonpath='{.spec.replicas} {.status.replicas}'", true),
        (r#"jq='.status.conditions[?(@.type=="Deleting")].reason,.message'"#, true),
        (r#"jq='.status.conditions[] | {type, status}'"#, false),
        ("yq= '.metadata.deletionTimestamp, .spec.deletion'", false),
        ("yaml", false),
    ] {
        let command = asked(output);
        assert_eq!(prints_once(&command), once, "{output}");
    }
}

#[test]
fn single_fields_prove_nothing_of_what_they_stand_in() {
    let ready = r#"jsonpath='{range .status.conditions[*]}{.type}={.status}{"\n"}{end}'"#;
    let rows = r#"jq='.status.conditions[] | {type, status}'"#;
    let value = r#"jq='.status.conditions[] | select(.type=="Ready")'"#;
    let condition = r#"{"type": "Ready", "status": "False"}"#;
    let later = r#"{"type": "Paused", "status": "True", "reason": "Paused"}"#;
    for (output, lines, path, is_shown) in [
        ("jsonpath='{.spec.replicas} {.status.phase}'", vec!["5 Running"], "spec.replicas", true),
        ("jsonpath='{.spec.replicas} {.status.phase}'", vec!["5 Running"], "spec.clusterName", false),
        (ready, vec!["Ready=False", "Paused=True"], "status.conditions[type=Ready].status", true),
        (ready, vec!["Ready=False", "Paused=True"], "status.conditions[type=Ready].message", false),
        (rows, vec![condition, later], "status.conditions[type=Ready].status", true),
        (rows, vec![condition, later], "status.conditions[type=Ready].reason", false),
        (value, vec![condition, later], "status.conditions[type=Ready].reason", true),
    ] {
        let command = asked(output);
        let limits = intake::Limits::default();
        let member = facts::origin::MemberId(0);
        let place = Place { member, name: "a.txt", first: 5, command: Some(&command), limits: &limits };
        let parsed = read(&place, &lines).unwrap();
        let Some(facts::record::Record::Object(object)) = parsed.records.first() else { panic!("{parsed:?}") };
        let path = facts::path::Path::parse(path).unwrap();
        assert_eq!(object.shown.covers(&path), is_shown, "{output}: {path} in {:?}", object.shown);
    }
}

#[test]
fn what_yq_printed_of_a_path() {
    let asked = |expression: &str| asked(&format!("{FILTER_OF_YAML} {expression}"));
    let status = ["bootstrapReady: true", "phase: Deleting", "", "And then nothing."];
    let of_status = asked("'.status'");
    assert_eq!(length(&status, Some(&of_status)), Some(2));
    let limits = intake::Limits::default();
    let member = facts::origin::MemberId(0);
    let place = Place { member, name: "a.txt", first: 5, command: Some(&of_status), limits: &limits };
    let parsed = read(&place, &status[..2]).unwrap();
    let Some(facts::record::Record::Object(object)) = parsed.records.first() else { panic!("{parsed:?}") };
    assert_eq!(object.node.at(&["status", "phase"]).and_then(Node::as_str), Some("Deleting"));
    // One of several paths is told by its value, a map that was selected by its own fields.
    let several = asked("'.metadata.deletionTimestamp, .spec'");
    assert_eq!(length(&["\"2026-05-14T10:00:00Z\"", "providerID: x"], Some(&several)), Some(1));
    let selected = asked("'.status.conditions[] | select(.type==\"Ready\")'");
    assert_eq!(length(&["lastTransitionTime: x", "type: Ready"], Some(&selected)), None);
}
