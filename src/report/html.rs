//! The page: one file, without any request, complete without JavaScript.
//!
//! Invariants: every value that a template prints is escaped by [`escape`], for text and for quoted
//! attributes alike; the only texts that are not are the style, the script, the policy and the embedded
//! JSON, which Casefile wrote. No address of a bundle ever becomes a link.

use super::error::Error;
use super::model::Diagnosis;
use super::{csp, json, view, visible};
use std::io::Write;

/// The page's style, inline and allowed by its hash.
pub const STYLE: &str = include_str!("style.css");
/// The page's script, inline and allowed by its hash.
pub const SCRIPT: &str = include_str!("page.js");

/// The diagnosis as one HTML file.
///
/// # Errors
/// Only through a fault of Casefile.
pub fn render(diagnosis: &Diagnosis) -> Result<String, Error> {
    let failed = |source| Error::Template { output: "HTML", source: Box::new(source) };
    let mut engine = tera::Tera::new();
    engine.set_escape_fn(escape);
    engine
        .add_raw_templates(vec![
            ("page.html", include_str!("templates/page.html")),
            ("header.html", include_str!("templates/header.html")),
            ("finding.html", include_str!("templates/finding.html")),
            ("timeline.html", include_str!("templates/timeline.html")),
            ("inventory.html", include_str!("templates/inventory.html")),
            ("decided.html", include_str!("templates/decided.html")),
        ])
        .map_err(failed)?;
    let mut context = tera::Context::new();
    context.insert("d", diagnosis);
    context.insert("v", &view::view(diagnosis));
    context.insert("csp", &csp::policy(STYLE, SCRIPT));
    context.insert_value("style", tera::Value::safe_string(STYLE));
    context.insert_value("script", tera::Value::safe_string(SCRIPT));
    context.insert_value("json", tera::Value::safe_string(&json::embedded(diagnosis)?));
    engine.render("page.html", &context).map_err(failed)
}

/// Escapes for text and quoted attributes; characters that deceive the eye show their number.
fn escape(text: &str, out: &mut dyn Write) -> std::io::Result<()> {
    for c in visible::visible(text).chars() {
        match c {
            '&' => out.write_all(b"&amp;")?,
            '<' => out.write_all(b"&lt;")?,
            '>' => out.write_all(b"&gt;")?,
            '"' => out.write_all(b"&quot;")?,
            '\'' => out.write_all(b"&#39;")?,
            '`' => out.write_all(b"&#96;")?,
            c => write!(out, "{c}")?,
        }
    }
    Ok(())
}
