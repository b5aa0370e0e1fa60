//! What was read of etcd, before its members are told apart: the answers.

use crate::etcd::links::Link;
use crate::etcd::member::Key;
use crate::etcd::member_state::ROWS_OF_ONE_ANSWER;
use crate::etcd::observation::{DIAL_FAILED, Observation, REACHED, WITH_LEADER, WITHOUT_LEADER};
use crate::etcd::voting::VotingMembers;
use catalogue::statements;
use facts::coverage::{Answer, Basis};
use facts::node::Node;
use facts::order::Order;
use facts::provenance::Cited;
use jiff::Timestamp;
use std::collections::BTreeSet;

/// An answer: when it was given, what it says, and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) time: Option<Timestamp>,
    /// Place in a transcript, if it has one.
    pub(super) order: Option<u64>,
    pub(super) cited: Cited,
}

impl Asked {
    pub(super) fn answer(answer: &Answer) -> Self {
        // It is compared with what stands in the same member only, where that is ordered by its lines.
        let Order { time, transcript, .. } = answer.order;
        let order = Order { time, transcript, ..Order::default() }.known();
        let cited = Cited { order, ..Cited::new(answer.citation.clone(), answer.basis) };
        Self { time: answer.order.time, order: Some(answer.citation.line.into()), cited }
    }

    /// Are these rows of one answer?
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        let (this, other) = (&self.cited.citation, &other.cited.citation);
        this.member == other.member && this.line.abs_diff(other.line) < ROWS_OF_ONE_ANSWER
    }

    /// Is it known that this was asked first?
    pub(super) fn is_before(&self, other: &Self) -> bool {
        match (self.order, other.order) {
            (Some(this), Some(other_order)) if self.cited.citation.member == other.cited.citation.member => {
                this < other_order
            }
            _ => self.time.zip(other.time).is_some_and(|(this, other)| this < other),
        }
    }
}

/// What a row of `endpoint status` says of the member that answered.
#[derive(Debug, Clone)]
pub(super) struct StatusAnswer {
    pub(super) id: u64,
    /// Who leads, as far as the form shows it.
    pub(super) leader: Option<u64>,
    pub(super) term: Option<i64>,
    /// The raft index up to which it applied what was agreed on, and the revision of its data there.
    pub(super) applied: Option<i64>,
    pub(super) revision: Option<i64>,
    /// The size of its database, in bytes.
    pub(super) size: Option<i64>,
    /// It was asked for on its own machine.
    pub(super) local: bool,
    pub(super) asked: Asked,
}

/// The hash of the data of the member at an endpoint, from one revision up to another.
#[derive(Debug, Clone)]
pub(super) struct HashAnswer {
    pub(super) endpoint: String,
    pub(super) hash: String,
    pub(super) span: (Option<i64>, Option<i64>),
    pub(super) asked: Asked,
}

/// What a client that asked an endpoint for its health was told.
#[derive(Debug, Clone)]
pub(super) struct HealthAnswer {
    /// Why it is not healthy; `None` if it is.
    pub(super) error: Option<String>,
    pub(super) asked: Asked,
}

/// A member was added.
#[derive(Debug, Clone)]
pub(super) struct Addition {
    id: u64,
    learner: bool,
    asked: Asked,
}

/// What was read, before members are told apart.
#[derive(Default)]
pub(super) struct Draft {
    /// Keys that one source uses for one member.
    pub(super) same: Vec<Vec<Key>>,
    pub(super) observations: Vec<(Key, Observation)>,
    pub(super) learner: Vec<(Key, bool)>,
    pub(super) started: Vec<(Key, bool)>,
    pub(super) seen: Vec<(Key, Cited)>,
    pub(super) voting: Vec<VotingMembers>,
    pub(super) additions: Vec<Addition>,
    /// Members of which nothing later is listed than that they were added.
    pub(super) added: Vec<Key>,
    pub(super) together: Vec<Vec<Key>>,
    pub(super) alarms: Vec<(u64, String, Asked)>,
    pub(super) unnamed_alarms: Vec<(String, Asked)>,
    /// Alarms that a client disarmed.
    pub(super) disarmed: Vec<(String, Asked)>,
    pub(super) without_alarm: Vec<Asked>,
    /// Requests that etcd refused, as its clients tell it.
    pub(super) refusals: Vec<Observation>,
    pub(super) own_ids: Vec<(Key, u64)>,
    pub(super) statuses: Vec<StatusAnswer>,
    /// Where it is said that a member was defragmented.
    pub(super) defragmented: Vec<Cited>,
    pub(super) hashes: Vec<HashAnswer>,
    pub(super) healths: Vec<(Key, HealthAnswer)>,
    /// Links between members that do not work, as the log at their one end tells.
    pub(super) links: Vec<Link>,
}

/// An address without scheme and trailing slash.
pub(super) fn address(url: &str) -> Option<Key> {
    let bare = url.split("://").last().unwrap_or(url).trim_end_matches('/');
    (!bare.is_empty() && bare != "<no value>").then(|| Key::Address(bare.to_owned()))
}

/// Who is at the endpoint of an answer: of that of a loopback the member of the machine on which it was asked for, where
/// that is known.
fn endpoint(node: &Node) -> Option<Key> {
    let at = text(node, &["spec", "endpoint"]);
    let machine = text(node, &["spec", "node"]);
    match parse::etcdctl::is_loopback(at) && !machine.is_empty() {
        true => Some(Key::Machine(machine.to_owned())),
        false => address(at),
    }
}

pub(super) fn name(text: &str) -> Option<Key> {
    (!text.is_empty() && text != "default").then(|| Key::Name(text.to_owned()))
}

fn text<'a>(node: &'a Node, path: &[&str]) -> &'a str {
    node.at(path).and_then(Node::as_str).unwrap_or("")
}

fn number(node: &Node, key: &str) -> Option<i64> {
    match node.at(&["status", key])?.value {
        facts::node::Value::Int(value) => Some(value),
        _ => None,
    }
}

fn boolean(node: &Node, path: &[&str]) -> Option<bool> {
    match node.at(path)?.value {
        facts::node::Value::Bool(value) => Some(value),
        _ => None,
    }
}

pub(super) fn hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok()
}

impl Draft {
    fn answer(&mut self, key: Key, says: &'static str, text: &str, asked: &Asked) {
        let Asked { time, order, cited } = asked.clone();
        let (text, place) = (text.to_owned(), self.observations.len());
        let said = Observation { says, text, time, until: time, answer: true, order, place, cited };
        self.observations.push((key, said));
    }

    pub(super) fn member(&mut self, node: &Node, asked: &Asked) {
        let Some(id) = hex(text(node, &["spec", "id"])) else { return };
        let mut keys = vec![Key::Id(id)];
        keys.extend(name(text(node, &["spec", "name"])));
        for list in ["peerURLs", "clientURLs"] {
            let urls = node.at(&["spec", list]).map(Node::items).unwrap_or_default();
            keys.extend(urls.iter().filter_map(Node::as_str).filter_map(address));
        }
        self.same.push(keys);
        self.seen.push((Key::Id(id), asked.cited.clone()));
        self.learner.extend(boolean(node, &["spec", "learner"]).map(|value| (Key::Id(id), value)));
        self.started.extend(boolean(node, &["status", "started"]).map(|value| (Key::Id(id), value)));
    }

    pub(super) fn member_list(&mut self, node: &Node, asked: &Asked) {
        let items = node.at(&["spec", "members"]).map(Node::items).unwrap_or_default();
        let ids: BTreeSet<u64> = items.iter().filter_map(Node::as_str).filter_map(hex).collect();
        self.together.push(ids.iter().map(|id| Key::Id(*id)).collect());
        let Asked { time, order, mut cited } = asked.clone();
        // A list that ends with the file may have been cut by `head`.
        let whole = boolean(node, &["spec", "whole"]) == Some(true);
        cited.basis = if whole { Basis::Stated } else { cited.basis.max(Basis::Rows) };
        self.voting.push(VotingMembers { ids, listed: true, time, order, cited });
    }

    /// A member that was added. Its name it tells the cluster itself, when it comes. Of one that was removed no list is made: who
    /// lost the answer would take the list before for the last one.
    pub(super) fn member_change(&mut self, node: &Node, asked: &Asked) {
        let Some(id) = hex(text(node, &["spec", "id"])) else { return };
        let learner = match text(node, &["spec", "change"]) {
            "added" => false,
            "added-learner" => true,
            _ => return,
        };
        let urls = node.at(&["spec", "peerURLs"]).map(Node::items).unwrap_or_default();
        let addresses = urls.iter().filter_map(Node::as_str).filter_map(address);
        self.same.push([Key::Id(id)].into_iter().chain(addresses).collect());
        self.seen.push((Key::Id(id), asked.cited.clone()));
        self.additions.push(Addition { id, learner, asked: asked.clone() });
    }

    /// Makes a list of members out of each addition and the last list before it, where both stand in one session.
    pub(super) fn apply_additions(&mut self) {
        let mut additions = std::mem::take(&mut self.additions);
        additions.sort_by_key(|addition| (addition.asked.cited.citation.member, addition.asked.order));
        for Addition { id, learner, asked: Asked { time, order, cited } } in additions {
            let is_of_session = |list: &&VotingMembers| {
                list.listed && list.order.is_some() && list.cited.citation.member == cited.citation.member
            };
            let lists = || self.voting.iter().filter(is_of_session);
            let before = lists().filter(|list| list.order < order).max_by_key(|list| list.order);
            let Some(before) = before.filter(|_| order.is_some()) else { continue };
            let is_listed_later = lists().any(|list| list.order > order && list.ids.contains(&id));
            let ids: BTreeSet<u64> = before.ids.iter().copied().chain([id]).collect();
            let cited = Cited { basis: before.cited.basis, ..cited };
            if !is_listed_later {
                self.added.push(Key::Id(id));
                self.learner.push((Key::Id(id), learner));
            }
            self.together.push(ids.iter().map(|id| Key::Id(*id)).collect());
            self.voting.push(VotingMembers { ids, listed: true, time, order, cited });
        }
    }

    /// `whole`: the answer shows all that there is.
    pub(super) fn status(&mut self, node: &Node, whole: bool, asked: &Asked) {
        let Some(id) = hex(text(node, &["status", "memberID"])) else { return };
        self.same.push([Key::Id(id)].into_iter().chain(endpoint(node)).collect());
        self.seen.push((Key::Id(id), asked.cited.clone()));
        let errors = text(node, &["status", "errors"]);
        let alarms = listed_alarms(errors);
        if !errors.contains("alarm:") && node.at(&["status", "errors"]).is_some() {
            self.without_alarm.push(asked.clone());
        }
        if alarms.is_empty() {
            self.unnamed_alarm(errors, asked);
        }
        self.alarms.extend(alarms.into_iter().map(|(id, alarm)| (id, alarm, asked.clone())));
        let leader = hex(text(node, &["status", "leaderID"]));
        let leads = boolean(node, &["status", "isLeader"]) == Some(true);
        let cluster = text(node, &["status", "clusterID"]);
        if !cluster.is_empty() {
            self.answer(Key::Id(id), "cluster-id", cluster, asked);
        }
        self.statuses.push(StatusAnswer {
            id,
            leader: leader.or(leads.then_some(id)),
            term: number(node, "raftTerm"),
            applied: number(node, "appliedIndex"),
            revision: number(node, "revision"),
            size: number(node, "dbSize"),
            local: parse::etcdctl::is_loopback(text(node, &["spec", "endpoint"])),
            asked: asked.clone(),
        });
        if statements::read("etcd-answer", text(node, &["status", "errors"])).iter().any(|e| e.says == "without-leader")
        {
            self.answer(Key::Id(id), WITHOUT_LEADER, "", asked);
        } else if leader.is_some() || leads {
            self.answer(Key::Id(id), WITH_LEADER, &parse::etcdctl::hex(leader.unwrap_or(id)), asked);
            self.together.extend(leader.map(|leader| vec![Key::Id(id), Key::Id(leader)]));
        } else if !whole && names_its_errors(node) {
            self.answer(Key::Id(id), WITH_LEADER, "", asked);
        } else if whole {
            // JSON prints the leader whenever there is one; a table shows only whether this member leads.
            self.answer(Key::Id(id), WITHOUT_LEADER, "", asked);
        }
        self.answer(Key::Id(id), REACHED, "", asked);
    }

    pub(super) fn health(&mut self, node: &Node, asked: &Asked) {
        let Some(key) = endpoint(node) else { return };
        self.seen.push((key.clone(), asked.cited.clone()));
        let healthy = boolean(node, &["status", "healthy"]) == Some(true);
        let error = (!healthy).then(|| text(node, &["status", "error"]).to_owned());
        self.healths.push((key.clone(), HealthAnswer { error, asked: asked.clone() }));
        if healthy {
            // A healthy endpoint has just committed a proposal, which needs a leader.
            self.answer(key.clone(), WITH_LEADER, "", asked);
            self.answer(key, REACHED, "", asked);
        } else {
            let error = text(node, &["status", "error"]);
            let said = statements::read("etcd-answer", error);
            if said.iter().any(|statement| statement.says == "without-leader") {
                self.answer(key.clone(), WITHOUT_LEADER, "", asked);
            }
            if let Some(alarming) = said.iter().find(|statement| statement.says == "alarming") {
                // An endpoint that names its alarms has answered.
                self.unnamed_alarm(&alarming.text, asked);
                self.answer(key, REACHED, "", asked);
            } else {
                self.dial_failed(key, error, asked);
            }
        }
    }

    /// A client did not reach a member, perhaps since it found its certificate expired.
    fn dial_failed(&mut self, key: Key, error: &str, asked: &Asked) {
        if statements::read("etcd-answer", error).iter().any(|statement| statement.says == "expired") {
            self.answer(key.clone(), "expired", error, asked);
        }
        self.answer(key, DIAL_FAILED, error, asked);
    }

    pub(super) fn health_answer(&mut self, node: &Node, asked: &Asked) {
        let Some(key) = name(text(node, &["spec", "member"])) else { return };
        let reason = text(node, &["status", "reason"]);
        let said = statements::first("etcd-answer", reason);
        match boolean(node, &["status", "healthy"]) {
            Some(true) => self.answer(key.clone(), WITH_LEADER, "", asked),
            Some(false) => match said {
                Some(said) if said.says == "without-leader" => {
                    self.answer(key.clone(), WITHOUT_LEADER, "", asked);
                }
                Some(said) if said.says == "alarming" => self.unnamed_alarm(&said.text, asked),
                _ => {}
            },
            None => {
                self.answer(key, DIAL_FAILED, reason, asked);
                return;
            }
        }
        self.answer(key, REACHED, "", asked);
    }

    pub(super) fn client_error(&mut self, node: &Node, asked: &Asked) {
        if let Some(key) = endpoint(node) {
            let error = text(node, &["status", "error"]);
            self.healths.push((key.clone(), HealthAnswer { error: Some(error.to_owned()), asked: asked.clone() }));
            self.dial_failed(key, error, asked);
        }
    }

    pub(super) fn hash(&mut self, node: &Node, asked: &Asked) {
        let Some(Key::Address(endpoint)) = address(text(node, &["spec", "endpoint"])) else { return };
        let hash = text(node, &["status", "hash"]).to_owned();
        let span = (number(node, "compactRevision"), number(node, "revision"));
        self.hashes.push(HashAnswer { endpoint, hash, span, asked: asked.clone() });
    }

    pub(super) fn alarm(&mut self, node: &Node, asked: &Asked) {
        let alarm = text(node, &["spec", "alarm"]).to_owned();
        if boolean(node, &["status", "disarmed"]) == Some(true) {
            self.disarmed.push((alarm, asked.clone()));
        } else if let Some(id) = hex(text(node, &["spec", "memberID"])).filter(|id| *id != 0) {
            self.alarms.push((id, alarm, asked.clone()));
        } else {
            self.unnamed_alarm(&alarm, asked);
        }
    }

    /// Did a later answer list no alarm, or did somebody disarm it later? `alarm disarm` disarms every member.
    pub(super) fn is_over(&self, alarm: &str, asked: &Asked) -> bool {
        let disarmed = self.disarmed.iter().filter(|(name, _)| name == alarm).map(|(_, later)| later);
        disarmed.chain(&self.without_alarm).any(|later| asked.is_before(later))
    }

    /// Alarms in an answer that names no member: `NOSPACE`, or several of them.
    fn unnamed_alarm(&mut self, text: &str, asked: &Asked) {
        for alarm in ["NOSPACE", "CORRUPT"].into_iter().filter(|alarm| text.contains(alarm)) {
            self.unnamed_alarms.push((alarm.to_owned(), asked.clone()));
        }
    }

    pub(super) fn transfer(&mut self, node: &Node, asked: &Asked) {
        let Some(to) = hex(text(node, &["spec", "to"])) else { return };
        self.answer(Key::Id(to), WITH_LEADER, &parse::etcdctl::hex(to), asked);
    }

    /// A static Pod of etcd shows that the member exists, and where its clients reach it, and no more.
    pub(super) fn pod(&mut self, node: &Node, asked: &Asked) {
        let is_etcd = node.at(&["metadata", "labels", "component"]).and_then(Node::as_str) == Some("etcd");
        if !is_etcd || text(node, &["metadata", "namespace"]) != "kube-system" {
            return;
        }
        let member = match text(node, &["spec", "nodeName"]) {
            "" => text(node, &["metadata", "name"]).trim_start_matches("etcd-"),
            node_name => node_name,
        };
        let Some(member) = name(member) else { return };
        self.seen.push((member.clone(), asked.cited.clone()));
        self.same.push([member].into_iter().chain(client_address(node)).collect());
    }
}

/// Where the clients of the etcd of a static Pod reach it: as kubeadm notes it, else at the port of clients of its machine
/// (`kubernetes/kubernetes:cmd/kubeadm/app/phases/etcd/local.go`, `cmd/kubeadm/app/constants/constants.go EtcdListenClientPort`).
fn client_address(pod: &Node) -> Option<Key> {
    let noted = text(pod, &["metadata", "annotations", "kubeadm.kubernetes.io/etcd.advertise-client-urls"]);
    let machine = || {
        let host =
            [["status", "hostIP"], ["status", "podIP"]].iter().map(|path| text(pod, path)).find(|ip| !ip.is_empty());
        host.and_then(|host| {
            address(&if host.contains(':') { format!("[{host}]:2379") } else { format!("{host}:2379") })
        })
    };
    noted.split(',').next().filter(|url| !url.is_empty()).and_then(address).or_else(machine)
}

/// Does a row show all that is wrong with the member that answered? From 3.4 on it says there that it has no leader
/// (`etcd-io/etcd:server/etcdserver/api/v3rpc/maintenance.go Status`).
fn names_its_errors(row: &Node) -> bool {
    let mut version = text(row, &["status", "version"]).split('.').map(|part| part.parse::<u32>().ok());
    let is_told = version.next().flatten().zip(version.next().flatten()).is_some_and(|version| version >= (3, 4));
    is_told && row.at(&["status", "errors"]).is_some()
}

/// `memberID:10501334649042878790 alarm:NOSPACE`, as often as it stands in a text.
pub(super) fn listed_alarms(text: &str) -> Vec<(u64, String)> {
    let alarm = |part: &str| {
        let id = part.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
        let name = part.split("alarm:").nth(1)?.split(|c: char| !c.is_ascii_uppercase()).next()?;
        (!name.is_empty()).then(|| (id, name.to_owned()))
    };
    text.split("memberID:").skip(1).filter_map(alarm).collect()
}
