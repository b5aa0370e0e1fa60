//! Laws that hold for every bundle: missing evidence never rules out, telling a thing twice changes
//! nothing, and the order of members changes no byte.
//!
//! They run over every folder of `sample-bundles/`.

#![expect(clippy::expect_used, reason = "a helper of a test may panic")]

use catalogue::kinds::Catalogue;
use engine::Outcome;
use facts::node::{Node, Value};
use facts::origin::MemberId;
use facts::record::Record;
use intake::Limits;
use parse::manifest;
use selftest::bench::{Bench, Part};
use selftest::run;
use signature::load::Library;
use signature::model::VerdictWord;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A bundle in memory: name and bytes of each member, in order.
pub(super) type Members = Vec<(String, Vec<u8>)>;

/// Bundles with more bytes than this are left to the other tests: each law reads a bundle many times.
const SMALL: u64 = 4 << 20;

pub(super) fn bundles() -> BTreeMap<String, Members> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles");
    let mut found = BTreeMap::new();
    for case in folders(&samples) {
        let members = read(&case.join("bundle"));
        assert!(!members.is_empty(), "{} has no members", case.display());
        found.insert(case.file_name().expect("a name").to_string_lossy().into_owned(), members);
    }
    assert!(!found.is_empty(), "no sample bundles in {}", samples.display());
    found
}

fn folders(root: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root).expect("the folder can be read");
    let mut folders: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

pub(super) fn read(root: &Path) -> Members {
    let mut members = Members::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting
                .extend(std::fs::read_dir(&path).expect("the folder can be read").map(|e| e.expect("an entry").path()));
        } else if std::fs::metadata(&path).is_ok_and(|m| m.len() <= SMALL) {
            let name = path.strip_prefix(root).expect("below the root").to_string_lossy().into_owned();
            members.push((name, std::fs::read(&path).expect("the file can be read")));
        }
    }
    members.sort();
    members
}

/// What the laws are about, loaded once.
pub(super) static LIBRARY: LazyLock<Library> =
    LazyLock::new(|| Library::built_in().expect("the built-in signatures are valid"));
pub(super) static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::built_in);
pub(super) static BENCH: LazyLock<Decider> = LazyLock::new(|| Decider(Bench::new(&LIBRARY, &CATALOGUE)));

pub(super) struct Decider(Bench<'static>);

impl Decider {
    /// Decides a bundle less some parts. The as-of clock is the one given, or the bundle's own.
    pub(super) fn decide(
        &self,
        members: &[(String, Vec<u8>)],
        as_of: Option<jiff::Timestamp>,
        gone: &BTreeSet<Part>,
    ) -> Ran {
        let (collected, parts) = self.0.collect(members.iter().cloned(), as_of, gone);
        let clocks: BTreeSet<_> = collected.facts.contexts.iter().map(|c| c.as_of.as_ref().map(|a| a.time)).collect();
        let contexts =
            collected.facts.contexts.iter().map(|c| (c.name.clone(), c.roles.clone(), c.workload_of.clone()));
        let contexts = contexts.map(|context| format!("{context:?}")).collect();
        let outcome = engine::evaluate(&collected.facts, &LIBRARY, &CATALOGUE, &collected.literals);
        Ran { outcome, parts, clock: clocks.into_iter().flatten().max(), contexts }
    }
}

pub(super) struct Ran {
    pub(super) outcome: Outcome,
    parts: BTreeSet<Part>,
    pub(super) clock: Option<jiff::Timestamp>,
    pub(super) contexts: Vec<String>,
}

impl Ran {
    fn bytes(&self) -> String {
        let Outcome { findings, not_assessed, not_applicable, checked, not_collected, asks, limits_hit } =
            &self.outcome;
        let decided = (findings, not_assessed, not_applicable, checked, not_collected);
        let limits_hit: Vec<_> = limits_hit.iter().map(|limit| (limit.name(), limit.to_string())).collect();
        serde_json::to_string_pretty(&(decided, asks, limits_hit)).expect("JSON")
    }

    fn verdicts(&self) -> BTreeMap<String, String> {
        let verdict = |f: &diagnosis::model::Finding| {
            // An object whose name was not pasted is named after its file, and a copy is another file.
            let mut entity = f.entity.clone();
            if facts::unnamed::is_one(&entity.name) {
                entity.name = "unnamed".to_owned();
            }
            (format!("{} {entity:?}", f.signature.id), format!("{:?} {}", f.verdict, f.conflicting))
        };
        // What tools report is made of pastes alone, and a file beside its copy is none.
        let is_report = |f: &&diagnosis::model::Finding| f.entity.kind == "reports.casefile.dev";
        self.outcome.findings.iter().filter(|f| !is_report(f)).map(verdict).collect()
    }
}

#[test]
fn taking_a_kind_or_a_log_class_away_never_rules_out() {
    let bench = &*BENCH;
    let mut standing = 0;
    for (name, members) in bundles() {
        let whole = bench.decide(&members, None, &BTreeSet::new());
        standing += whole.outcome.findings.iter().filter(|f| f.verdict == VerdictWord::Confirmed).count();
        for part in &whole.parts {
            let less = bench.decide(&members, whole.clock, &BTreeSet::from([part.clone()]));
            let flipped = run::flipped(&whole.outcome, &less.outcome);
            assert_eq!(flipped, [""; 0], "{name} without {part}");
        }
    }
    assert!(standing > 0, "no sample bundle has a confirmed finding, so nothing was tried");
}

/// Exempt: a bundle in which the member was what told clusters apart or gave one its role.
#[test]
fn taking_a_member_away_never_rules_out() {
    let bench = &*BENCH;
    for (name, members) in bundles() {
        let whole = bench.decide(&members, None, &BTreeSet::new());
        for gone in 0..members.len() {
            let mut rest = members.clone();
            let (member, _) = rest.remove(gone);
            let less = bench.decide(&rest, whole.clock, &BTreeSet::new());
            if less.contexts != whole.contexts {
                continue;
            }
            let flipped = run::flipped(&whole.outcome, &less.outcome);
            assert_eq!(flipped, [""; 0], "{name} without {member}");
        }
    }
}

#[test]
fn the_same_member_twice_changes_no_verdict() {
    let bench = &*BENCH;
    for (name, members) in bundles() {
        let clock = bench.decide(&members, None, &BTreeSet::new()).clock;
        let once = bench.decide(&members, clock, &BTreeSet::new());
        for (member, bytes) in &members {
            let mut twice = members.clone();
            let copy = match member.rsplit_once('.') {
                Some((stem, extension)) => format!("{stem}.copy.{extension}"),
                None => format!("{member}.copy"),
            };
            twice.push((copy, bytes.clone()));
            let twice = bench.decide(&twice, once.clock, &BTreeSet::new());
            assert_eq!(twice.verdicts(), once.verdicts(), "{name} with {member} twice");
        }
    }
}

/// A tree as JSON; what was masked stays masked.
fn json(node: &Node) -> serde_json::Value {
    match &node.value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Int(value) => (*value).into(),
        Value::UInt(value) => (*value).into(),
        Value::Float(value) => (*value).into(),
        Value::Str(text) | Value::Text(text) => (**text).into(),
        Value::List(items) => items.iter().map(json).collect(),
        Value::Map(entries) => entries.iter().map(|(key, value)| (key.to_string(), json(value))).collect(),
        Value::Range(..) | Value::Redacted(_) => "***HIDDEN***".into(),
    }
}

/// The objects of a member of YAML as JSON: a list as a list, which says more than its items do, and one object
/// as one object; `None` for other members.
fn in_json(bytes: &[u8]) -> Option<Vec<u8>> {
    let parsed = manifest::read_yaml(MemberId(0), "objects.yaml", bytes, &Limits::default());
    let items: Vec<serde_json::Value> = parsed
        .records
        .iter()
        .filter_map(|record| match record {
            Record::Object(object) => Some(json(&object.node)),
            _ => None,
        })
        .collect();
    let is_list = String::from_utf8_lossy(bytes).lines().any(|line| line.starts_with("items:"));
    let whole = match items.as_slice() {
        [] => return None,
        _ if is_list => serde_json::json!({ "apiVersion": "v1", "kind": "List", "items": items }),
        [one] => one.clone(),
        _ => return None,
    };
    Some(serde_json::to_vec_pretty(&whole).expect("a tree is JSON"))
}

#[test]
fn the_same_objects_in_another_form_and_folder_change_no_verdict() {
    let bench = &*BENCH;
    let mut tried = 0;
    for (name, members) in bundles() {
        let clock = bench.decide(&members, None, &BTreeSet::new()).clock;
        let once = bench.decide(&members, clock, &BTreeSet::new());
        for (member, bytes) in members.iter().filter(|(member, _)| member.ends_with(".yaml")) {
            let Some(other) = in_json(bytes) else { continue };
            let file = member.rsplit('/').next().unwrap_or(member).replace(".yaml", ".json");
            let folder = member.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
            let mut both = members.clone();
            both.push((format!("{folder}again/{file}"), other));
            let both = bench.decide(&both, once.clock, &BTreeSet::new());
            assert_eq!(both.verdicts(), once.verdicts(), "{name} with {member} as JSON, too");
            tried += 1;
        }
    }
    assert!(tried > 20, "only {tried} members were tried");
}

#[test]
fn the_order_of_members_changes_no_byte() {
    let bench = &*BENCH;
    for (name, members) in bundles() {
        let forward = bench.decide(&members, None, &BTreeSet::new()).bytes();
        assert_eq!(bench.decide(&members, None, &BTreeSet::new()).bytes(), forward, "{name}, read twice");
        let mut backward = members.clone();
        backward.reverse();
        assert_eq!(bench.decide(&backward, None, &BTreeSet::new()).bytes(), forward, "{name}, read backwards");
        let mut turned = members.clone();
        turned.rotate_left(members.len() / 2);
        assert_eq!(bench.decide(&turned, None, &BTreeSet::new()).bytes(), forward, "{name}, read from its middle");
    }
}
