//! API endpoints that did not answer the collector: `apiendpoints.casefile.dev`, one for each server that
//! kubectl could not reach.
//!
//! Why derived: what kubectl printed instead of objects is kept with the answers that it stands for, and no
//! signature can ask for it; and one refused call among many that were answered means something else than a
//! bundle in which no call was.
//!
//! | field | meaning |
//! |---|---|
//! | `spec.host` | its host; `the API server` where the error names none |
//! | `status.failures` | calls that did not reach it |
//! | `status.refused`, `status.timedOut`, `status.noRoute`, `status.brokenOff` | how many of them in which way |
//! | `status.error` | the first error, by its place in the bundle |
//! | `status.answers` | calls to an API server that were answered, in the same context |
//!
//! Invariants: what an error text says of a server was read where the text was parsed; an answer is what an API
//! server said, refusals by RBAC included.

use crate::deriver::{Deriver, Inputs};
use facts::coverage::{Basis, State};
use facts::derived::Derived;
use facts::origin::Citation;
use facts::provenance::{Cited, Provenance};
use facts::trouble::{Unreached, Way};
use std::collections::{BTreeMap, BTreeSet};

/// What stands where an error names no server.
const UNNAMED: &str = "the API server";

/// Where the number of calls that failed in one way stands.
const WAYS: [(Way, &str); 4] = [
    (Way::Refused, "status.refused"),
    (Way::TimedOut, "status.timedOut"),
    (Way::NoRoute, "status.noRoute"),
    (Way::BrokenOff, "status.brokenOff"),
];

/// Members and lines, each once.
type Places<'a> = BTreeSet<(Option<&'a str>, u32)>;

pub(crate) const DERIVER: Deriver = Deriver { makes: &["apiendpoints"], statements: &[], derive };

/// One object for each server that was not reached.
fn derive(inputs: &Inputs<'_>) -> Vec<Derived> {
    let (facts, context) = (inputs.reader.facts, inputs.reader.context);
    let mut failed: BTreeMap<String, BTreeMap<Way, Places<'_>>> = BTreeMap::new();
    let mut cited: BTreeMap<String, Vec<Citation>> = BTreeMap::new();
    let mut note = |Unreached { server, way }: &Unreached, citation: Citation| {
        let (server, way) = (server.as_deref().unwrap_or(UNNAMED).to_owned(), *way);
        let place = (facts.members.get(&citation.member).map(String::as_str), citation.line);
        if failed.entry(server.clone()).or_default().entry(way).or_default().insert(place) {
            cited.entry(server).or_default().push(citation);
        }
    };
    let mut answers: BTreeSet<(Option<&str>, u32)> = BTreeSet::new();
    for coverage in facts.coverage.iter().filter(|coverage| coverage.context == context) {
        let answer = &coverage.answer;
        match &answer.state {
            State::Error(trouble) | State::Partial(trouble) => {
                if let Some(unreached) = &trouble.unreached {
                    note(unreached, answer.citation.clone());
                }
            }
            State::Complete | State::Empty | State::NotFound(_) | State::Forbidden(_) | State::NoSuchKind
                if answer.basis != Basis::Named && answer.kind.group != "casefile.dev" =>
            {
                answers.insert((facts.members.get(&answer.citation.member).map(String::as_str), answer.citation.line));
            }
            _ => {}
        }
    }
    // What names no kind belongs to no context; in a bundle of one cluster it is that one's.
    if facts.contexts.len() == 1 {
        for (member, line, why) in &facts.unread {
            if let Some(unreached) = why.trouble().and_then(|trouble| trouble.unreached.as_ref()) {
                note(unreached, Citation::line(*member, *line, &why.to_string()));
            }
        }
    }
    failed
        .into_iter()
        .map(|(server, ways)| {
            let mut made = Derived::new("apiendpoints", None, &server);
            let mut citations = cited.remove(&server).unwrap_or_default();
            citations.sort_by(|a, b| facts.place(a).cmp(&facts.place(b)));
            // Each failed call is there to be read; that there were no others nobody can know.
            let places = citations.iter().map(|citation| Cited::new(citation.clone(), Basis::Named));
            let from = Provenance::all_or(places, Provenance::bare(Basis::Named));
            let host = server.rsplit_once(':').map_or(server.as_str(), |(host, _)| host);
            made.text("spec.host", host, from.without_places());
            if let Some(first) = citations.first() {
                made.text("status.error", &first.excerpt, &from);
            }
            made.number("status.failures", ways.values().map(|places| places.len() as i64).sum(), &from);
            for (way, path) in WAYS {
                made.number(path, ways.get(&way).map_or(0, |places| places.len() as i64), &from);
            }
            made.number("status.answers", answers.len() as i64, &from);
            made
        })
        .collect()
}
