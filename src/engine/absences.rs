//! Answers about what is absent, each worked out once in a run.
//!
//! Why: an absence in all namespaces may rest on the lists of hundreds of them, and every entity of every
//! signature asks again.
//!
//! Invariant: an answer depends on the facts alone, so it does not matter who asks first.

use crate::older::Times;
use facts::kind::KindName;
use facts::object::{ContextId, ObjectId};
use facts::origin::Citation;
use facts::store::{Absence, Facts, Scope};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What is asked: the cluster, the kind, the scope.
type Question = (ContextId, KindName, Scope);

/// The absences of one run; shared by the threads that decide signatures.
#[derive(Debug)]
pub struct Absences<'a> {
    facts: &'a Facts,
    times: Times,
    known: Mutex<BTreeMap<Question, Arc<Absence>>>,
}

impl<'a> Absences<'a> {
    /// Nothing asked yet.
    pub fn new(facts: &'a Facts) -> Self {
        Self { facts, times: Times::new(facts), known: Mutex::default() }
    }

    /// Was one of the answers at these places given before an object may have begun to refer to anything?
    pub(crate) fn are_older(&self, context: ContextId, places: &[Citation], referring: ObjectId) -> bool {
        self.times.before(self.facts, context, places, referring)
    }

    /// How far it can be claimed that a scope holds no objects of a kind but those that were seen.
    pub fn of(&self, context: ContextId, kind: &KindName, scope: &Scope) -> Arc<Absence> {
        let question = (context, kind.clone(), scope.clone());
        // A thread that panicked while it held the lock left whole answers behind.
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&question) {
            return Arc::clone(known);
        }
        let answer = Arc::new(self.facts.absence(context, kind, scope));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(question).or_insert(answer))
    }
}
