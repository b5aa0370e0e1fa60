//! Evidence and its one query.

use crate::compile::{Code, Compiler, Place, plain};
use crate::duration;
use crate::file::{
    CountFile, EachFile, EvidenceFile, Expect, JoinFile, LogFile, ObjectFile, SelectsFile, Text, WithinFile,
};
use crate::located::Located;
use crate::model::{
    Attribute, Capture, ContextSelector, CountWanted, EACH, Each, Evidence, Join, LogQuery, ObjectQuery, Operand,
    Other, Predicate, Query, Selects, StateQuery, Target, Test, Within,
};
use crate::scalar::Scalar;
use catalogue::kinds::{Catalogue, Collect};
use facts::kind::KindName;
use std::collections::BTreeSet;

/// What `same_namespace` joins on.
const NAMESPACE: &str = "metadata.namespace";
/// The `source` of a query that takes whatever anybody wrote into the log of the entity.
pub(crate) const ANYBODY: &str = "*";

/// The predicates that compare with a variable, and the others.
pub(super) fn parted(predicates: Vec<Predicate>) -> (Vec<Predicate>, Vec<Predicate>) {
    predicates.into_iter().partition(|predicate| matches!(predicate.test, Test::Against(_, Other::Variable(_))))
}

impl Compiler<'_, '_, '_> {
    /// Compiles one piece of evidence; the second part are the indexes of the evidence that it needs.
    pub(super) fn evidence(
        &mut self,
        index: usize,
        file: &EvidenceFile,
        all: &[EvidenceFile],
    ) -> (Option<Evidence>, BTreeSet<usize>) {
        let mut needs = BTreeSet::new();
        let query = match (&file.object, &file.log) {
            (Some(object), None) => self.object_query(object, file.id.place, &mut needs).map(Query::Object),
            (None, Some(log)) => self.log_query(log, file.id.place, all, &mut needs).map(Query::Log),
            _ => {
                let hint = "evidence is one query: either `object:` or `log:`".to_owned();
                self.report(Code::ChooseOne, file.id.place, "exactly one of `object` and `log` is needed", Some(hint));
                None
            }
        };
        needs.remove(&index);
        let ids: Vec<&str> = all.iter().map(|item| item.id.value.as_str()).collect();
        let claim = self.template_with(&ids, &file.claim);
        let evidence = query.map(|query| Evidence {
            id: file.id.value.clone(),
            hallmark: file.role.is_some(),
            claim,
            expect_absent: file.expect == Expect::Absent,
            query,
            collect: file.collect.as_ref().map(|collect| Collect {
                on: collect.on.value.clone(),
                run: self.shared(&collect.run).to_owned(),
                note: collect.note.as_ref().map(|note| self.shared(note).to_owned()),
            }),
        });
        (evidence, needs)
    }

    fn object_query(&mut self, file: &ObjectFile, place: Place, needs: &mut BTreeSet<usize>) -> Option<ObjectQuery> {
        let target = match &file.own {
            Some(own) => {
                if !own.value || file.kind.is_some() || !file.kinds.is_empty() || file.context_of.is_some() {
                    let hint = "write `self: true` alone, or a kind".to_owned();
                    self.report(Code::ChooseOne, own.place, "`self: true` stands instead of a kind", Some(hint));
                }
                if self.group {
                    let hint = "ask about the objects of the group with `kind:` and a join".to_owned();
                    self.report(Code::ChooseOne, own.place, "the entity is a value and has no object", Some(hint));
                }
                Target::Entity
            }
            None => Target::Kinds(self.kinds(file.kind.as_ref(), &file.kinds, place)),
        };
        let context = self.context(file.context.as_ref(), file.context_of.as_ref(), needs);
        let mut joins = Vec::new();
        for join in &file.join {
            let (path, is) = (self.path(&join.path), self.need(&join.is, needs));
            joins.push(path.zip(is).map(|(path, is)| Join { path, is }));
        }
        joins.extend(
            file.same_namespace.as_ref().and_then(|same| self.same_namespace(same, &target, &file.join, needs)),
        );
        let selects: Vec<Option<Selects>> = file.selects.iter().map(|selects| self.selects(selects)).collect();
        let differs: Vec<Option<(Operand, Operand)>> = file
            .differs
            .iter()
            .map(|pair| {
                let (left, right) = (self.need(&pair.left, needs), self.need(&pair.right, needs));
                left.zip(right)
            })
            .collect();
        let captures: Vec<Option<Capture>> = file.capture.iter().map(|capture| self.capture(capture)).collect();
        let filter = self.predicates(&file.filter, needs);
        let each = file.each.as_ref().map(|each| self.each(each, target == Target::Entity, needs));
        let show: Vec<_> = file.show.iter().map(|path| self.path(path)).collect();
        let (tied, filter) = parted(filter?);
        Some(ObjectQuery {
            target,
            context: context?,
            joins: joins.into_iter().collect::<Option<_>>()?,
            selects: selects.into_iter().collect::<Option<_>>()?,
            filter,
            tied,
            count: self.count(file.count.as_ref(), place),
            captures: captures.into_iter().collect::<Option<_>>()?,
            differs: differs.into_iter().collect::<Option<_>>()?,
            each: match each {
                Some(each) => Some(each?),
                None => None,
            },
            show: show.into_iter().collect::<Option<_>>()?,
        })
    }

    /// A choice by labels: one side is a path of the entity's own object.
    fn selects(&mut self, file: &SelectsFile) -> Option<Selects> {
        let by_entity = file.selector.value.starts_with('$');
        if by_entity == file.labels.value.starts_with('$') {
            let hint = format!("write `${}.PATH` on the side of the entity, and a path on the other", self.entity);
            self.report(Code::BadValue, file.selector.place, "`selects` ties the entity to another object", Some(hint));
            return None;
        }
        let (of_entity, of_object) =
            if by_entity { (&file.selector, &file.labels) } else { (&file.labels, &file.selector) };
        let (own, other) = (self.operand(of_entity)?.0, self.path(of_object)?);
        let Operand::EntityPath(own) = own else {
            let hint = format!("write a path of the entity's own object, such as `${}.metadata.labels`", self.entity);
            let message = format!("`{}` is no map of an object", of_entity.value);
            self.report(Code::BadValue, of_entity.place, message, Some(hint));
            return None;
        };
        let (selector, labels) = if by_entity { (own, other) } else { (other, own) };
        Some(Selects { selector, labels, by_entity })
    }

    /// The values of the entity's own object that name others. `own` says that the query asks about that object.
    fn each(&mut self, file: &EachFile, own: bool, needs: &mut BTreeSet<usize>) -> Option<Each> {
        if !own {
            let hint = "write `self: true` beside `each:`, and make what names the objects the entity".to_owned();
            self.report(Code::BadEach, file.path.place, "`each` reads the entity's own object", Some(hint));
        }
        let paths: Option<Vec<_>> =
            std::iter::once(&file.path).chain(&file.or_paths).map(|path| self.path(path)).collect();
        let kinds = self.kinds(file.exists.kind.as_ref(), &file.exists.kinds, file.path.place);
        let value = format!("${EACH}");
        if !file.exists.join.iter().any(|join| join.is.value == value) {
            let hint = "tie the object to the value: `join: [{ path: metadata.name, is: $each }]`".to_owned();
            self.report(Code::BadEach, file.path.place, "no join of `exists` names `$each`", Some(hint));
        }
        let mut joins = Vec::new();
        for join in &file.exists.join {
            let is = if join.is.value == value {
                Some(Operand::Captured(EACH.to_owned()))
            } else {
                self.need(&join.is, needs)
            };
            joins.push(self.path(&join.path).zip(is).map(|(path, is)| Join { path, is }));
        }
        let (same, target) = (file.exists.same_namespace.as_ref(), Target::Kinds(kinds));
        joins.extend(same.and_then(|same| self.same_namespace(same, &target, &file.exists.join, needs)));
        let (tied, filter) = parted(self.predicates(&file.exists.filter, needs)?);
        let exists = Box::new(ObjectQuery {
            target,
            context: ContextSelector::Own,
            joins: joins.into_iter().collect::<Option<_>>()?,
            selects: Vec::new(),
            filter,
            tied,
            count: CountWanted { min: 1, max: None },
            captures: Vec::new(),
            differs: Vec::new(),
            each: None,
            show: Vec::new(),
        });
        Some(Each { paths: paths?, exists, missing: file.missing.value.clone() })
    }

    /// The join that `same_namespace` stands for: none for kinds that have no namespaces; `Some(None)` if it is wrong.
    fn same_namespace(
        &mut self,
        same: &Located<Scalar>,
        target: &Target,
        joins: &[JoinFile],
        needs: &mut BTreeSet<usize>,
    ) -> Option<Option<Join>> {
        let place = same.place;
        let variable = match &same.value {
            Scalar::Bool(true) => format!("${}.namespace", self.entity),
            Scalar::Text(text) if text.starts_with('$') => text.clone(),
            _ => {
                let hint = "write `same_namespace: true`, or a variable that holds a namespace; else leave it out";
                self.report(Code::BadValue, place, "`same_namespace` is not `true`", Some(hint.to_owned()));
                return Some(None);
            }
        };
        let Target::Kinds(kinds) = target else {
            let hint = "leave it out: the entity's own object is in its own namespace".to_owned();
            self.report(Code::ChooseOne, place, "`same_namespace` stands beside a kind", Some(hint));
            return Some(None);
        };
        if let Some(join) = joins.iter().find(|join| join.path.value == NAMESPACE) {
            let hint = format!("keep `same_namespace`, or the join on `{NAMESPACE}` if it means another namespace");
            self.report(Code::ChooseOne, join.path.place, "the namespace is joined twice", Some(hint));
            return Some(None);
        }
        let catalogue = Catalogue::shared();
        let is_without = |kind: &KindName| catalogue.cluster_scoped(&catalogue.canonical(kind)) == Some(true);
        if kinds.iter().all(is_without) {
            return None;
        }
        if let Some(kind) = kinds.iter().find(|kind| is_without(kind)) {
            let hint = "ask about it in a piece of evidence of its own".to_owned();
            let message = format!("`{kind}` has no namespaces, and the other kinds have");
            self.report(Code::ChooseOne, place, message, Some(hint));
            return Some(None);
        }
        let (path, is) = (Text { value: NAMESPACE.to_owned(), place }, Text { value: variable, place });
        Some(self.path(&path).zip(self.need(&is, needs)).map(|(path, is)| Join { path, is }))
    }

    fn log_query(
        &mut self,
        file: &LogFile,
        place: Place,
        all: &[EvidenceFile],
        needs: &mut BTreeSet<usize>,
    ) -> Option<LogQuery> {
        self.log_keys(file, place);
        let context = self.context(file.context.as_ref(), file.context_of.as_ref(), needs);
        let variants = self.variants(file.regex.as_ref(), &file.variants, true);
        let attribute: Vec<Option<Attribute>> = file
            .attribute
            .iter()
            .map(|attribute| {
                let (regex, is) = (self.regex(&attribute.regex, true), self.need(&attribute.is, needs));
                let regex = regex?;
                if !regex.names().iter().any(|name| name == "named") {
                    let hint = "put the name of the entity into the group `(?P<named>...)`".to_owned();
                    self.report(Code::BadRegex, attribute.regex.place, "the regex has no group `named`", Some(hint));
                }
                Some(Attribute { regex, is: is? })
            })
            .collect();
        let (lately, lasting) = (self.duration(file.lately.as_ref()), self.duration(file.lasting.as_ref()));
        let within = file.within.as_ref().map(|within| self.within(within, place, all, needs));
        Some(LogQuery {
            source: match (&file.source, &file.own) {
                (None, Some(_)) => self.stream.map(str::to_owned),
                (Some(text), Some(_)) if text.value == ANYBODY => None,
                (source, _) => source.as_ref().map(|text| text.value.clone()),
            },
            context: context?,
            any: plain(&file.any),
            all: plain(&file.all),
            captures: if variants.is_empty() {
                Vec::new()
            } else {
                vec![Capture {
                    path: None,
                    or_paths: Vec::new(),
                    name: None,
                    variants,
                    wording: None,
                    in_short: false,
                    default: None,
                }]
            },
            state: file.state.as_ref().map(|state| StateQuery { down: plain(&state.down), up: plain(&state.up) }),
            count: self.count(file.count.as_ref(), place),
            attribute: attribute.into_iter().collect::<Option<_>>()?,
            within: within.flatten(),
            own: file.own.is_some(),
            lately: lately?,
            lasting: lasting?,
        })
    }

    /// Do the keys of a log query fit together?
    fn log_keys(&mut self, file: &LogFile, place: Place) {
        if file.any.is_empty() && file.all.is_empty() && file.state.is_none() {
            let hint =
                "name literal texts of the message in `any:`, `all:` or `state:`; a regex only sifts what they hit";
            let message = "a log query needs a literal";
            let place = file.regex.as_ref().map_or(place, |regex| regex.place);
            self.report(Code::LogWithoutLiteral, place, message, Some(hint.to_owned()));
        }
        let state_texts = file.state.iter().flat_map(|state| state.down.iter().chain(&state.up));
        for literal in file.any.iter().chain(&file.all).chain(state_texts) {
            self.long_enough(literal);
        }
        if let Some(own) = &file.own {
            let by_anybody = file.source.as_ref().is_none_or(|source| source.value == ANYBODY);
            let elsewhere = !by_anybody || file.context.is_some() || file.context_of.is_some();
            if !own.value || self.stream.is_none() || elsewhere || !file.attribute.is_empty() {
                let hint =
                    "write `self: true` where the entity is a `stream:`, without `source`, `context` and `attribute`";
                self.report(
                    Code::ChooseOne,
                    own.place,
                    "`self: true` reads the entity's own stream",
                    Some(hint.to_owned()),
                );
            }
        }
        if let (Some(lasting), true) = (&file.lasting, file.state.is_some() || file.own.is_none()) {
            let hint = "make the stream the entity, and read it with `self: true` and without `state`".to_owned();
            self.report(Code::ChooseOne, lasting.place, "`lasting` measures the lines of one stream", Some(hint));
        }
        if let Some(state) = &file.state {
            let lines_too =
                !file.any.is_empty() || !file.all.is_empty() || file.regex.is_some() || !file.variants.is_empty();
            if state.down.is_empty() || state.up.is_empty() || lines_too {
                let hint =
                    "`state` needs both `down:` and `up:` and stands instead of `any`, `all` and regexes".to_owned();
                self.report(Code::ChooseOne, place, "`state` is not complete or not alone", Some(hint));
            }
        }
    }

    fn within(
        &mut self,
        file: &WithinFile,
        place: Place,
        all: &[EvidenceFile],
        needs: &mut BTreeSet<usize>,
    ) -> Option<Within> {
        let seconds = duration::seconds(&file.duration.value);
        if seconds.is_none() {
            let at = if file.duration.place.line == 0 { place } else { file.duration.place };
            let message = format!("`{}` is not a duration", file.duration.value);
            self.report(Code::BadDuration, at, message, Some("write it as 30s, 10m, 1h or 7d".to_owned()));
        }
        if let Some(of) = &file.of {
            match all.iter().position(|item| item.id.value == of.value) {
                Some(index) => {
                    needs.insert(index);
                }
                None => {
                    let known = all.iter().map(|item| item.id.value.as_str());
                    let hint = crate::compile::suggest::did_you_mean(&of.value, known);
                    self.report(
                        Code::UnknownEvidence,
                        of.place,
                        format!("no evidence has the id `{}`", of.value),
                        hint,
                    );
                }
            }
        }
        Some(Within { seconds: seconds?, of: file.of.as_ref().map(|of| of.value.clone()) })
    }

    fn context(
        &mut self,
        role: Option<&Text>,
        of: Option<&Text>,
        needs: &mut BTreeSet<usize>,
    ) -> Option<ContextSelector> {
        match (role, of) {
            (Some(role), Some(_)) => {
                let hint = "`context:` names a role, `context_of:` leads to the workload of one Cluster".to_owned();
                self.report(Code::ChooseOne, role.place, "at most one of `context` and `context_of`", Some(hint));
                None
            }
            (Some(role), None) => self.role(Some(role)).map(ContextSelector::Role),
            (None, Some(of)) => self.need(of, needs).map(ContextSelector::WorkloadOf),
            (None, None) => Some(ContextSelector::Own),
        }
    }

    /// Reads an operand and notes which evidence must come before.
    pub(super) fn need(&mut self, text: &Text, needs: &mut BTreeSet<usize>) -> Option<Operand> {
        let (operand, from) = self.operand(text)?;
        needs.extend(from);
        Some(operand)
    }

    fn count(&mut self, file: Option<&CountFile>, place: Place) -> CountWanted {
        let Some(file) = file else { return CountWanted { min: 1, max: None } };
        let value = |number: &Option<Located<u64>>| number.as_ref().map(|n| n.value);
        let min = [value(&file.equals), value(&file.gte), value(&file.gt).map(|n| n.saturating_add(1))];
        let max = [value(&file.equals), value(&file.lte), value(&file.lt).map(|n| n.saturating_sub(1))];
        let wanted =
            CountWanted { min: min.into_iter().flatten().max().unwrap_or(0), max: max.into_iter().flatten().min() };
        let all_or_none = wanted.min == 0 && wanted.max.is_none();
        if all_or_none
            || wanted.max.is_some_and(|max| max < wanted.min)
            || file.lt.as_ref().is_some_and(|n| n.value == 0)
        {
            let hint = "use `gte`, `gt`, `lte`, `lt` or `equals` so that some numbers fit and some do not".to_owned();
            self.report(Code::BadValue, place, "no number, or every number, fits this `count`", Some(hint));
        }
        wanted
    }
}

#[cfg(test)]
mod tests {
    use crate::compile::{Proof, compile};
    use crate::explain;
    use crate::forms::signatures;
    use crate::problem::Reporter;

    /// What the page says of the first piece of evidence, whose query this is the end of, and what is wrong.
    fn compiled(query: &str) -> (String, String) {
        let text = include_str!("../../cli/new.yaml").replace("      self: true\n", "");
        let text = text.replacen("      where:", &format!("      {query}\n      where:"), 2);
        let file = signatures("a.yaml", &text).expect("it reads").remove(0);
        let mut reporter = Reporter::new("a.yaml", &text);
        let page = compile(&file, "a.yaml", Proof::None, &mut reporter).map(|it| explain::text(&it, 120));
        let line = page.as_deref().unwrap_or_default().lines().find(|line| line.contains("looks for")).map(str::trim);
        let problems: Vec<String> = reporter.finish().iter().map(ToString::to_string).collect();
        (line.unwrap_or_default().to_owned(), problems.first().cloned().unwrap_or_default())
    }

    #[test]
    fn same_namespace_is_a_join_where_the_kind_has_namespaces() {
        let page = |query: &str| {
            let (page, problem) = compiled(query);
            assert_eq!(problem, "");
            page
        };
        insta::assert_snapshot!(page("kind: pods\n      same_namespace: true"), @"looks for at least 1 `pods` whose `metadata.namespace` is the entity's namespace with");
        insta::assert_snapshot!(page("kind: nodes\n      same_namespace: true"), @"looks for at least 1 `nodes` with `status.conditions[type=Ready].status` one of `False`, `Unknown`");
        insta::assert_snapshot!(page("kind: widgets.example.com\n      join: [{ path: metadata.name, is: a }]\n      same_namespace: $node.spec.namespace"), @"looks for at least 1 `widgets.example.com` whose `metadata.name` is `a` and `metadata.namespace` is the entity's");
        insta::assert_snapshot!(page("kinds: [pods, services]\n      same_namespace: true"), @"looks for at least 1 `pods`, `services` whose `metadata.namespace` is the entity's namespace with");
    }

    #[test]
    fn same_namespace_is_said_once_and_where_it_says_something() {
        let problem = |query: &str| compiled(query).1;
        insta::assert_snapshot!(problem("self: true\n      same_namespace: true"), @"a.yaml:31:23: CFL008: `same_namespace` stands beside a kind (leave it out: the entity's own object is in its own namespace)");
        insta::assert_snapshot!(problem("kind: pods\n      same_namespace: false"), @"a.yaml:31:23: CFL004: `same_namespace` is not `true` (write `same_namespace: true`, or a variable that holds a namespace; else leave it out)");
        insta::assert_snapshot!(problem("kind: pods\n      same_namespace: shop"), @"a.yaml:31:23: CFL004: `same_namespace` is not `true` (write `same_namespace: true`, or a variable that holds a namespace; else leave it out)");
        insta::assert_snapshot!(problem("kind: pods\n      same_namespace: $nod"), @"a.yaml:31:23: CFL017: nothing captures `$nod` (did you mean `node`?)");
        insta::assert_snapshot!(problem("kind: pods\n      same_namespace: true\n      join: [{ path: metadata.namespace, is: shop }]"), @"a.yaml:32:22: CFL008: the namespace is joined twice (keep `same_namespace`, or the join on `metadata.namespace` if it means another namespace)");
        insta::assert_snapshot!(problem("kinds: [pods, nodes]\n      same_namespace: true"), @"a.yaml:31:23: CFL008: `nodes` has no namespaces, and the other kinds have (ask about it in a piece of evidence of its own)");
    }
}
