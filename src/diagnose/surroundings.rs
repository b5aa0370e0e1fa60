//! What stands round a place that proves something: the lines of its log, or the fields beside it in its object and which
//! object that is.
//!
//! Why: `status: False` proves nothing to a person who does not see of which condition, and of which Pod.
//!
//! Invariants: nothing is read again, so what stands round a place does not depend on where the bundle lies; at most
//! [`LINES`] lines stand before a place and as many after it, and one that says what is spoken of.

use diagnosis::model::{CitationInfo, Diagnosis, EvidenceRow};
use diagnosis::words;
use facts::log::Around;
use facts::node::{Node, SmolStr, Value};
use facts::object::ObjectRecord;
use facts::outside::Outside;
use facts::path::{Path, Step};
use facts::store::Facts;
use signature::evidence_state::EvidenceState;
use signature::model::VerdictWord;
use std::collections::{BTreeMap, BTreeSet};

/// Fields before a place, and after it.
const LINES: usize = 2;
/// Fields of the head of an object: of what kind it is stands in its name.
const HEAD: [&str; 2] = ["apiVersion", "kind"];
/// Characters of a field.
const FIELD: usize = 160;
/// Places of one piece of evidence that are quoted.
const PLACES: usize = 4;
/// Characters of a text that says nothing by itself.
const BARE: usize = 40;
/// The fields that say what a part of an object is, the most telling first.
const TELLING: [&str; 4] = ["type", "name", "key", "reason"];

/// Adds to each quoted place what stands round it.
pub(crate) fn add<'d>(diagnosis: &'d mut Diagnosis, facts: &Facts) {
    let mut places: Vec<&'d mut CitationInfo> = Vec::new();
    for finding in diagnosis.findings.iter_mut().filter(|finding| finding.verdict != VerdictWord::RuledOut) {
        let quoted = finding.evidence.iter_mut().filter(|row| row.state == EvidenceState::Supports);
        // Of further places of one claim only what says nothing by itself needs more.
        let needs = |(at, place): &(usize, &mut CitationInfo)| *at == 0 || place.excerpt.chars().count() <= BARE;
        let of_row = |row: &'d mut EvidenceRow| row.citations.iter_mut().take(PLACES).enumerate().filter(needs);
        places.extend(quoted.flat_map(of_row).map(|(_, place)| place));
    }
    let cited: BTreeSet<String> = places.iter().map(|place| place.member.clone()).collect();
    let records = Records::new(facts, &cited);
    let lines = lines(facts, &cited);
    for place in places {
        if let Some(around) = place.line.and_then(|line| lines.get(&(place.member.as_str(), line))) {
            (place.before, place.after) = (texts(&around.before), texts(&around.after));
            continue;
        }
        let Some((record, rest)) = records.of(place) else { continue };
        let rest = rest.to_owned();
        around(record, &rest, place);
    }
}

/// The lines round lines of logs, in the members that are cited.
fn lines<'f>(facts: &'f Facts, cited: &BTreeSet<String>) -> BTreeMap<(&'f str, u32), &'f Around> {
    let mut lines = BTreeMap::new();
    for (member, log) in facts.streams.iter().flat_map(|stream| &stream.parts) {
        let Some(name) = facts.members.get(member).filter(|name| cited.contains(name.shown().as_str())) else {
            continue;
        };
        let hits = log.hits.iter().filter_map(|hit| Some((hit.line, hit.around.as_deref()?)));
        lines.extend(hits.map(|(line, around)| ((name.shown().as_str(), line), around)));
    }
    lines
}

fn texts(lines: &[Outside]) -> Vec<String> {
    lines.iter().map(ToString::to_string).collect()
}

/// The objects of some members by their paths, those of one path in the order of their lines.
///
/// Why by path: of a list with twenty thousand objects, each place would otherwise be held against each of them.
pub(crate) struct Records<'f>(BTreeMap<(&'f str, &'f str), Vec<&'f ObjectRecord>>);

impl<'f> Records<'f> {
    pub(crate) fn new(facts: &'f Facts, cited: &BTreeSet<String>) -> Self {
        let mut records: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for record in facts.objects.iter().flat_map(|object| &object.sightings).map(|sighting| &sighting.record) {
            let Some(name) = facts.members.get(&record.member) else { continue };
            if cited.contains(name.shown().as_str()) {
                records.entry((name.shown().as_str(), record.path.as_str())).or_default().push(record);
            }
        }
        records.values_mut().for_each(|records| records.sort_by_key(|record| record.line));
        Self(records)
    }

    /// The object that a place stands in, and its path in there: the innermost, and of those the last that begins before it.
    pub(crate) fn of<'p>(&self, place: &'p CitationInfo) -> Option<(&'f ObjectRecord, &'p str)> {
        let (line, path) = (place.line?, place.path.as_deref()?);
        above(path).find_map(|(above, rest)| {
            let own = self.0.get(&(place.member.as_str(), above))?;
            let before = own.partition_point(|record| record.line <= line);
            Some((*own.get(before.checked_sub(1)?)?, rest))
        })
    }
}

/// The paths above a path, with what is below each: the longest first, which is the path itself, and the empty one last.
fn above(path: &str) -> impl Iterator<Item = (&str, &str)> {
    let ends = path.match_indices(['.', '[']).map(|(at, _)| at).filter(|at| *at > 0);
    let lengths = [path.len()].into_iter().chain(ends.collect::<Vec<_>>().into_iter().rev()).chain([0]);
    lengths.filter_map(move |length| {
        let (above, rest) = path.split_at_checked(length)?;
        Some((above, rest.strip_prefix('.').unwrap_or(rest)))
    })
}

/// Says which object a place stands in, and adds the fields round it.
fn around(record: &ObjectRecord, path: &str, place: &mut CitationInfo) {
    let Ok(path) = Path::parse(path) else { return };
    let mut above: Vec<(&Node, &Step)> = Vec::new();
    let mut here: &Node = &record.node;
    let mut names = vec![named(record)];
    for step in &path.0 {
        let next = match step {
            Step::Field(name) => here.field(name),
            Step::Key(key) => here.get(key),
            Step::Index(at) => here.elements().get(*at),
            Step::All | Step::Pick { .. } => None,
        };
        let Some(next) = next else { break };
        above.push((here, step));
        names.push(step_name(step, next));
        here = next;
    }
    place.object = names.concat();
    // The nearest map with another field in it tells what the place is about.
    let telling = above.iter().rev().find(|(node, _)| beside(node).count() > 1);
    let Some((map, step)) = telling else { return };
    let key = match step {
        Step::Field(key) | Step::Key(key) => key.as_str(),
        _ => return,
    };
    let fields: Vec<&(SmolStr, Node)> = map.entries().iter().collect();
    let Some(at) = fields.iter().position(|(name, _)| **name == *key || facts::node::same_field(name, key)) else {
        return;
    };
    let scalar = |range: &[&(SmolStr, Node)]| -> Vec<String> {
        let shown = range.iter().filter(|(name, node)| is_scalar(node) && !HEAD.contains(&&**name));
        shown.map(|(name, node)| field(name, node)).collect()
    };
    let mut before = scalar(fields.get(..at).unwrap_or_default());
    before.drain(..before.len().saturating_sub(LINES));
    let mut after = scalar(fields.get(at + 1..).unwrap_or_default());
    after.truncate(LINES);
    let telling = TELLING.iter().filter(|name| **name != key).find_map(|name| Some((*name, map.get(name)?)));
    if let Some(line) = telling.filter(|(_, node)| is_scalar(node)).map(|(name, node)| field(name, node))
        && !before.contains(&line)
        && !after.contains(&line)
    {
        before.insert(0, line);
    }
    (place.before, place.after) = (before, after);
}

/// The fields of a map that can be quoted in a line.
fn beside(node: &Node) -> impl Iterator<Item = &(SmolStr, Node)> {
    node.entries().iter().filter(|(_, node)| is_scalar(node))
}

fn is_scalar(node: &Node) -> bool {
    !matches!(node.value, Value::Null | Value::List(_) | Value::Map(_))
}

fn field(name: &str, node: &Node) -> String {
    let text = node.to_string();
    let mut line: String = text.chars().take(FIELD).map(|c| if c == '\n' { ' ' } else { c }).collect();
    if line.len() < text.len() {
        line.push('…');
    }
    format!("{name}: {line}")
}

/// An object as a person calls it: `Pod shop/web-1`.
fn named(record: &ObjectRecord) -> String {
    let kind = record.kind.as_ref().map(|kind| words::noun(&kind.to_string(), 1)).unwrap_or_default();
    let name = match &record.namespace {
        Some(namespace) => format!("{namespace}/{}", record.name),
        None => record.name.clone(),
    };
    format!("{kind} {name}").trim_start().to_owned()
}

/// A step of the way to a place: an item of a list is called by its name.
fn step_name(step: &Step, item: &Node) -> String {
    match step {
        Step::Field(name) => format!(" › {name}"),
        Step::Key(key) => format!(" › {key}"),
        Step::Index(at) => {
            let name = TELLING.iter().filter_map(|key| item.get(key)?.value.scalar()).next();
            format!("[{}]", name.unwrap_or_else(|| at.to_string()))
        }
        Step::All | Step::Pick { .. } => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_below_those_that_end_where_a_step_does() {
        let all = |path| above(path).collect::<Vec<_>>();
        assert_eq!(
            all("items[31].status.phase"),
            [
                ("items[31].status.phase", ""),
                ("items[31].status", "phase"),
                ("items[31]", "status.phase"),
                ("items", "[31].status.phase"),
                ("", "items[31].status.phase")
            ]
        );
        assert_eq!(all("[1].a"), [("[1].a", ""), ("[1]", "a"), ("", "[1].a")]);
        assert_eq!(all(""), [("", ""), ("", "")]);
    }
}
