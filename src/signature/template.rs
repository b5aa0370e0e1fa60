//! Texts with `{placeholders}`.
//!
//! A placeholder is the entity (`{cluster}`), a path of it (`{etcd.status.majority}`), a capture
//! (`{member}`), an evidence id, or one of [`BUILT_IN`]. A brace that is not one stays as it is, because
//! texts hold commands: `{"spec": {}}` is no placeholder, and `{{` is a literal `{`.

use super::model::{Piece, Template};

/// Placeholders that every template knows: the number of matches, and the reason of a verdict.
pub const BUILT_IN: [&str; 2] = ["count", "reason"];

/// Splits a text at its placeholders.
pub fn parse(text: &str) -> Template {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        plain.push_str(before);
        if let Some(after) = from.strip_prefix("{{") {
            plain.push('{');
            rest = after;
            continue;
        }
        match from.find('}').and_then(|close| from.get(1..close).filter(|name| is_name(name)).map(|name| (name, close)))
        {
            Some((name, close)) => {
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                }
                pieces.push(Piece::Placeholder(name.to_owned()));
                rest = from.get(close + 1..).unwrap_or_default();
            }
            None => {
                plain.push('{');
                rest = from.get(1..).unwrap_or_default();
            }
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    Template(pieces)
}

/// A name, an id or a path: begins with a letter, holds neither blanks nor commas nor colons nor braces.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.chars().any(|c| c.is_whitespace() || matches!(c, ',' | ':' | '{' | '$'))
}

impl Template {
    /// The names of its placeholders, in order.
    pub fn placeholders(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Placeholder(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }
}

/// The text as it was written (`{{` written as `{`).
impl std::fmt::Display for Template {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|piece| match piece {
            Piece::Text(text) => f.write_str(text),
            Piece::Placeholder(name) => write!(f, "{{{name}}}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> String {
        parse(text)
            .0
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => format!("{text:?}"),
                Piece::Placeholder(name) => format!("<{name}>"),
            })
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn placeholders_and_plain_braces() {
        insta::assert_snapshot!(show("{count} of `{cluster}`"), @r#"<count> " of `" <cluster> "`""#);
        insta::assert_snapshot!(show("{etcd.status.members[reachable=false].name}"), @"<etcd.status.members[reachable=false].name>");
        insta::assert_snapshot!(show(r#"-p '{"a":{"b":null}}' and {{member}"#), @r#""-p '{\"a\":{\"b\":null}}' and {member}""#);
        insta::assert_snapshot!(show("jsonpath={.spec} {} { {a"), @r#""jsonpath={.spec} {} { {a""#);
    }

    proptest::proptest! {
        #[test]
        fn never_panics_and_keeps_the_text(text in "[a{}. é]*") {
            proptest::prop_assert_eq!(parse(&text).to_string(), text.replace("{{", "{"));
        }
    }
}
