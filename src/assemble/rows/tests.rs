use super::*;
use facts::object::Shown;
use facts::origin::MemberId;
use facts::record::Record;

fn tables(name: &str, text: &str, command: Option<&str>) -> Vec<TableFacts> {
    let command = command.map(|c| parse::command::parse(c).unwrap());
    let asked = parse::answer::Asked { member: MemberId(0), name, command: command.as_ref() };
    let catalogue = Catalogue::built_in();
    parse::table::read(&asked, text, 1)
        .records
        .iter()
        .filter_map(|r| match r {
            Record::Table(table) => Some(read(table, name, &catalogue)),
            _ => None,
        })
        .collect()
}

fn print(facts: &TableFacts) -> String {
    let mut out = String::new();
    for r in &facts.records {
        let kind = r.kind.as_ref().unwrap();
        out += &format!("{kind} {}/{} {{{}}}\n", r.namespace.as_deref().unwrap_or("-"), r.name, r.node);
    }
    for a in &facts.answers {
        out += &format!("answer {} {:?} {:?} {:?} {}\n", a.kind, a.namespaces, a.names, a.basis, a.state.word());
    }
    for (line, why) in &facts.unread {
        out += &format!("unread {line}: {why}\n");
    }
    out
}

const MACHINES: &str = "\
NAMESPACE   NAME   CLUSTER   NODE NAME   READY   AVAILABLE   UP-TO-DATE   PHASE     AGE   VERSION
prod        m-1    c1                    False   False       True         Running   3d    v1.34.2
";

#[test]
fn coverage_2_a_namespace_column_says_what_was_asked_and_not_what_is_left() {
    let facts = tables("get-machines.txt", MACHINES, None);
    insta::assert_snapshot!(print(&facts[0]), @r"
    machines.cluster.x-k8s.io prod/m-1 {spec: clusterName: c1, version: v1.34.2, status: conditions: type: Ready, status: False, type: Available, status: False, type: UpToDate, status: True, phase: Running, kubectlAge: 3d, metadata: name: m-1, namespace: prod}
    answer machines.cluster.x-k8s.io All None Rows complete
    ");
    let Shown::Paths(shown) = &facts[0].records[0].shown else { panic!() };
    assert!(shown.contains(&Path::parse("status.nodeRef.name").unwrap()), "an empty cell is shown");
}

#[test]
fn coverage_2_a_table_without_command_lists_a_cluster_scoped_kind_and_names_a_namespaced_one() {
    let facts = tables("get-clusters.platform.tkestack.io.txt", "NAME     AGE\nglobal   3m\n", None);
    insta::assert_snapshot!(print(&facts[0]), @r"
    clusters.platform.tkestack.io -/global {metadata: name: global}
    answer clusters.platform.tkestack.io All None Rows complete
    ");
    let facts = tables("get-secrets.txt", "NAME   TYPE     DATA   AGE\nca     Opaque   2      3m\n", None);
    insta::assert_snapshot!(print(&facts[0]), @r"
    secrets -/ca {type: Opaque, status: kubectlAge: 3m, metadata: name: ca}
    answer secrets Some([]) None Named complete
    ");
}

#[test]
fn coverage_1_a_command_states_its_namespace_names_and_selector() {
    let text = "NAME   TYPE     DATA   AGE\nca     Opaque   2      3m\n";
    let facts = tables("x.txt", text, Some("kubectl get secret -n prod -l a=b"));
    assert!(print(&facts[0]).contains("answer secrets Some([\"prod\"]) None Stated complete"));
    assert_eq!(facts[0].answers[0].selector.as_deref(), Some("a=b"));
    assert_eq!(facts[0].records[0].namespace.as_deref(), Some("prod"));
    let facts = tables("x.txt", text, Some("kubectl get secret ca -n prod"));
    assert_eq!(facts[0].answers[0].basis, Basis::Named);
}

#[test]
fn coverage_5_columns_that_somebody_chose_are_partial_without_their_command() {
    let state = |name: &str, text: &str, command: Option<&str>| {
        let facts = tables(name, text, command);
        format!("{} {}", facts[0].answers[0].basis.word(), facts[0].answers[0].state.word())
    };
    let pods = "NAMESPACE   NAME   NODE\nshop        web    n1\n";
    assert_eq!(state("pods.txt", pods, None), "listed partial");
    let command =
        "kubectl get pods -A -o custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,NODE:.spec.nodeName";
    assert_eq!(state("x.txt", pods, Some(command)), "stated complete");
    assert_eq!(state("x.txt", pods, Some(&command.replace(" -A", " -n shop"))), "stated complete");
    assert_eq!(
        tables("x.txt", pods, Some(&command.replace(" -A", "")))[0].answers[0].namespaces,
        Namespaces::Some(Vec::new())
    );
    let nodes = "NAME   VERSION\nn1     v1.31.0\n";
    assert_eq!(state("nodes.txt", nodes, None), "listed partial");
    let machines = "NAMESPACE   NAME   OWNER   AGE\nprod        m-1    x       3d\n";
    assert_eq!(state("machines.cluster.x-k8s.io.txt", machines, None), "listed partial");
    assert_eq!(state("machines.txt", MACHINES, None), "listed complete");
    assert_eq!(state("names.txt", "node/cp-1\nnode/cp-2\n", None), "listed complete");
}

#[test]
fn names_with_a_kind_before_them_tell_their_kind() {
    let text = "NAME                         READY   UP-TO-DATE   AVAILABLE   AGE\ndeployment.apps/web          1/2     2            0           3m\n";
    let facts = tables("get-all.txt", text, None);
    insta::assert_snapshot!(print(&facts[0]), @r"
    deployments.apps -/web {status: readyReplicas: 1, updatedReplicas: 2, spec: replicas: 2, metadata: name: web}
    answer deployments.apps Some([]) None Named complete
    ");
}

#[test]
fn columns_of_a_command_are_read_by_its_paths() {
    let command = "kubectl get clustercredentials.platform.tkestack.io -o 'custom-columns=NAME:.metadata.name,CLUSTER:.metadata.labels.cluster\\.x-k8s\\.io/cluster-name'";
    let facts = tables("x.txt", "NAME   CLUSTER\ncc-1   c1\ncc-2   <none>\n", Some(command));
    insta::assert_snapshot!(print(&facts[0]), @r"
    clustercredentials.platform.tkestack.io -/cc-1 {metadata: name: cc-1, labels: cluster.x-k8s.io/cluster-name: c1}
    clustercredentials.platform.tkestack.io -/cc-2 {metadata: name: cc-2}
    answer clustercredentials.platform.tkestack.io All None Stated complete
    ");
}

#[test]
fn columns_that_somebody_chose_show_no_secret() {
    let command = "kubectl get secret -n prod -o 'custom-columns=NAME:.metadata.name,PW:.data.password'";
    let facts = tables("x.txt", "NAME   PW\nca     aHVudGVyMg==\n", Some(command));
    insta::assert_snapshot!(print(&facts[0]), @r#"
    secrets prod/ca {metadata: name: ca, namespace: prod, data: password: [redacted]}
    answer secrets Some(["prod"]) None Stated complete
    "#);
    assert_eq!(facts[0].rows[0].1, "ca     [redacted]");
    let command = "kubectl get nodes -o 'custom-columns=NAME:.metadata.name,PASSWORD:.spec.a,SIZE:.spec.b'";
    let facts = tables("x.txt", "NAME   PASSWORD   SIZE\nn-1    hunter2    3\n", Some(command));
    assert_eq!(facts[0].rows[0].1, "n-1    [redacted]    3");
    let facts = tables("notes.txt", "NAME   PASSWORD   SIZE\nca     hunter2    3\n", None);
    assert!(facts[0].rows.is_empty());
    let facts = tables("get-secrets.txt", "NAME   TYPE     DATA   AGE\nca     Opaque   2      3m\n", None);
    assert_eq!(facts[0].rows[0].1, "ca     Opaque   2      3m");
}

#[test]
fn a_labels_column_becomes_a_map_with_empty_values() {
    let facts = tables(
        "get-nodes.txt",
        "NAME   STATUS   ROLES    AGE   VERSION   LABELS\nn1     Ready    <none>   3d    v1.31   a/b=,c=d\n",
        None,
    );
    let labels = facts[0].records[0].node.at(&["metadata", "labels"]).unwrap();
    assert_eq!(labels.to_string(), "a/b: , c: d");
    assert_eq!(facts[0].records[0].node.at(&["spec"]), None);
}

#[test]
fn kinds_of_operators_keep_to_conventions() {
    let read = |command: &str, text: &str| print(&tables("x.txt", text, Some(command))[0]);
    insta::assert_snapshot!(
        read("kubectl get ks -A", "NAMESPACE   NAME   AGE   READY   STATUS\nflux        apps   3d    False   no artifact\n"),
        @r"
    kustomizations.kustomize.toolkit.fluxcd.io flux/apps {status: kubectlAge: 3d, conditions: type: Ready, status: False, message: no artifact, metadata: name: apps, namespace: flux}
    answer kustomizations.kustomize.toolkit.fluxcd.io All None Stated complete
    "
    );
    // A status stands beside a condition only if there is one: this is a number of instances.
    insta::assert_snapshot!(
        read("kubectl get widgets.example.net -A", "NAMESPACE   NAME   READY   STATUS    SYNCED   AGE\nshop        w-1    2       running   True     3d\n"),
        @r"
    widgets.example.net shop/w-1 {status: conditions: type: Synced, status: True, kubectlAge: 3d, metadata: name: w-1, namespace: shop}
    answer widgets.example.net All None Stated complete
    "
    );
    insta::assert_snapshot!(
        read("kubectl get bundles.trust.cert-manager.io", "NAME   CONFIGMAP TARGET   SECRET TARGET   SYNCED   REASON   AGE\nca     ca.crt                             True     Synced   3d\n"),
        @r"
    bundles.trust.cert-manager.io -/ca {status: conditions: type: Synced, status: True, kubectlAge: 3d, metadata: name: ca}
    answer bundles.trust.cert-manager.io All None Stated complete
    "
    );
}

#[test]
fn one_word_for_the_kinds_of_several_operators_is_told_by_its_headers() {
    let kind = |command: &str, headers: &str| {
        let facts = tables("x.txt", &format!("{headers}\n{}\n", headers.to_lowercase()), Some(command));
        facts[0].records.first().map(|record| record.kind.as_ref().unwrap().to_string())
    };
    assert_eq!(
        kind("kubectl get bundles -A", "NAMESPACE   NAME   BUNDLEDEPLOYMENTS-READY   STATUS").as_deref(),
        Some("bundles.fleet.cattle.io")
    );
    assert_eq!(
        kind("kubectl get clusters -A", "NAMESPACE   NAME   AGE   INSTANCES   READY   STATUS   PRIMARY").as_deref(),
        Some("clusters.postgresql.cnpg.io")
    );
    assert_eq!(kind("kubectl get backups -A", "NAMESPACE   NAME   AGE"), None);
}

#[test]
fn a_table_of_an_unknown_kind_is_said_to_be_unread() {
    let facts = tables("notes.txt", "NAME   AGE\nx      3m\n", None);
    assert!(facts[0].records.is_empty() && facts[0].answers.is_empty());
    assert!(facts[0].unread[0].1.to_string().contains("unknown kind (NAME AGE)"));
}

#[test]
fn rows_of_events_are_named_after_what_they_say() {
    let text = "LAST SEEN   TYPE     REASON   OBJECT    MESSAGE\n3m          Normal   Pulled   pod/web   Pulled it\n1m          Normal   Pulled   pod/web   Pulled it\n";
    let facts = tables("get-events.txt", text, None);
    let names: BTreeSet<_> = facts[0].records.iter().map(|r| r.name.as_str()).collect();
    assert_eq!(names.len(), 1);
    assert!(print(&facts[0]).contains("involvedObject: kind: Pod, name: web"));
}

#[test]
fn names_alone_prove_that_the_objects_are_there() {
    let facts = tables("names.txt", "pod/web-1\ndeployment.apps/web\n", None);
    insta::assert_snapshot!(print(&facts[0]), @r"
    pods -/web-1 {metadata: name: web-1}
    deployments.apps -/web {metadata: name: web}
    answer deployments.apps Some([]) None Named complete
    answer pods Some([]) None Named complete
    ");
    let facts = tables("names.txt", "node/cp-1\n", Some("kubectl get nodes -o name"));
    insta::assert_snapshot!(print(&facts[0]), @r"
    nodes -/cp-1 {metadata: name: cp-1}
    answer nodes All None Stated complete
    ");
    assert!(tables("names.txt", "etc/hosts\nvar/log\n", None).is_empty());
}

#[test]
fn a_node_that_is_not_ready_may_be_unknown() {
    let text = "NAME   STATUS                        ROLES    AGE   VERSION\nn1     NotReady,SchedulingDisabled   <none>   3d    v1.31.0\n";
    let facts = tables("get-nodes.txt", text, None);
    assert_eq!(
        facts[0].records[0].node.to_string(),
        "status: kubectlStatus: NotReady,SchedulingDisabled, conditions: type: Ready, status: False, type: Ready, status: Unknown, kubectlAge: 3d, nodeInfo: kubeletVersion: v1.31.0, spec: unschedulable: true, metadata: name: n1"
    );
}

#[test]
fn a_status_with_its_reason_is_two_fields() {
    let text = "NAME             SERVICE         AVAILABLE                      AGE\nv1.metrics       kube/metrics    False (FailedDiscoveryCheck)   3d\nv1.apps          Local           True                           3d\n";
    let facts = tables("get-apiservices.txt", text, None);
    let nodes: Vec<String> = facts[0].records.iter().map(|r| r.node.to_string()).collect();
    assert_eq!(
        nodes,
        [
            "spec: service: namespace: kube, name: metrics, status: conditions: type: Available, status: False, reason: FailedDiscoveryCheck, kubectlAge: 3d, metadata: name: v1.metrics",
            "status: conditions: type: Available, status: True, kubectlAge: 3d, metadata: name: v1.apps",
        ]
    );
}

#[test]
fn an_ingress_has_the_addresses_of_its_row_or_none() {
    let text = "NAME   CLASS   HOSTS   ADDRESS                 PORTS   AGE\nweb    nginx   *       10.0.0.7,lb.example.net   80      9d\ncart   ngnix   *                               80      9d\n";
    let facts = tables("x.txt", text, Some("kubectl get ingress -n shop"));
    let printed = print(&facts[0]);
    assert!(printed.contains("loadBalancer: ingress: ip: 10.0.0.7, hostname: lb.example.net"), "{printed}");
    let cart = facts[0].records.iter().find(|record| record.name == "cart").unwrap();
    let Shown::Paths(shown) = &cart.shown else { panic!() };
    let path = Path::parse("status.loadBalancer.ingress").unwrap();
    assert!(
        shown.contains(&path) && cart.node.at(&["status", "loadBalancer", "ingress"]).is_none(),
        "an empty cell is shown"
    );
}

#[test]
fn the_class_that_is_the_default_is_a_row_like_others_and_says_so() {
    let text = "NAME                 PROVISIONER          RECLAIMPOLICY   VOLUMEBINDINGMODE   ALLOWVOLUMEEXPANSION   AGE\nfast                 disk.csi.azure.com   Delete          Immediate           true                   6d\nstandard (default)   disk.csi.azure.com   Delete          Immediate           true                   6d\nzone-a               disk.csi.azure.com   Delete          Immediate           true                   6d\n";
    let facts = tables("x.txt", text, Some("kubectl get storageclasses"));
    assert!(facts[0].answers.iter().all(|answer| answer.state == State::Complete), "{:?}", facts[0].answers);
    let key = "storageclass.kubernetes.io/is-default-class";
    let path = Path::parse(&format!("metadata.annotations[\"{key}\"]")).unwrap();
    let marked = facts[0].records.iter().map(|record| {
        assert!(record.shown.covers(&path), "{:?}", record.shown);
        let mark = record.node.at(&["metadata", "annotations", key]).and_then(Node::as_str);
        (record.name.as_str(), mark)
    });
    assert_eq!(marked.collect::<Vec<_>>(), [("fast", None), ("standard", Some("true")), ("zone-a", None)]);
}
