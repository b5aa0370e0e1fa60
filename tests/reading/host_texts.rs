//! Texts of nodes and tools, from members to facts: which objects, versions, absences and states they give.

#![expect(clippy::expect_used, reason = "a test outside of `cfg(test)`: it fails loudly")]

use catalogue::kinds::Catalogue;
use engine::age;
use facts::kind::KindName;
use facts::object::{ContextId, Lookup};
use facts::path::Path;
use facts::store::{Absence, Facts, Scope};
use selftest::bench::Bench;
use signature::load::Library;
use signature::model::AgeTest;
use std::collections::BTreeSet;

fn facts(files: &[(&str, &str)], as_of: Option<&str>) -> Facts {
    let members = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    let library = Library::built_in().expect("the built-in signatures load");
    let as_of = as_of.map(|text| text.parse().expect("a time"));
    Bench::new(&library, &Catalogue::built_in()).collect(members, as_of, &BTreeSet::new()).0.facts
}

/// The named fields of all objects of a kind, one line each.
fn objects(facts: &Facts, kind: &str, paths: &[&str]) -> String {
    let kind = KindName::parse(&format!("{kind}.casefile.dev"));
    let mut out = String::new();
    for context in facts.context_ids() {
        for id in facts.of_kind(context, &kind) {
            out += &format!("{}:", facts.object(*id).name);
            for path in paths {
                let text = match facts.lookup(*id, &Path::parse(path).expect("a path")) {
                    Lookup::Found(values) => values
                        .iter()
                        .map(|(node, c)| format!("{node} (line {})", c.cite().line))
                        .collect::<Vec<_>>()
                        .join("; "),
                    Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_) => "-".to_owned(),
                    Lookup::Redacted(_) => "redacted".to_owned(),
                    Lookup::Unknown(_) | Lookup::AtLeast(_) => "?".to_owned(),
                };
                out += &format!(" {path} = {text},");
            }
            out += "\n";
        }
    }
    out
}

const CERTIFICATE: &str = "subject=CN = cp-1\nnotBefore=Nov 19 00:00:00 2025 GMT\nnotAfter=Nov 19 00:00:00 2026 GMT\n";

#[test]
fn a_certificate_has_expired_by_the_as_of_clock_alone() {
    let seen = |as_of| {
        let facts = facts(&[("nodes/cp-1/cert-peer.txt", CERTIFICATE)], as_of);
        let [id] = facts.of_kind(ContextId(0), &KindName::parse("certificates.casefile.dev")) else {
            return String::new();
        };
        let says = |path: &str, test: AgeTest| {
            let path = Path::parse(path).expect("a path");
            let checked = age::check(test, &path, &facts.lookup(*id, &path), age::window(&facts, ContextId(0)));
            format!("{:?} (line {})", checked.truth, checked.citations.first().map_or(0, |spot| spot.cite().line))
        };
        let (passed, year) = (AgeTest::OlderThan(0), AgeTest::DueWithin(365 * 24 * 3600));
        format!(
            "expired {}, begun {}, due in a year {}; {}",
            says("spec.notAfter", passed),
            says("spec.notBefore", passed),
            says("spec.notAfter", year),
            objects(&facts, "certificates", &["spec.node"])
        )
    };
    insta::assert_snapshot!(seen(Some("2026-11-20T12:00:00Z")), @"expired True (line 3), begun True (line 2), due in a year True (line 3); cp-1 cert-peer: spec.node = cp-1 (line 1),");
    insta::assert_snapshot!(seen(Some("2025-11-18T12:00:00Z")), @"expired False (line 3), begun False (line 2), due in a year False (line 3); cp-1 cert-peer: spec.node = cp-1 (line 1),");
    insta::assert_snapshot!(seen(None), @"expired Unknown (line 3), begun Unknown (line 2), due in a year Unknown (line 3); cp-1 cert-peer: spec.node = cp-1 (line 1),");
}

#[test]
fn file_systems_of_two_nodes_are_two() {
    let df = "Filesystem      Size  Used Avail Use% Mounted on\n/dev/sda1        40G   39G  200M 100% /\n";
    let facts = facts(&[("nodes/cp-1/df.txt", df), ("nodes/cp-2/df.txt", &df.replace("100%", " 10%"))], None);
    insta::assert_snapshot!(objects(&facts, "filesystems", &["spec.node", "status.usedPercent"]), @r"
    cp-1 /: spec.node = cp-1 (line 2), status.usedPercent = 100 (line 2),
    cp-2 /: spec.node = cp-2 (line 2), status.usedPercent = 10 (line 2),
    ");
}

#[test]
fn one_container_in_a_table_and_in_json_is_one() {
    let table = "CONTAINER       IMAGE           CREATED       STATE    NAME   ATTEMPT   POD ID          POD\n1152f083e0d55   0369cf4303ffd   2 hours ago   Exited   etcd   3         9f1c1d6d8a7aa   etcd-cp-1\n";
    let json = "{\n  \"status\": {\n    \"id\": \"1152f083e0d55c8dda8283c29d0a81d4\",\n    \"metadata\": {\"name\": \"etcd\", \"attempt\": 3},\n    \"state\": \"CONTAINER_EXITED\",\n    \"exitCode\": 137\n  },\n  \"info\": {}\n}\n";
    let facts = facts(&[("nodes/cp-1/crictl-ps.txt", table), ("nodes/cp-1/inspect.json", json)], None);
    insta::assert_snapshot!(objects(&facts, "crictlcontainers", &["spec.node", "spec.pod", "status.state", "status.exitCode"]), @"1152f083e0d55: spec.node = cp-1 (line 2), spec.pod = etcd-cp-1 (line 2), status.state = Exited (line 5), status.exitCode = 137 (line 6),");
}

const RESOURCES: &str = "NAME         SHORTNAMES   APIVERSION   NAMESPACED   KIND\nbindings                  v1           true         Binding\nconfigmaps   cm           v1           true         ConfigMap\nnamespaces   ns           v1           false        Namespace\nnodes        no           v1           false        Node\npods         po           v1           true         Pod\nsecrets                   v1           true         Secret\nservices     svc          v1           true         Service\ndeployments  deploy       apps/v1      true         Deployment\nstorageclasses   sc       storage.k8s.io/v1   false   StorageClass\n";

fn absence(facts: &Facts, kind: &str) -> &'static str {
    match facts.absence(ContextId(0), &KindName::parse(kind), &Scope::default()) {
        Absence::Stated(_) => "stated",
        Absence::Listed(_) | Absence::Rows(_) => "listed",
        Absence::Unknown { .. } => "unknown",
    }
}

#[test]
fn a_kind_that_a_whole_listing_does_not_hold_is_not_served() {
    let whole = facts(&[("api-resources.txt", RESOURCES)], None);
    assert_eq!(absence(&whole, "machines.cluster.x-k8s.io"), "listed", "errors of a listing may have gone elsewhere");
    assert_eq!(absence(&whole, "pods"), "unknown", "a kind that is served may have objects");
    let failed = format!("{RESOURCES}error: unable to retrieve the complete list of server APIs: a/v1: down\n");
    assert_eq!(absence(&facts(&[("api-resources.txt", &failed)], None), "machines.cluster.x-k8s.io"), "unknown");
    let cut = &RESOURCES[..RESOURCES.find("pods").expect("pods")];
    assert_eq!(absence(&facts(&[("api-resources.txt", cut)], None), "machines.cluster.x-k8s.io"), "unknown");
}

#[test]
fn the_version_of_the_server_is_that_of_the_cluster() {
    let text = "Client Version: v1.32.3\nKustomize Version: v5.5.0\nServer Version: v1.20.2\n";
    let facts = facts(&[("kubectl-version.txt", text)], None);
    assert_eq!(facts.context(ContextId(0)).versions, [("Kubernetes".to_owned(), "v1.20.2".to_owned())]);
    assert_eq!(facts.unread.len(), 0, "{:?}", facts.unread);
}

#[test]
fn a_request_to_the_installer_keeps_its_fields_and_no_password() {
    let text = r#"{"basic":{"username":"a","password":"UkVEQUNURUQ="},"registry":{"domain":"r.example.test:11443"},"console":{"host":["10.30.1.10"],"cert":{"thirdParty":{"crt":"QUJD","key":"REVG"}}}}"#;
    let facts = facts(&[("yamls/installer-config-dcs.json", text)], None);
    let paths = ["console.host", "registry.domain", "basic.password", "console.cert.thirdParty.key"];
    insta::assert_snapshot!(objects(&facts, "installerrequests", &paths), @"installer-config-dcs: console.host = 10.30.1.10 (line 1), registry.domain = r.example.test:11443 (line 1), basic.password = redacted, console.cert.thirdParty.key = redacted,");
}
