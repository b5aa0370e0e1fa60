//! From bytes to records: one grammar per file, one type out.
//!
//! [`member::read`] is the way in: the first bytes decide ([`sniff`]) whether a member is a document, a text that a
//! command printed, a transcript or a log. What a text can be is a row of
//! [`TEXT_FORMS`](text_form::TEXT_FORMS), what a line of a log can be a row of
//! [`LOG_FORMATS`](log_format::LOG_FORMATS); each says how to add one.
//!
//! May know: facts, intake.
//!
//! Invariants: no parser panics or recurses without bound on foreign bytes; each record cites where it
//! stood; what is not understood is said, not dropped.

pub mod answer;
mod around;
pub mod collapsed;
pub mod command;
mod continuation;
pub mod cri;
pub mod describe;
pub mod etcdctl;
pub mod failure;
mod fragment;
pub mod frames;
pub mod glance;
pub mod hits;
pub mod installer_log;
pub mod interrupted;
pub mod journald;
pub mod json;
mod json_items;
pub mod kept;
mod klog_block;
pub mod known;
mod laid_out;
mod last_words;
pub mod line;
pub mod lines;
pub mod log_format;
pub mod machines;
pub mod manifest;
pub mod member;
mod members;
mod null_word;
pub mod other_text;
pub mod own_report;
pub mod pairs;
pub mod partial;
mod pings;
pub mod said;
mod sampling;
pub mod scan;
pub mod secrets;
pub mod sniff;
mod stacked;
pub mod stated;
mod string_value;
pub mod table;
mod tallying;
mod text_end;
pub mod text_form;
pub mod time;
mod tool_reports;
pub mod transcript;
mod unwrapped;
pub mod wrapped;
pub mod yaml;
mod yaml_block;
#[cfg(test)]
mod yaml_properties;
mod yaml_scalar;
