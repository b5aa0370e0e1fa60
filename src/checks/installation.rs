//! One cluster's part of an installation: its objects by what they are for, and their fields three-valued.
//!
//! Invariant: an object belongs to `global` only by a tie that it or another object states (a reference, a
//! label, its owner, its name), never because nothing else is there.

use crate::checklist::Checklist;
use crate::encryption::Configuration;
use crate::group::Group;
use crate::log_line::LogLine;
use crate::object::Object;
use crate::provider::Provider;
use crate::sentence;
use facts::kind::KindName;
use facts::object::{ContextId, Lookup};
use facts::origin::Citation;
use facts::store::{Absence, AsOf, Facts, Scope};
use facts::unread::WhyUnread;
use jiff::Timestamp;
use std::cell::OnceCell;

/// The namespace of everything here.
pub(super) const NAMESPACE: &str = "cpaas-system";

/// What creates workers.
pub(super) const MACHINE_DEPLOYMENTS: &str = "machinedeployments.cluster.x-k8s.io";
/// The charts of the platform.
pub(super) const RELEASES: &str = "appreleases.operator.alauda.io";
/// The modules of clusters.
const MODULES: &str = "clustermodules.cluster.alauda.io";
/// The clusters that the platform manages.
const PLATFORM_CLUSTERS: &str = "clusters.platform.tkestack.io";
/// The ConfigMap that lists what is imported, for every provider.
pub(super) const IMPORT_MAP: &str = "dcs-import-extra-resources";

/// The names of the contexts that belong together, as `--as` gives them: two clusters of a pair, and the
/// bootstrap host with the cluster that was installed from it.
pub(super) const TOGETHER: [[&str; 2]; 2] = [["primary", "standby"], ["bootstrap", "global"]];

/// The name of a context, without the folder that it stands in.
pub(super) fn short(facts: &Facts, context: ContextId) -> &str {
    let name = facts.context(context).name.as_str();
    name.rsplit('/').next().unwrap_or(name)
}

/// The facts of one context as an installation of `global`.
pub(super) struct Installation<'f> {
    facts: &'f Facts,
    context: ContextId,
    peer: Option<ContextId>,
    /// What every guard of every test asks, once it was asked.
    provider: OnceCell<Option<&'static Provider>>,
    installed: OnceCell<bool>,
    references: OnceCell<Vec<(String, String)>>,
}

impl<'f> Installation<'f> {
    /// The side that a context is.
    pub(crate) fn of(facts: &'f Facts, context: ContextId) -> Self {
        let named = |name: &str| facts.context_ids().find(|id| short(facts, *id) == name);
        let own = short(facts, context);
        let both = TOGETHER.iter().find(|both| both.contains(&own));
        let other = both.map(|[a, b]| if own == *a { *b } else { *a });
        let (provider, installed, references) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { facts, context, peer: other.and_then(named), provider, installed, references }
    }

    /// The context that it belongs together with.
    pub(crate) fn peer(&self) -> Option<Installation<'f>> {
        self.peer.map(|context| Installation::of(self.facts, context))
    }

    /// Is it one of a primary and a standby cluster that were both given?
    pub(crate) fn is_of_pair(&self) -> bool {
        let [pair, _] = TOGETHER;
        self.peer.is_some() && pair.contains(&short(self.facts, self.context))
    }

    /// The clock against which lines of logs are measured.
    pub(crate) fn clock_of_logs(&self) -> Option<Timestamp> {
        self.facts.context(self.context).as_of.as_ref().map(AsOf::for_logs)
    }

    /// The clock of the context.
    pub(crate) fn clock(&self) -> Option<Timestamp> {
        self.facts.context(self.context).as_of.as_ref().map(|as_of| as_of.time)
    }

    /// Is it the only context of the run?
    pub(crate) fn is_alone(&self) -> bool {
        self.facts.contexts.len() == 1
    }

    /// What could not be read, with the reason.
    pub(crate) fn unread(&self) -> impl Iterator<Item = (Citation, &'f WhyUnread)> {
        self.facts.unread.iter().map(|(member, line, why)| (Citation::line(*member, *line, &why.to_string()), why))
    }

    /// The lines of its logs with a text; the text must be one of [`crate::literals`].
    pub(crate) fn lines(&self, text: &str) -> Vec<LogLine<'f>> {
        let streams = self.facts.streams.iter().filter(|stream| stream.context == self.context);
        let mut found = Vec::new();
        for stream in streams {
            let hits = stream.parts.iter().flat_map(|(_, log)| &log.hits);
            found.extend(hits.filter(|hit| hit.text.contains(text)).map(|hit| LogLine { hit, stream }));
        }
        found
    }

    /// That the installation is complete, with its place; nothing where that is not known.
    pub(crate) fn completed(&self) -> Option<(String, Citation)> {
        let says = |thing: &Object<'_>, path: &str, wanted: &str| {
            thing.field(path).valued().filter(|(text, _)| text == wanted).map(|(_, at)| at)
        };
        let by_reply = self.group("progress").into_iter().find_map(|reply| {
            says(&reply, "progress.type", "Complete")?;
            Some(("the installer says Complete".to_owned(), says(&reply, "progress.status", "Success")?))
        });
        let of = |kind: &str, path: &str, wanted: &str| {
            let thing = self.named(kind, "global")?;
            Some((format!("{thing} is {wanted}"), says(&thing, path, wanted)?))
        };
        by_reply
            .or_else(|| of(MODULES, "status.base.deployStatus", "Completed"))
            .or_else(|| of(PLATFORM_CLUSTERS, "status.phase", "Running"))
    }

    /// Does it show an installation: the Cluster `global`, a request to the installer or its progress, or the
    /// list of what it imports?
    pub(crate) fn is_installation(&self) -> bool {
        let groups = ["cluster", "request", "progress", "installer-log", "import-map"];
        groups.iter().any(|group| self.one(group).is_some())
    }

    /// The tree of the configuration file of the API server for encryption, if it was collected as a file.
    pub(crate) fn encryption_file(&self) -> Option<Configuration<'f>> {
        let thing = self.all("encryptionconfigurations.apiserver.config.k8s.io").into_iter().next()?;
        let record = &self.facts.object(thing.id).sightings.first()?.record;
        let is_whole = record.shown.text().is_whole();
        Some(Configuration { node: &record.node, citation: thing.citation(), is_whole })
    }

    pub(crate) fn is(&self, name: &str) -> bool {
        self.provider().is_some_and(|provider| provider.name == name)
    }

    /// Has the platform been installed? Then the registry is another one.
    pub(crate) fn is_installed(&self) -> bool {
        let is_there = |kind: &str| self.named(kind, "global").is_some();
        *self.installed.get_or_init(|| is_there(MODULES) || is_there(PLATFORM_CLUSTERS))
    }

    /// The certificate that etcd serves, as a text of it shows it.
    pub(crate) fn etcd_certificate(&self) -> Option<Object<'f>> {
        let is_of_etcd = |own: &Object<'_>| {
            let file = own.field("spec.file").text().unwrap_or_else(|| own.name().to_owned());
            file.contains("etcd") && file.contains("server") && own.field("spec.sans").node().is_some()
        };
        self.all("certificates.casefile.dev").into_iter().find(is_of_etcd)
    }

    /// A kind or a name, the words of the provider and the names that objects refer to filled in.
    pub(crate) fn filled_in(&self, text: &str) -> String {
        let kind = |plural: fn(&Provider) -> &String| self.provider().map(|own| Provider::kind(plural(own)));
        let named = |object: Option<Object<'f>>, paths: &[&str]| object?.any(paths).text();
        let word = |word: &str| match word {
            "clusters" => kind(|own| &own.clusters),
            "templates" => kind(|own| &own.templates),
            "pools" => kind(|own| &own.pools),
            "control-plane" => named(self.one("cluster"), &["spec.controlPlaneRef.name"]),
            "credentials" => named(self.infrastructure(), &["spec.credentialSecretRef.name", "spec.identityRef.name"]),
            word => self.word(word),
        };
        sentence::fill(text, |name| word(name).unwrap_or_default())
    }

    /// A word for something of the provider; nothing if it is none, an empty text while the provider is not known.
    pub(crate) fn word(&self, word: &str) -> Option<String> {
        let own: fn(&Provider) -> &String = match word {
            "provider" => |own| &own.name,
            "release" => |own| &own.release,
            "template-kind" => |own| &own.template_kind,
            "cluster-kind" => |own| &own.cluster_kind,
            "templates" => |own| &own.templates,
            "pools" => |own| &own.pools,
            "clusters" => return Some(self.filled_in("{clusters}")),
            _ => return None,
        };
        Some(self.provider().map_or(String::new(), |provider| own(provider).clone()))
    }

    /// Does its context have this name?
    pub(crate) fn is_named(&self, name: &str) -> bool {
        short(self.facts, self.context) == name
    }

    /// The objects of a group of `patterns/checks.yaml`.
    pub(crate) fn group(&self, name: &str) -> Vec<Object<'f>> {
        let found = Group::of(name).map_or(Vec::new(), |group| group.subjects(self));
        found.iter().filter_map(|subject| subject.object().copied()).collect()
    }

    /// The first of them.
    pub(crate) fn one(&self, name: &str) -> Option<Object<'f>> {
        self.group(name).into_iter().next()
    }

    /// The objects of a kind that are more than a reference.
    pub(crate) fn all(&self, kind: &str) -> Vec<Object<'f>> {
        let ids = self.facts.of_kind(self.context, &KindName::parse(kind));
        let things = ids.iter().map(|id| Object { facts: self.facts, id: *id });
        things.filter(|thing| !self.facts.object(thing.id).shadow).collect()
    }

    /// An object by kind and name.
    pub(crate) fn named(&self, kind: &str, name: &str) -> Option<Object<'f>> {
        self.all(kind).into_iter().find(|thing| thing.name() == name)
    }

    /// Is it proven that no object of this kind has this name? With the citation of the proof.
    pub(crate) fn lacks(&self, kind: &str, name: &str) -> Option<Vec<Citation>> {
        // Of a kind that nothing else reads the objects are counted, not kept.
        let counted = (self.context, KindName::parse(kind));
        if self.named(kind, name).is_some() || self.facts.counted.contains_key(&counted) {
            return None;
        }
        let scope = Scope { name: Some(name.to_owned()), ..self.scope(kind) };
        match self.facts.absence(self.context, &KindName::parse(kind), &scope) {
            Absence::Stated(citations) | Absence::Listed(citations) | Absence::Rows(citations) => Some(citations),
            Absence::Unknown { .. } => None,
        }
    }

    /// The list of a kind that holds all of them, if one was collected.
    pub(crate) fn listed(&self, kind: &str) -> Option<Vec<Citation>> {
        match self.facts.absence(self.context, &KindName::parse(kind), &self.scope(kind)) {
            Absence::Stated(citations) | Absence::Listed(citations) | Absence::Rows(citations) => Some(citations),
            Absence::Unknown { .. } => None,
        }
    }

    /// The scope in which a kind is looked at: the objects of the platform are in one namespace.
    fn scope(&self, kind: &str) -> Scope {
        let cluster_scoped = ["nodes", PLATFORM_CLUSTERS, "customresourcedefinitions.apiextensions.k8s.io"];
        let platform = kind.ends_with(".cluster.alauda.io") || cluster_scoped.contains(&kind);
        Scope { namespace: (!platform).then(|| NAMESPACE.to_owned()), name: None }
    }

    /// The provider, as the infrastructure reference of the Cluster or an infrastructure cluster says.
    pub(crate) fn provider(&self) -> Option<&'static Provider> {
        *self.provider.get_or_init(|| self.find_provider())
    }

    fn find_provider(&self) -> Option<&'static Provider> {
        let kind = self.one("cluster").and_then(|cluster| cluster.field("spec.infrastructureRef.kind").text());
        let by_reference = Provider::all().iter().find(|own| kind.as_deref() == Some(own.cluster_kind.as_str()));
        by_reference.or_else(|| {
            let mut found = Provider::all().iter().filter(|own| !self.all(&Provider::kind(&own.clusters)).is_empty());
            found.next().filter(|_| found.next().is_none())
        })
    }

    /// The infrastructure cluster that the Cluster names.
    pub(crate) fn infrastructure(&self) -> Option<Object<'f>> {
        let provider = self.provider()?;
        let name = self.one("cluster").and_then(|cluster| cluster.field("spec.infrastructureRef.name").text());
        let all = self.all(&Provider::kind(&provider.clusters));
        all.into_iter().find(|thing| name.as_deref().is_none_or(|name| thing.name() == name))
    }

    /// A value of `patterns/checks.yaml`: `vip` is the address of the control plane.
    pub(crate) fn value(&self, name: &str) -> Option<(String, Citation)> {
        let row = Checklist::built_in().values.iter().find(|own| own.name == name)?;
        row.of.iter().find_map(|reference| reference.value(self, None))
    }

    /// The objects of a kind that are tied to `global`.
    pub(crate) fn belonging(&self, kind: &str) -> Vec<Object<'f>> {
        let references = self.references.get_or_init(|| self.find_references());
        let all = self.all(kind).into_iter();
        all.filter(|thing| {
            let says = |field: Lookup<'_>| field.text().as_deref() == Some("global");
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
    fn find_references(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut add = |thing: Object<'f>, path: &str| {
            let (kind, name) =
                (thing.field(&format!("{path}.kind")).text(), thing.field(&format!("{path}.name")).text());
            if let (Some(kind), Some(name)) = (kind, name) {
                found.push((format!("{}s", kind.to_ascii_lowercase()), name));
            }
        };
        let Some(cluster) = self.one("cluster") else { return found };
        add(cluster, "spec.controlPlaneRef");
        add(cluster, "spec.infrastructureRef");
        if let Some(plane) = self.one("control-plane") {
            for path in CONTROL_PLANE_TEMPLATE {
                add(plane, path);
            }
        }
        for workers in self.all(MACHINE_DEPLOYMENTS) {
            if workers.field("spec.clusterName").text().as_deref() == Some("global") {
                add(workers, "spec.template.spec.bootstrap.configRef");
                add(workers, "spec.template.spec.infrastructureRef");
            }
        }
        for provider in Provider::all() {
            let mut templates = self.all(&Provider::kind(&provider.templates));
            templates.retain(|own| found.iter().any(|(kind, name)| *kind == provider.templates && name == own.name()));
            let pools = templates.iter().flat_map(|template| {
                POOL_REFERENCES.iter().filter_map(|path| template.field(&format!("{path}.name")).text())
            });
            found.extend(pools.map(|name| (provider.pools.clone(), name)).collect::<Vec<_>>());
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
