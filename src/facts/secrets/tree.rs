//! Masks secret values in the tree of an object.
//!
//! Knows fields (Secrets, ClusterCredentials, names such as `password`), and looks into every other text.
//!
//! Invariants: a masked value is [`Value::Redacted`], and `[redacted]` within a text; a reference to a secret
//! (`secretName`, `tokenRef`) stays readable.

use super::{Counts, Kind, MASK, is_secret_name, is_secret_value, kind_of, mask_field, mask_unknown};
use crate::kind::KindName;
use crate::mask::Mask;
use crate::node::{Node, SmolStr, Value, same_field};
use std::borrow::Cow;

/// Deeper than any tree a parser makes.
const MAX_DEPTH: u32 = 1000;

/// Longest value that is taken for an EncryptionConfiguration.
const MAX_CONFIGURATION_BYTES: usize = 1 << 20;

/// Letters and digits in a row of which names of fields have no more, and tokens have.
const LONGEST_WORD: usize = 16;

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

/// Reads documents that a value holds as text. The grammars of JSON and YAML live above the facts.
#[derive(Debug, Clone, Copy)]
pub struct Readers {
    /// The documents of a manifest whose text stands at a line.
    pub manifest: fn(&str, u32) -> Vec<Node>,
    /// A JSON document.
    pub json: fn(&str) -> Option<Node>,
}

impl Readers {
    /// Nothing is read.
    pub const NONE: Self = Self { manifest: |_, _| Vec::new(), json: |_| None };
}

/// Masks secret values of an object in place; returns how many.
pub fn mask_tree(kind: Option<&KindName>, node: &mut Node, readers: &Readers) -> Counts {
    Masking { readers }.object(kind, node)
}

/// Masks everything that a node holds; returns how many values.
pub fn redact_whole(node: &mut Node, readers: &Readers) -> Counts {
    Masking { readers }.redact_leaves(node, MAX_DEPTH)
}

fn child<'a>(node: &'a mut Node, key: &str) -> Option<&'a mut Node> {
    match &mut node.value {
        Value::Map(entries) => entries.iter_mut().find(|(k, _)| same_field(k, key)).map(|(_, n)| n),
        _ => None,
    }
}

/// Does a text hold an EncryptionConfiguration?
/// Source: `kubernetes/apiserver:pkg/apis/apiserver/v1/types_encryption.go@v0.31`.
fn is_encryption_configuration(text: &str) -> bool {
    text.len() <= MAX_CONFIGURATION_BYTES
        && text.contains("EncryptionConfiguration")
        && text.contains("apiserver.config.k8s.io")
}

/// Masks a key that is more than the name of a field or a label: a stranger writes there what he likes.
fn mask_key(key: &mut SmolStr) -> Counts {
    let is_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'/' | b'-');
    let has_run = || key.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word.len() >= LONGEST_WORD);
    if key.bytes().all(is_name) && !has_run() {
        return Counts::NONE;
    }
    let (Cow::Owned(masked), count) = mask_field(key) else { return Counts::NONE };
    *key = masked.into();
    count
}

/// The variable that an item of a list of environment variables sets (`{name: DB_PASSWORD, value: ...}`).
fn variable(entries: &[(SmolStr, Node)]) -> Option<String> {
    let name = entries.iter().find(|(key, _)| &**key == "name").and_then(|(_, node)| node.as_str())?;
    entries.iter().any(|(key, _)| &**key == "value").then(|| name.to_owned())
}

/// One pass over a tree.
struct Masking<'a> {
    readers: &'a Readers,
}

impl Masking<'_> {
    fn object(&self, kind: Option<&KindName>, node: &mut Node) -> Counts {
        let mut count = Counts::NONE;
        let plural = kind.map_or("", |kind| kind.plural.as_str());
        if plural == "secrets" {
            for field in ["data", "stringData"] {
                if let Some(node) = child(node, field) {
                    count += self.redact_leaves(node, MAX_DEPTH);
                }
            }
            if let Some(node) =
                child(node, "metadata").and_then(|n| child(n, "annotations")).and_then(|n| child(n, LAST_APPLIED))
            {
                count += self.redact(Kind::Secret, node);
            }
        }
        if plural == "clustercredentials" {
            for field in CREDENTIAL_FIELDS {
                if let Some(node) = child(node, field) {
                    count += self.redact_leaves(node, MAX_DEPTH);
                }
            }
        }
        count + self.walk(node, MAX_DEPTH)
    }

    /// Masks one scalar that holds something.
    fn redact(&self, kind: Kind, node: &mut Node) -> Counts {
        if node.value.is_empty() || node.value.is_redacted() {
            return Counts::NONE;
        }
        let mask = node.value.scalar().map(|secret| Box::new(self.mask_of(&secret, node.line)));
        node.value = Value::Redacted(mask);
        Counts::one(kind)
    }

    /// What is still known of a secret at a line. Of one that is an EncryptionConfiguration, all but its keys.
    fn mask_of(&self, secret: &str, line: u32) -> Mask {
        Mask::holding(secret, |text| self.encryption_configuration(text, line))
    }

    /// The EncryptionConfiguration in a text, its keys masked.
    fn encryption_configuration(&self, text: &str, line: u32) -> Option<Node> {
        if !is_encryption_configuration(text) {
            return None;
        }
        let is_one = |node: &Node| node.get("kind").and_then(Node::as_str) == Some("EncryptionConfiguration");
        let mut found = (self.readers.manifest)(text, line).into_iter().find(is_one)?;
        self.object(None, &mut found);
        Some(found)
    }

    fn redact_leaves(&self, node: &mut Node, depth: u32) -> Counts {
        if depth == 0 {
            return self.redact(Kind::Secret, node);
        }
        match &mut node.value {
            Value::Map(entries) => entries.iter_mut().map(|(_, n)| self.redact_leaves(n, depth - 1)).sum(),
            Value::List(items) => items.iter_mut().map(|n| self.redact_leaves(n, depth - 1)).sum(),
            _ => self.redact(Kind::Secret, node),
        }
    }

    fn walk(&self, node: &mut Node, depth: u32) -> Counts {
        if depth == 0 {
            return self.redact(Kind::Secret, node);
        }
        match &mut node.value {
            Value::List(items) => items.iter_mut().map(|n| self.walk(n, depth - 1)).sum(),
            Value::Map(entries) => {
                let mut count = Counts::NONE;
                if let Some(name) = variable(entries) {
                    for (_, node) in entries.iter_mut().filter(|(key, _)| &**key == "value") {
                        count += self.redact_by_name(&name, node);
                    }
                }
                for (key, node) in entries.iter_mut() {
                    count += if &**key == LAST_APPLIED {
                        self.json_text(node)
                    } else if &**key == "auths" {
                        // What `docker login` keeps: `auths.<registry>.{auth,password}`.
                        self.redact_leaves(node, depth - 1)
                    } else if &**key == "terminated" {
                        self.last_words(node) + self.walk(node, depth - 1)
                    } else {
                        self.redact_named(key, node, depth - 1)
                    };
                    count += mask_key(key);
                }
                count
            }
            Value::Str(text) | Value::Text(text) if is_encryption_configuration(text) => {
                self.redact(Kind::Document, node)
            }
            Value::Str(text) | Value::Text(text) => match mask_field(text) {
                (Cow::Borrowed(_), _) => Counts::NONE,
                (Cow::Owned(masked), count) => self.replace(node, masked, count),
            },
            _ => Counts::NONE,
        }
    }

    /// The last words of an application that nobody knows: `terminated.message`.
    fn last_words(&self, node: &mut Node) -> Counts {
        let Some(node) = child(node, "message") else { return Counts::NONE };
        let Some((masked, count)) = node.as_str().map(mask_unknown).filter(|(_, count)| !count.is_none()) else {
            return Counts::NONE;
        };
        self.replace(node, masked, count)
    }

    fn replace(&self, node: &mut Node, masked: String, count: Counts) -> Counts {
        let line = node.line;
        if let Value::Str(text) | Value::Text(text) = &mut node.value {
            if masked == MASK {
                // Nothing but the secret: then the value as a whole is redacted, and equal to nothing.
                let mask = Box::new(self.mask_of(text, line));
                node.value = Value::Redacted(Some(mask));
            } else {
                *text = masked.into();
            }
        }
        count
    }

    /// A scalar whose name may say that it is a secret.
    fn redact_by_name(&self, name: &str, node: &mut Node) -> Counts {
        let is_secret = match &node.value {
            // A switch, as `kubectl describe` prints `automountServiceAccountToken`.
            Value::Str(text) | Value::Text(text) if matches!(&**text, "true" | "false" | "<none>" | "<unset>") => false,
            Value::Str(text) | Value::Text(text) => is_secret_name(name) || is_secret_value(name, text),
            Value::Int(_) | Value::UInt(_) | Value::Float(_) => is_secret_name(name),
            _ => false,
        };
        if is_secret { self.redact(kind_of(name), node) } else { Counts::NONE }
    }

    /// A field, by its name. `keys: [{name, secret}]` of an EncryptionConfiguration arrives here as the list.
    /// Source: `kubernetes/apiserver:pkg/apis/apiserver/v1/types_encryption.go@v0.31`.
    fn redact_named(&self, name: &str, node: &mut Node, depth: u32) -> Counts {
        match &mut node.value {
            Value::List(items)
                if is_secret_name(name) && items.iter().all(|n| !matches!(n.value, Value::Map(_) | Value::List(_))) =>
            {
                items.iter_mut().map(|item| self.redact_by_name(name, item)).sum()
            }
            Value::List(items)
                if (name == "keys" || is_secret_name(name))
                    && !items.is_empty()
                    && items.iter().all(|n| n.get("secret").is_some_and(|secret| secret.as_str().is_some())) =>
            {
                items.iter_mut().filter_map(|n| child(n, "secret")).map(|secret| self.redact_string(secret)).sum()
            }
            Value::Map(_) | Value::List(_) => self.walk(node, depth),
            _ => match self.redact_by_name(name, node) {
                Counts::NONE => self.walk(node, depth),
                count => count,
            },
        }
    }

    fn redact_string(&self, node: &mut Node) -> Counts {
        if matches!(node.value, Value::Str(_) | Value::Text(_)) { self.redact(Kind::Key, node) } else { Counts::NONE }
    }

    /// An annotation that holds an object as JSON: masked as a whole if anything in it is secret.
    fn json_text(&self, node: &mut Node) -> Counts {
        let Some(text) = node.as_str() else { return Counts::NONE };
        let mut inner = (self.readers.json)(text).unwrap_or_else(|| Node::new(node.line, Value::Str(text.into())));
        let kind = match inner.get("kind").and_then(Node::as_str) {
            Some("Secret") => Some(KindName::parse("secrets")),
            Some("ClusterCredential") => Some(KindName::parse("clustercredentials.platform.tkestack.io")),
            _ => None,
        };
        if self.object(kind.as_ref(), &mut inner).is_none() { Counts::NONE } else { self.redact(Kind::Document, node) }
    }
}
