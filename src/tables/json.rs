//! A tree as JSON, as it was read: numbers stay what they are, and a masked value says that it is one. And a row of a
//! table.

use crate::{Cell, Table};
use facts::node::{Node, Value};
use jiff::Timestamp;

/// A row of a table as one line of JSON, with the name of the table and the id of the bundle in front; cells that are null
/// are left out, times are RFC 3339 in UTC to the microsecond.
pub fn row(table: &Table, id: &str, cells: &[Cell]) -> String {
    let mut out = String::from("{\"table\":");
    quoted(&table.name, &mut out);
    out.push_str(",\"bundle_id\":");
    quoted(id, &mut out);
    for (column, cell) in table.columns.iter().zip(cells) {
        if *cell == Cell::Null {
            continue;
        }
        out.push(',');
        quoted(&column.name, &mut out);
        out.push(':');
        match cell {
            Cell::Null => {}
            Cell::Text(text) => quoted(text, &mut out),
            Cell::Number(number) => out.push_str(&number.to_string()),
            Cell::Truth(truth) => out.push_str(&truth.to_string()),
            Cell::Time(time) => {
                let time = Timestamp::from_microsecond(time.as_microsecond()).unwrap_or(*time);
                quoted(&time.to_string(), &mut out);
            }
        }
    }
    out.push_str("}\n");
    out
}

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
    use super::{json, row};
    use crate::Cell;
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

    #[test]
    fn a_row_is_one_line_whatever_stands_in_it() {
        let table = crate::fixed().into_iter().find(|table| table.name == "bundles").unwrap();
        let time = "2026-03-04T09:00:00.123456789Z".parse().unwrap();
        let cells = [Cell::Text("a\"\n\u{1}".to_owned()), Cell::Null, Cell::Time(time), Cell::Null, Cell::Number(-1)];
        assert_eq!(
            row(&table, "id", &cells),
            "{\"table\":\"bundles\",\"bundle_id\":\"id\",\"name\":\"a\\\"\\n\\u0001\",\"as_of\":\"2026-03-04T09:00:00.123456Z\",\"members\":-1}\n"
        );
    }
}
