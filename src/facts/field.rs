//! What a path says, read as one value: for callers that ask for a single field and judge it.
//!
//! Invariant: only a value that was read, or surely is not there, or was masked has a citation; everything else
//! is unknown and gives neither text nor citation.

use crate::node::Node;
use crate::object::Lookup;
use crate::origin::Citation;

impl<'a> Lookup<'a> {
    /// The value with its citation, if one was read.
    pub fn set(&self) -> Option<(&'a Node, Citation)> {
        match self {
            Lookup::Found(values) => values.first().map(|(node, spot)| (*node, spot.cite())),
            _ => None,
        }
    }

    /// The value, if one was read.
    pub fn node(&self) -> Option<&'a Node> {
        match self {
            Lookup::Found(values) => values.first().map(|(node, _)| *node),
            _ => None,
        }
    }

    /// The value as text, if it is a scalar.
    pub fn text(&self) -> Option<String> {
        self.node()?.value.scalar()
    }

    /// A text that is not empty, with its citation.
    pub fn valued(&self) -> Option<(String, Citation)> {
        let (node, citation) = self.set()?;
        Some((node.value.scalar().filter(|text| !text.is_empty())?, citation))
    }

    /// A whole number with its citation.
    pub fn whole_number(&self) -> Option<(i64, Citation)> {
        let (node, citation) = self.set()?;
        Some((i64::try_from(node.value.integer()?).ok()?, citation))
    }

    /// The scalars of a list.
    pub fn texts(&self) -> Vec<String> {
        self.node().map_or(&[][..], Node::elements).iter().filter_map(|item| item.value.scalar()).collect()
    }

    /// The items of a list that is one in the form that was read.
    pub fn items(&self) -> &'a [Node] {
        self.node().map_or(&[], Node::items)
    }

    /// Where the value stands, or what proves that there is none; nothing where it is not known.
    pub fn citation(&self) -> Option<Citation> {
        match self {
            Lookup::Found(values) => values.first().map(|(_, spot)| spot.cite()),
            Lookup::NotSet(spot) | Lookup::Redacted(spot) => Some(spot.cite()),
            Lookup::NotSetOrEmpty(_) | Lookup::AtLeast(_) | Lookup::Unknown(_) => None,
        }
    }

    /// Surely without a value; an empty text, list or map counts as none.
    pub fn is_empty(&self) -> bool {
        matches!(self, Lookup::NotSet(_)) || self.node().is_some_and(|node| node.value.is_empty())
    }
}
