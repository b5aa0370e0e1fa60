//! The columns of a kind that its CustomResourceDefinition in the bundle states.
//!
//! Source: `kubernetes/apiextensions-apiserver:pkg/apis/apiextensions/v1/types.go@v0.34`,
//! `CustomResourceColumnDefinition`; a column with a priority above 0 is printed with `-o wide` only.

use crate::{Column, Maker};
use catalogue::printers::PrinterColumn;
use facts::kind::KindName;
use facts::node::Node;
use facts::object::ContextId;
use facts::path::{Path, Step};
use facts::store::Facts;
use std::borrow::Cow;

/// The columns that the definition of a kind has, of the version that is stored; `None` if no such definition is there.
pub(crate) fn columns(facts: &Facts, context: Option<ContextId>, kind: &KindName) -> Option<Vec<Column>> {
    let definitions = KindName::parse("customresourcedefinitions.apiextensions.k8s.io");
    let contexts = facts.context_ids().filter(|own| context.is_none_or(|context| context == *own));
    let id = contexts.filter_map(|context| facts.named(context, &definitions, None, &kind.to_string())).next()?;
    let node = &facts.object(id).sightings.first()?.record.node;
    let versions = node.at(&["spec", "versions"]).map(Node::items).unwrap_or_default();
    let stored =
        |version: &&Node| version.get("storage").and_then(|node| node.value.scalar()).as_deref() == Some("true");
    let version = versions.iter().find(stored).or(versions.first())?;
    let rows = version.get("additionalPrinterColumns").map(Node::items).unwrap_or_default();
    Some(rows.iter().filter_map(column).collect())
}

fn column(row: &Node) -> Option<Column> {
    let text = |key: &str| row.get(key).and_then(|node| node.value.scalar());
    let (header, path) = (text("name")?.to_uppercase(), path(&text("jsonPath")?)?);
    let wide = text("priority").is_some_and(|priority| priority != "0");
    let number = text("type").as_deref() == Some("integer");
    let is_age = path == "metadata.creationTimestamp";
    let (path, by) = if is_age { (None, Some("age".to_owned())) } else { (Some(path), None) };
    // Where the object has no value, the API server prints nothing.
    let maker = PrinterColumn { header, path, by, wide, none: Some(String::new()), ..PrinterColumn::default() };
    let number = number && !is_age;
    Some(Column { header: maker.header.clone(), wide, number, maker: Maker::Row(Cow::Owned(maker)) })
}

/// A JSONPath of a column as a path of ours; `None` for what that language has beyond fields, keys, places and one
/// filter by a field.
fn path(json: &str) -> Option<String> {
    let mut steps = Vec::new();
    let mut rest = json.trim().trim_start_matches(['{', '$']).trim_end_matches('}');
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('[') {
            let end = inside.find(']')?;
            steps.push(bracket(&inside[..end])?);
            rest = &inside[end + 1..];
            continue;
        }
        rest = rest.strip_prefix('.').unwrap_or(rest);
        let mut name = String::new();
        let mut letters = rest.char_indices().peekable();
        let mut end = rest.len();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\\' => name.extend(letters.next().map(|(_, next)| next)),
                '.' | '[' => {
                    end = at;
                    break;
                }
                letter => name.push(letter),
            }
        }
        if name.is_empty() {
            return None;
        }
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
        steps.push(if is_plain { Step::Field(name) } else { Step::Key(name) });
        rest = &rest[end..];
    }
    (!steps.is_empty()).then(|| Path(steps).to_string())
}

fn bracket(inside: &str) -> Option<Step> {
    let bare = |text: &str| text.trim().trim_matches(['\'', '"']).to_owned();
    if inside == "*" {
        return Some(Step::All);
    }
    if let Ok(index) = inside.parse() {
        return Some(Step::Index(index));
    }
    if let Some(filter) = inside.strip_prefix("?(").and_then(|text| text.strip_suffix(')')) {
        let (field, value) = filter.split_once("==")?;
        let field = field.trim().strip_prefix("@.")?.trim().to_owned();
        return Some(Step::Pick { field, value: bare(value) });
    }
    inside.starts_with(['\'', '"']).then(|| Step::Key(bare(inside)))
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn paths_of_definitions_are_read() {
        let shown = |json: &str| path(json).unwrap_or_else(|| "none".to_owned());
        assert_eq!(shown(".status.phase"), "status.phase");
        assert_eq!(shown("{.spec.replicas}"), "spec.replicas");
        assert_eq!(shown(".status.conditions[?(@.type=='Ready')].status"), "status.conditions[type=Ready].status");
        assert_eq!(shown(r#".status.conditions[?(@.type=="Ready")].reason"#), "status.conditions[type=Ready].reason");
        assert_eq!(shown(".spec.hosts[*].name"), "spec.hosts[*].name");
        assert_eq!(shown(".spec.hosts[0]"), "spec.hosts[0]");
        assert_eq!(shown(r".metadata.labels.cluster\.x-k8s\.io/name"), r#"metadata.labels["cluster.x-k8s.io/name"]"#);
        assert_eq!(shown("."), "none");
        assert_eq!(shown(".a[?(@.b>1)]"), "none");
    }
}
