//! When tables of kubectl were printed: an object's AGE and its `creationTimestamp`, which another member
//! shows, add up to the time at which the table was printed, to the precision of the age.
//!
//! Why by table: all rows of a table were printed at one time, so most of them must agree. The others are of
//! objects that were made anew under the same name between the table and the other member; they say nothing.
//!
//! Invariants: an object whose time of creation is not the same everywhere gives none; a table that shows an
//! object twice (`--watch`) was not printed at one time and gives none; no time is more precise than its rows.

use crate::as_of::{Candidate, Life, Rank, Witness};
use facts::event::Event;
use facts::human_duration;
use facts::human_duration::Age;
use facts::kind::KindName;
use facts::object::{Form, ObjectRecord};
use facts::origin::{Citation, MemberId};
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

/// A cell of the column AGE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgeCell {
    /// The object of its row.
    pub kind: KindName,
    /// Its namespace, if shown.
    pub namespace: Option<String>,
    pub name: String,
    /// The table: its member and its first line.
    pub table: (MemberId, u32),
    /// The line of the row.
    pub line: u32,
    /// The cell as printed.
    pub text: String,
    /// What it says.
    pub age: Age,
}

/// Rows with different times of creation that make a table sure of its time: that many objects are not made
/// anew at the same distances from each other.
const SURE: usize = 3;

/// The interval of a row: the table was printed at or after `from` and before `until`.
struct Row<'a> {
    from: Timestamp,
    until: Timestamp,
    created: Timestamp,
    cell: &'a AgeCell,
}

/// Namespace and time of creation of the objects of a kind, by name.
type ByName<'a> = BTreeMap<&'a str, Vec<(Option<&'a str>, Timestamp)>>;

/// The times at which tables were printed.
pub fn candidates(cells: &[AgeCell], records: &BTreeMap<KindName, Vec<ObjectRecord>>) -> Vec<Candidate> {
    let mut tables: BTreeMap<(MemberId, u32), Vec<&AgeCell>> = BTreeMap::new();
    for cell in cells {
        tables.entry(cell.table).or_default().push(cell);
    }
    let mut made: BTreeMap<&KindName, ByName<'_>> = BTreeMap::new();
    for kind in cells.iter().map(|cell| &cell.kind).collect::<BTreeSet<_>>() {
        let by_name = made.entry(kind).or_default();
        for record in records.get(kind).into_iter().flatten() {
            let text = record.node.at(&["metadata", "creationTimestamp"]).and_then(|node| node.as_str());
            if let Some(time) = text.and_then(facts::stamp::time_of) {
                by_name.entry(&record.name).or_default().push((record.namespace.as_deref(), time));
            }
        }
    }
    let created = |cell: &AgeCell| {
        let all = made.get(&cell.kind)?.get(cell.name.as_str())?;
        let own = cell.namespace.as_deref();
        let mut fitting = all.iter().filter(|(namespace, _)| own.is_none() || namespace.is_none() || own == *namespace);
        let first = fitting.next()?.1;
        fitting.all(|(_, time)| *time == first).then_some(first)
    };
    tables.into_values().filter_map(|cells| table(&cells, created)).collect()
}

/// Times before which no description was printed: an event in it is no older than its object, whose time of creation stands in the
/// same description, so both add up to a time that was over. Of a member that shows an object more than once with different
/// times nobody knows which its events belong to.
pub fn of_events(records: &BTreeMap<KindName, Vec<ObjectRecord>>) -> Vec<Candidate> {
    let all = records.get(&KindName::parse("events")).into_iter().flatten();
    let events: Vec<&ObjectRecord> = all.filter(|event| event.form == Form::TypedDescribe).collect();
    if events.is_empty() {
        return Vec::new();
    }
    let mut made: BTreeMap<(MemberId, &str, &str), BTreeSet<Timestamp>> = BTreeMap::new();
    for (kind, record) in records.iter().flat_map(|(kind, all)| all.iter().map(move |record| (kind, record))) {
        let text = record.node.at(&["metadata", "creationTimestamp"]).and_then(|node| node.as_str());
        if let Some(time) = text.and_then(facts::stamp::time_of) {
            made.entry((record.member, &*kind.plural, &record.name)).or_default().insert(time);
        }
    }
    let candidate = |event: &&ObjectRecord| {
        let cell = event.node.at(&["status", "kubectlLastSeen"])?.as_str()?;
        let about = Event::of(&event.node).about();
        let (plural, name) = (KindName::guess("", &about.kind?).plural, about.name?);
        let times = made.get(&(event.member, &*plural, &*name))?;
        let created = times.first().filter(|_| times.len() == 1)?;
        let age = SignedDuration::from_secs(human_duration::first_seen(cell)?.from);
        Some(Candidate {
            time: created.checked_add(age).ok()?,
            until: None,
            rank: Rank::Exact,
            life: Life::Quiet,
            is_log: false,
            stands_in: false,
            served: true,
            steady: false,
            witness: Witness::Thing(format!("events of {plural} {} {}", event.member.0, event.line)),
            source: "age of an event, and creationTimestamp of its object".to_owned(),
            citation: Some(Citation::line(event.member, event.line, cell)),
        })
    };
    events.iter().filter_map(candidate).collect()
}

/// The time of one table, if most of its rows agree on one.
fn table(cells: &[&AgeCell], created: impl Fn(&AgeCell) -> Option<Timestamp>) -> Option<Candidate> {
    let mut seen = BTreeSet::new();
    if !cells.iter().all(|cell| seen.insert((&cell.kind, &cell.namespace, &cell.name))) {
        return None;
    }
    let rows: Vec<Row<'_>> = cells
        .iter()
        .filter_map(|cell| {
            let created = created(cell)?;
            let after = |seconds| created.checked_add(SignedDuration::from_secs(seconds)).ok();
            Some(Row { from: after(cell.age.from)?, until: after(cell.age.until)?, created, cell })
        })
        .collect();
    // The latest moment in which the most rows agree begins where one of them does.
    let sorted = |of: fn(&Row<'_>) -> Timestamp| {
        let mut times: Vec<Timestamp> = rows.iter().map(of).collect();
        times.sort_unstable();
        times
    };
    let (begun, ended) = (sorted(|row| row.from), sorted(|row| row.until));
    let up_to = |times: &[Timestamp], time: Timestamp| times.partition_point(|other| *other <= time);
    let agree = |time: Timestamp| up_to(&begun, time).saturating_sub(up_to(&ended, time));
    let time = begun.iter().copied().max_by_key(|time| (agree(*time), *time))?;
    let agreeing: Vec<&Row<'_>> = rows.iter().filter(|row| row.from <= time && time < row.until).collect();
    if agreeing.len() * 2 <= rows.len() {
        return None;
    }
    let different = agreeing.iter().map(|row| row.created).collect::<BTreeSet<_>>().len();
    let until = agreeing.iter().map(|row| row.until).min();
    // The row that says it most closely is cited.
    let row = agreeing.iter().max_by_key(|row| (row.from, std::cmp::Reverse(row.cell.line)))?.cell;
    Some(Candidate {
        time,
        until,
        rank: Rank::Exact,
        life: match different {
            ..2 => Life::Quiet,
            2..SURE => Life::Live,
            _ => Life::Sure,
        },
        is_log: false,
        stands_in: false,
        served: false,
        steady: false,
        witness: Witness::Thing(format!("table {} {}", row.table.0.0, row.table.1)),
        source: "AGE of a table, and creationTimestamp of the same object".to_owned(),
        citation: Some(Citation::line(row.table.0, row.line, &row.text)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows as `name created age`; the time from which and until which the table was printed.
    fn printed(rows: &str) -> String {
        let kind = KindName::parse("pods");
        let mut records: Vec<ObjectRecord> = Vec::new();
        let mut cells = Vec::new();
        for (line, row) in (2..).zip(rows.lines()) {
            let words: Vec<&str> = row.split_whitespace().collect();
            let json = format!(
                r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}","namespace":"shop","creationTimestamp":"2026-05-01T{}Z"}}}}"#,
                words[0], words[1]
            );
            let limits = intake::Limits::default();
            for record in parse::manifest::read_json(MemberId(1), "", json.as_bytes(), &limits).records {
                if let facts::record::Record::Object(object) = record {
                    records.push(*object);
                }
            }
            cells.push(AgeCell {
                kind: kind.clone(),
                namespace: None,
                name: words[0].to_owned(),
                table: (MemberId(0), 1),
                line,
                text: words[2].to_owned(),
                age: human_duration::parse(words[2]).unwrap(),
            });
        }
        let found = candidates(&cells, &BTreeMap::from([(kind, records)]));
        let shown = found.iter().map(|c| format!("{} {} {:?}", c.time, c.until.unwrap(), c.life));
        shown.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn rows_narrow_each_other_down() {
        assert_eq!(printed("a 10:00:00 51m"), "2026-05-01T10:51:00Z 2026-05-01T10:52:00Z Quiet");
        assert_eq!(printed("a 10:00:00 51m\nb 10:00:40 51m"), "2026-05-01T10:51:40Z 2026-05-01T10:52:00Z Live");
        assert_eq!(
            printed("a 10:00:00 51m\nb 10:00:40 51m\nc 10:50:00 118s"),
            "2026-05-01T10:51:58Z 2026-05-01T10:51:59Z Sure"
        );
        // Two objects of the same second are as good as one.
        assert_eq!(printed("a 10:00:00 51m\nb 10:00:00 51m"), "2026-05-01T10:51:00Z 2026-05-01T10:52:00Z Quiet");
    }

    #[test]
    fn an_object_that_was_made_anew_says_nothing() {
        let rows = "a 08:00:00 171m\nb 08:00:20 171m\nc 10:00:00 170m";
        assert_eq!(printed(rows), "2026-05-01T10:51:20Z 2026-05-01T10:52:00Z Live");
        // Where there is no majority, nobody knows which of them it was.
        assert_eq!(printed("a 08:00:00 171m\nc 10:00:00 170m"), "");
        // A watched table, and an object of which two are known.
        assert_eq!(printed("a 10:00:00 51m\na 10:00:00 52m"), "");
        assert_eq!(printed("a 10:00:00 51m\na 10:30:00 51m"), "");
    }
}
