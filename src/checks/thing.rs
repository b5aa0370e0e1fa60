//! One object of an installation with its fields three-valued, and one line of a log.

use facts::kind::KindName;
use facts::log::LogHit;
use facts::mask;
use facts::mask::Mask;
use facts::node::{Node, Value};
use facts::object::{Lookup, ObjectId};
use facts::origin::Citation;
use facts::path::Path;
use facts::store::{Facts, Stream};
use jiff::Timestamp;

/// A field of an object.
#[derive(Debug, Clone)]
pub(super) enum Field<'f> {
    /// It has this value.
    Set(&'f Node, Citation),
    /// It surely has none.
    NotSet(Citation),
    /// It has one that was masked.
    Masked(Citation),
    /// Nothing shows it.
    Unknown,
}

impl<'f> Field<'f> {
    /// Its text, if it is a scalar.
    pub fn text(&self) -> Option<String> {
        match self {
            Field::Set(node, _) => node.value.scalar(),
            _ => None,
        }
    }

    /// Where it, or its absence, stands.
    pub fn citation(&self) -> Option<Citation> {
        match self {
            Field::Set(_, citation) | Field::NotSet(citation) | Field::Masked(citation) => Some(citation.clone()),
            Field::Unknown => None,
        }
    }

    /// Its node, if set.
    pub fn node(&self) -> Option<&'f Node> {
        match self {
            Field::Set(node, _) => Some(node),
            _ => None,
        }
    }

    /// Surely without a value; an empty text counts as none.
    pub fn is_empty(&self) -> bool {
        match self {
            Field::NotSet(_) => true,
            Field::Set(node, _) => node.value.is_empty(),
            Field::Masked(_) | Field::Unknown => false,
        }
    }
}

/// Is it a map, or a list of maps, of a form without types?
fn is_printed_structure(node: &Node) -> bool {
    match &node.value {
        Value::Map(entries) => entries.iter().any(|(_, entry)| has_text(entry)),
        Value::List(items) => items.iter().any(|item| matches!(item.value, Value::Map(_)) && has_text(item)),
        _ => false,
    }
}

fn has_text(node: &Node) -> bool {
    match &node.value {
        Value::Text(_) => true,
        Value::List(items) => items.iter().any(has_text),
        Value::Map(entries) => entries.iter().any(|(_, entry)| has_text(entry)),
        _ => false,
    }
}

/// One object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thing<'f> {
    pub facts: &'f Facts,
    pub id: ObjectId,
}

impl<'f> Thing<'f> {
    /// Its name.
    pub fn name(&self) -> &'f str {
        &self.facts.object(self.id).name
    }

    /// Its namespace, if shown.
    pub fn namespace(&self) -> Option<&'f str> {
        self.facts.object(self.id).namespace.as_deref()
    }

    /// Its kind.
    pub fn kind(&self) -> &'f KindName {
        &self.facts.object(self.id).kind
    }

    /// A field by its path. A structure that only a description shows is unknown: it prints lists of maps
    /// without a mark between their items, and texts of many lines without their form.
    pub fn field(&self, path: &str) -> Field<'f> {
        let Ok(path) = Path::parse(path) else { return Field::Unknown };
        match self.facts.lookup(self.id, &path) {
            Lookup::Found(values) => match values.into_iter().next() {
                Some((node, _)) if is_printed_structure(node) => Field::Unknown,
                Some((node, citation)) => Field::Set(node, citation),
                None => Field::Unknown,
            },
            Lookup::NotSet(citation) => Field::NotSet(citation),
            Lookup::Redacted(citation) => Field::Masked(citation),
            Lookup::NotSetOrEmpty(_) | Lookup::AtLeast(_) | Lookup::Unknown(_) => Field::Unknown,
        }
    }

    /// The first of several paths that is set; else what the first says.
    pub fn any(&self, paths: &[&str]) -> Field<'f> {
        let mut fields = paths.iter().map(|path| self.field(path));
        let first = fields.next().unwrap_or(Field::Unknown);
        match first {
            Field::Set(..) | Field::Masked(_) => first,
            _ => fields.find(|field| matches!(field, Field::Set(..) | Field::Masked(_))).unwrap_or(first),
        }
    }

    /// A label.
    pub fn label(&self, key: &str) -> Field<'f> {
        self.field(&format!("metadata.labels[\"{key}\"]"))
    }

    /// An annotation.
    pub fn annotation(&self, key: &str) -> Field<'f> {
        self.field(&format!("metadata.annotations[\"{key}\"]"))
    }

    /// The keys of a map field.
    pub fn keys(&self, path: &str) -> Vec<&'f str> {
        self.field(path).node().map_or(Vec::new(), |node| node.entries().iter().map(|(key, _)| &**key).collect())
    }

    /// The shape of a masked value.
    pub fn mask(&self, keys: &[&str]) -> Option<&'f Mask> {
        let sightings = &self.facts.object(self.id).sightings;
        sightings.iter().find_map(|sighting| exact(&sighting.record.node, keys).and_then(mask::of_node))
    }

    /// Where it stands.
    pub fn citation(&self) -> Citation {
        let record = &self.facts.object(self.id).sightings.first().map(|sighting| &sighting.record);
        match record {
            Some(record) => {
                let mut citation = Citation::line(record.member, record.line, &self.to_string());
                citation.path.clone_from(&record.path);
                citation
            }
            None => Citation::line(facts::origin::MemberId(u32::MAX), 0, ""),
        }
    }
}

/// Keys of maps with dots in them are followed as they are.
fn exact<'f>(node: &'f Node, keys: &[&str]) -> Option<&'f Node> {
    keys.iter().try_fold(node, |node, key| match (key.parse::<usize>(), &node.value) {
        (Ok(index), Value::List(items)) => items.get(index),
        _ => node.get(key),
    })
}

impl std::fmt::Display for Thing<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sightings = &self.facts.object(self.id).sightings;
        let kind = sightings.iter().find_map(|sighting| sighting.record.node.get("kind").and_then(Node::as_str));
        write!(f, "{} `{}`", kind.unwrap_or(&self.kind().plural), self.name())
    }
}

/// A line of a log.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'f> {
    pub hit: &'f LogHit,
    pub stream: &'f Stream,
}

impl<'f> Line<'f> {
    /// Its text.
    pub fn text(&self) -> &'f str {
        &self.hit.text
    }

    /// The stream that it stands in.
    pub fn stream(&self) -> &'f str {
        &self.stream.name
    }

    /// Does the Pod, or the file, that it stands in have a name that begins so?
    pub fn is_of(&self, name: &str) -> bool {
        let pod = self.stream.pod.as_ref().map(|(_, pod, _)| pod.as_str());
        let file = self.stream.name.rsplit('/').next().unwrap_or_default();
        pod.is_some_and(|pod| pod.starts_with(name)) || pod.is_none() && file.starts_with(name)
    }

    /// How many minutes before a clock it was written; nothing where one of the two is not known.
    pub fn age(&self, clock: Option<Timestamp>) -> Option<i64> {
        let written = self.hit.fields.time?.resolve(clock)?;
        Some(clock?.duration_since(written).as_mins())
    }

    /// Where it stands.
    pub fn citation(&self) -> Citation {
        Citation::line(self.hit.member, self.hit.line, &self.hit.text)
    }
}
