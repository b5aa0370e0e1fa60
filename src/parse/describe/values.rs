//! Single values as kubectl prints them.

/// What kubectl prints where nothing is set.
pub(super) fn is_none(text: &str) -> bool {
    matches!(text.trim(), "" | "<none>" | "<unset>" | "<nil>" | "<not set>" | "[]")
}

/// A time as kubectl prints it, as the API writes it; the zero time of Go is none.
pub(super) fn time(text: &str) -> Option<String> {
    let zoned = jiff::Timestamp::strptime("%a, %d %b %Y %H:%M:%S %z", text.trim()).ok()?;
    let text = zoned.to_string();
    (!text.starts_with("0001-") && !text.starts_with('-')).then_some(text)
}

/// A whole number, with or without the `s` of seconds.
pub(super) fn number(text: &str) -> Option<&str> {
    let digits = text.trim().trim_end_matches('s');
    let unsigned = digits.strip_prefix('-').unwrap_or(digits);
    (!unsigned.is_empty() && unsigned.bytes().all(|b| b.is_ascii_digit())).then_some(digits)
}

/// The number in front of ` desired` or between ` (` and ` Ready)`: the word behind it tells which.
pub(super) fn number_in<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let end = text.find(after)?;
    let head = text.get(..end)?.trim_end();
    let start = head.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    let found = head.get(start..)?;
    (head.get(..start)?.trim_end().ends_with(before) || before.is_empty()).then_some(found).filter(|n| !n.is_empty())
}
