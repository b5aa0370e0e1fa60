//! Rows about a bundle as a whole: what `casefile fleet` puts beside those of others.

use crate::objects::{is_row, number};
use crate::{Cell, Source};
use diagnosis::model::Diagnosis;
use facts::store::Facts;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn bundles(source: &Source<'_>, emit: &mut dyn FnMut(Vec<Cell>)) {
    let diagnosis = source.diagnosis();
    for bundle in &diagnosis.bundles {
        let as_of = bundle.as_of.as_ref();
        emit(vec![
            Cell::text(bundle.name.as_str()),
            Cell::text(bundle.layout.as_str()),
            as_of.and_then(|as_of| as_of.time.parse().ok()).map_or(Cell::Null, Cell::Time),
            Cell::from(as_of.map(|as_of| as_of.source.as_str())),
            whole(bundle.members),
            whole(bundle.bytes),
            whole(bundle.objects),
            number(diagnosis.unread.len()),
            Cell::text(diagnosis.answer.as_str()),
            Cell::text(diagnosis.tool.version.as_str()),
        ]);
    }
}

pub(crate) fn versions(diagnosis: &Diagnosis, emit: &mut dyn FnMut(Vec<Cell>)) {
    for context in &diagnosis.contexts {
        // A product whose version is stated stands in both lists.
        let mut rows: BTreeSet<(&str, Option<&str>)> =
            context.versions.iter().map(|(product, version)| (product.as_str(), Some(version.as_str()))).collect();
        let stated: BTreeSet<&str> = rows.iter().map(|(product, _)| *product).collect();
        rows.extend(context.products.iter().map(|p| (p.as_str(), None)).filter(|(p, _)| !stated.contains(p)));
        for (product, version) in rows {
            emit(vec![Cell::text(context.name.as_str()), Cell::text(product), Cell::from(version)]);
        }
    }
}

pub(crate) fn object_counts(facts: &Facts, emit: &mut dyn FnMut(Vec<Cell>)) {
    let mut counts: BTreeMap<(&str, String), (usize, usize)> = BTreeMap::new();
    for object in facts.objects.iter().filter(|object| is_row(object)) {
        let (there, gone) =
            counts.entry((facts.context(object.context).name.as_str(), object.kind.to_string())).or_default();
        *if object.presence.is_gone() { gone } else { there } += 1;
    }
    for ((context, kind), (there, gone)) in counts {
        emit(vec![Cell::text(context), Cell::text(kind), number(there), number(gone)]);
    }
}

fn whole(number: u64) -> Cell {
    i64::try_from(number).map_or(Cell::Null, Cell::Number)
}
