//! The bundle that most tests ask: one of each form, whole lists, cut ones, and what nobody asked for.

use std::path::Path;

/// A secret that must reach no client.
pub(crate) const SECRET: &str = "Zq7vTr4kWp2mXn8cLs5d";

const PODS: &str = r#"{"apiVersion":"v1","kind":"List","metadata":{"resourceVersion":""},"items":[
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1","namespace":"shop","uid":"11111111-1111-4111-8111-111111111111","labels":{"app":"web","tier":"1"},"creationTimestamp":"2026-03-04T09:00:00Z","annotations":{"note":"password=Zq7vTr4kWp2mXn8cLs5d"}},"spec":{"nodeName":"w-1","containers":[{"name":"web","image":"web:1"}]},"status":{"phase":"Running","startTime":"2026-03-04T09:00:01Z","conditions":[{"type":"Ready","status":"False","reason":"ContainersNotReady","lastTransitionTime":"2026-03-04T09:05:00Z"}],"containerStatuses":[{"name":"web","ready":false,"restartCount":7,"image":"web:1","imageID":"","state":{"waiting":{"reason":"CrashLoopBackOff"}}}]}},
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"two-1","namespace":"shop","labels":{"app":"two"},"creationTimestamp":"2026-03-04T08:00:00Z"},"spec":{"nodeName":"w-2","containers":[{"name":"a","image":"a:1"},{"name":"b","image":"b:1"}]},"status":{"phase":"Pending"}},
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"coredns-1","namespace":"kube-system","labels":{"app":"dns"},"creationTimestamp":"2026-03-04T07:00:00Z"},"spec":{"nodeName":"w-1","containers":[{"name":"dns","image":"dns:1"}]},"status":{"phase":"Running"}}
]}"#;

const NODES: &str = "NAME   STATUS   ROLES    AGE   VERSION
w-1    Ready    <none>   10d   v1.31.2
w-2    NotReady <none>   10d   v1.31.2
";

/// A session: what its commands prove is stated.
const SESSION: &str = "$ kubectl get configmaps -A
No resources found
$ kubectl get secrets -A
Error from server (Forbidden): secrets is forbidden: User \"dev\" cannot list resource \"secrets\" in API group \"\" at the cluster scope
$ kubectl get deployments -n shop
NAME   READY   UP-TO-DATE   AVAILABLE   AGE
web    0/1     1            0           3d
$ kubectl get gadgets.example.org -A
error: the server doesn't have a resource type \"gadgets\"
$ date -u
Wed Mar  4 09:10:00 UTC 2026
";

const DESCRIBED: &str = "Name:             batch-7
Namespace:        jobs
Priority:         0
Service Account:  default
Node:             w-2/10.0.0.12
Start Time:       Wed, 04 Mar 2026 08:30:00 +0000
Labels:           app=batch
Annotations:      <none>
Status:           Running
IP:               10.244.1.9
Containers:
  main:
    Container ID:   containerd://0123
    Image:          batch:2
    State:          Running
      Started:      Wed, 04 Mar 2026 08:30:02 +0000
    Ready:          True
    Restart Count:  3
    Environment:    <none>
Conditions:
  Type              Status
  Ready             True
Events:             <none>
";

const SECRET_OBJECT: &str = r#"{"apiVersion":"v1","kind":"Secret","metadata":{"name":"db","namespace":"shop","uid":"33333333-3333-4333-8333-333333333333","resourceVersion":"8","creationTimestamp":"2026-03-04T09:00:00Z"},"type":"Opaque","data":{"password":"WnE3dlRyNGtXcDJtWG44Y0xzNWQ="},"stringData":{"token":"Zq7vTr4kWp2mXn8cLs5d"}}"#;

const EVENTS: &str = r#"{"apiVersion":"v1","kind":"List","items":[
{"apiVersion":"v1","kind":"Event","metadata":{"name":"web-1.a","namespace":"shop","creationTimestamp":"2026-03-04T09:04:00Z"},"involvedObject":{"kind":"Pod","namespace":"shop","name":"web-1","uid":"11111111-1111-4111-8111-111111111111"},"reason":"BackOff","message":"Back-off \u001b[31mrestarting failed container","type":"Warning","count":9,"firstTimestamp":"2026-03-04T09:01:00Z","lastTimestamp":"2026-03-04T09:04:00Z","source":{"component":"kubelet"}},
{"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"two-1.b","namespace":"shop","creationTimestamp":"2026-03-04T09:02:00Z"},"regarding":{"kind":"Pod","namespace":"shop","name":"two-1"},"reason":"FailedScheduling","note":"0/2 nodes are available","type":"Warning","eventTime":"2026-03-04T09:02:00.000000Z","reportingController":"default-scheduler"}
]}"#;

const DEFINITION: &str = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"widgets.example.com","uid":"44444444-4444-4444-8444-444444444444","resourceVersion":"9","creationTimestamp":"2026-03-04T09:00:00Z"},"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"widgets","singular":"widget","kind":"Widget","shortNames":["wg"],"categories":["all"]},"versions":[{"name":"v1beta1","served":true,"storage":false},{"name":"v1","served":true,"storage":true,"additionalPrinterColumns":[{"name":"Size","type":"integer","jsonPath":".spec.size"},{"name":"Colour","type":"string","jsonPath":".spec.colour","priority":1}]}]}}"#;

const WIDGET: &str = r#"{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w","namespace":"shop","creationTimestamp":"2026-03-04T09:00:00Z","uid":"22222222-2222-4222-8222-222222222222","resourceVersion":"7"},"spec":{"size":3,"colour":"red"},"status":{"phase":"Ready"}}"#;

const LOG: &str = "2026-03-04T09:00:00.000000001Z starts
2026-03-04T09:05:00.123456789Z login password=Zq7vTr4kWp2mXn8cLs5d
2026-03-04T09:09:30.123456789Z works
2026-03-04T09:09:45.123456789Z goes on
";
const PREVIOUS: &str = "2026-03-04T08:00:00.123456789Z FATAL: no config
";

/// Writes it.
pub(crate) fn write(to: &Path) {
    let files = [
        ("pods.json", PODS),
        ("nodes.txt", NODES),
        ("session.txt", SESSION),
        ("describe-batch.txt", DESCRIBED),
        ("secret.json", SECRET_OBJECT),
        ("events.json", EVENTS),
        ("crd.json", DEFINITION),
        ("widget.json", WIDGET),
        ("pods/logs/shop/web-1/web.log", LOG),
        ("pods/logs/shop/web-1/web-previous.log", PREVIOUS),
        ("pods/logs/shop/two-1/a.log", "2026-03-04 09:00:00 a\n"),
        ("pods/logs/shop/two-1/b.log", "b says\nnothing \u{1b}[31mdated\n"),
        ("pods/logs/shop/same-1/main.log", "2026-03-04T09:00:00Z FATAL: each time the same\n"),
        ("pods/logs/shop/same-1/main-previous.log", "2026-03-04T09:00:00Z FATAL: each time the same\n"),
        ("pods/logs/shop/unseen-1/main.log", "2026-03-04T09:00:00Z only logs\n"),
    ];
    for (name, text) in files {
        let path = to.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}
