//! Texts that hold no facts for a diagnosis, by their shape: so that the reader learns what they are.
//!
//! Why: "no known format" makes somebody open the file to find a listing of a folder in it. Only shapes that are
//! hard to mistake are named; the text is searched line by line all the same.

use facts::unread::WhyUnread;

/// What a text is, if its shape tells.
pub fn reason(text: &str) -> Option<WhyUnread> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).take(LINES).collect();
    let all = |is: fn(&str) -> bool| lines.iter().all(|line| is(line));
    let (first, rest) = lines.split_first()?;
    if lines.iter().any(|line| is_file(line)) && all(|line| is_file(line) || is_head_of_listing(line)) {
        return Some(WhyUnread::Listing);
    }
    let is_member = first.starts_with("Member ") && first.contains(" cluster ");
    if *first == "OK" && rest.is_empty() || is_member {
        return Some(WhyUnread::Change);
    }
    if lines.len() < 10 && all(is_failure) {
        return Some(WhyUnread::OnlyAnError);
    }
    let columns = |line: &str| line.split("  ").filter(|cell| !cell.trim().is_empty()).count();
    let number = columns(first);
    (number >= 4 && lines.iter().all(|line| columns(line) == number)).then_some(WhyUnread::Columns)
}

/// Lines that are looked at.
const LINES: usize = 200;

/// A row of `ls -l`: type and rights, number of links, owner...
fn is_file(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let rights = words.next().unwrap_or_default();
    let is_rights = rights.len() >= 10
        && rights.starts_with(['-', 'd', 'l', 'c', 'b', 'p', 's'])
        && rights.chars().skip(1).take(9).all(|c| "rwxsStT-".contains(c));
    is_rights && words.next().is_some_and(|number| number.parse::<u32>().is_ok())
}

fn is_head_of_listing(line: &str) -> bool {
    line.strip_prefix("total ").is_some_and(|number| number.chars().all(|c| c.is_ascii_digit() || ".KMG".contains(c)))
        || (line.ends_with(':') && line.starts_with(['/', '.']))
}

/// `tar: x: No such file or directory`, `failed to stream command output: ...`, `error: ...`.
fn is_failure(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    let starts = ["error", "failed to ", "fatal:", "unable to ", "cannot "].iter().any(|word| lower.starts_with(word));
    let says = ["no such file or directory", "failed to ", "error", "permission denied", "command not found"];
    let program = line.split_once(": ").is_some_and(|(name, _)| !name.is_empty() && !name.contains([' ', '=']));
    starts || (program && says.iter().any(|word| lower.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_tells_what_a_text_is() {
        assert_eq!(
            reason("/etc/x:\ntotal 48\n-rw-------  1 root root 5 Nov 20 20:09 a.conf\n"),
            Some(WhyUnread::Listing)
        );
        assert_eq!(reason("Member 85 removed from cluster 5c\n"), Some(WhyUnread::Change));
        assert_eq!(reason("OK\n"), Some(WhyUnread::Change));
        assert_eq!(
            reason("tar: x: No such file or directory\ntar: error exit delayed\n"),
            Some(WhyUnread::OnlyAnError)
        );
        assert_eq!(reason("shop   web   1/1   1   6m2s\n"), Some(WhyUnread::Columns));
        assert_eq!(reason("OK\nand more\n"), None);
        assert_eq!(reason("some words\n"), None);
        assert_eq!(reason("drwx is a right\n"), None);
        assert_eq!(reason(""), None);
    }
}
