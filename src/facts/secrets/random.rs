//! Does a run of characters look drawn by lot, or written by a person?
//!
//! Why a measure of our own: the entropy of twenty characters says little, while words have a shape. A word, a
//! CamelCase name, a name of Kubernetes changes between small letters, capitals and digits a few times; a token
//! changes at every second character.
//!
//! Invariants: UUIDs, digests with the name of their algorithm, addresses, versions, times, paths, and names of
//! Kubernetes objects with their random suffixes are not drawn by lot, whatever their length.

/// The pieces that a person would read one after the other: `Base`, `64`, `URL`.
pub(super) fn pieces(text: &str) -> usize {
    let (mut count, mut last, mut length) = (0, 0u8, 0);
    for byte in text.bytes() {
        let class = match byte {
            b'0'..=b'9' => 1,
            b'a'..=b'z' => 2,
            b'A'..=b'Z' => 3,
            _ => 0,
        };
        // One capital before small letters begins a word.
        let begins_word = last == 3 && class == 2 && length == 1;
        if class == last || begins_word {
            length += 1;
        } else {
            count += usize::from(class != 0);
            length = 1;
        }
        last = class;
    }
    count
}

fn counts(text: &str) -> (usize, usize, usize) {
    let of = |is: fn(&u8) -> bool| text.bytes().filter(is).count();
    (of(u8::is_ascii_digit), of(u8::is_ascii_lowercase), of(u8::is_ascii_uppercase))
}

/// Are letters and digits mixed as nobody writes them? For runs that no name calls a secret.
pub(super) fn is_drawn(text: &str) -> bool {
    let (digits, small, capitals) = counts(text);
    let all = digits + small + capitals;
    let classes = [digits, small, capitals].iter().filter(|count| **count > 0).count();
    classes >= 2 && digits >= 1 && pieces(text) * 3 >= all
}

/// Shortest run of small letters that may be a word.
const WORD: usize = 5;

/// Does nothing in it read as a word, or something as none, and does it change often all the same? What was drawn by lot
/// now and then changes less than [`is_drawn`] asks for.
pub(super) fn has_no_word(text: &str) -> bool {
    let (digits, small, capitals) = counts(text);
    let runs = || text.split(|c: char| !c.is_ascii_lowercase());
    pieces(text) * 4 >= digits + small + capitals
        && (!runs().any(|run| run.len() >= WORD && is_word(run)) || runs().any(|run| run.len() >= 4 && !is_word(run)))
}

/// Can a person read it aloud? Words have a vowel now and then, and no four consonants in a row.
pub(super) fn is_word(letters: &str) -> bool {
    let vowels = |c: char| "aeiouy".contains(c);
    letters.contains(vowels) && !letters.split(vowels).any(|between| between.len() >= 4)
}

/// Hexadecimal digits alone, in one case.
pub(super) fn is_hex(text: &str) -> bool {
    let (digits, small, capitals) = counts(text);
    digits + small + capitals == text.len()
        && text.bytes().all(|b| b.is_ascii_hexdigit())
        && (small == 0 || capitals == 0)
}

/// `3bbe3bab-8db6-4cd2-a2fd-51a9370a5d7a`.
pub(super) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// A name as Kubernetes allows it, or two with a slash: words of small letters and digits.
fn is_name(text: &str) -> bool {
    let parts: Vec<&str> = text.split('/').collect();
    parts.len() <= 2
        && parts.iter().all(|part| {
            !part.is_empty()
                && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'.')
                && !part.split(['-', '.']).any(|word| word.len() >= 12 && is_drawn(word))
        })
        && (parts.len() == 2
            || text.contains(['-', '.'])
            || !is_drawn(text) && (text.len() < 20 || !text.bytes().any(|b| b.is_ascii_digit())))
}

/// A path, an address, a digest, a version, a time, a file: known by its form, and no secret.
pub(super) fn is_reference(text: &str) -> bool {
    let digest = ["sha256:", "sha512:", "sha1:", "md5:", "SHA256:"].iter().any(|digest| text.starts_with(digest));
    let file = [".key", ".pem", ".crt", ".csr", ".txt", ".yaml", ".yml", ".json", ".conf", ".csv", ".env"];
    let address = |b: u8| b.is_ascii_hexdigit() || matches!(b, b'.' | b':' | b'/' | b'[' | b']' | b',');
    let time = |b: u8| b.is_ascii_digit() || matches!(b, b'T' | b'Z' | b'-' | b':' | b'.' | b'+' | b'h' | b'm' | b's');
    let is_path = (text.starts_with(['/', '.', '~']) || text.contains(":\\"))
        && text.contains(['/', '\\'])
        && !text.split(['/', '\\']).any(|part| part.len() >= 16 && is_drawn(part));
    digest
        || is_path
        || is_uuid(text)
        || text.contains("://")
        || file.iter().any(|end| text.ends_with(end))
        || text.contains(['.', ':']) && text.bytes().all(address)
        || text.bytes().all(time)
        || is_version(text)
}

/// `v1.31.2`, `3.5.9-rc.1`.
fn is_version(text: &str) -> bool {
    let text = text.strip_prefix('v').unwrap_or(text);
    text.contains('.')
        && text.starts_with(|c: char| c.is_ascii_digit())
        && text.split(['.', '-', '+']).take(2).all(|part| part.bytes().all(|b| b.is_ascii_digit()))
        && text.len() <= 32
}

/// May a value that a name calls a token, a key or a secret be one? Words, names and references are none.
pub(super) fn is_secret_like(text: &str) -> bool {
    let text = text.trim_end_matches(['.', ',', ';', ':', ')']);
    let is_bootstrap = text.len() == 23
        && text
            .bytes()
            .enumerate()
            .all(|(at, b)| if at == 6 { b == b'.' } else { b.is_ascii_lowercase() || b.is_ascii_digit() });
    if text.len() < 6 || !is_bootstrap && (is_reference(text) || is_name(text)) {
        return false;
    }
    let (digits, small, capitals) = counts(text);
    let letters = small + capitals;
    let marks = text.bytes().filter(|b| b"!@#$%^&*+=~?|(){}[]<>".contains(b)).count();
    is_bootstrap
        || text.len() >= 16 && digits >= 2 && letters >= 4
        || text.len() >= 8 && digits >= 1 && small >= 1 && capitals >= 1 && pieces(text) >= 3
        || text.len() >= 8 && digits >= 2 && letters >= 2 && pieces(text) >= 4
        || digits >= 1 && letters >= 1 && marks >= 1
        || text.len() >= 20 && small >= 4 && capitals >= 4 && pieces(text) * 3 >= text.len()
        || text.len() >= 8 && text.len().is_multiple_of(4) && text.ends_with('=')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_by_lot() {
        for text in ["Zq7vTr4kWp2mXn8c", "9f86d081884c7d659a2feaa0", "k3jd8f0a2m5x", "wJalrXUtnFEMIK7MDENGbPxRfiCY"] {
            assert!(is_drawn(text), "{text}");
        }
        for text in ["CrashLoopBackOffException", "kube-apiserver", "20260501", "ServiceAccountToken"] {
            assert!(!is_drawn(text), "{text}");
        }
    }

    #[test]
    fn values_of_names_that_may_hold_references() {
        for text in [
            "wl-blue-kubeconfig",
            "prod-a/prod-a-control-plane-v5x7k",
            "default/x-1234567890abcdef",
            "3bbe3bab-8db6-4cd2-a2fd-51a9370a5d7a",
            "sha256:0123456789abcdef0123456789abcdef",
            "/etc/kubernetes/tokens.csv",
            "10.0.0.1:6443",
            "v1.31.2",
            "tls.key",
            "Unauthorized",
            "etcd-cluster-0123456789",
            "24h0m0s",
        ] {
            assert!(!is_secret_like(text), "{text}");
        }
        for text in [
            "abcdef.0123456789abcdef",
            "0123456789abcdef0123456789abcdef",
            "Zq7vTr4k",
            "zq7vtr4kwp2m",
            "admin:hunter2!",
        ] {
            assert!(is_secret_like(text), "{text}");
        }
    }
}
