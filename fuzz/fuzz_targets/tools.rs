//! Any text as what tools print: each line by itself, as the header of a table with the lines behind it as rows, and as a
//! paste whose lines are all accounted for.

#![no_main]

use catalogue::tools;
use facts::origin::MemberId;
use intake::Limits;
use parse::scan::Literals;
use parse::transcript::dialect;
use parse::{member, wrapped};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut table = None;
    for line in text.lines() {
        let _ = (tools::line(line, None), tools::line(line, Some("helm")), tools::is_known(line));
        table = tools::table(line).or(table);
        let _ = table.as_ref().and_then(|table: &tools::Table| table.row(line));
    }
    let read = member::read(MemberId(0), "paste.txt", &mut &*bytes, &Literals::default(), &Limits::default());
    if let Some(session) = read.session {
        let plain = wrapped::without_colours(bytes);
        let clean = dialect::clean(&String::from_utf8_lossy(&plain));
        assert_eq!(session.account.lines().len(), clean.len());
    }
});
