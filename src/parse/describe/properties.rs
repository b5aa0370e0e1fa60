//! What each typed form says, asked through paths as a signature asks.

use facts::kind::KindName;
use facts::object::{ContextId, Lookup, Object, ObjectId, ObjectRecord, Sighting};
use facts::origin::MemberId;
use facts::path::Path;
use facts::record::Record;
use facts::store::Facts;
use proptest::prelude::*;

fn records(text: &str) -> Vec<ObjectRecord> {
    let parsed = crate::describe::try_parse(MemberId(0), "a.txt", text).unwrap();
    let object = |record| match record {
        Record::Object(object) => Some(*object),
        _ => None,
    };
    parsed.records.into_iter().filter_map(object).collect()
}

/// The kind, and what each path says; `?` is unknown, `-` not set.
fn says(text: &str, paths: &[&str]) -> String {
    let record = records(text).remove(0);
    let kind = record.kind.clone().unwrap_or_else(|| KindName::parse("unknown"));
    let object = Object {
        context: ContextId(0),
        kind: kind.clone(),
        namespace: record.namespace.clone(),
        name: record.name.clone(),
        uid: None,
        sightings: vec![Sighting { record, resource_version: None }],
        shadow: false,
        presence: facts::presence::Presence::There,
    };
    let facts = Facts { objects: vec![object], ..Facts::default() };
    let mut out = vec![kind.to_string()];
    for path in paths {
        let said = match facts.lookup(ObjectId(0), &Path::parse(path).unwrap()) {
            Lookup::Found(values) => values.iter().map(|(node, _)| node.to_string()).collect::<Vec<_>>().join("|"),
            Lookup::AtLeast(values) => format!("at least {}", values[0].0),
            Lookup::NotSet(_) => "-".to_owned(),
            Lookup::NotSetOrEmpty(_) => "- or empty".to_owned(),
            Lookup::Redacted(_) => "masked".to_owned(),
            Lookup::Unknown(_) => "?".to_owned(),
        };
        out.push(said);
    }
    out.join("; ")
}

const POD: &str = "\
Name:             web-1
Namespace:        shop
Service Account:  default
Node:             w-1/192.0.2.7
Start Time:       Mon, 12 Jan 2026 22:44:08 +0100
Labels:           app=web
Annotations:      <none>
Status:           Failed
Reason:           Evicted
Message:          The node was low on resource: memory.
Container app was using 9Gi.
Usage:  high
IP:               192.0.2.70
IPs:
  IP:           192.0.2.70
Controlled By:  ReplicaSet/web
Init Containers:
  setup:
    Container ID:  containerd://1
    Image:         busybox:1
    Image ID:      sha256:1
    Port:          <none>
    Host Port:     <none>
    State:          Terminated
      Reason:       Completed
      Exit Code:    0
      Started:      Mon, 12 Jan 2026 22:44:09 +0100
      Finished:     Mon, 12 Jan 2026 22:44:10 +0100
    Ready:          True
    Restart Count:  0
    Environment:    <none>
    Mounts:         <none>
Containers:
  app:
    Container ID:  containerd://2
    Image:         example.com/app:1
    Image ID:      sha256:2
    Ports:         8080/TCP (http), 9090/UDP
    Host Ports:    0/TCP, 0/UDP
    Args:
      --verbose
      --port=8080
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       OOMKilled
      Message:      line one
line two
      Exit Code:    137
      Started:      Mon, 12 Jan 2026 22:50:00 +0100
      Finished:     Mon, 12 Jan 2026 22:51:00 +0100
    Ready:          False
    Restart Count:  4
    Limits:
      memory:  64Mi
    Requests:
      cpu:      10m
    Liveness:   http-get http://:8080/healthz delay=0s timeout=1s period=10s #success=1 #failure=3
    Environment Variables from:
      settings  ConfigMap  Optional: false
    Environment:
      PASSWORD:  hunter2
      TOKEN:     <set to the key 'token' in secret 'api'>  Optional: false
    Mounts:
      /data from data (rw)
      /var/run/secrets from token (ro)
  side:
    Container ID:  containerd://3
    Image:         example.com/side:1
    Image ID:      sha256:3
    Port:          <none>
    Host Port:     <none>
    Command:
      sh
      -c
      echo one
    State:          Running
      Started:      Mon, 12 Jan 2026 22:44:11 +0100
    Ready:          True
    Restart Count:  0
    Environment:    <none>
    Mounts:         <none>
Conditions:
  Type              Status
  Initialized       True 
  Ready             False 
Volumes:
  data:
    Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)
    ClaimName:  data-web
    ReadOnly:   false
  token:
    Type:                    Projected (a volume that contains injected data from multiple sources)
    TokenExpirationSeconds:  3607
    ConfigMapName:           kube-root-ca.crt
    Optional:                false
    DownwardAPI:             true
QoS Class:                   Burstable
Node-Selectors:              disk=fast
                             zone=
Tolerations:                 dedicated=db:NoSchedule
                             node.kubernetes.io/not-ready:NoExecute op=Exists for 300s
Events:                      <none>
";

#[test]
fn a_pod() {
    let paths =
        ["status.phase", "status.reason", "status.message", "status.startTime", "spec.nodeName", "status.hostIP"];
    insta::assert_snapshot!(says(POD, &paths), @r"
    pods; Failed; Evicted; The node was low on resource: memory.
    Container app was using 9Gi.
    Usage:  high; 2026-01-12T21:44:08Z; w-1; 192.0.2.7
    ");
    let one = |path: &str| says(POD, &[path]).split_once("; ").unwrap().1.to_owned();
    assert_eq!(one("status.containerStatuses[name=app].state.waiting.reason"), "CrashLoopBackOff");
    assert_eq!(one("status.containerStatuses[name=side].state.waiting"), "-");
    assert_eq!(one("status.containerStatuses[name=side].state.waiting.reason"), "-");
    assert_eq!(one("status.containerStatuses[*].state.waiting.reason"), "CrashLoopBackOff");
    assert_eq!(one("status.containerStatuses[name=app].state.waiting.message"), "?", "describe never prints it");
    assert_eq!(one("status.containerStatuses[name=app].lastState.terminated.reason"), "OOMKilled");
    assert_eq!(one("status.containerStatuses[name=app].lastState.terminated.exitCode"), "137");
    assert_eq!(one("status.containerStatuses[name=app].lastState.terminated.message"), "line one\nline two");
    assert_eq!(one("status.containerStatuses[name=side].lastState.terminated"), "-");
    assert_eq!(one("status.containerStatuses[name=app].lastState.terminated.containerID"), "?");
    assert_eq!(one("status.containerStatuses[*].restartCount"), "4|0");
    assert_eq!(one("status.containerStatuses[ready=false].name"), "app");
    assert_eq!(one("status.containerStatuses[started=false].name"), "?");
    assert_eq!(one("status.containerStatuses[name=none].ready"), "-");
    assert_eq!(one("status.initContainerStatuses[*].state.terminated.reason"), "Completed");
    assert_eq!(one("spec.containers[name=app].resources.limits.memory"), "64Mi");
    assert_eq!(one("spec.containers[name=side].resources.limits"), "-");
    assert_eq!(one("spec.containers[name=app].livenessProbe.failureThreshold"), "3");
    assert_eq!(one("spec.containers[name=app].livenessProbe.initialDelaySeconds"), "-");
    assert_eq!(one("spec.containers[name=app].readinessProbe"), "-");
    assert_eq!(one("spec.containers[name=side].livenessProbe"), "-");
    assert_eq!(one("spec.containers[name=app].ports[*].containerPort"), "8080|9090");
    assert_eq!(one("spec.containers[*].env[*].valueFrom.secretKeyRef.name"), "api");
    assert_eq!(one("spec.containers[name=app].env[name=PASSWORD].value"), "?", "values are left alone");
    assert_eq!(one("spec.containers[*].envFrom[*].configMapRef.name"), "settings");
    assert_eq!(one("spec.volumes[*].persistentVolumeClaim.claimName"), "data-web");
    assert_eq!(one("spec.volumes[name=token].projected.sources[*].configMap.name"), "kube-root-ca.crt");
    assert_eq!(one("status.conditions[type=Ready].status"), "False");
    assert_eq!(one("status.conditions[type=Ready].reason"), "?");
    assert_eq!(one("status.conditions[type=PodScheduled].status"), "-");
    assert_eq!(one("spec.nodeSelector.zone"), "- or empty");
    assert_eq!(one("spec.nodeSelector.disk"), "fast");
    assert_eq!(one("spec.tolerations[key=dedicated].effect"), "NoSchedule");
    assert_eq!(one("spec.tolerations[*].tolerationSeconds"), "300");
    assert_eq!(one("status.qosClass"), "?", "kubectl works it out for a Pod that was evicted");
    assert_eq!(one("metadata.ownerReferences[controller=true].name"), "web");
    assert_eq!(one("metadata.ownerReferences[kind=Node].name"), "?");
    assert_eq!(one("metadata.ownerReferences[*].kind"), "at least ReplicaSet");
    assert_eq!(one("metadata.deletionTimestamp"), "?");
    assert_eq!(one("spec.hostNetwork"), "?");
}

#[test]
fn a_text_that_ends_early_says_nothing_of_what_would_follow() {
    let cut = &POD[..POD.find("Ready:          False").unwrap()];
    let one = |path: &str| says(cut, &[path]).split_once("; ").unwrap().1.to_owned();
    assert_eq!(one("status.phase"), "Failed");
    assert_eq!(one("status.containerStatuses[*].state.waiting.reason"), "at least CrashLoopBackOff");
    assert_eq!(one("status.containerStatuses[name=side].state.waiting.reason"), "?");
    assert_eq!(one("status.conditions[type=Ready].status"), "?");
    assert_eq!(one("spec.volumes[*].name"), "?");
}

#[test]
fn a_pod_that_is_being_deleted() {
    let text = POD.replace("Status:           Failed", "Status:           Terminating (lasts 5m)");
    insta::assert_snapshot!(says(&text, &["status.phase", "metadata.deletionTimestamp"]), @"pods; ?; masked");
}

#[test]
fn a_node() {
    let text = "\
Name:               w-1
Roles:              <none>
Labels:             kubernetes.io/os=linux
Annotations:        <none>
CreationTimestamp:  Fri, 20 Nov 2026 20:11:12 +0000
Taints:             node.kubernetes.io/unreachable:NoExecute
                    dedicated=db:NoSchedule
Unschedulable:      false
Conditions:
  Type             Status    LastHeartbeatTime                 LastTransitionTime                Reason              Message
  ----             ------    -----------------                 ------------------                ------              -------
  MemoryPressure   Unknown   Fri, 20 Nov 2026 20:24:43 +0000   Fri, 20 Nov 2026 20:26:12 +0000   NodeStatusUnknown   Kubelet stopped posting node status.
  Ready            Unknown   Fri, 20 Nov 2026 20:24:43 +0000   Fri, 20 Nov 2026 20:26:12 +0000   NodeStatusUnknown   Kubelet stopped posting node status.
Addresses:
  InternalIP:  192.0.2.7
  Hostname:    w-1
Capacity:
 cpu:     2
 memory:  24684084Ki
System Info:
  Kubelet Version:  v1.20.2
PodCIDR:                      10.244.1.0/24
Non-terminated Pods:          (1 in total)
  Namespace                   Name                    CPU Requests  CPU Limits  Memory Requests  Memory Limits  Age
  ---------                   ----                    ------------  ----------  ---------------  -------------  ---
  kube-system                 kube-proxy-ktt8j        0 (0%)        0 (0%)      0 (0%)           0 (0%)         8m48s
Allocated resources:
  (Total limits may be over 100 percent, i.e., overcommitted.)
  Resource  Requests  Limits
  --------  --------  ------
  cpu       60m (3%)  0 (0%)
Events:     <none>
";
    let paths = [
        "status.conditions[type=Ready].status",
        "status.conditions[type=Ready].lastHeartbeatTime",
        "status.conditions[type=DiskPressure].status",
        "spec.taints[key=dedicated].value",
        "spec.taints[*].effect",
        "spec.unschedulable",
        "status.addresses[type=InternalIP].address",
        "status.capacity.memory",
        "status.nodeInfo.kubeletVersion",
        "spec.providerID",
        "metadata.creationTimestamp",
    ];
    insta::assert_snapshot!(says(text, &paths), @"nodes; Unknown; 2026-11-20T20:24:43Z; -; db; NoExecute|NoSchedule; -; 192.0.2.7; 24684084Ki; v1.20.2; -; 2026-11-20T20:11:12Z");
    let pods = records(text);
    assert_eq!(
        (pods.len(), pods[1].name.as_str(), pods[1].namespace.as_deref()),
        (2, "kube-proxy-ktt8j", Some("kube-system"))
    );
}

#[test]
fn a_replica_set() {
    let replica_set = "\
Name:           web-5d98
Namespace:      shop
Selector:       app=web,pod-template-hash=5d98
Labels:         app=web
                pod-template-hash=5d98
Annotations:    <none>
Controlled By:  Deployment/web
Replicas:       0 current / 2 desired
Pods Status:    0 Running / 0 Waiting / 0 Succeeded / 0 Failed
Pod Template:
  Labels:  app=web
  Containers:
   app:
    Image:      example.com/app:1
    Port:       <none>
    Host Port:  <none>
    Environment:  <none>
    Mounts:     <none>
  Volumes:
   data:
    Type:       Secret (a volume populated by a Secret)
    SecretName:  api
Conditions:
  Type             Status  Reason
  ----             ------  ------
  ReplicaFailure   True    FailedCreate
Events:            <none>
";
    let paths = [
        "spec.replicas",
        "status.replicas",
        "status.conditions[type=ReplicaFailure].reason",
        "status.conditions[type=ReplicaFailure].message",
        "spec.template.spec.containers[name=app].image",
        "spec.template.spec.volumes[*].secret.secretName",
        "spec.template.spec.initContainers",
        "spec.selector.matchLabels.app",
        "status.readyReplicas",
    ];
    insta::assert_snapshot!(says(replica_set, &paths), @"replicasets.apps; 2; 0; FailedCreate; ?; example.com/app:1; api; -; web; ?");
}

#[test]
fn a_stateful_set() {
    let set = "\
Name:               db
Namespace:          shop
CreationTimestamp:  Fri, 20 Nov 2026 20:11:12 +0000
Selector:           app=db
Labels:             <none>
Annotations:        <none>
Replicas:           3 desired | 1 total
Update Strategy:    RollingUpdate
  Partition:        0
Pods Status:        1 Running / 0 Waiting / 0 Succeeded / 0 Failed
Pod Template:
  Labels:  app=db
Volume Claims:  <none>
Events:         <none>
";
    insta::assert_snapshot!(
        says(set, &["spec.replicas", "status.replicas", "spec.updateStrategy.type"]),
        @"statefulsets.apps; 3; 1; RollingUpdate"
    );
}

#[test]
fn a_daemon_set() {
    let daemon_set = "\
Name:           agent
Selector:       app=agent
Node-Selector:  <none>
Labels:         <none>
Annotations:    <none>
Desired Number of Nodes Scheduled: 3
Current Number of Nodes Scheduled: 3
Number of Nodes Scheduled with Up-to-date Pods: 3
Number of Nodes Scheduled with Available Pods: 0
Number of Nodes Misscheduled: 0
Pods Status:  3 Running / 0 Waiting / 0 Succeeded / 0 Failed
Events:       <none>
";
    insta::assert_snapshot!(
        says(daemon_set, &["status.desiredNumberScheduled", "status.numberAvailable", "status.numberMisscheduled"]),
        @"daemonsets.apps; 3; -; 0"
    );
}

#[test]
fn a_job() {
    let job = "\
Name:           backup
Namespace:      shop
Selector:       controller-uid=1
Labels:         <none>
Annotations:    <none>
Parallelism:    1
Completions:    3
Backoff Limit:  6
Start Time:     Fri, 20 Nov 2026 20:18:11 +0000
Pods Statuses:  1 Active (0 Ready) / 0 Succeeded / 2 Failed
Events:         <none>
";
    insta::assert_snapshot!(
        says(job, &["spec.completions", "status.active", "status.succeeded", "status.failed", "status.completionTime"]),
        @"jobs.batch; 3; 1; -; 2; ?"
    );
    let old = job.replace("1 Active (0 Ready)", "1 Running");
    insta::assert_snapshot!(says(&old, &["status.active", "status.failed"]), @"jobs.batch; 1; 2");
}

#[test]
fn a_service() {
    let service = "\
Name:              web
Namespace:         shop
Labels:            <none>
Annotations:       <none>
Selector:          app=web,tier=front
Type:              NodePort
IP:                10.96.0.10
IPs:               10.96.0.10
Port:              http  80/TCP
TargetPort:        8080/TCP
NodePort:          http  30080/TCP
Endpoints:         <none>
Port:              <unset>  443/TCP
TargetPort:        https/TCP
Endpoints:         10.0.0.1:8443
Session Affinity:  None
Events:            <none>
";
    let paths = [
        "spec.type",
        "spec.selector.tier",
        "spec.ports[*].port",
        "spec.ports[name=http].nodePort",
        "spec.externalName",
        "status.kubectlEndpoints[*]",
    ];
    insta::assert_snapshot!(says(service, &paths), @"services; NodePort; front; 80|443; 30080; -; 0|1");
    let newer =
        service.replace("<none>\nPort", "\nPort").replace("10.0.0.1:8443", "10.0.0.1:8443,10.0.0.2:8443 + 3 more...");
    insta::assert_snapshot!(says(&newer, &["status.kubectlEndpoints[*]"]), @"services; 0|5");
}

#[test]
fn a_volume_claim() {
    let claim = "\
Name:          data
Namespace:     shop
StorageClass:  fast
Status:        Pending
Volume:        
Labels:        <none>
Annotations:   <none>
Finalizers:    [kubernetes.io/pvc-protection]
Capacity:      
Access Modes:  
VolumeMode:    Filesystem
Used By:       web-1
Events:        <none>
";
    insta::assert_snapshot!(
        says(claim, &["status.phase", "spec.volumeName", "spec.storageClassName", "metadata.finalizers[0]"]),
        @"persistentvolumeclaims; Pending; -; fast; kubernetes.io/pvc-protection"
    );
}

#[test]
fn a_volume() {
    let volume = "\
Name:            pv-1
Labels:          <none>
Annotations:     <none>
Finalizers:      [kubernetes.io/pv-protection]
StorageClass:    fast
Status:          Released
Claim:           shop/data
Reclaim Policy:  Retain
Access Modes:    RWO,RWX
Capacity:        10Gi
Node Affinity:   <none>
Message:         
Source:
    Type:          HostPath (bare host directory volume)
    Path:          /data
    HostPathType:  
Events:            <none>
";
    insta::assert_snapshot!(
        says(volume, &["status.phase", "spec.claimRef.name", "spec.accessModes", "spec.hostPath.path", "spec.nfs.server"]),
        @"persistentvolumes; Released; data; ReadWriteOnce, ReadWriteMany; /data; -"
    );
}

#[test]
fn a_storage_class() {
    let class = "\
Name:                  fast
IsDefaultClass:        Yes
Annotations:           storageclass.kubernetes.io/is-default-class=true
Provisioner:           example.com/disk
Parameters:            <none>
AllowVolumeExpansion:  <unset>
MountOptions:          <none>
ReclaimPolicy:         Delete
VolumeBindingMode:     WaitForFirstConsumer
Events:                <none>
";
    insta::assert_snapshot!(
        says(class, &["provisioner", "volumeBindingMode", "allowVolumeExpansion"]),
        @"storageclasses.storage.k8s.io; example.com/disk; WaitForFirstConsumer; -"
    );
}

#[test]
fn a_disruption_budget() {
    let budget = "\
Name:           web
Namespace:      shop
Min available:  3
Selector:       app=web
Status:
    Allowed disruptions:  0
    Current:              2
    Desired:              3
    Total:                3
Events:                   <none>
";
    insta::assert_snapshot!(
        says(budget, &["spec.minAvailable", "status.disruptionsAllowed", "status.currentHealthy"]),
        @"poddisruptionbudgets.policy; 3; 0; 2"
    );
}

#[test]
fn a_service_account() {
    let account = "\
Name:                sentry
Namespace:           kube-system
Labels:              <none>
Annotations:         <none>
Image pull secrets:  <none>
Mountable secrets:   sentry-token-1
                     sentry-token-2
Tokens:              sentry-token-1
Events:              <none>
";
    insta::assert_snapshot!(
        says(account, &["secrets[*].name", "imagePullSecrets[*].name"]),
        @"serviceaccounts; sentry-token-1|sentry-token-2; - or empty"
    );
}

#[test]
fn a_quota() {
    let quota = "\
Name:            small
Namespace:       shop
Resource         Used  Hard
--------         ----  ----
limits.memory    1Gi   2Gi
pods             4     4
";
    insta::assert_snapshot!(says(quota, &["status.used.pods", "status.hard.pods"]), @"resourcequotas; 4; 4");
}

#[test]
fn a_namespace() {
    let space = "\
Name:         shop
Labels:       kubernetes.io/metadata.name=shop
Annotations:  <none>
Status:       Terminating
Conditions:
  Type                          Status  LastTransitionTime               Reason                Message
  ----                          ------  ------------------               ------                -------
  NamespaceFinalizersRemaining  True    Thu, 14 May 2026 08:00:10 +0000  SomeFinalizersRemain  example.com/hold in 1 resource instances

No resource quota.

No LimitRange resource.
";
    let remaining = "status.conditions[type=NamespaceFinalizersRemaining]";
    let (status, since) = (format!("{remaining}.status"), format!("{remaining}.lastTransitionTime"));
    let paths = ["status.phase", "metadata.deletionTimestamp", &status, &since];
    insta::assert_snapshot!(says(space, &paths), @"namespaces; Terminating; ?; True; 2026-05-14T08:00:10Z");
}

#[test]
fn an_autoscaler() {
    let scaler = "\
Name:                                                  web
Namespace:                                             shop
Labels:                                                <none>
Annotations:                                           <none>
CreationTimestamp:                                     Fri, 20 Nov 2026 20:11:12 +0000
Reference:                                             Deployment/web
Metrics:                                               ( current / target )
  resource cpu on pods  (as a percentage of request):  <unknown> / 50%
Min replicas:                                          1
Max replicas:                                          5
Deployment pods:                                       1 current / 0 desired
Conditions:
  Type           Status  Reason                   Message
  ----           ------  ------                   -------
  AbleToScale    True    SucceededGetScale        the HPA controller was able to get the target's current scale
  ScalingActive  False   FailedGetResourceMetric  no metrics returned from resource metrics API
Events:          <none>
";
    let paths = [
        "spec.maxReplicas",
        "status.currentReplicas",
        "status.conditions[type=ScalingActive].message",
        "spec.scaleTargetRef.name",
    ];
    insta::assert_snapshot!(says(scaler, &paths), @"horizontalpodautoscalers.autoscaling; 5; 1; no metrics returned from resource metrics API; web");
}

#[test]
fn data() {
    let map = "\
Name:         settings
Namespace:    shop
Labels:       <none>
Annotations:  <none>

Data
====
a.conf:
----
Name:  not an object
Events: here

second
b:
----
1

BinaryData
====

Events:  <none>
";
    insta::assert_snapshot!(says(map, &["data[\"a.conf\"]", "data.b", "data.c"]), @r"
    configmaps; Name:  not an object
    Events: here

    second; 1; -
    ");
    let secret = "\
Name:         api
Namespace:    shop
Labels:       <none>
Annotations:  <none>

Type:  kubernetes.io/service-account-token

Data
====
ca.crt:     1066 bytes
namespace:  4 bytes
token:      eyJhbGciOiJSUzI1NiJ9.e30.c2VjcmV0
";
    insta::assert_snapshot!(says(secret, &["type", "data.token", "data[\"ca.crt\"]"]), @"secrets; kubernetes.io/service-account-token; [redacted]; [redacted]");
    assert!(!format!("{:?}", crate::describe::try_parse(MemberId(0), "a.txt", secret)).contains("eyJ"));
}

#[test]
fn events_of_built_in_kinds_name_their_object() {
    let (head, _) = POD.split_once("Events:").unwrap();
    let text = format!(
        "{head}Events:\n  Type     Reason   Age                   From          Message\n  ----     ------   ----                  ----          -------\n  Warning  BackOff  14s (x23 over 5m10s)  kubelet, w-1  spec.containers{{app}}: Back-off restarting\n"
    );
    let event = records(&text).remove(1);
    insta::assert_snapshot!(event.node, @"type: Warning, reason: BackOff, message: Back-off restarting, involvedObject: name: web-1, namespace: shop, kind: Pod, fieldPath: spec.containers{app}, source: component: kubelet, status: kubectlLastSeen: 14s (x23 over 5m10s), count: 23");
}

proptest! {
    /// No line of a description, cut, repeated or moved, makes the readers fail, and each object keeps its name.
    #[test]
    fn damaged_descriptions_are_read(picks in prop::collection::vec(0_usize..200, 0..120), cut in 0_usize..400) {
        let lines: Vec<&str> = POD.lines().collect();
        let mut text = "Name:  a\nNamespace:  b\n".to_owned();
        for pick in picks {
            let line = lines[pick % lines.len()];
            let end = line.char_indices().map(|(at, _)| at).nth(cut % 60).unwrap_or(line.len());
            text.push_str(&line[if pick % 7 == 0 { 0..end } else { 0..line.len() }]);
            text.push('\n');
        }
        let parsed = crate::describe::try_parse(MemberId(0), "describe-pods.txt", &text).unwrap();
        prop_assert!(!parsed.records.is_empty());
    }

    /// A table inside a description, printed and read again, has the same cells.
    #[test]
    fn a_printed_table_reads_back(rows in prop::collection::vec(("[A-Z][a-z]{1,12}", "True|False|Unknown", "([A-Za-z]{1,9}( [a-z]{1,5}){0,3})?"), 1..8)) {
        let widths = rows.iter().fold((4, 6), |(a, b), (x, y, _)| (a.max(x.len()), b.max(y.len())));
        let row = |a: &str, b: &str, c: &str| format!("  {a:0$}  {b:1$}  {c}", widths.0, widths.1).trim_end().to_owned();
        let mut lines = vec![row("Type", "Status", "Message"), row("----", "------", "-------")];
        lines.extend(rows.iter().map(|(a, b, c)| row(a, b, c)));
        let numbered: Vec<(u32, &str)> = (1..).zip(lines.iter().map(String::as_str)).collect();
        let read: Vec<Vec<String>> =
            crate::describe::outline::table(&numbered).into_iter().map(|(_, cells)| cells.into_iter().map(|(_, c)| c).collect()).collect();
        let wanted: Vec<Vec<String>> = rows.into_iter().map(|(a, b, c)| vec![a, b, c]).collect();
        prop_assert_eq!(read, wanted);
    }
}
