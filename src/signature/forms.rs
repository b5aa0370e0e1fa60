//! One file for the same failure of the same API in two scopes or two groups: a list of forms, each a signature of
//! its own with an id and values for the variables `${...}` of the file and of its tests.
//!
//! Why at load time: neither the engine nor a report learns that two signatures were written once. Only a file with
//! forms is read more than once. What one form has and the other has not (a wording, a tag) is an item whose text is
//! empty in the other: it is left out.
//!
//! Invariants: each form gives each variable a value and its own id to its signature; a mistake that all forms share is said once, one of a single
//! form names it; places are those of the file.

use crate::code::Code;
use crate::file::{SignatureFile, Text};
use crate::located::{Located, Place};
use crate::pack::Pack;
use crate::problem::{Problem, Reporter};
use crate::read;
use crate::substitute::{self, Substitution};
use catalogue::built_in;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// A form as it is written: the value of each variable, `id` among them.
pub type FormFile = Located<BTreeMap<String, Text>>;

/// One form of a signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The id of the signature that it is.
    pub id: String,
    /// The value of each variable, `id` among them.
    values: BTreeMap<String, Text>,
}

impl Form {
    /// The value of a variable.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|text| text.value.as_str())
    }

    /// The names of all variables.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }
}

/// Is it the name of a variable?
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// Only the forms of a file; what else is in it is read in each form.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    forms: Vec<FormFile>,
}

/// A file in one of its forms.
#[derive(Debug)]
pub(crate) struct Formed<'a> {
    /// The signature, if it could be read.
    pub(crate) file: Option<SignatureFile>,
    /// Takes the problems of this form.
    pub(crate) reporter: Reporter<'a>,
}

/// What was read of one file.
#[derive(Debug)]
pub(crate) struct FormedFile<'a> {
    /// The forms; empty for a file without.
    pub(crate) forms: Vec<Form>,
    /// The signature of each form, or the only one.
    pub(crate) each: Vec<Formed<'a>>,
    /// The variables that the file uses.
    pub(crate) used: BTreeSet<String>,
    /// What is wrong with the forms themselves.
    problems: Vec<Problem>,
}

impl FormedFile<'_> {
    /// Was the signature of each form read?
    pub(crate) fn is_whole(&self) -> bool {
        !self.each.is_empty() && self.each.iter().all(|formed| formed.file.is_some())
    }

    /// All problems, those that every form has once.
    pub(crate) fn finish(self) -> Vec<Problem> {
        let each = self.each.into_iter().map(|formed| formed.reporter.finish()).collect();
        let mut problems = self.problems;
        problems.extend(merge(&self.forms, each));
        problems
    }
}

/// Reads a file: one signature, or one for each form. `shown` is its name in messages.
pub(crate) fn read<'a>(shown: &'a str, text: &'a str) -> FormedFile<'a> {
    let mut reporter = Reporter::new(shown, text);
    let file: Option<SignatureFile> = read::read(text, &mut reporter);
    let written = match &file {
        Some(file) => file.forms.clone(),
        None => head(text),
    };
    if written.is_empty() {
        let each = vec![Formed { file, reporter }];
        return FormedFile { forms: Vec::new(), each, used: BTreeSet::new(), problems: Vec::new() };
    }
    // What was wrong without the values may be right with them.
    let mut reporter = Reporter::new(shown, text);
    let forms = checked(written, &mut reporter);
    let mut used = BTreeSet::new();
    let in_form = |form: &Form| {
        let mut reporter = Reporter::new(shown, text);
        let substitution = Substitution::new(form);
        let mut file: Option<SignatureFile> = read::read_in(text, &substitution, &mut reporter);
        file.iter_mut().for_each(leave_out_empty);
        if let Some(id) = file.as_ref().map(|file| &file.id).filter(|id| id.value != form.id) {
            let hint = Some("write `id: ${id}`".to_owned());
            reporter.report(Code::BadId, id.place, "the file has forms, and its id is not that of the form", hint);
            file = None;
        }
        let met = substitution.used();
        unknown(form, &met, text, &mut reporter);
        used.extend(met);
        Formed { file, reporter }
    };
    let each = forms.iter().map(in_form).collect();
    FormedFile { forms, each, used, problems: reporter.finish() }
}

/// The signatures of a file that is embedded in the binary, which the build has read in each of its forms; `None` if
/// there is no such file, or one of them cannot be read: its text then tells why.
pub(crate) fn embedded(path: &str) -> Option<Vec<SignatureFile>> {
    let documents = built_in::documents(path);
    let mut files: Vec<SignatureFile> =
        documents.iter().map(|json| serde_json::from_str(json)).collect::<Result<_, _>>().ok()?;
    files.iter_mut().filter(|file| !file.forms.is_empty()).for_each(leave_out_empty);
    (!files.is_empty()).then_some(files)
}

/// The signatures of a file as they are written, each form with its values.
///
/// # Errors
/// With what is wrong, if one of them cannot be read.
pub fn signatures(shown: &str, text: &str) -> Result<Vec<SignatureFile>, Vec<Problem>> {
    let mut read = read(shown, text);
    if !read.is_whole() {
        return Err(read.finish());
    }
    Ok(read.each.iter_mut().filter_map(|formed| formed.file.take()).collect())
}

/// The forms of the signature at `path` of a pack, for its tests; what is wrong with them is told where the signature
/// is read.
pub(crate) fn of(pack: &Pack, path: &str) -> Vec<Form> {
    let embedded = if pack.is_built_in() { built_in::document::<Head>(path) } else { None };
    let written = match embedded {
        Some(head) => head.forms,
        None => pack.file(path).map(head).unwrap_or_default(),
    };
    checked(written, &mut Reporter::new("", ""))
}

/// The forms as they are written; none if they cannot be read.
fn head(text: &str) -> Vec<FormFile> {
    let head: Option<Head> = read::read(text, &mut Reporter::new("", ""));
    head.map(|head| head.forms).unwrap_or_default()
}

/// The forms of a file; none if one of them is wrong, which is reported.
fn checked(written: Vec<FormFile>, reporter: &mut Reporter<'_>) -> Vec<Form> {
    let mut forms: Vec<Form> = Vec::new();
    for Located { value: values, place } in &written {
        let Some(id) = values.get("id") else {
            let hint = "each form has an `id`, which the file takes by `id: ${id}`".to_owned();
            reporter.report(Code::MissingKey, *place, "the form has no `id`", Some(hint));
            continue;
        };
        if forms.iter().any(|form| form.id == id.value) {
            let hint = "each form is a signature of its own: take the next free number".to_owned();
            reporter.report(Code::DuplicateId, id.place, format!("two forms have the id `{}`", id.value), Some(hint));
        }
        for (name, text) in values {
            let why = match (is_name(name), substitute::next_variable(&text.value)) {
                (false, _) => "is no name of a variable: letters, digits, `-` and `_`, a letter first",
                (_, Some(_)) => "has a value with a variable in it: write out what it stands for",
                _ => continue,
            };
            let message = format!("`{name}` of the form `{}` {why}", id.value);
            reporter.report(Code::BadValue, text.place, message, None);
        }
        let missing = written.iter().flat_map(|other| other.value.keys()).filter(|name| !values.contains_key(*name));
        for name in missing.collect::<BTreeSet<_>>() {
            let message = format!("the form `{}` has no value for `{name}`", id.value);
            let hint = "each form gives each variable a value; an empty text is written \"\"".to_owned();
            reporter.report(Code::UnknownFormVariable, *place, message, Some(hint));
        }
        forms.push(Form { id: id.value.clone(), values: values.clone() });
    }
    if reporter.is_empty() { forms } else { Vec::new() }
}

/// Reports the variables that no form gives, at each of their places.
pub(crate) fn unknown(form: &Form, met: &BTreeSet<String>, text: &str, reporter: &mut Reporter<'_>) {
    for name in met.iter().filter(|name| form.value(name).is_none()) {
        let hint = facts::suggest::did_you_mean(name, form.names())
            .unwrap_or_else(|| format!("the forms give {}", form.names().collect::<Vec<_>>().join(", ")));
        let variable = format!("${{{name}}}");
        let message = format!("no form gives `{variable}` a value");
        let in_lines = |comments: bool| -> Vec<Place> {
            let lines = text.lines().enumerate();
            let lines = lines.filter(|(_, line)| line.trim_start().starts_with('#') == comments);
            let place = |(number, line): (usize, &str), at: usize| {
                let column = line.get(..at).map_or(0, |before| before.chars().count()) + 1;
                Place { line: number + 1, column, length: variable.chars().count() }
            };
            lines.flat_map(|at| at.1.match_indices(&variable).map(move |(found, _)| place(at, found))).collect()
        };
        // A line of a block of text can begin like a comment, and an escape in a text can hide a variable.
        let mut places = in_lines(false);
        if places.is_empty() {
            places = in_lines(true);
        }
        if places.is_empty() {
            places.push(Place::default());
        }
        for place in places {
            reporter.report(Code::UnknownFormVariable, place, message.clone(), Some(hint.clone()));
        }
    }
}

/// Reports the variables that neither the file nor its tests use.
pub(crate) fn unused(forms: &[Form], used: &BTreeSet<String>, reporter: &mut Reporter<'_>) {
    let Some(form) = forms.first() else { return };
    for (name, text) in form.values.iter().filter(|(name, _)| !used.contains(*name)) {
        let message = format!("the variable `{name}` of the forms is never used");
        let hint = format!("use it as `${{{name}}}` in the file or in its tests, or leave it out");
        reporter.report(Code::UnusedFormVariable, text.place, message, Some(hint));
    }
}

/// The problems of all forms: once what each of them has, and with the form what only some have.
pub(crate) fn merge(forms: &[Form], each: Vec<Vec<Problem>>) -> Vec<Problem> {
    let in_all = |problem: &Problem| each.iter().all(|problems| problems.contains(problem));
    let mut merged = Vec::new();
    for (index, problems) in each.iter().enumerate() {
        for problem in problems {
            let mut problem = problem.clone();
            if !in_all(&problem)
                && let Some(form) = forms.get(index)
            {
                problem.message = format!("{} (in the form {})", problem.message, form.id);
            }
            merged.push(problem);
        }
    }
    merged.sort();
    merged.dedup();
    merged
}

/// Leaves out the items whose text is empty in this form.
fn leave_out_empty(file: &mut SignatureFile) {
    let said = |text: &Text| !text.value.is_empty();
    for log in file.evidence.iter_mut().filter_map(|evidence| evidence.log.as_mut()) {
        let state = log.state.iter_mut().flat_map(|state| [&mut state.down, &mut state.up]);
        [&mut log.any, &mut log.all].into_iter().chain(state).for_each(|texts| texts.retain(said));
        log.variants.retain(|variant| said(&variant.regex));
    }
    let objects = file.evidence.iter_mut().filter_map(|evidence| evidence.object.as_mut());
    let named = file.names.iter_mut().map(|name| &mut name.object);
    for capture in named.chain(objects).flat_map(|object| &mut object.capture) {
        capture.variants.retain(|variant| said(&variant.regex));
    }
    for relation in &mut file.relations {
        relation.matches.retain(|_, right| said(right));
        relation.unless.retain(said);
    }
    [&mut file.breaks, &mut file.suffers].into_iter().for_each(|ties| ties.retain(|tied| said(&tied.tie)));
    let own: [&mut Vec<Text>; 4] =
        [&mut file.tags, &mut file.aliases, &mut file.requires, &mut file.remediation.verify];
    own.into_iter().for_each(|texts| texts.retain(said));
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"schema: 1
forms:
  - { id: CF-1, kind: clusterthings.example.com, scope: "", name: things, more: "a: \"b\"" }
  - { id: CF-2, kind: things.example.com, scope: " -A", name: namespaced-things, more: "" }
id: ${id}
name: ${name}
title: "Things${scope}"
summary: s
status: test
severity: info
reviewed: 2026-11-21
tags: [x, "${more}"]
references: []
entity: { name: thing, object: { kind: "${kind}" } }
evidence:
  - id: seen
    role: hallmark
    claim: "{thing} is there"
    object: { self: true }
    collect: { on: hub, run: "kubectl get ${kind}${scope}" }
verdict: { confirmed: seen }
remediation: { steps: [] }
"#;

    fn read_all(text: &str) -> (Vec<SignatureFile>, Vec<String>) {
        let mut formed = read("a.yaml", text);
        let files = formed.each.iter_mut().filter_map(|formed| formed.file.take()).collect();
        (files, formed.finish().iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_file_is_one_signature_for_each_form() {
        let (files, problems) = read_all(FILE);
        assert_eq!(problems, Vec::<String>::new());
        let said: Vec<String> = files
            .iter()
            .map(|file| {
                let run = file.evidence[0].collect.as_ref().map(|collect| &collect.run);
                let run = run.map(|run| format!("{} at {}:{}", run.value, run.place.line, run.place.column));
                let tags: Vec<&str> = file.tags.iter().map(|tag| tag.value.as_str()).collect();
                format!("{} {} {:?} {tags:?} {}", file.id.value, file.name.value, file.title.value, run.unwrap())
            })
            .collect();
        insta::assert_snapshot!(said.join("\n"), @r#"
        CF-1 things "Things" ["x", "a: \"b\""] kubectl get clusterthings.example.com at 20:30
        CF-2 namespaced-things "Things -A" ["x"] kubectl get things.example.com -A at 20:30
        "#);
    }

    #[test]
    fn what_is_wrong_names_its_place_and_its_form() {
        let wrong = |from: &str, to: &str| read_all(&FILE.replace(from, to)).1.join("\n");
        insta::assert_snapshot!(wrong("summary: s", "summary: ${scpoe}"), @"a.yaml:8:10: CFL036: no form gives `${scpoe}` a value (did you mean `scope`?)");
        insta::assert_snapshot!(wrong(", more: \"\"", ""), @r#"a.yaml:4:5: CFL036: the form `CF-2` has no value for `more` (each form gives each variable a value; an empty text is written "")"#);
        insta::assert_snapshot!(wrong("{ id: CF-1,", "{"), @"a.yaml:3:5: CFL003: the form has no `id` (each form has an `id`, which the file takes by `id: ${id}`)");
        insta::assert_snapshot!(wrong("CF-2", "CF-1"), @"a.yaml:4:11: CFL009: two forms have the id `CF-1` (each form is a signature of its own: take the next free number)");
        insta::assert_snapshot!(wrong("name: things", "name: \"${id}\""), @"a.yaml:3:67: CFL004: `name` of the form `CF-1` has a value with a variable in it: write out what it stands for");
        insta::assert_snapshot!(wrong("summary:", "sumary:"), @"a.yaml:8:1: CFL002: unknown key `sumary` (did you mean `summary`?)");
        insta::assert_snapshot!(wrong("status: test", "status: ${more}"), @r#"
        a.yaml:9:9: CFL004: unknown value `` (in the form CF-2) (allowed here: `stable`, `test`, `experimental`, `deprecated`)
        a.yaml:9:9: CFL004: unknown value `a: "b"` (in the form CF-1) (allowed here: `stable`, `test`, `experimental`, `deprecated`)
        "#);
    }

    #[test]
    fn a_variable_is_found_wherever_it_hides() {
        let wrong = |to: &str| read_all(&FILE.replace("summary: s", to)).1.join("\n");
        insta::assert_snapshot!(wrong("# ${a}\nsummary: |\n  # ${b}"), @"a.yaml:10:5: CFL036: no form gives `${b}` a value (the forms give id, kind, more, name, scope)");
        insta::assert_snapshot!(wrong("summary: \"\\x24{c}\""), @"a.yaml: CFL036: no form gives `${c}` a value (the forms give id, kind, more, name, scope)");
    }

    #[test]
    fn any_value_can_be_a_variable_that_is_a_word_of_the_language() {
        let text = FILE.replace("status: test", "status: ${status}").replace("more: ", "status: stable, more: ");
        let (files, problems) = read_all(&text);
        assert_eq!(problems, Vec::<String>::new());
        assert!(files.len() == 2 && files.iter().all(|file| file.status == crate::model::Status::Stable));
    }

    #[test]
    fn what_is_empty_in_a_form_is_no_item_of_it() {
        let text = FILE
            .replace("object: { self: true }", "log: { any: [one, \"${more}\"], variants: [{ regex: a }, { regex: \"${more}\" }] }")
            .replace("remediation: { steps: [] }", "remediation: { steps: [], verify: [\"${more}\"] }\nrelations: [{ kind: causes, to: CF-3, match: { $a: \"${more}\" } }]");
        let (files, problems) = read_all(&text);
        assert_eq!(problems, Vec::<String>::new());
        let counts = |file: &SignatureFile| {
            let log = file.evidence[0].log.as_ref().unwrap();
            [log.any.len(), log.variants.len(), file.remediation.verify.len(), file.relations[0].matches.len()]
        };
        assert_eq!(files.iter().map(counts).collect::<Vec<_>>(), [[2, 2, 1, 1], [1, 1, 0, 0]]);
    }

    #[test]
    fn a_variable_without_use_is_told_at_its_value() {
        let forms = of(&Pack::of("a", vec![("a.yaml".to_owned(), FILE.to_owned())]), "a.yaml");
        let mut reporter = Reporter::new("a.yaml", FILE);
        let used = ["id", "kind", "name", "more"].map(str::to_owned).into();
        unused(&forms, &used, &mut reporter);
        let said: Vec<String> = reporter.finish().iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(said.join("\n"), @"a.yaml:3:57: CFL037: the variable `scope` of the forms is never used (use it as `${scope}` in the file or in its tests, or leave it out)");
    }

    #[test]
    fn variables_are_names_in_braces() {
        let name =
            |text| substitute::next_variable(text).map(|(before, name, after)| format!("{before}|{name}|{after}"));
        assert_eq!(name("a ${b} c").as_deref(), Some("a |b| c"));
        assert_eq!(name("${} ${1} ${x y} ${z}").as_deref(), Some("${} ${1} ${x y} |z|"));
        assert_eq!(name("${ ${").as_deref(), None);
    }
}
