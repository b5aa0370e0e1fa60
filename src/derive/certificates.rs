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

use crate::deriver::{Deriver, Inputs};
use facts::derived::{Derived, Known};
use facts::node::Value;
use facts::object::Lookup;
use facts::partial::fields;
use facts::store::AsOf;
use std::collections::BTreeMap;

const CERTIFICATES: &str = "certificates.casefile.dev";

pub(crate) const DERIVER: Deriver =
    Deriver { makes: &["certificatestates"], reads: &[CERTIFICATES], logs: &[], literals: &[], derive };

/// One object for each certificate of a context whose end is known.
fn derive(inputs: &Inputs<'_>) -> Vec<Derived> {
    let reader = inputs.reader;
    let now = reader.facts.context(reader.context).as_of.as_ref().map(AsOf::bounds);
    let mut all = Vec::new();
    for id in reader.facts.of_kind(reader.context, &facts::kind::KindName::parse(CERTIFICATES)) {
        let object = reader.object(*id);
        let mut made = Derived::new("certificatestates", None, &object.name);
        let mut times = BTreeMap::new();
        for field in ["subject", "node", "notBefore", "notAfter"] {
            let (Lookup::Found(values), Some(sighting)) = reader.facts.lookup_in(*id, &fields(&["spec", field])) else {
                continue;
            };
            let [(value, citation)] = values.as_slice() else { continue };
            let cited = reader.cited(sighting, citation.clone());
            if let Some(time) = value.as_str().and_then(|text| text.parse::<jiff::Timestamp>().ok()) {
                times.insert(field, (time, cited.clone()));
            }
            made.set(&format!("spec.{field}"), Known::Value((*value).clone()), cited);
        }
        let Some((end, cited)) = times.get("notAfter") else { continue };
        made.text("spec.certificate", &object.name, cited);
        if let Some((earliest, latest)) = now {
            if (earliest > *end) == (latest > *end) {
                made.flag("status.expired", earliest > *end, cited);
            }
            let days = |now: jiff::Timestamp| (end.as_second() - now.as_second()).div_euclid(24 * 3600);
            let left = if days(latest) == days(earliest) {
                Value::Int(days(earliest))
            } else {
                Value::Range(days(latest), Some(days(earliest)))
            };
            made.value("status.daysLeft", left, cited);
            if let Some((start, cited)) = times.get("notBefore")
                && (earliest < *start) == (latest < *start)
            {
                made.flag("status.notYetValid", earliest < *start, cited);
            }
        }
        all.push(made);
    }
    all
}
