//! What was read of etcd, before its members are told apart: the answers.

use crate::etcd::member::Key;
use crate::etcd::observation::{Observation, Observed, Refusal, TroubleObservation};
use crate::etcd::voting::VotingMembers;
use crate::reader::Reader;
use catalogue::statements;
use facts::coverage::Answer;
use facts::node::Node;
use facts::object::Sighting;
use facts::origin::Citation;
use facts::provenance::{Cited, Order};
use jiff::Timestamp;
use std::collections::BTreeSet;

/// When an answer was given, and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    time: Option<Timestamp>,
    /// Place in a transcript, if it has one.
    order: Option<u64>,
    pub(super) cited: Cited,
}

impl Asked {
    pub(super) fn sighting(sighting: &Sighting, cited: Cited) -> Self {
        Self { time: sighting.record.time, order: sighting.record.order, cited }
    }

    pub(super) fn answer(answer: &Answer) -> Self {
        // It is compared with what stands in the same member only, where that is ordered by its lines.
        let cited = Cited { order: answer.time.map(Order::at), ..Cited::new(answer.citation.clone(), answer.basis) };
        Self { time: answer.time, order: Some(answer.citation.line.into()), cited }
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

/// What was read, before members are told apart.
pub(super) struct Draft<'a> {
    reader: Reader<'a>,
    /// Keys that one source uses for one member.
    pub(super) same: Vec<Vec<Key>>,
    pub(super) observations: Vec<(Key, Observation)>,
    pub(super) learner: Vec<(Key, bool)>,
    pub(super) started: Vec<(Key, bool)>,
    pub(super) seen: Vec<(Key, Cited)>,
    pub(super) voting: Vec<VotingMembers>,
    pub(super) together: Vec<Vec<Key>>,
    pub(super) alarms: Vec<(u64, String, Asked)>,
    pub(super) unnamed_alarms: Vec<(String, Asked)>,
    /// Alarms that a client disarmed.
    pub(super) disarmed: Vec<(String, Asked)>,
    pub(super) without_alarm: Vec<Asked>,
    pub(super) refusals: Vec<Refusal>,
    pub(super) troubles: Vec<(Key, TroubleObservation)>,
    /// What a line says of the member at an address, without a port.
    pub(super) troubles_at: Vec<(String, TroubleObservation)>,
    pub(super) own_ids: Vec<(Key, u64)>,
}

/// An address without scheme and trailing slash.
pub(super) fn address(url: &str) -> Option<Key> {
    let bare = url.split("://").last().unwrap_or(url).trim_end_matches('/');
    (!bare.is_empty() && bare != "<no value>").then(|| Key::Address(bare.to_owned()))
}

pub(super) fn name(text: &str) -> Option<Key> {
    (!text.is_empty() && text != "default").then(|| Key::Name(text.to_owned()))
}

fn text<'a>(node: &'a Node, path: &[&str]) -> &'a str {
    node.at(path).and_then(Node::as_str).unwrap_or("")
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

impl<'a> Draft<'a> {
    pub(super) fn new(reader: Reader<'a>) -> Self {
        Self {
            reader,
            same: Vec::new(),
            observations: Vec::new(),
            learner: Vec::new(),
            started: Vec::new(),
            seen: Vec::new(),
            voting: Vec::new(),
            together: Vec::new(),
            alarms: Vec::new(),
            unnamed_alarms: Vec::new(),
            disarmed: Vec::new(),
            without_alarm: Vec::new(),
            refusals: Vec::new(),
            troubles: Vec::new(),
            troubles_at: Vec::new(),
            own_ids: Vec::new(),
        }
    }
}

impl Draft<'_> {
    /// A sighting: its line with what it says.
    fn cite(&self, sighting: &Sighting) -> Cited {
        let record = &sighting.record;
        let part = |key: &str| record.node.get(key).map_or(String::new(), ToString::to_string);
        let excerpt = format!("{} {}", part("spec"), part("status"));
        self.reader.cited(sighting, Citation::line(record.member, record.line, excerpt.trim()))
    }

    fn answer(&mut self, key: Key, what: Observed, sighting: &Sighting) {
        let time = sighting.record.time;
        let said = Observation {
            what,
            time,
            until: time,
            answer: true,
            order: sighting.record.order,
            cited: self.cite(sighting),
        };
        self.observations.push((key, said));
    }

    pub(super) fn member(&mut self, sighting: &Sighting) {
        let node = &sighting.record.node;
        let Some(id) = hex(text(node, &["spec", "id"])) else { return };
        let mut keys = vec![Key::Id(id)];
        keys.extend(name(text(node, &["spec", "name"])));
        for list in ["peerURLs", "clientURLs"] {
            let urls = node.at(&["spec", list]).map(Node::items).unwrap_or_default();
            keys.extend(urls.iter().filter_map(Node::as_str).filter_map(address));
        }
        self.same.push(keys);
        self.seen.push((Key::Id(id), self.cite(sighting)));
        self.learner.extend(boolean(node, &["spec", "learner"]).map(|value| (Key::Id(id), value)));
        self.started.extend(boolean(node, &["status", "started"]).map(|value| (Key::Id(id), value)));
    }

    pub(super) fn member_list(&mut self, sighting: &Sighting) {
        let items = sighting.record.node.at(&["spec", "members"]).map(Node::items).unwrap_or_default();
        let ids: BTreeSet<u64> = items.iter().filter_map(Node::as_str).filter_map(hex).collect();
        self.together.push(ids.iter().map(|id| Key::Id(*id)).collect());
        let (time, order) = (sighting.record.time, sighting.record.order);
        self.voting.push(VotingMembers { ids, listed: true, time, order, cited: self.cite(sighting) });
    }

    pub(super) fn status(&mut self, sighting: &Sighting) {
        let node = &sighting.record.node;
        let Some(id) = hex(text(node, &["status", "memberID"])) else { return };
        self.same.push([Key::Id(id)].into_iter().chain(address(text(node, &["spec", "endpoint"]))).collect());
        self.seen.push((Key::Id(id), self.cite(sighting)));
        let alarms = listed_alarms(text(node, &["status", "errors"]));
        if alarms.is_empty() {
            self.without_alarm.push(Asked::sighting(sighting, self.cite(sighting)));
        }
        let asked = Asked::sighting(sighting, self.cite(sighting));
        self.alarms.extend(alarms.into_iter().map(|(id, alarm)| (id, alarm, asked.clone())));
        let leader = hex(text(node, &["status", "leaderID"]));
        let leads = boolean(node, &["status", "isLeader"]) == Some(true);
        if statements::read("etcd-answer", text(node, &["status", "errors"])).iter().any(|e| e.says == "without-leader")
        {
            self.answer(Key::Id(id), Observed::WithoutLeader, sighting);
        } else if leader.is_some() || leads {
            self.answer(Key::Id(id), Observed::WithLeader(leader.or(Some(id))), sighting);
            self.together.extend(leader.map(|leader| vec![Key::Id(id), Key::Id(leader)]));
        } else if sighting.record.shown == facts::object::Shown::Everything {
            // JSON prints the leader whenever there is one; a table shows only whether this member leads.
            self.answer(Key::Id(id), Observed::WithoutLeader, sighting);
        }
        self.answer(Key::Id(id), Observed::Reached, sighting);
    }

    pub(super) fn health(&mut self, sighting: &Sighting) {
        let node = &sighting.record.node;
        let Some(key) = address(text(node, &["spec", "endpoint"])) else { return };
        self.seen.push((key.clone(), self.cite(sighting)));
        if boolean(node, &["status", "healthy"]) == Some(true) {
            // A healthy endpoint has just committed a proposal, which needs a leader.
            self.answer(key.clone(), Observed::WithLeader(None), sighting);
            self.answer(key, Observed::Reached, sighting);
        } else {
            let error = text(node, &["status", "error"]);
            let said = statements::read("etcd-answer", error);
            if said.iter().any(|statement| statement.says == "without-leader") {
                self.answer(key.clone(), Observed::WithoutLeader, sighting);
            }
            if let Some(alarming) = said.iter().find(|statement| statement.says == "alarming") {
                // An endpoint that names its alarms has answered.
                self.unnamed_alarm(&alarming.text, sighting);
                self.answer(key, Observed::Reached, sighting);
            } else {
                self.dial_failed(key, error, sighting);
            }
        }
    }

    /// A client did not reach a member, perhaps since it found its certificate expired.
    fn dial_failed(&mut self, key: Key, error: &str, sighting: &Sighting) {
        if statements::read("etcd-answer", error).iter().any(|statement| statement.says == "expired") {
            let place = self.troubles.len() + self.troubles_at.len();
            let (time, cited) = (sighting.record.time, self.cite(sighting));
            let text = error.to_owned();
            let noted = TroubleObservation { says: "expired", text, time, answer: true, place, cited };
            self.troubles.push((key.clone(), noted));
        }
        self.answer(key, Observed::DialFailed(error.to_owned()), sighting);
    }

    pub(super) fn health_answer(&mut self, sighting: &Sighting) {
        let node = &sighting.record.node;
        let Some(key) = name(text(node, &["spec", "member"])) else { return };
        let reason = text(node, &["status", "reason"]);
        let said = statements::first("etcd-answer", reason);
        match boolean(node, &["status", "healthy"]) {
            Some(true) => self.answer(key.clone(), Observed::WithLeader(None), sighting),
            Some(false) => match said {
                Some(said) if said.says == "without-leader" => {
                    self.answer(key.clone(), Observed::WithoutLeader, sighting);
                }
                Some(said) if said.says == "alarming" => self.unnamed_alarm(&said.text, sighting),
                _ => {}
            },
            None => {
                self.answer(key, Observed::DialFailed(reason.to_owned()), sighting);
                return;
            }
        }
        self.answer(key, Observed::Reached, sighting);
    }

    pub(super) fn client_error(&mut self, sighting: &Sighting) {
        let node = &sighting.record.node;
        if let Some(key) = address(text(node, &["spec", "endpoint"])) {
            self.dial_failed(key, text(node, &["status", "error"]), sighting);
        }
    }

    pub(super) fn alarm(&mut self, sighting: &Sighting) {
        let node = &sighting.record.node;
        let alarm = text(node, &["spec", "alarm"]).to_owned();
        if boolean(node, &["status", "disarmed"]) == Some(true) {
            self.disarmed.push((alarm, Asked::sighting(sighting, self.cite(sighting))));
        } else if let Some(id) = hex(text(node, &["spec", "memberID"])) {
            self.alarms.push((id, alarm, Asked::sighting(sighting, self.cite(sighting))));
        }
    }

    /// Did a later answer list no alarm, or did somebody disarm it later? `alarm disarm` disarms every member.
    pub(super) fn is_over(&self, alarm: &str, asked: &Asked) -> bool {
        let disarmed = self.disarmed.iter().filter(|(name, _)| name == alarm).map(|(_, later)| later);
        disarmed.chain(&self.without_alarm).any(|later| asked.is_before(later))
    }

    /// Alarms in an answer that names no member: `NOSPACE`, or several of them.
    fn unnamed_alarm(&mut self, text: &str, sighting: &Sighting) {
        for alarm in ["NOSPACE", "CORRUPT"].into_iter().filter(|alarm| text.contains(alarm)) {
            self.unnamed_alarms.push((alarm.to_owned(), Asked::sighting(sighting, self.cite(sighting))));
        }
    }

    pub(super) fn transfer(&mut self, sighting: &Sighting) {
        let node = &sighting.record.node;
        let Some(to) = hex(text(node, &["spec", "to"])) else { return };
        self.answer(Key::Id(to), Observed::WithLeader(Some(to)), sighting);
    }

    /// A static Pod of etcd shows that the member exists, and no more.
    pub(super) fn pod(&mut self, sighting: &Sighting) {
        let node = &sighting.record.node;
        let is_etcd = node.at(&["metadata", "labels", "component"]).and_then(Node::as_str) == Some("etcd");
        if !is_etcd || text(node, &["metadata", "namespace"]) != "kube-system" {
            return;
        }
        let member = match text(node, &["spec", "nodeName"]) {
            "" => text(node, &["metadata", "name"]).trim_start_matches("etcd-"),
            node_name => node_name,
        };
        if let Some(key) = name(member) {
            let what = format!("Pod {}", text(node, &["metadata", "name"]));
            let place = Citation::line(sighting.record.member, sighting.record.line, &what);
            self.seen.push((key, self.reader.cited(sighting, place)));
        }
    }
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
