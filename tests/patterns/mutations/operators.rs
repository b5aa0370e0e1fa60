//! The ways in which a signature can be wrong: each mutant is a signature with one mistake in it.
//!
//! Why on the model and not on the text: a mutant costs a copy, and none is refused at loading.
//!
//! Invariants: a mutant differs from its signature; its description names the place, so that a list of survivors stays
//! readable and does not change when something else of the signature does.

use facts::kind::KindName;
use facts::node::Value;
use signature::model::{
    AgeTest, Condition, ContextSelector, CountWanted, EntitySource, LogQuery, ObjectQuery, Operand, Predicate, Query,
    Signature, Target, Test,
};
use std::fmt;

/// A kind of mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operator {
    /// A piece of evidence is always unknown.
    Unanswered,
    /// A piece of evidence is wanted the other way round.
    Polarity,
    /// What ties an object or a line to the entity.
    Join,
    /// A condition on the entity.
    EntityWhere,
    /// A condition on an object of the evidence.
    Where,
    /// One of several values that are as good.
    InValue,
    /// A number, an age or a span, doubled or halved.
    Threshold,
    /// A wanted count, one more or one less.
    Count,
    /// One of several texts that are looked for.
    Literal,
    /// The class of the logs.
    Source,
    /// The span of time in which lines count.
    Window,
    /// `and` for `or`, or the other way round.
    AndOr,
    /// The rule of when to suspect.
    Suspect,
    /// The rule of a verdict.
    Rule,
}

impl Operator {
    /// All of them.
    pub(super) const ALL: [Self; 14] = [
        Self::Unanswered,
        Self::Polarity,
        Self::Join,
        Self::EntityWhere,
        Self::Where,
        Self::InValue,
        Self::Threshold,
        Self::Count,
        Self::Literal,
        Self::Source,
        Self::Window,
        Self::AndOr,
        Self::Suspect,
        Self::Rule,
    ];

    /// The word for it in the list of survivors.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Unanswered => "unanswered",
            Self::Polarity => "polarity",
            Self::Join => "join",
            Self::EntityWhere => "entity-where",
            Self::Where => "where",
            Self::InValue => "in-value",
            Self::Threshold => "threshold",
            Self::Count => "count",
            Self::Literal => "literal",
            Self::Source => "source",
            Self::Window => "window",
            Self::AndOr => "and-or",
            Self::Suspect => "suspect",
            Self::Rule => "rule",
        }
    }
}

/// A signature with one mistake.
pub(super) struct Mutant {
    pub(super) operator: Operator,
    /// What was changed, in the words of the signature.
    pub(super) what: String,
    pub(super) signature: Signature,
}

/// All mutants of a signature, in the order of its parts.
pub(super) fn mutants(signature: &Signature) -> Vec<Mutant> {
    let mut made = Made { signature, mutants: Vec::new() };
    made.entity();
    for at in 0..signature.evidence.len() {
        made.evidence(at);
    }
    made.verdicts();
    made.mutants
}

/// A query that no bundle answers: its kind is one that nobody ever collects.
fn unanswered() -> Query {
    Query::Object(ObjectQuery {
        target: Target::Kinds(vec![KindName::parse("nothings.mutation.casefile.dev")]),
        context: ContextSelector::Own,
        joins: Vec::new(),
        selects: Vec::new(),
        filter: Vec::new(),
        tied: Vec::new(),
        count: CountWanted { min: 1, max: None },
        captures: Vec::new(),
        differs: Vec::new(),
        each: None,
        show: Vec::new(),
    })
}

struct Made<'a> {
    signature: &'a Signature,
    mutants: Vec<Mutant>,
}

impl Made<'_> {
    fn add(&mut self, operator: Operator, what: String, change: impl FnOnce(&mut Signature)) {
        let mut signature = self.signature.clone();
        // What it says of others is no part of its verdicts.
        signature.relations.clear();
        change(&mut signature);
        self.mutants.push(Mutant { operator, what, signature });
    }

    fn entity(&mut self) {
        match &self.signature.entity.source {
            EntitySource::Object { filter, .. } => {
                for at in 0..filter.len() {
                    let what = format!("entity: {}", shown(&filter[at]));
                    self.add(Operator::EntityWhere, what, |signature| {
                        if let EntitySource::Object { filter, .. } = &mut signature.entity.source {
                            filter.remove(at);
                        }
                    });
                }
                self.predicates("entity", filter, |signature| match &mut signature.entity.source {
                    EntitySource::Object { filter, .. } => Some(filter),
                    _ => None,
                });
            }
            EntitySource::Stream(stream) => {
                fn of(signature: &mut Signature) -> Option<&mut signature::model::StreamEntity> {
                    match &mut signature.entity.source {
                        EntitySource::Stream(stream) => Some(stream),
                        _ => None,
                    }
                }
                self.texts("entity", "any", &stream.any, |signature| of(signature).map(|stream| &mut stream.any));
                if let Some(seconds) = stream.lately {
                    self.spans("entity lately", seconds, |signature, seconds| {
                        if let Some(stream) = of(signature) {
                            stream.lately = seconds;
                        }
                    });
                }
            }
            EntitySource::Group { .. } => {}
        }
    }

    fn evidence(&mut self, at: usize) {
        let evidence = &self.signature.evidence[at];
        let id = &evidence.id;
        self.add(Operator::Unanswered, id.clone(), |signature| signature.evidence[at].query = unanswered());
        // Of a name that `let` gives nobody asks whether it is there.
        if !id.starts_with('$') {
            self.add(Operator::Polarity, id.clone(), |signature| signature.evidence[at].expect_absent ^= true);
        }
        match &evidence.query {
            Query::Object(query) => {
                self.object(id, query, move |signature| match &mut signature.evidence[at].query {
                    Query::Object(query) => Some(query),
                    Query::Log(_) => None,
                });
                if let Some(each) = &query.each {
                    self.object(&format!("{id} each"), &each.exists, move |signature| {
                        match &mut signature.evidence[at].query {
                            Query::Object(query) => query.each.as_mut().map(|each| &mut *each.exists),
                            Query::Log(_) => None,
                        }
                    });
                }
            }
            Query::Log(query) => self.log(at, id, query),
        }
    }

    fn object(
        &mut self,
        id: &str,
        query: &ObjectQuery,
        of: impl Fn(&mut Signature) -> Option<&mut ObjectQuery> + Copy,
    ) {
        for (at, join) in query.joins.iter().enumerate() {
            self.add(Operator::Join, format!("{id}: {} = {}", join.path, operand(&join.is)), |signature| {
                of(signature).map(|query| query.joins.remove(at));
            });
        }
        for (at, selects) in query.selects.iter().enumerate() {
            self.add(Operator::Join, format!("{id}: {} selects {}", selects.selector, selects.labels), |signature| {
                of(signature).map(|query| query.selects.remove(at));
            });
        }
        for (at, tied) in query.tied.iter().enumerate() {
            self.add(Operator::Join, format!("{id}: {}", shown(tied)), |signature| {
                of(signature).map(|query| query.tied.remove(at));
            });
        }
        for (at, predicate) in query.filter.iter().enumerate() {
            self.add(Operator::Where, format!("{id}: {}", shown(predicate)), |signature| {
                of(signature).map(|query| query.filter.remove(at));
            });
        }
        self.predicates(id, &query.filter, move |signature| of(signature).map(|query| &mut query.filter));
        self.counts(id, query.count, |signature, count| {
            if let Some(query) = of(signature) {
                query.count = count;
            }
        });
    }

    fn log(&mut self, at: usize, id: &str, query: &LogQuery) {
        let of = move |signature: &mut Signature, change: &dyn Fn(&mut LogQuery)| {
            if let Query::Log(query) = &mut signature.evidence[at].query {
                change(query);
            }
        };
        for (number, attribute) in query.attribute.iter().enumerate() {
            let what = format!("{id}: {} = {}", attribute.regex.as_str(), operand(&attribute.is));
            self.add(Operator::Join, what, |signature| {
                of(signature, &|query| {
                    query.attribute.remove(number);
                });
            });
        }
        self.texts(id, "any", &query.any, |s| match &mut s.evidence[at].query {
            Query::Log(query) => Some(&mut query.any),
            Query::Object(_) => None,
        });
        for (number, text) in query.all.iter().enumerate() {
            if query.all.len() > 1 || !query.any.is_empty() {
                self.add(Operator::Literal, format!("{id} all: {text}"), |signature| {
                    of(signature, &|query| {
                        query.all.remove(number);
                    });
                });
            }
        }
        if let Some(state) = &query.state {
            self.texts(id, "down", &state.down, |s| match &mut s.evidence[at].query {
                Query::Log(query) => query.state.as_mut().map(|state| &mut state.down),
                Query::Object(_) => None,
            });
            self.texts(id, "up", &state.up, |s| match &mut s.evidence[at].query {
                Query::Log(query) => query.state.as_mut().map(|state| &mut state.up),
                Query::Object(_) => None,
            });
        }
        // The class of the entity's own stream is the entity's: nobody wrote it, so nobody can have written it wrongly.
        if let (Some(source), false) = (&query.source, query.own) {
            self.add(Operator::Source, format!("{id}: {source}"), |signature| {
                of(signature, &|query| query.source = None);
            });
        }
        if let Some(within) = &query.within {
            self.spans(&format!("{id} within"), within.seconds, |signature, seconds| {
                of(signature, &|query| match (seconds, &mut query.within) {
                    (Some(seconds), Some(within)) => within.seconds = seconds,
                    (_, within) => *within = None,
                });
            });
        }
        if let Some(seconds) = query.lately {
            self.spans(&format!("{id} lately"), seconds, |signature, seconds| {
                of(signature, &|query| query.lately = seconds);
            });
        }
        if let Some(seconds) = query.lasting {
            self.spans(&format!("{id} lasting"), seconds, |signature, seconds| {
                of(signature, &|query| query.lasting = seconds);
            });
        }
        self.counts(id, query.count, |signature, count| of(signature, &|query| query.count = count));
    }

    /// A span of time: doubled, halved, and none.
    fn spans(&mut self, what: &str, seconds: i64, set: impl Fn(&mut Signature, Option<i64>)) {
        self.add(Operator::Window, format!("{what} {seconds}s"), |signature| set(signature, None));
        for other in [seconds * 2, seconds / 2] {
            let what = format!("{what} {seconds}s -> {other}s");
            self.add(Operator::Threshold, what, |signature| set(signature, Some(other)));
        }
    }

    /// Several texts of which one is enough: each is left out.
    fn texts(
        &mut self,
        id: &str,
        list: &str,
        texts: &[String],
        of: impl Fn(&mut Signature) -> Option<&mut Vec<String>>,
    ) {
        for (at, text) in texts.iter().enumerate().filter(|_| texts.len() > 1) {
            self.add(Operator::Literal, format!("{id} {list}: {text}"), |signature| {
                of(signature).map(|texts| texts.remove(at));
            });
        }
    }

    /// What can be wrong inside of conditions: a value of a list, a number.
    fn predicates(
        &mut self,
        id: &str,
        predicates: &[Predicate],
        of: impl Fn(&mut Signature) -> Option<&mut Vec<Predicate>> + Copy,
    ) {
        for (at, predicate) in predicates.iter().enumerate() {
            let path = &predicate.path;
            for (operator, what, test) in changed(&predicate.test) {
                self.add(operator, format!("{id}: {path} {what}"), |signature| {
                    if let Some(predicates) = of(signature) {
                        predicates[at].test = test;
                    }
                });
            }
        }
    }

    fn counts(&mut self, id: &str, count: CountWanted, set: impl Fn(&mut Signature, CountWanted)) {
        let CountWanted { min, max } = count;
        let mut others = Vec::new();
        if min > 1 {
            others.extend([min + 1, min - 1].map(|min| CountWanted { min, max }));
        }
        if let Some(most) = max {
            others.push(CountWanted { min, max: Some(most + 1) });
            if most > min {
                others.push(CountWanted { min, max: Some(most - 1) });
            }
        }
        let word = |count: CountWanted| match count.max {
            Some(max) => format!("{}..{max}", count.min),
            None => format!("{}..", count.min),
        };
        for other in others {
            let what = format!("{id}: {} -> {}", word(count), word(other));
            self.add(Operator::Count, what, |signature| set(signature, other));
        }
    }

    fn verdicts(&mut self) {
        let rules = &self.signature.verdict;
        self.and_or("confirmed", &rules.confirmed, |signature| Some(&mut signature.verdict.confirmed));
        type Of = fn(&mut Signature) -> &mut Option<Condition>;
        let others: [(&str, &Option<Condition>, Of); 4] = [
            ("probable", &rules.probable, |signature| &mut signature.verdict.probable),
            ("resolved", &rules.resolved, |signature| &mut signature.verdict.resolved),
            ("ruled_out", &rules.ruled_out, |signature| &mut signature.verdict.ruled_out),
            ("suspect", &rules.suspect, |signature| &mut signature.verdict.suspect),
        ];
        for (word, rule, of) in others {
            let Some(rule) = rule else { continue };
            let operator = if word == "suspect" { Operator::Suspect } else { Operator::Rule };
            self.add(operator, word.to_owned(), |signature| *of(signature) = None);
            self.and_or(word, rule, |signature| of(signature).as_mut());
        }
    }

    fn and_or(&mut self, rule: &str, condition: &Condition, of: impl Fn(&mut Signature) -> Option<&mut Condition>) {
        for number in 0..joints(condition) {
            self.add(Operator::AndOr, format!("{rule} #{}", number + 1), |signature| {
                if let Some(condition) = of(signature) {
                    swap(condition, &mut { number });
                }
            });
        }
    }
}

/// How many `and` and `or` of at least two parts a condition holds.
fn joints(condition: &Condition) -> usize {
    match condition {
        Condition::Evidence(_) => 0,
        Condition::Not(inner) => joints(inner),
        Condition::And(all) | Condition::Or(all) => usize::from(all.len() > 1) + all.iter().map(joints).sum::<usize>(),
        Condition::AtLeast(_, all) => all.iter().map(joints).sum(),
    }
}

/// Swaps the `and` or `or` of this number, counted from the outside to the inside. Is it done?
fn swap(condition: &mut Condition, number: &mut usize) -> bool {
    match condition {
        Condition::Evidence(_) => false,
        Condition::Not(inner) => swap(inner, number),
        Condition::AtLeast(_, all) => all.iter_mut().any(|inner| swap(inner, number)),
        Condition::And(all) | Condition::Or(all) => {
            if all.len() > 1 {
                if *number == 0 {
                    *condition = match std::mem::replace(condition, Condition::Evidence(0)) {
                        Condition::And(all) => Condition::Or(all),
                        Condition::Or(all) => Condition::And(all),
                        other => other,
                    };
                    return true;
                }
                *number -= 1;
            }
            let (Condition::And(all) | Condition::Or(all)) = condition else { return false };
            all.iter_mut().any(|inner| swap(inner, number))
        }
    }
}

/// The mistakes inside of one test.
fn changed(test: &Test) -> Vec<(Operator, String, Test)> {
    match test {
        Test::In(values) | Test::NotIn(values) if values.len() > 1 => (0..values.len())
            .map(|at| {
                let mut rest = values.clone();
                let gone = rest.remove(at);
                let what = format!("without {}", word(&gone));
                let test = if matches!(test, Test::In(_)) { Test::In(rest) } else { Test::NotIn(rest) };
                (Operator::InValue, what, test)
            })
            .collect(),
        Test::Compare(ordering, number) if *number != 0.0 => [number * 2.0, number / 2.0]
            .map(|other| (Operator::Threshold, format!("{number} -> {other}"), Test::Compare(*ordering, other)))
            .into(),
        Test::Age(age) => {
            let (word, seconds, make): (&str, i64, fn(i64) -> AgeTest) = match age {
                AgeTest::OlderThan(seconds) => ("older", *seconds, AgeTest::OlderThan),
                AgeTest::YoungerThan(seconds) => ("younger", *seconds, AgeTest::YoungerThan),
                AgeTest::DueWithin(seconds) => ("due", *seconds, AgeTest::DueWithin),
                AgeTest::Known(_) => return Vec::new(),
            };
            [seconds * 2, seconds / 2]
                .into_iter()
                .filter(|other| *other != seconds)
                .map(|other| (Operator::Threshold, format!("{word} {seconds}s -> {other}s"), Test::Age(make(other))))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// A condition in few words.
fn shown(predicate: &Predicate) -> impl fmt::Display {
    let test = match &predicate.test {
        Test::Equals(value) => format!("= {}", word(value)),
        Test::NotEquals(value) => format!("!= {}", word(value)),
        Test::In(values) => format!("in {}", words(values)),
        Test::NotIn(values) => {
            format!("not in {}", words(values))
        }
        Test::IsSet(set) => format!("is_set {set}"),
        Test::StartsWith(text) => format!("starts_with {text}"),
        Test::EndsWith(text) => format!("ends_with {text}"),
        Test::Contains(text) => format!("contains {text}"),
        Test::Matches(regex) => format!("matches {}", regex.as_str()),
        Test::Says(group, class) => format!("says {group} {}", class.as_deref().unwrap_or_default()),
        Test::Compare(ordering, number) => format!("{ordering:?} {number}"),
        Test::ComparePath(ordering, path) => format!("{ordering:?} {path}"),
        Test::Age(age) => format!("{age:?}"),
        Test::Against(comparison, _) => format!("{comparison:?}"),
    };
    let api = if predicate.api.is_empty() { String::new() } else { format!(" ({})", predicate.api.join("|")) };
    format!("{} {test}{api}", predicate.path)
}

fn operand(operand: &Operand) -> String {
    match operand {
        Operand::Entity => "$entity".to_owned(),
        Operand::EntityAttribute(name) => format!("$entity.{name}"),
        Operand::EntityPath(path) => format!("$entity.{path}"),
        Operand::Captured(name) => format!("${name}"),
        Operand::Constant(text) => text.clone(),
    }
}

/// A value in one word.
fn word(value: &Value) -> String {
    match value {
        Value::Str(text) | Value::Text(text) => text.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::UInt(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        other => format!("{other:?}"),
    }
}

fn words(values: &[Value]) -> String {
    values.iter().map(word).collect::<Vec<_>>().join("|")
}
