//! Gives every member its context, and converts the tables, whose rows may name the clusters that folders are
//! called after.
//!
//! Invariants: a member belongs to one context; a table is converted once.

use crate::assembly::{Builder, ContextKey};
use crate::contexts;
use crate::contexts::{Folder, Placed};
use crate::machine_of_file;
use crate::machine_of_file::Machines;
use crate::rows;
use facts::kind::KindName;
use facts::object::ObjectRecord;
use facts::origin::MemberId;
use facts::record::{Command, Record};
use intake::Member;
use parse::answer::kind_hint;
use parse::member::MemberContent;
use std::collections::BTreeSet;

impl Builder<'_> {
    /// Converts all tables. What is left of one is its headers, its command and its line.
    pub(crate) fn convert_tables(&mut self) {
        for (_, member) in self.members.clone() {
            let Some(mut content) = self.contents.remove(&member.id) else { continue };
            for record in &mut content.parsed.records {
                let Record::Table(table) = record else { continue };
                let mut read = rows::read(table, self.name_of_kind(member), self.catalogue);
                for record in &mut read.records {
                    self.paths.share(&mut record.shown);
                }
                self.tables.entry(member.id).or_default().push_back(read);
                table.rows = Vec::new();
            }
            self.contents.insert(member.id, content);
        }
    }

    /// Collects the names of all Clusters.
    fn name_clusters(&mut self) {
        let cluster_kinds: BTreeSet<KindName> = contexts::CLUSTER_KINDS.iter().map(|k| KindName::parse(k)).collect();
        let is_cluster = |object: &&ObjectRecord| object.kind.as_ref().is_some_and(|kind| cluster_kinds.contains(kind));
        let objects = self.contents.values().flat_map(|content| &content.parsed.records).filter_map(|r| match r {
            Record::Object(object) => Some(&**object),
            _ => None,
        });
        let rows = self.tables.values().flatten().flat_map(|table| &table.records);
        let places = ["nodes", "namespaces"].map(KindName::parse);
        for object in objects.chain(rows) {
            if let Some(namespace) = &object.namespace
                && !self.names.contains(namespace)
            {
                self.names.insert(namespace.clone());
            }
            let is_place = object.kind.as_ref().is_some_and(|kind| places.contains(kind));
            if is_cluster(&object) {
                self.clusters.insert(object.name.clone());
            }
            if is_place || is_cluster(&object) {
                self.names.insert(object.name.clone());
            }
        }
        let given = self.options.contexts.iter().map(|(name, _)| name);
        let of_bundles = self.bundles.iter().filter_map(|bundle| bundle.context.as_ref());
        self.names.extend(given.chain(of_bundles).cloned());
    }

    /// Gives every member its context.
    pub(crate) fn assign_contexts(&mut self) {
        self.name_clusters();
        for (index, bundle) in self.bundles.iter().enumerate() {
            let members: Vec<(&Member, &MemberContent)> = self
                .members
                .iter()
                .filter(|(b, _)| *b == index)
                .filter_map(|(_, m)| Some((*m, self.contents.get(&m.id)?)))
                .collect();
            let placed: Vec<Placed<'_>> = members
                .iter()
                .map(|(member, content)| {
                    let uids = content.parsed.records.iter().filter_map(|r| match r {
                        Record::Object(object) => contexts::uid_of(object),
                        _ => None,
                    });
                    let machines = self.objects_of(member.id).filter_map(machine_of_file::machine_of).collect();
                    let nodes = machine_of_file::nodes_listed(self.objects_of(member.id));
                    Placed { name: &member.name, uids: uids.collect(), machines, nodes }
                })
                .collect();
            // A context given by hand to the whole bundle leaves no room for guesses.
            let folders = match &bundle.context {
                Some(name) => vec![Folder::Given(name.clone()); placed.len()],
                None => contexts::folders(&placed, &self.options.contexts, &self.clusters),
            };
            let ids: Vec<MemberId> = members.iter().map(|(member, _)| member.id).collect();
            self.key_of.extend(ids.into_iter().zip(folders).map(|(id, folder)| (id, (index, folder))));
        }
    }

    /// The objects of a member, as they stand there and as rows of tables.
    pub(crate) fn objects_of(&self, member: MemberId) -> impl Iterator<Item = &ObjectRecord> {
        let records = self.contents.get(&member).into_iter().flat_map(|content| &content.parsed.records);
        let objects = records.filter_map(|record| match record {
            Record::Object(object) => Some(&**object),
            _ => None,
        });
        objects.chain(self.tables.get(&member).into_iter().flatten().flat_map(|table| &table.records))
    }

    /// Finds the machines of which files may be.
    pub(crate) fn name_machines(&mut self) {
        let machines = (0..self.bundles.len()).map(|bundle| {
            let members = || self.members.iter().filter(|(of, _)| *of == bundle).map(|(_, member)| *member);
            let mut known: BTreeSet<String> = BTreeSet::new();
            for member in members() {
                let names = self.objects_of(member.id).filter_map(machine_of_file::machine_of);
                known.extend(names.map(str::to_owned));
            }
            let hosts = members().filter_map(|member| {
                let file = self.facts.members.get(&member.id)?.inside();
                Some((file, machine_of_file::host_in(file, self.contents.get(&member.id)?.log.as_ref()?)?))
            });
            Machines::new(known, hosts)
        });
        self.machines = machines.collect();
    }

    /// The machine that a member is of, if anything tells.
    pub(crate) fn machine_of(&self, id: MemberId) -> Option<&str> {
        let file = self.facts.members.get(&id)?.inside();
        self.machines.get(self.key_of.get(&id)?.0)?.of(file)
    }

    /// The name of a member that tells a kind: its own, or else that of a link.
    fn name_of_kind<'m>(&'m self, member: &'m Member) -> &'m str {
        let tells = |name: &str| kind_hint(name).is_some_and(|hint| !self.catalogue.meanings(&hint.kind).is_empty());
        let own = member.name.as_str();
        let others = || self.other_names.get(&member.id).into_iter().flatten().copied();
        if tells(own) { own } else { others().find(|name| tells(name)).unwrap_or(own) }
    }

    /// A command can name another cluster than its file stands for.
    pub(crate) fn key_of_command(&self, key: &ContextKey, command: Option<&Command>) -> ContextKey {
        let file = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.split('.').next().unwrap_or(name).to_owned()
        };
        match command {
            _ if self.bundles[key.0].context.is_some() => key.clone(),
            Some(Command { cluster: Some(cluster), .. }) => (key.0, Folder::Given(cluster.clone())),
            Some(Command { context: Some(context), .. }) => (key.0, Folder::Given(context.clone())),
            Some(Command { kubeconfig: Some(path), .. }) => (key.0, Folder::Given(file(path))),
            _ => key.clone(),
        }
    }
}
