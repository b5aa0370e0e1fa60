//! Work grows with the size of a bundle and not with its square, whatever the bundle holds many of.
//!
//! Why processor time: a machine that does other things besides must not fail a test. Each shape is diagnosed, from the
//! first byte to the report, at two sizes, the larger four times the smaller; what was quadratic took sixteen times as long.
//!
//! A busy machine takes more processor time for the same work, never less: so the least of several runs counts, and a shape
//! that seems too slow is run again until it is not or has had its chances. What grows as a square fails each of them.
//!
//! Sizes are small, so that what a diagnosis costs at all may hide half of the growth; `CASEFILE_HOSTILE=full` makes them
//! large, holds each shape against an exponent of 1.2, and prints it (`-- --nocapture`).
#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]
#![expect(clippy::print_stdout, reason = "figures of full size are printed for who asks for them")]

mod archives;
mod objects;
mod texts;

use crate::bundles::size;
use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, collect};
use facts::limit::Limit;
use intake::Source;
use serde_json::{Value, json};
use signature::load::Library;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// Four times as many may take so many times as long: an exponent of 1.35 at small sizes, where a tenth of a second is the
/// noise of the machine, and of 1.2 at full size.
const MOST: f64 = 6.5;
const MOST_AT_FULL_SIZE: f64 = 5.278;

/// Less than this, in seconds, is the noise of the machine: a difference of two runs can even be negative.
const NOISE: f64 = 0.1;

/// How often a shape is run before it counts as too slow.
const CHANCES: usize = 5;

static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::built_in().expect("the built-in signatures are valid"));

/// Seconds of a processor that a diagnosis of a bundle takes.
fn cost(write: &dyn Fn(&Path, usize), count: usize) -> f64 {
    let (bundle, out) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    write(bundle.path(), count);
    // Something that is understood stands beside it in any case.
    fs::write(bundle.path().join("beside.json"), pod(usize::MAX, &json!({})).to_string()).expect("written");
    // The second line of what the shell tells of times is that of the program.
    let run = Command::new("sh")
        .args(["-c", "\"$@\" >/dev/null && times", "sh", env!("CARGO_BIN_EXE_casefile"), "diagnose", "--force"])
        .arg("-o")
        .arg(out.path().join("report.html"))
        .arg(bundle.path())
        .output()
        .expect("there is a shell");
    assert!(run.status.success(), "it is diagnosed: {run:?}");
    let text = String::from_utf8(run.stdout).expect("numbers");
    let of_program = text.lines().nth(1).expect("two lines").split_whitespace();
    of_program.map(seconds).sum::<Option<f64>>().expect("times of a shell")
}

/// A time as a shell writes it: `1m2.34s`.
fn seconds(time: &str) -> Option<f64> {
    let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
    Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.replace(',', ".").parse::<f64>().ok()?)
}

/// Diagnoses a shape at a size and at four times that.
fn grows_with_its_size(small: usize, full: usize, write: impl Fn(&Path, usize)) {
    let (count, most) = if size(0, 1) == 0 { (small, MOST) } else { (full, MOST_AT_FULL_SIZE) };
    let sizes = [1, count, 4 * count];
    let mut least = [f64::INFINITY; 3];
    let in_time = (0..CHANCES).any(|_| {
        for (least, size) in least.iter_mut().zip(sizes) {
            *least = least.min(cost(&write, size));
        }
        let (one, four) = (least[1] - least[0], least[2] - least[0]);
        if most == MOST_AT_FULL_SIZE {
            let shape = std::thread::current().name().unwrap_or_default().to_owned();
            println!("{shape} {count}: {one:.2} s, {four:.2} s, exponent {:.2}", (four / one).log(4.0));
        }
        // Below half a second nothing can be told, and nothing is slow.
        four < 0.5 || four < most * one.max(NOISE)
    });
    assert!(in_time, "{least:.2?} seconds for {sizes:?}: it grows with more than the size");
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
    fs::write(folder.join(name), list.to_string()).expect("written");
}

#[test]
fn pods_that_fail() {
    grows_with_its_size(2_000, 8_000, |folder, count| {
        let waiting = json!({ "waiting": { "reason": "CrashLoopBackOff", "message": "back-off 5m0s" } });
        let status = json!({ "phase": "Pending", "containerStatuses": [
            { "name": "c", "ready": false, "restartCount": 9, "image": "x", "state": waiting }
        ] });
        let failing = |number: usize| {
            let mut pod = pod(number, &json!({}));
            pod["status"] = status.clone();
            pod
        };
        list(folder, "pods.json", (0..count).map(failing));
    });
}

#[test]
fn objects_of_any_kind_that_fail() {
    grows_with_its_size(400, 5_000, |folder, count| {
        let object = |kind: &str, number: usize| {
            json!({
                "apiVersion": "example.com/v1", "kind": kind,
                "metadata": { "name": format!("o-{number}"), "namespace": "shop", "uid": format!("{kind}-{number}") },
                "status": { "conditions": [
                    { "type": "Ready", "status": "False", "reason": "Broken", "message": format!("{kind} {number} is broken"),
                      "lastTransitionTime": "2026-01-01T00:00:00Z" }
                ] }
            })
        };
        for kind in ["Widget", "Gadget"] {
            list(folder, &format!("{kind}.json"), (0..count).map(|number| object(kind, number)));
        }
    });
}

#[test]
fn versions_of_one_object() {
    grows_with_its_size(250, 5_000, |folder, count| {
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
    grows_with_its_size(400, 10_000, |folder, count| {
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
    grows_with_its_size(150, 2_000, |folder, count| {
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
    grows_with_its_size(150, 2_400, |folder, count| {
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
    // Beyond fifty thousand lines a session is read as any other text.
    grows_with_its_size(150, 3_000, |folder, count| {
        let answer = |number: usize| {
            format!(
                "[root@m ~]# kubectl get pods -n shop\nNAME    READY   STATUS    RESTARTS   AGE\np-{number}     0/1     Pending   0          3d\n"
            )
        };
        let text: String = (0..count).map(answer).collect();
        fs::write(folder.join("session.txt"), text).expect("written");
    });
}

#[test]
fn members_of_etcd() {
    grows_with_its_size(150, 5_000, |folder, count| {
        let member = |number: usize| {
            let address = format!("https://10.0.{}.{}:2380", number / 250, number % 250);
            json!({ "ID": number + 1, "name": format!("m-{number}"), "peerURLs": [address], "clientURLs": [] })
        };
        let members = json!({ "header": {}, "members": (0..count).map(member).collect::<Vec<_>>() });
        fs::write(folder.join("member-list.json"), members.to_string()).expect("written");
    });
}

#[test]
fn targets_of_links() {
    grows_with_its_size(60, 1_000, |folder, parts| {
        let mut archive = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(1);
        archive.append_data(&mut header, "b/x.txt", &b"x"[..]).expect("written");
        let pod = pod(1, &json!({})).to_string();
        let mut header = tar::Header::new_gnu();
        header.set_size(pod.len() as u64);
        archive.append_data(&mut header, "b/pod.json", pod.as_bytes()).expect("written");
        for number in 0..400 {
            let mut header = tar::Header::new_gnu();
            header.set_entry_type(tar::EntryType::Symlink);
            header.set_size(0);
            let target = "y/".repeat(parts) + "x.txt";
            archive.append_link(&mut header, format!("b/l-{number}"), target).expect("written");
        }
        fs::write(folder.join("b.tar"), archive.into_inner().expect("written")).expect("written");
    });
}

#[test]
fn labels_of_a_description() {
    grows_with_its_size(2_000, 50_000, |folder, count| {
        let labels: String = (1..count).map(|number| format!("              l-{number}=x\n")).collect();
        let text = format!("Name:         p\nNamespace:    shop\nLabels:       l-0=x\n{labels}Status:       Running\n");
        fs::write(folder.join("pod.txt"), text).expect("written");
    });
}
