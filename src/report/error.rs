//! What can go wrong between a diagnosis and its text. Nothing of a bundle can cause it: an error here is
//! a fault of Casefile, and says so.

/// A report could not be written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A template of the page does not render.
    #[error("failed to render the {output} report; this is a fault of Casefile, please report it with this message")]
    Template {
        output: &'static str,
        /// What the template engine says.
        #[source]
        source: Box<tera::Error>,
    },
    /// The diagnosis cannot be written as JSON.
    #[error("failed to write the diagnosis as JSON; this is a fault of Casefile, please report it with this message")]
    Json(#[from] serde_json::Error),
    /// The diagnosis cannot be written as JUnit XML.
    #[error("failed to write the JUnit report; this is a fault of Casefile, please report it with this message")]
    Junit(#[from] quick_junit::SerializeError),
}
