//! Keeps apart the lines of each machine whose journal a file holds.
//!
//! Why: must-gather writes the journals of all masters into one file, one behind the other or sorted into
//! each other. Read as one log, the last word of one machine would be the word of all of them.
//!
//! Invariants: a line that names no machine (a continuation, `-- Logs begin at`, `-- Reboot --`) belongs to
//! the one before it; the lines of one machine keep their order and numbers; the number of machines is
//! bounded, and lines beyond it stay with the machine before them.

use crate::continuation::Trace;
use crate::hits::Hits;
use crate::tallying::Tallying;
use facts::log::ScannedLog;
use facts::origin::MemberId;
use facts::secrets::Counts;

/// Machines of one file; clusters have fewer masters, and a file of all nodes is read in this many pieces.
const MACHINES: usize = 256;

/// What was read of one machine so far.
#[derive(Debug, Default)]
pub struct Machine {
    host: Box<[u8]>,
    /// The lines that hit.
    pub hits: Hits,
    /// Counts of all lines.
    pub tally: Tallying,
    /// What the lines before were part of.
    pub trace: Trace,
}

impl Machine {
    fn finish(self, member: MemberId) -> ScannedLog {
        let newest_first = self.tally.newest_first();
        let (mut hits, hits_beyond, masked) = self.hits.finish(member);
        if newest_first {
            hits.reverse();
        }
        let (mut tally, masked_templates) = self.tally.finish();
        tally.hits_beyond = hits_beyond;
        let host = (!self.host.is_empty()).then(|| String::from_utf8_lossy(&self.host).into());
        let redactions = masked + masked_templates;
        ScannedLog { hits, tally, redactions, host, ..ScannedLog::default() }
    }
}

/// The machines of one file.
#[derive(Debug, Default)]
pub struct Machines {
    first: Machine,
    others: Vec<Machine>,
    /// 0 is the first, 1 the first of the others.
    current: usize,
    before: usize,
    /// Of the file.
    bytes: u64,
}

impl Machines {
    /// A line names this machine, or none (empty). True if it is another one than before.
    pub(crate) fn turn_to(&mut self, host: &[u8]) -> bool {
        if host.is_empty() || *self.at(self.current).host == *host {
            return false;
        }
        if self.first.host.is_empty() {
            // What stands before the first name belongs to it: the header of its journal.
            self.first.host = host.into();
            return false;
        }
        let known = if *self.first.host == *host {
            Some(0)
        } else {
            self.others.iter().position(|machine| *machine.host == *host).map(|at| at + 1)
        };
        let index = match known {
            Some(index) => index,
            None if self.others.len() + 1 >= MACHINES => return false,
            None => {
                self.others.push(Machine { host: host.into(), ..Machine::default() });
                self.others.len()
            }
        };
        (self.before, self.current) = (self.current, index);
        true
    }

    /// So many bytes of the file were read; whose they are is not told apart.
    pub fn bytes(&mut self, count: usize) {
        self.bytes = self.bytes.saturating_add(count as u64);
    }

    fn at(&mut self, index: usize) -> &mut Machine {
        match index.checked_sub(1).and_then(|at| self.others.get_mut(at)) {
            Some(machine) => machine,
            None => &mut self.first,
        }
    }

    /// The machine of the line that is read.
    pub fn current(&mut self) -> &mut Machine {
        self.at(self.current)
    }

    /// The machine before the last turn.
    pub fn before(&mut self) -> &mut Machine {
        self.at(self.before)
    }

    /// The log of the first machine by name, with those of the others. The bytes of the file are said there alone.
    pub fn finish(self, member: MemberId) -> ScannedLog {
        let bytes = self.bytes;
        let mut all: Vec<Machine> = std::iter::once(self.first).chain(self.others).collect();
        all.sort_by(|a, b| a.host.cmp(&b.host));
        let mut all = all.into_iter().map(|machine| machine.finish(member));
        let mut log = all.next().unwrap_or_default();
        log.tally.bytes = bytes;
        log.others = all.collect();
        // What was masked is said of the file.
        log.redactions += log.others.iter_mut().map(|other| std::mem::take(&mut other.redactions)).sum::<Counts>();
        log
    }
}
