//! The two contexts of a run that belong together: a primary with its standby cluster (`--as primary,standby`), and
//! a bootstrap host with the cluster that was installed from it.

use crate::installation::Installation;

/// A primary and a standby cluster.
pub(super) struct Pair<'f> {
    pub primary: Installation<'f>,
    pub standby: Installation<'f>,
}

/// A bootstrap host and the cluster that was installed from it.
pub(super) struct Handover<'f> {
    pub bootstrap: Installation<'f>,
    pub global: Installation<'f>,
}

impl<'f> Pair<'f> {
    /// Both sides with their names.
    pub(crate) fn sides(&self) -> [(&'static str, &Installation<'f>); 2] {
        [("primary", &self.primary), ("standby", &self.standby)]
    }
}
