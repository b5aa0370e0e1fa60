//! What is served: the facts of a run, cluster by cluster.

use crate::query::{self, Queries};
use crate::reply::Reply;
use crate::resources::{self, Resource};
use crate::{api, object, status};
use catalogue::kinds::Catalogue;
use diagnose::{Collected, Input, Options};
use facts::kind::KindName;
use facts::object::ContextId;
use facts::store::Facts;
use lines::Line;
use serde_json::Value;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

/// Makes the page of the diagnosis of what was read.
///
/// # Errors
/// With what a person reads.
pub type Page = Box<dyn Fn(&Collected) -> Result<String, String> + Send + Sync>;

/// One request, without the token.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    pub method: &'a str,
    /// The path behind the token, as it was sent: `/cluster/api/v1/pods`.
    pub path: &'a str,
    /// What stands behind the `?`.
    pub query: &'a str,
    /// The header `Accept`.
    pub accept: &'a str,
    pub body: &'a [u8],
}

/// One cluster of the bundles.
#[derive(Debug)]
pub(crate) struct Cluster {
    /// Its name in addresses.
    pub slug: String,
    /// Its name in the kubeconfig.
    pub name: String,
    pub context: ContextId,
    pub resources: Vec<Resource>,
}

/// What was read, ready to be asked.
pub struct Served {
    collected: Arc<Collected>,
    inputs: Vec<Input>,
    options: Options,
    catalogue: Catalogue,
    clusters: Vec<Cluster>,
    page: Page,
    queries: Queries,
    shown: OnceLock<Result<String, String>>,
}

impl fmt::Debug for Served {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Served").field("clusters", &self.clusters).finish_non_exhaustive()
    }
}

impl Served {
    /// Makes what was read ready; `page` makes the page of its diagnosis when somebody asks for it first, `queries` answers
    /// who asks its tables.
    pub fn new(
        collected: Arc<Collected>,
        inputs: Vec<Input>,
        mut options: Options,
        catalogue: Catalogue,
        page: Page,
        queries: Queries,
    ) -> Arc<Self> {
        // It bounds the reading of the bundle, and a log may be asked for hours later.
        options.limits.time = None;
        let mut clusters: Vec<Cluster> = Vec::new();
        for context in collected.facts.context_ids() {
            let shown = &collected.facts.context(context).name;
            let taken: Vec<(&str, &str)> = clusters.iter().map(|own| (own.slug.as_str(), own.name.as_str())).collect();
            let slugs: Vec<&str> = taken.iter().map(|(slug, _)| *slug).chain([query::NAME]).collect();
            let slug = unlike(&slug(shown), &slugs);
            let name = unlike(shown, &taken.iter().map(|(_, name)| *name).collect::<Vec<_>>());
            let resources = resources::of(&collected.facts, &catalogue, context);
            clusters.push(Cluster { slug, name, context, resources });
        }
        Arc::new(Self { collected, inputs, options, catalogue, clusters, page, queries, shown: OnceLock::new() })
    }

    /// The clusters: the name of each, and the beginning of its addresses behind the token.
    pub fn clusters(&self) -> impl Iterator<Item = (&str, &str)> {
        self.clusters.iter().map(|cluster| (cluster.name.as_str(), cluster.slug.as_str()))
    }

    /// How many objects a cluster holds, by its place.
    pub fn objects(&self) -> usize {
        let is_served = |kind: &KindName| kind.group != "casefile.dev";
        self.facts().by_kind.iter().filter(|((_, kind), _)| is_served(kind)).map(|(_, ids)| ids.len()).sum()
    }

    /// Answers a request.
    pub fn answer(self: &Arc<Self>, request: &Request<'_>) -> Reply {
        let path = request.path.trim_start_matches('/');
        let (slug, rest) = path.split_once('/').unwrap_or((path, ""));
        if slug.is_empty() {
            return self.diagnosis(request.method);
        }
        if path == query::NAME {
            return query::answer(self, request);
        }
        match self.clusters.iter().find(|cluster| cluster.slug == slug) {
            Some(cluster) => api::answer(self, cluster, request, rest),
            None => status::no_such_path("there is no cluster of this name; the kubeconfig has all of them"),
        }
    }

    /// The page of the diagnosis.
    fn diagnosis(&self, method: &str) -> Reply {
        if !matches!(method, "GET" | "HEAD") {
            return status::read_only("it takes GET alone");
        }
        match self.shown.get_or_init(|| (self.page)(&self.collected)) {
            Ok(page) => Reply::of(200, "text/html; charset=utf-8", page.clone().into_bytes()),
            Err(error) => status::failed(error),
        }
    }

    pub(crate) fn queries(&self) -> &Queries {
        &self.queries
    }

    /// The names of the bundles.
    pub(crate) fn bundles(&self) -> impl Iterator<Item = &str> {
        self.collected.bundles.iter().map(|bundle| bundle.intake.name.as_str())
    }

    /// Does a cluster show an object of this kind?
    pub(crate) fn holds(&self, kind: &KindName) -> bool {
        let facts = self.facts();
        facts.context_ids().any(|context| facts.by_kind.contains_key(&(context, kind.clone())))
    }

    pub(crate) fn facts(&self) -> &Facts {
        &self.collected.facts
    }

    pub(crate) fn collected(&self) -> &Collected {
        &self.collected
    }

    pub(crate) fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The names of the containers of a Pod, as far as its object is known.
    pub(crate) fn containers(&self, cluster: &Cluster, namespace: &str, pod: &str) -> Vec<String> {
        let pods = KindName::parse("pods");
        let Some(resource) = cluster.resources.iter().find(|resource| resource.kind == pods) else { return Vec::new() };
        let Some(id) = self.facts().named(cluster.context, &pods, Some(namespace), pod) else { return Vec::new() };
        let whole = object::json(self.facts(), id, resource);
        let containers = whole.pointer("/spec/containers").and_then(Value::as_array);
        let names = containers.into_iter().flatten().filter_map(|one| one.get("name")?.as_str().map(str::to_owned));
        names.collect()
    }

    /// Hands on the lines of a stream.
    ///
    /// # Errors
    /// If a bundle cannot be read again, or is another one.
    pub(crate) fn lines(
        &self,
        stream: usize,
        visit: &mut dyn FnMut(Line<'_>) -> ControlFlow<()>,
    ) -> Result<(), lines::Error> {
        let bundles: Vec<lines::Bundle<'_>> = self
            .inputs
            .iter()
            .zip(&self.collected.bundles)
            .map(|(input, bundle)| lines::Bundle { source: &input.source, intake: &bundle.intake })
            .collect();
        lines::read(&bundles, self.facts(), &self.options.limits, &|own, _| own == stream, visit)
    }
}

/// A name that can stand in an address as it is.
fn slug(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let slug: String = name.chars().take(64).map(letter).collect();
    if slug.trim_matches(['.', '-']).is_empty() { "cluster".to_owned() } else { slug }
}

/// A name that none of the others is.
fn unlike(name: &str, others: &[&str]) -> String {
    if !others.contains(&name) {
        return name.to_owned();
    }
    (2..).map(|number| format!("{name}-{number}")).find(|name| !others.contains(&name.as_str())).unwrap_or_default()
}
