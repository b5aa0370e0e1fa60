//! The engine on facts made by hand: one question of the semantics for each test.
#![expect(clippy::expect_used, reason = "a helper of a test may panic")]

mod bench;
mod contexts;
mod logs;
mod objects;
