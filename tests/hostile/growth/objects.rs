//! Objects that stand in relations to each other, many of them.

use super::{grows_with_its_size, list, pod};
use serde_json::{Value, json};
use std::path::Path;

fn object(version: &str, kind: &str, name: &str, more: Value) -> Value {
    let mut object = json!({
        "apiVersion": version, "kind": kind,
        "metadata": { "name": name, "namespace": "shop", "uid": format!("{kind}-{name}") }
    });
    let (Value::Object(made), Value::Object(more)) = (&mut object, more) else { return object };
    for (key, value) in more {
        match (made.get_mut(&key), value) {
            (Some(Value::Object(known)), Value::Object(fields)) => known.extend(fields),
            (_, value) => drop(made.insert(key, value)),
        }
    }
    object
}

fn owned_by(version: &str, kind: &str, name: &str) -> Value {
    json!([{ "apiVersion": version, "kind": kind, "name": name, "uid": format!("{kind}-{name}"), "controller": true }])
}

fn condition(kind: &str, status: &str, reason: &str) -> Value {
    json!([{ "type": kind, "status": status, "reason": reason, "message": format!("{reason} of it"),
             "lastTransitionTime": "2026-01-01T00:00:00Z" }])
}

fn event(number: usize, kind: &str, name: &str, reason: &str, message: &str) -> Value {
    object(
        "v1",
        "Event",
        &format!("e-{number}"),
        json!({
            "involvedObject": { "kind": kind, "name": name, "namespace": "shop" }, "type": "Warning", "reason": reason,
            "message": message, "count": 3, "lastTimestamp": "2026-01-01T00:00:00Z"
        }),
    )
}

/// One list of each kind.
fn lists(folder: &Path, count: usize, all: &[(&str, &dyn Fn(usize) -> Value)]) {
    for (name, make) in all {
        list(folder, &format!("{name}.json"), (0..count).map(make));
    }
}

#[test]
fn deployments_with_their_replica_sets_and_pods() {
    grows_with_its_size(200, 3_000, |folder, count| {
        let spec = |n: usize| json!({ "replicas": 2, "selector": { "matchLabels": { "app": format!("a-{n}") } } });
        let deployment = |n: usize| {
            object(
                "apps/v1",
                "Deployment",
                &format!("d-{n}"),
                json!({ "spec": spec(n),
                "status": { "replicas": 2, "unavailableReplicas": 2, "conditions": condition("Available", "False", "MinimumReplicasUnavailable") } }),
            )
        };
        let set = |n: usize| {
            let owner = owned_by("apps/v1", "Deployment", &format!("d-{n}"));
            object(
                "apps/v1",
                "ReplicaSet",
                &format!("r-{n}"),
                json!({ "metadata": { "ownerReferences": owner }, "spec": spec(n),
                "status": { "replicas": 2, "readyReplicas": 0 } }),
            )
        };
        let waiting = |n: usize| {
            let mut pod = pod(n, &json!({ "app": format!("a-{n}") }));
            pod["metadata"]["ownerReferences"] = owned_by("apps/v1", "ReplicaSet", &format!("r-{n}"));
            pod["status"]["containerStatuses"] = json!([{ "name": "c", "ready": false, "restartCount": 4,
                "state": { "waiting": { "reason": "ImagePullBackOff", "message": "Back-off pulling image" } } }]);
            pod
        };
        lists(folder, count, &[("deployments", &deployment), ("replicasets", &set), ("pods", &waiting)]);
    });
}

#[test]
fn claims_of_pods_that_wait() {
    grows_with_its_size(200, 3_000, |folder, count| {
        let claim = |n: usize| {
            object(
                "v1",
                "PersistentVolumeClaim",
                &format!("c-{n}"),
                json!({ "spec": { "storageClassName": "fast", "volumeName": format!("v-{n}") }, "status": { "phase": "Pending" } }),
            )
        };
        let volume = |n: usize| {
            object(
                "v1",
                "PersistentVolume",
                &format!("v-{n}"),
                json!({ "spec": { "storageClassName": "fast",
                "claimRef": { "namespace": "shop", "name": format!("c-{n}") }, "csi": { "driver": "d", "volumeHandle": format!("h-{n}") } },
                "status": { "phase": "Released" } }),
            )
        };
        let attachment = |n: usize| {
            object(
                "storage.k8s.io/v1",
                "VolumeAttachment",
                &format!("a-{n}"),
                json!({ "spec": { "attacher": "d", "nodeName": format!("n-{n}"),
                "source": { "persistentVolumeName": format!("v-{n}") } }, "status": { "attached": false } }),
            )
        };
        let waiting = |n: usize| {
            let mut pod = pod(n, &json!({}));
            pod["spec"]["volumes"] =
                json!([{ "name": "data", "persistentVolumeClaim": { "claimName": format!("c-{n}") } }]);
            pod["status"]["phase"] = json!("Pending");
            pod
        };
        lists(
            folder,
            count,
            &[("claims", &claim), ("volumes", &volume), ("attachments", &attachment), ("pods", &waiting)],
        );
    });
}

#[test]
fn events_of_pods() {
    grows_with_its_size(400, 10_000, |folder, count| {
        let warning = |n: usize| {
            event(n, "Pod", &format!("p-{n}"), "FailedMount", &format!("MountVolume.SetUp failed for volume \"v-{n}\""))
        };
        lists(folder, count, &[("events", &warning), ("pods", &|n| pod(n, &json!({})))]);
    });
}

#[test]
fn events_of_one_object_that_all_say_something_else() {
    grows_with_its_size(400, 10_000, |folder, count| {
        let warning =
            |n: usize| event(n, "Pod", "p-0", "Failed", &format!("word{} failed with code {n}", "x".repeat(n % 50)));
        lists(folder, count, &[("events", &warning), ("pods", &|_| pod(0, &json!({})))]);
    });
}

#[test]
fn webhooks_with_their_services() {
    grows_with_its_size(150, 2_000, |folder, count| {
        let webhook = |n: usize| {
            object(
                "admissionregistration.k8s.io/v1",
                "ValidatingWebhookConfiguration",
                &format!("w-{n}"),
                json!({ "webhooks": [{
                "name": format!("w-{n}.example.com"), "failurePolicy": "Fail", "rules": [{ "apiGroups": ["*"], "resources": ["*"] }],
                "clientConfig": { "service": { "namespace": "shop", "name": format!("s-{n}") } } }] }),
            )
        };
        let service = |n: usize| {
            object("v1", "Service", &format!("s-{n}"), json!({ "spec": { "selector": { "app": format!("a-{n}") } } }))
        };
        lists(
            folder,
            count,
            &[
                ("webhooks", &webhook),
                ("services", &service),
                ("pods", &|n| pod(n, &json!({ "app": format!("a-{n}") }))),
            ],
        );
    });
}

#[test]
fn placements_with_their_bindings_and_works() {
    grows_with_its_size(100, 1_500, |folder, count| {
        let version = "placement.kubernetes-fleet.io/v1beta1";
        let placement = |n: usize| {
            object(
                version,
                "ClusterResourcePlacement",
                &format!("crp-{n}"),
                json!({
                "status": { "conditions": condition("ClusterResourcePlacementApplied", "False", "ApplyFailed"),
                    "placementStatuses": [{ "clusterName": format!("m-{n}"), "conditions": condition("Applied", "False", "ManifestApplyFailed") }] } }),
            )
        };
        let binding = |n: usize| {
            object(
                version,
                "ClusterResourceBinding",
                &format!("crp-{n}-m-{n}"),
                json!({
                "metadata": { "labels": { "kubernetes-fleet.io/parent-CRP": format!("crp-{n}") } },
                "spec": { "state": "Bound", "targetCluster": format!("m-{n}") }, "status": { "conditions": condition("Applied", "False", "ApplyFailed") } }),
            )
        };
        let work = |n: usize| {
            object(
                version,
                "Work",
                &format!("crp-{n}-work"),
                json!({
                "metadata": { "namespace": format!("fleet-member-m-{n}"), "labels": { "kubernetes-fleet.io/parent-CRP": format!("crp-{n}") } },
                "status": { "conditions": condition("Applied", "False", "WorkAppliedFailed") } }),
            )
        };
        let member = |n: usize| {
            object(
                "cluster.kubernetes-fleet.io/v1beta1",
                "MemberCluster",
                &format!("m-{n}"),
                json!({ "status": { "conditions": condition("Joined", "True", "Joined") } }),
            )
        };
        lists(
            folder,
            count,
            &[("placements", &placement), ("bindings", &binding), ("works", &work), ("members", &member)],
        );
    });
}

#[test]
fn machines_of_clusters() {
    grows_with_its_size(150, 2_000, |folder, count| {
        let version = "cluster.x-k8s.io/v1beta1";
        let label = |n: usize| json!({ "cluster.x-k8s.io/cluster-name": format!("c-{n}") });
        let cluster = |n: usize| {
            object(
                version,
                "Cluster",
                &format!("c-{n}"),
                json!({
                "spec": { "controlPlaneRef": { "kind": "KubeadmControlPlane", "name": format!("kcp-{n}") } },
                "status": { "phase": "Provisioned", "conditions": condition("ControlPlaneReady", "False", "WaitingForControlPlane") } }),
            )
        };
        let plane = |n: usize| {
            object(
                "controlplane.cluster.x-k8s.io/v1beta1",
                "KubeadmControlPlane",
                &format!("kcp-{n}"),
                json!({
                "metadata": { "labels": label(n), "ownerReferences": owned_by(version, "Cluster", &format!("c-{n}")) },
                "spec": { "replicas": 3 }, "status": { "replicas": 3, "readyReplicas": 1, "unavailableReplicas": 2,
                    "conditions": condition("MachinesReady", "False", "WaitingForInfrastructure") } }),
            )
        };
        let machine = |n: usize| {
            object(
                version,
                "Machine",
                &format!("m-{n}"),
                json!({
                "metadata": { "labels": label(n), "ownerReferences": owned_by("controlplane.cluster.x-k8s.io/v1beta1", "KubeadmControlPlane", &format!("kcp-{n}")) },
                "spec": { "clusterName": format!("c-{n}"), "infrastructureRef": { "kind": "VSphereMachine", "name": format!("i-{n}") } },
                "status": { "phase": "Provisioning", "conditions": condition("InfrastructureReady", "False", "WaitingForVM") } }),
            )
        };
        let below = |n: usize| {
            object(
                "infrastructure.cluster.x-k8s.io/v1beta1",
                "VSphereMachine",
                &format!("i-{n}"),
                json!({
                "metadata": { "labels": label(n), "ownerReferences": owned_by(version, "Machine", &format!("m-{n}")) },
                "status": { "conditions": condition("VMProvisioned", "False", "CloningFailed") } }),
            )
        };
        lists(folder, count, &[("clusters", &cluster), ("planes", &plane), ("machines", &machine), ("below", &below)]);
    });
}

#[test]
fn machines_of_one_cluster() {
    grows_with_its_size(150, 3_000, |folder, count| {
        let version = "cluster.x-k8s.io/v1beta1";
        let machine = |n: usize| {
            object(
                version,
                "Machine",
                &format!("m-{n}"),
                json!({
                "metadata": { "labels": { "cluster.x-k8s.io/cluster-name": "c", "cluster.x-k8s.io/deployment-name": "md" },
                    "ownerReferences": owned_by(version, "MachineSet", "ms") },
                "spec": { "clusterName": "c" }, "status": { "phase": "Failed", "failureReason": "CreateError", "failureMessage": format!("no host for {n}") } }),
            )
        };
        let node = |n: usize| {
            object(
                "v1",
                "Node",
                &format!("n-{n}"),
                json!({ "status": { "conditions": condition("Ready", "False", "KubeletNotReady") } }),
            )
        };
        lists(folder, count, &[("machines", &machine), ("nodes", &node)]);
        list(
            folder,
            "sets.json",
            std::iter::once(object(version, "MachineSet", "ms", json!({ "spec": { "replicas": count } }))),
        );
    });
}

#[test]
fn monitors_that_are_tied_by_labels() {
    grows_with_its_size(150, 2_000, |folder, count| {
        let version = "monitoring.coreos.com/v1";
        let monitor = |n: usize| {
            let selector = json!({ "matchLabels": { "app": format!("a-{n}") } });
            object(
                version,
                "ServiceMonitor",
                &format!("sm-{n}"),
                json!({ "metadata": { "labels": { "release": format!("r-{n}") } }, "spec": { "selector": selector, "endpoints": [{ "port": "http" }] } }),
            )
        };
        let service = |n: usize| {
            object(
                "v1",
                "Service",
                &format!("s-{n}"),
                json!({ "metadata": { "labels": { "app": format!("a-{n}") } }, "spec": { "ports": [{ "name": "web", "port": 80 }] } }),
            )
        };
        let prometheus = |n: usize| {
            let selector = json!({ "matchLabels": { "release": format!("x-{n}") } });
            object(version, "Prometheus", &format!("p-{n}"), json!({ "spec": { "serviceMonitorSelector": selector } }))
        };
        lists(folder, count, &[("monitors", &monitor), ("services", &service)]);
        list(folder, "prometheuses.json", (0..3).map(prometheus));
    });
}

#[test]
fn credentials_of_clusters_that_are_gone() {
    grows_with_its_size(150, 3_000, |folder, count| {
        let version = "platform.tkestack.io/v1";
        let credential = |n: usize| {
            object(version, "ClusterCredential", &format!("cc-{n}"), json!({ "clusterName": format!("gone-{n}") }))
        };
        let cluster = |n: usize| {
            object(
                version,
                "Cluster",
                &format!("c-{n}"),
                json!({ "spec": { "clusterCredentialRef": { "name": format!("cc-{n}") } },
                "status": { "phase": "Failed", "conditions": condition("EnsureImport", "False", "FailedProcess") } }),
            )
        };
        lists(folder, count, &[("credentials", &credential), ("clusters", &cluster)]);
    });
}

#[test]
fn clusters_of_one_bundle() {
    grows_with_its_size(40, 400, |folder, count| {
        for n in 0..count {
            let own = folder.join(format!("clusters/c-{n}"));
            std::fs::create_dir_all(&own).expect("a folder");
            list(&own, "pods.json", (0..3).map(|n| pod(n, &json!({}))));
            list(
                &own,
                "nodes.json",
                (0..2).map(|n| {
                    object(
                        "v1",
                        "Node",
                        &format!("n-{n}"),
                        json!({
                "status": { "conditions": condition("Ready", "False", "KubeletNotReady") } }),
                    )
                }),
            );
        }
    });
}

#[test]
fn conditions_of_one_object() {
    grows_with_its_size(400, 10_000, |folder, count| {
        let conditions: Vec<Value> = (0..count)
            .map(|n| json!({ "type": format!("T{n}Ready"), "status": "False", "reason": format!("R{n}"), "message": format!("m {n}") }))
            .collect();
        let one = object("example.com/v1", "Widget", "w", json!({ "status": { "conditions": conditions } }));
        list(folder, "widgets.json", std::iter::once(one));
    });
}

#[test]
fn labels_of_one_object() {
    grows_with_its_size(1_000, 50_000, |folder, count| {
        let labels: serde_json::Map<String, Value> =
            (0..count).map(|n| (format!("l-{n}"), json!(format!("v-{n}")))).collect();
        list(folder, "pods.json", std::iter::once(pod(0, &Value::Object(labels))));
    });
}

#[test]
fn objects_of_one_name() {
    grows_with_its_size(200, 5_000, |folder, count| {
        let again = |n: usize| {
            let mut pod = pod(0, &json!({ "app": "a" }));
            pod["metadata"]["uid"] = json!(format!("again-{n}"));
            pod
        };
        lists(folder, count, &[("pods", &again)]);
    });
}

#[test]
fn owners_of_owners() {
    grows_with_its_size(300, 5_000, |folder, count| {
        let owned = |n: usize| {
            let owner = owned_by("example.com/v1", "Widget", &format!("w-{}", n + 1));
            object(
                "example.com/v1",
                "Widget",
                &format!("w-{n}"),
                json!({ "metadata": { "ownerReferences": owner },
                "status": { "conditions": condition("Ready", "False", "OwnerNotReady") } }),
            )
        };
        lists(folder, count, &[("widgets", &owned)]);
    });
}

#[test]
fn jobs_of_one_cron_job() {
    grows_with_its_size(200, 4_000, |folder, count| {
        let job = |n: usize| {
            object(
                "batch/v1",
                "Job",
                &format!("j-{n}"),
                json!({ "metadata": { "ownerReferences": owned_by("batch/v1", "CronJob", "nightly") },
                "status": { "failed": 7, "conditions": condition("Failed", "True", "BackoffLimitExceeded") } }),
            )
        };
        let ended = |n: usize| {
            let mut pod = pod(n, &json!({ "job-name": format!("j-{n}") }));
            pod["metadata"]["ownerReferences"] = owned_by("batch/v1", "Job", &format!("j-{n}"));
            pod["status"] = json!({ "phase": "Failed", "containerStatuses": [{ "name": "c", "state": { "terminated": { "exitCode": 1, "reason": "Error" } } }] });
            pod
        };
        lists(folder, count, &[("jobs", &job), ("pods", &ended)]);
        list(
            folder,
            "cronjobs.json",
            std::iter::once(object("batch/v1", "CronJob", "nightly", json!({ "spec": { "schedule": "0 1 * * *" } }))),
        );
    });
}

#[test]
fn nodes_with_pods_that_fit_nowhere() {
    grows_with_its_size(200, 4_000, |folder, count| {
        let node = |n: usize| {
            object(
                "v1",
                "Node",
                &format!("n-{n}"),
                json!({ "spec": { "taints": [{ "key": "own", "effect": "NoSchedule" }] },
            "status": { "conditions": condition("Ready", "True", "KubeletReady") } }),
            )
        };
        let waiting = |n: usize| {
            let mut pod = pod(n, &json!({}));
            pod["spec"]["nodeName"] = Value::Null;
            pod["status"] = json!({ "phase": "Pending", "conditions": [{ "type": "PodScheduled", "status": "False", "reason": "Unschedulable",
                "message": format!("0/{count} nodes are available: {count} node(s) had untolerated taint {{own: }}.") }] });
            pod
        };
        lists(folder, count, &[("nodes", &node), ("pods", &waiting)]);
    });
}

#[test]
fn namespaces_that_do_not_end() {
    grows_with_its_size(200, 4_000, |folder, count| {
        let ending = |n: usize| {
            object(
                "v1",
                "Namespace",
                &format!("ns-{n}"),
                json!({ "metadata": { "deletionTimestamp": "2026-01-01T00:00:00Z" },
                "status": { "phase": "Terminating", "conditions": condition("NamespaceContentRemaining", "True", "SomeResourcesRemain") } }),
            )
        };
        let left = |n: usize| {
            object(
                "example.com/v1",
                "Widget",
                "left",
                json!({ "metadata": { "namespace": format!("ns-{n}"), "uid": format!("left-{n}"),
                "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["example.com/keep"] } }),
            )
        };
        lists(folder, count, &[("namespaces", &ending), ("widgets", &left)]);
    });
}

#[test]
fn applications_with_their_resources() {
    grows_with_its_size(100, 1_500, |folder, count| {
        let application = |n: usize| {
            object(
                "argoproj.io/v1alpha1",
                "Application",
                &format!("app-{n}"),
                json!({ "status": {
                "health": { "status": "Degraded" }, "sync": { "status": "OutOfSync" },
                "resources": [{ "kind": "Deployment", "group": "apps", "name": format!("d-{n}"), "namespace": "shop",
                    "health": { "status": "Degraded", "message": "exceeded its progress deadline" } }] } }),
            )
        };
        let deployment = |n: usize| {
            object(
                "apps/v1",
                "Deployment",
                &format!("d-{n}"),
                json!({ "spec": { "replicas": 1 },
            "status": { "conditions": condition("Progressing", "False", "ProgressDeadlineExceeded") } }),
            )
        };
        lists(folder, count, &[("applications", &application), ("deployments", &deployment)]);
    });
}

#[test]
fn certificates_and_requests() {
    grows_with_its_size(200, 4_000, |folder, count| {
        let certificate = |n: usize| {
            object(
                "cert-manager.io/v1",
                "Certificate",
                &format!("c-{n}"),
                json!({ "spec": { "issuerRef": { "name": "ca" }, "secretName": format!("s-{n}") },
            "status": { "conditions": condition("Ready", "False", "DoesNotExist") } }),
            )
        };
        let request = |n: usize| {
            object(
                "cert-manager.io/v1",
                "CertificateRequest",
                &format!("c-{n}-1"),
                json!({
            "metadata": { "ownerReferences": owned_by("cert-manager.io/v1", "Certificate", &format!("c-{n}")) },
            "status": { "conditions": condition("Ready", "False", "Pending") } }),
            )
        };
        let signing = |n: usize| {
            object(
                "certificates.k8s.io/v1",
                "CertificateSigningRequest",
                &format!("csr-{n}"),
                json!({ "spec": { "signerName": "kubernetes.io/kubelet-serving", "username": format!("system:node:n-{n}") }, "status": {} }),
            )
        };
        lists(folder, count, &[("certificates", &certificate), ("requests", &request), ("signing", &signing)]);
    });
}

#[test]
fn leases_of_leader_elections() {
    grows_with_its_size(300, 5_000, |folder, count| {
        let lease = |n: usize| {
            object(
                "coordination.k8s.io/v1",
                "Lease",
                &format!("l-{n}"),
                json!({ "spec": { "holderIdentity": format!("h-{n}_x"),
            "leaseDurationSeconds": 15, "renewTime": "2026-01-01T00:00:00.000000Z", "leaseTransitions": 900 } }),
            )
        };
        lists(folder, count, &[("leases", &lease)]);
    });
}
