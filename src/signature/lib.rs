//! The signature language: files, conditions, templates, lint, packs.
//!
//! [`mod@file`] is what a person types ([`forms`]: one file, several signatures), [`model`] what the engine reads,
//! [`compile`] the way between; [`load`] makes a [`load::Library`] of packs, [`lint`] says what is wrong with them.

pub mod captured;
pub mod code;
pub mod compile;
pub mod condition;
pub mod docs;
pub mod duration;
pub mod evidence_state;
pub mod explain;
pub mod file;
mod fill_in;
mod flow_style;
pub mod forms;
pub mod heading;
pub mod lint;
pub mod load;
pub mod located;
pub mod manifest;
pub mod measure;
pub mod model;
pub mod overrides;
pub mod pack;
pub mod problem;
pub mod read;
pub mod related;
pub mod remedy_file;
pub mod scalar;
pub mod schema;
mod substitute;
pub mod template;
pub mod tests_file;
pub mod unset;
pub mod variables;

#[cfg(test)]
mod built_in_tests {
    use crate::compile::{Proof, compile};
    use crate::forms;
    use crate::pack::Pack;
    use crate::problem::Reporter;
    use catalogue::{built_in, nouns};

    #[test]
    fn a_document_says_what_its_yaml_says() {
        let pack = Pack::built_in();
        for (path, text) in pack.signatures() {
            let mut reporter = Reporter::new(path, text);
            let written = forms::signatures(path, text).expect("signatures");
            let hint = "put quotes around a text that YAML takes for a number, a boolean or a date";
            let built = forms::embedded(path).unwrap_or_else(|| panic!("{path} is not embedded; {hint}"));
            assert_eq!(written.len(), built.len(), "{path}");
            for (written, built) in written.into_iter().zip(built) {
                // Compiling the text with no proof compiles each regex.
                let written = compile(&written, path, Proof::None, &mut reporter).expect("a right signature");
                let built = compile(&built, path, Proof::Tests, &mut reporter).expect("a right signature");
                assert_eq!(format!("{written:?}"), format!("{built:?}"), "{path}");
            }
        }
        assert!(built_in::document::<serde_json::Value>("no-such-file.yaml").is_none());
    }

    #[test]
    fn the_hash_is_that_of_the_texts() {
        let texts = built_in::files().map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
        assert_eq!(built_in::sha256(), Pack::of("copy", texts).sha256());
    }

    #[test]
    fn no_sentence_asks_for_a_kind_that_nobody_can_collect() {
        let library = crate::load::Library::built_in().expect("the built-in signatures load");
        let derived: Vec<facts::kind::KindName> =
            library.kinds().into_iter().filter(|kind| kind.group == "casefile.dev").collect();
        assert!(derived.len() > 10);
        for kind in derived {
            let said = nouns::never_whole(&kind, "cluster").expect("a reason") + &nouns::object(&kind, "x");
            assert!(!said.contains("casefile.dev"), "{said}");
            let (one, _) = nouns::nouns(&kind).expect("a noun");
            assert!(one != kind.plural || kind.plural == "certificates", "{kind} has no noun");
        }
    }
}
