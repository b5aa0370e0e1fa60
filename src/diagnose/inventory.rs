//! The objects that a reader wants to see, as tables in the shape of kubectl: which, `patterns/kinds.yaml` says.
//!
//! Invariants: unhealthy rows come first, then namespace and name; a cell that no source shows is `?`, a
//! cell that is surely empty is `<none>`; the number of rows is bounded and the rest is counted. Health
//! here only orders rows; it is no verdict.

use crate::replaced;
use catalogue::tables::{Condition, Table};
use catalogue::{conditions, tables};
use diagnosis::model::InventoryTable;
use diagnosis::words;
use facts::human_duration;
use facts::kind::KindName;
use facts::node::Node;
use facts::object::{ContextId, Lookup, ObjectId};
use facts::parallel;
use facts::path::Path;
use facts::store::Facts;
use printer::Cell;
use std::rc::Rc;

/// Rows of one table.
const MAX_ROWS: usize = 40;
/// Objects whose cells are made and held at once.
const PART: usize = 8192;
/// The header of the age: where the cells of a table do not have it, it stands behind them.
const AGE: &str = "AGE";
/// What a cell says that no source shows.
const UNKNOWN: &str = "?";
/// What a cell says whose value was masked.
const REDACTED: &str = "[redacted]";
/// What a cell says that is surely empty.
const NONE: &str = "<none>";

/// The cells of an object that code makes, and whether the row is unhealthy.
type Row = (Vec<String>, bool);

type MakeCells = fn(&Facts, ObjectId) -> Row;

/// Cells that are worked out of several fields, by the name that `cells: by` of a table gives.
const CELLS: [(&str, MakeCells); 2] = [("node", node), ("pod", pod)];

/// The kinds that tables are made of, beside those that signatures ask for.
pub fn kinds() -> impl Iterator<Item = KindName> {
    tables::all().iter().filter(|table| table.items.is_none()).map(Table::kind)
}

/// All tables of all contexts.
pub fn tables(facts: &Facts) -> Vec<InventoryTable> {
    let mut all = Vec::new();
    for context in facts.context_ids() {
        all.extend(tables::all().iter().filter_map(|shape| match &shape.items {
            Some(items) => of_items(facts, context, shape, items),
            None => of_objects(facts, context, shape),
        }));
    }
    all
}

/// A table with a row for each object of one kind of one context, if there are any.
fn of_objects(facts: &Facts, context: ContextId, shape: &Table) -> Option<InventoryTable> {
    let kind = shape.kind();
    let ids = facts.of_kind(context, &kind).iter().copied();
    let ids: Vec<ObjectId> = ids.filter(|id| !facts.object(*id).shadow).collect();
    if ids.is_empty() {
        return None;
    }
    let states_age = shape.headers().contains(&AGE);
    let namespaced = ids.iter().any(|id| facts.object(*id).namespace.is_some());
    let full = |id: ObjectId, cells: Vec<String>| {
        let object = facts.object(id);
        let namespace = namespaced.then(|| object.namespace.clone().unwrap_or_else(|| UNKNOWN.to_owned()));
        let age = (!states_age).then(|| age(facts, id));
        namespace.into_iter().chain([object.name.clone()]).chain(cells).chain(age).collect()
    };
    // Rows stay in the order of the facts, which is namespace and name, and of each health so many may be listed.
    let (mut well, mut ill) = (Vec::new(), Vec::new());
    let mut unhealthy = 0;
    for part in ids.chunks(PART) {
        for (id, (cells, is_ill)) in part.iter().zip(parallel::map(part, |id| row(facts, *id, shape))) {
            unhealthy += usize::from(is_ill);
            let rows = if is_ill { &mut ill } else { &mut well };
            if rows.len() < MAX_ROWS {
                rows.push((is_ill, full(*id, cells)));
            }
        }
    }
    let names = namespaced.then_some("NAMESPACE").into_iter().chain(["NAME"]);
    let headers = names.chain(shape.headers()).chain((!states_age).then_some(AGE)).map(str::to_owned).collect();
    ill.append(&mut well);
    let table = bounded(facts, context, &kind, headers, ill);
    Some(InventoryTable { unhealthy, more: ids.len().saturating_sub(MAX_ROWS) as u64, ..table })
}

/// A table with a row for each item of a list of the objects, if there are any.
fn of_items(facts: &Facts, context: ContextId, shape: &Table, items: &str) -> Option<InventoryTable> {
    let kind = shape.kind();
    let mut rows = Vec::new();
    for id in facts.of_kind(context, &kind) {
        let object = facts.object(*id);
        let Some(sighting) = object.sightings.first() else { continue };
        let fields: Vec<&str> = items.split('.').collect();
        for item in sighting.record.node.at(&fields).map(Node::items).unwrap_or_default() {
            let text = |field: &String| item.field(field).filter(|node| !node.value.is_empty()).map(Node::to_string);
            let values: Vec<Option<String>> =
                shape.columns.iter().map(|column| column.paths.iter().find_map(text)).collect();
            let mut row = vec![object.name.clone()];
            row.extend(values.iter().map(|value| cell(value.as_deref())));
            rows.push((is_unhealthy(shape, &values), row));
        }
    }
    if rows.is_empty() {
        return None;
    }
    rows.sort_by_key(|(unhealthy, _)| !unhealthy);
    let headers = shape.object.as_deref().into_iter().chain(shape.headers()).map(str::to_owned).collect();
    Some(bounded(facts, context, &kind, headers, rows))
}

/// The cells of an object between its name and its age.
fn row(facts: &Facts, id: ObjectId, shape: &Table) -> Row {
    let by = shape.cells.as_ref().and_then(|cells| CELLS.iter().find(|(name, _)| *name == cells.by));
    if let Some((_, cells)) = by {
        return cells(facts, id);
    }
    let values: Vec<Option<String>> = shape.columns.iter().map(|column| first(facts, id, column.paths())).collect();
    let says_failed = values.iter().flatten().any(|value| value == FAILED);
    let is_new = !says_failed && age_in_seconds(facts, id).is_some_and(|age| age < MADE);
    let unhealthy = is_unhealthy(shape, &values) && !is_new && !is_on_its_way(facts, id);
    (values.iter().map(|value| cell(value.as_deref())).collect(), unhealthy)
}

/// Is an object being rolled, made or deleted, for no longer than that takes?
fn is_on_its_way(facts: &Facts, id: ObjectId) -> bool {
    const READY: &str = "status.conditions[type=Ready]";
    let since = |path: &str| seconds(facts, id, path).is_some_and(|seconds| seconds < ON_ITS_WAY);
    let reason = read(facts, id, &format!("{READY}.reason"));
    since("metadata.deletionTimestamp")
        || reason.is_some_and(|reason| conditions::is_under_way(&reason))
            && since(&format!("{READY}.lastTransitionTime"))
}

/// How old an object is, by its own time or the age that a table shows.
fn age_in_seconds(facts: &Facts, id: ObjectId) -> Option<i64> {
    let printed = || Some(human_duration::parse(&read(facts, id, "status.kubectlAge")?)?.from);
    seconds(facts, id, "metadata.creationTimestamp").or_else(printed)
}

/// Seconds from the time at a path to the clock, if both are known.
fn seconds(facts: &Facts, id: ObjectId, path: &str) -> Option<i64> {
    let now = facts.context(facts.object(id).context).as_of.as_ref()?.time;
    Some(now.duration_since(read(facts, id, path)?.parse().ok()?).as_secs())
}

/// Does a row belong on top, by the values of its columns?
fn is_unhealthy(shape: &Table, values: &[Option<String>]) -> bool {
    let value = |header: &str| values.get(shape.at(header)?)?.as_deref();
    let number = |header: &str| value(header).map(|text| text.parse::<u64>().unwrap_or_default());
    let holds = |condition: &Condition| {
        let own = value(&condition.header);
        let is = condition.is.as_deref().is_some_and(|is| own == Some(is));
        let not = condition.not.as_deref().is_some_and(|good| bad(own, good));
        let below = condition.below.as_deref().and_then(number).zip(number(&condition.header));
        is || not || below.is_some_and(|(other, own)| own < other)
    };
    shape.unhealthy.iter().any(|condition| holds(condition) && condition.and.as_deref().is_none_or(holds))
}

/// A table with at most [`MAX_ROWS`] rows. `unhealthy` counts all of them, listed or not.
fn bounded(
    facts: &Facts,
    context: ContextId,
    kind: &KindName,
    headers: Vec<String>,
    mut rows: Vec<(bool, Vec<String>)>,
) -> InventoryTable {
    let unhealthy = rows.iter().filter(|(unhealthy, _)| *unhealthy).count();
    let more = rows.len().saturating_sub(MAX_ROWS) as u64;
    rows.truncate(MAX_ROWS);
    InventoryTable {
        context: facts.context(context).name.clone(),
        kind: kind.to_string(),
        headers,
        rows: rows.into_iter().map(|(_, row)| row).collect(),
        unhealthy,
        more,
    }
}

/// What a path says: `None` is unknown, an empty text is surely not set.
fn read(facts: &Facts, id: ObjectId, path: &str) -> Option<String> {
    first(facts, id, Path::shared(path).ok())
}

/// The first of several paths that is set; else surely empty if any is, else unknown.
fn first(facts: &Facts, id: ObjectId, paths: impl IntoIterator<Item = Rc<Path>>) -> Option<String> {
    let mut empty = None;
    for path in paths {
        match facts.lookup(id, &path) {
            Lookup::Found(values) | Lookup::AtLeast(values) => {
                let text = values.iter().map(|(node, _)| node.to_string()).collect::<Vec<_>>().join(",");
                match text.is_empty() {
                    true => empty = Some(text),
                    false => return Some(text),
                }
            }
            Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_) => empty = Some(String::new()),
            Lookup::Redacted(_) => return Some(REDACTED.to_owned()),
            Lookup::Unknown(_) => {}
        }
    }
    empty
}

/// A cell: the value, `<none>` or `?`.
fn cell(value: Option<&str>) -> String {
    match value {
        None => UNKNOWN.to_owned(),
        Some("") => NONE.to_owned(),
        Some(text) => text.to_owned(),
    }
}

/// Age against the context's own clock; where no time of birth is known, the age that a table printed.
fn age(facts: &Facts, id: ObjectId) -> String {
    let as_of = facts.context(facts.object(id).context).as_of.as_ref().map(|as_of| as_of.time);
    let created = read(facts, id, "metadata.creationTimestamp").and_then(|text| text.parse::<jiff::Timestamp>().ok());
    match (as_of, created) {
        (Some(now), Some(created)) => words::age(now.duration_since(created).as_secs()),
        // A table prints it as of the moment in which it was made.
        _ => read(facts, id, "status.kubectlAge").filter(|text| !text.is_empty()).unwrap_or_else(|| UNKNOWN.to_owned()),
    }
}

/// Is it known, and something else than `good`?
fn bad(value: Option<&str>, good: &str) -> bool {
    value.is_some_and(|value| !value.eq_ignore_ascii_case(good))
}

/// What kubectl works out of several fields, where they are known.
fn worked_out(by: &str, facts: &Facts, id: ObjectId) -> Option<String> {
    shown(printer::made(by, facts, id))
}

fn shown(cell: Cell) -> Option<String> {
    match cell {
        Cell::Text(text) => Some(text),
        Cell::Number(number) => Some(number.to_string()),
        Cell::Masked => Some(REDACTED.to_owned()),
        Cell::Unknown => None,
    }
}

fn node(facts: &Facts, id: ObjectId) -> Row {
    let [status, roles] = ["node-status", "node-roles"].map(|by| worked_out(by, facts, id));
    let ready = read(facts, id, "status.conditions[type=Ready].status");
    let status = status.or_else(|| match ready.as_deref() {
        Some("True") => Some("Ready".to_owned()),
        Some("") | None => None,
        Some(_) => Some("NotReady".to_owned()),
    });
    let unhealthy = status.as_deref().is_some_and(|status| !status.starts_with("Ready"));
    let version = read(facts, id, "status.nodeInfo.kubeletVersion");
    let address = read(facts, id, "status.addresses[type=InternalIP].address");
    let cells = [status, roles].map(|value| cell(value.as_deref())).into_iter();
    let rest = [version, address].map(|value| cell(value.as_deref()));
    (cells.chain([age(facts, id)]).chain(rest).collect(), unhealthy)
}

fn pod(facts: &Facts, id: ObjectId) -> Row {
    let printed = |path: &str| read(facts, id, path).filter(|text| !text.is_empty());
    let [ready, status, restarts] = printer::pod::cells(facts, id).map(shown);
    // A form that shows less than kubectl needs still shows most of it.
    let flags = || {
        let text = printed("status.containerStatuses[*].ready")?;
        let flags: Vec<bool> = text.split(',').map(|flag| flag.eq_ignore_ascii_case("true")).collect();
        Some(format!("{}/{}", flags.iter().filter(|ready| **ready).count(), flags.len()))
    };
    let ready = ready.or_else(flags);
    let status = status
        .or_else(|| first_word(&printed("status.containerStatuses[*].state.waiting.reason")?))
        .or_else(|| printed("status.phase"));
    let sum = |text: String| text.split(',').filter_map(|count| count.parse::<u64>().ok()).sum::<u64>().to_string();
    let restarts = restarts.or_else(|| printed("status.containerStatuses[*].restartCount").map(sum));
    let done = matches!(status.as_deref(), Some("Completed" | "Succeeded"));
    let all_ready = ready.as_deref().and_then(|ready| ready.split_once('/')).map(|(ready, all)| ready == all);
    let unhealthy = !done
        && (all_ready == Some(false) || bad(status.as_deref(), "Running"))
        && !passes(facts, id, status.as_deref())
        && !replaced::is_replaced(facts, id, status.as_deref());
    let cells = [ready, status, restarts].map(|value| cell(value.as_deref())).into_iter();
    let rest = ["status.podIP", "spec.nodeName"].map(|path| cell(read(facts, id, path).as_deref()));
    (cells.chain([age(facts, id)]).chain(rest).collect(), unhealthy)
}

/// Does a Pod only start or go, for no longer than that takes?
fn passes(facts: &Facts, id: ObjectId, status: Option<&str>) -> bool {
    let seconds = |path: &str| seconds(facts, id, path);
    match status {
        // The time of a deletion is the end of its grace.
        Some("Terminating") => seconds("metadata.deletionTimestamp").is_some_and(|past| past < LEAVES),
        Some(status) if STARTS.contains(&status) || is_init(status) => {
            age_in_seconds(facts, id).is_some_and(|age| age < STARTING)
        }
        _ => false,
    }
}

/// `Init:0/2`: an init container runs.
fn is_init(status: &str) -> bool {
    status.strip_prefix("Init:").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// What kubectl prints of a Pod that starts.
const STARTS: [&str; 4] = ["Pending", "ContainerCreating", "PodInitializing", "Running"];
/// Seconds that rolling, making or deleting something may take.
const ON_ITS_WAY: i64 = 60 * 60;
/// Seconds in which a thing is made that needs a machine.
const MADE: i64 = 15 * 60;
/// What a phase says that does not pass by itself.
const FAILED: &str = "Failed";
/// Seconds that starting may take.
const STARTING: i64 = 120;
/// Seconds behind its grace in which a Pod goes.
const LEAVES: i64 = 30;

fn first_word(list: &str) -> Option<String> {
    list.split(',').map(str::trim).find(|word| !word.is_empty()).map(str::to_owned)
}
