//! The memory that names of entries take: a bundle of a stranger has a million of them, of three thousand bytes each.
//!
//! Invariants: what fits depends on the names in the order of the bundle alone; long names never take the room of all, so
//! that what stands behind a flood of them is still read.

use crate::Limits;

/// What a member takes besides its name: a row of the list of members, its hash, its content.
const MEMBER: u64 = 1_300;
/// What an entry that is no member takes besides its name.
const ENTRY: u64 = 400;
/// How often a name is held: as it is, as it may be shown, in look-up tables and rows of a report.
const COPIES: u64 = 5;
/// The longest name of one file. Longer ones may take three quarters of the room.
const LONG: usize = 255;

/// The room that is left for names.
#[derive(Debug)]
pub(crate) struct Names {
    room: u64,
    /// Of it, what long names must leave.
    spared: u64,
    /// Entries that found none.
    beyond: u64,
}

impl Names {
    pub(crate) fn new(limits: &Limits) -> Self {
        let room = limits.memory_of_names();
        Self { room, spared: room / 4, beyond: 0 }
    }

    /// Is there room for a member? Takes it.
    pub(crate) fn member(&mut self, name: &str) -> bool {
        self.take(name.len(), MEMBER)
    }

    /// Is there room for an entry that is listed only? Takes it.
    pub(crate) fn entry(&mut self, bytes: usize) -> bool {
        self.take(bytes, ENTRY)
    }

    /// Entries that found no room.
    pub(crate) fn beyond(&self) -> u64 {
        self.beyond
    }

    fn take(&mut self, bytes: usize, own: u64) -> bool {
        let wanted = own + COPIES * bytes as u64;
        let left = if bytes > LONG { self.room.saturating_sub(self.spared) } else { self.room };
        if wanted > left {
            self.beyond += 1;
            return false;
        }
        self.room -= wanted;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_leave_room_for_short_ones() {
        let mut names = Names::new(&Limits { memory: 4 << 20, ..Limits::default() });
        let long = "x".repeat(3_000);
        let fit = (0..1_000).filter(|_| names.member(&long)).count();
        assert!((10..100).contains(&fit), "{fit}");
        assert!(names.member("pods.yaml"));
        assert_eq!(names.beyond(), 1_000 - fit as u64);
    }
}
