//! What tells the kind of an object of which only a part was pasted: who writes events of which kind, which fields
//! and conditions only one kind has, and in which order kubectl prints the columns of a kind.
//!
//! Why data: each controller and each kind is a row, and a new one needs no code.
//!
//! Invariant: what fits several kinds is of the one that asks for most, and of none if several ask for as much.

use crate::built_in;
use facts::kind::KindName;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The rows of `parts` in `patterns/kinds.yaml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parts {
    /// From the top; the first that fits counts.
    events: Vec<Writer>,
    marks: Vec<Marks>,
    rows: Vec<Printed>,
}

/// Who writes events.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Writer {
    /// Components, as an event names its source.
    #[serde(default)]
    from: Vec<String>,
    /// Reasons; without them any.
    #[serde(default)]
    reasons: Vec<String>,
    /// The kind that the event is about, as `kind:` spells it.
    of: String,
}

/// What only objects of one kind have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Marks {
    /// The plural with its group.
    kind: String,
    /// As `kind:` spells it.
    spelt: String,
    /// Any of these sets is enough: fields, `condition TYPE`, `reason REASON` of a condition, `says KIND` of its message.
    any: Vec<Vec<String>>,
}

/// The columns that kubectl prints for a kind, in their order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Printed {
    kind: String,
    /// Without NAMESPACE.
    pub headers: Vec<String>,
}

#[derive(Deserialize)]
struct File {
    parts: Parts,
}

static PARTS: LazyLock<Parts> =
    LazyLock::new(|| built_in::document::<File>("kinds.yaml").map(|file| file.parts).unwrap_or_default());

/// The kind that an event is about, by who wrote it and why; `None` if that may be any.
pub fn kind_of_event(component: &str, reason: &str) -> Option<&'static str> {
    let has = |names: &[String], name: &str| names.is_empty() || names.iter().any(|known| known == name);
    let fits = |row: &&Writer| has(&row.from, component) && has(&row.reasons, reason);
    PARTS.events.iter().find(fits).map(|row| row.of.as_str())
}

/// Does somebody write events under this name?
pub fn writes_events(component: &str) -> bool {
    PARTS.events.iter().any(|row| row.from.iter().any(|known| known == component))
}

/// The kind of an object by what a part of it holds: names of fields, and of its conditions `condition TYPE`,
/// `reason REASON` and `says WORD`. With it the kind as `kind:` spells it.
pub fn kind_of_marks(marks: &BTreeSet<String>) -> Option<(KindName, &'static str)> {
    kind_of_marks_among(marks, |_| true)
}

/// The same, where it can only be one of some kinds.
pub fn kind_of_marks_among(
    marks: &BTreeSet<String>,
    among: impl Fn(&KindName) -> bool,
) -> Option<(KindName, &'static str)> {
    let asks =
        |row: &Marks| row.any.iter().filter(|all| all.iter().all(|mark| marks.contains(mark))).map(Vec::len).max();
    let among = |row: &&Marks| among(&KindName::parse(&row.kind));
    let fits = || PARTS.marks.iter().filter(among).filter_map(|row| Some((asks(row)?, row)));
    let most = fits().map(|(asked, _)| asked).max()?;
    let mut found = fits().filter(|(asked, _)| *asked == most).map(|(_, row)| row);
    let first = found.next()?;
    found.next().is_none().then(|| (KindName::parse(&first.kind), first.spelt.as_str()))
}

/// The tables that kubectl prints, by kind.
pub fn printed() -> impl Iterator<Item = (KindName, &'static Printed)> {
    PARTS.rows.iter().map(|row| (KindName::parse(&row.kind), row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::Catalogue;

    #[test]
    fn every_row_names_a_kind_that_is_known() {
        let catalogue = Catalogue::shared();
        assert!(PARTS.events.len() > 10 && PARTS.marks.len() > 10 && PARTS.rows.len() > 10);
        for row in &PARTS.marks {
            let known = catalogue.kind(&KindName::parse(&row.kind));
            assert!(known.is_none_or(|known| known.kind == row.spelt), "{}", row.kind);
            assert!(row.any.iter().all(|all| !all.is_empty()), "{}", row.kind);
        }
        for (kind, row) in printed() {
            assert!(catalogue.kind(&kind).is_some(), "{kind}");
            assert_eq!(row.headers.first().map(String::as_str), Some("NAME"), "{kind}");
        }
    }

    #[test]
    fn what_fits_several_kinds_tells_none() {
        let marks = |all: &[&str]| all.iter().map(|mark| (*mark).to_owned()).collect::<BTreeSet<_>>();
        let told = |all: &[&str]| kind_of_marks(&marks(all)).map(|(kind, _)| kind.to_string());
        assert_eq!(told(&["condition PodScheduled", "condition Ready"]).as_deref(), Some("pods"));
        assert_eq!(told(&["condition DiskPressure"]).as_deref(), Some("nodes"));
        assert_eq!(told(&["condition Ready"]), None);
        let run = "reason UpdateRunFailed";
        assert_eq!(told(&[run]).as_deref(), Some("clusterstagedupdateruns.placement.kubernetes-fleet.io"));
        assert_eq!(
            told(&[run, "says StagedUpdateRun"]).as_deref(),
            Some("stagedupdateruns.placement.kubernetes-fleet.io")
        );
        assert_eq!(told(&["condition DiskPressure", "condition PodScheduled"]), None);
        assert_eq!(kind_of_event("default-scheduler", "FailedScheduling"), Some("Pod"));
        assert_eq!(kind_of_event("kubelet", "NodeHasDiskPressure"), Some("Node"));
        assert_eq!(kind_of_event("kubelet", "FailedMount"), Some("Pod"));
        assert_eq!(kind_of_event("my-operator", "Odd"), None);
    }
}
