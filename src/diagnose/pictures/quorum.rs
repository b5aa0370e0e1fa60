//! The voters of an etcd cluster that a finding is about, each with what is known of it last.
//!
//! Invariant: a member of which nothing is known is *unknown*; a number of voters that nobody states is not given.

use diagnosis::model::Finding;
use diagnosis::pictures::{Quorum, Voter, VoterState};
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::Object;
use facts::store::Facts;

/// The kinds that stand for etcd: a cluster and its members.
const CLUSTER: &str = "etcdclusters.casefile.dev";
const MEMBER: &str = "etcdclustermembers.casefile.dev";
/// Members that are drawn.
const MOST: usize = 9;
/// Characters of what was said of a member, and the parts at its end that are left of a longer one.
const NOTE: usize = 80;
const PARTS: usize = 3;

/// The pictures of all etcd clusters that findings are about, each once.
pub(super) fn quorums(findings: &[&Finding], facts: &Facts) -> Vec<Quorum> {
    let mut all = Vec::new();
    for context in facts.context_ids() {
        let name = &facts.context(context).name;
        let clusters = facts.of_kind(context, &KindName::parse(CLUSTER));
        for object in clusters.iter().map(|id| facts.object(*id)) {
            let about = |finding: &&&Finding| {
                let entity = &finding.entity;
                let own = entity.kind == CLUSTER && entity.name == object.name;
                entity.context == *name && (own || entity.kind == MEMBER && clusters.len() == 1)
            };
            let anchors: Vec<String> = findings.iter().filter(about).map(|finding| finding.anchor.clone()).collect();
            if !anchors.is_empty() {
                all.extend(quorum(object, name, anchors));
            }
        }
    }
    all
}

fn quorum(object: &Object, context: &str, findings: Vec<String>) -> Option<Quorum> {
    let node = &object.sightings.first()?.record.node;
    let voters = match node.at(&["spec", "voters"]).map(|node| &node.value) {
        Some(Value::Int(number)) => u64::try_from(*number).ok(),
        _ => None,
    };
    let members = node.at(&["status", "members"]).map(Node::items).unwrap_or_default();
    let mut members: Vec<Voter> = members.iter().filter_map(voter).collect();
    members.sort_by(|a, b| a.name.cmp(&b.name));
    // One member alone is no majority to draw, and of very many nobody sees one.
    if members.len() < 2 || members.len() > MOST {
        return None;
    }
    Some(Quorum { findings, context: context.to_owned(), cluster: object.name.clone(), voters, members })
}

/// A member that votes or will; what an old list or a dial names beside them is none.
fn voter(item: &Node) -> Option<Voter> {
    let text = |field: &str| item.get(field).and_then(Node::as_str).filter(|text| !text.is_empty());
    let flag = |field: &str| match item.get(field).map(|node| &node.value) {
        Some(Value::Bool(flag)) => Some(*flag),
        _ => None,
    };
    let learner = flag("learner") == Some(true);
    let leader = text("leader");
    if leader.is_none() && !learner {
        return None;
    }
    let state = match (flag("reachable"), leader) {
        _ if learner => VoterState::Learner,
        _ if flag("started") == Some(false) => VoterState::NotStarted,
        (Some(false), _) => VoterState::NotReached,
        (_, Some("none")) => VoterState::WithoutLeader,
        (_, Some("known")) => VoterState::WithLeader,
        _ => VoterState::Unknown,
    };
    let note = match state {
        VoterState::NotReached => short(text("lastDialError").unwrap_or_default()),
        _ => String::new(),
    };
    Some(Voter { name: text("name")?.to_owned(), state, note })
}

/// An error as far as it fits: errors are wrapped in each other, and the innermost, at the end, says what happened.
fn short(error: &str) -> String {
    if error.chars().count() <= NOTE {
        return error.to_owned();
    }
    let parts: Vec<&str> = error.trim_end_matches('"').split(": ").collect();
    let end = parts.get(parts.len().saturating_sub(PARTS)..).unwrap_or_default().join(": ");
    let kept: String = end.chars().take(NOTE).collect();
    if kept.len() < end.len() { format!("…{kept}…") } else { format!("…{kept}") }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn of_a_long_error_its_end_is_kept() {
        assert_eq!(short("dial tcp 10.0.0.1:2380: i/o timeout"), "dial tcp 10.0.0.1:2380: i/o timeout");
        let long = "rpc error: code = DeadlineExceeded desc = latest balancer error: connection error: desc = \"transport: Error while dialing dial tcp 172.30.0.13:2379: connect: connection refused\"";
        assert_eq!(short(long), "…Error while dialing dial tcp 172.30.0.13:2379: connect: connection refused");
    }
}
