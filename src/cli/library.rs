//! Loads the signatures that the arguments name.

use crate::args::Signatures;
use signature::load::{Library, LoadError};
use signature::pack::{Pack, PackError};

/// The packs that the arguments name: the built-in one and `--patterns`, or `--only-patterns` alone.
///
/// # Errors
/// If a folder cannot be read.
pub(crate) fn packs(args: &Signatures) -> Result<Vec<Pack>, PackError> {
    let built_in = args.only_patterns.is_empty().then(Pack::built_in);
    let folders = args.patterns.iter().chain(&args.only_patterns);
    built_in.into_iter().map(Ok).chain(folders.map(|folder| Pack::read(folder))).collect()
}

/// The signatures of those packs.
///
/// # Errors
/// If a folder cannot be read or a signature is bad.
pub(crate) fn load(args: &Signatures) -> Result<Library, LoadError> {
    Library::of(&packs(args)?)
}
