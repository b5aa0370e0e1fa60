//! Any bytes as a bundle: a file of these bytes is read as what it seems to be.

#![no_main]

use facts::cut::Cut;
use facts::origin::MemberId;
use intake::{Limits, Source, Visitor};
use std::io::Read;

struct Drain;

impl Visitor for Drain {
    fn member(&mut self, _id: MemberId, _name: &str, body: &mut dyn Read) {
        let _ = std::io::copy(body, &mut std::io::sink());
    }

    fn cut(&mut self, _id: MemberId, _cut: &Cut) {}
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let path = std::env::temp_dir().join(format!("casefile-fuzz-{}", std::process::id()));
    if std::fs::write(&path, bytes).is_ok() {
        let limits = Limits { total_bytes: 1 << 24, ..Limits::default() };
        let _ = intake::read(&Source::Path(path), &limits, &mut 0, &mut Drain);
    }
});
