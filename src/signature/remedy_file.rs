//! What a signature file says to do, and what to hand on.
//!
//! Invariant: texts keep their places, so that a problem points at its word.

use crate::file::{PredicateFile, Text};
use crate::model::Risk;
use schemars::JsonSchema;
use serde::Deserialize;

/// What to do about a finding.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RemediationFile {
    /// Steps, in order.
    pub steps: Vec<StepFile>,
    /// What people try in vain; needed at severity high and above.
    #[serde(default)]
    pub does_not_help: Vec<AdviceFile>,
    /// What makes it worse; needed at severity high and above.
    #[serde(default)]
    pub do_not: Vec<AdviceFile>,
    /// How to see that it is well again.
    #[serde(default)]
    pub verify: Vec<Text>,
}

/// One step of a remedy.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepFile {
    /// What to do.
    #[serde(rename = "do")]
    pub action: Text,
    /// A condition over evidence ids: the step is shown only where it holds.
    pub when: Option<Text>,
    /// The same: the step is left out where it holds.
    pub unless: Option<Text>,
    /// Tests of the entity's own fields: the step is left out where one of them is known to fail.
    #[serde(default, rename = "where")]
    pub filter: Vec<PredicateFile>,
    /// A regex: the step is for cases in which the words that the evidence found match it. Where those of no step do, all
    /// steps with such a regex are shown.
    pub said: Option<Text>,
    /// A command to copy.
    pub command: Option<Text>,
    /// Why.
    pub because: Option<Text>,
    /// How dangerous.
    pub risk: Option<Risk>,
    /// Whose approval it needs.
    pub approval: Option<String>,
    /// What to check before.
    #[serde(default)]
    pub before: Vec<String>,
}

/// An action with its reason.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdviceFile {
    /// The action.
    pub action: Text,
    /// A condition over evidence ids: it is told only where that holds.
    pub when: Option<Text>,
    /// The same: it is left out where that holds.
    pub unless: Option<Text>,
    /// Tests of the entity's own fields: it is left out where one of them is known to fail.
    #[serde(default, rename = "where")]
    pub filter: Vec<PredicateFile>,
    /// Why it does not help, or what it breaks.
    pub because: Text,
}

/// What to hand to support.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EscalationFile {
    /// To whom.
    pub to: Text,
    /// From which verdict on: `confirmed`, `probable` or `undecided`.
    pub when: crate::model::VerdictWord,
    /// What the packet holds.
    pub include: Vec<PacketItemFile>,
}

/// One item of an escalation packet.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PacketItemFile {
    /// Its title.
    pub title: Text,
    /// `entity`, `all`, or the id of an evidence.
    pub from: Text,
    /// At most this many lines.
    pub lines: Option<usize>,
}
