//! The rows of the fixed tables.

use crate::{Cell, json};
use diagnosis::model::{CitationInfo, Diagnosis, EvidenceRow};
use diagnosis::words;
use facts::coverage::Namespaces;
use facts::event::{self, Event};
use facts::kind::KindName;
use facts::node::Node;
use facts::object::{Form, Object, Sighting};
use facts::outside::Outside;
use facts::presence::Presence;
use facts::stamp::time_of;
use facts::store::Facts;
use jiff::Timestamp;
use signature::evidence_state::EvidenceState;

/// What stands for a masked value.
const MASKED: &str = "[redacted]";

/// A text of an object; `None` was masked.
pub(crate) fn shown(text: Option<String>) -> Cell {
    text.map_or_else(|| Cell::text(MASKED), Cell::Text)
}

/// The text of a scalar below a node; a masked one says so.
fn text(node: &Node, keys: &[&str]) -> Cell {
    match node.at(keys) {
        Some(found) if found.value.is_redacted() => shown(None),
        Some(found) => Cell::from(found.value.scalar()),
        None => Cell::Null,
    }
}

fn time(node: &Node, keys: &[&str]) -> Cell {
    node.at(keys).and_then(|node| time_of(node.as_str()?)).map_or(Cell::Null, Cell::Time)
}

fn first(object: &Object) -> Option<&Sighting> {
    object.sightings.first()
}

/// When it was created, as the first reading says that shows it.
pub(crate) fn created(object: &Object) -> Cell {
    let of = |sighting: &Sighting| time(&sighting.record.node, &["metadata", "creationTimestamp"]);
    object.sightings.iter().map(of).find(|cell| *cell != Cell::Null).unwrap_or(Cell::Null)
}

/// Member and line of its newest reading.
pub(crate) fn place(facts: &Facts, object: &Object) -> [Cell; 2] {
    match first(object) {
        Some(Sighting { record, .. }) if record.form != Form::Derived => {
            [member(facts, record.member), Cell::Number(record.line.into())]
        }
        _ => [Cell::Null, Cell::Null],
    }
}

fn member(facts: &Facts, id: facts::origin::MemberId) -> Cell {
    Cell::from(facts.members.get(&id).map(|name| name.shown().as_str()))
}

fn context(facts: &Facts, object: &Object) -> Cell {
    Cell::text(facts.context(object.context).name.as_str())
}

pub(crate) fn is_row(object: &Object) -> bool {
    !object.shadow
}

pub(crate) fn objects(facts: &Facts, emit: &mut dyn FnMut(Vec<Cell>)) {
    for object in facts.objects.iter().filter(|object| is_row(object)) {
        let form = first(object).map(|sighting| match sighting.record.form {
            Form::Json => "json",
            Form::Yaml => "yaml",
            Form::Describe => "describe",
            Form::TypedDescribe => "typed-describe",
            Form::Table => "table",
            Form::Derived => "derived",
        });
        let presence = match object.presence {
            Presence::There => "there",
            Presence::Disputed(_) => "disputed",
            Presence::Gone(_) => "gone",
        };
        let [member, line] = place(facts, object);
        emit(vec![
            context(facts, object),
            Cell::text(object.kind.to_string()),
            Cell::from(object.namespace.as_deref()),
            Cell::text(object.name.as_str()),
            Cell::from(object.uid.as_deref()),
            created(object),
            Cell::from(form),
            Cell::text(presence),
            Cell::Number(i64::try_from(object.sightings.len()).unwrap_or(i64::MAX)),
            member,
            line,
            Cell::from(first(object).map(|sighting| json::json(&sighting.record.node))),
        ]);
    }
}

pub(crate) fn conditions(facts: &Facts, emit: &mut dyn FnMut(Vec<Cell>)) {
    for object in facts.objects.iter().filter(|object| is_row(object) && !object.presence.is_gone()) {
        let shown = object.sightings.iter().find_map(|sighting| {
            let node = &sighting.record.node;
            let list = node.at(&["status", "conditions"]).or_else(|| node.at(&["conditions"]))?;
            (!list.elements().is_empty()).then_some((sighting, list))
        });
        let Some((sighting, list)) = shown else { continue };
        for condition in list.elements().iter().filter(|condition| condition.field("type").is_some()) {
            emit(vec![
                context(facts, object),
                Cell::text(object.kind.to_string()),
                Cell::from(object.namespace.as_deref()),
                Cell::text(object.name.as_str()),
                text(condition, &["type"]),
                text(condition, &["status"]),
                text(condition, &["reason"]),
                text(condition, &["message"]),
                time(condition, &["lastTransitionTime"]),
                member(facts, sighting.record.member),
                Cell::Number(condition.line.into()),
            ]);
        }
    }
}

pub(crate) fn events(facts: &Facts, emit: &mut dyn FnMut(Vec<Cell>)) {
    let kinds = event::KINDS.map(KindName::parse);
    for object in facts.objects.iter().filter(|object| kinds.contains(&object.kind) && is_row(object)) {
        let Some(sighting) = first(object) else { continue };
        let node = &sighting.record.node;
        let event = Event::of(node);
        let about = event.about();
        let some = |text: String| (!text.is_empty()).then_some(text);
        let time = |time: Option<Timestamp>| time.map_or(Cell::Null, Cell::Time);
        let [member, line] = place(facts, object);
        emit(vec![
            context(facts, object),
            Cell::from(object.namespace.as_deref()),
            text(node, &["type"]),
            Cell::from(some(event.reason())),
            Cell::from(about.kind),
            Cell::from(about.namespace),
            Cell::from(about.name),
            Cell::from(some(event.message())),
            event.count().map_or(Cell::Null, Cell::Number),
            time(event.first()),
            time(event.last()),
            Cell::from(event.host()),
            member,
            line,
        ]);
    }
}

pub(crate) fn number(number: usize) -> Cell {
    i64::try_from(number).map_or(Cell::Null, Cell::Number)
}

pub(crate) fn findings(diagnosis: &Diagnosis, emit: &mut dyn FnMut(Vec<Cell>)) {
    for (index, finding) in diagnosis.findings.iter().enumerate() {
        let since = finding.since.as_deref().and_then(|since| since.parse().ok());
        emit(vec![
            number(index),
            Cell::text(finding.signature.id.as_str()),
            Cell::text(finding.signature.name.as_str()),
            Cell::text(finding.signature.title.as_str()),
            Cell::text(format!("{:?}", finding.severity).to_ascii_lowercase()),
            Cell::text(words::verdict_key(finding.verdict)),
            Cell::text(finding.entity.context.as_str()),
            Cell::text(finding.entity.kind.as_str()),
            Cell::from(finding.entity.namespace.as_deref()),
            Cell::text(finding.entity.name.as_str()),
            since.map_or(Cell::Null, Cell::Time),
            finding.caused_by.map_or(Cell::Null, number),
            Cell::text(finding.headline.as_str()),
            Cell::text(supported_by(&finding.evidence)),
        ]);
    }
}

/// The names of the evidence that supports a finding, sorted: findings alike in that are alike.
fn supported_by(evidence: &[EvidenceRow]) -> String {
    let supports = evidence.iter().filter(|row| row.state == EvidenceState::Supports);
    let mut names: Vec<&str> = supports.map(|row| row.id.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.join(",")
}

pub(crate) fn evidence(diagnosis: &Diagnosis, emit: &mut dyn FnMut(Vec<Cell>)) {
    for (index, finding) in diagnosis.findings.iter().enumerate() {
        for row in &finding.evidence {
            let mut emit_at = |citation: Option<&CitationInfo>| {
                let state = match row.state {
                    EvidenceState::Supports => "supports",
                    EvidenceState::Contradicts => "contradicts",
                    EvidenceState::Unknown => "unknown",
                };
                let EvidenceRow { id, claim, reason, .. } = row;
                emit(vec![
                    number(index),
                    Cell::text(finding.signature.id.as_str()),
                    Cell::text(id.as_str()),
                    Cell::text(state),
                    Cell::text(claim.as_str()),
                    Cell::text(reason.as_str()),
                    Cell::from(citation.map(|citation| citation.member.as_str())),
                    citation.and_then(|citation| citation.line).map_or(Cell::Null, |line| Cell::Number(line.into())),
                    Cell::from(citation.map(|citation| citation.excerpt.as_str())),
                ]);
            };
            if row.citations.is_empty() {
                emit_at(None);
            }
            row.citations.iter().for_each(|citation| emit_at(Some(citation)));
        }
    }
}

pub(crate) fn coverage(facts: &Facts, emit: &mut dyn FnMut(Vec<Cell>)) {
    for coverage in &facts.coverage {
        let answer = &coverage.answer;
        let namespaces = match &answer.namespaces {
            Namespaces::All => "*".to_owned(),
            Namespaces::Some(names) => names.join(","),
        };
        let detail = answer.state.detail().map(|detail| String::from(Outside::from(detail)));
        emit(vec![
            Cell::text(facts.context(coverage.context).name.as_str()),
            Cell::text(answer.kind.to_string()),
            Cell::text(namespaces),
            Cell::text(answer.state.word()),
            Cell::text(answer.basis.word()),
            Cell::from(detail),
            member(facts, answer.citation.member),
            Cell::Number(answer.citation.line.into()),
        ]);
    }
}
