//! The way of a bundle that is held in memory, from bytes to verdicts, for the targets that need more than one parser.

use assemble::assembly::{self, BuildOptions};
use catalogue::kinds::Catalogue;
use engine::Outcome;
use facts::kind::KindName;
use facts::origin::MemberId;
use facts::store::Facts;
use intake::{Intake, Limits, Member};
use layout::content::BundleContent;
use parse::member;
use parse::scan::Literals;
use signature::load::Library;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

pub static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::built_in);
pub static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::built_in().expect("the built-in signatures are valid"));
static LITERALS: LazyLock<Literals> = LazyLock::new(|| {
    Literals::new(LIBRARY.literals().into_iter().chain(derive::literals()).chain(checks::literals()))
});

/// The members of a bundle.
pub type Members = Vec<(String, Vec<u8>)>;

/// The facts of members.
pub fn facts(members: Members, as_of: Option<jiff::Timestamp>) -> Facts {
    let mut intake = Intake { name: "fuzz".to_owned(), ..Intake::default() };
    let mut contents = BTreeMap::new();
    for (number, (name, bytes)) in (0..).zip(members) {
        let id = MemberId(number);
        let content = member::read(id, &name, &mut bytes.as_slice(), &LITERALS, &Limits::default());
        contents.insert(id, content);
        let sha256 = [u8::try_from(number).unwrap_or(u8::MAX); 32];
        intake.members.push(Member { id, name, bytes: bytes.len() as u64, sha256, cut: None });
    }
    intake.members.sort_by(|a, b| (&a.name, a.sha256).cmp(&(&b.name, b.sha256)));
    let bundle =
        BundleContent { intake, contents, layout: "folder".to_owned(), accounted: Default::default(), context: None };
    let placed = checks::placed_kinds().into_iter().map(|(kind, _)| kind);
    let wanted: BTreeSet<KindName> =
        LIBRARY.kinds().into_iter().chain(derive::kinds()).chain(checks::kinds()).chain(placed).collect();
    let mut facts = assembly::build(&mut vec![bundle], &CATALOGUE, &BuildOptions { as_of, wanted, ..BuildOptions::default() });
    derive::derive(&mut facts);
    checks::add_all(&mut facts, None);
    facts
}

/// What is decided of facts.
#[allow(dead_code, reason = "not every target decides")]
pub fn decide(facts: &Facts) -> Outcome {
    engine::evaluate(facts, &LIBRARY, &CATALOGUE, &LITERALS)
}
