//! API endpoints that did not answer the collector: `apiendpoints.casefile.dev`, one for each server that
//! kubectl could not reach.
//!
//! Why derived: what kubectl printed instead of objects is kept with the answers that it stands for, and no
//! signature can ask for it; and one refused call among many that were answered means something else than a
//! bundle in which no call was.
//!
//! | field | meaning |
//! |---|---|
//! | `spec.server`, `spec.host` | `10.0.0.10:6443` and its host; `the API server` where the error names none |
//! | `status.failures` | calls that did not reach it |
//! | `status.refused`, `status.timedOut`, `status.noRoute`, `status.brokenOff` | how many of them in which way |
//! | `status.error` | the first error, by its place in the bundle |
//! | `status.answers` | calls to an API server that were answered, in the same context |
//!
//! Sources: `kubernetes/kubectl:pkg/cmd/util/helpers.go@v0.34.0` (`The connection to the server X was refused`,
//! `Unable to connect to the server: E`), Go `net` and `net/http` (`i/o timeout`, `no route to host`, `EOF`,
//! `TLS handshake timeout`).
//!
//! Invariants: `localhost:8080` is no endpoint, it is what kubectl says without a kubeconfig; an error of
//! certificates or of a name that is not found is none of these; an answer is what an API server said,
//! refusals by RBAC included.

use crate::deriver::{Deriver, Inputs};
use facts::coverage::{Basis, State};
use facts::derived::Derived;
use facts::origin::Citation;
use facts::provenance::{Cited, Provenance};
use nom::bytes::complete::{tag, take_until};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use std::collections::{BTreeMap, BTreeSet};

/// What stands where an error names no server.
const UNNAMED: &str = "the API server";

/// How a call failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Refused,
    TimedOut,
    NoRoute,
    BrokenOff,
}

impl Way {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Refused, "status.refused"),
        (Self::TimedOut, "status.timedOut"),
        (Self::NoRoute, "status.noRoute"),
        (Self::BrokenOff, "status.brokenOff"),
    ];
}

/// `The connection to the server 10.0.0.10:6443 was refused - did you specify the right host or port?`
fn refused(input: &str) -> IResult<&str, &str> {
    delimited(tag("The connection to the server "), take_until(" was refused"), tag(" was refused")).parse(input)
}

/// What stands behind `Unable to connect to the server: `.
fn unable(input: &str) -> IResult<&str, &str> {
    let (error, _) =
        preceded(take_until("Unable to connect to the server: "), tag("Unable to connect to the server: "))
            .parse(input)?;
    Ok(("", error))
}

/// The server and the way, if a text says that kubectl did not reach one.
fn failure(text: &str) -> Option<(String, Way)> {
    let from = text.find("The connection to the server ").map(|at| text.get(at..).unwrap_or_default());
    if let Some((_, server)) = from.and_then(|rest| refused(rest).ok()) {
        return (!server.starts_with("localhost:8080")).then(|| (server.to_owned(), Way::Refused));
    }
    let (_, error) = unable(text).ok()?;
    let way = if error.contains("connection refused") {
        Way::Refused
    } else if error.contains("no route to host") {
        Way::NoRoute
    } else if error.contains("TLS handshake timeout") || error.trim_end_matches('`').trim_end().ends_with("EOF") {
        Way::BrokenOff
    } else if error.contains("i/o timeout") {
        Way::TimedOut
    } else {
        return None;
    };
    Some((dialled(error).unwrap_or(UNNAMED).to_owned(), way))
}

/// The address in `dial tcp 10.0.0.10:6443: i/o timeout`, or the host of `Get "https://10.0.0.10:6443/api": EOF`.
fn dialled(error: &str) -> Option<&str> {
    let after = error.split("dial tcp ").nth(1).and_then(|rest| rest.split(": ").next());
    let url = error.split("https://").nth(1).and_then(|rest| rest.split(['/', '"', '?']).next());
    after.or(url).map(str::trim).filter(|server| !server.is_empty() && !server.contains(' '))
}

/// Members and lines, each once.
type Places<'a> = BTreeSet<(Option<&'a str>, u32)>;

pub(crate) const DERIVER: Deriver =
    // It reads the answers to any question; Nodes are what everybody asks for.
    Deriver { makes: &["apiendpoints"], reads: &["nodes"], logs: &[], literals: &[], derive };

/// One object for each server that was not reached.
fn derive(inputs: &Inputs<'_>) -> Vec<Derived> {
    let (facts, context) = (inputs.reader.facts, inputs.reader.context);
    let mut failed: BTreeMap<String, BTreeMap<Way, Places<'_>>> = BTreeMap::new();
    let mut cited: BTreeMap<String, Vec<Citation>> = BTreeMap::new();
    let mut note = |server: String, way: Way, citation: Citation| {
        let place = (facts.members.get(&citation.member).map(String::as_str), citation.line);
        if failed.entry(server.clone()).or_default().entry(way).or_default().insert(place) {
            cited.entry(server).or_default().push(citation);
        }
    };
    let mut answers: BTreeSet<(Option<&str>, u32)> = BTreeSet::new();
    for coverage in facts.coverage.iter().filter(|coverage| coverage.context == context) {
        let answer = &coverage.answer;
        match &answer.state {
            State::Error(text) | State::Partial(text) => {
                if let Some((server, way)) = failure(text) {
                    note(server, way, answer.citation.clone());
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
            if let Some((server, way)) = failure(why) {
                note(server, way, Citation::line(*member, *line, why));
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
            made.text("spec.server", &server, &from);
            let host = server.rsplit_once(':').map_or(server.as_str(), |(host, _)| host);
            made.text("spec.host", host, from.without_places());
            if let Some(first) = citations.first() {
                made.text("status.error", &first.excerpt, &from);
            }
            made.number("status.failures", ways.values().map(|places| places.len() as i64).sum(), &from);
            for (way, path) in Way::ALL {
                made.number(path, ways.get(&way).map_or(0, |places| places.len() as i64), &from);
            }
            made.number("status.answers", answers.len() as i64, &from);
            made
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_kubectl_says_of_a_server() {
        let of = |text: &str| failure(text).map(|(server, way)| format!("{server} {way:?}"));
        let refused =
            "The connection to the server 10.0.0.10:6443 was refused - did you specify the right host or port?";
        assert_eq!(of(refused).as_deref(), Some("10.0.0.10:6443 Refused"));
        assert_eq!(
            of(&format!("the collecting command failed: `{refused}`")).as_deref(),
            Some("10.0.0.10:6443 Refused")
        );
        assert_eq!(of(&refused.replace("10.0.0.10:6443", "localhost:8080")), None);
        assert_eq!(
            of("Unable to connect to the server: dial tcp 10.0.0.10:6443: i/o timeout").as_deref(),
            Some("10.0.0.10:6443 TimedOut")
        );
        assert_eq!(
            of("Unable to connect to the server: dial tcp 10.0.0.10:6443: connect: no route to host").as_deref(),
            Some("10.0.0.10:6443 NoRoute")
        );
        assert_eq!(of("Unable to connect to the server: EOF").as_deref(), Some("the API server BrokenOff"));
        assert_eq!(
            of("Unable to connect to the server: net/http: TLS handshake timeout").as_deref(),
            Some("the API server BrokenOff")
        );
    }

    #[test]
    fn what_says_nothing_of_the_endpoint() {
        for text in [
            "Unable to connect to the server: x509: certificate signed by unknown authority",
            "Unable to connect to the server: dial tcp: lookup api.example.internal: no such host",
            "Error from server (NotFound): nodes \"a\" not found",
            "error: context deadline exceeded",
        ] {
            assert_eq!(failure(text), None, "{text}");
        }
    }
}
