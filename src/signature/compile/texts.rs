//! Templates and what is built of them: claims, explanations, remedies.

use crate::compile::query;
use crate::compile::{Code, Compiler, Path, suggest, template};
use crate::file::{PredicateFile, SignatureFile, Text};
use crate::measure;
use crate::model::{Advice, Predicate, Remediation, RemedyStep, Template};
use crate::remedy_file::AdviceFile;
use catalogue::texts;
use std::collections::BTreeSet;

impl Compiler<'_, '_, '_> {
    /// Parses a template, or the shared text that it names, and looks its placeholders up.
    pub(super) fn template(&mut self, file: &SignatureFile, text: &Text) -> Template {
        let ids: Vec<&str> = file.evidence.iter().map(|item| item.id.value.as_str()).collect();
        self.template_with(&ids, text)
    }

    /// The same, given the ids of the evidence.
    pub(super) fn template_with(&mut self, ids: &[&str], text: &Text) -> Template {
        let shared = self.shared(text);
        self.looked_up(ids, template::parse(shared.trim()), text)
    }

    /// A template that is a command.
    fn command(&mut self, file: &SignatureFile, text: &Text) -> Template {
        let ids: Vec<&str> = file.evidence.iter().map(|item| item.id.value.as_str()).collect();
        let shared = self.shared(text);
        self.looked_up(&ids, template::parse_command(shared.trim()), text)
    }

    /// What a text stands for, which may be one that many signatures share (`@name`).
    pub(super) fn shared<'t>(&mut self, text: &'t Text) -> &'t str {
        texts::read(&text.value).unwrap_or_else(|name| {
            let hint = suggest::did_you_mean(name, texts::names());
            let message = format!("there is no text `{name}` in texts.yaml");
            self.report(Code::UnknownPlaceholder, text.place, message, hint);
            &text.value
        })
    }

    fn looked_up(&mut self, ids: &[&str], parsed: Template, text: &Text) -> Template {
        for name in parsed.placeholders() {
            self.placeholder(ids, name, text);
        }
        parsed
    }

    fn placeholder(&mut self, ids: &[&str], name: &str, text: &Text) {
        if template::BUILT_IN.contains(&name) || ids.contains(&name) {
            return;
        }
        if self.captures.contains_key(name) {
            self.used.insert(name.to_owned());
            return;
        }
        let at = text.value.find(&format!("{{{name}}}")).map_or(0, |at| at + 1);
        let place = self.reporter.inside(text.place, &text.value, at, name.chars().count());
        if let Some(rest) = name.strip_prefix(self.entity) {
            match rest.strip_prefix('.') {
                None if rest.is_empty() => return,
                Some(field) if crate::variables::ATTRIBUTES.contains(&field) => return,
                Some(field) if self.stream.is_some() && field == crate::variables::LAST_LINE => return,
                Some(_) if self.group => {
                    let message = format!("`{}` is a value and has no field `{rest}`", self.entity);
                    self.report(Code::UnknownPlaceholder, place, message, None);
                    return;
                }
                Some(path) => {
                    match measure::parse(path).map_or_else(|| Path::parse(path), |read| read.map(|(_, path)| path)) {
                        Ok(_) => return,
                        Err(error) => {
                            self.report(Code::BadPath, place, error.to_string(), None);
                            return;
                        }
                    }
                }
                None => {}
            }
        }
        let known = self.captures.keys().map(String::as_str).chain(ids.iter().copied());
        let known = known.chain(template::BUILT_IN).chain([self.entity]);
        let hint = suggest::did_you_mean(name, known).unwrap_or_else(|| {
            format!(
                "use `{{{0}}}`, `{{{0}.some.path}}`, a capture, an evidence id, or write `{{{{` for a brace",
                self.entity
            )
        });
        self.report(Code::UnknownPlaceholder, place, format!("`{{{name}}}` means nothing here"), Some(hint));
    }

    /// The remedy with its templates.
    pub(super) fn remediation(&mut self, file: &SignatureFile, order: &[usize]) -> Remediation {
        let written = &file.remediation;
        if written.steps.is_empty() {
            let hint = "say what to do first, if only whom to ask with which facts".to_owned();
            self.report(Code::MissingAdvice, file.severity.place, "`remediation.steps` is empty", Some(hint));
        }
        let steps = written
            .steps
            .iter()
            .map(|step| RemedyStep {
                action: self.template(file, &step.action),
                when: step.when.as_ref().and_then(|text| self.step_condition(file, text, order)),
                unless: step.unless.as_ref().and_then(|text| self.step_condition(file, text, order)),
                filter: self.cases(&step.filter),
                said: step.said.as_ref().and_then(|text| self.regex(text, true)),
                command: step.command.as_ref().map(|text| self.command(file, text)),
                because: step.because.as_ref().map(|text| self.template(file, text)),
                risk: step.risk,
                approval: step.approval.clone(),
                before: step.before.clone(),
            })
            .collect();
        Remediation {
            steps,
            does_not_help: self.advice(file, &written.does_not_help, order),
            do_not: self.advice(file, &written.do_not, order),
            verify: written.verify.iter().map(|text| self.template(file, text)).collect(),
        }
    }

    /// The tests of the entity's own fields that say for which cases a step or an advice is.
    fn cases(&mut self, filter: &[PredicateFile]) -> Vec<Predicate> {
        let Some(first) = filter.first() else { return Vec::new() };
        let mut needs = BTreeSet::new();
        let (tied, filter) = query::parted(self.predicates(filter, &mut needs).unwrap_or_default());
        if self.group {
            let hint = "use `when:` with the id of evidence".to_owned();
            self.report(Code::ChooseOne, first.path.place, "the entity is a value and has no fields", Some(hint));
        }
        if !needs.is_empty() || !tied.is_empty() {
            let hint = "compare with a constant, or use `when:` with the id of evidence".to_owned();
            self.report(Code::ChooseOne, first.path.place, "`where` of a step compares with a variable", Some(hint));
        }
        filter
    }

    fn advice(&mut self, file: &SignatureFile, advice: &[AdviceFile], order: &[usize]) -> Vec<Advice> {
        advice
            .iter()
            .map(|item| Advice {
                action: self.template(file, &item.action),
                when: item.when.as_ref().and_then(|text| self.step_condition(file, text, order)),
                unless: item.unless.as_ref().and_then(|text| self.step_condition(file, text, order)),
                filter: self.cases(&item.filter),
                because: self.template(file, &item.because),
            })
            .collect()
    }
}
