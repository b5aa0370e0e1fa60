//! A bundle with what was read of it.

use crate::accounted::Accounted;
use facts::limit::Limit;
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

impl BundleContent {
    /// The names of its members.
    pub fn names(&self) -> BTreeMap<MemberId, &str> {
        self.intake.members.iter().map(|member| (member.id, member.name.as_str())).collect()
    }

    /// Limits that were reached, each with the name of the member, if one.
    pub fn limits_hit(&self) -> Vec<(&Limit, Option<String>)> {
        let names = self.names();
        let inside = self.contents.iter().flat_map(|(id, content)| {
            let name = names.get(id).map(|name| (*name).to_owned());
            content.limits_hit.iter().map(move |limit| (limit, name.clone()))
        });
        self.intake.limits_hit.iter().map(|(limit, name)| (limit, name.clone())).chain(inside).collect()
    }
}
