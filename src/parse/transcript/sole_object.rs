//! What a command leaves open and the tables above it tell: the object of `kubectl describe KIND` without a name, the only one
//! that they show; and the group of a word that several groups use, of which they have the columns.
//!
//! Invariant: a table that was cut shows no only object, for others may have stood in it.

use crate::answer;
use catalogue::kinds::Catalogue;
use facts::record::{Command, Record};
use std::collections::BTreeSet;

/// Records, and rows of each, among which the one object is looked for that a command was about.
const RECENT: usize = 200;

/// The only object of a kind that the tables of the session show, where a command asked for all of them.
pub(super) fn named(records: &[Record], command: &Command) -> Option<Command> {
    let [typed] = command.kinds.as_slice() else { return None };
    let whole = command.verb == "describe" || command.output.is_some();
    if !whole || !command.names.is_empty() || command.selector.is_some() {
        return None;
    }
    let same = |other: &str| {
        let kind = |typed: &str| Catalogue::shared().typed(typed).or_else(|| answer::unambiguous(typed).ok());
        other == typed || kind(typed).is_some_and(|wanted| kind(other) == Some(wanted))
    };
    let mut found: BTreeSet<(Option<&str>, &str)> = BTreeSet::new();
    for record in records.iter().rev().take(RECENT) {
        let Record::Table(table) = record else { continue };
        let asked = table.command.as_ref();
        let listed = asked.is_some_and(|asked| matches!(asked.kinds.as_slice(), [one] if same(one)));
        let column = |name: &str| table.headers.iter().position(|header| header == name);
        let (Some(at), namespaces) = (column("NAME"), column("NAMESPACE")) else { continue };
        for row in table.rows.iter().take(RECENT) {
            let Some(cell) = row.cells.get(at) else { continue };
            let (is_one, name) = match cell.split_once('/') {
                Some((kind, name)) => (same(kind), name),
                None => (listed, cell.as_str()),
            };
            let own = namespaces.and_then(|at| row.cells.get(at)).map(String::as_str);
            let namespace = own.or_else(|| asked.and_then(|asked| asked.namespace.as_deref()));
            let elsewhere = command.namespace.as_deref().is_some_and(|wanted| namespace.is_some_and(|n| n != wanted));
            if !is_one || elsewhere {
                continue;
            }
            // A part of a list does not say that there are no others.
            if table.cut.is_some() {
                return None;
            }
            found.insert((namespace, name));
        }
    }
    let (namespace, name) = found.pop_first().filter(|_| found.is_empty())?;
    let namespace = command.namespace.clone().or_else(|| namespace.map(str::to_owned));
    Some(Command { names: vec![name.to_owned()], namespace, ..command.clone() })
}

/// The same command with the kind that its word meant in a table above, where several groups use the word.
pub(super) fn of_kind(records: &[Record], command: &Command) -> Option<Command> {
    let [typed] = command.kinds.as_slice() else { return None };
    let meanings = Catalogue::shared().meanings(typed);
    if meanings.len() < 2 {
        return None;
    }
    let catalogue = Catalogue::shared();
    let found = records.iter().rev().take(RECENT).find_map(|record| {
        let Record::Table(table) = record else { return None };
        let kind = catalogue.by_headers(&table.headers, Some(&meanings))?;
        // `machine` and `machines`
        let means = |word: &String| word == typed || catalogue.meanings(word).iter().any(|own| own.name == kind.name);
        let listed = table.command.as_ref().is_some_and(|asked| asked.kinds.iter().any(means));
        listed.then(|| kind.name.to_string())
    })?;
    Some(Command { kinds: vec![found], ..command.clone() })
}
