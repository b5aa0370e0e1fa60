//! A citation as the diagnosis holds it: with the name of its member instead of a number.

use crate::model::CitationInfo;
use facts::origin::Citation;
use facts::store::Facts;

/// What a member that is in no bundle is called; a derived object can rest on nothing that was read.
const NO_MEMBER: &str = "no file";

/// A citation with the name of its member.
pub fn citation_info(facts: &Facts, citation: &Citation) -> CitationInfo {
    CitationInfo {
        member: facts.members.get(&citation.member).map_or_else(|| NO_MEMBER.to_owned(), ToString::to_string),
        line: (citation.line > 0).then_some(citation.line),
        path: (!citation.path.is_empty()).then(|| citation.path.clone()),
        excerpt: citation.excerpt.to_string(),
        ..CitationInfo::default()
    }
}
