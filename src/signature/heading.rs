//! What signatures are called, for whoever looks for one: read without compiling any of them.
//!
//! Why: to explain one signature, the other three hundred need not be compiled.
//!
//! Invariant: the headings of the embedded signatures are those of the loaded library; a test holds it.

use crate::model::Signature;
use crate::pack::Pack;
use catalogue::built_in;
use serde::Deserialize;

/// What one signature is called.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct Heading {
    pub id: String,
    /// Its short name with dashes.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// Other names people know it by.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Path of its file inside its pack.
    #[serde(skip)]
    pub file: String,
}

impl From<&Signature> for Heading {
    fn from(signature: &Signature) -> Self {
        let Signature { id, name, title, aliases, file, .. } = signature;
        Self { id: id.clone(), name: name.clone(), title: title.clone(), aliases: aliases.clone(), file: file.clone() }
    }
}

/// The headings of all signatures that are embedded in the binary, sorted by id; `None` if one of them cannot be read
/// so: loading the library then tells why.
pub fn built_in() -> Option<Vec<Heading>> {
    let mut all = Vec::new();
    for (path, _) in Pack::built_in().signatures() {
        let documents = built_in::documents(path);
        if documents.is_empty() {
            return None;
        }
        for document in documents {
            let mut heading: Heading = serde_json::from_str(document).ok()?;
            heading.title = heading.title.trim().to_owned();
            heading.aliases.retain(|alias| !alias.is_empty());
            path.clone_into(&mut heading.file);
            all.push(heading);
        }
    }
    all.sort();
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::Library;

    #[test]
    fn headings_are_those_of_the_library_and_lead_to_it() {
        let library = Library::built_in().unwrap();
        let headings = built_in().unwrap();
        assert_eq!(headings, library.signatures.iter().map(Heading::from).collect::<Vec<_>>());
        let heading = headings.iter().find(|heading| heading.id == "CF-2001").unwrap();
        let alone = Library::built_in_file(&heading.file).unwrap();
        let shown = |library: &Library| format!("{:?}", library.get("CF-2001"));
        assert_eq!(shown(&alone), shown(&library));
        assert!(alone.signatures.len() < library.signatures.len());
    }
}
