//! How fast bundles are read. Run with `cargo bench --bench diagnose`.

#![expect(clippy::expect_used, clippy::panic, reason = "a benchmark that cannot be set up must stop")]

use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, diagnose};
use divan::Bencher;
use divan::counter::BytesCount;
use facts::origin::MemberId;
use intake::{Limits, Source};
use parse::line::glance;
use parse::scan::{Literals, scan};
use signature::load::Library;
use signature::pack::Pack;

fn main() {
    divan::main();
}

/// Lines of every format, with numbers that differ from line to line.
fn synthetic(bytes: usize) -> String {
    let lines: Vec<&str> = include_str!("../tests/data/logs/lines.txt").lines().collect();
    let mut text = String::with_capacity(bytes + 1024);
    let mut number = 0usize;
    while text.len() < bytes {
        text.push_str(lines[number % lines.len()]);
        text.push_str(&format!(" n={number}\n"));
        number += 1;
    }
    text
}

/// Literals of which the first five occur in the text and the others do not.
fn literals(count: usize) -> Literals {
    let found = ["Killed process", "Skipping pod", "became follower", "required variable", "half a line"];
    let absent = (0..count).map(|number| format!("the controller could not reach object number {number}"));
    Literals::new(found.into_iter().map(str::to_owned).chain(absent).take(count))
}

#[divan::bench]
fn glance_of_every_line(bencher: Bencher<'_, '_>) {
    let text = synthetic(4 << 20);
    bencher.counter(BytesCount::of_str(&text)).bench(|| {
        for line in text.lines() {
            divan::black_box(glance(line.as_bytes()));
        }
    });
}

#[divan::bench(args = [5, 2000])]
fn scan_of_a_log(bencher: Bencher<'_, '_>, count: usize) {
    let text = synthetic(16 << 20);
    let literals = literals(count);
    let limits = Limits::default();
    bencher.counter(BytesCount::of_str(&text)).bench(|| scan(MemberId(0), text.as_bytes(), &literals, &limits));
}

#[divan::bench(args = [5, 2000])]
fn build_of_the_automaton(count: usize) -> Literals {
    literals(count)
}

/// A whole run on a small bundle, the loading of the library included: what the library costs where there is
/// little to read.
#[divan::bench(args = [5, usize::MAX])]
fn run_on_a_small_bundle(bencher: Bencher<'_, '_>, signatures: usize) {
    let bundle = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-bundles/etcd-no-leader/bundle");
    let input = Input { source: Source::Path(bundle.into()), context: None };
    let pack = || {
        let built_in = Pack::built_in();
        if signatures == usize::MAX {
            return built_in;
        }
        let step = built_in.signatures().count() / signatures;
        let some = built_in.signatures().step_by(step).take(signatures);
        Pack::of("some", some.map(|(path, text)| (path.to_owned(), text.to_owned())).collect())
    };
    bencher.bench(|| {
        let library = Library::of(&[pack()]).unwrap_or_else(|error| panic!("{error}"));
        let catalogue = Catalogue::built_in();
        diagnose(std::slice::from_ref(&input), &library, &catalogue, &Options::default(), &mut Quiet)
            .expect("a diagnosis")
    });
}

/// A signature that looks for one text in logs which no log holds.
fn absent_signature(number: usize) -> String {
    format!(
        r#"schema: 1
id: CF-{id}
name: absent-{number}
title: "A fault that no log of the benchmark shows, number {number}"
summary: Stands for one of many signatures.
status: experimental
severity: low
reviewed: 2026-11-21
tags: [bench]
entity:
  name: node
  object: {{ kind: nodes }}
evidence:
  - id: line
    role: hallmark
    claim: "The log of `{{node}}` holds the text"
    log:
      any: ["the controller could not reach object number {number}"]
    collect: {{ on: workload, run: "kubectl logs" }}
verdict:
  confirmed: line
remediation:
  steps:
    - do: Nothing.
"#,
        id = 500_000 + number
    )
}

/// The whole way, from a compressed archive to a diagnosis: 50 MB of logs, with so many signatures.
#[divan::bench(args = [5, 500], sample_count = 10)]
fn diagnosis_of_an_archive(bencher: Bencher<'_, '_>, signatures: usize) {
    const BYTES: usize = 50 << 20;
    let folder = tempfile::tempdir().expect("a folder");
    let archive = folder.path().join("bundle.tar.gz");
    let file = std::fs::File::create(&archive).expect("a file");
    let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(file, flate2::Compression::new(6)));
    let log = synthetic(BYTES / 10);
    for number in 0..10 {
        let mut header = tar::Header::new_gnu();
        header.set_size(log.len() as u64);
        header.set_mode(0o644);
        let name = format!("logs/component-{number}.log");
        tar.append_data(&mut header, name, log.as_bytes()).expect("a member");
    }
    tar.into_inner().and_then(flate2::write::GzEncoder::finish).expect("an archive");
    let pack = folder.path().join("pack");
    std::fs::create_dir(&pack).expect("a folder");
    for number in 0..signatures {
        std::fs::write(pack.join(format!("absent-{number}.yaml")), absent_signature(number)).expect("a file");
    }
    let library = Library::load(&pack).unwrap_or_else(|error| panic!("{error}"));
    let catalogue = Catalogue::built_in();
    let input = Input { source: Source::Path(archive), context: None };
    bencher
        .counter(BytesCount::new(BYTES))
        .bench(|| diagnose(std::slice::from_ref(&input), &library, &catalogue, &Options::default(), &mut Quiet));
}
