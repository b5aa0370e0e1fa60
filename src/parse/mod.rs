//! From bytes to records: one grammar per file, one type out.
//!
//! Invariants: no parser panics or recurses without bound on foreign bytes; each record cites where it
//! stood; what is not understood is said, not dropped.

pub mod capnslog;
pub mod cri;
pub mod hits;
pub mod journald;
pub mod klog;
pub mod line;
pub mod logfmt;
pub mod member;
pub mod pairs;
pub mod plain;
pub mod record;
pub mod scan;
pub mod tallying;
pub mod template;
pub mod time;
pub mod zap;
pub mod zap_console;
