//! `textAnalyze`: regexes over files. And those of `clusterResource`, over a field.
//!
//! Source: `replicatedhq/troubleshoot:pkg/analyze/text_analyze.go`.
//!
//! Invariants: whether a regex matches is decided on the text as it is; what of it is shown was masked before; a file that
//! was cut decides only by a match.

use crate::ask::{Answer, Ask, first};
use crate::files::{File, Pattern, masked};
use crate::known::{Known, Open, Why, shown};
use crate::message::filled;
use crate::model::Outcome as Word;
use crate::spec::{Judges, Outcome, truth};
use crate::when::{Operator, bad, words};
use facts::origin::Citation;
use regex::{Regex, RegexBuilder};
use std::collections::BTreeMap;

/// Bytes that a compiled regex may take.
const SIZE: usize = 8 << 20;
const MASKED: &str = "[redacted]";
/// What of a file an `exec` collector wrote, a level deeper than specs say.
const EXEC: [&str; 3] = ["-stdout.txt", "-stderr.txt", "-errors.json"];

/// A regex of a spec; none if it is empty. `\d`, `\w` and `\b` mean ASCII, as in Go.
pub(crate) fn compiled(text: &str, name: &'static str) -> Known<Option<Regex>> {
    if text.is_empty() {
        return Ok(None);
    }
    let built = RegexBuilder::new(&facts::ascii::words(text)).size_limit(SIZE).build();
    built.map(Some).map_err(|error| {
        let why = error.to_string();
        let last = why.lines().last().unwrap_or_default();
        Why::BadSetting { name, expected: shown(&format!("it is no regex that Casefile can run ({last})")) }.into()
    })
}

/// A text in which a regex looks.
pub(crate) struct Searched<'a> {
    pub text: &'a str,
    /// Nothing of it is missing.
    pub is_whole: bool,
    /// What it is called.
    pub name: String,
    /// Where a byte of it stands.
    pub cite: &'a dyn Fn(Option<usize>) -> Citation,
}

pub(crate) fn files(ask: &Ask<'_>) -> Vec<Answer> {
    let analyzer = ask.analyzer;
    let name = analyzer.text("fileName");
    let has_wildcards = ask.patterns.first().is_some_and(|pattern| pattern.shown().contains(['*', '?', '[']));
    let is_exec = EXEC.iter().any(|end| name.ends_with(end)) && !has_wildcards;
    let Some(pattern) = ask.patterns.get(usize::from(is_exec)).or(ask.patterns.first()) else { return Vec::new() };
    let collector = analyzer.text("collectorName");
    let excluded: Vec<Pattern> =
        analyzer.texts("excludeFiles").iter().map(|file| Pattern::new(&format!("{collector}/{file}"))).collect();
    let mut found: Vec<&File> = ask.world.files.fitting(pattern).collect();
    let before = found.len();
    found.retain(|file| !excluded.iter().any(|pattern| pattern.fits(&file.path)));
    let absent: Vec<&str> = match before == found.len() {
        true => ask.world.files.absent(pattern).collect(),
        false => Vec::new(),
    };
    if found.is_empty() && absent.is_empty() {
        if before > 0 || analyzer.is_set("ignoreIfNoFiles") {
            return vec![Answer::nothing(ask.title, Vec::new())];
        }
        return ask.open(match ask.world.files.is_stdin() {
            true => Why::Stdin,
            false if ask.world.files.is_troubleshoot() => Why::NoFile(pattern.shown()),
            false => Why::OtherLayout(pattern.shown()),
        });
    }
    let mut answers = Vec::new();
    for file in found {
        let searched = file.text().and_then(|(text, is_whole)| {
            let cite = |at: Option<usize>| at.map_or_else(|| file.cite(), |at| file.line_at(at));
            search(ask, &Searched { text, is_whole, name: file.shown(), cite: &cite })
        });
        match searched {
            Ok(more) => answers.extend(more),
            Err(mut open) => {
                open.at.push(file.cite());
                answers.push(Answer::open(ask.title, open));
            }
        }
    }
    answers.extend(absent.into_iter().map(|whose| Answer::open(ask.title, Why::NoLog(whose.to_owned()).into())));
    answers
}

/// What `regex` and `regexGroups` of an analyzer say of a text.
pub(crate) fn search(ask: &Ask<'_>, searched: &Searched<'_>) -> Known<Vec<Answer>> {
    let analyzer = ask.analyzer;
    let regex = compiled(&analyzer.text("regex"), "regex")?;
    let groups = compiled(&analyzer.text("regexGroups"), "regexGroups")?;
    if regex.is_none() && groups.is_none() {
        let expected = "name `regex` or `regexGroups`".to_owned();
        return Err(Why::BadSetting { name: "regex", expected }.into());
    }
    let mut answers = Vec::new();
    if let Some(regex) = regex {
        answers.push(by_match(ask, &regex, searched)?);
    }
    if let Some(groups) = groups {
        answers.push(by_groups(ask, &groups, searched)?);
    }
    Ok(answers)
}

/// `when: "true"` means a match; without `when` a pass means a match, and all else none.
fn by_match(ask: &Ask<'_>, regex: &Regex, searched: &Searched<'_>) -> Known<Answer> {
    let found = regex.find(searched.text).map(|found| found.start());
    if found.is_none() && !searched.is_whole {
        return Err(Why::Cut(searched.name.clone()).into());
    }
    let at = vec![(searched.cite)(found)];
    Ok(matched(ask.title, &ask.analyzer.outcomes, found.is_some(), at)?
        .unwrap_or_else(|at| Answer::nothing(ask.title, at)))
}

/// The outcome for one of two cases. Where several apply, the worst judges, as Troubleshoot shows it.
fn matched(
    title: &str,
    outcomes: &[Outcome],
    is_match: bool,
    at: Vec<Citation>,
) -> Known<Result<Answer, Vec<Citation>>> {
    let mut worst: Option<&Outcome> = None;
    for outcome in outcomes {
        if wants(outcome)? == is_match && worst.is_none_or(|worst| worst.judges <= outcome.judges) {
            worst = Some(outcome);
        }
    }
    Ok(worst.map(|outcome| Answer::of(title, outcome, at.clone())).ok_or(at))
}

/// Which of two cases an outcome is for.
pub(crate) fn wants(outcome: &Outcome) -> Known<bool> {
    match outcome.when.as_str() {
        "" => Ok(outcome.judges == Judges::Pass),
        when => truth(when).ok_or_else(|| bad(when, "`true` or `false`")),
    }
}

fn by_groups(ask: &Ask<'_>, regex: &Regex, searched: &Searched<'_>) -> Known<Answer> {
    let captured = regex.captures(searched.text);
    if captured.is_none() && !searched.is_whole {
        return Err(Why::Cut(searched.name.clone()).into());
    }
    let by_name = |captures: &regex::Captures<'_>| -> BTreeMap<String, String> {
        let named = regex.capture_names().flatten();
        named
            .map(|name| (name.to_owned(), captures.name(name).map_or(String::new(), |m| m.as_str().to_owned())))
            .collect()
    };
    let values = captured.as_ref().map(by_name).unwrap_or_default();
    let start = captured.as_ref().and_then(|captures| Some(captures.get(0)?.start()));
    let at = vec![(searched.cite)(start)];
    let chosen = first(&ask.analyzer.outcomes, |when| compare(when, &values))?;
    let Some(outcome) = chosen else { return Ok(Answer::nothing(ask.title, at)) };
    // A value alone may not look like the secret that it is in its text.
    let visible = match masked(searched.text) {
        None => values.clone(),
        Some(masked) => {
            let again = regex.captures(&masked).as_ref().map(by_name).unwrap_or_default();
            let same = |(name, value): (&String, &String)| {
                let value = if again.get(name) == Some(value) { value.clone() } else { MASKED.to_owned() };
                (name.clone(), value)
            };
            values.iter().map(same).collect()
        }
    };
    let field = |path: &[&str]| match path {
        [name] => visible.get(*name).map(|value| shown(value)),
        _ => None,
    };
    let message = filled(&outcome.message, &field);
    Ok(Answer::of(ask.title, outcome, at).with_message(message))
}

/// `Replicas < 5`: a named group and a value; a number if the value is one.
fn compare(when: &str, values: &BTreeMap<String, String>) -> Known<bool> {
    const EXPECTED: &str = "a named group, a comparison and a value, such as `Replicas < 5`";
    let parts = words(when);
    let [name, operator, value] = parts.as_slice() else { return Err(bad(when, EXPECTED)) };
    let operator = Operator::parse(operator).ok_or_else(|| bad(when, EXPECTED))?;
    let value = if matches!(*value, "''" | "\"\"") { "" } else { value };
    let Some(found) = values.get(*name) else { return Ok(false) };
    match (value.parse::<i64>(), operator) {
        (_, Operator::NotEqual) => Err(bad(when, EXPECTED)),
        (Ok(wanted), operator) => Ok(found.parse::<i64>().is_ok_and(|found| operator.holds(found.cmp(&wanted)))),
        (Err(_), Operator::Equal) => Ok(found == value),
        _ => Err(bad(when, EXPECTED)),
    }
}

/// What Troubleshoot says where no outcome is for the case.
pub(crate) fn for_case(title: &str, outcomes: &[Outcome], case: bool, at: Vec<Citation>) -> Known<Answer> {
    for outcome in outcomes {
        if wants(outcome)? == case {
            return Ok(Answer::of(title, outcome, at));
        }
    }
    Ok(Answer::own(title, Word::NoResult, "no outcome of the spec is for this case", at))
}

/// The same with why it is open.
pub(crate) fn or_open(title: &str, answer: Known<Answer>, at: &[Citation]) -> Answer {
    answer.unwrap_or_else(|mut open: Open| {
        if open.at.is_empty() {
            open.at.extend_from_slice(at);
        }
        Answer::open(title, open)
    })
}
