//! The namespace of a table that shows none and was asked for none, where another file shows it.
//!
//! Why: `kubectl get machines -n prod > machines.txt` keeps no namespace. A person who sees one of its names in
//! another file, with its namespace, knows that of all its rows: a table without the column is of one namespace. Scripts that
//! collect namespace by namespace put each into a folder of its name.
//!
//! Invariants: a row tells only by a name that nobody gives twice by accident, of the same kind, and only if all that was
//! seen of that name is of one namespace; where two rows tell two namespaces, nothing follows; nothing depends on the order
//! of members.

use crate::assembly::{Builder, ContextKey};
use crate::contexts::Folder;
use catalogue::kinds::Catalogue;
use catalogue::words;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{ObjectRecord, Shown};
use facts::origin::MemberId;
use facts::partial::fields;
use std::collections::{BTreeMap, BTreeSet};

/// Characters of the shortest name that tells; it has a `-` as well.
const TELLING: usize = 10;

/// A context, the plural of a kind, and a name.
type Key<'a> = (&'a ContextKey, String, &'a str);

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
        if open.is_empty() {
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
        let folders = self.folders_of_namespaces();
        let told = open.into_iter().filter_map(|(table, context, rows)| {
            let known = rows.iter().filter_map(named).filter_map(|(plural, name)| wanted.get(&(context, plural, name)));
            let sure: BTreeSet<&str> = known.filter(|all| all.len() == 1).flatten().copied().collect();
            let one = match sure.len() {
                0 => self.folder_of(table.0).filter(|folder| folders.tells(context, folder))?.name,
                1 => sure.first().copied()?,
                _ => return None,
            };
            Some((table, one.to_owned()))
        });
        told.collect()
    }

    fn folder_of(&self, member: MemberId) -> Option<FolderOf<'_>> {
        let (path, _) = self.facts.members.get(&member)?.inside().rsplit_once('/')?;
        let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
        Some(FolderOf { above, name })
    }

    /// Which folders of each context are called after namespaces.
    fn folders_of_namespaces(&self) -> Folders<'_> {
        let mut folders = Folders::default();
        for (member, context) in &self.key_of {
            for record in self.objects_of(*member) {
                let is_one =
                    record.kind.as_ref().is_some_and(|kind| kind.plural == "namespaces" && kind.group.is_empty());
                let name = if is_one { Some(record.name.as_str()) } else { record.namespace.as_deref() };
                folders.namespaces.extend(name.map(|name| (context, name)));
            }
        }
        for (member, context) in &self.key_of {
            if let Some(folder) = self.folder_of(*member)
                && folders.namespaces.contains(&(context, folder.name))
            {
                folders.above.insert((context, folder.above));
            }
        }
        folders
    }
}

/// The folder of a file.
struct FolderOf<'a> {
    /// The path of the folder that it stands in.
    above: &'a str,
    name: &'a str,
}

/// The folders of a bundle that are called after namespaces, as scripts make them.
#[derive(Default)]
struct Folders<'a> {
    /// The namespaces that objects are in.
    namespaces: BTreeSet<(&'a ContextKey, &'a str)>,
    /// Where folders that are called so stand: those beside them are of namespaces too.
    above: BTreeSet<(&'a ContextKey, &'a str)>,
}

impl Folders<'_> {
    fn tells(&self, context: &ContextKey, folder: &FolderOf<'_>) -> bool {
        let FolderOf { above, name } = folder;
        // It is the folder of the cluster.
        if matches!(&context.1, Folder::Path(path) if path.strip_prefix(above).is_some_and(|rest| rest.trim_start_matches('/') == *name))
        {
            return false;
        }
        let parent = above.rsplit('/').next().unwrap_or(above);
        let is_label = name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        let says_something_else = || words::is_plain(name) || !Catalogue::shared().meanings(name).is_empty();
        is_label
            && (self.namespaces.contains(&(context, *name))
                || (parent == "namespaces" || self.above.contains(&(context, *above))) && !says_something_else())
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
