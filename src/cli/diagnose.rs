//! `casefile diagnose BUNDLE...`

use crate::args::Diagnose;
use crate::destination::{Destination, Inputs, NotWritten, Readers, Standing};
use crate::exit::Exit;
use crate::folder::Folder;
use crate::format::{Format, HTML};
use crate::progress::Spinner;
use crate::sandbox::Needs;
use crate::settings::{Reading, is_dash};
use crate::{last_line, library, output, sandbox};
use anyhow::{Context, ensure};
use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, collect, decide};
use diagnosis::model::Diagnosis;
use diagnosis::pseudonyms::{self, Names};
use diagnosis::words;
use diagnosis::{baseline, bounds};
use facts::outside::Outside;
use intake::Source;
use signature::load::Library;
use signature::model::{Severity, VerdictWord};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

/// Endings that are no part of a bundle's name.
const ENDINGS: [&str; 7] = [".tar.gz", ".tar.xz", ".tgz", ".txz", ".tar", ".gz", ".xz"];

/// Where each format is written.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    Stdout(Format),
    File(Format, PathBuf),
}

/// A target that may be written to.
enum Checked {
    Stdout(Format),
    File(Format, Destination),
}

impl Checked {
    /// The folder that is written to.
    fn folder(&self) -> Option<&Folder> {
        match self {
            Checked::Stdout(_) => None,
            Checked::File(_, destination) => destination.folder(),
        }
    }
}

/// Writes the diagnosis and prints the summary.
///
/// # Errors
/// If the arguments do not fit together, a signature is bad, a bundle cannot be read, or the result
/// cannot be written.
pub(crate) fn run(args: &Diagnose) -> anyhow::Result<Exit> {
    let mut reading = Reading::of(&args.reading)?;
    let baseline = args.baseline.as_deref();
    if let Some(path) = baseline {
        let name = Outside::name(&path.to_string_lossy()).to_string();
        reading.options.shown.insert("baseline".to_owned(), name);
    }
    let targets = targets(args)?;
    last_line::of_memory(&reading.options.limits);
    let library = ManuallyDrop::new(library::load(&args.signatures)?);
    let mapping = args.pseudonyms.then(|| mapping_file(args, &targets));
    let checked = check(args, targets)?;
    known_ending(args)?;
    let mapping = mapping.map(|path| destination(args, &path)).transpose()?;
    let width = output::width();
    let of_mapping = mapping.as_ref().and_then(Destination::folder);
    let folders = checked.iter().filter_map(Checked::folder).chain(of_mapping).collect();
    let read = reading.paths().into_iter().chain(baseline).collect();
    sandbox::confine(&Needs { read, write: folders, ..Needs::default() });
    last_line::of_time(&reading.options.limits);
    let healthy = baseline.map(|path| healthy(path, &library, &reading.options)).transpose()?;
    let mut progress = Spinner::new(&reading.inputs);
    let catalogue = Catalogue::built_in();
    let result = collect(&reading.inputs, &library, &catalogue, &reading.options, &mut progress);
    // The process ends after this, and the system takes back at once what would be given back text by text.
    let result = result.map(|collected| {
        let collected = ManuallyDrop::new(collected);
        let names = if mapping.is_some() { diagnose::names(&collected) } else { Names::default() };
        (decide(&collected, &library, &catalogue, &reading.options), names)
    });
    progress.finish();
    let (mut diagnosis, names) = result?;
    if let Some(reason) = diagnose::nothing(&diagnosis) {
        let name = Outside::name(&words::bundles(&diagnosis.bundles));
        return Err(intake::Error::Nothing { name, reason: reason.into() }.into());
    }
    if let Some(healthy) = &healthy {
        let rows = baseline::subtract(&mut diagnosis, healthy);
        let said = words::count(rows, "anomaly or loud line", "anomalies and loud lines");
        output::message(&format!("left out, because the baseline has the same: {said}"));
    }
    let met = args.fail_on.is_some_and(|least| fails(&diagnosis, least.into()));
    diagnose::gather(&mut diagnosis);
    bounds::bound(&mut diagnosis);
    if let Some(mapping) = mapping {
        diagnosis = renamed(&diagnosis, &names, &mapping)?;
    }
    write(&checked, &diagnosis, width)?;
    Ok(if met { Exit::Found } else { Exit::Done })
}

/// The diagnosis of a healthy bundle, of which only what stands out is used.
fn healthy(path: &Path, library: &Library, options: &Options) -> Result<Diagnosis, intake::Error> {
    let input = Input { source: Source::Path(path.to_owned()), context: None };
    let found = diagnose::diagnose(&[input], library, &Catalogue::built_in(), options, &mut Quiet)?;
    match diagnose::nothing(&found) {
        // Subtracting nothing would look as if nothing were ordinary.
        Some(reason) => {
            Err(intake::Error::Nothing { name: Outside::name(&path.to_string_lossy()), reason: reason.into() })
        }
        None => Ok(found),
    }
}

/// Where it is written what stands for what: beside the report.
fn mapping_file(args: &Diagnose, targets: &[Target]) -> PathBuf {
    let file = targets.iter().find_map(|target| match target {
        Target::File(_, path) => Some(path),
        Target::Stdout(_) => None,
    });
    let folder = file.and_then(|path| path.parent()).map(Path::to_owned).unwrap_or_default();
    let first = args.reading.bundles.first().map(|path| stem(path)).unwrap_or_default();
    folder.join(format!("{first}.pseudonyms.json"))
}

/// The diagnosis with pseudonyms; what stands for what is written first.
fn renamed(diagnosis: &Diagnosis, names: &Names, file: &Destination) -> anyhow::Result<Diagnosis> {
    let (renamed, mapping) = pseudonyms::replace(diagnosis, names).context(
        "a name of this bundle is a word of the report itself and cannot be replaced; leave --pseudonyms out",
    )?;
    let text = serde_json::json!({ "schema_version": 1, "tool": diagnosis.tool, "pseudonyms": mapping });
    file.write(&format!("{text:#}\n"))?;
    output::message(&format!(
        "wrote {}: what stands for what, for you alone",
        Outside::name(&file.path().to_string_lossy())
    ));
    Ok(renamed)
}

/// A file that may be written to, and that its owner alone may read.
fn destination(args: &Diagnose, path: &Path) -> Result<Destination, NotWritten> {
    let inputs = Inputs::of(args.reading.bundles.iter().map(PathBuf::as_path));
    let standing = if args.force { Standing::Replaced } else { Standing::ReplacedIf(parse::own_report::is_one) };
    Destination::check(path, &inputs, Readers::Owner, standing)
}

/// Refuses what must not be written to, before anything is read.
fn check(args: &Diagnose, targets: Vec<Target>) -> Result<Vec<Checked>, NotWritten> {
    let inputs = Inputs::of(args.reading.bundles.iter().map(PathBuf::as_path));
    inputs.spare_from_stdout()?;
    let standing = if args.force { Standing::Replaced } else { Standing::ReplacedIf(parse::own_report::is_one) };
    let checked = |target| match target {
        Target::Stdout(format) => Ok(Checked::Stdout(format)),
        Target::File(format, path) => {
            Ok(Checked::File(format, Destination::check(&path, &inputs, Readers::Owner, standing)?))
        }
    };
    targets.into_iter().map(checked).collect()
}

/// Writes all files, then the summary: it speaks of reports that are there.
fn write(targets: &[Checked], diagnosis: &Diagnosis, width: Option<usize>) -> anyhow::Result<()> {
    let render = |target: &Checked| match target {
        Checked::Stdout(format) | Checked::File(format, _) => format.render(diagnosis),
    };
    let texts = targets.iter().map(render).collect::<Result<Vec<_>, _>>()?;
    let mut written = Vec::new();
    let mut failed = None;
    for (target, text) in targets.iter().zip(&texts) {
        if let Checked::File(_, destination) = target {
            match destination.write(text) {
                Ok(()) => written.push(destination.path()),
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
    }
    let on_stdout = targets.iter().zip(&texts).find(|(target, _)| matches!(target, Checked::Stdout(_)));
    let printed = match (&failed, on_stdout) {
        (Some(_), _) => Ok(()),
        (None, Some((_, text))) => output::stdout(text),
        (None, None) => {
            let summary = report::terminal::summary(diagnosis, output::colour(), width);
            let links: Vec<String> = written.iter().filter_map(|path| link(path)).collect();
            output::stdout(&format!("{summary}{}", links.concat()))
        }
    };
    if failed.is_some() || printed.is_err() || on_stdout.is_some() {
        for path in written {
            output::message(&format!("wrote {}", Outside::name(&path.to_string_lossy())));
        }
    }
    Ok(failed.map_or(printed, Err)?)
}

/// The last line of the summary: where the report is, as an address that a terminal opens.
fn link(path: &Path) -> Option<String> {
    let whole = std::path::absolute(path).ok()?;
    let mut address = String::new();
    for byte in whole.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                address.push(char::from(byte))
            }
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    Some(format!("Report: file://{address}\n"))
}

/// Refuses a name whose ending asks for a format that there is not: a page in `x.yaml` would surprise its reader.
fn known_ending(args: &Diagnose) -> anyhow::Result<()> {
    let Some(path) = args.output.as_ref().filter(|path| args.format.is_empty() && !is_dash(path)) else {
        return Ok(());
    };
    let Some(ending) = path.extension().map(|ending| ending.to_string_lossy().into_owned()) else { return Ok(()) };
    ensure!(
        Format::of_path(path).is_some(),
        "-o {}: no format has the ending .{ending}; end it in {}, or name the format with --format",
        Outside::name(&path.to_string_lossy()),
        Format::endings().join(", ")
    );
    Ok(())
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
    let mut formats: Vec<Format> = Vec::new();
    for format in &args.format {
        if !formats.contains(format) {
            formats.push(*format);
        }
    }
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
