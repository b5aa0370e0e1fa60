//! Compressions: bombs of every decoder, layers of them, streams that are joined, cut or damaged.

use super::pack::{after_good, before_good, bzip2, deflated, file, gzip, members, xz, zip_with_good, zstd};
use super::{Must, bundles, size};

const FINE: Must = Must::Diagnose(&[]);
const REPEATED: Must = Must::Diagnose(&["repeated"]);
const EARLY: Must = Must::Diagnose(&["early"]);

/// Lines that differ from their neighbours and are said over and over.
fn turning(bytes: usize) -> Vec<u8> {
    let block: Vec<u8> = (0..5_000).flat_map(|at| format!("word{at} is told\n").into_bytes()).collect();
    block.iter().copied().cycle().take(bytes).collect()
}

fn noise(bytes: usize) -> Vec<u8> {
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as u8
    };
    (0..bytes).map(|_| next()).collect()
}

fn damaged(mut bytes: Vec<u8>) -> Vec<u8> {
    let middle = bytes.len() / 2;
    bytes[middle..middle + 40].fill(0x5a);
    bytes
}

fn half(bytes: Vec<u8>) -> Vec<u8> {
    bytes[..bytes.len() / 2].to_vec()
}

bundles! {
    gzip_of_line_ends: REPEATED, |place| {
        place.file("b.tar.gz", gzip(&members([("a.log.gz", gzip(&vec![b'\n'; size(16 << 20, 2 << 30)]))])))
    };
    xz_of_line_ends: REPEATED, |place| {
        place.file("b.tar.xz", xz(&members([("a.log.xz", xz(&vec![b'\n'; size(16 << 20, 2 << 30)]))])))
    };
    zstd_of_line_ends: REPEATED, |place| {
        place.file("b.tar.zst", zstd(&members([("a.log.zst", zstd(&vec![b'\n'; size(16 << 20, 2 << 30)]))])))
    };
    bzip2_of_line_ends: REPEATED, |place| {
        place.file("b.tar.bz2", bzip2(&members([("a.log.bz2", bzip2(&vec![b'\n'; size(8 << 20, 1 << 30)]))])))
    };
    gzip_of_zeros: FINE, |place| place.file("b.tar.gz", gzip(&members([("a.bin.gz", gzip(&vec![0; size(32 << 20, 4 << 30)]))])));
    gzip_of_words: FINE, |place| place.file("b.tar.gz", gzip(&members([("a.log.gz", gzip(&turning(size(2 << 20, 2 << 30))))])));
    gzip_of_a_table: FINE, |place| {
        let rows: Vec<u8> = turning(size(300 << 10, 1 << 30)).into_iter().map(|byte| if byte == b' ' { b'\t' } else { byte }).collect();
        place.file("b.tar.gz", gzip(&members([("get-pods.txt.gz", gzip(&[b"NAME   READY   STATUS\n".to_vec(), rows].concat()))])))
    };
    gzip_of_prompts: FINE, |place| {
        let text = "[root@m ~]# kubectl get pods\nNo resources found in default namespace.\n".repeat(size(1_000, 10_000_000));
        place.file("b.tar.gz", gzip(&members([("session.txt.gz", gzip(text.as_bytes()))])))
    };
    gzip_of_anchors: FINE, |place| {
        let text = "kind: Pod\nmetadata: {name: &a x}\n---\n".repeat(size(2_000, 10_000_000));
        place.file("b.tar.gz", gzip(&members([("pods.yaml.gz", gzip(text.as_bytes()))])))
    };
    gzip_of_a_list: FINE, |place| {
        let text = format!("[{}0]", "0,".repeat(size(100_000, 500_000_000)));
        place.file("b.tar.gz", gzip(&members([("x.json.gz", gzip(text.as_bytes()))])))
    };
    zip_of_words: FINE, |place| place.file("b.zip", zip_with_good([deflated("a.log", turning(size(2 << 20, 1 << 30)))]));
    layers_of_gzip: Must::Diagnose(&["archive-depth"]), |place| {
        let layers = (0..30).fold(b"text\n".to_vec(), |inner, _| gzip(&inner));
        place.file("b.tar", members([("a.gz", layers)]))
    };
    layers_of_all_kinds: FINE, |place| {
        let layers = gzip(&xz(&zstd(&bzip2(b"text\n"))));
        place.file("b.tar", members([("a.bz2.zst.xz.gz", layers)]))
    };
    archives_of_all_kinds_within_each_other: FINE, |place| {
        let inner = members([("deep.log", "x\n")]);
        let inner = members([("deep.tar.xz", xz(&inner))]);
        let inner = members([("deep.tar.zst", zstd(&inner))]);
        place.file("b.tar.gz", gzip(&members([("deep.tar.bz2", bzip2(&inner))])))
    };
    gzip_that_is_cut: EARLY, |place| {
        place.file("b.tar.gz", &gzip(&after_good(file("n.bin", noise(400_000))))[..300_000])
    };
    xz_that_is_cut: EARLY, |place| place.file("b.tar", members([("a.log.xz", half(xz(&noise(100_000))))]));
    zstd_that_is_cut: EARLY, |place| place.file("b.tar", members([("a.log.zst", half(zstd(&noise(400_000))))]));
    bzip2_that_is_cut: FINE, |place| place.file("b.tar", members([("a.log.bz2", half(bzip2(&noise(400_000))))]));
    gzip_that_is_damaged: FINE, |place| place.file("b.tar", members([("a.log.gz", damaged(gzip(&turning(400_000))))]));
    xz_that_is_damaged: FINE, |place| place.file("b.tar", members([("a.log.xz", damaged(xz(&turning(400_000))))]));
    zstd_that_is_damaged: FINE, |place| place.file("b.tar", members([("a.log.zst", damaged(zstd(&turning(400_000))))]));
    bzip2_that_is_damaged: FINE, |place| place.file("b.tar", members([("a.log.bz2", damaged(bzip2(&turning(400_000))))]));
    gzip_of_a_wrong_checksum: FINE, |place| {
        let mut bytes = gzip(b"a line\n");
        let at = bytes.len() - 6;
        bytes[at] ^= 1;
        place.file("b.tar", members([("a.log.gz", bytes)]))
    };
    gzip_with_a_name_without_end: FINE, |place| {
        let mut bytes = gzip(b"a line\n");
        bytes[3] = 8;
        let name = [b"../".repeat(size(100_000, 5_000_000)), vec![0]].concat();
        bytes.splice(10..10, name);
        place.file("b.tar", members([("a.log.gz", bytes)]))
    };
    gzip_of_empty_streams: FINE, |place| {
        place.file("b.tar", members([("a.log.gz", gzip(b"").repeat(size(5_000, 1_000_000)))]))
    };
    gzip_with_garbage_behind: FINE, |place| {
        place.file("b.tar.gz", [gzip(&before_good(file("a.log", "x\n"))), noise(5_000)].concat())
    };
    gzip_with_zeros_behind: FINE, |place| {
        place.file("b.tar.gz", [gzip(&before_good(file("a.log", "x\n"))), vec![0; 50_000]].concat())
    };
    streams_of_xz_with_padding: FINE, |place| {
        let streams = [xz(b"a\n"), vec![0; 4_096], xz(b"b\n")].concat();
        place.file("b.tar", members([("a.log.xz", streams)]))
    };
    xz_of_a_huge_dictionary: FINE, |place| {
        let mut bytes = xz(b"a line\n");
        // The size of the dictionary stands in the properties of the filter: as large as there is.
        if let Some(at) = bytes.windows(2).position(|window| window == [0x21, 0x01]) {
            bytes[at + 2] = 40;
        }
        place.file("b.tar", members([("a.log.xz", bytes)]))
    };
    lzma_of_a_huge_dictionary: FINE, |place| {
        let bytes = [&[0x5d, 0xff, 0xff, 0xff, 0xff][..], &[0xff; 8], &noise(200)].concat();
        place.file("b.tar", members([("a.log.lzma", bytes)]))
    };
    zstd_of_a_huge_window: FINE, |place| {
        // A frame that says its window has two terabytes, and one raw block.
        let bytes = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xf8, 0x11, 0x00, 0x00, b'a', b'\n'];
        place.file("b.tar", members([("a.log.zst", bytes)]))
    };
    zstd_of_repeated_blocks: REPEATED, |place| {
        let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
        // Blocks of one byte, 128 KiB times.
        for _ in 0..size(200, 8_000) {
            bytes.extend([0x02, 0x00, 0x10, b'\n']);
        }
        bytes.extend([0x01, 0x00, 0x00]);
        place.file("b.tar", members([("a.log.zst", bytes)]))
    };
    zstd_of_frames_to_skip: FINE, |place| {
        let skipped = [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0].repeat(size(10_000, 1_000_000));
        place.file("b.tar", members([("a.log.zst", [skipped, zstd(b"a line\n")].concat())]))
    };
    endings_that_lie: FINE, |place| {
        place.file("b.tar", members([("a.gz", "a line\n"), ("a.tar", "a line\n"), ("a.zip", "a line\n"), ("a.zst", "x"), ("a.xz", ""), ("a.bz2", "BZh")]))
    };
    beginnings_that_lie: FINE, |place| {
        let begins: [(&str, &[u8]); 6] = [
            ("g.log", b"\x1f\x8b\x08 a line\n"), ("z.log", b"PK\x03\x04 a line\n"), ("x.log", b"\xfd7zXZ\0 a line\n"),
            ("b.log", b"BZh9 a line\n"), ("s.log", b"\x28\xb5\x2f\xfd a line\n"), ("7.log", b"7z\xbc\xaf\x27\x1c a line\n"),
        ];
        place.file("b.tar", members(begins))
    };
}
