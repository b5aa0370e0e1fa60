//! What hostile archives did to other tools, row by row, through the public API: as tar and as zip.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use casefile::facts::origin::MemberId;
use casefile::intake::{Intake, Limits, Source, Visitor, read};
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

    fn cut(&mut self, _id: MemberId, _reason: &str) {}
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

fn pairs<'a>(members: &'a [(String, String)]) -> Vec<(&'a str, &'a str)> {
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
            assert_eq!(intake.unread, [("link".to_owned(), reason)]);
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
            .map(|(name, reason)| (name.as_str(), reason.ends_with("outside of the bundle")))
            .collect();
        assert_eq!(said, [("pod.log", true), ("up.log", true)]);
    });
}

#[test]
fn fifo_as_log() {
    both(&[("b/pod.log", Kind::Fifo, ""), ("b/y", Kind::File, "y")], |members, intake| {
        assert_eq!(pairs(members), [("y", "y")]);
        assert_eq!(intake.unread, [("pod.log".to_owned(), "FIFO".to_owned())]);
    });
}
