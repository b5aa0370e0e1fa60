//! Work grows with the size of a bundle and not with its square, whatever the bundle holds many of.
//!
//! Why processor time of one thread: a machine that does other things besides must not fail a test. Each shape is read
//! at two sizes, the larger four times the smaller; what was quadratic took sixteen times as long.
#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, collect};
use facts::limit::Limit;
use intake::Source;
use serde_json::{Value, json};
use signature::load::Library;
use std::path::Path;
use std::sync::LazyLock;

static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::built_in().expect("the built-in signatures are valid"));

/// Nanoseconds that this thread was on a processor.
fn processor_time() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux counts the time of threads");
    text.split_whitespace().next().and_then(|time| time.parse().ok()).expect("nanoseconds")
}

/// The shortest of three readings of a bundle into facts.
fn cost(write: &dyn Fn(&Path, usize), count: usize) -> f64 {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), count);
    let times = (0..3).map(|_| {
        let input = Input { source: Source::Path(folder.path().to_owned()), context: None };
        let before = processor_time();
        let read = collect(&[input], &LIBRARY, &Catalogue::built_in(), &Options::default(), &mut Quiet);
        let time = processor_time() - before;
        assert!(read.is_ok(), "it is read");
        time
    });
    times.min().unwrap_or_default() as f64
}

/// Reads a shape at a size and at four times that.
fn grows_with_its_size(small: usize, write: impl Fn(&Path, usize)) {
    let none = cost(&write, 1);
    let (one, four) = (cost(&write, small) - none, cost(&write, 4 * small) - none);
    // Below a tenth of a second nothing can be told, and nothing is slow.
    assert!(four < 100e6 || four < 9.0 * one, "{} ms, and {} ms of four times as many", one / 1e6, four / 1e6);
}

fn pod(number: usize, labels: &Value) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": { "name": format!("p-{number}"), "namespace": "shop", "uid": format!("u-{number}"), "labels": labels },
        "spec": { "nodeName": format!("n-{number}"), "containers": [{ "name": "c", "image": "x" }] },
        "status": { "phase": "Running", "conditions": [{ "type": "Ready", "status": "False" }] }
    })
}

fn list(folder: &Path, name: &str, items: impl Iterator<Item = Value>) {
    let list = json!({ "apiVersion": "v1", "kind": "List", "items": items.collect::<Vec<_>>() });
    std::fs::write(folder.join(name), list.to_string()).expect("written");
}

#[test]
fn versions_of_one_object() {
    grows_with_its_size(250, |folder, count| {
        let version = |number: usize| {
            let mut pod = pod(0, &json!({ "app": "a" }));
            pod["status"]["reason"] = json!(format!("reason {number}"));
            pod
        };
        list(folder, "pods.json", (0..count).map(version));
    });
}

#[test]
fn equal_copies_of_one_object() {
    grows_with_its_size(400, |folder, count| {
        list(folder, "pods.json", (0..count).map(|_| pod(0, &json!({ "app": "a" }))));
    });
}

/// A Service that selects all Pods.
fn service(number: usize) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Service",
        "metadata": { "name": format!("s-{number}"), "namespace": "shop", "uid": format!("s-{number}") },
        "spec": { "selector": { "app": "a" } }
    })
}

#[test]
fn services_and_budgets_of_pods_of_one_label() {
    grows_with_its_size(150, |folder, count| {
        list(folder, "pods.json", (0..count).map(|number| pod(number, &json!({ "app": "a" }))));
        list(folder, "services.json", (0..count).map(service));
    });
}

#[test]
fn services_that_are_not_followed_to_their_pods_are_said_and_open() {
    for (count, followed) in [(150, 150), (300, 186)] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        list(folder.path(), "pods.json", (0..60).map(|number| pod(number, &json!({ "app": "a" }))));
        list(folder.path(), "services.json", (0..count).map(service));
        let input = Input { source: Source::Path(folder.path().to_owned()), context: None };
        let read = collect(&[input], &LIBRARY, &Catalogue::built_in(), &Options::default(), &mut Quiet);
        let facts = read.expect("it is read").facts;
        let made = || facts.objects.iter().filter(|object| object.kind.plural == "servicebackends");
        let selects = |object: &&facts::object::Object| {
            object.sightings.iter().any(|sighting| sighting.record.node.at(&["status", "selectedPods"]).is_some())
        };
        assert_eq!((made().count(), made().filter(selects).count()), (count, followed));
        let open = (count - followed) as u64;
        let said = Limit::Services(open);
        assert_eq!(facts.limits.contains(&said), open > 0, "{:?}", facts.limits);
    }
}

#[test]
fn lost_nodes_with_their_leases() {
    grows_with_its_size(150, |folder, count| {
        let node = |number: usize| {
            json!({
                "apiVersion": "v1", "kind": "Node",
                "metadata": { "name": format!("n-{number}"), "uid": format!("n-{number}") },
                "status": { "conditions": [{ "type": "Ready", "status": "Unknown", "reason": "NodeStatusUnknown" }] }
            })
        };
        let lease = |number: usize| {
            json!({
                "apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
                "metadata": { "name": format!("n-{number}"), "namespace": "kube-node-lease" },
                "spec": { "renewTime": "2026-01-01T00:00:00.000000Z" }
            })
        };
        list(folder, "nodes.json", (0..count).map(node));
        list(folder, "leases.json", (0..count).map(lease));
        list(folder, "pods.json", (0..count).map(|number| pod(number, &json!({ "app": "a" }))));
    });
}

#[test]
fn prompts_of_a_session() {
    grows_with_its_size(150, |folder, count| {
        let answer = |number: usize| {
            format!(
                "[root@m ~]# kubectl get pods -n shop\nNAME    READY   STATUS    RESTARTS   AGE\np-{number}     0/1     Pending   0          3d\n"
            )
        };
        let text: String = (0..count).map(answer).collect();
        std::fs::write(folder.join("session.txt"), text).expect("written");
    });
}

#[test]
fn members_of_etcd() {
    grows_with_its_size(150, |folder, count| {
        let member = |number: usize| {
            let address = format!("https://10.0.{}.{}:2380", number / 250, number % 250);
            json!({ "ID": number + 1, "name": format!("m-{number}"), "peerURLs": [address], "clientURLs": [] })
        };
        let members = json!({ "header": {}, "members": (0..count).map(member).collect::<Vec<_>>() });
        std::fs::write(folder.join("member-list.json"), members.to_string()).expect("written");
    });
}

#[test]
fn targets_of_links() {
    grows_with_its_size(60, |folder, parts| {
        let mut archive = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(1);
        archive.append_data(&mut header, "b/x.txt", &b"x"[..]).expect("written");
        for number in 0..400 {
            let mut header = tar::Header::new_gnu();
            header.set_entry_type(tar::EntryType::Symlink);
            header.set_size(0);
            let target = "y/".repeat(parts) + "x.txt";
            archive.append_link(&mut header, format!("b/l-{number}"), target).expect("written");
        }
        std::fs::write(folder.join("b.tar"), archive.into_inner().expect("written")).expect("written");
    });
}

#[test]
fn labels_of_a_description() {
    grows_with_its_size(2_000, |folder, count| {
        let labels: String = (1..count).map(|number| format!("              l-{number}=x\n")).collect();
        let text = format!("Name:         p\nNamespace:    shop\nLabels:       l-0=x\n{labels}Status:       Running\n");
        std::fs::write(folder.join("pod.txt"), text).expect("written");
    });
}
