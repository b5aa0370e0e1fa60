//! The questions that analyzers ask of one cluster, with what proves each answer.
//!
//! Invariants: that an object is not there is said only where the facts prove it; what one sighting does not show is
//! open, and never the zero that Troubleshoot reads there.

use crate::files::Files;
use crate::known::{Known, Open, Why, shown};
use catalogue::kinds::Catalogue;
use facts::event::{self, Event};
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{ContextId, Lookup, ObjectId};
use facts::origin::Citation;
use facts::path::{Path, Step};
use facts::presence::Presence;
use facts::store::{Absence, Facts, Scope};
use facts::whole::{self, Whole};

/// One cluster of what was read.
pub(crate) struct World<'a> {
    pub facts: &'a Facts,
    pub catalogue: &'a Catalogue,
    pub files: &'a Files,
    pub context: ContextId,
    /// Maps and lists inside each other in a file.
    pub nesting: u32,
}

/// An object, or the proof that there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    There(ObjectId),
    Absent(Vec<Citation>),
}

/// Objects of a kind, and why there may be others.
#[derive(Debug)]
pub(crate) struct Listed {
    pub ids: Vec<ObjectId>,
    pub open: Option<Open>,
    /// The lists that prove that these are all.
    pub at: Vec<Citation>,
}

/// A value with its place; none where there surely is none.
pub(crate) type Got<'a> = Known<(Option<&'a Node>, Citation)>;

impl<'a> World<'a> {
    /// The objects of a kind in a namespace, or in all.
    pub(crate) fn list(&self, kind: &KindName, namespace: Option<&str>) -> Listed {
        let mut ids = Vec::new();
        let mut doubtful = None;
        for id in self.facts.of_kind(self.context, kind) {
            let object = self.facts.object(*id);
            if object.is_manifest()
                || namespace.is_some_and(|wanted| object.namespace.as_deref().is_some_and(|own| own != wanted))
            {
                continue;
            }
            if object.shadow || matches!(object.presence, Presence::Disputed(_)) {
                doubtful = Some(Open::of(Why::NotWhole(format!("nobody knows whether {} is there", self.name(*id)))));
            } else if namespace.is_none_or(|_| object.namespace.is_some()) {
                ids.push(*id);
            }
        }
        let scope = Scope { namespace: namespace.map(str::to_owned), name: None };
        let (open, at) = match self.whole(kind, &scope) {
            Ok(at) => (doubtful, at),
            Err(open) => (Some(open), Vec::new()),
        };
        Listed { ids, open, at }
    }

    /// The same for some namespaces, or for all if none is named.
    pub(crate) fn list_in(&self, kind: &KindName, namespaces: &[String]) -> Listed {
        if namespaces.is_empty() {
            return self.list(kind, None);
        }
        let mut all = Listed { ids: Vec::new(), open: None, at: Vec::new() };
        for namespace in namespaces {
            let one = self.list(kind, Some(namespace));
            all.ids.extend(one.ids);
            all.open = all.open.or(one.open);
            all.at.extend(one.at);
        }
        all
    }

    /// What proves that a scope holds no others than those that were seen.
    fn whole(&self, kind: &KindName, scope: &Scope) -> Known<Vec<Citation>> {
        match whole::whole(self.facts, self.context, kind, scope) {
            Whole::Yes(_) | Whole::Likely(_) => Ok(match self.facts.absence(self.context, kind, scope) {
                Absence::Stated(at) | Absence::Listed(at) => at.into_iter().take(3).collect(),
                Absence::Unknown { citations, .. } => citations.into_iter().take(3).collect(),
                Absence::Rows(_) => Vec::new(),
            }),
            Whole::Doubtful(place) => {
                Err(Why::NotWhole(format!("the table of {kind} in {place} may have been filtered")).into())
            }
            Whole::No(why) => Err(Why::NotWhole(why).into()),
        }
    }

    /// One object by its name; an empty namespace of a kind that has namespaces is any.
    pub(crate) fn object(&self, kind: &KindName, namespace: &str, name: &str) -> Known<Found> {
        let is_any = namespace.is_empty();
        let place = (!is_any).then_some(namespace);
        let is_it = |id: &&ObjectId| {
            let object = self.facts.object(**id);
            object.name == name && (is_any || object.namespace.as_deref() == place || object.namespace.is_none())
        };
        let all: Vec<ObjectId> = self.facts.of_kind(self.context, kind).iter().filter(is_it).copied().collect();
        let is_sure = |id: &&ObjectId| {
            let object = self.facts.object(**id);
            !object.shadow && !object.is_manifest() && object.presence == Presence::There
        };
        match all.iter().filter(is_sure).copied().collect::<Vec<_>>().as_slice() {
            [id] => return Ok(Found::There(*id)),
            [_, _, ..] => return Err(Why::SeveralNamed(shown(name)).into()),
            [] => {}
        }
        if let Some(id) = all.iter().find(|id| !self.facts.object(**id).is_manifest()) {
            return Err(Why::NotWhole(format!("nobody knows whether {} is there", self.name(*id))).into());
        }
        if let Some(id) = self.facts.gone_of_kind(self.context, kind).iter().find(is_it) {
            let ended = self.facts.object(*id).presence.ended().map(|ended| ended.citation.clone());
            return Ok(Found::Absent(ended.into_iter().collect()));
        }
        let scope = Scope { namespace: place.map(str::to_owned), name: Some(name.to_owned()) };
        Ok(Found::Absent(self.whole(kind, &scope)?))
    }

    /// What a path of an object says.
    pub(crate) fn got(&self, id: ObjectId, path: &Path) -> Got<'a> {
        let facts: &'a Facts = self.facts;
        match facts.lookup(id, path) {
            Lookup::Found(values) => match values.first() {
                Some((node, spot)) if matches!(node.value, Value::Redacted(_)) => {
                    Err(Open { why: Why::Masked(format!("`{path}`")), at: vec![spot.cite()] })
                }
                Some((node, spot)) => Ok((Some(*node), spot.cite())),
                None => Err(self.not_shown(id, path)),
            },
            Lookup::NotSet(spot) | Lookup::NotSetOrEmpty(spot) => Ok((None, spot.cite())),
            Lookup::Redacted(spot) => Err(Open { why: Why::Masked(format!("`{path}`")), at: vec![spot.cite()] }),
            Lookup::AtLeast(_) | Lookup::Unknown(_) => Err(self.not_shown(id, path)),
        }
    }

    fn not_shown(&self, id: ObjectId, path: &Path) -> Open {
        Open { why: Why::NotShown { object: self.name(id), path: path.to_string() }, at: self.cite(id) }
    }

    /// A number; where there surely is none, the zero of the API.
    pub(crate) fn number(&self, id: ObjectId, field: &[&str]) -> Known<(i64, Citation)> {
        let path = fields(field);
        let (node, at) = self.got(id, &path)?;
        let Some(node) = node else { return Ok((0, at)) };
        let number = node.value.integer().and_then(|number| i64::try_from(number).ok());
        let number = number.or_else(|| node.value.scalar()?.trim().parse().ok());
        Ok((number.ok_or_else(|| self.not_shown(id, &path))?, at))
    }

    /// A text; empty where there surely is none.
    pub(crate) fn text(&self, id: ObjectId, field: &[&str]) -> Known<(String, Citation)> {
        let (node, at) = self.got(id, &fields(field))?;
        Ok((node.and_then(|node| node.value.scalar()).unwrap_or_default(), at))
    }

    /// The items of a list; none where there surely is none.
    pub(crate) fn items(&self, id: ObjectId, field: &[&str]) -> Known<&'a [Node]> {
        Ok(self.got(id, &fields(field))?.0.map(Node::items).unwrap_or_default())
    }

    /// An entry of a map whose keys are somebody's own: labels, annotations.
    pub(crate) fn entry(&self, id: ObjectId, field: &[&str], key: &str) -> Known<(Option<String>, Citation)> {
        let mut path = fields(field);
        path.0.push(Step::Key(key.to_owned()));
        let (node, at) = self.got(id, &path)?;
        Ok((node.and_then(|node| node.value.scalar()), at))
    }

    /// `Deployment shop/web`.
    pub(crate) fn name(&self, id: ObjectId) -> String {
        let object = self.facts.object(id);
        let word = diagnosis::words::kind_of_one(&object.kind.to_string());
        match &object.namespace {
            Some(namespace) => shown(&format!("{word} {namespace}/{}", object.name)),
            None => shown(&format!("{word} {}", object.name)),
        }
    }

    /// Where an object stands.
    pub(crate) fn cite(&self, id: ObjectId) -> Vec<Citation> {
        let object = self.facts.object(id);
        let first = object.sightings.first().map(|sighting| {
            let record = &sighting.record;
            Citation::line(record.member, record.line, &format!("{}: {}", object.kind, object.name))
        });
        first.into_iter().collect()
    }

    /// The Events of a cluster, or of a namespace.
    pub(crate) fn events(&self, namespace: Option<&str>) -> (Vec<(ObjectId, Event<'a>)>, Option<Open>, Vec<Citation>) {
        let facts: &'a Facts = self.facts;
        let mut events = Vec::new();
        let (mut open, mut at) = (None, Vec::new());
        for (index, kind) in event::KINDS.iter().enumerate() {
            let listed = self.list(&KindName::parse(kind), namespace);
            let nodes = listed
                .ids
                .iter()
                .filter_map(|id| Some((*id, Event::of(&facts.object(*id).sightings.first()?.record.node))));
            events.extend(nodes);
            // Both kinds are one list of the API server, and a collector keeps one of them.
            if index == 0 || listed.open.is_none() {
                (open, at) = (listed.open, listed.at);
            }
            if open.is_none() {
                break;
            }
        }
        (events, open, at)
    }
}

/// A path of plain fields.
pub(crate) fn fields(field: &[&str]) -> Path {
    Path(field.iter().map(|name| Step::Field((*name).to_owned())).collect())
}
