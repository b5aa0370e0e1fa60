//! One cluster's part of an installation: its objects by what they are for, and their fields three-valued.
//!
//! Invariant: an object belongs to `global` only by a tie that it or another object states (a reference, a
//! label, its owner, its name), never because nothing else is there.

use crate::facts::kind::KindName;
use crate::facts::log::LogHit;
use crate::facts::mask::{self, Mask};
use crate::facts::node::{Node, Value};
use crate::facts::object::{ContextId, Lookup, ObjectId};
use crate::facts::origin::Citation;
use crate::facts::path::Path;
use crate::facts::store::{Absence, Facts, Scope, Stream};
use jiff::Timestamp;

/// The namespace of everything here.
pub(super) const NAMESPACE: &str = "cpaas-system";

/// Every kind that a check reads.
pub(super) const KINDS: [&str; 34] = [
    "clusters.cluster.x-k8s.io",
    "machinedeployments.cluster.x-k8s.io",
    "machines.cluster.x-k8s.io",
    "kubeadmcontrolplanes.controlplane.cluster.x-k8s.io",
    "kubeadmconfigtemplates.bootstrap.cluster.x-k8s.io",
    "clusterresourcesets.addons.cluster.x-k8s.io",
    "dcsclusters.infrastructure.cluster.x-k8s.io",
    "dcsmachinetemplates.infrastructure.cluster.x-k8s.io",
    "dcsiphostnamepools.infrastructure.cluster.x-k8s.io",
    "vsphereclusters.infrastructure.cluster.x-k8s.io",
    "vspheremachinetemplates.infrastructure.cluster.x-k8s.io",
    "vspheremachineconfigpools.infrastructure.cluster.x-k8s.io",
    "hcsclusters.infrastructure.cluster.x-k8s.io",
    "hcsmachinetemplates.infrastructure.cluster.x-k8s.io",
    "hcsmachineconfigpools.infrastructure.cluster.x-k8s.io",
    "baremetalclusters.infrastructure.cluster.x-k8s.io",
    "baremetalmachinetemplates.infrastructure.cluster.x-k8s.io",
    "machineinventorypools.infrastructure.cluster.x-k8s.io",
    "dcsmachines.infrastructure.cluster.x-k8s.io",
    "vspheremachines.infrastructure.cluster.x-k8s.io",
    "vspherevms.infrastructure.cluster.x-k8s.io",
    "hcsmachines.infrastructure.cluster.x-k8s.io",
    "baremetalmachines.infrastructure.cluster.x-k8s.io",
    "appreleases.operator.alauda.io",
    "clusters.platform.tkestack.io",
    "clustermodules.cluster.alauda.io",
    "moduleinfoes.cluster.alauda.io",
    "customresourcedefinitions.apiextensions.k8s.io",
    "nodes",
    "encryptionconfigurations.apiserver.config.k8s.io",
    "installerrequests.casefile.dev",
    "installerprogresses.casefile.dev",
    "installerlogs.casefile.dev",
    "certificates.casefile.dev",
];

/// Kinds that a check reads in [`NAMESPACE`] alone.
pub(super) const PLACED: [&str; 6] =
    ["secrets", "configmaps", "pods", "jobs.batch", "leases.coordination.k8s.io", "certificates.cert-manager.io"];

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

/// A field of an object.
#[derive(Debug, Clone)]
pub(super) enum Field<'f> {
    /// It has this value.
    Set(&'f Node, Citation),
    /// It surely has none.
    NotSet(Citation),
    /// It has one that was masked.
    Masked(Citation),
    /// Nothing shows it.
    Unknown,
}

impl<'f> Field<'f> {
    /// Its text, if it is a scalar.
    pub fn text(&self) -> Option<String> {
        match self {
            Field::Set(node, _) => node.value.scalar(),
            _ => None,
        }
    }

    /// Where it, or its absence, stands.
    pub fn citation(&self) -> Option<Citation> {
        match self {
            Field::Set(_, citation) | Field::NotSet(citation) | Field::Masked(citation) => Some(citation.clone()),
            Field::Unknown => None,
        }
    }

    /// Its node, if set.
    pub fn node(&self) -> Option<&'f Node> {
        match self {
            Field::Set(node, _) => Some(node),
            _ => None,
        }
    }

    /// Surely without a value; an empty text counts as none.
    pub fn is_empty(&self) -> bool {
        match self {
            Field::NotSet(_) => true,
            Field::Set(node, _) => node.value.is_empty(),
            Field::Masked(_) | Field::Unknown => false,
        }
    }
}

/// One object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thing<'f> {
    facts: &'f Facts,
    id: ObjectId,
}

impl<'f> Thing<'f> {
    /// Its name.
    pub fn name(&self) -> &'f str {
        &self.facts.object(self.id).name
    }

    /// Its namespace, if shown.
    pub fn namespace(&self) -> Option<&'f str> {
        self.facts.object(self.id).namespace.as_deref()
    }

    /// Its kind.
    pub fn kind(&self) -> &'f KindName {
        &self.facts.object(self.id).kind
    }

    /// A field by its path.
    pub fn field(&self, path: &str) -> Field<'f> {
        let Ok(path) = Path::parse(path) else { return Field::Unknown };
        match self.facts.lookup(self.id, &path) {
            Lookup::Found(values) => match values.into_iter().next() {
                Some((node, citation)) => Field::Set(node, citation),
                None => Field::Unknown,
            },
            Lookup::NotSet(citation) | Lookup::NotSetOrEmpty(citation) => Field::NotSet(citation),
            Lookup::Redacted(citation) => Field::Masked(citation),
            Lookup::AtLeast(_) | Lookup::Unknown(_) => Field::Unknown,
        }
    }

    /// The first of several paths that is set; else what the first says.
    pub fn any(&self, paths: &[&str]) -> Field<'f> {
        let mut fields = paths.iter().map(|path| self.field(path));
        let first = fields.next().unwrap_or(Field::Unknown);
        match first {
            Field::Set(..) | Field::Masked(_) => first,
            _ => fields.find(|field| matches!(field, Field::Set(..) | Field::Masked(_))).unwrap_or(first),
        }
    }

    /// A label.
    pub fn label(&self, key: &str) -> Field<'f> {
        self.field(&format!("metadata.labels[\"{key}\"]"))
    }

    /// An annotation.
    pub fn annotation(&self, key: &str) -> Field<'f> {
        self.field(&format!("metadata.annotations[\"{key}\"]"))
    }

    /// The keys of a map field.
    pub fn keys(&self, path: &str) -> Vec<&'f str> {
        self.field(path).node().map_or(Vec::new(), |node| node.entries().iter().map(|(key, _)| &**key).collect())
    }

    /// The shape of a masked value.
    pub fn mask(&self, keys: &[&str]) -> Option<&'f Mask> {
        let sightings = &self.facts.object(self.id).sightings;
        sightings.iter().find_map(|sighting| exact(&sighting.record.node, keys).and_then(mask::of_node))
    }

    /// Where it stands.
    pub fn citation(&self) -> Citation {
        let record = &self.facts.object(self.id).sightings.first().map(|sighting| &sighting.record);
        match record {
            Some(record) => {
                let mut citation = Citation::line(record.member, record.line, &self.to_string());
                citation.path.clone_from(&record.path);
                citation
            }
            None => Citation::line(crate::facts::origin::MemberId(u32::MAX), 0, ""),
        }
    }
}

/// Keys of maps with dots in them are followed as they are.
fn exact<'f>(node: &'f Node, keys: &[&str]) -> Option<&'f Node> {
    keys.iter().try_fold(node, |node, key| match (key.parse::<usize>(), &node.value) {
        (Ok(index), Value::List(items)) => items.get(index),
        _ => node.get(key),
    })
}

impl std::fmt::Display for Thing<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sightings = &self.facts.object(self.id).sightings;
        let kind = sightings.iter().find_map(|sighting| sighting.record.node.get("kind").and_then(Node::as_str));
        write!(f, "{} `{}`", kind.unwrap_or(&self.kind().plural), self.name())
    }
}

/// A line of a log.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'f> {
    hit: &'f LogHit,
    stream: &'f Stream,
}

impl<'f> Line<'f> {
    /// Its text.
    pub fn text(&self) -> &'f str {
        &self.hit.text
    }

    /// The stream that it stands in.
    pub fn stream(&self) -> &'f str {
        &self.stream.name
    }

    /// Does the Pod, or the file, that it stands in have a name that begins so?
    pub fn is_of(&self, name: &str) -> bool {
        let pod = self.stream.pod.as_ref().map(|(_, pod, _)| pod.as_str());
        let file = self.stream.name.rsplit('/').next().unwrap_or_default();
        pod.is_some_and(|pod| pod.starts_with(name)) || pod.is_none() && file.starts_with(name)
    }

    /// How many minutes before a clock it was written; nothing where one of the two is not known.
    pub fn age(&self, clock: Option<Timestamp>) -> Option<i64> {
        let written = self.hit.fields.time?.resolve(clock)?;
        Some(clock?.duration_since(written).as_mins())
    }

    /// Where it stands.
    pub fn citation(&self) -> Citation {
        Citation::line(self.hit.member, self.hit.line, &self.hit.text)
    }
}

/// The names of the contexts that belong together, as `--as` gives them: two clusters of a pair, and the
/// bootstrap host with the cluster that was installed from it.
pub(super) const TOGETHER: [[&str; 2]; 2] = [["primary", "standby"], ["bootstrap", "global"]];

/// The name of a context, without the folder that it stands in.
pub(super) fn short(facts: &Facts, context: ContextId) -> &str {
    let name = facts.context(context).name.as_str();
    name.rsplit('/').next().unwrap_or(name)
}

/// The facts of one context as an installation of `global`.
pub(super) struct Side<'f> {
    facts: &'f Facts,
    context: ContextId,
    peer: Option<ContextId>,
}

impl<'f> Side<'f> {
    /// The side that a context is.
    pub fn of(facts: &'f Facts, context: ContextId) -> Self {
        let named = |name: &str| facts.context_ids().find(|id| short(facts, *id) == name);
        let own = short(facts, context);
        let other = TOGETHER.iter().find_map(|[a, b]| match own {
            own if own == *a => Some(*b),
            own if own == *b => Some(*a),
            _ => None,
        });
        Self { facts, context, peer: other.and_then(named) }
    }

    /// The context that it belongs together with.
    pub fn peer(&self) -> Option<Side<'f>> {
        self.peer.map(|context| Side::of(self.facts, context))
    }

    /// Is it one of a primary and a standby cluster that were both given?
    pub fn is_of_pair(&self) -> bool {
        let [pair, _] = TOGETHER;
        self.peer.is_some() && pair.contains(&short(self.facts, self.context))
    }

    /// The clock of the context.
    pub fn clock(&self) -> Option<Timestamp> {
        self.facts.context(self.context).as_of.as_ref().map(|as_of| as_of.time)
    }

    /// Is it the only context of the run?
    pub fn is_alone(&self) -> bool {
        self.facts.contexts.len() == 1
    }

    /// What could not be read: the place and the reason.
    pub fn unread(&self) -> impl Iterator<Item = (Citation, &'f str)> {
        self.facts.unread.iter().map(|(member, line, why)| (Citation::line(*member, *line, why), why.as_str()))
    }

    /// The lines of its logs with a text; the text must be one of [`super::LITERALS`].
    pub fn lines(&self, text: &'static str) -> Vec<Line<'f>> {
        let streams = self.facts.streams.iter().filter(|stream| stream.context == self.context);
        let mut found = Vec::new();
        for stream in streams {
            let hits = stream.parts.iter().flat_map(|(_, log)| &log.hits);
            found.extend(hits.filter(|hit| hit.text.contains(text)).map(|hit| Line { hit, stream }));
        }
        found
    }

    /// The replies of the installer that tell how far it is.
    pub fn progress(&self) -> Vec<Thing<'f>> {
        self.all("installerprogresses.casefile.dev")
    }

    /// What the log of the installer says.
    pub fn installer_log(&self) -> Option<Thing<'f>> {
        self.all("installerlogs.casefile.dev").into_iter().next()
    }

    /// That the installation is complete, with its place; nothing where that is not known.
    pub fn completed(&self) -> Option<(String, Citation)> {
        let by_reply = self.progress().into_iter().find_map(|reply| {
            let (status, kind) = (reply.field("progress.status"), reply.field("progress.type"));
            let complete = status.text().as_deref() == Some("Success") && kind.text().as_deref() == Some("Complete");
            complete.then(|| Some(("the installer says Complete".to_owned(), status.citation()?)))?
        });
        let of = |kind: &str, path: &str, wanted: &str| {
            let thing = self.named(kind, "global")?;
            let field = thing.field(path);
            let right = field.text().as_deref() == Some(wanted);
            right.then(|| Some((format!("{thing} is {wanted}"), field.citation()?)))?
        };
        by_reply
            .or_else(|| of("clustermodules.cluster.alauda.io", "status.base.deployStatus", "Completed"))
            .or_else(|| of("clusters.platform.tkestack.io", "status.phase", "Running"))
    }

    /// The ModuleInfo of etcd-sync.
    pub fn sync(&self) -> Option<Thing<'f>> {
        let says = |thing: &Thing<'_>, key: &str, wanted: &str| thing.label(key).text().as_deref() == Some(wanted);
        self.all("moduleinfoes.cluster.alauda.io").into_iter().find(|thing| {
            says(thing, "cpaas.io/module-name", "etcd-sync") && says(thing, "cpaas.io/cluster-name", "global")
        })
    }

    /// The Pods of the installer.
    pub fn installers(&self) -> Vec<Thing<'f>> {
        let pods = self.all("pods").into_iter();
        pods.filter(|pod| pod.label("service_name").text().as_deref() == Some("cpaas-installer")).collect()
    }

    /// Does it show an installation: the Cluster `global`, a request to the installer or its progress, or the
    /// list of what it imports?
    pub fn is_installation(&self) -> bool {
        let of_installer =
            ["installerrequests.casefile.dev", "installerprogresses.casefile.dev", "installerlogs.casefile.dev"];
        self.cluster().is_some()
            || of_installer.iter().any(|kind| !self.all(kind).is_empty())
            || self.import_map().is_some()
    }

    /// The tree of the configuration file of the API server for encryption, if it was collected as a file.
    pub fn encryption_file(&self) -> Option<(&'f Node, Citation)> {
        let thing = self.all("encryptionconfigurations.apiserver.config.k8s.io").into_iter().next()?;
        let node = &self.facts.object(thing.id).sightings.first()?.record.node;
        Some((node, thing.citation()))
    }

    /// Is it this provider?
    pub fn is(&self, name: &str) -> bool {
        self.provider().is_some_and(|provider| provider.name == name)
    }

    /// Has the platform been installed? Then the registry is another one.
    pub fn is_installed(&self) -> bool {
        self.named("clustermodules.cluster.alauda.io", "global").is_some()
            || self.named("clusters.platform.tkestack.io", "global").is_some()
    }

    /// A field of the installer request.
    pub fn request_field(&self, path: &str) -> Option<Field<'f>> {
        self.request().map(|request| request.any(&[path, &format!("spec.{path}")]))
    }

    /// The AppReleases of the two providers, as far as they are here.
    pub fn releases(&self) -> Vec<Thing<'f>> {
        let kubeadm = self.named("appreleases.operator.alauda.io", "cluster-api-provider-kubeadm");
        kubeadm.into_iter().chain(self.release()).collect()
    }

    /// The objects of a kind that are more than a reference.
    pub fn all(&self, kind: &str) -> Vec<Thing<'f>> {
        let ids = self.facts.of_kind(self.context, &KindName::parse(kind));
        let things = ids.iter().map(|id| Thing { facts: self.facts, id: *id });
        things.filter(|thing| !self.facts.object(thing.id).shadow).collect()
    }

    /// An object by kind and name.
    pub fn named(&self, kind: &str, name: &str) -> Option<Thing<'f>> {
        self.all(kind).into_iter().find(|thing| thing.name() == name)
    }

    /// Is it proven that no object of this kind has this name? With the citation of the proof.
    pub fn lacks(&self, kind: &str, name: &str) -> Option<Vec<Citation>> {
        // Of a kind that nothing else reads the objects are counted, not kept.
        let counted = (self.context, KindName::parse(kind));
        if self.named(kind, name).is_some() || self.facts.counted.contains_key(&counted) {
            return None;
        }
        let scope = Scope { name: Some(name.to_owned()), ..self.scope(kind) };
        match self.facts.absence(self.context, &KindName::parse(kind), &scope) {
            Absence::Stated(citations) | Absence::Listed(citations) => Some(citations),
            Absence::Unknown { .. } => None,
        }
    }

    /// The list of a kind that holds all of them, if one was collected.
    pub fn listed(&self, kind: &str) -> Option<Vec<Citation>> {
        match self.facts.absence(self.context, &KindName::parse(kind), &self.scope(kind)) {
            Absence::Stated(citations) | Absence::Listed(citations) => Some(citations),
            Absence::Unknown { .. } => None,
        }
    }

    /// Was a kind listed whole?
    pub fn whole(&self, kind: &str) -> bool {
        self.listed(kind).is_some()
    }

    /// The scope in which a kind is looked at: the objects of the platform are in one namespace.
    fn scope(&self, kind: &str) -> Scope {
        let cluster_scoped =
            ["nodes", "clusters.platform.tkestack.io", "customresourcedefinitions.apiextensions.k8s.io"];
        let platform = kind.ends_with(".cluster.alauda.io") || cluster_scoped.contains(&kind);
        Scope { namespace: (!platform).then(|| NAMESPACE.to_owned()), name: None }
    }

    /// The Cluster object of Cluster API named `global`.
    pub fn cluster(&self) -> Option<Thing<'f>> {
        self.named("clusters.cluster.x-k8s.io", "global")
    }

    /// The provider, as the infrastructure reference of the Cluster or an infrastructure cluster says.
    pub fn provider(&self) -> Option<Provider> {
        let by_reference = self.cluster().and_then(|cluster| cluster.field("spec.infrastructureRef.kind").text());
        let of = |kind: &str| PROVIDERS.into_iter().find(|provider| provider.cluster_kind == kind);
        by_reference.as_deref().and_then(of).or_else(|| {
            let mut found = PROVIDERS.into_iter().filter(|provider| !self.infrastructure_of(*provider).is_empty());
            found.next().filter(|_| found.next().is_none())
        })
    }

    fn infrastructure_of(&self, provider: Provider) -> Vec<Thing<'f>> {
        self.all(&format!("{}.infrastructure.cluster.x-k8s.io", provider.clusters))
    }

    /// The infrastructure cluster that the Cluster names.
    pub fn infrastructure(&self) -> Option<Thing<'f>> {
        let provider = self.provider()?;
        let name = self.cluster().and_then(|cluster| cluster.field("spec.infrastructureRef.name").text());
        let all = self.infrastructure_of(provider);
        all.into_iter().find(|thing| name.as_deref().is_none_or(|name| thing.name() == name))
    }

    /// The KubeadmControlPlane that the Cluster names.
    pub fn control_plane(&self) -> Option<Thing<'f>> {
        let name = self.cluster()?.field("spec.controlPlaneRef.name").text()?;
        self.named("kubeadmcontrolplanes.controlplane.cluster.x-k8s.io", &name)
    }

    /// The machine templates of the provider that belong to `global`.
    pub fn templates(&self) -> Vec<Thing<'f>> {
        let Some(provider) = self.provider() else { return Vec::new() };
        self.belonging(&format!("{}.infrastructure.cluster.x-k8s.io", provider.templates))
    }

    /// The pools of the provider that belong to `global`.
    pub fn pools(&self) -> Vec<Thing<'f>> {
        let Some(provider) = self.provider() else { return Vec::new() };
        self.belonging(&format!("{}.infrastructure.cluster.x-k8s.io", provider.pools))
    }

    /// The request to the installer.
    pub fn request(&self) -> Option<Thing<'f>> {
        self.all("installerrequests.casefile.dev").into_iter().next()
    }

    /// The Machines of `global`.
    pub fn machines(&self) -> Vec<Thing<'f>> {
        self.belonging("machines.cluster.x-k8s.io")
    }

    /// The AppRelease of the infrastructure provider.
    pub fn release(&self) -> Option<Thing<'f>> {
        let provider = self.provider()?;
        self.named("appreleases.operator.alauda.io", &format!("cluster-api-provider-{}", provider.release))
    }

    /// The ConfigMap that lists what is imported besides.
    pub fn import_map(&self) -> Option<Thing<'f>> {
        self.named("configmaps", "dcs-import-extra-resources")
    }

    /// The address of the control plane.
    pub fn vip(&self) -> Option<(String, Citation)> {
        let infrastructure = self.infrastructure();
        let of = |thing: Thing<'f>, path: &str| {
            let field = thing.field(path);
            Some((field.text().filter(|text| !text.is_empty())?, field.citation()?))
        };
        infrastructure
            .and_then(|thing| {
                [
                    "spec.controlPlaneEndpoint.host",
                    "spec.controlPlaneLoadBalancer.vipAddress",
                    "spec.controlPlaneLoadBalancer.host",
                ]
                .iter()
                .find_map(|path| of(thing, path))
            })
            .or_else(|| of(self.cluster()?, "spec.controlPlaneEndpoint.host"))
    }

    /// The address of the platform: the domain that users call.
    pub fn platform_host(&self) -> Option<(String, Citation)> {
        let release = self.release().map(|thing| thing.field("spec.values.global.host"));
        let request = self.request().map(|thing| thing.field("console.globalHost"));
        [release, request].into_iter().flatten().find_map(|field| {
            let text = field.text().filter(|text| !text.is_empty())?;
            let bare = text.split("://").last().unwrap_or(&text).trim_end_matches('/').to_owned();
            Some((bare, field.citation()?))
        })
    }

    /// The objects of a kind that are tied to `global`.
    pub fn belonging(&self, kind: &str) -> Vec<Thing<'f>> {
        let references = self.references();
        let all = self.all(kind).into_iter();
        all.filter(|thing| {
            let says = |field: Field<'_>| field.text().as_deref() == Some("global");
            thing.name().starts_with("global-")
                || says(thing.label("cluster.x-k8s.io/cluster-name"))
                || says(thing.label("cpaas.io/cluster-name"))
                || says(thing.field("spec.clusterName"))
                || says(thing.field("metadata.ownerReferences[kind=Cluster].name"))
                || references.iter().any(|(kind, name)| *kind == thing.kind().plural && name == thing.name())
        })
        .collect()
    }

    /// What the objects of `global` refer to, as plural and name.
    fn references(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut add = |thing: Thing<'f>, path: &str| {
            let (kind, name) =
                (thing.field(&format!("{path}.kind")).text(), thing.field(&format!("{path}.name")).text());
            if let (Some(kind), Some(name)) = (kind, name) {
                found.push((format!("{}s", kind.to_ascii_lowercase()), name));
            }
        };
        let Some(cluster) = self.cluster() else { return found };
        add(cluster, "spec.controlPlaneRef");
        add(cluster, "spec.infrastructureRef");
        if let Some(plane) = self.control_plane() {
            for path in CONTROL_PLANE_TEMPLATE {
                add(plane, path);
            }
        }
        let workers = self.all("machinedeployments.cluster.x-k8s.io").into_iter();
        for workers in workers.filter(|thing| thing.field("spec.clusterName").text().as_deref() == Some("global")) {
            add(workers, "spec.template.spec.bootstrap.configRef");
            add(workers, "spec.template.spec.infrastructureRef");
        }
        for plural in PROVIDERS.map(|provider| provider.templates) {
            let known: Vec<String> =
                found.iter().filter(|(kind, _)| kind == plural).map(|(_, name)| name.clone()).collect();
            for template in self.all(&format!("{plural}.infrastructure.cluster.x-k8s.io")) {
                if known.iter().any(|name| name == template.name()) {
                    for path in POOL_REFERENCES {
                        if let Some(name) = template.field(&format!("{path}.name")).text() {
                            let provider = PROVIDERS.iter().find(|provider| provider.templates == plural);
                            found.extend(provider.map(|provider| (provider.pools.to_owned(), name)));
                        }
                    }
                }
            }
        }
        found
    }
}

/// Where a KubeadmControlPlane names its machine template, in both API versions.
pub(super) const CONTROL_PLANE_TEMPLATE: [&str; 2] =
    ["spec.machineTemplate.infrastructureRef", "spec.machineTemplate.spec.infrastructureRef"];

/// Where a machine template names its pool.
pub(super) const POOL_REFERENCES: [&str; 3] =
    ["spec.template.spec.ipHostPoolRef", "spec.template.spec.machineConfigPoolRef", "spec.template.spec.configPoolRef"];
