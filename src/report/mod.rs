//! The diagnosis and its outputs. Each output is a pure function of [`model::Diagnosis`].

pub mod answer;
pub mod chart;
pub mod compose;
pub mod csp;
pub mod embedded;
pub mod error;
pub mod expected;
pub mod folding;
pub mod html;
pub mod inspect;
pub mod inspect_text;
pub mod inventory;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod missing;
pub mod model;
pub mod needs;
pub mod relations;
pub mod silence;
pub mod terminal;
pub mod view;
pub mod visible;
pub mod words;

pub use error::Error;

/// The JSON schema of [`model::Diagnosis`], as checked in at `schema/diagnosis.schema.json`.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(model::Diagnosis).to_value()
}
