//! From YAML text to the structs of [`crate::file`] and [`crate::tests_file`], or to problems with places.

use crate::code::Code;
use crate::problem::Reporter;
use crate::substitute::Substitution;
use facts::suggest;
use serde::de::DeserializeOwned;

/// Reads one document; on a mistake reports it and gives `None`.
pub fn read<T: DeserializeOwned>(source: &str, reporter: &mut Reporter<'_>) -> Option<T> {
    match serde_saphyr::from_str::<T>(source) {
        Ok(value) => Some(value),
        Err(error) => {
            report(error.without_snippet(), reporter);
            None
        }
    }
}

/// Reads one document in one of its forms.
pub(crate) fn read_in<T: DeserializeOwned>(
    source: &str,
    form: &Substitution<'_>,
    reporter: &mut Reporter<'_>,
) -> Option<T> {
    match serde_saphyr::with_deserializer_from_str(source, |deserializer| T::deserialize(form.over(deserializer))) {
        Ok(value) => Some(value),
        Err(error) => {
            report(error.without_snippet(), reporter);
            None
        }
    }
}

fn report(error: &serde_saphyr::Error, reporter: &mut Reporter<'_>) {
    use serde_saphyr::Error;
    let place = error.location().map(crate::located::Place::from).unwrap_or_default();
    let list = |expected: &[&str]| expected.iter().map(|e| format!("`{e}`")).collect::<Vec<_>>().join(", ");
    match error {
        Error::SerdeUnknownField { field, expected, .. } => {
            let hint = suggest::did_you_mean(field, expected.iter().copied())
                .unwrap_or_else(|| format!("known here: {}", list(expected)));
            reporter.report(Code::UnknownKey, place, format!("unknown key `{field}`"), Some(hint));
        }
        Error::SerdeUnknownVariant { variant, expected, .. } => {
            let hint = suggest::did_you_mean(variant, expected.iter().copied())
                .unwrap_or_else(|| format!("allowed here: {}", list(expected)));
            reporter.report(Code::BadValue, place, format!("unknown value `{variant}`"), Some(hint));
        }
        Error::SerdeMissingField { field, .. } => {
            let hint = "add it to this map; `casefile new ID` writes a signature with every key";
            reporter.report(Code::MissingKey, place, format!("missing key `{field}`"), Some(hint.to_owned()));
        }
        Error::DuplicateMappingKey { key, .. } => {
            let name = key.as_deref().map_or_else(String::new, |key| format!(" `{key}`"));
            reporter.report(
                Code::DuplicateKey,
                place,
                format!("the key{name} stands twice"),
                Some("keep one of them".to_owned()),
            );
        }
        Error::SerdeInvalidType { unexpected, expected, .. }
        | Error::SerdeInvalidValue { unexpected, expected, .. } => {
            reporter.report(Code::BadValue, place, format!("found {unexpected}, expected {expected}"), None);
        }
        Error::Unexpected { expected, .. } => {
            let hint = "text that begins with a sign of YAML (`{`, `[`, `*`, `&`, `@`, a backquote) must be quoted";
            reporter.report(Code::BadValue, place, format!("expected {expected}"), Some(hint.to_owned()));
        }
        other => {
            let formatter = serde_saphyr::UserMessageFormatter;
            let options =
                serde_saphyr::render_options! { formatter: &formatter, snippets: serde_saphyr::SnippetMode::Off };
            let text = other.render_with_options(options);
            let message = text.lines().next().unwrap_or_default();
            let message = message.rsplit_once(" at line ").map_or(message, |(before, _)| before);
            let hint = "check indentation and quotes near this place";
            reporter.report(Code::NotYaml, place, message, Some(hint.to_owned()));
        }
    }
}
