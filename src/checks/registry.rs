//! What decides the checks that `patterns/checks.yaml` cannot say, or not all of: each with the id of its check.
//!
//! A check whose entry there has `tests` too is decided by both.

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::outcome::Found;
use crate::pair::{Handover, Pair};
use crate::{
    encryption, imports, installer, manifests, named_provider, networks, pools, reach, running, shared_encryption, sync,
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
pub(super) const MECHANISMS: [(&str, Mechanism); 16] = [
    ("A01", One(named_provider::all_name_one)),
    ("A04", One(manifests::placeholders)),
    ("A05", One(manifests::indentation)),
    ("B10", One(pools::size)),
    ("B11", One(pools::no_duplicates)),
    ("C01", Sides(shared_encryption::equal)),
    ("C03", Sides(shared_encryption::covered)),
    ("C09", Sides(imports::alike)),
    ("C17", Sides(reach::ports)),
    ("C18", Sides(reach::name_of_platform)),
    ("D21", One(networks::overlap)),
    ("D24", One(encryption::sound)),
    ("G04", One(installer::phase)),
    ("G06", One(running::number_of_nodes)),
    ("G15", One(sync::consistent)),
    ("H09", Both(imports::imported)),
];

/// The mechanism of a check.
pub(super) fn mechanism(id: &str) -> Option<Mechanism> {
    MECHANISMS.iter().find(|(known, _)| *known == id).map(|(_, mechanism)| *mechanism)
}
