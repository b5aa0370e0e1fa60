//! What the arguments mean, checked once: everything after this works with values that fit together.

use crate::args;
use crate::progress::Spinner;
use anyhow::{Context, bail, ensure};
use catalogue::kinds::Catalogue;
use checks::checklist::Checklist;
use diagnose::{Collected, Input, Options};
use intake::{Deadline, Limits, Source};
use signature::load::Library;
use signature::model::Severity;
use std::collections::BTreeMap;
use std::path::Path;

/// What is read, and how.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The bundles.
    pub inputs: Vec<Input>,
    /// Options of the run.
    pub options: Options,
}

impl Reading {
    /// Reads the bundles, and shows how far it is.
    ///
    /// # Errors
    /// If one of the bundles cannot be read at all.
    pub fn collect(&self, library: &Library, catalogue: &Catalogue) -> Result<Collected, intake::Error> {
        let mut progress = Spinner::new(&self.inputs);
        let result = diagnose::collect(&self.inputs, library, catalogue, &self.options, &mut progress);
        progress.finish();
        result
    }

    /// Checks the arguments.
    ///
    /// # Errors
    /// With the argument that is wrong and what was expected.
    pub fn of(args: &args::Reading) -> anyhow::Result<Self> {
        let standard_input = args.bundles.iter().filter(|path| is_dash(path)).count();
        // Without its checks a run would look like one in which every check holds.
        Checklist::load()?;
        ensure!(standard_input < 2, "`-` was given {standard_input} times; standard input can be read once");
        ensure!(
            args.names.is_empty() || args.names.len() == args.bundles.len(),
            "--as gives {} names for {} bundles; give one for each, joined by commas",
            args.names.len(),
            args.bundles.len()
        );
        ensure!(args.names.iter().all(|name| !name.is_empty()), "--as has an empty name; give one for each bundle");
        let input = |(i, path): (usize, &std::path::PathBuf)| Input {
            source: if is_dash(path) { Source::Stdin } else { Source::Path(path.clone()) },
            context: args.names.get(i).cloned(),
        };
        let contexts = args.contexts.iter().map(|text| context(text)).collect::<anyhow::Result<Vec<_>>>()?;
        let as_of = args.as_of.as_deref().map(time).transpose()?;
        let profile = args.profile.clone().map(profile).transpose()?;
        let limits = limits(&args.limits)?;
        let shown = shown(args);
        Ok(Self {
            inputs: args.bundles.iter().enumerate().map(input).collect(),
            options: Options { limits, contexts, as_of, profile, shown, ..Options::default() },
        })
    }

    /// The paths that are read.
    pub(crate) fn paths(&self) -> Vec<&Path> {
        let mut paths = Vec::with_capacity(self.inputs.len());
        for input in &self.inputs {
            if let Source::Path(path) = &input.source {
                paths.push(path.as_path());
            }
        }
        paths
    }
}

/// Whether a path stands for a standard stream.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn context(text: &str) -> anyhow::Result<(String, String)> {
    let parts = text.split_once('=').map(|(name, path)| (name.trim(), path.trim_matches('/')));
    match parts {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => Ok((name.to_owned(), path.to_owned())),
        _ => bail!("--context {text}: expected NAME=PATH, such as `hub=dump/hub`"),
    }
}

fn time(text: &str) -> anyhow::Result<jiff::Timestamp> {
    text.parse().with_context(|| format!("--as-of {text}: expected a time with its zone, such as 2026-05-01T10:00:00Z"))
}

fn profile(id: String) -> anyhow::Result<String> {
    let known: Vec<String> = Checklist::load()?.profiles.iter().map(|profile| profile.id.clone()).collect();
    ensure!(known.contains(&id), "--profile {id}: expected one of {}", known.join(", "));
    Ok(id)
}

/// Limits with what was given in place of the defaults.
/// What `--max-memory` of a command that reads no bundle says.
///
/// # Errors
/// If it is no size.
pub(crate) fn memory(given: Option<&str>) -> anyhow::Result<u64> {
    bytes("--max-memory", given, Limits::default().memory)
}

fn bytes(flag: &str, given: Option<&str>, default: u64) -> anyhow::Result<u64> {
    match given {
        Some(text) => {
            size(text).with_context(|| format!("{flag} {text}: expected a size above 0, such as 4096, 512M or 2GiB"))
        }
        None => Ok(default),
    }
}

fn limits(args: &args::Limits) -> anyhow::Result<Limits> {
    let default = Limits::default();
    let bytes = |flag: &str, given: &Option<String>, default: u64| bytes(flag, given.as_deref(), default);
    let line = bytes("--max-line-bytes", &args.max_line_bytes, default.line_bytes as u64)?;
    Ok(Limits {
        total_bytes: bytes("--max-total-bytes", &args.max_total_bytes, default.total_bytes)?,
        member_bytes: bytes("--max-member-bytes", &args.max_member_bytes, default.member_bytes)?,
        document_bytes: bytes("--max-document-bytes", &args.max_document_bytes, default.document_bytes)?,
        archive_bytes: bytes("--max-archive-bytes", &args.max_archive_bytes, default.archive_bytes)?,
        members: args.max_members.unwrap_or(default.members),
        ratio: args.max_ratio.unwrap_or(default.ratio),
        line_bytes: usize::try_from(line).context("--max-line-bytes is more than this machine can hold")?,
        archive_depth: args.max_archive_depth.unwrap_or(default.archive_depth),
        nesting: args.max_nesting.unwrap_or(default.nesting),
        path_depth: args.max_path_depth.unwrap_or(default.path_depth),
        memory: bytes("--max-memory", &args.max_memory, default.memory)?,
        time: args.max_time.map(Deadline::in_seconds),
    })
}

/// A number of bytes with or without a unit. `K`, `M`, `G`, `T` and `KiB`... are powers of 1024, `KB`...
/// of 1000.
fn size(text: &str) -> anyhow::Result<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits.trim().parse().context("not a number")?;
    let unit = text[digits.len()..].to_ascii_lowercase();
    let factor: u64 = match unit.as_str() {
        "" | "b" => 1,
        "k" | "ki" | "kib" => 1 << 10,
        "m" | "mi" | "mib" => 1 << 20,
        "g" | "gi" | "gib" => 1 << 30,
        "t" | "ti" | "tib" => 1 << 40,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        _ => bail!("unknown unit `{unit}`"),
    };
    number.checked_mul(factor).filter(|bytes| *bytes > 0).context("zero, or more than 16 EiB")
}

/// Options that shape the result, as the report prints them.
fn shown(args: &args::Reading) -> BTreeMap<String, String> {
    let limits = &args.limits;
    let number = |given: Option<u64>| given.map(|n| n.to_string());
    let list = |given: &[String]| (!given.is_empty()).then(|| given.join(","));
    [
        ("as", list(&args.names)),
        ("as-of", args.as_of.clone()),
        ("profile", args.profile.clone()),
        ("context", list(&args.contexts)),
        ("max-archive-bytes", limits.max_archive_bytes.clone()),
        ("max-archive-depth", number(limits.max_archive_depth.map(u64::from))),
        ("max-document-bytes", limits.max_document_bytes.clone()),
        ("max-line-bytes", limits.max_line_bytes.clone()),
        ("max-member-bytes", limits.max_member_bytes.clone()),
        ("max-memory", limits.max_memory.clone()),
        ("max-members", number(limits.max_members)),
        ("max-nesting", number(limits.max_nesting.map(u64::from))),
        ("max-path-depth", number(limits.max_path_depth.map(u64::from))),
        ("max-ratio", number(limits.max_ratio)),
        ("max-time", number(limits.max_time)),
        ("max-total-bytes", limits.max_total_bytes.clone()),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name.to_owned(), value?)))
    .collect()
}

impl From<args::SeverityName> for Severity {
    fn from(name: args::SeverityName) -> Self {
        match name {
            args::SeverityName::Critical => Severity::Critical,
            args::SeverityName::High => Severity::High,
            args::SeverityName::Medium => Severity::Medium,
            args::SeverityName::Low => Severity::Low,
            args::SeverityName::Info => Severity::Info,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn reading(line: &[&str]) -> anyhow::Result<Reading> {
        let line = ["casefile", "diagnose"].iter().chain(line);
        match args::Args::try_parse_from(line)?.command {
            args::Command::Diagnose(args) => Reading::of(&args.reading),
            _ => unreachable!(),
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("4096").unwrap(), 4096);
        assert_eq!(size("2GiB").unwrap(), 2 << 30);
        assert_eq!(size("512M").unwrap(), 512 << 20);
        assert_eq!(size("1kb").unwrap(), 1000);
        for wrong in ["", "0", "G", "1.5G", "-1", "5 parsecs", "99999999999T"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_does_not_fit_together_is_refused_with_what_was_expected() {
        let error = |line: &[&str]| format!("{:#}", reading(line).unwrap_err());
        assert_eq!(error(&["-", "-"]), "`-` was given 2 times; standard input can be read once");
        assert_eq!(
            error(&["a", "b", "--as", "x"]),
            "--as gives 1 names for 2 bundles; give one for each, joined by commas"
        );
        assert_eq!(error(&["a", "--context", "hub"]), "--context hub: expected NAME=PATH, such as `hub=dump/hub`");
        assert!(
            error(&["a", "--as-of", "2026-05-01T10:00:00"])
                .starts_with("--as-of 2026-05-01T10:00:00: expected a time with its zone")
        );
        assert!(error(&["a", "--max-total-bytes", "many"]).starts_with("--max-total-bytes many: expected a size"));
    }

    #[test]
    fn options_that_shape_the_result_are_shown() {
        let reading =
            reading(&["a", "-", "--as", "primary,standby", "--max-members", "5", "--context", "hub=x/hub/"]).unwrap();
        assert_eq!(reading.options.limits.members, 5);
        assert_eq!(reading.options.contexts, [("hub".to_owned(), "x/hub".to_owned())]);
        assert_eq!(reading.inputs[1].source, Source::Stdin);
        assert_eq!(reading.inputs[1].context.as_deref(), Some("standby"));
        insta::assert_debug_snapshot!(reading.options.shown, @r#"
        {
            "as": "primary,standby",
            "context": "hub=x/hub/",
            "max-members": "5",
        }
        "#);
    }
}
