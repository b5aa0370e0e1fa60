//! The checks of a global cluster's installation against recorded inputs and their expected results.
#![expect(clippy::panic, reason = "a helper of tests fails by panicking")]

use crate::common::corpus;
use catalogue::kinds::Catalogue;
use checks::checklist::Checklist;
use diagnose::{Input, Options, Quiet, collect, diagnose};
use diagnosis::model::Diagnosis;
use facts::node::Node;
use intake::Source;
use serde::Deserialize;
use signature::load::Library;
use signature::model::{Severity, VerdictWord};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn run(inputs: &[(PathBuf, Option<&str>)], profile: Option<&str>) -> Diagnosis {
    let library = Library::built_in().unwrap_or_else(|error| panic!("the built-in signatures do not load: {error}"));
    let input = |(path, name): &(PathBuf, Option<&str>)| Input {
        source: Source::Path(path.clone()),
        context: name.map(str::to_owned),
    };
    let options = Options { profile: profile.map(str::to_owned), ..Options::default() };
    let inputs: Vec<Input> = inputs.iter().map(input).collect();
    diagnose(&inputs, &library, &Catalogue::built_in(), &options, &mut Quiet).unwrap_or_else(|error| panic!("{error}"))
}

/// The checks that are claimed to fail.
fn failing(diagnosis: &Diagnosis) -> BTreeSet<String> {
    let claimed = diagnosis.findings.iter().filter(|found| {
        matches!(found.verdict, VerdictWord::Confirmed | VerdictWord::Probable)
            && found.signature.severity != Severity::Info
    });
    claimed
        .map(|found| if found.signature.id == "CF-4001" { "B03".to_owned() } else { found.entity.name.clone() })
        .collect()
}

/// Copies files into a bundle of their own: what is recorded for one set is one bundle.
fn bundle(samples: &Path, files: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    for name in files.split_whitespace() {
        let copied = std::fs::copy(samples.join(name), folder.path().join(name));
        copied.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    folder
}

#[test]
fn recorded_inputs_fail_exactly_the_checks_that_they_must() {
    let Some(corpus) = corpus() else { return };
    let samples = corpus.join("samples");
    let table = std::fs::read_to_string(samples.join("seed003-expected.tsv")).unwrap_or_else(|error| panic!("{error}"));
    let mut sets = 0;
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [set, files, profile, must, may, ..] = cells.as_slice() else { panic!("a row has too few cells: {row}") };
        let words = |text: &str| {
            text.split_whitespace().filter(|word| *word != "-").map(str::to_owned).collect::<BTreeSet<_>>()
        };
        let (must, may) = (words(must), words(may));
        let diagnosis = if *set == "pair" {
            let both: Vec<&str> = files.split_whitespace().collect();
            let inputs = [(samples.join(both[0]), Some("primary")), (samples.join(both[1]), Some("standby"))];
            run(&inputs, None)
        } else {
            let folder = bundle(&samples, files);
            run(&[(folder.path().to_owned(), None)], Some(profile))
        };
        let found = failing(&diagnosis);
        let missed: Vec<&String> = must.difference(&found).collect();
        let beyond: Vec<&String> = found.iter().filter(|id| !must.contains(*id) && !may.contains(*id)).collect();
        println!("{set}: {} found, missed {missed:?}, beyond {beyond:?}", found.len());
        assert!(missed.is_empty() && beyond.is_empty(), "{set}: missed {missed:?}, beyond what may fail {beyond:?}");
        let text = serde_json::to_string(&diagnosis).unwrap_or_else(|error| panic!("{error}"));
        for key in [
            "c2FtcGxlLWtleS1ub3QtcmVhbC0zMi1ieXRlcyEhISE=",
            "b3RoZXItc2FtcGxlLWtleS1ub3QtcmVhbC0zMi1iISE=",
            "Plain!pass",
        ] {
            assert!(!text.contains(key), "{set}: a secret is in the diagnosis");
        }
        sets += 1;
    }
    assert_eq!(sets, 3, "the good, the bad and the pair");
}

const PLANE: &str = "apiVersion: controlplane.cluster.x-k8s.io/v1beta1\nkind: KubeadmControlPlane\nmetadata: {name: global-kcp, namespace: cpaas-system}\nspec:\n  replicas: 3\n  kubeadmConfigSpec: {format: FORMAT}\n";
const CLUSTER: &str = "apiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata: {name: global, namespace: cpaas-system}\nspec:\n  controlPlaneRef: {kind: KubeadmControlPlane, name: global-kcp}\n  infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: DCSCluster, name: global}\n";

/// The name of the etcd certificate became advice in the later edition outside of disaster recovery.
#[test]
fn a_finding_says_where_the_editions_differ() {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let plane = PLANE.replace(
        "{format: FORMAT}",
        "{format: ignition, clusterConfiguration: {etcd: {local: {serverCertSANs: [10.1.1.10]}}}}",
    );
    let infrastructure = "apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: DCSCluster\nmetadata: {name: global, namespace: cpaas-system}\nspec: {controlPlaneEndpoint: {host: 10.1.1.10, port: 6443}, controlPlaneLoadBalancer: {host: 10.1.1.10}}\n";
    let release = "apiVersion: operator.alauda.io/v1alpha1\nkind: AppRelease\nmetadata: {name: cluster-api-provider-dcs, namespace: cpaas-system}\nspec: {values: {global: {host: acp.example.test}}}\n";
    let text = [CLUSTER, &plane, infrastructure, release].join("---\n");
    std::fs::write(folder.path().join("objects.yaml"), text).unwrap_or_else(|error| panic!("{error}"));
    let inputs = [(folder.path().to_owned(), None)];
    let older = run(&inputs, Some("acp-iid-2026-05"));
    let found = older
        .findings
        .iter()
        .find(|found| found.entity.name == "D18")
        .unwrap_or_else(|| panic!("D18 fails in 2026-05"));
    let told = serde_json::to_string(found).unwrap_or_else(|error| panic!("{error}"));
    assert!(told.contains("by the documentation of 2026-08 it is unusual"), "{told}");
    let newer = run(&inputs, Some("acp-iid-2026-08"));
    assert!(!failing(&newer).contains("D18"), "{:?}", failing(&newer));
}

#[test]
fn equal_keys_of_a_pair_are_equal_whatever_the_layout() {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let key = "c2FtcGxlLWtleS1vZi0zMi1ieXRlcy0wMTIzNDU2Nzg=";
    let one = format!(
        "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n- resources: [secrets]\n  providers:\n  - aescbc:\n      keys:\n      - name: key1\n        secret: {key}\n"
    );
    let other = format!(
        "# standby\napiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources: [{{resources: [secrets], providers: [{{aescbc: {{keys: [{{name: key1, secret: {key}}}]}}}}]}}]\n"
    );
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap_or_else(|error| panic!("{error}"));
        path
    };
    let inputs = [(write("p.yaml", &one), Some("primary")), (write("s.yaml", &other), Some("standby"))];
    assert_eq!(failing(&run(&inputs, None)), BTreeSet::new());
}

/// Contexts of a run, each with its files.
type Set = BTreeMap<String, BTreeMap<String, String>>;

/// The correct sets; each is silent.
const SETS: [&str; 7] = ["baremetal-pair", "dcs", "dcs-pair", "global", "handover", "vsphere", "vsphere-pair"];

/// One wrong input of a correct set.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// The check that must say so.
    id: String,
    set: String,
    /// In which file what is replaced by what.
    #[serde(default)]
    change: BTreeMap<String, Vec<[String; 2]>>,
    /// Files that are added or replaced.
    #[serde(default)]
    write: BTreeMap<String, String>,
    /// Files that are left out.
    #[serde(default)]
    remove: Vec<String>,
    /// What it says.
    #[serde(default = "fail")]
    state: String,
    /// What else cannot be avoided.
    #[serde(default)]
    also: BTreeMap<String, String>,
    /// Files of the correct set without which the check is not known.
    #[serde(default)]
    take: Vec<String>,
    /// Why there are none: a check that rests on what is there alone.
    #[serde(default)]
    always_known: Option<String>,
    /// The signature that carries it instead.
    #[serde(default)]
    carried_by: Option<String>,
}

fn fail() -> String {
    "fail".to_owned()
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    rows: Vec<Row>,
}

fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/installation").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn parsed<T: serde::de::DeserializeOwned>(name: &str) -> T {
    serde_saphyr::from_str(&data(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Where a file of a row stands: `standby/x.yaml`, or `x.yaml` in the only context.
fn place<'s>(set: &'s mut Set, name: &str) -> (&'s mut BTreeMap<String, String>, String) {
    let (context, file) = match name.split_once('/') {
        Some((context, file)) if set.contains_key(context) => (context.to_owned(), file),
        _ => ("bundle".to_owned(), name),
    };
    let files = set.get_mut(&context).unwrap_or_else(|| panic!("there is no context {context} for {name}"));
    (files, file.to_owned())
}

/// Writes a set to disk and says where its contexts are.
fn written(set: &Set) -> (tempfile::TempDir, Vec<(PathBuf, Option<&str>)>) {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let mut inputs = Vec::new();
    for (context, files) in set {
        let root = folder.path().join(context);
        for (name, text) in files {
            let path = root.join(name);
            let parent = path.parent().unwrap_or(&root);
            std::fs::create_dir_all(parent).unwrap_or_else(|error| panic!("{error}"));
            // A mark behind the last document, as kubectl prints it: a text without one may have been cut.
            let whole = if name.ends_with(".yaml") { format!("{text}---\n") } else { text.clone() };
            std::fs::write(&path, whole).unwrap_or_else(|error| panic!("{error}"));
        }
        inputs.push((root, (set.len() > 1).then_some(context.as_str())));
    }
    (folder, inputs)
}

/// How every check stands by what a set holds; of several contexts the worst.
fn states(set: &Set, catalogue: &Catalogue) -> BTreeMap<String, (String, String)> {
    let (_folder, inputs) = written(set);
    let inputs: Vec<Input> = inputs
        .into_iter()
        .map(|(path, name)| Input { source: Source::Path(path), context: name.map(str::to_owned) })
        .collect();
    let collected = collect(&inputs, &Library::default(), catalogue, &Options::default(), &mut Quiet)
        .unwrap_or_else(|error| panic!("{error}"));
    let rank = |state: &str| ["fail", "warn", "unknown", "pass"].iter().position(|word| *word == state);
    let mut found: BTreeMap<String, (String, String)> = BTreeMap::new();
    for object in collected.facts.objects.iter().filter(|object| object.kind.plural == "installationchecks") {
        let Some(sighting) = object.sightings.first() else { continue };
        let text = |key: &str| sighting.record.node.at(&["status", key]).and_then(Node::as_str).unwrap_or_default();
        let own = (text("soFar").to_owned(), text("found").to_owned());
        let known = found.get(&object.name).map(|(state, _)| rank(state));
        if known.is_none_or(|known| rank(&own.0) < known) {
            found.insert(object.name.clone(), own);
        }
    }
    found
}

/// What is wrong or unusual.
fn wrong(states: &BTreeMap<String, (String, String)>) -> BTreeMap<String, String> {
    let is_wrong = |state: &str| matches!(state, "fail" | "warn");
    let wrong = states.iter().filter(|(_, (state, _))| is_wrong(state));
    wrong.map(|(id, (state, _))| (id.clone(), state.clone())).collect()
}

fn changed(row: &Row) -> Set {
    let mut set: Set = parsed(&format!("{}.yaml", row.set));
    for (name, pairs) in &row.change {
        let (files, file) = place(&mut set, name);
        let text = files.get_mut(&file).unwrap_or_else(|| panic!("{}: there is no {name}", row.id));
        for [from, to] in pairs {
            assert!(text.contains(from.as_str()), "{}: {name} has no `{from}`", row.id);
            *text = text.replace(from.as_str(), to);
        }
    }
    for (name, text) in &row.write {
        let (files, file) = place(&mut set, name);
        files.insert(file, text.clone());
    }
    without(&mut set, row, &row.remove);
    set
}

fn without(set: &mut Set, row: &Row, names: &[String]) {
    for name in names {
        let (files, file) = place(set, name);
        assert!(files.remove(&file).is_some(), "{}: there is no {name}", row.id);
    }
}

#[test]
fn a_correct_installation_is_silent() {
    let catalogue = Catalogue::built_in();
    let mut loud = Vec::new();
    for name in SETS {
        let set: Set = parsed(&format!("{name}.yaml"));
        for (id, (state, found)) in states(&set, &catalogue) {
            if matches!(state.as_str(), "fail" | "warn") {
                loud.push(format!("{name} {id} {state}: {found}"));
            }
        }
        let (_folder, inputs) = written(&set);
        loud.extend(
            crate::common::short_list(&run(&inputs, None))
                .into_iter()
                .filter(|text| !text.ends_with(" ruled_out"))
                .map(|text| format!("{name} {text}")),
        );
    }
    assert!(loud.is_empty(), "{}", loud.join("\n"));
}

#[test]
fn every_check_can_fail_and_nothing_else_fails_with_it() {
    let catalogue = Catalogue::built_in();
    let table: Table = parsed("mutations.yaml");
    let mut told = Vec::new();
    for row in &table.rows {
        let set = changed(row);
        if let Some(signature) = &row.carried_by {
            let (_folder, inputs) = written(&set);
            let diagnosis = run(&inputs, None);
            let found = diagnosis.findings.iter().any(|found| {
                found.signature.id == *signature
                    && matches!(found.verdict, VerdictWord::Confirmed | VerdictWord::Probable)
            });
            if !found {
                told.push(format!("{}: {signature} says nothing: {:?}", row.id, crate::common::short_list(&diagnosis)));
            }
            continue;
        }
        let states = states(&set, &catalogue);
        let mut wanted = row.also.clone();
        wanted.insert(row.id.clone(), row.state.clone());
        let is_known = |id: &String| states.get(id).is_some_and(|(state, _)| state != "unknown");
        told.extend(
            wanted
                .iter()
                .filter(|(id, state)| *state == "unknown" && is_known(id))
                .map(|(id, _)| format!("{} ({}): {id} is known: {:?}", row.id, row.set, states.get(id))),
        );
        wanted.retain(|_, state| state != "unknown");
        let found = wrong(&states);
        if found != wanted {
            let beyond: Vec<String> = found
                .iter()
                .filter(|(id, state)| wanted.get(*id) != Some(*state))
                .map(|(id, state)| format!("{id} {state}: {}", states.get(id).map_or("", |(_, told)| told)))
                .collect();
            let missed: Vec<_> = wanted.iter().filter(|(id, state)| found.get(*id) != Some(*state)).collect();
            let own = states.get(&row.id);
            told.push(format!("{} ({}): missed {missed:?} {own:?}, beyond {beyond:#?}", row.id, row.set));
        }
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
    let rows: BTreeSet<&str> = table.rows.iter().map(|row| row.id.as_str()).collect();
    let checks: BTreeSet<&str> = Checklist::load()
        .unwrap_or_else(|error| panic!("{error}"))
        .checks
        .iter()
        .map(|check| check.id.as_str())
        .collect();
    let missing: Vec<_> = checks.symmetric_difference(&rows).collect();
    assert!(missing.is_empty(), "checks without a row, or rows without a check: {missing:?}");
}

#[test]
fn a_check_without_its_input_is_not_known() {
    let catalogue = Catalogue::built_in();
    let table: Table = parsed("mutations.yaml");
    let mut told = Vec::new();
    for row in table.rows.iter().filter(|row| row.carried_by.is_none()) {
        if row.take.is_empty() {
            if row.always_known.is_none() {
                told.push(format!("{}: neither `take` nor `always_known`", row.id));
            }
            continue;
        }
        let mut set: Set = parsed(&format!("{}.yaml", row.set));
        without(&mut set, row, &row.take);
        let states = states(&set, &catalogue);
        match states.get(&row.id).map(|(state, _)| state.as_str()) {
            Some("unknown") => {}
            state => told.push(format!("{} without {:?} is {state:?}: {:?}", row.id, row.take, states.get(&row.id))),
        }
        let wrong = wrong(&states);
        if !wrong.is_empty() {
            told.push(format!("{} without {:?}: {wrong:?}", row.id, row.take));
        }
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
}

/// A request or the import ConfigMap alone says that there is an installation; the report names what it could
/// not check, and what to collect.
#[test]
fn what_was_not_collected_is_named() {
    for (file, lacking) in [("installer-config-dcs.json", "D02"), ("import.yaml", "D02"), ("import.yaml", "I01")] {
        let mut set: Set = parsed("dcs.yaml");
        set.values_mut().for_each(|files| files.retain(|name, _| name == file));
        let (_folder, inputs) = written(&set);
        let diagnosis = run(&inputs, None);
        let row = diagnosis.not_assessed.iter().find(|row| row.entity.name == lacking);
        let row = row.unwrap_or_else(|| panic!("{file} alone: nothing is said of {lacking}"));
        let command = if lacking == "I01" { "installer-config" } else { "kubectl get clusters.cluster.x-k8s.io" };
        assert!(row.reason.contains("was not collected") && row.reason.contains(command), "{file}: {}", row.reason);
        assert!(diagnosis.asks.is_empty(), "{file}: nothing is suspected, so nothing is asked for");
    }
}
