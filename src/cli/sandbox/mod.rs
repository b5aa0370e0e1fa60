//! Confines the process before it reads the first byte of a stranger: no network, no other program, no file but the
//! inputs and the folder of the output.
//!
//! Why: decompressors in C and parsers of every form read what strangers send. What a fault in them could do is
//! bounded by the kernel here, not by a promise: Landlock bounds the files, seccomp the system calls.
//!
//! Invariants: it is called before any other thread is started, and holds for all that are; it only takes rights
//! away, so that where a kernel has one of the two, or none, everything works as before; [`Confined`] says which it
//! has. It never changes a result.

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
mod calls;
#[cfg(all(target_os = "linux", not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))))]
mod calls {
    //! Other processors have other system calls, which nobody has listed yet.
    pub(super) fn confine(_: &super::Needs<'_>) -> super::State {
        super::State::Off("its system calls are not listed for this processor".to_owned())
    }
}
#[cfg(target_os = "linux")]
mod files;

use crate::folder::Folder;
use std::fmt;
use std::path::Path;

/// What a run needs after its arguments, signatures and outputs were looked at.
#[derive(Debug, Default)]
pub(crate) struct Needs<'a> {
    /// Files and folders that are read.
    pub read: Vec<&'a Path>,
    /// Folders in which files are written.
    pub write: Vec<&'a Folder>,
    /// Folders may be made in those.
    pub folders: bool,
    /// A query runs: Polars waits in a runtime of its own.
    pub runtime: bool,
    /// It answers on sockets that listen already: connections may be taken, read and written, and none made.
    pub listens: bool,
    /// Somebody types: the terminal may be set so that each key is read by itself.
    pub terminal: bool,
}

/// How far the process is confined.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Confined {
    files: State,
    calls: State,
    listens: bool,
}

/// One of the two bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    /// It holds.
    On,
    /// It holds but for what this kernel does not know of yet.
    InPart,
    /// It does not, and why.
    Off(String),
}

/// Confines this process to what it needs.
pub(crate) fn confine(needs: &Needs<'_>) -> Confined {
    #[cfg(target_os = "linux")]
    {
        // Files first: the calls that bound them are among those that are then taken away.
        let files = files::confine(needs);
        Confined { files, calls: calls::confine(needs), listens: needs.listens }
    }
    #[cfg(not(target_os = "linux"))]
    {
        let off = || State::Off("this system has none".to_owned());
        Confined { files: off(), calls: off(), listens: needs.listens }
    }
}

impl fmt::Display for Confined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.files {
            State::On => f.write_str("files: confined by Landlock to what is read and the folder of the output")?,
            State::InPart => f.write_str("files: confined by Landlock as far as this kernel can")?,
            State::Off(why) => write!(f, "files: not confined, Landlock is not to be had: {why}")?,
        }
        match &self.calls {
            State::On | State::InPart if self.listens => f.write_str(
                "\nsystem calls: confined by seccomp, no connections but those taken on loopback, no programs",
            ),
            State::On | State::InPart => f.write_str("\nsystem calls: confined by seccomp, no network, no programs"),
            State::Off(why) => write!(f, "\nsystem calls: not confined, seccomp is not to be had: {why}"),
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::{Confined, Needs, State, confine};
    use crate::folder::Folder;
    use std::fs::File;
    use std::io::Write;

    /// A thread confines itself and those that it starts, so the tests beside it go on.
    fn confined<T: Send + 'static>(run: impl FnOnce(&std::path::Path, &Confined) -> T + Send + 'static) -> T {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["in/sub", "out", "other"] {
            std::fs::create_dir_all(dir.path().join(folder)).unwrap();
            std::fs::write(dir.path().join(folder).join("file"), folder).unwrap();
        }
        let thread = std::thread::spawn(move || {
            let path = dir.path();
            let (read, write) = (path.join("in"), Folder::open(&path.join("out")).unwrap());
            let confined = confine(&Needs { read: vec![&read], write: vec![&write], ..Needs::default() });
            let result = run(path, &confined);
            // The folder cannot be removed by a thread that is confined: it goes back to one that is not.
            (result, dir)
        });
        thread.join().unwrap().0
    }

    #[test]
    fn no_network_and_no_program_and_threads_go_on() {
        confined(|_, confined| {
            if let State::Off(why) = &confined.calls {
                println!("skipped: {why}");
                return;
            }
            assert!(std::net::TcpListener::bind("127.0.0.1:0").is_err());
            assert!(std::net::TcpStream::connect("127.0.0.1:1").unwrap_err().raw_os_error() == Some(libc::ENOSYS));
            assert!(std::net::UdpSocket::bind("127.0.0.1:0").is_err());
            assert!(std::os::unix::net::UnixStream::pair().is_err());
            assert!(std::process::Command::new("/bin/true").status().is_err());
            let inner = || std::net::UdpSocket::bind("127.0.0.1:0").is_err();
            assert!(std::thread::spawn(inner).join().unwrap(), "a thread is confined as the one that started it");
            let pool = std::thread::scope(|scope| {
                let all: Vec<_> = (0..8).map(|n| scope.spawn(move || n * n)).collect();
                all.into_iter().map(|one| one.join().unwrap()).sum::<i32>()
            });
            assert_eq!(pool, 140);
            assert!(std::panic::catch_unwind(|| panic!("a panic is told and survived")).is_err());
        });
    }

    #[test]
    fn a_socket_that_listens_takes_connections_and_makes_none() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let confined = confine(&Needs { listens: true, ..Needs::default() });
            tell.send(()).unwrap();
            let (mut stream, _) = listener.accept().unwrap();
            stream.set_read_timeout(Some(std::time::Duration::from_secs(5))).unwrap();
            stream.set_nodelay(true).unwrap();
            let mut byte = [0];
            std::io::Read::read_exact(&mut stream, &mut byte).unwrap();
            stream.write_all(&byte).unwrap();
            stream.shutdown(std::net::Shutdown::Both).unwrap();
            if let State::Off(why) = &confined.calls {
                println!("skipped: {why}");
                return;
            }
            assert!(std::net::TcpStream::connect(address).is_err());
            assert!(std::net::TcpListener::bind("127.0.0.1:0").is_err());
            assert!(std::net::UdpSocket::bind("127.0.0.1:0").is_err());
            assert!(std::process::Command::new("/bin/true").status().is_err());
        });
        told.recv().unwrap();
        let mut client = std::net::TcpStream::connect(address).unwrap();
        client.write_all(b"x").unwrap();
        let mut answer = Vec::new();
        std::io::Read::read_to_end(&mut client, &mut answer).unwrap();
        assert_eq!(answer, b"x");
        thread.join().unwrap();
    }

    #[test]
    fn files_are_read_in_the_input_and_written_in_the_output() {
        confined(|dir, confined| {
            if let State::Off(why) = &confined.files {
                println!("skipped: {why}");
                return;
            }
            let read = |name: &str| std::fs::read(dir.join(name)).is_ok();
            let write = |name: &str| File::create(dir.join(name)).and_then(|mut file| file.write_all(b"x")).is_ok();
            assert!(read("in/sub/file"));
            assert!(!read("other/file") && std::fs::read_dir("/etc").is_err());
            assert!(std::fs::read("/etc/passwd").is_err() && std::fs::read("/proc/self/environ").is_err());
            assert!(!write("in/new") && !write("in/sub/file") && !write("other/file") && !write("new"));
            assert!(std::fs::remove_file(dir.join("other/file")).is_err());
            assert!(std::fs::create_dir(dir.join("out/folder")).is_err());
            assert!(std::os::unix::fs::symlink("x", dir.join("out/link")).is_err());
            let folder = Folder::open(&dir.join("in")).unwrap();
            assert!(folder.put("new".as_ref(), b"x", crate::destination::Readers::Owner, false).is_err());
        });
    }

    #[test]
    fn a_report_is_written_and_replaced_all_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        let thread = std::thread::spawn(move || {
            confine(&Needs { write: vec![&folder], ..Needs::default() });
            for text in ["first", "second"] {
                folder.put("report".as_ref(), text.as_bytes(), crate::destination::Readers::Owner, true).unwrap();
                assert_eq!(folder.read("report".as_ref(), 99).unwrap(), text.as_bytes());
            }
        });
        thread.join().unwrap();
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn it_says_how_far_it_holds() {
        let on = Confined { files: State::On, calls: State::On, listens: false };
        insta::assert_snapshot!(on, @r"
        files: confined by Landlock to what is read and the folder of the output
        system calls: confined by seccomp, no network, no programs
        ");
        let off = Confined {
            files: State::Off("not built in".to_owned()),
            calls: State::Off("no such thing".to_owned()),
            listens: false,
        };
        insta::assert_snapshot!(off, @r"
        files: not confined, Landlock is not to be had: not built in
        system calls: not confined, seccomp is not to be had: no such thing
        ");
    }
}
