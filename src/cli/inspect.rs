//! `casefile inspect BUNDLE...`

use super::args::{Inspect, TextOrJson};
use super::exit::Exit;
use super::progress::Spinner;
use super::settings::Reading;
use super::{library, output};
use crate::diagnose::collect;
use crate::facts::catalogue::Catalogue;
use crate::report::{inspect, inspect_text};

/// Prints what is in the bundles.
///
/// # Errors
/// If a bundle cannot be read, a signature is bad, or the result cannot be written.
pub fn run(args: &Inspect) -> anyhow::Result<Exit> {
    let reading = Reading::of(&args.reading)?;
    let library = library::load(&args.signatures)?;
    let mut progress = Spinner::new();
    let catalogue = Catalogue::built_in();
    let result = collect(&reading.inputs, &library, &catalogue, &reading.options, &mut progress);
    progress.finish();
    let collected = result?;
    let inspection = inspect::inspect(&collected.bundles, &collected.facts, &library, &catalogue);
    let text = match args.format {
        TextOrJson::Text => inspect_text::text(&inspection, args.all),
        TextOrJson::Json => serde_json::to_string_pretty(&inspection)? + "\n",
    };
    output::stdout(&text)?;
    Ok(Exit::Done)
}
