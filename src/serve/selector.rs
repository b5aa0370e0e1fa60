//! Label and field selectors, in three-valued logic: an object of which the labels were not collected neither matches nor
//! fails to.
//!
//! Source: `kubernetes/apimachinery:pkg/labels/selector.go@v0.34`, `pkg/fields/selector.go`.
//!
//! Invariants: reading one never panics; a field selector may name any path that an object has, not only those that the
//! API server indexes.

use facts::node::{Node, Value};
use facts::object::{Lookup, ObjectId};
use facts::path::{Path, Step};
use facts::store::Facts;

/// Whether an object is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Match {
    No,
    Unknown,
    Yes,
}

impl Match {
    fn of(is_one: bool) -> Self {
        if is_one { Self::Yes } else { Self::No }
    }
}

/// Both selectors of a request.
#[derive(Debug, Default)]
pub(crate) struct Selector {
    labels: Vec<Label>,
    fields: Vec<Field>,
}

#[derive(Debug, PartialEq, Eq)]
struct Label {
    key: String,
    test: Test,
}

#[derive(Debug, PartialEq, Eq)]
enum Test {
    Exists,
    Absent,
    In(Vec<String>),
    NotIn(Vec<String>),
    Above(i64),
    Below(i64),
}

#[derive(Debug)]
struct Field {
    path: Path,
    name: String,
    value: String,
    equal: bool,
}

impl Selector {
    /// Reads the two parameters of a request.
    ///
    /// # Errors
    /// With what was expected.
    pub(crate) fn read(labels: Option<&str>, fields: Option<&str>) -> Result<Self, String> {
        let labels = labels.map(read_labels).transpose()?.unwrap_or_default();
        let fields = fields.map(read_fields).transpose()?.unwrap_or_default();
        Ok(Self { labels, fields })
    }

    /// The name that it asks for, if one.
    pub(crate) fn name(&self) -> Option<&str> {
        self.field("metadata.name")
    }

    /// The namespace that it asks for, if one.
    pub(crate) fn namespace(&self) -> Option<&str> {
        self.field("metadata.namespace")
    }

    /// Does it ask for what belongs to an object?
    pub(crate) fn is_of_object(&self) -> bool {
        self.fields.iter().any(|field| field.name.starts_with("involvedObject."))
    }

    fn field(&self, name: &str) -> Option<&str> {
        let found = self.fields.iter().find(|field| field.equal && field.name == name)?;
        Some(&found.value)
    }

    /// Is an object selected?
    pub(crate) fn matches(&self, facts: &Facts, id: ObjectId) -> Match {
        let labels = self.labels.iter().map(|label| label.matches(facts, id));
        let fields = self.fields.iter().map(|field| field.matches(facts, id));
        labels.chain(fields).min().unwrap_or(Match::Yes)
    }
}

/// The value of a label.
enum Labelled {
    Is(String),
    Not,
    Unknown,
}

fn label(facts: &Facts, id: ObjectId, key: &str) -> Labelled {
    let field = |name: &str| Step::Field(name.to_owned());
    let mut path = vec![field("metadata"), field("labels")];
    if let Lookup::Found(found) = facts.lookup(id, &Path(path.clone()))
        && let [(Node { value: Value::Text(text), .. }, _)] = found.as_slice()
    {
        // A table prints all of them as one text.
        let mut pairs = text.split(',').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        return match pairs.find(|(own, _)| own.trim() == key) {
            Some((_, value)) => Labelled::Is(value.trim().to_owned()),
            None => Labelled::Not,
        };
    }
    path.push(Step::Key(key.to_owned()));
    match facts.lookup(id, &Path(path)) {
        Lookup::Found(found) => match found.first().and_then(|(node, _)| node.value.scalar()) {
            Some(value) => Labelled::Is(value),
            None if found.iter().all(|(node, _)| node.value == Value::Null) => Labelled::Is(String::new()),
            None => Labelled::Unknown,
        },
        Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_) => Labelled::Not,
        Lookup::AtLeast(_) | Lookup::Redacted(_) | Lookup::Unknown(_) => Labelled::Unknown,
    }
}

impl Label {
    fn matches(&self, facts: &Facts, id: ObjectId) -> Match {
        match label(facts, id, &self.key) {
            Labelled::Unknown => Match::Unknown,
            Labelled::Not => Match::of(matches!(self.test, Test::Absent | Test::NotIn(_))),
            Labelled::Is(value) => Match::of(match &self.test {
                Test::Exists => true,
                Test::Absent => false,
                Test::In(values) => values.contains(&value),
                Test::NotIn(values) => !values.contains(&value),
                Test::Above(bound) => value.parse::<i64>().is_ok_and(|value| value > *bound),
                Test::Below(bound) => value.parse::<i64>().is_ok_and(|value| value < *bound),
            }),
        }
    }
}

impl Field {
    fn matches(&self, facts: &Facts, id: ObjectId) -> Match {
        let object = facts.object(id);
        let is_equal = match self.name.as_str() {
            "metadata.name" => Match::of(object.name == self.value),
            "metadata.namespace" => Match::of(object.namespace.as_deref().unwrap_or_default() == self.value),
            _ => self.is_equal(facts, id),
        };
        match (is_equal, self.equal) {
            (Match::Unknown, _) => Match::Unknown,
            (is_equal, equal) => Match::of((is_equal == Match::Yes) == equal),
        }
    }

    fn is_equal(&self, facts: &Facts, id: ObjectId) -> Match {
        let same = |node: &Node| node.value.scalar().is_some_and(|text| text == self.value);
        match facts.lookup(id, &self.path) {
            Lookup::Found(found) if found.iter().all(|(node, _)| node.value == Value::Null) => self.unset(),
            Lookup::Found(found) => Match::of(found.iter().any(|(node, _)| same(node))),
            Lookup::AtLeast(found) if found.iter().any(|(node, _)| same(node)) => Match::Yes,
            Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_) => self.unset(),
            Lookup::AtLeast(_) | Lookup::Redacted(_) | Lookup::Unknown(_) => Match::Unknown,
        }
    }

    /// What the API leaves out is empty, false or zero.
    fn unset(&self) -> Match {
        Match::of(matches!(self.value.as_str(), "" | "false" | "0"))
    }
}

/// Splits at commas outside of brackets.
fn requirements(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0_i32, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth <= 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn read_labels(text: &str) -> Result<Vec<Label>, String> {
    requirements(text).into_iter().map(read_label).collect()
}

fn read_label(text: &str) -> Result<Label, String> {
    let wrong = || {
        format!(
            "label selector `{text}`: expected `key`, `!key`, `key=value`, `key!=value`, `key in (a,b)`, `key notin (a,b)`, `key>1` or `key<1`"
        )
    };
    let of = |key: &str, test: Test| {
        let key = key.trim();
        let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
        if key.is_empty() || !key.chars().all(is_key) { Err(wrong()) } else { Ok(Label { key: key.to_owned(), test }) }
    };
    if let Some(key) = text.strip_prefix('!') {
        return of(key, Test::Absent);
    }
    if let Some((key, values)) = text.split_once("!=") {
        return of(key, Test::NotIn(vec![values.trim().to_owned()]));
    }
    if let Some((key, value)) = text.split_once("==").or_else(|| text.split_once('=')) {
        return of(key, Test::In(vec![value.trim().to_owned()]));
    }
    if let Some(inside) = text.strip_suffix(')') {
        let (head, values) = inside.split_once('(').ok_or_else(wrong)?;
        let values = values.split(',').map(|value| value.trim().to_owned()).collect();
        let mut words = head.split_whitespace();
        return match (words.next(), words.next(), words.next()) {
            (Some(key), Some("in"), None) => of(key, Test::In(values)),
            (Some(key), Some("notin"), None) => of(key, Test::NotIn(values)),
            _ => Err(wrong()),
        };
    }
    for (sign, test) in [('>', Test::Above as fn(i64) -> Test), ('<', Test::Below)] {
        if let Some((key, bound)) = text.split_once(sign) {
            return of(key, test(bound.trim().parse().map_err(|_| wrong())?));
        }
    }
    of(text, Test::Exists)
}

fn read_fields(text: &str) -> Result<Vec<Field>, String> {
    let mut fields = Vec::new();
    for part in terms(text) {
        let wrong = || {
            format!("field selector `{part}`: expected `path=value` or `path!=value`, such as `status.phase=Running`")
        };
        let (name, value, equal) = split(&part).ok_or_else(wrong)?;
        let path = Path::parse(name.trim()).map_err(|_| wrong())?;
        fields.push(Field { path, name: name.trim().to_owned(), value: unescaped(value), equal });
    }
    Ok(fields)
}

/// Splits at commas that no backslash escapes.
fn terms(text: &str) -> Vec<String> {
    let (mut parts, mut part, mut escaped) = (Vec::new(), String::new(), false);
    for letter in text.chars() {
        if letter == ',' && !escaped {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(letter);
        }
        escaped = letter == '\\' && !escaped;
    }
    parts.push(part);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

fn split(part: &str) -> Option<(&str, &str, bool)> {
    let at = part.find('=')?;
    let (name, value) = (&part[..at], &part[at + 1..]);
    match name.strip_suffix('!') {
        Some(name) => Some((name, value, false)),
        None => Some((name, value.strip_prefix('=').unwrap_or(value), true)),
    }
}

fn unescaped(value: &str) -> String {
    let (mut text, mut escaped) = (String::new(), false);
    for letter in value.chars() {
        if letter == '\\' && !escaped {
            escaped = true;
        } else {
            text.push(letter);
            escaped = false;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> String {
        match read_labels(text) {
            Ok(labels) => labels.iter().map(|l| format!("{} {:?}; ", l.key, l.test)).collect(),
            Err(error) => error,
        }
    }

    #[test]
    fn label_selectors_are_read() {
        assert_eq!(labels("a=b,c!=d"), r#"a In(["b"]); c NotIn(["d"]); "#);
        assert_eq!(labels("a==b , !c, d"), r#"a In(["b"]); c Absent; d Exists; "#);
        assert_eq!(labels("a in (b, c),d notin (e)"), r#"a In(["b", "c"]); d NotIn(["e"]); "#);
        assert_eq!(labels("n>1,n<9"), "n Above(1); n Below(9); ");
        assert_eq!(labels("app.kubernetes.io/name="), r#"app.kubernetes.io/name In([""]); "#);
        for wrong in ["a in b", "a b", "a in (b", "=b", "n>x", "a (b)", "(", ")", "a!b"] {
            assert!(labels(wrong).starts_with("label selector `"), "{wrong}: {}", labels(wrong));
        }
    }

    #[test]
    fn field_selectors_are_read() {
        let shown = |text: &str| match read_fields(text) {
            Ok(fields) => fields.iter().map(|f| format!("{} {} {}; ", f.name, f.equal, f.value)).collect(),
            Err(error) => error,
        };
        assert_eq!(
            shown("metadata.name=a,status.phase!=Running"),
            "metadata.name true a; status.phase false Running; "
        );
        assert_eq!(shown(r"message==a\,b\=c\\d"), r"message true a,b=c\d; ");
        assert_eq!(shown("spec.nodeName="), "spec.nodeName true ; ");
        assert!(shown("phase").starts_with("field selector `phase`"));
        assert!(shown("a..b=c").starts_with("field selector `a..b=c`"));
    }
}
