//! One object of an installation, its fields three-valued.

use facts::kind::KindName;
use facts::mask;
use facts::mask::Mask;
use facts::node::{Node, Value};
use facts::object::{Lookup, ObjectId, ObjectRecord};
use facts::origin::Citation;
use facts::path::{Path, Step};
use facts::store::Facts;
use facts::unknown::Unknown;
use jiff::Timestamp;

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

#[derive(Debug, Clone, Copy)]
pub(super) struct Object<'f> {
    pub facts: &'f Facts,
    pub id: ObjectId,
}

impl<'f> Object<'f> {
    pub(crate) fn name(&self) -> &'f str {
        &self.facts.object(self.id).name
    }

    /// Its namespace, if shown.
    pub(crate) fn namespace(&self) -> Option<&'f str> {
        self.facts.object(self.id).namespace.as_deref()
    }

    pub(crate) fn kind(&self) -> &'f KindName {
        &self.facts.object(self.id).kind
    }

    /// A field by its path. A structure that only a description shows is unknown: it prints lists of maps
    /// without a mark between their items, and texts of many lines without their form.
    pub(crate) fn field(&self, path: &str) -> Lookup<'f> {
        match Path::parse(path) {
            Ok(path) => self.look(&path),
            Err(error) => Lookup::Unknown(Unknown::LeftOpen(error.to_string())),
        }
    }

    /// The same for a path that was parsed.
    pub(crate) fn look(&self, path: &Path) -> Lookup<'f> {
        let found = self.facts.stated(self.id, path);
        match found.node() {
            Some(node) if is_printed_structure(node) => Lookup::Unknown(Unknown::NotShown {
                kind: self.kind().clone(),
                name: self.name().to_owned(),
                path: path.clone(),
            }),
            _ => found,
        }
    }

    /// Does some text show the whole of what stands at this path, so that nothing of it was cut off?
    pub(crate) fn is_whole(&self, path: &str) -> bool {
        let Ok(path) = Path::parse(path) else { return false };
        let sightings = &self.facts.object(self.id).sightings;
        sightings.iter().any(|sighting| sighting.record.shown.text().covers(&path))
    }

    /// The first of several paths that is set; else what the first says.
    pub(crate) fn any(&self, paths: &[&str]) -> Lookup<'f> {
        let mut fields = paths.iter().map(|path| self.field(path));
        let is_set = |field: &Lookup<'_>| matches!(field, Lookup::Found(_) | Lookup::Redacted(_));
        match fields.next() {
            Some(first) if is_set(&first) => first,
            Some(first) => fields.find(is_set).unwrap_or(first),
            None => Lookup::Unknown(Unknown::LeftOpen("no path was asked for".to_owned())),
        }
    }

    pub(crate) fn label(&self, key: &str) -> Lookup<'f> {
        self.field(&format!("metadata.labels[\"{key}\"]"))
    }

    pub(crate) fn annotation(&self, key: &str) -> Lookup<'f> {
        self.field(&format!("metadata.annotations[\"{key}\"]"))
    }

    /// A time in a field, with its citation.
    pub(crate) fn time(&self, path: &str) -> Option<(Timestamp, Citation)> {
        let field = self.field(path);
        Some((field.text()?.parse().ok()?, field.citation()?))
    }

    /// The keys of a map field.
    pub(crate) fn keys(&self, path: &str) -> Vec<&'f str> {
        self.field(path).node().map_or(Vec::new(), |node| node.entries().iter().map(|(key, _)| &**key).collect())
    }

    /// The shape of a masked value.
    pub(crate) fn mask(&self, path: &str) -> Option<&'f Mask> {
        let Path(steps) = Path::parse(path).ok()?;
        let below = |node: &'f Node, step: &Step| match step {
            Step::Field(key) | Step::Key(key) => node.get(key),
            _ => None,
        };
        let masked = |record: &'f ObjectRecord| mask::of_node(steps.iter().try_fold(&*record.node, below)?);
        self.facts.object(self.id).sightings.iter().find_map(|sighting| masked(&sighting.record))
    }

    pub(crate) fn citation(&self) -> Citation {
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

impl std::fmt::Display for Object<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sightings = &self.facts.object(self.id).sightings;
        let kind = sightings.iter().find_map(|sighting| sighting.record.node.get("kind").and_then(Node::as_str));
        write!(f, "{} `{}`", kind.unwrap_or(&self.kind().plural), self.name())
    }
}
