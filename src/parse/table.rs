//! Tables as `kubectl get` and `kubectl top` print them.
//!
//! Why cells are cut at the offsets of the headers: kubectl prints an empty cell for a value that is not
//! set, header names hold single spaces (`CP UP-TO-DATE`) and repeat (`AVAILABLE` twice), so neither
//! splitting at spaces nor looking cells up by name works. kubectl pads columns with three spaces and
//! counts characters, not bytes (`cli-runtime/pkg/printers/tabwriter.go@v0.34.0`).
//!
//! A table whose spaces were collapsed on the way (a web page, a ticket) is read where each row says
//! surely which cell is which, see [`crate::collapsed`].
//!
//! Invariants: every row has one cell for each header; a row that does not fit its header is no row and
//! is listed as unread; a table after or before which an error was printed says so in [`Table::cut`].

use crate::answer;
use crate::answer::{Asked, CORE, Remark};
use crate::collapsed;
use crate::failure;
use crate::interrupted;
use crate::secrets;
use crate::text_form::form::{Mark, NONE, TextForm};
use catalogue::words;
use facts::record::{Parsed, Record, Row, Table};
use facts::secrets::Counts;
use facts::shortfall::WhyPartial;
use facts::unread;
use facts::unread::WhyUnread;
use nom::bytes::complete::{take_while, take_while_m_n, take_while1};
use nom::character::complete::char;
use nom::combinator::{all_consuming, opt, recognize};
use nom::multi::{many1, separated_list1};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Tables, with answers between them.
pub(crate) const FORM: TextForm =
    TextForm { name: "table", mark: Mark::Any(|line| header(line).is_some()), text: Some(try_parse), ..NONE };

/// A column: its header and where its cells start, in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The header as printed.
    pub name: String,
    /// Characters before it in the line.
    pub start: usize,
}

/// Rows of one table that are read: more than the largest cluster that Kubernetes supports has Pods (150,000), and few
/// enough to be held until the budget of memory chooses among them.
/// Source: `kubernetes/website:content/en/docs/setup/best-practices/cluster-large.md`.
const MAX_ROWS: usize = 250_000;
/// Most lines of a text that are no rows: a text with more is something else, and each would be kept until that is known.
const MAX_OTHERS: usize = 100_000;

/// What a run of lines of kubectl's text output held.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Output {
    /// Tables and answers, in the order of the text.
    pub records: Vec<Record>,
    /// Lines that belong to neither, with the reason.
    pub unread: Vec<(u32, WhyUnread)>,
    /// Rows of all tables together.
    pub rows: usize,
    /// Secret values masked in rows.
    pub redactions: Counts,
    /// There was a tree of objects among it.
    pub tree: bool,
}

/// Reads a text as tables of kubectl; `None` if it holds no table, or if most of it is something else.
///
/// `name` is the member's name: it may tell the kind that an empty answer speaks of.
pub fn try_parse(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let output = read(asked, text, 1);
    let tables = output.records.iter().filter(|record| matches!(record, Record::Table(_))).count();
    let foreign = output.unread.len() > output.rows + tables;
    if !output.tree && (tables == 0 || foreign) {
        return None;
    }
    Some(Parsed { records: output.records, unread: output.unread, format: "table", redactions: output.redactions })
}

/// Reads kubectl's text output, tables and answers mixed. `first` is the number of the first line.
///
/// Used for whole members and for the output of one command in a transcript (then `asked.command` is set
/// and goes into each table).
pub fn read(asked: &Asked<'_>, text: &str, first: u32) -> Output {
    let ends_early = !text.is_empty() && !text.ends_with('\n');
    let lines: Vec<&str> = text.lines().map(|line| line.trim_end_matches('\r')).collect();
    let mut reader = Reader {
        asked,
        first,
        lines: &lines,
        ends_early,
        at: 0,
        output: Output::default(),
        trouble: None,
        discovery: false,
    };
    reader.run();
    reader.finish()
}

/// Are these the headers of a table of kubectl whose kind is known?
pub(crate) fn is_known(headers: &[String]) -> bool {
    catalogue::kinds::Catalogue::shared().by_headers(headers, None).is_some()
}

/// Are these the columns that kubectl prints of a kind, all of them, whose one column of its own does not tell it: `NAME ENDPOINTS AGE`?
pub(crate) fn is_printed(headers: &[String]) -> bool {
    let own = headers.strip_prefix(&["NAMESPACE".to_owned()]).unwrap_or(headers);
    catalogue::parts::printed().any(|(_, row)| row.headers == own)
}

/// Is a line the header of such a table?
pub(crate) fn is_of_known_kind(line: &str) -> bool {
    let headers: Option<Vec<String>> =
        header(line).map(|columns| columns.into_iter().map(|column| column.name).collect());
    headers.is_some_and(|headers| is_known(&headers))
}

/// Is this line the header of a table of kubectl? Its columns, if so.
///
/// The rule: words of capitals, digits and `-/%_.#` (and any text in parentheses: `PORT(S)`,
/// `CPU(cores)`), single spaces inside a name, two or more between names, and the first name is `NAME`,
/// `NAMESPACE` or `LAST SEEN`, or `POD` with `NAME` behind it (`kubectl top pods --containers`).
pub fn header(line: &str) -> Option<Vec<Column>> {
    let (_, (indent, names)) = all_consuming(header_line).parse(line.trim_end()).ok()?;
    let mut start = indent;
    let mut columns = Vec::with_capacity(names.len());
    for (name, gap) in names {
        columns.push(Column { name: name.to_owned(), start });
        start += name.len() + gap;
    }
    let known = match columns.first()?.name.as_str() {
        "NAME" | "NAMESPACE" | "LAST SEEN" => true,
        "POD" => columns.get(1).is_some_and(|column| column.name == "NAME"),
        _ => false,
    };
    known.then_some(columns)
}

type NamesAndGaps<'a> = Vec<(&'a str, usize)>;

fn header_line(input: &str) -> IResult<&str, (usize, NamesAndGaps<'_>)> {
    let (input, indent) = take_while(|c| c == ' ').parse(input)?;
    let gap = take_while_m_n(2, usize::MAX, |c| c == ' ');
    let (input, names) = many1((header_name, opt(gap).map(|gap| gap.map_or(0, str::len)))).parse(input)?;
    Ok((input, (indent.len(), names)))
}

fn header_name(input: &str) -> IResult<&str, &str> {
    recognize(separated_list1(char(' '), header_word)).parse(input)
}

fn header_word(input: &str) -> IResult<&str, &str> {
    let capitals = take_while1(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "-/%_.#".contains(c));
    let unit = delimited(char('('), take_while1(|c: char| !c.is_whitespace() && c != '(' && c != ')'), char(')'));
    recognize((preceded(opt(char('%')), capitals), opt(unit))).parse(input)
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

struct Reader<'a> {
    asked: &'a Asked<'a>,
    first: u32,
    lines: &'a [&'a str],
    ends_early: bool,
    at: usize,
    output: Output,
    trouble: Option<WhyPartial>,
    discovery: bool,
}

impl<'a> Reader<'a> {
    fn number(&self, at: usize) -> u32 {
        self.first.saturating_add(u32::try_from(at).unwrap_or(u32::MAX))
    }

    fn run(&mut self) {
        while let Some(&line) = self.lines.get(self.at) {
            if self.output.unread.len() >= MAX_OTHERS {
                let number = self.number(self.at);
                self.output.unread.push((number, WhyUnread::LinesBeyond(MAX_OTHERS)));
                self.trouble.get_or_insert(WhyPartial::RowsLeftOut(number));
                return;
            }
            if line.trim().is_empty() {
                self.at += 1;
            } else if let Some(columns) = header(line) {
                self.table(&columns);
            } else if let Some(table) = self.collapsed() {
                self.push(table);
            } else if let Some(table) = self.names() {
                self.push(table);
            } else {
                self.other(line);
                self.at += 1;
            }
        }
    }

    /// A line outside of tables.
    fn other(&mut self, line: &str) {
        let number = self.number(self.at);
        if words::is_omission(line) {
            self.trouble.get_or_insert(WhyPartial::LeftOut(number));
            return;
        }
        match answer::line(self.asked, number, line) {
            Some(Remark::Answer(answer)) => {
                if answer::is_trouble(&answer.state) {
                    self.trouble.get_or_insert_with(|| WhyPartial::Said(failure::trouble(line)));
                }
                self.output.records.push(Record::Answer(answer));
            }
            Some(Remark::Unproven { why, trouble }) => {
                if trouble {
                    self.trouble.get_or_insert_with(|| WhyPartial::Said(failure::trouble(line)));
                }
                self.output.unread.push((number, why));
            }
            Some(Remark::Noise) => {}
            Some(Remark::Discovery) => self.discovery = true,
            None => self.output.unread.push((number, WhyUnread::NoRow(failure::trouble(line)))),
        }
    }

    /// The table whose header is the current line.
    fn table(&mut self, columns: &[Column]) {
        let mut table = self.new_table(columns.iter().map(|column| column.name.clone()).collect());
        let free_text = columns.last().is_some_and(|column| column.name == "MESSAGE");
        // With which words messages went on so far, and for how many lines.
        let mut goes_on: BTreeSet<(&str, usize)> = BTreeSet::new();
        self.at += 1;
        while let Some(&line) = self.lines.get(self.at) {
            if line.trim().is_empty() || header(line).is_some() || is_answer(line) {
                break;
            }
            if is_tree(line) {
                self.skip_tree(table.line);
                return;
            }
            if words::is_omission(line) {
                let number = self.number(self.at);
                table.cut.get_or_insert(WhyPartial::RowsLeftOut(number));
                self.at += 1;
                continue;
            }
            let cut = if free_text { interrupted::glued(line) } else { interrupted::anywhere(line) };
            if let Some(at) = cut {
                let number = self.number(self.at);
                self.output.unread.push((number, WhyUnread::RowCut));
                table.cut = Some(WhyPartial::RowCut(number));
                self.other(&line[at..]);
                self.at += 1;
                break;
            }
            if self.at + 1 == self.lines.len() && self.ends_early && ends_before(line, columns) {
                let number = self.number(self.at);
                self.output.unread.push((number, WhyUnread::RowEndsEarly));
                table.cut = Some(WhyPartial::RowEnds(number));
                self.at += 1;
                break;
            }
            if table.rows.len() >= MAX_ROWS {
                let number = self.number(self.at);
                self.output.unread.push((number, WhyUnread::RowsBeyond(MAX_ROWS)));
                table.cut = Some(WhyPartial::RowsLeftOut(number));
                self.at += self.lines[self.at..].iter().take_while(|line| !line.trim().is_empty()).count();
                break;
            }
            if let Some(mut cells) = cells(line, columns) {
                complete(&mut cells, columns);
                let row = self.row(self.at, cells);
                // The same row again says nothing more.
                if table.rows.last().is_none_or(|last| last.cells != row.cells) {
                    table.rows.push(row);
                }
                self.at += 1;
            } else if free_text
                && let Some(count) = self.continuation(columns).or_else(|| self.last_continuation(&goes_on))
            {
                // kubectl prints the line ends of a message as they are.
                goes_on.insert((first_word(line), count));
                for &line in &self.lines[self.at..self.at + count] {
                    if let Some(row) = table.rows.last_mut()
                        && let Some(cell) = row.cells.last_mut()
                    {
                        cell.push('\n');
                        let (line, masked) = secrets::mask_counted(line.trim_end());
                        self.output.redactions += masked;
                        cell.push_str(&line);
                    }
                }
                self.at += count;
            } else {
                // What stands right below the rows may be what is left of one.
                let number = self.number(self.at);
                table.cut = Some(WhyPartial::NoRow(number));
                break;
            }
        }
        self.push(table);
    }

    /// How many lines from here on continue the message of the row above: all up to the next line that
    /// is a row, if there is one soon.
    fn continuation(&self, columns: &[Column]) -> Option<usize> {
        const FAR: usize = 20;
        let rest = &self.lines[self.at..];
        let next = rest.iter().take(FAR).position(|line| header(line).is_some() || cells(line, columns).is_some())?;
        cells(rest[next], columns)?;
        Some(next)
    }

    /// The same below the last row, where no row tells that the table goes on: as messages of rows above went on.
    fn last_continuation(&self, goes_on: &BTreeSet<(&str, usize)>) -> Option<usize> {
        let rest = self.lines.get(self.at..)?;
        let lines = rest.iter().take_while(|line| !line.trim().is_empty()).count();
        let first = first_word(rest.first()?);
        goes_on.contains(&(first, lines)).then_some(lines)
    }

    fn collapsed(&mut self) -> Option<Table> {
        let found = collapsed::read(&self.lines[self.at..])?;
        let mut table = self.new_table(found.headers);
        for (offset, cells) in found.rows {
            let at = self.at + offset;
            let row = self.row(at, cells);
            table.rows.push(row);
        }
        for offset in found.doubtful {
            let number = self.number(self.at + offset);
            self.output.unread.push((number, WhyUnread::SpacesLost));
            table.cut = Some(WhyPartial::CellsLost(number));
        }
        self.at += found.lines;
        Some(table)
    }

    /// What `-o name` prints: a kind and a name in each line, and nothing else.
    fn names(&mut self) -> Option<Table> {
        let asked = self.asked.command.and_then(|command| command.output.as_deref()) == Some("name");
        let rest = self.lines.get(self.at..)?;
        let count = rest.iter().take_while(|line| name_of_kind(line.trim_end(), asked)).count();
        let ends = rest.get(count).is_none_or(|line| line.trim().is_empty() || is_answer(line));
        // One line alone is too little to tell it from a path.
        if count == 0 || !ends || count == 1 && !asked {
            return None;
        }
        let mut table = self.new_table(vec!["NAME".to_owned()]);
        for at in self.at..self.at + count {
            let cell = self.lines.get(at).map(|line| line.trim().to_owned())?;
            let row = self.row(at, vec![cell]);
            table.rows.push(row);
        }
        if self.ends_early && self.at + count == self.lines.len() {
            table.rows.pop();
            table.cut = Some(WhyPartial::NameEnds);
        }
        self.at += count;
        Some(table)
    }

    /// A row with its secrets masked.
    fn row(&mut self, at: usize, mut cells: Vec<String>) -> Row {
        let line = self.number(at);
        let (text, masked) = secrets::mask_counted(self.lines[at]);
        if !masked.is_none() {
            self.output.redactions += masked;
            for cell in &mut cells {
                if let (Cow::Owned(masked), _) = secrets::mask_text(cell) {
                    *cell = masked;
                }
            }
        }
        Row { line, cells, text: text.into_owned() }
    }

    fn new_table(&self, headers: Vec<String>) -> Table {
        Table {
            headers,
            line: self.number(self.at),
            rows: Vec::new(),
            cut: None,
            member: self.asked.member,
            command: self.asked.command.cloned(),
        }
    }

    fn push(&mut self, table: Table) {
        self.output.rows += table.rows.len();
        self.output.records.push(Record::from(table));
    }

    fn skip_tree(&mut self, line: u32) {
        while self.lines.get(self.at).is_some_and(|line| !line.trim().is_empty()) {
            self.at += 1;
        }
        self.output.unread.push((line, WhyUnread::Tree));
        self.output.tree = true;
    }

    /// An error in the text puts every table of the text in doubt: kubectl writes errors to another
    /// stream, so their place says nothing about what they cut.
    fn finish(mut self) -> Output {
        if let Some(trouble) = self.trouble {
            for record in &mut self.output.records {
                if let Record::Table(table) = record {
                    table.cut.get_or_insert_with(|| trouble.clone());
                }
            }
        }
        if self.discovery {
            answer::doubt_missing_kinds(&mut self.output.records);
        }
        unread::sort(&mut self.output.unread);
        self.output
    }
}

fn is_answer(line: &str) -> bool {
    answer::is_one(line)
}

/// `pod/web-1`, `deployment.apps/web`. Unless it was asked for, the kind must be one of the core group or have
/// a group.
fn name_of_kind(line: &str, asked: bool) -> bool {
    let Some((kind, name)) = line.split_once('/') else { return false };
    let plain = |text: &str, more: &str| {
        text.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || more.contains(c))
    };
    let known = CORE.contains(&kind)
        || asked
        || kind.split_once('.').is_some_and(|(_, group)| {
            group.contains('.') || matches!(group, "apps" | "batch" | "policy" | "autoscaling")
        });
    plain(kind, ".-") && plain(name, ".-:_") && known
}

/// A row of a tree: `clusterctl describe` and `kubectl lineage` draw lines before the names.
fn is_tree(line: &str) -> bool {
    line.trim_start().starts_with(['├', '└', '│'])
}

/// Does the line end before its last column begins?
fn ends_before(line: &str, columns: &[Column]) -> bool {
    columns.len() > 1 && columns.last().is_some_and(|last| line.chars().count() < last.start)
}

/// Cuts a row at the offsets of the columns; `None` if it does not fit them.
fn cells(line: &str, columns: &[Column]) -> Option<Vec<String>> {
    let chars: Vec<char> = line.chars().collect();
    let fits = columns.iter().skip(1).all(|column| {
        chars.len() <= column.start.saturating_sub(2)
            || chars[column.start - 2..column.start.min(chars.len())].iter().all(|c| *c == ' ')
    });
    let cells: Vec<String> = if fits {
        let ends = columns.iter().skip(1).map(|column| column.start).chain([usize::MAX]);
        let cut = |start: usize, end: usize| {
            let cell = chars.get(start..end.min(chars.len())).unwrap_or_default();
            cell.iter().collect::<String>().trim().to_owned()
        };
        let before = chars.iter().take(columns.first()?.start).all(|c| *c == ' ');
        if !before {
            return None;
        }
        columns.iter().zip(ends).map(|(column, end)| cut(column.start, end)).collect()
    } else {
        // `--watch` widens columns for later rows; then all cells must be there to tell them apart.
        let cells: Vec<String> =
            line.trim().split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect();
        if cells.len() == columns.len() && columns.len() >= 3 { cells } else { shifted(&chars, columns)? }
    };
    columns.iter().zip(&cells).all(|(column, cell)| plausible(&column.name, cell)).then_some(cells)
}

/// The fewest letters of a status that tell it.
const LEAST_OF_STATUS: usize = 4;

/// Completes a status that a screen cut: `CrashLoopBac…`.
fn complete(cells: &mut [String], columns: &[Column]) {
    let of_status = columns.iter().zip(cells).filter(|(column, _)| column.name == "STATUS");
    for (_, cell) in of_status {
        let Some(start) = cell.strip_suffix('…').or_else(|| cell.strip_suffix("...")) else { continue };
        let init = start.strip_prefix("Init:");
        let beginning = init.unwrap_or(start);
        if beginning.len() >= LEAST_OF_STATUS
            && let Some(status) = words::status_of(beginning)
        {
            *cell = format!("{}{status}", if init.is_some() { "Init:" } else { "" });
        }
    }
}

/// The cells of a row that was moved by a blank or two on the way: each belongs to the one header that is near to it.
fn shifted(chars: &[char], columns: &[Column]) -> Option<Vec<String>> {
    const NEAR: usize = 2;
    let mut cells = vec![String::new(); columns.len()];
    let (mut at, mut next, mut found) = (0, 0, 0);
    while at < chars.len() {
        if chars[at] == ' ' {
            at += 1;
            continue;
        }
        let gap = (at..chars.len()).find(|end| chars[*end..].iter().take(2).all(|c| *c == ' ')).unwrap_or(chars.len());
        let near = |column: &&(usize, &Column)| column.1.start.abs_diff(at) <= NEAR;
        let all: Vec<(usize, &Column)> = columns.iter().enumerate().collect();
        let mut fits = all.iter().skip(next).filter(near);
        let (index, None) = (fits.next()?.0, fits.next()) else { return None };
        cells[index] = chars[at..gap].iter().collect::<String>().trim().to_owned();
        (at, next, found) = (gap, index + 1, found + 1);
    }
    // The name and the last column hold the row together.
    let ends = columns.len() > 3 && found >= 3 && !cells[columns.len() - 1].is_empty();
    ends.then_some(cells)
}

/// Could this be a cell below this header? Only the identifying columns are judged: they keep prose out.
fn plausible(header: &str, cell: &str) -> bool {
    match header {
        // kubectl marks the StorageClass that is the default.
        "NAME" | "POD" => !cell.is_empty() && is_name(cell.strip_suffix(" (default)").unwrap_or(cell)),
        "NAMESPACE" => is_name(cell),
        "LAST SEEN" => cell.starts_with(|c: char| c.is_ascii_digit() || c == '<'),
        _ => true,
    }
}

fn is_name(cell: &str) -> bool {
    cell.chars().all(|c| c.is_ascii_graphic()) && !cell.ends_with([':', ',', ';'])
}

#[cfg(test)]
mod tests;
