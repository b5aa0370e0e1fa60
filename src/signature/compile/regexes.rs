//! Regexes: with a bound on their size, and only with a literal to start from.
//!
//! Why a literal: texts are searched for literals first, by one automaton over all signatures, and a regex
//! runs only where one hit. A regex without one would have to run on everything.

use crate::compile::{Code, Compiler, Place, Proof};
use crate::file::{CaptureFile, EvidenceFile, Text, VariantFile};
use crate::model::{Capture, EACH, Variant};
use facts::lazy_regex::{LazyRegex, SHORTEST_LITERAL};

impl Compiler<'_, '_, '_> {
    /// Checks a regex; without a literal it is reported unless `free` says that it runs only on lines
    /// that a literal hit already.
    pub(super) fn regex(&mut self, text: &Text, free: bool) -> Option<LazyRegex> {
        let regex = match self.parsed(text) {
            Ok(regex) => regex,
            Err(error) => {
                let (at, length, message) = place_of(&error);
                let place = self.reporter.inside(text.place, &text.value, at, length.max(1));
                let hint = "the syntax is that of the Rust crate `regex`: no look-around and no back-references";
                self.report(Code::BadRegex, place, message, Some(hint.to_owned()));
                return None;
            }
        };
        if self.proof == Proof::Tests {
            return Some(regex);
        }
        if !free && !regex.has_literal() {
            let hint = "put some fixed text of the message into it, outside of optional parts";
            let message = format!("`{}` has no literal of at least {SHORTEST_LITERAL} letters", text.value);
            self.report(Code::RegexWithoutLiteral, text.place, message, Some(hint.to_owned()));
        }
        if let Err(error) = regex.compile() {
            let hint = "make its repetitions smaller".to_owned();
            self.report(Code::BadRegex, text.place, error.to_string(), Some(hint));
            return None;
        }
        Some(regex)
    }

    /// A regex by its text, parsed once for a signature.
    fn parsed(&mut self, text: &Text) -> Result<LazyRegex, Box<regex_syntax::Error>> {
        if let Some(regex) = self.regexes.get(&text.value) {
            return Ok(regex.clone());
        }
        let regex = match self.proof {
            Proof::None => LazyRegex::parse(&text.value)?,
            Proof::Tests => LazyRegex::proven(&text.value),
        };
        self.regexes.insert(text.value.clone(), regex.clone());
        Ok(regex)
    }

    /// Which evidence captures which name; names must not be captured by two.
    pub(super) fn collect_captures(&mut self, evidence: &[EvidenceFile]) {
        for (index, item) in evidence.iter().enumerate() {
            let captures = item.object.iter().flat_map(|object| &object.capture);
            for capture in captures {
                if let Some(name) = &capture.name {
                    self.capture_name(&name.value, index, name.place);
                }
                self.regex_names(capture.regex.iter().chain(capture.variants.iter().map(|v| &v.regex)), index);
            }
            if let Some(each) = item.object.as_ref().and_then(|object| object.each.as_ref()) {
                self.capture_name(&each.missing.value, index, each.missing.place);
            }
            if let Some(log) = &item.log {
                self.regex_names(log.regex.iter().chain(log.variants.iter().map(|v| &v.regex)), index);
            }
        }
    }

    fn regex_names<'t>(&mut self, regexes: impl Iterator<Item = &'t Text>, index: usize) {
        for text in regexes {
            let Ok(regex) = self.parsed(text) else { continue };
            for name in regex.names() {
                let at = text.value.find(&format!("<{name}>")).map_or(0, |at| at + 1);
                let place = self.reporter.inside(text.place, &text.value, at, name.len());
                self.capture_name(name, index, place);
            }
        }
    }

    fn capture_name(&mut self, name: &str, index: usize, place: Place) {
        if name == EACH {
            let hint = "give the capture another name".to_owned();
            self.report(Code::DuplicateId, place, "`each` is the value of `each:` already", Some(hint));
        }
        if name == self.entity {
            let hint = "give the capture another name".to_owned();
            self.report(Code::DuplicateId, place, format!("`{name}` is the entity already"), Some(hint));
        }
        match self.captures.get(name) {
            Some((other, _)) if *other != index => {
                let hint = "two pieces of evidence can not capture one name: join on it instead".to_owned();
                self.report(
                    Code::DuplicateId,
                    place,
                    format!("`{name}` is captured by other evidence already"),
                    Some(hint),
                );
            }
            Some(_) => {}
            None => {
                self.captures.insert(name.to_owned(), (index, place));
            }
        }
    }

    /// A capture of an object query.
    pub(super) fn capture(&mut self, file: &CaptureFile) -> Option<Capture> {
        let path = self.path(&file.path);
        let or_paths: Option<Vec<_>> = file.or_paths.iter().map(|path| self.path(path)).collect();
        let variants = self.variants(file.regex.as_ref(), &file.variants, false);
        if file.name.is_some() != variants.is_empty() && file.regex.is_none() && file.variants.is_empty()
            || file.name.is_some() && !variants.is_empty()
        {
            let hint = "`as:` takes the whole value, `regex:` or `variants:` take named groups".to_owned();
            self.report(
                Code::ChooseOne,
                file.path.place,
                "exactly one of `as`, `regex` and `variants` is needed",
                Some(hint),
            );
        }
        for text in file.regex.iter().chain(file.variants.iter().map(|v| &v.regex)) {
            if self.parsed(text).is_ok_and(|regex| regex.names().is_empty()) {
                let hint = "name what it takes out, `(?P<name>...)`, or use `matches:` in `where`".to_owned();
                self.report(Code::BadRegex, text.place, "the regex captures nothing", Some(hint));
            }
        }
        let name = file.name.as_ref().map(|name| name.value.clone());
        let wording = match &file.wording {
            Some(text) if name.is_none() => {
                let hint = "name what is taken: `as: why`".to_owned();
                self.report(Code::ChooseOne, text.place, "`wording` needs `as`", Some(hint));
                None
            }
            Some(text) => Some(self.wording(text)?.0),
            None => None,
        };
        if file.in_short && name.is_none() {
            let hint = "name what is taken: `as: why`".to_owned();
            self.report(Code::ChooseOne, file.path.place, "`in_short` needs `as`", Some(hint));
        }
        let default = file.default.as_ref().map(|text| text.value.clone());
        Some(Capture {
            path: Some(path?),
            or_paths: or_paths?,
            name,
            variants,
            wording,
            in_short: file.in_short,
            default,
        })
    }

    /// The wordings of one message.
    pub(super) fn variants(&mut self, one: Option<&Text>, many: &[VariantFile], free: bool) -> Vec<Variant> {
        if let (Some(one), false) = (one, many.is_empty()) {
            let hint = "make the regex one of the variants".to_owned();
            self.report(Code::ChooseOne, one.place, "exactly one of `regex` and `variants` is needed", Some(hint));
        }
        let single = one.and_then(|text| self.regex(text, free)).map(|regex| Variant {
            since: None,
            until: None,
            regex,
            mark: None,
        });
        let several = many.iter().filter_map(|variant| {
            let regex = self.regex(&variant.regex, free)?;
            let mark = variant.headline.as_ref().map(|_| mark(variant));
            Some(Variant { since: variant.since.clone(), until: variant.until.clone(), regex, mark })
        });
        let several: Vec<Variant> = several.collect();
        single.into_iter().chain(several).collect()
    }
}

/// The name of a wording: its text, after a sign that no group of a regex begins with. Places would not do, since the
/// built-in signatures have none.
pub(super) fn mark(variant: &VariantFile) -> String {
    format!("${}", variant.regex.value)
}

fn place_of(error: &regex_syntax::Error) -> (usize, usize, String) {
    match error {
        regex_syntax::Error::Parse(error) => {
            let span = error.span();
            (span.start.offset, span.end.offset - span.start.offset, error.kind().to_string())
        }
        regex_syntax::Error::Translate(error) => {
            let span = error.span();
            (span.start.offset, span.end.offset - span.start.offset, error.kind().to_string())
        }
        other => (0, 0, other.to_string()),
    }
}
