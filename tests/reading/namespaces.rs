//! A table that shows no namespace and was asked for none is of the namespace of one of its names, if another file shows it.

#![expect(clippy::expect_used, reason = "a helper of a test may panic")]

use catalogue::kinds::Catalogue;
use selftest::bench::Bench;
use signature::load::Library;
use std::collections::BTreeSet;
use std::sync::LazyLock;

static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::built_in().expect("the built-in signatures are right"));
static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::built_in);

/// The objects of a kind, each as `namespace/name`.
fn objects(files: &[(&str, &str)], kind: &str) -> String {
    let members = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    let facts = Bench::new(&LIBRARY, &CATALOGUE).collect(members, None, &BTreeSet::new()).0.facts;
    let of_kind = facts.objects.iter().filter(|object| object.kind.plural == kind);
    let mut all: Vec<String> =
        of_kind.map(|o| format!("{}/{}", o.namespace.as_deref().unwrap_or("?"), o.name)).collect();
    all.sort();
    all.join(" ")
}

const MACHINES: (&str, &str) = (
    "machines.txt",
    "NAME                 CLUSTER   NODENAME   PROVIDERID   PHASE          AGE   VERSION\nwl-7-md-0-x2x4z-8q   wl-7                               Provisioning   49m   v1.31.4\nwl-7-md-0-x2x4z-9w   wl-7      w-1        aws:///x     Running        9d    v1.31.4\n",
);

fn described(namespace: &str) -> String {
    format!(
        "Name:         wl-7-md-0-x2x4z-8q\nNamespace:    {namespace}\nLabels:       <none>\nAnnotations:  <none>\nAPI Version:  infrastructure.cluster.x-k8s.io/v1beta1\nKind:         OpenStackMachine\nMetadata:\n  Owner References:\n    API Version:  cluster.x-k8s.io/v1beta1\n    Kind:         Machine\n    Name:         wl-7-md-0-x2x4z-8q\n    UID:          u-1\nSpec:\n  Flavor:  m1\n"
    )
}

#[test]
fn the_owner_of_what_was_described_tells_it_for_all_rows() {
    let described = described("tenants");
    let files = [MACHINES, ("openstackmachine.describe.txt", described.as_str())];
    assert_eq!(objects(&files, "machines"), "tenants/wl-7-md-0-x2x4z-8q tenants/wl-7-md-0-x2x4z-9w");
    assert_eq!(objects(&[files[1], files[0]], "machines"), "tenants/wl-7-md-0-x2x4z-8q tenants/wl-7-md-0-x2x4z-9w");
}

#[test]
fn two_namespaces_with_that_name_tell_nothing() {
    let (one, two) = (described("tenants"), described("others"));
    let files = [MACHINES, ("a.describe.txt", one.as_str()), ("b.describe.txt", two.as_str())];
    assert_eq!(objects(&files, "machines"), "?/wl-7-md-0-x2x4z-8q ?/wl-7-md-0-x2x4z-9w");
}

#[test]
fn a_name_that_many_may_have_tells_nothing() {
    let pods = "NAME    READY   STATUS    RESTARTS   AGE\nredis   1/1     Running   0          9d\nmongo   1/1     Running   0          9d\n";
    let described = "Name:             redis\nNamespace:        shop\nPriority:         0\nService Account:  default\nNode:             w-1/10.0.0.1\nLabels:           app=redis\nAnnotations:      <none>\nStatus:           Running\nIP:               10.1.0.4\nContainers:\n  redis:\n    Image:         redis:7\n    Ready:         True\n";
    assert_eq!(objects(&[("pods.txt", pods), ("redis.describe.txt", described)], "pods"), "?/mongo shop/redis");
}

#[test]
fn events_are_of_the_namespace_of_what_they_speak_of() {
    let pods = "NAMESPACE   NAME                   READY   STATUS    RESTARTS   AGE\nshop        web-5c9d7f4b8c-x2x4z   1/1     Running   0          9d\n";
    let events = "LAST SEEN   TYPE      REASON      OBJECT                     MESSAGE\n5m          Warning   Unhealthy   pod/web-5c9d7f4b8c-x2x4z   Readiness probe failed: HTTP probe failed with statuscode: 503\n9m          Normal    Scheduled   pod/web-5c9d7f4b8c-k8k8k   Successfully assigned\n";
    let found = objects(&[("pods.txt", pods), ("events.txt", events)], "events");
    assert_eq!(found.matches("shop/").count(), 2, "{found}");
}

/// A table shows the first line of a message alone; a description shows all of it.
#[test]
fn an_event_that_a_table_cut_is_the_one_that_is_shown_whole() {
    let described = |more: &str| {
        format!(
            "Name:             web-0\nNamespace:        shop\nPriority:         0\nService Account:  default\nNode:             w-1/10.0.0.1\nLabels:           app=web\nAnnotations:      <none>\nStatus:           Pending\nIP:               \nContainers:\n  web:\n    Image:         web:7\n    Ready:         False\nEvents:\n  Type     Reason       Age                  From     Message\n  ----     ------       ----                 ----     -------\n  Warning  FailedMount  54s (x12 over 55m)   kubelet  MountVolume.SetUp failed for volume \"films\" : mount failed: exit status 32{more}\n"
        )
    };
    let events = "LAST SEEN   TYPE      REASON        OBJECT      MESSAGE\n54s         Warning   FailedMount   pod/web-0   MountVolume.SetUp failed for volume \"films\" : mount failed: exit status 32...\n";
    let whole = described(
        "\nMounting command: mount\nOutput: mount: bad option; you might need a /sbin/mount.nfs helper program.",
    );
    let count = |files: &[(&str, &str)]| objects(files, "events").split_whitespace().count();
    let (pod, table) = (("pod.describe.txt", whole.as_str()), ("events-shop.txt", events));
    assert_eq!((count(&[pod, table]), count(&[table, pod]), count(&[table])), (1, 1, 1));
    // Of one line nothing was cut: these are two.
    let other = described("");
    assert_eq!(count(&[("pod.describe.txt", other.as_str()), table]), 2);
}

#[test]
fn folders_are_called_after_namespaces_where_one_of_them_is() {
    let pods =
        |name: &str| format!("NAME    READY   STATUS    RESTARTS   AGE\n{name}   1/1     Running   0          9d\n");
    let quota =
        "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: research}\nspec: {hard: {pods: 4}}\n";
    let (a, b, c, d) = (pods("sim-0"), pods("maria"), pods("blue1"), pods("other"));
    let files = [
        ("dump/research/quota.yaml", quota),
        ("dump/research/pods.txt", a.as_str()),
        ("dump/shopdb/pods.txt", b.as_str()),
        ("namespaces/blue/pods.txt", c.as_str()),
        ("dump/logs/pods.txt", d.as_str()),
    ];
    assert_eq!(objects(&files, "pods"), "?/other blue/blue1 research/sim-0 shopdb/maria");
    // Without one that is proven a folder may be anything.
    assert_eq!(objects(&files[2..3], "pods"), "?/maria");
}

#[test]
fn a_description_that_somebody_cut_is_of_the_kind_that_its_file_names() {
    let node = "Name:               w-1\nRoles:              worker\nLabels:             <none>\nAnnotations:        <none>\nCreationTimestamp:  Thu, 07 Aug 2025 11:30:02 +0000\nTaints:             node.kubernetes.io/unreachable:NoExecute\nUnschedulable:      false\nConditions:\n  Type             Status    LastHeartbeatTime                 LastTransitionTime                Reason              Message\n  ----             ------    -----------------                 ------------------                ------              -------\n  Ready            Unknown   Fri, 19 Dec 2025 15:57:33 +0000   Mon, 09 Mar 2026 05:58:20 +0000   NodeStatusUnknown   Kubelet stopped posting node status.\n";
    assert_eq!(objects(&[("a.txt", node)], "nodes"), "?/w-1", "its labels tell it");
    let service = "Name:              web\nNamespace:         shop\nLabels:            <none>\nAnnotations:       <none>\nSelector:          app=web\nType:              ClusterIP\nIP Families:       IPv4\nIP:                10.96.0.31\n";
    assert_eq!(objects(&[("describe-service-web.txt", service)], "services"), "shop/web");
    assert_eq!(
        objects(&[("describe-service-cart.txt", service)], "services"),
        "",
        "the file is called after another one"
    );
}

#[test]
fn a_column_of_a_kind_that_is_called_namespace_is_not_that_of_its_object() {
    let table = "NAME                                                     CLUSTER   READY   REASON                       STATUS            REVISION   NAMESPACE\nhelmreleaseproxy.addons.cluster.x-k8s.io/cilium-lab-c    lab-c     False   HelmInstallOrUpgradeFailed   pending-install   1          kube-system\n";
    let ticket = |asked: &str| format!("$ kubectl get helmreleaseproxy {asked}\n{table}");
    let of = |asked: &str| objects(&[("ticket.txt", &ticket(asked))], "helmreleaseproxies");
    assert_eq!(of("-n lab"), "lab/cilium-lab-c");
    let both = format!(
        "$ kubectl get helmreleaseproxy -A\nNAMESPACE   {}lab         {}",
        &table[..table.find('\n').expect("a header") + 1],
        &table[table.find('\n').expect("a header") + 1..]
    );
    assert_eq!(objects(&[("ticket.txt", &both)], "helmreleaseproxies"), "lab/cilium-lab-c");
}

#[test]
fn a_word_of_several_groups_means_what_it_meant_in_the_table_above() {
    let table = "$ kubectl get machines -n edge\nNAME    CLUSTER   NODENAME   PROVIDERID      PHASE      AGE   VERSION\nw-3     edge      w-3        vsphere://1     Deleting   41d   v1.33.3\n\n";
    let picked = "$ kubectl get machine w-3 -n edge -o yaml | yq '.metadata.deletionTimestamp, .spec.deletion, .status.conditions[] | select(.type==\"Ready\")'\n\"2026-05-14T10:00:00Z\"\nnodeDeletionTimeoutSeconds: 10\nlastTransitionTime: \"2026-05-14T10:00:00Z\"\nmessage: it is being deleted\nreason: NotReady\nstatus: \"False\"\ntype: Ready\n";
    let both = format!("{table}{picked}");
    let of = |text: &str, kind: &str| objects(&[("ticket.txt", text)], kind);
    assert_eq!(of(&both, "machines"), "edge/w-3");
    assert_eq!(of(&both, "objects"), "");
    // Where nothing tells the group, it is of the kind that most people mean; `oc` asks for Machines of another group.
    assert_eq!(of(picked, "machines"), "edge/w-3");
    assert_eq!(of(&picked.replace("$ kubectl", "$ oc"), "objects"), "edge/w-3");
}
