//! What owns the object of a finding, what it owns, and what they use: Deployment, ReplicaSet, Pods, then the Node and the
//! volumes; Cluster, control plane, Machines, then their Nodes.
//!
//! Invariants: owners stand left of what they own; a graph has at most [`NODES`] objects, and those of one owner that are
//! not drawn are counted; findings about the same object share a graph.

use super::atlas::{Atlas, DERIVED, Target};
use diagnosis::model::{EntityInfo, Finding};
use diagnosis::pictures::{Graph, GraphEdge, GraphNode, OWNS, Standing};
use facts::kind::KindName;
use facts::object::ObjectId;
use std::collections::{BTreeMap, VecDeque};

/// Graphs of a report.
const GRAPHS: usize = 8;
/// Objects of a graph.
const NODES: usize = 14;
/// Objects of one owner that are drawn.
const OWNED: usize = 3;
/// How far owners are followed, and what is owned.
const UP: usize = 5;
const DOWN: usize = 3;

/// The graphs of findings, in their order.
pub(super) fn graphs(findings: &[&Finding], atlas: &Atlas<'_>) -> Vec<Graph> {
    let mut of: BTreeMap<ObjectId, usize> = BTreeMap::new();
    let mut graphs: Vec<Graph> = Vec::new();
    for finding in findings {
        let Some(id) = subject(&finding.entity, atlas) else { continue };
        if let Some(graph) = of.get(&id).and_then(|at| graphs.get_mut(*at)) {
            graph.findings.push(finding.anchor.clone());
        } else if graphs.len() < GRAPHS
            && let Some(graph) = draw(id, atlas)
        {
            of.insert(id, graphs.len());
            graphs.push(Graph { findings: vec![finding.anchor.clone()], ..graph });
        }
    }
    graphs
}

/// The object that a finding is about: its entity, or the object that a derived entity speaks of.
pub(super) fn subject(entity: &EntityInfo, atlas: &Atlas<'_>) -> Option<ObjectId> {
    let facts = atlas.facts;
    let context = facts.context_ids().find(|id| facts.context(*id).name == entity.context)?;
    let kind = KindName::parse(&entity.kind);
    let own = facts.named(context, &kind, entity.namespace.as_deref(), &entity.name)?;
    if kind.group != DERIVED {
        return Some(own);
    }
    let kind = facts.stands_for.get(&own)?;
    facts.named(context, kind, entity.namespace.as_deref(), &entity.name)
}

/// A graph that is being drawn.
struct Drawing<'a, 'f> {
    atlas: &'a Atlas<'f>,
    /// Objects with their column; the subject is in column 0.
    nodes: Vec<(GraphNode, i64)>,
    edges: Vec<GraphEdge>,
}

impl Drawing<'_, '_> {
    /// The number of an object; `None` if there is no room for it.
    fn node(&mut self, target: &Target, column: i64) -> Option<usize> {
        let (kind, name) = self.atlas.called(&target.kind, target.namespace.as_deref(), &target.name);
        if let Some(at) = self.nodes.iter().position(|(node, _)| node.kind == kind && node.name == name) {
            return Some(at);
        }
        if self.nodes.len() >= NODES {
            return None;
        }
        let node = GraphNode { kind, name, state: target.state, rank: 0, subject: false, more: 0, page: None };
        self.nodes.push((node, column));
        Some(self.nodes.len() - 1)
    }

    fn edge(&mut self, from: usize, to: usize, says: &str) {
        let edge = GraphEdge { from, to, says: says.to_owned() };
        if from != to && !self.edges.iter().any(|other| (other.from, other.to) == (from, to)) {
            self.edges.push(edge);
        }
    }
}

fn own(id: ObjectId, atlas: &Atlas<'_>) -> Target {
    let object = atlas.facts.object(id);
    Target {
        says: String::new(),
        context: object.context,
        kind: object.kind.clone(),
        namespace: object.namespace.clone(),
        name: object.name.clone(),
        id: Some(id),
        state: Standing::Found,
    }
}

/// The graph of an object; `None` if nothing hangs together with it.
fn draw(id: ObjectId, atlas: &Atlas<'_>) -> Option<Graph> {
    let mut drawing = Drawing { atlas, nodes: Vec::new(), edges: Vec::new() };
    let subject = drawing.node(&own(id, atlas), 0)?;
    if let Some((node, _)) = drawing.nodes.get_mut(subject) {
        node.subject = true;
    }
    up(&mut drawing, id, subject, 0);
    let users = down(&mut drawing, id, subject);
    for (user, at, column) in users {
        for target in atlas.named(user) {
            // What everything names tells nothing.
            let ordinary = target.name == "default" && target.kind.plural == "serviceaccounts";
            if ordinary && target.state != Standing::NotListed {
                continue;
            }
            let Some(to) = drawing.node(&target, column + 1) else { continue };
            // What stands further left owns it already.
            if drawing.nodes.get(to).is_some_and(|(_, there)| *there > column) {
                drawing.edge(at, to, &target.says);
            }
        }
    }
    if drawing.edges.is_empty() {
        return None;
    }
    let least = drawing.nodes.iter().map(|(_, column)| *column).min().unwrap_or_default();
    let rank = |column: i64| u64::try_from(column - least).unwrap_or_default();
    let nodes = drawing.nodes.into_iter().map(|(node, column)| GraphNode { rank: rank(column), ..node }).collect();
    Some(Graph { findings: Vec::new(), nodes, edges: drawing.edges })
}

fn up(drawing: &mut Drawing<'_, '_>, id: ObjectId, at: usize, column: i64) {
    let (mut id, mut at, mut column) = (id, at, column);
    for _ in 0..UP {
        let mut next = None;
        for owner in drawing.atlas.owners(id) {
            let Some(from) = drawing.node(&owner, column - 1) else { return };
            drawing.edge(from, at, OWNS);
            next = next.or(owner.id.map(|owner| (owner, from)));
        }
        let Some((owner, from)) = next else { return };
        (id, at, column) = (owner, from, column - 1);
    }
}

/// Draws what is owned; gives the objects whose references are worth following, with their places.
fn down(drawing: &mut Drawing<'_, '_>, id: ObjectId, at: usize) -> Vec<(ObjectId, usize, i64)> {
    let mut users = vec![(id, at, 0)];
    let mut open = VecDeque::from([(id, at, 0_i64)]);
    while let Some((id, at, column)) = open.pop_front() {
        if column >= DOWN as i64 {
            continue;
        }
        let owned = drawing.atlas.owned(id);
        for child in owned.iter().take(OWNED) {
            let Some(to) = drawing.node(&own(*child, drawing.atlas), column + 1) else { break };
            drawing.edge(at, to, OWNS);
            open.push_back((*child, to, column + 1));
            users.push((*child, to, column + 1));
        }
        if let Some((node, _)) = drawing.nodes.get_mut(at) {
            node.more = owned.len().saturating_sub(OWNED) as u64;
        }
    }
    users
}
