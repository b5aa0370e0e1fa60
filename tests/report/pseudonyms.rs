//! With pseudonyms no output names whose cluster it is.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, diagnose_named, gather};
use diagnosis::bounds::bound;
use diagnosis::model::Diagnosis;
use diagnosis::pseudonyms;
use intake::Source;
use report::{collect_script, escalation, html, json, junit, markdown, message, problems, sarif, terminal, ticket};
use signature::load::Library;
use std::path::Path;

/// Every text that leaves the machine.
fn outputs(diagnosis: &Diagnosis) -> Vec<(&'static str, String)> {
    let packets: Vec<String> =
        problems::root_causes(diagnosis).map(|problem| escalation::text(diagnosis, problem.finding)).collect();
    vec![
        ("html", html::render(diagnosis).unwrap()),
        ("json", json::render(diagnosis).unwrap()),
        ("markdown", markdown::render(diagnosis)),
        ("ticket", ticket::render(diagnosis)),
        ("message", message::render(diagnosis)),
        ("junit", junit::render(diagnosis).unwrap()),
        ("sarif", sarif::render(diagnosis).unwrap()),
        ("terminal", terminal::summary(diagnosis, false, None)),
        ("script", collect_script::render(diagnosis).unwrap_or_default()),
        ("escalation", packets.join("\n")),
    ]
}

/// Does a name stand as a word in a text?
fn names(text: &str, name: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(name)
        .any(|(at, _)| !part(text[..at].chars().next_back()) && !part(text[at + name.len()..].chars().next()))
}

#[test]
fn no_output_holds_a_name_that_has_a_pseudonym() {
    let library = Library::built_in().unwrap();
    let catalogue = Catalogue::built_in();
    let mut replaced = 0;
    for sample in [
        "failed-import",
        "etcd-no-leader",
        "crashloop-missing-config",
        "workload-etcd-without-leader",
        "pasted-session",
        "many-faults",
        "node-lost",
        "binding-preempted",
    ] {
        let bundle = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles").join(sample).join("bundle");
        let input = Input { source: Source::Path(bundle), context: None };
        let (mut diagnosis, known) =
            diagnose_named(&[input], &library, &catalogue, &Options::default(), &mut Quiet).unwrap();
        gather(&mut diagnosis);
        bound(&mut diagnosis);
        let (renamed, mapping) = pseudonyms::replace(&diagnosis, &known).unwrap();
        replaced += mapping.len();
        assert_eq!(renamed.findings.len(), diagnosis.findings.len(), "{sample}");
        assert_eq!(renamed.summary.counts, diagnosis.summary.counts, "{sample}");
        let anchors: Vec<&str> = renamed.findings.iter().map(|finding| finding.anchor.as_str()).collect();
        assert!(renamed.summary.primary.iter().all(|primary| anchors.contains(&primary.as_str())), "{sample}");
        // What the signatures themselves say is no name of the bundle, though it may be the same word.
        let own = |name: &str| {
            library.signatures.iter().any(|signature| {
                names(&signature.summary.to_lowercase(), name) || names(&signature.title.to_lowercase(), name)
            })
        };
        let words = outputs(&Diagnosis::default());
        for (output, text) in outputs(&renamed) {
            let text = text.to_lowercase();
            for (word, name) in &mapping {
                let name = name.to_lowercase();
                let ours = || words.iter().any(|(_, text)| names(&text.to_lowercase(), &name));
                if name.len() < 3 || own(&name) || ours() {
                    continue;
                }
                let at = text.find(&name).unwrap_or_default();
                let shown: String =
                    text.chars().skip(text[..at].chars().count().saturating_sub(60)).take(140).collect();
                assert!(!names(&text, &name), "{sample}: {output} names {name}, which is {word}: {shown}");
            }
        }
        assert_eq!(pseudonyms::replace(&diagnosis, &known).unwrap(), (renamed, mapping), "{sample}: the same again");
    }
    assert!(replaced > 30, "{replaced}");
}
