//! Finds, in what follows a command, the stretches that are output of a known form; all else is prose.
//!
//! Invariant: a stretch begins only with a line that nothing but output looks like; it ends where a line
//! stands that its form cannot hold.

use crate::answer;
use crate::answer::Asked;
use crate::continuation::Trace;
use crate::transcript::{dialect, flattened, title};
use crate::{collapsed, etcdctl, fragment, klog_block, line, table, text_form};
use facts::origin::MemberId;
use facts::record::{Command, Record};
use facts::unread::WhyUnread;

/// The form of a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Tables and answers of kubectl.
    Kubectl,
    /// `kubectl describe`.
    Describe,
    /// The same with its indentation lost.
    Flattened,
    /// Output of etcdctl.
    Etcdctl,
    /// Output of another program of a node.
    Tool,
    /// Lines of a log.
    Log,
    /// JSON or YAML.
    Document,
    /// A part of an output whose beginning was not pasted.
    Fragment,
}

/// Lines that are looked at at once when the end of a table is searched.
const WINDOW: usize = 64;

/// The stretch that begins with the first of the lines: its form and its number of lines.
pub fn first(lines: &[&str], command: Option<&Command>, fenced: bool) -> Option<(Form, usize)> {
    let head = *lines.first()?;
    if head.trim().is_empty() || dialect::fence(head).is_some() {
        return None;
    }
    let is_etcdctl = command.is_some_and(|command| command.verb == "etcdctl");
    if is_etcdctl && (is_etcdctl_line(head) || head.starts_with('{') || head.starts_with("Error:")) {
        let goes_on = |line: &str| is_etcdctl_line(line) || line.starts_with('{') || line.starts_with("Error:");
        return Some((Form::Etcdctl, count(lines, goes_on)));
    }
    if etcdctl::is_field(head) && (is_etcdctl || etcdctl::begins_fields(head)) {
        return Some((Form::Etcdctl, fields_length(lines)));
    }
    if text_form::begins_tree(head) {
        return Some((Form::Tool, count(lines, |line| !line.trim().is_empty())));
    }
    if answer::is_one(head) || table::header(head).is_some() || collapsed::read(window(lines)).is_some() {
        return Some((Form::Kubectl, table_length(lines)));
    }
    if is_log(head) {
        return Some((Form::Log, log_length(lines)));
    }
    // All of it, and of one object: a filter leaves lines of several.
    let is_of = |command: &Command| {
        let is_all = command.verb == "describe" && !command.text.contains('|');
        is_all && head.strip_prefix("Name:").is_some_and(|name| command.names == [name.trim()])
    };
    let is_asked = command.is_some_and(is_of);
    if begins_description(lines) || is_asked {
        return Some(described(lines));
    }
    if command.is_some_and(text_form::lists_manifests) {
        return Some((Form::Tool, count(lines, |line| !line.trim().is_empty())));
    }
    if is_container(head) || text_form::is_first_of_program(head) {
        // Its own reader knows its end; a table of containers ends where rows do.
        let rows = |line: &str| line.split_whitespace().next().is_some_and(is_id);
        let length = match is_container(head) {
            true => 1 + count(&lines[1..], rows),
            false => count(lines, |line| !line.trim().is_empty()),
        };
        return Some((Form::Tool, length));
    }
    if is_etcdctl_line(head) {
        return Some((Form::Etcdctl, count(lines, is_etcdctl_line)));
    }
    if let Some(length) = fragment::projected(lines, command) {
        return Some((Form::Fragment, length));
    }
    let document = document_length(lines, fenced).map(|length| (Form::Document, length));
    document.or_else(|| fragment::length(lines, command).map(|length| (Form::Fragment, length)))
}

fn window<'a, 'b>(lines: &'b [&'a str]) -> &'b [&'a str] {
    &lines[..lines.len().min(WINDOW)]
}

fn count(lines: &[&str], goes_on: impl Fn(&str) -> bool) -> usize {
    lines.iter().take_while(|line| goes_on(line)).count()
}

/// Records of the form `-w fields`, apart by blank lines.
fn fields_length(lines: &[&str]) -> usize {
    let is_last = |at: usize| {
        let below = lines.get(at + 1).is_some_and(|next| etcdctl::is_field(next));
        !(lines[at].trim().is_empty() && below || etcdctl::is_field(lines[at]))
    };
    (0..lines.len()).find(|at| is_last(*at)).unwrap_or(lines.len())
}

/// Does the first of these lines begin what `kubectl describe` prints of an object?
pub(super) fn begins_description(lines: &[&str]) -> bool {
    lines.first().is_some_and(|head| head.starts_with("Name:"))
        && lines.iter().skip(1).take(3).any(|line| is_head(line))
}

fn is_head(line: &str) -> bool {
    ["Namespace:", "Labels:", "Annotations:", "Roles:", "API Version:"].iter().any(|key| line.starts_with(key))
}

fn is_container(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.first() == Some(&"CONTAINER") && words.len() > 2 || words.starts_with(&["POD", "ID", "CREATED", "STATE"])
}

fn is_id(word: &str) -> bool {
    word.len() >= 12 && word.chars().all(|c| c.is_ascii_hexdigit())
}

/// A line that only etcdctl prints.
fn is_etcdctl_line(line: &str) -> bool {
    let line = line.trim_end();
    line.starts_with("+--") && line.ends_with('+')
        || line.starts_with("| ") && line.ends_with('|')
        || !line.is_empty() && line.len() < 4096 && etcdctl::try_parse(MemberId(0), "", line).is_some()
}

/// A line of a log: it begins with its time, or is one in JSON.
pub fn is_log(text: &str) -> bool {
    let json = text.starts_with("{\"level\":") || text.starts_with("{\"ts\":") || text.starts_with("{\"log\":");
    let timed = || !text.starts_with([' ', '\t', '{', '-']) && line::glance(text.as_bytes()).time.is_some();
    json || is_audit(text) || timed()
}

/// A record of the audit of Linux, as `ausearch` prints it: `type=AVC msg=audit(1764468668.121:412): avc:  denied ...`.
fn is_audit(line: &str) -> bool {
    let stamp = line.strip_prefix("type=").and_then(|rest| rest.split_once(" msg=audit("));
    stamp.is_some_and(|(kind, rest)| {
        kind.bytes().all(|b| b.is_ascii_uppercase() || b == b'_') && rest.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// A line that begins with its level, as programs without a clock of their own write them.
pub(super) fn is_levelled(line: &str) -> bool {
    let level = line.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map(|(level, _)| level);
    let level = level.or_else(|| line.strip_prefix("level=").and_then(|rest| rest.split(' ').next()));
    level.is_some_and(|level| {
        let levels = ["fatal", "error", "warning", "warn", "info", "emerg", "crit", "alert"];
        levels.iter().any(|known| level.eq_ignore_ascii_case(known))
    })
}

/// A sentence, as people write it and programs seldom do: it begins with a capital, ends with a full stop, and has none
/// of the signs with which programs set names and values apart.
pub(crate) fn is_sentence(line: &str) -> bool {
    let line = line.trim();
    let signs = |c: char| matches!(c, ':' | '=' | '"' | '`' | '/' | '{' | '}' | '[' | ']' | '<' | '>' | '|' | '_');
    line.starts_with(char::is_uppercase)
        && line.ends_with(['.', '!', '?', '。'])
        // Of what is under way programs tell so.
        && !line.ends_with("...")
        && line.split(' ').count() > 3
        && !line.contains(signs)
}

/// What people write where they left lines out: `....`, `[...]`, `<snip>`.
pub(super) fn is_elision(line: &str) -> bool {
    let line = line.trim();
    let bare = line.trim_matches(['[', ']', '<', '>', '(', ')', '-', '#', ' ']);
    !bare.is_empty() && bare.chars().all(|c| matches!(c, '.' | '…'))
        || ["snip", "snipped", "cut", "truncated", "omitted"].iter().any(|word| bare.eq_ignore_ascii_case(word))
            && bare != line
}

fn log_length(lines: &[&str]) -> usize {
    let mut trace = Trace::default();
    let mut is_in_record = false;
    let goes_on = |at: &usize| {
        let line = lines[*at];
        if is_in_record && line.starts_with("  ") {
            return true;
        }
        let is_its_end = is_in_record && line.starts_with('}');
        is_in_record = klog_block::opens_record(line.as_bytes());
        if is_its_end {
            return true;
        }
        if is_log(line) {
            trace.end();
            return true;
        }
        !title::is_one(lines, *at)
            && trace.continues(line.as_bytes())
            && (!line.trim().is_empty() || trace == Trace::Go)
    };
    // A first line that is none of a log begins none.
    if lines.first().is_some_and(|line| is_log(line)) { (0..lines.len()).take_while(goes_on).count() } else { 0 }
}

/// Tables and answers, up to the first blank line or the first line that is no row.
fn table_length(lines: &[&str]) -> usize {
    let all = count(lines, |line| !line.trim().is_empty());
    let asked = Asked { member: MemberId(0), name: "", command: None };
    let mut size = WINDOW;
    loop {
        let part = &lines[..all.min(size)];
        let output = table::read(&asked, &format!("{}\n", part.join("\n")), 1);
        let foreign = output.unread.iter().find(|(_, why)| matches!(why, WhyUnread::NoRow(_)));
        if let Some((line, _)) = foreign {
            return usize::try_from(*line).unwrap_or(1).saturating_sub(1).max(1);
        }
        // A table may need lines that lie beyond to be told from prose.
        let tables = output.records.iter().any(|record| matches!(record, Record::Table(_) | Record::Answer(_)));
        if size >= all {
            return if tables { all } else { all.min(1) };
        }
        size *= 2;
    }
}

/// One or more described objects.
fn described(lines: &[&str]) -> (Form, usize) {
    if flattened::is_one(window(lines)) {
        let events = lines.iter().position(|line| line.starts_with("Events:"));
        let blank = lines.iter().position(|line| line.trim().is_empty()).unwrap_or(lines.len());
        return match events.filter(|events| *events < blank) {
            Some(events) => (Form::Flattened, events + flattened::events_length(&lines[events..])),
            None => (Form::Flattened, blank),
        };
    }
    // Prose begins in the first column, and has no `Key:` there.
    let mut end = 0;
    let mut in_events = false;
    for (at, line) in lines.iter().enumerate() {
        // The message of an event goes on in the first column.
        if at < end {
            continue;
        }
        if line.starts_with("Events:")
            && let Some(length) = fragment::events_end(&lines[at..])
        {
            (in_events, end) = (true, at + length);
            continue;
        }
        let keyed = line.split_once(':').is_some_and(|(key, _)| {
            !key.is_empty() && key.split(' ').count() <= 6 && key.starts_with(|c: char| c.is_ascii_uppercase())
        });
        let plain = line.trim().is_empty();
        if line.starts_with("Events:") {
            in_events = true;
        } else if line.starts_with("Name:") {
            in_events = false;
        }
        let own = line.starts_with([' ', '\t']) || keyed && (!in_events || line.starts_with("Events:"));
        if plain || own || !in_events && goes_on_below(&lines[at..]) {
            if !plain {
                end = at + 1;
            }
        } else {
            break;
        }
    }
    (Form::Describe, end.max(1))
}

/// Lines of one value that `describe` prints as they are, from the first column on.
const VALUE_LINES: usize = 40;

/// Is the first of these lines inside a value of several lines? Fields stand below it, deeper in, before any blank line.
pub(crate) fn goes_on_below(lines: &[&str]) -> bool {
    let ends = |line: &str| line.trim().is_empty() || line.starts_with("Name:") || answer::is_one(line) || is_log(line);
    let below = lines.iter().take(VALUE_LINES).take_while(|line| !ends(line));
    let mut below = below.skip_while(|line| !line.starts_with("  ")).filter(|line| line.starts_with("  "));
    below.any(|line| line.split_once(":  ").is_some_and(|(key, _)| is_field(key.trim_start())))
}

/// A key as `describe` prints those of a condition: `Last Transition Time`.
fn is_field(key: &str) -> bool {
    key.split(' ').count() <= 6 && key.split(' ').all(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// A document of Kubernetes: from its first mark to where it surely ends.
fn document_length(lines: &[&str], fenced: bool) -> Option<usize> {
    let head = lines.first()?;
    let yaml = head.starts_with("apiVersion:")
        || head.starts_with("- apiVersion:")
        || head.starts_with("kind: ")
        || head.trim_end() == "---" && lines.get(1).is_some_and(|line| line.starts_with("apiVersion:"));
    if yaml {
        if fenced {
            return Some(lines.len());
        }
        let goes_on = |line: &str| {
            let key = line
                .split_once(':')
                .is_some_and(|(key, rest)| !key.contains(' ') && (rest.is_empty() || rest.starts_with(' ')));
            line.trim().is_empty() || line.starts_with([' ', '-', '#']) || key
        };
        let length = count(lines, goes_on);
        let blank = lines[..length].iter().rev().take_while(|line| line.trim().is_empty()).count();
        return Some(length - blank);
    }
    let json =
        matches!(head.trim_end(), "{" | "[") || head.starts_with("{\"apiVersion\"") || head.starts_with("{\"kind\"");
    if json {
        if head.trim_end().len() > 1 {
            return Some(1);
        }
        return lines.iter().position(|line| matches!(line.trim_end(), "}" | "]")).map(|end| end + 1);
    }
    None
}
