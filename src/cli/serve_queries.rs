//! The box for queries of `casefile serve`: one thread that answers them, one after the other.
//!
//! Why one: the tables that a query fills are thrown away when it is answered, and two queries at once would need twice the
//! memory. Who finds others waiting is told so.
//!
//! Invariants: it is started when the process is confined; an answer is bounded in rows, letters and bytes, reading lines of
//! logs in time, joins in memory; a query that makes Polars panic is refused, and the next one is answered.

#[cfg(feature = "query")]
pub(crate) use built_in::start;

/// What is asked, where SQL is not built in.
#[cfg(not(feature = "query"))]
pub(crate) fn start(
    _collected: &std::sync::Arc<diagnose::Collected>,
    _reading: &crate::settings::Reading,
    _library: &std::sync::Arc<signature::load::Library>,
) -> std::io::Result<serve::Queries> {
    Ok(serve::Queries { tables: Vec::new(), ask: None })
}

#[cfg(feature = "query")]
mod built_in {
    use crate::defect;
    use crate::settings::Reading;
    use catalogue::kinds::Catalogue;
    use diagnose::Collected;
    use query::{Bounds, Held, Most, Session, Texts};
    use serve::{Found, Queries};
    use signature::load::Library;
    use std::io;
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
    use std::time::Duration;
    use tables::{Source, Table};

    /// What of an answer a page shows.
    const MOST: Most = Most { rows: 1_000, letters: 2_000, bytes: 4 << 20 };
    /// Seconds that lines of logs may be read for.
    const SECONDS: u64 = 60;
    /// Queries that may wait.
    const WAITING: usize = 4;
    /// Bytes of the stack: queries are nested.
    const STACK: usize = 128 << 20;

    struct Question {
        sql: String,
        answer: SyncSender<Result<Found, String>>,
    }

    /// Starts the thread.
    ///
    /// # Errors
    /// If the system starts no thread.
    pub(crate) fn start(collected: &Arc<Collected>, reading: &Reading, library: &Arc<Library>) -> io::Result<Queries> {
        let mut options = reading.options.clone();
        // It bounds the reading of the bundle, and queries are asked for hours.
        options.limits.time = None;
        let held = Held::new(Arc::clone(collected), reading.inputs.clone(), options);
        let tables = tables(&held, library);
        let (sender, questions) = sync_channel::<Question>(WAITING);
        let library = Arc::clone(library);
        let work = move || answer_all(&held, &library, &questions);
        std::thread::Builder::new().name("query".to_owned()).stack_size(STACK).spawn(work)?;
        let ask = move |sql: &str| {
            let (answer, told) = sync_channel(1);
            let question = Question { sql: sql.to_owned(), answer };
            sender
                .try_send(question)
                .map_err(|_| "other queries wait for their answers; ask again later".to_owned())?;
            told.recv_timeout(Duration::from_secs(2 * SECONDS)).unwrap_or_else(|_| {
                Err(format!("no answer came in {} seconds; narrow the query, or ask `casefile query`", 2 * SECONDS))
            })
        };
        Ok(Queries { tables, ask: Some(Box::new(ask)) })
    }

    /// What can be asked.
    fn tables(held: &Held, library: &Library) -> Vec<Table> {
        Source::new(&held.collected, library, Catalogue::shared(), &held.options).tables()
    }

    /// Answers until nobody can ask any more.
    fn answer_all(held: &Arc<Held>, library: &Library, questions: &Receiver<Question>) {
        let source = Source::new(&held.collected, library, Catalogue::shared(), &held.options);
        let mut session = Session::new(Arc::clone(held), &source);
        // One row more shows that there are more.
        let rows = u32::try_from(MOST.rows).ok().and_then(|rows| rows.checked_add(1));
        let bounds = Bounds { rows, seconds: Some(SECONDS) };
        for question in questions {
            let found = defect::expected(|| {
                let answer = session.ask_within(&question.sql, bounds);
                answer.map(|answer| found(answer.texts(MOST))).map_err(|error| error.on_page())
            });
            session.forget();
            let found = found.unwrap_or_else(|| Err("Polars cannot answer this query; word it otherwise".to_owned()));
            // Who asked may have gone.
            let _ = question.answer.send(found);
        }
    }

    fn found(texts: Texts) -> Found {
        Found { columns: texts.columns, rows: texts.rows, is_cut: texts.is_cut }
    }
}
