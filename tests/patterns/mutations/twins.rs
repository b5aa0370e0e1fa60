//! Two tests of one signature in one cluster: what is said of the entities of each must stay what it was.
//!
//! Why: the bundle of a test mostly holds one entity, so no test fails when a signature asks for *any* Machine where
//! it means *its* Machine. Beside the objects of a healthy or another case, under other names, it does.
//!
//! How: the second test is given other names, and the records of both are put together file by file, so that one list
//! holds the objects of both. What the signature itself does not keep apart (a line that names nobody, one etcd) is
//! left out of the comparison.

use super::kept::alone;
use super::rename::{Renaming, What};
use engine::logic::Truth;
use engine::observed::SeenEntity;
use facts::coverage::{Answer, State};
use facts::kind::KindName;
use facts::object::ObjectRecord;
use facts::record::{Record, Table};
use facts::store::Facts;
use layout::content::BundleContent;
use parse::member::MemberContent;
use parse::scan::Literals;
use selftest::bench::Bench;
use signature::load::Library;
use signature::model::{Query, Signature, Target};
use signature::tests_file::{Case, TestKind};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Where the lines of the second test begin in a file that both hold.
const LINES_APART: u32 = 1_000_000;

/// Why two tests were not put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Apart {
    /// Neither holds a name that could be another.
    NoNames,
    /// With other names the second test says something else: they mean something.
    NamesMatter,
    /// A file of both is a session, and has one order.
    Session,
    /// Together nothing of either stays as it was: they are about something of which a cluster has one.
    OneOfAKind,
}

impl Apart {
    /// The word for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::NoNames => "no names",
            Self::NamesMatter => "names matter",
            Self::Session => "one session",
            Self::OneOfAKind => "one of a kind",
        }
    }
}

/// An entity, across bundles: context, namespace, kind and name.
type Key = (String, Option<String>, String, String);

/// What is said of an entity: of each piece of evidence twice, and the ruling.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Said {
    evidence: Vec<(Truth, Truth)>,
    ruling: String,
}

/// Which parts of what is said of an entity stay the same in company.
#[derive(Debug)]
struct Stays {
    evidence: Vec<bool>,
    ruling: bool,
}

/// Two tests, each alone and both together.
pub(super) struct Twin {
    first: Rc<Facts>,
    second: Facts,
    both: Facts,
    stays: BTreeMap<Key, Stays>,
    /// The entities that are there only alone or only together, of the signature as it is.
    is_same_set: bool,
}

impl Twin {
    /// Does the company of the other test change what a mutant says?
    pub(super) fn is_disturbed(&self, library: &Library, literals: &Literals) -> bool {
        let Some(signature) = library.signatures.first() else { return false };
        let see = |facts: &Facts| said(engine::observe(facts, library, signature, literals));
        let mut alone = see(&self.first);
        alone.extend(see(&self.second));
        let both = see(&self.both);
        if self.is_same_set && !alone.keys().eq(both.keys()) {
            return true;
        }
        self.stays.iter().any(|(key, stays)| match (alone.get(key), both.get(key)) {
            (Some(alone), Some(both)) => {
                let evidence = alone.evidence.iter().zip(&both.evidence).zip(&stays.evidence);
                stays.ruling && alone.ruling != both.ruling
                    || evidence.into_iter().any(|((a, b), stays)| *stays && a != b)
            }
            _ => false,
        })
    }
}

fn said(seen: Vec<SeenEntity>) -> BTreeMap<Key, Said> {
    let one = |entity: SeenEntity| {
        let evidence = entity.truths.into_iter().zip(entity.strict).collect();
        let ruling = format!("{:?}", entity.ruling);
        ((entity.context, entity.namespace, entity.kind, entity.name), Said { evidence, ruling })
    };
    seen.into_iter().map(one).collect()
}

/// Puts the first `confirmed` test beside one that is ruled out and one that only looks like it, in every way of naming. Also says why
/// pairs could not be put together.
pub(super) fn twins(
    bench: &Bench<'_>,
    signature: &Signature,
    cases: &[&Case],
    meaning: &str,
) -> (Vec<Twin>, Vec<(What, Apart)>) {
    let (mut made, mut apart) = (Vec::new(), Vec::new());
    let whole = || cases.iter().filter(|case| case.without.is_empty());
    let Some(first) = whole().find(|case| case.kind == TestKind::Confirmed) else { return (made, apart) };
    let (first, facts) = at_its_clock(bench, first);
    for kind in [TestKind::RuledOut, TestKind::NearMiss] {
        let Some(second) = whole().find(|case| case.kind == kind) else { continue };
        for what in What::ALL {
            match twin(bench, signature, (&first, &facts), &Second { case: second, less: None }, what, meaning) {
                Ok(twin) => made.push(twin),
                Err(why) => apart.push((what, why)),
            }
        }
    }
    for what in [What::Names, What::Namespaces] {
        for kind in tied_kinds(signature) {
            match twin(bench, signature, (&first, &facts), &Second { case: &first, less: Some(&kind) }, what, meaning) {
                Ok(twin) => made.push(twin),
                Err(why) => apart.push((what, why)),
            }
        }
    }
    (made, apart)
}

/// The second of two tests.
struct Second<'a> {
    case: &'a Case,
    /// Its objects of this kind are taken away, and its lists stay: it has none.
    less: Option<&'a KindName>,
}

impl Second<'_> {
    fn take(&self, content: &mut MemberContent) {
        let Some(less) = self.less else { return };
        content.parsed.records.retain(|record| match record {
            Record::Object(object) => object.kind.as_ref() != Some(less),
            _ => true,
        });
    }

    /// The facts of a test of the same files, less what is taken away.
    fn facts(&self, bench: &Bench<'_>, case: &Case) -> Facts {
        let files = case.files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes()));
        let mut bundle = bench.read(files, &case.commands);
        bundle.contents.values_mut().for_each(|content| self.take(content));
        bench.assemble(bundle, case.as_of, &BTreeSet::new()).0.facts
    }
}

/// The kinds of objects that the evidence ties to the entity.
fn tied_kinds(signature: &Signature) -> BTreeSet<KindName> {
    let mut kinds = BTreeSet::new();
    for evidence in &signature.evidence {
        let Query::Object(query) = &evidence.query else { continue };
        for query in std::iter::once(query).chain(query.each.iter().map(|each| &*each.exists)) {
            if let Target::Kinds(asked) = &query.target
                && !(query.joins.is_empty() && query.selects.is_empty() && query.tied.is_empty())
            {
                kinds.extend(asked.iter().cloned());
            }
        }
    }
    kinds
}

/// A test that says what its clock is, and its facts.
fn at_its_clock(bench: &Bench<'_>, case: &Case) -> (Case, Rc<Facts>) {
    let facts = bench.collect_case(case, &BTreeSet::new()).0.facts;
    let own = || facts.contexts.iter().filter_map(|context| Some(context.as_of.as_ref()?.time)).max();
    let case = Case { as_of: case.as_of.or_else(own), ..case.clone() };
    let facts = bench.collect_case(&case, &BTreeSet::new()).0.facts;
    (case, Rc::new(facts))
}

fn twin(
    bench: &Bench<'_>,
    signature: &Signature,
    (first, a): (&Case, &Rc<Facts>),
    second: &Second<'_>,
    what: What,
    meaning: &str,
) -> Result<Twin, Apart> {
    let library = alone(bench, signature);
    let signature = &library.signatures[0];
    let see = |facts: &Facts| said(engine::observe(facts, &library, signature, bench.literals()));
    let none = BTreeSet::new();
    let clock = first.as_of;
    let case = &Case { as_of: clock, ..second.case.clone() };
    let b = second.facts(bench, case);
    let entities: Vec<String> = first.expect.iter().chain(&case.expect).map(|e| e.entity.value.clone()).collect();
    let texts = |case: &Case| case.files.iter().map(|(path, text)| format!("{path}\n{text}\n")).collect::<String>();
    let all = texts(first) + &texts(case);
    let before = see(&b);
    let mut why = Apart::NoNames;
    for kept in ["", meaning] {
        let renaming = Renaming::of(what, &[a, &b], &entities, kept, &all);
        if renaming.is_empty() {
            continue;
        }
        why = Apart::NamesMatter;
        let renamed = renaming.case(case);
        let other = second.facts(bench, &renamed);
        let rulings = |all: &BTreeMap<Key, Said>, rename: bool| {
            let name = |name: &str| if rename { renaming.text(name) } else { name.to_owned() };
            let one = |((_, _, kind, key), said): (&Key, &Said)| (kind.clone(), name(key), format!("{said:?}"));
            all.iter().map(one).collect::<BTreeSet<_>>()
        };
        if rulings(&before, true) != rulings(&see(&other), false) {
            continue;
        }
        let both = together(bench, first, second, &renamed)?;
        let both = bench.assemble(both, clock, &none).0.facts;
        return keep(Rc::clone(a), other, both, see);
    }
    Err(why)
}

/// Keeps the bundles, with what stays the same.
fn keep(a: Rc<Facts>, b: Facts, both: Facts, see: impl Fn(&Facts) -> BTreeMap<Key, Said>) -> Result<Twin, Apart> {
    let (first, second, company) = (see(&a), see(&b), see(&both));
    // What has one name in both is one thing.
    let keys = first
        .keys()
        .filter(|key| !second.contains_key(*key))
        .chain(second.keys().filter(|key| !first.contains_key(*key)));
    let mut stays = BTreeMap::new();
    for key in keys {
        let Some(alone) = first.get(key).or_else(|| second.get(key)) else { continue };
        let Some(company) = company.get(key) else { continue };
        let evidence = alone.evidence.iter().zip(&company.evidence).map(|(a, b)| a == b).collect();
        stays.insert(key.clone(), Stays { evidence, ruling: alone.ruling == company.ruling });
    }
    let mut alone = first;
    alone.extend(second);
    let is_same_set = alone.keys().eq(company.keys());
    let anything = stays.values().any(|stays| stays.ruling || stays.evidence.contains(&true));
    if anything { Ok(Twin { first: a, second: b, both, stays, is_same_set }) } else { Err(Apart::OneOfAKind) }
}

/// One bundle with what both tests hold: a file of both holds the records of both.
fn together(bench: &Bench<'_>, first: &Case, second: &Second<'_>, renamed: &Case) -> Result<BundleContent, Apart> {
    // A log of both is two logs.
    let in_own_file = |path: &str, text: &str| {
        let is_log = first.files.get(path).is_some_and(|other| other != text) && is_log(bench, path, text);
        if !is_log {
            return path.to_owned();
        }
        match path.rsplit_once('/') {
            Some((folder, file)) => format!("{folder}/twin/{file}"),
            None => format!("twin/{path}"),
        }
    };
    let mut files = first.files.clone();
    let mut commands = first.commands.clone();
    let (mut shared, mut own_of_second) = (BTreeMap::new(), BTreeSet::new());
    for (path, text) in &renamed.files {
        let own = in_own_file(path, text);
        if let Some(command) = renamed.commands.get(path) {
            commands.entry(own.clone()).or_insert_with(|| command.clone());
        }
        match files.get(&own) {
            Some(same) if same == text => {}
            Some(_) => {
                shared.insert(own, text.clone().into_bytes());
            }
            None => {
                own_of_second.insert(own.clone());
                files.insert(own, text.clone());
            }
        }
    }
    let mut bundle = bench.read(files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())), &commands);
    for member in bundle.intake.members.iter().filter(|member| own_of_second.contains(&member.name)) {
        if let Some(content) = bundle.contents.get_mut(&member.id) {
            second.take(content);
        }
    }
    for (path, bytes) in shared {
        let read = bench.read([(path.clone(), bytes)], &renamed.commands);
        let Some(mut other) = read.contents.into_values().next() else { continue };
        let Some(id) = bundle.intake.members.iter().find(|member| member.name == path).map(|member| member.id) else {
            continue;
        };
        let Some(content) = bundle.contents.get_mut(&id) else { continue };
        second.take(&mut other);
        add(content, other, id)?;
    }
    Ok(bundle)
}

fn is_log(bench: &Bench<'_>, path: &str, text: &str) -> bool {
    let read = bench.read([(path.to_owned(), text.to_owned().into_bytes())], &BTreeMap::new());
    read.contents.values().any(|content| content.log.is_some())
}

/// Adds the records of the second test to a file.
fn add(content: &mut MemberContent, other: MemberContent, id: facts::origin::MemberId) -> Result<(), Apart> {
    if content.session.is_some() || other.session.is_some() {
        return Err(Apart::Session);
    }
    content.empty &= other.empty;
    let records = &mut content.parsed.records;
    for record in other.parsed.records {
        match record {
            Record::Object(mut object) => {
                apart(&mut object, id);
                records.push(Record::Object(object));
            }
            Record::Table(mut table) => {
                table.member = id;
                table.line += LINES_APART;
                table.rows.iter_mut().for_each(|row| row.line += LINES_APART);
                let same = records.iter_mut().find_map(|record| match record {
                    Record::Table(first) if is_same_table(first, &table) => Some(first),
                    _ => None,
                });
                match same {
                    Some(first) => first.rows.append(&mut table.rows),
                    None => records.push(Record::Table(table)),
                }
            }
            Record::Answer(mut answer) => {
                answer.citation.member = id;
                answer.citation.line += LINES_APART;
                let same = records.iter_mut().find_map(|record| match record {
                    Record::Answer(first) if is_same_question(first, &answer) => Some(first),
                    _ => None,
                });
                match same {
                    Some(first) if is_whole(&first.state) && is_whole(&answer.state) => first.state = State::Complete,
                    Some(first) if first.state == answer.state => {}
                    _ => records.push(Record::Answer(answer)),
                }
            }
            other => {
                if !records.contains(&other) {
                    records.push(other);
                }
            }
        }
    }
    Ok(())
}

/// Objects of both tests stand at other lines.
fn apart(object: &mut ObjectRecord, id: facts::origin::MemberId) {
    object.member = id;
    object.line += LINES_APART;
    object.path = format!("twin.{}", object.path);
}

fn is_same_table(first: &Table, second: &Table) -> bool {
    first.headers == second.headers && first.cut.is_none() && second.cut.is_none()
}

fn is_same_question(first: &Answer, second: &Answer) -> bool {
    (&first.kind, &first.namespaces, &first.names, &first.selector)
        == (&second.kind, &second.namespaces, &second.names, &second.selector)
}

fn is_whole(state: &State) -> bool {
    matches!(state, State::Complete | State::Empty)
}
