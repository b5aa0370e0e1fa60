//! Hostile and damaged bundles: one test for each way in.
//!
//! What holds for all: no panic, no hang, nothing from outside the bundle, nothing written, and what can
//! be read is read.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use facts::cut::Cut;
use facts::limit::Limit;
use facts::origin::MemberId;
use intake::{Error, Intake, Limits, Source, Visitor, read};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;

/// Keeps the text of every member and every cut.
#[derive(Default)]
struct Keep {
    texts: BTreeMap<MemberId, String>,
    cuts: BTreeMap<MemberId, Cut>,
}

impl Visitor for Keep {
    fn member(&mut self, id: MemberId, _name: &str, body: &mut dyn Read) {
        let mut bytes = Vec::new();
        body.take(1 << 20).read_to_end(&mut bytes).unwrap();
        assert!(self.texts.insert(id, String::from_utf8_lossy(&bytes).into_owned()).is_none());
    }

    fn cut(&mut self, id: MemberId, cut: &Cut) {
        assert!(self.texts.contains_key(&id));
        self.cuts.insert(id, cut.clone());
    }
}

/// The outcome as a reader would tell it: members with their text, and all that was said.
#[derive(Debug, PartialEq)]
struct Told {
    members: Vec<(String, String, Option<String>)>,
    intake: Intake,
}

/// What was left out, with the reason in words.
fn said(told: &Told) -> Vec<(String, String)> {
    told.intake.unread.iter().map(|(name, why)| (name.clone(), why.to_string())).collect()
}

fn try_path(path: &Path, limits: &Limits) -> Result<Told, Error> {
    let mut keep = Keep::default();
    let mut next = 7;
    let intake = read(&Source::Path(path.to_owned()), limits, &mut next, &mut keep)?;
    assert_eq!(next as usize, 7 + intake.members.len());
    let members = intake
        .members
        .iter()
        .map(|m| {
            assert_eq!(m.cut.as_ref(), keep.cuts.get(&m.id));
            (m.name.clone(), keep.texts[&m.id].clone(), m.cut.as_ref().map(Cut::to_string))
        })
        .collect();
    Ok(Told { members, intake })
}

fn path(path: &Path) -> Told {
    try_path(path, &Limits::default()).unwrap()
}

fn try_bytes(name: &str, bytes: &[u8], limits: &Limits) -> Result<Told, Error> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join(name);
    std::fs::write(&file, bytes).unwrap();
    let told = try_path(&file, limits);
    let left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "something was written next to the bundle");
    told
}

fn bytes(bytes: &[u8]) -> Told {
    try_bytes("b.tar.gz", bytes, &Limits::default()).unwrap()
}

/// One raw tar entry; the name is written as it is, whatever it holds.
fn entry(name: &str, kind: tar::EntryType, link: &str, body: &[u8]) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
    header.as_mut_bytes()[157..157 + link.len()].copy_from_slice(link.as_bytes());
    header.set_entry_type(kind);
    header.set_mode(0o644);
    header.set_size(body.len() as u64);
    header.set_cksum();
    let mut out = header.as_bytes().to_vec();
    out.extend(body);
    out.resize(out.len().div_ceil(512) * 512, 0);
    out
}

fn file(name: &str, body: &str) -> Vec<u8> {
    entry(name, tar::EntryType::Regular, "", body.as_bytes())
}

fn archive(entries: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut out: Vec<u8> = entries.into_iter().flatten().collect();
    out.resize(out.len() + 1024, 0);
    out
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn names(told: &Told) -> Vec<&str> {
    told.members.iter().map(|(name, _, _)| name.as_str()).collect()
}

fn whole(name: &str, text: &str) -> (String, String, Option<String>) {
    (name.to_owned(), text.to_owned(), None)
}

#[test]
fn a_member_that_climbs_out_stays_inside() {
    let told = bytes(&archive([file("../../etc/cron.d/x", "evil"), file("a/../b.txt", "b")]));
    assert_eq!(told.members, [whole("a/b.txt", "b"), whole("etc/cron.d/x", "evil")]);
    assert_eq!(
        told.intake.damage,
        [
            "b.tar.gz: the name `../../etc/cron.d/x` leads out of the bundle; it was read as `etc/cron.d/x`",
            "b.tar.gz: the name `a/../b.txt` leads out of the bundle; it was read as `a/b.txt`",
        ]
    );
}

#[test]
fn an_absolute_path_is_read_as_a_relative_one() {
    let told = bytes(&archive([file("/var/log/a.log", "a"), file("/etc/b", "b")]));
    assert_eq!(told.members, [whole("etc/b", "b"), whole("var/log/a.log", "a")]);
}

#[test]
fn nothing_is_written_through_a_symbolic_link() {
    let victim = tempfile::tempdir().unwrap();
    let target = victim.path().to_str().unwrap();
    let link = entry("b/link", tar::EntryType::Symlink, target, b"");
    let hard = entry("b/hard", tar::EntryType::Link, "/etc/passwd", b"");
    let told = bytes(&archive([link, hard, file("b/link/x", "evil"), file("b/y", "y")]));
    assert_eq!(names(&told), ["link/x", "y"]);
    assert_eq!(std::fs::read_dir(victim.path()).unwrap().count(), 0);
    let unread = [
        ("hard".to_owned(), "hard link to `/etc/passwd`, outside of the bundle".to_owned()),
        ("link".to_owned(), format!("symbolic link to `{target}`, outside of the bundle")),
    ];
    assert_eq!(said(&told), unread);
}

#[cfg(unix)]
#[test]
fn a_link_out_of_a_directory_is_not_followed() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret"), "SECRET").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    symlink("/etc/passwd", root.join("passwd")).unwrap();
    symlink(outside.path(), root.join("folder")).unwrap();
    symlink("real.txt", root.join("alias.txt")).unwrap();
    symlink("nowhere", root.join("dangling")).unwrap();
    std::fs::write(root.join("real.txt"), "real").unwrap();
    let told = path(root);
    assert_eq!(told.members, [whole("real.txt", "real")]);
    let said: Vec<String> = told.intake.unread.iter().map(|(name, reason)| format!("{name}: {reason}")).collect();
    let links: Vec<_> = told.intake.links.iter().map(|link| (link.name.as_str(), link.target.as_str())).collect();
    assert_eq!(links, [("alias.txt", "real.txt")]);
    assert_eq!(
        said,
        [
            "dangling: symbolic link to `nowhere`, which is not in the bundle".to_owned(),
            format!("folder: symbolic link to `{}`, outside of the bundle", outside.path().display()),
            "passwd: symbolic link to `/etc/passwd`, outside of the bundle".to_owned(),
        ]
    );
}

#[cfg(unix)]
#[test]
fn a_fifo_in_a_directory_does_not_hang() {
    let dir = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("mkfifo").arg(dir.path().join("pipe")).status().unwrap();
    assert!(made.success());
    std::fs::write(dir.path().join("a.txt"), "a").unwrap();
    let told = path(dir.path());
    assert_eq!(names(&told), ["a.txt"]);
    assert_eq!(said(&told), [("pipe".to_owned(), "FIFO".to_owned())]);
}

#[cfg(unix)]
#[test]
fn a_device_in_an_archive_is_listed() {
    let told = bytes(&archive([
        entry("b/pipe", tar::EntryType::Fifo, "", b""),
        entry("b/null", tar::EntryType::Char, "", b""),
        entry("b/disk", tar::EntryType::Block, "", b""),
        file("b/a", "a"),
    ]));
    assert_eq!(names(&told), ["a"]);
    assert_eq!(told.intake.unread.len(), 3);
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_is_listed() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.txt"), "a").unwrap();
    let closed = dir.path().join("closed.txt");
    std::fs::write(&closed, "closed").unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o000)).unwrap();
    let told = path(dir.path());
    if std::fs::File::open(&closed).is_ok() {
        // The superuser may read everything.
        assert_eq!(names(&told), ["a.txt", "closed.txt"]);
    } else {
        assert_eq!(names(&told), ["a.txt"]);
        assert!(told.intake.unread[0].1.to_string().starts_with("it cannot be opened: "), "{:?}", told.intake.unread);
    }
}

#[test]
fn a_truncated_gzip_yields_what_stands_before_the_cut() {
    let noise: String = (0..200_000u64).map(|i| format!("{:x}\n", i.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    let packed = gzip(&archive([file("b/a.txt", "first"), file("b/b.log", &noise), file("b/c.txt", "last")]));
    let told = bytes(&packed[..packed.len() / 2]);
    assert_eq!(names(&told), ["a.txt", "b.log"]);
    assert_eq!(told.members[0], whole("a.txt", "first"));
    assert!(noise.starts_with(&told.members[1].1) && told.members[1].1.len() > 1000);
    assert_eq!(told.members[1].2.as_deref(), Some("the compressed data ends early"));
    assert_eq!(told.intake.damage.len(), 1, "{:?}", told.intake.damage);
    assert!(told.intake.damage[0].contains("the compressed data ends early, in or after `b/b.log`"));
}

#[test]
fn a_truncated_gzip_of_one_file_yields_its_beginning() {
    let noise: String = (0..50_000u64).map(|i| format!("{:x}\n", i.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    let packed = gzip(noise.as_bytes());
    let told = try_bytes("etcd.log.gz", &packed[..packed.len() / 2], &Limits::default()).unwrap();
    assert_eq!(names(&told), ["etcd.log"]);
    assert!(told.members[0].2.is_some() && told.intake.damage.len() == 1);
}

#[test]
fn a_truncated_tar_yields_what_stands_before_the_cut() {
    let tar = archive([file("b/a.txt", "first"), file("b/b.txt", &"x".repeat(1000)), file("b/c.txt", "last")]);
    let told = bytes(&tar[..512 + 512 + 512 + 300]);
    assert_eq!(names(&told), ["a.txt", "b.txt"]);
    assert_eq!(told.members[1].1, "x".repeat(300));
    assert_eq!(told.members[1].2.as_deref(), Some("it ends after 300 of 1000 bytes"));
    assert_eq!(
        told.intake.damage,
        ["b.tar.gz: the archive ends early, in or after `b/b.txt`; what stands before was read"]
    );
}

#[test]
fn an_archive_without_an_end_mark_is_read_and_said() {
    let told = bytes(&file("b/a.txt", "a"));
    assert_eq!(told.members, [whole("a.txt", "a")]);
    assert!(told.intake.damage[0].contains("has no end mark"));
}

#[test]
fn a_damaged_header_costs_one_member() {
    let mut tar = archive([file("b/a.txt", "a"), file("b/b.txt", "b"), file("b/c.txt", "c")]);
    tar[1024 + 3] ^= 0x55;
    let told = bytes(&tar);
    assert_eq!(told.members, [whole("a.txt", "a"), whole("c.txt", "c")]);
    assert_eq!(
        told.intake.damage,
        ["b.tar.gz: the header of the entry at byte 1024 is damaged; reading went on at byte 2048"]
    );
}

#[test]
fn archives_that_were_appended_to_each_other_are_both_read() {
    let mut both = gzip(&archive([file("b/a.txt", "a")]));
    both.extend(gzip(&archive([file("b/b.txt", "b")])));
    let told = bytes(&both);
    assert_eq!(names(&told), ["a.txt", "b.txt"]);
    assert_eq!(told.intake.damage, Vec::<String>::new());
}

#[test]
fn directory_entries_change_nothing() {
    let folder = |name| entry(name, tar::EntryType::Directory, "", b"");
    let with = bytes(&archive([folder("b/"), folder("b/logs/"), file("b/logs/a", "a"), file("b/x", "x")]));
    let without = bytes(&archive([file("b/logs/a", "a"), file("b/x", "x")]));
    assert_eq!(with, without);
}

#[test]
fn a_directory_and_its_archive_name_members_alike() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("b");
    std::fs::create_dir_all(root.join("logs")).unwrap();
    std::fs::write(root.join("logs/a.log"), "a").unwrap();
    std::fs::write(root.join("x.yaml"), "x").unwrap();
    let told = path(&root);
    assert_eq!(told.members, [whole("logs/a.log", "a"), whole("x.yaml", "x")]);
    assert_eq!(told.members, path(dir.path()).members);
    let packed = bytes(&archive([file("./b/x.yaml", "x"), file("./b/logs/a.log", "a")]));
    assert_eq!(told.members, packed.members);
}

#[test]
fn a_gzip_bomb_is_stopped_by_its_ratio() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let mut zeros = vec![0; 1 << 20];
    zeros[0] = b'x';
    for _ in 0..100 {
        encoder.write_all(&zeros).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    let limits = Limits { ratio: 200, ..Limits::default() };
    let told = try_bytes("bomb.gz", &bomb, &limits).unwrap();
    let read = told.intake.members[0].bytes;
    assert!((64 << 20..66 << 20).contains(&read), "{read}");
    assert_eq!(told.members[0].2.as_deref(), Some("more than 200 bytes came out of each byte of the bundle"));
    assert_eq!(told.intake.limits_hit.len(), 1);
    assert_eq!(told.intake.limits_hit[0].0.name(), "ratio");
}

#[test]
fn a_member_of_nothing_but_line_ends_is_stopped_early() {
    let lines = gzip(&vec![b'\n'; 20 << 20]);
    let told =
        bytes(&gzip(&archive([entry("b/a.log.gz", tar::EntryType::Regular, "", &lines), file("b/z.log", "after")])));
    assert_eq!(names(&told), ["a.log.gz!/a.log", "z.log"]);
    assert!(told.intake.members[0].bytes < 2 << 20, "{}", told.intake.members[0].bytes);
    assert_eq!(told.intake.limits_hit[0].0.name(), "repeated");
}

#[test]
fn the_ratio_is_that_of_all_layers_together() {
    // Each layer by itself gives less than a thousand bytes for one, both of them a hundred thousand.
    let line = (0..6_000u32).map(|at| b'a' + (at % 26) as u8).chain([b'\n']).collect::<Vec<u8>>();
    let inner = gzip(&line.repeat(200 << 10 >> 3));
    let twice = gzip(&archive([entry("b/a.log.gz", tar::EntryType::Regular, "", &inner), file("b/z.log", "after")]));
    let told = bytes(&twice);
    let read = told.intake.members[0].bytes;
    let most = (64 << 20).max(twice.len() as u64 * 1_000) + (1 << 20);
    assert!(read <= most, "{read} bytes came out of {}", twice.len());
    assert_eq!(told.intake.limits_hit[0].0.name(), "ratio");
    assert_eq!(told.members[1].0, "z.log", "what follows is read");
}

#[cfg(unix)]
#[test]
fn the_holes_of_a_file_are_not_read() {
    let dir = tempfile::tempdir().unwrap();
    let sparse = std::fs::File::create(dir.path().join("a.log")).unwrap();
    sparse.set_len(1 << 40).unwrap();
    std::fs::write(dir.path().join("b.txt"), "b").unwrap();
    let told = path(dir.path());
    assert_eq!(names(&told), ["b.txt"]);
    assert_eq!(told.intake.limits_hit[0].0.name(), "ratio");
}

#[test]
fn a_bomb_inside_an_archive_costs_itself_alone() {
    let zeros = gzip(&vec![0; 70 << 20]);
    let bomb = entry("b/bomb.gz", tar::EntryType::Regular, "", &zeros);
    let limits = Limits { ratio: 100, ..Limits::default() };
    let told = try_bytes("b.tar", &archive([bomb, file("b/z.txt", "z")]), &limits).unwrap();
    assert_eq!(names(&told), ["bomb.gz!/bomb", "z.txt"]);
    assert_eq!(told.members[1], whole("z.txt", "z"));
    assert_eq!(told.intake.limits_hit[0].1.as_deref(), Some("bomb.gz!/bomb"));
}

#[test]
fn too_many_members_are_not_read() {
    let limits = Limits { members: 10, ..Limits::default() };
    let entries = (0..1000).map(|i| file(&format!("b/{i:04}"), "x"));
    let told = try_bytes("b.tar", &archive(entries), &limits).unwrap();
    assert_eq!(told.members.len(), 10);
    let hit = (Limit::Members(10), Some("0010".to_owned()));
    assert_eq!((hit.0.name().as_ref(), hit.0.to_string().as_str()), ("members", "reading stopped after 10 members"));
    assert_eq!(told.intake.limits_hit, [hit]);
}

#[test]
fn bytes_of_one_and_of_all_members_are_bounded() {
    let tar = archive([file("b/a", &"a".repeat(100)), file("b/b", "b"), file("b/c", "c")]);
    let one = try_bytes("b.tar", &tar, &Limits { member_bytes: 40, ..Limits::default() }).unwrap();
    assert_eq!(one.members[0].1.len(), 40);
    assert_eq!(one.members[0].2.as_deref(), Some("only the first 40 bytes were read"));
    assert_eq!(names(&one), ["a", "b", "c"]);
    let all = try_bytes("b.tar", &tar, &Limits { total_bytes: 60, ..Limits::default() }).unwrap();
    assert_eq!(names(&all), ["a"]);
    assert_eq!(all.intake.limits_hit[0].0.name(), "total-bytes");
}

#[test]
fn folders_are_bounded_in_depth() {
    let limits = Limits { path_depth: 3, ..Limits::default() };
    let deep = "d/".repeat(20) + "x";
    let told = try_bytes("b.tar", &archive([file(&deep, "x"), file("b/y", "y"), file("z", "z")]), &limits).unwrap();
    assert_eq!(names(&told), ["b/y", "z"]);
    assert_eq!(told.intake.unread.len(), 1);
    assert_eq!(told.intake.limits_hit[0].0.name(), "path-depth");
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("d/".repeat(20))).unwrap();
    std::fs::write(dir.path().join("d/".repeat(20)).join("x"), "x").unwrap();
    std::fs::write(dir.path().join("z"), "z").unwrap();
    let told = try_path(dir.path(), &limits).unwrap();
    assert_eq!(names(&told), ["z"]);
    assert_eq!(told.intake.limits_hit[0].0.name(), "path-depth");
}

#[test]
fn archives_in_archives_are_opened_to_the_limit() {
    let mut inner = archive([file("deep.txt", "deep")]);
    for _ in 0..8 {
        let packed = gzip(&inner);
        inner = archive([entry("x.tar.gz", tar::EntryType::Regular, "", &packed), file("here.txt", "here")]);
    }
    let told = bytes(&inner);
    let prefix = |n: usize| "x.tar.gz!/".repeat(n);
    let expected: Vec<String> = (0..=4).map(|n| prefix(n) + "here.txt").collect();
    assert_eq!(names(&told), expected);
    assert_eq!(told.intake.unread.len(), 1);
    assert_eq!(told.intake.unread[0].0, prefix(4) + "x.tar.gz");
    assert_eq!(told.intake.limits_hit[0].0.name(), "archive-depth");
}

#[test]
fn a_gzip_of_a_gzip_counts_as_archives_in_archives() {
    let mut inner = b"text".to_vec();
    for _ in 0..30 {
        inner = gzip(&inner);
    }
    let error = try_bytes("x.gz", &inner, &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("archive-depth"), "{error}");
}

#[test]
fn a_rotated_log_keeps_its_place() {
    let packed = entry("b/logs/etcd.log.1.gz", tar::EntryType::Regular, "", &gzip(b"line\n"));
    let told = bytes(&archive([packed, file("b/x", "x")]));
    assert_eq!(told.members, [whole("logs/etcd.log.1.gz!/etcd.log.1", "line\n"), whole("x", "x")]);
}

#[test]
fn an_xz_archive_is_read() {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(&archive([file("b/a", "a")])).unwrap();
    assert_eq!(bytes(&encoder.finish().unwrap()).members, [whole("a", "a")]);
}

#[test]
fn a_long_name_is_read_in_both_dialects() {
    let long = format!("b/{}/x.txt", "n".repeat(150));
    let gnu =
        [entry("././@LongLink", tar::EntryType::GNULongName, "", format!("{long}\0").as_bytes()), file("b/n", "g")];
    let mut pax = tar::Builder::new(Vec::new());
    pax.append_pax_extensions([("path", long.as_bytes())]).unwrap();
    let mut pax = pax.into_inner().unwrap();
    pax.truncate(pax.len() - 1024);
    let told = bytes(&archive(gnu.into_iter().chain([pax, file("b/n", "p"), file("b/z", "z")])));
    let name = &long[2..];
    assert_eq!(
        told.members.iter().map(|m| m.1.as_str()).collect::<String>(),
        "pgz",
        "equal names are ordered by their hash"
    );
    assert_eq!(names(&told), [name, name, "z"]);
}

/// The map of a sparse file can be longer than its header: the blocks of it are no content, and the next
/// entry is found behind them. Source: `gnu/tar:src/sparse.c`.
#[test]
fn a_sparse_file_is_listed_under_its_own_name_and_costs_no_other() {
    let mut old = entry("b/db", tar::EntryType::GNUSparse, "", b"content");
    old[482] = 1;
    let mut header = tar::Header::new_gnu();
    header.as_mut_bytes().copy_from_slice(&old[..512]);
    header.set_cksum();
    old[..512].copy_from_slice(header.as_bytes());
    let mut more = vec![0; 1024];
    more[504] = 1;
    old.splice(512..512, more);
    let mut pax = tar::Builder::new(Vec::new());
    pax.append_pax_extensions([("GNU.sparse.major", b"1".as_slice()), ("GNU.sparse.name", b"b/lastlog")]).unwrap();
    let mut pax = pax.into_inner().unwrap();
    pax.truncate(pax.len() - 1024);
    let told = bytes(&archive([
        file("b/a", "a"),
        old,
        file("b/c", "c"),
        pax,
        file("b/GNUSparseFile.0/x", "x"),
        file("b/z", "z"),
    ]));
    assert_eq!(names(&told), ["a", "c", "z"]);
    let reason = "sparse file: pack it again without `--sparse`".to_owned();
    assert_eq!(said(&told), [("db".to_owned(), reason.clone()), ("lastlog".to_owned(), reason)]);
    assert_eq!(told.intake.damage, [""; 0]);
}

#[test]
fn a_name_that_is_too_long_to_hold_is_left_out() {
    let endless = "n".repeat(2 << 20);
    let told = bytes(&archive([entry("x", tar::EntryType::GNULongName, "", endless.as_bytes()), file("short", "s")]));
    assert_eq!(told.members, [whole("short", "s")]);
    assert_eq!(told.intake.damage.len(), 1);
}

#[test]
fn an_empty_file_is_a_member() {
    let told = bytes(&archive([file("b/empty.yaml", ""), file("b/x", "x")]));
    assert_eq!(told.members, [whole("empty.yaml", ""), whole("x", "x")]);
}

#[test]
fn garbage_is_a_member_like_any_other() {
    let garbage: Vec<u8> = (0..5000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let told = try_bytes("upload", &garbage, &Limits::default()).unwrap();
    assert_eq!(names(&told), ["upload"]);
    assert_eq!(told.intake.members[0].bytes, 5000);
}

#[test]
fn an_archive_of_zero_bytes_is_an_error() {
    let error = try_bytes("b.tar.gz", b"", &Limits::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "nothing could be read from b.tar.gz: it has no bytes at all; check the upload, or collect the bundle again"
    );
}

#[test]
fn what_holds_nothing_is_an_error_with_its_reason() {
    let say = |bytes: &[u8]| try_bytes("b", bytes, &Limits::default()).unwrap_err().to_string();
    assert!(say(b"7z\xbc\xaf\x27\x1crest").contains("`b` was not read: 7z is not supported: unpack it first"));
    assert!(say(&gzip(b"text")[..6]).contains("the compressed data ends early"));
    let dir = tempfile::tempdir().unwrap();
    let error = try_path(dir.path(), &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("it holds no files"), "{error}");
    let error = try_path(&dir.path().join("none"), &Limits::default()).unwrap_err();
    assert!(matches!(error, Error::Open { .. }));
}

#[test]
fn names_cannot_forge_lines() {
    let told = bytes(&archive([file("b/a\nverdict: fine", "a"), file("b/x", "x")]));
    assert_eq!(names(&told), ["a\\u{a}verdict: fine", "x"]);
}

#[test]
fn equal_names_are_all_kept() {
    let told = bytes(&archive([file("b/a", "one"), file("b/a", "two"), file("b/a", "one")]));
    assert_eq!(names(&told), ["a", "a", "a"]);
}

fn without_ids(mut told: Told) -> Told {
    for member in &mut told.intake.members {
        member.id = MemberId(0);
    }
    for link in &mut told.intake.links {
        link.member = MemberId(0);
    }
    told
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The order of an archive means nothing.
    #[test]
    fn shuffling_members_changes_nothing(
        entries in prop::collection::vec(("[ab]/[ab._]{1,3}", "[xy]{0,3}", 0..4u8), 1..12).prop_shuffle(),
        seed in any::<u64>(),
    ) {
        let make = |(name, text, kind): &(String, String, u8)| match kind {
            0 => entry(name, tar::EntryType::Symlink, text, b""),
            1 => entry(name, tar::EntryType::Regular, "", &gzip(text.as_bytes())),
            _ => file(name, text),
        };
        let mut other = entries.clone();
        other.sort_by_key(|(name, text, kind)| {
            name.bytes().chain(text.bytes()).chain([*kind]).fold(seed, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3).rotate_left(7))
        });
        let (a, b) = (archive(entries.iter().map(make)), archive(other.iter().map(make)));
        let read = |bytes: &[u8]| try_bytes("b.tar", bytes, &Limits::default()).map(without_ids).map_err(|e| e.to_string());
        prop_assert_eq!(read(&a), read(&b));
    }

    /// No bytes make the intake panic or go on without end.
    #[test]
    fn damaged_archives_never_panic(at in 0usize..4096, byte in any::<u8>(), cut in 0usize..5000, pack in any::<bool>()) {
        let mut tar = archive([file("b/a", "a"), entry("b/x.gz", tar::EntryType::Regular, "", &gzip(b"x")), file("b/c", "c")]);
        if pack {
            tar = gzip(&tar);
        }
        let at = at % tar.len();
        tar[at] ^= byte;
        tar.truncate(tar.len().min(cut.max(1)));
        let _ = try_bytes("b", &tar, &Limits::default());
    }
}
