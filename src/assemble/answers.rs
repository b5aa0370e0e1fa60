//! Takes in what a command answered: which kinds it speaks of, and what a whole listing of served kinds says of
//! all others.
//!
//! Invariant: no answer is widened; one of a member that broke off is partial.

use crate::assembly::{Builder, ContextKey};
use crate::file_name;
use catalogue::words;
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::cut::Cut;
use facts::kind::KindName;
use facts::object::ContextId;
use facts::order::Order;
use facts::origin::{MemberId, MemberName};
use facts::record::Served;
use facts::shortfall::WhyPartial;
use facts::store::Coverage;
use facts::unread::WhyUnread;
use parse::transcript;
use std::collections::{BTreeMap, BTreeSet};

impl Builder<'_> {
    pub(crate) fn answer(&mut self, key: &ContextKey, mut answer: Answer, cut: Option<&Cut>) {
        if let (Some(cut), State::Complete | State::Empty) = (cut, &answer.state) {
            answer.state = State::Partial(WhyPartial::Cut(Box::new(cut.clone())));
        }
        if let Some(word) = self.left_out_by_name(&answer) {
            answer.state = State::Partial(WhyPartial::NameOfFile(word.into()));
        }
        let typed = answer.kind.to_string();
        let exact = self.catalogue.kind(&answer.kind).map(|k| k.name.clone());
        let kinds: Vec<KindName> = match (exact, &answer.state) {
            // A subresource (`pods/log`) is no kind of the catalogue, and no word that anybody types.
            (None, _) if answer.kind.plural.contains('/') => vec![answer.kind.clone()],
            (Some(kind), _) if !kind.group.is_empty() || answer.state != State::NoSuchKind => vec![kind],
            (_, State::NoSuchKind) => {
                let word = answer.kind.plural.clone();
                let full = |k: &&catalogue::kinds::Kind| k.name.plural == word || k.kind.eq_ignore_ascii_case(&word);
                let kinds = self.catalogue.meanings(&typed).into_iter().filter(full).map(|k| k.name.clone());
                let kinds: Vec<KindName> = kinds.collect();
                // kubectl prints the plural alone, whatever group it was asked for.
                let is_bare = answer.kind.group.is_empty();
                if is_bare && (kinds.len() > 1 || words::is_ambiguous(&word)) { Vec::new() } else { kinds }
            }
            _ => self.catalogue.typed(&typed).into_iter().collect(),
        };
        let kinds = if kinds.is_empty() && !answer.kind.group.is_empty() { vec![answer.kind.clone()] } else { kinds };
        if kinds.is_empty() {
            let why = WhyUnread::ManyMeanings(typed.clone().into());
            self.facts.unread.push((answer.citation.member, answer.citation.line, why));
        }
        for kind in kinds {
            let mut answer = answer.clone();
            if self.catalogue.cluster_scoped(&kind) == Some(true) {
                answer.namespaces = Namespaces::All;
            }
            answer.kind = kind;
            self.gathered.entry(key.clone()).or_default().answers.push(answer);
        }
    }

    /// The word in the name of a list's file by which it may not be whole. Names of sessions say nothing of what is in
    /// them.
    fn left_out_by_name(&self, answer: &Answer) -> Option<String> {
        let whole = matches!(answer.state, State::Complete | State::Empty);
        let member = answer.citation.member;
        let in_session = self.contents.get(&member).is_some_and(|content| content.parsed.format == transcript::FORMAT);
        if !answer.basis.is_listed() || !whole || in_session || answer.kind.group == "casefile.dev" {
            return None;
        }
        file_name::narrowed(self.facts.members.get(&member)?.inside(), self.catalogue, &self.names)
    }

    /// A whole listing of what an API server serves says of every other kind that there is none.
    ///
    /// A listing that stands alone in a file only supports that: kubectl prints the errors of groups that
    /// did not answer elsewhere.
    pub(crate) fn served(&mut self, key: &ContextKey, served: &Served) {
        let holds = |kind: KindName| match &served.groups {
            Some(groups) => groups.contains(&kind.group),
            None => self.is_served(served, &kind),
        };
        // One that lacks what every server has was cut or filtered.
        if !served.is_whole || !words::served_everywhere().all(holds) {
            return;
        }
        // Without its command the end of a listing may be cut off: it is sorted by group, then by plural.
        let sorted = |kind: &KindName| (kind.group.clone(), kind.plural.clone());
        let last = served.kinds.iter().map(sorted).max().filter(|_| !served.stated);
        let known = self.catalogue.kinds().map(|kind| &kind.name).chain(&self.options.wanted);
        let missing: BTreeSet<KindName> = known
            .filter(|kind| kind.group != "casefile.dev" && !self.is_served(served, kind))
            .filter(|kind| last.as_ref().is_none_or(|last| sorted(kind) < *last))
            .cloned()
            .collect();
        let answers = missing.into_iter().map(|kind| Answer {
            kind,
            namespaces: Namespaces::All,
            names: None,
            selector: None,
            state: State::NoSuchKind,
            basis: if served.stated { Basis::Stated } else { Basis::Listed },
            order: Order::default(),
            citation: served.citation.clone(),
        });
        self.gathered.entry(key.clone()).or_default().answers.extend(answers);
    }

    /// Is a kind in the listing, in its own group or in another one that serves the same objects?
    fn is_served(&self, served: &Served, kind: &KindName) -> bool {
        let also = self.catalogue.kind(kind).map_or(&[][..], |known| &known.also);
        let in_group = |group: &String| served.holds(&KindName { plural: kind.plural.clone(), group: group.clone() });
        served.holds(kind) || also.iter().any(in_group)
    }
}

/// What coverage is sorted by.
type SortKey<'a> = (
    ContextId,
    &'a KindName,
    &'a Namespaces,
    &'a Option<Vec<String>>,
    &'a Option<String>,
    &'a State,
    Option<&'a MemberName>,
    u32,
    &'a str,
);

/// The order of coverage records: by what they say, then by where they stand.
pub(crate) fn order<'a>(c: &'a Coverage, members: &'a BTreeMap<MemberId, MemberName>) -> SortKey<'a> {
    let a = &c.answer;
    let member = members.get(&a.citation.member);
    (c.context, &a.kind, &a.namespaces, &a.names, &a.selector, &a.state, member, a.citation.line, &a.citation.path)
}
