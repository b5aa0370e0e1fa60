//! A place that was looked at, as what it is called is asked for: the citation of a value that nobody shows is never made.
//!
//! Why: a run looks up millions of values and shows some hundreds. A citation holds the name of its place and an excerpt
//! with its secrets masked: half the time of a run over many objects went into those that nobody shows.
//!
//! Invariant: a spot gives the same citation whenever it is asked.

use crate::node::{Node, Value};
use crate::object::{Form, Sighting};
use crate::origin::Citation;
use crate::store::Facts;
use crate::walk::Place;
use std::fmt;

/// A place that can be cited.
#[derive(Clone)]
pub struct Spot<'a>(Where<'a>);

// Nearly all are the large one, and an allocation for each is what this saves.
#[derive(Clone)]
enum Where<'a> {
    /// It is cited already: what a derived field rests on.
    Known(&'a Citation),
    /// A citation of its own.
    Own(Box<Citation>),
    /// In the tree of a sighting.
    Seen { facts: &'a Facts, sighting: &'a Sighting, place: Place<'a>, what: What<'a> },
}

/// What stands at a place.
#[derive(Clone, Copy)]
enum What<'a> {
    Value(&'a Node),
    /// Nothing: the key alone is cited, or else the object.
    Nothing,
    /// A value that was masked.
    Masked,
    /// Not to be quoted.
    Bare,
}

impl<'a> Spot<'a> {
    pub(crate) fn value(facts: &'a Facts, sighting: &'a Sighting, place: Place<'a>, node: &'a Node) -> Self {
        Self(Where::Seen { facts, sighting, place, what: What::Value(node) })
    }

    pub(crate) fn none(facts: &'a Facts, sighting: &'a Sighting, place: Place<'a>) -> Self {
        Self(Where::Seen { facts, sighting, place, what: What::Nothing })
    }

    pub(crate) fn masked(facts: &'a Facts, sighting: &'a Sighting, place: Place<'a>) -> Self {
        Self(Where::Seen { facts, sighting, place, what: What::Masked })
    }

    pub(crate) fn bare(facts: &'a Facts, sighting: &'a Sighting) -> Self {
        Self(Where::Seen { facts, sighting, place: Place::default(), what: What::Bare })
    }

    /// The citation.
    pub fn cite(&self) -> Citation {
        match &self.0 {
            Where::Known(citation) => (*citation).clone(),
            Where::Own(citation) => (**citation).clone(),
            Where::Seen { facts, sighting, place, what } => {
                let record = &sighting.record;
                let excerpt = match what {
                    What::Value(node) => printed(record.form, place.key, node),
                    What::Bare => String::new(),
                    What::Nothing | What::Masked if place.key.is_empty() => {
                        let kind = record.kind.as_ref().map(ToString::to_string).unwrap_or_default();
                        format!("{kind}: {}", record.name)
                    }
                    What::Masked => format!("{}: [redacted]", place.key),
                    What::Nothing => format!("{}:", place.key),
                };
                facts.cite_place(sighting, place, &excerpt)
            }
        }
    }
}

impl<'a> From<&'a Citation> for Spot<'a> {
    fn from(citation: &'a Citation) -> Self {
        Self(Where::Known(citation))
    }
}

impl From<Citation> for Spot<'_> {
    fn from(citation: Citation) -> Self {
        Self(Where::Own(Box::new(citation)))
    }
}

impl PartialEq for Spot<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cite() == other.cite()
    }
}

impl fmt::Debug for Spot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cite().fmt(f)
    }
}

/// A value with its key, as the form prints it.
fn printed(form: Form, key: &str, node: &Node) -> String {
    match (&node.value, form) {
        (Value::Map(_) | Value::List(_), Form::Json) if !node.value.is_empty() => format!("\"{key}\": {node}"),
        (_, Form::Json) if key.is_empty() => node.to_string(),
        (Value::Str(text), Form::Json) => format!("\"{key}\": \"{text}\""),
        (Value::List(items), _) if items.is_empty() => format!("{key}: []"),
        (Value::Map(entries), _) if entries.is_empty() => format!("{key}: {{}}"),
        (_, Form::Json) => format!("\"{key}\": {node}"),
        _ if key.is_empty() => node.to_string(),
        _ => format!("{key}: {node}"),
    }
}
