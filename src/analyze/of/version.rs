//! `clusterVersion`.
//!
//! Source: `replicatedhq/troubleshoot:pkg/analyze/cluster_version.go`.
//!
//! Invariant: the versions of kubelets are none of the API server: they may be up to three minor versions older.

use crate::ask::{Answer, Ask, first};
use crate::known::{Known, Open, Why, shown};
use crate::when::{range, version};
use facts::origin::Citation;

pub(crate) fn cluster(ask: &Ask<'_>) -> Vec<Answer> {
    let stated = &ask.world.facts.context(ask.world.context).api_server;
    let at: Vec<Citation> = stated.iter().map(|(_, at)| at.clone()).collect();
    let own = || -> Known<semver::Version> {
        match stated.as_slice() {
            [] => Err(Why::NoVersion.into()),
            [(own, at)] => {
                // A release of EKS, which is no pre-release: aws/containers-roadmap#1404.
                let plain = if own.contains("-eks-") { own.split('-').next().unwrap_or(own) } else { own };
                version(plain).ok_or_else(|| Open { why: Why::BadVersion(shown(own)), at: vec![at.clone()] })
            }
            several => Err(Why::Versions(several.iter().map(|(own, _)| shown(own)).collect()).into()),
        }
    };
    let own = match own() {
        Ok(own) => own,
        Err(open) => return vec![Answer::found(ask.title, Err(open), at)],
    };
    vec![Answer::found(ask.title, first(&ask.analyzer.outcomes, |when| range(when, &own)), at)]
}
