//! The diagnosis and its outputs. Each output is a pure function of [`diagnosis::model::Diagnosis`].

pub mod chart;
pub mod csp;
pub mod embedded;
pub mod error;
pub mod expected;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod missing;
pub mod ours;
pub mod relations;
pub mod terminal;
pub mod view;

pub use error::Error;
