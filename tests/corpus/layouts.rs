//! Layouts: which collector wrote a bundle, what its lists cover, and that nothing of it gets lost.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "tests and their helpers fail by panicking, and print what they counted"
)]

use crate::common::corpus;
use catalogue::kinds::Catalogue;
use diagnose::{Collected, Input, Options, Quiet, collect, diagnose};
use diagnosis::model::Diagnosis;
use facts::coverage::{State, StateName};
use facts::kind::KindName;
use facts::object::ContextId;
use facts::store::{Absence, Scope};
use intake::Source;
use signature::load::Library;
use signature::model::VerdictWord;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn read(path: &Path) -> Collected {
    let library = Library::built_in().expect("the built-in signatures load");
    let input = Input { source: Source::Path(path.to_owned()), context: None };
    collect(&[input], &library, &Catalogue::built_in(), &Options::default(), &mut Quiet)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()))
}

fn layout(path: &Path) -> String {
    read(path).bundles.remove(0).layout
}

/// What a bundle says of one kind in one namespace: `empty`, `forbidden`, `never-asked`...
fn answer(collected: &Collected, kind: &str, namespace: Option<&str>) -> String {
    let facts = &collected.facts;
    let scope = Scope { namespace: namespace.map(str::to_owned), name: None };
    match facts.absence(ContextId(0), &KindName::parse(kind), &scope) {
        Absence::Stated(_) => "stated".to_owned(),
        Absence::Listed(_) | Absence::Rows(_) => "listed".to_owned(),
        Absence::Unknown { state, .. } => state.word().to_owned(),
    }
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

/// The bundles of the corpus: those that `cases.tsv` and `layouts.tsv` name.
fn inputs(corpus: &Path) -> (BTreeMap<PathBuf, String>, Vec<PathBuf>) {
    let lines = |name: &str| {
        let text = std::fs::read_to_string(corpus.join(name)).expect("the table of the corpus");
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let named: BTreeMap<PathBuf, String> = lines("layouts.tsv")
        .iter()
        .filter_map(|line| line.split_once('\t'))
        .map(|(input, layout)| (corpus.join(input), layout.trim().to_owned()))
        .collect();
    let cases = lines("cases.tsv");
    let cases = cases.iter().filter_map(|line| line.split('\t').next()).map(|case| corpus.join(case));
    let others = cases.filter(|path| path.exists() && !named.contains_key(path)).collect();
    (named, others)
}

#[test]
fn the_corpus_has_its_layouts() {
    let Some(corpus) = corpus() else { return };
    let known: Vec<&str> = layout::LAYOUTS.iter().map(|layout| layout.name).collect();
    let (named, others) = inputs(&corpus);
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (path, wanted) in &named {
        if !known.contains(&wanted.as_str()) {
            eprintln!("no layout `{wanted}` yet: {}", path.display());
            continue;
        }
        seen += 1;
        let found = layout(path);
        if found != *wanted {
            wrong.push(format!("{}: {found}, not {wanted}", path.display()));
        }
    }
    for path in &others {
        let found = layout(path);
        if !["folder", "file", "transcript"].contains(&found.as_str()) {
            wrong.push(format!("{}: {found}, where nothing but a plain folder or file is", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(seen >= 8 && others.len() >= 40, "{seen} named layouts and {} others", others.len());
}

#[test]
fn every_member_of_the_corpus_is_accounted_for() {
    let Some(corpus) = corpus() else { return };
    let (named, others) = inputs(&corpus);
    let mut wrong = Vec::new();
    for path in named.keys().chain(&others) {
        let collected = read(path);
        for bundle in &collected.bundles {
            let counts = &bundle.accounted;
            eprintln!("{}: {counts}; {:?}", bundle.intake.name, counts.listed);
            if counts.members() != bundle.intake.members.len() as u64 {
                wrong.push(format!("{}: {counts}, of {} members", path.display(), bundle.intake.members.len()));
            }
            if counts.links != bundle.intake.links.len() as u64
                || counts.not_handed_on != bundle.intake.unread.len() as u64
            {
                wrong.push(format!("{}: {counts}: links or entries are not counted", path.display()));
            }
            let told = counts.understood + counts.of_no_use();
            if told * 100 < (told + counts.not_understood) * 99 {
                wrong.push(format!("{}: {counts}: {:#?}", path.display(), counts.not_understood_members));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_must_gather_states_what_inspect_asked() {
    let Some(corpus) = corpus() else { return };
    let aws = read(&corpus.join("offline/must-gather-aws.tar.xz"));
    // Asked whole for each namespace, with and without items.
    assert_eq!(answer(&aws, "pods", Some("openshift-etcd")), "stated");
    assert_eq!(answer(&aws, "replicationcontrollers", Some("openshift-etcd")), "stated");
    let empty = aws.facts.coverage.iter().filter(|c| c.answer.state == State::Empty).count();
    assert!(empty > 700, "{empty} empty lists");
    // inspect never asks for ServiceAccounts: the few that are there prove no list.
    assert_eq!(answer(&aws, "serviceaccounts", Some("openshift-etcd")), "never-asked");
    // Nobody listed all namespaces.
    assert_eq!(answer(&aws, "pods", None), "never-asked");
    assert_eq!(answer(&aws, "nodes", None), "never-asked");
    assert_eq!(answer(&aws, "clusteroperators.config.openshift.io", None), "stated");
}

#[test]
fn a_troubleshoot_bundle_states_each_kind_and_namespace() {
    let Some(corpus) = corpus() else { return };
    let bundle = read(&corpus.join("peers/troubleshoot/baseline-supportbundle.tar.gz"));
    assert_eq!(answer(&bundle, "pods", Some("default")), "stated");
    assert_eq!(answer(&bundle, "pods", None), "stated");
    assert_eq!(answer(&bundle, "nodes", None), "stated");
    // Not among what the collector lists.
    assert_eq!(answer(&bundle, "horizontalpodautoscalers.autoscaling", None), "never-asked");
    // The API server serves no such kind.
    assert_eq!(answer(&bundle, "clusters.cluster.x-k8s.io", None), "stated");
    let context = bundle.facts.context(ContextId(0));
    assert!(context.versions.iter().any(|(name, _)| name == "Kubernetes"), "{:?}", context.versions);
}

#[test]
fn what_stands_beside_a_layout_or_around_it_does_not_hide_it() {
    let pods = "---\napiVersion: v1\nitems: []\nkind: PodList\nmetadata:\n  resourceVersion: \"1\"\n";
    let two = folder(&[
        ("a/quay-io-x-sha256-1/namespaces/shop/core/pods.yaml", pods),
        ("a/timestamp", "2026-03-04 09:00:00.5 +0000 UTC m=+0.1\n"),
        ("b/quay-io-x-sha256-1/namespaces/desk/core/pods.yaml", pods),
        ("notes.txt", "please look at this\n"),
    ]);
    let collected = read(two.path());
    assert_eq!(collected.bundles[0].layout, "must-gather");
    assert_eq!(answer(&collected, "pods", Some("shop")), "stated");
    assert_eq!(answer(&collected, "pods", Some("desk")), "stated");
    assert_eq!(answer(&collected, "pods", Some("mill")), "never-asked");
    let as_of = collected.facts.context(ContextId(0)).as_of.clone().expect("a clock");
    assert_eq!(as_of.time.to_string(), "2026-03-04T09:00:00.5Z");
    // The same names without what only the collector writes prove nothing.
    let plain = folder(&[("get/pods.yaml", pods), ("notes.txt", "x\n")]);
    let collected = read(plain.path());
    assert_eq!(collected.bundles[0].layout, "folder");
    assert_eq!(answer(&collected, "pods", Some("shop")), "never-asked");
}

#[test]
fn one_file_is_a_file() {
    let one = folder(&[("nodes.yaml", "apiVersion: v1\nkind: Node\nmetadata:\n  name: n1\n")]);
    assert_eq!(layout(&one.path().join("nodes.yaml")), "file");
    assert_eq!(layout(one.path()), "folder");
}

/// The Cluster API objects of a sample bundle as Troubleshoot lays them out.
fn troubleshoot_of(sample: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles").join(sample);
    let files = [
        ("clusters.cluster.x-k8s.io", "clusters.cluster.x-k8s.io.yaml", true),
        ("clusters.cluster.x-k8s.io", "clusters.yaml", true),
        ("machines.cluster.x-k8s.io", "machines.yaml", true),
        ("machinedeployments.cluster.x-k8s.io", "machinedeployments.yaml", true),
        ("kubeadmcontrolplanes.controlplane.cluster.x-k8s.io", "kubeadmcontrolplanes.yaml", true),
        ("clusters.platform.tkestack.io", "clusters.platform.tkestack.io.yaml", false),
        ("clustercredentials.platform.tkestack.io", "clustercredentials.platform.tkestack.io.yaml", false),
    ];
    let mut members = vec![
        ("version.yaml".to_owned(), "apiVersion: troubleshoot.sh/v1beta2\nkind: SupportBundle\n".to_owned()),
        (
            "cluster-resources/namespaces.json".to_owned(),
            r#"{"kind":"NamespaceList","apiVersion":"v1","items":[{"metadata":{"name":"cpaas-system","uid":"n-1"}}]}"#
                .to_owned(),
        ),
    ];
    for (kind, file, namespaced) in files {
        for folder in ["bundle/global", "bundle"] {
            let Ok(text) = std::fs::read_to_string(root.join(folder).join(file)) else { continue };
            let name = if namespaced { format!("{kind}/cpaas-system.yaml") } else { format!("{kind}.yaml") };
            members.push((format!("cluster-resources/custom-resources/{name}"), text));
        }
    }
    members
}

fn diagnose_members(members: &[(String, String)], as_of: Option<jiff::Timestamp>) -> Diagnosis {
    let files: Vec<(&str, &str)> = members.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = folder(&files);
    let library = Library::built_in().expect("the built-in signatures load");
    let input = Input { source: Source::Path(folder.path().to_owned()), context: None };
    let options = Options { as_of, ..Options::default() };
    diagnose(&[input], &library, &Catalogue::built_in(), &options, &mut Quiet).expect("the folder can be read")
}

fn verdicts(diagnosis: &Diagnosis) -> BTreeMap<(String, String), (VerdictWord, bool)> {
    let all = diagnosis.findings.iter();
    all.map(|f| ((f.signature.id.clone(), f.entity.name.clone()), (f.verdict, f.conflicting))).collect()
}

#[test]
fn a_collector_that_failed_changes_verdicts_only_towards_unknown() {
    let as_of = "2026-05-20T12:00:00Z".parse().ok();
    let mut changed = 0;
    let mut asked = 0;
    for sample in ["orphan-credentials", "global-without-prefix"] {
        let members = troubleshoot_of(sample);
        let whole = diagnose_members(&members, as_of);
        assert_eq!(whole.bundles[0].layout, "troubleshoot", "{sample}");
        let before = verdicts(&whole);
        assert!(before.values().any(|(verdict, _)| *verdict == VerdictWord::Confirmed), "{sample}: {before:?}");
        for (index, (name, _)) in members.iter().enumerate().skip(1) {
            let kind = name.rsplit('/').find(|part| part.contains(".x-k8s.io") || part.contains(".tkestack.io"));
            let kind = kind.map_or("namespaces", |part| part.trim_end_matches(".yaml"));
            let mut dropped = members.clone();
            dropped.remove(index);
            let mut forbidden = dropped.clone();
            let error =
                format!("{kind} is forbidden: User \\\"collector\\\" cannot list resource at the cluster scope");
            if kind == "namespaces" {
                forbidden.push(("cluster-resources/namespaces-errors.json".to_owned(), format!("[\"{error}\"]")));
            } else {
                let errors = "cluster-resources/custom-resources/custom-resources-errors.json".to_owned();
                forbidden.push((errors, format!("{{\"{kind}\": \"{error}\"}}")));
            }
            for (how, members) in [("dropped", dropped), ("forbidden", forbidden)] {
                let diagnosis = diagnose_members(&members, as_of);
                let after = verdicts(&diagnosis);
                for (finding, (verdict, conflicting)) in &before {
                    let now = after.get(finding).map(|(verdict, _)| *verdict);
                    let suspected =
                        matches!(verdict, VerdictWord::Confirmed | VerdictWord::Probable | VerdictWord::Undecided);
                    assert!(
                        *conflicting || !suspected || now != Some(VerdictWord::RuledOut),
                        "{sample}: {name} {how}: {finding:?} went from {verdict:?} to {now:?}"
                    );
                    changed += usize::from(now != Some(*verdict));
                }
                let words = |text: &str| text.split(|c: char| c.is_whitespace() || c == ',').any(|word| word == kind);
                let undecided = after
                    .values()
                    .any(|(verdict, _)| matches!(verdict, VerdictWord::Probable | VerdictWord::Undecided));
                asked += usize::from(undecided && diagnosis.asks.iter().any(|ask| words(&ask.command)));
                if how == "forbidden" {
                    let rows =
                        diagnosis.coverage.iter().filter(|row| row.kind == kind && row.state == StateName::Forbidden);
                    assert!(rows.count() > 0, "{sample}: {kind} is not said to be forbidden");
                }
            }
        }
    }
    assert!(changed > 0, "nothing depended on any member");
    eprintln!("{changed} verdicts changed, {asked} asks name the kind that is missing");
}
