//! Standard output, where results go that are no files, and standard error, where messages go.

use crate::destination::NotWritten;
use facts::outside::Outside;
use std::io::{IsTerminal, Write};

/// Writes a result to standard output.
///
/// # Errors
/// If it cannot be written; a reader that went away is told apart in [`crate::exit`].
pub(crate) fn stdout(text: &str) -> Result<(), NotWritten> {
    stdout_bytes(text.as_bytes())
}

/// The same for a result that is no text.
///
/// # Errors
/// As [`stdout`].
pub(crate) fn stdout_bytes(bytes: &[u8]) -> Result<(), NotWritten> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(NotWritten::stdout)
}

/// Says something to the person who runs the program. Errors name files and quote lines of a bundle.
pub(crate) fn message(text: &str) {
    // If standard error is closed there is nobody to tell.
    let _ = writeln!(std::io::stderr().lock(), "{}", Outside::from(text));
}

/// The columns of the terminal that standard output is; `None` if it is none.
pub(crate) fn width() -> Option<usize> {
    #[cfg(unix)]
    {
        let out = std::io::stdout();
        let size = out.is_terminal().then(|| rustix::termios::tcgetwinsize(&out).ok()).flatten()?;
        (size.ws_col > 0).then(|| usize::from(size.ws_col))
    }
    #[cfg(not(unix))]
    None
}

/// Whether standard output may have colour: on a terminal, unless `NO_COLOR` is set to something
/// (<https://no-color.org>).
pub(crate) fn colour() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    std::io::stdout().is_terminal() && !refused
}
