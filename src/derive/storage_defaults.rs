//! Several StorageClasses that are all marked as the default: `defaultstorageclasses.casefile.dev`, one for a
//! context that has more than one.
//!
//! Why derived: each mark is right by itself, and only their number says that a claim without a class gets one
//! that perhaps nobody meant.
//!
//! Source: `kubernetes/kubernetes:pkg/volume/util/storageclass.go` (both annotations; among several the class
//! that was created last is used, since v1.26).

use crate::deriver::{Deriver, Inputs};
use crate::reader::Read;
use facts::derived::Derived;
use facts::provenance::Provenance;
use jiff::Timestamp;

const CLASSES: &str = "storageclasses.storage.k8s.io";

const MARKS: [&str; 2] = [
    "metadata.annotations[\"storageclass.kubernetes.io/is-default-class\"]",
    "metadata.annotations[\"storageclass.beta.kubernetes.io/is-default-class\"]",
];

pub(crate) const DERIVER: Deriver = Deriver {
    makes: &["defaultstorageclasses"],
    statements: &[],
    derive: |inputs| derive(inputs).into_iter().collect(),
};

/// The object, if more than one class is marked.
fn derive(inputs: &Inputs<'_>) -> Option<Derived> {
    let reader = inputs.reader;
    let mut marked: Vec<(String, Option<Timestamp>, Read)> = Vec::new();
    for id in reader.all(CLASSES) {
        let mark = MARKS.iter().find_map(|path| reader.text(id, path).filter(|read| read.text == "true"));
        if let Some(mark) = mark {
            let created = reader.text(id, "metadata.creationTimestamp").and_then(|read| read.text.parse().ok());
            marked.push((reader.object(id).name.clone(), created, mark));
        }
    }
    if marked.len() < 2 {
        return None;
    }
    let mut made = Derived::new("defaultstorageclasses", None, "default-storage-class");
    let marks = Provenance::all(marked.iter().map(|(_, _, mark)| mark.cited.clone()))?;
    made.list("status.classes", marked.iter().map(|(name, _, _)| name.clone()), marks);
    if marked.iter().all(|(_, created, _)| created.is_some()) {
        marked.sort_by_key(|(_, created, _)| std::cmp::Reverse(*created));
        if let [newest, second, ..] = marked.as_slice()
            && newest.1 != second.1
        {
            made.text("status.newest", &newest.0, &newest.2);
        }
    }
    Some(made)
}
