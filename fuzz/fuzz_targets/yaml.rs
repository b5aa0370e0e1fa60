//! Any bytes as YAML.

#![no_main]

use facts::origin::MemberId;
use intake::Limits;
use parse::manifest;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = manifest::read_yaml(MemberId(0), "objects.yaml", bytes, &Limits::default());
});
