//! Whether another Pod has taken the place of one that ended.
//!
//! Why: Pods that were evicted and the failed tries of a Job that succeeded stay in every list until somebody deletes them. Who
//! names them as not well sends a tired reader to a Pod that nobody misses.
//!
//! Invariant: only what is known of a Pod's Job or workload makes it replaced; without that it is not.

use catalogue::made_names;
use facts::kind::KindName;
use facts::object::{Lookup, ObjectId};
use facts::path::Path;
use facts::store::Facts;

/// Kinds that keep a number of Pods, with where they say how many there are to be and are ready.
const KEEPERS: [(&str, &str, &str); 4] = [
    ("replicasets.apps", "spec.replicas", "status.readyReplicas"),
    ("deployments.apps", "spec.replicas", "status.readyReplicas"),
    ("statefulsets.apps", "spec.replicas", "status.readyReplicas"),
    ("daemonsets.apps", "status.desiredNumberScheduled", "status.numberReady"),
];

/// Did a Pod end, and is its Job complete, or has its workload all the Pods that it wants? `status` is what kubectl prints of
/// the Pod.
pub(crate) fn is_replaced(facts: &Facts, pod: ObjectId, status: Option<&str>) -> bool {
    let of_pod = Reader { facts, id: pod };
    let failed = of_pod.text("status.phase").as_deref() == Some("Failed") || status == Some("Evicted");
    let name = facts.object(pod).name.as_str();
    // A Pod that is started again is of something that goes on: of those that only a table shows, a Job's alone have ended.
    let owner = of_pod.text("metadata.ownerReferences[controller=true].name");
    let job = owner.as_deref().or_else(|| made_names::of_job(name).filter(|_| failed || status == Some("Error")));
    if job.and_then(|job| of_pod.beside("jobs.batch", job)).is_some_and(|job| job.is_complete()) {
        return true;
    }
    let workload = owner.as_deref().into_iter().chain(made_names::workload_of(name)).chain(made_names::of_job(name));
    failed
        && workload.flat_map(|name| KEEPERS.map(|keeper| (name, keeper))).any(|(name, (kind, wanted, ready))| {
            of_pod.beside(kind, name).is_some_and(|keeper| keeper.has_all(wanted, ready))
        })
}

/// What is known of one object.
struct Reader<'f> {
    facts: &'f Facts,
    id: ObjectId,
}

impl<'f> Reader<'f> {
    fn text(&self, path: &str) -> Option<String> {
        match self.facts.lookup(self.id, &*Path::shared(path).ok()?) {
            Lookup::Found(values) => Some(values.first()?.0.to_string()),
            _ => None,
        }
    }

    fn number(&self, path: &str) -> Option<u64> {
        self.text(path)?.parse().ok()
    }

    /// One of a kind in the same namespace.
    fn beside(&self, kind: &str, name: &str) -> Option<Reader<'f>> {
        let object = self.facts.object(self.id);
        let id = self.facts.named(object.context, &KindName::parse(kind), object.namespace.as_deref(), name)?;
        Some(Reader { facts: self.facts, id })
    }

    fn is_complete(&self) -> bool {
        let stated = || self.text("status.conditions[type=Complete].status").as_deref() == Some("True");
        let counted =
            || self.number("spec.completions").is_some_and(|all| self.number("status.succeeded") == Some(all));
        stated() || counted()
    }

    fn has_all(&self, wanted: &str, ready: &str) -> bool {
        let wanted = self.number(wanted).filter(|wanted| *wanted > 0);
        wanted.zip(self.number(ready)).is_some_and(|(wanted, ready)| ready >= wanted)
    }
}
