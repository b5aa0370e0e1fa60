//! The types of analyzers: which function answers which.
//!
//! # How to add one
//!
//! A row in `patterns/analyzers.yaml`, its function in a file here, and its line in [`TYPES`].

mod compare;
mod exists;
mod nodes;
mod pods;
mod probes;
mod readings;
pub(crate) mod selector;
mod status;
mod text;
mod version;

use crate::ask::{Answer, Ask};

/// Answers an analyzer.
pub(crate) type Run = fn(&Ask<'_>) -> Vec<Answer>;

/// What answers each type.
pub(crate) const TYPES: [(&str, Run); 35] = [
    ("certificates", readings::certificates),
    ("clickhouse", probes::database),
    ("clusterContainerStatuses", pods::containers),
    ("clusterPodStatuses", pods::statuses),
    ("clusterResource", compare::resource),
    ("clusterVersion", version::cluster),
    ("configMap", exists::config_map),
    ("containerRuntime", nodes::runtime),
    ("customResourceDefinition", exists::definition),
    ("deploymentStatus", status::deployments),
    ("distribution", nodes::distribution),
    ("event", pods::events),
    ("goldpinger", probes::goldpinger),
    ("http", probes::http),
    ("imagePullSecret", exists::pull_secret),
    ("ingress", exists::ingress),
    ("ingressClass", exists::ingress_class),
    ("jobStatus", status::jobs),
    ("jsonCompare", compare::json),
    ("mssql", probes::database),
    ("mysql", probes::database),
    ("nodeMetrics", readings::node_metrics),
    ("nodeResources", nodes::resources),
    ("postgres", probes::database),
    ("redis", probes::database),
    ("registryImages", probes::registry),
    ("replicasetStatus", status::replicasets),
    ("s3Status", probes::database),
    ("secret", exists::secret),
    ("statefulsetStatus", status::statefulsets),
    ("storageClass", exists::storage_class),
    ("sysctl", readings::sysctl),
    ("textAnalyze", text::files),
    ("weaveReport", readings::weave),
    ("yamlCompare", compare::yaml),
];

/// What answers a type.
pub(crate) fn run(of: &str) -> Option<Run> {
    TYPES.iter().find(|(own, _)| *own == of).map(|(_, run)| *run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalogue::analyzers;

    #[test]
    fn each_row_is_answered_or_says_why_not() {
        for row in analyzers::all() {
            assert_eq!(run(&row.of).is_some(), row.no.is_none(), "{}", row.of);
        }
        for (of, _) in TYPES {
            assert!(analyzers::all().any(|row| row.of == of), "{of} has no row in patterns/analyzers.yaml");
        }
    }
}
