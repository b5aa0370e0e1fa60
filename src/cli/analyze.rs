//! `casefile analyze --spec FILE BUNDLE...`

use crate::args::{Analyze, AnalyzeFailOn, AnalyzeFormat};
use crate::destination::Inputs;
use crate::exit::Exit;
use crate::sandbox::Needs;
use crate::settings::Reading;
use crate::{last_line, library, output, sandbox};
use analyze::model::{Analysis, Outcome};
use analyze::{Spec, github, sarif, text};
use anyhow::{Context, ensure};
use catalogue::kinds::Catalogue;
use diagnose::Keep;
use diagnosis::plain_json;
use facts::outside::Outside;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of one spec.
const LARGEST: u64 = 16 << 20;

/// Runs specs over bundles and prints what came of them.
///
/// # Errors
/// If a spec is no spec, a bundle cannot be read, or the result cannot be written.
pub(crate) fn run(args: &Analyze) -> anyhow::Result<Exit> {
    let mut reading = Reading::of(&args.reading)?;
    reading.options.keep = Keep::All;
    Inputs::of(args.reading.bundles.iter().map(PathBuf::as_path)).spare_from_stdout()?;
    let specs = args.spec.iter().map(|path| spec(path)).collect::<anyhow::Result<Vec<_>>>()?;
    last_line::of_memory(&reading.options.limits);
    let library = library::load(&args.signatures)?;
    sandbox::confine(&Needs { read: reading.paths(), write: Vec::new(), ..Needs::default() });
    last_line::of_time(&reading.options.limits);
    let catalogue = Catalogue::built_in();
    let collected = reading.collect(&library, &catalogue)?;
    let analysis = analyze::analyze(&specs, &collected, &reading.inputs, &reading.options.limits, &catalogue)?;
    let text = match args.format {
        AnalyzeFormat::Text => text::text(&analysis),
        AnalyzeFormat::Json => plain_json::pretty(&analysis)?,
        AnalyzeFormat::Github => github::render(&analysis),
        AnalyzeFormat::Sarif => sarif::render(&analysis)?,
    };
    output::stdout(&text)?;
    Ok(if is_met(&analysis, args.fail_on) { Exit::Found } else { Exit::Done })
}

/// Reads a spec.
fn spec(path: &Path) -> anyhow::Result<Spec> {
    let name = path.to_string_lossy();
    let shown = Outside::name(&name);
    let failed = || format!("cannot read the spec {shown}; name a YAML file with analyzers");
    let mut text = String::new();
    let file = std::fs::File::open(path).with_context(failed)?;
    let read = file.take(LARGEST + 1).read_to_string(&mut text).with_context(failed)?;
    ensure!(
        read as u64 <= LARGEST,
        "the spec {shown} is larger than {LARGEST} bytes; name the file with the analyzers alone"
    );
    Ok(Spec::read(&name, &text)?)
}

/// Is there a result at which the program is to end with 1?
fn is_met(analysis: &Analysis, fail_on: AnalyzeFailOn) -> bool {
    let least: &[Outcome] = match fail_on {
        AnalyzeFailOn::Never => &[],
        AnalyzeFailOn::Fail => &[Outcome::Fail],
        AnalyzeFailOn::Warn => &[Outcome::Fail, Outcome::Warn],
        AnalyzeFailOn::Unknown => &[Outcome::Fail, Outcome::Warn, Outcome::Unknown],
    };
    analysis.results.iter().any(|row| least.contains(&row.outcome))
}
