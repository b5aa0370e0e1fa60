//! Any text that serde_json takes for JSON: our scanner builds the same tree.

#![no_main]

use facts::node::{Node, Value};
use parse::json;

/// Whether a tree is what the library read; of equal keys either may be kept, so maps with them are not compared.
fn is_same(node: &Node, json: &serde_json::Value) -> bool {
    match (&node.value, json) {
        (Value::Null, serde_json::Value::Null) => true,
        (Value::Bool(one), serde_json::Value::Bool(other)) => one == other,
        // What is written `1e+06` is a whole number to us, as collectors print them so.
        (Value::Int(one), serde_json::Value::Number(other)) => {
            other.as_i64() == Some(*one) || other.as_f64() == Some(*one as f64)
        }
        (Value::UInt(one), serde_json::Value::Number(other)) => {
            other.as_u64() == Some(*one) || other.as_f64() == Some(*one as f64)
        }
        // The library is a last digit off now and then, unless it is asked for more (`float_roundtrip`).
        (Value::Float(one), serde_json::Value::Number(other)) => {
            other.as_f64().is_some_and(|other| *one == other || ((one - other) / other).abs() < 1e-15)
        }
        (Value::Str(one) | Value::Text(one), serde_json::Value::String(other)) => **one == **other,
        // What a collector masked says so itself.
        (Value::Redacted(_), serde_json::Value::String(other)) => facts::masked_text::masked(other).is_some(),
        (Value::List(one), serde_json::Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Map(one), serde_json::Value::Object(other)) => {
            one.len() != other.len()
                || one.iter().all(|(key, one)| other.get(&**key).is_some_and(|other| is_same(one, other)))
        }
        // Numbers that no type of ours holds stay texts.
        (Value::Str(_) | Value::Text(_), serde_json::Value::Number(_)) => true,
        _ => false,
    }
}

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(library) = serde_json::from_str::<serde_json::Value>(text) else { return };
    match json::to_node(text, 1, 100) {
        Ok(node) => assert!(is_same(&node, &library), "{node:?}\n{library:?}"),
        // What is nested deeper than we read is refused by us alone.
        Err((_, why)) => assert!(why.contains("nest") || why.contains("deep") || why.contains("values"), "{why}"),
    }
});
