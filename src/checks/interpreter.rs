//! Holds the tests of a check against the facts of an installation, or of both sides of a pair.
//!
//! Invariant: see [`crate::language`]; what is not shown is judged by no case that does not ask for it.

use crate::checklist::{Check, Checklist, Profile};
use crate::installation::Installation;
use crate::language::{Case, Cite, Compare, Guard, Having, On, Otherwise, Shape, Test};
use crate::object::Object;
use crate::outcome::{Found, Outcome, State, must_be, unknown};
use crate::pair::Pair;
use crate::registry::Mechanism;
use crate::select::{Objects, Part, Pick, Picked, Reading, field};
use facts::node::Value;
use facts::object::Lookup;
use facts::origin::Citation;

/// What the tests of a check, and its mechanism, find in one installation.
pub(super) fn of_one(check: &Check, here: &Installation<'_>, profile: &Profile, own: Option<Mechanism>) -> Found {
    Run { here, profile, side: "", installed: here.is_installed() }.check(check, own)
}

/// What the tests of a check, and its mechanism, find on both sides of a pair.
pub(super) fn of_pair(check: &Check, pair: &Pair<'_>, profile: &Profile, own: Option<Mechanism>) -> Found {
    let others = &Checklist::built_in().checks;
    let installed = pair.sides().iter().any(|(_, side)| side.is_installed());
    let run = |(side, here)| Run { here, profile, side, installed };
    let mut found = Vec::new();
    for test in &check.tests {
        if let Some(compare) = &test.compare {
            let applies = pair.sides().into_iter().any(|side| run(side).applies(&test.only));
            found.extend(applies.then(|| compared(compare, pair)));
            continue;
        }
        for side in pair.sides() {
            if test.on == On::Both || (test.on == On::Primary) == (side.0 == "primary") {
                found.extend(run(side).test(test));
            }
        }
    }
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
    if found.is_empty() {
        found.extend(check.none.as_ref().and_then(|none| run(("standby", &pair.standby)).otherwise(none)));
    }
    found
}

fn compared(compare: &Compare, pair: &Pair<'_>) -> Outcome {
    let what = &compare.what;
    let both = (compare.value.value(&pair.primary, None), compare.value.value(&pair.standby, None));
    let (Some((a, at)), Some((b, other))) = both else { return unknown(format!("{what} is not known on both sides")) };
    let right = (a == b) == compare.equal;
    let sentence = match (a == b, right) {
        (true, true) => format!("{what} is `{a}` on both sides"),
        (true, false) => format!("{what} is `{a}` on both sides, and must differ"),
        (false, true) => format!("{what} is `{a}` on the primary and `{b}` on the standby"),
        (false, false) => format!("{what} is `{a}` on the primary and `{b}` on the standby, and must be equal"),
    };
    let worst = compare.otherwise.unwrap_or(State::Fail);
    Outcome::new(if right { State::Pass } else { worst }, sentence, [at, other])
}

/// One installation under one edition.
struct Run<'r, 'f> {
    here: &'r Installation<'f>,
    profile: &'r Profile,
    side: &'static str,
    installed: bool,
}

impl<'f> Run<'_, 'f> {
    fn applies(&self, guard: &Guard) -> bool {
        let is = |names: &[String]| names.iter().any(|name| self.here.is(name));
        (guard.provider.is_empty() || is(&guard.provider))
            && !is(&guard.not_provider)
            && guard.revised.is_none_or(|revised| revised == self.profile.revised)
            && guard.installed.is_none_or(|installed| installed == self.installed)
    }

    fn check(&self, check: &Check, own: Option<Mechanism>) -> Found {
        if !self.applies(&check.only) {
            return Vec::new();
        }
        let mut found = Vec::new();
        match &check.of {
            // All that is said of one object stands together.
            Some(of) => {
                for subject in self.subjects(of) {
                    for test in &check.tests {
                        let Some((outcome, last)) = self.of_subject(test, &subject) else { continue };
                        found.extend(outcome);
                        if last {
                            break;
                        }
                    }
                }
            }
            None => found.extend(check.tests.iter().flat_map(|test| self.test(test))),
        }
        if let Some(Mechanism::One(decide)) = own {
            found.extend(decide(self.here, self.profile));
        }
        if found.is_empty() {
            found.extend(check.none.as_ref().and_then(|none| self.otherwise(none)));
        }
        found
    }

    fn subjects(&self, of: &Objects) -> Vec<Subject<'f>> {
        let one = |picked| match picked {
            Picked::Objects(objects) => objects.into_iter().map(Subject::Object).collect(),
            Picked::Missing(proof) => vec![Subject::Missing(proof)],
            Picked::NotCollected => vec![Subject::NotCollected],
        };
        of.0.iter().flat_map(|pick| one(pick.in_facts(self.here))).collect()
    }

    fn test(&self, test: &Test) -> Found {
        let Some(of) = test.of.as_ref().filter(|_| self.applies(&test.only)) else { return Vec::new() };
        let mut subjects = self.subjects(of);
        if let Some(having) = &test.having {
            let before = subjects.len();
            subjects.retain(|subject| !matches!(subject, Subject::Object(object) if !has(object, having)));
            // That none of those that were seen has it is proven by a list that holds them all.
            if subjects.is_empty() && before > 0 {
                subjects = of.0.iter().map(|pick| self.none_of(pick)).collect();
            }
        }
        let count = if test.first { 1 } else { subjects.len() };
        subjects.iter().take(count).filter_map(|subject| self.of_subject(test, subject)?.0).collect()
    }

    fn none_of(&self, pick: &Pick) -> Subject<'f> {
        let listed = match pick {
            Pick::All(kind) | Pick::Belonging(kind) => self.here.listed(kind),
            Pick::Group(_) | Pick::One(..) => None,
        };
        listed.map_or(Subject::NotCollected, Subject::Missing)
    }

    /// What a test says of one object, if anything, and whether that is the last word on it.
    fn of_subject(&self, test: &Test, subject: &Subject<'f>) -> Option<(Option<Outcome>, bool)> {
        let is_other = |having: &Having| matches!(subject, Subject::Object(object) if !has(object, having));
        if !self.applies(&test.only) || test.having.as_ref().is_some_and(is_other) {
            return None;
        }
        let seen = Seen::of(subject, test.path.as_ref());
        let own = match subject {
            Subject::Object(object) => Some(object),
            Subject::Missing(_) | Subject::NotCollected => None,
        };
        let other = test.with.as_ref().and_then(|with| with.value(self.here, own));
        let words = Words { run: self, test, seen: &seen, other: other.as_ref() };
        let case = test.cases.iter().find(|case| self.applies(&case.only) && words.holds(case));
        match (case, &test.must_be) {
            (Some(case), _) => {
                let Some((state, sentence)) = case.said() else { return Some((None, case.last)) };
                let citations = if state == State::Unknown { Vec::new() } else { words.cited(case) };
                let mut outcome = Outcome::new(state, sentence.fill(|word| words.fill(word)), citations);
                outcome.object = (test.path.as_ref().is_some_and(|path| path.part == Part::Name)
                    && state == State::Fail)
                    .then(|| words.fill("name"));
                Some((Some(outcome), case.last))
            }
            (None, Some(wanted)) => {
                let known = test.with.is_none() || words.other.is_some();
                let field = seen.field.as_ref().filter(|_| known)?;
                let outcome = must_be(&words.fill("named"), field, &wanted.fill(|word| words.fill(word)));
                Some((Some(outcome), false))
            }
            (None, None) => None,
        }
    }

    fn otherwise(&self, none: &Otherwise) -> Option<Outcome> {
        let objects: Vec<Object<'f>> =
            none.of.iter().flat_map(|of| self.subjects(of)).filter_map(Subject::object).collect();
        let shown =
            |path: &Reading| objects.iter().any(|object| Seen::of(&Subject::Object(*object), Some(path)).is_shown());
        if none.of.is_some() && objects.is_empty() || none.shown.as_ref().is_some_and(|path| !shown(path)) {
            return None;
        }
        let (state, sentence) = match (&none.pass, &none.unknown) {
            (Some(sentence), _) => (State::Pass, sentence),
            (None, Some(sentence)) => (State::Unknown, sentence),
            (None, None) => return None,
        };
        let fill = |word: &str| match (word, objects.first()) {
            ("count", _) => objects.len().to_string(),
            ("object", Some(object)) => object.to_string(),
            _ => String::new(),
        };
        let rests_on = match (state, none.first) {
            (State::Unknown, _) => 0,
            (_, true) => 1,
            (_, false) => objects.len(),
        };
        Some(Outcome::new(state, sentence.fill(fill), objects.iter().take(rests_on).map(Object::citation)))
    }
}

fn has(object: &Object<'_>, having: &Having) -> bool {
    let subject = Subject::Object(*object);
    let seen = Seen::of(&subject, Some(&having.path));
    let Some(text) = &seen.text else { return false };
    having.equals.as_ref().is_none_or(|wanted| wanted == text)
        && having.matches.as_ref().is_none_or(|pattern| pattern.0.is_match(text))
        && !having.unlike.as_ref().is_some_and(|pattern| pattern.0.is_match(text))
}

/// What a test looks at.
enum Subject<'f> {
    Object(Object<'f>),
    Missing(Vec<Citation>),
    NotCollected,
}

impl<'f> Subject<'f> {
    fn object(self) -> Option<Object<'f>> {
        match self {
            Subject::Object(object) => Some(object),
            _ => None,
        }
    }
}

/// What was read of it.
struct Seen<'s, 'f> {
    subject: &'s Subject<'f>,
    field: Option<Lookup<'f>>,
    text: Option<String>,
    citation: Option<Citation>,
}

impl<'s, 'f> Seen<'s, 'f> {
    fn of(subject: &'s Subject<'f>, reading: Option<&Reading>) -> Self {
        let Subject::Object(object) = subject else { return Self { subject, field: None, text: None, citation: None } };
        let identity = |text: Option<&str>| Self {
            subject,
            field: None,
            text: text.map(str::to_owned),
            citation: text.map(|_| object.citation()),
        };
        match reading.map(|reading| &reading.part) {
            None | Some(Part::Name) => identity(Some(object.name())),
            Some(Part::Namespace) => identity(object.namespace()),
            Some(Part::Field(paths)) => {
                let field = field(object, paths);
                Self { subject, text: field.text(), citation: field.citation(), field: Some(field) }
            }
        }
    }

    fn is_shown(&self) -> bool {
        self.citation.is_some()
    }

    fn value(&self) -> Option<&'f Value> {
        self.field.as_ref()?.node().map(|node| &node.value)
    }

    /// The text that is compared with another value: of a list its one item.
    fn compared(&self) -> String {
        match self.value() {
            Some(Value::List(items)) if items.len() == 1 => self.items().concat(),
            _ => self.text.clone().unwrap_or_default(),
        }
    }

    /// Does the key that the path ends in stand in its map?
    fn has_key(&self, reading: Option<&Reading>) -> bool {
        let (Subject::Object(object), Some(Part::Field(paths))) = (self.subject, reading.map(|own| &own.part)) else {
            return false;
        };
        let ends = paths.iter().filter_map(|path| path.strip_suffix("\"]")?.rsplit_once("[\""));
        ends.into_iter().any(|(map, key)| object.keys(map).contains(&key))
    }

    /// The items of a list, or the keys of a map.
    fn items(&self) -> Vec<String> {
        match self.value() {
            Some(Value::Map(entries)) => entries.iter().map(|(key, _)| key.to_string()).collect(),
            Some(Value::List(items)) => items.iter().filter_map(|item| item.value.scalar()).collect(),
            _ => Vec::new(),
        }
    }

    fn is(&self, shape: Shape) -> bool {
        let value = self.value();
        let empty = || self.field.as_ref().is_some_and(Lookup::is_empty);
        match shape {
            Shape::Missing => matches!(self.subject, Subject::Missing(_)),
            Shape::NotCollected => matches!(self.subject, Subject::NotCollected),
            Shape::NotShown => !self.is_shown(),
            Shape::Set => value.is_some(),
            Shape::Unset => matches!(self.field, Some(Lookup::NotSet(_))),
            Shape::Empty => empty(),
            Shape::Scalar => self.text.is_some(),
            Shape::Valued => self.text.as_ref().is_some_and(|text| !text.is_empty()),
            Shape::Int => matches!(value, Some(Value::Int(_))),
            Shape::Number => value.is_some_and(|value| value.integer().is_some()),
            Shape::Boolean => matches!(value, Some(Value::Bool(_))),
            Shape::BooleanOrText => matches!(value, Some(Value::Bool(_) | Value::Text(_))),
            Shape::List => matches!(value, Some(Value::List(_))),
            Shape::Filled => matches!(value, Some(Value::List(items)) if !items.is_empty()),
            Shape::Masked => matches!(self.field, Some(Lookup::Redacted(_))),
            Shape::Lacking | Shape::OtherUnknown | Shape::Key => false,
        }
    }
}

/// What was read, with all that a sentence may name.
struct Words<'w, 'r, 'f> {
    run: &'w Run<'r, 'f>,
    test: &'w Test,
    seen: &'w Seen<'w, 'f>,
    other: Option<&'w (String, Citation)>,
}

impl Words<'_, '_, '_> {
    fn missing(&self) -> Vec<&str> {
        let items = self.seen.items();
        self.test.items.iter().filter(|wanted| !items.contains(wanted)).map(String::as_str).collect()
    }

    fn is(&self, shape: Shape) -> bool {
        match shape {
            Shape::OtherUnknown => self.other.is_none(),
            Shape::Lacking => !self.missing().is_empty(),
            Shape::Key => self.seen.has_key(self.test.path.as_ref()),
            shape => self.seen.is(shape),
        }
    }

    fn holds(&self, case: &Case) -> bool {
        let here = match self.seen.subject {
            Subject::Missing(_) => case.is == Some(Shape::Missing),
            Subject::NotCollected => case.is == Some(Shape::NotCollected),
            Subject::Object(_) => self.seen.is_shown() != (case.is == Some(Shape::NotShown)),
        };
        let text = self.seen.text.as_deref().unwrap_or_default();
        here && case.is.is_none_or(|shape| self.is(shape))
            && !case.not.is_some_and(|shape| self.is(shape))
            && case.equals.as_ref().is_none_or(|wanted| wanted.fill(|word| self.fill(word)) == text)
            && (case.one_of.is_empty() || case.one_of.iter().any(|wanted| wanted == text))
            && case.matches.as_ref().is_none_or(|pattern| self.seen.text.is_some() && pattern.0.is_match(text))
            && case.other.as_ref().is_none_or(|p| self.other.is_some_and(|(other, _)| p.0.is_match(other)))
            && case
                .same
                .is_none_or(|same| self.other.is_some_and(|(other, _)| (*other == self.seen.compared()) == same))
    }

    fn cited(&self, case: &Case) -> Vec<Citation> {
        let other = self.other.map(|(_, citation)| citation.clone());
        match (self.seen.subject, case.cite) {
            (Subject::Missing(proof), _) => proof.clone(),
            (Subject::NotCollected, _) => Vec::new(),
            (Subject::Object(object), Some(Cite::Object)) => vec![object.citation()],
            (Subject::Object(_), Some(Cite::Field)) => self.seen.citation.clone().into_iter().collect(),
            (Subject::Object(_), None) => {
                let compares = case.same.is_some();
                self.seen.citation.clone().into_iter().chain(other.filter(|_| compares)).collect()
            }
        }
    }

    fn fill(&self, word: &str) -> String {
        let object = match self.seen.subject {
            Subject::Object(object) => Some(object),
            _ => None,
        };
        let provider = || self.run.here.provider();
        match word {
            "object" => object.map_or(String::new(), ToString::to_string),
            "name" => object.map_or("", Object::name).to_owned(),
            "path" => self.test.path.as_ref().map_or(String::new(), |path| path.words.clone()),
            "named" => match &self.test.named {
                Some(named) => named.fill(|word| self.fill(word)),
                None => self.fill("path"),
            },
            "value" => {
                let node = self.seen.field.as_ref().and_then(Lookup::node).filter(|node| !node.value.is_empty());
                let shown = self.seen.text.clone().filter(|text| !text.is_empty());
                shown.or_else(|| Some(node?.to_string())).unwrap_or_else(|| "not set".to_owned())
            }
            "other" => self.other.map_or(String::new(), |(text, _)| text.clone()),
            "wanted" => self.test.must_be.as_ref().map_or(String::new(), |wanted| wanted.fill(|word| self.fill(word))),
            "count" => self.seen.items().len().to_string(),
            "list" => self.seen.items().join(", "),
            "missing" => self.missing().join(", "),
            "message" => self.message().unwrap_or_default(),
            "side" => self.run.side.to_owned(),
            "provider" => provider().map_or(String::new(), |own| own.name.clone()),
            "release" => provider().map_or(String::new(), |own| own.release.clone()),
            "template-kind" => provider().map_or(String::new(), |own| own.template_kind.clone()),
            "cluster-kind" => provider().map_or(String::new(), |own| own.cluster_kind.clone()),
            _ => String::new(),
        }
    }

    /// The message of a condition whose status was read.
    fn message(&self) -> Option<String> {
        let (Subject::Object(object), Part::Field(paths)) = (self.seen.subject, &self.test.path.as_ref()?.part) else {
            return None;
        };
        let path = paths.first()?.strip_suffix(".status")?;
        let (text, _) = object.field(&format!("{path}.message")).valued()?;
        Some(format!(": {text}"))
    }
}
