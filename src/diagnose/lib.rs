//! The whole way, from bundles to a diagnosis: the one place that knows the order of the layers.

use crate::compose::Parts;
use crate::ledger::Ledger;
use crate::pipeline::{Parsed, Parser};
use assemble::assembly;
use assemble::assembly::BuildOptions;
use assemble::interest::Interest;
use catalogue::kinds::Catalogue;
use diagnosis::model::Diagnosis;
use diagnosis::pseudonyms::Names;
use diagnosis::{seal, summary, together};
use facts::cut::Cut;
use facts::origin::MemberId;
use facts::store::Facts;
use intake::{Limits, Source};
use layout::accounted::Accounted;
use layout::content::BundleContent;
use parse::scan::Literals;
use signature::load::Library;
use std::collections::BTreeMap;
use std::num::NonZero;

pub mod answer;
mod compose;
mod further;
pub mod inventory;
mod ledger;
mod names;
pub mod needs;
mod pasted;
mod pictures;
mod pipeline;
mod replaced;
mod surroundings;

/// How much of what a bundle holds is kept, within the same budget of memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Keep {
    /// What signatures, derived objects and reports read: all that a diagnosis needs.
    #[default]
    Read,
    /// Every object of every kind, with all of its fields but the bookkeeping of `managedFields`: what queries,
    /// exports and comparisons are asked about. Where the budget ends, the member says so, as ever.
    All,
}

/// Options of a run. Everything here that shapes the result is printed in the report.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Bounds on what is read.
    pub limits: Limits,
    /// `--context NAME=PATH`.
    pub contexts: Vec<(String, String)>,
    /// `--as-of`.
    pub as_of: Option<jiff::Timestamp>,
    /// `--profile`.
    pub profile: Option<String>,
    /// Options as given, for the report.
    pub shown: BTreeMap<String, String>,
    /// How much of each object is kept.
    pub keep: Keep,
    /// Threads that parse; as many as there are cores if not given. The result does not depend on it.
    pub threads: Option<NonZero<usize>>,
}

impl Options {
    fn threads(&self) -> NonZero<usize> {
        self.threads.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN)
    }
}

/// One bundle on the command line.
#[derive(Debug, Clone)]
pub struct Input {
    /// Where to read it.
    pub source: Source,
    /// A context name for all of it (`--as`).
    pub context: Option<String>,
}

/// All facts of a run with the bundles they came from.
#[derive(Debug)]
pub struct Collected {
    /// The bundles as read.
    pub bundles: Vec<BundleContent>,
    pub facts: Facts,
    /// The literals that were searched.
    pub literals: Literals,
}

/// Tells a person how far the reading is.
pub trait Progress {
    /// A member is about to be read.
    fn member(&mut self, name: &str);
    /// The bundle was read so far: bytes of its file, and how many there are.
    fn part(&mut self, _done: u64, _of: u64) {}
    /// So many more bytes of members were read.
    fn bytes(&mut self, count: u64);
}

/// No progress at all.
#[derive(Debug, Clone, Copy)]
pub struct Quiet;

impl Progress for Quiet {
    fn member(&mut self, _name: &str) {}
    fn bytes(&mut self, _count: u64) {}
}

/// Reads bundles and decides every signature of the library, with a finding for each entity; [`gather`] makes those
/// of one owner one.
///
/// # Errors
/// If one of the bundles cannot be read at all.
pub fn diagnose(
    inputs: &[Input],
    library: &Library,
    catalogue: &Catalogue,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<Diagnosis, intake::Error> {
    Ok(diagnose_named(inputs, library, catalogue, options, progress)?.0)
}

/// The same, with the names of the bundles that say whose they are, for [`diagnosis::pseudonyms`].
///
/// # Errors
/// If one of the bundles cannot be read at all.
pub fn diagnose_named(
    inputs: &[Input],
    library: &Library,
    catalogue: &Catalogue,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<(Diagnosis, Names), intake::Error> {
    let collected = collect(inputs, library, catalogue, options, progress)?;
    Ok((decide(&collected, library, catalogue, options), names(&collected)))
}

/// The names in what was read that say whose it is, for [`diagnosis::pseudonyms`].
pub fn names(collected: &Collected) -> Names {
    names::names(&collected.facts)
}

/// Decides every signature of the library over what was read.
pub fn decide(collected: &Collected, library: &Library, catalogue: &Catalogue, options: &Options) -> Diagnosis {
    let (outcome, wanted) = std::thread::scope(|threads| {
        let wanted = threads.spawn(|| needs::needs(&collected.facts, library, catalogue));
        let outcome = engine::evaluate(&collected.facts, library, catalogue, &collected.literals);
        let wanted = wanted.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (outcome, wanted)
    });
    let analytics = analytics::analyse(&collected.facts, &outcome);
    compose::compose(Parts {
        bundles: &collected.bundles,
        facts: &collected.facts,
        library,
        outcome,
        analytics,
        wanted,
        options: options.shown.clone(),
    })
}

/// What tells bundles apart: SHA-256 over the sorted list of the names and hashes of its members, in hex. The order of
/// an archive, and whether it is one, do not count.
pub fn bundle_id(bundle: &BundleContent) -> String {
    compose::bundle_id(&bundle.intake)
}

/// Makes findings of one signature under one owner one finding with a list, and says so in the answer.
pub fn gather(diagnosis: &mut Diagnosis) {
    together::gather(diagnosis);
    diagnosis.summary = summary::of(diagnosis);
    diagnosis.answer = answer::sentence(diagnosis);
    seal::seal_text(&mut diagnosis.answer);
}

/// Why a diagnosis says nothing at all: nothing was understood of what was read. `None` if it says something.
pub fn nothing(diagnosis: &Diagnosis) -> Option<String> {
    let why = answer::nothing(diagnosis)?;
    let first = diagnosis.unread.first().map(|row| format!(" ({}: {})", row.member, row.reason));
    Some(format!("{why}{}", first.unwrap_or_default()))
}

/// Reads bundles into facts: what `inspect` shows and the engine decides on.
///
/// # Errors
/// If one of the bundles cannot be read at all.
pub fn collect(
    inputs: &[Input],
    library: &Library,
    catalogue: &Catalogue,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<Collected, intake::Error> {
    let whole = library.kinds().into_iter().chain(derive::kinds()).chain(checks::kinds()).chain(symptoms::kinds());
    let shown = analytics::kinds().chain(inventory::kinds()).chain(assembly::always());
    let interest = Interest::new(whole.collect(), shown.collect()).and_in(checks::placed_kinds());
    let interest = match options.keep {
        Keep::Read => interest,
        Keep::All => interest.and_all(),
    };
    let literals = Literals::new(
        library.literals().into_iter().chain(derive::literals()).chain(symptoms::literals()).chain(checks::literals()),
    );
    let mut next_id = 0;
    let mut bundles = Vec::with_capacity(inputs.len());
    let limits = &options.limits;
    let mut left = limits.memory_of_facts();
    for input in inputs {
        let ledger = Ledger::new(limits, left, MemberId(next_id));
        let threads = options.threads();
        let parser = Parser { literals: &literals, limits, interest: &interest, catalogue, ledger: &ledger, threads };
        let (mut intake, Parsed { manifests }) = pipeline::read(parser, &input.source, &mut next_id, progress)?;
        let (contents, rest) = ledger.close();
        left = rest;
        for member in intake.members.iter_mut().filter(|member| member.cut.is_none()) {
            member.cut = contents.get(&member.id).and_then(ledger::limit).cloned().map(Cut::Limit);
        }
        let mut bundle = BundleContent {
            intake,
            contents,
            layout: String::new(),
            accounted: Accounted::default(),
            context: input.context.clone(),
        };
        layout::apply::apply(&mut bundle, manifests, catalogue);
        bundles.push(bundle);
    }
    let build_options = BuildOptions {
        contexts: options.contexts.clone(),
        as_of: options.as_of,
        wanted: interest.wanted(),
        every_kind: interest.is_all(),
    };
    let mut facts = assembly::build(&mut bundles, catalogue, &build_options);
    derive::derive(&mut facts);
    let whole = bundles.iter().all(|bundle| bundle.intake.damage.is_empty() && bundle.intake.limits_hit.is_empty());
    symptoms::add_all(&mut facts, whole);
    checks::add_all(&mut facts, options.profile.as_deref());
    Ok(Collected { bundles, facts, literals })
}
