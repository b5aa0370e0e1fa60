//! What is generated from the signature language is checked in, and equal to what is generated now.
//! `CASEFILE_UPDATE=1` writes it anew.

#![expect(clippy::disallowed_methods, reason = "the update switch of golden files is an environment variable")]
#![expect(clippy::expect_used, reason = "a test outside of `cfg(test)`: it fails loudly")]

use signature::load::Library;
use signature::{docs, schema};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Compares files with texts; with the switch it writes them.
fn same(folder: &Path, wanted: &[(String, String)]) {
    for (name, text) in wanted {
        let path = folder.join(name);
        if std::env::var("CASEFILE_UPDATE").is_ok() {
            fs::create_dir_all(folder).expect("the folder");
            fs::write(&path, text).expect("written");
        }
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert!(found == *text, "{} is not what is generated now; run with CASEFILE_UPDATE=1", path.display());
    }
}

#[test]
fn the_pages_of_signatures_are_up_to_date() {
    let library = Library::built_in().expect("the built-in signatures load");
    let pages = docs::docs(&library);
    let folder = root().join("docs/patterns");
    same(&folder, &pages);
    let names: BTreeSet<String> = pages.into_iter().map(|(name, _)| name).collect();
    for entry in fs::read_dir(folder).expect("the folder") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(names.contains(&name), "docs/patterns/{name} belongs to no signature");
    }
}

#[test]
fn the_schemas_are_up_to_date() {
    let schemas: Vec<(String, String)> =
        schema::schemas().into_iter().map(|(name, text)| (name.to_owned(), text)).collect();
    same(&root().join("schema"), &schemas);
}

#[test]
fn the_schemas_accept_the_built_in_signatures_and_refuse_a_misspelt_key() {
    let schemas = schema::schemas();
    let text = |name: &str| schemas.iter().find(|(n, _)| *n == name).map(|(_, t)| t.clone()).expect("the schema");
    let validator = |name: &str| {
        let schema: serde_json::Value = serde_json::from_str(&text(name)).expect("JSON");
        jsonschema::validator_for(&schema).expect("a schema")
    };
    let (signature, tests) = (validator("signature.schema.json"), validator("signature-tests.schema.json"));
    let pack = signature::pack::Pack::built_in();
    let json = |text: &str| serde_saphyr::from_str::<serde_json::Value>(text).expect("YAML");
    for (path, text) in pack.signatures() {
        let errors: Vec<String> = signature.iter_errors(&json(text)).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{path}: {errors:?}");
        assert!(!signature.is_valid(&json(&text.replacen("summary:", "sumary:", 1))), "{path}");
    }
    for (path, text) in pack.tests() {
        let errors: Vec<String> = tests.iter_errors(&json(text)).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{path}: {errors:?}");
    }
}

#[test]
fn the_schemas_of_a_site_accept_what_the_readme_shows_and_refuse_a_misspelt_key() {
    let readme = fs::read_to_string(root().join("patterns/README.md")).expect("patterns/README.md");
    let blocks: Vec<&str> = readme.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    for (name, mark) in [("overrides.schema.json", "overrides:"), ("pack.schema.json", "version:")] {
        let schemas = schema::schemas();
        let text = schemas.iter().find(|(found, _)| *found == name).map(|(_, text)| text).expect("the schema");
        let validator = jsonschema::validator_for(&serde_json::from_str(text).expect("JSON")).expect("a schema");
        let block = blocks.iter().find(|block| block.contains(mark)).expect("the README shows the file");
        let json = |text: &str| serde_saphyr::from_str::<serde_json::Value>(text).expect("YAML");
        let errors: Vec<String> = validator.iter_errors(&json(block)).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        assert!(!validator.is_valid(&json(&block.replace(mark, &format!("x{mark}")))), "{name}");
    }
}

/// The page on the language shows every key, in an example that a signature file may have.
#[test]
fn the_readme_shows_every_key_of_a_signature() {
    let schemas = schema::schemas();
    let text = schemas.iter().find(|(name, _)| *name == "signature.schema.json").map(|(_, text)| text);
    let schema: serde_json::Value = serde_json::from_str(text.expect("the schema")).expect("JSON");
    let readme = fs::read_to_string(root().join("patterns/README.md")).expect("patterns/README.md");
    let blocks: Vec<&str> = readme.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let example = blocks.iter().find(|block| block.contains("escalation:")).expect("the example with every key");
    let json = serde_saphyr::from_str::<serde_json::Value>(example).expect("YAML");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let errors: Vec<String> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let own = schema["properties"].as_object().expect("keys");
    let others = schema["$defs"].as_object().expect("shapes").values();
    let others = others.filter_map(|shape| shape["properties"].as_object());
    let keys: BTreeSet<&str> = others.chain([own]).flat_map(|keys| keys.keys()).map(String::as_str).collect();
    let is_shown = |key: &&str| readme.contains(&format!("{key}:")) || readme.contains(&format!("`{key}`"));
    let missing: Vec<&str> = keys.into_iter().filter(|key| !is_shown(key)).collect();
    assert!(missing.is_empty(), "patterns/README.md does not show {missing:?}");
}
