//! The program hears nothing from its environment but how its terminal looks.
//!
//! Why: a diagnosis does not depend on the environment, and libraries below do: Polars reads some sixty variables, of
//! which some make it panic, talk or write to disk, and threads take the size of their stack from `RUST_MIN_STACK`. A
//! list of such names would be out of date with the next version of each, so all are taken away but those that are
//! known to be harmless. To start the program again without them would need the right to start programs, which the
//! sandbox takes away later and a container may never give.
//!
//! Invariant: it is called first in `main`, while there is one thread; a variable that is taken away while another
//! thread looks at it is what makes that call unsafe otherwise.

use std::ffi::OsString;

/// Variables that say how a terminal looks, and whether a fault of Casefile tells where it happened.
const KEPT: [&str; 5] = ["COLUMNS", "LINES", "NO_COLOR", "RUST_BACKTRACE", "TERM"];

/// Beginnings of the names that are taken away where the system itself needs others.
const LIBRARIES: [&str; 4] = ["POLARS_", "RAYON_", "RUST_", "TOKIO_"];

/// Takes away every variable that could change a run.
pub fn forget() {
    for name in names() {
        std::env::remove_var(name);
    }
}

/// The names that are to be taken away.
fn names() -> Vec<OsString> {
    let names = std::env::vars_os().map(|(name, _)| name);
    // No library can ask for a name with `=` in it, and it cannot be taken away either.
    names.filter(|name| !name.as_encoded_bytes().contains(&b'=') && !name.is_empty() && !is_kept(name)).collect()
}

fn is_kept(name: &OsString) -> bool {
    let of_a_library = |name: &str| LIBRARIES.iter().any(|begin| name.starts_with(begin));
    match name.to_str() {
        Some(name) if KEPT.contains(&name) => true,
        // Elsewhere system libraries find their own files through such variables.
        Some(name) => !cfg!(unix) && !of_a_library(name),
        None => !cfg!(unix),
    }
}

#[cfg(test)]
mod tests {
    use super::is_kept;

    #[test]
    fn only_what_a_terminal_looks_like_is_kept() {
        assert!(["TERM", "NO_COLOR", "COLUMNS"].iter().all(|name| is_kept(&(*name).into())));
        for name in ["POLARS_VERBOSE", "POLARS_MAX_THREADS", "RAYON_NUM_THREADS", "RUST_MIN_STACK", "TOKIO_X"] {
            assert!(!is_kept(&name.into()), "{name}");
        }
    }
}
