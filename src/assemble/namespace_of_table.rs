//! The namespace of a table that shows none and was asked for none, where another file shows it.
//!
//! Why: `kubectl get machines -n prod > machines.txt` keeps no namespace. A person who sees one of its names in
//! another file, with its namespace, knows that of all its rows: a table without the column is of one namespace.
//!
//! Invariants: a row tells only by a name that nobody gives twice by accident, of the same kind, and only if all that was
//! seen of that name is of one namespace; where two rows tell two namespaces, nothing follows; nothing depends on the order
//! of members.

use crate::assembly::Builder;
use crate::contexts::Folder;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{ObjectRecord, Shown};
use facts::origin::MemberId;
use facts::partial::fields;
use std::collections::{BTreeMap, BTreeSet};

/// Characters of the shortest name that tells; it has a `-` as well.
const TELLING: usize = 10;

/// A context, the plural of a kind, and a name.
type Key<'a> = (&'a (usize, Folder), String, &'a str);

impl Builder<'_> {
    /// Gives the rows of such tables their namespace.
    pub(crate) fn name_namespaces(&mut self) {
        let namespaces = self.namespaces_of_tables();
        for ((member, at), namespace) in namespaces {
            let Some(table) = self.tables.get_mut(&member).and_then(|tables| tables.get_mut(at)) else { continue };
            for record in &mut table.records {
                state(record, &namespace);
                self.paths.share(&mut record.shown);
            }
            for age in &mut table.ages {
                age.namespace = Some(namespace.clone());
            }
        }
    }

    /// By member and number of the table.
    fn namespaces_of_tables(&self) -> Vec<((MemberId, usize), String)> {
        let mut open = Vec::new();
        for (member, tables) in &self.tables {
            let Some(context) = self.key_of.get(member) else { continue };
            for (at, table) in tables.iter().enumerate() {
                let is_open = |record: &ObjectRecord| {
                    let scoped = record.kind.as_ref().and_then(|kind| self.catalogue.cluster_scoped(kind));
                    record.namespace.is_none() && scoped == Some(false)
                };
                if !table.records.is_empty() && table.records.iter().all(is_open) {
                    open.push(((*member, at), context, &table.records));
                }
            }
        }
        let mut wanted: BTreeMap<Key<'_>, BTreeSet<&str>> = BTreeMap::new();
        for (_, context, rows) in &open {
            wanted.extend(
                rows.iter().filter_map(named).map(|(plural, name)| ((*context, plural, name), BTreeSet::new())),
            );
        }
        if wanted.is_empty() {
            return Vec::new();
        }
        for (member, context) in &self.key_of {
            for record in self.objects_of(*member) {
                let Some(namespace) = record.namespace.as_deref() else { continue };
                let mut tell = |plural: String, name| {
                    if let Some(known) = wanted.get_mut(&(context, plural, name)) {
                        known.insert(namespace);
                    }
                };
                if let Some(kind) = &record.kind {
                    tell(kind.plural.clone(), record.name.as_str());
                }
                owners(record).for_each(|(plural, name)| tell(plural, name));
                if let Some((plural, name)) = involved(record) {
                    tell(plural, name);
                }
            }
        }
        let told = open.into_iter().filter_map(|(table, context, rows)| {
            let known = rows.iter().filter_map(named).filter_map(|(plural, name)| wanted.get(&(context, plural, name)));
            let sure: BTreeSet<&str> = known.filter(|all| all.len() == 1).flatten().copied().collect();
            let one = sure.first().filter(|_| sure.len() == 1)?;
            Some((table, (*one).to_owned()))
        });
        told.collect()
    }
}

/// The object by which a row tells its namespace: of an event that of which it speaks.
fn named(row: &ObjectRecord) -> Option<(String, &str)> {
    let is_event = row.kind.as_ref().is_some_and(|kind| kind.plural == "events");
    let (plural, name) = match is_event {
        true => involved(row)?,
        false => (row.kind.as_ref()?.plural.clone(), row.name.as_str()),
    };
    (name.len() >= TELLING && name.contains('-')).then_some((plural, name))
}

fn involved(record: &ObjectRecord) -> Option<(String, &str)> {
    let text = |field: &str| record.node.at(&["involvedObject", field]).and_then(Node::as_str);
    Some((KindName::guess("v1", text("kind")?).plural, text("name")?))
}

/// The owners of an object, which are in its namespace.
fn owners(record: &ObjectRecord) -> impl Iterator<Item = (String, &str)> {
    // A description prints a list of one as that one.
    let items = match record.node.at(&["metadata", "ownerReferences"]) {
        Some(Node { value: Value::List(items), .. }) => items.as_slice(),
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    items.iter().filter_map(|item| {
        let text = |field: &str| item.field(field).and_then(Node::as_str);
        Some((KindName::guess("v1", text("kind")?).plural, text("name")?))
    })
}

/// Writes a namespace into a row.
fn state(record: &mut ObjectRecord, namespace: &str) {
    record.namespace = Some(namespace.to_owned());
    record.node.set_at(&["metadata", "namespace"], Node::str(record.line, namespace));
    if let Shown::Paths(paths) = &mut record.shown {
        paths.extend([fields(&["metadata", "namespace"])]);
    }
}
