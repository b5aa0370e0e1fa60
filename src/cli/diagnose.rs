//! `casefile diagnose BUNDLE...`

use crate::args::Diagnose;
use crate::exit::Exit;
use crate::format::{Format, HTML};
use crate::progress::Spinner;
use crate::settings::{Reading, is_dash};
use crate::{library, output};
use anyhow::ensure;
use catalogue::kinds::Catalogue;
use diagnose::diagnose;
use diagnosis::model::Diagnosis;
use signature::model::{Severity, VerdictWord};
use std::path::{Path, PathBuf};

/// Endings that are no part of a bundle's name.
const ENDINGS: [&str; 7] = [".tar.gz", ".tar.xz", ".tgz", ".txz", ".tar", ".gz", ".xz"];

/// Where each format is written.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    Stdout(Format),
    File(Format, PathBuf),
}

/// Writes the diagnosis and prints the summary.
///
/// # Errors
/// If the arguments do not fit together, a signature is bad, a bundle cannot be read, or the result
/// cannot be written.
pub(crate) fn run(args: &Diagnose) -> anyhow::Result<Exit> {
    let reading = Reading::of(&args.reading)?;
    let targets = targets(args)?;
    let library = library::load(&args.signatures)?;
    let mut progress = Spinner::new();
    let result = diagnose(&reading.inputs, &library, &Catalogue::built_in(), &reading.options, &mut progress);
    progress.finish();
    let diagnosis = result?;

    let on_stdout = targets.iter().any(|target| matches!(target, Target::Stdout(_)));
    if !on_stdout {
        output::stdout(&report::terminal::summary(&diagnosis, output::colour()))?;
    }
    for target in &targets {
        match target {
            Target::Stdout(format) => output::stdout(&format.render(&diagnosis)?)?,
            Target::File(format, path) => {
                output::file(path, &format.render(&diagnosis)?)?;
                output::message(&format!("wrote {}", path.display()));
            }
        }
    }
    let met = args.fail_on.is_some_and(|least| fails(&diagnosis, least.into()));
    Ok(if met { Exit::Found } else { Exit::Done })
}

/// Whether a finding of at least this severity is confirmed or probable.
fn fails(diagnosis: &Diagnosis, least: Severity) -> bool {
    diagnosis.findings.iter().any(|finding| {
        matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable)
            // The worst severity is the first.
            && finding.signature.severity <= least
    })
}

/// Where to write what.
fn targets(args: &Diagnose) -> anyhow::Result<Vec<Target>> {
    let mut formats = args.format.clone();
    formats.dedup();
    match &args.output {
        Some(path) => {
            ensure!(
                formats.len() < 2,
                "-o names one file and --format {} formats; leave -o out, and each gets a file of its own",
                formats.len()
            );
            let format = formats.first().copied().or_else(|| Format::of_path(path)).unwrap_or(HTML);
            let path = path.clone();
            Ok(vec![if is_dash(&path) { Target::Stdout(format) } else { Target::File(format, path) }])
        }
        None => {
            let first = args.reading.bundles.first().map(|path| stem(path)).unwrap_or_default();
            let formats = if formats.is_empty() { vec![HTML] } else { formats };
            let file = |format: Format| PathBuf::from(format!("{first}.diagnosis.{}", format.ending()));
            Ok(formats.into_iter().map(|format| Target::File(format, file(format))).collect())
        }
    }
}

/// The bundle's name without folders and the endings of archives.
fn stem(path: &Path) -> String {
    if is_dash(path) {
        return "stdin".to_owned();
    }
    let real;
    let name = match path.file_name() {
        Some(name) => Some(name),
        // `.` and `..` have a name only through the folder they stand for.
        None => {
            real = path.canonicalize().ok();
            real.as_deref().and_then(Path::file_name)
        }
    };
    let name = name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    if stem.is_empty() { "bundle".to_owned() } else { stem.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command};
    use crate::format::JSON;
    use clap::Parser;

    fn of(line: &[&str]) -> anyhow::Result<Vec<Target>> {
        match Args::try_parse_from(["casefile", "diagnose"].iter().chain(line))?.command {
            Command::Diagnose(args) => targets(&args),
            _ => unreachable!(),
        }
    }

    #[test]
    fn the_output_is_named_after_the_first_bundle() {
        let file = |format, name: &str| Target::File(format, PathBuf::from(name));
        assert_eq!(of(&["x/up.tar.gz", "b"]).unwrap(), [file(HTML, "up.diagnosis.html")]);
        assert_eq!(of(&["-"]).unwrap(), [file(HTML, "stdin.diagnosis.html")]);
        assert_eq!(of(&["/"]).unwrap(), [file(HTML, "bundle.diagnosis.html")]);
        assert_eq!(
            of(&["dump/", "--format", "html,json"]).unwrap(),
            [file(HTML, "dump.diagnosis.html"), file(JSON, "dump.diagnosis.json")]
        );
        assert_eq!(of(&["d", "-o", "x.json"]).unwrap(), [file(JSON, "x.json")]);
        assert_eq!(of(&["d", "-o", "-"]).unwrap(), [Target::Stdout(HTML)]);
        assert_eq!(of(&["d", "-o", "-", "--format", "json"]).unwrap(), [Target::Stdout(JSON)]);
        assert!(of(&["d", "-o", "x", "--format", "json,html"]).is_err());
    }
}
