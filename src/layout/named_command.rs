//! Commands that the names of files spell: `oc_get_pods_-n_shop.txt`.
//!
//! Why: sos, and people's scripts, call a file after what they ran, with marks for blanks. That tells kind, namespace and
//! selector of what is in it, as a prompt would.
//!
//! Invariant: a word is part of the command only if nothing else explains it.

use catalogue::kinds::Catalogue;
use facts::record::Command;
use parse::command;

/// The command that the name of a file spells with its options, wherever it lies: people's scripts write what they ran
/// with marks for blanks, as sos does (`kubectl_get_pods_-n_shop_-o_wide.txt`). Without an option, a word behind the kind
/// may as well be one of the person's own (`kubectl_get_pods_wide.txt`).
pub(crate) fn with_options(file: &str) -> Option<Command> {
    let numbered = file.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['-', '_', ' ', '.']);
    let ends = [".txt", ".yaml", ".yml", ".json", ".log", ".out"];
    let stem = ends.iter().find_map(|end| numbered.strip_suffix(end)).unwrap_or(numbered).replace(' ', "_");
    let options = stem.split('_').filter(|word| word.starts_with('-')).count();
    // The program, and the verb `get`, go without saying.
    let first = stem.split('_').next().unwrap_or_default();
    let whole = match first {
        "kubectl" | "oc" => stem,
        "get" | "describe" => format!("kubectl_{stem}"),
        kind if !Catalogue::shared().meanings(kind).is_empty() => format!("kubectl_get_{stem}"),
        _ => return None,
    };
    let command = (options > 0).then(|| spelled(&whole)).flatten()?;
    (!command.kinds.is_empty()).then_some(command)
}

/// The command of kubectl or `oc` that the name of a file spells.
pub(crate) fn spelled(file: &str) -> Option<Command> {
    // `microk8s_kubectl_...`, `k8s_kubectl_...`: another program that calls kubectl.
    let (program, rest) = match file.strip_prefix("oc_") {
        Some(rest) => ("oc", rest),
        None => {
            let at = file.find("kubectl_")?;
            let before = file[..at].chars().next_back();
            if !matches!(before, None | Some('_' | '.')) {
                return None;
            }
            ("kubectl", &file[at + "kubectl_".len()..])
        }
    };
    // A command that is run twice gets a number.
    let rest = match rest.rsplit_once('.') {
        Some((stem, number)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => stem,
        _ => rest,
    };
    let words = rest.replace("--all-namespaces_true", "--all-namespaces").replace('_', " ");
    let mut command = command::parse(&format!("{program} {words}"))?;
    command.kubeconfig = None;
    Some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(file: &str) -> String {
        spelled(file).map_or_else(
            || "-".to_owned(),
            |c| {
                format!(
                    "{} {:?} {:?} n={} A={}",
                    c.verb,
                    c.kinds,
                    c.names,
                    c.namespace.unwrap_or_default(),
                    c.all_namespaces
                )
            },
        )
    }

    #[test]
    fn commands_in_names() {
        insta::assert_snapshot!(show("kubectl_--kubeconfig_.etc.kubernetes.admin.conf_get_--all-namespaces_true_pods"), @r#"get ["pods"] [] n= A=true"#);
        insta::assert_snapshot!(show("k8s_kubectl_get_-o_json_--namespace_openstack_pvc"), @r#"get ["pvc"] [] n=openstack A=false"#);
        insta::assert_snapshot!(show("microk8s_kubectl_--namespace_n_describe_pods_p-1.1"), @r#"describe ["pods"] ["p-1"] n=n A=false"#);
        insta::assert_snapshot!(show("oc_get_--namespace_openshift-etcd_pods"), @r#"get ["pods"] [] n=openshift-etcd A=false"#);
        insta::assert_snapshot!(show("kubectl_get_--raw_.metrics"), @r#"get [] [] n= A=false"#);
        insta::assert_snapshot!(show("mykubectl_get_pods"), @"-");
        insta::assert_snapshot!(show("crictl_ps_-a"), @"-");
    }

    #[test]
    fn commands_in_names_that_people_give() {
        let show = |file: &str| {
            with_options(file).map_or_else(
                || "-".to_owned(),
                |c| format!("{} {:?} {:?} {:?} {}", c.verb, c.kinds, c.names, c.namespace, c.all_namespaces),
            )
        };
        insta::assert_snapshot!(show("oc_get_pods_-n_openshift-etcd.txt"), @r#"get ["pods"] [] Some("openshift-etcd") false"#);
        insta::assert_snapshot!(show("03-kubectl get svc,ep -A -o wide.out"), @r#"get ["svc", "ep"] [] None true"#);
        insta::assert_snapshot!(show("kubectl_describe_pod_web-1_-n_shop.log"), @r#"describe ["pod"] ["web-1"] Some("shop") false"#);
        insta::assert_snapshot!(show("events_-n_etl.txt"), @r#"get ["events"] [] Some("etl") false"#);
        insta::assert_snapshot!(show("get_all_-n_etl.txt"), @r#"get ["all"] [] Some("etl") false"#);
        insta::assert_snapshot!(show("describe_node_w-1_-A.txt"), @r#"describe ["node"] ["w-1"] None true"#);
        insta::assert_snapshot!(show("notes_-n_etl.txt"), @"-");
        insta::assert_snapshot!(show("events_of_today.txt"), @"-");
        insta::assert_snapshot!(show("kubectl_get_pods_all_namespaces_o_yaml.txt"), @"-");
        insta::assert_snapshot!(show("kubectl_get_pods_wide.txt"), @"-");
        insta::assert_snapshot!(show("kubectl_logs_-n_shop_web-1"), @"-");
        insta::assert_snapshot!(show("kubectl-get-pods--n-shop.txt"), @"-");
    }
}
