//! Every form of `tests/data/hostile/secret-forms.txt` with secrets drawn by lot, through the mask.

use super::{mask_text, mask_unknown};
use planted::{Lot, forms, planted, shows};

#[path = "../../../tests/common/planted.rs"]
mod planted;

#[test]
fn no_form_of_a_secret_passes() {
    let (mut count, mut failed) = (0, Vec::new());
    for (form, seed) in forms().flat_map(|form| (1..=6).map(move |seed| (form, seed))) {
        let mut lot = Lot(seed * 7919 + form.len() as u64);
        for around in
            ["{}", "E0601 10:00:00.000000 1 x.go:1] failed: {} next", "{\"log\":\"{}\\n\",\"stream\":\"stderr\"}"]
        {
            let (inner, secrets) = planted(form, &mut lot);
            let inner =
                if around.starts_with("{\"log") { inner.replace('\\', "\\\\").replace('"', "\\\"") } else { inner };
            let text = around.replacen("{}", &inner, 1);
            let masked = mask_text(&text).0.into_owned();
            count += secrets.len();
            if secrets.iter().any(|secret| shows(&masked, secret)) {
                failed.push(format!("{form}\n    {text}\n    {masked}"));
            }
            assert_eq!(mask_text(&masked).0, masked, "masking twice changes {text}");
            let last_words = mask_unknown(&text).0;
            assert!(last_words.chars().count() <= super::UNKNOWN_SHOWN + 1, "{last_words}");
        }
    }
    assert!(count >= 5_000, "{count}");
    assert!(failed.is_empty(), "{} of {count} passed:\n{}", failed.len(), failed.join("\n"));
}
