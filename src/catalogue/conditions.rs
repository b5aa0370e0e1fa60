//! What an object of any kind says of itself that is wrong: a condition, a phase (`patterns/conditions.yaml`).
//!
//! Why data: whether `True` is good is decided by each type of condition, and new types are invented every day. A type
//! that nobody knows says something here only where its reason or message is that of a failure.
//!
//! Invariant: what says that something is only under way, or was chosen, is never wrong.

use crate::{built_in, made_names, wordings};
use facts::kind::KindName;
use facts::node::{Node, Value};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Conditions {
    #[serde(rename = "schema")]
    _schema: u32,
    neither: BTreeSet<String>,
    wrong: BTreeSet<String>,
    well: BTreeSet<String>,
    failing: BTreeSet<String>,
    unheard: BTreeSet<String>,
    unheard_says: Vec<String>,
    benign: BTreeSet<String>,
    /// Messages that say the same as a benign reason, where a form shows no reason.
    waiting: Vec<Waiting>,
    under_way: BTreeSet<String>,
    /// Types that are True while an object replaces what it is made of.
    rolling: BTreeSet<String>,
    phases: BTreeSet<String>,
    /// Values of the same fields for a run that got through.
    finished: BTreeSet<String>,
    /// Values of the same fields for an object that was stopped or paused on purpose.
    resting: BTreeSet<String>,
    /// Values of `status.phase` for an object that is still being made.
    making: BTreeSet<String>,
    /// Kinds of which a new object is made each time.
    runs: Vec<String>,
    /// Labels that name what an object belongs to, with its kind.
    labels: BTreeMap<String, String>,
    kinds: Vec<Kind>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kind {
    kind: String,
    /// Nothing that its objects say is read here.
    of_its_own: bool,
}

/// A message by what stands around a name in it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Waiting {
    begins: String,
    ends: String,
}

static ALL: LazyLock<Conditions> = LazyLock::new(|| built_in::document("conditions.yaml").unwrap_or_default());

static OF_THEIR_OWN: LazyLock<BTreeSet<KindName>> =
    LazyLock::new(|| ALL.kinds.iter().filter(|kind| kind.of_its_own).map(|kind| KindName::parse(&kind.kind)).collect());

static RUNS: LazyLock<BTreeSet<KindName>> =
    LazyLock::new(|| ALL.runs.iter().map(|kind| KindName::parse(kind)).collect());

/// Something that an object says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// `Ready=False`, `phase Failed`.
    pub what: String,
    /// The reason that stands beside it.
    pub reason: String,
    pub message: String,
    /// The reason says that it only takes its time.
    pub under_way: bool,
    /// Its reason or severity is that of a failure, which does not pass by waiting.
    pub failed: bool,
    /// Since when, as it stands there: a time, or how long ago.
    pub since: Option<String>,
    /// The lines where it stands.
    pub lines: Vec<u32>,
}

/// The plural of what shows conditions and not its kind, in our group.
const OF_NO_KIND: &str = "objects";

/// Where an object says in one word how it is.
const PHASES: [&[&str]; 4] =
    [&["status", "phase"], &["status", "state"], &["status", "health", "status"], &["status", "health"]];

/// Where it says so whether somebody has put it to rest.
const POWER: [&[&str]; 4] =
    [&["status", "printableStatus"], &["status", "powerState"], &["status", "phase"], &["status", "state"]];

/// Is what objects of this kind say of themselves read by other rules?
pub fn is_of_its_own(kind: &KindName) -> bool {
    kind.group == "casefile.dev" && kind.plural != OF_NO_KIND || OF_THEIR_OWN.contains(kind)
}

/// Is an object of this kind made anew each time, so that only the newest tells how things are?
pub fn is_run(kind: &KindName) -> bool {
    RUNS.contains(kind)
}

/// Does this word say that a run got through?
pub fn is_finished(word: &str) -> bool {
    ALL.finished.contains(&word.to_ascii_lowercase())
}

/// Does a message say that it waits for another object, which says itself what is wrong with it?
pub fn waits(message: &str) -> bool {
    let message = message.trim();
    ALL.waiting.iter().any(|known| message.starts_with(&known.begins) && message.ends_with(&known.ends))
}

/// Does this word say that somebody has put it to rest?
pub fn is_resting(word: &str) -> bool {
    ALL.resting.contains(&word.to_ascii_lowercase())
}

/// Does the reason of a condition say that something is under way?
#[must_use]
pub fn is_under_way(reason: &str) -> bool {
    is_in(&ALL.under_way, reason)
}

/// Does an object say that it is a run that got through?
pub fn has_finished(object: &Node) -> bool {
    PHASES.iter().filter_map(|path| object.at(path)?.as_str()).any(is_finished)
}

/// What the runs of one thing have in common in their names: all but a number, a date or five random characters behind
/// it. A name without such an end is its own.
pub fn family(name: &str) -> &str {
    let is_number = |end: &str| !end.is_empty() && end.bytes().all(|b| b.is_ascii_digit());
    let mut stem = name;
    while let Some((before, end)) = stem.rsplit_once(['-', '.']).filter(|(before, _)| !before.is_empty()) {
        // Nothing stands behind the random end, and a date is several numbers.
        if !(is_number(end) || made_names::is_random(end) && stem.len() == name.len()) {
            break;
        }
        stem = before;
    }
    stem
}

/// The kind of what a label names, if it says what an object belongs to.
pub fn kind_of_label(label: &str) -> Option<&'static str> {
    ALL.labels.get(label).map(String::as_str)
}

/// The types of which it is known whether `True` is good, one by one.
pub fn types() -> impl Iterator<Item = &'static str> {
    ALL.wrong.iter().chain(&ALL.well).map(String::as_str).filter(|name| !name.contains('*'))
}

/// Does a type or reason stand in a list, itself or by how it begins or ends?
fn is_in(list: &BTreeSet<String>, name: &str) -> bool {
    let fits = |known: &String| match (known.strip_prefix('*'), known.strip_suffix('*')) {
        (Some(end), _) => name.len() > end.len() && name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        (None, None) => false,
    };
    list.contains(name) || list.iter().any(fits)
}

/// Does a condition of this type and status say that something is wrong?
fn is_wrong(kind: &str, status: &str) -> bool {
    if is_in(&ALL.neither, kind) {
        return false;
    }
    if is_in(&ALL.wrong, kind) {
        return status.eq_ignore_ascii_case("true");
    }
    is_in(&ALL.well, kind) && status.eq_ignore_ascii_case("false")
}

/// Does nobody know any more whether it is well, since nobody hears of it?
fn is_unheard(kind: &str, status: &str, reason: &str, message: &str) -> bool {
    let lower = || message.to_lowercase();
    // A row of a table shows neither; of a type that is True while all is well nobody knows then.
    let is_bare = || reason.is_empty() && message.is_empty() && is_in(&ALL.well, kind);
    let says = || ALL.unheard_says.iter().any(|text| lower().contains(text.as_str()));
    status.eq_ignore_ascii_case("unknown")
        && !is_in(&ALL.neither, kind)
        && !is_in(&ALL.wrong, kind)
        && (is_in(&ALL.unheard, reason) || says() || is_bare())
}

/// Does a condition that is false, of a type that nobody knows, say by its reason or message that something failed?
fn tells_of_failure(kind: &str, status: &str, reason: &str, message: &str) -> bool {
    let lists = [&ALL.neither, &ALL.wrong, &ALL.well];
    status.eq_ignore_ascii_case("false")
        && !lists.into_iter().any(|list| is_in(list, kind))
        && (is_in(&ALL.failing, reason) || wordings::first("why-ended", message).is_some())
}

/// Everything that an object says of itself that is wrong. One that is switched off says nothing, and of one that is being
/// deleted no condition counts: things then go down as they should.
pub fn wrong(object: &Node) -> Vec<Said> {
    let switched_off = ["suspend", "suspended", "paused"]
        .iter()
        .any(|key| object.at(&["spec", key]).and_then(is_true).unwrap_or(false));
    let rests = |path: &&[&str]| object.at(path).and_then(Node::as_str).is_some_and(is_resting);
    let rests = POWER.iter().any(rests);
    if switched_off || object.at(&["metadata", "deletionTimestamp"]).is_some() {
        return Vec::new();
    }
    let conditions = object.at(&["status", "conditions"]).map(Node::elements).unwrap_or_default();
    let mut said: Vec<Said> = conditions.iter().filter_map(condition).collect();
    // It need not be ready then; what is True while something is wrong, or failed, still says so.
    said.retain(|said| !rests || said.failed || said.what.to_ascii_lowercase().ends_with("=true"));
    // Several conditions often pass one word on. A summary may pass on the reason alone, and count in its message.
    let told: Vec<(String, String)> = said.iter().map(|said| (said.reason.clone(), said.message.clone())).collect();
    let mut reasons = BTreeSet::new();
    said.retain(|said| said.reason.is_empty() || reasons.insert(said.reason.clone()));
    for said in said.iter_mut().filter(|said| !said.reason.is_empty() && only_counts(&said.message)) {
        let fuller = told.iter().find(|(reason, message)| *reason == said.reason && !only_counts(message));
        said.message = fuller.map_or_else(|| std::mem::take(&mut said.message), |(_, message)| message.clone());
    }
    // What it has meanwhile is not all well, and is not said for long.
    if conditions.iter().any(is_rolling) {
        said.iter_mut().filter(|said| !said.failed).for_each(|said| said.under_way = true);
    }
    if said.is_empty() {
        said.extend(PHASES.iter().find_map(|path| phase(object, path)));
    }
    said
}

/// Does a condition say that its object replaces what it is made of?
fn is_rolling(condition: &Node) -> bool {
    let text = |key: &str| condition.field(key).and_then(|field| field.value.scalar()).unwrap_or_default();
    text("status") == "True" && is_in(&ALL.rolling, &text("type"))
}

/// Is it how many of how many are done (`5 of 6 completed`), or nothing?
fn only_counts(message: &str) -> bool {
    let mut words = message.split_whitespace();
    let is_number = |word: Option<&str>| word.is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()));
    message.trim().is_empty() || is_number(words.next()) && words.next() == Some("of") && is_number(words.next())
}

/// Does an object say that it is being made?
pub fn is_made(object: &Node) -> bool {
    let word = object.at(&["status", "phase"]).and_then(Node::as_str).unwrap_or_default();
    ALL.making.contains(&word.to_ascii_lowercase())
}

/// A condition that says that something is wrong.
fn condition(node: &Node) -> Option<Said> {
    let text = |key: &str| node.field(key).and_then(|field| field.value.scalar()).unwrap_or_default();
    let (kind, status, reason) = (text("type"), text("status"), text("reason"));
    // Cluster API says with a severity of `Info` that it only waits. With another one a condition that is False is wrong
    // whatever its type: `cluster-api:docs/proposals/20200506-conditions.md`.
    let severity = text("severity").to_ascii_lowercase();
    let severe = ["error", "warning"].contains(&severity.as_str()) && status == "False" && !is_in(&ALL.neither, &kind);
    let is_wrong = severe
        || is_wrong(&kind, &status)
        || tells_of_failure(&kind, &status, &reason, &text("message"))
        || is_unheard(&kind, &status, &reason, &text("message"));
    // A table shows no reason.
    let message = text("message");
    let is_benign = is_in(&ALL.benign, &reason) || reason.is_empty() && waits(&message);
    if severity == "info" || !is_wrong || is_benign {
        return None;
    }
    // Programs that print a condition print how long ago that was.
    let since = [text("lastTransitionTime"), text("since")].into_iter().find(|since| !since.is_empty());
    let under_way = is_in(&ALL.under_way, &reason);
    // What Cluster API calls a warning is tried again, whatever the reason is called.
    let failed = severity == "error" || severity.is_empty() && is_in(&ALL.failing, &reason);
    let mut lines: Vec<u32> = node.entries().iter().map(|(_, field)| field.line).chain([node.line]).collect();
    lines.sort_unstable();
    lines.dedup();
    Some(Said { what: format!("{kind}={status}"), reason, message, under_way, failed, since, lines })
}

/// A phase, state or health that says so.
fn phase(object: &Node, path: &[&str]) -> Option<Said> {
    let node = object.at(path)?;
    let key = path.get(1)?;
    let phase = node.as_str()?;
    // A run that has ended is history.
    let ended =
        ["completionTime", "completionTimestamp", "finishedAt"].iter().any(|end| object.at(&["status", end]).is_some());
    if ended || !ALL.phases.contains(&phase.to_ascii_lowercase()) {
        return None;
    }
    let text =
        |keys: &[&str]| keys.iter().find_map(|key| object.at(&["status", key])?.value.scalar()).unwrap_or_default();
    Some(Said {
        what: format!("{key} {phase}"),
        reason: text(&["reason", "failureReason", "errorReason"]),
        message: text(&["message", "failureMessage", "errorMessage"]),
        under_way: false,
        failed: false,
        since: None,
        lines: vec![node.line],
    })
}

fn is_true(node: &Node) -> Option<bool> {
    match &node.value {
        Value::Bool(value) => Some(*value),
        _ => node.as_str().map(|text| text.eq_ignore_ascii_case("true")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(status: &[(&str, &str, &str)]) -> Node {
        let condition = |(kind, value, reason): &(&str, &str, &str)| {
            let mut node = Node::map(3);
            for (key, text) in [("type", kind), ("status", value), ("reason", reason)] {
                node.set(key, Node::str(3, *text));
            }
            node
        };
        let mut object = Node::map(1);
        object.set_at(&["status", "conditions"], Node::new(2, Value::List(status.iter().map(condition).collect())));
        object
    }

    fn said(status: &[(&str, &str, &str)]) -> String {
        wrong(&object(status))
            .into_iter()
            .map(|said| format!("{} {}", said.what, said.reason))
            .collect::<Vec<_>>()
            .join(", ")
    }

    #[test]
    fn polarity_is_by_type() {
        assert_eq!(said(&[("Ready", "False", "NoBroker"), ("Degraded", "False", "")]), "Ready=False NoBroker");
        assert_eq!(said(&[("Ready", "True", ""), ("Stalled", "True", "Broken")]), "Stalled=True Broken");
        assert_eq!(
            said(&[("StaticPodsDegraded", "True", "X"), ("Upgradeable", "False", "Y")]),
            "StaticPodsDegraded=True X"
        );
        assert_eq!(said(&[("NotReady", "False", ""), ("NotReady", "True", "Z")]), "NotReady=True Z");
        assert_eq!(said(&[("Odd", "False", ""), ("Progressing", "False", "")]), "");
        // As a row of a table shows it.
        assert_eq!(said(&[("Ready", "Unknown", "")]), "Ready=Unknown ");
        assert_eq!(said(&[("Ready", "False", "PodCompleted")]), "");
        // Nobody hears of it any more; or nobody has looked yet.
        assert_eq!(
            said(&[("Ready", "Unknown", "ClusterStatusUnknown"), ("Joined", "Unknown", "Initializing")]),
            "Ready=Unknown ClusterStatusUnknown"
        );
    }

    #[test]
    fn a_type_that_nobody_knows_may_tell_of_a_failure() {
        let object = |kind: &str, status: &str, reason: &str, message: &str| {
            let text = |text: &str| Node::str(1, text);
            let fields = [("type", kind), ("status", status), ("reason", reason), ("message", message)];
            let condition = Value::Map(fields.map(|(key, value)| (key.into(), text(value))).to_vec());
            let mut object = Node::map(1);
            object.set_at(&["status", "conditions"], Node::new(1, Value::List(vec![Node::new(1, condition)])));
            wrong(&object).len()
        };
        assert_eq!(object("ContinuousArchiving", "False", "ContinuousArchivingFailing", "exit status 1"), 1);
        assert_eq!(object("Mirroring", "False", "Mirror", "dial tcp 198.51.100.7:443: i/o timeout"), 1);
        assert_eq!(object("BucketReachable", "False", "Denied", "AccessDenied: access denied"), 1);
        // Of these nobody can tell.
        assert_eq!(
            object("LiveMigratable", "False", "DisksNotLiveMigratable", "cannot migrate VMI: PVC is not shared"),
            0
        );
        assert_eq!(object("Mirroring", "True", "MirrorFailed", "dial tcp 198.51.100.7:443: i/o timeout"), 0);
        assert_eq!(object("Progressing", "False", "ReconcileFailed", "x"), 0);
        assert_eq!(object("Archiving", "False", "NotConfigured", "no store is set"), 0);
    }

    #[test]
    fn a_reason_may_say_that_something_failed_whatever_its_type() {
        let says = |reason| wrong(&object(&[("ProviderStarted", "False", reason)])).len();
        assert_eq!(["FailedToStart", "InvalidRegion", "SyncTimedOut"].map(says), [1, 1, 1]);
        assert_eq!(["NotStarted", "Idle"].map(says), [0, 0]);
    }

    #[test]
    fn a_reason_may_say_that_it_is_under_way() {
        let under_way = |reason| {
            wrong(&object(&[("Ready", "False", reason)])).iter().map(|said| said.under_way).collect::<Vec<_>>()
        };
        assert_eq!(under_way("PendingBroker"), [true]);
        assert_eq!(under_way("UpgradeInProgress"), [true]);
        assert_eq!(under_way("NoBroker"), [false]);
        // Whoever it waits for says more.
        assert_eq!(under_way("WaitingForBroker"), Vec::<bool>::new());
    }

    #[test]
    fn what_an_object_says_while_it_rolls_is_under_way() {
        let rolls = |status, reason| {
            let said = wrong(&object(&[("RollingOut", status, "RollingOut"), ("MachinesReady", "False", reason)]));
            said.iter().map(|said| said.under_way).collect::<Vec<_>>()
        };
        assert_eq!(rolls("True", "NotReady"), [true]);
        assert_eq!(rolls("False", "NotReady"), [false]);
        assert_eq!(rolls("True", "CloneFailed"), [false]);
    }

    #[test]
    fn what_is_switched_off_goes_away_or_has_ended_says_nothing() {
        let broken = object(&[("Ready", "False", "X")]);
        for (keys, text) in [(["spec", "suspend"], "true"), (["metadata", "deletionTimestamp"], "2026-05-14T10:00:00Z")]
        {
            let mut node = broken.clone();
            node.set_at(&keys, Node::str(1, text));
            assert_eq!(wrong(&node), Vec::new(), "{keys:?}");
        }
        let mut run = Node::map(1);
        run.set_at(&["status", "phase"], Node::str(2, "Failed"));
        assert_eq!(wrong(&run).len(), 1);
        run.set_at(&["status", "completionTime"], Node::str(2, "2026-05-14T10:00:00Z"));
        assert_eq!(wrong(&run), Vec::new());
    }

    #[test]
    fn runs_of_one_thing_have_one_family() {
        for (name, stem) in [
            ("etl-x7k2p", "etl"),
            ("nightly-20261110010000", "nightly"),
            ("dump-2026-11-10", "dump"),
            ("dump-2026-11-10-x7k2p", "dump"),
            ("api-tls-2", "api-tls"),
            ("etl-store", "etl-store"),
            ("etl", "etl"),
            ("2026", "2026"),
            ("-7", "-7"),
        ] {
            assert_eq!(family(name), stem, "{name}");
        }
        assert!(is_finished("Completed") && !is_finished("Running") && !is_finished("Available"));
    }

    #[test]
    fn a_summary_that_counts_gives_the_word_to_the_condition_of_its_reason() {
        let condition = |kind: &str, reason: &str, message: &str| {
            let fields =
                [("type", kind), ("status", "False"), ("severity", "Error"), ("reason", reason), ("message", message)];
            Node::new(1, Value::Map(fields.map(|(key, value)| (key.into(), Node::str(1, value))).to_vec()))
        };
        let told = |all: Vec<Node>| {
            let mut object = Node::map(1);
            object.set_at(&["status", "conditions"], Node::new(1, Value::List(all)));
            wrong(&object)
                .into_iter()
                .map(|said| format!("{}: {}", said.what, said.message))
                .collect::<Vec<_>>()
                .join("; ")
        };
        let part = |reason| condition("DrawbridgeReady", reason, "the chain is stuck");
        assert_eq!(
            told(vec![condition("Ready", "Stuck", "5 of 6 completed"), part("Stuck")]),
            "Ready=False: the chain is stuck"
        );
        assert_eq!(told(vec![condition("Ready", "Stuck", "5 of 6 completed")]), "Ready=False: 5 of 6 completed");
        let said = told(vec![condition("Ready", "Stuck", "the moat is dry"), part("Stuck")]);
        assert_eq!(said, "Ready=False: the moat is dry");
        let said = told(vec![condition("Ready", "Dry", "5 of 6 completed"), part("Stuck")]);
        assert_eq!(said, "Ready=False: 5 of 6 completed; DrawbridgeReady=False: the chain is stuck");
    }

    #[test]
    fn what_waits_for_another_one_leaves_the_word_to_it() {
        let said = |message: &str, reason: &str| {
            let fields = [("type", "Ready"), ("status", "False"), ("reason", reason), ("message", message)];
            let condition = Value::Map(fields.map(|(key, value)| (key.into(), Node::str(1, value))).to_vec());
            let mut object = Node::map(1);
            object.set_at(&["status", "conditions"], Node::new(1, Value::List(vec![Node::new(1, condition)])));
            wrong(&object).len()
        };
        assert_eq!(said("dependency 'moat/apps' is not ready", ""), 0);
        assert_eq!(said("dependency 'moat/apps' is not ready", "Odd"), 1, "its own reason says more");
        assert_eq!(said("dependency 'moat/apps' was not found", ""), 1);
    }

    #[test]
    fn what_somebody_has_put_to_rest_is_not_wrong() {
        let with = |path: &[&str; 2], word: &str| {
            let mut node = object(&[("Ready", "False", "")]);
            node.set_at(path, Node::str(2, word));
            wrong(&node).len()
        };
        assert_eq!(with(&["status", "printableStatus"], "Stopped"), 0);
        assert_eq!(with(&["status", "powerState"], "Hibernating"), 0);
        assert_eq!(with(&["status", "printableStatus"], "CrashLoopBackOff"), 1);
        assert_eq!(with(&["status", "phase"], "Running"), 1);
    }

    #[test]
    fn no_type_stands_in_two_lists() {
        let lists = [&ALL.neither, &ALL.wrong, &ALL.well];
        for (at, list) in lists.iter().enumerate() {
            assert!(!list.is_empty());
            for other in lists.iter().skip(at + 1) {
                assert_eq!(list.intersection(other).collect::<Vec<_>>(), Vec::<&String>::new());
            }
        }
        assert!(is_of_its_own(&KindName::parse("pods")) && !is_of_its_own(&KindName::parse("widgets.example.com")));
    }
}
