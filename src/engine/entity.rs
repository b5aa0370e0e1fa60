//! The entities of a signature: what it is decided for, one by one.
//!
//! Invariants: an entity whose `where` is unknown, and one that is known only because other objects refer
//! to it, are decided too, but capped at undecided; a shadow object is no entity; log lines alone make
//! none; what is gone is resolved at most. The order is (context, namespace, name, kind).

use crate::absences::Absences;
use crate::binding::is_path;
use crate::gap::{Gap, Why};
use crate::indexed::{Indexed, Manifests};
use crate::log_query::HitIndex;
use crate::logic::Truth;
use crate::predicate;
use crate::writers;
use catalogue::sources::Sources;
use diagnosis::model::OF_LOG;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{ContextId, Lookup, ObjectId};
use facts::origin::{Citation, MemberId};
use facts::path::{Path, Step};
use facts::presence::{Ended, How, Presence};
use facts::store::{Absence, AsOf, Facts, Scope};
use facts::unnamed;
use jiff::Timestamp;
use parse::scan::Literals;
use signature::model::{ContextSelector, EntitySource, Operand, Predicate, Query, Signature, StreamEntity, Target};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// One entity.
#[derive(Debug, Clone, PartialEq)]
pub struct Subject {
    /// The cluster it lives in.
    pub context: ContextId,
    /// Its namespace, if it has one that is known.
    pub namespace: Option<String>,
    /// Its name; of a group, the value.
    pub name: String,
    /// What reports print as its kind: `plural.group`, or the path of a group.
    pub kind: String,
    /// The kind of its object, or of the objects of its group.
    pub of: KindName,
    /// Its object, if it was seen.
    pub object: Option<ObjectId>,
    /// Its stream, by index, and the last line that made it an entity.
    pub stream: Option<(usize, Citation)>,
    /// Why its verdict is capped at undecided, if it is.
    pub cap: Option<Gap>,
    /// Whether its object is still there.
    pub presence: Presence,
}

impl Subject {
    /// The gap of a question about its own object, which was not seen.
    pub(crate) fn no_object(&self) -> Gap {
        Gap::new(Why::NoObject(self.kind.clone(), self.name.clone())).wanting(self.context, &self.of)
    }

    /// The order of entities in reports.
    pub fn order(&self) -> (ContextId, Option<&str>, &str, &str) {
        (self.context, self.namespace.as_deref(), &self.name, &self.kind)
    }
}

/// Which objects of a kind become entities.
pub(crate) struct Narrowed<'r> {
    /// What tells which of them pass the conditions of the entity.
    pub indexed: &'r Indexed<'r>,
    /// Those of a kind that may be found; nothing where that is not known.
    pub may_be_found: &'r dyn Fn(&KindName) -> Option<BTreeSet<ObjectId>>,
}

/// Entities that are surely not found tell that there are some, and that lines which name nobody need not be of the one
/// that is: two do that as well as twenty thousand.
const SETTLED: usize = 2;

/// The entities of a signature in one context, in order; of those that are surely not found no more than [`SETTLED`].
pub(crate) fn subjects(
    facts: &Facts,
    signature: &Signature,
    context: ContextId,
    absences: &Absences<'_>,
    lines: (&HitIndex, &Literals),
    narrowed: &Narrowed<'_>,
) -> Vec<Subject> {
    let mut found = match &signature.entity.source {
        EntitySource::Object { kinds, filter, accepts_manifests } => {
            let of_kind = |kind| of_objects(facts, context, kind, (filter, *accepts_manifests), narrowed);
            let mut found: Vec<Subject> = kinds.iter().flat_map(of_kind).collect();
            if let [kind] = kinds.as_slice() {
                found.extend(of_references(facts, signature, context, (kind, filter), absences, narrowed.indexed));
            }
            found
        }
        EntitySource::Group { kind, by } => of_groups(signature, context, (kind, by), narrowed.indexed),
        EntitySource::Stream(wanted) => of_streams(facts, context, wanted, lines),
    };
    if let Some(role) = &signature.entity.context
        && facts.context(context).roles.is_empty()
    {
        let why = Why::RoleUnknown(facts.context(context).name.clone(), role.clone());
        for subject in &mut found {
            subject.cap = subject.cap.take().or_else(|| Some(Gap::new(why.clone())));
        }
    }
    found.sort_by(|a, b| a.order().cmp(&b.order()));
    found
}

/// Can entities of the signature live in this context? A context whose role nobody knows may have it.
pub(crate) fn lives_in(facts: &Facts, signature: &Signature, context: ContextId) -> bool {
    let roles = &facts.context(context).roles;
    signature.entity.context.as_ref().is_none_or(|role| roles.is_empty() || roles.contains(role))
}

/// Are the entities in this context known to be all that there are? Derived objects are, by their nature.
pub(crate) fn known_to_be_all(absences: &Absences<'_>, signature: &Signature, context: ContextId) -> bool {
    let kinds = match &signature.entity.source {
        EntitySource::Object { kinds, .. } => kinds.as_slice(),
        EntitySource::Group { kind, .. } => std::slice::from_ref(kind),
        EntitySource::Stream(_) => return false,
    };
    kinds.iter().all(|kind| {
        kind.group == "casefile.dev"
            || !matches!(*absences.of(context, kind, &Scope::default()), Absence::Unknown { .. })
    })
}

fn of_objects(
    facts: &Facts,
    context: ContextId,
    kind: &KindName,
    (filter, accepts_manifests): (&[Predicate], bool),
    narrowed: &Narrowed<'_>,
) -> Vec<Subject> {
    let mut found = Vec::new();
    let there = match narrowed.indexed.that_may_pass(context, kind, filter) {
        Some(some) => Cow::Owned(some),
        None => Cow::Borrowed(facts.of_kind(context, kind)),
    };
    let may_be_found = (narrowed.may_be_found)(kind);
    let mut settled = 0;
    for &id in there.iter().chain(facts.gone_of_kind(context, kind)) {
        let is_settled = may_be_found.as_ref().is_some_and(|some| !some.contains(&id));
        if is_settled && settled == SETTLED {
            continue;
        }
        let object = facts.object(id);
        if object.shadow || object.is_manifest() && !accepts_manifests {
            continue;
        }
        let checked = predicate::holds_all(facts, id, filter);
        if checked.truth == Truth::False {
            continue;
        }
        settled += usize::from(is_settled);
        let cap = (checked.truth == Truth::Unknown).then(|| checked.gap.unwrap_or_else(|| Gap::new(Why::Filter)));
        found.push(Subject {
            context,
            namespace: object.namespace.clone(),
            name: object.name.clone(),
            kind: facts.stands_for.get(&id).unwrap_or(kind).to_string(),
            of: kind.clone(),
            object: Some(id),
            stream: None,
            cap,
            presence: object.presence.clone(),
        });
    }
    found
}

/// What objects have in common: a label, which is called by its key, or what the signature calls it.
fn of_groups(
    signature: &Signature,
    context: ContextId,
    (kind, by): (&KindName, &Path),
    indexed: &Indexed<'_>,
) -> Vec<Subject> {
    let values = indexed.values_at(context, kind, by, Manifests::DoNot);
    let names = values.get().into_iter().flatten().map(|(name, _)| name.clone());
    let is_label = by.0.iter().any(|step| step.is_named("labels"));
    let subject = |name| Subject {
        context,
        namespace: None,
        name,
        kind: if is_label { by.to_string() } else { signature.entity.name.clone() },
        of: kind.clone(),
        object: None,
        stream: None,
        cap: None,
        presence: Presence::There,
    };
    names.map(subject).collect()
}

/// The streams that say one of the texts, each named after its node, or as the stream is; but a file is no name of a
/// machine.
fn of_streams(
    facts: &Facts,
    context: ContextId,
    wanted: &StreamEntity,
    (hits, literals): (&HitIndex, &Literals),
) -> Vec<Subject> {
    let clock = facts.context(context).as_of.as_ref().map(AsOf::for_logs);
    let mut last: BTreeMap<usize, (Option<Timestamp>, u32, Citation)> = BTreeMap::new();
    for (index, stream, hit) in hits.hits_with(facts, literals, &wanted.any) {
        if stream.context != context || !writers::is_by(stream, hit, &wanted.source) {
            continue;
        }
        let clock = stream.own_clock(clock);
        let time = hit.fields.time.and_then(|time| time.resolve(clock));
        let age = || stream.before_end(hit.fields.time?, clock);
        if wanted.lately.is_some_and(|lately| !age().is_some_and(|age| (0..=lately).contains(&age))) {
            continue;
        }
        let said = (time, hit.line, Citation::of(hit.member, hit.line, &hit.text));
        let later = last.get(&index).is_none_or(|(time, line, _)| (*time, *line) <= (said.0, said.1));
        if later {
            last.insert(index, said);
        }
    }
    let is_of_machine = Sources::built_in().is_of_machine(&wanted.source);
    // A machine says a thing in its journal and in the ring of its kernel, which has no dates: that is one machine.
    let node = |index: &usize| facts.streams.get(*index).and_then(|stream| stream.node.clone());
    let dated: BTreeSet<String> =
        last.iter().filter(|(_, said)| said.0.is_some()).filter_map(|(at, _)| node(at)).collect();
    last.retain(|at, said| !is_of_machine || said.0.is_some() || !node(at).is_some_and(|node| dated.contains(&node)));
    let subject = |(index, (_, _, line)): (usize, (Option<Timestamp>, u32, Citation))| {
        let stream = facts.streams.get(index)?;
        Some(Subject {
            context,
            namespace: None,
            name: stream.node.clone().unwrap_or_else(|| match is_of_machine && stream.pod.is_none() {
                true => unnamed::of_file(&stream.name),
                false => stream.name.to_string(),
            }),
            kind: format!("{}{OF_LOG}", wanted.source),
            of: KindName::parse("logs.casefile.dev"),
            object: None,
            stream: Some((index, line)),
            cap: None,
            presence: match stream.over.clone() {
                Some(citation) => Presence::Gone(Ended { how: How::RunsAgain, citation }),
                None => Presence::There,
            },
        })
    };
    last.into_iter().filter_map(subject).collect()
}

/// Entities that other objects refer to by a label, an ownerReference or `spec.clusterName`, where no
/// object of that name was seen and nothing says that there is none. The references are the joins on the
/// entity's name that the signature itself uses.
fn of_references(
    facts: &Facts,
    signature: &Signature,
    context: ContextId,
    (kind, filter): (&KindName, &[Predicate]),
    absences: &Absences<'_>,
    indexed: &Indexed<'_>,
) -> Vec<Subject> {
    let seen: BTreeSet<&str> = facts.of_kind(context, kind).iter().map(|id| facts.object(*id).name.as_str()).collect();
    let mut referred: BTreeMap<String, String> = BTreeMap::new();
    for evidence in &signature.evidence {
        let Query::Object(query) = &evidence.query else { continue };
        let Target::Kinds(kinds) = &query.target else { continue };
        if query.context != ContextSelector::Own {
            continue;
        }
        for join in query.joins.iter().filter(|join| names_entity(&join.is) && is_reference(&join.path)) {
            for kind in kinds {
                let values = indexed.values_at(context, kind, &join.path, Manifests::Count);
                for (value, id) in
                    values.get().into_iter().flatten().filter(|(value, _)| !seen.contains(value.as_str()))
                {
                    let object = facts.object(*id);
                    referred.entry(value.clone()).or_insert_with(|| format!("{} {}", object.kind, object.name));
                }
            }
        }
    }
    referred
        .into_iter()
        .filter(|(name, _)| may_pass_by_name(name, filter) != Truth::False)
        .filter(|(name, _)| {
            let scope = Scope { namespace: None, name: Some(name.clone()) };
            !matches!(*absences.of(context, kind, &scope), Absence::Stated(_) | Absence::Listed(_) | Absence::Rows(_))
        })
        .map(|(name, by)| {
            let why = Why::Referred(kind.clone(), name.clone(), by);
            Subject {
                context,
                namespace: None,
                name,
                kind: kind.to_string(),
                of: kind.clone(),
                object: None,
                stream: None,
                cap: Some(Gap::new(why).wanting(context, kind)),
                presence: Presence::There,
            }
        })
        .collect()
}

fn names_entity(operand: &Operand) -> bool {
    match operand {
        Operand::Entity => true,
        Operand::EntityAttribute(attribute) => attribute == "name",
        _ => false,
    }
}

/// A label, the name in an ownerReference, or `spec.clusterName`.
fn is_reference(path: &Path) -> bool {
    let field = |index: usize, name: &str| matches!(path.0.get(index), Some(Step::Field(f)) if f == name);
    is_path(path, &["spec", "clusterName"])
        || field(0, "metadata") && (field(1, "labels") || field(1, "ownerReferences"))
}

/// What the conditions on the name say of an entity of which nothing but the name is known.
fn may_pass_by_name(name: &str, filter: &[Predicate]) -> Truth {
    let node = Node::new(0, Value::Str(name.into()));
    Truth::all(filter.iter().map(|predicate| {
        if !is_path(&predicate.path, &["metadata", "name"]) || !predicate.or_paths.is_empty() {
            return Truth::Unknown;
        }
        let citation = Citation::line(MemberId(0), 0, "");
        predicate::check(&predicate.test, &predicate.path, &Lookup::Found(vec![(&node, citation.into())])).truth
    }))
}
