//! Text of a bundle inside Markdown.
//!
//! Invariant: no text of a bundle acts as Markdown or HTML. Prose is escaped character by character;
//! excerpts and commands stand in code, fenced longer than any run of backticks inside.

use diagnosis::visible::{one_line, visible};

/// Text as prose on one line: names between backticks become code, and of all else every character that
/// Markdown or HTML could obey is escaped. A backtick inside a name of a bundle can misplace a font and no more.
pub fn prose(text: &str) -> String {
    let line = one_line(text);
    let mut out = String::with_capacity(line.len() + 8);
    let mut rest: &str = &line;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((inside, left)) = after.split_once('`').filter(|(inside, _)| !inside.is_empty()) else { break };
        // Two code spans that touch would be read as one.
        if before.is_empty() && out.ends_with('`') {
            break;
        }
        out.push_str(&escaped(before));
        out.push_str(&code(inside));
        rest = left;
    }
    out.push_str(&escaped(rest));
    begin(out)
}

/// Text in which nothing acts, wherever it stands in a line but at its beginning.
fn escaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 8);
    for c in line.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // `@` and `#` would notify people and link issues, a colon would make bare addresses links.
            '@' => out.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '#' | '|' | '!' | '~' | '$' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    // Bare addresses of a bundle must not become links.
    out.replace("://", ":&#47;&#47;").replace("www.", "www&#46;")
}

/// A line that does not begin as a list, a quote or a rule.
fn begin(mut out: String) -> String {
    match out.chars().next() {
        Some('-' | '+' | '=') => out.insert(0, '\\'),
        Some('0'..='9') => {
            let digits = out.bytes().take_while(u8::is_ascii_digit).count();
            if matches!(out.as_bytes().get(digits), Some(b'.' | b')')) {
                out.insert(digits, '\\');
            }
        }
        _ => {}
    }
    out
}

/// Text as code inside a line, fenced longer than any run of backticks in it.
pub fn code(text: &str) -> String {
    let text = one_line(text);
    if text.is_empty() {
        return "` `".to_owned();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Text as a block of code, every line indented.
pub fn fenced(text: &str, indent: &str) -> String {
    let text = visible(text.trim_end());
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    let mut out = format!("{indent}{fence}text\n");
    for line in text.lines() {
        out.push_str(&format!("{indent}{line}\n"));
    }
    out.push_str(&format!("{indent}{fence}"));
    out
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{code, fenced, prose};

    #[test]
    fn foreign_text_is_never_markdown() {
        assert_eq!(prose("a <b> & [x](javascript:1) *y* `z`"), r"a &lt;b&gt; &amp; \[x\](javascript:1) \*y\* `z`");
        assert_eq!(prose("one ` alone"), r"one \` alone");
        assert_eq!(prose("empty `` and <i>"), r"empty \`\` and &lt;i&gt;");
        assert_eq!(prose("`a<b>``c`"), r"`a<b>`\`c\`");
        assert_eq!(prose("# head\n- item\n1. one"), r"\# head - item 1. one");
        assert_eq!(prose("1. one"), r"1\. one");
        assert_eq!(prose("- x"), r"\- x");
        assert_eq!(prose("@team see https://evil.example"), "&#64;team see https:&#47;&#47;evil.example");
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(fenced("x\n```\ny", "  "), "  ````text\n  x\n  ```\n  y\n  ````");
    }
}
