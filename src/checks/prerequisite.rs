//! What must have been collected before a check can decide anything.
//!
//! Why stated: a check whose input was not collected must say so, with the input; one that merely found
//! nothing would vanish from the report. So a check is decided only when all of its prerequisites are met.

use crate::installation::{IMPORT_MAP, Installation, KUBEADM_CONTROL_PLANES, RELEASES};
use crate::provider::Provider;
use serde::Deserialize;

/// An input of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Prerequisite {
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

/// Why a prerequisite is not met.
#[derive(Debug)]
pub(super) enum Unmet {
    /// It surely does not exist, which another check says: this one does not apply.
    Absent,
    /// It was not collected: a sentence.
    Unknown(String),
}

/// It is there, surely is not, or was not collected.
fn require(here: bool, absent: bool, sentence: impl Into<String>) -> Result<(), Unmet> {
    match (here, absent) {
        (true, _) => Ok(()),
        (false, true) => Err(Unmet::Absent),
        (false, false) => Err(Unmet::Unknown(sentence.into())),
    }
}

impl Prerequisite {
    /// Whether it is met.
    ///
    /// # Errors
    /// With the reason why it is not.
    pub(super) fn met(self, here: &Installation<'_>) -> Result<(), Unmet> {
        let absent = |kind: &str, name: &str| here.lacks(kind, name).is_some();
        let installed = here.is_installed();
        match self {
            Self::Cluster => require(
                here.cluster().is_some(),
                absent("clusters.cluster.x-k8s.io", "global"),
                "the Cluster `global` of Cluster API was not collected",
            ),
            Self::Provider if here.provider().is_some() => Ok(()),
            Self::Provider => {
                Self::Cluster.met(here)?;
                require(false, false, "the infrastructure provider is not known")
            }
            Self::ControlPlane if here.control_plane().is_some() => Ok(()),
            Self::ControlPlane => {
                Self::Cluster.met(here)?;
                let name = here.cluster().and_then(|cluster| cluster.field("spec.controlPlaneRef.name").text());
                let gone = name.is_some_and(|name| absent(KUBEADM_CONTROL_PLANES, &name));
                require(false, gone, "the KubeadmControlPlane of `global` was not collected")
            }
            Self::Infrastructure => {
                let Some(own) = here.provider() else { return Self::Provider.met(here) };
                let kind = Provider::kind(&own.clusters);
                let gone = here.all(&kind).is_empty() && absent(&kind, "global");
                let sentence = format!("the {} of `global` was not collected", own.cluster_kind);
                require(here.infrastructure().is_some(), gone, sentence)
            }
            Self::Templates | Self::Pools => {
                let Some(own) = here.provider() else { return Self::Provider.met(here) };
                let (plural, found) = match self {
                    Self::Templates => (&own.templates, here.templates()),
                    _ => (&own.pools, here.pools()),
                };
                let sentence = format!("the {plural} of `global` were not collected");
                require(!found.is_empty(), here.listed(&Provider::kind(plural)).is_some(), sentence)
            }
            // The global cluster has AppReleases of its own, with other values.
            Self::Releases => {
                let found = !here.releases().is_empty();
                let sentence = "the AppReleases of the providers were not collected";
                require(found && !installed, installed || here.listed(RELEASES).is_some(), sentence)
            }
            Self::ImportMap => {
                let sentence = format!("the ConfigMap `{IMPORT_MAP}` was not collected");
                require(here.import_map().is_some(), installed || absent("configmaps", IMPORT_MAP), sentence)
            }
            Self::Request => {
                require(here.request().is_some(), installed, "the request to the installer was not collected")
            }
            Self::Progress => {
                require(!here.progress().is_empty(), installed, "no reply of the installer was collected")
            }
            Self::InstallerLog => {
                require(here.installer_log().is_some(), installed, "the log of the installer was not collected")
            }
            Self::Bootstrap => require(!installed, true, ""),
            Self::Installed => require(installed, true, ""),
        }
    }
}
