//! What programs and objects say of themselves, of any program and of any kind, known or not: the last words of processes
//! that ended, what many logs say alike, conditions that say that something is wrong, errors that tools report.
//!
//! Why beside `derive`: a derived object there is what a person knows about one thing (an etcd cluster, a Node). Here
//! nothing is known of who speaks: a container in any language, a unit of any machine. So what is found here is
//! weak, is said in the speaker's own words, and stands behind whatever a signature knows (`general: true`).
//!
//! Objects of the group `casefile.dev`, as those of `derive`; their rows are in `patterns/kinds.yaml`.
//!
//! Invariants: what is known to be well gives no object, or says so; a word that was spoken long before the bundle is
//! none of now.

mod complaints;
mod endings;
mod paste;
mod reports;
mod speaker;
mod subjects;
mod troubles;

use derive::reader::Reader;
use facts::derived::Derived;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::ContextId;
use facts::origin::MemberId;
use facts::provenance::Bases;
use facts::store::Facts;
use std::collections::BTreeSet;

/// Plurals of the objects that are made here.
const MADE: [&str; 4] = [endings::PLURAL, complaints::PLURAL, troubles::PLURAL, reports::PLURAL];

/// A bundle of no more files is what somebody chose to show: what each of them holds is what they ask about.
const CHOSEN: usize = 12;

/// Names that are one too many for a list that people read, and are compared.
const NAMES: usize = 500;

/// The lines that objects rest on.
fn places(made: &[Derived]) -> BTreeSet<(MemberId, u32)> {
    made.iter().flat_map(Derived::citations).map(|place| (place.member, place.line)).collect()
}

/// All of these names, as a list.
fn all_of(names: impl IntoIterator<Item = String>) -> Value {
    let names: BTreeSet<String> = names.into_iter().collect();
    Value::List(names.into_iter().take(NAMES).map(|name| Node::str(0, name)).collect())
}

/// Kinds that these objects are made of.
pub fn kinds() -> Vec<KindName> {
    let made = MADE.iter().map(|plural| KindName::parse(&format!("{plural}.casefile.dev")));
    made.flat_map(|kind| catalogue::nouns::read_for(&kind)).collect()
}

/// Every literal that these objects look for in logs, beside warnings and errors.
pub fn literals() -> Vec<String> {
    complaints::literals().collect()
}

/// Adds the objects of all contexts to the facts; to be called when everything else was derived. `whole`: nothing of what
/// was given is missing, since what is left of a larger bundle is no paste.
pub fn add_all(facts: &mut Facts, whole: bool) {
    let is_pasted = whole && paste::is_one(facts);
    facts.is_paste = is_pasted;
    let bases = Bases::of(facts);
    let contexts: Vec<ContextId> = facts.context_ids().collect();
    for context in contexts {
        let is_pasted = is_pasted || whole && paste::is_of(facts, context);
        let reader = Reader::new(facts, &bases, context);
        let mut made: Vec<Derived> = endings::derive(reader).into_iter().chain(complaints::derive(reader)).collect();
        let mut troubles = troubles::derive(reader, is_pasted);
        if is_pasted {
            let known = reports::Known {
                elsewhere: places(&made),
                of_conditions: places(&troubles),
                told: troubles::told_of(&troubles),
            };
            let reports = reports::derive(reader, &known);
            // What a tool shows of an object is more than that a condition of it is not met.
            let shown = places(&reports);
            troubles.retain(|trouble| places(std::slice::from_ref(trouble)).is_disjoint(&shown));
            made.extend(reports);
        } else {
            made.extend(reports::beside(reader, &places(&made)));
        }
        made.extend(troubles);
        for made in made {
            facts::derived::add(facts, context, made);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalogue::nouns;

    #[test]
    fn the_rows_of_the_catalogue_name_what_is_made_here() {
        for plural in MADE {
            let kind = KindName::parse(&format!("{plural}.casefile.dev"));
            assert_ne!(
                nouns::nouns(&kind).map(|(one, _)| one),
                Some(plural),
                "`patterns/kinds.yaml` has no row for {kind}"
            );
        }
    }
}
