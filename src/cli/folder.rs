//! A folder that is written to: a new file in it takes its name only when it is whole and on disk.
//!
//! Invariants: no link is followed below the folder; on Unix the folder is held open, so that what takes its place
//! meanwhile is never written to; on Linux the new file has no name until it is whole (`O_TMPFILE`), so that a
//! process that is killed leaves nothing behind, wherever the file system can do that.

use crate::destination::Readers;
use crate::identity::FileId;
use std::ffi::OsStr;
use std::fs::{File, Metadata};
#[cfg(not(unix))]
use std::io::Write;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A folder to write to.
#[derive(Debug)]
pub(crate) struct Folder {
    /// Its path without links.
    path: PathBuf,
    #[cfg(unix)]
    open: std::os::fd::OwnedFd,
}

impl Folder {
    /// The path without links.
    #[cfg(not(unix))]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The identities of the folder and of all folders around it.
    pub(crate) fn with_parents(&self) -> Vec<FileId> {
        self.path.ancestors().filter_map(FileId::of).map(|(id, _)| id).collect()
    }

    /// What stands there under a name; a link is not followed.
    ///
    /// # Errors
    /// If the system does not say.
    pub(crate) fn look(&self, name: &OsStr) -> io::Result<Option<Metadata>> {
        match std::fs::symlink_metadata(self.path.join(name)) {
            Ok(meta) => Ok(Some(meta)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The first bytes of a file.
    ///
    /// # Errors
    /// If it cannot be read, or is a link.
    pub(crate) fn read(&self, name: &OsStr, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open_to_read(name)?.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(unix)]
mod unix {
    use super::{File, Folder, OsStr, Path, Readers, io};
    use rustix::fs::{Access, AtFlags, CWD, Mode, OFlags};
    use rustix::io::Errno;
    #[cfg(test)]
    use std::io::Write;
    use std::os::fd::{AsFd, BorrowedFd};
    use std::sync::Arc;

    /// Names that are tried for a new file before it gets its own.
    const TRIES: u32 = 100;

    impl AsFd for Folder {
        fn as_fd(&self) -> BorrowedFd<'_> {
            self.open.as_fd()
        }
    }

    impl Folder {
        /// Opens a folder. Links on the way to it are the user's own, and followed.
        ///
        /// # Errors
        /// If there is none.
        pub(crate) fn open(path: &Path) -> io::Result<Self> {
            let path = path.canonicalize()?;
            let open = rustix::fs::open(&path, OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
            Ok(Self { path, open })
        }

        /// Whether files can be made here.
        ///
        /// # Errors
        /// With what the system says against it.
        pub(crate) fn may_write(&self) -> io::Result<()> {
            Ok(rustix::fs::accessat(&self.open, ".", Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS)?)
        }

        pub(super) fn open_to_read(&self, name: &OsStr) -> io::Result<File> {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            Ok(rustix::fs::openat(&self.open, name, flags, Mode::empty())?.into())
        }

        /// Opens a device to write to it.
        ///
        /// # Errors
        /// If it cannot be opened, or is a link.
        pub(crate) fn device(&self, name: &OsStr) -> io::Result<File> {
            let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
            Ok(rustix::fs::openat(&self.open, name, flags, Mode::empty())?.into())
        }

        /// Writes a new file and gives it the name. What has that name is replaced at once or, without `replace`,
        /// stays.
        ///
        /// # Errors
        /// If the system refuses; nothing is changed then.
        #[cfg(test)]
        pub(crate) fn put(&self, name: &OsStr, bytes: &[u8], readers: Readers, replace: bool) -> io::Result<()> {
            self.put_with(name, &mut |file| file.write_all(bytes), readers, replace)
        }

        /// The same for what is written piece by piece; `write` may be called again from the start.
        ///
        /// # Errors
        /// If the system refuses, or `write` fails; nothing is changed then.
        pub(crate) fn put_with(
            &self,
            name: &OsStr,
            write: &mut dyn FnMut(&mut File) -> io::Result<()>,
            readers: Readers,
            replace: bool,
        ) -> io::Result<()> {
            let mode = match readers {
                Readers::Owner => Mode::from_raw_mode(0o600),
                Readers::Usual => Mode::from_raw_mode(0o666),
            };
            // A limit on the size of files ends a process; here it is to be an error, as a full disk is.
            signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default())?;
            if !self.put_unnamed(name, write, mode, replace)? {
                self.put_named(name, write, mode, replace)?;
            }
            // Some file systems cannot do that for a folder; the file itself is on disk.
            let _ = rustix::fs::fsync(&self.open);
            Ok(())
        }

        /// As [`Folder::put_with`], through a file without a name; `false` if there are none here.
        #[cfg(any(target_os = "linux", target_os = "android"))]
        fn put_unnamed(
            &self,
            name: &OsStr,
            write: &mut dyn FnMut(&mut File) -> io::Result<()>,
            mode: Mode,
            replace: bool,
        ) -> io::Result<bool> {
            use std::os::fd::AsRawFd;
            let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
            let Ok(file) = rustix::fs::openat(&self.open, ".", flags, mode) else { return Ok(false) };
            let mut file = File::from(file);
            write(&mut file)?;
            file.sync_all()?;
            let unnamed = format!("/proc/self/fd/{}", file.as_raw_fd());
            let link = |name: &OsStr| rustix::fs::linkat(CWD, &*unnamed, &self.open, name, AtFlags::SYMLINK_FOLLOW);
            match link(name) {
                Ok(()) => return Ok(true),
                Err(Errno::EXIST) if replace => {}
                Err(Errno::EXIST) => return Err(Errno::EXIST.into()),
                // Without `/proc` a file without a name gets none.
                Err(_) => return Ok(false),
            }
            // A link does not replace, a rename does.
            let beside = self.free(|beside| link(OsStr::new(beside)))?.1;
            self.take_place(&beside, name)?;
            Ok(true)
        }

        /// Files without a name are of Linux only.
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        #[expect(clippy::unnecessary_wraps, reason = "as on Linux")]
        fn put_unnamed(
            &self,
            _name: &OsStr,
            _write: &mut dyn FnMut(&mut File) -> io::Result<()>,
            _mode: Mode,
            _replace: bool,
        ) -> io::Result<bool> {
            Ok(false)
        }

        /// As [`Folder::put_with`], through a file with another name.
        pub(super) fn put_named(
            &self,
            name: &OsStr,
            write: &mut dyn FnMut(&mut File) -> io::Result<()>,
            mode: Mode,
            replace: bool,
        ) -> io::Result<()> {
            let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let (file, beside) = self.free(|beside| rustix::fs::openat(&self.open, beside, flags, mode))?;
            let mut file = File::from(file);
            let written = write(&mut file).and_then(|()| file.sync_all()).and_then(|()| match replace {
                true => Ok(rustix::fs::renameat(&self.open, &*beside, &self.open, name)?),
                false => {
                    rustix::fs::linkat(&self.open, &*beside, &self.open, name, AtFlags::empty())?;
                    Ok(rustix::fs::unlinkat(&self.open, &*beside, AtFlags::empty())?)
                }
            });
            if written.is_err() {
                let _ = rustix::fs::unlinkat(&self.open, &*beside, AtFlags::empty());
            }
            written
        }

        #[cfg(any(target_os = "linux", target_os = "android"))]
        fn take_place(&self, beside: &str, name: &OsStr) -> io::Result<()> {
            let renamed = rustix::fs::renameat(&self.open, beside, &self.open, name);
            if renamed.is_err() {
                let _ = rustix::fs::unlinkat(&self.open, beside, AtFlags::empty());
            }
            Ok(renamed?)
        }

        /// Tries names until one is free.
        fn free<T>(&self, attempt: impl Fn(&str) -> Result<T, Errno>) -> io::Result<(T, String)> {
            let mut last = Errno::EXIST;
            for number in 0..TRIES {
                let beside = format!(".casefile-{}-{number}", std::process::id());
                match attempt(&beside) {
                    Ok(made) => return Ok((made, beside)),
                    Err(Errno::EXIST) => {}
                    Err(error) => {
                        last = error;
                        break;
                    }
                }
            }
            Err(last.into())
        }
    }
}

#[cfg(not(unix))]
impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        if path.is_dir() { Ok(Self { path }) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    /// Whether files can be made here: known when one is made.
    ///
    /// # Errors
    /// None.
    pub(crate) fn may_write(&self) -> io::Result<()> {
        Ok(())
    }

    fn open_to_read(&self, name: &OsStr) -> io::Result<File> {
        File::open(self.path.join(name))
    }

    /// There are no devices among files here.
    ///
    /// # Errors
    /// Always.
    pub(crate) fn device(&self, _name: &OsStr) -> io::Result<File> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Writes a new file and gives it the name. What has that name is replaced or, without `replace`, stays.
    ///
    /// # Errors
    /// If the system refuses; nothing is changed then.
    #[cfg(test)]
    pub(crate) fn put(&self, name: &OsStr, bytes: &[u8], readers: Readers, replace: bool) -> io::Result<()> {
        self.put_with(name, &mut |file| file.write_all(bytes), readers, replace)
    }

    /// The same for what is written piece by piece.
    ///
    /// # Errors
    /// If the system refuses, or `write` fails; nothing is changed then.
    pub(crate) fn put_with(
        &self,
        name: &OsStr,
        write: &mut dyn FnMut(&mut File) -> io::Result<()>,
        _readers: Readers,
        replace: bool,
    ) -> io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(".casefile-").tempfile_in(&self.path)?;
        write(file.as_file_mut())?;
        file.as_file().sync_all()?;
        let path = self.path.join(name);
        let put = if replace { file.persist(path) } else { file.persist_noclobber(path) };
        put.map(|_| ()).map_err(|error| error.error)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::Folder;
    use rustix::fs::Mode;
    use std::io::Write;

    /// Where a file system has no files without a name, the other way gives the same.
    #[test]
    fn a_file_with_another_name_takes_its_place_too_and_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        let name = "report".as_ref();
        let mode = Mode::from_raw_mode(0o600);
        let put =
            |text: &str, replace| folder.put_named(name, &mut |file| file.write_all(text.as_bytes()), mode, replace);
        put("first", false).unwrap();
        assert_eq!(put("second", false).unwrap_err().kind(), std::io::ErrorKind::AlreadyExists);
        assert_eq!(folder.read(name, 99).unwrap(), b"first");
        put("third", true).unwrap();
        assert_eq!(folder.read(name, 99).unwrap(), b"third");
        // A name that somebody took is passed over.
        std::fs::write(dir.path().join(format!(".casefile-{}-0", std::process::id())), "theirs").unwrap();
        put("fourth", true).unwrap();
        assert_eq!(folder.read(name, 4).unwrap(), b"four");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2);
        // A folder is not replaced, and nothing is left beside it.
        std::fs::create_dir(dir.path().join("taken")).unwrap();
        assert!(folder.put_named("taken".as_ref(), &mut |file| file.write_all(b"x"), mode, true).is_err());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 3);
    }
}
