//! A directory as a bundle: walked in sorted order, links never followed, only regular files opened.
//!
//! Decision: a symbolic link is listed and not followed even if it stays inside the bundle, because what
//! it leads to is read under its own name, and nothing is to be read twice.

use super::name;
use super::reading::{Place, Reading};
use std::fs::{self, File, FileType, Metadata};
use std::path::{Path, PathBuf};

/// What a directory entry is, if it is not a file, in words.
fn special(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "FIFO";
        }
        if kind.is_socket() {
            return "socket";
        }
        if kind.is_block_device() {
            return "block device";
        }
        if kind.is_char_device() {
            return "character device";
        }
    }
    let _ = kind;
    "no regular file"
}

impl Reading<'_> {
    /// Reads all files of a directory.
    ///
    /// # Errors
    /// If the directory itself cannot be listed.
    pub(super) fn folder(&mut self, root: &Path) -> std::io::Result<()> {
        let real_root = fs::canonicalize(root)?;
        // Last in, first out; each entry is the path and its name in the bundle, as bytes.
        let mut open: Vec<(PathBuf, Vec<u8>)> = Vec::new();
        self.enter(root, b"", &mut open)?;
        while let Some((path, raw)) = open.pop() {
            let meta = match fs::symlink_metadata(&path) {
                Ok(meta) => meta,
                Err(error) => {
                    self.list(&name::safe(&raw).text, format!("it cannot be looked at: {error}"));
                    continue;
                }
            };
            if meta.is_dir() {
                self.subfolder(&path, &raw, &mut open);
            } else if let Some(name) = self.admit("", &raw) {
                self.file(&path, name, &meta, &real_root);
            }
        }
        Ok(())
    }

    fn subfolder(&mut self, path: &Path, raw: &[u8], open: &mut Vec<(PathBuf, Vec<u8>)>) {
        let safe = name::safe(raw);
        if let Some(reason) = name::metadata(&format!("{}/", safe.text)) {
            self.list(&safe.text, reason);
        } else if self.too_deep(safe.depth + 1) {
            self.list(&safe.text, "limit path-depth: the folder was not entered");
            self.limit("path-depth", format!("folders below {} levels were not entered", safe.depth), &safe.text);
        } else if let Err(error) = self.enter(path, raw, open) {
            self.list(&safe.text, format!("the folder cannot be listed: {error}"));
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
                    self.list(&name, format!("the folder cannot be listed to its end: {error}"));
                    break;
                }
            }
        }
        entries.sort_by(|a, b| b.1.cmp(&a.1));
        open.append(&mut entries);
        Ok(())
    }

    fn file(&mut self, path: &Path, name: String, meta: &Metadata, real_root: &Path) {
        if self.stopped() {
            self.list(&name, "a limit of the whole bundle was reached before");
            return;
        }
        if meta.is_symlink() {
            let target = fs::read_link(path).unwrap_or_default();
            let shown = name::shown(target.as_os_str().as_encoded_bytes());
            let reason = match fs::canonicalize(path) {
                Ok(real) if real.starts_with(real_root) => {
                    format!("symbolic link to `{shown}`, which is read under its own name")
                }
                Ok(_) => format!("symbolic link to `{shown}`, outside of the bundle"),
                Err(_) => format!("symbolic link to `{shown}`, which leads nowhere"),
            };
            self.list(&name, reason);
        } else if !meta.is_file() {
            self.list(&name, special(meta.file_type()));
        } else {
            match File::open(path) {
                Ok(mut file) => self.open(&Place::inside(name, 1, None), &mut file),
                Err(error) => self.list(&name, format!("it cannot be opened: {error}")),
            }
        }
    }
}
