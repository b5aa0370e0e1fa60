//! From the members of all bundles to [`Facts`]: kinds, contexts, merging, coverage, as-of.
//!
//! Invariants: the facts depend on what members are called and hold, never on their order or numbers;
//! a member whose content another member of the same context repeats counts once; no answer is widened.

use crate::as_of;
use crate::as_of::ages;
use crate::as_of::ages::AgeCell;
use crate::as_of::{Candidate, Witness, stamps};
use crate::contexts;
use crate::contexts::{Folder, Placed};
use crate::copies;
use crate::merge;
use crate::rows;
use catalogue::kinds::Catalogue;
use catalogue::products::Marks;
use catalogue::sources::{Part, StreamPlace};
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::kind::KindName;
use facts::log::{ScannedLog, Tally};
use facts::node::Node;
use facts::object::{ContextId, Object, ObjectId, ObjectRecord, Shown};
use facts::origin::{Citation, MemberId};
use facts::path::{Path, Step};
use facts::record::{Command, Record, Served, Stamp};
use facts::store::{AsOf, Context, Coverage, Facts, Precision, Stream};
use facts::unread::WhyUnread;
use intake::Member;
use layout::content::BundleContent;
use parse::answer::kind_hint;
use parse::frames::Framed;
use parse::member::MemberContent;
use parse::transcript::SessionLog;
use std::collections::{BTreeMap, BTreeSet};

/// Kinds that contexts, clocks, products and the inventory need, whether a signature asks or not.
const ALWAYS: [&str; 8] = [
    "nodes",
    "namespaces",
    "pods",
    "events",
    "leases.coordination.k8s.io",
    "machines.cluster.x-k8s.io",
    "clusters.cluster.x-k8s.io",
    "clusters.platform.tkestack.io",
];

/// The kinds that are kept whether a signature asks or not.
pub fn always() -> impl Iterator<Item = KindName> {
    ALWAYS.iter().chain(&contexts::CLUSTER_KINDS).map(|kind| KindName::parse(kind))
}

/// Options that shape facts.
#[derive(Debug, Clone, Default)]
pub struct BuildOptions {
    /// `--context NAME=PATH`: a folder of the bundle that is a context.
    pub contexts: Vec<(String, String)>,
    /// `--as-of`.
    pub as_of: Option<jiff::Timestamp>,
    /// Kinds that somebody asks for; objects of others are only counted.
    pub wanted: BTreeSet<KindName>,
}

/// Puts all facts of a run together.
///
/// Records and logs move into the facts, because they are most of what a run holds in memory: of each
/// content the bundles keep what was said of it (format, unread parts, limits), an empty list of records,
/// and an empty log where there was one.
pub fn build(bundles: &mut [BundleContent], catalogue: &Catalogue, options: &BuildOptions) -> Facts {
    let contents = bundles.iter_mut().flat_map(|bundle| std::mem::take(&mut bundle.contents)).collect();
    let mut builder = Builder::new(bundles, contents, catalogue, options);
    builder.name_members();
    builder.place();
    builder.read();
    let (facts, mut contents) = builder.finish();
    for bundle in bundles {
        let ids = bundle.intake.members.iter().map(|member| member.id);
        bundle.contents = ids.filter_map(|id| Some((id, contents.remove(&id)?))).collect();
    }
    facts
}

/// A context while it is put together: the bundle and the part of it.
type Key = (usize, Folder);

/// What was read of one context.
#[derive(Default)]
struct Gathered {
    records: BTreeMap<KindName, Vec<ObjectRecord>>,
    answers: Vec<Answer>,
    kinds: BTreeSet<KindName>,
    marks: Marks,
    counted: BTreeMap<KindName, BTreeSet<(Option<String>, String)>>,
    /// Kinds of which a full object stands in a namespace, or in none.
    namespaced: BTreeSet<KindName>,
    unscoped: BTreeSet<KindName>,
    stamps: Vec<Stamp>,
    /// Times that may be the clock, see [`as_of`].
    times: Vec<Candidate>,
    /// Ages in tables, which tell when those were printed.
    ages: Vec<AgeCell>,
    versions: BTreeSet<(String, String)>,
    /// Content that was taken in, to take equal content once.
    taken: BTreeSet<([u8; 32], String)>,
    logs: Vec<MemberId>,
    /// Stretches of logs in transcripts.
    session_logs: Vec<(MemberId, SessionLog)>,
}

struct Builder<'a> {
    bundles: &'a [BundleContent],
    catalogue: &'a Catalogue,
    options: &'a BuildOptions,
    facts: Facts,
    /// Members that were read, in the order of (bundle, name, hash).
    members: Vec<(usize, &'a Member)>,
    /// Links to members: other names, of which one may tell what the member's own does not.
    other_names: BTreeMap<MemberId, Vec<&'a str>>,
    contents: BTreeMap<MemberId, MemberContent>,
    place_of: BTreeMap<MemberId, Key>,
    gathered: BTreeMap<Key, Gathered>,
    transcripts: BTreeMap<MemberId, bool>,
    clusters: BTreeSet<String>,
}

impl<'a> Builder<'a> {
    fn new(
        bundles: &'a [BundleContent],
        contents: BTreeMap<MemberId, MemberContent>,
        catalogue: &'a Catalogue,
        options: &'a BuildOptions,
    ) -> Self {
        let mut members = Vec::new();
        for (index, bundle) in bundles.iter().enumerate() {
            let read = bundle.intake.members.iter().filter(|member| contents.contains_key(&member.id));
            members.extend(read.map(|member| (index, member)));
        }
        members.sort_by(|a, b| (a.0, &a.1.name, a.1.sha256).cmp(&(b.0, &b.1.name, b.1.sha256)));
        let mut other_names: BTreeMap<MemberId, Vec<&'a str>> = BTreeMap::new();
        for link in bundles.iter().flat_map(|bundle| &bundle.intake.links) {
            other_names.entry(link.member).or_default().push(&link.name);
        }
        Self {
            bundles,
            catalogue,
            options,
            facts: Facts::default(),
            members,
            other_names,
            contents,
            place_of: BTreeMap::new(),
            gathered: BTreeMap::new(),
            transcripts: BTreeMap::new(),
            clusters: BTreeSet::new(),
        }
    }

    /// Members of equal name are told apart by their content.
    fn name_members(&mut self) {
        let mut times: BTreeMap<(usize, &str), u32> = BTreeMap::new();
        for (bundle, member) in &self.members {
            *times.entry((*bundle, &member.name)).or_default() += 1;
        }
        for (bundle, member) in &self.members {
            let Some(content) = self.contents.get(&member.id) else { continue };
            let name = if times.get(&(*bundle, member.name.as_str())).is_some_and(|n| *n > 1) {
                let [a, b, c, d, ..] = member.sha256;
                format!("{} ({a:02x}{b:02x}{c:02x}{d:02x})", member.name)
            } else {
                member.name.clone()
            };
            self.facts.members.insert(member.id, name);
            self.facts.redactions += content.redactions;
            self.facts.unread.extend(content.parsed.unread.iter().map(|(line, why)| (member.id, *line, why.clone())));
        }
    }

    /// Gives every member its context.
    fn place(&mut self) {
        let cluster_kinds: BTreeSet<KindName> = contexts::CLUSTER_KINDS.iter().map(|k| KindName::parse(k)).collect();
        for (_, member) in &self.members {
            let Some(content) = self.contents.get(&member.id) else { continue };
            for record in &content.parsed.records {
                match record {
                    Record::Object(object) if object.kind.as_ref().is_some_and(|k| cluster_kinds.contains(k)) => {
                        self.clusters.insert(object.name.clone());
                    }
                    Record::Table(table) => {
                        let read = rows::read(table, self.name_of_kind(member), self.catalogue, None);
                        let clusters = read
                            .records
                            .into_iter()
                            .filter(|r| r.kind.as_ref().is_some_and(|k| cluster_kinds.contains(k)));
                        self.clusters.extend(clusters.map(|r| r.name));
                    }
                    _ => {}
                }
            }
        }
        for (index, bundle) in self.bundles.iter().enumerate() {
            let members: Vec<(&Member, &MemberContent)> = self
                .members
                .iter()
                .filter(|(b, _)| *b == index)
                .filter_map(|(_, m)| Some((*m, self.contents.get(&m.id)?)))
                .collect();
            let placed: Vec<Placed<'_>> = members
                .iter()
                .map(|(member, content)| {
                    let uids = content.parsed.records.iter().filter_map(|r| match r {
                        Record::Object(object) => contexts::uid_of(object),
                        _ => None,
                    });
                    Placed { name: &member.name, uids: uids.collect() }
                })
                .collect();
            // A context given by hand to the whole bundle leaves no room for guesses.
            let folders = match &bundle.context {
                Some(name) => vec![Folder::Given(name.clone()); placed.len()],
                None => contexts::folders(&placed, &self.options.contexts, &self.clusters),
            };
            let ids: Vec<MemberId> = members.iter().map(|(member, _)| member.id).collect();
            self.place_of.extend(ids.into_iter().zip(folders).map(|(id, folder)| (id, (index, folder))));
        }
    }

    /// Takes in all members.
    fn read(&mut self) {
        for (_, member) in self.members.clone() {
            let Some(place) = self.place_of.get(&member.id).cloned() else { continue };
            let Some(content) = self.contents.get_mut(&member.id) else { continue };
            let records = std::mem::take(&mut content.parsed.records);
            if records.is_empty() && content.log.is_none() && content.framed.is_empty() {
                continue;
            }
            let gathered = self.gathered.entry(place.clone()).or_default();
            if !gathered.taken.insert((member.sha256, shape(&records, &member.name))) {
                content.log = content.log.take().map(|_| ScannedLog::default());
                content.framed.clear();
                continue;
            }
            if content.log.is_some() || !content.framed.is_empty() {
                gathered.logs.push(member.id);
            }
            let cut = content.cut.clone();
            let transcript = content.parsed.format == "transcript";
            self.transcripts.insert(member.id, transcript);
            let own = place;
            let mut session = content.session.take();
            let given = self.bundles[own.0].context.is_some();
            let named = |context: Option<&str>| match context {
                Some(context) if !given => (own.0, Folder::Given(context.to_owned())),
                _ => own.clone(),
            };
            for part in session.iter_mut().flat_map(|session| std::mem::take(&mut session.logs)) {
                let place = named(part.context.as_deref());
                self.gathered.entry(place).or_default().session_logs.push((member.id, part));
            }
            for record in records {
                let line = match &record {
                    Record::Object(object) => object.line,
                    Record::Answer(answer) => answer.citation.line,
                    Record::Stamp(stamp) => stamp.citation.line,
                    Record::Served(served) => served.citation.line,
                    Record::Table(table) => table.line,
                };
                let place = named(session.as_ref().and_then(|session| session.context_of(line)));
                match record {
                    Record::Object(object) => self.object(&place, *object),
                    Record::Answer(answer) => self.answer(&place, answer, cut.as_deref()),
                    Record::Stamp(stamp) => self.gathered.entry(place.clone()).or_default().stamps.push(stamp),
                    Record::Served(served) => self.served(&place, &served),
                    Record::Table(table) => {
                        let place = self.place_of_command(&place, table.command.as_ref());
                        let order = transcript.then_some(u64::from(table.line));
                        let read = rows::read(&table, self.name_of_kind(member), self.catalogue, order);
                        for (line, text) in read.rows {
                            self.facts.rows.insert((table.member, line), text.into());
                        }
                        self.facts.redactions += read.redactions;
                        self.facts.unread.extend(read.unread.into_iter().map(|(line, why)| (member.id, line, why)));
                        self.gathered.entry(place.clone()).or_default().ages.extend(read.ages);
                        for mut record in read.records {
                            // `--watch` prints an object again in a later row of the same table.
                            record.order = order.map(|_| u64::from(record.line));
                            self.object(&place, record);
                        }
                        for answer in read.answers {
                            self.answer(&place, answer, cut.as_deref());
                        }
                    }
                }
            }
        }
    }

    /// The name of a member that tells a kind: its own, or else that of a link.
    fn name_of_kind<'m>(&'m self, member: &'m Member) -> &'m str {
        let tells = |name: &str| kind_hint(name).is_some_and(|hint| !self.catalogue.meanings(&hint.kind).is_empty());
        let own = member.name.as_str();
        let others = || self.other_names.get(&member.id).into_iter().flatten().copied();
        if tells(own) { own } else { others().find(|name| tells(name)).unwrap_or(own) }
    }

    /// Where a log stands, by the name that tells most: the member's own, or that of a link.
    fn place_of_log(&self, id: MemberId, own: &str) -> StreamPlace {
        let others = self.other_names.get(&id).into_iter().flatten().copied();
        let places = std::iter::once(own).chain(others).map(|name| self.catalogue.sources.locate(name));
        let told = |place: &StreamPlace| {
            (place.pod.is_some(), place.container.is_some(), place.class.is_some(), place.node.is_some())
        };
        // Of equal ones the first, which is the member's own.
        places.min_by_key(|place| std::cmp::Reverse(told(place))).unwrap_or_default()
    }

    /// A command can name another cluster than its file stands for.
    fn place_of_command(&self, place: &Key, command: Option<&Command>) -> Key {
        let file = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.split('.').next().unwrap_or(name).to_owned()
        };
        match command {
            _ if self.bundles[place.0].context.is_some() => place.clone(),
            Some(Command { context: Some(context), .. }) => (place.0, Folder::Given(context.clone())),
            Some(Command { kubeconfig: Some(path), .. }) => (place.0, Folder::Given(file(path))),
            _ => place.clone(),
        }
    }

    fn object(&mut self, place: &Key, mut record: ObjectRecord) {
        let kind = match (&record.kind, &record.api_version) {
            (_, Some(version)) => record
                .node
                .at(&["kind"])
                .and_then(Node::as_str)
                .map(|kind| self.catalogue.kind_of(version, kind))
                .or_else(|| record.kind.as_ref().map(|k| self.catalogue.canonical(k))),
            (Some(kind), None) => Some(self.catalogue.canonical(kind)),
            (None, None) => None,
        };
        let Some(kind) = kind else {
            let why = WhyUnread::UnknownKind(record.name.clone());
            self.facts.unread.push((record.member, record.line, why));
            return;
        };
        if self.catalogue.cluster_scoped(&kind) == Some(true) {
            record.namespace = None;
        }
        self.of_node(&kind, &mut record);
        complete(&mut record);
        let kind = self.static_pod(kind, &mut record);
        let wanted = self.wanted(&kind);
        let gathered = self.gathered.entry(place.clone()).or_default();
        gathered.marks.add(&kind, record.namespace.as_deref(), &record.name, &record.node);
        if !matches!(record.shown, Shown::Paths(_)) {
            let scope = if record.namespace.is_some() { &mut gathered.namespaced } else { &mut gathered.unscoped };
            scope.insert(kind.clone());
        }
        if kind.group != "casefile.dev" {
            gathered.kinds.insert(kind.clone());
            let place = Citation::line(record.member, record.line, &format!("{kind} {}", record.name));
            gathered.times.extend(stamps::candidates_of_object(&kind, &record.node, &place));
        }
        if kind == KindName::parse("nodes")
            && let Some(version) = record.node.at(&["status", "nodeInfo", "kubeletVersion"]).and_then(Node::as_str)
            && !version.is_empty()
        {
            gathered.versions.insert(("Kubernetes".to_owned(), version.to_owned()));
        }
        if wanted {
            record.kind = Some(kind.clone());
            gathered.records.entry(kind).or_default().push(record);
        } else {
            gathered.counted.entry(kind).or_default().insert((record.namespace, record.name));
        }
    }

    /// The manifest of a static Pod is a file of a node, not an object of the API server: those of several
    /// nodes have one name. The kubelet shows each as a Pod named after its node.
    /// Source: `kubernetes/kubernetes:pkg/kubelet/config/common.go`, `applyDefaults`.
    fn static_pod(&self, kind: KindName, record: &mut ObjectRecord) -> KindName {
        let of_api_server = record.uid.is_some() || record.node.get("status").is_some_and(|s| !s.value.is_empty());
        if kind != KindName::parse("pods") || of_api_server || matches!(record.shown, Shown::Paths(_)) {
            return kind;
        }
        let file = self.facts.members.get(&record.member).map_or("", String::as_str);
        if !file.contains("manifests/") {
            return kind;
        }
        let node = self.catalogue.sources.locate(file).node.unwrap_or_else(|| file.to_owned());
        record.name = format!("{}-{node}", record.name);
        record.node.set_at(&["metadata", "name"], Node::str(record.line, record.name.as_str()));
        KindName { plural: "staticpods".to_owned(), group: "casefile.dev".to_owned() }
    }

    fn wanted(&self, kind: &KindName) -> bool {
        kind.group == "casefile.dev" || self.options.wanted.contains(kind) || always().any(|always| always == *kind)
    }

    fn answer(&mut self, place: &Key, mut answer: Answer, cut: Option<&str>) {
        if let (Some(cut), State::Complete | State::Empty) = (cut, &answer.state) {
            answer.state = State::Partial(cut.into());
        }
        let typed = answer.kind.to_string();
        let exact = self.catalogue.kind(&answer.kind).map(|k| k.name.clone());
        let kinds: Vec<KindName> = match (exact, &answer.state) {
            // A subresource (`pods/log`) is no kind of the catalogue, and no word that anybody types.
            (None, _) if answer.kind.plural.contains('/') => vec![answer.kind.clone()],
            (Some(kind), _) if !kind.group.is_empty() || answer.state != State::NoSuchKind => vec![kind],
            // A word that the API server does not know names no kind of any group.
            (_, State::NoSuchKind) => {
                let word = answer.kind.plural.clone();
                let full = |k: &&catalogue::kinds::Kind| k.name.plural == word || k.kind.eq_ignore_ascii_case(&word);
                self.catalogue.meanings(&typed).into_iter().filter(full).map(|k| k.name.clone()).collect()
            }
            _ => self.catalogue.typed(&typed).into_iter().collect(),
        };
        let kinds = if kinds.is_empty() && !answer.kind.group.is_empty() { vec![answer.kind.clone()] } else { kinds };
        if kinds.is_empty() {
            let why = WhyUnread::ManyMeanings(typed.clone());
            self.facts.unread.push((answer.citation.member, answer.citation.line, why));
        }
        for kind in kinds {
            let mut answer = answer.clone();
            if self.catalogue.cluster_scoped(&kind) == Some(true) {
                answer.namespaces = Namespaces::All;
            }
            answer.kind = kind;
            self.gathered.entry(place.clone()).or_default().answers.push(answer);
        }
    }

    /// A whole listing of what an API server serves says of every other kind that there is none.
    ///
    /// A listing that stands alone in a file only supports that: kubectl prints the errors of groups that
    /// did not answer elsewhere.
    fn served(&mut self, place: &Key, served: &Served) {
        if !served.is_whole() {
            return;
        }
        let known = self.catalogue.kinds().map(|kind| &kind.name).chain(&self.options.wanted);
        let missing: BTreeSet<KindName> =
            known.filter(|kind| kind.group != "casefile.dev" && !self.is_served(served, kind)).cloned().collect();
        let answers = missing.into_iter().map(|kind| Answer {
            kind,
            namespaces: Namespaces::All,
            names: None,
            selector: None,
            state: State::NoSuchKind,
            basis: if served.stated { Basis::Stated } else { Basis::Listed },
            time: None,
            citation: served.citation.clone(),
        });
        self.gathered.entry(place.clone()).or_default().answers.extend(answers);
    }

    /// Is a kind in the listing, in its own group or in another one that serves the same objects?
    fn is_served(&self, served: &Served, kind: &KindName) -> bool {
        let also = self.catalogue.kind(kind).map_or(&[][..], |known| &known.also);
        let in_group = |group: &String| served.holds(&KindName { plural: kind.plural.clone(), group: group.clone() });
        served.holds(kind) || also.iter().any(in_group)
    }

    /// What a program of a node prints is about that node, and its file is named after the command alone:
    /// the node belongs to the name, or file systems of several nodes would be one. Where the path names no
    /// node, the file stands for it.
    fn of_node(&self, kind: &KindName, record: &mut ObjectRecord) {
        const BOUND: [&str; 4] = ["filesystems", "clocks", "systemdunits", "certificates"];
        const NODE_KNOWN: [&str; 4] = ["crictlcontainers", "crictlpods", "crictlimages", "apiserverchecks"];
        let bound = BOUND.contains(&kind.plural.as_str());
        if kind.group != "casefile.dev" || !(bound || NODE_KNOWN.contains(&kind.plural.as_str())) {
            return;
        }
        let file = self.facts.members.get(&record.member).map_or("", String::as_str);
        let node = self.catalogue.sources.locate(file).node;
        if let Some(node) = &node {
            record.node.set_at(&["spec", "node"], Node::str(record.line, node.as_str()));
            if let Shown::Paths(paths) = &mut record.shown {
                paths.push(Path(vec![Step::Field("spec".to_owned()), Step::Field("node".to_owned())]));
            }
        }
        let image_or_checks = matches!(kind.plural.as_str(), "crictlimages" | "apiserverchecks");
        if bound || node.is_some() && image_or_checks {
            record.name = format!("{} {}", node.as_deref().unwrap_or(file), record.name);
            record.node.set_at(&["metadata", "name"], Node::str(record.line, record.name.as_str()));
        }
    }

    /// The facts, and what is left of the contents.
    fn finish(mut self) -> (Facts, BTreeMap<MemberId, MemberContent>) {
        let gathered = std::mem::take(&mut self.gathered);
        let single = self.bundles.len() == 1;
        // The bundle's own part is a context if it shows anything, or if nothing else is there.
        let mut keys: Vec<Key> = gathered
            .iter()
            .filter(|(_, g)| {
                !g.kinds.is_empty()
                    || !g.answers.is_empty()
                    || !g.logs.is_empty()
                    || !g.session_logs.is_empty()
                    || !g.records.is_empty()
            })
            .map(|(key, _)| key.clone())
            .collect();
        for (index, bundle) in self.bundles.iter().enumerate() {
            if !bundle.intake.members.is_empty() && !keys.iter().any(|(b, _)| *b == index) {
                keys.push((index, bundle.context.clone().map_or(Folder::Bundle, Folder::Given)));
            }
        }
        let mut named: Vec<(usize, String, Key)> = Vec::new();
        for key in &keys {
            let name = match &key.1 {
                Folder::Given(name) => name.clone(),
                Folder::Bundle if single => "cluster".to_owned(),
                Folder::Bundle => self.bundles[key.0].intake.name.clone(),
                Folder::Path(path) => {
                    let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
                    let twice = keys.iter().any(|(b, f)| {
                        *b == key.0 && matches!(f, Folder::Path(other) if other != path && last(other) == last(path))
                    });
                    if twice { path.clone() } else { last(path) }
                }
            };
            named.push((key.0, name, key.clone()));
        }
        named.sort();
        let mut gathered = gathered;
        for (index, (bundle, name, key)) in named.into_iter().enumerate() {
            let context = ContextId(index as u32);
            let read = gathered.remove(&key).unwrap_or_default();
            self.context(context, bundle, name, &key.1, read);
        }
        self.sort();
        let mut facts = self.facts;
        contexts::link_workloads(&mut facts);
        let mut conflicts: Vec<_> = facts.objects.iter().flat_map(|o| facts.conflicts_of(o)).collect();
        // Objects come in their order, so contexts and values need none of their own here.
        conflicts.sort_by(|a, b| (&a.object, &a.path).cmp(&(&b.object, &b.path)));
        facts.conflicts = conflicts;
        (facts, self.contents)
    }

    /// Makes one context out of what was read of it.
    fn context(&mut self, id: ContextId, bundle: usize, name: String, folder: &Folder, read: Gathered) {
        let by_folder = match folder {
            Folder::Bundle => None,
            _ => Some(name.as_str()),
        };
        let as_of = self.clock(&read);
        let mut versions: Vec<(String, String)> = read.versions.into_iter().collect();
        for stamp in read.stamps.iter().filter(|s| s.what == "server-version") {
            versions.push(("Kubernetes".to_owned(), stamp.text.clone()));
        }
        versions.sort();
        versions.dedup();
        self.facts.contexts.push(Context {
            roles: contexts::roles(by_folder, &read.kinds, &self.clusters),
            name,
            bundle,
            workload_of: None,
            as_of,
            products: read.marks.products(&self.catalogue.products),
            versions,
        });
        let mut named = merge::Named::new();
        for (kind, records) in read.records {
            for record in &records {
                let entry = (record.line, record.namespace.clone(), record.name.clone());
                named.entry((kind.clone(), record.member)).or_default().push(entry);
            }
            let cluster_scoped = self
                .catalogue
                .cluster_scoped(&kind)
                .unwrap_or_else(|| read.unscoped.contains(&kind) && !read.namespaced.contains(&kind));
            let objects = merge::merge(id, &kind, cluster_scoped, records, &self.facts.members);
            self.facts.objects.extend(objects);
        }
        let mut coverage: Vec<Coverage> = read
            .answers
            .into_iter()
            .map(|mut answer| {
                // A kind whose full objects stand in no namespace has none.
                if self.catalogue.cluster_scoped(&answer.kind).is_none()
                    && read.unscoped.contains(&answer.kind)
                    && !read.namespaced.contains(&answer.kind)
                {
                    answer.namespaces = Namespaces::All;
                }
                Coverage { context: id, answer }
            })
            .collect();
        let members = &self.facts.members;
        coverage.sort_by(|a, b| order(a, members).cmp(&order(b, members)));
        coverage.dedup();
        merge::doubt_lists(&mut coverage, &named, &self.transcripts, members);
        self.facts.coverage.extend(coverage);
        for (kind, objects) in read.counted {
            self.facts.counted.insert((id, kind), objects.len() as u64);
        }
        self.logs(id, &read.logs);
        self.session_logs(id, read.session_logs);
    }

    /// The as-of clock of a context: given by hand, or inferred from all that happened in it.
    fn clock(&self, read: &Gathered) -> Option<AsOf> {
        if let Some(time) = self.options.as_of {
            let (source, precision) = ("--as-of".to_owned(), Precision::Stated);
            return Some(AsOf { time, source, citation: None, precision, objects: None, logs: None });
        }
        let mut times = read.times.clone();
        times.extend(ages::candidates(&read.ages, &read.records));
        times.extend(read.stamps.iter().filter_map(stamps::candidate_of_stamp));
        let logs = self.tallies(read);
        times.extend(logs.iter().filter_map(|log| stamps::candidate_of_log(log.member, log.tally, &log.witness)));
        let raising = |clock| {
            let logs = logs.iter().filter(|log| log.in_utc);
            let times = logs.filter_map(|log| stamps::raising_of_log(log.member, log.tally, &log.witness, clock));
            times.collect::<Vec<_>>()
        };
        let mut found = as_of::infer(&times, raising)?;
        // Of equal times the place that is first by name is cited, whatever the order of members was.
        let place = |c: &Candidate| {
            let citation = c.citation.clone();
            let member = citation.as_ref().and_then(|c| self.facts.members.get(&c.member)).cloned();
            (member, citation.map_or(0, |c| c.line))
        };
        let same = |c: &Candidate| c.time == found.time && c.source == found.source;
        if let Some(first) = times.into_iter().filter(same).min_by_key(place) {
            found.citation = first.citation;
        }
        Some(found)
    }

    /// The logs of a context, and whose clock wrote them.
    fn tallies<'r>(&'r self, read: &'r Gathered) -> Vec<LogTimes<'r>> {
        let sources = &self.catalogue.sources;
        let mut logs = Vec::new();
        for id in &read.logs {
            let file = self.facts.members.get(id).map_or("", String::as_str);
            let place = self.place_of_log(*id, file);
            for log in self.log(*id).into_iter().flat_map(ScannedLog::machines) {
                let class = place.class.clone().or_else(|| sources.class_of_content(log));
                let node = log.host.as_deref().filter(|_| place.pod.is_none()).or(place.node.as_deref());
                logs.push(LogTimes {
                    member: *id,
                    tally: &log.tally,
                    witness: witness_of_log(node, file),
                    in_utc: place.pod.is_some() || class.is_some_and(|class| !ON_NODES.contains(&class.as_str())),
                });
            }
            for framed in self.framed(*id) {
                let name = format!("{file} {}/{}/{}", framed.namespace, framed.pod, framed.container);
                let witness = Witness::Thing(name);
                logs.push(LogTimes { member: *id, tally: &framed.log.tally, witness, in_utc: true });
            }
        }
        for (id, part) in &read.session_logs {
            let file = self.facts.members.get(id).map_or("", String::as_str);
            let witness = witness_of_log(part.node.as_deref(), file);
            let in_utc = matches!(&part.source, Some((Some(_), _)));
            logs.push(LogTimes { member: *id, tally: &part.log.tally, witness, in_utc });
        }
        logs
    }

    /// The log of a member, as long as no stream has taken it.
    fn log(&self, id: MemberId) -> Option<&ScannedLog> {
        self.contents.get(&id)?.log.as_ref()
    }

    /// The logs of containers in a member, as long as no stream has taken them.
    fn framed(&self, id: MemberId) -> &[Framed] {
        self.contents.get(&id).map_or(&[], |content| content.framed.as_slice())
    }

    /// Places the logs of a context in streams: the parts of one container's log, rotated and previous
    /// ones before the current one, are one stream; so are the lines of one machine in a journal of several.
    fn logs(&mut self, context: ContextId, logs: &[MemberId]) {
        let mut streams: BTreeMap<String, (Stream, Parts)> = BTreeMap::new();
        let sources = &self.catalogue.sources;
        for id in logs {
            let file = self.facts.members.get(id).cloned().unwrap_or_default();
            let of_file = self.place_of_log(*id, &file);
            let Some(content) = self.contents.get_mut(id) else { continue };
            let framed = std::mem::take(&mut content.framed).into_iter().map(|framed| {
                let name = format!("podlogs/{}/{}/logs/{}.txt", framed.namespace, framed.pod, framed.container);
                let mut place = sources.locate(&name);
                place.part = Part::default();
                place.namespace = Some(framed.namespace);
                place.pod = Some(framed.pod);
                place.container = Some(framed.container);
                (place, framed.log)
            });
            let whole = content.log.as_mut().map(|log| (of_file, std::mem::take(log)));
            for (place, log) in framed.chain(whole) {
                let machines = log.split();
                let several = machines.len() > 1;
                for log in machines {
                    let place = place.clone();
                    let host = log.host.as_deref().map(str::to_owned).filter(|_| place.pod.is_none());
                    let (name, pod) = name_of_stream(&place, &file, host.as_deref().filter(|_| several));
                    let node = if several { host } else { place.node.or(host) };
                    let (_, parts) = streams.entry(name.clone()).or_insert_with(|| {
                        let class = place.class;
                        (Stream { context, name, class, node, pod, parts: Vec::new(), ordered: false }, Vec::new())
                    });
                    parts.push((place.part, file.clone(), *id, log));
                }
            }
        }
        for (mut stream, mut parts) in streams.into_values() {
            parts.sort_by(|a, b| (&a.0, &a.1, a.2).cmp(&(&b.0, &b.1, b.2)));
            for (_, _, id, log) in parts {
                if stream.class.is_none() {
                    stream.class = sources.class_of_content(&log);
                }
                stream.parts.push((id, log));
            }
            self.facts.streams.push(stream);
        }
    }

    /// The stretches of logs in transcripts: those of one source on one node are one stream.
    fn session_logs(&mut self, context: ContextId, logs: Vec<(MemberId, SessionLog)>) {
        let mut streams: BTreeMap<(MemberId, String), Stream> = BTreeMap::new();
        for (id, part) in logs {
            let file = self.facts.members.get(&id).cloned().unwrap_or_default();
            let class = self.catalogue.sources.class_of_content(&part.log);
            // A name that a path could have tells the class and the node of a static Pod.
            let named = part.source.as_ref().map(|(_, name)| self.catalogue.sources.locate(&format!("{name}.log")));
            let class = named.as_ref().and_then(|named| named.class.clone()).or(class);
            let node = part.node.clone().or_else(|| named.and_then(|named| named.node));
            let words = [node.as_deref(), part.source.as_ref().map(|(_, name)| name.as_str()), class.as_deref()];
            let words: Vec<&str> = words.into_iter().flatten().collect();
            let name = if words.is_empty() { file } else { format!("{file} ({})", words.join(" ")) };
            let pod = match part.source {
                Some((Some(namespace), pod)) => Some((namespace, pod, String::new())),
                _ => None,
            };
            let stream = streams.entry((id, name.clone())).or_insert_with(|| Stream {
                context,
                name,
                class,
                node,
                pod,
                parts: Vec::new(),
                ordered: true,
            });
            stream.parts.push((id, part.log));
        }
        self.facts.streams.extend(streams.into_values());
    }

    fn sort(&mut self) {
        self.facts.streams.sort_by(|a, b| (a.context, &a.name).cmp(&(b.context, &b.name)));
        copies::fold(&mut self.facts.streams);
        self.facts.objects.sort_by(|a, b| place_of(a).cmp(&place_of(b)));
        for (index, object) in self.facts.objects.iter().enumerate() {
            let key = (object.context, object.kind.clone());
            self.facts.by_kind.entry(key).or_default().push(ObjectId(index as u32));
        }
        let members = &self.facts.members;
        let shown =
            |(member, line, why): &(MemberId, u32, WhyUnread)| (members.get(member).cloned(), *line, why.to_string());
        self.facts.unread.sort_by_cached_key(shown);
        self.facts.unread.dedup();
        self.facts.coverage.sort_by(|a, b| order(a, members).cmp(&order(b, members)));
    }
}

/// When the lines of a log were written, and by whose clock.
struct LogTimes<'a> {
    member: MemberId,
    tally: &'a Tally,
    witness: Witness,
    /// Its times without a zone are in UTC: images of containers hold no zones.
    in_utc: bool,
}

/// Classes of programs that run on nodes themselves, or may: what they print without a zone is local time.
const ON_NODES: [&str; 6] = ["kubelet", "containerd", "cri-o", "kubeadm", "etcd", "etcd-tools"];

fn witness_of_log(node: Option<&str>, file: &str) -> Witness {
    match node {
        Some(node) => Witness::Machine(node.to_owned()),
        None => Witness::Thing(format!("log {file}")),
    }
}

/// The logs of a stream with their place in it.
type Parts = Vec<(Part, String, MemberId, ScannedLog)>;

/// Namespace, Pod and container of a stream.
type PodOf = Option<(String, String, String)>;

/// What a stream is called, and the Pod whose log it is; `machine` where the file holds those of several.
fn name_of_stream(place: &StreamPlace, file: &str, machine: Option<&str>) -> (String, PodOf) {
    if let (Some(namespace), Some(pod)) = (&place.namespace, &place.pod) {
        let container = place.container.clone().unwrap_or_default();
        let name =
            if container.is_empty() { format!("{namespace}/{pod}") } else { format!("{namespace}/{pod}/{container}") };
        return (name, Some((namespace.clone(), pod.clone(), container)));
    }
    let name = match (machine, &place.node, &place.program) {
        (Some(machine), _, Some(program)) => format!("{machine}/{program}"),
        (Some(machine), _, None) => format!("{machine}/{file}"),
        (None, Some(node), Some(program)) if program.contains(node.as_str()) => program.clone(),
        (None, Some(node), Some(program)) => format!("{node}/{program}"),
        _ => file.to_owned(),
    };
    (name, None)
}

type Order<'a> = (
    ContextId,
    &'a KindName,
    &'a Namespaces,
    &'a Option<Vec<String>>,
    &'a Option<String>,
    &'a State,
    Option<&'a String>,
    u32,
    &'a str,
);

/// The order of coverage records: by what they say, then by where they stand.
fn order<'a>(c: &'a Coverage, members: &'a BTreeMap<MemberId, String>) -> Order<'a> {
    let a = &c.answer;
    let member = members.get(&a.citation.member);
    (c.context, &a.kind, &a.namespaces, &a.names, &a.selector, &a.state, member, a.citation.line, &a.citation.path)
}

fn place_of(object: &Object) -> (ContextId, &KindName, &Option<String>, &str, &Option<String>, bool) {
    (object.context, &object.kind, &object.namespace, &object.name, &object.uid, object.shadow)
}

/// Puts name and namespace into the tree where the form left them out of it, so that paths find them.
fn complete(record: &mut ObjectRecord) {
    // Rows of events have no name: theirs is made of what they say.
    let named = !record.name.contains('#');
    let known = [("name", Some(&record.name).filter(|_| named)), ("namespace", record.namespace.as_ref())];
    for (field, value) in known {
        let Some(value) = value else { continue };
        if record.node.at(&["metadata", field]).is_none() {
            record.node.set_at(&["metadata", field], Node::str(record.line, value.as_str()));
        }
        if let Shown::Paths(paths) = &mut record.shown {
            let path = Path(vec![Step::Field("metadata".to_owned()), Step::Field(field.to_owned())]);
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
}

/// What equal bytes were read as: the name of a file may give equal texts different kinds.
fn shape(records: &[Record], name: &str) -> String {
    use std::fmt::Write as _;
    let hint = kind_hint(name).map(|h| h.kind);
    let mut out = String::new();
    for record in records {
        // Writing to a String cannot fail.
        let _ = match record {
            Record::Object(o) => write!(out, "{:?}", o.kind),
            Record::Answer(a) => write!(out, "{} {:?} {:?} {:?}", a.kind, a.namespaces, a.names, a.basis),
            Record::Table(t) => write!(out, "{:?} {hint:?}", t.headers),
            Record::Stamp(s) => write!(out, "{}", s.what),
            Record::Served(s) => write!(out, "serves {}", s.kinds.len()),
        };
    }
    out
}
