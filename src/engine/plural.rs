//! `Pod(s)` in a template, said as people say it: `1 Pod has`, `3 Pods have`.
//!
//! Invariant: only words of the template change, never a value.

/// Verbs of several that follow such a word, and what they are for one.
const VERBS: [(&str, &str); 9] = [
    (" have ", " has "),
    (" are ", " is "),
    (" were ", " was "),
    (" do ", " does "),
    (" report ", " reports "),
    (" say ", " says "),
    (" need ", " needs "),
    (" wait ", " waits "),
    (" start ", " starts "),
];

/// Adds a text of a template to what stands before it.
pub(crate) fn push(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("(s)") {
        out.push_str(before);
        let is_one = is_one(out);
        if !is_one {
            out.push('s');
        }
        rest = after;
        if let Some((many, one)) = VERBS.iter().find(|(many, _)| is_one && after.starts_with(many)) {
            out.push_str(one);
            rest = after.get(many.len()..).unwrap_or_default();
        }
    }
    out.push_str(rest);
}

/// Does a number before the last word, or before an adjective of it, say that there is one?
fn is_one(text: &str) -> bool {
    let mut words = text.rsplit(' ');
    let (noun, before, farther) = (words.next(), words.next(), words.next());
    let one = |word: Option<&str>| word.is_some_and(|word| word.trim_start_matches(['(', '`']) == "1");
    let of_adjective = || before.is_some_and(|word| ADJECTIVES.contains(&word)) && one(farther);
    noun.is_some_and(|noun| !noun.is_empty()) && (one(before) || of_adjective())
}

/// Words that stand between a number and what it counts.
const ADJECTIVES: [&str; 7] = ["deleted", "failed", "healthy", "more", "old", "other", "static"];

#[cfg(test)]
mod tests {
    use super::push;

    #[test]
    fn a_number_decides_how_many_there_are() {
        let said = |parts: &[&str]| {
            let mut out = String::new();
            parts.iter().for_each(|part| push(&mut out, part));
            out
        };
        assert_eq!(
            said(&["Deployment `x`: ", "1", " Pod(s) have a container"]),
            "Deployment `x`: 1 Pod has a container"
        );
        assert_eq!(said(&["3", " Pod(s) have"]), "3 Pods have");
        assert_eq!(said(&["1", " deleted Pod(s) have "]), "1 deleted Pod has ");
        assert_eq!(said(&["2", " deleted Pod(s) have, 1 and Pod(s)"]), "2 deleted Pods have, 1 and Pods");
        assert_eq!(said(&["at least 2 member(s) of etcd report "]), "at least 2 members of etcd report ");
        assert_eq!(said(&["Pod(s) wait, ", "1", " restart(s)"]), "Pods wait, 1 restart");
    }
}
