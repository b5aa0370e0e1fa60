//! Kubernetes objects and lists from JSON and YAML.
//!
//! All list forms are read: `kind: List`, typed lists whose items inherit kind and apiVersion, lists without
//! a kind, bare arrays, concatenated documents, JSON Lines, several YAML documents.
//!
//! Invariants: secret values are masked before a record exists; a list that broke off is partial; an empty
//! list without its command proves nothing and says so.

use crate::answer;
use crate::failure;
use crate::json;
use crate::json::{Lines, Shape};
use crate::known::Known;
use crate::pairs;
use crate::secrets;
use crate::text_end;
use crate::yaml;
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{Form, ObjectRecord, Shown};
use facts::order::Order;
use facts::origin::{Citation, MemberId};
use facts::record::{Parsed, Record};
use facts::shortfall::{WhyFailed, WhyPartial};
use facts::unread::{Reporter, WhyUnread};
use facts::weight;
use intake::Limits;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;

/// An object of Kubernetes without its indentation: its kind is known, and its name stands beside it.
fn is_flat(node: &Node) -> Option<WhyUnread> {
    let text = |key: &str| node.get(key).and_then(Node::as_str).filter(|text| !text.is_empty());
    let kind = text("kind").filter(|_| text("apiVersion").is_some() && text("name").is_some())?;
    let open = node.get("metadata").is_some_and(|metadata| matches!(metadata.value, Value::Null));
    open.then(|| WhyUnread::Flat(kind.to_owned().into()))
}

/// Reads JSON: documents, lists, concatenations. What follows the last document is in `unread`.
pub fn read_json(member: MemberId, _name: &str, text: &[u8], limits: &Limits) -> Parsed {
    read_json_known(member, &Known::default(), text, limits, Vec::new())
}

/// The same where the kind of objects that name none is known, and the items of the first lists were taken out of the
/// text before.
pub(crate) fn read_json_known(
    member: MemberId,
    known: &Known,
    text: &[u8],
    limits: &Limits,
    taken: Vec<Items>,
) -> Parsed {
    let text = decode(text);
    let mut taken = taken.into_iter();
    let mut out = Out::new(member, known, Form::Json, "json");
    let mut lines = Lines::new(&text);
    let mut at = 0;
    while let Some(document) = json::next_document(&text, at) {
        let start_line = lines.at(document.start);
        let mut cut = None;
        if let Some((offset, reason)) = &document.damage {
            let line = lines.at(*offset);
            out.unread(line, WhyUnread::JsonBreaksOff(reason.clone().into()));
            cut = Some(WhyPartial::BreaksOff(line, reason.clone().into()));
        } else {
            let rest = text[document.end..].trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '\0');
            let is_remark = || rest.lines().all(|line| line.trim().is_empty() || answer::is_remark(line));
            if !rest.is_empty() && !rest.starts_with(['{', '[']) && !is_remark() {
                let line = lines.at(text.len() - rest.len());
                let first = rest.lines().next().unwrap_or_default();
                let first = secrets::mask_text(first).0.chars().take(200).collect::<String>();
                let first = failure::quoted(first);
                cut = Some(WhyPartial::TextBehind(line, first.clone()));
                out.unread(line, WhyUnread::AfterJson(first));
            }
        }
        let base = text.as_ptr() as usize;
        let mut node = |raw: &str| json::to_node(raw, lines.at(raw.as_ptr() as usize - base), limits.nesting);
        match document.shape {
            Shape::Single => {
                if document.damage.is_none() {
                    match node(&text[document.start..document.end]) {
                        Ok(node) => out.document(node, cut),
                        Err((line, reason)) => out.unread(line, WhyUnread::Malformed(reason.into())),
                    }
                }
            }
            Shape::List { header, items } => {
                let mut head = Node::map(start_line);
                for (key, raw) in header {
                    if let Ok(child) = node(raw) {
                        head.set(&key, child);
                    }
                }
                let mut list = List::new(&head, start_line, "items", cut);
                if let Some(taken) = taken.next() {
                    out.put_back(&mut list, taken);
                }
                for (index, raw) in (list.items..).zip(items) {
                    let seen = match node(raw) {
                        Ok(item) => out.item(&list, index, item),
                        Err((line, reason)) => Err((line, WhyUnread::Malformed(reason.into()))),
                    };
                    out.add(&mut list, seen);
                }
                out.end_list(list);
            }
            Shape::Array(items) => {
                let mut list = List::new(&Node::map(start_line), start_line, "", cut);
                for (index, raw) in items.into_iter().enumerate() {
                    let seen = match node(raw) {
                        Ok(item) => out.item(&list, index, item),
                        Err((line, reason)) => Err((line, WhyUnread::Malformed(reason.into()))),
                    };
                    out.add(&mut list, seen);
                }
                out.end_list(list);
            }
        }
        at = document.end;
        if document.damage.is_some() || is_over(&out.parsed, limits) {
            break;
        }
    }
    if at == 0 && !text.trim().is_empty() {
        out.unread(1, WhyUnread::NoJson);
    }
    out.parsed
}

/// Reads YAML: every document of the text.
pub fn read_yaml(member: MemberId, _name: &str, text: &[u8], limits: &Limits) -> Parsed {
    read_yaml_known(member, &Known::default(), text, limits)
}

/// The same where the kind of objects that name none is known.
pub(crate) fn read_yaml_known(member: MemberId, known: &Known, text: &[u8], limits: &Limits) -> Parsed {
    read_yaml_interrupted(member, known, text, limits, None)
}

/// The same for a text that ends where an error cut it, at this line: its last object is not whole, though what
/// is left of it may read like one.
pub(crate) fn read_yaml_interrupted(
    member: MemberId,
    known: &Known,
    text: &[u8],
    limits: &Limits,
    interrupted: Option<u32>,
) -> Parsed {
    let text = decode(text);
    let mut out = Out::new(member, known, Form::Yaml, "yaml");
    let chunks = yaml::chunks(&text);
    for (at, chunk) in (1..).zip(&chunks) {
        let interrupted = interrupted.filter(|_| at == chunks.len());
        let documents = yaml::read_chunk(chunk, limits.nesting);
        let last = documents.len();
        for (nth, document) in (1..).zip(documents) {
            let ends = nth == last && at == chunks.len() && !known.followed;
            out.end = ends.then(|| text_end::read(&text, chunk)).flatten();
            let cut = document.damage.map(|(line, reason)| {
                let cut = WhyPartial::BreaksOff(line, reason.clone().into());
                out.unread(line, WhyUnread::YamlBreaksOff(reason.into()));
                cut
            });
            match document.node {
                Some(node) if cut.is_none() => out.yaml(node, interrupted),
                Some(node) => out.document(node, cut),
                None => {}
            }
        }
        if is_over(&out.parsed, limits) {
            break;
        }
    }
    out.parsed
}

/// Are there more objects in a text than can fit into the memory of a run, however small they are? Then reading ended
/// behind them.
pub(crate) fn is_over(parsed: &Parsed, limits: &Limits) -> bool {
    parsed.records.len() as u64 > limits.memory_of_facts() / weight::SHOWN
}

/// Bytes as text: without byte order mark and trailing NULs (some collectors leave one), with the
/// replacement character for what is not UTF-8.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let end = bytes.iter().rposition(|b| *b != 0).map_or(0, |i| i + 1);
    pairs::readable(&bytes[..end])
}

/// The trees of all documents in a text that is YAML or JSON, as far as they are sound; lines count from
/// `first_line`.
pub fn trees(text: &str, first_line: u32, nesting: u32) -> Vec<Node> {
    yaml::read_events(text, first_line, nesting).into_iter().filter_map(|document| document.node).collect()
}

fn is_encryption_configuration(node: &Node) -> bool {
    let says = |key: &str| node.get(key).and_then(Node::as_str).unwrap_or_default();
    says("kind") == "EncryptionConfiguration"
        && says("apiVersion").starts_with("apiserver.config.k8s.io/")
        && node.at(&["metadata", "name"]).is_none()
}

/// Did an API server write it? Each of its objects has an identity, a time and a version; an Event may be printed
/// without them.
fn is_written(node: &Node, kind: Option<&KindName>, list: Option<&List>, known: &Known) -> bool {
    let is_set = |node: &Node| !node.value.is_empty();
    let marks = ["uid", "creationTimestamp", "resourceVersion"];
    list.is_some_and(|list| list.is_answer)
        || known.command.as_ref().is_some_and(|command| command.verb == "get")
        || marks.iter().any(|mark| node.at(&["metadata", mark]).is_some_and(is_set))
        || node.get("status").is_some_and(is_set)
        || kind.is_none_or(|kind| kind.plural == "events")
}

/// How the objects of a long list are read.
#[derive(Clone, Copy)]
pub struct Trim<'a> {
    /// What is done with each as soon as it is read.
    pub cut: &'a (dyn Fn(&mut ObjectRecord) + Sync),
    /// On how many threads they are read side by side.
    pub threads: NonZero<usize>,
}

/// Items of a list that were read before the list itself was seen whole.
#[derive(Debug)]
pub(crate) struct Items {
    known: Known,
    list: List,
    parsed: Parsed,
    member: MemberId,
    /// The list says of which kind its items are, or says that it does not.
    has_kind: bool,
}

impl Items {
    /// Items behind the beginning of a list, which is given as if it ended there.
    pub(crate) fn new(member: MemberId, known: &Known, limits: &Limits, head: &str, line: u32) -> Self {
        let head = json::to_node(head, line, limits.nesting).unwrap_or_else(|_| Node::map(line));
        let has_kind = head.get("kind").is_some();
        let list = List::new(&head, line, "items", None);
        Self { known: known.clone(), list, parsed: Parsed::default(), member, has_kind }
    }

    /// How many there are so far.
    pub(crate) fn count(&self) -> usize {
        self.list.items
    }

    /// Reads the one with this index; `None` if only the end of the list tells what it is. It belongs to the list once it
    /// was [added](Self::add).
    pub(crate) fn item(
        &self,
        index: usize,
        text: &[u8],
        line: u32,
        limits: &Limits,
        trim: Option<Trim<'_>>,
    ) -> Option<Item> {
        let node = json::to_node(&pairs::readable(text), line, limits.nesting);
        // What is masked depends on the kind.
        if let Ok(node) = &node
            && !self.has_kind
            && node.get("kind").is_none()
        {
            return None;
        }
        let mut out = Out::new(self.member, &self.known, Form::Json, "json");
        let seen = match node {
            Ok(node) => out.item(&self.list, index, node),
            Err((line, reason)) => Err((line, WhyUnread::Malformed(reason.into()))),
        };
        let mut item = Item { seen, parsed: out.parsed, weight: 0 };
        for record in &mut item.parsed.records {
            if let (Record::Object(object), Some(trim)) = (&mut *record, trim) {
                (trim.cut)(object);
            }
            item.weight += weight::record(record);
        }
        Some(item)
    }

    /// Puts the next one behind the others, and says how many bytes of memory it takes.
    pub(crate) fn add(&mut self, item: Item) -> u64 {
        let Item { seen, parsed, weight } = item;
        self.parsed.unread.extend(self.list.add(seen));
        self.parsed.records.extend(parsed.records);
        self.parsed.redactions += parsed.redactions;
        weight
    }
}

/// What an item of a list is, by kind and namespace; or where it stands and why it is lost.
type Seen = Result<(Option<KindName>, Option<String>), (u32, WhyUnread)>;

/// An item that was read.
#[derive(Debug)]
pub(crate) struct Item {
    seen: Seen,
    parsed: Parsed,
    weight: u64,
}

/// A list while its items pass.
#[derive(Debug)]
struct List {
    line: u32,
    /// `items`, or nothing for a bare array.
    field: &'static str,
    api_version: Option<String>,
    item_kind: Option<String>,
    cut: Option<WhyPartial>,
    items: usize,
    /// Its resourceVersion: the state of the cluster that it shows.
    version: Option<u64>,
    /// It has what only an API server or kubectl writes.
    is_answer: bool,
    /// Namespaces by kind.
    seen: BTreeMap<KindName, BTreeSet<String>>,
}

impl List {
    fn new(head: &Node, line: u32, field: &'static str, cut: Option<WhyPartial>) -> Self {
        let kind = head.get("kind").and_then(Node::as_str).unwrap_or_default();
        let item_kind = kind.strip_suffix("List").filter(|k| !k.is_empty()).map(str::to_owned);
        let text = |node: &Node| node.value.scalar().filter(|t| !t.is_empty());
        let paged = head.at(&["metadata", "continue"]).and_then(text).map(|_| WhyPartial::MorePages);
        let remaining = head.at(&["metadata", "remainingItemCount"]).and_then(text).filter(|n| n != "0");
        let remaining = remaining.map(|number| WhyPartial::Remaining(number.into()));
        let api_version = match &item_kind {
            Some(_) => head.get("apiVersion").and_then(Node::as_str).map(str::to_owned),
            None => None,
        };
        let version = head.at(&["metadata", "resourceVersion"]).and_then(text).and_then(|version| version.parse().ok());
        let cut = cut.or(remaining).or(paged);
        let is_answer = item_kind.is_some() || head.at(&["metadata", "resourceVersion"]).is_some();
        Self { line, field, api_version, item_kind, cut, items: 0, version, is_answer, seen: BTreeMap::new() }
    }

    /// Counts an item; what is said where it is lost.
    fn add(&mut self, seen: Seen) -> Option<(u32, WhyUnread)> {
        self.items += 1;
        match seen {
            Ok((kind, namespace)) => {
                if let Some(kind) = kind {
                    self.seen.entry(kind).or_default().extend(namespace);
                }
                None
            }
            Err(lost) => {
                self.cut.get_or_insert(WhyPartial::ItemLost(lost.0));
                Some(lost)
            }
        }
    }

    /// When it was so. kubectl leaves the version of a list that it put together itself empty.
    fn order(&self) -> Order {
        Order { list_version: self.version, ..Order::default() }
    }
}

struct Out<'k> {
    member: MemberId,
    known: &'k Known,
    form: Form,
    parsed: Parsed,
    /// The text ends with the document that is read, and how.
    end: Option<text_end::TextEnd>,
}

impl<'k> Out<'k> {
    fn new(member: MemberId, known: &'k Known, form: Form, format: &'static str) -> Self {
        Self { member, known, form, parsed: Parsed { format, ..Parsed::default() }, end: None }
    }

    fn unread(&mut self, line: u32, why: WhyUnread) {
        self.parsed.unread.push((line, why));
    }

    /// A document of YAML that reads like a whole one. It is not where an error cut it, or where a list lacks
    /// what kubectl prints behind its items; then its last object is not kept.
    fn yaml(&mut self, mut node: Node, interrupted: Option<u32>) {
        let why = interrupted.map(WhyPartial::ErrorAt);
        let has = |key: &str| node.get(key).is_some();
        let items_last = match node.entries().last() {
            Some((key, items)) => &**key == "items" && matches!(items.value, Value::List(_)),
            None => matches!(node.value, Value::List(_)),
        };
        let cut = match why {
            Some(why) if items_last => why,
            // The list was whole, and the error came behind it.
            Some(_) if matches!(node.get("items").map(|n| &n.value), Some(Value::List(_))) => {
                return self.document(node, None);
            }
            Some(_) => return self.unread(node.line, WhyUnread::CutObject),
            None if items_last && has("apiVersion") && !has("kind") => WhyPartial::NoEnd,
            None if items_last && self.end.as_ref().is_some_and(|end| !end.closes("items")) => {
                return self.document(node, Some(WhyPartial::EndsWithItems));
            }
            None => return self.document(node, None),
        };
        let items = match &mut node.value {
            Value::List(items) => Some(items),
            Value::Map(entries) => entries.last_mut().and_then(|(_, items)| match &mut items.value {
                Value::List(items) => Some(items),
                _ => None,
            }),
            _ => None,
        };
        if let Some(last) = items.and_then(Vec::pop) {
            self.unread(last.line, WhyUnread::CutObject);
        }
        self.document(node, Some(cut));
    }

    /// A whole document: an object, a list, or neither.
    fn document(&mut self, mut node: Node, cut: Option<WhyPartial>) {
        let line = node.line;
        if matches!(node.value, Value::List(_)) {
            let mut list = List::new(&Node::map(line), line, "", cut);
            if let Value::List(items) = std::mem::replace(&mut node.value, Value::Null) {
                self.items(&mut list, items, true);
            }
            self.end_list(list);
            return;
        }
        let is_list = match node.get("items").map(|n| &n.value) {
            Some(Value::List(_)) => true,
            Some(Value::Null) => node.at(&["metadata", "name"]).is_none(),
            _ => false,
        };
        if is_list {
            let mut list = List::new(&node, line, "items", cut);
            let open = node.entries().last().is_some_and(|(key, _)| &**key == "items");
            if let Value::Map(entries) = &mut node.value
                && let Some((_, items)) = entries.iter_mut().find(|(key, _)| &**key == "items")
                && let Value::List(items) = std::mem::replace(&mut items.value, Value::Null)
            {
                self.items(&mut list, items, open);
            }
            self.end_list(list);
            return;
        }
        if self.status(&node) {
            return;
        }
        if matches!(node.value, Value::Null) {
            return;
        }
        // A configuration file of the API server is an object without a name, of which a cluster has one.
        if is_encryption_configuration(&node) {
            node.set_at(&["metadata", "name"], Node::str(line, "encryption-configuration"));
        }
        let flat = is_flat(&node);
        if self.object(node, String::new(), None).is_none() {
            self.unread(line, flat.unwrap_or(WhyUnread::NotKubernetes));
        }
    }

    /// The items of a list. `open`: nothing of the list stands behind them.
    fn items(&mut self, list: &mut List, items: Vec<Node>, open: bool) {
        let end = self.end.take().filter(|_| open);
        let last = items.len().saturating_sub(1);
        for (index, item) in items.into_iter().enumerate() {
            self.end = end.clone().filter(|_| index == last);
            let seen = self.item(list, index, item);
            self.add(list, seen);
        }
    }

    /// The items that were taken out of a list, now that all of it is known.
    fn put_back(&mut self, list: &mut List, taken: Items) {
        list.items += taken.list.items;
        for (kind, namespaces) in taken.list.seen {
            list.seen.entry(kind).or_default().extend(namespaces);
        }
        list.cut = list.cut.take().or(taken.list.cut);
        let order = list.order();
        let is_answer = list.is_answer && !taken.list.is_answer;
        let mut records = taken.parsed.records;
        for record in &mut records {
            if let Record::Object(object) = record {
                object.order = order;
                // Items of an API server's answer are no manifests. Of those that were cut nobody knows any more by how much.
                if is_answer && object.shown.is_manifest() {
                    object.shown = Shown::Kept;
                }
            }
        }
        // Mostly there is one list, and its hundreds of thousands of items need not be moved.
        match self.parsed.records.is_empty() {
            true => self.parsed.records = records,
            false => self.parsed.records.append(&mut records),
        }
        self.parsed.unread.extend(taken.parsed.unread);
        self.parsed.redactions += taken.parsed.redactions;
    }

    /// An item of a list.
    fn item(&mut self, list: &List, index: usize, item: Node) -> Seen {
        let line = item.line;
        let path = format!("{}[{index}]", list.field);
        self.object(item, path, Some(list)).ok_or((line, WhyUnread::ItemNotKubernetes(index)))
    }

    /// Adds an item to its list.
    fn add(&mut self, list: &mut List, seen: Seen) {
        self.parsed.unread.extend(list.add(seen));
    }

    fn end_list(&mut self, list: List) {
        if list.items == 0 {
            if list.cut.is_none() {
                self.unread(list.line, WhyUnread::EmptyList);
            }
            return;
        }
        let order = list.order();
        for (kind, namespaces) in list.seen {
            let state = list.cut.clone().map_or(State::Complete, State::Partial);
            let items = if list.items == 1 { "1 item".to_owned() } else { format!("{} items", list.items) };
            let excerpt = match &list.item_kind {
                Some(kind) => format!("{kind}List with {items}"),
                None => format!("list with {items}"),
            };
            let citation = Citation::line(self.member, list.line, &excerpt).with_path(list.field);
            self.parsed.records.push(Record::from(Answer {
                kind,
                namespaces: Namespaces::Some(namespaces.into_iter().collect()),
                names: None,
                selector: None,
                state,
                basis: Basis::Listed,
                order,
                citation,
            }));
        }
    }

    /// Makes the record of an object; `None` if it is none. Returns its kind and namespace.
    fn object(
        &mut self,
        mut node: Node,
        path: String,
        list: Option<&List>,
    ) -> Option<(Option<KindName>, Option<String>)> {
        let text = |node: &Node, keys: &[&str]| {
            keys.iter()
                .try_fold(node, |n, key| n.get(key))
                .and_then(Node::as_str)
                .filter(|t| !t.is_empty())
                .map(str::to_owned)
        };
        let name = text(&node, &["metadata", "name"])?;
        let end = self.end.take();
        let mut api_version = text(&node, &["apiVersion"]);
        let mut kind_word = text(&node, &["kind"]);
        if let Some(list) = list
            && kind_word.is_none()
        {
            kind_word.clone_from(&list.item_kind);
            if api_version.is_none() {
                api_version.clone_from(&list.api_version);
            }
        }
        let kind = match kind_word {
            Some(kind) => Some(KindName::guess(api_version.as_deref().unwrap_or_default(), &kind)),
            None => self.known.kind.clone(),
        };
        let written = is_written(&node, kind.as_ref(), list, self.known);
        let shown = match end {
            Some(end) => Shown::Until(Box::new(end.until(&mut node, written))),
            None => Shown::Everything,
        };
        let shown = if written { shown } else { Shown::Manifest(Box::new(shown)) };
        let (node, masked) = secrets::tree(kind.as_ref(), node);
        self.parsed.redactions += masked;
        let mut namespace = text(&node, &["metadata", "namespace"]);
        if kind == self.known.kind && kind.is_some() {
            namespace = namespace.or_else(|| self.known.namespace.clone());
        }
        self.parsed.records.push(Record::Object(Box::new(ObjectRecord {
            kind: kind.clone(),
            api_version,
            namespace: namespace.clone(),
            name,
            uid: text(&node, &["metadata", "uid"]),
            form: self.form,
            shown,
            member: self.member,
            line: node.line,
            path,
            order: list.map(List::order).unwrap_or_default(),
            node,
        })));
        Some((kind, namespace))
    }

    /// An error of the API server as an object (`kind: Status`); false if it is none.
    fn status(&mut self, node: &Node) -> bool {
        let text = |keys: &[&str]| node.at(keys).and_then(Node::as_str).unwrap_or_default().to_owned();
        if text(&["kind"]) != "Status" || text(&["status"]) != "Failure" {
            return false;
        }
        let message = secrets::mask_text(&text(&["message"])).0.into_owned();
        let plural = text(&["details", "kind"]);
        let name = text(&["details", "name"]);
        if plural.is_empty() {
            self.unread(node.line, WhyUnread::Failed(Reporter::Server, failure::quoted(message)));
            return true;
        }
        let state = match &*text(&["reason"]) {
            "NotFound" if !name.is_empty() => State::NotFound(name.clone().into()),
            "Forbidden" => State::Forbidden(message.clone().into()),
            _ => State::Error(WhyFailed::Said(failure::quoted(message.clone()))),
        };
        self.parsed.records.push(Record::from(Answer {
            kind: KindName { plural: plural.to_ascii_lowercase(), group: text(&["details", "group"]) },
            namespaces: Namespaces::Some(Vec::new()),
            names: (!name.is_empty()).then(|| vec![name]),
            selector: None,
            state,
            basis: Basis::Stated,
            order: Order::default(),
            citation: Citation::line(self.member, node.line, &message),
        }));
        true
    }
}

#[cfg(test)]
mod tests;
