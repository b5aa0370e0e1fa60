//! `casefile diff A B`

use crate::args::{Diff, DiffFormat, Reading as ReadingArgs};
use crate::destination::{Destination, Inputs, Readers, Standing};
use crate::exit::Exit;
use crate::progress::Spinner;
use crate::sandbox::Needs;
use crate::settings::{Reading, is_dash};
use crate::{last_line, library, output, sandbox};
use anyhow::ensure;
use catalogue::kinds::Catalogue;
use compare::{Bundle, html, text};
use diagnose::{Keep, collect, decide};
use diagnosis::plain_json;
use std::path::{Path, PathBuf};

/// Compares two bundles.
///
/// # Errors
/// If one cannot be read, or the result cannot be written.
pub(crate) fn run(args: &Diff) -> anyhow::Result<Exit> {
    ensure!(
        !is_dash(&args.a) && !is_dash(&args.b),
        "both bundles are read from files; save the one from standard input"
    );
    let paths = [&args.a, &args.b];
    let mut readings = Vec::new();
    for path in paths {
        let mut reading = Reading::of(&reading_args(args, path))?;
        reading.options.keep = Keep::All;
        reading.options.limits.memory /= 2;
        readings.push(reading);
    }
    let format = args.format.or_else(|| by_ending(args.output.as_deref()?)).unwrap_or(DiffFormat::Text);
    let inputs = Inputs::of(paths.into_iter().map(PathBuf::as_path));
    inputs.spare_from_stdout()?;
    let target = args.output.as_deref();
    let target = target.map(|path| Destination::check(path, &inputs, Readers::Owner, Standing::Stays)).transpose()?;
    let Some(limits) = readings.first().map(|reading| reading.options.limits.clone()) else { return Ok(Exit::Done) };
    last_line::of_memory(&limits);
    let library = library::load(&args.signatures)?;
    let read = readings.iter().flat_map(Reading::paths).collect();
    let write = target.iter().filter_map(Destination::folder).collect();
    sandbox::confine(&Needs { read, write, ..Needs::default() });
    last_line::of_time(&limits);
    let catalogue = Catalogue::built_in();
    let mut read = Vec::new();
    for reading in &readings {
        let mut progress = Spinner::new(&reading.inputs);
        let result = collect(&reading.inputs, &library, &catalogue, &reading.options, &mut progress);
        progress.finish();
        let collected = result?;
        let diagnosis = decide(&collected, &library, &catalogue, &reading.options);
        read.push((collected, diagnosis));
    }
    let [(old, was), (new, is)] = read.as_slice() else { return Ok(Exit::Done) };
    let before = Bundle { collected: old, diagnosis: was };
    let after = Bundle { collected: new, diagnosis: is };
    let comparison = compare::compare(before, after);
    let text = match format {
        DiffFormat::Text => text::text(&comparison, args.all),
        DiffFormat::Html => html::page(&comparison),
        DiffFormat::Json => plain_json::pretty(&comparison)?,
    };
    match target {
        Some(target) => target.write(&text)?,
        None => output::stdout(&text)?,
    }
    Ok(Exit::Done)
}

fn by_ending(path: &Path) -> Option<DiffFormat> {
    match path.extension()?.to_str()? {
        "html" | "htm" => Some(DiffFormat::Html),
        "json" => Some(DiffFormat::Json),
        _ => None,
    }
}

fn reading_args(args: &Diff, path: &Path) -> ReadingArgs {
    ReadingArgs {
        bundles: vec![path.to_owned()],
        contexts: Vec::new(),
        names: Vec::new(),
        as_of: None,
        profile: None,
        limits: args.limits.clone(),
    }
}
