//! `kubectl cluster-info dump --output-directory`: whole lists of a few kinds, and the logs of all Pods.
//!
//! Source: `kubernetes/kubectl:pkg/cmd/clusterinfo/clusterinfo_dump.go@v0.34.0`. Each file is a list without
//! paging of one namespace. The first error of the API server stops the command, and nothing says so: what is
//! not there was not asked for. The logs of a Pod are one file, framed container by container
//! ([`parse::frames`]); the same on standard output is one file for everything.

use crate::{Is, Layout, Rule, no_finish, rule};

/// The name in reports.
pub(crate) const NAME: &str = "cluster-info-dump";

pub(crate) const LAYOUT: Layout = Layout {
    name: NAME,
    marks: &[
        &["nodes.json", "nodes.yaml"],
        &["{namespace}/pods.json", "{namespace}/pods.yaml"],
        &["{namespace}/replication-controllers.json", "{namespace}/replication-controllers.yaml"],
    ],
    unless: &[],
    is_part: true,
    rules: RULES,
    finish: no_finish,
};

const RULES: &[Rule] = &[
    rule("nodes.json", Is::List("nodes")),
    rule("nodes.yaml", Is::List("nodes")),
    rule("{namespace}/events.json", Is::List("events")),
    rule("{namespace}/events.yaml", Is::List("events")),
    rule("{namespace}/replication-controllers.json", Is::List("replicationcontrollers")),
    rule("{namespace}/replication-controllers.yaml", Is::List("replicationcontrollers")),
    rule("{namespace}/services.json", Is::List("services")),
    rule("{namespace}/services.yaml", Is::List("services")),
    rule("{namespace}/daemonsets.json", Is::List("daemonsets.apps")),
    rule("{namespace}/daemonsets.yaml", Is::List("daemonsets.apps")),
    rule("{namespace}/deployments.json", Is::List("deployments.apps")),
    rule("{namespace}/deployments.yaml", Is::List("deployments.apps")),
    rule("{namespace}/replicasets.json", Is::List("replicasets.apps")),
    rule("{namespace}/replicasets.yaml", Is::List("replicasets.apps")),
    rule("{namespace}/pods.json", Is::List("pods")),
    rule("{namespace}/pods.yaml", Is::List("pods")),
];
