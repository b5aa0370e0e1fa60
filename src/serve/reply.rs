//! What is answered, before it is HTTP.

use serde_json::Value;
use std::fmt;
use std::ops::ControlFlow;

/// Takes a piece of an answer; breaks when nobody reads on.
pub type Write<'a> = &'a mut dyn FnMut(Vec<u8>) -> ControlFlow<()>;

/// Writes an answer piece by piece.
///
/// # Errors
/// With what a person reads, if the rest of the answer cannot be had.
type Pieces = Box<dyn FnOnce(Write<'_>) -> Result<(), String> + Send>;

/// What an answer holds.
pub enum Body {
    /// All of it.
    Whole(Vec<u8>),
    /// What is written piece by piece: a log may be larger than memory.
    Pieces(Pieces),
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(bytes) => write!(f, "{} bytes", bytes.len()),
            Self::Pieces(_) => f.write_str("pieces"),
        }
    }
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    /// The HTTP status.
    pub code: u16,
    /// Its type.
    pub content_type: String,
    /// What kubectl prints beside it.
    pub warnings: Vec<String>,
    /// Where to go instead.
    pub location: Option<String>,
    pub body: Body,
}

/// The type of every answer of the API that is not another one.
const JSON: &str = "application/json";

impl Reply {
    /// JSON.
    pub(crate) fn json(value: &Value) -> Self {
        Self::of(200, JSON, value.to_string().into_bytes())
    }

    /// A text.
    pub(crate) fn text(text: &str) -> Self {
        Self::of(200, "text/plain; charset=utf-8", text.as_bytes().to_vec())
    }

    pub(crate) fn of(code: u16, content_type: &str, bytes: Vec<u8>) -> Self {
        Self {
            code,
            content_type: content_type.to_owned(),
            warnings: Vec::new(),
            location: None,
            body: Body::Whole(bytes),
        }
    }

    pub(crate) fn pieces(pieces: Pieces) -> Self {
        let body = Body::Pieces(pieces);
        let content_type = "text/plain; charset=utf-8".to_owned();
        Self { code: 200, content_type, warnings: Vec::new(), location: None, body }
    }

    pub(crate) fn typed(mut self, content_type: &str) -> Self {
        content_type.clone_into(&mut self.content_type);
        self
    }

    pub(crate) fn coded(mut self, code: u16) -> Self {
        self.code = code;
        self
    }

    pub(crate) fn warned(mut self, warnings: impl IntoIterator<Item = String>) -> Self {
        self.warnings.extend(warnings);
        self
    }
}
