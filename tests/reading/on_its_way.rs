//! What a report that found nothing says of things that are not ready: of those that are rolled, made or deleted, nothing
//! before their time is over.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use crate::common;

/// What is said of two Machines and their Cluster at ten o'clock: one was deleted, one made, and the Cluster is rolled, since some
/// time.
fn said(since: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("objects.yaml");
    let text = format!(
        "apiVersion: v1\nkind: List\nitems:\n\
         - apiVersion: cluster.x-k8s.io/v1beta1\n  kind: Cluster\n  metadata: {{ name: shop, namespace: fleet, uid: c-1, creationTimestamp: \"2026-05-01T10:00:00Z\" }}\n  \
           spec: {{ controlPlaneRef: {{ kind: KubeadmControlPlane, name: shop }} }}\n  \
           status: {{ phase: Provisioned, conditions: [{{ type: Ready, status: \"False\", reason: RollingUpdateInProgress, message: Rolling 2 replicas, lastTransitionTime: \"{since}\" }}] }}\n\
         - apiVersion: cluster.x-k8s.io/v1beta1\n  kind: Machine\n  metadata: {{ name: shop-cp-1, namespace: fleet, uid: m-1, creationTimestamp: \"2026-05-01T10:00:00Z\", deletionTimestamp: \"{since}\", finalizers: [machine.cluster.x-k8s.io] }}\n  \
           spec: {{ clusterName: shop }}\n  status: {{ phase: Deleting }}\n\
         - apiVersion: cluster.x-k8s.io/v1beta1\n  kind: Machine\n  metadata: {{ name: shop-cp-2, namespace: fleet, uid: m-2, creationTimestamp: \"{since}\" }}\n  \
           spec: {{ clusterName: shop }}\n  status: {{ phase: Provisioning }}\n\
         - apiVersion: coordination.k8s.io/v1\n  kind: Lease\n  metadata: {{ name: capi, namespace: capi-system, uid: l-1 }}\n  \
           spec: {{ holderIdentity: a, renewTime: \"2026-05-14T10:00:00.000000Z\" }}\n"
    );
    std::fs::write(&file, text).unwrap();
    let diagnosis = common::diagnosis(&file);
    diagnosis.inventory.iter().map(|table| format!("{} {}\n", table.kind, table.unhealthy)).collect()
}

#[test]
fn what_is_on_its_way_is_well_before_its_time_is_over() {
    let of = |said: &str, kind: &str| said.lines().find(|line| line.starts_with(kind)).map(str::to_owned);
    let young = said("2026-05-14T09:50:00Z");
    assert_eq!(of(&young, "clusters").as_deref(), Some("clusters.cluster.x-k8s.io 0"), "{young}");
    assert_eq!(of(&young, "machines").as_deref(), Some("machines.cluster.x-k8s.io 0"), "{young}");
    let old = said("2026-05-14T06:40:00Z");
    assert_eq!(of(&old, "clusters").as_deref(), Some("clusters.cluster.x-k8s.io 1"), "{old}");
    assert_eq!(of(&old, "machines").as_deref(), Some("machines.cluster.x-k8s.io 2"), "{old}");
}
