//! Logs of several containers in one text, as `kubectl cluster-info dump` writes them: each between
//! `==== START logs for container C of pod NS/P ====` and `==== END logs for container C of pod NS/P ====`.
//!
//! Source: `kubernetes/kubectl:pkg/cmd/clusterinfo/clusterinfo_dump.go@v0.34.0`.
//!
//! Invariants: the text is streamed, whatever its size; each frame is a log of its own whose lines keep their
//! numbers in the file; an END that is glued to a line without an end of its own costs nothing of that line;
//! `Request log error:` is no line of a log.

use crate::scan;
use crate::scan::Literals;
use facts::log::ScannedLog;
use facts::origin::MemberId;
use intake::Limits;
use std::io::{BufRead, BufReader, Read};

const START: &[u8] = b"==== START logs for container ";
const END: &[u8] = b"==== END logs for container ";
const CLOSE: &[u8] = b" ====";
const ERROR: &[u8] = b"Request log error: ";
/// Bytes that are looked at as one line at most.
const CHUNK: u64 = 1 << 20;

/// The log of one container.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Framed {
    /// Line of its START.
    pub line: u32,
    pub namespace: String,
    pub pod: String,
    pub container: String,
    /// What it held.
    pub log: ScannedLog,
    /// Why it was not collected: line and text.
    pub error: Option<(u32, String)>,
    /// Its END is there.
    pub whole: bool,
}

/// Does a text begin with a frame?
pub(crate) fn is_framed(head: &[u8]) -> bool {
    head.trim_ascii_start().starts_with(START)
}

/// Where the first frame begins in a text that begins with something else.
pub fn find(text: &[u8]) -> Option<usize> {
    memchr::memmem::find_iter(text, START).find(|at| *at == 0 || text[at - 1] == b'\n')
}

/// A text without its frames: blank lines stand where their lines stood, so that all others keep their numbers. A frame
/// without an END goes to the next START, or to the end of the text.
pub(crate) fn without(text: &[u8]) -> Vec<u8> {
    let mut left = Vec::with_capacity(text.len());
    let mut inside = false;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        inside |= start(line).is_some();
        if !inside {
            left.extend_from_slice(line);
            continue;
        }
        if line.ends_with(b"\n") {
            left.push(b'\n');
        }
        inside = ending(line).is_none();
    }
    left
}

/// Reads all frames. `before` is the number of lines of the file before this text.
pub fn read(member: MemberId, body: impl Read, before: u32, literals: &Literals, limits: &Limits) -> Vec<Framed> {
    let reader = BufReader::new(body);
    let mut frames = Frames {
        reader,
        line: before,
        next: None,
        chunk: Vec::new(),
        at: 0,
        state: State::Between,
        current: Framed::default(),
        fresh: true,
    };
    let mut found = Vec::new();
    while frames.open() {
        let first = frames.line;
        let log = scan::scan_from(member, &mut frames, literals, limits, first);
        // What the scan did not take, at a line that is too long, ends with the frame.
        let _ = std::io::copy(&mut frames, &mut std::io::sink());
        let mut framed = std::mem::take(&mut frames.current);
        framed.whole = matches!(frames.state, State::Between);
        framed.log = log;
        found.push(framed);
        if matches!(frames.state, State::Done) && frames.next.is_none() {
            break;
        }
    }
    found
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    /// After an END, or before the first START.
    Between,
    /// Inside a frame.
    Inside,
    /// A START inside a frame, or the end of the text.
    Done,
}

/// The text of one frame after the other.
struct Frames<R: Read> {
    reader: BufReader<R>,
    /// Lines read so far.
    line: u32,
    /// A START that was met inside a frame.
    next: Option<Framed>,
    chunk: Vec<u8>,
    at: usize,
    state: State,
    current: Framed,
    /// The next chunk begins a line.
    fresh: bool,
}

impl<R: Read> Frames<R> {
    /// Takes the next line, or a part of a very long one; false at the end.
    fn advance(&mut self) -> bool {
        self.chunk.clear();
        self.at = 0;
        let read = self.reader.by_ref().take(CHUNK).read_until(b'\n', &mut self.chunk);
        // A text that cannot be read any further ends here; the intake says why.
        if !matches!(read, Ok(count) if count > 0) {
            return false;
        }
        if self.fresh {
            self.line = self.line.saturating_add(1);
        }
        true
    }

    /// Goes to the next frame; false if there is none.
    fn open(&mut self) -> bool {
        if let Some(next) = self.next.take() {
            self.current = next;
            self.state = State::Inside;
            return true;
        }
        self.state = State::Between;
        while self.advance() {
            if let Some(name) = start(&self.chunk).filter(|_| self.fresh) {
                self.fresh = true;
                self.current = Framed { line: self.line, ..name };
                self.state = State::Inside;
                self.chunk.clear();
                return true;
            }
            self.fresh = self.chunk.ends_with(b"\n");
        }
        self.chunk.clear();
        false
    }

    /// Looks at the next line inside the frame; false when the frame ends.
    fn within(&mut self) -> bool {
        if self.state != State::Inside {
            return false;
        }
        let begins = self.fresh;
        if !self.advance() {
            self.chunk.clear();
            self.state = State::Done;
            return false;
        }
        self.fresh = self.chunk.ends_with(b"\n");
        if begins {
            if let Some(name) = start(&self.chunk) {
                self.next = Some(Framed { line: self.line, ..name });
                self.state = State::Done;
                self.chunk.clear();
                return false;
            }
            if self.chunk.starts_with(ERROR) {
                let text = String::from_utf8_lossy(&self.chunk[ERROR.len()..]);
                let text = text.split("==== END").next().unwrap_or_default();
                self.current.error = Some((self.line, crate::answer::short(text)));
                let ends = ending(&self.chunk).is_some();
                // An empty line stands for it, so that the next ones keep their numbers.
                self.chunk.clear();
                self.chunk.push(b'\n');
                if ends {
                    self.state = State::Between;
                }
                return true;
            }
        }
        if let Some(at) = ending(&self.chunk) {
            self.chunk.truncate(at);
            self.state = State::Between;
        }
        true
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        while self.at >= self.chunk.len() {
            if !self.within() {
                return Ok(0);
            }
        }
        let part = &self.chunk[self.at..];
        let count = part.len().min(buffer.len());
        buffer[..count].copy_from_slice(&part[..count]);
        self.at += count;
        Ok(count)
    }
}

/// Does the log of a container begin behind this line?
pub(crate) fn is_start(line: &[u8]) -> bool {
    line.starts_with(START) && start(line).is_some()
}

/// The name of a frame, if the line is a START.
fn start(line: &[u8]) -> Option<Framed> {
    let name = line.strip_prefix(START)?.trim_ascii_end().strip_suffix(CLOSE)?;
    let name = String::from_utf8_lossy(name);
    let (container, pod) = name.split_once(" of pod ")?;
    let (namespace, pod) = pod.split_once('/')?;
    Some(Framed {
        namespace: namespace.to_owned(),
        pod: pod.to_owned(),
        container: container.to_owned(),
        ..Framed::default()
    })
}

/// What a container wrote in a line of its frame: an END that is glued to it, and what kubectl says in its place, are not
/// its words.
pub(crate) fn own(line: &[u8]) -> &[u8] {
    if line.starts_with(ERROR) {
        return &[];
    }
    ending(line).map_or(line, |at| &line[..at])
}

/// Where an END begins in a line.
fn ending(line: &[u8]) -> Option<usize> {
    if !line.trim_ascii_end().ends_with(CLOSE) {
        return None;
    }
    memchr::memmem::rfind(line, END)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> String {
        let literals = Literals::new(["lost".to_owned()]);
        let framed = read(MemberId(0), text.as_bytes(), 10, &literals, &Limits::default());
        framed
            .iter()
            .map(|f| {
                let hits: Vec<String> = f.log.hits.iter().map(|hit| format!("{}:{}", hit.line, hit.text)).collect();
                format!(
                    "{} {}/{}/{} {} lines {hits:?} {:?} {}\n",
                    f.line, f.namespace, f.pod, f.container, f.log.tally.lines, f.error, f.whole
                )
            })
            .collect()
    }

    #[test]
    fn each_frame_is_a_log() {
        let text = "==== START logs for container a of pod n/p ====\none lost\ntwo\n==== END logs for container a of pod n/p ====\n\
                    ==== START logs for container b of pod n/p ====\nlost at the end==== END logs for container b of pod n/p ====\n\
                    ==== START logs for container c of pod n/p ====\nRequest log error: no log lost\n==== END logs for container c of pod n/p ====\n\
                    ==== START logs for container d of pod n/p ====\nlost, and cut\n";
        insta::assert_snapshot!(show(text), @r#"
        11 n/p/a 2 lines ["12:one lost"] None true
        15 n/p/b 1 lines ["16:lost at the end"] None true
        17 n/p/c 1 lines [] Some((18, "no log lost")) true
        20 n/p/d 1 lines ["21:lost, and cut"] None false
        "#);
    }

    #[test]
    fn what_stands_between_frames_keeps_its_lines() {
        let frame = "==== START logs for container a of pod n/p ====\n{ \"one\": 1 }\ntwo==== END logs for container a of pod n/p ====\n";
        let text = format!("{{}}\n{frame}{{ }}\n{frame}[]");
        assert_eq!(without(text.as_bytes()), b"{}\n\n\n\n{ }\n\n\n\n[]");
        let cut = format!("{{}}\n{}{frame}[]\n", frame.split_inclusive('\n').next().unwrap_or_default());
        assert_eq!(without(cut.as_bytes()), b"{}\n\n\n\n\n[]\n");
        assert_eq!(without(b"{}\n==== START\n"), b"{}\n==== START\n");
    }

    #[test]
    fn a_frame_without_an_end() {
        let text = "==== START logs for container a of pod n/p ====\nlost\n==== START logs for container b of pod n/q ====\n==== END logs for container b of pod n/q ====\n";
        insta::assert_snapshot!(show(text), @r#"
        11 n/p/a 1 lines ["12:lost"] None false
        13 n/q/b 0 lines [] None true
        "#);
        assert_eq!(show("no frame\n"), "");
        assert!(is_framed(b"\n==== START logs for container a of pod n/p ====\n") && !is_framed(b"x\n"));
        assert_eq!(find(b"{}\n==== START logs for container "), Some(3));
    }
}
