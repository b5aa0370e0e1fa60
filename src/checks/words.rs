//! Whether a case holds of what was read, what its sentence says, and what that rests on.

use crate::installation::Installation;
use crate::interpreter::Run;
use crate::language::{Case, Cite, Comparison, Having, Shape, Test};
use crate::object::Object;
use crate::select::{Part, Reading};
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
    (!wants_text || text.is_some() || having.has.is_some())
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
        && having
            .has
            .as_ref()
            .is_none_or(|wanted| wanted.text(here, Some(subject)).is_some_and(|wanted| read.items().contains(&wanted)))
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
            (_, None) => {
                let compares = case.same.is_some() || case.compares.is_some();
                let target = self.target.iter().flat_map(|target| {
                    target.there.iter().map(Object::citation).chain(target.proof.iter().flatten().cloned())
                });
                own().chain(other().filter(|_| compares)).chain(target).collect()
            }
        }
    }

    pub(super) fn fill(&self, word: &str) -> String {
        let target = self.target.as_ref();
        match word {
            "object" => self.subject.name(),
            "name" => self.subject.object().map_or("", Object::name).to_owned(),
            "item" => match self.subject {
                Subject::Item(item) => item.key.clone(),
                _ => String::new(),
            },
            "path" => self.test.path.as_ref().map_or(String::new(), |path| path.words.clone()),
            "named" => match &self.test.named {
                Some(named) => named.fill(|word| self.fill(word)),
                None => self.fill("path"),
            },
            "value" => self.read.shown(),
            "part" => self.read.judged().unwrap_or_default().to_owned(),
            "other" => self.other().unwrap_or("not known").to_owned(),
            "wanted" => self.test.must_be.as_ref().map_or(String::new(), |wanted| wanted.fill(|word| self.fill(word))),
            "count" => self.count().to_string(),
            "list" => match self.subject {
                Subject::Values(values) => {
                    let told =
                        values.iter().filter_map(|(named, value)| Some(format!("{named} {}", value.as_ref()?.0)));
                    told.map(|text| text.trim_start().to_owned()).collect::<Vec<_>>().join(", ")
                }
                Subject::Together(..) => Vec::from_iter(BTreeSet::from_iter(self.read.items())).join(", "),
                _ => self.read.items().join(", "),
            },
            "missing" => self.listed(false).join(", "),
            "present" => self.listed(true).join(", "),
            "flaws" => self.flaws().join(", "),
            "age" => age(self.run.here, self.read).map_or(String::new(), |age| age.to_string()),
            "there" => target.and_then(|own| own.there).map_or(String::new(), |there| there.to_string()),
            "kind" => {
                let picks = || self.test.of.iter().flat_map(|of| &of.0).find_map(|pick| pick.kind(self.run.here));
                target.map(|own| own.kind.clone()).or_else(picks).unwrap_or_default()
            }
            "near" => {
                target.and_then(|own| own.near.as_ref()).map_or(String::new(), |near| format!("; there is a `{near}`"))
            }
            "message" => self.message().unwrap_or_default(),
            "side" => self.run.side.to_owned(),
            "different" => self.different().unwrap_or_default().join(", "),
            word => {
                let reading = || Reading::try_from(word.strip_prefix('.')?.to_owned()).ok();
                let own = || Read::of(self.subject, Some(&reading()?)).text;
                self.run.here.word(word).or_else(own).unwrap_or_default()
            }
        }
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
