//! The whole way, from bundles to a diagnosis: the one place that knows the order of the layers.

use crate::compose::Parts;
use assemble::assembly;
use assemble::assembly::BuildOptions;
use assemble::interest::Interest;
use catalogue::kinds::Catalogue;
use diagnosis::model::Diagnosis;
use diagnosis::{seal, together};
use facts::cut::Cut;
use facts::origin::MemberId;
use facts::store::Facts;
use intake::{Limits, Source, Visitor};
use layout::accounted::Accounted;
use layout::apply::Manifests;
use layout::content::BundleContent;
use parse::member;
use parse::member::MemberContent;
use parse::scan::Literals;
use signature::load::Library;
use std::collections::BTreeMap;
use std::io::Read;

pub mod answer;
mod compose;
pub mod inventory;

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
    let collected = collect(inputs, library, catalogue, options, progress)?;
    let outcome = engine::evaluate(&collected.facts, library, catalogue, &collected.literals);
    let analytics = analytics::analyse(&collected.facts, &outcome);
    Ok(compose::compose(Parts {
        bundles: &collected.bundles,
        facts: &collected.facts,
        library,
        outcome,
        analytics,
        options: options.shown.clone(),
    }))
}

/// Makes findings of one signature under one owner one finding with a list, and says so in the answer.
pub fn gather(diagnosis: &mut Diagnosis) {
    together::gather(diagnosis);
    diagnosis.answer = answer::sentence(diagnosis);
    seal::seal_text(&mut diagnosis.answer);
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
    let whole = library.kinds().into_iter().chain(derive::kinds()).chain(checks::kinds());
    let shown = analytics::kinds().chain(inventory::kinds()).chain(assembly::always());
    let interest = Interest::new(whole.collect(), shown.collect()).and_in(checks::placed_kinds());
    let literals = Literals::new(library.literals().into_iter().chain(derive::literals()).chain(checks::literals()));
    let mut next_id = 0;
    let mut bundles = Vec::with_capacity(inputs.len());
    for input in inputs {
        let mut reader = Reader {
            literals: &literals,
            limits: &options.limits,
            interest: &interest,
            catalogue,
            contents: BTreeMap::new(),
            manifests: Manifests::new(),
            progress,
        };
        let intake = intake::read(&input.source, &options.limits, &mut next_id, &mut reader)?;
        let (contents, manifests) = (reader.contents, reader.manifests);
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
    let build_options =
        BuildOptions { contexts: options.contexts.clone(), as_of: options.as_of, wanted: interest.wanted() };
    let mut facts = assembly::build(&mut bundles, catalogue, &build_options);
    derive::derive(&mut facts);
    checks::add_all(&mut facts, options.profile.as_deref());
    Ok(Collected { bundles, facts, literals })
}

/// Bytes up to which a file of a collector's own is read as such. Discovery of a large cluster has some.
const MANIFEST_BYTES: u64 = 16 << 20;

/// Reads each member as it streams past.
struct Reader<'a> {
    literals: &'a Literals,
    limits: &'a Limits,
    interest: &'a Interest,
    catalogue: &'a Catalogue,
    contents: BTreeMap<MemberId, MemberContent>,
    manifests: Manifests,
    progress: &'a mut dyn Progress,
}

impl Visitor for Reader<'_> {
    fn member(&mut self, id: MemberId, name: &str, body: &mut dyn Read) {
        self.progress.member(name);
        let mut body = Counted { body, progress: self.progress };
        let hint = layout::hint(name);
        let read = |body: &mut dyn Read| member::read_known(id, name, body, self.literals, self.limits, &hint.known);
        let mut content = if hint.manifests.is_empty() {
            read(&mut body)
        } else {
            // Read twice: by the collector's own reader, if the layout turns out to be that collector's, and
            // as any other member, if not.
            let mut text = Vec::new();
            // What failed fails again below, where it is said.
            let _ = (&mut body).take(MANIFEST_BYTES).read_to_end(&mut text);
            let content = read(&mut text.as_slice().chain(&mut body));
            self.manifests.extend(layout::apply::read(id, name, &hint, &text));
            content
        };
        self.interest.cut(&mut content, self.catalogue);
        self.contents.insert(id, content);
    }

    fn cut(&mut self, id: MemberId, cut: &Cut) {
        if let Some(content) = self.contents.get_mut(&id) {
            content.cut = Some(cut.clone());
        }
    }
}

/// A body that reports how many bytes were taken from it.
struct Counted<'a> {
    body: &'a mut dyn Read,
    progress: &'a mut dyn Progress,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.body.read(buffer)?;
        self.progress.bytes(count as u64);
        Ok(count)
    }
}
