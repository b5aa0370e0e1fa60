//! From the members of all bundles to [`Facts`]: kinds, contexts, merging, coverage, as-of.

use super::catalogue::Catalogue;
use super::kind::KindName;
use super::store::Facts;
use crate::intake::Intake;
use crate::parse::member::MemberContent;
use std::collections::{BTreeMap, BTreeSet};

/// One bundle, read.
#[derive(Debug)]
pub struct BundleContent {
    /// What the intake said.
    pub intake: Intake,
    /// What each member held, by member.
    pub contents: BTreeMap<super::origin::MemberId, MemberContent>,
    /// The layout that was recognised.
    pub layout: String,
    /// `--as NAME` or `--context NAME=`: a context name given by hand to the whole bundle.
    pub context: Option<String>,
}

/// Options that shape facts.
#[derive(Debug, Clone, Default)]
pub struct BuildOptions {
    /// `--context NAME=PATH`: a folder of the bundle that is a context.
    pub contexts: Vec<(String, String)>,
    /// `--as-of`.
    pub as_of: Option<jiff::Timestamp>,
    /// Kinds that somebody asks for; objects of others are only counted.
    pub wanted: BTreeSet<KindName>,
}

/// Puts all facts of a run together.
pub fn build(_bundles: &[BundleContent], _catalogue: &Catalogue, _options: &BuildOptions) -> Facts {
    Facts::default()
}
