//! Casefile: an offline analyzer of Kubernetes support bundles.
//!
//! ```text
//! BUNDLE ──intake──▶ members ──parse──▶ records ──facts──▶ FACTS ──engine──▶ FINDINGS ──▶ DIAGNOSIS ──report──▶ html │ json │ md │ ...
//!                                                             ▲
//!                                        signatures (patterns/*.yaml)
//! ```
//!
//! One direction; a layer never reaches back. [`diagnose::diagnose`] is the whole way.

pub mod analytics;
pub mod cli;
pub mod diagnose;
pub mod engine;
pub mod facts;
pub mod intake;
pub mod layout;
pub mod parse;
pub mod report;
pub mod signature;
