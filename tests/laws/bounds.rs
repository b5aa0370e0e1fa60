//! The law of bounds: what a limit or a broken archive keeps from being read turns answers into *unknown*, never into
//! other ones.
//!
//! Every sample bundle is read with small limits, and as a tar or zip that ends early, with the clock as it was. What
//! the whole bundle does not confirm, resolve or rule out, the rest of it must not either.
//!
//! Exempt, as for the law of the cut file: whom the whole bundle does not even look at; symptoms; a cut that changes
//! which contexts there are; a session that ends earlier; and what [`KNOWN`] lists.

#![expect(clippy::expect_used, reason = "a test outside of `cfg(test)`: it fails loudly")]

use crate::cut_file::{SYMPTOMS, every, is_session, named, seed};
use crate::taken_away::{CATALOGUE, LIBRARY, Members, bundles};
use diagnose::{Input, Options, Quiet, collect};
use engine::Outcome;
use intake::{Limits, Source};
use signature::model::VerdictWord;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Write};
use std::path::Path;
use std::sync::Mutex;

/// A way to read less.
#[derive(Debug, Clone, Copy)]
enum Less {
    MemberBytes(u64),
    TotalBytes(u64),
    DocumentBytes(u64),
    Members(u64),
    Memory(u64),
    /// A tar archive ends after so many hundredths of its bytes.
    Tar(usize),
    /// A zip does, with the directory at its end.
    Zip(usize),
}

/// What is tried of each bundle, or of each a share of it.
const TRIED: [Less; 25] = [
    Less::MemberBytes(200),
    Less::MemberBytes(400),
    Less::MemberBytes(1_500),
    Less::MemberBytes(6_000),
    Less::TotalBytes(3_000),
    Less::TotalBytes(20_000),
    Less::DocumentBytes(300),
    Less::DocumentBytes(2_000),
    Less::Members(1),
    Less::Members(4),
    Less::Memory(30_000),
    Less::Memory(100_000),
    Less::Memory(200_000),
    Less::Memory(400_000),
    Less::Memory(1_500_000),
    Less::Tar(15),
    Less::Tar(40),
    Less::Tar(60),
    Less::Tar(80),
    Less::Tar(93),
    Less::Zip(20),
    Less::Zip(45),
    Less::Zip(60),
    Less::Zip(75),
    Less::Zip(95),
];

/// How many of them are tried of each bundle, unless all are.
const SHARE: usize = 7;

/// Cases that may say more than the whole: the bundle, the signature, and why.
const KNOWN: [(&str, &str, &str); 2] = [
    ("etcd-data-directory-lost", MEMBER_BY_ENDPOINT, "without the list of members one is called by its endpoint"),
    ("etcd-flags-refused", MEMBER_BY_ENDPOINT, "without the list of members one is called by its endpoint"),
];
/// The member that does not answer, of which the whole bundle says the same by its name.
const MEMBER_BY_ENDPOINT: &str =
    "CF-2026 EntityInfo { kind: \"etcdclustermembers.casefile.dev\", namespace: None, name: \"10.40.0.1";

/// What a run decides.
struct Ran {
    sure: BTreeSet<String>,
    all: BTreeSet<String>,
    looked_at: BTreeSet<String>,
    contexts: BTreeSet<String>,
    clock: Option<jiff::Timestamp>,
}

fn run(path: &Path, limits: Limits, as_of: Option<jiff::Timestamp>) -> Option<Ran> {
    let input = Input { source: Source::Path(path.to_owned()), context: None };
    let options = Options { limits, as_of, ..Options::default() };
    let collected = collect(&[input], &LIBRARY, &CATALOGUE, &options, &mut Quiet).ok()?;
    let outcome = engine::evaluate(&collected.facts, &LIBRARY, &CATALOGUE, &collected.literals);
    let contexts = collected.facts.contexts.iter();
    let clocks = contexts.clone().filter_map(|context| Some(context.as_of.as_ref()?.time));
    Some(Ran {
        clock: clocks.max(),
        contexts: contexts.map(|c| format!("{} {:?} {:?}", c.name, c.roles, c.workload_of)).collect(),
        sure: outcome.findings.iter().filter(|f| is_sure(f)).map(named).collect(),
        all: outcome.findings.iter().map(named).collect(),
        looked_at: looked_at(&outcome),
    })
}

fn is_sure(finding: &diagnosis::model::Finding) -> bool {
    matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Resolved | VerdictWord::RuledOut)
        && !SYMPTOMS.iter().any(|(id, _)| *id == finding.signature.id)
}

/// Whom a bundle decides, or says that it does not know.
fn looked_at(outcome: &Outcome) -> BTreeSet<String> {
    let found = outcome.findings.iter().map(|f| (&f.signature.id, &f.entity));
    let open = outcome.not_assessed.iter().map(|row| (&row.signature, &row.entity));
    found.chain(open).map(|(id, entity)| format!("{id} {entity:?}")).collect()
}

/// A tar archive of the members in their order.
pub(super) fn tar(members: &Members) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_path(name).expect("names of sample bundles are short");
        header.set_cksum();
        out.extend_from_slice(header.as_bytes());
        out.extend_from_slice(bytes);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

/// A zip of the members in their order.
pub(super) fn zip(members: &Members) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).expect("memory takes it");
        writer.write_all(bytes).expect("memory takes it");
    }
    writer.finish().expect("memory takes it").into_inner()
}

/// What one bundle says with less that it does not say as a whole; and how often it was tried.
fn new_in(name: &str, members: &Members) -> (usize, Vec<String>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (archive, zipped) = (tar(members), zip(members));
    let whole_file = folder.path().join("bundle.tar");
    std::fs::write(&whole_file, &archive).expect("written");
    let first = run(&whole_file, Limits::default(), None).expect("a sample bundle is read");
    let whole = run(&whole_file, Limits::default(), first.clock).expect("a sample bundle is read");
    let (mut tried, mut broken) = (0, Vec::new());
    let share = if every() { TRIED.len() } else { SHARE };
    let start = usize::try_from(seed(name) % TRIED.len() as u64).unwrap_or(0);
    for nth in 0..share {
        let less = TRIED[(start + nth * TRIED.len().div_ceil(share)) % TRIED.len()];
        let mut limits = Limits::default();
        let mut path = whole_file.clone();
        match less {
            Less::MemberBytes(bytes) => limits.member_bytes = bytes,
            Less::TotalBytes(bytes) => limits.total_bytes = bytes,
            Less::DocumentBytes(bytes) => limits.document_bytes = bytes,
            Less::Members(members) => limits.members = members,
            Less::Memory(memory) => limits.memory = memory,
            Less::Tar(part) => {
                path = folder.path().join(format!("part{part}.tar"));
                std::fs::write(&path, &archive[..archive.len() * part / 100]).expect("written");
            }
            Less::Zip(part) => {
                path = folder.path().join(format!("part{part}.zip"));
                std::fs::write(&path, &zipped[..zipped.len() * part / 100]).expect("written");
            }
        }
        let Some(ran) = run(&path, limits, first.clock) else { continue };
        if ran.contexts != first.contexts {
            continue;
        }
        tried += 1;
        let is_nobody = |new: &&String| new.strip_suffix(" RuledOut").is_some_and(|who| !whole.looked_at.contains(who));
        // What was so for a time and is not now is not now, whoever does not see that it was.
        let is_over = |new: &&String| {
            let who = new.strip_suffix("RuledOut");
            who.is_some_and(|who| whole.all.contains(&format!("{who}Resolved")))
        };
        let is_known = |new: &&String| KNOWN.iter().any(|(case, id, _)| name == *case && new.starts_with(id));
        let new = ran.sure.difference(&whole.all).filter(|new| !is_nobody(new) && !is_over(new) && !is_known(new));
        broken.extend(new.map(|new| format!("{name} {less:?}: {new}")));
    }
    (tried, broken)
}

#[test]
fn a_bound_makes_answers_unknown_and_never_others() {
    let cases: BTreeMap<String, Members> =
        bundles().into_iter().filter(|(_, members)| !members.iter().any(|(_, text)| is_session(text))).collect();
    let cases = Mutex::new(cases);
    let work = || {
        let mut found = (0, Vec::new());
        while let Some((name, members)) = cases.lock().ok().and_then(|mut left| left.pop_first()) {
            let (tried, broken) = new_in(&name, &members);
            found.0 += tried;
            found.1.extend(broken);
        }
        found
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (mut tried, mut broken) = (0, Vec::new());
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for (of_one, new) in workers.into_iter().map(|worker| worker.join().expect("a law does not panic on its own")) {
            tried += of_one;
            broken.extend(new);
        }
    });
    broken.sort();
    assert!(tried > 50, "{tried} runs are too few to tell");
    assert!(broken.is_empty(), "{} new in {tried} runs:\n{}", broken.len(), broken.join("\n"));
}
