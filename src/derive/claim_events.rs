//! What events say of the PersistentVolumeClaims that are here now: `claimevents.casefile.dev`, one for each claim
//! of which one says that it gets no volume.
//!
//! Why derived: a StatefulSet gives a new claim the name of the one before it, so an event of that name may be of
//! a claim that is gone. Only UID and age tell which of them it is about, and whether it is over.
//!
//! Source: `kubernetes/kubernetes:pkg/controller/volume/persistentvolume/pv_controller.go@v1.34` and
//! `pkg/controller/volume/events/event.go`; external provisioners try again after 17 minutes at the latest
//! (`kubernetes-sigs/sig-storage-lib-external-provisioner:controller/controller.go`, 15 retries that double).
//!
//! Invariants: an event that states another UID than the claim, or is older than it, is of another claim; one that is
//! known to be over says nothing of now.

use crate::deriver::Deriver;
use crate::reader::Reader;
use crate::workloads::Workloads;
use crate::workloads::events::{Event, fresh};
use catalogue::wordings;
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::object::ObjectId;
use facts::provenance::Provenance;

const CLAIMS: &str = "persistentvolumeclaims";
/// An event that is older is over, in seconds.
const FRESH: i64 = 3600;

pub(crate) const DERIVER: Deriver = Deriver {
    makes: &["claimevents"],
    statements: &[],
    derive: |inputs| inputs.each(CLAIMS, |id| one(inputs.reader, id, inputs.workloads)),
};

fn one(reader: Reader<'_>, id: ObjectId, workloads: &Workloads) -> Option<Derived> {
    let claim = reader.object(id);
    let age = reader.age(id, "metadata.creationTimestamp");
    let events =
        workloads.events.of("PersistentVolumeClaim", claim.namespace.as_deref(), &claim.name, claim.uid.as_deref());
    // Clocks of machines are not compared more closely than a minute.
    let is_own = |event: &Event| age.zip(event.age).is_none_or(|(claim, event)| event <= claim.saturating_add(60));
    let told: Vec<&Event> = events
        .into_iter()
        .filter(|event| event.says("no-volume") && is_own(event) && fresh(event, FRESH) != Some(false))
        .collect();
    let newest = told.first()?;
    let class = told.iter().find(|event| wordings::first("storage-class-not-found", &event.message).is_some());
    let mut made = reader.about(id, "claimevents");
    newest.said().write(&mut made, "status.failing");
    match class {
        Some(event) => event.said().write(&mut made, "status.classMissing"),
        None => made.absent("status.classMissing", Provenance::bare(Basis::Named)),
    }
    Some(made)
}
