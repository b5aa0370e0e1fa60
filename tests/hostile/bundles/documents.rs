//! Documents of JSON and YAML that are deep, that refer to themselves, that have what no document should have.

use super::pack::members;
use super::{Must, bundles, size};
use std::fmt::Write as _;

const FINE: Must = Must::Diagnose(&[]);

const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  namespace: shop\n";

/// A Pod in JSON with a field.
fn pod(field: &str) -> String {
    format!(
        r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"web","namespace":"shop"}},"spec":{{"x":{field}}}}}"#
    )
}

fn utf16(text: &str, big: bool) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
}

macro_rules! texts {
    ($($name:ident: $must:expr, $file:literal, $text:expr;)+) => {
        bundles! { $($name: $must, |place| place.file("b.tar", members([($file, $text)]));)+ }
    };
}

texts! {
    json_of_deep_lists: FINE, "pod.json", pod(&("[".repeat(size(100_000, 1_000_000)) + &"]".repeat(size(100_000, 1_000_000))));
    json_of_deep_maps: FINE, "pod.json", pod(&(r#"{"a":"#.repeat(size(50_000, 1_000_000)) + "1" + &"}".repeat(size(50_000, 1_000_000))));
    json_that_never_closes: FINE, "pod.json", r#"{"a":["#.repeat(size(50_000, 1_000_000));
    json_of_zeros: FINE, "pod.json", pod(&format!("[{}0]", "0,".repeat(size(100_000, 100_000_000))));
    json_of_empty_maps: FINE, "pod.json", pod(&format!("[{}0]", "{},".repeat(size(60_000, 60_000_000))));
    json_of_equal_keys: FINE, "pod.json", pod(&format!("{{{}\"a\":0}}", "\"a\":1,".repeat(size(20_000, 2_000_000))));
    json_of_many_keys: FINE, "pod.json", {
        let keys = (0..size(20_000, 1_000_000)).fold(String::new(), |mut keys, at| {
            let _ = write!(keys, "\"k{at}\":1,");
            keys
        });
        pod(&format!("{{{keys}\"a\":0}}"))
    };
    json_of_huge_numbers: FINE, "pod.json", pod(&format!("[1e999999999,-1e999999999,1e-999999999,{},0.{}]", "9".repeat(100_000), "1".repeat(100_000)));
    json_of_no_numbers: FINE, "pod.json", pod("[NaN,Infinity,-Infinity,0x10,01,+1,.5]");
    json_of_lone_surrogates: FINE, "pod.json", pod(r#"["\ud800","\udc00\ud800","\u0000","\u202e"]"#);
    json_of_broken_utf8: FINE, "pod.json", [pod("1").into_bytes(), b"{\"kind\":\"Pod\",\"metadata\":{\"name\":\"\xff\xfe\"}}".to_vec()].concat();
    json_of_a_long_string: FINE, "pod.json", pod(&format!("\"{}\"", "x".repeat(size(1 << 20, 60 << 20))));
    json_of_a_long_key: FINE, "pod.json", pod(&format!("{{\"{}\":1}}", "k".repeat(size(1 << 20, 60 << 20))));
    json_of_escapes: FINE, "pod.json", pod(&format!("\"{}\"", r"\\\u0041".repeat(size(60_000, 6_000_000))));
    json_within_json: FINE, "pod.json", {
        let inner = (0..9).fold("x".to_owned(), |text, _| serde_json::to_string(&text).unwrap());
        pod(&inner)
    };
    json_with_commas_and_comments: FINE, "pod.json", "{\"kind\":\"Pod\",/* c */\"metadata\":{\"name\":\"web\",},} // end";
    json_behind_json: FINE, "pods.json", pod("1").repeat(size(1_000, 200_000));
    json_of_nothing: FINE, "x.json", "null";
    json_of_blanks: FINE, "x.json", " ".repeat(size(1 << 20, 60 << 20)) + "{}";
    json_list_whose_items_are_no_objects: FINE, "pods.json", r#"{"apiVersion":"v1","kind":"List","items":[1,"x",null,[],{},{"kind":5},{"kind":{},"metadata":[]},{"kind":"Pod","metadata":"x"}]}"#;
    json_list_of_lists: FINE, "pods.json", {
        let inner = pod("1");
        (0..90).fold(inner, |inner, _| format!(r#"{{"apiVersion":"v1","kind":"List","items":[{inner}]}}"#))
    };

    yaml_of_deep_flow: FINE, "pod.yaml", format!("{POD}spec: {}1{}\n", "[".repeat(size(20_000, 1_000_000)), "]".repeat(size(20_000, 1_000_000)));
    yaml_of_deep_blocks: FINE, "pod.yaml", {
        let spec = (0..size(1_000, 4_000)).fold(String::from("spec:\n"), |mut text, at| {
            let _ = writeln!(text, "{}a:", " ".repeat(at + 1));
            text
        });
        format!("{POD}{spec}")
    };
    yaml_of_deep_dashes: FINE, "pod.yaml", format!("{POD}spec:\n  {}x\n", "- ".repeat(size(20_000, 500_000)));
    yaml_that_laughs: FINE, "pod.yaml", {
        let lines = (1..30).fold("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned(), |mut text, at| {
            let _ = writeln!(text, "a{at}: &a{at} [{}*a{}]", format!("*a{}, ", at - 1).repeat(8), at - 1);
            text
        });
        format!("{POD}{lines}")
    };
    yaml_of_merges: FINE, "pod.yaml", {
        let lines = (1..30).fold("m0: &m0 {a: 1, b: 2}\n".to_owned(), |mut text, at| {
            let _ = writeln!(text, "m{at}: &m{at} {{<<: [{}*m{}], k{at}: 1}}", format!("*m{}, ", at - 1).repeat(8), at - 1);
            text
        });
        format!("{POD}{lines}")
    };
    yaml_that_holds_itself: FINE, "pod.yaml", format!("{POD}spec: &s\n  again: *s\n  <<: *s\n");
    yaml_of_unknown_aliases: FINE, "pod.yaml", format!("{POD}spec: {{a: *nobody, <<: *nobody}}\n");
    yaml_of_anchors: FINE, "pod.yaml", {
        (0..size(5_000, 500_000)).fold(format!("{POD}spec:\n"), |mut text, at| {
            let _ = writeln!(text, "  k{at}: &k{at} x");
            text
        })
    };
    yaml_of_tags: FINE, "pod.yaml", format!("{POD}spec: !!python/object/apply:os.system ['touch x']\nstatus: !<tag:x,2000:y> {{a: !!binary '////'}}\nz: !!set {{a, b}}\n");
    yaml_of_equal_keys: FINE, "pod.yaml", format!("{POD}{}", "kind: Pod\nmetadata: {name: web}\n".repeat(size(2_000, 200_000)));
    yaml_of_keys_that_are_maps: FINE, "pod.yaml", format!("{POD}? [a, b]\n: c\n? {{x: y}}\n: z\n{{a: b}}: c\n");
    yaml_of_documents: FINE, "pods.yaml", "---\n".repeat(size(20_000, 2_000_000));
    yaml_of_objects_and_garbage: FINE, "pods.yaml", format!("{POD}---\n: : :\n---\n\t- x\n---\n\"\n---\n{POD}").repeat(size(100, 10_000));
    yaml_of_directives: FINE, "pod.yaml", format!("%YAML 9.9\n%TAG ! tag:x,2000:\n---\n{POD}...\n%FOO\n---\n{POD}");
    yaml_of_tabs: FINE, "pod.yaml", POD.replace("  ", "\t");
    yaml_of_carriage_returns: FINE, "pod.yaml", POD.replace('\n', "\r");
    yaml_of_line_separators: FINE, "pod.yaml", POD.replace('\n', "\u{2028}");
    yaml_of_nul: FINE, "pod.yaml", format!("{POD}spec: \"a\0b\"\n\0\0\0");
    yaml_of_a_long_line: FINE, "pod.yaml", format!("{POD}spec: {}\n", "word ".repeat(size(300_000, 12_000_000)));
    yaml_of_block_texts: FINE, "pod.yaml", format!("{POD}spec: |99\n  x\nstatus: >-2+\n x\ny: |\n").repeat(size(200, 20_000));
    yaml_of_quotes_without_end: FINE, "pod.yaml", format!("{POD}spec: \"{}", "x\n".repeat(size(20_000, 5_000_000)));
    yaml_in_utf16: FINE, "pod.yaml", utf16(POD, false);
    yaml_in_utf16_of_the_other_end: FINE, "pod.yaml", utf16(POD, true);
    yaml_of_half_a_character: FINE, "pod.yaml", { let mut text = utf16(POD, false); text.pop(); text };
    yaml_of_many_marks_of_order: FINE, "pod.yaml", "\u{feff}".repeat(5_000) + POD;
    yaml_list_without_end: FINE, "pods.yaml", format!("apiVersion: v1\nkind: List\nitems:\n{}", "- \n".repeat(size(20_000, 2_000_000)));
    fields_of_the_wrong_kind: FINE, "pods.json", r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":["a"],"namespace":{"x":1},"labels":"x","ownerReferences":5,"creationTimestamp":{},"deletionTimestamp":-1},"spec":[],"status":{"conditions":{"type":"Ready"},"containerStatuses":"x","phase":null}}"#;
    times_beyond_the_calendar: FINE, "pod.json", r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","creationTimestamp":"99999999-99-99T99:99:99Z","deletionTimestamp":"-9999-01-01T00:00:00Z"},"status":{"startTime":"0000-00-00T00:00:60Z","conditions":[{"type":"Ready","status":"False","lastTransitionTime":"2026-02-30T25:61:61+99:99"}]}}"#;
    versions_beyond_numbers: FINE, "pod.json", r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","resourceVersion":"99999999999999999999999999999999","generation":1e400},"status":{"containerStatuses":[{"name":"c","restartCount":9223372036854775808,"ready":false}]}}"#;
    names_that_are_markup: FINE, "pod.json", r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"</script><script>alert(1)</script>","namespace":"\u001b[2J\u202e{{7*7}}"},"status":{"phase":"Failed","reason":"`x`|[y](http://z)","message":"<img src=x onerror=alert(1)>"}}"#;
}
