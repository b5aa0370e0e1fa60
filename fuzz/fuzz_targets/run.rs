//! The first bytes pick a sample bundle and a member, the others take the place of a part of it: the whole way to the
//! verdicts returns, and what the whole bundle confirms is not ruled out.

#![no_main]

#[path = "../bench.rs"]
mod bench;

use bench::{Members, decide, facts};
use signature::model::VerdictWord;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

struct Case {
    members: Members,
    clock: Option<jiff::Timestamp>,
    stood: BTreeSet<String>,
}

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sample-bundles");
    let mut folders: Vec<_> = std::fs::read_dir(samples).expect("sample bundles").flatten().map(|e| e.path()).collect();
    folders.sort();
    folders.iter().map(|folder| folder.join("bundle")).filter(|folder| folder.is_dir()).map(|root| case(&root)).collect()
});

fn case(root: &Path) -> Case {
    let (mut members, mut open) = (Members::new(), vec![root.to_owned()]);
    while let Some(folder) = open.pop() {
        for path in std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root).expect("below it").to_string_lossy().into_owned();
                members.push((name, std::fs::read(&path).expect("a file")));
            }
        }
    }
    members.sort();
    let first = facts(members.clone(), None);
    let clock = first.contexts.iter().filter_map(|context| Some(context.as_of.as_ref()?.time)).max();
    let stood = given(&facts(members.clone(), clock), &[VerdictWord::Confirmed, VerdictWord::Probable]);
    Case { members, clock, stood }
}

fn given(facts: &facts::store::Facts, words: &[VerdictWord]) -> BTreeSet<String> {
    let outcome = decide(facts);
    let of = outcome.findings.iter().filter(|finding| words.contains(&finding.verdict) && !finding.conflicting);
    of.map(|finding| format!("{} {:?}", finding.signature.id, finding.entity)).collect()
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let &[which, member, high, low, gone, ref new @ ..] = bytes else { return };
    let case = &CASES[usize::from(which) % CASES.len()];
    let mut members = case.members.clone();
    let at = usize::from(member) % members.len();
    let body = &mut members[at].1;
    if body.is_empty() {
        return;
    }
    let from = usize::from(u16::from_be_bytes([high, low])) % body.len();
    let to = (from + usize::from(gone)).min(body.len());
    body.splice(from..to, new.iter().copied());
    let ruled_out = given(&facts(members, case.clock), &[VerdictWord::RuledOut]);
    let turned: Vec<_> = ruled_out.intersection(&case.stood).collect();
    assert!(turned.is_empty(), "ruled out now: {turned:?}");
});
