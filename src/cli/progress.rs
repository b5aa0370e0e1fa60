//! How far the reading is: a line on standard error, only on a terminal and only for work over a second.

use crate::output;
use diagnose::{Input, Progress};
use diagnosis::words;
use facts::outside::Outside;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use intake::Source;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

const AFTER: Duration = Duration::from_secs(1);

/// Cells of the bar.
const CELLS: u64 = 12;
/// Characters of the end of a name: it tells more than the beginning.
const NAME: usize = 48;

/// How much of the bundle was read, and the member that is being read.
#[derive(Debug)]
pub(crate) struct Spinner {
    started: Instant,
    terminal: bool,
    bytes: u64,
    files: u64,
    part: Option<(u64, u64)>,
    bar: Option<ProgressBar>,
}

/// `▕██████░░░░░░▏ 50 %  1,204 files  …/namespaces/openshift-etcd/pods.yaml`; without the size of the whole, what was
/// read of it.
fn line(part: Option<(u64, u64)>, bytes: u64, files: u64, name: &str) -> String {
    let far = match part {
        Some((done, of)) if of > 0 => {
            let full = usize::try_from(done * CELLS / of).unwrap_or_default();
            let rest = usize::try_from(CELLS).unwrap_or_default().saturating_sub(full);
            format!("▕{}{}▏ {:>2} %", "█".repeat(full), "░".repeat(rest), done * 100 / of)
        }
        _ => format!("{} read", words::bytes(bytes)),
    };
    let count = name.chars().count();
    let end: String = name.chars().skip(count.saturating_sub(NAME)).collect();
    let end = if count > NAME { format!("…{end}") } else { end };
    format!("{far}  {}  {end}", words::count(files, "file", "files"))
}

/// Says what a run waits for, which would look as if it hung: somebody who types, or the writers of pipes.
fn say_waits(inputs: &[Input]) {
    if inputs.iter().any(|input| matches!(input.source, Source::Stdin)) && std::io::stdin().is_terminal() {
        output::message("paste a ticket, a log or what kubectl printed, then press Ctrl-D on a line of its own");
    }
    #[cfg(unix)]
    for input in inputs {
        use std::os::unix::fs::FileTypeExt;
        let Source::Path(path) = &input.source else { continue };
        if std::fs::metadata(path).is_ok_and(|meta| meta.file_type().is_fifo()) {
            output::message(&format!("reading from a pipe: {}", Outside::name(&path.to_string_lossy())));
        }
    }
    let _ = inputs;
}

impl Spinner {
    /// A spinner that is not shown yet, for the reading of these bundles.
    pub(crate) fn new(inputs: &[Input]) -> Self {
        say_waits(inputs);
        Self {
            started: Instant::now(),
            terminal: std::io::stderr().is_terminal(),
            bytes: 0,
            files: 0,
            part: None,
            bar: None,
        }
    }

    /// Takes it off the terminal.
    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Spinner {
    fn member(&mut self, name: &str) {
        if self.bar.is_none() && self.terminal && self.started.elapsed() >= AFTER {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        self.files += 1;
        if let Some(bar) = &self.bar {
            bar.set_message(line(self.part, self.bytes, self.files, Outside::name(name).as_str()));
        }
    }

    fn part(&mut self, done: u64, of: u64) {
        self.part = Some((done, of));
    }

    fn bytes(&mut self, count: u64) {
        self.bytes = self.bytes.saturating_add(count);
    }
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn the_line_says_how_far_it_is_and_ends_with_the_name() {
        assert_eq!(line(Some((46, 100)), 0, 1_204, "a/b.log"), "▕█████░░░░░░░▏ 46 %  1,204 files  a/b.log");
        assert_eq!(line(None, 2_048, 1, "b.log"), "2.0 KiB read  1 file  b.log");
        let long = format!("{}/pods.yaml", "x".repeat(60));
        assert!(line(Some((1, 1)), 0, 2, &long).ends_with("x/pods.yaml") && line(None, 0, 2, &long).contains('…'));
        assert_eq!(line(Some((0, 0)), 0, 1, "a"), "0 B read  1 file  a");
    }
}
