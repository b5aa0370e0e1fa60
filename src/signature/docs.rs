//! The pages of `docs/patterns/`: generated from the signatures, checked in, and never edited by hand.

use crate::explain;
use crate::load::Library;
use std::fmt::Write as _;

/// All pages: file name and Markdown text. The first is the list of them.
pub fn docs(library: &Library) -> Vec<(String, String)> {
    let mut index = String::from(
        "# Signatures\n\nGenerated from `patterns/`; edit the signatures, not these pages.\n\n\
         | id | severity | title |\n|---|---|---|\n",
    );
    let mut pages = Vec::new();
    for signature in &library.signatures {
        let title = signature.title.replace('|', "\\|");
        let _ = writeln!(index, "| [{0}]({0}.md) | {1} | {title} |", signature.id, signature.severity.word());
        pages.push((format!("{}.md", signature.id), explain::markdown(signature)));
    }
    pages.insert(0, ("README.md".to_owned(), index));
    pages
}
