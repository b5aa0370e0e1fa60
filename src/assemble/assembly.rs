//! From the members of all bundles to [`Facts`]: members get contexts, contexts get records, and records become
//! objects, coverage, streams and a clock. Each step is a file of its own.
//!
//! Invariants: the facts depend on what members are called and hold, never on their order or numbers;
//! a member whose content another member of the same context repeats counts once; no answer is widened.

use crate::always;
use crate::answers::order;
use crate::as_of::Candidate;
use crate::as_of::ages::AgeCell;
use crate::clock;
use crate::contexts;
use crate::contexts::Folder;
use crate::copies;
use crate::lists;
use crate::log_of_role;
use crate::machine_of_file::Machines;
use crate::merge;
use crate::presence;
use crate::rows::TableFacts;
use crate::session_beside;
use crate::sightings;
use crate::zones;
use catalogue::kinds::Catalogue;
use catalogue::products::Marks;
use facts::coverage::{Answer, Namespaces, State};
use facts::kind::KindName;
use facts::limit::Limit;
use facts::object::{ContextId, Object, ObjectId, ObjectRecord};
use facts::origin::MemberId;
use facts::parallel;
use facts::record::{Stamp, Stated};
use facts::shown_paths::PathPool;
use facts::store::{Context, Coverage, Facts, Mixed, Stream};
use facts::unread::WhyUnread;
use intake::Member;
use layout::content::BundleContent;
use parse::member::MemberContent;
use parse::transcript::{self, SessionLog};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

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
    /// Objects of every kind are kept, whether somebody asks for them or not.
    pub every_kind: bool,
}

/// Puts all facts of a run together.
///
/// Records and logs move into the facts, because they are most of what a run holds in memory: of each
/// content the bundles keep what was said of it (format, unread parts, limits), an empty list of records,
/// and an empty log where there was one.
pub fn build(bundles: &mut [BundleContent], catalogue: &Catalogue, options: &BuildOptions) -> Facts {
    bundles.iter_mut().for_each(|bundle| zones::leave(&mut bundle.contents));
    let contents = bundles.iter_mut().flat_map(|bundle| std::mem::take(&mut bundle.contents)).collect();
    let mut builder = Builder::new(bundles, contents, catalogue, options);
    builder.name_members();
    builder.convert_tables();
    builder.assign_contexts();
    builder.name_namespaces();
    builder.name_machines();
    builder.gather();
    let (facts, mut contents) = builder.finish();
    for bundle in bundles {
        let ids = bundle.intake.members.iter().map(|member| member.id);
        bundle.contents = ids.filter_map(|id| Some((id, contents.remove(&id)?))).collect();
    }
    facts
}

/// From so many objects of a context on its kinds are put together side by side.
const MANY: usize = 1_000;

/// A context while it is put together: the bundle and the part of it.
pub(crate) type ContextKey = (usize, Folder);

/// What was read of one context.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) records: BTreeMap<KindName, Vec<ObjectRecord>>,
    pub(crate) answers: Vec<Answer>,
    pub(crate) kinds: BTreeSet<KindName>,
    /// Kinds of which an object was seen in the cluster, and not in a manifest alone.
    pub(crate) there: BTreeSet<KindName>,
    pub(crate) marks: Marks,
    pub(crate) counted: BTreeMap<KindName, BTreeSet<(Option<String>, String)>>,
    /// Kinds of which a full object stands in a namespace, or in none.
    pub(crate) namespaced: BTreeSet<KindName>,
    pub(crate) unscoped: BTreeSet<KindName>,
    pub(crate) stamps: Vec<Stamp>,
    /// Times that may be the clock, see `as_of`.
    pub(crate) times: Vec<Candidate>,
    /// Ages in tables, which tell when those were printed.
    pub(crate) ages: Vec<AgeCell>,
    pub(crate) versions: BTreeSet<(String, String)>,
    /// Content that was taken in, to take equal content once.
    pub(crate) taken: BTreeSet<([u8; 32], String)>,
    pub(crate) logs: Vec<MemberId>,
    /// Stretches of logs in transcripts.
    pub(crate) session_logs: Vec<(MemberId, SessionLog)>,
}

impl Gathered {
    /// Takes in what was read elsewhere of the same context.
    pub(crate) fn absorb(&mut self, other: Self) {
        for (kind, records) in other.records {
            self.records.entry(kind).or_default().extend(records);
        }
        for (kind, objects) in other.counted {
            self.counted.entry(kind).or_default().extend(objects);
        }
        self.answers.extend(other.answers);
        self.kinds.extend(other.kinds);
        self.there.extend(other.there);
        self.marks.absorb(other.marks);
        self.namespaced.extend(other.namespaced);
        self.unscoped.extend(other.unscoped);
        self.stamps.extend(other.stamps);
        self.times.extend(other.times);
        self.ages.extend(other.ages);
        self.versions.extend(other.versions);
        self.taken.extend(other.taken);
        self.logs.extend(other.logs);
        self.session_logs.extend(other.session_logs);
    }
}

pub(crate) struct Builder<'a> {
    pub(crate) bundles: &'a [BundleContent],
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) options: &'a BuildOptions,
    pub(crate) facts: Facts,
    /// What partial objects show, each set of paths once.
    pub(crate) paths: PathPool,
    /// Members that were read, in the order of (bundle, name, hash).
    pub(crate) members: Vec<(usize, &'a Member)>,
    /// Links to members: other names, of which one may tell what the member's own does not.
    pub(crate) other_names: BTreeMap<MemberId, Vec<&'a str>>,
    pub(crate) contents: BTreeMap<MemberId, MemberContent>,
    /// What the tables of each member say, in their order, until it is taken in.
    pub(crate) tables: BTreeMap<MemberId, VecDeque<TableFacts>>,
    pub(crate) key_of: BTreeMap<MemberId, ContextKey>,
    pub(crate) gathered: BTreeMap<ContextKey, Gathered>,
    pub(crate) clusters: BTreeSet<String>,
    /// Names of clusters, namespaces and Nodes that the bundle shows: they may be a part of a file's name.
    pub(crate) names: BTreeSet<String>,
    /// Which machine a file is of, of each bundle.
    pub(crate) machines: Vec<Machines>,
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
            paths: PathPool::default(),
            members,
            other_names,
            contents,
            key_of: BTreeMap::new(),
            tables: BTreeMap::new(),
            gathered: BTreeMap::new(),
            clusters: BTreeSet::new(),
            names: BTreeSet::new(),
            machines: Vec::new(),
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
            self.facts.members.insert(member.id, name.into());
            self.facts.redactions += content.redactions;
            self.facts.unread.extend(content.parsed.unread.iter().map(|(line, why)| (member.id, *line, why.clone())));
        }
    }

    /// The facts, and what is left of the contents.
    fn finish(mut self) -> (Facts, BTreeMap<MemberId, MemberContent>) {
        let mut gathered = std::mem::take(&mut self.gathered);
        let sources = &self.catalogue.sources;
        session_beside::place(&mut gathered, &self.clusters, |id| {
            self.contents.get(&id).is_some_and(|content| content.parsed.format == transcript::FORMAT)
        });
        log_of_role::place(&mut gathered, sources, &self.clusters);
        log_of_role::place_files(&mut gathered, sources, &self.clusters, |id| {
            let name = self.facts.members.get(&id).map_or("", |name| name.inside());
            let by_content = || sources.class_of_content(self.contents.get(&id)?.log.as_ref()?);
            (name.to_owned(), sources.locate(name).class.or_else(by_content))
        });
        // The bundle's own part is a context if it shows anything, or if nothing else is there.
        let mut keys: Vec<ContextKey> = gathered
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
        let named = self.name_contexts(&keys);
        for (index, (bundle, name, key)) in named.into_iter().enumerate() {
            let context = ContextId(index as u32);
            let read = gathered.remove(&key).unwrap_or_default();
            self.context(context, bundle, name, &key.1, read);
        }
        self.sort();
        let mut facts = self.facts;
        contexts::link_workloads(&mut facts);
        clock::share(&mut facts.contexts);
        let bundles = self.bundles;
        clock::lend(&mut facts.contexts, |at| bundles.get(at).is_some_and(|bundle| bundle.intake.members.len() == 1));
        let mut conflicts = std::mem::take(&mut facts.conflicts);
        conflicts.extend(facts.objects.iter().flat_map(|o| facts.conflicts_of(o)));
        // Objects come in their order, so contexts and values need none of their own here.
        conflicts.sort_by(|a, b| (&a.object, &a.path).cmp(&(&b.object, &b.path)));
        facts.conflicts = conflicts;
        (facts, self.contents)
    }

    /// Bundle, name and key of each context, sorted.
    fn name_contexts(&self, keys: &[ContextKey]) -> Vec<(usize, String, ContextKey)> {
        let single = self.bundles.len() == 1;
        let mut named: Vec<(usize, String, ContextKey)> = Vec::new();
        for key in keys {
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
        named
    }

    /// Makes one context out of what was read of it.
    fn context(&mut self, id: ContextId, bundle: usize, name: String, folder: &Folder, mut read: Gathered) {
        let by_folder = match folder {
            Folder::Bundle => None,
            _ => Some(name.as_str()),
        };
        let as_of = self.settled_clock(&mut read);
        let mut versions: Vec<(String, String)> = read.versions.into_iter().collect();
        for stamp in read.stamps.iter().filter(|s| s.what == Stated::ServerVersion) {
            versions.push(("Kubernetes".to_owned(), stamp.text.clone()));
        }
        versions.sort();
        versions.dedup();
        let stated = read.stamps.iter().filter(|stamp| stamp.what == Stated::ServerVersion);
        let mut api_server: Vec<_> = stated.map(|stamp| (stamp.text.clone(), stamp.citation.clone())).collect();
        api_server.sort_by(|(a, at), (b, b_at)| (a, self.facts.place(at)).cmp(&(b, self.facts.place(b_at))));
        api_server.dedup_by(|(a, _), (b, _)| a == b);
        self.facts.contexts.push(Context {
            roles: contexts::roles(by_folder, &read.kinds, &self.clusters),
            name,
            bundle,
            workload_of: None,
            mixed: None,
            as_of,
            products: Vec::new(),
            versions,
            api_server,
        });
        let mut named = lists::Named::new();
        for (kind, records) in &read.records {
            for record in records {
                let entry = (record.line, record.namespace.clone(), record.name.clone());
                named.entry((kind.clone(), record.member)).or_default().push(entry);
            }
        }
        let (records, members) = (read.records, &self.facts.members);
        let few = if records.values().map(Vec::len).sum::<usize>() < MANY { usize::MAX } else { 2 };
        let merged = parallel::map_into_from(few, records.into_iter().collect(), |(kind, records)| {
            let known = self.catalogue.cluster_scoped(&kind);
            let cluster_scoped =
                known.unwrap_or_else(|| read.unscoped.contains(&kind) && !read.namespaced.contains(&kind));
            let (mut merged, conflicts) = merge::merge(id, &kind, cluster_scoped, records, members);
            let limits: Vec<Limit> = merged.iter_mut().filter_map(sightings::bound).collect();
            (merged, conflicts, limits)
        });
        let mut objects = Vec::with_capacity(merged.iter().map(|(merged, ..)| merged.len()).sum());
        for (merged, conflicts, limits) in merged {
            objects.extend(merged);
            self.facts.conflicts.extend(conflicts);
            self.facts.limits.extend(limits);
        }
        let mut coverage =
            self.coverage(id, read.answers, |kind| read.unscoped.contains(kind) && !read.namespaced.contains(kind));
        let mixed = mixed(&mut coverage, &read.there, &objects);
        if let Some(context) = self.facts.contexts.last_mut() {
            context.mixed = mixed;
        }
        let members = &self.facts.members;
        always::doubt_lists(&mut coverage, &named, self.catalogue);
        let lists = lists::doubt_lists(&mut coverage, &named, members);
        presence::settle(&mut objects, &mut coverage, &lists, members);
        self.facts.objects.extend(objects);
        self.facts.coverage.extend(coverage);
        for (kind, objects) in read.counted {
            self.facts.counted.insert((id, kind), objects.len() as u64);
        }
        let others = self.facts.streams.len();
        self.logs(id, &read.logs);
        self.session_logs(id, read.session_logs);
        read.marks.sources.extend(self.facts.streams[others..].iter().filter_map(|stream| stream.class.clone()));
        read.marks.units.extend(self.facts.streams[others..].iter().filter_map(unit_of_stream));
        if let Some(context) = self.facts.contexts.last_mut() {
            context.products = read.marks.products(&self.catalogue.products);
        }
    }

    /// What was collected of each kind, by the answers, in the order of the members. `clustered` tells whether all objects of a
    /// kind were seen without a namespace; it is asked for kinds that the catalogue does not know.
    fn coverage(&self, id: ContextId, answers: Vec<Answer>, clustered: impl Fn(&KindName) -> bool) -> Vec<Coverage> {
        let mut coverage: Vec<Coverage> = answers
            .into_iter()
            .map(|mut answer| {
                // A kind whose full objects stand in no namespace has none.
                if self.catalogue.cluster_scoped(&answer.kind).is_none() && clustered(&answer.kind) {
                    answer.namespaces = Namespaces::All;
                }
                Coverage { context: id, answer }
            })
            .collect();
        let members = &self.facts.members;
        coverage.sort_by(|a, b| order(a, members).cmp(&order(b, members)));
        coverage.dedup();
        coverage
    }

    fn sort(&mut self) {
        self.facts.streams.sort_by(|a, b| (a.context, &a.name).cmp(&(b.context, &b.name)));
        copies::fold(&mut self.facts.streams);
        self.facts.objects.sort_by(|a, b| object_order(a).cmp(&object_order(b)));
        for (index, object) in self.facts.objects.iter().enumerate() {
            let key = (object.context, object.kind.clone());
            let gone = object.presence.is_gone();
            let index_of = if gone { &mut self.facts.gone } else { &mut self.facts.by_kind };
            index_of.entry(key).or_default().push(ObjectId(index as u32));
        }
        let members = &self.facts.members;
        let shown =
            |(member, line, why): &(MemberId, u32, WhyUnread)| (members.get(member).cloned(), *line, why.to_string());
        self.facts.unread.sort_by_cached_key(shown);
        self.facts.unread.dedup();
        self.facts.coverage.sort_by(|a, b| order(a, members).cmp(&order(b, members)));
    }
}

/// What shows that a context holds two clusters, if anything. A kind of which there are objects is served, so an answer
/// that it is not is none.
/// The unit of systemd whose program wrote a log: its last line is one of a journal.
fn unit_of_stream(stream: &Stream) -> Option<String> {
    let (_, log) = stream.parts.last().filter(|_| stream.pod.is_none())?;
    let named = log.tally.last_words.as_ref().and_then(|words| words.unit.as_ref()).map(|unit| unit.unit.to_string());
    let program = || parse::line::program(&log.tally.last_line.as_ref()?.1).map(|program| format!("{program}.service"));
    named.or_else(program)
}

fn mixed(coverage: &mut Vec<Coverage>, there: &BTreeSet<KindName>, objects: &[Object]) -> Option<Mixed> {
    let denies = |c: &Coverage| c.answer.state == State::NoSuchKind && there.contains(&c.answer.kind);
    let denied = coverage.iter().find(|c| denies(c)).map(|c| Mixed::NoSuchKind(c.answer.kind.clone()));
    coverage.retain(|c| !denies(c));
    denied.or_else(|| contexts::two_uids(objects))
}

/// What objects are sorted by.
fn object_order(object: &Object) -> (ContextId, &KindName, &Option<String>, &str, &Option<String>, bool) {
    (object.context, &object.kind, &object.namespace, &object.name, &object.uid, object.shadow)
}
