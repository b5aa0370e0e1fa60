//! Lists as tables: what `kubectl get` asks for and prints (`meta.k8s.io`, `Table`).
//!
//! Invariant: a cell that nobody knows says `<unknown>`, and a masked one that it is masked; a character that a terminal
//! would obey is shown by its number, for not every kubectl escapes it.

use crate::object::{self, MASKED};
use crate::resources::Resource;
use catalogue::kinds::Catalogue;
use diagnosis::visible::visible;
use facts::object::{ContextId, ObjectId};
use facts::store::Facts;
use printer::{Cell, Column};
use serde_json::{Value, json};

/// What kubectl itself prints for what it does not know.
const UNKNOWN: &str = "<unknown>";

/// How much of the object stands in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Include {
    Nothing,
    Metadata,
    Object,
}

impl Include {
    /// By the parameter `includeObject`.
    pub(crate) fn of(text: Option<&str>) -> Self {
        match text {
            Some("None") => Self::Nothing,
            Some("Object") => Self::Object,
            _ => Self::Metadata,
        }
    }
}

/// Makes tables of one kind.
pub(crate) struct Tables<'a> {
    facts: &'a Facts,
    resource: &'a Resource,
    columns: Vec<Column>,
    /// The version of `meta.k8s.io`.
    version: &'a str,
    include: Include,
}

impl<'a> Tables<'a> {
    pub(crate) fn new(
        facts: &'a Facts,
        catalogue: &Catalogue,
        context: ContextId,
        resource: &'a Resource,
        version: &'a str,
        include: Include,
    ) -> Self {
        let columns = printer::columns(facts, catalogue, Some(context), &resource.kind);
        Self { facts, resource, columns, version, include }
    }

    /// The table of these objects.
    pub(crate) fn table(&self, ids: &[ObjectId], metadata: Value) -> Value {
        let rows: Vec<Value> = ids.iter().map(|id| self.row(*id)).collect();
        json!({
            "kind": "Table",
            "apiVersion": format!("meta.k8s.io/{}", self.version),
            "metadata": metadata,
            "columnDefinitions": self.definitions(),
            "rows": rows,
        })
    }

    /// Events have no name that says anything: it comes last, and only with `-o wide`.
    fn is_named_last(&self) -> bool {
        self.resource.word == "Event"
    }

    fn definitions(&self) -> Vec<Value> {
        let definition = |name: &str, kind: &str, format: &str, wide: bool| json!({ "name": name, "type": kind, "format": format, "description": "", "priority": i32::from(wide) });
        let name = definition("Name", "string", "name", self.is_named_last());
        let others = self.columns.iter().map(|column| {
            let kind = if column.number { "integer" } else { "string" };
            definition(&column.header, kind, "", column.wide)
        });
        let mut all: Vec<Value> = others.collect();
        let at = if self.is_named_last() { all.len() } else { 0 };
        all.insert(at, name);
        all
    }

    fn row(&self, id: ObjectId) -> Value {
        let mut cells: Vec<Value> = self.columns.iter().map(|column| cell(column.cell(self.facts, id))).collect();
        let at = if self.is_named_last() { cells.len() } else { 0 };
        cells.insert(at, visible(&self.facts.object(id).name).into_owned().into());
        let object = match self.include {
            Include::Nothing => return json!({ "cells": cells }),
            Include::Metadata => object::metadata_only(&object::json(self.facts, id, self.resource), self.version),
            Include::Object => object::json(self.facts, id, self.resource),
        };
        json!({ "cells": cells, "object": object })
    }
}

fn cell(cell: Cell) -> Value {
    match cell {
        Cell::Unknown => UNKNOWN.into(),
        Cell::Masked => MASKED.into(),
        Cell::Text(text) => visible(&text).into_owned().into(),
        Cell::Number(number) => number.into(),
    }
}
