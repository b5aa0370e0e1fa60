//! Texts in which nothing was found to mask, so that the same text is not searched again.
//!
//! Why: the objects of a cluster say the same a thousand times (labels, images, digests, paths of mounts), and to look for
//! secrets in each of them was a third of the time that a must-gather took.
//!
//! Invariants: a text is compared whole, never by its hash alone; what is remembered is bounded for each thread.

use foldhash::HashSet;
use std::cell::RefCell;

/// Bytes of a text that is worth remembering: longer ones rarely come twice.
const LONGEST: usize = 256;
/// Texts that a thread remembers; when there are more, it begins anew.
const REMEMBERED: usize = 8192;

thread_local! {
    static CLEAN: RefCell<HashSet<Box<str>>> = RefCell::default();
}

/// Was nothing found in this text before?
pub(super) fn is_known(text: &str) -> bool {
    text.len() <= LONGEST && CLEAN.with_borrow(|clean| clean.contains(text))
}

/// Remembers that nothing was found in a text.
pub(super) fn remember(text: &str) {
    if text.len() > LONGEST {
        return;
    }
    CLEAN.with_borrow_mut(|clean| {
        if clean.len() >= REMEMBERED {
            clean.clear();
        }
        clean.insert(text.into());
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::mask_field;

    #[test]
    fn what_is_clean_is_known_and_what_is_not_is_never() {
        let (clean, secret) = ("registry.example.com/shop/web:1.2.3", "postgres://app:H4ev5qM9A69sK2ud@db:5432/shop");
        for _ in 0..3 {
            assert_eq!(mask_field(clean).0, clean);
            assert!(!mask_field(secret).0.contains("H4ev5qM9A69sK2ud"));
        }
        assert!(is_known(clean) && !is_known(secret));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        (0..REMEMBERED * 2).for_each(|number| remember(&format!("text {number}")));
        remember(&"x".repeat(LONGEST + 1));
        assert!(CLEAN.with_borrow(HashSet::len) <= REMEMBERED && !is_known(&"x".repeat(LONGEST + 1)));
    }
}
