//! Whatever the bytes, the readers of JSON and YAML return, keep what stands before the damage, and say
//! where it is.

use facts::origin::MemberId;
use facts::record::{Parsed, Record};
use intake::Limits;
use parse::manifest::{read_json, read_yaml};
use proptest::prelude::*;

const YAML: &str = r#"apiVersion: v1
items:
- apiVersion: v1
  kind: Pod
  metadata:
    annotations:
      note: 'Successfully assigned web to n1 (affinity

        score: ''12'')'
    name: web-0
    namespace: shop
  spec:
    containers:
    - args:
      - --v=2
      - "--name=\"web\" \
        \ and more"
      image: registry.example/web:1
  status:
    conditions:
    - lastTransitionTime: "2026-05-01T10:00:00Z"
      message: this goes
        over lines
      status: "False"
      type: Ready
kind: List
---
apiVersion: v1
data:
  run.sh: |
    #!/bin/sh
      echo: "- x"

  raw: |2-
      two
     one
  empty: ""
kind: ConfigMap
metadata:
  name: run
  labels: {}
---
apiVersion: v1
kind: Node
metadata: {name: n1, finalizers: []}
"#;

const JSON: &str = r#"{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[
{"metadata":{"name":"web-0","namespace":"shop","annotations":{"a":"{\"b\":[1,2.5e3,null]}"}}},
{"metadata":{"name":"web-1","namespace":"shop"},"status":{"phase":"Running","ready":true}}]}
{"kind":"Node","apiVersion":"v1","metadata":{"name":"n1"}}
"#;

fn yaml(text: &[u8]) -> Parsed {
    read_yaml(MemberId(0), "x.yaml", text, &Limits::default())
}

fn json(text: &[u8]) -> Parsed {
    read_json(MemberId(0), "x.json", text, &Limits::default())
}

fn names(parsed: &Parsed) -> Vec<&str> {
    let objects = parsed.records.iter().filter_map(|record| match record {
        Record::Object(object) => Some(object.name.as_str()),
        _ => None,
    });
    objects.collect()
}

#[test]
fn the_texts_as_they_are() {
    assert_eq!(names(&yaml(YAML.as_bytes())), ["web-0", "run", "n1"]);
    assert_eq!(names(&json(JSON.as_bytes())), ["web-0", "web-1", "n1"]);
}

#[test]
fn documents_around_damage_survive_and_its_line_is_named() {
    let broken = YAML.replace("  raw: |2-", "  raw: [1,");
    let parsed = yaml(broken.as_bytes());
    assert_eq!(names(&parsed), ["web-0", "n1"]);
    let [(line, why)] = &parsed.unread[..] else { panic!("{:?}", parsed.unread) };
    let reason = why.to_string();
    let first = broken.lines().position(|line| line.contains("raw")).unwrap_or(0) as u32 + 1;
    assert!((first..first + 9).contains(line), "line {line}: {reason}");
    assert!(reason.starts_with("YAML breaks off: ") && reason.contains("expected"), "{reason}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        yaml(&bytes);
        json(&bytes);
    }

    #[test]
    fn any_marks(text in "[ \\n\\t:\\-#|>'\"{}\\[\\],&*!?%@`.a1\\\\]{0,120}") {
        yaml(text.as_bytes());
        json(text.as_bytes());
    }

    #[test]
    fn real_texts_cut_and_changed(
        cut in any::<prop::sample::Index>(),
        changes in prop::collection::vec(
            (any::<prop::sample::Index>(), prop::sample::select(b"\"\\{}[]':|>. \t\n-#0&*\r\x00\xff".to_vec())), 0..4),
    ) {
        for (text, read) in [(YAML, yaml as fn(&[u8]) -> Parsed), (JSON, json)] {
            let mut bytes = text.as_bytes().to_vec();
            bytes.truncate(cut.index(bytes.len() + 1));
            for (place, byte) in &changes {
                if !bytes.is_empty() {
                    let place = place.index(bytes.len());
                    bytes[place] = *byte;
                }
            }
            let lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
            for (line, reason) in read(&bytes).unread {
                prop_assert!(line >= 1 && line <= lines + 1, "line {} of {}: {}", line, lines, reason);
            }
        }
    }

    #[test]
    fn what_stands_before_a_cut_is_kept(cut in any::<prop::sample::Index>()) {
        let starts: Vec<usize> = YAML.match_indices("\n---\n").map(|(at, _)| at + 1).collect();
        let cut = starts[0] + cut.index(YAML.len() - starts[0]);
        let parsed = yaml(&YAML.as_bytes()[..cut]);
        let names = names(&parsed);
        prop_assert_eq!(names.first(), Some(&"web-0"));
        // A part of a mark is damage of what stands before it.
        prop_assert!(cut < starts[1] + 3 || names.get(1) == Some(&"run"), "{:?}", names);
    }
}
