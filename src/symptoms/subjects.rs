//! Whose trouble it is that somebody speaks of: a Pod, and what made it, as `kind namespace/name`.
//!
//! Why: what a program, an event or a tool says of a Pod stands behind what a signature knows of the Pod, or of the
//! Deployment that made it.

use derive::reader::Reader;
use facts::object::ObjectId;

/// What makes Pods.
const CONTROLLERS: [&str; 3] = ["deployments.apps", "statefulsets.apps", "daemonsets.apps"];

/// A Pod that was read.
pub(crate) fn of_object(reader: Reader<'_>, id: ObjectId) -> Vec<String> {
    let object = reader.object(id);
    of_pod(reader, Some(id), object.namespace.as_deref().unwrap_or_default(), &object.name)
}

/// A Pod by its name, with what is known of it.
pub(crate) fn of_pod(reader: Reader<'_>, id: Option<ObjectId>, namespace: &str, pod: &str) -> Vec<String> {
    let owners = id.map(|id| reader.texts(id, "metadata.ownerReferences[*].name")).unwrap_or_default();
    let mut owners: Vec<String> = owners.into_iter().map(|read| read.text).collect();
    if owners.is_empty() {
        // `web-5c6cdc7d47-7jg6b` is of `web-5c6cdc7d47`, and that of `web`.
        owners.extend(pod.rsplit_once('-').map(|(owner, _)| owner.to_owned()));
    }
    let above: Vec<String> = owners.iter().filter_map(|owner| Some(owner.rsplit_once('-')?.0.to_owned())).collect();
    owners.extend(above);
    let owners = owners.iter().flat_map(|owner| CONTROLLERS.map(|kind| format!("{kind} {namespace}/{owner}")));
    std::iter::once(format!("pods {namespace}/{pod}")).chain(owners).collect()
}
