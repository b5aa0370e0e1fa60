//! The last words of a program: the line in which it says why it cannot go on.
//!
//! Why not the last line: behind it stand a stack trace, the usage of a command, or what a program says while it shuts
//! down. So the end of a log is read backwards, past such lines (`beside-last-words` in `patterns/wordings.yaml`), up to
//! the first that means anything else; if that is one that programs end with (`last-words`), it is it. Of a dump of
//! goroutines, which may be thousands of lines long, the head is remembered as it passes.
//!
//! Invariants: a log that goes on with something else has no last words; nor has one that ends since somebody asked the
//! program to stop. What is remembered is bounded, and a line that passes costs no more than being pointed at.

use crate::glance::Glance;
use crate::{line, pairs, said};
use catalogue::sources::Sources;
use catalogue::wordings;
use facts::in_short::in_short;
use facts::log::{LastWords, Level, LineFields, PLAIN, UnitWord};
use facts::outside::Outside;
use std::collections::VecDeque;

/// Lines of the end of a log that are looked at.
const TAIL: usize = 40;
/// Lines of no known meaning that may stand behind the last words.
const OTHERS: usize = 2;
/// Lines of the end among which the reason of an end is looked for.
const REASON: usize = 16;
/// The class of a line that only stands above its text.
const HEADING: &str = "heading";
/// Before the exception that another was thrown for, in a trace of the JDK.
const CAUSE: &str = "Caused by: ";
/// What is written so many seconds later is no part of an end.
const GOES_ON: i64 = 10;
/// The program that starts units, in a journal.
const SYSTEMD: &str = "systemd";
/// After so many starts a unit ends whenever it is started.
const STARTS: u64 = 5;
/// How programs mark their errors: behind it stands what a child printed, wherever its parent put it.
const ERRORS: [&str; 6] = ["ERROR: ", "FATAL: ", "CRITICAL: ", "fatal: ", "error: ", "Error: "];
/// A warning of so many seconds before the last words, or fewer, is of what they sum up.
const TRIED: i64 = 30;
/// Characters of what a program said.
const SAID: usize = 240;

/// The last lines of a text while it is gone through.
#[derive(Debug)]
pub(crate) struct Ending<'t> {
    lines: [(u32, &'t [u8]); TAIL],
    /// Lines that were pushed.
    count: usize,
}

impl Default for Ending<'_> {
    fn default() -> Self {
        Self { lines: [(0, b""); TAIL], count: 0 }
    }
}

impl<'t> Ending<'t> {
    /// A line with something in it.
    pub(crate) fn push(&mut self, number: u32, line: &'t [u8]) {
        if let Some(slot) = self.lines.get_mut(self.count % TAIL) {
            *slot = (number, line);
        }
        self.count += 1;
    }

    /// The lines in their order, of which none is left.
    fn take(&mut self) -> impl Iterator<Item = (u32, &'t [u8])> + '_ {
        let count = std::mem::take(&mut self.count);
        (count.saturating_sub(TAIL)..count).filter_map(|at| self.lines.get(at % TAIL).copied())
    }
}

/// The end of a log, as far as it was read.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    lines: VecDeque<(u32, Vec<u8>)>,
    /// The head of a dump that nothing else has followed so far.
    dump: Option<(u32, Vec<u8>)>,
}

impl Tail {
    /// Takes the last lines of a text, of each so many bytes.
    pub(crate) fn take(&mut self, ending: &mut Ending<'_>, most: usize) {
        for (number, line) in ending.take() {
            let used = if self.lines.len() == TAIL { self.lines.pop_front() } else { None };
            let mut text = used.map(|(_, text)| text).unwrap_or_default();
            text.clear();
            text.extend(line.iter().take(most));
            self.lines.push_back((number, text));
        }
    }

    /// A line passes.
    pub(crate) fn passes(&mut self, number: u32, text: &[u8], seen: &Glance<'_>) {
        let begins = |head: &[u8]| seen.message.starts_with(head);
        if seen.level == Level::Fatal && begins(b"panic: ") || begins(b"fatal error: ") {
            // `panic: a [recovered]` is followed by a line with a tab, and both are one dump.
            self.dump.get_or_insert_with(|| (number, text.to_vec()));
        } else if self.dump.is_some() && !is_of_dump(seen) {
            self.dump = None;
        }
    }

    /// The last line with something in it.
    pub(crate) fn last(&self) -> Option<(u32, &[u8])> {
        self.lines.back().map(|(number, text)| (*number, text.as_slice()))
    }

    /// The last words, if there are any, with what systemd says behind them.
    pub(crate) fn last_words(&self) -> Option<LastWords> {
        let mut words = self.words().filter(|words| !self.goes_on_after(words))?;
        words.unit = self.unit(&words);
        Some(words)
    }

    /// The same error as that of the last words, in a line just above that names what it is about.
    fn named_above(&self, at: usize, spoken: &Spoken, class: &'static str) -> Option<LastWords> {
        let error = said::error(&spoken.fields).filter(|_| said::names(&spoken.fields).is_none())?;
        let mut above = self.lines.iter().take(at).rev().take(REASON).map(|(number, text)| Spoken::of(*number, text));
        above.find_map(|other| {
            let is_error = matches!(other.fields.level, Level::Error | Level::Fatal);
            let same = is_error && said::error(&other.fields) == Some(error);
            let near = match (other.fields.time, spoken.fields.time) {
                (Some(before), Some(after)) => after.seconds_after(before).is_some_and(|apart| apart < GOES_ON),
                _ => true,
            };
            let named = said::names(&other.fields).filter(|_| same && near)?;
            let mut words = other.words(class);
            words.said = Outside::from(format!("{} ({named})", words.said)).shortened_inside(SAID);
            Some(words)
        })
    }

    /// Last words that only sum up what did not work out, with the error of the nearest warning above that says why.
    fn with_its_cause(&self, at: usize, mut words: LastWords) -> LastWords {
        let sums_up = |said: &str| wordings::first("sums-up", said).is_some();
        if !sums_up(&words.said) {
            return words;
        }
        let above = self.lines.iter().take(at).rev().take(REASON);
        let cause = above.map(|(number, text)| Spoken::of(*number, text)).find_map(|other| {
            let told = matches!(other.fields.level, Level::Warn | Level::Error);
            let near = match (other.fields.time, words.time) {
                // A client of another library writes its times in another way.
                (Some(before), Some(after)) => after.seconds_after(before).is_none_or(|apart| apart < TRIED),
                _ => false,
            };
            let why = wordings::first("why-ended", &other.text).map(|why| why.class.as_str());
            let error = said::error(&other.fields).or(why.is_some().then_some(other.fields.message.as_str()))?;
            let cause = in_short(error);
            (told && near && !sums_up(&cause) && !words.said.contains(&cause)).then_some((cause, why))
        });
        if let Some((cause, why)) = cause {
            let cause = Outside::unknown(&cause).0;
            words.said = Outside::from(format!("{}: {cause}", words.said)).shortened_inside(SAID);
            words.why = why.or(words.why);
        }
        words
    }

    fn words(&self) -> Option<LastWords> {
        if let Some((number, text)) = &self.dump {
            return Some(Spoken::of(*number, text).words("panic"));
        }
        let mut others = 0;
        let mut below: Option<Spoken> = None;
        let mut ended: Option<String> = None;
        for (at, (number, text)) in self.lines.iter().enumerate().rev() {
            let spoken = Spoken::of(*number, text);
            if line::program(&spoken.text).is_some_and(|by| by == SYSTEMD) {
                ended = failed_unit(&spoken.own).or(ended);
            } else if let Some(unit) = ended.take()
                && matches!(spoken.role(), Role::Other)
                && line::program(&spoken.text).is_some_and(|program| is_of_unit(&program, &unit))
            {
                // Whatever it said last, it ended with an error right behind it.
                return Some(spoken.words("error"));
            }
            match spoken.role() {
                Role::Last(HEADING) => {
                    let behind = self.lines.iter().skip(at + 1).map(|(number, text)| Spoken::of(*number, text));
                    return headed(&behind.collect::<Vec<_>>()).or_else(|| Some(spoken.words(HEADING)));
                }
                Role::Last(class) => {
                    if let Some(named) = self.named_above(at, &spoken, class) {
                        return Some(named);
                    }
                    let mut words = spoken.words(class);
                    if words.why.is_none() && wraps_a_child(&words.said) {
                        return Some(self.of_child(at).unwrap_or(words));
                    }
                    // Rust says where on one line, and what on the next.
                    if let Some(below) = below.filter(|_| words.said.ends_with(':')) {
                        let below = below.words(class);
                        words.said = Outside::from(format!("{} {}", words.said, below.said)).shortened_inside(SAID);
                        words.why = words.why.or(below.why);
                    }
                    return Some(self.with_its_cause(at, words));
                }
                Role::Beside => {}
                Role::Other if others < OTHERS => {
                    others += 1;
                    below = Some(spoken);
                }
                Role::Other | Role::GoesOn => return None,
            }
        }
        None
    }

    /// Does the program say something of no known meaning much later? Its runtime or its journal tells when.
    fn goes_on_after(&self, words: &LastWords) -> bool {
        let Some(time) = words.time else { return false };
        self.lines.iter().filter(|(number, _)| *number > words.line).any(|(number, line)| {
            let spoken = Spoken::of(*number, line);
            matches!(spoken.role(), Role::Other)
                && line::program(&spoken.text).is_none_or(|by| by != SYSTEMD)
                && spoken.fields.time.and_then(|later| later.seconds_after(time)).is_some_and(|after| after >= GOES_ON)
        })
    }

    /// What systemd says behind the last words of the unit whose program wrote them.
    fn unit(&self, words: &LastWords) -> Option<UnitWord> {
        let program = line::program(&words.text)?;
        let behind = self.lines.iter().filter(|(number, _)| *number > words.line);
        let mut last: Option<UnitWord> = None;
        let mut keeps_ending = false;
        for (number, line) in behind {
            let text = pairs::readable(line);
            if line::program(&text).is_none_or(|by| by != SYSTEMD) {
                continue;
            }
            let own = line::own(&text);
            let said = wordings::first("said-of-unit", &own).map(|said| said.class.as_str());
            let started = said == Some("started");
            if let Some(word) = last.as_mut().filter(|_| started) {
                word.is_down = keeps_ending;
            }
            let unit = named_unit(&own).filter(|unit| said == Some("ended") && is_of_unit(&program, unit));
            if let Some(unit) = unit {
                keeps_ending |= starts(&own).is_some_and(|starts| starts >= STARTS);
                let text = Outside::unknown(&text).0;
                last = Some(UnitWord { unit: Outside::unknown(unit).0, line: *number, text, is_down: true });
            }
        }
        last
    }

    /// What the child said that ended before the line at this place tells with which code: the nearest error above that is not
    /// about its code alone.
    fn of_child(&self, at: usize) -> Option<LastWords> {
        let mut above = self.lines.iter().take(at).rev().take(REASON);
        above.find_map(|(number, text)| {
            let spoken = Spoken::of(*number, text);
            let words = spoken.words("error");
            let inside = ERRORS.iter().find_map(|mark| Some(words.said.split_once(mark)?.1.trim()));
            let is_error = matches!(spoken.fields.level, Level::Error | Level::Fatal);
            let said = inside.filter(|inside| !inside.is_empty()).or(is_error.then_some(&*words.said))?;
            (!wraps_a_child(said)).then(|| LastWords { said: Outside::from(said.to_owned()), ..words.clone() })
        })
    }

    /// The last line of the end that is an error, or names no level, and says what it is about: a farewell that nobody
    /// knows may stand behind it. Of one error that several lines tell, it is the one that names what it is about.
    pub(crate) fn reason(&self) -> Option<LastWords> {
        let last = self.lines.back().map(|(number, text)| Spoken::of(*number, text));
        let last = last.filter(|spoken| matches!(spoken.fields.level, Level::Error | Level::Fatal));
        if let Some(named) = last.and_then(|last| self.named_above(self.lines.len() - 1, &last, "error")) {
            return Some(named);
        }
        let is_error = |text: &[u8]| matches!(line::glance(text).level, Level::Unknown | Level::Error | Level::Fatal);
        let errors = self.lines.iter().rev().take(REASON).filter(|(_, text)| is_error(text));
        errors.map(|(number, text)| Spoken::of(*number, text).words("error")).find(|words| words.why.is_some())
    }
}

/// The unit that a line of systemd names: `etcd.service: Failed with result 'exit-code'.`
fn named_unit(own: &str) -> Option<&str> {
    own.split_whitespace().map(|word| word.trim_end_matches(':')).find(|word| word.ends_with(".service"))
}

/// The unit whose program ended by itself and with an error: `etcd.service: Main process exited, code=exited, status=1/FAILURE`.
fn failed_unit(own: &str) -> Option<String> {
    let (_, status) = own.split_once("rocess exited, code=exited, status=")?;
    let unit = named_unit(own).filter(|_| !status.starts_with("0/"))?;
    Some(unit.to_owned())
}

/// How often systemd has started a unit again: `Scheduled restart job, restart counter is at 5.`
fn starts(own: &str) -> Option<u64> {
    own.split_once("restart counter is at ")?.1.trim_end_matches('.').parse().ok()
}

/// Is a program that of a unit? `dockerd` is that of `docker.service`, `k3s` that of `k3s-agent.service`.
fn is_of_unit(program: &str, unit: &str) -> bool {
    let unit = unit.strip_suffix(".service").unwrap_or(unit);
    let class = |name: &str| Sources::built_in().class_of_name(name);
    unit == program || class(unit).is_some_and(|of_unit| class(program) == Some(of_unit))
}

/// Does a text end with the code of a process, and say nothing of why that ended?
fn wraps_a_child(said: &str) -> bool {
    wordings::first("ended-child", said).is_some()
}

/// What a line says that stands above what it is about: of the lines behind it the exception, else the first.
fn headed(behind: &[Spoken]) -> Option<LastWords> {
    let class =
        |spoken: &Spoken| wordings::first("last-words", spoken.own.trim_start()).map(|word| word.class.as_str());
    let exception = behind.iter().find(|spoken| class(spoken) == Some("exception"));
    let first = || behind.iter().find(|spoken| !spoken.own.trim().is_empty());
    exception.or_else(first).map(|spoken| spoken.words(class(spoken).unwrap_or(HEADING)))
}

/// A place in a dump of goroutines.
fn is_of_dump(seen: &Glance<'_>) -> bool {
    let text = seen.message.trim_ascii_end();
    let is_call = text.ends_with(b")") && text.contains(&b'.');
    let begins = |head: &[u8]| text.starts_with(head);
    seen.level == Level::Unknown && (text.is_empty() || is_call || begins(b"\t") || begins(b" "))
        || [&b"goroutine "[..], b"created by ", b"[signal ", b"exit status ", b"runtime", b"main.", b"\tpanic: "]
            .into_iter()
            .any(begins)
}

/// What a line near the end of a log is.
enum Role {
    /// The last words, of this class.
    Last(&'static str),
    /// A trace, the usage of a command, a farewell.
    Beside,
    /// Nobody knows, and it names neither time nor level.
    Other,
    /// The program goes on, or was asked to stop.
    GoesOn,
}

/// A line that was read whole.
struct Spoken {
    number: u32,
    text: String,
    /// Without prefixes.
    own: String,
    fields: LineFields,
}

impl Spoken {
    fn of(number: u32, line: &[u8]) -> Self {
        let text = pairs::readable(line).into_owned();
        let (own, fields) = said::read(&text);
        Self { number, text, own, fields }
    }

    fn is_plain(&self) -> bool {
        self.fields.format == PLAIN
    }

    fn role(&self) -> Role {
        // A plain line may begin with a date, which its message does without.
        let read = |group: &str| {
            let of_message = || wordings::first(group, &self.fields.message).filter(|_| self.is_plain());
            wordings::first(group, &self.own).or_else(of_message).map(|wording| wording.class.as_str())
        };
        match (read("beside-last-words"), read("last-words")) {
            (Some("asked"), _) => Role::GoesOn,
            (Some("trace"), _) => Role::Beside,
            (_, Some(class)) => Role::Last(class),
            (Some(_), None) => Role::Beside,
            (None, None) if self.is_plain() && self.fields.level == Level::Unknown => Role::Other,
            (None, None) => Role::GoesOn,
        }
    }

    fn words(&self, class: &'static str) -> LastWords {
        let said = said::of(&self.fields);
        let said = Outside::unknown_message(said.strip_prefix(CAUSE).unwrap_or(&said));
        let text = Outside::unknown(&self.text).0;
        let why = wordings::first("why-ended", &self.text).map(|why| why.class.as_str());
        LastWords { line: self.number, text, said, class, why, time: self.fields.time, unit: None }
    }
}

#[cfg(test)]
mod tests {
    use crate::scan::{Literals, scan};
    use facts::origin::MemberId;
    use intake::Limits;

    /// Class and text of the last words of a log.
    fn words(log: &str) -> String {
        let log = scan(MemberId(0), log.as_bytes(), &Literals::default(), &Limits::default());
        log.tally
            .last_words
            .map_or_else(|| "-".to_owned(), |words| format!("{} {}: {}", words.line, words.class, words.said))
    }

    #[test]
    fn of_programs_in_any_language() {
        let cases = [
            (
                "I1121 06:33:46.169 1 a.go:5] up\nE1121 06:33:46.169926       1 run.go:74] \"command failed\" err=\"too many open files\"\n",
                "2 command-failed: too many open files",
            ),
            // Two threads that write within a second stand in any order, and are no log with its newest line first.
            (
                "I0312 08:42:40.581845 1 serving.go:380] Generated self-signed cert in-memory\nE0312 08:42:40.576594 1 run.go:74] \"command failed\" err=\"no kind\"\n",
                "2 command-failed: no kind",
            ),
            (
                "F0514 10:01:40.000000       1 instance.go:291] Error creating leases: no route\n",
                "1 fatal: Error creating leases: no route",
            ),
            (
                "{\"level\":\"fatal\",\"ts\":\"2026-05-14T10:00:00Z\",\"caller\":\"etcdmain/etcd.go:204\",\"msg\":\"discovery failed at start\",\"error\":\"wal: crc mismatch\"}\n",
                "1 fatal: discovery failed at start: wal: crc mismatch",
            ),
            ("time=\"2026-05-14T10:00:00Z\" level=fatal msg=\"no such plugin\"\n", "1 fatal: no such plugin"),
            (
                "panic: assertion failed: tx closed\n\ngoroutine 1 [running]:\ngo.etcd.io/bbolt._assert(...)\n\t/go/src/x.go:9 +0x1\ncreated by main.main\n\t/x/y.go:7\n",
                "1 panic: panic: assertion failed: tx closed",
            ),
            (
                "Traceback (most recent call last):\n  File \"/app/run.py\", line 3, in <module>\n    import x\nModuleNotFoundError: No module named 'x'\n",
                "4 exception: ModuleNotFoundError: No module named 'x'",
            ),
            (
                "Exception in thread \"main\" java.lang.IllegalStateException: no url\n\tat a.B.c(B.java:7)\nCaused by: java.io.IOException: x\n\t... 2 more\n",
                "3 exception: java.io.IOException: x",
            ),
            (
                "node:internal/modules/cjs/loader:1080\n  throw err;\n  ^\n\nError: Cannot find module '/app/x.js'\n    at Module._resolve (node:x:1)\n    at node:internal/main {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js v18.1.0\n",
                "5 error: Error: Cannot find module '/app/x.js'",
            ),
            (
                "/entrypoint.sh: line 9: exec: serve: not found\n",
                "1 shell: /entrypoint.sh: line 9: exec: serve: not found",
            ),
            ("sh: 1: /app/run: Permission denied\n", "1 shell: sh: 1: /app/run: Permission denied"),
            (
                "Error: unknown flag: --metrics-addr\nUsage:\n  manager [flags]\n\nFlags:\n  -h, --help   help for manager\n",
                "1 flag: Error: unknown flag: --metrics-addr",
            ),
            (
                "2026/05/14 10:00:00 listen tcp :8080: bind: address already in use\n",
                "1 address: listen tcp :8080: bind: address already in use",
            ),
            (
                "2026-05-14T10:00:00.1Z stderr F panic: boom\n2026-05-14T10:00:00.1Z stderr F \n2026-05-14T10:00:00.1Z stderr F goroutine 1 [running]:\n2026-05-14T10:00:00.1Z stderr F main.main()\n2026-05-14T10:00:00.1Z stderr F \t/x.go:3 +0x1\n",
                "1 panic: panic: boom",
            ),
            (
                "2026-07-17 19:01:49.247 UTC [29] FATAL:  could not write to file \"pg_wal/xlogtemp.29\": No space left on device\n2026-07-17 19:01:49.926 UTC [29] CONTEXT:  WAL redo at 4A/91F00028\n2026-07-17 19:01:49.930 UTC [1] LOG:  startup process (PID 29) exited with exit code 1\n2026-07-17 19:01:49.931 UTC [1] LOG:  aborting startup due to startup process failure\n2026-07-17 19:01:49.940 UTC [1] LOG:  database system is shut down\n",
                "1 fatal: could not write to file \"pg_wal/xlogtemp.29\": No space left on device",
            ),
            // What a child printed says more than with which code it ended.
            (
                "{\"level\":\"info\",\"ts\":\"2026-05-14T10:00:00Z\",\"logger\":\"check-archive\",\"msg\":\"2026-05-14 10:00:00,119 [37] ERROR: the archive of films is not empty\",\"pipe\":\"stderr\"}\n{\"level\":\"error\",\"ts\":\"2026-05-14T10:00:00Z\",\"msg\":\"Error invoking check-archive\",\"error\":\"exit status 1\"}\nError: unexpected failure invoking check-archive: exit status 1\n",
                "1 error: the archive of films is not empty",
            ),
            (
                "fatal: could not read from remote repository\nError: git clone: exit status 128\n",
                "1 error: could not read from remote repository",
            ),
            // One error, told at two levels: whoever is nearer to it says what it is about.
            (
                "{\"level\":\"error\",\"ts\":\"2026-05-14T10:00:00Z\",\"msg\":\"unable to create controller\",\"controller\":\"card\",\"kind\":\"Card\",\"error\":\"no cache\"}\n{\"level\":\"error\",\"ts\":\"2026-05-14T10:00:00Z\",\"msg\":\"problem running manager\",\"error\":\"no cache\"}\n",
                "1 manager: unable to create controller: no cache (kind Card)",
            ),
            ("up\nError: the hook ended: exit status 3\n", "2 error: Error: the hook ended: exit status 3"),
            (
                "thread 'main' panicked at src/main.rs:3:5:\nno config\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
                "1 panic: thread 'main' panicked at src/main.rs:3:5: no config",
            ),
        ];
        for (log, expected) in cases {
            assert_eq!(words(log), expected, "{log}");
        }
    }

    #[test]
    fn what_is_summed_up_stands_above() {
        let tried = |at: &str, error: &str| {
            format!(
                "{{\"level\":\"warn\",\"ts\":\"2026-05-14T10:00:{at}Z\",\"msg\":\"failed to get cluster response\",\"error\":\"{error}\"}}\n"
            )
        };
        let end = "{\"level\":\"info\",\"ts\":\"2026-05-14T10:00:40Z\",\"msg\":\"closed etcd server\"}\n{\"level\":\"fatal\",\"ts\":\"2026-05-14T10:00:40Z\",\"msg\":\"discovery failed\",\"error\":\"cannot fetch cluster info from peer urls\"}\n";
        let untrusted = "Get https://10.0.0.4:2380/members: x509: certificate signed by unknown authority";
        assert_eq!(
            words(&(tried("39", untrusted) + end)),
            format!("3 fatal: cannot fetch cluster info from peer urls: {untrusted}")
        );
        // What was long before is of something else, and one that fails alike sums up as well.
        let summed = "3 fatal: cannot fetch cluster info from peer urls";
        assert_eq!(words(&(tried("01", untrusted) + end)), summed);
        assert_eq!(words(&(tried("39", "context deadline exceeded") + end)), summed);
        let server = "W1008 13:02:48.000000       1 logging.go:55] \"unary call failed\" err=\"etcdserver: rpc not supported for learner\"\nF1008 13:02:49.000000       1 instance.go:232] Error creating leases: error creating storage factory: context deadline exceeded\n";
        assert_eq!(
            words(server),
            "2 fatal: Error creating leases: error creating storage factory: context deadline exceeded: etcdserver: rpc not supported for learner"
        );
    }

    #[test]
    fn what_a_unit_says_before_it_ends_with_an_error() {
        let journal = |status: &str| {
            format!(
                "Nov 17 09:44:15 etcd02 etcd[20300]: heartbeat = 100ms\nNov 17 09:44:15 etcd02 etcd[20300]: member 9d1986485feddff5 has already been bootstrapped\nNov 17 09:44:15 etcd02 systemd[1]: etcd.service: main process exited, code=exited, status={status}\nNov 17 09:44:15 etcd02 systemd[1]: Failed to start etcd.\nNov 17 09:44:15 etcd02 systemd[1]: Unit etcd.service entered failed state.\nNov 17 09:44:15 etcd02 systemd[1]: etcd.service failed.\n"
            )
        };
        assert_eq!(words(&journal("1/FAILURE")), "2 error: member 9d1986485feddff5 has already been bootstrapped");
        assert_eq!(words(&journal("0/SUCCESS")), "-", "it was done");
        assert_eq!(words(&journal("1/FAILURE").replace("etcd[20300]", "chronyd[7]")), "-", "of another program");
    }

    #[test]
    fn what_a_heading_stands_above() {
        let exception = "info: Microsoft.Hosting.Lifetime[14]\n      Now listening on: http://[::]:8080\ncrit: Microsoft.AspNetCore.Server.Kestrel[0]\n      Unable to start Kestrel.\n      System.Net.Sockets.SocketException (13): Permission denied\n         at System.Net.Sockets.Socket.Bind(EndPoint localEP)\n";
        assert_eq!(words(exception), "5 exception: System.Net.Sockets.SocketException (13): Permission denied");
        assert_eq!(words("crit: Shop.Web[3]\n      No licence was found.\n"), "2 heading: No licence was found.");
        let spring = "***************************\nAPPLICATION FAILED TO START\n***************************\n\nDescription:\n\nWeb server failed to start. Port 8080 was already in use.\n\nAction:\n\nIdentify and stop the process that is listening on port 8080.\n\n";
        assert_eq!(words(spring), "7 heading: Web server failed to start. Port 8080 was already in use.");
        assert_eq!(words("fail: Shop.Web[3]\n      A request failed.\n"), "-", "a request is no program");
        assert_eq!(
            words("crit: Shop.Web[3]\n      A request failed.\ninfo: Shop.Web[4]\n      Done.\n"),
            "-",
            "it goes on"
        );
    }

    #[test]
    fn a_head_of_a_dump_that_is_longer_than_the_tail() {
        let dump = "goroutine 9 [select]:\nmain.run(0x1)\n\t/x.go:3 +0x1\n".repeat(60);
        assert_eq!(words(&format!("panic: boom\n\n{dump}")), "1 panic: panic: boom");
        assert_eq!(words(&format!("panic: boom\n\n{dump}I0514 10:00:00.000000 1 a.go:1] Starting\n")), "-");
    }

    #[test]
    fn the_reason_may_stand_before_a_farewell_that_nobody_knows() {
        let reason = |log: &str| {
            let log = scan(MemberId(0), log.as_bytes(), &Literals::default(), &Limits::default());
            log.tally.last_reason.map_or_else(|| "-".to_owned(), |words| words.said.to_string())
        };
        let cases = [
            (
                "ts=2026-05-14T10:00:00Z level=error msg=\"opening storage failed\" err=\"open /data/wal: no space left on device\"\nts=2026-05-14T10:00:01Z level=info msg=\"See you next time!\"\n",
                "opening storage failed: open /data/wal: no space left on device",
            ),
            (
                "2026-05-14 10:00:00,912 ERROR Error while loading /data (a.b.C) [main]\njava.io.IOException: No space left on device\n\tat java.base/a.b(C.java:62)\n2026-05-14 10:00:00,990 ERROR Shutdown because all dirs have failed (a.b.C) [main]\n",
                "java.io.IOException: No space left on device",
            ),
            // One error, told at three levels: whoever is nearest to it says what it is about.
            (
                "E1002 05:55:27.322779       1 common.go:497] \"Failed to find resources\" err=\"the server could not find the requested resource\" gvk=\"cards.shop.io/v1, Kind=Card\" waiting time=\"1.4s\"\nE1002 05:55:27.327692       1 setup.go:479] \"unable to find the required CRD\" err=\"the server could not find the requested resource\" GVK=\"cards.shop.io/v1, Kind=Card\"\nE1002 05:55:27.330698       1 main.go:224] \"unable to set up controllers\" err=\"the server could not find the requested resource\"\n",
                "unable to find the required CRD: the server could not find the requested resource (GVK cards.shop.io/v1, Kind=Card)",
            ),
            // Another error, or one of long ago, is not what it ended of.
            (
                "E1002 05:55:27.327692       1 setup.go:479] \"unable to read\" err=\"timed out\" file=\"/etc/card\"\nE1002 05:55:27.330698       1 main.go:224] \"unable to set up controllers\" err=\"no cache\"\n",
                "-",
            ),
            (
                "E1002 05:50:27.327692       1 setup.go:479] \"unable to read\" err=\"no cache\" file=\"/etc/card\"\nE1002 05:55:27.330698       1 main.go:224] \"unable to set up controllers\" err=\"no cache\"\n",
                "-",
            ),
            // What it warns of it has overcome.
            ("level=warn msg=\"cannot reach db: connection refused, trying again\"\nlevel=info msg=ready\n", "-"),
        ];
        for (log, expected) in cases {
            assert_eq!(reason(log), expected, "{log}");
        }
    }

    #[test]
    fn what_follows_at_once_is_of_the_end() {
        let log = "2026-05-14T10:00:00.1Z stderr F Error: getaddrinfo EAI_AGAIN db\n2026-05-14T10:00:02.5Z stdout F see the manual\n";
        assert_eq!(words(log), "1 error: Error: getaddrinfo EAI_AGAIN db");
        let unit = "May 14 10:00:00 w-1 shopd[7]: fatal: no licence\nMay 14 10:02:00 w-1 systemd[1]: Reached target of the shop.\n";
        assert_eq!(words(unit), "1 error: fatal: no licence");
    }

    #[test]
    fn what_systemd_says_behind_them() {
        let unit = |log: &str| {
            let log = scan(MemberId(0), log.as_bytes(), &Literals::default(), &Limits::default());
            let words = log.tally.last_words.expect("the log ends with last words");
            words.unit.map_or_else(|| "-".to_owned(), |word| format!("{} {} {}", word.line, word.unit, word.is_down))
        };
        let fatal = |program: &str| {
            format!(
                "May 14 10:00:00 kv-1 {program}[77]: {{\"level\":\"fatal\",\"ts\":\"2026-05-14T10:00:00Z\",\"msg\":\"discovery failed\"}}\n"
            )
        };
        let said = |text: &str| format!("May 14 10:00:01 kv-1 systemd[1]: {text}\n");
        let ended = said("etcd.service: Main process exited, code=exited, status=1/FAILURE");
        let again = |count: u32| said(&format!("etcd.service: Scheduled restart job, restart counter is at {count}."));
        let starting = said("Starting etcd - highly-available key value store...");
        let etcd = fatal("etcd");
        assert_eq!(unit(&format!("{etcd}{ended}")), "2 etcd.service true");
        assert_eq!(unit(&format!("{etcd}{ended}{}{starting}", again(2))), "3 etcd.service false", "it may run now");
        assert_eq!(unit(&format!("{etcd}{ended}{}{starting}", again(9))), "3 etcd.service true", "it ends each time");
        assert_eq!(unit(&etcd), "-");
        let other = said("nginx.service: Main process exited, code=exited, status=1/FAILURE");
        assert_eq!(unit(&format!("{etcd}{other}")), "-", "that of another program");
        // systemd 219, of CentOS 7
        let old = [
            "kubelet.service: main process exited, code=exited, status=1/FAILURE",
            "Unit kubelet.service entered failed state.",
            "kubelet.service failed.",
            "kubelet.service holdoff time over, scheduling restart.",
        ];
        let old: String = old.iter().map(|text| said(text)).collect();
        assert_eq!(unit(&format!("{}{old}", fatal("kubelet"))), "5 kubelet.service true");
    }

    #[test]
    fn a_program_that_goes_on_or_was_asked_to_stop_has_none() {
        for log in [
            "E0514 10:00:00.000000 1 a.go:1] \"Reconciler error\" err=\"conflict\"\n",
            "F0514 10:00:00.000000 1 a.go:1] no\nI0514 10:00:01.000000 1 a.go:1] Starting\n",
            "{\"level\":\"error\",\"ts\":\"2026-05-14T10:00:00Z\",\"msg\":\"x\"}\n{\"level\":\"info\",\"ts\":\"2026-05-14T10:00:00Z\",\"msg\":\"received signal; shutting down\",\"signal\":\"terminated\"}\n",
            "Error: connect ECONNREFUSED\nlistening on 8080\nGET /a 200\nGET /b 200\n",
            "10.0.0.1 - - [14/May/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 404 153\n",
            // What the runtime wrote down a minute later is no part of its end.
            "2026-05-14T10:00:00.1Z stderr F Error: getaddrinfo EAI_AGAIN db\n2026-05-14T10:00:00.1Z stderr F     at x (node:dns:122:26) {\n2026-05-14T10:01:36.5Z stdout F GET /healthz 200 4.113 ms\n",
            "May 14 10:00:00 w-1 shopd[7]: fatal: no licence\nMay 14 10:02:00 w-1 shopd[7]: a page was shown\n",
            "",
        ] {
            assert_eq!(words(log), "-", "{log}");
        }
    }
}
