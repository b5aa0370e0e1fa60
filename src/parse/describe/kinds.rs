//! Which label of a typed description shows which path, per kind, and which labels tell the kind.
//!
//! Labels stand in the order in which kubectl prints them, so that one that is missing before another that
//! is there was surely left out.
//!
//! Why here and not in `patterns/kinds.yaml`: most kinds have blocks whose readers are functions, and the order of
//! labels matters.
//!
//! Sources: `kubernetes/kubernetes:pkg/printers/internalversion/describe.go@v1.8`,
//! `kubernetes/kubectl:pkg/describe/describe.go@v0.20.0` and `@v0.34.0`.

use crate::describe::form::{As, Field, Kind, field, optional};
use crate::describe::outline::{Line, Section};
use crate::describe::{data, node, pod};

/// Does this kind, a plural with its group, have a table of conditions?
pub(super) fn prints_conditions(name: &str) -> bool {
    KINDS
        .iter()
        .filter(|kind| kind.name == name)
        .any(|kind| kind.fields.iter().any(|field| matches!(field.form, As::Conditions(_))))
}

/// Every column that a table of conditions has had.
const CONDITIONS: &[(&str, &str)] = &[
    ("Type", "type"),
    ("Status", "status"),
    ("LastProbeTime", "lastProbeTime"),
    ("LastHeartbeatTime", "lastHeartbeatTime"),
    ("LastTransitionTime", "lastTransitionTime"),
    ("Reason", "reason"),
    ("Message", "message"),
];

const CREATED: Field = field(&["CreationTimestamp"], "metadata.creationTimestamp", As::Time);
const OWNER: Field = field(&["Controlled By", "Created By"], "metadata.ownerReferences", As::Owner);
const TEMPLATE: Field = field(&["Pod Template"], "spec.template", As::Block(pod::template));
const STATUS_CONDITIONS: Field = field(&["Conditions"], "status.conditions", As::Conditions(CONDITIONS));
const MATCH_LABELS: Field = field(&["Selector"], "spec.selector.matchLabels", As::Pairs);

const KINDS: &[Kind] = &[
    Kind {
        name: "pods",
        kind: "Pod",
        marks: &["Node", "Status", "Containers"],
        fields: &[
            field(&["Priority"], "spec.priority", As::Number),
            optional(&["Priority Class Name", "PriorityClassName"], "spec.priorityClassName", As::Text),
            field(&["Runtime Class Name"], "spec.runtimeClassName", As::Text),
            field(&["Service Account"], "spec.serviceAccountName", As::Text),
            field(&["Node"], "spec.nodeName", As::Split('/', "status.hostIP")),
            optional(&["Start Time"], "status.startTime", As::Time),
            field(&["Status"], "status.phase", As::Phase),
            field(&["Termination Grace Period"], "metadata.deletionGracePeriodSeconds", As::Number),
            optional(&["Reason"], "status.reason", As::Text),
            optional(&["Message"], "status.message", As::Free),
            field(&["IP"], "status.podIP", As::Text),
            field(&["IPs"], "status.podIPs", As::Block(pod::addresses)),
            OWNER,
            field(&["NominatedNodeName"], "status.nominatedNodeName", As::Text),
            optional(&["Init Containers"], "spec.initContainers", As::Block(pod::init_containers)),
            field(&["Containers"], "spec.containers", As::Block(pod::containers)),
            field(&["Ephemeral Containers"], "spec.ephemeralContainers", As::Block(pod::ephemeral_containers)),
            STATUS_CONDITIONS,
            field(&["Volumes"], "spec.volumes", As::Block(pod::volumes)),
            field(&["QoS Class"], "", As::Words(&[])),
            field(&["Node-Selectors"], "spec.nodeSelector", As::Pairs),
            field(&["Tolerations"], "spec.tolerations", As::Block(pod::tolerations)),
        ],
        all: Some(pod::quality_of_service),
        odd_annotations: false,
    },
    Kind {
        name: "nodes",
        kind: "Node",
        marks: &["Addresses", "System Info"],
        fields: &[
            CREATED,
            field(&["Taints"], "spec.taints", As::Block(node::taints)),
            field(&["Unschedulable"], "spec.unschedulable", As::Flag),
            STATUS_CONDITIONS,
            field(&["Addresses"], "status.addresses", As::Block(node::addresses)),
            field(&["Capacity"], "status.capacity", As::Block(node::quantities)),
            field(&["Allocatable"], "status.allocatable", As::Block(node::quantities)),
            field(&["System Info"], "status.nodeInfo", As::Block(node::system_info)),
            optional(&["PodCIDR"], "spec.podCIDR", As::Text),
            field(&["PodCIDRs"], "spec.podCIDRs", As::List),
            optional(&["ProviderID"], "spec.providerID", As::Text),
            field(&["Non-terminated Pods"], "", As::Pods),
        ],
        all: None,
        odd_annotations: false,
    },
    Kind {
        name: "deployments.apps",
        kind: "Deployment",
        marks: &["StrategyType", "Replicas"],
        fields: &[
            CREATED,
            MATCH_LABELS,
            field(
                &["Replicas"],
                "",
                As::Words(&[
                    ("", " desired", "spec.replicas", false),
                    ("|", " updated", "status.updatedReplicas", true),
                    ("|", " total", "status.replicas", true),
                    ("|", " available", "status.availableReplicas", true),
                    ("|", " unavailable", "status.unavailableReplicas", true),
                ]),
            ),
            field(&["StrategyType"], "spec.strategy.type", As::Text),
            field(&["MinReadySeconds"], "spec.minReadySeconds", As::Count),
            TEMPLATE,
            STATUS_CONDITIONS,
        ],
        all: None,
        odd_annotations: false,
    },
    Kind {
        name: "daemonsets.apps",
        kind: "DaemonSet",
        marks: &["Desired Number of Nodes Scheduled"],
        fields: &[
            MATCH_LABELS,
            field(&["Desired Number of Nodes Scheduled"], "status.desiredNumberScheduled", As::Number),
            field(&["Current Number of Nodes Scheduled"], "status.currentNumberScheduled", As::Number),
            field(&["Number of Nodes Scheduled with Up-to-date Pods"], "status.updatedNumberScheduled", As::Count),
            field(&["Number of Nodes Scheduled with Available Pods"], "status.numberAvailable", As::Count),
            field(&["Number of Nodes Misscheduled"], "status.numberMisscheduled", As::Number),
            TEMPLATE,
        ],
        all: None,
        odd_annotations: false,
    },
    Kind {
        name: "statefulsets.apps",
        kind: "StatefulSet",
        marks: &["Replicas", "Pods Status", "Volume Claims"],
        fields: &[
            CREATED,
            MATCH_LABELS,
            field(&["Service Name"], "spec.serviceName", As::Text),
            field(&["Pod Management Policy"], "spec.podManagementPolicy", As::Text),
            field(
                &["Replicas"],
                "",
                As::Words(&[("", " desired", "spec.replicas", false), ("|", " total", "status.replicas", false)]),
            ),
            field(&["Update Strategy"], "spec.updateStrategy.type", As::Text),
            TEMPLATE,
        ],
        all: None,
        odd_annotations: false,
    },
    Kind {
        name: "replicasets.apps",
        kind: "ReplicaSet",
        marks: &["Replicas", "Pods Status"],
        fields: &[MATCH_LABELS, OWNER, CURRENT_AND_DESIRED, TEMPLATE, STATUS_CONDITIONS],
        all: None,
        odd_annotations: false,
    },
    Kind {
        name: "replicationcontrollers",
        kind: "ReplicationController",
        marks: &["Replicas", "Pods Status"],
        fields: &[field(&["Selector"], "spec.selector", As::Pairs), CURRENT_AND_DESIRED, TEMPLATE, STATUS_CONDITIONS],
        all: None,
        odd_annotations: false,
    },
    Kind {
        name: "jobs.batch",
        kind: "Job",
        marks: &["Parallelism", "Completions", "Pods Statuses"],
        fields: &[
            MATCH_LABELS,
            OWNER,
            field(&["Parallelism"], "spec.parallelism", As::Number),
            field(&["Completions"], "spec.completions", As::Number),
            field(&["Completion Mode"], "spec.completionMode", As::Text),
            field(&["Backoff Limit"], "spec.backoffLimit", As::Number),
            optional(&["Start Time"], "status.startTime", As::Time),
            field(&["Completed At"], "status.completionTime", As::Time),
            optional(&["Active Deadline Seconds"], "spec.activeDeadlineSeconds", As::Number),
            field(
                &["Pods Statuses"],
                "",
                As::Words(&[
                    ("", " Active", "status.active", true),
                    ("", " Running", "status.active", true),
                    ("/", " Succeeded", "status.succeeded", true),
                    ("/", " Failed", "status.failed", true),
                ]),
            ),
            TEMPLATE,
        ],
        all: None,
        odd_annotations: false,
    },
    Kind {
        name: "cronjobs.batch",
        kind: "CronJob",
        marks: &["Schedule", "Concurrency Policy"],
        fields: &[
            field(&["Schedule"], "spec.schedule", As::Text),
            field(&["Concurrency Policy"], "spec.concurrencyPolicy", As::Text),
            field(&["Suspend"], "spec.suspend", As::Text),
            field(&["Time Zone"], "spec.timeZone", As::Text),
            field(&["Successful Job History Limit"], "spec.successfulJobsHistoryLimit", As::Number),
            field(&["Failed Job History Limit"], "spec.failedJobsHistoryLimit", As::Number),
            field(&["Starting Deadline Seconds"], "spec.startingDeadlineSeconds", As::Number),
            field(&["Parallelism"], "spec.jobTemplate.spec.parallelism", As::Number),
            field(&["Completions"], "spec.jobTemplate.spec.completions", As::Number),
            field(&["Pod Template"], "spec.jobTemplate.spec.template", As::Block(pod::template)),
            field(&["Last Schedule Time"], "status.lastScheduleTime", As::Time),
        ],
        all: None,
        odd_annotations: false,
    },
    Kind {
        name: "services",
        kind: "Service",
        marks: &["Type", "Session Affinity"],
        fields: &[
            field(&["Selector"], "spec.selector", As::Pairs),
            field(&["Type"], "spec.type", As::Text),
            field(&["IP"], "spec.clusterIP", As::Text),
            field(&["IPs"], "spec.clusterIPs", As::List),
            field(&["External IPs"], "spec.externalIPs", As::List),
            optional(&["External Name"], "spec.externalName", As::Text),
            field(&["Session Affinity"], "spec.sessionAffinity", As::Text),
            field(&["External Traffic Policy"], "spec.externalTrafficPolicy", As::Text),
        ],
        all: Some(data::service_ports),
        odd_annotations: false,
    },
    Kind {
        name: "endpoints",
        kind: "Endpoints",
        marks: &["Subsets"],
        fields: &[],
        all: Some(data::subsets),
        odd_annotations: false,
    },
    Kind {
        name: "ingresses.networking.k8s.io",
        kind: "Ingress",
        marks: &["Rules", "Default backend"],
        fields: &[
            field(&["Address"], "", As::Words(&[])),
            field(&["Ingress Class"], "spec.ingressClassName", As::Text),
            field(&["Default backend"], "", As::Words(&[])),
            field(&["Rules"], "", As::Words(&[])),
        ],
        all: None,
        odd_annotations: false,
    },
    Kind {
        name: "persistentvolumes",
        kind: "PersistentVolume",
        marks: &["Claim", "Reclaim Policy", "Source"],
        fields: &[
            field(&["Finalizers"], "metadata.finalizers", As::List),
            field(&["StorageClass"], "spec.storageClassName", As::Text),
            field(&["Status"], "status.phase", As::Phase),
            field(&["Claim"], "spec.claimRef.namespace", As::Split('/', "spec.claimRef.name")),
            field(&["Reclaim Policy"], "spec.persistentVolumeReclaimPolicy", As::Text),
            field(&["Access Modes"], "spec.accessModes", As::Modes),
            field(&["VolumeMode"], "spec.volumeMode", As::Text),
            field(&["Capacity"], "spec.capacity.storage", As::Text),
            field(&["Node Affinity"], "", As::Words(&[])),
            field(&["Message"], "status.message", As::Free),
            field(&["Source"], "spec", As::Block(pod::source)),
        ],
        all: None,
        odd_annotations: false,
    },
    Kind {
        name: "persistentvolumeclaims",
        kind: "PersistentVolumeClaim",
        marks: &["StorageClass", "Volume", "Access Modes"],
        fields: &[
            field(&["StorageClass"], "spec.storageClassName", As::Text),
            field(&["Status"], "status.phase", As::Phase),
            field(&["Volume"], "spec.volumeName", As::Text),
            field(&["Finalizers"], "metadata.finalizers", As::List),
            field(&["Capacity"], "status.capacity.storage", As::Text),
            field(&["Access Modes"], "status.accessModes", As::Modes),
            field(&["VolumeMode"], "spec.volumeMode", As::Text),
            field(&["Used By", "Mounted By"], "", As::Words(&[])),
            STATUS_CONDITIONS,
        ],
        all: None,
        odd_annotations: false,
    },
    Kind {
        name: "storageclasses.storage.k8s.io",
        kind: "StorageClass",
        marks: &["Provisioner", "IsDefaultClass"],
        fields: &[
            field(&["Provisioner"], "provisioner", As::Text),
            field(&["Parameters"], "parameters", As::Pairs),
            field(&["AllowVolumeExpansion"], "allowVolumeExpansion", As::Text),
            field(&["ReclaimPolicy"], "reclaimPolicy", As::Text),
            field(&["VolumeBindingMode"], "volumeBindingMode", As::Text),
        ],
        all: None,
        odd_annotations: true,
    },
    Kind {
        name: "priorityclasses.scheduling.k8s.io",
        kind: "PriorityClass",
        marks: &["Value", "GlobalDefault"],
        fields: &[
            field(&["Value"], "value", As::Number),
            field(&["GlobalDefault"], "globalDefault", As::Flag),
            field(&["PreemptionPolicy"], "preemptionPolicy", As::Text),
            field(&["Description"], "description", As::Free),
        ],
        all: None,
        odd_annotations: true,
    },
    Kind {
        name: "serviceaccounts",
        kind: "ServiceAccount",
        marks: &["Image pull secrets"],
        fields: &[
            field(&["Image pull secrets"], "imagePullSecrets", As::Names("name")),
            field(&["Mountable secrets"], "secrets", As::Names("name")),
            field(&["Tokens"], "", As::Words(&[])),
        ],
        all: None,
        odd_annotations: false,
    },
    Kind {
        name: "horizontalpodautoscalers.autoscaling",
        kind: "HorizontalPodAutoscaler",
        marks: &["Reference", "Min replicas", "Max replicas"],
        fields: &[
            CREATED,
            field(&["Reference"], "spec.scaleTargetRef.kind", As::Split('/', "spec.scaleTargetRef.name")),
            field(&["Min replicas"], "spec.minReplicas", As::Number),
            field(&["Max replicas"], "spec.maxReplicas", As::Number),
            field(
                &["Deployment pods", "StatefulSet pods", "ReplicaSet pods", "ReplicationController pods"],
                "",
                As::Words(&[
                    ("", " current", "status.currentReplicas", true),
                    ("/", " desired", "status.desiredReplicas", false),
                ]),
            ),
            STATUS_CONDITIONS,
        ],
        all: None,
        odd_annotations: false,
    },
    Kind {
        name: "poddisruptionbudgets.policy",
        kind: "PodDisruptionBudget",
        marks: &["Selector", "Status"],
        fields: &[
            field(&["Min available"], "spec.minAvailable", As::Text),
            field(&["Max unavailable"], "spec.maxUnavailable", As::Text),
            MATCH_LABELS,
            field(&["Status"], "status", As::Block(data::disruptions)),
        ],
        all: None,
        odd_annotations: false,
    },
    Kind {
        name: "namespaces",
        kind: "Namespace",
        marks: &["Status"],
        fields: &[field(&["Status"], "status.phase", As::Phase), STATUS_CONDITIONS],
        all: None,
        odd_annotations: false,
    },
    Kind {
        name: "secrets",
        kind: "Secret",
        marks: &["Type"],
        fields: &[field(&["Type"], "type", As::Text)],
        all: Some(data::secret),
        odd_annotations: false,
    },
    Kind {
        name: "configmaps",
        kind: "ConfigMap",
        marks: &[],
        fields: &[],
        all: Some(data::config_map),
        odd_annotations: false,
    },
    Kind {
        name: "resourcequotas",
        kind: "ResourceQuota",
        marks: &[],
        fields: &[field(&["Scopes"], "", As::Words(&[]))],
        all: Some(data::quota),
        odd_annotations: false,
    },
];

const CURRENT_AND_DESIRED: Field = field(
    &["Replicas"],
    "",
    As::Words(&[("", " current", "status.replicas", false), ("/", " desired", "spec.replicas", false)]),
);

/// Labels that head a section of some kind, though no path is read from them.
const OTHER_LABELS: [&str; 8] =
    ["Name", "Namespace", "Labels", "Annotations", "Pods Status", "Volume Claims", "OldReplicaSets", "NewReplicaSet"];

/// Does some typed form have this label?
pub(super) fn is_label(key: &str) -> bool {
    OTHER_LABELS.contains(&key) || KINDS.iter().any(|kind| kind.fields.iter().any(|field| field.labels.contains(&key)))
}

/// A kind by its plural with its group.
pub(super) fn named(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// The kind of a description. Its labels tell it; `hint` decides only between forms that have the same.
pub(super) fn tell(
    hint: Option<&str>,
    lines: &[Line<'_>],
    sections: &[Section<'_, '_>],
    events: &[Line<'_>],
) -> Option<&'static Kind> {
    let has = |label: &str| sections.iter().any(|section| section.key == label);
    let text = |label: &str| sections.iter().find(|section| section.key == label).map_or("", |section| section.text);
    let line = |wanted: &str| lines.iter().any(|(_, line)| line.trim_end() == wanted);
    let marked = |name: &str| named(name).filter(|kind| kind.marks.iter().all(|mark| has(mark)));
    if line("====") && line("Data") {
        return named(if has("Type") { "secrets" } else { "configmaps" });
    }
    if !has("Labels") && lines.iter().any(|(_, line)| data::is_quota_header(line)) {
        return named("resourcequotas");
    }
    if has("Replicas") && has("Pods Status") {
        if text("Replicas").contains(" desired |") {
            return named("statefulsets.apps");
        }
        let by = |component: &str| events.iter().any(|(_, line)| line.contains(component));
        let hashed = lines.iter().any(|(_, line)| line.contains("pod-template-hash="));
        let replica_set = hashed || text("Controlled By").starts_with("Deployment/") || by(" replicaset-controller ");
        let controller = by(" replication-controller ");
        return match (replica_set, controller) {
            (true, false) => named("replicasets.apps"),
            (false, true) => named("replicationcontrollers"),
            _ => match hint? {
                "replicasets" | "replicaset" | "rs" | "replicasets.apps" => named("replicasets.apps"),
                "replicationcontrollers" | "replicationcontroller" | "rc" => named("replicationcontrollers"),
                _ => None,
            },
        };
    }
    if has("Status") && !has("Namespace") && (line("No resource quota.") || line("Resource Quotas")) {
        return named("namespaces");
    }
    // People leave lines out that seem to say nothing. Elsewhere containers stand in a template, or below `Spec`.
    let may_be_pod = hint.is_none_or(|hint| ["pods", "pod", "po"].contains(&hint));
    if may_be_pod
        && has("Containers")
        && ["Node", "Status", "IP", "IPs", "Controlled By", "QoS Class"].into_iter().any(has)
    {
        return named("pods");
    }
    if has("Min available") || has("Max unavailable") {
        return marked("poddisruptionbudgets.policy");
    }
    let telling = [
        "pods",
        "nodes",
        "deployments.apps",
        "daemonsets.apps",
        "jobs.batch",
        "cronjobs.batch",
        "services",
        "endpoints",
        "ingresses.networking.k8s.io",
        "persistentvolumes",
        "persistentvolumeclaims",
        "storageclasses.storage.k8s.io",
        "priorityclasses.scheduling.k8s.io",
        "serviceaccounts",
        "horizontalpodautoscalers.autoscaling",
    ];
    // The end of a text that somebody cut may hold the labels that tell the kind: then those above it do, or who says it.
    let is_node = || named("nodes").filter(|_| has("Unschedulable") && (has("Taints") || has("Roles")));
    let said = || {
        let is_meant =
            |kind: &&Kind| hint.is_some_and(|hint| hint == kind.name || hint.eq_ignore_ascii_case(kind.kind));
        let fits =
            |kind: &&Kind| kind.fields.iter().filter(|field| field.labels.iter().any(|label| has(label))).count() > 1;
        KINDS.iter().filter(is_meant).find(fits)
    };
    telling.into_iter().find_map(marked).or_else(is_node).or_else(said)
}
