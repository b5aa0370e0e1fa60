//! JSON schemas of the files that people write, made from the structs that read them, so that an editor
//! completes what the program accepts.

use crate::file::SignatureFile;
use crate::manifest::PackFile;
use crate::overrides::OverridesFile;
use crate::tests_file::TestsFile;

/// Names and JSON texts of all schemas, as they lie in `schema/`.
pub fn schemas() -> Vec<(&'static str, String)> {
    vec![
        ("overrides.schema.json", pretty(&schemars::schema_for!(OverridesFile))),
        ("pack.schema.json", pretty(&schemars::schema_for!(PackFile))),
        ("signature-tests.schema.json", pretty(&schemars::schema_for!(TestsFile))),
        ("signature.schema.json", pretty(&schemars::schema_for!(SignatureFile))),
    ]
}

fn pretty(schema: &schemars::Schema) -> String {
    format!("{:#}\n", schema.as_value())
}
