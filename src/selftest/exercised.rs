//! What the tests of a signature exercise, and what they never do.
//!
//! Why: a test that passes says nothing of evidence that no test ever saw support or contradict, of a verdict that
//! was never reached, of a wording that stands in no test. An author sees here what is still only hoped for.
//!
//! Invariants: what cannot happen is not missed (a line query never contradicts, and nothing proves that there is no
//! object which is put together from logs); numbers count entities of tests, as decided, whether the test names them
//! or not.

use catalogue::nouns;
use engine::binding;
use engine::binding::Bound;
use engine::logic;
use engine::logic::Truth;
use engine::observed::SeenEntity;
use engine::verdict::{Rules, Ruling};
use facts::kind::KindName;
use facts::store::Facts;
use parse::scan::Literals;
use serde::Serialize;
use signature::load::Library;
use signature::model::{EntitySource, Evidence, Query, Signature, Target, Variant, VerdictWord};

/// One piece of evidence over all tests of its signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EvidenceUse {
    pub id: String,
    /// How often it supported; null if it cannot.
    pub supports: Option<usize>,
    /// How often it contradicted; null if it cannot.
    pub contradicts: Option<usize>,
    /// How often it was unknown.
    pub unknown: usize,
}

/// One verdict over all tests of its signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VerdictUse {
    /// The verdict; `suspect` for the rule of that name.
    pub rule: &'static str,
    /// How often its condition held.
    pub held: usize,
    /// How often it was the verdict; null for `suspect`.
    pub given: Option<usize>,
}

/// One of several wordings of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WordingUse {
    /// The evidence that looks for it.
    pub evidence: String,
    /// The literal or the regex.
    pub wording: String,
    /// In how many tests it stands.
    pub tests: usize,
}

/// What the tests of one signature exercise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Exercised {
    /// The id of the signature.
    pub signature: String,
    pub file: String,
    /// Number of its tests.
    pub tests: usize,
    /// Its evidence, in the order of the engine.
    pub evidence: Vec<EvidenceUse>,
    pub verdicts: Vec<VerdictUse>,
    /// The wordings of evidence that has several.
    pub wordings: Vec<WordingUse>,
}

impl Exercised {
    /// A signature of which no test was seen yet.
    pub fn none(signature: &Signature) -> Self {
        let evidence = signature.evidence.iter().map(|evidence| EvidenceUse {
            id: evidence.id.clone(),
            supports: (!evidence.is_name() && (!evidence.expect_absent || can_be_absent(evidence))).then_some(0),
            contradicts: (!evidence.is_name() && (evidence.expect_absent || can_be_absent(evidence))).then_some(0),
            unknown: 0,
        });
        let rules = &signature.verdict;
        let written = [
            ("confirmed", true),
            ("probable", rules.probable.is_some()),
            ("resolved", rules.resolved.is_some()),
            ("ruled_out", rules.ruled_out.is_some()),
            ("suspect", rules.suspect.is_some()),
        ];
        let written = written.into_iter().filter(|(_, written)| *written);
        let wordings = signature.evidence.iter().flat_map(|evidence| {
            let one = |wording: String| WordingUse { evidence: evidence.id.clone(), wording, tests: 0 };
            wordings(evidence).into_iter().map(one)
        });
        Self {
            signature: signature.id.clone(),
            file: signature.file.clone(),
            tests: 0,
            evidence: evidence.collect(),
            verdicts: written
                .map(|(rule, _)| VerdictUse { rule, held: 0, given: (rule != "suspect").then_some(0) })
                .collect(),
            wordings: wordings.collect(),
        }
    }

    /// Adds what one test showed.
    pub fn add(&mut self, signature: &Signature, seen: &Seen) {
        self.tests += 1;
        for SeenEntity { truths, strict, ruling, .. } in &seen.entities {
            for (used, truth) in self.evidence.iter_mut().zip(truths) {
                match truth {
                    Truth::True => used.supports = Some(used.supports.unwrap_or_default() + 1),
                    Truth::False => used.contradicts = Some(used.contradicts.unwrap_or_default() + 1),
                    Truth::Unknown => used.unknown += 1,
                }
            }
            let rules = Rules::of(signature);
            for used in &mut self.verdicts {
                used.held += usize::from(holds(&rules, used.rule, truths, strict));
                if let (Some(given), Ruling::Verdict(verdict, _)) = (&mut used.given, ruling) {
                    *given += usize::from(word(*verdict) == used.rule);
                }
            }
        }
        for (used, stands) in self.wordings.iter_mut().zip(&seen.wordings) {
            used.tests += usize::from(*stands);
        }
    }

    /// What no test exercises, one line each.
    pub fn gaps(&self) -> Vec<String> {
        let mut gaps = Vec::new();
        for used in &self.evidence {
            if used.supports == Some(0) {
                gaps.push(format!("evidence `{}` never supports", used.id));
            }
            if used.contradicts == Some(0) {
                gaps.push(format!("evidence `{}` never contradicts", used.id));
            }
        }
        for used in &self.verdicts {
            match (used.held, used.given) {
                (0, _) => gaps.push(format!("rule `{}` never holds", used.rule)),
                (_, Some(0)) => gaps.push(format!("rule `{}` holds, and another verdict is always given", used.rule)),
                _ => {}
            }
        }
        let missing = self.wordings.iter().filter(|used| used.tests == 0);
        gaps.extend(missing.map(|used| format!("wording of `{}` in no test: {}", used.evidence, used.wording)));
        gaps
    }
}

/// What one test showed of its signature.
#[derive(Debug, Default)]
pub struct Seen {
    /// Each entity.
    pub entities: Vec<SeenEntity>,
    /// Which wordings stand in the test, in the order of [`wordings`].
    pub wordings: Vec<bool>,
}

impl Seen {
    /// What the facts of a test show of a signature.
    pub fn of(facts: &Facts, library: &Library, signature: &Signature, literals: &Literals) -> Self {
        let entities = engine::observe(facts, library, signature, literals);
        Self { entities, wordings: standing(facts, signature, literals) }
    }
}

/// The wordings of a piece of evidence that has several: literals, then regexes.
fn wordings(evidence: &Evidence) -> Vec<String> {
    let several = |texts: Vec<String>| if texts.len() > 1 { texts } else { Vec::new() };
    let (captures, mut all) = match &evidence.query {
        Query::Object(query) => (&query.captures, Vec::new()),
        Query::Log(query) => {
            let states = query.state.iter().flat_map(|state| [several(state.down.clone()), several(state.up.clone())]);
            (&query.captures, several(query.any.clone()).into_iter().chain(states.flatten()).collect())
        }
    };
    for capture in captures {
        all.extend(several(capture.variants.iter().map(|variant| variant.regex.as_str().to_owned()).collect()));
    }
    all
}

/// Which wordings of a signature stand in the facts of a test.
fn standing(facts: &Facts, signature: &Signature, literals: &Literals) -> Vec<bool> {
    signature.evidence.iter().flat_map(|evidence| standing_of(facts, signature, evidence, literals)).collect()
}

fn standing_of(facts: &Facts, signature: &Signature, evidence: &Evidence, literals: &Literals) -> Vec<bool> {
    let hits = || facts.streams.iter().flat_map(|stream| &stream.parts).flat_map(|(_, log)| &log.hits);
    match &evidence.query {
        Query::Log(query) => {
            let regex = |wording: &str| {
                let variants = query.captures.iter().flat_map(|capture| &capture.variants);
                variants.map(|variant| &variant.regex).find(|regex| regex.as_str() == wording)
            };
            let stands = |wording: String| match regex(&wording) {
                Some(regex) => hits().any(|hit| regex.is_match(&hit.text) == Some(true)),
                None => literals.id(&wording).is_some_and(|id| hits().any(|hit| hit.literals.contains(&id))),
            };
            wordings(evidence).into_iter().map(stands).collect()
        }
        Query::Object(query) => {
            let kinds = match (&query.target, &signature.entity.source) {
                (Target::Kinds(kinds), _) | (Target::Entity, EntitySource::Object { kinds, .. }) => kinds.as_slice(),
                (Target::Entity, EntitySource::Group { kind, .. }) => std::slice::from_ref(kind),
                (Target::Entity, EntitySource::Stream(_)) => &[],
            };
            let ids = || {
                let of = |kind: &KindName| {
                    facts.context_ids().flat_map(|context| facts.of_kind(context, kind)).copied().collect::<Vec<_>>()
                };
                kinds.iter().flat_map(of).collect::<Vec<_>>()
            };
            let mut stands = Vec::new();
            for capture in query.captures.iter().filter(|capture| capture.variants.len() > 1) {
                let texts: Vec<String> = match &capture.path {
                    Some(path) => ids()
                        .into_iter()
                        .flat_map(|id| match binding::at_path(facts, id, path) {
                            Bound::Values(texts) | Bound::OneOf(texts) => texts.into_iter().collect(),
                            Bound::NotSet | Bound::Unknown(_) => Vec::new(),
                        })
                        .collect(),
                    None => Vec::new(),
                };
                let stands_in = |v: &Variant| texts.iter().any(|text| v.regex.is_match(text) == Some(true));
                stands.extend(capture.variants.iter().map(stands_in));
            }
            stands
        }
    }
}

/// Can it be known that a query finds too little?
fn can_be_absent(evidence: &Evidence) -> bool {
    match &evidence.query {
        Query::Log(_) => false,
        Query::Object(query) => match &query.target {
            Target::Entity => true,
            // The API server forgets events after an hour.
            Target::Kinds(kinds) => kinds.iter().all(|kind| {
                nouns::put_together_from(kind).is_none() && kind.plural != "events" || query.count.max.is_some()
            }),
        },
    }
}

fn holds(rules: &Rules<'_>, rule: &str, truths: &[Truth], strict: &[Truth]) -> bool {
    let conditions = rules.conditions;
    let condition = match rule {
        "confirmed" => Some(&conditions.confirmed),
        "probable" => conditions.probable.as_ref(),
        "resolved" => conditions.resolved.as_ref(),
        "ruled_out" => return rules.ruled_out(strict),
        _ => return rules.suspect(truths),
    };
    condition.is_some_and(|condition| logic::evaluate(condition, truths) == Truth::True)
}

fn word(verdict: VerdictWord) -> &'static str {
    match verdict {
        VerdictWord::Confirmed => "confirmed",
        VerdictWord::Probable => "probable",
        VerdictWord::Undecided => "undecided",
        VerdictWord::Resolved => "resolved",
        VerdictWord::RuledOut => "ruled_out",
    }
}
