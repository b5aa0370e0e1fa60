//! The as-of clock of a context: given by hand, or inferred from all that happened in it.

use crate::as_of;
use crate::as_of::ages;
use crate::as_of::{ALONE, Candidate, Life, Rank, Witness, stamps};
use crate::assembly::{Builder, Gathered};
use crate::streams;
use crate::whose_part;
use facts::log::{Level, LineTime, Repeated, ScannedLog, Tally};
use facts::origin::{MemberId, MemberName};
use facts::stamp::time_of;
use facts::store::{AsOf, Context, Precision};
use jiff::{SignedDuration, Timestamp};
use parse::transcript::Source;
use std::cmp::Reverse;
use std::collections::BTreeMap;

impl Builder<'_> {
    /// The as-of clock of a context: given by hand, or inferred from all that happened in it.
    fn clock(&self, read: &Gathered) -> Option<AsOf> {
        if let Some(time) = self.options.as_of {
            let (source, precision) = ("--as-of".to_owned(), Precision::Stated);
            return Some(AsOf { time, source, citation: None, precision, objects: None, logs: None });
        }
        let mut times = read.times.clone();
        times.extend(ages::candidates(&read.ages, &read.records));
        times.extend(ages::of_events(&read.records));
        let stated = read.stamps.iter().filter_map(stamps::candidate_of_stamp);
        let (days, stated): (Vec<Candidate>, Vec<Candidate>) = stated.partition(|stamp| stamp.rank == Rank::Day);
        times.extend(stated);
        let logs = self.tallies(read);
        times.extend(logs.iter().filter_map(|log| stamps::candidate_of_log(log.member, log.tally, &log.witness)));
        // A time that a line mentions in passing is weaker than any that a collector wrote, so it counts only without one.
        if !times.iter().any(|candidate| candidate.rank >= Rank::Civil) {
            times.extend(logs.iter().filter_map(|log| stamps::dated_of_log(log.member, log.tally, &log.witness)));
        }
        times.extend(of_known_zone(&times, &logs, &made(read)));
        let ends = |clock, of_nodes| {
            let is_own = |log: &&LogTimes<'_>| other_year(log.tally, clock).is_none();
            let logs = logs.iter().filter(|log| log.in_utc || of_nodes).filter(is_own);
            let times = logs.filter_map(|log| stamps::raising_of_log(log.member, log.tally, &log.witness, clock));
            times.collect::<Vec<_>>()
        };
        let (raising, all) = (|clock| ends(clock, false), |clock| ends(clock, true));
        let after = |bound| {
            let ends = logs.iter().flat_map(|log| [log.tally.first, log.tally.last]).flatten();
            ends.filter_map(|end| end.first_after(bound)).max()
        };
        times.extend(days);
        let mut found = as_of::infer(&times, (raising, all), after)?;
        // Of equal times the line that is first by name of its member is cited, whatever the order of members was.
        let by_name = |c: &Candidate| {
            let citation = c.citation.clone();
            let member = citation.as_ref().and_then(|c| self.facts.members.get(&c.member)).cloned();
            (member, citation.map_or(0, |c| c.line))
        };
        let same = |c: &Candidate| c.time == found.time && c.source == found.source;
        if let Some(first) = times.into_iter().filter(same).min_by_key(by_name) {
            found.citation = first.citation;
        }
        Some(found)
    }

    /// The clock of a context, by which its logs have the years that they state, once the parts of it that somebody cut out
    /// are put to what they are of.
    pub(crate) fn settled_clock(&mut self, read: &mut Gathered) -> Option<AsOf> {
        whose_part::name(&mut read.records);
        let clock = self.clock(read)?;
        self.set_years(read, clock.time);
        Some(clock)
    }

    /// Gives the lines of a machine whose clock is wrong the year that they state: by that of the bundle they would be of another
    /// day.
    fn set_years(&mut self, read: &mut Gathered, clock: Timestamp) {
        let set_year = |log: &mut ScannedLog| {
            if let Some(near) = other_year(&log.tally, clock) {
                log.set_year(near);
            }
        };
        for id in &read.logs {
            let Some(content) = self.contents.get_mut(id) else { continue };
            let framed = content.framed.iter_mut().map(|framed| &mut framed.log);
            content.log.iter_mut().chain(framed).for_each(|log| {
                log.others.iter_mut().for_each(set_year);
                set_year(log);
            });
        }
        for (_, part) in &mut read.session_logs {
            part.log.others.iter_mut().for_each(set_year);
            set_year(&mut part.log);
        }
    }

    /// The logs of a context, and whose clock wrote them.
    fn tallies<'r>(&'r self, read: &'r Gathered) -> Vec<LogTimes<'r>> {
        let sources = &self.catalogue.sources;
        let mut logs = Vec::new();
        for id in &read.logs {
            let file = self.facts.members.get(id).map_or("", MemberName::inside);
            let origin = self.origin_of_log(*id, file);
            for log in self.log(*id).into_iter().flat_map(ScannedLog::machines) {
                let class = origin.class.clone().or_else(|| sources.class_of_content(log));
                let node = log.host.as_deref().filter(|_| origin.pod.is_none()).or(origin.node.as_deref());
                logs.push(LogTimes {
                    member: *id,
                    tally: &log.tally,
                    witness: witness_of_log(node, file),
                    may_be_local: class.as_deref().is_some_and(|class| ON_NODES.contains(&class)) || log.host.is_some(),
                    surely_utc: class.as_deref().is_some_and(|class| sources.is_in_utc(class)),
                    in_utc: origin.pod.is_some() || class.is_some_and(|class| !ON_NODES.contains(&class.as_str())),
                });
            }
            for framed in self.framed(*id) {
                let name = format!("{file} {}/{}/{}", framed.namespace, framed.pod, framed.container);
                let witness = Witness::Thing(name);
                logs.push(LogTimes {
                    member: *id,
                    tally: &framed.log.tally,
                    witness,
                    in_utc: true,
                    surely_utc: sources.class_of_name(&framed.container).is_some_and(|class| sources.is_in_utc(class)),
                    may_be_local: false,
                });
            }
        }
        for (id, part) in &read.session_logs {
            let file = self.facts.members.get(id).map_or("", MemberName::inside);
            let witness = witness_of_log(part.node.as_deref(), file);
            let in_utc = matches!(&part.source, Some(Source::Pod { namespace: Some(_), .. }));
            let surely_utc = streams::class_of(sources, part).is_some_and(|class| sources.is_in_utc(&class));
            let (member, tally) = (*id, &part.log.tally);
            logs.push(LogTimes { member, tally, witness, in_utc, surely_utc, may_be_local: true });
        }
        logs
    }
}

/// A management cluster and one that it manages are collected within so long.
const ONE_VISIT: SignedDuration = SignedDuration::from_hours(3);

/// Of a context of which nothing tells when its objects were read, and of the one that manages it or that it manages, the clock
/// that is known more closely is a lower bound for both: they were collected in one go.
pub(crate) fn share(contexts: &mut [Context]) {
    let links: Vec<(usize, usize)> = { contexts.iter().enumerate() }
        .filter_map(|(at, context)| Some((at, usize::try_from(context.workload_of.as_ref()?.0.0).ok()?)))
        .flat_map(|(workload, manager)| [(workload, manager), (manager, workload)])
        .collect();
    let is_open =
        |clock: &AsOf| clock.objects.is_none() && matches!(clock.precision, Precision::OrLater | Precision::Quiet);
    let later: Vec<(usize, AsOf)> = { links.iter() }
        .filter_map(|(own, other)| {
            let (own_context, other) = (contexts.get(*own)?, contexts.get(*other)?);
            let theirs =
                other.as_of.as_ref().filter(|theirs| !is_open(theirs) && other.bundle == own_context.bundle)?;
            let read = theirs.for_objects();
            let is_near = match &own_context.as_of {
                Some(clock) => {
                    let ahead = read.duration_since(clock.time);
                    is_open(clock) && ahead > SignedDuration::ZERO && ahead <= ONE_VISIT
                }
                None => true,
            };
            let source = format!("clock of {}: {}", other.name, theirs.source);
            let precision = Precision::OrLater;
            let citation = theirs.citation.clone();
            let logs = own_context.as_of.as_ref().and_then(|own| own.logs).filter(|end| *end > read);
            is_near.then_some((*own, AsOf { time: read, source, citation, precision, objects: None, logs }))
        })
        .collect();
    for (own, clock) in later {
        if let Some(known) = contexts.get_mut(own).map(|context| &mut context.as_of)
            && known.as_ref().is_none_or(|known| known.time < clock.time)
        {
            *known = Some(clock);
        }
    }
}

/// Of a context of which nothing at all tells a time, or only a bound of it, in a text that somebody wrote in one go: it was asked
/// about when the others were. That is a lower bound, and the year of its logs.
pub(crate) fn lend(contexts: &mut [Context], is_one_text: impl Fn(usize) -> bool) {
    let mut newest: BTreeMap<usize, (String, AsOf)> = BTreeMap::new();
    for context in contexts.iter().filter(|context| is_one_text(context.bundle)) {
        let Some(clock) = &context.as_of else { continue };
        if newest.get(&context.bundle).is_none_or(|(_, newest)| newest.time < clock.time) {
            newest.insert(context.bundle, (context.name.clone(), clock.clone()));
        }
    }
    let is_open = |own: &AsOf| own.precision == Precision::Quiet;
    for context in contexts.iter_mut().filter(|context| context.as_of.as_ref().is_none_or(is_open)) {
        let own = context.as_of.as_ref();
        let newer = newest.get(&context.bundle).filter(|(_, clock)| own.is_none_or(|own| own.time < clock.time));
        if let Some((name, clock)) = newer {
            let source = format!("clock of {name}: {}", clock.source);
            let (precision, logs) = (Precision::Quiet, own.and_then(|own| own.logs).filter(|end| *end > clock.time));
            context.as_of = Some(AsOf { source, precision, objects: None, logs, ..clock.clone() });
        }
    }
}

/// Lines of a log of which one states a time so far from the clock are of another year.
const OTHER_YEAR: SignedDuration = SignedDuration::from_hours(62 * 24);

/// What a line of a log without a year states of its own moment, where that is of another year than the clock.
fn other_year(tally: &Tally, clock: Timestamp) -> Option<Timestamp> {
    let (stated, _) = tally.dated?;
    (stated.duration_since(clock).abs() > OTHER_YEAR).then_some(stated)
}

/// When the lines of a log were written, and by whose clock.
struct LogTimes<'a> {
    member: MemberId,
    tally: &'a Tally,
    witness: Witness,
    /// Its times without a zone are in UTC: images of containers hold no zones.
    in_utc: bool,
    /// They are in UTC by what is known of the program.
    surely_utc: bool,
    /// A program on a node wrote it, or somebody cut it out.
    may_be_local: bool,
}

/// Classes of programs that run on nodes themselves, or may: what they print without a zone is local time.
const ON_NODES: [&str; 6] = ["kubelet", "containerd", "cri-o", "kubeadm", "etcd", "etcd-tools"];

/// Times of objects that are compared with lines: among more two agree by accident.
const FEW: usize = 80;
/// So many seconds apart, an object and the line that tells of it are of one moment.
const AT_ONCE: i64 = 1;

/// A line that names an object is not written before that was made: a clock that is ahead by a zone would have to be ahead by
/// less than this.
const SOON: i64 = 25 * 60;
/// Characters of the shortest name that no other text holds by accident; it has a `-` as well.
const TELLING: usize = 10;

/// So many of the youngest objects, and so many kinds of errors of a log, are held against each other.
const YOUNGEST: usize = 200;
const ERRORS: usize = 20;

/// Names of the youngest objects, and when the API server made them.
fn made(read: &Gathered) -> Vec<(&str, Timestamp)> {
    let records = read.records.values().flatten();
    let telling = records.filter(|record| record.name.len() >= TELLING && record.name.contains('-'));
    let made = telling.filter_map(|record| {
        let text = record.node.at(&["metadata", "creationTimestamp"])?.as_str()?;
        Some((record.name.as_str(), time_of(text)?))
    });
    let mut made: Vec<(&str, Timestamp)> = made.collect();
    made.sort_unstable_by_key(|(name, time)| (Reverse(*time), *name));
    made.dedup();
    made.truncate(YOUNGEST);
    made
}

/// The ends of logs without year or zone that are in UTC by what is known of their programs; where no log states its zone also
/// by what they say: an error of them is of the very second at which an object says that it changed, or names an object that was
/// made shortly before. Only where nothing tells when the objects were read.
fn of_known_zone(times: &[Candidate], logs: &[LogTimes<'_>], made: &[(&str, Timestamp)]) -> Vec<Candidate> {
    // An age in days was printed some time of a day, and what an agent of another cluster renews stands still once that is gone.
    let is_read = |c: &Candidate| c.life >= Life::Live || c.is_within(ALONE) || c.rank > Rank::Exact;
    if times.iter().any(is_read) {
        return Vec::new();
    }
    let newest = times.iter().map(|c| c.time).max();
    let end_of = |log: &LogTimes<'_>, moment: Timestamp| {
        let end = stamps::raising_of_log(log.member, log.tally, &log.witness, moment)?;
        (end.time >= moment).then_some(Candidate { rank: Rank::Exact, ..end })
    };
    let known = { logs.iter() }.filter(|log| log.surely_utc).filter_map(|log| {
        let newest = newest.filter(|newest| other_year(log.tally, *newest).is_none())?;
        end_of(log, newest)
    });
    if times.iter().any(|c| c.is_log || c.rank != Rank::Exact) {
        return known.collect();
    }
    let few = times.len() <= FEW;
    let proven = |log: &LogTimes<'_>| {
        let yearless = |time: &LineTime| matches!(time, LineTime::NoYear(_));
        let errors = log.tally.templates.values().filter(|line| line.level >= Level::Error);
        let told = errors.filter_map(|line| Some((line, line.time.filter(yearless)?)));
        let after =
            |time: LineTime, moment: Timestamp| Some(time.resolve(Some(moment))?.duration_since(moment).as_secs());
        let of_moment = |(line, time): (&Repeated, LineTime)| {
            let at_once = |c: &&Candidate| after(time, c.time).is_some_and(|apart| apart.abs() <= AT_ONCE);
            let named = |(name, made): &&(&str, Timestamp)| {
                after(time, *made).is_some_and(|apart| (0..=SOON).contains(&apart)) && line.text.contains(name)
            };
            let same = || times.iter().filter(|_| few).find(at_once).map(|c| c.time);
            same().or_else(|| made.iter().find(named).map(|(_, made)| *made))
        };
        let moment = { told }.take(ERRORS).find_map(of_moment)?;
        end_of(log, moment)
    };
    let proven = { logs.iter() }.filter(|log| !log.surely_utc && (log.in_utc || !log.may_be_local)).filter_map(proven);
    known.chain(proven).collect()
}

fn witness_of_log(node: Option<&str>, file: &str) -> Witness {
    match node {
        Some(node) => Witness::Machine(node.to_owned()),
        None => Witness::Thing(format!("log {file}")),
    }
}
