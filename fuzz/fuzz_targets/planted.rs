//! A secret drawn by lot in one of the forms of the tests, with any lines around it: nothing of it comes out.

#![no_main]

#[path = "../../tests/common/planted.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the tests")]
mod planted_forms;

use parse::secrets::mask_text;
use planted_forms::{Lot, forms, planted, shows};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let &[high, low, one, two, ref around @ ..] = bytes else { return };
    let number = usize::from(u16::from_be_bytes([high, low])) % forms().count();
    let Some(form) = forms().nth(number) else { return };
    let (text, secrets) = planted(form, &mut Lot(u64::from(u16::from_be_bytes([one, two]))));
    let around = String::from_utf8_lossy(around);
    let (before, behind) = around.split_once('\n').unwrap_or((&around, ""));
    // What stands around it may itself be the secret.
    if secrets.iter().any(|secret| shows(&around, secret)) {
        return;
    }
    let all = format!("{before}\n{text}\n{behind}");
    let masked = mask_text(&all).0;
    for secret in secrets {
        assert!(!shows(&masked, &secret), "{form}\n{all}\n{masked}");
    }
});
