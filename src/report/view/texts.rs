//! The texts of the page that are there to be pasted elsewhere. Escalations stand in the cards of their findings.

use crate::{message, ticket};
use diagnosis::model::Diagnosis;
use serde::Serialize;

/// The texts.
#[derive(Debug, Serialize)]
pub struct Texts {
    /// A ticket.
    pub ticket: String,
    /// A message to the customer.
    pub message: String,
}

/// The texts of a diagnosis.
pub fn texts(diagnosis: &Diagnosis) -> Texts {
    Texts { ticket: ticket::render(diagnosis), message: message::render(diagnosis) }
}
