//! The second reading of logs: it finds each line that the first one kept, with the stream that took it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::LIBRARY;
use catalogue::kinds::Catalogue;
use diagnose::{Collected, Input, Options, Quiet, collect};
use facts::store::Stream;
use intake::{Limits, Source};
use signature::load::Library;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

fn read(path: &Path, library: &Library) -> (Source, Collected) {
    let source = Source::Path(path.to_owned());
    let input = Input { source: source.clone(), context: None };
    let collected = collect(&[input], library, &Catalogue::built_in(), &Options::default(), &mut Quiet).unwrap();
    (source, collected)
}

/// Stream, part and line with its text and message.
type Lines = BTreeMap<(usize, usize, u32), (String, String)>;

fn lines(source: &Source, collected: &Collected, wanted: &dyn Fn(usize, &Stream) -> bool) -> Lines {
    let mut all = BTreeMap::new();
    let bundle = lines::Bundle { source, intake: &collected.bundles[0].intake };
    let read = lines::read(&[bundle], &collected.facts, &Limits::default(), wanted, &mut |line| {
        let masked = line.masked();
        all.insert((line.stream, line.part, line.number), (masked.text.to_string(), masked.message));
        ControlFlow::Continue(())
    });
    read.unwrap();
    all
}

#[test]
fn every_line_that_was_kept_is_found_again() {
    let library = &*LIBRARY;
    let samples = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles")).unwrap();
    let mut samples: Vec<PathBuf> = samples.map(|entry| entry.unwrap().path().join("bundle")).collect();
    samples.sort();
    let mut hits = 0;
    for sample in samples.iter().filter(|sample| sample.is_dir()) {
        let (source, collected) = read(sample, library);
        let found = lines(&source, &collected, &|_, _| true);
        for (index, stream) in collected.facts.streams.iter().enumerate() {
            for (part, (member, log)) in stream.parts.iter().enumerate() {
                let name = format!("{}: {} {}", sample.display(), stream.name, collected.facts.members[member]);
                let own = found.range((index, part, 0)..=(index, part, u32::MAX)).count() as u64;
                assert!(
                    own <= log.tally.lines && (own > 0 || log.tally.lines == 0),
                    "{name}: {own} of {}",
                    log.tally.lines
                );
                for hit in &log.hits {
                    let line = found.get(&(index, part, hit.line));
                    let line = line.unwrap_or_else(|| panic!("{name}: line {} is not there", hit.line));
                    assert_eq!(line.0, hit.text.as_str(), "{name}");
                    hits += 1;
                }
            }
        }
    }
    assert!(hits > 100, "{hits}");
}

#[test]
fn lines_of_containers_machines_and_sessions_go_to_their_streams() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(
        "podlogs/shop/web-1/logs/web.txt",
        "2026-03-04T09:00:00Z one\n2026-03-04T09:00:01Z password=hunter2hunter2\n",
    );
    write(
        "journal.log",
        "Mar 04 09:00:00 cp-1 kubelet[1]: a\nMar 04 09:00:01 cp-2 kubelet[1]: b\n  goes on\nMar 04 09:00:02 cp-1 kubelet[1]: c\n",
    );
    let (source, collected) = read(dir.path(), &LIBRARY);
    let facts = &collected.facts;
    let all = lines(&source, &collected, &|_, _| true);
    let shown: Vec<String> = all
        .iter()
        .map(|((stream, _, number), (text, _))| format!("{} {number} {text}", facts.streams[*stream].name))
        .collect();
    insta::assert_snapshot!(shown.join("\n"));
    let only = lines(&source, &collected, &|_, stream| stream.node.as_deref() == Some("cp-2"));
    assert_eq!(
        only.values().map(|(text, _)| text.trim()).collect::<Vec<_>>(),
        ["Mar 04 09:00:01 cp-2 kubelet[1]: b", "goes on"]
    );
}

#[test]
fn a_bundle_that_changed_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.log"), "2026-03-04T09:00:00Z one\n").unwrap();
    let (source, collected) = read(dir.path(), &LIBRARY);
    std::fs::write(dir.path().join("a.log"), "2026-03-04T09:00:00Z two\n").unwrap();
    let bundle = lines::Bundle { source: &source, intake: &collected.bundles[0].intake };
    let again =
        lines::read(&[bundle], &collected.facts, &Limits::default(), &|_, _| true, &mut |_| ControlFlow::Continue(()));
    assert!(matches!(again, Err(lines::Error::Changed(_))), "{again:?}");
}

#[test]
fn who_wants_the_first_member_does_not_read_the_last() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    for name in ["a.log", "b.log", "c.log"] {
        write(name, &format!("2026-03-04T09:00:00Z one of {name}\n"));
    }
    let (source, collected) = read(dir.path(), &LIBRARY);
    let member = |stream: &Stream| collected.facts.members[&stream.parts[0].0].inside().to_owned();
    let of = |name: &str| lines(&source, &collected, &|_, stream| member(stream) == name).len();
    // What stands behind the last wanted line has been another one since; what stands before it may not be.
    write("c.log", "2026-03-04T09:00:00Z two\n");
    assert_eq!((of("a.log"), of("b.log")), (1, 1));
    let bundle = lines::Bundle { source: &source, intake: &collected.bundles[0].intake };
    let last = lines::read(
        &[bundle],
        &collected.facts,
        &Limits::default(),
        &|_, stream| member(stream) == "c.log",
        &mut |_| ControlFlow::Continue(()),
    );
    assert!(matches!(last, Err(lines::Error::Changed(_))), "{last:?}");
}
