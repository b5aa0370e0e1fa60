//! What `jq` and `jsonpath` picked out of one object that the command names: its conditions, a field, a line for each.
//!
//! Why: who knows what is wrong pastes the one field that says so, and the command above it tells where it stood.
//!
//! Invariants: the object is that of the command, by kind and name; what was picked is set where the expression says that it
//! stood, and proves nothing of the rest; an answer that is a whole object is none of these.

use crate::fragment::{Fragment, Place, marks, object};
use crate::json;
use crate::transcript::stretch;
use facts::node::{Node, Value};
use facts::object::Form;
use facts::record::{Command, Parsed};
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till1, take_while1};
use nom::character::complete::{char, one_of, space0};
use nom::combinator::{map, opt, value};
use nom::multi::many0;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use std::collections::BTreeMap;

pub(super) const FRAGMENT: Fragment = Fragment { length, read };

/// Before the expression of a filter in the output of a command; see [`crate::transcript`].
pub(crate) const FILTER: &str = "jq=";
pub(crate) const FILTER_OF_YAML: &str = "yq=";

/// Pieces of one line that is printed.
const MOST_PIECES: usize = 20;

/// Most lines of fields that are read.
const MOST_ROWS: usize = 200;

/// A step of an expression.
#[derive(Debug, Clone, PartialEq)]
enum Step<'t> {
    Field(&'t str),
    /// `[*]`, `[]`, `[0]`
    Items,
    /// `[?(@.type=="Ready")]`, `| select(.type=="Ready")`
    OfType(&'t str),
}

/// A piece of what is printed for each item of a list.
#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Field(String),
    /// A field of that item of a list in the item which has this type.
    OfType {
        list: String,
        kind: String,
        field: String,
    },
    Text(String),
}

/// A field of an item, and what was printed of it.
#[derive(Debug, Clone, PartialEq)]
struct Cell {
    /// The list in the item and the type of which it is, if it is of one of its items.
    of: Option<(String, String)>,
    field: String,
    text: String,
}

/// Where an expression says that a value stood.
#[derive(Debug, PartialEq)]
struct Picked<'t> {
    /// The names of the fields down to the list, or to the value.
    path: Vec<&'t str>,
    /// Items of a list were picked.
    items: bool,
    /// Of them those of this type.
    of_type: Option<&'t str>,
    /// The field of each item.
    field: Option<&'t str>,
    /// Further fields of the same item, each printed on a line of its own: `.reason, .message`.
    more: Vec<&'t str>,
    /// What is printed for each item, where the expression says so.
    printed: Vec<Piece>,
}

/// What `{range …}` prints for each item: `{.type}={.status} {.message}{"\n"}`; the same of a template of Go, and of a text
/// of jq with fields in it.
fn printed(expression: &str) -> Vec<Piece> {
    if let Some(pieces) = array(expression) {
        return pieces;
    }
    let double = expression.contains("{{");
    let (open, close) = match (expression.contains("\\("), double) {
        (true, _) => ("\\(", ")"),
        (_, true) => ("{{", "}}"),
        _ => ("{", "}"),
    };
    let body = match open {
        "\\(" => expression.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"')).map(|(body, _)| body),
        _ => {
            let behind = expression.split_once(&format!("{open}range")).and_then(|(_, rest)| rest.split_once(close));
            behind.and_then(|(_, rest)| rest.split_once(&format!("{open}end"))).map(|(body, _)| body)
        }
    };
    pieces_of(body.unwrap_or_default(), open, close)
}

/// What a text prints between and in its brackets.
fn pieces_of(body: &str, open: &str, close: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = body;
    while !rest.is_empty() && pieces.len() < MOST_PIECES {
        let (text, behind) = rest.split_once(open).unwrap_or((rest, ""));
        push_text(&mut pieces, text);
        let (inner, behind) = behind.split_once(close).unwrap_or((behind, ""));
        let inner = inner.trim();
        if let Some(name) = inner.strip_prefix('.') {
            pieces.push(of_type_in(name).unwrap_or_else(|| Piece::Field(name.to_owned())));
        } else {
            push_text(&mut pieces, inner.trim_matches(['"', '\'']));
        }
        rest = behind;
    }
    pieces
}

/// What jq makes a row of: `[.type, .status] | @tsv`, `[.clusterName, (.conditions[] | select(.type=="Applied") | .status, .reason)] | @csv`.
fn array(expression: &str) -> Option<Vec<Piece>> {
    let (_, inside) = expression.split_once("| [").or_else(|| expression.split_once("|["))?;
    let (inside, way) = inside.rsplit_once(']')?;
    let way = way.trim_start().strip_prefix('|')?.trim_start();
    let join = || way.strip_prefix("join(\"")?.split_once('"').map(|(text, _)| text.replace("\\t", "\t"));
    let separator = match way {
        _ if way.starts_with("@tsv") => "\t".to_owned(),
        _ if way.starts_with("@csv") => ",".to_owned(),
        _ => join()?,
    };
    let mut pieces = Vec::new();
    let mut add = |piece: Piece| {
        if !pieces.is_empty() {
            pieces.push(Piece::Text(separator.clone()));
        }
        pieces.push(piece);
    };
    let name = |text: &str| {
        let name = text.trim().strip_prefix('.')?.split("//").next()?.trim();
        let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'));
        is_name.then(|| name.to_owned())
    };
    let mut rest = inside.trim();
    while !rest.is_empty() {
        let (cell, behind) = match rest.strip_prefix('(') {
            Some(group) => {
                let (list, group) = group.trim_start().strip_prefix('.')?.split_once("[]")?;
                let group = group.trim_start();
                let (group, kind) = match of_type(group).ok()? {
                    (group, Step::OfType(kind)) => (group, kind),
                    _ => return None,
                };
                let (fields, behind) = group.trim_start().strip_prefix('|')?.split_once(')')?;
                for field in fields.split(',') {
                    add(Piece::OfType { list: list.to_owned(), kind: kind.to_owned(), field: name(field)? });
                }
                (None, behind)
            }
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                (Some(name(rest.get(..end)?)?), rest.get(end..)?)
            }
        };
        if let Some(cell) = cell {
            add(Piece::Field(cell));
        }
        rest = behind.trim_start().trim_start_matches(',').trim_start();
    }
    (pieces.len() > 2 && pieces.len() < MOST_PIECES).then_some(pieces)
}

/// `status.conditions[?(@.type=="Ready")].status`
fn of_type_in(path: &str) -> Option<Piece> {
    let (list, rest) = path.split_once("[?")?;
    let (field, step) = of_type(path.get(list.len()..).filter(|_| !rest.is_empty())?).ok()?;
    let (Step::OfType(kind), Some(field)) = (step, field.strip_prefix('.')) else { return None };
    Some(Piece::OfType { list: list.to_owned(), kind: kind.to_owned(), field: field.to_owned() })
}

fn push_text(pieces: &mut Vec<Piece>, text: &str) {
    let text = text.replace("\\n", "\n").replace("\\t", "\t");
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece::Text(before)) => before.push_str(&text),
        _ => pieces.push(Piece::Text(text)),
    }
}

/// The fields of a condition in a line that was printed so.
fn printed_row(pieces: &[Piece], line: &str) -> Option<Vec<Cell>> {
    let fields = cells(pieces, line)?;
    let of = |name: &str| fields.iter().find(|cell| cell.field == name).map(|cell| cell.text.as_str());
    // Of an item that is no condition itself, a condition in it is told.
    let is_one = of("type").is_some_and(is_type) || fields.iter().any(|cell| cell.of.is_some());
    let is_condition = is_one && of("status").is_some_and(is_status);
    is_condition.then(|| fields.into_iter().filter(|cell| !cell.text.is_empty()).collect())
}

/// The fields of an object of a list in a line that was printed so: one of them is its name.
fn object_row(pieces: &[Piece], line: &str) -> Option<Vec<Cell>> {
    let fields = cells(pieces, line)?;
    let is_name = |text: &str| {
        let bytes = text.bytes();
        !text.is_empty()
            && bytes.clone().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.' | b':'))
    };
    let named = fields.iter().any(|cell| cell.of.is_none() && cell.field == NAME && is_name(&cell.text));
    let is_set = |cell: &Cell| !matches!(cell.text.as_str(), "" | "null" | "<none>" | "<no value>");
    named.then(|| fields.into_iter().filter(is_set).collect())
}

/// The field of the name of an object.
const NAME: &str = "metadata.name";

/// What the pieces print, in a line; `None` if it is not printed so.
fn cells(pieces: &[Piece], line: &str) -> Option<Vec<Cell>> {
    let mut fields: Vec<Cell> = Vec::new();
    let mut rest = line.trim_end();
    let mut pieces = pieces.iter().peekable();
    while let Some(piece) = pieces.next() {
        match piece {
            // A tab may have been pasted as blanks.
            Piece::Text(text) if text.trim().is_empty() => {
                rest = rest.strip_prefix(text.as_str()).unwrap_or_else(|| rest.trim_start());
            }
            Piece::Text(text) => rest = rest.trim_start().strip_prefix(text.trim())?,
            Piece::Field(_) | Piece::OfType { .. } => {
                let end = match pieces.peek() {
                    None => rest.len(),
                    Some(Piece::Field(_) | Piece::OfType { .. }) => return None,
                    Some(Piece::Text(text)) if text.contains('\n') && text.trim().is_empty() => rest.len(),
                    Some(Piece::Text(text)) if text.trim().is_empty() => {
                        let blank = || rest.find([' ', '\t']);
                        rest.find(text.as_str()).or_else(blank).unwrap_or(rest.len())
                    }
                    Some(Piece::Text(text)) => rest.find(text.trim()).unwrap_or(rest.len()),
                };
                let text = rest.get(..end)?.trim().trim_matches('"').to_owned();
                fields.push(match piece {
                    Piece::OfType { list, kind, field } => {
                        Cell { of: Some((list.clone(), kind.clone())), field: field.clone(), text }
                    }
                    Piece::Field(name) | Piece::Text(name) => Cell { of: None, field: name.clone(), text },
                });
                rest = rest.get(end..)?;
            }
        }
    }
    Some(fields)
}

fn is_status(text: &str) -> bool {
    matches!(text, "True" | "False" | "Unknown")
}

fn is_type(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'/'))
}

fn field(input: &str) -> IResult<&str, Step<'_>> {
    let name = take_while1(|c: char| c.is_ascii_alphanumeric() || c == '_');
    map(preceded(char('.'), name), Step::Field).parse(input)
}

fn items(input: &str) -> IResult<&str, Step<'_>> {
    let inside = alt((tag("*"), nom::character::complete::digit1, tag(":"), tag("-1")));
    value(Step::Items, delimited(char('['), opt(inside), char(']'))).parse(input)
}

fn of_type(input: &str) -> IResult<&str, Step<'_>> {
    let quoted = || delimited(one_of("\"'"), take_till1(|c| c == '"' || c == '\''), one_of("\"'"));
    let equals = || (space0, tag("=="), space0);
    let jsonpath = delimited((tag("[?("), tag("@.type")), preceded(equals(), quoted()), tag(")]"));
    let piped = (space0, opt(char('|')), space0, tag("select(.type"));
    let jq = delimited(piped, preceded(equals(), quoted()), char(')'));
    map(alt((jsonpath, jq)), Step::OfType).parse(input)
}

fn step(input: &str) -> IResult<&str, Step<'_>> {
    preceded(opt((space0, char('|'), space0)), alt((items, of_type, field))).or(of_type).parse(input)
}

/// Reads the first path of an expression that begins at a part of an object.
fn picked(expression: &str) -> Option<Picked<'_>> {
    let begins = |part: &str| {
        let mut found = expression.match_indices(part).map(|(at, _)| at);
        found.find(|at| expression[at + part.len()..].chars().next().is_none_or(|next| !next.is_ascii_alphanumeric()))
    };
    let start = [".status", ".spec", ".metadata"].iter().filter_map(|part| begins(part)).min()?;
    let (rest, steps) = many0(step).parse(expression.get(start..)?).ok()?;
    let (_, more) = many0(further).parse(rest).ok()?;
    let printed = printed(expression);
    let mut picked = Picked { path: Vec::new(), items: false, of_type: None, field: None, more: Vec::new(), printed };
    for step in steps {
        match step {
            Step::Field(name) if !picked.items => picked.path.push(name),
            Step::Field(name) => {
                picked.field.get_or_insert(name);
            }
            Step::Items => picked.items = true,
            Step::OfType(kind) => (picked.items, picked.of_type) = (true, Some(kind)),
        }
    }
    if picked.of_type.is_some() && picked.field.is_some() {
        picked.more = more;
    }
    Some(picked)
}

/// A further field beside the one before: `, .message`.
fn further(input: &str) -> IResult<&str, &str> {
    let name = take_while1(|c: char| c.is_ascii_alphanumeric() || c == '_');
    preceded((space0, char(','), space0, char('.')), name).parse(input)
}

/// The path of an output that is what stands at one: `jsonpath='{.status.conditions}'`.
pub(crate) fn plain_path(output: &str) -> Option<&str> {
    let path = output.strip_prefix("jsonpath=")?.trim_matches(['\'', '"']).strip_prefix('{')?.strip_suffix('}')?;
    let (rest, steps) = many0(step).parse(path).ok()?;
    let is_one = |step: &Step<'_>| !matches!(step, Step::Items);
    (rest.is_empty() && !path.contains('|') && steps.iter().all(is_one)).then_some(path)
}

/// The expression among the arguments of jq: ` -r '.[] | .type'`.
pub(crate) fn quoted_filter(arguments: &str) -> &str {
    let inside = |quote| Some(arguments.split_once(quote)?.1.rsplit_once(quote)?.0);
    let first = arguments.find(['\'', '"']).and_then(|at| arguments.get(at..)?.chars().next());
    first.and_then(inside).unwrap_or(arguments)
}

/// The expression of a command that asked for one object, by its name or by a choice among all of them.
fn expression(command: Option<&Command>) -> Option<Picked<'_>> {
    let command = command.filter(|command| command.verb == "get")?;
    let text = expression_text(command)?;
    match command.names.len() {
        1 => picked(text),
        0 => picked(chosen(text)?.1),
        _ => None,
    }
}

/// Does a command print one value of one object? Then no line further down is a second one.
pub(crate) fn prints_once(command: &Command) -> bool {
    // Behind a comma stands another path, printed below, if it is no further field of the same item.
    let is_several = expression_text(command).is_some_and(|text| text.contains(','));
    let picks_one =
        |picked: &Picked<'_>| (!picked.items || picked.of_type.is_some()) && (!is_several || !picked.more.is_empty());
    of_one(Some(command)).is_some() || expression(Some(command)).as_ref().is_some_and(picks_one)
}

/// What a command lets be printed.
fn expression_text(command: &Command) -> Option<&str> {
    let output = command.output.as_deref()?;
    [FILTER, FILTER_OF_YAML, "jsonpath=", "go-template=", "jsonpath-as-json="]
        .iter()
        .find_map(|way| output.strip_prefix(way))
}

/// The one object that `.items[] | select(.metadata.name == "a")` chooses, and what is picked of it.
fn chosen(text: &str) -> Option<(&str, &str)> {
    let (_, rest) = text.split_once("select(.metadata.name")?;
    let (_, rest) = rest.split_once("==")?;
    let (name, rest) = rest.trim_start().strip_prefix('"')?.split_once('"')?;
    let (_, rest) = rest.split_once(')')?;
    (!rest.contains("select(.metadata.")).then_some((name, rest))
}

/// What is printed of each object of a list: its name among it.
fn of_items(command: Option<&Command>) -> Option<Vec<Piece>> {
    let command = command.filter(|command| command.verb == "get" && command.names.len() != 1)?;
    let text = expression_text(command).filter(|text| text.contains(".items") && chosen(text).is_none())?;
    let pieces = printed(text);
    pieces.iter().any(|piece| matches!(piece, Piece::Field(name) if name == NAME)).then_some(pieces)
}

/// What is printed of one object in one line: `{.spec.replicas} {.status.replicas}`.
fn of_one(command: Option<&Command>) -> Option<Vec<Piece>> {
    let command = command.filter(|command| command.verb == "get" && command.names.len() == 1)?;
    let text = command.output.as_deref()?.strip_prefix("jsonpath=")?.trim_matches(['\'', '"']);
    let pieces = if text.contains("{range") { Vec::new() } else { pieces_of(text, "{", "}") };
    let is_of_object = |path: &str| ["metadata.", "spec.", "status."].iter().any(|part| path.starts_with(part));
    let is_plain = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'));
    let is_path = |piece: &&Piece| match piece {
        Piece::Field(path) => is_of_object(path) && is_plain(path),
        Piece::OfType { list, field, .. } => is_of_object(list) && is_plain(list) && is_plain(field),
        Piece::Text(_) => false,
    };
    let paths = pieces.iter().filter(is_path).count();
    let texts = pieces.iter().filter(|piece| matches!(piece, Piece::Text(_))).count();
    let last = pieces.len().saturating_sub(1);
    let is_one_line = pieces.iter().take(last).all(|piece| !matches!(piece, Piece::Text(text) if text.contains('\n')));
    (paths > 1 && paths + texts == pieces.len() && is_one_line).then_some(pieces)
}

fn length(lines: &[&str], command: Option<&Command>) -> Option<usize> {
    if let Some(pieces) = of_one(command) {
        return cells(&pieces, lines.first()?).filter(|_| !crate::answer::is_one(lines[0])).map(|_| 1);
    }
    if let Some(pieces) = of_items(command) {
        let rows = lines.iter().take(MOST_ROWS).take_while(|line| object_row(&pieces, line).is_some()).count();
        return (rows > 0).then_some(rows);
    }
    let picked = expression(command)?;
    if yaml_of_path(lines, command, &picked) {
        return object::yaml_length(lines);
    }
    let lines = &lines[..lines.iter().position(|line| line.trim().is_empty()).unwrap_or(lines.len())];
    let first = lines.first()?.trim();
    if first.starts_with(['{', '[']) {
        let is_whole = lines.iter().take(4).any(|line| line.trim_start().starts_with("\"apiVersion\""));
        return (!is_whole).then_some(lines.len());
    }
    if picked.items && picked.of_type.is_none() {
        let rows = lines.iter().take(MOST_ROWS).take_while(|line| row(&picked, line).is_some()).count();
        return (rows > 0).then_some(rows);
    }
    // One value; an answer of kubectl is none, and what yq printed as YAML is told by its keys.
    let is_yaml = is_of_yaml(command) && object::is_field(lines.first()?);
    let is_value = !is_yaml && !crate::answer::is_one(lines.first()?) && first.len() > 1;
    is_value.then(|| {
        // A log that begins below is none of them.
        let more = lines[1..].iter().take(picked.more.len()).take_while(|line| !stretch::is_log(line)).count();
        let fields = 1 + more;
        fields + lines[fields..].iter().take_while(|line| goes_on(line)).count()
    })
}

/// Does a message go on in this line? Controllers of Cluster API list under a sentence what it is about.
fn goes_on(line: &str) -> bool {
    line.trim_start().starts_with("* ")
}

/// Did yq print it?
fn is_of_yaml(command: Option<&Command>) -> bool {
    command.and_then(|command| command.output.as_deref()).is_some_and(|output| output.starts_with(FILTER_OF_YAML))
}

/// Is it what stood at the path, as YAML? What stands at several paths comes one below the other, without a mark between.
fn yaml_of_path(lines: &[&str], command: Option<&Command>, picked: &Picked<'_>) -> bool {
    let output = command.and_then(|command| command.output.as_deref()).unwrap_or_default();
    is_of_yaml(command)
        && !picked.items
        && !output.contains([',', '|', '('])
        && lines.first().is_some_and(|line| object::is_field(line))
}

/// The fields of a condition in a line: as the expression prints them, else type, status, reason and message, as most
/// people let them be printed.
fn row(picked: &Picked<'_>, line: &str) -> Option<Vec<Cell>> {
    if let Some(found) = printed_row(&picked.printed, line) {
        return Some(found);
    }
    for separator in ["\t", "=", ": ", ":", ",", " "] {
        let cells: Vec<&str> = line.trim_end().splitn(4, separator).map(str::trim).collect();
        if let [kind, status, ..] = cells.as_slice()
            && is_type(kind)
            && is_status(status)
        {
            let names = ["type", "status", "reason", "message"];
            let cell =
                |(name, text): (&&str, &str)| Cell { of: None, field: (*name).to_owned(), text: text.to_owned() };
            return Some(names.iter().zip(cells).map(cell).collect());
        }
    }
    None
}

fn read(place: &Place<'_>, lines: &[&str]) -> Option<Parsed> {
    if let Some(pieces) = of_one(place.command) {
        let mut parsed = Parsed::default();
        let mut shown = cells(&pieces, lines.first()?)?;
        shown.retain(|cell| !cell.text.is_empty());
        marks::add_fields(place, 0, item_of(place.first, shown), &mut parsed);
        return (!parsed.records.is_empty()).then_some(parsed);
    }
    if let Some(pieces) = of_items(place.command) {
        let mut parsed = Parsed::default();
        for (at, line) in lines.iter().enumerate() {
            let root = item_of(place.line(at), object_row(&pieces, line).unwrap_or_default());
            marks::add_fields(place, at, root, &mut parsed);
        }
        return (!parsed.records.is_empty()).then_some(parsed);
    }
    let picked = expression(place.command)?;
    let node = match yaml_of_path(lines, place.command, &picked) {
        true => object::trees(place, lines).into_iter().next()?,
        false => value_of(place, &picked, lines)?,
    };
    let mut root = Node::map(place.first);
    root.set_at(&picked.path, node);
    let named = place.command.filter(|command| command.names.is_empty()).and_then(expression_text).and_then(chosen);
    if let Some((name, _)) = named {
        root.set_at(&["metadata", "name"], Node::text(place.first, name));
    }
    let mut parsed = Parsed::default();
    let added = match is_value(place.command, &picked, lines) {
        true => marks::add(place, 0, root, Form::Json, &mut parsed),
        false => marks::add_fields(place, 0, root, &mut parsed),
    };
    added.then_some(parsed)
}

/// Was the value itself printed, with all that it holds? An expression that makes rows, texts or objects of single fields
/// prints those alone: `.status.conditions[] | {type, status}`.
fn is_value(command: Option<&Command>, picked: &Picked<'_>, lines: &[&str]) -> bool {
    let is_document = || lines.first().is_some_and(|line| line.trim_start().starts_with(['{', '[']));
    let output = command.and_then(|command| command.output.as_deref()).unwrap_or_default();
    let filter = [FILTER, FILTER_OF_YAML].iter().find_map(|filter| output.strip_prefix(filter));
    // `select(...)` chooses, and changes nothing of what it chose.
    let makes_objects =
        filter.is_some_and(|filter| filter.replace("map(select(", "").replace("select(", "").contains(['{', '(']));
    yaml_of_path(lines, command, picked) || is_document() && !makes_objects
}

/// The value that stood at the path.
fn value_of(place: &Place<'_>, picked: &Picked<'_>, lines: &[&str]) -> Option<Node> {
    let first = lines.first()?.trim();
    let list = |items: Vec<Node>| Node::new(place.first, Value::List(items));
    if first.starts_with(['{', '[']) {
        let above = "\n".repeat(usize::try_from(place.first).unwrap_or(1).saturating_sub(1));
        let mut values = json::json_values(&format!("{above}{}\n", lines.join("\n")), place.limits.nesting);
        let is_list = |node: &Node| matches!(node.value, Value::List(_));
        return match (picked.items, values.len()) {
            (_, 0) => None,
            (true, 1) if values.first().is_some_and(is_list) => values.pop(),
            (true, _) => Some(list(values)),
            (false, _) => values.into_iter().next(),
        };
    }
    if let Some(kind) = picked.of_type {
        let mut item = Node::map(place.first);
        item.set("type", Node::text(place.first, kind));
        let fields = std::iter::once(picked.field?).chain(picked.more.iter().copied());
        for (at, (field, line)) in fields.zip(lines).enumerate() {
            // What stands below belongs to the last of them.
            let below = lines[at + 1..].iter().take_while(|line| goes_on(line)).map(|line| line.trim_end());
            let text: Vec<&str> = std::iter::once(line.trim()).chain(below).collect();
            if text != ["null"] {
                item.set(field, Node::text(place.line(at), text.join("\n")));
            }
        }
        return Some(list(vec![item]));
    }
    if picked.items {
        let items = lines.iter().enumerate().filter_map(|(at, line)| Some(item_of(place.line(at), row(picked, line)?)));
        return Some(list(items.collect()));
    }
    // yq writes a text that may be taken for something else in quotes.
    let bare = first.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).filter(|_| is_of_yaml(place.command));
    let below = lines[1..].iter().take_while(|line| goes_on(line)).map(|line| line.trim_end());
    let text: Vec<&str> = std::iter::once(bare.unwrap_or(first)).chain(below).collect();
    Some(Node::text(place.first, text.join("\n")))
}

/// What the cells of a row say of one thing.
fn item_of(line: u32, cells: Vec<Cell>) -> Node {
    let mut item = Node::map(line);
    let path = |field: &str| field.split('.').map(str::to_owned).collect::<Vec<_>>();
    let mut set = |field: &str, node: Node| {
        let path = path(field);
        item.set_at(&path.iter().map(String::as_str).collect::<Vec<_>>(), node);
    };
    let mut inner: BTreeMap<String, BTreeMap<String, Node>> = BTreeMap::new();
    for Cell { of, field, text } in cells {
        match of {
            None => set(&field, Node::text(line, text)),
            Some((list, kind)) => {
                let of_type = inner.entry(list).or_default().entry(kind).or_insert_with(|| Node::map(line));
                of_type.set(&field, Node::text(line, text));
            }
        }
    }
    for (list, of_types) in inner {
        let items = of_types.into_iter().map(|(kind, mut item)| {
            item.set("type", Node::text(line, kind));
            item
        });
        set(&list, Node::new(line, Value::List(items.collect())));
    }
    item
}

#[cfg(test)]
mod tests;
