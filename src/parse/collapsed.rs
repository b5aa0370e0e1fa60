//! Tables of kubectl whose spaces were collapsed to one, as tickets and web pages do.
//!
//! Why it is worth it: such pastes are often all there is. Why it is strict: which cell of a shorter row
//! is empty can only be told by what the cells look like (`12m` is an age, `vsphere://…` a provider ID)
//! or by what complete rows hold in that column. Where two readings remain, the row is doubtful, and the
//! caller says so.

/// A table read from lines with single spaces.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Collapsed {
    /// One header for each word of the first line.
    pub headers: Vec<String>,
    /// Rows: offset in the given lines, and one cell for each header.
    pub rows: Vec<(usize, Vec<String>)>,
    /// Offsets of rows whose cells cannot be told apart.
    pub doubtful: Vec<usize>,
    /// Lines taken, header included.
    pub lines: usize,
}

/// Reads a collapsed table at the start of the lines.
///
/// The header must start with `NAME`, `NAMESPACE` or `LAST SEEN`, consist of capitals, hold `AGE` (or be
/// one of events), and at least one row must have a cell for each word of it.
pub fn read(lines: &[&str]) -> Option<Collapsed> {
    let headers = headers(lines.first()?)?;
    let candidates: Vec<Vec<&str>> = lines[1..].iter().map_while(|line| tokens(line, &headers)).collect();
    let whole: Vec<&Vec<&str>> = candidates.iter().filter(|tokens| fits_whole(tokens, &headers)).collect();
    if whole.is_empty() {
        return None;
    }
    let mut found = Collapsed { lines: candidates.len() + 1, ..Collapsed::default() };
    for (i, tokens) in candidates.iter().enumerate() {
        match by_column(tokens, &headers, &whole) {
            Some(cells) => found.rows.push((i + 1, cells)),
            None => found.doubtful.push(i + 1),
        }
    }
    found.headers = headers.into_iter().map(str::to_owned).collect();
    Some(found)
}

fn headers(line: &str) -> Option<Vec<&str>> {
    let line = line.trim();
    if line.contains("  ") {
        return None;
    }
    let words: Vec<&str> = line.split(' ').collect();
    let capitals = |word: &&str| {
        word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || "-/%_.()".contains(c)) && !word.is_empty()
    };
    let first = matches!(words.first(), Some(&("NAME" | "NAMESPACE")));
    (first && (3..=MAX_COLUMNS).contains(&words.len()) && words.iter().all(capitals) && words.contains(&"AGE"))
        .then_some(words)
}

/// The words of a row, if it can be one at all: not more words than headers, and an age among them.
fn tokens<'a>(line: &'a str, headers: &[&str]) -> Option<Vec<&'a str>> {
    let tokens: Vec<&str> = line.split_whitespace().collect();
    let possible = !tokens.is_empty() && tokens.len() <= headers.len() && tokens.iter().any(|t| shape(t) == Shape::Age);
    possible.then_some(tokens)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Age,
    Version,
    ProviderId,
    Other,
}

fn shape(token: &str) -> Shape {
    let age = token.starts_with(|c: char| c.is_ascii_digit())
        && token.ends_with(['s', 'm', 'h', 'd', 'y'])
        && token.chars().all(|c| c.is_ascii_digit() || "smhdy".contains(c));
    let version = token.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if age {
        Shape::Age
    } else if version && token.contains('.') {
        Shape::Version
    } else if token.contains("://") {
        Shape::ProviderId
    } else {
        Shape::Other
    }
}

fn wanted(header: &str) -> Shape {
    match header {
        "AGE" => Shape::Age,
        "VERSION" => Shape::Version,
        "PROVIDERID" => Shape::ProviderId,
        _ => Shape::Other,
    }
}

fn fits(token: &str, header: &str) -> bool {
    wanted(header) == shape(token)
}

fn fits_whole(tokens: &[&str], headers: &[&str]) -> bool {
    tokens.len() == headers.len() && tokens.iter().zip(headers).all(|(token, header)| fits(token, header))
}

/// Readings beyond this many are ambiguous anyway.
const MAX_READINGS: usize = 64;
/// Words of a header; longer ones are prose.
const MAX_COLUMNS: usize = 40;
/// Steps that the search for readings may take; beyond, the row is doubtful.
const MAX_STEPS: usize = 20_000;

/// The one way to give each word a column, or `None` if there are several or none.
fn by_column(tokens: &[&str], headers: &[&str], whole: &[&Vec<&str>]) -> Option<Vec<String>> {
    let mut readings = Vec::new();
    let mut steps = 0;
    assign(tokens, headers, &mut Vec::new(), &mut readings, &mut steps);
    if readings.len() > MAX_READINGS || steps > MAX_STEPS {
        return None;
    }
    if readings.len() > 1 {
        // Keep the readings that put words only where complete rows hold the same word.
        let seen = |column: usize, token: &str| whole.iter().any(|row| row.get(column) == Some(&token));
        let known: Vec<Vec<usize>> = readings
            .iter()
            .filter(|columns| {
                tokens.iter().zip(columns.iter()).all(|(token, column)| {
                    let unclear = readings.iter().any(|other| !other.contains(column));
                    !unclear || seen(*column, token)
                })
            })
            .cloned()
            .collect();
        readings = known;
    }
    let [columns] = readings.as_slice() else { return None };
    let mut cells = vec![String::new(); headers.len()];
    for (token, column) in tokens.iter().zip(columns) {
        (*token).clone_into(cells.get_mut(*column)?);
    }
    Some(cells)
}

fn assign(
    tokens: &[&str],
    headers: &[&str],
    taken: &mut Vec<usize>,
    readings: &mut Vec<Vec<usize>>,
    steps: &mut usize,
) {
    *steps += 1;
    if readings.len() > MAX_READINGS || *steps > MAX_STEPS {
        return;
    }
    let Some(token) = tokens.get(taken.len()) else {
        readings.push(taken.clone());
        return;
    };
    let from = taken.last().map_or(0, |last| last + 1);
    let left = tokens.len() - taken.len();
    // The first column is never empty, and enough columns must be left for the words that follow.
    let to = if taken.is_empty() { 1 } else { headers.len() + 1 - left };
    for (column, header) in headers.iter().enumerate().take(to).skip(from) {
        if fits(token, header) {
            taken.push(column);
            assign(tokens, headers, taken, readings, steps);
            taken.pop();
        }
    }
}
