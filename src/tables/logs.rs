//! The cells of a line of a log.
//!
//! Why one cell at a time: who asks for the level of five million lines must not pay for masking their texts.

use crate::{Cell, Type, schema};
use facts::log::Level;
use facts::store::Facts;
use lines::Line;
use std::sync::LazyLock;

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
    static NO_NAME: LazyLock<facts::origin::MemberName> = LazyLock::new(|| "".into());
    let Some(stream) = facts.streams.get(line.stream) else { return Cell::Null };
    let pod = stream.pod.as_ref();
    let some = |text: &String| (!text.is_empty()).then(|| text.clone());
    match column {
        LogColumn::Time => line.time.map_or(Cell::Null, Cell::Time),
        LogColumn::Source => Cell::text(stream.name.as_str()),
        LogColumn::Level => level(line.level),
        LogColumn::Message => Cell::Text(line.masked().message),
        LogColumn::Text => Cell::Text(line.text().into()),
        LogColumn::Context => Cell::text(facts.context(stream.context).name.as_str()),
        LogColumn::Namespace => Cell::from(pod.and_then(|(namespace, _, _)| some(namespace))),
        LogColumn::Pod => Cell::from(pod.and_then(|(_, pod, _)| some(pod))),
        LogColumn::Container => Cell::from(pod.and_then(|(_, _, container)| some(container))),
        LogColumn::Node => Cell::from(stream.node.as_ref().and_then(some)),
        LogColumn::Member => Cell::text(facts.members.get(&line.member).unwrap_or(&NO_NAME).shown().as_str()),
        LogColumn::Line => Cell::Number(line.number.into()),
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
