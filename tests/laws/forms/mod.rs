//! One failure, collected twice: as YAML and JSON, and as tables and `describe` text. A form that shows less
//! may make evidence unknown, and nothing else: it never turns a claim round.
//!
//! Some samples are a text beside their YAML, written by hand; of all others the texts are made here, as
//! kubectl would have printed them.
#![expect(clippy::panic, clippy::expect_used, reason = "helpers of tests fail by panicking")]

mod describe;
mod objects;
mod table;

use crate::common::{diagnosis, files, short_list};
use diagnosis::model::{Diagnosis, Finding};
use serde_json::Value;
use signature::evidence_state::EvidenceState;
use signature::model::VerdictWord;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn sample(name: &str) -> Diagnosis {
    diagnosis(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles").join(name).join("bundle"))
}

fn finding<'a>(diagnosis: &'a Diagnosis, signature: &str, entity: &str) -> &'a Finding {
    let found = diagnosis.findings.iter().find(|f| f.signature.id == signature && f.entity.name == entity);
    found.unwrap_or_else(|| panic!("no finding {signature}/{entity} among {:?}", short_list(diagnosis)))
}

fn states(finding: &Finding) -> BTreeMap<&str, EvidenceState> {
    finding.evidence.iter().map(|row| (row.id.as_str(), row.state)).collect()
}

/// What is known in the first and not in the second; panics if the two contradict each other.
fn lost<'a>(whole: &'a Finding, less: &Finding) -> Vec<&'a str> {
    let less = states(less);
    let mut lost = Vec::new();
    for (id, state) in states(whole) {
        match less.get(id) {
            Some(other) if *other == state => {}
            Some(EvidenceState::Unknown) => lost.push(id),
            other => panic!("{id} is {state:?} in one form and {other:?} in the other"),
        }
    }
    lost
}

#[test]
fn a_failed_import_as_text_loses_what_text_can_not_show_and_nothing_else() {
    let (whole, text) = (sample("failed-import"), sample("failed-import-as-text"));
    let (whole, text) = (finding(&whole, "CF-1001", "wl-kestrel"), finding(&text, "CF-1001", "wl-kestrel"));
    assert_eq!(whole.verdict, VerdictWord::Confirmed, "{}", whole.reason);
    let unknown: Vec<&str> =
        states(whole).iter().filter(|(_, s)| **s == EvidenceState::Unknown).map(|(id, _)| *id).collect();
    assert_eq!(unknown, Vec::<&str>::new(), "everything was collected");
    // A table of MachineDeployments has no conditions, and nothing was collected from the workload cluster.
    assert_eq!(lost(whole, text), ["node-not-ready", "sentry-sa", "workers-unavailable"]);
    // The command that printed the tables is not known, so what they lack confirms nothing severe.
    assert_eq!(text.verdict, VerdictWord::Probable, "{}", text.reason);
}

/// Without its command nobody knows whether a list was filtered: what it lacks confirms nothing severe.
#[test]
fn a_failed_import_whose_list_lost_its_command_is_probable() {
    for name in ["failed-import", "failed-import-as-text"] {
        let bundle = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles").join(name).join("bundle");
        let copy = tempfile::tempdir().expect("a folder");
        for file in files(&bundle) {
            let target = copy.path().join(file.strip_prefix(&bundle).expect("inside"));
            std::fs::create_dir_all(target.parent().expect("a folder")).expect("a folder is made");
            let bytes = std::fs::read(&file).expect("a file");
            let text = String::from_utf8_lossy(&bytes);
            let rest = text.split_once('\n').filter(|(first, _)| first.contains("$ kubectl get clusters.platform"));
            std::fs::write(&target, rest.map_or(text.to_string(), |(_, rest)| objects::without_prompt(rest)))
                .expect("a file is written");
        }
        let diagnosis = diagnosis(copy.path());
        assert_eq!(finding(&diagnosis, "CF-1001", "wl-kestrel").verdict, VerdictWord::Probable, "{name}");
    }
}

#[test]
fn credentials_are_counted_in_a_table_with_labels_as_in_yaml() {
    let (whole, text) = (sample("failed-import"), sample("failed-import-as-text"));
    let (whole, text) = (finding(&whole, "CF-1002", "wl-kestrel"), finding(&text, "CF-1002", "wl-kestrel"));
    assert_eq!((whole.verdict, text.verdict), (VerdictWord::Confirmed, VerdictWord::Confirmed));
    // A table does not show what owns an object.
    assert_eq!(lost(whole, text), ["ownerless"]);
}

#[test]
fn a_text_without_the_label_of_global_suspects_nobody_of_missing_the_prefix() {
    for name in ["failed-import", "failed-import-as-text"] {
        let diagnosis = sample(name);
        let found: Vec<String> = short_list(&diagnosis).into_iter().filter(|f| f.starts_with("CF-4001")).collect();
        assert_eq!(found, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_preempted_run_as_text_loses_nothing_that_its_verdict_needs() {
    let (whole, text) = (sample("binding-preempted"), sample("binding-preempted-as-text"));
    let (whole, text) = (finding(&whole, "CF-3001", "rollout-autumn"), finding(&text, "CF-3001", "rollout-autumn"));
    assert_eq!((whole.verdict, text.verdict), (VerdictWord::Confirmed, VerdictWord::Confirmed), "{}", text.reason);
    for id in ["preempted-message", "binding-taken", "other-run"] {
        assert_eq!(states(text).get(id), Some(&EvidenceState::Supports), "{id}");
    }
}

/// How objects of custom kinds were collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Described,
    Tabled,
}

fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles");
    let entries = std::fs::read_dir(&folder).expect("the sample bundles");
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    found.retain(|path| path.join("bundle").is_dir());
    found.sort();
    found
}

/// Writes a bundle anew with every file of custom objects in another form; the number of such files.
fn write_as(form: Form, bundle: &Path, now: &str, folder: &Path) -> usize {
    let mut changed = 0;
    for file in files(bundle) {
        let name = file.strip_prefix(bundle).expect("a file of the bundle");
        let target = folder.join(name);
        let parent = target.parent().expect("a parent");
        std::fs::create_dir_all(parent).expect("a folder");
        let objects = objects::of(&file);
        if objects.is_empty() || !objects.iter().all(objects::is_custom) {
            std::fs::copy(&file, &target).expect("a copy");
            continue;
        }
        changed += 1;
        let stem = name.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let mut kinds: BTreeMap<(String, String), Vec<Value>> = BTreeMap::new();
        for object in objects {
            kinds.entry((object["apiVersion"].to_string(), object["kind"].to_string())).or_default().push(object);
        }
        let texts: Vec<String> = kinds
            .values()
            .map(|objects| match form {
                Form::Described => describe::text(objects),
                Form::Tabled => table::text(objects, now),
            })
            .collect();
        let (verb, between) = if form == Form::Described { ("describe", "\n\n") } else { ("get", "\n") };
        std::fs::write(parent.join(format!("{verb}-{stem}.txt")), texts.join(between)).expect("a file");
    }
    changed
}

/// The diagnosis of a sample, and of the same sample in another form; `None` if nothing in it has another.
fn both(sample: &Path, form: Form) -> Option<(Diagnosis, Diagnosis)> {
    let whole = diagnosis(&sample.join("bundle"));
    let now = whole.contexts.iter().filter_map(|context| context.as_of.as_ref()).map(|as_of| as_of.time.clone()).max();
    let folder = tempfile::tempdir().expect("a folder");
    let changed = write_as(form, &sample.join("bundle"), &now.unwrap_or_default(), folder.path());
    (changed > 0).then(|| (whole, diagnosis(folder.path())))
}

/// Signature and entity. Of a label group the kind is the path of the label.
fn key(finding: &Finding) -> (&str, &str, &str, &str) {
    let entity = &finding.entity;
    (&finding.signature.id, &entity.kind, entity.namespace.as_deref().unwrap_or_default(), &entity.name)
}

/// What a form turned round or made up.
fn faults(whole: &Diagnosis, less: &Diagnosis) -> Vec<String> {
    let before: BTreeMap<_, &Finding> = whole.findings.iter().map(|finding| (key(finding), finding)).collect();
    let mut wrong = Vec::new();
    for finding in &less.findings {
        let Some(before) = before.get(&key(finding)) else {
            if finding.verdict == VerdictWord::Confirmed {
                wrong.push(format!("{} is made up", crate::common::short(finding)));
            }
            continue;
        };
        let states = states(finding);
        // The column NAMESPACE states that all of them were listed, which a list of YAML does not.
        let learned = before.evidence.iter().any(|row| {
            row.state == EvidenceState::Unknown && states.get(row.id.as_str()).is_some_and(|s| *s != row.state)
        });
        let firm = matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::RuledOut);
        if firm && before.verdict != finding.verdict && !learned {
            wrong.push(format!("{} was {:?}", crate::common::short(finding), before.verdict));
        }
        for row in &before.evidence {
            let turned = match states.get(row.id.as_str()) {
                Some(EvidenceState::Supports) => row.state == EvidenceState::Contradicts,
                Some(EvidenceState::Contradicts) => row.state == EvidenceState::Supports,
                _ => false,
            };
            if turned {
                wrong.push(format!("{}: {} is turned round", crate::common::short(finding), row.id));
            }
        }
    }
    wrong
}

#[test]
fn no_form_turns_a_claim_round_or_makes_one_up() {
    let mut wrong = Vec::new();
    let mut compared = 0;
    for sample in samples() {
        for form in [Form::Described, Form::Tabled] {
            let Some((whole, less)) = both(&sample, form) else { continue };
            compared += 1;
            let name = sample.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let now: BTreeMap<_, &Finding> = less.findings.iter().map(|finding| (key(finding), finding)).collect();
            for finding in whole.findings.iter().filter(|finding| finding.verdict != VerdictWord::RuledOut) {
                let verdict = now.get(&key(finding)).map(|finding| finding.verdict);
                if verdict != Some(finding.verdict) {
                    println!("{name} {form:?}: {} becomes {verdict:?}", crate::common::short(finding));
                }
            }
            wrong.extend(faults(&whole, &less).into_iter().map(|fault| format!("{name} {form:?}: {fault}")));
        }
    }
    assert!(compared > 30, "only {compared} samples have another form");
    assert_eq!(wrong, Vec::<String>::new());
}

/// A failure that a guide of the product describes, in a sample bundle.
struct Founding {
    sample: &'static str,
    signature: &'static str,
    entity: &'static str,
    /// The verdict where custom objects are described.
    described: Option<VerdictWord>,
    /// The verdict where there are only tables; `None`: not assessed, with its reason in the report.
    tabled: Option<VerdictWord>,
}

fn founding() -> Vec<Founding> {
    use VerdictWord::{Confirmed, Probable, Undecided};
    let row = |sample, signature, entity, described, tabled| Founding { sample, signature, entity, described, tabled };
    vec![
        // A description names what is there, and proves nobody's absence.
        row("failed-import", "CF-1001", "wl-kestrel", Some(Undecided), Some(Undecided)),
        row("failed-import", "CF-1002", "wl-kestrel", Some(Confirmed), Some(Confirmed)),
        row("etcd-no-leader", "CF-2001", "etcd", Some(Confirmed), Some(Confirmed)),
        row("etcd-no-leader", "CF-2002", "dune-kcp-x4t9w", Some(Confirmed), None),
        row("binding-preempted", "CF-3001", "rollout-autumn", Some(Confirmed), None),
        row("run-stuck-image-pull", "CF-3002", "rollout-spring", Some(Confirmed), None),
        row("run-failed-to-initialize", "CF-3005", "rollout-spring", Some(Confirmed), Some(Probable)),
        row("external-without-run", "CF-3004", "storefront", Some(Confirmed), None),
        row("global-without-prefix", "CF-4001", "infra-workers", Some(Confirmed), Some(Confirmed)),
    ]
}

#[test]
fn founding_failures_are_recognised_in_text_or_asked_about() {
    for Founding { sample: name, signature, entity, described, tabled } in founding() {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles").join(name);
        for (form, wanted) in [(Form::Described, described), (Form::Tabled, tabled)] {
            let (whole, less) = both(&sample, form).expect("custom objects");
            assert_eq!(finding(&whole, signature, entity).verdict, VerdictWord::Confirmed, "{name}");
            let found = less.findings.iter().find(|f| f.signature.id == signature && f.entity.name == entity);
            assert_eq!(found.map(|found| found.verdict), wanted, "{name} {form:?} {signature}");
            match found {
                Some(found) if found.verdict != VerdictWord::Confirmed => {
                    let asked = less.asks.iter().any(|ask| ask.decides.contains(&found.anchor));
                    assert!(asked, "{name} {form:?} {signature}: nothing is asked for that would decide it");
                }
                Some(_) => {}
                None => assert!(
                    less.not_assessed.iter().any(|row| row.signature == signature && !row.reason.is_empty()),
                    "{name} {form:?} {signature} vanished without a word"
                ),
            }
        }
    }
}
