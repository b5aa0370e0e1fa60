//! What is written in base64: looked into, and masked as a whole if it holds a secret; and lines that are the body of
//! a key, whose first line stands elsewhere.
//!
//! Invariants: bounded in depth and bytes; certificates, requests for certificates and public keys stay.

use super::random::{has_no_word, is_drawn, is_hex, is_word, pieces};
use super::{Found, Kind, Where};
use base64::Engine as _;
use base64::alphabet;
use base64::engine::general_purpose::GeneralPurpose;
use base64::engine::{DecodePaddingMode, GeneralPurposeConfig};

/// Shorter runs hold no document.
const SHORTEST: usize = 20;
/// Longest run that is looked into.
const LONGEST: usize = 1 << 20;
/// Length from which a line of base64 alone is the body of a key.
const LINE: usize = 40;

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const PLAIN: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const FOR_URLS: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

/// Which bytes are base64, of both alphabets: looked up, since nearly every byte of a bundle is asked about.
const BASE64: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        let b = byte as u8;
        table[byte] = b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'-' | b'_');
        byte += 1;
    }
    table
};

fn is_base64(byte: u8) -> bool {
    BASE64[usize::from(byte)]
}

/// Runs of base64, with where they stand. Looks at the end of where a run could be first: where that is none, neither is
/// what stands before it.
fn runs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    runs_of(text, SHORTEST)
}

/// The same, of at least so many characters.
fn runs_of(text: &str, shortest: usize) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(window) = bytes.get(at..at + shortest) {
            match window.iter().rposition(|b| !is_base64(*b)) {
                Some(other) => at += other + 1,
                None => {
                    let start = at;
                    at += bytes[at..].iter().take_while(|b| is_base64(**b)).count();
                    return Some((start, &text[start..at]));
                }
            }
        }
        None
    })
}

/// What a run says, if it is text.
fn decoded(run: &str) -> Option<String> {
    if run.len() > LONGEST || run.starts_with('/') {
        return None;
    }
    // Of what precedes a value in the same run (`key=`), nothing is base64.
    let run = run.trim_end_matches('=').rsplit('=').next().unwrap_or(run);
    let bytes = if run.contains(['-', '_']) { FOR_URLS.decode(run) } else { PLAIN.decode(run) }.ok()?;
    let text = String::from_utf8(bytes).ok()?;
    text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t')).then_some(text)
}

/// What begins as something public does: certificates, requests for them, public keys; a page mark of a list.
const PUBLIC: [&str; 8] = [
    "LS0tLS1CRUdJTiBDRVJU",
    "LS0tLS1CRUdJTiBQVUJM",
    "LS0tLS1CRUdJTiBUUlVTVEVE",
    "AAAAB3NzaC1",
    "AAAAE2Vj",
    "AAAAC3Nz",
    "AAAAGnNr",
    "eyJ2IjoibWV0YS5rOHMuaW8",
];

/// What was compressed before it was encoded, as Helm does with a release: nothing in it can be looked at.
const COMPRESSED: [&str; 3] = ["H4sIA", "SDRzSUF", "UEsDBB"];

/// Finds what is encoded. `depth`: how many more layers are looked into.
pub(super) fn find(text: &str, place: Where, depth: u32, found: &mut Vec<Found>) {
    if depth == 0 {
        return;
    }
    for (start, run) in runs(text) {
        let range = start..start + run.len();
        if run.len() >= 40 && COMPRESSED.iter().any(|head| run.starts_with(head)) {
            found.push(Found { range, kind: Kind::Document });
            continue;
        }
        // What stands before it in a path (`registry.example/`) is no part of it.
        let last = || run.rsplit('/').next().filter(|last| last.len() >= SHORTEST && last.len() < run.len());
        let whole = || Some((range.clone(), decoded(run)?));
        let inside =
            whole().or_else(|| last().and_then(|last| Some((range.end - last.len()..range.end, decoded(last)?))));
        if let Some((range, inside)) = inside {
            if super::spans(&inside, Where::Field, depth - 1).next().is_some() {
                found.push(Found { range, kind: Kind::Document });
            }
            continue;
        }
        if place != Where::Field
            && run.len() >= LINE
            && is_key_body(run)
            && !PUBLIC.iter().any(|head| run.starts_with(head))
            && !in_certificate(&text[..start])
        {
            found.push(Found { range, kind: Kind::Key });
        }
    }
}

/// Base64 of bytes that are no text.
fn is_key_body(run: &str) -> bool {
    let has = |is: fn(&u8) -> bool| run.bytes().filter(is).count() >= 3;
    let longest = run.split(['/', '-', '_', '+', '=']).map(str::len).max().unwrap_or_default();
    !is_hex(run)
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
        && longest >= 8
        && is_drawn(run)
}

/// Does an open certificate stand before?
pub(super) fn in_certificate(before: &str) -> bool {
    let last = |mark: &str| before.rfind(mark);
    last("-----BEGIN CERTIFICATE").is_some_and(|begin| last("-----END CERTIFICATE").is_none_or(|end| end < begin))
}

/// Is a word so clearly drawn by lot that it is taken for a secret wherever it stands? Letters of both cases and digits
/// that change as in no word, and enough of them.
pub(super) fn is_lot(word: &str) -> bool {
    let has = |is: fn(&u8) -> bool| word.bytes().any(|b| is(&b));
    let plain = word.bytes().filter(u8::is_ascii_alphanumeric).count();
    plain >= LOT
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
        && (has_no_word(word) || is_drawn(word) && pieces(word) * 5 >= plain * 2)
}

/// Letters and digits from which a word may be a lot.
const LOT: usize = 14;

/// Words that are drawn by lot without doubt, in a text that anybody may have written.
pub(super) fn lots(text: &str, found: &mut Vec<Found>) {
    for (start, run) in runs_of(text, LOT) {
        if run.starts_with('/') || PUBLIC.iter().any(|head| run.starts_with(head)) || holds_a_uuid(run) {
            continue;
        }
        let mut at = start;
        for word in run.split(['/', '-', '_', '+', '=']) {
            let range = at..at + word.len();
            at = range.end + 1;
            if is_lot(word) && !in_certificate(&text[..start]) {
                found.push(Found { range, kind: Kind::Drawn });
            }
        }
    }
}

/// Runs that somebody drew by lot, in a text of an application that nobody knows.
pub(super) fn drawn(text: &str, found: &mut Vec<Found>) {
    for (start, run) in runs(text) {
        let run = run.trim_end_matches(['-', '_']);
        let before = &text[..start];
        let lead = if is_in_url(before) { readable_lead(run) } else { 0 };
        let (start, run) = (start + lead, &run[lead..]);
        let range = start..start + run.len();
        let digest =
            ["sha256:", "sha512:", "sha1:", "md5:", "://", "SHA256:"].iter().any(|mark| before.ends_with(mark));
        let public = PUBLIC.iter().any(|head| run.starts_with(head)) || in_certificate(before);
        if digest || public || run.starts_with('/') || holds_a_uuid(run) {
            continue;
        }
        let pieces = run.split(['/', '-', '_', '+', '=']).filter(|piece| !piece.is_empty());
        let longest = pieces.max_by_key(|piece| piece.len()).unwrap_or_default();
        let all: String = run.chars().filter(char::is_ascii_alphanumeric).collect();
        let mixed = all.bytes().any(|b| b.is_ascii_uppercase()) && all.bytes().any(|b| b.is_ascii_lowercase());
        // The ids of etcd are hexadecimal too, and shorter.
        let is_secret = if is_hex(longest) {
            longest.len() >= 20 && longest.bytes().any(|b| b.is_ascii_alphabetic()) && is_drawn(longest)
        } else {
            longest.len() >= 16 && is_drawn(longest) || mixed && all.len() >= 18 && is_drawn(&all)
        };
        if is_secret {
            found.push(Found { range, kind: Kind::Drawn });
        }
    }
}

/// Does a URL go on where a text ends? What begins the URL is known by its scheme.
fn is_in_url(before: &str) -> bool {
    let word =
        before.rsplit(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '(')).next().unwrap_or_default();
    word.contains("://")
}

/// Bytes of the parts of a path, up to the first that does not read as words: `acme-challenge/` before its token.
fn readable_lead(run: &str) -> usize {
    let reads = |word: &str| word.len() <= 3 || is_word(word) && word.bytes().all(|b| b.is_ascii_lowercase());
    let parts = run.split_inclusive('/').take_while(|part| {
        part.strip_suffix('/').is_some_and(|part| !part.is_empty() && part.split(['-', '_']).all(reads))
    });
    parts.map(str::len).sum()
}

/// Words of the name of a file that nobody would write: letters of both cases with digits, or with several marks.
pub(super) fn wild(name: &str, found: &mut Vec<Found>) {
    let mut at = 0;
    for word in name.split(['/', '_', ' ', ':', '<', '>', ',']) {
        let (start, end) = (at, at + word.len());
        at = end + 1;
        let count = |is: fn(&u8) -> bool| word.bytes().filter(is).count();
        let (digits, small, capitals) =
            (count(u8::is_ascii_digit), count(u8::is_ascii_lowercase), count(u8::is_ascii_uppercase));
        let marks = count(|b| b"!#$%^&*|;?{}()[]~+=@".contains(b));
        let mixed = digits >= 1 && small >= 1 && capitals >= 1;
        let plain = word.bytes().all(|b| b.is_ascii_alphanumeric());
        if word.len() >= 12 && mixed && (marks >= 2 || plain && word.len() >= 16 && (is_drawn(word) || digits >= 2)) {
            found.push(Found { range: start..end, kind: Kind::Drawn });
        }
    }
}

fn holds_a_uuid(run: &str) -> bool {
    run.as_bytes().windows(36).any(|window| std::str::from_utf8(window).is_ok_and(super::random::is_uuid))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_path_the_words_before_a_token_stay() {
        let masked = |text: &str| {
            let mut found = Vec::new();
            drawn(text, &mut found);
            found.iter().map(|found| text[found.range.clone()].to_owned()).collect::<Vec<_>>()
        };
        let token = "x7Qf93LmZp0TtRw2Kd8VbY6HsJcN4aGu";
        for before in [
            "GET 'http://shop.example/.well-known/acme-challenge/",
            "Get \"https://files.example.com/dl/",
            "hooks at https://chat.example/services/v1/",
        ] {
            assert_eq!(masked(&format!("{before}{token}': no such host")), [token], "{before}");
        }
        // What does not read as words may be the beginning of it, and so may anything that is no path.
        let key = "wJalrXUtnFEMI/K7MDENG9/bPxRfiCYzEXAMPLEKEY1";
        assert_eq!(masked(&format!("GET https://s3.example/{key} failed")), [key]);
        assert_eq!(masked(&format!("it was acme/{token}")), [format!("acme/{token}")]);
    }
}
