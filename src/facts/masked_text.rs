//! Texts of which a collector or Casefile masked a part: `postgres://***HIDDEN***@db:5432`.
//!
//! Why apart from [`Value::Redacted`](crate::node::Value::Redacted): what stands around the mask is readable
//! and tells something (`connection refused`), but two such texts are not equal because their masks look
//! alike.
//!
//! Marks: `replicatedhq/troubleshoot:pkg/redact@v0.107`, and the mask of `parse::secrets`. The `xxx` of
//! crust-gather counts only as a whole value, since inside a text it is nobody's mark.
//!
//! Invariants: of a masked text a question is answered only as far as the readable part settles it; what a sentence says does
//! not stand behind a mask, for that hides a value.

/// What is readable of a masked text: before its first mask, and after its last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Masked<'a> {
    /// Before the first mask.
    pub before: &'a str,
    /// After the last mask.
    pub after: &'a str,
}

/// A mask as a whole value, as collectors and people write it.
pub fn is_mask(text: &str) -> bool {
    match text {
        "***HIDDEN***" | "xxx" | "REDACTED" | "<redacted>" | "[redacted]" | "<REDACTED>" | "[REDACTED]" => true,
        other => token(other).is_some_and(|end| end == other.len()),
    }
}

/// The end of a `***TOKEN_PASSWORD_1***` at the start of a text.
fn token(text: &str) -> Option<usize> {
    let word = text.strip_prefix("***TOKEN_")?;
    let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    (end > 0 && word[end..].starts_with("***")).then(|| "***TOKEN_".len() + end + 3)
}

/// The first mask inside a text: where it begins and ends.
fn next(text: &str) -> Option<(usize, usize)> {
    ["***HIDDEN***", "***TOKEN_", "[redacted]"]
        .iter()
        .filter_map(|mark| {
            text.match_indices(mark).find_map(|(at, found)| {
                let length = if *mark == "***TOKEN_" { token(&text[at..])? } else { found.len() };
                Some((at, at + length))
            })
        })
        .min()
}

/// What is readable of a text that has a mask in it; `None` for any other text.
pub fn masked(text: &str) -> Option<Masked<'_>> {
    let (start, mut end) = next(text)?;
    while let Some((_, more)) = next(&text[end..]) {
        end += more;
    }
    Some(Masked { before: &text[..start], after: &text[end..] })
}

impl Masked<'_> {
    /// Could the text be this one? False where what is readable differs.
    pub fn may_be(&self, text: &str) -> bool {
        text.len() >= self.before.len() + self.after.len()
            && text.starts_with(self.before)
            && text.ends_with(self.after)
    }

    /// Does it start like this? `None` where a mask hides it.
    pub fn starts_with(&self, text: &str) -> Option<bool> {
        match self.before.starts_with(text) {
            true => Some(true),
            false if text.starts_with(self.before) => None,
            false => Some(false),
        }
    }

    /// Does it end like this? `None` where a mask hides it.
    pub fn ends_with(&self, text: &str) -> Option<bool> {
        match self.after.ends_with(text) {
            true => Some(true),
            false if text.ends_with(self.after) => None,
            false => Some(false),
        }
    }
}

/// Could two texts, each perhaps with masks, stand for one? Equal ones without a mask do.
pub fn may_be_one(a: &str, b: &str) -> bool {
    match (masked(a), masked(b)) {
        (None, None) => a == b,
        (Some(a), None) => a.may_be(b),
        (None, Some(b)) => b.may_be(a),
        (Some(a), Some(b)) => {
            let agree = |x: &str, y: &str| x.starts_with(y) || y.starts_with(x);
            let end = |x: &str, y: &str| x.ends_with(y) || y.ends_with(x);
            agree(a.before, b.before) && end(a.after, b.after)
        }
    }
}

/// What a mask may stand for in a sentence, as far as patterns of sentences ask for it: a word, a number, an ID, an address.
const HIDDEN: [&str; 7] =
    ["word", "7", "0123456789abcdef", "10.0.0.1", "10.96.0.1:443", "10.43.0.1:443", "https://10.0.0.1:2379"];
/// A line of so many readable words is a sentence, and no field with its value.
const SENTENCE: usize = 4;

/// Could a text that was not found to fit do so with what its masks hide? No text without a mask could; of a sentence
/// (one line of several words) a mask hides a value, so only a pattern that fits around any value may.
pub fn may_fit(text: &str, fits: impl Fn(&str) -> bool) -> bool {
    if next(text).is_none() {
        return false;
    }
    let with = |value: &str| {
        let (mut whole, mut rest) = (String::new(), text);
        while let Some((start, end)) = next(rest) {
            whole.push_str(&rest[..start]);
            whole.push_str(value);
            rest = &rest[end..];
        }
        whole + rest
    };
    let is_sentence = !text.trim().contains('\n')
        && with(" ").split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count() >= SENTENCE;
    !is_sentence || HIDDEN.iter().any(|value| fits(&with(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_sentence_says_is_not_behind_its_masks() {
        let may_say = |text: &str, phrase: &str| may_fit(text, |text| text.contains(phrase));
        let check = "propagation check failed: GET http://shop/.[redacted]: no such host";
        assert!(!may_say(check, "failed to dial endpoint"));
        assert!(may_say("dial tcp ***HIDDEN***: connect: connection refused", "dial tcp 10.0.0.1: connect"));
        assert!(!may_say("it said nothing that is hidden at all", "10.0.0.1"), "no mask, nothing hidden");
        // The value of a field, and what a configuration holds, may be anything.
        for text in
            ["https://***HIDDEN***:6443", "server: [redacted]", "token: [redacted]\nserver: a and more words of it"]
        {
            assert!(may_say(text, "https://api:6443"), "{text}");
        }
    }

    #[test]
    fn whole_masks() {
        for text in ["***HIDDEN***", "***TOKEN_PASSWORD_1A2B***", "xxx", "REDACTED"] {
            assert!(is_mask(text), "{text}");
        }
        for text in ["", "xxxx", "***TOKEN_***", "***TOKEN_A*** ***TOKEN_B***", "HIDDEN"] {
            assert!(!is_mask(text), "{text}");
        }
    }

    #[test]
    fn what_is_readable_around_masks() {
        let of = |text| masked(text).map(|m| (m.before, m.after));
        assert_eq!(of("postgres://***HIDDEN***:***HIDDEN***@db"), Some(("postgres://", "@db")));
        assert_eq!(of("a ***TOKEN_IP_9*** b [redacted]"), Some(("a ", "")));
        assert_eq!(of("xxx in a text"), None);
        assert_eq!(of("***TOKEN_ is no mask"), None);
        let text = masked("dial tcp ***HIDDEN***: refused").unwrap();
        assert!(text.may_be("dial tcp 10.0.0.1: refused") && !text.may_be("dial tcp: refused"));
        assert_eq!(
            (text.starts_with("dial"), text.starts_with("dial tcp 10"), text.starts_with("get")),
            (Some(true), None, Some(false))
        );
        assert_eq!(
            (text.ends_with("refused"), text.ends_with("1: refused"), text.ends_with("reset")),
            (Some(true), None, Some(false))
        );
    }

    #[test]
    fn two_masked_texts_may_be_one() {
        assert!(may_be_one("a-***HIDDEN***", "a-***TOKEN_X_1***"));
        assert!(may_be_one("a-***HIDDEN***", "a-b"));
        assert!(!may_be_one("a-***HIDDEN***", "b-***HIDDEN***"));
        assert!(!may_be_one("a", "b"));
    }
}
