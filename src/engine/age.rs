//! How long ago a time was when the bundle was made, three-valued.
//!
//! Why an interval: the clock of a bundle may state no zone, and a table prints an age that was cut off. An age is
//! then known within bounds, and a test is known where all ages inside them agree.
//!
//! Invariants: without a clock the age of a time is unknown, that of a printed age is not; a time that is not set
//! has no age, so it is neither older nor younger than anything.

use crate::gap::{Gap, Why};
use crate::logic::Truth;
use crate::predicate::{Checked, Values, sort_out};
use facts::human_duration;
use facts::node::Node;
use facts::object::{ContextId, Lookup};
use facts::path::{Path, Step};
use facts::stamp::time_of;
use facts::store::{AsOf, Facts};
use jiff::Timestamp;
use signature::model::AgeTest;

/// The earliest and the latest moment at which the objects of a bundle can have been read.
pub type Window = Option<(Timestamp, Timestamp)>;

/// Where the clock is only a lower bound, nobody knows how old something is that is younger than this by it; what is older
/// has outlived all that passes.
const SETTLED: i64 = 60 * 60;

/// The moment at which the objects of a context were read; `None` without a clock.
pub fn window(facts: &Facts, context: ContextId) -> Window {
    facts.context(context).as_of.as_ref().map(AsOf::window_for_objects)
}

/// Tests the age of what a look-up found.
pub fn check<'f>(test: AgeTest, path: &Path, lookup: &Lookup<'f>, window: Window) -> Checked<'f> {
    let (nodes, citations, whole) = match lookup {
        Lookup::AtLeast(values) => {
            let citations = values.iter().map(|(_, citation)| citation.clone()).collect();
            (values.iter().map(|(node, _)| *node).collect(), citations, false)
        }
        _ => match sort_out(lookup) {
            Values::Set(nodes, citations) => (nodes, citations, true),
            Values::NotSet(citations) | Values::NotSetOrEmpty(citations) => {
                return Checked::known(test == AgeTest::Known(false), citations);
            }
            Values::Hidden(gap, citations, _) => {
                return match test {
                    AgeTest::Known(known) => Checked::known(!known, citations),
                    _ => Checked::unknown(*gap, citations),
                };
            }
        },
    };
    let ages: Vec<Option<(i64, i64)>> = nodes.iter().map(|node| age(node, window)).collect();
    if let AgeTest::Known(wanted) = test {
        let open = window.filter(|(_, to)| *to == Timestamp::MAX).map(|(from, to)| to.duration_since(from).as_secs());
        // An age that was printed has an end all the same.
        let ends = |(least, most): &(i64, i64)| open.is_none_or(|open| most - least < open - 1);
        let is_known = |age: &(i64, i64)| age.0 >= SETTLED || ends(age);
        return Checked::known(ages.iter().flatten().any(is_known) == wanted, citations);
    }
    let truths = ages.iter().map(|age| age.map_or(Truth::Unknown, |age| within(test, age)));
    let some_item = !whole || path.0.iter().any(|step| matches!(step, Step::All | Step::Pick { .. }));
    let truth = if some_item { Truth::any(truths) } else { Truth::agreed(truths) };
    match truth {
        Truth::False if !whole => Checked::unknown(Gap::new(Why::SomeItems(None)), citations),
        Truth::Unknown => Checked::unknown(why_open(&nodes, window), citations),
        truth => Checked { truth, ..Checked::known(false, citations) },
    }
}

/// The same for an item of a list that is there and does not state its time: it has an age, and nobody knows it.
pub(crate) fn not_stated(test: AgeTest) -> Checked<'static> {
    match test {
        AgeTest::Known(known) => Checked::known(!known, Vec::new()),
        _ => Checked::unknown(Gap::new(Why::TimeNotStated), Vec::new()),
    }
}

/// The least and the greatest age in seconds; negative for what is still to come.
pub fn age(node: &Node, window: Window) -> Option<(i64, i64)> {
    of_text(&node.value.scalar()?, window)
}

/// The same of a time or a printed age; of an event that came several times, of the last.
pub(crate) fn of_text(text: &str, window: Window) -> Option<(i64, i64)> {
    if let Some(time) = time_of(text) {
        let (earliest, latest) = window?;
        return Some((earliest.duration_since(time).as_secs(), latest.duration_since(time).as_secs()));
    }
    human_duration::last_seen(text).map(|(age, _)| (age.from, age.until - 1))
}

fn within(test: AgeTest, (least, greatest): (i64, i64)) -> Truth {
    let at_least = |seconds: i64| {
        if least >= seconds {
            Truth::True
        } else if greatest >= seconds {
            Truth::Unknown
        } else {
            Truth::False
        }
    };
    match test {
        AgeTest::OlderThan(seconds) => at_least(seconds),
        AgeTest::YoungerThan(seconds) => at_least(seconds).negate(),
        AgeTest::DueWithin(seconds) => at_least(1 - seconds),
        AgeTest::Known(wanted) => Truth::known(wanted),
    }
}

fn why_open(nodes: &[&Node], window: Window) -> Gap {
    let is_time = |node: &&Node| node.value.scalar().is_some_and(|text| time_of(&text).is_some());
    if !nodes.iter().any(is_time) {
        return Gap::new(Why::NoTime(nodes.iter().take(3).map(|node| format!("`{node}`")).collect()));
    }
    Gap::new(match window {
        None => Why::NoClock,
        Some((_, latest)) if latest == Timestamp::MAX => Why::NoClock,
        Some((earliest, latest)) if earliest < latest => Why::NoZone,
        Some(_) => Why::TimesDiffer,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use facts::node::Value;
    use facts::origin::{Citation, MemberId};
    use facts::spot::Spot;

    const DAY: i64 = 86_400;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn cite() -> Spot<'static> {
        Spot::from(Citation::line(MemberId(0), 1, "x"))
    }

    fn noon() -> Window {
        Some((at("2026-05-14T12:00:00Z"), at("2026-05-14T12:00:00Z")))
    }

    /// A clock that states no zone.
    fn unzoned() -> Window {
        Some((at("2026-05-13T22:00:00Z"), at("2026-05-15T00:00:00Z")))
    }

    fn says(test: AgeTest, values: &[&str], window: Window) -> Truth {
        let nodes: Vec<Node> = values.iter().map(|text| Node::new(1, Value::Str((*text).into()))).collect();
        let found = nodes.iter().map(|node| (node, cite())).collect();
        check(test, &Path::parse("a").unwrap(), &Lookup::Found(found), window).truth
    }

    #[test]
    fn a_time_is_measured_at_the_moment_of_the_bundle() {
        let (old, young) = (AgeTest::OlderThan(300), AgeTest::YoungerThan(300));
        for (time, truth) in [("2026-05-14T11:55:00Z", Truth::True), ("2026-05-14T11:55:01Z", Truth::False)] {
            assert_eq!(says(old, &[time], noon()), truth);
            assert_eq!(says(young, &[time], noon()), truth.negate());
        }
        assert_eq!(says(young, &["2026-05-15T12:00:00Z"], noon()), Truth::True, "what is to come is young");
        assert_eq!(says(old, &["Thu, 14 May 2026 08:00:00 +0000"], noon()), Truth::True, "as describe prints it");
    }

    #[test]
    fn what_is_due_has_passed_or_comes_soon() {
        let due = AgeTest::DueWithin(30 * DAY);
        assert_eq!(says(due, &["2026-05-01T12:00:00Z"], noon()), Truth::True);
        assert_eq!(says(due, &["2026-06-13T11:59:59Z"], noon()), Truth::True);
        assert_eq!(says(due, &["2026-06-13T12:00:00Z"], noon()), Truth::False);
    }

    #[test]
    fn without_a_clock_and_where_its_zone_matters_an_age_is_unknown() {
        let old = AgeTest::OlderThan(3_600);
        assert_eq!(says(old, &["2026-05-14T08:00:00Z"], None), Truth::Unknown);
        assert_eq!(says(old, &["2026-05-14T08:00:00Z"], unzoned()), Truth::Unknown);
        assert_eq!(says(old, &["2026-05-12T08:00:00Z"], unzoned()), Truth::True);
        assert_eq!(says(old, &["2026-05-16T08:00:00Z"], unzoned()), Truth::False);
        assert_eq!(says(AgeTest::Known(false), &["2026-05-14T08:00:00Z"], None), Truth::True);
        let or_later = Some((at("2026-05-14T12:00:00Z"), Timestamp::MAX));
        assert_eq!(says(AgeTest::Known(false), &["2026-05-14T11:59:00Z"], or_later), Truth::True, "a lower bound");
        assert_eq!(says(AgeTest::Known(false), &["2026-05-12T11:59:00Z"], or_later), Truth::False, "old all the same");
        assert_eq!(says(AgeTest::Known(true), &["21m"], or_later), Truth::True, "as it was printed");
        assert_eq!(says(AgeTest::Known(true), &["2026-05-14T08:00:00Z"], noon()), Truth::True);
    }

    #[test]
    fn an_age_that_a_table_prints_needs_no_clock_and_is_known_as_far_as_it_is_printed() {
        assert_eq!(says(AgeTest::OlderThan(20 * 60), &["21m"], None), Truth::True);
        assert_eq!(says(AgeTest::OlderThan(21 * 60 + 30), &["21m"], None), Truth::Unknown);
        assert_eq!(says(AgeTest::OlderThan(22 * 60), &["21m"], None), Truth::False);
    }

    #[test]
    fn what_is_not_set_or_no_time_has_no_age() {
        let path = Path::parse("a").unwrap();
        let on = |test, lookup: &Lookup<'_>| check(test, &path, lookup, noon()).truth;
        for test in [AgeTest::OlderThan(0), AgeTest::YoungerThan(60), AgeTest::DueWithin(60), AgeTest::Known(true)] {
            assert_eq!(on(test, &Lookup::NotSet(cite())), Truth::False);
        }
        assert_eq!(on(AgeTest::Known(false), &Lookup::NotSet(cite())), Truth::True);
        assert_eq!(on(AgeTest::OlderThan(0), &Lookup::Redacted(cite())), Truth::Unknown);
        assert_eq!(says(AgeTest::OlderThan(0), &["<unknown>"], noon()), Truth::Unknown);
        assert_eq!(says(AgeTest::Known(false), &["<unknown>"], noon()), Truth::True);
    }

    #[test]
    fn times_that_disagree_are_unknown_and_items_are_asked_one_by_one() {
        let both = ["2026-05-14T08:00:00Z", "2026-05-14T11:59:00Z"];
        assert_eq!(says(AgeTest::OlderThan(3_600), &both, noon()), Truth::Unknown);
        let nodes: Vec<Node> = both.iter().map(|text| Node::new(1, Value::Str((*text).into()))).collect();
        let found = nodes.iter().map(|node| (node, cite())).collect();
        let items = Path::parse("a[*].b").unwrap();
        assert_eq!(check(AgeTest::OlderThan(3_600), &items, &Lookup::Found(found), noon()).truth, Truth::True);
    }
}
