//! One mistake in a signature file: data first, text second.
//!
//! Invariant: a problem holds the line it points at, so that it can be printed without the file.

use crate::code::Code;
use crate::located::Place;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

/// A mistake with its place and the way out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file, as it was named.
    pub file: String,
    /// Where in it; line 0 means the file as a whole.
    pub place: Place,
    /// What kind of mistake.
    pub code: Code,
    /// What is wrong, in this case.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The line that it points at.
    pub text: String,
}

impl Problem {
    /// The problem as a person reads it: code, message, place, the line with a caret, a hint. `colour`
    /// says whether escape codes may be used.
    pub fn render(&self, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let start =
            self.text.char_indices().nth(self.place.column.saturating_sub(1)).map_or(self.text.len(), |(i, _)| i);
        let marked = self.text.get(start..).unwrap_or_default();
        let length: usize = match self.place.length {
            0 => marked.len().min(1),
            length => marked.char_indices().nth(length).map_or(marked.trim_end().len(), |(i, _)| i),
        };
        let title = Level::ERROR.primary_title(&self.message).id(self.code.id());
        let main = if self.place.line == 0 {
            title.element(annotate_snippets::Origin::path(&self.file))
        } else {
            title.element(
                Snippet::source(&self.text)
                    .line_start(self.place.line)
                    .path(&self.file)
                    .annotation(AnnotationKind::Primary.span(start..start + length)),
            )
        };
        let mut report = vec![main];
        if let Some(hint) = &self.hint {
            report.push(Group::with_title(Level::HELP.secondary_title(hint)));
        }
        renderer.render(&report)
    }
}

impl std::fmt::Display for Problem {
    /// One line: `file:line:column: code: message`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.file)?;
        if self.place.line > 0 {
            write!(f, ":{}:{}", self.place.line, self.place.column)?;
        }
        write!(f, ": {}: {}", self.code.id(), self.message)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

/// All problems as a person reads them, with one blank line between them.
pub fn render(problems: &[Problem], colour: bool) -> String {
    problems.iter().map(|problem| problem.render(colour) + "\n").collect::<Vec<_>>().join("\n")
}

/// Collects the problems of one file.
#[derive(Debug)]
pub struct Reporter<'a> {
    file: &'a str,
    source: &'a str,
    problems: Vec<Problem>,
}

impl<'a> Reporter<'a> {
    /// A reporter for a file, named as it shall be printed, and its text.
    pub fn new(file: &'a str, source: &'a str) -> Self {
        Self { file, source, problems: Vec::new() }
    }

    /// Adds a problem.
    pub fn report(&mut self, code: Code, place: Place, message: impl Into<String>, hint: Option<String>) {
        let text = self.source.lines().nth(place.line.wrapping_sub(1)).unwrap_or_default().to_owned();
        self.problems.push(Problem { file: self.file.to_owned(), place, code, message: message.into(), hint, text });
    }

    /// The place of a byte inside a value. A plain or quoted scalar on one line is found in its line; in
    /// folded text the value as a whole is meant.
    pub fn inside(&self, place: Place, value: &str, at: usize, length: usize) -> Place {
        if place.line == 0 {
            return place;
        }
        let Some(line) = self.source.lines().nth(place.line.wrapping_sub(1)) else { return place };
        let skip: String = line.chars().take(place.column.saturating_sub(1)).collect();
        let tail = line.get(skip.len()..).unwrap_or_default();
        match tail.find(value.lines().next().unwrap_or_default()) {
            Some(offset) if !value.contains('\n') && !value.is_empty() => {
                let before = tail.get(..offset).map_or(0, |t| t.chars().count());
                let into = value.get(..at).map_or(0, |t| t.chars().count());
                Place { line: place.line, column: place.column + before + into, length }
            }
            _ => self.in_block(place, value, at, length),
        }
    }

    /// The place of a key of the map that begins at a place, or its value there; that place where the key is not found.
    pub fn key_below(&self, place: Place, key: &str) -> Place {
        let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        for (index, line) in self.source.lines().enumerate().skip(place.line.saturating_sub(1)).take(40) {
            for (at, _) in line.match_indices(key) {
                let (before, after) =
                    (line.get(..at).unwrap_or_default(), line.get(at + key.len()..).unwrap_or_default());
                if !before.ends_with(is_part) && after.trim_start().starts_with(':') {
                    let column = before.chars().count() + 1;
                    return Place { line: index + 1, column, length: key.chars().count() };
                }
            }
        }
        place
    }

    /// The place of a byte of a folded block scalar: the word at that byte is looked for in the lines
    /// that follow, as often as it stands in the value before.
    fn in_block(&self, place: Place, value: &str, at: usize, length: usize) -> Place {
        let Some(word) = value.get(at..(at + length).min(value.len())).filter(|word| !word.is_empty()) else {
            return place;
        };
        let wanted = value.get(..at).map_or(0, |before| before.matches(word).count());
        let mut seen = 0;
        for (index, line) in self.source.lines().enumerate().skip(place.line.saturating_sub(1)).take(40) {
            let from = if index + 1 == place.line { place.column.saturating_sub(1).min(line.len()) } else { 0 };
            for (offset, _) in line.get(from..).unwrap_or_default().match_indices(word) {
                if seen == wanted {
                    let column = line.get(..from + offset).map_or(0, |t| t.chars().count()) + 1;
                    return Place { line: index + 1, column, length: word.chars().count() };
                }
                seen += 1;
            }
        }
        place
    }

    /// Are there problems?
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// The problems, in the order of the file.
    pub fn finish(mut self) -> Vec<Problem> {
        self.problems.sort();
        self.problems.dedup();
        self.problems
    }
}
