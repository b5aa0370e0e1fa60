//! How `patterns/checks.yaml` names objects, fields of them, and values of other objects.
//!
//! | form | means |
//! |---|---|
//! | `cluster, templates` | objects by what they are for: [`NAMES`] |
//! | `configmaps/dcs-import` | an object by kind and name; `{release}`, `{clusters}`, `{templates}`, `{pools}` are those of the provider |
//! | `all:nodes`, `belonging:KIND` | every object of a kind, or those tied to `global` |
//! | `lines:TEXT` | the lines of logs with a text |
//! | `value:vip` | one of [`VALUES`] |
//! | `spec.version`, `a or b` | a field; of several the first that is set |
//! | `data.list > resources.*.name` | what stands below keys of a field, or of the YAML that it holds as text: `*` for all items, `**` for any depth, `a\|b` for the first of two keys |
//! | `label KEY`, `annotation KEY`, `$name`, `$namespace` | a label, an annotation, what identifies the object |
//! | `address of PATH`, `host of PATH`, `prefix of PATH`, `registry-key of PATH` | the part of the text that is compared: [`Take`] |
//! | `cluster spec.version`, `vip` | a value: a field of an object (`own` is the one that is looked at), or one of [`VALUES`] |
//! | `every installers status.podIP` | the same field of each of several objects, as a list |
//! | `holder spec.version`, `text:TEXT` | a field of the object that holds the item that is looked at; a text as it is |
//! | `peer VALUE`, `either VALUE` | the same of the other side, or here and else there |
//! | `primary VALUE`, `standby VALUE` | the same of one side of a pair |

use crate::group::{Group, NAMES};
use crate::installation::Installation;
use crate::object::Object;
use crate::subject::{Read, Subject};
use facts::object::Lookup;
use facts::origin::Citation;
use facts::path::Path;
use serde::Deserialize;

/// Values that the facts of an installation give in more than one way: rows of `values`, and that it is complete.
const VALUES: [&str; 4] = ["vip", "platform-host", "request-sent", "completed"];

/// A part of what `of:` names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Pick {
    /// One of [`NAMES`].
    Group(String),
    /// Kind and name.
    One(String, String),
    /// Every object of a kind.
    All(String),
    /// Those of a kind that are tied to `global`.
    Belonging(String),
    /// Lines of logs with a text.
    Lines(String),
    /// One of [`VALUES`].
    Value(String),
}

/// Objects, one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Objects(pub Vec<Pick>);

impl Objects {
    /// What they are in an installation.
    pub(super) fn subjects<'f>(&self, here: &Installation<'f>) -> Vec<Subject<'f>> {
        self.0.iter().flat_map(|pick| pick.subjects(here)).collect()
    }

    /// The texts of the lines of logs among them.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|pick| match pick {
            Pick::Lines(text) => Some(text.as_str()),
            _ => None,
        })
    }
}

impl TryFrom<String> for Objects {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.split(", ").map(pick).collect::<Result<_, _>>().map(Self)
    }
}

type Form = (&'static str, fn(String) -> Pick);

fn pick(text: &str) -> Result<Pick, String> {
    let forms: [Form; 3] = [("all:", Pick::All), ("belonging:", Pick::Belonging), ("lines:", Pick::Lines)];
    if let Some(pick) = forms.into_iter().find_map(|(form, pick)| Some(pick(text.strip_prefix(form)?.to_owned()))) {
        return Ok(pick);
    }
    if let Some(name) = text.strip_prefix("value:").filter(|name| VALUES.contains(name)) {
        return Ok(Pick::Value(name.to_owned()));
    }
    if let Some((kind, name)) = text.split_once('/') {
        return Ok(Pick::One(kind.to_owned(), name.to_owned()));
    }
    if NAMES.contains(&text) {
        return Ok(Pick::Group(text.to_owned()));
    }
    Err(format!(
        "`{text}` are no objects; expected KIND/NAME, all:KIND, belonging:KIND, lines:TEXT, value:NAME or one of {}",
        NAMES.join(", ")
    ))
}

impl Pick {
    /// The kind of its objects, if it is of one alone.
    pub(super) fn kind(&self, here: &Installation<'_>) -> Option<String> {
        match self {
            Pick::One(kind, _) | Pick::All(kind) | Pick::Belonging(kind) => Some(here.filled_in(kind)),
            Pick::Group(_) | Pick::Lines(_) | Pick::Value(_) => None,
        }
    }

    /// The list that proves that there are no other objects of its kind.
    pub(super) fn listed(&self, here: &Installation<'_>) -> Option<Vec<Citation>> {
        match self {
            Pick::All(kind) | Pick::Belonging(kind) => here.listed(&here.filled_in(kind)),
            _ => None,
        }
    }

    /// What proves that there is none of them.
    pub(super) fn proof(&self, here: &Installation<'_>) -> Option<Vec<Citation>> {
        match self {
            Pick::One(kind, name) => {
                let name = here.filled_in(name);
                here.lacks(&here.filled_in(kind), &name).filter(|_| !name.is_empty())
            }
            _ => self.listed(here),
        }
    }

    /// What it finds in an installation: one subject at least, if only that there is none.
    pub(super) fn subjects<'f>(&self, here: &Installation<'f>) -> Vec<Subject<'f>> {
        let found = match self {
            Pick::Group(name) => return Group::of(name).map_or(Vec::new(), |group| group.subjects(here)),
            Pick::One(kind, name) => {
                let found = here.named(&here.filled_in(kind), &here.filled_in(name));
                found.into_iter().map(Subject::Object).collect()
            }
            Pick::All(kind) => here.all(&here.filled_in(kind)).into_iter().map(Subject::Object).collect(),
            Pick::Belonging(kind) => here.belonging(&here.filled_in(kind)).into_iter().map(Subject::Object).collect(),
            Pick::Lines(text) => here.lines(text).into_iter().map(Subject::Line).collect(),
            Pick::Value(name) => {
                let value = if name == "completed" { here.completed() } else { here.value(name) };
                value.map(|value| Subject::Values(vec![(String::new(), Some(value))])).into_iter().collect()
            }
        };
        Subject::of(found, || self.proof(here))
    }
}

/// What is read of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Name,
    Namespace,
    /// A field: of several paths the first that is set; and the keys below which it stands in the field, or in the YAML
    /// that the field holds as text.
    Field(Vec<String>, Vec<String>),
}

/// The part of a text that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Take {
    /// An address without its scheme and the slash at its end.
    Address,
    /// The host of an address.
    Host,
    /// The length of the prefix of a network.
    Prefix,
    /// The key below which etcd keeps the objects of a resource.
    RegistryKey,
}

/// The parts by their names.
const TAKES: [(&str, Take); 4] = [
    ("address of ", Take::Address),
    ("host of ", Take::Host),
    ("prefix of ", Take::Prefix),
    ("registry-key of ", Take::RegistryKey),
];

/// What a text names after the name of a part.
fn taking(text: &str) -> (Option<Take>, &str) {
    let found = TAKES.iter().find_map(|(name, take)| Some((Some(*take), text.strip_prefix(name)?)));
    found.unwrap_or((None, text))
}

/// What is read of an object, with the words for it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Reading {
    pub(super) take: Option<Take>,
    pub(super) part: Part,
    pub(super) words: String,
}

impl TryFrom<String> for Reading {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let quoted = |what: &str, key: &str| (format!("metadata.{what}s[\"{key}\"]"), format!("the {what} `{key}`"));
        let (take, text) = taking(&text);
        let (text, within) = text.split_once(" > ").unwrap_or((text, ""));
        let (path, words) = match text.split_once(' ') {
            Some(("label", key)) => quoted("label", key),
            Some(("annotation", key)) => quoted("annotation", key),
            _ => (text.to_owned(), text.split(" or ").next().unwrap_or_default().to_owned()),
        };
        let part = match path.as_str() {
            "$name" => Part::Name,
            "$namespace" => Part::Namespace,
            paths => Part::Field(
                paths.split(" or ").map(checked).collect::<Result<_, _>>()?,
                within.split('.').filter(|key| !key.is_empty()).map(str::to_owned).collect(),
            ),
        };
        Ok(Self { take, part, words })
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

/// A value by its name: the first of these that is there.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedValue {
    pub name: String,
    pub of: Vec<Reference>,
}

/// A value of an installation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Reference {
    side: Side,
    source: Source,
}

/// Where a value is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Here,
    Peer,
    Either,
    Named(&'static str),
}

/// The sides by their names.
const SIDES: [(&str, Side); 4] = [
    ("peer ", Side::Peer),
    ("either ", Side::Either),
    ("primary ", Side::Named("primary")),
    ("standby ", Side::Named("standby")),
];

#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    Value(Pick),
    Field(Pick, Reading),
    /// The field of each of several objects.
    Every(Pick, Reading),
    /// A field of what is looked at.
    Own(Reading),
    /// A field of the object that holds the item that is looked at.
    Holder(Reading),
    /// A text as it is.
    Text(String),
}

impl TryFrom<String> for Reference {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let named = SIDES.iter().find_map(|(name, side)| Some((*side, text.strip_prefix(name)?)));
        let (side, rest) = named.unwrap_or((Side::Here, &text));
        if VALUES.contains(&rest) {
            return Ok(Self { side, source: Source::Value(Pick::Value(rest.to_owned())) });
        }
        if let Some(text) = rest.strip_prefix("text:") {
            return Ok(Self { side, source: Source::Text(text.to_owned()) });
        }
        let (every, rest) = rest.strip_prefix("every ").map_or((false, rest), |rest| (true, rest));
        let part = TAKES.iter().map(|(name, _)| *name).find(|name| rest.starts_with(name)).unwrap_or_default();
        let (object, path) = rest.trim_start_matches(part).split_once(' ').ok_or_else(|| {
            let names = VALUES.join(", ");
            format!("`{rest}` is no value; expected OBJECT PATH, such as `cluster spec.version`, or one of {names}")
        })?;
        let reading = Reading::try_from(format!("{part}{path}"))?;
        let source = match object {
            "own" => Source::Own(reading),
            "holder" => Source::Holder(reading),
            object if every => Source::Every(pick(object)?, reading),
            object => Source::Field(pick(object)?, reading),
        };
        Ok(Self { side, source })
    }
}

impl Reference {
    /// What is read there; `own` is what is looked at.
    pub(super) fn read(&self, here: &Installation<'_>, own: Option<&Subject<'_>>) -> Option<Read> {
        match self.side {
            Side::Here => self.read_in(here, own),
            Side::Peer => self.read_in(&here.peer()?, own),
            Side::Either => {
                let found = self.read_in(here, own).filter(|read| read.is_shown() && read.text.is_some());
                found.or_else(|| self.read_in(&here.peer()?, own))
            }
            Side::Named(name) if here.is_named(name) => self.read_in(here, own),
            Side::Named(_) => self.read_in(&here.peer()?, own),
        }
    }

    fn read_in(&self, here: &Installation<'_>, own: Option<&Subject<'_>>) -> Option<Read> {
        let (pick, reading) = match &self.source {
            Source::Own(reading) => return Some(Read::of(own?, Some(reading))),
            Source::Holder(reading) => return Some(Read::of(&Subject::Object(*own?.object()?), Some(reading))),
            Source::Text(text) => return Some(Read::said(text, None)),
            Source::Every(pick, reading) => {
                let all = pick.subjects(here).iter().filter_map(|subject| subject.object().copied()).collect();
                return Some(Read::of(&Subject::Together(all, None), Some(reading))).filter(Read::is_shown);
            }
            Source::Field(pick, reading) => (pick, Some(reading)),
            Source::Value(pick) => (pick, None),
        };
        match pick.subjects(here).first()? {
            Subject::Line(_) | Subject::NotCollected => None,
            first => Some(Read::of(first, reading)),
        }
    }

    /// A text that is not empty with its citation, if it is known.
    pub(super) fn value(&self, here: &Installation<'_>, own: Option<&Subject<'_>>) -> Option<(String, Citation)> {
        let read = self.read(here, own)?;
        read.valued()?;
        Some((read.judged()?.to_owned(), read.citations.first()?.clone()))
    }
}
