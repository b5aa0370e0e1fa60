//! From bytes to records: one grammar per file, one type out.
//!
//! Invariants: no parser panics or recurses without bound on foreign bytes; each record cites where it
//! stood; what is not understood is said, not dropped.

pub mod answer;
pub mod capnslog;
pub mod collapsed;
pub mod command;
pub mod cri;
pub mod describe;
pub mod etcdctl;
pub mod hits;
pub mod journald;
pub mod json;
pub mod klog;
pub mod line;
pub mod logfmt;
pub mod manifest;
pub mod member;
pub mod pairs;
pub mod plain;
pub mod record;
pub mod scan;
pub mod sniff;
pub mod stated;
pub mod table;
pub mod tallying;
pub mod template;
pub mod time;
pub mod transcript;
pub(crate) mod yaml;
mod yaml_block;
#[cfg(test)]
mod yaml_laws;
mod yaml_scalar;
pub mod zap;
pub mod zap_console;
