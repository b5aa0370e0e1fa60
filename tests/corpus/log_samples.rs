//! Every block of the sample lines is read in its format. Reads the folder that `CASEFILE_CORPUS` names.

use facts::log::Level;
use facts::origin::MemberId;
use facts::record::Record;
use parse::etcdctl;
use parse::line::{glance, parse};
use std::collections::BTreeMap;

/// The parts of a file under headings that begin with a mark.
fn blocks(text: &str, mark: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix(mark) {
            blocks.push((heading.trim().to_owned(), String::new()));
        } else if let Some((_, body)) = blocks.last_mut()
            && !line.is_empty()
        {
            body.push_str(line);
            body.push('\n');
        }
    }
    blocks
}

#[test]
fn every_sample_line_has_its_format_time_level_and_message() {
    let Some(folder) = crate::common::corpus() else { return };
    let text = std::fs::read_to_string(folder.join("samples/log-lines.txt")).expect("the sample lines");
    let mut formats = Vec::new();
    for (heading, body) in blocks(&text, "#") {
        let mut found: BTreeMap<&str, usize> = BTreeMap::new();
        for line in body.lines() {
            let (seen, full) = (glance(line.as_bytes()), parse(line));
            assert!(seen.time.is_some(), "{heading}: {line}");
            assert_ne!(seen.level, Level::Unknown, "{heading}: {line}");
            assert!(!full.message.is_empty() && full.message.len() < line.len(), "{heading}: {line}");
            *found.entry(seen.format).or_default() += 1;
        }
        formats.push(found.keys().copied().collect::<Vec<_>>().join("+"));
    }
    insta::assert_debug_snapshot!(formats, @r#"
    [
        "zap-json",
        "zap-json",
        "zap-json",
        "capnslog",
        "klog",
        "zap-console+zap-json",
    ]
    "#);
}

#[test]
fn every_sample_output_of_etcdctl_gives_its_records() {
    let Some(folder) = crate::common::corpus() else { return };
    let text = std::fs::read_to_string(folder.join("samples/etcdctl-outputs.txt")).expect("the sample outputs");
    let mut found = Vec::new();
    for (_, body) in blocks(&text, "###") {
        let Some(parsed) = etcdctl::try_parse(MemberId(0), "x.txt", &body) else {
            found.push(format!("nothing of {} lines", body.lines().count()));
            continue;
        };
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        for record in &parsed.records {
            if let Record::Object(object) = record {
                *kinds.entry(object.kind.as_ref().map_or(String::new(), |kind| kind.plural.clone())).or_default() += 1;
            }
        }
        let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        found.push(format!("{}, unread {}", kinds.join(", "), parsed.unread.len()));
    }
    insta::assert_debug_snapshot!(found, @r#"
    [
        "etcdmemberlists 1, etcdmembers 3, unread 0",
        "etcdmemberlists 1, etcdmembers 4, unread 0",
        "etcdmemberlists 1, etcdmembers 3, unread 0",
        "etcdmemberlists 1, etcdmembers 4, unread 0",
        "etcdendpointstatuses 3, unread 0",
        "etcdendpointstatuses 1, unread 0",
        "etcdendpointstatuses 3, unread 0",
        "etcdendpointstatuses 3, unread 0",
        "etcdendpointstatuses 1, unread 0",
        "etcdendpointhealths 3, unread 0",
        "etcdendpointhealths 2, unread 0",
        "etcdalarms 2, unread 0",
        "etcdleadertransfers 1, unread 0",
        "nothing of 1 lines",
    ]
    "#);
}
