//! A value compared with another one of the bundle: of the same object, or of a variable.
//!
//! Invariants: a side that is not set compares with nothing; one that is not known may; of a path with `[*]` any item
//! counts, of values that sources disagree on all of them must agree.

use crate::age;
use crate::age::Window;
use crate::binding;
use crate::binding::Bound;
use crate::gap::{Gap, PathOf, Why};
use crate::logic::Truth;
use crate::predicate;
use crate::predicate::Checked;
use facts::human_duration;
use facts::object::{Lookup, ObjectId};
use facts::path::Path;
use facts::spot::Spot;
use facts::stamp::time_of;
use facts::store::Facts;
use signature::model::Comparison;

/// Compares the value at a path of an object.
pub(crate) fn check<'f>(facts: &'f Facts, id: ObjectId, path: &Path, how: Comparison, other: &Bound) -> Checked<'f> {
    let object = facts.object(id);
    let own = binding::at_path(facts, id, path);
    let truth = compare(&own, how, other, age::window(facts, object.context));
    let citations: Vec<Spot<'f>> = match facts.lookup(id, path) {
        Lookup::Found(values) | Lookup::AtLeast(values) => values.into_iter().map(|(_, citation)| citation).collect(),
        Lookup::NotSet(citation) | Lookup::NotSetOrEmpty(citation) | Lookup::Redacted(citation) => vec![citation],
        Lookup::Unknown(_) => Vec::new(),
    };
    if truth != Truth::Unknown {
        return Checked { truth, ..Checked::known(false, citations) };
    }
    let gap = match (own, other) {
        (Bound::Unknown(gap), _) => gap,
        (_, Bound::Unknown(gap)) => gap.clone(),
        _ => Gap::new(Why::NotComparable(PathOf::of(facts, id, path))),
    };
    Checked::unknown(gap, citations)
}

fn compare(own: &Bound, how: Comparison, other: &Bound, window: Window) -> Truth {
    let one: &dyn Fn(&str, &str) -> Truth = match how {
        Comparison::Same => return own.equals(other),
        Comparison::Differs => return own.differs(other),
        Comparison::Earlier => &|own, other| times(own, other, |own, other| own < other),
        Comparison::Later => &|own, other| times(own, other, |own, other| own > other),
        Comparison::Older => &|own, other| older(own, other, window),
        Comparison::Younger => &|own, other| older(own, other, window).negate(),
    };
    use Bound::{NotSet, OneOf, Unknown, Values};
    match (own, other) {
        (NotSet, _) | (_, NotSet) => Truth::False,
        (Unknown(_), _) | (_, Unknown(_)) => Truth::Unknown,
        (Values(a) | OneOf(a), Values(b) | OneOf(b)) => {
            let pairs = a.iter().flat_map(|own| b.iter().map(move |other| one(own, other)));
            match (own, other) {
                (Values(_), Values(_)) => Truth::any(pairs),
                _ => Truth::agreed(pairs),
            }
        }
    }
}

fn times(own: &str, other: &str, fits: impl Fn(jiff::Timestamp, jiff::Timestamp) -> bool) -> Truth {
    match (time_of(own), time_of(other)) {
        (Some(own), Some(other)) => Truth::known(fits(own, other)),
        _ => Truth::Unknown,
    }
}

/// Is a time longer ago than a duration, given as Go prints it or in seconds? Zero switches a time-out off: nothing is
/// older or younger than none.
fn older(own: &str, limit_text: &str, window: Window) -> Truth {
    // How often an event was seen stands behind how long ago that was.
    let seen = |text: &str| human_duration::last_seen(text).map(|(age, _)| (age.from, age.until - 1));
    let limit = limit_text.parse::<f64>().ok().or_else(|| predicate::seconds(limit_text));
    let limit = limit.or_else(|| Some(seen(limit_text)?.0 as f64)).filter(|limit| *limit > 0.0);
    match (age::of_text(own, window).or_else(|| seen(own)), limit) {
        (Some((least, _)), Some(limit)) if least as f64 >= limit => Truth::True,
        (Some((_, greatest)), Some(limit)) if (greatest as f64) < limit => Truth::False,
        _ => Truth::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(texts: &[&str]) -> Bound {
        Bound::Values(texts.iter().map(|text| (*text).to_owned()).collect())
    }

    fn says(own: &Bound, how: Comparison, other: &Bound) -> Truth {
        let noon: jiff::Timestamp = "2026-05-14T12:00:00Z".parse().unwrap();
        compare(own, how, other, Some((noon, noon)))
    }

    #[test]
    fn texts_and_times_compare_with_what_is_set() {
        let (early, late) = (values(&["2026-05-14T10:00:00Z"]), values(&["Thu, 14 May 2026 11:00:00 +0000"]));
        assert_eq!(says(&early, Comparison::Earlier, &late), Truth::True);
        assert_eq!(says(&early, Comparison::Later, &late), Truth::False);
        assert_eq!(says(&early, Comparison::Same, &early), Truth::True);
        assert_eq!(says(&early, Comparison::Differs, &late), Truth::True);
        for how in [Comparison::Same, Comparison::Differs, Comparison::Earlier, Comparison::Older] {
            assert_eq!(says(&early, how, &Bound::NotSet), Truth::False);
            let unknown = Bound::Unknown(Gap::new(Why::Filter));
            assert_eq!(says(&early, how, &unknown), Truth::Unknown);
        }
    }

    #[test]
    fn of_two_events_in_a_table_the_one_that_was_seen_later_is_told() {
        let often = values(&["3m59s (x14 over 41m)"]);
        assert_eq!(says(&values(&["61s"]), Comparison::Younger, &often), Truth::True);
        assert_eq!(says(&values(&["2m5s (x2 over 3m)"]), Comparison::Younger, &often), Truth::True);
        assert_eq!(says(&values(&["3d"]), Comparison::Younger, &often), Truth::False);
        assert_eq!(says(&values(&["<unknown>"]), Comparison::Younger, &often), Truth::Unknown);
    }

    #[test]
    fn a_duration_is_one_of_go_or_a_number_of_seconds() {
        let since = values(&["2026-05-14T11:40:00Z"]);
        assert_eq!(says(&since, Comparison::Older, &values(&["10m0s"])), Truth::True);
        assert_eq!(says(&since, Comparison::Older, &values(&["1201"])), Truth::False);
        assert_eq!(says(&since, Comparison::Younger, &values(&["1h0m0s"])), Truth::True);
        assert_eq!(says(&since, Comparison::Older, &values(&["soon"])), Truth::Unknown);
        assert_eq!(says(&since, Comparison::Older, &values(&["0s"])), Truth::Unknown);
        let either = Bound::OneOf(vec!["2026-05-14T11:40:00Z".to_owned(), "2026-05-14T11:59:00Z".to_owned()]);
        assert_eq!(says(&either, Comparison::Older, &values(&["10m0s"])), Truth::Unknown);
    }
}
