//! How old the parts of a thread of mails are: what is quoted was said before.
//!
//! Why: an answer stands above what it answers, so that the older state of an object stands below the newer one, and the
//! order of lines alone would let the older one win.
//!
//! Invariants: only a text with the head of a mail, or the line that introduces a quotation, is a thread; in all others, and
//! where nothing is quoted, a line is as late as it stands low.

use crate::transcript::dialect;
use catalogue::words;
use facts::node::Node;
use facts::object::ObjectRecord;
use facts::record::{Parsed, Record};
use facts::unnamed;
use facts::unread::WhyUnread;
use std::collections::{BTreeMap, BTreeSet};

/// Deeper quotations are as old as this one.
const DEEPEST: u8 = 15;
/// The room for the lines of one depth.
const LINES: u32 = 32;

/// How deep each line is quoted; nothing for a text that is no thread.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Thread(Vec<u8>);

impl Thread {
    /// The thread of a text as it was pasted.
    pub(super) fn of(text: &str) -> Self {
        if !text.starts_with('>') && !text.contains("\n>") {
            return Self::default();
        }
        let depths = dialect::depths(text);
        let bare = |line: &str| words::begins_mail(line.trim_start_matches(['>', ' ']));
        let (least, most) = (depths.iter().min(), depths.iter().max());
        match least < most && text.lines().any(bare) {
            true => Self(depths.into_iter().map(|depth| depth.min(DEEPEST)).collect()),
            false => Self::default(),
        }
    }

    /// The depth of a line.
    pub(super) fn depth(&self, line: u32) -> u8 {
        let at = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
        self.0.get(at).copied().unwrap_or_default()
    }

    /// Is anything quoted?
    pub fn is_one(&self) -> bool {
        !self.0.is_empty()
    }

    /// Where a line stands in the order in which the lines were written.
    pub fn position(&self, line: u32) -> u64 {
        match self.is_one() {
            true => (u64::from(DEEPEST - self.depth(line)) << LINES) | u64::from(line),
            false => line.into(),
        }
    }

    /// Rows of events in a quotation, without the object that they are about: if all Pods that the quotation shows are
    /// shown well above it, whichever of them it was has got over it.
    pub(super) fn set_older_aside(&self, parsed: &mut Parsed) {
        let records = &mut parsed.records;
        if !self.is_one() {
            return;
        }
        // By name and namespace: how deep it is quoted where it was written last, and whether it is well there.
        let mut latest: BTreeMap<(Option<String>, String), (u8, bool)> = BTreeMap::new();
        let mut shown: BTreeMap<u8, BTreeSet<(Option<String>, String)>> = BTreeMap::new();
        for record in records.iter() {
            let Record::Table(table) = record else { continue };
            let depth = self.depth(table.line);
            let column = |name: &str| table.headers.iter().position(|header| header == name);
            let (Some(name), Some(ready), Some(status)) = (column("NAME"), column("READY"), column("STATUS")) else {
                continue;
            };
            let asked = table.command.as_ref().and_then(|command| command.namespace.clone());
            for row in &table.rows {
                let cell = |at: usize| row.cells.get(at).map(String::as_str).unwrap_or_default();
                let namespace = column("NAMESPACE").map(|at| cell(at).to_owned()).or_else(|| asked.clone());
                let key = (namespace, cell(name).to_owned());
                let (up, all) = cell(ready).split_once('/').unwrap_or(("", "-"));
                let well = cell(status) == "Running" && up == all || cell(status) == "Completed";
                shown.entry(depth).or_default().insert(key.clone());
                let last = latest.entry(key).or_insert((depth, well));
                if depth <= last.0 {
                    *last = (depth, well);
                }
            }
        }
        let over = |line: u32| {
            let depth = self.depth(line);
            let got_over =
                |key: &(Option<String>, String)| latest.get(key).is_some_and(|(last, well)| *last < depth && *well);
            shown.get(&depth).is_some_and(|keys| keys.iter().all(got_over))
        };
        let is_of_nobody = |object: &ObjectRecord| {
            let about = object.node.at(&["involvedObject", "name"]).and_then(Node::as_str);
            unnamed::is_one(&object.name) || about.is_some_and(unnamed::is_one)
        };
        let mut aside = Vec::new();
        records.retain(|record| match record {
            Record::Object(object) if is_of_nobody(object) && over(object.line) => {
                aside.push((object.line, WhyUnread::Aside("older than the state above, in which all Pods are well")));
                false
            }
            _ => true,
        });
        parsed.unread.append(&mut aside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_older() {
        let thread = Thread::of("It works now:\nNAME\n\n> From: Ann\n> NAME\n> > Sent: Monday\n> > NAME\nBye\n");
        let order = |a, b| thread.position(a) < thread.position(b);
        assert!(order(5, 2) && order(7, 5) && order(2, 8) && order(1, 2));
    }

    #[test]
    fn without_a_mail_lines_count() {
        for text in ["a\n> b\n> c\n", "a\nb\n", "> From: Ann\n> b\n", ""] {
            let thread = Thread::of(text);
            assert!(!thread.is_one() && thread.position(2) == 2, "{text}");
        }
    }
}
