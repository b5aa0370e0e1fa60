//! Words of tools in a session: errors of its commands, and what is over since a command got through at last.

use super::account::Line;
use super::cut::Part;
use super::target::Target;
use super::{Reader, dialect, number};
use crate::answer;
use crate::answer::Asked;
use crate::{secrets, table, text_form, tool_reports};
use catalogue::{tools, words};
use facts::node::{Node, Value};
use facts::object::ObjectRecord;
use facts::record::{Command, Record};
use std::ops::Range;

/// The last records among which those of the last command are looked for.
const REPORTS: usize = 500;

impl Reader<'_> {
    /// The rows of a table that a tool prints, up to a blank line or the end of its fence; where they end.
    pub(super) fn report_table(&mut self, part: &Part, at: usize, command: Option<&Command>) -> Option<usize> {
        let line = self.lines[at];
        tools::table(line).filter(|table| {
            table.is_of_a_program() && !text_form::is_first_of_program(line) && !table::is_of_known_kind(line)
        })?;
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
        self.note_failures(&found.records, command);
        self.context(&range, command.and_then(|command| command.context.clone()));
        self.session.account.put(range, Line::Output);
        self.content.parsed.records.extend(found.records);
        self.signs += usize::from(command.is_some() || part.fenced);
        true
    }

    /// A command that failed before, and prints something else now: what was wrong is over.
    pub(super) fn got_through(&mut self, part: &Part, target: &Target) {
        let Some(shell) = &part.shell else { return };
        let text = answer::short(&secrets::mask_text(&shell.command.text).0);
        let printed = self.lines[part.follows.clone()].iter().any(|line| !line.trim().is_empty());
        let inside = number(part.follows.start)..=number(part.follows.end);
        let fails = |record: &Record| {
            matches!(record, Record::Object(object) if inside.contains(&object.line) && is_failure(object))
                || matches!(record, Record::Answer(answer) if inside.contains(&answer.citation.line) && answer::is_trouble(&answer.state))
        };
        let recent = || self.content.parsed.records.iter().rev().take(REPORTS);
        if !printed || recent().any(fails) {
            return;
        }
        let mut names = self.failed.remove(&text).unwrap_or_default();
        let answered = recent().any(|record| match record {
            Record::Table(table) => inside.contains(&table.line),
            Record::Object(object) => inside.contains(&object.line),
            Record::Answer(answer) => inside.contains(&answer.citation.line),
            _ => false,
        });
        if answered && matches!(shell.program.as_str(), "kubectl" | "oc") {
            let over = self.unanswered.extract_if(.., |(context, _)| *context == target.context);
            names.extend(over.map(|(_, name)| name));
        }
        let asked = Asked { member: self.member, name: "", command: Some(&shell.command) };
        let line = number(part.typed.start);
        let over = names.iter().map(|name| tool_reports::over(&asked, line, name));
        self.content.parsed.records.extend(over);
    }

    /// Keeps what was wrong, so that it is known later to be over.
    pub(super) fn note_failures(&mut self, records: &[Record], command: Option<&Command>) {
        let failed = records.iter().filter_map(|record| match record {
            Record::Object(object) if is_failure(object) => Some(object),
            _ => None,
        });
        for object in failed {
            if is_over_when_answered(object) {
                let context = command.and_then(|command| command.context.clone());
                self.unanswered.push((context, object.name.clone()));
            }
            if let Some(command) = command {
                self.failed.entry(answer::short(&command.text)).or_default().push(object.name.clone());
            }
        }
    }
}

/// Is what an object reports over as soon as the API server answers?
fn is_over_when_answered(object: &ObjectRecord) -> bool {
    let class = object.node.at(&["status", "class"]).and_then(Node::as_str);
    class.is_some_and(tools::is_over_when_answered)
}

/// Does an object report that something is wrong?
fn is_failure(object: &ObjectRecord) -> bool {
    object.kind.as_ref().is_some_and(|kind| kind.plural == tool_reports::PLURAL)
        && object.node.at(&["status", "wrong"]).is_some_and(|node| node.value == Value::Bool(true))
}
