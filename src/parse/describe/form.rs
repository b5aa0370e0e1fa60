//! What is said of a typed form: the kind it belongs to, its labels, and how their values are printed.

use crate::describe::outline::{Line, Section};
use facts::partial::Partial;
use facts::path::Path;

/// A reader of all sections and lines of an object.
type ReadAll = fn(&[Section<'_, '_>], &[Line<'_>], &mut Partial);

/// A kind with a form of its own.
#[derive(Debug)]
pub(super) struct Kind {
    /// Plural and group, as a kind's name is written.
    pub name: &'static str,
    /// As `kind:` spells it.
    pub kind: &'static str,
    /// Labels that no other typed form has together.
    pub marks: &'static [&'static str],
    /// Its labels.
    pub fields: &'static [Field],
    /// Reads what is no label with its text.
    pub all: Option<ReadAll>,
    /// Annotations stand in one line, with `=`.
    pub odd_annotations: bool,
}

/// A label.
#[derive(Debug)]
pub(super) struct Field {
    /// How it was spelt over the versions.
    pub labels: &'static [&'static str],
    pub path: &'static str,
    /// How its value is printed.
    pub form: As,
    /// What it means that it is not there.
    pub missing: Missing,
}

/// What it means that a label is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    /// Nothing.
    Unknown,
    /// The field is not set: every version prints the label if it is.
    Unset,
}

/// How a value is printed.
#[derive(Debug, Clone, Copy)]
pub(super) enum As {
    /// As it is; `<none>` and nothing mean not set.
    Text,
    /// As it is, maybe over several lines.
    Free,
    /// `Fri, 20 Nov 2026 20:18:08 +0000`.
    Time,
    /// A whole number, maybe with an `s`.
    Number,
    /// A whole number that the API leaves out where it is 0.
    Count,
    /// `true`, and `false` for what the API leaves out.
    Flag,
    /// `a,b`, `[a b]`.
    List,
    /// Names below each other; each is the value of this field of an item.
    Names(&'static str),
    /// `a=b,c=d`, or below each other. What is no pair (`a in (b)`) leaves all of it unknown.
    Pairs,
    /// `RWO,ROX`.
    Modes,
    /// A phase, or `Terminating (lasts 5m)`.
    Phase,
    /// `ReplicaSet/web`: the controller among the owners.
    Owner,
    /// Two values with this between them; the second has this path.
    Split(char, &'static str),
    /// Numbers with words around them: before, after, path, and whether the API leaves 0 out.
    Words(&'static [(&'static str, &'static str, &'static str, bool)]),
    /// A table of conditions: headers and fields.
    Conditions(&'static [(&'static str, &'static str)]),
    /// A block with a reader of its own.
    Block(fn(&mut Partial, &Section<'_, '_>, &Path)),
    /// The Pods of a Node.
    Pods,
}

/// A label whose absence says nothing.
pub(super) const fn field(labels: &'static [&'static str], path: &'static str, form: As) -> Field {
    Field { labels, path, form, missing: Missing::Unknown }
}

/// A label that every version prints if its field is set.
pub(super) const fn optional(labels: &'static [&'static str], path: &'static str, form: As) -> Field {
    Field { labels, path, form, missing: Missing::Unset }
}
