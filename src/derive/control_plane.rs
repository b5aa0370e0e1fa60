//! The control plane of a cluster as one object: what its components log about certificates, about etcd and
//! about their leases. `controlplanes.casefile.dev`, one for each context in which anything of it was seen.
//!
//! Why derived: log lines alone make no entity, and a bundle of a broken control plane often holds nothing
//! else. Each field is unknown unless a line says it.
//!
//! What the lines say: the group `control-plane` of `patterns/statements.yaml`.
//!
//! Invariants: what the logs of those who said it have outlived is not counted as of now; only of a client that is
//! refused nothing is over by silence, since it is the client that may have stopped.

use crate::deriver::{Deriver, Inputs};
use crate::healed;
use crate::healed::LogEnds;
use crate::heard::{Heard, listen, streams};
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::provenance::{Cited, Provenance};
use std::collections::BTreeMap;

/// Classes of streams that show that there is a control plane.
const CLASSES: &[&str] = &["kube-apiserver", "kube-controller-manager", "kube-scheduler"];

pub(crate) const DERIVER: Deriver = Deriver {
    makes: &["controlplanes"],
    statements: &["control-plane", "not-reached"],
    derive: |inputs| derive(inputs).into_iter().collect(),
};

/// A statement, the fields for the number of its lines and the age of the last, and whether who writes the line meets the
/// fault again and again while it lasts. A client that an API server refuses may stop, and single requests time out.
const SYMPTOMS: [(&str, &str, &str, bool); 4] = [
    ("serving-expired", "status.servingExpired", "status.servingExpiredAge", true),
    ("client-expired", "status.clientExpired", "status.clientExpiredAge", false),
    ("undecryptable", "status.undecryptable", "status.undecryptableAge", true),
    ("etcd-timeout", "status.etcdTimeouts", "status.etcdTimeoutAge", false),
];

/// The control plane of a context, if anything of it was seen.
fn derive(inputs: &Inputs<'_>) -> Option<Derived> {
    let reader = inputs.reader;
    let said: Vec<Heard<'_>> =
        listen(reader, "control-plane", |stream| stream.class.as_deref() != Some("etcd")).collect();
    let is_its = |class: &String| CLASSES.contains(&class.as_str());
    if said.is_empty() && !streams(reader).any(|stream| stream.class.as_ref().is_some_and(is_its)) {
        return None;
    }
    let mut made = Derived::new("controlplanes", None, "control-plane").with_all_lines();
    let log_ends = LogEnds::new(reader.facts, reader.context);
    let mut ends: BTreeMap<&str, Vec<Cited>> = BTreeMap::new();
    for (says, count, age, repeated) in SYMPTOMS {
        let mut lines: Vec<&Heard<'_>> = said.iter().filter(|line| line.says == says).collect();
        if repeated {
            let (lasting, over) = log_ends.part(lines, |line| (line.time, &line.cited.citation), healed::unreached);
            lines = lasting;
            if !over.is_empty() {
                made.at_least(&format!("{count}Before"), over.len() as i64, cited(&over));
            }
        }
        if lines.is_empty() {
            continue;
        }
        made.at_least(count, lines.len() as i64, cited(&lines));
        let last = lines.iter().filter_map(|line| Some((line.time?, &line.cited))).max_by_key(|(time, _)| *time);
        if let Some((time, last)) = last {
            made.number(age, reader.log_age(Some(time)), last);
        }
        for line in lines.into_iter().filter(|line| !line.text.is_empty()) {
            ends.entry(&line.text).or_default().push(line.cited.clone());
        }
    }
    let text = ends.keys().copied().collect::<Vec<_>>().join(", ");
    if let Some(lines) = Provenance::all(ends.into_values().flatten()) {
        made.text("status.certificateNotAfter", &text, lines);
    }
    Some(made)
}

fn cited(lines: &[&Heard<'_>]) -> Provenance {
    Provenance::all_or(lines.iter().map(|line| line.cited.clone()), Provenance::bare(Basis::Lines))
}
