//! From files to checked signatures.

use super::model::Signature;

/// A set of loaded signatures with what a report says about it.
#[derive(Debug, Default)]
pub struct Library {
    /// The signatures, sorted by id.
    pub signatures: Vec<Signature>,
    /// The packs they came from: name, number of signatures, SHA-256 in hex.
    pub packs: Vec<(String, usize, String)>,
}

impl Library {
    /// Every literal that log queries look for.
    pub fn literals(&self) -> Vec<String> {
        Vec::new()
    }

    /// Every kind that some signature reads.
    pub fn kinds(&self) -> std::collections::BTreeSet<crate::facts::kind::KindName> {
        std::collections::BTreeSet::new()
    }
}
