//! How old the heartbeats of KubeFleet's member agents are: `memberheartbeats.casefile.dev`, one for each
//! MemberCluster of which a heartbeat is known.
//!
//! Why derived: a cluster whose agent died still shows Joined=True and Healthy=True for ever; only its heartbeat
//! grows old, and how old it is takes the clock of the bundle.
//!
//! **Whose clock.** The clock of a bundle is a lower bound, and where it rests on the heartbeat itself it makes any
//! heartbeat young. So a heartbeat is young or old only beside something else that beats: that of another
//! member, or a Lease of the hub. Where all stopped together, no member is silent among others: then the
//! hub does not write any more, or what was collected is a copy of a fleet. A time that a collector
//! states needs no such witness. A table prints the ages of one moment, so its rows are each other's witnesses.
//!
//! Sources: `kubefleet-dev/kubefleet:apis/cluster/v1beta1/membercluster_types.go` (`heartbeatPeriodSeconds`, 1 to
//! 600, 60 by default; column MEMBER-AGENT-LAST-SEEN), `pkg/scheduler/clustereligibilitychecker` (a cluster
//! without a heartbeat for 5 minutes is passed over).

use crate::deriver::{Deriver, Inputs};
use crate::reader::{Read, Reader};
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::human_duration;
use facts::human_duration::Age;
use facts::object::ObjectId;
use facts::origin::MemberId;
use facts::provenance::{Cited, Provenance};
use facts::store::Precision;
use jiff::Timestamp;

const MEMBERS: &str = "memberclusters.cluster.kubernetes-fleet.io";
const LEASES: &str = "leases.coordination.k8s.io";
/// The scheduler passes over a cluster that was not heard of for so many seconds.
const TIMEOUT: i64 = 300;
/// A bundle is read within so many seconds.
const HOUR: i64 = 3_600;
/// The longest and the usual period, in seconds.
const PERIODS: (i64, i64) = (600, 60);

pub(crate) const DERIVER: Deriver = Deriver { makes: &["memberheartbeats"], statements: &[], derive };

/// A member cluster and when it was last heard of.
struct Member {
    id: ObjectId,
    beat: Option<(Timestamp, Read)>,
    /// The cell of a table, and what it says.
    cell: Option<(Age, Read)>,
}

fn derive(inputs: &Inputs<'_>) -> Vec<Derived> {
    let reader = inputs.reader;
    let time = |read: Read| Some((read.text.parse::<Timestamp>().ok()?, read));
    let newest = |reads: Vec<Read>| reads.into_iter().filter_map(time).max_by_key(|(time, _)| *time);
    let member = |id| Member {
        id,
        beat: newest(reader.texts(id, "status.agentStatus[*].lastReceivedHeartbeat")),
        cell: reader
            .text(id, "status.kubectlMemberAgentLastSeen")
            .and_then(|read| Some((human_duration::parse(&read.text)?, read))),
    };
    let members: Vec<Member> = reader.all(MEMBERS).into_iter().map(member).collect();
    let lease = newest(reader.all(LEASES).into_iter().filter_map(|id| reader.text(id, "spec.renewTime")).collect());
    members.iter().filter_map(|member| one(reader, member, &members, lease.as_ref())).collect()
}

fn one(reader: Reader<'_>, member: &Member, members: &[Member], lease: Option<&(Timestamp, Read)>) -> Option<Derived> {
    let period = match reader.number(member.id, "spec.heartbeatPeriodSeconds") {
        Some(period) => period.clamp(1, PERIODS.0),
        None if reader.unset(member.id, "spec.heartbeatPeriodSeconds") => PERIODS.1,
        None => PERIODS.0,
    };
    let limit = TIMEOUT.max(2 * period);
    // A heartbeat without a witness says less than the ages of a table, which are each other's.
    let by_beat = by_beat(reader, member, members, lease, limit);
    match by_beat {
        Some((made, true)) => Some(made),
        undecided => match by_cell(reader, member, members, limit) {
            Some((made, true)) => Some(made),
            cell => undecided.or(cell).map(|(made, _)| made),
        },
    }
}

/// How old it is by the time of its heartbeat, and whether that tells if it is silent.
fn by_beat(
    reader: Reader<'_>,
    member: &Member,
    members: &[Member],
    lease: Option<&(Timestamp, Read)>,
    limit: i64,
) -> Option<(Derived, bool)> {
    let (time, read) = member.beat.as_ref()?;
    let mut made = reader.about(member.id, "memberheartbeats");
    let others = members.iter().filter(|other| other.id != member.id).filter_map(|other| other.beat.as_ref());
    let witnesses = witnesses(reader, read.cited.citation.member, others.chain(lease), limit);
    let cited = |witness: &Witness| {
        Provenance::from(read).and(witness.cited.as_ref().map_or_else(|| read.into(), Provenance::from))
    };
    let seconds = |witness: &Witness| witness.time.duration_since(*time).as_secs().max(0);
    let now = witnesses.iter().max_by_key(|witness| witness.time);
    if let Some(now) = now {
        made.number("status.heartbeatSeconds", seconds(now), cited(now));
        made.text("status.silentFor", &human_duration::in_words(seconds(now)), cited(now));
    }
    let later = witnesses.iter().find(|witness| seconds(witness) > witness.limit);
    let young = now.filter(|now| now.is_now && seconds(now) <= TIMEOUT);
    if let Some(later) = later {
        made.flag("status.stale", true, cited(later));
    } else if let Some(now) = young {
        made.flag("status.stale", false, cited(now));
    }
    Some((made, later.or(young).is_some()))
}

/// How old it is by the cell of a table, and whether the other rows tell if it is silent.
fn by_cell(reader: Reader<'_>, member: &Member, members: &[Member], limit: i64) -> Option<(Derived, bool)> {
    let (age, read) = member.cell.as_ref()?;
    let mut made = reader.about(member.id, "memberheartbeats");
    made.number("status.heartbeatSeconds", age.from.max(0), read);
    made.text("status.silentFor", &human_duration::in_words(age.from), read);
    let of_table = members.iter().filter(|other| other.id != member.id).filter_map(|other| other.cell.as_ref());
    let of_table = of_table.filter(|(_, other)| other.cited.citation.member == read.cited.citation.member);
    let Some((youngest, other)) = of_table.min_by_key(|(age, _)| age.until) else { return Some((made, false)) };
    let from = Provenance::from(read).and(other);
    let stale = if age.from - youngest.until > limit { Some(true) } else { (age.until <= TIMEOUT).then_some(false) };
    match stale {
        Some(stale) => made.flag("status.stale", stale, from),
        None => made.open("status.stale", from),
    }
    Some((made, stale.is_some()))
}

/// What tells how late it was, beside a heartbeat.
struct Witness {
    time: Timestamp,
    /// A heartbeat that is older than this is old.
    limit: i64,
    /// It is the time of collection, as far as that is known.
    is_now: bool,
    cited: Option<Cited>,
}

/// What stands in one file was read in one go; the rest of a bundle within the hour.
fn witnesses<'a>(
    reader: Reader<'_>,
    file: MemberId,
    others: impl Iterator<Item = &'a (Timestamp, Read)>,
    limit: i64,
) -> Vec<Witness> {
    let Some(clock) = reader.facts.context(reader.context).as_of.as_ref() else { return Vec::new() };
    let (now, rough) = (clock.for_objects(), limit.max(HOUR));
    let stated = (clock.precision == Precision::Stated).then(|| Witness {
        time: now,
        limit: rough,
        is_now: true,
        cited: clock.citation.clone().map(|citation| Cited::new(citation, Basis::Stated)),
    });
    let others = others.map(|(time, read)| {
        // A witness beyond the clock has a wrong one of its own.
        let time = (*time).min(now);
        Witness {
            time,
            limit: if read.cited.citation.member == file { limit } else { rough },
            is_now: now.duration_since(time).as_secs() <= TIMEOUT,
            cited: Some(read.cited.clone()),
        }
    });
    stated.into_iter().chain(others).collect()
}
