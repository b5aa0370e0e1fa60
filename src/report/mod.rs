//! The diagnosis and its outputs. Each output is a pure function of [`model::Diagnosis`].

pub mod compose;
pub mod model;
