//! From a table of kubectl to objects: which kind it lists, which column shows which path, and what the
//! table proves about what it does not list.
//!
//! Invariants: a table whose kind is not known for sure yields nothing and is said to be unread; a cell
//! becomes a value only where the catalogue (or a `custom-columns` command) says that it is one.

use crate::as_of::ages::AgeCell;
use crate::pod_row;
use catalogue::homes;
use catalogue::kinds::{Catalogue, Kind, KindScope};
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::human_duration;
use facts::kind::{KindName, plural_of};
use facts::node::{Node, SmolStr, Value};
use facts::object::{Form, ObjectRecord};
use facts::order::Order;
use facts::origin::Citation;
use facts::partial::{Partial, fields};
use facts::path::{Path, Step};
use facts::record::{Command, Row, Table};
use facts::secrets::Counts;
use facts::shortfall::WhyPartial;
use facts::unread::WhyUnread;
use parse::answer::kind_hint;
use parse::secrets;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// What a table yields.
#[derive(Debug, Default)]
pub struct TableFacts {
    /// One record for each row.
    pub records: Vec<ObjectRecord>,
    /// What it says about the completeness of each kind in it.
    pub answers: Vec<Answer>,
    /// Parts that were not used, with their line.
    pub unread: Vec<(u32, WhyUnread)>,
    /// The rows as citations show them, by line, with their secrets masked.
    pub rows: Vec<(u32, String)>,
    /// How many secret values were masked in the records.
    pub redactions: Counts,
    /// The cells of the column AGE, which tell when the table was printed.
    pub ages: Vec<AgeCell>,
}

/// A row as printed, without what could be a secret: what a citation of one of its cells shows.
///
/// Of a kind that holds secrets only the columns that kubectl or its CRD prints are shown; a column that
/// somebody chose by hand (`-o custom-columns`) may print the secret itself.
fn shown(table: &Table, row: &Row, kind: &KindName, catalogue: &Catalogue) -> String {
    let columns = catalogue.columns(kind);
    let holds = matches!(kind.plural.as_str(), "secrets" | "clustercredentials");
    let mut text = row.text.trim_end().to_owned();
    for (header, cell) in table.headers.iter().zip(&row.cells) {
        let plain = matches!(header.as_str(), "NAME" | "NAMESPACE" | "AGE" | "TYPE" | "LABELS" | "CREATED")
            || header == "DATA" && cell.bytes().all(|b| b.is_ascii_digit())
            || columns.iter().any(|c| c.header == *header);
        let cell = cell.trim();
        let hide = secrets::is_secret_name(header) || holds && !plain;
        if hide && !matches!(cell, "" | "<none>") {
            text = text.replace(cell, "[redacted]");
        }
    }
    secrets::mask_text(&text).0.into_owned()
}

/// Reads a table. `member_name` may tell the kind where no command does.
pub fn read(table: &Table, member_name: &str, catalogue: &Catalogue) -> TableFacts {
    let mut out = TableFacts::default();
    let command = table.command.as_ref();
    if let Some(command) = command
        && command.verb != "get"
    {
        out.unread.push((table.line, WhyUnread::TableOf(command.verb.clone().into())));
        return out;
    }
    let Some(columns) = Columns::of(table) else {
        out.unread.push((table.line, WhyUnread::NoNames));
        return out;
    };
    let whole = kind_of_table(table, member_name, catalogue);
    let columns = Columns { told: columns.told_by_names(table, whole.as_ref()), ..columns };
    let mut kinds: BTreeSet<KindName> = BTreeSet::new();
    for row in &table.rows {
        let kind = columns.prefix(row).and_then(|typed| kind_of_prefix(typed, catalogue)).or_else(|| whole.clone());
        // What belongs to no kind is cited by nobody, so its text, which may be anything, is not kept.
        let Some(kind) = kind else { continue };
        out.rows.push((row.line, shown(table, row, &kind, catalogue)));
        let record = columns.record(table, row, &kind, catalogue);
        kinds.insert(kind.clone());
        match record {
            Some((record, masked)) => {
                out.redactions += masked;
                out.ages.extend(columns.age_of(table, row, &record, &kind));
                out.records.push(record);
            }
            None => out.unread.push((row.line, WhyUnread::NoName)),
        }
    }
    if kinds.is_empty() {
        let headers = table.headers.join(" ");
        out.unread.push((table.line, WhyUnread::TableOfUnknownKind(headers.into())));
    }
    for kind in kinds {
        let all_namespaces = columns.namespace.is_some();
        let named = table.rows.iter().any(|row| columns.prefix(row).is_some());
        out.answers.push(answer(table, kind, command, (all_namespaces, named), catalogue));
    }
    out
}

/// The kind of all rows, if the command, the file's name or the headers tell it.
fn kind_of_table(table: &Table, member_name: &str, catalogue: &Catalogue) -> Option<KindName> {
    let among = |kinds: &[&Kind]| catalogue.by_headers(&table.headers, Some(kinds)).map(|k| k.name.clone());
    if let Some(command) = &table.command {
        let [typed] = command.kinds.as_slice() else { return None };
        return catalogue.typed(typed).or_else(|| among(&catalogue.meanings(typed)));
    }
    if let Some(hint) = kind_hint(member_name) {
        // A name with its group leaves nothing to guess; its columns may be those that somebody chose.
        if hint.kind.contains('.')
            && let Some(kind) = catalogue.typed(&hint.kind)
        {
            return Some(kind);
        }
        // A short name may be that of another kind as well, and the headers are those of one alone.
        let meant = among(&catalogue.meanings(&hint.kind));
        if meant.is_some() {
            return meant;
        }
    }
    catalogue.by_headers(&table.headers, None).map(|k| k.name.clone())
}

/// The kind that kubectl prints before a name: in the singular, with its group. A kind that nobody knows has the plural that
/// its CRD would have, so that its rows and its objects are one.
fn kind_of_prefix(typed: &str, catalogue: &Catalogue) -> Option<KindName> {
    match typed.split_once('.') {
        Some((singular, group)) if catalogue.meanings(typed).is_empty() => {
            Some(KindName::parse(&format!("{}.{group}", plural_of(singular))))
        }
        _ => catalogue.typed(typed),
    }
}

fn chose_columns(command: &Command) -> bool {
    command.output.as_deref().is_some_and(|output| output.contains("columns"))
}

/// What the table proves about its kind. `all`: it has a column of namespaces; `named`: its kinds stand before its
/// names.
fn answer(
    table: &Table,
    kind: KindName,
    command: Option<&Command>,
    (all, named): (bool, bool),
    catalogue: &Catalogue,
) -> Answer {
    let cluster_scoped = catalogue.cluster_scoped(&kind) == Some(true);
    let (namespaces, basis) = match command {
        // What it lists may have gone through `head` or `grep`: a column says what was asked, not what is left.
        None if all => (Namespaces::All, Basis::Rows),
        Some(command) if all && !chose_columns(command) && command.namespace.is_none() => {
            (Namespaces::All, Basis::Stated)
        }
        Some(command) if command.all_namespaces || cluster_scoped => (Namespaces::All, Basis::Stated),
        Some(Command { namespace: Some(namespace), .. }) => (Namespaces::Some(vec![namespace.clone()]), Basis::Stated),
        // The current namespace of whoever ran it.
        Some(_) => (Namespaces::Some(Vec::new()), Basis::Named),
        None if cluster_scoped => (Namespaces::All, Basis::Rows),
        None => (Namespaces::Some(Vec::new()), Basis::Named),
    };
    let names = command.filter(|c| !c.names.is_empty()).map(|c| c.names.clone());
    let known = catalogue.kind(&kind);
    let is_chosen = || command.is_none() && !named && known.is_some_and(|kind| kind.chosen(&table.headers));
    let chosen = || is_chosen().then_some(WhyPartial::ChosenColumns);
    let cut = table.cut.clone().or_else(chosen);
    Answer {
        kind,
        namespaces,
        basis: if names.is_some() { Basis::Named } else { basis },
        names,
        selector: command.and_then(|c| c.selector.clone()),
        state: cut.map_or(State::Complete, State::Partial),
        order: Order::default(),
        citation: Citation::line(table.member, table.line, &table.headers.join("   ")),
    }
}

/// The columns of one table.
struct Columns {
    name: Option<usize>,
    namespace: Option<usize>,
    labels: Option<usize>,
    object: Option<usize>,
    /// The age of the object; `None` where somebody chose the columns, or where there are two of that name.
    age: Option<usize>,
    /// Paths of a `custom-columns` command, by place.
    custom: Option<Vec<Option<Path>>>,
    /// The namespace that the names of all rows tell, where nothing else does.
    told: Option<&'static str>,
}

impl Columns {
    fn of(table: &Table) -> Option<Self> {
        let at = |header: &str| table.headers.iter().position(|h| h == header);
        let spec = table.command.as_ref().and_then(|c| c.output.as_deref()?.strip_prefix("custom-columns="));
        let custom =
            spec.map(|spec| spec.split(',').map(|column| custom_path(column.split_once(':')?.1)).collect::<Vec<_>>());
        let custom = custom.filter(|paths| paths.len() == table.headers.len());
        let path_at = |text: &str| {
            let wanted = Path::parse(text).ok();
            custom.as_ref().and_then(|paths| paths.iter().position(|p| p.is_some() && *p == wanted))
        };
        // Behind the name of an object of a namespace that was asked for it is a column of the kind, of something else:
        // where a HelmReleaseProxy installs its chart.
        let asked = table.command.as_ref().is_some_and(|command| command.namespace.is_some());
        let of_another = |column: &usize| asked && at("NAME").is_some_and(|name| name < *column);
        let columns = Self {
            name: path_at("metadata.name").or_else(|| at("NAME")),
            namespace: path_at("metadata.namespace").or_else(|| at("NAMESPACE").filter(|column| !of_another(column))),
            labels: if custom.is_some() { None } else { at("LABELS") },
            object: at("OBJECT").filter(|_| at("REASON").is_some()),
            age: at("AGE").filter(|_| custom.is_none() && table.headers.iter().filter(|h| *h == "AGE").count() == 1),
            custom,
            told: None,
        };
        (columns.name.is_some() || columns.object.is_some()).then_some(columns)
    }

    /// The namespace of a table of Pods that neither shows nor was asked for one.
    fn told_by_names(&self, table: &Table, kind: Option<&KindName>) -> Option<&'static str> {
        let is_pods = kind.is_some_and(|kind| kind.plural == "pods" && kind.group.is_empty());
        let asked = table.command.as_ref().is_some_and(|command| command.all_namespaces || command.namespace.is_some());
        let at = self.name.filter(|_| is_pods && !asked && self.namespace.is_none())?;
        homes::of_pods(table.rows.iter().filter_map(|row| row.cells.get(at)).map(|cell| cell.trim()))
    }

    /// How old the object of a row was when the table was printed.
    fn age_of(&self, table: &Table, row: &Row, record: &ObjectRecord, kind: &KindName) -> Option<AgeCell> {
        let text = row.cells.get(self.age?)?.trim();
        Some(AgeCell {
            kind: kind.clone(),
            namespace: record.namespace.clone(),
            name: record.name.clone(),
            table: (table.member, table.line),
            line: row.line,
            text: text.to_owned(),
            age: human_duration::parse(text)?,
        })
    }

    /// The kind that stands before a name: `pod/web-1`.
    fn prefix<'a>(&self, row: &'a Row) -> Option<&'a str> {
        row.cells.get(self.name?)?.split_once('/').map(|(kind, _)| kind)
    }

    fn record(
        &self,
        table: &Table,
        row: &Row,
        kind: &KindName,
        catalogue: &Catalogue,
    ) -> Option<(ObjectRecord, Counts)> {
        let known = catalogue.kind(kind);
        let cell = |index: usize| row.cells.get(index).map(|c| c.trim()).filter(|c| !c.is_empty());
        let line = row.line;
        let mut out = Partial::new(line);
        self.show_columns(table, row, kind, catalogue, &mut out);
        if let Some(cell) = self.object.and_then(cell)
            && let Some((typed, name)) = cell.split_once('/')
        {
            if let [one] = catalogue.meanings(typed).as_slice() {
                show(&mut out, &fields(&["involvedObject", "kind"]), Some(&one.kind), line);
            }
            show(&mut out, &fields(&["involvedObject", "name"]), Some(name), line);
        }
        if let Some(labels) = self.labels.and_then(|i| row.cells.get(i)) {
            let pairs = labels.split(',').filter_map(|pair| pair.trim().split_once('='));
            let entries: Vec<(SmolStr, Node)> = pairs.map(|(k, v)| (k.into(), Node::str(line, v))).collect();
            let value = (!entries.is_empty()).then(|| Node::new(line, Value::Map(entries)));
            out.show(&fields(&["metadata", "labels"]), value);
        }
        let namespace = self.namespace.and_then(cell).filter(|c| *c != "<none>").map(str::to_owned);
        let stated = table.command.as_ref().filter(|c| !c.all_namespaces).and_then(|c| c.namespace.clone());
        let told = || self.told.map(str::to_owned);
        let namespace =
            namespace.or(stated).or_else(told).filter(|_| known.is_none_or(|k| k.scope == KindScope::Namespaced));
        let name = match self.name.and_then(cell) {
            Some(cell) => {
                let cell = cell.strip_suffix(" (default)").unwrap_or(cell);
                cell.rsplit_once('/').map_or(cell, |(_, name)| name).to_owned()
            }
            None => self.event_name(table, row, namespace.as_deref())?,
        };
        if self.name.is_some() {
            show(&mut out, &fields(&["metadata", "name"]), Some(&name), line);
        }
        if let Some(namespace) = &namespace {
            show(&mut out, &fields(&["metadata", "namespace"]), Some(namespace), line);
        }
        let (node, shown) = out.finish();
        let (node, masked) = secrets::tree(Some(kind), node);
        let record = ObjectRecord {
            kind: Some(kind.clone()),
            api_version: known.and_then(|kind| kind.api_version(&table.headers)),
            namespace,
            name,
            uid: None,
            form: Form::Table,
            shown,
            node,
            member: table.member,
            line,
            path: String::new(),
            order: Order::default(),
        };
        Some((record, masked))
    }

    /// What the columns show: those of the catalogue, or those that a command chose.
    fn show_columns(&self, table: &Table, row: &Row, kind: &KindName, catalogue: &Catalogue, out: &mut Partial) {
        let cell = |index: usize| row.cells.get(index).map(|c| c.trim()).filter(|c| !c.is_empty());
        let line = row.line;
        if let Some(custom) = &self.custom {
            for (index, path) in custom.iter().enumerate() {
                if let Some(path) = path {
                    show(out, path, cell(index).filter(|c| *c != "<none>"), line);
                }
            }
        } else {
            let columns = catalogue.columns(kind);
            for (index, header) in table.headers.iter().enumerate() {
                let nth = table.headers[..index].iter().filter(|h| *h == header).count() + 1;
                for column in columns {
                    let beside = || {
                        let with = column.with.as_ref()?;
                        cell(table.headers.iter().position(|other| other == with)?)
                    };
                    if column.is_at(header, nth, &table.headers)
                        && (column.needs.is_empty()
                            || beside().is_some_and(|cell| column.needs.iter().any(|n| n == cell)))
                        && let Some(value) = column.read(row.cells.get(index).map_or("", |c| c.trim()))
                    {
                        match value {
                            Some(value) if !column.values.is_empty() && value.contains('|') => {
                                one_of(out, &column.path, value, line);
                            }
                            _ => show(out, &column.path, value, line),
                        }
                    }
                }
            }
            if kind.plural == "pods" && kind.group.is_empty() {
                let of = |header: &str| table.headers.iter().position(|h| h == header).and_then(cell);
                let cells = pod_row::Cells { ready: of("READY"), status: of("STATUS"), restarts: of("RESTARTS") };
                pod_row::read(cells, line, out);
            }
            let of = |header: &str| table.headers.iter().position(|h| h == header).and_then(cell);
            let balanced = balanced(kind, of);
            if !balanced.is_empty() {
                let item = |address: &&str| {
                    let key = if address.parse::<std::net::IpAddr>().is_ok() { "ip" } else { "hostname" };
                    let mut item = Node::map(line);
                    item.set(key, Node::str(line, *address));
                    item
                };
                let items = Node::new(line, Value::List(balanced.iter().map(item).collect()));
                out.put(&fields(&["status", "loadBalancer", "ingress"]), items);
            }
        }
    }

    /// Tables of events print no names, so an event is known by what it says: rows that say the same of
    /// the same object are one event.
    fn event_name(&self, table: &Table, row: &Row, namespace: Option<&str>) -> Option<String> {
        let object = row.cells.get(self.object?)?;
        let mut hash = Sha256::new();
        for (header, cell) in table.headers.iter().zip(&row.cells) {
            if matches!(header.as_str(), "TYPE" | "REASON" | "OBJECT" | "MESSAGE") {
                hash.update(cell.as_bytes());
                hash.update([0]);
            }
        }
        hash.update(namespace.unwrap_or("").as_bytes());
        let hash = hash.finalize();
        let name = object.split_once('/').map_or(object.as_str(), |(_, name)| name);
        Some(format!("{name}#{:02x}{:02x}{:02x}{:02x}", hash[0], hash[1], hash[2], hash[3]))
    }
}

/// Notes that a path is shown, and its value if the cell has one.
fn show(out: &mut Partial, path: &Path, value: Option<&str>, line: u32) {
    let value = value.map(|value| match go_time(value) {
        Some(time) => Node::text(line, time),
        None => Node::text(line, value),
    });
    out.show(path, value);
}

/// A time as Go prints one by itself, `2026-05-14 02:00:00 +0000 UTC`, as the API server writes it.
fn go_time(cell: &str) -> Option<String> {
    let words: Vec<&str> = cell.split(' ').collect();
    let [date, time, offset, _zone] = words.as_slice() else { return None };
    if date.len() != "2026-05-14".len() || !offset.starts_with(['+', '-']) {
        return None;
    }
    let read = jiff::fmt::strtime::parse("%Y-%m-%d %H:%M:%S %z", format!("{date} {time} {offset}")).ok()?;
    Some(read.to_timestamp().ok()?.to_string())
}

/// The addresses that a load balancer gave, by the cells of a row.
fn balanced<'c>(kind: &KindName, of: impl Fn(&str) -> Option<&'c str>) -> Vec<&'c str> {
    match (kind.plural.as_str(), kind.group.as_str()) {
        // Of several addresses of a Service each may be one that somebody gave it by hand.
        ("services", "") => of("EXTERNAL-IP")
            .filter(|cell| of("TYPE") == Some("LoadBalancer") && !cell.starts_with('<') && !cell.contains(','))
            .into_iter()
            .collect(),
        // kubectl cuts a long list of addresses (`printers.go`, `ingressLoadBalancerStatusStringer`).
        ("ingresses", "networking.k8s.io") => of("ADDRESS")
            .filter(|cell| !cell.starts_with('<'))
            .into_iter()
            .flat_map(|cell| cell.trim_end_matches("...").split(','))
            .map(str::trim)
            .filter(|address| !address.is_empty())
            .collect(),
        _ => Vec::new(),
    }
}

/// A cell that stands for one of several values (`NotReady` is `False` or `Unknown`): as many items of the list,
/// which has one of them.
fn one_of(out: &mut Partial, path: &Path, values: &str, line: u32) {
    if let Some(at) = path.0.iter().position(Step::selects)
        && let (list, [Step::Pick { field, value: picked }, Step::Field(name)]) = path.0.split_at(at)
    {
        let item = |value: &str| {
            let mut item = Node::map(line);
            item.set(field, Node::text(line, picked.as_str()));
            item.set(name, Node::text(line, value));
            item
        };
        let items = values.split('|').map(item).collect();
        out.show(path, None);
        out.put(&Path(list.to_vec()), Node::new(line, Value::List(items)));
    }
}

/// The path of a `custom-columns` command, if it leads to one value: `.metadata.labels.a\.b/c`.
fn custom_path(text: &str) -> Option<Path> {
    let text = text.trim().trim_start_matches('{').trim_end_matches('}').trim_start_matches('.');
    let mut steps = Vec::new();
    let mut name = String::new();
    let mut escaped = false;
    for c in text.chars() {
        match c {
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            '.' if !escaped => steps.push(std::mem::take(&mut name)),
            '[' | ']' | '*' | '?' | '@' | '(' => return None,
            _ => name.push(c),
        }
        escaped = false;
    }
    steps.push(name);
    let named = |name: String| {
        (!name.is_empty()).then_some(if name.contains(['.', '/']) { Step::Key(name) } else { Step::Field(name) })
    };
    steps.into_iter().map(named).collect::<Option<Vec<_>>>().map(Path)
}

#[cfg(test)]
mod tests;
