//! `casefile pack key|build|verify|install`: packs of signatures as signed files.

use crate::args::{PackArgs, PackCommand, PackKey};
use crate::destination::{Destination, Inputs, Readers, Standing};
use crate::exit::Exit;
use crate::library::{self, read_pack};
use crate::output;
use anyhow::{Context, ensure};
use facts::outside::Outside;
use packs::{SecretKey, SignedPack, Trusted};
use signature::load::Library;
use signature::pack::Pack;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Makes a key, or builds, checks or installs a pack.
///
/// # Errors
/// If a file cannot be read or written, or is not what it has to be.
pub(crate) fn run(args: &PackArgs) -> anyhow::Result<Exit> {
    match &args.command {
        PackCommand::Key(args) => key(args),
        PackCommand::Build(args) => {
            let pack = Pack::read(&args.dir)?;
            // A pack that nobody can load is not signed.
            Library::of(&[Pack::built_in(), pack.clone()])?;
            let secret = args.key.as_deref().map(secret).transpose()?;
            let bytes = packs::build(&pack, secret.as_ref()).with_context(|| shown(&args.dir))?;
            let name = packs::read(&bytes)?.file_name();
            let path = args.output.clone().unwrap_or_else(|| PathBuf::from(name));
            write(&path, Readers::Usual, &bytes)?;
            output::stdout(&format!("wrote {}\n", shown(&path)))?;
            Ok(Exit::Done)
        }
        PackCommand::Verify(args) => {
            let trusted = library::trusted(&args.trust)?;
            let pack = read_pack(&args.pack)?;
            let is_trusted = pack.key.as_ref().is_some_and(|key| trusted.has(key));
            output::stdout(&about(&pack, is_trusted))?;
            Ok(if is_trusted { Exit::Done } else { Exit::Found })
        }
        PackCommand::Install(args) => {
            let trusted = library::trusted(&args.trust)?;
            let pack = read_pack(&args.pack)?;
            let path = args.into.join(pack.file_name());
            let checked = admitted(pack, &trusted, args.allow_unsigned, &args.pack)?;
            Library::of(&[Pack::built_in(), checked])?;
            let bytes = library::read_bounded(&args.pack)?;
            // What was checked is what is written.
            admitted(packs::read(&bytes)?, &trusted, args.allow_unsigned, &args.pack)?;
            std::fs::create_dir_all(&args.into)
                .with_context(|| format!("cannot make the folder {}", shown(&args.into)))?;
            write(&path, Readers::Usual, &bytes)?;
            output::stdout(&format!("installed {0}\nUse it with `--patterns {0} --trust FILE`.\n", shown(&path)))?;
            Ok(Exit::Done)
        }
    }
}

fn admitted(pack: SignedPack, trusted: &Trusted, allow_unsigned: bool, path: &Path) -> anyhow::Result<Pack> {
    pack.admit(trusted, allow_unsigned).with_context(|| format!("the pack {} is refused", shown(path)))
}

/// Makes a key: a file for its owner alone, and one that everybody may have.
fn key(args: &PackKey) -> anyhow::Result<Exit> {
    let mut random = [0; 32];
    getrandom::fill(&mut random)
        .map_err(|error| anyhow::anyhow!("the system has no random bytes: {error}; try again"))?;
    let secret = SecretKey::of(&random);
    let mut public = OsString::from(&args.output);
    public.push(".pub");
    let public = PathBuf::from(public);
    let name = args.name.clone().unwrap_or_default();
    ensure!(!name.chars().any(char::is_control), "--name has characters that cannot be shown; write one line");
    // Both are looked at before one is written.
    let inputs = Inputs::default();
    let files = [
        (Destination::check(&args.output, &inputs, Readers::Owner, Standing::Stays)?, secret.text()),
        (Destination::check(&public, &inputs, Readers::Usual, Standing::Stays)?, secret.public().line(&name)),
    ];
    for (file, text) in &files {
        file.write(text)?;
    }
    let (secret, public) = (shown(&args.output), shown(&public));
    output::stdout(&format!(
        "wrote {secret}: it signs packs, keep it secret\nwrote {public}: give it to those who check them (--trust {public})\n"
    ))?;
    Ok(Exit::Done)
}

fn secret(path: &Path) -> anyhow::Result<SecretKey> {
    let failed = || format!("cannot read the key {}; make one with `casefile pack key -o FILE`", shown(path));
    let text = std::fs::read_to_string(path).with_context(failed)?;
    SecretKey::parse(&text).with_context(failed)
}

/// What a pack is, for people.
fn about(pack: &SignedPack, is_trusted: bool) -> String {
    let count = pack.pack().signatures().count();
    // Writing to a String cannot fail.
    let mut out = String::new();
    let (name, version) = (Outside::name(&pack.name), Outside::name(&pack.version));
    let _ = writeln!(out, "pack       {name} {version}");
    let _ = writeln!(out, "files      {count} with signatures");
    let _ = writeln!(out, "SHA-256    {}", pack.sha256);
    let _ = match &pack.key {
        Some(key) => writeln!(out, "signed by  {key}"),
        None => writeln!(out, "signed by  nobody"),
    };
    let said = match (&pack.key, is_trusted) {
        (_, true) => "the signature is right, and the key is trusted",
        (Some(_), false) => "the signature is right; the key is not trusted: name a file with it with --trust",
        (None, false) => "nobody says who made it: do not use it unless you know",
    };
    let _ = writeln!(out, "{said}");
    out
}

fn shown(path: &Path) -> Outside {
    Outside::name(&path.to_string_lossy())
}

fn write(path: &Path, readers: Readers, bytes: &[u8]) -> anyhow::Result<()> {
    let file = Destination::check(path, &Inputs::default(), readers, Standing::Stays)?;
    Ok(file.write_with(&mut |file| file.write_all(bytes))?)
}
