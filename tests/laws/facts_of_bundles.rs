//! The laws of the facts, tested from bytes to answers: coverage, merging, contexts, and what must not
//! change when a bundle is ordered or repeated otherwise.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking, loudly")]

use assemble::assembly::{BuildOptions, build};
use catalogue::kinds::Catalogue;
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::kind::KindName;
use facts::object::{ContextId, Lookup, ObjectId};
use facts::order::Order;
use facts::origin::{Citation, MemberId};
use facts::path::Path;
use facts::shortfall::WhyPartial;
use facts::store::{Absence, Context, Coverage, Facts, Scope};
use intake::{Intake, Limits, Member};
use layout::content::BundleContent;
use parse::member;
use parse::scan::Literals;
use proptest::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

pub(super) fn bundle(files: &[(&str, &str)]) -> BundleContent {
    let (literals, limits) = (Literals::new([]), Limits::default());
    let mut members = Vec::new();
    let mut contents = std::collections::BTreeMap::new();
    for (index, (name, text)) in files.iter().enumerate() {
        let id = MemberId(index as u32);
        contents.insert(id, member::read(id, name, &mut text.as_bytes(), &literals, &limits));
        let sha256 = Sha256::digest(text.as_bytes()).into();
        members.push(Member { id, name: (*name).to_owned(), bytes: text.len() as u64, sha256, cut: None });
    }
    members.sort_by(|a, b| (&a.name, a.sha256).cmp(&(&b.name, b.sha256)));
    let intake = Intake { name: "b".to_owned(), members, ..Intake::default() };
    BundleContent { intake, contents, layout: "folder".to_owned(), accounted: Default::default(), context: None }
}

pub(super) fn facts(files: &[(&str, &str)]) -> Facts {
    let wanted: BTreeSet<KindName> = [
        "secrets",
        "serviceaccounts",
        "deployments.apps",
        "clustercredentials.platform.tkestack.io",
        "machinehealthchecks.cluster.x-k8s.io",
    ]
    .map(KindName::parse)
    .into();
    build(&mut [bundle(files)], &Catalogue::built_in(), &BuildOptions { wanted, ..BuildOptions::default() })
}

/// Everything that a verdict could rest on, without the numbers of members.
pub(super) fn digest(facts: &Facts) -> String {
    let mut out = String::new();
    for context in &facts.contexts {
        out += &format!("context {} {:?} {:?}\n", context.name, context.roles, context.workload_of);
        if let Some(as_of) = &context.as_of {
            let at = as_of.citation.as_ref().map(|citation| place(facts, citation));
            out += &format!("as of {} {:?} {:?} {} {at:?}\n", as_of.time, as_of.precision, as_of.objects, as_of.source);
        }
    }
    for object in &facts.objects {
        let place = object.namespace.as_deref().unwrap_or("-");
        let shadow = if object.shadow { " shadow" } else { "" };
        out += &format!(
            "{} {} {place}/{}{shadow} x{}\n",
            object.context.0,
            object.kind,
            object.name,
            object.sightings.len()
        );
    }
    for c in &facts.coverage {
        let a = &c.answer;
        let file = &facts.members[&a.citation.member];
        out += &format!(
            "{} {} {:?} {:?} {} {} {file}:{}\n",
            c.context.0,
            a.kind,
            a.namespaces,
            a.names,
            a.state.word(),
            a.basis.word(),
            a.citation.line
        );
    }
    for c in &facts.conflicts {
        let values: Vec<String> = c.values.iter().map(|(text, at)| format!("{text} {}", place(facts, at))).collect();
        out += &format!("conflict {} {}: {}\n", c.object, c.path, values.join(", "));
    }
    let asked: BTreeSet<(ContextId, &KindName)> = facts.coverage.iter().map(|c| (c.context, &c.answer.kind)).collect();
    for (context, kind) in asked {
        for namespace in [None, Some("prod"), Some("a")] {
            let scope = Scope { namespace: namespace.map(str::to_owned), name: None };
            let (word, citations) = match facts.absence(context, kind, &scope) {
                Absence::Stated(citations) => ("stated".to_owned(), citations),
                Absence::Listed(citations) => ("listed".to_owned(), citations),
                Absence::Rows(citations) => ("rows".to_owned(), citations),
                Absence::Unknown { why, citations, .. } => (format!("{why:?}"), citations),
            };
            let places: Vec<String> = citations.iter().map(|at| place(facts, at)).collect();
            out += &format!("absence {kind} {namespace:?}: {word} {}\n", places.join(", "));
        }
    }
    out
}

/// A citation by the name of its member.
fn place(facts: &Facts, citation: &Citation) -> String {
    let member = facts.members.get(&citation.member).map_or("?", |name| name.inside());
    format!("{member}:{} {} `{}`", citation.line, citation.path, citation.excerpt)
}

fn absence(facts: &Facts, kind: &str, namespace: Option<&str>, name: Option<&str>) -> String {
    let scope = Scope { namespace: namespace.map(str::to_owned), name: name.map(str::to_owned) };
    match facts.absence(ContextId(0), &KindName::parse(kind), &scope) {
        Absence::Stated(_) => "stated".to_owned(),
        Absence::Listed(_) | Absence::Rows(_) => "listed".to_owned(),
        Absence::Unknown { why, state, .. } => format!("unknown ({}): {:?}", state.word(), why.why),
    }
}

fn value(facts: &Facts, kind: &str, path: &str) -> String {
    let id = facts.of_kind(ContextId(0), &KindName::parse(kind))[0];
    match facts.lookup(id, &Path::parse(path).unwrap()) {
        Lookup::Found(all) => all.iter().map(|(n, _)| n.to_string()).collect::<Vec<_>>().join("|"),
        other => format!("{other:?}").split('(').next().unwrap_or_default().to_owned(),
    }
}

const CLUSTERS: &str = "\
apiVersion: v1
items:
- apiVersion: cluster.x-k8s.io/v1beta2
  kind: Cluster
  metadata: {name: c1, namespace: prod, uid: u1, resourceVersion: \"10\"}
  status: {phase: Provisioned}
kind: List
";

const PLATFORM: &str = "NAME     AGE\nglobal   3m\n";

#[test]
fn coverage_2_no_resources_found_without_its_command_lists_its_scope() {
    let f = facts(&[("get-machinehealthchecks.txt", "No resources found in prod namespace.\n")]);
    let kind = "machinehealthchecks.cluster.x-k8s.io";
    assert_eq!(absence(&f, kind, Some("prod"), None), "listed");
    assert!(absence(&f, kind, None, None).starts_with("unknown"));
    assert!(absence(&f, kind, Some("other"), None).starts_with("unknown"));
    let f = facts(&[("get-mhc.txt", "No resources found\n")]);
    assert_eq!(absence(&f, kind, None, None), "listed");
}

#[test]
fn coverage_1_no_such_kind_proves_that_there_are_none() {
    let f = facts(&[("x.txt", "error: the server doesn't have a resource type \"clustercredentials\"\n")]);
    assert_eq!(absence(&f, "clustercredentials.platform.tkestack.io", None, None), "stated");
}

#[test]
fn coverage_1_not_found_proves_the_absence_of_that_one_name() {
    let f = facts(&[("x.txt", "Error from server (NotFound): clusters.platform.tkestack.io \"c1\" not found\n")]);
    let kind = "clusters.platform.tkestack.io";
    assert_eq!(absence(&f, kind, None, Some("c1")), "stated");
    assert_eq!(absence(&f, kind, None, Some("c2")), "unknown (never-asked): OneName(\"c1\")");
    assert!(absence(&f, kind, None, None).starts_with("unknown"));
}

#[test]
fn coverage_2_a_list_is_whole_for_cluster_scoped_kinds_and_the_namespaces_of_its_items() {
    let f = facts(&[("get-clusters.platform.tkestack.io.txt", PLATFORM), ("clusters.yaml", CLUSTERS)]);
    assert_eq!(absence(&f, "clusters.platform.tkestack.io", None, Some("c1")), "listed");
    assert_eq!(absence(&f, "clusters.cluster.x-k8s.io", Some("prod"), None), "listed");
    assert_eq!(absence(&f, "clusters.cluster.x-k8s.io", None, None), "unknown (never-asked): ListedIn([\"prod\"])");
}

#[test]
fn coverage_3_one_object_proves_nothing_else() {
    let one = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a, namespace: ns}\n";
    let f = facts(&[("sa.yaml", one)]);
    assert_eq!(absence(&f, "serviceaccounts", Some("ns"), Some("b")), "unknown (never-asked): NeverAsked");
}

#[test]
fn coverage_4_empty_answers_of_ambiguous_or_unknown_kinds_prove_nothing() {
    let f = facts(&[
        ("get-clusters.txt", "No resources found\n"),
        ("nodes.yaml", "apiVersion: v1\nitems: []\nkind: List\n"),
        ("pods.txt", ""),
    ]);
    for kind in ["clusters.cluster.x-k8s.io", "clusters.platform.tkestack.io", "nodes", "pods"] {
        assert!(absence(&f, kind, None, None).starts_with("unknown (never-asked)"), "{kind}");
    }
    assert!(f.unread.iter().any(|(_, _, why)| why.to_string().contains("clusters")), "{:?}", f.unread);
}

#[test]
fn coverage_5_an_error_after_a_table_makes_it_partial() {
    let text = format!("{PLATFORM}Error from server (Timeout): the request timed out\n");
    let f = facts(&[("get-clusters.platform.tkestack.io.txt", &text)]);
    assert!(absence(&f, "clusters.platform.tkestack.io", None, None).starts_with("unknown (partial)"));
}

#[test]
fn coverage_5_two_lists_of_one_scope_that_differ_are_both_not_whole() {
    let other = "NAME     AGE\nglobal   3m\nc1       1m\n";
    let f = facts(&[("a/clusters.platform.tkestack.io.txt", PLATFORM), ("b/clusters.platform.tkestack.io.txt", other)]);
    let said = absence(&f, "clusters.platform.tkestack.io", None, Some("c2"));
    assert!(said.starts_with("unknown (partial)") && said.contains("it lacks `c1`"), "{said}");
    let f = facts(&[("a/clusters.platform.tkestack.io.txt", other), ("b/clusters.platform.tkestack.io.txt", other)]);
    assert_eq!(absence(&f, "clusters.platform.tkestack.io", None, Some("c2")), "listed");
}

#[test]
fn coverage_6_all_namespaces_need_a_list_of_namespaces_and_each_of_them() {
    let namespaces =
        "NAME          STATUS   AGE\ndefault       Active   3d\nkube-system   Active   3d\nprod          Active   3d\n";
    let one = ("a/get-limitranges.txt", "No resources found in prod namespace.\n");
    let two = ("b/get-limitranges.txt", "No resources found in default namespace.\n");
    let three = ("c/get-limitranges.txt", "No resources found in kube-system namespace.\n");
    let f = facts(&[("get-namespaces.txt", namespaces), one, three]);
    assert!(absence(&f, "limitranges", None, None).starts_with("unknown"));
    let f = facts(&[("get-namespaces.txt", namespaces), one, two, three]);
    assert_eq!(absence(&f, "limitranges", None, None), "listed");
    let f = facts(&[one, two, three]);
    assert!(absence(&f, "limitranges", None, None).starts_with("unknown"));
}

#[test]
fn coverage_forbidden_and_never_asked_say_so() {
    let text = "Error from server (Forbidden): secrets is forbidden: User \"x\" cannot list resource \"secrets\" in API group \"\" at the cluster scope\n";
    let f = facts(&[("get-secrets.txt", text)]);
    assert!(
        absence(&f, "secrets", None, None).starts_with("unknown (forbidden)"),
        "{}",
        absence(&f, "secrets", None, None)
    );
    assert_eq!(absence(&f, "nodes", None, None), "unknown (never-asked): NeverAsked");
}

#[test]
fn objects_2_sightings_of_one_object_are_one_object() {
    let table = "NAMESPACE   NAME   PHASE         AGE   VERSION\nprod        c1     Provisioned   3d    \n";
    let bare = "NAME   PHASE         AGE   VERSION\nc1     Provisioned   3d    \n";
    let f = facts(&[
        ("yaml/clusters.yaml", CLUSTERS),
        ("get-clusters.cluster.x-k8s.io.txt", table),
        ("x/clusters.cluster.x-k8s.io.txt", bare),
    ]);
    let ids = f.of_kind(ContextId(0), &KindName::parse("clusters.cluster.x-k8s.io"));
    assert_eq!(ids.len(), 1);
    assert_eq!(f.object(ids[0]).sightings.len(), 3);
    assert_eq!(value(&f, "clusters.cluster.x-k8s.io", "status.phase"), "Provisioned");
    assert!(f.conflicts.is_empty(), "{:?}", f.conflicts);
}

#[test]
fn objects_2_a_sighting_that_fits_several_is_a_shadow() {
    let table = "NAMESPACE   NAME   TYPE     DATA   AGE\na           s      Opaque   1      3d\nb           s      Opaque   1      3d\n";
    let bare = "NAME   TYPE     DATA   AGE\ns      Opaque   1      3d\n";
    let f = facts(&[("get-secrets.txt", table), ("x/get-secrets.txt", bare)]);
    let ids = f.of_kind(ContextId(0), &KindName::parse("secrets"));
    let shadows: Vec<bool> = ids.iter().map(|id| f.object(*id).shadow).collect();
    assert_eq!(shadows, [true, false, false]);
}

#[test]
fn objects_2_events_of_a_table_join_the_event_that_says_the_same() {
    let full = "apiVersion: v1\nkind: Event\nmetadata: {name: w.1, namespace: a, uid: u}\ninvolvedObject: {kind: Pod, name: w}\nreason: BackOff\nmessage: back-off\ntype: Warning\n";
    let table = "LAST SEEN   TYPE      REASON    OBJECT   MESSAGE\n3m          Warning   BackOff   pod/w    back-off\n3m          Normal    Pulled    pod/w    pulled\n";
    let f = facts(&[("event.yaml", full), ("get-events.txt", table)]);
    let ids = f.of_kind(ContextId(0), &KindName::parse("events"));
    assert_eq!(ids.len(), 2);
    assert!(f.conflicts.is_empty(), "{:?}", f.conflicts);
}

#[test]
fn contexts_link_a_workload_to_its_cluster_by_name_or_by_nodes() {
    let machine = "apiVersion: cluster.x-k8s.io/v1beta2\nkind: Machine\nmetadata: {name: m, namespace: prod}\nspec: {clusterName: c1}\nstatus: {nodeRef: {name: n1}}\n";
    let node = |name: &str| format!("apiVersion: v1\nkind: Node\nmetadata: {{name: {name}}}\n");
    let of = |files: &[(&str, &str)]| {
        let f = facts(files);
        f.contexts
            .iter()
            .map(|c| format!("{}={:?}", c.name, c.workload_of.as_ref().map(|(_, n)| n)))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let (n1, n2) = (node("n1"), node("n2"));
    assert_eq!(
        of(&[("c.yaml", CLUSTERS), ("m.yaml", machine), ("workload/nodes.yaml", &n1)]),
        "cluster=None workload=Some(\"c1\")"
    );
    assert_eq!(
        of(&[("c.yaml", CLUSTERS), ("m.yaml", machine), ("workload/nodes.yaml", &n2)]),
        "cluster=None workload=None"
    );
    assert_eq!(of(&[("c.yaml", CLUSTERS), ("c1/nodes.yaml", &n2)]), "c1=Some(\"c1\") cluster=None");
}

#[test]
fn law_the_order_of_members_does_not_matter() {
    let table = "NAMESPACE   NAME   PHASE     AGE   VERSION\nprod        c1     Pending   3d    \n";
    let files = [
        ("hub/clusters.yaml", CLUSTERS),
        ("hub/get-clusters.txt", table),
        ("hub/get-clusters.platform.tkestack.io.txt", PLATFORM),
        ("hub/again/get-clusters.platform.tkestack.io.txt", "NAME     AGE\nglobal   4m\n"),
        (
            "hub/again/get-clusters.txt",
            "NAMESPACE   NAME   PHASE     AGE   VERSION\nprod        c1     Pending   4d    \n",
        ),
        ("hub/get-secrets-prod.txt", "No resources found in prod namespace.\n"),
        ("hub/again/get-secrets.txt", "No resources found in prod namespace.\n\n"),
        ("member1/get-secrets.txt", "NAME   TYPE     DATA   AGE\ns      Opaque   1      3d\n"),
    ];
    let mut turned = files;
    turned.reverse();
    assert_eq!(digest(&facts(&files)), digest(&facts(&turned)));
}

#[test]
fn law_adding_the_same_file_again_changes_no_answer() {
    let once = facts(&[("yaml/clusters.yaml", CLUSTERS), ("get-clusters.platform.tkestack.io.txt", PLATFORM)]);
    let twice = facts(&[
        ("yaml/clusters.yaml", CLUSTERS),
        ("copy/clusters.yaml", CLUSTERS),
        ("get-clusters.platform.tkestack.io.txt", PLATFORM),
        ("copy/get-clusters.platform.tkestack.io.txt", PLATFORM),
    ]);
    for kind in ["clusters.cluster.x-k8s.io", "clusters.platform.tkestack.io"] {
        assert_eq!(
            once.of_kind(ContextId(0), &KindName::parse(kind)).len(),
            twice.of_kind(ContextId(0), &KindName::parse(kind)).len()
        );
        for (namespace, name) in [(None, None), (Some("prod"), None), (None, Some("c9"))] {
            assert_eq!(absence(&once, kind, namespace, name), absence(&twice, kind, namespace, name));
        }
    }
    assert_eq!(once.conflicts, twice.conflicts);
}

prop_compose! {
    fn an_answer()(
        kind in prop_oneof![Just("namespaces"), Just("secrets")],
        all in any::<bool>(),
        some in prop::collection::vec(prop_oneof![Just("a"), Just("b")], 0..3),
        name in prop::option::of(prop_oneof![Just("x"), Just("y")]),
        selector in prop::option::weighted(0.2, Just("l=1".to_owned())),
        state in 0..6u8,
        basis in 0..3u8,
    ) -> Answer {
        let namespaces = some.into_iter().map(str::to_owned).collect();
        Answer {
            kind: KindName::parse(kind),
            namespaces: if all { Namespaces::All } else { Namespaces::Some(namespaces) },
            names: name.map(|n| vec![n.to_owned()]),
            selector,
            state: match state {
                0 | 1 => State::Complete,
                2 => State::Empty,
                3 => State::NotFound(name.unwrap_or("x").to_owned().into()),
                4 => State::NoSuchKind,
                _ => State::Partial(WhyPartial::NoEnd),
            },
            basis: [Basis::Named, Basis::Listed, Basis::Stated][usize::from(basis)],
            order: Order::default(),
            citation: Citation::line(MemberId(0), 1, ""),
        }
    }
}

proptest! {
    #[test]
    fn law_dropping_an_answer_never_makes_an_absence_surer(
        answers in prop::collection::vec(an_answer(), 1..6),
        dropped in any::<prop::sample::Index>(),
        namespace in prop::option::of(prop_oneof![Just("a"), Just("b")]),
        name in prop::option::of(prop_oneof![Just("x"), Just("y")]),
    ) {
        let of = |answers: &[Answer]| {
            // The namespaces of the cluster are known whatever list is dropped.
            let mut f = facts(&[("get-pods.txt", "NAMESPACE   NAME   READY   STATUS   RESTARTS   AGE\na           p      1/1     Running  0          3d\n"),
                ("ns.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: b}\n")]);
            f.coverage = answers.iter().map(|a| Coverage { context: ContextId(0), answer: a.clone() }).collect();
            let scope = Scope { namespace: namespace.map(str::to_owned), name: name.map(str::to_owned) };
            f.absence(ContextId(0), &KindName::parse("secrets"), &scope).sureness()
        };
        let mut fewer = answers.clone();
        fewer.remove(dropped.index(answers.len()));
        prop_assert!(of(&fewer) <= of(&answers));
    }
}

#[test]
fn ids_follow_the_order_of_context_kind_namespace_and_name() {
    let f = facts(&[
        (
            "m2/get-secrets.txt",
            "NAMESPACE   NAME   TYPE     DATA   AGE\nb           s      Opaque   1      3d\na           t      Opaque   1      3d\n",
        ),
        ("m1/clusters.yaml", CLUSTERS),
    ]);
    let names: Vec<_> = (0..f.objects.len()).map(|i| f.object(ObjectId(i as u32)).name.clone()).collect();
    assert_eq!(names, ["c1", "t", "s"]);
    let contexts: Vec<&str> = f.contexts.iter().map(|c: &Context| c.name.as_str()).collect();
    assert_eq!(contexts, ["m1", "m2"]);
}

const EVENT: &str = "\
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Event
  metadata: {name: web-1.17a, namespace: shop, uid: e1, resourceVersion: \"7\"}
  involvedObject: {kind: Pod, name: web-1, namespace: shop}
  type: Warning
  reason: BackOff
  message: 'Back-off restarting failed container '
  count: 3
";

const EVENT_ROW: &str = "\
NAMESPACE   LAST SEEN   TYPE      REASON    OBJECT      MESSAGE
shop        2m          Warning   BackOff   pod/web-1   Back-off restarting failed container
";

fn described(name: &str) -> String {
    format!(
        "Name:         {name}\nNamespace:    shop\nLabels:       <none>\nAnnotations:  <none>\nAPI Version:  v1\n\
         Kind:         Pod\nEvents:\n  Type     Reason   Age   From     Message\n  ----     ------   ----  ----     -------\n  \
         Warning  BackOff  2m    kubelet  Back-off restarting failed container\n"
    )
}

fn events(files: &[(&str, &str)]) -> Vec<String> {
    let f = facts(files);
    assert!(f.conflicts.iter().all(|c| !c.object.starts_with("events")), "{:?}", f.conflicts);
    f.of_kind(ContextId(0), &KindName::parse("events")).iter().map(|id| f.object(*id).name.clone()).collect()
}

#[test]
fn objects_2_an_event_is_one_whether_listed_tabled_or_described() {
    let one = described("web-1");
    assert_eq!(events(&[("events.yaml", EVENT), ("get-events.txt", EVENT_ROW), ("describe.txt", &one)]), ["web-1.17a"]);
    assert_eq!(events(&[("get-events.txt", EVENT_ROW), ("describe.txt", &one)]).len(), 1);
    // Two files that describe the same object on other lines.
    let moved = format!("\n{one}");
    assert_eq!(events(&[("a/describe.txt", &one), ("b/describe.txt", &moved)]).len(), 1);
    // Two files that describe different objects on the same line.
    let other = described("web-2");
    assert_eq!(events(&[("a/describe.txt", &one), ("b/describe.txt", &other)]).len(), 2);
}

#[test]
fn coverage_5_two_tables_of_events_that_differ_are_not_whole() {
    let other = EVENT_ROW.replace("web-1", "web-2");
    let f = facts(&[("a/get-events.txt", EVENT_ROW), ("b/get-events.txt", &other)]);
    assert!(absence(&f, "events", None, None).starts_with("unknown (partial)"));
    let f = facts(&[("a/get-events.txt", EVENT_ROW), ("events.yaml", EVENT)]);
    assert!(absence(&f, "events", None, None).starts_with("unknown (truncated): Forgotten"));
}

#[test]
fn coverage_2_a_list_of_no_known_namespace_proves_nothing_of_a_namespaced_kind() {
    let table = "NAME   TYPE     DATA   AGE\nca     Opaque   2      3m\n";
    let f = facts(&[("get-secrets.txt", table)]);
    for namespace in [None, Some("prod"), Some("")] {
        let said = absence(&f, "secrets", namespace, None);
        assert!(said.starts_with("unknown"), "{said}");
    }
    let f = facts(&[("get-clusters.platform.tkestack.io.txt", PLATFORM)]);
    assert_eq!(absence(&f, "clusters.platform.tkestack.io", None, Some("c1")), "listed");
}

#[test]
fn answers_of_etcdctl_in_json_are_read() {
    let text = r#"[{"Endpoint":"https://10.0.0.1:2379","Status":{"header":{"cluster_id":1,"member_id":2},"version":"3.5.7","leader":2}}]"#;
    let f = facts(&[("endpoint-status.json", text)]);
    assert_eq!(f.unread, Vec::new());
    assert_eq!(f.of_kind(ContextId(0), &KindName::parse("etcdendpointstatuses.casefile.dev")).len(), 1);
}

#[test]
fn json_of_others_is_said_to_be_unread_once() {
    let f = facts(&[("results.json", r#"[{"ok":1},{"ok":2},{"ok":3}]"#)]);
    assert_eq!(f.unread.len(), 1);
    assert!(f.unread[0].2.to_string().starts_with("3 documents or items: no Kubernetes object"), "{:?}", f.unread);
}
