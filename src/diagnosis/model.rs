//! The diagnosis: everything a report needs, and the only thing a report sees.
//!
//! Versioned and documented; its JSON schema is generated from it (`casefile schema`) and checked in.
//! Other programs may rely on the fields; a change that removes or renames one raises
//! [`SCHEMA_VERSION`].
//!
//! Invariants: serialising it twice gives the same bytes; it holds no secret and no unmasked text of the
//! bundle; every list is sorted by a stated rule.

use crate::more::More;
use crate::pictures::Pictures;
use facts::coverage::StateName;
use facts::log::PLAIN;
use facts::unread::Cause;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use signature::evidence_state::EvidenceState;
use signature::model::{RelationKind, Risk, Severity, Status, VerdictWord};
use std::collections::{BTreeMap, BTreeSet};

/// Version of the shape of [`Diagnosis`].
///
/// Version 2 (November 2026): `summary`, `further`; on a finding `severity` and `since`; on a piece of evidence `needed`; `pictures`.
pub const SCHEMA_VERSION: u32 = 2;

/// A whole diagnosis.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Diagnosis {
    /// Version of this shape.
    pub schema_version: u32,
    /// The program that made it.
    pub tool: Tool,
    /// The signature packs that were run.
    pub packs: Vec<Pack>,
    /// What the site disabled or re-rated; left out if nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<OverrideInfo>,
    /// What was read, one entry for each bundle on the command line.
    pub bundles: Vec<BundleInfo>,
    /// The clusters found, in the order that findings refer to them.
    pub contexts: Vec<ContextInfo>,
    /// One sentence: what is wrong and why, or that nothing was found.
    pub answer: String,
    /// How many findings there are of each verdict, and which of them matters most.
    #[serde(default)]
    pub summary: Summary,
    /// Findings, root causes first; consequences follow their cause.
    pub findings: Vec<Finding>,
    /// Entities that a signature could not be decided for and that nothing points at.
    pub not_assessed: Vec<NotAssessed>,
    /// Signatures that do not apply to this bundle, with the reason.
    pub not_applicable: Vec<NotApplicable>,
    /// How many signatures were checked: an entity of theirs was decided, or it is known that there is none.
    pub checked: u64,
    /// What was not collected, with the signatures that were not checked for want of it.
    pub not_collected: Vec<NotCollected>,
    /// What to collect next, the most deciding first.
    pub asks: Vec<Ask>,
    /// What else to collect, though no finding waits for it: for checks that had no data, the most useful first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<Further>,
    /// What was asked of each cluster and how complete the answer is.
    pub coverage: Vec<CoverageRow>,
    /// The logs that were read.
    pub logs: Vec<LogRow>,
    /// The timeline, if the bundle holds times.
    pub timeline: Timeline,
    /// Objects that a reader wants to see, as tables in kubectl shape, unhealthy rows first.
    pub inventory: Vec<InventoryTable>,
    /// What stands out and no signature explains. Not a diagnosis.
    pub anomalies: Vec<Anomaly>,
    /// How processes ended and what went wrong last, in the words of the logs, less what findings cite; what is nearest
    /// to the end of a process first. Not a diagnosis.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loudest: Vec<LoudLine>,
    /// What a reader would rather see than read. Left out if there is nothing to show.
    #[serde(default, skip_serializing_if = "Pictures::is_empty")]
    pub pictures: Pictures,
    /// Objects whose sightings disagree.
    pub conflicts: Vec<ConflictRow>,
    /// Members that were not read, or not to their end, with the reason.
    pub unread: Vec<Unread>,
    /// Limits that were reached.
    pub limits_hit: Vec<LimitHit>,
    /// How many secret values were masked.
    pub redactions: u64,
    /// How many of each kind: `password`, `token`, `key`, `secret` (a field of a Secret and the like), `url`, `header`,
    /// `hash`, `signature`, `webhook`, `document` (encoded, with secrets in it), `random` (of no known kind).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub redactions_by_kind: BTreeMap<String, u64>,
    /// Options that shape the result, as given.
    pub options: BTreeMap<String, String>,
    /// What is counted instead of listed: every list of a report is bounded. Left out if all is listed.
    #[serde(default, skip_serializing_if = "More::is_empty")]
    pub more: More,
}

impl Diagnosis {
    /// How many findings have a verdict, listed or counted. What is a note ([`is_note`]) is none of them.
    pub fn count(&self, verdict: VerdictWord) -> u64 {
        let is_it = |found: VerdictWord, severity| found == verdict && !is_note(found, severity);
        let listed = self.findings.iter().filter(|finding| is_it(finding.verdict, finding.signature.severity));
        let counted = self.more.findings.iter().filter(|row| is_it(row.verdict, row.severity));
        listed.count() as u64 + counted.map(|row| row.count).sum::<u64>()
    }

    /// How many notes there are, listed or counted.
    pub fn count_notes(&self) -> u64 {
        let listed = self.findings.iter().filter(|finding| finding.is_note()).count() as u64;
        let counted = self.more.findings.iter().filter(|row| is_note(row.verdict, row.severity));
        listed + counted.map(|row| row.count).sum::<u64>()
    }

    /// How many entities the findings of a verdict stand for, listed or counted.
    pub fn count_entities(&self, verdict: VerdictWord) -> u64 {
        let is_it = |found: VerdictWord, severity| found == verdict && !is_note(found, severity);
        let of_verdict = self.findings.iter().filter(|finding| is_it(finding.verdict, finding.signature.severity));
        let counted = self.more.findings.iter().filter(|row| is_it(row.verdict, row.severity));
        of_verdict.map(Finding::entities).sum::<u64>() + counted.map(|row| row.count.max(row.entities)).sum::<u64>()
    }

    /// How many entities were not assessed, listed or counted.
    pub fn count_not_assessed(&self) -> u64 {
        self.not_assessed.len() as u64 + self.more.not_assessed.iter().map(|row| row.count).sum::<u64>()
    }

    /// How many parts were not read or not understood, listed or counted.
    pub fn count_unread(&self) -> u64 {
        self.unread.len() as u64 + self.more.unread.iter().map(|row| row.count).sum::<u64>()
    }
}

/// A finding that says something and is no fault: nobody has to act on it, and it is never counted among the confirmed.
pub fn is_note(verdict: VerdictWord, severity: Severity) -> bool {
    severity == Severity::Info && matches!(verdict, VerdictWord::Confirmed | VerdictWord::Probable)
}

/// What a program wants to know of a diagnosis first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// How many findings there are of each verdict, listed or counted.
    pub counts: Counts,
    /// Anchor of the finding that matters most; null if nothing stands and nothing is undecided.
    pub primary: Option<String>,
}

/// How many findings there are of each verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    pub confirmed: u64,
    pub probable: u64,
    pub undecided: u64,
    pub resolved: u64,
    pub ruled_out: u64,
    /// Confirmed or probable, and no fault: severity `info`. They are in none of the other numbers.
    pub notes: u64,
    /// Entities that a signature was not assessed for.
    pub not_assessed: u64,
}

/// The program.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Tool {
    /// `casefile`.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// A signature pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pack {
    /// The name in its `pack.yaml`, else `built-in` or the folder's name.
    pub name: String,
    /// The version in its `pack.yaml`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Number of signatures.
    pub signatures: usize,
    /// SHA-256 over the sorted files, in hex.
    pub sha256: String,
    /// Who signed it: the name and the key; left out for a folder and for the built-in pack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_by: Option<String>,
}

/// A signature that the site disabled or re-rated (`overrides.yaml` of a pack).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OverrideInfo {
    /// The signature.
    pub signature: String,
    /// Its title.
    pub title: String,
    /// It was not run.
    pub disabled: bool,
    /// Its severity before and after, if it was re-rated.
    pub severity: Option<(Severity, Severity)>,
    /// Why, in the words of the site.
    pub reason: String,
}

/// One bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BundleInfo {
    /// Its name as given, without folders.
    pub name: String,
    /// SHA-256 over the sorted list of member names and content hashes, in hex.
    pub sha256: String,
    /// The layout that was recognised; `folder` where none was.
    pub layout: String,
    /// Number of members.
    pub members: u64,
    /// Other names of members: links inside the bundle. Left out if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub links: u64,
    /// Bytes of all members.
    pub bytes: u64,
    /// Objects that were read, of any kind: whether anything was understood at all. It is no part of a report.
    #[serde(skip)]
    pub objects: u64,
    /// The bundle's own "now".
    pub as_of: Option<AsOfInfo>,
    /// What damage was worked around, in sentences: the banner.
    pub damage: Vec<String>,
    /// What a paste shows, in words: `6 events`, `1 Pod`. Left out for a collected bundle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shows: Vec<String>,
}

pub(crate) fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// The bundle's own "now".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AsOfInfo {
    /// RFC 3339, UTC.
    pub time: String,
    /// What it was taken from.
    pub source: String,
}

/// The role of a context of which none was recognised.
pub const NO_ROLE: &str = "unknown";

/// The namespaces of an answer that covers all of them.
pub const ALL_NAMESPACES: &str = "*";

/// A cluster found in a bundle.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContextInfo {
    /// Its name.
    pub name: String,
    /// Its roles joined by `+`; `unknown` where none was recognised.
    pub role: String,
    /// Index of its bundle.
    pub bundle: usize,
    /// Its own "now".
    pub as_of: Option<AsOfInfo>,
    /// Products recognised in it.
    pub products: Vec<String>,
    /// Versions that it states: name and version.
    pub versions: Vec<(String, String)>,
    /// The Cluster whose workload it is, if known.
    pub workload_of: Option<String>,
}

/// One signature decided for one entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Stable anchor: `CF-1001/bad`, made unique by the context where needed.
    pub anchor: String,
    /// The signature.
    pub signature: SignatureInfo,
    /// What it is about; where it stands for several, the first of them.
    pub entity: EntityInfo,
    /// Whose object that is: the controller that made it, or that made what made it. Left out if none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<OwnerInfo>,
    /// The other entities that the finding stands for: of one owner, or with one cause. Left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<Alike>,
    /// Entities beyond those listed. Left out if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_alike: u64,
    /// The verdict.
    pub verdict: VerdictWord,
    /// The worst of the severity of its signature, after overrides, and of what is folded under it and stands: what broke
    /// much matters as much. A note stays one.
    #[serde(default = "no_fault")]
    pub severity: Severity,
    /// The earliest time at which its evidence shows the fault, RFC 3339. Left out if none has a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Confirmed and ruled out hold at once; both sides are shown.
    pub conflicting: bool,
    /// Index in `findings` of the finding that this one is folded under.
    pub caused_by: Option<usize>,
    /// Why it is folded there: `causes`, it follows from that finding; `implies`, it is part of the same fault.
    /// Null exactly if `caused_by` is.
    #[serde(default)]
    pub folded_by: Option<RelationKind>,
    /// What stands above it: the cause that was found here, else the title of the signature. Where it stands for
    /// several entities: how many, of whom, and what is true of them.
    #[serde(default)]
    pub headline: String,
    /// The headline of its own entity, where it stands for several. Left out if it stands for one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub own_headline: String,
    /// What it means here, in one or two sentences.
    pub explanation: String,
    /// Why this verdict: which evidence holds, which does not, which is missing.
    pub reason: String,
    /// How many of the indicators that *confirmed* needs hold.
    #[serde(default)]
    pub indicators: Indicators,
    /// What its evidence captured, by the names that relations compare: tests of signatures look at it, and no report does.
    #[serde(skip)]
    pub captured: BTreeMap<String, BTreeSet<String>>,
    /// The evidence, in the order of the signature.
    pub evidence: Vec<EvidenceRow>,
    /// What to do, what not, how to verify.
    pub remediation: RemediationInfo,
    /// What to hand to support.
    pub escalation: Option<Packet>,
    /// Relations to other signatures.
    pub relations: Vec<RelationInfo>,
    /// Where the knowledge comes from.
    pub references: Vec<ReferenceInfo>,
}

/// The severity of what says none.
fn no_fault() -> Severity {
    Severity::Info
}

impl Finding {
    /// A finding of which no more is known than what it is about and how it was decided.
    pub fn new(anchor: String, signature: SignatureInfo, entity: EntityInfo, verdict: VerdictWord) -> Self {
        Self {
            anchor,
            severity: signature.severity,
            signature,
            entity,
            owner: None,
            alike: Vec::new(),
            more_alike: 0,
            verdict,
            since: None,
            conflicting: false,
            caused_by: None,
            folded_by: None,
            headline: String::new(),
            own_headline: String::new(),
            explanation: String::new(),
            reason: String::new(),
            indicators: Indicators::default(),
            captured: BTreeMap::new(),
            evidence: Vec::new(),
            remediation: RemediationInfo::default(),
            escalation: None,
            relations: Vec::new(),
            references: Vec::new(),
        }
    }

    /// Does it say something that is no fault?
    pub fn is_note(&self) -> bool {
        is_note(self.verdict, self.signature.severity)
    }

    /// Is it a fault that somebody must look at?
    pub fn stands(&self) -> bool {
        matches!(self.verdict, VerdictWord::Confirmed | VerdictWord::Probable) && !self.is_note()
    }

    /// Its headline; the title of its signature where a diagnosis of an earlier version has none.
    pub fn headline(&self) -> &str {
        if self.headline.is_empty() { &self.signature.title } else { &self.headline }
    }

    /// How many entities it stands for, its own included.
    pub fn entities(&self) -> u64 {
        1 + self.alike.len() as u64 + self.more_alike
    }
}

/// Another entity that a finding stands for, with what it rests on there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Alike {
    /// The anchor that its finding would have alone: links and `asks` of earlier runs know it.
    pub anchor: String,
    /// What it is about.
    pub entity: EntityInfo,
    /// Its own headline.
    pub headline: String,
    /// The claims that its verdict rests on, in the order of the signature.
    pub proofs: Vec<Proof>,
}

/// One claim about another entity, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Proof {
    /// Id of the evidence in the signature.
    pub id: String,
    /// What it says about the claim.
    pub state: EvidenceState,
    /// The claim, filled in.
    pub claim: String,
    /// Where it stands, at most 2; `more` counts the rest.
    pub citations: Vec<CitationInfo>,
    /// Citations beyond those listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: u64,
}

/// The controller that made an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct OwnerInfo {
    /// Its kind as it is spelt: `MachineDeployment`.
    pub kind: String,
    /// Its API group; empty for the core group, and where it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// Its name; its namespace is that of the object.
    pub name: String,
}

/// How near a finding is to being confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Indicators {
    /// Indicators that hold.
    pub held: usize,
    /// Indicators that the condition for *confirmed* reads; of alternatives, the one nearest to holding.
    pub total: usize,
}

/// A signature, as far as a report names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SignatureInfo {
    /// Stable id.
    pub id: String,
    /// Short name.
    pub name: String,
    /// Title.
    pub title: String,
    /// What it means.
    pub summary: String,
    /// Severity, after overrides.
    pub severity: Severity,
    /// How far it can be trusted.
    pub status: Status,
    /// The fault stays invisible until a later event: a failover, the hand-over, the loss of a Node.
    #[serde(default)]
    pub latent: bool,
    /// It knows nothing of what it names, and repeats its words: the end of a process of any program. Left out if not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub general: bool,
}

/// What a finding is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct EntityInfo {
    /// Kind as `plural.group`, or the path of a label group.
    pub kind: String,
    /// Namespace, if it has one.
    pub namespace: Option<String>,
    /// Name.
    pub name: String,
    /// Name of its context.
    pub context: String,
}

/// How the kind of an entity that is a log ends, behind the class of the log: `kubelet log`.
pub const OF_LOG: &str = " log";

impl EntityInfo {
    /// Is it a log?
    pub fn is_log(&self) -> bool {
        self.kind.ends_with(OF_LOG)
    }
}

/// One piece of evidence of a finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceRow {
    /// Its id in the signature.
    pub id: String,
    /// What it says about the claim.
    pub state: EvidenceState,
    /// The claim, filled in.
    pub claim: String,
    /// Why: what was seen, what was searched, what is missing.
    pub reason: String,
    /// The reason says no more than where the first of `citations` stands. Left out if it says more.
    #[serde(default, skip_serializing_if = "is_false")]
    pub says_place: bool,
    /// What kind of thing is missing, if its state is unknown; of several the one that collecting helps first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<GapCause>,
    /// It is enough to suspect the signature.
    pub hallmark: bool,
    /// The verdict rests on it; other evidence only goes along. Left out if it does not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub needed: bool,
    /// The number of matches: at least.
    pub at_least: u64,
    /// The number of matches: at most; null is unbounded.
    pub at_most: Option<u64>,
    /// Values that the signature wants shown: one list of (path, value) for each match. Left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<Vec<(String, String)>>,
    /// Where it stands, at most 20; `more` counts the rest.
    pub citations: Vec<CitationInfo>,
    /// Citations beyond those listed. Left out if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: u64,
}

/// What kind of thing keeps a claim unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GapCause {
    /// It was not collected, or not whole.
    Coverage,
    /// It was collected in a form that does not show it (a table, typed describe).
    Form,
    /// What was collected disagrees, or is masked: more of the same would not help.
    Conflict,
    /// A variable has no value, because the evidence that captures it found none.
    Unbound,
    /// Log lines that name no entity, and several entities they could belong to.
    Attribution,
    /// A text that no known wording matches.
    Wording,
    /// A limit, Casefile's or of whoever kept it.
    Limit,
}

/// A place in the bundle.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct CitationInfo {
    /// Member of the bundle.
    pub member: String,
    /// Line, from 1; null if only the member as a whole can be named.
    pub line: Option<u32>,
    /// JSON path in the document, if it is one.
    pub path: Option<String>,
    /// The text that stands there, masked and cut.
    pub excerpt: String,
    /// Whose place it is and where in it: `Pod shop/web-1 › status › conditions[Ready]`. Left out if it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub object: String,
    /// The lines, or the fields, that stand before it. Left out if there are none, or the place is not quoted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// Those after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
}

/// What to do about a finding.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct RemediationInfo {
    /// Steps in order.
    pub steps: Vec<StepInfo>,
    /// What people try in vain.
    pub does_not_help: Vec<AdviceInfo>,
    /// What makes it worse.
    pub do_not: Vec<AdviceInfo>,
    /// How to see that it is well again.
    pub verify: Vec<String>,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepInfo {
    /// What to do.
    pub action: String,
    /// A command to copy.
    pub command: Option<String>,
    /// Why.
    pub because: Option<String>,
    /// How dangerous.
    pub risk: Option<Risk>,
    /// Whose approval it needs.
    pub approval: Option<String>,
    /// What to check before.
    pub before: Vec<String>,
}

/// An action with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AdviceInfo {
    /// The action.
    pub action: String,
    /// The reason.
    pub because: String,
}

/// An escalation packet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Packet {
    /// To whom.
    pub to: String,
    /// Title and text of each item.
    pub items: Vec<(String, String)>,
}

/// A relation to another signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RelationInfo {
    /// The kind.
    pub kind: RelationKind,
    /// The other signature.
    pub to: String,
    /// Its title.
    pub title: String,
    /// By what the two are told apart.
    pub by: Option<String>,
}

/// A source of knowledge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReferenceInfo {
    /// Title.
    pub title: String,
    /// Section.
    pub section: Option<String>,
    /// Address.
    pub url: Option<String>,
}

/// An entity that could not be decided and that nothing points at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct NotAssessed {
    /// Signature id.
    pub signature: String,
    /// The entity.
    pub entity: EntityInfo,
    /// Why.
    pub reason: String,
}

/// Something that was not collected, so that some signatures had nothing to look at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct NotCollected {
    /// The kind, the answer of a program or the logs: `pods`, `endpoint status`, `logs of kube-apiserver`.
    pub what: String,
    /// The cluster.
    pub context: String,
    /// Why there was nothing to look at.
    pub reason: String,
    /// What kind of thing is missing.
    pub cause: GapCause,
    /// The signatures.
    pub signatures: Vec<String>,
}

/// A signature that does not apply.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct NotApplicable {
    /// Signature id.
    pub signature: String,
    /// Its title.
    pub title: String,
    /// Why.
    pub reason: String,
}

/// Something to collect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ask {
    /// The command.
    pub command: String,
    /// Where to run it.
    pub on: String,
    /// What to look out for.
    pub note: Option<String>,
    /// Anchors of the findings that it would decide.
    pub decides: Vec<String>,
}

/// A command that would give checks their data, though no finding waits for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Further {
    /// The command.
    pub command: String,
    /// Where to run it: `cluster`, `management`, `node`.
    pub on: String,
    /// Name of the cluster that it is for.
    pub context: String,
    /// What it would add, in words: `pods`, `member list`, `logs of kubelet`.
    #[serde(default)]
    pub what: Vec<String>,
    /// What to look out for.
    pub note: Option<String>,
    /// Ids of the signatures that read it.
    pub signatures: Vec<String>,
}

/// A coverage record.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct CoverageRow {
    /// Context name.
    pub context: String,
    /// Kind as `plural.group`.
    pub kind: String,
    /// Namespaces: `*`, or names joined by commas.
    pub namespaces: String,
    /// How the answer ended.
    pub state: StateName,
    /// The basis's word.
    pub basis: String,
    /// The text behind the state, if any.
    pub detail: Option<String>,
    /// Number of objects seen of the kind in that scope.
    pub objects: u64,
    /// Where the answer stands.
    pub member: String,
}

/// A log that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LogRow {
    /// Context name.
    pub context: String,
    /// Stream name.
    pub stream: String,
    /// Class, if known.
    pub class: Option<String>,
    /// Members it was read from.
    pub members: Vec<String>,
    /// Lines.
    pub lines: u64,
    /// First and last time, RFC 3339.
    pub from: Option<String>,
    /// Last time.
    pub to: Option<String>,
    /// Formats with their number of lines.
    pub formats: BTreeMap<String, u64>,
}

impl LogRow {
    /// Is it surely a log: is a line of it in a known format, does its name say what wrote it, or do its lines tell of
    /// different times?
    pub fn is_known(&self) -> bool {
        let is_timed = self.from.is_some() && self.from != self.to;
        self.formats.keys().any(|format| format != PLAIN) || self.class.is_some() || is_timed
    }
}

/// The timeline.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Timeline {
    /// Start of the first bucket, RFC 3339; null without times.
    pub from: Option<String>,
    /// End of the last bucket.
    pub to: Option<String>,
    /// Width of a bucket in seconds.
    pub bucket_seconds: i64,
    /// Log lines and events before `from` or after `to`: the picture covers seven days at most.
    #[serde(default)]
    pub not_drawn: u64,
    /// The earliest fault that a confirmed or probable finding rests on, RFC 3339; null if none has a time.
    #[serde(default)]
    pub first_failure: Option<String>,
    /// Warnings and errors of the lanes before and since the first failure, those that grew most first.
    #[serde(default)]
    pub rates: Vec<Rate>,
    /// One lane for each stream or kind of event, in order.
    pub lanes: Vec<Lane>,
    /// Lanes beyond those listed.
    #[serde(default)]
    pub more_lanes: u64,
    /// Single events worth naming, by time.
    pub events: Vec<TimelineEvent>,
    /// Events beyond those listed.
    #[serde(default)]
    pub more_events: u64,
}

/// One lane.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Lane {
    /// Its name.
    pub name: String,
    /// Context name.
    pub context: String,
    /// For each bucket: lines in all, of them warnings, of them errors; null is a gap: no data.
    pub buckets: Vec<Option<[u64; 3]>>,
}

/// How often one lane warned before and since the first failure.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Rate {
    /// The lane's name.
    pub lane: String,
    /// Context name.
    pub context: String,
    /// Warnings and errors before the first failure.
    pub before: u64,
    /// Seconds before it in which the lane has data.
    pub before_seconds: i64,
    /// Warnings and errors since then.
    pub since: u64,
    /// Seconds since then in which the lane has data.
    pub since_seconds: i64,
}

/// One event of the timeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TimelineEvent {
    /// RFC 3339, UTC.
    pub time: String,
    /// `event`, `condition`, `log`, `finding`.
    pub kind: String,
    /// Context name.
    pub context: String,
    /// What it is about.
    pub subject: String,
    /// What happened.
    pub text: String,
    /// `warning`, `error`, `normal`.
    pub level: String,
    /// Where it stands.
    pub citation: Option<CitationInfo>,
}

/// A table of objects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InventoryTable {
    /// Context name.
    pub context: String,
    /// Kind as `plural.group`.
    pub kind: String,
    /// Headers.
    pub headers: Vec<String>,
    /// Rows; an unknown cell is `?`.
    pub rows: Vec<Vec<String>>,
    /// Number of unhealthy rows; they come first.
    pub unhealthy: usize,
    /// Rows beyond those listed.
    #[serde(default)]
    pub more: u64,
}

/// The kind of what stands out among events.
pub const OF_EVENT: &str = "event";

/// Something that stands out and no signature explains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Anomaly {
    /// `log`, `event`, `restarts`.
    pub kind: String,
    /// Context name.
    pub context: String,
    /// Where: stream or object.
    pub subject: String,
    /// The message or template.
    pub text: String,
    /// How often.
    pub count: u64,
    /// Why it stands out: `new`, `rare`, `frequent`; for events and restarts empty.
    #[serde(default)]
    pub why: String,
    /// Other streams or objects of which the same is said.
    #[serde(default)]
    pub also: u64,
    /// When it was said last (events) or first (logs), RFC 3339. Left out if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Where it first stands.
    pub citation: Option<CitationInfo>,
}

/// A line of a log that no finding cites, and that a person would look for where nothing else is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoudLine {
    /// What makes it loud.
    pub kind: Loudness,
    /// Context name.
    pub context: String,
    /// The log.
    pub stream: String,
    /// What it says, with the error that a field of it holds.
    pub text: String,
    /// When, RFC 3339. Left out if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The process was started again after it. Left out if not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub restarted: bool,
    /// Seconds for which its log was silent at the end, while others of the cluster went on. Left out if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silent_seconds: Option<i64>,
    /// How often its log says such things: the same for what is fatal, all errors for the last error.
    pub count: u64,
    /// Other logs of the cluster that say the same.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub also: u64,
    /// Where it stands.
    pub citation: CitationInfo,
}

/// What makes a line loud.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Loudness {
    /// The process ended with it.
    LastWords,
    /// Its level is fatal or worse.
    Fatal,
    /// It is the last error of its log.
    LastError,
}

/// An object whose sightings disagree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConflictRow {
    /// The object.
    pub object: String,
    /// The path.
    pub path: String,
    /// The values with their places.
    pub values: Vec<(String, CitationInfo)>,
}

/// A member that was not read, or not to its end.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Unread {
    /// The member.
    pub member: String,
    /// The line, if only a part.
    pub line: Option<u32>,
    /// Why.
    pub reason: String,
    /// What that comes down to; left out if it was not understood, and no more is known than that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
}

/// A limit that was reached.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct LimitHit {
    /// Which limit.
    pub limit: String,
    /// What was cut.
    pub what: String,
    /// The member, if one.
    pub member: Option<String>,
    /// The switch of the command line that raises it. Left out if nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch: Option<String>,
}
