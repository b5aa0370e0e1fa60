//! Texts with `{placeholders}`.
//!
//! A placeholder is the entity (`{cluster}`), a path of it (`{etcd.status.majority}`), a capture
//! (`{member}`), an evidence id, or one of [`BUILT_IN`]. A brace that is not one stays as it is, because
//! texts hold commands: `{"spec": {}}` is no placeholder, and `{{` is a literal `{`.
//!
//! A clause `[[ of {member}]]` is left out if one of its placeholders has no value, because a sentence with a
//! hole is read as a fault of the report; `[[{count}|Several]]` says what is read instead. Clauses do not nest.

use crate::model::{Piece, Template};

/// Placeholders that every template knows: the number of matches, and the reason of a verdict.
pub const BUILT_IN: [&str; 2] = ["count", "reason"];

/// Splits a text at its placeholders and clauses.
pub fn parse(text: &str) -> Template {
    Template(pieces(text, true))
}

/// The same for a command, which has no clauses: `[[` is an operator of shells.
pub(crate) fn parse_command(text: &str) -> Template {
    Template(pieces(text, false))
}

fn pieces(text: &str, clauses: bool) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(open) = rest.find(['{', '[']) {
        let (before, from) = rest.split_at(open);
        plain.push_str(before);
        if let Some(after) = from.strip_prefix("{{") {
            plain.push('{');
            rest = after;
            continue;
        }
        let found = match clauses.then(|| clause(from)).flatten() {
            Some(found) => Some(found),
            None => placeholder(from).map(|(name, after)| (Piece::Placeholder(name.to_owned()), after)),
        };
        match found {
            Some((piece, after)) => {
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                }
                pieces.push(piece);
                rest = after;
            }
            None => {
                let (brace, after) = from.split_at(1);
                plain.push_str(brace);
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    pieces
}

/// A placeholder at the beginning of a text: its name and what follows it.
fn placeholder(text: &str) -> Option<(&str, &str)> {
    let (name, after) = text.strip_prefix('{')?.split_once('}')?;
    is_name(name).then_some((name, after))
}

/// A clause at the beginning of a text and what follows it. Brackets without a placeholder are no clause.
fn clause(text: &str) -> Option<(Piece, &str)> {
    let body = text.strip_prefix("[[")?;
    let (mut rest, mut bar) = (body, None);
    let end = loop {
        let at = body.len() - rest.len();
        if rest.starts_with("]]") {
            break at;
        }
        if let Some((_, after)) = placeholder(rest) {
            rest = after;
            continue;
        }
        if rest.starts_with('|') && bar.is_none() {
            bar = Some(at);
        }
        let next = rest.chars().next().filter(|_| !rest.starts_with("[["))?;
        rest = rest.get(next.len_utf8()..)?;
    };
    let known = pieces(body.get(..bar.unwrap_or(end))?, false);
    let otherwise = bar.and_then(|bar| body.get(bar + 1..end)).map(|text| pieces(text, false)).unwrap_or_default();
    let says = known.iter().any(|piece| matches!(piece, Piece::Placeholder(_)));
    says.then_some((Piece::Clause { known, otherwise }, body.get(end + 2..)?))
}

/// A name, an id or a path: begins with a letter, holds neither blanks nor commas nor colons nor braces.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.chars().any(|c| c.is_whitespace() || matches!(c, ',' | ':' | '{' | '$'))
}

impl Template {
    /// The names of its placeholders, in order, those of clauses included.
    pub fn placeholders(&self) -> Vec<&str> {
        names(&self.0, true)
    }

    /// The names of the placeholders that are read whether they have a value or not.
    pub(crate) fn unguarded(&self) -> Vec<&str> {
        names(&self.0, false)
    }
}

fn names(pieces: &[Piece], guarded: bool) -> Vec<&str> {
    let mut all = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(_) => {}
            Piece::Placeholder(name) => all.push(name.as_str()),
            Piece::Clause { known, otherwise } => {
                all.extend(if guarded { names(known, guarded) } else { Vec::new() });
                all.extend(names(otherwise, guarded));
            }
        }
    }
    all
}

/// The text as it reads if everything has a value (`{{` written as `{`).
impl std::fmt::Display for Template {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        fn write(pieces: &[Piece], f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            pieces.iter().try_for_each(|piece| match piece {
                Piece::Text(text) => f.write_str(text),
                Piece::Placeholder(name) => write!(f, "{{{name}}}"),
                Piece::Clause { known, .. } => write(known, f),
            })
        }
        write(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[Piece]) -> String {
        pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => format!("{text:?}"),
                Piece::Placeholder(name) => format!("<{name}>"),
                Piece::Clause { known, otherwise } => {
                    format!("[{} | {}]", shown(known), shown(otherwise))
                }
            })
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn show(text: &str) -> String {
        shown(&parse(text).0)
    }

    #[test]
    fn clauses_hold_a_placeholder_and_commands_have_none() {
        insta::assert_snapshot!(show("names a cause[[: {why}]]."), @r#""names a cause" [": " <why> | ] ".""#);
        insta::assert_snapshot!(show("[[{count}|Several]] of [[{a.b[c=d]}]]"), @r#"[<count> | "Several"] " of " [<a.b[c=d]> | ]"#);
        insta::assert_snapshot!(show("[[ -f x ]] and [[{a} [[{b}]] [[{c}"), @r#""[[ -f x ]] and [[" <a> " " [<b> | ] " [[" <c>"#);
        insta::assert_snapshot!(shown(&parse_command("[[ -n {a} ]]").0), @r#""[[ -n " <a> " ]]""#);
        let names = |text: &str| (parse(text).placeholders().join(" "), parse(text).unguarded().join(" "));
        assert_eq!(names("{a}[[ {b}| {c}]]"), ("a b c".to_owned(), "a c".to_owned()));
        assert_eq!(parse("a[[ {b}| c]] d").to_string(), "a {b} d");
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
        fn never_panics_and_keeps_the_text(text in "[a{}. é]*", command in r"[a{}. é|\[\]]*") {
            proptest::prop_assert_eq!(parse(&text).to_string(), text.replace("{{", "{"));
            proptest::prop_assert_eq!(parse_command(&command).to_string(), command.replace("{{", "{"));
            parse(&command);
        }
    }
}
