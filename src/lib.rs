//! Casefile: an offline analyzer of Kubernetes support bundles.
//!
//! ```text
//! BUNDLE ──intake──▶ members ──parse, layout──▶ records ──assemble──▶ FACTS ──derive, checks──▶ more facts
//!                                                                       │
//!        html │ json │ md │ ... ◀──report── DIAGNOSIS ◀──diagnose── FINDINGS ◀──engine── signatures (patterns/*.yaml)
//! ```
//!
//! One direction; the rooms are crates below `src/`, so the compiler holds it. This is a thin face over them:
//! [`main`] is the program, [`diagnose()`] the whole way for programs that embed it. `docs/architecture.md` has the
//! rooms and the words.

pub use cli::main;
pub use diagnose::{Collected, Input, Options, Progress, Quiet, collect, diagnose};
pub use diagnosis::model::Diagnosis;
pub use signature::load::Library;
