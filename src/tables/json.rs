//! A tree as JSON, as it was read: numbers stay what they are, and a masked value says that it is one.

use facts::node::{Node, Value};

/// The JSON of a tree, in one line.
pub fn json(node: &Node) -> String {
    let mut out = String::new();
    write(node, &mut out);
    out
}

fn write(node: &Node, out: &mut String) {
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Int(number) => out.push_str(&number.to_string()),
        Value::UInt(number) => out.push_str(&number.to_string()),
        Value::Float(number) if number.is_finite() => out.push_str(&format!("{number:?}")),
        Value::Str(text) | Value::Text(text) => quoted(text, out),
        Value::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Map(entries) => {
            out.push('{');
            for (at, (key, value)) in entries.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                quoted(key, out);
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
        // What no JSON can say, in words: a masked value, a range, not a number.
        Value::Float(_) | Value::Range(..) | Value::Redacted(_) => quoted(&node.to_string(), out),
    }
}

fn quoted(text: &str, out: &mut String) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if u32::from(control) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(control))),
            letter => out.push(letter),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::json;
    use facts::node::{Node, Value};

    #[test]
    fn values_stay_what_they_are() {
        let mut map = Node::map(1);
        map.set("id", Node::new(1, Value::UInt(u64::MAX)));
        map.set("list", Node::new(1, Value::List(vec![Node::new(1, Value::Null), Node::new(1, Value::Float(1.0))])));
        map.set("text", Node::str(1, "a\"b\\\n\u{1}"));
        map.set("secret", Node::new(1, Value::REDACTED));
        let text = json(&map);
        assert!(
            text.starts_with(r#"{"id":18446744073709551615,"list":[null,1.0],"text":"a\"b\\\n\u0001","secret":""#),
            "{text}"
        );
    }
}
