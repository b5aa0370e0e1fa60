//! How old Clusters are: `clusterages.casefile.dev`, one for each Cluster of Cluster API whose creation is known.
//!
//! Why derived: an import that has just begun looks like one that never started; only the clock of the bundle
//! tells them apart. `status.seconds` is the time from `metadata.creationTimestamp` to the clock.
//!
//! Invariant: without a clock there is no object.

use crate::deriver::{Deriver, Inputs};
use facts::derived::Derived;
use facts::kind::KindName;

const CLUSTERS: &str = "clusters.cluster.x-k8s.io";

pub(crate) const DERIVER: Deriver =
    Deriver { makes: &["clusterages"], reads: &[CLUSTERS], logs: &[], literals: &[], derive };

fn derive(inputs: &Inputs<'_>) -> Vec<Derived> {
    let reader = inputs.reader;
    let one = |id| {
        let created = reader.text(id, "metadata.creationTimestamp")?;
        let seconds = reader.age_of(created.time()?)?;
        let cluster = reader.object(id);
        let mut made = Derived::new("clusterages", cluster.namespace.as_deref(), &cluster.name);
        made.stands_for(KindName::parse(CLUSTERS));
        made.number("status.seconds", seconds, created);
        Some(made)
    };
    reader.all(CLUSTERS).into_iter().filter_map(one).collect()
}
