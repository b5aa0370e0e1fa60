//! Masks secret values at the moment a fact is made, so that no later code can leak them.
//!
//! Two entrances: [`mask_object`] knows fields (Secrets, ClusterCredentials, names such as `password`);
//! [`mask_text`] knows what secrets look like inside a text (tokens, keys, passwords in URLs and commands).
//! Every string of an object that no field rule masks goes through the second as well.
//!
//! Invariants: a masked value is [`Value::Redacted`] in a tree and `[redacted]` in a text; masking twice
//! changes nothing; a reference to a secret (`secretName`, `tokenRef`) stays readable, because diagnoses
//! need it. One Aho-Corasick automaton looks at every text first; regexes run only after it hit.

use super::kind::KindName;
use super::node::{Node, Value};
use aho_corasick::AhoCorasick;
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::sync::LazyLock;

/// What stands in a text in place of a secret.
const MASK: &str = "[redacted]";

/// Deeper than any tree a parser makes.
const MAX_DEPTH: u32 = 1000;

const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Top-level fields of a ClusterCredential that are secrets.
/// Source: `tkestack/tke:api/platform/v1/types.go@master`, `ClusterCredential`.
const CREDENTIAL_FIELDS: [&str; 14] = [
    "token",
    "caKey",
    "clientKey",
    "clientCert",
    "etcdCAKey",
    "etcdAPIClientKey",
    "bootstrapToken",
    "certificateKey",
    "registryPassword",
    "password",
    "kubeconfig",
    "kubeConfig",
    "bearerToken",
    "impersonateToken",
];

/// Masks secret values of an object in place; returns how many.
pub fn mask_object(kind: Option<&KindName>, node: &mut Node) -> u64 {
    let mut count = 0;
    let plural = kind.map_or("", |kind| kind.plural.as_str());
    if plural == "secrets" {
        for field in ["data", "stringData"] {
            if let Some(node) = child(node, field) {
                count += redact_leaves(node, MAX_DEPTH);
            }
        }
        if let Some(node) =
            child(node, "metadata").and_then(|n| child(n, "annotations")).and_then(|n| child(n, LAST_APPLIED))
        {
            count += redact(node);
        }
    }
    if plural == "clustercredentials" {
        for field in CREDENTIAL_FIELDS {
            if let Some(node) = child(node, field) {
                count += redact_leaves(node, MAX_DEPTH);
            }
        }
    }
    count + walk(node, MAX_DEPTH)
}

fn child<'a>(node: &'a mut Node, key: &str) -> Option<&'a mut Node> {
    match &mut node.value {
        Value::Map(entries) => entries.iter_mut().find(|(k, _)| super::node::same_field(k, key)).map(|(_, n)| n),
        _ => None,
    }
}

/// Masks one scalar that holds something.
fn redact(node: &mut Node) -> u64 {
    if node.value.is_empty() || node.value == Value::Redacted {
        return 0;
    }
    node.value = Value::Redacted;
    1
}

fn redact_leaves(node: &mut Node, depth: u32) -> u64 {
    if depth == 0 {
        return redact(node);
    }
    match &mut node.value {
        Value::Map(entries) => entries.iter_mut().map(|(_, n)| redact_leaves(n, depth - 1)).sum(),
        Value::List(items) => items.iter_mut().map(|n| redact_leaves(n, depth - 1)).sum(),
        _ => redact(node),
    }
}

fn walk(node: &mut Node, depth: u32) -> u64 {
    if depth == 0 {
        return redact(node);
    }
    match &mut node.value {
        Value::List(items) => items.iter_mut().map(|n| walk(n, depth - 1)).sum(),
        Value::Map(entries) => {
            let mut count = 0;
            if env_is_secret(entries) {
                for (key, node) in entries.iter_mut() {
                    if &**key == "value" {
                        count += redact_string(node);
                    }
                }
            }
            for (key, node) in entries.iter_mut() {
                count += if &**key == LAST_APPLIED {
                    mask_json_text(node)
                } else if is_secret_name(key) || is_encryption_keys(key, node) {
                    redact_named(node, depth - 1)
                } else {
                    walk(node, depth - 1)
                };
            }
            count
        }
        Value::Str(text) | Value::Text(text) => match mask_text(text) {
            (Cow::Borrowed(_), _) => 0,
            (Cow::Owned(masked), count) => {
                // Nothing but the secret: then the value as a whole is redacted, and equal to nothing.
                if masked == MASK {
                    node.value = Value::Redacted;
                } else if let Value::Str(text) | Value::Text(text) = &mut node.value {
                    *text = masked.into();
                }
                count
            }
        },
        _ => 0,
    }
}

fn redact_string(node: &mut Node) -> u64 {
    match node.value {
        Value::Str(_) | Value::Text(_) => redact(node),
        Value::Int(_) | Value::UInt(_) | Value::Float(_) => redact(node),
        _ => 0,
    }
}

/// A field whose name says that its value is a secret. `keys: [{name, secret}]` of an
/// EncryptionConfiguration arrives here as the list.
fn redact_named(node: &mut Node, depth: u32) -> u64 {
    match &mut node.value {
        Value::List(items) if items.iter().all(|n| !matches!(n.value, Value::Map(_) | Value::List(_))) => {
            items.iter_mut().map(redact_string).sum()
        }
        Value::List(items) if items.iter().all(|n| n.get("secret").is_some()) => {
            items.iter_mut().filter_map(|n| child(n, "secret")).map(redact_string).sum()
        }
        Value::Map(_) | Value::List(_) => walk(node, depth),
        _ => redact_string(node),
    }
}

/// `keys` of an EncryptionConfiguration provider.
/// Source: `kubernetes/apiserver:pkg/apis/apiserver/v1/types_encryption.go@v0.31`.
fn is_encryption_keys(key: &str, node: &Node) -> bool {
    key == "keys"
        && !node.items().is_empty()
        && node.items().iter().all(|n| n.get("name").is_some() && n.get("secret").is_some_and(|s| s.as_str().is_some()))
}

/// An environment variable (`{name: DB_PASSWORD, value: ...}`) with a telling name.
fn env_is_secret(entries: &[(Box<str>, Node)]) -> bool {
    entries.iter().any(|(key, node)| &**key == "name" && node.as_str().is_some_and(is_secret_name))
        && entries.iter().any(|(key, _)| &**key == "value")
}

/// Does the name of a field or variable say that its value is a secret? Names of references end otherwise
/// (`tokenSecretName`, `bootstrapTokenRef`, `tokenPath`), so the end decides.
pub(crate) fn is_secret_name(name: &str) -> bool {
    // Label and annotation keys have a domain in front.
    let name = name.rsplit('/').next().unwrap_or(name);
    if name.len() < 4 || name.len() > 80 || !name.is_ascii() {
        return false;
    }
    let folded: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    const ENDS: [&str; 17] = [
        "password",
        "passwd",
        "passphrase",
        "token",
        "tokensecret",
        "secretkey",
        "clientsecret",
        "secretaccesskey",
        "privatekey",
        "privatekeydata",
        "apikey",
        "accesskey",
        "clientkeydata",
        "certificatekey",
        "cakey",
        "authkey",
        "dockerconfigjson",
    ];
    ENDS.iter().any(|end| folded.ends_with(end))
        // The paging mark of a list is no credential, and says that the list is not whole.
        && folded != "continuetoken"
}

/// An annotation that holds an object as JSON: masked as a whole if anything in it is secret.
fn mask_json_text(node: &mut Node) -> u64 {
    let Some(text) = node.as_str() else { return 0 };
    let mut inner = match crate::parse::json::json_values(text, 100).pop() {
        Some(inner) => inner,
        None => Node::new(node.line, Value::Str(text.into())),
    };
    let is_secret = inner.get("kind").and_then(Node::as_str) == Some("Secret");
    let is_credential = inner.get("kind").and_then(Node::as_str) == Some("ClusterCredential");
    let kind = if is_secret {
        Some(KindName::parse("secrets"))
    } else if is_credential {
        Some(KindName::parse("clustercredentials.platform.tkestack.io"))
    } else {
        None
    };
    if mask_object(kind.as_ref(), &mut inner) > 0 { redact(node) } else { 0 }
}

/// Literals of which one is in every text that may hold a secret. Case does not count.
const MARKS: [&str; 14] = [
    "eyJ",
    "private key",
    "LS0tLS1CRUdJTi",
    "password",
    "passwd",
    "passphrase",
    "token",
    "secret",
    "bearer",
    "apikey",
    "api-key",
    "api_key",
    "AKIA",
    "ASIA",
];

static PREFILTER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(MARKS.iter().copied().chain(["://", "-key-data", "authorization"]))
        .ok()
});

/// One way a secret looks: the regex, and which group is masked.
struct Look {
    regex: Regex,
    sure: Sure,
}

/// A further test of a whole match: false keeps it.
type Sure = fn(&Captures<'_>) -> bool;

static LOOKS: LazyLock<Vec<Look>> = LazyLock::new(|| {
    let always: Sure = |_| true;
    let table: [(&str, Sure); 11] = [
        // A private key, with real or written line ends; to the end of the text if its end is missing.
        (r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----(?P<s>.*?)(?:-----END [A-Z ]*PRIVATE KEY-----|\z)", always),
        // The same in base64: RSA, EC, PKCS#8, OPENSSH, ENCRYPTED. A certificate starts otherwise.
        (r"(?P<s>LS0tLS1CRUdJTi(?:BSU0Eg|BFQyB|BQUklWQVRF|BPUEVOU1NI|BFTkNSWVBURU)[A-Za-z0-9+/=]*)", always),
        // JWT.
        (r"(?P<s>\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)", always),
        // The payload of a kubeconfig or a cloud-init in base64 JSON is not looked into; bearer tokens are.
        (r"(?i)\b(?:bearer|basic)\s+(?P<s>[A-Za-z0-9._~+/-]{16,}=*)", |c| looks_random(&c["s"])),
        // user:password@ in a URL.
        (r#"://[^\s/:@"']*:(?P<s>[^\s/@"']+)@"#, always),
        // --password=x, --token x
        (
            r#"(?i)--[a-z-]*(?:password|passwd|token|secret|api-key|certificate-key)(?:=|\s+)["']?(?P<s>[^\s"'-][^\s"',]*)"#,
            always,
        ),
        // password: x, "password":"x", password=x, MYSQL_PASSWORD=x
        (
            r#"(?i)(?:password|passwd|passphrase|secret_?-?(?:access_?-?)?key|client_?-?secret|private_?-?key|api_?-?key|client-key-data)\\?["']?\s*[:=]\s*\\?["']?(?P<s>[^\s"'\\,;&}\]\[{)(]{3,})"#,
            |c| {
                !matches!(c["s"].to_ascii_lowercase().as_str(), "null" | "nil" | "none" | "true" | "false" | "redacted")
            },
        ),
        // token: x. A word is no token; a token has digits and length.
        (r#"(?i)token\\?["']?\s*[:=]\s*\\?["']?(?P<s>[A-Za-z0-9._~+/:-]{8,}=*)"#, |c| looks_random(&c["s"])),
        // kubeadm bootstrap token. The name of an Event ends alike (`cp-1.17d0a1b2c3d4e5f6`), so a text without
        // the word is left alone.
        (r"(?i)token[^\n]{0,200}?(?:^|[^a-z0-9.-])(?P<s>[a-z0-9]{6}\.[a-z0-9]{16})(?:[^a-z0-9.-]|$)", always),
        (r"\b(?P<s>(?:AKIA|ASIA)[A-Z0-9]{16})\b", always),
        (r#"(?i)aws_secret_access_key["']?\s*[:=]\s*["']?(?P<s>[A-Za-z0-9/+]{30,})"#, always),
    ];
    table.into_iter().filter_map(|(regex, sure)| Some(Look { regex: Regex::new(regex).ok()?, sure })).collect()
});

/// Letters and digits mixed, not a word, a version, an address or a digest.
fn looks_random(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    let is_bootstrap = text.len() == 23 && text.as_bytes().get(6) == Some(&b'.');
    is_bootstrap
        || text.len() >= 16 && digits >= 2 && letters >= 4 && !text.contains("://") && !text.starts_with("sha256:")
}

/// Masks tokens, private keys and passwords in a text (a line or several); returns how many.
pub fn mask_text(text: &str) -> (Cow<'_, str>, u64) {
    let hit = PREFILTER.as_ref().is_none_or(|prefilter| prefilter.is_match(text));
    if !hit {
        return (Cow::Borrowed(text), 0);
    }
    let mut text = Cow::Borrowed(text);
    let mut count = 0;
    for look in LOOKS.iter() {
        let mut out = String::new();
        let mut from = 0;
        for captures in look.regex.captures_iter(&text) {
            let Some(secret) = captures.name("s") else { continue };
            // What a colleague or an earlier rule masked is no secret any more.
            let done = secret.as_str().is_empty()
                || secret.as_str().starts_with(MASK)
                || secret.as_str().starts_with("[redacted")
                || secret.as_str().chars().all(|c| c == '*')
                || secret.as_str().starts_with("***");
            if done || !(look.sure)(&captures) {
                continue;
            }
            out.push_str(&text[from..secret.start()]);
            out.push_str(MASK);
            from = secret.end();
            count += 1;
        }
        if from > 0 {
            out.push_str(&text[from..]);
            text = Cow::Owned(out);
        }
    }
    (text, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(text: &str) -> String {
        mask_text(text).0.into_owned()
    }

    fn object(kind: &str, json: &str) -> (String, u64) {
        let mut node = crate::parse::json::to_node(json, 1, 100).unwrap();
        let count = mask_object(Some(&KindName::parse(kind)), &mut node);
        (node.to_string(), count)
    }

    #[test]
    fn texts_with_secrets() {
        let jwt = "eyJhbGciOiJSUzI1NiIsImtpZCI6Ij.eyJpc3MiOiJrdWJlcm5ldGVz.c2lnbmF0dXJl-_x";
        insta::assert_snapshot!(mask(&format!("Authorization: Bearer {jwt}, next")), @"Authorization: Bearer [redacted], next");
        insta::assert_snapshot!(mask(&format!("got {jwt}")), @"got [redacted]");
        insta::assert_snapshot!(mask("GET https://admin:s3cr3t@10.0.0.1:6443/x failed"), @"GET https://admin:[redacted]@10.0.0.1:6443/x failed");
        insta::assert_snapshot!(mask("run --password=hunter2 --v=4"), @"run --password=[redacted] --v=4");
        insta::assert_snapshot!(mask("kubeadm join 10.0.0.1:6443 --token abcdef.0123456789abcdef --v 5"), @"kubeadm join 10.0.0.1:6443 --token [redacted] --v 5");
        insta::assert_snapshot!(mask("bootstrap token abcdef.0123456789abcdef expired"), @"bootstrap token [redacted] expired");
        insta::assert_snapshot!(mask(r#"{"user":"x","password":"hunter2"}"#), @r#"{"user":"x","password":"[redacted]"}"#);
        insta::assert_snapshot!(mask(r#"{\"password\":\"hunter2\"}"#), @r#"{\"password\":\"[redacted]\"}"#);
        insta::assert_snapshot!(mask("key AKIAIOSFODNN7EXAMPLE used"), @"key [redacted] used");
        insta::assert_snapshot!(
            mask(r"k: -----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----\n end"),
            @r"k: -----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----\n end"
        );
        insta::assert_snapshot!(mask("-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE"), @"-----BEGIN EC PRIVATE KEY-----[redacted]");
        insta::assert_snapshot!(mask("key: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUk= end"), @"key: [redacted] end");
    }

    #[test]
    fn texts_that_look_like_it_and_are_none() {
        for text in [
            "etcdserver: no leader",
            "token=",
            "invalid bearer token, token has expired",
            "error: token: unexpected end of file",
            "image registry.example/app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
            "Get \"https://10.0.0.1:6443/healthz\": dial tcp 10.0.0.1:6443: connect: connection refused",
            "secret \"wl-blue-kubeconfig\" not found",
            "MountVolume.SetUp failed for volume \"kube-api-access-abcde\" : failed to fetch token: Unauthorized",
            "event cp-abcdef.17d0a1b2c3d4e5f6",
            "passwordSecretRef: my-secret",
            "serviceaccounts \"default\" is forbidden: cannot create resource \"serviceaccounts/token\"",
            "password: null",
            "ca: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSQ==",
        ] {
            assert_eq!(mask(text), text);
        }
    }

    #[test]
    fn masking_twice_changes_nothing() {
        for text in ["--token abcdef.0123456789abcdef", "password=hunter2 x", "a://b:c@d", "Bearer abcdefgh12345678"] {
            let once = mask(text);
            assert_eq!(mask_text(&once), (Cow::Borrowed(once.as_str()), 0));
        }
    }

    #[test]
    fn objects_with_secrets() {
        insta::assert_debug_snapshot!(
            object("secrets", r#"{"data":{"a":"eA==","b":""},"stringData":{"c":"d"},"metadata":{"name":"n","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}"}}}"#),
            @r#"
        (
            "data: a: [redacted], b: , stringData: c: [redacted], metadata: name: n, annotations: kubectl.kubernetes.io/last-applied-configuration: [redacted]",
            3,
        )
        "#
        );
        let (text, count) = object(
            "clustercredentials.platform.tkestack.io",
            r#"{"metadata":{"name":"cc-1"},"clusterName":"wl","token":"a","caKey":"bbb","tenantID":"t"}"#,
        );
        assert_eq!(
            (text.as_str(), count),
            ("metadata: name: cc-1, clusterName: wl, token: [redacted], caKey: [redacted], tenantID: t", 2)
        );
        let (text, _) = object(
            "pods",
            r#"{"env":[{"name":"DB_PASSWORD","value":"x"},{"name":"LEVEL","value":"debug"},{"name":"API_TOKEN","valueFrom":{"secretKeyRef":{"name":"s","key":"token"}}}]}"#,
        );
        assert_eq!(
            text,
            "env: name: DB_PASSWORD, value: [redacted], name: LEVEL, value: debug, name: API_TOKEN, valueFrom: secretKeyRef: name: s, key: token"
        );
        let (text, _) = object(
            "kubeadmconfigs",
            r#"{"discovery":{"bootstrapToken":{"token":"abcdef.0123456789abcdef","caCertHashes":["sha256:aa"]}},"bootstrapTokenRef":"r","tokenSecretName":"n","automountServiceAccountToken":true,"password":""}"#,
        );
        assert_eq!(
            text,
            "discovery: bootstrapToken: token: [redacted], caCertHashes: sha256:aa, bootstrapTokenRef: r, tokenSecretName: n, automountServiceAccountToken: true, password: "
        );
    }

    #[test]
    fn the_last_applied_annotation_of_any_object() {
        let keep = r#"{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"kind\":\"ConfigMap\"}"}}}"#;
        assert_eq!(object("configmaps", keep).1, 0);
        let hide = r#"{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"kind\":\"ClusterCredential\",\"caKey\":\"x\"}"}}}"#;
        assert_eq!(object("configmaps", hide).1, 1);
    }

    #[test]
    fn encryption_keys() {
        let (text, count) = object("", r#"{"aescbc":{"keys":[{"name":"key1","secret":"c2VjcmV0"}]}}"#);
        assert_eq!((text.as_str(), count), ("aescbc: keys: name: key1, secret: [redacted]", 1));
    }
}
