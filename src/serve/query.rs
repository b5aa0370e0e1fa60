//! The page beside the diagnosis on which the tables of the bundles are asked in SQL: a form, the answer as a table, and
//! what may be asked.
//!
//! Why: the diagnosis says what Casefile knows, and a reader's next question is another one. Who has the page open need not
//! go back to a terminal for it.
//!
//! Invariants: it works without a script and lets none in; every text is escaped; what is asked and what is shown of the
//! answer are bounded, and a table that ends before its end says so; who answers is not part of this room, and where nobody
//! does, the page says how to get it.

use crate::params::Params;
use crate::reply::Reply;
use crate::served::{Request, Served};
use crate::status;
use facts::outside::Outside;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use report::{csp, html};
use std::fmt;
use std::fmt::Write as _;
use tables::Table;

/// The part of the address behind the token.
pub(crate) const NAME: &str = "query";

/// Bytes of a query: Polars takes the more time and stack the deeper it is nested.
const LONGEST: usize = 4_000;

const STYLE: &str = include_str!("query.css");

/// How to get it where it is not built in.
pub const NOT_BUILT_IN: &str =
    "SQL over the bundle is not built into this program; `cargo build --release --features query,serve` builds it in";

/// Questions that most bundles answer.
const EXAMPLES: [(&str, &str); 6] = [
    ("what was found", "select severity, verdict, headline from findings where verdict in ('confirmed', 'probable')"),
    (
        "Warning events, the newest first",
        "select last, namespace, object_kind, object_name, reason, count, message from events where type = 'Warning' order by last desc",
    ),
    (
        "Pods that restart",
        "select namespace, name, status, restarts from pods where restarts > 0 order by restarts desc",
    ),
    (
        "conditions that are not met",
        "select kind, namespace, name, type, reason, message, since from conditions where type = 'Ready' and status <> 'True'",
    ),
    (
        "who logs errors",
        "select source, count(*) as lines from logs where level in ('error', 'fatal') group by source order by lines desc",
    ),
    (
        "what was not answered in full",
        "select context, kind, namespaces, state, detail from coverage where state <> 'complete'",
    ),
];

/// What a query found, as texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The columns: the name of each, and whether it holds numbers.
    pub columns: Vec<(String, bool)>,
    /// The cells, row by row; `None` is null.
    pub rows: Vec<Vec<Option<String>>>,
    /// There are more rows.
    pub is_cut: bool,
}

/// Answers a query.
///
/// # Errors
/// With what a person reads.
pub type Ask = Box<dyn Fn(&str) -> Result<Found, String> + Send + Sync>;

/// What can be asked, and who answers.
pub struct Queries {
    pub tables: Vec<Table>,
    /// `None` if it is not built in.
    pub ask: Option<Ask>,
}

impl fmt::Debug for Queries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queries").field("tables", &self.tables.len()).finish_non_exhaustive()
    }
}

/// Answers a request for the page.
pub(crate) fn answer(served: &Served, request: &Request<'_>) -> Reply {
    if !matches!(request.method, "GET" | "HEAD") {
        return status::read_only("it takes GET alone");
    }
    let params = Params::of(request.query);
    let sql = params.text("sql").unwrap_or_default().trim();
    let result = match (sql, &served.queries().ask) {
        ("", _) => None,
        (_, None) => Some(Err(format!("{NOT_BUILT_IN}."))),
        (sql, Some(_)) if sql.len() > LONGEST => Some(Err(format!(
            "the query is longer than {LONGEST} bytes; ask `casefile query`, which reads longer ones"
        ))),
        // A `;` ends a statement in every other shell.
        (sql, Some(ask)) => Some(ask(sql.trim_end_matches([';', ' ', '\n', '\r']))),
    };
    let code = if matches!(result, Some(Err(_))) { 400 } else { 200 };
    let page = page(served, sql, result.as_ref());
    Reply::of(code, "text/html; charset=utf-8", page.into_bytes())
}

fn page(served: &Served, sql: &str, result: Option<&Result<Found, String>>) -> String {
    let style = format!("{}{STYLE}", html::STYLE);
    let policy = format!(
        "default-src 'none'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'self'",
        csp::source(&style)
    );
    let names: Vec<String> = served.bundles().map(|name| html::escaped(&Outside::name(name))).collect();
    let whose = names.join(", ");
    let mut body = String::new();
    // Writing to a String cannot fail.
    let _ = write!(
        body,
        "<header class=\"strip\"><div class=\"strip-top\"><p class=\"brand\">Casefile query</p><p><a href=\"./\">The \
         diagnosis</a></p></div><h1>{whose}</h1></header>\n<main>\n"
    );
    form(&mut body, sql, served.queries().ask.is_some());
    match result {
        None => {}
        Some(Ok(found)) => table(&mut body, found),
        Some(Err(why)) => {
            let _ = writeln!(body, "<div class=\"banner\" role=\"alert\">{}</div>", html::prose(why));
        }
    }
    if served.queries().ask.is_some() {
        tables(&mut body, served);
    }
    body.push_str("</main>\n");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"{policy}\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta \
         name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<meta \
         name=\"generator\" content=\"casefile serve\">\n<title>Query · {whose}</title>\n<style>{style}</style>\n</head>\n\
         <body class=\"query\">\n{body}</body>\n</html>\n"
    )
}

fn form(out: &mut String, sql: &str, is_built_in: bool) {
    let off = if is_built_in { "" } else { " disabled" };
    let lines = sql.lines().count().clamp(3, 20);
    let _ = write!(
        out,
        "<form class=\"sql\" action=\"{NAME}\" method=\"get\"><label for=\"sql\">SQL over what the bundle holds, secrets \
         masked</label>\n<textarea id=\"sql\" name=\"sql\" rows=\"{lines}\" maxlength=\"{LONGEST}\" spellcheck=\"false\" \
         autocapitalize=\"off\" autocomplete=\"off\"{off}>\n{}</textarea>\n<p><button{off}>Ask</button> <span \
         class=\"quiet\">times are in UTC, <code>ilike</code> compares without regard to case</span></p></form>\n",
        html::escaped(sql)
    );
    if !is_built_in {
        let _ = writeln!(out, "<div class=\"banner\" role=\"note\">{}.</div>", html::prose(NOT_BUILT_IN));
    }
}

/// The rows that were found.
fn table(out: &mut String, found: &Found) {
    let count = found.rows.len();
    let word = if count == 1 { "row" } else { "rows" };
    let said = match (count, found.is_cut) {
        (0, false) => "No rows".to_owned(),
        (_, false) => format!("{count} {word}"),
        (_, true) => format!("The first {count} {word}"),
    };
    let _ = writeln!(
        out,
        "<section id=\"found\" aria-labelledby=\"found-title\"><h2 id=\"found-title\" role=\"status\">{said}</h2>"
    );
    if found.is_cut {
        out.push_str(
            "<p class=\"quiet\">There are more: narrow the query, or let <code>casefile query</code> write all of them.</p>\n",
        );
    }
    if count > 0 {
        out.push_str("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"found-title\"><table class=\"rows found\"><thead><tr>");
        for (name, is_number) in &found.columns {
            let _ = write!(out, "<th scope=\"col\"{}>{}</th>", of(*is_number), html::escaped(name));
        }
        out.push_str("</tr></thead><tbody>\n");
        for row in &found.rows {
            out.push_str("<tr>");
            for (cell, (_, is_number)) in row.iter().zip(&found.columns) {
                match cell {
                    Some(cell) => {
                        let _ = write!(out, "<td{}>{}</td>", of(*is_number), html::escaped(cell));
                    }
                    None => out.push_str("<td class=\"null\">null</td>"),
                }
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody></table></div>\n");
    }
    out.push_str("</section>\n");
}

fn of(is_number: bool) -> &'static str {
    if is_number { " class=\"num\"" } else { "" }
}

/// What may be asked: examples, and every table with its columns; of the kinds those first that the bundle holds.
fn tables(out: &mut String, served: &Served) {
    out.push_str("<section aria-labelledby=\"examples\"><h2 id=\"examples\">Examples</h2>\n<ul class=\"examples\">\n");
    for (what, sql) in EXAMPLES {
        let _ = writeln!(out, "<li>{} <code>{}</code></li>", link(sql, what), html::escaped(sql));
    }
    out.push_str("</ul></section>\n<section aria-labelledby=\"tables\"><h2 id=\"tables\">Tables</h2>\n");
    let all = &served.queries().tables;
    for table in all.iter().filter(|table| table.kind().is_none()) {
        columns(out, table);
    }
    out.push_str("</section>\n<section aria-labelledby=\"kinds\"><h2 id=\"kinds\">Kinds in the bundle <span class=\"note\">the columns that kubectl prints</span></h2>\n");
    let is_held = |table: &&Table| table.kind().is_some_and(|kind| served.holds(kind));
    let mut others = Vec::new();
    for table in all.iter().filter(|table| table.kind().is_some()) {
        if is_held(&table) {
            columns(out, table);
        } else {
            others.push(table);
        }
    }
    out.push_str("</section>\n");
    if !others.is_empty() {
        let _ = writeln!(
            out,
            "<details class=\"table\"><summary><strong>Other kinds</strong> <span class=\"quiet\">{} of which the bundle \
             shows no object</span></summary>",
            others.len()
        );
        let names: Vec<String> =
            others.iter().map(|table| format!("<code>{}</code>", html::escaped(&table.name))).collect();
        let _ = writeln!(out, "<p>{}</p></details>", names.join(" "));
    }
}

/// One table with its columns.
fn columns(out: &mut String, table: &Table) {
    let _ = write!(
        out,
        "<details class=\"table\"><summary><code>{}</code> <span class=\"quiet\">{}</span></summary>\n<table \
         class=\"rows\"><tbody>",
        html::escaped(&table.name),
        html::escaped(&table.about)
    );
    for column in &table.columns {
        let _ = writeln!(
            out,
            "<tr><td><code>{}</code></td><td class=\"quiet\">{}</td><td>{}</td></tr>",
            html::escaped(&column.name),
            column.of.word(),
            html::prose(&column.about)
        );
    }
    let sql = format!("select * from {} limit 100", table.name);
    let _ = writeln!(out, "</tbody></table><p>{}</p></details>", link(&sql, "its first rows"));
}

fn link(sql: &str, text: &str) -> String {
    let sql = utf8_percent_encode(sql, NON_ALPHANUMERIC);
    format!("<a href=\"{NAME}?sql={sql}\">{}</a>", html::escaped(text))
}
