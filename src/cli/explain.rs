//! `casefile explain [ID]`

use crate::args::{Explain, TextOrMarkdown};
use crate::exit::Exit;
use crate::{library, output};
use anyhow::bail;
use facts::suggest;
use signature::explain;
use signature::model::Signature;
use std::fmt::Write;

/// Columns of the text.
const WIDTH: usize = 100;

/// The signatures that somebody can mean: the one with that id or name, else the one whose id has that number, else all
/// whose name has all its words.
fn found<'a>(all: &'a [Signature], wanted: &str) -> Vec<&'a Signature> {
    let exact = |s: &&Signature| {
        s.id.eq_ignore_ascii_case(wanted) || s.name == wanted || s.aliases.iter().any(|alias| alias == wanted)
    };
    if let Some(one) = all.iter().find(exact) {
        return vec![one];
    }
    let number = |s: &&Signature| s.id.rsplit('-').next() == Some(wanted);
    if wanted.chars().all(|c| c.is_ascii_digit()) {
        return all.iter().filter(number).collect();
    }
    let wanted = wanted.to_lowercase();
    let words: Vec<&str> = wanted.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2).collect();
    let has = |s: &&Signature| {
        let said = format!("{} {}", s.name, s.title).to_lowercase();
        !words.is_empty() && words.iter().all(|word| said.contains(word))
    };
    let by_name: Vec<&Signature> = all.iter().filter(|s| words.iter().all(|word| s.name.contains(word))).collect();
    if by_name.is_empty() || words.is_empty() { all.iter().filter(has).collect() } else { by_name }
}

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
    let signature = match found(&library.signatures, wanted).as_slice() {
        [one] => *one,
        [] => {
            let known = library.signatures.iter().flat_map(|s| [s.id.as_str(), s.name.as_str()]);
            let hint = suggest::did_you_mean(wanted, known).map(|hint| format!("{hint} ")).unwrap_or_default();
            bail!("there is no signature `{wanted}`; {hint}`casefile explain` lists all");
        }
        several => {
            let named: Vec<String> = several.iter().map(|s| format!("\n  {}  {}: {}", s.id, s.name, s.title)).collect();
            bail!("`{wanted}` is a part of {} names; give one of their ids:{}", several.len(), named.concat());
        }
    };
    output::stdout(&match args.format {
        TextOrMarkdown::Text => explain::text(signature, WIDTH),
        TextOrMarkdown::Markdown => explain::markdown(signature),
    })?;
    Ok(Exit::Done)
}
