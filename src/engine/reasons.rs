//! Reasons of the facts as sentences without their full stop.
//!
//! Invariant: a sentence is made here and read by people alone.

use crate::gap::{PathOf, Why};
use catalogue::nouns;
use facts::human_duration;
use facts::kind::KindName;
use facts::object::ContextId;
use facts::path::{Path, Step};
use facts::presence::How;
use facts::store::{Facts, Mixed, Stream};
use facts::unknown::{Said, Unknown, Unproven, WhyUnproven, namespaces};

/// Sources that are spelt out; the others are counted.
const NAMED: usize = 4;

/// Why something is not known.
pub(crate) fn why(why: &Why) -> String {
    match why {
        Why::OfPath { path, name, why } => {
            format!("{} of {} is not known: {}", at(path), nouns::object(&path.kind, name), self::why(why))
        }
        Why::Masked(None) => "its value is masked".to_owned(),
        Why::Masked(Some(path)) => format!("{} is masked", at(path)),
        Why::LookUp(unknown) => self::unknown(unknown),
        Why::SomeItems(None) => "the list may go on behind what is shown of it".to_owned(),
        Why::SomeItems(Some(path)) => format!("the list in {} may go on behind what is shown of it", at(path)),
        Why::NotSetOrEmpty => "the form prints the same for not set and empty".to_owned(),
        Why::Reads(values, _) => format!("it reads {}", values.join(" or ")),
        Why::NotCompared(left, right) => format!("{left} and {right} do not tell"),
        Why::Version(kind, name, versions) => {
            format!("{kind} {name} was not seen in an API version that tells ({})", versions.join(", "))
        }
        Why::Differ(path) => format!("sightings differ in {}", at(path)),
        Why::NoWording(path, name) => {
            format!("{} of {} matches no known wording", at(path), nouns::object(&path.kind, name))
        }
        Why::NoClock => "nothing in the bundle says when it was collected".to_owned(),
        Why::NoZone => "the clock of the bundle states no time zone, and its age depends on it".to_owned(),
        Why::NoTime(values) => format!("{} is neither a time nor an age", values.join(" or ")),
        Why::TimesDiffer => "sources give different times".to_owned(),
        Why::TimeNotStated => "what it belongs to is there and states no time".to_owned(),
        Why::NotComparable(path) => format!("{} and what it is compared with do not tell", at(path)),
        Why::NoObject(kind, name) => format!("{kind} {name} itself is not in the bundle"),
        Why::RoleUnknown(context, role) => format!("it is not known whether {context} is a {role} cluster"),
        Why::Filter => "its conditions cannot be told".to_owned(),
        Why::Referred(kind, name, by) => format!("{kind} {name} is known only because {by} refers to it"),
        Why::OneOfSeveral(kind, name) => format!("{} could be one of several objects", nouns::object(kind, name)),
        Why::MayBeGone(kind, name, how) => {
            format!("{} may be gone: {}, and it is not known which was later", nouns::object(kind, name), ended(*how))
        }
        Why::InDispute(path) => format!("{} rests on what may be gone", at(path)),
        Why::Unrelated(count) => format!("{count} objects do not show whether they belong to it"),
        Why::Unproven(unproven) => self::unproven(unproven),
        Why::NoNamespace(name) => format!("the namespace of {name} was never shown"),
        Why::NoAttribute(word) => format!("`{word}` is no attribute of an entity"),
        Why::NoValue(name) => format!("`{name}` has no value"),
        Why::NotCaptured(names) => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("nothing that was found says what {} is", names.join(" and "))
        }
        Why::NotOnBothSides => "what must differ is not known on both sides".to_owned(),
        Why::NoCluster => "the name of the cluster is not set".to_owned(),
        Why::OtherValues(names, _) => format!("there may be other values of `{}`", names.join(", ")),
        Why::NotNear(count, seconds, of) => {
            let of = of.as_deref().unwrap_or("the bundle's own clock");
            format!("{count} such lines are not known to be within {seconds}s of {of}")
        }
        Why::Untied(count, name) => format!("{count} such lines cannot be tied to {name}"),
        Why::NoLog(None) => "no log was collected".to_owned(),
        Why::NoLog(Some(class)) => format!("no log of {class} was collected"),
        Why::NoLine(streams) => {
            let logs = if *streams == 1 { "the log" } else { "the logs" };
            format!("no such line in {logs} that was collected, and a log is never known to be whole")
        }
        Why::NotInThatLog => "that log has no such line, and logs are never known to be whole".to_owned(),
        Why::Undated(count) => {
            let lines = if *count == 1 { "one such line" } else { "such lines" };
            format!("that log has {lines} without a time, so it is not known how long before its end they were written")
        }
        Why::ShownFor(0) => "only a moment of that log is shown".to_owned(),
        Why::ShownFor(seconds) => format!("only {} of that log are shown", human_duration::in_words(*seconds)),
        Why::FewLines(found) => format!("only {found} such lines, and logs are never known to be whole"),
        Why::NoRole(role) => format!("no cluster of the role {role} was recognised in the bundle"),
        Why::MoreOfRole(role) => format!("there may be {role} clusters that are not in the bundle"),
        Why::NothingOf(name) => {
            format!("nothing in the bundle is known to come from the workload cluster `{name}`")
        }
    }
}

/// A path as a sentence names it.
fn at(PathOf { kind, path }: &PathOf) -> String {
    said(kind, path)
}

/// The same: what a condition has in words, since every kind has conditions; what Casefile made in the words of its
/// fields; any other path as it is written.
fn said(kind: &KindName, path: &Path) -> String {
    let in_words = nouns::path(kind, path);
    if nouns::nouns(kind).is_some() {
        return format!("“{in_words}”");
    }
    let of_condition = |field: &str| match field {
        "status" => Some("the status"),
        "reason" => Some("the reason"),
        "message" => Some("the message"),
        "lastTransitionTime" => Some("the time"),
        _ => None,
    };
    match path.0.as_slice() {
        [.., Step::Field(list), Step::Pick { field, value }, Step::Field(last)]
            if list == "conditions" && field == "type" =>
        {
            of_condition(last).map(|what| format!("{what} of its condition `{value}`"))
        }
        _ => None,
    }
    .unwrap_or_else(|| format!("`{in_words}`"))
}

/// Of what Casefile reads off several sources: those that a cluster's bundle lacks, where they would tell. `None` if the
/// reason is another one.
pub(crate) fn missing(facts: &Facts, context: ContextId, why: &Why) -> Option<String> {
    match why {
        Why::OfPath { why, .. } => missing(facts, context, why),
        Why::LookUp(Unknown::NotShown { kind, .. }) => {
            let sources = nouns::put_together_from(kind)?;
            let (kinds, logs) = nouns::made_of(kind);
            let is_there = |class: &str| {
                let of_class = |stream: &&Stream| stream.context == context && stream.class.as_deref() == Some(class);
                facts.streams.iter().any(|stream| of_class(&stream))
            };
            let lacking = kinds.iter().filter(|kind| facts.of_kind(context, kind).is_empty()).map(nouns::source);
            let without = logs.iter().filter(|class| !is_there(class)).map(|class| format!("logs of {class}"));
            let mut lacking: Vec<String> = lacking.chain(without).collect();
            let more = lacking.len().saturating_sub(NAMED);
            lacking.truncate(NAMED);
            let named = lacking.join(", ");
            Some(match (named.is_empty(), more) {
                (true, _) => format!("{sources} were collected and do not tell"),
                (false, 0) => format!("not collected: {named}"),
                (false, more) => format!("not collected: {named} and {more} more"),
            })
        }
        // What was seen one by one was collected; what is missing is a list of all.
        Why::Unproven(Unproven { kind, context: name, why: WhyUnproven::NeverAsked, .. })
            if nouns::nouns(kind).is_none() && !facts.of_kind(context, kind).is_empty() =>
        {
            Some(format!("no list of {kind} was collected from {name}, only some of them"))
        }
        _ => None,
    }
}

/// What says that an object is not there any more.
pub(crate) fn ended(how: How) -> &'static str {
    match how {
        How::NotFound => "the API server answered that it is not found",
        How::Deleted => "it was deleted",
        How::NotListed => "a whole list does not name it",
        How::Replaced => "another object has its name",
        How::RunsAgain => "its container was started again, and is ready",
    }
}

/// Why it is not known what a path says.
fn unknown(unknown: &Unknown) -> String {
    match unknown {
        Unknown::NotShown { kind, name, path } => not_shown(kind, name, path),
        Unknown::LeftOpen(reason) => reason.clone(),
        Unknown::Disagree(said) => {
            let one = |Said { value, member, line }: &Said| format!("{value} in {member}:{line}");
            let said: Vec<String> = said.iter().map(one).collect();
            format!("sources disagree and their order is not known: {}", said.join(", "))
        }
    }
}

fn not_shown(kind: &KindName, name: &str, path: &Path) -> String {
    let named = nouns::object(kind, name);
    match nouns::put_together_from(kind) {
        Some(sources) => format!("what was collected of {sources} does not tell"),
        None => format!("{named} is here, but nothing that was collected of it shows {}", said(kind, path)),
    }
}

/// Why it is not known whether there are others.
fn unproven(unproven: &Unproven) -> String {
    let Unproven { kind, context, namespace, why } = unproven;
    match why {
        WhyUnproven::NeverAsked => {
            nouns::never_whole(kind, context).unwrap_or_else(|| format!("{kind} were not collected from {context}"))
        }
        WhyUnproven::OtherNamespaces => {
            let namespace = namespace.as_deref().unwrap_or_default();
            format!("{kind} of namespace {namespace} were not collected from {context}")
        }
        WhyUnproven::Forbidden(text) => format!("{kind} could not be read: {text}"),
        WhyUnproven::Failed(text) => format!("collecting {kind} failed: {text}"),
        WhyUnproven::Partial(text) => format!("the list of {kind} is not whole: {text}"),
        WhyUnproven::Truncated(text) => format!("the list of {kind} was cut: {text}"),
        WhyUnproven::Removed(text) => format!("{kind} were removed by the collector: {text}"),
        WhyUnproven::OneName(name) => format!("only `{name}` was asked for among {kind}"),
        WhyUnproven::Selected => format!("{kind} were asked for with a selector only"),
        WhyUnproven::SomeOnly => format!("only some {kind} were collected from {context}, not a whole list"),
        WhyUnproven::ListedIn(some) => {
            format!("{kind} were listed only in {}, not in all namespaces", namespaces(some))
        }
        WhyUnproven::NamespacesUnknown => format!("no list says which namespaces its {kind} are from"),
        WhyUnproven::MayBeFiltered => {
            format!("the list of {kind} is empty, and without its command nobody knows whether it was filtered")
        }
        WhyUnproven::Older => {
            format!("the list of {kind} is older than what refers to them, so that they may have been made since")
        }
        WhyUnproven::Forgotten => {
            "events are kept for an hour only, so a list of them cannot show that something did not happen".to_owned()
        }
        WhyUnproven::TwoClusters(mixed) => {
            let sign = match mixed {
                Mixed::TwoUids(kind, name) => format!("{} has two UIDs", nouns::object(kind, name)),
                Mixed::NoSuchKind(kind) => {
                    format!("it holds {kind}, and the API server said that it does not know them")
                }
            };
            format!(
                "{context} shows two clusters that nothing keeps apart ({sign}), so what it lacks says nothing; \
                     tell them apart with `--context NAME=FOLDER`"
            )
        }
    }
}
