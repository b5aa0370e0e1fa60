//! Every sample bundle gets exactly its expected diagnosis, and `check` says so in its formats.
#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

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

/// The answer of a bundle that is written on the spot, and whether a clean bill of health is given.
fn answer_of(bytes: &[u8], name: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a file");
    let output = casefile().arg("diagnose").arg(&path).args(["-o", "-", "--format", "json"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    json["answer"].as_str().expect("an answer").to_owned()
}

#[test]
fn a_file_that_is_no_bundle_gets_no_clean_bill_of_health() {
    let noise: Vec<u8> = (0..20_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for (bytes, name) in [(noise.as_slice(), "upload.bin"), (b"dear support, nothing works\n".as_slice(), "mail.txt")] {
        // As an empty file: exit code 3, so that `--fail-on` does not pass, and no report that could be green.
        let dir = tempfile::tempdir().expect("a folder");
        std::fs::write(dir.path().join(name), bytes).expect("a file");
        let run = Command::new(env!("CARGO_BIN_EXE_casefile"))
            .current_dir(dir.path())
            .args(["diagnose", name, "--fail-on", "high"])
            .output()
            .expect("the program");
        assert_eq!(run.status.code(), Some(3), "{name}");
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(said.contains("nothing could be read from") && run.stdout.is_empty(), "{name}: {said}");
    }
}

#[test]
fn an_answer_from_a_damaged_archive_says_so() {
    let list = std::fs::read("sample-bundles/healthy-workload-cluster/bundle/global/machines.yaml").expect("a sample");
    let mut tar = Vec::new();
    let mut header = tar::Header::new_gnu();
    header.set_size(list.len() as u64);
    header.set_mode(0o644);
    for name in ["global/machines.yaml", "global/other.yaml"] {
        header.set_path(name).expect("a short name");
        header.set_cksum();
        tar.extend_from_slice(header.as_bytes());
        tar.extend_from_slice(&list);
        tar.resize(tar.len().next_multiple_of(512), 0);
    }
    tar.truncate(tar.len() - 600);
    assert!(answer_of(&tar, "cut.tar").contains("damaged"), "{}", answer_of(&tar, "cut.tar"));
}
