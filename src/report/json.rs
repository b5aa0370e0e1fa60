//! The diagnosis as JSON, for programs.

use crate::error::Error;
use diagnosis::model::Diagnosis;
use diagnosis::plain_json;

/// The diagnosis as indented JSON with a final line feed. The same diagnosis gives the same bytes.
///
/// # Errors
/// Only through a fault of Casefile.
pub fn render(diagnosis: &Diagnosis) -> Result<String, Error> {
    Ok(plain_json::pretty(diagnosis)?)
}

/// The diagnosis as compact JSON that can stand inside a `<script>` element: `<`, `>`, `&` and characters
/// that deceive the eye or end a line in JavaScript are written as `\uXXXX`, so no text of a bundle can end the element.
///
/// # Errors
/// Only through a fault of Casefile.
pub fn embedded(diagnosis: &Diagnosis) -> Result<String, Error> {
    Ok(plain_json::in_html(diagnosis)?)
}
