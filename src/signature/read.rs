//! From YAML text to the structs of [`crate::file`] and [`crate::tests_file`], or to problems with places.

use crate::code::Code;
use crate::problem::Reporter;
use crate::substitute::Substitution;
use facts::suggest;
use serde::de::DeserializeOwned;

/// Reads one document; on a mistake reports it and gives `None`.
pub fn read<T: DeserializeOwned>(source: &str, reporter: &mut Reporter<'_>) -> Option<T> {
    read_by(source, |text| serde_saphyr::from_str::<T>(text), reporter)
}

/// Reads one document in one of its forms.
pub(crate) fn read_in<T: DeserializeOwned>(
    source: &str,
    form: &Substitution<'_>,
    reporter: &mut Reporter<'_>,
) -> Option<T> {
    let parse = |text: &str| serde_saphyr::with_deserializer_from_str(text, |inner| T::deserialize(form.over(inner)));
    read_by(source, parse, reporter)
}

/// Mistakes of one file that are told at once.
const MISTAKES: usize = 12;

/// Reads a document. Behind the first mistake it goes on without the entry that has it, so that somebody who writes a
/// file sees all of them; what may be wrong only because that entry is gone is not said.
fn read_by<T>(
    source: &str,
    parse: impl Fn(&str) -> Result<T, serde_saphyr::Error>,
    reporter: &mut Reporter<'_>,
) -> Option<T> {
    let error = match parse(source) {
        Ok(value) => return Some(value),
        Err(error) => error,
    };
    report(error.without_snippet(), reporter);
    let mut text = source.to_owned();
    let mut line = line_of(&error);
    for _ in 1..MISTAKES {
        text = without_entry(&text, line?)?;
        let Err(error) = parse(&text) else { return None };
        if !is_by_itself(&error) {
            return None;
        }
        report(error.without_snippet(), reporter);
        line = line_of(&error);
    }
    None
}

fn line_of(error: &serde_saphyr::Error) -> Option<usize> {
    let place = error.without_snippet().location().map(crate::located::Place::from)?;
    (place.line > 0).then_some(place.line)
}

/// Is it wrong whatever stands elsewhere in the file?
fn is_by_itself(error: &serde_saphyr::Error) -> bool {
    use serde_saphyr::Error;
    matches!(
        error.without_snippet(),
        Error::SerdeUnknownField { .. } | Error::SerdeUnknownVariant { .. } | Error::SerdeInvalidValue { .. }
    )
}

/// The text with the entry that begins on a line, and all that stands below it, turned into comments; `None` where the
/// line is none of an entry. No other line moves.
fn without_entry(text: &str, line: usize) -> Option<String> {
    let indent = |text: &str| text.len() - text.trim_start().len();
    let own = text.lines().nth(line.checked_sub(1)?)?;
    if own.trim().is_empty() || own.trim_start().starts_with('#') {
        return None;
    }
    let depth = indent(own);
    let mut inside = true;
    let mut out = String::with_capacity(text.len());
    for (at, each) in text.lines().enumerate() {
        if at + 1 > line && !each.trim().is_empty() && indent(each) <= depth {
            inside = false;
        }
        if at + 1 < line || !inside {
            out.push_str(each);
        } else {
            out.push('#');
        }
        out.push('\n');
    }
    Some(out)
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
