//! When something held: the times inside log lines, and how near two of them are.
//!
//! Why an interval and a machine: a state that a stream reports holds up to that stream's last line, and
//! clocks of two machines differ, so times of different machines that are less than [`SKEW`] apart have no
//! order. What is near only if two clocks agree to the second is not known to be near.

use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;

/// How far the clocks of two machines may be apart.
pub(crate) const SKEW: SignedDuration = SignedDuration::from_secs(60);

/// When something held, by the clock of one machine.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// From this time on.
    pub from: Timestamp,
    /// Up to this time; never before `from`. After it nothing is known.
    pub to: Timestamp,
    /// Whose clock: the node, or the stream where no node is known.
    pub machine: String,
}

impl Moment {
    /// Does it hold within a window of a time?
    pub(crate) fn is_near(&self, time: Timestamp, window: SignedDuration) -> bool {
        self.from.duration_since(time) <= window && time.duration_since(self.to) <= window
    }
}

/// Moments sorted for the question whether one of them is near.
#[derive(Debug, Default)]
pub struct Moments {
    all: Sorted,
    by_machine: BTreeMap<String, Sorted>,
}

impl Moments {
    /// Sorts moments.
    pub fn new(moments: &[Moment]) -> Self {
        let mut by_machine: BTreeMap<String, Vec<&Moment>> = BTreeMap::new();
        for moment in moments {
            by_machine.entry(moment.machine.clone()).or_default().push(moment);
        }
        Self {
            all: Sorted::new(moments.iter().collect()),
            by_machine: by_machine.into_iter().map(|(machine, moments)| (machine, Sorted::new(moments))).collect(),
        }
    }

    /// Is one of them surely within a window of this one?
    pub fn near(&self, moment: &Moment, window: SignedDuration) -> bool {
        let own = self.by_machine.get(&moment.machine).is_some_and(|own| own.near(moment, window));
        own || window >= SKEW && self.all.near(moment, window - SKEW)
    }
}

/// Intervals by their beginning, each with the latest end of those up to it.
#[derive(Debug, Default)]
struct Sorted(Vec<(Timestamp, Timestamp)>);

impl Sorted {
    fn new(moments: Vec<&Moment>) -> Self {
        let mut sorted: Vec<(Timestamp, Timestamp)> = moments.into_iter().map(|m| (m.from, m.to)).collect();
        sorted.sort_unstable();
        let mut latest = Timestamp::MIN;
        for (_, to) in &mut sorted {
            latest = latest.max(*to);
            *to = latest;
        }
        Self(sorted)
    }

    fn near(&self, moment: &Moment, window: SignedDuration) -> bool {
        let begun = self.0.partition_point(|(from, _)| from.duration_since(moment.to) <= window);
        let latest = begun.checked_sub(1).and_then(|last| self.0.get(last));
        latest.is_some_and(|(_, to)| moment.from.duration_since(*to) <= window)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn moment(from: i64, to: i64, machine: &str) -> Moment {
        let at = |second| Timestamp::from_second(second).unwrap();
        Moment { from: at(from), to: at(to), machine: machine.to_owned() }
    }

    fn near(a: &Moment, b: &Moment, seconds: i64) -> bool {
        Moments::new(std::slice::from_ref(a)).near(b, SignedDuration::from_secs(seconds))
    }

    #[test]
    fn between_machines_a_minute_is_in_doubt() {
        let (a, b) = (moment(0, 0, "cp-1"), moment(100, 100, "cp-1"));
        assert!(near(&a, &b, 100) && !near(&a, &b, 99));
        let other = moment(100, 100, "cp-2");
        assert!(near(&a, &other, 160) && !near(&a, &other, 159));
        assert!(!near(&a, &moment(0, 0, "cp-2"), 59), "equal times of two machines may be a minute apart");
    }

    #[test]
    fn a_state_holds_up_to_its_end() {
        let held = moment(0, 500, "cp-1");
        assert!(near(&held, &moment(250, 250, "cp-1"), 0));
        assert!(near(&held, &moment(510, 510, "cp-1"), 10) && !near(&held, &moment(511, 511, "cp-1"), 10));
        let at = |second| Timestamp::from_second(second).unwrap();
        let window = SignedDuration::from_secs(10);
        assert!(held.is_near(at(510), window) && !held.is_near(at(511), window) && held.is_near(at(-10), window));
    }

    fn moments() -> impl Strategy<Value = Moment> {
        (0_i64..300, 0_i64..100, prop::sample::select(vec!["a", "b"])).prop_map(|(f, l, m)| moment(f, f + l, m))
    }

    proptest! {
        #[test]
        fn the_sorted_answer_is_that_of_looking_at_each(
            all in prop::collection::vec(moments(), 0..12), one in moments(), window in 0_i64..200
        ) {
            let each = all.iter().any(|other| {
                let apart = (other.from.as_second() - one.to.as_second()).max(one.from.as_second() - other.to.as_second()).max(0);
                apart + if other.machine == one.machine { 0 } else { 60 } <= window
            });
            prop_assert_eq!(Moments::new(&all).near(&one, SignedDuration::from_secs(window)), each);
        }
    }
}
