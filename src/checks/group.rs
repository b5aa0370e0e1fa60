//! Objects of an installation by what they are for: the rows of `groups` in `patterns/checks.yaml`.
//!
//! A check names those that must have been collected before it can decide anything. Why stated: a check whose input was
//! not collected must say so, with the input; one that merely found nothing would vanish from the report.
//!
//! Invariant: that there are none is said only where a row names what proves it.

use crate::checklist::Checklist;
use crate::installation::Installation;
use crate::object::Object;
use crate::provider::Provider;
use crate::select::Objects;
use crate::sentence::Sentence;
use crate::subject::Subject;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The names that objects and values may have; each has a row.
pub(super) const NAMES: [&str; 19] = [
    "provider",
    "cluster",
    "infrastructure",
    "credentials",
    "control-plane",
    "templates",
    "template",
    "pools",
    "releases",
    "release",
    "kubeadm-release",
    "request",
    "import-map",
    "etcd-sync",
    "progress",
    "installers",
    "installer-log",
    "machines",
    "etcd-certificate",
];

/// Objects that more than a kind, a name and labels tell.
type Told = (&'static str, for<'a, 'f> fn(&'a Installation<'f>) -> Vec<Object<'f>>);

const TOLD: [Told; 3] = [
    ("provider", |here| {
        let clusters = here.provider().map(|own| here.all(&Provider::kind(&own.clusters)));
        clusters.into_iter().flat_map(|own| here.one("cluster").into_iter().chain(own)).collect()
    }),
    ("infrastructure", |here| here.infrastructure().into_iter().collect()),
    ("etcd-certificate", |here| here.etcd_certificate().into_iter().collect()),
];

/// Objects by what they are for, and what is said where nothing tells whether they are there.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Group {
    /// Its name, as `of` and `needs` of a check have it.
    pub name: String,
    /// The platform must have been installed, or must not have been.
    pub installed: Option<bool>,
    /// Where they are looked for; of what names none the platform alone counts.
    of: Option<Objects>,
    /// Those alone that have these labels.
    #[serde(default)]
    labels: BTreeMap<String, String>,
    /// The first alone.
    #[serde(default)]
    first: bool,
    /// What proves that there are none: the lack of this object, or a whole list of these.
    proof: Option<Objects>,
    /// Another one, without which nothing tells what these objects would be.
    pub after: Option<String>,
    /// Once the platform is installed nobody needs it.
    #[serde(default)]
    until_installed: bool,
    /// What is said where nothing tells whether it is there.
    #[serde(default)]
    unknown: Sentence,
}

/// Why what a check needs is not there.
#[derive(Debug)]
pub(super) enum Unmet {
    /// It surely does not exist, which another check says: this one does not apply.
    Absent,
    /// It was not collected: a sentence.
    Unknown(String),
}

impl Group {
    /// The one of this name.
    pub(super) fn of(name: &str) -> Option<&'static Self> {
        Checklist::built_in().groups.iter().find(|own| own.name == name)
    }

    /// What it finds in an installation: one subject at least, if only that there is none.
    pub(super) fn subjects<'f>(&self, here: &Installation<'f>) -> Vec<Subject<'f>> {
        let told = TOLD.iter().find(|(known, _)| *known == self.name).map(|(_, get)| get(here));
        let is_labelled = |object: &Object<'_>| {
            self.labels.iter().all(|(key, wanted)| object.label(key).text().as_ref() == Some(wanted))
        };
        let listed = || self.of.iter().flat_map(|of| of.subjects(here)).filter_map(|found| found.object().copied());
        let mut found = told.unwrap_or_else(|| listed().filter(is_labelled).collect());
        found.truncate(if self.first { 1 } else { usize::MAX });
        let proof = || self.proof.as_ref()?.0.first()?.proof(here);
        Subject::of(found.into_iter().map(Subject::Object).collect(), proof)
    }

    /// Whether a check that needs it can be decided.
    ///
    /// # Errors
    /// With the reason why it cannot.
    pub(super) fn met(&self, here: &Installation<'_>) -> Result<(), Unmet> {
        let installed = here.is_installed();
        if self.installed.is_some_and(|wanted| wanted != installed) {
            return Err(Unmet::Absent);
        }
        let found = self.subjects(here);
        if !NAMES.contains(&self.name.as_str()) || found.iter().any(|found| matches!(found, Subject::Object(_))) {
            return Ok(());
        }
        self.after.as_deref().and_then(Self::of).map_or(Ok(()), |other| other.met(here))?;
        if self.until_installed && installed || found.iter().any(|found| matches!(found, Subject::Missing(_))) {
            return Err(Unmet::Absent);
        }
        Err(Unmet::Unknown(self.unknown.fill(|word| here.word(word).unwrap_or_default())))
    }
}
