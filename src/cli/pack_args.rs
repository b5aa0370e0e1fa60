//! The arguments of `casefile pack` as typed.

use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

const PACK_EXAMPLES: &str = "Examples:
  casefile pack key -o ops.key --name 'Operations'       # ops.key signs; ops.key.pub checks
  casefile pack build patterns/ --key ops.key            # our-own-2026.11.casefile-pack
  casefile pack verify our-own-2026.11.casefile-pack --trust ops.key.pub
  casefile diagnose upload.tar.gz --patterns our-own-2026.11.casefile-pack --trust ops.key.pub";

/// Arguments of `pack`.
#[derive(Debug, Clone, ClapArgs)]
#[command(after_help = PACK_EXAMPLES)]
pub struct PackArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: PackCommand,
}

/// What can be done with packs.
#[derive(Debug, Clone, Subcommand)]
pub enum PackCommand {
    /// Make a key that signs, and the key that checks.
    Key(PackKey),
    /// Make one file of a folder of signatures, and sign it.
    Build(PackBuild),
    /// Say what a pack is, who signed it, and whether that key is trusted; exit code 1 if it is not.
    Verify(PackVerify),
    /// Check a pack and copy it into a folder.
    Install(PackInstall),
}

/// Arguments of `pack key`.
#[derive(Debug, Clone, ClapArgs)]
pub struct PackKey {
    /// Write the secret key here, and the public one to the same name with `.pub`. What stands there stays.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Whose key it is: reports show it.
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
}

/// Arguments of `pack build`.
#[derive(Debug, Clone, ClapArgs)]
pub struct PackBuild {
    /// The folder; its `pack.yaml` has the name and the version.
    pub dir: PathBuf,

    /// The secret key.
    #[arg(long, value_name = "FILE", required_unless_present = "unsigned")]
    pub key: Option<PathBuf>,

    /// Do not sign it.
    #[arg(long, conflicts_with = "key")]
    pub unsigned: bool,

    /// Write it here [default: name and version]. What stands there stays.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Arguments of `pack verify`.
#[derive(Debug, Clone, ClapArgs)]
pub struct PackVerify {
    /// The pack.
    pub pack: PathBuf,

    /// A file with trusted keys; can be given several times.
    #[arg(long, value_name = "FILE")]
    pub trust: Vec<PathBuf>,
}

/// Arguments of `pack install`.
#[derive(Debug, Clone, ClapArgs)]
pub struct PackInstall {
    /// The pack.
    pub pack: PathBuf,

    /// The folder; it is made if it is not there.
    #[arg(long, value_name = "DIR")]
    pub into: PathBuf,

    /// A file with trusted keys; can be given several times.
    #[arg(long, value_name = "FILE")]
    pub trust: Vec<PathBuf>,

    /// Install a pack that nobody signed, or somebody who is not trusted.
    #[arg(long)]
    pub allow_unsigned: bool,
}
