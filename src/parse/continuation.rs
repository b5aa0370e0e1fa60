//! Lines that go on with the line before them: stack traces of Go, Python and Java, and values that klog
//! writes over several lines.
//!
//! Why: a trace prints its time once, at its head. Invariant: a line with a time of its own continues
//! nothing.

/// What the lines before were part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trace {
    /// Nothing that goes on.
    #[default]
    None,
    /// A dump of goroutines: calls (`main.run(0x1)`), and the indented places below them.
    Go,
    /// A traceback: indented lines, and one that is not and names the exception.
    Python,
}

impl Trace {
    /// Does this line without a time of its own continue the one before?
    pub(crate) fn continues(&mut self, line: &[u8]) -> bool {
        let indented = line.first().is_some_and(|b| matches!(b, b' ' | b'\t'));
        // The runtime of Go prints neither a time nor a level when a program ends.
        if [&b"goroutine "[..], b"panic: ", b"fatal error: "].iter().any(|head| line.starts_with(head)) {
            *self = Trace::Go;
        } else if line.starts_with(b"Traceback (most recent call last):") {
            *self = Trace::Python;
        } else if *self == Trace::Python && !indented && !line.is_empty() {
            *self = Trace::None;
            return true;
        } else if *self == Trace::Go && !indented && !is_call(line) {
            *self = Trace::None;
        }
        *self != Trace::None || indented || is_java(line)
    }

    /// A line with a time of its own ends all that went before.
    pub fn end(&mut self) {
        *self = Trace::None;
    }
}

/// `main.run(0x1)`, `created by main.main`, or the blank line between two goroutines.
fn is_call(line: &[u8]) -> bool {
    line.is_empty()
        || line.starts_with(b"created by ")
        || line.starts_with(b"[signal ")
        || line.ends_with(b")") && line.contains(&b'.')
}

/// `Caused by: ...`, `java.io.IOException: Connection refused`.
fn is_java(line: &[u8]) -> bool {
    if line.starts_with(b"Caused by: ") || line.starts_with(b"Suppressed: ") {
        return true;
    }
    let end = line.iter().take(200).position(|b| matches!(b, b':' | b' ')).unwrap_or(line.len());
    let class = &line[..end];
    class.contains(&b'.') && (class.ends_with(b"Exception") || class.ends_with(b"Error"))
}
