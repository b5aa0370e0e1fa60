//! How `patterns/checks.yaml` names objects, fields of them, and values of other objects.
//!
//! | form | means |
//! |---|---|
//! | `cluster, templates` | objects by what they are for: [`GROUPS`] |
//! | `configmaps/dcs-import` | an object by kind and name; `{release}` is the provider's end of a name |
//! | `all:nodes`, `belonging:KIND` | every object of a kind, or those tied to `global` |
//! | `spec.version`, `a or b` | a field; of several the first that is set |
//! | `label KEY`, `annotation KEY`, `$name`, `$namespace` | a label, an annotation, what identifies the object |
//! | `[peer ]cluster spec.version`, `vip` | a value: a field of an object (`own` is the one that is looked at), or one of [`VALUES`], here or on the other side |

use crate::installation::Installation;
use crate::object::Object;
use facts::object::Lookup;
use facts::origin::Citation;
use facts::path::Path;
use serde::Deserialize;

/// Objects by what they are for.
type Group = (&'static str, for<'a, 'f> fn(&'a Installation<'f>) -> Vec<Object<'f>>);
/// The ModuleInfo whose absence a list can prove.
const ETCD_SYNC: (&str, &str) = ("moduleinfoes.cluster.alauda.io", "etcd-sync");

/// Objects by what they are for.
pub(super) const GROUPS: [Group; 12] = [
    ("cluster", |here| here.cluster().into_iter().collect()),
    ("infrastructure", |here| here.infrastructure().into_iter().collect()),
    ("control-plane", |here| here.control_plane().into_iter().collect()),
    ("templates", |here| here.templates()),
    ("template", |here| here.templates().into_iter().take(1).collect()),
    ("pools", |here| here.pools()),
    ("releases", |here| here.releases()),
    ("release", |here| here.release().into_iter().collect()),
    ("request", |here| here.request().into_iter().collect()),
    ("import-map", |here| here.import_map().into_iter().collect()),
    ("etcd-sync", |here| here.sync().into_iter().collect()),
    ("progress", |here| here.progress()),
];

/// Values that the facts of an installation give in more than one way.
type Value = (&'static str, for<'a, 'f> fn(&'a Installation<'f>) -> Option<(String, Citation)>);

/// Values by their names.
const VALUES: [Value; 2] = [("vip", |here| here.vip()), ("platform-host", |here| here.platform_host())];

/// A part of what `of:` names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Pick {
    /// One of [`GROUPS`].
    Group(String),
    /// Kind and name.
    One(String, String),
    /// Every object of a kind.
    All(String),
    /// Those of a kind that are tied to `global`.
    Belonging(String),
}

/// Objects, one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Objects(pub Vec<Pick>);

impl TryFrom<String> for Objects {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.split(", ").map(pick).collect::<Result<_, _>>().map(Self)
    }
}

fn pick(text: &str) -> Result<Pick, String> {
    if let Some(kind) = text.strip_prefix("all:") {
        return Ok(Pick::All(kind.to_owned()));
    }
    if let Some(kind) = text.strip_prefix("belonging:") {
        return Ok(Pick::Belonging(kind.to_owned()));
    }
    if let Some((kind, name)) = text.split_once('/') {
        return Ok(Pick::One(kind.to_owned(), name.to_owned()));
    }
    if GROUPS.iter().any(|(name, _)| *name == text) {
        return Ok(Pick::Group(text.to_owned()));
    }
    let names: Vec<&str> = GROUPS.iter().map(|(name, _)| *name).collect();
    Err(format!("`{text}` are no objects; expected KIND/NAME, all:KIND, belonging:KIND or one of {}", names.join(", ")))
}

/// What a pick finds.
pub(super) enum Picked<'f> {
    /// These, at least one.
    Objects(Vec<Object<'f>>),
    /// There surely are none, with the proof.
    Missing(Vec<Citation>),
    /// Nothing shows any.
    NotCollected,
}

impl Pick {
    /// What it finds in an installation.
    pub(super) fn in_facts<'f>(&self, here: &Installation<'f>) -> Picked<'f> {
        let (found, proof) = match self {
            Pick::Group(name) => {
                let group = GROUPS.iter().find(|(known, _)| known == name);
                let proof = if name == "etcd-sync" { here.lacks(ETCD_SYNC.0, ETCD_SYNC.1) } else { None };
                (group.map_or(Vec::new(), |(_, get)| get(here)), proof)
            }
            Pick::One(kind, name) => {
                let name = name.replace("{release}", here.provider().map_or("", |own| &own.release));
                (here.named(kind, &name).into_iter().collect(), here.lacks(kind, &name))
            }
            Pick::All(kind) => (here.all(kind), here.listed(kind)),
            Pick::Belonging(kind) => (here.belonging(kind), here.listed(kind)),
        };
        match (found.is_empty(), proof) {
            (false, _) => Picked::Objects(found),
            (true, Some(proof)) => Picked::Missing(proof),
            (true, None) => Picked::NotCollected,
        }
    }
}

/// What is read of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Name,
    Namespace,
    /// A field: of several paths the first that is set.
    Field(Vec<String>),
}

/// What is read of an object, with the words for it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Reading {
    pub(super) part: Part,
    pub(super) words: String,
}

impl TryFrom<String> for Reading {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let quoted = |what: &str, key: &str| (format!("metadata.{what}s[\"{key}\"]"), format!("the {what} `{key}`"));
        let (path, words) = match text.split_once(' ') {
            Some(("label", key)) => quoted("label", key),
            Some(("annotation", key)) => quoted("annotation", key),
            _ => (text.clone(), text.split(" or ").next().unwrap_or_default().to_owned()),
        };
        let part = match path.as_str() {
            "$name" => Part::Name,
            "$namespace" => Part::Namespace,
            paths => Part::Field(paths.split(" or ").map(checked).collect::<Result<_, _>>()?),
        };
        Ok(Self { part, words })
    }
}

/// A path that can be read.
fn checked(path: &str) -> Result<String, String> {
    Path::parse(path).map(|_| path.to_owned()).map_err(|error| error.to_string())
}

/// The field of an object that paths name. A request to the installer may hold its fields below `spec`.
pub(super) fn field<'f>(object: &Object<'f>, paths: &[String]) -> Lookup<'f> {
    let mut all: Vec<String> = paths.to_vec();
    if object.kind().plural == "installerrequests" {
        all.extend(paths.iter().map(|path| format!("spec.{path}")));
    }
    object.any(&all.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A value of an installation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Reference {
    of_peer: bool,
    source: Source,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    Value(String),
    Field(Pick, Reading),
    /// A field of the object that is looked at.
    Own(Reading),
}

impl TryFrom<String> for Reference {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (of_peer, rest) = text.strip_prefix("peer ").map_or((false, text.as_str()), |rest| (true, rest));
        if VALUES.iter().any(|(name, _)| *name == rest) {
            return Ok(Self { of_peer, source: Source::Value(rest.to_owned()) });
        }
        let (object, path) = rest.split_once(' ').ok_or_else(|| {
            format!("`{rest}` is no value; expected OBJECT PATH, such as `cluster spec.version`, vip or platform-host")
        })?;
        let reading = Reading::try_from(path.to_owned())?;
        let source = if object == "own" { Source::Own(reading) } else { Source::Field(pick(object)?, reading) };
        Ok(Self { of_peer, source })
    }
}

impl Reference {
    /// The value with its citation, if it is known; `own` is the object that is looked at.
    pub(super) fn value(&self, here: &Installation<'_>, own: Option<&Object<'_>>) -> Option<(String, Citation)> {
        let peer = if self.of_peer { Some(here.peer()?) } else { None };
        let here = peer.as_ref().unwrap_or(here);
        let read = |object: &Object<'_>, reading: &Reading| match &reading.part {
            Part::Field(paths) => field(object, paths).valued(),
            Part::Name => Some((object.name().to_owned(), object.citation())),
            Part::Namespace => Some((object.namespace()?.to_owned(), object.citation())),
        };
        match &self.source {
            Source::Value(name) => VALUES.iter().find(|(known, _)| known == name).and_then(|(_, get)| get(here)),
            Source::Own(reading) => read(own?, reading),
            Source::Field(pick, reading) => match pick.in_facts(here) {
                Picked::Objects(found) => read(found.first()?, reading),
                Picked::Missing(_) | Picked::NotCollected => None,
            },
        }
    }
}
