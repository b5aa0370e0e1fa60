//! Whether a case holds of what was read, what its sentence says, and what that rests on.

use crate::installation::Installation;
use crate::interpreter::Run;
use crate::language::{Case, Cite, Comparison, Pattern, Shape, Test};
use crate::object::Object;
use crate::select::{Part, Reading, Reference};
use crate::shared_encryption::same;
use crate::subject::{Read, Subject};
use facts::origin::Citation;
use facts::suggest::nearest;
use std::collections::BTreeSet;

/// Does a condition hold of the value that it names, else of what the test read? One that nobody knows meets none.
pub(super) fn has(
    run: &Run<'_, '_>,
    test: &Test,
    subject: &Subject<'_>,
    read: Option<&Read>,
    condition: &Case,
) -> bool {
    let at = |value: &Reference| value.read(run.here, Some(subject));
    let named = condition.value.as_ref().and_then(at);
    let read = named.as_ref().or(read.filter(|_| condition.value.is_none()));
    let Some(read) = read.filter(|read| !read.is_missing || condition.is == Some(Shape::Missing)) else { return false };
    let stated = condition.with.as_ref().and_then(at);
    Words { run, test, subject, read, stated, target: None }.meets(condition)
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
    /// The items and fields that must be there and the items that must match, and whether each does.
    fn wanted(&self) -> Vec<(String, bool)> {
        if let Subject::Values(values) = self.subject {
            return values.iter().map(|(named, value)| (named.clone(), value.is_some())).collect();
        }
        let items = self.read.items();
        let wanted = self.test.items.iter().map(|wanted| (wanted.clone(), items.contains(wanted)));
        let is_set = |reading: &Reading| !Read::of(self.subject, Some(reading)).is(Shape::Unset);
        let fields = self.test.fields.iter().map(|wanted| (wanted.words.clone(), is_set(wanted)));
        let is_like = |own: &Pattern, item: &String| (item.clone(), own.is_match(item));
        let like = self.test.items_like.iter().flat_map(|own| items.iter().map(|item| is_like(own, item)));
        wanted.chain(fields).chain(like).collect()
    }

    fn listed(&self, is_there: bool) -> Vec<String> {
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

    fn named_other(&self) -> Option<String> {
        let known = self.known()?;
        Some(known.judged().map_or_else(|| known.items().join(", "), str::to_owned))
    }

    /// What is an item of one of both lists alone; nothing where one of them is not shown.
    fn different(&self) -> Option<Vec<String>> {
        let both = [self.read, self.stated.as_ref().filter(|read| read.is_shown())?];
        let [own, other] = both.map(|read| read.items().into_iter().collect::<BTreeSet<_>>());
        Some(own.symmetric_difference(&other).cloned().collect())
    }

    fn is(&self, shape: Shape) -> bool {
        match shape {
            Shape::NotCollected => matches!(self.subject, Subject::NotCollected),
            Shape::OtherUnknown => self.known().is_none(),
            Shape::Lacking => !self.listed(false).is_empty(),
            Shape::LackingAll => self.listed(true).is_empty(),
            Shape::Flawed => !self.flaws().is_empty(),
            Shape::Key => self.has_key(),
            Shape::Cut => self.is_cut(),
            Shape::Aged => age(self.run.here, self.read).is_some(),
            Shape::There => self.target.as_ref().is_some_and(|target| target.there.is_some()),
            Shape::Nowhere => self.target.as_ref().is_some_and(|target| target.proof.is_some()),
            Shape::NotListed => matches!(self.subject, Subject::Together(_, None)),
            shape => self.read.is(shape),
        }
    }

    /// May something of the field have been cut off?
    pub(super) fn is_cut(&self) -> bool {
        match (self.subject, self.test.path.as_ref().map(|own| &own.part)) {
            (Subject::Object(object), Some(Part::Field(paths, _))) => !paths.iter().any(|path| object.is_whole(path)),
            _ => false,
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

    /// Does an item of the other, or the other itself, begin with what was read? Nothing where one is not shown.
    fn begins(&self) -> Option<bool> {
        let (own, other) = (self.read.judged()?, self.stated.as_ref().filter(|read| read.is_shown())?);
        let mut texts = other.judged().map(str::to_owned).into_iter().chain(other.items());
        Some(texts.any(|text| text.starts_with(own)))
    }

    /// Are both trees, or both secrets, the same? Nothing where that cannot be told.
    fn alike(&self) -> Option<bool> {
        let other = self.stated.as_ref()?;
        let secrets = self.read.mask.as_ref().zip(other.mask.as_ref());
        let trees = || self.read.node.as_ref().zip(other.node.as_ref());
        secrets.map(|(own, other)| own.same_secret(other)).or_else(|| trees().map(|(own, other)| same(own, other)))
    }

    /// Does it compare so? Nothing where that cannot be told.
    fn compares(&self, comparison: Comparison) -> Option<bool> {
        let (own, other) = (self.read, self.known());
        let text = || other.and_then(Read::judged);
        let has = |fits: &dyn Fn(&str, &str) -> bool| {
            Some(own.items().iter().any(|item| text().is_some_and(|text| fits(item, text))))
        };
        let times = || own.time().zip(other?.time());
        match comparison {
            Comparison::Has => has(&|item, text| item == text).filter(|_| text().is_some()),
            Comparison::HasAddress => has(&|item, text| item.split('/').next() == Some(text)),
            Comparison::Among => Some(other?.items().iter().any(|item| own.judged() == Some(item))),
            Comparison::SameItems => self.different().map(|different| different.is_empty()),
            Comparison::Alike => self.alike(),
            Comparison::Earlier => times().map(|(own, other)| own < other),
            Comparison::Later => times().map(|(own, other)| own > other),
            Comparison::NotNewer => Some(own.judged().and_then(minor)? <= text().and_then(minor)?),
            Comparison::Begins => self.begins(),
            Comparison::Below => Some(own.whole_number()? < other?.whole_number()?),
        }
    }

    /// Does a case hold of what the test looks at?
    pub(super) fn holds(&self, case: &Case) -> bool {
        let is_there = match self.subject {
            Subject::Missing(_) => case.is == Some(Shape::Missing),
            Subject::NotCollected => case.is == Some(Shape::NotCollected),
            Subject::Together(..) if self.test.path.is_none() => true,
            _ => self.read.is_shown() != (case.is == Some(Shape::NotShown)),
        };
        is_there && self.meets(case)
    }

    /// Is what was read as the case wants it?
    fn meets(&self, case: &Case) -> bool {
        let text = self.read.judged();
        let is_like = |pattern: &Pattern| text.map(|text| pattern.is_match(text));
        let number = || self.read.whole_number().unwrap_or(0);
        case.is.is_none_or(|shape| self.is(shape))
            && !case.not.is_some_and(|shape| self.is(shape))
            && case.equals.as_ref().is_none_or(|own| text.unwrap_or_default() == own.fill(|word| self.fill(word)))
            && (case.one_of.is_empty() || case.one_of.iter().any(|wanted| text == Some(wanted)))
            && case.matches.as_ref().is_none_or(|pattern| is_like(pattern) == Some(true))
            && case.unlike.as_ref().is_none_or(|pattern| is_like(pattern) == Some(false))
            && case.at_least.is_none_or(|least| self.count() >= least)
            && case.above.is_none_or(|least| number() > least)
            && case.up_to.is_none_or(|most| number() <= most)
            && case.older.is_none_or(|minutes| age(self.run.here, self.read).is_some_and(|age| age > minutes))
            && case.other.as_ref().is_none_or(|p| self.other().is_some_and(|other| p.is_match(other)))
            && case.same.is_none_or(|same| self.other().is_some_and(|other| (other == self.read.compared()) == same))
            && case.compares.is_none_or(|how| self.compares(how) == Some(true))
            && case.compares_not.is_none_or(|how| self.compares(how) == Some(false))
            && case
                .conditions
                .iter()
                .all(|condition| has(self.run, self.test, self.subject, Some(self.read), condition))
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
            (_, Some(Cite::OwnFirst)) => own().chain(other()).collect(),
            (Subject::Missing(_) | Subject::NotCollected, _) | (_, Some(Cite::Object)) => self.subject.citations(),
            (_, Some(Cite::Field)) => own().collect(),
            (_, Some(Cite::First)) => own().take(1).collect(),
            (_, None) => {
                let compares = case.same.is_some() || case.compares.or(case.compares_not).is_some();
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

    fn list(&self) -> String {
        match self.subject {
            Subject::Values(values) => {
                let told = values.iter().filter_map(|(named, value)| Some(format!("{named} {}", value.as_ref()?.0)));
                told.map(|text| text.trim_start().to_owned()).collect::<Vec<_>>().join(", ")
            }
            Subject::Together(objects, _) if self.test.path.is_none() => {
                objects.iter().map(Object::to_string).collect::<Vec<_>>().join(", ")
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
pub(super) const WORDS: [Word; 29] = [
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
        own.named_other().unwrap_or_else(|| "not known".to_owned())
    }),
    ("wanted", "what it must be", |own, _| {
        own.test.must_be.as_ref().map_or(String::new(), |wanted| wanted.fill(|word| own.fill(word)))
    }),
    ("item", "the key of the entry that is looked at", |own, _| match own.subject {
        Subject::Item(item) => item.key.clone(),
        _ => String::new(),
    }),
    ("there", "the object that it names", |own, _| {
        own.target.as_ref().and_then(|own| own.there).map_or(String::new(), |there| there.to_string())
    }),
    ("kind", "the kind of the object that it names", |own, _| own.kind()),
    ("near", "an object with a name like it, behind a semicolon", |own, _| own.near().unwrap_or_default()),
    ("age", "how many minutes before the end of what was collected it was", |own, _| {
        age(own.run.here, own.read).map_or(String::new(), |age| age.to_string())
    }),
    ("flaws", "the flaws that hold", |own, _| own.flaws().join(", ")),
    ("lacking", "how many of the items or paths that must be there are not", |own, _| {
        own.listed(false).len().to_string()
    }),
    ("present", "which of the items or fields that must be there are", |own, _| own.listed(true).join(", ")),
    ("missing", "which of the items or paths that must be there are not", |own, _| own.listed(false).join(", ")),
    ("count", "how many items it has, or how many objects there are", |own, _| own.count().to_string()),
    ("list", "its items, the keys of a map, or all objects", |own, _| own.list()),
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
