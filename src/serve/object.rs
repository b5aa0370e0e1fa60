//! An object as JSON: what was collected of it, and where that stands.
//!
//! Why not all sightings in one: they are never merged into one tree. A whole sighting is answered as it is, the newest
//! one; where there is none, what the partial ones show is put together, the newest first.
//!
//! Invariants: no field is made up, and one that was not collected is not there; kind, apiVersion, name and namespace,
//! which say what the object is, always are; a cell of a table or a line of a description has no type, and gets the one
//! that its field has in the API, or it is left out: clients refuse an object with a number that is no number.

use crate::resources::Resource;
use base64::Engine as _;
use facts::event;
use facts::node::{Node, Value as Own};
use facts::object::{Form, Object, ObjectId, Sighting};
use facts::origin::Citation;
use facts::outside::Outside;
use facts::presence::Presence;
use facts::stamp::time_of;
use facts::store::Facts;
use facts::whole::place;
use serde_json::{Map, Number, Value, json};

/// What stands for a masked value.
pub(crate) const MASKED: &str = "[redacted]";
/// Where it was read.
const FROM: &str = "casefile.dev/from";
/// In what form.
const FORM: &str = "casefile.dev/form";
/// What speaks against it still being there.
const DISPUTED: &str = "casefile.dev/may-be-gone";
/// Annotations that were printed in a form that cannot be read back.
const ANNOTATIONS: &str = "casefile.dev/annotations";
/// Places that one object names at most.
const MOST_PLACES: usize = 5;

/// Fields that are whole numbers wherever Kubernetes has them.
/// Source: `kubernetes/api:core/v1/types.go`, `apps/v1/types.go`, `batch/v1/types.go` at v0.34.
const NUMBERS: [&str; 46] = [
    "active",
    "activeDeadlineSeconds",
    "availableReplicas",
    "backoffLimit",
    "collisionCount",
    "completions",
    "containerPort",
    "count",
    "currentNumberScheduled",
    "currentReplicas",
    "defaultMode",
    "desiredNumberScheduled",
    "desiredReplicas",
    "exitCode",
    "failed",
    "failureThreshold",
    "fullyLabeledReplicas",
    "generation",
    "hostPort",
    "initialDelaySeconds",
    "leaseDurationSeconds",
    "leaseTransitions",
    "maxReplicas",
    "minReadySeconds",
    "minReplicas",
    "nodePort",
    "numberAvailable",
    "numberMisscheduled",
    "numberReady",
    "numberUnavailable",
    "observedGeneration",
    "parallelism",
    "periodSeconds",
    "port",
    "priority",
    "readyReplicas",
    "replicas",
    "restartCount",
    "revisionHistoryLimit",
    "signal",
    "succeeded",
    "successThreshold",
    "terminationGracePeriodSeconds",
    "tolerationSeconds",
    "unavailableReplicas",
    "updatedReplicas",
];

/// Fields that are true or false wherever Kubernetes has them.
const TRUTHS: [&str; 16] = [
    "allowPrivilegeEscalation",
    "automountServiceAccountToken",
    "blockOwnerDeletion",
    "controller",
    "hostIPC",
    "hostNetwork",
    "hostPID",
    "immutable",
    "optional",
    "paused",
    "privileged",
    "readOnly",
    "ready",
    "started",
    "suspend",
    "unschedulable",
];

/// Fields that are bytes in base64 wherever Kubernetes has them.
const BYTES: [&str; 3] = ["caBundle", "certificate", "request"];

/// An object as JSON. Of one that is served in the core form of Events, with the names of that form.
pub(crate) fn json(facts: &Facts, id: ObjectId, resource: &Resource) -> Value {
    let object = facts.object(id);
    let (mut tree, used) = tree(object);
    let is_event = event::KINDS.contains(&object.kind.to_string().as_str());
    if is_event && resource.kind.group.is_empty() {
        as_core_event(&mut tree);
    }
    let stated = used.iter().find_map(|sighting| sighting.record.api_version.clone());
    let version = stated.filter(|_| !(is_event && resource.kind.group.is_empty()));
    let mut whole = Map::new();
    whole.insert("apiVersion".to_owned(), version.unwrap_or_else(|| resource.api_version()).into());
    whole.insert("kind".to_owned(), resource.word.clone().into());
    let metadata = match tree.remove("metadata") {
        Some(Value::Object(metadata)) => metadata,
        _ => Map::new(),
    };
    whole.insert("metadata".to_owned(), Value::Object(identified(facts, object, metadata, &used)));
    tree.retain(|key, _| !matches!(key.as_str(), "apiVersion" | "kind"));
    whole.extend(tree);
    Value::Object(whole)
}

/// The metadata alone, as tables carry it.
pub(crate) fn metadata_only(whole: &Value, version: &str) -> Value {
    let metadata = whole.get("metadata").cloned().unwrap_or_default();
    json!({ "kind": "PartialObjectMetadata", "apiVersion": format!("meta.k8s.io/{version}"), "metadata": metadata })
}

/// The fields of an object, and the sightings that show them.
fn tree(object: &Object) -> (Map<String, Value>, Vec<&Sighting>) {
    if let Some(whole) = object.sightings.iter().find(|sighting| sighting.record.shown.is_whole()) {
        return (fields(object, whole), vec![whole]);
    }
    let in_cluster = |sighting: &&Sighting| !sighting.record.shown.is_manifest();
    let used: Vec<&Sighting> = object.sightings.iter().filter(in_cluster).collect();
    let mut tree = Map::new();
    for sighting in &used {
        add(&mut tree, fields(object, sighting));
    }
    (tree, used)
}

fn fields(object: &Object, sighting: &Sighting) -> Map<String, Value> {
    let is_partial = !sighting.record.shown.is_whole();
    let is_secret = object.kind.group.is_empty() && object.kind.plural == "secrets";
    let form = Reader { is_partial, is_secret };
    match form.value(&sighting.record.node, &[]) {
        Some(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

/// Adds what is not there yet.
fn add(tree: &mut Map<String, Value>, more: Map<String, Value>) {
    for (key, value) in more {
        match (tree.get_mut(&key), value) {
            (Some(Value::Object(own)), Value::Object(value)) => add(own, value),
            (Some(_), _) => {}
            (None, value) => {
                tree.insert(key, value);
            }
        }
    }
}

/// Reads a tree as the API would write it.
#[derive(Clone, Copy)]
struct Reader {
    /// It was printed in a form without types.
    is_partial: bool,
    is_secret: bool,
}

impl Reader {
    /// A value at a path of field names; `None` where it cannot be written in the type of its field.
    fn value(self, node: &Node, path: &[&str]) -> Option<Value> {
        let name = path.last().copied().unwrap_or_default();
        Some(match &node.value {
            Own::Null => Value::Null,
            Own::Bool(truth) => Value::Bool(*truth),
            Own::Int(number) => Value::from(*number),
            Own::UInt(number) => Value::from(*number),
            Own::Float(number) => Number::from_f64(*number).map(Value::Number)?,
            Own::Str(text) => Value::from(text.as_str()),
            Own::Text(text) => return self.typed(text, path),
            Own::List(items) => items.iter().filter_map(|item| self.value(item, path)).collect(),
            Own::Map(entries) => {
                let entry = |(key, value): &(facts::node::SmolStr, Node)| {
                    let mut deeper = path.to_vec();
                    deeper.push(key);
                    Some((key.to_string(), self.value(value, &deeper)?))
                };
                Value::Object(entries.iter().filter_map(entry).collect())
            }
            Own::Redacted(_) if self.is_bytes(path) => base64::engine::general_purpose::STANDARD.encode(MASKED).into(),
            Own::Redacted(_) if has_type(name) && !is_free(path) => return None,
            Own::Redacted(_) => MASKED.into(),
            Own::Range(..) => return None,
        })
    }

    fn is_bytes(self, path: &[&str]) -> bool {
        matches!(path, ["binaryData", _])
            || self.is_secret && matches!(path, ["data", _])
            || BYTES.contains(&path.last().copied().unwrap_or_default())
    }

    /// A text without a type, in the type of its field.
    fn typed(self, text: &str, path: &[&str]) -> Option<Value> {
        let name = path.last().copied().unwrap_or_default();
        match path {
            ["metadata", "labels" | "annotations"] | ["spec", "selector"] | ["spec", "nodeSelector"] => {
                return pairs(text);
            }
            _ if is_free(path) || !self.is_partial => {}
            _ if NUMBERS.contains(&name) => return text.parse::<i64>().ok().map(Value::from),
            _ if TRUTHS.contains(&name) => return text.to_ascii_lowercase().parse::<bool>().ok().map(Value::from),
            _ if is_time(name) => return time_of(text).map(|time| time.to_string().into()),
            _ => {}
        }
        Some(text.into())
    }
}

/// Fields below which every name is somebody's own, and every value a text.
fn is_free(path: &[&str]) -> bool {
    let free =
        ["labels", "annotations", "data", "stringData", "matchLabels", "nodeSelector", "capacity", "allocatable"];
    path.iter().rev().skip(1).any(|name| free.contains(name))
}

fn has_type(name: &str) -> bool {
    NUMBERS.contains(&name) || TRUTHS.contains(&name) || is_time(name)
}

fn is_time(name: &str) -> bool {
    name.ends_with("Timestamp") || name.ends_with("Time") || matches!(name, "startedAt" | "finishedAt")
}

/// `a=b,c=d` as a map.
fn pairs(text: &str) -> Option<Value> {
    let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
    let map: Map<String, Value> = pairs.map(|(key, value)| (key.trim().to_owned(), value.trim().into())).collect();
    (!map.is_empty()).then_some(Value::Object(map))
}

/// The names of the core form, where an Event was written in the other one.
/// Source: `kubernetes/kubernetes:pkg/apis/events/v1/conversion.go@v1.34`.
fn as_core_event(tree: &mut Map<String, Value>) {
    let names = [
        ("note", "message"),
        ("regarding", "involvedObject"),
        ("deprecatedSource", "source"),
        ("deprecatedFirstTimestamp", "firstTimestamp"),
        ("deprecatedLastTimestamp", "lastTimestamp"),
        ("deprecatedCount", "count"),
        ("reportingController", "reportingComponent"),
    ];
    for (new, core) in names {
        if !tree.contains_key(core)
            && let Some(value) = tree.remove(new)
        {
            tree.insert(core.to_owned(), value);
        }
    }
}

/// The metadata with what the object is, and where it was read.
fn identified(
    facts: &Facts,
    object: &Object,
    mut metadata: Map<String, Value>,
    used: &[&Sighting],
) -> Map<String, Value> {
    let mut own = Map::new();
    own.insert("name".to_owned(), object.name.clone().into());
    if let Some(namespace) = &object.namespace {
        own.insert("namespace".to_owned(), namespace.clone().into());
    }
    if let Some(uid) = &object.uid {
        own.insert("uid".to_owned(), uid.clone().into());
    }
    let mut annotations = Map::new();
    match metadata.remove("annotations") {
        Some(Value::Object(map)) => annotations.extend(map),
        Some(Value::String(text)) => {
            annotations.insert(ANNOTATIONS.to_owned(), text.into());
        }
        _ => {}
    }
    let places = used.iter().take(MOST_PLACES).map(|sighting| {
        let record = &sighting.record;
        let citation =
            Citation { member: record.member, line: record.line, path: String::new(), excerpt: Outside::default() };
        place(facts, Some(&citation))
    });
    let more = used.len().saturating_sub(MOST_PLACES);
    let more = (more > 0).then(|| format!("{more} more places"));
    let from = places.chain(more).collect::<Vec<_>>().join(", ");
    annotations.insert(FROM.to_owned(), from.into());
    let form = used.first().map_or("unknown", |sighting| form(sighting.record.form));
    annotations.insert(FORM.to_owned(), form.into());
    if let Presence::Disputed(ended) = &object.presence {
        annotations.insert(DISPUTED.to_owned(), place(facts, Some(&ended.citation)).into());
    }
    own.insert("annotations".to_owned(), Value::Object(annotations));
    if !matches!(metadata.get("labels"), None | Some(Value::Object(_))) {
        metadata.remove("labels");
    }
    for (key, value) in metadata {
        own.entry(key).or_insert(value);
    }
    own
}

fn form(form: Form) -> &'static str {
    match form {
        Form::Json | Form::Yaml => "manifest",
        Form::Describe | Form::TypedDescribe => "describe",
        Form::Table => "table",
        Form::Derived => "derived",
    }
}
