//! Values that a name calls secret: `password=x`, `"token":"x"`, `--secret-key x`, `<password>x</password>`,
//! `Cookie: a=b`, `name: DB_PASSWORD, value: x`, `the password of root is x`.
//!
//! Three steps: a name (`names`), what joins it to its value (here), and the value (`value`). What joins decides how
//! much the value must look like a secret: behind `=` anything is one, behind a colon in a sentence words are not.

use super::names::{self, Family, Need};
use super::random::{is_reference, is_secret_like};
use super::{Found, Kind, value};
use crate::ascii;
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use base64::Engine as _;
use regex::{Captures, Match, Regex};
use std::sync::{LazyLock, OnceLock};

/// How a name is joined to its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// `=`, a colon within JSON, `=>`, a field of its own, an element: what follows is the value.
    Assigned,
    /// A colon and a blank, `is`: what follows may be a sentence.
    Said,
    /// A flag and a blank.
    Flag,
    /// A blank alone.
    Blank,
    /// Brackets around it.
    Enclosed,
    /// The next item of a list, the next cell of a row.
    Listed,
}

const QUOTE: &str = r#"(?:\\*["'`]|[\u{e022}\u{e122}\u{e222}\u{e027}\u{e127}\u{e227}”’」])"#;

/// A regex that is compiled when a text asks for it: a small run needs few of them.
struct Asked {
    text: &'static str,
    regex: OnceLock<Option<Regex>>,
}

impl Asked {
    const fn new(text: &'static str) -> Self {
        Self { text, regex: OnceLock::new() }
    }

    fn regex(&self) -> Option<&Regex> {
        let made = || Regex::new(&ascii::borders(&self.text.replace("QUOTE", QUOTE))).ok();
        self.regex.get_or_init(made).as_ref()
    }

    fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.regex()?.find(text)
    }

    fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.regex()?.captures(text)
    }
}

struct Joints {
    assigned: Asked,
    said: Asked,
    field: Asked,
    element: Asked,
    flag: Asked,
    brackets: Asked,
    listed: Asked,
    block: Asked,
    wrapper: Asked,
}

static JOINTS: Joints = Joints {
    assigned: Asked::new(
        r#"(?i)\A(?:\[\d*\]|[ \t]\d{1,2})?QUOTE?[\])}]?(?:[ \t]\([a-z ]{1,20}\))?(?:\s(?:for|of|für|von|pour|para|del?|du|do|di|da)\s\S{1,40}(?:\s[^\s:="'\\]{1,40})?)?[ \t]*\\*(?P<sep>=>|:=|={1,2}|->|→|:)(?:[ \t]|\\+t)*"#,
    ),
    said: Asked::new(
        r"(?i)\A(?:s|es)?QUOTE?(?:\s+(?:for|of)\s+(?:the\s+)?(?:user\s+|account\s+)?\S{1,40})?(?:\s+(?:(?:is |was |has been )?(?:now )?(?:set|changed|reset|updated) to|is|was|are|ist|war|lautet|equals|es|est|è|é|jest)(?:\s+now)?:?\s+|\s*(?:是|为|為|は|＝)[:\s]*)",
    ),
    field: Asked::new(
        r"(?i)\AQUOTE?(?:\s*[,;|]\s*|\s*</[\w:.-]+>\s*<|(?:\s|\\+[nrt])+)(?:QUOTE)?[-<]?\s*(?:value|val|content|default)QUOTE?[ \t]*(?:=>|[:=>]|,)[ \t]*",
    ),
    element: Asked::new(r#"\A\\*["']?(?:\s+[^\s=<>"'\\]+=\\*["'][^<>"']{0,80}\\*["']){0,6}\s*>\s*"#),
    flag: Asked::new(r"\A(?:[ \t]|\\+t|\\+u\{9\})+"),
    listed: Asked::new(r"\A(?:QUOTE[ \t]*,\s*|[ \t]*\|[ \t]*|,|[ \t]+to[ \t]+)"),
    block: Asked::new(r"\A(?:[|>][-+]?\d?[ \t]*(?:\n|\\+n)[ \t]*|(?:\s|\\+[nr])+(?:QUOTE))"),
    // A tag of YAML, a type of Go, a call around the value: `!!str x`, `(string)"x"`, `new SecureString("x")`.
    wrapper: Asked::new(
        r#"\A(?:!!(?:str|binary|int|float)[ \t]+(?P<tagged>\S)|(?:\(\*?[A-Za-z][A-Za-z.*]{0,30}\))?(?:(?:new[ \t]+)?[A-Za-z_][A-Za-z_.:]{0,40}\()?(?P<called>\\*["'`])|\[[ \t]*(?P<listed>\\+["']))"#,
    ),
    brackets: Asked::new(r"\A(?:\[[^\]\s]{4,}\]|\([^)\s]{4,}\))"),
};

static ANCHORS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let kind = Some(AhoCorasickKind::DFA);
    AhoCorasick::builder().ascii_case_insensitive(true).kind(kind).build(names::ANCHORS).ok()
});

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.') || c.is_alphabetic() && ('\u{c0}'..'\u{250}').contains(&c)
}

/// Finds the values in a folded text.
pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let (Some(anchors), joints) = (&*ANCHORS, &JOINTS) else { return };
    let mut from = 0;
    for hit in anchors.find_iter(text) {
        if hit.start() < from {
            continue;
        }
        let (start, end) = name_around(text, hit.start(), hit.end(), from);
        from = end;
        let Some(name) = text.get(start..end) else { continue };
        let Some(end_of_value) = judge(text, start, end, name, joints, found) else { continue };
        from = from.max(end_of_value);
    }
}

/// The name that a part of it belongs to. `api key` and `secret access key` are written as words too.
fn name_around(text: &str, start: usize, end: usize, from: usize) -> (usize, usize) {
    let before = text.get(from..start).unwrap_or_default();
    let is_ascii = text[start..end].is_ascii();
    let left: usize = match is_ascii {
        true => before.chars().rev().take_while(|c| is_part(*c)).map(char::len_utf8).sum(),
        false => 0,
    };
    let behind = &text[end..];
    let right: usize = behind
        .chars()
        .take_while(|c| is_ascii && is_part(*c) || !is_ascii && c.is_alphabetic() && !"是为為は".contains(*c))
        .map(char::len_utf8)
        .sum();
    let mut last = end + right;
    let words = ["key", "token", "secret", "password", "access key", "key base", "phrase", "code"];
    let rest = &text[last..];
    if let Some(word) = words.iter().find(|word| {
        rest.get(1..=word.len()).is_some_and(|next| next.eq_ignore_ascii_case(word))
            && rest.starts_with([' ', '-'])
            && !rest[1 + word.len()..].starts_with(is_part)
    }) {
        last += 1 + word.len();
    }
    (start - left, last)
}

/// Judges one name; where a value was found, or a reference stands there, gives its end.
fn judge(text: &str, start: usize, end: usize, name: &str, joints: &Joints, found: &mut Vec<Found>) -> Option<usize> {
    let name = name.trim_end_matches(['.', '-']);
    let end = start + name.len().min(end - start);
    let before = &text[..start];
    let dashes = name.bytes().take_while(|b| *b == b'-').count();
    let Some(family) = names::family(name) else {
        return glued(text, start, name, found).or_else(|| spoken_of(text, end, name, joints, found));
    };
    let behind = &text[end..];
    let is_flag = (1..=2).contains(&dashes) && !before.ends_with(|c: char| c.is_alphanumeric());
    let (joint, at) = joined(before, behind, name, is_flag, joints)?;
    let at = end + at;
    if family.need == Need::Header && joint != Joint::Blank {
        if text[at..].starts_with('{') || text[at..].starts_with("[{") {
            return None;
        }
        return header(text, at, name, found);
    }
    // What a block of YAML holds, or a value in quotes, may stand on the next line.
    let at = at
        + joints.block.find(&text[at..]).map_or(0, |found| {
            let quote = found.as_str().trim_end_matches(|c: char| !c.is_whitespace() && c != 'n' && c != 'r');
            if found.as_str().starts_with(['|', '>']) { found.end() } else { quote.len() }
        });
    let at = at
        + joints.wrapper.captures(&text[at..]).map_or(0, |wrapped| {
            ["tagged", "called", "listed"].iter().find_map(|name| wrapped.name(name)).map_or(0, |value| value.start())
        });
    let whole = text[at..].split('\n').next().unwrap_or_default();
    let mut value = value::at(text, at)?;
    // The first item of a list, whose brackets are part of what follows.
    let item = text[at..].strip_prefix('[').map(str::trim_start).filter(|item| item.starts_with(['"', '\'', '\\']));
    if let Some(item) = item.filter(|_| !value.opened || text[at..].starts_with("[ ")) {
        value = value::at(text, text.len() - item.len())?;
    }
    // An element ends with its tag, whatever stands in it.
    if joint == Joint::Assigned && text[..at].trim_end().ends_with('>') && !value.opened && before.contains('<') {
        let length = text[at..].find('<')?;
        // `_` stands for the slash in names of files.
        if !["</", "<\\", "<_"].iter().any(|end| text[at + length..].starts_with(end)) {
            return None;
        }
        value.range = at..at + length;
        value.end = value.range.end;
    }
    let shown = text.get(value.range.clone())?;
    let nested = ["{\"", "{'", "{\\", "[{", "[\"", "[\\", "{}", "[]", "{{"].iter().any(|open| shown.starts_with(open));
    if nested || shown == "{" || shown == "[" || !value.opened && shown.starts_with('{') && shown.contains(':') {
        return None;
    }
    if !is_secret(family, joint, shown, &value, whole, text, name) {
        return None;
    }
    found.push(Found { range: value.range, kind: family.kind });
    Some(value.end)
}

/// A name that speaks of a secret and ends otherwise: `PASSWORD_FILE_CONTENT=x`. Only what was drawn by lot is one there.
fn spoken_of(text: &str, end: usize, name: &str, joints: &Joints, found: &mut Vec<Found>) -> Option<usize> {
    if !names::speaks_of_one(name) {
        return None;
    }
    let at = end + joints.assigned.find(&text[end..])?.end();
    let value = value::at(text, at)?;
    let shown = text.get(value.range.clone())?;
    if !(super::encoded::is_lot(shown) || is_one_dense_word(shown)) || is_reference(shown) {
        return None;
    }
    found.push(Found { range: value.range, kind: Kind::Secret });
    Some(value.end)
}

/// Letters of both cases and digits without anything between them: names and paths have their parts told apart.
fn is_one_dense_word(text: &str) -> bool {
    let has = |is: fn(&u8) -> bool| text.bytes().any(|b| is(&b));
    text.len() >= 12
        && text.bytes().all(|b| b.is_ascii_alphanumeric())
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
}

/// `token_Zq7vTr4k` in the name of a file: a name of a secret with the secret in the same word.
fn glued(text: &str, start: usize, name: &str, found: &mut Vec<Found>) -> Option<usize> {
    let at = name.rfind(['_', '-', '.'])?;
    let (head, tail) = (&name[..at], &name[at + 1..]);
    let (head, tail) = match (names::family(head), head.rfind(['_', '-'])) {
        (Some(_), _) => (head, tail),
        (None, Some(cut)) => (&head[..cut], &name[cut + 1..]),
        _ => return None,
    };
    let family = names::family(head)?;
    let dense = tail.len() >= 8 && super::random::is_drawn(tail) && tail.bytes().any(|b| b.is_ascii_uppercase())
        || tail.len() >= 20 && super::random::is_drawn(tail);
    if !dense || super::random::is_uuid(tail) {
        return None;
    }
    let from = start + name.len() - tail.len();
    // What else stands there up to a blank belongs to it.
    let to = value::bare_end(text, from).max(start + name.len());
    found.push(Found { range: from..to, kind: family.kind });
    Some(to)
}

fn joined(before: &str, behind: &str, name: &str, is_flag: bool, joints: &Joints) -> Option<(Joint, usize)> {
    if let Some(found) = joints.field.find(behind) {
        return Some((Joint::Assigned, found.end()));
    }
    let open_tag = before.rfind('<').filter(|at| !before[*at..].contains('>') && before.len() - at < 120);
    if open_tag.is_some()
        && behind.contains('>')
        && let Some(found) = joints.element.find(behind)
    {
        return Some((Joint::Assigned, found.end()));
    }
    if let Some(captures) = joints.assigned.captures(behind) {
        let length = captures.get(0).map_or(0, |all| all.end());
        let tail = &behind[..length];
        // Within JSON, and where no blank follows, a colon assigns.
        let quoted = behind.starts_with(['"', '\'', '\\', '`']) || behind.starts_with(super::fold::ESCAPED_QUOTES);
        let colon = captures.name("sep").is_some_and(|sep| sep.as_str() == ":");
        let said = colon && !quoted && tail.ends_with([' ', '\t']);
        return Some((if said { Joint::Said } else { Joint::Assigned }, length));
    }
    if is_flag && let Some(found) = joints.flag.find(behind) {
        return Some((Joint::Flag, found.end()));
    }
    if let Some(found) = joints.said.find(behind) {
        return Some((Joint::Said, found.end()));
    }
    if let Some(found) = joints.listed.find(behind) {
        // The quote that opens the next item belongs to it.
        return Some((Joint::Listed, found.end()));
    }
    if joints.brackets.find(behind).is_some() {
        return Some((Joint::Enclosed, 0));
    }
    let blank = joints.flag.find(behind)?;
    let joint = if names::takes_a_blank(name) { Joint::Flag } else { Joint::Blank };
    Some((joint, blank.end()))
}

/// Words behind a flag of which a sentence speaks.
const OF_SENTENCE: [&str; 20] = [
    "flag", "flags", "option", "options", "is", "was", "has", "and", "or", "for", "to", "in", "with", "from", "must",
    "cannot", "should", "not", "instead", "argument",
];

fn is_secret(
    family: Family,
    joint: Joint,
    shown: &str,
    value: &value::Value,
    whole: &str,
    text: &str,
    name: &str,
) -> bool {
    if value::is_nothing(shown, whole) || is_ours(shown) {
        return false;
    }
    // The folder in which a program runs.
    if matches!(name, "PWD" | "OLDPWD" | "pwd" | "cwd") && shown.starts_with('/') {
        return false;
    }
    if is_field(shown) {
        return false;
    }
    let behind = &text[value.range.end.min(text.len())..];
    let by_need = match family.need {
        Need::Any => true,
        Need::Mixed => is_secret_like(shown) || is_pair_in_base64(shown) || is_pair(shown),
        Need::Long => shown.len() >= 16 && is_secret_like(shown) && !shown.contains('/'),
        Need::Header => is_secret_like(shown),
    };
    if !by_need {
        return false;
    }
    match joint {
        Joint::Assigned => family.need != Need::Any || family.kind == Kind::Password || !is_other_key(shown),
        Joint::Said if value.opened => true,
        Joint::Said => {
            (family.need != Need::Any || family.kind == Kind::Password || !is_other_key(shown))
                && !value::is_word(shown, behind)
        }
        Joint::Flag if family.kind == Kind::Password || family.need == Need::Mixed || is_secret_like(shown) => {
            value.opened
                || !(OF_SENTENCE.contains(&shown)
                    || is_flag_shape(shown)
                    || value::is_word(shown, "") && behind.starts_with(' ') && text.starts_with("the "))
        }
        Joint::Flag => !is_other_key(shown) && !is_flag_shape(shown) && !OF_SENTENCE.contains(&shown),
        Joint::Listed if name.starts_with('-') => !is_flag_shape(shown) && !value::is_word(shown, " x"),
        Joint::Listed => is_secret_like(shown) && !value::is_word(shown, behind) && !is_next_name(shown),
        Joint::Enclosed => is_secret_like(shown) || shown.starts_with(['[', '(']) && is_secret_like(&shown[1..]),
        // What stands in quotes before a colon is the next name.
        Joint::Blank if value.opened && is_key(behind) => false,
        Joint::Blank if value.opened => {
            family.need != Need::Any || is_secret_like(shown) || family.kind == Kind::Password
        }
        Joint::Blank => {
            is_secret_like(shown) && !value::is_word(shown, behind) && !is_reference(shown) && !is_flag_shape(shown)
        }
    }
}

/// The field that a column of `kubectl -o custom-columns` shows: `SECRET:.spec.bmc.credentialsName`.
fn is_field(shown: &str) -> bool {
    let is_name = |name: &str| {
        let bare = name.split('[').next().unwrap_or(name);
        bare.len() > 2
            && bare.bytes().all(|b| b.is_ascii_alphabetic())
            && bare.starts_with(|c: char| c.is_ascii_lowercase())
    };
    let path = shown.strip_prefix('.').map(|path| path.split(',').next().unwrap_or(path));
    path.is_some_and(|path| path.contains('.') && path.split('.').all(is_name))
}

/// Does a quote with a separator stand here, so that a name ended?
fn is_key(behind: &str) -> bool {
    let rest = behind.trim_start_matches('\\');
    rest.strip_prefix(['"', '\'', '`']).is_some_and(|rest| rest.trim_start().starts_with([':', '=']))
}

/// Our own word, in front of which somebody else's stands.
fn is_ours(shown: &str) -> bool {
    shown == "redacted"
}

fn is_flag_shape(shown: &str) -> bool {
    let word = shown.trim_start_matches('-');
    word.len() < shown.len()
        && shown.len() - word.len() <= 2
        && word.split('=').next().is_some_and(|name| {
            name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
        })
}

/// `user-agent:x`: the next name of a list, with its value.
fn is_next_name(shown: &str) -> bool {
    shown.split_once(':').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-' || b == b'_')
    })
}

/// A file, a path, a word, a name: what stands behind a name of a key and is none.
fn is_other_key(shown: &str) -> bool {
    let word = shown.bytes().all(|b| b.is_ascii_lowercase()) && shown.len() < 16;
    is_reference(shown) || word || shown.len() < 6 && !shown.bytes().any(|b| b.is_ascii_digit())
}

/// `user:password`, where a name says that credentials follow.
fn is_pair(shown: &str) -> bool {
    shown.split_once(':').is_some_and(|(user, secret)| {
        !user.is_empty()
            && secret.len() >= 3
            && !is_reference(shown)
            && !shown.contains(' ')
            && !secret.bytes().all(|b| b.is_ascii_digit())
    })
}

/// Base64 of `user:password`, as `docker login` keeps it.
fn is_pair_in_base64(shown: &str) -> bool {
    let decoded = base64::engine::general_purpose::STANDARD.decode(shown).ok();
    decoded.is_some_and(|bytes| {
        bytes.len() >= 3 && bytes.contains(&b':') && bytes.iter().all(|b| (0x20..0x7f).contains(b) || *b >= 0x80)
    })
}

/// Schemes of `Authorization` behind which one word is the credential.
const SCHEMES: [&str; 12] =
    ["bearer", "basic", "token", "negotiate", "ntlm", "apikey", "key", "jwt", "splunk", "genie-key", "bot", "ssws"];

/// Schemes behind which fields stand, to the end of the header.
const FIELDS: [&str; 8] =
    ["digest", "aws4-hmac-sha256", "oauth", "hawk", "signature", "mac", "hmac-sha256", "goog4-rsa-sha256"];

/// The value of a header: behind its scheme, one word; of cookies and of schemes with fields, all of it.
fn header(text: &str, at: usize, name: &str, found: &mut Vec<Found>) -> Option<usize> {
    let mut value = value::at(text, at)?;
    let rest = &text[value.range.start..];
    let line = rest.split(['\n', '\r']).next().unwrap_or_default();
    let is_cookie = name.to_ascii_lowercase().contains("cookie");
    let scheme = line.split(' ').next().unwrap_or_default().to_ascii_lowercase();
    if value.opened && rest.starts_with(['"', '\'', '\\']) {
        // The header as a list of one: `["x"]`.
        let inner = value::at(text, value.range.start)?;
        value = value::Value { end: value.end, ..inner };
    }
    if !value.opened {
        value.range.end = value.range.start
            + match () {
                () if is_cookie => end_of_cookies(line),
                () if FIELDS.contains(&scheme.as_str()) => end_of_header(line),
                () => value::bare_end(text, value.range.start) - value.range.start,
            };
    }
    if SCHEMES.contains(&scheme.as_str()) && line.len() > scheme.len() + 1 {
        value.range.start += scheme.len() + 1;
        if !value.opened {
            value.range.end = value::bare_end(text, value.range.start);
        }
        let shown = text.get(value.range.clone())?;
        if !is_secret_like(shown) && shown.len() < 16 && !is_pair_in_base64(shown) && value::is_word(shown, " x") {
            return None;
        }
    }
    let shown = text.get(value.range.clone())?;
    let sentence = shown.split(' ').all(|word| word.bytes().all(|b| b.is_ascii_alphabetic() || b",.:'-".contains(&b)));
    let may_be = shown.contains('=') || shown.split([' ', ',', ';']).any(is_secret_like);
    if value::is_nothing(shown, shown)
        || sentence
        || !may_be && shown.contains(' ')
        || !shown.contains(' ') && is_reference(shown)
    {
        return None;
    }
    value.end = value.end.max(value.range.end);
    found.push(Found { range: value.range, kind: Kind::Header });
    Some(value.end)
}

/// Where cookies end that no quote opened: `a=b; c=d`.
fn end_of_cookies(line: &str) -> usize {
    let most = end_of_header(line);
    let mut end = 0;
    for word in line[..most].split_inclusive(' ') {
        end += word.len();
        if !word.trim_end().ends_with(';') {
            break;
        }
    }
    line[..end].trim_end().len()
}

/// Where a header ends that no quote opened: at a quote that ends the text around it, or with the line.
fn end_of_header(line: &str) -> usize {
    let mut quotes = 0usize;
    for (at, c) in line.char_indices() {
        let behind = &line[at + c.len_utf8()..];
        match c {
            '"' | '\'' => {
                let opens = line[..at].trim_end_matches('\\').ends_with(['=', ',']) && quotes.is_multiple_of(2);
                if !opens && quotes.is_multiple_of(2) {
                    return line[..at].trim_end_matches('\\').len();
                }
                quotes += 1;
            }
            '\\' if behind.starts_with(['n', 'r']) => return at,
            c if super::fold::ESCAPED_QUOTES.contains(&c) => return at,
            _ => {}
        }
    }
    line.len()
}
