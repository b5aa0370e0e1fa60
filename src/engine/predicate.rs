//! Tests of the value at a path, three-valued.
//!
//! Invariants: a path that is not set equals nothing; one that a form prints alike for "not set" and
//! "empty" equals no text; a masked value is set and equal to nothing known; where several possible
//! values disagree the test is unknown. A path with `[*]` asks whether *some* item passes, and
//! `not_equals` and `not_in` are the negations of `equals` and `in` among values that are set.

use crate::age;
use crate::binding;
use crate::binding::Bound;
use crate::compared;
use crate::gap::{Gap, PathOf, Why};
use crate::logic::Truth;
use catalogue::wordings;
use facts::coverage::Basis;
use facts::masked_text;
use facts::node::{Node, Value};
use facts::object::{Lookup, ObjectId, ObjectRecord};
use facts::outside::Outside;
use facts::path::{Path, Step};
use facts::seen::only_printed;
use facts::spot::Spot;
use facts::store::Facts;
use facts::unknown::Unknown;
use signature::model::{AgeTest, Ordering, Other, Predicate, Test};
use std::collections::BTreeSet;

/// The outcome of a test with what was read for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked<'f> {
    /// Does it pass?
    pub truth: Truth,
    /// What was read.
    pub citations: Vec<Spot<'f>>,
    /// Why it is unknown, if it is.
    pub gap: Option<Gap>,
    /// What weak ground it stands on.
    pub rests: Rests,
}

/// The weak ground that a test of a derived field stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rests {
    /// The weakest list: that one whose command is not known shows nothing may be the work of a filter.
    pub weakest: Basis,
    /// On lines of logs.
    pub lines: bool,
}

impl Default for Rests {
    fn default() -> Self {
        Self { weakest: Basis::Stated, lines: false }
    }
}

impl Rests {
    /// On no weak ground?
    pub(crate) fn is_firm(self) -> bool {
        self.weakest == Basis::Stated && !self.lines
    }

    fn and(self, other: Self) -> Self {
        Self { weakest: self.weakest.min(other.weakest), lines: self.lines || other.lines }
    }
}

impl<'f> Checked<'f> {
    /// Passes without looking at anything.
    pub fn pass() -> Self {
        Self { truth: Truth::True, citations: Vec::new(), gap: None, rests: Rests::default() }
    }

    pub(crate) fn known(truth: bool, citations: Vec<Spot<'f>>) -> Self {
        Self { truth: Truth::known(truth), citations, gap: None, rests: Rests::default() }
    }

    /// Unknown, with the reason.
    pub fn unknown(gap: Gap, citations: Vec<Spot<'f>>) -> Self {
        Self { truth: Truth::Unknown, citations, gap: Some(gap), rests: Rests::default() }
    }

    /// One of them passes. The gap is the first one that is left; citations are those of the side that decides.
    #[must_use]
    pub fn or(mut self, mut other: Self) -> Self {
        match (self.truth, other.truth) {
            (Truth::True, _) => self,
            (_, Truth::True) => other,
            (mine, theirs) => {
                self.truth = mine.or(theirs);
                self.citations.append(&mut other.citations);
                self.gap = self.gap.or(other.gap);
                self.rests = self.rests.and(other.rests);
                self
            }
        }
    }

    /// Both pass. The gap is the first one that is left; citations are those of the side that decides.
    #[must_use]
    pub fn and(mut self, mut other: Self) -> Self {
        match (self.truth, other.truth) {
            (Truth::False, _) => self,
            (_, Truth::False) => other,
            (mine, theirs) => {
                self.truth = mine.and(theirs);
                self.citations.append(&mut other.citations);
                self.gap = self.gap.or(other.gap);
                self.rests = self.rests.and(other.rests);
                self
            }
        }
    }
}

/// Do all predicates hold for an object? Predicates that name API versions are alternatives, chosen by
/// the version of the object; unknown if none of them fits.
pub(crate) fn holds_all<'f>(facts: &'f Facts, id: ObjectId, predicates: &[Predicate]) -> Checked<'f> {
    let always = predicates.iter().filter(|p| p.api.is_empty());
    let checked = always.fold(Checked::pass(), |so_far, p| {
        if so_far.truth == Truth::False { so_far } else { so_far.and(holds(facts, id, p)) }
    });
    if checked.truth == Truth::False || predicates.iter().all(|p| p.api.is_empty()) {
        return checked;
    }
    checked.and(by_version(facts, id, predicates))
}

/// The alternatives among `predicates`, for the version of each sighting in turn, the winning one first.
/// A table states no version; there a path that it shows is of a version that has it, and one that it does
/// not show is unknown, so the alternative that can be told is the one that fits.
fn by_version<'f>(facts: &'f Facts, id: ObjectId, predicates: &[Predicate]) -> Checked<'f> {
    let object = facts.object(id);
    let mut undecided: Option<Checked<'f>> = None;
    for sighting in &object.sightings {
        let Some(api_version) = &sighting.record.api_version else { continue };
        let version = api_version.rsplit('/').next().unwrap_or(api_version);
        let mut fitting = predicates.iter().filter(|p| p.api.iter().any(|api| api == version)).peekable();
        if fitting.peek().is_none() {
            continue;
        }
        let checked = fitting.fold(Checked::pass(), |so_far, p| so_far.and(holds(facts, id, p)));
        if checked.truth != Truth::Unknown {
            return checked;
        }
        undecided = undecided.or(Some(checked));
    }
    if object.sightings.iter().all(|sighting| sighting.record.api_version.is_none()) {
        let versions: BTreeSet<&String> = predicates.iter().flat_map(|p| &p.api).collect();
        let mut told = versions.into_iter().filter_map(|version| {
            let fitting = predicates.iter().filter(|p| p.api.contains(version));
            let checked = fitting.fold(Checked::pass(), |so_far, p| so_far.and(holds(facts, id, p)));
            (checked.truth != Truth::Unknown).then_some(checked)
        });
        if let (Some(checked), None) = (told.next(), told.next()) {
            return checked;
        }
    }
    undecided.unwrap_or_else(|| {
        let versions: Vec<String> = predicates.iter().flat_map(|p| &p.api).cloned().collect();
        let why = Why::Version(object.kind.clone(), object.name.clone(), versions);
        Checked::unknown(Gap::new(why).wanting(object.context, &object.kind), Vec::new())
    })
}

/// Does one predicate hold for an object?
fn holds<'f>(facts: &'f Facts, id: ObjectId, predicate: &Predicate) -> Checked<'f> {
    let first = match (stated(facts, id, predicate), &predicate.test) {
        (None, Test::Age(test)) => age::not_stated(*test),
        (path, test) => holds_at(facts, id, path.unwrap_or(&predicate.path), test),
    };
    if predicate.or_paths.is_empty() {
        return first;
    }
    let paths = || std::iter::once(&predicate.path).chain(&predicate.or_paths);
    let shown: Vec<bool> = paths().map(|path| of_its_form(facts, id, path, paths())).collect();
    let others = predicate.or_paths.iter().map(|path| holds_at(facts, id, path, &predicate.test));
    let mut all =
        std::iter::once(first).chain(others).zip(shown).filter(|(_, shown)| *shown).map(|(checked, _)| checked);
    let first = all.next().unwrap_or_else(Checked::pass);
    if is_negative(&predicate.test) { all.fold(first, Checked::and) } else { all.fold(first, Checked::or) }
}

/// Does a path among others have a say? A column of kubectl and a field of the API tell one thing in two forms: what
/// only the other form has says nothing where the object was seen in one.
fn of_its_form<'p>(facts: &Facts, id: ObjectId, path: &Path, mut all: impl Iterator<Item = &'p Path>) -> bool {
    let is_shown = |path: &Path| !matches!(facts.lookup(id, path), Lookup::Unknown(Unknown::NotShown { .. }));
    is_shown(path) || !all.any(|other| only_printed(other) != only_printed(path) && is_shown(other))
}

/// Does a positive test pass on a text?
pub(crate) fn fits(test: &Test, text: &str) -> Truth {
    positive(test, &Value::Str(text.into()))
}

/// The texts at some paths of an object, where all that a test of them would read is known and is text; nothing where it
/// is not. A positive test that nothing and no empty text passes fails on an object none of whose texts passes it.
pub(crate) fn texts_at<'f>(facts: &'f Facts, id: ObjectId, paths: &[&Path]) -> Option<Vec<&'f str>> {
    let (mut texts, mut is_read) = (Vec::new(), false);
    for path in paths {
        if paths.len() > 1 && !of_its_form(facts, id, path, paths.iter().copied()) {
            continue;
        }
        is_read = true;
        if facts.basis_of(id, path).is_some() {
            return None;
        }
        match sort_out(&facts.lookup(id, path)) {
            Values::NotSet(_) | Values::NotSetOrEmpty(_) => {}
            Values::Hidden(..) => return None,
            Values::Set(nodes, _) => {
                for node in nodes {
                    match &node.value {
                        Value::Str(text) | Value::Text(text) if masked_text::masked(text).is_none() => {
                            texts.push(&**text)
                        }
                        _ => return None,
                    }
                }
            }
        }
    }
    is_read.then_some(texts)
}

/// The path that is tested first; nothing where it and those that are tested instead are surely not set.
fn stated<'p>(facts: &Facts, id: ObjectId, predicate: &'p Predicate) -> Option<&'p Path> {
    let mut paths = std::iter::once(&predicate.path).chain(&predicate.else_paths);
    let is_set = |path: &&Path| !matches!(facts.lookup(id, path), Lookup::NotSet(_));
    if predicate.else_paths.is_empty() { paths.next() } else { paths.find(is_set) }
}

/// Does a predicate hold for an object that compares it with the value of a variable?
pub(crate) fn holds_against<'f>(facts: &'f Facts, id: ObjectId, predicate: &Predicate, other: &Bound) -> Checked<'f> {
    let Test::Against(how, _) = &predicate.test else { return holds(facts, id, predicate) };
    let first = stated(facts, id, predicate).unwrap_or(&predicate.path);
    let paths = std::iter::once(first).chain(&predicate.or_paths);
    let all = paths.map(|path| compared::check(facts, id, path, *how, other));
    all.reduce(Checked::or).unwrap_or_else(Checked::pass)
}

/// Does a test hold at one path of an object?
fn holds_at<'f>(facts: &'f Facts, id: ObjectId, path: &Path, test: &Test) -> Checked<'f> {
    let object = facts.object(id);
    let lookup = facts.lookup(id, path);
    let mut checked = match test {
        Test::ComparePath(ordering, other) => compare_paths(&lookup, *ordering, &facts.lookup(id, other)),
        Test::Against(how, Other::Path(other)) => {
            compared::check(facts, id, path, *how, &binding::at_path(facts, id, other))
        }
        Test::Age(test) if item_without_it(facts, id, path, &lookup) => age::not_stated(*test),
        Test::Age(test) => age::check(*test, path, &lookup, age::window(facts, object.context)),
        test => check(test, path, &lookup),
    };
    if checked.truth == Truth::True {
        quote_what_it_says(test, &lookup, &mut checked.citations);
    }
    checked.citations.extend(facts.rests_on(id, path).iter().map(Spot::from));
    match facts.basis_of(id, path) {
        Some(Basis::Disputed) => {
            checked.truth = Truth::Unknown;
            checked.gap = Some(Gap::new(Why::InDispute(PathOf::of(facts, id, path))));
        }
        Some(Basis::Lines) => checked.rests.lines = true,
        Some(basis) if basis.is_listed() && says_none(&lookup) => checked.rests.weakest = basis,
        _ => {}
    }
    // A number of what a list shows says that there are no more.
    if let Test::ComparePath(_, other) = test
        && let Some(basis) = facts.basis_of(id, other).filter(|basis| basis.is_listed())
    {
        checked.rests.weakest = checked.rests.weakest.min(basis);
    }
    if let Test::ComparePath(_, other) | Test::Against(_, Other::Path(other)) = test {
        checked.citations.extend(facts.rests_on(id, other).iter().map(Spot::from));
    }
    if let Some(gap) = &mut checked.gap {
        // What a derived object says of itself needs no more words.
        let explains = |record: &ObjectRecord| record.node.at(&["status", "whyUnknown"]).is_some();
        let own = object.sightings.iter().any(|sighting| explains(&sighting.record));
        if !own && !gap.why.names(path) {
            let why = Box::new(gap.why.clone());
            gap.why = Why::OfPath { path: PathOf::of(facts, id, path), name: object.name.clone(), why };
        }
        gap.wants = Some((object.context, object.kind.clone()));
    }
    checked
}

/// Of a text of several lines, quotes the line that a test is about: its first line may say nothing of it.
fn quote_what_it_says(test: &Test, lookup: &Lookup<'_>, spots: &mut [Spot<'_>]) {
    let Lookup::Found(values) = lookup else { return };
    for ((node, _), spot) in values.iter().zip(spots) {
        let (Value::Str(text) | Value::Text(text)) = &node.value else { continue };
        let says = |line: &&str| match test {
            Test::Matches(regex) => regex.is_match(line) == Some(true),
            Test::Contains(wanted) => line.contains(wanted.as_str()),
            _ => false,
        };
        let mut lines = text.lines();
        if lines.next().is_some_and(|first| says(&first)) {
            continue;
        }
        if let Some(line) = lines.find(says) {
            let mut citation = spot.cite();
            let key = citation.path.rsplit('.').next().unwrap_or_default();
            citation.excerpt = Outside::from(format!("{key}: … {}", line.trim())).shortened(400);
            *spot = Spot::from(citation);
        }
    }
}

/// Does a derived field say that there is nothing: not set, zero, false, empty?
fn says_none(lookup: &Lookup<'_>) -> bool {
    match lookup {
        Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_) => true,
        Lookup::Found(values) => values.iter().all(|(node, _)| match &node.value {
            Value::Bool(set) => !set,
            Value::Range(least, _) => *least == 0,
            value => value.is_empty() || value.number() == Some(0.0),
        }),
        Lookup::AtLeast(_) | Lookup::Redacted(_) | Lookup::Unknown(_) => false,
    }
}

/// Does a path pick items of a list that are there and do not have its last field?
fn item_without_it(facts: &Facts, id: ObjectId, path: &Path, lookup: &Lookup<'_>) -> bool {
    let Some((_, item)) = path.0.split_last() else { return false };
    matches!(lookup, Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_))
        && item.iter().any(Step::selects)
        && matches!(facts.lookup(id, &Path(item.to_vec())), Lookup::Found(_))
}

/// A lookup whose found values are sorted out: what kubectl prints for nothing, and what is masked.
pub(crate) enum Values<'a> {
    Set(Vec<&'a Node>, Vec<Spot<'a>>),
    NotSet(Vec<Spot<'a>>),
    NotSetOrEmpty(Vec<Spot<'a>>),
    /// Not to be known; the flag says that it is surely set.
    Hidden(Box<Gap>, Vec<Spot<'a>>, bool),
}

/// Sorts out what a look-up found.
pub(crate) fn sort_out<'a>(lookup: &Lookup<'a>) -> Values<'a> {
    match lookup {
        Lookup::NotSet(citation) => Values::NotSet(vec![citation.clone()]),
        Lookup::NotSetOrEmpty(citation) => Values::NotSetOrEmpty(vec![citation.clone()]),
        Lookup::Redacted(citation) => {
            Values::Hidden(Box::new(Gap::new(Why::Masked(None))), vec![citation.clone()], true)
        }
        Lookup::Unknown(unknown) => Values::Hidden(Box::new(Gap::new(Why::LookUp(unknown.clone()))), Vec::new(), false),
        Lookup::AtLeast(_) => Values::Hidden(Box::new(Gap::new(Why::SomeItems(None))), Vec::new(), true),
        Lookup::Found(values) => {
            let citations: Vec<Spot<'a>> = values.iter().map(|(_, spot)| spot.clone()).collect();
            let nodes: Vec<&Node> =
                values.iter().map(|(node, _)| *node).filter(|n| !matches!(n.value, Value::Null)).collect();
            if nodes.is_empty() {
                return Values::NotSet(citations);
            }
            if nodes.iter().any(|n| n.value.is_redacted()) {
                return Values::Hidden(Box::new(Gap::new(Why::Masked(None))), citations, true);
            }
            if nodes.iter().all(|n| matches!(&n.value, Value::Text(t) if t.is_empty() || &**t == "<none>")) {
                return Values::NotSetOrEmpty(citations);
            }
            Values::Set(nodes, citations)
        }
    }
}

/// Tests what a lookup found. [`Test::ComparePath`] and [`Test::Against`] need
/// two lookups and [`Test::Age`] a clock: unknown here.
pub fn check<'f>(test: &Test, path: &Path, lookup: &Lookup<'f>) -> Checked<'f> {
    if let Lookup::AtLeast(values) = lookup {
        return check_some(test, values);
    }
    match sort_out(lookup) {
        Values::NotSet(citations) => Checked::known(matches!(test, Test::IsSet(false)), citations),
        Values::NotSetOrEmpty(citations) => match passes_empty(test) {
            Truth::Unknown => Checked::unknown(Gap::new(Why::NotSetOrEmpty), citations),
            truth => Checked { truth, ..Checked::known(false, citations) },
        },
        Values::Hidden(gap, citations, surely_set) => match test {
            Test::IsSet(wanted) if surely_set => Checked::known(*wanted, citations),
            _ => Checked::unknown(*gap, citations),
        },
        Values::Set(nodes, citations) => {
            let some_item = path.0.iter().any(|step| matches!(step, Step::All));
            let truths = nodes.iter().map(|node| positive(test, &node.value));
            let truth = if some_item { Truth::any(truths) } else { Truth::agreed(truths) };
            let truth = if is_negative(test) { truth.negate() } else { truth };
            if truth != Truth::Unknown {
                return Checked { truth, ..Checked::known(false, citations) };
            }
            let values: Vec<String> = nodes.iter().take(3).map(|n| format!("`{n}`")).collect();
            let is_range = nodes.iter().any(|n| matches!(n.value, Value::Range(..)));
            Checked::unknown(Gap::new(Why::Reads(values, is_range)), citations)
        }
    }
}

/// Tests the values of some items of a list that is not shown whole: one that passes is enough, and none
/// that passes says nothing.
fn check_some<'f>(test: &Test, values: &[(&Node, Spot<'f>)]) -> Checked<'f> {
    let passing = values.iter().filter(|(node, _)| positive(test, &node.value) == Truth::True);
    let citations: Vec<Spot<'f>> = passing.map(|(_, spot)| spot.clone()).collect();
    if citations.is_empty() {
        return Checked::unknown(Gap::new(Why::SomeItems(None)), Vec::new());
    }
    Checked::known(!is_negative(test), citations)
}

/// The answer for a value that is either not set or empty.
fn passes_empty(test: &Test) -> Truth {
    let if_empty = |passes: bool| if passes { Truth::Unknown } else { Truth::False };
    let empty = |v: &Value| matches!(v, Value::Str(s) | Value::Text(s) if s.is_empty());
    match test {
        Test::IsSet(_) => Truth::Unknown,
        Test::Equals(value) => if_empty(empty(value)),
        Test::In(values) => if_empty(values.iter().any(empty)),
        Test::NotEquals(value) => if_empty(!empty(value)),
        Test::NotIn(values) => if_empty(!values.iter().any(empty)),
        Test::StartsWith(text) | Test::EndsWith(text) | Test::Contains(text) => if_empty(text.is_empty()),
        Test::Matches(regex) => regex.is_match("").map_or(Truth::Unknown, if_empty),
        Test::Says(..) => Truth::False,
        Test::Compare(..) | Test::ComparePath(..) | Test::Age(_) | Test::Against(..) => Truth::False,
    }
}

fn is_negative(test: &Test) -> bool {
    matches!(test, Test::NotEquals(_) | Test::NotIn(_) | Test::IsSet(false) | Test::Age(AgeTest::Known(false)))
}

/// The test of one value that is set; of a negative test, the test that it negates.
fn positive(test: &Test, value: &Value) -> Truth {
    match test {
        Test::IsSet(_) => Truth::True,
        Test::Equals(wanted) | Test::NotEquals(wanted) => equal(value, wanted),
        Test::In(wanted) | Test::NotIn(wanted) => Truth::any(wanted.iter().map(|w| equal(value, w))),
        Test::StartsWith(wanted) => text(value, |t| match masked_text::masked(t) {
            Some(masked) => Truth::of(masked.starts_with(wanted)),
            None => Truth::known(t.starts_with(wanted.as_str())),
        }),
        Test::EndsWith(wanted) => text(value, |t| match masked_text::masked(t) {
            Some(masked) => Truth::of(masked.ends_with(wanted)),
            None => Truth::known(t.ends_with(wanted.as_str())),
        }),
        Test::Matches(regex) => {
            let fits = |t: &str| regex.is_match(t).unwrap_or(true);
            text(value, |t| regex.is_match(t).map_or(Truth::Unknown, |matches| readable(t, matches, fits)))
        }
        Test::Says(group, class) => {
            let says = |t: &str| {
                let read = wordings::group(group).map(|group| group.read(t)).unwrap_or_default();
                read.iter().any(|wording| class.as_ref().is_none_or(|class| wording.class == *class))
            };
            text(value, |t| readable(t, says(t), says))
        }
        Test::Contains(wanted) => match value {
            Value::List(items) => Truth::any(items.iter().map(|item| match &item.value {
                Value::Redacted(_) => Truth::Unknown,
                other => text(other, |t| readable(t, t == wanted, |_| true)),
            })),
            Value::Map(entries) => Truth::known(entries.iter().any(|(key, _)| **key == **wanted)),
            _ => text(value, |t| readable(t, t.contains(wanted.as_str()), |t| t.contains(wanted.as_str()))),
        },
        Test::Compare(ordering, limit) => match bounds(value) {
            Some(bounds) => compare(bounds, *ordering, (*limit, *limit)),
            None => Truth::Unknown,
        },
        Test::ComparePath(..) | Test::Age(_) | Test::Against(..) => Truth::Unknown,
    }
}

/// Equality of two scalars; a range equals a number if it is that number alone, and may equal one inside.
fn equal(value: &Value, wanted: &Value) -> Truth {
    match (value, wanted.number()) {
        (Value::Range(..), Some(number)) => match bounds(value) {
            Some((lo, hi)) if lo == hi => Truth::known(lo == number),
            Some((lo, hi)) if number < lo || number > hi => Truth::False,
            _ => Truth::Unknown,
        },
        (Value::Range(..), None) => Truth::False,
        (Value::Str(text) | Value::Text(text), _) if masked_text::masked(text).is_some() => {
            let may_be = wanted.scalar().is_some_and(|wanted| masked_text::may_be_one(text, &wanted));
            if may_be { Truth::Unknown } else { Truth::False }
        }
        _ => Truth::known(value.same_as(wanted)),
    }
}

/// A test of text; false for what has none.
fn text(value: &Value, test: impl Fn(&str) -> Truth) -> Truth {
    if matches!(value, Value::Range(..)) {
        return Truth::Unknown;
    }
    value.scalar().map_or(Truth::False, |t| test(&t))
}

/// What was found in a text is there; what was not found may stand behind a mask, if the text fits with some value there.
fn readable(text: &str, found: bool, fits: impl Fn(&str) -> bool) -> Truth {
    if !found && masked_text::may_fit(text, fits) { Truth::Unknown } else { Truth::known(found) }
}

/// Compares the numbers at two paths of one object, which may each have several possible values.
fn compare_paths<'f>(left: &Lookup<'f>, ordering: Ordering, right: &Lookup<'f>) -> Checked<'f> {
    let (left, mut citations) = match sort_out(left) {
        Values::Set(nodes, citations) => (nodes, citations),
        other => return without_value(other),
    };
    let (right, more) = match sort_out(right) {
        Values::Set(nodes, citations) => (nodes, citations),
        other => return without_value(other),
    };
    citations.extend(more);
    let truth = Truth::agreed(left.iter().flat_map(|l| {
        right.iter().map(move |r| match (bounds(&l.value), bounds(&r.value)) {
            (Some(l), Some(r)) => compare(l, ordering, r),
            _ => Truth::Unknown,
        })
    }));
    if truth != Truth::Unknown {
        return Checked { truth, ..Checked::known(false, citations) };
    }
    let show = |nodes: &[&Node]| nodes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
    Checked::unknown(Gap::new(Why::NotCompared(show(&left), show(&right))), citations)
}

/// A side without a value never compares; a hidden one may.
fn without_value(values: Values<'_>) -> Checked<'_> {
    match values {
        Values::NotSet(citations) | Values::NotSetOrEmpty(citations) => Checked::known(false, citations),
        Values::Hidden(gap, citations, _) => Checked::unknown(*gap, citations),
        Values::Set(..) => Checked::pass(),
    }
}

/// Compares two intervals: known where all their numbers agree.
fn compare((a_lo, a_hi): (f64, f64), ordering: Ordering, (b_lo, b_hi): (f64, f64)) -> Truth {
    let (always, sometimes) = match ordering {
        Ordering::Less => (a_hi < b_lo, a_lo < b_hi),
        Ordering::LessOrEqual => (a_hi <= b_lo, a_lo <= b_hi),
        Ordering::Greater => (a_lo > b_hi, a_hi > b_lo),
        Ordering::GreaterOrEqual => (a_lo >= b_hi, a_hi >= b_lo),
    };
    if always {
        Truth::True
    } else if sometimes {
        Truth::Unknown
    } else {
        Truth::False
    }
}

/// A value as an interval of numbers: a number, a range, a count in text, or a duration in seconds.
fn bounds(value: &Value) -> Option<(f64, f64)> {
    match value {
        Value::Range(lo, hi) => Some((*lo as f64, hi.map_or(f64::INFINITY, |hi| hi as f64))),
        Value::Str(text) | Value::Text(text) => {
            let number = text.trim().parse().ok().filter(|n: &f64| n.is_finite()).or_else(|| seconds(text.trim()))?;
            Some((number, number))
        }
        other => other.number().map(|n| (n, n)),
    }
}

/// Seconds of a duration as Go and kubectl print it: `1h2m3.5s`, `10m`, `5d3h`, `2y45d`, `250ms`.
/// Source: `apimachinery/pkg/util/duration/duration.go` (`HumanDuration`) and Go's `time.Duration.String`.
pub fn seconds(text: &str) -> Option<f64> {
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    let mut total = 0.0;
    let mut parts = 0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest.get(..digits)?.parse().ok()?;
        rest = rest.get(digits..)?;
        let unit_end = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        total += number
            * match rest.get(..unit_end)? {
                "ns" => 1e-9,
                "us" | "µs" | "μs" => 1e-6,
                "ms" => 1e-3,
                "s" => 1.0,
                "m" => 60.0,
                "h" => 3_600.0,
                "d" => 86_400.0,
                "w" => 604_800.0,
                "y" => 31_536_000.0,
                _ => return None,
            };
        rest = rest.get(unit_end..)?;
        parts += 1;
    }
    (parts > 0).then_some(sign * total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use facts::origin::{Citation, MemberId};

    fn cite() -> Spot<'static> {
        Spot::from(Citation::line(MemberId(0), 1, "x"))
    }

    fn field(names: &[&str]) -> Path {
        Path(names.iter().map(|n| Step::Field((*n).to_owned())).collect())
    }

    fn on(test: &Test, values: &[Value]) -> Truth {
        let nodes: Vec<Node> = values.iter().map(|v| Node::new(1, v.clone())).collect();
        check(test, &field(&["a"]), &Lookup::Found(nodes.iter().map(|n| (n, cite())).collect())).truth
    }

    fn any_item(test: &Test, values: &[Value]) -> Truth {
        let nodes: Vec<Node> = values.iter().map(|v| Node::new(1, v.clone())).collect();
        let path = Path(vec![Step::Field("a".into()), Step::All]);
        check(test, &path, &Lookup::Found(nodes.iter().map(|n| (n, cite())).collect())).truth
    }

    fn text(t: &str) -> Value {
        Value::Text(t.into())
    }

    fn string(t: &str) -> Value {
        Value::Str(t.into())
    }

    #[test]
    fn not_set_equals_nothing_and_differs_from_nothing() {
        let not_set = Lookup::NotSet(cite());
        let says = |test: Test| check(&test, &field(&["a"]), &not_set).truth;
        assert_eq!(says(Test::Equals(string("x"))), Truth::False);
        assert_eq!(says(Test::NotEquals(string("x"))), Truth::False);
        assert_eq!(says(Test::NotIn(vec![string("x")])), Truth::False);
        assert_eq!(says(Test::IsSet(true)), Truth::False);
        assert_eq!(says(Test::IsSet(false)), Truth::True);
        assert_eq!(says(Test::Compare(Ordering::Less, 3.0)), Truth::False);
    }

    #[test]
    fn of_several_lines_the_one_that_says_it_is_quoted() {
        let node = Node::new(7, string("* Machine cp-0:\n  * EtcdMemberHealthy: no leader\n* Machine cp-1: fine"));
        let whole = Citation::line(MemberId(0), 7, "message: * Machine cp-0:").with_path("status.message".to_owned());
        let lookup = Lookup::Found(vec![(&node, Spot::from(&whole))]);
        let quoted = |test: Test| {
            let mut spots = vec![Spot::from(&whole), cite()];
            quote_what_it_says(&test, &lookup, &mut spots);
            assert_eq!(spots[1], cite());
            spots[0].cite().excerpt.to_string()
        };
        assert_eq!(quoted(Test::Contains("no leader".into())), "message: … * EtcdMemberHealthy: no leader");
        assert_eq!(quoted(Test::Contains("Machine cp".into())), "message: * Machine cp-0:", "its first line says it");
        assert_eq!(quoted(Test::IsSet(true)), "message: * Machine cp-0:");
    }

    #[test]
    fn an_empty_cell_equals_no_text_and_does_not_tell_whether_it_is_set() {
        let empty = Lookup::NotSetOrEmpty(cite());
        let says = |test: Test| check(&test, &field(&["a"]), &empty).truth;
        assert_eq!(says(Test::Equals(string("x"))), Truth::False);
        assert_eq!(says(Test::NotEquals(string("x"))), Truth::Unknown);
        assert_eq!(says(Test::IsSet(true)), Truth::Unknown);
        assert_eq!(says(Test::IsSet(false)), Truth::Unknown);
        assert_eq!(says(Test::Contains("x".into())), Truth::False);
        assert_eq!(on(&Test::IsSet(true), &[text("<none>")]), Truth::Unknown);
    }

    #[test]
    fn a_masked_value_is_set_and_equal_to_nothing_known() {
        let masked = Lookup::Redacted(cite());
        let says = |test: Test| check(&test, &field(&["a"]), &masked).truth;
        assert_eq!(says(Test::IsSet(true)), Truth::True);
        assert_eq!(says(Test::IsSet(false)), Truth::False);
        assert_eq!(says(Test::Equals(string("x"))), Truth::Unknown);
        assert_eq!(says(Test::NotEquals(string("x"))), Truth::Unknown);
        assert_eq!(on(&Test::IsSet(true), &[string("")]), Truth::True, "a label with an empty value is set");
    }

    #[test]
    fn possible_values_that_disagree_are_unknown_and_items_are_asked_one_by_one() {
        let crash = Test::Equals(string("CrashLoopBackOff"));
        assert_eq!(on(&crash, &[string("CrashLoopBackOff"), string("Error")]), Truth::Unknown);
        assert_eq!(on(&crash, &[string("Completed"), string("Error")]), Truth::False);
        assert_eq!(any_item(&crash, &[string("CrashLoopBackOff"), string("Error")]), Truth::True);
        let other = Test::NotEquals(string("CrashLoopBackOff"));
        assert_eq!(any_item(&other, &[string("CrashLoopBackOff"), string("Error")]), Truth::False);
    }

    #[test]
    fn text_of_a_table_compares_by_what_it_says_and_typed_values_by_type() {
        assert_eq!(on(&Test::Equals(Value::Bool(true)), &[text("True")]), Truth::True);
        assert_eq!(on(&Test::Equals(Value::Bool(true)), &[string("true")]), Truth::False);
        assert_eq!(on(&Test::Compare(Ordering::GreaterOrEqual, 3.0), &[text("3")]), Truth::True);
        assert_eq!(on(&Test::Compare(Ordering::Less, 600.0), &[text("9m59s")]), Truth::True);
        assert_eq!(on(&Test::Compare(Ordering::Less, 600.0), &[string("soon")]), Truth::Unknown);
        let list = Value::List(vec![Node::str(1, "a"), Node::str(1, "bc")]);
        assert_eq!(on(&Test::Contains("a".into()), std::slice::from_ref(&list)), Truth::True);
        assert_eq!(on(&Test::Contains("b".into()), &[list]), Truth::False);
    }

    #[test]
    fn ranges_compare_where_all_their_numbers_agree() {
        let at_least_one = Test::Compare(Ordering::GreaterOrEqual, 1.0);
        assert_eq!(on(&at_least_one, &[Value::Range(1, None)]), Truth::True);
        assert_eq!(on(&at_least_one, &[Value::Range(0, Some(3))]), Truth::Unknown);
        assert_eq!(on(&at_least_one, &[Value::Range(0, Some(0))]), Truth::False);
        assert_eq!(on(&Test::Equals(Value::Int(2)), &[Value::Range(2, Some(2))]), Truth::True);
        assert_eq!(on(&Test::Equals(Value::Int(4)), &[Value::Range(2, Some(3))]), Truth::False);
        let node = |v| Node::new(1, v);
        let (serving, majority) = (node(Value::Range(0, Some(1))), node(Value::Int(2)));
        let found = |n| Lookup::Found(vec![(n, cite())]);
        assert_eq!(compare_paths(&found(&serving), Ordering::Less, &found(&majority)).truth, Truth::True);
        let serving = node(Value::Range(0, Some(2)));
        assert_eq!(compare_paths(&found(&serving), Ordering::Less, &found(&majority)).truth, Truth::Unknown);
        let none = Lookup::NotSet(cite());
        assert_eq!(compare_paths(&none, Ordering::Less, &found(&majority)).truth, Truth::False);
    }

    #[test]
    fn durations_read_as_go_and_kubectl_print_them() {
        assert_eq!(seconds("1h2m3.5s"), Some(3723.5));
        assert_eq!(seconds("5d3h"), Some(442_800.0));
        assert_eq!(seconds("250ms"), Some(0.25));
        assert_eq!(seconds("10"), None);
        assert_eq!(seconds(""), None);
        assert_eq!(seconds("10 minutes"), None);
    }
}
