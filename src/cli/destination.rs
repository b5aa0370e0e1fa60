//! A file that Casefile is to write: what may never be written, found out before anything is read, and a way of
//! writing after which either the old file or the new one stands there, whole.
//!
//! Why: a report is written beside what strangers uploaded. A name that is one of the inputs would destroy them, a
//! link that came with an unpacked bundle would send the report anywhere, and a full disk or an interrupt must not
//! cost the report of yesterday.
//!
//! Invariants: no input, no link and nothing that Casefile did not write is replaced; what is written is a new file,
//! on disk before it takes the name; until then nothing is changed.

use crate::folder::Folder;
use crate::identity::FileId;
use crate::settings::is_dash;
use facts::outside::Outside;
use std::ffi::OsString;
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Bytes of a file up to which it is looked at to tell whether Casefile wrote it.
const LOOKED_AT: u64 = 16 << 20;

/// Who may read what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Readers {
    /// The owner: a report is confidential.
    Owner,
    /// Whoever the `umask` lets: files of a project, such as signatures.
    Usual,
}

/// What is to happen to a file that stands there already.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Standing {
    /// It stays.
    Stays,
    /// It is replaced if it is empty or this says that Casefile wrote it.
    ReplacedIf(fn(&[u8]) -> bool),
    /// It is replaced (`--force`).
    Replaced,
}

/// What is read in this run, so that nothing of it is written to.
#[derive(Debug, Default)]
pub(crate) struct Inputs(Vec<Input>);

#[derive(Debug)]
struct Input {
    /// As the user named it.
    shown: String,
    id: FileId,
    folder: bool,
}

impl Inputs {
    /// The files and folders of these paths; what is not there has nothing to lose. `-` is standard input.
    pub(crate) fn of<'a>(paths: impl Iterator<Item = &'a Path>) -> Self {
        let mut inputs = Vec::new();
        let mut stdin = false;
        for path in paths {
            if is_dash(path) {
                stdin = true;
                continue;
            }
            if let Some((id, meta)) = FileId::of(path) {
                inputs.push(Input { shown: Outside::name(&path.to_string_lossy()).into(), id, folder: meta.is_dir() });
            }
        }
        // A terminal is read from and written to: nothing in it is lost.
        let stdin = (stdin && !io::stdin().is_terminal()).then(FileId::of_stdin).flatten();
        inputs.extend(stdin.map(|id| Input { shown: "standard input".to_owned(), id, folder: false }));
        Self(inputs)
    }

    /// The input that this file is.
    fn is(&self, id: &FileId) -> Option<&Input> {
        self.0.iter().find(|input| !input.folder && input.id == *id)
    }

    /// The input that one of these folders is.
    fn holds(&self, folders: &[FileId]) -> Option<&Input> {
        self.0.iter().find(|input| input.folder && folders.contains(&input.id))
    }

    /// Refuses a standard output that is one of the inputs (`casefile ... >> upload.tar.gz`) or lies inside one.
    ///
    /// # Errors
    /// If it does.
    pub(crate) fn spare_from_stdout(&self) -> Result<(), NotWritten> {
        let refused = |why| Err(NotWritten { path: "to standard output".into(), why });
        if let Some(input) = FileId::of_stdout().as_ref().and_then(|id| self.is(id)) {
            return refused(Why::Input(input.shown.clone()));
        }
        match self.holds(&FileId::folders_of_stdout()) {
            Some(input) => refused(Why::InsideInput(input.shown.clone())),
            None => Ok(()),
        }
    }
}

/// A place that may be written to.
#[derive(Debug)]
pub(crate) struct Destination {
    path: PathBuf,
    place: Place,
    readers: Readers,
    standing: Standing,
}

#[derive(Debug)]
enum Place {
    /// A name in a folder, which is held open: a folder that takes its place later is not written to.
    Name(Folder, OsString),
    /// A device such as `/dev/null`: there is nothing to replace.
    Device(File),
}

impl Destination {
    /// Looks at a path before anything is read.
    ///
    /// # Errors
    /// If writing there would change an input or something that is to stay, or cannot succeed.
    pub(crate) fn check(
        path: &Path,
        inputs: &Inputs,
        readers: Readers,
        standing: Standing,
    ) -> Result<Self, NotWritten> {
        let refused = |why| NotWritten { path: path.to_owned(), why };
        let name = path.file_name().ok_or_else(|| refused(Why::Folder))?.to_owned();
        if path.as_os_str().to_string_lossy().ends_with(std::path::is_separator) {
            return Err(refused(Why::Folder));
        }
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let folder = Folder::open(parent).map_err(|error| refused(Why::NoFolder(parent.to_owned(), error)))?;
        if let Some(input) = inputs.holds(&folder.with_parents()) {
            return Err(refused(Why::InsideInput(input.shown.clone())));
        }
        let standing_there = folder.look(&name).map_err(|error| refused(Why::System(error)))?;
        if let Some(meta) = &standing_there {
            if let Some(input) = FileId::in_folder(&folder, &name, meta).as_ref().and_then(|id| inputs.is(id)) {
                return Err(refused(Why::Input(input.shown.clone())));
            }
            if is_device(meta) {
                let device = folder.device(&name).map_err(|error| refused(Why::System(error)))?;
                return Ok(Self { path: path.to_owned(), place: Place::Device(device), readers, standing });
            }
        }
        folder.may_write().map_err(|error| refused(Why::System(error)))?;
        let checked = Self { path: path.to_owned(), place: Place::Name(folder, name), readers, standing };
        checked.spare().map_err(refused)?;
        Ok(checked)
    }

    /// The path as the user named it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The folder that is written to; a device has none.
    pub(crate) fn folder(&self) -> Option<&Folder> {
        match &self.place {
            Place::Name(folder, _) => Some(folder),
            Place::Device(_) => None,
        }
    }

    /// Refuses what stands there now and is to stay.
    fn spare(&self) -> Result<(), Why> {
        let Place::Name(folder, name) = &self.place else { return Ok(()) };
        let Some(meta) = folder.look(name).map_err(Why::System)? else { return Ok(()) };
        if meta.is_symlink() {
            return Err(Why::Link);
        }
        if meta.is_dir() {
            return Err(Why::Folder);
        }
        if !meta.is_file() {
            return Err(Why::NoFile);
        }
        match self.standing {
            Standing::Stays => Err(Why::Stands),
            Standing::Replaced => Ok(()),
            Standing::ReplacedIf(_) if meta.len() == 0 => Ok(()),
            Standing::ReplacedIf(is_ours) => {
                let bytes = folder.read(name, LOOKED_AT).map_err(Why::System)?;
                if is_ours(&bytes) { Ok(()) } else { Err(Why::Foreign) }
            }
        }
    }

    /// Writes a new file and puts it there. After an error what stood there stands there still.
    ///
    /// # Errors
    /// If the system refuses, or something that is to stay has come there since [`Destination::check`].
    pub(crate) fn write(&self, text: &str) -> Result<(), NotWritten> {
        self.write_with(&mut |file| file.write_all(text.as_bytes()))
    }

    /// The same for what is written piece by piece; `write` may be called again from the start.
    ///
    /// # Errors
    /// If the system refuses, `write` fails, or something that is to stay has come there since
    /// [`Destination::check`].
    pub(crate) fn write_with(&self, write: &mut dyn FnMut(&mut File) -> io::Result<()>) -> Result<(), NotWritten> {
        let refused = |why| NotWritten { path: self.path.clone(), why };
        self.spare().map_err(refused)?;
        let written = match &self.place {
            Place::Name(folder, name) => {
                let replace = !matches!(self.standing, Standing::Stays);
                folder.put_with(name, write, self.readers, replace)
            }
            Place::Device(device) => device.try_clone().and_then(|mut device| {
                write(&mut device)?;
                device.flush()
            }),
        };
        written.map_err(|error| refused(Why::System(error)))
    }
}

/// A device that takes bytes one by one, such as `/dev/null`.
fn is_device(meta: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        meta.file_type().is_char_device()
    }
    #[cfg(not(unix))]
    {
        let _ = meta;
        false
    }
}

/// A result that was not written: exit code 4.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {path}: {why}", path = Outside::name(&path.to_string_lossy()))]
pub(crate) struct NotWritten {
    path: PathBuf,
    #[source]
    why: Why,
}

impl NotWritten {
    /// Standard output refused the result.
    pub(crate) fn stdout(error: io::Error) -> Self {
        Self { path: "to standard output".into(), why: Why::Stdout(error) }
    }
}

/// Why something is not written.
#[derive(Debug)]
enum Why {
    /// It is this input.
    Input(String),
    /// It lies inside this input.
    InsideInput(String),
    /// It is a link.
    Link,
    /// It is a folder.
    Folder,
    /// It is neither a file nor a folder.
    NoFile,
    /// Something stands there, and is to stay.
    Stands,
    /// Something stands there that Casefile did not write.
    Foreign,
    /// Its folder cannot be opened.
    NoFolder(PathBuf, io::Error),
    /// The system refuses.
    System(io::Error),
    /// The system refuses to write to standard output.
    Stdout(io::Error),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let elsewhere = "name another file with `-o FILE`, or `-o -` for standard output";
        match self {
            Self::Input(input) => write!(f, "it is the input {input}, which stays as it is; {elsewhere}"),
            Self::InsideInput(input) => {
                write!(f, "it lies inside the input {input}, and the next run would read it as evidence; {elsewhere}")
            }
            Self::Link => write!(f, "a symbolic link stands there, and no link is followed; remove it, or {elsewhere}"),
            Self::Folder => write!(f, "it is a folder; {elsewhere}"),
            Self::NoFile => write!(f, "what stands there is no regular file; {elsewhere}"),
            Self::Stands => f.write_str("it is there already; remove it, or take another name"),
            Self::Foreign => {
                write!(f, "a file stands there that Casefile did not write; --force replaces it, or {elsewhere}")
            }
            Self::NoFolder(folder, error) => {
                write!(f, "the folder {}: {error}; {elsewhere}", Outside::name(&folder.to_string_lossy()))
            }
            Self::System(error) => write!(f, "{error}; nothing was changed there; {elsewhere}"),
            Self::Stdout(error) => write!(f, "{error}; name a file with `-o FILE`"),
        }
    }
}

impl std::error::Error for Why {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NoFolder(_, error) | Self::System(error) | Self::Stdout(error) => Some(error),
            _ => None,
        }
    }
}
