//! Label selectors.
//!
//! Source: <https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors>.

use crate::known::{Known, Why};
use crate::world::World;
use facts::node::Node;
use facts::object::ObjectId;

const LABELS: [&str; 2] = ["metadata", "labels"];

/// What a label has to be.
enum Wanted<'a> {
    In(Vec<&'a str>),
    NotIn(Vec<&'a str>),
    There,
    NotThere,
}

/// Do all requirements hold, each as kubectl writes it: `a=b`, `a!=b`, `a in (b, c)`, `a`, `!a`?
pub(crate) fn all(world: &World<'_>, id: ObjectId, requirements: &[String]) -> Known<bool> {
    for requirement in requirements.iter().flat_map(|text| parts(text)) {
        let (key, wanted) = read(requirement).ok_or_else(|| Why::BadSetting {
            name: "selector",
            expected: format!("write `{}` like `app=web`", crate::known::shown(requirement)),
        })?;
        if !holds(world, id, key, &wanted)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The requirements of a text, at the commas outside brackets.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// `(a, b)`.
fn list(text: &str) -> Option<Vec<&str>> {
    let inside = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    Some(inside.split(',').map(str::trim).collect())
}

fn read(text: &str) -> Option<(&str, Wanted<'_>)> {
    if let Some((key, values)) = text.split_once(" notin ") {
        return Some((key.trim(), Wanted::NotIn(list(values)?)));
    }
    if let Some((key, values)) = text.split_once(" in ") {
        return Some((key.trim(), Wanted::In(list(values)?)));
    }
    if let Some((key, value)) = text.split_once("!=") {
        return Some((key.trim(), Wanted::NotIn(vec![value.trim()])));
    }
    if let Some((key, value)) = text.split_once('=') {
        return Some((key.trim(), Wanted::In(vec![value.trim_start_matches('=').trim()])));
    }
    match text.strip_prefix('!') {
        Some(key) => Some((key.trim(), Wanted::NotThere)),
        None if text.contains(char::is_whitespace) => None,
        None => Some((text, Wanted::There)),
    }
}

fn holds(world: &World<'_>, id: ObjectId, key: &str, wanted: &Wanted<'_>) -> Known<bool> {
    let (value, _) = world.entry(id, &LABELS, key)?;
    let is_one = |all: &[&str]| value.as_deref().is_some_and(|value| all.contains(&value));
    Ok(match wanted {
        Wanted::In(all) => is_one(all),
        Wanted::NotIn(all) => !is_one(all),
        Wanted::There => value.is_some(),
        Wanted::NotThere => value.is_none(),
    })
}

/// Does `matchLabel` and `matchExpressions` of a spec hold?
pub(crate) fn of_node(world: &World<'_>, id: ObjectId, selector: &Node) -> Known<bool> {
    for (key, value) in selector.get("matchLabel").map(Node::entries).unwrap_or_default() {
        let value = value.value.scalar().unwrap_or_default();
        if !holds(world, id, key, &Wanted::In(vec![&value]))? {
            return Ok(false);
        }
    }
    for one in selector.get("matchExpressions").map(Node::items).unwrap_or_default() {
        let text = |key: &str| one.get(key).and_then(Node::as_str).unwrap_or_default();
        let values: Vec<&str> =
            one.get("values").map(Node::items).unwrap_or_default().iter().filter_map(Node::as_str).collect();
        let wanted = match text("operator") {
            "In" => Wanted::In(values),
            "NotIn" => Wanted::NotIn(values),
            "Exists" => Wanted::There,
            "DoesNotExist" => Wanted::NotThere,
            _ => {
                let expected = "an operator is In, NotIn, Exists or DoesNotExist".to_owned();
                return Err(Why::BadSetting { name: "filters.selector", expected }.into());
            }
        };
        if !holds(world, id, text("key"), &wanted)? {
            return Ok(false);
        }
    }
    Ok(true)
}
