//! A description that was cut inside a block: the fields of a status, of one container, or of conditions, without the label
//! above them.
//!
//! How: the label that is missing is put in front, so that the reader of whole descriptions reads what stands below it.

use super::{Place, marks};
use crate::describe;
use crate::transcript::stretch;
use facts::kind::KindName;
use facts::object::Form;
use facts::record::Parsed;

/// What `kubectl describe` prints of a condition of a custom resource.
const OF_CONDITION: [&str; 10] = [
    "Last Transition Time",
    "Last Heartbeat Time",
    "Last Probe Time",
    "Last Update Time",
    "Message",
    "Observed Generation",
    "Reason",
    "Severity",
    "Status",
    "Type",
];

/// What it prints of a container.
const OF_CONTAINER: [&str; 10] = [
    "Container ID",
    "Image",
    "Image ID",
    "Port",
    "Host Port",
    "Command",
    "State",
    "Last State",
    "Ready",
    "Restart Count",
];

/// Fields that kinds have in their status alone, as `kubectl describe` prints them.
const OF_STATUS: [&str; 12] = [
    "Bootstrap Ready",
    "Conditions",
    "Error Count",
    "Error Message",
    "Error Type",
    "Failure Message",
    "Failure Reason",
    "Infrastructure Ready",
    "Observed Generation",
    "Operational Status",
    "Phase",
    "Unavailable Replicas",
];

/// Blanks in front of a field of a status.
const OF_STATUS_AT: usize = 2;

/// Lines that are looked at for the fields that make a block sure.
const LOOK: usize = 60;

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The key of `Key:` or `Key:  value`.
fn key(line: &str) -> Option<&str> {
    let (key, rest) = line.trim().split_once(':')?;
    (rest.is_empty() || rest.starts_with("  ")).then_some(key)
}

/// How many of the lines are fields of conditions; `None` if the first is none of them, or no condition is whole.
pub(super) fn conditions(lines: &[&str]) -> Option<usize> {
    let first = *lines.first()?;
    let level = indent(first);
    let is_field = |line: &str| indent(line) == level && key(line).is_some_and(|key| OF_CONDITION.contains(&key));
    if !is_field(first) {
        return None;
    }
    let has_text = |line: &&str, wanted: &str, texts: &[&str]| {
        line.trim().split_once(':').is_some_and(|(key, text)| {
            key == wanted && !text.trim().is_empty() && (texts.is_empty() || texts.contains(&text.trim()))
        })
    };
    // A message goes on in lines of any depth, up to the next field.
    let mut end = 0;
    for (at, line) in lines.iter().enumerate().take(LOOK.max(end + LOOK)) {
        if is_field(line) {
            end = at + 1;
        } else if line.trim().is_empty() || key(line).is_some() && indent(line) <= level {
            break;
        }
    }
    let block = lines.get(..end)?;
    let is_one = block.iter().any(|line| has_text(line, "Type", &[]))
        && block.iter().any(|line| has_text(line, "Status", &["True", "False", "Unknown"]))
        && block.iter().any(|line| ["Reason", "Message"].iter().any(|key| has_text(line, key, &[])));
    is_one.then_some(end)
}

/// The object that conditions are of.
pub(super) fn object_of_conditions(place: &Place<'_>, lines: &[&str]) -> Option<Parsed> {
    let level = lines.first().map_or(0, |line| indent(line));
    let moved: Vec<String> =
        lines.iter().map(|line| format!("    {}", line.get(level.min(indent(line))..).unwrap_or_default())).collect();
    let head = [(place.first, "Status:"), (place.first, "  Conditions:")];
    let numbered = head.into_iter().chain((place.first..).zip(moved.iter().map(String::as_str)));
    let numbered: Vec<(u32, &str)> = numbered.collect();
    let mut parsed = Parsed::default();
    let root = marks::whole(describe::body(&numbered))?;
    marks::add_of_any_kind(place, 0, root, Form::Describe, &mut parsed).then_some(parsed)
}

/// The labels that are missing above fields of the status of a custom resource, or of an item of a list in it; `None` if the
/// first of the lines is none of those that no other part of an object has.
pub(super) fn above(lines: &[&str]) -> Option<&'static [&'static str]> {
    let first = *lines.first()?;
    let own = key(first)?;
    let has_below = || lines.get(1).is_some_and(|line| indent(line) > OF_STATUS_AT);
    if indent(first) == OF_STATUS_AT && OF_STATUS.contains(&own) && (!first.trim_end().ends_with(':') || has_below()) {
        return Some(&["Status:"]);
    }
    let second = lines.get(1).and_then(|line| key(line));
    let is_of_placement = indent(first) == 2 * OF_STATUS_AT && own == "Cluster Name" && second == Some("Conditions");
    is_of_placement.then_some(&["Status:", "  Placement Statuses:"])
}

/// How many of the lines go on with such fields.
pub(super) fn status(lines: &[&str]) -> Option<usize> {
    above(lines)?;
    let mut end = 0;
    for (at, line) in lines.iter().enumerate() {
        let goes_on = line.starts_with(' ') || stretch::goes_on_below(&lines[at..]);
        if line.trim().is_empty() || line.starts_with("Name:") || !goes_on {
            break;
        }
        end = at + 1;
    }
    Some(end)
}

/// How many of the lines are fields of one container.
pub(super) fn container(lines: &[&str]) -> Option<usize> {
    let first = *lines.first()?;
    let level = indent(first);
    if !key(first).is_some_and(|key| OF_CONTAINER.contains(&key)) {
        return None;
    }
    // In the first column only a field goes on; prose stands there as well.
    let goes_on = |line: &str| if level == 0 { key(line).is_some() } else { indent(line) >= level };
    let stands = |line: &&str| !line.trim().is_empty() && (goes_on(line) || line.starts_with([' ', '\t']));
    let end = lines.iter().take_while(|line| stands(line)).count();
    let has =
        |wanted: &str| lines[..end].iter().take(LOOK).any(|line| indent(line) == level && key(line) == Some(wanted));
    let further = if level == 0 { 0 } else { blocks(lines.get(end..).unwrap_or_default()) };
    (has("State") && (has("Ready") || has("Restart Count"))).then_some(end + further)
}

/// How many of the lines are further blocks of the same description: `Conditions:`, `Events:` and what stands below them.
fn blocks(lines: &[&str]) -> usize {
    let label = |line: &str| {
        line.split_once(':').map(|(key, _)| key).is_some_and(|key| key == "Events" || describe::is_label(key))
    };
    let begins = |line: &&&str| line.starts_with([' ', '\t']) && !line.trim().is_empty() || label(line);
    match lines.first() {
        Some(first) if label(first) => lines.iter().take_while(begins).count(),
        _ => 0,
    }
}

/// The Pod that a container is of.
pub(super) fn pod_of_container(
    place: &Place<'_>,
    (name, namespace): (&str, Option<&str>),
    lines: &[&str],
) -> Option<Parsed> {
    let level = lines.first().map_or(0, |line| indent(line));
    let label = format!("  {UNNAMED}:");
    let mut moved = vec!["Containers:".to_owned(), label];
    // What stands less deep is the next container, by its name, or the next block.
    let mut is_below = false;
    moved.extend(lines.iter().map(|line| {
        // The blocks below all containers stand where they are.
        is_below |= level > 0 && indent(line) == 0;
        match (is_below, indent(line) < level) {
            (true, _) => (*line).to_owned(),
            (_, true) => format!("  {}", line.trim_start()),
            (_, false) => format!("    {}", line.get(level..).unwrap_or_default()),
        }
    }));
    let moved: Vec<&str> = moved.iter().map(String::as_str).collect();
    // Two lines more stand in front of the first.
    let parsed = describe::read_part(
        place.member,
        &KindName::parse("pods"),
        (name, namespace),
        &moved,
        place.first.saturating_sub(2),
    );
    (!parsed.records.is_empty()).then_some(parsed)
}

/// The name of a container whose own was not pasted.
const UNNAMED: &str = "(unnamed)";
