//! What one signature says of each of its entities, for those who want to know what its tests exercise.

use crate::logic::Truth;
use crate::verdict::Ruling;

/// What one signature says of one entity, whether it becomes a finding or not.
#[derive(Debug)]
pub struct SeenEntity {
    /// Name of its context.
    pub context: String,
    /// Its namespace, if it has one that is known.
    pub namespace: Option<String>,
    pub name: String,
    /// What reports print as its kind.
    pub kind: String,
    /// Its evidence, in the order of the signature.
    pub truths: Vec<Truth>,
    /// The same in the strict view.
    pub strict: Vec<Truth>,
    pub ruling: Ruling,
}
