//! What is kept of a member where memory is scarce: its beginning.
//!
//! Invariants: what is kept is whole, and stands before what is not; a member of which anything was left out is cut, so
//! that every list in it is partial and nothing follows from what it does not show.

use crate::member::MemberContent;
use facts::cut::Cut;
use facts::kind::KindName;
use facts::limit::Limit;
use facts::log::{LiteralId, ScannedLog};
use facts::node::Node;
use facts::record::Record;
use facts::weight;
use std::collections::BTreeSet;

/// What a member speaks of, told coarsely: who has many members that speak of the same can do without the next one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Theme {
    /// Objects of a kind.
    Kind(KindName),
    /// Rows of a table with these headers.
    Rows(Vec<String>),
    /// Lines with a wanted text.
    Literal(LiteralId),
    /// Nothing of these.
    Other,
}

/// Bytes that all of a member takes.
pub fn weight(content: &MemberContent) -> u64 {
    let records = content.parsed.records.iter().map(weight::record).sum::<u64>();
    let unread = content.parsed.unread.len() as u64 * weight::UNREAD;
    records + logs(content).map(weight::log).sum::<u64>() + unread
}

/// What a member speaks of: at least one.
pub fn themes(content: &MemberContent) -> BTreeSet<Theme> {
    let of_record = |record: &Record| match record {
        Record::Object(object) => object.kind.clone().map(Theme::Kind),
        Record::Table(table) => Some(Theme::Rows(table.headers.clone())),
        Record::Answer(_) | Record::Stamp(_) | Record::Served(_) => None,
    };
    let literals = logs(content).flat_map(ScannedLog::machines).flat_map(|log| &log.hits).flat_map(|hit| &hit.literals);
    let mut themes: BTreeSet<Theme> = literals.map(|literal| Theme::Literal(*literal)).collect();
    themes.extend(content.parsed.records.iter().filter_map(of_record));
    if themes.is_empty() {
        themes.insert(Theme::Other);
    }
    themes
}

/// The logs in a member.
fn logs(content: &MemberContent) -> impl Iterator<Item = &ScannedLog> {
    let framed = content.framed.iter().map(|framed| &framed.log);
    let session = content.session.iter().flat_map(|session| &session.logs).map(|part| &part.log);
    content.log.iter().chain(framed).chain(session)
}

/// Keeps of a member what takes no more than so many bytes, of a budget that is named; gives how many that are.
pub fn keep(content: &mut MemberContent, most: u64, budget: u64) -> u64 {
    let mut room = Room { left: most, over: false };
    content.parsed.records.retain_mut(|record| match record {
        Record::Table(table) => {
            let fits = !room.over;
            let each = weight::of_each_row(table);
            let rows = table.rows.iter().take_while(|row| room.take(each + weight::cells(row))).count();
            table.rows.truncate(rows);
            table.rows.shrink_to_fit();
            fits
        }
        record => room.take(weight::record(record)),
    });
    content.parsed.records.shrink_to_fit();
    if content.log.as_ref().is_some_and(|log| !room.take(weight::log(log))) {
        content.log = None;
    }
    content.framed.retain(|framed| room.take(weight::log(&framed.log)));
    if let Some(session) = &mut content.session {
        session.logs.retain(|part| room.take(weight::log(&part.log)));
    }
    let unread = content.parsed.unread.iter().take_while(|_| room.take(weight::UNREAD)).count();
    content.parsed.unread.truncate(unread);
    if room.over {
        say(content, budget);
    }
    most - room.left
}

/// Says once that something of a member was left out for the memory.
pub(crate) fn say(content: &mut MemberContent, budget: u64) {
    let limit = Limit::Memory(budget);
    if !content.limits_hit.contains(&limit) {
        content.limits_hit.push(limit.clone());
    }
    content.cut.get_or_insert(Cut::Limit(limit));
}

/// Bytes that the Events of a member take.
pub fn events(content: &MemberContent) -> u64 {
    content.parsed.records.iter().filter(|record| is_event(record)).map(weight::record).sum()
}

/// Leaves out Events until those that are left take no more than so many bytes of a budget that is named: first those
/// that say that all goes well, then whatever stands behind. Gives how many bytes the member takes less.
pub fn thin(content: &mut MemberContent, most: u64, budget: u64) -> u64 {
    let before = events(content);
    let is_normal = |record: &Record| matches!(record, Record::Object(object) if object.node.get("type").and_then(Node::as_str) == Some("Normal"));
    content.parsed.records.retain(|record| !is_event(record) || !is_normal(record));
    let mut room = Room { left: most, over: false };
    content.parsed.records.retain(|record| !is_event(record) || room.take(weight::record(record)));
    content.parsed.records.shrink_to_fit();
    say(content, budget);
    before - events(content)
}

fn is_event(record: &Record) -> bool {
    matches!(record, Record::Object(object) if weight::is_event(object))
}

/// What is left.
struct Room {
    left: u64,
    /// Something did not fit: nothing behind it is kept.
    over: bool,
}

impl Room {
    fn take(&mut self, weight: u64) -> bool {
        self.over |= weight > self.left;
        if !self.over {
            self.left -= weight;
        }
        !self.over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::member;
    use crate::scan::Literals;
    use facts::origin::MemberId;
    use intake::Limits;

    fn read(name: &str, text: &str) -> MemberContent {
        let literals = Literals::new(["no leader".to_owned()]);
        member::read(MemberId(0), name, &mut text.as_bytes(), &literals, &Limits::default())
    }

    fn documents() -> MemberContent {
        let one = |i: usize| format!("apiVersion: v1\nkind: Pod\nmetadata:\n  name: p{i}\n  namespace: shop\n");
        read("pods.yaml", &(0..50).map(one).collect::<Vec<_>>().join("---\n"))
    }

    #[test]
    fn what_fits_is_kept_as_it_is() {
        let whole = documents();
        let mut kept = whole.clone();
        assert_eq!(keep(&mut kept, weight(&whole), 1), weight(&whole));
        assert_eq!(kept, whole);
    }

    #[test]
    fn the_beginning_is_kept_and_the_rest_is_said() {
        let whole = documents();
        for share in [0, 1, 2, 5] {
            let mut kept = whole.clone();
            let most = weight(&whole) * share / 10;
            assert!(keep(&mut kept, most, 7) <= most);
            let count = kept.parsed.records.len();
            assert!(count < whole.parsed.records.len());
            assert_eq!(kept.parsed.records.as_slice(), &whole.parsed.records[..count]);
            assert_eq!(kept.cut, Some(Cut::Limit(Limit::Memory(7))));
            assert_eq!(kept.limits_hit, [Limit::Memory(7)]);
        }
    }

    #[test]
    fn of_too_many_events_those_that_warn_are_kept() {
        let one = |i: usize, kind: &str| {
            format!("apiVersion: v1\nkind: Event\ntype: {kind}\nmetadata:\n  name: e{i}\n  namespace: shop\n")
        };
        let kinds = ["Normal", "Warning", "Normal", "Normal", "Warning", "Warning"];
        let texts = kinds.iter().enumerate().map(|(i, kind)| one(i, kind)).collect::<Vec<_>>();
        let pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  namespace: shop\n";
        let whole = read("all.yaml", &format!("{}---\n{pod}", texts.join("---\n")));
        let mut kept = whole.clone();
        let each = events(&whole) / 6;
        let less = thin(&mut kept, 2 * each + each / 2, 7);
        assert_eq!(weight(&whole) - less, weight(&kept));
        let names: Vec<_> = { &kept.parsed.records }
            .iter()
            .filter_map(|record| if let Record::Object(object) = record { Some(object.name.as_str()) } else { None })
            .collect();
        assert_eq!(names, ["e1", "e4", "p"]);
        assert_eq!(kept.cut, Some(Cut::Limit(Limit::Memory(7))));
    }

    #[test]
    fn rows_and_logs_are_kept_as_far_as_they_fit() {
        let rows: String = (0..40).map(|i| format!("shop        p{i}     0/1     Pending   0          5d\n")).collect();
        let whole = read("pods.txt", &format!("NAMESPACE   NAME   READY   STATUS    RESTARTS   AGE\n{rows}"));
        let mut kept = whole.clone();
        keep(&mut kept, weight(&whole) / 2, 1);
        let [Record::Table(table)] = kept.parsed.records.as_slice() else { panic!("a table") };
        assert!((10..30).contains(&table.rows.len()), "{}", table.rows.len());
        let mut log = read("etcd.log", &"2026-01-01T00:00:00Z etcd: no leader\n".repeat(50));
        assert!(log.log.is_some());
        keep(&mut log, 100, 1);
        assert!(log.log.is_none() && log.cut.is_some());
    }
}
