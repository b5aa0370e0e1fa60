//! Where the controllers of Kubernetes say how many Pods they want and have.
//!
//! Source: `kubernetes/kubernetes:staging/src/k8s.io/api/{apps,batch,core}/v1/types.go`.
//!
//! Invariant: a path that a kind does not have is empty, and nothing is read there.

/// Controllers: kind, `plural.group`, and where they say how many replicas they want, how many they have made, and how
/// many of those are ready; of several paths the first that is shown.
pub const KINDS: &[(&str, &str, &str, &str, &[&str])] = &[
    ("Deployment", "deployments.apps", "spec.replicas", "", &["status.availableReplicas", "status.readyReplicas"]),
    ("ReplicaSet", "replicasets.apps", "spec.replicas", "status.replicas", &["status.readyReplicas"]),
    ("StatefulSet", "statefulsets.apps", "spec.replicas", "status.replicas", &["status.readyReplicas"]),
    (
        "DaemonSet",
        "daemonsets.apps",
        "status.desiredNumberScheduled",
        "status.currentNumberScheduled",
        &["status.numberReady"],
    ),
    ("Job", "jobs.batch", "", "", &[]),
    ("CronJob", "cronjobs.batch", "", "", &[]),
    ("ReplicationController", "replicationcontrollers", "spec.replicas", "status.replicas", &["status.readyReplicas"]),
];

/// What shows how many replicas a controller has; the first that is there is cited.
pub const SHOWN: [&str; 5] = [
    "status.conditions[type=Available].status",
    "status.readyReplicas",
    "status.numberReady",
    "spec.replicas",
    "metadata.name",
];
