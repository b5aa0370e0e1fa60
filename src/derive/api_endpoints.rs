//! API endpoints that did not answer the collector: `apiendpoints.casefile.dev`, one for each server that
//! kubectl could not reach.
//!
//! Why derived: what kubectl printed instead of objects is kept with the answers that it stands for, and no
//! signature can ask for it; and one refused call among many that were answered means something else than a
//! bundle in which no call was.
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

/// Failed calls by member, line and way, each once.
type Calls<'a> = BTreeMap<(Option<&'a str>, u32, Way), Citation>;

pub(crate) const DERIVER: Deriver = Deriver { makes: &["apiendpoints"], statements: &[], derive };

/// One object for each server that was not reached.
fn derive(inputs: &Inputs<'_>) -> Vec<Derived> {
    let (facts, context) = (inputs.reader.facts, inputs.reader.context);
    let place = |citation: &Citation| (facts.members.get(&citation.member).map(|name| name.inside()), citation.line);
    // Each failed call once, by its server and place.
    let mut failed: BTreeMap<String, Calls<'_>> = BTreeMap::new();
    let mut note = |Unreached { server, way }: &Unreached, citation: Citation| {
        let server = server.as_deref().unwrap_or(UNNAMED).to_owned();
        let (member, line) = place(&citation);
        failed.entry(server).or_default().entry((member, line, *way)).or_insert(citation);
    };
    let mut answers = BTreeSet::new();
    for coverage in facts.coverage.iter().filter(|coverage| coverage.context == context) {
        let answer = &coverage.answer;
        match &answer.state {
            State::Error(_) | State::Partial(_) => {
                if let Some(unreached) = answer.state.trouble().and_then(|trouble| trouble.unreached.as_ref()) {
                    note(unreached, answer.citation.clone());
                }
            }
            State::Complete | State::Empty | State::NotFound(_) | State::Forbidden(_) | State::NoSuchKind
                if answer.basis != Basis::Named && answer.kind.group != "casefile.dev" =>
            {
                answers.insert(place(&answer.citation));
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
    failed.into_iter().map(|(server, calls)| object(&server, &calls, answers.len())).collect()
}

fn object(server: &str, calls: &Calls<'_>, answers: usize) -> Derived {
    let mut made = Derived::new("apiendpoints", None, server);
    // Each failed call is there to be read; that there were no others nobody can know.
    let places = calls.values().map(|citation| Cited::new(citation.clone(), Basis::Named));
    let from = Provenance::all_or(places, Provenance::bare(Basis::Named));
    let host = server.rsplit_once(':').map_or(server, |(host, _)| host);
    made.text("spec.host", host, from.without_places());
    if let Some(first) = calls.values().next() {
        made.text("status.error", &first.excerpt, &from);
    }
    made.number("status.failures", calls.len() as i64, &from);
    for (way, path) in WAYS {
        made.number(path, calls.keys().filter(|(.., of)| *of == way).count() as i64, &from);
    }
    made.number("status.answers", answers as i64, &from);
    made
}
