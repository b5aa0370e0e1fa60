//! Queries over objects: candidates that surely match, that may match, and whether there can be others.
//!
//! Invariants: only sure matches raise `lo`; a scope that was not looked at whole leaves `hi` open; an
//! absence that rests on a list without its command is open in the strict view.

use crate::absences::Absences;
use crate::answer::{Answered, MAX_CITATIONS};
use crate::binding;
use crate::binding::{Bound, Row, is_path};
use crate::captures;
use crate::captures::{Captured, Rows};
use crate::each;
use crate::entity::Subject;
use crate::gap::{Gap, PathOf, Why};
use crate::interval::Interval;
use crate::logic::Truth;
use crate::predicate;
use crate::predicate::Checked;
use crate::selects;
use crate::sifted::Sifted;
use catalogue::nouns;
use facts::coverage::Basis;
use facts::kind::KindName;
use facts::node::Value;
use facts::object::{ContextId, Lookup, Object, ObjectId};
use facts::origin::Citation;
use facts::spot::Spot;
use facts::store::{Absence, Facts, Scope};
use facts::unknown::{Unproven, WhyUnproven};
use signature::model::{ContextSelector, ObjectQuery, Operand, Other, Target, Test};
use std::rc::Rc;

/// Roles of which there may be any number: that none of those in the bundle has a thing says nothing
/// about the others.
const MANIFOLD_ROLES: [&str; 2] = ["workload", "member"];

/// Where a query looks.
struct Searched {
    contexts: Vec<ContextId>,
    /// There may be others that are not in the bundle.
    open: Option<Gap>,
}

/// Finds the contexts that a selector names for an entity.
///
/// # Errors
/// The reason if there is none.
pub fn contexts(
    facts: &Facts,
    selector: &ContextSelector,
    subject: &Subject,
    row: &Row,
) -> Result<(Vec<ContextId>, Option<Gap>), Box<Gap>> {
    match selector {
        ContextSelector::Own => Ok((vec![subject.context], None)),
        ContextSelector::Role(role) => {
            let with_role: Vec<ContextId> =
                facts.context_ids().filter(|id| facts.context(*id).roles.contains(role)).collect();
            if with_role.is_empty() {
                return Err(Box::new(Gap::new(Why::NoRole(role.clone()))));
            }
            let open = MANIFOLD_ROLES.contains(&role.as_str()).then(|| Gap::new(Why::MoreOfRole(role.clone())));
            Ok((with_role, open))
        }
        ContextSelector::WorkloadOf(operand) => {
            let name = match binding::resolve(facts, operand, subject, row) {
                Bound::Unknown(gap) => return Err(Box::new(gap)),
                bound => match bound.single() {
                    Some(name) => name.to_owned(),
                    None => return Err(Box::new(Gap::new(Why::NoCluster))),
                },
            };
            let found: Vec<ContextId> = facts
                .context_ids()
                .filter(|id| facts.context(*id).workload_of == Some((subject.context, name.clone())))
                .collect();
            if found.is_empty() {
                return Err(Box::new(Gap::new(Why::NothingOf(name))));
            }
            Ok((found, None))
        }
    }
}

/// Answers a query about the entity's own object.
pub(crate) fn of_entity<'f>(
    facts: &'f Facts,
    query: &ObjectQuery,
    subject: &Subject,
    row: &Row,
    absences: &Absences<'_>,
    sifted: impl Fn(ContextId) -> Rc<Sifted<'f>>,
) -> Answered {
    let Some(id) = subject.object else { return Answered::unknown(subject.no_object()) };
    // That something may be the entity is no reason to suspect it.
    let asks_nothing = query.filter.is_empty() && query.tied.is_empty() && is_untied(query);
    if let (Some(cap), true) = (&subject.cap, asks_nothing && query.captures.is_empty() && query.each.is_none()) {
        return Answered::unknown(cap.clone());
    }
    let checked = predicate::holds_all(facts, id, &query.filter);
    let mut tally = Tally::default();
    let operands: Vec<Bound> = query.joins.iter().map(|j| binding::resolve(facts, &j.is, subject, row)).collect();
    let mut matched = weigh(facts, query, subject, row, &operands, id, &checked);
    let mut weakest = checked.rests.weakest;
    let mut strictly = if checked.rests.is_firm() { matched.truth } else { Truth::Unknown };
    if let Some(each) = &query.each
        && matched.truth != Truth::False
    {
        let missing = each::missing(facts, each, subject, row, id, |row| {
            of_kinds(facts, &each.exists, subject, row, absences, &sifted)
        });
        strictly = strictly.and(missing.strict);
        weakest = weakest.min(missing.weakest);
        matched.truth = matched.truth.and(missing.truth);
        matched.citations.extend(missing.citations.into_iter().map(Spot::from));
        matched.gap = matched.gap.or(missing.gap);
        matched.rows = captures::product(&matched.rows, &missing.rows);
    }
    tally.add(facts, query, id, matched);
    let last = tally.last.unwrap_or(Truth::Unknown);
    let interval = Interval::of_one(last);
    let truth = interval.compare(query.count);
    let mut rows = tally.rows;
    rows.more = last == Truth::Unknown || tally.in_part;
    rows.more_strictly = rows.more;
    let mut answered = Answered {
        truth,
        strict: Interval::of_one(strictly).compare(query.count),
        interval,
        citations: tally.citations,
        more: 0,
        shown: tally.shown,
        gaps: if truth == Truth::Unknown { tally.gaps } else { Vec::new() },
        weakest,
        rows,
        times: Vec::new(),
    };
    if answered.citations.is_empty() {
        answered.citations.extend(place_of(facts, id));
    }
    answered.tidy();
    answered
}

/// Answers a query over the objects of kinds. `sifted` gives the sifted objects of a context.
pub(crate) fn of_kinds<'f>(
    facts: &'f Facts,
    query: &ObjectQuery,
    subject: &Subject,
    row: &Row,
    absences: &Absences<'_>,
    sifted: &impl Fn(ContextId) -> Rc<Sifted<'f>>,
) -> Answered {
    let Target::Kinds(kinds) = &query.target else { return Answered::unknown(subject.no_object()) };
    let searched = match contexts(facts, &query.context, subject, row) {
        Ok((contexts, open)) => Searched { contexts, open },
        Err(gap) => {
            let gap = match kinds.first() {
                Some(kind) if gap.can_be_collected() && gap.wants.is_none() => gap.wanting(subject.context, kind),
                _ => *gap,
            };
            return Answered::unknown(gap);
        }
    };
    let operands: Vec<Bound> = query.joins.iter().map(|j| binding::resolve(facts, &j.is, subject, row)).collect();
    for bound in &operands {
        if let Bound::Unknown(gap) = bound {
            return Answered::unknown(gap.clone());
        }
    }
    let mut tally = Tally::default();
    let scope = scope_of(query, &operands);
    let mut open = Openness { gap: searched.open.clone(), strictly: searched.open.is_some(), ..Openness::none() };
    // What else would tie them to this entity?
    let by_values_alone =
        query.selects.is_empty() && query.tied.is_empty() && query.differs.is_empty() && row.is_empty();
    for &context in &searched.contexts {
        let sifted = sifted(context);
        let of_context = |tally: &mut Tally| {
            let found = sifted.of_entity(facts, query, (subject.object, &operands), &mut tally.beyond);
            let looked_at = found.len();
            for (id, checked) in found {
                let matched = weigh(facts, query, subject, row, &operands, id, checked);
                tally.add(facts, query, id, matched);
            }
            looked_at
        };
        if by_values_alone && searched.contexts.len() == 1 {
            let weighed = sifted.weighed(&operands, || {
                let mut weighed = Tally::default();
                let looked_at = of_context(&mut weighed);
                weighed.settle_shadows(facts, absences);
                (weighed, looked_at)
            });
            tally = Rc::unwrap_or_clone(weighed);
        } else {
            of_context(&mut tally);
        }
        for kind in kinds {
            open.look(facts, absences, (context, kind, &scope), subject.object);
        }
    }
    tally.settle_shadows(facts, absences);
    conclude(query, tally, open)
}

/// What one candidate says.
struct Matched<'f> {
    truth: Truth,
    citations: Vec<Spot<'f>>,
    rows: Vec<Row>,
    gap: Option<Gap>,
    /// There may be more rows, in what is not shown of a list.
    in_part: bool,
}

impl<'f> Matched<'f> {
    /// Do the values at the paths of the joins equal their operands? Ends at the first that does not.
    fn join(&mut self, facts: &Facts, query: &ObjectQuery, operands: &[Bound], id: ObjectId) {
        for (join, operand) in query.joins.iter().zip(operands) {
            let bound = binding::at_path(facts, id, &join.path);
            // An item that is seen is enough, whatever else the list holds.
            let seen = || match (&bound, operand) {
                (Bound::Unknown(_), Bound::Values(wanted)) => {
                    binding::in_part(facts, id, &join.path).iter().any(|value| wanted.contains(value))
                }
                _ => false,
            };
            if seen() {
                continue;
            }
            let equal = bound.equals(operand);
            self.truth = self.truth.and(equal);
            if let Bound::Unknown(gap) = operand {
                self.gap.get_or_insert_with(|| gap.clone());
            }
            match bound {
                Bound::Unknown(gap) => {
                    self.gap.get_or_insert(gap);
                }
                Bound::OneOf(_) if equal == Truth::Unknown => {
                    self.gap.get_or_insert_with(|| Gap::new(Why::Differ(PathOf::of(facts, id, &join.path))));
                }
                _ => {}
            }
            if self.truth == Truth::False {
                return;
            }
        }
    }

    /// Does the selector of the one choose the other? Ends at the first that does not.
    fn select(&mut self, facts: &'f Facts, query: &ObjectQuery, subject: &Subject, id: ObjectId) {
        for selects in &query.selects {
            if self.truth == Truth::False {
                return;
            }
            let (chosen, gap) = match subject.object {
                Some(entity) => selects::holds(facts, selects, entity, id),
                None => (Truth::Unknown, Some(subject.no_object())),
            };
            self.truth = self.truth.and(chosen);
            self.gap = self.gap.take().or(gap);
            let (own, other) = match selects.by_entity {
                true => (&selects.selector, &selects.labels),
                false => (&selects.labels, &selects.selector),
            };
            cite(facts, id, other, &mut self.citations);
            if let Some(entity) = subject.object {
                cite(facts, entity, own, &mut self.citations);
            }
        }
    }
}

/// Does nothing tie the objects of a query to the entity, whatever else is known?
fn is_untied(query: &ObjectQuery) -> bool {
    query.joins.is_empty() && query.selects.is_empty()
}

/// Joins, captures and `differs` of one candidate that passed the conditions so far.
fn weigh<'f>(
    facts: &'f Facts,
    query: &ObjectQuery,
    subject: &Subject,
    row: &Row,
    operands: &[Bound],
    id: ObjectId,
    checked: &Checked<'f>,
) -> Matched<'f> {
    let mut matched = Matched {
        truth: checked.truth,
        citations: checked.citations.clone(),
        rows: Vec::new(),
        gap: checked.gap.clone(),
        in_part: false,
    };
    matched.join(facts, query, operands, id);
    matched.select(facts, query, subject, id);
    if matched.truth == Truth::False {
        return matched;
    }
    for predicate in &query.tied {
        let Test::Against(_, Other::Variable(operand)) = &predicate.test else { continue };
        let other = binding::resolve(facts, operand, subject, row);
        let compared = predicate::holds_against(facts, id, predicate, &other);
        matched.truth = matched.truth.and(compared.truth);
        if matched.truth == Truth::False {
            return matched;
        }
        matched.citations.extend(compared.citations);
        matched.gap = matched.gap.or(compared.gap);
    }
    let tuples = match captures::of_object(facts, id, &query.captures) {
        Captured::Tuples(tuples, in_part) => {
            matched.in_part = in_part;
            tuples
        }
        Captured::NoText => {
            matched.truth = Truth::False;
            return matched;
        }
        Captured::Unknown(gap) => {
            matched.truth = matched.truth.and(Truth::Unknown);
            matched.gap = matched.gap.or(Some(gap));
            return matched;
        }
    };
    for capture in &query.captures {
        for path in capture.path.iter().chain(&capture.or_paths) {
            cite(facts, id, path, &mut matched.citations);
        }
    }
    // What ties the object to the entity tells least, so it is cited last.
    for join in &query.joins {
        cite(facts, id, &join.path, &mut matched.citations);
    }
    let mut any = Truth::False;
    for tuple in tuples {
        let mut whole = row.clone();
        whole.extend(tuple);
        let resolve = |operand: &Operand| binding::resolve(facts, operand, subject, &whole);
        let differs = query.differs.iter().map(|(left, right)| resolve(left).differs(&resolve(right)));
        let truth = Truth::all(differs);
        any = any.or(truth);
        if truth == Truth::True {
            matched.rows.push(whole);
        }
    }
    if any == Truth::Unknown {
        let gap = || Gap::new(Why::NotOnBothSides);
        matched.gap = matched.gap.or_else(|| Some(gap()));
    }
    matched.truth = matched.truth.and(any);
    matched
}

/// Cites where the values of a path stand, and what they rest on if they were derived.
fn cite<'f>(facts: &'f Facts, id: ObjectId, path: &facts::path::Path, citations: &mut Vec<Spot<'f>>) {
    if let Lookup::Found(values) | Lookup::AtLeast(values) = facts.lookup(id, path) {
        citations.extend(values.into_iter().map(|(_, citation)| citation));
        citations.extend(facts.rests_on(id, path).iter().map(Spot::from));
    }
}

fn cited(spots: Vec<Spot<'_>>) -> Vec<Citation> {
    spots.iter().map(Spot::cite).collect()
}

/// Matches as they are found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    sure: u64,
    maybe: u64,
    /// Possible matches that were not looked at one by one.
    beyond: u64,
    shadows: Vec<ObjectId>,
    /// What the last candidate said.
    last: Option<Truth>,
    citations: Vec<Citation>,
    more: u64,
    shown: Vec<Vec<(String, String)>>,
    gaps: Vec<Gap>,
    rows: Rows,
    /// Shadows that only a list without its command places.
    maybe_strictly: u64,
    /// Rows were read from a list that is not shown whole.
    in_part: bool,
}

impl Tally {
    fn add(&mut self, facts: &Facts, query: &ObjectQuery, id: ObjectId, matched: Matched<'_>) {
        let object = facts.object(id);
        let of_entity = query.target == Target::Entity;
        // A manifest is what somebody wanted: nobody knows whether the object is there.
        let shadow = object.shadow || object.is_manifest() && !of_entity;
        let disputed = object.presence.is_disputed() && !of_entity;
        self.last = Some(matched.truth);
        match matched.truth {
            Truth::False => {
                if self.citations.is_empty() && query.target == Target::Entity {
                    self.citations = cited(matched.citations);
                }
            }
            Truth::True if !shadow && !disputed => {
                self.sure += 1;
                self.in_part |= matched.in_part;
                self.rows.extend(matched.rows);
                if self.shown.len() < MAX_CITATIONS {
                    self.shown.push(shown(facts, query, id));
                    self.citations.extend(if matched.citations.is_empty() {
                        place_of(facts, id).into_iter().collect()
                    } else {
                        cited(matched.citations)
                    });
                } else {
                    self.more += 1;
                }
            }
            Truth::True | Truth::Unknown => {
                if shadow {
                    self.shadows.push(id);
                    let object = facts.object(id);
                    let why = Why::OneOfSeveral(object.kind.clone(), object.name.clone());
                    self.gaps.push(Gap::new(why).wanting(object.context, &object.kind));
                } else {
                    self.maybe += 1;
                }
                if let Some(ended) = object.presence.ended().filter(|_| disputed) {
                    let why = Why::MayBeGone(object.kind.clone(), object.name.clone(), ended.how);
                    self.gaps.push(Gap::new(why));
                    self.citations.push(ended.citation.clone());
                }
                self.gaps.extend(matched.gap);
                if query.target == Target::Entity && self.citations.is_empty() {
                    self.citations = cited(matched.citations);
                }
            }
        }
    }

    /// A shadow is one more only while no whole list holds its name.
    fn settle_shadows(&mut self, facts: &Facts, absences: &Absences<'_>) {
        for id in std::mem::take(&mut self.shadows) {
            let object = facts.object(id);
            let scope = Scope { namespace: object.namespace.clone(), name: Some(object.name.clone()) };
            match &*absences.of(object.context, &object.kind, &scope) {
                Absence::Stated(_) => {}
                Absence::Listed(_) | Absence::Rows(_) => self.maybe_strictly += 1,
                Absence::Unknown { .. } => self.maybe += 1,
            }
        }
    }
}

/// Whether there can be matches that nobody saw.
struct Openness {
    /// Why, if so.
    gap: Option<Gap>,
    /// The same in the strict view.
    strictly: bool,
    /// The weakest list that it rests on.
    weakest: Basis,
    searched: Vec<Citation>,
}

impl Openness {
    fn none() -> Self {
        Self { gap: None, strictly: false, weakest: Basis::Stated, searched: Vec::new() }
    }

    /// Looks at a scope for an object that may refer to what is in it.
    fn look(
        &mut self,
        facts: &Facts,
        absences: &Absences<'_>,
        (context, kind, scope): (ContextId, &KindName, &Scope),
        referring: Option<ObjectId>,
    ) {
        let absence = absences.of(context, kind, scope);
        if let (Absence::Stated(citations) | Absence::Listed(citations) | Absence::Rows(citations), Some(referring)) =
            (&*absence, referring)
            && absences.are_older(context, citations, referring)
        {
            let name = facts.context(context).name.clone();
            let why = Unproven {
                kind: kind.clone(),
                context: name,
                namespace: scope.namespace.clone(),
                why: WhyUnproven::Older,
            };
            self.strictly = true;
            self.searched.extend(citations.iter().cloned());
            self.gap.get_or_insert_with(|| Gap::new(Why::Unproven(why)).wanting(context, kind));
            return;
        }
        // What was there when a program answered, and went away later, was not missing then.
        let went = |referring: ObjectId| {
            let derived = facts.object(referring).kind.group == "casefile.dev";
            let name = scope.name.as_ref().filter(|_| derived)?;
            let mut gone = facts.gone_of_kind(context, kind).iter().map(|id| facts.object(*id));
            let here = |of: &Object| scope.namespace.is_none() || of.namespace == scope.namespace;
            gone.find(|object| object.name == *name && here(object))
        };
        if let Some(object) = referring.and_then(went)
            && let Some(ended) = object.presence.ended()
        {
            self.strictly = true;
            self.searched.push(ended.citation.clone());
            let why = Why::MayBeGone(kind.clone(), object.name.clone(), ended.how);
            self.gap.get_or_insert_with(|| Gap::new(why));
            return;
        }
        match &*absence {
            Absence::Stated(citations) => self.searched.extend(citations.iter().cloned()),
            Absence::Listed(citations) | Absence::Rows(citations) => {
                let by_rows = matches!(&*absence, Absence::Rows(_));
                self.strictly = true;
                self.weakest = self.weakest.min(if by_rows { Basis::Rows } else { Basis::Listed });
                self.searched.extend(citations.iter().cloned());
            }
            Absence::Unknown { why, citations, .. } => {
                self.strictly = true;
                if self.gap.is_none() {
                    self.gap = Some(Gap::new(Why::Unproven((**why).clone())).wanting(context, kind));
                    self.searched.extend(citations.iter().cloned());
                }
            }
        }
    }
}

fn conclude(query: &ObjectQuery, tally: Tally, open: Openness) -> Answered {
    let possible = tally.sure + tally.maybe + tally.beyond;
    let interval = Interval { lo: tally.sure, hi: open.gap.is_none().then_some(possible) };
    let strictly = Interval { lo: tally.sure, hi: (!open.strictly).then_some(possible + tally.maybe_strictly) };
    let truth = interval.compare(query.count);
    let mut rows = tally.rows;
    rows.more |= tally.in_part || interval.hi != Some(interval.lo);
    rows.more_strictly |= tally.in_part || strictly.hi != Some(strictly.lo);
    let mut gaps = Vec::new();
    if truth == Truth::Unknown {
        gaps = tally.gaps;
        gaps.extend(open.gap);
        if tally.beyond > 0 {
            gaps.push(Gap::new(Why::Unrelated(tally.beyond)));
        }
    }
    let mut citations = tally.citations;
    let bounded_matters = truth == Truth::False || query.count.max.is_some() || truth == Truth::Unknown;
    if tally.sure == 0 || bounded_matters {
        citations.extend(open.searched);
    }
    let mut answered = Answered {
        truth,
        strict: strictly.compare(query.count),
        interval,
        citations,
        more: tally.more,
        shown: tally.shown,
        gaps,
        weakest: if tally.sure == 0 || bounded_matters { open.weakest } else { Basis::Stated },
        rows,
        times: Vec::new(),
    };
    answered.tidy();
    answered
}

/// The scope that a query needs: narrowed only by equality on name or namespace.
fn scope_of(query: &ObjectQuery, operands: &[Bound]) -> Scope {
    let mut scope = Scope::default();
    let mut narrow = |path: &facts::path::Path, value: &str| {
        if is_path(path, &["metadata", "name"]) {
            scope.name = Some(value.to_owned());
        } else if is_path(path, &["metadata", "namespace"]) {
            scope.namespace = Some(value.to_owned());
        }
    };
    for predicate in query.filter.iter().filter(|p| p.api.is_empty() && p.or_paths.is_empty()) {
        if let Test::Equals(Value::Str(value) | Value::Text(value)) = &predicate.test {
            narrow(&predicate.path, value);
        }
    }
    for (join, operand) in query.joins.iter().zip(operands) {
        if let Some(value) = operand.single() {
            narrow(&join.path, value);
        }
    }
    scope
}

/// The paths that a query wants shown, as a reader says them, with the values of one match that are known.
fn shown(facts: &Facts, query: &ObjectQuery, id: ObjectId) -> Vec<(String, String)> {
    let value = |path| match facts.lookup(id, path) {
        Lookup::Found(values) | Lookup::AtLeast(values) => {
            let all = values.iter().map(|(node, _)| node.to_string()).collect::<Vec<_>>().join(", ");
            (!all.is_empty()).then_some(all)
        }
        Lookup::NotSet(_) => Some("not set".to_owned()),
        Lookup::NotSetOrEmpty(_) => Some("not set or empty".to_owned()),
        Lookup::Redacted(_) => Some("masked".to_owned()),
        Lookup::Unknown(_) => None,
    };
    let kind = &facts.object(id).kind;
    query.show.iter().filter_map(|path| Some((nouns::path(kind, path), value(path)?))).collect()
}

/// Where an object stands: the beginning of its winning sighting. A derived object may stand nowhere.
pub fn place_of(facts: &Facts, id: ObjectId) -> Option<Citation> {
    let object = facts.object(id);
    let record = &object.sightings.first()?.record;
    let namespace = object.namespace.as_ref().map(|namespace| format!("{namespace}/")).unwrap_or_default();
    let kind = nouns::nouns(&object.kind).map_or_else(|| object.kind.to_string(), |(one, _)| one.to_owned());
    let words = format!("{kind} {namespace}{}", object.name);
    let known = facts.members.contains_key(&record.member);
    known.then(|| Citation::line(record.member, record.line, &words).with_path(record.path.clone()))
}
