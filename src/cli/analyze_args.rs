//! The arguments of `casefile analyze` as typed.

use crate::args::{Reading, Signatures};
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

const ANALYZE_EXAMPLES: &str = "Examples:
  casefile analyze --spec troubleshoot.yaml support-bundle.tar.gz
  casefile analyze --spec preflight.yaml --format github --fail-on warn must-gather/

Exit codes:
  0  done
  1  --fail-on was met: an analyzer failed, unless another outcome is named
  2  wrong usage, or the spec is none
  3  the bundle could not be read at all
  4  the result could not be written";

/// Formats of what came of a spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AnalyzeFormat {
    /// For people.
    Text,
    /// For programs; `casefile schema analysis` describes it.
    Json,
    /// Commands of a GitHub workflow: annotations at the analyzers of the spec.
    Github,
    /// SARIF 2.1.0.
    Sarif,
}

/// Outcomes at which `analyze` ends with 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AnalyzeFailOn {
    /// None.
    Never,
    /// An analyzer failed.
    Fail,
    /// An analyzer failed or warned.
    Warn,
    /// An analyzer failed or warned, or the bundle does not tell.
    Unknown,
}

/// Arguments of `analyze`.
#[derive(Debug, Clone, ClapArgs)]
#[command(after_help = ANALYZE_EXAMPLES)]
pub struct Analyze {
    /// The bundles; with several clusters in them each is asked.
    #[command(flatten)]
    pub reading: Reading,

    /// A file with analyzers: SupportBundle, Preflight or Analyzer of `troubleshoot.sh/v1beta2`; can be given several times.
    #[arg(long, value_name = "FILE", required = true)]
    pub spec: Vec<PathBuf>,

    /// How to print it.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: AnalyzeFormat,

    /// End with exit code 1 at this outcome, or a worse one.
    #[arg(long, value_name = "OUTCOME", default_value = "fail")]
    pub fail_on: AnalyzeFailOn,

    /// The signatures: what they read decides what is understood of logs.
    #[command(flatten)]
    pub signatures: Signatures,
}
