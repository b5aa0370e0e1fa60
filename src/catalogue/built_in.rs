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
    /// Its values as JSON: one, or one for each form of a signature; none if its YAML cannot be read.
    documents: &'static [&'static str],
}

/// Path inside the pack and text of each file, sorted by path.
pub fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().map(|file| (file.path, file.text))
}

/// What `signature::pack::Pack::sha256` says of these files.
pub fn sha256() -> &'static str {
    SHA256
}

/// The values of a file as JSON, once for each form of a signature; none if there is no such file or its YAML cannot be
/// read.
pub fn documents(path: &str) -> &'static [&'static str] {
    let index = FILES.binary_search_by(|file| file.path.cmp(path)).ok();
    index.and_then(|index| FILES.get(index)).map_or(&[], |file| file.documents)
}

/// The values of a file in one form, or `None` if there is no such file or it is not of that shape.
pub fn document<T: DeserializeOwned>(path: &str) -> Option<T> {
    serde_json::from_str(documents(path).first()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    /// What somebody wrote into the pack is no secret, and a report in which a word of it is masked says less.
    #[test]
    fn no_sentence_of_the_pack_looks_like_a_secret() {
        const SENTENCES: [&str; 16] = [
            "title",
            "summary",
            "claim",
            "do",
            "because",
            "action",
            "confirmed",
            "probable",
            "undecided",
            "resolved",
            "ruled_out",
            "note",
            "by",
            "section",
            // A command of which a part is masked is another command.
            "command",
            "run",
        ];
        fn masked(value: &serde_json::Value, key: &str, found: &mut Vec<String>) {
            match value {
                serde_json::Value::String(text) if SENTENCES.contains(&key) => {
                    // What stands in braces is filled with a name.
                    let text = text.replace(['{', '}'], "");
                    let (after, count) = facts::secrets::mask_text(&text);
                    if count > 0 {
                        found.push(after.into_owned());
                    }
                }
                serde_json::Value::Array(items) => items.iter().for_each(|item| masked(item, key, found)),
                serde_json::Value::Object(fields) => fields.iter().for_each(|(key, value)| masked(value, key, found)),
                _ => {}
            }
        }
        let mut found = Vec::new();
        for (path, _) in files().filter(|(path, _)| path.contains('/') && !path.ends_with(".tests.yaml")) {
            for document in documents(path) {
                masked(&serde_json::from_str(document).unwrap(), "", &mut found);
            }
        }
        assert_eq!(found, Vec::<String>::new());
    }
}
