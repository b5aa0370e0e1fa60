//! Conditions on one path of an object.

use crate::compile::{Code, Compiler};
use crate::duration;
use crate::file::{PredicateFile, Text};
use crate::model::{AgeTest, Comparison, Ordering, Other, Predicate, Test};
use crate::scalar::Scalar;
use catalogue::wordings;
use facts::path::Path;
use facts::suggest;
use std::collections::BTreeSet;

/// A key of the file that asks for an age: what is written, the test, and the comparison where a variable stands.
type AgeKey<'a> = (&'a Option<Text>, fn(i64) -> AgeTest, Option<Comparison>);

/// When an object was made, and the column AGE in which a table of kubectl prints how long that is ago.
const MADE_AT: &str = "metadata.creationTimestamp";
const PRINTED_AGE: &str = "status.kubectlAge";

impl Compiler<'_, '_, '_> {
    /// All predicates of a `where`; `None` if one of them is wrong.
    /// `needs` collects the evidence whose captures they compare with.
    pub(super) fn predicates(
        &mut self,
        files: &[PredicateFile],
        needs: &mut BTreeSet<usize>,
    ) -> Option<Vec<Predicate>> {
        let compiled: Vec<Option<Predicate>> = files.iter().map(|file| self.predicate(file, needs)).collect();
        compiled.into_iter().collect()
    }

    fn predicate(&mut self, file: &PredicateFile, needs: &mut BTreeSet<usize>) -> Option<Predicate> {
        let path = self.path(&file.path);
        let mut or_paths: Option<Vec<_>> = file.or_paths.iter().map(|path| self.path(path)).collect();
        let else_paths: Option<Vec<_>> = file.else_paths.iter().map(|path| self.path(path)).collect();
        let mut tests = self.value_tests(file);
        tests.extend(self.comparisons(file));
        tests.extend(self.ages(file, needs));
        tests.extend(self.against(file, needs));
        for version in &file.api {
            if !is_version(&version.value) {
                let hint = "an API version is written without its group: `v1beta1`".to_owned();
                self.report(
                    Code::BadValue,
                    version.place,
                    format!("`{}` is not an API version", version.value),
                    Some(hint),
                );
            }
        }
        let written = tests.len();
        let test = tests.into_iter().next();
        if written != 1 {
            let hint = "a predicate has one of `equals`, `not_equals`, `in`, `not_in`, `is_set`, `starts_with`, `ends_with`, \
                        `contains`, `matches`, `wording`, `lt`, `lte`, `gt`, `gte`, `lt_path`, `lte_path`, `gt_path`, `gte_path`, \
                        `older_than`, `younger_than`, `due_within`, `age_known`, `same_as`, `differs_from`, `earlier_than`, \
                        `later_than`";
            let message = format!("exactly one test is needed for `{}`, found {written}", file.path.value);
            self.report(Code::ChooseOne, file.path.place, message, Some(hint.to_owned()));
        }
        let api = file.api.iter().map(|text| text.value.clone()).collect();
        let is_age = matches!(test, Some(Some(Test::Age(AgeTest::OlderThan(_) | AgeTest::YoungerThan(_)))));
        if is_age && file.path.value == MADE_AT {
            or_paths
                .iter_mut()
                .filter(|paths| paths.is_empty())
                .for_each(|paths| paths.extend(Path::parse(PRINTED_AGE)));
        }
        Some(Predicate { path: path?, or_paths: or_paths?, else_paths: else_paths?, test: test??, api })
    }

    /// A group of wordings, or one class of it.
    pub(super) fn wording(&mut self, text: &Text) -> Option<(String, Option<String>)> {
        let (name, class) = match text.value.split_once('/') {
            Some((name, class)) => (name, Some(class)),
            None => (text.value.as_str(), None),
        };
        let Some(group) = wordings::group(name) else {
            let hint = suggest::did_you_mean(name, wordings::groups()).unwrap_or_else(|| {
                format!(
                    "the groups of `patterns/wordings.yaml` are {}",
                    wordings::groups().collect::<Vec<_>>().join(", ")
                )
            });
            self.report(Code::BadValue, text.place, format!("there is no group of wordings `{name}`"), Some(hint));
            return None;
        };
        if let Some(class) = class
            && !group.classes().any(|known| known == class)
        {
            let hint = suggest::did_you_mean(class, group.classes())
                .unwrap_or_else(|| format!("its classes are {}", group.classes().collect::<Vec<_>>().join(", ")));
            self.report(Code::BadValue, text.place, format!("`{name}` has no class `{class}`"), Some(hint));
            return None;
        }
        Some((name.to_owned(), class.map(str::to_owned)))
    }

    /// The tests of a time against the clock of the bundle.
    fn ages(&mut self, file: &PredicateFile, needs: &mut BTreeSet<usize>) -> Vec<Option<Test>> {
        let written: [AgeKey<'_>; 3] = [
            (&file.older_than, AgeTest::OlderThan, Some(Comparison::Older)),
            (&file.younger_than, AgeTest::YoungerThan, Some(Comparison::Younger)),
            (&file.due_within, AgeTest::DueWithin, None),
        ];
        let mut tests = Vec::new();
        for (text, test, variable) in written {
            let Some(text) = text else { continue };
            if let Some(comparison) = variable.filter(|_| text.value.starts_with('$')) {
                let operand = self.need(text, needs);
                tests.push(operand.map(|operand| Test::Against(comparison, Other::Variable(operand))));
                continue;
            }
            let seconds = duration::seconds(&text.value);
            if seconds.is_none() {
                let hint = "write it as 30s, 10m, 1h or 7d".to_owned();
                let message = format!("`{}` is not a duration", text.value);
                self.report(Code::BadDuration, text.place, message, Some(hint));
            }
            tests.push(seconds.map(|seconds| Test::Age(test(seconds))));
        }
        tests.extend(file.age_known.as_ref().map(|known| Some(Test::Age(AgeTest::Known(known.value)))));
        tests
    }

    /// The tests on the value; `None` for one that was reported.
    fn value_tests(&mut self, file: &PredicateFile) -> Vec<Option<Test>> {
        let mut tests = Vec::new();
        for (scalar, equal) in [(&file.equals, true), (&file.not_equals, false)] {
            let Some(scalar) = scalar else { continue };
            if scalar.value.text().is_some_and(|text| text.starts_with('$')) {
                let hint = if equal { "write `same_as: $variable`" } else { "write `differs_from: $variable`" };
                let message = "`equals` and `not_equals` compare with constants only";
                self.report(Code::BadValue, scalar.place, message, Some(hint.to_owned()));
            }
            let value = scalar.value.value();
            tests.push(Some(if equal { Test::Equals(value) } else { Test::NotEquals(value) }));
        }
        let values = |list: &Vec<Scalar>| list.iter().map(Scalar::value).collect();
        tests.extend(file.one_of.as_ref().map(|list| Some(Test::In(values(list)))));
        tests.extend(file.not_in.as_ref().map(|list| Some(Test::NotIn(values(list)))));
        tests.extend(file.is_set.map(|set| Some(Test::IsSet(set))));
        tests.extend(file.starts_with.clone().map(|text| Some(Test::StartsWith(text))));
        tests.extend(file.ends_with.clone().map(|text| Some(Test::EndsWith(text))));
        tests.extend(file.contains.clone().map(|text| Some(Test::Contains(text))));
        if let Some(text) = &file.matches {
            tests.push(self.regex(text, true).map(Test::Matches));
        }
        if let Some(text) = &file.wording {
            tests.push(self.wording(text).map(|(group, class)| Test::Says(group, class)));
        }
        tests
    }

    /// The tests against another value of the bundle.
    fn against(&mut self, file: &PredicateFile, needs: &mut BTreeSet<usize>) -> Vec<Option<Test>> {
        let written = [
            (&file.same_as, Comparison::Same),
            (&file.differs_from, Comparison::Differs),
            (&file.earlier_than, Comparison::Earlier),
            (&file.later_than, Comparison::Later),
        ];
        let mut tests = Vec::new();
        for (text, comparison) in written {
            let Some(text) = text else { continue };
            let other = if text.value.starts_with('$') {
                self.need(text, needs).map(Other::Variable)
            } else {
                self.path(text).map(Other::Path)
            };
            tests.push(other.map(|other| Test::Against(comparison, other)));
        }
        tests
    }

    /// The predicates of an entity, of which no variable has a value yet.
    pub(super) fn entity_predicates(&mut self, files: &[PredicateFile]) -> Option<Vec<Predicate>> {
        let written = |file: &PredicateFile| {
            let texts = [
                &file.same_as,
                &file.differs_from,
                &file.earlier_than,
                &file.later_than,
                &file.older_than,
                &file.younger_than,
            ];
            texts.into_iter().flatten().find(|text| text.value.starts_with('$')).cloned()
        };
        let mut variables = files.iter().filter_map(written).peekable();
        if variables.peek().is_none() {
            return self.predicates(files, &mut BTreeSet::new());
        }
        for text in variables {
            let hint = "compare in the `where` of a piece of evidence".to_owned();
            let message = format!("`{}` has no value before there is an entity", text.value);
            self.report(Code::UnknownVariable, text.place, message, Some(hint));
        }
        None
    }

    fn comparisons(&mut self, file: &PredicateFile) -> Vec<Option<Test>> {
        use Ordering::{Greater, GreaterOrEqual, Less, LessOrEqual};
        let mut tests = Vec::new();
        let constants = [(&file.lt, Less), (&file.lte, LessOrEqual), (&file.gt, Greater), (&file.gte, GreaterOrEqual)];
        for (scalar, ordering) in constants {
            let Some(scalar) = scalar else { continue };
            let quantity = scalar.value.quantity();
            if quantity.is_none() {
                let hint = "compare with a number or with a duration such as 10m".to_owned();
                self.report(Code::BadDuration, scalar.place, "this is neither a number nor a duration", Some(hint));
            }
            tests.push(quantity.map(|number| Test::Compare(ordering, number)));
        }
        let paths = [
            (&file.lt_path, Less),
            (&file.lte_path, LessOrEqual),
            (&file.gt_path, Greater),
            (&file.gte_path, GreaterOrEqual),
        ];
        for (path, ordering) in paths {
            let Some(path) = path else { continue };
            tests.push(self.path(path).map(|path| Test::ComparePath(ordering, path)));
        }
        tests
    }
}

/// `v1`, `v1beta2`, `v2alpha1`.
fn is_version(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('v') else { return false };
    let (major, stage) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
    let number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    number(major)
        && (stage.is_empty() || ["alpha", "beta"].iter().any(|word| stage.strip_prefix(word).is_some_and(number)))
}
