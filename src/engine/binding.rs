//! Variables: what `$entity`, `$entity.spec.x` and captured names stand for.
//!
//! Invariant: a variable without a value is never an empty text. It is *not set* where the object surely
//! has none (then it equals nothing), and unknown otherwise.

use crate::entity::Subject;
use crate::gap::{Gap, PathOf, Why};
use crate::logic::Truth;
use facts::masked_text;
use facts::object::{Lookup, ObjectId};
use facts::path::{Path, Step};
use facts::store::Facts;
use signature::model::Operand;
use std::collections::BTreeMap;

/// One tuple of captured values by name.
pub type Row = BTreeMap<String, String>;

/// What a variable or a path stands for.
#[derive(Debug, Clone, PartialEq)]
pub enum Bound {
    /// One value; or several, of which any counts (a path with `[*]`).
    Values(Vec<String>),
    /// One of these, and it is not known which.
    OneOf(Vec<String>),
    /// Surely none.
    NotSet,
    /// Not known.
    Unknown(Gap),
}

impl Bound {
    /// The only value, if there is exactly one.
    pub fn single(&self) -> Option<&str> {
        match self {
            Bound::Values(values) => match values.as_slice() {
                [value] => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// Is it equal to the other? A side that is not set never is; one that is not known may be.
    pub fn equals(&self, other: &Bound) -> Truth {
        use Bound::{NotSet, OneOf, Unknown, Values};
        match (self, other) {
            (NotSet, _) | (_, NotSet) => Truth::False,
            (Unknown(_), _) | (_, Unknown(_)) => Truth::Unknown,
            (Values(a), Values(b)) => Truth::known(a.iter().any(|value| b.contains(value))),
            (OneOf(a) | Values(a), OneOf(b) | Values(b)) => {
                if a.iter().any(|value| b.contains(value)) {
                    Truth::Unknown
                } else {
                    Truth::False
                }
            }
        }
    }

    /// Do both have values that are not equal?
    pub fn differs(&self, other: &Bound) -> Truth {
        match (self, other) {
            (Bound::NotSet, _) | (_, Bound::NotSet) => Truth::False,
            _ => self.equals(other).negate(),
        }
    }
}

/// What a path of an object stands for, as text that can be compared: of a text with a mask inside nobody knows what it equals.
pub fn at_path(facts: &Facts, id: ObjectId, path: &Path) -> Bound {
    let bound = read_at(facts, id, path);
    match &bound {
        Bound::Values(texts) | Bound::OneOf(texts) if texts.iter().any(|text| masked_text::masked(text).is_some()) => {
            Bound::Unknown(Gap::new(Why::Masked(Some(PathOf::of(facts, id, path)))))
        }
        _ => bound,
    }
}

/// The same as text to read: what stands around a mask is readable.
pub(crate) fn read_at(facts: &Facts, id: ObjectId, path: &Path) -> Bound {
    match facts.lookup(id, path) {
        Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_) => Bound::NotSet,
        Lookup::Redacted(_) => Bound::Unknown(Gap::new(Why::Masked(Some(PathOf::of(facts, id, path))))),
        Lookup::Unknown(unknown) => {
            let object = facts.object(id);
            Bound::Unknown(Gap::new(Why::LookUp(unknown)).wanting(object.context, &object.kind))
        }
        Lookup::AtLeast(_) => {
            let object = facts.object(id);
            let why = Why::SomeItems(Some(PathOf::of(facts, id, path)));
            Bound::Unknown(Gap::new(why).wanting(object.context, &object.kind))
        }
        Lookup::Found(values) => {
            if values.iter().any(|(node, _)| node.value.is_redacted()) {
                return Bound::Unknown(Gap::new(Why::Masked(Some(PathOf::of(facts, id, path)))));
            }
            let mut texts: Vec<String> = values.iter().filter_map(|(node, _)| node.value.scalar()).collect();
            texts.sort();
            texts.dedup();
            let any_item = path.0.iter().any(|step| matches!(step, Step::All));
            match texts.len() {
                0 => Bound::NotSet,
                1 => Bound::Values(texts),
                _ if any_item => Bound::Values(texts),
                _ => Bound::OneOf(texts),
            }
        }
    }
}

/// Values that surely stand at a path of an object, though there may be more: those of the items that are seen of a list that is
/// not shown whole.
pub(crate) fn in_part(facts: &Facts, id: ObjectId, path: &Path) -> Vec<String> {
    let Lookup::AtLeast(values) = facts.lookup(id, path) else { return Vec::new() };
    let is_plain = |text: &String| masked_text::masked(text).is_none();
    let plain = values.iter().filter(|(node, _)| !node.value.is_redacted());
    let mut texts: Vec<String> = plain.filter_map(|(node, _)| node.value.scalar()).filter(is_plain).collect();
    texts.sort();
    texts.dedup();
    texts
}

/// The values that an operand surely has for one entity, though it may have more.
pub(crate) fn values_of(facts: &Facts, operand: &Operand, subject: &Subject) -> Vec<String> {
    match (resolve(facts, operand, subject, &Row::new()), operand, subject.object) {
        (Bound::Values(values), ..) => values,
        (_, Operand::EntityPath(path), Some(id)) => in_part(facts, id, path),
        _ => Vec::new(),
    }
}

/// What an operand stands for, for one entity and one row of captures.
pub fn resolve(facts: &Facts, operand: &Operand, subject: &Subject, row: &Row) -> Bound {
    let value = |text: &str| Bound::Values(vec![text.to_owned()]);
    match operand {
        Operand::Constant(text) => value(text),
        Operand::Entity => value(&subject.name),
        Operand::EntityAttribute(attribute) => match attribute.as_str() {
            "name" => value(&subject.name),
            "context" => value(&facts.context(subject.context).name),
            "namespace" => match (&subject.namespace, subject.object) {
                (Some(namespace), _) => value(namespace),
                (None, Some(id)) => at_path(facts, id, &namespace_path()),
                (None, None) => Bound::Unknown(Gap::new(Why::NoNamespace(subject.name.clone()))),
            },
            other => Bound::Unknown(Gap::new(Why::NoAttribute(other.to_owned()))),
        },
        Operand::EntityPath(path) => match subject.object {
            Some(id) => at_path(facts, id, path),
            None => Bound::Unknown(subject.no_object()),
        },
        Operand::Captured(name) => match row.get(name) {
            Some(text) if masked_text::masked(text).is_some() => Bound::Unknown(Gap::new(Why::Masked(None))),
            Some(text) => value(text),
            None => Bound::Unknown(Gap::new(Why::NoValue(name.clone()))),
        },
    }
}

/// `metadata.namespace`.
pub(crate) fn namespace_path() -> Path {
    Path(vec![Step::Field("metadata".to_owned()), Step::Field("namespace".to_owned())])
}

/// Is this the path with these plain field names?
pub fn is_path(path: &Path, names: &[&str]) -> bool {
    path.0.len() == names.len()
        && path.0.iter().zip(names).all(|(step, name)| match step {
            Step::Field(field) => field == name,
            Step::Key(key) => key == name,
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(texts: &[&str]) -> Bound {
        Bound::Values(texts.iter().map(|t| (*t).to_owned()).collect())
    }

    #[test]
    fn a_side_that_is_not_set_never_matches_and_an_unknown_one_may() {
        let unknown = Bound::Unknown(Gap::new(Why::Filter));
        assert_eq!(Bound::NotSet.equals(&unknown), Truth::False);
        assert_eq!(Bound::NotSet.differs(&values(&["a"])), Truth::False);
        assert_eq!(unknown.equals(&values(&["a"])), Truth::Unknown);
        assert_eq!(unknown.differs(&values(&["a"])), Truth::Unknown);
        assert_eq!(values(&["a", "b"]).equals(&values(&["b"])), Truth::True);
        assert_eq!(values(&["a"]).differs(&values(&["b"])), Truth::True);
        let one_of = Bound::OneOf(vec!["a".into(), "b".into()]);
        assert_eq!(one_of.equals(&values(&["a"])), Truth::Unknown);
        assert_eq!(one_of.equals(&values(&["c"])), Truth::False);
    }
}
