//! Over a corpus of real collections: the forms of one object say the same.
//!
//! What a table row or a description says of a path is compared with what YAML and JSON of the same object
//! say. Forms of one folder were collected within a minute of each other, not at one moment, so what moves by
//! itself (a container between two states, the heartbeat of a Node) may differ; everything else must not.
//! Two full forms are compared where they state one resourceVersion.
#![expect(clippy::expect_used, reason = "a test outside of `cfg(test)`: it fails loudly and says what it compared")]

use crate::common::{corpus, files};
use assemble::rows;
use catalogue::kinds::Catalogue;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{ContextId, Form, Lookup, Object, ObjectId, ObjectRecord, Shown, Sighting};
use facts::origin::MemberId;
use facts::path::{Path as FieldPath, Step};
use facts::record::Record;
use facts::store::Facts;
use intake::Limits;
use parse::member;
use parse::scan::Literals;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The folder that stands for a cluster.
fn cluster(path: &Path) -> String {
    let roles = ["hub", "member1", "member2", "workload", "management"];
    path.iter().filter_map(|part| part.to_str()).find(|part| roles.contains(part)).unwrap_or("").to_owned()
}

struct Seen {
    file: String,
    record: ObjectRecord,
}

/// Every object of a case, by cluster, kind and name.
fn objects(case: &Path, catalogue: &Catalogue) -> BTreeMap<(String, KindName, String), Vec<Seen>> {
    let all = files(case);
    let mut objects: BTreeMap<(String, KindName, String), Vec<Seen>> = BTreeMap::new();
    for path in all {
        let extension = path.extension().unwrap_or_default();
        if !["txt", "yaml", "json"].iter().any(|known| extension == *known) {
            continue;
        }
        let inside = path.strip_prefix(case).unwrap_or(&path);
        let name = inside.to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).expect("a file of the corpus can be read");
        let content = member::read(MemberId(0), &name, &mut bytes.as_slice(), &Literals::new([]), &Limits::default());
        let mut add = |record: ObjectRecord| {
            let stated = record.api_version.as_deref().zip(record.node.at(&["kind"]).and_then(Node::as_str));
            let kind = match (stated, &record.kind) {
                (Some((version, kind)), _) => catalogue.kind_of(version, kind),
                (None, Some(kind)) => catalogue.canonical(kind),
                (None, None) => return,
            };
            // The manifest of a static Pod is no object of the API server.
            if !name.contains("manifests/") && !record.name.contains('#') {
                objects
                    .entry((cluster(inside), kind, record.name.clone()))
                    .or_default()
                    .push(Seen { file: name.clone(), record });
            }
        };
        for record in content.parsed.records {
            match record {
                Record::Object(object) => add(*object),
                Record::Table(table) => rows::read(&table, &name, catalogue).records.into_iter().for_each(&mut add),
                _ => {}
            }
        }
    }
    objects
}

/// One sighting alone, to ask it for its fields.
fn alone(kind: &KindName, record: &ObjectRecord) -> Facts {
    let sighting = Sighting { record: record.clone(), resource_version: None };
    let object = Object {
        context: ContextId(0),
        kind: kind.clone(),
        namespace: record.namespace.clone(),
        name: record.name.clone(),
        uid: None,
        sightings: vec![sighting],
        shadow: false,
        presence: facts::presence::Presence::There,
    };
    Facts { objects: vec![object], ..Facts::default() }
}

fn same(a: &Node, b: &Node) -> bool {
    match (&a.value, &b.value) {
        (Value::Redacted(_), _) | (_, Value::Redacted(_)) => true,
        (Value::Map(x), Value::Map(y)) => {
            x.iter().all(|(k, v)| b.field(k).map_or(v.value.is_empty(), |w| same(v, w)))
                && y.iter().all(|(k, v)| a.field(k).map_or(v.value.is_empty(), |w| same(v, w)))
        }
        (Value::List(x), Value::List(y)) => x.len() == y.len() && x.iter().zip(y).all(|(v, w)| same(v, w)),
        (Value::Str(x) | Value::Text(x), Value::Str(y) | Value::Text(y)) if x.trim() == y.trim() => true,
        (x, y) => x.same_as(y) || x.is_empty() && y.is_empty(),
    }
}

/// Does the answer of a partial form fit that of a full one? `None` if one of them says nothing.
fn agree(part: &Lookup<'_>, full: &Lookup<'_>) -> Option<bool> {
    let among = |node: &Node, others: &[(&Node, _)]| {
        others.iter().any(|(other, _): &(&Node, facts::spot::Spot<'_>)| same(node, other))
    };
    match (part, full) {
        (Lookup::Unknown(_), _) | (_, Lookup::Unknown(_)) => None,
        (Lookup::Redacted(_), Lookup::Found(_) | Lookup::Redacted(_)) | (Lookup::Found(_), Lookup::Redacted(_)) => {
            Some(true)
        }
        (Lookup::Found(a), Lookup::Found(b)) => {
            // A cell may stand for one of several values; a full form has one.
            let stands_for_one = a.len() > 1 && b.len() == 1 && among(b[0].0, a);
            Some(stands_for_one || a.iter().all(|(x, _)| among(x, b)) && b.iter().all(|(y, _)| among(y, a)))
        }
        (Lookup::AtLeast(a), Lookup::Found(b)) => Some(a.iter().all(|(x, _)| among(x, b))),
        (Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_), Lookup::Found(b)) => {
            Some(b.iter().all(|(y, _)| y.value.is_empty()))
        }
        (Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_), Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_)) => Some(true),
        (Lookup::Found(a), Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_)) => {
            Some(a.iter().all(|(x, _)| x.value.is_empty()))
        }
        _ => Some(false),
    }
}

fn said(lookup: &Lookup<'_>) -> String {
    match lookup {
        Lookup::Found(values) | Lookup::AtLeast(values) => {
            values.iter().map(|(node, _)| format!("`{node}`")).collect::<Vec<_>>().join(" ")
        }
        Lookup::NotSet(_) => "not set".to_owned(),
        Lookup::NotSetOrEmpty(_) => "not set or empty".to_owned(),
        Lookup::Redacted(_) => "masked".to_owned(),
        Lookup::Unknown(why) => format!("{why:?}"),
    }
}

/// Every path of a full tree that leads to a scalar.
fn leaves(node: &Node, at: &mut Vec<Step>, out: &mut BTreeSet<FieldPath>) {
    match &node.value {
        Value::Map(entries) => {
            for (key, child) in entries {
                let plain = key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
                at.push(if plain { Step::Field(key.to_string()) } else { Step::Key(key.to_string()) });
                leaves(child, at, out);
                at.pop();
            }
        }
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                at.push(Step::Index(index));
                leaves(item, at, out);
                at.pop();
            }
        }
        _ => {
            out.insert(FieldPath(at.clone()));
        }
    }
}

/// What changes by itself between two commands of one collection: where a container stands in its loop of
/// restarts, what is counted from that, and heartbeats.
fn moves(kind: &KindName, path: &FieldPath) -> bool {
    let text = path.to_string();
    match kind.plural.as_str() {
        "pods" => text.starts_with("status.") || text == "metadata.deletionTimestamp",
        "nodes" => text.contains("lastHeartbeatTime"),
        "deployments" | "replicasets" | "daemonsets" | "statefulsets" => {
            text.contains("Replicas") || text.contains("conditions")
        }
        "leases" => true,
        _ => false,
    }
}

/// The cases of the corpus that hold several forms of one object.
fn cases(corpus: &Path) -> Vec<PathBuf> {
    let mut cases: Vec<_> = ["real", "kubefleet"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(corpus.join(folder)).expect("the corpus has this folder").flatten())
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            path.parent().is_some_and(|p| p.ends_with("kubefleet"))
                || ["k8s120-", "capi113-", "kubefleet-"].iter().any(|start| name.starts_with(start))
        })
        .collect();
    cases.sort();
    assert!(cases.len() > 20, "only {} cases were found", cases.len());
    cases
}

/// What was compared, and what does not agree.
#[derive(Default)]
struct Comparison {
    /// Values by the forms that show them.
    compared: BTreeMap<String, u64>,
    wrong: Vec<String>,
    /// What moves by itself.
    changed: Vec<String>,
}

/// All forms of one object.
struct Forms<'a> {
    /// The name of the case.
    case: &'a str,
    kind: &'a KindName,
    object: &'a str,
    seen: &'a [Seen],
}

impl Forms<'_> {
    fn full(&self) -> Vec<&Seen> {
        self.seen.iter().filter(|s| matches!(s.record.shown, Shown::Everything | Shown::Until(_))).collect()
    }

    fn of_path(&self, path: &FieldPath) -> String {
        format!("{}: {} {} {path}", self.case, self.kind, self.object)
    }
}

impl Comparison {
    /// What a form that shows a part says, against the full forms.
    fn part(&mut self, forms: &Forms<'_>, part: &Seen) {
        let Shown::Paths(paths) = &part.record.shown else { return };
        let fits = |s: &&Seen| {
            part.record.namespace.is_none()
                || s.record.namespace.is_none()
                || s.record.namespace == part.record.namespace
        };
        let full: Vec<&Seen> = forms.full().into_iter().filter(fits).collect();
        let namespaces: BTreeSet<_> = full.iter().map(|s| &s.record.namespace).collect();
        if full.is_empty() || namespaces.len() > 1 {
            return;
        }
        let mine = alone(forms.kind, &part.record);
        let is_name = |path: &&FieldPath| matches!(path.to_string().as_str(), "metadata.name" | "metadata.namespace");
        for path in paths.iter().filter(|path| !is_name(path)) {
            let says = mine.lookup(ObjectId(0), path);
            let facts: Vec<Facts> = full.iter().map(|s| alone(forms.kind, &s.record)).collect();
            let others: Vec<Lookup<'_>> = facts.iter().map(|facts| facts.lookup(ObjectId(0), path)).collect();
            let agreed: Vec<bool> = others.iter().filter_map(|other| agree(&says, other)).collect();
            if agreed.is_empty() {
                continue;
            }
            *self.compared.entry(format!("{:?} of {}", part.record.form, forms.kind)).or_default() += 1;
            if agreed.contains(&true) {
                continue;
            }
            let line = format!(
                "{}: {} in {}:{}, {} in {}",
                forms.of_path(path),
                said(&says),
                part.file,
                part.record.line,
                said(&others[0]),
                full[0].file
            );
            if moves(forms.kind, path) { self.changed.push(line) } else { self.wrong.push(line) }
        }
    }

    /// Two full forms, if they are of one resourceVersion.
    fn full(&mut self, forms: &Forms<'_>, a: &Seen, b: &Seen) {
        let version = |s: &Seen| s.record.node.at(&["metadata", "resourceVersion"]).and_then(|n| n.value.scalar());
        if version(a).is_none() || version(a) != version(b) {
            return;
        }
        let mut paths = BTreeSet::new();
        // A description prints its keys in other words, so the paths are those of the other form.
        for s in [a, b].into_iter().filter(|s| s.record.form != Form::Describe) {
            leaves(&s.record.node, &mut Vec::new(), &mut paths);
        }
        // One object there holds nothing but what `describe` cannot tell; see `corpus_describe`.
        if forms.case == "_quirks" && [a, b].iter().any(|s| s.record.form == Form::Describe) {
            return;
        }
        let (x, y) = (alone(forms.kind, &a.record), alone(forms.kind, &b.record));
        for path in paths.iter().filter(|path| path.0.len() > 1) {
            let (p, q) = (x.lookup(ObjectId(0), path), y.lookup(ObjectId(0), path));
            let Some(agreed) = agree(&p, &q) else { continue };
            let (less, more) = (a.record.form.min(b.record.form), a.record.form.max(b.record.form));
            *self.compared.entry(format!("{less:?} and {more:?}")).or_default() += 1;
            if !agreed {
                self.wrong.push(format!(
                    "{}: {} in {}, {} in {}",
                    forms.of_path(path),
                    said(&p),
                    a.file,
                    said(&q),
                    b.file
                ));
            }
        }
    }
}

#[test]
fn forms_of_one_object_agree() {
    let Some(corpus) = corpus() else { return };
    let catalogue = Catalogue::built_in();
    let mut all = Comparison::default();
    for case in cases(&corpus) {
        let name = case.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for ((_, kind, object), seen) in objects(&case, &catalogue) {
            let forms = Forms { case: &name, kind: &kind, object: &object, seen: &seen };
            for part in &seen {
                all.part(&forms, part);
            }
            let full = forms.full();
            for (index, a) in full.iter().enumerate() {
                for b in &full[..index] {
                    all.full(&forms, a, b);
                }
            }
        }
    }
    let Comparison { compared, wrong, changed } = all;
    for (what, count) in &compared {
        println!("{count:8} values compared: {what}");
    }
    for line in &changed {
        println!("changed: {line}");
    }
    println!("{} changed", changed.len());
    // Of forms that the corpus holds, so much at least was compared; nothing agrees that was not read.
    let least = [
        ("TypedDescribe of pods", 9_000),
        ("TypedDescribe of deployments.apps", 1_400),
        ("TypedDescribe of replicasets.apps", 1_200),
        ("TypedDescribe of nodes", 600),
        ("TypedDescribe of jobs.batch", 70),
        ("Table of pods", 1_100),
        ("Table of events", 400),
        ("Table of machines.cluster.x-k8s.io", 400),
        ("Table of clusters.cluster.x-k8s.io", 140),
        ("Table of nodes", 140),
        ("Table of deployments.apps", 140),
        ("Table of clusterstagedupdateruns.placement.kubernetes-fleet.io", 90),
        ("Yaml and Describe", 11_000),
        ("Json and Yaml", 7_500),
        ("Json and Describe", 4_000),
    ];
    for (what, least) in least {
        let found = compared.get(what).copied().unwrap_or_default();
        assert!(found >= least, "{what}: only {found} values were compared, not {least}");
    }
    assert!(changed.len() < 20, "{} values changed between two commands of one collection", changed.len());
    assert!(wrong.is_empty(), "{} disagree:\n{}", wrong.len(), wrong.join("\n"));
}
