//! Whether a case holds of what was read, what its sentence says, and what that rests on.

use crate::installation::Installation;
use crate::interpreter::Run;
use crate::language::{Case, Cite, Comparison, Having, Shape, Test};
use crate::object::Object;
use crate::select::{Part, Reading, Reference};
use crate::shared_encryption::same;
use crate::subject::{Read, Subject};
use facts::origin::Citation;
use facts::suggest::nearest;
use std::collections::BTreeSet;

/// Does it have what a test or a case wants of a value?
pub(super) fn has(here: &Installation<'_>, subject: &Subject<'_>, having: &Having) -> bool {
    let read = having.value.read(here, Some(subject));
    let Some(read) = read.filter(|read| !read.is_missing || having.is == Some(Shape::Missing)) else { return false };
    let text = read.judged();
    let matches = |pattern: &crate::language::Pattern| text.is_some_and(|text| pattern.0.is_match(text));
    let number = || read.whole_number().unwrap_or(0);
    let wants_text = having.is.is_none() && having.not.is_none() && having.above.is_none() && having.up_to.is_none();
    let has_item = |wanted: &Reference| Some(read.items().contains(&wanted.text(here, Some(subject))?));
    (!wants_text || text.is_some() || having.has.is_some() || having.lacks.is_some())
        && having.is.is_none_or(|shape| read.is(shape))
        && !having.not.is_some_and(|shape| read.is(shape))
        && (having.one_of.is_empty() || having.one_of.iter().any(|wanted| text == Some(wanted)))
        && having.matches.as_ref().is_none_or(matches)
        && !having.unlike.as_ref().is_some_and(matches)
        && having.above.is_none_or(|least| number() > least)
        && having.up_to.is_none_or(|most| number() <= most)
        && having.older.is_none_or(|minutes| age(here, &read).is_some_and(|age| age > minutes))
        && having
            .same_as
            .as_ref()
            .is_none_or(|other| other.text(here, Some(subject)).is_some_and(|other| text == Some(&other)))
        && having.has.as_ref().is_none_or(|wanted| has_item(wanted) == Some(true))
        && having.lacks.as_ref().is_none_or(|wanted| has_item(wanted) == Some(false))
}

/// How many minutes before the end of what was collected a time is.
fn age(here: &Installation<'_>, read: &Read) -> Option<i64> {
    Some(here.clock()?.duration_since(read.time()?).as_mins())
}

/// Major and minor of a version.
fn minor(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.trim_start_matches('v').split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The object that a field names.
pub(super) struct Target<'f> {
    kind: String,
    there: Option<Object<'f>>,
    /// That there is none.
    proof: Option<Vec<Citation>>,
    near: Option<String>,
}

impl<'f> Target<'f> {
    /// The one that a name leads to; nothing where no name or kind is shown.
    pub(super) fn of(
        here: &Installation<'f>,
        test: &Test,
        kind: &str,
        subject: &Subject<'f>,
        read: &Read,
    ) -> Option<Self> {
        let name = read.text.as_deref()?;
        let kind = match kind {
            "own" => beside(subject.object()?, test.path.as_ref()?)?,
            kind => here.filled_in(kind),
        };
        let there = here.named(&kind, name);
        let proof = if there.is_none() { here.lacks(&kind, name) } else { None };
        let others = here.all(&kind);
        let near = nearest(name, others.iter().map(Object::name)).map(str::to_owned);
        Some(Self { kind, there, proof, near })
    }
}

/// The kind that stands beside a name, with its group.
fn beside(object: &Object<'_>, reading: &Reading) -> Option<String> {
    let Part::Field(paths, _) = &reading.part else { return None };
    let path = paths.first()?.strip_suffix(".name")?;
    let of = |part: &str| object.field(&format!("{path}.{part}")).text();
    let version = of("apiVersion").map(|text| text.split('/').next().unwrap_or_default().to_owned());
    Some(format!("{}s.{}", of("kind")?.to_ascii_lowercase(), version.or_else(|| of("apiGroup"))?))
}

/// What was read, with all that a case may ask and a sentence may name.
pub(super) struct Words<'w, 'r, 'f> {
    pub run: &'w Run<'r, 'f>,
    pub test: &'w Test,
    pub subject: &'w Subject<'f>,
    pub read: &'w Read,
    /// What stands where the value is that it is compared with.
    pub stated: Option<Read>,
    pub target: Option<Target<'f>>,
}

impl Words<'_, '_, '_> {
    /// The items and fields that must be there, and whether each is.
    fn wanted(&self) -> Vec<(&str, bool)> {
        let items = self.read.items();
        let wanted = self.test.items.iter().map(|wanted| (wanted.as_str(), items.contains(wanted)));
        let is_set = |reading: &Reading| !Read::of(self.subject, Some(reading)).is(Shape::Unset);
        let fields = self.test.fields.iter().map(|wanted| (wanted.words.as_str(), is_set(wanted)));
        let Subject::Values(values) = self.subject else { return wanted.chain(fields).collect() };
        values.iter().map(|(named, value)| (named.as_str(), value.is_some())).collect()
    }

    fn listed(&self, is_there: bool) -> Vec<&str> {
        self.wanted().into_iter().filter(|(_, is)| *is == is_there).map(|(wanted, _)| wanted).collect()
    }

    fn flaws(&self) -> Vec<String> {
        let flaws = self.test.flaws.iter().filter(|flaw| self.run.applies(&flaw.only) && self.holds(flaw));
        flaws.filter_map(|flaw| Some(flaw.said()?.1.fill(|word| self.fill(word)))).collect()
    }

    /// The value that it is compared with; an empty text is none, and a list or map has no text.
    pub(super) fn known(&self) -> Option<&Read> {
        self.stated.as_ref().filter(|read| read.valued().is_some() || read.text.is_none() && read.node.is_some())
    }

    fn other(&self) -> Option<&str> {
        self.known()?.judged()
    }

    /// What is an item of one of both lists alone; nothing where one of them is not shown.
    fn different(&self) -> Option<Vec<String>> {
        let both = [self.read, self.stated.as_ref().filter(|read| read.is_shown())?];
        let [own, other] = both.map(|read| read.items().into_iter().collect::<BTreeSet<_>>());
        Some(own.symmetric_difference(&other).cloned().collect())
    }

    fn is(&self, shape: Shape) -> bool {
        match shape {
            Shape::Missing => matches!(self.subject, Subject::Missing(_)),
            Shape::NotCollected => matches!(self.subject, Subject::NotCollected),
            Shape::OtherUnknown => self.known().is_none(),
            Shape::Lacking => !self.listed(false).is_empty(),
            Shape::LackingAll => self.listed(true).is_empty(),
            Shape::Flawed => !self.flaws().is_empty(),
            Shape::Key => self.has_key(),
            Shape::Aged => age(self.run.here, self.read).is_some(),
            Shape::There => self.target.as_ref().is_some_and(|target| target.there.is_some()),
            Shape::Nowhere => self.target.as_ref().is_some_and(|target| target.proof.is_some()),
            Shape::NotListed => matches!(self.subject, Subject::Together(_, None)),
            shape => self.read.is(shape),
        }
    }

    /// Does the key that the path ends in stand in its map?
    fn has_key(&self) -> bool {
        let (Some(object), Some(Part::Field(paths, _))) =
            (self.subject.object(), self.test.path.as_ref().map(|own| &own.part))
        else {
            return false;
        };
        let ends = paths.iter().filter_map(|path| path.strip_suffix("\"]")?.rsplit_once("[\""));
        ends.into_iter().any(|(map, key)| object.keys(map).contains(&key))
    }

    fn compares(&self, comparison: Comparison) -> bool {
        match comparison {
            Comparison::SameItems => return self.different().is_some_and(|different| different.is_empty()),
            Comparison::OtherItems => return self.different().is_some_and(|different| !different.is_empty()),
            _ => {}
        }
        let Some(other) = self.known() else { return false };
        let text = other.judged();
        let times = || Some((self.read.time()?, other.time()?));
        let has = || text.is_some_and(|text| self.read.items().iter().any(|item| item == text));
        let alike = || Some(same(self.read.node.as_ref()?, other.node.as_ref()?));
        match comparison {
            Comparison::SameItems | Comparison::OtherItems => false,
            Comparison::Has => has(),
            Comparison::HasNot => text.is_some() && !has(),
            Comparison::Alike => alike() == Some(true),
            Comparison::Unlike => alike() == Some(false),
            Comparison::Earlier => times().is_some_and(|(own, other)| own < other),
            Comparison::NotEarlier => times().is_some_and(|(own, other)| own >= other),
            Comparison::NotLater => times().is_some_and(|(own, other)| own <= other),
            Comparison::Later => times().is_some_and(|(own, other)| own > other),
            Comparison::NotNewer => {
                let both = self.read.judged().and_then(minor).zip(text.and_then(minor));
                both.is_some_and(|(own, other)| own <= other)
            }
            Comparison::BeginsIt => text.zip(self.read.judged()).is_some_and(|(other, own)| other.starts_with(own)),
        }
    }

    pub(super) fn holds(&self, case: &Case) -> bool {
        let here = match self.subject {
            Subject::Missing(_) => case.is == Some(Shape::Missing),
            Subject::NotCollected => case.is == Some(Shape::NotCollected),
            Subject::Together(..) if self.test.path.is_none() => true,
            _ => self.read.is_shown() != (case.is == Some(Shape::NotShown)),
        };
        let judged = self.read.judged();
        let text = judged.unwrap_or_default();
        here && case.is.is_none_or(|shape| self.is(shape))
            && !case.not.is_some_and(|shape| self.is(shape))
            && case.equals.as_ref().is_none_or(|wanted| wanted.fill(|word| self.fill(word)) == text)
            && (case.one_of.is_empty() || case.one_of.iter().any(|wanted| wanted == text))
            && case.matches.as_ref().is_none_or(|pattern| judged.is_some() && pattern.0.is_match(text))
            && !case.unlike.as_ref().is_some_and(|pattern| pattern.0.is_match(text))
            && case.at_least.is_none_or(|least| self.count() >= least)
            && case.older.is_none_or(|minutes| age(self.run.here, self.read).is_some_and(|age| age > minutes))
            && case.other.as_ref().is_none_or(|p| self.other().is_some_and(|other| p.0.is_match(other)))
            && case.same.is_none_or(|same| self.other().is_some_and(|other| (other == self.read.compared()) == same))
            && case.compares.is_none_or(|comparison| self.compares(comparison))
            && case.conditions.iter().all(|having| has(self.run.here, self.subject, having))
    }

    fn count(&self) -> usize {
        match self.subject {
            Subject::Together(objects, _) if self.test.path.is_none() => objects.len(),
            _ => self.read.count(),
        }
    }

    pub(super) fn cited(&self, case: &Case) -> Vec<Citation> {
        let own = || self.read.citations.iter().cloned();
        let other = || self.stated.iter().flat_map(|other| other.citations.iter().cloned());
        match (self.subject, case.cite) {
            (_, Some(Cite::Other)) => other().collect(),
            (_, Some(Cite::OtherFirst)) => other().chain(own()).collect(),
            (Subject::Missing(_) | Subject::NotCollected, _) | (_, Some(Cite::Object)) => self.subject.citations(),
            (_, Some(Cite::Field)) => own().collect(),
            (_, Some(Cite::First)) => own().take(1).collect(),
            (_, None) => {
                let compares = case.same.is_some() || case.compares.is_some();
                let target = self.target.iter().flat_map(|target| {
                    target.there.iter().map(Object::citation).chain(target.proof.iter().flatten().cloned())
                });
                own().chain(other().filter(|_| compares)).chain(target).collect()
            }
        }
    }

    /// What a word of a sentence stands for: one of [`WORDS`], or a path of what is looked at behind a dot.
    pub(super) fn fill(&self, word: &str) -> String {
        if let Some((.., of)) = WORDS.iter().find(|(known, ..)| *known == word) {
            return of(self, word);
        }
        let reading = || Reading::try_from(word.strip_prefix('.')?.to_owned()).ok();
        let own = || Read::of(self.subject, Some(&reading()?)).text;
        own().unwrap_or_default()
    }

    fn item(&self) -> String {
        match self.subject {
            Subject::Item(item) => item.key.clone(),
            _ => String::new(),
        }
    }

    fn list(&self) -> String {
        match self.subject {
            Subject::Values(values) => {
                let told = values.iter().filter_map(|(named, value)| Some(format!("{named} {}", value.as_ref()?.0)));
                told.map(|text| text.trim_start().to_owned()).collect::<Vec<_>>().join(", ")
            }
            Subject::Together(..) => Vec::from_iter(BTreeSet::from_iter(self.read.items())).join(", "),
            _ => self.read.items().join(", "),
        }
    }

    fn kind(&self) -> String {
        let picks = || self.test.of.iter().flat_map(|of| &of.0).find_map(|pick| pick.kind(self.run.here));
        self.target.as_ref().map(|own| own.kind.clone()).or_else(picks).unwrap_or_default()
    }

    fn near(&self) -> Option<String> {
        Some(format!("; there is a `{}`", self.target.as_ref()?.near.as_ref()?))
    }

    fn of_provider(&self, word: &str) -> String {
        self.run.here.word(word).unwrap_or_default()
    }

    /// The message of a condition whose status was read.
    fn message(&self) -> Option<String> {
        let (object, Part::Field(paths, _)) = (self.subject.object()?, &self.test.path.as_ref()?.part) else {
            return None;
        };
        let path = paths.first()?.strip_suffix(".status")?;
        let (text, _) = object.field(&format!("{path}.message")).valued()?;
        Some(format!(": {text}"))
    }
}

/// A word that a sentence may name in braces, what it means, and what it stands for.
type Word = (&'static str, &'static str, for<'w, 'r, 'f> fn(&Words<'w, 'r, 'f>, &str) -> String);

/// All of them.
pub(super) const WORDS: [Word; 28] = [
    ("object", "kind and name of the object", |own, _| own.subject.name()),
    ("name", "its name", |own, _| own.subject.object().map_or("", Object::name).to_owned()),
    ("path", "the path that was read", |own, _| {
        own.test.path.as_ref().map_or(String::new(), |path| path.words.clone())
    }),
    ("named", "what the test calls the field; the path where it does not", |own, _| match &own.test.named {
        Some(named) => named.fill(|word| own.fill(word)),
        None => own.fill("path"),
    }),
    ("value", "what stands there, or `not set`", |own, _| own.read.shown()),
    ("part", "the part of it that is looked at", |own, _| own.read.judged().unwrap_or_default().to_owned()),
    ("other", "the value that it is compared with, or `not known`", |own, _| {
        own.other().unwrap_or("not known").to_owned()
    }),
    ("wanted", "what it must be", |own, _| {
        own.test.must_be.as_ref().map_or(String::new(), |wanted| wanted.fill(|word| own.fill(word)))
    }),
    ("item", "the key of the entry that is looked at", |own, _| own.item()),
    ("there", "the object that it names", |own, _| {
        own.target.as_ref().and_then(|own| own.there).map_or(String::new(), |there| there.to_string())
    }),
    ("kind", "the kind of the object that it names", |own, _| own.kind()),
    ("near", "an object with a name like it, behind a semicolon", |own, _| own.near().unwrap_or_default()),
    ("age", "how many minutes before the end of what was collected it was", |own, _| {
        age(own.run.here, own.read).map_or(String::new(), |age| age.to_string())
    }),
    ("flaws", "the flaws that hold", |own, _| own.flaws().join(", ")),
    ("present", "which of the items or fields that must be there are", |own, _| own.listed(true).join(", ")),
    ("missing", "which of the items or paths that must be there are not", |own, _| own.listed(false).join(", ")),
    ("count", "how many items it has, or how many objects there are", |own, _| own.count().to_string()),
    ("list", "its items, or the keys of a map", |own, _| own.list()),
    ("different", "what is an item of one of two lists alone", |own, _| own.different().unwrap_or_default().join(", ")),
    ("message", "the field `message` beside a field `status`, behind a colon", |own, _| {
        own.message().unwrap_or_default()
    }),
    ("side", "`primary` or `standby`", |own, _| own.run.side.to_owned()),
    ("provider", "the infrastructure provider", |own, word| own.of_provider(word)),
    ("release", "the end of the name of its AppRelease", |own, word| own.of_provider(word)),
    ("template-kind", "the kind of its machine template", |own, word| own.of_provider(word)),
    ("cluster-kind", "the kind of its infrastructure cluster", |own, word| own.of_provider(word)),
    ("templates", "the plural of its machine template", |own, word| own.of_provider(word)),
    ("pools", "the plural of its pools", |own, word| own.of_provider(word)),
    ("clusters", "the plural of its infrastructure cluster, with the group", |own, word| own.of_provider(word)),
];
