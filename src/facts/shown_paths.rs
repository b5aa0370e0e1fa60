//! The paths that a form shows of an object, shared by the objects that show the same ones.
//!
//! Why: a description of a Pod shows some seventy paths, and fifty thousand descriptions show the same seventy. What is
//! equal is held once.
//!
//! Invariant: sharing is not seen: two are equal if their paths are, shared or not, and a change of one changes no other.

use crate::object::Shown;
use crate::path::Path;
use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::Arc;

/// Paths, in the order in which they were noted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct ShownPaths(Arc<Vec<Path>>);

impl ShownPaths {
    /// Adds one at the end; who shared these paths keeps them without it.
    pub fn push(&mut self, path: Path) {
        Arc::make_mut(&mut self.0).push(path);
    }
}

impl Deref for ShownPaths {
    type Target = [Path];

    fn deref(&self) -> &[Path] {
        &self.0
    }
}

impl From<Vec<Path>> for ShownPaths {
    fn from(paths: Vec<Path>) -> Self {
        Self(Arc::new(paths))
    }
}

impl FromIterator<Path> for ShownPaths {
    fn from_iter<I: IntoIterator<Item = Path>>(paths: I) -> Self {
        Self(Arc::new(paths.into_iter().collect()))
    }
}

impl Extend<Path> for ShownPaths {
    fn extend<I: IntoIterator<Item = Path>>(&mut self, paths: I) {
        Arc::make_mut(&mut self.0).extend(paths);
    }
}

/// Those that were met so far.
#[derive(Debug, Default)]
pub struct PathPool(BTreeSet<ShownPaths>);

impl PathPool {
    /// Lets what an object shows share its paths with an earlier one that shows the same.
    pub fn share(&mut self, shown: &mut Shown) {
        let paths = match shown {
            Shown::Paths(paths) => paths,
            Shown::Manifest(text) => return self.share(text),
            _ => return,
        };
        match self.0.get(paths) {
            Some(met) => *paths = met.clone(),
            None => {
                self.0.insert(paths.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partial::dotted;

    fn shown(paths: &[&str]) -> Shown {
        Shown::Paths(paths.iter().map(|path| dotted(path)).collect())
    }

    #[test]
    fn equal_paths_are_held_once_and_changed_apart() {
        let mut pool = PathPool::default();
        let (mut one, mut two) = (shown(&["spec", "status"]), shown(&["spec", "status"]));
        pool.share(&mut one);
        pool.share(&mut two);
        let (Shown::Paths(first), Shown::Paths(second)) = (&one, &mut two) else { panic!("paths stay paths") };
        assert!(Arc::ptr_eq(&first.0, &second.0));
        second.push(dotted("metadata"));
        assert_eq!((first.len(), second.len()), (2, 3));
    }
}
