//! Any bytes as a file that a collector wrote about itself, for every such file that is known.

#![no_main]

use facts::origin::MemberId;
use layout::{LAYOUTS, apply, hint};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for rule in LAYOUTS.iter().flat_map(|layout| layout.rules) {
        let name = rule.path.replace(['{', '}'], "").replace('*', "x");
        let hint = hint(&name);
        if !hint.manifests.is_empty() {
            let _ = apply::read(MemberId(0), &name, &hint, bytes);
        }
    }
});
