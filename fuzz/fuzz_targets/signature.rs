//! Any text as a file of signatures: it loads, or the error says where it does not.

#![no_main]

use signature::load::Library;
use signature::pack::Pack;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let pack = Pack::of("fuzz", vec![("one.yaml".to_owned(), text.to_owned())]);
    let _ = Library::of(&[pack]);
});
