//! Cut archives: what stands before the cut is read and equal to what the whole archive holds, and the damage
//! is said. What could be read is computed apart, with the decoders and archive readers alone.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use assert_cmd::Command;
use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, diagnose};
use facts::cut::Cut;
use facts::origin::MemberId;
use intake::{Intake, Limits, Source, Visitor, read};
use signature::load::Library;
use std::collections::BTreeSet;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

/// Parts of an archive, in percent, that are left of it.
const CUTS: [usize; 3] = [25, 50, 75];

/// Drops all content; the intake hashes it.
struct Drain;

impl Visitor for Drain {
    fn member(&mut self, _id: MemberId, _name: &str, _body: &mut dyn Read) {}
    fn cut(&mut self, _id: MemberId, _cut: &Cut) {}
}

fn intake(path: &Path) -> Result<Intake, intake::Error> {
    read(&Source::Path(path.to_owned()), &Limits::default(), &mut 0, &mut Drain)
}

/// Members that were read to their end: name and hash.
fn whole(intake: &Intake) -> BTreeSet<(String, [u8; 32])> {
    let members = intake.members.iter().filter(|member| member.cut.is_none());
    members.map(|member| (member.name.clone(), member.sha256)).collect()
}

/// A compression by its first bytes; the empty text is none.
fn compression(bytes: &[u8]) -> &'static str {
    match bytes {
        [0x1f, 0x8b, ..] => "gz",
        [0xfd, b'7', b'z', ..] => "xz",
        [0x28, 0xb5, 0x2f, 0xfd, ..] => "zst",
        [b'B', b'Z', b'h', ..] => "bz2",
        _ => "",
    }
}

fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// All bytes that come out of a compression before it breaks off.
fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut source: Box<dyn Read> = match compression(bytes) {
        "gz" => Box::new(flate2::read::MultiGzDecoder::new(bytes)),
        "xz" => Box::new(liblzma::read::XzDecoder::new(bytes)),
        "zst" => Box::new(zstd::stream::read::Decoder::new(bytes).unwrap()),
        "bz2" => Box::new(bzip2::read::MultiBzDecoder::new(bytes)),
        _ => Box::new(bytes),
    };
    let (mut out, mut buffer) = (Vec::new(), vec![0; 64 << 10]);
    while let Ok(count @ 1..) = source.read(&mut buffer) {
        out.extend(&buffer[..count]);
    }
    out
}

/// Where the content of each file of an archive ends, by name, in the bytes that [`unpacked`] gives.
fn ends(bytes: &[u8]) -> Vec<(String, u64)> {
    if is_zip(bytes) {
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        let number = archive.len();
        return (0..number)
            .map(|index| {
                let file = archive.by_index_raw(index).unwrap();
                (file.name().unwrap().to_string(), file.data_start().unwrap() + file.compressed_size())
            })
            .collect();
    }
    let unpacked = unpacked(bytes);
    let mut archive = tar::Archive::new(unpacked.as_slice());
    let entries =
        archive.entries().unwrap().filter_map(Result::ok).filter(|entry| entry.header().entry_type().is_file());
    entries
        .map(|entry| {
            let name = String::from_utf8_lossy(&entry.path_bytes()).trim_start_matches("./").to_owned();
            (name, entry.raw_file_position() + entry.size())
        })
        .collect()
}

/// The names that the archive gives to what must be read whole of its first bytes.
fn expected(ends: &[(String, u64)], cut: &[u8]) -> BTreeSet<String> {
    let there = if is_zip(cut) { cut.len() } else { unpacked(cut).len() } as u64;
    ends.iter().filter(|(_, end)| *end <= there).map(|(name, _)| name.clone()).collect()
}

/// Cuts an archive and holds what is read against the whole; gives the cut files.
fn check(name: &str, bytes: &[u8], dir: &Path) -> Vec<PathBuf> {
    let path = dir.join(name);
    std::fs::write(&path, bytes).unwrap();
    let all = intake(&path).unwrap();
    assert_eq!(all.damage, [""; 0], "{name} is whole");
    let (all, ends) = (whole(&all), ends(bytes));
    assert!(
        all.len() > 3 && ends.len() >= all.len() || name.starts_with("missing"),
        "{name}: {} {}",
        all.len(),
        ends.len()
    );
    let cut_to = |percent| {
        let cut = &bytes[..bytes.len() * percent / 100];
        let path = dir.join(format!("{percent}-{name}"));
        std::fs::write(&path, cut).unwrap();
        let expected = expected(&ends, cut);
        let read = match intake(&path) {
            Ok(read) => read,
            Err(error) => {
                assert_eq!(expected, BTreeSet::new(), "{name} at {percent} %: {error}");
                assert!(error.to_string().contains("ends early"), "{name} at {percent} %: {error}");
                return None;
            }
        };
        assert!(!read.damage.is_empty(), "{name} at {percent} %: the damage is not said");
        let found = whole(&read);
        let foreign: Vec<_> = found.difference(&all).map(|(name, _)| name).collect();
        assert_eq!(foreign, [""; 0], "{name} at {percent} %: not in the whole archive");
        // The archive's own names end in the names of members, which lack the common root.
        let missed: Vec<_> = expected
            .iter()
            .filter(|own| {
                all.iter().any(|(name, _)| ends_in(own, name)) && !found.iter().any(|(name, _)| ends_in(own, name))
            })
            .collect();
        assert_eq!(missed, [""; 0], "{name} at {percent} %: before the cut and not read");
        Some(path)
    };
    CUTS.into_iter().filter_map(cut_to).collect()
}

fn ends_in(own: &str, name: &str) -> bool {
    own == name || own.strip_suffix(name).is_some_and(|root| root.ends_with('/') && root.matches('/').count() == 1)
}

/// Diagnoses a cut archive: it goes through, and the report says the damage.
fn diagnosed(path: &Path, library: &Library) {
    let input = Input { source: Source::Path(path.to_owned()), context: None };
    let diagnosis = diagnose(&[input], library, &Catalogue::built_in(), &Options::default(), &mut Quiet)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(!diagnosis.bundles[0].damage.is_empty(), "{}", path.display());
}

#[test]
fn recorded_archives_are_read_up_to_the_cut() {
    let Some(corpus) = crate::common::corpus() else { return };
    let library = Library::built_in().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let found = ["offline", "peers"].map(|folder| crate::common::files(&corpus.join(folder))).concat();
    let mut checked = 0;
    for path in found {
        let bytes = std::fs::read(&path).unwrap();
        if compression(&bytes).is_empty() && !is_zip(&bytes) {
            continue;
        }
        let cuts = check(path.file_name().unwrap().to_str().unwrap(), &bytes, dir.path());
        if bytes.len() < 200_000 {
            cuts.iter().for_each(|path| diagnosed(path, &library));
        }
        checked += 1;
    }
    assert!(checked > 8, "{checked}");
}

/// A folder as a tar archive with its own name as the root.
fn tar_of(folder: &Path) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for path in crate::common::files(folder) {
        let name = Path::new("bundle").join(path.strip_prefix(folder).unwrap());
        builder.append_path_with_name(&path, name).unwrap();
    }
    builder.into_inner().unwrap()
}

fn zip_of(folder: &Path) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for path in crate::common::files(folder) {
        let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
        writer.start_file(format!("bundle/{name}"), zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(&std::fs::read(&path).unwrap()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A folder in every container, with the ending of its name.
fn packed(folder: &Path) -> [(&'static str, Vec<u8>); 6] {
    let tar = tar_of(folder);
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(&tar).unwrap();
    let mut bz2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bz2.write_all(&tar).unwrap();
    let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 1);
    xz.write_all(&tar).unwrap();
    [
        ("tar.gz", gz.finish().unwrap()),
        ("tar.bz2", bz2.finish().unwrap()),
        ("tar.xz", xz.finish().unwrap()),
        ("tar.zst", zstd::encode_all(tar.as_slice(), 1).unwrap()),
        ("zip", zip_of(folder)),
        ("tar", tar),
    ]
}

fn in_every_container(case: &str) {
    let Some(corpus) = crate::common::corpus() else { return };
    let library = Library::built_in().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let folder = corpus.join("real").join(case);
    let plain = whole(&intake(&folder).unwrap());
    for (ending, bytes) in packed(&folder) {
        let name = format!("{case}.{ending}");
        let cuts = check(&name, &bytes, dir.path());
        assert_eq!(whole(&intake(&dir.path().join(&name)).unwrap()), plain, "{name}");
        cuts.iter().for_each(|path| diagnosed(path, &library));
        // What is compressed in one block that was cut holds nothing any more.
        let cut = dir.path().join(format!("50-{name}"));
        let told = Command::cargo_bin("casefile").unwrap().args(["diagnose", "-o", "-"]).arg(&cut).output().unwrap();
        let wanted = if cuts.contains(&cut) { 0 } else { 3 };
        assert_eq!(told.status.code(), Some(wanted), "{name}: {}", String::from_utf8_lossy(&told.stderr));
    }
}

#[test]
fn a_broken_etcd_is_read_up_to_the_cut_in_every_container() {
    in_every_container("etcd35-quorum-lost-zap");
}

#[test]
fn a_healthy_platform_is_read_up_to_the_cut_in_every_container() {
    in_every_container("capi113-healthy");
}
