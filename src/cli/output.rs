//! Where results go: standard output or files. Messages go to standard error.

use anyhow::Context;
use facts::outside::Outside;
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Writes a result to standard output.
///
/// # Errors
/// If it cannot be written; a reader that went away is told apart in [`crate::exit`].
pub(crate) fn stdout(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("cannot write to standard output")
}

/// Says something to the person who runs the program. Errors name files and quote lines of a bundle.
pub(crate) fn message(text: &str) {
    // If standard error is closed there is nobody to tell.
    let _ = writeln!(std::io::stderr().lock(), "{}", Outside::from(text));
}

/// Writes a result to a file.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn file(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| {
        format!("cannot write {}; name another file with `-o FILE`, or `-o -` for standard output", path.display())
    })
}

/// Whether standard output may have colour: on a terminal, unless `NO_COLOR` is set to something
/// (<https://no-color.org>).
pub(crate) fn colour() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    std::io::stdout().is_terminal() && !refused
}
