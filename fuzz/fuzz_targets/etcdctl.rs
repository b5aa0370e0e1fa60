//! Any bytes as output of etcdctl.

#![no_main]

use facts::origin::MemberId;
use parse::etcdctl;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let _ = etcdctl::try_parse(MemberId(0), "health-cp-1.txt", &text);
});
