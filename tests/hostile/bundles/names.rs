//! Names that lead somewhere, imitate something, or cannot be printed: each in tar and in zip.

use super::pack::{Zipped, before_good, entry, file, members, pax, record, stored, zip_with_good};
use super::{Must, Place, bundles};
use std::path::PathBuf;

const TEXT: &str = "just a text\n";

fn tar(place: &Place, name: &[u8]) -> PathBuf {
    place.file("b.tar", members([(name, TEXT)]))
}

fn zip(place: &Place, name: &[u8]) -> PathBuf {
    place.file("b.zip", zip_with_good([stored(name, TEXT)]))
}

const FINE: Must = Must::Diagnose(&[]);
const LEADS_OUT: Must = Must::Diagnose(&["leads out of the bundle"]);

macro_rules! spellings {
    ($($name:ident: $must:expr, $spelling:expr;)+) => {
        mod in_tar {
            use super::*;
            bundles! { $($name: $must, |place| tar(place, &$spelling);)+ }
        }
        mod in_zip {
            use super::*;
            bundles! { $($name: $must, |place| zip(place, &$spelling);)+ }
        }
    };
}

spellings! {
    climbs: LEADS_OUT, b"../../../../../../tmp/casefile-hostile-x"[..];
    climbs_within: LEADS_OUT, b"a/b/../../../c"[..];
    absolute: FINE, b"/etc/casefile-hostile-x"[..];
    many_slashes: FINE, b"//////etc////x"[..];
    backslashes: FINE, br"..\..\..\canary\x"[..];
    drive: FINE, br"C:\Windows\x.log"[..];
    share: FINE, br"\\server\share\x.log"[..];
    url: FINE, b"file:///etc/passwd"[..];
    home: FINE, b"~/.ssh/authorized_keys"[..];
    dot: FINE, b"."[..];
    dot_dot: FINE, b".."[..];
    slash: FINE, b"/"[..];
    newline: FINE, b"a\nverdict: fine\n.log"[..];
    carriage_return: FINE, b"good.log\rbad.log"[..];
    escape_codes: FINE, b"\x1b[2J\x1b]0;title\x07x.log"[..];
    c1_codes: FINE, "\u{9b}31m\u{85}x.log".as_bytes();
    bidi: FINE, "\u{202e}gol.dab\u{2066}x".as_bytes();
    unseen: FINE, "a\u{200b}\u{feff}\u{e0041}b.log".as_bytes();
    not_utf8: FINE, b"\xff\xfe\x80x.log"[..];
    overlong_dots: FINE, b"\xc0\xae\xc0\xae/\xc0\xae\xc0\xae/x"[..];
    full_width_dots: FINE, "．．／．．／x".as_bytes();
    per_cent_dots: FINE, b"%2e%2e%2f%2e%2e%2fetc%2fpasswd"[..];
    option: FINE, b"--force"[..];
    shell: FINE, b"$(touch x);`touch x`|x&.log"[..];
    tags: FINE, b"<script>alert(1)</script><img src=x onerror=alert(1)>.log"[..];
    markdown: FINE, b"[x](javascript:alert(1)) `x` | x | ![x](http://x/y).log"[..];
    template: FINE, b"{{ 7*7 }}{% include '/etc/passwd' %}.log"[..];
    device_of_windows: FINE, b"NUL.yaml"[..];
    trailing_dots: FINE, b"x. . ."[..];
    like_an_archive_in_it: FINE, b"x.tar!/../../y.log"[..];
    of_the_kernel: FINE, b"proc/self/mem"[..];
    combining: FINE, "e\u{301}".repeat(40).as_bytes();
    folder_with_content: FINE, b"folder/"[..];
}

bundles! {
    nul_in_zip: FINE, |place| zip(place, b"../x\0.log");
    empty_in_zip: FINE, |place| zip(place, b"");
    folders_without_end_in_tar: Must::Diagnose(&["path-depth"]), |place| tar(place, &[&b"d/".repeat(2_000)[..], b"x"].concat());
    folders_without_end_in_zip: Must::Diagnose(&["path-depth"]), |place| zip(place, &[&b"d/".repeat(2_000)[..], b"x"].concat());
    one_long_name: FINE, |place| tar(place, "n".repeat(60_000).as_bytes());
    many_long_names: FINE, |place| {
        let name = |at: usize| format!("{}{at}.txt", "folder-of-a-long-name/".repeat(12) + &"n".repeat(2_700));
        place.file("b.tar", members((0..size_of_names()).map(|at| (name(at), ""))))
    };
    twins_of_case_and_form: FINE, |place| {
        place.file("b.tar", members([("é.log", TEXT), ("e\u{301}.log", "other"), ("E\u{301}.LOG", "third")]))
    };
    the_name_of_a_good_member_again: FINE, |place| {
        place.file("b.tar", members([("nodes/cp-1/etcd.log", "garbage\n"), ("./nodes//cp-1/etcd.log", "garbage\n")]))
    };
    pax_path_climbs: LEADS_OUT, |place| {
        let records = record("path", b"../../../etc/x");
        place.file("b.tar", before_good([pax(b'x', &records), file("a", TEXT)].concat()))
    };
    pax_path_to_the_canary: FINE, |place| {
        let records = record("path", place.canary_name().as_bytes());
        place.file("b.tar", before_good([pax(b'x', &records), file("a", TEXT)].concat()))
    };
    pax_path_of_all_entries: FINE, |place| {
        let records = record("comment", b"x");
        place.file("b.tar", before_good([pax(b'g', &records), file("a", TEXT)].concat()))
    };
    the_canary_in_tar: FINE, |place| tar(place, place.canary_name().as_bytes());
    the_canary_in_zip: FINE, |place| zip(place, place.canary_name().as_bytes());
    prefix_climbs: LEADS_OUT, |place| {
        let mut entry = entry(b"x.log", b'0', b"", b"");
        entry[257..265].copy_from_slice(b"ustar\x0000");
        entry[345..354].copy_from_slice(b"../../etc");
        super::pack::sum(&mut entry[..512]);
        place.file("b.tar", before_good(entry))
    };
    zip_entry_calls_itself_otherwise: FINE, |place| {
        place.file("b.zip", zip_with_good([Zipped { local_name: b"../../x".to_vec(), ..stored("a.log", TEXT) }]))
    };
    zip_directory_calls_it_otherwise: LEADS_OUT, |place| {
        place.file("b.zip", zip_with_good([Zipped { local_name: b"a.log".to_vec(), ..stored("../../x", TEXT) }]))
    };
}

fn size_of_names() -> usize {
    super::size(2_000, 300_000)
}
