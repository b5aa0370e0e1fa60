//! What a test looks at, and what it reads of it.
//!
//! Invariant: what is not shown has no citation, and is then neither set nor unset.

use crate::address::is_bootstrap_only;
use crate::language::Shape;
use crate::log_line::LogLine;
use crate::object::Object;
use crate::select::{Part, Reading, Take};
use facts::address::{host, without_scheme};
use facts::mask;
use facts::mask::{Form, Mask};
use facts::node::{Node, Value};
use facts::object::Lookup;
use facts::origin::Citation;
use ipnet::IpNet;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

/// What a test looks at.
pub(super) enum Subject<'f> {
    Object(Object<'f>),
    /// An item of a list, or an entry of a map, of an object.
    Item(Item<'f>),
    Line(LogLine<'f>),
    /// All objects of a kind at once, with the list that proves that there are no others.
    Together(Vec<Object<'f>>, Option<Vec<Citation>>),
    /// Several values of the installation by what sentences call them, as far as they are known.
    Values(Vec<(String, Option<(String, Citation)>)>),
    /// There surely is none, with the proof.
    Missing(Vec<Citation>),
    NotCollected,
}

/// An item of a list, or an entry of a map.
pub(super) struct Item<'f> {
    pub of: Object<'f>,
    /// Its key, or its place in the list.
    pub key: String,
    pub node: Node,
    /// The field that holds it.
    pub citation: Citation,
}

impl<'f> Subject<'f> {
    /// What was found, else that there surely is none, else that nothing shows any.
    pub(super) fn of(found: Vec<Self>, proof: impl FnOnce() -> Option<Vec<Citation>>) -> Vec<Self> {
        if found.is_empty() { vec![proof().map_or(Subject::NotCollected, Subject::Missing)] } else { found }
    }

    /// The object, or the one that holds the item.
    pub(super) fn object(&self) -> Option<&Object<'f>> {
        match self {
            Subject::Object(object) => Some(object),
            Subject::Item(item) => Some(&item.of),
            _ => None,
        }
    }

    /// What sentences call it.
    pub(super) fn name(&self) -> String {
        match self {
            Subject::Line(line) => line.stream.name.to_string(),
            other => other.object().map_or(String::new(), ToString::to_string),
        }
    }

    /// Where it stands itself, or what proves that there is none or no other.
    pub(super) fn citations(&self) -> Vec<Citation> {
        match self {
            Subject::Object(object) => vec![object.citation()],
            Subject::Item(item) => {
                vec![Citation { line: item.node.line, ..item.citation.clone() }]
            }
            Subject::Line(line) => vec![line.citation()],
            Subject::Values(values) => known(values).map(|(_, citation)| citation.clone()).collect(),
            Subject::Together(_, proof) => proof.clone().unwrap_or_default(),
            Subject::Missing(proof) => proof.clone(),
            Subject::NotCollected => Vec::new(),
        }
    }

    /// The items of a list, or the entries of a map, that a field of the object is.
    pub(super) fn items(&self, reading: &Reading) -> Vec<Subject<'f>> {
        let Subject::Object(of) = self else { return Vec::new() };
        let read = Read::of(self, Some(reading));
        let (Some(node), Some(citation)) = (&read.node, read.citations.first()) else { return Vec::new() };
        let one = |key: String, node: &Node| {
            Subject::Item(Item { of: *of, key, node: node.clone(), citation: citation.clone() })
        };
        match &node.value {
            Value::Map(entries) => entries.iter().map(|(key, node)| one(key.to_string(), node)).collect(),
            _ => node.elements().iter().enumerate().map(|(at, node)| one(at.to_string(), node)).collect(),
        }
    }
}

/// What stands under keys; `*` stands for every item of a list, `**` for every place at whatever depth, `a|b` for the
/// first of two keys that is there.
fn under(node: &Node, keys: &[&str]) -> Option<Node> {
    let list = |found: Vec<Node>| Node::new(found.first().map_or(node.line, |first| first.line), Value::List(found));
    match keys {
        [] => Some(node.clone()),
        ["**", below @ ..] => {
            let within = node.entries().iter().map(|(_, child)| child).chain(node.items());
            let within = within.filter_map(|child| under(child, keys)).flat_map(|found| found.items().to_vec());
            Some(list(under(node, below).into_iter().chain(within).collect()))
        }
        ["*", below @ ..] => {
            let Value::List(items) = &node.value else { return None };
            let found = items.iter().filter_map(|item| under(item, below));
            let is_list = below.contains(&"*");
            Some(list(found.flat_map(|found| if is_list { found.items().to_vec() } else { vec![found] }).collect()))
        }
        [key, below @ ..] => under(key.split('|').find_map(|key| node.field(key))?, below),
    }
}

/// The values that are known.
fn known(values: &[(String, Option<(String, Citation)>)]) -> impl Iterator<Item = &(String, Citation)> {
    values.iter().filter_map(|(_, value)| value.as_ref())
}

/// What was read.
#[derive(Default)]
pub(super) struct Read {
    /// The value, if it is a scalar.
    pub text: Option<String>,
    /// Where it stands, or what proves that there is none; empty where it is not shown.
    pub citations: Vec<Citation>,
    pub node: Option<Node>,
    /// The part of the text that is compared, where a part is asked for: nothing where the text has none.
    pub part: Option<Option<String>>,
    pub mask: Option<Mask>,
    is_unset: bool,
    is_masked: bool,
    /// Its object surely does not exist.
    pub is_missing: bool,
}

impl Read {
    /// What a reading gives of a subject; without one, what identifies it.
    pub(super) fn of(subject: &Subject<'_>, reading: Option<&Reading>) -> Self {
        let part = reading.map(|reading| &reading.part);
        let mut read = match (subject, part) {
            (Subject::Object(object), None | Some(Part::Name)) => Self::said(object.name(), object.citation()),
            (Subject::Object(object), Some(Part::Namespace)) => {
                object.namespace().map_or_else(Self::default, |text| Self::said(text, object.citation()))
            }
            (Subject::Object(object), Some(Part::Field(paths, within))) => Self::field(object, paths).within(within),
            (Subject::Item(item), Some(Part::Field(paths, _))) => {
                let node = paths.iter().find_map(|path| item.node.at(&path.split('.').collect::<Vec<_>>()));
                Self::node(node.cloned(), item.citation.clone())
            }
            (Subject::Item(item), own) => {
                let name = own.and_then(|_| item.node.get("name"));
                Self::node(Some(name.unwrap_or(&item.node).clone()), item.citation.clone())
            }
            (Subject::Values(values), _) => {
                let texts = known(values).map(|(text, _)| Node::str(0, text.as_str())).collect();
                let text = known(values).next().map(|(text, _)| text.clone());
                let node = Some(Node::new(0, Value::List(texts)));
                Self { text, node, citations: subject.citations(), ..Self::default() }
            }
            (Subject::Line(line), _) => Self::said(line.text(), line.citation()),
            (Subject::Together(objects, _), None) => {
                Self { citations: objects.iter().map(Object::citation).collect(), ..Self::default() }
            }
            (Subject::Together(objects, _), Some(_)) => Self::together(objects, reading),
            (Subject::Missing(_), _) => Self::missing(),
            (Subject::NotCollected, _) => Self::default(),
        };
        let take = reading.and_then(|reading| reading.take);
        read.part = take.map(|take| take.of(read.text.as_deref()?));
        read
    }

    /// A text, with where it stands if it stands anywhere.
    pub(super) fn said(text: &str, citation: impl Into<Option<Citation>>) -> Self {
        let citations = citation.into().into_iter().collect();
        Self { text: Some(text.to_owned()), citations, ..Self::default() }
    }

    /// That there surely is no such object.
    pub(super) fn missing() -> Self {
        Self { is_missing: true, ..Self::default() }
    }

    fn node(node: Option<Node>, citation: Citation) -> Self {
        let text = node.as_ref().and_then(|node| node.value.scalar());
        let mask = node.as_ref().and_then(mask::of_node).cloned();
        Self { text, mask, is_unset: node.is_none(), node, citations: vec![citation], ..Self::default() }
    }

    fn field(object: &Object<'_>, paths: &[String]) -> Self {
        let field = crate::select::field(object, paths);
        let masked = paths.iter().flat_map(|path| [path.clone(), format!("spec.{path}")]);
        let mask = masked.into_iter().find_map(|path| object.mask(&path));
        Self {
            text: field.text(),
            citations: field.citation().into_iter().collect(),
            node: field.node().cloned(),
            mask: mask.cloned(),
            is_unset: matches!(field, Lookup::NotSet(_)),
            is_masked: matches!(field, Lookup::Redacted(_)),
            ..Self::default()
        }
    }

    /// What stands below keys of the tree that the field is, or of the YAML that its text is.
    fn within(self, keys: &[String]) -> Self {
        let Some(mut citation) = self.citations.first().filter(|_| !keys.is_empty()).cloned() else { return self };
        let tree = match (&self.text, &self.node) {
            (Some(text), _) => parse::manifest::trees(text, citation.line, 20).into_iter().next(),
            (None, Some(node)) => Some(node.clone()),
            (None, None) => return self,
        };
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let found = tree.and_then(|tree| under(&tree, &keys));
        if let Some(first) = found.as_ref().filter(|found| keys.contains(&"**") && found.line > 0) {
            citation.line = first.line;
        }
        Self::node(found, citation)
    }

    /// The values of several objects, and of each different one the first place where it stands.
    fn together(objects: &[Object<'_>], reading: Option<&Reading>) -> Self {
        let (mut items, mut places) = (Vec::new(), BTreeMap::new());
        for object in objects {
            let read = Self::of(&Subject::Object(*object), reading);
            let texts = read.valued().map_or_else(|| read.items(), |text| vec![text.to_owned()]);
            for (text, citation) in texts.into_iter().zip(read.citations.iter().cycle()) {
                items.push(Node::str(0, text.as_str()));
                places.entry(text).or_insert_with(|| citation.clone());
            }
        }
        Self {
            node: Some(Node::new(0, Value::List(items))),
            citations: places.into_values().collect(),
            ..Self::default()
        }
    }

    pub(super) fn is_shown(&self) -> bool {
        !self.citations.is_empty()
    }

    /// The text, if it is not empty.
    pub(super) fn valued(&self) -> Option<&str> {
        self.text.as_deref().filter(|text| !text.is_empty())
    }

    /// The text that conditions are held against: the part that was asked for, else all of it.
    pub(super) fn judged(&self) -> Option<&str> {
        self.part.as_ref().map_or(self.text.as_deref(), Option::as_deref)
    }

    /// The text that is compared with another value: of a list its one item.
    pub(super) fn compared(&self) -> String {
        match self.node.as_ref().map(|node| &node.value) {
            Some(Value::List(items)) if items.len() == 1 => self.items().concat(),
            _ => self.judged().unwrap_or_default().to_owned(),
        }
    }

    /// The items of a list, the keys of a map, the words of a line.
    pub(super) fn items(&self) -> Vec<String> {
        match self.node.as_ref().map(|node| &node.value) {
            Some(Value::Map(entries)) => entries.iter().map(|(key, _)| key.to_string()).collect(),
            Some(Value::List(items)) => items.iter().filter_map(|item| item.value.scalar()).collect(),
            Some(Value::Text(text)) => vec![text.to_string()],
            Some(_) => Vec::new(),
            None => self.text.iter().flat_map(|text| text.split_whitespace()).map(str::to_owned).collect(),
        }
    }

    /// How many items or entries it has.
    pub(super) fn count(&self) -> usize {
        self.node.as_ref().map_or(0, |node| node.items().len().max(node.entries().len()))
    }

    pub(super) fn whole_number(&self) -> Option<i64> {
        i64::try_from(self.node.as_ref()?.value.integer()?).ok()
    }

    pub(super) fn time(&self) -> Option<Timestamp> {
        self.text.as_ref()?.parse().ok()
    }

    /// What stands there, for a sentence.
    pub(super) fn shown(&self) -> String {
        let node = self.node.as_ref().filter(|node| !node.value.is_empty());
        let text = self.valued().map(str::to_owned);
        text.or_else(|| node.map(ToString::to_string)).unwrap_or_else(|| "not set".to_owned())
    }

    /// Is it of a shape? What only more than the value itself can tell is none here.
    pub(super) fn is(&self, shape: Shape) -> bool {
        let value = self.node.as_ref().map(|node| &node.value);
        let form = || match &self.mask {
            Some(mask) => Some(mask.form),
            None => self.text.as_deref().map(|text| Mask::of(text).form),
        };
        match shape {
            Shape::NotShown => !self.is_shown(),
            Shape::Missing => self.is_missing,
            Shape::Set => value.is_some(),
            Shape::Unset => self.is_unset,
            Shape::Empty => self.is_unset || value.is_some_and(Value::is_empty),
            Shape::Scalar => self.text.is_some(),
            Shape::Valued => self.valued().is_some(),
            Shape::Int => matches!(value, Some(Value::Int(_))),
            Shape::Number => value.is_some_and(|value| value.integer().is_some()),
            Shape::Boolean => matches!(value, Some(Value::Bool(_))),
            Shape::BooleanOrText => matches!(value, Some(Value::Bool(_) | Value::Text(_))),
            Shape::List => matches!(value, Some(Value::List(_))),
            Shape::Filled => matches!(value, Some(Value::List(items)) if !items.is_empty()),
            Shape::Time => self.time().is_some(),
            Shape::Address => self.judged().is_some_and(|text| text.parse::<IpAddr>().is_ok()),
            Shape::BootstrapOnly => self.judged().is_some_and(is_bootstrap_only),
            Shape::WithoutPart => self.part == Some(None),
            Shape::Various => self.items().iter().collect::<BTreeSet<_>>().len() > 1,
            Shape::Masked => self.is_masked,
            Shape::HasMask => self.mask.is_some(),
            Shape::Base64 => matches!(form(), Some(Form::Base64 { .. })),
            Shape::Base64LineEnd => matches!(form(), Some(Form::Base64 { newline: true, .. })),
            Shape::Base64Token => matches!(form(), Some(Form::Base64 { token: true, .. })),
            Shape::Token => matches!(form(), Some(Form::Token)),
            Shape::Plain => matches!(form(), Some(Form::Plain)),
            _ => false,
        }
    }
}

impl Take {
    /// The part of a text, if it has one.
    fn of(self, text: &str) -> Option<String> {
        match self {
            Take::Address => Some(without_scheme(text).trim_end_matches('/').to_owned()),
            Take::Host => Some(host(text).to_owned()),
            Take::Prefix => Some(text.parse::<IpNet>().ok()?.prefix_len().to_string()),
            Take::RegistryKey => {
                let (plural, group) =
                    text.split_once('.').map_or((text, String::new()), |(plural, group)| (plural, format!("{group}/")));
                Some(format!("/registry/{group}{plural}/{}/", crate::installation::NAMESPACE))
            }
        }
    }
}
