//! The answer in one sentence: the first thing that a reader sees, in every output.
//!
//! Invariants: it claims no more than the findings do, and a clean answer always says what it rests on; what stands in
//! every output beside it anyway (counts, what had no data) is left out where it would be longer than [`MOST`].

use catalogue::made_names;
use diagnosis::model::{Diagnosis, Finding, InventoryTable, LogRow};
use diagnosis::{folding, summary, words};
use facts::coverage::StateName;
use signature::model::VerdictWord;
use std::collections::BTreeSet;

/// Characters of an answer that a person takes in at a glance; what is wrong may take more.
pub const MOST: usize = 140;

/// So many members are what somebody pasted, or picked out.
const PASTE: u64 = 3;

/// A sentence, and what else is said as long as all of it is short.
struct Said(String);

impl Said {
    /// Adds a sentence if there is room for it.
    fn and(&mut self, sentence: &str) {
        if self.0.chars().count() + sentence.chars().count() <= MOST {
            self.0.push_str(sentence);
        }
    }
}

/// The sentence.
pub fn sentence(diagnosis: &Diagnosis) -> String {
    if nothing(diagnosis).is_some() {
        return NOTHING.to_owned();
    }
    match summary::primary(diagnosis) {
        Some(first) if first.stands() => with_a_fault(diagnosis, first),
        Some(first) => suspected(diagnosis, first),
        None => without_a_fault(diagnosis),
    }
}

/// What is said of a bundle in which nothing was understood.
const NOTHING: &str = "Nothing can be said: no object and no log line of a known format was found in this bundle. \
     Check that the upload is what was meant to be sent, and see which parts were not read.";

/// Why nothing can be said of what was read; `None` if something can.
pub(crate) fn nothing(diagnosis: &Diagnosis) -> Option<&'static str> {
    let understood = !diagnosis.coverage.is_empty()
        || diagnosis.bundles.iter().any(|bundle| bundle.objects > 0)
        || !diagnosis.inventory.is_empty()
        || !diagnosis.findings.is_empty()
        || diagnosis.logs.iter().any(LogRow::is_known);
    (!understood).then_some("no object and no log line of a known format was found in it")
}

/// The fault that a finding is folded under, if that one stands.
fn fold_under<'a>(diagnosis: &'a Diagnosis, finding: &'a Finding) -> Option<folding::Fold<'a>> {
    folding::fold(diagnosis, finding).filter(|fold| fold.root.stands())
}

fn undecided(diagnosis: &Diagnosis) -> u64 {
    diagnosis.count(VerdictWord::Undecided)
}

/// What is said of a bundle that ends too early, or was cut: the banner says the rest.
fn damaged(diagnosis: &Diagnosis) -> &'static str {
    let is_damaged = diagnosis.bundles.iter().any(|bundle| !bundle.damage.is_empty());
    if is_damaged { " The bundle is damaged." } else { "" }
}

/// The fault that matters most, and how many others there are; a list of them stands in every output.
fn with_a_fault(diagnosis: &Diagnosis, first: &Finding) -> String {
    let headline = said(diagnosis, first);
    let mut text = Said(match (first.verdict, first.conflicting) {
        (VerdictWord::Confirmed, false) => format!("{headline}."),
        (_, true) => format!("{headline}; other evidence is against it."),
        _ => format!("Probably: {headline}."),
    });
    let is_other = |finding: &&Finding| {
        finding.stands() && finding.anchor != first.anchor && fold_under(diagnosis, finding).is_none()
    };
    let others = diagnosis.findings.iter().filter(is_other).count() as u64;
    if others > 0 {
        text.and(&format!(" {}.", words::count(others, "more problem", "more problems")));
    }
    text.and(damaged(diagnosis));
    let undecided = undecided(diagnosis);
    if undecided > 0 {
        text.and(&format!(" {} undecided.", words::count(undecided, "suspicion is", "suspicions are")));
    }
    text.0
}

/// The headline of a finding, with its cluster where there are several.
fn said(diagnosis: &Diagnosis, finding: &Finding) -> String {
    let headline = finding.headline().trim_end_matches('.');
    // A sentence about a kind of fault alone leaves open whose it is.
    let name = &finding.entity.name;
    let kind = &finding.entity.kind;
    // A log is called after its file, which says nothing that the headline does not.
    let real = !kind.ends_with(".casefile.dev") && !kind.contains('[') && !finding.entity.is_log();
    let named = if real && finding.entities() == 1 && !headline.contains(name.as_str()) {
        format!("`{name}`: {headline}")
    } else {
        headline.to_owned()
    };
    let headline = named.as_str();
    if diagnosis.contexts.len() < 2 {
        return headline.to_owned();
    }
    format!("{headline} ({})", words::cluster(diagnosis, &finding.entity.context))
}

/// The suspicion that matters most, and how many others there are.
fn suspected(diagnosis: &Diagnosis, first: &Finding) -> String {
    let mut text = Said(format!("Suspected, and not certain: {}.", said(diagnosis, first)));
    let others = undecided(diagnosis).saturating_sub(1);
    if others > 0 {
        text.and(&format!(" {}.", words::count(others, "more suspicion", "more suspicions")));
    }
    text.and(damaged(diagnosis));
    text.and(&healed(diagnosis));
    text.0
}

/// What was checked, what is not well, what is over, what had no data.
fn without_a_fault(diagnosis: &Diagnosis) -> String {
    let mut text = Said(match diagnosis.checked {
        0 => nothing_checked(diagnosis),
        checked => format!("No known problem found: {}.", words::count(checked, "check ran", "checks ran")),
    });
    // A clean answer must hide none of these.
    text.and(&left_over(diagnosis));
    text.0.push_str(&attention(&diagnosis.inventory, &told(diagnosis)));
    text.0.push_str(damaged(diagnosis));
    text.and(&healed(diagnosis));
    match summary::without_data(diagnosis).len() as u64 {
        0 => {}
        number => text.and(&format!(" {} no data.", words::count(number, "check had", "checks had"))),
    }
    text.0
}

/// That the telling part of a paste may be what was not understood. Of a collected bundle much is of no use to anybody.
fn left_over(diagnosis: &Diagnosis) -> String {
    let members: u64 = diagnosis.bundles.iter().map(|bundle| bundle.members).sum();
    match diagnosis.unread.len() as u64 {
        parts if parts > 0 && members <= PASTE => {
            let parts = words::count(parts, "part of it was", "parts of it were");
            format!(" But {parts} not understood, and may tell more.")
        }
        _ => String::new(),
    }
}

/// What is said where no signature had anything to look at.
fn nothing_checked(diagnosis: &Diagnosis) -> String {
    let refused =
        !diagnosis.coverage.is_empty() && diagnosis.coverage.iter().all(|row| row.state == StateName::Forbidden);
    let why = match (refused, diagnosis.not_collected.is_empty()) {
        (true, _) => "the API server refused every answer that was collected",
        (false, true) => "none of Casefile's checks applies to what this bundle holds",
        (false, false) => "nothing that Casefile's checks look at was collected",
    };
    format!("Nothing can be said: {why}.")
}

/// Faults that are over.
fn healed(diagnosis: &Diagnosis) -> String {
    let over = || diagnosis.findings.iter().filter(|finding| finding.verdict == VerdictWord::Resolved);
    let Some(first) = over().next() else { return String::new() };
    let counted = words::count(diagnosis.count(VerdictWord::Resolved), "past problem is", "past problems are");
    let more = if over().nth(1).is_some() { ", the first of them" } else { "" };
    let headline = first.headline().trim_end_matches('.');
    match headline.chars().count() {
        ..=LONG => format!(" {counted} over{more}: {headline}."),
        _ => format!(" {counted} over."),
    }
}

/// Characters of a headline that is not named in passing.
const LONG: usize = 80;

/// What notes and past problems tell of, by kind and name. What is derived has the name of the workload.
fn told(diagnosis: &Diagnosis) -> BTreeSet<(&str, &str)> {
    let tells = |finding: &&Finding| {
        matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable | VerdictWord::Resolved)
    };
    let findings = diagnosis.findings.iter().filter(tells);
    findings.map(|finding| (finding.entity.kind.as_str(), finding.entity.name.as_str())).collect()
}

/// What is not diagnosed and yet not well: a clean answer must not hide it. What is `told` anyway is not named once more.
fn attention(inventory: &[InventoryTable], told: &BTreeSet<(&str, &str)>) -> String {
    let is_told = |kind: &str, name: &str| {
        let of_workload = || made_names::workload_of(name).is_some_and(|of| told.contains(&(WORKLOADS, of)));
        told.contains(&(kind, name)) || kind == "pods" && (told.contains(&(WORKLOADS, name)) || of_workload())
    };
    let mut unhealthy: usize = inventory.iter().map(|table| table.unhealthy).sum();
    let mut first: Vec<String> = Vec::new();
    for table in inventory {
        // A table of the items of an object has the name of that object in front.
        let at = table.headers.iter().position(|header| header == "NAME").unwrap_or_default();
        let kind = words::kind_of_one(&table.kind);
        for name in table.rows.iter().take(table.unhealthy).filter_map(|row| row.get(at)) {
            match is_told(&table.kind, name) {
                true => unhealthy = unhealthy.saturating_sub(1),
                false if first.len() < NAMED => first.push(format!("{kind} `{name}`")),
                false => {}
            }
        }
    }
    if unhealthy == 0 {
        return String::new();
    }
    let more = match unhealthy.saturating_sub(first.len()) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    // Nothing is known to be wrong with them: they may start, or have had their time.
    format!(" Not ready, or failed: {}{more}.", first.join(", "))
}

/// The kind of what is derived of a workload and its Pods.
const WORKLOADS: &str = "workloads.casefile.dev";

/// Objects that are named in passing.
const NAMED: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_ready_is_named() {
        let table = |kind: &str, headers: &[&str], rows: &[&[&str]], unhealthy: usize| InventoryTable {
            context: "cluster".to_owned(),
            kind: kind.to_owned(),
            headers: headers.iter().map(|header| (*header).to_owned()).collect(),
            rows: rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect(),
            unhealthy,
            more: 0,
        };
        let said = |inventory: Vec<InventoryTable>| attention(&inventory, &BTreeSet::new());
        let nodes = table("nodes", &["NAME", "STATUS"], &[&["w-1", "NotReady"], &["w-2", "Ready"]], 1);
        assert_eq!(said(vec![nodes.clone()]), " Not ready, or failed: Node `w-1`.");
        let pods: Vec<&[&str]> = vec![&["shop", "a"], &["shop", "b"], &["shop", "c"]];
        let pods = table("pods", &["NAMESPACE", "NAME"], &pods, 3);
        assert_eq!(said(vec![nodes, pods.clone()]), " Not ready, or failed: Node `w-1`, Pod `a`, Pod `b` and 1 more.");
        // What a note tells of is no news.
        let told = |told: &[(&str, &str)]| attention(std::slice::from_ref(&pods), &told.iter().copied().collect());
        assert_eq!(told(&[("pods", "a"), ("nodes", "b")]), " Not ready, or failed: Pod `b`, Pod `c`.");
        assert_eq!(told(&[("workloads.casefile.dev", "a"), ("pods", "b"), ("pods", "c")]), "");
        let items = table("nodes", &["NODE", "STATUS"], &[&["w-3", "down"]], 1);
        assert_eq!(said(vec![items]), " Not ready, or failed: Node `w-3`.");
        assert_eq!(said(Vec::new()), "");
    }
}
