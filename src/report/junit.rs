//! The diagnosis as JUnit XML, for pipelines: one test suite for each context, one test case for each
//! finding, also for one that stands for several objects: it names them. A fault that stands is a failure, what could not be decided is skipped, the rest passes.

use crate::error::Error;
use diagnosis::model::{Diagnosis, Finding};
use diagnosis::more::MoreFindings;
use diagnosis::visible::{one_line, visible};
use diagnosis::words;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use signature::model::{Severity, VerdictWord};

/// The diagnosis as JUnit XML.
///
/// # Errors
/// Only through a fault of Casefile.
pub fn render(diagnosis: &Diagnosis) -> Result<String, Error> {
    let mut report = Report::new(one_line(&format!("casefile {}", words::bundles(&diagnosis.bundles))));
    let mut suites: Vec<(String, TestSuite)> = Vec::new();
    let mut add = |context: &str, case: TestCase| match suites.iter_mut().find(|(name, _)| name == context) {
        Some((_, suite)) => {
            suite.add_test_case(case);
        }
        None => {
            let mut suite = TestSuite::new(one_line(context));
            suite.add_test_case(case);
            suites.push((context.to_owned(), suite));
        }
    };
    for finding in &diagnosis.findings {
        add(&finding.entity.context, case(finding));
    }
    for row in &diagnosis.not_assessed {
        let mut status = TestCaseStatus::skipped();
        status.set_message(format!("not assessed: {}", one_line(&row.reason)));
        let name = one_line(&format!("{} {}", row.signature, words::entity(&row.entity)));
        let mut case = TestCase::new(name, status);
        case.set_classname(row.signature.clone());
        add(&row.entity.context, case);
    }
    for (suite, case) in diagnosis.more.findings.iter().map(|row| (row.signature.as_str(), counted(row))) {
        add(suite, case);
    }
    for row in &diagnosis.more.not_assessed {
        let mut status = TestCaseStatus::skipped();
        status.set_message(format!("not assessed: {}", one_line(&row.first.join(", "))));
        let mut case = TestCase::new(format!("{} and {} more", row.signature, row.count), status);
        case.set_classname(row.signature.clone());
        add(&row.signature, case);
    }
    for (_, suite) in suites {
        report.add_test_suite(suite);
    }
    Ok(report.to_string()?)
}

/// How a verdict ends a test case.
fn status(verdict: VerdictWord, severity: Severity) -> TestCaseStatus {
    match verdict {
        VerdictWord::Confirmed | VerdictWord::Probable if severity != Severity::Info => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(severity.word());
            status
        }
        VerdictWord::Undecided => TestCaseStatus::skipped(),
        _ => TestCaseStatus::success(),
    }
}

/// The findings of a signature that are counted, as one test case.
fn counted(row: &MoreFindings) -> TestCase {
    let mut status = status(row.verdict, row.severity);
    if !matches!(status, TestCaseStatus::Success { .. }) {
        let verdict = words::verdict(row.verdict);
        status.set_message(one_line(&format!("{verdict} {} times more: {}", row.count, row.title)));
        status.set_description(visible(&row.first.join("\n")).into_owned());
    }
    let mut case = TestCase::new(format!("{} and {} more", row.signature, row.count), status);
    case.set_classname(row.signature.clone());
    case
}

/// One finding as a test case.
fn case(finding: &Finding) -> TestCase {
    let mut status = status(finding.verdict, finding.signature.severity);
    let verdict = words::verdict(finding.verdict);
    if !matches!(status, TestCaseStatus::Success { .. }) {
        status.set_message(one_line(&format!("{verdict}: {}", finding.headline())));
        let mut text = format!("{}\n{}\n", finding.explanation, finding.reason);
        for row in &finding.evidence {
            text.push_str(&format!("{}: {} ({})\n", words::evidence(row.state), row.claim, row.reason));
            for citation in row.citations.iter().take(3) {
                text.push_str(&format!("  {}: {}\n", words::place(citation), one_line(&citation.excerpt)));
            }
        }
        if !finding.alike.is_empty() {
            text.push_str(&alike(finding));
        }
        status.set_description(visible(&text).into_owned());
    }
    let mut case =
        TestCase::new(one_line(&format!("{} {}", finding.signature.id, words::entity(&finding.entity))), status);
    case.set_classname(finding.signature.id.clone());
    case
}

/// The other entities that a finding stands for, each with the places that its verdict rests on.
fn alike(finding: &Finding) -> String {
    let mut text = format!("{}, and the verdict is the same for:\n", words::of_whom(finding));
    for other in &finding.alike {
        text.push_str(&format!("{}: {}\n", words::entity(&other.entity), other.headline));
        for proof in &other.proofs {
            text.push_str(&format!("  {}: {}\n", words::evidence(proof.state), proof.claim));
            for citation in &proof.citations {
                text.push_str(&format!("    {}\n", words::place(citation)));
            }
        }
    }
    if finding.more_alike > 0 {
        text.push_str(&format!("and {} more\n", words::thousands(finding.more_alike)));
    }
    text
}
