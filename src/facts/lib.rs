//! Facts: objects, log lines, and coverage, the knowledge of what was looked at.
//!
//! What a fact is and how it is asked: the words that every other room shares. The rules that decide answers
//! are normative in the signature language's semantics; here is where they live.
//!
//! May know: no other room.
//!
//! Invariants: an answer is *found*, *not set* or *unknown* with its reason as data; an absence is only as sure
//! as the weakest answer it rests on; every value has a citation; a masked value never exists here in clear.

pub mod absence;
pub mod address;
pub mod ascii;
pub mod asked;
mod conflicts;
pub mod coverage;
pub mod cut;
pub mod derived;
pub mod event;
pub mod field;
mod growing;
pub mod human_duration;
pub mod in_short;
pub mod kind;
pub mod lazy_regex;
pub mod lazy_set;
pub mod limit;
pub mod log;
pub mod lookup;
pub mod mask;
pub mod masked_text;
mod moved;
pub mod node;
pub mod object;
pub mod order;
pub mod origin;
pub mod outside;
pub mod parallel;
pub mod partial;
pub mod path;
pub mod presence;
pub mod provenance;
pub mod record;
pub mod secrets;
pub mod seen;
pub mod shortfall;
pub mod shown_paths;
pub mod spot;
pub mod stamp;
pub mod store;
pub mod suggest;
pub mod template;
pub mod trouble;
pub mod union;
pub mod unknown;
pub mod unnamed;
pub mod unread;
pub mod until;
mod walk;
pub mod weight;
pub mod whole;
pub mod zone;
