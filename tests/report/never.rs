//! What no report may say, of any sample bundle, in any format: a raw placeholder, a value that is not known in the
//! middle of a sentence, a word of the model; and how long a text to paste may be.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, diagnose, gather};
use diagnosis::bounds::bound;
use diagnosis::model::Diagnosis;
use intake::Source;
use report::{collect_script, escalation, html, junit, lacking, markdown, message, problems, terminal, ticket};
use signature::load::Library;
use signature::model::VerdictWord;
use std::path::{Path, PathBuf};

fn samples() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles");
    let mut all: Vec<(String, PathBuf)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path.join("bundle")))
        .filter(|(_, bundle)| bundle.exists())
        .collect();
    all.sort();
    assert!(all.len() > 40, "only {} sample bundles were found", all.len());
    all
}

/// The diagnoses of all samples, as the command line makes them.
fn diagnoses() -> Vec<(String, Diagnosis)> {
    let library = Library::built_in().unwrap();
    let catalogue = Catalogue::built_in();
    let one = |(name, bundle): (String, PathBuf)| {
        let input = Input { source: Source::Path(bundle), context: None };
        let mut diagnosis = diagnose(&[input], &library, &catalogue, &Options::default(), &mut Quiet).unwrap();
        gather(&mut diagnosis);
        bound(&mut diagnosis);
        (name, diagnosis)
    };
    samples().into_iter().map(one).collect()
}

/// What a reader sees of a page: its text without what is quoted from the bundle, and without style, script and data.
fn said(page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    const LEFT_OUT: [(&str, &str); 5] = [
        ("<style>", "</style>"),
        ("<script", "</script>"),
        ("<pre", "</pre>"),
        ("<code", "</code>"),
        ("<kbd>", "</kbd>"),
    ];
    while let Some((at, (open, close))) =
        LEFT_OUT.iter().filter_map(|pair| Some((rest.find(pair.0)?, pair))).min_by_key(|(at, _)| *at)
    {
        out.push_str(&rest[..at]);
        let after = &rest[at + open.len()..];
        rest = after.split_once(close).map_or("", |(_, left)| left);
        out.push('`');
    }
    out.push_str(rest);
    let mut text = String::new();
    for part in out.split('<') {
        text.push_str(part.split_once('>').map_or(part, |(_, text)| text));
        text.push(' ');
    }
    text.replace("&#39;", "'").replace("&#34;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// `{workload.namespace}` where a value should stand.
fn placeholder(text: &str) -> Option<&str> {
    text.match_indices('{').find_map(|(at, _)| {
        let name = text.get(at + 1..)?.split('}').next()?;
        let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
        let whole = text.get(at + 1 + name.len()..)?.starts_with('}');
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
        (begins && whole && is_name).then(|| text.get(at..at + name.len() + 2)).flatten()
    })
}

/// Words of the evidence model and of our own code, which are nobody's words but ours.
const NEVER: [&str; 8] = [
    "(not known)",
    "put together from",
    "contradicted",
    " of 1 indicators",
    "casefile.dev",
    " ? ",
    "\u{fffe}",
    "None of the faults that Casefile knows",
];

#[test]
fn no_sentence_of_any_output_has_a_hole() {
    for (name, diagnosis) in diagnoses() {
        // A sentence of the bundle is quoted where it stands; all else is ours.
        let page = said(&html::render(&diagnosis).unwrap());
        let texts = [
            ("page", page),
            ("terminal", terminal::summary(&diagnosis, false, None)),
            ("message", message::render(&diagnosis)),
            ("answer", diagnosis.answer.clone()),
        ];
        for (output, text) in texts {
            let shown = |at: usize| {
                let from =
                    (0..=at.saturating_sub(60)).rev().find(|from| text.is_char_boundary(*from)).unwrap_or_default();
                text[from..].chars().take(160).collect::<String>()
            };
            for never in NEVER {
                assert!(
                    !text.contains(never),
                    "{name}: the {output} says {never:?}: {}",
                    shown(text.find(never).unwrap())
                );
            }
            if output != "page" {
                assert_eq!(placeholder(&text), None, "{name}: {output}");
            }
        }
        for finding in &diagnosis.findings {
            let steps = finding.remediation.steps.iter();
            let commands = steps.clone().filter_map(|step| step.command.as_deref());
            let asks = diagnosis.asks.iter().map(|ask| ask.command.as_str());
            for text in steps.clone().map(|step| step.action.as_str()).chain([finding.headline(), &finding.explanation])
            {
                assert_eq!(placeholder(text), None, "{name}: {}", finding.anchor);
            }
            for command in commands.chain(asks) {
                let own = format!("{{{}", finding.signature.name);
                assert!(!command.contains(&own) && !command.contains("(not known)"), "{name}: {command}");
            }
        }
        for (what, text) in [("markdown", markdown::render(&diagnosis)), ("junit", junit::render(&diagnosis).unwrap())]
        {
            for never in ["(not known)", "put together from", "\u{fffe}"] {
                assert!(!text.contains(never), "{name}: {what} says {never:?}");
            }
        }
    }
}

#[test]
fn every_sample_gives_texts_that_can_be_pasted() {
    let mut long = Vec::new();
    let all = diagnoses();
    for (name, diagnosis) in &all {
        let text = ticket::render(diagnosis);
        assert!(text.chars().count() <= ticket::MOST, "{name}: {} characters", text.chars().count());
        assert!(text.starts_with("**") && text.contains(&diagnosis.bundles[0].sha256), "{name}: {text}");
        let problems = problems::problems(diagnosis);
        if let Some(first) = problems.first() {
            assert!(text.contains(&first.finding.signature.id), "{name}: {text}");
        }
        if problems.len() > 1 {
            assert!(text.contains("### All problems"), "{name}: {text}");
        }
        let message = message::render(diagnosis);
        assert!(message.starts_with("Hello,") && message.ends_with("Kind regards\n"), "{name}: {message}");
        assert!(!message.contains("CF-"), "a customer knows no rules: {message}");
        for problem in problems::root_causes(diagnosis) {
            let packet = escalation::text(diagnosis, problem.finding);
            assert!(packet.contains("To: ") && packet.len() > 200, "{name}: {packet}");
        }
        long.push((markdown::render(diagnosis).chars().count(), name.clone()));
    }
    // What an issue tracker takes (Jira: 32,767 characters).
    long.sort();
    let p95 = &long[long.len() * 95 / 100];
    assert!(p95.0 < 32_767, "{long:?}");
}

#[test]
fn whoever_lacks_data_is_told_what_to_collect() {
    for (name, diagnosis) in diagnoses() {
        let waiting = !diagnosis.not_assessed.is_empty() || !diagnosis.not_collected.is_empty();
        if !waiting {
            continue;
        }
        assert!(!diagnosis.asks.is_empty() || !diagnosis.further.is_empty(), "{name} asks for nothing");
        let lacking = lacking::lacking(&diagnosis);
        assert!(lacking.closed <= lacking.checks && lacking.commands <= 3, "{name}: {lacking:?}");
        let script = collect_script::render(&diagnosis).unwrap();
        assert!(script.starts_with("#!/bin/sh\n") && script.contains("tar -czf"), "{name}");
        // What may change something is named in a comment, and never run.
        let script: String = script.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
        for change in ["kubectl delete", "kubectl apply", "kubectl annotate", "etcdctl member remove", "rm -rf"] {
            assert!(!script.contains(change), "{name}: {change}");
        }
    }
}

#[test]
fn what_was_not_collected_is_something_that_somebody_can_collect() {
    for (name, diagnosis) in diagnoses() {
        for row in &diagnosis.not_collected {
            assert!(!row.what.contains("casefile.dev"), "{name}: {}", row.what);
        }
    }
}

#[test]
fn a_ticket_is_short_whatever_the_diagnosis() {
    for name in ["hostile", "typical", "clean", "together"] {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/report").join(format!("{name}.diagnosis.json"));
        let mut diagnosis: Diagnosis = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let own = diagnosis.findings.clone();
        for number in 0..120 {
            diagnosis.findings.extend(own.iter().cloned().map(|mut finding| {
                finding.anchor = format!("{}-{number}", finding.anchor);
                (finding.caused_by, finding.folded_by) = (None, None);
                finding.verdict = VerdictWord::Confirmed;
                finding.signature.severity = signature::model::Severity::High;
                finding
            }));
        }
        diagnosis.answer = "a <very> *long* answer @all ".repeat(200);
        diagnosis.bundles.extend(diagnosis.bundles.clone());
        let text = ticket::render(&diagnosis);
        assert!(text.chars().count() <= ticket::MOST, "{name}: {} characters", text.chars().count());
        assert!(own.is_empty() || text.contains(" problems\n"), "{name}: what does not fit is counted: {text}");
        assert!(!text.contains('<') || text.contains('`'), "{name}: {text}");
    }
}

#[test]
fn a_terminal_gets_lines_that_it_is_wide_enough_for() {
    for (name, diagnosis) in diagnoses() {
        for width in [60, 80, 120] {
            let text = terminal::summary(&diagnosis, false, Some(width));
            for line in text.lines() {
                let longest = line.split(' ').map(|word| word.chars().count()).max().unwrap_or_default();
                assert!(line.chars().count() <= width.max(longest + 4), "{name}, {width} columns: {line}");
            }
            let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(joined(&text), joined(&terminal::summary(&diagnosis, false, None)), "{name}: nothing is lost");
        }
    }
}

#[test]
fn an_answer_is_one_sentence_about_the_cluster() {
    let mut lengths = Vec::new();
    for (name, diagnosis) in diagnoses() {
        assert!(
            !diagnosis.answer.contains("CF-") && !diagnosis.answer.contains("indicator"),
            "{name}: {}",
            diagnosis.answer
        );
        lengths.push((diagnosis.answer.chars().count(), name));
    }
    lengths.sort();
    let p90 = &lengths[lengths.len() * 9 / 10];
    assert!(p90.0 <= 140, "{lengths:?}");
}
