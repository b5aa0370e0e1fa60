//! Headings of a collected text that name the command whose output stands below: `### df -i`, `==== kubectl get nodes ====`,
//! `-----[ free -m ]-----`, `Command: crictl ps`.
//!
//! Why: scripts that collect by hand write them in place of a prompt, and without them all outputs are one text.
//!
//! Invariants: a heading is one only by a command that cannot be a title; others of the same marks end its section, whatever
//! they say.

use crate::time;
use crate::transcript::shell::{self, Shell};
use std::collections::BTreeSet;

/// Characters of which people make marks.
const MARKS: &str = "#=-*+~_>%<";

/// Words in front of the command.
const LABELS: [&str; 10] = [
    "command:",
    "cmd:",
    "running:",
    "run:",
    "executing:",
    "exec:",
    "output of:",
    "output of",
    "running command:",
    "executing command:",
];

/// The marks of a heading: the character, and how many stand in front.
pub(super) type Style = (char, usize);

/// The longest heading.
const LONGEST: usize = 300;

/// The marks of a line and what stands between them; `None` without marks.
fn marked(line: &str) -> Option<(Style, &str)> {
    let line = line.trim();
    let mark = line.chars().next().filter(|mark| MARKS.contains(*mark))?;
    let inner = line.trim_start_matches(mark);
    let count = line.len() - inner.len();
    // A single mark is a prompt, an item of a list or a comment.
    (count > 1 && line.len() < LONGEST && !inner.is_empty())
        .then(|| ((mark, count), inner.trim_end_matches(mark).trim()))
}

/// Without brackets, quotes and the words that say that it is a command.
fn bare(text: &str) -> &str {
    let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text).trim();
    let label =
        LABELS.iter().find(|label| text.get(..label.len()).is_some_and(|start| start.eq_ignore_ascii_case(label)));
    let text = label.map_or(text, |label| &text[label.len()..]).trim();
    let text = text.strip_prefix("$ ").or_else(|| text.strip_prefix("# ")).unwrap_or(text);
    text.trim_end_matches(':').trim_matches(['`', '"', '\'']).trim()
}

/// Is this surely a command, as no title of a chapter is?
fn is_surely(shell: &Shell) -> bool {
    let plain = ["kubectl", "oc", "etcdctl", "crictl", "journalctl", "timedatectl"];
    let alone = ["df", "dmesg", "free"].contains(&shell.program.as_str()) && shell.arguments.is_empty();
    plain.contains(&shell.program.as_str()) || alone || shell::is_typed(&shell.program, &shell.arguments)
}

/// The command of a heading, and its marks.
pub(super) fn read(line: &str) -> Option<(Style, Shell)> {
    let (style, text) = match marked(line) {
        Some(found) => found,
        None => {
            let label = |label: &str| {
                label.ends_with(':') && line.get(..label.len()).is_some_and(|start| start.eq_ignore_ascii_case(label))
            };
            (LABELS.iter().any(|one| label(one)) && line.len() < LONGEST).then_some(((':', 1), line))?
        }
    };
    let text = bare(text);
    // `kubectl` begins many a title; a sentence ends as one.
    let sentence = text.ends_with(['.', ',', '?', '!']);
    let shell = shell::read(text).filter(|shell| !sentence && is_surely(shell))?;
    Some((style, shell))
}

/// The marks of those headings of a text that hold commands.
pub(super) fn styles(lines: &[String]) -> BTreeSet<Style> {
    lines.iter().filter_map(|line| Some(read(line)?.0)).collect()
}

/// What a heading of these marks says; `None` if a line is none.
pub(super) fn of_style<'t>(line: &'t str, styles: &BTreeSet<Style>) -> Option<&'t str> {
    if styles.is_empty() {
        return None;
    }
    let (style, text) = marked(line)?;
    styles.contains(&style).then(|| bare(text))
}

/// Words that put a time ahead of, or behind, the moment at which something was collected.
const OTHER_MOMENTS: [&str; 15] = [
    "expir",
    "until",
    "valid",
    "planned",
    "scheduled",
    "maintenance",
    "deadline",
    "due ",
    "not after",
    "notafter",
    "since",
    "before",
    "started",
    "will ",
    "next ",
];
/// Lines at the top of a text among which its author notes when he wrote it.
const TOP: usize = 8;
/// Names of the field of a mail that tells it.
const SENT: [&str; 2] = ["date:", "sent:"];

/// Words by which a comment says that it tells when its text was collected.
const COLLECTED: [&str; 6] = ["collected", "captured", "generated", "taken", "dumped", "gathered"];

/// A time that somebody noted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Noted {
    /// With its zone.
    At(jiff::Timestamp),
    /// A day, or a clock without its zone: it was not before this, wherever that clock stood.
    NotBefore(jiff::Timestamp),
}

/// The time that somebody noted in a heading, in a comment about when he collected what follows, in the head of a mail, or at the
/// top of his text: without its zone only in the last two. `at`: how many lines stand above it.
pub(super) fn noted(at: usize, line: &str) -> Option<Noted> {
    // A mark of where the text is from stands in brackets as well, at its begin.
    let bare = line.strip_prefix('[').unwrap_or(line);
    let in_short = || (at < TOP && !is_of_log(bare) && line.split_whitespace().count() <= FEW).then_some(line);
    let is_other = || OTHER_MOMENTS.iter().any(|word| line.to_ascii_lowercase().contains(word));
    let day = || time::not_before(in_short().filter(|_| !is_other())?).map(Noted::NotBefore);
    with_zone(at, line).map(Noted::At).or_else(day)
}

/// Words of a line at the top that notes a day: who says more tells of something.
const FEW: usize = 8;

/// The time with its zone that somebody noted. `at`: how many lines stand above it.
fn with_zone(at: usize, line: &str) -> Option<jiff::Timestamp> {
    let bare = line.trim_start_matches(['>', ' ', '*']);
    if let Some(field) =
        SENT.iter().find(|field| bare.get(..field.len()).is_some_and(|s| s.eq_ignore_ascii_case(field)))
    {
        let date = bare.get(field.len()..)?.trim_matches(['*', ' ']);
        let mail = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(date).ok();
        return mail.or_else(|| time::of_remark(date));
    }
    let says = |words: &[&str], line: &str| words.iter().any(|word| line.contains(word));
    let (is_comment, text) = match (marked(line), line.trim().strip_prefix('#')) {
        (Some((_, text)), _) => (false, text),
        (None, None) if at < TOP && line.len() < LONGEST && !is_of_log(line) => (false, line),
        (None, text) => (true, text.filter(|text| text.len() < LONGEST)?),
    };
    let time = time::of_remark(text)?;
    let lower = text.to_ascii_lowercase();
    (!says(&OTHER_MOMENTS, &lower) && (!is_comment || says(&COLLECTED, &lower))).then_some(time)
}

/// Does a line begin with a time, as one of a log does, and go on with more than a few words?
fn is_of_log(line: &str) -> bool {
    let words = line.split_whitespace().count();
    line.contains(['"', '=', '{', '['])
        || words > TOP * 2
        || line.starts_with(|c: char| c.is_ascii_digit()) && words > TOP
}

/// Is a line nothing but marks, above or below a heading?
pub(super) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let mark = line.chars().next().filter(|mark| MARKS.contains(*mark));
    line.len() > 2 && mark.is_some_and(|mark| line.chars().all(|c| c == mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(line: &str) -> String {
        read(line).map_or("-".to_owned(), |((mark, count), shell)| format!("{mark}{count} {}", shell.command.text))
    }

    #[test]
    fn times_that_somebody_noted() {
        let show = |noted: Option<Noted>| match noted {
            Some(Noted::At(time)) => time.to_string(),
            Some(Noted::NotBefore(time)) => format!("not before {time}"),
            None => "-".to_owned(),
        };
        let of = |line: &str| show(noted(20, line));
        assert_eq!(of("===== THIS MORNING (2026-11-29 08:10Z) ====="), "2026-11-29T08:10:00Z");
        assert_eq!(of("### now, 2026-11-29T08:10:05Z"), "2026-11-29T08:10:05Z");
        assert_eq!(of("# hub: fleet-core   collected 2026-11-27T16:05Z"), "2026-11-27T16:05:00Z");
        // The age of no command, and other moments than that of the text.
        assert_eq!(of("# 2026-11-27T16:05Z the first alert"), "-");
        assert_eq!(of("=== certificates expire 2027-01-01T00:00:00Z ==="), "-");
        assert_eq!(of("=== maintenance planned for 2027-01-01 08:00 UTC ==="), "-");
        assert_eq!(of("=== DURING THE INCIDENT (2026-11-26) ==="), "-");
        assert_eq!(of("Opened 2026-11-29 21:02 UTC"), "-");
        let top = |line: &str| show(noted(1, line));
        assert_eq!(top("Case 418823   Severity 2   Opened 2026-11-29 21:02 UTC"), "2026-11-29T21:02:00Z");
        assert_eq!(top("2026-08-27 07:30 UTC, author: m.duarte"), "2026-08-27T07:30:00Z");
        assert_eq!(top("2026-08-27T07:30:00Z level=error msg=\"it ended\""), "-");
        assert_eq!(top("The change is planned for 2026-08-27 07:30 UTC"), "-");
        // Fourteen hours ahead of UTC it is that day first.
        assert_eq!(top("Date: 2026-09-14"), "not before 2026-09-13T10:00:00Z");
        assert_eq!(top("[slack export  #fleet-support  2026-11-03]"), "not before 2026-11-02T10:00:00Z");
        assert_eq!(top("2026-10-27 16:40  Andrej V."), "not before 2026-10-27T02:40:00Z");
        assert_eq!(top("Support ends on 2031-01-01, until then we keep it, as you know"), "-");
        assert_eq!(top("certificate expires 2031-01-01"), "-");
        assert_eq!(top("2026-10-27 16:40:01 [ERROR] it ended"), "-");
        assert_eq!(of("Date of the order was 2026-09-14"), "-");
        assert_eq!(of("> Date: Mon, 9 Mar 2026 08:41:12 +0000"), "2026-03-09T08:41:12Z");
        assert_eq!(of("**Sent:** yesterday"), "-");
    }

    #[test]
    fn headings_with_commands() {
        for (line, wanted) in [
            ("### df -i", "#3 df -i"),
            ("==== kubectl get pods -A ====", "=4 kubectl get pods -A"),
            ("--- free -m ---", "-3 free -m"),
            ("-----[ kubectl get nodes ]-----", "-5 kubectl get nodes"),
            ("=== Command: crictl ps ===", "=3 crictl ps"),
            ("## `kubectl get nodes -o wide`", "#2 kubectl get nodes -o wide"),
            ("++ kubectl get nodes", "+2 kubectl get nodes"),
            (">>> etcdctl member list", ">3 etcdctl member list"),
            ("Command: kubectl get nodes", ":1 kubectl get nodes"),
        ] {
            assert_eq!(show(line), wanted, "{line}");
        }
    }

    #[test]
    fn titles_and_rulers() {
        for line in [
            "## What happens",
            "## docker",
            "--- a/x.yaml",
            "-----BEGIN CERTIFICATE-----",
            "==",
            "",
            "## Does kubectl get pods work?",
            "### host: a 2026-11-24",
            "- kubectl get pods",
            "running: yes",
            "-- ",
        ] {
            assert_eq!(show(line), "-", "{line}");
        }
        assert!(is_rule("=====") && is_rule("---") && !is_rule("--") && !is_rule("=-=") && !is_rule("--- a"));
    }
}
