//! What is in a bundle, before anybody judges it: contexts, kinds with their coverage, logs, and what was
//! not understood.
//!
//! Invariants: a pure function of bundles and facts; every list is sorted; what was not understood is
//! listed with its reason and never dropped; no character of the bundle reaches a terminal as a control
//! character.

use super::visible::one_line;
use super::words;
use crate::facts::build::BundleContent;
use crate::facts::coverage::{Answer, Namespaces};
use crate::facts::kind::KindName;
use crate::facts::origin::MemberId;
use crate::facts::store::{Facts, Stream};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What is in the bundles of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Inspection {
    /// The bundles, as given.
    pub bundles: Vec<InspectedBundle>,
    /// The clusters found.
    pub contexts: Vec<InspectedContext>,
    /// Members and parts of members that were not read or not understood, with the reason.
    pub unread: Vec<InspectedUnread>,
    /// Limits that were reached: which, what was cut, and the member if one.
    pub limits_hit: Vec<(String, String, Option<String>)>,
    /// How many secret values were masked.
    pub redactions: u64,
}

/// One bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InspectedBundle {
    /// Its name.
    pub name: String,
    /// The layout that was recognised.
    pub layout: String,
    /// Number of members.
    pub members: u64,
    /// Other names of members, sorted: the name of the link, and that of the member.
    pub links: Vec<(String, String)>,
    /// Bytes of all members.
    pub bytes: u64,
    /// Number of members by format.
    pub formats: BTreeMap<String, u64>,
    /// What became of the members, in words.
    pub accounted: String,
    /// Damage that was worked around.
    pub damage: Vec<String>,
}

/// One cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InspectedContext {
    /// Its name.
    pub name: String,
    /// Index of its bundle.
    pub bundle: usize,
    /// Its roles.
    pub roles: Vec<String>,
    /// Its own "now" (RFC 3339) and where that was taken from.
    pub as_of: Option<(String, String)>,
    /// Products recognised in it.
    pub products: Vec<String>,
    /// Versions that it states: name and version.
    pub versions: Vec<(String, String)>,
    /// Kinds, sorted.
    pub kinds: Vec<InspectedKind>,
    /// Log streams, sorted.
    pub logs: Vec<InspectedLog>,
}

/// One kind in one context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InspectedKind {
    /// `plural.group`.
    pub kind: String,
    /// Objects seen.
    pub objects: u64,
    /// Objects by namespace; the empty one stands for none.
    pub namespaces: BTreeMap<String, u64>,
    /// What was answered about it.
    pub coverage: Vec<InspectedCoverage>,
}

/// Answers of one kind that say the same of the same scope.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct InspectedCoverage {
    /// `*`, or names joined by commas.
    pub namespaces: String,
    /// The state's word.
    pub state: String,
    /// The basis's word.
    pub basis: String,
    /// How many answers.
    pub answers: u64,
    /// The member of the first of them.
    pub member: String,
}

/// One log stream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InspectedLog {
    /// Its name.
    pub stream: String,
    /// Its class, if known.
    pub class: Option<String>,
    /// Its members.
    pub members: Vec<String>,
    /// Lines.
    pub lines: u64,
    /// First time (RFC 3339).
    pub from: Option<String>,
    /// Last time.
    pub to: Option<String>,
    /// Formats with their number of lines.
    pub formats: BTreeMap<String, u64>,
}

/// Something that was not read or not understood.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct InspectedUnread {
    /// The member.
    pub member: String,
    /// The line where it begins; null for the member as a whole.
    pub line: Option<u32>,
    /// Why.
    pub reason: String,
}

/// Why a member without bytes is listed.
const EMPTY: &str = "it is empty";

/// Looks at bundles and their facts.
pub fn inspect(bundles: &[BundleContent], facts: &Facts) -> Inspection {
    let mut limits_hit: Vec<_> = bundles.iter().flat_map(limits).collect();
    limits_hit.sort();
    let mut unread: Vec<_> = bundles.iter().flat_map(unread).collect();
    unread.sort();
    Inspection {
        bundles: bundles.iter().map(bundle).collect(),
        contexts: facts.context_ids().map(|id| context(facts, id)).collect(),
        unread,
        limits_hit,
        redactions: facts.redactions,
    }
}

fn bundle(bundle: &BundleContent) -> InspectedBundle {
    let mut formats: BTreeMap<String, u64> = BTreeMap::new();
    for content in bundle.contents.values() {
        let format = match (&content.log, content.parsed.format) {
            _ if content.empty => "empty",
            (_, format) if !format.is_empty() => format,
            (Some(_), _) => "log",
            (None, _) => "not understood",
        };
        *formats.entry(format.to_owned()).or_default() += 1;
    }
    InspectedBundle {
        name: bundle.intake.name.clone(),
        layout: bundle.layout.clone(),
        members: bundle.intake.members.len() as u64,
        links: bundle.intake.links.iter().map(|link| (link.name.clone(), link.target.clone())).collect(),
        bytes: bundle.intake.members.iter().map(|member| member.bytes).sum(),
        formats,
        accounted: bundle.accounted.to_string(),
        damage: bundle.intake.damage.clone(),
    }
}

fn names(bundle: &BundleContent) -> BTreeMap<MemberId, &str> {
    bundle.intake.members.iter().map(|member| (member.id, member.name.as_str())).collect()
}

fn limits(bundle: &BundleContent) -> Vec<(String, String, Option<String>)> {
    let names = names(bundle);
    let inside = bundle.contents.iter().flat_map(|(id, content)| {
        let name = names.get(id).map(|name| (*name).to_owned());
        content.limits_hit.iter().map(move |(which, text)| (which.clone(), text.clone(), name.clone()))
    });
    bundle.intake.limits_hit.iter().cloned().chain(inside).collect()
}

fn unread(bundle: &BundleContent) -> Vec<InspectedUnread> {
    let whole = |member: &str, reason: &str| InspectedUnread {
        member: member.to_owned(),
        line: None,
        reason: reason.to_owned(),
    };
    let mut list: Vec<_> = bundle.intake.unread.iter().map(|(name, reason)| whole(name, reason)).collect();
    for member in &bundle.intake.members {
        if let Some(reason) = &member.cut {
            list.push(whole(&member.name, &format!("read only in part: {reason}")));
        }
        let Some(content) = bundle.contents.get(&member.id) else { continue };
        for (line, reason) in &content.parsed.unread {
            let line = (*line > 0).then_some(*line);
            list.push(InspectedUnread { member: member.name.clone(), line, reason: reason.clone() });
        }
        if content.empty {
            list.push(whole(&member.name, EMPTY));
        }
    }
    list
}

fn context(facts: &Facts, id: crate::facts::object::ContextId) -> InspectedContext {
    let context = facts.context(id);
    let as_of = context.as_of.as_ref();
    let streams = facts.streams.iter().filter(|stream| stream.context == id);
    InspectedContext {
        name: context.name.clone(),
        bundle: context.bundle,
        roles: context.roles.clone(),
        as_of: as_of.map(|as_of| (as_of.time.to_string(), as_of.source.clone())),
        products: context.products.clone(),
        versions: context.versions.clone(),
        kinds: kinds(facts, id),
        logs: streams.map(|stream| log(facts, stream, as_of.map(|as_of| as_of.time))).collect(),
    }
}

fn kinds(facts: &Facts, id: crate::facts::object::ContextId) -> Vec<InspectedKind> {
    let mut answers: BTreeMap<&KindName, Vec<&Answer>> = BTreeMap::new();
    for coverage in facts.coverage.iter().filter(|coverage| coverage.context == id) {
        answers.entry(&coverage.answer.kind).or_default().push(&coverage.answer);
    }
    let mut names: BTreeSet<&KindName> = answers.keys().copied().collect();
    names.extend(facts.by_kind.keys().filter(|(context, _)| *context == id).map(|(_, kind)| kind));
    names.extend(facts.counted.keys().filter(|(context, _)| *context == id).map(|(_, kind)| kind));
    let kind = |kind: &KindName| {
        let objects: Vec<_> = facts.of_kind(id, kind).iter().map(|id| facts.object(*id)).collect();
        let mut namespaces: BTreeMap<String, u64> = BTreeMap::new();
        for object in &objects {
            *namespaces.entry(object.namespace.clone().unwrap_or_default()).or_default() += 1;
        }
        let counted = facts.counted.get(&(id, kind.clone())).copied().unwrap_or_default();
        InspectedKind {
            kind: kind.to_string(),
            objects: (objects.len() as u64).max(counted),
            namespaces,
            coverage: coverage(facts, answers.get(kind).map_or(&[], Vec::as_slice)),
        }
    };
    names.into_iter().map(kind).collect()
}

fn coverage(facts: &Facts, answers: &[&Answer]) -> Vec<InspectedCoverage> {
    let mut rows: BTreeMap<(String, &str, &str), (u64, String)> = BTreeMap::new();
    for answer in answers {
        let namespaces = match &answer.namespaces {
            Namespaces::All => "*".to_owned(),
            Namespaces::Some(names) => names.join(","),
        };
        let key = (namespaces, answer.state.word(), answer.basis.word());
        let member = facts.members.get(&answer.citation.member).cloned().unwrap_or_default();
        let row = rows.entry(key).or_insert_with(|| (0, member.clone()));
        row.0 += 1;
        row.1 = row.1.clone().min(member);
    }
    rows.into_iter()
        .map(|((namespaces, state, basis), (answers, member))| InspectedCoverage {
            namespaces,
            state: state.to_owned(),
            basis: basis.to_owned(),
            answers,
            member,
        })
        .collect()
}

fn log(facts: &Facts, stream: &Stream, as_of: Option<jiff::Timestamp>) -> InspectedLog {
    let tallies = || stream.parts.iter().map(|(_, log)| &log.tally);
    let times: Vec<_> = tallies()
        .flat_map(|tally| [tally.first, tally.last])
        .flatten()
        .filter_map(|time| time.resolve(as_of))
        .collect();
    let mut formats: BTreeMap<String, u64> = BTreeMap::new();
    for (format, lines) in tallies().flat_map(|tally| &tally.formats) {
        *formats.entry((*format).to_owned()).or_default() += lines;
    }
    InspectedLog {
        stream: stream.name.clone(),
        class: stream.class.clone(),
        members: stream.parts.iter().filter_map(|(member, _)| facts.members.get(member).cloned()).collect(),
        lines: tallies().map(|tally| tally.lines).sum(),
        from: times.iter().min().map(ToString::to_string),
        to: times.iter().max().map(ToString::to_string),
        formats,
    }
}

/// The text for people.
pub fn text(inspection: &Inspection) -> String {
    let mut out = String::new();
    // Writing into a String cannot fail.
    for bundle in &inspection.bundles {
        let formats: Vec<_> = bundle.formats.iter().map(|(name, number)| format!("{number} {name}")).collect();
        let members = words::count(bundle.members, "member", "members");
        let size = words::bytes(bundle.bytes);
        let _ = writeln!(out, "{}: {members}, {size}, layout {}", one_line(&bundle.name), bundle.layout);
        let _ = writeln!(out, "  formats: {}", formats.join(", "));
        let _ = writeln!(out, "  members: {}", bundle.accounted);
        for damage in &bundle.damage {
            let _ = writeln!(out, "  damaged: {}", one_line(damage));
        }
        if !bundle.links.is_empty() {
            let links = words::count(bundle.links.len() as u64, "link", "links");
            let _ = writeln!(out, "  {links}, read once under their targets' names");
            for (name, target) in bundle.links.iter().take(LINES) {
                let _ = writeln!(out, "    {} -> {}", one_line(name), one_line(target));
            }
            more(&mut out, bundle.links.len(), "  ");
        }
    }
    for context in &inspection.contexts {
        context_text(&mut out, context);
    }
    unread_text(&mut out, &inspection.unread);
    if !inspection.limits_hit.is_empty() {
        let _ = writeln!(out, "\nLimits reached");
        for (which, text, member) in inspection.limits_hit.iter().take(LINES) {
            let member = member.as_ref().map(|member| format!(" ({})", one_line(member))).unwrap_or_default();
            let _ = writeln!(out, "  {which}: {}{member}", one_line(text));
        }
        more(&mut out, inspection.limits_hit.len(), "");
    }
    if inspection.redactions > 0 {
        let _ =
            writeln!(out, "\n{} masked", words::count(inspection.redactions, "secret value was", "secret values were"));
    }
    out
}

/// Lines of each list.
const LINES: usize = 12;
/// Kinds up to which each has a line of its own.
const KINDS: usize = 24;

/// Says how many lines a cut list is short of.
fn more(out: &mut String, length: usize, indent: &str) {
    if length > LINES {
        let _ = writeln!(
            out,
            "{indent}  and {} more; `--format json` lists all",
            words::thousands((length - LINES) as u64)
        );
    }
}

/// What was not understood, by reason: what was lost first, then lists that say nothing.
fn unread_text(out: &mut String, unread: &[InspectedUnread]) {
    let mut groups: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in unread {
        let line = row.line.map(|line| format!(":{line}")).unwrap_or_default();
        groups.entry(&row.reason).or_default().push(words::short_place(&format!("{}{line}", one_line(&row.member))));
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(reason, places)| {
        (words::is_empty_list(reason) || *reason == EMPTY, std::cmp::Reverse(places.len()))
    });
    if !groups.is_empty() {
        let _ = writeln!(out, "\nNot read or not understood");
    }
    for (reason, places) in groups.iter().take(LINES) {
        let rest = places.len().saturating_sub(2) as u64;
        let rest = if rest > 0 { format!(" and {} more", words::thousands(rest)) } else { String::new() };
        let first: Vec<&str> = places.iter().take(2).map(String::as_str).collect();
        let _ = writeln!(out, "  {}: {}{rest}", one_line(reason), first.join(", "));
    }
    more(out, groups.len(), "");
}

/// Kinds in groups by what can be told of them, for contexts with too many to list each.
fn kinds_text(out: &mut String, kinds: &[InspectedKind]) {
    let whole = |kind: &&InspectedKind| {
        kind.coverage.iter().any(|row| matches!(row.state.as_str(), "complete" | "empty") && row.namespaces == "*")
    };
    let missing = |kind: &&InspectedKind| !whole(kind) && kind.coverage.iter().any(|row| words::is_missing(&row.state));
    let groups: [(&str, Vec<&InspectedKind>); 3] = [
        ("Not whole, so what is not there cannot be told", kinds.iter().filter(missing).collect()),
        ("Listed whole, so that an absence can be told", kinds.iter().filter(whole).collect()),
        (
            "Seen in part or without a list, so what is not there cannot be told",
            kinds.iter().filter(|kind| !whole(kind) && !missing(kind)).collect(),
        ),
    ];
    for (title, mut group) in groups {
        if group.is_empty() {
            continue;
        }
        // Those with the most objects are what the bundle is about.
        group.sort_by_key(|kind| std::cmp::Reverse(kind.objects));
        let shown: Vec<String> = group
            .iter()
            .take(LINES)
            .map(|kind| format!("{} {}", one_line(&kind.kind), words::thousands(kind.objects)))
            .collect();
        let _ = writeln!(out, "  {title} ({}, with their objects)", words::count(group.len() as u64, "kind", "kinds"));
        for line in shown.chunks(2) {
            let _ = writeln!(out, "    {}", line.join(", "));
        }
        more(out, group.len(), "  ");
    }
}

fn context_text(out: &mut String, context: &InspectedContext) {
    let roles = if context.roles.is_empty() { "role unknown".to_owned() } else { context.roles.join("+") };
    let _ = writeln!(out, "\nContext {} ({roles})", one_line(&context.name));
    match &context.as_of {
        Some((time, source)) => {
            let _ = writeln!(out, "  as of {} UTC, from {}", words::clock(time), one_line(source));
        }
        None => {
            let _ = writeln!(out, "  as of: unknown, nothing in it states a time; `--as-of TIME` sets it");
        }
    }
    if !context.products.is_empty() {
        let _ = writeln!(out, "  products: {}", context.products.join(", "));
    }
    for (name, version) in &context.versions {
        let _ = writeln!(out, "  {}: {}", one_line(name), one_line(version));
    }
    let width = context.kinds.iter().map(|kind| kind.kind.chars().count()).max().unwrap_or_default();
    if context.kinds.len() > KINDS {
        kinds_text(out, &context.kinds);
    } else if !context.kinds.is_empty() {
        let _ = writeln!(out, "  Kinds, with the number of objects and how whole the answer is");
        for kind in &context.kinds {
            let rows: Vec<_> = kind.coverage.iter().take(3).map(coverage_text).collect();
            let rest = kind.coverage.len().saturating_sub(3);
            let rest = if rest > 0 { format!("; and {rest} more answers") } else { String::new() };
            let rows = if rows.is_empty() { "no list of it".to_owned() } else { rows.join("; ") };
            let _ =
                writeln!(out, "    {:<width$}  {:>6}  {}{rest}", one_line(&kind.kind), kind.objects, one_line(&rows));
        }
    }
    if !context.logs.is_empty() {
        let lines = context.logs.iter().map(|log| log.lines).sum();
        let streams = words::count(context.logs.len() as u64, "log", "logs");
        let _ = writeln!(out, "  Logs ({streams}, {})", words::count(lines, "line", "lines"));
    }
    // Those that signatures know first, then the longest.
    let mut logs: Vec<&InspectedLog> = context.logs.iter().collect();
    logs.sort_by_key(|log| (log.class.is_none(), std::cmp::Reverse(log.lines)));
    for log in logs.iter().take(LINES) {
        let class = log.class.as_ref().map(|class| format!(" [{class}]")).unwrap_or_default();
        let span = match (&log.from, &log.to) {
            (Some(from), Some(to)) => format!("{} to {} UTC", words::clock(from), words::clock(to)),
            _ => "no times".to_owned(),
        };
        let formats: Vec<_> = log.formats.keys().cloned().collect();
        let lines = words::count(log.lines, "line", "lines");
        let _ = writeln!(out, "    {}{class}: {lines}, {span}, {}", one_line(&log.stream), formats.join(", "));
    }
    more(out, logs.len(), "  ");
}

fn coverage_text(row: &InspectedCoverage) -> String {
    let scope = match row.namespaces.as_str() {
        "*" => "all namespaces".to_owned(),
        names => format!("in {names}"),
    };
    let times = if row.answers > 1 { format!(", {} times", row.answers) } else { String::new() };
    format!("{} ({}, {scope}{times})", row.state, row.basis)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intake::{Intake, Member};
    use crate::parse::member::MemberContent;

    #[test]
    fn what_was_not_understood_is_listed_with_its_reason() {
        let member = Member {
            id: MemberId(0),
            name: "a\u{1b}[31m.bin".to_owned(),
            bytes: 2048,
            sha256: [0; 32],
            cut: Some("the compressed data ends early".to_owned()),
        };
        let mut content = MemberContent::default();
        content.parsed.unread.push((3, "expected a mapping".to_owned()));
        let bundle = BundleContent {
            accounted: crate::layout::accounted::Accounted::default(),
            intake: Intake {
                name: "b.tar".to_owned(),
                members: vec![member],
                unread: vec![("link".to_owned(), "symbolic link to `/etc/passwd`".to_owned())],
                ..Intake::default()
            },
            contents: BTreeMap::from([(MemberId(0), content)]),
            layout: "folder".to_owned(),
            context: None,
        };
        let text = text(&inspect(&[bundle], &Facts::default()));
        assert!(!text.contains('\u{1b}'), "{text}");
        assert!(text.contains("not understood"), "{text}");
        assert!(text.contains("symbolic link to `/etc/passwd`: link\n"), "{text}");
        assert!(text.contains("expected a mapping: a⟨U+001B⟩[31m.bin:3\n"), "{text}");
        assert!(text.contains("read only in part: the compressed data ends early"), "{text}");
    }
}
