//! The same input gives the same bytes: run twice, with any number of threads, and whatever container a bundle comes in and in
//! whatever order its members stand there.
#![expect(clippy::expect_used, reason = "a helper of a test may panic")]

use crate::common::files;
use crate::taken_away::{CATALOGUE, LIBRARY};
use diagnose::{Input, Options, Quiet, diagnose};
use flate2::{Compression, write::GzEncoder};
use intake::Source;
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};

/// Every sample bundle that is a folder, sorted.
fn samples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles");
    let cases = std::fs::read_dir(&root).expect("sample-bundles can be listed");
    let mut folders: Vec<PathBuf> =
        cases.map(|case| case.expect("a case").path().join("bundle")).filter(|path| path.is_dir()).collect();
    folders.sort();
    assert!(!folders.is_empty(), "{} holds no sample bundle", root.display());
    folders
}

fn tar(folder: &Path, files: &[PathBuf]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for file in files {
        let name = Path::new("bundle").join(file.strip_prefix(folder).expect("it is below the folder"));
        let bytes = std::fs::read(file).expect("a file can be read");
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, bytes.as_slice()).expect("memory takes it");
    }
    builder.into_inner().expect("memory takes it")
}

/// The diagnosis as bytes, without the name of the bundle, which is that of the file.
fn diagnosis(path: &Path) -> String {
    by_threads(path, None)
}

fn by_threads(path: &Path, threads: Option<NonZero<usize>>) -> String {
    let input = Input { source: Source::Path(path.to_owned()), context: None };
    let options = Options { threads, ..Options::default() };
    let mut diagnosis = diagnose(&[input], &LIBRARY, &CATALOGUE, &options, &mut Quiet).expect("it can be read");
    for bundle in &mut diagnosis.bundles {
        bundle.name.clear();
    }
    report::json::render(&diagnosis).expect("a diagnosis can be written")
}

#[test]
fn neither_the_run_nor_the_container_nor_the_order_of_members_shows() {
    for folder in samples() {
        let told = diagnosis(&folder);
        for threads in [1, 3].map(NonZero::new) {
            assert_eq!(by_threads(&folder, threads), told, "{}: {threads:?} threads differ", folder.display());
        }
        let mut files = files(&folder);
        let sorted = tar(&folder, &files);
        files.reverse();
        let reversed = tar(&folder, &files);
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(&sorted).expect("memory takes it");
        let packed = packed.finish().expect("memory takes it");
        let place = tempfile::tempdir().expect("a folder for archives");
        for (name, bytes) in [("a.tar", &sorted), ("reversed.tar", &reversed), ("a.tar.gz", &packed)] {
            let path = place.path().join(name);
            std::fs::write(&path, bytes).expect("an archive can be written");
            assert_eq!(diagnosis(&path), told, "{}: {name} and the folder differ", folder.display());
        }
    }
}

/// A log of many blocks, a list of many blocks, small members, and an archive that breaks off in the log.
fn large() -> Vec<u8> {
    let mut log = String::new();
    for number in 0..20_000 {
        log += &format!(
            "E1122 10:{:02}:{:02}.000000       1 server.go:1] no leader, try {number}\n",
            number / 600 % 60,
            number / 10 % 60
        );
    }
    let pods: Vec<String> = (0..1_000)
        .map(|number| format!(r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"p{number}","namespace":"n","annotations":{{"note":"{}"}}}},"status":{{"phase":"Pending"}}}}"#, "long ".repeat(60)))
        .collect();
    let list = format!(r#"{{"apiVersion":"v1","kind":"PodList","items":[{}]}}"#, pods.join(",\n"));
    let mut members = vec![("pods.json".to_owned(), list)];
    members.extend((0..200).map(|number| (format!("small/{number}.txt"), format!("a line of {number}\n"))));
    members.push(("kube-apiserver.log".to_owned(), log));
    let mut builder = tar::Builder::new(Vec::new());
    for (name, text) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, text.as_bytes()).expect("memory takes it");
    }
    builder.into_inner().expect("memory takes it")
}

#[test]
fn members_of_many_blocks_are_the_same_whoever_reads_them() {
    let place = tempfile::tempdir().expect("a folder for archives");
    let whole = large();
    for (name, bytes) in [("whole.tar", whole.as_slice()), ("cut.tar", &whole[..whole.len() - 700_000])] {
        let path = place.path().join(name);
        std::fs::write(&path, bytes).expect("an archive can be written");
        let told = by_threads(&path, NonZero::new(1));
        assert!(told.contains("kube-apiserver.log"), "{name}: the log is read");
        for threads in [2, 8].map(NonZero::new) {
            assert_eq!(by_threads(&path, threads), told, "{name}: {threads:?}");
        }
    }
}
