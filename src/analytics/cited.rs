//! The log lines that findings cite, found once for all who need their time, level or message.
//!
//! Invariants: they stand in the order of streams, parts and lines; a line that was not kept is not among them.

use engine::Outcome;
use facts::log::LogHit;
use facts::store::{Facts, Stream};
use jiff::Timestamp;
use std::collections::BTreeSet;

/// A line of a log that a finding cites.
pub struct CitedLine<'f> {
    pub stream: &'f Stream,
    /// The name of its member.
    pub member: &'f str,
    /// What was read out of it.
    pub hit: &'f LogHit,
    /// Its time, if it is known.
    pub time: Option<Timestamp>,
}

/// What the evidence of all findings cites.
pub struct Cited<'f> {
    /// Lines of members, logs or not.
    lines: BTreeSet<(&'f str, u32)>,
    /// Those of logs.
    hits: Vec<CitedLine<'f>>,
}

impl<'f> Cited<'f> {
    /// Looks at the evidence of all findings.
    pub fn new(facts: &'f Facts, outcome: &'f Outcome) -> Self {
        let lines: BTreeSet<(&str, u32)> = outcome
            .findings
            .iter()
            .flat_map(|finding| &finding.evidence)
            .flat_map(|row| &row.citations)
            .filter_map(|citation| Some((citation.member.as_str(), citation.line?)))
            .collect();
        let mut hits = Vec::new();
        for stream in &facts.streams {
            let as_of = facts.context(stream.context).as_of.as_ref().map(|as_of| as_of.for_logs());
            for (member, log) in &stream.parts {
                let member = facts.members.get(member).map_or("", |name| name.shown());
                // Most members are cited nowhere, and hold most of the lines.
                if lines.range((member, 0)..=(member, u32::MAX)).next().is_none() {
                    continue;
                }
                hits.extend(log.hits.iter().filter(|hit| lines.contains(&(member, hit.line))).map(|hit| CitedLine {
                    stream,
                    member,
                    hit,
                    time: hit.fields.time.and_then(|time| time.resolve(as_of)),
                }));
            }
        }
        Self { lines, hits }
    }

    /// Does a finding cite this line of the member?
    pub fn holds(&self, member: &str, line: u32) -> bool {
        self.lines.contains(&(member, line))
    }

    /// The lines of logs.
    pub fn hits(&self) -> &[CitedLine<'f>] {
        &self.hits
    }
}
