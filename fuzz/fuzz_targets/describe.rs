//! Any bytes as output of `kubectl describe`.

#![no_main]

use facts::origin::MemberId;
use parse::describe;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let _ = describe::try_parse(MemberId(0), "describe-machine.txt", &text);
});
