//! Several StorageClasses that are all marked as the default: `defaultstorageclasses.casefile.dev`, one for a
//! context that has more than one.
//!
//! Why derived: each mark is right by itself, and only their number says that a claim without a class gets one
//! that perhaps nobody meant.
//!
//! Source: `kubernetes/kubernetes:pkg/volume/util/storageclass.go` (both annotations; among several the class
//! that was created last is used, since v1.26).

use crate::deriver::{Deriver, Inputs};
use facts::derived::Derived;
use facts::provenance::Provenance;

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
    let marked = |id| {
        let mark = MARKS.iter().find_map(|path| reader.text(id, path).filter(|read| read.text == "true"))?;
        let created = reader.text(id, "metadata.creationTimestamp").and_then(|read| read.time());
        Some((created, reader.object(id).name.clone(), mark))
    };
    let mut marked: Vec<_> = reader.all(CLASSES).into_iter().filter_map(marked).collect();
    let marks = Provenance::all(marked.iter().map(|(.., mark)| mark.cited.clone()))?;
    marked.sort_by_key(|(created, ..)| std::cmp::Reverse(*created));
    let [newest, second, ..] = marked.as_slice() else { return None };
    let mut made = Derived::new("defaultstorageclasses", None, "default-storage-class");
    made.list("status.classes", marked.iter().map(|(_, name, _)| name.clone()), marks);
    if marked.iter().all(|(created, ..)| created.is_some()) && newest.0 != second.0 {
        made.text("status.newest", &newest.1, &newest.2);
    }
    Some(made)
}
