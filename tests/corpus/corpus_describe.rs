//! Over a corpus of real collections: members are told apart, and `describe` says what YAML says.
//!
//! Needs the environment variable `CASEFILE_CORPUS`; says so loudly where it is unset.

#![expect(clippy::unwrap_used, reason = "a test outside of `cfg(test)`: it fails loudly and says what it compared")]

use crate::common::{corpus, files};
use facts::node::{Node, Value, same_field};
use facts::object::{Form, ObjectRecord};
use facts::origin::MemberId;
use facts::record::Record;
use intake::Limits;
use parse::member;
use parse::member::MemberContent;
use parse::scan::Literals;
use std::collections::BTreeMap;
use std::path::Path;

fn read(path: &Path) -> MemberContent {
    let bytes = std::fs::read(path).unwrap();
    let name = path.to_string_lossy();
    member::read(MemberId(0), &name, &mut bytes.as_slice(), &Literals::new([]), &Limits::default())
}

#[test]
fn members_are_told_apart() {
    let Some(corpus) = corpus() else { return };
    let mut all = Vec::new();
    for folder in ["real", "kubefleet", "peers"] {
        all.extend(files(&corpus.join(folder)));
    }
    assert!(!all.is_empty(), "the corpus is empty");
    let mut formats: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in &all {
        let content = read(path);
        let format = match (&content.log, content.parsed.format) {
            _ if content.empty => "empty".to_owned(),
            (None, format) => format.to_owned(),
            (Some(_), format) => format!("{format} log"),
        };
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        let unread: Vec<String> = content.parsed.unread.iter().take(2).map(|(l, r)| format!("{l}! {r}")).collect();
        formats.entry(format!("{format} {extension}")).or_default().push(format!("{} {unread:?}", path.display()));
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = path.to_string_lossy();
        if file.starts_with("get-") && file.ends_with(".txt") && !text.contains("peers") {
            assert!(
                matches!(content.parsed.format, "table" | "answer") || content.empty,
                "{text}: {} {:?}",
                content.parsed.format,
                content.parsed.unread
            );
        }
    }
    for (format, paths) in &formats {
        println!("{:6} {format}", paths.len());
        if std::env::var_os("CASEFILE_VERBOSE").is_some() {
            for path in paths {
                println!("         {path}");
            }
        }
    }
}

/// Each leaf of the described object must be in the YAML, and say the same.
fn compare(at: &str, described: &Node, yaml: &Node, differences: &mut Vec<String>) {
    match (&described.value, &yaml.value) {
        (Value::Redacted(_), _) | (_, Value::Redacted(_)) => {}
        (Value::Map(entries), Value::Map(wanted)) => {
            for (key, node) in entries {
                match wanted.iter().find(|(k, _)| same_field(k, key)) {
                    Some((_, other)) => compare(&format!("{at}.{key}"), node, other, differences),
                    None => differences.push(format!("{at}.{key} is not in the YAML")),
                }
            }
            for (key, node) in wanted {
                let hidden = key.as_str() == "managedFields" || key.starts_with("kubectl.kubernetes.io/last-applied");
                let only_hidden = key.as_str() == "annotations" && node.entries().len() == 1;
                if !hidden && !only_hidden && !node.value.is_empty() && !entries.iter().any(|(k, _)| same_field(k, key))
                {
                    differences.push(format!("{at}.{key} is not in the description"));
                }
            }
        }
        (Value::Map(_), Value::List(wanted)) if wanted.len() == 1 => compare(at, described, &wanted[0], differences),
        (Value::List(items), Value::List(wanted)) => {
            if items.len() != wanted.len() {
                differences.push(format!("{at} has {} items, not {}", items.len(), wanted.len()));
            }
            for (i, (item, other)) in items.iter().zip(wanted).enumerate() {
                compare(&format!("{at}[{i}]"), item, other, differences);
            }
        }
        (Value::List(items), _) if items.is_empty() && yaml.value.is_empty() => {}
        (Value::Null, Value::Null) => {}
        (Value::Text(text), _) => {
            // A tab is printed as blanks, and blanks at the start of a value are lost in the alignment.
            let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let other = yaml.value.scalar().unwrap_or_default();
            let same = described.value.same_as(&yaml.value) || squeeze(text) == squeeze(&other);
            if !same {
                differences.push(format!("{at}: `{text}` is not `{other}`"));
            }
        }
        (value, other) => differences.push(format!("{at}: {value:?} is not {other:?}")),
    }
}

fn objects(content: MemberContent) -> Vec<ObjectRecord> {
    let object = |record| match record {
        Record::Object(object) => Some(*object),
        _ => None,
    };
    content.parsed.records.into_iter().filter_map(object).collect()
}

#[test]
fn describe_says_what_yaml_says() {
    let Some(corpus) = corpus() else { return };
    let mut all = Vec::new();
    all.extend(files(&corpus.join("kubefleet")));
    let mut compared = 0;
    let mut differences = Vec::new();
    for path in &all {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(kind) = file.strip_prefix("describe-").and_then(|rest| rest.strip_suffix(".txt")) else { continue };
        let yaml = objects(read(&path.with_file_name(format!("{kind}.yaml"))));
        for described in objects(read(path)).into_iter().filter(|object| object.form == Form::Describe) {
            let same = |other: &&ObjectRecord| other.name == described.name && other.namespace == described.namespace;
            let Some(other) = yaml.iter().find(same) else { continue };
            compared += 1;
            assert_eq!(described.kind, other.kind, "{file}");
            let mut here = Vec::new();
            compare("", &described.node, &other.node, &mut here);
            differences.extend(here.into_iter().map(|line| format!("{}: {}{line}", path.display(), described.name)));
        }
    }
    println!("{compared} objects compared");
    // What `describe` cannot tell, shown by an object made of nothing else: lists of maps that share no key,
    // maps in maps without entries, numbers with an exponent.
    for line in differences.iter().filter(|line| line.contains("_quirks")) {
        println!("lost by describe: {line}");
    }
    differences.retain(|line| !line.contains("_quirks"));
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(compared > 40, "only {compared} objects were compared");
}
