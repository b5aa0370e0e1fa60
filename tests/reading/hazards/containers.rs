//! Traps of archives and files: what holds the members.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use catalogue::kinds::Catalogue;
use diagnose::{Collected, Input, Options, Quiet, collect};
use facts::cut::Cut;
use facts::origin::MemberId;
use intake::{Intake, Limits, Source, Visitor, read};
use signature::load::Library;
use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};
use std::path::Path;

/// Keeps the bytes of all members.
#[derive(Default)]
struct Keep(BTreeMap<MemberId, Vec<u8>>);

impl Visitor for Keep {
    fn member(&mut self, id: MemberId, _name: &str, body: &mut dyn Read) {
        body.read_to_end(self.0.entry(id).or_default()).unwrap();
    }

    fn cut(&mut self, _id: MemberId, _cut: &Cut) {}
}

/// The members of a bundle with their texts, and what else was said.
fn members(path: &Path) -> (Vec<(String, String)>, Intake) {
    let mut keep = Keep::default();
    let intake = read(&Source::Path(path.to_owned()), &Limits::default(), &mut 0, &mut keep).unwrap();
    let text = |id: &MemberId| String::from_utf8(keep.0[id].clone()).unwrap();
    (intake.members.iter().map(|member| (member.name.clone(), text(&member.id))).collect(), intake)
}

fn members_of(bytes: &[u8]) -> (Vec<(String, String)>, Intake) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("upload"), bytes).unwrap();
    members(&dir.path().join("upload"))
}

fn names(members: &[(String, String)]) -> Vec<&str> {
    members.iter().map(|(name, _)| name.as_str()).collect()
}

/// All facts of a bundle with the built-in signatures.
fn facts(path: &Path) -> Collected {
    let input = Input { source: Source::Path(path.to_owned()), context: None };
    let library = Library::built_in().unwrap();
    collect(&[input], &library, &Catalogue::built_in(), &Options::default(), &mut Quiet).unwrap()
}

fn inspected(collected: &Collected) -> inspect::model::Inspection {
    let library = Library::built_in().unwrap();
    inspect::model::inspect(&collected.bundles, &collected.facts, &library, &Catalogue::built_in())
}

/// The names of all Pods.
fn pods(collected: &Collected) -> Vec<&str> {
    let pods = collected.facts.objects.iter().filter(|object| object.kind.plural == "pods");
    pods.map(|object| object.name.as_str()).collect()
}

/// An archive of files and, where the text begins with `-> `, of links.
fn tar_of(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, text) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_mode(0o644);
        header.set_size(0);
        if let Some(target) = text.strip_prefix("-> ") {
            header.set_entry_type(tar::EntryType::Symlink);
            builder.append_link(&mut header, name, target).unwrap();
        } else {
            header.set_size(text.len() as u64);
            builder.append_data(&mut header, name, text.as_bytes()).unwrap();
        }
    }
    builder.into_inner().unwrap()
}

fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

const LINE: &str = "2026-05-01T10:00:00.000000Z I | etcdserver: a line\n";

/// crust-gather: the same files as a directory, a zip, and a tar whose headers say one byte too much.
/// Source: `crust-gather:src/gather/writer.rs`; the size is that of the text and one more.
#[test]
fn hazard_05_a_size_that_is_one_too_large_changes_no_text() {
    let block = "x".repeat(511) + "\n";
    let files = [
        ("collected.timestamp", "\"2026-05-01 10:00:00 UTC\"".to_owned()),
        ("version.yaml", "gitVersion: v1.31.2\n".to_owned()),
        ("cluster/v1/node/n1.yaml", "kind: Node\n".to_owned()),
        // Multiples of 512: the byte too much is the first of the next header, or of the end of the archive.
        ("namespaces/a/v1/pod/p/c/current.log", block.clone()),
        ("namespaces/a/v1/pod/p/c/previous.log", String::new()),
        ("namespaces/a/v1/pod/q/c/current.log", block.repeat(3)),
        ("namespaces/b/v1/pod/r/c/current.log", format!("a \0 in a line\n{}", block.repeat(2))),
        ("namespaces/b/v1/pod/s/c/current.log", block.repeat(2)),
    ];
    let mut expected: Vec<_> = files.iter().map(|(name, text)| ((*name).to_owned(), text.clone())).collect();
    expected.sort();
    let told = "the sizes in it are one too large, as crust-gather writes them; the NUL byte after each of 8 members was left out";

    let mut builder = tar::Builder::new(Vec::new());
    for (name, text) in &files {
        let mut header = tar::Header::new_gnu();
        header.set_mode(0o644);
        header.set_size(text.len() as u64 + 1);
        builder.append_data(&mut header, format!("crust/{name}"), text.as_bytes()).unwrap();
    }
    let tar = builder.into_inner().unwrap();
    for bytes in [tar.clone(), gzip(&tar)] {
        let (members, intake) = members_of(&bytes);
        assert_eq!(members, expected);
        assert_eq!(intake.damage, [format!("upload: {told}")]);
    }

    let entries: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let (members_of_zip, intake) = members_of(&zip_of(&entries));
    assert_eq!((members_of_zip, intake.damage.len()), (expected.clone(), 0));

    let dir = tempfile::tempdir().unwrap();
    for (name, text) in &files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    assert_eq!(members(dir.path()).0, expected);
}

/// A header that stands anywhere but at a multiple of 512 is found too.
#[test]
fn hazard_05_an_archive_out_of_step_is_read_on_at_the_next_header() {
    let mut tar = tar_of(&[("b/a.txt", "a"), ("b/b.txt", "b"), ("b/c.txt", "c")]);
    tar.splice(1024..1024, *b"seven b");
    let (members, intake) = members_of(&tar);
    assert_eq!(names(&members), ["a.txt", "b.txt", "c.txt"]);
    assert!(intake.damage[0].contains("byte 1024 is damaged; reading went on at byte 1031"), "{:?}", intake.damage);
}

/// Troubleshoot: the same log under a name of its own, as a link before or after the log; and a log of which
/// only the link's name says whose it is.
#[test]
fn hazard_07_a_link_is_the_only_name_that_tells_whose_log_it_is() {
    let link = "var/log/pods/kube-system_etcd-cp-1_0b7c1a52-6b71-4b7d-b729-1c2d3e4f5a6b/etcd/0.log";
    let up = "-> ../../../../../data/0001";
    for entries in [[(link, up), ("data/0001", LINE)], [("data/0001", LINE), (link, up)]] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("upload.tar");
        std::fs::write(&path, tar_of(&entries)).unwrap();
        let collected = facts(&path);
        let streams: Vec<_> =
            collected.facts.streams.iter().map(|stream| (stream.name.as_str(), stream.class.as_deref())).collect();
        assert_eq!(streams, [("kube-system/etcd-cp-1/etcd", Some("etcd"))]);
        assert_eq!(collected.facts.streams[0].parts.len(), 1, "the content is read once");
        let text = inspect::text::text(&inspected(&collected), true);
        assert!(text.contains("1 member = ") && text.contains("1 link of upload.tar, read once"), "{text}");
        assert!(text.contains(&format!("{link} -> data/0001")), "{text}");
    }
}

/// A list that is known by two names is one answer, and its objects are there once.
#[test]
fn hazard_07_what_has_two_names_is_counted_once() {
    let pods = r#"{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"a","namespace":"n"}}]}"#;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("upload.tar");
    std::fs::write(&path, tar_of(&[("b/cr/n.yaml", "-> n.json"), ("b/cr/n.json", pods), ("b/pods", "-> cr/n.json")]))
        .unwrap();
    let collected = facts(&path);
    let pods: Vec<_> = collected.facts.objects.iter().filter(|object| object.kind.group.is_empty()).collect();
    assert_eq!(pods.len(), 1);
    assert_eq!(pods[0].sightings.len(), 1);
    assert_eq!(collected.facts.coverage.len(), 1);
    assert_eq!(collected.bundles[0].intake.links.len(), 2);
}

/// Links of a directory are resolved like those of its archive, and lead nowhere else.
#[cfg(unix)]
#[test]
fn hazard_07_links_of_a_directory_are_those_of_its_archive() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("b");
    std::fs::create_dir_all(root.join("sos_strings/k")).unwrap();
    std::fs::create_dir_all(root.join("sos_commands/k")).unwrap();
    std::fs::write(root.join("sos_strings/k/pods.tailed"), "text").unwrap();
    std::fs::hard_link(root.join("sos_strings/k/pods.tailed"), root.join("sos_strings/k/same")).unwrap();
    symlink("../../sos_strings/k/pods.tailed", root.join("sos_commands/k/pods")).unwrap();
    symlink("sos_commands/k", root.join("k")).unwrap();
    symlink("../../../../etc/passwd", root.join("sos_commands/k/out")).unwrap();
    let mut builder = tar::Builder::new(Vec::new());
    builder.follow_symlinks(false);
    builder.append_dir_all("b", &root).unwrap();
    let (of_tar, tar) = members_of(&builder.into_inner().unwrap());
    let (of_dir, folder) = members(&root);
    let links =
        |intake: &Intake| intake.links.iter().map(|link| format!("{} {}", link.name, link.target)).collect::<Vec<_>>();
    assert_eq!(links(&folder)[0], "sos_commands/k/pods sos_strings/k/pods.tailed");
    let reasons: Vec<_> = folder.unread.iter().map(|(name, reason)| format!("{name}: {reason}")).collect();
    assert_eq!(
        reasons,
        [
            "k: symbolic link to `sos_commands/k`, a folder of links and of what was not read",
            "sos_commands/k/out: symbolic link to `../../../../etc/passwd`, outside of the bundle",
        ]
    );
    assert_eq!(names(&of_dir), ["sos_strings/k/pods.tailed"]);
    // The archive has both names of the file, each with its content.
    assert_eq!(names(&of_tar), ["sos_strings/k/pods.tailed", "sos_strings/k/same"]);
    assert_eq!((&tar.unread, links(&tar)), (&folder.unread, links(&folder)[..1].to_vec()));
}

/// Archives in archives, each by its content: zip in zip, tar and `.txz` in tar, rotated logs, an archive of
/// another collector inside.
#[test]
fn hazard_08_archives_in_archives_are_opened() {
    let node = zip_of(&[("kubelet.log", LINE.as_bytes()), ("logs/1.log.gz", &gzip(b"rotated"))]);
    let (members, intake) = members_of(&zip_of(&[("nodes/n1.zip", &node), ("metadata.yaml", b"a: b")]));
    assert_eq!(names(&members), ["metadata.yaml", "nodes/n1.zip!/kubelet.log", "nodes/n1.zip!/logs/1.log.gz!/1.log"]);
    assert_eq!(intake.damage, [""; 0]);

    let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 1);
    xz.write_all(&tar_of(&[("s/a.txt", "a")])).unwrap();
    let inner = [
        ("b/scc/h.txz", xz.finish().unwrap()),
        ("b/copy.tar", tar_of(&[("etc/x", "x")])),
        ("b/sonobuoy.tar.gz", gzip(&tar_of(&[("podlogs/n/p/logs/c.txt", LINE)]))),
        ("b/deep.tar.zst", zstd::encode_all(tar_of(&[("z", "z")]).as_slice(), 1).unwrap()),
        ("b/node.zip", node),
        ("b/plain.zip.txt", b"PK is how this text begins".to_vec()),
    ];
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in &inner {
        let mut header = tar::Header::new_gnu();
        header.set_mode(0o644);
        header.set_size(bytes.len() as u64);
        builder.append_data(&mut header, name, bytes.as_slice()).unwrap();
    }
    let mut packed = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    packed.write_all(&builder.into_inner().unwrap()).unwrap();
    let (members, intake) = members_of(&packed.finish().unwrap());
    assert_eq!(
        names(&members),
        [
            "copy.tar!/etc/x",
            "deep.tar.zst!/z",
            "node.zip!/kubelet.log",
            "node.zip!/logs/1.log.gz!/1.log",
            "plain.zip.txt",
            "scc/h.txz!/s/a.txt",
            "sonobuoy.tar.gz!/podlogs/n/p/logs/c.txt",
        ]
    );
    assert_eq!((intake.damage.len(), intake.unread.len()), (0, 0));
}

/// What desktops add is no member, hides no common root, and is listed with its reason.
#[test]
fn hazard_09_files_of_desktops_and_backslashes() {
    let files: [(&str, &[u8]); 9] = [
        (r"b\nodes\cp-1\kubelet.log", LINE.as_bytes()),
        (r"b\run-r\x2dx.mount", b"x"),
        ("__MACOSX/b/._a.yaml", b"\0\x05\x16\x07"),
        ("b/._a.yaml", b"\0\x05\x16\x07"),
        ("./b/a.yaml", b"kind: Pod"),
        ("b/.DS_Store", b"\0\0\0\x01Bud1"),
        ("Thumbs.db", b"x"),
        ("b/desktop.ini", b"x"),
        (r"b\folder\", b""),
    ];
    let (members, intake) = members_of(&zip_of(&files));
    assert_eq!(names(&members), ["a.yaml", "nodes/cp-1/kubelet.log", r"run-r\x2dx.mount"]);
    let unread: Vec<_> = intake
        .unread
        .iter()
        .map(|(name, reason)| (name.as_str(), reason.to_string().contains("nothing that was collected")))
        .collect();
    assert_eq!(
        unread,
        [
            (".DS_Store", true),
            ("._a.yaml", true),
            ("Thumbs.db", true),
            ("__MACOSX/b/._a.yaml", true),
            ("desktop.ini", true)
        ]
    );
    let entries = [("./._b", "x"), ("./b/._x", "x"), ("./b/x", "x"), ("./b/y/z", "z")];
    assert_eq!(names(&members_of(&tar_of(&entries)).0), ["x", "y/z"]);
}

/// A line beyond the bound is cut, said, and costs no other line; an object on one long line is whole.
#[test]
fn hazard_18_very_long_lines_cost_nothing_else() {
    let last = "2026-05-01T10:00:09.000000Z I | etcdserver: the last line\n";
    let log = format!("{LINE}2026-05-01T10:00:01.000000Z I | etcdserver: {}\n{last}", "y".repeat(3 << 20));
    let pad = "z".repeat(3 << 20);
    let object = format!(
        r#"{{"kind":"PodList","apiVersion":"v1","items":[{{"metadata":{{"name":"a","namespace":"n","annotations":{{"pad":"{pad}"}}}}}},{{"metadata":{{"name":"b","namespace":"n"}}}}]}}"#
    );
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("upload.zip");
    std::fs::write(&path, zip_of(&[("b/etcd-cp-1.log", log.as_bytes()), ("b/pods.json", object.as_bytes())])).unwrap();
    let collected = facts(&path);
    let tally = &collected.facts.streams[0].parts[0].1.tally;
    assert_eq!((tally.lines, tally.cut_lines), (3, 1));
    let seconds = tally.last.unwrap().resolve(None).unwrap().as_second()
        - tally.first.unwrap().resolve(None).unwrap().as_second();
    assert_eq!(seconds, 9, "the line behind the long one is read");
    assert_eq!(pods(&collected), ["a", "b"]);
    let limits = inspected(&collected).limits_hit;
    assert_eq!(
        limits,
        [("line-bytes".to_owned(), "1 lines were cut at 1048576 bytes".to_owned(), Some("etcd-cp-1.log".into()))]
    );
}

/// An upload that broke off, and files of zero bytes.
#[test]
fn hazard_23_what_is_cut_is_read_up_to_the_cut_and_what_is_empty_is_said() {
    let list = |name: &str| {
        format!(
            r#"{{"kind":"PodList","apiVersion":"v1","items":[{{"metadata":{{"name":"{name}","namespace":"n"}}}}]}}"#
        )
    };
    let noise: String =
        (0..50_000u64).map(|i| format!("{LINE}{:x}\n", i.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    let (a, b) = (list("a"), list("b"));
    let files = [("b/a.json", a.as_str()), ("b/empty.json", ""), ("b/etcd-cp-1.log", &noise), ("b/z.json", &b)];
    let tar = gzip(&tar_of(&files));
    let zip = zip_of(&files.map(|(name, text)| (name, text.as_bytes())));
    for bytes in [&tar[..tar.len() / 2], &zip[..zip.len() / 2]] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("upload");
        std::fs::write(&path, bytes).unwrap();
        let collected = facts(&path);
        assert_eq!(pods(&collected), ["a"], "what stands before the cut is there, what stands behind it is not");
        assert!(
            collected.facts.streams[0].parts[0].1.tally.lines > 1000,
            "the member that was cut is read up to there"
        );
        let intake = &collected.bundles[0].intake;
        assert!(!intake.damage.is_empty());
        assert_eq!(intake.members.iter().filter(|member| member.cut.is_some()).count(), 1);
        let inspection = inspected(&collected);
        let reason = |name: &str| inspection.unread.iter().find(|row| row.member == name).map(|row| row.reason.clone());
        assert_eq!(reason("empty.json").as_deref(), Some("it is empty"));
        assert!(reason("etcd-cp-1.log").unwrap().starts_with("read only in part: "));
    }
}
