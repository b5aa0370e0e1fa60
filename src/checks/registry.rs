//! What decides the checks that `patterns/checks.yaml` cannot say, or not all of: each with the id of its check.
//!
//! A check whose entry there has `tests` too is decided by both.

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::outcome::Found;
use crate::pair::{Handover, Pair};
use crate::{
    encryption, endpoint, etcd_names, imports, installer, machine_files, machines, manifests, named_provider, networks,
    pair, pools, reach, references, registry_address, releases, request, running, sent_request, shared_encryption,
    sync, trust, versions,
};

/// What decides a check under one edition; it finds nothing where the check does not apply.
#[derive(Clone, Copy)]
pub(super) enum Mechanism {
    /// By the facts of one cluster.
    One(fn(&Installation<'_>, &Profile) -> Found),
    /// By those of a primary and a standby cluster.
    Pair(fn(&Pair<'_>, &Profile) -> Found),
    /// By those of a bootstrap host and the cluster that was installed from it.
    Handover(fn(&Handover<'_>, &Profile) -> Found),
}

use Mechanism::{Handover as Both, One, Pair as Sides};

/// Every mechanism by the id of its check.
pub(super) const MECHANISMS: [(&str, Mechanism); 76] = [
    ("A01", One(named_provider::all_name_one)),
    ("A02", One(named_provider::only_one)),
    ("A03", One(versions::known)),
    ("A04", One(manifests::placeholders)),
    ("A05", One(manifests::indentation)),
    ("B05", One(references::lead_somewhere)),
    ("B08", One(references::needed_objects)),
    ("B09", One(pools::secret_keys)),
    ("B10", One(pools::size)),
    ("B11", One(pools::no_duplicates)),
    ("C01", Sides(shared_encryption::equal)),
    ("C02", Sides(shared_encryption::delivered)),
    ("C03", Sides(shared_encryption::covered)),
    ("C04", Sides(etcd_names::on_both_sides)),
    ("C05", Sides(etcd_names::served)),
    ("C06", Sides(pair::console_hosts)),
    ("C08", Sides(pair::platform_name)),
    ("C09", Sides(imports::alike)),
    ("C14", Sides(pair::sync_address)),
    ("C15", Sides(pair::sync_token)),
    ("C17", Sides(reach::ports)),
    ("C18", Sides(reach::name_of_platform)),
    ("C19", Sides(trust::of_machines)),
    ("D06", One(registry_address::of_cluster)),
    ("D08", One(networks::join)),
    ("D14", One(versions::image)),
    ("D15", One(versions::workers)),
    ("D17", One(machine_files::ssh_keys)),
    ("D18", One(etcd_names::stated)),
    ("D19", One(endpoint::one_for_all)),
    ("D20", One(networks::free_address)),
    ("D21", One(networks::overlap)),
    ("D23", One(encryption::delivered)),
    ("D24", One(encryption::sound)),
    ("D25", One(machines::persistent_disk)),
    ("D26", One(machines::datastores)),
    ("D27", One(machines::folder)),
    ("D29", One(machine_files::written)),
    ("D31", One(machines::processors)),
    ("E05", One(releases::repository)),
    ("E06", One(releases::pull_secret)),
    ("E08", One(releases::equal_values)),
    ("E09", One(releases::charts)),
    ("E10", One(releases::definitions)),
    ("E11", One(releases::pods)),
    ("G01", One(installer::ready_for_request)),
    ("G02", One(installer::reply)),
    ("G03", One(installer::repeated_error)),
    ("G04", One(installer::phase)),
    ("G05", One(registry_address::of_platform)),
    ("G06", One(running::number_of_nodes)),
    ("G11", One(installer::machines)),
    ("G12", One(running::credentials)),
    ("G13", One(running::deletion)),
    ("G14", One(sync::restarted)),
    ("G15", One(sync::consistent)),
    ("G16", One(sync::parts)),
    ("G17", One(sync::certificate)),
    ("G19", One(versions::nodes)),
    ("G20", One(registry_address::left_over)),
    ("H01", One(imports::exists)),
    ("H02", One(imports::readable)),
    ("H03", One(imports::entries_sound)),
    ("H04", One(imports::key_base)),
    ("H05", One(imports::secrets_by_kubectl)),
    ("H06", One(imports::entries_complete)),
    ("H07", One(imports::secret_name)),
    ("H08", One(sent_request::created_in_time)),
    ("H09", Both(imports::imported)),
    ("I01", One(request::keys)),
    ("I05", One(registry_address::host_ip)),
    ("I06", One(registry_address::of_request)),
    ("I07", One(request::passwords)),
    ("I10", One(request::certificate)),
    ("I11", One(sent_request::path)),
    ("I12", One(sent_request::address)),
];

/// The mechanism of a check.
pub(super) fn mechanism(id: &str) -> Option<Mechanism> {
    MECHANISMS.iter().find(|(known, _)| *known == id).map(|(_, mechanism)| *mechanism)
}
