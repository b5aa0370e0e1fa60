//! Whatever the bytes, a parser of log lines returns; and a glance and a full parse agree.

use facts::origin::MemberId;
use intake::Limits;
use parse::line::{glance, parse};
use parse::scan::{Literals, scan};
use proptest::prelude::*;

const LINES: &str = include_str!("../data/logs/lines.txt");

fn agree(line: &str) -> Result<(), TestCaseError> {
    let (seen, full) = (glance(line.as_bytes()), parse(line));
    prop_assert_eq!((seen.time, seen.level, seen.format), (full.time, full.level, full.format));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn any_text(line in "[\\PC\\t\\x00\\x1b]{0,120}") {
        agree(&line)?;
    }

    #[test]
    fn any_bytes(line in prop::collection::vec(any::<u8>(), 0..200)) {
        glance(&line);
        let limits = Limits { line_bytes: 50, ..Limits::default() };
        scan(MemberId(0), &line[..], &Literals::new(["a".to_owned(), "\n".to_owned()]), &limits);
    }

    #[test]
    fn real_lines_cut_and_changed(
        at in any::<prop::sample::Index>(),
        cut in any::<prop::sample::Index>(),
        change in any::<prop::sample::Index>(),
        byte in prop::sample::select(b"\"\\{}[]=:|. \t0Z\x00\xff".to_vec()),
    ) {
        let lines: Vec<&str> = LINES.lines().collect();
        let mut line = lines[at.index(lines.len())].as_bytes().to_vec();
        line.truncate(cut.index(line.len() + 1));
        if !line.is_empty() {
            let place = change.index(line.len());
            line[place] = byte;
        }
        agree(&String::from_utf8_lossy(&line))?;
    }
}

#[test]
fn the_fixtures_as_they_are() {
    for line in LINES.lines() {
        assert!(agree(line).is_ok(), "{line}");
        assert!(glance(line.as_bytes()).time.is_some(), "{line}");
    }
}
