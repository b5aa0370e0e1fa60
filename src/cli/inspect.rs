//! `casefile inspect BUNDLE...`

use super::args::{Inspect, TextOrJson};
use super::exit::Exit;
use super::progress::Spinner;
use super::settings::Reading;
use super::{library, output};
use crate::diagnose::collect;
use crate::facts::catalogue::Catalogue;
use crate::report::inspect;

/// Prints what is in the bundles.
///
/// # Errors
/// If a bundle cannot be read, a signature is bad, or the result cannot be written.
pub fn run(args: &Inspect) -> anyhow::Result<Exit> {
    let reading = Reading::of(&args.reading)?;
    let library = library::load(&args.signatures)?;
    let mut progress = Spinner::new();
    let result = collect(&reading.inputs, &library, &Catalogue::built_in(), &reading.options, &mut progress);
    progress.finish();
    let collected = result?;
    let inspection = inspect::inspect(&collected.bundles, &collected.facts);
    let text = match args.format {
        TextOrJson::Text => inspect::text(&inspection),
        TextOrJson::Json => serde_json::to_string_pretty(&inspection)? + "\n",
    };
    output::stdout(&text)?;
    Ok(Exit::Done)
}
