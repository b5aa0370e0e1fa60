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
        let columns = Self {
            name: path_at("metadata.name").or_else(|| at("NAME")),
            namespace: path_at("metadata.namespace").or_else(|| at("NAMESPACE")),
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
            if kind.plural == "services" && kind.group.is_empty() {
                let of = |header: &str| table.headers.iter().position(|h| h == header).and_then(cell);
                let balanced = of("EXTERNAL-IP").filter(|_| of("TYPE") == Some("LoadBalancer"));
                // Of several addresses each may be one that somebody gave it by hand.
                if let Some(address) = balanced.filter(|cell| !cell.starts_with('<') && !cell.contains(',')) {
                    let key = if address.parse::<std::net::IpAddr>().is_ok() { "ip" } else { "hostname" };
                    let mut item = Node::map(line);
                    item.set(key, Node::str(line, address));
                    let items = Node::new(line, Value::List(vec![item]));
                    out.put(&fields(&["status", "loadBalancer", "ingress"]), items);
                }
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
mod tests {
    use super::*;
    use facts::object::Shown;
    use facts::origin::MemberId;
    use facts::record::Record;

    fn tables(name: &str, text: &str, command: Option<&str>) -> Vec<TableFacts> {
        let command = command.map(|c| parse::command::parse(c).unwrap());
        let asked = parse::answer::Asked { member: MemberId(0), name, command: command.as_ref() };
        let catalogue = Catalogue::built_in();
        parse::table::read(&asked, text, 1)
            .records
            .iter()
            .filter_map(|r| match r {
                Record::Table(table) => Some(read(table, name, &catalogue)),
                _ => None,
            })
            .collect()
    }

    fn print(facts: &TableFacts) -> String {
        let mut out = String::new();
        for r in &facts.records {
            let kind = r.kind.as_ref().unwrap();
            out += &format!("{kind} {}/{} {{{}}}\n", r.namespace.as_deref().unwrap_or("-"), r.name, r.node);
        }
        for a in &facts.answers {
            out += &format!("answer {} {:?} {:?} {:?} {}\n", a.kind, a.namespaces, a.names, a.basis, a.state.word());
        }
        for (line, why) in &facts.unread {
            out += &format!("unread {line}: {why}\n");
        }
        out
    }

    const MACHINES: &str = "\
NAMESPACE   NAME   CLUSTER   NODE NAME   READY   AVAILABLE   UP-TO-DATE   PHASE     AGE   VERSION
prod        m-1    c1                    False   False       True         Running   3d    v1.34.2
";

    #[test]
    fn coverage_2_a_namespace_column_says_what_was_asked_and_not_what_is_left() {
        let facts = tables("get-machines.txt", MACHINES, None);
        insta::assert_snapshot!(print(&facts[0]), @r"
        machines.cluster.x-k8s.io prod/m-1 {spec: clusterName: c1, version: v1.34.2, status: conditions: type: Ready, status: False, type: Available, status: False, type: UpToDate, status: True, phase: Running, kubectlAge: 3d, metadata: name: m-1, namespace: prod}
        answer machines.cluster.x-k8s.io All None Rows complete
        ");
        let Shown::Paths(shown) = &facts[0].records[0].shown else { panic!() };
        assert!(shown.contains(&Path::parse("status.nodeRef.name").unwrap()), "an empty cell is shown");
    }

    #[test]
    fn coverage_2_a_table_without_command_lists_a_cluster_scoped_kind_and_names_a_namespaced_one() {
        let facts = tables("get-clusters.platform.tkestack.io.txt", "NAME     AGE\nglobal   3m\n", None);
        insta::assert_snapshot!(print(&facts[0]), @r"
        clusters.platform.tkestack.io -/global {metadata: name: global}
        answer clusters.platform.tkestack.io All None Rows complete
        ");
        let facts = tables("get-secrets.txt", "NAME   TYPE     DATA   AGE\nca     Opaque   2      3m\n", None);
        insta::assert_snapshot!(print(&facts[0]), @r"
        secrets -/ca {type: Opaque, status: kubectlAge: 3m, metadata: name: ca}
        answer secrets Some([]) None Named complete
        ");
    }

    #[test]
    fn coverage_1_a_command_states_its_namespace_names_and_selector() {
        let text = "NAME   TYPE     DATA   AGE\nca     Opaque   2      3m\n";
        let facts = tables("x.txt", text, Some("kubectl get secret -n prod -l a=b"));
        assert!(print(&facts[0]).contains("answer secrets Some([\"prod\"]) None Stated complete"));
        assert_eq!(facts[0].answers[0].selector.as_deref(), Some("a=b"));
        assert_eq!(facts[0].records[0].namespace.as_deref(), Some("prod"));
        let facts = tables("x.txt", text, Some("kubectl get secret ca -n prod"));
        assert_eq!(facts[0].answers[0].basis, Basis::Named);
    }

    #[test]
    fn coverage_5_columns_that_somebody_chose_are_partial_without_their_command() {
        let state = |name: &str, text: &str, command: Option<&str>| {
            let facts = tables(name, text, command);
            format!("{} {}", facts[0].answers[0].basis.word(), facts[0].answers[0].state.word())
        };
        let pods = "NAMESPACE   NAME   NODE\nshop        web    n1\n";
        assert_eq!(state("pods.txt", pods, None), "listed partial");
        let command = "kubectl get pods -A -o custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,NODE:.spec.nodeName";
        assert_eq!(state("x.txt", pods, Some(command)), "stated complete");
        assert_eq!(state("x.txt", pods, Some(&command.replace(" -A", " -n shop"))), "stated complete");
        assert_eq!(
            tables("x.txt", pods, Some(&command.replace(" -A", "")))[0].answers[0].namespaces,
            Namespaces::Some(Vec::new())
        );
        let nodes = "NAME   VERSION\nn1     v1.31.0\n";
        assert_eq!(state("nodes.txt", nodes, None), "listed partial");
        let machines = "NAMESPACE   NAME   OWNER   AGE\nprod        m-1    x       3d\n";
        assert_eq!(state("machines.cluster.x-k8s.io.txt", machines, None), "listed partial");
        assert_eq!(state("machines.txt", MACHINES, None), "listed complete");
        assert_eq!(state("names.txt", "node/cp-1\nnode/cp-2\n", None), "listed complete");
    }

    #[test]
    fn names_with_a_kind_before_them_tell_their_kind() {
        let text = "NAME                         READY   UP-TO-DATE   AVAILABLE   AGE\ndeployment.apps/web          1/2     2            0           3m\n";
        let facts = tables("get-all.txt", text, None);
        insta::assert_snapshot!(print(&facts[0]), @r"
        deployments.apps -/web {status: readyReplicas: 1, updatedReplicas: 2, spec: replicas: 2, metadata: name: web}
        answer deployments.apps Some([]) None Named complete
        ");
    }

    #[test]
    fn columns_of_a_command_are_read_by_its_paths() {
        let command = "kubectl get clustercredentials.platform.tkestack.io -o 'custom-columns=NAME:.metadata.name,CLUSTER:.metadata.labels.cluster\\.x-k8s\\.io/cluster-name'";
        let facts = tables("x.txt", "NAME   CLUSTER\ncc-1   c1\ncc-2   <none>\n", Some(command));
        insta::assert_snapshot!(print(&facts[0]), @r"
        clustercredentials.platform.tkestack.io -/cc-1 {metadata: name: cc-1, labels: cluster.x-k8s.io/cluster-name: c1}
        clustercredentials.platform.tkestack.io -/cc-2 {metadata: name: cc-2}
        answer clustercredentials.platform.tkestack.io All None Stated complete
        ");
    }

    #[test]
    fn columns_that_somebody_chose_show_no_secret() {
        let command = "kubectl get secret -n prod -o 'custom-columns=NAME:.metadata.name,PW:.data.password'";
        let facts = tables("x.txt", "NAME   PW\nca     aHVudGVyMg==\n", Some(command));
        insta::assert_snapshot!(print(&facts[0]), @r#"
        secrets prod/ca {metadata: name: ca, namespace: prod}
        answer secrets Some(["prod"]) None Stated complete
        "#);
        assert_eq!(facts[0].rows[0].1, "ca     [redacted]");
        let command = "kubectl get nodes -o 'custom-columns=NAME:.metadata.name,PASSWORD:.spec.a,SIZE:.spec.b'";
        let facts = tables("x.txt", "NAME   PASSWORD   SIZE\nn-1    hunter2    3\n", Some(command));
        assert_eq!(facts[0].rows[0].1, "n-1    [redacted]    3");
        let facts = tables("notes.txt", "NAME   PASSWORD   SIZE\nca     hunter2    3\n", None);
        assert!(facts[0].rows.is_empty());
        let facts = tables("get-secrets.txt", "NAME   TYPE     DATA   AGE\nca     Opaque   2      3m\n", None);
        assert_eq!(facts[0].rows[0].1, "ca     Opaque   2      3m");
    }

    #[test]
    fn a_labels_column_becomes_a_map_with_empty_values() {
        let facts = tables(
            "get-nodes.txt",
            "NAME   STATUS   ROLES    AGE   VERSION   LABELS\nn1     Ready    <none>   3d    v1.31   a/b=,c=d\n",
            None,
        );
        let labels = facts[0].records[0].node.at(&["metadata", "labels"]).unwrap();
        assert_eq!(labels.to_string(), "a/b: , c: d");
        assert_eq!(facts[0].records[0].node.at(&["spec"]), None);
    }

    #[test]
    fn kinds_of_operators_keep_to_conventions() {
        let read = |command: &str, text: &str| print(&tables("x.txt", text, Some(command))[0]);
        insta::assert_snapshot!(
            read("kubectl get ks -A", "NAMESPACE   NAME   AGE   READY   STATUS\nflux        apps   3d    False   no artifact\n"),
            @r"
        kustomizations.kustomize.toolkit.fluxcd.io flux/apps {status: kubectlAge: 3d, conditions: type: Ready, status: False, message: no artifact, metadata: name: apps, namespace: flux}
        answer kustomizations.kustomize.toolkit.fluxcd.io All None Stated complete
        "
        );
        // A status stands beside a condition only if there is one: this is a number of instances.
        insta::assert_snapshot!(
            read("kubectl get widgets.example.net -A", "NAMESPACE   NAME   READY   STATUS    SYNCED   AGE\nshop        w-1    2       running   True     3d\n"),
            @r"
        widgets.example.net shop/w-1 {status: conditions: type: Synced, status: True, kubectlAge: 3d, metadata: name: w-1, namespace: shop}
        answer widgets.example.net All None Stated complete
        "
        );
        insta::assert_snapshot!(
            read("kubectl get bundles.trust.cert-manager.io", "NAME   CONFIGMAP TARGET   SECRET TARGET   SYNCED   REASON   AGE\nca     ca.crt                             True     Synced   3d\n"),
            @r"
        bundles.trust.cert-manager.io -/ca {status: conditions: type: Synced, status: True, kubectlAge: 3d, metadata: name: ca}
        answer bundles.trust.cert-manager.io All None Stated complete
        "
        );
    }

    #[test]
    fn one_word_for_the_kinds_of_several_operators_is_told_by_its_headers() {
        let kind = |command: &str, headers: &str| {
            let facts = tables("x.txt", &format!("{headers}\n{}\n", headers.to_lowercase()), Some(command));
            facts[0].records.first().map(|record| record.kind.as_ref().unwrap().to_string())
        };
        assert_eq!(
            kind("kubectl get bundles -A", "NAMESPACE   NAME   BUNDLEDEPLOYMENTS-READY   STATUS").as_deref(),
            Some("bundles.fleet.cattle.io")
        );
        assert_eq!(
            kind("kubectl get clusters -A", "NAMESPACE   NAME   AGE   INSTANCES   READY   STATUS   PRIMARY").as_deref(),
            Some("clusters.postgresql.cnpg.io")
        );
        assert_eq!(kind("kubectl get backups -A", "NAMESPACE   NAME   AGE"), None);
    }

    #[test]
    fn a_table_of_an_unknown_kind_is_said_to_be_unread() {
        let facts = tables("notes.txt", "NAME   AGE\nx      3m\n", None);
        assert!(facts[0].records.is_empty() && facts[0].answers.is_empty());
        assert!(facts[0].unread[0].1.to_string().contains("unknown kind (NAME AGE)"));
    }

    #[test]
    fn rows_of_events_are_named_after_what_they_say() {
        let text = "LAST SEEN   TYPE     REASON   OBJECT    MESSAGE\n3m          Normal   Pulled   pod/web   Pulled it\n1m          Normal   Pulled   pod/web   Pulled it\n";
        let facts = tables("get-events.txt", text, None);
        let names: BTreeSet<_> = facts[0].records.iter().map(|r| r.name.as_str()).collect();
        assert_eq!(names.len(), 1);
        assert!(print(&facts[0]).contains("involvedObject: kind: Pod, name: web"));
    }

    #[test]
    fn names_alone_prove_that_the_objects_are_there() {
        let facts = tables("names.txt", "pod/web-1\ndeployment.apps/web\n", None);
        insta::assert_snapshot!(print(&facts[0]), @r"
        pods -/web-1 {metadata: name: web-1}
        deployments.apps -/web {metadata: name: web}
        answer deployments.apps Some([]) None Named complete
        answer pods Some([]) None Named complete
        ");
        let facts = tables("names.txt", "node/cp-1\n", Some("kubectl get nodes -o name"));
        insta::assert_snapshot!(print(&facts[0]), @r"
        nodes -/cp-1 {metadata: name: cp-1}
        answer nodes All None Stated complete
        ");
        assert!(tables("names.txt", "etc/hosts\nvar/log\n", None).is_empty());
    }

    #[test]
    fn a_node_that_is_not_ready_may_be_unknown() {
        let text = "NAME   STATUS                        ROLES    AGE   VERSION\nn1     NotReady,SchedulingDisabled   <none>   3d    v1.31.0\n";
        let facts = tables("get-nodes.txt", text, None);
        assert_eq!(
            facts[0].records[0].node.to_string(),
            "status: kubectlStatus: NotReady,SchedulingDisabled, conditions: type: Ready, status: False, type: Ready, status: Unknown, kubectlAge: 3d, nodeInfo: kubeletVersion: v1.31.0, spec: unschedulable: true, metadata: name: n1"
        );
    }

    #[test]
    fn a_status_with_its_reason_is_two_fields() {
        let text = "NAME             SERVICE         AVAILABLE                      AGE\nv1.metrics       kube/metrics    False (FailedDiscoveryCheck)   3d\nv1.apps          Local           True                           3d\n";
        let facts = tables("get-apiservices.txt", text, None);
        let nodes: Vec<String> = facts[0].records.iter().map(|r| r.node.to_string()).collect();
        assert_eq!(
            nodes,
            [
                "spec: service: namespace: kube, name: metrics, status: conditions: type: Available, status: False, reason: FailedDiscoveryCheck, kubectlAge: 3d, metadata: name: v1.metrics",
                "status: conditions: type: Available, status: True, kubectlAge: 3d, metadata: name: v1.apps",
            ]
        );
    }
}
