//! Free text in flow style that is not quoted: `{ run: kubectl get a,b }` is two keys, not one.
//!
//! Why its own pass over YAML events: after deserialising nobody can tell how a text was written.

use crate::code::Code;
use crate::located::Place;
use crate::problem::Reporter;
use saphyr_parser::{Event, Parser, ScalarStyle};

/// Reports every unquoted text with blanks inside `{...}` or `[...]`.
pub(crate) fn check(source: &str, reporter: &mut Reporter<'_>) {
    let letters: Vec<char> = source.chars().collect();
    // Collections that are open: is it a flow one?
    let mut open: Vec<bool> = Vec::new();
    for event in Parser::new_from_str(source) {
        // A text that does not parse is reported by the reader.
        let Ok((event, span)) = event else { return };
        match event {
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                let flow = letters.get(span.start.index()).is_some_and(|letter| matches!(letter, '{' | '['));
                open.push(flow || open.last() == Some(&true));
            }
            Event::MappingEnd | Event::SequenceEnd => {
                open.pop();
            }
            Event::Scalar(text, ScalarStyle::Plain, ..)
                if open.last() == Some(&true) && text.trim().contains(char::is_whitespace) =>
            {
                let place = Place {
                    line: span.start.line(),
                    column: span.start.col() + 1,
                    length: span.end.index().saturating_sub(span.start.index()),
                };
                let hint = format!("quote it, \"{text}\", or write the map over several lines");
                reporter.report(Code::FlowText, place, "free text in flow style is not quoted", Some(hint));
            }
            _ => {}
        }
    }
}
