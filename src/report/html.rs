//! The page: one file, without any request, complete without JavaScript.

use super::error::Error;
use super::model::Diagnosis;

/// The diagnosis as one HTML file.
///
/// # Errors
/// Only through a fault of Casefile.
pub fn render(diagnosis: &Diagnosis) -> Result<String, Error> {
    let failed = |source| Error::Template { output: "HTML", source: Box::new(source) };
    let mut engine = tera::Tera::new();
    engine.add_raw_templates(vec![("page.html", include_str!("templates/page.html"))]).map_err(failed)?;
    let mut context = tera::Context::new();
    context.insert("d", diagnosis);
    engine.render("page.html", &context).map_err(failed)
}
