//! A directory as a bundle: walked in sorted order, links never followed, only regular files opened.
//!
//! Decision: a symbolic link is noted and resolved among the names of the bundle like that of an archive,
//! and a file that has several names in the bundle (a hard link) is read under the first: nothing is read
//! twice, and a directory and its archive are read alike.

use crate::left_out::{Step, WhyLeftOut};
use crate::links::LinkKind;
use crate::name;
use crate::reading::{Place, Reading};
use crate::tree::{FileId, Kind, Opened, Tree};
use facts::limit::Limit;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::path::{Path, PathBuf};

/// Directory entries that are still to be read, the next one last: the path below the root and its name in the
/// bundle, as bytes.
type Open = Vec<(PathBuf, Vec<u8>)>;

/// Files with several names: the first that was read.
type FirstNames = BTreeMap<FileId, Vec<u8>>;

impl Reading<'_> {
    /// Reads all files of a directory.
    ///
    /// # Errors
    /// If the directory itself cannot be listed.
    pub(super) fn folder(&mut self, root: &Path) -> io::Result<()> {
        let mut tree = Tree::open(root)?;
        let mut first_names = FirstNames::new();
        let mut open = Open::new();
        self.enter(&mut tree, Path::new(""), b"", &mut open)?;
        while let Some((path, raw)) = open.pop() {
            match tree.kind(&path) {
                Ok(Kind::Folder) => self.subfolder(&mut tree, &path, &raw, &mut open),
                Ok(kind) => {
                    if let Some(name) = self.admit("", &raw) {
                        self.entry(&mut tree, &path, raw, name, kind, &mut first_names);
                    }
                }
                Err(error) => self.list(&name::safe(&raw).text, WhyLeftOut::Refused(Step::Look, error.to_string())),
            }
        }
        Ok(())
    }

    fn subfolder(&mut self, tree: &mut Tree, path: &Path, raw: &[u8], open: &mut Open) {
        let safe = name::safe(raw);
        if let Some(reason) = name::metadata(&format!("{}/", safe.text)) {
            self.list(&safe.text, reason);
        } else if self.too_deep(safe.depth + 1) {
            self.list(&safe.text, WhyLeftOut::Limit(Limit::Folder));
            self.limit(Limit::Folders(safe.depth as u64), &safe.text);
        } else if let Err(error) = self.enter(tree, path, raw, open) {
            self.list(&safe.text, WhyLeftOut::Refused(Step::List, error.to_string()));
        }
    }

    fn enter(&mut self, tree: &mut Tree, path: &Path, raw: &[u8], open: &mut Open) -> io::Result<()> {
        let (names, ended) = tree.names(path)?;
        let entry = |own: std::ffi::OsString| {
            let mut name = raw.to_vec();
            if !name.is_empty() {
                name.push(b'/');
            }
            name.extend(own.as_encoded_bytes());
            (path.join(own), name)
        };
        let mut entries: Open = names.into_iter().map(entry).collect();
        if let Some(error) = ended {
            self.list(&name::safe(raw).text, WhyLeftOut::Refused(Step::ListOn, error.to_string()));
        }
        entries.sort_by(|a, b| b.1.cmp(&a.1));
        open.append(&mut entries);
        Ok(())
    }

    fn entry(
        &mut self,
        tree: &mut Tree,
        path: &Path,
        raw: Vec<u8>,
        name: String,
        kind: Kind,
        first_names: &mut FirstNames,
    ) {
        if self.stopped() {
            return self.list(&name, WhyLeftOut::AfterLimit);
        }
        match kind {
            Kind::File => match tree.file(path) {
                Ok(Ok(opened)) => self.file(opened, raw, name, first_names),
                Ok(Err(special)) => self.list(&name, WhyLeftOut::Special(special)),
                Err(error) => self.list(&name, WhyLeftOut::Refused(Step::Open, error.to_string())),
            },
            Kind::Link => match tree.target(path) {
                Ok(target) => self.link("", &name, LinkKind::Symbolic, &target),
                Err(error) => self.list(&name, WhyLeftOut::Refused(Step::LookAtLink, error.to_string())),
            },
            Kind::Special(special) => self.list(&name, WhyLeftOut::Special(special)),
            // The caller goes into folders.
            Kind::Folder => {}
        }
    }

    fn file(&mut self, mut opened: Opened, raw: Vec<u8>, name: String, first_names: &mut FirstNames) {
        if let Some(id) = opened.id {
            match first_names.entry(id) {
                Entry::Occupied(first) => return self.link("", &name, LinkKind::Hard, first.get()),
                Entry::Vacant(none) => none.insert(raw),
            };
        }
        if let Err(error) = self.open_file(&Place::inside(name.clone(), 1), &mut opened.file) {
            self.list(&name, WhyLeftOut::Refused(Step::Open, error.to_string()));
        }
    }
}
