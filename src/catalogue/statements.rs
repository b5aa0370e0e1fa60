//! What a line of a log says, about whom, and what it names (`patterns/statements.yaml`).
//!
//! Why data: versions of one program word a line in five ways, and what counts is not the words but the statement:
//! this member lost its leader, that certificate has ended. [`crate::wordings`] only classes a message; a statement
//! also takes out of it what it names.
//!
//! Invariants: a line that says nothing known gives no statement; nothing is inferred from silence; statements come
//! in the order of their group, each once; a part of a line that is empty is none.

use crate::built_in;
use facts::lazy_regex::LazyRegex;
use facts::lazy_set::LazySet;
use facts::log::{Level, LineFields, LogHit};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, OnceLock};

/// One thing that a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Its name inside the group.
    pub says: &'static str,
    /// About whom, where the line says it of somebody else than who writes it.
    pub about: Option<String>,
    /// With what words, or what it names; empty if it names nothing.
    pub text: String,
    /// Everything that was taken out of the line, by name.
    named: BTreeMap<&'static str, String>,
}

impl Statement {
    /// A part that the statement names.
    pub fn named(&self, name: &str) -> Option<&str> {
        self.named.get(name).map(String::as_str)
    }
}

/// A line, or a message, that is read.
#[derive(Debug, Clone, Copy)]
pub struct Line<'l> {
    text: &'l str,
    fields: Option<&'l LineFields>,
}

impl<'l> From<&'l LogHit> for Line<'l> {
    fn from(hit: &'l LogHit) -> Self {
        Self { text: &hit.text, fields: Some(&hit.fields) }
    }
}

impl<'l> From<&'l str> for Line<'l> {
    fn from(text: &'l str) -> Self {
        Self { text, fields: None }
    }
}

impl<'l> Line<'l> {
    /// A part of the line: `line` is all of it, `message` without time and fields, `said` the message with its error;
    /// any other name is that of a field.
    fn part(&self, name: &str) -> Option<Cow<'l, str>> {
        let message = self.fields.map_or(self.text, |fields| &fields.message);
        let field = |name: &str| self.fields.and_then(|fields| fields.field(name)).filter(|text| !text.is_empty());
        match name {
            "line" => Some(Cow::Borrowed(self.text)),
            "message" => Some(Cow::Borrowed(message)),
            "said" => Some(match field("error") {
                Some(error) => Cow::Owned(format!("{message}: {error}")),
                None => Cow::Borrowed(message),
            }),
            _ => field(name).map(Cow::Borrowed),
        }
    }

    fn level(&self) -> &'static str {
        match self.fields.map_or(Level::Unknown, |fields| fields.level) {
            Level::Unknown => "unknown",
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warn => "warn",
            Level::Error => "error",
            Level::Fatal => "fatal",
        }
    }
}

/// A part of a line with a text in it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mark {
    /// The part; see [`Line::part`].
    #[serde(default = "message", rename = "in")]
    part: String,
    /// A regex. What its named groups hold can be named in `about` and `text`.
    matches: String,
    #[serde(skip)]
    regex: OnceLock<LazyRegex>,
}

fn message() -> String {
    "message".to_owned()
}

impl Mark {
    fn regex(&self) -> &LazyRegex {
        self.regex.get_or_init(|| LazyRegex::proven(&self.matches))
    }

    fn holds(&self, line: &Line<'_>) -> bool {
        line.part(&self.part).is_some_and(|part| self.regex().is_match(&part) == Some(true))
    }

    /// Adds what its groups hold; whether it holds at all.
    fn take(&'static self, line: &Line<'_>, named: &mut BTreeMap<&'static str, String>) -> bool {
        let (regex, Some(part)) = (self.regex(), line.part(&self.part)) else { return false };
        if regex.names().is_empty() {
            return regex.is_match(&part) == Some(true);
        }
        let Some(found) = regex.captures(&part) else { return false };
        let groups = regex.names().iter().filter_map(|name| Some((name.as_str(), found.name(name)?.as_str())));
        named.extend(groups.filter(|(_, text)| !text.is_empty()).map(|(name, text)| (name, text.trim().to_owned())));
        true
    }
}

/// One wording of a statement.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    says: String,
    /// Levels that the line may have; any if empty.
    #[serde(default)]
    levels: Vec<String>,
    /// All of these hold.
    #[serde(rename = "where")]
    marks: Vec<Mark>,
    /// None of these does.
    #[serde(default)]
    unless: Vec<Mark>,
    /// Names of what may tell about whom it is, the first that the line has. Without it the row says nothing.
    #[serde(default)]
    about: Vec<String>,
    /// Names of what may be its text, the first that the line has.
    #[serde(default)]
    text: Vec<String>,
}

impl Row {
    fn read(&'static self, group: &'static Group, line: &Line<'_>) -> Option<Statement> {
        if !self.levels.is_empty() && !self.levels.iter().any(|level| level == line.level()) {
            return None;
        }
        let mut named = BTreeMap::new();
        if !self.marks.iter().all(|mark| mark.take(line, &mut named)) || self.unless.iter().any(|mark| mark.holds(line))
        {
            return None;
        }
        let all = |name: &str| {
            let mut named = BTreeMap::new();
            group.names.iter().any(|mark| mark.take(line, &mut named));
            named.remove(name)
        };
        let value = |name: &String| {
            named.get(name.as_str()).cloned().or_else(|| line.part(name).map(Cow::into_owned)).or_else(|| all(name))
        };
        let about = self.about.iter().find_map(value);
        if about.is_none() && !self.about.is_empty() {
            return None;
        }
        let text = self.text.iter().find_map(value).unwrap_or_default();
        Some(Statement { says: &self.says, about, text, named })
    }
}

/// How many statements of a group one line makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Tells {
    /// The first one.
    First,
    /// All.
    All,
}

/// What lines of one program say, or messages of one sort.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    name: String,
    #[expect(dead_code, reason = "for people")]
    about: String,
    #[expect(dead_code, reason = "for people")]
    source: String,
    tells: Tells,
    /// The texts that bring a line here.
    #[serde(default)]
    pub literals: Vec<String>,
    /// What any row may name, where neither its own marks nor a field of the line has that name.
    #[serde(default)]
    names: Vec<Mark>,
    statements: Vec<Row>,
    #[serde(skip)]
    first_marks: OnceLock<Vec<FirstMarks>>,
    /// Lines with what they say; read by a test.
    #[cfg(not(test))]
    #[serde(default, rename = "examples")]
    _examples: serde::de::IgnoredAny,
    #[cfg(test)]
    #[serde(default)]
    examples: Vec<tests::Example>,
}

/// The first marks of all rows that look at one part of a line, as one regex: a row whose first mark is not in the line
/// is not asked further.
#[derive(Debug)]
struct FirstMarks {
    part: String,
    marks: LazySet,
    /// The row of each mark.
    rows: Vec<usize>,
}

impl Group {
    fn first_marks(&self) -> &[FirstMarks] {
        self.first_marks.get_or_init(|| {
            let mut parts: BTreeMap<&str, (Vec<usize>, Vec<LazyRegex>)> = BTreeMap::new();
            for (row, mark) in self.statements.iter().enumerate().filter_map(|(at, row)| Some((at, row.marks.first()?)))
            {
                let (rows, marks) = parts.entry(&mark.part).or_default();
                rows.push(row);
                marks.push(mark.regex().clone());
            }
            let set = |(part, (rows, marks)): (&str, (Vec<usize>, Vec<LazyRegex>))| FirstMarks {
                part: part.to_owned(),
                marks: LazySet::of(marks),
                rows,
            };
            parts.into_iter().map(set).collect()
        })
    }

    /// The rows that may fit a line, in their order.
    fn rows_for(&'static self, line: &Line<'_>) -> impl Iterator<Item = &'static Row> {
        let mut rows: BTreeSet<usize> = BTreeSet::new();
        for first in self.first_marks() {
            if let Some(part) = line.part(&first.part) {
                rows.extend(first.marks.matches(&part).filter_map(|mark| first.rows.get(mark).copied()));
            }
        }
        rows.into_iter().filter_map(|row| self.statements.get(row))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StatementsFile {
    #[expect(dead_code, reason = "the version of the format is read so that a file states it")]
    schema: u64,
    groups: Vec<Group>,
}

static GROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| {
    built_in::document::<StatementsFile>("statements.yaml").map(|file| file.groups).unwrap_or_default()
});

/// A group by its name.
pub fn group(name: &str) -> Option<&'static Group> {
    GROUPS.iter().find(|group| group.name == name)
}

/// Is there such a statement in a group?
pub fn is_known(group_name: &str, says: &str) -> bool {
    group(group_name).is_some_and(|group| group.statements.iter().any(|row| row.says == says))
}

/// What a line says by the rows of a group.
pub fn read<'l>(name: &str, line: impl Into<Line<'l>>) -> Vec<Statement> {
    let Some(group) = group(name) else { return Vec::new() };
    let line = line.into();
    let mut found: Vec<Statement> = Vec::new();
    for statement in group.rows_for(&line).filter_map(|row| row.read(group, &line)) {
        let same = |known: &Statement| {
            (known.says, &known.about, &known.text) == (statement.says, &statement.about, &statement.text)
        };
        if !found.iter().any(same) {
            found.push(statement);
        }
        if group.tells == Tells::First {
            break;
        }
    }
    found
}

/// The first thing that a line says by the rows of a group.
pub fn first<'l>(name: &str, line: impl Into<Line<'l>>) -> Option<Statement> {
    read(name, line).into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line with what it says: `statement`, `statement @about text`, and what it names where it has no text.
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Example {
        line: String,
        #[serde(default)]
        level: String,
        #[serde(default)]
        fields: BTreeMap<String, String>,
        says: Vec<String>,
    }

    impl Example {
        fn read(&self, group: &str) -> Vec<String> {
            let level = match self.level.as_str() {
                "" => Level::Unknown,
                "info" => Level::Info,
                "warn" => Level::Warn,
                "fatal" => Level::Fatal,
                other => panic!("{other}: add the level here"),
            };
            let fields = self.fields.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            let fields = LineFields { level, message: self.line.clone(), fields, ..LineFields::default() };
            let said = read(group, Line { text: &self.line, fields: Some(&fields) });
            said.iter().map(words).collect()
        }
    }

    fn words(said: &Statement) -> String {
        let mut words = vec![said.says.to_owned()];
        words.extend(said.about.as_ref().map(|about| format!("@{about}")));
        if said.text.is_empty() {
            words.extend(said.named.iter().map(|(name, text)| format!("{name}={text}")));
        } else {
            words.push(said.text.clone());
        }
        words.join(" ")
    }

    #[test]
    fn every_example_says_what_it_says() {
        for group in GROUPS.iter() {
            assert!(!group.examples.is_empty(), "{}: give examples", group.name);
            for example in &group.examples {
                assert_eq!(example.read(&group.name), example.says, "{}: {}", group.name, example.line);
            }
        }
    }

    #[test]
    fn the_file_is_whole() {
        let text = include_str!("../../patterns/statements.yaml");
        let file: StatementsFile = serde_saphyr::from_str(text).expect("the statements");
        assert_eq!(file.groups.len(), GROUPS.len());
        assert_eq!(GROUPS.iter().map(|group| &group.name).collect::<BTreeSet<_>>().len(), GROUPS.len());
        for group in GROUPS.iter() {
            for row in &group.statements {
                assert!(!row.marks.is_empty(), "{}: {} has no mark, so no line leads to it", group.name, row.says);
            }
            let mut led_to: Vec<usize> = group.first_marks().iter().flat_map(|first| first.rows.clone()).collect();
            led_to.sort_unstable();
            let all: Vec<usize> = (0..group.statements.len()).collect();
            assert_eq!(led_to, all, "{}: each row is led to by its first mark", group.name);
            let rows = || group.statements.iter().flat_map(|row| row.marks.iter().chain(&row.unless));
            for mark in rows().chain(&group.names) {
                assert!(
                    LazyRegex::parse(&mark.matches).is_ok_and(|regex| regex.compile().is_ok()),
                    "{}: {} is no regex",
                    group.name,
                    mark.matches
                );
            }
        }
    }
}
