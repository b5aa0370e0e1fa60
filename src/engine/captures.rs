//! Captures give rows: the distinct tuples of captured values that later evidence runs over.
//!
//! Invariants: rows are sorted and distinct; a text that is there and matches no known wording is
//! *unknown*, so whoever counts it must not call it absent; the number of rows is bounded, and past the
//! bound every answer over them is unknown.

use crate::binding::{self, Bound, Row};
use crate::gap::{Gap, PathOf, Why};
use catalogue::wordings;
use facts::in_short::in_short;
use facts::masked_text;
use facts::object::ObjectId;
use facts::store::Facts;
use signature::model::{Capture, Variant};
use std::collections::BTreeSet;

/// Most rows that one piece of evidence keeps.
pub const MAX_ROWS: usize = 1_000;

/// The rows that a piece of evidence yields.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rows {
    /// The tuples.
    pub rows: BTreeSet<Row>,
    /// There may be more, because candidates may match or the scope was not looked at whole.
    pub more: bool,
    /// The same, where only a stated answer counts as looked at whole.
    pub more_strictly: bool,
    /// More than [`MAX_ROWS`] were found.
    pub cut: bool,
}

impl Rows {
    /// Adds rows, up to the bound.
    pub fn extend(&mut self, rows: impl IntoIterator<Item = Row>) {
        for row in rows {
            if self.rows.len() >= MAX_ROWS && !self.rows.contains(&row) {
                self.cut = true;
                self.more = true;
                self.more_strictly = true;
                return;
            }
            self.rows.insert(row);
        }
    }

    /// Puts two sets of rows together: every pair that agrees on the names that both have.
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        let mut joined = Self {
            rows: BTreeSet::new(),
            more: self.more || other.more,
            more_strictly: self.more_strictly || other.more_strictly,
            cut: self.cut || other.cut,
        };
        for left in &self.rows {
            let agreeing =
                other.rows.iter().filter(|right| right.iter().all(|(k, v)| left.get(k).is_none_or(|l| l == v)));
            joined.extend(agreeing.map(|right| {
                let mut row = left.clone();
                row.extend(right.iter().map(|(k, v)| (k.clone(), v.clone())));
                row
            }));
        }
        joined
    }

    /// The rows cut down to some names.
    #[must_use]
    pub fn projected(&self, names: &BTreeSet<String>) -> Self {
        let cut_down =
            |row: &Row| row.iter().filter(|(k, _)| names.contains(*k)).map(|(k, v)| (k.clone(), v.clone())).collect();
        Self { rows: self.rows.iter().map(cut_down).collect(), ..*self }
    }
}

/// What captures find in one object or line.
#[derive(Debug, Clone, PartialEq)]
pub enum Captured {
    /// Every tuple; one empty tuple if there is nothing to capture. The flag says that there may be more, since a list is not
    /// shown whole.
    Tuples(Vec<Row>, bool),
    /// There is no text to capture from.
    NoText,
    /// There is, but it cannot be read.
    Unknown(Gap),
}

/// Reads the captures of one object.
pub(crate) fn of_object(facts: &Facts, id: ObjectId, captures: &[Capture]) -> Captured {
    let mut tuples = vec![Row::new()];
    let (mut unknown, mut in_part) = (None, false);
    for capture in captures {
        let Some(path) = &capture.path else { continue };
        let (mut texts, mut hidden, mut open) = (BTreeSet::new(), None, false);
        for path in std::iter::once(path).chain(&capture.or_paths) {
            match binding::read_at(facts, id, path) {
                Bound::Values(more) | Bound::OneOf(more) => texts.extend(more),
                Bound::NotSet => {}
                Bound::Unknown(gap) => {
                    let part = binding::in_part(facts, id, path);
                    open |= !part.is_empty();
                    texts.extend(part);
                    hidden = hidden.or(Some(gap));
                }
            }
        }
        let not_all = hidden.clone().filter(|_| open);
        if texts.is_empty() {
            match (hidden, &capture.default) {
                (None, None) => return Captured::NoText,
                (None, Some(default)) => drop(texts.insert(default.clone())),
                (Some(gap), _) => {
                    unknown = unknown.or(Some(gap));
                    continue;
                }
            }
        }
        let rows = of_texts(texts.iter().map(String::as_str), capture);
        if rows.is_empty() {
            let at = PathOf::of(facts, id, path);
            let is_masked = texts.iter().any(|text| masked_text::masked(text).is_some());
            let why = if is_masked { Why::Masked(Some(at)) } else { Why::NoWording(at, facts.object(id).name.clone()) };
            unknown = unknown.or(not_all).or(Some(Gap::new(why)));
            continue;
        }
        // What differs in what is hidden alone is one row.
        let is_hidden = |row: &Row| row.values().any(|text| masked_text::masked(text).is_some());
        in_part |= open || rows.iter().any(is_hidden);
        tuples = product(&tuples, &rows);
    }
    unknown.map_or(Captured::Tuples(tuples, in_part), Captured::Unknown)
}

/// Reads the captures of one line; `None` if one of them does not match: the line does not count.
pub(crate) fn of_line(text: &str, captures: &[Capture]) -> Option<Vec<Row>> {
    let mut tuples = vec![Row::new()];
    for capture in captures {
        let rows = of_texts([text], capture);
        if rows.is_empty() {
            return None;
        }
        tuples = product(&tuples, &rows);
    }
    Some(tuples)
}

/// Every match of every wording in every text, sorted and distinct.
fn of_texts<'a>(texts: impl IntoIterator<Item = &'a str>, capture: &Capture) -> Vec<Row> {
    let mut rows = BTreeSet::new();
    for text in texts {
        if let Some(group) = &capture.wording {
            let read = wordings::group(group).map(|group| group.read(text)).unwrap_or_default();
            let means = read.into_iter().flat_map(|wording| Some((capture.name.clone()?, wording.means.clone())));
            rows.extend(means.map(|pair| Row::from([pair])));
            continue;
        }
        if capture.variants.is_empty() {
            let name = capture.name.iter().cloned();
            let taken = || if capture.in_short { in_short(text) } else { text.to_owned() };
            rows.insert(name.map(|name| (name, taken())).collect());
        }
        for variant in &capture.variants {
            rows.extend(of_variant(text, variant));
        }
    }
    rows.into_iter().take(MAX_ROWS).collect()
}

fn of_variant<'a>(text: &'a str, variant: &'a Variant) -> impl Iterator<Item = Row> + 'a {
    variant.regex.matches(text).map(|groups| {
        let names = variant.regex.names().iter();
        let found = names.filter_map(|name| Some((name.clone(), groups.name(name)?.as_str().to_owned())));
        found.chain(variant.mark.iter().map(|mark| (mark.clone(), String::new()))).collect()
    })
}

/// Every pair of rows as one.
pub(crate) fn product(left: &[Row], right: &[Row]) -> Vec<Row> {
    let pairs = left.iter().flat_map(|l| {
        right.iter().map(move |r| {
            let mut row = l.clone();
            row.extend(r.iter().map(|(k, v)| (k.clone(), v.clone())));
            row
        })
    });
    pairs.take(MAX_ROWS + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use facts::lazy_regex::LazyRegex;

    fn row(pairs: &[(&str, &str)]) -> Row {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    fn rows(all: &[Row]) -> Rows {
        Rows { rows: all.iter().cloned().collect(), ..Rows::default() }
    }

    fn capture(regexes: &[&str]) -> Capture {
        let variant = |r: &&str| Variant { since: None, until: None, regex: LazyRegex::parse(r).unwrap(), mark: None };
        Capture {
            path: None,
            or_paths: Vec::new(),
            name: None,
            variants: regexes.iter().map(variant).collect(),
            wording: None,
            in_short: false,
            default: None,
        }
    }

    #[test]
    fn all_matches_of_all_wordings_are_kept() {
        let both = capture(&["run (?P<run>[a-z]+)", "winner: (?P<run>[a-z]+)"]);
        let found = of_line("run b, run a, winner: c", std::slice::from_ref(&both)).unwrap();
        assert_eq!(found, [row(&[("run", "a")]), row(&[("run", "b")]), row(&[("run", "c")])]);
        assert_eq!(of_line("nothing of the kind", &[both]), None);
    }

    #[test]
    fn rows_join_on_the_names_they_share() {
        let left = rows(&[row(&[("m", "1"), ("s", "x")]), row(&[("m", "2"), ("s", "y")])]);
        let right = rows(&[row(&[("m", "1"), ("w", "p")]), row(&[("m", "3"), ("w", "q")])]);
        assert_eq!(left.joined(&right), rows(&[row(&[("m", "1"), ("s", "x"), ("w", "p")])]));
    }

    #[test]
    fn past_the_bound_there_is_more() {
        let mut many = Rows::default();
        many.extend((0..=MAX_ROWS).map(|i| row(&[("i", &i.to_string())])));
        assert_eq!((many.rows.len(), many.cut, many.more), (MAX_ROWS, true, true));
    }
}
