//! Whether a signature speaks of this bundle at all.
//!
//! Invariant: a product that is not recognised and a kind that the API server does not serve make a
//! signature not applicable; anything else that is missing makes it undecided at most.

use crate::entity;
use catalogue::nouns;
use catalogue::nouns::Reads;
use facts::coverage::{Basis, State};
use facts::kind::KindName;
use facts::object::ContextId;
use facts::store::Facts;
use signature::model::{EntitySource, Signature};
use std::fmt;

/// Why a signature applies to no context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotApplicable {
    /// This product was not recognised.
    Product(String),
    /// The API server does not serve this kind.
    NotServed(KindName),
    /// It reads what was pasted, and this is a collected bundle.
    NoPaste,
}

impl fmt::Display for NotApplicable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Product(product) => write!(f, "the product {product} was not recognised in the bundle"),
            Self::NotServed(kind) => write!(f, "the API server does not serve {kind}"),
            Self::NoPaste => write!(f, "it reads single texts that were pasted, and this is a bundle of several files"),
        }
    }
}

/// The contexts in which a signature is decided.
///
/// # Errors
/// If it applies to none.
pub(crate) fn contexts(facts: &Facts, signature: &Signature) -> Result<Vec<ContextId>, NotApplicable> {
    if let Some(product) = &signature.applies_to
        && !facts.contexts.iter().any(|context| context.products.contains(product))
    {
        return Err(NotApplicable::Product(product.clone()));
    }
    if !facts.is_paste && reads_pastes(signature) && !is_read_here(facts, signature) {
        return Err(NotApplicable::NoPaste);
    }
    let with_product: Vec<ContextId> = facts.context_ids().filter(|id| has_product(facts, signature, *id)).collect();
    let served: Vec<ContextId> =
        with_product.iter().copied().filter(|id| unserved(facts, signature, *id).is_none()).collect();
    if served.is_empty()
        && let Some(kind) = with_product.iter().find_map(|id| unserved(facts, signature, *id))
    {
        return Err(NotApplicable::NotServed(kind.clone()));
    }
    Ok(served.into_iter().filter(|id| entity::lives_in(facts, signature, *id)).collect())
}

/// Was the product recognised in this context or in another one of the same bundle?
fn has_product(facts: &Facts, signature: &Signature, id: ContextId) -> bool {
    let bundle = facts.context(id).bundle;
    let recognised = |product: &String| {
        facts.contexts.iter().any(|context| context.bundle == bundle && context.products.contains(product))
    };
    signature.applies_to.as_ref().is_none_or(recognised)
}

/// Does a bundle that is no paste hold something that is read as in one?
fn is_read_here(facts: &Facts, signature: &Signature) -> bool {
    let EntitySource::Object { kinds, .. } = &signature.entity.source else { return false };
    facts.context_ids().any(|id| kinds.iter().any(|kind| !facts.of_kind(id, kind).is_empty()))
}

fn reads_pastes(signature: &Signature) -> bool {
    let kinds = match &signature.entity.source {
        EntitySource::Object { kinds, .. } => kinds.as_slice(),
        EntitySource::Group { kind, .. } => std::slice::from_ref(kind),
        EntitySource::Stream(_) => &[],
    };
    kinds.iter().any(|kind| nouns::reads(kind) == Reads::Pastes)
}

/// A required kind that this context's API server does not serve.
fn unserved<'s>(facts: &Facts, signature: &'s Signature, id: ContextId) -> Option<&'s KindName> {
    signature.requires.iter().find(|kind| {
        facts.of_kind(id, kind).is_empty()
            && facts.coverage.iter().any(|c| {
                c.context == id
                    && c.answer.kind == **kind
                    && c.answer.state == State::NoSuchKind
                    && c.answer.basis == Basis::Stated
            })
    })
}
