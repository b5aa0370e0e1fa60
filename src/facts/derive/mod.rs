//! Derived objects: what a person would first put together, put together once, in code.
//!
//! Each yields objects of the group `casefile.dev` with three-valued fields and citations; signatures and
//! pictures read them like any other object. Deriving is the place for arithmetic; the signature language
//! has none.

use super::store::Facts;

/// Every literal that derived objects look for in logs.
pub fn literals() -> Vec<String> {
    Vec::new()
}

/// Adds all derived objects to the facts.
pub fn derive(_facts: &mut Facts, _literals: &crate::parse::scan::Literals) {}
