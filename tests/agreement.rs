//! Over a corpus of real collections: the forms of one object say the same.
//!
//! Two sightings of one object with one resourceVersion are one state, so they cannot disagree; what
//! changed between two collections of one bundle is listed as a conflict, or known to be newer.
#![expect(clippy::panic, reason = "helpers of tests fail by panicking")]
#![expect(clippy::expect_used, clippy::print_stderr, reason = "a test outside of `cfg(test)`")]

use casefile::diagnose::{Collected, Input, Options, Quiet, collect};
use casefile::facts::catalogue::Catalogue;
use casefile::facts::object::{Object, ObjectId, Sighting};
use casefile::facts::store::Facts;
use casefile::intake::Source;
use casefile::signature::load::Library;
use std::path::{Path, PathBuf};

fn corpus() -> Option<PathBuf> {
    let corpus = std::env::var_os("CASEFILE_CORPUS").map(PathBuf::from);
    if corpus.is_none() {
        eprintln!("NOT TESTED: set CASEFILE_CORPUS to a folder of real collections to run this test");
    }
    corpus
}

fn read(path: &Path) -> Collected {
    let library = Library::built_in().expect("the built-in signatures load");
    let input = Input { source: Source::Path(path.to_owned()), context: None };
    collect(&[input], &library, &Catalogue::built_in(), &Options::default(), &mut Quiet)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()))
}

/// Do two of the sightings state one resourceVersion?
fn states_one(facts: &Facts, object: &Object, members: &[&str]) -> Option<u128> {
    let of = |sighting: &&Sighting| members.contains(&facts.members[&sighting.record.member].as_str());
    let versions: Vec<u128> =
        object.sightings.iter().filter(of).filter_map(|s| s.resource_version.map(u128::from)).collect();
    versions.iter().copied().find(|v| versions.iter().filter(|w| *w == v).count() > 1)
}

#[test]
fn forms_of_one_state_agree() {
    let Some(corpus) = corpus() else { return };
    let mut cases: Vec<_> = ["real", "kubefleet"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(corpus.join(folder)).expect("the corpus has this folder").flatten())
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            path.parent().is_some_and(|p| p.ends_with("kubefleet"))
                || name.starts_with("k8s120-")
                || name.starts_with("capi113-")
        })
        .collect();
    cases.sort();
    assert!(cases.len() > 15, "only {} cases were found", cases.len());
    let mut wrong = Vec::new();
    let mut several = 0;
    for case in cases {
        let name = case.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let collected = read(&case);
        let facts = &collected.facts;
        several += facts.objects.iter().filter(|o| o.sightings.len() > 1).count();
        for conflict in &facts.conflicts {
            let members: Vec<&str> =
                conflict.values.iter().filter_map(|(_, c)| facts.members.get(&c.member)).map(String::as_str).collect();
            let object = (0..facts.objects.len() as u32).map(|i| facts.object(ObjectId(i))).find(|o| {
                let place = o.namespace.as_deref().map(|n| format!("{n}/")).unwrap_or_default();
                format!("{} {place}{}", o.kind, o.name) == conflict.object
            });
            let said: Vec<String> = conflict
                .values
                .iter()
                .map(|(v, c)| format!("{v} in {}:{}", facts.members[&c.member], c.line))
                .collect();
            let line = format!("{name}: {} {}: {}", conflict.object, conflict.path, said.join(" / "));
            match object.and_then(|o| states_one(facts, o, &members)) {
                Some(version) => wrong.push(format!("resourceVersion {version}: {line}")),
                None => println!("changed: {line}"),
            }
        }
    }
    println!("{several} objects were seen more than once");
    assert!(several > 500, "only {several} objects were seen more than once");
    assert_eq!(wrong, Vec::<String>::new());
}
