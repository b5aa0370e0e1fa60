//! The guides themselves: every line is in a row or said to state nothing, and none of them is copied.

use super::source::{Source, Spans};
use std::collections::BTreeSet;

/// So many words in a row that are the guide's own are a copy.
const COPIED: usize = 9;

/// What is wrong with a source of a guide beside the guide's text.
pub(super) fn problems(source: &Source, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let filled: BTreeSet<usize> =
        text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()).map(|(_, number)| number).collect();
    let of = |spans: Vec<&Spans>| spans.into_iter().flat_map(|spans| spans.0.iter().copied()).collect::<BTreeSet<_>>();
    let claimed = of(source.rows.iter().filter_map(|row| row.lines.as_ref()).collect());
    let silent = of(source.not_claims.iter().map(|row| &row.lines).collect());
    let read: BTreeSet<usize> = claimed.union(&silent).copied().collect();
    let mut say = |what: &str, lines: BTreeSet<usize>| {
        if !lines.is_empty() {
            problems.push(format!("docs/coverage/{}.yaml: {what}: {}", source.name, Spans(lines)));
        }
    };
    say("lines of the guide that are in neither `rows` nor `not_claims`", filled.difference(&read).copied().collect());
    say("lines that are in `rows` and in `not_claims`", claimed.intersection(&silent).copied().collect());
    let end = text.lines().count();
    say("lines beyond the end of the guide", read.into_iter().filter(|line| *line > end).collect());
    let guide = windows(text);
    for row in &source.rows {
        let ours = windows(&row.says).into_iter().chain(windows(row.left_out.as_deref().unwrap_or_default()));
        if let Some(copied) = ours.into_iter().find(|window| guide.contains(window)) {
            problems.push(format!(
                "docs/coverage/{}.yaml: row {} copies the guide: {copied}",
                source.name,
                row.place()
            ));
        }
    }
    problems
}

fn windows(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split_whitespace()
        .map(|word| word.trim_matches(['.', ',', ';', ':', '(', ')', '`', '\'', '"']))
        .filter(|word| !word.is_empty())
        .collect();
    words.windows(COPIED).map(|window| window.join(" ")).collect()
}
