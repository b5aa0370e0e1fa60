//! Rows of events without the object that they are about, and mostly without their header.
//!
//! Which object: what the command named, else what a message names, else one named after its place. Which kind: what
//! the command named, else whom the writers of the rows write about.
//!
//! Invariants: rows that stand together in the form of `kubectl describe` are about one object; the object itself is
//! known by nothing but its events.

use crate::describe::events::Cells;
use crate::fragment::event_row::{self, Row};
use crate::fragment::{Fragment, Place};
use crate::transcript::{chat, stretch};
use crate::{secrets, table};
use catalogue::{parts, wordings};
use facts::kind::KindName;
use facts::node::Node;
use facts::object::{Form, ObjectRecord, Shown, Tree};
use facts::order::Order;
use facts::record::{self, Command, Parsed, Record};
use facts::secrets::Counts;
use facts::shortfall::WhyPartial;
use facts::shown_paths::ShownPaths;

pub(super) const FRAGMENT: Fragment = Fragment { length, read };

/// Lines that may belong to one message.
const FAR: usize = 20;
/// Blank lines within one message.
const BLANK: usize = 2;
/// The wordings with which a message goes on behind a blank line.
const GOES_ON: &str = "message-goes-on";
/// Among them that of an item of a list.
const ITEM: &str = "item";

/// `Events:`, the header of the table and the ruler below it.
fn is_head(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let header = ["Type Reason Age From Message", "FirstSeen LastSeen Count From SubObjectPath Type Reason Message"];
    let ruler = words.len() > 2 && words.iter().all(|word| word.chars().all(|c| c == '-') && word.len() > 1);
    words == ["Events:"] || header.iter().any(|known| words.join(" ").eq_ignore_ascii_case(known)) || ruler
}

fn length(lines: &[&str], _: Option<&Command>) -> Option<usize> {
    end(lines)
}

/// The end of the table of events that begins with the first of these lines, with messages of several lines; `None` if none
/// begins there.
pub(crate) fn end(lines: &[&str]) -> Option<usize> {
    let head = lines.iter().take_while(|line| is_head(line)).count();
    event_row::read(lines.get(head)?)?;
    let mut end = head + 1;
    // A row within a sentence is closed by the mark that opened it.
    let open = |at: usize| lines.get(at).is_some_and(|line| !line.trim_end().ends_with('`'));
    while let Some(line) = lines.get(end).filter(|line| open(end - 1) && !is_of_others(line)) {
        if event_row::read(line).is_some() || is_head(line) && !line.trim().is_empty() {
            end += 1;
            continue;
        }
        // A message of several lines: they go on up to the next row, or to the first blank line.
        let ahead = || lines[end..].iter().take(FAR).take_while(|line| !is_of_others(line));
        let next = ahead().position(|line| event_row::read(line).is_some());
        let blank = ahead().position(|line| line.trim().is_empty());
        match (next, blank) {
            (Some(next), None) => end += next,
            (Some(next), Some(blank)) if next < blank => end += next,
            (_, Some(blank)) => match behind_blank(lines[end + blank - 1], &lines[end + blank..]) {
                Some(more) => end += blank + more,
                None => return Some(end + blank),
            },
            (None, None) => return Some(end + ahead().count()),
        }
    }
    Some(end)
}

/// How many of the lines, of which the first is blank, are of the message that stands above: what a server or a program
/// answered is printed behind a blank line, as it came.
fn behind_blank(above: &str, lines: &[&str]) -> Option<usize> {
    let blank = lines.iter().take(BLANK).take_while(|line| line.trim().is_empty()).count();
    let next = lines.get(blank).filter(|line| !line.trim().is_empty())?;
    if event_row::read(next).is_some() || is_of_others(next) || is_head(next) {
        return None;
    }
    let wording = wordings::first(GOES_ON, next)?;
    // People write lists as well.
    (wording.class != ITEM || above.trim_end().ends_with(':')).then_some(blank + 1)
}

/// The next line of a chat, the header of another table, or a remark about this one.
fn is_of_others(line: &str) -> bool {
    chat::prefix(line).is_some()
        || table::is_of_known_kind(line)
        || event_row::read(line).is_none() && (stretch::is_sentence(line) || line.trim_end().ends_with('?'))
}

/// A row with the whole of its message, and the index of its line.
struct Said<'a> {
    at: usize,
    row: Row<'a>,
    message: String,
}

fn said<'a>(lines: &[&'a str]) -> Vec<Said<'a>> {
    let mut all: Vec<Said<'a>> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some(row) = event_row::read(line) {
            all.push(Said { at, row, message: row.message.to_owned() });
        } else if let Some(last) = all.last_mut()
            && !is_head(line)
        {
            last.message.push('\n');
            last.message.push_str(line.trim());
        }
    }
    all
}

fn read(place: &Place<'_>, lines: &[&str]) -> Option<Parsed> {
    let all = said(lines);
    let (listed, described): (Vec<Said<'_>>, Vec<Said<'_>>) =
        all.into_iter().partition(|said| said.row.object.is_some());
    let mut parsed = Parsed::default();
    if !listed.is_empty() {
        parsed.records.push(table(place, &listed, &mut parsed.redactions));
    }
    if let Some(first) = described.first() {
        let about = about(place, first.at, &described);
        let spelt = spelt(place, &described);
        for said in &described {
            let row = &said.row;
            let cells =
                Cells { kind: row.kind, reason: row.reason, age: row.age, from: row.from, message: &said.message };
            let (event, masked) = cells.event(&about, spelt.as_deref(), place.line(said.at));
            parsed.redactions += masked;
            parsed.records.push(Record::Object(Box::new(event)));
        }
        if about.kind.is_some() {
            parsed.records.insert(0, Record::Object(Box::new(about)));
        }
    }
    Some(parsed)
}

/// The kind of the object as `kind:` spells it.
fn spelt(place: &Place<'_>, rows: &[Said<'_>]) -> Option<String> {
    let asked = place.kind().and_then(|kind| Some(catalogue::kinds::Catalogue::shared().kind(&kind)?.kind.clone()));
    let component =
        |row: &Row<'_>| row.from.trim_matches(['{', '}']).split([',', ' ']).next().unwrap_or_default().to_owned();
    let told = || rows.iter().find_map(|said| parts::kind_of_event(&component(&said.row), said.row.reason));
    asked.or_else(|| told().map(str::to_owned))
}

/// The object that the rows are about.
fn about(place: &Place<'_>, at: usize, rows: &[Said<'_>]) -> ObjectRecord {
    let spelt = spelt(place, rows);
    let kind = place.kind().or_else(|| spelt.as_deref().map(|spelt| KindName::guess("", spelt)));
    let kind = kind.map(|kind| catalogue::kinds::Catalogue::shared().canonical(&kind));
    let (name, namespace) = place.asked();
    let is_pod = spelt.as_deref() == Some("Pod");
    let in_message = || rows.iter().filter(|_| is_pod).find_map(|said| pod_in(&said.message));
    let (named, spoken) = match name {
        // Other outputs of the session name it without its namespace as well, and mean the same.
        Some(name) => (Some(name.to_owned()), None),
        None => in_message().map_or((None, None), |(namespace, name)| (Some(name), Some(namespace))),
    };
    let line = place.line(at);
    ObjectRecord {
        kind,
        api_version: None,
        namespace: namespace.map(str::to_owned).or(spoken),
        name: named.unwrap_or_else(|| place.unnamed(at)),
        uid: None,
        form: Form::TypedDescribe,
        shown: Shown::Paths(ShownPaths::default()),
        node: Tree::of(Node::map(line)),
        member: place.member,
        line,
        path: String::new(),
        order: Order::default(),
    }
}

/// The namespace and name of the Pod that a message names: `NAME_NAMESPACE(UID)` as the kubelet prints it, or
/// `Successfully assigned NAMESPACE/NAME to NODE` of the scheduler.
fn pod_in(message: &str) -> Option<(String, String)> {
    let plain = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c))
    };
    let assigned = message.strip_prefix("Successfully assigned ").and_then(|rest| rest.split_once(" to "));
    if let Some((namespace, name)) = assigned.and_then(|(pod, _)| pod.split_once('/'))
        && plain(namespace)
        && plain(name)
    {
        return Some((namespace.to_owned(), name.to_owned()));
    }
    message.split(|c: char| c.is_whitespace() || c == '"').find_map(|word| {
        let (pod, uid) = word.split_once('(')?;
        let (name, namespace) = pod.split_once('_')?;
        (uid.len() >= 36 && plain(name) && plain(namespace)).then(|| (namespace.to_owned(), name.to_owned()))
    })
}

/// Rows that name their object, as the table that they were printed in.
fn table(place: &Place<'_>, rows: &[Said<'_>], redactions: &mut Counts) -> Record {
    let namespaces = rows.iter().any(|said| said.row.namespace.is_some());
    let mut headers = vec!["LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"];
    if namespaces {
        headers.insert(0, "NAMESPACE");
    }
    let mut row = |said: &Said<'_>| {
        let Row { namespace, age, kind, reason, object, .. } = said.row;
        let (message, masked) = secrets::mask_counted(&said.message);
        *redactions += masked;
        let mut cells = vec![age, kind, reason, object.unwrap_or_default(), &message];
        if namespaces {
            cells.insert(0, namespace.unwrap_or_default());
        }
        let text = secrets::mask_text(&cells.join("   ")).0.into_owned();
        record::Row { line: place.line(said.at), cells: cells.into_iter().map(str::to_owned).collect(), text }
    };
    Record::from(record::Table {
        headers: headers.into_iter().map(str::to_owned).collect(),
        line: place.line(rows.first().map_or(0, |said| said.at)),
        rows: rows.iter().map(&mut row).collect(),
        cut: Some(WhyPartial::NoHeader),
        member: place.member,
        command: None,
    })
}
