//! The pictures of the page: geometry and words; the templates write them.
//!
//! Invariants: whatever a picture shows stands beside it as text; a picture needs neither script nor colour.

use crate::view::fragment;
use diagnosis::model::{Diagnosis, Finding};
use diagnosis::pictures::{Graph, GraphNode, OWNS, ObjectPage, Quorum, Standing, Voter, VoterState};
use diagnosis::{folding, words};
use serde::Serialize;

/// Geometry of a graph, in user units.
const BOX: (usize, usize) = (196, 42);
const GAP: (usize, usize) = (84, 12);
/// Characters of a name in a box.
const NAME: usize = 27;
/// Findings of a chain.
const CHAIN: usize = 8;

/// The members of an etcd cluster.
#[derive(Debug, Serialize)]
pub struct QuorumView {
    /// `etcd of cluster mgmt: 3 voters, 2 needed for a majority`
    pub caption: String,
    pub members: Vec<VoterView>,
    /// `1 has no leader, 2 are not reached`
    pub sum: String,
}

#[derive(Debug, Serialize)]
pub struct VoterView {
    pub name: String,
    /// `not-reached`, as part of the name of a class.
    pub key: &'static str,
    /// `not reached`
    pub state: &'static str,
    /// What was said of it.
    pub note: String,
}

/// The quorum picture of a finding, if it has one.
pub fn quorum(diagnosis: &Diagnosis, finding: &Finding) -> Option<QuorumView> {
    let several = diagnosis.contexts.len() > 1;
    let own = diagnosis.pictures.quorums.iter().find(|quorum| is_of(&quorum.findings, finding));
    own.map(|quorum| quorum_view(diagnosis, quorum, several))
}

/// Does a picture belong to a finding, or to one that it stands for?
fn is_of(anchors: &[String], finding: &Finding) -> bool {
    anchors.contains(&finding.anchor) || finding.alike.iter().any(|alike| anchors.contains(&alike.anchor))
}

fn quorum_view(diagnosis: &Diagnosis, quorum: &Quorum, several: bool) -> QuorumView {
    let voters = match (quorum.voters, quorum.needed()) {
        (Some(voters), Some(needed)) => {
            format!("{}, {needed} needed for a majority", words::count(voters, "voter", "voters"))
        }
        _ => "the number of voters is not known".to_owned(),
    };
    QuorumView {
        caption: if several {
            format!("{} of {}: {voters}", quorum.cluster, words::cluster(diagnosis, &quorum.context))
        } else {
            format!("{}: {voters}", quorum.cluster)
        },
        members: quorum.members.iter().map(voter).collect(),
        sum: sum(&quorum.members),
    }
}

fn voter(voter: &Voter) -> VoterView {
    let (key, state) = match voter.state {
        VoterState::WithLeader => ("with-leader", "has a leader"),
        VoterState::WithoutLeader => ("without-leader", "up, no leader"),
        VoterState::NotReached => ("not-reached", "not reached by the others"),
        VoterState::NotStarted => ("not-reached", "never started"),
        VoterState::Learner => ("learner", "learner, does not vote"),
        VoterState::Unknown => ("not-known", "not known"),
    };
    VoterView { name: voter.name.clone(), key, state, note: voter.note.clone() }
}

/// How many members are in each state.
fn sum(members: &[Voter]) -> String {
    let of = |state: VoterState, one: &str, many: &str| {
        let count = members.iter().filter(|member| member.state == state).count();
        match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            count => Some(format!("{count} {many}")),
        }
    };
    let parts = [
        of(VoterState::WithLeader, "has a leader", "have a leader"),
        of(VoterState::WithoutLeader, "has no leader", "have no leader"),
        of(VoterState::NotReached, "is not reached by the others", "are not reached by the others"),
        of(VoterState::NotStarted, "never started", "never started"),
        of(VoterState::Learner, "is a learner", "are learners"),
        of(VoterState::Unknown, "is not known", "are not known"),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// One link of a chain of causes.
#[derive(Debug, Serialize)]
pub struct ChainLink {
    /// How deep it stands, from 1; at most 3 is drawn.
    pub depth: usize,
    /// `follows`, `part of the same fault`.
    pub relation: &'static str,
    pub id: String,
    pub headline: String,
    pub link: String,
    /// `confirmed`, as part of the name of a class.
    pub key: &'static str,
    pub verdict: &'static str,
}

/// A chain of causes.
#[derive(Debug, Serialize)]
pub struct Chain {
    pub links: Vec<ChainLink>,
    /// Findings beyond those.
    pub more: usize,
}

/// What is folded under a finding, each under its own cause; `None` if nothing is.
pub fn chain(diagnosis: &Diagnosis, finding: &Finding) -> Option<Chain> {
    let mut links = Vec::new();
    below(diagnosis, finding, 0, &mut links);
    // Under the cause itself stands what follows.
    links.remove(0);
    if links.is_empty() {
        return None;
    }
    let more = links.len().saturating_sub(CHAIN);
    links.truncate(CHAIN);
    Some(Chain { links, more })
}

fn below(diagnosis: &Diagnosis, finding: &Finding, depth: usize, links: &mut Vec<ChainLink>) {
    // Bounded, in case a diagnosis read from a file goes in circles.
    if links.len() > diagnosis.findings.len() {
        return;
    }
    let fold = folding::fold(diagnosis, finding).filter(|_| depth > 0);
    let is_probable = finding.verdict == signature::model::VerdictWord::Probable;
    links.push(ChainLink {
        depth: depth.min(3),
        relation: match fold.map(|fold| fold.part) {
            None => "",
            Some(true) => "part of the same fault",
            Some(false) if is_probable => "probably follows",
            Some(false) => "follows",
        },
        id: finding.signature.id.clone(),
        headline: finding.headline().trim_end_matches('.').to_owned(),
        link: fragment(&finding.anchor),
        key: words::badge_key(finding),
        verdict: words::badge(finding),
    });
    let under = |other: &&Finding| {
        other.stands() && folding::fold(diagnosis, other).is_some_and(|fold| fold.parent.anchor == finding.anchor)
    };
    for other in diagnosis.findings.iter().filter(under) {
        below(diagnosis, other, depth + 1, links);
    }
}

/// A graph as boxes and lines.
#[derive(Debug, Serialize)]
pub struct GraphView {
    pub width: usize,
    pub height: usize,
    pub boxes: Vec<BoxView>,
    pub lines: Vec<LineView>,
    /// All of it in words.
    pub words: String,
}

#[derive(Debug, Serialize)]
pub struct BoxView {
    pub x: usize,
    pub y: usize,
    pub kind: String,
    /// Its name, shortened.
    pub name: String,
    /// The whole of it, with its state.
    pub title: String,
    /// `found`, as part of the name of a class.
    pub key: &'static str,
    /// `not in the list`; empty where it was found.
    pub note: String,
    pub subject: bool,
    /// Fragment of the link to its page; empty if it has none.
    pub link: String,
}

#[derive(Debug, Serialize)]
pub struct LineView {
    pub path: String,
    /// What it says, and where; empty for `owns`.
    pub says: String,
    pub x: usize,
    pub y: usize,
}

/// The graph of a finding, if it has one.
pub fn graph(diagnosis: &Diagnosis, finding: &Finding) -> Option<GraphView> {
    diagnosis.pictures.graphs.iter().find(|graph| is_of(&graph.findings, finding)).map(graph_view)
}

fn standing(state: Standing) -> (&'static str, &'static str) {
    match state {
        Standing::Found => ("found", ""),
        Standing::Gone => ("gone", "gone"),
        Standing::NotListed => ("missing", "not in the list"),
        Standing::NotCollected => ("not-collected", "not collected"),
    }
}

fn graph_view(graph: &Graph) -> GraphView {
    let mut rows: Vec<usize> = Vec::new();
    let mut places = Vec::with_capacity(graph.nodes.len());
    for node in &graph.nodes {
        let rank = usize::try_from(node.rank).unwrap_or_default().min(16);
        if rows.len() <= rank {
            rows.resize(rank + 1, 0);
        }
        let row = rows.get_mut(rank).map(|row| std::mem::replace(row, *row + 1)).unwrap_or_default();
        places.push((rank * (BOX.0 + GAP.0) + 1, row * (BOX.1 + GAP.1) + 1));
    }
    let tallest = rows.iter().max().copied().unwrap_or(1).max(1);
    let boxes = graph.nodes.iter().zip(&places).map(|(node, place)| box_view(node, *place)).collect();
    let mut lines = Vec::new();
    for edge in &graph.edges {
        let (Some(from), Some(to)) = (places.get(edge.from), places.get(edge.to)) else { continue };
        let (start, end) = if to.0 > from.0 { ((from.0 + BOX.0, from.1), *to) } else { (*from, (to.0 + BOX.0, to.1)) };
        let (y1, y2) = (start.1 + BOX.1 / 2, end.1 + BOX.1 / 2);
        let middle = usize::midpoint(start.0, end.0);
        lines.push(LineView {
            path: format!("M{} {y1}C{middle} {y1} {middle} {y2} {} {y2}", start.0, end.0),
            says: if edge.says == OWNS { String::new() } else { edge.says.clone() },
            x: if to.0 > from.0 { end.0 - 5 } else { start.0.saturating_sub(5) },
            y: y2.saturating_sub(4),
        });
    }
    let called = |at: usize| graph.nodes.get(at).map(|node| format!("{} {}", node.kind, node.name)).unwrap_or_default();
    let mut all: Vec<String> =
        graph.edges.iter().map(|edge| format!("{} {} {}", called(edge.from), edge.says, called(edge.to))).collect();
    let open = graph.nodes.iter().filter(|node| node.state != Standing::Found);
    all.extend(open.map(|node| format!("{} {}: {}", node.kind, node.name, standing(node.state).1)));
    GraphView {
        width: rows.len() * (BOX.0 + GAP.0) - GAP.0 + 2,
        height: tallest * (BOX.1 + GAP.1) - GAP.1 + 2,
        boxes,
        lines,
        words: all.join("; "),
    }
}

fn box_view(node: &GraphNode, (x, y): (usize, usize)) -> BoxView {
    let (key, note) = standing(node.state);
    let note = match (note, node.more) {
        ("", 0) => String::new(),
        ("", more) => format!("owns {} more", words::thousands(more)),
        (note, _) => note.to_owned(),
    };
    let about = if note.is_empty() { String::new() } else { format!(", {note}") };
    BoxView {
        x,
        y,
        kind: node.kind.clone(),
        name: shortened(&node.name),
        title: format!("{} {}{about}", node.kind, node.name),
        key,
        note,
        subject: node.subject,
        link: node.page.as_deref().map(fragment).unwrap_or_default(),
    }
}

/// A name that fits into a box: its end tells one Pod from another.
fn shortened(name: &str) -> String {
    let bare = name.rsplit_once('/').map_or(name, |(_, bare)| bare);
    let count = bare.chars().count();
    if count <= NAME {
        return bare.to_owned();
    }
    let head: String = bare.chars().take(NAME / 2).collect();
    let tail: String = bare.chars().skip(count - NAME / 2).collect();
    format!("{head}…{tail}")
}

/// An object that findings cite.
#[derive(Debug, Serialize)]
pub struct ObjectView {
    pub anchor: String,
    pub link: String,
    pub kind: String,
    pub name: String,
    /// ` in cluster mgmt`, where there are several; else empty.
    pub context: String,
    pub place: String,
    /// Ids of the findings that cite it, with their links.
    pub cited_by: Vec<(String, String)>,
    pub lines: Vec<LineOfObject>,
    pub more: u64,
    pub names: Vec<NamedView>,
    pub said: Vec<SaidView>,
}

#[derive(Debug, Serialize)]
pub struct LineOfObject {
    /// Line in the member; empty if it has none.
    pub line: String,
    pub text: String,
    pub cited: bool,
    /// ` … 12 lines`; empty if nothing is folded.
    pub folded: String,
}

#[derive(Debug, Serialize)]
pub struct NamedView {
    pub says: String,
    pub kind: String,
    pub name: String,
    /// `found`
    pub state: &'static str,
    /// Fragment of the link to its page; empty if it has none.
    pub link: String,
}

#[derive(Debug, Serialize)]
pub struct SaidView {
    /// Empty if it is not known.
    pub time: String,
    pub kind: String,
    pub text: String,
    pub place: String,
}

/// The pages of all objects.
pub fn objects(diagnosis: &Diagnosis) -> Vec<ObjectView> {
    diagnosis.pictures.objects.iter().map(|page| object(diagnosis, page)).collect()
}

/// The objects that a finding cites: what they are called, and the links to their pages.
pub fn cited(diagnosis: &Diagnosis, finding: &Finding) -> Vec<(String, String)> {
    let pages = diagnosis.pictures.objects.iter().filter(|page| is_of(&page.findings, finding));
    pages.map(|page| (format!("{} {}", page.kind, page.name), fragment(&page.anchor))).collect()
}

fn object(diagnosis: &Diagnosis, page: &ObjectPage) -> ObjectView {
    let by = diagnosis.findings.iter().filter(|finding| is_of(&page.findings, finding));
    ObjectView {
        anchor: page.anchor.clone(),
        link: fragment(&page.anchor),
        kind: page.kind.clone(),
        name: page.name.clone(),
        context: if diagnosis.contexts.len() > 1 {
            format!(" in {}", words::cluster(diagnosis, &page.context))
        } else {
            String::new()
        },
        place: words::place_short(&page.place),
        cited_by: by.map(|finding| (finding.signature.id.clone(), fragment(&finding.anchor))).collect(),
        lines: page
            .lines
            .iter()
            .map(|line| LineOfObject {
                line: line.line.map(|line| line.to_string()).unwrap_or_default(),
                text: line.text.clone(),
                cited: line.cited,
                folded: match line.folded {
                    0 => String::new(),
                    folded => format!(" … {}", words::count(folded, "line", "lines")),
                },
            })
            .collect(),
        more: page.more,
        names: page
            .names
            .iter()
            .map(|named| NamedView {
                says: named.says.clone(),
                kind: named.kind.clone(),
                name: named.name.clone(),
                state: match standing(named.state).1 {
                    "" => "found",
                    other => other,
                },
                link: named.page.as_deref().map(fragment).unwrap_or_default(),
            })
            .collect(),
        said: page
            .said
            .iter()
            .map(|said| SaidView {
                time: said.time.as_deref().map(words::clock).unwrap_or_default(),
                kind: said.kind.clone(),
                text: said.text.clone(),
                place: words::place_short(&said.citation),
            })
            .collect(),
    }
}
