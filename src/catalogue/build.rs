//! Embeds `patterns/` in the program, and reads its YAML once, here, instead of in each run.
//!
//! Why: to read the YAML of the whole library takes longer than to diagnose a small bundle. What comes out
//! (`built_in.rs` uses it) is each file with its text and, for those that a run reads, its
//! values as JSON, and the hash of all. A signature file in several forms is read in each of them here, for the same
//! reason.
//!
//! A file that is no YAML gets no JSON: the program then reads its text, and says with the place what is wrong.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folder, seen from this crate.
const PATTERNS: &str = "../../patterns";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={PATTERNS}");
    let mut names = Vec::new();
    collect(Path::new(PATTERNS), "", &mut names)?;
    names.sort();
    let mut hash = Sha256::new();
    let mut files = String::new();
    for name in &names {
        let path = Path::new(PATTERNS).join(name);
        let text = fs::read_to_string(&path).map_err(|error| {
            let (path, kind) = (path.display(), error.kind());
            io::Error::new(kind, format!("{path}: {error}; the files of patterns/ are text in UTF-8: fix or remove it"))
        })?;
        // As in `Pack::sha256`.
        hash.update(name.as_bytes());
        hash.update([0]);
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text.as_bytes());
        let documents = if name.ends_with(".tests.yaml") { Vec::new() } else { documents(&text) };
        let text = format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?}))", format!("/{PATTERNS}/{name}"));
        writeln!(files, "    File {{ path: {name:?}, text: {text}, documents: &{documents:?} }},")
            .map_err(io::Error::other)?;
    }
    let hash: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let source = format!("static FILES: &[File] = &[\n{files}];\n\nstatic SHA256: &str = {hash:?};\n");
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR for build scripts"))?;
    fs::write(PathBuf::from(out).join("patterns.rs"), source)
}

/// The values of a YAML text as JSON: once, or once for each of the forms of a signature.
fn documents(text: &str) -> Vec<String> {
    let Ok(value) = serde_saphyr::from_str::<Value>(text) else { return Vec::new() };
    let Some(forms) = value.get("forms").and_then(Value::as_array) else { return vec![value.to_string()] };
    forms.iter().filter_map(Value::as_object).map(|form| in_form(&value, form).to_string()).collect()
}

/// The same values with those of a form for its variables: what `signature::forms` does with the YAML.
fn in_form(value: &Value, form: &Map<String, Value>) -> Value {
    let filled = |text: &str| {
        let variables = form.iter().filter_map(|(name, value)| Some((format!("${{{name}}}"), value.as_str()?)));
        variables.fold(text.to_owned(), |text, (variable, value)| text.replace(&variable, value))
    };
    match value {
        Value::String(text) => Value::String(filled(text)),
        Value::Array(items) => items.iter().map(|item| in_form(item, form)).collect(),
        Value::Object(map) => map.iter().map(|(key, value)| (filled(key), in_form(value, form))).collect(),
        other => other.clone(),
    }
}

/// The YAML files below a folder, by their path with `/`.
fn collect(folder: &Path, inside: &str, names: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = format!("{inside}{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_dir() {
            collect(&path, &format!("{name}/"), names)?;
        } else if name.ends_with(".yaml") {
            names.push(name);
        }
    }
    Ok(())
}
