//! Which class of program wrote a line of a log.
//!
//! Why by line: the journal of a machine holds what its kernel, its kubelet and all its services say, so it is of no class,
//! or of the one whose words happened to be recognised. Each of its lines names its program.
//!
//! Invariant: the program of a line adds a class to that of its log, and takes none away; what a container prints is the
//! container's, whatever it looks like.

use catalogue::sources::Sources;
use facts::log::LogHit;
use facts::store::Stream;
use parse::line;

/// Was a line surely written by a program of this class?
pub(crate) fn is_by(stream: &Stream, hit: &LogHit, class: &str) -> bool {
    stream.class.as_deref() == Some(class)
        || class_of_line(stream, hit) == Some(class)
        || class_beside(stream, hit) == Some(class)
}

/// Can a program of this class have written it? In a log of no known class all can, but for a line whose program says that it
/// is of another one.
pub(crate) fn may_be_by(stream: &Stream, hit: &LogHit, class: &str) -> bool {
    if class_beside(stream, hit) == Some(class) {
        return true;
    }
    match stream.class.as_deref() {
        Some(of_log) if of_log == class => true,
        Some(_) => class_of_line(stream, hit) == Some(class),
        None => class_of_line(stream, hit).is_none_or(|of_line| of_line == class),
    }
}

/// The class of the own words of a program that writes what other components say as well.
fn class_beside<'s>(stream: &'s Stream, hit: &LogHit) -> Option<&'s str> {
    let of_line = || Sources::built_in().beside(&line::program(&hit.text)?);
    stream.beside.as_deref().or_else(of_line)
}

/// The class of the program that a journal names in front of a line.
fn class_of_line(stream: &Stream, hit: &LogHit) -> Option<&'static str> {
    if stream.pod.is_some() {
        return None;
    }
    line::program(&hit.text).and_then(|program| Sources::built_in().class_of_name(&program))
}
