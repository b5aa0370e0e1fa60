//! `casefile schema [FILE]`.

use crate::args::{Schema, SchemaName};
use crate::exit::Exit;
use crate::output;
use diagnosis::model::Diagnosis;
use diagnosis::plain_json;
use report::expected::Expected;
use signature::file::SignatureFile;
use signature::manifest::PackFile;
use signature::overrides::OverridesFile;
use signature::tests_file::TestsFile;

/// Prints a schema.
///
/// # Errors
/// If it cannot be written.
pub fn run(args: &Schema) -> anyhow::Result<Exit> {
    output::stdout(&text(args.of)?)?;
    Ok(Exit::Done)
}

/// The JSON schema of a file, with a final line feed.
///
/// # Errors
/// Only through a fault of Casefile.
pub fn text(of: SchemaName) -> Result<String, serde_json::Error> {
    let schema = match of {
        SchemaName::Analysis => schemars::schema_for!(analyze::model::Analysis),
        SchemaName::Comparison => schemars::schema_for!(compare::Comparison),
        SchemaName::Diagnosis => schemars::schema_for!(Diagnosis),
        SchemaName::Expected => schemars::schema_for!(Expected),
        SchemaName::Fleet => schemars::schema_for!(fleet::Fleet),
        SchemaName::Overrides => schemars::schema_for!(OverridesFile),
        SchemaName::Pack => schemars::schema_for!(PackFile),
        SchemaName::Signature => schemars::schema_for!(SignatureFile),
        // Columns and their types, for programs that read lines of JSON into columns.
        SchemaName::Tables => return Ok(tables::for_programs()),
        SchemaName::Tests => schemars::schema_for!(TestsFile),
    };
    plain_json::pretty(&schema)
}
