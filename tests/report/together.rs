//! Findings of one owner, made one: what goes together, what leads to it, and how every output says it.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use diagnosis::bounds::{ALL_ALIKE, FEWEST, FINDINGS, bound};
use diagnosis::model::{Ask, CitationInfo, Diagnosis, Finding, OwnerInfo};
use diagnosis::together::gather;
use diagnosis::words;
use report::{html, json, junit, markdown, terminal};
use signature::model::{RelationKind, VerdictWord};

/// A diagnosis with no findings, and one to make them of.
fn empty() -> (Diagnosis, Finding) {
    let text = include_str!("../data/report/typical.diagnosis.json");
    let mut diagnosis: Diagnosis = serde_json::from_str(text).unwrap();
    let finding = diagnosis.findings.first().unwrap().clone();
    diagnosis.findings.clear();
    diagnosis.asks.clear();
    (diagnosis, finding)
}

/// A confirmed finding about a Machine.
fn machine(like: &Finding, signature: &str, name: &str, owner: Option<&str>) -> Finding {
    let mut finding = like.clone();
    finding.signature.id = signature.to_owned();
    finding.anchor = format!("{signature}/{name}");
    finding.entity.kind = "machines.cluster.x-k8s.io".to_owned();
    finding.entity.namespace = Some("ns".to_owned());
    finding.entity.name = name.to_owned();
    finding.owner = owner.map(|name| OwnerInfo {
        kind: "MachineDeployment".to_owned(),
        group: "cluster.x-k8s.io".to_owned(),
        name: name.to_owned(),
    });
    finding.verdict = VerdictWord::Confirmed;
    (finding.conflicting, finding.caused_by, finding.folded_by) = (false, None, None);
    finding.headline = format!("Machine `{name}` never became a Node");
    for row in &mut finding.evidence {
        let place = |line| CitationInfo {
            member: format!("{name}.yaml"),
            line: Some(line),
            path: None,
            excerpt: "phase: Provisioned".to_owned(),
            ..CitationInfo::default()
        };
        row.citations = (1..=4).map(place).collect();
    }
    finding
}

/// The findings of a diagnosis: their names, and those that they stand for.
fn names(diagnosis: &Diagnosis) -> Vec<String> {
    let one = |finding: &Finding| {
        let alike: Vec<&str> = finding.alike.iter().map(|other| other.entity.name.as_str()).collect();
        format!("{}: {}", finding.entity.name, alike.join(" "))
    };
    diagnosis.findings.iter().map(|finding| one(finding).trim_end_matches(": ").to_owned()).collect()
}

fn gathered(findings: Vec<Finding>) -> Diagnosis {
    let (mut diagnosis, _) = empty();
    diagnosis.findings = findings;
    gather(&mut diagnosis);
    let mut again = diagnosis.clone();
    gather(&mut again);
    assert_eq!(again, diagnosis, "gathering twice changes nothing");
    diagnosis
}

#[test]
fn what_one_owner_has_in_one_state_is_one_finding() {
    let (_, like) = empty();
    let of = |name: &str| machine(&like, "T-1", name, Some("md-0"));
    assert_eq!(names(&gathered(vec![of("a"), of("b"), of("c")])), ["a: b c"]);
    type Change = fn(&mut Finding);
    let apart: [(&str, Change); 8] = [
        ("another owner", |f| f.owner.as_mut().unwrap().name = "md-1".to_owned()),
        ("another kind of owner", |f| f.owner.as_mut().unwrap().kind = "MachineSet".to_owned()),
        ("no owner that is known", |f| f.owner = None),
        ("another namespace", |f| f.entity.namespace = Some("other".to_owned())),
        ("another cluster", |f| f.entity.context = "elsewhere".to_owned()),
        ("another verdict", |f| f.verdict = VerdictWord::Probable),
        ("evidence against it", |f| f.conflicting = true),
        ("another signature", |f| f.signature.id = "T-2".to_owned()),
    ];
    for (why, differ) in apart {
        let mut other = of("b");
        differ(&mut other);
        assert_eq!(names(&gathered(vec![of("a"), other, of("c")])), ["a: c", "b"], "{why}");
    }
}

#[test]
fn without_an_owner_only_a_certain_cause_ties() {
    let (_, like) = empty();
    let node = |name: &str| {
        let mut finding = machine(&like, "T-1", name, None);
        finding.entity.kind = "nodes".to_owned();
        finding.entity.namespace = None;
        finding
    };
    assert_eq!(names(&gathered(vec![node("a"), node("b")])), ["a", "b"], "nothing ties them");
    let below = |name: &str, cause: usize| {
        let mut finding = node(name);
        (finding.caused_by, finding.folded_by) = (Some(cause), Some(RelationKind::Causes));
        finding
    };
    let cause = |name: &str| machine(&like, "T-9", name, None);
    let nodes = gathered(vec![cause("switch"), below("a", 0), below("b", 0)]);
    assert_eq!(names(&nodes), ["switch", "a: b"]);
    let headline = "2 Nodes: Machine `a` never became a Node; the same holds for the others";
    assert_eq!(nodes.findings[1].headline, headline, "a headline that calls a Node a Machine is not taken apart");
    let mut unsure = cause("switch");
    unsure.verdict = VerdictWord::Probable;
    assert_eq!(names(&gathered(vec![unsure, below("a", 0), below("b", 0)])), ["switch", "a", "b"]);
    let two = vec![cause("one"), below("a", 0), cause("two"), below("b", 2), below("c", 2)];
    assert_eq!(names(&gathered(two)), ["one", "a", "two", "b: c"], "each cause has its own");
    let mut part = below("b", 0);
    part.folded_by = Some(RelationKind::Implies);
    assert_eq!(names(&gathered(vec![cause("switch"), below("a", 0), part])), ["switch", "a", "b"]);
}

#[test]
fn nodes_that_fall_at_one_blow_are_one_finding() {
    let (_, like) = empty();
    let node = |name: &str, since: &str, what: &str| {
        let mut finding = machine(&like, "T-1", name, None);
        finding.entity.kind = "nodes".to_owned();
        finding.entity.namespace = None;
        finding.headline = format!("Node `{name}` is {what}, seen {since}");
        finding.since = Some(format!("2026-05-14T{since}Z"));
        finding
    };
    let at = |since: &str| node(&format!("n-{}", since.replace(':', "")), since, "lost");
    let lost = vec![at("09:00:00"), at("09:09:00"), at("09:18:59"), at("09:29:00")];
    assert_eq!(
        names(&gathered(lost)),
        ["n-090000: n-090900 n-091859", "n-092900"],
        "ten minutes after the one before it"
    );
    let apart = vec![at("09:00:00"), node("other", "09:00:00", "without a network")];
    assert_eq!(names(&gathered(apart)), ["n-090000", "other"], "another thing is said of it");
    let mut machine = at("09:01:00");
    machine.entity.kind = "machines.cluster.x-k8s.io".to_owned();
    assert_eq!(names(&gathered(vec![at("09:00:00"), machine])), ["n-090000", "n-090100"], "only Nodes fall so");
    let mut excluded = vec![at("09:00:00"), at("09:01:00")];
    excluded.iter_mut().for_each(|finding| finding.verdict = VerdictWord::RuledOut);
    assert_eq!(names(&gathered(excluded)), ["n-090000", "n-090100"]);
}

#[test]
fn of_one_owner_each_stands_under_its_own_cause() {
    let (_, like) = empty();
    let cause = |name: &str| machine(&like, "T-9", name, None);
    let below = |name: &str, cause: Option<usize>| {
        let mut finding = machine(&like, "T-1", name, Some("md-0"));
        (finding.caused_by, finding.folded_by) = (cause, cause.map(|_| RelationKind::Causes));
        finding
    };
    let all =
        vec![cause("x"), below("a", Some(0)), below("b", Some(0)), below("c", None), cause("y"), below("d", Some(4))];
    let gathered = gathered(all);
    assert_eq!(names(&gathered), ["x", "a: b", "c", "y", "d"]);
    let causes: Vec<Option<usize>> = gathered.findings.iter().map(|finding| finding.caused_by).collect();
    assert_eq!(causes, [None, Some(0), None, None, Some(3)]);
}

/// What each of the others causes, and what would decide it, leads to the one finding; links keep their target.
#[test]
fn everything_leads_to_the_one_that_stands() {
    let (mut diagnosis, like) = empty();
    let below = |name: &str, cause: usize| {
        let mut finding = machine(&like, "T-2", name, Some("md-0"));
        (finding.caused_by, finding.folded_by) = (Some(cause), Some(RelationKind::Causes));
        finding
    };
    let root = |name: &str| machine(&like, "T-1", name, Some("md-0"));
    let alone = machine(&like, "T-3", "alone", None);
    diagnosis.findings = vec![root("a"), below("av", 0), alone, root("b"), below("bv", 3), below("bw", 3)];
    let ask = |decides: &[&str]| Ask {
        command: "kubectl get machines".to_owned(),
        on: "management".to_owned(),
        note: None,
        decides: decides.iter().map(|anchor| (*anchor).to_owned()).collect(),
    };
    diagnosis.asks = vec![ask(&["T-1/a", "T-1/b", "T-3/alone"]), ask(&["T-2/bw"])];
    gather(&mut diagnosis);
    assert_eq!(names(&diagnosis), ["a: b", "av: bv bw", "alone"], "consequences stand directly after their cause");
    assert_eq!(diagnosis.findings[1].caused_by, Some(0));
    assert_eq!(diagnosis.asks[0].decides, ["T-1/a", "T-3/alone"]);
    assert_eq!(diagnosis.asks[1].decides, ["T-2/av"]);
    let page = html::render(&diagnosis).unwrap();
    for anchor in ["T-1/a", "T-1/b", "T-2/av", "T-2/bv", "T-2/bw", "T-3/alone"] {
        assert_eq!(page.matches(&format!("id=\"{anchor}\"")).count(), 1, "{anchor}");
    }
}

#[test]
fn two_clusters_of_one_name_are_two() {
    let (mut diagnosis, like) = empty();
    diagnosis.findings = vec![machine(&like, "T-1", "a", Some("md-0")), machine(&like, "T-1", "b", Some("md-0"))];
    let own = diagnosis.contexts.iter().find(|context| context.name == like.entity.context).unwrap().clone();
    diagnosis.contexts.push(own);
    gather(&mut diagnosis);
    assert_eq!(names(&diagnosis), ["a", "b"], "nobody knows whose they are");
}

#[test]
fn the_headline_says_how_many_of_whom_and_what() {
    let (_, like) = empty();
    let said = |headline: fn(&str) -> String| {
        let of = |name: &str| {
            let mut finding = machine(&like, "T-1", name, Some("md-0"));
            finding.headline = headline(name);
            finding
        };
        gathered(vec![of("m-1"), of("m-2"), of("m-3")]).findings.remove(0).headline
    };
    insta::assert_snapshot!(said(|n| format!("Machine `{n}` never became a Node")), @"3 Machines of MachineDeployment `md-0`: each never became a Node");
    insta::assert_snapshot!(said(|n| format!("`{n}` lacks its Node")), @"3 Machines of MachineDeployment `md-0`: each lacks its Node");
    insta::assert_snapshot!(said(|n| format!("The deletion of Machine `{n}` hangs")), @"3 Machines of MachineDeployment `md-0`: The deletion of Machine `m-1` hangs; the same holds for the others");
    insta::assert_snapshot!(said(|n| format!("Machine `{n}` is stuck: `{n}` has no image")), @"3 Machines of MachineDeployment `md-0`: Machine `m-1` is stuck: `m-1` has no image; the same holds for the others");
    insta::assert_snapshot!(said(|_| "No image fits".to_owned()), @"3 Machines of MachineDeployment `md-0`: No image fits");
    insta::assert_snapshot!(said(|n| format!("Machine `{n}` waits for slot {}", n.len() + usize::from(n == "m-3"))), @"3 Machines of MachineDeployment `md-0`, the first of them: Machine `m-1` waits for slot 3");
}

#[test]
fn kinds_are_called_as_people_call_them() {
    for (kind, one, many) in [
        ("machines.cluster.x-k8s.io", "Machine", "Machines"),
        ("networkpolicies.networking.k8s.io", "NetworkPolicy", "NetworkPolicies"),
        ("ingresses.networking.k8s.io", "Ingress", "Ingresses"),
        ("etcdclustermembers.casefile.dev", "etcd member", "etcd members"),
        ("gizmos.example.com", "gizmos.example.com", "gizmos.example.com"),
        ("kubelet log", "kubelet log", "kubelet logs"),
        ("metadata.labels[\"a/b\"]", "value of label `a/b`", "values of label `a/b`"),
    ] {
        assert_eq!((words::noun(kind, 1).as_str(), words::noun(kind, 2).as_str()), (one, many));
    }
}

#[test]
fn every_output_names_all_of_them_and_where_it_stands() {
    let (_, like) = empty();
    let of = |name: &str| machine(&like, "T-1", name, Some("md-0"));
    let gathered = gathered(vec![of("m-first"), of("m-second"), of("m-third")]);
    let headline = "3 Machines of MachineDeployment `md-0`: each never became a Node";
    let summary = terminal::summary(&gathered, false, None);
    assert!(summary.contains(&format!("ns/m-first and 2 more: {headline}")), "{summary}");
    assert!(summary.contains("Findings: 1 confirmed (3 objects)"), "{summary}");
    let page = html::render(&gathered).unwrap().replace("<code>", "").replace("</code>", "");
    for (format, text) in [
        ("html", page),
        ("json", json::render(&gathered).unwrap()),
        ("markdown", markdown::render(&gathered).replace("\\-", "-")),
        ("junit", junit::render(&gathered).unwrap()),
    ] {
        for name in ["m-first", "m-second", "m-third"] {
            assert!(text.contains(name) && text.contains(&format!("{name}.yaml")), "{format}: {name}");
        }
        assert!(text.contains("3 Machines of MachineDeployment"), "{format}");
    }
    assert_eq!(junit::render(&gathered).unwrap().matches("<testcase").count(), 1 + gathered.not_assessed.len());
}

#[test]
fn a_long_list_is_bounded_and_counted() {
    let (_, like) = empty();
    let of = |number: usize| machine(&like, "T-1", &format!("m-{number:03}"), Some("md-0"));
    let mut one = gathered((0..120).map(of).collect());
    bound(&mut one);
    let finding = &one.findings[0];
    assert_eq!((finding.alike.len(), finding.more_alike, finding.entities()), (FINDINGS, 69, 120));
    assert_eq!((one.count(VerdictWord::Confirmed), one.count_entities(VerdictWord::Confirmed)), (1, 120));
    let page = html::render(&one).unwrap();
    assert!(
        page.contains(">40 more<") && page.contains("and 69 more, which are not listed"),
        "ten are open, forty folded"
    );
    assert!(markdown::render(&one).contains("- and 109 more"));
    assert!(junit::render(&one).unwrap().contains("and 69 more"));
    let many = |number: usize| machine(&like, &format!("T-{}", number / 60), &format!("m-{number:04}"), Some("md-0"));
    let mut several = gathered((0..1_800).map(many).collect());
    bound(&mut several);
    let listed: usize = several.findings.iter().map(|finding| finding.alike.len()).sum();
    assert!(listed <= ALL_ALIKE && several.findings.iter().all(|finding| finding.alike.len() >= FEWEST), "{listed}");
    assert_eq!(several.count_entities(VerdictWord::Confirmed), 1_800);
    let mut twice = several.clone();
    bound(&mut twice);
    assert_eq!(twice, several);
}

/// Findings that are counted say how many objects they stand for.
#[test]
fn what_is_counted_counts_objects_too() {
    let (_, like) = empty();
    let of = |number: usize| machine(&like, "T-1", &format!("m-{number:03}"), Some(&format!("md-{}", number / 2)));
    let mut bounded = gathered((0..2 * FINDINGS + 20).map(of).collect());
    bound(&mut bounded);
    let row = &bounded.more.findings[0];
    assert_eq!((bounded.findings.len(), row.count, row.entities), (FINDINGS, 10, 20));
    assert!(row.first[0].starts_with("ns/m-100 and 1 more in "), "{:?}", row.first);
    assert!(markdown::render(&bounded).contains("10 more confirmed (20 objects)"));
}
