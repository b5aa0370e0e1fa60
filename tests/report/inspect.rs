//! What `inspect` says first: what can and what cannot be told from a bundle.
#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking and say why")]

use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, collect};
use diagnosis::bounds::{NAME, ROWS, UNREAD};
use inspect::{model, text};
use intake::Source;
use signature::load::Library;
use std::path::{Path, PathBuf};

fn inspected(path: &Path) -> (model::Inspection, String) {
    let library = Library::built_in().expect("the built-in signatures load");
    let catalogue = Catalogue::built_in();
    let input = Input { source: Source::Path(path.to_owned()), context: None };
    let collected = collect(&[input], &library, &catalogue, &Options::default(), &mut Quiet)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()));
    let inspection = model::inspect(&collected.bundles, &collected.facts, &library, &catalogue);
    let text = text::text(&inspection, false);
    (inspection, text)
}

const PODS: &str = "apiVersion: v1\nkind: PodList\nmetadata: {resourceVersion: \"7\"}\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: web, namespace: shop, uid: p-1}\n";
const NONE: &str = "apiVersion: v1\nkind: PodList\nmetadata: {resourceVersion: \"7\"}\nitems: []\n";
const LOG: &str = "2026-03-04T09:00:00Z one\n2026-03-04T09:01:00Z two\n2026-03-04T09:40:00Z three\n";

/// An invented must-gather: Pods asked in two namespaces, Services in one, a log with a silence.
fn invented() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [
        ("timestamp", "2026-03-04 09:40:00 +0000 UTC m=+0.1\n"),
        ("namespaces/shop/core/pods.yaml", PODS),
        ("namespaces/desk/core/pods.yaml", NONE),
        ("namespaces/shop/core/services.yaml", ""),
        ("namespaces/shop/pods/web/web/web/logs/current.log", LOG),
        ("event-filter.html", "<html></html>\n"),
        ("notes.bin", "\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}"),
    ];
    for (name, text) in files {
        let path = folder.path().join("bundle").join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

#[test]
fn the_text_of_an_invented_bundle_is_as_recorded() {
    let folder = invented();
    let (inspection, text) = inspected(&folder.path().join("bundle"));
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/inspect/invented.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(golden.parent().expect("a parent")).expect("a folder");
        std::fs::write(&golden, &text).expect("the golden file is written");
    }
    let wanted = std::fs::read_to_string(&golden).expect("the golden file; UPDATE_GOLDEN=1 writes it");
    assert_eq!(text, wanted, "UPDATE_GOLDEN=1 accepts what changed");
    let counts = &inspection.bundles[0].accounted;
    assert_eq!(counts.members(), inspection.bundles[0].members);
    assert_eq!(counts.not_understood, 0, "{:?}", counts.not_understood_members);
}

#[test]
fn the_first_screen_of_a_real_must_gather_says_what_can_be_told() {
    let Some(corpus) = std::env::var_os("CASEFILE_CORPUS").map(PathBuf::from) else {
        eprintln!("\n*** SKIPPED: CASEFILE_CORPUS is not set, so no recorded bundle was read ***\n");
        return;
    };
    // Copies of ClusterServiceVersions lie in nine namespaces of which nothing else was collected.
    let in_part = "in part: cronjobs 2 (58 of 67 namespaces)";
    let bundles =
        [("must-gather-metal.tar.xz", in_part), ("must-gather-aws.tar.xz", "whole in each namespace: cronjobs")];
    for (name, cronjobs) in bundles {
        let (_, text) = inspected(&corpus.join("offline").join(name));
        let screen: String = text.lines().take(60).collect::<Vec<_>>().join("\n");
        let flat = screen.split_whitespace().collect::<Vec<_>>().join(" ");
        for wanted in [
            "layout must-gather",
            "Context cluster (workload); Kubernetes v1.2",
            "as of 2021-",
            " UTC, from time of collection stated by the collector",
            "no limit reached",
            "logs of etcd (3 of 3 members)",
            "logs of kube-apiserver (3 of 3 control-plane nodes)",
            cronjobs,
            "in part: nodes 6 (no list of them)",
            "Not in it at all: Cluster API, Alauda platform, KubeFleet",
            "To collect what is missing, what helps most signatures first",
            "kubectl get nodes,leases.coordination.k8s.io -A -o yaml",
        ] {
            assert!(flat.contains(wanted), "{name}: `{wanted}` is not on the first screen:\n{screen}");
        }
    }
}

/// Characters of the longest text. Commands are our own, and whole.
fn longest(value: &serde_json::Value) -> usize {
    match value {
        serde_json::Value::String(text) => text.chars().count(),
        serde_json::Value::Array(items) => items.iter().map(longest).max().unwrap_or_default(),
        serde_json::Value::Object(fields) => {
            let of_bundle = fields.iter().filter(|(key, _)| key.as_str() != "command");
            of_bundle.map(|(key, value)| key.chars().count().max(longest(value))).max().unwrap_or_default()
        }
        _ => 0,
    }
}

#[test]
fn an_inspection_is_inside_the_bounds_of_a_report() {
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..UNREAD + 200 {
        let name = format!("{}{number:04}", "empty-file-with-a-long-name-".repeat(8));
        std::fs::write(folder.path().join(name), "").expect("a file");
    }
    let namespaces = (0..ROWS + 50).map(|number| {
        format!(
            r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"p","namespace":"{}-{number:04}"}}}}"#,
            "n".repeat(300)
        )
    });
    std::fs::write(folder.path().join("pods.json"), namespaces.collect::<Vec<_>>().join("\n")).expect("a file");
    let (inspection, text) = inspected(folder.path());
    assert_eq!((inspection.unread.len(), inspection.more["unread"]), (UNREAD, 200));
    let pods = inspection.contexts[0].kinds.iter().find(|kind| kind.kind.as_str() == "pods").expect("Pods");
    assert_eq!((pods.objects, pods.namespaces.len(), inspection.more["namespaces"]), (1_050, ROWS, 50));
    assert!(text.contains("Counted, not listed: ") && text.contains("200 unread"), "{text}");
    let json = serde_json::to_string(&inspection).expect("JSON");
    let longest = longest(&serde_json::to_value(&inspection).expect("JSON"));
    assert!(json.len() < 3 << 20 && longest <= NAME, "{} bytes, {longest}", json.len());
    let mut twice = inspection.clone();
    inspect::bounds::bound(&mut twice);
    assert_eq!(twice, inspection);
}
