//! Everything that can be said about a pack of signatures before it meets a bundle.
//!
//! Compiling finds what would not run; here is what a person forgets: tests, advice, relations that lead
//! nowhere. A signature that lint accepts can be trusted at three in the morning.

use crate::code::Code;
use crate::compile::{ANYBODY, Proof};
use crate::file::{SignatureFile, Text};
use crate::forms::{Form, Formed};
use crate::located::Place;
use crate::model::{RelationKind, Severity};
use crate::pack::{Pack, PackError};
use crate::problem::{Problem, Reporter};
use crate::tests_file::{FormTests, TestKind};
use crate::{fill_in, flow_style, forms, load, overrides, read, tests_file, unset};
use catalogue::kinds::Catalogue;
use catalogue::ordinary;
use facts::kind::KindName;
use facts::lazy_regex::LazyRegex;
use facts::suggest;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Checks a folder, or one file. Relations may lead to the built-in signatures.
///
/// # Errors
/// If the folder cannot be read.
pub fn lint(path: &Path) -> Result<Vec<Problem>, PackError> {
    Ok(lint_packs(&[Pack::read(path)?], &[Pack::built_in()]))
}

/// Checks packs. `others` are only looked at to find the signatures that relations lead to. The built-in
/// catalogue says which products there are and what can be collected without being told how.
pub fn lint_packs(packs: &[Pack], others: &[Pack]) -> Vec<Problem> {
    let catalogue = &Catalogue::built_in();
    let mut problems = Vec::new();
    let mut files: Vec<Read<'_>> = Vec::new();
    let mut ids = BTreeMap::new();
    for pack in packs {
        for (path, text) in pack.signatures() {
            let shown = pack.shown(path);
            let mut reporter = Reporter::new(&shown, text);
            flow_style::check(text, &mut reporter);
            problems.extend(reporter.finish());
            let mut formed = forms::read(&shown, text);
            let mut each = Vec::new();
            for Formed { file, reporter } in &mut formed.each {
                let Some(file) = file.take() else { continue };
                if let Some(signature) = load::compiled(&file, Proof::None, &shown, &mut ids, reporter) {
                    unset::check(&file, &signature, reporter);
                }
                // What does not compile is checked nevertheless.
                each.push(file);
            }
            let (forms, used) = (formed.forms.clone(), formed.used.clone());
            let is_whole = !each.is_empty() && each.len() == formed.each.len();
            problems.extend(formed.finish());
            if is_whole {
                files.push(Read { each, forms, used, text, shown, path, pack });
            }
        }
    }
    let mut targets = targets(others);
    targets.extend(files.iter().flat_map(|read| &read.each).map(target));
    for read in &files {
        let each = read.each.iter().map(|file| {
            let mut reporter = Reporter::new(&read.shown, read.text);
            advice(file, &mut reporter);
            told_apart(file, &mut reporter);
            known_product(file, catalogue, &mut reporter);
            known_kinds(file, catalogue, &mut reporter);
            known_sources(file, catalogue, &mut reporter);
            ordinary_literals(file, &mut reporter);
            collectable(file, catalogue, &mut reporter);
            fill_in::check(file, &captures(file), catalogue, &mut reporter);
            relations(file, &targets, &mut reporter);
            reporter.finish()
        });
        problems.extend(forms::merge(&read.forms, each.collect()));
        let mut reporter = Reporter::new(&read.shown, read.text);
        tests(read, &mut reporter, &mut problems);
        problems.extend(reporter.finish());
    }
    cause_cycles(&files, &mut problems);
    for pack in packs {
        orphan_tests(pack, &files, &mut problems);
        load::manifest(pack, &mut problems);
        site_overrides(pack, packs.iter().chain(others), &mut problems);
    }
    problems.sort();
    problems.dedup();
    problems
}

/// A signature file that could be read.
struct Read<'a> {
    /// The signature of each form, or the only one.
    each: Vec<SignatureFile>,
    forms: Vec<Form>,
    /// The variables of the forms that the file uses.
    used: BTreeSet<String>,
    text: &'a str,
    shown: String,
    path: &'a str,
    pack: &'a Pack,
}

/// What a relation can name in a signature that it leads to.
struct Target {
    entity: String,
    captures: BTreeSet<String>,
    /// Ids.
    evidence: BTreeSet<String>,
}

/// A signature by its id, as relations see it.
fn target(file: &SignatureFile) -> (String, Target) {
    let mut captures = captures(file);
    let of_logs = file.evidence.iter().filter_map(|evidence| evidence.log.as_ref()).flat_map(|log| &log.variants);
    let regexes = of_logs.filter_map(|variant| LazyRegex::parse(&variant.regex.value).ok());
    captures.extend(regexes.flat_map(|regex| regex.names().to_vec()));
    let evidence = file.evidence.iter().map(|evidence| evidence.id.value.clone()).collect();
    (file.id.value.clone(), Target { entity: file.entity.name.value.clone(), captures, evidence })
}

/// The names that a signature captures from objects.
fn captures(file: &SignatureFile) -> BTreeSet<String> {
    let missing = file.objects().filter_map(|object| Some(object.each.as_ref()?.missing.value.clone()));
    let captures = file.objects().flat_map(|object| &object.capture).flat_map(|capture| {
        let regexes = capture.regex.iter().chain(capture.variants.iter().map(|variant| &variant.regex));
        let groups = regexes.filter_map(|regex| LazyRegex::parse(&regex.value).ok());
        let groups = groups.flat_map(|regex| regex.names().to_vec());
        capture.name.iter().map(|name| name.value.clone()).chain(groups).collect::<Vec<_>>()
    });
    captures.chain(missing).collect()
}

/// A text that names a capture must not mean a piece of evidence.
fn told_apart(file: &SignatureFile, reporter: &mut Reporter<'_>) {
    let (_, Target { captures, .. }) = target(file);
    for item in file.evidence.iter().filter(|item| captures.contains(&item.id.value)) {
        let id = &item.id.value;
        let hint = format!("give one of them another name: `{{{id}}}` in a text could be either");
        let message = format!("the id `{id}` is the name of a capture as well");
        reporter.report(Code::DuplicateId, item.id.place, message, Some(hint));
    }
}

/// The signatures that are not checked themselves.
fn targets(packs: &[Pack]) -> BTreeMap<String, Target> {
    let signatures = packs.iter().flat_map(Pack::signatures);
    signatures
        .flat_map(|(path, text)| forms::read(path, text).each)
        .filter_map(|formed| formed.file.as_ref().map(target))
        .collect()
}

fn advice(file: &SignatureFile, reporter: &mut Reporter<'_>) {
    if file.severity.value > Severity::High {
        return;
    }
    let given =
        [("does_not_help", file.remediation.does_not_help.is_empty()), ("do_not", file.remediation.do_not.is_empty())];
    for (key, missing) in given {
        if missing {
            let hint = match key {
                "do_not" => "say what would make it worse, and why",
                _ => "say what people try in vain, and why it does not help",
            };
            let message = format!("`remediation.{key}` is missing");
            reporter.report(Code::MissingAdvice, file.severity.place, message, Some(hint.to_owned()));
        }
    }
}

fn known_product(file: &SignatureFile, catalogue: &Catalogue, reporter: &mut Reporter<'_>) {
    let Some(product) = &file.applies_to else { return };
    let known = || catalogue.products.iter().map(|product| product.name.as_str());
    if !known().any(|name| name == product.value) {
        let hint = suggest::did_you_mean(&product.value, known())
            .unwrap_or_else(|| format!("the products are {}", known().collect::<Vec<_>>().join(", ")));
        reporter.report(Code::BadValue, product.place, format!("there is no product `{}`", product.value), Some(hint));
    }
}

/// A kind that the catalogue does not know and that is one letter away from one that it does, in the same group: nothing
/// would ever be of it. Any other may be of an API that nobody here has seen.
fn known_kinds(file: &SignatureFile, catalogue: &Catalogue, reporter: &mut Reporter<'_>) {
    let of_entity = file.entity.object.iter().flat_map(|object| object.kind.iter().chain(&object.kinds));
    let of_evidence = file.objects().flat_map(|object| {
        let each = object.each.iter().flat_map(|each| each.exists.kind.iter().chain(&each.exists.kinds));
        object.kind.iter().chain(&object.kinds).chain(each)
    });
    let all = of_entity.chain(file.entity.group.iter().map(|group| &group.kind)).chain(of_evidence);
    let known: Vec<String> = catalogue.kinds().map(|kind| kind.name.to_string()).collect();
    for text in all {
        let kind = KindName::parse(&text.value);
        if kind.group == "casefile.dev" || catalogue.kind(&catalogue.canonical(&kind)).is_some() {
            continue;
        }
        if let Some(near) = suggest::slip(&text.value, known.iter().map(String::as_str)) {
            let message = format!("no kind `{}` is known", text.value);
            reporter.report(Code::UnknownKind, text.place, message, Some(format!("did you mean `{near}`?")));
        }
    }
}

/// A class that no stream can have would make a log query unknown for ever.
fn known_sources(file: &SignatureFile, catalogue: &Catalogue, reporter: &mut Reporter<'_>) {
    let known = || catalogue.sources.class_names();
    let of_evidence = file.evidence.iter().filter_map(|evidence| evidence.log.as_ref()?.source.as_ref());
    let of_evidence = of_evidence.filter(|source| source.value != ANYBODY);
    for source in of_evidence.chain(file.entity.stream.iter().map(|stream| &stream.source)) {
        if !known().any(|name| name == source.value) {
            let hint = suggest::did_you_mean(&source.value, known()).unwrap_or_else(|| {
                format!("the classes of `patterns/sources.yaml` are {}", known().collect::<Vec<_>>().join(", "))
            });
            let message = format!("there is no class of logs `{}`", source.value);
            reporter.report(Code::BadValue, source.place, message, Some(hint));
        }
    }
}

/// A literal that ordinary lines are full of is hit, read and kept in every bundle, however rarely the rest of the query
/// then fits. Of `all`, one literal that is rare is enough where there is no `any`.
fn ordinary_literals(file: &SignatureFile, reporter: &mut Reporter<'_>) {
    let of_entity = file.entity.stream.iter().flat_map(|stream| &stream.any);
    let of_evidence = file.evidence.iter().filter_map(|evidence| evidence.log.as_ref()).flat_map(|log| {
        let states = log.state.iter().flat_map(|state| state.down.iter().chain(&state.up));
        let rare = log.all.iter().any(|literal| ordinary::line_with(&literal.value).is_none());
        let all = log.all.iter().filter(move |_| log.any.is_empty() && !rare);
        log.any.iter().chain(states).chain(all)
    });
    for literal in of_entity.chain(of_evidence) {
        let Some(line) = ordinary::line_with(&literal.value) else { continue };
        let message = format!("`{}` stands in ordinary lines of {}", literal.value, line.of);
        let hint = format!("take a longer text of the message, which this line does not have: {}", line.text);
        reporter.report(Code::OrdinaryLiteral, literal.place, message, Some(hint));
    }
}

/// Every unknown must lead to a command: that of the evidence, or that of the catalogue for its kind.
/// Derived objects are made of other facts, which have commands of their own.
fn collectable(file: &SignatureFile, catalogue: &Catalogue, reporter: &mut Reporter<'_>) {
    let entity = file.entity.object.iter().flat_map(|object| object.kind.iter().chain(&object.kinds));
    let entity: Vec<&Text> = entity.chain(file.entity.group.iter().map(|group| &group.kind)).collect();
    for evidence in file.evidence.iter().filter(|evidence| evidence.collect.is_none()) {
        let (what, unknown) = match &evidence.object {
            Some(object) => {
                let own = if object.own.is_some() { entity.clone() } else { Vec::new() };
                let each = object.each.iter().flat_map(|each| each.exists.kind.iter().chain(&each.exists.kinds));
                let kinds = object.kind.iter().chain(&object.kinds).chain(own).chain(each);
                let unknown = kinds
                    .map(|kind| KindName::parse(&kind.value))
                    .find(|kind| kind.group != "casefile.dev" && catalogue.kind(&catalogue.canonical(kind)).is_none());
                (unknown.as_ref().map(ToString::to_string).unwrap_or_default(), unknown.is_some())
            }
            None => ("the log".to_owned(), evidence.log.is_some()),
        };
        if unknown {
            let hint = "add `collect:` with `on:` (where to run it) and `run:` (the command)".to_owned();
            let message = format!("nothing says how to collect {what} for `{}`", evidence.id.value);
            reporter.report(Code::NoCollect, evidence.id.place, message, Some(hint));
        }
    }
}

fn relations(file: &SignatureFile, targets: &BTreeMap<String, Target>, reporter: &mut Reporter<'_>) {
    for relation in &file.relations {
        let to = &relation.to;
        if to.value == file.id.value {
            let hint = "a relation connects two signatures".to_owned();
            reporter.report(Code::BadRelation, to.place, "a signature can not relate to itself", Some(hint));
        }
        let Some(Target { entity, captures, evidence }) = targets.get(&to.value) else {
            let near = suggest::did_you_mean(&to.value, targets.keys().map(String::as_str));
            let hint = format!(
                "{}write the other signature first, or leave the relation out",
                near.map_or_else(String::new, |near| format!("{near} otherwise "))
            );
            reporter.report(
                Code::UnknownRelation,
                to.place,
                format!("there is no signature `{}`", to.value),
                Some(hint),
            );
            continue;
        };
        for right in relation.matches.values() {
            let variable = right.value.trim_start_matches('$').split(['.', '[']).next().unwrap_or_default();
            if right.value.starts_with('$') && variable != entity && !captures.contains(variable) {
                let hint = format!("the entity of {} is `${entity}`", to.value);
                let message = format!("`{}` is not a variable of {}", right.value, to.value);
                reporter.report(Code::BadRelation, right.place, message, Some(hint));
            }
        }
        for id in relation.unless.iter().filter(|id| !evidence.contains(&id.value)) {
            let hint = suggest::did_you_mean(&id.value, evidence.iter().map(String::as_str));
            let message = format!("{} has no evidence `{}`", to.value, id.value);
            reporter.report(Code::BadRelation, id.place, message, hint);
        }
    }
}

fn cause_cycles(files: &[Read<'_>], problems: &mut Vec<Problem>) {
    let causes = |id: &str| -> Vec<&Text> {
        files
            .iter()
            .flat_map(|read| &read.each)
            .filter(|file| file.id.value == id)
            .flat_map(|file| &file.relations)
            .filter(|relation| relation.kind.value != RelationKind::DistinctFrom)
            .map(|relation| &relation.to)
            .collect()
    };
    for (read, file) in files.iter().flat_map(|read| read.each.iter().map(move |file| (read, file))) {
        let own = &file.id.value;
        for first in causes(own) {
            let mut reached: BTreeSet<&str> = BTreeSet::new();
            let mut next = vec![first.value.as_str()];
            while let Some(id) = next.pop() {
                if reached.insert(id) {
                    next.extend(causes(id).into_iter().map(|to| to.value.as_str()));
                }
            }
            if reached.contains(own.as_str()) {
                let mut reporter = Reporter::new(&read.shown, read.text);
                let hint = "a relation is written once, at the cause".to_owned();
                let message = format!("{own} causes {}, which leads back to {own}", first.value);
                reporter.report(Code::CauseCycle, first.place, message, Some(hint));
                problems.extend(reporter.finish());
            }
        }
    }
}

/// Where the tests of a signature stand.
fn tests_path(path: &str) -> String {
    let stem = path.strip_suffix(".yaml").or_else(|| path.strip_suffix(".yml")).unwrap_or(path);
    format!("{stem}.tests.yaml")
}

fn tests(signature: &Read<'_>, reporter: &mut Reporter<'_>, problems: &mut Vec<Problem>) {
    let path = tests_path(signature.path);
    let Some(text) = signature.pack.file(&path) else {
        let hint = format!("write {}; `casefile new ID` shows its form", signature.pack.shown(&path));
        for file in &signature.each {
            let message = format!("{} has no tests", file.id.value);
            reporter.report(Code::NoTests, file.id.place, message, Some(hint.clone()));
        }
        return;
    };
    let shown = signature.pack.shown(&path);
    let tests = tests_file::in_forms(text, &shown, &signature.forms);
    let each = signature.each.iter().zip(&tests.each).map(|(file, tests)| {
        let mut own = Reporter::new(&shown, text);
        if let Some(tests) = tests {
            check_tests(file, tests, !signature.forms.is_empty(), &mut own);
        }
        own.finish()
    });
    let each = each.collect();
    if tests.each.iter().all(Option::is_some) {
        let used = signature.used.union(&tests.used).cloned().collect();
        forms::unused(&signature.forms, &used, reporter);
    }
    problems.extend(tests.problems);
    problems.extend(forms::merge(&signature.forms, each));
}

fn check_tests(signature: &SignatureFile, tests: &FormTests, in_forms: bool, reporter: &mut Reporter<'_>) {
    let FormTests { file, cases } = tests;
    if file.signature.value != signature.id.value {
        let id = if in_forms { "${id}" } else { &signature.id.value };
        let hint = format!("write `signature: {id}`");
        reporter.report(Code::BadTest, file.signature.place, "these are the tests of another signature", Some(hint));
    }
    for kind in TestKind::ALL {
        if !cases.iter().any(|case| case.kind == kind) {
            let hint = match kind {
                TestKind::Confirmed => "show the failure with everything collected",
                TestKind::RuledOut => "show a bundle in which something found excludes it, or a healthy one",
                TestKind::Missing => "take some evidence away with `like:` and `without:`: it must not be ruled out",
                TestKind::NearMiss => "show what looks like it and is not",
            };
            let message = format!("there is no test of the kind `{}`", kind.word());
            reporter.report(Code::MissingTest, file.signature.place, message, Some(hint.to_owned()));
        }
    }
    let ids = || signature.evidence.iter().map(|evidence| evidence.id.value.as_str());
    for (test, expect) in file.tests.iter().flat_map(|test| test.expect.iter().map(move |expect| (test, expect))) {
        let states = expect.evidence.keys().map(|id| (id.as_str(), reporter.key_below(expect.entity.place, id)));
        let states: Vec<(&str, Place)> = states.collect();
        let asks = expect.asks.iter().map(|ask| (ask.value.as_str(), ask.place));
        for (id, place) in states.into_iter().chain(asks) {
            if !ids().any(|known| known == id) {
                let hint = suggest::did_you_mean(id, ids());
                let message = format!("{} has no evidence `{id}`", signature.id.value);
                reporter.report(Code::UnknownEvidence, place, message, hint);
            }
        }
        expectation_fits(test, expect, reporter);
    }
}

/// A confirmed test must confirm something, and a test of missing evidence must not rule out by it.
fn expectation_fits(test: &tests_file::TestFile, expect: &tests_file::ExpectFile, reporter: &mut Reporter<'_>) {
    use tests_file::ExpectedVerdict::{Confirmed, Probable};
    let first = test.expect.first().is_some_and(|first| first.entity.place == expect.entity.place);
    let message = match test.kind.value {
        TestKind::Confirmed if first && !test.expect.iter().any(|e| e.verdict == Confirmed) => {
            "a test of the kind `confirmed` expects no entity to be confirmed"
        }
        TestKind::NearMiss if matches!(expect.verdict, Confirmed | Probable) && test.expect.len() == 1 => {
            "a near miss must be neither confirmed nor probable"
        }
        _ => return,
    };
    let hint = "change its `kind` or what it expects".to_owned();
    reporter.report(Code::BadTest, expect.entity.place, message, Some(hint));
}

/// Test files that belong to no signature.
fn orphan_tests(pack: &Pack, files: &[Read<'_>], problems: &mut Vec<Problem>) {
    for (path, text) in pack.tests() {
        let known = pack.signatures().any(|(signature, _)| tests_path(signature) == *path)
            || files.iter().any(|read| tests_path(read.path) == *path);
        if !known {
            let shown = pack.shown(path);
            let mut reporter = Reporter::new(&shown, text);
            let hint = format!("put {} beside it", path.replace(".tests.", "."));
            let place = Place { line: 1, column: 1, length: 0 };
            reporter.report(Code::BadTest, place, "no signature stands beside these tests", Some(hint));
            problems.extend(reporter.finish());
        }
    }
}

fn site_overrides<'a>(pack: &Pack, all: impl Iterator<Item = &'a Pack>, problems: &mut Vec<Problem>) {
    let Some(text) = pack.file("overrides.yaml") else { return };
    let shown = pack.shown("overrides.yaml");
    let mut reporter = Reporter::new(&shown, text);
    if let Some(file) = read::read::<overrides::OverridesFile>(text, &mut reporter) {
        let mut signatures = Vec::new();
        for (path, text) in all.flat_map(Pack::signatures) {
            for Formed { file, mut reporter } in forms::read(path, text).each {
                let compiled =
                    file.and_then(|file| load::compiled(&file, Proof::None, path, &mut BTreeMap::new(), &mut reporter));
                signatures.extend(compiled);
            }
        }
        overrides::apply(&file, &mut signatures, &mut reporter);
    }
    problems.extend(reporter.finish());
}
