//! The same input gives the same bytes: run twice, and whatever container a bundle comes in and in
//! whatever order its members stand there.
#![expect(clippy::expect_used, reason = "a helper of a test may panic")]

use crate::common::files;
use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, diagnose};
use flate2::{Compression, write::GzEncoder};
use intake::Source;
use signature::load::Library;
use std::io::Write;
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
    let library = Library::built_in().expect("the built-in signatures load");
    let input = Input { source: Source::Path(path.to_owned()), context: None };
    let mut diagnosis =
        diagnose(&[input], &library, &Catalogue::built_in(), &Options::default(), &mut Quiet).expect("it can be read");
    for bundle in &mut diagnosis.bundles {
        bundle.name.clear();
    }
    report::json::render(&diagnosis).expect("a diagnosis can be written")
}

#[test]
fn neither_the_run_nor_the_container_nor_the_order_of_members_shows() {
    for folder in samples() {
        let told = diagnosis(&folder);
        assert_eq!(diagnosis(&folder), told, "{}: two runs differ", folder.display());
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
