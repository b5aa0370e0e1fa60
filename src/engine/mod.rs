//! The engine: decides every signature for every entity, in three-valued logic.

pub mod gap;
pub mod interval;
pub mod logic;
pub mod predicate;

use crate::facts::catalogue::Catalogue;
use crate::facts::store::Facts;
use crate::parse::scan::Literals;
use crate::report::model::{Ask, Finding, NotApplicable, NotAssessed};
use crate::signature::load::Library;

/// What the engine decided.
#[derive(Debug, Default, PartialEq)]
pub struct Outcome {
    /// Findings in the order of the report, `caused_by` filled in.
    pub findings: Vec<Finding>,
    /// Entities that could not be decided and that nothing points at.
    pub not_assessed: Vec<NotAssessed>,
    /// Signatures that do not apply.
    pub not_applicable: Vec<NotApplicable>,
    /// What to collect next.
    pub asks: Vec<Ask>,
    /// Limits reached: which, and what was cut.
    pub limits_hit: Vec<(String, String)>,
}

/// Decides all signatures.
pub fn evaluate(_facts: &Facts, _library: &Library, _catalogue: &Catalogue, _literals: &Literals) -> Outcome {
    Outcome::default()
}
