//! What an error text says about the answer it took the place of: refused, failed, or no connection at all.
//!
//! Why one place: kubectl prints such a text in a transcript, a collector writes the error of the Kubernetes client
//! into a file of its own with words before it, and a table ends with one. All that is read from the words is read
//! here, once; whoever comes later has it as data.
//!
//! Sources: `kubernetes/kubectl:pkg/cmd/util/helpers.go@v0.34.0` (`The connection to the server X was refused`,
//! `Unable to connect to the server: E`), Go `net` and `net/http` (`i/o timeout`, `no route to host`, `EOF`,
//! `TLS handshake timeout`).
//!
//! Invariants: `localhost:8080` is no server that was not reached, it is what kubectl says without a kubeconfig; an
//! error of certificates, or of a name that is not found, is no lost connection.

use crate::answer::short;
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::kind::KindName;
use facts::order::Order;
use facts::origin::{Citation, MemberId};
use facts::outside::Outside;
use facts::shortfall::WhyFailed;
use facts::trouble::{Trouble, Unreached, Way};
use nom::bytes::complete::{tag, take_until};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

/// A foreign text as an excerpt of one line, with what it tells.
pub fn trouble(text: &str) -> Trouble {
    quoted(short(text))
}

/// The same for a text that is an excerpt already.
pub(crate) fn quoted(text: impl Into<Outside>) -> Trouble {
    let text = text.into();
    Trouble { unreached: unreached(&text), text }
}

/// The state that an error text means: `forbidden`, `no-such-kind`, or `error`.
///
/// Texts: `apimachinery/pkg/api/errors/errors.go@v0.34.0` (`NewForbidden`, `NewGenericServerResponse` for a
/// resource that is not served).
pub fn state(text: &str) -> State {
    let lower = text.to_ascii_lowercase();
    if lower.contains("is forbidden") || lower.contains("forbidden:") || lower.contains("is not allowed on resource") {
        State::Forbidden(short(text).into())
    } else {
        State::Error(WhyFailed::Said(trouble(text)))
    }
}

/// The kind and namespace of a collector's own check of its rights: `action "list" is not allowed on resource
/// "pods" in the "default" namespace`, or `at cluster scope`.
pub fn not_allowed(text: &str) -> Option<(KindName, Option<&str>)> {
    let (_, rest) = text.split_once("is not allowed on resource \"")?;
    let (resource, rest) = rest.split_once('"')?;
    let namespace = rest.split_once("in the \"").and_then(|(_, rest)| Some(rest.split_once('"')?.0));
    Some((KindName::parse(resource), namespace))
}

/// An answer that failed.
pub fn answer(member: MemberId, line: u32, kind: KindName, namespace: Option<&str>, text: &str) -> Answer {
    Answer {
        kind,
        namespaces: namespace.map_or(Namespaces::All, |namespace| Namespaces::Some(vec![namespace.to_owned()])),
        names: None,
        selector: None,
        state: state(text),
        basis: Basis::Stated,
        order: Order::default(),
        citation: Citation::line(member, line, &short(text)),
    }
}

/// The kind and namespace of a list that the API server refused: `pods is forbidden: User "u" cannot list
/// resource "pods" in API group "" in the namespace "default"`, or `at the cluster scope`.
pub fn forbidden(text: &str) -> Option<(KindName, Option<&str>)> {
    let (_, rest) = text.split_once("cannot list resource \"")?;
    let (plural, rest) = rest.split_once('"')?;
    let (_, rest) = rest.split_once("in API group \"")?;
    let (group, rest) = rest.split_once('"')?;
    let namespace = rest.split_once("in the namespace \"").and_then(|(_, rest)| Some(rest.split_once('"')?.0));
    Some((KindName { plural: plural.to_ascii_lowercase(), group: group.to_ascii_lowercase() }, namespace))
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
fn unreached(text: &str) -> Option<Unreached> {
    let from = text.find("The connection to the server ").map(|at| text.get(at..).unwrap_or_default());
    if let Some((_, server)) = from.and_then(|rest| refused(rest).ok()) {
        let server = (!server.starts_with("localhost:8080")).then(|| server.to_owned())?;
        return Some(Unreached { server: Some(server), way: Way::Refused });
    }
    let (_, error) = unable(text).ok()?;
    let way = if error.contains("connection refused") {
        Way::Refused
    } else if error.contains("no route to host") {
        Way::NoRoute
    } else if error.contains("TLS handshake timeout") || error.trim_end().ends_with("EOF") {
        Way::BrokenOff
    } else if error.contains("i/o timeout") {
        Way::TimedOut
    } else {
        return None;
    };
    Some(Unreached { server: dialled(error).map(str::to_owned), way })
}

/// The address in `dial tcp 10.0.0.10:6443: i/o timeout`, or the host of `Get "https://10.0.0.10:6443/api": EOF`.
fn dialled(error: &str) -> Option<&str> {
    let after = error.split("dial tcp ").nth(1).and_then(|rest| rest.split(": ").next());
    let url = error.split("https://").nth(1).and_then(|rest| rest.split(['/', '"', '?']).next());
    after.or(url).map(str::trim).filter(|server| !server.is_empty() && !server.contains(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_kubectl_says_of_a_server() {
        let of = |text: &str| {
            unreached(text).map(|found| {
                let server = found.server.unwrap_or_else(|| "no name".to_owned());
                format!("{server} {:?}", found.way)
            })
        };
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
        assert_eq!(of("Unable to connect to the server: EOF").as_deref(), Some("no name BrokenOff"));
        assert_eq!(
            of("Unable to connect to the server: net/http: TLS handshake timeout").as_deref(),
            Some("no name BrokenOff")
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
            assert_eq!(unreached(text), None, "{text}");
        }
    }
}
