//! The diagnosis and its outputs. Each output is a pure function of [`diagnosis::model::Diagnosis`].

pub mod chart;
pub mod collect_script;
pub mod csp;
pub mod embedded;
pub mod error;
pub mod escalation;
pub mod expected;
pub mod github;
pub mod html;
pub mod json;
pub mod junit;
pub mod lacking;
pub mod loudest;
pub mod markdown;
pub mod message;
pub mod missing;
pub mod ours;
pub mod problems;
pub mod relations;
pub mod sarif;
pub mod sorted;
pub mod terminal;
pub mod ticket;
mod told;
pub mod view;

pub use error::Error;
