//! Any bytes as a table of kubectl.

#![no_main]

use facts::origin::MemberId;
use parse::answer::Asked;
use parse::table;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let asked = Asked { member: MemberId(0), name: "get-machines.txt", command: None };
    let _ = table::try_parse(&asked, &text);
});
