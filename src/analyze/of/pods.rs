//! Analyzers of Pods and Events: `clusterPodStatuses`, `clusterContainerStatuses`, `event`.
//!
//! Source: `replicatedhq/troubleshoot:pkg/analyze/{cluster_pod_statuses,cluster_container_statuses,event}.go`,
//! `pkg/k8sutil/pod.go`.

use super::status::rest;
use crate::ask::{Answer, Ask, first};
use crate::known::{Known, Open, Why, shown};
use crate::message::filled;
use crate::spec::{Outcome, truth};
use crate::when::{bad, named};
use crate::world::{World, fields};
use facts::kind::KindName;
use facts::node::Node;
use facts::object::ObjectId;
use facts::origin::Citation;
use printer::Cell;
use regex::Regex;

const STATUS: &str = "a status or `Healthy`, such as `!= Healthy` or `= CrashLoopBackOff`";
/// Troubleshoot's own message, for an outcome that has none.
const DEFAULT: &str =
    "Pod {{ .Namespace }}/{{ .Name }} status is {{ .Status.Reason }}. Message is: {{ .Status.Message }}";

/// What is known of the status of a Pod.
struct Status {
    phase: String,
    /// As kubectl prints it.
    reason: String,
    at: Vec<Citation>,
}

fn status(world: &World<'_>, id: ObjectId) -> Known<Status> {
    let own = world.text(id, &["status", "reason"]).ok().filter(|(own, _)| !own.is_empty());
    let phase = world.text(id, &["status", "phase"]);
    let printed = match printer::pod::cells(world.facts, id) {
        [_, Cell::Text(status), _] => Some(status),
        _ => None,
    };
    let reason = own.as_ref().map(|(own, _)| own.clone()).or(printed);
    let at = match (&own, &phase) {
        (Some((_, at)), _) | (None, Ok((_, at))) => vec![at.clone()],
        _ => world.cite(id),
    };
    let open = || Open { why: Why::NotShown { object: world.name(id), path: "status".to_owned() }, at: world.cite(id) };
    let reason = reason.ok_or_else(open)?;
    Ok(Status { phase: phase.map(|(phase, _)| phase).unwrap_or_default(), reason, at })
}

/// Is a Pod well? Completed is; running is, if all of its containers are ready.
fn is_healthy(world: &World<'_>, id: ObjectId, status: &Status) -> Known<bool> {
    if matches!(status.phase.as_str(), "Failed" | "Pending" | "Unknown") {
        return Ok(false);
    }
    match status.reason.as_str() {
        "Completed" => Ok(true),
        "Running" => {
            let statuses = world.items(id, &["status", "containerStatuses"]);
            match (statuses, printer::pod::cells(world.facts, id)) {
                (Ok(items), _) if !items.is_empty() => Ok(items.iter().all(|one| text(one, &["ready"]) == "true")),
                (_, [Cell::Text(ready), ..]) => Ok(ready.split_once('/').is_some_and(|(ready, all)| ready == all)),
                (Err(open), _) => Err(open),
                (Ok(_), _) => Ok(true),
            }
        }
        _ => Ok(false),
    }
}

fn text(node: &Node, path: &[&str]) -> String {
    node.at(path).and_then(|node| node.value.scalar()).unwrap_or_default()
}

pub(crate) fn statuses(ask: &Ask<'_>) -> Vec<Answer> {
    let listed = ask.world.list_in(&KindName::parse("pods"), &ask.analyzer.texts("namespaces"));
    let mut answers = Vec::new();
    for id in &listed.ids {
        let object = ask.world.facts.object(*id);
        let plain = |path: &[&str]| match path {
            ["Namespace"] => object.namespace.as_deref().map(shown),
            ["Name"] => Some(shown(&object.name)),
            _ => None,
        };
        let title = filled(ask.title, &plain);
        let status = match status(ask.world, *id) {
            Ok(status) => status,
            Err(open) => {
                answers.push(Answer::open(&title, open).about(ask.world, *id));
                continue;
            }
        };
        match first(&ask.analyzer.outcomes, |when| is_status(ask.world, *id, &status, when)) {
            Ok(None) => {}
            Ok(Some(outcome)) => {
                let message = if outcome.message.is_empty() { DEFAULT } else { &outcome.message };
                let message = filled(message, &|path| field(ask.world, *id, &status, path));
                answers.push(Answer::of(&title, outcome, status.at).with_message(message).about(ask.world, *id));
            }
            Err(open) => answers.push(Answer::open(&title, open).about(ask.world, *id)),
        }
    }
    // The title is one for each Pod.
    let all = if ask.title.contains("{{") { "Pod status" } else { ask.title };
    rest(&Ask { title: all, ..*ask }, answers, listed.open, listed.at)
}

fn is_status(world: &World<'_>, id: ObjectId, status: &Status, when: &str) -> Known<bool> {
    let (wanted, is_equal) = named(when, STATUS)?;
    let is_it = match wanted {
        "Healthy" => is_healthy(world, id, status)?,
        other => other == status.reason || other == status.phase,
    };
    Ok(is_it == is_equal)
}

/// A field of a Pod for a message, by its name in Go.
fn field(world: &World<'_>, id: ObjectId, status: &Status, path: &[&str]) -> Option<String> {
    match path {
        ["Status", "Reason"] => Some(shown(&status.reason)),
        ["Status", "Message"] => Some(message(world, id)),
        ["Name" | "Namespace" | "UID" | "Labels" | "Annotations"] => in_object(world, id, &["metadata", path[0]]),
        ["ObjectMeta", rest @ ..] => in_object(world, id, &[&["metadata"], rest].concat()),
        path => in_object(world, id, path),
    }
}

fn in_object(world: &World<'_>, id: ObjectId, path: &[&str]) -> Option<String> {
    let (node, _) = world.got(id, &fields(path)).ok()?;
    Some(node.and_then(|node| node.value.scalar()).unwrap_or_default())
}

/// Why a Pod is in trouble: the message of its status, how its containers ended last, why it is not scheduled. A Pod with
/// none of these has the warnings of its Events.
fn message(world: &World<'_>, id: ObjectId) -> String {
    if let Ok((own, _)) = world.text(id, &["status", "message"])
        && !own.is_empty()
    {
        return own;
    }
    let mut said = Vec::new();
    for list in ["initContainerStatuses", "containerStatuses"] {
        for one in world.items(id, &["status", list]).unwrap_or_default() {
            let last = text(one, &["lastState", "terminated", "message"]);
            let code = text(one, &["lastState", "terminated", "exitCode"]);
            let now = text(one, &["state", "terminated", "exitCode"]);
            let waits = one.at(&["state", "waiting", "reason"]).is_some();
            match () {
                () if waits && !last.is_empty() => said.push(last),
                () if waits && !code.is_empty() => said.push(format!("ExitCode:{code}")),
                () if !now.is_empty() && now != "0" => said.push(format!("ExitCode:{now}")),
                () => {}
            }
        }
    }
    for condition in world.items(id, &["status", "conditions"]).unwrap_or_default() {
        if text(condition, &["type"]) == "PodScheduled" && text(condition, &["status"]) == "False" {
            said.push(text(condition, &["message"]));
        }
    }
    if said.is_empty() {
        let object = world.facts.object(id);
        let (events, ..) = world.events(object.namespace.as_deref());
        for (_, event) in events {
            let about = event.about();
            let is_pod = about.kind.as_deref().is_some_and(|kind| kind.eq_ignore_ascii_case("pod"));
            if is_pod && about.name.as_deref() == Some(&object.name) && event.warns() {
                said.push(event.message());
            }
        }
    }
    said.retain(|one| !one.is_empty());
    if said.is_empty() { "None".to_owned() } else { said.join(". ") }
}

pub(crate) fn containers(ask: &Ask<'_>) -> Vec<Answer> {
    let listed = ask.world.list_in(&KindName::parse("pods"), &ask.analyzer.texts("namespaces"));
    let least = ask.analyzer.text("restartCount").parse::<i64>().unwrap_or_default();
    let mut open = listed.open;
    // Pods with the containers of them that were restarted often enough.
    let mut pods = Vec::new();
    for id in listed.ids {
        match ask.world.items(id, &["status", "containerStatuses"]) {
            Ok(items) => {
                let restarts = |one: &Node| text(one, &["restartCount"]).parse::<i64>().unwrap_or_default();
                let often: Vec<&Node> = items.iter().filter(|one| restarts(one) >= least).collect();
                if !often.is_empty() {
                    pods.push((id, often));
                }
            }
            Err(why) => open = open.or(Some(why)),
        }
    }
    let mut answers = Vec::new();
    for outcome in &ask.analyzer.outcomes {
        if outcome.when.is_empty() {
            if !answers.is_empty() {
                return answers;
            }
            return match open {
                // A Pod that was not collected could meet a condition that stands before.
                Some(open) if ask.analyzer.outcomes.len() > 1 && outcome != &ask.analyzer.outcomes[0] => ask.open(open),
                _ => vec![Answer::of(ask.title, outcome, listed.at)],
            };
        }
        match matching(ask, outcome, &pods) {
            Ok(more) => answers.extend(more),
            Err(why) => return ask.open(why),
        }
    }
    rest(ask, answers, open, listed.at)
}

/// The Pods of which a container is, or last was, in the state of an outcome.
fn matching(ask: &Ask<'_>, outcome: &Outcome, pods: &[(ObjectId, Vec<&Node>)]) -> Known<Vec<Answer>> {
    let (wanted, is_equal) = named(&outcome.when, "a reason, such as `== OOMKilled`")?;
    let mut answers = Vec::new();
    for (id, statuses) in pods {
        let states = [&["lastState", "terminated"][..], &["state", "terminated"], &["state", "waiting"]];
        let found = statuses.iter().find_map(|one| {
            let state =
                states.iter().find(|path| text(one, &[**path, &["reason"]].concat()).eq_ignore_ascii_case(wanted))?;
            Some((*one, *state))
        });
        if found.is_some() != is_equal {
            continue;
        }
        let shown_of = found.map(|(one, _)| one).or(statuses.first().copied());
        let object = ask.world.facts.object(*id);
        let field = |path: &[&str]| {
            let of_status = |key: &str| shown_of.map(|one| text(one, &[key]));
            match path {
                ["Namespace"] => object.namespace.as_deref().map(shown),
                ["PodName"] => Some(shown(&object.name)),
                ["ContainerName"] => of_status("name"),
                ["Ready"] => of_status("ready"),
                ["RestartCount"] => of_status("restartCount"),
                ["Message"] => found.map(|(one, state)| text(one, &[state, &["message"]].concat())),
                _ => None,
            }
        };
        let at = shown_of.and_then(|one| cite(ask.world, *id, one));
        let message = filled(&outcome.message, &field);
        answers
            .push(Answer::of(ask.title, outcome, at.into_iter().collect()).with_message(message).about(ask.world, *id));
    }
    Ok(answers)
}

/// The line of a node of an object.
fn cite(world: &World<'_>, id: ObjectId, node: &Node) -> Option<Citation> {
    let member = world.facts.object(id).sightings.first()?.record.member;
    let words = [("name", text(node, &["name"])), ("restartCount", text(node, &["restartCount"]))];
    let excerpt: Vec<String> = words.iter().map(|(key, value)| format!("{key}: {value}")).collect();
    Some(Citation::line(member, node.line, &excerpt.join(", ")))
}

pub(crate) fn events(ask: &Ask<'_>) -> Vec<Answer> {
    let setting = |key: &str| ask.analyzer.text(key);
    if setting("reason").is_empty() {
        return ask.open(Why::BadSetting { name: "reason", expected: "name the reason of the Event".to_owned() });
    }
    let regex = match super::text::compiled(&setting("regex"), "regex") {
        Ok(regex) => regex,
        Err(open) => return ask.open(open),
    };
    let namespace = Some(setting("namespace")).filter(|name| !name.is_empty()).unwrap_or_else(|| "default".to_owned());
    let (events, open, lists) = ask.world.events(Some(&namespace));
    let kind = setting("kind");
    let found = events.into_iter().find(|(_, event)| {
        event.reason().eq_ignore_ascii_case(&setting("reason"))
            && (kind.is_empty() || event.about().kind.is_some_and(|own| own.eq_ignore_ascii_case(&kind)))
            && (setting("regex").is_empty()
                || regex.as_ref().is_some_and(|regex: &Regex| regex.is_match(&event.message())))
    });
    let at = found.as_ref().map_or(lists, |(id, event)| {
        let mut at = ask.world.cite(*id);
        if let (Some(first), Some(line)) = (at.first_mut(), event.line()) {
            *first = Citation::line(first.member, line, &event.message());
        }
        at
    });
    if let (None, Some(open)) = (&found, open) {
        return ask.open(open);
    }
    let chosen = first(&ask.analyzer.outcomes, |when| {
        Ok(truth(when).ok_or_else(|| bad(when, "`true` or `false`"))? == found.is_some())
    });
    let answer = Answer::found(ask.title, chosen.clone(), at);
    let (Some((_, event)), Ok(Some(outcome))) = (found, chosen) else { return vec![answer] };
    let about = event.about();
    let field = |path: &[&str]| match path {
        ["Reason"] => Some(shown(&event.reason())),
        ["Message"] => Some(shown(&event.message())),
        ["InvolvedObject", "Name"] => about.name.as_deref().map(shown),
        ["InvolvedObject", "Kind"] => about.kind.as_deref().map(shown),
        ["InvolvedObject", "Namespace"] | ["Namespace"] => about.namespace.as_deref().map(shown),
        _ => None,
    };
    vec![answer.with_message(filled(&outcome.message, &field))]
}
