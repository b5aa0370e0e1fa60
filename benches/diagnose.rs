//! How fast bundles are read. Run with `cargo bench --bench diagnose`.

use casefile::facts::origin::MemberId;
use casefile::intake::Limits;
use casefile::parse::line::glance;
use casefile::parse::scan::{Literals, scan};
use divan::Bencher;
use divan::counter::BytesCount;

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
