//! Moves what was read of a part of a text down to where that part stands in the whole.
//!
//! Why: the output of a command in a transcript is read like a file of its own; blank lines in front of it would keep
//! the numbers of its lines as well, at the price of reading them once for each command.
//!
//! Invariant: every number of a line that a record holds is moved, and nothing else is.

use crate::coverage::State;
use crate::node::{Node, Value};
use crate::record::{Parsed, Record};
use crate::shortfall::WhyPartial;
use crate::unread::WhyUnread;

impl Parsed {
    /// The same so many lines further down.
    #[must_use]
    pub fn moved_down(mut self, by: u32) -> Self {
        for record in &mut self.records {
            move_record(record, by);
        }
        for (line, why) in &mut self.unread {
            move_line(line, by);
            move_unread(why, by);
        }
        self
    }
}

/// A line of 0 is none.
fn move_line(line: &mut u32, by: u32) {
    if *line > 0 {
        *line = line.saturating_add(by);
    }
}

fn move_record(record: &mut Record, by: u32) {
    match record {
        Record::Object(object) => {
            move_line(&mut object.line, by);
            object.node.move_down(by);
        }
        Record::Table(table) => {
            move_line(&mut table.line, by);
            table.rows.iter_mut().for_each(|row| move_line(&mut row.line, by));
            table.cut.iter_mut().for_each(|why| move_partial(why, by));
        }
        Record::Answer(answer) => {
            move_line(&mut answer.citation.line, by);
            if let State::Partial(why) = &mut answer.state {
                move_partial(why, by);
            }
        }
        Record::Stamp(stamp) => move_line(&mut stamp.citation.line, by),
        Record::Served(served) => move_line(&mut served.citation.line, by),
    }
}

/// The depth of a tree is bounded by whoever read it.
pub(crate) fn move_node(node: &mut Node, by: u32) {
    move_line(&mut node.line, by);
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|item| move_node(item, by)),
        Value::Map(entries) => entries.iter_mut().for_each(|(_, entry)| move_node(entry, by)),
        Value::Redacted(Some(mask)) => mask.holds.iter_mut().for_each(|held| move_node(held, by)),
        _ => {}
    }
}

fn move_partial(why: &mut WhyPartial, by: u32) {
    match why {
        WhyPartial::BreaksOff(line, _)
        | WhyPartial::TextBehind(line, _)
        | WhyPartial::ItemLost(line)
        | WhyPartial::ErrorAt(line)
        | WhyPartial::LeftOut(line)
        | WhyPartial::RowsLeftOut(line)
        | WhyPartial::RowCut(line)
        | WhyPartial::RowEnds(line)
        | WhyPartial::NoRow(line)
        | WhyPartial::CellsLost(line) => move_line(line, by),
        WhyPartial::BesideUnread(why) => move_unread(why, by),
        // Those that name another member are made when all was read.
        _ => {}
    }
}

fn move_unread(why: &mut WhyUnread, by: u32) {
    if let WhyUnread::NoRowOf(line, _) = why {
        move_line(line, by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::{Citation, MemberId};
    use crate::record::{Row, Stamp, Stated, Table};

    #[test]
    fn every_line_moves_and_none_stays_none() {
        let table = Table {
            headers: Vec::new(),
            line: 1,
            rows: vec![Row { line: 2, cells: Vec::new(), text: "".into() }],
            cut: Some(WhyPartial::RowEnds(2)),
            member: MemberId(0),
            command: None,
        };
        let citation = Citation::line(MemberId(0), 3, "x");
        let stamp = Stamp { what: Stated::CollectedAt, text: "".into(), citation };
        let parsed = Parsed {
            records: vec![Record::from(table), Record::from(stamp)],
            unread: vec![(0, WhyUnread::NoFormat), (4, WhyUnread::NoRowOf(1, "x".into()))],
            ..Parsed::default()
        };
        let moved = parsed.moved_down(10);
        let [Record::Table(table), Record::Stamp(stamp)] = moved.records.as_slice() else { panic!("{moved:?}") };
        assert_eq!((table.line, table.rows[0].line, &table.cut), (11, 12, &Some(WhyPartial::RowEnds(12))));
        assert_eq!(stamp.citation.line, 13);
        assert_eq!(moved.unread, [(0, WhyUnread::NoFormat), (14, WhyUnread::NoRowOf(11, "x".into()))]);
        let tree = Node::new(2, Value::List(vec![Node::str(3, "a"), Node::str(0, "b")]));
        let mut moved = tree;
        move_node(&mut moved, 5);
        assert_eq!(moved, Node::new(7, Value::List(vec![Node::str(8, "a"), Node::str(0, "b")])));
    }
}
