//! `clusterctl describe cluster`: a tree of the objects of Cluster API with their condition Ready or Available.
//!
//! Each row of one object becomes that object, partial: its kind, its name and the condition. A row that stands for
//! several (`3 Machines...`) gives one object for each name that it spells out.
//!
//! Source: `kubernetes-sigs/cluster-api:cmd/clusterctl/cmd/describe_cluster.go@v1.6` (columns READY, SEVERITY, REASON,
//! SINCE, MESSAGE) and `@v1.10` (REPLICAS, AVAILABLE, READY, UP TO DATE, STATUS, REASON, SINCE, MESSAGE).

use crate::answer::Asked;
use crate::secrets;
use crate::table;
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

/// A header of the tree, and no table of kubectl.
fn is_header(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let old = ["NAME", "READY", "SEVERITY", "REASON", "SINCE", "MESSAGE"];
    words == old
        || words.first() == Some(&"NAME") && line.contains("UP TO DATE") && words.ends_with(&["SINCE", "MESSAGE"])
}

fn try_parse(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let mut lines = records::lines(text);
    let (_, header) = lines.next()?;
    let columns = table::header(header).filter(|_| is_header(header))?;
    let mut parsed = Parsed { format: "clusterctl", ..Parsed::default() };
    for (number, line) in lines {
        let row = Row { columns: &columns, line };
        let objects = row.objects();
        // Rows of conditions stand below their object and repeat it.
        if objects.is_empty() && !line.contains(['├', '│', '└']) {
            parsed.unread.push((number, WhyUnread::no("row of `clusterctl describe`")));
        }
        for (kind, name) in objects {
            let (record, masked) = row.record(asked, number, &kind, &name);
            parsed.redactions += masked;
            parsed.records.push(Record::Object(Box::new(record)));
        }
    }
    (!parsed.records.is_empty()).then_some(parsed)
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

    fn record(&self, asked: &Asked<'_>, number: u32, kind: &KindName, name: &str) -> (ObjectRecord, Counts) {
        let mut condition = Node::map(number);
        let old = self.columns.iter().any(|column| column.name == "SEVERITY");
        let (of, status) = if old { ("Ready", self.cell("READY")) } else { ("Available", self.cell("AVAILABLE")) };
        let status = status.filter(|text| ["True", "False", "Unknown"].contains(text));
        let texts = [
            ("status", status),
            ("severity", self.cell("SEVERITY")),
            ("reason", self.cell("REASON")),
            ("message", self.cell("MESSAGE")),
            ("since", self.cell("SINCE")),
        ];
        condition.set("type", Node::str(number, of));
        for (key, text) in texts {
            if let Some(text) = text {
                condition.set(key, Node::text(number, text));
            }
        }
        let mut node = Node::map(number);
        node.set_at(&["metadata", "name"], Node::str(number, name));
        if status.is_some() {
            node.set_at(&["status", "conditions"], Node::new(number, Value::List(vec![condition])));
        }
        let (node, masked) = secrets::tree(Some(kind), node);
        let namespace = asked.command.and_then(|command| command.namespace.clone());
        let record = ObjectRecord {
            kind: Some(kind.clone()),
            api_version: None,
            namespace,
            name: name.to_owned(),
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
    }
}
