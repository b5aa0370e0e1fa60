//! The infrastructure providers, and the words that go with each.

/// An infrastructure provider and the words that go with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Provider {
    /// Value of the label `cluster-type`.
    pub name: &'static str,
    /// Kind of its infrastructure cluster.
    pub cluster_kind: &'static str,
    /// The same as plural.
    pub clusters: &'static str,
    /// Kind of its machine template.
    pub template_kind: &'static str,
    /// The same as plural.
    pub templates: &'static str,
    /// Plural of its pools.
    pub pools: &'static str,
    /// End of the name of its AppRelease.
    pub release: &'static str,
}

pub(super) const PROVIDERS: [Provider; 4] = [
    Provider {
        name: "DCS",
        cluster_kind: "DCSCluster",
        clusters: "dcsclusters",
        template_kind: "DCSMachineTemplate",
        templates: "dcsmachinetemplates",
        pools: "dcsiphostnamepools",
        release: "dcs",
    },
    Provider {
        name: "VSphere",
        cluster_kind: "VSphereCluster",
        clusters: "vsphereclusters",
        template_kind: "VSphereMachineTemplate",
        templates: "vspheremachinetemplates",
        pools: "vspheremachineconfigpools",
        release: "vsphere",
    },
    Provider {
        name: "HCS",
        cluster_kind: "HCSCluster",
        clusters: "hcsclusters",
        template_kind: "HCSMachineTemplate",
        templates: "hcsmachinetemplates",
        pools: "hcsmachineconfigpools",
        release: "hcs",
    },
    Provider {
        name: "ProviderBaremetal",
        cluster_kind: "BaremetalCluster",
        clusters: "baremetalclusters",
        template_kind: "BaremetalMachineTemplate",
        templates: "baremetalmachinetemplates",
        pools: "machineinventorypools",
        release: "baremetal",
    },
];
