//! Any text as a condition of a signature.

#![no_main]

use signature::condition;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = condition::parse(text);
});
