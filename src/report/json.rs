//! The diagnosis as JSON, for programs.

use crate::error::Error;
use diagnosis::model::Diagnosis;

/// The diagnosis as indented JSON with a final line feed. The same diagnosis gives the same bytes.
///
/// # Errors
/// Only through a fault of Casefile.
pub fn render(diagnosis: &Diagnosis) -> Result<String, Error> {
    let mut text = serde_json::to_string_pretty(diagnosis)?;
    text.push('\n');
    Ok(text)
}

/// The diagnosis as compact JSON that can stand inside a `<script>` element: `<`, `>`, `&` and characters
/// that deceive the eye or end a line in JavaScript are written as `\uXXXX`, so no text of a bundle can end the element.
///
/// # Errors
/// Only through a fault of Casefile.
pub fn embedded(diagnosis: &Diagnosis) -> Result<String, Error> {
    let plain = serde_json::to_string(diagnosis)?;
    let mut out = String::with_capacity(plain.len() + plain.len() / 16);
    for c in plain.chars() {
        if matches!(c, '<' | '>' | '&') || diagnosis::visible::deceives(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    Ok(out)
}
