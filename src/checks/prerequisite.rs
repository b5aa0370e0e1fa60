//! What must have been collected before a check can decide anything: the rows of `inputs` in `patterns/checks.yaml`.
//!
//! Why stated: a check whose input was not collected must say so, with the input; one that merely found
//! nothing would vanish from the report. So a check is decided only when all of its prerequisites are met.

use crate::checklist::Checklist;
use crate::installation::Installation;
use crate::select::Objects;
use crate::sentence::Sentence;
use crate::subject::Subject;
use serde::Deserialize;

/// An input of a check.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Prerequisite {
    /// Its name, as `needs` of a check has it.
    pub name: String,
    /// The platform must have been installed, or must not have been.
    pub installed: Option<bool>,
    /// The objects that it is, one at least; of what names none the platform alone counts.
    of: Option<Objects>,
    /// Another one, without which nothing tells what these objects would be.
    pub after: Option<String>,
    /// Once the platform is installed nobody needs it.
    #[serde(default)]
    until_installed: bool,
    /// What is said where nothing tells whether it is there.
    #[serde(default)]
    unknown: Sentence,
}

/// Why a prerequisite is not met.
#[derive(Debug)]
pub(super) enum Unmet {
    /// It surely does not exist, which another check says: this one does not apply.
    Absent,
    /// It was not collected: a sentence.
    Unknown(String),
}

impl Prerequisite {
    /// Whether the one of this name is met.
    ///
    /// # Errors
    /// With the reason why it is not.
    pub(super) fn met(name: &str, here: &Installation<'_>) -> Result<(), Unmet> {
        let inputs = &Checklist::built_in().inputs;
        let Some(own) = inputs.iter().find(|own| own.name == name) else { return Ok(()) };
        let installed = here.is_installed();
        if own.installed.is_some_and(|wanted| wanted != installed) {
            return Err(Unmet::Absent);
        }
        let Some(of) = &own.of else { return Ok(()) };
        let found = of.subjects(here);
        if found.iter().any(|found| matches!(found, Subject::Object(_))) {
            return Ok(());
        }
        own.after.iter().try_for_each(|other| Self::met(other, here))?;
        if own.until_installed && installed || found.iter().any(|found| matches!(found, Subject::Missing(_))) {
            return Err(Unmet::Absent);
        }
        Err(Unmet::Unknown(own.unknown.fill(|word| here.word(word).unwrap_or_default())))
    }
}
