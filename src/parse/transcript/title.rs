//! Titles of pasted logs: `etcd on cp-2:`, `**kubelet, worker-3**`, `--- cp-1 ---`, `master1 (10.0.0.11):`.
//!
//! Why: who pastes the logs of several machines puts such a line above each, and without it all of them are one log of nobody.
//!
//! Invariants: a title stands directly above a line of a log; besides one name and one program it holds only words that say
//! that a log comes. So a sentence is none, nor is a key of YAML that a program logged.

use crate::transcript::{dialect, stretch};
use catalogue::sources::Sources;
use catalogue::words;
use std::net::IpAddr;

/// What a title names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Title {
    /// The program: `etcd`, `kube-apiserver`.
    pub program: Option<String>,
    /// The machine, the Pod, the workload or the file; its form does not always tell which.
    pub name: Option<String>,
}

/// The longest title.
const LONGEST: usize = 100;
/// Lines of a text among which titles are looked for.
const LOOK: usize = 400;
/// Lines between a title and its log: blank ones, and a fence.
const APART: usize = 3;
/// Marks around a title.
const MARKS: [char; 14] = ['#', '=', '-', '*', '+', '~', '_', '>', '<', '%', '[', ']', '`', '|'];

/// The title of the log that begins with this line.
pub(super) fn above(lines: &[&str], at: usize) -> Option<Title> {
    let is_apart = |line: &&&str| line.trim().is_empty() || dialect::fence(line).is_some();
    let above = lines.get(..at)?;
    let apart = above.iter().rev().take(APART).take_while(is_apart).count();
    above.len().checked_sub(apart + 1).and_then(|at| read(above.get(at)?))
}

/// Is this line a title, with its log below?
pub(super) fn is_one(lines: &[&str], at: usize) -> bool {
    let is_short = |line: &&str| !line.is_empty() && line.len() <= LONGEST;
    let Some(line) = lines.get(at).filter(|line| is_short(line)) else { return false };
    let below = lines.get(at + 1..).unwrap_or_default();
    let mut below =
        below.iter().take(APART).skip_while(|line| line.trim().is_empty() || dialect::fence(line).is_some());
    below.next().is_some_and(|line| stretch::is_log(line)) && read(line).is_some()
}

/// Do titles stand in this text: several, or one above all of its logs?
pub(super) fn is_in(head: &str) -> bool {
    let lines: Vec<&str> = head.lines().take(LOOK).collect();
    let mut titles = (0..lines.len()).filter(|at| is_one(&lines, *at)).filter_map(|at| Some((at, read(lines[at])?)));
    let Some((at, one)) = titles.next() else { return false };
    !lines[..at].iter().any(|line| stretch::is_log(line)) || titles.any(|(_, other)| other != one)
}

/// What a line names, if it can be a title.
fn read(line: &str) -> Option<Title> {
    let line = line.trim_end();
    if line.len() > LONGEST || line.starts_with([' ', '\t', '{']) || stretch::is_log(line) {
        return None;
    }
    let inner = line.trim_matches(|c: char| MARKS.contains(&c) || c == ' ').trim_end_matches([':', '：']);
    let inner = inner.trim_matches(|c: char| MARKS.contains(&c) || c == ' ');
    let is_said = line.len() > inner.len();
    let (plain, aside) = apart(inner);
    let mut title = Title { program: None, name: None };
    let mut address = None;
    let mut last = "";
    let mut others = 0;
    for (word, is_aside) in words_of(&plain).map(|word| (word, false)).chain(words_of(&aside).map(|word| (word, true)))
    {
        let program = title.program.is_none().then(|| program(word)).flatten();
        if program.is_some() {
            title.program = program;
        } else if word.parse::<IpAddr>().is_ok() {
            address.get_or_insert(word);
        } else if is_name(word) {
            if title.name.is_some() && !is_aside {
                return None;
            }
            title.name.get_or_insert_with(|| word.to_owned());
        } else if words::is_counted(last) && word.bytes().all(|b| b.is_ascii_digit()) && title.name.is_none() {
            // `Master 2`
            title.name = Some(format!("{}-{word}", last.to_lowercase()));
        } else if !words::is_of_title(word) {
            if !is_aside {
                return None;
            }
        } else {
            others += 1;
        }
        last = word;
    }
    title.name = title.name.or_else(|| address.map(str::to_owned));
    let bare = others == 0 && title.name.is_some();
    ((is_said || bare) && (title.program.is_some() || title.name.is_some())).then_some(title)
}

/// A text without what stands in it in brackets, and that.
fn apart(text: &str) -> (String, String) {
    match text.split_once('(').and_then(|(front, rest)| Some((front, rest.split_once(')')?))) {
        Some((front, (inner, behind))) => (format!("{front} {behind}"), inner.to_owned()),
        None => (text.to_owned(), String::new()),
    }
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |c: char| matches!(c, ',' | ';' | ':' | '"' | '\'' | '`' | '*' | '[' | ']');
    text.split_whitespace().map(move |word| word.trim_matches(is_end)).filter(|word| !word.is_empty())
}

/// The program that a word calls, as its logs are called.
fn program(word: &str) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    let full = words::program(&lower).unwrap_or(&lower);
    let is_plain = full.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    let known = Sources::built_in().class_of_name(full).is_some() && is_plain && !is_end_of_name(full);
    known.then(|| full.to_owned())
}

/// Names of Pods and of their workloads hold the program's as well: `etcd-cp`, `coredns-custom`.
fn is_end_of_name(word: &str) -> bool {
    let sources = Sources::built_in();
    sources.component_of(word).is_some_and(|component| component != word)
}

/// Can a word only be a name? Names of objects, machines and files are of small letters, and a digit or a mark tells them
/// from words of a sentence.
fn is_name(word: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.' | b'_' | b'/');
    let version = word.trim_start_matches('v').bytes().all(|b| b.is_ascii_digit() || b == b'.');
    word.len() > 1
        && word.bytes().all(plain)
        && word.bytes().any(|b| b.is_ascii_lowercase())
        && word.bytes().any(|b| b.is_ascii_digit() || matches!(b, b'-' | b'.' | b'/'))
        && !version
        && !word.starts_with(['-', '.'])
        && !word.ends_with(['-', '.'])
        && !words::is_of_title(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(line: &str) -> String {
        let show = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        read(line).map_or("none".to_owned(), |title| format!("{} {}", show(title.program), show(title.name)))
    }

    #[test]
    fn what_a_title_names() {
        for (line, wanted) in [
            ("master1:", "- master1"),
            ("etcd on cp-2:", "etcd cp-2"),
            ("Here is the log of etcd on node cp-2 (the leader):", "etcd cp-2"),
            ("**kubelet, worker-3**", "kubelet worker-3"),
            ("=== cp-1 (10.0.0.11) ===", "- cp-1"),
            ("### 10.0.0.11", "- 10.0.0.11"),
            ("Master 2:", "- master-2"),
            ("--- node 3 ---", "- node-3"),
            ("apiserver log (cp-1):", "kube-apiserver cp-1"),
            ("kubelet log:", "kubelet -"),
            ("shop/orders-7d9f8b6c5-abcde:", "- shop/orders-7d9f8b6c5-abcde"),
            ("cp-1", "- cp-1"),
            ("> cp-1.example.com:", "- cp-1.example.com"),
            ("## `etcd-cp-1` log", "- etcd-cp-1"),
            ("/var/log/cloud-init-output.log:", "- /var/log/cloud-init-output.log"),
        ] {
            assert_eq!(show(line), wanted, "{line}");
        }
    }

    #[test]
    fn what_is_no_title() {
        for line in [
            "Since the upgrade to kube-vip-0.8 we see this:",
            "cp-1 and cp-2:",
            "Hi,",
            "logs:",
            "kubelet",
            "  name-1:",
            "Update 2:",
            "INC-12345:",
            "v1.28.3:",
            "2026-11-20:",
            "Caused by: java.io.IOException: Connection refused",
            "goroutine 1 [running]:",
            "-----BEGIN CERTIFICATE-----",
            "10.0.0.1 is not reachable from worker-3:",
            "",
        ] {
            assert_eq!(show(line), "none", "{line}");
        }
    }

    #[test]
    fn a_title_stands_directly_above_a_log() {
        let log = "2026-11-20T08:11:02Z I am here";
        assert!(is_in(&format!("Please help.\n\ncp-1:\n{log}\n\ncp-2:\n\n{log}\n")));
        assert!(is_in(&format!("cp-1:\n```\n{log}\n```\n")));
        assert!(is_in(&format!("{log}\ncp-1:\n{log}\ncp-2:\n{log}\n")));
        assert!(!is_in(&format!("{log}\ncp-1:\n{log}\n")), "a word that a program wrote");
        assert!(!is_in(&format!("cp-1:\n\nIt is broken since then.\n{log}\n")));
        assert!(!is_in("cp-1:\ncp-2:\n"));
    }
}
