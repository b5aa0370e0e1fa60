//! The objects that standing findings speak of: what else is said of them is no news.
//!
//! Invariant: only names are compared, and those of what an object was made by: a Pod is covered by a finding of its
//! Deployment, not by one of another Pod of it that stands for itself.

use diagnosis::model::Finding;
use facts::object::ContextId;
use facts::store::Facts;
use std::collections::BTreeSet;

/// Generations above an object that are looked at: the ReplicaSet of a Pod, the Deployment of that.
const GENERATIONS: usize = 2;

/// Namespaces and names of objects, by cluster.
pub(crate) struct Covered<'a> {
    names: BTreeSet<(&'a str, Option<&'a str>, &'a str)>,
}

impl<'a> Covered<'a> {
    pub(crate) fn new(findings: &'a [Finding]) -> Self {
        let mut names = BTreeSet::new();
        for finding in findings.iter().filter(|finding| finding.stands()) {
            let entity = &finding.entity;
            let (context, namespace) = (entity.context.as_str(), entity.namespace.as_deref());
            names.insert((context, namespace, entity.name.as_str()));
            names.extend(finding.owner.iter().map(|owner| (context, namespace, owner.name.as_str())));
        }
        Self { names }
    }

    /// Does a finding speak of what an event or a row calls `pods shop/web-1`, or of what made it?
    pub(crate) fn holds(&self, facts: &Facts, context: ContextId, subject: &str) -> bool {
        let object = subject.split_once(' ').map_or(subject, |(_, object)| object);
        let (namespace, name) = match object.split_once('/') {
            Some((namespace, name)) => (Some(namespace), name),
            None => (None, object),
        };
        let context = facts.context(context).name.as_str();
        let above = std::iter::successors(Some(name), |name| name.rsplit_once('-').map(|(owner, _)| owner));
        above.take(1 + GENERATIONS).any(|name| self.names.contains(&(context, namespace, name)))
    }
}
