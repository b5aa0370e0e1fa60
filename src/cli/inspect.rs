//! `casefile inspect BUNDLE...`

use crate::args::{Inspect, TextOrJson};
use crate::destination::Inputs;
use crate::exit::Exit;
use crate::progress::Spinner;
use crate::sandbox::Needs;
use crate::settings::Reading;
use crate::{last_line, library, output, sandbox};
use catalogue::kinds::Catalogue;
use diagnose::collect;
use diagnosis::plain_json;
use inspect::{model, text};
use std::path::PathBuf;

/// Prints what is in the bundles.
///
/// # Errors
/// If a bundle cannot be read, a signature is bad, or the result cannot be written.
pub(crate) fn run(args: &Inspect) -> anyhow::Result<Exit> {
    let reading = Reading::of(&args.reading)?;
    Inputs::of(args.reading.bundles.iter().map(PathBuf::as_path)).spare_from_stdout()?;
    last_line::of_memory(&reading.options.limits);
    let library = library::load(&args.signatures)?;
    let confined = sandbox::confine(&Needs { read: reading.paths(), write: Vec::new(), ..Needs::default() });
    if args.verbose {
        output::message(&confined.to_string());
    }
    last_line::of_time(&reading.options.limits);
    let mut progress = Spinner::new(&reading.inputs);
    let catalogue = Catalogue::built_in();
    let result = collect(&reading.inputs, &library, &catalogue, &reading.options, &mut progress);
    progress.finish();
    let collected = result?;
    let inspection = model::inspect(&collected.bundles, &collected.facts, &library, &catalogue);
    let text = match args.format {
        TextOrJson::Text => text::text(&inspection, args.all),
        TextOrJson::Json => plain_json::pretty(&inspection)?,
    };
    output::stdout(&text)?;
    Ok(Exit::Done)
}
