//! Could a text be a transcript at all? Asked of the first bytes of each member, before it is read.
//!
//! Why apart: whoever reads a transcript needs strong signs and all of its text; this is cheap and may say yes too often,
//! and what it says no to is read as a document, a table or a log.
//!
//! Invariants: a program, a script or a guide is none by its name; a log stays one unless a prompt or a heading says which
//! command printed it, or titles whose lines they are.

use crate::transcript::{beside, dialect, heading, prefixed, prompt, shell, stretch, title};
use crate::{fragment, frames, sniff, text_form, time};

/// Lines above the first one of a log among which the command is looked for that printed it.
const ABOVE_LOG: usize = 40;

/// Bytes of a line that may be a prompt with its command.
const LONGEST_PROMPT: usize = 500;

/// Could a text be a transcript at all? Cheap, for the first bytes of a member.
pub(crate) fn is_possible(head: &str, name: &str, guess: sniff::Guess) -> bool {
    if is_guide(name) || head.trim_start_matches('\u{feff}').trim_start().starts_with("#!") {
        return false;
    }
    let marked = |line: &str| {
        dialect::fence(line.trim_start_matches(['>', ' '])).is_some()
            || shell::names_program(line)
            || line.starts_with("$ ")
            || is_typed(line)
            || heading::read(line).is_some()
    };
    // What stands between the lists of a dump are the logs of its containers.
    let is_beside_prose = || frames::find(head.as_bytes()).is_none() && beside::has_prose(head);
    let is_read_line = matches!(guess, sniff::Guess::Text | sniff::Guess::Log);
    if is_read_line && (prefixed::is_in(head) || title::is_in(head)) {
        return true;
    }
    match guess {
        sniff::Guess::Text if begins_as_log(head) => false,
        // What begins as a whole output is read as one.
        sniff::Guess::Text => {
            let is_part = || fragment::is_in(&dialect::clean(head).join("\n"));
            head.lines().any(marked)
                || !begins_whole(head)
                    && (beside::has_document(head)
                        || beside::has_description(head)
                        || beside::has_table_and_log(head)
                        || is_part())
        }
        // A document of its own may quote a session in a text.
        sniff::Guess::Yaml => {
            let first = head.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            let document = ["---", "apiVersion:", "kind:", "- ", "items:", "metadata:"];
            let begins_as_one = document.iter().any(|start| first.starts_with(start));
            !is_yaml_name(name) && if begins_as_one { is_beside_prose() } else { head.lines().any(marked) }
        }
        sniff::Guess::Json => !is_yaml_name(name) && is_beside_prose(),
        // A log stays one, unless the command that printed it stands above, or a prompt that nothing else looks like is
        // somewhere in it.
        sniff::Guess::Log => {
            // What `date` printed has a time and is no line of a log.
            let is_log = |line: &str| stretch::is_log(line) && time::of_date_command(line.trim()).is_none();
            let mut above = head.lines().take(ABOVE_LOG).take_while(|line| !is_log(line));
            above.any(|line| is_typed(line) || heading::read(line).is_some()) || head.lines().any(is_typed_at_shell)
        }
        _ => false,
    }
}

/// Does a line hold a prompt with a command whose output is read? Its name may be a word of prose: `df`, `k`.
fn is_typed(line: &str) -> bool {
    typed(line).is_some()
}

/// The same behind a prompt that names a user and a host, a folder or a context.
fn is_typed_at_shell(line: &str) -> bool {
    typed(line).is_some_and(|prompt| prompt.strong)
}

fn typed(line: &str) -> Option<prompt::Prompt<'_>> {
    if line.len() >= LONGEST_PROMPT || !line.contains(['#', '$', '%', '>']) {
        return None;
    }
    let is_read = |command: &str| shell::read_prompted(command).is_some_and(|shell| shell.is_read());
    prompt::read(line).filter(|found| is_read(found.command))
}

/// Begins with the first line of an output: the header of a table, the name of a described object.
fn begins_whole(head: &str) -> bool {
    let first = head.lines().find(|line| !line.trim().is_empty());
    text_form::is_marked(first.into_iter())
}

/// Begins with a line of a log, and goes on with more of them than of anything else.
fn begins_as_log(head: &str) -> bool {
    let lines: Vec<&str> = head.lines().filter(|line| !line.trim().is_empty()).take(40).collect();
    let logs = lines.iter().filter(|line| stretch::is_log(line)).count();
    lines.first().is_some_and(|line| stretch::is_log(line)) && logs * 2 > lines.len()
}

fn is_yaml_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.ends_with(".yaml") || lower.ends_with(".yml") || lower.ends_with(".json")
}

/// Names of files that explain and do not report, and of programs.
pub(crate) fn is_guide(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    let guides = ["readme", "runbook", "howto", "how-to", "contributing", "changelog", "install"];
    let programs = [".sh", ".bash", ".py", ".rb", ".go", ".rs", ".ps1", ".bat", ".tpl", ".tmpl", ".js", ".mk"];
    guides.iter().any(|guide| file.starts_with(guide)) || programs.iter().any(|program| file.ends_with(program))
}
