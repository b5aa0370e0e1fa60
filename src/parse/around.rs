//! The lines round a line that hit, so that a reader of a report sees in what a proof stands.
//!
//! Why not of every hit: a report quotes the first places of a piece of evidence, or the latest ones. So the lines round
//! the first hits of each literal are kept, and those round its last ones; all others would only take memory.
//!
//! Invariants: what is kept is bounded for each literal, whatever the log; how the log is cut into chunks does not show.

use crate::pairs;
use facts::log::{Around, LiteralId};
use facts::outside::Outside;
use facts::secrets::Counts;
use std::collections::{BTreeMap, VecDeque};

/// Lines before a hit, and as many after it.
pub(crate) const LINES: usize = 2;
/// Hits of a literal at each end of a log whose surroundings are kept.
const HITS: usize = 4;
/// Bytes of a line.
const BYTES: usize = 240;

/// The lines that passed last, the newest at the end.
#[derive(Debug, Default)]
pub(crate) struct Passed([Vec<u8>; LINES]);

impl Passed {
    /// The lines, as far as there are some.
    pub(crate) fn lines(&self) -> [&[u8]; LINES] {
        self.0.each_ref().map(Vec::as_slice)
    }

    /// Keeps lines beyond the text that they stand in.
    pub(crate) fn keep(&mut self, lines: [&[u8]; LINES]) {
        // What stands in the text is never longer than it; what was kept before may be the same.
        self.0 = lines.map(|line| shown(line).to_vec());
    }
}

fn shown(line: &[u8]) -> &[u8] {
    &line[..line.len().min(BYTES)]
}

/// The surroundings of one hit, as they stood.
#[derive(Debug, Default)]
struct Raw {
    before: Vec<Box<[u8]>>,
    after: Vec<Box<[u8]>>,
    /// For how many literals it is kept.
    wanted: usize,
}

/// The surroundings of the hits of one log.
#[derive(Debug, Default)]
pub(crate) struct Arounds {
    /// By the line of the hit.
    kept: BTreeMap<u32, Raw>,
    first: BTreeMap<LiteralId, usize>,
    last: BTreeMap<LiteralId, VecDeque<u32>>,
    /// Hits that still wait for lines after them, and for how many.
    open: Vec<(u32, usize)>,
}

impl Arounds {
    /// A line that stands after hits.
    pub(crate) fn follow(&mut self, line: &[u8]) {
        if self.open.is_empty() || line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        for (hit, left) in &mut self.open {
            *left -= 1;
            if let Some(raw) = self.kept.get_mut(hit) {
                raw.after.push(shown(line).into());
            }
        }
        self.open.retain(|(_, left)| *left > 0);
    }

    /// A hit, with the lines before it.
    pub(crate) fn hit(&mut self, number: u32, literals: &[LiteralId], before: [&[u8]; LINES]) {
        let mut wanted = 0;
        for literal in literals {
            let first = self.first.entry(*literal).or_default();
            wanted += 1;
            if *first < HITS {
                *first += 1;
                continue;
            }
            let ring = self.last.entry(*literal).or_default();
            ring.push_back(number);
            if ring.len() > HITS
                && let Some(old) = ring.pop_front()
            {
                release(&mut self.kept, old);
            }
        }
        let before = before.into_iter().filter(|line| !line.iter().all(u8::is_ascii_whitespace));
        let before = before.map(|line| shown(line).into()).collect();
        self.kept.insert(number, Raw { before, after: Vec::new(), wanted });
        self.open.push((number, LINES));
    }

    /// The surroundings by the line of the hit, masked, and how many secrets were in them.
    pub(crate) fn finish(self) -> (BTreeMap<u32, Around>, Counts) {
        let mut masked = Counts::NONE;
        let mut shown = |lines: Vec<Box<[u8]>>| -> Vec<Outside> {
            let one = |line: Box<[u8]>| {
                let (text, count) = Outside::counted(&pairs::readable(&line).replace('\0', "\u{fffd}"));
                masked += count;
                text
            };
            lines.into_iter().map(one).collect()
        };
        let mut all = BTreeMap::new();
        for (line, raw) in self.kept {
            let around = Around { before: shown(raw.before), after: shown(raw.after) };
            all.insert(line, around);
        }
        (all, masked)
    }
}

/// One literal less wants the surroundings of this hit.
fn release(kept: &mut BTreeMap<u32, Raw>, number: u32) {
    let Some(raw) = kept.get_mut(&number) else { return };
    raw.wanted -= 1;
    if raw.wanted == 0 {
        kept.remove(&number);
    }
}

#[cfg(test)]
mod tests {
    use crate::scan::{Literals, scan};
    use facts::log::ScannedLog;
    use facts::origin::MemberId;
    use intake::Limits;
    use std::io::Read;

    /// Gives a few bytes at a time.
    struct Drops<'a>(&'a [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            let (now, later) = self.0.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    fn read(log: &str, drop: usize) -> ScannedLog {
        let literals = Literals::new(["no space left".to_owned()]);
        scan(MemberId(0), Drops(log.as_bytes(), drop), &literals, &Limits::default())
    }

    fn shown(log: &ScannedLog) -> Vec<(u32, Vec<&str>, Vec<&str>)> {
        log.hits
            .iter()
            .filter_map(|hit| {
                let around = hit.around.as_ref()?;
                let before = around.before.iter().map(|line| line.as_str()).collect();
                Some((hit.line, before, around.after.iter().map(|line| line.as_str()).collect()))
            })
            .collect()
    }

    #[test]
    fn two_lines_stand_before_a_hit_and_two_after_it_however_it_is_read() {
        let log = "a\nb password=hunter2\nc\nwrite: no space left\nd\n\ne\nf\nwrite: no space left\n";
        let whole = read(log, 1 << 20);
        assert_eq!(
            shown(&whole),
            [(4, vec!["b password=[redacted]", "c"], vec!["d", "e"]), (9, vec!["e", "f"], vec![]),]
        );
        for drop in 1..12 {
            assert_eq!(shown(&read(log, drop)), shown(&whole), "{drop} bytes at a time");
        }
    }

    #[test]
    fn of_a_storm_the_first_and_the_last_have_surroundings() {
        let log: String = (0..100).map(|number| format!("before {number}\nno space left {number}\n")).collect();
        let log = read(&log, 4_096);
        let lines: Vec<u32> = shown(&log).iter().map(|(line, ..)| *line).collect();
        assert_eq!(lines, [2, 4, 6, 8, 194, 196, 198, 200]);
    }
}
