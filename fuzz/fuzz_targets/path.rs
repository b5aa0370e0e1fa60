//! Any text as a path: what parses prints as a path that parses to the same.

#![no_main]

use facts::path::Path;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(path) = Path::parse(text) {
        assert_eq!(Path::parse(&path.to_string()).ok(), Some(path));
    }
});
