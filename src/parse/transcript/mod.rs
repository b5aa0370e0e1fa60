//! Terminal transcripts and pastes: a session copied into a file, a ticket, a blog post.
//!
//! Why it is worth the effort: it is often all there is, and it holds its own proof: the command stands
//! above what it printed, and what comes later happened later. So each output is read as the output of its
//! command, placed on the host and in the context of that moment, and ordered by its line.
//!
//! What is believed, and what is not:
//! * Prose is never evidence, whatever words are in it. Only lines in a known form of output are.
//! * What the text itself calls a sample is not read, nor what a guide shows without its command, and neither are manifests in a fence that show no
//!   state of a cluster, nor objects whose name is a placeholder.
//! * An output that went through `grep` or `head`, or that is watched, proves no absence.
//! * `date` gives the clock a stated time if it prints its zone. `Last login:` does not: it is the time of
//!   another session, in a zone that nobody knows.
//! * A file is a transcript only on strong signs: a command of a known program with output of a known form
//!   behind it, or a fence that holds such output. Guides and scripts, by name or without outputs, are none.
//!
//! Invariants: every line belongs to one part; each citation names the line that it was read from;
//! reading never panics, whatever the text.

pub mod account;
mod aliases;
mod beside;
mod certificates;
pub(crate) mod chat;
mod cluster_title;
pub mod cut;
pub mod dialect;
pub mod flattened;
mod guide;
mod heading;
pub mod mail;
mod margin;
mod possible;
mod prefixed;
pub(crate) mod prompt;
mod reports;
pub mod shell;
mod sole_object;
mod source;
pub mod stretch;
mod superseded;
pub mod target;
#[cfg(test)]
mod tests;
mod title;
mod what_was_read;
mod whose_words;

use crate::answer::{self, Asked};
use crate::fragment::{self, Place};
use crate::member;
use crate::member::MemberContent;
use crate::scan;
use crate::scan::Literals;
use crate::secrets;
use crate::{describe, etcdctl, table, time, tool_reports};
use account::{Account, Line};
use catalogue::words;
use cut::Part;
use facts::log::ScannedLog;
use facts::node::{Node, Value};
use facts::object::Shown;
use facts::origin::{Citation, MemberId};
use facts::path::{Path, Step};
use facts::record::{Command, Parsed, Record, Stamp, Stated};
use facts::shortfall::WhyPartial;
use facts::unread;
use facts::unread::WhyUnread;
use intake::Limits;
use mail::Thread;
pub(crate) use possible::{is_guide, is_possible};
use shell::Shell;
pub use source::Source;
use std::collections::BTreeMap;
use std::ops::Range;
use stretch::Form;
use target::{Target, Targets};
pub use title::Title;

/// The format as `inspect` names it. Facts order what stands in it by its lines.
pub const FORMAT: &str = "transcript";

/// Lines and bytes of the longest session that is read as one.
pub(crate) const MAX_LINES: usize = 50_000;
/// See [`MAX_LINES`].
pub const MAX_BYTES: usize = 8 << 20;

/// Lines above a part of an output among which the sentence is looked for that introduces it.
const ABOVE: usize = 4;

/// What a session says besides its records.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Session {
    /// Lines that belong to a context that the session names; all others are of the member's own.
    pub contexts: Vec<Span>,
    /// Stretches of logs, in the order of the text.
    pub logs: Vec<SessionLog>,
    /// What became of each line.
    pub account: Account,
    /// Which lines are quoted, and so older than those around them.
    pub thread: Thread,
}

/// Lines of one context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The first line.
    pub first: u32,
    /// The last line.
    pub last: u32,
    pub context: String,
}

/// A stretch of a log.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionLog {
    /// The context, if the session names one.
    pub context: Option<String>,
    /// The node, if a prompt or `ssh` names it and the command reads the node's own log.
    pub node: Option<String>,
    /// What wrote it, if the command says so.
    pub source: Option<Source>,
    /// Its lines stand in the order in which all of the session was written.
    pub ordered: bool,
    /// A command printed it; what somebody put between commands may be of another cluster than those.
    pub asked: bool,
    /// Its lines.
    pub log: ScannedLog,
}

impl Session {
    /// The context of a line, if the session names it.
    pub fn context_of(&self, line: u32) -> Option<&str> {
        // They come in the order of the text.
        let next = self.contexts.get(self.contexts.partition_point(|span| span.last < line))?;
        (next.first <= line).then_some(next.context.as_str())
    }
}

/// Reads a text as a transcript; `None` if it is none. `name` is the member's name: an object whose own was not pasted
/// is named after it.
pub fn read(member: MemberId, name: &str, text: &str, literals: &Literals, limits: &Limits) -> Option<MemberContent> {
    if text.len() > MAX_BYTES || memchr::memchr_iter(b'\n', text.as_bytes()).count() > MAX_LINES {
        return None;
    }
    let lines = dialect::clean(text);
    let borrowed: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut reader = Reader {
        member,
        name,
        literals,
        limits,
        lines: &borrowed,
        content: MemberContent { parsed: Parsed { format: FORMAT, ..Parsed::default() }, ..MemberContent::default() },
        session: Session {
            account: Account::of(&borrowed, |line| dialect::fence(line).is_some()),
            thread: Thread::of(text),
            ..Session::default()
        },
        is_guide: false,
        waiting: None,
        titled: None,
        signs: 0,
        failed: BTreeMap::new(),
        unanswered: Vec::new(),
    };
    let parts = cut::cut(&lines);
    let is_typed = parts.iter().any(|part| part.shell.is_some());
    reader.is_guide = guide::is_one(&parts, &borrowed);
    let mut targets = Targets::with_hosts_apart(target::hosts_apart(&parts, &borrowed));
    for part in parts {
        let target = targets.visit(&part);
        reader.session.account.put(part.typed.clone(), Line::Command);
        reader.part(&part, &target);
    }
    if !reader.is_guide {
        let asked = Asked { member, name, command: None };
        let pings = tool_reports::of_pings(&asked, &borrowed, 1);
        reader.signs += pings.records.len();
        reader.content.parsed.records.extend(pings.records);
    }
    reader.noted();
    // What stands behind its commands may be a piece that nothing is known of, and a table in its prose is one all the same;
    // so are lines of a log beside a table.
    let holds = !reader.content.parsed.records.is_empty();
    let is_mixed = holds && !reader.session.logs.is_empty();
    if reader.signs == 0 && (!is_typed && !is_mixed || reader.is_guide || !holds) {
        return None;
    }
    reader.session.thread.set_older_aside(&mut reader.content.parsed);
    if !reader.session.thread.is_one() {
        let at = |line: u32| usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1).min(borrowed.len());
        let is_prose = |line: &&&str| !line.trim().is_empty() && dialect::fence(line).is_none();
        let above = |line: u32| borrowed[..at(line)].iter().rev().take(ABOVE).find(is_prose).copied();
        superseded::set_aside(&mut reader.content.parsed, above);
    }
    let mut content = reader.content;
    unread::sort(&mut content.parsed.unread);
    content.session = Some(reader.session);
    Some(content)
}

struct Reader<'a> {
    member: MemberId,
    name: &'a str,
    literals: &'a Literals,
    limits: &'a Limits,
    lines: &'a [&'a str],
    content: MemberContent,
    session: Session,
    /// It says what one may see: logs without their command are samples.
    is_guide: bool,
    /// The command of the last part, if it asked for objects and nothing stands below it.
    waiting: Option<Command>,
    /// The title of the last lines of a log, and where they ended.
    titled: Option<(usize, Title)>,
    /// Outputs of a known form behind a command, in a fence or below a title.
    signs: usize,
    /// What was wrong when a command ran: the names of its reports, by the command.
    failed: BTreeMap<String, Vec<String>>,
    /// Reports that are over once the API server answers, or takes something: its context, if that is known, and the name of the report.
    unanswered: Vec<(Option<String>, String, reports::Until)>,
}

/// The number of a line from its index.
/// Does the form of an output alone say that a text is a transcript?
fn is_sign(form: Form, fenced: bool, command: Option<&Command>) -> bool {
    fenced && form != Form::Document
        || form == Form::Fragment
        || matches!(form, Form::Document | Form::Describe) && command.is_none() && !fenced
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX).saturating_add(1)
}

impl<'a> Reader<'a> {
    fn part(&mut self, part: &Part, target: &Target) {
        let shell = part.shell.as_ref();
        if let Some(shell) = shell
            && let Some(words) = shell.after_date.as_ref().or((shell.program == "date").then_some(&shell.arguments))
            && let Some(date) = self.lines.get(part.follows.start)
        {
            let is_date = self.clock(words, number(part.follows.start), date);
            if is_date || shell.after_date.is_none() {
                self.session.account.put(part.follows.start..part.follows.start + 1, Line::Output);
            }
            if shell.after_date.is_none() {
                return;
            }
            let shell = Some(Shell { after_date: None, ..shell.clone() });
            let behind = part.follows.start + usize::from(is_date)..part.follows.end;
            return self.part(&Part { shell, follows: behind, ..part.clone() }, target);
        }
        let (read, prose) = self.follows(part, target);
        self.got_through(part, target);
        if let Some(shell) = shell
            && shell.is_alarm("list")
            && part.strong
            && part.follows.end < self.lines.len()
            && self.lines[part.follows.clone()].iter().all(|line| line.trim().is_empty())
        {
            // The next prompt stands below: the list was printed, and it is empty.
            self.context(&part.typed, self.asked(shell, target).context);
            self.content.parsed.records.push(etcdctl::no_alarms(self.member, number(part.typed.start), None));
            self.signs += 1;
        }
        if read == 0
            && let (Some(shell), Some(at)) = (shell, prose)
            && shell.is_read()
            && !shell.redirected
            && !part.bare
        {
            let text = answer::short(&shell.command.text);
            let text = WhyUnread::NoFormBehind(text.into());
            self.set_aside(at..part.follows.end, text);
        }
    }

    /// Reads lines that name their container, if a stretch of them begins here; where it ends.
    fn lines_with_prefixes(
        &mut self,
        rest: Range<usize>,
        command: Option<&Command>,
        shell: Option<&Shell>,
        target: &Target,
    ) -> Option<usize> {
        let range = rest.start..rest.start + prefixed::length(&self.lines[rest.clone()])?;
        match self.doubted(range.start, command.is_some()) {
            Some(why) => self.set_aside(range.clone(), why),
            None => self.prefixed(&range, command, shell, target),
        }
        Some(range.end)
    }

    /// What follows the command of a part: how many stretches of output, and the first line that is none.
    fn follows(&mut self, part: &Part, target: &Target) -> (usize, Option<usize>) {
        let shell = part.shell.as_ref();
        let mut command = shell.map(|shell| self.asked(shell, target));
        // Lines of progress stand above the error of a command; a sentence ends what it said.
        let mut said_by = command.clone();
        let mut target = target.clone();
        let (mut at, mut read, mut prose) = (part.follows.start, 0, None);
        while at < part.follows.end {
            let mut end = self.report_table(part, at, said_by.as_ref());
            if end.is_none() {
                end = self.lines_with_prefixes(at..part.follows.end, command.as_ref(), shell, &target);
            }
            if let Some(end) = end {
                (read, at) = (read + 1, end);
                continue;
            }
            let Some((form, length)) = stretch::first(&self.lines[at..part.follows.end], command.as_ref(), part.fenced)
            else {
                if self.report(part, at, said_by.as_ref()) {
                    (read, at) = (read + 1, at + 1);
                    continue;
                }
                if let Some(end) = self.levelled(part, at)
                    && self.log(at..end, None, &target, target.context.clone())
                {
                    self.signs += 1;
                    (read, at) = (read + 1, end);
                    continue;
                }
                if self.speaks(part, command.is_some())
                    && !cut::introduces(self.lines[at])
                    && !stretch::is_sentence(self.lines[at])
                {
                    let end = self.said(part, at, command.as_ref());
                    let own = shell.filter(|_| command.is_some());
                    if let Some(why) = self.doubted(at, own.is_some()) {
                        self.set_aside(at..end, why);
                    } else if self.log(at..end, own, &target, target.context.clone()) {
                        self.signs += 1;
                    }
                    (read, at) = (read + 1, end);
                    continue;
                }
                if stretch::is_sentence(self.lines[at]) {
                    said_by = None;
                }
                if self.is_prose(at, command.as_ref()) {
                    prose.get_or_insert(at);
                    // Prose ends what a command printed; the machine may be another one from here on.
                    if !self.lines[at].starts_with(' ') && command.is_some() && !part.strong {
                        command = None;
                        target.host = None;
                    } else if read > 0 {
                        command = None;
                    }
                }
                self.code(part, at);
                at += 1;
                continue;
            };
            let mut range = at..at + length.clamp(1, part.follows.end - at);
            if form == Form::Log && self.speaks(part, command.is_some()) {
                range.end = self.said(part, range.end - 1, command.as_ref());
            }
            (at, read) = (range.end, read + 1);
            if let Some(why) = self.doubted(range.start, command.is_some()) {
                self.set_aside(range, why);
                continue;
            }
            let is_other = self.answers_another(form, range.start, shell);
            let before = self.waiting.clone().filter(|_| is_other);
            let known = if is_other { before.as_ref() } else { command.as_ref() };
            let shell = shell.filter(|_| known.is_some() && !is_other);
            let sign = known.is_some() && shell.is_some_and(Shell::is_read) || is_sign(form, part.fenced, known);
            let held = self.stretch(form, range.clone(), known, shell, &target);
            self.reports(part, (form, held), range, said_by.as_ref());
            command = command.filter(|command| form != Form::Fragment || !fragment::projected::prints_once(command));
            if held && (sign || part.fenced && form == Form::Document) {
                self.signs += 1;
            }
        }
        self.wait_for(part, command);
        (read, prose)
    }

    /// Is a table no part of what its command prints? Commands that were sent together are answered together, and no log holds one.
    fn answers_another(&self, form: Form, at: usize, shell: Option<&Shell>) -> bool {
        form == Form::Kubectl && shell.is_some_and(Shell::is_log) && table::header(self.lines[at]).is_some()
    }

    /// Keeps the command of a part that asked for objects, if nothing stands below it.
    fn wait_for(&mut self, part: &Part, command: Option<Command>) {
        let below = self.lines.get(part.follows.clone()).unwrap_or_default();
        let is_blank = below.iter().all(|line| line.trim().is_empty());
        if part.shell.is_some() {
            self.waiting = command.filter(|command| is_blank && command.verb == "get");
        }
    }

    /// Lines of a fence that shows code or data, and no output.
    fn code(&mut self, part: &Part, at: usize) {
        let line = self.lines.get(at).copied().unwrap_or_default();
        if part.fenced && words::is_code(&part.language) && !line.trim().is_empty() && dialect::fence(line).is_none() {
            let last = self.content.parsed.unread.last();
            let said = |(line, why): &(u32, WhyUnread)| {
                matches!(why, WhyUnread::Code(_)) && *line > number(part.follows.start)
            };
            if !last.is_some_and(said) {
                self.unread(at, WhyUnread::Code(answer::short(&part.language).into()));
            }
            self.session.account.put(at..at + 1, Line::Unread);
        }
    }

    fn set_aside(&mut self, range: Range<usize>, why: WhyUnread) {
        self.unread(range.start, why);
        self.session.account.put(range, Line::Unread);
    }

    fn unread(&mut self, at: usize, why: WhyUnread) {
        self.content.parsed.unread.push((number(at), why));
    }

    /// The command as the parsers of its output want it: with what the session has set before.
    fn asked(&self, shell: &Shell, target: &Target) -> Command {
        let mut command = shell.command.clone();
        command.text = secrets::mask_text(&command.text).0.into_owned();
        // A filter picks out of what was printed, and says what.
        let picked = |program| shell.filter.as_deref().and_then(|filter| filter.strip_prefix(program));
        let output = command.output.as_deref();
        if let Some(filter) = picked("jq").filter(|_| output.is_none_or(|output| output == "json")) {
            command.output = Some(format!("{}{filter}", fragment::projected::FILTER));
        } else if let (Some(filter), Some(path)) = (picked("jq"), output.and_then(fragment::projected::plain_path)) {
            let further = fragment::projected::quoted_filter(filter).trim_start();
            let further =
                further.strip_prefix('.').filter(|rest| !rest.starts_with(char::is_alphabetic)).unwrap_or(further);
            command.output = Some(format!("{}'{path}{further}'", fragment::projected::FILTER));
        } else if let Some(filter) = picked("yq").filter(|_| matches!(output, Some("json" | "yaml"))) {
            command.output = Some(format!("{}{filter}", fragment::projected::FILTER_OF_YAML));
        }
        command.context.clone_from(&target.context);
        command.kubeconfig = None;
        command.cluster = None;
        if command.namespace.is_none() && !command.all_namespaces {
            command.namespace.clone_from(&target.namespace);
        }
        command
    }

    /// The times that somebody noted in headings.
    fn noted(&mut self) {
        for (at, line) in self.lines.iter().enumerate() {
            let Some(noted) = heading::noted(at, line) else { continue };
            let citation = Citation::line(self.member, number(at), line);
            let (what, time) = match noted {
                heading::Noted::At(time) => (Stated::NotedAt, time),
                heading::Noted::NotBefore(time) => (Stated::NotedDay, time),
            };
            let stamp = Stamp { what, text: time.to_string(), citation };
            self.content.parsed.records.push(Record::from(stamp));
        }
    }

    /// `date`, if it prints its zone.
    fn clock(&mut self, words: &[String], line: u32, text: &str) -> bool {
        let text = text.trim();
        let zoned = time::of_date_command(text).is_some() || text.parse::<jiff::Timestamp>().is_ok();
        let is_now = zoned && words.iter().all(|word| word.starts_with(['-', '+'])) && text.len() < 60;
        if is_now {
            let citation = Citation::line(self.member, line, text);
            let stamp = Stamp { what: Stated::CollectedAt, text: text.to_owned(), citation };
            self.content.parsed.records.push(Record::from(stamp));
        }
        is_now
    }

    /// Assigns lines to a context.
    fn context(&mut self, range: &Range<usize>, context: Option<String>) {
        if let Some(context) = context {
            let (first, last) = (number(range.start), number(range.end.saturating_sub(1)));
            self.session.contexts.push(Span { first, last, context });
        }
    }

    /// Reads one stretch; `false` if nothing came of it.
    fn stretch(
        &mut self,
        form: Form,
        range: Range<usize>,
        command: Option<&Command>,
        shell: Option<&Shell>,
        target: &Target,
    ) -> bool {
        let context = match command {
            Some(command) => command.context.clone(),
            None => target.context.clone(),
        };
        self.context(&range, context.clone());
        self.session.account.put(range.clone(), Line::Output);
        if form == Form::Log {
            // A line with a time is one whether anybody looks for it or not.
            self.log(range, shell, target, context);
            return true;
        }
        let text = self.lines[range.clone()].join("\n") + "\n";
        let behind = self.lines.get(range.end..).unwrap_or_default();
        let followed = behind.iter().any(|line| !line.trim().is_empty());
        let mut parsed = match form {
            Form::Flattened => self.flattened(&range, command),
            Form::Fragment => self.fragment(&range, command),
            _ => {
                let read = member::read_output(self.member, text.as_bytes(), self.limits, command, followed);
                read.moved_down(number(range.start) - 1)
            }
        };
        if let Some(filter) = shell.and_then(|shell| shell.filter.as_deref()) {
            what_was_read::narrow(&mut parsed.records, filter);
        }
        if !followed {
            what_was_read::cut_tables(&mut parsed.records, &WhyPartial::SessionEnds);
        }
        // A mark for what was left out stands apart from the rows as often as among them.
        let next = behind.iter().find(|line| !line.trim().is_empty());
        if next.is_some_and(|line| words::is_omission(line)) {
            what_was_read::cut_tables(&mut parsed.records, &WhyPartial::RowsLeftOutBehind);
        }
        certificates::name(&mut parsed.records, shell, number(range.start));
        let disarms = shell.is_some_and(|shell| shell.is_alarm("disarm"));
        let bare_document = form == Form::Document && command.is_none();
        // What its reader says of the text as a whole is said of its first line, of its end of its last.
        for (line, _) in &mut parsed.unread {
            *line = (*line).max(number(range.start)).min(number(range.end.saturating_sub(1)));
        }
        let before = parsed.unread.len();
        parsed.records.retain_mut(|record| match record {
            Record::Object(object) => match what_was_read::doubt(object, bare_document) {
                Some(why) => {
                    parsed.unread.push((object.line, why));
                    false
                }
                None => {
                    object.order.transcript = Some((object.member, self.session.thread.position(object.line)));
                    // It prints the alarms that it has just disarmed, in the form of a list of alarms.
                    if disarms && object.kind.as_ref().is_some_and(|kind| kind.plural == "etcdalarms") {
                        object.node.set_at(&["status", "disarmed"], Node::new(object.line, Value::Bool(true)));
                    }
                    if let Some(host) = &target.host {
                        what_was_read::on_node(object, host);
                    }
                    true
                }
            },
            _ => true,
        });
        let doubted = parsed.unread.len() > before;
        // A list of samples is no list.
        if doubted && parsed.records.iter().all(|record| matches!(record, Record::Answer(_))) {
            parsed.records.clear();
        }
        self.note_failures(&parsed.records, command);
        let held = !parsed.records.is_empty();
        if !held && form == Form::Kubectl {
            // A remark of kubectl, or a line of another program that begins like one.
            parsed.unread.retain(|(_, why)| *why != WhyUnread::NoFormat);
        }
        if !held {
            let line = if parsed.unread.is_empty() { Line::Prose } else { Line::Unread };
            self.session.account.put(range, line);
        }
        self.content.parsed.redactions += parsed.redactions;
        self.content.parsed.records.append(&mut parsed.records);
        self.content.parsed.unread.append(&mut parsed.unread);
        held
    }

    fn fragment(&self, range: &Range<usize>, command: Option<&Command>) -> Parsed {
        let records = &self.content.parsed.records;
        let sole = command.and_then(|command| sole_object::named(records, command));
        let command = sole.as_ref().or(command);
        let of_kind = command.and_then(|command| sole_object::of_kind(records, command));
        let command = of_kind.as_ref().or(command);
        let first = number(range.start);
        let place = Place { member: self.member, name: self.name, first, command, limits: self.limits };
        let lines = &self.lines[range.clone()];
        let unknown = || Parsed { unread: vec![(first, WhyUnread::PartOfNothing)], ..Parsed::default() };
        fragment::read(&place, lines).unwrap_or_else(unknown)
    }

    fn flattened(&self, range: &Range<usize>, command: Option<&Command>) -> Parsed {
        let restored = flattened::restore(&self.lines[range.clone()]);
        let kind = match command.map(|command| command.kinds.as_slice()) {
            Some([typed]) => answer::unambiguous(typed).ok(),
            _ => None,
        };
        let read = describe::read(self.member, kind.as_ref(), &restored.text, number(range.start));
        let mut parsed = read.unwrap_or_default();
        for record in &mut parsed.records {
            if let Record::Object(object) = record
                && !restored.ambiguous.is_empty()
                && !matches!(object.shown, Shown::Paths(_))
            {
                let sure = ["metadata", "apiVersion", "kind", "spec", "status"];
                let doubtful = |path: &&str| !restored.ambiguous.iter().any(|key| key.eq_ignore_ascii_case(path));
                let path = |name: &str| Path(vec![Step::Field(name.to_owned())]);
                let head = ["name", "namespace", "labels", "annotations"]
                    .map(|name| Path(["metadata", name].map(|name| Step::Field(name.to_owned())).to_vec()));
                let sections = sure.iter().filter(|p| doubtful(p)).map(|p| path(p));
                object.shown = Shown::Paths(sections.chain(head).collect());
            }
        }
        if !restored.ambiguous.is_empty() {
            parsed.unread.push((
                number(range.start),
                WhyUnread::IndentationLost(restored.ambiguous.into_iter().map(Into::into).collect()),
            ));
        }
        parsed
    }

    /// Reads lines that have their Pod and container in front of them: of each container a log of its own.
    fn prefixed(&mut self, range: &Range<usize>, command: Option<&Command>, shell: Option<&Shell>, target: &Target) {
        self.session.account.put(range.clone(), Line::Log);
        self.context(range, target.context.clone());
        self.signs += 1;
        let typed = || command.and_then(|command| command.namespace.clone()).or_else(|| target.namespace.clone());
        let previous = shell.is_some_and(source::is_previous);
        let picked = shell.is_some_and(source::is_picked);
        for (owner, written) in prefixed::apart(&self.lines[range.clone()]) {
            let mut text = String::new();
            for (_, line) in &written {
                text.push_str(line);
                text.push('\n');
            }
            let mut log = scan::scan(self.member, text.as_bytes(), self.literals, self.limits);
            self.content.redactions += log.redactions;
            log.others.clear();
            log.renumber(|line| {
                let at = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
                written.get(at).map_or(line, |(at, _)| number(range.start + at))
            });
            log.span = (number(range.start), number(range.end.saturating_sub(1)));
            log.previous = previous;
            log.picked = picked;
            let source = owner.map(|owner| Source::Pod {
                namespace: owner.namespace.map(str::to_owned).or_else(typed),
                name: owner.pod.to_owned(),
                container: owner.container.map(str::to_owned),
            });
            let (context, ordered) = (target.context.clone(), !self.session.thread.is_one());
            let asked = shell.is_some();
            self.session.logs.push(SessionLog { context, node: None, source, ordered, asked, log });
        }
    }

    /// What the lines of a log are called: above them, or above those that they go on.
    fn title(&mut self, range: &Range<usize>) -> Option<Title> {
        let goes_on =
            |line: &&str| line.trim().is_empty() || stretch::is_elision(line) || dialect::fence(line).is_some();
        let before = self
            .titled
            .take()
            .filter(|(end, _)| self.lines.get(*end..range.start).is_some_and(|between| between.iter().all(goes_on)));
        let title = title::above(self.lines, range.start).or_else(|| before.map(|(_, title)| title));
        self.titled = title.clone().map(|title| (range.end, title));
        title
    }

    /// Reads lines of a log; `false` if none of them says anything that somebody looks for.
    fn log(&mut self, range: Range<usize>, shell: Option<&Shell>, target: &Target, context: Option<String>) -> bool {
        self.session.account.put(range.clone(), Line::Log);
        let text = self.lines[range.clone()].join("\n") + "\n";
        let scanned = scan::scan(self.member, text.as_bytes(), self.literals, self.limits);
        let before = number(range.start).saturating_sub(1);
        self.content.redactions += scanned.redactions;
        let source = match shell {
            Some(shell) => Source::of(shell),
            None => self.title(&range).map(Source::Titled),
        };
        let own = shell.is_some_and(|shell| shell.program != "kubectl");
        // Below a command that prints no log stands what somebody pasted from elsewhere.
        let elsewhere = shell.is_some_and(|shell| !shell.is_log());
        let previous = shell.is_some_and(source::is_previous);
        let picked = shell.is_some_and(source::is_picked);
        let machines = scanned.split();
        let several = machines.len() > 1;
        let says = |log: &ScannedLog| {
            !log.hits.is_empty() || log.tally.last_words.is_some() || !log.tally.templates.is_empty()
        };
        let wanted = machines.iter().any(says);
        self.signs += usize::from(wanted && matches!(source, Some(Source::Titled(_))));
        for mut log in machines {
            log.move_down(before);
            log.previous = previous;
            log.picked = picked;
            // A journal of several machines was read on none of them in particular.
            let host = log.host.as_deref().map(str::to_owned).filter(|_| several || elsewhere);
            let node = host.or_else(|| target.host.clone().filter(|_| own));
            // What a journal calls its machine, where nothing else does.
            let node = node.or_else(|| log.host.as_deref().map(str::to_owned).filter(|_| own));
            let (context, source) = (context.clone(), source.clone());
            let (ordered, asked) = (!self.session.thread.is_one(), shell.is_some());
            self.session.logs.push(SessionLog { context, node, source, ordered, asked, log });
        }
        wanted
    }
}
