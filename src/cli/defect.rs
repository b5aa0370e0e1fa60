//! What is printed if the program has a defect and panics.
//!
//! Why not what Rust prints: the message of a panic may quote the text that was being read, and that is a stranger's.
//!
//! Invariant: whatever looks like a secret is masked, as in the last words of an application that nobody knows.

use crate::output;
use facts::outside::Outside;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};

thread_local! {
    /// A panic of this thread is no news: who called expects one.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Runs what may panic through no fault of ours: a decoder of another on a damaged file, Polars on a query. `None` if it did.
#[cfg_attr(not(feature = "query"), expect(dead_code, reason = "Polars is the only such one"))]
pub(crate) fn expected<T>(run: impl FnOnce() -> T) -> Option<T> {
    EXPECTED.set(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    EXPECTED.set(false);
    result.ok()
}

/// From here on a panic is told as one: where it was and what it says, masked, and what to do.
pub(crate) fn tell() {
    std::panic::set_hook(Box::new(|panic| {
        if EXPECTED.get() {
            return;
        }
        output::message(&told(panic.payload_as_str().unwrap_or("no message"), panic.location()));
    }));
}

fn told(message: &str, place: Option<&Location<'_>>) -> String {
    let place = place.map(|place| format!(" at {}:{}", place.file(), place.line())).unwrap_or_default();
    let message = Outside::unknown(message).0;
    format!(
        "casefile: a defect of Casefile{place}: {message}; please report this line with what `casefile --version` prints, \
         and do not attach a customer's bundle"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_a_panic_is_masked_and_bounded() {
        let quoted = "byte index 3 is not a char boundary; it is inside 'é' of `password=Zq7vTr4kWp2m é`";
        let text = told(quoted, Some(Location::caller()));
        assert!(!text.contains("Zq7v") && text.contains("[redacted]"), "{text}");
        assert!(text.contains("defect.rs:") && text.ends_with("do not attach a customer's bundle"), "{text}");
        // A piece of a secret that nothing names.
        assert!(!told("inside of `9f3cA71bD0e5Zq7vTr4kWp2mXn8c`", None).contains("Zq7v"));
        assert!(told(&"word ".repeat(10_000), None).len() < 500);
    }
}
