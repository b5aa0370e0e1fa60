//! `deploymentStatus`, `statefulsetStatus`, `jobStatus`, `replicasetStatus`.
//!
//! Source: `replicatedhq/troubleshoot:pkg/analyze/common_status.go` and the files beside it: an analyzer with a name
//! judges that object; one without judges all of them by a rule of its own.

use crate::ask::{Answer, Ask, first};
use crate::known::{Known, Open, Why, shown};
use crate::model::Outcome as Word;
use crate::when::{named_number, number};
use crate::world::{Found, World};
use facts::kind::KindName;
use facts::object::ObjectId;
use facts::origin::Citation;

/// A condition on what is not there.
const ABSENT: &str = "absent";

pub(crate) fn deployments(ask: &Ask<'_>) -> Vec<Answer> {
    replicas(ask, "deployments.apps", "deployment", &["status", "availableReplicas"])
}

pub(crate) fn statefulsets(ask: &Ask<'_>) -> Vec<Answer> {
    replicas(ask, "statefulsets.apps", "statefulset", &["status", "readyReplicas"])
}

fn title(ask: &Ask<'_>, own: String) -> String {
    let named = ask.analyzer.text("checkName");
    if named.is_empty() { own } else { named }
}

/// An analyzer of replicas: `enough` is the field that a healthy one has as many of as replicas.
fn replicas(ask: &Ask<'_>, kind: &str, word: &str, enough: &[&str]) -> Vec<Answer> {
    let name = ask.analyzer.text("name");
    let kind = KindName::parse(kind);
    if name.is_empty() {
        return each(ask, &kind, &|id| {
            let [all, ready, enough] = [&["status", "replicas"][..], &["status", "readyReplicas"], enough]
                .map(|field| ask.world.number(id, field));
            let ((all, at), (ready, ready_at), (enough, _)) = (all?, ready?, enough?);
            if all == enough {
                return Ok(None);
            }
            let object = named(ask.world, id);
            Ok(Some((format!("The {word} {object} has {ready}/{all} replicas"), vec![ready_at, at])))
        });
    }
    let title = title(ask, format!("{} Status", shown(&name)));
    let found = match ask.world.object(&kind, &ask.analyzer.text("namespace"), &name) {
        Ok(found) => found,
        Err(open) => return vec![Answer::open(&title, open)],
    };
    let (id, ready, at) = match found {
        Found::Absent(at) => (None, None, at),
        Found::There(id) => match ask.world.number(id, &["status", "readyReplicas"]) {
            Ok((ready, at)) => (Some(id), Some(ready), vec![at]),
            Err(open) => return vec![Answer::open(&title, open).about(ask.world, id)],
        },
    };
    let is_asked = ask.analyzer.outcomes.first().is_none_or(|first| first.when != ABSENT);
    if ready.is_none() && is_asked {
        // Troubleshoot judges what is not there at the first outcome.
        let uri = ask.analyzer.outcomes.first().and_then(|outcome| outcome.uri.clone());
        let message = format!("The {word} \"{}\" was not found", shown(&name));
        return vec![Answer { uri, ..Answer::own(&title, Word::Fail, message, at) }];
    }
    let chosen = first(&ask.analyzer.outcomes, |when| match (when, ready) {
        (ABSENT, ready) => Ok(ready.is_none()),
        (_, None) => Ok(false),
        (when, Some(ready)) => number(when, ready),
    });
    let answer = Answer::found(&title, chosen, at);
    vec![match id {
        Some(id) => answer.about(ask.world, id),
        None => answer,
    }]
}

/// `shop/web`.
fn named(world: &World<'_>, id: ObjectId) -> String {
    let object = world.facts.object(id);
    shown(&format!("{}/{}", object.namespace.as_deref().unwrap_or_default(), object.name))
}

/// All objects of the namespaces that are not well, each with what is wrong.
fn each(
    ask: &Ask<'_>,
    kind: &KindName,
    judge: &dyn Fn(ObjectId) -> Known<Option<(String, Vec<Citation>)>>,
) -> Vec<Answer> {
    let listed = ask.world.list_in(kind, &ask.analyzer.namespaces());
    let mut answers = Vec::new();
    for id in &listed.ids {
        match judge(*id) {
            Ok(None) => {}
            Ok(Some((message, at))) => {
                answers.push(Answer::own(ask.title, Word::Fail, message, at).about(ask.world, *id));
            }
            Err(open) => answers.push(Answer::open(ask.title, open).about(ask.world, *id)),
        }
    }
    rest(ask, answers, listed.open, listed.at)
}

/// The answers, and what keeps open whether they are all.
pub(crate) fn rest(ask: &Ask<'_>, mut answers: Vec<Answer>, open: Option<Open>, at: Vec<Citation>) -> Vec<Answer> {
    if let Some(open) = open {
        answers.push(Answer::open(ask.title, open));
    } else if answers.is_empty() {
        answers.push(Answer::nothing(ask.title, at));
    }
    answers
}

/// One of those kinds whose outcomes compare named numbers.
struct Named {
    kind: &'static str,
    word: &'static str,
    /// What a condition may compare, and the field behind it.
    numbers: [(&'static str, &'static [&'static str]); 2],
    expected: &'static str,
}

const JOB: Named = Named {
    kind: "jobs.batch",
    word: "job",
    numbers: [("succeeded", &["status", "succeeded"]), ("failed", &["status", "failed"])],
    expected: "`succeeded` or `failed`, a comparison and a whole number, such as `succeeded >= 1`",
};

const REPLICA_SET: Named = Named {
    kind: "replicasets.apps",
    word: "replicaset",
    numbers: [("ready", &["status", "readyReplicas"]), ("available", &["status", "availableReplicas"])],
    expected: "`ready` or `available`, a comparison and a whole number, such as `available >= 1`",
};

pub(crate) fn jobs(ask: &Ask<'_>) -> Vec<Answer> {
    if !ask.analyzer.text("name").is_empty() {
        return one(ask, &JOB);
    }
    each(ask, &KindName::parse(JOB.kind), &|id| not_complete(ask.world, id))
}

pub(crate) fn replicasets(ask: &Ask<'_>) -> Vec<Answer> {
    if !ask.analyzer.text("name").is_empty() {
        return one(ask, &REPLICA_SET);
    }
    let kind = KindName::parse(REPLICA_SET.kind);
    let selected = |id| super::selector::all(ask.world, id, &ask.analyzer.texts("selector"));
    if ask.analyzer.outcomes.is_empty() {
        return each(ask, &kind, &|id| if selected(id)? { not_ready(ask.world, id) } else { Ok(None) });
    }
    let listed = ask.world.list_in(&kind, &ask.analyzer.namespaces());
    let mut answers = Vec::new();
    for id in &listed.ids {
        match selected(*id) {
            Ok(true) => answers.push(judged(ask, &REPLICA_SET, *id)),
            Ok(false) => {}
            Err(open) => answers.push(Answer::open(ask.title, open).about(ask.world, *id)),
        }
    }
    rest(ask, answers, listed.open, listed.at)
}

fn one(ask: &Ask<'_>, of: &Named) -> Vec<Answer> {
    let name = ask.analyzer.text("name");
    let title = title(ask, format!("{} Status", shown(&name)));
    match ask.world.object(&KindName::parse(of.kind), &ask.analyzer.text("namespace"), &name) {
        Err(open) => vec![Answer::open(&title, open)],
        Ok(Found::Absent(at)) => {
            vec![Answer::own(&title, Word::Fail, format!("The {} \"{}\" was not found", of.word, shown(&name)), at)]
        }
        Ok(Found::There(id)) if ask.analyzer.outcomes.is_empty() => {
            let judged = if of.word == JOB.word { not_complete(ask.world, id) } else { not_ready(ask.world, id) };
            vec![
                match judged {
                    Ok(None) => Answer::nothing(&title, ask.world.cite(id)),
                    Ok(Some((message, at))) => Answer::own(&title, Word::Fail, message, at),
                    Err(open) => Answer::open(&title, open),
                }
                .about(ask.world, id),
            ]
        }
        Ok(Found::There(id)) => vec![judged(ask, of, id)],
    }
}

/// What the outcomes say of an object.
fn judged(ask: &Ask<'_>, of: &Named, id: ObjectId) -> Answer {
    let mut at = Vec::new();
    let chosen = first(&ask.analyzer.outcomes, |when| {
        named_number(when, of.expected, |name| {
            let (_, field) = of.numbers.iter().find(|(own, _)| *own == name)?;
            Some(ask.world.number(id, field).map(|(number, place)| {
                at.push(place);
                number
            }))
        })
    });
    if at.is_empty() {
        at = ask.world.cite(id);
    }
    at.dedup();
    let title = title(ask, format!("{} Status", named(ask.world, id)));
    Answer::found(&title, chosen, at).about(ask.world, id)
}

/// A Job that failed and is not complete.
fn not_complete(world: &World<'_>, id: ObjectId) -> Known<Option<(String, Vec<Citation>)>> {
    let (wanted, _) = world.got(id, &crate::world::fields(&["spec", "completions"]))?;
    let wanted = wanted.and_then(|node| node.value.integer());
    let (succeeded, _) = world.number(id, &["status", "succeeded"])?;
    let (failed, at) = world.number(id, &["status", "failed"])?;
    let is_done = wanted.map_or(succeeded > 1, |wanted| wanted == i128::from(succeeded));
    if is_done || failed == 0 {
        return Ok(None);
    }
    Ok(Some((format!("The job {} is not complete", named(world, id)), vec![at])))
}

/// A ReplicaSet that lacks replicas.
fn not_ready(world: &World<'_>, id: ObjectId) -> Known<Option<(String, Vec<Citation>)>> {
    let (wanted, _) = world.got(id, &crate::world::fields(&["spec", "replicas"]))?;
    let wanted = wanted.map_or(Some(1), |node| node.value.integer());
    let wanted =
        wanted.ok_or_else(|| Open::of(Why::NotShown { object: world.name(id), path: "spec.replicas".to_owned() }))?;
    let (available, at) = world.number(id, &["status", "availableReplicas"])?;
    if wanted == i128::from(available) {
        return Ok(None);
    }
    Ok(Some((format!("The replicaset {} is not ready", named(world, id)), vec![at])))
}
