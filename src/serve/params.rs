//! What stands behind the `?` of an address.

use crate::reply::Reply;
use crate::status;
use std::borrow::Cow;

/// The parameters of a request; of several with one name the first counts, as in the API server.
#[derive(Debug)]
pub(crate) struct Params<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

/// More than these are not read.
const MOST: usize = 64;

impl<'a> Params<'a> {
    /// Reads them; what is no UTF-8 is replaced.
    pub(crate) fn of(query: &'a str) -> Self {
        Self(form_urlencoded::parse(query.as_bytes()).take(MOST).collect())
    }

    /// A value that is not empty.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_ref()).filter(|value| !value.is_empty())
    }

    /// `true`, `1`, or the name alone.
    pub(crate) fn is_true(&self, name: &str) -> bool {
        let found = self.0.iter().find(|(own, _)| own == name);
        found.is_some_and(|(_, value)| matches!(value.as_ref(), "true" | "1" | "True" | "TRUE" | "t" | "T"))
    }

    /// A whole number that is not below zero.
    ///
    /// # Errors
    /// If it is none.
    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, Reply> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let wrong = |_| status::bad_request(&format!("{name}={text}: expected a whole number that is not below 0"));
        text.parse().map(Some).map_err(wrong)
    }
}
