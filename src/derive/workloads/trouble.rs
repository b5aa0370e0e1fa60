//! What is wrong with one Pod or one controller, as a class with its details.

use crate::reader::Read;
use catalogue::nouns;
use facts::kind::KindName;
use facts::provenance::Cited;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static CLASSES: LazyLock<Vec<&'static str>> = LazyLock::new(|| names("status.", ".*"));

static LISTS: LazyLock<Vec<&'static str>> = LazyLock::new(|| names("status.*.", "[]"));

/// The fields of workloads that the catalogue names so, in its order.
fn names(before: &str, behind: &str) -> Vec<&'static str> {
    let rows = nouns::fields(&KindName::parse("workloads.casefile.dev")).iter().flat_map(|field| &field.names);
    rows.filter_map(|name| name.strip_prefix(before)?.strip_suffix(behind)).filter(|name| !name.contains('*')).collect()
}

/// May several Pods have several of a detail? Of the others the first one stands for all.
pub(crate) fn is_list(detail: &str) -> bool {
    LISTS.contains(&detail)
}

/// A class of trouble: a field below `status` that `patterns/kinds.yaml` names for workloads. The order there is how near
/// to the cause they are: where several hold, the first counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Class(usize);

impl Class {
    /// The class of a field below `status`.
    pub(crate) fn of(field: &str) -> Self {
        let place = CLASSES.iter().position(|known| *known == field);
        debug_assert!(place.is_some(), "`patterns/kinds.yaml` names no class `{field}` of workloads");
        Self(place.unwrap_or(usize::MAX))
    }

    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..CLASSES.len()).map(Self)
    }

    /// The field below `status`.
    pub(crate) fn field(self) -> &'static str {
        CLASSES.get(self.0).copied().unwrap_or_default()
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Trouble {
    pub class: Class,
    /// It surely holds now: it was not merely there for a moment.
    pub lasting: bool,
    /// Details by field name, with their places. Several values make a list.
    pub details: BTreeMap<&'static str, Vec<Read>>,
    pub places: Vec<Cited>,
}

impl Trouble {
    /// A trouble that rests on one answer.
    pub(crate) fn new(class: &str, lasting: bool, because: &Read) -> Self {
        Self { class: Class::of(class), lasting, details: BTreeMap::new(), places: vec![because.cited.clone()] }
    }

    /// Adds what there is of a detail.
    #[must_use]
    pub(crate) fn with(mut self, field: &'static str, reads: impl IntoIterator<Item = Read>) -> Self {
        for read in reads.into_iter().filter(|read| !read.text.is_empty()) {
            self.details.entry(field).or_insert_with(|| Vec::with_capacity(1)).push(read);
        }
        self
    }

    /// Adds what there is of a detail in our own words, which rests on what the trouble rests on.
    #[must_use]
    pub(crate) fn saying(self, field: &'static str, texts: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let Some(cited) = self.places.first().cloned() else { return self };
        let reads = texts.into_iter().map(|text| Read { text: text.as_ref().to_owned(), cited: cited.clone() });
        self.with(field, reads.collect::<Vec<_>>())
    }
}
