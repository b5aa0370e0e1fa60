//! The template of a message: the message with what varies (numbers, hex ids, UUIDs, addresses) replaced,
//! so that equal troubles count as one. It is the key of [`Tally::templates`](crate::log::Tally::templates).

use memchr::memmem;

/// Bytes of a message that make its template.
const LENGTH: usize = 160;

/// Writes the template of a message into `out`, which is cleared first. A run of letters and digits that
/// holds a digit becomes `#`, and so do runs joined by `-`, `.` or `:` (names with a hash, UUIDs,
/// addresses, durations). The address that was dialled stands behind it: several servers are several troubles.
pub fn of(message: &[u8], out: &mut String) {
    out.clear();
    let text = &message[..message.len().min(LENGTH)];
    let mut rest = text;
    while let Some(first) = rest.first() {
        if first.is_ascii_alphanumeric() {
            let joined = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b':');
            let mut end = rest.iter().position(|b| !joined(b)).unwrap_or(rest.len());
            while matches!(rest[end - 1], b'-' | b'.' | b':') {
                end -= 1;
            }
            let word = &rest[..end];
            if word.iter().any(u8::is_ascii_digit) {
                out.push('#');
            } else {
                out.extend(word.iter().map(|b| char::from(*b)));
            }
            rest = &rest[end..];
        } else {
            let end = rest.iter().position(u8::is_ascii_alphanumeric).unwrap_or(rest.len());
            for chunk in rest[..end].utf8_chunks() {
                out.push_str(chunk.valid());
            }
            rest = &rest[end..];
        }
    }
    if let Some(address) = dialled(message) {
        out.push(' ');
        out.push_str(address);
    }
}

/// The address in `dial tcp 10.0.0.1:443: connection refused`.
fn dialled(message: &[u8]) -> Option<&str> {
    let at = [&b"dial tcp "[..], b"dial udp "]
        .into_iter()
        .find_map(|text| Some(memmem::find(message, text)? + text.len()))?;
    let rest = message.get(at..)?;
    let end = rest.iter().position(|byte| *byte == b' ')?;
    let address = std::str::from_utf8(rest.get(..end)?).ok()?.trim_end_matches(':');
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".:-[]".contains(&byte);
    (address.len() <= 80 && address.bytes().all(plain)).then_some(address)
}
