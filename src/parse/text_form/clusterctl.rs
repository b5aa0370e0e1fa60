//! `clusterctl describe cluster`: a tree of the objects of Cluster API with their condition Ready or Available.
//!
//! Each row of one object becomes that object, partial: its kind, its name and its conditions, those of the rows below it
//! as well (`--show-conditions all`). A row that stands for several (`3 Machines...`) gives one object for each name that
//! it spells out.
//!
//! Source: `kubernetes-sigs/cluster-api:cmd/clusterctl/cmd/describe_cluster.go@v1.6` (columns READY, SEVERITY, REASON,
//! SINCE, MESSAGE) and `@v1.10` (REPLICAS, AVAILABLE, READY, UP TO DATE, STATUS, REASON, SINCE, MESSAGE).

use crate::answer::Asked;
use crate::secrets;
use crate::table::Column;
use crate::text_form::form::{Mark, NONE, TextForm};
use crate::text_form::records;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{Form, ObjectRecord, Shown};
use facts::order::Order;
use facts::record::{Parsed, Record};
use facts::secrets::Counts;
use facts::shown_paths::ShownPaths;
use facts::unread::WhyUnread;

pub(super) const FORM: TextForm =
    TextForm { name: "clusterctl", mark: Mark::Program(is_header), text: Some(try_parse), ..NONE };

/// Signs that draw the tree.
const TREE: &[char] = &['├', '│', '└', '─', ' '];

/// Those that no row without a parent has.
const TREE_LINES: [char; 3] = ['├', '│', '└'];

/// What a condition can be.
const STATES: [&str; 3] = ["True", "False", "Unknown"];

/// A header of the tree, and no table of kubectl.
pub(crate) fn is_header(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let old = ["NAME", "READY", "SEVERITY", "REASON", "SINCE", "MESSAGE"];
    words == old
        || words.first() == Some(&"NAME") && line.contains("UP TO DATE") && words.ends_with(&["SINCE", "MESSAGE"])
}

fn try_parse(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let mut lines = records::lines(text);
    let (_, header) = lines.next()?;
    let columns = is_header(header).then(|| columns(header))?;
    let mut parsed = Parsed { format: "clusterctl", ..Parsed::default() };
    let mut found: Vec<Found> = Vec::new();
    for (number, line) in lines {
        let row = Row { columns: &columns, line };
        let objects = row.objects();
        if let Some(more) = row.more_of_message() {
            let last = found.last_mut().and_then(|last| last.conditions.last_mut());
            if let Some((_, condition)) = last {
                let said = condition.get("message").and_then(Node::as_str).unwrap_or_default();
                // It is wrapped at 100 characters, between words; a point of a list is a line of its own.
                let is_point = more.trim_start().starts_with("* ");
                let whole = if is_point { format!("{said}\n{more}") } else { format!("{said} {}", more.trim_start()) };
                condition.set("message", Node::text(number, whole.trim_start()));
            }
            continue;
        }
        match row.condition_below(number) {
            _ if !objects.is_empty() => {}
            Some((name, condition)) => {
                // The row of the object shows one of them already.
                let last = found.last_mut().filter(|last| last.conditions.iter().all(|(known, _)| *known != name));
                last.into_iter().for_each(|last| last.conditions.push((name.clone(), condition.clone())));
            }
            None if !line.contains(TREE_LINES) => {
                parsed.unread.push((number, WhyUnread::no("row of `clusterctl describe`")));
            }
            None => {}
        }
        let with = |(kind, name)| {
            let conditions = row.condition(number, &kind).into_iter().collect();
            Found { kind, name, number, conditions }
        };
        found.extend(objects.into_iter().map(with));
    }
    for one in found {
        let (record, masked) = one.record(asked);
        parsed.redactions += masked;
        parsed.records.push(Record::Object(Box::new(record)));
    }
    (!parsed.records.is_empty()).then_some(parsed)
}

/// The columns of a header. One blank stands between those of newer versions, and inside a name as well.
fn columns(header: &str) -> Vec<Column> {
    const NAMES: [&str; 10] =
        ["NAME", "REPLICAS", "AVAILABLE", "READY", "UP TO DATE", "STATUS", "SEVERITY", "REASON", "SINCE", "MESSAGE"];
    let mut from = 0;
    let mut columns = Vec::new();
    for name in NAMES {
        if let Some(at) = header.get(from..).and_then(|rest| rest.find(name)).map(|at| from + at) {
            from = at + name.len();
            columns.push(Column { name: name.to_owned(), start: at });
        }
    }
    columns
}

/// An object of the tree.
struct Found {
    kind: KindName,
    name: String,
    number: u32,
    /// By their types.
    conditions: Vec<(String, Node)>,
}

struct Row<'a> {
    columns: &'a [Column],
    line: &'a str,
}

impl Row<'_> {
    fn cell(&self, header: &str) -> Option<&str> {
        let at = self.columns.iter().position(|column| column.name == header)?;
        let start = self.columns.get(at)?.start;
        let end = self.columns.get(at + 1).map_or(usize::MAX, |next| next.start);
        // Columns are counted in characters.
        let byte = |chars: usize| self.line.char_indices().nth(chars).map_or(self.line.len(), |(byte, _)| byte);
        let text = self.line.get(byte(start)..byte(end))?.trim();
        (!text.is_empty()).then_some(text)
    }

    /// The objects that the row speaks of: kind and name.
    fn objects(&self) -> Vec<(KindName, String)> {
        let Some(name) = self.cell("NAME") else { return Vec::new() };
        let name = name.trim_start_matches(TREE);
        if let Some((count, rest)) = name.split_once(' ')
            && let Some(kind) = rest.strip_suffix("...").filter(|_| count.bytes().all(|b| b.is_ascii_digit()))
        {
            let named = self.cell("MESSAGE").and_then(|text| text.strip_prefix("See ")).unwrap_or_default();
            let names = named.split(", ").filter(|name| !name.contains("...") && !name.is_empty());
            let one = kind.strip_suffix('s').unwrap_or(kind);
            return names.map(|name| (kind_of(one, None), name.to_owned())).collect();
        }
        // `ControlPlane - KubeadmControlPlane/x`: what it is for, and what it is.
        let (role, object) = name.split_once(" - ").map_or((None, name), |(role, object)| (Some(role), object));
        let plain = |text: &str| !text.is_empty() && !text.contains(' ');
        let found = object.split_once('/').filter(|(kind, name)| plain(kind) && plain(name));
        found.map(|(kind, name)| (kind_of(kind, role), name.to_owned())).into_iter().collect()
    }

    /// A row of the message of the condition above it alone: `│  * Following hooks are blocking ...`, or what did not fit into
    /// the row before. A point stands as far in as its list does, if the row stands in its columns.
    fn more_of_message(&self) -> Option<&str> {
        let text = self.line.trim_start_matches(TREE).trim_end();
        let before: usize = self.line.chars().take_while(|sign| TREE.contains(sign)).count();
        let behind_names = self.columns.get(1).is_some_and(|column| before >= column.start);
        let alone = || behind_names && !text.is_empty() && !text.contains("   ");
        let is_more = text.starts_with("* ") || alone();
        let message = self.columns.iter().find(|column| column.name == "MESSAGE").map_or(0, |column| column.start);
        let in_column = self.line.char_indices().nth(message).and_then(|(at, _)| self.line.get(at..));
        let in_column = in_column.map(str::trim_end).filter(|_| before >= message);
        is_more.then(|| in_column.unwrap_or(text))
    }

    /// Status, reason, age and message behind a name, where the row does not stand in the columns of its header: somebody made
    /// spaces more or less.
    fn out_of_columns(&self) -> Option<[Option<&str>; 4]> {
        let mut words = self.line.trim_start_matches(TREE).split("  ").map(str::trim).filter(|word| !word.is_empty());
        let status = words.by_ref().skip(1).find(|word| STATES.contains(word))?;
        let mut rest: Vec<&str> = words.collect();
        let since = rest.iter().position(|word| facts::human_duration::parse(word).is_some());
        let message = since.and_then(|at| rest.get(at + 1).copied());
        let age = since.and_then(|at| rest.get(at).copied());
        rest.truncate(since.unwrap_or(0));
        Some([Some(status), rest.first().copied(), age, message])
    }

    /// The condition that the row of an object shows.
    fn condition(&self, number: u32, kind: &KindName) -> Option<(String, Node)> {
        let old = self.columns.iter().any(|column| column.name == "SEVERITY");
        let is_available = ["clusters", "machinedeployments", "machinesets", "machinepools"]
            .contains(&kind.plural.as_str())
            || kind.plural.ends_with("controlplanes");
        match old {
            true => self.of_type(number, "Ready", self.cell("READY"), false),
            false => {
                let usual = if is_available { "Available" } else { "Ready" };
                match self.cell("STATUS").and_then(typed) {
                    Some((of, state)) => self.of_type(number, of, Some(state), false),
                    None => self.of_type(number, usual, self.cell("STATUS"), false),
                }
            }
        }
    }

    /// The condition that a row below its object shows, by its type.
    fn condition_below(&self, number: u32) -> Option<(String, Node)> {
        let name = self.cell("NAME")?.trim_start_matches(TREE);
        let is_type =
            name.starts_with(|c: char| c.is_ascii_uppercase()) && name.bytes().all(|b| b.is_ascii_alphanumeric());
        let status = self.cell("STATUS").or_else(|| self.cell("READY"));
        if is_type { self.of_type(number, name, status, true) } else { None }
    }

    fn of_type(&self, number: u32, of: &str, status: Option<&str>, is_below: bool) -> Option<(String, Node)> {
        let in_columns = status.filter(|text| STATES.contains(text));
        let [status, reason, since, message] = match in_columns {
            Some(_) => [in_columns, self.cell("REASON"), self.cell("SINCE"), self.cell("MESSAGE")],
            None if is_below => self.out_of_columns()?,
            None => return None,
        };
        let mut condition = Node::map(number);
        let texts = [
            ("status", status),
            ("severity", self.cell("SEVERITY").filter(|_| in_columns.is_some())),
            ("reason", reason),
            ("message", message),
            ("since", since),
        ];
        condition.set("type", Node::str(number, of));
        for (key, text) in texts {
            if let Some(text) = text {
                condition.set(key, Node::text(number, text));
            }
        }
        Some((of.to_owned(), condition))
    }
}

/// `Deleting: True`: which condition it is, and its status.
fn typed(status: &str) -> Option<(&str, &str)> {
    status.split_once(": ").filter(|(_, state)| STATES.contains(state))
}

impl Found {
    fn record(self, asked: &Asked<'_>) -> (ObjectRecord, Counts) {
        let Found { kind, name, number, conditions } = self;
        let mut node = Node::map(number);
        node.set_at(&["metadata", "name"], Node::str(number, name.as_str()));
        // That condition is set while the object has a time of deletion, and nobody printed which.
        let is_deleted = |(of, condition): &(String, Node)| {
            of == "Deleting" && condition.get("status").and_then(Node::as_str) == Some("True")
        };
        if conditions.iter().any(is_deleted) {
            node.set_at(&["metadata", "deletionTimestamp"], Node::new(number, Value::REDACTED));
        }
        if !conditions.is_empty() {
            let conditions = conditions.into_iter().map(|(_, condition)| condition).collect();
            node.set_at(&["status", "conditions"], Node::new(number, Value::List(conditions)));
        }
        let (node, masked) = secrets::tree(Some(&kind), node);
        let namespace = asked.command.and_then(|command| command.namespace.clone());
        let record = ObjectRecord {
            kind: Some(kind),
            api_version: None,
            namespace,
            name,
            uid: None,
            form: Form::Table,
            shown: Shown::Paths(ShownPaths::default()),
            node,
            member: asked.member,
            line: number,
            path: String::new(),
            order: Order::default(),
        };
        (record, masked)
    }
}

/// The group of a kind, by what it is for in its cluster.
fn kind_of(kind: &str, role: Option<&str>) -> KindName {
    let own = ["Cluster", "Machine", "MachineSet", "MachineDeployment", "MachinePool", "MachineHealthCheck"];
    let version = match role {
        _ if own.contains(&kind) => "cluster.x-k8s.io/v1beta1",
        _ if kind.ends_with("ControlPlane") => "controlplane.cluster.x-k8s.io/v1beta1",
        Some("BootstrapConfig") => "bootstrap.cluster.x-k8s.io/v1beta1",
        _ if kind.ends_with("Config") => "bootstrap.cluster.x-k8s.io/v1beta1",
        _ => "infrastructure.cluster.x-k8s.io/v1beta1",
    };
    KindName::guess(version, kind)
}

#[cfg(test)]
mod tests {
    use crate::text_form::testing::read;

    #[test]
    fn objects_of_the_tree() {
        let text = "NAME                                        READY  SEVERITY  REASON        SINCE  MESSAGE\n\
                    Cluster/shop                                False  Warning   ScalingUp     57s    Scaling up control plane to 3 replicas (actual 2)\n\
                    ├─ClusterInfrastructure - DockerCluster/in  True                           110s\n\
                    └─Workers\n\
                    \u{20} └─MachineDeployment/md-0                   False  Warning   WaitingFor    110s   Minimum availability\n\
                    \u{20}   └─3 Machines...                          False  Info      Bootstrapping 77s    See md-0-a, md-0-b, ...\n";
        insta::assert_snapshot!(read("clusterctl.txt", text), @r"
        2: clusters shop | status: {conditions: type: Ready, status: False, severity: Warning, reason: ScalingUp, message: Scaling up control plane to 3 replicas (actual 2), since: 57s}
        3: dockerclusters in | status: {conditions: type: Ready, status: True, since: 110s}
        5: machinedeployments md-0 | status: {conditions: type: Ready, status: False, severity: Warning, reason: WaitingFor, message: Minimum availability, since: 110s}
        6: machines md-0-a | status: {conditions: type: Ready, status: False, severity: Info, reason: Bootstrapping, message: See md-0-a, md-0-b, ..., since: 77s}
        6: machines md-0-b | status: {conditions: type: Ready, status: False, severity: Info, reason: Bootstrapping, message: See md-0-a, md-0-b, ..., since: 77s}
        ");
        assert_eq!(read("a.txt", "NAME  READY  REASON\nx  True  y\n"), "something else");
        let with_conditions = "NAME                             REPLICAS  AVAILABLE  READY  UP TO DATE  STATUS  REASON        SINCE  MESSAGE\n\
                    Cluster/zen                      4/4       4          4      4\n\
                    │           ├─Available                                                  True    Available     19d\n\
                    │           └─Paused                                                     False   NotPaused     19d\n\
                    └─Machine/zen-a                  1         0          0      1\n\
                    \u{20}             └─Ready                                                    False   NotHealthy    3h     * NodeHealthy: gone\n";
        insta::assert_snapshot!(read("clusterctl.txt", with_conditions), @r"
        2: clusters zen | status: {conditions: type: Available, status: True, reason: Available, since: 19d, type: Paused, status: False, reason: NotPaused, since: 19d}
        5: machines zen-a | status: {conditions: type: Ready, status: False, reason: NotHealthy, message: * NodeHealthy: gone, since: 3h}
        ");
        // A message is wrapped between words, and its points stand below each other; of a Machine it is that of Ready.
        let wrapped = "NAME                                         REPLICAS AVAILABLE READY UP TO DATE STATUS REASON             SINCE MESSAGE\n\
                    Cluster/zen                                  4/4      4         4     4          True   Available          19d\n\
                    ├─ClusterInfrastructure - VSphereCluster/zen\n\
                    │ └─VCenterAvailable                                                             False  VCenterUnreachable 38m   failed to login: Cannot\n\
                    │                                                                                                                complete login.\n\
                    └─Machine/zen-a                              1        0         0     1          False  NotReady           24m   * InfrastructureReady:\n\
                    \u{20}                                                                                                                  * Provisioned: none, and so\n\
                    \u{20}                                                                                                                    no Node\n";
        insta::assert_snapshot!(read("clusterctl.txt", wrapped), @r"
        2: clusters zen | status: {conditions: type: Available, status: True, reason: Available, since: 19d}
        3: vsphereclusters zen | status: {conditions: type: VCenterAvailable, status: False, reason: VCenterUnreachable, message: failed to login: Cannot complete login., since: 38m}
        6: machines zen-a | status: {conditions: type: Ready, status: False, reason: NotReady, message: * InfrastructureReady:
          * Provisioned: none, and so no Node, since: 24m}
        ");
        // The newest versions name the condition of each row.
        let named = "NAME                             REPLICAS  AVAILABLE  READY  UP TO DATE  STATUS           REASON        SINCE  MESSAGE\n\
                    Cluster/zen                      4/4       4          4      4           Available: True  Available     19d\n\
                    ├─Machine/zen-a                  1         0          0      0           Deleting: True   DrainingNode  18h    Drain not completed yet:\n\
                    │                                                                                                              * Pod a/b: cannot evict\n\
                    └─Machine/zen-b                  1         0          0      0           Ready: False     NotReady      24m    * NodeHealthy: gone\n";
        insta::assert_snapshot!(read("clusterctl.txt", named), @r"
        2: clusters zen | status: {conditions: type: Available, status: True, reason: Available, since: 19d}
        3: machines zen-a | status: {conditions: type: Deleting, status: True, reason: DrainingNode, message: Drain not completed yet:
        * Pod a/b: cannot evict, since: 18h}
        5: machines zen-b | status: {conditions: type: Ready, status: False, reason: NotReady, message: * NodeHealthy: gone, since: 24m}
        ");
        // Conditions whose message has several lines, in rows that somebody moved out of their columns.
        let moved = "NAME                             REPLICAS  AVAILABLE  READY  UP TO DATE  STATUS  REASON        SINCE  MESSAGE\n\
                    Cluster/zen                      4/4       4          4      4\n\
                    │           ├─TopologyReconciled                     False   ClusterUpgrading   9h   Cluster is upgrading to v1.34.2\n\
                    │           │                                                                      * Following hooks are blocking upgrade: BeforeClusterUpgrade: frozen\n\
                    │           └─Deleting                               False   NotDeleting        44d\n";
        insta::assert_snapshot!(read("clusterctl.txt", moved), @r"
        2: clusters zen | status: {conditions: type: TopologyReconciled, status: False, reason: ClusterUpgrading, message: Cluster is upgrading to v1.34.2
        * Following hooks are blocking upgrade: BeforeClusterUpgrade: frozen, since: 9h, type: Deleting, status: False, reason: NotDeleting, since: 44d}
        ");
    }
}
