//! What messages of the kubelet, the scheduler and the controllers say, as classes.
//!
//! Sources: `kubernetes/kubernetes:pkg/kubelet/images/types.go`, `pkg/kubelet/kubelet_pods.go`
//! (`configmap "x" not found` comes from client-go's NotFound), `pkg/scheduler/framework/plugins/*`,
//! `pkg/controller/replicaset/replica_set.go` (FailedCreate), containerd's and CRI-O's pull errors.
//!
//! Invariant: a message of unknown wording has no class; it is never pressed into one.

use regex::Regex;
use std::sync::LazyLock;

/// Why an image could not be pulled, from the text of the runtime; `None` if the text tells no reason.
pub(crate) fn pull_problem(text: &str) -> Option<&'static str> {
    let has = |parts: &[&str]| {
        let text = text.to_ascii_lowercase();
        parts.iter().any(|part| text.contains(part))
    };
    if has(&["couldn't parse image", "invalid reference format", "failed to apply default image tag"]) {
        Some("the image name is not valid")
    } else if has(&["toomanyrequests", "too many requests", "pull rate limit", "429 "]) {
        Some("the registry limits the rate of pulls")
    } else if has(&["x509:", "certificate signed by unknown authority", "tls: failed to verify"]) {
        Some("the certificate of the registry is not trusted")
    } else if has(&["server gave http response to https client"]) {
        Some("the registry speaks HTTP where HTTPS was expected")
    } else if has(&[
        "no such host",
        "i/o timeout",
        "connection refused",
        "no route to host",
        "network is unreachable",
        "tls handshake timeout",
        "connection reset by peer",
        "temporary failure in name resolution",
        "server misbehaving",
        "client.timeout exceeded",
        "context deadline exceeded",
    ]) {
        Some("the registry cannot be reached")
    } else if has(&[
        "repository does not exist or may require",
        "may require 'docker login'",
        "may require authorization",
    ]) {
        Some("the image does not exist there, or may only be pulled with credentials")
    } else if has(&[
        "unauthorized",
        "401 ",
        "authentication required",
        "403 forbidden",
        "insufficient_scope",
        "access denied",
        "denied:",
    ]) {
        Some("the registry refuses the credentials")
    } else if has(&["manifest unknown", "not found", "name unknown", "does not exist", "404 "]) {
        Some("the registry does not have this image or tag")
    } else if has(&["no space left on device"]) {
        Some("the disk of the node is full")
    } else if has(&["errimageneverpull", "is not present with pull policy of never"]) {
        Some("the image is not on the node, and its pull policy forbids pulling")
    } else {
        None
    }
}

/// The host of a registry in an image name; images without one come from docker.io.
pub fn registry(image: &str) -> String {
    match image.split_once('/') {
        Some((host, _)) if host.contains('.') || host.contains(':') || host == "localhost" => host.to_owned(),
        _ => "docker.io".to_owned(),
    }
}

/// A ConfigMap or Secret that a message says is missing, with the key if only that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MissingReference {
    /// `ConfigMap` or `Secret`.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// The missing key, if the object itself may exist.
    pub key: Option<String>,
}

static MISSING: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?i)\b(configmaps?|secrets?) \\?"([^"\\]+)\\?" not found"#).ok());
static MISSING_KEY: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)couldn't find key (\S+) in (ConfigMap|Secret) (?:[^/\s]+/)?(\S+)").ok());
static MISSING_VOLUME_KEY: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"references non-existent (config|secret) key: (\S+)").ok());

/// What a message says is missing.
pub(crate) fn missing_reference(text: &str) -> Option<MissingReference> {
    let kind = |text: &str| if text.to_ascii_lowercase().starts_with("config") { "ConfigMap" } else { "Secret" };
    let group = |found: &regex::Captures<'_>, i: usize| found.get(i).map(|m| m.as_str().to_owned());
    if let Some(found) = MISSING_KEY.as_ref().and_then(|regex| regex.captures(text)) {
        let name = group(&found, 3)?.trim_end_matches([',', '.', ';']).to_owned();
        return Some(MissingReference { kind: kind(&group(&found, 2)?), name, key: group(&found, 1) });
    }
    if let Some(found) = MISSING_VOLUME_KEY.as_ref().and_then(|regex| regex.captures(text)) {
        return Some(MissingReference { kind: kind(&group(&found, 1)?), name: "?".to_owned(), key: group(&found, 2) });
    }
    let found = MISSING.as_ref()?.captures(text)?;
    Some(MissingReference { kind: kind(&group(&found, 1)?), name: group(&found, 2)?, key: None })
}

/// Does a message say that the executable of a container cannot be run? Covers runc, crun and shells.
pub(crate) fn not_executable(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    [
        "executable file not found",
        "exec format error",
        "no such file or directory: unknown",
        "permission denied: unknown",
        "unable to start container process",
        "starting container process caused",
    ]
    .iter()
    .any(|part| text.contains(part))
}

/// Why the scheduler found no node, as it counts: `0/3 nodes are available: 1 Insufficient cpu, ...`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unschedulable {
    /// Reasons in a fixed wording.
    pub reasons: Vec<&'static str>,
    /// Taints of nodes that the Pod does not tolerate, by key.
    pub taints: Vec<String>,
}

static TAINT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"taints? \{([^:}\s]+)").ok());

/// Reads a message of FailedScheduling.
pub fn unschedulable(text: &str) -> Unschedulable {
    // What preemption adds repeats the same counts in other words.
    let text = text.split("preemption:").next().unwrap_or(text);
    let lower = text.to_ascii_lowercase();
    let known: [(&str, &[&str]); 12] = [
        ("not enough cpu", &["insufficient cpu"]),
        ("not enough memory", &["insufficient memory"]),
        ("not enough ephemeral storage", &["insufficient ephemeral-storage"]),
        ("too many Pods on the nodes", &["too many pods", "insufficient pods"]),
        (
            "the node selector or node affinity matches no node",
            &[
                "didn't match pod's node affinity",
                "didn't match node selector",
                "didn't match pod's node selector",
                "didn't match pod affinity/selector",
            ],
        ),
        (
            "Pod affinity or anti-affinity",
            &["didn't match pod affinity", "didn't match pod anti-affinity", "anti-affinity rules"],
        ),
        ("topology spread constraints", &["topology spread constraints"]),
        ("no free host port", &["didn't have free ports"]),
        ("the volume is bound to another zone or node", &["volume node affinity conflict", "no available volume zone"]),
        (
            "a PersistentVolumeClaim is not bound",
            &["unbound immediate persistentvolumeclaims", "didn't find available persistent volumes to bind"],
        ),
        ("a PersistentVolumeClaim does not exist", &["persistentvolumeclaim \""]),
        ("nodes are cordoned", &["were unschedulable"]),
    ];
    let mut reasons: Vec<&'static str> = known
        .iter()
        .filter(|(_, texts)| texts.iter().any(|text| lower.contains(text)))
        .map(|(reason, _)| *reason)
        .collect();
    if lower.contains("anti-affinity") {
        reasons.retain(|reason| {
            !reason.starts_with("the node selector")
                || lower.contains("node affinity/selector")
                || lower.contains("node selector")
        });
    }
    if reasons.is_empty() && lower.contains("insufficient ") {
        reasons.push("not enough of an extended resource");
    }
    let mut taints: Vec<String> = TAINT
        .as_ref()
        .map(|regex| regex.captures_iter(text).filter_map(|found| Some(found.get(1)?.as_str().to_owned())).collect())
        .unwrap_or_default();
    taints.sort();
    taints.dedup();
    Unschedulable { reasons, taints }
}

/// Why a controller could not create a Pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedCreate {
    /// In a fixed wording.
    pub why: &'static str,
    /// The webhook that failed or denied, if one did.
    pub webhook: Option<String>,
    /// The missing ServiceAccount, if that is why.
    pub service_account: Option<String>,
}

static WEBHOOK: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?:failed calling|failed to call|admission) webhook \\?"([^"\\]+)\\?""#).ok());
static SERVICE_ACCOUNT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?:error looking up service account (\S+?): |service account (\S+?) was not found|serviceaccount \\?"([^"\\]+)\\?" not found)"#,
    )
    .ok()
});

/// Reads a message of FailedCreate.
pub(crate) fn failed_create(text: &str) -> FailedCreate {
    let lower = text.to_ascii_lowercase();
    let named = |regex: &LazyLock<Option<Regex>>| {
        let found = regex.as_ref()?.captures(text)?;
        (1..found.len()).find_map(|i| found.get(i)).map(|m| m.as_str().trim_end_matches(',').to_owned())
    };
    let webhook = named(&WEBHOOK);
    let service_account = named(&SERVICE_ACCOUNT);
    let why = if lower.contains("failed calling webhook") || lower.contains("failed to call webhook") {
        "an admission webhook cannot be called"
    } else if lower.contains("admission webhook") && lower.contains("denied the request") {
        "an admission webhook denies it"
    } else if lower.contains("exceeded quota") {
        "a ResourceQuota is used up"
    } else if lower.contains("failed quota") {
        "a ResourceQuota demands requests or limits that the Pod does not state"
    } else if service_account.is_some() {
        "its ServiceAccount does not exist"
    } else if lower.contains("violates podsecurity") {
        "Pod Security admission forbids it"
    } else if lower.contains("security context constraint") {
        "no SecurityContextConstraints allow it"
    } else if lower.contains("podsecuritypolicy") || lower.contains("pod security policy") {
        "no PodSecurityPolicy allows it"
    } else if lower.contains("per container is") || lower.contains("per pod is") {
        "a LimitRange forbids it"
    } else if lower.contains("forbidden") {
        "the API server forbids it"
    } else {
        "the API server refuses it"
    };
    FailedCreate { why, webhook, service_account }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pulls_by_what_the_runtime_says() {
        let said = |text| pull_problem(text).unwrap_or("-");
        insta::assert_snapshot!(said("dial tcp: lookup registry.example.com on 10.0.0.2:53: read udp 10.0.0.9:1->10.0.0.2:53: i/o timeout"), @"the registry cannot be reached");
        insta::assert_snapshot!(said("pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed"), @"the image does not exist there, or may only be pulled with credentials");
        insta::assert_snapshot!(said("unexpected status code 401 Unauthorized"), @"the registry refuses the credentials");
        insta::assert_snapshot!(said("registry.example.com/a/b:9: not found"), @"the registry does not have this image or tag");
        insta::assert_snapshot!(said("toomanyrequests: You have reached your pull rate limit"), @"the registry limits the rate of pulls");
        insta::assert_snapshot!(said("x509: certificate signed by unknown authority"), @"the certificate of the registry is not trusted");
        insta::assert_snapshot!(said("Back-off pulling image \"x\""), @"-");
    }

    #[test]
    fn what_a_message_says_is_missing() {
        let said =
            |text| missing_reference(text).map(|m| format!("{} {} {:?}", m.kind, m.name, m.key)).unwrap_or_default();
        insta::assert_snapshot!(said("Error: configmap \"app-config\" not found"), @"ConfigMap app-config None");
        insta::assert_snapshot!(said("MountVolume.SetUp failed for volume \"tls\" : secret \"edge-tls\" not found"), @"Secret edge-tls None");
        insta::assert_snapshot!(said("couldn't find key url in ConfigMap shop/app-config"), @r#"ConfigMap app-config Some("url")"#);
        insta::assert_snapshot!(said("serviceaccount \"x\" not found"), @"");
    }

    #[test]
    fn why_no_node_fits() {
        let said = |text| format!("{:?}", unschedulable(text));
        insta::assert_snapshot!(said("0/3 nodes are available: 1 node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate, 2 Insufficient cpu."), @r#"Unschedulable { reasons: ["not enough cpu"], taints: ["node-role.kubernetes.io/master"] }"#);
        insta::assert_snapshot!(said("0/2 nodes are available: 2 node(s) had untolerated taint {node.kubernetes.io/not-ready: }. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."), @r#"Unschedulable { reasons: [], taints: ["node.kubernetes.io/not-ready"] }"#);
        insta::assert_snapshot!(said("0/2 nodes are available: 2 pod has unbound immediate PersistentVolumeClaims."), @r#"Unschedulable { reasons: ["a PersistentVolumeClaim is not bound"], taints: [] }"#);
        insta::assert_snapshot!(said("0/2 nodes are available: 2 node(s) didn't match node selector."), @r#"Unschedulable { reasons: ["the node selector or node affinity matches no node"], taints: [] }"#);
    }

    #[test]
    fn why_a_pod_was_not_created() {
        let said = |text| {
            let f = failed_create(text);
            format!("{} {:?} {:?}", f.why, f.webhook, f.service_account)
        };
        insta::assert_snapshot!(said("pods \"b-1\" is forbidden: exceeded quota: small, requested: pods=1, used: pods=1, limited: pods=1"), @"a ResourceQuota is used up None None");
        insta::assert_snapshot!(said("pods \"r-\" is forbidden: error looking up service account ops/builder: serviceaccount \"builder\" not found"), @r#"its ServiceAccount does not exist None Some("ops/builder")"#);
        insta::assert_snapshot!(said("Internal error occurred: failed calling webhook \"check.example.com\": failed to call webhook: Post \"https://check.ops.svc:443/v?timeout=5s\": dial tcp 10.96.1.1:443: connect: connection refused"), @r#"an admission webhook cannot be called Some("check.example.com") None"#);
        insta::assert_snapshot!(said("admission webhook \"check.example.com\" denied the request: no"), @r#"an admission webhook denies it Some("check.example.com") None"#);
    }
}
