//! What kubectl prints of an object, worked out of what a bundle shows.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use catalogue::kinds::Catalogue;
use diagnose::{Input, Keep, Options, Quiet, collect};
use facts::kind::KindName;

use facts::object::{ContextId, Lookup};
use facts::path::Path;
use facts::store::Facts;
use intake::Source;
use printer::{Cell, columns};
use signature::load::Library;

fn facts(files: &[(&str, &str)]) -> Facts {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    let input = Input { source: Source::Path(dir.path().to_owned()), context: None };
    let options = Options { keep: Keep::All, as_of: "2026-03-04T10:00:00Z".parse().ok(), ..Options::default() };
    collect(&[input], &Library::default(), &Catalogue::built_in(), &options, &mut Quiet).unwrap().facts
}

/// Each object with its cells: `?` is unknown.
fn printed(facts: &Facts, kind: &str) -> String {
    let kind = KindName::parse(kind);
    let columns = columns(facts, &Catalogue::built_in(), None, &kind);
    let mut out = String::new();
    for id in facts.of_kind(ContextId(0), &kind) {
        let cells = columns.iter().map(|column| match column.cell(facts, *id) {
            Cell::Unknown => format!("{}=?", column.header),
            Cell::Masked => format!("{}=masked", column.header),
            Cell::Text(text) => format!("{}={text}", column.header),
            Cell::Number(number) => format!("{}={number}", column.header),
        });
        let object = facts.object(*id);
        out += &format!("{} {}\n", object.name, cells.collect::<Vec<_>>().join(" "));
    }
    out
}

const PODS: &str = r#"{"apiVersion":"v1","kind":"List","items":[
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"crash","namespace":"shop","creationTimestamp":"2026-03-04T09:00:00Z"},
 "spec":{"nodeName":"w-1","containers":[{"name":"a"},{"name":"b"}]},
 "status":{"phase":"Running","podIP":"10.0.0.1","containerStatuses":[
  {"name":"a","ready":false,"restartCount":7,"state":{"waiting":{"reason":"CrashLoopBackOff"}}},
  {"name":"b","ready":true,"restartCount":1,"state":{"running":{"startedAt":"2026-03-04T09:00:05Z"}}}]}},
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"done","namespace":"shop","creationTimestamp":"2026-03-04T09:59:00Z"},
 "spec":{"containers":[{"name":"a"}]},
 "status":{"phase":"Succeeded","containerStatuses":[{"name":"a","ready":false,"restartCount":0,"state":{"terminated":{"reason":"Completed","exitCode":0}}}]}},
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"init","namespace":"shop","creationTimestamp":"2026-03-02T09:00:00Z"},
 "spec":{"initContainers":[{"name":"one"},{"name":"two"}],"containers":[{"name":"a"}]},
 "status":{"phase":"Pending","initContainerStatuses":[
  {"name":"one","restartCount":0,"state":{"terminated":{"exitCode":0,"reason":"Completed"}}},
  {"name":"two","restartCount":3,"state":{"terminated":{"exitCode":1}}}],
  "containerStatuses":[{"name":"a","ready":false,"restartCount":0,"state":{"waiting":{"reason":"PodInitializing"}}}]}},
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"going","namespace":"shop","deletionTimestamp":"2026-03-04T09:58:00Z","creationTimestamp":"2026-03-02T09:00:00Z"},
 "spec":{"initContainers":[{"name":"proxy","restartPolicy":"Always"}],"containers":[{"name":"a"}]},
 "status":{"phase":"Running","initContainerStatuses":[{"name":"proxy","ready":true,"started":true,"restartCount":2,"state":{"running":{}}}],
  "containerStatuses":[{"name":"a","ready":true,"restartCount":0,"state":{"running":{}}}]}}
]}"#;

#[test]
fn pods_are_printed_as_kubectl_prints_them() {
    insta::assert_snapshot!(printed(&facts(&[("pods.json", PODS)]), "pods"));
}

#[test]
fn what_only_a_table_showed_is_what_the_table_printed_and_nothing_is_invented() {
    let table = "NAMESPACE   NAME   READY   STATUS             RESTARTS   AGE\nshop        web    1/2     CrashLoopBackOff   4          3d\n";
    insta::assert_snapshot!(printed(&facts(&[("pods.txt", table)]), "pods"));
}

/// Since 1.22 kubectl says beside the number when the last restart was; the number alone is compared.
#[test]
fn restarts_are_a_number_whatever_stands_behind_them() {
    let table = "NAMESPACE   NAME   READY   STATUS    RESTARTS          AGE\nshop        web    1/2     Running   2121 (3m17s ago)  3d\n";
    let facts = facts(&[("pods.txt", table)]);
    let pod = *facts.of_kind(ContextId(0), &KindName::parse("pods")).first().expect("a Pod");
    let Lookup::Found(values) = facts.lookup(pod, &Path::parse("status.restarts").unwrap()) else {
        panic!("restarts are shown")
    };
    assert_eq!(values.iter().map(|(node, _)| node.to_string()).collect::<Vec<_>>(), ["2121"]);
}

#[test]
fn nodes_services_and_deployments() {
    let list = r#"{"apiVersion":"v1","kind":"List","items":[
    {"apiVersion":"v1","kind":"Node","metadata":{"name":"cp-1","creationTimestamp":"2026-02-04T10:00:00Z","labels":{"node-role.kubernetes.io/control-plane":"","node-role.kubernetes.io/etcd":"true"}},
     "spec":{"unschedulable":true},"status":{"conditions":[{"type":"Ready","status":"Unknown"}],"addresses":[{"type":"InternalIP","address":"10.0.0.1"}],"nodeInfo":{"kubeletVersion":"v1.31.2","osImage":"Linux"}}},
    {"apiVersion":"v1","kind":"Service","metadata":{"name":"web","namespace":"shop","creationTimestamp":"2026-03-04T08:30:00Z"},
     "spec":{"type":"NodePort","clusterIP":"10.1.0.1","selector":{"app":"web","tier":"a"},"ports":[{"port":80,"protocol":"TCP","nodePort":30080},{"port":53,"protocol":"UDP"}]}},
    {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","creationTimestamp":"2026-03-04T08:30:00Z"},
     "spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},"template":{"spec":{"containers":[{"name":"web","image":"r/web:1"}]}}},"status":{"updatedReplicas":3}}
    ]}"#;
    let facts = facts(&[("all.json", list)]);
    let all: Vec<String> = ["nodes", "services", "deployments.apps"].map(|kind| printed(&facts, kind)).into();
    insta::assert_snapshot!(all.concat());
}

#[test]
fn a_kind_that_nobody_knows_has_the_columns_of_its_definition() {
    let text = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com, creationTimestamp: \"2026-03-04T08:30:00Z\" }
spec:
  group: example.com
  names: { kind: Widget, plural: widgets }
  versions:
  - name: v1
    storage: true
    additionalPrinterColumns:
    - { name: Size, type: integer, jsonPath: .spec.size }
    - { name: Ready, type: string, jsonPath: '.status.conditions[?(@.type==\"Ready\")].status' }
    - { name: Note, type: string, jsonPath: .spec.note, priority: 1 }
---
apiVersion: example.com/v1
kind: Widget
metadata: { name: w, namespace: shop, uid: a-b, creationTimestamp: \"2026-03-04T08:30:00Z\" }
spec: { size: 3 }
status: { conditions: [ { type: Ready, status: \"False\" } ] }
";
    insta::assert_snapshot!(printed(&facts(&[("all.yaml", text)]), "widgets.example.com"));
}
