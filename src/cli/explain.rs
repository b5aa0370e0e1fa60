//! `casefile explain [ID]`

use crate::args::{Explain, TextOrMarkdown};
use crate::exit::Exit;
use crate::{library, output};
use anyhow::bail;
use facts::suggest;
use signature::explain;
use std::fmt::Write;

/// Columns of the text.
const WIDTH: usize = 100;

/// Prints what a signature means, or the list of all.
///
/// # Errors
/// If there is no such signature, one is bad, or the result cannot be written.
pub(crate) fn run(args: &Explain) -> anyhow::Result<Exit> {
    let library = library::load(&args.signatures)?;
    let Some(wanted) = &args.id else {
        let mut out = String::new();
        for signature in &library.signatures {
            // Writing into a String cannot fail.
            let _ = writeln!(out, "{}  {}: {}", signature.id, signature.name, signature.title);
        }
        output::stdout(&out)?;
        return Ok(Exit::Done);
    };
    let found = library.signatures.iter().find(|signature| {
        signature.id.eq_ignore_ascii_case(wanted) || signature.name == *wanted || signature.aliases.contains(wanted)
    });
    let Some(signature) = found else {
        let known = library.signatures.iter().flat_map(|s| [s.id.as_str(), s.name.as_str()]);
        let hint = suggest::did_you_mean(wanted, known).map(|hint| format!("{hint} ")).unwrap_or_default();
        bail!("there is no signature `{wanted}`; {hint}`casefile explain` lists all");
    };
    output::stdout(&match args.format {
        TextOrMarkdown::Text => explain::text(signature, WIDTH),
        TextOrMarkdown::Markdown => explain::markdown(signature),
    })?;
    Ok(Exit::Done)
}
