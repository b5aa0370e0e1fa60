//! Whose static Pods the containers of `crictl ps` are, where no name of a machine stands beside them.

#![expect(clippy::expect_used, reason = "a test outside of `cfg(test)`: it fails loudly")]

use catalogue::kinds::Catalogue;
use facts::kind::KindName;
use selftest::bench::Bench;
use signature::load::Library;
use std::collections::BTreeSet;

const CONTAINERS: &str = "\
CONTAINER           IMAGE               CREATED             STATE               NAME                ATTEMPT             POD ID
0e5c7b6cf0a5a       0369cf4303ffd       2 minutes ago       Exited              etcd                13                  d1f5b1c4e3a72
";
const LOG: &str = r#"{"level":"fatal","ts":"2026-03-04T08:00:00.000Z","caller":"etcdmain/etcd.go:204","msg":"discovery failed","error":"listen tcp 10.0.0.5:2380: bind: address already in use"}
"#;

fn log(node: &str) -> String {
    format!("var/log/pods/kube-system_etcd-{node}_0b1fa3d6c9a97a2a2be2f42d2e0b1d3e/etcd/13.log")
}

/// The names of the runs that are derived of some files.
fn runs(files: &[(&str, &str)]) -> Vec<String> {
    let members = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    let library = Library::built_in().expect("the built-in signatures load");
    let facts = Bench::new(&library, &Catalogue::built_in()).collect(members, None, &BTreeSet::new()).0.facts;
    let kind = KindName::parse("componentruns.casefile.dev");
    let ids = facts.context_ids().flat_map(|context| facts.of_kind(context, &kind).to_vec());
    ids.map(|id| facts.object(id).name.clone()).collect()
}

#[test]
fn containers_without_a_machine_are_of_the_only_one_that_has_logs() {
    let containers = ("commands/crictl_ps_-a", CONTAINERS);
    assert_eq!(runs(&[containers]), ["etcd"], "nothing names the machine");
    assert_eq!(runs(&[containers, (&log("cp-1"), LOG)]), ["etcd-cp-1"]);
}

#[test]
fn of_several_machines_nobody_knows_which_it_was() {
    let containers = ("commands/crictl_ps_-a", CONTAINERS);
    let other = LOG.replace("10.0.0.5", "10.0.0.6");
    assert_eq!(runs(&[containers, (&log("cp-1"), LOG), (&log("cp-2"), &other)]), ["etcd"]);
    let node = "NAME   STATUS   ROLES           AGE   VERSION\ncp-2   Ready    control-plane   90d   v1.32.1\n";
    assert_eq!(
        runs(&[containers, (&log("cp-1"), LOG), ("kubectl_get_nodes", node)]),
        ["etcd"],
        "another machine is known"
    );
    let later = CONTAINERS.replace("0e5c7b6cf0a5a", "7b1d2c3e4f5a6");
    let (first, second) = (("a/crictl_ps_-a", CONTAINERS), ("b/crictl_ps_-a", later.as_str()));
    assert_eq!(runs(&[first, second, (&log("cp-1"), LOG)]).len(), 2, "two files may be of two machines");
}
