//! Facts put together by hand, and signatures around one question.
#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking, loudly")]

use catalogue::kinds::Catalogue;
use diagnosis::model::Finding;
use engine::Outcome;
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{ContextId, Form, Object, ObjectId, ObjectRecord, Shown, Sighting, Tree};
use facts::order::Order;
use facts::origin::{Citation, MemberId};
use facts::path::Path;
use facts::store::{Context, Coverage, Facts};
use parse::scan::Literals;
use serde_json::{Value as Json, json};
use signature::load::Library;
use signature::pack::Pack;

pub(crate) const CLUSTERS: &str = "clusters.cluster.x-k8s.io";
pub(crate) const MACHINES: &str = "machines.cluster.x-k8s.io";
pub(crate) const OWNER: &str = r#"metadata.labels["cluster.x-k8s.io/cluster-name"]"#;

/// Facts of one context, put together by hand.
pub(crate) struct Bench {
    pub facts: Facts,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let mut bench = Self { facts: Facts::default() };
        bench.context("global", &["management"]);
        bench.facts.members.insert(MemberId(0), "global/all.yaml".to_owned().into());
        bench
    }

    pub(crate) fn context(&mut self, name: &str, roles: &[&str]) -> ContextId {
        self.facts.contexts.push(Context {
            name: name.to_owned(),
            roles: roles.iter().map(|r| (*r).to_owned()).collect(),
            bundle: 0,
            workload_of: None,
            mixed: None,
            api_server: Vec::new(),
            as_of: None,
            products: Vec::new(),
            versions: Vec::new(),
        });
        ContextId(self.facts.contexts.len() as u32 - 1)
    }

    /// An object in the first context.
    pub(crate) fn object(&mut self, kind: &str, body: Json) -> &mut Object {
        self.object_in(ContextId(0), kind, body)
    }

    /// An object in a context.
    pub(crate) fn object_in(&mut self, context: ContextId, kind: &str, body: Json) -> &mut Object {
        let kind = KindName::parse(kind);
        let text = |pointer: &str| body.pointer(pointer).and_then(Json::as_str).map(str::to_owned);
        let id = ObjectId(self.facts.objects.len() as u32);
        let name = text("/metadata/name").expect("a name");
        let record = ObjectRecord {
            kind: Some(kind.clone()),
            api_version: text("/apiVersion"),
            namespace: text("/metadata/namespace"),
            name: name.clone(),
            uid: text("/metadata/uid"),
            form: Form::Yaml,
            shown: Shown::Everything,
            node: Tree::of(node(&body, id.0 * 10 + 1)),
            member: MemberId(0),
            line: id.0 * 10 + 1,
            path: String::new(),
            order: Order::default(),
        };
        let namespace = record.namespace.clone();
        let uid = record.uid.clone();
        let sightings = vec![Sighting { record, resource_version: None }];
        self.facts.by_kind.entry((context, kind.clone())).or_default().push(id);
        self.facts.objects.push(Object {
            context,
            kind,
            namespace,
            name,
            uid,
            sightings,
            shadow: false,
            presence: facts::presence::Presence::There,
        });
        self.facts.objects.last_mut().expect("just pushed")
    }

    /// A table row that shows these paths only.
    pub(crate) fn row(&mut self, kind: &str, body: Json, shown: &[&str]) {
        let object = self.object(kind, body);
        object.sightings[0].record.form = Form::Table;
        object.sightings[0].record.shown = Shown::Paths(shown.iter().map(|p| path(p)).collect());
    }

    /// A whole list of a kind in the first context.
    pub(crate) fn listed(&mut self, kind: &str, basis: Basis) {
        self.listed_in(ContextId(0), kind, basis);
    }

    /// A whole list of a kind in a context.
    pub(crate) fn listed_in(&mut self, context: ContextId, kind: &str, basis: Basis) {
        self.facts.add_answer(Coverage {
            context,
            answer: Answer {
                kind: KindName::parse(kind),
                namespaces: Namespaces::All,
                names: None,
                selector: None,
                state: State::Complete,
                basis,
                order: Order::default(),
                citation: Citation::line(MemberId(0), 99, &format!("list of {kind}")),
            },
        });
    }

    pub(crate) fn run(&self, signatures: &[&str]) -> Outcome {
        self.run_with(signatures, [])
    }

    /// `literals` are those that the streams were searched for.
    pub(crate) fn run_with(&self, signatures: &[&str], literals: impl IntoIterator<Item = String>) -> Outcome {
        let files = signatures.iter().enumerate().map(|(i, s)| (format!("s{i}.yaml"), (*s).to_owned())).collect();
        let library = Library::of(&[Pack::of("test", files)]).expect("valid");
        engine::evaluate(&self.facts, &library, &Catalogue::built_in(), &Literals::new(literals))
    }
}

fn path(text: &str) -> Path {
    Path::parse(text).expect("a path")
}

fn node(json: &Json, line: u32) -> Node {
    let value = match json {
        Json::Null => Value::Null,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => Value::Int(n.as_i64().expect("a small number")),
        Json::String(s) => Value::Str(s.as_str().into()),
        Json::Array(items) => Value::List(items.iter().map(|item| node(item, line)).collect()),
        Json::Object(map) => Value::Map(map.iter().map(|(k, v)| (k.as_str().into(), node(v, line))).collect()),
    };
    Node::new(line, value)
}

pub(crate) fn cluster(name: &str) -> Json {
    json!({"apiVersion": "cluster.x-k8s.io/v1beta1", "metadata": {"name": name, "namespace": "ns"}, "status": {"phase": "Provisioned"}})
}

pub(crate) fn machine(name: &str, cluster: &str, phase: &str) -> Json {
    json!({"metadata": {"name": name, "namespace": "ns", "labels": {"cluster.x-k8s.io/cluster-name": cluster}},
        "spec": {"clusterName": cluster}, "status": {"phase": phase}})
}

/// A signature about Clusters with this evidence and these conditions.
pub(crate) fn about_clusters(evidence: &str, verdict: &str) -> String {
    signature("T-1", &format!("entity:\n  name: cluster\n  object: {{ kind: {CLUSTERS} }}\n"), evidence, verdict)
}

pub(crate) fn signature(id: &str, entity: &str, evidence: &str, verdict: &str) -> String {
    format!(
        "schema: 1\nid: {id}\nname: a-test-{}\ntitle: A test\nsummary: A test.\nstatus: test\nseverity: low\n\
         reviewed: 2026-11-21\nreferences: [{{ title: None }}]\n{entity}\nevidence:\n{evidence}\nremediation: {{ steps: [{{ do: Nothing. }}], verify: [It is well.] }}\nverdict:\n{verdict}\n",
        id.to_lowercase()
    )
}

pub(crate) fn evidence<'a>(finding: &'a Finding, id: &str) -> &'a diagnosis::model::EvidenceRow {
    finding.evidence.iter().find(|row| row.id == id).expect("the evidence")
}
