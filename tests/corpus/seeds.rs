//! The published guides that Casefile began with, each as the whole bundle, and a session of our own in
//! several shapes. Reads the folder `seeds` beside the one that `CASEFILE_CORPUS` names.
#![expect(
    clippy::panic,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "helpers of tests fail by panicking, loudly"
)]

use crate::common::{corpus, diagnosis, short, short_list};
use diagnosis::model::{Diagnosis, Finding};
use signature::model::VerdictWord;
use std::path::PathBuf;

fn seed(name: &str) -> Option<PathBuf> {
    let folder = corpus()?.parent().expect("the corpus has a parent").join("seeds");
    let found = std::fs::read_dir(&folder).ok().into_iter().flatten().flatten().map(|entry| entry.path());
    let found =
        found.filter(|path| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name))).min();
    if found.is_none() {
        eprintln!("\n*** SKIPPED: no seed {name} in {} ***\n", folder.display());
    }
    found
}

/// The diagnosis of files that are written on the spot.
fn of(files: &[(&str, &str)]) -> Diagnosis {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    diagnosis(folder.path())
}

fn finding<'a>(diagnosis: &'a Diagnosis, id: &str) -> &'a Finding {
    diagnosis
        .findings
        .iter()
        .find(|f| f.signature.id == id)
        .unwrap_or_else(|| panic!("no {id} among {:?}", short_list(diagnosis)))
}

fn json(diagnosis: &Diagnosis) -> String {
    serde_json::to_string(diagnosis).expect("it serialises")
}

#[test]
fn the_published_session_is_healed_and_says_of_what() {
    let Some(path) = seed("001") else { return };
    let diagnosis = diagnosis(&path);
    let etcd = finding(&diagnosis, "CF-2001");
    assert_eq!(etcd.verdict, VerdictWord::Resolved, "{:?}", short_list(&diagnosis));
    let said = serde_json::to_string(etcd).expect("it serialises");
    assert!(said.contains("2023-11-30T15:33:46"), "the time of the last word: {said}");
    let all = json(&diagnosis);
    for member in ["a4f2bd5654759765", "b6e6acb707bcb7be", "rg44c-qfhp2", "rg44c-sbv4f"] {
        assert!(all.contains(member), "{member}");
    }
    let machine = finding(&diagnosis, "CF-2002");
    assert_eq!(short(machine), "CF-2002/it-tkg-mgmt-rg44c-vrkvg resolved");
    assert!(serde_json::to_string(machine).expect("it serialises").contains("819"));
    assert_eq!(crate::loud(&diagnosis), Vec::<String>::new());
}

#[test]
fn the_published_session_cut_off_before_its_cure_is_open() {
    let Some(path) = seed("001") else { return };
    let text = std::fs::read_to_string(path).expect("a text");
    let (before, _) = text.split_once("I realized that").expect("the place of the cut");
    let diagnosis = of(&[("session.txt", before)]);
    let etcd = finding(&diagnosis, "CF-2001");
    assert!(matches!(etcd.verdict, VerdictWord::Probable | VerdictWord::Confirmed), "{:?}", short_list(&diagnosis));
    assert_eq!(finding(&diagnosis, "CF-2002").verdict, VerdictWord::Confirmed);
}

#[test]
fn the_other_guides_confirm_no_more_than_their_text_shows() {
    // The second guide pastes a run that is stuck; that the image of nginx cannot be pulled is a part of it, as the excerpt of
    // the placement says.
    let shown: [(&str, &[&str]); 3] = [("000", &[]), ("002", &["CF-3002/example-run confirmed"]), ("003", &[])];
    for (name, shown) in shown {
        let Some(path) = seed(name) else { return };
        let diagnosis = diagnosis(&path);
        let own = |f: &&Finding| f.verdict == VerdictWord::Confirmed && f.caused_by.is_none();
        let claimed: Vec<String> = diagnosis.findings.iter().filter(own).map(short).collect();
        assert_eq!(claimed, shown, "{name}");
        if name == "002" {
            assert_eq!(short(finding(&diagnosis, "CF-5002")), "CF-5002/nginx confirmed");
        }
    }
}

/// A session of our own: first the jump host, then a node.
const SESSION: &str = include_str!("../../sample-bundles/pasted-session/bundle/ticket-4711.txt");

const ETCD_IS_BACK: &str = "\
root@harbor-cp-2kq8x:~# ETCDCTL_API=3 etcdctl --endpoints=https://10.9.1.11:2379 endpoint status
https://10.9.1.11:2379, 51c0ffee00000001, 3.5.15, 41 MB, true, false, 9, 812, 812, 
";

const NODES_ARE_BACK: &str = "\
$ kubectl get nodes
NAME             STATUS   ROLES           AGE    VERSION
harbor-cp-2kq8x  Ready    control-plane   89d    v1.30.4
harbor-cp-7lm4d  Ready    control-plane   32d    v1.30.4
harbor-cp-zz0aa  Ready    control-plane   8h     v1.30.4
harbor-md-0-a1   Ready    <none>          89d    v1.30.4
";

fn verdicts(diagnosis: &Diagnosis) -> Vec<String> {
    ["CF-2001", "CF-2002"].iter().map(|id| short(finding(diagnosis, id))).collect()
}

/// The same text as Markdown: prose outside, sessions in fences.
fn markdown(text: &str) -> String {
    let session = |paragraph: &str| {
        paragraph.starts_with("$ ") || paragraph.starts_with("ops@") || paragraph.starts_with("root@")
    };
    let paragraphs = text.split("\n\n").map(|paragraph| {
        if session(paragraph) { format!("```console\n{}\n```", paragraph.trim_end()) } else { paragraph.to_owned() }
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("> {line}\n")).collect()
}

/// With the runs of blanks collapsed to one, as a web page does; JSON lines have none.
fn collapsed(text: &str) -> String {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

#[test]
fn a_session_gets_the_same_verdicts_in_every_shape() {
    let open = ["CF-2001/etcd confirmed", "CF-2002/harbor-cp-w9z5t confirmed"];
    let healed = ["CF-2001/etcd resolved", "CF-2002/harbor-cp-w9z5t resolved"];
    let whole = format!("{SESSION}\n{ETCD_IS_BACK}\n{NODES_ARE_BACK}");
    for (text, wanted) in [(SESSION, open), (whole.as_str(), healed)] {
        for (shape, text) in [
            ("as typed", text.to_owned()),
            ("Markdown", markdown(text)),
            ("quoted", quoted(text)),
            ("quoted Markdown", quoted(&markdown(text))),
            ("collapsed", collapsed(text)),
            ("hard blanks", text.replace("  ", "\u{a0} ")),
            ("Windows line ends", text.replace('\n', "\r\n")),
        ] {
            assert_eq!(verdicts(&of(&[("ticket.txt", &text)])), wanted, "{shape}:\n{text}");
        }
    }
}

#[test]
fn two_windows_pasted_into_two_files_are_one_case() {
    let (jump, node) = SESSION.split_once("On the node etcd complains:\n").expect("the place of the cut");
    let files = [("jump.txt", jump), ("node.txt", node)];
    assert_eq!(verdicts(&of(&files)), ["CF-2001/etcd confirmed", "CF-2002/harbor-cp-w9z5t confirmed"]);
    let (jump, node) = (format!("{jump}{NODES_ARE_BACK}"), format!("{node}{ETCD_IS_BACK}"));
    let files = [("jump.txt", jump.as_str()), ("node.txt", node.as_str())];
    assert_eq!(verdicts(&of(&files)), ["CF-2001/etcd resolved", "CF-2002/harbor-cp-w9z5t resolved"]);
}
