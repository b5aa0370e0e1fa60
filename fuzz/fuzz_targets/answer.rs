//! Any bytes as what kubectl says instead of a document.

#![no_main]

use facts::origin::MemberId;
use parse::answer;
use parse::answer::Asked;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let asked = Asked { member: MemberId(0), name: "get-pods.txt", command: None };
    let _ = answer::try_parse(&asked, &text);
});
