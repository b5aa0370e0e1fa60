//! A directory of the file system, seen only from within: every path is walked folder by folder from the directory
//! that the user named, and no link is followed on the way.
//!
//! Why: whoever can write in a shared upload folder may put a link or a pipe in the place of a file between the look
//! at it and its opening. Invariants: what is handed on is the regular file that was opened, told by the open file
//! itself; a pipe or a device never makes a run wait (`O_NONBLOCK`); at most three folders are open at a time,
//! however deep the directory.

use crate::left_out::Special;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Folder,
    File,
    Link,
    Special(Special),
}

/// What tells a file with several names: its device and its number there.
pub(crate) type FileId = (u64, u64);

/// A file that was opened.
#[derive(Debug)]
pub(crate) struct Opened {
    pub file: File,
    /// Its identity, if it may have another name.
    pub id: Option<FileId>,
}

impl Opened {
    /// The open file; `Err` with what it is instead if it is no regular one.
    fn of(file: File) -> io::Result<Result<Self, Special>> {
        let meta = file.metadata()?;
        if !meta.is_file() {
            return Ok(Err(special(&meta)));
        }
        Ok(Ok(Self { id: file_id(&meta), file }))
    }
}

/// The names in a folder, and why there may be more.
pub(crate) type Names = (Vec<std::ffi::OsString>, Option<io::Error>);

/// Opens what the user named on the command line: links on the way are the user's own. Of a pipe it waits for the
/// writer, unless a file stood there when it was looked at.
///
/// # Errors
/// If it cannot be opened.
pub(crate) fn open_named(path: &Path, seen: &Metadata) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    if seen.is_file() {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let _ = seen;
    options.open(path)
}

#[cfg(unix)]
pub(crate) use unix::Tree;

#[cfg(not(unix))]
pub(crate) use other::Tree;

/// What something is that is no file.
fn special(meta: &Metadata) -> Special {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = meta.file_type();
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
    let _ = meta;
    Special::Other
}

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

#[cfg(unix)]
mod unix {
    use super::{Kind, Names, Opened, Path, PathBuf, Special, io};
    use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
    use std::ffi::{OsStr, OsString};
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStringExt;

    const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);

    /// A directory; paths are those below it.
    #[derive(Debug)]
    pub(crate) struct Tree {
        root: OwnedFd,
        /// The folder that was opened last: most calls are for the same one.
        last: Option<(PathBuf, OwnedFd)>,
    }

    impl Tree {
        /// Opens the directory that the user named.
        ///
        /// # Errors
        /// If it cannot be opened.
        pub(crate) fn open(path: &Path) -> io::Result<Self> {
            Ok(Self { root: rustix::fs::open(path, FOLDER, Mode::empty())?, last: None })
        }

        /// A folder below the root, opened without following a link.
        fn folder(&mut self, path: &Path) -> io::Result<&OwnedFd> {
            if path.as_os_str().is_empty() {
                return Ok(&self.root);
            }
            let kept = self.last.take().filter(|(last, _)| path.starts_with(last));
            let (mut at, mut open) = kept.map_or((PathBuf::new(), None), |(last, open)| (last, Some(open)));
            let rest = path.strip_prefix(&at).unwrap_or(path).to_owned();
            for name in &rest {
                let around = open.as_ref().unwrap_or(&self.root);
                open = Some(rustix::fs::openat(around, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())?);
                at.push(name);
            }
            Ok(match open {
                Some(open) => &self.last.insert((at, open)).1,
                None => &self.root,
            })
        }

        /// The folder of an entry, and its name there.
        fn place<'a>(&mut self, path: &'a Path) -> io::Result<(&OwnedFd, &'a OsStr)> {
            let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
            Ok((self.folder(path.parent().unwrap_or(Path::new("")))?, name))
        }

        /// The names in a folder, in the order of the system.
        ///
        /// # Errors
        /// If it cannot be listed at all.
        pub(crate) fn names(&mut self, folder: &Path) -> io::Result<Names> {
            let mut names = Vec::new();
            for entry in Dir::read_from(self.folder(folder)?)? {
                match entry {
                    Ok(entry) if [&b"."[..], b".."].contains(&entry.file_name().to_bytes()) => {}
                    Ok(entry) => names.push(OsString::from_vec(entry.file_name().to_bytes().to_vec())),
                    Err(error) => return Ok((names, Some(error.into()))),
                }
            }
            Ok((names, None))
        }

        /// What an entry is; a link is not followed.
        ///
        /// # Errors
        /// If the system does not say.
        pub(crate) fn kind(&mut self, path: &Path) -> io::Result<Kind> {
            let (folder, name) = self.place(path)?;
            let stat = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
            Ok(match FileType::from_raw_mode(stat.st_mode) {
                FileType::Directory => Kind::Folder,
                FileType::RegularFile => Kind::File,
                FileType::Symlink => Kind::Link,
                FileType::Fifo => Kind::Special(Special::Fifo),
                FileType::Socket => Kind::Special(Special::Socket),
                FileType::BlockDevice => Kind::Special(Special::BlockDevice),
                FileType::CharacterDevice => Kind::Special(Special::CharacterDevice),
                _ => Kind::Special(Special::Other),
            })
        }

        /// Opens a file, or says what stands there by now.
        ///
        /// # Errors
        /// If it cannot be opened, or a link stands there by now.
        pub(crate) fn file(&mut self, path: &Path) -> io::Result<Result<Opened, Special>> {
            let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
            let (folder, name) = self.place(path)?;
            Opened::of(rustix::fs::openat(folder, name, flags, Mode::empty())?.into())
        }

        /// Where a link leads, as it is written there.
        ///
        /// # Errors
        /// If it cannot be read.
        pub(crate) fn target(&mut self, path: &Path) -> io::Result<Vec<u8>> {
            let (folder, name) = self.place(path)?;
            Ok(rustix::fs::readlinkat(folder, name, Vec::new())?.into_bytes())
        }
    }
}

#[cfg(not(unix))]
mod other {
    use super::{File, Kind, Names, Opened, Path, PathBuf, Special, io};

    /// A directory; paths are those below it. Without `openat` each is opened by its name.
    #[derive(Debug)]
    pub(crate) struct Tree {
        root: PathBuf,
    }

    impl Tree {
        /// Names the directory.
        ///
        /// # Errors
        /// If it cannot be listed.
        pub(crate) fn open(path: &Path) -> io::Result<Self> {
            std::fs::read_dir(path)?;
            Ok(Self { root: path.to_owned() })
        }

        /// The names in a folder, in the order of the system.
        ///
        /// # Errors
        /// If it cannot be listed at all.
        pub(crate) fn names(&mut self, folder: &Path) -> io::Result<Names> {
            let mut names = Vec::new();
            for entry in std::fs::read_dir(self.root.join(folder))? {
                match entry {
                    Ok(entry) => names.push(entry.file_name()),
                    Err(error) => return Ok((names, Some(error))),
                }
            }
            Ok((names, None))
        }

        /// What an entry is; a link is not followed.
        ///
        /// # Errors
        /// If the system does not say.
        pub(crate) fn kind(&mut self, path: &Path) -> io::Result<Kind> {
            let meta = std::fs::symlink_metadata(self.root.join(path))?;
            Ok(match meta {
                meta if meta.is_symlink() => Kind::Link,
                meta if meta.is_dir() => Kind::Folder,
                meta if meta.is_file() => Kind::File,
                _ => Kind::Special(Special::Other),
            })
        }

        /// Opens a file, or says what stands there by now.
        ///
        /// # Errors
        /// If it cannot be opened.
        pub(crate) fn file(&mut self, path: &Path) -> io::Result<Result<Opened, Special>> {
            Opened::of(File::open(self.root.join(path))?)
        }

        /// Where a link leads, as it is written there.
        ///
        /// # Errors
        /// If it cannot be read.
        pub(crate) fn target(&mut self, path: &Path) -> io::Result<Vec<u8>> {
            Ok(std::fs::read_link(self.root.join(path))?.as_os_str().as_encoded_bytes().to_vec())
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{Kind, Special, Tree};
    use rustix::fs::{CWD, FileType, Mode};
    use std::path::Path;

    /// As if each had taken the place of a file after the look at it.
    #[test]
    fn only_a_regular_file_is_opened_and_no_link_is_followed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path();
        std::fs::create_dir_all(path.join("in/folder")).unwrap();
        std::fs::write(path.join("outside"), "SECRET").unwrap();
        std::fs::write(path.join("in/folder/file"), "x").unwrap();
        std::os::unix::fs::symlink("../outside", path.join("in/link")).unwrap();
        std::os::unix::fs::symlink("folder", path.join("in/way")).unwrap();
        rustix::fs::mknodat(CWD, path.join("in/pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let socket = std::os::unix::net::UnixListener::bind(path.join("in/socket")).unwrap();
        let mut tree = Tree::open(&path.join("in")).unwrap();
        let mut file = |name: &str| tree.file(Path::new(name)).map(|opened| opened.map(|_| ()));
        assert_eq!(file("folder/file").unwrap(), Ok(()));
        assert_eq!(file("pipe").unwrap(), Err(Special::Fifo));
        assert_eq!(file("folder").unwrap(), Err(Special::Other));
        for never in ["link", "way/file", "socket", "none", ".."] {
            assert!(file(never).is_err(), "{never}");
        }
        assert_eq!(tree.kind(Path::new("link")).unwrap(), Kind::Link);
        assert!(tree.kind(Path::new("way/file")).is_err() && tree.names(Path::new("way")).is_err());
        drop(socket);
    }
}
