//! Words of tools in a session: errors of its commands, and what is over since a command got through at last.

use super::account::Line;
use super::cut::Part;
use super::{Reader, dialect, number};
use crate::answer;
use crate::answer::Asked;
use crate::{secrets, table, text_form, tool_reports};
use catalogue::{tools, words};
use facts::node::Value;
use facts::object::ObjectRecord;
use facts::record::{Command, Record};
use std::ops::Range;

/// The last records among which those of the last command are looked for.
const REPORTS: usize = 500;

impl Reader<'_> {
    /// The rows of a table that a tool prints, up to a blank line or the end of its fence; where they end.
    pub(super) fn report_table(&mut self, part: &Part, at: usize, command: Option<&Command>) -> Option<usize> {
        let line = self.lines[at];
        tools::table(line).filter(|_| !text_form::is_first_of_program(line) && !table::is_of_known_kind(line))?;
        let rest = self.lines.get(at + 1..part.follows.end)?;
        let ends = |line: &&str| line.trim().is_empty() || dialect::fence(line).is_some();
        let end = at + 1 + rest.iter().position(ends).unwrap_or(rest.len());
        self.add_reports(part, at..end, command).then_some(end)
    }

    /// A line of no known form in which a tool says what is wrong.
    pub(super) fn report(&mut self, part: &Part, at: usize, command: Option<&Command>) -> bool {
        let shown = !part.fenced || !words::is_code(&part.language);
        shown && self.add_reports(part, at..at + 1, command)
    }

    fn add_reports(&mut self, part: &Part, range: Range<usize>, command: Option<&Command>) -> bool {
        let asked = Asked { member: self.member, name: "", command };
        let found = tool_reports::read(&asked, &self.lines[range.clone()], number(range.start));
        if found.records.is_empty() {
            return false;
        }
        if let Some(why) = self.doubted(range.start, command.is_some()) {
            self.set_aside(range, why);
            return true;
        }
        if let Some(command) = command.filter(|_| !found.wrong.is_empty()) {
            self.failed.entry(answer::short(&command.text)).or_default().extend(found.wrong);
        }
        self.context(&range, command.and_then(|command| command.context.clone()));
        self.session.account.put(range, Line::Output);
        self.content.parsed.records.extend(found.records);
        self.signs += usize::from(command.is_some() || part.fenced);
        true
    }

    /// A command that failed before, and prints something else now: what was wrong is over.
    pub(super) fn got_through(&mut self, part: &Part) {
        let Some(shell) = &part.shell else { return };
        let text = answer::short(&secrets::mask_text(&shell.command.text).0);
        let printed = self.lines[part.follows.clone()].iter().any(|line| !line.trim().is_empty());
        let inside = number(part.follows.start)..=number(part.follows.end);
        let fails = |record: &Record| {
            matches!(record, Record::Object(object) if inside.contains(&object.line) && is_failure(object))
                || matches!(record, Record::Answer(answer) if inside.contains(&answer.citation.line) && answer::is_trouble(&answer.state))
        };
        if !printed || self.content.parsed.records.iter().rev().take(REPORTS).any(fails) {
            return;
        }
        let Some(names) = self.failed.remove(&text) else { return };
        let asked = Asked { member: self.member, name: "", command: Some(&shell.command) };
        let line = number(part.typed.start);
        let over = names.iter().map(|name| tool_reports::over(&asked, line, name));
        self.content.parsed.records.extend(over);
    }

    /// What was wrong in the output of a command.
    pub(super) fn note_failures(&mut self, records: &[Record], command: Option<&Command>) {
        let Some(command) = command else { return };
        let failed = records.iter().filter_map(|record| match record {
            Record::Object(object) if is_failure(object) => Some(object.name.clone()),
            _ => None,
        });
        let failed: Vec<String> = failed.collect();
        if !failed.is_empty() {
            self.failed.entry(answer::short(&command.text)).or_default().extend(failed);
        }
    }
}

/// Does an object report that something is wrong?
fn is_failure(object: &ObjectRecord) -> bool {
    object.kind.as_ref().is_some_and(|kind| kind.plural == tool_reports::PLURAL)
        && object.node.at(&["status", "wrong"]).is_some_and(|node| node.value == Value::Bool(true))
}
