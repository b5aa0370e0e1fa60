//! What a deriver is: everything about one family of derived objects in one place.
//!
//! Invariant: a deriver reads only the kinds, the literals and the classes of logs that it names; what nobody
//! names may not have been kept.

use crate::nodes::Nodes;
use crate::reader::Reader;
use crate::services::Services;
use crate::workloads::Workloads;
use facts::derived::Derived;

/// One family of derived objects.
pub(crate) struct Deriver {
    /// The kinds that it makes: plurals of the group `casefile.dev`.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test holds it against `patterns/kinds.yaml`"))]
    pub makes: &'static [&'static str],
    /// The kinds of object that it reads, as `plural.group`: they are kept whether a signature reads them or not.
    pub reads: &'static [&'static str],
    /// The classes of logs that it reads; see `patterns/sources.yaml`.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test holds it against `patterns/kinds.yaml`"))]
    pub logs: &'static [&'static str],
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
