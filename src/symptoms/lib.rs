//! The last words of processes that ended, of any program, known or not.
//!
//! Why beside `derive`: a derived object there is what a person knows about one thing (an etcd cluster, a Node). Here
//! nothing is known of who speaks: a container in any language, a unit of any machine. So what is found here is
//! weak, is said in the speaker's own words, and stands behind whatever a signature knows (`general: true`).
//!
//! Objects of the group `casefile.dev`, as those of `derive`; their rows are in `patterns/kinds.yaml`.
//!
//! Invariants: what is known to be well gives no object, or says so; a word that was spoken long before the bundle is
//! none of now.

mod endings;

use derive::reader::Reader;
use facts::kind::KindName;
use facts::object::ContextId;
use facts::provenance::Bases;
use facts::store::Facts;

/// Plurals of the objects that are made here.
const MADE: [&str; 1] = [endings::PLURAL];

/// Kinds that these objects are made of.
pub fn kinds() -> Vec<KindName> {
    let made = MADE.iter().map(|plural| KindName::parse(&format!("{plural}.casefile.dev")));
    made.flat_map(|kind| catalogue::nouns::read_for(&kind)).collect()
}

/// Adds the objects of all contexts to the facts; to be called when everything else was derived.
pub fn add_all(facts: &mut Facts) {
    let bases = Bases::of(facts);
    let contexts: Vec<ContextId> = facts.context_ids().collect();
    for context in contexts {
        let made = endings::derive(Reader::new(facts, &bases, context));
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
