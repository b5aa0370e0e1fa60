//! From packs of files to a checked library.
//!
//! Invariant: a signature is never skipped. One bad file makes the whole load fail, with every problem.

use crate::code::Code;
use crate::compile::Proof;
use crate::file::{SignatureFile, Text};
use crate::forms::Formed;
use crate::manifest::PackFile;
use crate::model::{EntitySource, Query, Signature};
use crate::overrides;
use crate::overrides::Override;
use crate::pack::{Pack, PackError};
use crate::problem::{Problem, Reporter};
use crate::{compile, forms, manifest, read};
use facts::kind::KindName;
use facts::parallel;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// To compile fewer files takes less time than to start a thread.
const FEW: usize = 16;

/// A set of loaded signatures with what a report says about it.
#[derive(Debug, Default)]
pub struct Library {
    /// The signatures, sorted by id.
    pub signatures: Vec<Signature>,
    /// The packs they came from.
    pub packs: Vec<LoadedPack>,
    /// What the site changed, for the report.
    pub overrides: Vec<Override>,
    /// The names of captures that relations compare, and those that tests look at: of all captures a finding keeps no others.
    pub compared: BTreeSet<String>,
}

/// A pack as a report names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedPack {
    /// The name in its `pack.yaml`, else `built-in` or the name of its folder.
    pub name: String,
    /// The version in its `pack.yaml`.
    pub version: Option<String>,
    /// Number of its signatures.
    pub signatures: usize,
    /// SHA-256 in hex.
    pub sha256: String,
    /// Who signed it, if it came as a signed file.
    pub signed_by: Option<String>,
}

/// Why a library could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A pack could not be read.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// Signatures are wrong.
    #[error("{} in the signatures, the first: {}; run `casefile lint` to see all", plural(problems.len()), first(problems))]
    Bad { problems: Vec<Problem> },
}

fn plural(count: usize) -> String {
    if count == 1 { "1 problem".to_owned() } else { format!("{count} problems") }
}

fn first(problems: &[Problem]) -> String {
    problems.first().map(ToString::to_string).unwrap_or_default()
}

impl Library {
    /// The signatures that are embedded in the binary.
    ///
    /// # Errors
    /// If one of them is wrong, which the tests of this crate exclude.
    pub fn built_in() -> Result<Self, LoadError> {
        Self::of(&[Pack::built_in()])
    }

    /// The signatures of one folder, without the built-in ones.
    ///
    /// # Errors
    /// If the folder cannot be read or one of its signatures is wrong.
    pub fn load(folder: &Path) -> Result<Self, LoadError> {
        Self::of(&[Pack::read(folder)?])
    }

    /// The signatures of several packs. Ids must be unique over all of them; the overrides of each pack
    /// apply to all.
    ///
    /// # Errors
    /// If one of the signatures is wrong.
    pub fn of(packs: &[Pack]) -> Result<Self, LoadError> {
        Self::of_files(packs, &|_| true)
    }

    /// The signatures of one file that is embedded in the binary.
    ///
    /// # Errors
    /// If one of them is wrong.
    pub fn built_in_file(path: &str) -> Result<Self, LoadError> {
        Self::of_files(&[Pack::built_in()], &|file| file == path)
    }

    /// The signatures of those files of the packs that are wanted.
    fn of_files(packs: &[Pack], is_wanted: &dyn Fn(&str) -> bool) -> Result<Self, LoadError> {
        let mut library = Self::default();
        let mut problems = Vec::new();
        let mut ids: BTreeMap<String, String> = BTreeMap::new();
        for pack in packs {
            let before = library.signatures.len();
            let files: Vec<(&str, &str)> = pack.signatures().filter(|(path, _)| is_wanted(path)).collect();
            let read = parallel::map_from(FEW, &files, |(path, text)| read_one(pack, path, text));
            for (ReadFile { compiled, problems: found }, (path, text)) in read.into_iter().zip(&files) {
                problems.extend(found);
                let shown = pack.shown(path);
                let mut reporter = Reporter::new(&shown, text);
                for Compiled { id, signature } in compiled {
                    let is_new = is_new(&id, &shown, &mut ids, &mut reporter);
                    library.signatures.extend(signature.filter(|_| is_new));
                }
                problems.extend(reporter.finish());
            }
            let manifest = manifest(pack, &mut problems);
            library.packs.push(LoadedPack {
                name: manifest.as_ref().map_or_else(|| pack.name.clone(), |file| file.name.value.trim().to_owned()),
                version: manifest.map(|file| file.version.value.trim().to_owned()),
                signatures: library.signatures.len() - before,
                sha256: pack.sha256(),
                signed_by: pack.signer().map(str::to_owned),
            });
        }
        library.signatures.sort_by(|a, b| a.id.cmp(&b.id));
        for pack in packs {
            let Some(text) = pack.file("overrides.yaml") else { continue };
            let shown = pack.shown("overrides.yaml");
            let mut reporter = Reporter::new(&shown, text);
            // An override cannot be judged while the signature it names is broken.
            if let (Some(file), true) = (read::read(text, &mut reporter), problems.is_empty()) {
                library.overrides.extend(overrides::apply(&file, &mut library.signatures, &mut reporter));
            }
            problems.extend(reporter.finish());
        }
        library.compared = compared(&library.signatures);
        if problems.is_empty() { Ok(library) } else { Err(LoadError::Bad { problems }) }
    }

    /// A signature by its id.
    pub fn get(&self, id: &str) -> Option<&Signature> {
        self.signatures.iter().find(|signature| signature.id == id)
    }

    /// Every literal that log queries look for, sorted.
    pub fn literals(&self) -> Vec<String> {
        let mut literals = BTreeSet::new();
        for signature in &self.signatures {
            if let EntitySource::Stream(stream) = &signature.entity.source {
                literals.extend(stream.any.iter().cloned());
            }
        }
        for evidence in self.signatures.iter().flat_map(|signature| &signature.evidence) {
            let Query::Log(log) = &evidence.query else { continue };
            literals.extend(log.any.iter().chain(&log.all).cloned());
            literals.extend(log.state.iter().flat_map(|state| state.down.iter().chain(&state.up)).cloned());
        }
        literals.into_iter().collect()
    }

    /// Every kind that some signature reads.
    pub fn kinds(&self) -> BTreeSet<KindName> {
        self.signatures.iter().flat_map(Signature::kinds).collect()
    }
}

/// The names of captures that relations of these signatures compare.
fn compared(signatures: &[Signature]) -> BTreeSet<String> {
    let matches = signatures.iter().flat_map(|signature| &signature.relations).flat_map(|relation| &relation.matches);
    let sides = matches.flat_map(|(left, right)| [left, right]);
    sides.filter_map(|side| side.strip_prefix('$')).map(str::to_owned).collect()
}

/// Reads the manifest of a pack, if it has one.
pub(super) fn manifest(pack: &Pack, problems: &mut Vec<Problem>) -> Option<PackFile> {
    let text = pack.file("pack.yaml")?;
    let shown = pack.shown("pack.yaml");
    let mut reporter = Reporter::new(&shown, text);
    let file: Option<PackFile> = read::read(text, &mut reporter);
    if let Some(file) = &file {
        manifest::check(file, &mut reporter);
    }
    problems.extend(reporter.finish());
    file
}

/// What one file of a pack gives.
struct ReadFile {
    /// Its signature, or one for each form.
    compiled: Vec<Compiled>,
    problems: Vec<Problem>,
}

/// One signature of a file, if it is right.
struct Compiled {
    id: Text,
    signature: Option<Signature>,
}

/// Reads and compiles one file of a pack. Nothing here depends on other files, so that they are read side by side.
fn read_one(pack: &Pack, path: &str, text: &str) -> ReadFile {
    let shown = pack.shown(path);
    let compiled = |file: &SignatureFile, proof, reporter: &mut Reporter<'_>| Compiled {
        id: file.id.clone(),
        signature: compile::compile(file, &shown, proof, reporter),
    };
    let embedded = if pack.is_built_in() { forms::embedded(path) } else { None };
    if let Some(files) = embedded {
        let mut reporter = Reporter::new(&shown, text);
        let compiled = files.iter().map(|file| compiled(file, Proof::Tests, &mut reporter)).collect();
        return ReadFile { compiled, problems: reporter.finish() };
    }
    let mut formed = forms::read(&shown, text);
    let mut all = Vec::new();
    for Formed { file, reporter } in &mut formed.each {
        all.extend(file.as_ref().map(|file| compiled(file, Proof::None, reporter)));
    }
    ReadFile { compiled: all, problems: formed.finish() }
}

/// Compiles one signature; `None` if it is wrong, or its id is that of another.
pub(super) fn compiled(
    file: &SignatureFile,
    proof: Proof,
    shown: &str,
    ids: &mut BTreeMap<String, String>,
    reporter: &mut Reporter<'_>,
) -> Option<Signature> {
    let signature = compile::compile(file, shown, proof, reporter);
    // What is wrong has an id all the same, which another may not have.
    is_new(&file.id, shown, ids, reporter).then_some(signature).flatten()
}

/// Has no other file an id? `ids` remembers which file defined which.
pub(super) fn is_new(id: &Text, shown: &str, ids: &mut BTreeMap<String, String>, reporter: &mut Reporter<'_>) -> bool {
    let Some(other) = ids.insert(id.value.clone(), shown.to_owned()) else { return true };
    let hint = "an id is never reused: take the next free number".to_owned();
    let message = format!("the id `{}` is used by {other} already", id.value);
    reporter.report(Code::DuplicateId, id.place, message, Some(hint));
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_signatures_load() {
        let library = match Library::built_in() {
            Ok(library) => library,
            Err(LoadError::Bad { problems }) => panic!("{}", crate::problem::render(&problems, false)),
            Err(error) => panic!("{error}"),
        };
        assert!(library.signatures.len() >= 5);
        assert!(!library.literals().is_empty());
        assert!(library.kinds().contains(&KindName::parse("machines.cluster.x-k8s.io")));
    }
}
