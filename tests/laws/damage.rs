//! The law of damage: what a transfer, an editor or a disk does to a bundle makes nothing of it worse than unknown.
//!
//! 20,000 seeded mutations of the sample bundles (bytes, lines, members, the tokens of YAML, JSON and tables), read as a
//! folder, a tar, a tar.gz or a zip, some of which are damaged once more as they are packed. None makes the program
//! panic; what the whole bundle confirms or holds probable is not ruled out; and nothing of high or critical severity
//! is confirmed that the whole bundle does not confirm.
//!
//! Exempt, as for the law of the cut file: whom the whole bundle does not look at (a damaged name is another name);
//! symptoms; a mutation that changes which contexts there are; a session, whose lines in another order are another
//! course of things; and what [`KNOWN`] lists.
//!
//! A run tries a share of them, `CASEFILE_EVERY=1` all, `CASEFILE_DAMAGE=4711` that one alone, and
//! `CASEFILE_DAMAGE=etcd-no-leader` all of that sample bundle.

#![expect(clippy::expect_used, reason = "a test outside of `cfg(test)`: it fails loudly")]

use crate::bounds::{tar, zip};
use crate::cut_file::{SYMPTOMS, every, is_session};
use crate::taken_away::{CATALOGUE, LIBRARY, Members, bundles};
use diagnose::{Input, Options, Quiet, collect};
use engine::Outcome;
use flate2::Compression;
use flate2::write::GzEncoder;
use intake::Source;
use signature::model::{Severity, VerdictWord};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Mutations in all.
const ALL: u64 = 20_000;
/// Of so many a run tries one.
const SHARE: u64 = 61;
/// Bundles whose damage may say more: the bundle, the signature, and why. By their names, since the numbers of mutations
/// belong to other bundles when one is added.
const KNOWN: [(&str, &str, &str); 3] = [
    ("etcd-data-directory-lost", "CF-2024", "the address of a member in a line about another makes the two one"),
    ("etcd-member-removed", "CF-2008", "a line of the log of another member is what that member saw"),
    ("webhook-without-backend", "CF-5035", "a name of a Service that was damaged is the name of another Service"),
];

/// The same numbers in each run.
struct Lot(u64);

impl Lot {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below.max(1)
    }

    /// A range of a text of so many bytes, most often a short one.
    fn range(&mut self, length: usize, most: usize) -> std::ops::Range<usize> {
        let start = self.next(length);
        start..(start + 1 + self.next(most)).min(length)
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.next(all.len()))
    }
}

/// Damage to bytes that know nothing of what they mean.
fn bytes(lot: &mut Lot, bytes: &mut Vec<u8>) -> &'static str {
    let length = bytes.len();
    match lot.next(9) {
        0 => {
            bytes[lot.next(length)] ^= 1 << lot.next(8);
            "a bit"
        }
        1 => {
            bytes[lot.next(length)] = lot.next(256) as u8;
            "a byte"
        }
        2 => {
            let at = lot.next(length);
            let new: Vec<u8> = (0..1 + lot.next(40)).map(|_| lot.next(256) as u8).collect();
            bytes.splice(at..at, new);
            "bytes too much"
        }
        3 => {
            let range = lot.range(length, 300);
            bytes.drain(range);
            "bytes lost"
        }
        4 => {
            let range = lot.range(length, 600);
            let copy = bytes[range].to_vec();
            let at = lot.next(length);
            bytes.splice(at..at, copy);
            "bytes twice"
        }
        5 => {
            let range = lot.range(length, 600);
            bytes[range].fill(0);
            "a block of zeros"
        }
        6 => {
            bytes.truncate(lot.next(length));
            "the end lost"
        }
        7 => {
            bytes.drain(..lot.next(length));
            "the beginning lost"
        }
        _ => {
            let text = String::from_utf8_lossy(bytes).replace('\n', "\r\n");
            *bytes = text.into_bytes();
            "line ends of Windows"
        }
    }
}

/// Damage to lines.
fn lines(lot: &mut Lot, bytes: &mut Vec<u8>, other: &[u8]) -> &'static str {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let count = lines.len();
    let what = match lot.next(8) {
        0 => {
            lines.drain(lot.range(count, 6));
            "lines lost"
        }
        1 => {
            let copy = lines[lot.range(count, 6)].to_vec();
            let at = lot.next(count);
            lines.splice(at..at, copy);
            "lines twice"
        }
        2 => {
            let (one, two) = (lot.next(count), lot.next(count));
            lines.swap(one, two);
            "two lines swapped"
        }
        3 => {
            let range = lot.range(count, 12);
            lines[range].reverse();
            "lines in reverse"
        }
        4 => {
            let at = lot.next(count);
            if at + 1 < lines.len() {
                let next = lines.remove(at + 1);
                lines[at].push_str(&next);
            }
            "two lines joined"
        }
        5 => {
            let at = lot.next(count);
            lines[at] = if lot.next(2) == 0 { format!("  {}", lines[at]) } else { lines[at].trim_start().to_owned() };
            "another indent"
        }
        6 => {
            let other = String::from_utf8_lossy(other);
            let all: Vec<&str> = other.lines().collect();
            let at = lot.next(count);
            if let Some(line) = lot.of(&all) {
                lines.insert(at, (*line).to_owned());
            }
            "a line of another file"
        }
        _ => {
            let at = lot.next(count);
            let half = lines[at].chars().count() / 2;
            lines[at] = lines[at].chars().take(half).collect();
            "half a line"
        }
    };
    *bytes = lines.join("\n").into_bytes();
    bytes.push(b'\n');
    what
}

/// Damage to what documents and tables are made of.
fn tokens(lot: &mut Lot, bytes: &mut Vec<u8>) -> &'static str {
    const MARKS: &[u8] = b"{}[]:,\"'-#&*|>\\\t ";
    const WRONG: [&str; 8] = ["{}", "[]", "\"", "9e999", "&a *a", "!!x ", "- - -", "\u{0}"];
    let marks: Vec<usize> = (0..bytes.len()).filter(|at| MARKS.contains(&bytes[*at])).collect();
    let Some(at) = lot.of(&marks).copied() else { return "nothing" };
    match lot.next(5) {
        0 => {
            bytes.remove(at);
            "a mark lost"
        }
        1 => {
            bytes.insert(at, bytes[at]);
            "a mark twice"
        }
        2 => {
            bytes[at] = MARKS[lot.next(MARKS.len())];
            "another mark"
        }
        3 => {
            let wrong = WRONG[lot.next(WRONG.len())];
            bytes.splice(at..at, wrong.bytes());
            "a mark too much"
        }
        _ => {
            let blanks: Vec<usize> = (1..bytes.len()).filter(|at| bytes[*at] == b' ').collect();
            if let Some(at) = lot.of(&blanks).copied() {
                let room = 1 + lot.next(3);
                if lot.next(2) == 0 {
                    bytes.splice(at..at, vec![b' '; room]);
                } else {
                    bytes.remove(at);
                }
            }
            "columns moved"
        }
    }
}

/// Damage to the set of members.
fn members(lot: &mut Lot, members: &mut Members) -> &'static str {
    let count = members.len();
    let at = lot.next(count);
    match lot.next(7) {
        0 if count > 1 => {
            members.remove(at);
            "a member lost"
        }
        1 => {
            let (name, bytes) = members[at].clone();
            members.push((format!("copy/{name}"), bytes));
            "a member twice"
        }
        2 => {
            let name = members[at].0.clone();
            members[at].0 = name.rsplit('/').next().unwrap_or(&name).to_owned();
            "a member without its folder"
        }
        3 => {
            members[at].0 = format!("x{}.txt", lot.next(1_000));
            "a member of another name"
        }
        4 => {
            members[at].1.clear();
            "an empty member"
        }
        5 => {
            let other = members[lot.next(count)].1.clone();
            members[at].1.extend(other);
            "two members in one"
        }
        _ => {
            let half = members[at].1.len() / 2;
            members[at].1.truncate(half);
            "half a member"
        }
    }
}

/// A mutated bundle, and what was done.
fn mutated(lot: &mut Lot, whole: &Members) -> (Members, String) {
    let mut all = whole.clone();
    let mut done = Vec::new();
    for _ in 0..1 + lot.next(2) {
        let at = lot.next(all.len());
        let other = all[lot.next(all.len())].1.clone();
        let name = all[at].0.clone();
        let body = &mut all[at].1;
        let what = match lot.next(8) {
            _ if body.is_empty() => members(lot, &mut all),
            0..3 => bytes(lot, body),
            3..5 => lines(lot, body, &other),
            5..7 => tokens(lot, body),
            _ => members(lot, &mut all),
        };
        done.push(format!("{what} ({name})"));
    }
    (all, done.join(", "))
}

/// A zip holds a name once.
fn zipped(members: &Members) -> Vec<u8> {
    let mut seen = BTreeSet::new();
    zip(&members.iter().filter(|(name, _)| seen.insert(name.clone())).cloned().collect())
}

/// Writes a bundle as one of four containers, damaged once more now and then.
fn packed(lot: &mut Lot, folder: &Path, members: &Members, done: &mut String) -> PathBuf {
    let (name, mut archive) = match lot.next(4) {
        0 => {
            let root = folder.join("b");
            for (name, bytes) in members {
                let path = root.join(name);
                std::fs::create_dir_all(path.parent().expect("below the root")).expect("a folder");
                // A file may take the place of a folder: then one of them is lost, as on a disk.
                let _ = std::fs::write(path, bytes);
            }
            done.push_str(", as a folder");
            return root;
        }
        1 => ("b.tar", tar(members)),
        2 => {
            let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
            packed.write_all(&tar(members)).expect("memory takes it");
            ("b.tar.gz", packed.finish().expect("memory takes it"))
        }
        _ => ("b.zip", zipped(members)),
    };
    done.push_str(", as ");
    done.push_str(name);
    if lot.next(3) == 0 && !archive.is_empty() {
        let what = bytes(lot, &mut archive);
        done.push_str(&format!(", and in it {what}"));
    }
    let path = folder.join(name);
    std::fs::write(&path, archive).expect("written");
    path
}

/// What a run decides.
struct Ran {
    outcome: Outcome,
    contexts: BTreeSet<String>,
    clock: Option<jiff::Timestamp>,
}

fn run(path: &Path, as_of: Option<jiff::Timestamp>) -> Option<Ran> {
    let input = Input { source: Source::Path(path.to_owned()), context: None };
    let options = Options { as_of, threads: NonZero::new(1), ..Options::default() };
    let collected = collect(&[input], &LIBRARY, &CATALOGUE, &options, &mut Quiet).ok()?;
    let outcome = engine::evaluate(&collected.facts, &LIBRARY, &CATALOGUE, &collected.literals);
    let contexts = collected.facts.contexts.iter();
    Some(Ran {
        clock: contexts.clone().filter_map(|context| Some(context.as_of.as_ref()?.time)).max(),
        contexts: contexts.map(|c| format!("{} {:?} {:?}", c.name, c.roles, c.workload_of)).collect(),
        outcome,
    })
}

fn who(finding: &diagnosis::model::Finding) -> String {
    format!("{} {:?}", finding.signature.id, finding.entity)
}

/// Whom an outcome gives these verdicts.
fn given(outcome: &Outcome, words: &[VerdictWord]) -> BTreeSet<String> {
    let of = outcome.findings.iter().filter(|f| words.contains(&f.verdict) && !f.conflicting);
    of.filter(|f| !SYMPTOMS.iter().any(|(id, _)| *id == f.signature.id)).map(who).collect()
}

fn looked_at(outcome: &Outcome) -> BTreeSet<String> {
    let open = outcome.not_assessed.iter().map(|row| format!("{} {:?}", row.signature, row.entity));
    outcome.findings.iter().map(who).chain(open).collect()
}

/// What a mutated bundle says that it must not.
fn wrong(whole: &Ran, ran: &Ran) -> Vec<String> {
    use VerdictWord::{Confirmed, Probable, RuledOut};
    let stood = given(&whole.outcome, &[Confirmed, Probable]);
    let mut wrong: Vec<String> =
        given(&ran.outcome, &[RuledOut]).intersection(&stood).map(|who| format!("{who} is ruled out")).collect();
    let known = given(&whole.outcome, &[Confirmed]);
    let seen = looked_at(&whole.outcome);
    let severe = ran.outcome.findings.iter().filter(|f| f.signature.severity <= Severity::High);
    let severe: BTreeSet<String> = severe.map(who).collect();
    let confirmed = given(&ran.outcome, &[Confirmed]);
    let new = confirmed.iter().filter(|who| severe.contains(*who) && seen.contains(*who) && !known.contains(*who));
    wrong.extend(new.map(|who| format!("{who} is confirmed")));
    wrong
}

/// One bundle and what it says as a whole.
struct Case {
    name: String,
    members: Members,
    whole: Ran,
}

fn case(name: String, members: Members) -> Case {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("b.tar");
    std::fs::write(&path, tar(&members)).expect("written");
    let clock = run(&path, None).expect("a sample bundle is read").clock;
    let whole = run(&path, clock).expect("a sample bundle is read");
    Case { name, members, whole }
}

/// The mutation of this number, if it is one of the wanted bundle: what is wrong with it.
fn tried(cases: &[Case], of: Option<&str>, number: u64) -> Vec<String> {
    let mut lot = Lot(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed);
    lot.next(2);
    let Some(case) = lot.of(cases).filter(|case| of.is_none_or(|of| case.name == of)) else { return Vec::new() };
    let (members, mut done) = mutated(&mut lot, &case.members);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = packed(&mut lot, folder.path(), &members, &mut done);
    let told = |what: &str| format!("{number}: {}: {done}: {what}", case.name);
    match catch_unwind(AssertUnwindSafe(|| run(&path, case.whole.clock))) {
        Err(_) => vec![told("it panics")],
        Ok(Some(ran)) if ran.contexts == case.whole.contexts => {
            let is_new = |what: &&String| !KNOWN.iter().any(|(name, id, _)| case.name == *name && what.starts_with(id));
            wrong(&case.whole, &ran).iter().filter(is_new).map(|what| told(what)).collect()
        }
        Ok(_) => Vec::new(),
    }
}

/// What all threads work through, and give.
fn in_parallel<T: Send>(count: u64, work: impl Fn(u64) -> Option<T> + Sync) -> Vec<T> {
    let next = AtomicU64::new(0);
    let found = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    if let Some(one) = work(number) {
                        found.lock().expect("no thread panics while it holds it").insert(number, one);
                    }
                }
            });
        }
    });
    found.into_inner().expect("all threads have ended").into_values().collect()
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the number of one mutation is an environment variable")]
fn damage_makes_answers_unknown_and_never_others() {
    let is_free = |(_, members): &(String, Members)| !members.iter().any(|(_, text)| is_session(text));
    let bundles: Vec<(String, Members)> = bundles().into_iter().filter(is_free).collect();
    let cases = in_parallel(bundles.len() as u64, |at| {
        let (name, members) = bundles.get(usize::try_from(at).ok()?)?;
        Some(case(name.clone(), members.clone()))
    });
    assert_eq!(cases.len(), bundles.len());
    let wanted = std::env::var("CASEFILE_DAMAGE").ok();
    let only = wanted.as_ref().and_then(|number| number.parse::<u64>().ok());
    let of = wanted.filter(|_| only.is_none());
    assert!(of.as_ref().is_none_or(|of| cases.iter().any(|case| case.name == *of)), "there is no such sample bundle");
    let share = if every() || of.is_some() { 1 } else { SHARE };
    let count = only.map_or(ALL / share, |_| 1);
    let one = |nth| Some(tried(&cases, of.as_deref(), only.unwrap_or(nth * share)));
    let broken: Vec<String> = in_parallel(count, one).concat();
    assert!(broken.is_empty(), "{} of {count} mutations:\n{}", broken.len(), broken.join("\n"));
}
