//! A directory as a bundle: walked in sorted order, links never followed, only regular files opened.
//!
//! Decision: a symbolic link is noted and resolved among the names of the bundle like that of an archive,
//! and a file that has several names in the bundle (a hard link) is read under the first: nothing is read
//! twice, and a directory and its archive are read alike.

use crate::left_out::{Special, Step, WhyLeftOut};
use crate::links::LinkKind;
use crate::name;
use crate::reading::{Place, Reading};
use facts::limit::Limit;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::{self, File, FileType, Metadata};
use std::path::{Path, PathBuf};

/// What a directory entry is, if it is not a file.
fn special(kind: FileType) -> Special {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Special::Fifo;
        }
        if kind.is_socket() {
            return Special::Socket;
        }
        if kind.is_block_device() {
            return Special::BlockDevice;
        }
        if kind.is_char_device() {
            return Special::CharacterDevice;
        }
    }
    let _ = kind;
    Special::Other
}

/// What tells a file with several names: its device and its number there.
type FileId = (u64, u64);

/// The identity of a file that may have another name.
fn file_id(meta: &Metadata) -> Option<FileId> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if meta.nlink() > 1 {
            return Some((meta.dev(), meta.ino()));
        }
    }
    let _ = meta;
    None
}

impl Reading<'_> {
    /// Reads all files of a directory.
    ///
    /// # Errors
    /// If the directory itself cannot be listed.
    pub(super) fn folder(&mut self, root: &Path) -> std::io::Result<()> {
        let mut first_names: BTreeMap<FileId, Vec<u8>> = BTreeMap::new();
        // Last in, first out; each entry is the path and its name in the bundle, as bytes.
        let mut open: Vec<(PathBuf, Vec<u8>)> = Vec::new();
        self.enter(root, b"", &mut open)?;
        while let Some((path, raw)) = open.pop() {
            let meta = match fs::symlink_metadata(&path) {
                Ok(meta) => meta,
                Err(error) => {
                    self.list(&name::safe(&raw).text, WhyLeftOut::Refused(Step::Look, error.to_string()));
                    continue;
                }
            };
            if meta.is_dir() {
                self.subfolder(&path, &raw, &mut open);
            } else if let Some(name) = self.admit("", &raw) {
                match file_id(&meta).filter(|_| meta.is_file()).map(|id| first_names.entry(id)) {
                    Some(Entry::Occupied(first)) => self.link("", &name, LinkKind::Hard, first.get()),
                    Some(Entry::Vacant(none)) => {
                        none.insert(raw);
                        self.file(&path, name, &meta);
                    }
                    None => self.file(&path, name, &meta),
                }
            }
        }
        Ok(())
    }

    fn subfolder(&mut self, path: &Path, raw: &[u8], open: &mut Vec<(PathBuf, Vec<u8>)>) {
        let safe = name::safe(raw);
        if let Some(reason) = name::metadata(&format!("{}/", safe.text)) {
            self.list(&safe.text, reason);
        } else if self.too_deep(safe.depth + 1) {
            self.list(&safe.text, WhyLeftOut::Limit(Limit::Folder));
            self.limit(Limit::Folders(safe.depth as u64), &safe.text);
        } else if let Err(error) = self.enter(path, raw, open) {
            self.list(&safe.text, WhyLeftOut::Refused(Step::List, error.to_string()));
        }
    }

    fn enter(&mut self, path: &Path, raw: &[u8], open: &mut Vec<(PathBuf, Vec<u8>)>) -> std::io::Result<()> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(path)? {
            match entry {
                Ok(entry) => {
                    let mut name = raw.to_vec();
                    if !name.is_empty() {
                        name.push(b'/');
                    }
                    name.extend(entry.file_name().as_encoded_bytes());
                    entries.push((entry.path(), name));
                }
                Err(error) => {
                    let name = name::safe(raw).text;
                    self.list(&name, WhyLeftOut::Refused(Step::ListOn, error.to_string()));
                    break;
                }
            }
        }
        entries.sort_by(|a, b| b.1.cmp(&a.1));
        open.append(&mut entries);
        Ok(())
    }

    fn file(&mut self, path: &Path, name: String, meta: &Metadata) {
        if self.stopped() {
            self.list(&name, WhyLeftOut::AfterLimit);
        } else if meta.is_symlink() {
            match fs::read_link(path) {
                Ok(target) => self.link("", &name, LinkKind::Symbolic, target.as_os_str().as_encoded_bytes()),
                Err(error) => self.list(&name, WhyLeftOut::Refused(Step::LookAtLink, error.to_string())),
            }
        } else if !meta.is_file() {
            self.list(&name, WhyLeftOut::Special(special(meta.file_type())));
        } else {
            let opened =
                File::open(path).and_then(|mut file| self.open_file(&Place::inside(name.clone(), 1), &mut file));
            if let Err(error) = opened {
                self.list(&name, WhyLeftOut::Refused(Step::Open, error.to_string()));
            }
        }
    }
}
