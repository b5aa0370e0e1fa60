//! Objects by the texts that they say where the library looks for texts.
//!
//! Why: a hundred signatures ask which of twenty thousand Events give one reason, or which of as many Pods are in one phase.
//! Each object is looked at once for each such place, and not once for each question.
//!
//! Invariant: who is left out surely fails a condition of the question; it depends on the facts and the library alone, so
//! that it does not matter who asks first.

use crate::binding;
use crate::binding::Bound;
use crate::logic::Truth;
use crate::predicate;
use facts::kind::KindName;
use facts::node::Value;
use facts::object::{ContextId, ObjectId};
use facts::path::Path;
use facts::store::Facts;
use signature::load::Library;
use signature::model::{EntitySource, ObjectQuery, Predicate, Query, Signature, Target, Test};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Fewer objects are tested one by one.
const MANY: usize = 256;

/// As few as this need no second condition to become fewer.
const FEW: usize = 64;

/// Where objects say more texts than this, only those that the library looks for are told apart.
const TEXTS: usize = 512;

/// Where a condition looks: the path and those that it takes as well.
type Place<'a> = Vec<&'a Path>;

/// What the library looks for, by kind and place.
type Places<'a> = BTreeMap<(&'a KindName, Place<'a>), Sought<'a>>;

/// The objects of one run; shared by the threads that decide signatures.
#[derive(Debug)]
pub(crate) struct Indexed<'a> {
    facts: &'a Facts,
    /// Each place of each kind where the library looks for texts; none where there are few objects of all kinds.
    places: Places<'a>,
    by_text: Cells<(ContextId, usize), ByText>,
    values: Cells<(ContextId, KindName, Path, Manifests), Values>,
}

/// What is worked out once for each key, whoever asks first.
type Cells<K, V> = Mutex<BTreeMap<K, Arc<OnceLock<V>>>>;

/// The values at a path, each with the first object that has it.
type Values = BTreeMap<String, ObjectId>;

/// Do objects count that somebody wrote and nobody saw?
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Manifests {
    Count,
    DoNot,
}

/// What the library looks for at one place.
#[derive(Debug, Default)]
struct Sought<'a> {
    /// The number of the place.
    place: usize,
    texts: BTreeSet<&'a str>,
}

/// The objects of a kind by what they say at one place.
#[derive(Debug, Default)]
struct ByText {
    /// Those that say each text: all texts, or those alone that are looked for.
    saying: BTreeMap<Box<str>, Vec<ObjectId>>,
    has_all: bool,
    /// Those of which it is not known.
    unsure: Vec<ObjectId>,
}

/// The place of a condition that only an object which says a fitting text can pass, and the texts where it names them.
fn sought(predicate: &Predicate) -> Option<(Place<'_>, Option<Vec<&str>>)> {
    let texts = match &predicate.test {
        Test::Equals(value) => Some(vec![text(value)?]),
        Test::In(values) => Some(values.iter().map(text).collect::<Option<Vec<&str>>>()?),
        Test::Matches(regex) if regex.is_match("") == Some(false) => None,
        Test::StartsWith(text) | Test::EndsWith(text) | Test::Contains(text) if !text.is_empty() => None,
        _ => return None,
    };
    if !predicate.api.is_empty() || !predicate.else_paths.is_empty() {
        return None;
    }
    Some((std::iter::once(&predicate.path).chain(&predicate.or_paths).collect(), texts))
}

/// What a value says that is a text and not empty.
fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Str(text) if !text.is_empty() => Some(text),
        _ => None,
    }
}

/// The conditions of a query, and the kinds that they are about; `entities` are those of its signature.
fn of_query<'q>(query: &'q ObjectQuery, entities: &'q [KindName]) -> (&'q [KindName], &'q [Predicate]) {
    match &query.target {
        Target::Kinds(kinds) => (kinds, &query.filter),
        Target::Entity => (entities, &query.filter),
    }
}

/// The conditions of a signature on objects of kinds: of its entities, of what it asks of them and of others.
fn conditions(signature: &Signature) -> impl Iterator<Item = (&[KindName], &[Predicate])> {
    let (entities, filter): (&[KindName], &[Predicate]) = match &signature.entity.source {
        EntitySource::Object { kinds, filter, .. } => (kinds, filter),
        EntitySource::Group { kind, .. } => (std::slice::from_ref(kind), &[]),
        EntitySource::Stream(_) => (&[], &[]),
    };
    let queries = signature.evidence.iter().filter_map(|evidence| match &evidence.query {
        Query::Object(query) => Some(query),
        Query::Log(_) => None,
    });
    let with_each =
        queries.flat_map(|query| std::iter::once(query).chain(query.each.as_ref().map(|each| &*each.exists)));
    std::iter::once((entities, filter)).chain(with_each.map(|query| of_query(query, entities)))
}

/// The places where a library looks for texts, numbered.
fn places(library: &Library) -> Places<'_> {
    let mut places = Places::new();
    for (kinds, filter) in library.signatures.iter().flat_map(conditions) {
        for (place, texts) in filter.iter().filter_map(sought) {
            for kind in kinds {
                let sought = places.entry((kind, place.clone())).or_default();
                sought.texts.extend(texts.iter().flatten());
            }
        }
    }
    places.values_mut().enumerate().for_each(|(number, sought)| sought.place = number);
    places
}

impl<'a> Indexed<'a> {
    /// Nothing looked at yet.
    pub(crate) fn new(facts: &'a Facts, library: &'a Library) -> Self {
        let has_many = facts.by_kind.values().any(|ids| ids.len() >= MANY);
        let places = if has_many { places(library) } else { Places::new() };
        Self { facts, places, by_text: Mutex::default(), values: Mutex::default() }
    }

    /// The objects of a kind that may pass all of some conditions, in their order; nothing where there are few objects, or
    /// where no condition tells.
    pub(crate) fn that_may_pass(
        &self,
        context: ContextId,
        kind: &KindName,
        filter: &[Predicate],
    ) -> Option<Vec<ObjectId>> {
        if self.facts.of_kind(context, kind).len() < MANY {
            return None;
        }
        let mut fewest: Option<Vec<ObjectId>> = None;
        for predicate in filter {
            let Some(found) = self.that_may_fit(context, kind, predicate) else { continue };
            if fewest.as_ref().is_none_or(|fewest| found.len() < fewest.len()) {
                fewest = Some(found);
            }
            if fewest.as_ref().is_some_and(|fewest| fewest.len() <= FEW) {
                break;
            }
        }
        fewest
    }

    /// The objects of a kind that may pass one condition, where its texts are told apart.
    fn that_may_fit(&self, context: ContextId, kind: &KindName, predicate: &Predicate) -> Option<Vec<ObjectId>> {
        let (place, texts) = sought(predicate)?;
        let ((_, place), sought) = self.places.get_key_value(&(kind, place))?;
        let cell = cell(&self.by_text, (context, sought.place));
        let by_text = cell.get_or_init(|| ByText::new(self.facts, self.facts.of_kind(context, kind), place, sought));
        let mut found = by_text.unsure.clone();
        match texts {
            // A text of which it does not tell who says it would be taken for one that nobody says.
            Some(texts) if texts.iter().all(|text| sought.texts.contains(text)) => {
                found.extend(texts.iter().filter_map(|text| by_text.saying.get(*text)).flatten());
            }
            None if by_text.has_all => {
                let may_fit = |text: &str| predicate::fits(&predicate.test, text) != Truth::False;
                found.extend(by_text.saying.iter().filter(|(text, _)| may_fit(text)).flat_map(|(_, ids)| ids));
            }
            _ => return None,
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// The values at a path of the objects of a kind.
    pub(crate) fn values_at(
        &self,
        context: ContextId,
        kind: &KindName,
        path: &Path,
        manifests: Manifests,
    ) -> Arc<OnceLock<Values>> {
        let cell = cell(&self.values, (context, kind.clone(), path.clone(), manifests));
        cell.get_or_init(|| {
            let mut values = Values::new();
            let counts = |id: &&ObjectId| manifests == Manifests::Count || !self.facts.object(**id).is_manifest();
            for &id in self.facts.of_kind(context, kind).iter().filter(counts) {
                if let Bound::Values(texts) = binding::at_path(self.facts, id, path) {
                    for text in texts.into_iter().filter(|text| !text.is_empty()) {
                        values.entry(text).or_insert(id);
                    }
                }
            }
            values
        });
        cell
    }
}

/// The cell of a key. A thread that panicked while it held the lock left whole cells behind.
fn cell<K: Ord, V>(cells: &Cells<K, V>, key: K) -> Arc<OnceLock<V>> {
    Arc::clone(cells.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default())
}

impl ByText {
    fn new(facts: &Facts, ids: &[ObjectId], place: &Place<'_>, sought: &Sought<'_>) -> Self {
        let mut by_text = Self { has_all: true, ..Self::default() };
        for &id in ids {
            let Some(said) = predicate::texts_at(facts, id, place) else {
                by_text.unsure.push(id);
                continue;
            };
            for text in said {
                if let Some(list) = by_text.saying.get_mut(text) {
                    list.push(id);
                } else if by_text.has_all || sought.texts.contains(text) {
                    by_text.saying.insert(text.into(), vec![id]);
                }
            }
            if by_text.has_all && by_text.saying.len() > TEXTS {
                by_text.has_all = false;
                by_text.saying.retain(|text, _| sought.texts.contains(&**text));
            }
        }
        by_text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sifted::tests::{OWN, facts_of, library, map, pods};
    use proptest::prelude::*;

    const TESTS: [&str; 7] = [
        "{ path: status.phase, equals: Failed }",
        "{ path: status.phase, in: [Failed, Pending] }",
        "{ path: status.phase, matches: '^(?:F|text-1)' }",
        "{ path: status.phase, contains: end }",
        "{ path: status.phase, or_paths: [status.kubectlStatus], equals: Failed }",
        "{ path: status.phase, not_equals: Failed }",
        "{ path: status.phase, matches: '^$|F' }",
    ];

    fn filter(library: &Library) -> &[Predicate] {
        match library.signatures.first().and_then(|signature| signature.evidence.first()).map(|first| &first.query) {
            Some(Query::Object(query)) => &query.filter,
            _ => &[],
        }
    }

    fn may_pass<'a>(facts: &'a Facts, library: &'a Library) -> Option<Vec<ObjectId>> {
        Indexed::new(facts, library).that_may_pass(OWN, &pods(), filter(library))
    }

    /// Pods in a phase; without one where it is empty, and not shown where there is none.
    fn facts(phases: &[Option<String>]) -> Facts {
        let namespace = || Value::Str("shop".into());
        facts_of(phases.iter().map(|phase| {
            let status = phase
                .as_ref()
                .filter(|phase| !phase.is_empty())
                .map(|phase| ("status", map([("phase", Value::Str(phase.as_str().into()))])));
            (namespace(), status, phase.is_some())
        }))
    }

    #[test]
    fn only_those_are_left_that_say_it_or_of_which_it_is_not_known() {
        let mut phases = vec![Some("Running".to_owned()); MANY];
        phases[7] = Some("Failed".to_owned());
        phases[9] = None;
        let all = facts(&phases);
        for (test, left) in TESTS.iter().zip([Some(2), Some(2), Some(2), Some(1), Some(2), None, None]) {
            let library = library(&format!("kind: pods\n      where: [{test}]"));
            assert_eq!(may_pass(&all, &library).map(|found| found.len()), left, "{test}");
        }
        let few = facts(&phases[..MANY - 1]);
        assert_eq!(may_pass(&few, &library(&format!("kind: pods\n      where: [{}]", TESTS[0]))), None);
    }

    #[test]
    fn values_name_the_first_that_has_them() {
        let facts = facts(&["Running", "Failed", "", "Failed"].map(|phase| Some(phase.to_owned())));
        let library = Library::default();
        let indexed = Indexed::new(&facts, &library);
        let path = Path::parse("status.phase").expect("a path");
        let values = indexed.values_at(OWN, &pods(), &path, Manifests::Count);
        let expected = [("Failed".to_owned(), ObjectId(1)), ("Running".to_owned(), ObjectId(0))];
        assert_eq!(values.get(), Some(&Values::from(expected)));
    }

    proptest! {
        /// Also where there are more texts than are told apart.
        #[test]
        fn whoever_is_left_out_surely_fails(
            phases in prop::collection::vec(prop_oneof![
                4 => prop::sample::select(vec!["Running", "Failed", "Pending", "", "Fa***HIDDEN***"]).prop_map(|phase| Some(phase.to_owned())),
                1 => Just(None),
            ], MANY..MANY + 64),
            others in 0usize..TEXTS * 2,
            test in prop::sample::select(TESTS.to_vec()),
        ) {
            let others = (0..others).map(|number| Some(format!("text-{number}")));
            let phases: Vec<Option<String>> = phases.into_iter().chain(others).collect();
            let facts = facts(&phases);
            let library = library(&format!("kind: pods\n      where: [{test}]"));
            if let Some(found) = may_pass(&facts, &library) {
                for &id in facts.of_kind(OWN, &pods()).iter().filter(|id| found.binary_search(id).is_err()) {
                    prop_assert_eq!(predicate::holds_all(&facts, id, filter(&library)).truth, Truth::False, "{:?}", id);
                }
            }
        }
    }
}
