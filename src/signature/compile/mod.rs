//! From a signature as it is written to a signature as the engine reads it.
//!
//! Why one pass for loading and for lint: what cannot be compiled must never run, and what runs must be
//! what was checked. Lint adds what only a person misses (advice, tests, relations to other files).
//!
//! Invariants: every mistake is reported, not only the first; a signature comes out only if none was
//! found; evidence comes out in an order in which each capture precedes its use.

mod order;
mod predicate;
mod query;
pub(crate) use query::ANYBODY;
mod regexes;
mod texts;

use crate::code::Code;
use crate::condition;
use crate::condition::Expression;
use crate::file::{Accepts, EntityFile, EvidenceFile, ExplainFile, SignatureFile, Text};
use crate::located::Place;
use crate::model::{
    Condition, Entity, EntitySource, Escalation, Evidence, Operand, PacketItem, Reference, Relation, RelationKind,
    Signature, StreamEntity, VariantHeadline, VerdictRules, VerdictWord,
};
use crate::problem::Reporter;
use crate::related::{RelationFile, TieFile, Tied};
use crate::{duration, template, variables};
use facts::kind::KindName;
use facts::lazy_regex::LazyRegex;
use facts::path::Path;
use facts::suggest;
use std::collections::{BTreeMap, BTreeSet};

/// The version of the format that this program reads.
pub(crate) const SCHEMA: u64 = 1;

/// The roles that a context can have.
pub const ROLES: [&str; 5] = ["global", "hub", "management", "member", "workload"];

/// What is known of a signature before it is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// Nothing: each of its regexes is compiled at once, so that a bad one is told.
    None,
    /// It is embedded in the binary, and the tests of this crate compile each of its regexes.
    Tests,
}

/// Compiles a signature; `None` if something was reported.
pub fn compile(file: &SignatureFile, name: &str, proof: Proof, reporter: &mut Reporter<'_>) -> Option<Signature> {
    let file = &file.with_names();
    let mut compiler = Compiler {
        proof,
        regexes: BTreeMap::new(),
        entity: &file.entity.name.value,
        group: file.entity.group.is_some() || file.entity.stream.is_some(),
        stream: file.entity.stream.as_ref().map(|stream| stream.source.value.as_str()),
        captures: BTreeMap::new(),
        used: BTreeSet::new(),
        failed: false,
        reporter,
    };
    let signature = compiler.signature(file, name);
    if compiler.failed { None } else { signature }
}

/// What is known while one signature is compiled.
struct Compiler<'a, 'r, 's> {
    proof: Proof,
    /// Regexes by their text.
    regexes: BTreeMap<String, LazyRegex>,
    /// Name of the entity's variable.
    entity: &'a str,
    /// The entity is a value or a stream and has no fields.
    group: bool,
    /// The class of logs of which the entity is a stream, if it is one.
    stream: Option<&'a str>,
    /// Captured names: which evidence captures it, and where.
    captures: BTreeMap<String, (usize, Place)>,
    /// Captured names that something reads.
    used: BTreeSet<String>,
    failed: bool,
    reporter: &'r mut Reporter<'s>,
}

impl Compiler<'_, '_, '_> {
    fn report(&mut self, code: Code, place: Place, message: impl Into<String>, hint: Option<String>) {
        self.failed = true;
        self.reporter.report(code, place, message, hint);
    }

    fn signature(&mut self, file: &SignatureFile, name: &str) -> Option<Signature> {
        self.identity(file);
        let entity = self.entity(&file.entity);
        let requires = file.requires.iter().filter_map(|kind| self.kind(kind)).collect();
        self.evidence_ids(file);
        self.collect_captures(&file.evidence);
        let mut needs = Vec::new();
        let mut evidence: Vec<Option<Evidence>> = Vec::new();
        for (index, item) in file.evidence.iter().enumerate() {
            let (compiled, uses) = self.evidence(index, item, &file.evidence);
            evidence.push(compiled);
            needs.push(uses);
        }
        let order = self.order(&file.evidence, &needs)?;
        let verdict = self.verdict(file, &order);
        let explain = self.sentences(file, file.explain.as_ref());
        let headline = self.sentences(file, file.headline.as_ref());
        let variant_headlines = file.variants().filter_map(|variant| {
            let headline = self.sentences(file, Some(variant.headline.as_ref()?));
            Some(VariantHeadline { mark: regexes::mark(variant), regex: variant.regex.value.clone(), headline })
        });
        let variant_headlines = variant_headlines.collect();
        let remediation = self.remediation(file, &order);
        let relations = file.relations.iter().map(|relation| self.relation(relation)).collect();
        let [breaks, suffers] =
            [&file.breaks, &file.suffers].map(|ties| ties.iter().map(|tie| self.tied(tie)).collect());
        let escalation = file.escalation.as_ref().map(|escalation| Escalation {
            to: escalation.to.value.clone(),
            when: escalation.when,
            include: escalation
                .include
                .iter()
                .map(|item| {
                    if !matches!(item.from.value.as_str(), "entity" | "all") {
                        self.known_evidence(file, &item.from.value, item.from.place);
                    }
                    PacketItem { title: item.title.value.clone(), from: item.from.value.clone(), lines: item.lines }
                })
                .collect(),
        });
        self.unused_captures();
        let evidence: Vec<Evidence> =
            order.into_iter().map(|index| evidence.get_mut(index)?.take()).collect::<Option<_>>()?;
        Some(Signature {
            id: file.id.value.clone(),
            name: file.name.value.clone(),
            title: file.title.value.trim().to_owned(),
            summary: file.summary.value.trim().to_owned(),
            status: file.status,
            severity: file.severity.value,
            reviewed: file.reviewed.value.clone(),
            aliases: plain(&file.aliases),
            tags: plain(&file.tags),
            general: file.general,
            applies_to: file.applies_to.as_ref().map(|text| text.value.clone()),
            requires,
            references: file
                .references
                .iter()
                .map(|reference| Reference {
                    title: reference.title.value.clone(),
                    section: reference.section.as_ref().map(|text| text.value.clone()),
                    url: reference.url.as_ref().map(|text| text.value.clone()),
                })
                .collect(),
            entity: entity?,
            evidence,
            verdict: verdict?,
            explain,
            headline,
            variant_headlines,
            remediation,
            relations,
            breaks,
            suffers,
            escalation,
            file: name.to_owned(),
        })
    }

    fn identity(&mut self, file: &SignatureFile) {
        if file.schema.value != SCHEMA {
            let message = format!("format version {} is not known", file.schema.value);
            self.report(Code::UnknownSchema, file.schema.place, message, Some(format!("write `schema: {SCHEMA}`")));
        }
        if !is_signature_id(&file.id.value) {
            let hint = "an id is capital letters, a dash and digits: `CF-1001`";
            self.report(Code::BadId, file.id.place, format!("`{}` is not an id", file.id.value), Some(hint.to_owned()));
        }
        for name in [&file.name, &file.entity.name] {
            if !is_slug(&name.value) {
                let hint = "use lower-case letters, digits and dashes, beginning with a letter";
                self.report(Code::BadId, name.place, format!("`{}` is not a name", name.value), Some(hint.to_owned()));
            }
        }
        if file.reviewed.value.parse::<jiff::civil::Date>().is_err() || file.reviewed.value.len() != 10 {
            let message = format!("`{}` is not a date", file.reviewed.value);
            self.report(Code::BadId, file.reviewed.place, message, Some("write it as 2026-11-21".to_owned()));
        }
    }

    fn entity(&mut self, file: &EntityFile) -> Option<Entity> {
        let name = file.name.value.clone();
        match (&file.object, &file.group, &file.stream) {
            (Some(object), None, None) => {
                let kinds = self.kinds(object.kind.as_ref(), &object.kinds, file.name.place);
                let filter = self.entity_predicates(&object.filter);
                let context = self.role(object.context.as_ref());
                let accepts_manifests = object.accepts == Some(Accepts::Manifests);
                Some(Entity {
                    name,
                    source: EntitySource::Object { kinds, filter: filter?, accepts_manifests },
                    context,
                })
            }
            (None, Some(group), None) => {
                let (kind, by) = (self.kind(&group.kind), self.path(&group.by));
                let context = self.role(group.context.as_ref());
                Some(Entity { name, source: EntitySource::Group { kind: kind?, by: by? }, context })
            }
            (None, None, Some(stream)) => {
                for literal in &stream.any {
                    self.long_enough(literal);
                }
                if stream.any.is_empty() {
                    let hint = "name what makes a stream worth a look, in the words of its lines".to_owned();
                    self.report(Code::LogWithoutLiteral, stream.source.place, "`any` is empty", Some(hint));
                }
                let lately = self.duration(stream.lately.as_ref());
                let context = self.role(stream.context.as_ref());
                let (source, any) = (stream.source.value.clone(), plain(&stream.any));
                Some(Entity {
                    name,
                    source: EntitySource::Stream(StreamEntity { source, any, lately: lately? }),
                    context,
                })
            }
            _ => {
                let hint =
                    "an entity is `object:` (a kind), `group:` (the values of a path) or `stream:` (a class of logs)";
                let message = "exactly one of `object`, `group` and `stream` is needed";
                self.report(Code::ChooseOne, file.name.place, message, Some(hint.to_owned()));
                None
            }
        }
    }

    /// A duration that may be left out; `None` if it is none.
    fn duration(&mut self, text: Option<&Text>) -> Option<Option<i64>> {
        let Some(text) = text else { return Some(None) };
        let seconds = duration::seconds(&text.value);
        if seconds.is_none() {
            let message = format!("`{}` is not a duration", text.value);
            self.report(Code::BadDuration, text.place, message, Some("write it as 30s, 10m, 1h or 7d".to_owned()));
        }
        seconds.map(Some)
    }

    /// A literal that a line is looked for by.
    fn long_enough(&mut self, literal: &Text) {
        if literal.value.trim().len() < 3 {
            let hint = "a literal shorter than 3 letters hits nearly every line".to_owned();
            let message = format!("`{}` is too short", literal.value);
            self.report(Code::LogWithoutLiteral, literal.place, message, Some(hint));
        }
    }

    /// `kind` or `kinds`, exactly one of them.
    fn kinds(&mut self, one: Option<&Text>, many: &[Text], place: Place) -> Vec<KindName> {
        if one.is_some() != many.is_empty() {
            self.report(Code::ChooseOne, place, "exactly one of `kind` and `kinds` is needed", None);
        }
        one.into_iter().chain(many).filter_map(|kind| self.kind(kind)).collect()
    }

    fn kind(&mut self, text: &Text) -> Option<KindName> {
        let (plural, group) = text.value.split_once('.').unwrap_or((&text.value, ""));
        let label = |label: &str| {
            !label.is_empty() && label.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        };
        let shaped = label(plural) && (group.is_empty() || group.split('.').all(label));
        if shaped && (!group.is_empty() || plural.ends_with('s')) {
            return Some(KindName::parse(&text.value));
        }
        let hint = "a kind is its lower-case plural and its API group, without a version: \
                    `machines.cluster.x-k8s.io`; kinds of the core group are the bare plural: `pods`";
        self.report(Code::BadKind, text.place, format!("`{}` is not a kind", text.value), Some(hint.to_owned()));
        None
    }

    fn role(&mut self, role: Option<&Text>) -> Option<String> {
        let role = role?;
        if !ROLES.contains(&role.value.as_str()) {
            let hint = suggest::did_you_mean(&role.value, ROLES)
                .unwrap_or_else(|| format!("the roles are {}", ROLES.map(|r| format!("`{r}`")).join(", ")));
            self.report(Code::BadValue, role.place, format!("`{}` is not a role of a context", role.value), Some(hint));
        }
        Some(role.value.clone())
    }

    fn path(&mut self, text: &Text) -> Option<Path> {
        match Path::parse(&text.value) {
            Ok(path) => Some(path),
            Err(error) => {
                let place = self.reporter.inside(text.place, &text.value, error.offset, 1);
                let hint = "write it like `status.conditions[type=Ready].status` or `metadata.labels[\"a.b/c\"]`";
                let message = format!("`{}` is not a path: expected {}", text.value, error.expected);
                self.report(Code::BadPath, place, message, Some(hint.to_owned()));
                None
            }
        }
    }

    /// Reads a variable and remembers its use. The second part is the capture that it reads.
    fn operand(&mut self, text: &Text) -> Option<(Operand, Option<usize>)> {
        match variables::parse(&text.value, self.entity, self.group) {
            Ok(Operand::Captured(name)) => match self.captures.get(&name) {
                Some((by, _)) => {
                    let by = *by;
                    self.used.insert(name.clone());
                    Some((Operand::Captured(name), Some(by)))
                }
                None => {
                    let known = self.captures.keys().map(String::as_str).chain([self.entity]);
                    let hint = suggest::did_you_mean(&name, known).unwrap_or_else(|| {
                        format!("the entity is `${}`; everything else must be captured", self.entity)
                    });
                    self.report(Code::UnknownVariable, text.place, format!("nothing captures `${name}`"), Some(hint));
                    None
                }
            },
            Ok(operand) => Some((operand, None)),
            Err(message) => {
                self.report(Code::UnknownVariable, text.place, message, None);
                None
            }
        }
    }

    fn evidence_ids(&mut self, file: &SignatureFile) {
        let mut seen = BTreeSet::new();
        for name in file.names.iter().filter(|name| name.object.capture.is_empty()) {
            let hint = "take values out of it with `capture:`, and read them as `$name`".to_owned();
            let message = format!("nothing can read `{}`", name.name.value);
            self.report(Code::UnusedCapture, name.name.place, message, Some(hint));
        }
        for (index, item) in file.evidence.iter().enumerate() {
            let id = item.id.value.trim_start_matches(if index < file.names.len() { "$" } else { "" });
            if !is_slug(id) || matches!(id, "and" | "or" | "not" | "of") {
                let hint = "use lower-case letters, digits and dashes, beginning with a letter";
                self.report(Code::BadId, item.id.place, format!("`{id}` is not an id"), Some(hint.to_owned()));
            }
            if !seen.insert(id) {
                let hint = "give each piece of evidence an id of its own".to_owned();
                self.report(Code::DuplicateId, item.id.place, format!("the id `{id}` is used twice"), Some(hint));
            }
        }
        if file.evidence.len() == file.names.len() {
            let hint = "a signature needs at least one piece of evidence".to_owned();
            self.report(Code::MissingKey, file.id.place, "`evidence` is empty", Some(hint));
        }
    }

    fn known_evidence(&mut self, file: &SignatureFile, id: &str, place: Place) -> bool {
        let known = || file.evidence.iter().skip(file.names.len()).map(|item| item.id.value.as_str());
        if known().any(|known| known == id) {
            return true;
        }
        let hint = suggest::did_you_mean(id, known()).unwrap_or_else(|| {
            format!(
                "the ids of this signature are {}",
                known().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ")
            )
        });
        self.report(Code::UnknownEvidence, place, format!("no evidence has the id `{id}`"), Some(hint));
        false
    }

    fn verdict(&mut self, file: &SignatureFile, order: &[usize]) -> Option<VerdictRules> {
        let rules = &file.verdict;
        if rules.suspect.is_none() && !file.evidence.iter().any(|item| item.role.is_some()) {
            let hint = "mark the telling evidence with `role: hallmark`, or write `suspect:`".to_owned();
            let message = "nothing says when there is reason to suspect this";
            self.report(Code::NoSuspicion, rules.confirmed.place, message, Some(hint));
        }
        let confirmed = self.condition(file, &rules.confirmed, order);
        let mut optional = |text: &Option<Text>| text.as_ref().map(|text| self.condition(file, text, order));
        let (probable, resolved) = (optional(&rules.probable), optional(&rules.resolved));
        let (ruled_out, suspect) = (optional(&rules.ruled_out), optional(&rules.suspect));
        self.no_log_rules_out(file);
        self.no_ignorance_decides(file);
        Some(VerdictRules {
            confirmed: confirmed?,
            probable: probable.flatten(),
            resolved: resolved.flatten(),
            ruled_out: ruled_out.flatten(),
            suspect: suspect.flatten(),
        })
    }

    pub(crate) fn condition(&mut self, file: &SignatureFile, text: &Text, order: &[usize]) -> Option<Condition> {
        self.condition_over(file, text, order, &[])
    }

    /// A condition of a step, which may also ask whether an object was found that the signature has a name for.
    pub(crate) fn step_condition(&mut self, file: &SignatureFile, text: &Text, order: &[usize]) -> Option<Condition> {
        let names: Vec<&str> = file.names.iter().map(|name| name.name.value.as_str()).collect();
        self.condition_over(file, text, order, &names)
    }

    fn condition_over(
        &mut self,
        file: &SignatureFile,
        text: &Text,
        order: &[usize],
        names: &[&str],
    ) -> Option<Condition> {
        match condition::parse(&text.value) {
            Ok(expression) => {
                let mut known = true;
                for (id, at) in expression.ids() {
                    let place = self.reporter.inside(text.place, &text.value, at, id.len());
                    known &= names.contains(&id) || self.known_evidence(file, id, place);
                }
                known.then(|| resolve(&expression, file, order)).flatten()
            }
            Err(error) => {
                let place = self.reporter.inside(text.place, &text.value, error.at, 1);
                let hint = "a condition is made of evidence ids, `and`, `or`, `not`, `2 of (a, b, c)` and parentheses";
                self.report(Code::BadCondition, place, error.expected, Some(hint.to_owned()));
                None
            }
        }
    }

    /// Logs are never whole, so a line query can not be ground to rule something out.
    fn no_log_rules_out(&mut self, file: &SignatureFile) {
        let Some(text) = &file.verdict.ruled_out else { return };
        let Ok(expression) = condition::parse(&text.value) else { return };
        for (id, at) in expression.ids() {
            if file.evidence.iter().any(|item| item.id.value == id && item.log.is_some()) {
                let place = self.reporter.inside(text.place, &text.value, at, id.len());
                let hint = "rule out by an object, a `(NotFound)` or a whole list; a log line may confirm or resolve";
                let message = format!("`{id}` is a query over log lines");
                self.report(Code::LogRulesOut, place, message, Some(hint.to_owned()));
            }
        }
    }

    /// What holds because something is not known may raise a suspicion and decides nothing.
    fn no_ignorance_decides(&mut self, file: &SignatureFile) {
        let unknowing = |item: &EvidenceFile| {
            let filter = item.object.iter().flat_map(|object| &object.filter);
            filter.filter_map(|predicate| predicate.age_known.as_ref()).any(|known| !known.value)
        };
        let rules = &file.verdict;
        let deciding =
            [Some(&rules.confirmed), rules.probable.as_ref(), rules.resolved.as_ref(), rules.ruled_out.as_ref()];
        for text in deciding.into_iter().flatten() {
            let Ok(expression) = condition::parse(&text.value) else { continue };
            for (id, at) in expression.ids() {
                if file.evidence.iter().any(|item| item.id.value == id && unknowing(item)) {
                    let place = self.reporter.inside(text.place, &text.value, at, id.len());
                    let hint = "use it in `suspect:` and decide by `older_than` or `younger_than`".to_owned();
                    let message = format!("`{id}` holds where an age is not known");
                    self.report(Code::IgnoranceDecides, place, message, Some(hint));
                }
            }
        }
    }

    fn relation(&mut self, file: &RelationFile) -> Relation {
        if file.kind.value == RelationKind::DistinctFrom && file.by.is_none() {
            let hint = "say in `by:` how a person tells the two apart".to_owned();
            self.report(Code::BadRelation, file.to.place, "`distinct_from` needs `by`", Some(hint));
        }
        let mut matches = Vec::new();
        let mut connects = false;
        for (left, right) in &file.matches {
            let left_text = Text { value: left.clone(), place: right.place };
            let operand = self.operand(&left_text);
            let is_word = matches!(operand, Some((Operand::Constant(_), _)));
            connects |= !is_word && right.value.starts_with('$');
            matches.push((left.clone(), right.value.clone()));
        }
        if let Some((left, right)) = file.matches.iter().next().filter(|_| !connects) {
            let hint = "write `match: { $own.name: $other }`: the left side is a variable of this signature, the right \
                        side one of the other; beside such a pair one side of another may be a word";
            let message = format!("`{left}: {}` does not connect two variables", right.value);
            self.report(Code::BadRelation, right.place, message, Some(hint.to_owned()));
        }
        Relation {
            kind: file.kind.value,
            to: file.to.value.clone(),
            matches,
            by: file.by.as_ref().map(|text| text.value.clone()),
            unless: file.unless.iter().map(|id| id.value.clone()).collect(),
        }
    }

    fn tied(&mut self, file: &TieFile) -> Tied {
        if catalogue::ties::named(&file.tie.value).is_none() {
            let hint = suggest::did_you_mean(&file.tie.value, catalogue::ties::names());
            let message = format!("there is no tie `{}` in ties.yaml", file.tie.value);
            self.report(Code::BadRelation, file.tie.place, message, hint);
        }
        Tied {
            tie: file.tie.value.clone(),
            at: file.at.as_ref().and_then(|path| self.path(path)),
            is: file.is.as_ref().map(|text| text.value.clone()),
            every: file.every,
        }
    }

    fn sentences(
        &mut self,
        file: &SignatureFile,
        of: Option<&ExplainFile>,
    ) -> BTreeMap<VerdictWord, crate::model::Template> {
        let Some(of) = of else { return BTreeMap::new() };
        [
            (VerdictWord::Confirmed, &of.confirmed),
            (VerdictWord::Probable, &of.probable),
            (VerdictWord::Undecided, &of.undecided),
            (VerdictWord::Resolved, &of.resolved),
            (VerdictWord::RuledOut, &of.ruled_out),
        ]
        .into_iter()
        .filter_map(|(word, text)| Some((word, self.template(file, text.as_ref()?))))
        .collect()
    }

    fn unused_captures(&mut self) {
        let unused: Vec<(String, Place)> = self
            .captures
            .iter()
            .filter(|(name, _)| !self.used.contains(*name))
            .map(|(name, (_, place))| (name.clone(), *place))
            .collect();
        for (name, place) in unused {
            let hint = format!(
                "use it as `${name}` in a join or as `{{{name}}}` in a text, or make the group unnamed: `(?:...)`"
            );
            self.report(Code::UnusedCapture, place, format!("the capture `{name}` is never used"), Some(hint));
        }
    }
}

fn resolve(expression: &Expression, file: &SignatureFile, order: &[usize]) -> Option<Condition> {
    let all = |items: &[Expression]| items.iter().map(|item| resolve(item, file, order)).collect::<Option<Vec<_>>>();
    Some(match expression {
        Expression::Id(id, _) => {
            let is_it = |item: &EvidenceFile| item.id.value == *id || item.id.value.strip_prefix('$') == Some(id);
            let written = file.evidence.iter().position(is_it)?;
            Condition::Evidence(order.iter().position(|index| *index == written)?)
        }
        Expression::Not(inner) => Condition::Not(Box::new(resolve(inner, file, order)?)),
        Expression::And(items) => Condition::And(all(items)?),
        Expression::Or(items) => Condition::Or(all(items)?),
        Expression::AtLeast(count, items) => Condition::AtLeast(*count, all(items)?),
    })
}

fn plain(texts: &[Text]) -> Vec<String> {
    texts.iter().map(|text| text.value.clone()).collect()
}

/// `CF-1001`.
pub(super) fn is_signature_id(text: &str) -> bool {
    text.split_once('-').is_some_and(|(area, number)| {
        area.starts_with(|c: char| c.is_ascii_uppercase())
            && area.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
            && !number.is_empty()
            && number.chars().all(|c| c.is_ascii_digit())
    })
}

/// Lower-case letters, digits and dashes, beginning with a letter.
pub(super) fn is_slug(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}
