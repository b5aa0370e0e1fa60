//! The layouts of other collectors: the same cluster, however it was collected, gets the same verdicts.
//!
//! The bundles are written here exactly as each collector's source writes them, from the objects of one sample
//! bundle and one log; real bundles are read where they are at hand.
#![expect(clippy::expect_used, reason = "helpers of a test may panic")]

use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, diagnose};
use diagnosis::model::Diagnosis;
use facts::coverage::StateName;
use facts::node::{Node, Value};
use facts::origin::MemberId;
use facts::record::Record;
use intake::{Limits, Source};
use parse::manifest;
use signature::load::Library;
use std::fmt::Write as _;
use std::path::Path;

/// Name and text of each file.
type Files = Vec<(String, String)>;

/// An object with what paths are made of.
struct Object {
    group: String,
    version: String,
    plural: String,
    kind: String,
    namespace: Option<String>,
    name: String,
    node: Node,
}

/// All objects of the sample bundle of a preempted binding: Fleet resources in the cluster scope.
fn objects() -> Vec<Object> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles/binding-preempted/bundle/hub");
    let mut paths: Vec<_> =
        std::fs::read_dir(&folder).expect("the sample").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let text = std::fs::read(&path).expect("a file");
        let read =
            if path.extension().is_some_and(|e| e == "json") { manifest::read_json } else { manifest::read_yaml };
        for record in read(MemberId(0), "x", &text, &Limits::default()).records {
            let Record::Object(object) = record else { continue };
            let api_version = object.api_version.clone().expect("an apiVersion");
            let (group, version) = api_version.split_once('/').unwrap_or(("core", &api_version));
            all.push(Object {
                group: group.to_owned(),
                version: version.to_owned(),
                plural: object.kind.as_ref().expect("a kind").plural.clone(),
                kind: object.node.get("kind").and_then(Node::as_str).expect("a kind").to_owned(),
                namespace: object.namespace.clone(),
                name: object.name.clone(),
                node: (*object.node).clone(),
            });
        }
    }
    assert!(all.len() >= 5, "{} objects", all.len());
    all
}

/// The log of an etcd member that lost the others.
fn log() -> String {
    let path = "sample-bundles/etcd-no-leader/bundle/nodes/cp-1/etcd.log";
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("the sample")
}

/// Block YAML, or what support-bundle-kit makes of it.
fn yaml(node: &Node, indent: usize, kit: bool, out: &mut String) {
    let pad = " ".repeat(indent);
    match &node.value {
        Value::Map(entries) if !entries.is_empty() => {
            for (key, child) in entries {
                let _ = write!(out, "{pad}{key:?}:");
                below(child, indent + 2, kit, out);
            }
        }
        Value::List(items) if !items.is_empty() => {
            for item in items {
                let _ = write!(out, "{pad}-");
                below(item, indent + 2, kit, out);
            }
        }
        _ => {
            let _ = writeln!(out, "{pad}{}", scalar(&node.value, kit));
        }
    }
}

fn below(node: &Node, indent: usize, kit: bool, out: &mut String) {
    let nested =
        matches!(&node.value, Value::Map(e) if !e.is_empty()) || matches!(&node.value, Value::List(i) if !i.is_empty());
    if nested {
        out.push('\n');
        yaml(node, indent, kit, out);
    } else {
        let _ = writeln!(out, " {}", scalar(&node.value, kit));
    }
}

fn scalar(value: &Value, kit: bool) -> String {
    match value {
        Value::Null if kit => "\"null\"".to_owned(),
        Value::Str(text) if kit && text.is_empty() => "\"null\"".to_owned(),
        Value::Int(number) if kit && *number >= 1_000_000 => format!("{:e}", *number as f64).replace('e', "e+0"),
        Value::Null => "null".to_owned(),
        Value::Str(text) => format!("{text:?}"),
        Value::List(_) => "[]".to_owned(),
        Value::Map(_) => "{}".to_owned(),
        other => other.scalar().expect("a scalar"),
    }
}

fn document(node: &Node, kit: bool) -> String {
    let mut out = String::new();
    yaml(node, 0, kit, &mut out);
    out
}

/// Objects by kind, as a `List`.
fn lists(objects: &[Object], kit: bool) -> Vec<(&Object, String)> {
    let mut kinds: Vec<(&Object, String)> = Vec::new();
    for object in objects {
        let mut items = String::new();
        for same in objects.iter().filter(|o| o.plural == object.plural && o.namespace == object.namespace) {
            items.push_str("-\n");
            yaml(&same.node, 2, kit, &mut items);
        }
        if !kinds.iter().any(|(first, _)| first.plural == object.plural) {
            kinds.push((object, format!("apiVersion: v1\nitems:\n{items}kind: List\n")));
        }
    }
    kinds
}

fn plain(objects: &[Object]) -> Files {
    let mut files: Files =
        lists(objects, false).into_iter().map(|(o, text)| (format!("{}.{}.yaml", o.plural, o.group), text)).collect();
    files.push(("logs/kube-system/etcd-cp-1.log".to_owned(), log()));
    files
}

fn crust_gather(objects: &[Object]) -> Files {
    let mut files: Files = objects
        .iter()
        .map(|o| {
            let version = if o.group == "core" { o.version.clone() } else { format!("{}-{}", o.group, o.version) };
            let place = o.namespace.as_ref().map_or("cluster".to_owned(), |ns| format!("namespaces/{ns}"));
            let name = o.name.replace([':', '*', '?', '|'], "-");
            (format!("{place}/{version}/{}/{name}.yaml", o.kind.to_lowercase()), document(&o.node, false))
        })
        .collect();
    files.push(("version.yaml".to_owned(), "major: '1'\nminor: '32'\ngitVersion: v1.32.1\n".to_owned()));
    files.push(("collected.timestamp".to_owned(), "\"2026-03-04 06:10:00.123456 UTC\"".to_owned()));
    files.push(("event-filter.html".to_owned(), "<!DOCTYPE html><html></html>".to_owned()));
    files.push(("namespaces/kube-system/v1/pod/etcd-cp-1/etcd/current.log".to_owned(), log()));
    files
}

fn support_bundle_kit(objects: &[Object]) -> Files {
    let mut files: Files = lists(objects, true)
        .into_iter()
        .map(|(o, text)| {
            let place = o.namespace.as_ref().map_or("cluster".to_owned(), |ns| format!("namespaced/{ns}"));
            let version = if o.group == "core" { o.version.clone() } else { format!("{}/{}", o.group, o.version) };
            (format!("yamls/{place}/{version}/{}.yaml", o.plural), text)
        })
        .collect();
    let metadata = "bundlename: supportbundle_x\nbundleversion: 0.1.0\nkubernetesversion: v1.32.1\nbundlecreatedat: \"2026-03-04T06:10:00Z\"\n";
    files.push(("metadata.yaml".to_owned(), metadata.to_owned()));
    let refused =
        "pods is forbidden: User \"u\" cannot list resource \"pods\" in API group \"\" in the namespace \"shop\"\n";
    files.push(("bundleGenerationError.log".to_owned(), refused.to_owned()));
    files.push(("logs/kube-system/etcd-cp-1/etcd.log".to_owned(), log()));
    files
}

fn crashd(objects: &[Object]) -> Files {
    let stamp = "2026-03-04T06-10-00Z.0000";
    let mut files: Files = lists(objects, false)
        .into_iter()
        .map(|(o, text)| {
            let place = o.namespace.as_ref().map_or(String::new(), |ns| format!("{ns}/"));
            (format!("tmp/crashd/kubecapture/{}_{}/{place}{}-{stamp}.yaml", o.group, o.version, o.plural), text)
        })
        .collect();
    files.push(("tmp/crashd/kubecapture/core_v1/kube-system/etcd-cp-1/etcd/etcd.log".to_owned(), log()));
    files.push(("tmp/crashd/10_50_2_11/sudo_df__i.txt".to_owned(), "Filesystem Inodes\n".to_owned()));
    files
}

fn write(files: &Files) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

/// The diagnosis of a bundle as a folder; the same as a tar.gz gives the same findings.
fn diagnosis(files: &Files) -> Diagnosis {
    let folder = write(files);
    let of_folder = crate::common::diagnosis(folder.path());
    let archive = tempfile::Builder::new().suffix(".tar.gz").tempfile().expect("a file");
    let encoder = flate2::write::GzEncoder::new(archive.reopen().expect("a file"), flate2::Compression::fast());
    let mut tar = tar::Builder::new(encoder);
    for (name, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o600);
        header.set_cksum();
        tar.append_data(&mut header, format!("bundle/{name}"), text.as_bytes()).expect("an entry");
    }
    tar.into_inner().expect("an archive").finish().expect("a file");
    let of_archive = crate::common::diagnosis(archive.path());
    assert_eq!(crate::common::short_list(&of_folder), crate::common::short_list(&of_archive));
    assert_eq!(of_folder.bundles[0].layout, of_archive.bundles[0].layout);
    of_folder
}

/// The diagnosis of a folder that does not state when it was collected, told by hand.
fn at_collection(files: &Files) -> Diagnosis {
    let folder = write(files);
    let library = Library::built_in().expect("the built-in signatures");
    let input = Input { source: Source::Path(folder.path().to_owned()), context: None };
    let time = "2026-03-04T06:10:00Z".parse().expect("a time");
    let options = Options { as_of: Some(time), ..Options::default() };
    diagnose(&[input], &library, &Catalogue::built_in(), &options, &mut Quiet).expect("a diagnosis")
}

/// Reads a bundle, checks its layout and that it gets the verdicts of the plain folder.
fn same_as_plain(layout: &str, files: &Files, objects: &[Object]) -> Diagnosis {
    let wanted = at_collection(&plain(objects));
    assert_eq!(wanted.bundles[0].layout, "folder");
    assert_eq!(crate::common::short_list(&wanted), ["CF-2001/etcd confirmed", "CF-3001/rollout-autumn confirmed"]);
    let found = diagnosis(files);
    assert_eq!(found.bundles[0].layout, layout);
    assert_eq!(crate::common::short_list(&found), crate::common::short_list(&wanted), "{layout}");
    found
}

fn unread(diagnosis: &Diagnosis) -> Vec<String> {
    diagnosis.unread.iter().map(|unread| format!("{}: {}", unread.member, unread.reason)).collect()
}

#[test]
fn crust_gather_is_read_like_a_plain_folder() {
    let objects = objects();
    let found = same_as_plain("crust-gather", &crust_gather(&objects), &objects);
    let as_of = found.bundles[0].as_of.as_ref().expect("a time of collection");
    assert!(as_of.time.starts_with("2026-03-04T06:10:00"), "{as_of:?}");
}

#[test]
fn support_bundle_kit_is_read_like_a_plain_folder() {
    let objects = objects();
    let found = same_as_plain("support-bundle-kit", &support_bundle_kit(&objects), &objects);
    let as_of = found.bundles[0].as_of.as_ref().expect("a time of collection");
    assert!(as_of.time.starts_with("2026-03-04T06:10:00"), "{as_of:?}");
    let refused = found.coverage.iter().find(|c| c.kind == "pods" && c.state == StateName::Forbidden);
    assert!(refused.is_some(), "{:?}", found.coverage);
    assert!(unread(&found).iter().any(|text| text.starts_with("bundleGenerationError.log")), "{:?}", unread(&found));
}

#[test]
fn crashd_is_read_like_a_plain_folder() {
    let objects = objects();
    let found = same_as_plain("crashd", &crashd(&objects), &objects);
    let as_of = found.bundles[0].as_of.as_ref().expect("a time of collection");
    assert!(as_of.time.starts_with("2026-03-04T06:10:00"), "{as_of:?}");
}

/// What Harvester and Longhorn hand out: a zip with a zip for each node.
#[test]
fn support_bundle_kit_is_a_zip_with_a_zip_for_each_node() {
    use std::io::{Cursor, Write as _};
    let zipped = |files: &[(String, Vec<u8>)]| {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            writer.start_file(name.as_str(), zip::write::SimpleFileOptions::default()).expect("an entry");
            writer.write_all(bytes).expect("an entry");
        }
        writer.finish().expect("an archive").into_inner()
    };
    // `journalctl -r`: the newest line first.
    let lines = [
        "Mar 04 06:00:02 cp-1 kubelet[7]: E0304 06:00:02.000000       7 kubelet.go:1] last",
        "Mar 04 06:00:01 cp-1 kubelet[7]: I0304 06:00:01.000000       7 kubelet.go:1] first",
    ];
    let node = zipped(&[("logs/kubelet.log".to_owned(), lines.join("\n").into_bytes())]);
    let mut files: Vec<(String, Vec<u8>)> = support_bundle_kit(&objects())
        .into_iter()
        .map(|(name, text)| (format!("supportbundle_x_2026-03-04T06-10-00Z/{name}"), text.into_bytes()))
        .collect();
    files.push(("supportbundle_x_2026-03-04T06-10-00Z/nodes/cp-1.zip".to_owned(), node));
    let bundle = tempfile::Builder::new().suffix(".zip").tempfile().expect("a file");
    bundle.as_file().write_all(&zipped(&files)).expect("a file");
    let found = crate::common::diagnosis(bundle.path());
    assert_eq!(found.bundles[0].layout, "support-bundle-kit");
    let kubelet = found.logs.iter().find(|log| log.stream == "cp-1/kubelet").expect("the journal of the node");
    assert_eq!(kubelet.class.as_deref(), Some("kubelet"));
    assert!(kubelet.from < kubelet.to, "{kubelet:?}");
}

/// The lists and logs of `kubectl cluster-info dump`: one API server that answers and an etcd without a leader.
fn dump() -> (Vec<(&'static str, String)>, String) {
    let node = r#"{"metadata":{"name":"cp-1","uid":"u-1"},"spec":{},"status":{}}"#;
    let pod = r#"{"metadata":{"name":"etcd-cp-1","namespace":"kube-system","uid":"u-2"},"spec":{"nodeName":"cp-1"},"status":{"phase":"Running"}}"#;
    let list = |kind: &str, items: &str| {
        format!("{{\n    \"kind\": \"{kind}List\",\n    \"apiVersion\": \"v1\",\n    \"items\": [{items}]\n}}\n")
    };
    let lists = vec![
        ("nodes", list("Node", node)),
        ("kube-system/events", list("Event", "")),
        ("kube-system/replication-controllers", list("ReplicationController", "")),
        ("kube-system/services", list("Service", "")),
        ("kube-system/pods", list("Pod", pod)),
    ];
    let logs = format!(
        "==== START logs for container init of pod kube-system/etcd-cp-1 ====\nRequest log error: container \"init\" is waiting to start\n==== END logs for container init of pod kube-system/etcd-cp-1 ====\n\
         ==== START logs for container etcd of pod kube-system/etcd-cp-1 ====\n{}==== END logs for container etcd of pod kube-system/etcd-cp-1 ====\n",
        log().trim_end()
    );
    (lists, logs)
}

fn check_dump(files: &Files) {
    let found = diagnosis(files);
    assert_eq!(found.bundles[0].layout, "cluster-info-dump");
    assert!(
        crate::common::short_list(&found).iter().any(|text| text.starts_with("CF-2001") && text.ends_with("confirmed")),
        "{:?}",
        crate::common::short_list(&found)
    );
    // Every cited line is the line of the file.
    let (name, text) = files.iter().find(|(_, text)| text.contains("==== START")).expect("the logs");
    let lines: Vec<&str> = text.lines().collect();
    let mut cited = 0;
    for citation in found.findings.iter().flat_map(|f| &f.evidence).flat_map(|e| &e.citations) {
        if let (true, Some(line)) = (&citation.member == name, citation.line.filter(|line| *line > 0))
            && citation.excerpt.starts_with("{\"level\"")
        {
            assert!(lines[line as usize - 1].starts_with(&citation.excerpt[..80]), "{citation:?}");
            cited += 1;
        }
    }
    assert!(cited > 0);
    let streams: Vec<&str> = found.logs.iter().map(|log| log.stream.as_str()).collect();
    assert!(streams.contains(&"kube-system/etcd-cp-1/etcd"), "{streams:?}");
    let failed = found.coverage.iter().find(|c| c.kind == "pods/log").expect("an error of a log is coverage");
    assert_eq!(failed.state, StateName::Error);
    let pods = found.coverage.iter().find(|c| c.kind == "pods").expect("a list of Pods");
    assert_eq!(
        (pods.state.word(), pods.basis.as_str(), pods.namespaces.as_str()),
        ("complete", "stated", "kube-system")
    );
}

#[test]
fn cluster_info_dump_in_a_folder() {
    let (lists, logs) = dump();
    let mut files: Files = lists.into_iter().map(|(name, text)| (format!("{name}.json"), text)).collect();
    files.push(("kube-system/etcd-cp-1/logs.txt".to_owned(), logs));
    check_dump(&files);
    let empty = diagnosis(&files);
    let services = empty.coverage.iter().find(|c| c.kind == "services").expect("a list of Services");
    assert_eq!((services.state.word(), services.basis.as_str()), ("empty", "stated"));
}

#[test]
fn cluster_info_dump_on_standard_output() {
    let (lists, logs) = dump();
    let text = lists.into_iter().map(|(_, text)| text).collect::<String>() + &logs;
    check_dump(&vec![("dump.txt".to_owned(), text)]);
}

#[test]
fn lists_behind_the_logs_of_a_dump_are_read() {
    let list = |space: &str| {
        let pod = serde_json::json!({"metadata": {"name": "web", "namespace": space, "uid": format!("u-{space}")},
            "spec": {"containers": [{"name": "c"}]}, "status": {"phase": "Running"}});
        let list = serde_json::json!({"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": [pod]});
        serde_json::to_string_pretty(&list).unwrap() + "\n"
    };
    let frame = |space: &str, end: &str| {
        let of = format!("logs for container c of pod {space}/web ====");
        format!("==== START {of}\nI0514 10:00:00.000000 1 a.go:1] up{end}==== END {of}\n")
    };
    let text = list("shop") + &frame("shop", "\n") + &list("store") + &frame("store", "") + &list("bank");
    let found = diagnosis(&vec![("dump.txt".to_owned(), text)]);
    let pods = found.coverage.iter().filter(|row| row.kind == "pods");
    let said: Vec<String> = pods.map(|row| format!("{} {}", row.namespaces, row.state)).collect();
    assert!(["shop", "store", "bank"].iter().all(|space| said.iter().any(|row| row.contains(space))), "{said:?}");
    assert_eq!(found.unread, Vec::new());
}

const SOS_MANIFEST: &str = r#"{"version": "4.8", "start_time": "2026-03-04T06:09:00", "components": {"report": {"end_time": "2026-03-04T06:10:00", "plugins": {
  "kubernetes": {"commands": [
    {"exec": "kubectl", "parameters": "get events", "filepath": "sos_commands/kubernetes/cluster-info/kubectl_--kubeconfig_.etc.kubernetes.admin.conf_get_--all-namespaces_true_events", "truncated": false, "return_code": 1},
    {"exec": "kubectl", "parameters": "get pods", "filepath": "sos_commands/kubernetes/cluster-info/kubectl_--kubeconfig_.etc.kubernetes.admin.conf_get_--all-namespaces_true_pods", "truncated": false, "return_code": 0}]},
  "kernel": {"commands": [{"exec": "dmesg", "parameters": "", "filepath": "sos_commands/kernel/dmesg", "truncated": true, "return_code": 0},
    {"exec": "foo", "parameters": "", "filepath": "sos_commands/kernel/foo", "truncated": false, "return_code": 127}]}}}}}"#;

#[test]
fn sosreport_states_what_it_asked_in_the_names_of_files() {
    let get = "sos_commands/kubernetes/cluster-info/kubectl_--kubeconfig_.etc.kubernetes.admin.conf_get_--all-namespaces_true_";
    let of_kind = |kind: &str, text: &str| (format!("{get}{kind}"), text.to_owned());
    let table = "NAMESPACE     NAME        READY   STATUS    RESTARTS   AGE\nkube-system   etcd-cp-1   1/1     Running   0          3d\n";
    let refused = "Error from server (Forbidden): secrets is forbidden: User \"u\" cannot list resource \"secrets\" in API group \"\" at the cluster scope\n";
    let files: Files = vec![
        ("sos_reports/manifest.json".to_owned(), SOS_MANIFEST.to_owned()),
        of_kind("pods", table),
        of_kind("deployments", "No resources found\n"),
        of_kind("secrets", refused),
        ("sos_strings/kubernetes/var.log.pods.kube-system_etcd-cp-1_0b7c1a52-6b71-4b7d-b729-1c2d3e4f5a6b.etcd.0.log.tailed".to_owned(), log()),
    ];
    let found = diagnosis(&files);
    assert_eq!(found.bundles[0].layout, "sosreport");
    assert_eq!(found.contexts.len(), 1, "a kubeconfig of the host is no other cluster");
    let said: Vec<String> = found
        .coverage
        .iter()
        .filter(|c| !c.kind.ends_with("casefile.dev"))
        .map(|c| format!("{} {} {} {}", c.kind, c.namespaces, c.state, c.basis))
        .collect();
    for wanted in [
        "pods * complete stated",
        "deployments.apps * empty stated",
        "secrets * forbidden stated",
        "events * error stated",
        "pods/log kube-system truncated stated",
    ] {
        assert!(said.iter().any(|text| text == wanted), "{wanted} in {said:#?}");
    }
    let unread = unread(&found);
    assert!(unread.iter().any(|text| text.contains("sos cut the output of `dmesg`")), "{unread:?}");
    assert!(!unread.iter().any(|text| text.contains("foo")), "{unread:?}");
    assert!(found.logs.iter().any(|log| log.stream == "kube-system/etcd-cp-1/etcd"));
}

#[test]
fn the_recorded_bundles_are_recognised_and_understood() {
    let Some(corpus) = crate::common::corpus() else { return };
    let read = |name: &str, layout: &str| {
        let found = crate::common::diagnosis(&corpus.join(name));
        assert_eq!(found.bundles[0].layout, layout, "{name}");
        found
    };
    let state = |found: &Diagnosis, kind: &str, namespaces: &str| {
        let all: Vec<String> = found
            .coverage
            .iter()
            .filter(|c| c.kind == kind && (c.namespaces == namespaces || namespaces.is_empty()))
            .map(|c| format!("{} {} {}", c.state, c.basis, c.objects))
            .collect();
        all.join(", ")
    };
    let sos = read("offline/sunbeam-sosreport.tar.gz", "sosreport");
    assert_eq!(state(&sos, "pods", "openstack"), "complete stated 24");
    assert_eq!(state(&sos, "cronjobs.batch", "openstack"), "empty stated 0");
    assert!(sos.logs.iter().any(|log| log.stream == "openstack/mysql-0/mysql"));
    assert!(!sos.logs.iter().any(|log| log.stream.contains("lsof") || log.stream.contains("ls_-alZR")));

    let quick = read("peers/sonobuoy/results-quick-no-failures.tar.gz", "sonobuoy");
    assert_eq!(state(&quick, "pods", "kube-system"), "complete stated 8");
    assert_eq!(state(&quick, "namespaces", ""), "complete stated 20");
    assert!(!quick.logs.iter().any(|log| log.stream.contains("junit")));

    let old = read("peers/sonobuoy/results-0.10.tar.gz", "sonobuoy");
    assert!(state(&old, "daemonsets.apps", "kube-system").starts_with("complete stated"), "{:?}", old.coverage);
    assert_eq!(state(&old, "nodes", "").split(' ').next(), Some("complete"));
    assert_eq!(state(&old, "customresourcedefinitions.apiextensions.k8s.io", ""), "error stated 0");
    assert_eq!(state(&old, "podpresets.settings.k8s.io", "heptio-sonobuoy"), "error stated 0");
    assert!(old.contexts[0].versions.iter().any(|(what, _)| what == "Kubernetes"));

    let oldest = read("peers/sonobuoy/results-0.8.tar.gz", "sonobuoy-0.8");
    assert!(state(&oldest, "nodes", "").starts_with("complete stated"), "{:?}", oldest.coverage);

    let health = read("peers/sonobuoy/healthsummary", "sonobuoy");
    assert_eq!(state(&health, "nodes", ""), "complete stated 3");
}
