//! What a text may print of a time at a path of the entity: `{machine.days_until(status.certificatesExpiryDate)}`.
//!
//! Why functions in texts only: the language compares times with `older_than` and its like and has no arithmetic;
//! people want to read how long it was.
//!
//! Invariant: what is measured is measured at the moment of the bundle, as the tests of `where` are.

use facts::path::{Path, PathError};

/// How long before or after the bundle a time was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Whole seconds since then.
    SecondsSince,
    /// Whole days until then; negative once it has passed.
    DaysUntil,
}

/// The functions by name.
pub(crate) const NAMES: [(&str, Measure); 2] =
    [("seconds_since", Measure::SecondsSince), ("days_until", Measure::DaysUntil)];

/// Reads `days_until(PATH)`; `None` if the text is no function.
pub fn parse(text: &str) -> Option<Result<(Measure, Path), PathError>> {
    let (name, path) = text.strip_suffix(')')?.split_once('(')?;
    let (_, measure) = NAMES.iter().find(|(known, _)| *known == name)?;
    Some(Path::parse(path).map(|path| (*measure, path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_holds_a_path() {
        let said = |text: &str| parse(text).map(|read| read.map(|(measure, path)| format!("{measure:?} {path}")));
        assert_eq!(said("days_until(spec.notAfter)"), Some(Ok("DaysUntil spec.notAfter".to_owned())));
        assert_eq!(said("spec.notAfter"), None);
        assert_eq!(said("weeks_until(spec.notAfter)"), None);
        assert!(said("seconds_since(spec.)").is_some_and(|read| read.is_err()));
    }
}
