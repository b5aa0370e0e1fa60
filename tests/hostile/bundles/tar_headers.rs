//! Headers of tar that lie: about sizes, checksums, and in the extensions of GNU and PAX.

use super::pack::{after_good, before_good, entry, file, good_entries, header, pax, record, sum, with_body};
use super::{Must, bundles, size};

const FINE: Must = Must::Diagnose(&[]);
/// The field of the size.
const SIZE: usize = 124;

/// An entry with these bytes in place of its size.
fn sized(bytes: &[u8; 12]) -> Vec<u8> {
    let mut out = file("a.log", "a\n");
    out[SIZE..SIZE + 12].copy_from_slice(bytes);
    sum(&mut out[..512]);
    out
}

fn base256(bytes: [u8; 8]) -> [u8; 12] {
    let mut field = [0; 12];
    field[0] = 0x80;
    field[4..].copy_from_slice(&bytes);
    field
}

bundles! {
    size_that_is_no_number: FINE, |place| place.file("b.tar", before_good(sized(b"zzzzzzzzzzz\0")));
    size_that_is_blank: FINE, |place| place.file("b.tar", before_good(sized(b"            ")));
    size_below_zero: FINE, |place| place.file("b.tar", before_good(sized(&[0xff; 12])));
    size_of_two_to_the_63: FINE, |place| place.file("b.tar", before_good(sized(&base256((1u64 << 63).to_be_bytes()))));
    size_of_all_ones: FINE, |place| place.file("b.tar", before_good(sized(&base256([0xff; 8]))));
    size_of_eight_gigabytes: FINE, |place| place.file("b.tar", before_good(sized(b"77777777777\0")));
    size_larger_than_the_rest: FINE, |place| place.file("b.tar", before_good(sized(b"00000777777\0")));
    size_behind_the_good_half: Must::Diagnose(&["ends early"]), |place| {
        place.file("b.tar", after_good(sized(b"77777777777\0")))
    };
    checksum_that_is_wrong: Must::Diagnose(&["damaged"]), |place| {
        let mut bad = file("a.log", "a\n");
        bad[150] ^= 1;
        place.file("b.tar", before_good(bad))
    };
    checksum_that_is_blank: Must::Diagnose(&["damaged"]), |place| {
        let mut bad = file("a.log", "a\n");
        bad[148..156].fill(b' ');
        place.file("b.tar", before_good(bad))
    };
    checksum_of_signed_bytes: FINE, |place| {
        let mut old = file("\u{e9}\u{e9}.log", "a\n");
        old[148..156].fill(b' ');
        let sum: i32 = old[..512].iter().map(|byte| i32::from(byte.cast_signed())).sum();
        old[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        place.file("b.tar", before_good(old))
    };
    every_number_is_garbage: FINE, |place| {
        let mut bad = header(b"a.log", b'0', b"", 0);
        bad[100..124].fill(b'9');
        bad[136..148].fill(0xff);
        sum(&mut bad);
        place.file("b.tar", before_good(bad))
    };
    types_that_nobody_knows: FINE, |place| {
        let known = *b"\x0001234567LKxgXNSDMV";
        let kinds = (0..=255).filter(|kind| !known.contains(kind));
        let entries = kinds.flat_map(|kind| entry(format!("t{kind}").as_bytes(), kind, b"", b"x"));
        place.file("b.tar", before_good(entries.collect::<Vec<u8>>()))
    };
    old_and_contiguous_files: FINE, |place| {
        place.file("b.tar", before_good([entry(b"a", b'\0', b"", b"x"), entry(b"b", b'7', b"", b"x")].concat()))
    };
    folder_with_a_body: FINE, |place| place.file("b.tar", before_good(entry(b"d/", b'5', b"", b"x")));
    volumes_and_their_parts: FINE, |place| {
        place.file("b.tar", before_good([entry(b"v", b'V', b"", b""), entry(b"m", b'M', b"", b"rest of a file")].concat()))
    };
    listing_of_a_folder_with_lies: FINE, |place| {
        place.file("b.tar", before_good(entry(b"d/", b'D', b"", b"Y../../etc/passwd\0Nx\0\0")))
    };
    long_name_of_a_gigabyte: FINE, |place| {
        let claim = header(b"././@LongLink", b'L', b"", 1 << 30);
        place.file("b.tar", before_good(claim))
    };
    long_name_without_an_entry: FINE, |place| place.file("b.tar", after_good(with_body(header(b"././@LongLink", b'L', b"", 5), b"a/b/c")));
    long_name_twice: FINE, |place| {
        let long = |name: &[u8]| with_body(header(b"././@LongLink", b'L', b"", name.len() as u64), name);
        place.file("b.tar", before_good([long(b"one"), long(b"../../two"), file("three", "x")].concat()))
    };
    long_names_without_end: FINE, |place| {
        let long = with_body(header(b"././@LongLink", b'L', b"", 2), b"x\0");
        place.file("b.tar", before_good(long.repeat(size(5_000, 200_000))))
    };
    long_name_of_two_megabytes: FINE, |place| {
        let name = vec![b'n'; 2 << 20];
        let long = with_body(header(b"././@LongLink", b'L', b"", name.len() as u64), &name);
        place.file("b.tar", before_good([long, file("short", "x")].concat()))
    };
    long_target_of_two_megabytes: FINE, |place| {
        let target = b"x/".repeat(1 << 20);
        let long = with_body(header(b"././@LongLink", b'K', b"", target.len() as u64), &target);
        place.file("b.tar", before_good([long, entry(b"l", b'2', b"short", b"")].concat()))
    };
    pax_size_smaller_than_the_truth: FINE, |place| {
        place.file("b.tar", before_good([pax(b'x', &record("size", b"1")), file("a.log", "x".repeat(3_000))].concat()))
    };
    pax_size_larger_than_the_rest: FINE, |place| {
        place.file("b.tar", before_good([pax(b'x', &record("size", b"99999999")), file("a.log", "x")].concat()))
    };
    pax_size_beyond_numbers: FINE, |place| {
        let records = record("size", b"99999999999999999999999999999999");
        place.file("b.tar", before_good([pax(b'x', &records), file("a.log", "x")].concat()))
    };
    pax_path_with_nul: FINE, |place| {
        place.file("b.tar", before_good([pax(b'x', &record("path", b"a\0../../b")), file("a.log", "x")].concat()))
    };
    pax_lengths_that_lie: FINE, |place| {
        let lies: [&[u8]; 6] = [b"999 path=x\n", b"0 path=x\n", b"-5 path=x\n", b"path=x\n", b"99999999999999999999 a=b\n", b"5 a\n"];
        let entries = lies.iter().flat_map(|lie| [pax(b'x', lie), file("a.log", "x")].concat());
        place.file("b.tar", before_good(entries.collect::<Vec<u8>>()))
    };
    pax_records_without_number: FINE, |place| {
        let records: Vec<u8> = (0..size(5_000, 100_000)).flat_map(|at| record(&format!("k{at}"), b"v")).collect();
        place.file("b.tar", before_good([pax(b'x', &records), file("a.log", "x")].concat()))
    };
    pax_record_of_megabytes: FINE, |place| {
        let records = record("comment", &vec![b'x'; size(3 << 20, 60 << 20)]);
        place.file("b.tar", before_good([pax(b'x', &records), file("a.log", "x")].concat()))
    };
    pax_of_pax: FINE, |place| {
        place.file("b.tar", before_good([pax(b'x', &record("path", b"one")).repeat(100), file("a.log", "x")].concat()))
    };
    pax_link_to_the_canary: Must::Diagnose(&["outside of the bundle"]), |place| {
        let records = record("linkpath", place.canary_name().as_bytes());
        place.file("b.tar", before_good([pax(b'x', &records), entry(b"l.log", b'2', b"a", b"")].concat()))
    };
    sparse_of_a_terabyte_in_pax: Must::Diagnose(&["sparse file"]), |place| {
        let records = [
            record("GNU.sparse.major", b"1"),
            record("GNU.sparse.minor", b"0"),
            record("GNU.sparse.name", b"big.log"),
            record("GNU.sparse.realsize", b"1099511627776"),
        ];
        place.file("b.tar", before_good([pax(b'x', &records.concat()), file("x", "1\n0\n1\n")].concat()))
    };
    sparse_of_a_terabyte_in_the_header: Must::Diagnose(&["sparse file"]), |place| {
        let mut bad = header(b"big.log", b'S', b"", 0);
        bad[483..495].copy_from_slice(b"77777777777\0");
        sum(&mut bad);
        place.file("b.tar", before_good(bad))
    };
    sparse_map_without_end: FINE, |place| {
        let mut bad = header(b"big.log", b'S', b"", 0);
        bad[482] = 1;
        sum(&mut bad);
        let mut more = vec![0; 512];
        more[504] = 1;
        place.file("b.tar", after_good([bad, more.repeat(size(200, 100_000))].concat()))
    };
    good_half_behind_an_end_mark: Must::Diagnose(&[]), |place| {
        let mut entries = file("a.log", "x\n");
        entries.resize(entries.len() + 10_240, 0);
        place.file("b.tar", before_good(entries))
    };
    zeros_before_it: FINE, |place| place.file("b.tar", before_good([file("a.log", "x\n"), vec![0; 512]].concat()));
    archive_behind_an_archive: FINE, |place| {
        place.file("b.tar", [before_good(file("a.log", "x\n")), after_good(file("b.log", "x\n"))].concat())
    };
    garbage_between_entries: Must::Diagnose(&["damaged"]), |place| {
        let garbage: Vec<u8> = (0..5_000u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        place.file("b.tar", before_good([file("a.log", "x\n"), garbage[..4_608].to_vec()].concat()))
    };
    every_header_but_the_good_ones_is_damaged: Must::Diagnose(&["damaged"]), |place| {
        let mut bad = file("a.log", "x\n").repeat(300);
        bad.chunks_mut(1_024).for_each(|entry| entry[3] ^= 0x55);
        place.file("b.tar", before_good(bad))
    };
    cut_within_a_header: Must::Diagnose(&["early"]), |place| {
        place.file("b.tar", [good_entries(), header(b"a.log", b'0', b"", 5)[..300].to_vec()].concat())
    };
    empty_members_without_number: FINE, |place| {
        let entries = (0..size(6_000, 190_000)).flat_map(|at| header(format!("e{at}").as_bytes(), b'0', b"", 0));
        place.file("b.tar", before_good(entries.collect::<Vec<u8>>()))
    };
    members_of_one_name: FINE, |place| {
        let entries = (0..size(3_000, 190_000)).flat_map(|_| file("a.log", "x\n"));
        place.file("b.tar", before_good(entries.collect::<Vec<u8>>()))
    };
}
