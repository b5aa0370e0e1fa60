//! Gives the members of a bundle the meaning that their layouts state.
//!
//! Invariants: an answer is restated only for the kind and the namespace that its rule names, and only if its
//! content does not contradict them; what was cut stays partial; a member keeps what was read of it unless the
//! layout knows it for a file of the collector's own or for one that no verdict can rest on.

use crate::accounted;
use crate::accounted::Accounted;
use crate::content::BundleContent;
use crate::crashd;
use crate::discovery::Served;
use crate::recognise;
use crate::recognise::Recognised;
use crate::{Found, Hint, Is, Layout, Manifest, Subtree, kind_of, path};
use catalogue::kinds::Catalogue;
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::kind::KindName;
use facts::log::ScannedLog;
use facts::order::Order;
use facts::origin::{Citation, MemberId};
use facts::record::{Parsed, Record, Stamp, Stated};
use facts::shortfall::WhyFailed;
use facts::unread::{NotAsExpected, WhyUnread};
use parse::member::MemberContent;
use parse::transcript;
use std::collections::{BTreeMap, BTreeSet};

/// What the readers made of the collector's own files, by member and layout.
pub type Manifests = BTreeMap<(MemberId, &'static str), Result<Manifest, NotAsExpected>>;

/// The format of a file that a layout's reader understood.
pub const FORMAT: &str = "collection manifest";

/// Reads a file of a collector's own, once for each layout that has such a file.
pub fn read(id: MemberId, name: &str, hint: &Hint, text: &[u8]) -> Manifests {
    let text = String::from_utf8_lossy(text);
    let text = text.trim_start_matches('\u{feff}').trim_end_matches('\0');
    let readers = hint.manifests.iter();
    readers
        .map(|(layout, read, captures)| {
            let found = Found { member: id, name, captures };
            let read = if text.is_empty() { Ok(Manifest::default()) } else { read(&found, text) };
            ((id, *layout), read)
        })
        .collect()
}

/// Recognises the layouts of a bundle, names the bundle after the main one, and applies each to its members.
pub fn apply(bundle: &mut BundleContent, mut manifests: Manifests, catalogue: &Catalogue) {
    // A common root folder is stripped off the names of members, and may be what a layout is known by.
    let top = bundle.intake.root.clone();
    let names: Vec<(String, MemberId)> =
        bundle.intake.members.iter().map(|member| (format!("{top}{}", member.name), member.id)).collect();
    let name_of: BTreeMap<MemberId, &str> = names.iter().map(|(name, id)| (*id, name.as_str())).collect();
    let marks: BTreeSet<(&str, &'static str)> =
        manifests.iter().filter_map(|((id, _), read)| Some((*name_of.get(id)?, read.as_ref().ok()?.mark?))).collect();
    let found = recognise::recognise(names.iter().map(|(name, _)| name.as_str()), &marks);
    bundle.layout = recognise::main(&found, &top, names.iter().map(|(name, _)| name.as_str()))
        .map_or_else(|| without_collector(bundle), str::to_owned);
    let mut trees: Vec<Vec<(String, MemberId)>> = vec![Vec::new(); found.len()];
    for (name, id) in &names {
        if let Some((index, path)) = recognise::tree_of(&found, name) {
            trees[index].push((path, *id));
        }
    }
    for (Recognised { layout, root }, mut members) in found.into_iter().zip(trees) {
        members.sort();
        one(bundle, layout, &root, &members, &mut manifests, catalogue);
    }
    bundle.contents.values_mut().for_each(accounted::explain);
    bundle.accounted = Accounted::of(bundle);
}

/// What a bundle is that no collector laid out: a folder, one file, or one transcript.
fn without_collector(bundle: &BundleContent) -> String {
    let [member] = bundle.intake.members.as_slice() else { return "folder".to_owned() };
    let is_dump = bundle.contents.get(&member.id).is_some_and(|content| !content.framed.is_empty());
    if is_dump {
        return crate::cluster_info_dump::NAME.to_owned();
    }
    // A single file keeps its own name; a member of a folder or an archive has lost the folder's.
    if member.name != bundle.intake.name && !bundle.intake.name.starts_with(&format!("{}.", member.name)) {
        return "folder".to_owned();
    }
    let is_transcript =
        bundle.contents.get(&member.id).is_some_and(|content| content.parsed.format == transcript::FORMAT);
    if is_transcript { "transcript" } else { "file" }.to_owned()
}

/// One layout at its place.
fn one(
    bundle: &mut BundleContent,
    layout: &'static Layout,
    root: &str,
    members: &[(String, MemberId)],
    manifests: &mut Manifests,
    catalogue: &Catalogue,
) {
    let bytes: BTreeMap<MemberId, u64> = bundle.intake.members.iter().map(|m| (m.id, m.bytes)).collect();
    let mut said = Said::default();
    for (path, id) in members {
        let Some(content) = bundle.contents.get_mut(id) else { continue };
        let matched = layout.rules.iter().find_map(|rule| Some((rule, path::matches(rule.path, path)?)));
        let Some((rule, captures)) = matched else { continue };
        if matches!(rule.is, Is::List(_) | Is::TypedList(_) | Is::Objects(_)) {
            collected(content);
        }
        match rule.is {
            Is::List(kind) | Is::TypedList(kind) => {
                let Some(kind) = kind_of(kind, &captures) else { continue };
                let typed = matches!(rule.is, Is::TypedList(_));
                list(content, *id, &kind, captures.get("namespace"), typed, catalogue);
            }
            Is::Objects(_) => named_only(content),
            Is::Command(_) => {}
            Is::Manifest(_) => match manifests.remove(&(*id, layout.name)) {
                Some(Ok(manifest)) => said.add(*id, manifest, content),
                Some(Err(expected)) => content.parsed.unread.push((0, WhyUnread::NotAsExpected(expected))),
                None => {}
            },
            Is::Log(cut) => {
                let lines = content.log.as_ref().map_or(0, ScannedLog::lines);
                if let Some(reason) = cut(lines, bytes.get(id).copied().unwrap_or_default()) {
                    let answer = log_answer(*id, &captures, State::Truncated(reason));
                    content.parsed.records.push(Record::from(answer));
                }
            }
            Is::Aside(reason) => set_aside(content, reason),
            Is::Text(reason) => name_text(content, reason),
        }
    }
    if let (Some(time), Some((_, first))) = (stamp_of_name(bundle, root), members.first()) {
        let citation = Citation::line(*first, 0, &time);
        let stamp = Record::from(Stamp { what: Stated::CollectedAt, text: time, citation });
        if let Some(content) = bundle.contents.get_mut(first) {
            content.parsed.records.push(stamp);
        }
    }
    let Said { served, discovery, selector } = said;
    let mut tree = Subtree { root, members, served, contents: &bundle.contents, add: Vec::new() };
    (layout.finish)(&mut tree);
    let (add, served) = (tree.add, tree.served);
    for (id, record) in add {
        if let Some(content) = bundle.contents.get_mut(&id) {
            content.parsed.records.push(record);
        }
    }
    if let Some(selector) = selector {
        select(bundle, members, &selector);
    }
    date(bundle, members, if layout.name == crashd::LAYOUT.name { crashd::stamp } else { |_| None });
    if let Some(id) = discovery {
        let answers = not_served(&served, id, members, &bundle.contents, catalogue);
        if let Some(content) = bundle.contents.get_mut(&id) {
            content.parsed.records.extend(answers.into_iter().map(Record::from));
        }
    }
}

/// What the collector's own files state about the whole of what it wrote.
#[derive(Default)]
struct Said {
    served: Served,
    /// The first file with discovery.
    discovery: Option<MemberId>,
    /// What all lists were narrowed to.
    selector: Option<String>,
}

impl Said {
    /// Takes in a file. Answers that the layout knows itself replace those that the parsers read in it.
    fn add(&mut self, id: MemberId, manifest: Manifest, content: &mut MemberContent) {
        if manifest.served != Served::default() {
            self.discovery.get_or_insert(id);
        }
        self.served.add(manifest.served);
        self.selector = self.selector.take().or(manifest.selector);
        content.parsed = Parsed {
            records: manifest.records,
            unread: manifest.unread,
            format: FORMAT,
            redactions: content.parsed.redactions,
        };
        content.log = None;
    }
}

/// A file that no verdict can rest on gives nothing, for this reason.
fn set_aside(content: &mut MemberContent, reason: &'static str) {
    if !content.empty {
        content.parsed.records.clear();
        content.parsed.unread = vec![(0, WhyUnread::Aside(reason))];
        content.log = None;
    }
}

/// A text of which nothing was understood gives nothing for this reason.
fn name_text(content: &mut MemberContent, reason: &'static str) {
    if !content.empty && !accounted::understood(content) && content.cut.is_none() {
        content.parsed.unread = vec![(0, WhyUnread::Aside(reason))];
    }
}

/// What a collector read from the API server is no manifest, whatever it left out of it.
fn collected(content: &mut MemberContent) {
    for record in &mut content.parsed.records {
        if let Record::Object(object) = record
            && object.shown.is_manifest()
        {
            object.shown = object.shown.text().clone();
        }
    }
}

/// A file that holds what somebody picked proves no list, whatever form it has.
fn named_only(content: &mut MemberContent) {
    for record in &mut content.parsed.records {
        if let Record::Answer(answer) = record
            && answer.basis.is_listed()
        {
            answer.basis = Basis::Named;
        }
    }
}

/// Narrows every list to the selector that the collector was given.
fn select(bundle: &mut BundleContent, members: &[(String, MemberId)], selector: &str) {
    for (_, id) in members {
        let Some(content) = bundle.contents.get_mut(id) else { continue };
        for record in &mut content.parsed.records {
            if let Record::Answer(answer) = record
                && matches!(answer.state, State::Complete | State::Empty)
            {
                answer.selector.get_or_insert_with(|| selector.to_owned());
            }
        }
    }
}

/// Gives all that a collector wrote the time at which it began, unless the name of the file has its own.
fn date(bundle: &mut BundleContent, members: &[(String, MemberId)], time_in: fn(&str) -> Option<String>) {
    let stamps = members.iter().filter_map(|(_, id)| bundle.contents.get(id)).flat_map(|c| &c.parsed.records);
    let mut stamps = stamps.filter_map(|record| match record {
        Record::Stamp(stamp) if stamp.what == Stated::CollectedAt => Some(stamp.text.clone()),
        _ => None,
    });
    let began = stamps.next();
    for (path, id) in members {
        if let Some(content) = bundle.contents.get_mut(id) {
            content.collected = time_in(path).or_else(|| began.clone());
        }
    }
}

/// A list whose scope the layout states.
fn list(
    content: &mut MemberContent,
    member: MemberId,
    kind: &KindName,
    namespace: Option<&str>,
    typed: bool,
    catalogue: &Catalogue,
) {
    let scope = || match namespace {
        Some(namespace) => Namespaces::Some(vec![namespace.to_owned()]),
        None => Namespaces::All,
    };
    let answer = |state, line, excerpt: &str| {
        Record::from(Answer {
            kind: kind.clone(),
            namespaces: scope(),
            names: None,
            selector: None,
            state,
            basis: Basis::Stated,
            order: Order::default(),
            citation: Citation::line(member, line, excerpt),
        })
    };
    if content.empty {
        content.parsed.records.push(answer(State::Error(WhyFailed::NoBytes), 0, "a file of zero bytes"));
        return;
    }
    let same =
        |other: &KindName| other.plural == kind.plural || catalogue.canonical(other) == catalogue.canonical(kind);
    for record in &mut content.parsed.records {
        let Record::Answer(found) = record else { continue };
        // Only a list has a path: that of its items, which in a bare array is empty.
        let is_bare = found.citation.path.is_empty();
        let fits = match (&found.namespaces, namespace) {
            (Namespaces::Some(some), Some(namespace)) => some.iter().all(|other| other == namespace),
            (Namespaces::All, Some(_)) => false,
            (_, None) => true,
        };
        if found.basis.is_listed() && same(&found.kind) && fits && !(typed && is_bare) {
            found.namespaces = scope();
            found.basis = Basis::Stated;
        }
    }
    let mut empty = Vec::new();
    content.parsed.unread.retain(|(line, why)| {
        let is_empty_list = *why == WhyUnread::EmptyList && !typed;
        if is_empty_list {
            empty.push(answer(State::Empty, *line, "an empty list"));
        }
        !is_empty_list
    });
    content.parsed.records.append(&mut empty);
}

/// Coverage of the log of one container; the kind is the subresource that logs are.
pub(crate) fn log_answer(member: MemberId, captures: &path::Captures, state: State) -> Answer {
    let get = |word: &str| captures.get(word).map(str::to_owned);
    let names = match (get("pod"), get("container")) {
        (Some(pod), Some(container)) => Some(vec![format!("{pod}/{container}")]),
        (pod, _) => pod.map(|pod| vec![pod]),
    };
    let excerpt = state.detail().unwrap_or_else(|| state.word().to_owned());
    Answer {
        kind: KindName { plural: "pods/log".to_owned(), group: String::new() },
        namespaces: Namespaces::Some(get("namespace").into_iter().collect()),
        names,
        selector: None,
        state,
        basis: Basis::Stated,
        order: Order::default(),
        citation: Citation::line(member, 0, &excerpt),
    }
}

/// The kinds of the catalogue that the API server surely does not serve, and of which nothing was seen.
fn not_served(
    served: &Served,
    member: MemberId,
    members: &[(String, MemberId)],
    contents: &BTreeMap<MemberId, MemberContent>,
    catalogue: &Catalogue,
) -> Vec<Answer> {
    let mut seen: BTreeSet<KindName> = BTreeSet::new();
    for content in members.iter().filter_map(|(_, id)| contents.get(id)) {
        let objects = content.parsed.records.iter().filter_map(|record| match record {
            Record::Object(object) => object.kind.as_ref(),
            _ => None,
        });
        seen.extend(objects.map(|kind| catalogue.canonical(kind)));
    }
    let lacks = |kind: &&catalogue::kinds::Kind| {
        let groups = std::iter::once(&kind.name.group).chain(&kind.also);
        kind.name.group != "casefile.dev"
            && !seen.contains(&kind.name)
            && groups.into_iter().all(|group| served.lacks(&KindName { group: group.clone(), ..kind.name.clone() }))
    };
    let excerpt = "not among the kinds that the API server serves";
    let answer = |kind: &catalogue::kinds::Kind| Answer {
        kind: kind.name.clone(),
        namespaces: Namespaces::All,
        names: None,
        selector: None,
        state: State::NoSuchKind,
        basis: Basis::Stated,
        order: Order::default(),
        citation: Citation::line(member, 0, excerpt),
    };
    catalogue.kinds().filter(lacks).map(answer).collect()
}

/// The time of collection in the name of the layout's root, the common root folder or the bundle, as
/// RFC 3339, without a zone where the name has none: `support-bundle-2026-08-21T10_11_12`,
/// `supportbundle_x_2026-04-28T10-11-12Z.zip`.
fn stamp_of_name(bundle: &BundleContent, root: &str) -> Option<String> {
    root.split('/').rev().chain([bundle.intake.name.as_str()]).find_map(stamp_in)
}

/// Shapes of times in names, `d` for a digit and `_` for what stands between hours, minutes and seconds.
const STAMPS: [&str; 2] = ["dddd-dd-ddTdd_dd_dd", "dddd-dd-dd-dddddd"];

fn stamp_in(name: &str) -> Option<String> {
    (0..name.len()).find_map(|start| STAMPS.into_iter().find_map(|shape| stamp_at(name, start, shape)))
}

fn stamp_at(name: &str, start: usize, shape: &str) -> Option<String> {
    let end = start + shape.len();
    let text = name.get(start..end)?;
    let fits = text.bytes().zip(shape.bytes()).all(|(byte, shape)| match shape {
        b'd' => byte.is_ascii_digit(),
        b'_' => matches!(byte, b'_' | b'-' | b':'),
        other => byte == other,
    });
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    if !fits || name[end..].starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (date, time) = digits.split_at(8);
    let stamp = format!("{}-{}-{}T{}:{}:{}", &date[..4], &date[4..6], &date[6..], &time[..2], &time[2..4], &time[4..]);
    stamp.parse::<jiff::civil::DateTime>().ok()?;
    let zone = if name[end..].starts_with('Z') { "Z" } else { "" };
    Some(stamp + zone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_names() {
        assert_eq!(stamp_in("support-bundle-2026-08-21T10_11_12").as_deref(), Some("2026-08-21T10:11:12"));
        assert_eq!(stamp_in("supportbundle_ab_2026-04-28T10-11-12Z.zip").as_deref(), Some("2026-04-28T10:11:12Z"));
        assert_eq!(stamp_in("insights-2026-08-21-101112.tar.gz").as_deref(), Some("2026-08-21T10:11:12"));
        assert_eq!(stamp_in("x-2026-13-28T10-11-12Z"), None);
        assert_eq!(stamp_in("support-bundle"), None);
    }
}
