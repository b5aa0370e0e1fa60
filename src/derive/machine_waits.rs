//! Machines that have their machine and wait for their Node: `machinewaits.casefile.dev`, one for each Machine
//! in phase `Provisioned` that has no `nodeRef`.
//!
//! Why derived: a young Machine looks the same; only the clock of the bundle tells one from the other, and
//! the start-up time stands in the MachineHealthCheck that targets it.
//!
//! Sources: `kubernetes-sigs/cluster-api:internal/controllers/machine/machine_controller_status.go@v1.10.4`
//! (`setMachinePhaseAndLastUpdated`), `api/v1beta1/machinehealthcheck_types.go@v1.10.4` (`nodeStartupTimeout`,
//! 10 minutes by default), `api/core/v1beta2/machinehealthcheck_types.go@v1.13.0` (`nodeStartupTimeoutSeconds`).
//!
//! Invariants: without a clock and a time, or the age that a table prints, there is no object; a Machine whose
//! phase or Node is not known gives none; a start-up time that no seen MachineHealthCheck states is unknown.

use crate::deriver::{Deriver, Inputs};
use crate::reader::{Read, Reader};
use facts::derived::Derived;
use facts::human_duration;
use facts::object::ObjectId;
use jiff::SignedDuration;

const MACHINES: &str = "machines.cluster.x-k8s.io";
const CHECKS: &str = "machinehealthchecks.cluster.x-k8s.io";
/// The default of both API versions, in seconds.
const DEFAULT_TIMEOUT: i64 = 600;

pub(crate) const DERIVER: Deriver = Deriver { makes: &["machinewaits"], statements: &[], derive };

fn derive(inputs: &Inputs<'_>) -> Vec<Derived> {
    let reader = inputs.reader;
    let checks = reader.all(CHECKS);
    reader.all(MACHINES).into_iter().filter_map(|id| waits(reader, id, &checks)).collect()
}

fn waits(reader: Reader<'_>, id: ObjectId, checks: &[ObjectId]) -> Option<Derived> {
    if !reader.is(id, "status.phase", "Provisioned") || !reader.unset(id, "status.nodeRef.name") {
        return None;
    }
    let created = reader.text(id, "metadata.creationTimestamp");
    let since = reader.text(id, "status.lastUpdated").or_else(|| created.clone());
    let aged = |read: Read| Some((reader.age_of_read(&read)?, read));
    let waited = since.and_then(aged);
    let printed = reader.text(id, "status.kubectlAge");
    let printed = printed.and_then(|read| Some((human_duration::parse(&read.text)?, read)));
    if waited.is_none() && printed.is_none() {
        return None;
    }
    let machine = reader.object(id);
    let mut made = reader.about(id, "machinewaits");
    if let Some((waited, read)) = &waited {
        made.number("status.waited", *waited, read);
    } else if let Some((age, read)) = &printed {
        made.range("status.waited", 0, age.until, read);
    }
    if let Some((age, read)) = created.and_then(aged).or_else(|| printed.map(|(age, read)| (age.from, read))) {
        made.number("status.age", age, read);
    }
    let targets_it = |check: &ObjectId| {
        reader.object(*check).namespace == machine.namespace
            && reader.texts(*check, "status.targets[*]").iter().any(|target| target.text == machine.name)
    };
    if let Some(check) = checks.iter().copied().find(|check| targets_it(check)) {
        let seconds = reader.text(check, "spec.checks.nodeStartupTimeoutSeconds");
        let duration = reader.text(check, "spec.nodeStartupTimeout");
        let stated = seconds.as_ref().and_then(|read| read.text.parse::<i64>().ok()).or_else(|| {
            duration.as_ref().and_then(|read| read.text.parse::<SignedDuration>().ok()).map(|d| d.as_secs())
        });
        let unset = reader.unset(check, "spec.checks.nodeStartupTimeoutSeconds")
            && reader.unset(check, "spec.nodeStartupTimeout");
        // Zero switches the start-up check off.
        if let Some(timeout) = stated.or(unset.then_some(DEFAULT_TIMEOUT)).filter(|timeout| *timeout > 0) {
            let from = seconds.or(duration).map_or_else(|| reader.seen(check), Into::into);
            made.number("status.startupTimeout", timeout, from);
        }
    }
    Some(made)
}
