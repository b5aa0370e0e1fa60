//! One line of a log with the stream that it stands in.

use facts::log::LogHit;
use facts::origin::Citation;
use facts::store::Stream;
use jiff::Timestamp;

/// A line of a log.
#[derive(Debug, Clone, Copy)]
pub(super) struct LogLine<'f> {
    pub hit: &'f LogHit,
    pub stream: &'f Stream,
}

impl<'f> LogLine<'f> {
    pub(crate) fn text(&self) -> &'f str {
        &self.hit.text
    }

    /// Does the Pod, or the file, that it stands in have a name that begins so?
    pub(crate) fn is_of(&self, name: &str) -> bool {
        let pod = self.stream.pod.as_ref().map(|(_, pod, _)| pod.as_str());
        let file = self.stream.name.rsplit('/').next().unwrap_or_default();
        pod.is_some_and(|pod| pod.starts_with(name)) || pod.is_none() && file.starts_with(name)
    }

    /// How many minutes before a clock it was written; nothing where one of the two is not known.
    pub(crate) fn age(&self, clock: Option<Timestamp>) -> Option<i64> {
        let written = self.hit.fields.time?.resolve(clock)?;
        Some(clock?.duration_since(written).as_mins())
    }

    pub(crate) fn citation(&self) -> Citation {
        Citation::of(self.hit.member, self.hit.line, &self.hit.text)
    }
}
