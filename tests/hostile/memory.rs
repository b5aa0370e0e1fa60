//! The budget of memory: what is kept grows with the budget and not with the bundle, in the order of the members and
//! whoever reads them; what is left out is said, and the rest is still diagnosed.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use catalogue::kinds::Catalogue;
use diagnose::{Collected, Input, Options, Quiet, collect, diagnose};
use diagnosis::model::Diagnosis;
use facts::coverage::State;
use facts::limit::Limit;
use facts::node::{Node, Value};
use intake::{Limits, Source};
use signature::load::Library;
use signature::model::VerdictWord;
use std::num::NonZero;
use std::path::Path;
use std::sync::LazyLock;

static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::built_in().unwrap());
static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::built_in);

/// A shape of which a bundle holds many: the text of one file.
type Shape = (&'static str, fn(usize) -> String);

/// Rows, objects, lists, lines, sessions and blocks.
const SHAPES: [Shape; 8] = [
    ("pods.txt", |count| {
        let rows = (0..count).map(|i| format!("shop        p-{i}   0/1     CrashLoopBackOff   12         5d\n"));
        format!("NAMESPACE   NAME   READY   STATUS             RESTARTS   AGE\n{}", rows.collect::<String>())
    }),
    ("pods.json", |count| {
        let pod = |i| {
            format!(
                r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"p-{i}","namespace":"shop"}},"status":{{"phase":"Pending"}}}}"#
            )
        };
        (0..count).map(pod).collect::<Vec<_>>().join("\n")
    }),
    ("events.json", |count| {
        let event = |i| {
            format!(
                r#"{{"apiVersion":"v1","kind":"Event","metadata":{{"name":"e-{i}","namespace":"shop"}},"reason":"FailedMount","message":"it failed {i}","type":"Warning","involvedObject":{{"kind":"Pod","name":"p-{i}"}}}}"#
            )
        };
        format!(
            r#"{{"apiVersion":"v1","kind":"List","items":[{}]}}"#,
            (0..count).map(event).collect::<Vec<_>>().join(",")
        )
    }),
    ("one.yaml", |count| {
        let labels: String = (0..count * 25).map(|i| format!("    label-{i}: value-{i}\n")).collect();
        format!("apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  namespace: shop\n  labels:\n{labels}")
    }),
    ("describe.txt", |count| {
        let block = |i| {
            format!(
                "Name:         p-{i}\nNamespace:    shop\nNode:         n-1/10.0.0.1\nStatus:       Running\nIP:           10.0.0.9\n\n\n"
            )
        };
        (0..count).map(block).collect()
    }),
    ("session.txt", |count| {
        let prompt = |i| {
            format!(
                "[root@h ~]# kubectl get pod p-{i} -n shop\nNAME    READY   STATUS             RESTARTS   AGE\np-{i}   0/1     CrashLoopBackOff   5          5d\n"
            )
        };
        (0..count).map(prompt).collect()
    }),
    ("dump.txt", |count| {
        let log = |i| {
            format!(
                "==== START logs for container c of pod shop/p-{i} ====\nE0101 00:00:00.000000       1 x.go:1] no leader {i}\n==== END logs for container c of pod shop/p-{i} ====\n"
            )
        };
        (0..count).map(log).collect()
    }),
    ("kube-apiserver.log", |count| {
        (0..count)
            .map(|i| format!("E0101 00:00:{:02}.000000 1 x.go:1] \"failed {i}\" err=\"connection refused\"\n", i % 60))
            .collect()
    }),
];

fn options(memory: u64, threads: usize) -> Options {
    let limits = Limits { memory, ..Limits::default() };
    Options { limits, threads: NonZero::new(threads), ..Options::default() }
}

fn input(folder: &Path) -> [Input; 1] {
    [Input { source: Source::Path(folder.to_owned()), context: None }]
}

fn read(folder: &Path, memory: u64, threads: usize) -> Collected {
    collect(&input(folder), &LIBRARY, &CATALOGUE, &options(memory, threads), &mut Quiet).unwrap()
}

fn nodes(node: &Node) -> usize {
    1 + match &node.value {
        Value::List(items) => items.iter().map(nodes).sum(),
        Value::Map(entries) => entries.iter().map(|(_, entry)| nodes(entry)).sum(),
        _ => 0,
    }
}

/// What the facts of a run hold, counted: nodes of trees, lines of logs.
fn held(collected: &Collected) -> usize {
    let sightings = collected.facts.objects.iter().flat_map(|object| &object.sightings);
    let trees: usize = sightings.map(|sighting| nodes(&sighting.record.node)).sum();
    let logs = collected.facts.streams.iter().flat_map(|stream| &stream.parts);
    trees + logs.map(|(_, log)| log.hits.len() + log.tally.templates.len()).sum::<usize>()
}

fn was_cut(collected: &Collected) -> bool {
    let hit = collected.bundles.iter().flat_map(|bundle| bundle.limits_hit());
    hit.into_iter().any(|(limit, _)| limit.switch() == Some("--max-memory"))
}

#[test]
fn what_is_kept_grows_with_the_budget_and_not_with_the_bundle() {
    const SMALL: u64 = 1 << 20;
    for (name, text) in SHAPES {
        let sizes = [2_000, 4_000].map(|count| {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join(name), text(count)).unwrap();
            [SMALL, 2 * SMALL].map(|memory| {
                let collected = read(folder.path(), memory, 2);
                (held(&collected), was_cut(&collected))
            })
        });
        let [[(one, cut), (two, _)], [(one_of_more, _), (two_of_more, cut_of_more)]] = sizes;
        // Lines are bounded before they are charged.
        if name.ends_with(".log") {
            assert!(two_of_more <= two.max(1) * 2, "{name}: {two}, {two_of_more}");
            continue;
        }
        assert!(cut && cut_of_more, "{name}: the budget holds all of it");
        assert!(one_of_more <= one + one / 10 + 20 && two_of_more <= two + two / 10 + 20, "{name}: {sizes:?}");
        assert!(two <= one * 3 + 100, "{name}: {sizes:?}");
    }
}

#[test]
fn names_take_a_share_of_the_budget() {
    let mut archive = tar::Builder::new(Vec::new());
    let add = |archive: &mut tar::Builder<Vec<u8>>, name: &str, text: &str| {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, text.as_bytes()).unwrap();
    };
    for number in 0..2_000 {
        add(&mut archive, &format!("{}{number}", "folder-with-a-long-name/".repeat(50)), "x");
    }
    add(&mut archive, "pods.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  namespace: shop\n");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), archive.into_inner().unwrap()).unwrap();
    let collected = read(file.path(), 8 << 20, 2);
    let intake = &collected.bundles[0].intake;
    assert!((100..1_000).contains(&intake.members.len()), "{}", intake.members.len());
    let left_out = intake.limits_hit.iter().find_map(|(limit, _)| match limit {
        Limit::MemoryOfNames { entries, .. } => Some(*entries),
        _ => None,
    });
    assert_eq!(left_out, Some(2_001 - intake.members.len() as u64));
    assert!(collected.facts.objects.iter().any(|object| object.name == "web"), "a short name behind them is read");
}

/// A bundle without a leader of etcd, and behind it or before it what takes all memory.
fn flooded(name: &str, flood: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let good = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles/etcd-no-leader/bundle");
    copy(&good, &folder.path().join("good"));
    std::fs::write(folder.path().join(name), flood).unwrap();
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to.join(entry.file_name()));
        } else {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

fn run(folder: &Path, memory: u64, threads: usize) -> Diagnosis {
    diagnose(&input(folder), &LIBRARY, &CATALOGUE, &options(memory, threads), &mut Quiet).unwrap()
}

#[test]
fn the_good_half_is_diagnosed_and_the_limit_said_whoever_reads_first() {
    for (name, text) in SHAPES.iter().filter(|(name, _)| !name.ends_with(".log")) {
        let folder = flooded(&format!("z-{name}"), &text(3_000));
        let one = run(folder.path(), 4 << 20, 1);
        let lost = |f: &&diagnosis::model::Finding| f.signature.id == "CF-2001" && f.verdict == VerdictWord::Confirmed;
        assert!(one.findings.iter().any(|finding| lost(&finding)), "{name}");
        let said = one.limits_hit.iter().find(|row| row.limit == "memory").unwrap_or_else(|| panic!("{name}"));
        assert_eq!(said.switch.as_deref(), Some("--max-memory"), "{name}");
        assert!(one.unread.iter().any(|row| row.member.ends_with(name) && row.reason.contains("memory")), "{name}");
        for threads in [2, 5] {
            assert_eq!(run(folder.path(), 4 << 20, threads), one, "{name}: {threads} threads");
        }
    }
}

#[test]
fn small_files_behind_a_flood_are_read() {
    let (name, text) = SHAPES[0];
    let folder = flooded(&format!("a-{name}"), &text(4_000));
    let flooded = run(folder.path(), 64 << 20, 2);
    let lost = |finding: &diagnosis::model::Finding| {
        finding.signature.id == "CF-2001" && finding.verdict == VerdictWord::Confirmed
    };
    assert!(flooded.findings.iter().any(lost));
    let cut: Vec<&str> = flooded.limits_hit.iter().filter_map(|row| row.member.as_deref()).collect();
    assert_eq!(cut, ["a-pods.txt"], "{:?}", flooded.limits_hit);
}

#[test]
fn a_list_that_was_cut_proves_no_absence() {
    let folder = tempfile::tempdir().unwrap();
    let pods = SHAPES[2].1(4_000).replace("\"Event\"", "\"ConfigMap\"").replace("\"List\"", "\"ConfigMapList\"");
    std::fs::write(folder.path().join("configmaps.json"), pods).unwrap();
    let states = |memory: u64| {
        let collected = read(folder.path(), memory, 2);
        let states: Vec<State> = collected.facts.coverage.iter().map(|row| row.answer.state.clone()).collect();
        states
    };
    let whole = |state: &State| matches!(state, State::Complete | State::Empty);
    assert!(states(1 << 30).iter().any(whole));
    assert!(!states(4 << 20).iter().any(whole));
}
