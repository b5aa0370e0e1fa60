//! What to collect next: the commands that could still change a verdict.
//!
//! Invariants: nothing is asked for unless something is suspected; an unknown that no collecting can
//! help (a conflict, a limit, a wording) asks for nothing; each command stands once, the one that decides
//! most findings first.

use crate::entity::Subject;
use crate::evidence::Held;
use crate::gap::Gap;
use crate::logic::Truth;
use crate::text::Words;
use crate::verdict::Rules;
use catalogue::kinds::Catalogue;
use catalogue::kinds::Collect;
use diagnosis::model::{Ask, GapCause};
use facts::kind::KindName;
use facts::store::Facts;
use signature::captured;
use signature::model::{ObjectQuery, Query, Signature, Target, VerdictWord};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A command: where to run it, the command, and what to look out for.
pub(crate) type Command = (String, String, Option<String>);

/// What to look out for where the list is there and its command is not.
const WITH_ITS_COMMAND: &str = "keep the command with what it prints, for example in a copied terminal session: a list alone may have been filtered";

/// What to look out for where the object is there and nothing tells how old what it states is.
const WITH_THE_TIME: &str =
    "run `date -u` beside it and keep both outputs: nothing in the bundle says when it was collected";

/// What the findings of a run ask for.
#[derive(Debug, Default)]
pub struct Asks {
    by_command: BTreeMap<Arc<Command>, BTreeSet<String>>,
}

/// One finding that may ask.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'a> {
    pub facts: &'a Facts,
    /// Default commands by kind.
    pub catalogue: &'a Catalogue,
    pub signature: &'a Signature,
    /// Its entity.
    pub subject: &'a Subject,
    /// Its evidence.
    pub held: &'a [Held],
    pub verdict: VerdictWord,
}

impl Asks {
    /// Adds what one finding asks for, by its anchor in the report.
    pub fn add(&mut self, wants: &[Arc<Command>], anchor: &str) {
        for command in wants {
            self.by_command.entry(Arc::clone(command)).or_default().insert(anchor.to_owned());
        }
    }

    /// All commands, the most deciding first.
    pub fn sorted(self) -> Vec<Ask> {
        let ask = |(command, anchors): (Arc<Command>, BTreeSet<String>)| {
            let (on, command, note) = Arc::unwrap_or_clone(command);
            Ask { command, on, note, decides: anchors.into_iter().collect() }
        };
        let mut asks: Vec<Ask> = self.by_command.into_iter().map(ask).collect();
        asks.sort_by(|a, b| {
            b.decides.len().cmp(&a.decides.len()).then_with(|| (&a.on, &a.command).cmp(&(&b.on, &b.command)))
        });
        asks
    }
}

impl Asking<'_> {
    /// What the finding asks for.
    pub(crate) fn wants(&self) -> BTreeSet<Command> {
        if !matches!(self.verdict, VerdictWord::Probable | VerdictWord::Undecided) {
            return BTreeSet::new();
        }
        let evidence = &self.signature.evidence;
        let lines: Vec<bool> = evidence.iter().map(|e| matches!(e.query, Query::Log(_))).collect();
        let rules = Rules::of(self.signature);
        let mut wanted = BTreeSet::new();
        for index in rules.could_change(&rules.views(self.held), &lines) {
            behind(self, index, &mut wanted);
        }
        let mut commands: BTreeSet<Command> = wanted.into_iter().filter_map(|index| command(self, index)).collect();
        if let Some(cap) = self.subject.cap.as_ref().filter(|cap| cap.can_be_collected())
            && let Some((_, kind)) = &cap.wants
        {
            commands.extend(by_default(self, kind));
        }
        commands
    }
}

/// The evidence to collect for an unknown one: itself, or, where it only lacks a captured value, the
/// evidence that captures it.
fn behind(asking: &Asking<'_>, index: usize, wanted: &mut BTreeSet<usize>) {
    let Some(held) = asking.held.get(index) else { return };
    if held.truth != Truth::Unknown {
        // A list that may have been filtered is to be made again, with its command.
        if held.answered.weakest.is_listed() {
            wanted.insert(index);
        }
        return;
    }
    let gaps: &[Gap] = &held.answered.gaps;
    if !gaps.iter().any(|gap| gap.cause() == GapCause::Unbound) {
        if gaps.iter().any(Gap::can_be_collected) {
            wanted.insert(index);
        }
        return;
    }
    for definer in captured::definers(&asking.signature.evidence, index) {
        if definer < index {
            behind(asking, definer, wanted);
        }
    }
}

fn command(asking: &Asking<'_>, index: usize) -> Option<Command> {
    let words = Words { facts: asking.facts, signature: asking.signature, subject: asking.subject, held: asking.held };
    let held = asking.held.get(index)?;
    let again = match held.truth {
        Truth::Unknown => {
            held.answered.gaps.iter().all(|gap| gap.why.is_of_the_clock()).then(|| WITH_THE_TIME.to_owned())
        }
        _ => Some(WITH_ITS_COMMAND.to_owned()),
    };
    if let Some(Collect { on, run, note }) = &asking.signature.evidence.get(index)?.collect {
        return Some((on.clone(), words.fill_plain_command(run), again.or_else(|| note.clone())));
    }
    let kind = match held.answered.gaps.iter().find_map(|gap| gap.wants.as_ref()) {
        Some((_, kind)) => kind,
        None => match &asking.signature.evidence.get(index)?.query {
            Query::Object(ObjectQuery { target: Target::Kinds(kinds), .. }) => kinds.first()?,
            _ => return None,
        },
    };
    let (on, run, note) = by_default(asking, kind)?;
    Some((on, run, again.or(note)))
}

/// The command of the catalogue. No command lists a derived kind.
fn by_default(asking: &Asking<'_>, kind: &KindName) -> Option<Command> {
    if kind.group == "casefile.dev" {
        return None;
    }
    let Collect { on, run, note } = asking.catalogue.collect_command(kind);
    Some((on, run, note))
}
