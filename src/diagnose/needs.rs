//! What the signatures need, and what of it each context holds: the answer to "what can be told from this
//! bundle, and what not?", and the commands that would add most.
//!
//! Why apart from the coverage records: those say what was answered; this says what that is worth. A must-gather
//! answers namespace by namespace, and a kind of which every namespace answered is no kind "in part".
//!
//! Invariants: what is called whole is whole by the rules of [`Facts::absence`] or in every namespace that the
//! bundle knows of; logs are here or not, never whole; a command asks only for what some signature reads, and
//! never for a kind of a product of which the context shows no trace, since `kubectl get` fails altogether for
//! one kind that is not served.

use catalogue::areas;
use catalogue::kinds::Catalogue;
use catalogue::nouns::program;
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::kind::KindName;
use facts::object::{ContextId, Lookup};
use facts::path::Path;
use facts::store::{Absence, Facts, Scope};
use serde::Serialize;
use signature::load::Library;
use signature::model::{Query, Signature};
use std::collections::{BTreeMap, BTreeSet};

/// How much of a need a context holds, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// A list of all, proven by its command, its layout or its own text.
    Whole,
    /// Every namespace that the bundle knows of answered.
    EachNamespace,
    /// A list of all whose command is not known.
    Listed,
    /// The API server serves no such kind: there are none.
    NoSuchKind,
    /// Logs, or a program's answer, from every instance that is known, or from all that there is.
    Here,
    /// Some namespaces, some objects, or logs of some instances.
    Part,
    /// It was asked for, and nothing came of it.
    Failed,
    /// Nobody asked.
    NeverAsked,
}

impl Standing {
    /// The words that the text prints before what has this standing.
    pub fn words(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::EachNamespace => "whole in each namespace",
            Self::Listed => "whole as listed",
            Self::NoSuchKind => "no such kind",
            Self::Here => "here",
            Self::Part => "in part",
            Self::Failed => "failed",
            Self::NeverAsked => "never asked",
        }
    }

    /// Would collecting it add anything?
    fn is_lacking(self) -> bool {
        matches!(self, Self::Part | Self::Failed | Self::NeverAsked)
    }
}

/// One kind or one class of logs that signatures read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Need {
    /// What it belongs to: `etcd`, `Nodes`, `Cluster API`.
    pub area: &'static str,
    /// The kind as `plural.group`; null for logs.
    pub kind: Option<String>,
    /// The class of logs; null for a kind.
    pub logs: Option<String>,
    /// In words for people: `pods`, `member list`, `logs of kubelet`.
    pub what: String,
    /// How much of it is here.
    pub standing: Standing,
    /// What is missing and why; empty if nothing is.
    pub detail: String,
    /// Objects seen, or instances with logs.
    pub seen: u64,
    /// Ids of the signatures that read it.
    pub signatures: Vec<String>,
}

/// A command that would add what is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Wanted {
    /// Where to run it: `cluster`, `management`, `node`.
    pub on: String,
    pub command: String,
    /// What it adds, in words: `pods`, `member list`, `logs of kubelet`.
    pub what: Vec<String>,
    /// What to look out for.
    pub note: Option<String>,
    /// Ids of the signatures that it would help to decide.
    pub signatures: Vec<String>,
}

/// What one context holds of all that is needed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Needs {
    /// All needs, by area in the order of the text, then kinds before logs, by name.
    pub needs: Vec<Need>,
    /// Products of which the context shows no trace: nothing of theirs is asked for.
    pub no_trace: Vec<&'static str>,
    /// Commands for what is missing, those that help most signatures first.
    pub wanted: Vec<Wanted>,
}

/// Kinds that are not needed where another one says the same.
const INSTEAD_OF: [(&str, &str); 2] =
    [("events.events.k8s.io", "events"), ("endpoints", "endpointslices.discovery.k8s.io")];

/// What signatures read: kinds and classes of logs with the ids of the signatures.
#[derive(Debug, Default)]
struct Read {
    kinds: BTreeMap<KindName, BTreeSet<String>>,
    logs: BTreeMap<String, BTreeSet<String>>,
    /// Commands that the signatures themselves name for a class.
    commands: BTreeMap<String, (String, String)>,
}

impl Read {
    fn of(library: &Library) -> Self {
        let mut read = Self::default();
        for signature in &library.signatures {
            for kind in signature.kinds() {
                let (kinds, classes) = catalogue::nouns::made_of(&kind);
                // Of all that is told of etcd, alarms serve only those that ask for them.
                let alarms = |kind: &KindName| kind.plural == "etcdalarms" && kind.group == "casefile.dev";
                for kind in kinds.into_iter().filter(|kind| !alarms(kind) || asks_for_alarms(signature)) {
                    read.kinds.entry(kind).or_default().insert(signature.id.clone());
                }
                for class in classes {
                    read.logs.entry((*class).to_owned()).or_default().insert(signature.id.clone());
                }
            }
            for evidence in &signature.evidence {
                let Query::Log(log) = &evidence.query else { continue };
                let Some(class) = &log.source else { continue };
                read.logs.entry(class.clone()).or_default().insert(signature.id.clone());
                if let Some(collect) = evidence.collect.as_ref().filter(|collect| !collect.run.contains('{')) {
                    let command = (collect.on.clone(), collect.run.clone());
                    read.commands.entry(class.clone()).or_insert(command);
                }
            }
        }
        // What code only derives from logs and transcripts has no command and is no need of its own.
        read.kinds.retain(|kind, _| kind.group != "casefile.dev" || program(kind).is_some());
        read
    }
}

/// Does a signature read the alarms of etcd?
fn asks_for_alarms(signature: &Signature) -> bool {
    let paths = signature.evidence.iter().filter_map(|evidence| match &evidence.query {
        Query::Object(query) => Some(query.filter.iter().map(|predicate| &predicate.path).chain(&query.show)),
        Query::Log(_) => None,
    });
    paths.flatten().any(|path| path.to_string().contains("alarm"))
}

/// What each context holds of what the signatures need, by the order of the contexts.
pub fn needs(facts: &Facts, library: &Library, catalogue: &Catalogue) -> Vec<Needs> {
    let read = Read::of(library);
    facts.context_ids().map(|context| In { facts, catalogue, context }.needs(&read)).collect()
}

struct In<'a> {
    facts: &'a Facts,
    catalogue: &'a Catalogue,
    context: ContextId,
}

impl In<'_> {
    fn needs(&self, read: &Read) -> Needs {
        let namespaces = self.namespaces();
        let mut needs: Vec<Need> = Vec::new();
        let mut kinds: BTreeMap<String, KindName> = BTreeMap::new();
        for (kind, signatures) in &read.kinds {
            let (standing, detail) = self.kind(kind, &namespaces);
            kinds.insert(kind.to_string(), kind.clone());
            needs.push(Need {
                area: areas::of_kind(kind),
                what: program(kind).map_or_else(|| self.short(kind), |(words, _)| words.to_owned()),
                kind: Some(kind.to_string()),
                logs: None,
                standing,
                detail,
                seen: self.objects(kind),
                signatures: signatures.iter().cloned().collect(),
            });
        }
        for (class, signatures) in &read.logs {
            let (standing, detail, seen) = self.logs(class);
            needs.push(Need {
                area: areas::of_logs(class),
                what: format!("logs of {class}"),
                kind: None,
                logs: Some(class.clone()),
                standing,
                detail,
                seen,
                signatures: signatures.iter().cloned().collect(),
            });
        }
        let is_missing = |needs: &[Need], kind: &str| {
            needs.iter().any(|need| need.kind.as_deref() == Some(kind) && need.standing == Standing::NeverAsked)
        };
        for (one, other) in INSTEAD_OF {
            let dropped = match is_missing(&needs, one) {
                true => one,
                false if is_missing(&needs, other) => other,
                false => continue,
            };
            needs.retain(|need| need.kind.as_deref() != Some(dropped));
        }
        let position = |area: &str| areas::all().iter().position(|known| known.area == area);
        needs.sort_by_key(|need| (position(need.area), need.logs.is_some(), need.standing, need.what.clone()));
        let traced = |area: &str| {
            let mut of_area = needs.iter().filter(|need| need.area == area);
            of_area.any(|need| !matches!(need.standing, Standing::NeverAsked | Standing::NoSuchKind))
        };
        let products = areas::all().iter().filter(|area| area.product).map(|area| area.area.as_str());
        let no_trace: Vec<&'static str> =
            products.filter(|area| needs.iter().any(|need| need.area == *area) && !traced(area)).collect();
        let wanted = self.wanted(read, &needs, &kinds, &no_trace);
        Needs { needs, no_trace, wanted }
    }

    /// All namespaces that the context knows of.
    fn namespaces(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for coverage in self.facts.coverage.iter().filter(|coverage| coverage.context == self.context) {
            if let Namespaces::Some(some) = &coverage.answer.namespaces {
                names.extend(some.iter().cloned());
            }
        }
        for ((context, kind), ids) in &self.facts.by_kind {
            // What code put together lives in no namespace of the cluster.
            if *context != self.context || kind.group == "casefile.dev" {
                continue;
            }
            let objects = ids.iter().map(|id| self.facts.object(*id)).filter(|object| !object.shadow);
            match kind.plural == "namespaces" && kind.group.is_empty() {
                true => names.extend(objects.map(|object| object.name.clone())),
                false => names.extend(objects.filter_map(|object| object.namespace.clone())),
            }
        }
        names.remove("");
        names
    }

    /// A kind as people type it: its plural, where that can mean nothing else.
    fn short(&self, kind: &KindName) -> String {
        match self.catalogue.meanings(&kind.plural).len() {
            1 => kind.plural.clone(),
            _ => kind.to_string(),
        }
    }

    fn objects(&self, kind: &KindName) -> u64 {
        let ids = self.facts.of_kind(self.context, kind);
        let seen = ids.iter().filter(|id| !self.facts.object(**id).shadow).count() as u64;
        seen.max(self.facts.counted.get(&(self.context, kind.clone())).copied().unwrap_or_default())
    }

    fn kind(&self, kind: &KindName, namespaces: &BTreeSet<String>) -> (Standing, String) {
        let answers: Vec<&Answer> = self
            .facts
            .coverage
            .iter()
            .filter(|coverage| coverage.context == self.context && coverage.answer.kind == *kind)
            .map(|coverage| &coverage.answer)
            .collect();
        let seen = self.objects(kind);
        if program(kind).is_some() && seen > 0 {
            return (Standing::Here, String::new());
        }
        let whole = |answer: &&&Answer| {
            matches!(answer.state, State::Complete | State::Empty)
                && answer.names.is_none()
                && answer.selector.is_none()
                && answer.basis != Basis::Named
        };
        if answers.iter().any(|answer| answer.state == State::NoSuchKind) && seen == 0 {
            return (Standing::NoSuchKind, String::new());
        }
        let everywhere = answers.iter().filter(whole).filter(|answer| answer.namespaces == Namespaces::All);
        match everywhere.map(|answer| answer.basis).max() {
            Some(Basis::Stated) => return (Standing::Whole, String::new()),
            Some(_) => return (Standing::Listed, String::new()),
            None => {}
        }
        match self.facts.absence(self.context, kind, &Scope::default()) {
            Absence::Stated(_) => return (Standing::Whole, String::new()),
            Absence::Listed(_) | Absence::Rows(_) => return (Standing::Listed, String::new()),
            Absence::Unknown { .. } => {}
        }
        let mut answered: BTreeSet<&str> = BTreeSet::new();
        for answer in answers.iter().filter(whole) {
            if let Namespaces::Some(some) = &answer.namespaces {
                answered.extend(some.iter().map(String::as_str));
            }
        }
        let failed = answers.iter().map(|answer| &answer.state).find(|state| state.is_missing());
        let failure = failed.and_then(|state| Some(format!("{}: {}", state.word(), state.detail()?)));
        if !answered.is_empty() && namespaces.iter().all(|name| answered.contains(name.as_str())) {
            return (Standing::EachNamespace, String::new());
        }
        if !answered.is_empty() {
            let rest = failure.map(|text| format!("; {text}")).unwrap_or_default();
            return (Standing::Part, format!("{} of {} namespaces{rest}", answered.len(), namespaces.len()));
        }
        match (failure, seen) {
            (Some(text), 0) => (Standing::Failed, text),
            (Some(text), _) => (Standing::Part, text),
            (None, 0) if answers.is_empty() => (Standing::NeverAsked, String::new()),
            (None, 0) => (Standing::Part, "some were asked for by name".to_owned()),
            (None, _) => (Standing::Part, "no list of them".to_owned()),
        }
    }

    /// Instances with logs of a class, of how many that are known.
    fn logs(&self, class: &str) -> (Standing, String, u64) {
        let streams = self.facts.streams.iter().filter(|stream| {
            stream.context == self.context
                && stream.class.as_deref() == Some(class)
                && stream.parts.iter().any(|(_, log)| log.tally.lines > 0)
        });
        let mut instances: BTreeSet<&str> = BTreeSet::new();
        let mut others = 0;
        for stream in streams {
            match (&stream.pod, &stream.node) {
                // Operators and side containers of a component are of its class too.
                (Some((_, pod, container)), _) if container == class || container.is_empty() => {
                    instances.insert(pod);
                }
                (Some(_), _) => others += 1,
                (None, Some(node)) => {
                    instances.insert(node);
                }
                (None, None) => {
                    instances.insert(&stream.name);
                }
            }
        }
        let seen = instances.len() as u64;
        let known = match class {
            "etcd" => self.objects(&KindName::parse("etcdmembers.casefile.dev")),
            "kube-apiserver" | "kube-controller-manager" | "kube-scheduler" => self.control_plane_nodes(),
            _ => 0,
        };
        let of = |unit: &str| format!("{seen} of {known} {unit}");
        let unit = if class == "etcd" { "members" } else { "control-plane nodes" };
        match (seen, known) {
            (0, _) if others > 0 => (Standing::Part, format!("only {others} beside it"), others),
            (0, _) => (Standing::NeverAsked, String::new(), 0),
            (seen, known) if seen < known => (Standing::Part, of(unit), seen),
            (seen, known) if seen == known => (Standing::Here, of(unit), seen),
            _ => (Standing::Here, String::new(), seen),
        }
    }

    fn control_plane_nodes(&self) -> u64 {
        let labels = ["control-plane", "master"]
            .map(|role| Path::parse(&format!("metadata.labels[\"node-role.kubernetes.io/{role}\"]")));
        let nodes = self.facts.of_kind(self.context, &KindName::parse("nodes"));
        let has = |id: &&facts::object::ObjectId| {
            labels.iter().flatten().any(|label| {
                matches!(
                    self.facts.lookup(**id, label),
                    Lookup::Found(_) | Lookup::AtLeast(_) | Lookup::NotSetOrEmpty(_)
                )
            })
        };
        nodes.iter().filter(has).count() as u64
    }

    fn wanted(
        &self,
        read: &Read,
        needs: &[Need],
        kinds: &BTreeMap<String, KindName>,
        no_trace: &[&'static str],
    ) -> Vec<Wanted> {
        // Kinds of one command, the signatures it helps and its note, by where to run it and what is surely
        // served together.
        type List<'a> = (Vec<&'a KindName>, BTreeSet<String>, Option<String>, Vec<String>);
        let mut lists: BTreeMap<(String, String), List<'_>> = BTreeMap::new();
        let mut wanted: Vec<Wanted> = Vec::new();
        let shows = |together: &str| {
            needs.iter().any(|need| {
                let kind = need.kind.as_ref().and_then(|kind| kinds.get(kind));
                kind.is_some_and(|kind| served_together(kind, need.area) == together)
                    && !matches!(need.standing, Standing::NeverAsked | Standing::NoSuchKind)
            })
        };
        for need in needs.iter().filter(|need| need.standing.is_lacking() && !no_trace.contains(&need.area)) {
            let signatures = need.signatures.iter().cloned();
            if let Some(class) = &need.logs {
                let (on, command) = read.commands.get(class).cloned().unwrap_or_else(|| {
                    let command = format!(
                        "for c in $(crictl ps -a -q --name '^{class}$'); do crictl logs -t \"$c\"; done > {class}-$(hostname).log 2>&1"
                    );
                    ("node".to_owned(), command)
                });
                let what = vec![need.what.clone()];
                wanted.push(Wanted { on, command, what, note: None, signatures: signatures.collect() });
                continue;
            }
            let Some(kind) = need.kind.as_ref().and_then(|kind| kinds.get(kind)) else { continue };
            if let Some((_, command)) = program(kind) {
                let (on, command) = ("node".to_owned(), command.to_owned());
                let what = vec![need.what.clone()];
                wanted.push(Wanted { on, command, what, note: None, signatures: signatures.collect() });
                continue;
            }
            // The configuration of an API server is a file of its node: no server lists it.
            if matches!(kind.group.as_str(), "casefile.dev" | "apiserver.config.k8s.io") {
                continue;
            }
            let together = served_together(kind, need.area);
            if (kind.group == "infrastructure.cluster.x-k8s.io" || is_added(kind) && !is_product(need.area))
                && !shows(&together)
            {
                continue;
            }
            let collect = self.catalogue.collect_command(kind);
            let list = lists.entry((collect.on, together)).or_default();
            list.0.push(kind);
            list.1.extend(signatures);
            list.3.push(need.what.clone());
            list.2 = list.2.take().or(collect.note);
        }
        for ((on, _), (kinds, signatures, note, what)) in lists {
            let names: Vec<String> = kinds.iter().map(ToString::to_string).collect();
            let all = kinds.iter().all(|kind| self.catalogue.cluster_scoped(kind) == Some(true));
            let everywhere = if all { "" } else { " -A" };
            let command = format!("kubectl get {}{everywhere} -o yaml", names.join(","));
            wanted.push(Wanted { on, command, what, note, signatures: signatures.into_iter().collect() });
        }
        // Those of equal worth by where they run and what they are.
        wanted.sort_by(|a, b| {
            let worth = b.signatures.len().cmp(&a.signatures.len());
            worth.then_with(|| (&a.on, &a.command).cmp(&(&b.on, &b.command)))
        });
        wanted
    }
}

/// Is it an area of one product?
fn is_product(area: &str) -> bool {
    areas::all().iter().any(|known| known.product && known.area == area)
}

/// Is it a kind that somebody added to Kubernetes, so that a cluster may not serve it?
fn is_added(kind: &KindName) -> bool {
    let of_kubernetes = kind.group.ends_with(".k8s.io") && kind.group != "gateway.networking.k8s.io";
    kind.group.contains('.') && !of_kubernetes && !kind.group.ends_with(".x-k8s.io")
}

/// Kinds that are served together: those of Kubernetes itself by area, those of a product by API group, and those
/// of an infrastructure provider by its name.
fn served_together(kind: &KindName, area: &str) -> String {
    if kind.group == "infrastructure.cluster.x-k8s.io" {
        let provider = ["cluster", "machine", "iphostname", "hostname"].iter().find_map(|word| kind.plural.find(word));
        return kind.plural[..provider.unwrap_or(kind.plural.len())].to_owned();
    }
    // Whoever hands these on looks at them first: they are asked for apart.
    if kind.plural == "secrets" && kind.group.is_empty() {
        return kind.plural.clone();
    }
    match (is_product(area) && !kind.group.is_empty()) || is_added(kind) {
        true => kind.group.clone(),
        false => area.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Does a signature read nothing but what commands and conditions of any kind say?
    fn is_of_anything(signature: &Signature) -> bool {
        let of_any = ["reports.casefile.dev", "troubles.casefile.dev", "complaints.casefile.dev"];
        signature.kinds().iter().all(|kind| of_any.contains(&kind.to_string().as_str()))
    }

    #[test]
    fn every_signature_needs_something_that_can_be_collected() {
        let library = Library::built_in().unwrap_or_default();
        let read = Read::of(&library);
        let known: BTreeSet<&String> = read.kinds.values().chain(read.logs.values()).flatten().collect();
        let without: Vec<&str> = library
            .signatures
            .iter()
            // A general one is made of whatever was collected, and so is what reads only what others are made of.
            .filter(|signature| !signature.general && !is_of_anything(signature) && !known.contains(&signature.id))
            .map(|signature| signature.id.as_str())
            .collect();
        assert!(library.signatures.len() > 50 && without.is_empty(), "{without:?}");
    }

    #[test]
    fn kinds_of_one_command_are_served_together() {
        let of = |kind: &str| {
            let kind = KindName::parse(kind);
            served_together(&kind, areas::of_kind(&kind))
        };
        assert_eq!(of("dcsmachinetemplates.infrastructure.cluster.x-k8s.io"), "dcs");
        assert_eq!(of("dcsiphostnamepools.infrastructure.cluster.x-k8s.io"), "dcs");
        assert_eq!(of("vspherevms.infrastructure.cluster.x-k8s.io"), "vspherevms");
        assert_eq!(of("machines.cluster.x-k8s.io"), "cluster.x-k8s.io");
        assert_eq!(of("pods"), of("deployments.apps"));
    }
}
