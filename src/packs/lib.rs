//! Packs of signatures as signed files: one file that a site can carry over an air gap and check before it believes it.
//!
//! Why a form of our own, and no archive: a pack is a few hundred texts. One JSON text with all of them, and a signature
//! over its bytes, has no paths that something is unpacked to, no compression, and nothing to disagree about.
//!
//! The form: three lines, then the payload.
//!
//! ```text
//! casefile-pack 1
//! key ed25519 <base64>            or: key none
//! signature <base64>              or: signature none
//! {"schema":1,"name":…,"version":…,"sha256":…,"files":[{"path":…,"text":…},…]}
//! ```
//!
//! The signature is Ed25519 (RFC 8032) over the first line and the payload, so that a signature of something else is none
//! of a pack.
//!
//! May know: facts (what may be shown), signature (packs).
//!
//! Invariants: nothing of a pack is read before its signature was checked, except its size; a signature that is wrong is
//! never overlooked, whatever is allowed; every size is bounded; no path leads out of the pack.

mod keys;

pub use keys::{KeyError, PublicKey, SecretKey, Trusted};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use facts::outside::Outside;
use serde::{Deserialize, Serialize};
use signature::pack::Pack;
use std::collections::BTreeSet;

/// How the name of a signed pack ends.
pub const ENDING: &str = ".casefile-pack";
/// Bytes of a signed pack.
pub const LARGEST: u64 = 64 << 20;

const FIRST_LINE: &str = "casefile-pack 1\n";
const SCHEMA: u32 = 1;
/// Files of one pack, bytes of one of them, folders inside each other: the bounds of a pack in a folder.
const MOST_FILES: usize = 10_000;
const MOST_BYTES: usize = 4 << 20;
const DEEPEST: usize = 16;
/// Characters of the name and of the version.
const LONGEST: usize = 60;

/// Why a file is no pack, or may not be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PackFileError {
    #[error("it is larger than {LARGEST} bytes; a pack holds texts alone")]
    TooLarge,
    #[error("it is no signed pack (expected `casefile-pack 1` in its first line); make one with `casefile pack build`")]
    NoPack,
    #[error("its {0} line cannot be read; the file was cut or changed: fetch it again")]
    Header(&'static str),
    #[error(
        "its signature is wrong: the pack was changed after it was signed, or cut; fetch it again, and do not use it"
    )]
    WrongSignature,
    #[error("its content cannot be read: {0}; build it again with `casefile pack build`")]
    Payload(String),
    #[error("`{0}` is no path inside a pack; build it again with `casefile pack build`")]
    Path(Outside),
    #[error("its content is not what its hash says; build it again with `casefile pack build`")]
    Hash,
    #[error("it is not signed; have it signed, or allow it with --allow-unsigned")]
    Unsigned,
    #[error(
        "it is signed with a key that is not trusted ({0}); name a file with that key with --trust, or allow it with --allow-unsigned"
    )]
    NotTrusted(PublicKey),
    #[error("it has no name and version; write them into its `pack.yaml`")]
    NoManifest,
}

/// The payload.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Payload {
    schema: u32,
    name: String,
    version: String,
    sha256: String,
    files: Vec<File>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    path: String,
    text: String,
}

/// A pack whose signature, if it has one, is right. Nobody has said yet whether its key is trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedPack {
    /// Name and version of its `pack.yaml`.
    pub name: String,
    pub version: String,
    /// SHA-256 over its files, as reports show it.
    pub sha256: String,
    /// The key that it is signed with.
    pub key: Option<PublicKey>,
    pack: Pack,
}

/// Writes a pack as one file, signed if there is a key.
///
/// # Errors
/// If it has no manifest, or would not be read.
pub fn build(pack: &Pack, key: Option<&SecretKey>) -> Result<Vec<u8>, PackFileError> {
    let (name, version) = pack.manifest().ok_or(PackFileError::NoManifest)?;
    let files = pack.files().map(|(path, text)| File { path: path.to_owned(), text: text.to_owned() });
    let payload = Payload { schema: SCHEMA, name, version, sha256: pack.sha256(), files: files.collect() };
    let payload = serde_json::to_string(&payload).map_err(|error| PackFileError::Payload(error.to_string()))?;
    let (public, signature) = match key {
        Some(key) => {
            let signature = key.sign(&signed_bytes(payload.as_bytes()));
            (format!("ed25519 {}", key.public()), BASE64.encode(signature))
        }
        None => ("none".to_owned(), "none".to_owned()),
    };
    let bytes = format!("{FIRST_LINE}key {public}\nsignature {signature}\n{payload}").into_bytes();
    // What nobody could read is not written.
    read(&bytes)?;
    Ok(bytes)
}

fn signed_bytes(payload: &[u8]) -> Vec<u8> {
    [FIRST_LINE.as_bytes(), payload].concat()
}

/// Reads a signed pack, and checks its signature first of all.
///
/// # Errors
/// If it is no pack, its signature is wrong, or its content is not well formed.
pub fn read(bytes: &[u8]) -> Result<SignedPack, PackFileError> {
    if bytes.len() as u64 > LARGEST {
        return Err(PackFileError::TooLarge);
    }
    let rest = bytes.strip_prefix(FIRST_LINE.as_bytes()).ok_or(PackFileError::NoPack)?;
    let (key, rest) = line(rest, "key ").ok_or(PackFileError::Header("key"))?;
    let (signature, payload) = line(rest, "signature ").ok_or(PackFileError::Header("signature"))?;
    let key = match key {
        "none" => None,
        key => Some(PublicKey::parse(key).map_err(|_| PackFileError::Header("key"))?),
    };
    match (&key, signature) {
        (None, "none") => {}
        (Some(_), "none") | (None, _) => return Err(PackFileError::WrongSignature),
        (Some(key), signature) => {
            let signature = BASE64.decode(signature).map_err(|_| PackFileError::Header("signature"))?;
            if !key.has_signed(&signed_bytes(payload), &signature) {
                return Err(PackFileError::WrongSignature);
            }
        }
    }
    let payload: Payload = serde_json::from_slice(payload)
        .map_err(|error| PackFileError::Payload(format!("line {}, column {}", error.line(), error.column())))?;
    checked(payload, key)
}

/// The rest of a line that begins so, and what stands behind it.
fn line<'a>(bytes: &'a [u8], begins: &str) -> Option<(&'a str, &'a [u8])> {
    let end = bytes.iter().take(1024).position(|byte| *byte == b'\n')?;
    let (line, rest) = bytes.split_at(end);
    Some((std::str::from_utf8(line).ok()?.strip_prefix(begins)?, rest.get(1..)?))
}

fn checked(payload: Payload, key: Option<PublicKey>) -> Result<SignedPack, PackFileError> {
    let Payload { schema, name, version, sha256, files } = payload;
    let bad = |why: &str| PackFileError::Payload(why.to_owned());
    if schema != SCHEMA {
        return Err(bad("a newer program made it"));
    }
    if files.len() > MOST_FILES {
        return Err(bad("it has more files than a pack may have"));
    }
    let mut seen = BTreeSet::new();
    for file in &files {
        if !is_inside(&file.path) || !seen.insert(file.path.to_lowercase()) {
            return Err(PackFileError::Path(Outside::name(&file.path)));
        }
        if file.text.len() > MOST_BYTES {
            return Err(bad("a file in it is larger than a file of a pack may be"));
        }
    }
    let fits =
        |text: &str| !text.trim().is_empty() && text.chars().count() <= LONGEST && !text.chars().any(char::is_control);
    let pack = Pack::of(&name, files.into_iter().map(|file| (file.path, file.text)).collect());
    if pack.sha256() != sha256 {
        return Err(PackFileError::Hash);
    }
    match pack.manifest() {
        Some(manifest) if manifest == (name.clone(), version.clone()) && fits(&name) && fits(&version) => {
            Ok(SignedPack { name, version, sha256, key, pack })
        }
        Some(_) => Err(bad("its name and version are not those of its `pack.yaml`")),
        None => Err(PackFileError::NoManifest),
    }
}

/// Does a path stay inside a pack, whoever reads it? Its parts are plain names, and it is a file of a pack.
fn is_inside(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let is_plain = |part: &&str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    };
    parts.len() <= DEEPEST && parts.iter().all(is_plain) && (path.ends_with(".yaml") || path.ends_with(".yml"))
}

impl SignedPack {
    /// The pack, if somebody who is trusted signed it, or if that is not asked.
    ///
    /// # Errors
    /// If it is not signed, or with a key that is not trusted, and `allow_unsigned` is off.
    pub fn admit(self, trusted: &Trusted, allow_unsigned: bool) -> Result<Pack, PackFileError> {
        let name = self.key.as_ref().and_then(|key| trusted.name(key));
        let said = match (&self.key, name) {
            (Some(key), Some("")) => format!("{key}"),
            (Some(key), Some(name)) => format!("{name} ({key})"),
            (Some(key), None) if allow_unsigned => format!("a key that is not trusted ({key})"),
            (Some(key), None) => return Err(PackFileError::NotTrusted(key.clone())),
            (None, _) if allow_unsigned => "nobody".to_owned(),
            (None, _) => return Err(PackFileError::Unsigned),
        };
        Ok(self.pack.signed_by(said))
    }

    /// The pack, for who only looks at it.
    pub fn pack(&self) -> &Pack {
        &self.pack
    }

    /// The name of its file: name and version, in letters that every system takes.
    pub fn file_name(&self) -> String {
        let plain = |text: &str| -> String {
            let letter = |c: char| {
                if c.is_ascii_alphanumeric() || matches!(c, '.' | '_') { c.to_ascii_lowercase() } else { '-' }
            };
            text.trim().chars().map(letter).collect()
        };
        format!("{}-{}{ENDING}", plain(&self.name).trim_start_matches(['.', '-']), plain(&self.version))
    }
}

#[cfg(test)]
mod tests;
