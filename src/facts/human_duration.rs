//! Ages as kubectl prints them, read back as what they can have been: `51m` was printed for any age from 51
//! to 52 minutes.
//!
//! Why an interval: kubectl cuts an age off, it never rounds, and how much it cuts off depends on how old the
//! object is. What was cut off is not known and must not be invented.
//!
//! Source: `k8s.io/apimachinery/pkg/util/duration/duration.go@v0.31.0` (`HumanDuration`), which prints AGE,
//! LAST SEEN and date columns of CRDs since Kubernetes 1.12.
//!
//! Invariant: a text that `HumanDuration` never prints (`90m7s`, `200m`, `<unknown>`) is no age.

use nom::bytes::complete::take_while_m_n;
use nom::character::complete::one_of;
use nom::combinator::{all_consuming, map_res, opt};
use nom::{IResult, Parser};

const MINUTE: i64 = 60;
const HOUR: i64 = 3_600;
const DAY: i64 = 86_400;
/// Years have no leap days here.
const YEAR: i64 = 365 * DAY;

/// A time for people, in its two largest units: `2 h 9 min`.
#[must_use]
pub fn in_words(seconds: i64) -> String {
    let units = [(DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (1, "s")];
    let first = units.iter().position(|(unit, _)| seconds >= *unit).unwrap_or(units.len() - 1);
    let mut rest = seconds.max(0);
    let parts = units.iter().skip(first).take(2).filter_map(|(unit, name)| {
        let count = rest / unit;
        rest %= unit;
        (count > 0 || seconds <= 0).then(|| format!("{count} {name}"))
    });
    parts.collect::<Vec<_>>().join(" ")
}

/// An age in whole seconds: at least `from`, and less than `until`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Age {
    /// It is at least this old.
    pub from: i64,
    /// It is younger than this.
    pub until: i64,
}

fn part(input: &str) -> IResult<&str, (i64, char)> {
    let number = map_res(take_while_m_n(1, 5, |c: char| c.is_ascii_digit()), str::parse::<i64>);
    (number, one_of("smhdy")).parse(input)
}

/// The age that a cell shows; `None` if it shows none.
pub fn parse(cell: &str) -> Option<Age> {
    let (_, (first, second)) = all_consuming((part, opt(part))).parse(cell).ok()?;
    let plain = matches!(second, None | Some((1.., _)));
    let more = second.map(|(number, _)| number).unwrap_or_default();
    // The seconds, and what was cut off.
    let (from, cut) = match (first, second.map(|(_, unit)| unit)) {
        // A clock that is less than two seconds behind counts as now.
        ((0, 's'), None) => return Some(Age { from: -1, until: 1 }),
        ((n @ 1..120, 's'), None) => (n, 1),
        ((n @ 2..10, 'm'), None | Some('s')) if more < 60 => (n * MINUTE + more, 1),
        ((n @ 10..180, 'm'), None) => (n * MINUTE, MINUTE),
        ((n @ 3..8, 'h'), None | Some('m')) if more < 60 => (n * HOUR + more * MINUTE, MINUTE),
        ((n @ 8..48, 'h'), None) => (n * HOUR, HOUR),
        ((n @ 2..8, 'd'), None | Some('h')) if more < 24 => (n * DAY + more * HOUR, HOUR),
        ((n @ 8..730, 'd'), None) => (n * DAY, DAY),
        ((n @ 2..8, 'y'), None | Some('d')) if more < 365 => (n * YEAR + more * DAY, DAY),
        ((n @ 8..1000, 'y'), None) => (n * YEAR, YEAR),
        _ => return None,
    };
    plain.then_some(Age { from, until: from + cut })
}

/// When an event was last seen, and how often if that is said: `5m12s (x23 over 4h)`, as LAST SEEN of a table and
/// Age of `kubectl describe` print it (`kubectl/pkg/describe/describe.go@v0.34.0`, `printers.go` of Kubernetes 1.34).
pub fn last_seen(cell: &str) -> Option<(Age, Option<i64>)> {
    let Some((age, repeated)) = cell.split_once(" (x") else { return Some((parse(cell.trim())?, None)) };
    let (count, over) = repeated.strip_suffix(')')?.split_once(" over ")?;
    parse(over.trim())?;
    Some((parse(age.trim())?, count.parse().ok().filter(|count| *count > 0)))
}

/// When an event was first seen, by the same cell: of `5m12s (x23 over 4h)` four hours ago, of `4h` as well.
pub fn first_seen(cell: &str) -> Option<Age> {
    match cell.split_once(" over ") {
        Some((_, over)) => parse(over.strip_suffix(')')?.trim()),
        None => parse(cell.trim()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn times_are_written_for_people() {
        let words = |seconds| in_words(seconds);
        assert_eq!(
            [words(0), words(45), words(120), words(7_788), words(90_000)],
            ["0 s", "45 s", "2 min", "2 h 9 min", "1 d 1 h"]
        );
    }

    #[test]
    fn when_an_event_was_last_seen() {
        let seen = |cell: &str| last_seen(cell).map(|(age, count)| (age.from, age.until, count));
        assert_eq!(seen("5m12s (x23 over 4h)"), Some((312, 313, Some(23))));
        assert_eq!(seen("4h"), Some((14_400, 14_460, None)));
        for cell in ["<unknown>", "5m12s (x23)", "5m12s (x23 over ever)", "(x2 over 5m)", ""] {
            assert_eq!(seen(cell), None, "{cell}");
        }
    }

    #[test]
    fn when_an_event_was_first_seen() {
        let seen = |cell: &str| first_seen(cell).map(|age| age.from);
        assert_eq!([seen("5m12s (x23 over 4h)"), seen("4h")], [Some(14_400); 2]);
        assert_eq!([seen("5m12s (x23 over ever)"), seen("<unknown>")], [None; 2]);
    }

    /// `HumanDuration`, for whole seconds.
    fn printed(seconds: i64) -> String {
        let two = |a: i64, a_unit: &str, b: i64, b_unit: &str| {
            if b == 0 { format!("{a}{a_unit}") } else { format!("{a}{a_unit}{b}{b_unit}") }
        };
        let (minutes, hours) = (seconds / MINUTE, seconds / HOUR);
        match seconds {
            ..-1 => "<invalid>".to_owned(),
            -1 => "0s".to_owned(),
            0..120 => format!("{seconds}s"),
            _ if minutes < 10 => two(minutes, "m", seconds % 60, "s"),
            _ if minutes < 180 => format!("{minutes}m"),
            _ if hours < 8 => two(hours, "h", minutes % 60, "m"),
            _ if hours < 48 => format!("{hours}h"),
            _ if hours < 192 => two(hours / 24, "d", hours % 24, "h"),
            _ if hours < 24 * 365 * 2 => format!("{}d", hours / 24),
            _ if hours < 24 * 365 * 8 => two(hours / 24 / 365, "y", hours / 24 % 365, "d"),
            _ => format!("{}y", hours / 24 / 365),
        }
    }

    proptest! {
        #[test]
        fn what_was_printed_holds_what_it_was_printed_for(seconds in prop_oneof![0..700_i64, 0..900_000_i64, 0..400_000_000_i64]) {
            let text = printed(seconds);
            let age = parse(&text);
            prop_assert!(age.is_some_and(|age| (age.from..age.until).contains(&seconds)), "{text} {age:?} {seconds}");
            // Nothing outside of it prints the same.
            let age = age.unwrap();
            prop_assert_ne!(printed(age.until), text.clone());
            if age.from > 0 {
                prop_assert_ne!(printed(age.from - 1), text);
            }
        }

        #[test]
        fn no_text_panics(text in "[0-9smhdy<> -]{0,12}") {
            let _ = parse(&text);
        }
    }

    #[test]
    fn what_is_never_printed_is_no_age() {
        for text in
            ["", "0", "s", "120s", "1m", "200m", "90m7s", "2m0s", "5h60m", "2d24h", "1y", "<unknown>", "-5s", "5 m"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(parse("7m"), Some(Age { from: 420, until: 421 }));
        assert_eq!(parse("2d1h"), Some(Age { from: 176_400, until: 180_000 }));
    }
}
