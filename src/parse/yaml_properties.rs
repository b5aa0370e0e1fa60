//! The fast YAML reader and the general one give the same tree, or the fast one gives none.

use crate::yaml::{chunks, read_chunk, read_events};
use crate::yaml_block::read;
use facts::node::{Node, Value};
use proptest::prelude::*;
use std::path::PathBuf;

/// Did the fast reader read it? Then both must agree.
fn agree(text: &str, line: u32) -> Result<bool, String> {
    let Some(own) = read(text, line, 100) else { return Ok(false) };
    if text.contains("***HIDDEN***") {
        // An alias for the library.
        return agree(&text.replace("***HIDDEN***", "HIDDEN"), line);
    }
    let theirs = read_events(text, line, 100);
    let [document] = &theirs[..] else { return Err(format!("{} documents", theirs.len())) };
    match (&document.damage, &document.node) {
        (Some(damage), _) => Err(format!("damage {damage:?}")),
        (None, Some(node)) if *node == own => Ok(true),
        (None, node) => Err(node.as_ref().map_or_else(String::new, |node| difference(&own, node))),
    }
}

/// The first place where two trees differ.
fn difference(own: &Node, theirs: &Node) -> String {
    let (a, b) = (own.entries(), theirs.entries());
    if own.line == theirs.line && a.len() == b.len() && own.items().len() == theirs.items().len() {
        let maps = a.iter().zip(b).filter(|(a, b)| a.0 == b.0).map(|(a, b)| (&a.1, &b.1));
        if let Some((a, b)) = maps.chain(own.items().iter().zip(theirs.items())).find(|(a, b)| a != b) {
            return difference(a, b);
        }
    }
    let cut = |node: &Node| format!("{node:?}").chars().take(300).collect::<String>();
    format!("own {} | library {}", cut(own), cut(theirs))
}

#[test]
fn the_subset_is_read_here_and_as_the_library_reads_it() {
    for text in [
        "a: 1\nb:\n- x\n- y: 2\n  z: true\nc:\n  d: null\n",
        "---\n# note\na: b # note\nm: {}\nl: []\ne: \"\"\nq: 'it''s'\n",
        "a: |\n  one\n    two\n\n  three\nb: |-\n  x\nc: |+\n  y\n\nd: 1\n",
        "a: |\n\n  one\n# note\nb: |2-\n    two\n   three\n\nc:\n- |2\n    x\n- |-\n  y\n",
        "a: this is\n  folded over\n\n  lines\nb: 2\nc: x\n  - y\n  -\n",
        "a: folded\n  over # note\nb: 'quoted\n\n\n  it''s ''here''\n  and there'\nc:\n- 'a\n  b'\n- c\n",
        "a: \"x\\n\\\"y\\u00e9\"\n\"k/1\": v\nf:a: v\n",
        "a: \"folded  \n  over \\\n  lines\\\n  \\  with \\t \n  escapes\\ \n  at ends\"\nb: 1\n",
        "a: ' b'\nc: '\n  d'\ne: \"\n\n  f \"\ng: ''''\n",
        "- - 1\n  - 2\n-\n  a: 1\n- -3\n",
        "a:\n  - b: 1\n    c: |\n      text\n  -\n    d\u{3a} 2\nurl: https://x:1/y\n",
        "a:\nb: 2\n",
        "t: 2026-05-01T10:00:00Z\nn: 18446744073709551615\nf: 1e+06\ns: 0123\n",
        "...: null\n....: 1\na: ...\n---x: 1\n",
        "1.0: a\nTrue: b\nnull: c\n~: d\nxxx: e\n",
        "a: x\na: y\n'b:c': 1\nk:{\"p\":1}: {}\n",
    ] {
        assert_eq!(agree(text, 5), Ok(true), "{text:?}");
    }
}

#[test]
fn everything_else_goes_to_the_library() {
    for text in [
        "a: {b: 1}\n",
        "a: &x 1\nb: *x\n",
        "a: !!str 1\n",
        "a: >\n  x\n",
        "a:\n\t- b\n",
        "a: 'x\ny'\n",
        "a: 'x\n",
        "a: 'x'\n  y\n",
        "a: b: c\n",
        "a: 1\n b: 2\n",
        "a: |\n    x\n  y\n",
        "a: 1\n...\n",
        "a: 1\n... # end\n",
        "a\n",
        "a: \"x\n",
        "a: \"\\q\"\n",
        "- a\nb: 1\n",
        "? a\n: b\n",
    ] {
        assert_eq!(read(text, 1, 100), None, "{text:?}");
    }
}

#[test]
fn a_mask_that_is_not_quoted_is_no_alias() {
    let node = read("a: ***HIDDEN***\nb: ***HIDDEN***:10000\nc:\n- ***TOKEN_1***\n", 1, 100).unwrap();
    assert_eq!(node.get("a").map(|n| &n.value), Some(&Value::REDACTED));
    assert_eq!(node.get("b").and_then(Node::as_str), Some("***HIDDEN***:10000"));
    assert_eq!(node.get("c").and_then(|n| n.items().first()).map(|n| &n.value), Some(&Value::REDACTED));
    assert_eq!(read("a: ***x\n", 1, 100), None);
}

#[test]
fn a_block_scalar_cites_the_line_of_its_mark() {
    for text in ["a: |\n\n  x\nb:\n- 1\n- |-\n  y\n", "a: >\n\n  x\nb:\n- 1\n- >-\n  y\n"] {
        for document in read_chunk(&chunks(text)[0], 100) {
            let node = document.node.unwrap();
            assert_eq!(node.get("a").map(|n| n.line), Some(1), "{text:?}");
            let last = node.get("b").and_then(|n| n.items().last()).map(|n| n.line);
            assert_eq!(last, Some(6), "{text:?}");
        }
    }
    let empty = read_events("b: {}\na: |\nc: >-\n", 1, 100);
    let lines: Vec<u32> = empty[0].node.iter().flat_map(|n| n.entries()).map(|(_, n)| n.line).collect();
    assert_eq!(lines, [1, 2, 3]);
}

#[expect(clippy::disallowed_methods, reason = "the corpus is not part of the repository; a variable names it")]
fn yaml_files() -> Vec<(PathBuf, String)> {
    let Ok(roots) = std::env::var("CASEFILE_CORPUS") else {
        eprintln!("CASEFILE_CORPUS is not set: the YAML readers were NOT compared on real files");
        return Vec::new();
    };
    let (mut files, mut folders) = (Vec::new(), roots.split(':').map(PathBuf::from).collect::<Vec<_>>());
    while let Some(folder) = folders.pop() {
        let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "yaml" || e == "yml")
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                files.push((path, text));
            }
        }
    }
    files
}

#[test]
fn both_readers_agree_on_the_corpus() {
    let (mut own, mut all, mut wrong) = (0, 0, Vec::new());
    for (path, text) in yaml_files() {
        // What people write by hand holds flow maps; the others are what kubectl and Go's writers print.
        let by_hand = path.components().any(|part| part.as_os_str() == "samples" || part.as_os_str() == "semantics");
        for chunk in chunks(&text) {
            all += u32::from(!by_hand);
            match agree(chunk.text, chunk.line) {
                Ok(true) => own += u32::from(!by_hand),
                Ok(false) if by_hand => {}
                Ok(false) => println!("refused: {} from line {}", path.display(), chunk.line),
                Err(why) => wrong.push(format!("{} from line {}: {why}", path.display(), chunk.line)),
            }
        }
    }
    println!("{own} of {all} documents were read by the fast reader");
    assert!(wrong.is_empty(), "{} documents differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(all == 0 || own * 100 >= all * 98, "only {own} of {all} documents were in the subset");
}

fn tree() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        "[ -~\\n]{0,12}".prop_map(Into::into),
        "[a-z: #'\"-]{0,12}".prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::vec(("[a-z/.]{1,8}", inner), 0..5)
                .prop_map(|entries| serde_json::Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// Writes a tree in the way of Go's writers.
fn write(value: &serde_json::Value, indent: usize, out: &mut String) {
    use serde_json::Value as V;
    let pad = " ".repeat(indent);
    match value {
        V::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                out.push_str(&format!("\n{pad}{key}:"));
                let deeper = indent + if value.is_array() { 0 } else { 2 };
                write(value, deeper, out);
            }
        }
        V::Array(items) if !items.is_empty() => {
            for item in items {
                out.push_str(&format!("\n{pad}-"));
                write(item, indent + 2, out);
            }
        }
        V::String(text) if text.ends_with("e\n") && !text.starts_with([' ', '\n']) => {
            out.push_str(" |");
            for line in text.trim_end_matches('\n').split('\n') {
                out.push_str(&format!("\n{pad}  {line}"));
            }
        }
        other => out.push_str(&format!(" {other}")),
    }
}

proptest! {
    #[test]
    fn both_readers_agree_on_written_trees(value in tree()) {
        prop_assume!(value.as_object().is_some_and(|map| !map.is_empty()));
        let mut text = String::new();
        write(&value, 0, &mut text);
        text.push('\n');
        let text = text.trim_start_matches('\n');
        prop_assert_eq!(agree(text, 1), Ok(true), "{:?}", text);
    }

    #[test]
    fn whatever_is_read_here_is_read_alike_by_the_library(text in "([a-c-]{0,2}[ ]{0,3}[:#|'\"a]{0,2}[ \\n]{0,3}){0,12}") {
        if let Some(own) = read(&text, 1, 100) {
            let theirs = read_events(&text, 1, 100);
            prop_assert_eq!(Some(&own), theirs.first().and_then(|d| d.node.as_ref()), "{:?}", &text);
        }
    }

    #[test]
    fn no_text_is_a_crash(text in "\\PC{0,80}|[ \\n:\\-#|>'\"{}a]{0,60}") {
        for chunk in chunks(&text) {
            read_chunk(&chunk, 20);
        }
    }
}
