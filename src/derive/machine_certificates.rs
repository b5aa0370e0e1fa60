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

use crate::deriver::{Deriver, Inputs};
use crate::reader::Reader;
use facts::derived::Derived;
use facts::kind::KindName;
use facts::object::ObjectId;

const MACHINES: &str = "machines.cluster.x-k8s.io";
const DAY: i64 = 24 * 3600;

pub(crate) const DERIVER: Deriver =
    Deriver { makes: &["machinecertificates"], reads: &[MACHINES], logs: &[], literals: &[], derive };

fn derive(inputs: &Inputs<'_>) -> Vec<Derived> {
    let reader = inputs.reader;
    reader.all(MACHINES).into_iter().filter_map(|id| one(reader, id)).collect()
}

fn one(reader: Reader<'_>, id: ObjectId) -> Option<Derived> {
    let end = reader.text(id, "status.certificatesExpiryDate")?;
    let left = -reader.age_of(end.time()?)?;
    let machine = reader.object(id);
    let mut made = Derived::new("machinecertificates", machine.namespace.as_deref(), &machine.name);
    made.stands_for(KindName::parse(MACHINES));
    made.text("spec.machine", &machine.name, &end);
    if let Some(cluster) = reader.text(id, "spec.clusterName") {
        cluster.write(&mut made, "spec.cluster");
    }
    end.write(&mut made, "spec.notAfter");
    made.flag("status.expired", left < 0, &end);
    made.number("status.daysLeft", left.div_euclid(DAY), &end);
    Some(made)
}
