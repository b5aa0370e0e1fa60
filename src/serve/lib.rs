//! The read-only Kubernetes API of a bundle: what `kubectl`, and whatever else speaks to a cluster, asks, answered out of
//! the facts.
//!
//! Why: people have their hands full of kubectl. What a bundle holds is asked with the words they know, and what it does
//! not hold is said in the place where they look.
//!
//! May know: facts, catalogue, intake, lines, printer, diagnosis (what deceives the eye), diagnose, tables (which there
//! are), report (its style, escaping and policy for pages).
//!
//! Invariants: nothing is ever written; **what was not collected is never answered as if it did not exist**: an empty list
//! and `NotFound` are given only where the facts prove the absence, all else is refused with the reason
//! ([`facts::whole`]), and a list that is not whole says so in a warning; no field, no cell and no line is made up; every
//! text was masked when the facts were made; no request makes it panic, and each is bounded.

mod api;
mod discovery;
mod list;
mod logs;
mod object;
mod params;
mod query;
mod reply;
mod resources;
mod review;
mod selector;
mod status;
mod table;
mod watch;

#[cfg(feature = "http")]
pub mod http;
pub mod kubeconfig;
mod served;

pub use query::{Ask, Found, NOT_BUILT_IN, Queries};
pub use reply::{Body, Reply, Write};
pub use served::{Page, Request, Served};
