//! Times in objects and logs, and what collectors state.
//!
//! Invariant: only what says when something *happened* is read: by its path, never because it
//! looks like a time.

use crate::as_of::{ALONE, Candidate, Life, Rank, Witness};
use facts::event::Event;
use facts::kind::KindName;
use facts::log::{LineTime, Tally};
use facts::node::{Node, Value, same_field};
use facts::origin::{Citation, MemberId};
use facts::record::{Stamp, Stated};
use facts::stamp::time_of;
use jiff::{SignedDuration, Timestamp};

/// A time in an object.
type Found = (Timestamp, Life, u32, Stamped);

/// What a time in an object says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stamped {
    Created,
    Managed,
    Deleted,
    Lease,
    Event,
    Tainted,
    Heartbeat,
    Happened,
    Condition,
    Lost,
}

impl Stamped {
    /// In words.
    fn words(self) -> &'static str {
        match self {
            Self::Created => "creationTimestamp",
            Self::Managed => "managedFields time",
            Self::Deleted => "time at which the object was deleted",
            Self::Lease => "renewTime of a Lease",
            Self::Event => "time of an Event",
            Self::Tainted => "time at which a taint was added",
            Self::Heartbeat => "last heartbeat of a member agent",
            Self::Happened => "time at which something began or ended",
            Self::Condition => "time of a condition",
            Self::Lost => "time at which a Node was lost",
        }
    }
}

fn time_at(node: Option<&Node>) -> Option<(Timestamp, u32)> {
    let node = node?;
    Some((time_of(node.as_str()?)?, node.line))
}

/// The stamps of one object that say when something happened: its newest, and the newest of those more
/// than an hour older (so that one wrong stamp does not hide the right ones, nor confirm itself).
///
/// Items of a typed list name no kind of their own, so the kind is what the reader found.
pub(crate) fn candidates_of_object(kind: &KindName, node: &Node, citation: &Citation) -> Vec<Candidate> {
    let mut found: Vec<Found> = Vec::new();
    let mut take = |node: Option<&Node>, life: Life, source: Stamped| {
        found.extend(time_at(node).map(|(time, line)| (time, life, line, source)));
    };
    take(node.at(&["metadata", "creationTimestamp"]), Life::Quiet, Stamped::Created);
    for entry in node.at(&["metadata", "managedFields"]).map_or(&[][..], Node::items) {
        take(entry.get("time"), Life::Quiet, Stamped::Managed);
    }
    match kind.plural.as_str() {
        "leases" => {
            take(node.at(&["spec", "renewTime"]), Life::Live, Stamped::Lease);
        }
        "events" => {
            for (_, node) in Event::of(node).last_times() {
                take(Some(node), Life::Quiet, Stamped::Event);
            }
        }
        _ => {}
    }
    for taint in node.at(&["spec", "taints"]).map_or(&[][..], Node::items) {
        take(taint.field("timeAdded"), Life::Quiet, Stamped::Tainted);
    }
    if let Some(status) = node.field("status") {
        conditions(status, 0, &mut take);
    }
    found.extend(deleted(node));
    found.sort_by(|a, b| b.cmp(a));
    let Some(newest) = found.first().copied() else { return Vec::new() };
    let second = found.iter().copied().find(|(time, ..)| newest.0.duration_since(*time) > ALONE);
    let witness = witness(kind, node);
    let agrees = agrees_with_server(kind, node) || is_of_control_plane(kind);
    let made = time_at(node.at(&["metadata", "creationTimestamp"])).map(|(time, _)| time);
    [(Some(newest), false), (second, true)]
        .into_iter()
        .filter_map(|(found, stands_in)| found.map(|found| (found, stands_in)))
        .map(|((time, life, line, source), stands_in)| Candidate {
            time,
            until: None,
            rank: Rank::Exact,
            life,
            is_log: false,
            stands_in,
            witness: match is_of_node_controller(kind, source) {
                true => Witness::Thing("the node controller".to_owned()),
                false => witness.clone(),
            },
            served: agrees
                || is_of_node_controller(kind, source)
                || made.is_some_and(|made| (SignedDuration::ZERO..=ALONE).contains(&time.duration_since(made))),
            steady: false,
            source: source.words().to_owned(),
            citation: Some(Citation {
                line: if line > 0 { line } else { citation.line },
                excerpt: time.to_string().into(),
                ..citation.clone()
            }),
        })
        .collect()
}

/// Did the control plane write a stamp of a Node, and not its machine?
fn is_of_node_controller(kind: &KindName, source: Stamped) -> bool {
    kind.plural == "nodes" && kind.group.is_empty() && matches!(source, Stamped::Lost | Stamped::Tainted)
}

/// Did the kubelet of a Pod begin with it when the API server made it? Each wrote that by its own clock, so the machine's does
/// not run ahead.
fn agrees_with_server(kind: &KindName, node: &Node) -> bool {
    let time = |path: &[&str]| time_at(node.at(path)).map(|(time, _)| time);
    let made = time(&["metadata", "creationTimestamp"]).filter(|_| kind.plural == "pods" && kind.group.is_empty());
    let began = time(&["status", "startTime"]);
    made.zip(began).is_some_and(|(made, began)| began.duration_since(made).abs() <= BEGINS)
}

/// Does a controller that runs beside the API server write all of its status? Its clock is that of the control plane.
/// Source: `kubernetes/kubernetes:pkg/controller` (Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs, CronJobs).
fn is_of_control_plane(kind: &KindName) -> bool {
    matches!(kind.group.as_str(), "apps" | "batch")
}

/// Within so long a Pod begins where a node has room for it; far less than a clock that runs ahead must be off to matter.
const BEGINS: SignedDuration = SignedDuration::from_mins(10);

/// When somebody deleted the object: its `deletionTimestamp` is the end of the time that it was given to go.
/// Source: `kubernetes/apimachinery:pkg/apis/meta/v1/types.go` (`DeletionGracePeriodSeconds`: only set when deletionTimestamp is
/// also set).
fn deleted(node: &Node) -> Option<Found> {
    let (time, line) = time_at(node.at(&["metadata", "deletionTimestamp"]))?;
    let given: i64 = node.at(&["metadata", "deletionGracePeriodSeconds"])?.value.scalar()?.parse().ok()?;
    let time = time.checked_sub(SignedDuration::from_secs(given.max(0))).ok()?;
    Some((time, Life::Quiet, line, Stamped::Deleted))
}

/// Whose clock wrote what happened to an object: of a Node, its Lease, its Pods and the Events that it sent that of
/// the machine, which is one however many objects it writes.
fn witness(kind: &KindName, node: &Node) -> Witness {
    let text = |path: &[&str]| node.at(path).and_then(Node::as_str).filter(|text| !text.is_empty());
    let (name, namespace) = (text(&["metadata", "name"]), text(&["metadata", "namespace"]));
    let machine = match (kind.plural.as_str(), kind.group.as_str()) {
        ("nodes", "") => name,
        ("leases", _) if namespace == Some("kube-node-lease") => name,
        ("pods", "") => text(&["spec", "nodeName"]),
        ("events", _) => Event::of(node).host(),
        _ => None,
    };
    match machine {
        Some(machine) => Witness::Machine(machine.to_owned()),
        None => {
            let words = [namespace.unwrap_or_default(), name.unwrap_or_default()];
            Witness::Thing(format!("{kind} {}", words.join("/")))
        }
    }
}

/// Fields below `status` that say when something began or ended: of Pods and their containers, of Jobs, of CronJobs.
const HAPPENED: [&str; 26] = [
    "startTime",
    "startedAt",
    "finishedAt",
    "completionTime",
    "lastScheduleTime",
    "lastSuccessfulTime",
    "completionTimestamp",
    "lastUpdated",
    // Of controllers that tell when they last looked: External Secrets, Argo CD, Cluster API, Strimzi, Velero, Longhorn, Rook.
    "reconciledAt",
    "observedAt",
    "lastReconcileTime",
    "lastReconciledTime",
    "lastSyncTime",
    "lastSyncedTime",
    "lastValidationTime",
    "lastHeartbeatTime",
    "lastProbeTime",
    "lastAppliedTime",
    "lastAttemptTime",
    "lastAttemptedTime",
    "lastChecked",
    "refreshTime",
    // Of what KubeFleet and cluster inventories observe.
    "observationTime",
    "firstDriftedObservedTime",
    "firstDiffedObservedTime",
    "dateAdded",
];

/// Maps below `status` whose `time` says when something failed: of a VolumeAttachment.
const FAILED: [&str; 2] = ["attachError", "detachError"];

/// Levels below `status` in which lists of conditions are looked for (binding statuses nest them).
const CONDITION_DEPTH: u32 = 6;

fn conditions<'a>(node: &'a Node, depth: u32, take: &mut impl FnMut(Option<&'a Node>, Life, Stamped)) {
    if depth > CONDITION_DEPTH {
        return;
    }
    match &node.value {
        Value::Map(entries) => {
            for (key, child) in entries {
                if same_field(key, "conditions") {
                    child.items().iter().for_each(|item| condition(item, take));
                } else if same_field(key, "lastReceivedHeartbeat") {
                    // `agentStatus` of a MemberCluster of KubeFleet.
                    take(Some(child), Life::Agent, Stamped::Heartbeat);
                } else if FAILED.iter().any(|field| same_field(key, field)) {
                    take(child.field("time"), Life::Quiet, Stamped::Happened);
                } else if HAPPENED.iter().any(|field| same_field(key, field)) {
                    take(Some(child), Life::Quiet, Stamped::Happened);
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

/// The reason that the node controller gives when it has not heard of a Node for long, by its own clock.
/// Source: `kubernetes/kubernetes:pkg/controller/nodelifecycle/node_lifecycle_controller.go` (`tryUpdateNodeHealth`).
const LOST: &str = "NodeStatusUnknown";

fn condition<'a>(condition: &'a Node, take: &mut impl FnMut(Option<&'a Node>, Life, Stamped)) {
    let changed = time_at(condition.field("lastTransitionTime")).map(|(time, _)| time);
    for (field, may_beat) in [
        ("lastTransitionTime", false),
        ("lastUpdateTime", false),
        ("lastHeartbeatTime", true),
        // Of a Job it is written once, together with the transition.
        ("lastProbeTime", true),
    ] {
        let node = condition.field(field);
        if field == "lastTransitionTime" && condition.field("reason").and_then(Node::as_str) == Some(LOST) {
            take(node, Life::Quiet, Stamped::Lost);
            continue;
        }
        let beats = may_beat && time_at(node).is_some_and(|(time, _)| changed.is_some_and(|changed| changed < time));
        take(node, if beats { Life::Live } else { Life::Quiet }, Stamped::Condition);
    }
}

/// The newer end of a log (some collectors print the newest line first), as far as it states date and zone, or at
/// least the date. `witness` is whose clock it is.
pub(crate) fn candidate_of_log(member: MemberId, tally: &Tally, witness: &Witness) -> Option<Candidate> {
    let rank = |time: &LineTime| match time {
        LineTime::Exact(_) => Some(Rank::Exact),
        LineTime::Civil(_) => Some(Rank::Civil),
        LineTime::NoYear(_) | LineTime::SinceStart(_) => None,
    };
    let ends = [tally.first, tally.last, tally.newest_exact.map(LineTime::Exact)].into_iter().flatten();
    let (time, rank) = ends.filter_map(|end| Some((end.resolve(None)?, rank(&end)?))).max()?;
    Some(of_log(member, time, rank, witness, "last time inside a log"))
}

/// The newer end of a log without year or zone, of which a line says when it was written. Where the two agree, it is in
/// UTC; else its year alone is known.
pub(crate) fn dated_of_log(member: MemberId, tally: &Tally, witness: &Witness) -> Option<Candidate> {
    const AT_ONCE: i64 = 10 * 60;
    let (stated, apart) = tally.dated?;
    let ends = [tally.first, tally.last].into_iter().flatten();
    let time = ends.filter_map(|end| end.resolve(Some(stated))).max()?;
    let rank = if apart <= AT_ONCE { Rank::Exact } else { Rank::Civil };
    Some(of_log(member, time, rank, witness, "last time inside a log, of which a line states the year"))
}

/// Lines of a log that tells of something all the time, one every so many seconds.
const MANY: i64 = 50;
const OFTEN: i64 = 5 * 60;

/// The newer end of a log without year or zone, by a clock.
pub(crate) fn raising_of_log(
    member: MemberId,
    tally: &Tally,
    witness: &Witness,
    clock: Timestamp,
) -> Option<Candidate> {
    let ends = [tally.first, tally.last].into_iter().flatten();
    let ends = ends.filter(|end| !matches!(end, LineTime::Exact(_)));
    let time = ends.filter_map(|end| end.resolve(Some(clock))).max()?;
    let end =
        of_log(member, time, Rank::NoYear, witness, "last time inside a log, which states no zone and is read as UTC");
    let first = tally.first.and_then(|first| first.resolve(Some(clock)));
    let span = first.map_or(0, |first| time.duration_since(first).as_secs().abs());
    let lines = i64::try_from(tally.lines).unwrap_or(i64::MAX);
    Some(Candidate { steady: lines >= MANY && lines.saturating_mul(OFTEN) >= span, ..end })
}

fn of_log(member: MemberId, time: Timestamp, rank: Rank, witness: &Witness, source: &str) -> Candidate {
    Candidate {
        time,
        until: None,
        rank,
        life: Life::Quiet,
        is_log: true,
        stands_in: false,
        served: false,
        steady: false,
        witness: witness.clone(),
        source: source.to_owned(),
        citation: Some(Citation { member, line: 0, path: String::new(), excerpt: time.to_string().into() }),
    }
}

/// The time of collection, if the stamp is one and can be read.
pub(crate) fn candidate_of_stamp(stamp: &Stamp) -> Option<Candidate> {
    let (rank, time, source) = match stamp.what {
        Stated::CollectedAt => {
            let (time, rank) = stated_time(stamp.text.trim())?;
            // A stated time without a zone is still the collector's own word.
            let rank = if rank == Rank::Civil { Rank::StatedCivil } else { Rank::Stated };
            (rank, time, "time of collection stated by the collector")
        }
        // It is of one of the parts of a text, and another may be younger.
        Stated::NotedAt => (Rank::Exact, exact_time(&stamp.text)?, "time noted in a heading"),
        Stated::NotedDay => {
            (Rank::Day, exact_time(&stamp.text)?, "first moment of a day that somebody noted, wherever that was")
        }
        Stated::ServerVersion => return None,
    };
    Some(Candidate {
        time,
        until: None,
        rank,
        life: Life::Quiet,
        is_log: false,
        stands_in: false,
        // A person's clock does not run ahead.
        served: stamp.what == Stated::NotedAt,
        steady: false,
        witness: Witness::Thing("collector".to_owned()),
        source: source.to_owned(),
        citation: Some(stamp.citation.clone()),
    })
}

/// A time as collectors write it, if it says its zone.
pub(crate) fn exact_time(text: &str) -> Option<Timestamp> {
    stated_time(text.trim()).filter(|(_, rank)| *rank == Rank::Exact).map(|(time, _)| time)
}

/// Times as collectors write them: RFC 3339, `date`, `date -R`, Go's `time.Time.String`.
fn stated_time(text: &str) -> Option<(Timestamp, Rank)> {
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some((time, Rank::Exact));
    }
    if let Some(time) = parse::time::of_date_command(text) {
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
    if let Some(text) = ["UTC", "GMT"].iter().find_map(|zone| text.strip_suffix(zone)?.strip_suffix(' '))
        && let Ok(civil) = text.parse::<jiff::civil::DateTime>()
    {
        return Some((utc(civil)?, Rank::Exact));
    }
    let civil: jiff::civil::DateTime = text.parse().ok()?;
    Some((utc(civil)?, Rank::Civil))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_a_typed_list_of_leases() {
        let json = r#"{"metadata":{"name":"cp-1","namespace":"kube-node-lease"},"spec":{"renewTime":"2026-05-01T12:00:00.123456Z"}}"#;
        let node = parse::json::to_node(json, 1, 100).unwrap();
        let place = Citation::line(MemberId(0), 1, "x");
        let times = |kind: &str| candidates_of_object(&KindName::parse(kind), &node, &place).len();
        assert_eq!((times("leases.coordination.k8s.io"), times("kubeadmconfigs.bootstrap.cluster.x-k8s.io")), (1, 0));
    }

    #[test]
    fn expiries_and_due_dates_are_no_candidates() {
        let json = r#"{"kind":"KubeadmConfig","metadata":{"creationTimestamp":"2026-05-01T10:00:00Z",
            "deletionTimestamp":"2026-06-01T10:00:00Z",
            "annotations":{"machine.cluster.x-k8s.io/certificates-expiry":"2027-05-01T10:00:00Z"}},
            "spec":{"notAfter":"2030-01-01T00:00:00Z","renewTime":"2031-01-01T00:00:00Z"},
            "status":{"expirationTimestamp":"2028-01-01T00:00:00Z",
              "conditions":[{"type":"Ready","lastTransitionTime":"2026-05-01T12:00:00Z"}]}}"#;
        let node = parse::json::to_node(json, 1, 100).unwrap();
        let kind = KindName::parse("kubeadmconfigs.bootstrap.cluster.x-k8s.io");
        let all = candidates_of_object(&kind, &node, &Citation::line(MemberId(0), 1, "x"));
        let shown: Vec<String> = all.iter().map(|c| format!("{} {}", c.time, c.source)).collect();
        assert_eq!(shown, ["2026-05-01T12:00:00Z time of a condition", "2026-05-01T10:00:00Z creationTimestamp"]);
        assert_eq!(all[0].citation.as_ref().map(|c| c.line), Some(6));
        assert_eq!((all[0].stands_in, all[1].stands_in), (false, true));
    }

    #[test]
    fn the_node_controller_tells_by_its_own_clock_that_a_node_is_lost() {
        let newest = |reason: &str| {
            let json = format!(
                r#"{{"metadata":{{"name":"w-2"}},"status":{{"conditions":[{{"type":"Ready","reason":"{reason}",
                "lastHeartbeatTime":"2026-05-01T12:00:00Z","lastTransitionTime":"2026-05-01T12:05:00Z"}}]}}}}"#
            );
            let node = parse::json::to_node(&json, 1, 100).unwrap();
            let all = candidates_of_object(&KindName::parse("nodes"), &node, &Citation::line(MemberId(0), 1, "x"));
            all.first().map(|found| (found.witness.clone(), found.served))
        };
        assert_eq!(newest("NodeStatusUnknown"), Some((Witness::Thing("the node controller".to_owned()), true)));
        assert_eq!(newest("KubeletNotReady"), Some((Witness::Machine("w-2".to_owned()), false)));
    }

    #[test]
    fn what_controllers_tell_of_their_last_look_and_when_an_object_was_deleted() {
        let newest = |json: &str| {
            let node = parse::json::to_node(json, 1, 100).unwrap();
            let kind = KindName::parse("applications.argoproj.io");
            let all = candidates_of_object(&kind, &node, &Citation::line(MemberId(0), 1, "x"));
            all.first().map(|found| format!("{} {:?}", found.time, found.life)).unwrap_or_default()
        };
        let looked = r#"{"metadata":{"creationTimestamp":"2026-05-01T10:00:00Z"},"status":{"reconciledAt":"2026-05-02T10:00:00Z","nextRefreshTime":"2026-07-01T10:00:00Z"}}"#;
        assert_eq!(newest(looked), "2026-05-02T10:00:00Z Quiet");
        let gone = r#"{"metadata":{"creationTimestamp":"2026-05-01T10:00:00Z","deletionTimestamp":"2026-05-02T10:00:30Z","deletionGracePeriodSeconds":30}}"#;
        assert_eq!(newest(gone), "2026-05-02T10:00:00Z Quiet");
    }

    #[test]
    fn a_machine_that_began_with_a_pod_when_it_was_made_has_the_clock_of_the_server() {
        let served = |began: &str| {
            let json = format!(
                r#"{{"metadata":{{"name":"a","creationTimestamp":"2026-05-01T10:00:00Z"}},"spec":{{"nodeName":"n"}},"status":{{"startTime":"{began}","containerStatuses":[{{"lastState":{{"terminated":{{"finishedAt":"2026-05-02T08:00:00Z"}}}}}}]}}}}"#
            );
            let node = parse::json::to_node(&json, 1, 100).unwrap();
            let all = candidates_of_object(&KindName::parse("pods"), &node, &Citation::line(MemberId(0), 1, "x"));
            all.first().map(|found| (found.time.to_string(), found.served))
        };
        assert_eq!(served("2026-05-01T10:00:02Z"), Some(("2026-05-02T08:00:00Z".to_owned(), true)));
        assert_eq!(served("2026-05-01T13:00:02Z"), Some(("2026-05-02T08:00:00Z".to_owned(), false)));
    }

    #[test]
    fn what_is_of_soon_after_an_object_was_made_is_of_the_clock_of_the_server() {
        let served = |changed: &str| {
            let json = format!(
                r#"{{"metadata":{{"creationTimestamp":"2026-03-25T03:18:44Z"}},"status":{{"conditions":[{{"type":"Ready","status":"True","lastTransitionTime":"{changed}"}}]}}}}"#
            );
            let node = parse::json::to_node(&json, 1, 100).unwrap();
            let kind = KindName::parse("machines.cluster.x-k8s.io");
            candidates_of_object(&kind, &node, &Citation::line(MemberId(0), 1, "x")).first().map(|found| found.served)
        };
        assert_eq!(served("2026-03-25T03:25:02Z"), Some(true));
        assert_eq!(served("2026-03-25T05:25:02Z"), Some(false));
    }

    #[test]
    fn both_forms_of_an_event() {
        for json in [
            r#"{"kind":"Event","reason":"x","lastTimestamp":"2026-05-01T12:00:00Z","eventTime":null}"#,
            r#"{"kind":"Event","reason":"x","deprecatedLastTimestamp":null,"series":{"lastObservedTime":"2026-05-01T12:00:00.000000Z"}}"#,
        ] {
            let node = parse::json::to_node(json, 1, 100).unwrap();
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
