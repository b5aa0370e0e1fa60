//! From bytes to records: one grammar per file, one type out.
//!
//! Invariants: no parser panics or recurses without bound on foreign bytes; each record cites where it
//! stood; what is not understood is said, not dropped.

pub mod answer;
pub mod collapsed;
pub mod command;
pub mod describe;
pub mod etcdctl;
pub mod json;
pub mod manifest;
pub mod member;
pub mod record;
pub mod scan;
pub mod sniff;
pub mod table;
pub mod tree;
mod yaml;
mod yaml_block;
