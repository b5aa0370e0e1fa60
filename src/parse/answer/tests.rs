use super::*;

fn show(name: &str, text: &str) -> String {
    let Some(parsed) = try_parse(&Asked { member: MemberId(0), name, command: None }, text) else {
        return "-".to_owned();
    };
    let mut out = String::new();
    for record in parsed.records {
        let Record::Answer(answer) = record else { panic!("only answers") };
        let names = answer.names.map_or(String::new(), |names| format!(" {names:?}"));
        out += &format!(
            "{}: {} {:?}{names} {}\n",
            answer.citation.line,
            answer.kind,
            answer.namespaces,
            answer.state.word()
        );
    }
    for (line, reason) in parsed.unread {
        out += &format!("{line}! {reason}\n");
    }
    out
}

#[test]
fn nothing_found_proves_its_namespace() {
    insta::assert_snapshot!(
        show("get-machinehealthchecks.txt", "No resources found in cpaas-system namespace.\n"),
        @r#"1: machinehealthchecks Some(["cpaas-system"]) empty"#
    );
    insta::assert_snapshot!(show("x/describe/kcp.txt", "No resources found\n"), @"1: kcp All empty");
    insta::assert_snapshot!(
        show("get-pods-kube-system.txt", "No resources found in kube-system namespace.\n"),
        @r#"1: pods Some(["kube-system"]) empty"#
    );
}

#[test]
fn nothing_found_proves_nothing_without_a_kind() {
    insta::assert_snapshot!(
        show("get-clusters.txt", "No resources found\n"),
        @"1! `No resources found` proves nothing: `clusters` exists in several API groups; ask for `clusters.<group>` instead"
    );
    insta::assert_snapshot!(
        show("get-pods-kube-system.txt", "No resources found\n"),
        @"1! `No resources found` proves nothing: what `kube-system` in the name of the file means is not known"
    );
    insta::assert_snapshot!(
        show("get-pods.txt", "No resources found.\n"),
        @"1! `No resources found.`: this old kubectl does not say for which namespace"
    );
}

#[test]
fn what_was_changed_is_gone_or_there() {
    insta::assert_snapshot!(
        show("a.txt", "pod \"web-1\" deleted\npod \"web-2\" force deleted from shop namespace\nservice/web created\ndeployment.apps/web configured\nmachine.cluster.x-k8s.io \"m-1\" deleted\npod/web-3 evicted\nnode/n1 cordoned\n"),
        @r#"
    1: pods Some([]) ["web-1"] deleted
    2: pods Some(["shop"]) ["web-2"] deleted
    3: services Some([]) ["web"] created
    4: deployments.apps Some([]) ["web"] created
    5: machines.cluster.x-k8s.io Some([]) ["m-1"] deleted
    6: pods Some([]) ["web-3"] deleted
    7: nodes Some([]) ["n1"] created
    "#
    );
    for line in [
        "pod \"a\" deleted (dry run)",
        "image/a created",
        "user \"a\" deleted",
        "service/web created (dry run)",
        "pod/a is deleted",
    ] {
        assert_eq!(show("a.txt", line), "-", "{line}");
    }
}

#[test]
fn not_found_states_itself() {
    insta::assert_snapshot!(
        show("get-platform-cluster-wl-01.txt", "Error from server (NotFound): clusters.platform.tkestack.io \"wl-01\" not found\n"),
        @r#"1: clusters.platform.tkestack.io Some([]) ["wl-01"] not-found"#
    );
}

#[test]
fn no_such_kind_is_of_the_group_that_was_asked_for() {
    let text = "error: the server doesn't have a resource type \"machines\"\n";
    insta::assert_snapshot!(show("x/machines.platform.tkestack.io.txt", text), @"1: machines.platform.tkestack.io All no-such-kind");
    insta::assert_snapshot!(show("apis/platform.tkestack.io/list.txt", text), @"1: machines.platform.tkestack.io All no-such-kind");
    insta::assert_snapshot!(show("a.b-v1.2/machines.txt", text), @"1: machines All no-such-kind");
    let command = crate::command::parse("kubectl get pods,machines.platform.tkestack.io").unwrap();
    let asked = Asked { member: MemberId(0), name: "", command: Some(&command) };
    let Some(Remark::Answer(answer)) = line(&asked, 1, text.trim()) else { panic!("no answer") };
    assert_eq!(answer.kind.to_string(), "machines.platform.tkestack.io");
}

#[test]
fn no_such_kind() {
    insta::assert_snapshot!(
        show("a.txt", "error: the server doesn't have a resource type \"minfo\"\n"),
        @"1: minfo All no-such-kind"
    );
}

#[test]
fn no_such_kind_is_no_proof_after_a_failed_discovery() {
    let text = "E1120 20:25:16.037202   22958 memcache.go:287] \"Unhandled Error\" err=\"couldn't get resource list for a.b/v1: down\"\nerror: the server doesn't have a resource type \"minfo\"\n";
    insta::assert_snapshot!(show("a.txt", text), @"2: minfo All error");
}

#[test]
fn forbidden_states_kind_and_scope() {
    let all = "Error from server (Forbidden): machines.cluster.x-k8s.io is forbidden: User \"u\" cannot list resource \"machines\" in API group \"cluster.x-k8s.io\" at the cluster scope\n";
    insta::assert_snapshot!(show("a.txt", all), @"1: machines.cluster.x-k8s.io All forbidden");
    let one = "Error from server (Forbidden): pods \"etcd-0\" is forbidden: User \"u\" cannot get resource \"pods\" in API group \"\" in the namespace \"kube-system\"\n";
    insta::assert_snapshot!(show("a.txt", one), @r#"1: pods Some(["kube-system"]) ["etcd-0"] forbidden"#);
}

#[test]
fn failures_need_a_kind() {
    let refused = "The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?\n";
    insta::assert_snapshot!(show("get-nodes.txt", refused), @"1: nodes Some([]) error");
    insta::assert_snapshot!(
        show("2.txt", refused),
        @"1! the collecting command failed: `The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?`"
    );
}

#[test]
fn prose_is_no_answer() {
    assert_eq!(show("notes.txt", "No resources found in the whole namespace, so I looked further.\n"), "-");
    assert_eq!(show("notes.txt", "We saw:\nNo resources found\n"), "-");
}

#[test]
fn kinds_from_file_names() {
    let hint = |name| kind_hint(name).map(|hint| format!("{} + {}", hint.kind, hint.rest.unwrap_or_default()));
    assert_eq!(hint("a/get-machines.txt").as_deref(), Some("machines + "));
    assert_eq!(hint("get-machines-wide.txt").as_deref(), Some("machines + "));
    assert_eq!(hint("get-clusters-show-labels.txt").as_deref(), Some("clusters + "));
    assert_eq!(
        hint("clustercredentials.platform.tkestack.io.yaml").as_deref(),
        Some("clustercredentials.platform.tkestack.io + ")
    );
    assert_eq!(hint("get-clusters.cluster.x-k8s.io-wide.txt").as_deref(), Some("clusters.cluster.x-k8s.io + "));
    assert_eq!(hint("03-kubectl_get_pods.txt").as_deref(), Some("pods + "));
    assert_eq!(hint("get-platform-cluster-wl-01.txt").as_deref(), Some("platform + cluster-wl-01"));
    assert_eq!(hint("123.txt"), None);
}
