//! The published guides that Casefile began with, each as the whole bundle, and a session of our own in
//! several shapes. Reads the folder `seeds` beside the one that `CASEFILE_CORPUS` names.
#![expect(
    clippy::panic,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "helpers of tests fail by panicking, loudly"
)]

mod common;

use casefile::report::model::{Diagnosis, Finding};
use casefile::signature::model::VerdictWord;
use common::{corpus, diagnosis, loud, short, short_list};
use std::path::PathBuf;

fn seed(name: &str) -> Option<PathBuf> {
    let folder = corpus()?.parent().expect("the corpus has a parent").join("seeds");
    let found = std::fs::read_dir(&folder).ok().into_iter().flatten().flatten().map(|entry| entry.path());
    let found =
        found.filter(|path| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name))).min();
    if found.is_none() {
        eprintln!("\n*** SKIPPED: no seed {name} in {} ***\n", folder.display());
    }
    found
}

/// The diagnosis of files that are written on the spot.
fn of(files: &[(&str, &str)]) -> Diagnosis {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    diagnosis(folder.path())
}

fn finding<'a>(diagnosis: &'a Diagnosis, id: &str) -> &'a Finding {
    diagnosis
        .findings
        .iter()
        .find(|f| f.signature.id == id)
        .unwrap_or_else(|| panic!("no {id} among {:?}", short_list(diagnosis)))
}

fn json(diagnosis: &Diagnosis) -> String {
    serde_json::to_string(diagnosis).expect("it serialises")
}

#[test]
fn the_published_session_is_healed_and_says_of_what() {
    let Some(path) = seed("001") else { return };
    let diagnosis = diagnosis(&path);
    let etcd = finding(&diagnosis, "CF-2001");
    assert_eq!(etcd.verdict, VerdictWord::Resolved, "{:?}", short_list(&diagnosis));
    let said = serde_json::to_string(etcd).expect("it serialises");
    assert!(said.contains("2023-11-30T15:33:46"), "the time of the last word: {said}");
    let all = json(&diagnosis);
    for member in ["a4f2bd5654759765", "b6e6acb707bcb7be", "rg44c-qfhp2", "rg44c-sbv4f"] {
        assert!(all.contains(member), "{member}");
    }
    let machine = finding(&diagnosis, "CF-2002");
    assert_eq!(short(machine), "CF-2002/it-tkg-mgmt-rg44c-vrkvg resolved");
    assert!(serde_json::to_string(machine).expect("it serialises").contains("819"));
    assert_eq!(loud(&diagnosis), Vec::<String>::new());
}

#[test]
fn the_published_session_cut_off_before_its_cure_is_open() {
    let Some(path) = seed("001") else { return };
    let text = std::fs::read_to_string(path).expect("a text");
    let (before, _) = text.split_once("I realized that").expect("the place of the cut");
    let diagnosis = of(&[("session.txt", before)]);
    let etcd = finding(&diagnosis, "CF-2001");
    assert!(matches!(etcd.verdict, VerdictWord::Probable | VerdictWord::Confirmed), "{:?}", short_list(&diagnosis));
    assert_eq!(finding(&diagnosis, "CF-2002").verdict, VerdictWord::Confirmed);
}

#[test]
fn the_other_guides_confirm_nothing() {
    for name in ["000", "002", "003"] {
        let Some(path) = seed(name) else { return };
        let diagnosis = diagnosis(&path);
        let claimed: Vec<String> =
            diagnosis.findings.iter().filter(|f| f.verdict == VerdictWord::Confirmed).map(short).collect();
        assert_eq!(claimed, Vec::<String>::new(), "{name}");
    }
}
