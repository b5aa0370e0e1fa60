//! What holds nothing that can be read: the error names it, says why and what to do next.

use super::pack::{Zipped, entry, gzip, stored, symlink, xz, zip, zstd};
use super::{Must, bundles};
use std::fs;

const REFUSED: Must = Must::Refuse(&["check the upload, or collect the bundle again"]);

bundles! {
    no_bytes: Must::Refuse(&["it has no bytes at all", "collect the bundle again"]), |place| place.file("b.tar.gz", "");
    an_empty_folder: Must::Refuse(&["it holds no files", "collect the bundle again"]), |place| {
        let root = place.file("x", "").with_file_name("empty");
        fs::create_dir(&root).unwrap();
        root
    };
    no_such_path: Must::Refuse(&["cannot open", "give the path of a directory, an archive or a single file"]), |place| {
        place.file("x", "").with_file_name("nowhere.tar")
    };
    an_empty_zip: REFUSED, |place| place.file("b.zip", zip(&[]));
    only_links: REFUSED, |place| {
        let mut bytes = [symlink("a", "/etc/passwd"), symlink("b", &place.canary_name())].concat();
        bytes.resize(bytes.len() + 1024, 0);
        place.file("b.tar", bytes)
    };
    only_devices: REFUSED, |place| {
        let mut bytes = [entry(b"a", b'3', b"", b""), entry(b"b", b'6', b"", b"")].concat();
        bytes.resize(bytes.len() + 1024, 0);
        place.file("b.tar", bytes)
    };
    only_encrypted: Must::Refuse(&["encrypted"]), |place| {
        place.file("b.zip", zip(&[Zipped { flags: 0x801, ..stored("a.log", "x".repeat(40)) }]))
    };
    seven_zip: Must::Refuse(&["7z is not supported: unpack it first"]), |place| {
        place.file("b.7z", [&b"7z\xbc\xaf\x27\x1c\x00\x04"[..], &[7; 600]].concat())
    };
    roshal: Must::Refuse(&["not supported"]), |place| place.file("b.rar", [&b"Rar!\x1a\x07\x01\x00"[..], &[7; 600]].concat());
    gzip_of_nothing: REFUSED, |place| place.file("b.tar.gz", gzip(b""));
    xz_of_nothing: REFUSED, |place| place.file("b.tar.xz", xz(b""));
    zstd_of_nothing: REFUSED, |place| place.file("b.tar.zst", zstd(b""));
    the_head_of_a_gzip: REFUSED, |place| place.file("b.tar.gz", &gzip(&[7; 4_000])[..11]);
    gzip_in_gzip_without_end: Must::Refuse(&["archive-depth"]), |place| {
        place.file("b.gz", (0..40).fold(b"text\n".to_vec(), |inner, _| gzip(&inner)))
    };
    a_socket: Must::Refuse(&["cannot open"]), |place| {
        let path = place.file("x", "").with_file_name("b.sock");
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        path
    };
}
