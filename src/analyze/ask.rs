//! One analyzer, asked of one cluster or of the files; and its answers.

use crate::known::{Known, Open, Why};
use crate::model;
use crate::spec::{Analyzer, Judges, Outcome};
use crate::world::World;
use facts::object::ObjectId;
use facts::origin::Citation;

/// What an analyzer sees.
#[derive(Clone, Copy)]
pub(crate) struct Ask<'a> {
    pub analyzer: &'a Analyzer,
    pub world: &'a World<'a>,
    /// `checkName`, or what Troubleshoot calls it.
    pub title: &'a str,
    /// The files that it reads.
    pub patterns: &'a [crate::files::Pattern],
}

/// One result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub title: String,
    pub outcome: model::Outcome,
    pub message: String,
    pub uri: Option<String>,
    pub object: Option<String>,
    pub at: Vec<Citation>,
}

/// The first outcome whose condition holds. One that is open ends the search: it could have been the one.
pub(crate) fn first(outcomes: &[Outcome], mut holds: impl FnMut(&str) -> Known<bool>) -> Known<Option<&Outcome>> {
    for outcome in outcomes {
        if outcome.when.is_empty() || holds(&outcome.when)? {
            return Ok(Some(outcome));
        }
    }
    Ok(None)
}

impl From<Judges> for model::Outcome {
    fn from(judges: Judges) -> Self {
        match judges {
            Judges::Fail => Self::Fail,
            Judges::Warn => Self::Warn,
            Judges::Pass => Self::Pass,
        }
    }
}

impl Answer {
    /// An outcome of the spec, with its message as it is.
    pub(crate) fn of(title: &str, outcome: &Outcome, at: Vec<Citation>) -> Self {
        Self {
            title: title.to_owned(),
            outcome: outcome.judges.into(),
            message: outcome.message.clone(),
            uri: outcome.uri.clone(),
            object: None,
            at,
        }
    }

    /// What Troubleshoot says by itself.
    pub(crate) fn own(title: &str, outcome: model::Outcome, message: impl Into<String>, at: Vec<Citation>) -> Self {
        Self { title: title.to_owned(), outcome, message: message.into(), uri: None, object: None, at }
    }

    /// It is open.
    pub(crate) fn open(title: &str, open: Open) -> Self {
        Self::own(title, model::Outcome::Unknown, open.why.to_string(), open.at)
    }

    /// It was decided, and no outcome applies.
    pub(crate) fn nothing(title: &str, at: Vec<Citation>) -> Self {
        Self::own(title, model::Outcome::NoResult, "no outcome of the spec applies", at)
    }

    /// What was found: an outcome, none, or why it is open.
    pub(crate) fn found(title: &str, found: Known<Option<&Outcome>>, at: Vec<Citation>) -> Self {
        match found {
            Ok(Some(outcome)) => Self::of(title, outcome, at),
            Ok(None) => Self::nothing(title, at),
            Err(mut open) => {
                if open.at.is_empty() {
                    open.at = at;
                }
                Self::open(title, open)
            }
        }
    }

    pub(crate) fn with_message(mut self, message: String) -> Self {
        self.message = message;
        self
    }

    pub(crate) fn about(mut self, world: &World<'_>, id: ObjectId) -> Self {
        self.object = Some(world.name(id));
        self
    }
}

impl Ask<'_> {
    /// One answer that is open.
    pub(crate) fn open(&self, why: impl Into<Open>) -> Vec<Answer> {
        vec![Answer::open(self.title, why.into())]
    }

    /// The last outcome of the spec that judges so: analyzers that know two cases take no conditions.
    pub(crate) fn judged(&self, judges: Judges) -> Option<&Outcome> {
        self.analyzer.outcomes.iter().rev().find(|outcome| outcome.judges == judges)
    }

    /// One of two cases.
    pub(crate) fn either(&self, is_pass: bool, default: &str, at: Vec<Citation>) -> Answer {
        let judges = if is_pass { Judges::Pass } else { Judges::Fail };
        let mut answer = Answer::own(self.title, judges.into(), default, at);
        if let Some(outcome) = self.judged(judges) {
            if !outcome.message.is_empty() {
                answer.message.clone_from(&outcome.message);
            }
            answer.uri.clone_from(&outcome.uri);
        }
        answer
    }

    /// The one file of an analyzer.
    pub(crate) fn file(&self) -> Known<&crate::files::File> {
        let path = self.patterns.first().map(crate::files::Pattern::shown).unwrap_or_default();
        let found = self.patterns.iter().flat_map(|pattern| self.world.files.fitting(pattern)).next();
        match found {
            Some(file) => Ok(file),
            None if self.world.files.is_stdin() => Err(Why::Stdin.into()),
            None => Err(Why::NoFile(path).into()),
        }
    }

    /// All files of an analyzer; at least one.
    pub(crate) fn all_files(&self) -> Known<Vec<&crate::files::File>> {
        self.file()?;
        Ok(self.patterns.iter().flat_map(|pattern| self.world.files.fitting(pattern)).collect())
    }
}
