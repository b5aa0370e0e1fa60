//! The tests of a signature, as they are written beside it: tiny bundles and what must come out.
//!
//! [`TestsFile`] is the YAML, read in each form of its signature ([`of_pack`]); `like` and `change` are resolved into
//! [`Case`]s that a runner can run.

use crate::code::Code;
use crate::evidence_state::EvidenceState;
use crate::file::Text;
use crate::forms::Form;
use crate::located::{Located, Place};
use crate::model::VerdictWord;
use crate::pack::Pack;
use crate::problem::{Problem, Reporter};
use crate::substitute::Substitution;
use crate::{forms, read};
use facts::suggest;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The tests of one signature of Casefile.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestsFile {
    /// The id of the signature.
    pub signature: Text,
    /// The tests: at least one of each kind.
    pub tests: Vec<TestFile>,
}

/// One test: a tiny bundle and what must come out.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestFile {
    /// What it shows, in a few words; unique in the file.
    pub name: Text,
    /// What it is a test of.
    pub kind: Located<TestKind>,
    /// Begins with the files, commands and clock of this test, which stands before it.
    pub like: Option<Text>,
    /// What is written otherwise in the files of that test: path to old text to new text, everywhere it stands.
    #[serde(default)]
    pub change: BTreeMap<String, BTreeMap<String, Text>>,
    /// Kinds (`plural.group`), log classes or files that are taken away.
    #[serde(default)]
    pub without: Vec<Text>,
    /// The bundle: path to content.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// The command behind a file, so that a list in it is stated: path to command.
    #[serde(default)]
    pub commands: BTreeMap<String, Text>,
    /// The as-of clock (RFC 3339), if the bundle does not say it.
    pub as_of: Option<Text>,
    /// Ids of the forms of the signature that it is a test of; of all of them if it names none.
    #[serde(default)]
    pub forms: Vec<Text>,
    /// What must come out, for each entity that matters.
    pub expect: Vec<ExpectFile>,
}

/// What a test is a test of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TestKind {
    /// The failure as it is, everything collected.
    Confirmed,
    /// Something found excludes it; for a signature that cannot rule out: the healthy case.
    RuledOut,
    /// Evidence was not collected.
    Missing,
    /// Looks like it and is not.
    NearMiss,
}

impl TestKind {
    /// All kinds, as the strictness rules demand them.
    pub const ALL: [TestKind; 4] = [TestKind::Confirmed, TestKind::RuledOut, TestKind::Missing, TestKind::NearMiss];

    /// The word in the file.
    pub fn word(self) -> &'static str {
        match self {
            TestKind::Confirmed => "confirmed",
            TestKind::RuledOut => "ruled_out",
            TestKind::Missing => "missing",
            TestKind::NearMiss => "near_miss",
        }
    }
}

/// The names of the captures that tests look at: a library keeps them beside those that its relations compare.
pub fn looked_at<'c>(cases: impl IntoIterator<Item = &'c Case>) -> BTreeSet<String> {
    let expected = cases.into_iter().flat_map(|case| &case.expect);
    expected.flat_map(|expected| expected.captured.keys().cloned()).collect()
}

/// What must come out for one entity.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectFile {
    /// The name of the entity.
    pub entity: Text,
    /// The context of the entity, if several have one of that name.
    pub context: Option<Text>,
    /// The verdict, or `none`: no finding.
    pub verdict: ExpectedVerdict,
    /// The state of some pieces of evidence, by id.
    #[serde(default)]
    pub evidence: BTreeMap<String, EvidenceState>,
    /// Ids of evidence whose collect command must be asked for.
    #[serde(default)]
    pub asks: Vec<Text>,
    /// Ruled out and confirmed at once.
    pub conflicting: Option<bool>,
    /// The headline of the finding, as it is printed.
    pub headline: Option<Text>,
    /// All values of some captures, by name: whom a relation connects a finding with shows in no text.
    #[serde(default)]
    pub captured: BTreeMap<String, BTreeSet<String>>,
    /// The commands of the steps that are shown, all of them, in order and as they are printed.
    pub commands: Option<Vec<Text>>,
}

/// A verdict, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExpectedVerdict {
    /// See [`VerdictWord::Confirmed`].
    Confirmed,
    /// See [`VerdictWord::Probable`].
    Probable,
    /// See [`VerdictWord::Undecided`].
    Undecided,
    /// See [`VerdictWord::Resolved`].
    Resolved,
    /// See [`VerdictWord::RuledOut`].
    RuledOut,
    /// No finding for this entity.
    None,
}

impl ExpectedVerdict {
    /// The verdict of a finding; `None` if there must be none.
    pub fn verdict(self) -> Option<VerdictWord> {
        match self {
            ExpectedVerdict::Confirmed => Some(VerdictWord::Confirmed),
            ExpectedVerdict::Probable => Some(VerdictWord::Probable),
            ExpectedVerdict::Undecided => Some(VerdictWord::Undecided),
            ExpectedVerdict::Resolved => Some(VerdictWord::Resolved),
            ExpectedVerdict::RuledOut => Some(VerdictWord::RuledOut),
            ExpectedVerdict::None => None,
        }
    }
}

/// A test that a runner can run: `like` is resolved.
#[derive(Debug, Clone)]
pub struct Case {
    /// The id of the signature.
    pub signature: String,
    /// The test's name.
    pub name: String,
    /// What it is a test of.
    pub kind: TestKind,
    /// Where it stands, for messages.
    pub place: Place,
    /// The bundle: path to content.
    pub files: BTreeMap<String, String>,
    /// Path to the command behind the file.
    pub commands: BTreeMap<String, String>,
    /// Kinds and log classes to take away; files are gone already.
    pub without: Vec<String>,
    /// The as-of clock.
    pub as_of: Option<jiff::Timestamp>,
    /// What must come out.
    pub expect: Vec<ExpectFile>,
}

/// The tests of one form of a signature, or of the only one.
#[derive(Debug)]
pub struct FormTests {
    /// The file, with the values of the form, and without the tests of others.
    pub file: TestsFile,
    /// Its tests, resolved.
    pub cases: Vec<Case>,
}

/// What was read of a tests file: the tests of each form, and what is wrong with it.
#[derive(Debug)]
pub struct Tests {
    /// The forms, in the order of the signature; `None` where the file cannot be read.
    pub each: Vec<Option<FormTests>>,
    /// The variables of the forms that the file uses.
    pub(crate) used: BTreeSet<String>,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

impl Tests {
    /// All tests, form by form.
    pub fn cases(self) -> impl Iterator<Item = Case> {
        self.each.into_iter().flatten().flat_map(|form| form.cases)
    }
}

/// Where the signature stands that a tests file is beside.
pub fn signature_path(path: &str) -> String {
    path.replacen(".tests.", ".", 1)
}

/// Reads the tests at `path` of a pack, in each form of the signature that stands beside them.
pub fn of_pack(pack: &Pack, path: &str, text: &str) -> Tests {
    in_forms(text, &pack.shown(path), &forms::of(pack, &signature_path(path)))
}

/// Reads tests in each of these forms; once if there is none.
pub(crate) fn in_forms(text: &str, shown: &str, forms: &[Form]) -> Tests {
    if forms.is_empty() {
        let mut reporter = Reporter::new(shown, text);
        let file: Option<TestsFile> = read::read(text, &mut reporter);
        let tests = file.map(|file| {
            let id = file.signature.value.clone();
            of_form(file, &id, std::slice::from_ref(&id), &mut reporter)
        });
        return Tests { each: vec![tests], used: BTreeSet::new(), problems: reporter.finish() };
    }
    let (mut each, mut problems, mut used) = (Vec::new(), Vec::new(), BTreeSet::new());
    let ids: Vec<String> = forms.iter().map(|form| form.id.clone()).collect();
    for form in forms {
        let mut reporter = Reporter::new(shown, text);
        let substitution = Substitution::new(form);
        let file: Option<TestsFile> = read::read_in(text, &substitution, &mut reporter);
        each.push(file.map(|file| of_form(file, &form.id, &ids, &mut reporter)));
        let met = substitution.used();
        forms::unknown(form, &met, text, &mut reporter);
        used.extend(met);
        problems.push(reporter.finish());
    }
    Tests { each, used, problems: forms::merge(forms, problems) }
}

/// Keeps the tests of one form and resolves them.
fn of_form(mut file: TestsFile, id: &str, ids: &[String], reporter: &mut Reporter<'_>) -> FormTests {
    known_forms(&file, ids, reporter);
    file.tests.retain(|test| test.forms.is_empty() || test.forms.iter().any(|form| form.value == id));
    let cases = cases(&file, reporter);
    FormTests { file, cases }
}

/// Reports what `forms` of a test names that is no form of the signature.
fn known_forms(file: &TestsFile, ids: &[String], reporter: &mut Reporter<'_>) {
    for form in file.tests.iter().flat_map(|test| &test.forms).filter(|form| !ids.contains(&form.value)) {
        let hint = suggest::did_you_mean(&form.value, ids.iter().map(String::as_str))
            .unwrap_or_else(|| format!("the forms are {}", ids.join(", ")));
        reporter.report(Code::BadTest, form.place, format!("`{}` is no form of the signature", form.value), Some(hint));
    }
}

/// Resolves `like`, `change` and `without`.
fn cases(file: &TestsFile, reporter: &mut Reporter<'_>) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for test in &file.tests {
        if cases.iter().any(|case| case.name == test.name.value) {
            let message = format!("two tests are named `{}`", test.name.value);
            reporter.report(
                Code::DuplicateId,
                test.name.place,
                message,
                Some("name each test for what it shows".to_owned()),
            );
        }
        let base = test.like.as_ref().and_then(|like| base(&cases, like, reporter));
        let (mut files, mut commands, mut taken, clock) = match base {
            Some(base) => (base.files.clone(), base.commands.clone(), base.without.clone(), base.as_of),
            None => Default::default(),
        };
        change(&mut files, test, reporter);
        files.extend(test.files.clone());
        commands.extend(test.commands.iter().map(|(path, command)| (path.clone(), command.value.clone())));
        let gone: BTreeSet<&str> = test.without.iter().map(|text| text.value.as_str()).collect();
        taken.extend(gone.iter().filter(|name| !files.contains_key(**name)).map(|name| (*name).to_owned()));
        files.retain(|path, _| !gone.contains(path.as_str()));
        commands.retain(|path, _| !gone.contains(path.as_str()));
        for (path, command) in &test.commands {
            if !files.contains_key(path) {
                let hint = suggest::did_you_mean(path, files.keys().map(String::as_str));
                let message = format!("`{path}` is not a file of this test");
                reporter.report(Code::BadTest, command.place, message, hint);
            }
        }
        if files.is_empty() || test.expect.is_empty() {
            let hint = "a test needs `files` (or `like`) and at least one entry in `expect`".to_owned();
            reporter.report(Code::BadTest, test.name.place, format!("`{}` tests nothing", test.name.value), Some(hint));
        }
        let as_of = test.as_of.as_ref().and_then(|text| match text.value.parse() {
            Ok(time) => Some(time),
            Err(_) => {
                let hint = "write it as 2026-05-14T10:00:00Z".to_owned();
                reporter.report(Code::BadTest, text.place, format!("`{}` is not a time", text.value), Some(hint));
                None
            }
        });
        cases.push(Case {
            signature: file.signature.value.clone(),
            name: test.name.value.clone(),
            kind: test.kind.value,
            place: test.name.place,
            files,
            commands,
            without: taken,
            as_of: as_of.or(clock),
            expect: test.expect.clone(),
        });
    }
    cases
}

/// Writes the files of the test that this one is like otherwise, in the order of the old texts.
fn change(files: &mut BTreeMap<String, String>, test: &TestFile, reporter: &mut Reporter<'_>) {
    for (path, changes) in &test.change {
        let Some(text) = files.get_mut(path) else {
            let hint = suggest::did_you_mean(path, files.keys().map(String::as_str))
                .unwrap_or_else(|| "`change` names files of the test in `like`".to_owned());
            let message = format!("`{path}` is not a file of the test that this one is like");
            reporter.report(Code::BadTest, test.name.place, message, Some(hint));
            continue;
        };
        for (old, new) in changes {
            if old.is_empty() || !text.contains(old.as_str()) {
                let message = format!("`{old}` does not stand in `{path}`");
                let hint = format!("copy a text of `{path}`, with its blanks");
                reporter.report(Code::BadTest, new.place, message, Some(hint));
                continue;
            }
            *text = text.replace(old.as_str(), &new.value);
        }
    }
}

fn base<'a>(cases: &'a [Case], like: &Text, reporter: &mut Reporter<'_>) -> Option<&'a Case> {
    let found = cases.iter().find(|case| case.name == like.value);
    if found.is_none() {
        let hint = suggest::did_you_mean(&like.value, cases.iter().map(|case| case.name.as_str()))
            .unwrap_or_else(|| "`like` names a test that stands before this one".to_owned());
        reporter.report(
            Code::BadTest,
            like.place,
            format!("no test before this one is named `{}`", like.value),
            Some(hint),
        );
    }
    found
}
