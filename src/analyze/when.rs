//! The conditions of outcomes: comparisons, each in the form that its type of analyzer has.
//!
//! Source: <https://troubleshoot.sh/docs/analyze/outcomes/> and the pages of the analyzers.
//!
//! Invariant: what cannot be read is said, and is never taken for false.

use crate::known::{Known, Open, Why};
use semver::{BuildMetadata, Prerelease, Version};
use std::cmp::Ordering;

/// What stands between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Operator {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "=" | "==" | "===" => Self::Equal,
            "!=" | "!==" => Self::NotEqual,
            "<" => Self::Less,
            "<=" => Self::LessOrEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterOrEqual,
            _ => return None,
        })
    }

    pub(crate) fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }

    /// The same where the left side is known to be at least what it was compared as; `None` if that does not decide.
    pub(crate) fn holds_at_least(self, order: Ordering) -> Option<bool> {
        match (self, order) {
            (Self::Greater, Ordering::Greater) | (Self::NotEqual, Ordering::Greater) => Some(true),
            (Self::GreaterOrEqual, Ordering::Greater | Ordering::Equal) => Some(true),
            (Self::Less, Ordering::Greater | Ordering::Equal) => Some(false),
            (Self::LessOrEqual | Self::Equal, Ordering::Greater) => Some(false),
            _ => None,
        }
    }
}

/// A condition that cannot be read.
pub(crate) fn bad(when: &str, expected: &'static str) -> Open {
    Why::BadWhen { when: when.to_owned(), expected }.into()
}

/// The words of a condition.
pub(crate) fn words(when: &str) -> Vec<&str> {
    when.split_whitespace().collect()
}

/// `>= 3`: does it hold for a number?
pub(crate) fn number(when: &str, actual: i64) -> Known<bool> {
    const EXPECTED: &str = "a comparison and a whole number, such as `< 1`";
    let parts = words(when);
    let [operator, value] = parts.as_slice() else { return Err(bad(when, EXPECTED)) };
    compare(when, operator, value, actual, EXPECTED)
}

/// `succeeded >= 1`: does it hold for the number that its name means?
pub(crate) fn named_number(
    when: &str,
    names: &'static str,
    actual: impl FnOnce(&str) -> Option<Known<i64>>,
) -> Known<bool> {
    let parts = words(when);
    let [name, operator, value] = parts.as_slice() else { return Err(bad(when, names)) };
    let actual = actual(name).ok_or_else(|| bad(when, names))??;
    compare(when, operator, value, actual, names)
}

fn compare(when: &str, operator: &str, value: &str, actual: i64, expected: &'static str) -> Known<bool> {
    let parsed = Operator::parse(operator).zip(value.parse::<i64>().ok());
    let (operator, value) = parsed.ok_or_else(|| bad(when, expected))?;
    Ok(operator.holds(actual.cmp(&value)))
}

/// `= name` or `!= name`: the name, and whether it is to be equal.
pub(crate) fn named<'w>(when: &'w str, expected: &'static str) -> Known<(&'w str, bool)> {
    let parts = words(when);
    let [operator, name] = parts.as_slice() else { return Err(bad(when, expected)) };
    match Operator::parse(operator) {
        Some(Operator::Equal) => Ok((name, true)),
        Some(Operator::NotEqual) => Ok((name, false)),
        _ => Err(bad(when, expected)),
    }
}

/// A version as Kubernetes and databases state it: with or without `v`, and with as many numbers as there are.
pub(crate) fn version(text: &str) -> Option<Version> {
    let text = text.trim().trim_start_matches('v');
    if let Ok(version) = Version::parse(text) {
        return Some(version);
    }
    let end = text.find(['-', '+', ' ']).unwrap_or(text.len());
    let (core, rest) = text.split_at(end);
    let mut numbers =
        core.split('.').map(|part| if matches!(part, "x" | "X" | "*") { Some(0) } else { part.parse().ok() });
    let mut next = || numbers.next().unwrap_or(Some(0));
    let (major, minor, patch) = (next()?, next()?, next()?);
    let pre = rest.strip_prefix('-').map(|rest| rest.split('+').next().unwrap_or_default());
    let pre = pre.map_or(Some(Prerelease::EMPTY), |pre| Prerelease::new(pre).ok())?;
    Some(Version { major, minor, patch, pre, build: BuildMetadata::EMPTY })
}

/// `>= 1.20.0 < 1.30.0 || 1.31.x`: is a version in the range?
/// Source: <https://pkg.go.dev/github.com/blang/semver/v4#ParseRange>.
pub(crate) fn range(when: &str, actual: &Version) -> Known<bool> {
    const EXPECTED: &str = "a range of versions, such as `>= 1.20.0 < 1.30.0`";
    let mut any = false;
    for part in when.split("||") {
        let mut all = true;
        let mut rest = part.trim();
        if rest.is_empty() {
            return Err(bad(when, EXPECTED));
        }
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !matches!(c, '<' | '>' | '=' | '!')).unwrap_or(rest.len());
            let (operator, behind) = rest.split_at(digits);
            let behind = behind.trim_start();
            let end = behind.find([' ', '<', '>', '=', '!', '\t']).unwrap_or(behind.len());
            let (wanted, more) = behind.split_at(end);
            all &= in_part(operator, wanted, actual).ok_or_else(|| bad(when, EXPECTED))?;
            rest = more.trim_start();
        }
        any |= all;
    }
    Ok(any)
}

fn in_part(operator: &str, wanted: &str, actual: &Version) -> Option<bool> {
    let operator = match operator {
        "" => Operator::Equal,
        "!" => Operator::NotEqual,
        other => Operator::parse(other)?,
    };
    let known = wanted.trim_start_matches('v').split('.').take_while(|part| !matches!(*part, "x" | "X" | "*")).count();
    let value = version(wanted)?;
    if !wanted.ends_with(['x', 'X', '*']) {
        return Some(operator.holds(actual.cmp_precedence(&value)));
    }
    // A part that is left open stands for all of its numbers.
    let (own, other) = ([actual.major, actual.minor, actual.patch], [value.major, value.minor, value.patch]);
    let order = own.iter().take(known).cmp(other.iter().take(known));
    Some(operator.holds(order))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_versions() {
        let holds = |when: &str, of: &str| range(when, &version(of).unwrap()).ok();
        for (when, of, expected) in [
            ("< 1.20.0", "v1.19.3", Some(true)),
            ("< 1.20.0", "1.20.0", Some(false)),
            (">=1.22.0", "v1.31.2+k3s1", Some(true)),
            ("= 1.31.2", "v1.31.2+k3s1", Some(true)),
            (">= 1.20.0 < 1.30.0", "1.30.0", Some(false)),
            ("<1.10.0 || >1.20.0", "1.21.0", Some(true)),
            ("1.31.x", "1.31.9", Some(true)),
            ("!1.31.x", "1.31.9", Some(false)),
            (">1.31.x", "1.31.9", Some(false)),
            ("< 1.20.0", "1.20.0-rc.1", Some(true)),
            ("newest", "1.0.0", None),
            ("", "1.0.0", None),
        ] {
            assert_eq!(holds(when, of), expected, "{of} {when}");
        }
    }

    #[test]
    fn a_lower_bound_decides_what_it_can() {
        let holds = |operator, bound: i64, wanted: i64| {
            Operator::parse(operator).and_then(|one| one.holds_at_least(bound.cmp(&wanted)))
        };
        assert_eq!(holds(">=", 3, 3), Some(true));
        assert_eq!(holds("<", 3, 3), Some(false));
        assert_eq!(holds(">=", 2, 3), None);
        assert_eq!(holds("=", 4, 3), Some(false));
        assert_eq!(holds("=", 3, 3), None);
    }

    #[test]
    fn what_is_no_condition_is_said() {
        for when in ["1", "< one", "about 1", "< 1 2"] {
            assert!(matches!(number(when, 1), Err(Open { why: Why::BadWhen { .. }, .. })), "{when}");
        }
        assert_eq!(number(">= 1", 1), Ok(true));
        assert_eq!(number(" <  1 ", 1), Ok(false));
    }
}
