//! The text of a session as it was before it was pasted: without marks of quoting, colours, hard and invisible blanks,
//! numbers in front of lines; and the marks with which a text sets outputs apart.
//!
//! Invariant: every line stays a line, so that all numbers are those of what was pasted.

use crate::transcript::margin;
use crate::{laid_out, unwrapped, wrapped};
use std::borrow::Cow;

/// The text of each line as it was before it was pasted: without marks of quoting, colours, hard blanks.
pub fn clean(text: &str) -> Vec<String> {
    let lines: Vec<String> = text.lines().map(plain).collect();
    let quoted = quoted(lines.iter().map(String::as_str));
    let bare = |(line, quoted): (String, bool)| if quoted { unquote(&line).to_owned() } else { line };
    let mut all: Vec<String> = lines.into_iter().zip(quoted).map(bare).collect();
    without_numbers(&mut all);
    laid_out::lines(&mut all);
    margin::take_off(&mut all);
    unwrapped::lines(&mut all);
    all
}

/// Which lines are quoted: a mark alone may be anything, beside another one it is that of a mail.
fn quoted<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<bool> {
    let marked: Vec<bool> = lines.map(|line| line.starts_with('>')).collect();
    let near = |other: Option<usize>| other.and_then(|other| marked.get(other)).copied().unwrap_or(false);
    let is_quoted = |at: usize| marked[at] && (near(at.checked_sub(1)) || near(Some(at + 1)));
    (0..marked.len()).map(is_quoted).collect()
}

/// How deep each line of a text is quoted.
pub(super) fn depths(text: &str) -> Vec<u8> {
    let depth = |line: &str| {
        let marks = line.chars().take_while(|c| matches!(c, '>' | ' ')).filter(|c| *c == '>').count();
        u8::try_from(marks).unwrap_or(u8::MAX)
    };
    text.lines().zip(quoted(text.lines())).map(|(line, quoted)| if quoted { depth(line) } else { 0 }).collect()
}

/// A text without the marks of quoted mails.
pub(crate) fn unquoted(text: &str) -> Cow<'_, str> {
    if !text.starts_with('>') && !text.contains("\n>") {
        return Cow::Borrowed(text);
    }
    let bare = |(line, quoted): (&'_ str, bool)| if quoted { unquote(line).to_owned() } else { line.to_owned() };
    let lines = text.split('\n').zip(quoted(text.split('\n'))).map(bare);
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

/// Takes the numbers off that an editor, a web page or `cat -n` puts in front of each line.
fn without_numbers(lines: &mut [String]) {
    let numbered = |line: &String| {
        let rest = line.trim_start();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number: usize = rest.get(..digits)?.parse().ok()?;
        let behind = rest.get(digits..)?;
        let gap = behind.strip_prefix([':', '|', '.', ')']).unwrap_or(behind);
        let gap = gap.strip_prefix('|').unwrap_or(gap);
        let text = gap.strip_prefix(['\t', ' ']).or_else(|| gap.is_empty().then_some(""))?;
        Some((number, line.len() - text.len()))
    };
    let found: Vec<Option<(usize, usize)>> = lines.iter().map(numbered).collect();
    let counts = |pair: &[Option<(usize, usize)>]| matches!(pair, [Some((a, _)), Some((b, _))] if a + 1 == *b);
    if found.len() < 3 || !found.windows(2).all(counts) {
        return;
    }
    for (line, cut) in lines.iter_mut().zip(found) {
        if let Some((_, at)) = cut {
            line.drain(..at);
        }
    }
}

/// Marks of a quoted mail; each level is `> ` or `>`.
fn unquote(mut line: &str) -> &str {
    while let Some(rest) = line.strip_prefix('>') {
        line = rest.strip_prefix(' ').unwrap_or(rest);
    }
    line
}

/// Without colours of a terminal, with plain blanks.
fn plain(line: &str) -> String {
    let line = line.trim_end_matches(['\r', '\0']);
    let coloured = line.contains('\u{1b}').then(|| wrapped::without_colours(line.as_bytes()));
    let line = coloured.as_deref().map_or(Cow::Borrowed(line), String::from_utf8_lossy);
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '\u{a0}' | '\u{2007}' | '\u{202f}' => out.push(' '),
            '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}' => {}
            c => out.push(c),
        }
    }
    if let Some(code) = item_of_code(&out) {
        out = code.to_owned();
    }
    // A word processor changes the quotes of JSON and of fields; those of a sentence say nothing.
    if out.contains(['“', '”', '„']) && (out.trim_start().starts_with(['{', '"']) || out.contains("=“")) {
        out = out.replace(['“', '”', '„'], "\"");
    }
    out
}

/// A text with the quotes of JSON as they were before a word processor changed them; others say nothing.
pub(crate) fn straight(text: &str) -> Cow<'_, str> {
    match text.contains("{“") {
        true => Cow::Owned(text.replace(['“', '”', '„'], "\"")),
        false => Cow::Borrowed(text),
    }
}

/// The code of an item of a list that is nothing else: a row or a line that somebody set apart.
fn item_of_code(line: &str) -> Option<&str> {
    let line = line.trim();
    let item = ["* ", "- ", "+ ", "• "].iter().find_map(|bullet| line.strip_prefix(bullet))?;
    let code = item.trim().strip_prefix('`')?.strip_suffix('`')?;
    (!code.contains('`') && code.contains("  ")).then_some(code)
}

/// A fence: its marks and the word behind them. Those of Markdown, and the macros of ticket systems, which the same word
/// opens and closes: `{code:bash}`, `{noformat}`, `<pre>`.
pub fn fence(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    if let Some(found) = macro_of(line) {
        return Some(found);
    }
    let marks = line.len() - line.trim_start_matches('`').len();
    let tildes = line.len() - line.trim_start_matches('~').len();
    let count = marks.max(tildes);
    let word = line[count..].trim();
    // Python underlines with tildes and carets where an exception was raised.
    let plain_mark = |c: char| c.is_ascii_alphanumeric() || matches!(c, '{' | '.');
    if !word.is_empty() && !word.starts_with(plain_mark) {
        return None;
    }
    // Attributes of a book may stand behind the language: `bash timeout=30`.
    let plain = word.split(' ').skip(1).all(|more| more.contains(['=', '{', '}', '.']));
    (count >= 3 && plain && !word.contains('`')).then(|| (&line[..count], word))
}

/// `{code:title=x|bash}`, `{noformat}`, `[code]`, `<pre>`, `</pre>`, alone on their line.
fn macro_of(line: &str) -> Option<(&str, &str)> {
    let inner = line.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    if let Some(inner) = inner {
        let (name, language) = inner.split_once(':').unwrap_or((inner, ""));
        let language = language.rsplit('|').next().unwrap_or_default();
        // What a ticket system writes there by itself, whatever was pasted.
        let language = if language.eq_ignore_ascii_case("java") { "" } else { language };
        let plain = !language.contains(['{', '}', ' ', '"']) && !language.contains('=');
        return matches!(name, "code" | "noformat" | "quote").then(|| (&line[..1], if plain { language } else { "" }));
    }
    let lower = line.to_ascii_lowercase();
    match lower.as_str() {
        "<pre>" | "</pre>" | "<code>" | "</code>" | "<pre><code>" | "</code></pre>" | "[code]" | "[/code]" => {
            Some((&line[..1], ""))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_that_is_cut_short_takes_nothing_with_it() {
        let cases = [
            ("\u{1b}[1;31mred\u{1b}[0m", "red"),
            ("\u{1b}[?25l\u{1b}[2 qprompt", "prompt"),
            ("0\u{1b}[\nThis stays", "0[\nThis stays"),
            ("\u{1b}[3\u{1b}[0mcp-1", "[3cp-1"),
            ("\u{1b}[31日本 cp-1", "[31日本 cp-1"),
            ("end\u{1b}", "end"),
        ];
        for (text, wanted) in cases {
            assert_eq!(clean(text).join("\n"), wanted, "{text:?}");
            assert_eq!(String::from_utf8_lossy(&wrapped::without_colours(text.as_bytes())), wanted, "{text:?}");
        }
    }

    #[test]
    fn fences_of_all_dialects() {
        let cases = [
            ("```bash", Some(("```", "bash"))),
            ("  ~~~", Some(("~~~", ""))),
            ("    ~~~~~~~~~~^^^^^^^", None),
            ("```bash timeout=30", Some(("```", "bash timeout=30"))),
            ("{code:bash}", Some(("{", "bash"))),
            ("{code:title=etcd.log|none}", Some(("{", "none"))),
            ("{noformat}", Some(("{", ""))),
            ("<pre>", Some(("<", ""))),
            ("``` is a fence", None),
            ("{\"code\": 1}", None),
            ("{code} kubectl", None),
        ];
        for (line, wanted) in cases {
            assert_eq!(fence(line), wanted, "{line}");
        }
    }

    #[test]
    fn numbers_in_front_of_lines() {
        let shown = |text: &str| clean(text).join("/");
        assert_eq!(shown("1  $ kubectl get no\n2  NAME\n3\n4  a"), " $ kubectl get no/ NAME// a");
        assert_eq!(shown("9: a\n10: b\n11: c"), "a/b/c");
        assert_eq!(shown("1 a\n3 b\n4 c"), "1 a/3 b/4 c");
        assert_eq!(shown("10.0.0.1 a\n10.0.0.2 b\n10.0.0.3 c"), "10.0.0.1 a/10.0.0.2 b/10.0.0.3 c");
    }

    #[test]
    fn quotes_of_a_word_processor() {
        assert_eq!(clean("{“level”:“warn”}"), ["{\"level\":\"warn\"}"]);
        assert_eq!(clean("he said “no”"), ["he said “no”"]);
    }
}
