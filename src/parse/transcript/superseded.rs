//! States of a session that a later one of the same session overrules, though no name ties the two: rows and parts without a
//! name or a namespace.
//!
//! Why: a ticket that ends well begins with what was wrong, and whoever pastes that leaves out the head. What has a name is
//! overruled by its name, elsewhere; what has none would be a fault for ever.
//!
//! Invariants: only what stands below counts, never prose alone; a Pod is overruled by a whole list in which all Pods are
//! well, one of its workload among them; conditions of nobody by later ones of the same kind and type, and only where a
//! sentence above them says that they are of before: the healthy one may be another object.

use catalogue::made_names::workload_of;
use catalogue::words;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::ObjectRecord;
use facts::record::{Command, Parsed, Record, Row, Table};
use facts::unnamed;
use facts::unread::WhyUnread;
use std::collections::{BTreeMap, BTreeSet};

/// Why such a row is not read.
const PODS: &str = "older than the list below, in which all Pods are well";
/// Why such a condition is not read.
const CONDITIONS: &str = "older than the state below";

/// Takes out what is overruled; `above`: the sentence above a line.
pub(super) fn set_aside<'t>(parsed: &mut Parsed, above: impl Fn(u32) -> Option<&'t str>) {
    let mut aside = pods(&mut parsed.records);
    aside.extend(conditions(&mut parsed.records, above));
    parsed.unread.append(&mut aside);
}

/// The columns of a table of Pods: name, readiness, status.
fn columns(table: &Table) -> Option<[usize; 3]> {
    let at = |name: &str| table.headers.iter().position(|header| header == name);
    Some([at("NAME")?, at("READY")?, at("STATUS").filter(|_| at("RESTARTS").is_some())?])
}

fn cells<'r>(row: &'r Row, at: &[usize; 3]) -> [&'r str; 3] {
    at.map(|at| row.cells.get(at).map(String::as_str).unwrap_or_default())
}

fn is_well([_, ready, status]: [&str; 3]) -> bool {
    let (up, all) = ready.split_once('/').unwrap_or(("", "-"));
    status == "Running" && up == all || status == "Completed"
}

/// Of a whole list in which all Pods are well: where it stands, and the names in it.
struct Well<'t> {
    line: u32,
    names: BTreeSet<&'t str>,
}

/// The lists in which all Pods are well, and of each workload that runs there the last of them. What was picked out of a
/// list shows nothing of the others.
fn well(records: &[Record]) -> (Vec<Well<'_>>, BTreeMap<&str, usize>) {
    let (mut lists, mut last) = (Vec::new(), BTreeMap::new());
    for record in records {
        let Record::Table(table) = record else { continue };
        let is_list = |asked: &Command| asked.verb == "get" && asked.names.is_empty() && asked.selector.is_none();
        let is_whole = table.cut.is_none() && table.command.as_ref().is_some_and(is_list);
        let Some(at) = columns(table).filter(|_| is_whole && !table.rows.is_empty()) else { continue };
        let rows = || table.rows.iter().map(|row| cells(row, &at));
        if rows().all(is_well) {
            let running = rows().filter(|row| row[2] == "Running").filter_map(|row| workload_of(row[0]));
            last.extend(running.map(|workload| (workload, lists.len())));
            lists.push(Well { line: table.line, names: rows().map(|row| row[0]).collect() });
        }
    }
    (lists, last)
}

/// Rows of Pods without a namespace, and what was said of Pods above the list, if it is of no other.
fn pods(records: &mut Vec<Record>) -> Vec<(u32, WhyUnread)> {
    let (lists, last) = well(records);
    let mut over: BTreeMap<u32, u32> = BTreeMap::new();
    let mut others = false;
    for record in records.iter().filter(|_| !lists.is_empty()) {
        let Record::Table(table) = record else { continue };
        let Some(at) = columns(table) else { continue };
        let placed = table.headers.iter().any(|header| header == "NAMESPACE")
            || table.command.as_ref().is_some_and(|asked| asked.namespace.is_some());
        for row in &table.rows {
            let shown = cells(row, &at);
            if is_well(shown) {
                continue;
            }
            let list = workload_of(shown[0]).and_then(|workload| lists.get(*last.get(workload)?));
            match list.filter(|list| !placed && list.line > row.line && !list.names.contains(shown[0])) {
                Some(list) => drop(over.insert(row.line, list.line)),
                None => others = true,
            }
        }
    }
    let Some(below) = over.values().max().copied() else { return Vec::new() };
    // What is said of a Pod that it does not name is said of one of them, unless there are others that are not well.
    let is_said = |object: &ObjectRecord| {
        let of_pods = object.node.at(&["status", "class"]).and_then(Node::as_str) == Some("pod");
        let is_report = object.kind.as_ref().is_some_and(|kind| kind.plural == "toolreports");
        !others && is_report && of_pods && object.line < below
    };
    records.retain_mut(|record| match record {
        Record::Table(table) => {
            let before = table.rows.len();
            table.rows.retain(|row| !over.contains_key(&row.line));
            before == 0 || !table.rows.is_empty()
        }
        Record::Object(object) => !is_said(object),
        _ => true,
    });
    over.into_keys().map(|line| (line, WhyUnread::Aside(PODS))).collect()
}

/// A field whatever its case: `describe` writes `Type`, the API `type`.
fn field<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    node.entries().iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// The conditions of an object: type and status. A description of one alone shows it without a list around it.
fn states(object: &ObjectRecord) -> Vec<(&str, &str)> {
    let Some(conditions) = field(&object.node, "status").and_then(|status| field(status, "conditions")) else {
        return Vec::new();
    };
    let items = match &conditions.value {
        Value::List(items) => items.as_slice(),
        _ => std::slice::from_ref(conditions),
    };
    items.iter().filter_map(|item| Some((field(item, "type")?.as_str()?, field(item, "status")?.as_str()?))).collect()
}

/// Where a condition was shown last, by kind and type: its line and its status.
type Last<'t> = BTreeMap<(Option<&'t KindName>, &'t str), (u32, &'t str)>;

/// Was each of its conditions shown again below, and one of them otherwise?
fn is_overruled<'t>(object: &'t ObjectRecord, last: &Last<'t>) -> bool {
    let shown = states(object);
    let now = |kind: &'t str| {
        let later = last.get(&(object.kind.as_ref(), kind)).filter(|(line, _)| *line > object.line);
        later.map(|(_, status)| *status)
    };
    let now: Vec<Option<&str>> = shown.iter().map(|(kind, _)| now(kind)).collect();
    now.iter().all(Option::is_some) && now.iter().zip(&shown).any(|(now, (_, before))| *now != Some(*before))
}

/// Conditions of nobody below a sentence that tells of the past.
fn conditions<'t>(records: &mut Vec<Record>, above: impl Fn(u32) -> Option<&'t str>) -> Vec<(u32, WhyUnread)> {
    let all = || {
        records.iter().filter_map(|record| match record {
            Record::Object(object) => Some(&**object),
            _ => None,
        })
    };
    let mut last: Last<'_> = BTreeMap::new();
    for object in all() {
        for (kind, status) in states(object) {
            // What is of no known kind may be of any.
            for of in [object.kind.as_ref(), None] {
                let shown = last.entry((of, kind)).or_insert((object.line, status));
                if object.line > shown.0 {
                    *shown = (object.line, status);
                }
            }
        }
    }
    let is_over = |object: &&ObjectRecord| {
        unnamed::is_one(&object.name)
            && is_overruled(object, &last)
            && above(object.line).is_some_and(words::tells_of_past)
    };
    let over: BTreeSet<u32> = all().filter(is_over).map(|object| object.line).collect();
    records.retain(|record| match record {
        Record::Object(object) => !(unnamed::is_one(&object.name) && over.contains(&object.line)),
        _ => true,
    });
    over.into_iter().map(|line| (line, WhyUnread::Aside(CONDITIONS))).collect()
}
