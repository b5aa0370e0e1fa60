//! The signature language: files, conditions, templates, lint, packs.

pub mod load;
pub mod model;
