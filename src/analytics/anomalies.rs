//! What stands out and no signature explains: frequent warnings and errors of logs, Warning events,
//! containers that restart. Labelled as not diagnosed; it only points.

use super::moments::Event;
use super::tables;
use crate::facts::kind::KindName;
use crate::facts::node::Node;
use crate::facts::object::ContextId;
use crate::facts::store::Facts;
use crate::report::model::{Anomaly, CitationInfo};
use std::collections::BTreeSet;

/// Log templates that are listed.
const TEMPLATES: u32 = 20;
/// Groups of events that are listed.
const EVENTS: u32 = 20;
/// Restarting containers that are listed.
const RESTARTS: usize = 15;
/// Restarts from which a container stands out.
const MANY_RESTARTS: u64 = 3;

/// Everything that stands out: logs, then events, then restarts; each the most frequent first.
pub fn anomalies(facts: &Facts, events: &[Event], cited: &BTreeSet<(&str, u32)>) -> Vec<Anomaly> {
    let mut all = templates(facts, cited);
    all.extend(warnings(facts, events, cited));
    all.extend(restarts(facts));
    all
}

/// Warning and error lines by template, without those whose first line a finding cites.
fn templates(facts: &Facts, cited: &BTreeSet<(&str, u32)>) -> Vec<Anomaly> {
    let mut rows = Vec::new();
    let mut places = Vec::new();
    for (number, stream) in facts.streams.iter().enumerate() {
        for (member, log) in &stream.parts {
            let name = facts.members.get(member).map_or("", String::as_str);
            // A template is explained as soon as a finding cites one of its lines.
            let explained: BTreeSet<String> = log
                .hits
                .iter()
                .filter(|hit| cited.contains(&(name, hit.line)))
                .map(|hit| {
                    let mut out = String::new();
                    crate::parse::template::of(hit.fields.message.as_bytes(), &mut out);
                    out
                })
                .collect();
            for (template, (count, line, text)) in &log.tally.templates {
                if !cited.contains(&(name, *line)) && !explained.contains(template) {
                    rows.push((number as u32, template.clone(), *count));
                    places.push((name, *line, &**text));
                }
            }
        }
    }
    tables::most_frequent(&rows, TEMPLATES)
        .into_iter()
        .filter_map(|(number, template, count, row)| {
            let stream = facts.streams.get(number as usize)?;
            let (member, line, text) = *places.get(row as usize)?;
            Some(Anomaly {
                kind: "log".to_owned(),
                context: facts.context(stream.context).name.clone(),
                subject: stream.name.clone(),
                text: template.chars().take(300).collect(),
                count,
                citation: Some(CitationInfo {
                    member: member.to_owned(),
                    line: Some(line),
                    path: None,
                    excerpt: text.chars().take(400).collect(),
                }),
            })
        })
        .collect()
}

/// Warning events by (context, kind of object, reason), without those that a finding cites.
fn warnings(facts: &Facts, events: &[Event], cited: &BTreeSet<(&str, u32)>) -> Vec<Anomaly> {
    let fresh = |event: &&Event| {
        let citation = &event.citation;
        event.warning && citation.line.is_none_or(|line| !cited.contains(&(citation.member.as_str(), line)))
    };
    let kept: Vec<&Event> = events.iter().filter(fresh).collect();
    let rows: Vec<(u32, String, u64)> =
        kept.iter().map(|event| (event.context.0, format!("{} {}", event.kind, event.reason), event.count)).collect();
    tables::most_frequent(&rows, EVENTS)
        .into_iter()
        .filter_map(|(context, _, count, row)| {
            let event = kept.get(row as usize)?;
            Some(Anomaly {
                kind: "event".to_owned(),
                context: facts.context(ContextId(context)).name.clone(),
                subject: event.subject.clone(),
                text: format!("{}: {}", event.reason, event.message.chars().take(240).collect::<String>()),
                count,
                citation: Some(event.citation.clone()),
            })
        })
        .collect()
}

/// Containers that were restarted often, the most restarted first.
fn restarts(facts: &Facts) -> Vec<Anomaly> {
    let mut all = Vec::new();
    for context in facts.context_ids() {
        for id in facts.of_kind(context, &KindName::parse("pods")) {
            let object = facts.object(*id);
            let Some(record) = object.sightings.first().map(|sighting| &sighting.record) else { continue };
            let pod = match &object.namespace {
                Some(namespace) => format!("pods {namespace}/{}", object.name),
                None => format!("pods {}", object.name),
            };
            for container in record.node.at(&["status", "containerStatuses"]).map(Node::items).unwrap_or_default() {
                let count = container.field("restartCount").and_then(|node| node.value.integer());
                let Some(count) = count.and_then(|n| u64::try_from(n).ok()).filter(|n| *n >= MANY_RESTARTS) else {
                    continue;
                };
                let name = container.field("name").and_then(Node::as_str).unwrap_or("?");
                let line = if container.line > 0 { container.line } else { record.line };
                all.push(Anomaly {
                    kind: "restarts".to_owned(),
                    context: facts.context(context).name.clone(),
                    subject: pod.clone(),
                    text: format!("container {name} was restarted {count} times"),
                    count,
                    citation: Some(CitationInfo {
                        member: facts.members.get(&record.member).cloned().unwrap_or_default(),
                        line: (line > 0).then_some(line),
                        path: (!record.path.is_empty()).then(|| record.path.clone()),
                        excerpt: format!("restartCount: {count}"),
                    }),
                });
            }
        }
    }
    // Stable: equals stay in the order of the facts.
    all.sort_by_key(|anomaly| std::cmp::Reverse(anomaly.count));
    all.truncate(RESTARTS);
    all
}
