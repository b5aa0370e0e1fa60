//! One finding for the page: what is open from the start, what is one click away, and in which words.

use crate::view::alike;
use crate::view::alike::AlikeView;
use crate::view::evidence::{self, Evidence};
use crate::view::pictures::{self, GraphView, QuorumView};
use crate::view::{fragment, is_open};
use crate::{escalation, problems, relations};
use diagnosis::model::{CitationInfo, Diagnosis, Finding};
use diagnosis::{folding, summary, words};
use serde::Serialize;
use signature::model::VerdictWord;

/// Citations shown for one piece of evidence.
pub(crate) const CITATIONS: usize = 4;

/// One finding.
#[derive(Debug, Serialize)]
pub struct Card {
    /// The finding.
    pub f: Finding,
    /// `ruled_out`
    pub verdict_key: &'static str,
    /// `ruled out`
    pub verdict: &'static str,
    /// Severity's word.
    pub severity: &'static str,
    /// `namespace/name`
    pub entity: String,
    /// ` and 2 more`, if it stands for more than its own entity.
    pub and_more: String,
    /// The other entities that it stands for; none if it stands for one.
    pub alike: Option<AlikeView>,
    /// What an object of its kind is called.
    pub kind: String,
    /// The cause that was found, else the title.
    pub headline: String,
    /// Anchor as part of a link.
    pub link: String,
    /// It is to be open from the start.
    pub open: bool,
    /// Why this verdict, in words for people.
    pub why: String,
    /// What to do is worth showing: `now`, `again` (only if it comes back) or `no`.
    pub act: &'static str,
    /// What the signature means in general is shown instead of what it means here.
    pub general: bool,
    /// Evidence as shown.
    pub evidence: Evidence,
    /// `seen since 2026-03-04 09:40:04 UTC`; empty if it has no time.
    pub since: String,
    /// Commands would decide it.
    pub asks: bool,
    /// Links of references, only where they are http or https.
    pub references: Vec<Link>,
    /// Escalation packet as one text; empty if none.
    pub packet: String,
    /// To whom that goes.
    pub packet_to: String,
    /// The voters of its etcd cluster.
    pub quorum: Option<QuorumView>,
    /// What owns and uses its object.
    pub graph: Option<GraphView>,
    /// The objects that it cites: what they are called, and the links to their pages.
    pub cites: Vec<(String, String)>,
    /// How it is folded under another finding, if it is.
    pub fold: Option<FoldView>,
    /// How far the signature can be trusted, where that is less than usual; else empty.
    pub unproven: String,
    /// What it can cause or show as, in general, each a sentence without its full stop.
    pub can_lead_to: Vec<String>,
    /// What it is not to be taken for, each a sentence without its full stop.
    pub told_apart: Vec<String>,
}

/// How a finding is folded under another one.
#[derive(Debug, Serialize)]
pub struct FoldView {
    /// `Follows from`
    pub relation: &'static str,
    /// The finding that it is folded under.
    pub parent: Link,
    /// `First cure the cause:`
    pub begin: &'static str,
    /// The finding to turn to first.
    pub first: Link,
    /// What its own steps are for.
    pub then: &'static str,
}

/// A place in the bundle.
#[derive(Debug, Serialize)]
pub struct Place {
    /// `member:line`
    pub place: String,
    /// Whose place it is, or where in the document; empty if it is none.
    pub path: String,
    /// What stands before the text.
    pub before: Vec<String>,
    /// The text.
    pub excerpt: String,
    /// What stands after it.
    pub after: Vec<String>,
}

impl Place {
    /// Leaves out what was quoted before, or is not to be quoted.
    pub(crate) fn unquote(&mut self) {
        self.excerpt.clear();
        self.before.clear();
        self.after.clear();
    }
}

/// A reference.
#[derive(Debug, Serialize)]
pub struct Link {
    /// Title and section.
    pub title: String,
    /// Address, or the fragment of an anchor of this page; empty if it is an address and not http or https.
    pub url: String,
}

/// One finding for the page.
pub fn card(diagnosis: &Diagnosis, finding: &Finding, open: bool) -> Card {
    let is_first = summary::primary(diagnosis).is_some_and(|first| first.anchor == finding.anchor);
    // For a root cause there is always one; for the others only where their signature has one.
    let first = || problems::root_causes(diagnosis).any(|own| own.finding.anchor == finding.anchor);
    let packet = finding.escalation.is_some() || first();
    Card {
        verdict_key: words::badge_key(finding),
        verdict: words::badge(finding),
        severity: finding.severity.word(),
        entity: words::entity(&finding.entity),
        and_more: words::and_more(finding),
        alike: (!finding.alike.is_empty()).then(|| alike::alike(finding)),
        kind: words::kind_of_one(&finding.entity.kind),
        link: fragment(&finding.anchor),
        headline: finding.headline().to_owned(),
        open,
        why: words::why(finding),
        act: match finding.verdict {
            VerdictWord::RuledOut => "no",
            VerdictWord::Resolved => "again",
            _ => "now",
        },
        general: !is_open(finding) && finding.explanation == finding.signature.summary,
        evidence: evidence::evidence(finding),
        since: words::since(finding).unwrap_or_default(),
        asks: diagnosis.asks.iter().any(|ask| ask.decides.contains(&finding.anchor)),
        references: finding
            .references
            .iter()
            .map(|reference| Link {
                title: match &reference.section {
                    Some(section) => format!("{}, {section}", reference.title),
                    None => reference.title.clone(),
                },
                url: reference.url.clone().filter(|url| is_web(url)).unwrap_or_default(),
            })
            .collect(),
        packet: if packet { escalation::text(diagnosis, finding) } else { String::new() },
        packet_to: finding.escalation.as_ref().map_or(escalation::NEXT, |packet| &packet.to).to_owned(),
        // That of the first finding stands on the first screen.
        quorum: if is_first { None } else { pictures::quorum(diagnosis, finding) },
        graph: pictures::graph(diagnosis, finding),
        cites: pictures::cited(diagnosis, finding),
        fold: folding::fold(diagnosis, finding).map(|fold| FoldView {
            relation: fold.relation(),
            parent: named(fold.parent),
            begin: fold.begin(),
            first: named(fold.first()),
            then: fold.then(),
        }),
        unproven: words::unproven(finding.signature.status),
        can_lead_to: relations::can_lead_to(finding),
        told_apart: relations::told_apart(finding),
        f: finding.clone(),
    }
}

/// Another finding, as a sentence names it, with its anchor.
fn named(finding: &Finding) -> Link {
    let title = finding.headline().trim_end_matches('.');
    Link {
        title: format!("{} {title} ({})", finding.signature.id, words::entities(finding)),
        url: fragment(&finding.anchor),
    }
}

/// A citation for the page.
pub(crate) fn place(citation: &CitationInfo) -> Place {
    let path = citation.path.as_deref().filter(|_| citation.line.is_some()).unwrap_or_default();
    let path = if citation.object.is_empty() { path } else { &citation.object };
    Place {
        place: words::place_short(citation),
        path: path.to_owned(),
        before: citation.before.clone(),
        excerpt: citation.excerpt.trim_end().to_owned(),
        after: citation.after.clone(),
    }
}

/// Only such addresses become links.
pub(crate) fn is_web(url: &str) -> bool {
    (url.starts_with("https://") || url.starts_with("http://"))
        && !url.contains(|c: char| c.is_whitespace() || c.is_control())
}
