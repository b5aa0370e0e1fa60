//! Crash Diagnostics (`crashd`): what a script captured from the API server and from hosts.
//!
//! Source: `vmware-tanzu/crash-diagnostics:k8s/object_writer.go`, `k8s/result_writer.go`, `exec/*.go`.
//!
//! A script can narrow what it captures by names and labels, and no file says so: its lists are whole as far
//! as they tell themselves. The time of the capture stands in the names of files.

use crate::{Is, Layout, Rule, Subtree, rule};
use facts::origin::Citation;
use facts::record::{Record, Stamp, Stated};
use facts::shortfall::WhyTruncated;

pub(crate) const LAYOUT: Layout =
    Layout { name: "crashd", marks: &[&["kubecapture/**"]], unless: &[], is_part: false, rules: RULES, finish: times };

const RULES: &[Rule] = &[
    rule("kubecapture/core_v1/{namespace}/pods/{pod}/{container}/{file}.log", Is::Log(never_cut)),
    rule("kubecapture/core_v1/{namespace}/{pod}/{container}/{file}.log", Is::Log(never_cut)),
    rule("kubecapture/{group}_{version}/{resource}-{y}-{m}-{d}T{h}-{min}-{s}Z.{f}.json", Is::Objects("")),
    rule("kubecapture/{group}_{version}/{resource}-{y}-{m}-{d}T{h}-{min}-{s}Z.{f}.yaml", Is::Objects("")),
    rule("kubecapture/{group}_{version}/{namespace}/{resource}/{name}Z.{f}.json", Is::Objects("")),
    rule("kubecapture/{group}_{version}/{namespace}/{resource}/{name}Z.{f}.yaml", Is::Objects("")),
];

/// The script asks for whole logs.
fn never_cut(_: u64, _: u64) -> Option<WhyTruncated> {
    None
}

/// The time in a file's name: `pods-2006-01-02T15-04-05Z.0000.json`.
fn times(tree: &mut Subtree<'_>) {
    let mut newest = None;
    for (path, id) in tree.members.iter().filter(|(path, _)| path.starts_with("kubecapture/")) {
        let Some(time) = stamp(path) else { continue };
        if newest.as_ref().is_none_or(|(other, _)| *other < time) {
            newest = Some((time, *id));
        }
    }
    if let Some((text, id)) = newest {
        let citation = Citation::line(id, 0, &text);
        tree.add.push((id, Record::from(Stamp { what: Stated::CollectedAt, text, citation })));
    }
}

pub(crate) fn stamp(path: &str) -> Option<String> {
    let (before, _) = path.rsplit_once("Z.")?;
    let time = before.get(before.len().checked_sub(19)?..)?;
    let (date, clock) = time.split_once('T')?;
    let text = format!("{date}T{}Z", clock.replace('-', ":"));
    text.parse::<jiff::Timestamp>().ok().map(|_| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_names_of_files() {
        let of = |path| stamp(path).unwrap_or_default();
        assert_eq!(of("kubecapture/core_v1/n/pods-2026-05-01T10-11-12Z.0000.json"), "2026-05-01T10:11:12Z");
        assert_eq!(of("kubecapture/core_v1/n/pods-2026-05-01.json"), "");
        assert_eq!(of("kubecapture/core_v1/n/pods-2026-15-01T10-11-12Z.0000.json"), "");
    }
}
