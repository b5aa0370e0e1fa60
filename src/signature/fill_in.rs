//! Commands that leave to their reader what the signature knows.
//!
//! Why: `kubectl logs -n <namespace> <pod>` beside a finding that names both is work at three in the morning, and a
//! name that is typed in by hand is sometimes that of another Pod.
//!
//! Invariant: only what a finding can surely offer is demanded: a capture, a field or the name of the entity, or the name
//! of an object that evidence looks at. What nobody collects (a file on somebody's disk) stays in angle brackets.

use crate::code::Code;
use crate::file::{SignatureFile, Text};
use crate::problem::Reporter;
use catalogue::kinds::Catalogue;
use catalogue::nouns;
use facts::kind::KindName;
use std::collections::BTreeSet;

/// Checks the commands of a signature. `captures`: the names that it captures.
pub(crate) fn check(
    file: &SignatureFile,
    captures: &BTreeSet<String>,
    catalogue: &Catalogue,
    reporter: &mut Reporter<'_>,
) {
    let steps = file.remediation.steps.iter().filter_map(|step| step.command.as_ref());
    let collects = file.evidence.iter().filter_map(|evidence| Some(&evidence.collect.as_ref()?.run));
    for command in steps.chain(collects) {
        for (at, word) in left_open(&command.value) {
            let Some(hint) = offered(file, captures, catalogue, word) else { continue };
            let place = reporter.inside(command.place, &command.value, at, word.chars().count() + 2);
            let message = format!("a reader has to fill in `<{word}>`, which the signature knows");
            reporter.report(Code::LeftOpen, place, message, Some(hint));
        }
    }
}

/// The words in angle brackets, and where they stand. `</dev/null` and `<<EOF` are of the shell.
fn left_open(command: &str) -> Vec<(usize, &str)> {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_' | ' '))
    };
    let word = |(at, _): (usize, &str)| {
        let inside = command.get(at + 1..)?.split_once('>')?.0;
        is_word(inside).then_some((at, inside))
    };
    command.match_indices('<').filter_map(word).collect()
}

/// What to write instead; `None` where the signature knows no better.
fn offered(file: &SignatureFile, captures: &BTreeSet<String>, catalogue: &Catalogue, word: &str) -> Option<String> {
    let plain = |text: &str| text.replace(['-', '_', ' '], "").to_lowercase();
    if let Some(capture) = captures.iter().find(|capture| plain(capture) == plain(word)) {
        return Some(format!("write `{{{capture}}}`"));
    }
    let entity = &file.entity.name.value;
    let of_entity = file.entity.object.iter().flat_map(|object| object.kind.iter().chain(&object.kinds));
    let kinds = |texts: Vec<&Text>| -> Vec<KindName> {
        texts.into_iter().map(|text| catalogue.canonical(&KindName::parse(&text.value))).collect()
    };
    let own = kinds(of_entity.collect());
    let is_called = |kind: &KindName| {
        catalogue
            .kind(kind)
            .is_some_and(|known| plain(&known.kind) == plain(word) || known.short.iter().any(|s| s == word))
    };
    if own.iter().any(is_called) {
        return Some(format!("write `{{{entity}}}`"));
    }
    if word == "namespace" && own.iter().any(|kind| catalogue.cluster_scoped(kind) == Some(false)) {
        return Some(format!("write `{{{entity}.namespace}}`"));
    }
    let derived = own.iter().filter(|kind| kind.group == "casefile.dev").flat_map(nouns::fields);
    let names = derived.flat_map(|field| &field.names);
    let is_it = |name: &&String| name.rsplit_once('.').is_some_and(|(_, last)| plain(last) == plain(word));
    if let Some(name) = names.into_iter().find(is_it) {
        return Some(format!("write `{{{entity}.{name}}}`"));
    }
    let of_evidence = file.objects().flat_map(|object| object.kind.iter().chain(&object.kinds));
    let read = kinds(of_evidence.collect()).into_iter().find(is_called)?;
    let name = word.replace(['-', ' '], "_");
    Some(format!(
        "evidence looks at `{read}`: `capture: [{{ path: metadata.name, as: {name} }}]` there, and write `{{{name}}}`"
    ))
}

#[cfg(test)]
mod tests {
    use super::left_open;

    #[test]
    fn what_shells_write_is_nothing_to_fill_in() {
        let words = |text| left_open(text).into_iter().map(|(_, word)| word).collect::<Vec<_>>().join("|");
        assert_eq!(words("kubectl logs -n <namespace> <pod>"), "namespace|pod");
        assert_eq!(words("openssl s_client </dev/null > a; cat <<EOF > b"), "");
        assert_eq!(words("etcdctl --endpoints=<client-URL-of-one-member> defrag"), "");
        assert_eq!(words("nc -vz <address of the other side> 2379"), "address of the other side");
    }
}
