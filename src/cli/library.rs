//! Loads the signatures that the arguments name.

use crate::args::Signatures;
use anyhow::{Context, ensure};
use facts::outside::Outside;
use packs::{ENDING, LARGEST, SignedPack, Trusted};
use signature::load::Library;
use signature::pack::Pack;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of a file of keys.
const LARGEST_LIST: u64 = 1 << 20;

/// The packs that the arguments name: the built-in one and `--patterns`, or `--only-patterns` alone.
///
/// # Errors
/// If a folder cannot be read, or a signed pack may not be used.
pub(crate) fn packs(args: &Signatures) -> anyhow::Result<Vec<Pack>> {
    let mut packs: Vec<Pack> = args.only_patterns.is_empty().then(Pack::built_in).into_iter().collect();
    let trusted = trusted(&args.trust)?;
    for path in args.patterns.iter().chain(&args.only_patterns) {
        if is_signed(path) {
            let failed = || format!("the pack {} is refused", Outside::name(&path.to_string_lossy()));
            packs.push(read_pack(path)?.admit(&trusted, args.allow_unsigned).with_context(failed)?);
        } else {
            packs.push(Pack::read(path)?);
        }
    }
    Ok(packs)
}

/// The signatures of those packs.
///
/// # Errors
/// If a pack cannot be read or used, or a signature is bad.
pub(crate) fn load(args: &Signatures) -> anyhow::Result<Library> {
    Ok(Library::of(&packs(args)?)?)
}

/// Is it a signed pack, by its name? A folder is none, whatever it is called.
fn is_signed(path: &Path) -> bool {
    path.to_string_lossy().ends_with(ENDING) && !path.is_dir()
}

/// Reads a signed pack and checks its signature.
///
/// # Errors
/// If it cannot be read, or its signature is wrong.
pub(crate) fn read_pack(path: &Path) -> anyhow::Result<SignedPack> {
    let bytes = read_bounded(path)?;
    packs::read(&bytes).with_context(|| format!("the pack {} is refused", Outside::name(&path.to_string_lossy())))
}

/// The bytes of a pack, up to one more than it may have.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn read_bounded(path: &Path) -> anyhow::Result<Vec<u8>> {
    let failed = || format!("cannot read the pack {}; name the file", Outside::name(&path.to_string_lossy()));
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).with_context(failed)?;
    file.take(LARGEST + 1).read_to_end(&mut bytes).with_context(failed)?;
    Ok(bytes)
}

/// The keys of these files.
///
/// # Errors
/// If a file cannot be read, or has a line that is no key.
pub(crate) fn trusted(paths: &[PathBuf]) -> anyhow::Result<Trusted> {
    let mut trusted = Trusted::default();
    for path in paths {
        let shown = Outside::name(&path.to_string_lossy());
        let failed = || format!("cannot read the keys of {shown}");
        let mut text = String::new();
        let file = std::fs::File::open(path).with_context(failed)?;
        let read = file.take(LARGEST_LIST + 1).read_to_string(&mut text).with_context(failed)?;
        ensure!(
            read as u64 <= LARGEST_LIST,
            "{shown} is no list of keys: it is larger than {LARGEST_LIST} bytes; name another file"
        );
        trusted.add(&text).with_context(failed)?;
    }
    Ok(trusted)
}
