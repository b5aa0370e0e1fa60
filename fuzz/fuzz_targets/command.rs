//! Any text as a command line, and as a member whose name could tell a kind.

#![no_main]

use parse::{answer, command};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = command::parse(text);
    let _ = answer::kind_hint(text);
});
