//! Lines that a filter picked out of a description: `kubectl describe node w-1 | grep -i taint`.
//!
//! Why: each of them says what the whole description would have said there, and who asks about one thing shows no more.
//!
//! Invariants: only behind a `describe` of one kind; the object is the one that was asked for, or the one whose `Name:`
//! stands above; nothing is concluded from what was not picked.

use crate::describe;
use crate::fragment::{Fragment, Place};
use facts::kind::KindName;
use facts::record::{Command, Parsed, Record};

pub(super) const FRAGMENT: Fragment = Fragment { length, read };

/// Blanks in front of a line that goes on with the value above it: values stand in a column of their own.
const COLUMN: usize = 8;

/// A label in the first column with its value: `Taints:             <none>`.
fn label(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once(':')?;
    let value = rest.strip_prefix("  ").map(str::trim)?;
    (key.starts_with(|c: char| c.is_ascii_uppercase()) && !value.is_empty()).then_some((key, value))
}

/// The kind that was described, if kubectl has a form of its own for it.
fn kind(command: Option<&Command>) -> Option<KindName> {
    let command = command.filter(|command| command.verb == "describe")?;
    let [typed] = command.kinds.as_slice() else { return None };
    let catalogue = catalogue::kinds::Catalogue::shared();
    catalogue.typed(typed).filter(describe::has_own_form)
}

fn length(lines: &[&str], command: Option<&Command>) -> Option<usize> {
    let first = label(lines.first()?)?;
    if !describe::is_label(first.0) && first.0 != "Name" {
        return None;
    }
    kind(command)?;
    let is_deep = |line: &str| !line.trim().is_empty() && line.len() - line.trim_start().len() >= COLUMN;
    Some(lines.iter().take_while(|line| label(line).is_some() || is_deep(line)).count())
}

fn read(place: &Place<'_>, lines: &[&str]) -> Option<Parsed> {
    let kind = kind(place.command)?;
    let (asked, namespace) = place.asked();
    let mut parsed = Parsed::default();
    let mut at = 0;
    while at < lines.len() {
        // With several of them, each begins with its name.
        let named = label(lines[at]).filter(|(key, _)| *key == "Name").map(|(_, name)| name);
        let begin = at + usize::from(named.is_some());
        let ends = |line: &&str| label(line).is_some_and(|(key, _)| key == "Name");
        let end = lines[begin..].iter().position(ends).map_or(lines.len(), |next| begin + next);
        let block = &lines[begin..end];
        if let Some(name) = named.or(asked)
            && block.iter().any(|line| label(line).is_some())
        {
            let read = describe::read_part(place.member, &kind, (name, namespace), block, place.line(begin));
            let objects = read.records.into_iter().filter(|record| matches!(record, Record::Object(_)));
            parsed.records.extend(objects);
            parsed.redactions += read.redactions;
        }
        at = end.max(at + 1);
    }
    (!parsed.records.is_empty()).then_some(parsed)
}
