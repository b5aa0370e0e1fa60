//! What messages of the kubelet, the scheduler and the controllers say: their classes are `patterns/wordings.yaml`, what
//! they name (an object, a taint, a webhook) is taken out here.
//!
//! Sources: `kubernetes/kubernetes:pkg/kubelet/images/types.go`, `pkg/kubelet/kubelet_pods.go`
//! (`configmap "x" not found` comes from client-go's NotFound), `pkg/scheduler/framework/plugins/*`,
//! `pkg/controller/replicaset/replica_set.go` (FailedCreate), containerd's and CRI-O's pull errors.
//!
//! Invariant: a message of unknown wording has no class; it is never pressed into one.

use catalogue::wordings;
use regex::Regex;
use std::sync::LazyLock;

/// Why an image could not be pulled, from the text of the runtime; `None` if the text tells no reason.
pub(crate) fn pull_problem(text: &str) -> Option<&'static str> {
    wordings::first("image-cannot-be-pulled", text).map(|wording| wording.means.as_str())
}

/// The host of a registry in an image name; images without one come from docker.io.
pub(crate) fn registry(image: &str) -> String {
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

/// Does a message say that the executable of a container cannot be run?
pub(crate) fn not_executable(text: &str) -> bool {
    wordings::first("container-cannot-be-started", text).is_some()
}

/// Why the scheduler found no node, as it counts: `0/3 nodes are available: 1 Insufficient cpu, ...`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Unschedulable {
    /// Reasons in a fixed wording.
    pub reasons: Vec<&'static str>,
    /// Taints of nodes that the Pod does not tolerate, by key.
    pub taints: Vec<String>,
}

static TAINT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"taints? \{([^:}\s]+)").ok());

/// Reads a message of FailedScheduling.
pub(crate) fn unschedulable(text: &str) -> Unschedulable {
    // What preemption adds repeats the same counts in other words.
    let text = text.split("preemption:").next().unwrap_or(text);
    let lower = text.to_ascii_lowercase();
    let mut read = wordings::group("no-node-fits").map(|group| group.read(text)).unwrap_or_default();
    if lower.contains("anti-affinity") {
        let of_nodes = lower.contains("node affinity/selector") || lower.contains("node selector");
        read.retain(|wording| wording.class != "node-affinity" || of_nodes);
    }
    let mut reasons: Vec<&'static str> = read.iter().map(|wording| wording.means.as_str()).collect();
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
pub(crate) struct FailedCreate {
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
    let named = |regex: &LazyLock<Option<Regex>>| {
        let found = regex.as_ref()?.captures(text)?;
        (1..found.len()).find_map(|i| found.get(i)).map(|m| m.as_str().trim_end_matches(',').to_owned())
    };
    let webhook = named(&WEBHOOK);
    let service_account = named(&SERVICE_ACCOUNT);
    let known = wordings::first("pod-not-created", text);
    let why = known.map_or("the API server refuses it", |wording| wording.means.as_str());
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
