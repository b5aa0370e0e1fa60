//! Any line: a glance and a full parse return, and agree.

#![no_main]

libfuzzer_sys::fuzz_target!(|line: &str| {
    let seen = parse::line::glance(line.as_bytes());
    let full = parse::line::parse(line);
    assert_eq!((seen.time, seen.level, seen.format), (full.time, full.level, full.format));
});
