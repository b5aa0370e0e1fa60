//! A report that can be opened, whatever the bundle: long lists are counted, long names shortened, in every format.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use diagnosis::bounds::{ALL_FINDINGS, FEWEST, FINDINGS, NAME, UNREAD, bound};
use diagnosis::model::{Diagnosis, NotAssessed, Unread};
use report::{html, json, junit, markdown, terminal};
use signature::model::VerdictWord;
use std::path::Path;

const MOST: usize = 3 << 20;

fn fixture(name: &str) -> Diagnosis {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/report").join(format!("{name}.diagnosis.json"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The fixture with every finding said of so many entities, the last of them with the worst verdict.
fn many(times: usize) -> Diagnosis {
    let mut diagnosis = fixture("typical");
    let own = std::mem::take(&mut diagnosis.findings);
    for number in 0..times {
        for (at, finding) in own.iter().enumerate() {
            let mut finding = finding.clone();
            finding.entity.name = format!("{}-{number}", finding.entity.name);
            finding.anchor = format!("{}/{}", finding.signature.id, finding.entity.name);
            finding.caused_by = finding.caused_by.filter(|_| number > 0).map(|cause| cause + (number - 1) * own.len());
            finding.folded_by = finding.folded_by.filter(|_| finding.caused_by.is_some());
            if number + 1 == times && at == 0 {
                finding.verdict = VerdictWord::Confirmed;
                finding.entity.name = "the-worst".to_owned();
            } else if at == 0 {
                finding.verdict = VerdictWord::Probable;
            }
            diagnosis.findings.push(finding);
        }
    }
    let entity = own.first().unwrap().entity.clone();
    for number in 0..times {
        let mut entity = entity.clone();
        entity.name = format!("n{number}");
        let reason = format!("nothing shows `{}`", "long/".repeat(600));
        diagnosis.not_assessed.push(NotAssessed { signature: "CF-1".to_owned(), entity, reason });
        let (member, reason) = (format!("{}{number}", "deep/".repeat(600)), format!("reason {}", number % 300));
        diagnosis.unread.push(Unread { member, line: None, reason, cause: None });
    }
    diagnosis
}

#[test]
fn twenty_thousand_findings_are_a_report_of_three_megabytes() {
    let whole = many(20_000);
    let mut bounded = whole.clone();
    bound(&mut bounded);
    for verdict in diagnosis::words::VERDICTS {
        assert_eq!(bounded.count(verdict), whole.count(verdict), "{verdict:?}");
    }
    assert_eq!(bounded.count_not_assessed(), whole.count_not_assessed());
    assert_eq!(bounded.count_unread(), whole.count_unread());
    assert_eq!((bounded.unread.len(), bounded.answer.as_str()), (UNREAD, whole.answer.as_str()));
    for (format, text) in [
        ("html", html::render(&bounded).unwrap()),
        ("json", json::render(&bounded).unwrap()),
        ("markdown", markdown::render(&bounded)),
        ("junit", junit::render(&bounded).unwrap()),
        ("terminal", terminal::summary(&bounded, false, None)),
    ] {
        assert!(text.len() < MOST, "{format}: {} bytes", text.len());
        assert!(!text.contains(&"deep/".repeat(100)) && !text.contains(&"long/".repeat(100)), "{format}");
        if format != "terminal" {
            assert!(text.contains("the-worst"), "{format}: the worst verdict is listed");
        }
    }
    let counted = terminal::summary(&bounded, false, None);
    assert!(counted.contains("more findings in the report"), "{counted}");
}

#[test]
fn what_is_counted_says_what_and_how_often_in_every_format() {
    let mut bounded = many(60);
    let own = bounded.findings.first().unwrap().signature.clone();
    let all = bounded.findings.iter().filter(|finding| finding.signature.id == own.id).count();
    bound(&mut bounded);
    let listed = bounded.findings.iter().filter(|finding| finding.signature.id == own.id).count();
    assert!((FEWEST..=FINDINGS).contains(&listed) && bounded.findings.len() <= ALL_FINDINGS, "{listed}");
    let row = bounded.more.findings.iter().find(|row| row.signature == own.id).unwrap();
    assert_eq!(row.count as usize, all - listed);
    assert!(row.first.len() == 10 && row.first.iter().all(|name| name.contains(" in ")), "{row:?}");
    let first = row.first.first().unwrap();
    let page = html::render(&bounded).unwrap();
    assert!(page.contains("Counted, not listed") && page.contains(first.split(' ').next().unwrap()));
    assert!(markdown::render(&bounded).contains("### Counted, not listed"));
    assert!(junit::render(&bounded).unwrap().contains(&format!("{} and {} more", own.id, row.count)));
    let value: serde_json::Value = serde_json::from_str(&json::render(&bounded).unwrap()).unwrap();
    assert_eq!(value["more"]["findings"][0]["count"], row.count);
    // Every link between findings leads to the finding that it led to.
    let whole = many(60);
    for finding in &bounded.findings {
        let before = whole.findings.iter().find(|one| one.anchor == finding.anchor).unwrap();
        if let Some(cause) = finding.caused_by {
            let cause_before = before.caused_by.unwrap();
            assert_eq!(bounded.findings[cause].anchor, whole.findings[cause_before].anchor);
        }
    }
}

#[test]
fn what_lies_within_the_bounds_stays_and_bounding_twice_changes_nothing() {
    for name in ["typical", "clean", "hostile"] {
        let whole = fixture(name);
        let mut bounded = whole.clone();
        bound(&mut bounded);
        assert!(bounded.more.is_empty());
        if name != "hostile" {
            assert_eq!(bounded, whole, "{name}");
        }
    }
    // One signature has fifty listed, also where another adds a few.
    let mut one = many(1_000);
    let first = one.findings.first().unwrap().signature.id.clone();
    one.findings.retain(|finding| finding.signature.id == first);
    one.findings.iter_mut().for_each(|finding| (finding.caused_by, finding.folded_by) = (None, None));
    bound(&mut one);
    assert_eq!(one.findings.len(), FINDINGS);
    let mut once = many(3_000);
    bound(&mut once);
    let mut twice = once.clone();
    bound(&mut twice);
    assert_eq!(once, twice);
    assert!(once.unread.iter().all(|row| row.member.chars().count() <= NAME));
}
