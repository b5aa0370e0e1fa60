//! The files of `docs/coverage/`: one for each guide or list, written by hand.

use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;

/// One guide or list, and who carries each of its statements.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Source {
    /// What the guide is called.
    pub title: String,
    /// How rows name it: `guide 000`.
    pub source: String,
    /// Its statements.
    #[serde(default)]
    pub rows: Vec<Row>,
    /// The lines that state nothing to check.
    #[serde(default)]
    pub not_claims: Vec<NotClaim>,
    /// The name of the file without `.yaml`.
    #[serde(skip)]
    pub name: String,
}

/// One statement.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    /// Lines of a guide that state it: `16-18, 44`.
    pub lines: Option<Spans>,
    /// Or the id that a list gives it: `F33`.
    pub id: Option<String>,
    /// The fact in our own words.
    pub says: String,
    /// What it is to a reader of a bundle.
    pub kind: Kind,
    /// Who carries it.
    #[serde(default)]
    pub carried_by: Vec<Carrier>,
    /// Why nobody can carry it.
    pub left_out: Option<String>,
}

impl Row {
    /// How messages and the page name it.
    pub(super) fn place(&self) -> String {
        self.lines.as_ref().map(Spans::to_string).or_else(|| self.id.clone()).unwrap_or_default()
    }
}

/// What a statement is to a reader of a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// Something to look at.
    Check,
    /// Something that must hold.
    Invariant,
    /// What brings a failure about.
    Cause,
    /// What heals it.
    Cure,
    /// What does not help, or makes it worse.
    Warning,
}

impl Kind {
    /// The word on the page.
    pub(super) fn word(self) -> &'static str {
        match self {
            Kind::Check => "check",
            Kind::Invariant => "invariant",
            Kind::Cause => "cause",
            Kind::Cure => "cure",
            Kind::Warning => "warning",
        }
    }
}

/// Who carries a statement: exactly one of `signature`, `check`, `code` and `sample`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Carrier {
    /// Id of a signature.
    pub signature: Option<String>,
    /// Ids of its evidence.
    #[serde(default)]
    pub evidence: Vec<String>,
    /// Blocks of its text.
    #[serde(default)]
    pub text: Vec<String>,
    /// Names of its tests.
    #[serde(default)]
    pub tests: Vec<String>,
    /// Id of a check of `patterns/checks.yaml`.
    pub check: Option<String>,
    /// A test function: `tests/corpus/installation.rs::name`.
    pub code: Option<String>,
    /// A folder of `sample-bundles/`.
    pub sample: Option<String>,
}

/// Lines that state nothing to check.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NotClaim {
    /// The lines.
    pub lines: Spans,
    /// Why.
    pub because: String,
}

/// Lines, counted from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Spans(pub BTreeSet<usize>);

impl TryFrom<String> for Spans {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut lines = BTreeSet::new();
        for part in text.split(',') {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            match (from.trim().parse::<usize>(), to.trim().parse::<usize>()) {
                (Ok(from), Ok(to)) if 1 <= from && from <= to && to < 100_000 => lines.extend(from..=to),
                _ => return Err(format!("`{part}` is no line or range of lines; write \"16-18, 44\"")),
            }
        }
        Ok(Self(lines))
    }
}

impl std::fmt::Display for Spans {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for line in &self.0 {
            match runs.last_mut() {
                Some(run) if run.1 + 1 == *line => run.1 = *line,
                _ => runs.push((*line, *line)),
            }
        }
        let run = |(from, to): &(usize, usize)| if from == to { from.to_string() } else { format!("{from}-{to}") };
        f.write_str(&runs.iter().map(run).collect::<Vec<_>>().join(", "))
    }
}

/// All sources of a folder, by the name of the file; what cannot be read goes to `problems`.
pub(super) fn read(folder: &Path, problems: &mut Vec<String>) -> Vec<Source> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let mut sources = Vec::new();
    for file in names {
        let Some(name) = file.strip_suffix(".yaml") else {
            problems.push(format!("docs/coverage/{file}: a file of this folder ends in .yaml"));
            continue;
        };
        match std::fs::read_to_string(folder.join(&file)).map_err(|e| e.to_string()).and_then(|text| parse(name, &text))
        {
            Ok(source) => sources.push(source),
            Err(error) => problems.push(format!("docs/coverage/{file}: {error}")),
        }
    }
    sources
}

/// One source.
pub(super) fn parse(name: &str, text: &str) -> Result<Source, String> {
    let source: Source = serde_saphyr::from_str(text).map_err(|error| error.to_string())?;
    Ok(Source { name: name.to_owned(), ..source })
}
