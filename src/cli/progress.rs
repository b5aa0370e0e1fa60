//! How far the reading is: a line on standard error, only on a terminal and only for work over a second.

use crate::output;
use diagnose::{Input, Progress};
use facts::outside::Outside;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use intake::Source;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

const AFTER: Duration = Duration::from_secs(1);

/// A spinner with the number of bytes and the member that is being read.
#[derive(Debug)]
pub(crate) struct Spinner {
    started: Instant,
    terminal: bool,
    bytes: u64,
    bar: Option<ProgressBar>,
}

/// Says which bundles are pipes: such a run waits as long as their writers do, and would look as if it hung.
fn say_pipes(inputs: &[Input]) {
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
        say_pipes(inputs);
        Self { started: Instant::now(), terminal: std::io::stderr().is_terminal(), bytes: 0, bar: None }
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
            if let Ok(style) = ProgressStyle::with_template("{bytes} read, {bytes_per_sec}: {wide_msg}") {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_message(Outside::name(name).to_string());
            bar.set_position(self.bytes);
        }
    }

    fn bytes(&mut self, count: u64) {
        self.bytes = self.bytes.saturating_add(count);
        if let Some(bar) = &self.bar {
            bar.set_position(self.bytes);
        }
    }
}
