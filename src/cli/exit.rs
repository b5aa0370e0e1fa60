//! Exit codes: an API for scripts. A code never changes its meaning.

use crate::destination::NotWritten;
use std::process::ExitCode;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: done, whatever the diagnosis says. Damage that still allowed a diagnosis is done too.
    Done,
    /// 1: `--fail-on` was met, or `check`, `test` or `lint` found something.
    Found,
    /// 2: wrong usage, or (except in `lint`) a bad signature.
    Usage,
    /// 3: a bundle could not be read at all.
    Unreadable,
    /// 4: the result could not be written, or not without harm to something that stands there.
    NotWritten,
}

impl Exit {
    /// The number that the program ends with.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Found => 1,
            Exit::Usage => 2,
            Exit::Unreadable => 3,
            Exit::NotWritten => 4,
        }
    }

    /// What an error that ended a command means to a script.
    pub fn of(error: &anyhow::Error) -> Self {
        if broken_pipe(error) {
            Exit::Done
        } else if error.chain().any(|cause| cause.is::<intake::Error>()) {
            Exit::Unreadable
        } else if error.chain().any(|cause| cause.is::<NotWritten>()) {
            Exit::NotWritten
        } else {
            Exit::Usage
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}

/// Whether the reader of the standard output went away (`casefile ... | head`): no error of ours.
pub(crate) fn broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_fixed() {
        let all = [Exit::Done, Exit::Found, Exit::Usage, Exit::Unreadable, Exit::NotWritten];
        assert_eq!(all.map(Exit::code), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn an_error_gives_its_code_through_its_chain() {
        let unreadable = intake::Error::Nothing { name: "b".into(), reason: "r".into() };
        assert_eq!(Exit::of(&anyhow::Error::from(unreadable).context("outer")), Exit::Unreadable);
        assert_eq!(Exit::of(&anyhow::anyhow!("other")), Exit::Usage);
        let stdout = |kind| NotWritten::stdout(std::io::Error::from(kind));
        let of = |kind| Exit::of(&anyhow::Error::from(stdout(kind)).context("outer"));
        assert_eq!(of(std::io::ErrorKind::BrokenPipe), Exit::Done);
        assert_eq!(of(std::io::ErrorKind::StorageFull), Exit::NotWritten);
    }
}
