//! Comparisons of one value: `yamlCompare`, `jsonCompare`, `clusterResource`.
//!
//! Source: `replicatedhq/troubleshoot:pkg/analyze/{yaml_compare,json_compare,kube_resource}.go`,
//! `pkg/interfaceutils/interfaceutils.go`.
//!
//! Invariant: a value that was masked equals nothing, and differs from nothing.

use super::text::{Searched, for_case, or_open, search};
use crate::ask::{Answer, Ask, first};
use crate::files::File;
use crate::known::{Known, Open, Why, shown};
use crate::message::filled;
use crate::model::Outcome as Word;
use crate::quantity::quantity;
use crate::when::{Operator, bad, number, words};
use crate::world::Found;
use facts::node::{Node, Value};
use facts::object::ObjectId;
use facts::path::{Path, Step};
use std::borrow::Cow;

pub(crate) fn yaml(ask: &Ask<'_>) -> Vec<Answer> {
    of_file(ask, &|file| file.yaml(ask.world.nesting), &|text| read_yaml(text, ask.world.nesting))
}

pub(crate) fn json(ask: &Ask<'_>) -> Vec<Answer> {
    let read = |text: &str| {
        serde_json::from_str::<serde::de::IgnoredAny>(text).ok()?;
        parse::json::to_node(text, 1, ask.world.nesting).ok()
    };
    of_file(ask, &|file| file.json(ask.world.nesting), &read)
}

fn read_yaml(text: &str, nesting: u32) -> Option<Node> {
    if text.trim().is_empty() {
        return Some(Node::new(1, Value::Null));
    }
    let document =
        parse::yaml::chunks(text).into_iter().flat_map(|chunk| parse::yaml::read_chunk(&chunk, nesting)).next()?;
    document.damage.is_none().then_some(document.node).flatten()
}

fn of_file(
    ask: &Ask<'_>,
    read: &dyn Fn(&File) -> Known<facts::object::Tree>,
    expected: &dyn Fn(&str) -> Option<Node>,
) -> Vec<Answer> {
    let file = match ask.file() {
        Ok(file) => file,
        Err(open) => return ask.open(open),
    };
    let at = vec![file.cite()];
    let compared = || -> Known<Answer> {
        let tree = read(file)?;
        let text = ask.analyzer.text("value");
        let bad_value = || Why::BadSetting { name: "value", expected: format!("`{}` cannot be read", shown(&text)) };
        let expected = expected(&text).ok_or_else(bad_value)?;
        let (path, json_path) = (ask.analyzer.text("path"), ask.analyzer.text("jsonPath"));
        let found = if !path.is_empty() {
            Cow::Borrowed(at_path(&tree, &path).ok_or_else(|| no_path(&path))?)
        } else if !json_path.is_empty() {
            by_json_path(&tree, &json_path)?
        } else {
            Cow::Borrowed(&*tree)
        };
        let at = vec![file.cite_node(&found)];
        let equal = same(&found, &expected, !json_path.is_empty() || ask.analyzer.of == "jsonCompare")
            .ok_or_else(|| Open { why: Why::Masked(format!("the value in {}", file.shown())), at: at.clone() })?;
        let answer = for_case(ask.title, &ask.analyzer.outcomes, equal, at)?;
        let message = filled(&answer.message, &|path| tree.at(path)?.value.scalar().map(|text| shown(&text)));
        Ok(answer.with_message(message))
    };
    vec![or_open(ask.title, compared(), &at)]
}

fn no_path(path: &str) -> Why {
    Why::BadSetting { name: "path", expected: format!("nothing stands at `{}`", shown(path)) }
}

/// `a.b.[0].c`: fields and places, as Troubleshoot writes paths.
fn at_path<'n>(node: &'n Node, path: &str) -> Option<&'n Node> {
    path.split('.').try_fold(node, |node, key| match index(key) {
        Some(at) => node.items().get(at),
        None => node.get(key),
    })
}

fn index(key: &str) -> Option<usize> {
    key.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// What a JSONPath of fields, places and `[*]` finds; one result stands for itself, several are a list.
fn by_json_path<'n>(root: &'n Node, path: &str) -> Known<Cow<'n, Node>> {
    let failed = || {
        let expected =
            format!("Casefile reads fields, `[0]` and `[*]` of a JSONPath, and not all of `{}`", shown(path));
        Open::of(Why::BadSetting { name: "jsonPath", expected })
    };
    let inside = path.trim();
    let inside = inside.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(inside).trim();
    let mut rest = inside.strip_prefix('$').unwrap_or(inside);
    let mut found = vec![root];
    while !rest.is_empty() {
        if let Some(behind) = rest.strip_prefix('[') {
            let (step, more) = behind.split_once(']').ok_or_else(failed)?;
            let step = step.trim();
            found = match step.trim_matches(['\'', '"']) {
                "*" => found.into_iter().flat_map(children).collect(),
                key if key != step => found.into_iter().filter_map(|node| node.get(key)).collect(),
                _ => {
                    let at: usize = step.parse().map_err(|_| failed())?;
                    found.into_iter().filter_map(|node| node.items().get(at)).collect()
                }
            };
            rest = more;
            continue;
        }
        let behind = rest.strip_prefix('.').unwrap_or(rest);
        let end = behind.find(['.', '[']).unwrap_or(behind.len());
        let (key, more) = behind.split_at(end);
        if key.is_empty() || key.contains(['(', ')', '?', '@', '{', '}', ' ']) {
            return Err(failed());
        }
        found = match key {
            "*" => found.into_iter().flat_map(children).collect(),
            key => found.into_iter().filter_map(|node| node.get(key)).collect(),
        };
        rest = more;
    }
    Ok(match found.as_slice() {
        [one] => Cow::Borrowed(*one),
        all => Cow::Owned(Node::new(root.line, Value::List(all.iter().map(|node| (*node).clone()).collect()))),
    })
}

fn children(node: &Node) -> Vec<&Node> {
    match &node.value {
        Value::List(items) => items.iter().collect(),
        Value::Map(entries) => entries.iter().map(|(_, value)| value).collect(),
        _ => Vec::new(),
    }
}

/// Do two values say the same? `None` where something that was masked decides. The order of a list counts, unless
/// `sorted`.
fn same(a: &Node, b: &Node, sorted: bool) -> Option<bool> {
    match (&a.value, &b.value) {
        (Value::Redacted(_), _) | (_, Value::Redacted(_)) => None,
        (Value::Map(x), Value::Map(y)) => {
            if x.len() != y.len() || x.iter().any(|(key, _)| b.get(key).is_none()) {
                return Some(false);
            }
            all(x.iter().map(|(key, node)| b.get(key).map_or(Some(false), |other| same(node, other, sorted))))
        }
        (Value::List(x), Value::List(y)) if x.len() != y.len() => Some(false),
        (Value::List(x), Value::List(y)) => {
            let in_order = all(x.iter().zip(y).map(|(a, b)| same(a, b, sorted)));
            if in_order != Some(false) || !sorted {
                return in_order;
            }
            // Each has its own one on the other side.
            let mut left: Vec<&Node> = y.iter().collect();
            for one in x {
                let at = left.iter().position(|other| same(one, other, sorted) == Some(true));
                let Some(at) = at else { return Some(false) };
                left.swap_remove(at);
            }
            Some(true)
        }
        (x, y) => Some(match (x.number(), y.number()) {
            (Some(x), Some(y)) => x.to_bits() == y.to_bits() || (x - y).abs() < f64::EPSILON,
            _ => x == y,
        }),
    }
}

fn all(mut each: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    each.try_fold(Some(true), |so_far, one| match one {
        Some(false) => Err(()),
        None => Ok(None),
        Some(true) => Ok(so_far),
    })
    .unwrap_or(Some(false))
}

pub(crate) fn resource(ask: &Ask<'_>) -> Vec<Answer> {
    let setting = |key: &str| ask.analyzer.text(key);
    let word = setting("kind");
    let Some(kind) = ask.world.catalogue.typed(&word.to_ascii_lowercase()) else {
        let expected = format!("`{}` is no kind that Casefile knows; write it like `deployments.apps`", shown(&word));
        return ask.open(Why::BadSetting { name: "kind", expected });
    };
    let is_clustered = ask.analyzer.is_set("clusterScoped");
    let namespace = match setting("namespace") {
        _ if is_clustered => String::new(),
        name if name.is_empty() => "default".to_owned(),
        name => name,
    };
    let name = setting("name");
    match ask.world.object(&kind, &namespace, &name) {
        Err(open) => ask.open(open),
        Ok(Found::Absent(at)) => {
            let place = if is_clustered { String::new() } else { format!(" in namespace {}", shown(&namespace)) };
            let message = format!("{} {}{place} does not exist", shown(&word), shown(&name));
            vec![Answer::own(ask.title, Word::Fail, message, at)]
        }
        Ok(Found::There(id)) => {
            let at = ask.world.cite(id);
            let answers = judged(ask, id).unwrap_or_else(|mut open| {
                if open.at.is_empty() {
                    open.at = at;
                }
                vec![Answer::open(ask.title, open)]
            });
            answers.into_iter().map(|answer| answer.about(ask.world, id)).collect()
        }
    }
}

/// What a field of an object is compared with: a value, a regex, or the conditions of the outcomes.
fn judged(ask: &Ask<'_>, id: ObjectId) -> Known<Vec<Answer>> {
    let text = ask.analyzer.text("yamlPath");
    let steps = text.split('.').map(|key| match index(key) {
        Some(at) => Step::Index(at),
        None => Step::Key(key.to_owned()),
    });
    let (node, at) = ask.world.got(id, &Path(steps.collect()))?;
    let expected = ask.analyzer.text("expectedValue");
    if !expected.is_empty() {
        let bad_value = || Why::BadSetting { name: "expectedValue", expected: "it is no YAML".to_owned() };
        let wanted = read_yaml(&expected, ask.world.nesting).ok_or_else(bad_value)?;
        let masked = || Open { why: Why::Masked(format!("`{}`", shown(&text))), at: vec![at.clone()] };
        let equal = node.map_or(Some(false), |node| same(&typed(node), &wanted, false)).ok_or_else(masked)?;
        return Ok(vec![for_case(ask.title, &ask.analyzer.outcomes, equal, vec![at])?]);
    }
    let Some(node) = node else {
        return Ok(vec![Answer::own(ask.title, Word::Fail, "YAML path provided is invalid", vec![at])]);
    };
    if !ask.analyzer.text("regex").is_empty() || !ask.analyzer.text("regexGroups").is_empty() {
        let value = format!("{}\n", node.value.scalar().unwrap_or_else(|| node.to_string()));
        let cite = |_| at.clone();
        return search(ask, &Searched { text: &value, is_whole: true, name: shown(&text), cite: &cite });
    }
    let chosen = first(&ask.analyzer.outcomes, |when| compared(when, node));
    Ok(vec![Answer::found(ask.title, chosen, vec![at])])
}

/// A value of a form without types, as YAML would read it.
fn typed(node: &Node) -> Cow<'_, Node> {
    match &node.value {
        Value::Text(text) => read_yaml(text, 8).map_or(Cow::Borrowed(node), Cow::Owned),
        _ => Cow::Borrowed(node),
    }
}

/// `>= 3`, `>= 10Gi`: a number or a quantity.
fn compared(when: &str, node: &Node) -> Known<bool> {
    const EXPECTED: &str = "a comparison with a number or a quantity, such as `>= 10Gi`";
    if let Some(own) = node.value.integer().and_then(|own| i64::try_from(own).ok()) {
        return number(when, own);
    }
    let parts = words(when);
    let [operator, wanted] = parts.as_slice() else { return Err(bad(when, EXPECTED)) };
    let own = node.value.scalar().and_then(|text| quantity(&text));
    let read = Operator::parse(operator).zip(quantity(wanted)).zip(own);
    let ((operator, wanted), own) = read.ok_or_else(|| bad(when, EXPECTED))?;
    Ok(operator.holds(own.cmp(&wanted)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(text: &str) -> Node {
        read_yaml(text, 20).unwrap()
    }

    #[test]
    fn values_are_the_same_whatever_their_order_in_a_map() {
        let says = |a: &str, b: &str, sorted| same(&node(a), &node(b), sorted);
        assert_eq!(says("{a: 1, b: [x]}", "{b: [x], a: 1}", false), Some(true));
        assert_eq!(says("[1, 2]", "[2, 1]", false), Some(false));
        assert_eq!(says("[1, 2]", "[2, 1]", true), Some(true));
        assert_eq!(says("[1, 1, 2]", "[1, 2, 2]", true), Some(false));
        assert_eq!(says("1", "1.0", false), Some(true));
        assert_eq!(says("'1'", "1", false), Some(false));
    }

    #[test]
    fn a_json_path_finds_fields_places_and_all() {
        let root = node("foo: {bar: baz}\nitems: [{n: 1}, {n: 2}]\n");
        let found = |path: &str| by_json_path(&root, path).map(|node| node.to_string()).ok();
        assert_eq!(found("$.foo.bar").as_deref(), Some("baz"));
        assert_eq!(found("{.items[1].n}").as_deref(), Some("2"));
        assert_eq!(found("{.items[*].n}"), by_json_path(&node("x: [1, 2]"), "x").map(|node| node.to_string()).ok());
        assert_eq!(found("{.items[?(@.n==1)].n}"), None);
    }
}
