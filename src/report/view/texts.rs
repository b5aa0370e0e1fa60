//! The texts of the page that are there to be pasted elsewhere.

use crate::{escalation, message, problems, ticket};
use diagnosis::model::Diagnosis;
use serde::Serialize;

/// Root causes that the page has an escalation of.
const ESCALATIONS: usize = 10;

/// The texts.
#[derive(Debug, Serialize)]
pub struct Texts {
    /// A ticket.
    pub ticket: String,
    /// A message to the customer.
    pub message: String,
    /// What to hand to the next level of support, for each root cause; empty if there is none.
    pub escalation: String,
}

/// The texts of a diagnosis.
pub fn texts(diagnosis: &Diagnosis) -> Texts {
    let causes = problems::root_causes(diagnosis).take(ESCALATIONS);
    let packets: Vec<String> = causes.map(|problem| escalation::text(diagnosis, problem.finding)).collect();
    Texts {
        ticket: ticket::render(diagnosis),
        message: message::render(diagnosis),
        escalation: packets.join("\n---\n\n"),
    }
}
