//! States of a session that a later one of the same session overrules, though no name ties the two: rows and parts without a
//! name or a namespace.
//!
//! Why: a ticket that ends well begins with what was wrong, and whoever pastes that leaves out the head. What has a name is
//! overruled by its name, elsewhere; what has none would be a fault for ever.
//!
//! Invariants: only what stands below counts, never prose alone; a Pod is overruled by a whole list in which all Pods are
//! well, one of its workload among them; conditions of nobody by later ones of the same kind and type, and only where a
//! sentence above them says that they are of before: the healthy one may be another object.

use catalogue::words;
use facts::node::{Node, Value};
use facts::object::ObjectRecord;
use facts::record::{Parsed, Record, Table};
use facts::unnamed;
use facts::unread::WhyUnread;
use std::collections::BTreeSet;

/// Why such a row is not read.
const PODS: &str = "older than the list below, in which all Pods are well";
/// Why such a condition is not read.
const CONDITIONS: &str = "older than the state below";
/// Letters of which the API server makes names.
const MADE: &str = "bcdfghjklmnpqrstvwxz2456789";

/// Takes out what is overruled; `above`: the sentence above a line.
pub(super) fn set_aside<'t>(parsed: &mut Parsed, above: impl Fn(u32) -> Option<&'t str>) {
    let mut aside = pods(&mut parsed.records);
    aside.extend(conditions(&mut parsed.records, above));
    parsed.unread.append(&mut aside);
}

/// The workload of a Pod, by the name that its controller made.
fn workload(pod: &str) -> Option<&str> {
    let is_made = |text: &str| text.chars().all(|c| MADE.contains(c));
    let (rest, last) = pod.rsplit_once('-')?;
    if last.len() != 5 || !is_made(last) {
        return None;
    }
    let set = rest.rsplit_once('-').filter(|(_, hash)| (6..=10).contains(&hash.len()) && is_made(hash));
    Some(set.map_or(rest, |(workload, _)| workload))
}

/// The columns of a table of Pods: name, readiness, status.
fn columns(table: &Table) -> Option<[usize; 3]> {
    let at = |name: &str| table.headers.iter().position(|header| header == name);
    Some([at("NAME")?, at("READY")?, at("STATUS").filter(|_| at("RESTARTS").is_some())?])
}

fn cells<'r>(row: &'r facts::record::Row, at: &[usize; 3]) -> [&'r str; 3] {
    at.map(|at| row.cells.get(at).map(String::as_str).unwrap_or_default())
}

fn is_well([_, ready, status]: [&str; 3]) -> bool {
    let (up, all) = ready.split_once('/').unwrap_or(("", "-"));
    status == "Running" && up == all || status == "Completed"
}

/// Of a whole list in which all Pods are well: the workloads of those that run, and the names of all.
struct Well<'t> {
    line: u32,
    workloads: BTreeSet<&'t str>,
    names: BTreeSet<&'t str>,
}

/// The last list of each kind that is one; what was picked out of a list shows nothing of the others.
fn well(records: &[Record]) -> Vec<Well<'_>> {
    let lists = records.iter().filter_map(|record| {
        let Record::Table(table) = record else { return None };
        let asked = table.command.as_ref().filter(|asked| asked.names.is_empty() && asked.selector.is_none())?;
        let at = columns(table).filter(|_| asked.verb == "get" && table.cut.is_none())?;
        let rows = || table.rows.iter().map(|row| cells(row, &at));
        (rows().count() > 0 && rows().all(is_well)).then(|| Well {
            line: table.line,
            workloads: rows().filter(|row| row[2] == "Running").filter_map(|row| workload(row[0])).collect(),
            names: rows().map(|row| row[0]).collect(),
        })
    });
    lists.collect()
}

/// Rows of Pods without a namespace, and what was said of Pods above the list, if it is of no other.
fn pods(records: &mut Vec<Record>) -> Vec<(u32, WhyUnread)> {
    let lists = well(records);
    if lists.is_empty() {
        return Vec::new();
    }
    let is_of_pods = |record: &&Record| matches!(record, Record::Table(table) if columns(table).is_some());
    let (mut over, mut rest): (BTreeSet<(u32, u32)>, u32) = (BTreeSet::new(), 0);
    for record in records.iter().filter(is_of_pods) {
        let Record::Table(table) = record else { continue };
        let Some(at) = columns(table) else { continue };
        let placed = table.headers.iter().any(|header| header == "NAMESPACE")
            || table.command.as_ref().is_some_and(|asked| asked.namespace.is_some());
        for row in &table.rows {
            let shown = cells(row, &at);
            if is_well(shown) {
                continue;
            }
            let overrules = |list: &&Well<'_>| {
                let of_it = workload(shown[0]).is_some_and(|workload| list.workloads.contains(workload));
                list.line > row.line && of_it && !list.names.contains(shown[0])
            };
            match lists.iter().find(overrules).filter(|_| !placed) {
                Some(list) => drop(over.insert((row.line, list.line))),
                None => rest = rest.max(1),
            }
        }
    }
    if over.is_empty() {
        return Vec::new();
    }
    let lines: BTreeSet<u32> = over.iter().map(|(line, _)| *line).collect();
    let below = over.iter().map(|(_, list)| *list).max().unwrap_or_default();
    // What is said of a Pod that it does not name is said of one of them, unless there are others that are not well.
    let is_said = |object: &ObjectRecord| {
        let of_pods = object.node.at(&["status", "class"]).and_then(Node::as_str) == Some("pod");
        let is_report = object.kind.as_ref().is_some_and(|kind| kind.plural == "toolreports");
        rest == 0 && is_report && of_pods && object.line < below
    };
    records.retain_mut(|record| match record {
        Record::Table(table) => {
            table.rows.retain(|row| !lines.contains(&row.line));
            !table.rows.is_empty() || !lines.iter().any(|line| *line >= table.line && *line < below)
        }
        Record::Object(object) => !is_said(object),
        _ => true,
    });
    lines.into_iter().map(|line| (line, WhyUnread::Aside(PODS))).collect()
}

/// The conditions of an object: type and status.
fn states(object: &ObjectRecord) -> Vec<(&str, &str)> {
    let items = match object.node.at(&["status", "conditions"]).map(|node| &node.value) {
        Some(Value::List(items)) => items.as_slice(),
        _ => &[],
    };
    items.iter().filter_map(|item| Some((item.get("type")?.as_str()?, item.get("status")?.as_str()?))).collect()
}

/// Conditions of nobody below a sentence that tells of the past.
fn conditions<'t>(records: &mut Vec<Record>, above: impl Fn(u32) -> Option<&'t str>) -> Vec<(u32, WhyUnread)> {
    let all: Vec<&ObjectRecord> = records
        .iter()
        .filter_map(|record| match record {
            Record::Object(object) => Some(&**object),
            _ => None,
        })
        .collect();
    let is_past = |object: &&ObjectRecord| {
        unnamed::is_one(&object.name)
            && above(object.line).is_some_and(words::tells_of_past)
            && !states(object).is_empty()
    };
    let over: BTreeSet<u32> = { &all }
        .iter()
        .filter(|object| is_past(object))
        .filter(|object| {
            let of_kind = |other: &&&ObjectRecord| {
                other.line > object.line && (object.kind.is_none() || other.kind == object.kind)
            };
            let later: Vec<(&str, &str)> = all.iter().filter(of_kind).flat_map(|other| states(other)).collect();
            let last = |kind: &str| later.iter().rev().find(|(other, _)| *other == kind).map(|(_, status)| *status);
            let shown = states(object);
            shown.iter().all(|(kind, _)| last(kind).is_some())
                && shown.iter().any(|(kind, status)| last(kind) != Some(status))
        })
        .map(|object| object.line)
        .collect();
    let is_over = |record: &Record| match record {
        Record::Object(object) => unnamed::is_one(&object.name) && over.contains(&object.line),
        _ => false,
    };
    records.retain(|record| !is_over(record));
    over.into_iter().map(|line| (line, WhyUnread::Aside(CONDITIONS))).collect()
}
