//! What a deriver is: everything about one family of derived objects in one place.
//!
//! Invariant: a deriver reads only the kinds that the rows of its kinds name, and the lines that its groups of
//! statements bring; what nobody names may not have been kept.

use crate::nodes::Nodes;
use crate::reader::Reader;
use crate::services::Services;
use crate::workloads::Workloads;
use facts::derived::Derived;
use facts::object::ObjectId;

/// One family of derived objects.
pub(crate) struct Deriver {
    /// The kinds that it makes: plurals of the group `casefile.dev`. Their rows in `patterns/kinds.yaml` name what it
    /// reads; that is kept whether a signature reads it or not.
    pub makes: &'static [&'static str],
    /// The groups of `patterns/statements.yaml` by which it reads logs: their literals bring a line to it.
    pub statements: &'static [&'static str],
    /// The objects of one context.
    pub derive: fn(&Inputs<'_>) -> Vec<Derived>,
}

/// What several derivers start from, gathered once for a context.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    /// The facts of the context.
    pub reader: Reader<'a>,
    pub nodes: &'a Nodes,
    /// Its Pods and their controllers.
    pub workloads: &'a Workloads,
    pub services: &'a Services<'a>,
}

impl Inputs<'_> {
    /// What is made of each object of a kind.
    pub(crate) fn each(&self, kind: &str, one: impl Fn(ObjectId) -> Option<Derived>) -> Vec<Derived> {
        self.reader.all(kind).into_iter().filter_map(one).collect()
    }
}
