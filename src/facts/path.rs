//! Paths into objects: `status.conditions[type=NodeHealthy].status`.
//!
//! Grammar: dotted field names; `["key"]` for keys with dots and slashes; `[name=value]` picks the items
//! of a list whose field `name` has that value; `[*]` takes all items; `[3]` one of them. Field names
//! match as [`super::node::same_field`] says, keys in quotes match exactly.
//!
//! Invariant: parsing never panics; a path that does not parse says at which byte and what was expected.

use std::fmt;

/// A parsed path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path(pub Vec<Step>);

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// A field by name.
    Field(String),
    /// A key by its exact text.
    Key(String),
    /// The items of a list whose field has this value.
    Pick {
        /// The field of the item.
        field: String,
        /// The value that it must have, compared as text.
        value: String,
    },
    /// All items of a list.
    All,
    /// One item of a list, from 0.
    Index(usize),
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            match step {
                Step::Field(name) if i == 0 => f.write_str(name)?,
                Step::Field(name) => write!(f, ".{name}")?,
                Step::Key(key) => write!(f, "[\"{key}\"]")?,
                Step::Pick { field, value } => write!(f, "[{field}={value}]")?,
                Step::All => f.write_str("[*]")?,
                Step::Index(i) => write!(f, "[{i}]")?,
            }
        }
        Ok(())
    }
}
