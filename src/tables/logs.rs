//! The cells of a line of a log.
//!
//! Why one cell at a time: who asks for the level of five million lines must not pay for masking their texts.

use crate::{Cell, Type, schema};
use facts::log::Level;
use facts::origin::MemberId;
use facts::store::Facts;
use lines::Line;

/// A column of the table `logs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogColumn {
    Time,
    Source,
    Level,
    Message,
    Text,
    Context,
    Namespace,
    Pod,
    Container,
    Node,
    Member,
    Line,
}

impl LogColumn {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 12] = [
        Self::Time,
        Self::Source,
        Self::Level,
        Self::Message,
        Self::Text,
        Self::Context,
        Self::Namespace,
        Self::Pod,
        Self::Container,
        Self::Node,
        Self::Member,
        Self::Line,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        schema::LOGS[self as usize].0
    }

    /// What it holds.
    pub fn of(self) -> Type {
        schema::LOGS[self as usize].1
    }
}

/// What a cell of a line depends on: lines that have it in common have the same cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shared {
    Level(Level),
    /// Its index in [`Facts::streams`].
    Stream(usize),
    Member(MemberId),
}

impl LogColumn {
    /// What the cell of a line depends on; `None` if on that line alone.
    pub fn shared(self, line: &Line<'_>) -> Option<Shared> {
        match self {
            Self::Time | Self::Message | Self::Text | Self::Line => None,
            Self::Level => Some(Shared::Level(line.level)),
            Self::Source | Self::Context | Self::Namespace | Self::Pod | Self::Container | Self::Node => {
                Some(Shared::Stream(line.stream))
            }
            Self::Member => Some(Shared::Member(line.member)),
        }
    }

    /// All that its cells may depend on, in their order; nothing if each depends on its line.
    pub fn all_shared(self, facts: &Facts) -> Vec<Shared> {
        match self {
            Self::Time | Self::Message | Self::Text | Self::Line => Vec::new(),
            Self::Level => Level::ALL.into_iter().map(Shared::Level).collect(),
            Self::Source | Self::Context | Self::Namespace | Self::Pod | Self::Container | Self::Node => {
                (0..facts.streams.len()).map(Shared::Stream).collect()
            }
            Self::Member => facts.members.keys().copied().map(Shared::Member).collect(),
        }
    }
}

/// The word for a level.
fn level(level: Level) -> Cell {
    match level {
        Level::Unknown => Cell::Null,
        Level::Debug => Cell::text("debug"),
        Level::Info => Cell::text("info"),
        Level::Warn => Cell::text("warn"),
        Level::Error => Cell::text("error"),
        Level::Fatal => Cell::text("fatal"),
    }
}

/// A cell of a line.
pub fn log_cell(facts: &Facts, line: &Line<'_>, column: LogColumn) -> Cell {
    match (column, column.shared(line)) {
        (_, Some(shared)) => shared_cell(facts, shared, column),
        (LogColumn::Time, None) => line.time.map_or(Cell::Null, Cell::Time),
        (LogColumn::Message, None) => Cell::Text(line.masked().message),
        (LogColumn::Line, None) => Cell::Number(line.number.into()),
        (_, None) => Cell::Text(line.text().into()),
    }
}

/// A cell of all lines that share what it depends on; null in a column that depends on something else.
pub fn shared_cell(facts: &Facts, shared: Shared, column: LogColumn) -> Cell {
    let stream = match shared {
        Shared::Level(own) if column == LogColumn::Level => return level(own),
        Shared::Member(member) if column == LogColumn::Member => {
            return facts.members.get(&member).map_or(Cell::text(""), |name| Cell::text(name.shown().as_str()));
        }
        Shared::Level(_) | Shared::Member(_) => None,
        Shared::Stream(stream) => facts.streams.get(stream),
    };
    let Some(stream) = stream else { return Cell::Null };
    let pod = stream.pod.as_ref();
    let some = |text: &String| (!text.is_empty()).then(|| text.clone());
    match column {
        LogColumn::Source => Cell::text(stream.name.as_str()),
        LogColumn::Context => Cell::text(facts.context(stream.context).name.as_str()),
        LogColumn::Namespace => Cell::from(pod.and_then(|(namespace, _, _)| some(namespace))),
        LogColumn::Pod => Cell::from(pod.and_then(|(_, pod, _)| some(pod))),
        LogColumn::Container => Cell::from(pod.and_then(|(_, _, container)| some(container))),
        LogColumn::Node => Cell::from(stream.node.as_ref().and_then(some)),
        _ => Cell::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::LogColumn;

    #[test]
    fn columns_stand_in_the_order_of_the_table() {
        assert!(LogColumn::ALL.iter().enumerate().all(|(at, column)| *column as usize == at));
        assert_eq!(LogColumn::Line.name(), "line");
        assert_eq!(LogColumn::ALL.len(), crate::schema::LOGS.len());
    }
}
