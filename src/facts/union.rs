//! Sets that grow together: which of many small indexes belong to one another.
//!
//! Invariant: an index is below the count that the sets were made for.

/// Indexes in sets.
#[derive(Debug)]
pub struct Union(Vec<usize>);

impl Union {
    /// So many indexes, each in a set of its own.
    pub fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// The smallest index of the set of an index.
    pub fn root(&mut self, mut index: usize) -> usize {
        while self.0[index] != index {
            self.0[index] = self.0[self.0[index]];
            index = self.0[index];
        }
        index
    }

    /// Puts the sets of two indexes together.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}
