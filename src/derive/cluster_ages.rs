//! How old Clusters are: `clusterages.casefile.dev`, one for each Cluster of Cluster API whose creation is known.
//!
//! Why derived: an import that has just begun looks like one that never started; only the clock of the bundle
//! tells them apart. `status.seconds` is the time from `metadata.creationTimestamp` to the clock.
//!
//! Invariant: without a clock there is no object.

use crate::builder::Builder;
use crate::reader::Reader;
use facts::derived::Derived;
use facts::kind::KindName;
use facts::object::ContextId;
use facts::store::Facts;

const CLUSTERS: &str = "clusters.cluster.x-k8s.io";

/// Kinds that are read.
pub fn kinds() -> Vec<KindName> {
    vec![KindName::parse(CLUSTERS)]
}

/// The objects.
pub fn derive(facts: &Facts, context: ContextId) -> Vec<Derived> {
    let reader = Reader::new(facts, context);
    let one = |id| {
        let created = reader.text(id, "metadata.creationTimestamp")?;
        let seconds = reader.age_of(created.time()?)?;
        let cluster = reader.object(id);
        let mut made = Builder::new("clusterages", cluster.namespace.as_deref(), &cluster.name);
        made.stands_for(KindName::parse(CLUSTERS));
        made.number("status.seconds", seconds);
        made.rests_on("status.seconds", [created.citation]);
        Some(made.finish())
    };
    reader.all(CLUSTERS).into_iter().filter_map(one).collect()
}
