//! Reads the YAML of `patterns/` once, when the program is built, instead of in each run.
//!
//! Why: reading the YAML of the whole library takes longer than the diagnosis of a small bundle. What comes out
//! holds the same values as JSON, without their places; `src/signature/built_in.rs` reads it.
//!
//! A file that is no YAML is left out here: the program then reads its text, and says with the place what is
//! wrong.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=patterns");
    let mut files = Vec::new();
    collect(Path::new("patterns"), "", &mut files)?;
    files.sort();
    let mut table = String::from("&[\n");
    for (name, path) in files {
        let Ok(document) = serde_saphyr::from_str::<serde_json::Value>(&fs::read_to_string(path)?) else { continue };
        writeln!(table, "    ({name:?}, {:?}),", document.to_string()).map_err(io::Error::other)?;
    }
    table.push_str("]\n");
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR for build scripts"))?;
    fs::write(PathBuf::from(out).join("documents.rs"), table)
}

/// The YAML files that a run reads, by their path inside the pack.
fn collect(folder: &Path, inside: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, &format!("{inside}{name}/"), files)?;
        } else if name.ends_with(".yaml") && !name.ends_with(".tests.yaml") {
            files.push((format!("{inside}{name}"), path));
        }
    }
    Ok(())
}
