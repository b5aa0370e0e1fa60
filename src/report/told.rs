//! Long sentences about what comes before a step: how `etcdctl` is called on which product, said by every finding about etcd.
//!
//! Why once: read the second time it hides the steps, and a report with ten findings repeats it ten times.
//!
//! Invariant: the first step that needs such a sentence has it whole, in the order in which the reader meets the findings.

use diagnosis::model::{Finding, StepInfo};
use std::collections::BTreeMap;

/// Characters from which on a sentence is told once.
const LONG: usize = 200;

/// What was told so far, and by which signature.
#[derive(Debug, Default)]
pub(crate) struct Told(BTreeMap<String, String>);

impl Told {
    /// What comes before a step of a finding; empty if nothing does.
    pub(crate) fn before(&mut self, finding: &Finding, step: &StepInfo) -> String {
        let whole = step.before.join("; ");
        if whole.chars().count() < LONG {
            return whole;
        }
        match self.0.get(&whole) {
            Some(by) => format!("as told above, at the steps of {by}"),
            None => {
                self.0.insert(whole.clone(), finding.signature.id.clone());
                whole
            }
        }
    }

    /// The same written into the steps of a finding.
    pub(crate) fn shorten(&mut self, finding: &mut Finding) {
        let told: Vec<String> = finding.remediation.steps.iter().map(|step| self.before(finding, step)).collect();
        for (step, before) in finding.remediation.steps.iter_mut().zip(told) {
            step.before = if before.is_empty() { Vec::new() } else { vec![before] };
        }
    }
}
