//! How long the certificates of control-plane Machines are valid: `machinecertificates.casefile.dev`, one for
//! each Machine that states their end.
//!
//! Why derived: the signature language has no arithmetic, and an expiry means something only against the clock
//! of the bundle.
//!
//! | field | meaning |
//! |---|---|
//! | `spec.machine`, `spec.cluster` | the Machine, its cluster |
//! | `spec.notAfter` | `Machine.status.certificatesExpiryDate` |
//! | `status.expired`, `status.daysLeft` | against the clock; whole days, negative when expired |
//!
//! Source: `kubernetes-sigs/cluster-api:api/v1beta1/machine_types.go@v1.10.4` (`certificatesExpiryDate`: set for
//! control-plane Machines of a KubeadmControlPlane).
//!
//! Invariant: without a clock there is no object.

use crate::builder::Builder;
use crate::reader::Reader;
use facts::derived::Derived;
use facts::kind::KindName;
use facts::object::{ContextId, ObjectId};
use facts::store::Facts;

const MACHINES: &str = "machines.cluster.x-k8s.io";
const DAY: i64 = 24 * 3600;

/// Kinds that are read.
pub fn kinds() -> Vec<KindName> {
    vec![KindName::parse(MACHINES)]
}

/// The objects.
pub fn derive(facts: &Facts, context: ContextId) -> Vec<Derived> {
    let reader = Reader::new(facts, context);
    reader.all(MACHINES).into_iter().filter_map(|id| one(reader, id)).collect()
}

fn one(reader: Reader<'_>, id: ObjectId) -> Option<Derived> {
    let end = reader.text(id, "status.certificatesExpiryDate")?;
    let left = -reader.age_of(end.time()?)?;
    let machine = reader.object(id);
    let mut made = Builder::new("machinecertificates", machine.namespace.as_deref(), &machine.name);
    made.stands_for(KindName::parse(MACHINES));
    made.text("spec.machine", &machine.name);
    if let Some(cluster) = reader.text(id, "spec.clusterName") {
        made.read("spec.cluster", &cluster);
    }
    made.read("spec.notAfter", &end);
    made.flag("status.expired", left < 0);
    made.number("status.daysLeft", left.div_euclid(DAY));
    for path in ["spec.machine", "status.expired", "status.daysLeft"] {
        made.rests_on(path, [end.citation.clone()]);
    }
    Some(made.finish())
}
