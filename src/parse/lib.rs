//! From bytes to records: one grammar per file, one type out.
//!
//! Invariants: no parser panics or recurses without bound on foreign bytes; each record cites where it
//! stood; what is not understood is said, not dropped.

pub mod access;
pub mod answer;
pub mod capnslog;
pub mod checks;
pub mod clock;
pub mod collapsed;
pub mod command;
mod continuation;
pub mod cri;
pub mod crictl;
pub mod describe;
pub mod disk;
pub mod etcdctl;
pub mod failure;
pub mod frames;
pub mod hits;
pub mod installer;
pub mod installer_log;
pub mod interrupted;
mod journald;
pub mod json;
pub mod klog;
pub mod line;
pub mod logfmt;
pub mod machines;
pub mod manifest;
pub mod member;
mod null_word;
pub mod openssl;
pub mod other_text;
pub mod pairs;
pub mod partial;
pub mod plain;
pub mod resources;
pub mod scan;
pub mod secrets;
pub mod sniff;
pub mod stated;
pub mod systemd;
pub mod table;
mod tallying;
pub mod template;
pub mod time;
pub mod tool;
pub mod transcript;
pub mod version;
pub mod wrapped;
pub mod yaml;
mod yaml_block;
#[cfg(test)]
mod yaml_properties;
mod yaml_scalar;
pub mod zap;
pub mod zap_console;
