//! Was there anything to look at? What a signature without an entity means: that there is none, or that nobody looked.
//!
//! Invariant: a signature counts as checked only where an entity was decided, where objects of its kind were seen, or
//! where an answer whose scope is stated shows that there are none.

use crate::absences::Absences;
use crate::gap::Why;
use catalogue::nouns;
use catalogue::nouns::Reads;
use facts::kind::KindName;
use facts::object::ContextId;
use facts::store::{Absence, Facts, Scope};
use facts::unknown::{Unproven, WhyUnproven};
use signature::model::{EntitySource, Signature};

/// What a signature would have to look at and what is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Missing {
    /// In the words of reports: `pods`, `logs of kube-apiserver`.
    pub(crate) what: String,
    /// Why there was nothing to look at.
    pub(crate) why: Why,
}

/// What keeps a signature that has no entity in a context from being checked there; `None` if nothing does.
pub(crate) fn missing(
    facts: &Facts,
    absences: &Absences<'_>,
    signature: &Signature,
    context: ContextId,
) -> Option<Missing> {
    let look = Look { facts, absences, context };
    match &signature.entity.source {
        EntitySource::Object { kinds, .. } => look.any(kinds),
        EntitySource::Group { kind, .. } => look.at(kind),
        EntitySource::Stream(wanted) => look.at_log(&wanted.source),
    }
}

struct Look<'a> {
    facts: &'a Facts,
    absences: &'a Absences<'a>,
    context: ContextId,
}

impl Look<'_> {
    /// What is missing of the first kind, if none of them was looked at.
    fn any(&self, kinds: &[KindName]) -> Option<Missing> {
        kinds.iter().map(|kind| self.at(kind)).collect::<Option<Vec<_>>>()?.into_iter().next()
    }

    fn at(&self, kind: &KindName) -> Option<Missing> {
        match nouns::reads(kind) {
            Reads::Named => {}
            // Where nothing was pasted the signature is not applicable.
            Reads::Pastes => return None,
            Reads::Objects => {
                let of_bundle = |(_, kind): &(ContextId, KindName)| kind.group != "casefile.dev";
                let mut here = self.facts.by_kind.keys().filter(|(context, _)| *context == self.context);
                let why = Why::Unproven(self.unproven(kind, WhyUnproven::NeverAsked));
                return (!here.any(of_bundle)).then(|| Missing { what: "objects".to_owned(), why });
            }
            Reads::Logs => {
                let read = self.facts.streams.iter().any(|stream| stream.context == self.context);
                return (!read).then(|| Missing { what: "logs".to_owned(), why: Why::NoLog(None) });
            }
        }
        let (kinds, logs) = nouns::needs(kind);
        if kinds.is_empty() {
            return logs.iter().map(|class| self.at_log(class)).collect::<Option<Vec<_>>>()?.into_iter().next();
        }
        let missing = kinds.iter().find_map(|kind| self.at_collected(kind))?;
        // What programs of a node print is often in the log too.
        let by_log = nouns::program(kinds.first()?).is_some() && logs.iter().any(|class| self.at_log(class).is_none());
        (!by_log).then_some(missing)
    }

    /// The same of a kind that is collected as it is.
    fn at_collected(&self, kind: &KindName) -> Option<Missing> {
        let seen = self.facts.of_kind(self.context, kind).iter().any(|id| !self.facts.object(*id).shadow);
        if seen {
            return None;
        }
        let unproven = |why| self.unproven(kind, why);
        let why = match &*self.absences.of(self.context, kind, &Scope::default()) {
            Absence::Stated(_) => return None,
            Absence::Listed(_) | Absence::Rows(_) => unproven(WhyUnproven::MayBeFiltered),
            Absence::Unknown { why, .. } => (**why).clone(),
        };
        let what = match nouns::program(kind) {
            Some((name, _)) => name.to_owned(),
            None => kind.to_string(),
        };
        Some(Missing { what, why: Why::Unproven(why) })
    }

    fn unproven(&self, kind: &KindName, why: WhyUnproven) -> Unproven {
        let context = self.facts.context(self.context).name.clone();
        Unproven { kind: kind.clone(), context, namespace: None, why }
    }

    fn at_log(&self, class: &str) -> Option<Missing> {
        let mut streams = self.facts.streams.iter().filter(|stream| stream.context == self.context);
        let read = streams.any(|stream| stream.class.as_deref() == Some(class));
        (!read).then(|| Missing { what: format!("logs of {class}"), why: Why::NoLog(Some(class.to_owned())) })
    }
}
