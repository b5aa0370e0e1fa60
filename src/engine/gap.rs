//! Why something is unknown.
//!
//! A report says the reason in words; the cause decides whether collecting more could help (`asks`).

use facts::kind::KindName;
use facts::object::ContextId;

/// What kind of thing is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// It was not collected, or not whole.
    Coverage,
    /// It was collected in a form that does not show it (a table, typed describe).
    Form,
    /// What was collected disagrees, or is masked: more of the same would not help.
    Conflict,
    /// A variable has no value, because the evidence that captures it found none.
    Unbound,
    /// Log lines that name no entity, and several entities they could belong to.
    Attribution,
    /// A text that no known wording matches.
    Wording,
    /// A limit of Casefile.
    Limit,
}

/// One reason for not knowing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gap {
    /// What kind of thing is missing.
    pub cause: Cause,
    /// In words, a sentence without its full stop.
    pub reason: String,
    /// The kind of object that would have to be collected, and where, if one.
    pub wants: Option<(ContextId, KindName)>,
}

impl Gap {
    /// A gap that no kind of object fills.
    pub fn new(cause: Cause, reason: impl Into<String>) -> Self {
        Self { cause, reason: reason.into(), wants: None }
    }

    /// The same gap, filled by collecting a kind in a context.
    #[must_use]
    pub(crate) fn wanting(mut self, context: ContextId, kind: &KindName) -> Self {
        self.wants = Some((context, kind.clone()));
        self
    }

    /// Could collecting more tell?
    pub(crate) fn can_be_collected(&self) -> bool {
        matches!(self.cause, Cause::Coverage | Cause::Form)
    }
}
