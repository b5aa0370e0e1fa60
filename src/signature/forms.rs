//! One file for the same failure of the same API in two scopes or two groups: a list of forms, each a signature of
//! its own with an id and values for the variables `${...}` of the file and of its tests.
//!
//! Why at load time: neither the engine nor a report learns that two signatures were written once. What one form has
//! and the other has not (a wording, a tag) is an item whose text is empty in the other: it is left out.
//!
//! Invariants: each form gives each variable a value; a mistake that all forms share is said once, one of a single
//! form names it; places are those of the file.

use crate::code::Code;
use crate::file::{SignatureFile, Text};
use crate::located::{Located, Place};
use crate::problem::{Problem, Reporter};
use crate::read;
use crate::substitute::{self, Substitution};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// A form as it is written: the value of each variable, `id` among them.
pub type FormFile = Located<BTreeMap<String, String>>;

/// One form of a signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The id of the signature that it is.
    pub id: String,
    /// Where it stands.
    place: Place,
    /// The value of each variable, `id` among them.
    values: BTreeMap<String, String>,
}

impl Form {
    /// The value of a variable.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
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

/// The text of a signature file: where it was written, or what the binary holds of it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source<'a> {
    /// YAML with places.
    Yaml(&'a str),
    /// The same values as JSON.
    Json(&'a str),
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

/// Reads a file: one signature, or one for each form.
pub(crate) fn read<'a>(source: Source<'_>, shown: &'a str, text: &'a str) -> FormedFile<'a> {
    let mut reporter = Reporter::new(shown, text);
    let mut used = BTreeSet::new();
    let forms = match head(source, &mut reporter) {
        Some(forms) => forms,
        None => return FormedFile { forms: Vec::new(), each: Vec::new(), used, problems: reporter.finish() },
    };
    if forms.is_empty() {
        let file = match source {
            Source::Yaml(yaml) => read::read(yaml, &mut reporter),
            Source::Json(json) => serde_json::from_str(json).ok(),
        };
        return FormedFile { forms, each: vec![Formed { file, reporter }], used, problems: Vec::new() };
    }
    let each = forms.iter().map(|form| {
        let mut reporter = Reporter::new(shown, text);
        let substitution = Substitution::new(form);
        let mut file: Option<SignatureFile> = match source {
            Source::Yaml(yaml) => read::read_in(yaml, &substitution, &mut reporter),
            Source::Json(json) => {
                let mut deserializer = serde_json::Deserializer::from_str(json);
                SignatureFile::deserialize(substitution.over(&mut deserializer)).ok()
            }
        };
        file.iter_mut().for_each(leave_out_empty);
        let met = substitution.used();
        unknown(form, &met, text, &mut reporter);
        used.extend(met);
        Formed { file, reporter }
    });
    let each = each.collect();
    FormedFile { forms, each, used, problems: reporter.finish() }
}

/// The forms of a signature's text, for its tests; what is wrong with them is told where the signature is read.
pub fn of(text: &str) -> Vec<Form> {
    head(Source::Yaml(text), &mut Reporter::new("", text)).unwrap_or_default()
}

/// The forms of a file; `None` if they cannot be used, which is reported.
fn head(source: Source<'_>, reporter: &mut Reporter<'_>) -> Option<Vec<Form>> {
    let written = match source {
        // To read a text twice takes time, and hardly any has forms.
        Source::Yaml(text) if text.lines().any(|line| line.starts_with("forms:")) => {
            read::read::<Head>(text, reporter)?.forms
        }
        Source::Json(text) if text.contains("\"forms\":") => serde_json::from_str::<Head>(text).ok()?.forms,
        _ => Vec::new(),
    };
    let mut forms: Vec<Form> = Vec::new();
    for Located { value: values, place } in written {
        let Some(id) = values.get("id") else {
            let hint = "each form has an `id`, which the file takes by `id: ${id}`".to_owned();
            reporter.report(Code::MissingKey, place, "the form has no `id`", Some(hint));
            return None;
        };
        for (name, value) in &values {
            let why = match (is_name(name), substitute::next_variable(value)) {
                (false, _) => "is no name of a variable: letters, digits, `-` and `_`, a letter first",
                (_, Some(_)) => "has a value with a variable in it: write out what it stands for",
                _ => continue,
            };
            reporter.report(Code::BadValue, place, format!("`{name}` of the form `{id}` {why}"), None);
            return None;
        }
        forms.push(Form { id: id.clone(), place, values });
    }
    for (form, other) in forms.iter().flat_map(|form| forms.iter().map(move |other| (form, other))) {
        for name in other.names().filter(|name| form.value(name).is_none()) {
            let message = format!("the form `{}` has no value for `{name}`", form.id);
            let hint = format!("`{}` has one; an empty text is written \"\"", other.id);
            reporter.report(Code::UnknownFormVariable, form.place, message, Some(hint));
        }
    }
    Some(forms)
}

/// Reports the variables that a form does not give, at each of their places.
pub(crate) fn unknown(form: &Form, met: &BTreeSet<String>, text: &str, reporter: &mut Reporter<'_>) {
    for name in met.iter().filter(|name| form.value(name).is_none()) {
        let hint = facts::suggest::did_you_mean(name, form.names())
            .unwrap_or_else(|| format!("the forms give {}", form.names().collect::<Vec<_>>().join(", ")));
        let variable = format!("${{{name}}}");
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with('#')) {
            for (at, _) in line.match_indices(&variable) {
                let column = line.get(..at).map_or(0, |before| before.chars().count()) + 1;
                let place = Place { line: number + 1, column, length: variable.chars().count() };
                let message = format!("no form gives `{variable}` a value");
                reporter.report(Code::UnknownFormVariable, place, message, Some(hint.clone()));
            }
        }
    }
}

/// Reports the variables that neither the file nor its tests use.
pub(crate) fn unused(forms: &[Form], used: &BTreeSet<String>, reporter: &mut Reporter<'_>) {
    let Some(form) = forms.first() else { return };
    for name in form.names().filter(|name| !used.contains(*name)) {
        let message = format!("the variable `{name}` of the forms is never used");
        let hint = format!("use it as `${{{name}}}` in the file or in its tests, or leave it out");
        reporter.report(Code::UnusedFormVariable, form.place, message, Some(hint));
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

/// Leaves out the items of lists of texts that are empty in this form.
fn leave_out_empty(file: &mut SignatureFile) {
    let logs = file.evidence.iter_mut().filter_map(|evidence| evidence.log.as_mut());
    let literals = logs.flat_map(|log| {
        let state = log.state.iter_mut().flat_map(|state| [&mut state.down, &mut state.up]);
        [&mut log.any, &mut log.all].into_iter().chain(state).collect::<Vec<_>>()
    });
    let own: [&mut Vec<Text>; 4] =
        [&mut file.tags, &mut file.aliases, &mut file.requires, &mut file.remediation.verify];
    for texts in literals.chain(own) {
        texts.retain(|text| !text.value.is_empty());
    }
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
        let mut formed = read(Source::Yaml(text), "a.yaml", text);
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
        CF-1 things "Things" ["x", "a: \"b\""] kubectl get clusterthings.example.com at 20:31
        CF-2 namespaced-things "Things -A" ["x"] kubectl get things.example.com -A at 20:31
        "#);
    }

    #[test]
    fn json_says_what_the_yaml_says() {
        let json = serde_saphyr::from_str::<serde_json::Value>(FILE).unwrap().to_string();
        let mut formed = read(Source::Json(&json), "a.yaml", FILE);
        let files: Vec<SignatureFile> = formed.each.iter_mut().filter_map(|formed| formed.file.take()).collect();
        let show = |file: &SignatureFile| (file.id.value.clone(), file.title.value.clone(), file.tags.len());
        assert_eq!(files.iter().map(show).collect::<Vec<_>>(), read_all(FILE).0.iter().map(show).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_wrong_names_its_place_and_its_form() {
        let wrong = |from: &str, to: &str| read_all(&FILE.replace(from, to)).1.join("\n");
        insta::assert_snapshot!(wrong("summary: s", "summary: ${scpoe}"), @"a.yaml:8:10: CFL036: no form gives `${scpoe}` a value (did you mean `scope`?)");
        insta::assert_snapshot!(wrong(", more: \"\"", ""), @r#"
        a.yaml:4:5: CFL036: the form `CF-2` has no value for `more` (`CF-1` has one; an empty text is written "")
        a.yaml:12:13: CFL036: no form gives `${more}` a value (the forms give id, kind, name, scope) (in the form CF-2)
        "#);
        insta::assert_snapshot!(wrong("{ id: CF-1,", "{"), @"a.yaml:3:5: CFL003: the form has no `id` (each form has an `id`, which the file takes by `id: ${id}`)");
        insta::assert_snapshot!(wrong("name: things", "name: \"${id}\""), @"a.yaml:3:5: CFL004: `name` of the form `CF-1` has a value with a variable in it: write out what it stands for");
        insta::assert_snapshot!(wrong("status: test", "status: ${more}"), @"");
        insta::assert_snapshot!(wrong("summary:", "sumary:"), @"a.yaml:8:1: CFL002: unknown key `sumary` (did you mean `summary`?)");
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
