//! Words of tools in a session: errors of its commands, and what is over since a command got through at last.

use super::account::Line;
use super::cut::Part;
use super::stretch::Form;
use super::target::Target;
use super::{Reader, dialect, number, shell};
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

    /// What other programs than kubectl print as JSON: a document that is `held` is one of objects.
    pub(super) fn reports(
        &mut self,
        part: &Part,
        (form, held): (Form, bool),
        range: Range<usize>,
        command: Option<&Command>,
    ) {
        for at in range.filter(|_| form == Form::Document && !held) {
            self.report(part, at, command);
        }
    }

    fn add_reports(&mut self, part: &Part, range: Range<usize>, command: Option<&Command>) -> bool {
        let asked = Asked { member: self.member, name: "", command };
        let above = self.lines.get(part.follows.start..range.start).unwrap_or_default();
        let found = tool_reports::read(&asked, above, &self.lines[range.clone()], number(range.start));
        if found.records.is_empty() {
            return false;
        }
        if let Some(why) = self.doubted(range.start, command.is_some()) {
            self.set_aside(range, why);
            return true;
        }
        self.note_failures(&found.records, command);
        self.context(&range, command.and_then(|command| command.context.clone().or_else(|| self.cloud_of(command))));
        self.session.account.put(range, Line::Output);
        self.content.parsed.records.extend(found.records);
        self.signs += usize::from(command.is_some() || part.fenced);
        true
    }

    /// The context that was spoken of before somebody asked its cloud: such a command knows no cluster.
    fn cloud_of(&self, command: &Command) -> Option<String> {
        let is_of_cloud = tools::asks_a_cloud(&command.text);
        is_of_cloud.then(|| self.session.contexts.last().map(|span| span.context.clone())).flatten()
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
        // Of several commands on one line each got through.
        let parts: Vec<&str> = shell::split(&text, &["&&", ";"]).into_iter().map(str::trim).collect();
        names.extend(parts.iter().filter_map(|part| self.failed.remove(*part)).flatten());
        let answered = recent().any(|record| match record {
            Record::Table(table) => inside.contains(&table.line),
            Record::Object(object) => inside.contains(&object.line),
            Record::Answer(answer) => inside.contains(&answer.citation.line),
            _ => false,
        });
        if matches!(shell.program.as_str(), "kubectl" | "oc") {
            let wrote = parts.iter().any(|part| writes(part));
            let is_over = |until: Until| match until {
                Until::Answered => answered,
                Until::Written => wrote,
            };
            let over =
                self.unanswered.extract_if(.., |(context, _, until)| *context == target.context && is_over(*until));
            names.extend(over.map(|(_, name, _)| name));
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
            if let Some(until) = over_when(object) {
                let context = command.and_then(|command| command.context.clone());
                self.unanswered.push((context, object.name.clone(), until));
            }
            if let Some(command) = command {
                self.failed.entry(answer::short(&command.text)).or_default().push(object.name.clone());
            }
        }
    }
}

/// What shows that an error of a command is over, whichever command it was.
#[derive(Debug, Clone, Copy)]
pub(super) enum Until {
    /// The API server answers.
    Answered,
    /// Something was written.
    Written,
}

fn over_when(object: &ObjectRecord) -> Option<Until> {
    let class = object.node.at(&["status", "class"]).and_then(Node::as_str)?;
    match class {
        class if tools::is_over_when_answered(class) => Some(Until::Answered),
        class if tools::is_over_when_written(class) => Some(Until::Written),
        _ => None,
    }
}

/// Options of kubectl that may stand before its verb, with their value behind them.
const WITH_VALUE: [&str; 9] =
    ["-n", "--namespace", "--context", "--kubeconfig", "--cluster", "--user", "-s", "--server", "--as"];

/// Does one command write? Nothing is written on trial.
fn writes(command: &str) -> bool {
    let mut words = command.split_whitespace();
    let is_kubectl = words.next().is_some_and(|program| matches!(program, "kubectl" | "oc"));
    let mut is_value = false;
    let verb = words.find(|word| {
        let is_option = std::mem::replace(&mut is_value, WITH_VALUE.contains(word)) || word.starts_with('-');
        !is_option
    });
    is_kubectl && !command.contains("--dry-run") && verb.is_some_and(tools::writes)
}

/// Does an object report that something is wrong?
fn is_failure(object: &ObjectRecord) -> bool {
    object.kind.as_ref().is_some_and(|kind| kind.plural == tool_reports::PLURAL)
        && object.node.at(&["status", "wrong"]).is_some_and(|node| node.value == Value::Bool(true))
}
