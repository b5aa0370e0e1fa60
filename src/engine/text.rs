//! Words: templates filled in, and reasons that a reader can check.
//!
//! Invariants: a clause with a placeholder that has no value is left out; outside of clauses such a placeholder
//! reads `…` in a claim that does not hold, and elsewhere what it stands in is left out ([`blanks`]), never leaving an
//! empty text; a value that goes
//! into a command is quoted for a shell unless it is made of harmless characters, because a bundle may name a
//! thing `x; rm -rf /`.

use crate::age;
use crate::binding;
use crate::binding::Row;
use crate::blanks;
use crate::entity::Subject;
use crate::evidence::Held;
use crate::gap::{Gap, Why};
use crate::interval::Interval;
use crate::logic::Truth;
use crate::plural;
use crate::reasons;
use catalogue::nouns as derive;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::Lookup;
use facts::origin::Citation;
use facts::path::Path;
use facts::store::Facts;
use facts::unnamed;
use signature::captured::captured_names;
use signature::measure;
use signature::measure::Measure;
use signature::model::{Evidence, Operand, Piece, Query, Risk, Signature, Target, Template};
use signature::variables::LAST_LINE;
use std::collections::BTreeSet;

/// Values of one placeholder that are spelt out; the others are counted.
const SPELT_OUT: usize = 5;

/// Finds for which a command is spelt out.
const COMMANDS: usize = 3;

/// Seconds of a day.
const DAY: i64 = 86_400;

/// What a sentence says where a field is known not to be set, and where its value was masked. In a command neither is a
/// value.
const NOT_SET: &str = "none";
const MASKED: &str = "[masked]";

/// What a placeholder without a value reads in a claim that does not hold: the claim is then a question.
const OPEN: &str = "…";

/// What a template can speak of: one signature decided for one entity.
#[derive(Debug, Clone, Copy)]
pub struct Words<'a> {
    pub facts: &'a Facts,
    pub signature: &'a Signature,
    /// The entity.
    pub subject: &'a Subject,
    /// The evidence.
    pub held: &'a [Held],
}

impl Words<'_> {
    /// Fills a template. `at` is the evidence whose claim it is (`{count}` elsewhere is that of the first
    /// hallmark); `reason` is what `{reason}` stands for.
    pub fn fill(&self, template: &Template, at: Option<usize>, reason: Option<&str>) -> String {
        let holds = |index: usize| self.held.get(index).is_some_and(|held| held.truth == Truth::True);
        let is_open = at.is_some_and(|index| !holds(index));
        let blank = if is_open { OPEN.to_owned() } else { blanks::BLANK.to_string() };
        let values = |name: &str| match (name, reason) {
            ("reason", Some(reason)) => Some(Values::one(reason.to_owned())),
            _ => self.placeholder(name, at).map(|values| values.map(moment)),
        };
        blanks::left_out(&filled(&template.0, &values, |_| blank.clone()))
    }

    /// How many clauses of a template have a value that is not known?
    pub(crate) fn leaves_out(&self, template: &Template) -> usize {
        let values = |name: &str| self.placeholder(name, None);
        let is_open = |piece: &&Piece| matches!(piece, Piece::Clause { known, .. } if clause(known, &values).is_none());
        template.0.iter().filter(is_open).count()
    }

    /// Fills a template that is a command. Where its captures were found several times it stands once for each find,
    /// line by line: a Pod and its own namespace, never all Pods in one word. A command that changes something is
    /// left open there, and the finds to choose from stand below it as comments: copied as it is it must hit nobody.
    pub(crate) fn fill_command(&self, template: &Template, risk: Option<Risk>) -> String {
        let names: BTreeSet<&str> = template.placeholders().into_iter().collect();
        let (finds, more) = self.finds(&names);
        let line = |find: &Row| {
            let word = |name: &str| self.argument(name, find).map(|value| Values::one(shell_quoted(&value)));
            filled(&template.0, &word, to_fill_in)
        };
        let chosen = finds.len() > 1 && risk != Some(Risk::Safe);
        let mut lines: Vec<String> = if chosen {
            let open = |name: &str| {
                let is_found = finds.iter().any(|find| find.contains_key(name));
                let word = || self.argument(name, &Row::new()).map(|value| Values::one(shell_quoted(&value)));
                if is_found { None } else { word() }
            };
            let choice = |find: &Row| {
                let each = find.iter().map(|(name, value)| format!("{}={}", to_fill_in(name), shell_quoted(value)));
                format!("# {}", each.collect::<Vec<_>>().join(" "))
            };
            std::iter::once(filled(&template.0, &open, to_fill_in)).chain(finds.iter().map(choice)).collect()
        } else {
            finds.iter().map(line).collect()
        };
        if more > 0 {
            lines.push(format!("# and {more} more"));
        }
        lines.join("\n")
    }

    /// What the captures among `names` were found as, those found together in one row, and how many finds are left out.
    /// There is always one row, if an empty one.
    fn finds(&self, names: &BTreeSet<&str>) -> (Vec<Row>, usize) {
        let of_row = |row: &Row| -> Row {
            row.iter().filter(|(name, _)| names.contains(name.as_str())).map(|(n, v)| (n.clone(), v.clone())).collect()
        };
        let of_held = |held: &Held| -> BTreeSet<Row> {
            held.answered.rows.rows.iter().map(of_row).filter(|row| !row.is_empty()).collect()
        };
        let named = |rows: &BTreeSet<Row>| rows.iter().map(Row::len).max().unwrap_or_default();
        // The first of those that name most of it.
        let mut best = BTreeSet::new();
        for rows in self.held.iter().map(of_held) {
            if named(&rows) > named(&best) {
                best = rows;
            }
        }
        let more = best.len().saturating_sub(COMMANDS);
        let finds: Vec<Row> = best.into_iter().take(COMMANDS).collect();
        if finds.is_empty() { (vec![Row::new()], 0) } else { (finds, more) }
    }

    /// The value of a placeholder in a command; a name that nobody pasted is none, nor is a kind of ours. Of several values of a
    /// field, as etcdctl and kubectl take them: joined by commas.
    fn argument(&self, name: &str, find: &Row) -> Option<String> {
        let of_entity = name.strip_prefix(self.signature.entity.name.as_str()).and_then(|rest| rest.strip_prefix('.'));
        let value = match (find.get(name), of_entity) {
            (Some(value), _) => value.clone(),
            (None, Some(rest)) => self.of_entity(rest)?.0.join(","),
            (None, None) => match self.values_captured(name, None) {
                Some(values) => values.into_iter().next()?,
                None => self.placeholder(name, None)?.spelt_out(),
            },
        };
        let is_value = !value.trim().is_empty()
            && !unnamed::is_one(&value)
            && value != unnamed_as()
            && value != NOT_SET
            && value != MASKED
            && value != NAMELESS
            && !value.ends_with(OURS);
        is_value.then_some(value)
    }

    /// Fills a command that is plain text: braces that hold no known name stay as they are, because
    /// `jsonpath` and `awk` use them too.
    pub(crate) fn fill_plain_command(&self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        let find = self.finds(&names_in(text)).0.into_iter().next().unwrap_or_default();
        while let Some(open) = rest.find('{') {
            filled.push_str(rest.get(..open).unwrap_or_default());
            let after = rest.get(open + 1..).unwrap_or_default();
            let name = after.find('}').and_then(|close| after.get(..close));
            let entity = self.signature.entity.name.as_str();
            let is_own = |name: &str| name.split('.').next() == Some(entity) || self.captures(name);
            match name.map(|name| (name, self.argument(name, &find))) {
                Some((name, Some(value))) => {
                    filled.push_str(&shell_quoted(&value));
                    rest = after.get(name.len() + 1..).unwrap_or_default();
                }
                Some((name, None)) if is_own(name) => {
                    filled.push_str(&to_fill_in(name));
                    rest = after.get(name.len() + 1..).unwrap_or_default();
                }
                _ => {
                    filled.push('{');
                    rest = after;
                }
            }
        }
        filled.push_str(rest);
        filled
    }

    /// Does evidence of the signature take this name out of what it finds?
    fn captures(&self, name: &str) -> bool {
        self.signature.evidence.iter().any(|evidence| captured_names(evidence).contains(name))
    }

    /// The values of a placeholder.
    fn placeholder(&self, name: &str, at: Option<usize>) -> Option<Values> {
        if name == "count" {
            let hallmark = || self.signature.evidence.iter().position(|evidence| evidence.hallmark);
            return count(self.held.get(at.or_else(hallmark)?)?.answered.interval).map(Values::one);
        }
        let entity = self.signature.entity.name.as_str();
        if name == entity {
            let name = &self.subject.name;
            return Some(Values::one(if name == NAMELESS { unnamed_as() } else { name.clone() }));
        }
        if let Some(rest) = name.strip_prefix(entity).and_then(|rest| rest.strip_prefix('.')) {
            return self.of_entity(rest);
        }
        if let Some(index) = self.signature.evidence.iter().position(|evidence| evidence.id == name) {
            let word = match self.held.get(index)?.truth {
                Truth::True => "yes",
                Truth::False => "no",
                Truth::Unknown => "not known",
            };
            return Some(Values::one(word.to_owned()));
        }
        self.captured(name, at)
    }

    fn of_entity(&self, rest: &str) -> Option<Values> {
        if let (LAST_LINE, Some((_, line))) = (rest, &self.subject.stream) {
            return Some(Values::one(line.excerpt.to_string()));
        }
        if matches!(rest, "name" | "namespace" | "context") {
            let operand = Operand::EntityAttribute(rest.to_owned());
            let bound = binding::resolve(self.facts, &operand, self.subject, &Row::new());
            return bound.single().map(|value| Values::one(value.to_owned()));
        }
        if let Some(measured) = measure::parse(rest) {
            let (measure, path) = measured.ok()?;
            return self.measured(measure, &path).map(Values::one);
        }
        let path = Path::parse(rest).ok()?;
        match self.facts.lookup(self.subject.object?, &path) {
            Lookup::Found(values) | Lookup::AtLeast(values) => {
                Some(Values(values.iter().map(|(node, _)| shown(node)).collect()))
            }
            Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_) => Some(Values::one(NOT_SET.to_owned())),
            Lookup::Redacted(_) => Some(Values::one(MASKED.to_owned())),
            Lookup::Unknown(_) => None,
        }
    }

    /// How long before or after the bundle the time at a path of the entity is.
    fn measured(&self, measure: Measure, path: &Path) -> Option<String> {
        let Lookup::Found(values) = self.facts.lookup(self.subject.object?, path) else { return None };
        let [(node, _)] = values.as_slice() else { return None };
        let (least, greatest) = age::age(node, age::window(self.facts, self.subject.context))?;
        let (from, to) = match measure {
            Measure::SecondsSince => (least, greatest),
            Measure::DaysUntil => ((-greatest).div_euclid(DAY), (-least).div_euclid(DAY)),
        };
        Some(Node::new(0, if from == to { Value::Int(from) } else { Value::Range(from, Some(to)) }).to_string())
    }

    /// The values of a captured name: those of the evidence itself, else of the first that has it.
    fn captured(&self, name: &str, at: Option<usize>) -> Option<Values> {
        Some(Values(self.values_captured(name, at)?.into_iter().collect()))
    }

    fn values_captured(&self, name: &str, at: Option<usize>) -> Option<BTreeSet<String>> {
        let own = at.and_then(|index| self.held.get(index));
        own.into_iter()
            .chain(self.held)
            .map(|held| {
                held.answered.rows.rows.iter().filter_map(|row| row.get(name).cloned()).collect::<BTreeSet<_>>()
            })
            .find(|values| !values.is_empty())
    }

    /// Why a piece of evidence has the state it has.
    pub fn reason(&self, index: usize) -> String {
        let (Some(evidence), Some(held)) = (self.signature.evidence.get(index), self.held.get(index)) else {
            return String::new();
        };
        let answered = &held.answered;
        let place = answered.citations.first().map(|citation| self.place(citation));
        match answered.truth {
            Truth::Unknown => self.gaps(&answered.gaps),
            Truth::True => {
                let places: BTreeSet<_> = answered.citations.iter().map(|c| (c.member, c.line)).collect();
                let others = places.len().saturating_sub(1) as u64 + answered.more;
                match (place, others) {
                    (None, _) if answered.weakest.is_listed() => "none is listed".to_owned(),
                    (None, _) => "it was seen".to_owned(),
                    (Some(place), 0) => format!("seen in {place}"),
                    (Some(place), 1) => format!("seen in {place} and one more place"),
                    (Some(place), others) => format!("seen in {place} and {others} more places"),
                }
            }
            Truth::False if is_own(evidence) => match place {
                Some(place) if evidence.expect_absent => format!("shown by {place}"),
                // What is put together from many places is judged by them; no single one of them shows it.
                Some(place) if self.is_derived() => format!("not so, judging by {place}"),
                Some(place) => format!("{place} shows otherwise"),
                None => "it is otherwise".to_owned(),
            },
            Truth::False => {
                let found = match answered.interval {
                    Interval { lo: 0, .. } => "none".to_owned(),
                    interval => count(interval).unwrap_or_else(|| "too few".to_owned()),
                };
                match place {
                    Some(place) if answered.weakest.is_listed() => format!("{found}, as listed in {place}"),
                    Some(place) => format!("{found}, and all were asked for: {place}"),
                    None => found,
                }
            }
        }
    }

    /// Why something is not known of this entity.
    pub(crate) fn why(&self, why: &Why) -> String {
        reasons::missing(self.facts, self.subject.context, why).unwrap_or_else(|| reasons::why(why))
    }

    /// Why several pieces of evidence are not known. One thing that is missing often leaves several open: it is said once.
    pub(crate) fn reasons(&self, indices: &[usize]) -> String {
        let of = |index: &usize| match self.held.get(*index) {
            Some(held) if held.answered.truth == Truth::Unknown && !held.answered.gaps.is_empty() => {
                self.whys(&held.answered.gaps)
            }
            _ => BTreeSet::from([self.reason(*index)]),
        };
        let mut all: Vec<String> = Vec::new();
        for reason in indices.iter().flat_map(of) {
            if !all.contains(&reason) {
                all.push(reason);
            }
        }
        first_of(all, 3)
    }

    fn whys(&self, gaps: &[Gap]) -> BTreeSet<String> {
        gaps.iter().map(|gap| self.why(&gap.why)).collect()
    }

    fn gaps(&self, gaps: &[Gap]) -> String {
        let all = self.whys(gaps);
        if all.is_empty() {
            return "it cannot be told from this bundle".to_owned();
        }
        first_of(all.into_iter().collect(), 2)
    }

    /// Does the reason of a piece of evidence only repeat where it stands?
    pub fn says_place(&self, index: usize) -> bool {
        let (Some(evidence), Some(held)) = (self.signature.evidence.get(index), self.held.get(index)) else {
            return false;
        };
        !held.answered.citations.is_empty()
            && match held.answered.truth {
                Truth::True => true,
                Truth::False => is_own(evidence) && !evidence.expect_absent,
                Truth::Unknown => false,
            }
    }

    /// Is the entity put together by Casefile?
    fn is_derived(&self) -> bool {
        derive::put_together_from(&KindName::parse(&self.subject.kind)).is_some()
    }

    /// A place as readers write it: `MEMBER:LINE`.
    pub fn place(&self, citation: &Citation) -> String {
        let member = self.facts.members.get(&citation.member).map_or("no file", |name| name.shown());
        match citation.line {
            0 => member.to_owned(),
            line => format!("{member}:{line}"),
        }
    }
}

/// The name of what was seen without one.
const NAMELESS: &str = "?";

/// What a sentence calls it.
fn unnamed_as() -> String {
    "unnamed".to_owned()
}

fn is_own(evidence: &Evidence) -> bool {
    matches!(&evidence.query, Query::Object(query) if query.target == Target::Entity)
}

/// What stands in braces in a text.
fn names_in(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|after| Some(after.split_once('}')?.0)).collect()
}

/// How a kind that no API server knows is called.
const OURS: &str = ".casefile.dev";

/// What stands in a command for a value that is not known, as kubectl's own help writes it: `NAMESPACE`.
fn to_fill_in(name: &str) -> String {
    let last = name.rsplit('.').next().unwrap_or(name);
    let bare = last.split('[').next().unwrap_or(last);
    bare.replace('-', "_").to_ascii_uppercase()
}

/// What stands for a placeholder: mostly one value.
struct Values(Vec<String>);

impl Values {
    fn one(value: String) -> Self {
        Self(vec![value])
    }

    fn map(self, each: impl Fn(String) -> String) -> Self {
        Self(self.0.into_iter().map(each).collect())
    }

    fn is_not_set(&self) -> bool {
        self.0.iter().eq([NOT_SET])
    }

    /// As a sentence tells them: `a, b and c`.
    fn told(mut self) -> String {
        if self.0.len() > SPELT_OUT {
            return self.spelt_out();
        }
        let last = self.0.pop().unwrap_or_default();
        if self.0.is_empty() { last } else { format!("{} and {last}", self.0.join(", ")) }
    }

    /// As a list: `a, b, c`.
    fn spelt_out(self) -> String {
        let more = self.0.len().saturating_sub(SPELT_OUT);
        let first = self.0.into_iter().take(SPELT_OUT).collect::<Vec<_>>().join(", ");
        if more == 0 { first } else { format!("{first} and {more} more") }
    }
}

/// A text that is put together. Several values between backticks are several names: each has its own.
#[derive(Default)]
struct Filling {
    text: String,
    /// The backtick behind the values is written already.
    closed: bool,
}

impl Filling {
    fn text(&mut self, text: &str) {
        let text = if std::mem::take(&mut self.closed) { text.strip_prefix('`').unwrap_or(text) } else { text };
        plural::push(&mut self.text, text);
    }

    fn values(&mut self, values: Values, next: Option<&Piece>) {
        let closes = matches!(next, Some(Piece::Text(text)) if text.starts_with('`'));
        if values.0.len() < 2 || !closes || !self.text.ends_with('`') {
            return self.text.push_str(&values.spelt_out());
        }
        self.text.pop();
        self.text.push_str(&values.map(|value| format!("`{value}`")).told());
        self.closed = true;
    }
}

/// Pieces with their values; `blank` is what a placeholder without one reads outside of clauses.
fn filled(pieces: &[Piece], values: &impl Fn(&str) -> Option<Values>, blank: impl Fn(&str) -> String + Copy) -> String {
    let mut out = Filling::default();
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Text(text) => out.text(text),
            Piece::Placeholder(name) => {
                out.values(values(name).unwrap_or_else(|| Values::one(blank(name))), pieces.get(at + 1));
            }
            Piece::Clause { known, otherwise } => match clause(known, values) {
                Some(text) => out.text.push_str(&text),
                None => out.text.push_str(&filled(otherwise, values, blank)),
            },
        }
    }
    out.text
}

/// A clause; `None` if one of its placeholders has no value: what is known not to be set is nothing to tell beside the rest.
fn clause(pieces: &[Piece], values: &impl Fn(&str) -> Option<Values>) -> Option<String> {
    let mut out = Filling::default();
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Text(text) => out.text(text),
            Piece::Placeholder(name) => {
                out.values(values(name).filter(|values| !values.is_not_set())?, pieces.get(at + 1));
            }
            Piece::Clause { .. } => return None,
        }
    }
    Some(out.text)
}

/// A time of the API as people write it, with what it is measured against: `2026-11-20 20:32:36 UTC`. Any other text
/// stays as it is, and so does every value of a command.
fn moment(value: String) -> String {
    let bytes = value.as_bytes();
    let is_time = value.len() >= 20 && bytes.get(10) == Some(&b'T') && value.ends_with('Z');
    match value.parse::<jiff::Timestamp>() {
        Ok(time) if is_time => time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
        _ => value,
    }
}

/// The first of some reasons, and how many there are beside them.
fn first_of(mut all: Vec<String>, most: usize) -> String {
    let more = all.len().saturating_sub(most);
    all.truncate(most);
    let first = all.join("; ");
    match more {
        0 => first,
        1 => format!("{first}; and one more reason"),
        more => format!("{first}; and {more} more reasons"),
    }
}

/// A count as people say it; `None` if nothing is known.
pub fn count(interval: Interval) -> Option<String> {
    match interval {
        Interval { lo: 0, hi: None } => None,
        Interval { lo, hi: Some(hi) } if lo == hi => Some(lo.to_string()),
        Interval { lo: 0, hi: Some(hi) } => Some(format!("at most {hi}")),
        Interval { lo, .. } => Some(format!("at least {lo}")),
    }
}

fn shown(node: &Node) -> String {
    node.to_string()
}

/// A value that is safe as one word of a shell command.
fn shell_quoted(value: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "._:/@%+=,-".contains(c);
    if !value.is_empty() && !value.starts_with('-') && value.chars().all(harmless) {
        return value.to_owned();
    }
    let printable: String = value.chars().filter(|c| !c.is_control()).collect();
    format!("'{}'", printable.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_read_as_people_say_them() {
        let said = |lo, hi| count(Interval { lo, hi });
        assert_eq!(said(8, Some(8)).as_deref(), Some("8"));
        assert_eq!(said(2, None).as_deref(), Some("at least 2"));
        assert_eq!(said(2, Some(3)).as_deref(), Some("at least 2"));
        assert_eq!(said(0, Some(3)).as_deref(), Some("at most 3"));
        assert_eq!(said(0, None), None);
    }

    #[test]
    fn a_time_is_written_for_people() {
        let said = |text: &str| moment(text.to_owned());
        assert_eq!(said("2026-11-20T20:32:36.119544Z"), "2026-11-20 20:32:36 UTC");
        assert_eq!(said("2026-11-20T20:32:36+08:00"), "2026-11-20T20:32:36+08:00");
        assert_eq!(said("20261120T203236Z"), "20261120T203236Z");
        assert_eq!(said("backup-2026-11-20T20:32:36Z"), "backup-2026-11-20T20:32:36Z");
    }

    #[test]
    fn a_clause_whose_value_is_missing_is_left_out() {
        let said = |text: &str| {
            let value = |name: &str| match name {
                "known" => Some(Values::one("x".to_owned())),
                "unset" => Some(Values::one(NOT_SET.to_owned())),
                _ => None,
            };
            filled(&signature::template::parse(text).0, &value, |_| "(not known)".to_owned())
        };
        assert_eq!(said("It ended[[: {known}]]."), "It ended: x.");
        assert_eq!(said("It ended[[: {lost}]]."), "It ended.");
        assert_eq!(said("It ended[[: {unset}]], with {unset}."), "It ended, with none.");
        assert_eq!(said("[[{lost} of {known}|Some]] are down"), "Some are down");
        assert_eq!(said("[[{lost}|{lost} of {known}]], {lost}"), "(not known) of x, (not known)");
    }

    #[test]
    fn several_names_between_backticks_have_their_own() {
        let said = |text: &str| {
            let values = |name: &str| match name {
                "one" => Some(Values::one("a, b".to_owned())),
                "two" => Some(Values(vec!["x".to_owned(), "y".to_owned()])),
                "many" => Some(Values((1..=7).map(|n| format!("p{n}")).collect())),
                _ => None,
            };
            filled(&signature::template::parse(text).0, &values, |_| "…".to_owned())
        };
        assert_eq!(said("Pods `{two}` wait"), "Pods `x` and `y` wait");
        assert_eq!(said("Pods `{many}`: wait"), "Pods `p1`, `p2`, `p3`, `p4`, `p5` and 2 more: wait");
        assert_eq!(said("Message `{one}`, `{two}`"), "Message `a, b`, `x` and `y`");
        assert_eq!(said("[[Pods `{two}` ]]of `ns/{two}` and {two}"), "Pods `x` and `y` of `ns/x, y` and x, y");
        assert_eq!(said("`{lost}` and `{two}`"), "`…` and `x` and `y`");
    }

    #[test]
    fn a_name_from_a_bundle_cannot_become_a_second_command() {
        assert_eq!(shell_quoted("kube-system/etcd-cp-1"), "kube-system/etcd-cp-1");
        assert_eq!(shell_quoted("x; rm -rf /"), "'x; rm -rf /'");
        assert_eq!(shell_quoted("it's\n$(id)"), r"'it'\''s$(id)'");
        assert_eq!(shell_quoted("--all"), "'--all'");
    }
}
