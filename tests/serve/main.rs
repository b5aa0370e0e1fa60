//! `casefile serve`: the API of a bundle, asked by plain requests and by every kubectl that is found.

#![cfg(feature = "serve")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::panic, reason = "a test that cannot go on fails")]

mod bundle;
mod clusters;
mod hostile;
mod kubectl;
mod lists;
mod logs;
mod objects;
mod query;
mod running;
