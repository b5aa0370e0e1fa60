//! The as-of clock of a context: the bundle's own "now", inferred from what it holds.
//!
//! Why inferred: most bundles do not say when they were collected, the times of their files are those of a
//! copy, and the machine's clock has nothing to do with them. Ages and klog's missing year need one.
//!
//! What counts, and how closely it is known ([`Precision`]):
//!
//! 1. What a collector states wins. Without a zone it is read as UTC, and must lie within a day of what the
//!    bundle's own stamps say.
//! 2. Else the newest that is trustworthy of: stamps in objects ([`stamps`]), times at which tables were printed
//!    ([`ages`]), ends of logs that state date and zone. Never an expiry, a due date or a file time.
//! 3. The end of a log without year or zone raises nothing, unless its program is known to write in UTC (`utc` in
//!    `patterns/sources.yaml`): a container that was given the zone of its host writes
//!    one or more hours ahead, and a clock that is an hour late makes certificates expired and young Machines stuck.
//!    Where the end of a container's log is up to an hour later, it is kept beside the clock ([`AsOf::logs`]) for
//!    the ages of other lines alone. Programs that run on a node itself print local time, and do not say of which zone.
//!    Unless it is farther ahead, or by another time than that of a zone, and nothing tells when the objects were read: then the
//!    other log stopped before.
//! 4. Where there is nothing else, the end of a log with a date and without a zone, read as UTC; the clock then
//!    says so ([`Precision::Unzoned`]).
//! 5. Where nothing but objects that change seldom tell a time, what they tell is a lower bound alone
//!    ([`Precision::Quiet`]): a condition is at least so old, and nobody knows that it is young.
//! 6. A day that somebody noted at the top of a ticket, or a clock without its zone, is a lower bound where all of that is older, and
//!    the end of a log of that day tells it more closely. Beside what renews itself it counts for nothing: that says when the
//!    objects were read, and a ticket may be written days later.
//!
//! **Whom to trust.** A clock that runs ahead must not become the now of a healthy cluster. All that one machine
//! says is one witness: its Node, its Lease, its Pods, its logs. A newest witness that is more than an hour
//! beyond all others is alone. It is dropped if another witness renews itself all the time (a Lease, a heartbeat), for
//! that one would be as young; or if it is one stamp that nothing renews, and no log agrees with it. A witness that
//! renews itself, and is the only one to do so, is kept: everything else in the bundle only says when something last
//! changed. Only one witness is ever dropped; the second is not beyond all others, however far those are.
//!
//! Objects and logs are not collected at one time. Where heartbeats or ages of objects say when the objects were
//! read, that is kept beside the clock ([`AsOf::objects`]), and the ages of what objects say are measured against
//! it: a log that was fetched half an hour later makes no heartbeat stale.

pub mod ages;
pub mod stamps;

use facts::origin::Citation;
use facts::store::{AsOf, Precision};
use facts::zone;
use jiff::{SignedDuration, Timestamp};
use std::cmp::{Ordering, Reverse};

/// A time that may be the clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub time: Timestamp,
    /// It was collected before this, if that is known.
    pub until: Option<Timestamp>,
    /// How much it says.
    pub rank: Rank,
    /// Whether it would have been newer if the bundle had been collected later.
    pub life: Life,
    /// It is the end of a log, which may have been collected later than the objects.
    pub is_log: bool,
    /// An older stamp of an object that has a newer one: it may stand in for that one, and is no witness of
    /// its own.
    pub stands_in: bool,
    /// It is the end of a log that tells of something every few minutes.
    pub steady: bool,
    /// The API server wrote it, in UTC and by its own clock, when it was asked to make the object, or it is of soon after that, or
    /// of a machine whose clock agrees with it, or of a controller beside it: none that runs ahead stands behind it.
    pub served: bool,
    /// Whose clock it is.
    pub witness: Witness,
    /// What it is, in words: `lastTimestamp of an Event`.
    pub source: String,
    /// Where it stands.
    pub citation: Option<Citation>,
}

impl Candidate {
    /// Is it known that the bundle was collected no later than this after it?
    pub(crate) fn is_within(&self, span: SignedDuration) -> bool {
        self.until.is_some_and(|until| until.duration_since(self.time) <= span)
    }
}

/// How much a time says about when the bundle was collected. A higher one wins over any lower one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// Written without a year, or without a zone by a program that runs on a node: no candidate by itself.
    NoYear,
    /// The first moment of a day that somebody noted above what he pasted: where nothing later is known, it was collected after it.
    Day,
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

/// Whether a stamp is renewed all the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Life {
    /// Written once, when something changed: on a quiet cluster that was days ago.
    Quiet,
    /// Renewed all the time by an agent of another cluster. Of those that are gone the last one stands still, and there may be
    /// no more than two: it speaks against nothing.
    Agent,
    /// Renewed every few seconds or minutes: a heartbeat, a Lease.
    Live,
    /// As many objects confirm it as no accident could: it is never dropped.
    Sure,
}

/// Whose clock wrote a time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Witness {
    /// That of a node.
    Machine(String),
    /// That of whatever wrote this object or this log.
    Thing(String),
}

/// Beyond this distance from all others a witness is alone.
pub(crate) const ALONE: SignedDuration = SignedDuration::from_hours(1);

/// Farther from UTC than this is no zone, whatever the collector's clock.
const ZONES: SignedDuration = SignedDuration::from_hours(24);

/// The farthest that a zone is ahead of UTC.
const WIDEST: SignedDuration = SignedDuration::from_secs(zone::FARTHEST_AHEAD);

/// A line without a year that is so far beyond a clock is taken for one of the year before.
const MONTH: SignedDuration = SignedDuration::from_hours(31 * 24);

/// The clock, from all candidates of one context; `None` without any. `raising` gives the ends of logs without
/// year or zone, given a clock to resolve them by, and `all` those of programs on nodes as well, which print local time;
/// `after` the newest end of those without a year that are no older than a time.
pub(crate) fn infer(
    candidates: &[Candidate],
    (raising, all): (impl Fn(Timestamp) -> Vec<Candidate>, impl Fn(Timestamp) -> Vec<Candidate>),
    after: impl Fn(Timestamp) -> Option<Timestamp>,
) -> Option<AsOf> {
    let known = of_times(candidates, (raising, &all), after);
    let noted = candidates.iter().filter(|c| c.rank == Rank::Day).min_by(|a, b| by_age(a, b));
    let Some(day) = noted.filter(|day| known.as_ref().is_none_or(|known| known.time < day.time)) else { return known };
    // A ticket may be written days after its objects were read.
    if candidates.iter().any(|c| is_live(c) || c.rank >= Rank::StatedCivil) {
        return known;
    }
    // Whoever notes a day pastes what is of that day, and the end of a log tells it more closely.
    let is_of_day = |end: &Candidate| end.time >= day.time && end.time.duration_since(day.time) <= ZONES + ZONES;
    match all(day.time).into_iter().filter(is_of_day).min_by(by_age) {
        Some(end) => Some(as_of(&end, Precision::OrLater, None, None)),
        None => Some(as_of(day, Precision::Quiet, None, None)),
    }
}

/// Does it renew itself, or did a table show its age closely? Then it tells when the objects were read.
fn is_live(candidate: &Candidate) -> bool {
    candidate.life >= Life::Agent || candidate.is_within(ALONE)
}

/// The clock from times alone, without the days that somebody noted.
fn of_times(
    candidates: &[Candidate],
    (raising, all): (impl Fn(Timestamp) -> Vec<Candidate>, impl Fn(Timestamp) -> Vec<Candidate>),
    after: impl Fn(Timestamp) -> Option<Timestamp>,
) -> Option<AsOf> {
    let of_rank = |rank: Rank| candidates.iter().filter(|c| c.rank == rank).collect::<Vec<_>>();
    // Such a log is no candidate, but what it agrees with is not alone.
    let confirms = |first: &Candidate| {
        let near = |c: &Candidate| c.witness != first.witness && c.time.duration_since(first.time).abs() <= ALONE;
        raising(first.time).iter().any(near)
    };
    let exact = of_rank(Rank::Exact);
    let inferred = newest(&exact, confirms).or_else(|| newest(&of_rank(Rank::Civil), |_| false)).cloned();
    let logs = inferred.as_ref().and_then(|base| {
        let near = |c: &Candidate| base.time < c.time && c.time.duration_since(base.time) <= ALONE;
        raising(base.time).into_iter().filter(near).map(|c| c.time).max()
    });
    if let Some(stated) = newest(&of_rank(Rank::Stated), |_| false) {
        return Some(as_of(stated, Precision::Stated, None, None));
    }
    if let Some(stated) = newest(&of_rank(Rank::StatedCivil), |_| false)
        && inferred.as_ref().is_none_or(|other| other.time.duration_since(stated.time).abs() <= ZONES)
    {
        return Some(as_of(stated, Precision::Stated, None, None));
    }
    let mut chosen = inferred?;
    if let Some(later) = beyond_zones(&chosen, candidates, &all) {
        chosen = later;
    }
    let civil = newest(&of_rank(Rank::Civil), |_| false).cloned();
    // One stamp of long ago says less than the end of a log, though that may be in another zone.
    let is_stale = |chosen: &Candidate| chosen.rank == Rank::Exact && chosen.life == Life::Quiet && !chosen.is_log;
    let is_later = |end: &Candidate| is_stale(&chosen) && end.is_log && end.time.duration_since(chosen.time) > ZONES;
    if let Some(end) = civil.filter(is_later)
        && !candidates.iter().any(|c| c.life >= Life::Agent)
    {
        chosen = end;
    }
    let precision = match chosen.until {
        _ if chosen.rank == Rank::Civil => Precision::Unzoned,
        None => Precision::OrLater,
        Some(own) if logs.is_some_and(|logs| own <= logs) => Precision::OrLater,
        Some(own) => {
            // Tables whose time was printed less closely narrow nothing down, those that say it closer do.
            let others = candidates.iter().filter(|c| c.time <= chosen.time).filter_map(|c| c.until);
            Precision::Before(others.filter(|until| *until > chosen.time).min().unwrap_or(own))
        }
    };
    let of_objects: Vec<&Candidate> = exact.into_iter().filter(|c| !c.is_log).collect();
    let read = newest(&of_objects, confirms).filter(|found| {
        // An age in days tells nothing beside the end of a log.
        let is_renewed = |c: &Candidate| match c.life {
            Life::Quiet => false,
            // That of an agent that is gone stands still; a log that goes on for long shows it.
            Life::Agent => !chosen.is_log || chosen.time.duration_since(c.time) <= ALONE,
            Life::Live | Life::Sure => true,
        };
        let tells = |c: &Candidate| is_renewed(c) || c.until.is_some() && !chosen.is_log || c.is_within(ALONE);
        let near = |c: &Candidate| found.time.duration_since(c.time).abs() <= ALONE;
        of_objects.iter().any(|c| tells(c) && near(c))
    });
    let read = read.map(|found| found.time.min(chosen.time));
    // Of an object that last changed days ago nobody knows when it was read.
    let quiet = precision == Precision::OrLater && read.is_none() && !chosen.is_log && logs.is_none();
    let precision = if quiet { Precision::Quiet } else { precision };
    // Nothing is known but that it was later: a log without a year that ends months after that is not one of a year before.
    // Whose zone it has does not matter there, which it would to tell hours.
    let logs = if quiet { after(chosen.time).filter(|end| end.duration_since(chosen.time) > MONTH) } else { logs };
    Some(as_of(&chosen, precision, read, logs))
}

/// The end of a log without year or zone that goes on for so much longer than all that states its zone that no zone explains
/// it: those are whole or half hours apart. The one stopped, and the other went on.
fn beyond_zones(
    chosen: &Candidate,
    candidates: &[Candidate],
    ends: &impl Fn(Timestamp) -> Vec<Candidate>,
) -> Option<Candidate> {
    // What renews itself, or was read in a table, tells when the objects were read.
    let is_read = |c: &Candidate| c.life >= Life::Agent || c.until.is_some();
    if chosen.rank != Rank::Exact || candidates.iter().any(is_read) {
        return None;
    }
    let is_beyond = |end: &Candidate| {
        let ahead = end.time.duration_since(chosen.time);
        // Where a program says little, nobody knows how long before the bundle its last word was.
        let is_zone = ahead <= WIDEST && (!end.steady || zone::is_between_zones(ahead.as_secs()));
        ahead > ALONE && ahead <= MONTH && !is_zone
    };
    ends(chosen.time).into_iter().filter(is_beyond).min_by(by_age)
}

fn as_of(chosen: &Candidate, precision: Precision, objects: Option<Timestamp>, logs: Option<Timestamp>) -> AsOf {
    let (source, citation) = (chosen.source.clone(), chosen.citation.clone());
    AsOf { time: chosen.time, source, citation, precision, objects, logs }
}

/// Newest first; what else is equal is ordered by its text and then by all the rest, so that the order of members
/// means nothing.
fn by_age(a: &Candidate, b: &Candidate) -> Ordering {
    let rest = |c: &Candidate| (Reverse((c.until, c.life, c.rank)), c.is_log, c.stands_in);
    (b.time, &a.source, &a.citation)
        .cmp(&(a.time, &b.source, &b.citation))
        .then_with(|| rest(a).cmp(&rest(b)))
        .then_with(|| a.witness.cmp(&b.witness))
}

/// The newest trustworthy one of candidates of one rank; `confirms` says whether anything else agrees with it. They are
/// not put in order for that: each object of a cluster gives one or two.
fn newest<'c>(ranked: &[&'c Candidate], confirms: impl Fn(&Candidate) -> bool) -> Option<&'c Candidate> {
    let first = ranked.iter().copied().min_by(|a, b| by_age(a, b))?;
    // With a single witness there are no others, and a collector needs none.
    let others = || ranked.iter().filter(|c| c.witness != first.witness);
    let mut witnesses = others().filter(|c| !c.stands_in).peekable();
    if witnesses.peek().is_none() || first.rank >= Rank::StatedCivil || first.life == Life::Sure {
        return Some(first);
    }
    let near = |c: &Candidate| first.time.duration_since(c.time) <= ALONE;
    // A table that shows ages in days may have been printed at any time of a day.
    let may_be_near = |c: &Candidate| c.until.is_some_and(|until| first.time.duration_since(until) <= ALONE);
    let is_contradicted = witnesses.any(|c| c.life >= Life::Live && !may_be_near(c));
    // Two logs of one machine are no accident; two readings of one object are. The only log of a bundle beside objects that
    // last changed long ago says when it was written.
    let confirms_itself = || {
        let own = |c: &&&Candidate| c.is_log && c.witness == first.witness && c.citation != first.citation && near(c);
        let is_only_log = || first.is_log && !ranked.iter().any(|c| c.is_log && c.witness != first.witness);
        first.life >= Life::Agent || is_only_log() || first.is_log && ranked.iter().any(|c| own(&c))
    };
    // What a controller wrote is no later than a table that may have been printed after it.
    let is_held = || {
        let holds = |c: &&&Candidate| c.time <= first.time && c.until.is_some_and(|until| first.time < until);
        matches!(first.witness, Witness::Thing(_)) && !first.is_log && others().any(|c| holds(&c))
    };
    let agrees = || first.served || is_held() || confirms_itself() || confirms(first);
    if others().any(|c| near(c)) || !is_contradicted && agrees() {
        return Some(first);
    }
    // What is dropped is not replaced by older and older stamps until two agree; on a quiet cluster that would
    // be days ago. But what else that machine wrote ahead of all others goes with it.
    let limit = others().map(|c| c.time).max()?;
    let goes = |c: &Candidate| {
        let is_machine = matches!(c.witness, Witness::Machine(_));
        c.witness == first.witness && (is_machine || !c.stands_in) && c.time.duration_since(limit) > ALONE
    };
    ranked.iter().copied().filter(|c| !goes(c)).min_by(|a, b| by_age(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::as_of::stamps::candidate_of_stamp;
    use facts::origin::MemberId;
    use facts::record::Stamp;
    use proptest::prelude::*;

    fn at(text: &str, rank: Rank) -> Candidate {
        Candidate {
            time: text.parse().unwrap(),
            until: None,
            rank,
            life: Life::Quiet,
            is_log: false,
            stands_in: false,
            served: false,
            steady: false,
            witness: Witness::Thing(text.to_owned()),
            source: text.to_owned(),
            citation: None,
        }
    }

    fn nothing(_: Timestamp) -> Vec<Candidate> {
        Vec::new()
    }

    fn clock(candidates: &[Candidate]) -> String {
        infer(candidates, (nothing, nothing), |_| None).map_or_else(|| "-".to_owned(), |as_of| as_of.time.to_string())
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
    fn a_day_that_somebody_noted_is_a_lower_bound_alone() {
        let day = at("2026-09-13T10:00:00Z", Rank::Day);
        let june = at("2026-06-16T08:44:09Z", Rank::Exact);
        let later = at("2026-09-20T00:00:00Z", Rank::Exact);
        let lease = Candidate { life: Life::Live, ..june.clone() };
        assert_eq!(clock(std::slice::from_ref(&day)), "2026-09-13T10:00:00Z");
        assert_eq!(clock(&[day.clone(), june.clone()]), "2026-09-13T10:00:00Z");
        assert_eq!(clock(&[day.clone(), later]), "2026-09-20T00:00:00Z");
        // What renews itself says when the objects were read: the ticket was written later.
        assert_eq!(clock(&[day.clone(), lease]), "2026-06-16T08:44:09Z");
        // The end of a log of that day tells it more closely; one of another day does not.
        let with_end = |end: &str| {
            let ends = |_: Timestamp| vec![Candidate { is_log: true, ..at(end, Rank::NoYear) }];
            let found = infer(&[day.clone(), june.clone()], (nothing, ends), |_| None);
            found.map(|as_of| as_of.time.to_string()).unwrap_or_default()
        };
        assert_eq!(with_end("2026-09-14T07:02:12Z"), "2026-09-14T07:02:12Z");
        assert_eq!(with_end("2026-09-16T07:02:12Z"), "2026-09-13T10:00:00Z");
        assert_eq!(with_end("2026-09-01T07:02:12Z"), "2026-09-13T10:00:00Z");
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
            candidate_of_stamp(&Stamp { what: facts::record::Stated::CollectedAt, text: text.into(), citation })
                .map(|c| c.rank)
        };
        assert_eq!(stamp("2026-05-01 18:00:00"), Some(Rank::StatedCivil));
        assert_eq!(stamp("2026-05-01T18:00:00Z"), Some(Rank::Stated));
        assert_eq!(stamp("yesterday"), None);
    }

    #[test]
    fn one_stamp_of_long_ago_is_no_clock_beside_a_log() {
        let old = at("2021-02-03T10:00:00Z", Rank::Exact);
        let end = |rank: Rank| Candidate {
            is_log: true,
            witness: Witness::Thing("log".to_owned()),
            ..at("2026-05-01T18:00:00Z", rank)
        };
        assert_eq!(clock(&[old.clone(), end(Rank::Exact)]), "2026-05-01T18:00:00Z");
        assert_eq!(clock(&[old.clone(), end(Rank::Civil)]), "2026-05-01T18:00:00Z");
        let after = |bound: Timestamp| Some(bound.checked_add(SignedDuration::from_hours(24 * 200)).unwrap());
        let found = infer(std::slice::from_ref(&old), (nothing, nothing), after).unwrap();
        assert_eq!(
            (found.time.to_string(), found.logs.map(|time| time.to_string())),
            ("2021-02-03T10:00:00Z".to_owned(), Some("2021-08-22T10:00:00Z".to_owned()))
        );
    }

    #[test]
    fn a_log_without_a_year_that_goes_on_is_the_clock_unless_it_may_be_in_another_zone() {
        let dated = Candidate { is_log: true, ..at("2026-11-26T15:41:56Z", Rank::Exact) };
        let clock_of = |end: &str, steady: bool, more: &[Candidate]| {
            let end = Candidate { is_log: true, steady, ..at(end, Rank::NoYear) };
            let all = [std::slice::from_ref(&dated), more].concat();
            infer(&all, (nothing, |_| vec![end.clone()]), |_| None).unwrap().time.to_string()
        };
        let clock = |end: &str, more: &[Candidate]| clock_of(end, true, more);
        assert_eq!(clock("2026-11-27T00:20:00Z", &[]), "2026-11-27T00:20:00Z");
        // It may have been silent for some minutes, eight hours ahead.
        assert_eq!(clock_of("2026-11-27T00:20:00Z", false, &[]), "2026-11-26T15:41:56Z");
        assert_eq!(clock("2026-11-28T15:41:00Z", &[]), "2026-11-28T15:41:00Z");
        // Eight hours ahead, within a minute; and a heartbeat tells when it was.
        assert_eq!(clock("2026-11-26T23:42:10Z", &[]), "2026-11-26T15:41:56Z");
        assert_eq!(clock("2026-11-27T00:20:00Z", &[live("2026-11-26T15:42:00Z", "a")]), "2026-11-26T15:42:00Z");
    }

    #[test]
    fn the_agent_of_a_cluster_that_is_gone_contradicts_none() {
        let agent = |text: &str| Candidate { life: Life::Agent, ..at(text, Rank::Exact) };
        let quiet = [at("2026-02-17T10:02:03Z", Rank::Exact), at("2026-02-17T10:02:08Z", Rank::Exact)];
        let beats = [agent("2026-09-16T04:11:52Z"), agent("2026-09-15T20:20:01Z")];
        assert_eq!(clock(&[&quiet[..], &beats].concat()), "2026-09-16T04:11:52Z");
    }

    #[test]
    fn a_log_that_goes_on_for_long_tells_that_an_agent_stands_still() {
        let beat = Candidate { life: Life::Agent, ..at("2026-05-14T06:09:31Z", Rank::Exact) };
        let end = |text: &str| Candidate { is_log: true, ..at(text, Rank::Exact) };
        assert_eq!(objects(std::slice::from_ref(&beat)), "2026-05-14T06:09:31Z");
        assert_eq!(objects(&[beat.clone(), end("2026-05-14T06:40:00Z")]), "2026-05-14T06:09:31Z");
        assert_eq!(objects(&[beat, end("2026-05-14T13:10:58Z")]), "-");
    }

    #[test]
    fn times_without_a_zone_come_last() {
        let civil = at("2026-05-01T18:00:00Z", Rank::Civil);
        let exact = at("2026-05-01T10:00:00Z", Rank::Exact);
        assert_eq!(clock(&[civil.clone(), exact]), "2026-05-01T10:00:00Z");
        assert_eq!(clock(&[civil]), "2026-05-01T18:00:00Z");
    }

    fn live(text: &str, witness: &str) -> Candidate {
        Candidate { life: Life::Live, ..of(text, witness) }
    }

    fn of(text: &str, machine: &str) -> Candidate {
        Candidate { witness: Witness::Machine(machine.to_owned()), ..at(text, Rank::Exact) }
    }

    fn log(text: &str, machine: &str) -> Candidate {
        Candidate { is_log: true, citation: Some(Citation::line(MemberId(7), 0, text)), ..of(text, machine) }
    }

    /// When the objects were read.
    fn objects(candidates: &[Candidate]) -> String {
        let found = infer(candidates, (nothing, nothing), |_| None);
        found.and_then(|as_of| as_of.objects).map_or_else(|| "-".to_owned(), |time| time.to_string())
    }

    #[test]
    fn a_machine_with_a_wrong_clock_is_one_witness() {
        let right = [live("2026-05-01T10:00:00Z", "a"), live("2026-05-01T10:00:09Z", "b")];
        // Its Node, its Lease, its Pods, and two of its logs.
        let wrong = [
            live("2026-05-01T13:00:00Z", "c"),
            of("2026-05-01T12:58:00Z", "c"),
            Candidate { stands_in: true, ..of("2026-05-01T11:30:00Z", "c") },
            log("2026-05-01T13:00:02Z", "c"),
            log("2026-05-01T13:00:04Z", "c"),
        ];
        assert_eq!(clock(&[&right[..], &wrong].concat()), "2026-05-01T10:00:09Z");
        // With nobody to contradict it, it is the clock.
        assert_eq!(clock(&wrong), "2026-05-01T13:00:04Z");
        assert_eq!(clock(&[&wrong[..], &[at("2026-04-01T00:00:00Z", Rank::Exact)]].concat()), "2026-05-01T13:00:04Z");
    }

    #[test]
    fn what_beats_is_contradicted_only_by_what_beats() {
        let quiet = [at("2026-03-02T08:40:00Z", Rank::Exact), at("2026-03-02T08:11:00Z", Rank::Exact)];
        let beat = live("2026-03-04T09:40:00Z", "a");
        assert_eq!(clock(&[&quiet[..], std::slice::from_ref(&beat)].concat()), "2026-03-04T09:40:00Z");
        let other = live("2026-03-02T09:00:00Z", "b");
        assert_eq!(clock(&[&quiet[..], &[beat, other]].concat()), "2026-03-02T09:00:00Z");
        // A stamp that does not beat is one stamp.
        let lone = at("2026-03-04T09:40:00Z", Rank::Exact);
        assert_eq!(clock(&[&quiet[..], &[lone]].concat()), "2026-03-02T08:40:00Z");
    }

    #[test]
    fn logs_of_a_later_day_make_no_heartbeat_stale() {
        let beats = [live("2026-05-01T10:00:00Z", "a"), live("2026-05-01T10:00:09Z", "b")];
        let one = log("2026-05-02T10:00:00Z", "a");
        assert_eq!(clock(&[&beats[..], std::slice::from_ref(&one)].concat()), "2026-05-01T10:00:09Z");
        let all = [&beats[..], &[one, log("2026-05-02T10:00:03Z", "b")]].concat();
        assert_eq!(
            (clock(&all), objects(&all)),
            ("2026-05-02T10:00:03Z".to_owned(), "2026-05-01T10:00:09Z".to_owned())
        );
        // Where nothing beats, nobody knows when the objects were read.
        assert_eq!(objects(&[at("2026-05-01T10:00:00Z", Rank::Exact), log("2026-05-01T10:20:00Z", "a")]), "-");
    }

    #[test]
    fn the_end_of_a_log_without_a_zone_raises_nothing() {
        let base = [at("2026-05-01T10:00:00Z", Rank::Exact), at("2026-05-01T09:59:00Z", Rank::Exact)];
        let beside = |logs: &[&str]| {
            let logs: Vec<Candidate> = logs.iter().map(|text| at(text, Rank::NoYear)).collect();
            let found = infer(&base, (|_| logs.clone(), nothing), |_| None).unwrap();
            assert_eq!(found.time, base[0].time);
            found.logs.map_or_else(|| "-".to_owned(), |time| time.to_string())
        };
        assert_eq!(beside(&["2026-05-01T10:59:00Z"]), "2026-05-01T10:59:00Z");
        assert_eq!(beside(&["2026-05-01T11:00:01Z", "2026-05-01T18:00:00Z"]), "-");
        assert_eq!(beside(&["2026-05-01T10:59:00Z", "2026-05-01T11:30:00Z"]), "2026-05-01T10:59:00Z");
        assert_eq!(beside(&["2026-05-01T09:00:00Z"]), "-");
        assert!(infer(&[], (|_| vec![base[0].clone()], nothing), |_| None).is_none(), "by what clock?");
        // A stamp that it agrees with is not alone.
        let lone = [&base[..], &[at("2026-05-04T10:00:00Z", Rank::Exact)]].concat();
        let agreed = |text: &str| {
            let ends = |_| vec![at(text, Rank::NoYear)];
            infer(&lone, (ends, ends), |_| None).unwrap().time.to_string()
        };
        assert_eq!(agreed("2026-05-04T10:10:00Z"), "2026-05-04T10:00:00Z");
        assert_eq!(agreed("2026-05-04T09:10:00Z"), "2026-05-04T10:00:00Z");
        // One that ends days after all else went on, in whatever zone.
        assert_eq!(agreed("2026-05-04T08:10:00Z"), "2026-05-04T08:10:00Z");
        // What the collector says is not raised.
        let stated = at("2026-05-01T10:00:00Z", Rank::Stated);
        let found = infer(&[stated], (|_| vec![at("2026-05-01T10:30:00Z", Rank::NoYear)], nothing), |_| None).unwrap();
        assert_eq!((found.time.to_string(), found.precision), ("2026-05-01T10:00:00Z".to_owned(), Precision::Stated));
        // Where no zone is stated anywhere, the clock says so.
        let civil = infer(&[at("2026-05-01T10:00:00Z", Rank::Civil)], (nothing, nothing), |_| None).unwrap();
        assert_eq!(civil.precision, Precision::Unzoned);
        let bounds = civil.bounds();
        assert_eq!(
            (bounds.0.to_string(), bounds.1.to_string()),
            ("2026-04-30T20:00:00Z".to_owned(), "2026-05-01T22:00:00Z".to_owned())
        );
    }

    #[test]
    fn tables_say_how_closely_they_know() {
        let table = |from: &str, until: &str, life| Candidate {
            until: Some(until.parse().unwrap()),
            life,
            ..at(from, Rank::Exact)
        };
        let stamp = at("2026-05-01T09:00:00Z", Rank::Exact);
        let coarse = table("2026-05-01T09:00:00Z", "2026-05-02T09:00:00Z", Life::Sure);
        let fine = table("2026-05-01T11:30:00Z", "2026-05-01T11:31:00Z", Life::Live);
        let known = |candidates: &[Candidate]| infer(candidates, (nothing, nothing), |_| None).unwrap().precision;
        assert_eq!(known(&[stamp.clone(), coarse.clone(), fine.clone()]), Precision::Before(fine.until.unwrap()));
        assert_eq!(
            known(&[stamp.clone(), table("2026-05-01T10:00:00Z", "2026-05-02T10:00:00Z", Life::Sure)]),
            Precision::Before("2026-05-02T10:00:00Z".parse().unwrap())
        );
        // A newer stamp says no more than that it was later.
        assert_eq!(known(&[coarse.clone(), at("2026-05-01T09:30:00Z", Rank::Exact)]), Precision::OrLater);
        // A table that was printed some time in a day holds what a controller wrote in it, and no machine that runs ahead.
        let once = table("2026-05-01T09:00:00Z", "2026-05-02T09:00:00Z", Life::Quiet);
        let evening = at("2026-05-01T20:00:00Z", Rank::Exact);
        assert_eq!(clock(&[stamp.clone(), once.clone(), evening.clone()]), "2026-05-01T20:00:00Z");
        let of_machine = Candidate { witness: Witness::Machine("w-1".to_owned()), ..evening };
        assert_eq!(clock(&[stamp.clone(), once, of_machine]), "2026-05-01T09:00:00Z");
        // One row can be of an object that was made anew; a table of many can not.
        let later = |life| table("2026-05-03T09:00:00Z", "2026-05-03T10:00:00Z", life);
        assert_eq!(clock(&[stamp.clone(), coarse.clone(), later(Life::Quiet)]), "2026-05-01T09:00:00Z");
        assert_eq!(clock(&[stamp.clone(), coarse.clone(), later(Life::Live)]), "2026-05-01T09:00:00Z");
        assert_eq!(clock(&[stamp, coarse, later(Life::Sure)]), "2026-05-03T09:00:00Z");
    }

    fn any_candidate() -> impl Strategy<Value = Candidate> {
        let (lives, ranks) = ([Life::Quiet, Life::Live, Life::Sure], [Rank::Civil, Rank::Exact]);
        (0..400_i64, 0..6_u8, 0..3_usize, 0..8_usize, any::<[bool; 3]>(), proptest::option::of(1..90_i64)).prop_map(
            move |(minute, witness, life, rank, [is_machine, is_log, stands_in], width)| {
                let time = Timestamp::from_second(1_780_000_000 + minute * 60).unwrap();
                let name = witness.to_string();
                Candidate {
                    time,
                    until: width.map(|minutes| time + SignedDuration::from_mins(minutes)),
                    rank: *ranks.get(rank).unwrap_or(&Rank::Exact),
                    life: lives[life],
                    is_log,
                    stands_in,
                    served: false,
                    steady: false,
                    witness: if is_machine { Witness::Machine(name) } else { Witness::Thing(name) },
                    source: "x".to_owned(),
                    citation: Some(Citation::line(MemberId(u32::from(witness)), 1, "x")),
                }
            },
        )
    }

    #[test]
    fn of_two_alike_the_one_that_knows_its_end_comes_first() {
        let open = at("2026-05-29T02:06:40Z", Rank::Exact);
        let ends = Candidate { until: Some("2026-05-29T02:07:40Z".parse().unwrap()), ..open.clone() };
        let precision = |candidates: &[Candidate]| infer(candidates, (nothing, nothing), |_| None).unwrap().precision;
        let both = [open.clone(), ends.clone()];
        assert_eq!(precision(&both), precision(&[ends, open]));
        assert!(matches!(precision(&both), Precision::Before(_)));
    }

    proptest! {
        #[test]
        fn the_order_of_members_means_nothing(
            candidates in proptest::collection::vec(any_candidate(), 0..12),
            mut order in any::<u64>(),
        ) {
            let before = infer(&candidates, (nothing, nothing), |_| None);
            let mut shuffled = candidates;
            for at in (1..shuffled.len()).rev() {
                shuffled.swap(at, (order % (at as u64 + 1)) as usize);
                order = order.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            }
            let after = infer(&shuffled, (nothing, nothing), |_| None);
            let times = |found: Option<AsOf>| found.map(|found| (found.time, found.objects, found.precision));
            prop_assert_eq!(times(before), times(after));
        }

        /// What another witness confirms stays the clock, whatever older things are added; and nothing is ever
        /// later than the newest candidate.
        #[test]
        fn an_older_file_never_moves_a_confirmed_clock_back(
            candidates in proptest::collection::vec(any_candidate(), 1..12),
            older in any_candidate(),
        ) {
            let found = infer(&candidates, (nothing, nothing), |_| None).unwrap();
            prop_assert!(candidates.iter().any(|c| c.time == found.time));
            prop_assert!(found.objects.is_none_or(|objects| objects <= found.time));
            let exact = |c: &&Candidate| c.rank == Rank::Exact;
            let newest = candidates.iter().filter(exact).max_by_key(|c| c.time);
            let is_confirmed = newest.is_some_and(|first| {
                first.time == found.time
                    && candidates.iter().filter(exact).any(|c| {
                        c.witness != first.witness && !c.stands_in && first.time.duration_since(c.time) <= ALONE
                    })
            });
            if is_confirmed && older.time <= found.time {
                let more = [&candidates[..], &[older]].concat();
                prop_assert_eq!(infer(&more, (nothing, nothing), |_| None).unwrap().time, found.time);
            }
        }
    }
}
