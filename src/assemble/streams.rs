//! Makes streams of logs: the parts of one container's log, of one program's log on a node, or of one machine in a
//! journal of several.
//!
//! Invariant: each log belongs to one stream; the parts of a stream stand in the order of time.

use crate::assembly::Builder;
use crate::earlier_part;
use crate::machine_of_log;
use crate::pod_of_log::KnownPods;
use catalogue::sources::{Part, Sources, StreamOrigin};
use facts::log::{Repeated, ScannedLog};
use facts::node::Node;
use facts::object::{ContextId, Object};
use facts::origin::MemberId;
use facts::outside::Outside;
use facts::store::Stream;
use parse::frames::Framed;
use parse::transcript::{SessionLog, Source, Title};
use std::collections::{BTreeMap, BTreeSet};

impl Builder<'_> {
    /// The log of a member, as long as no stream has taken it.
    pub(crate) fn log(&self, id: MemberId) -> Option<&ScannedLog> {
        self.contents.get(&id)?.log.as_ref()
    }

    /// The logs of containers in a member, as long as no stream has taken them.
    pub(crate) fn framed(&self, id: MemberId) -> &[Framed] {
        self.contents.get(&id).map_or(&[], |content| content.framed.as_slice())
    }

    /// Whose log it is, by the name that tells most: the member's own, or that of a link.
    pub(crate) fn origin_of_log(&self, id: MemberId, own: &str) -> StreamOrigin {
        let others = self.other_names.get(&id).into_iter().flatten().copied();
        let origins = std::iter::once(own).chain(others).map(|name| self.catalogue.sources.locate(name));
        let known = |origin: &StreamOrigin| {
            (origin.pod.is_some(), origin.container.is_some(), origin.class.is_some(), origin.node.is_some())
        };
        // Of equal ones the first, which is the member's own.
        origins.min_by_key(|origin| std::cmp::Reverse(known(origin))).unwrap_or_default()
    }

    /// The same with the Pod that the name of the file names, if the bundle shows that.
    fn of_known_pod(&self, pods: &KnownPods, known: StreamOrigin, (id, file): (MemberId, &str)) -> StreamOrigin {
        let ends_badly = self.log(id).is_some_and(|log| {
            let last = log.tally.last_line.as_ref().map(|(line, _)| *line);
            let is_last = |error: &Repeated| Some(error.line) == last;
            log.tally.last_words.is_some() || log.tally.last_error.as_ref().is_some_and(is_last)
        });
        let machine = known.node.as_deref().or_else(|| self.machine_of(id));
        let machine = machine.map(str::to_owned);
        let mut origin = pods.complete(known, file, (ends_badly, machine.as_deref()));
        self.class_by_name(&mut origin);
        origin
    }

    /// Gives a log the class of its container or its Pod, where its path told none.
    fn class_by_name(&self, origin: &mut StreamOrigin) {
        let named = [origin.container.as_deref(), origin.pod.as_deref()];
        let class = named.into_iter().flatten().find_map(|name| self.catalogue.sources.class_of_name(name));
        let class = class.map(str::to_owned);
        origin.class = origin.class.take().or(class);
    }

    /// The same with the Pod of the container whose ID stands in the name of the file, where a table of the runtime shows that:
    /// `crictl/logs_etcd_b7f05c1a9d220.txt`.
    fn of_known_container(
        &self,
        known: StreamOrigin,
        file: &str,
        (pods, rows): (&KnownPods, &[usize]),
    ) -> StreamOrigin {
        let name = file.rsplit('/').next().unwrap_or(file);
        let is_id = |word: &&str| word.len() >= ID && word.bytes().all(|b| b.is_ascii_hexdigit());
        let id = name.split(|c: char| !c.is_ascii_alphanumeric()).find(is_id).filter(|_| known.pod.is_none());
        let Some(row) = id.and_then(|id| self.only_container(rows, id)) else { return known };
        let node = row.sightings.first().map(|sighting| &sighting.record.node);
        let field = |key: &str| node.and_then(|node| node.at(&["spec", key]));
        let text = |key: &str| field(key).and_then(Node::as_str).filter(|text| !text.is_empty());
        let Some(pod) = text("pod") else { return known };
        let place = pods.named(text("namespace"), pod).map(|(namespace, _)| namespace).or_else(|| text("namespace"));
        // kubeadm and RKE2 put the static Pods of a control plane there.
        let place = place.or_else(|| self.catalogue.sources.component_of(pod).map(|_| "kube-system"));
        let Some(place) = place else { return known };
        let mut origin = StreamOrigin {
            namespace: Some(place.to_owned()),
            pod: Some(pod.to_owned()),
            container: text("name").map(str::to_owned),
            program: None,
            ..known
        };
        if let Some(attempt) = field("attempt").and_then(|attempt| attempt.to_string().parse().ok()) {
            origin.part.restart = attempt;
        }
        self.class_by_name(&mut origin);
        origin
    }

    /// The same with the machine of its folder: `m2/etcd-before-power-loss.log`.
    fn of_known_machine(&self, id: MemberId, file: &str, (pods, rows): (&KnownPods, &[usize])) -> StreamOrigin {
        let origin = self.of_known_pod(pods, self.origin_of_log(id, file), (id, file));
        let mut origin = self.of_known_container(origin, file, (pods, rows));
        if let Some(machine) = self.machine_of(id).filter(|_| is_named_by_file(&origin)) {
            origin.node = Some(machine.to_owned());
            origin.program.clone_from(&origin.container);
        }
        origin
    }

    /// Places the logs of a context in streams: the parts of one container's log, rotated and previous
    /// ones before the current one, are one stream; so are the lines of one machine in a journal of several.
    pub(crate) fn logs(&mut self, context: ContextId, logs: &[MemberId]) {
        let mut streams: BTreeMap<String, (Stream, Parts)> = BTreeMap::new();
        let sources = &self.catalogue.sources;
        let pods = KnownPods::of(&self.facts, context);
        let rows = self.containers(context);
        let files: BTreeSet<String> =
            logs.iter().filter_map(|id| Some(self.facts.members.get(id)?.inside().to_owned())).collect();
        for id in logs {
            let file = self.facts.members.get(id).map_or("", |name| name.inside()).to_owned();
            let of_file = self.of_known_machine(*id, &file, (&pods, &rows));
            let Some(content) = self.contents.get_mut(id) else { continue };
            let framed = std::mem::take(&mut content.framed).into_iter().map(|framed| {
                let name = format!("podlogs/{}/{}/logs/{}.txt", framed.namespace, framed.pod, framed.container);
                let mut origin = sources.locate(&name);
                origin.part = Part::default();
                origin.namespace = Some(framed.namespace);
                origin.pod = Some(framed.pod);
                origin.container = Some(framed.container);
                (origin, framed.log)
            });
            let whole = content.log.as_mut().map(|log| (of_file, std::mem::take(log)));
            for (origin, log) in framed.chain(whole) {
                let machines = log.split();
                let several = machines.len() > 1;
                for log in machines {
                    let mut origin = origin.clone();
                    let host = log.host.as_deref().map(str::to_owned).filter(|_| origin.pod.is_none());
                    let machine = host.as_deref().filter(|_| several);
                    let (mut name, pod) = name_of_stream(&origin, &file, machine);
                    let current = earlier_part::current_of(&file).find(|current| files.contains(current));
                    if let Some(current) = current.filter(|_| pod.is_none()) {
                        (name, _) = name_of_stream(&sources.locate(&current), &current, machine);
                        if origin.part == Part::default() {
                            origin.part.restart = -1;
                        }
                    }
                    // A journal that somebody called after a program and more names its machine itself.
                    let by_file = is_named_by_file(&origin);
                    let node = match (several, by_file) {
                        (true, _) => host,
                        (false, true) => host.or(origin.node),
                        (false, false) => origin.node.or(host),
                    };
                    let beside = origin.program.as_deref().filter(|_| pod.is_none());
                    let beside = beside.and_then(|program| sources.beside(program)).map(str::to_owned);
                    let (_, parts) = streams.entry(name.clone()).or_insert_with(|| {
                        let class = origin.class;
                        (
                            Stream {
                                context,
                                name: Outside::name(&name),
                                class,
                                beside,
                                node,
                                pod,
                                parts: Vec::new(),
                                ordered: false,
                                over: None,
                            },
                            Vec::new(),
                        )
                    });
                    parts.push((origin.part, file.clone(), *id, log));
                }
            }
        }
        let mut whole: Vec<(Stream, Vec<String>)> = Vec::new();
        for (mut stream, mut parts) in streams.into_values() {
            parts.sort_by(|a, b| (&a.0, &a.1, a.2).cmp(&(&b.0, &b.1, b.2)));
            let mut files = Vec::new();
            for (part, file, id, mut log) in parts {
                log.previous = part.restart < 0;
                if stream.class.is_none() {
                    stream.class = sources.class_of_content(&log);
                }
                stream.parts.push((id, log));
                files.push(file);
            }
            whole.push((stream, files));
        }
        machine_of_log::name(&mut whole, sources, (&self.facts, context), |id| self.machine_of(id));
        self.facts.streams.extend(whole.into_iter().map(|(stream, _)| stream));
    }

    /// The stretches of logs in transcripts: those of one source on one node are one stream.
    pub(crate) fn session_logs(&mut self, context: ContextId, logs: Vec<(MemberId, SessionLog)>) {
        let mut streams: BTreeMap<(MemberId, String), Stream> = BTreeMap::new();
        let pods = if logs.is_empty() { KnownPods::default() } else { KnownPods::of(&self.facts, context) };
        let logs = logs.into_iter().flat_map(|(id, part)| by_machine(part).into_iter().map(move |part| (id, part)));
        for (id, mut part) in logs {
            if let Some(Source::Container(container)) = &part.source
                && let Some(shown) = self.container(context, container)
            {
                part.source = Some(shown);
            }
            if let Some(Source::Titled(title)) = part.source.take_if(|source| matches!(source, Source::Titled(_))) {
                self.named_by_title(&mut part, title, &pods);
            }
            let file = self.facts.members.get(&id).map_or("", |name| name.inside()).to_owned();
            let named = origin_of_source(&self.catalogue.sources, &part);
            let class = class_of(&self.catalogue.sources, &part);
            let node = part.node.clone().or_else(|| named.and_then(|named| named.node));
            let container = match &part.source {
                Some(Source::Pod { container, .. }) => container.as_deref(),
                _ => None,
            };
            let words = [node.as_deref(), part.source.as_ref().map(Source::name), container, class.as_deref()];
            let mut words: Vec<&str> = words.into_iter().flatten().collect();
            words.dedup();
            let name = if words.is_empty() { file } else { format!("{file} ({})", words.join(" ")) };
            let pod = match &part.source {
                // Whoever typed it left out the namespace, or named the Deployment.
                Some(Source::Pod { namespace, name, container }) => {
                    let container = container.clone().unwrap_or_default();
                    match (pods.named(namespace.as_deref(), name), namespace) {
                        (Some((namespace, pod)), _) => Some((namespace.to_owned(), pod.to_owned(), container)),
                        (None, Some(namespace)) => Some((namespace.clone(), name.clone(), container)),
                        // kubeadm and RKE2 put the static Pods of a control plane there.
                        (None, None) => {
                            let of_static = self.catalogue.sources.component_of(name);
                            of_static.map(|_| ("kube-system".to_owned(), name.clone(), container))
                        }
                    }
                }
                _ => None,
            };
            let beside = part.source.as_ref().and_then(|source| self.catalogue.sources.beside(source.name()));
            let beside = beside.map(str::to_owned);
            let stream = streams.entry((id, name.clone())).or_insert_with(|| Stream {
                context,
                name: Outside::name(&name),
                class,
                beside,
                node,
                pod,
                parts: Vec::new(),
                ordered: part.ordered,
                over: None,
            });
            stream.parts.push((id, part.log));
        }
        self.facts.streams.extend(streams.into_values());
    }

    /// Says of a stretch with a title what its name is of: a file and a Pod show it by their form, or the bundle knows the
    /// Pod; a static Pod and a program of a machine are called after the machine.
    fn named_by_title(&self, part: &mut SessionLog, title: Title, pods: &KnownPods) {
        let sources = &self.catalogue.sources;
        let class = title.program.as_deref().and_then(|program| sources.class_of_name(program)).map(str::to_owned);
        let class = class.or_else(|| sources.class_of_content(&part.log));
        let of_machine = class.as_deref().is_some_and(|class| sources.is_of_machine(class) || sources.is_static(class));
        let unit = title.program.clone().or(class.clone()).map(Source::Unit);
        let Some(name) = title.name else {
            part.source = unit;
            return;
        };
        let is_file = name.starts_with('/') || [".log", ".txt", ".out"].iter().any(|end| name.ends_with(end));
        let pod = |namespace: Option<&str>, name: &str| Source::Pod {
            namespace: namespace.map(str::to_owned),
            name: name.to_owned(),
            container: None,
        };
        part.source = Some(match name.split_once('/') {
            _ if is_file => Source::File(name),
            Some((namespace, name)) => pod(Some(namespace), name),
            None if pods.named(None, &name).is_some() || sources.component_of(&name).is_some() => pod(None, &name),
            None if of_machine => {
                part.node = part.node.take().or(Some(name));
                part.source = unit;
                return;
            }
            None => pod(None, &name),
        });
    }

    /// The places among the objects of the rows of tables of the runtime.
    fn containers(&self, context: ContextId) -> Vec<usize> {
        let is_row = |object: &Object| object.context == context && object.kind.plural == "crictlcontainers";
        let all = self.facts.objects.iter().enumerate();
        all.filter(|(_, object)| is_row(object)).map(|(at, _)| at).collect()
    }

    /// The only one of these containers that has this ID, or one of which it is a part.
    fn only_container(&self, rows: &[usize], id: &str) -> Option<&Object> {
        let is_meant = |name: &str| id.len() >= 3 && (name.starts_with(id) || id.starts_with(name));
        let rows = rows.iter().filter_map(|at| self.facts.objects.get(*at));
        let mut meant = rows.filter(|object| is_meant(&object.name));
        let (row, None) = (meant.next()?, meant.next()) else { return None };
        Some(row)
    }

    /// The Pod of a container of which a table of the runtime shows the ID; where it shows no Pod, what the container is
    /// called.
    fn container(&self, context: ContextId, id: &str) -> Option<Source> {
        let row = self.only_container(&self.containers(context), id)?;
        let node = &row.sightings.first()?.record.node;
        let text = |key: &str| node.at(&["spec", key]).and_then(Node::as_str).filter(|text| !text.is_empty());
        match (text("pod"), text("name")) {
            (Some(pod), container) => {
                let namespace = text("namespace").map(str::to_owned);
                Some(Source::Pod { namespace, name: pod.to_owned(), container: container.map(str::to_owned) })
            }
            (None, Some(name)) => Some(Source::Unit(name.to_owned())),
            (None, None) => None,
        }
    }
}

/// What the source of a stretch tells: a name that a path could have tells the class and the node of a static Pod.
fn origin_of_source(sources: &Sources, part: &SessionLog) -> Option<StreamOrigin> {
    part.source.as_ref().map(|source| match source {
        Source::File(path) => sources.locate(path),
        Source::Titled(Title { program: Some(program), .. }) => sources.locate(&format!("{program}.log")),
        source => sources.locate(&format!("{}.log", source.name())),
    })
}

/// The class of what wrote a stretch: by its source, else by what its lines hold.
pub(crate) fn class_of(sources: &Sources, part: &SessionLog) -> Option<String> {
    origin_of_source(sources, part).and_then(|origin| origin.class).or_else(|| sources.class_of_content(&part.log))
}

/// The stretch of each machine that its lines name, where no prompt names it.
fn by_machine(part: SessionLog) -> Vec<SessionLog> {
    let SessionLog { context, node, source, ordered, asked, log } = part;
    let machines = log.split();
    let several = machines.len() > 1;
    let of_machine = |log: ScannedLog| {
        let is_pod = matches!(source, Some(Source::Pod { .. }));
        let host = log.host.as_deref().filter(|_| !is_pod).map(str::to_owned);
        let node = if several { host.or_else(|| node.clone()) } else { node.clone().or(host) };
        SessionLog { context: context.clone(), node, source: source.clone(), ordered, asked, log }
    };
    machines.into_iter().map(of_machine).collect()
}

/// Is the node no more than what stands behind the component in the name of a file: `etcd-b.log`?
fn is_named_by_file(origin: &StreamOrigin) -> bool {
    let behind =
        |program: &str| program.strip_prefix(origin.container.as_deref()?)?.strip_prefix('-').map(str::to_owned);
    origin.pod.is_none() && origin.node.is_some() && origin.program.as_deref().and_then(behind) == origin.node
}

/// The logs of a stream with their order in it.
type Parts = Vec<(Part, String, MemberId, ScannedLog)>;

/// An ID of a container has so many characters at least: docker prints twelve, `crictl ps` thirteen.
const ID: usize = 12;

/// Namespace, Pod and container of a stream.
type PodOf = Option<(String, String, String)>;

/// What a stream is called, and the Pod whose log it is; `machine` where the file holds those of several.
fn name_of_stream(origin: &StreamOrigin, file: &str, machine: Option<&str>) -> (String, PodOf) {
    if let (Some(namespace), Some(pod)) = (&origin.namespace, &origin.pod) {
        let container = origin.container.clone().unwrap_or_default();
        let name =
            if container.is_empty() { format!("{namespace}/{pod}") } else { format!("{namespace}/{pod}/{container}") };
        return (name, Some((namespace.clone(), pod.clone(), container)));
    }
    let name = match (machine, &origin.node, &origin.program) {
        (Some(machine), _, Some(program)) => format!("{machine}/{program}"),
        (Some(machine), _, None) => format!("{machine}/{file}"),
        (None, Some(node), Some(program)) if program.contains(node.as_str()) => program.clone(),
        (None, Some(node), Some(program)) => format!("{node}/{program}"),
        // All attempts that one folder shows are of one program.
        (None, None, Some(program)) if origin.is_attempt => {
            file.rsplit_once('/').map_or_else(|| program.clone(), |(folder, _)| format!("{folder}/{program}"))
        }
        _ => file.to_owned(),
    };
    (name, None)
}
