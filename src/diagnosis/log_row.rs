//! A log as reports list it, out of the facts: one model for all of them.

use crate::model::LogRow;
use facts::outside::Outside;
use facts::store::{Facts, Stream};
use std::collections::BTreeMap;

/// What a report lists of a stream.
pub fn log_row(facts: &Facts, stream: &Stream) -> LogRow {
    let context = facts.context(stream.context);
    let as_of = context.as_of.as_ref().map(|as_of| as_of.for_logs());
    let tallies = || stream.parts.iter().map(|(_, log)| &log.tally);
    let times =
        || tallies().flat_map(|tally| [tally.first, tally.last]).flatten().filter_map(|time| time.resolve(as_of));
    let mut formats = BTreeMap::new();
    for (format, lines) in tallies().flat_map(|tally| &tally.formats) {
        *formats.entry((*format).to_owned()).or_insert(0) += lines;
    }
    let name = |member| facts.members.get(member).map(ToString::to_string).unwrap_or_default();
    LogRow {
        context: Outside::from(&context.name).into(),
        stream: stream.name.to_string(),
        class: stream.class.clone(),
        members: stream.parts.iter().map(|(member, _)| name(member)).collect(),
        lines: tallies().map(|tally| tally.lines).sum(),
        from: times().min().map(|time| time.to_string()),
        to: times().max().map(|time| time.to_string()),
        formats,
    }
}
