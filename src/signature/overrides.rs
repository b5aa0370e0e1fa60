//! `overrides.yaml`: a site disables or re-rates signatures, with a reason that the report shows.

use crate::code::Code;
use crate::file::Text;
use crate::located::Located;
use crate::model::{Severity, Signature};
use crate::problem::Reporter;
use facts::suggest;
use schemars::JsonSchema;
use serde::Deserialize;

/// The file.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OverridesFile {
    /// Version of this format: 1.
    pub schema: Located<u64>,
    /// The overrides.
    pub overrides: Vec<OverrideFile>,
}

/// One override: at least one of `disable` and `severity`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OverrideFile {
    /// The signature.
    pub id: Text,
    /// `true`: it is not run.
    #[serde(default)]
    pub disable: bool,
    /// Another severity.
    pub severity: Option<Severity>,
    /// Why; shown in the report.
    pub reason: Text,
}

/// An override as the report shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override {
    /// The signature.
    pub id: String,
    /// Its title.
    pub title: String,
    /// It is not run.
    pub disabled: bool,
    /// The severity before and after, if it was re-rated.
    pub severity: Option<(Severity, Severity)>,
    /// Why.
    pub reason: String,
}

/// Applies the overrides to the signatures.
pub fn apply(file: &OverridesFile, signatures: &mut Vec<Signature>, reporter: &mut Reporter<'_>) -> Vec<Override> {
    if file.schema.value != crate::compile::SCHEMA {
        let hint = format!("write `schema: {}`", crate::compile::SCHEMA);
        reporter.report(Code::UnknownSchema, file.schema.place, "the format version is not known", Some(hint));
    }
    let mut applied: Vec<Override> = Vec::new();
    for item in &file.overrides {
        let id = &item.id.value;
        if item.reason.value.trim().is_empty() || (!item.disable && item.severity.is_none()) {
            let hint = "write `disable: true` or `severity: ...`, and a `reason`".to_owned();
            reporter.report(
                Code::BadOverride,
                item.id.place,
                format!("the override of `{id}` says nothing"),
                Some(hint),
            );
        }
        if applied.iter().any(|other| other.id == *id) {
            let hint = "keep one override for each signature".to_owned();
            reporter.report(Code::DuplicateId, item.id.place, format!("`{id}` is overridden twice"), Some(hint));
            continue;
        }
        let Some(index) = signatures.iter().position(|signature| signature.id == *id) else {
            let hint = suggest::did_you_mean(id, signatures.iter().map(|signature| signature.id.as_str()));
            reporter.report(Code::BadOverride, item.id.place, format!("there is no signature `{id}`"), hint);
            continue;
        };
        let before = signatures[index].severity;
        applied.push(Override {
            id: id.clone(),
            title: signatures[index].title.clone(),
            disabled: item.disable,
            severity: item.severity.map(|after| (before, after)),
            reason: item.reason.value.trim().to_owned(),
        });
        if let Some(severity) = item.severity {
            signatures[index].severity = severity;
        }
    }
    signatures.retain(|signature| !applied.iter().any(|item| item.disabled && item.id == signature.id));
    applied
}
