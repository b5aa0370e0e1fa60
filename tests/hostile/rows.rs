//! What hostile archives did to other tools, row by row, through the public API: as tar and as zip.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use assert_cmd::Command;
use facts::cut::Cut;
use facts::origin::MemberId;
use intake::{Intake, Limits, Source, Visitor, read};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;

/// What an entry of an archive is.
#[derive(Clone, Copy)]
enum Kind {
    File,
    Link,
    Fifo,
}

/// One entry: its name, what it is, and its content or target.
type Entry<'a> = (&'a str, Kind, &'a str);

fn tar(entries: &[Entry<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, kind, text) in entries {
        let mut header = tar::Header::new_gnu();
        let (kind, body, link) = match kind {
            Kind::File => (tar::EntryType::Regular, *text, ""),
            Kind::Link => (tar::EntryType::Symlink, "", *text),
            Kind::Fifo => (tar::EntryType::Fifo, "", ""),
        };
        // Written as it is: the crate would refuse such names.
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.as_mut_bytes()[157..157 + link.len()].copy_from_slice(link.as_bytes());
        header.set_entry_type(kind);
        header.set_mode(0o644);
        header.set_size(body.len() as u64);
        header.set_cksum();
        out.extend(header.as_bytes());
        out.extend(body.as_bytes());
        out.resize(out.len().div_ceil(512) * 512, 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

fn zip(entries: &[Entry<'_>]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().unix_permissions(0o644);
    for (name, kind, text) in entries {
        match kind {
            Kind::Link => writer.add_symlink(*name, *text, options).unwrap(),
            Kind::File | Kind::Fifo => {
                writer.start_file(*name, options).unwrap();
                writer.write_all(text.as_bytes()).unwrap();
            }
        }
    }
    let mut bytes = writer.finish().unwrap().into_inner();
    // The crate writes no pipes: their type is changed in the directory.
    for (name, _, _) in entries.iter().filter(|(_, kind, _)| matches!(kind, Kind::Fifo)) {
        let at = bytes.windows(name.len()).rposition(|window| window == name.as_bytes()).unwrap() - 46;
        assert_eq!(bytes[at..at + 4], *b"PK\x01\x02");
        bytes[at + 41] = 0x10 | (bytes[at + 41] & 0x0f);
    }
    bytes
}

/// Texts of members by name, and what else was said.
#[derive(Default)]
struct Keep(BTreeMap<MemberId, String>);

impl Visitor for Keep {
    fn member(&mut self, id: MemberId, _name: &str, body: &mut dyn Read) {
        let mut bytes = Vec::new();
        body.take(1 << 20).read_to_end(&mut bytes).unwrap();
        assert!(self.0.insert(id, String::from_utf8_lossy(&bytes).into_owned()).is_none());
    }

    fn cut(&mut self, _id: MemberId, _cut: &Cut) {}
}

/// What was left out, with the reason in words.
fn said(intake: &Intake) -> Vec<(String, String)> {
    intake.unread.iter().map(|(name, why)| (name.clone(), why.to_string())).collect()
}

fn read_path(path: &Path, limits: &Limits) -> (Vec<(String, String)>, Intake) {
    let mut keep = Keep::default();
    let intake = read(&Source::Path(path.to_owned()), limits, &mut 0, &mut keep).unwrap();
    let members = intake.members.iter().map(|member| (member.name.clone(), keep.0[&member.id].clone())).collect();
    (members, intake)
}

fn read_bytes(bytes: &[u8], limits: &Limits) -> (Vec<(String, String)>, Intake) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("upload");
    std::fs::write(&file, bytes).unwrap();
    let read = read_path(&file, limits);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "something was written next to the bundle");
    read
}

/// Runs a test on the same entries as tar and as zip.
fn both(entries: &[Entry<'_>], test: impl Fn(&[(String, String)], &Intake)) {
    for bytes in [tar(entries), zip(entries)] {
        let (members, intake) = read_bytes(&bytes, &Limits::default());
        test(&members, &intake);
    }
}

fn pairs(members: &[(String, String)]) -> Vec<(&str, &str)> {
    members.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect()
}

#[test]
fn dot_dot_member() {
    both(&[("../../outside.txt", Kind::File, "evil"), ("b/a.txt", Kind::File, "a")], |members, intake| {
        assert_eq!(pairs(members), [("b/a.txt", "a"), ("outside.txt", "evil")]);
        assert_eq!(
            intake.damage,
            ["upload: the name `../../outside.txt` leads out of the bundle; it was read as `outside.txt`"]
        );
    });
}

#[test]
fn absolute_path() {
    let victim = tempfile::tempdir().unwrap();
    let name = format!("{}/x", victim.path().display());
    both(&[(name.as_str(), Kind::File, "evil"), ("b/a.txt", Kind::File, "a")], |members, _| {
        assert_eq!(pairs(members), [("b/a.txt", "a"), (name.trim_start_matches('/'), "evil")]);
        assert_eq!(std::fs::read_dir(victim.path()).unwrap().count(), 0);
    });
}

#[test]
fn write_through_symlink() {
    let victim = tempfile::tempdir().unwrap();
    let target = victim.path().to_str().unwrap();
    both(
        &[("b/link", Kind::Link, target), ("b/link/x", Kind::File, "evil"), ("b/y", Kind::File, "y")],
        |members, intake| {
            assert_eq!(pairs(members), [("link/x", "evil"), ("y", "y")]);
            assert_eq!(std::fs::read_dir(victim.path()).unwrap().count(), 0);
            let reason = format!("symbolic link to `{target}`, outside of the bundle");
            assert_eq!(said(intake), [("link".to_owned(), reason)]);
        },
    );
}

#[test]
fn symlinked_log_to_the_analysts_file() {
    let own = tempfile::tempdir().unwrap();
    let file = own.path().join("private.log");
    std::fs::write(&file, "PRIVATE").unwrap();
    let target = file.to_str().unwrap();
    let up = format!("{}{}", "../".repeat(30), target.trim_start_matches('/'));
    let entries = [("b/pod.log", Kind::Link, target), ("b/up.log", Kind::Link, &up), ("b/y", Kind::File, "y")];
    both(&entries, |members, intake| {
        assert_eq!(pairs(members), [("y", "y")]);
        assert_eq!(intake.links, []);
        let said: Vec<_> = intake
            .unread
            .iter()
            .map(|(name, reason)| (name.as_str(), reason.to_string().ends_with("outside of the bundle")))
            .collect();
        assert_eq!(said, [("pod.log", true), ("up.log", true)]);
    });
}

#[test]
fn fifo_as_log() {
    both(&[("b/pod.log", Kind::Fifo, ""), ("b/y", Kind::File, "y")], |members, intake| {
        assert_eq!(pairs(members), [("y", "y")]);
        assert_eq!(said(intake), [("pod.log".to_owned(), "FIFO".to_owned())]);
    });
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn truncated_gzip() {
    let noise: String = (0..100_000u64).map(|i| format!("{:x}\n", i.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    let entries = [("b/a", Kind::File, "a"), ("b/b", Kind::File, noise.as_str()), ("b/c", Kind::File, "c")];
    for bytes in [gzip(&tar(&entries)), zip(&entries)] {
        let (members, intake) = read_bytes(&bytes[..bytes.len() / 2], &Limits::default());
        assert_eq!(members[0], ("a".to_owned(), "a".to_owned()));
        assert!(noise.starts_with(&members[1].1) && members[1].1.len() > 1000 && members.len() == 2);
        assert!(intake.members[1].cut.is_some() && !intake.damage.is_empty());
    }
}

#[test]
fn no_dir_entries() {
    both(&[("b/logs/a", Kind::File, "a"), ("b/x", Kind::File, "x")], |members, intake| {
        assert_eq!(pairs(members), [("logs/a", "a"), ("x", "x")]);
        assert_eq!((intake.unread.len(), intake.damage.len()), (0, 0));
    });
}

#[test]
fn script_in_log_to_html() {
    let script = "<script>alert('x')</script>";
    let line = format!(
        r#"{{"level":"warn","ts":"2026-05-01T10:00:00.000Z","caller":"etcdserver/server.go:1","msg":"etcdserver: no leader {script}</script><img src=x onerror=alert(1)>"}}"#
    );
    let log = format!("{line}\n").repeat(3);
    let name = format!("b/etcd-{script}-1.log");
    for bytes in [
        tar(&[(&name.replace('/', "_"), Kind::File, &log), ("etcd-cp-1.log", Kind::File, &log)]),
        zip(&[(&name.replace('/', "_"), Kind::File, &log), ("etcd-cp-1.log", Kind::File, &log)]),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("upload");
        std::fs::write(&file, bytes).unwrap();
        let command = |format: &str| {
            let told = Command::cargo_bin("casefile")
                .unwrap()
                .args(["diagnose", "--format", format, "-o", "-"])
                .arg(&file)
                .output()
                .unwrap();
            assert_eq!(told.status.code(), Some(0), "{}", String::from_utf8_lossy(&told.stderr));
            String::from_utf8(told.stdout).unwrap()
        };
        assert!(command("json").contains("alert("), "the text reaches the diagnosis");
        let html = command("html");
        assert!(!html.contains("<script>alert") && !html.contains("<img src=x"), "it runs in the report");
        assert!(html.contains("&lt;script&gt;alert") || html.contains("\\u003cscript"), "it is shown");
    }
}

#[test]
fn size_ratio_and_count_caps() {
    // Not of one byte alone: that is stopped for what it is.
    let zeros = "1".to_owned() + &"0".repeat(70 << 20);
    let many: Vec<String> = (0..50).map(|i| format!("b/{i:02}")).collect();
    let many: Vec<Entry<'_>> = many.iter().map(|name| (name.as_str(), Kind::File, "x")).collect();
    let big = [("b/a", Kind::File, zeros.as_str()), ("b/z", Kind::File, "z")];
    for (pack, bomb) in [(tar as fn(&[Entry<'_>]) -> Vec<u8>, gzip(&tar(&big))), (zip, zip(&big))] {
        let hit = |bytes: &[u8], limits: &Limits| {
            let (members, intake) = read_bytes(bytes, limits);
            (members.len(), intake.limits_hit.iter().map(|(limit, _)| limit.name().into_owned()).collect::<Vec<_>>())
        };
        assert_eq!(hit(&pack(&many), &Limits { members: 10, ..Limits::default() }), (10, vec!["members".to_owned()]));
        let text = [("b/a", Kind::File, "0123456789"), ("b/z", Kind::File, "z")];
        let limits = Limits { member_bytes: 4, ..Limits::default() };
        assert_eq!(hit(&pack(&text), &limits), (2, vec!["member-bytes".to_owned()]));
        let limits = Limits { total_bytes: 4, ..Limits::default() };
        assert_eq!(hit(&pack(&text), &limits), (1, vec!["total-bytes".to_owned()]));
        let (members, limits_hit) = hit(&bomb, &Limits { ratio: 100, ..Limits::default() });
        assert!(members >= 1 && limits_hit == ["ratio"], "{members} {limits_hit:?}");
    }
}

#[test]
fn entries_of_a_zip_that_share_their_bytes_are_read_once() {
    let mut bytes = zip(&[("b/a", Kind::File, "a"), ("b/b", Kind::File, "b")]);
    // Both entries of the directory lead to the first content.
    let second = bytes.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
    bytes[second + 42..second + 46].fill(0);
    let (members, intake) = read_bytes(&bytes, &Limits::default());
    assert_eq!(pairs(&members), [("a", "a")]);
    assert_eq!(intake.unread[0].0, "b");
    assert!(intake.limits_hit.iter().any(|(limit, _)| limit.name() == "ratio"));
}

#[test]
fn a_zip_without_its_directory_is_read_entry_by_entry() {
    let bytes = zip(&[("b/a", Kind::File, "a"), ("b/b", Kind::File, "bbb"), ("b/c", Kind::File, "c")]);
    let directory = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    for end in [directory, bytes.len() - 10, directory + 60] {
        let (members, intake) = read_bytes(&bytes[..end], &Limits::default());
        assert_eq!(pairs(&members), [("a", "a"), ("b", "bbb"), ("c", "c")]);
        assert!(intake.damage[0].contains("the directory at the end of the zip is missing"), "{:?}", intake.damage);
    }
    // A directory with a hole in it: what it does not name any more is found by its own header.
    let mut holed = bytes.clone();
    let second = directory + 46 + 3;
    let second = second + holed[second..].windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    holed[second] = b'X';
    let (members, intake) = read_bytes(&holed, &Limits::default());
    assert_eq!(pairs(&members), [("a", "a"), ("b", "bbb"), ("c", "c")]);
    assert!(intake.damage[0].contains("damaged after 1 of 3 entries"), "{:?}", intake.damage);
}

#[test]
fn entries_written_as_a_stream_are_found_without_the_directory() {
    let text = "a line of text\n".repeat(100);
    for method in [zip::CompressionMethod::Deflated, zip::CompressionMethod::Stored] {
        let mut writer = zip::ZipWriter::new_stream(Vec::new());
        let options = SimpleFileOptions::default().compression_method(method);
        for name in ["b/a", "b/b"] {
            writer.start_file(name, options).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        let bytes = writer.finish().unwrap().into_inner();
        let (whole, intake) = read_bytes(&bytes, &Limits::default());
        assert_eq!((pairs(&whole), intake.damage.len()), (vec![("a", text.as_str()), ("b", text.as_str())], 0));
        let directory = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
        assert_eq!(read_bytes(&bytes[..directory], &Limits::default()).0, whole, "{method}");
    }
}

#[test]
fn an_encrypted_entry_is_listed_and_a_wrong_checksum_is_said() {
    let mut bytes = zip(&[("b/a", Kind::File, "a"), ("b/b", Kind::File, "b")]);
    let first = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    bytes[first + 8] |= 1;
    let second = bytes.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
    bytes[second + 16] ^= 1;
    let (members, intake) = read_bytes(&bytes, &Limits::default());
    assert_eq!(pairs(&members), [("b", "b")]);
    assert_eq!(said(&intake), [("a".to_owned(), "it is encrypted: pack it again without a password".to_owned())]);
    assert_eq!(intake.damage, ["b: its checksum is not the one that the archive states; what stands before was read"]);
}

#[test]
fn a_zip_from_another_archive_is_held_within_its_bound() {
    let inner = zip(&[("a", Kind::File, "a"), ("b", Kind::File, &"b".repeat(2000))]);
    let mut header = tar::Header::new_gnu();
    header.set_size(inner.len() as u64);
    header.set_mode(0o644);
    let mut builder = tar::Builder::new(Vec::new());
    builder.append_data(&mut header, "nodes/n1.zip", inner.as_slice()).unwrap();
    let bytes = builder.into_inner().unwrap();
    let (members, intake) = read_bytes(&bytes, &Limits { archive_bytes: 40, ..Limits::default() });
    assert_eq!(pairs(&members), [("nodes/n1.zip!/a", "a")]);
    assert_eq!(intake.limits_hit[0].0.name(), "archive-bytes");
    assert_eq!(read_bytes(&bytes, &Limits::default()).1.limits_hit.len(), 0);
}

#[test]
fn a_zip_comes_from_standard_input_too() {
    let bytes = zip(&[("b/a.yaml", Kind::File, "kind: Pod\n"), ("b/x", Kind::File, "x")]);
    let told = |args: &[&str]| {
        let mut command = Command::cargo_bin("casefile").unwrap();
        let told = command.args(["inspect", "-"]).args(args).write_stdin(bytes.clone()).output().unwrap();
        assert_eq!(told.status.code(), Some(0), "{}", String::from_utf8_lossy(&told.stderr));
        String::from_utf8(told.stdout).unwrap()
    };
    assert!(told(&[]).starts_with("stdin: layout folder"), "{}", told(&[]));
    let bounded = told(&["--max-archive-bytes", "60"]);
    assert!(bounded.contains("archive-bytes: only the first 60 bytes of this zip were held and read"), "{bounded}");
}

#[test]
fn entries_of_one_name_in_a_zip_are_all_kept() {
    let mut bytes = zip(&[("b/a", Kind::File, "one"), ("b/x", Kind::File, "two"), ("c", Kind::File, "c")]);
    while let Some(at) = bytes.windows(3).position(|window| window == b"b/x") {
        bytes[at + 2] = b'a';
    }
    let (members, _) = read_bytes(&bytes, &Limits::default());
    assert_eq!(pairs(&members).len(), 3);
    assert!(members.iter().any(|(_, text)| text == "one") && members.iter().any(|(_, text)| text == "two"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// No bytes make the reading of a zip panic or go on without end.
    #[test]
    fn damaged_zips_never_panic(at in 0usize..4096, byte in any::<u8>(), cut in 1usize..5000) {
        let mut bytes = zip(&[("b/a", Kind::File, "a"), ("b/l", Kind::Link, "a"), ("b/c", Kind::File, "ccc")]);
        let at = at % bytes.len();
        bytes[at] ^= byte;
        bytes.truncate(cut);
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("b"), bytes).unwrap();
        let limits = Limits { total_bytes: 1 << 20, ..Limits::default() };
        let _ = read(&Source::Path(dir.path().join("b")), &limits, &mut 0, &mut Keep::default());
    }
}
