//! Zip archives whose directory, entries and ends contradict each other.

use super::pack::{Zipped, deflated, good_zipped, stored, zip, zip_parts, zip_with_good};
use super::{Must, bundles, size};

const FINE: Must = Must::Diagnose(&[]);

/// The fields of zip64 of an entry.
fn zip64(values: &[u64]) -> Vec<u8> {
    let mut out = 1u16.to_le_bytes().to_vec();
    out.extend(u16::try_from(values.len() * 8).unwrap().to_le_bytes());
    out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    out
}

bundles! {
    encrypted: Must::Diagnose(&["encrypted"]), |place| {
        place.file("b.zip", zip_with_good([Zipped { flags: 0x801, ..stored("a.log", "x".repeat(40)) }]))
    };
    encrypted_directory: FINE, |place| {
        place.file("b.zip", zip_with_good([Zipped { flags: 0x2841, ..stored("a.log", "x".repeat(40)) }]))
    };
    compression_that_nobody_knows: Must::Diagnose(&["is not supported"]), |place| {
        let entries = [1, 6, 9, 14, 97, 98, 99].map(|method| Zipped { method, ..stored(format!("m{method}"), "x".repeat(40)) });
        place.file("b.zip", zip_with_good(entries))
    };
    stored_size_that_lies: FINE, |place| {
        place.file("b.zip", zip_with_good([Zipped { packed: 4_000_000_000, size: 4_000_000_000, ..stored("a.log", "x\n") }]))
    };
    deflated_size_that_lies: FINE, |place| {
        place.file("b.zip", zip_with_good([Zipped { size: u32::MAX - 1, ..deflated("a.log", "x\n".repeat(500)) }]))
    };
    deflated_garbage: FINE, |place| {
        place.file("b.zip", zip_with_good([Zipped { data: vec![0xff; 400], packed: 400, ..deflated("a.log", "x") }]))
    };
    checksum_that_lies: Must::Diagnose(&["checksum"]), |place| {
        place.file("b.zip", zip_with_good([Zipped { crc: 1, ..deflated("a.log", "x\n".repeat(50)) }]))
    };
    entries_that_share_their_bytes: Must::Diagnose(&["share their bytes"]), |place| {
        let one = deflated("a.log", "x\n".repeat(20_000));
        let mut all = vec![one.clone()];
        all.extend((0..size(500, 60_000)).map(|at| Zipped {
            name: format!("a{at}.log").into_bytes(),
            local_name: Vec::new(),
            offset: Some(0),
            ..one.clone()
        }));
        // The others hold no bytes of their own.
        for entry in &mut all[1..] {
            entry.data.clear();
        }
        place.file("b.zip", zip_with_good(all))
    };
    entries_within_entries: FINE, |place| {
        let inner = zip(&[stored("inner.log", "x\n".repeat(500))]);
        let outer = stored("outer.log", &inner);
        let within = Zipped { offset: Some(30 + 9), data: Vec::new(), ..stored("inner.log", "x\n".repeat(500)) };
        place.file("b.zip", zip_with_good([outer, within]))
    };
    offset_behind_the_end: FINE, |place| {
        place.file("b.zip", zip_with_good([Zipped { offset: Some(u32::MAX - 1), ..stored("a.log", "x\n") }]))
    };
    offset_into_the_directory: FINE, |place| {
        let (body, _, _) = zip_parts(&good_zipped());
        let at = u32::try_from(body.len()).unwrap() + 40;
        place.file("b.zip", zip_with_good([Zipped { offset: Some(at), ..stored("a.log", "x\n") }]))
    };
    more_entries_than_there_are: FINE, |place| {
        let (body, directory, mut end) = zip_parts(&good_zipped());
        end[8..12].fill(0xfe);
        place.file("b.zip", [body, directory, end].concat())
    };
    fewer_entries_than_there_are: FINE, |place| {
        let (body, directory, mut end) = zip_parts(&good_zipped());
        end[8..12].copy_from_slice(&[1, 0, 1, 0]);
        place.file("b.zip", [body, directory, end].concat())
    };
    directory_that_is_elsewhere: FINE, |place| {
        let (body, directory, mut end) = zip_parts(&good_zipped());
        end[16..20].copy_from_slice(&7u32.to_le_bytes());
        place.file("b.zip", [body, directory, end].concat())
    };
    no_directory: Must::Diagnose(&["the directory at the end of the zip is missing"]), |place| {
        place.file("b.zip", zip_parts(&good_zipped()).0)
    };
    two_ends: FINE, |place| {
        let (body, directory, end) = zip_parts(&good_zipped());
        let empty = zip(&[]);
        place.file("b.zip", [body, directory, end, empty].concat())
    };
    end_within_the_comment: FINE, |place| {
        let mut bytes = zip(&good_zipped());
        let at = bytes.len() - 2;
        bytes[at..].copy_from_slice(&22u16.to_le_bytes());
        bytes.extend(zip(&[]));
        place.file("b.zip", bytes)
    };
    something_before_it: Must::Refuse(&["no known format"]), |place| {
        place.file("b.zip", [b"MZ this program cannot be run\n".repeat(50), zip(&good_zipped())].concat())
    };
    zip64_sizes_of_two_to_the_63: FINE, |place| {
        let lie = Zipped { extra: zip64(&[1 << 63, 1 << 63]), size: u32::MAX, packed: u32::MAX, ..stored("a.log", "x\n") };
        place.file("b.zip", zip_with_good([lie]))
    };
    zip64_offset_behind_all: FINE, |place| {
        let lie = Zipped { extra: zip64(&[u64::MAX - 3]), offset: Some(u32::MAX), ..stored("a.log", "x\n") };
        place.file("b.zip", zip_with_good([lie]))
    };
    zip64_end_that_lies: FINE, |place| {
        let (body, directory, mut end) = zip_parts(&good_zipped());
        end[8..20].fill(0xff);
        let mut locator = b"PK\x06\x07\0\0\0\0".to_vec();
        locator.extend(u64::MAX.to_le_bytes());
        locator.extend(1u32.to_le_bytes());
        place.file("b.zip", [body, directory, locator, end].concat())
    };
    extra_field_longer_than_all: FINE, |place| {
        let entries: Vec<Zipped> = good_zipped().into_iter().chain([Zipped { extra_length: Some(60_000), ..stored("a.log", "x\n") }]).collect();
        place.file("b.zip", zip(&entries))
    };
    sizes_behind_the_content: FINE, |place| {
        let entry = Zipped { flags: 0x808, ..deflated("a.log", "x\n".repeat(40)) };
        let mut bytes = entry.data.clone();
        bytes.extend(b"PK\x07\x08\x01\x02\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff");
        place.file("b.zip", zip_with_good([Zipped { data: bytes, ..entry }]))
    };
    entries_without_number: FINE, |place| {
        place.file("b.zip", zip_with_good((0..size(4_000, 60_000)).map(|at| stored(format!("e{at}"), ""))))
    };
    bomb_of_one_entry: Must::Diagnose(&["repeated"]), |place| {
        place.file("b.zip", zip_with_good([deflated("a.log", vec![b'\n'; size(20 << 20, 1 << 30)])]))
    };
    zips_within_zips: Must::Diagnose(&["archive-depth"]), |place| {
        let mut inner = zip(&[stored("deep.log", "x\n")]);
        for _ in 0..8 {
            inner = zip(&[stored("x.zip", &inner)]);
        }
        place.file("b.zip", zip_with_good([stored("x.zip", inner)]))
    };
    zips_beside_zips: FINE, |place| {
        let one = zip(&[deflated("a.log", "a line that is said again\n".repeat(size(2_000, 2_000_000)))]);
        let many = zip(&(0..16).map(|at| stored(format!("{at}.zip"), &one)).collect::<Vec<_>>());
        place.file("b.zip", zip_with_good((0..size(4, 16)).map(|at| deflated(format!("{at}.zip"), &many))))
    };
    zip_that_is_called_a_tar: FINE, |place| place.file("b.tar.gz", zip(&good_zipped()));
}
