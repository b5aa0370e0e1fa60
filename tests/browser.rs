//! The page in a real browser: no error, no request, and everything is there without JavaScript.
//!
//! Needs Chromium; without it the tests say loudly that they were skipped.

use std::path::{Path, PathBuf};
use std::process::Command;

const FIXTURES: [&str; 3] = ["hostile", "typical", "clean"];

fn chromium() -> Option<&'static str> {
    let found = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .into_iter()
        .find(|path| Path::new(path).exists());
    if found.is_none() {
        eprintln!("SKIPPED: no Chromium at /usr/bin/chromium; the page was NOT tested in a browser");
    }
    found
}

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/report/{name}.html"))
}

/// Opens a page; gives the document as the browser holds it, what it said, and its log of the network.
fn open(browser: &str, page: &Path) -> (String, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let net_log = folder.path().join("net.json");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--v=0"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("--log-net-log={}", net_log.display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
        std::fs::read_to_string(net_log).unwrap(),
    )
}

#[test]
fn the_page_runs_without_error_and_without_request() {
    let Some(browser) = chromium() else { return };
    for name in FIXTURES {
        let (dom, said, net) = open(browser, &page(name));
        let errors: Vec<&str> = said.lines().filter(|line| line.contains("CONSOLE")).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
        assert!(
            dom.contains("class=\"has-js\""),
            "{name}: the script did not run: the policy refused it, or it failed"
        );
        // The browser's own background requests are no concern; the page's hosts are.
        for host in ["evil.example", "kubernetes.io", "etcd.io"] {
            assert!(!net.contains(host), "{name}: the browser asked {host}");
        }
        assert!(!dom.contains("<script>alert"), "{name}");
    }
}

#[test]
fn a_broken_policy_would_be_seen() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let text = std::fs::read_to_string(page("typical")).unwrap();
    std::fs::write(&path, text.replace("<script>", "<script> ")).unwrap();
    let (dom, said, _) = open(browser, &path);
    assert!(said.contains("CONSOLE"), "the browser says nothing about a script that its policy refuses");
    assert!(!dom.contains("class=\"has-js\""));
}

#[test]
fn without_javascript_everything_is_there() {
    let Some(browser) = chromium() else { return };
    // `--dump-dom` itself needs scripts, so the page gets a script that its own policy refuses.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let text = std::fs::read_to_string(page("typical")).unwrap();
    std::fs::write(&path, text.replace("<script>", "<script> ")).unwrap();
    let (dom, _, _) = open(browser, &path);
    assert!(!dom.contains("class=\"has-js\""), "JavaScript ran");
    let diagnosis: casefile::report::model::Diagnosis = serde_json::from_str(
        &std::fs::read_to_string(page("typical").with_file_name("typical.diagnosis.json")).unwrap(),
    )
    .unwrap();
    let (visible, _) = dom.split_once("<script").unwrap();
    let has = |text: &str| {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        assert!(visible.contains(&text), "missing without JavaScript: {text}");
    };
    has(&diagnosis.answer);
    for finding in &diagnosis.findings {
        has(&finding.signature.title);
        has(&finding.reason);
        for row in &finding.evidence {
            has(&row.claim);
            has(&row.reason);
            row.citations.iter().take(4).for_each(|citation| has(&citation.member));
        }
        finding.remediation.steps.iter().for_each(|step| has(&step.action));
    }
    diagnosis.asks.iter().for_each(|ask| has(&ask.command));
    diagnosis.timeline.events.iter().for_each(|event| has(&event.text));
    diagnosis.inventory.iter().flat_map(|table| table.rows.iter().flatten()).for_each(|cell| has(cell));
    diagnosis.anomalies.iter().for_each(|anomaly| has(&anomaly.text));
    diagnosis.not_assessed.iter().for_each(|row| has(&row.reason));
    diagnosis.not_applicable.iter().for_each(|row| has(&row.reason));
    diagnosis.unread.iter().for_each(|row| has(&row.reason));
}
