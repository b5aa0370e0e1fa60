//! Any bytes as JSON.

#![no_main]

use facts::origin::MemberId;
use intake::Limits;
use parse::manifest;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = manifest::read_json(MemberId(0), "objects.json", bytes, &Limits::default());
});
