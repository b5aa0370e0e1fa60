//! The checks of a global cluster's installation against recorded inputs and their expected results.
#![expect(clippy::panic, reason = "a helper of tests fails by panicking")]

#[expect(dead_code, reason = "each test file uses a part of it")]
mod common;

use casefile::diagnose::{Input, Options, Quiet, diagnose};
use casefile::facts::catalogue::Catalogue;
use casefile::intake::Source;
use casefile::report::model::Diagnosis;
use casefile::signature::load::Library;
use casefile::signature::model::{Severity, VerdictWord};
use common::corpus;
use std::collections::BTreeSet;
use std::path::PathBuf;

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
fn bundle(samples: &std::path::Path, files: &str) -> tempfile::TempDir {
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
