//! What a row may name: signatures with their evidence, texts and tests, checks, samples, test functions.

use super::source::{Carrier, Row, Source};
use serde::Deserialize;
use signature::file::SignatureFile;
use signature::pack::Pack;
use signature::tests_file::TestsFile;
use signature::{forms, tests_file};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::LazyLock;

/// The derived kind whose objects are the checks of `patterns/checks.yaml`.
const CHECK_KIND: &str = "installationchecks.casefile.dev";

/// Blocks of a signature's text that can carry a statement.
const BLOCKS: [&str; 11] = [
    "title",
    "summary",
    "claim",
    "explain",
    "steps",
    "does_not_help",
    "do_not",
    "verify",
    "ask",
    "escalation",
    "relations",
];

/// One check of `patterns/checks.yaml`, as far as the page shows it.
#[derive(Debug, Deserialize)]
pub(super) struct Check {
    /// Its id.
    pub id: String,
    /// One line for people.
    pub title: String,
}

#[derive(Deserialize)]
struct Checklist {
    checks: Vec<Check>,
}

/// What exists.
pub(super) struct Project {
    /// Where it lies.
    pub root: PathBuf,
    /// Signatures by id.
    pub signatures: BTreeMap<String, SignatureFile>,
    /// Tests by the id of the signature.
    pub tests: BTreeMap<String, TestsFile>,
    /// The checks, in their order.
    pub checks: Vec<Check>,
}

impl Project {
    /// The project that these tests are of, read once.
    pub(super) fn here() -> &'static Self {
        static HERE: LazyLock<Project> = LazyLock::new(Project::read);
        &HERE
    }

    fn read() -> Self {
        let root = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = PathBuf::from(root);
        let pack = Pack::read(&root.join("patterns")).expect("patterns/ can be read");
        let mut project = Self { root, signatures: BTreeMap::new(), tests: BTreeMap::new(), checks: Vec::new() };
        for (path, text) in pack.signatures() {
            let files = forms::signatures(path, text).unwrap_or_else(|problems| panic!("{problems:?}"));
            project.signatures.extend(files.into_iter().map(|file| (file.id.value.clone(), file)));
        }
        for (path, text) in pack.tests() {
            let tests = tests_file::of_pack(&pack, path, text);
            assert!(tests.problems.is_empty(), "{:?}", tests.problems);
            let files = tests.each.into_iter().flatten().map(|tests| tests.file);
            project.tests.extend(files.map(|file| (file.signature.value.clone(), file)));
        }
        let text = pack.file("checks.yaml").expect("patterns/checks.yaml");
        let list: Checklist = serde_saphyr::from_str(text).expect("patterns/checks.yaml");
        project.checks = list.checks;
        project
    }

    /// Tests that expect something of a check: id of the signature and name of the test.
    pub(super) fn tests_of_check(&self, check: &str) -> BTreeSet<(&str, &str)> {
        let of_checks = |file: &&SignatureFile| {
            let kind = file.entity.object.as_ref().and_then(|object| object.kind.as_ref());
            kind.is_some_and(|kind| kind.value == CHECK_KIND)
        };
        let files = self.signatures.values().filter(of_checks).filter_map(|file| self.tests.get(&file.id.value));
        let tests = files.flat_map(|file| file.tests.iter().map(move |test| (file, test)));
        let expects = tests.filter(|(_, test)| test.expect.iter().any(|expected| expected.entity.value == check));
        expects.map(|(file, test)| (file.signature.value.as_str(), test.name.value.as_str())).collect()
    }

    /// What is wrong with the rows of a source, each with the row that it is in.
    pub(super) fn problems(&self, source: &Source) -> Vec<String> {
        let mut problems = Vec::new();
        let guide = source.name.starts_with("guide-");
        if guide && source.source != source.name.replace('-', " ") {
            problems.push(format!("`source` must be `{}`", source.name.replace('-', " ")));
        }
        for row in &source.rows {
            let mut row_problems = self.row(row);
            if guide == row.lines.is_none() {
                row_problems.push("a row of a guide has `lines`, one of a list has `id`".to_owned());
            }
            problems.extend(row_problems.into_iter().map(|problem| format!("row {}: {problem}", row.place())));
        }
        let ids: Vec<&String> = source.rows.iter().filter_map(|row| row.id.as_ref()).collect();
        let twice: BTreeSet<&&String> =
            ids.iter().filter(|id| ids.iter().filter(|other| other == id).count() > 1).collect();
        problems.extend(twice.iter().map(|id| format!("id {id} stands twice")));
        problems.into_iter().map(|problem| format!("docs/coverage/{}.yaml: {problem}", source.name)).collect()
    }

    fn row(&self, row: &Row) -> Vec<String> {
        let mut problems = Vec::new();
        if row.lines.is_some() == row.id.is_some() {
            problems.push("exactly one of `lines` and `id` names it".to_owned());
        }
        if row.says.trim().is_empty() || row.left_out.as_ref().is_some_and(|why| why.trim().is_empty()) {
            problems.push("`says` and `left_out` say something".to_owned());
        }
        if row.carried_by.is_empty() == row.left_out.is_none() {
            problems.push("exactly one of `carried_by` and `left_out` is wanted".to_owned());
        }
        if !row.carried_by.is_empty() && row.carried_by.iter().all(|carrier| carrier.sample.is_some()) {
            problems.push("a sample stands beside a signature, a check or code, never alone".to_owned());
        }
        problems.extend(row.carried_by.iter().flat_map(|carrier| self.carrier(carrier)));
        problems
    }

    fn carrier(&self, carrier: &Carrier) -> Vec<String> {
        let lists = !carrier.evidence.is_empty() || !carrier.text.is_empty();
        let tests = !carrier.tests.is_empty();
        match (&carrier.signature, &carrier.check, &carrier.code, &carrier.sample) {
            (Some(id), None, None, None) => self.signature(id, carrier),
            (None, Some(id), None, None) if !lists => self.check(id, &carrier.tests),
            (None, None, Some(code), None) if !lists && !tests => self.code(code).err().into_iter().collect(),
            (None, None, None, Some(sample)) if !lists && !tests => {
                let there = self.root.join("sample-bundles").join(sample).join("expected.json").is_file();
                if there { Vec::new() } else { vec![format!("sample-bundles/{sample}/expected.json does not exist")] }
            }
            _ => vec![
                "an item of `carried_by` has exactly one of signature (with evidence, text, tests), check (with tests), \
                 code and sample"
                    .to_owned(),
            ],
        }
    }

    fn signature(&self, id: &str, carrier: &Carrier) -> Vec<String> {
        let Some(file) = self.signatures.get(id) else { return vec![format!("no signature has the id {id}")] };
        let mut problems = Vec::new();
        if carrier.evidence.is_empty() && carrier.text.is_empty() {
            problems.push(format!("{id}: name `evidence` or `text`"));
        }
        if !carrier.evidence.is_empty() && carrier.tests.is_empty() {
            problems.push(format!("{id}: `evidence` is named, so name a test of it"));
        }
        let missing = carrier.evidence.iter().filter(|name| file.evidence.iter().all(|found| found.id.value != **name));
        problems.extend(missing.map(|name| format!("{id} has no evidence `{name}`")));
        let absent = carrier.text.iter().filter(|block| !has_block(file, block, carrier));
        problems.extend(absent.map(|block| format!("{id} has no text `{block}`; blocks are {}", BLOCKS.join(", "))));
        let tests = self.tests.get(id).map(|file| file.tests.as_slice()).unwrap_or_default();
        let unknown = carrier.tests.iter().filter(|name| tests.iter().all(|test| test.name.value != **name));
        problems.extend(unknown.map(|name| format!("{id} has no test `{name}`")));
        problems
    }

    fn check(&self, id: &str, tests: &[String]) -> Vec<String> {
        if self.checks.iter().all(|check| check.id != id) {
            return vec![format!("patterns/checks.yaml has no check {id}")];
        }
        let known = self.tests_of_check(id);
        let unknown = tests.iter().filter(|name| known.iter().all(|(_, test)| test != name));
        unknown.map(|name| format!("no test `{name}` expects something of check {id}")).collect()
    }

    fn code(&self, code: &str) -> Result<(), String> {
        let (path, function) = code.split_once("::").ok_or(format!("`{code}`: write path/of/file.rs::function"))?;
        let function = function.rsplit("::").next().unwrap_or(function);
        let text = std::fs::read_to_string(self.root.join(path)).map_err(|_| format!("no file {path}"))?;
        let test = regex::Regex::new(&format!(
            r"#\[test\]\s*(?:(?:#\[[^\]]*\]|//[^\n]*)\s*)*fn {}\s*\(",
            regex::escape(function)
        ))
        .map_err(|error| error.to_string())?;
        if test.is_match(&text) { Ok(()) } else { Err(format!("{path} has no test function {function}")) }
    }
}

fn has_block(file: &SignatureFile, block: &str, carrier: &Carrier) -> bool {
    match block {
        "title" | "summary" => true,
        "claim" => !carrier.evidence.is_empty(),
        "ask" => !carrier.evidence.is_empty() || file.evidence.iter().any(|evidence| evidence.collect.is_some()),
        "explain" => file.explain.is_some(),
        "steps" => !file.remediation.steps.is_empty(),
        "does_not_help" => !file.remediation.does_not_help.is_empty(),
        "do_not" => !file.remediation.do_not.is_empty(),
        "verify" => !file.remediation.verify.is_empty(),
        "escalation" => file.escalation.is_some(),
        "relations" => !file.relations.is_empty(),
        _ => false,
    }
}
