//! What a reader would rather see than read, taken from the facts: the voters of an etcd cluster, what owns and uses the
//! object of a finding, and the objects that findings cite.
//!
//! Invariants: nothing is decided here, and nothing is read again; all of it is bounded; only findings that hold or may
//! hold have pictures.

mod atlas;
mod graph;
mod objects;
mod quorum;
mod said;
mod yaml;

use atlas::Atlas;
use diagnosis::model::{Diagnosis, Finding};
use diagnosis::pictures::Pictures;
use facts::store::Facts;
use signature::model::VerdictWord;

/// Findings that have pictures, in the order of the report.
const FINDINGS: usize = 40;

/// Draws the pictures of a diagnosis.
pub(crate) fn pictures(diagnosis: &Diagnosis, facts: &Facts) -> Pictures {
    let open: Vec<&Finding> = diagnosis.findings.iter().filter(|finding| is_open(finding)).take(FINDINGS).collect();
    let atlas = Atlas::new(facts);
    let quorums = quorum::quorums(&open, facts);
    let mut graphs = graph::graphs(&open, &atlas);
    let objects = objects::pages(&open, diagnosis, &atlas);
    let page = |kind: &str, name: &str| {
        objects.iter().find(|page| page.kind == kind && page.name == name).map(|page| page.anchor.clone())
    };
    for node in graphs.iter_mut().flat_map(|graph| &mut graph.nodes) {
        node.page = page(&node.kind, &node.name);
    }
    let mut pictures = Pictures { quorums, graphs, objects: objects.clone() };
    for named in pictures.objects.iter_mut().flat_map(|page| &mut page.names) {
        named.page = page(&named.kind, &named.name);
    }
    pictures
}

/// May it hold?
fn is_open(finding: &Finding) -> bool {
    matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable | VerdictWord::Undecided)
}
