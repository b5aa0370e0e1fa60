//! Keys: the secret one that signs, the public one that checks, and the list of those that a site trusts.
//!
//! Invariants: a secret key is never shown; a line that is no key is an error with its number, never skipped.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use facts::outside::Outside;
use std::fmt;

const SECRET: &str = "casefile-secret-key ed25519 ";

/// A text that is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("this is no secret key; make one with `casefile pack key`")]
    NoSecret,
    #[error("this is no public key; expected `ed25519` and 44 characters, as `casefile pack key` writes them")]
    NoPublic,
    #[error(
        "line {0} is no public key; expected `ed25519`, 44 characters and a name, as `casefile pack key` writes them"
    )]
    Line(usize),
}

/// The key that signs.
pub struct SecretKey(SigningKey);

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey")
    }
}

impl SecretKey {
    /// A key of 32 random bytes.
    pub fn of(random: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(random))
    }

    /// Reads the text of its file.
    ///
    /// # Errors
    /// If it is none.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let inside = text.trim().strip_prefix(SECRET).ok_or(KeyError::NoSecret)?;
        let bytes = BASE64.decode(inside).map_err(|_| KeyError::NoSecret)?;
        Ok(Self::of(&<[u8; 32]>::try_from(bytes).map_err(|_| KeyError::NoSecret)?))
    }

    /// The text of its file, which its owner alone may read.
    pub fn text(&self) -> String {
        format!("{SECRET}{}\n", BASE64.encode(self.0.to_bytes()))
    }

    /// The key that checks what this one signed.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key().to_bytes())
    }

    pub(crate) fn sign(&self, bytes: &[u8]) -> [u8; 64] {
        self.0.sign(bytes).to_bytes()
    }
}

/// The key that checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey([u8; 32]);

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE64.encode(self.0))
    }
}

impl PublicKey {
    /// Reads `ed25519 <base64>`.
    ///
    /// # Errors
    /// If it is no key.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let inside = text.strip_prefix("ed25519 ").ok_or(KeyError::NoPublic)?;
        let bytes = BASE64.decode(inside.trim()).map_err(|_| KeyError::NoPublic)?;
        let bytes = <[u8; 32]>::try_from(bytes).map_err(|_| KeyError::NoPublic)?;
        VerifyingKey::from_bytes(&bytes).map_err(|_| KeyError::NoPublic)?;
        Ok(Self(bytes))
    }

    /// Did the secret key behind it sign these bytes? Weak keys have signed nothing.
    pub(crate) fn has_signed(&self, bytes: &[u8], signature: &[u8]) -> bool {
        let Ok(key) = VerifyingKey::from_bytes(&self.0) else { return false };
        let Ok(signature) = Signature::from_slice(signature) else { return false };
        key.verify_strict(bytes, &signature).is_ok()
    }

    /// The line of a file of trusted keys.
    pub fn line(&self, name: &str) -> String {
        format!("ed25519 {self} {}", name.replace(char::is_control, " ")).trim_end().to_owned() + "\n"
    }
}

/// The keys that a site trusts, each with a name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trusted(Vec<(PublicKey, String)>);

impl Trusted {
    /// Adds the keys of a file: a line for each; empty lines and those that begin with `#` are no keys.
    ///
    /// # Errors
    /// If a line is no key.
    pub fn add(&mut self, text: &str) -> Result<(), KeyError> {
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut words = line.splitn(3, char::is_whitespace);
            let (kind, key, name) = (words.next(), words.next(), words.next().unwrap_or_default());
            let key = kind.zip(key).and_then(|(kind, key)| PublicKey::parse(&format!("{kind} {key}")).ok());
            self.0.push((key.ok_or(KeyError::Line(index + 1))?, Outside::from(name.trim()).into()));
        }
        Ok(())
    }

    /// The name of a trusted key; `None` if it is not trusted.
    pub(crate) fn name(&self, key: &PublicKey) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == key).map(|(_, name)| name.as_str())
    }

    /// Is this key trusted?
    pub fn has(&self, key: &PublicKey) -> bool {
        self.name(key).is_some()
    }
}
