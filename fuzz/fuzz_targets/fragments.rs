//! Any text as what stands inside of others: times, wrapped lines, refusals, ages, masks, the lines of a collapsed table.

#![no_main]

use facts::{human_duration, masked_text, stamp};
use parse::{collapsed, cri, failure, interrupted, other_text, time, wrapped};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = (cri::prefix(bytes), time::klog(bytes), time::date(bytes), time::epoch(bytes));
    let _ = (wrapped::unwrap(bytes), wrapped::without_colours(bytes));
    let text = String::from_utf8_lossy(bytes);
    let _ = (failure::trouble(&text), failure::state(&text), failure::not_allowed(&text), failure::forbidden(&text));
    let _ = (interrupted::at(&text), interrupted::anywhere(&text), other_text::reason(&text));
    let _ = (human_duration::parse(&text), human_duration::last_seen(&text), stamp::time_of(&text));
    let _ = (masked_text::is_mask(&text), masked_text::masked(&text));
    let lines: Vec<&str> = text.lines().collect();
    let _ = collapsed::read(&lines);
});
