//! The diagnosis: the one versioned model between deciding and showing.
//!
//! May know: facts, catalogue, signature.
//!
//! Invariants: everything a report needs is in it, serialisable and in a fixed order; it holds no secret.

pub mod baseline;
pub mod bounds;
pub mod citation;
pub mod folding;
pub mod listed;
pub mod log_row;
pub mod model;
pub mod more;
pub mod pictures;
pub mod plain_json;
pub mod pseudonyms;
pub mod quoted;
pub mod seal;
pub mod summary;
pub mod together;
pub mod visible;
pub mod words;
pub mod workflow;

/// The JSON schema of [`model::Diagnosis`], as checked in at `schema/diagnosis.schema.json`.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(model::Diagnosis).to_value()
}
