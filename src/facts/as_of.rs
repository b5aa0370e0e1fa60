//! The as-of clock of a context: the bundle's own "now", inferred from what it holds.
//!
//! Why inferred: most bundles do not say when they were collected, the times of their files are those of a
//! copy, and the machine's clock has nothing to do with them. Ages and klog's missing year need one.
//!
//! Invariants: what a collector states wins (without a zone it is read as UTC, and must lie within a day of
//! what the bundle's own stamps say); else the newest stamp that was written when something *happened*
//! counts, never an expiry, a due date or a file time; one stamp that lies more than an hour beyond those of
//! all other witnesses is a wrong clock, not a now. A time without a year is never a candidate.

use super::kind::KindName;
use super::log::{LineTime, Tally};
use super::node::{Node, Value};
use super::origin::{Citation, MemberId};
use super::store::AsOf;
use crate::parse::record::Stamp;
use jiff::{SignedDuration, Timestamp};

/// A time that may be the clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The time.
    pub time: Timestamp,
    /// How much it says.
    pub rank: Rank,
    /// An older stamp of an object that has a newer one: it may stand in for that one, and is no witness of
    /// its own.
    pub stands_in: bool,
    /// What it is, in words: `lastTimestamp of an Event`.
    pub source: String,
    /// Where it stands.
    pub citation: Option<Citation>,
}

/// How much a time says about when the bundle was collected. A higher one wins over any lower one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// Written without a zone, read as UTC.
    Civil,
    /// Written with its zone when something happened.
    Exact,
    /// The collector says that it collected then, and not in which zone: its own word, unless the stamps of
    /// the bundle lie farther away than any zone can explain.
    StatedCivil,
    /// The collector says that it collected then.
    Stated,
}

/// Beyond this distance from all others a stamp is alone.
const ALONE: SignedDuration = SignedDuration::from_hours(1);

/// Farther from UTC than this is no zone, whatever the collector's clock.
const ZONES: SignedDuration = SignedDuration::from_hours(24);

/// The clock, from all candidates of one context; `None` without any.
pub fn infer(candidates: &[Candidate]) -> Option<AsOf> {
    let ranks = [Rank::Stated, Rank::StatedCivil, Rank::Exact, Rank::Civil];
    let mut found = ranks.into_iter().filter_map(|rank| newest(candidates, rank));
    let mut chosen = found.next()?;
    if chosen.rank == Rank::StatedCivil
        && let Some(other) = found.next()
        && other.time.duration_since(chosen.time).abs() > ZONES
    {
        chosen = other;
    }
    Some(AsOf { time: chosen.time, source: chosen.source.clone(), citation: chosen.citation.clone() })
}

/// The newest trustworthy one of a rank.
fn newest(candidates: &[Candidate], rank: Rank) -> Option<&Candidate> {
    let mut ranked: Vec<&Candidate> = candidates.iter().filter(|c| c.rank == rank).collect();
    // Newest first; what else is equal is ordered by its text, so that the order of members means nothing.
    ranked.sort_by(|a, b| (b.time, &a.source, &a.citation).cmp(&(a.time, &b.source, &b.citation)));
    ranked.dedup();
    let first = ranked.first().copied()?;
    // With a single witness there are no others, and a collector needs none.
    let witnesses = ranked.iter().filter(|c| !c.stands_in).count();
    if witnesses < 2 || rank >= Rank::StatedCivil {
        return Some(first);
    }
    let second = ranked.get(1).copied()?;
    let is_alone = first.time.duration_since(second.time) > ALONE;
    // Only one is dropped: the second is not beyond all others, however far those are. What is dropped is
    // not replaced by older and older stamps until two agree; on a quiet cluster that would be days ago.
    Some(if is_alone { second } else { first })
}

/// The stamps of one object that say when something happened: its newest, and the newest of those more
/// than an hour older (so that one wrong stamp does not hide the right ones, nor confirm itself).
///
/// Items of a typed list name no kind of their own, so the kind is what the reader found.
pub fn candidates_of_object(kind: &KindName, node: &Node, citation: &Citation) -> Vec<Candidate> {
    let mut found: Vec<(Timestamp, u32, &'static str)> = Vec::new();
    let mut take = |node: Option<&Node>, source: &'static str| {
        if let Some(node) = node
            && let Some(time) = node.as_str().and_then(|text| text.parse::<Timestamp>().ok())
        {
            found.push((time, node.line, source));
        }
    };
    take(node.at(&["metadata", "creationTimestamp"]), "creationTimestamp");
    for entry in node.at(&["metadata", "managedFields"]).map_or(&[][..], Node::items) {
        take(entry.get("time"), "managedFields time");
    }
    match kind.plural.as_str() {
        "leases" => {
            take(node.at(&["spec", "renewTime"]), "renewTime of a Lease");
        }
        "events" => {
            // `core/v1` and `events.k8s.io/v1` name the same times differently.
            for field in ["lastTimestamp", "deprecatedLastTimestamp", "eventTime"] {
                take(node.field(field), "time of an Event");
            }
            take(node.at(&["series", "lastObservedTime"]), "time of an Event");
        }
        _ => {}
    }
    if let Some(status) = node.field("status") {
        conditions(status, 0, &mut take);
    }
    found.sort_by(|a, b| b.cmp(a));
    let Some(newest) = found.first().copied() else { return Vec::new() };
    let second = found.iter().copied().find(|(time, ..)| newest.0.duration_since(*time) > ALONE);
    [(Some(newest), false), (second, true)]
        .into_iter()
        .filter_map(|(found, stands_in)| found.map(|found| (found, stands_in)))
        .map(|((time, line, source), stands_in)| Candidate {
            time,
            rank: Rank::Exact,
            stands_in,
            source: source.to_owned(),
            citation: Some(Citation {
                line: if line > 0 { line } else { citation.line },
                excerpt: time.to_string(),
                ..citation.clone()
            }),
        })
        .collect()
}

/// Levels below `status` in which lists of conditions are looked for (binding statuses nest them).
const CONDITION_DEPTH: u32 = 6;

fn conditions<'a>(node: &'a Node, depth: u32, take: &mut impl FnMut(Option<&'a Node>, &'static str)) {
    if depth > CONDITION_DEPTH {
        return;
    }
    match &node.value {
        Value::Map(entries) => {
            for (key, child) in entries {
                if super::node::same_field(key, "conditions") {
                    for condition in child.items() {
                        for field in ["lastTransitionTime", "lastHeartbeatTime", "lastUpdateTime", "lastProbeTime"] {
                            take(condition.field(field), "time of a condition");
                        }
                    }
                } else {
                    conditions(child, depth + 1, take);
                }
            }
        }
        Value::List(items) => {
            for item in items {
                conditions(item, depth + 1, take);
            }
        }
        _ => {}
    }
}

/// The times at both ends of a log (some collectors print the newest line first). Lines without a year
/// give none.
pub fn candidates_of_log(member: MemberId, tally: &Tally) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = [tally.first, tally.last]
        .into_iter()
        .flatten()
        .filter_map(|time| {
            let rank = match time {
                LineTime::Exact(_) => Rank::Exact,
                LineTime::Civil(_) => Rank::Civil,
                LineTime::NoYear(_) => return None,
            };
            let time = time.resolve(None)?;
            let citation = Citation { member, line: 0, path: String::new(), excerpt: time.to_string() };
            Some(Candidate {
                time,
                rank,
                stands_in: false,
                source: "last time inside a log".to_owned(),
                citation: Some(citation),
            })
        })
        .collect();
    all.sort_by_key(|candidate| std::cmp::Reverse(candidate.time));
    // The two ends of one log are one witness.
    all.truncate(1);
    all
}

/// The time of collection, if the stamp is one and can be read.
pub fn candidate_of_stamp(stamp: &Stamp) -> Option<Candidate> {
    if stamp.what != "collected-at" {
        return None;
    }
    let (time, rank) = stated_time(stamp.text.trim())?;
    // A stated time without a zone is still the collector's own word.
    let rank = if rank == Rank::Civil { Rank::StatedCivil } else { Rank::Stated };
    Some(Candidate {
        time,
        rank,
        stands_in: false,
        source: "time of collection stated by the collector".to_owned(),
        citation: Some(stamp.citation.clone()),
    })
}

/// Times as collectors write them: RFC 3339, `date`, `date -R`, Go's `time.Time.String`.
fn stated_time(text: &str) -> Option<(Timestamp, Rank)> {
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some((time, Rank::Exact));
    }
    // Go adds a zone name and a monotonic reading, which say nothing new.
    let words: Vec<&str> = text.split_whitespace().collect();
    let head = words.get(..3).map_or_else(String::new, |words| words.join(" "));
    for (format, text) in [("%a, %d %b %Y %H:%M:%S %z", text), ("%Y-%m-%d %H:%M:%S%.f %z", &head)] {
        if let Ok(time) = Timestamp::strptime(format, text) {
            return Some((time, Rank::Exact));
        }
    }
    let utc = |civil: jiff::civil::DateTime| civil.to_zoned(jiff::tz::TimeZone::UTC).ok().map(|z| z.timestamp());
    // The abbreviations of other zones are ambiguous (IST, CST), so only UTC is believed.
    for zone in ["UTC", "GMT"] {
        if let Some(rest) = text.split_once(&format!(" {zone}")) {
            let joined = format!("{}{}", rest.0, rest.1);
            for format in ["%a %b %e %H:%M:%S %Y", "%a %d %b %Y %H:%M:%S", "%Y-%m-%d %H:%M:%S"] {
                if let Ok(civil) = jiff::civil::DateTime::strptime(format, &joined) {
                    return Some((utc(civil)?, Rank::Exact));
                }
            }
        }
    }
    let civil: jiff::civil::DateTime = text.parse().ok()?;
    Some((utc(civil)?, Rank::Civil))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, rank: Rank) -> Candidate {
        Candidate { time: text.parse().unwrap(), rank, stands_in: false, source: text.to_owned(), citation: None }
    }

    fn clock(candidates: &[Candidate]) -> String {
        infer(candidates).map_or_else(|| "-".to_owned(), |as_of| as_of.time.to_string())
    }

    #[test]
    fn the_newest_that_another_confirms() {
        let a = at("2026-05-01T10:00:00Z", Rank::Exact);
        let b = at("2026-05-01T10:30:00Z", Rank::Exact);
        let skewed = at("2026-05-03T00:00:00Z", Rank::Exact);
        assert_eq!(clock(&[]), "-");
        assert_eq!(clock(std::slice::from_ref(&a)), "2026-05-01T10:00:00Z");
        assert_eq!(clock(&[a.clone(), b.clone()]), "2026-05-01T10:30:00Z");
        assert_eq!(clock(&[skewed.clone(), a.clone(), b.clone()]), "2026-05-01T10:30:00Z");
        assert_eq!(clock(&[skewed, a.clone()]), "2026-05-01T10:00:00Z");
        let stated = at("2026-05-01T09:00:00Z", Rank::Stated);
        assert_eq!(clock(&[a, b, stated]), "2026-05-01T09:00:00Z");
    }

    #[test]
    fn one_stamp_counts_and_only_one_is_ever_dropped() {
        let exact = |text: &str| at(text, Rank::Exact);
        let stand_in = |text: &str| Candidate { stands_in: true, ..at(text, Rank::Exact) };
        // One witness, though its object was made long before.
        assert_eq!(clock(&[exact("2026-05-01T10:00:00Z")]), "2026-05-01T10:00:00Z");
        assert_eq!(clock(&[exact("2026-05-01T10:00:00Z"), stand_in("2026-04-01T10:00:00Z")]), "2026-05-01T10:00:00Z");
        // Two: an hour apart they agree, beyond it the newest is alone.
        assert_eq!(clock(&[exact("2026-05-01T09:00:00Z"), exact("2026-05-01T10:00:00Z")]), "2026-05-01T10:00:00Z");
        assert_eq!(clock(&[exact("2026-05-01T08:59:59Z"), exact("2026-05-01T10:00:00Z")]), "2026-05-01T08:59:59Z");
        // A stamp may be all that confirms an older stamp of another object.
        let (skewed, right) = (exact("2026-06-01T00:00:00Z"), stand_in("2026-05-01T10:00:00Z"));
        assert_eq!(clock(&[skewed.clone(), right, exact("2026-05-01T07:00:00Z")]), "2026-05-01T10:00:00Z");
        // Many, of which no two are near each other.
        let quiet = [exact("2026-05-01T10:00:00Z"), exact("2026-04-30T10:00:00Z"), exact("2026-04-30T09:59:00Z")];
        assert_eq!(clock(&[&quiet[..], &[skewed]].concat()), "2026-05-01T10:00:00Z");
        // The same stamp at the same place, read twice, confirms nothing.
        let twice = [exact("2026-06-01T00:00:00Z"), exact("2026-06-01T00:00:00Z"), exact("2026-05-01T10:00:00Z")];
        assert_eq!(clock(&twice), "2026-05-01T10:00:00Z");
    }

    #[test]
    fn a_collector_without_a_zone_is_believed_within_a_day() {
        let stated = at("2026-05-01T18:00:00Z", Rank::StatedCivil);
        let near = [at("2026-05-01T10:00:00Z", Rank::Exact), at("2026-05-01T09:59:00Z", Rank::Exact)];
        assert_eq!(clock(std::slice::from_ref(&stated)), "2026-05-01T18:00:00Z");
        assert_eq!(clock(&[&near[..], std::slice::from_ref(&stated)].concat()), "2026-05-01T18:00:00Z");
        let far = [at("2026-05-03T10:00:00Z", Rank::Exact), at("2026-05-03T09:59:00Z", Rank::Exact)];
        assert_eq!(clock(&[&far[..], std::slice::from_ref(&stated)].concat()), "2026-05-03T10:00:00Z");
        assert_eq!(clock(&[stated.clone(), at("2026-05-03T10:00:00Z", Rank::Civil)]), "2026-05-03T10:00:00Z");
        // One that is alone says nothing against the collector.
        let skewed = at("2027-05-03T10:00:00Z", Rank::Exact);
        assert_eq!(clock(&[&near[..], &[stated.clone(), skewed]].concat()), "2026-05-01T18:00:00Z");
        let zoned = at("2026-05-01T12:00:00Z", Rank::Stated);
        assert_eq!(clock(&[stated, zoned]), "2026-05-01T12:00:00Z");
        let stamp = |text: &str| {
            let citation = Citation::line(MemberId(0), 1, text);
            candidate_of_stamp(&Stamp { what: "collected-at", text: text.into(), citation }).map(|c| c.rank)
        };
        assert_eq!(stamp("2026-05-01 18:00:00"), Some(Rank::StatedCivil));
        assert_eq!(stamp("2026-05-01T18:00:00Z"), Some(Rank::Stated));
        assert_eq!(stamp("yesterday"), None);
    }

    #[test]
    fn items_of_a_typed_list_of_leases() {
        let json = r#"{"metadata":{"name":"cp-1","namespace":"kube-node-lease"},"spec":{"renewTime":"2026-05-01T12:00:00.123456Z"}}"#;
        let node = crate::parse::json::to_node(json, 1, 100).unwrap();
        let place = Citation::line(MemberId(0), 1, "x");
        let times = |kind: &str| candidates_of_object(&KindName::parse(kind), &node, &place).len();
        assert_eq!((times("leases.coordination.k8s.io"), times("kubeadmconfigs.bootstrap.cluster.x-k8s.io")), (1, 0));
    }

    #[test]
    fn times_without_a_zone_come_last() {
        let civil = at("2026-05-01T18:00:00Z", Rank::Civil);
        let exact = at("2026-05-01T10:00:00Z", Rank::Exact);
        assert_eq!(clock(&[civil.clone(), exact]), "2026-05-01T10:00:00Z");
        assert_eq!(clock(&[civil]), "2026-05-01T18:00:00Z");
    }

    #[test]
    fn expiries_and_due_dates_are_no_candidates() {
        let json = r#"{"kind":"KubeadmConfig","metadata":{"creationTimestamp":"2026-05-01T10:00:00Z",
            "deletionTimestamp":"2026-06-01T10:00:00Z",
            "annotations":{"machine.cluster.x-k8s.io/certificates-expiry":"2027-05-01T10:00:00Z"}},
            "spec":{"notAfter":"2030-01-01T00:00:00Z","renewTime":"2031-01-01T00:00:00Z"},
            "status":{"expirationTimestamp":"2028-01-01T00:00:00Z",
              "conditions":[{"type":"Ready","lastTransitionTime":"2026-05-01T12:00:00Z"}]}}"#;
        let node = crate::parse::json::to_node(json, 1, 100).unwrap();
        let kind = KindName::parse("kubeadmconfigs.bootstrap.cluster.x-k8s.io");
        let all = candidates_of_object(&kind, &node, &Citation::line(MemberId(0), 1, "x"));
        let shown: Vec<String> = all.iter().map(|c| format!("{} {}", c.time, c.source)).collect();
        assert_eq!(shown, ["2026-05-01T12:00:00Z time of a condition", "2026-05-01T10:00:00Z creationTimestamp"]);
        assert_eq!(all[0].citation.as_ref().map(|c| c.line), Some(6));
        assert_eq!((all[0].stands_in, all[1].stands_in), (false, true));
    }

    #[test]
    fn both_forms_of_an_event() {
        for json in [
            r#"{"kind":"Event","reason":"x","lastTimestamp":"2026-05-01T12:00:00Z","eventTime":null}"#,
            r#"{"kind":"Event","reason":"x","deprecatedLastTimestamp":null,"series":{"lastObservedTime":"2026-05-01T12:00:00.000000Z"}}"#,
        ] {
            let node = crate::parse::json::to_node(json, 1, 100).unwrap();
            let kind = KindName::parse("events.events.k8s.io");
            let all = candidates_of_object(&kind, &node, &Citation::line(MemberId(0), 1, "x"));
            assert_eq!(all.len(), 1, "{json}");
        }
    }

    #[test]
    fn times_as_collectors_state_them() {
        for text in [
            "2026-11-21T11:05:00Z",
            "2026-11-21T12:05:00+01:00",
            "Sat Nov 21 11:05:00 UTC 2026",
            "Sat, 21 Nov 2026 12:05:00 +0100",
            "2026-11-21 11:05:00.0 +0000 UTC",
            "2026-11-21 11:05:00",
        ] {
            assert_eq!(stated_time(text).map(|t| t.0.to_string()).as_deref(), Some("2026-11-21T11:05:00Z"), "{text}");
        }
        assert_eq!(stated_time("Sat Nov 21 11:05:00 CST 2026"), None);
    }
}
