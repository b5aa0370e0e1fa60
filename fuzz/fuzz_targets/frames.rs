//! Any bytes as the logs of `kubectl cluster-info dump`: the lines of a log stand inside its frame.

#![no_main]

use facts::origin::MemberId;
use intake::Limits;
use parse::frames;
use parse::scan::Literals;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let literals = Literals::new(["error".to_owned()]);
    let lines = bytes.split(|byte| *byte == b'\n').count() as u64;
    let framed = frames::read(MemberId(0), bytes, 0, &literals, &Limits::default());
    assert!(framed.iter().map(|one| one.log.lines()).sum::<u64>() <= lines);
});
