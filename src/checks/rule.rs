//! A check of one cluster as code: its id, what it needs, and what decides it.
//!
//! Why needs are stated: a check whose input was not collected must say so, with the input; one that merely
//! returned nothing would vanish from the report. So what decides a check runs only when all of its needs
//! are met.

use crate::checklist::Profile;
use crate::outcome::Outcome;
use crate::side::Side;

/// What decides a check for one side under one edition; nothing if the check does not apply.
pub(super) type Logic = fn(&Side<'_>, &Profile) -> Vec<Outcome>;

/// An input of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// The Cluster `global` of Cluster API.
    Cluster,
    /// Which infrastructure provider it is.
    Provider,
    /// The KubeadmControlPlane that the Cluster names.
    ControlPlane,
    /// The infrastructure cluster that the Cluster names.
    Infrastructure,
    /// Machine templates.
    Templates,
    /// Pools of addresses and names.
    Pools,
    /// The AppReleases of the providers on the bootstrap host.
    Releases,
    /// The ConfigMap that lists what is imported besides.
    ImportMap,
    /// The request to the installer.
    Request,
    /// A reply of the installer that tells how far it is.
    Progress,
    /// The log of the installer.
    InstallerLog,
    /// It is the bootstrap host, not the new cluster.
    Bootstrap,
    /// The platform was installed: what is seen is the new cluster, not the bootstrap host.
    Installed,
}

/// Why a need is not met.
pub(super) enum Lacking {
    /// It surely does not exist, which another check says: this one does not apply.
    Absent,
    /// It was not collected: a sentence.
    Unknown(String),
}

impl Need {
    /// What of it is lacking; nothing if it is there.
    pub fn lacking(self, side: &Side<'_>) -> Option<Lacking> {
        let unknown = |text: &str| Some(Lacking::Unknown(text.to_owned()));
        let no_cluster = "the Cluster `global` of Cluster API was not collected";
        let absent = |kind: &str, name: &str| side.lacks(kind, name).is_some();
        match self {
            Need::Cluster => match side.cluster() {
                Some(_) => None,
                None if absent("clusters.cluster.x-k8s.io", "global") => Some(Lacking::Absent),
                None => unknown(no_cluster),
            },
            Need::Provider => match (side.provider(), side.cluster()) {
                (Some(_), _) => None,
                (None, Some(_)) => unknown("which infrastructure provider it is is not known"),
                (None, None) => Need::Cluster.lacking(side),
            },
            Need::ControlPlane => {
                if side.control_plane().is_some() {
                    return None;
                }
                let Some(cluster) = side.cluster() else { return Need::Cluster.lacking(side) };
                let name = cluster.field("spec.controlPlaneRef.name").text();
                match name {
                    Some(name) if absent("kubeadmcontrolplanes.controlplane.cluster.x-k8s.io", &name) => {
                        Some(Lacking::Absent)
                    }
                    _ => unknown("the KubeadmControlPlane of `global` was not collected"),
                }
            }
            Need::Infrastructure => {
                if side.infrastructure().is_some() {
                    return None;
                }
                let Some(provider) = side.provider() else { return Need::Provider.lacking(side) };
                let kind = format!("{}.infrastructure.cluster.x-k8s.io", provider.clusters);
                if side.all(&kind).is_empty() && side.lacks(&kind, "global").is_some() {
                    return Some(Lacking::Absent);
                }
                Some(Lacking::Unknown(format!("the {} of `global` was not collected", provider.cluster_kind)))
            }
            Need::Templates | Need::Pools => {
                let Some(provider) = side.provider() else { return Need::Provider.lacking(side) };
                let (plural, here) = match self {
                    Need::Templates => (provider.templates, side.templates()),
                    _ => (provider.pools, side.pools()),
                };
                let kind = format!("{plural}.infrastructure.cluster.x-k8s.io");
                match here.is_empty() {
                    false => None,
                    true if side.whole(&kind) => Some(Lacking::Absent),
                    true => Some(Lacking::Unknown(format!("the {plural} of `global` were not collected"))),
                }
            }
            Need::Releases => {
                // The global cluster has AppReleases of its own, with other values.
                if side.is_installed() || side.whole("appreleases.operator.alauda.io") && side.releases().is_empty() {
                    return Some(Lacking::Absent);
                }
                side.releases()
                    .is_empty()
                    .then(|| Lacking::Unknown("the AppReleases of the providers were not collected".to_owned()))
            }
            Need::ImportMap => match side.import_map() {
                Some(_) => None,
                None if side.is_installed() || absent("configmaps", "dcs-import-extra-resources") => {
                    Some(Lacking::Absent)
                }
                None => unknown("the ConfigMap `dcs-import-extra-resources` was not collected"),
            },
            Need::Request => match side.request() {
                Some(_) => None,
                None if side.is_installed() => Some(Lacking::Absent),
                None => unknown("the request to the installer was not collected"),
            },
            Need::Progress | Need::InstallerLog => {
                let (here, text) = match self {
                    Need::Progress => (!side.progress().is_empty(), "no reply of the installer was collected"),
                    _ => (side.installer_log().is_some(), "the log of the installer was not collected"),
                };
                match here {
                    true => None,
                    false if side.is_installed() => Some(Lacking::Absent),
                    false => unknown(text),
                }
            }
            Need::Bootstrap => side.is_installed().then_some(Lacking::Absent),
            Need::Installed => (!side.is_installed()).then_some(Lacking::Absent),
        }
    }
}

/// A check as code.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    /// Its id.
    pub id: &'static str,
    needs: &'static [Need],
    decide: Logic,
}

/// Makes one.
pub(super) const fn rule(id: &'static str, needs: &'static [Need], decide: Logic) -> Rule {
    Rule { id, needs, decide }
}

impl Rule {
    /// What the check finds on one side; nothing if it does not apply.
    pub fn apply(&self, side: &Side<'_>, profile: &Profile) -> Vec<Outcome> {
        for need in self.needs {
            match need.lacking(side) {
                None => {}
                Some(Lacking::Absent) => return Vec::new(),
                Some(Lacking::Unknown(sentence)) => return vec![Outcome::unknown(sentence)],
            }
        }
        (self.decide)(side, profile)
    }
}
