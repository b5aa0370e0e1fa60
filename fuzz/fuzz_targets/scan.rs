//! Any bytes as a log, with short lines so that cutting is reached.

#![no_main]

use facts::origin::MemberId;
use intake::Limits;
use parse::scan::{Literals, scan};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let literals = Literals::new(["a", "ab", "error"].map(str::to_owned));
    let limits = Limits { line_bytes: 64, ..Limits::default() };
    let log = scan(MemberId(0), bytes, &literals, &limits);
    assert_eq!(log.tally.bytes, bytes.len() as u64);
});
