//! No secret of a bundle reaches a fact or any output, whatever form it stood in.

use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, collect, diagnose};
use inspect::{model, text};
use intake::Source;
use report::{html, json, junit, markdown, terminal};
use signature::load::Library;

/// Every value that must never be seen again.
const SECRETS: [&str; 16] = [
    "cGFzc3dvcmQtaW4teWFtbA==",
    "plain-in-stringdata",
    "cGFzc3dvcmQtaW4tanNvbg==",
    "Y3JlZGVudGlhbC10b2tlbi0x",
    "Y3JlZGVudGlhbC1rZXktMQ==",
    "Y3JlZGVudGlhbC10b2tlbi0y",
    "env-hunter2-value",
    "url-hunter2-value",
    "flag-hunter2-value4711",
    "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzZW50cnkifQ.c2lnbmF0dXJl",
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
    "abcdef.0123456789abcdef",
    "Y3VzdG9tLWNvbHVtbg==",
    "column-hunter2",
    "a3ViZWNvbmZpZy1rZXk0NzEx",
    "applied-hunter2",
];

const FILES: [(&str, &str); 10] = [
    (
        "yaml/secrets.yaml",
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata:\n    name: db\n    namespace: shop\n    \
         annotations:\n      kubectl.kubernetes.io/last-applied-configuration: '{\"kind\":\"Secret\",\"stringData\":{\"p\":\"applied-hunter2\"}}'\n  \
         data: {password: cGFzc3dvcmQtaW4teWFtbA==}\n  stringData: {p: plain-in-stringdata}\n",
    ),
    (
        "json/secret.json",
        "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"json\",\"namespace\":\"shop\"},\"data\":{\"x\":\"cGFzc3dvcmQtaW4tanNvbg==\"}}",
    ),
    (
        "yaml/clustercredentials.yaml",
        "apiVersion: platform.tkestack.io/v1\nkind: ClusterCredential\nmetadata:\n  name: cc-1\n  labels: {cluster.x-k8s.io/cluster-name: c1}\n\
         token: Y3JlZGVudGlhbC10b2tlbi0x\nclientKey: Y3JlZGVudGlhbC1rZXktMQ==\n",
    ),
    (
        "describe/clustercredentials.txt",
        "Name:         cc-2\nNamespace:    \nLabels:       cluster.x-k8s.io/cluster-name=c1\nAnnotations:  <none>\n\
         API Version:  platform.tkestack.io/v1\nKind:         ClusterCredential\nMetadata:\n  UID:  u-2\nToken:  Y3JlZGVudGlhbC10b2tlbi0y\n\
         Events:   <none>\n",
    ),
    (
        "yaml/pods.yaml",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\nspec:\n  containers:\n  - name: web\n    command: [sh, -c, \"psql \
         postgres://app:url-hunter2-value@db:5432/shop\"]\n    env:\n    - {name: DB_PASSWORD, value: env-hunter2-value}\n",
    ),
    (
        "logs/cluster-api-provider-dcs-manager.log",
        "E0601 10:00:00.000000       1 controller.go:1] \"Reconciler error\" err=\"serviceaccounts \\\"sentry\\\" not found\" token=\"eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzZW50cnkifQ.c2lnbmF0dXJl\"\n\
         E0601 10:00:01.000000       1 controller.go:1] \"ServiceAccount \\\"sentry\\\" not found\" cmd=\"join --token abcdef.0123456789abcdef --password=flag-hunter2-value4711\"\n",
    ),
    (
        "yaml/configmap.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: keys, namespace: shop}\ndata:\n  key.pem: |\n    -----BEGIN PRIVATE KEY-----\n    \
         MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n    -----END PRIVATE KEY-----\n",
    ),
    ("get-secrets.txt", "NAMESPACE   NAME   PW\nshop        db     Y3VzdG9tLWNvbHVtbg==\n"),
    ("get-clusters.txt", "NAME   PASSWORD         AGE\nc1     column-hunter2   3d\n"),
    (
        "admin.conf",
        "apiVersion: v1\nkind: Config\nusers:\n- name: admin\n  user:\n    client-key-data: a3ViZWNvbmZpZy1rZXk0NzEx\n    \
         token: eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzZW50cnkifQ.c2lnbmF0dXJl\n",
    ),
];

#[test]
fn no_secret_reaches_a_fact_or_an_output() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in FILES {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let all: String = FILES.iter().map(|(_, text)| *text).collect();
    let library = Library::built_in().unwrap();
    let catalogue = Catalogue::built_in();
    let inputs = [Input { source: Source::Path(folder.path().to_owned()), context: None }];
    let collected = collect(&inputs, &library, &catalogue, &Options::default(), &mut Quiet).unwrap();
    let seen = model::inspect(&collected.bundles, &collected.facts, &library, &catalogue);
    let diagnosis = diagnose(&inputs, &library, &catalogue, &Options::default(), &mut Quiet).unwrap();
    let outputs = [
        ("the facts", format!("{:?}", collected.facts)),
        ("inspect", text::text(&seen, true)),
        ("inspect as JSON", serde_json::to_string(&seen).unwrap()),
        ("JSON", json::render(&diagnosis).unwrap()),
        ("HTML", html::render(&diagnosis).unwrap()),
        ("Markdown", markdown::render(&diagnosis)),
        ("JUnit", junit::render(&diagnosis).unwrap()),
        ("the summary", terminal::summary(&diagnosis, false, None)),
    ];
    for secret in SECRETS {
        assert!(all.contains(secret), "`{secret}` stands in no file of this test");
        for (what, output) in &outputs {
            if let Some(at) = output.find(secret) {
                let from = output[..at].char_indices().rev().nth(200).map_or(0, |(i, _)| i);
                panic!("`{secret}` is in {what}: …{}", &output[from..at + secret.len()]);
            }
        }
    }
    assert!(collected.facts.redactions.total() >= 10, "only {} values were masked", collected.facts.redactions.total());
    let by_kind = &diagnosis.redactions_by_kind;
    assert_eq!(by_kind.values().sum::<u64>(), diagnosis.redactions, "{by_kind:?}");
    assert!(by_kind.len() >= 3 && by_kind.contains_key("password"), "{by_kind:?}");
}
