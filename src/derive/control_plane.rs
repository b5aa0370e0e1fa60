//! The control plane of a cluster as one object: what its components log about certificates, about etcd and
//! about their leases. `controlplanes.casefile.dev`, one for each context in which anything of it was seen.
//!
//! Why derived: log lines alone make no entity, and a bundle of a broken control plane often holds nothing
//! else. Fields, each unknown unless a line says it:
//!
//! | field | meaning |
//! |---|---|
//! | `status.servingExpired`, `status.servingExpiredAge` | lines of clients that refuse the API server's certificate as expired |
//! | `status.servingExpiredBefore` | such lines whose logs go on for long without one, see [`crate::healed`] |
//! | `status.clientExpired`, `status.clientExpiredAge` | lines of an API server that refuses a client's certificate as expired |
//! | `status.certificateNotAfter` | the end of the validity that such a line names |
//! | `status.undecryptable`, `status.undecryptableAge` | lines of an API server that cannot decrypt what etcd holds |
//! | `status.etcdTimeouts`, `status.etcdTimeoutAge` | lines in which etcd answered a client that a request timed out |
//!
//! Sources: `kubernetes:staging/src/k8s.io/apiserver/pkg/endpoints/filters/authentication.go` (`Unable to
//! authenticate the request`), `apiserver/pkg/storage/etcd3/store.go` (`unable to transform key`), Go
//! `crypto/x509` (`certificate has expired or is not yet valid`), etcd `api/v3rpc/rpctypes/error.go`.
//!
//! Invariants: what the logs of those who said it have outlived is not counted as of now; only of a client that is
//! refused nothing is over by silence, since it is the client that may have stopped; a line about a webhook or
//! about etcd's own port is not about the certificates of the API server; a certificate that is not valid *yet* is
//! no expired one.

use crate::deriver::{Deriver, Inputs};
use crate::healed;
use crate::healed::LogEnds;
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::provenance::{Cited, Provenance};
use jiff::Timestamp;
use std::collections::BTreeMap;

/// The literals that bring a line here.
const LITERALS: &[&str] =
    &["certificate has expired or is not yet valid", "unable to transform key", "etcdserver: request timed out"];

/// Classes of streams that show that there is a control plane.
const CLASSES: &[&str] = &["kube-apiserver", "kube-controller-manager", "kube-scheduler"];

pub(crate) const DERIVER: Deriver = Deriver {
    makes: &["controlplanes"],
    reads: &[],
    logs: CLASSES,
    literals: &[LITERALS, healed::LITERALS],
    derive: |inputs| derive(inputs).into_iter().collect(),
};

/// What a line says of the control plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Symptom {
    ServingExpired,
    ClientExpired,
    Undecryptable,
    EtcdTimeout,
}

impl Symptom {
    const ALL: [Self; 4] = [Self::ServingExpired, Self::ClientExpired, Self::Undecryptable, Self::EtcdTimeout];

    fn field(self) -> &'static str {
        match self {
            Self::ServingExpired => "status.servingExpired",
            Self::ClientExpired => "status.clientExpired",
            Self::Undecryptable => "status.undecryptable",
            Self::EtcdTimeout => "status.etcdTimeouts",
        }
    }

    fn age(self) -> &'static str {
        match self {
            Self::ServingExpired => "status.servingExpiredAge",
            Self::ClientExpired => "status.clientExpiredAge",
            Self::Undecryptable => "status.undecryptableAge",
            Self::EtcdTimeout => "status.etcdTimeoutAge",
        }
    }

    /// Does the one who writes the line meet the fault again and again while it lasts? A client that an API server
    /// refuses may stop, and single requests time out.
    fn is_repeated(self) -> bool {
        matches!(self, Self::ServingExpired | Self::Undecryptable)
    }
}

/// A line that says one of them.
#[derive(Debug)]
struct Line {
    time: Option<Timestamp>,
    cited: Cited,
    /// The end of the validity that it names.
    until: Option<String>,
}

/// What one line says. A client that dials the API server names its port or a path of its API.
fn symptom(text: &str) -> Option<Symptom> {
    if text.contains("unable to transform key") && text.contains("/registry/") {
        return Some(Symptom::Undecryptable);
    }
    if text.contains("etcdserver: request timed out") {
        return Some(Symptom::EtcdTimeout);
    }
    if !text.contains("certificate has expired or is not yet valid") || text.contains(" is before ") {
        return None;
    }
    if text.contains("Unable to authenticate the request") {
        return Some(Symptom::ClientExpired);
    }
    let elsewhere = [":2379", ":2380", "webhook", ":10250", "ImagePull", "pull"];
    if elsewhere.iter().any(|mark| text.contains(mark)) {
        return None;
    }
    let of_the_api = [":6443", ":8443/api", "/api/v1", "/apis/", "Unable to connect to the server"];
    of_the_api.iter().any(|mark| text.contains(mark)).then_some(Symptom::ServingExpired)
}

/// The control plane of a context, if anything of it was seen.
fn derive(inputs: &Inputs<'_>) -> Option<Derived> {
    let (facts, context) = (inputs.reader.facts, inputs.reader.context);
    let clock = inputs.reader.log_clock();
    let streams: Vec<_> = facts.streams.iter().filter(|stream| stream.context == context).collect();
    let mut said: BTreeMap<Symptom, Vec<Line>> = BTreeMap::new();
    let mut seen = streams.iter().any(|stream| stream.class.as_deref().is_some_and(|class| CLASSES.contains(&class)));
    for stream in streams.iter().filter(|stream| stream.class.as_deref() != Some("etcd")) {
        for hit in stream.hits() {
            let Some(symptom) = symptom(&hit.text) else { continue };
            seen = true;
            let time = hit.fields.time.and_then(|time| time.resolve(clock));
            let until = crate::etcd::troubles::not_after(&hit.text).map(str::to_owned);
            said.entry(symptom).or_default().push(Line { time, cited: stream.cite(hit, clock), until });
        }
    }
    if !seen {
        return None;
    }
    let mut made = Derived::new("controlplanes", None, "control-plane").with_all_lines();
    let log_ends = LogEnds::new(facts, context);
    let mut ends: BTreeMap<&str, Vec<Cited>> = BTreeMap::new();
    for symptom in Symptom::ALL {
        let Some(lines) = said.get(&symptom) else { continue };
        let (lines, over) = if symptom.is_repeated() {
            log_ends.part(lines, |line| (line.time, &line.cited.citation), |hit| healed::unreached(&hit.text))
        } else {
            (lines.iter().collect(), Vec::new())
        };
        if symptom == Symptom::ServingExpired && !over.is_empty() {
            made.at_least("status.servingExpiredBefore", over.len() as i64, cited(&over));
        }
        if lines.is_empty() {
            continue;
        }
        made.at_least(symptom.field(), lines.len() as i64, cited(&lines));
        let last = lines.iter().filter_map(|line| Some((line.time?, &line.cited))).max_by_key(|(time, _)| *time);
        if let (Some((time, last)), Some(clock)) = (last, clock) {
            made.number(symptom.age(), clock.duration_since(time).as_secs().max(0), last);
        }
        if matches!(symptom, Symptom::ServingExpired | Symptom::ClientExpired) {
            for line in lines {
                if let Some(until) = &line.until {
                    ends.entry(until).or_default().push(line.cited.clone());
                }
            }
        }
    }
    let text = ends.keys().copied().collect::<Vec<_>>().join(", ");
    if let Some(lines) = Provenance::all(ends.into_values().flatten()) {
        made.text("status.certificateNotAfter", &text, lines);
    }
    Some(made)
}

fn cited(lines: &[&Line]) -> Provenance {
    Provenance::all_or(lines.iter().map(|line| line.cited.clone()), Provenance::bare(Basis::Lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whose_certificate_it_is() {
        let error = "x509: certificate has expired or is not yet valid: current time 2026-05-14T10:00:00Z is after 2026-05-13T00:00:00Z";
        assert_eq!(
            symptom(&format!(r#"Get "https://10.0.0.1:6443/api/v1/nodes": {error}"#)),
            Some(Symptom::ServingExpired)
        );
        assert_eq!(symptom(&format!("Unable to connect to the server: {error}")), Some(Symptom::ServingExpired));
        assert_eq!(
            symptom(&format!(r#""Unable to authenticate the request" err="[{error}, verifying certificate]""#)),
            Some(Symptom::ClientExpired)
        );
        assert_eq!(symptom(&format!(r#"failed calling webhook "x": Post "https://x.y.svc:443/apis/": {error}"#)), None);
        assert_eq!(symptom(&format!("dial 127.0.0.1:2379: {error}")), None);
        assert_eq!(
            symptom(&format!(r#"Get "https://10.0.0.1:6443/api": {}"#, error.replace("is after", "is before"))),
            None
        );
    }

    #[test]
    fn what_etcd_holds_and_how_it_answers() {
        let text = r#"unable to transform key "/registry/secrets/a/b": no matching prefix found"#;
        assert_eq!(symptom(text), Some(Symptom::Undecryptable));
        assert_eq!(symptom("failed to list *v1.Node: etcdserver: request timed out"), Some(Symptom::EtcdTimeout));
        assert_eq!(symptom("etcdserver: leader changed"), None);
    }
}
