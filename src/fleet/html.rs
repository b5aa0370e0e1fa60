//! The page: one file that loads nothing and runs nothing, in the style of the page of a diagnosis.
//!
//! Invariants: every value is escaped by the function of the diagnosis' page; the policy lets in this one style, by its
//! hash, and nothing else.

use crate::model::Fleet;
use diagnosis::words;
use report::{Error, csp, html};
use tera::{Kwargs, State};

/// The page.
///
/// # Errors
/// Only through a fault of Casefile.
pub fn page(fleet: &Fleet) -> Result<String, Error> {
    let failed = |source| Error::Template { output: "fleet", source: Box::new(source) };
    let mut engine = tera::Tera::new();
    engine.set_escape_fn(html::escape);
    engine.register_filter("prose", html::Prose);
    engine.register_filter("clock", |time: &str, _: Kwargs, _: &State| words::clock(time));
    engine.register_filter("day", |time: &str, _: Kwargs, _: &State| day(time));
    engine.register_filter("number", |number: u64, _: Kwargs, _: &State| words::thousands(number));
    engine.add_raw_templates(vec![("fleet.html", include_str!("templates/fleet.html"))]).map_err(failed)?;
    let style = format!("{}{}", html::STYLE, include_str!("style.css"));
    let mut context = tera::Context::new();
    context.insert("f", fleet);
    context.insert("csp", &policy(&style));
    context.insert("version", env!("CARGO_PKG_VERSION"));
    context.insert_value("style", tera::Value::safe_string(&style));
    engine.render("fleet.html", &context).map_err(failed)
}

/// The date of a point in time.
fn day(time: &str) -> String {
    words::clock(time).split(' ').next().unwrap_or_default().to_owned()
}

/// No script is there, so no script is let in.
fn policy(style: &str) -> String {
    let style = csp::source(style);
    format!("default-src 'none'; style-src '{style}'; img-src data:; base-uri 'none'; form-action 'none'")
}

/// Is this a page that this room wrote?
pub fn is_page(bytes: &[u8]) -> bool {
    let head = bytes.get(..bytes.len().min(1 << 10)).unwrap_or_default();
    String::from_utf8_lossy(head).contains("<meta name=\"generator\" content=\"Casefile fleet ")
}
