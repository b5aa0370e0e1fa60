//! The law of the thinned text: what a filter leaves out of a table or a list without a trace (a row, a column, an
//! item), or a copy that ended early (a tail), must not make the bundle say more for sure.
//!
//! `grep`, `--field-selector` and chosen columns leave rows and columns out, `-l` items. What the whole bundle does not
//! rule out, resolve or confirm, the thinned one must not either. Of items only `ruled_out` and what is severe: a list
//! that no filter of lines can have touched may support what is not. Of a tail only `ruled_out`.
//!
//! Exempt: whom the whole bundle does not look at, symptoms, and a text that changes which contexts there are, as in
//! [`crate::cut_file`]; a session, whose commands state what was asked; and what [`KNOWN`] lists.

use crate::cut_file;
use crate::cut_file::{Known, SYMPTOMS, cases, is_session, named, new_in, seed};
use crate::taken_away::Ran;
use diagnosis::model::Finding;
use signature::model::{Severity, VerdictWord};
use std::collections::BTreeSet;

/// Texts that are tried, at most, of each kind.
const TRIES: usize = 160;

/// What says more when it is thinned.
const KNOWN: [Known; 0] = [];

/// What is left out of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Less {
    Row,
    Column,
    Item,
    Tail,
}

impl Less {
    /// The text without one of them, picked by a number; `None` if it holds none.
    fn of(self, text: &str, nth: usize) -> Option<String> {
        match self {
            Self::Row => without_row(text, nth),
            Self::Column => without_column(text, nth),
            Self::Item => without_item(text, nth),
            Self::Tail => without_tail(text, nth),
        }
    }
}

/// Is it the head of a table that kubectl prints?
fn is_head(line: &str) -> bool {
    line.split_whitespace().count() > 1
        && line.starts_with(|c: char| c.is_ascii_uppercase())
        && line.chars().all(|c| c.is_ascii_uppercase() || matches!(c, ' ' | '-' | '(' | ')' | '_'))
}

fn without_row(text: &str, nth: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let rows = lines.len().checked_sub(1).filter(|rows| *rows > 1)?;
    if !lines.first().is_some_and(|line| is_head(line)) || lines.iter().any(|line| line.trim().is_empty()) {
        return None;
    }
    let gone = 1 + nth % rows;
    let rest = lines.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, line)| format!("{line}\n"));
    Some(rest.collect())
}

fn without_column(text: &str, nth: usize) -> Option<String> {
    let head = text.lines().next().filter(|line| is_head(line))?;
    if !text.is_ascii() || text.lines().any(|line| line.trim().is_empty()) {
        return None;
    }
    // Columns are three blanks apart.
    let mut starts = vec![0];
    starts.extend(head.match_indices("   ").map(|(at, _)| at + 3).filter(|at| head.as_bytes().get(*at) != Some(&b' ')));
    // The first columns name the objects.
    let columns = starts.len().checked_sub(2).filter(|columns| *columns > 0)?;
    let at = 2 + nth % columns;
    let (from, to) = (*starts.get(at)?, starts.get(at + 1).copied());
    let thin = |line: &str| {
        let to = to.unwrap_or(line.len()).min(line.len());
        let from = from.min(to);
        format!("{}{}\n", &line[..from], &line[to..])
    };
    Some(text.lines().map(thin).collect())
}

fn without_item(text: &str, nth: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let items = lines.iter().position(|line| line.trim_end() == "items:")?;
    let dash = lines.get(items + 1)?.find('-')?;
    let begins = |line: &str| {
        line.get(..dash).is_some_and(|head| head.trim().is_empty())
            && line.get(dash..).is_some_and(|rest| rest.starts_with("- "))
    };
    let inside = |line: &&&str| {
        line.trim().is_empty() || line.find(|c: char| c != ' ').is_some_and(|at| at > dash) || begins(line)
    };
    let end = items + 1 + lines.get(items + 1..)?.iter().take_while(inside).count();
    let starts: Vec<usize> = (items + 1..end).filter(|at| lines.get(*at).is_some_and(|line| begins(line))).collect();
    if starts.len() < 2 {
        return None;
    }
    let gone = nth % starts.len();
    let (from, to) = (*starts.get(gone)?, starts.get(gone + 1).copied().unwrap_or(end));
    let rest = lines.iter().enumerate().filter(|(at, _)| !(from..to).contains(at)).map(|(_, line)| format!("{line}\n"));
    Some(rest.collect())
}

/// A log or a JSON document as far as one of its lines.
fn without_tail(text: &str, nth: usize) -> Option<String> {
    let lines = text.lines().count();
    let is_json = text.starts_with(['{', '[']) && lines < 3;
    if lines < 2 && !is_json {
        return None;
    }
    if is_json {
        let end = (nth * 7919) % text.len().max(1);
        return text.get(..end).map(str::to_owned);
    }
    Some(text.lines().take(1 + nth % (lines - 1)).map(|line| format!("{line}\n")).collect())
}

/// What a bundle says for sure, as far as what is left out may not change it.
fn sure(ran: &Ran, less: Less) -> BTreeSet<String> {
    let severe = |f: &Finding| matches!(f.signature.severity, Severity::High | Severity::Critical);
    let counts = |f: &&Finding| match f.verdict {
        VerdictWord::RuledOut => true,
        // A log that ends earlier shows an earlier moment.
        VerdictWord::Confirmed | VerdictWord::Resolved if less == Less::Tail => false,
        VerdictWord::Confirmed | VerdictWord::Resolved => less != Less::Item || severe(f),
        VerdictWord::Probable | VerdictWord::Undecided => false,
    };
    let symptom = |f: &&Finding| SYMPTOMS.iter().any(|(id, _)| *id == f.signature.id);
    ran.outcome.findings.iter().filter(counts).filter(|f| !symptom(f)).map(named).collect()
}

fn thinned(less: Less) {
    let cases = cases();
    let mut wanted = Vec::new();
    for (name, members) in &cases {
        for (at, (member, text)) in members.iter().enumerate().filter(|(_, (_, text))| !is_session(text)) {
            let Ok(text) = std::str::from_utf8(text) else { continue };
            let text = less.of(text, usize::try_from(seed(member) % 1000).unwrap_or_default());
            let what = format!("without a {less:?}");
            wanted.extend(text.map(|text| cut_file::Less { name, at, what, text: text.into_bytes() }));
        }
    }
    let (tried, broken) = new_in(&cases, wanted, TRIES, &KNOWN, |ran| sure(ran, less));
    assert!(tried > 10, "{tried} texts are too few to tell");
    assert!(broken.is_empty(), "{} new in {tried} texts:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn a_table_without_one_of_its_rows_says_nothing_new_for_sure() {
    thinned(Less::Row);
}

#[test]
fn a_table_without_one_of_its_columns_says_nothing_new_for_sure() {
    thinned(Less::Column);
}

#[test]
fn a_list_without_one_of_its_items_rules_nothing_out_and_confirms_nothing_severe() {
    thinned(Less::Item);
}

#[test]
fn a_text_without_its_tail_rules_nothing_out() {
    thinned(Less::Tail);
}

#[test]
fn each_way_to_thin_a_text_takes_one_thing_out_of_it() {
    let table = "NAMESPACE   NAME   STATUS\na           b      Ready\nc           d      Lost\n";
    assert_eq!(without_row(table, 0).as_deref(), Some("NAMESPACE   NAME   STATUS\nc           d      Lost\n"));
    assert_eq!(
        without_column(table, 0).as_deref(),
        Some("NAMESPACE   NAME   \na           b      \nc           d      \n")
    );
    let list = "apiVersion: v1\nitems:\n- kind: A\n  x: 1\n- kind: B\nkind: List\n";
    assert_eq!(without_item(list, 0).as_deref(), Some("apiVersion: v1\nitems:\n- kind: B\nkind: List\n"));
    assert_eq!(without_item(list, 1).as_deref(), Some("apiVersion: v1\nitems:\n- kind: A\n  x: 1\nkind: List\n"));
    assert_eq!(without_row("some prose\nof two lines\n", 0), None);
}
