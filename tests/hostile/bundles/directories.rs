//! Folders of a file system: links out of them, what is no file, what has no end.

use super::{Must, bundles, size};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::process::Command;

const OUTSIDE: Must = Must::Diagnose(&["outside of the bundle"]);

bundles! {
    link_to_the_canary: OUTSIDE, |place| {
        let root = place.folder();
        symlink(place.canary(), root.join("x.log")).unwrap();
        root
    };
    link_to_the_folder_of_the_canary: OUTSIDE, |place| {
        let root = place.folder();
        symlink(place.canary().parent().unwrap(), root.join("x")).unwrap();
        symlink("../../canary", root.join("y")).unwrap();
        root
    };
    link_to_the_root: Must::Diagnose(&["a folder that it lies in"]), |place| {
        let root = place.folder();
        symlink("/", root.join("x")).unwrap();
        root
    };
    link_to_endless_zeros: OUTSIDE, |place| {
        let root = place.folder();
        symlink("/dev/zero", root.join("x.log")).unwrap();
        root
    };
    link_to_memory_and_environment: OUTSIDE, |place| {
        let root = place.folder();
        symlink("/proc/self/mem", root.join("x.log")).unwrap();
        symlink("/proc/self/environ", root.join("y.log")).unwrap();
        root
    };
    links_in_a_circle: Must::Diagnose(&["symbolic link"]), |place| {
        let root = place.folder();
        symlink("b", root.join("a")).unwrap();
        symlink("a", root.join("b")).unwrap();
        symlink(".", root.join("c")).unwrap();
        root
    };
    a_root_that_is_a_link: Must::Diagnose(&[]), |place| {
        let root = place.folder();
        let link = root.parent().unwrap().join("link");
        symlink(&root, &link).unwrap();
        link
    };
    pipe: Must::Diagnose(&["FIFO"]), |place| {
        let root = place.folder();
        assert!(Command::new("mkfifo").arg(root.join("x.log")).status().unwrap().success());
        root
    };
    socket: Must::Diagnose(&["socket"]), |place| {
        let root = place.folder();
        drop(UnixListener::bind(root.join("x")).unwrap());
        root
    };
    file_of_holes: Must::Diagnose(&["ratio"]), |place| {
        let root = place.folder();
        File::create(root.join("a.log")).unwrap().set_len(1 << 40).unwrap();
        root
    };
    files_of_holes: Must::Diagnose(&["ratio"]), |place| {
        let root = place.folder();
        for at in 0..8 {
            let file = File::create(root.join(format!("a{at}.log"))).unwrap();
            file.set_len(1 << 40).unwrap();
        }
        root
    };
    folders_without_end: Must::Diagnose(&["path-depth"]), |place| {
        let root = place.folder();
        fs::create_dir_all(root.join("d/".repeat(1_500))).unwrap();
        root
    };
    names_that_nobody_prints: Must::Diagnose(&[]), |place| {
        let root = place.folder();
        for name in [&b"a\xff\xfe.log"[..], b"a\nb", b"\x1b[2J", "\u{202e}x".as_bytes(), b"-rf", b"<b>", b" ", b"\\..\\x"] {
            fs::write(root.join(OsStr::from_bytes(name)), "x\n").unwrap();
        }
        root
    };
    files_without_number: Must::Diagnose(&[]), |place| {
        let root = place.folder();
        for at in 0..size(3_000, 100_000) {
            fs::write(root.join(format!("f{at}.txt")), "x\n").unwrap();
        }
        root
    };
    what_nobody_may_read: Must::Diagnose(&[]), |place| {
        let root = place.folder();
        fs::create_dir(root.join("closed")).unwrap();
        fs::write(root.join("closed/x.log"), "x\n").unwrap();
        fs::write(root.join("shut.log"), "x\n").unwrap();
        fs::set_permissions(root.join("shut.log"), fs::Permissions::from_mode(0o0)).unwrap();
        root
    };
    own_reports_in_it: Must::Diagnose(&[]), |place| {
        let root = place.folder();
        fs::write(root.join("b.diagnosis.json"), "{\"schema\":\"casefile\",\"findings\":[{\"verdict\":\"ruled_out\"}]}").unwrap();
        root
    };
}
