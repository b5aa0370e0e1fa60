//! What a reader would rather see than read: the voters of an etcd cluster, what owns and uses what, and the objects that
//! findings cite, as they stand in the bundle.
//!
//! Invariants: nothing here decides anything; all of it is bounded; an object that is not in the bundle is said to be
//! *not listed* only where a list of its kind, read whole, does not have it.

use crate::model::CitationInfo;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Pictures and objects of a diagnosis.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Pictures {
    /// The voters of etcd clusters that findings are about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quorums: Vec<Quorum>,
    /// What owns and uses the object of a finding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub graphs: Vec<Graph>,
    /// The objects that findings cite.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ObjectPage>,
}

impl Pictures {
    /// Is there nothing to show?
    pub fn is_empty(&self) -> bool {
        self.quorums.is_empty() && self.graphs.is_empty() && self.objects.is_empty()
    }
}

/// The members of an etcd cluster and what is known of each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Quorum {
    /// Anchors of the findings that it belongs to.
    pub findings: Vec<String>,
    /// Context name.
    pub context: String,
    /// Name of the etcd cluster.
    pub cluster: String,
    /// Voting members; null if their number is not known exactly.
    pub voters: Option<u64>,
    /// The members, by name.
    pub members: Vec<Voter>,
}

impl Quorum {
    /// How many voters must answer; `None` if their number is not known.
    pub fn needed(&self) -> Option<u64> {
        self.voters.map(|voters| voters / 2 + 1)
    }
}

/// One member of an etcd cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Voter {
    pub name: String,
    pub state: VoterState,
    /// What was said of it last: `connection refused`. Left out if nothing was.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// What is known of a member of an etcd cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VoterState {
    /// It has a leader.
    WithLeader,
    /// It runs and has no leader.
    WithoutLeader,
    /// The others do not reach it.
    NotReached,
    /// It was added and never started.
    NotStarted,
    /// It does not vote yet.
    Learner,
    /// The bundle does not tell.
    Unknown,
}

/// What owns and uses the object of a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Graph {
    /// Anchors of the findings that it belongs to.
    pub findings: Vec<String>,
    /// The objects, owners first.
    pub nodes: Vec<GraphNode>,
    /// Which of them stand in a relation, by their index.
    pub edges: Vec<GraphEdge>,
}

/// One object of a graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GraphNode {
    /// `Pod`
    pub kind: String,
    /// `shop/web-1`
    pub name: String,
    /// How far it is known.
    pub state: Standing,
    /// Column, from 0.
    pub rank: u64,
    /// It is what the finding is about. Left out if not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub subject: bool,
    /// Objects of the same owner that are not drawn beside it. Left out if there are none.
    #[serde(default, skip_serializing_if = "crate::model::is_zero")]
    pub more: u64,
    /// Anchor of its page, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
}

/// What [`GraphEdge::says`] of an owner and what it owns; a picture does not write it at each line.
pub const OWNS: &str = "owns";

/// One relation of a graph.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct GraphEdge {
    pub from: usize,
    pub to: usize,
    /// What the first does with the second: `owns`, `runs on`.
    pub says: String,
}

/// How far an object that another one names is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It is in the bundle.
    Found,
    /// The bundle shows that it was there and is gone.
    Gone,
    /// A whole list of its kind was collected, and it is not in there.
    NotListed,
    /// It was not collected.
    NotCollected,
}

/// An object that findings cite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ObjectPage {
    /// Anchor of its page.
    pub anchor: String,
    /// `Pod`
    pub kind: String,
    /// `shop/web-1`
    pub name: String,
    /// Context name.
    pub context: String,
    /// Where it begins.
    pub place: CitationInfo,
    /// Anchors of the findings that cite it.
    pub findings: Vec<String>,
    /// Its text as YAML, masked; what nobody cites is folded.
    pub lines: Vec<YamlLine>,
    /// Lines beyond those. Left out if there are none.
    #[serde(default, skip_serializing_if = "crate::model::is_zero")]
    pub more: u64,
    /// Its owners and what it names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<Named>,
    /// Events about it and lines of logs that name it, by time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<Said>,
}

/// One line of an object.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct YamlLine {
    /// Line in the member; null if it has none of its own.
    pub line: Option<u32>,
    pub text: String,
    /// A finding cites it. Left out if none does.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cited: bool,
    /// Lines that are folded behind it. Left out if there are none.
    #[serde(default, skip_serializing_if = "crate::model::is_zero")]
    pub folded: u64,
}

/// An object that another one names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Named {
    /// What the first does with it: `is owned by`, `runs on`.
    pub says: String,
    /// `Node`
    pub kind: String,
    pub name: String,
    pub state: Standing,
    /// Anchor of its page, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
}

/// Something that was said about an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Said {
    /// RFC 3339, UTC; null if it is not known.
    pub time: Option<String>,
    /// `event` or `log`.
    pub kind: String,
    pub text: String,
    pub citation: CitationInfo,
}

fn is_false(flag: &bool) -> bool {
    !flag
}
