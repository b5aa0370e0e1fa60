//! What a row of any table of kubectl says that is wrong, by its cells: `READY False`, `PHASE Failed`, `STATUS Pending` of
//! what is hours old (`cells` in `patterns/tools.yaml`).
//!
//! Why beside the tables of kinds that are known: every operator has resources of its own, and prints them under the same
//! few headers.
//!
//! Invariants: a cell counts only where it surely stands below its header; what may be young, or may roll, says nothing;
//! a row that says nothing wrong gives nothing. A row is no state that is sure: what its kind means by a word is not known
//! here, and the object may be told of elsewhere; shown twice, it stays as it is.

use crate::conditions;
use crate::tools::{OF_ANY_ROW, Report};
use facts::human_duration;
use facts::lazy_regex::LazyRegex;
use serde::Deserialize;

/// The program that prints such tables.
const TOOL: &str = "kubectl";

/// The rows of `cells` in `patterns/tools.yaml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cells {
    /// Tables with one of these headers are read in another way.
    not_with: Vec<String>,
    wrong: Vec<Wrong>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wrong {
    /// The cell below any of these.
    headers: Vec<String>,
    #[serde(default)]
    matches: Option<String>,
    /// Its number, or the first of `1/3`, is less than half of the second, or of the number below one of these.
    #[serde(default)]
    half_of: Option<Vec<String>>,
    /// The program whose words they are, and the class of the report, where a cell surely says what is wrong.
    #[serde(default)]
    tool: Option<String>,
    #[serde(default)]
    class: Option<String>,
    /// The object must be as old, in seconds.
    #[serde(default)]
    older: i64,
    #[serde(skip)]
    regex: Option<LazyRegex>,
}

/// A table by its header.
#[derive(Debug, Clone)]
pub struct Columns {
    /// Each header with the place of its first character.
    all: Vec<(String, usize)>,
    cells: &'static Cells,
}

impl Cells {
    /// Compiles the rows; to be called once after reading them.
    pub(crate) fn prepare(&mut self) {
        for row in &mut self.wrong {
            row.regex = row.matches.as_deref().map(LazyRegex::proven);
        }
    }

    /// Is each row of the file one that can say something?
    #[cfg(test)]
    pub(crate) fn are_whole(&self) -> bool {
        !self.wrong.is_empty()
            && self.wrong.iter().all(|row| {
                row.regex.as_ref().is_none_or(|regex| regex.compile().is_ok())
                    && (row.regex.is_some() || row.half_of.is_some())
            })
    }
}

/// The columns of a table, if this line is the header of one that is read here.
pub(crate) fn columns(cells: &'static Cells, line: &str) -> Option<Columns> {
    let line = line.trim_end();
    let all = places(line);
    let is = |wanted: &str| all.iter().any(|(header, _)| header == wanted);
    let big = |header: &String| header.chars().all(|c| c.is_ascii_uppercase() || " -()/".contains(c));
    let read = cells.wrong.iter().flat_map(|row| &row.headers).any(|header| is(header));
    let foreign = cells.not_with.iter().any(|header| is(header));
    let first = all.first().is_some_and(|(header, _)| matches!(header.as_str(), "NAME" | "NAMESPACE"));
    (first && is("NAME") && read && !foreign && all.iter().all(|(header, _)| big(header)))
        .then_some(Columns { all, cells })
}

/// Cells with two blanks or more between them, each with the place of its first character.
fn places(line: &str) -> Vec<(String, usize)> {
    let mut all: Vec<(String, usize)> = Vec::new();
    let mut blanks = 2;
    for (at, c) in line.chars().enumerate() {
        match (c == ' ' || c == '\t', all.last_mut()) {
            (true, _) => blanks += 1,
            (false, Some((text, _))) if blanks < 2 => {
                text.extend(std::iter::repeat_n(' ', blanks));
                text.push(c);
                blanks = 0;
            }
            (false, _) => {
                all.push((c.to_string(), at));
                blanks = 0;
            }
        }
    }
    all
}

/// Words from which on a cell is a message and no state.
const SENTENCE: usize = 3;
/// Where a row says in one word how a run ended.
const STATES: [&str; 3] = ["STATUS", "STATE", "PHASE"];

/// A row of what is made anew each time: a backup, a build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// What it has in common with the others of its table.
    pub family: String,
    /// The greater, the newer.
    pub order: (i64, String),
    /// It got through.
    pub finished: bool,
}

impl Columns {
    /// The run that a row is about, by a number, a date or random characters at the end of its name; `None` if it has none,
    /// or if nothing tells how it stands to the others.
    pub fn run(&self, line: &str) -> Option<Run> {
        let cells = self.cells_of(line.trim_end())?;
        let at = |wanted: &str| self.cell(&cells, wanted);
        let name = at("NAME")?;
        let stem = conditions::family(name);
        let number = name.get(stem.len()..)?.trim_start_matches(['-', '.']);
        let age = at("AGE").and_then(human_duration::parse).map(|age| age.from);
        let is_number = number.bytes().all(|b| b.is_ascii_digit() || b"-.".contains(&b));
        (!number.is_empty() && (age.is_some() || is_number)).then(|| Run {
            family: format!("{}/{stem}", at("NAMESPACE").unwrap_or_default()),
            order: (age.map_or(0, |age| -age), format!("{number:>40}")),
            finished: STATES.into_iter().filter_map(at).any(conditions::is_finished),
        })
    }

    /// The cell below a header, if anything stands there.
    fn cell<'c>(&self, cells: &'c [String], wanted: &str) -> Option<&'c str> {
        let at = self.all.iter().position(|(header, _)| header == wanted)?;
        cells.get(at).map(String::as_str).filter(|cell| !cell.is_empty())
    }

    /// What a row says that is wrong.
    pub fn row(&self, line: &str) -> Option<Report> {
        let cells = self.cells_of(line.trim_end())?;
        let at = |wanted: &str| self.cell(&cells, wanted);
        let name = at("NAME")?;
        // What somebody has put to rest is not ready, and need not be.
        let rests = STATES.into_iter().chain(["POWERSTATE"]).filter_map(at).any(conditions::is_resting);
        if ["STATUS", "MESSAGE"].into_iter().filter_map(at).any(conditions::waits) {
            return None;
        }
        let age = at("AGE").or_else(|| at("SINCE"));
        let seconds = age.and_then(human_duration::parse).map_or(0, |age| age.from);
        // Where a table prints no age, somebody shows a row because it stays as it is.
        let ageless = !self.all.iter().any(|(header, _)| matches!(header.as_str(), "AGE" | "SINCE"));
        let asks_ready = |row: &&Wrong| row.headers.iter().any(|header| header == "READY");
        let rows =
            self.cells.wrong.iter().filter(|row| (ageless || seconds >= row.older) && !(rests && asks_ready(row)));
        let fitting = |row: &'static Wrong| {
            row.headers.iter().find(|header| row.fits(at(header), at)).map(|header| (row, header))
        };
        let (row, header) = { rows }.find_map(fitting)?;
        let more = ["MESSAGE", "REASON", "ERROR"].iter().find_map(|header| at(header).map(|cell| (header, cell)));
        // Flux and cert-manager put their message there.
        let sentence = || at("STATUS").filter(|cell| cell.split(' ').count() >= SENTENCE).map(|cell| ("STATUS", cell));
        let more = more.map(|(other, cell)| (*other, cell)).or_else(sentence);
        let more = more.filter(|(other, _)| other != header).map_or(String::new(), |(_, cell)| format!(": {cell}"));
        let old = age.map_or(String::new(), |age| format!(", AGE {age}"));
        let of = at("NAMESPACE").map_or_else(|| name.to_owned(), |namespace| format!("{namespace}/{name}"));
        let says = format!("{header} {}{old}{more}", at(header)?);
        let (tool, class) = (row.tool.as_deref().unwrap_or(TOOL), row.class.as_deref().unwrap_or(OF_ANY_ROW));
        Some(Report {
            tool,
            class: class.to_owned(),
            of: Some(of),
            says,
            wrong: true,
            state: row.class.is_some(),
            causes_above: false,
        })
    }

    /// The cells in the order of the headers; `None` if it cannot be told where they stand.
    fn cells_of(&self, line: &str) -> Option<Vec<String>> {
        let chars: Vec<char> = line.chars().collect();
        let starts: Vec<usize> = self.all.iter().map(|(_, start)| *start).collect();
        let aligned = starts.iter().skip(1).all(|start| chars.get(start - 1).is_none_or(|c| *c == ' '));
        if aligned && starts.first().is_some_and(|start| chars.get(*start).is_some_and(|c| *c != ' ')) {
            let ends = starts.iter().skip(1).copied().chain([usize::MAX]);
            let cell = |(start, end): (&usize, usize)| {
                chars.get(*start..end.min(chars.len())).unwrap_or_default().iter().collect::<String>().trim().to_owned()
            };
            return Some(starts.iter().zip(ends).map(cell).collect());
        }
        let cells: Vec<String> = places(line).into_iter().map(|(cell, _)| cell).collect();
        (cells.len() == self.all.len()).then_some(cells)
    }
}

impl Wrong {
    fn fits<'c>(&self, cell: Option<&'c str>, at: impl Fn(&str) -> Option<&'c str>) -> bool {
        let Some(cell) = cell else { return false };
        if self.regex.as_ref().is_some_and(|regex| regex.is_match(cell) == Some(true)) {
            return true;
        }
        let Some(others) = &self.half_of else { return false };
        let number = |text: &str| text.parse::<u64>().ok();
        let pair = match cell.split_once('/') {
            Some((part, whole)) => number(part).zip(number(whole)),
            None => number(cell).zip(others.iter().find_map(|other| at(other).and_then(number))),
        };
        pair.is_some_and(|(part, whole)| part.saturating_mul(2) < whole)
    }
}
