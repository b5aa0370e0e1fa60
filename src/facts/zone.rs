//! How far a clock may be from UTC: whole and half hours.
//!
//! Why: a log without its zone that is exactly some half hours away from everything else differs by its zone alone; any other
//! distance is time that passed.

/// Zones are half hours apart, in seconds.
const HALF_AN_HOUR: i64 = 30 * 60;

/// Two logs that end together do so within so many seconds.
pub const NEAR: i64 = 5 * 60;

/// The zone that is farthest behind UTC, in seconds.
pub const FARTHEST_BEHIND: i64 = 12 * 60 * 60;

/// The zone that is farthest ahead of UTC, in seconds.
pub const FARTHEST_AHEAD: i64 = 14 * 60 * 60;

/// Is a distance in seconds some half hours, no or one or more, as the distance of two zones is?
#[must_use]
pub const fn is_between_zones(seconds: i64) -> bool {
    let beyond = seconds.rem_euclid(HALF_AN_HOUR);
    beyond <= NEAR || beyond >= HALF_AN_HOUR - NEAR
}

/// May a clock that is so many seconds behind UTC show the time of a zone west of it?
#[must_use]
pub const fn is_behind(seconds: i64) -> bool {
    seconds >= HALF_AN_HOUR - NEAR && seconds <= FARTHEST_BEHIND + NEAR && is_between_zones(seconds)
}

#[cfg(test)]
mod tests {
    use super::{is_behind, is_between_zones};

    #[test]
    fn what_a_zone_is_behind() {
        let minutes = |minutes: i64| is_behind(minutes * 60);
        for behind in [60, 58, 300, 302, 330, 12 * 60] {
            assert!(minutes(behind), "{behind}");
        }
        for behind in [0, 4, 20, 45, 70, 192, 14 * 60, -60] {
            assert!(!minutes(behind), "{behind}");
        }
    }

    #[test]
    fn what_lies_between_two_zones() {
        for seconds in [0, 299, -299, 1_800, 5_400, 3_600 - 300] {
            assert!(is_between_zones(seconds), "{seconds}");
        }
        for seconds in [301, 900, 3_600 - 301, 11 * 60] {
            assert!(!is_between_zones(seconds), "{seconds}");
        }
    }
}
