//! Single objects: what was collected of them, and nothing else.

use crate::bundle::SECRET;
use crate::running::USUAL;

#[test]
fn an_object_is_what_was_collected_with_its_place() {
    let pod = USUAL.get("/api/v1/namespaces/shop/pods/web-1").json();
    assert_eq!(pod["metadata"]["annotations"]["casefile.dev/from"], "pods.json:2");
    assert_eq!(pod["metadata"]["annotations"]["casefile.dev/form"], "manifest");
    assert_eq!(pod["status"]["containerStatuses"][0]["restartCount"], 7);
    let node = USUAL.get("/api/v1/nodes/w-1").json();
    assert_eq!((&node["kind"], &node["apiVersion"]), (&"Node".into(), &"v1".into()));
    assert_eq!(node["metadata"]["annotations"]["casefile.dev/form"], "table");
    assert_eq!(node["status"]["nodeInfo"]["kubeletVersion"], "v1.31.2");
    assert!(node["spec"].get("podCIDR").is_none() && node["metadata"].get("uid").is_none(), "{node}");
}

#[test]
fn a_described_object_has_the_types_of_the_api() {
    let pod = USUAL.get("/api/v1/namespaces/jobs/pods/batch-7").json();
    assert_eq!(pod["metadata"]["annotations"]["casefile.dev/form"], "describe");
    assert_eq!(pod["metadata"]["annotations"]["casefile.dev/from"], "describe-batch.txt:1");
    let status = &pod["status"]["containerStatuses"][0];
    assert_eq!((&status["restartCount"], &status["ready"]), (&3.into(), &true.into()), "{pod}");
    assert_eq!(pod["status"]["startTime"], "2026-03-04T08:30:00Z");
    assert_eq!(pod["status"]["conditions"][0]["status"], "True", "a condition's status is a text");
    assert_eq!(pod["metadata"]["labels"]["app"], "batch");
}

#[test]
fn events_of_both_forms_are_served_as_one_kind() {
    let event = USUAL.get("/api/v1/namespaces/shop/events/two-1.b").json();
    assert_eq!(event["apiVersion"], "v1");
    assert_eq!(event["message"], "0/2 nodes are available");
    assert_eq!(event["involvedObject"]["name"], "two-1");
}

#[test]
fn not_found_is_said_only_of_what_is_not_there() {
    let pod = USUAL.get("/api/v1/namespaces/shop/pods/gone");
    assert_eq!((pod.code, &pod.json()["reason"]), (404, &"NotFound".into()));
    assert_eq!(pod.message(), "pods \"gone\" not found, by the list in pods.json:1");
    assert_eq!(USUAL.get("/api/v1/namespaces/x/configmaps/c").code, 404);
    for path in [
        "/api/v1/namespaces/jobs/pods/gone",
        "/api/v1/namespaces/shop/secrets/gone",
        "/apis/apps/v1/namespaces/shop/replicasets/web",
    ] {
        let answer = USUAL.get(path);
        assert_eq!((answer.code, &answer.json()["reason"]), (403, &"NotInBundle".into()), "{path}");
        assert!(answer.message().starts_with("not in the bundle: "), "{answer:?}");
    }
}

#[test]
fn no_secret_reaches_a_client() {
    let encoded = "WnE3dlRyNGtXcDJtWG44Y0xzNWQ=";
    let paths = [
        "/api/v1/namespaces/shop/secrets",
        "/api/v1/namespaces/shop/secrets/db",
        "/api/v1/pods",
        "/api/v1/namespaces/shop/pods/web-1",
        "/api/v1/namespaces/shop/pods/web-1/log",
        "/api/v1/namespaces/shop/secrets?watch=true",
    ];
    for path in paths {
        let answer = USUAL.get(path);
        assert_eq!(answer.code, 200, "{path}: {answer:?}");
        assert!(!answer.body.contains(SECRET) && !answer.body.contains(encoded), "{path}: {answer:?}");
    }
    let page = USUAL.send("GET", "/", "*/*", "");
    assert!(page.code == 200 && !page.body.contains(SECRET), "{}", page.head);
    assert!(page.body.contains("Content-Security-Policy") && page.head.contains("no-referrer"), "{}", page.head);
    let secret = USUAL.get("/api/v1/namespaces/shop/secrets/db").json();
    // Clients decode it: what cannot be decoded they refuse.
    assert_eq!(secret["data"]["password"], "W3JlZGFjdGVkXQ==");
}

#[test]
fn nothing_can_be_changed() {
    for (method, path) in [
        ("POST", "/api/v1/namespaces/shop/pods"),
        ("PUT", "/api/v1/namespaces/shop/pods/web-1"),
        ("PATCH", "/api/v1/namespaces/shop/pods/web-1"),
        ("DELETE", "/api/v1/namespaces/shop/pods/web-1"),
        ("DELETE", "/api/v1/namespaces/shop/pods"),
        ("POST", "/api/v1/namespaces/shop/pods/web-1/exec"),
        ("POST", "/api/v1/namespaces/shop/pods/web-1/eviction"),
        ("GET", "/api/v1/namespaces/shop/pods/web-1/exec?command=ls"),
        ("GET", "/api/v1/namespaces/shop/pods/web-1/portforward"),
        ("BREW", "/api/v1/pods"),
        ("OPTIONS", "/api/v1/pods"),
    ] {
        let answer = USUAL.send(method, &format!("/cluster{path}"), "application/json", "{}");
        assert_eq!(answer.code, 405, "{method} {path}: {answer:?}");
        assert!(answer.message().starts_with("the bundle is read only"), "{answer:?}");
        assert!(!answer.head.to_ascii_lowercase().contains("access-control"), "{answer:?}");
    }
}

#[test]
fn what_may_be_done_is_answered() {
    let allowed = |verb: &str| {
        let body = format!(r#"{{"spec":{{"resourceAttributes":{{"verb":"{verb}","resource":"pods"}}}}}}"#);
        let path = "/cluster/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
        let answer = USUAL.send("POST", path, "application/json", &body);
        assert_eq!(answer.code, 201, "{answer:?}");
        answer.json()["status"]["allowed"].as_bool()
    };
    assert_eq!(["get", "list", "watch", "delete", "create"].map(allowed), [true, true, true, false, false].map(Some));
}
