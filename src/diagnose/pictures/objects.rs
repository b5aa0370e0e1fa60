//! The objects that findings cite or are about, each with its text, its owners, what it names and what was said of it.
//!
//! Invariants: an object has one page; only real objects have one, and none of an event; a page has at most [`LINES`]
//! lines, among them those that are cited.

use super::atlas::{Atlas, DERIVED};
use super::{graph, said, yaml};
use crate::surroundings::Records;
use diagnosis::citation::citation_info;
use diagnosis::model::{CitationInfo, Diagnosis, Finding};
use diagnosis::pictures::{Named, ObjectPage, YamlLine};
use facts::event;
use facts::node::Node;
use facts::object::{ObjectId, ObjectRecord};
use facts::origin::Citation;
use facts::path::{Path, Step};
use signature::evidence_state::EvidenceState;
use std::collections::{BTreeMap, BTreeSet};

/// Pages of a report.
const PAGES: usize = 10;
/// Lines of a page.
const LINES: usize = 70;
/// Places of one piece of evidence that are looked at.
const PLACES: usize = 3;

/// An object that is to have a page.
struct Wanted<'f> {
    id: ObjectId,
    record: &'f ObjectRecord,
    findings: Vec<String>,
    cited: BTreeSet<usize>,
}

/// The pages of a report, in the order of its findings.
pub(super) fn pages(findings: &[&Finding], diagnosis: &Diagnosis, atlas: &Atlas<'_>) -> Vec<ObjectPage> {
    let members: BTreeSet<String> =
        findings.iter().flat_map(|finding| places(finding)).map(|p| p.member.clone()).collect();
    let records = Records::new(atlas.facts, &members);
    let ids = ids(atlas);
    let mut wanted: Vec<Wanted<'_>> = Vec::new();
    for finding in findings {
        if let Some(id) = graph::subject(&finding.entity, atlas)
            && let Some(record) = atlas.record(id)
        {
            add(&mut wanted, id, record, finding, None);
        }
        for place in places(finding) {
            let Some((record, rest)) = records.of(place) else { continue };
            let Some(id) = ids.get(&std::ptr::from_ref(record).addr()).copied() else { continue };
            let node = Path::parse(rest).ok().and_then(|path| node_at(&record.node, &path));
            add(&mut wanted, id, record, finding, node);
        }
    }
    wanted.retain(|wanted| is_shown(wanted.id, atlas));
    wanted.truncate(PAGES);
    let several = diagnosis.contexts.len() > 1;
    wanted.into_iter().map(|wanted| page(&wanted, several, atlas)).collect()
}

/// The places that speak for a finding.
fn places(finding: &Finding) -> impl Iterator<Item = &CitationInfo> {
    let rows = finding.evidence.iter().filter(|row| row.state == EvidenceState::Supports);
    rows.flat_map(|row| row.citations.iter().take(PLACES))
}

/// Objects by the address of each reading of theirs.
fn ids(atlas: &Atlas<'_>) -> BTreeMap<usize, ObjectId> {
    let mut ids = BTreeMap::new();
    for (at, object) in atlas.facts.objects.iter().enumerate() {
        let Ok(at) = u32::try_from(at) else { break };
        let records = object.sightings.iter().map(|sighting| std::ptr::from_ref(&sighting.record).addr());
        ids.extend(records.map(|record| (record, ObjectId(at))));
    }
    ids
}

fn is_shown(id: ObjectId, atlas: &Atlas<'_>) -> bool {
    let object = atlas.facts.object(id);
    let kind = object.kind.to_string();
    object.kind.group != DERIVED && !object.shadow && !event::KINDS.contains(&kind.as_str())
}

fn add<'f>(
    wanted: &mut Vec<Wanted<'f>>,
    id: ObjectId,
    record: &'f ObjectRecord,
    finding: &Finding,
    node: Option<&'f Node>,
) {
    let at = wanted.iter().position(|own| own.id == id).unwrap_or_else(|| {
        wanted.push(Wanted { id, record, findings: Vec::new(), cited: BTreeSet::new() });
        wanted.len() - 1
    });
    let Some(own) = wanted.get_mut(at) else { return };
    // The reading that is cited first is the one that is shown.
    if node.is_some() && own.cited.is_empty() {
        own.record = record;
    }
    own.cited.extend(node.map(yaml::address));
    if !own.findings.contains(&finding.anchor) {
        own.findings.push(finding.anchor.clone());
    }
}

fn node_at<'n>(node: &'n Node, path: &Path) -> Option<&'n Node> {
    path.0.iter().try_fold(node, |node, step| match step {
        Step::Field(name) => node.field(name),
        Step::Key(key) => node.get(key),
        Step::Index(at) => node.elements().get(*at),
        Step::All | Step::Pick { .. } => None,
    })
}

fn page(wanted: &Wanted<'_>, several: bool, atlas: &Atlas<'_>) -> ObjectPage {
    let facts = atlas.facts;
    let object = facts.object(wanted.id);
    let (kind, name) = atlas.called(&object.kind, object.namespace.as_deref(), &object.name);
    let context = &facts.context(object.context).name;
    let plural = object.kind.to_string();
    let mut anchor = format!("object/{plural}/{name}");
    if several {
        anchor.push_str(&format!("@{context}"));
    }
    let record = wanted.record;
    let citation = Citation::line(record.member, record.line, "").with_path(record.path.clone());
    let (lines, more) = bounded(yaml::lines(&record.node, &wanted.cited));
    let targets = atlas.owners(wanted.id).into_iter().chain(atlas.named(wanted.id));
    let named = |target: super::atlas::Target| {
        let (kind, name) = atlas.called(&target.kind, target.namespace.as_deref(), &target.name);
        Named { says: target.says, kind, name, state: target.state, page: None }
    };
    ObjectPage {
        anchor,
        kind,
        name,
        context: context.clone(),
        place: citation_info(facts, &citation),
        findings: wanted.findings.clone(),
        lines,
        more,
        names: targets.map(named).collect(),
        said: said::about(wanted.id, atlas),
    }
}

/// The lines that are shown: those that are cited, and of the others the first; and how many more there are.
fn bounded(lines: Vec<YamlLine>) -> (Vec<YamlLine>, u64) {
    let cited = lines.iter().filter(|line| line.cited).count();
    let mut room = LINES.saturating_sub(cited);
    let all = lines.len();
    let keep = |line: &YamlLine| {
        let fits = line.cited || room > 0;
        if !line.cited {
            room = room.saturating_sub(1);
        }
        fits
    };
    let mut keep = keep;
    let kept: Vec<YamlLine> = lines.into_iter().filter(|line| keep(line)).collect();
    let more = (all - kept.len()) as u64;
    (kept, more)
}
