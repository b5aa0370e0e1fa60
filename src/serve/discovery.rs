//! Discovery: which groups, versions and kinds a cluster serves, in the old form and in the aggregated one.
//!
//! Source: `kubernetes/apimachinery:pkg/apis/meta/v1/types.go@v0.34`, `APIGroupList`, `APIResourceList`;
//! `kubernetes/api:apidiscovery/v2/types.go@v0.34`.

use crate::resources::Resource;
use serde_json::{Value, json};

/// What may be done with every kind.
const VERBS: [&str; 3] = ["get", "list", "watch"];

/// The kinds of one group, in the order of the cluster.
fn of_group<'r>(resources: &'r [Resource], group: &str) -> Vec<&'r Resource> {
    resources.iter().filter(|resource| resource.kind.group == group).collect()
}

/// The groups but the core one, in the order of the cluster.
fn groups(resources: &[Resource]) -> Vec<&str> {
    let mut groups: Vec<&str> = Vec::new();
    for resource in resources {
        let group = resource.kind.group.as_str();
        if !group.is_empty() && !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups
}

/// The versions of a group, the one of most kinds first.
fn versions(resources: &[Resource], group: &str) -> Vec<String> {
    let mut versions: Vec<(String, usize)> = Vec::new();
    for version in of_group(resources, group).iter().flat_map(|resource| &resource.versions) {
        match versions.iter_mut().find(|(own, _)| own == version) {
            Some((_, count)) => *count += 1,
            None => versions.push((version.clone(), 1)),
        }
    }
    versions.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    versions.into_iter().map(|(version, _)| version).collect()
}

/// `/api`.
pub(crate) fn core(address: &str) -> Value {
    json!({
        "kind": "APIVersions", "versions": ["v1"],
        "serverAddressByClientCIDRs": [{ "clientCIDR": "0.0.0.0/0", "serverAddress": address }],
    })
}

/// `/apis`.
pub(crate) fn group_list(resources: &[Resource]) -> Value {
    let groups: Vec<Value> = groups(resources).into_iter().filter_map(|name| described(resources, name)).collect();
    json!({ "kind": "APIGroupList", "apiVersion": "v1", "groups": groups })
}

/// `/apis/GROUP`.
pub(crate) fn group(resources: &[Resource], name: &str) -> Option<Value> {
    let mut group = described(resources, name)?;
    let fields = group.as_object_mut()?;
    fields.insert("kind".to_owned(), "APIGroup".into());
    fields.insert("apiVersion".to_owned(), "v1".into());
    Some(group)
}

fn described(resources: &[Resource], name: &str) -> Option<Value> {
    let one = |version: &String| json!({ "groupVersion": format!("{name}/{version}"), "version": version });
    let versions: Vec<Value> = versions(resources, name).iter().map(one).collect();
    let preferred = versions.first()?.clone();
    Some(json!({ "name": name, "versions": versions, "preferredVersion": preferred }))
}

/// `/api/v1`, `/apis/GROUP/VERSION`.
pub(crate) fn resource_list(resources: &[Resource], group: &str, version: &str) -> Option<Value> {
    let mut rows = Vec::new();
    for resource in of_group(resources, group).into_iter().filter(|r| r.versions.iter().any(|v| v == version)) {
        let mut row = json!({
            "name": resource.kind.plural, "singularName": resource.singular, "namespaced": resource.is_namespaced,
            "kind": resource.word, "verbs": VERBS,
        });
        if let Some(fields) = row.as_object_mut() {
            for (key, words) in [("shortNames", &resource.short), ("categories", &resource.categories)] {
                if !words.is_empty() {
                    fields.insert(key.to_owned(), words.clone().into());
                }
            }
        }
        rows.push(row);
        if is_pods(resource) {
            rows.push(json!({
                "name": "pods/log", "singularName": "", "namespaced": true, "kind": "Pod", "verbs": ["get"],
            }));
        }
    }
    if rows.is_empty() {
        return None;
    }
    let group_version = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
    Some(json!({ "kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group_version, "resources": rows }))
}

fn is_pods(resource: &Resource) -> bool {
    resource.kind.group.is_empty() && resource.kind.plural == "pods"
}

/// `/api` and `/apis` in the aggregated form.
pub(crate) fn aggregated(resources: &[Resource], is_core: bool, form: &str) -> Value {
    let names = if is_core { vec![""] } else { groups(resources) };
    let items: Vec<Value> = names
        .into_iter()
        .map(|name| {
            let version = |version: &String| {
                let rows: Vec<Value> = of_group(resources, name)
                    .into_iter()
                    .filter(|resource| resource.versions.contains(version))
                    .map(|resource| aggregated_row(resource, version))
                    .collect();
                json!({ "version": version, "resources": rows, "freshness": "Current" })
            };
            let versions: Vec<Value> = versions(resources, name).iter().map(version).collect();
            json!({ "metadata": if name.is_empty() { json!({}) } else { json!({ "name": name }) }, "versions": versions })
        })
        .collect();
    json!({
        "kind": "APIGroupDiscoveryList", "apiVersion": format!("apidiscovery.k8s.io/{form}"), "metadata": {},
        "items": items,
    })
}

fn aggregated_row(resource: &Resource, version: &str) -> Value {
    let kind = json!({ "group": resource.kind.group, "version": version, "kind": resource.word });
    let mut row = json!({
        "resource": resource.kind.plural, "responseKind": kind.clone(),
        "scope": if resource.is_namespaced { "Namespaced" } else { "Cluster" },
        "singularResource": resource.singular, "verbs": VERBS,
        "shortNames": resource.short, "categories": resource.categories,
    });
    if is_pods(resource)
        && let Some(fields) = row.as_object_mut()
    {
        let log = json!([{ "subresource": "log", "responseKind": kind, "verbs": ["get"] }]);
        fields.insert("subresources".to_owned(), log);
    }
    row
}
