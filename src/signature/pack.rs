//! The files of a pack: embedded in the binary, or a folder.
//!
//! Invariant: files are sorted by their path inside the pack, so that nothing depends on the order of a
//! directory listing.

use catalogue::built_in;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Files of a pack's root that hold other knowledge than signatures.
const OTHER: [&str; 18] = [
    "analyzers.yaml",
    "kinds.yaml",
    "sources.yaml",
    "products.yaml",
    "references.yaml",
    "wordings.yaml",
    "statements.yaml",
    "conditions.yaml",
    "tools.yaml",
    "checks.yaml",
    "groups.yaml",
    "noise.yaml",
    "ordinary-lines.yaml",
    "overrides.yaml",
    "pack.yaml",
    "printers.yaml",
    "texts.yaml",
    "ties.yaml",
];

/// How the name of a file with the tests of a signature ends.
const TESTS: &str = ".tests.yaml";

/// Files that one pack may have.
const MAX_FILES: usize = 10_000;

/// Bytes that one file may have.
const MAX_BYTES: u64 = 4 << 20;

/// How deep folders may be nested.
const MAX_DEPTH: usize = 16;

/// The text files of a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pack {
    /// `built-in`, or the name of the folder.
    pub name: String,
    /// Where it lies; put before the paths of its files in messages. Empty for the built-in pack.
    pub root: String,
    /// Path inside the pack and text; sorted.
    files: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    built_in: bool,
    /// Who signed it, for reports; `None` for what lies in a folder.
    signed_by: Option<String>,
}

/// A pack that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("can not read {path} of the signature pack; check that the folder exists and its files are text")]
pub struct PackError {
    /// What was to be read.
    pub path: String,
    /// Why not.
    #[source]
    pub source: std::io::Error,
}

impl Pack {
    /// The pack that is embedded in the binary.
    pub fn built_in() -> Self {
        let files = built_in::files().map(|(path, text)| (Cow::Borrowed(path), Cow::Borrowed(text)));
        Self {
            name: "built-in".to_owned(),
            root: String::new(),
            files: files.collect(),
            built_in: true,
            signed_by: None,
        }
    }

    /// A pack of texts that lie nowhere: path inside the pack, with `/`, and text.
    pub fn of(name: &str, mut files: Vec<(String, String)>) -> Self {
        files.sort();
        let files = files.into_iter().map(|(path, text)| (Cow::Owned(path), Cow::Owned(text)));
        Self { name: name.to_owned(), root: String::new(), files: files.collect(), built_in: false, signed_by: None }
    }

    /// A folder, or one file.
    ///
    /// # Errors
    /// If a file or folder cannot be read, or there are too many.
    pub fn read(path: &Path) -> Result<Self, PackError> {
        let name = path
            .canonicalize()
            .ok()
            .and_then(|full| full.file_name().map(|name| name.to_string_lossy().into_owned()))
            .unwrap_or_else(|| path.to_string_lossy().into_owned());
        let mut files = Vec::new();
        let (folder, root) = if path.is_file() {
            (
                path.parent().unwrap_or(Path::new("")),
                path.parent().map(|p| p.to_string_lossy().into_owned()).unwrap_or_default(),
            )
        } else {
            (path, path.to_string_lossy().into_owned())
        };
        if path.is_file() {
            for file in Self::paths(path) {
                read_file(&file, &file.file_name().unwrap_or_default().to_string_lossy(), &mut files)?;
            }
        } else {
            walk(folder, "", 0, &mut files)?;
        }
        Ok(Self { root: root.trim_end_matches('/').to_owned(), ..Self::of(&name, files) })
    }

    /// What [`Pack::read`] opens for a path: a folder is read with all that is in it, one signature with its tests, and tests
    /// with their signature.
    pub fn paths(path: &Path) -> Vec<PathBuf> {
        let Some(shown) = path.to_str().filter(|shown| is_yaml(shown) && path.is_file()) else {
            return vec![path.to_owned()];
        };
        let of_tests = shown.strip_suffix(TESTS).map(|stem| PathBuf::from(format!("{stem}.yaml")));
        let signature = of_tests.filter(|signature| signature.is_file()).unwrap_or_else(|| path.to_owned());
        let tests = signature.with_extension(TESTS.trim_start_matches('.'));
        std::iter::once(signature).chain(Some(tests).filter(|tests| tests.is_file())).collect()
    }

    /// The same pack with who signed it.
    #[must_use]
    pub fn signed_by(mut self, who: String) -> Self {
        self.signed_by = Some(who);
        self
    }

    /// Who signed it.
    pub fn signer(&self) -> Option<&str> {
        self.signed_by.as_deref()
    }

    /// The name and version of its manifest; `None` if it has none that can be read.
    pub fn manifest(&self) -> Option<(String, String)> {
        let manifest = crate::load::manifest(self, &mut Vec::new())?;
        Some((manifest.name.value.trim().to_owned(), manifest.version.value.trim().to_owned()))
    }

    /// Is it the one that is embedded in the binary?
    pub(crate) fn is_built_in(&self) -> bool {
        self.built_in
    }

    /// How a file is named in messages.
    pub fn shown(&self, file: &str) -> String {
        if self.root.is_empty() { file.to_owned() } else { format!("{}/{file}", self.root) }
    }

    /// Path inside the pack, with `/`, and text of each file; sorted.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_ref(), text.as_ref()))
    }

    /// The signature files.
    pub fn signatures(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(|(path, _)| is_signature(path))
    }

    /// The test files.
    pub fn tests(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(|(path, _)| is_yaml(path) && path.contains(".tests."))
    }

    /// The text of one file.
    pub fn file(&self, path: &str) -> Option<&str> {
        self.files().find(|(name, _)| *name == path).map(|(_, text)| text)
    }

    /// SHA-256 in hex over the sorted YAML files: path, length and text of each.
    pub fn sha256(&self) -> String {
        use sha2::Digest;
        if self.built_in {
            return built_in::sha256().to_owned();
        }
        let mut hash = sha2::Sha256::new();
        for (path, text) in self.files().filter(|(path, _)| is_yaml(path)) {
            hash.update(path.as_bytes());
            hash.update([0]);
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text.as_bytes());
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

fn is_yaml(path: &str) -> bool {
    path.ends_with(".yaml") || path.ends_with(".yml")
}

fn is_signature(path: &str) -> bool {
    is_yaml(path) && !path.contains(".tests.") && !OTHER.contains(&path)
}

fn walk(folder: &Path, prefix: &str, depth: usize, files: &mut Vec<(String, String)>) -> Result<(), PackError> {
    let failed = |source| PackError { path: folder.to_string_lossy().into_owned(), source };
    if depth > MAX_DEPTH {
        return Err(failed(std::io::Error::other(format!("folders are nested deeper than {MAX_DEPTH}"))));
    }
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        names.push(entry.map_err(failed)?.file_name());
    }
    names.sort();
    for name in names {
        let (path, shown) = (folder.join(&name), name.to_string_lossy());
        if shown.starts_with('.') {
            continue;
        }
        let inside = if prefix.is_empty() { shown.to_string() } else { format!("{prefix}/{shown}") };
        if path.is_dir() {
            walk(&path, &inside, depth + 1, files)?;
        } else if is_yaml(&shown) {
            read_file(&path, &inside, files)?;
        }
        if files.len() > MAX_FILES {
            return Err(failed(std::io::Error::other(format!("the pack has more than {MAX_FILES} files"))));
        }
    }
    Ok(())
}

fn read_file(path: &Path, inside: &str, files: &mut Vec<(String, String)>) -> Result<(), PackError> {
    let failed = |source| PackError { path: path.to_string_lossy().into_owned(), source };
    let size = std::fs::metadata(path).map_err(failed)?.len();
    if size > MAX_BYTES {
        return Err(failed(std::io::Error::other(format!("the file is larger than {MAX_BYTES} bytes"))));
    }
    files.push((inside.to_owned(), std::fs::read_to_string(path).map_err(failed)?));
    Ok(())
}
