//! Layouts: what a collector wrote where, and what that proves.
//!
//! Why: the same empty list proves nothing in a folder that somebody put together by hand, and proves that a
//! namespace has no Pods where a collector is known to write one whole list for each namespace. Collectors
//! also say in files of their own what they could not get; without those, "not collected" would have to be
//! guessed.
//!
//! # How it works
//!
//! 1. While a member streams past, [`hint`] says what its path alone tells: a kind for objects that name
//!    none, a command that the file name spells out, and a reader for the collector's own files. No layout is
//!    known yet, so a hint is only used for what the content lacks.
//! 2. When all names are known, [`recognise::recognise`] finds the layouts: each applies to a subtree, and a
//!    bundle may hold several.
//! 3. [`apply::apply`] goes over the members of each subtree: lists become answers whose scope the layout
//!    states, what the collector's files said becomes coverage, times and versions, and files of no use to a
//!    diagnosis say why.
//!
//! # How to add a layout
//!
//! Write one file with a `pub const LAYOUT: Layout` and add it to [`LAYOUTS`] (earlier ones win at one and
//! the same root). A layout is data: `marks` that recognise it and `rules` that say of a path what it is. The
//! first rule that matches counts. What a rule can be is [`Is`]; patterns are those of [`path`]. Placeholders
//! with a meaning: `{resource}` (plural, with or without its group), `{group}` (`core` is the core group),
//! `{namespace}`, `{name}`, `{pod}`, `{container}`. The rest is a small reader ([`Read`]) for each file that
//! the collector wrote about itself, and [`Layout::finish`] for what only several members tell together. See
//! [`troubleshoot`].
//!
//! Invariants: a layout widens no answer beyond what the collector's source proves; a member that broke off
//! stays partial; names decide, and content only where it says what it is; recognition does not depend on the
//! order of members.

pub mod accounted;
pub mod apply;
mod cluster_info_dump;
pub mod content;
pub mod crashd;
pub mod crust_gather;
pub mod discovery;
pub mod insights;
pub mod must_gather;
mod named_command;
pub mod path;
mod recognise;
pub mod sonobuoy;
pub mod sosreport;
pub mod support_bundle_kit;
pub mod troubleshoot;

use discovery::Served;
use facts::kind::KindName;
use facts::node::Node;
use facts::origin::MemberId;
use facts::record::{Command, Record};
use facts::shortfall::WhyTruncated;
use facts::unread::{NotAsExpected, WhyUnread};
use parse::known::Known;
use parse::member::MemberContent;
use parse::{json, yaml};
use path::Captures;
use std::collections::BTreeMap;

/// All layouts, the more telling ones first: where two are recognised at one root, the first counts.
pub const LAYOUTS: [&Layout; 10] = [
    &troubleshoot::LAYOUT,
    &insights::LAYOUT,
    &must_gather::LAYOUT,
    &crust_gather::LAYOUT,
    &support_bundle_kit::LAYOUT,
    &sonobuoy::LAYOUT_0_8,
    &sonobuoy::LAYOUT,
    &crashd::LAYOUT,
    &sosreport::LAYOUT,
    &cluster_info_dump::LAYOUT,
];

/// One collector's way to lay out its files.
#[derive(Debug)]
pub struct Layout {
    /// Its name in reports.
    pub name: &'static str,
    /// How it is recognised at a root: of each of these groups at least one pattern must match a member.
    pub marks: &'static [&'static [&'static str]],
    /// Patterns of which none may match there: what it could be mistaken for.
    pub unless: &'static [&'static str],
    /// It is what one command printed, and in a folder no more than a part of it: only at the top, or in an
    /// archive of its own, does it give the bundle its name.
    pub is_part: bool,
    /// What the files are, by path below the root. The first that matches counts.
    pub rules: &'static [Rule],
    /// What several members tell together; see [`Subtree`].
    pub finish: fn(&mut Subtree<'_>),
}

/// What the files that match a pattern are.
#[derive(Debug)]
pub struct Rule {
    /// The pattern; see [`path`].
    pub path: &'static str,
    pub is: Is,
}

/// A rule, shortly.
pub const fn rule(path: &'static str, is: Is) -> Rule {
    Rule { path, is }
}

/// What a file is in its layout.
#[derive(Debug, Clone, Copy)]
pub enum Is {
    /// A whole list of one kind: of `{namespace}` if the pattern has that, else of the cluster. The kind is
    /// this one (`plural.group`), or that of `{resource}` and `{group}` if it is empty. An empty list is
    /// `empty` then; a file without bytes is a fetch that failed.
    List(&'static str),
    /// The same, but whole only if it is a `List` of its kind; another form is what somebody asked for by name.
    TypedList(&'static str),
    /// One or several objects of one kind that prove no list. The kind counts where the content has none.
    Objects(&'static str),
    /// Output of a command that the path spells out.
    Command(fn(&Captures) -> Option<Command>),
    /// A file that the collector wrote about itself. The reader takes the place of all other parsers.
    Manifest(Read),
    /// A log. The function says whether the collector cut it, given the number of its lines and bytes.
    Log(fn(lines: u64, bytes: u64) -> Option<WhyTruncated>),
    /// Something that no verdict can rest on, with the reason as `unread` lists it. It is not searched.
    Aside(&'static str),
    /// A text that no signature rests on the form of. It is searched as any other, and the reason stands for it
    /// where nothing in it was understood.
    Text(&'static str),
}

/// Reads a file of the collector's own.
///
/// # Errors
/// What is not as expected, for `unread`; the member is then read as any other.
pub type Read = fn(&Found<'_>, &str) -> Result<Manifest, NotAsExpected>;

/// A member that a rule matched.
#[derive(Debug)]
pub struct Found<'a> {
    pub member: MemberId,
    pub name: &'a str,
    /// What the placeholders stood for.
    pub captures: &'a Captures,
}

/// What a collector says about its collection.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Manifest {
    /// Answers (what was not collected and why) and stamps (when, from which version).
    pub records: Vec<Record>,
    /// Which kinds the API server serves.
    pub served: Served,
    /// The layout that this content belongs to, where names alone do not tell.
    pub mark: Option<&'static str>,
    /// Parts that were not understood: line and reason.
    pub unread: Vec<(u32, WhyUnread)>,
    /// What every list of the collection was narrowed to, beside its namespace: a selector.
    pub selector: Option<String>,
}

/// The members of one recognised layout, for [`Layout::finish`].
#[derive(Debug)]
pub struct Subtree<'a> {
    /// Its root: empty, or a path with `/` at its end.
    pub root: &'a str,
    /// The members below it by path below the root, sorted; those that belong to a layout further down are
    /// not among them.
    pub members: &'a [(String, MemberId)],
    /// What was read of all members of the bundle.
    pub contents: &'a BTreeMap<MemberId, MemberContent>,
    /// Kinds that all manifests together say are served; whole only if every part is there.
    pub served: Served,
    /// Records to add, each to the member it cites.
    pub add: Vec<(MemberId, Record)>,
}

impl Subtree<'_> {
    /// The first member whose path matches one of the patterns.
    pub fn first(&self, patterns: &[&'static str]) -> Option<MemberId> {
        self.members.iter().find(|(path, _)| path::any(patterns, path)).map(|(_, id)| *id)
    }
}

/// Nothing to add.
pub(crate) fn no_finish(_: &mut Subtree<'_>) {}

/// What a path tells by its own shape, before the layout is known.
#[derive(Debug, Default)]
pub struct Hint {
    /// What the parsers may use where the content lacks it.
    pub known: Known,
    /// Readers for a file of the collector's own, by layout, with what its rule matched.
    pub manifests: Vec<(&'static str, Read, Captures)>,
}

/// What a member's name tells by its shape. Only rules that begin with a word of their own are tried: what
/// begins with a placeholder could be anything.
pub fn hint(name: &str) -> Hint {
    let mut hint = Hint::default();
    for start in starts(name) {
        let path = &name[start..];
        let first = path.split('/').next().unwrap_or_default();
        for layout in LAYOUTS {
            let named = layout.rules.iter().filter(|rule| {
                let pattern = beside(rule.path);
                pattern.split('/').next() == Some(first)
            });
            let mut matched = named.filter_map(|rule| Some((rule.is, path::matches(beside(rule.path), path)?)));
            let Some((is, captures)) = matched.next() else { continue };
            match is {
                Is::List(kind) | Is::TypedList(kind) | Is::Objects(kind) => {
                    let kind = kind_of(kind, &captures);
                    let namespace = captures.get("namespace").map(str::to_owned);
                    hint.known.kind = hint.known.kind.or(kind);
                    hint.known.namespace = hint.known.namespace.or(namespace);
                }
                Is::Command(read) => hint.known.command = hint.known.command.or_else(|| read(&captures)),
                Is::Manifest(read) => {
                    // The longest path counts.
                    if !hint.manifests.iter().any(|(other, ..)| *other == layout.name) {
                        hint.manifests.push((layout.name, read, captures));
                    }
                }
                Is::Log(_) | Is::Aside(_) | Is::Text(_) => {}
            }
        }
    }
    let file = name.rsplit('/').next().unwrap_or(name);
    hint.known.command = hint.known.command.or_else(|| named_command::with_options(file));
    hint
}

fn beside(pattern: &'static str) -> &'static str {
    pattern.strip_prefix("../").unwrap_or(pattern)
}

/// The beginnings of all suffixes of a path, the longest first.
fn starts(name: &str) -> impl Iterator<Item = usize> + '_ {
    std::iter::once(0).chain(name.match_indices('/').map(|(at, _)| at + 1))
}

/// The kind of a rule: the one that it names, or that of `{resource}` and `{group}`.
pub fn kind_of(kind: &str, captures: &Captures) -> Option<KindName> {
    if !kind.is_empty() {
        return Some(KindName::parse(kind));
    }
    let resource = KindName::parse(captures.get("resource")?);
    match captures.get("group") {
        None => Some(resource),
        Some("core") => Some(KindName { group: String::new(), ..resource }),
        Some(group) => Some(KindName { group: group.to_ascii_lowercase(), ..resource }),
    }
}

/// A JSON or YAML text as one tree.
///
/// # Errors
/// If it is neither.
pub fn document(text: &str) -> Result<Node, NotAsExpected> {
    if text.trim_start().starts_with(['{', '[']) {
        return json::to_node(text.trim(), 1, NESTING)
            .map_err(|(line, reason)| NotAsExpected::Line(line, reason.into()));
    }
    let mut documents = yaml::chunks(text).into_iter().flat_map(|chunk| yaml::read_chunk(&chunk, NESTING));
    documents.find_map(|document| document.node).ok_or_else(|| "expected JSON or YAML".into())
}

/// Levels of a file of the collector's own at most.
const NESTING: u32 = 64;
