//! Inspection: what is in a bundle and what it is worth, before anybody judges.
//!
//! May know: all rooms that read; of analytics the gaps of logs.
//!
//! Invariants: nothing is decided here; each member of a bundle is accounted for.

pub mod bounds;
pub mod gaps;
pub mod model;
pub mod text;
