//! G15: what etcd-sync, which copies the primary cluster to the standby one, finds when it compares both.
//!
//! Source: alauda/acp-docs:docs/en/install/global_dr.mdx@f5a958d (the words of its check).

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::outcome::{Found, fail, pass, unknown};

/// The words of the consistency check.
pub(super) const MISSED: &str = "LOCAL ETCD missed keys";
/// The same for what the standby has and the primary has not.
pub(super) const SURPLUS: &str = "LOCAL ETCD surplus keys";

/// How many keys a line of the check names; nothing where the line alone does not tell.
fn keys_in(line: &str, words: &str) -> Option<u64> {
    let rest =
        line.split_once(words)?.1.trim_start_matches([' ', '"', '\'', ':', '=', ',']).trim_end_matches([',', '}', ' ']);
    let rest = rest.trim();
    match rest {
        "" | "[" | "{" => None,
        "[]" | "{}" | "none" | "null" | "<nil>" => Some(0),
        _ => {
            let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
            match number.parse() {
                Ok(number) => Some(number),
                Err(_) => Some(rest.matches("/registry/").count() as u64).filter(|count| *count > 0),
            }
        }
    }
}

/// G15: etcd-sync finds the same keys on both sides.
pub(super) fn consistent(here: &Installation<'_>, _: &Profile) -> Found {
    let mut outcomes = Vec::new();
    for (words, what) in [(MISSED, "the primary alone"), (SURPLUS, "the standby alone")] {
        // A later check says what holds.
        let Some(line) = here.lines(words).pop() else { continue };
        outcomes.push(match keys_in(line.text(), words) {
            Some(0) => pass(format!("no key is in {what}"), [line.citation()]),
            Some(count) => fail(format!("{count} keys are in {what}"), [line.citation()]),
            None => unknown(format!("how many keys are in {what} does not stand in the line")),
        });
    }
    if outcomes.is_empty() && here.one("etcd-sync").is_some() {
        outcomes.push(unknown("the answer of the consistency check of etcd-sync was not collected"));
    }
    outcomes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_of_the_check() {
        for (line, keys) in [
            ("LOCAL ETCD missed keys: 0", Some(0)),
            ("LOCAL ETCD missed keys: []", Some(0)),
            ("LOCAL ETCD missed keys: 12", Some(12)),
            ("LOCAL ETCD missed keys: [/registry/pods/a/b /registry/pods/a/c]", Some(2)),
            ("  \"LOCAL ETCD missed keys\": 3,", Some(3)),
            ("LOCAL ETCD missed keys:", None),
            ("LOCAL ETCD missed keys: see below", None),
        ] {
            assert_eq!(keys_in(line, MISSED), keys, "{line}");
        }
    }
}
