//! Any bytes as a pasted terminal session.

#![no_main]

use facts::origin::MemberId;
use intake::Limits;
use parse::scan::Literals;
use parse::transcript;
use parse::transcript::{cut, dialect};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let lines = dialect::clean(&text);
    let mut next = 0;
    for part in cut::cut(&lines) {
        assert_eq!(part.typed.start, next);
        assert_eq!(part.follows.start, part.typed.end);
        next = part.follows.end;
    }
    assert_eq!(next, lines.len());
    let literals = Literals::new(["no leader".to_owned()]);
    let _ = transcript::read(MemberId(0), "ticket.md", &text, &literals, &Limits::default());
});
