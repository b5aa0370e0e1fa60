//! `pack.yaml`: the name and version of a pack of signatures, so that a report says which ones it was made with.

use crate::code::Code;
use crate::file::Text;
use crate::located::Located;
use crate::problem::Reporter;
use schemars::JsonSchema;
use serde::Deserialize;

/// The manifest of a pack, at its root. A pack without one is called after its folder.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackFile {
    /// Version of this format: 1.
    pub schema: Located<u64>,
    /// The name that reports show.
    pub name: Text,
    /// The version that reports show, as its authors count: `2026.11` or `1.4.0`.
    pub version: Text,
    /// Who to ask about it.
    pub contact: Option<String>,
}

/// Most characters of a name or a version.
const LONGEST: usize = 60;

/// Reports what is wrong with a manifest.
pub fn check(file: &PackFile, reporter: &mut Reporter<'_>) {
    if file.schema.value != crate::compile::SCHEMA {
        let hint = format!("write `schema: {}`", crate::compile::SCHEMA);
        reporter.report(Code::UnknownSchema, file.schema.place, "the format version is not known", Some(hint));
    }
    for (key, text) in [("name", &file.name), ("version", &file.version)] {
        let fits = !text.value.trim().is_empty() && text.value.chars().count() <= LONGEST;
        if !fits || text.value.chars().any(char::is_control) {
            let hint = format!("write one line of 1 to {LONGEST} characters");
            reporter.report(Code::BadValue, text.place, format!("`{key}` of the pack cannot be shown"), Some(hint));
        }
    }
}
