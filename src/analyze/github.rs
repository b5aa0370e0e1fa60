//! An analysis as commands of a GitHub workflow: an annotation at the analyzer of the spec for each result that needs
//! somebody.
//!
//! Source: <https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions>.

use crate::model::{Analysis, Outcome, Row};
use diagnosis::words;
use diagnosis::workflow::{Command, Level};

/// The analysis as workflow commands.
pub fn render(analysis: &Analysis) -> String {
    analysis.results.iter().filter_map(command).collect()
}

fn command(row: &Row) -> Option<String> {
    let level = match row.outcome {
        Outcome::Fail => Level::Error,
        Outcome::Warn => Level::Warning,
        Outcome::Unknown => Level::Notice,
        Outcome::Pass | Outcome::NoResult | Outcome::Excluded => return None,
    };
    let about: Vec<&str> = [&row.cluster, &row.object].into_iter().flatten().map(String::as_str).collect();
    let mut message = row.message.clone();
    if !about.is_empty() {
        message = format!("{message} ({})", about.join(", "));
    }
    for citation in row.citations.iter().take(3) {
        message.push_str(&format!("\n{}", words::place(citation)));
    }
    let title = match row.outcome {
        Outcome::Unknown => format!("unknown: {}", row.title),
        _ => row.title.clone(),
    };
    Some(Command { level, title: &title, file: Some(&row.spec), line: Some(row.line), message: &message }.to_string())
}
