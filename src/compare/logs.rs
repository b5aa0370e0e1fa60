//! What only the logs of one bundle complain of.
//!
//! Why templates: lines differ in names and numbers; what is left of a warning or an error without them is counted while
//! logs are read, see `facts::template`.
//!
//! Invariant: a message has vanished, or is new, only against a bundle that has logs of the same class.

use crate::model::TemplateChange;
use facts::log::Repeated;
use facts::origin::MemberId;
use facts::store::{Facts, Stream};
use std::collections::BTreeMap;

/// Lines of one template in one bundle.
struct Found<'f> {
    count: u64,
    most: u64,
    stream: &'f Stream,
    member: MemberId,
    first: &'f Repeated,
}

/// Class of a stream, and template; a stream of no class is one of its own program.
type Key<'f> = (&'f str, &'f str);

/// What is new in `b`, and what vanished with `a`; the most frequent first.
pub(crate) fn compare(a: &Facts, b: &Facts) -> (Vec<TemplateChange>, Vec<TemplateChange>) {
    (only_in(b, a), only_in(a, b))
}

/// The warnings and errors that the logs of `facts` have and those of `other` lack, the most frequent first.
fn only_in(facts: &Facts, other: &Facts) -> Vec<TemplateChange> {
    let (own, others) = (templates(facts), templates(other));
    let classes: Vec<&str> = other.streams.iter().map(class).collect();
    let mut all: Vec<TemplateChange> = own
        .into_iter()
        .filter(|(key, _)| classes.contains(&key.0) && !others.contains_key(key))
        .map(|((_, template), found)| TemplateChange {
            count: found.count,
            template: template.to_owned(),
            example: found.first.said.to_string(),
            source: found.stream.name.to_string(),
            member: facts.members.get(&found.member).map(ToString::to_string).unwrap_or_default(),
            line: found.first.line,
        })
        .collect();
    all.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.cmp(b)));
    all
}

/// What a stream is the log of: its class, else its container, else its name.
fn class(stream: &Stream) -> &str {
    let container = stream.pod.as_ref().map(|(_, _, container)| container.as_str()).filter(|name| !name.is_empty());
    stream.class.as_deref().or(container).unwrap_or(stream.name.as_str())
}

fn templates(facts: &Facts) -> BTreeMap<Key<'_>, Found<'_>> {
    let mut all: BTreeMap<Key<'_>, Found<'_>> = BTreeMap::new();
    for stream in &facts.streams {
        for (member, log) in &stream.parts {
            for (template, first) in &log.tally.templates {
                let key = (class(stream), template.as_str());
                let fresh = || Found { count: 0, most: 0, stream, member: *member, first };
                let found = all.entry(key).or_insert_with(fresh);
                found.count += first.count;
                if first.count > found.most {
                    (found.most, found.stream, found.member, found.first) = (first.count, stream, *member, first);
                }
            }
        }
    }
    all
}
