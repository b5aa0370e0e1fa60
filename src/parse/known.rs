//! What is known of a member besides its bytes: from its path, or from a command before it.

use facts::kind::KindName;
use facts::record::Command;

/// What is known of a member besides its bytes. It counts only where the bytes say nothing themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// The command that printed it.
    pub command: Option<Command>,
    /// The kind of objects in it that name none.
    pub kind: Option<KindName>,
    /// The namespace of objects of that kind that name none.
    pub namespace: Option<String>,
    /// Something stands behind it in a larger text, so that its last line is surely not where that was cut.
    pub followed: bool,
}
