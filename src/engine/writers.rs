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

/// Was a line written by a program of this class?
pub(crate) fn is_by(stream: &Stream, hit: &LogHit, class: &str) -> bool {
    stream.class.as_deref() == Some(class)
        || stream.pod.is_none()
            && line::program(&hit.text)
                .is_some_and(|program| Sources::built_in().class_of_name(&program) == Some(class))
}
