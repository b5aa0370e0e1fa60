//! Names of objects whose own name was not pasted.
//!
//! Why a name at all: two objects without a name are two, and a finding must say where the one stands that it speaks of.
//! Invariant: no object of Kubernetes can have such a name, since its names hold no brackets.

/// The name of an object that stands on this line of a file.
pub fn name(file: &str, line: u32) -> String {
    let file = file.rsplit('/').next().unwrap_or(file);
    format!("{BEFORE}{file}:{line})")
}

/// The name of what wrote a file, where nothing tells who that was.
pub fn of_file(file: &str) -> String {
    format!("{BEFORE}{})", file.rsplit('/').next().unwrap_or(file))
}

const BEFORE: &str = "(unnamed, ";

/// Is it one of them?
pub fn is_one(name: &str) -> bool {
    name.starts_with(BEFORE)
}
