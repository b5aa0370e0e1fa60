//! The shell of `casefile query`: a line for each query, with history and completion.
//!
//! Invariants: it is opened before the process is confined, for it asks the system for signals; the history ends with the
//! process, so that nothing of a bundle is left on disk.

use crate::exit::Exit;
use crate::{output, query as command};
use anyhow::Context as _;
use query::{Format, Session};
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

const HELP: &str =
    "Type a query and Enter. \\d lists the tables, \\d TABLE its columns, \\q (or Ctrl-D) ends. Tab completes.\n";

/// Words of SQL that are completed.
const WORDS: [&str; 26] = [
    "select",
    "distinct",
    "from",
    "where",
    "group by",
    "having",
    "order by",
    "desc",
    "limit",
    "offset",
    "join",
    "left join",
    "on",
    "using",
    "with",
    "union all",
    "and",
    "or",
    "not",
    "in",
    "like",
    "ilike",
    "between",
    "is null",
    "is not null",
    "count(*)",
];

/// A terminal that lines are read from.
pub(crate) struct Shell(Editor<Words, MemHistory>);

impl Shell {
    /// Takes the terminal.
    ///
    /// # Errors
    /// If it cannot be used.
    pub(crate) fn open() -> anyhow::Result<Self> {
        let failed = "the terminal cannot be used; give the query as an argument";
        let config = Config::builder().auto_add_history(true).build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history).context(failed)?;
        editor.set_helper(Some(Words::default()));
        Ok(Self(editor))
    }

    /// Answers what is typed, until the end.
    pub(crate) fn run(mut self, session: &mut Session<'_>, format: Format) -> anyhow::Result<Exit> {
        let tables = session.tables();
        let mut words: Vec<String> = WORDS.iter().map(|word| (*word).to_owned()).collect();
        words.extend(tables.iter().map(|table| table.name.clone()));
        words.extend(tables.iter().flat_map(|table| &table.columns).map(|column| column.name.clone()));
        words.sort();
        words.dedup();
        self.0.set_helper(Some(Words(words)));
        output::message(HELP.trim_end());
        loop {
            let line = match self.0.readline("casefile> ") {
                Ok(line) => line,
                Err(ReadlineError::Interrupted) => continue,
                Err(ReadlineError::Eof) => return Ok(Exit::Done),
                Err(error) => return Err(error.into()),
            };
            let line = line.trim().trim_end_matches(';').trim();
            match line.split_once(' ').map_or((line, ""), |(first, rest)| (first, rest.trim())) {
                ("", _) => {}
                ("\\q" | "exit" | "quit", _) => return Ok(Exit::Done),
                ("\\d", "") => {
                    let names: Vec<&str> = session.tables().iter().map(|table| table.name.as_str()).collect();
                    output::stdout(&format!("{}\n", names.join(" ")))?;
                }
                ("\\d", name) => match session.tables().iter().find(|table| table.name == name) {
                    Some(table) => output::stdout(&command::columns(table))?,
                    None => output::message(&format!("there is no table `{name}`; \\d lists them")),
                },
                ("\\?" | "\\h" | "help", _) => output::message(HELP.trim_end()),
                _ => match session.ask(line).and_then(|answer| answer.write(format)) {
                    Ok(bytes) => output::stdout_bytes(&bytes)?,
                    Err(error) => output::message(&error.to_string()),
                },
            }
        }
    }
}

/// What Tab completes.
#[derive(Default)]
struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = line.get(..at).unwrap_or(line);
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let start = typed.rfind(|c| !is_part(c)).map_or(0, |before| before + 1);
        let word = typed.get(start..).unwrap_or_default().to_ascii_lowercase();
        let fits = self.0.iter().filter(|own| !word.is_empty() && own.starts_with(&word));
        Ok((start, fits.map(|own| Pair { display: own.clone(), replacement: own.clone() }).collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}
impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
