//! What is still known of a secret after it was masked: its shape, and whether two are the same.
//!
//! Why: two encryption configurations must be compared, and a password that was not encoded must be told,
//! without any code past the masking ever holding a key or a password.
//!
//! Invariants: nothing of a secret can be got out of a [`Mask`]: the digest is private, is compared and
//! never shown, not even by `Debug`; of the text that held secrets only what is no secret is kept.

use crate::node::{Node, Value};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use std::fmt;

/// Put before every secret, so that a digest is none of the plain secret.
const KEY: &[u8] = b"casefile masked value\0";

/// Longest value that is looked into.
const MAX_BYTES: usize = 1 << 20;

/// How a secret was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Base64 of so many bytes.
    Base64 {
        /// Bytes it decodes to.
        bytes: usize,
        /// The last of them is a line end, as `echo` without `-n` leaves.
        newline: bool,
        /// What it decodes to is a JSON Web Token.
        token: bool,
    },
    /// A JSON Web Token as it is.
    Token,
    /// Anything else.
    Plain,
}

/// What is known of a masked value.
#[derive(Clone, PartialEq)]
pub struct Mask {
    digest: [u8; 32],
    /// How it was written.
    pub form: Form,
    /// The document it holds, with its own secrets masked; for an EncryptionConfiguration only.
    pub holds: Option<Box<Node>>,
}

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mask").field("form", &self.form).field("holds", &self.holds).finish_non_exhaustive()
    }
}

impl Mask {
    /// Takes the shape of a secret; the secret itself is not kept.
    pub fn of(secret: &str) -> Self {
        Self::holding(secret, |_| None)
    }

    /// The same. `read` gives the document that a text holds, with its own secrets masked, if it is worth
    /// keeping; it is asked of what the secret decodes to and of the secret as it is.
    pub fn holding(secret: &str, read: impl FnMut(&str) -> Option<Node>) -> Self {
        let decoded = decode(secret);
        let is_token = |text: &[u8]| text.starts_with(b"eyJ") && text.iter().filter(|b| **b == b'.').count() == 2;
        let form = match &decoded {
            _ if is_token(secret.as_bytes()) => Form::Token,
            Some(bytes) => Form::Base64 { bytes: bytes.len(), newline: bytes.ends_with(b"\n"), token: is_token(bytes) },
            None => Form::Plain,
        };
        let bytes = decoded.as_deref().unwrap_or(secret.as_bytes());
        let digest = Sha256::new().chain_update(KEY).chain_update(bytes).finalize().into();
        let texts = [std::str::from_utf8(bytes).ok(), Some(secret)];
        Self { digest, form, holds: texts.into_iter().flatten().find_map(read).map(Box::new) }
    }

    /// Do two masks hide the same secret? Base64 counts by what it decodes to.
    pub fn same_secret(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let compact: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    (compact.len() >= 4 && compact.len() <= MAX_BYTES).then(|| STANDARD.decode(compact).ok()).flatten()
}

/// The mask of a node, if Casefile masked it.
pub fn of_node(node: &Node) -> Option<&Mask> {
    match &node.value {
        Value::Redacted(mask) => mask.as_deref(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes() {
        let form = |text: &str| Mask::of(text).form;
        assert_eq!(form("UkVEQUNURUQ="), Form::Base64 { bytes: 8, newline: false, token: false });
        assert_eq!(form("UkVEQUNURUQK"), Form::Base64 { bytes: 9, newline: true, token: false });
        assert_eq!(form("Plain!pass"), Form::Plain);
        assert_eq!(form("eyJhbGciOiJub25lIn0.eyJhIjoxfQ.c2ln"), Form::Token);
        let encoded = STANDARD.encode("eyJhbGciOiJub25lIn0.eyJhIjoxfQ.c2ln");
        assert!(matches!(form(&encoded), Form::Base64 { token: true, .. }));
    }

    #[test]
    fn equal_secrets_are_told_and_never_shown() {
        let (a, b) = (Mask::of("c2VjcmV0LXNlY3JldA=="), Mask::of("c2VjcmV0LXNlY3JldA==\n"));
        assert!(a.same_secret(&b));
        assert!(!a.same_secret(&Mask::of("b3RoZXItc2VjcmV0LQ==")));
        assert_eq!(
            format!("{a:?}"),
            "Mask { form: Base64 { bytes: 13, newline: false, token: false }, holds: None, .. }"
        );
    }
}
