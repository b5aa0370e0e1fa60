//! Any bytes as a member whose format its content decides.

#![no_main]

use facts::origin::MemberId;
use intake::Limits;
use parse::member;
use parse::scan::Literals;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut body = bytes;
    let literals = Literals::new(["error".to_owned()]);
    let _ = member::read(MemberId(0), "notes.txt", &mut body, &literals, &Limits::default());
});
