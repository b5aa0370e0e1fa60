//! A view for each kind, with the columns that kubectl prints.

use crate::objects::{created, place, shown};
use crate::{Cell, Column, Table, Type, What};
use catalogue::kinds::Catalogue;
use facts::kind::KindName;
use facts::store::Facts;
use std::collections::{BTreeMap, BTreeSet};

/// Columns before those of the printer, and behind them.
const BEFORE: usize = 3;
const BEHIND: usize = 3;

/// The columns that the printer has.
pub(crate) fn own(columns: &[Column]) -> impl Iterator<Item = &Column> {
    columns.iter().skip(BEFORE).take(columns.len().saturating_sub(BEFORE + BEHIND))
}

/// The views of every kind that is catalogued or that the bundle holds, sorted by name.
pub(crate) fn all(facts: Option<&Facts>, catalogue: &Catalogue) -> Vec<Table> {
    let empty = Facts::default();
    let facts = facts.unwrap_or(&empty);
    let catalogued: BTreeSet<&KindName> = catalogue.kinds().map(|kind| &kind.name).collect();
    let present: BTreeSet<&KindName> = facts.objects.iter().map(|object| &object.kind).collect();
    let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
    for kind in &catalogued {
        *taken.entry(kind.plural.as_str()).or_default() += 1;
    }
    for fixed in crate::fixed() {
        // A name of a table that every bundle has.
        if let Some(kind) = catalogued.iter().find(|kind| kind.plural == fixed.name) {
            *taken.entry(kind.plural.as_str()).or_default() += 1;
        }
    }
    let mut tables: Vec<Table> = catalogued
        .union(&present)
        .filter(|kind| !kind.plural.is_empty())
        .map(|kind| {
            let is_alone = match catalogued.contains(*kind) {
                true => taken.get(kind.plural.as_str()).is_none_or(|count| *count == 1),
                false => false,
            };
            table(facts, catalogue, kind, is_alone)
        })
        .collect();
    tables.sort_by(|a, b| a.name.cmp(&b.name));
    tables.dedup_by(|a, b| a.name == b.name);
    tables
}

/// The name of the view of a kind: its plural, or plural and group where several kinds have that plural.
pub fn view_name(kind: &KindName, is_alone: bool) -> String {
    let group = if kind.group.is_empty() { "core" } else { &kind.group };
    if is_alone { identifier(&kind.plural) } else { identifier(&format!("{}_{group}", kind.plural)) }
}

/// A text as a name in SQL: letters, digits, and `_` for all else.
fn identifier(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter.to_ascii_lowercase() {
            letter @ ('a'..='z' | '0'..='9') => name.push(letter),
            _ if name.is_empty() || name.ends_with('_') => {}
            _ => name.push('_'),
        }
    }
    let name = name.trim_end_matches('_');
    if name.starts_with(|first: char| first.is_ascii_digit()) || name.is_empty() {
        format!("_{name}")
    } else {
        name.to_owned()
    }
}

fn table(facts: &Facts, catalogue: &Catalogue, kind: &KindName, is_alone: bool) -> Table {
    let printed = printer::columns(facts, catalogue, None, kind);
    let column = |name: &str, of, about: &str| Column { name: name.to_owned(), of, about: about.to_owned() };
    let behind = [
        column("created", Type::Time, "`metadata.creationTimestamp`"),
        column("member", Type::Text, "the member of the bundle that it was read from"),
        column("line", Type::Number, "the line in that member"),
    ];
    let mut columns = vec![
        column("context", Type::Text, "the cluster"),
        column("namespace", Type::Text, "its namespace"),
        column("name", Type::Text, "its name"),
    ];
    for own in &printed {
        let name = identifier(&own.header);
        let is_taken = |name: &str| columns.iter().chain(&behind).any(|column| column.name == name);
        let free = (2..).map(|number| format!("{name}_{number}")).find(|other| !is_taken(other));
        let name = if is_taken(&name) { free.unwrap_or(name) } else { name };
        let of = if own.number { Type::Number } else { Type::Text };
        columns.push(Column { name, of, about: format!("{} of kubectl", own.header) });
    }
    columns.extend(behind);
    let (name, about) = (view_name(kind, is_alone), format!("an object of {kind}"));
    Table { name, about, columns, what: What::Kind(kind.clone(), printed) }
}

/// The objects of a kind that are not known to be gone.
pub(crate) fn rows(facts: &Facts, kind: &KindName, columns: &[printer::Column], emit: &mut dyn FnMut(Vec<Cell>)) {
    for context in facts.context_ids() {
        for id in facts.of_kind(context, kind) {
            let object = facts.object(*id);
            if object.shadow {
                continue;
            }
            let mut row = vec![
                Cell::text(facts.context(context).name.as_str()),
                Cell::from(object.namespace.as_deref()),
                Cell::text(object.name.as_str()),
            ];
            row.extend(columns.iter().map(|column| match column.cell(facts, *id) {
                printer::Cell::Unknown => Cell::Null,
                printer::Cell::Masked => shown(None),
                printer::Cell::Text(text) => Cell::Text(text),
                printer::Cell::Number(number) => Cell::Number(number),
            }));
            row.push(created(object));
            row.extend(place(facts, object));
            emit(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_have_names_of_sql_and_no_two_have_the_same() {
        assert_eq!(view_name(&KindName::parse("pods"), true), "pods");
        assert_eq!(view_name(&KindName::parse("machines.cluster.x-k8s.io"), false), "machines_cluster_x_k8s_io");
        assert_eq!(identifier("PORT(S)"), "port_s");
        assert_eq!(identifier("UP-TO-DATE"), "up_to_date");
        assert_eq!(identifier("3scale"), "_3scale");
        let views = all(None, &Catalogue::built_in());
        assert_eq!(views.len(), Catalogue::built_in().kinds().count());
        let pods = views.iter().find(|view| view.name == "pods").map(|view| view.columns.clone()).unwrap_or_default();
        let names: Vec<&str> = pods.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(
            names.join(" "),
            "context namespace name ready status restarts age ip node nominated_node created member line"
        );
        for view in &views {
            let names: BTreeSet<&str> = view.columns.iter().map(|column| column.name.as_str()).collect();
            assert_eq!(names.len(), view.columns.len(), "{}", view.name);
        }
        assert!(views.iter().all(|view| crate::fixed().iter().all(|fixed| fixed.name != view.name)));
    }
}
