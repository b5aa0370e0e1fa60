//! Holds the tests of a check against the facts of an installation, or of both sides of a pair.
//!
//! Invariant: see [`crate::language`]; what is not shown is judged by no case that does not ask for it.

use crate::checklist::{Check, Checklist, Profile};
use crate::installation::Installation;
use crate::language::{Case, Guard, On, Shape, Test};
use crate::outcome::{Found, Outcome, State, fail, pass, unknown};
use crate::pair::Pair;
use crate::registry::Mechanism;
use crate::select::Part;
use crate::subject::{Read, Subject};
use crate::words::{Target, Words, has};
use std::collections::BTreeSet;

/// What the tests of a check, and its mechanism, find in one installation.
pub(super) fn of_one(check: &Check, here: &Installation<'_>, profile: &Profile, own: Option<Mechanism>) -> Found {
    Run { here, profile, side: "", installed: here.is_installed() }.check(check, own)
}

/// What the tests of a check, and its mechanism, find on both sides of a pair.
pub(super) fn of_pair(check: &Check, pair: &Pair<'_>, profile: &Profile, own: Option<Mechanism>) -> Found {
    let others = &Checklist::built_in().checks;
    let installed = pair.sides().iter().any(|(_, side)| side.is_installed());
    let run = |(side, here)| Run { here, profile, side, installed };
    if let Some(lacking) = run(("standby", &pair.standby)).lacking(check) {
        return lacking;
    }
    let mut found: Found = pair.sides().into_iter().flat_map(|side| run(side).tests(check)).collect();
    for side in pair.sides().into_iter().filter(|_| !check.on_both_sides.is_empty()) {
        for other in check.on_both_sides.iter().filter_map(|id| others.iter().find(|other| other.id == *id)) {
            found.extend(run(side).check(other, None).into_iter().map(|mut outcome| {
                outcome.sentence = format!("{}, on the {}", outcome.sentence, side.0);
                outcome
            }));
        }
    }
    if let Some(Mechanism::Pair(decide)) = own {
        found.extend(decide(pair, profile));
    }
    found
}

/// One installation under one edition.
pub(super) struct Run<'r, 'f> {
    pub here: &'r Installation<'f>,
    pub profile: &'r Profile,
    pub side: &'static str,
    installed: bool,
}

impl<'f> Run<'_, 'f> {
    pub(super) fn applies(&self, guard: &Guard) -> bool {
        let is = |names: &[String]| names.iter().any(|name| self.here.is(name));
        let of_any = |name: &String| self.here.is(name) || self.here.peer().is_some_and(|peer| peer.is(name));
        (guard.provider.is_empty() || is(&guard.provider))
            && (guard.provider_of_any.is_empty() || guard.provider_of_any.iter().any(of_any))
            && !is(&guard.not_provider)
            && guard.revised.is_none_or(|revised| revised == self.profile.revised)
            && guard.installed.is_none_or(|installed| installed == self.installed)
            && guard.of_pair.is_none_or(|of_pair| of_pair == self.here.is_of_pair())
    }

    fn check(&self, check: &Check, own: Option<Mechanism>) -> Found {
        if !self.applies(&check.only) {
            return Vec::new();
        }
        if let Some(lacking) = self.lacking(check) {
            return lacking;
        }
        let mut found = self.tests(check);
        if let Some(Mechanism::One(decide)) = own {
            found.extend(decide(self.here, self.profile));
        }
        if check.one_pass_is_enough
            && let Some(pass) = found.iter().find(|outcome| outcome.state == State::Pass)
        {
            return vec![pass.clone()];
        }
        found
    }

    /// What is said, if anything, where a value keeps the check from being held.
    fn lacking(&self, check: &Check) -> Option<Found> {
        let read = |case: &Case| case.value.as_ref().and_then(|value| value.read(self.here, None)).unwrap_or_default();
        let stops = check.unless.iter().find(|case| case.is.is_some_and(|shape| read(case).is(shape)))?;
        let sentence = stops.unknown.as_ref().map(|sentence| sentence.fill(|_| String::new()));
        Some(sentence.into_iter().map(unknown).collect())
    }

    fn tests(&self, check: &Check) -> Found {
        let mut found = Vec::new();
        let Some(of) = &check.of else {
            for test in &check.tests {
                let (more, is_last) = self.test(test, !found.is_empty());
                found.extend(more);
                if is_last {
                    break;
                }
            }
            return found;
        };
        // All that is said of one object stands together.
        for subject in of.subjects(self.here) {
            let before = found.len();
            for test in check.tests.iter().filter(|test| test.of.is_none()) {
                let (more, is_last) = self.of_subject(test, &subject, found.len() > before);
                found.extend(more);
                if is_last {
                    break;
                }
            }
        }
        let said = !found.is_empty();
        let others = check.tests.iter().filter(|test| test.of.is_some());
        found.extend(others.flat_map(|test| self.test(test, said).0));
        found
    }

    fn values(&self, test: &Test) -> Subject<'f> {
        let values = test.values.iter().map(|own| (own.named.clone(), own.value.value(self.here, None)));
        Subject::Values(values.collect())
    }

    /// What a test says of the objects that it names, and whether that is the last word; `said` is whether a test
    /// before it said something.
    fn test(&self, test: &Test, said: bool) -> (Found, bool) {
        let of_side = match test.on {
            On::Both => true,
            On::Primary => self.side == "primary",
            On::Standby => self.side == "standby",
        };
        if !of_side || !self.applies(&test.only) {
            return (Vec::new(), false);
        }
        let Some(of) = &test.of else {
            let (outcome, is_last) = self.of_one_subject(test, &self.values(test), said);
            return (outcome.into_iter().collect(), is_last);
        };
        let mut subjects = of.subjects(self.here);
        if test.together {
            let objects = subjects.iter().filter_map(|subject| subject.object().copied()).collect();
            let proof = of.0.iter().find_map(|pick| pick.listed(self.here));
            subjects = vec![Subject::Together(objects, proof)];
        }
        if let Some(each) = &test.each {
            subjects = subjects.iter().flat_map(|subject| subject.items(each)).collect();
        }
        let before = subjects.len();
        let mut logs = BTreeSet::new();
        subjects.retain(|subject| match subject {
            Subject::Line(line) => {
                let clock = self.here.clock_of_logs();
                test.logged_by.as_ref().is_none_or(|name| line.is_of(name))
                    && test.lately.is_none_or(|lately| line.age(clock).is_none_or(|age| age < lately))
                    && (!test.once_per_log || logs.insert(line.stream.name.as_str()))
            }
            other => test.having.iter().all(|having| has(self, test, other, None, having)),
        });
        // That none of those that were seen has it is proven by a list that holds them all.
        if subjects.is_empty() && before > 0 && test.each.is_none() {
            let listed = of.0.iter().map(|pick| pick.listed(self.here));
            subjects = listed.map(|listed| listed.map_or(Subject::NotCollected, Subject::Missing)).collect();
        }
        let skipped = if test.latest { subjects.len().saturating_sub(1) } else { 0 };
        let mut found = Vec::new();
        let mut is_last = false;
        for subject in subjects.iter().skip(skipped).take(test.most.unwrap_or(usize::MAX)) {
            let (outcome, last) = self.of_one_subject(test, subject, said);
            found.extend(outcome);
            is_last |= last;
        }
        (found, is_last)
    }

    /// What a test says of one of the objects of the check.
    fn of_subject(&self, test: &Test, subject: &Subject<'f>, said: bool) -> (Found, bool) {
        let Some(each) = &test.each else {
            let (outcome, is_last) = self.of_one_subject(test, subject, said);
            return (outcome.into_iter().collect(), is_last);
        };
        let (outcomes, is_last): (Vec<Option<Outcome>>, Vec<bool>) =
            subject.items(each).iter().map(|item| self.of_one_subject(test, item, said)).unzip();
        (outcomes.into_iter().flatten().collect(), is_last.contains(&true))
    }

    /// What a test says of one subject, if anything, and whether that is the last word on it.
    fn of_one_subject(&self, test: &Test, subject: &Subject<'f>, said: bool) -> (Option<Outcome>, bool) {
        let is_there = !matches!(subject, Subject::Missing(_) | Subject::NotCollected);
        let is_other = || is_there && !test.having.iter().all(|having| has(self, test, subject, None, having));
        if !self.applies(&test.only) || test.otherwise && said || is_other() {
            return (None, false);
        }
        let mut read = Read::of(subject, test.path.as_ref());
        if let Some(find) = &test.find {
            read.part = Some(read.text.as_ref().and_then(|text| find.found_in(text)));
        }
        let target = test.leads_to.as_ref().and_then(|kind| Target::of(self.here, test, kind, subject, &read));
        if test.leads_to.is_some() && target.is_none() {
            return (None, false);
        }
        let stated = test.with.as_ref().and_then(|with| with.read(self.here, Some(subject)));
        let words = Words { run: self, test, subject, read: &read, stated, target };
        let case = test.cases.iter().find(|case| self.applies(&case.only) && words.holds(case));
        match (case, &test.must_be) {
            (Some(case), _) if case.asks_for_all() && words.is_cut() => (
                Some(unknown(format!("{} of {} is not shown to its end", words.fill("path"), words.fill("object")))),
                true,
            ),
            (Some(case), _) => {
                let Some((state, sentence)) = case.said() else { return (None, case.last) };
                let citations = if state == State::Unknown { Vec::new() } else { words.cited(case) };
                let mut outcome = Outcome::new(state, sentence.fill(|word| words.fill(word)), citations);
                outcome.object = (test.path.as_ref().is_some_and(|path| path.part == Part::Name)
                    && state == State::Fail)
                    .then(|| words.fill("name"));
                (Some(outcome), case.last)
            }
            (None, Some(wanted)) if is_there && (test.with.is_none() || words.known().is_some()) => {
                let wanted = wanted.fill(|word| words.fill(word));
                (Some(must_be(&words.fill("named"), &read, &wanted)), false)
            }
            (None, _) => (None, false),
        }
    }
}

/// A field that must have one value; `what` names it in the sentence.
fn must_be(what: &str, read: &Read, wanted: &str) -> Outcome {
    if !read.is_shown() || read.is(Shape::Masked) {
        return unknown(format!("{what} is not shown"));
    }
    let at = read.citations.clone();
    match &read.text {
        Some(text) if text == wanted => pass(format!("{what} is `{text}`"), at),
        Some(text) if !text.is_empty() => fail(format!("{what} is `{text}`, not `{wanted}`"), at),
        _ if read.is(Shape::Empty) => fail(format!("{what} is not set; wanted is `{wanted}`"), at),
        _ => fail(format!("{what} is no single value; wanted is `{wanted}`"), at),
    }
}
