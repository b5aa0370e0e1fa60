//! Objects that come and go while a bundle is made: deleted, not found, no longer listed, made again, made later. What
//! is gone accuses nobody now, what was missing then may be there now, and where nothing orders two sources neither
//! overrules the other.

#![expect(clippy::expect_used, reason = "a helper of a test may panic")]

use catalogue::kinds::Catalogue;
use engine::Outcome;
use facts::kind::KindName;
use facts::object::ContextId;
use facts::presence::Presence;
use facts::store::{Absence, Scope};
use selftest::bench::Bench;
use signature::load::Library;
use signature::model::VerdictWord;
use std::collections::BTreeSet;
use std::sync::LazyLock;

static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::built_in().expect("the built-in signatures are right"));
static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::built_in);

fn members(files: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
}

fn outcome(files: &[(&str, &str)]) -> Outcome {
    let bench = Bench::new(&LIBRARY, &CATALOGUE);
    // Nothing that is seen here is young.
    let clock = "2026-05-14T10:00:00Z".parse().expect("a time");
    let collected = bench.collect(members(files), Some(clock), &BTreeSet::new()).0;
    engine::evaluate(&collected.facts, &LIBRARY, &CATALOGUE, &collected.literals)
}

/// The verdict of a signature: its word, with a star where another side is shown too.
fn verdict(files: &[(&str, &str)], signature: &str) -> String {
    let outcome = outcome(files);
    let found = outcome.findings.iter().find(|finding| finding.signature.id == signature);
    found.map_or_else(
        || "none".to_owned(),
        |finding| format!("{:?}{}", finding.verdict, if finding.conflicting { "*" } else { "" }),
    )
}

/// How an object of this kind and name stands, and whether that is known of others of its scope.
fn presence(files: &[(&str, &str)], kind: &str, name: &str) -> String {
    let bench = Bench::new(&LIBRARY, &CATALOGUE);
    let facts = bench.collect(members(files), None, &BTreeSet::new()).0.facts;
    let kind = KindName::parse(kind);
    let object = facts.objects.iter().find(|object| object.kind == kind && object.name == name);
    let stands = match object.map(|object| &object.presence) {
        None => "never seen",
        Some(Presence::There) => "there",
        Some(Presence::Disputed(_)) => "disputed",
        Some(Presence::Gone(_)) => "gone",
    };
    let namespace = object.and_then(|object| object.namespace.clone());
    let whole = match facts.absence(ContextId(0), &kind, &Scope { namespace, name: None }) {
        Absence::Stated(_) => "stated",
        Absence::Listed(_) | Absence::Rows(_) => "listed",
        Absence::Unknown { .. } => "open",
    };
    format!("{stands}, {whole}")
}

const INGRESS: &str = "\
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: shop, namespace: shop, uid: i1, resourceVersion: \"5\", creationTimestamp: \"2026-05-01T00:00:00Z\"}
spec:
  ingressClassName: nginx
  rules:
  - host: shop.example.com
    http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}
status: {loadBalancer: {ingress: [{ip: 10.0.0.1}]}}
";
const TABLE: &str = "$ kubectl get svc -n shop\nNAME    TYPE        CLUSTER-IP    EXTERNAL-IP   PORT(S)   AGE\n";
const WEB: &str = "web     ClusterIP   10.96.0.31    <none>        80/TCP    90d\n";
const CART: &str = "cart    ClusterIP   10.96.0.32    <none>        80/TCP    90d\n";
/// What stands behind a table that was copied whole.
const PROMPT: &str = "$ date\n";
const NOT_FOUND: &str = "$ kubectl get svc web -n shop\nError from server (NotFound): services \"web\" not found\n";

#[test]
fn what_was_deleted_in_a_session_is_missing_now() {
    let deleted = "$ kubectl delete svc web -n shop\nservice \"web\" deleted\n";
    let there = format!("{TABLE}{WEB}{CART}{PROMPT}");
    let missing = |session: &str| verdict(&[("ingress.yaml", INGRESS), ("session.txt", session)], "CF-5055");
    assert_eq!(missing(&there), "none");
    assert_eq!(missing(&format!("{there}{deleted}{NOT_FOUND}")), "Confirmed");
    assert_eq!(missing(&format!("{there}{deleted}{TABLE}{CART}{PROMPT}")), "Confirmed", "a later list without it");
    assert_eq!(missing(&format!("{NOT_FOUND}{there}")), "none", "it was made since");
    let made = "$ kubectl create -n shop -f web.yaml\nservice/web created\n";
    assert_eq!(missing(&format!("{NOT_FOUND}{made}")), "none", "somebody made it, and nobody looked since");
    assert_eq!(missing(&format!("{made}{NOT_FOUND}")), "Confirmed");
}

#[test]
fn what_is_being_deleted_is_not_gone_for_that_kubectl_says_deleted() {
    let object = |phase: &str, meta: &str| {
        format!("apiVersion: v1\nkind: Namespace\nmetadata: {{name: mq, uid: n1{meta}}}\nstatus: {{phase: {phase}}}\n")
    };
    let note = "$ kubectl delete ns mq\nnamespace \"mq\" deleted\n^C\n";
    let of = |object: &str| presence(&[("ns.yaml", object), ("note.txt", note)], "namespaces", "mq");
    assert_eq!(of(&object("Terminating", "")), "there, open");
    assert_eq!(of(&object("Active", ", deletionTimestamp: \"2026-05-14T09:00:00Z\"")), "there, open");
    assert_eq!(of(&object("Active", "")), "disputed, open");
    let session = format!("{note}$ kubectl get ns\nNAME   STATUS        AGE\nmq     Terminating   9d\n{PROMPT}");
    assert_eq!(presence(&[("session.txt", &session)], "namespaces", "mq"), "there, stated");
}

#[test]
fn without_an_order_nothing_is_gone() {
    let described = "\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop, uid: s1, resourceVersion: \"7\", creationTimestamp: \"2026-05-01T00:00:00Z\"}
spec: {type: ClusterIP, clusterIP: 10.96.0.31, ports: [{port: 80}]}
status: {loadBalancer: {}}
";
    let bundle = |session: &str| {
        let files = [("web.yaml", described), ("session.txt", session)];
        presence(&files, "services", "web")
    };
    assert_eq!(bundle(NOT_FOUND), "disputed, open");
    assert_eq!(bundle(&format!("{TABLE}{CART}{PROMPT}")), "disputed, open", "one of the two is not the present");
    assert_eq!(bundle(&format!("{TABLE}{WEB}{CART}{PROMPT}")), "there, stated");
    let listed = "\
NAMESPACE   NAME    TYPE        CLUSTER-IP    EXTERNAL-IP   PORT(S)   AGE
default     kubernetes ClusterIP 10.96.0.1    <none>        443/TCP   90d
shop        cart    ClusterIP   10.96.0.32    <none>        80/TCP    90d
";
    let files = [("web.yaml", described), ("services.txt", listed)];
    assert_eq!(presence(&files, "services", "web"), "there, open", "a list without its command may be filtered");
}

fn config_maps(version: &str, names: &[(&str, &str, &str)]) -> String {
    let item = |(name, uid, version): &(&str, &str, &str)| {
        format!(
            r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}","namespace":"shop","uid":"{uid}","resourceVersion":"{version}"}},"data":{{"a":"b"}}}}"#
        )
    };
    let items: Vec<String> = names.iter().map(item).collect();
    format!(
        r#"{{"apiVersion":"v1","kind":"List","metadata":{{"resourceVersion":"{version}"}},"items":[{}]}}"#,
        items.join(",")
    )
}

#[test]
fn a_list_of_a_later_version_shows_what_went() {
    let early = config_maps("100", &[("a", "u1", "10"), ("b", "u2", "20")]);
    let late = config_maps("200", &[("a", "u1", "10")]);
    let both = [("x/cm.json", early.as_str()), ("y/cm.json", late.as_str())];
    // Neither says how it was asked for, so the later one may be filtered.
    assert_eq!(presence(&both, "configmaps", "b"), "disputed, listed");
    assert_eq!(presence(&both, "configmaps", "a"), "there, listed");
    let session = format!("$ kubectl get cm -n shop -o json\n{early}\n$ kubectl get cm -n shop -o json\n{late}\n");
    assert_eq!(presence(&[("session.txt", &session)], "configmaps", "b"), "gone, stated");
    let back = format!("$ kubectl get cm -n shop -o json\n{late}\n$ kubectl get cm -n shop -o json\n{early}\n");
    assert_eq!(presence(&[("session.txt", &back)], "configmaps", "b"), "there, stated", "made between the two");
}

#[test]
fn of_two_of_one_name_the_one_that_was_made_later_is_there() {
    let pod = |uid: &str, made: &str, ready: &str| {
        format!(
            r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"db-0","namespace":"shop","uid":"{uid}","resourceVersion":"7","creationTimestamp":"{made}"}},"status":{{"phase":"Running","conditions":[{{"type":"Ready","status":"{ready}"}}]}}}}"#
        )
    };
    let (old, new) = (pod("u1", "2026-05-01T00:00:00Z", "False"), pod("u2", "2026-05-02T00:00:00Z", "True"));
    let bench = Bench::new(&LIBRARY, &CATALOGUE);
    for files in [[("a.json", &old), ("b.json", &new)], [("a.json", &new), ("b.json", &old)]] {
        let facts = bench.collect(members(&files.map(|(n, t)| (n, t.as_str()))), None, &BTreeSet::new()).0.facts;
        let pods: Vec<_> =
            facts.of_kind(ContextId(0), &KindName::parse("pods")).iter().map(|id| facts.object(*id)).collect();
        assert_eq!(pods.iter().map(|pod| pod.uid.as_deref()).collect::<Vec<_>>(), [Some("u2")]);
        assert_eq!(facts.gone_of_kind(ContextId(0), &KindName::parse("pods")).len(), 1);
    }
}

#[test]
fn a_list_says_nothing_of_what_was_made_after_it() {
    let services = |version: &str| {
        format!(
            r#"{{"apiVersion":"v1","kind":"ServiceList","metadata":{{"resourceVersion":"{version}"}},"items":[
            {{"apiVersion":"v1","kind":"Service","metadata":{{"name":"kubernetes","namespace":"default","uid":"k","resourceVersion":"3","creationTimestamp":"2026-01-01T00:00:00Z"}},"spec":{{"type":"ClusterIP"}}}},
            {{"apiVersion":"v1","kind":"Service","metadata":{{"name":"cart","namespace":"shop","uid":"c","resourceVersion":"90","creationTimestamp":"2026-05-02T00:00:00Z"}},"spec":{{"type":"ClusterIP"}}}}]}}"#
        )
    };
    let ingress = |version: &str, made: &str| INGRESS.replace("\"5\"", version).replace("2026-05-01T00:00:00Z", made);
    let (later, before) = (ingress("\"9000\"", "2026-05-03T00:00:00Z"), ingress("\"9000\"", "2026-05-01T00:00:00Z"));
    let list = services("100");
    let missing = |ingress: &str| {
        let files = [("ingress.yaml", ingress), ("services.json", list.as_str())];
        verdict(&files, "CF-5055")
    };
    assert_eq!(missing(&later), "none", "made after the list, and so perhaps what it names");
    assert_ne!(missing(&before), "none", "made before the list, and changed since");
    assert_ne!(missing(INGRESS), "none");
}

#[test]
fn a_fault_of_what_is_gone_is_over() {
    let gone = "$ kubectl get ingress shop -n shop\nError from server (NotFound): ingresses.networking.k8s.io \"shop\" not found\n";
    let session = format!("$ kubectl get ingress shop -n shop -o yaml\n{INGRESS}{NOT_FOUND}");
    assert_eq!(verdict(&[("session.txt", &session)], "CF-5055"), "Confirmed");
    let outcome = outcome(&[("session.txt", &format!("{session}{gone}"))]);
    let over = outcome.findings.iter().find(|finding| finding.signature.id == "CF-5055").expect("it is told");
    assert_eq!(over.verdict, VerdictWord::Resolved);
    assert!(over.reason.contains("session.txt:14"), "{}", over.reason);
}

#[test]
fn what_was_not_looked_at_is_not_checked() {
    let refused = "Error from server (Forbidden): pods is forbidden: User \"dev\" cannot list resource \"pods\" in API group \"\" at the cluster scope\n";
    // Two folders: in a paste a refusal is what was asked about.
    let nothing = outcome(&[("a/pods.txt", refused), ("b/nodes.txt", &refused.replace("pods", "nodes"))]);
    assert_eq!(nothing.checked, 0);
    assert!(nothing.not_collected.iter().any(|row| row.what == "pods" && !row.signatures.is_empty()));
    let services = "\
$ kubectl get svc -A
NAMESPACE   NAME         TYPE        CLUSTER-IP   EXTERNAL-IP   PORT(S)   AGE
default     kubernetes   ClusterIP   10.96.0.1    <none>        443/TCP   90d
$ date\n";
    let one = outcome(&[("session.txt", services)]);
    assert!(one.checked > 0);
    assert!(one.not_collected.iter().any(|row| row.what == "pods"));
    assert!(!one.not_collected.iter().any(|row| row.what == "services"));
}

#[test]
fn one_uid_in_two_namespaces_is_two_objects() {
    let map = |namespace: &str| {
        format!(
            r#"{{"apiVersion":"v1","kind":"List","items":[{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"a","namespace":"{namespace}","uid":"u1","resourceVersion":"7"}},"data":{{"a":"{namespace}"}}}}]}}"#
        )
    };
    let (one, other) = (map("one"), map("other"));
    let unplaced = "$ kubectl get cm -n other\nNAME   DATA   AGE\na      1      3d\n$ date\n";
    let files = [("one.json", one.as_str()), ("other.json", other.as_str()), ("session.txt", unplaced)];
    let bench = Bench::new(&LIBRARY, &CATALOGUE);
    let mut turned = files;
    turned.reverse();
    for files in [files, turned] {
        let facts = bench.collect(members(&files), None, &BTreeSet::new()).0.facts;
        let kind = KindName::parse("configmaps");
        let ids = facts.of_kind(ContextId(0), &kind).iter().map(|id| facts.object(*id));
        let all: Vec<String> = ids
            .map(|object| format!("{} {}", object.namespace.as_deref().unwrap_or("-"), object.sightings.len()))
            .collect();
        assert_eq!(all, ["one 1", "other 2"]);
        for namespace in ["one", "other"] {
            let scope = Scope { namespace: Some(namespace.to_owned()), name: None };
            let absence = facts.absence(ContextId(0), &kind, &scope);
            assert!(!matches!(absence, Absence::Unknown { .. }), "{namespace}: {absence:?}");
        }
        let said: Vec<String> = facts
            .conflicts
            .iter()
            .map(|conflict| {
                let values: Vec<&str> = conflict.values.iter().map(|(value, _)| value.as_str()).collect();
                format!("{} {} {values:?}", conflict.object, conflict.path)
            })
            .collect();
        assert_eq!(said, [r#"configmaps a metadata.namespace ["one", "other"]"#]);
    }
}
