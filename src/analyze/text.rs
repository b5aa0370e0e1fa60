//! An analysis for a terminal.

use crate::model::{Analysis, Outcome, Row};
use diagnosis::visible::one_line;
use diagnosis::words;
use std::fmt::Write as _;

/// Results of one analyzer and outcome that are printed one by one.
const ALIKE: usize = 10;
/// Places of one result.
const PLACES: usize = 3;

/// The analysis as text.
pub fn text(analysis: &Analysis) -> String {
    // Writing to a String cannot fail.
    let mut out = String::new();
    let mut alike = 0;
    for (index, row) in analysis.results.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| analysis.results.get(before));
        let is_alike = before.is_some_and(|before| is_same(before, row));
        alike = if is_alike { alike + 1 } else { 0 };
        if alike < ALIKE {
            of_row(&mut out, row);
        }
        let goes_on = analysis.results.get(index + 1).is_some_and(|next| is_same(row, next));
        if alike >= ALIKE && !goes_on {
            let _ = writeln!(out, "           and {} more like this; --format json has all\n", alike + 1 - ALIKE);
        }
    }
    let counted = Outcome::ALL.iter().filter_map(|outcome| {
        let number = analysis.counts.get(outcome.word())?;
        Some(format!("{number} {}", outcome.word()))
    });
    let _ = writeln!(out, "{}", counted.collect::<Vec<_>>().join(", "));
    out
}

fn is_same(a: &Row, b: &Row) -> bool {
    (&a.spec, a.line, a.outcome) == (&b.spec, b.line, b.outcome)
}

fn of_row(out: &mut String, row: &Row) {
    let word = row.outcome.word();
    let mut title = one_line(&row.title);
    for more in [&row.cluster, &row.object].into_iter().flatten() {
        title = format!("{title} ({})", one_line(more));
    }
    let _ = writeln!(out, "{word:<11}{title}");
    let _ = writeln!(out, "           {}", one_line(&row.message));
    for citation in row.citations.iter().take(PLACES) {
        let excerpt = words::short(&one_line(&citation.excerpt), 100);
        let _ = writeln!(out, "           {}  {excerpt}", words::place(citation));
    }
    if let Some(uri) = &row.uri {
        let _ = writeln!(out, "           see {}", one_line(uri));
    }
    out.push('\n');
}
