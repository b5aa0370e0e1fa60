//! Lists: what there is, what there surely is not, and what nobody asked for.

use crate::running::USUAL;

fn refused(path: &str) -> String {
    let answer = USUAL.get(path);
    assert_eq!(answer.code, 403, "{path}: {answer:?}");
    assert_eq!(answer.json()["reason"], "NotInBundle", "{path}: {answer:?}");
    answer.message()
}

#[test]
fn lists_of_a_namespace_of_all_and_of_a_cluster() {
    assert_eq!(USUAL.get("/api/v1/namespaces/shop/pods").names(), ["shop/two-1", "shop/web-1"]);
    let all = USUAL.get("/api/v1/pods");
    assert_eq!(all.names(), ["jobs/batch-7", "kube-system/coredns-1", "shop/two-1", "shop/web-1"]);
    assert_eq!(all.json()["kind"], "PodList");
    assert_eq!(USUAL.get("/api/v1/nodes").names(), ["-/w-1", "-/w-2"]);
    assert_eq!(USUAL.get("/apis/example.com/v1/widgets").names(), ["shop/w"]);
}

#[test]
fn an_empty_list_is_given_only_where_the_bundle_proves_it() {
    let empty = USUAL.get("/api/v1/namespaces/shop/configmaps");
    assert_eq!((empty.code, empty.names().len()), (200, 0));
    assert!(empty.warnings().is_empty(), "{empty:?}");
    assert_eq!(refused("/api/v1/services"), "not in the bundle: nobody asked for services");
    assert_eq!(
        refused("/apis/apps/v1/namespaces/shop/statefulsets"),
        "not in the bundle: nobody asked for statefulsets.apps"
    );
    assert!(refused("/api/v1/namespaces/other/pods").contains("nobody asked for pods of namespace other"));
    assert!(
        refused("/api/v1/namespaces/other/secrets").contains("the API server refused secrets: "),
        "forbidden says so"
    );
    assert!(refused("/apis/apps/v1/namespaces/jobs/deployments").contains("deployments.apps of namespace jobs"));
}

#[test]
fn a_list_that_may_lack_some_says_so() {
    let pods = USUAL.get("/api/v1/pods");
    let [warning] = pods.warnings()[..] else { panic!("{pods:?}") };
    assert_eq!(
        warning,
        "299 - \"this list of pods may not be whole: pods were listed only in kube-system, shop, and nobody knows whether there are other namespaces\""
    );
    assert!(USUAL.get("/api/v1/namespaces/shop/pods").warnings().is_empty());
    let secrets = USUAL.get("/api/v1/secrets");
    assert_eq!(secrets.names(), ["shop/db"]);
    assert!(secrets.warnings()[0].contains("the API server refused secrets"), "{secrets:?}");
}

#[test]
fn a_kind_that_the_cluster_does_not_serve_is_no_kind() {
    let answer = USUAL.get("/apis/example.org/v1/gadgets");
    assert_eq!(answer.code, 404);
    assert!(answer.message().contains("the cluster does not serve gadgets.example.org, by session.txt:"), "{answer:?}");
    assert_eq!(USUAL.get("/apis/example.net/v1/gadgets").code, 404);
    assert_eq!(USUAL.get("/api/v2/pods").code, 404);
}

#[test]
fn labels_select_with_every_operator() {
    let names = |selector: &str| {
        let selector = selector.replace(' ', "%20").replace('=', "%3D").replace('!', "%21").replace('>', "%3E");
        USUAL.get(&format!("/api/v1/namespaces/shop/pods?labelSelector={selector}")).names()
    };
    assert_eq!(names("app=web"), ["shop/web-1"]);
    assert_eq!(names("app==web,tier"), ["shop/web-1"]);
    assert_eq!(names("app!=web"), ["shop/two-1"]);
    assert_eq!(names("app in (web, two)"), ["shop/two-1", "shop/web-1"]);
    assert_eq!(names("app notin (web)"), ["shop/two-1"]);
    assert_eq!(names("!tier"), ["shop/two-1"]);
    assert_eq!(names("tier>0"), ["shop/web-1"]);
    assert_eq!(names("app=nothing"), [""; 0], "the list of this namespace is whole");
    assert_eq!(USUAL.get("/api/v1/pods?labelSelector=a%20b").code, 400);
    // A table of Nodes shows no labels: nobody knows which match.
    let nodes = refused("/api/v1/nodes?labelSelector=zone%3Da");
    assert!(nodes.contains("of 2 nodes what the selector asks for was not collected"), "{nodes}");
    let elsewhere = refused("/api/v1/pods?labelSelector=app%3Dnothing");
    assert!(elsewhere.contains("pods were listed only in"), "{elsewhere}");
}

#[test]
fn fields_select_by_any_path_that_is_known() {
    let names = |selector: &str| USUAL.get(&format!("/api/v1/namespaces/shop/{selector}")).names();
    assert_eq!(names("pods?fieldSelector=metadata.name%3Dweb-1"), ["shop/web-1"]);
    assert_eq!(names("pods?fieldSelector=spec.nodeName%3Dw-2"), ["shop/two-1"]);
    assert_eq!(names("pods?fieldSelector=status.phase%21%3DRunning"), ["shop/two-1"]);
    assert_eq!(names("pods?fieldSelector=status.phase%3DRunning,spec.nodeName%3Dw-1"), ["shop/web-1"]);
    assert_eq!(names("events?fieldSelector=involvedObject.name%3Dweb-1,type%3DWarning"), ["shop/web-1.a"]);
    assert_eq!(
        names("events?fieldSelector=involvedObject.name%3Dtwo-1"),
        ["shop/two-1.b"],
        "written in the other form"
    );
    assert_eq!(names("events?fieldSelector=reason%3DBackOff"), ["shop/web-1.a"]);
    assert_eq!(USUAL.get("/api/v1/pods?fieldSelector=phase").code, 400);
    let all = USUAL.get("/api/v1/pods?fieldSelector=metadata.namespace%3Dkube-system");
    assert_eq!(all.names(), ["kube-system/coredns-1"]);
}

#[test]
fn pages_have_a_token_for_the_next() {
    let first = USUAL.get("/api/v1/pods?limit=3");
    assert_eq!(first.names().len(), 3);
    let metadata = &first.json()["metadata"];
    assert_eq!(metadata["remainingItemCount"], 1);
    let token = metadata["continue"].as_str().unwrap_or_default();
    let rest = USUAL.get(&format!("/api/v1/pods?limit=3&continue={token}"));
    assert_eq!(rest.names(), ["shop/web-1"]);
    assert!(rest.json()["metadata"]["continue"].is_null());
    assert_eq!(USUAL.get("/api/v1/pods?limit=x").code, 400);
    assert_eq!(USUAL.get("/api/v1/pods?continue=99999999").names().len(), 0);
}

#[test]
fn tables_have_the_columns_of_kubectl_and_make_no_cell_up() {
    let (columns, rows) = USUAL.table("/api/v1/namespaces/shop/pods");
    assert_eq!(columns, ["Name:0", "READY:0", "STATUS:0", "RESTARTS:0", "AGE:0", "IP:1", "NODE:1", "NOMINATED NODE:1"]);
    assert_eq!(rows[1], ["web-1", "0/1", "CrashLoopBackOff", "7", "10m", "<none>", "w-1", "<none>"]);
    let (columns, rows) = USUAL.table("/api/v1/nodes");
    assert_eq!(columns[..4], ["Name:0", "STATUS:0", "ROLES:0", "AGE:0"]);
    assert_eq!(rows[0][..2], ["w-1", "Ready"]);
    assert!(rows[0].iter().any(|cell| cell == "<unknown>"), "no address was collected: {rows:?}");
    let (columns, rows) = USUAL.table("/apis/example.com/v1/widgets");
    assert_eq!(columns, ["Name:0", "SIZE:0", "AGE:0", "COLOUR:1"]);
    assert_eq!(rows, [["w", "3", "10m", "red"]]);
    let (columns, rows) = USUAL.table("/api/v1/namespaces/shop/events");
    assert_eq!(columns.first().map(String::as_str), Some("LAST SEEN:0"));
    assert_eq!(columns.last().map(String::as_str), Some("Name:1"));
    assert!(rows.iter().any(|row| row.contains(&"0/2 nodes are available".to_owned())), "{rows:?}");
}

#[test]
fn a_row_carries_what_is_asked_for() {
    let row = |include: &str| {
        let accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
        let path = format!("/cluster/api/v1/namespaces/shop/pods?includeObject={include}");
        USUAL.send("GET", &path, accept, "").json()["rows"][0]["object"].clone()
    };
    assert_eq!(row("")["kind"], "PartialObjectMetadata");
    assert_eq!(row("")["metadata"]["labels"]["app"], "two");
    assert!(row("")["spec"].is_null() && row("None").is_null());
    assert_eq!(row("Object")["spec"]["nodeName"], "w-2");
}

#[test]
fn a_watch_tells_what_there_is_and_ends() {
    let kinds = |path: &str| -> Vec<String> {
        let body = USUAL.get(path).body;
        let events = body.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        events
            .map(|event| format!("{} {}", event["type"], event["object"]["metadata"]["name"]).replace('"', ""))
            .collect()
    };
    assert_eq!(kinds("/api/v1/namespaces/shop/pods?watch=true"), ["ADDED two-1", "ADDED web-1"]);
    assert_eq!(kinds("/api/v1/namespaces/shop/pods?watch=1&resourceVersion=1"), [""; 0]);
    assert_eq!(
        kinds("/api/v1/namespaces/shop/pods?watch=true&resourceVersion=1&allowWatchBookmarks=true"),
        ["BOOKMARK null"]
    );
    let all = kinds("/api/v1/namespaces/shop/pods?watch=true&sendInitialEvents=true&allowWatchBookmarks=true");
    assert_eq!(all, ["ADDED two-1", "ADDED web-1", "BOOKMARK null"]);
    assert_eq!(USUAL.get("/api/v1/services?watch=true").code, 403);
}

#[test]
fn discovery_tells_kinds_with_their_names() {
    let core = USUAL.get("/api/v1").json();
    let find = |list: &serde_json::Value, name: &str| {
        list["resources"].as_array().unwrap().iter().find(|row| row["name"] == name).cloned().unwrap_or_default()
    };
    let pods = find(&core, "pods");
    assert_eq!((&pods["kind"], &pods["namespaced"]), (&"Pod".into(), &true.into()));
    assert_eq!(pods["shortNames"][0], "po");
    assert_eq!(pods["verbs"], serde_json::json!(["get", "list", "watch"]));
    assert_eq!(find(&core, "nodes")["namespaced"], false);
    let widgets = find(&USUAL.get("/apis/example.com/v1").json(), "widgets");
    assert_eq!((&widgets["singularName"], &widgets["shortNames"][0]), (&"widget".into(), &"wg".into()));
    assert_eq!(USUAL.get("/apis/apps").json()["preferredVersion"]["groupVersion"], "apps/v1");
    assert_eq!(USUAL.get("/version").json()["gitVersion"], "v1.31.2");
    let accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
    let all = USUAL.send("GET", "/cluster/apis", accept, "");
    assert!(all.head.contains("as=APIGroupDiscoveryList"), "{all:?}");
    let groups = all.json();
    let group = groups["items"].as_array().unwrap().iter().find(|group| group["metadata"]["name"] == "example.com");
    assert_eq!(group.unwrap()["versions"][0]["resources"][0]["responseKind"]["kind"], "Widget");
    assert_eq!(USUAL.get("/openapi/v3").code, 404);
}
