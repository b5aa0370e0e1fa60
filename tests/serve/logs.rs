//! Logs of containers.

use crate::running::USUAL;

fn log(pod: &str, query: &str) -> String {
    let answer = USUAL.get(&format!("/api/v1/namespaces/shop/pods/{pod}/log{query}"));
    assert_eq!(answer.code, 200, "{pod}{query}: {answer:?}");
    assert!(answer.head.contains("text/plain"), "{answer:?}");
    answer.body
}

#[test]
fn lines_come_without_the_stamps_of_the_runtime_and_with_them() {
    assert_eq!(log("web-1", ""), "starts\nlogin password=[redacted]\nworks\ngoes on\n");
    assert_eq!(log("web-1", "?container=web"), log("web-1", ""));
    assert_eq!(log("web-1", "?tailLines=1&timestamps=true"), "2026-03-04T09:09:45.123456789Z goes on\n");
    assert_eq!(log("two-1", "?container=a"), "2026-03-04 09:00:00 a\n");
}

#[test]
fn the_last_lines_and_the_first_bytes() {
    assert_eq!(log("web-1", "?tailLines=2"), "works\ngoes on\n");
    assert_eq!(log("web-1", "?tailLines=0"), "");
    assert_eq!(log("web-1", "?limitBytes=9"), "starts\nlo");
    assert_eq!(log("web-1", "?tailLines=1&limitBytes=4"), "goes");
}

#[test]
fn since_counts_from_the_clock_of_the_bundle() {
    // It was made at 09:10.
    assert_eq!(log("web-1", "?sinceSeconds=60"), "works\ngoes on\n");
    assert_eq!(log("web-1", "?sinceSeconds=20"), "goes on\n");
    assert_eq!(log("web-1", "?sinceSeconds=1"), "");
    assert_eq!(log("web-1", "?sinceTime=2026-03-04T09:09:40Z"), "goes on\n");
    let undated = USUAL.get("/api/v1/namespaces/shop/pods/two-1/log?container=b&sinceSeconds=1");
    assert_eq!(undated.body.lines().count(), 2);
    assert!(undated.warnings()[0].contains("no line of this log states a time"), "{undated:?}");
}

#[test]
fn the_container_that_ran_before() {
    assert_eq!(log("web-1", "?previous=true"), "FATAL: no config\n");
    let none = USUAL.get("/api/v1/namespaces/shop/pods/two-1/log?container=a&previous=true");
    assert_eq!(none.code, 403);
    assert_eq!(
        none.message(),
        "not in the bundle: the previous log of container a of pod shop/two-1 was not collected"
    );
}

/// Equal files are read once; both were collected.
#[test]
fn a_container_that_says_the_same_each_time() {
    let said = "2026-03-04T09:00:00Z FATAL: each time the same\n";
    assert_eq!((log("same-1", ""), log("same-1", "?previous=true")), (said.to_owned(), said.to_owned()));
    let none = USUAL.get("/api/v1/namespaces/shop/pods/unseen-1/log?previous=true");
    assert_eq!(none.code, 403, "{none:?}");
}

#[test]
fn which_container_must_be_clear() {
    let answer = USUAL.get("/api/v1/namespaces/shop/pods/two-1/log");
    assert_eq!(answer.code, 400);
    assert_eq!(answer.message(), "a container name must be specified for pod two-1, choose one of: [a b]");
    for path in
        ["/api/v1/namespaces/shop/pods/web-1/log?container=x", "/api/v1/namespaces/kube-system/pods/coredns-1/log"]
    {
        let answer = USUAL.get(path);
        assert_eq!(answer.code, 403, "{answer:?}");
        assert!(answer.message().starts_with("not in the bundle: no log of "), "{answer:?}");
    }
    assert_eq!(USUAL.get("/api/v1/namespaces/shop/pods/web-1/log?tailLines=-1").code, 400);
    assert_eq!(USUAL.get("/api/v1/namespaces/shop/pods/web-1/log?sinceTime=now").code, 400);
}

#[test]
fn a_pod_of_which_only_logs_were_collected_has_them() {
    let pod = USUAL.get("/api/v1/namespaces/shop/pods/unseen-1");
    if pod.code == 404 {
        // The list of its namespace is whole and lacks it: the Pod is gone, and its log is there all the same.
        assert_eq!(log("unseen-1", ""), "2026-03-04T09:00:00Z only logs\n");
        return;
    }
    assert_eq!(pod.json()["spec"]["containers"][0]["name"], "main");
}
