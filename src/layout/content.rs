//! A bundle with what was read of it.

use crate::accounted::Accounted;
use facts::origin::MemberId;
use intake::Intake;
use parse::member::MemberContent;
use std::collections::BTreeMap;

/// One bundle, read.
#[derive(Debug)]
pub struct BundleContent {
    /// What the intake said.
    pub intake: Intake,
    /// What each member held, by member.
    pub contents: BTreeMap<MemberId, MemberContent>,
    /// The layout that was recognised.
    pub layout: String,
    /// What became of its members.
    pub accounted: Accounted,
    /// `--as NAME` or `--context NAME=`: a context name given by hand to the whole bundle.
    pub context: Option<String>,
}
