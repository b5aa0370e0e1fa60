//! Points in time that objects state: events and condition transitions.

use diagnosis::citation::citation_info;
use diagnosis::model::CitationInfo;
use diagnosis::words;
use facts::event;
use facts::kind::KindName;
use facts::node::Node;
use facts::object::{ContextId, Object, ObjectId};
use facts::origin::Citation;
use facts::parallel;
use facts::store::Facts;
use jiff::Timestamp;

/// An Event object.
#[derive(Debug, Clone)]
pub struct Event {
    pub context: ContextId,
    /// The last time it was seen, if the bundle shows it.
    pub time: Option<Timestamp>,
    /// Its type is `Warning`.
    pub warning: bool,
    pub reason: String,
    /// What it is about: `pods kube-system/etcd-1`.
    pub subject: String,
    /// The kind of what it is about, where its form names it.
    pub kind: Option<String>,
    pub message: String,
    /// How often it happened.
    pub count: u64,
    /// Where it stands.
    pub citation: CitationInfo,
}

/// A condition with the time of its last transition.
#[derive(Debug, Clone)]
pub struct Transition {
    pub context: ContextId,
    /// When.
    pub time: Timestamp,
    /// `nodes cp-1`.
    pub subject: String,
    /// `Ready`.
    pub condition: String,
    /// `became False: reason: message`.
    pub became: String,
    /// The new status is one that nobody wants.
    pub bad: bool,
    /// Where it stands.
    pub citation: CitationInfo,
}

/// What an object is called whose kind an Event does not name.
pub(crate) const NO_KIND: &str = "object";

/// Scalar text under field names.
fn text(node: &Node, keys: &[&str]) -> Option<String> {
    node.at(keys).and_then(|node| node.value.scalar()).filter(|text| !text.is_empty() && text != "<none>")
}

/// A time under field names.
fn time(node: &Node, keys: &[&str]) -> Option<Timestamp> {
    text(node, keys)?.parse().ok()
}

/// The Event objects of all contexts, in the order of the facts.
pub(crate) fn events(facts: &Facts) -> Vec<Event> {
    let kinds: Vec<KindName> = event::KINDS.into_iter().map(KindName::parse).collect();
    let of_context = |context| kinds.iter().flat_map(move |kind| facts.of_kind(context, kind).iter().copied());
    let ids: Vec<ObjectId> = facts.context_ids().flat_map(of_context).collect();
    parallel::map(&ids, |id| event(facts, *id)).into_iter().flatten().collect()
}

/// Reads one Event object from its winning sighting.
fn event(facts: &Facts, id: ObjectId) -> Option<Event> {
    let object = facts.object(id);
    let record = &object.sightings.first()?.record;
    let told = event::Event::of(&record.node);
    let about = told.about();
    let kind = about.kind.map(|kind| kind.to_lowercase());
    let of = kind.as_deref().unwrap_or(NO_KIND);
    let name = about.name.unwrap_or_else(|| "without a name".to_owned());
    let namespace = about.namespace.or_else(|| object.namespace.clone());
    let (reason, message) = (told.reason(), told.message());
    let excerpt = format!("{reason}: {message}");
    let citation = Citation::line(record.member, record.line, &excerpt).with_path(record.path.clone());
    Some(Event {
        context: object.context,
        time: told.last(),
        warning: told.warns(),
        subject: match namespace {
            Some(namespace) => format!("{of} {namespace}/{name}"),
            None => format!("{of} {name}"),
        },
        kind,
        reason,
        message,
        count: told.count().and_then(|count| u64::try_from(count).ok()).unwrap_or(1).max(1),
        citation: citation_info(facts, &citation),
    })
}

/// The last transition of each condition of each kept object, in the order of the facts.
pub(crate) fn conditions(facts: &Facts) -> Vec<Transition> {
    let of_object = |object: &Object| if object.shadow { Vec::new() } else { transitions(facts, object) };
    parallel::map(&facts.objects, of_object).into_iter().flatten().collect()
}

/// The last transition of each condition of an object.
fn transitions(facts: &Facts, object: &Object) -> Vec<Transition> {
    let mut all = Vec::new();
    let Some(record) = object.sightings.first().map(|sighting| &sighting.record) else { return all };
    let items = record.node.at(&["status", "conditions"]).map(Node::items).unwrap_or_default();
    for (index, item) in items.iter().enumerate() {
        let (Some(kind), Some(status)) = (text(item, &["type"]), text(item, &["status"])) else { continue };
        let Some(time) = time(item, &["lastTransitionTime"]) else { continue };
        let reason = text(item, &["reason"]);
        // A Pod that did its work is not ready either.
        let done = reason.as_deref() == Some("PodCompleted");
        let line = if item.line > 0 { item.line } else { record.line };
        let name = match &object.namespace {
            Some(namespace) => format!("{namespace}/{}", object.name),
            None => object.name.clone(),
        };
        let why = match (&reason, text(item, &["message"])) {
            (Some(reason), Some(message)) => {
                format!(": {reason}: {}", words::short(&message, 200))
            }
            (Some(reason), None) => format!(": {reason}"),
            (None, Some(message)) => format!(": {}", words::short(&message, 200)),
            (None, None) => String::new(),
        };
        let became = format!("became {status}{why}");
        let dot = if record.path.is_empty() { "" } else { "." };
        let citation = Citation::line(record.member, line, &format!("{kind} {became}"))
            .with_path(format!("{}{dot}status.conditions[{index}]", record.path));
        all.push(Transition {
            context: object.context,
            time,
            subject: format!("{} {name}", object.kind.plural),
            bad: !done && unwanted(&object.kind, &kind, &status),
            condition: kind,
            became,
            citation: citation_info(facts, &citation),
        });
    }
    all
}

/// Is that a status that nobody wants? Only for types whose meaning their name says. An operator whose `Progressing`
/// ends is done; a Deployment whose `Progressing` ends has given up.
fn unwanted(object: &KindName, kind: &str, status: &str) -> bool {
    const GOOD_ENDS: [&str; 7] = ["Ready", "Available", "Healthy", "Initialized", "Succeeded", "Joined", "Scheduled"];
    if kind.ends_with("Pressure") || kind == "NetworkUnavailable" || kind == "ReplicaFailure" {
        return status != "False";
    }
    let stalled = kind == "Progressing" && object.plural == "deployments";
    (stalled || GOOD_ENDS.iter().any(|end| kind.ends_with(end))) && status != "True"
}
