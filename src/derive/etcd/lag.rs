//! How far members are behind their leader: the raft index up to which each applied what was agreed on, as the rows of one
//! `endpoint status` show it beside each other.
//!
//! Why: a member that does not keep up is up, healthy and lists a leader; reads of it are old, and the cluster has one member
//! less than it seems. Only the numbers of the rows beside each other tell it.
//!
//! Sources: etcd `api/etcdserverpb/rpc.proto` (StatusResponse, `raftAppliedIndex`); `server/etcdserver/server.go`
//! (`maxGapBetweenApplyAndCommitIndex`), beyond which a member refuses requests.
//!
//! Invariants: rows are compared inside one answer alone, and never those that were asked on each machine for itself, for
//! entries are made between two questions; of answers without an order the one counts that shows the member nearest.

use crate::etcd::draft::StatusAnswer;
use crate::etcd::member_state::ROWS_OF_ONE_ANSWER;
use facts::derived::Derived;
use facts::origin::MemberId;
use facts::provenance::{Cited, Provenance};
use std::collections::{BTreeMap, BTreeSet};

/// How far one member is behind.
#[derive(Debug, Clone)]
struct Lag {
    /// Entries of the raft log that its leader has applied, and it has not.
    entries: i64,
    /// The same in the answer before that, of the same text.
    before: Option<i64>,
    cited: Vec<Cited>,
}

/// The members that are behind, by their ids.
#[derive(Debug, Default)]
pub(super) struct Lags(BTreeMap<u64, Lag>);

impl Lags {
    /// `name`: that of a file, since its number follows the order of an archive.
    pub(super) fn gather(statuses: &[StatusAnswer], name: impl Fn(MemberId) -> String) -> Self {
        let mut by_file: BTreeMap<(String, MemberId), Vec<&StatusAnswer>> = BTreeMap::new();
        for status in statuses.iter().filter(|status| !status.local && status.applied.is_some()) {
            let file = status.asked.cited.citation.member;
            by_file.entry((name(file), file)).or_default().push(status);
        }
        let mut all = Self::default();
        for (_, mut rows) in by_file {
            rows.sort_by_key(|status| (status.asked.cited.citation.line, status.id));
            let mut of_file: BTreeMap<u64, Lag> = BTreeMap::new();
            for answer in answers(&rows) {
                for (id, lag) in in_answer(answer) {
                    let before = of_file.get(&id).map(|earlier| earlier.entries);
                    of_file.insert(id, Lag { before, ..lag });
                }
            }
            for (id, lag) in of_file {
                let nearest = all.0.get(&id).is_none_or(|known| lag.entries < known.entries);
                if nearest {
                    all.0.insert(id, lag);
                }
            }
        }
        all
    }

    /// Writes what is known of the member with these ids.
    pub(super) fn write(&self, ids: &BTreeSet<u64>, object: &mut Derived) {
        let Some(lag) = ids.iter().filter_map(|id| self.0.get(id)).next_back() else { return };
        let Some(from) = Provenance::all(lag.cited.iter().cloned()) else { return };
        object.number("status.entriesBehind", lag.entries, &from);
        let nearer = lag.before.map(|before| lag.entries < before || lag.entries == 0);
        object.flag("status.catchesUp", nearer == Some(true), &from);
        match nearer {
            Some(nearer) => object.flag("status.staysBehind", !nearer, &from),
            None => object.open("status.staysBehind", &from),
        }
    }
}

/// The rows of each answer: in the next one a member stands again, or it stands far below.
fn answers<'r, 's>(rows: &'r [&'s StatusAnswer]) -> Vec<&'r [&'s StatusAnswer]> {
    let mut all = Vec::new();
    let (mut start, mut seen, mut line) = (0, BTreeSet::new(), None::<u32>);
    for (at, row) in rows.iter().enumerate() {
        let own = row.asked.cited.citation.line;
        let is_far = line.is_some_and(|line| own - line >= ROWS_OF_ONE_ANSWER);
        if is_far || !seen.insert(row.id) {
            all.extend(rows.get(start..at));
            (start, seen) = (at, BTreeSet::from([row.id]));
        }
        line = Some(own);
    }
    all.extend(rows.get(start..));
    all
}

/// How far each member of one answer is behind the leader that stands in it.
fn in_answer(rows: &[&StatusAnswer]) -> Vec<(u64, Lag)> {
    let leader = rows.iter().find(|row| row.leader == Some(row.id));
    let Some((leader, applied)) = leader.and_then(|leader| Some((leader, leader.applied?))) else { return Vec::new() };
    // Another leader, or an older term, is another story.
    let follows = |row: &&&StatusAnswer| {
        row.id != leader.id && row.term == leader.term && row.leader.is_none_or(|named| named == leader.id)
    };
    let lag = |row: &&StatusAnswer| {
        let cited = vec![leader.asked.cited.clone(), row.asked.cited.clone()];
        Some((row.id, Lag { entries: (applied - row.applied?).max(0), before: None, cited }))
    };
    rows.iter().filter(follows).filter_map(lag).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::etcd::draft::Asked;
    use facts::coverage::Basis;
    use facts::origin::Citation;

    fn row(line: u32, id: u64, leads: bool, applied: i64) -> StatusAnswer {
        let cited = Cited::new(Citation::line(MemberId(0), line, "x"), Basis::Stated);
        let asked = Asked { time: None, order: Some(line.into()), cited };
        let leader = leads.then_some(id);
        StatusAnswer {
            id,
            leader,
            term: Some(7),
            applied: Some(applied),
            revision: None,
            size: None,
            local: false,
            asked,
        }
    }

    fn shown(rows: &[StatusAnswer]) -> String {
        let lags = Lags::gather(rows, |_| String::new());
        let each = lags.0.iter().map(|(id, lag)| format!("{id}: {} after {:?}", lag.entries, lag.before));
        each.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_member_is_as_far_behind_as_the_last_answer_says() {
        let first = [row(4, 1, true, 9_000), row(5, 2, false, 8_999), row(6, 3, false, 1_000)];
        assert_eq!(shown(&first), "2: 1 after None, 3: 8000 after None");
        let again = [row(12, 1, true, 9_900), row(13, 2, false, 9_900), row(14, 3, false, 1_005)];
        assert_eq!(shown(&[&first[..], &again].concat()), "2: 0 after Some(1), 3: 8895 after Some(8000)");
    }

    #[test]
    fn without_a_leader_in_the_answer_and_asked_on_each_machine_nothing_is_known() {
        assert_eq!(shown(&[row(4, 1, false, 9_000), row(5, 2, false, 10)]), "");
        let local = |row: StatusAnswer| StatusAnswer { local: true, ..row };
        assert_eq!(shown(&[local(row(4, 1, true, 9_000)), local(row(9, 2, false, 10))]), "");
        let older = StatusAnswer { term: Some(6), ..row(5, 2, false, 10) };
        assert_eq!(shown(&[row(4, 1, true, 9_000), older]), "");
    }
}
