//! How many bytes of memory a fact takes until the end of a run, estimated: what the budget of a run is charged with.
//!
//! Why an estimate, and not what the allocator says: the result of a run must not depend on the machine, on threads or on
//! what was freed meanwhile. So what counts is what a fact holds, and what the later layers make of it, as measured on
//! large bundles ([`OBJECT`], [`ROW`]).
//!
//! Invariants: the same fact has the same weight everywhere; a fact that holds more never weighs less.

use crate::log::{LogHit, Repeated, ScannedLog};
use crate::node::{Node, SmolStr, Value};
use crate::object::{ObjectRecord, Shown};
use crate::record::{Record, Row, Table};

/// What an allocation takes besides its bytes.
const ALLOCATION: u64 = 16;
/// What an object takes besides its tree: its names and places, and what is derived, decided and counted of it.
pub const OBJECT: u64 = 5 << 10;
/// The same of an Event, of which nothing is derived by itself.
pub const EVENT: u64 = 3 << 10;
/// The same of an object of a kind that no signature asks for.
pub const SHOWN: u64 = 1 << 10;
/// What a row of a table takes besides its cells: it becomes an object with a tree.
pub const ROW: u64 = 7 << 10;
/// The same of a row of Pods, each of which may be a workload of its own with all that is told of one.
pub const POD_ROW: u64 = 20 << 10;
/// What an answer, a stamp and the like take.
const ANSWER: u64 = 1 << 10;
/// What a part that was not understood takes: it becomes a row of a report.
pub const UNREAD: u64 = 512;
/// What one log takes besides its lines: its member, its stream and its counts.
const LOG: u64 = 5 << 10;
/// What one takes besides that has lines that are kept, or a template.
const SPEAKING_LOG: u64 = 3 << 10;
/// What a count by minute or template takes besides its text.
const COUNT: u64 = 256;

/// Bytes of a text.
pub fn text(text: &str) -> u64 {
    text.len() as u64 + ALLOCATION
}

/// Bytes of a text of a tree besides its node: short ones stand in it.
fn in_tree(value: &SmolStr) -> u64 {
    if value.is_heap_allocated() { text(value) + ALLOCATION } else { 0 }
}

/// Bytes of a tree.
pub fn tree(node: &Node) -> u64 {
    let own = size_of::<Node>() as u64;
    let inside = match &node.value {
        Value::Str(value) | Value::Text(value) => in_tree(value),
        Value::List(items) => ALLOCATION + items.iter().map(tree).sum::<u64>(),
        Value::Map(entries) => {
            let entry = |(key, value): &(SmolStr, Node)| size_of::<SmolStr>() as u64 + in_tree(key) + tree(value);
            ALLOCATION + entries.iter().map(entry).sum::<u64>()
        }
        Value::Redacted(_) => ALLOCATION,
        _ => 0,
    };
    own + inside
}

/// Bytes of a record; of a table, with all its rows.
pub fn record(record: &Record) -> u64 {
    match record {
        Record::Object(object) if object.shown == Shown::Kept => SHOWN + tree(&object.node),
        Record::Object(object) if is_event(object) => EVENT + tree(&object.node),
        Record::Object(object) => OBJECT + tree(&object.node),
        Record::Table(table) => ANSWER + table.rows.iter().map(|row| cells(row) + of_each_row(table)).sum::<u64>(),
        Record::Answer(answer) => ANSWER + answer.names.iter().flatten().map(|name| text(name)).sum::<u64>(),
        Record::Stamp(_) => ANSWER,
        Record::Served(served) => ANSWER + served.kinds.len() as u64 * COUNT,
    }
}

/// Is it an Event, of either group?
pub fn is_event(object: &ObjectRecord) -> bool {
    object.kind.as_ref().is_some_and(|kind| kind.plural == "events")
}

/// Bytes of a row of this table besides its cells.
pub fn of_each_row(table: &Table) -> u64 {
    // Only Pods restart.
    if table.headers.iter().any(|header| header == "RESTARTS") { POD_ROW } else { ROW }
}

/// Bytes of the cells of a row.
pub fn cells(row: &Row) -> u64 {
    text(&row.text) + row.cells.iter().map(|cell| text(cell)).sum::<u64>()
}

/// Bytes of a log, with those of further machines in it.
pub fn log(log: &ScannedLog) -> u64 {
    let of_one = |log: &ScannedLog| {
        let tally = &log.tally;
        let counts = (tally.buckets.len() + tally.hits_beyond.len()) as u64 * COUNT;
        let said = |of: &Repeated| text(&of.text) + text(&of.said);
        let templates = tally.templates.iter().map(|(key, of)| 2 * COUNT + text(key) + said(of)).sum::<u64>();
        let speaks = !log.hits.is_empty() || !tally.templates.is_empty();
        let own = if speaks { LOG + SPEAKING_LOG } else { LOG };
        let reason = tally.last_reason.as_ref().map_or(0, |words| text(&words.text) + text(&words.said));
        own + counts + reason + templates + log.hits.iter().map(hit).sum::<u64>()
    };
    log.machines().map(of_one).sum()
}

fn hit(hit: &LogHit) -> u64 {
    let fields = hit.fields.fields.iter().map(|(key, value)| 48 + text(key) + text(value)).sum::<u64>();
    let literals = hit.literals.len() as u64 * 4 + ALLOCATION;
    // The text is cited wherever the line proves something.
    let around = hit.around.iter().flat_map(|around| around.before.iter().chain(&around.after));
    let around = around.map(|line| text(line)).sum::<u64>();
    size_of::<LogHit>() as u64 + around + 2 * text(&hit.text) + text(&hit.fields.message) + fields + literals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_weighs_what_it_holds() {
        let zeros = |count: i64| Node::new(1, Value::List((0..count).map(|i| Node::new(1, Value::Int(i))).collect()));
        let (one, two) = (tree(&zeros(1_000)), tree(&zeros(2_000)));
        assert_eq!(two - one, 1_000 * size_of::<Node>() as u64);
        let named = Node::new(1, Value::Map(vec![("key".into(), Node::str(1, "value"))]));
        assert!(tree(&named) > tree(&Node::map(1)) + 8, "keys and texts count");
    }
}
