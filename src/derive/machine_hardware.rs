//! Is a Node the virtual machine that Cluster API made for it: `vmnodes.casefile.dev`, one for each VSphereVM
//! whose name or address a Node has.
//!
//! Why derived: the two UUIDs stand in two clusters, and vSphere and the kernel may write the first three groups
//! in another byte order.
//!
//! Sources: `kubernetes-sigs/cluster-api-provider-vsphere:apis/v1beta1/vspherevm_types.go@v1.13.0` (`biosUUID`),
//! `kubernetes/cloud-provider-vsphere:pkg/cloudprovider/vsphere/util.go` (byte order).
//!
//! Invariant: a UUID that is not shown, or is none, gives no answer.

use crate::deriver::Deriver;
use crate::reader::Reader;
use facts::derived::Derived;
use facts::object::{ContextId, ObjectId};
use facts::provenance::Provenance;

const VMS: &str = "vspherevms.infrastructure.cluster.x-k8s.io";

pub(crate) const DERIVER: Deriver =
    Deriver { makes: &["vmnodes"], statements: &[], derive: |inputs| inputs.each(VMS, |id| one(inputs.reader, id)) };

fn one(reader: Reader<'_>, id: ObjectId) -> Option<Derived> {
    let facts = reader.facts;
    let vm = reader.object(id);
    let bios = reader.text(id, "spec.biosUUID")?;
    let cluster = reader.text(id, "metadata.labels[\"cluster.x-k8s.io/cluster-name\"]");
    let of_cluster = |workload: &ContextId| {
        let of = facts.context(*workload).workload_of.as_ref();
        of.is_some_and(|(owner, name)| {
            *owner == reader.context && cluster.as_ref().is_some_and(|cluster| cluster.text == *name)
        })
    };
    // A cluster that manages itself has its Nodes beside its VSphereVMs.
    let place = facts.context_ids().find(of_cluster).unwrap_or(reader.context);
    let there = reader.of(place);
    let addresses: Vec<String> = reader.texts(id, "status.addresses[*]").into_iter().map(|read| read.text).collect();
    let by_name = there.named("nodes", None, &vm.name);
    let by_address = || {
        there.all("nodes").into_iter().find(|node| {
            let own = there.texts(*node, "status.addresses[type=InternalIP].address");
            own.iter().any(|own| addresses.contains(&own.text))
        })
    };
    let node = by_name.or_else(by_address)?;
    let system = there.text(node, "status.nodeInfo.systemUUID");
    let mut made = reader.about(id, "vmnodes");
    let both = system.as_ref().map_or(Provenance::from(&bios), |system| Provenance::from(system).and(&bios));
    made.text("spec.node", &there.object(node).name, both);
    bios.write(&mut made, "spec.biosUUID");
    if let Some(system) = &system {
        system.write(&mut made, "spec.systemUUID");
        if let (Some(a), Some(b)) = (uuid(&bios.text), uuid(&system.text)) {
            let from = Provenance::from(&bios).and(system);
            made.flag("status.otherMachine", a != b && swapped(&a) != b, from);
        }
    }
    let missing = there.unset(node, "spec.providerID");
    let provider = there.text(node, "spec.providerID");
    if missing || provider.is_some() {
        made.flag("status.providerIDMissing", missing, &provider.or(system).unwrap_or(bios));
    }
    Some(made)
}

/// The 32 digits of a UUID, in lower case.
fn uuid(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(|c| *c != '-').map(|c| c.to_ascii_lowercase()).collect();
    (digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_hexdigit())).then_some(digits)
}

/// The same with the bytes of its first three groups the other way round.
fn swapped(digits: &str) -> String {
    let turn = |from: usize, to: usize| {
        let group = digits.get(from..to).unwrap_or_default();
        (0..group.len() / 2).rev().filter_map(|at| group.get(at * 2..at * 2 + 2)).collect::<String>()
    };
    format!("{}{}{}{}", turn(0, 8), turn(8, 12), turn(12, 16), digits.get(16..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_machine_in_either_byte_order() {
        let bios = uuid("423A5c86-0f11-4a22-8b33-000102030405").unwrap();
        assert_eq!(bios, "423a5c860f114a228b33000102030405");
        assert_eq!(swapped(&bios), "865c3a42110f224a8b33000102030405");
        assert_eq!(swapped(&swapped(&bios)), bios);
        assert_eq!(uuid("not a uuid"), None);
    }
}
