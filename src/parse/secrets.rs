//! Masks secret values at the moment a fact is made, so that no later code can leak them.
//!
//! Two entrances: [`mask_object`] knows fields (Secrets, ClusterCredentials, names such as `password`);
//! [`mask_text`] knows what secrets look like inside a text (tokens, keys, passwords in URLs and commands).
//! Every string of an object that no field rule masks goes through the second as well.
//!
//! Invariants: a masked value is [`Value::Redacted`] in a tree and `[redacted]` in a text; masking twice
//! changes nothing; a reference to a secret (`secretName`, `tokenRef`) stays readable, because diagnoses
//! need it. One Aho-Corasick automaton looks at every text first; a regex runs only where one of its own literals hit.

use aho_corasick::AhoCorasick;
use facts::kind::KindName;
use facts::mask::Mask;
use facts::node::{Node, Value};
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::sync::LazyLock;

/// What stands in a text in place of a secret.
const MASK: &str = "[redacted]";

/// Deeper than any tree a parser makes.
const MAX_DEPTH: u32 = 1000;

/// Documents with secrets inside a value are read to this depth.
const NESTING: u32 = 50;

/// Longest value that is taken for an EncryptionConfiguration.
const MAX_CONFIGURATION_BYTES: usize = 1 << 20;

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
        Value::Map(entries) => entries.iter_mut().find(|(k, _)| facts::node::same_field(k, key)).map(|(_, n)| n),
        _ => None,
    }
}

/// Masks one scalar that holds something.
fn redact(node: &mut Node) -> u64 {
    if node.value.is_empty() || node.value.is_redacted() {
        return 0;
    }
    let mask = node.value.scalar().map(|secret| Box::new(mask_of(&secret, node.line)));
    node.value = Value::Redacted(mask);
    1
}

/// What is still known of a secret that stands at a line. Of one that is an EncryptionConfiguration, all but its keys.
fn mask_of(secret: &str, line: u32) -> Mask {
    Mask::holding(secret, |text| encryption_configuration(text, line))
}

/// Does a text hold an EncryptionConfiguration?
/// Source: `kubernetes/apiserver:pkg/apis/apiserver/v1/types_encryption.go@v0.31`.
fn is_encryption_configuration(text: &str) -> bool {
    text.len() <= MAX_CONFIGURATION_BYTES
        && text.contains("EncryptionConfiguration")
        && text.contains("apiserver.config.k8s.io")
}

/// The EncryptionConfiguration in a text, its keys masked.
fn encryption_configuration(text: &str, line: u32) -> Option<Node> {
    if !is_encryption_configuration(text) {
        return None;
    }
    let documents = crate::manifest::trees(text, line, NESTING);
    let is_one = |node: &Node| node.get("kind").and_then(Node::as_str) == Some("EncryptionConfiguration");
    let mut found = documents.into_iter().find(is_one)?;
    mask_object(None, &mut found);
    Some(found)
}

/// Masks everything that a node holds; returns how many values.
pub(crate) fn redact_whole(node: &mut Node) -> u64 {
    redact_leaves(node, MAX_DEPTH)
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
                } else if &**key == "auths" {
                    // What `docker login` keeps: `auths.<registry>.{auth,password}`.
                    redact_leaves(node, depth - 1)
                } else if is_secret_name(key) || is_encryption_keys(key, node) {
                    redact_named(node, depth - 1)
                } else {
                    walk(node, depth - 1)
                };
            }
            count
        }
        Value::Str(text) | Value::Text(text) if is_encryption_configuration(text) => redact(node),
        Value::Str(text) | Value::Text(text) => match mask_text(text) {
            (Cow::Borrowed(_), _) => 0,
            (Cow::Owned(masked), count) => {
                // Nothing but the secret: then the value as a whole is redacted, and equal to nothing.
                if masked == MASK {
                    let mask = Box::new(mask_of(text, node.line));
                    node.value = Value::Redacted(Some(mask));
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
    match &node.value {
        // A switch, as `kubectl describe` prints `automountServiceAccountToken`.
        Value::Str(text) | Value::Text(text) if matches!(&**text, "true" | "false" | "<none>" | "<unset>") => 0,
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
pub fn is_secret_name(name: &str) -> bool {
    // Label and annotation keys have a domain in front, keys of properties a path.
    let name = name.rsplit(['/', '.']).next().unwrap_or(name);
    if name.len() < 4 || name.len() > 80 || !name.is_ascii() {
        return false;
    }
    let folded: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    const ENDS: [&str; 20] = [
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
        "cookiesecret",
        "sessionsecret",
        "sharedsecret",
    ];
    ENDS.iter().any(|end| folded.ends_with(end))
        // The paging mark of a list is no credential, and says that the list is not whole. etcd's token of a
        // new cluster tells clusters apart.
        && !["continuetoken", "initialclustertoken"].iter().any(|end| folded.ends_with(end))
}

/// An annotation that holds an object as JSON: masked as a whole if anything in it is secret.
fn mask_json_text(node: &mut Node) -> u64 {
    let Some(text) = node.as_str() else { return 0 };
    let mut inner = match crate::json::json_values(text, 100).pop() {
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

/// One way a secret looks: literals of which one is in every such text (case does not count), and a regex
/// whose group `s` is masked.
struct Look {
    regex: Regex,
    /// Further test of the whole match: false keeps it.
    sure: fn(&str, &Captures<'_>) -> bool,
}

type Row = (&'static [&'static str], &'static str, fn(&str, &Captures<'_>) -> bool);

const ROWS: [Row; 14] = [
    // A private key, with real or written line ends; to the end of the text if its end is missing.
    (
        &["private key"],
        r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----(?P<s>.*?)(?:-----END [A-Z ]*PRIVATE KEY-----|\z)",
        |_, _| true,
    ),
    // The same in base64: RSA, EC, PKCS#8, OPENSSH, ENCRYPTED. A certificate starts otherwise.
    (
        &["LS0tLS1CRUdJTi"],
        r"(?P<s>LS0tLS1CRUdJTi(?:BSU0Eg|BFQyB|BQUklWQVRF|BPUEVOU1NI|BFTkNSWVBURU)[A-Za-z0-9+/=]*)",
        |_, _| true,
    ),
    // JWT.
    (&["eyJ"], r"(?P<s>\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)", |_, _| true),
    (&["bearer", "basic"], r"(?i)\b(?:bearer|basic)\s+(?P<s>[A-Za-z0-9._~+/-]{16,}=*)", |_, c| {
        looks_random(&c["s"]) || c["s"].ends_with('=')
    }),
    // user:password@ in a URL.
    (&["://"], r#"://[^\s/:@"']*:(?P<s>[^\s/@"']+)@"#, |_, _| true),
    // --password=x, --token x
    (
        &["password", "passwd", "token", "secret", "api-key", "certificate-key"],
        r#"(?i)--(?P<n>[a-z-]*(?:password|passwd|token|secret|api-key|certificate-key))(?P<g>=|\s+)["']?(?P<s>[^\s"'-][^\s"',]*)"#,
        |_, c| is_secret_flag(&c["n"], &c["g"], &c["s"]),
    ),
    // password: x, "password":"x", password=x, MYSQL_PASSWORD=x
    (
        &["password", "passwd", "passphrase", "client_secret", "client-secret", "clientsecret"],
        r#"(?i)(?:password|passwd|passphrase|client_?-?secret)\\?["']?\s*[:=]\s*\\?["']?(?P<s>[^\s"'\\,;&}\]\[{)(]{3,})"#,
        |_, c| !is_no_value(&c["s"]),
    ),
    // A key of an EncryptionConfiguration: base64 of 16, 24 or 32 bytes.
    // Source: `kubernetes/apiserver:pkg/apis/apiserver/validation/validation_encryption.go@v0.31`.
    (
        &["secret"],
        r#"(?i)\bsecret\\?["']?\s*[:=]\s*\\?["']?(?P<s>[A-Za-z0-9+/]{22,43}={0,2})(?:[\s"'\\,;}\]]|\z)"#,
        |_, c| matches!(c["s"].len(), 24 | 32 | 44) && looks_like_a_key(&c["s"]),
    ),
    // The same of keys, of which people also write as words.
    (
        &["secret", "private", "apikey", "api_key", "api-key", "-key-data", "accountkey"],
        r#"(?i)(?:secret_?-?(?:access_?-?)?key|private_?-?key|api_?-?key|client-key-data|accountkey)\\?["']?\s*[:=]\s*\\?["']?(?P<s>[^\s"'\\,;&}\]\[{)(]{3,})"#,
        |_, c| !is_no_value(&c["s"]) && looks_like_a_key(&c["s"]),
    ),
    // token: x. A word is no token; a token has digits and length.
    (&["token"], r#"(?i)(?P<n>[a-z_-]*token)\\?["']?\s*[:=]\s*\\?["']?(?P<s>[A-Za-z0-9._~+/:-]{8,}=*)"#, |_, c| {
        looks_random(&c["s"]) && is_secret_name(&c["n"])
    }),
    // kubeadm bootstrap token. The name of an Event may end alike (`node01.17d0a1b2c3d4e5f6`), so a line
    // without the word is left alone.
    (&["token"], r"(?i)(?:^|[^a-z0-9.-])(?P<s>[a-z0-9]{6}\.[a-z0-9]{16})\b", |text, c| {
        let before = c.name("s").map_or("", |s| &text[..s.start()]);
        let line = before.rsplit('\n').next().unwrap_or_default();
        line.to_ascii_lowercase().contains("token")
    }),
    (&["AKIA", "ASIA"], r"\b(?P<s>(?:AKIA|ASIA)[A-Z0-9]{16})\b", |_, _| true),
    // Credentials of a registry, as `docker login` keeps them: base64 of user:password.
    (&["auth\":", "auth\\\":"], r#"\bauth\\?"\s*:\s*\\?"(?P<s>[A-Za-z0-9+/]{8,}={0,2})\\?""#, |_, c| {
        c["s"].len() % 4 == 0
    }),
    // Tokens that say themselves what they are: GitHub, GitLab, Slack, Vault, Google.
    (
        &["ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "hvs.", "AIza"],
        r"\b(?P<s>(?:gh[pos]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}|glpat-[A-Za-z0-9_-]{20,}|xox[bp]-[A-Za-z0-9-]{20,}|hvs\.[A-Za-z0-9_-]{20,}|AIza[A-Za-z0-9_-]{35}))",
        |_, _| true,
    ),
];

/// All literals in one automaton; each pattern belongs to one row.
static PREFILTER: LazyLock<Option<(AhoCorasick, Vec<u32>)>> = LazyLock::new(|| {
    let marks = ROWS.iter().zip(0u32..).flat_map(|((marks, ..), row)| marks.iter().map(move |mark| (*mark, row)));
    let (marks, rows): (Vec<&str>, Vec<u32>) = marks.unzip();
    Some((AhoCorasick::builder().ascii_case_insensitive(true).build(marks).ok()?, rows))
});

static LOOKS: LazyLock<Vec<Option<Look>>> = LazyLock::new(|| {
    ROWS.iter().map(|(_, regex, sure)| Some(Look { regex: Regex::new(regex).ok()?, sure: *sure })).collect()
});

/// Which rows may match, as bits: one scan, whatever their number.
fn rows_of(text: &str) -> u32 {
    match &*PREFILTER {
        Some((automaton, rows)) => {
            automaton.find_overlapping_iter(text).fold(0, |bits, found| bits | 1 << rows[found.pattern().as_usize()])
        }
        None => u32::MAX,
    }
}

/// Is the value of a flag a secret? Names of Secrets are none (`--tls-secret=ns/name`), nor is etcd's
/// `--initial-cluster-token`, nor the next word of a sentence about a flag.
fn is_secret_flag(name: &str, gap: &str, value: &str) -> bool {
    if name.ends_with("secret") {
        let holds =
            ["client-secret", "app-secret", "api-secret", "shared-secret"].iter().any(|end| name.ends_with(end));
        return (holds || looks_random(value)) && !value.contains('/');
    }
    if name.ends_with("cluster-token") || is_no_value(value) {
        return false;
    }
    let is_word = value.trim_end_matches(['.', ':', ';', ')']).bytes().all(|b| b.is_ascii_lowercase());
    gap == "=" || !is_word || value.len() > 12
}

/// Does a value only stand for one: null, a variable, a note in brackets, a word of a sentence?
fn is_no_value(value: &str) -> bool {
    const WORDS: [&str; 38] = [
        "null",
        "nil",
        "none",
        "true",
        "false",
        "redacted",
        "incorrect",
        "mismatch",
        "required",
        "must",
        "invalid",
        "not",
        "expired",
        "authentication",
        "failed",
        "wrong",
        "the",
        "too",
        "cannot",
        "could",
        "error",
        "missing",
        "empty",
        "unset",
        "flag",
        "flags",
        "option",
        "and",
        "for",
        "was",
        "with",
        "from",
        "has",
        "crypto",
        "unable",
        "does",
        "should",
        "file",
    ];
    let word = value.trim_end_matches(['.', ':', '!', '>']).to_ascii_lowercase();
    let is_variable = value.strip_prefix('$').is_some_and(|rest| {
        let rest = rest.trim_matches(['{', '}', '(', ')']);
        rest.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
    });
    value.starts_with('<') || value.starts_with('%') || is_variable || WORDS.contains(&word.as_str())
}

/// Long, or mixed with digits: not the name of a file or a word.
fn looks_like_a_key(text: &str) -> bool {
    let is_path = text.contains('/') && text.contains('.') || text.starts_with('/');
    let is_file = [".key", ".pem", ".crt"].iter().any(|end| text.ends_with(end));
    !is_path && !is_file && (text.len() >= 16 || text.len() >= 8 && text.bytes().any(|b| b.is_ascii_digit()))
}

/// Letters and digits mixed, not a word, a version, an address, a path or a digest.
fn looks_random(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    let is_bootstrap = text.len() == 23 && text.as_bytes().get(6) == Some(&b'.');
    let is_digest = ["sha256:", "sha512:", "sha1:"].iter().any(|digest| text.starts_with(digest));
    is_bootstrap
        || text.len() >= 16
            && digits >= 2
            && letters >= 4
            && !text.contains("://")
            && !text.starts_with('/')
            && !is_digest
}

/// Rounds until nothing is left to mask; a mask may end what hid another secret.
const ROUNDS: u32 = 4;

/// Masks tokens, private keys and passwords in a text (a line or several); returns how many.
pub fn mask_text(text: &str) -> (Cow<'_, str>, u64) {
    let mut text = Cow::Borrowed(text);
    let mut count = 0;
    for _ in 0..ROUNDS {
        let rows = rows_of(&text);
        let before = count;
        for (_, look) in LOOKS.iter().enumerate().filter(|(row, _)| rows & (1 << row) != 0) {
            let Some(look) = look else { continue };
            let (masked, found) = mask_look(look, &text);
            if let Some(masked) = masked {
                text = Cow::Owned(masked);
                count += found;
            }
        }
        if count == before {
            break;
        }
    }
    (text, count)
}

fn mask_look(look: &Look, text: &str) -> (Option<String>, u64) {
    let (mut out, mut from, mut count) = (String::new(), 0, 0);
    for captures in look.regex.captures_iter(text) {
        let Some(secret) = captures.name("s") else { continue };
        // What a collector or an earlier rule masked is no secret any more.
        let done = secret.is_empty() || secret.as_str().starts_with("[redacted") || secret.as_str().starts_with("***");
        if done || !(look.sure)(text, &captures) {
            continue;
        }
        out.push_str(&text[from..secret.start()]);
        out.push_str(MASK);
        from = secret.end();
        count += 1;
    }
    if count == 0 {
        return (None, 0);
    }
    out.push_str(&text[from..]);
    (Some(out), count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    fn mask(text: &str) -> String {
        mask_text(text).0.into_owned()
    }

    fn object(kind: &str, json: &str) -> (String, u64) {
        let mut node = crate::json::to_node(json, 1, 100).unwrap();
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

    /// A KubeadmControlPlane carries the whole configuration as the content of a file.
    #[test]
    fn encryption_keys_inside_a_text() {
        let key = "c2FtcGxlLWtleS1vZi0zMi1ieXRlcy0wMTIzNDU2Nzg=";
        let content = format!(
            "apiVersion: apiserver.config.k8s.io/v1\\nkind: EncryptionConfiguration\\nresources:\\n- providers:\\n  - aescbc: {{keys: [{{name: k, secret: {key}}}]}}"
        );
        let (text, count) = object("", &format!(r#"{{"path":"/etc/x","content":"{content}"}}"#));
        assert_eq!((text.as_str(), count), ("path: /etc/x, content: [redacted]", 1));
        assert_eq!(mask(&format!("        secret: {key}")), "        secret: [redacted]");
        assert_eq!(
            mask("mounted secret: registry-pull-credentials in pod"),
            "mounted secret: registry-pull-credentials in pod"
        );
    }

    #[test]
    fn encryption_keys() {
        let (text, count) = object("", r#"{"aescbc":{"keys":[{"name":"key1","secret":"c2VjcmV0"}]}}"#);
        assert_eq!((text.as_str(), count), ("aescbc: keys: name: key1, secret: [redacted]", 1));
    }

    const CONFIGURATION: &str = "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n- resources: [secrets]\n  providers:\n  - aescbc:\n      keys:\n      - name: key1\n        secret: c2FtcGxlLWtleS1vZi0zMi1ieXRlcy0wMTIzNDU2Nzg=\n";

    #[test]
    fn an_encryption_configuration_keeps_all_but_its_keys() {
        for text in [CONFIGURATION.to_owned(), STANDARD.encode(CONFIGURATION)] {
            let mask = mask_of(&text, 1);
            let held = mask.holds.expect("it is one");
            let shown = held.to_string();
            assert!(shown.contains("key1") && shown.contains("[redacted]") && !shown.contains("c2FtcGxl"), "{shown}");
            let debug = format!("{held:?}");
            assert!(!debug.contains("c2FtcGxl") && !debug.contains("sample-key"), "{debug}");
        }
        assert!(mask_of("kind: EncryptionConfiguration", 1).holds.is_none());
    }
}
