//! Any bytes as a pasted terminal session.

#![no_main]

use casefile::facts::origin::MemberId;
use casefile::intake::Limits;
use casefile::parse::scan::Literals;
use casefile::parse::transcript::{self, cut};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let lines = cut::clean(&text);
    let mut next = 0;
    for part in cut::cut(&lines) {
        assert_eq!(part.typed.start, next);
        assert_eq!(part.follows.start, part.typed.end);
        next = part.follows.end;
    }
    assert_eq!(next, lines.len());
    let literals = Literals::new(["no leader".to_owned()]);
    let _ = transcript::read(MemberId(0), &text, &literals, &Limits::default());
});
