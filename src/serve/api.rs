//! Addresses: which request asks for what.
//!
//! Source: <https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris>.

use crate::list::{self, VERSION};
use crate::params::Params;
use crate::reply::Reply;
use crate::resources::Resource;
use crate::selector::Selector;
use crate::served::{Cluster, Request, Served};
use crate::table::{Include, Tables};
use crate::{discovery, logs, object, review, status, watch};
use facts::kind::KindName;
use facts::object::ObjectId;
use facts::whole as missing;
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use std::sync::Arc;

/// Segments that an address has at most.
const SEGMENTS: usize = 16;

/// Answers a request to a cluster; `path` is what stands behind its name.
pub(crate) fn answer(served: &Arc<Served>, cluster: &Cluster, request: &Request<'_>, path: &str) -> Reply {
    let parts = path.split('/').filter(|part| !part.is_empty()).take(SEGMENTS + 1);
    let Ok(parts) = parts.map(|part| percent_decode_str(part).decode_utf8()).collect::<Result<Vec<_>, _>>() else {
        return status::bad_request("the address is no UTF-8");
    };
    let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
    let asked = Asked { served, cluster, request, params: Params::of(request.query) };
    asked.answer(&parts).unwrap_or_else(|refusal| refusal)
}

/// What the header `Accept` asks for, the first that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    /// With the version of `meta.k8s.io`.
    Table(&'static str),
    /// With the version of `meta.k8s.io`.
    Metadata(&'static str),
    /// With the version of `apidiscovery.k8s.io`.
    Aggregated(&'static str),
}

fn forms(accept: &str) -> impl Iterator<Item = Form> {
    accept.split(',').take(16).map(|range| {
        let has = |wanted: &str| range.split(';').any(|part| part.trim() == wanted);
        let version = if has("v=v1beta1") { "v1beta1" } else { "v1" };
        match () {
            () if has("as=Table") => Form::Table(version),
            () if has("as=PartialObjectMetadataList") || has("as=PartialObjectMetadata") => Form::Metadata(version),
            () if has("as=APIGroupDiscoveryList") && has("v=v2") => Form::Aggregated("v2"),
            () if has("as=APIGroupDiscoveryList") && has("v=v2beta1") => Form::Aggregated("v2beta1"),
            () => Form::Plain,
        }
    })
}

struct Asked<'a> {
    served: &'a Arc<Served>,
    cluster: &'a Cluster,
    request: &'a Request<'a>,
    params: Params<'a>,
}

/// Objects that an address names.
#[derive(Clone, Copy)]
struct Place<'a> {
    resource: &'a Resource,
    namespace: Option<&'a str>,
}

impl<'a> Asked<'a> {
    fn answer(&self, parts: &[&str]) -> Result<Reply, Reply> {
        if let ["apis", "authorization.k8s.io", _, plural] = parts
            && self.request.method == "POST"
        {
            return review::answer(plural, self.request.body)
                .ok_or_else(|| status::read_only("nothing can be made in it"));
        }
        if !matches!(self.request.method, "GET" | "HEAD") {
            return Err(status::read_only("nothing in it can be made, changed or deleted, and nothing can be run"));
        }
        let resources = &self.cluster.resources;
        let form = forms(self.request.accept).next().unwrap_or(Form::Plain);
        let found = |list: Option<Value>| list.map(|list| Reply::json(&list)).ok_or_else(|| self.unknown_group());
        match parts {
            [] => Ok(Reply::json(&json!({ "paths": ["/api", "/api/v1", "/apis", "/healthz", "/version"] }))),
            ["version"] => Ok(Reply::json(&self.version())),
            ["healthz" | "livez" | "readyz", ..] => Ok(Reply::text("ok")),
            ["openapi", ..] => Err(status::no_such_path(
                "not in the bundle: bundles hold no OpenAPI schema, so nothing can be explained or validated",
            )),
            ["api"] => Ok(self.discovered(form, true, || discovery::core("127.0.0.1"))),
            ["apis"] => Ok(self.discovered(form, false, || discovery::group_list(resources))),
            ["api", version] => found(discovery::resource_list(resources, "", version)),
            ["apis", group] => found(discovery::group(resources, group)),
            ["apis", group, version] => found(discovery::resource_list(resources, group, version)),
            ["api", version, rest @ ..] => self.objects("", version, rest),
            ["apis", group, version, rest @ ..] => self.objects(group, version, rest),
            ["metrics" | "logs" | "debug", ..] => Err(status::no_such_path("not in the bundle: nothing answers there")),
            _ => Err(status::no_such_path("the API server of a bundle has no such address")),
        }
    }

    fn unknown_group(&self) -> Reply {
        status::no_such_path(
            "the server could not find the requested resource: nothing in the bundle speaks of this group and version",
        )
    }

    fn discovered(&self, form: Form, is_core: bool, plain: impl FnOnce() -> Value) -> Reply {
        match form {
            Form::Aggregated(version) => {
                let content_type =
                    format!("application/json;g=apidiscovery.k8s.io;v={version};as=APIGroupDiscoveryList");
                Reply::json(&discovery::aggregated(&self.cluster.resources, is_core, version)).typed(&content_type)
            }
            _ => Reply::json(&plain()),
        }
    }

    /// The version of the cluster, as far as the bundle states it.
    fn version(&self) -> Value {
        let context = self.served.facts().context(self.cluster.context);
        let stated = context.versions.iter().find(|(product, _)| product == "Kubernetes").map(|(_, version)| version);
        let version = stated.map_or("unknown", String::as_str);
        let mut numbers = version.trim_start_matches('v').split('.');
        let mut number = || stated.and_then(|_| numbers.next()).unwrap_or_default();
        let (major, minor) = (number(), number());
        json!({ "major": major, "minor": minor, "gitVersion": version, "platform": "casefile/bundle" })
    }

    fn objects(&self, group: &str, version: &str, rest: &[&str]) -> Result<Reply, Reply> {
        match rest {
            ["watch", rest @ ..] => self.objects(group, version, rest),
            ["namespaces", namespace, plural, rest @ ..] if !matches!(*plural, "status" | "finalize") => {
                self.at(self.place(group, version, plural, Some(namespace))?, rest)
            }
            [plural, rest @ ..] => self.at(self.place(group, version, plural, None)?, rest),
            [] => Err(self.unknown_group()),
        }
    }

    fn place<'p>(
        &self,
        group: &str,
        version: &str,
        plural: &str,
        namespace: Option<&'p str>,
    ) -> Result<Place<'p>, Reply>
    where
        'a: 'p,
    {
        let is_it = |resource: &&Resource| resource.kind.group == group && resource.kind.plural == plural;
        let resource =
            self.cluster.resources.iter().find(is_it).filter(|row| row.versions.iter().any(|v| v == version));
        if let Some(resource) = resource {
            return Ok(Place { resource, namespace: namespace.filter(|_| resource.is_namespaced) });
        }
        let kind = KindName { plural: plural.to_owned(), group: group.to_owned() };
        Err(match missing::not_served(self.served.facts(), self.cluster.context, &kind) {
            Some(place) => status::no_such_path(&format!(
                "the server could not find the requested resource: the cluster does not serve {kind}, by {place}"
            )),
            None => status::no_such_path(&format!(
                "the server could not find the requested resource: nothing in the bundle speaks of {kind} in version {version}"
            )),
        })
    }

    fn at(&self, place: Place<'_>, rest: &[&str]) -> Result<Reply, Reply> {
        let is_pod = place.resource.kind.group.is_empty() && place.resource.kind.plural == "pods";
        match rest {
            [] => self.list(place),
            [name] if self.params.is_true("watch") => self.watch(place, Some(name)),
            [name] | [name, "status"] => self.get(place, name),
            [name, "log"] if is_pod => {
                logs::answer(self.served, self.cluster, place.namespace.unwrap_or_default(), name, &self.params)
            }
            [_, "exec" | "attach" | "portforward" | "proxy", ..] => {
                Err(status::read_only("nothing in it runs, so nothing can be run in it or reached through it"))
            }
            [_, part, ..] => {
                Err(status::no_such_path(&format!("not in the bundle: {} has no {part} here", place.resource.singular)))
            }
        }
    }

    fn selector(&self) -> Result<Selector, Reply> {
        Selector::read(self.params.text("labelSelector"), self.params.text("fieldSelector"))
            .map_err(|wrong| status::bad_request(&wrong))
    }

    fn listed(&self, place: Place<'_>) -> Result<list::Listed, Reply> {
        let facts = self.served.facts();
        list::list(facts, self.cluster.context, place.resource, place.namespace, &self.selector()?)
    }

    fn tables<'t>(&'t self, resource: &'t Resource, version: &'t str) -> Tables<'t> {
        let include = Include::of(self.params.text("includeObject"));
        let (facts, catalogue) = (self.served.facts(), self.served.catalogue());
        Tables::new(facts, catalogue, self.cluster.context, resource, version, include)
    }

    /// The form that an object or a list is asked for in: the first that can be had.
    fn form(&self) -> Form {
        let can_be = |form: &Form| !matches!(form, Form::Aggregated(_));
        forms(self.request.accept).find(can_be).unwrap_or(Form::Plain)
    }

    fn json(&self, place: Place<'_>, id: ObjectId) -> Value {
        object::json(self.served.facts(), id, place.resource)
    }

    fn list(&self, place: Place<'_>) -> Result<Reply, Reply> {
        if self.params.is_true("watch") {
            return self.watch(place, None);
        }
        let listed = self.listed(place)?;
        let (from, most) = self.page()?;
        let ids = listed.ids.get(from..).unwrap_or_default();
        let page = ids.get(..most.min(ids.len())).unwrap_or_default();
        let left = ids.len() - page.len();
        let mut metadata = json!({ "resourceVersion": VERSION });
        if left > 0
            && let Some(fields) = metadata.as_object_mut()
        {
            fields.insert("continue".to_owned(), (from + page.len()).to_string().into());
            fields.insert("remainingItemCount".to_owned(), left.into());
        }
        let resource = place.resource;
        let list = match self.form() {
            Form::Table(version) => self.tables(resource, version).table(page, metadata),
            Form::Metadata(version) => {
                let item = |id: &ObjectId| object::metadata_only(&self.json(place, *id), version);
                let items: Vec<Value> = page.iter().map(item).collect();
                let api_version = format!("meta.k8s.io/{version}");
                json!({ "kind": "PartialObjectMetadataList", "apiVersion": api_version, "metadata": metadata, "items": items })
            }
            Form::Plain | Form::Aggregated(_) => {
                let items: Vec<Value> = page.iter().map(|id| self.json(place, *id)).collect();
                let kind = format!("{}List", resource.word);
                json!({ "kind": kind, "apiVersion": resource.api_version(), "metadata": metadata, "items": items })
            }
        };
        // Each page has them, and a client prints them once.
        Ok(Reply::json(&list).warned(listed.warnings))
    }

    /// Where a page of a list begins, and how many objects it has at most.
    fn page(&self) -> Result<(usize, usize), Reply> {
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let most = self.params.number("limit")?.filter(|most| *most > 0).map_or(usize::MAX, size);
        Ok((self.params.number("continue")?.map_or(0, size), most))
    }

    fn get(&self, place: Place<'_>, name: &str) -> Result<Reply, Reply> {
        let facts = self.served.facts();
        let found = list::get(facts, self.cluster.context, place.resource, place.namespace, name);
        let id = match found {
            Ok(id) => id,
            Err(refusal) => {
                let is_pod = place.resource.kind == KindName::parse("pods") && refusal.code == 403;
                let namespace = place.namespace.unwrap_or_default();
                let by_logs = is_pod.then(|| logs::pod_of_logs(self.served, self.cluster, namespace, name)).flatten();
                return match (by_logs, self.form()) {
                    (Some(pod), Form::Plain) => {
                        let said =
                            format!("the object of pod {namespace}/{name} is not in the bundle, only logs of it are");
                        Ok(Reply::json(&pod).warned([said]))
                    }
                    _ => Err(refusal),
                };
            }
        };
        let value = match self.form() {
            Form::Table(version) => {
                self.tables(place.resource, version).table(&[id], json!({ "resourceVersion": VERSION }))
            }
            Form::Metadata(version) => object::metadata_only(&self.json(place, id), version),
            Form::Plain | Form::Aggregated(_) => self.json(place, id),
        };
        Ok(Reply::json(&value))
    }

    /// All there is, and the end.
    fn watch(&self, place: Place<'_>, name: Option<&str>) -> Result<Reply, Reply> {
        let listed = match name {
            Some(name) => {
                let id = list::get(self.served.facts(), self.cluster.context, place.resource, place.namespace, name)?;
                list::Listed { ids: vec![id], warnings: Vec::new() }
            }
            None => self.listed(place)?,
        };
        let ids: &[ObjectId] = if watch::knows_all(&self.params) { &[] } else { &listed.ids };
        let resource = place.resource;
        let api_version = resource.api_version();
        let events = match self.form() {
            Form::Table(version) => {
                let tables = self.tables(resource, version);
                let metadata = json!({ "resourceVersion": VERSION });
                let objects = ids.iter().map(|id| tables.table(&[*id], metadata.clone()));
                watch::events(objects, &self.params, &format!("meta.k8s.io/{version}"), "Table")
            }
            Form::Metadata(version) => {
                let objects = ids.iter().map(|id| object::metadata_only(&self.json(place, *id), version));
                watch::events(objects, &self.params, &format!("meta.k8s.io/{version}"), "PartialObjectMetadata")
            }
            Form::Plain | Form::Aggregated(_) => {
                watch::events(ids.iter().map(|id| self.json(place, *id)), &self.params, &api_version, &resource.word)
            }
        };
        Ok(Reply::of(200, "application/json", events).warned(listed.warnings))
    }
}
