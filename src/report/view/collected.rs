//! What was collected and what of it could not be used, bounded for people: coverage, logs, objects, what was
//! not read, what was not assessed.

use crate::view::{ROWS, fragment};
use diagnosis::bounds;
use diagnosis::model::{ALL_NAMESPACES, CoverageRow, Diagnosis, InventoryTable, LogRow, Rate};
use diagnosis::more::MoreFindings;
use diagnosis::words;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Places shown of each reason for which something was not read.
const UNREAD_PLACES: usize = 4;

/// What was not read for one reason.
#[derive(Debug, Serialize)]
pub struct UnreadGroup {
    /// Why.
    pub reason: String,
    /// How often.
    pub count: u64,
    /// The first places.
    pub places: Vec<String>,
    /// Places beyond those.
    pub more: u64,
}

/// Findings of a signature that are counted.
#[derive(Debug, Serialize)]
pub struct CountedView {
    pub signature: String,
    pub title: String,
    /// `confirmed`
    pub verdict: &'static str,
    pub count: u64,
    /// ` (7 objects)`, if they stand for more objects than there are findings.
    pub about: String,
    /// The first of them.
    pub first: String,
}

/// How often a lane warned, in words.
#[derive(Debug, Serialize)]
pub struct RateView {
    pub lane: String,
    /// Context name.
    pub context: String,
    /// Before the first failure.
    pub before: String,
    /// Since then.
    pub since: String,
}

/// Coverage of one kind in one context.
#[derive(Debug, Serialize)]
pub struct CoverageGroup {
    /// Context name.
    pub context: String,
    /// Its kinds, those with something missing first.
    pub kinds: Vec<CoverageKind>,
    /// Kinds beyond those shown.
    pub more: usize,
    /// Kinds with something missing.
    pub missing: usize,
}

#[derive(Debug, Serialize)]
pub struct CoverageKind {
    pub kind: String,
    /// Something is missing.
    pub missing: bool,
    /// Objects seen.
    pub objects: u64,
    /// Its states in words with their scope.
    pub states: Vec<String>,
    /// Answers beyond those shown.
    pub more: usize,
    /// First member.
    pub member: String,
}

/// What could not be assessed for one reason.
#[derive(Debug, Serialize)]
pub struct NotAssessedGroup {
    /// Ids of the signatures, bounded.
    pub signature: String,
    /// Why.
    pub reason: String,
    /// The entities, bounded.
    pub entities: String,
    /// How many.
    pub count: usize,
}

/// Signatures that do not apply for one reason.
#[derive(Debug, Serialize)]
pub struct NotApplicableGroup {
    /// Why.
    pub reason: String,
    /// Their ids, bounded.
    pub signatures: String,
    /// How many.
    pub count: usize,
}

/// What does not apply, by reason: the reason of most signatures first.
pub fn not_applicable(diagnosis: &Diagnosis) -> Vec<NotApplicableGroup> {
    let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in &diagnosis.not_applicable {
        groups.entry(&row.reason).or_default().push(&row.signature);
    }
    let group = |(reason, ids): (&str, Vec<&str>)| {
        let signatures = first_of(&ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>(), IDS);
        NotApplicableGroup { reason: reason.to_owned(), signatures, count: ids.len() }
    };
    let mut groups: Vec<NotApplicableGroup> = groups.into_iter().map(group).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.count));
    groups
}

/// What was not read, by reason: what was lost first, then what says nothing.
pub fn unread(diagnosis: &Diagnosis) -> Vec<UnreadGroup> {
    let mut groups: BTreeMap<(&str, bool), Vec<String>> = BTreeMap::new();
    for row in &diagnosis.unread {
        let line = row.line.map(|line| format!(":{line}")).unwrap_or_default();
        let is_loss = words::is_loss(row.cause);
        groups.entry((&row.reason, is_loss)).or_default().push(format!("{}{line}", row.member));
    }
    let mut counted: BTreeMap<(&str, bool), u64> = BTreeMap::new();
    for row in &diagnosis.more.unread {
        let key = (row.reason.as_str(), words::is_loss(row.cause));
        groups.entry(key).or_default();
        *counted.entry(key).or_default() += row.count;
    }
    let mut groups: Vec<_> = groups
        .into_iter()
        .map(|(key, places)| (key, places.len() as u64 + counted.get(&key).copied().unwrap_or_default(), places))
        .collect();
    groups.sort_by_key(|((_, is_loss), count, _)| (!is_loss, std::cmp::Reverse(*count)));
    groups
        .into_iter()
        .map(|((reason, _), count, places)| {
            let places: Vec<String> = places.into_iter().take(UNREAD_PLACES).collect();
            UnreadGroup { reason: reason.to_owned(), count, more: count - places.len() as u64, places }
        })
        .collect()
}

/// Findings that are counted, for a row of a table.
pub fn counted(row: &MoreFindings) -> CountedView {
    CountedView {
        signature: row.signature.clone(),
        title: row.title.clone(),
        verdict: words::verdict(row.verdict),
        count: row.count,
        about: words::about(row.count, row.entities),
        first: row.first.join(", "),
    }
}

/// Streams that a page lists.
const STREAMS: usize = 25;

/// The logs that a page lists: those that signatures know first, then the longest.
pub fn logs(diagnosis: &Diagnosis) -> Vec<LogRow> {
    let mut rows: Vec<&LogRow> = diagnosis.logs.iter().collect();
    rows.sort_by_key(|row| (row.class.is_none(), std::cmp::Reverse(row.lines)));
    rows.into_iter().take(STREAMS).cloned().collect()
}

/// A table of objects.
#[derive(Debug, Serialize)]
pub struct TableView {
    /// Context name.
    pub context: String,
    /// Kind as `plural.group`.
    pub kind: String,
    pub headers: Vec<String>,
    pub rows: Vec<RowView>,
    /// Number of unhealthy rows; they come first.
    pub unhealthy: usize,
    /// Rows beyond those listed.
    pub more: u64,
    /// The bundle does not tell some cell.
    pub unknown: bool,
}

#[derive(Debug, Serialize)]
pub struct RowView {
    pub cells: Vec<String>,
    /// The number of the cell with the name.
    pub name: usize,
    /// Fragment of the link to the page of its object; empty if it has none.
    pub link: String,
}

/// The tables, those with something unhealthy first.
pub fn inventory(diagnosis: &Diagnosis) -> Vec<TableView> {
    let mut tables = diagnosis.inventory.clone();
    tables.iter_mut().for_each(known_columns);
    tables.sort_by_key(|table| table.unhealthy == 0);
    tables.into_iter().map(|table| table_view(diagnosis, table)).collect()
}

fn table_view(diagnosis: &Diagnosis, table: InventoryTable) -> TableView {
    let name = table.headers.iter().position(|header| header == "NAME").unwrap_or_default();
    let pages = &diagnosis.pictures.objects;
    let own = |cells: &[String]| {
        let named: Vec<&str> = cells.iter().take(name + 1).map(String::as_str).collect();
        let anchor = format!("object/{}/{}", table.kind, named.join("/"));
        let page = pages.iter().find(|page| {
            page.context == table.context && (page.anchor == anchor || page.anchor.starts_with(&format!("{anchor}@")))
        });
        page.map(|page| fragment(&page.anchor)).unwrap_or_default()
    };
    let unknown = table.rows.iter().flatten().any(|cell| cell == NOT_TOLD);
    let shown = table.rows.len().min(table.unhealthy + WELL);
    let beyond = table.rows.len() - shown;
    let rows =
        table.rows.iter().take(shown).map(|cells| RowView { link: own(cells), cells: cells.clone(), name }).collect();
    TableView {
        rows,
        unknown,
        context: table.context,
        kind: table.kind,
        headers: table.headers,
        unhealthy: table.unhealthy,
        more: table.more + beyond as u64,
    }
}

/// Rows of a table that a page shows of what is well; `--format json` has more of them.
const WELL: usize = 20;

/// What stands in a table where the bundle does not tell.
const NOT_TOLD: &str = "?";

/// Leaves out the columns of which the bundle tells nothing in any row.
fn known_columns(table: &mut InventoryTable) {
    let told: Vec<bool> = (0..table.headers.len())
        .map(|at| {
            table.rows.is_empty() || table.rows.iter().any(|row| row.get(at).is_some_and(|cell| cell != NOT_TOLD))
        })
        .collect();
    let keep = |row: &mut Vec<String>| {
        let mut at = 0;
        row.retain(|_| {
            at += 1;
            told.get(at - 1).copied().unwrap_or(true)
        });
    };
    keep(&mut table.headers);
    table.rows.iter_mut().for_each(keep);
}

/// A rate in words.
pub fn rate(rate: &Rate) -> RateView {
    let words = |count: u64, seconds: i64| match seconds {
        ..=0 => "no data".to_owned(),
        _ => {
            let hourly = count as f64 * 3_600.0 / seconds as f64;
            let hourly = if hourly < 10.0 { format!("{hourly:.1}") } else { words::thousands(hourly.round() as u64) };
            format!("{hourly} an hour ({} in {})", words::thousands(count), words::rough_span(seconds))
        }
    };
    RateView {
        lane: rate.lane.clone(),
        context: rate.context.clone(),
        before: words(rate.before, rate.before_seconds),
        since: words(rate.since, rate.since_seconds),
    }
}

/// Coverage by context and kind, what is missing first.
pub fn coverage(rows: &[CoverageRow]) -> Vec<CoverageGroup> {
    let mut contexts: BTreeMap<&str, BTreeMap<&str, Vec<&CoverageRow>>> = BTreeMap::new();
    for row in rows {
        contexts.entry(&row.context).or_default().entry(&row.kind).or_default().push(row);
    }
    contexts
        .into_iter()
        .map(|(context, kinds)| {
            let mut kinds: Vec<CoverageKind> = kinds
                .into_iter()
                .map(|(kind, rows)| {
                    let states: BTreeSet<String> = rows.iter().map(|row| state_words(row)).collect();
                    CoverageKind {
                        kind: kind.to_owned(),
                        missing: rows.iter().any(|row| row.state.is_missing()),
                        objects: rows.iter().map(|row| row.objects).max().unwrap_or_default(),
                        more: states.len().saturating_sub(4),
                        states: states.into_iter().take(4).collect(),
                        member: rows.first().map(|row| row.member.clone()).unwrap_or_default(),
                    }
                })
                .collect();
            kinds.sort_by_key(|kind| !kind.missing);
            let missing = kinds.iter().filter(|kind| kind.missing).count();
            let shown = ROWS.max(missing);
            let more = kinds.len().saturating_sub(shown);
            kinds.truncate(shown);
            CoverageGroup { context: context.to_owned(), kinds, more, missing }
        })
        .collect()
}

/// A coverage record in words: `complete (stated), all namespaces`.
fn state_words(row: &CoverageRow) -> String {
    let scope = if row.namespaces == ALL_NAMESPACES { "all namespaces".to_owned() } else { row.namespaces.clone() };
    let detail = row.detail.as_ref().map(|detail| format!(": {detail}")).unwrap_or_default();
    format!("{} ({}), {scope}{detail}", row.state, row.basis)
}

/// Ids and objects that are named of one reason.
const IDS: usize = 12;
const ENTITIES: usize = 6;

/// The first of several, the others counted.
fn first_of(all: &[String], most: usize) -> String {
    let text = all.iter().take(most).cloned().collect::<Vec<_>>().join(", ");
    match all.len().saturating_sub(most) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

/// What was not assessed, by what is missing, the most first.
pub fn not_assessed(diagnosis: &Diagnosis) -> Vec<NotAssessedGroup> {
    let mut groups: BTreeMap<&str, (BTreeSet<&str>, BTreeSet<String>, usize)> = BTreeMap::new();
    for row in &diagnosis.not_assessed {
        let (ids, entities, count) = groups.entry(&row.reason).or_default();
        ids.insert(&row.signature);
        entities.insert(format!("{} ({})", words::entity(&row.entity), row.entity.context));
        *count += 1;
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, (_, _, count))| std::cmp::Reverse(*count));
    let counted = diagnosis.more.not_assessed.iter().map(|row| NotAssessedGroup {
        signature: row.signature.clone(),
        reason: format!("counted, beyond the first {}", bounds::FINDINGS),
        entities: format!("{} in all, among them {}", words::thousands(row.count), row.first.join(", ")),
        count: usize::try_from(row.count).unwrap_or(usize::MAX),
    });
    let listed = groups.into_iter().map(|(reason, (ids, entities, count))| NotAssessedGroup {
        signature: first_of(&ids.into_iter().map(str::to_owned).collect::<Vec<_>>(), IDS),
        reason: reason.to_owned(),
        entities: first_of(&entities.into_iter().collect::<Vec<_>>(), ENTITIES),
        count,
    });
    listed.chain(counted).collect()
}
