//! Ages as kubectl prints them.
//!
//! Source: `k8s.io/apimachinery/pkg/util/duration/duration.go@v0.31.0` (`HumanDuration`); read back by
//! `facts::human_duration`.

use crate::Cell;
use crate::got::at;
use facts::object::ObjectId;
use facts::store::Facts;
use jiff::Timestamp;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// Years have no leap days here.
const YEAR: i64 = 365 * DAY;

/// So many seconds, as `HumanDuration` prints them.
pub fn short(seconds: i64) -> String {
    let two = |first: i64, unit: char, rest: i64, second: char| match rest {
        0 => format!("{first}{unit}"),
        rest => format!("{first}{unit}{rest}{second}"),
    };
    let (minutes, hours, days, years) = (seconds / MINUTE, seconds / HOUR, seconds / DAY, seconds / YEAR);
    match seconds {
        ..-1 => "<invalid>".to_owned(),
        -1..=0 => "0s".to_owned(),
        _ if seconds < 2 * MINUTE => format!("{seconds}s"),
        _ if minutes < 10 => two(minutes, 'm', seconds % MINUTE, 's'),
        _ if minutes < 180 => format!("{minutes}m"),
        _ if hours < 8 => two(hours, 'h', minutes % 60, 'm'),
        _ if hours < 48 => format!("{hours}h"),
        _ if days < 8 => two(days, 'd', hours % 24, 'h'),
        _ if days < 730 => format!("{days}d"),
        _ if years < 8 => two(years, 'y', days % 365, 'd'),
        _ => format!("{years}y"),
    }
}

/// How long before the clock of its cluster something was; `None` if nobody knows the clock.
pub(crate) fn since(facts: &Facts, id: ObjectId, time: Timestamp) -> Option<String> {
    let now = facts.context(facts.object(id).context).as_of.as_ref()?.for_objects();
    Some(short(now.duration_since(time).as_secs()))
}

/// AGE of an object. The age that a table printed is not taken: it was measured by another clock.
pub(crate) fn cell(facts: &Facts, id: ObjectId) -> Cell {
    let created = at(facts, id, "metadata.creationTimestamp").text().and_then(|text| text.parse().ok());
    created.and_then(|created| since(facts, id, created)).map_or(Cell::Unknown, Cell::Text)
}

#[cfg(test)]
mod tests {
    use super::short;
    use facts::human_duration::parse;

    #[test]
    fn ages_are_printed_as_kubectl_does_and_read_back() {
        let shown = [
            (0, "0s"),
            (119, "119s"),
            (120, "2m"),
            (121, "2m1s"),
            (600, "10m"),
            (10_800, "3h"),
            (11_000, "3h3m"),
            (28_800, "8h"),
            (172_800, "2d"),
            (180_000, "2d2h"),
            (700_000, "8d"),
            (63_072_000, "2y"),
            (-5, "<invalid>"),
        ];
        for (seconds, text) in shown {
            assert_eq!(short(seconds), text);
        }
        for seconds in (0..1_000_000).step_by(37).chain((1_000_000..400_000_000).step_by(86_399)) {
            let age = parse(&short(seconds)).unwrap_or_else(|| panic!("{seconds} is {}", short(seconds)));
            assert!((age.from..age.until).contains(&seconds), "{seconds}: {age:?}");
        }
    }
}
