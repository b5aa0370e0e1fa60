//! The files of `patterns/` as `build.rs` embedded them: their texts, and for those that a run reads the same
//! values as JSON, without their places.
//!
//! Why: a run needs the whole library, and the YAML of it takes longer to read than a small bundle. Who wants
//! to say where something stands reads the text.
//!
//! Invariant: text and document of a file say the same; a test compares them.

use serde::de::DeserializeOwned;

include!(concat!(env!("OUT_DIR"), "/patterns.rs"));

struct File {
    /// Path inside `patterns/`.
    path: &'static str,
    text: &'static str,
    document: Option<&'static str>,
}

/// Path inside the pack and text of each file, sorted by path.
pub fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().map(|file| (file.path, file.text))
}

/// What [`super::pack::Pack::sha256`] says of these files.
pub fn sha256() -> &'static str {
    SHA256
}

/// The values of a file, or `None` if there is no such file or it is not of that shape.
pub fn document<T: DeserializeOwned>(path: &str) -> Option<T> {
    let index = FILES.binary_search_by(|file| file.path.cmp(path)).ok()?;
    serde_json::from_str(FILES.get(index)?.document?).ok()
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

    #[test]
    fn the_hash_is_that_of_the_texts() {
        let texts = files().map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
        assert_eq!(sha256(), Pack::of("copy", texts).sha256());
    }
}
