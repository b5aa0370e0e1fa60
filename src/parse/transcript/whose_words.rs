//! Whose words lines of no known form are: a program's, or somebody's own.
//!
//! Why apart: prose is never evidence, and programs say sentences as well; where a text shows both, only what stands around a
//! line tells.
//!
//! Invariant: where nothing tells, the words are somebody's own.

use super::Reader;
use crate::fragment;
use crate::transcript::cut::Part;
use crate::transcript::{cut, dialect, prompt, shell, stretch, title};
use catalogue::words;
use facts::record::Command;
use facts::unread::WhyUnread;

impl Reader<'_> {
    /// Is a line that nothing reads somebody's own words, and no value of those that a filter printed, nor a mark for what was
    /// left out?
    pub(super) fn is_prose(&self, at: usize, command: Option<&Command>) -> bool {
        let line = self.lines.get(at).copied().unwrap_or_default();
        !command.is_some_and(|command| fragment::is_picked(line, command))
            && !cut::introduces(line)
            && !stretch::is_elision(line)
    }

    /// Why an output is not taken for what a program said on this cluster, if it is not.
    pub(super) fn doubted(&self, at: usize, asked: bool) -> Option<WhyUnread> {
        if self.is_sample(at) {
            return Some(WhyUnread::Sample);
        }
        (self.is_guide && !asked).then_some(WhyUnread::InGuide)
    }

    /// Are lines of no known form what a program said? Those behind a command that prints a log are, and those in a
    /// fence that shows no code.
    pub(super) fn speaks(&self, part: &Part, asked: bool) -> bool {
        let log = asked && part.shell.as_ref().is_some_and(|shell| shell.is_log() && !shell.redirected);
        log || part.fenced && part.shell.is_none() && !words::is_code(&part.language)
    }

    /// Where lines end that a program wrote with a level and without a time, in prose: `[ERROR] plugin/errors: 2 …`. One
    /// alone may be a quotation.
    pub(super) fn levelled(&self, part: &Part, at: usize) -> Option<usize> {
        if part.fenced || part.shell.is_some() || self.is_guide || self.is_sample(at) {
            return None;
        }
        let rest = self.lines.get(at..part.follows.end)?;
        let count = rest.iter().take_while(|line| stretch::is_levelled(line)).count();
        (count > 1).then_some(at + count)
    }

    /// Where the log ends of which a program said these lines: at one of another form, at a sentence, or at a fence. A trace
    /// stands between lines with a time, and what a program says last may be behind it. Programs say sentences as well: one between
    /// two lines of theirs, or one set in as far as the command is, is none of who pasted it.
    pub(super) fn said(&self, part: &Part, from: usize, command: Option<&Command>) -> usize {
        let end = part.follows.end;
        let indent = |line: &str| line.len() - line.trim_start().len();
        let typed = self.lines.get(part.typed.start).map_or(0, |line| indent(line));
        let set_in = |line: &str| part.shell.is_some() && typed > 1 && indent(line) >= typed;
        let plain = |at: usize| {
            self.lines.get(at).is_some_and(|line| !line.trim().is_empty() && !stretch::is_sentence(line)) && at < end
        };
        let between = |at: usize| part.shell.is_some() && at > from && plain(at - 1) && plain(at + 1);
        let known = |at: &usize| {
            let line = self.lines[*at];
            !stretch::is_log(line)
                && (dialect::fence(line).is_some()
                    || stretch::is_sentence(line) && !set_in(line) && !between(*at)
                    || title::is_one(&self.lines[..end], *at)
                    || catalogue::tools::line(line, None).is_some()
                    || stretch::first(&self.lines[*at..end], command, false).is_some())
        };
        (from + 1..end).find(known).unwrap_or(end)
    }

    /// Does the prose above say that what follows is an example?
    pub(super) fn is_sample(&self, at: usize) -> bool {
        let above = self.lines[..at].iter().rev().take(8);
        let prose = above.filter(|line| !line.trim().is_empty() && dialect::fence(line).is_none());
        let mut prose = prose.filter(|line| prompt::read(line).and_then(|found| shell::read(found.command)).is_none());
        prose.next().is_some_and(|line| words::announces_sample(line))
    }
}
