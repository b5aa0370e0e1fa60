//! Every sample bundle gets exactly its expected diagnosis, and `check` says so in its formats.

use assert_cmd::Command;

fn casefile() -> Command {
    let mut command = Command::cargo_bin("casefile").expect("the program is built with the tests");
    command.env("NO_COLOR", "1");
    command
}

#[test]
fn every_sample_bundle_gets_its_expected_diagnosis() {
    let output = casefile().args(["check", "sample-bundles"]).output().expect("check runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let cases = std::fs::read_dir("sample-bundles").expect("the samples are here").flatten();
    let cases = cases.filter(|entry| entry.path().join("bundle").exists()).count();
    assert!(cases >= 10, "only {cases} sample bundles");
    for case in ["failed-import", "etcd-no-leader", "healthy-etcd"] {
        assert!(text.contains(case), "{case} is not in the table:\n{text}");
    }
}

#[test]
fn check_prints_junit() {
    let output = casefile().args(["check", "sample-bundles", "--format", "junit"]).output().expect("check runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("<?xml") && text.contains("<testcase") && !text.contains("<failure"), "{text}");
}

#[test]
fn check_fails_on_a_diagnosis_that_is_not_expected() {
    let folder = tempfile::tempdir().expect("a folder");
    let case = folder.path().join("case");
    std::fs::create_dir_all(case.join("bundle")).expect("a folder");
    std::fs::copy("sample-bundles/orphan-credentials/expected.json", case.join("expected.json")).expect("a copy");
    std::fs::write(case.join("bundle/notes.txt"), "nothing to see here\n").expect("a file");
    let output = casefile().arg("check").arg(folder.path()).output().expect("check runs");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("CF-1002"), "the difference names the finding:\n{text}");
}
