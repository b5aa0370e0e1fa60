//! Kubernetes objects as they were seen: full ones, partial ones, and several sightings of one.
//!
//! Invariants: a full sighting shows every field of the object, so a missing path is *not set*; a partial
//! one shows the paths it lists and nothing else, so any other path is *unknown*. Sightings are never
//! merged into one tree: which sighting gives a field is decided at lookup, and all stay citable.

use crate::kind::KindName;
use crate::node::Node;
use crate::order::Order;
use crate::origin::{Citation, MemberId};
use crate::path::{Path, Step};
use crate::presence::Presence;
use crate::secrets::{Counts, Readers, mask_tree};
use crate::shown_paths::ShownPaths;
use crate::spot::Spot;
use crate::unknown::Unknown;
use crate::until::Until;
use std::sync::Arc;

/// The form an object was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// A JSON document or list item.
    Json,
    /// A YAML document or list item.
    Yaml,
    /// Generic `kubectl describe`: shows every field.
    Describe,
    /// `kubectl describe` of a built-in kind: shows a selection.
    TypedDescribe,
    /// A row of a table.
    Table,
    /// Put together by Casefile from other facts.
    Derived,
}

/// What a sighting shows.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// Every field.
    Everything,
    /// Every field was shown, and those that nobody reads were dropped (`facts::interest`): a value that is
    /// here is true, and one that is missing says nothing.
    Kept,
    /// These paths and what lies below them. A listed path without a value in the tree was shown empty.
    /// `[*]` in a listed path means that the form prints one item for each item of the list, with this field
    /// in each of them: `status.containerStatuses[*].ready`.
    Paths(ShownPaths),
    /// The same of a derived object; those that were put together alike share it.
    Fields(Arc<[Path]>),
    /// The text ends with the object, so that nobody knows what stood behind its last line.
    Until(Box<Until>),
    /// JSON or YAML that no API server wrote: it says what somebody wanted. What it states is known, and nothing
    /// else; inside is what its text shows.
    Manifest(Box<Shown>),
}

impl Shown {
    /// Does the form show whatever the object has at this path?
    pub fn covers(&self, path: &Path) -> bool {
        match self {
            Shown::Everything | Shown::Kept => true,
            Shown::Paths(paths) => covers_by(paths, path),
            Shown::Fields(paths) => covers_by(paths, path),
            Shown::Until(until) => until.covers(path),
            Shown::Manifest(text) => text.covers(path),
        }
    }

    /// Is it a manifest?
    pub fn is_manifest(&self) -> bool {
        matches!(self, Shown::Manifest(_))
    }

    /// Is every field of the object there, but for those that were cut off or dropped?
    pub fn is_whole(&self) -> bool {
        matches!(self, Shown::Everything | Shown::Kept)
    }

    /// What the text shows, taken by itself.
    pub fn text(&self) -> &Shown {
        match self {
            Shown::Manifest(text) => text,
            other => other,
        }
    }
}

/// Do these paths show whatever the object has at this one?
pub(crate) fn covers_by(paths: &[Path], path: &Path) -> bool {
    let covered = |path: &[Step]| paths.iter().any(|shown| covers(&shown.0, path));
    if !covered(&path.0) {
        return false;
    }
    // Items are picked by a field of theirs, so that must be shown too.
    path.0.iter().enumerate().all(|(at, step)| {
        let Step::Pick { field, .. } = step else { return true };
        let mut by = path.0[..at].to_vec();
        let picked = paths.iter().any(|shown| covers(&shown.0, &path.0[..=at]) && !shown.0.contains(&Step::All));
        by.extend([Step::All, Step::Field(field.clone())]);
        picked || shows_pick(paths, &path.0[..=at]) || covered(&by)
    })
}

/// Is a shown path, in which `[*]` stands for every item, a path to this one or to something above it?
fn covers(shown: &[Step], path: &[Step]) -> bool {
    shown.len() <= path.len()
        && shown.iter().zip(path).all(|(a, b)| a.same_as(b) || *a == Step::All && matches!(b, Step::Pick { .. }))
}

/// Does a shown path pick the same item?
fn shows_pick(paths: &[Path], path: &[Step]) -> bool {
    paths.iter().any(|shown| shown.0.len() >= path.len() && shown.0.iter().zip(path).all(|(a, b)| a.same_as(b)))
}

/// The tree of an object, its secret values masked. It can be made and changed only through the mask.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree(Node);

impl Tree {
    /// Masks a tree, with what reads the documents that its values hold; and how many secrets were masked.
    pub fn masked(kind: Option<&KindName>, mut node: Node, readers: &Readers) -> (Self, Counts) {
        let count = mask_tree(kind, &mut node, readers);
        (Self(node), count)
    }

    /// The same for what is put together here, which holds no documents.
    pub fn of(node: Node) -> Self {
        Self::masked(None, node, &Readers::NONE).0
    }

    /// Sets a value below nested maps, masked.
    pub fn set_at(&mut self, keys: &[&str], mut node: Node) {
        mask_tree(None, &mut node, &Readers::NONE);
        self.0.set_at(keys, node);
    }

    /// Changes the tree, which is masked again.
    pub fn edit(&mut self, change: impl FnOnce(&mut Node)) {
        change(&mut self.0);
        mask_tree(None, &mut self.0, &Readers::NONE);
    }

    /// Moves all of it so many lines further down.
    pub(crate) fn move_down(&mut self, by: u32) {
        crate::moved::move_node(&mut self.0, by);
    }

    /// Takes away from the tree. Nothing may be added, so nothing is looked for again.
    pub fn prune(&mut self, take: impl FnOnce(&mut Node)) {
        // Without the readers a document within a text looks like a secret now and then, before and after.
        let looks_secret = |node: &Node| mask_tree(None, &mut node.clone(), &Readers::NONE).total();
        let before = cfg!(debug_assertions).then(|| looks_secret(&self.0));
        take(&mut self.0);
        debug_assert!(before.is_none_or(|before| looks_secret(&self.0) <= before), "something was added unmasked");
    }
}

impl std::ops::Deref for Tree {
    type Target = Node;

    fn deref(&self) -> &Node {
        &self.0
    }
}

impl std::fmt::Display for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// An object as a parser read it, before it is placed in a context and merged.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectRecord {
    /// The kind, if the text or its place says it.
    pub kind: Option<KindName>,
    /// `apiVersion`, if shown.
    pub api_version: Option<String>,
    /// Namespace, if shown.
    pub namespace: Option<String>,
    /// Name; a record without a name is not an object.
    pub name: String,
    /// `metadata.uid`, if shown.
    pub uid: Option<String>,
    /// The form it was read from.
    pub form: Form,
    /// What the form shows.
    pub shown: Shown,
    /// The tree.
    pub node: Tree,
    /// The member it stands in.
    pub member: MemberId,
    /// Line where it starts.
    pub line: u32,
    /// JSON path of the object in its document, such as `items[2]`; empty for a single document.
    pub path: String,
    /// When it was so, but for its own resourceVersion, which stands in the tree.
    pub order: Order,
}

/// One reading of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    pub record: ObjectRecord,
    /// `metadata.resourceVersion` as an integer, if shown.
    pub resource_version: Option<u64>,
}

/// An object by its place in [`crate::store::Facts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

/// A context by its place in [`crate::store::Facts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContextId(pub u32);

/// One object of one context with all its sightings.
#[derive(Debug, Clone, PartialEq)]
pub struct Object {
    /// The cluster it lives in.
    pub context: ContextId,
    pub kind: KindName,
    /// Its namespace; `None` if cluster-scoped or never shown.
    pub namespace: Option<String>,
    pub name: String,
    /// Its UID, if any sighting shows it.
    pub uid: Option<String>,
    /// All sightings, the winning order first.
    pub sightings: Vec<Sighting>,
    /// It could be one of several objects (no namespace or UID shown): never an entity, adds nothing to
    /// the lower bound of a count and one to the upper bound.
    pub shadow: bool,
    /// Whether it is still there.
    pub presence: Presence,
}

impl Object {
    /// Do manifests alone speak of it? Then somebody wanted it, and nobody knows whether it is there.
    pub fn is_manifest(&self) -> bool {
        !self.sightings.is_empty() && self.sightings.iter().all(|sighting| sighting.record.shown.is_manifest())
    }
}

/// What a path of an object says.
#[derive(Debug, Clone, PartialEq)]
pub enum Lookup<'a> {
    /// One or more values (several where the path picks several items), each with its citation.
    Found(Vec<(&'a Node, Spot<'a>)>),
    /// Some item of a list surely has each of these values; other items were not shown, so it says nothing
    /// of what else there is.
    AtLeast(Vec<(&'a Node, Spot<'a>)>),
    /// The object surely has no value there. The citation is what was read to know it.
    NotSet(Spot<'a>),
    /// Shown, but empty or `<none>` in a form that prints the same for "not set" and "empty".
    NotSetOrEmpty(Spot<'a>),
    /// Set, but masked.
    Redacted(Spot<'a>),
    /// No sighting shows it, or sightings disagree.
    Unknown(Unknown),
}

impl<'a> Lookup<'a> {
    /// The same answer with another citation: what a derived field rests on, instead of the derived object.
    #[must_use]
    pub fn cited(self, citation: &'a Citation) -> Self {
        let spot = || Spot::from(citation);
        match self {
            Lookup::Found(values) => Lookup::Found(values.into_iter().map(|(node, _)| (node, spot())).collect()),
            Lookup::AtLeast(values) => Lookup::AtLeast(values.into_iter().map(|(node, _)| (node, spot())).collect()),
            Lookup::NotSet(_) => Lookup::NotSet(spot()),
            Lookup::NotSetOrEmpty(_) => Lookup::NotSetOrEmpty(spot()),
            Lookup::Redacted(_) => Lookup::Redacted(spot()),
            Lookup::Unknown(reason) => Lookup::Unknown(reason),
        }
    }
}
