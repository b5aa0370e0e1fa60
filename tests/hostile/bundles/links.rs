//! Links and devices in archives: none is followed out of the bundle, none costs more than its bytes.

use super::pack::{Zipped, before_good, deflated, entry, file, stored, symlink, zip_with_good};
use super::{Must, bundles, size};

const OUTSIDE: Must = Must::Diagnose(&["outside of the bundle"]);
const NOWHERE: Must = Must::Diagnose(&["link"]);

fn linked(entry: Zipped) -> Zipped {
    Zipped { attributes: 0o120_777 << 16, ..entry }
}

bundles! {
    symlink_to_the_canary: OUTSIDE, |place| {
        place.file("b.tar", before_good(symlink("nodes/x.log", &place.canary_name())))
    };
    symlink_that_climbs_to_the_canary: OUTSIDE, |place| {
        let target = format!("{}{}", "../".repeat(40), place.canary_name());
        place.file("b.tar", before_good(symlink("nodes/x.log", &target)))
    };
    hard_link_to_the_canary: OUTSIDE, |place| {
        place.file("b.tar", before_good(entry(b"nodes/x.log", b'1', place.canary_name().as_bytes(), b"")))
    };
    hard_link_to_passwords: OUTSIDE, |place| {
        place.file("b.tar", before_good(entry(b"x.log", b'1', b"/etc/passwd", b"")))
    };
    hard_link_with_a_body: Must::Diagnose(&[]), |place| {
        place.file("b.tar", before_good(entry(b"x.log", b'1', b"nodes/cp-1/etcd.log", b"a body that is no body")))
    };
    hard_link_to_itself: NOWHERE, |place| place.file("b.tar", before_good(entry(b"x.log", b'1', b"x.log", b"")));
    hard_link_to_what_follows: Must::Diagnose(&[]), |place| {
        place.file("b.tar", before_good(entry(b"a.log", b'1', b"nodes/cp-1/etcd.log", b"")))
    };
    symlink_to_itself: NOWHERE, |place| place.file("b.tar", before_good(symlink("x.log", "x.log")));
    symlinks_in_a_circle: NOWHERE, |place| {
        place.file("b.tar", before_good([symlink("a", "b"), symlink("b", "c"), symlink("c", "a")].concat()))
    };
    symlink_to_the_folder_it_is_in: Must::Diagnose(&[]), |place| {
        place.file("b.tar", before_good(symlink("nodes/again", "../nodes")))
    };
    symlink_to_the_root: Must::Diagnose(&["a folder that it lies in"]), |place| {
        place.file("b.tar", before_good([symlink("root", "/"), file("root/etc/passwd", "mine")].concat()))
    };
    file_through_a_symlink_to_the_canary: OUTSIDE, |place| {
        let folder = place.canary().parent().unwrap().display().to_string();
        place.file("b.tar", before_good([symlink("door", &folder), file("door/canary.txt", "EVIL")].concat()))
    };
    symlink_to_endless_zeros: OUTSIDE, |place| place.file("b.tar", before_good(symlink("x.log", "/dev/zero")));
    symlink_to_the_environment: OUTSIDE, |place| {
        place.file("b.tar", before_good(symlink("x.log", "/proc/self/environ")))
    };
    chain_of_symlinks: Must::Diagnose(&[]), |place| {
        let links = (0..size(3_000, 10_000)).flat_map(|at| symlink(&format!("l{at}"), &format!("l{}", at + 1)));
        place.file("b.tar", before_good(links.collect::<Vec<u8>>()))
    };
    targets_of_many_parts: NOWHERE, |place| {
        let target = "x/".repeat(3_000) + "y";
        let links = (0..size(200, 2_000)).flat_map(|at| symlink(&format!("l{at}"), &target));
        place.file("b.tar", before_good(links.collect::<Vec<u8>>()))
    };
    targets_that_go_to_and_fro: NOWHERE, |place| {
        let target = "x/../".repeat(8_000) + "y";
        let links = (0..size(40, 300)).flat_map(|at| symlink(&format!("l{at}"), &target));
        place.file("b.tar", before_good(links.collect::<Vec<u8>>()))
    };
    symlinks_of_folders_within_folders: NOWHERE, |place| {
        let links = (0..size(300, 5_000)).flat_map(|at| symlink(&format!("{}l", format!("d{at}/").repeat(8)), "l/l/l/l"));
        place.file("b.tar", before_good(links.collect::<Vec<u8>>()))
    };
    target_that_a_terminal_obeys: Must::Diagnose(&[]), |place| {
        place.file("b.tar", before_good(symlink("x", "\u{1b}[2J\u{202e}<script>alert(1)</script>")))
    };
    pipe_in_tar: Must::Diagnose(&["FIFO"]), |place| place.file("b.tar", before_good(entry(b"x.log", b'6', b"", b"")));
    character_device_in_tar: Must::Diagnose(&["character device"]), |place| {
        place.file("b.tar", before_good(entry(b"x.log", b'3', b"", b"")))
    };
    block_device_in_tar: Must::Diagnose(&["block device"]), |place| {
        place.file("b.tar", before_good(entry(b"x.log", b'4', b"", b"")))
    };
    symlink_in_zip_to_the_canary: OUTSIDE, |place| {
        place.file("b.zip", zip_with_good([linked(stored("nodes/x.log", place.canary_name()))]))
    };
    symlink_in_zip_of_an_endless_target: Must::Diagnose(&[]), |place| {
        place.file("b.zip", zip_with_good([linked(deflated("x.log", "y/".repeat(size(2 << 20, 60 << 20))))]))
    };
    pipe_in_zip: Must::Diagnose(&["FIFO"]), |place| {
        place.file("b.zip", zip_with_good([Zipped { attributes: 0o010_644 << 16, ..stored("x.log", "") }]))
    };
}
