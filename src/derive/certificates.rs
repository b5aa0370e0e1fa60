//! Which certificates have expired: `certificatestates.casefile.dev`, one for each `certificates` that shows
//! its end.
//!
//! Why derived: the signature language has no arithmetic, and kubeadm's residual time counts from the day
//! of the collection on the collector's clock. Fields: `spec.certificate` (its name), `spec.subject`,
//! `spec.node`, `spec.notBefore`, `spec.notAfter`; `status.expired`, `status.notYetValid`,
//! `status.daysLeft` (whole days, negative when expired).
//!
//! Invariants: without an as-of clock all of `status` is unknown; where the clock states no zone, what its zone
//! could turn around is unknown too.

use facts::derived::Derived;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{ContextId, Lookup};
use facts::origin::Citation;
use facts::path::{Path, Step};
use facts::store::{AsOf, Facts};
use std::collections::BTreeMap;

/// The kinds that these are made of.
pub fn kinds() -> Vec<KindName> {
    vec![KindName::parse("certificates.casefile.dev")]
}

/// One object for each certificate of a context whose end is known.
pub fn derive(facts: &Facts, context: ContextId) -> Vec<Derived> {
    let now = facts.context(context).as_of.as_ref().map(AsOf::bounds);
    let mut all = Vec::new();
    for kind in kinds() {
        for id in facts.of_kind(context, &kind) {
            let object = facts.object(*id);
            let mut made = Made { node: Node::map(0), known: Vec::new(), citations: BTreeMap::new() };
            let mut times = BTreeMap::new();
            for field in ["subject", "node", "notBefore", "notAfter"] {
                let path = Path(["spec", field].iter().map(|step| Step::Field((*step).to_owned())).collect());
                let Lookup::Found(values) = facts.lookup(*id, &path) else { continue };
                let [(value, citation)] = values.as_slice() else { continue };
                if let Some(time) = value.as_str().and_then(|text| text.parse::<jiff::Timestamp>().ok()) {
                    times.insert(field, (time, citation.clone()));
                }
                made.set(&["spec", field], (*value).clone(), citation);
            }
            let Some((end, cited)) = times.get("notAfter") else { continue };
            made.set(&["spec", "certificate"], Node::str(0, object.name.as_str()), cited);
            if let Some((earliest, latest)) = now {
                if (earliest > *end) == (latest > *end) {
                    made.set(&["status", "expired"], Node::new(0, Value::Bool(earliest > *end)), cited);
                }
                let days = |now: jiff::Timestamp| (end.as_second() - now.as_second()).div_euclid(24 * 3600);
                let left = if days(latest) == days(earliest) {
                    Value::Int(days(earliest))
                } else {
                    Value::Range(days(latest), Some(days(earliest)))
                };
                made.set(&["status", "daysLeft"], Node::new(0, left), cited);
                if let Some((start, cited)) = times.get("notBefore")
                    && (earliest < *start) == (latest < *start)
                {
                    made.set(&["status", "notYetValid"], Node::new(0, Value::Bool(earliest < *start)), cited);
                }
            }
            made.node.set_at(&["metadata", "name"], Node::str(0, object.name.as_str()));
            all.push(Derived {
                kind: KindName::parse("certificatestates.casefile.dev"),
                namespace: None,
                stands_for: None,
                name: object.name.clone(),
                node: made.node,
                known: made.known,
                citations: made.citations,
            });
        }
    }
    all
}

struct Made {
    node: Node,
    known: Vec<String>,
    citations: BTreeMap<String, Vec<Citation>>,
}

impl Made {
    fn set(&mut self, path: &[&str], node: Node, citation: &Citation) {
        self.node.set_at(path, node);
        let path = path.join(".");
        self.citations.insert(path.clone(), vec![citation.clone()]);
        self.known.push(path);
    }
}
