//! A directory that somebody changes while it is read: nothing outside of it is ever read.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use facts::cut::Cut;
use facts::origin::MemberId;
use intake::{Limits, Source, Visitor, read};
use std::io::Read;
use std::path::Path;

/// Changes the directory when the first member is read, and keeps all that is read.
struct Changing<'a> {
    change: Option<Box<dyn FnOnce() + 'a>>,
    read: Vec<(String, String)>,
}

impl Visitor for Changing<'_> {
    fn member(&mut self, _id: MemberId, name: &str, body: &mut dyn Read) {
        let mut text = String::new();
        body.read_to_string(&mut text).unwrap();
        self.read.push((name.to_owned(), text));
        if let Some(change) = self.change.take() {
            change();
        }
    }

    fn cut(&mut self, _id: MemberId, _cut: &Cut) {}
}

/// What is read of `up` while `change` happens to it. Beside it `secrets` holds the same names.
fn changed(change: impl FnOnce(&Path)) -> (Vec<(String, String)>, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    for (root, text) in [("up", "uploaded"), ("secrets", "SECRET")] {
        for folder in ["a/b/c", "d/e"] {
            std::fs::create_dir_all(dir.path().join(root).join(folder)).unwrap();
        }
        for file in ["a/b/c/1", "a/b/c/2", "a/b/3", "d/4", "d/e/5"] {
            std::fs::write(dir.path().join(root).join(file), text).unwrap();
        }
    }
    let mut visitor = Changing { change: Some(Box::new(|| change(dir.path()))), read: Vec::new() };
    let source = Source::Path(dir.path().join("up"));
    let intake = read(&source, &Limits::default(), &mut 0, &mut visitor).unwrap();
    visitor.read.sort();
    (visitor.read, intake.unread.into_iter().map(|(name, why)| format!("{name}: {why}")).collect())
}

fn replaced_by_link(dir: &Path, path: &str) {
    std::fs::rename(dir.join("up").join(path), dir.join("moved")).unwrap();
    std::os::unix::fs::symlink(dir.join("secrets").join(path), dir.join("up").join(path)).unwrap();
}

#[test]
fn a_folder_or_file_that_becomes_a_link_leads_nowhere() {
    // The first member is `a/b/3`: all others are open still.
    for path in ["a", "a/b", "a/b/c", "a/b/c/1", "d", "d/4", "d/e", "d/e/5"] {
        let (read, unread) = changed(|dir| replaced_by_link(dir, path));
        assert!(read.iter().all(|(_, text)| text == "uploaded"), "{path}: {read:?}");
        assert!(read.len() == 5 || !unread.is_empty(), "{path}: nothing is lost in silence: {read:?}");
    }
}

#[test]
fn a_file_that_becomes_a_pipe_is_not_waited_for() {
    let (read, unread) = changed(|dir| {
        std::fs::remove_file(dir.join("up/d/4")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(dir.join("up/d/4")).status().unwrap().success());
    });
    assert_eq!(read.len(), 4);
    assert_eq!(unread, ["d/4: FIFO"]);
}
