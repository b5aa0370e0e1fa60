//! Patterns of paths: how a layout says what a file is by where it lies.
//!
//! A pattern is a path. `{word}` stands for any text within one segment and is captured, `*` for any text
//! that is not, `**` as the last segment for all that follows. `../x` is a file beside the layout's root.
//!
//! Invariant: matching needs no allocation until it has matched, and its cost is bounded by the length of
//! the path (a segment holds few placeholders).

/// What the placeholders of a pattern stood for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Captures(Vec<(&'static str, String)>);

impl Captures {
    /// The text of a placeholder, if the pattern has it.
    pub fn get(&self, word: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| *name == word).map(|(_, text)| text.as_str())
    }
}

/// Matches a path against a pattern.
pub fn matches(pattern: &'static str, path: &str) -> Option<Captures> {
    let mut found = Vec::new();
    let mut segments = path.split('/');
    let mut patterns = pattern.split('/');
    loop {
        match (patterns.next(), segments.next()) {
            (None, None) => break,
            (Some("**"), Some(_)) => break,
            (Some(pattern), Some(segment)) => {
                if !segment_matches(pattern, segment, &mut found) {
                    return None;
                }
            }
            _ => return None,
        }
    }
    Some(Captures(found.into_iter().map(|(word, text)| (word, text.to_owned())).collect()))
}

/// Does a path match one of several patterns?
pub fn any(patterns: &[&'static str], path: &str) -> bool {
    patterns.iter().any(|pattern| matches(pattern, path).is_some())
}

fn segment_matches<'t>(pattern: &'static str, text: &'t str, found: &mut Vec<(&'static str, &'t str)>) -> bool {
    let Some(start) = pattern.find(['{', '*']) else { return pattern == text };
    let (literal, rest) = pattern.split_at(start);
    let Some(text) = text.strip_prefix(literal) else { return false };
    let (word, rest) = match rest.strip_prefix('*') {
        Some(rest) => ("", rest),
        None => match rest[1..].split_once('}') {
            Some((word, rest)) => (word, rest),
            None => return false,
        },
    };
    let before = found.len();
    // The longest text first: `{container}-previous.log` cuts at the last `-previous.log`.
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    for end in ends.collect::<Vec<_>>().into_iter().rev() {
        if !word.is_empty() {
            found.push((word, &text[..end]));
        }
        if segment_matches(rest, &text[end..], found) {
            return true;
        }
        found.truncate(before);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(pattern: &'static str, path: &str) -> String {
        matches(pattern, path).map_or_else(
            || "-".to_owned(),
            |found| found.0.iter().map(|(word, text)| format!("{word}={text}")).collect::<Vec<_>>().join(" "),
        )
    }

    #[test]
    fn placeholders_stay_within_a_segment() {
        insta::assert_snapshot!(show("a/{kind}/{namespace}.json", "a/pods/default.json"), @"kind=pods namespace=default");
        insta::assert_snapshot!(show("a/{kind}.json", "a/b/c.json"), @"-");
        insta::assert_snapshot!(show("a/{kind}.json", "a/.json"), @"-");
        insta::assert_snapshot!(show("a/**", "a/b/c.json"), @"");
        insta::assert_snapshot!(show("a/**", "a"), @"-");
        insta::assert_snapshot!(show("{c}-previous.log", "x-previous-previous.log"), @"c=x-previous");
        insta::assert_snapshot!(show("{host}_{cmd}.txt", "a_b_c.txt"), @"host=a_b cmd=c");
        insta::assert_snapshot!(show("inspect.local.*/x", "inspect.local.1/x"), @"");
    }
}
