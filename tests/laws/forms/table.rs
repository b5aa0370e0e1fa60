//! What `kubectl get` prints for objects of custom kinds: the printer columns of their definitions.
//!
//! Columns: Cluster API v1.10 (v1beta1) and v1.11 (v1beta2) `config/crd/bases`, KubeFleet
//! `config/crd/bases`, the table of the platform Cluster of TKE
//! (`pkg/platform/registry/cluster/storage/table.go`).

use serde_json::Value;
use std::fmt::Write as _;

/// Header and path of each column between NAME and AGE; `AGE` says where the age stands.
type Columns = &'static [(&'static str, &'static str)];

const AGE: (&str, &str) = ("AGE", "");

/// The columns of a kind in an API version.
#[expect(clippy::too_many_lines, reason = "columns by kind, plain data")]
fn columns(kind: &str, version: &str) -> Columns {
    let newer = version.ends_with("v1beta2");
    match kind {
        "Cluster" if version.starts_with("platform.") => {
            &[("TYPE", "spec.type"), ("VERSION", "status.version"), ("STATUS", "status.phase"), AGE]
        }
        "Cluster" if newer => &[
            ("CLUSTERCLASS", "spec.topology.classRef.name"),
            ("AVAILABLE", "status.conditions[Available].status"),
            ("CP DESIRED", "status.controlPlane.desiredReplicas"),
            ("CP AVAILABLE", "status.controlPlane.availableReplicas"),
            ("CP UP-TO-DATE", "status.controlPlane.upToDateReplicas"),
            ("W DESIRED", "status.workers.desiredReplicas"),
            ("W AVAILABLE", "status.workers.availableReplicas"),
            ("W UP-TO-DATE", "status.workers.upToDateReplicas"),
            ("PHASE", "status.phase"),
            AGE,
            ("VERSION", "spec.topology.version"),
        ],
        "Cluster" => &[
            ("CLUSTERCLASS", "spec.topology.class"),
            ("PHASE", "status.phase"),
            AGE,
            ("VERSION", "spec.topology.version"),
        ],
        "Machine" if newer => &[
            ("CLUSTER", "spec.clusterName"),
            ("NODE NAME", "status.nodeRef.name"),
            ("READY", "status.conditions[Ready].status"),
            ("AVAILABLE", "status.conditions[Available].status"),
            ("UP-TO-DATE", "status.conditions[UpToDate].status"),
            ("PHASE", "status.phase"),
            AGE,
            ("VERSION", "spec.version"),
        ],
        "Machine" => &[
            ("CLUSTER", "spec.clusterName"),
            ("NODENAME", "status.nodeRef.name"),
            ("PROVIDERID", "spec.providerID"),
            ("PHASE", "status.phase"),
            AGE,
            ("VERSION", "spec.version"),
        ],
        "MachineDeployment" if newer => &[
            ("CLUSTER", "spec.clusterName"),
            ("AVAILABLE", "status.conditions[Available].status"),
            ("DESIRED", "spec.replicas"),
            ("CURRENT", "status.replicas"),
            ("READY", "status.readyReplicas"),
            ("AVAILABLE", "status.availableReplicas"),
            ("UP-TO-DATE", "status.upToDateReplicas"),
            ("PHASE", "status.phase"),
            AGE,
            ("VERSION", "spec.template.spec.version"),
        ],
        "MachineDeployment" => &[
            ("CLUSTER", "spec.clusterName"),
            ("REPLICAS", "status.replicas"),
            ("READY", "status.readyReplicas"),
            ("UPDATED", "status.updatedReplicas"),
            ("UNAVAILABLE", "status.unavailableReplicas"),
            ("PHASE", "status.phase"),
            AGE,
            ("VERSION", "spec.template.spec.version"),
        ],
        "KubeadmControlPlane" if newer => &[
            ("CLUSTER", "metadata.labels.cluster"),
            ("AVAILABLE", "status.conditions[Available].status"),
            ("DESIRED", "spec.replicas"),
            ("CURRENT", "status.replicas"),
            ("READY", "status.readyReplicas"),
            ("AVAILABLE", "status.availableReplicas"),
            ("UP-TO-DATE", "status.upToDateReplicas"),
            ("INITIALIZED", "status.initialization.controlPlaneInitialized"),
            AGE,
            ("VERSION", "spec.version"),
        ],
        "KubeadmControlPlane" => &[
            ("CLUSTER", "metadata.labels.cluster"),
            ("INITIALIZED", "status.initialized"),
            ("API SERVER AVAILABLE", "status.ready"),
            ("REPLICAS", "status.replicas"),
            ("READY", "status.readyReplicas"),
            ("UPDATED", "status.updatedReplicas"),
            ("UNAVAILABLE", "status.unavailableReplicas"),
            AGE,
            ("VERSION", "spec.version"),
        ],
        "ClusterStagedUpdateRun" | "StagedUpdateRun" => &[
            ("PLACEMENT", "spec.placementName"),
            ("RESOURCE-SNAPSHOT-INDEX", "spec.resourceSnapshotIndex"),
            ("POLICY-SNAPSHOT-INDEX", "status.policySnapshotIndexUsed"),
            ("INITIALIZED", "status.conditions[Initialized].status"),
            ("PROGRESSING", "status.conditions[Progressing].status"),
            ("SUCCEEDED", "status.conditions[Succeeded].status"),
            AGE,
        ],
        "ClusterResourcePlacement" | "ResourcePlacement" => &[
            ("GEN", "metadata.generation"),
            ("SCHEDULED", "status.conditions[ClusterResourcePlacementScheduled].status"),
            ("SCHEDULED-GEN", "status.conditions[ClusterResourcePlacementScheduled].observedGeneration"),
            ("AVAILABLE", "status.conditions[ClusterResourcePlacementAvailable].status"),
            ("AVAILABLE-GEN", "status.conditions[ClusterResourcePlacementAvailable].observedGeneration"),
            AGE,
        ],
        "ClusterResourceBinding" | "ResourceBinding" => &[
            ("WORKSYNCHRONIZED", "status.conditions[WorkSynchronized].status"),
            ("RESOURCESAPPLIED", "status.conditions[Applied].status"),
            AGE,
        ],
        "MemberCluster" => &[("JOINED", "status.conditions[Joined].status"), AGE],
        _ => &[AGE],
    }
}

/// The table of objects of one kind, as `kubectl get KIND -A --show-labels` prints it at a time (RFC 3339).
pub(super) fn text(objects: &[Value], now: &str) -> String {
    let Some(first) = objects.first() else { return String::new() };
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let columns = columns(&word(&first["kind"]), &word(&first["apiVersion"]));
    let namespaced = first["metadata"]["namespace"].is_string();
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut header: Vec<String> = namespaced.then(|| "NAMESPACE".to_owned()).into_iter().collect();
    header.push("NAME".to_owned());
    header.extend(columns.iter().map(|(name, _)| (*name).to_owned()));
    header.push("LABELS".to_owned());
    rows.push(header);
    for object in objects {
        let metadata = &object["metadata"];
        let mut row: Vec<String> = namespaced.then(|| word(&metadata["namespace"])).into_iter().collect();
        row.push(word(&metadata["name"]));
        for column in columns {
            row.push(if *column == AGE {
                age(&word(&metadata["creationTimestamp"]), now)
            } else {
                cell(object, column.1)
            });
        }
        row.push(labels(&metadata["labels"]));
        rows.push(row);
    }
    aligned(&rows)
}

fn cell(object: &Value, path: &str) -> String {
    // The label that names the cluster has dots in its key.
    let path = path.strip_prefix("metadata.labels.cluster").map_or(path, |_| "");
    if path.is_empty() {
        return object["metadata"]["labels"]["cluster.x-k8s.io/cluster-name"].as_str().unwrap_or_default().to_owned();
    }
    let mut at = object;
    for step in path.split('.') {
        at = match step.split_once('[') {
            Some((list, wanted)) => {
                let wanted = wanted.trim_end_matches(']');
                let items = at[list].as_array();
                items.and_then(|items| items.iter().find(|item| item["type"] == wanted)).unwrap_or(&Value::Null)
            }
            None => &at[step],
        };
    }
    match at {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn labels(map: &Value) -> String {
    let mut shown: Vec<String> = map
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()))
        .collect();
    shown.sort();
    if shown.is_empty() { "<none>".to_owned() } else { shown.join(",") }
}

fn seconds(time: &str) -> i64 {
    let time: jiff::Timestamp = time.parse().unwrap_or_else(|error| panic!("`{time}` is no time: {error}"));
    time.as_second()
}

/// apimachinery `pkg/util/duration`, `HumanDuration`.
fn age(created: &str, now: &str) -> String {
    if created.is_empty() {
        return "<unknown>".to_owned();
    }
    let age = seconds(now) - seconds(created);
    let two = |big: i64, unit: char, small: i64, less: char| match small {
        0 => format!("{big}{unit}"),
        _ => format!("{big}{unit}{small}{less}"),
    };
    let (minutes, hours, days) = (age / 60, age / 3600, age / 86_400);
    match age {
        ..0 => "<invalid>".to_owned(),
        0..120 => format!("{age}s"),
        120..600 => two(minutes, 'm', age % 60, 's'),
        600..10_800 => format!("{minutes}m"),
        10_800..28_800 => two(hours, 'h', minutes % 60, 'm'),
        28_800..172_800 => format!("{hours}h"),
        172_800..691_200 => two(days, 'd', hours % 24, 'h'),
        _ if days < 730 => format!("{days}d"),
        _ => two(days / 365, 'y', days % 365, 'd'),
    }
}

fn aligned(rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default() + 3;
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = if column + 1 == row.len() { 0 } else { width(column) };
            let _ = write!(line, "{cell:width$}");
        }
        let _ = writeln!(out, "{line}");
    }
    out
}

#[test]
fn ages_are_those_of_kubectl() {
    let of = |now: &str| age("2026-01-01T00:00:00Z", now);
    let shown = [of("2026-01-01T00:01:59Z"), of("2026-01-01T00:06:35Z"), of("2026-01-01T00:51:00Z")];
    assert_eq!(shown, ["119s", "6m35s", "51m"]);
    let shown = [of("2026-01-01T04:10:00Z"), of("2026-01-01T20:00:00Z"), of("2026-01-03T01:00:00Z")];
    assert_eq!(shown, ["4h10m", "20h", "2d1h"]);
}
