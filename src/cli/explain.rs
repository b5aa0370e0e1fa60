//! `casefile explain [ID]`

use crate::args::{Explain, Signatures, TextOrMarkdown};
use crate::exit::Exit;
use crate::{library, output};
use anyhow::{Context, bail};
use facts::suggest;
use signature::heading::Heading;
use signature::load::Library;
use signature::{explain, heading};
use std::fmt::Write;

/// Columns of the text.
const WIDTH: usize = 100;

/// The signatures that somebody can mean: the one with that id or name, else the one whose id has that number, else all
/// whose name has all its words.
fn found<'a>(all: &'a [Heading], wanted: &str) -> Vec<&'a Heading> {
    let exact = |s: &&Heading| {
        s.id.eq_ignore_ascii_case(wanted) || s.name == wanted || s.aliases.iter().any(|alias| alias == wanted)
    };
    if let Some(one) = all.iter().find(exact) {
        return vec![one];
    }
    let number = |s: &&Heading| s.id.rsplit('-').next() == Some(wanted);
    if wanted.chars().all(|c| c.is_ascii_digit()) {
        return all.iter().filter(number).collect();
    }
    let wanted = wanted.to_lowercase();
    let words: Vec<&str> = wanted.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2).collect();
    let has = |s: &&Heading| {
        let said = format!("{} {}", s.name, s.title).to_lowercase();
        !words.is_empty() && words.iter().all(|word| said.contains(word))
    };
    let by_name: Vec<&Heading> = all.iter().filter(|s| words.iter().all(|word| s.name.contains(word))).collect();
    if by_name.is_empty() || words.is_empty() { all.iter().filter(has).collect() } else { by_name }
}

/// What all signatures are called; with the library, where it had to be loaded for that.
///
/// # Errors
/// If it cannot be loaded.
fn named(args: &Explain) -> anyhow::Result<(Vec<Heading>, Option<Library>)> {
    let Signatures { patterns, only_patterns, .. } = &args.signatures;
    if let (true, Some(headings)) = (patterns.is_empty() && only_patterns.is_empty(), heading::built_in()) {
        return Ok((headings, None));
    }
    let library = library::load(&args.signatures)?;
    Ok((library.signatures.iter().map(Heading::from).collect(), Some(library)))
}

/// Prints what a signature means, or the list of all.
///
/// # Errors
/// If there is no such signature, one is bad, or the result cannot be written.
pub(crate) fn run(args: &Explain) -> anyhow::Result<Exit> {
    let (headings, library) = named(args)?;
    let Some(wanted) = &args.id else {
        let mut out = String::new();
        for heading in &headings {
            // Writing into a String cannot fail.
            let _ = writeln!(out, "{}  {}: {}", heading.id, heading.name, heading.title);
        }
        output::stdout(&out)?;
        return Ok(Exit::Done);
    };
    let heading = match found(&headings, wanted).as_slice() {
        [one] => *one,
        [] => {
            let known = headings.iter().flat_map(|heading| [heading.id.as_str(), heading.name.as_str()]);
            let hint = suggest::did_you_mean(wanted, known).map(|hint| format!("{hint} ")).unwrap_or_default();
            bail!("there is no signature `{wanted}`; {hint}`casefile explain` lists all");
        }
        several => {
            let named: Vec<String> = several.iter().map(|s| format!("\n  {}  {}: {}", s.id, s.name, s.title)).collect();
            bail!("`{wanted}` is a part of {} names; give one of their ids:{}", several.len(), named.concat());
        }
    };
    let library = match library {
        Some(library) => library,
        None => Library::built_in_file(&heading.file)?,
    };
    let signature = library.get(&heading.id).with_context(|| format!("{} is not in {}", heading.id, heading.file))?;
    output::stdout(&match args.format {
        TextOrMarkdown::Text => explain::text(signature, WIDTH),
        TextOrMarkdown::Markdown => explain::markdown(signature),
    })?;
    Ok(Exit::Done)
}
