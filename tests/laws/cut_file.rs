//! The law of the cut file: `head` leaves no trace in what it prints, so a text that ends early must not say more
//! than the whole of it.
//!
//! Each text of a bundle is cut at some of its line ends, with the clock as it was. What the whole bundle does not
//! confirm, resolve or rule out, the cut one must not either.
//!
//! Exempt: whom the whole bundle does not even look at, for a cut may leave open what would set it apart, and is
//! then ruled out with good reason; symptoms ([`SYMPTOMS`]), whose cause may be cut away; a cut that changes which
//! contexts there are, for what told clusters apart may be what is cut away; a session, for one that ends earlier
//! shows an earlier moment; and what [`KNOWN`] lists.

use crate::common::corpus;
use crate::taken_away::{BENCH, Members, Ran, bundles, read};
use diagnosis::model::Finding;
use signature::model::VerdictWord;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

/// Line ends at which each file is cut, at most: all of them beside `CASEFILE_EVERY=1`, which takes some twenty minutes.
const CUTS: usize = 12;

/// Cuts that are tried, at most, so that the law takes no more than about two minutes.
pub(super) const TRIES: usize = 2200;

/// Is everything to be tried that can be, and not only a sample of it?
pub(super) fn every() -> bool {
    std::env::var_os("CASEFILE_EVERY").is_some()
}

/// Signatures of what causes one, or of what follows: without their cause they stand on their own.
pub(super) const SYMPTOMS: [(&str, &str); 1] =
    [("CF-5018", "whose rollout waits is said by another finding, if its cause is shown")];

/// Cuts that say more than the whole: the end of the bundle's name, the file, the signature, and why.
const KNOWN: [Known; 2] = [
    (
        "07-list-without-an-object-that-is-there",
        "service-cart.yaml",
        "CF-5055",
        "the cut takes away the object by which the list was known not to be whole: a differing sighting of the very thing",
    ),
    (
        "02-etcd-status-of-unknown-time-rules-out",
        "endpoint-status.txt",
        "CF-2001",
        "the cut takes away the answer that contradicts the log: a differing sighting of the very thing",
    ),
];

/// Is it a session, with the commands that were typed?
pub(super) fn is_session(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    text.lines()
        .any(|line| line.starts_with("$ ") || line.contains("]# ") || line.contains("]$ ") || line.contains(":~$ "))
}

/// What files are cut: text that people cut with `head`.
const TEXTS: [&str; 4] = [".yaml", ".yml", ".txt", ".md"];

/// A number of a name, the same in each run.
pub(super) fn seed(name: &str) -> u64 {
    name.bytes().fold(7, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()))
}

/// Line ends of a text, sampled by its name, so that each run tries the same ones.
fn line_ends(name: &str, text: &[u8]) -> BTreeSet<usize> {
    let ends: Vec<usize> = (1..text.len()).filter(|end| text.get(end - 1) == Some(&b'\n')).collect();
    if every() || ends.len() <= CUTS {
        return ends.into_iter().collect();
    }
    let seed = seed(name);
    let picked = (0..CUTS as u64).filter_map(|nth| {
        let at = seed.wrapping_add(nth.wrapping_mul(0x9E37_79B9_7F4A_7C15)) % (ends.len() as u64).max(1);
        ends.get(usize::try_from(at).ok()?).copied()
    });
    picked.collect()
}

/// Whom a bundle decides, or says that it does not know.
fn looked_at(ran: &Ran) -> BTreeSet<String> {
    let found = ran.outcome.findings.iter().map(|f| (&f.signature.id, &f.entity));
    let open = ran.outcome.not_assessed.iter().map(|row| (&row.signature, &row.entity));
    found.chain(open).map(|(id, entity)| format!("{id} {entity:?}")).collect()
}

pub(super) fn named(finding: &Finding) -> String {
    format!("{} {:?} {:?}", finding.signature.id, finding.entity, finding.verdict)
}

/// What a bundle says for sure.
fn sure(ran: &Ran) -> BTreeSet<String> {
    let is_sure = |f: &&Finding| {
        matches!(f.verdict, VerdictWord::Confirmed | VerdictWord::Resolved | VerdictWord::RuledOut)
            && !SYMPTOMS.iter().any(|(id, _)| *id == f.signature.id)
    };
    ran.outcome.findings.iter().filter(is_sure).map(named).collect()
}

/// The sample bundles, and the cases of the corpus that are small.
pub(super) fn cases() -> BTreeMap<String, Members> {
    let mut cases = bundles();
    let Some(corpus) = corpus() else { return cases };
    let semantics = std::fs::read_dir(corpus.join("semantics")).into_iter().flatten().flatten();
    for case in semantics.map(|entry| entry.path()).filter(|path| path.join("bundle").is_dir()) {
        cases.insert(case.display().to_string(), read(&case.join("bundle")));
    }
    let pasted = std::fs::read_dir(corpus.join("pasted")).into_iter().flatten().flatten();
    for case in pasted.map(|entry| entry.path()).filter(|path| path.is_dir()) {
        cases.insert(case.display().to_string(), read(&case));
    }
    cases
}

/// A bundle with one of its members made less.
pub(super) struct Less<'a> {
    /// The bundle.
    pub name: &'a String,
    /// The index of the member.
    pub at: usize,
    /// What was done to it.
    pub what: String,
    /// What is left of it.
    pub text: Vec<u8>,
}

/// A case that may say more than the whole: the end of the bundle's name, the file, the signature, and why.
pub(super) type Known = (&'static str, &'static str, &'static str, &'static str);

/// What bundles with less say that the whole ones do not, for the same share of each bundle; and how many were tried.
pub(super) fn new_in(
    cases: &BTreeMap<String, Members>,
    wanted: Vec<Less<'_>>,
    tries: usize,
    known_cases: &[Known],
    sure: impl Fn(&Ran) -> BTreeSet<String> + Sync,
) -> (usize, Vec<String>) {
    let step = if every() { 1 } else { wanted.len().div_ceil(tries).max(1) };
    let mut of_bundles: BTreeMap<&String, Vec<Less<'_>>> = BTreeMap::new();
    for less in wanted.into_iter().step_by(step) {
        of_bundles.entry(less.name).or_default().push(less);
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let of_bundles = Mutex::new(of_bundles);
    let work = || {
        let mut found = (0, Vec::new());
        loop {
            let next = of_bundles.lock().ok().and_then(|mut left| left.pop_first());
            let Some((name, less)) = next else { return found };
            let (tried, broken) =
                cases.get(name).map_or((0, Vec::new()), |whole| new_in_bundle(whole, less, known_cases, &sure));
            found.0 += tried;
            found.1.extend(broken);
        }
    };
    let (mut tried, mut broken) = (0, Vec::new());
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            match worker.join() {
                Ok((of_one, new)) => {
                    tried += of_one;
                    broken.extend(new);
                }
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    broken.sort();
    (tried, broken)
}

/// The same for one bundle.
fn new_in_bundle(
    members: &Members,
    wanted: Vec<Less<'_>>,
    known_cases: &[Known],
    sure: impl Fn(&Ran) -> BTreeSet<String>,
) -> (usize, Vec<String>) {
    let ran = BENCH.decide(members, None, &BTreeSet::new());
    let again = BENCH.decide(members, ran.clock, &BTreeSet::new());
    let known: BTreeSet<String> = again.outcome.findings.iter().map(named).collect();
    let looked_at = looked_at(&again);
    let (mut tried, mut broken) = (0, Vec::new());
    for Less { name, at, what, text } in wanted {
        let mut rest = members.clone();
        let Some((member, bytes)) = rest.get_mut(at) else { continue };
        *bytes = text;
        let place = format!("{name}: {member} {what}");
        let less = BENCH.decide(&rest, ran.clock, &BTreeSet::new());
        if less.contexts != ran.contexts {
            continue;
        }
        tried += 1;
        let is_nobody = |new: &&String| new.strip_suffix(" RuledOut").is_some_and(|who| !looked_at.contains(who));
        let is_known = |new: &&String| {
            let of = |(case, file, id, _): &Known| name.ends_with(case) && place.contains(file) && new.starts_with(id);
            known_cases.iter().any(of)
        };
        let new = sure(&less);
        let new = new.difference(&known).filter(|new| !is_nobody(new) && !is_known(new));
        broken.extend(new.map(|new| format!("{place}: {new}")));
    }
    (tried, broken)
}

#[test]
fn a_file_that_was_cut_at_a_line_end_says_nothing_new() {
    let mut wanted = Vec::new();
    let cases = cases();
    for (name, members) in &cases {
        for (at, (member, text)) in members.iter().enumerate() {
            if TEXTS.iter().any(|end| member.ends_with(end)) && !is_session(text) {
                wanted.extend(line_ends(member, text).into_iter().filter_map(|end| {
                    let what = format!("cut at byte {end}");
                    Some(Less { name, at, what, text: text.get(..end)?.to_owned() })
                }));
            }
        }
    }
    let (tried, broken) = new_in(&cases, wanted, TRIES, &KNOWN, sure);
    assert!(tried > 100, "{tried} cuts are too few to tell");
    assert!(broken.is_empty(), "{} new in {tried} cuts:\n{}", broken.len(), broken.join("\n"));
}
