//! The files of `patterns/` as `build.rs` read them: the same values as in the YAML, without their places.
//!
//! Why: a run needs the whole library, and the YAML of it takes longer to read than a small bundle. Who wants
//! to say where something stands reads the text in [`super::pack::Pack::built_in`].
//!
//! Invariant: for each file both ways give the same; a test compares them.

use serde::de::DeserializeOwned;

/// Path inside the pack, and JSON; sorted by path.
static DOCUMENTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/documents.rs"));

/// The values of a file, or `None` if there is no such file or it is not of that shape.
pub fn document<T: DeserializeOwned>(path: &str) -> Option<T> {
    let index = DOCUMENTS.binary_search_by(|(name, _)| (*name).cmp(path)).ok()?;
    serde_json::from_str(DOCUMENTS.get(index)?.1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::compile::{Proof, compile};
    use crate::signature::file::SignatureFile;
    use crate::signature::pack::Pack;
    use crate::signature::problem::Reporter;
    use crate::signature::read;

    #[test]
    fn a_document_says_what_its_yaml_says() {
        let pack = Pack::built_in();
        for (path, text) in pack.signatures() {
            let mut reporter = Reporter::new(path, text);
            let written: SignatureFile = read::read(text, &mut reporter).expect("a signature");
            let hint = "put quotes around a text that YAML takes for a number, a boolean or a date";
            let built: SignatureFile = document(path).unwrap_or_else(|| panic!("{path} is not embedded; {hint}"));
            // Compiling the text with no proof compiles each regex.
            let written = compile(&written, path, Proof::None, &mut reporter).expect("a right signature");
            let built = compile(&built, path, Proof::Tests, &mut reporter).expect("a right signature");
            assert_eq!(format!("{written:?}"), format!("{built:?}"), "{path}");
        }
        assert!(document::<serde_json::Value>("no-such-file.yaml").is_none());
    }
}
