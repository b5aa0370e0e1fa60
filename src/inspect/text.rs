//! An inspection as text: first what can and what cannot be told from the bundle, and how to collect what is
//! missing; then every list behind it.
//!
//! Why in this order: who looks at three in the morning reads one screen.
//!
//! Invariants: no character of the bundle reaches a terminal as a control character; a list that is folded
//! says how much it leaves out; all of it is in the JSON too.

use crate::model::{
    InspectedBundle, InspectedContext, InspectedCoverage, InspectedFailure, InspectedKind, InspectedLog, InspectedTime,
    InspectedUnread, Inspection,
};
use diagnose::needs::{Need, Needs, Standing};
use diagnosis::model::ALL_NAMESPACES;
use diagnosis::visible::one_line;
use diagnosis::words;
use facts::coverage::StateName;
use facts::outside::Outside;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Columns of the text.
const WIDTH: usize = 100;
/// Lines of each list.
const LINES: usize = 12;
/// Names in one row.
const NAMES: usize = 7;
/// Commands of the first screen.
const COMMANDS: usize = 6;
/// Reasons of failures of the first screen.
const FAILURES: usize = 6;
/// Contexts whose needs are told on the first screen.
const CONTEXTS: usize = 8;

/// The text for people; `all` prints every list whole.
pub fn text(inspection: &Inspection, all: bool) -> String {
    let mut page = Page { out: String::new(), all };
    for bundle in &inspection.bundles {
        page.bundle(bundle, inspection);
    }
    for context in inspection.contexts.iter().take(page.most(CONTEXTS)) {
        page.context(context);
    }
    page.more(inspection.contexts.len(), CONTEXTS, "");
    page.failures(&inspection.failed);
    page.wanted(&inspection.contexts);
    for context in &inspection.contexts {
        page.kinds(context);
        page.logs(context);
    }
    page.unread(&inspection.unread);
    page.limits(&inspection.limits_hit);
    for bundle in &inspection.bundles {
        page.links(bundle);
    }
    page.beyond(&inspection.more);
    if inspection.redactions > 0 {
        let masked = words::count(inspection.redactions, "secret value was", "secret values were");
        page.line(&format!("\n{masked} masked"));
    }
    page.out
}

struct Page {
    out: String,
    all: bool,
}

impl Page {
    fn line(&mut self, text: &str) {
        // Writing into a String cannot fail.
        let _ = writeln!(self.out, "{text}");
    }

    fn most(&self, number: usize) -> usize {
        if self.all { usize::MAX } else { number }
    }

    /// Says how many lines a folded list is short of.
    fn more(&mut self, length: usize, shown: usize, indent: &str) {
        if length > self.most(shown) {
            let more = words::thousands((length - shown) as u64);
            self.line(&format!("{indent}and {more} more; `--all` prints them"));
        }
    }

    /// A text broken at blanks, with its further lines indented. A command is never broken.
    fn wrapped(&mut self, first: &str, indent: usize, text: &str) {
        let mut row = first.to_owned();
        let mut is_first = true;
        for word in text.split(' ') {
            let long = row.chars().count() + 1 + word.chars().count() > WIDTH;
            if long && !is_first {
                self.line(row.trim_end());
                row = " ".repeat(indent);
                is_first = true;
            }
            if !is_first {
                row.push(' ');
            }
            row.push_str(word);
            is_first = false;
        }
        self.line(row.trim_end());
    }

    fn bundle(&mut self, bundle: &InspectedBundle, inspection: &Inspection) {
        let members = words::count(bundle.members, "member", "members");
        let size = words::bytes(bundle.bytes);
        self.line(&format!("{}: layout {}, {size}", one_line(&bundle.name), bundle.layout));
        let counts = &bundle.accounted;
        let beyond = inspection.more.get("limits_hit").copied().unwrap_or_default();
        let limits = inspection.limits_hit.len() as u64 + beyond;
        let n = words::thousands;
        let text = format!(
            "{} = {} understood + {} of no use (why: below) + {} not understood + {} empty; \
             {}; {} not read; {}",
            members,
            n(counts.understood),
            n(counts.of_no_use()),
            n(counts.not_understood),
            n(counts.empty),
            words::count(counts.links, "link", "links"),
            words::count(counts.not_handed_on, "entry", "entries"),
            if limits == 0 { "no limit reached".to_owned() } else { words::count(limits, "limit hit", "limit hits") },
        );
        self.wrapped("  ", 4, &text);
        for damage in &bundle.damage {
            self.wrapped("  ", 4, &format!("damaged: {}", one_line(damage)));
        }
    }

    fn context(&mut self, context: &InspectedContext) {
        let roles = if context.roles.is_empty() { "role unknown".to_owned() } else { context.roles.join("+") };
        let mut title = format!("Context {} ({roles})", one_line(&context.name));
        for (name, version) in &context.versions {
            title.push_str(&format!("; {} {}", one_line(name), one_line(version)));
        }
        if !context.products.is_empty() {
            title.push_str(&format!("; products: {}", context.products.join(", ")));
        }
        self.line("");
        self.wrapped("", 2, &title);
        match &context.as_of {
            Some(clock) => {
                let precision =
                    if clock.precision.is_empty() { String::new() } else { format!(" {}", clock.precision) };
                let source = one_line(&clock.source);
                self.wrapped("  ", 4, &format!("as of {} UTC{precision}, from {source}", words::clock(&clock.time)));
                if let Some(objects) = &clock.objects {
                    let time = words::clock(objects);
                    self.wrapped(
                        "  ",
                        4,
                        &format!("its objects were read at {time} UTC or later, and their ages are measured by that"),
                    );
                }
            }
            None => self.line("  as of: unknown, nothing in it states a time; `--as-of TIME` sets it"),
        }
        let lines = context.logs.iter().map(|log| log.row.lines).sum();
        let logs = words::count(context.logs.len() as u64, "log", "logs");
        let lines = words::count(lines, "line", "lines");
        match &context.log_time {
            Some(time) => self.wrapped("  ", 4, &format!("{logs} with {lines}, {}", span(time))),
            None if context.logs.is_empty() => self.line("  no logs"),
            None => self.line(&format!("  {logs} with {lines}, none of them with a time")),
        }
        self.needs(&context.needs);
    }

    /// One paragraph for each area.
    fn needs(&mut self, needs: &Needs) {
        let mut areas: Vec<(&str, Vec<&Need>)> = Vec::new();
        for need in needs.needs.iter().filter(|need| !needs.no_trace.contains(&need.area)) {
            match areas.last_mut() {
                Some((area, list)) if *area == need.area => list.push(need),
                _ => areas.push((need.area, vec![need])),
            }
        }
        let width = areas.iter().map(|(area, _)| area.chars().count()).max().unwrap_or_default();
        if !areas.is_empty() {
            self.line("  What the signatures read, and how much of it is here:");
        }
        for (area, list) in areas {
            let text = self.area(&list);
            self.wrapped(&format!("    {area:<width$}  "), width + 6, &text);
        }
        if !needs.no_trace.is_empty() {
            self.wrapped("  ", 4, &format!("Not in it at all: {}", needs.no_trace.join(", ")));
        }
    }

    fn area(&self, list: &[&Need]) -> String {
        let mut groups: BTreeMap<Standing, Vec<String>> = BTreeMap::new();
        for need in list {
            let number = if need.seen > 0 && need.kind.is_some() {
                format!(" {}", words::thousands(need.seen))
            } else {
                String::new()
            };
            let detail = match need.detail.as_str() {
                "" => String::new(),
                detail => format!(" ({})", one_line(detail)),
            };
            groups.entry(need.standing).or_default().push(format!("{}{number}{detail}", one_line(&need.what)));
        }
        let parts: Vec<String> = groups
            .into_iter()
            .map(|(standing, names)| {
                let most = self.most(NAMES);
                let more = names.len().saturating_sub(most);
                let mut text = names.into_iter().take(most).collect::<Vec<_>>().join(", ");
                if more > 0 {
                    text.push_str(&format!(" and {more} more"));
                }
                match standing {
                    Standing::NeverAsked => format!("NEVER ASKED: {text}"),
                    Standing::Failed => format!("FAILED: {text}"),
                    standing => format!("{}: {text}", standing.words()),
                }
            })
            .collect();
        parts.join("; ")
    }

    /// What failed, by reason.
    fn failures(&mut self, failed: &[InspectedFailure]) {
        if failed.is_empty() {
            return;
        }
        let mut groups: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
        for row in failed {
            groups.entry((&row.state, &row.reason)).or_default().push(&row.what);
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(_, what)| std::cmp::Reverse(what.len()));
        self.line("\nFailed or cut at collection");
        for ((state, reason), what) in groups.iter().take(self.most(FAILURES)) {
            let names: BTreeSet<String> = what.iter().map(|what| words::short_place(&one_line(what))).collect();
            let most = self.most(3);
            let more = names.len().saturating_sub(most);
            let mut text = names.into_iter().take(most).collect::<Vec<_>>().join("; ");
            if more > 0 {
                text.push_str(&format!(" and {} more", words::thousands(more as u64)));
            }
            self.wrapped("  ", 4, &format!("{state}: {text}: {}", one_line(reason)));
        }
        self.more(groups.len(), FAILURES, "  ");
    }

    fn wanted(&mut self, contexts: &[InspectedContext]) {
        // Where, what and with which note; the signatures it helps and the contexts it is for.
        type Command<'a> = (&'a str, &'a str, Option<&'a str>);
        type Use<'a> = (BTreeSet<&'a str>, BTreeSet<&'a str>);
        let mut commands: BTreeMap<Command<'_>, Use<'_>> = BTreeMap::new();
        for context in contexts {
            for wanted in &context.needs.wanted {
                let key = (wanted.on.as_str(), wanted.command.as_str(), wanted.note.as_deref());
                let entry = commands.entry(key).or_default();
                entry.0.extend(wanted.signatures.iter().map(String::as_str));
                entry.1.insert(&context.name);
            }
        }
        let mut commands: Vec<_> = commands.into_iter().collect();
        commands.sort_by_key(|(_, (signatures, _))| std::cmp::Reverse(signatures.len()));
        if commands.is_empty() {
            return;
        }
        self.line("\nTo collect what is missing, what helps most signatures first");
        for ((on, command, note), (signatures, names)) in commands.iter().take(self.most(COMMANDS)) {
            let of = match contexts.len() > 1 {
                true => format!(" of {}", names.iter().map(|name| one_line(name)).collect::<Vec<_>>().join(", ")),
                false => String::new(),
            };
            let helps = words::count(signatures.len() as u64, "signature", "signatures");
            self.line(&format!("  on {on}{of}, for {helps}:"));
            self.line(&format!("    {}", one_line(command)));
            if let Some(note) = note {
                self.wrapped("    ", 4, &one_line(note));
            }
        }
        self.more(commands.len(), COMMANDS, "  ");
    }

    /// Kinds x namespaces x state.
    fn kinds(&mut self, context: &InspectedContext) {
        let mut kinds: Vec<&InspectedKind> = context.kinds.iter().filter(|kind| !kind.derived).collect();
        if kinds.is_empty() {
            return;
        }
        let number = words::count(kinds.len() as u64, "kind", "kinds");
        self.line(&format!("\nKinds of {} ({number}), with objects and answers", one_line(&context.name)));
        let is_missing = |kind: &InspectedKind| kind.coverage.iter().any(|row| row.state.is_missing());
        // What failed first, then what the bundle is about.
        kinds.sort_by_key(|kind| (!is_missing(kind), std::cmp::Reverse(kind.objects)));
        for kind in kinds.iter().take(self.most(LINES * 2)) {
            let namespaces = kind.namespaces.keys().filter(|name| !name.is_empty()).count() as u64;
            let scope = match namespaces {
                0 => String::new(),
                _ => format!(" in {}", words::count(namespaces, "namespace", "namespaces")),
            };
            let objects = words::thousands(kind.objects);
            let text = format!("{}: {objects}{scope}; {}", one_line(&kind.kind), answers(&kind.coverage));
            self.wrapped("  ", 4, &text);
        }
        self.more(kinds.len(), LINES * 2, "  ");
    }

    fn logs(&mut self, context: &InspectedContext) {
        if context.logs.is_empty() {
            return;
        }
        let number = words::count(context.logs.len() as u64, "log", "logs");
        self.line(&format!("\nLogs of {} ({number}): lines, first and last time, silences", one_line(&context.name)));
        // Those that signatures know first, then the longest.
        let mut logs: Vec<&InspectedLog> = context.logs.iter().collect();
        logs.sort_by_key(|log| (log.row.class.is_none(), std::cmp::Reverse(log.row.lines)));
        for log in logs.iter().take(self.most(LINES)) {
            let class = log.row.class.as_ref().map(|class| format!(" [{class}]")).unwrap_or_default();
            let time = match (&log.row.from, &log.row.to) {
                (Some(from), Some(to)) => {
                    span(&InspectedTime { from: from.clone(), to: to.clone(), gaps: log.gaps.clone() })
                }
                _ => "no times".to_owned(),
            };
            let lines = words::count(log.row.lines, "line", "lines");
            self.wrapped("  ", 4, &format!("{}{class}: {lines}, {time}", one_line(&log.row.stream)));
        }
        self.more(logs.len(), LINES, "  ");
    }

    /// What was not understood, by reason: what was lost first, then what says nothing.
    fn unread(&mut self, unread: &[InspectedUnread]) {
        let mut groups: BTreeMap<(&str, bool), Vec<String>> = BTreeMap::new();
        for row in unread {
            let line = row.line.map(|line| format!(":{line}")).unwrap_or_default();
            let place = words::short_place(&format!("{}{line}", one_line(&row.member)));
            groups.entry((&row.reason, words::is_loss(row.cause))).or_default().push(place);
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|((_, is_loss), places)| (!is_loss, std::cmp::Reverse(places.len())));
        if !groups.is_empty() {
            self.line("\nNot read, not understood, or of no use");
        }
        for ((reason, _), places) in groups.iter().take(self.most(LINES)) {
            let most = self.most(2);
            let rest = places.len().saturating_sub(most) as u64;
            let rest = if rest > 0 { format!(" and {} more", words::thousands(rest)) } else { String::new() };
            let first: Vec<&str> = places.iter().take(most).map(String::as_str).collect();
            self.line(&format!("  {}: {}{rest}", one_line(reason), first.join(", ")));
        }
        self.more(groups.len(), LINES, "  ");
    }

    fn limits(&mut self, limits: &[(String, String, Option<Outside>)]) {
        if limits.is_empty() {
            return;
        }
        self.line("\nLimits reached");
        for (which, text, member) in limits.iter().take(self.most(LINES)) {
            let member = member.as_ref().map(|member| format!(" ({})", one_line(member))).unwrap_or_default();
            self.line(&format!("  {which}: {}{member}", one_line(text)));
        }
        self.more(limits.len(), LINES, "  ");
    }

    /// What is counted and not listed.
    fn beyond(&mut self, more: &BTreeMap<String, u64>) {
        if more.is_empty() {
            return;
        }
        let row = |(list, count): (&String, &u64)| format!("{} {}", words::thousands(*count), list.replace('_', " "));
        let rows: Vec<String> = more.iter().map(row).collect();
        self.line("");
        self.wrapped("", 2, &format!("Counted, not listed: {}", rows.join(", ")));
    }

    fn links(&mut self, bundle: &InspectedBundle) {
        if bundle.links.is_empty() {
            return;
        }
        let links = words::count(bundle.links.len() as u64, "link", "links");
        self.line(&format!("\n{links} of {}, read once under the names of their targets", one_line(&bundle.name)));
        for (name, target) in bundle.links.iter().take(self.most(LINES)) {
            self.line(&format!("  {} -> {}", one_line(name), one_line(target)));
        }
        self.more(bundle.links.len(), LINES, "  ");
    }
}

/// A stretch of time with its silences: `2026-01-02 03:04:05 to 03:40:00 UTC, silent twice, longest 12 minutes from
/// 03:10:00`.
fn span(time: &InspectedTime) -> String {
    let (from, to) = (words::clock(&time.from), words::clock(&time.to));
    let day = |clock: &str| clock.get(..11).map(str::to_owned);
    let to = match day(&from) == day(&to) {
        true => to.get(11..).unwrap_or(&to).to_owned(),
        false => to,
    };
    let length = |gap: &&(String, String)| {
        let (from, to) = (gap.0.parse::<jiff::Timestamp>(), gap.1.parse::<jiff::Timestamp>());
        from.ok().zip(to.ok()).map_or(0, |(from, to)| to.duration_since(from).as_secs())
    };
    let gaps = match time.gaps.iter().rev().max_by_key(length) {
        None => "no gap of 10 minutes".to_owned(),
        Some(gap) => format!(
            "{}, longest {} from {}",
            words::count(time.gaps.len() as u64, "gap", "gaps"),
            words::rough_span(length(&gap)),
            words::clock(&gap.0)
        ),
    };
    format!("{from} to {to} UTC, {gaps}")
}

/// Answers of one kind: those that say the same of several namespaces together.
fn answers(rows: &[InspectedCoverage]) -> String {
    let mut groups: BTreeMap<(StateName, &str), (u64, BTreeSet<&str>)> = BTreeMap::new();
    for row in rows {
        let group = groups.entry((row.state, &row.basis)).or_default();
        group.0 += row.answers;
        group.1.extend(row.namespaces.split(',').filter(|name| !name.is_empty()));
    }
    if groups.is_empty() {
        return "no list of it".to_owned();
    }
    let one = |((state, basis), (_, names)): ((StateName, &str), (u64, BTreeSet<&str>))| {
        let scope = match names.len() {
            _ if names.contains(ALL_NAMESPACES) => "all".to_owned(),
            0 => "no namespace said".to_owned(),
            1..=3 => format!("in {}", names.into_iter().collect::<Vec<_>>().join(", ")),
            many => format!("in {many} namespaces"),
        };
        one_line(&format!("{state} ({basis}) {scope}"))
    };
    groups.into_iter().map(one).collect::<Vec<_>>().join("; ")
}
