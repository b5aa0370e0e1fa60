//! The bench on which tests run: members held in memory go the way of a bundle, less what is taken away.
//!
//! Why one bench for all tests: the automaton over the texts of the whole library is the dearest part of a small
//! bundle, and is the same for each.
//!
//! Invariant: a test takes the same way as a bundle (members, records, facts, derived objects, verdicts); only the
//! intake is left out.

use assemble::assembly::{self, BuildOptions};
use catalogue::kinds::Catalogue;
use diagnose::Collected;
use engine::Outcome;
use facts::kind::KindName;
use facts::object::ObjectId;
use facts::origin::MemberId;
use facts::store::Facts;
use intake::{Intake, Limits, Member};
use layout::content::BundleContent;
use parse::scan::Literals;
use parse::transcript::shell;
use parse::{command, member};
use sha2::Digest;
use signature::load::Library;
use signature::model::Signature;
use signature::tests_file::Case;
use std::collections::{BTreeMap, BTreeSet};

/// Something that can be taken away from a bundle.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// All objects of a kind, and every answer about it.
    Kind(KindName),
    /// All log streams of a class; `None` those of unknown class.
    Class(Option<String>),
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Part::Kind(kind) => write!(f, "{kind}"),
            Part::Class(Some(class)) => write!(f, "the {class} logs"),
            Part::Class(None) => f.write_str("the logs of unknown class"),
        }
    }
}

/// What every test of a run needs.
#[derive(Debug)]
pub struct Bench<'a> {
    /// The signatures, all of which are decided in each test.
    pub library: &'a Library,
    /// What the field knows.
    pub catalogue: &'a Catalogue,
    literals: Literals,
    wanted: BTreeSet<KindName>,
}

pub(crate) struct Decided {
    pub(crate) outcome: Outcome,
    pub(crate) facts: Facts,
    pub(crate) parts: BTreeSet<Part>,
}

impl<'a> Bench<'a> {
    /// Prepares what all tests share.
    pub fn new(library: &'a Library, catalogue: &'a Catalogue) -> Self {
        let placed = checks::placed_kinds().into_iter().map(|(kind, _)| kind);
        let kinds = library.kinds().into_iter().chain(derive::kinds()).chain(checks::kinds()).chain(symptoms::kinds());
        let texts = library
            .literals()
            .into_iter()
            .chain(derive::literals())
            .chain(symptoms::literals())
            .chain(checks::literals());
        Self { library, catalogue, literals: Literals::new(texts), wanted: kinds.chain(placed).collect() }
    }

    pub(crate) fn decide(&self, case: &Case, gone: &BTreeSet<Part>) -> Decided {
        self.decide_some(case, gone, &|_| true)
    }

    /// The same of those signatures that are wanted.
    pub(crate) fn decide_some(
        &self,
        case: &Case,
        gone: &BTreeSet<Part>,
        is_wanted: &(dyn Fn(&Signature) -> bool + Sync),
    ) -> Decided {
        let (collected, parts) = self.collect_case(case, gone);
        let facts = collected.facts;
        let outcome = engine::evaluate_some(&facts, self.library, self.catalogue, &self.literals, is_wanted);
        Decided { outcome, facts, parts }
    }

    /// The literals that are searched in each test.
    pub fn literals(&self) -> &Literals {
        &self.literals
    }

    /// Reads members that are held in memory into facts, less some parts. Also gives all parts there were.
    pub fn collect(
        &self,
        members: impl IntoIterator<Item = (String, Vec<u8>)>,
        as_of: Option<jiff::Timestamp>,
        gone: &BTreeSet<Part>,
    ) -> (Collected, BTreeSet<Part>) {
        self.assemble(self.read(members, &BTreeMap::new()), as_of, gone)
    }

    /// The facts of a test, less some parts. Also gives all parts there were.
    pub fn collect_case(&self, case: &Case, gone: &BTreeSet<Part>) -> (Collected, BTreeSet<Part>) {
        let members = case.files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes()));
        self.assemble(self.read(members, &case.commands), case.as_of, gone)
    }

    /// Reads members that are held in memory; the commands that printed some of them are known.
    pub fn read(
        &self,
        members: impl IntoIterator<Item = (String, Vec<u8>)>,
        commands: &BTreeMap<String, String>,
    ) -> BundleContent {
        let literals = &self.literals;
        let limits = Limits::default();
        let mut intake = Intake { name: "test".to_owned(), ..Intake::default() };
        let mut contents = BTreeMap::new();
        for (number, (name, bytes)) in (0..).zip(members) {
            let id = MemberId(number);
            let shell = |line: &String| shell::read(line).filter(|shell| shell.filter.is_none());
            let command = commands.get(&name);
            let command = command.and_then(|line| command::parse(line).or_else(|| Some(shell(line)?.command)));
            let content = member::read_with(id, &name, &mut bytes.as_slice(), literals, &limits, command.as_ref());
            contents.insert(id, content);
            let sha256 = sha2::Sha256::digest(&bytes).into();
            intake.members.push(Member { id, name, bytes: bytes.len() as u64, sha256, cut: None });
        }
        intake.members.sort_by(|a, b| (&a.name, a.sha256).cmp(&(&b.name, b.sha256)));
        BundleContent { intake, contents, layout: "folder".to_owned(), accounted: Default::default(), context: None }
    }

    /// Puts the facts of a bundle together, less some parts. Also gives all parts there were.
    pub fn assemble(
        &self,
        bundle: BundleContent,
        as_of: Option<jiff::Timestamp>,
        gone: &BTreeSet<Part>,
    ) -> (Collected, BTreeSet<Part>) {
        let mut bundles = vec![bundle];
        let options = BuildOptions { as_of, wanted: self.wanted.clone(), ..BuildOptions::default() };
        let mut facts = assembly::build(&mut bundles, self.catalogue, &options);
        let parts = parts(&facts);
        for part in gone {
            take(&mut facts, part);
        }
        derive::derive(&mut facts);
        symptoms::add_all(&mut facts, true);
        checks::add_all(&mut facts, None);
        (Collected { bundles, facts, literals: self.literals.clone() }, parts)
    }
}

/// Every kind and every log class that facts hold.
pub fn parts(facts: &Facts) -> BTreeSet<Part> {
    let kinds = facts.by_kind.keys().map(|(_, kind)| kind).chain(facts.coverage.iter().map(|c| &c.answer.kind));
    let classes = facts.streams.iter().map(|stream| Part::Class(stream.class.clone()));
    kinds.map(|kind| Part::Kind(kind.clone())).chain(classes).collect()
}

/// What a `without` entry names: a kind or a class that is there.
pub(crate) fn part(what: &str, parts: &BTreeSet<Part>) -> Option<Part> {
    [Part::Kind(KindName::parse(what)), Part::Class(Some(what.to_owned()))].into_iter().find(|p| parts.contains(p))
}

/// Takes a part out of the facts, before anything is derived from them.
pub fn take(facts: &mut Facts, part: &Part) {
    match part {
        Part::Class(class) => facts.streams.retain(|stream| stream.class != *class),
        Part::Kind(kind) => {
            facts.coverage.retain(|coverage| coverage.answer.kind != *kind);
            facts.objects.retain(|object| object.kind != *kind);
            facts.by_kind.clear();
            for (number, object) in (0..).zip(&facts.objects) {
                facts.by_kind.entry((object.context, object.kind.clone())).or_default().push(ObjectId(number));
            }
        }
    }
}
