//! Containers and sandboxes as the runtime of a node sees them: `crictl ps`, `pods`, `images`, `inspect`,
//! `inspectp`, and the like of docker and containerd (`docker ps`, `ctr containers ls`).
//!
//! Why it matters: when the API server is down, this is all that tells which containers run.
//!
//! | kind | fields |
//! |---|---|
//! | `crictlcontainers` | `spec.id`, `spec.name`, `spec.attempt`, `spec.image`, `spec.pod`, `spec.namespace`, `spec.podID`; `status.state` (`Running`, `Exited`, `Created`, `Unknown`), `status.exitCode`, `status.reason`, `status.message`, `status.createdAt`, `status.startedAt`, `status.finishedAt`, `status.restarting` (of docker) |
//! | `crictlpods` | `spec.id`, `spec.name`, `spec.namespace`, `spec.attempt`; `status.state` (`Ready`, `NotReady`), `status.createdAt` |
//! | `crictlimages` | `spec.id`, `spec.image`, `status.size` |
//!
//! An object is named after the first 13 digits of its id, all that a table shows; ids in fields are cut
//! alike. How long ago something was created is left out: it is another text in every sighting.
//!
//! Rows are read by words, not by columns: ids, states and attempts tell where the cells are, so a table
//! whose spaces were collapsed reads the same. Sources: `kubernetes-sigs/cri-tools:cmd/crictl/{container,
//! sandbox,image}.go@v1.20, v1.34`, `docker/cli:cli/command/formatter/container.go`.

use crate::answer;
use crate::answer::Asked;
use crate::text_form::form::{Mark, NONE, TextForm};
use crate::text_form::records;
use crate::text_form::records::Records;
use facts::node::{Node, Value};
use facts::object::Form;
use facts::record::Parsed;
use facts::unread::WhyUnread;

pub(super) const FORM: TextForm = TextForm {
    name: "crictl",
    mark: Mark::Program(|line| table_of(line).is_some() || bare_row(line).is_some()),
    text: Some(try_parse),
    document: Some(try_document),
    yaml_keys: &["containers:", "status:", "images:", "items:", "info:"],
    ..NONE
};

/// Digits of an id that a table shows.
const SHORT: usize = 13;

/// A table that a runtime prints.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Table {
    Containers,
    Pods,
    Images,
    Docker,
    Containerd,
}

fn table_of(line: &str) -> Option<Table> {
    let words: Vec<&str> = line.split_whitespace().collect();
    Some(match words[..] {
        ["CONTAINER", "ID", "IMAGE", "CREATED", "STATE", "NAME", "ATTEMPT", "POD", "ID", ..]
        | ["CONTAINER", "IMAGE", "CREATED", "STATE", "NAME", "ATTEMPT", "POD", "ID", ..] => Table::Containers,
        ["POD", "ID", "CREATED", "STATE", "NAME", "NAMESPACE", "ATTEMPT", ..] => Table::Pods,
        ["IMAGE", "TAG", "IMAGE", "ID", "SIZE"] => Table::Images,
        ["CONTAINER", "ID", "IMAGE", "COMMAND", "CREATED", "STATUS", .., "NAMES"] => Table::Docker,
        ["CONTAINER", "IMAGE", "RUNTIME"] => Table::Containerd,
        _ => return None,
    })
}

/// The table of a row whose header was not pasted: an id, a time that is ago and a state stand in no other.
fn bare_row(line: &str) -> Option<(Table, bool)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let id = words.first().filter(|id| id.len() >= 12 && is_id(id))?;
    if id.starts_with("sha256:") || !words.contains(&"ago") {
        return None;
    }
    if docker_row(line).is_some() {
        return Some((Table::Docker, false));
    }
    [false, true].into_iter().find(|wide| container_row(&words, *wide).is_some()).map(|wide| (Table::Containers, wide))
}

/// Reads a table; `None` if it is something else.
fn try_parse(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    // Warnings of crictl about its endpoints stand in front.
    let first = || records::lines(text).take(20);
    let with_header =
        first().find_map(|(number, line)| Some((number, table_of(line)?, line.trim_end().ends_with("NAMESPACE"))));
    let without = || {
        first().find_map(|(number, line)| {
            let (table, wide) = bare_row(line)?;
            Some((number.saturating_sub(1), table, wide))
        })
    };
    let (header, table, wide) = with_header.or_else(without)?;
    let format = match table {
        Table::Docker => "docker",
        Table::Containerd => "ctr",
        _ => "crictl",
    };
    let mut records = Records::new(asked, format);
    for (number, line) in records::lines(text).skip_while(|(number, _)| *number <= header) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let read = match table {
            Table::Containers => container_row(&words, wide),
            Table::Pods => pod_row(&words),
            Table::Images => image_row(&words),
            Table::Docker => docker_row(line),
            Table::Containerd => containerd_row(&words),
        };
        match read {
            Some(row) => row.add(&mut records, number),
            None if line.starts_with("time=\"") || line.starts_with(['W', 'E', 'I']) => {
                records.unread(number, WhyUnread::BesideTable(answer::short(line).into()));
            }
            None => records.unread(number, WhyUnread::NoRowOf(header, answer::short(line).into())),
        }
    }
    Some(records.finish())
}

/// A row: kind, id, and fields with their paths.
struct Row<'a> {
    kind: &'static str,
    id: &'a str,
    fields: Vec<(&'static [&'static str], String)>,
    attempt: Option<i64>,
    exit_code: Option<i64>,
}

impl<'a> Row<'a> {
    fn new(kind: &'static str, id: &'a str) -> Self {
        Self { kind, id, fields: Vec::new(), attempt: None, exit_code: None }
    }

    fn with(mut self, path: &'static [&'static str], text: impl Into<String>) -> Self {
        self.fields.push((path, text.into()));
        self
    }

    /// The image, unless it is a cut id: `inspect` shows it whole, and the two would seem to differ.
    fn with_image(self, image: &str) -> Self {
        if is_id(image) && image.len() <= SHORT { self } else { self.with(&["spec", "image"], image) }
    }

    fn add(self, records: &mut Records<'_>, line: u32) {
        let mut node = Node::map(line);
        node.set_at(&["spec", "id"], Node::str(line, short_id(self.id)));
        for (path, text) in self.fields {
            node.set_at(path, Node::str(line, text));
        }
        if let Some(attempt) = self.attempt {
            node.set_at(&["spec", "attempt"], records::integer(line, attempt));
        }
        if let Some(code) = self.exit_code {
            node.set_at(&["status", "exitCode"], records::integer(line, code));
        }
        records.partial(self.kind, short_id(self.id), node);
    }
}

fn short_id(id: &str) -> &str {
    let bare = id.strip_prefix("sha256:").unwrap_or(id);
    bare.get(..SHORT).unwrap_or(bare)
}

fn is_id(word: &str) -> bool {
    let bare = word.strip_prefix("sha256:").unwrap_or(word);
    bare.len() >= 8 && bare.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The state in the words of tables, whatever form it was printed in.
fn state(word: &str) -> Option<&'static str> {
    Some(match word {
        "Running" | "CONTAINER_RUNNING" => "Running",
        "Exited" | "CONTAINER_EXITED" => "Exited",
        "Created" | "CONTAINER_CREATED" => "Created",
        "Unknown" | "CONTAINER_UNKNOWN" => "Unknown",
        "Ready" | "SANDBOX_READY" => "Ready",
        "NotReady" | "SANDBOX_NOTREADY" => "NotReady",
        _ => return None,
    })
}

/// `1152f083e0d55  b6d7abedde399  2 hours ago  Running  etcd  3  9f1c1d6d8a7aa  etcd-cp-1  kube-system`; the
/// last two are not there in older versions.
fn container_row<'a>(words: &[&'a str], wide: bool) -> Option<Row<'a>> {
    let (id, image): (&str, &str) = (words.first().filter(|id| is_id(id))?, words.get(1)?);
    let at = words.iter().skip(2).position(|word| state(word).is_some())? + 2;
    let [name, attempt, pod_id, rest @ ..] = words.get(at + 1..)? else { return None };
    let mut row = Row::new("crictlcontainers", id)
        .with_image(image)
        .with(&["status", "state"], state(words[at])?)
        .with(&["spec", "name"], *name)
        .with(&["spec", "podID"], short_id(pod_id));
    row.attempt = Some(attempt.parse().ok()?);
    match rest {
        [] => {}
        [pod] if !wide => row = row.with(&["spec", "pod"], *pod),
        [pod, namespace] if wide => {
            row = row.with(&["spec", "pod"], *pod).with(&["spec", "namespace"], *namespace);
        }
        // One of two cells: which one is not known.
        [_] => {}
        _ => return None,
    }
    Some(row)
}

/// `9f1c1d6d8a7aa  2 hours ago  Ready  etcd-cp-1  kube-system  0  (default)`
fn pod_row<'a>(words: &[&'a str]) -> Option<Row<'a>> {
    let id = *words.first().filter(|id| is_id(id))?;
    let at = words.iter().skip(1).position(|word| state(word).is_some())? + 1;
    let [name, namespace, attempt, ..] = words.get(at + 1..)? else { return None };
    let mut row = Row::new("crictlpods", id)
        .with(&["status", "state"], state(words[at])?)
        .with(&["spec", "name"], *name)
        .with(&["spec", "namespace"], *namespace);
    row.attempt = Some(attempt.parse().ok()?);
    Some(row)
}

/// `k8s.gcr.io/etcd  3.4.13-0  0369cf4303ffd  86.7MB`
fn image_row<'a>(words: &[&'a str]) -> Option<Row<'a>> {
    let [image, tag, id, size] = *words else { return None };
    is_id(id).then(|| {
        let name = if tag == "<none>" { image.to_owned() } else { format!("{image}:{tag}") };
        Row::new("crictlimages", id).with(&["spec", "image"], name).with(&["status", "size"], size)
    })
}

/// `1152f083e0d5  busybox:1  "sh -c 'x'"  2 hours ago  Exited (1) 3 minutes ago    k8s_etcd_etcd-cp-1_kube-system_uid_3`
fn docker_row(line: &str) -> Option<Row<'_>> {
    let (before, rest) = line.split_once(" \"")?;
    let (_, rest) = rest.rsplit_once("\" ")?;
    let [id, image] = before.split_whitespace().collect::<Vec<_>>()[..] else { return None };
    let words: Vec<&str> = rest.split_whitespace().collect();
    let at = words.iter().position(|word| matches!(*word, "Up" | "Exited" | "Created" | "Restarting" | "Dead"))?;
    let (status, name) = (words[at], *words.last()?);
    let state = match status {
        "Up" => "Running",
        "Exited" | "Dead" => "Exited",
        "Created" => "Created",
        _ => "Unknown",
    };
    let mut row =
        Row::new("crictlcontainers", is_id(id).then_some(id)?).with_image(image).with(&["status", "state"], state);
    if status == "Restarting" {
        row = row.with(&["status", "restarting"], "true");
    }
    row.exit_code = words.get(at + 1).and_then(|word| word.strip_prefix('(')?.strip_suffix(')')?.parse().ok());
    // Named by dockershim: container, Pod, namespace, UID, attempt.
    // Source: kubernetes/kubernetes:pkg/kubelet/dockershim/naming.go@v1.23.
    let parts: Vec<&str> = name.split('_').collect();
    if let ["k8s", container, pod, namespace, _, attempt] = parts[..] {
        row.attempt = attempt.parse().ok();
        row =
            row.with(&["spec", "name"], container).with(&["spec", "pod"], pod).with(&["spec", "namespace"], namespace);
    } else {
        row = row.with(&["spec", "name"], name);
    }
    Some(row)
}

fn containerd_row<'a>(words: &[&'a str]) -> Option<Row<'a>> {
    let [id, image, _] = *words else { return None };
    is_id(id).then(|| Row::new("crictlcontainers", id).with_image(image))
}

/// Reads the JSON and YAML forms; `None` if it is something else.
fn try_document(asked: &Asked<'_>, document: &Node, form: Form) -> Option<Parsed> {
    let mut records = Records::of_document(asked, "crictl", form);
    let is_object =
        |node: &Node| node.get("id").is_some() && node.get("metadata").is_some() && node.get("state").is_some();
    if let Some(containers) = document.get("containers").filter(|list| list.items().iter().all(is_object)) {
        if document.entries().len() != 1 {
            return None;
        }
        for item in containers.items() {
            container(&mut records, item);
        }
    } else if let Some(items) = document.get("items").filter(|list| list.items().iter().all(is_object)) {
        if items.items().is_empty() || document.get("kind").is_some() {
            return None;
        }
        for item in items.items() {
            sandbox(&mut records, item);
        }
    } else if let Some(images) = document.get("images").filter(|list| !list.items().is_empty()) {
        if !images.items().iter().all(|image| image.get("id").is_some() && image.get("repoTags").is_some()) {
            return None;
        }
        for item in images.items() {
            image(&mut records, item);
        }
    } else if let Some(conditions) =
        document.at(&["status", "conditions"]).filter(|list| list.items().iter().any(is_of_runtime))
    {
        for condition in conditions.items() {
            runtime_condition(&mut records, condition);
        }
    } else if let Some(status) = document.get("status").filter(|status| is_object(status)) {
        match status.get("state").and_then(Node::as_str) {
            Some(word) if word.starts_with("SANDBOX_") => sandbox(&mut records, status),
            _ => container(&mut records, status),
        }
    } else {
        return None;
    }
    Some(records.finish())
}

/// Is it a condition of the runtime itself, which `crictl info` prints?
fn is_of_runtime(condition: &Node) -> bool {
    matches!(condition.get("type").and_then(Node::as_str), Some("RuntimeReady" | "NetworkReady"))
}

/// A condition of the runtime, as a tool reports it.
fn runtime_condition(records: &mut Records<'_>, condition: &Node) {
    let line = condition.line;
    let text = |key: &str| condition.get(key).and_then(|node| node.value.scalar()).unwrap_or_default();
    let (kind, wrong) = (text("type"), text("status") == "false");
    let mut node = Node::map(line);
    for (field, value) in [("tool", "crictl"), ("of", kind.as_str())] {
        node.set_at(&["spec", field], Node::str(line, value));
    }
    let says = format!("{}: {}", text("reason"), text("message"));
    for (field, value) in [("class", "cni"), ("says", says.trim_matches([':', ' ']))] {
        node.set_at(&["status", field], Node::str(line, value));
    }
    node.set_at(&["status", "wrong"], records::boolean(line, wrong));
    node.set_at(&["status", "state"], records::boolean(line, true));
    records.partial("toolreports", &format!("crictl {kind}"), node);
}

/// Copies a field if it says something.
fn copy(from: &Node, path: &[&str], to: &mut Node, target: &[&str]) {
    if let Some(found) = from.at(path).filter(|node| node.value.scalar().is_some_and(|text| !text.is_empty())) {
        to.set_at(target, found.clone());
    }
}

/// An id, as short as tables show it, so that all forms agree.
fn copy_id(from: &Node, field: &str, to: &mut Node, target: &str) {
    if let Some(found) = from.get(field)
        && let Some(id) = found.as_str()
    {
        to.set_at(&["spec", target], Node::str(found.line, short_id(id)));
    }
}

/// A time: RFC 3339 in `inspect`, nanoseconds since 1970 in lists; 0 and the year 1 mean never.
fn copy_time(from: &Node, field: &str, to: &mut Node) {
    let Some(found) = from.get(field) else { return };
    let Some(text) = found.value.scalar() else { return };
    let time = match text.parse::<i128>() {
        Ok(nanos) => jiff::Timestamp::from_nanosecond(nanos).ok(),
        Err(_) => text.parse().ok(),
    };
    if let Some(time) = time.filter(|time| time.as_second() > 0) {
        to.set_at(&["status", field], Node::str(found.line, time.to_string()));
    }
}

fn common(item: &Node) -> (Node, String) {
    let id = item.get("id").and_then(Node::as_str).unwrap_or_default().to_owned();
    let mut node = Node::map(item.line);
    copy_id(item, "id", &mut node, "id");
    copy(item, &["metadata", "name"], &mut node, &["spec", "name"]);
    // Protocol buffers leave a zero out in JSON.
    let line = item.get("metadata").map_or(item.line, |m| m.line);
    node.set_at(&["spec", "attempt"], Node::new(line, Value::Int(0)));
    copy(item, &["metadata", "attempt"], &mut node, &["spec", "attempt"]);
    if let Some(found) = item.get("state")
        && let Some(word) = found.as_str()
    {
        let word = state(word).unwrap_or(word).to_owned();
        node.set_at(&["status", "state"], Node::str(found.line, word));
    }
    copy_time(item, "createdAt", &mut node);
    (node, id)
}

fn container(records: &mut Records<'_>, item: &Node) {
    let (mut node, id) = common(item);
    copy(item, &["image", "image"], &mut node, &["spec", "image"]);
    copy_id(item, "podSandboxId", &mut node, "podID");
    copy(item, &["logPath"], &mut node, &["spec", "logPath"]);
    for (label, field) in [("io.kubernetes.pod.name", "pod"), ("io.kubernetes.pod.namespace", "namespace")] {
        copy(item, &["labels", label], &mut node, &["spec", field]);
    }
    for field in ["startedAt", "finishedAt"] {
        copy_time(item, field, &mut node);
    }
    for field in ["exitCode", "reason", "message"] {
        copy(item, &[field], &mut node, &["status", field]);
    }
    records.partial("crictlcontainers", short_id(&id), node);
}

fn sandbox(records: &mut Records<'_>, item: &Node) {
    let (mut node, id) = common(item);
    copy(item, &["metadata", "namespace"], &mut node, &["spec", "namespace"]);
    copy(item, &["metadata", "uid"], &mut node, &["spec", "uid"]);
    records.partial("crictlpods", short_id(&id), node);
}

fn image(records: &mut Records<'_>, item: &Node) {
    let id = item.get("id").and_then(Node::as_str).unwrap_or_default();
    let mut node = Node::map(item.line);
    copy_id(item, "id", &mut node, "id");
    if let Some(first) = item.get("repoTags").and_then(|tags| tags.items().first()) {
        node.set_at(&["spec", "image"], first.clone());
    }
    copy(item, &["size"], &mut node, &["status", "size"]);
    records.partial("crictlimages", short_id(id), node);
}

#[cfg(test)]
mod tests {
    use crate::text_form::testing::{read, read_json};

    #[test]
    fn containers_with_wide_and_with_collapsed_spaces() {
        let text = "WARN[0000] runtime connect using default endpoints\nCONTAINER           IMAGE               CREATED             STATE               NAME                      ATTEMPT             POD ID              POD                   NAMESPACE\n1152f083e0d55       0369cf4303ffd       2 hours ago         Running             etcd                      3                   9f1c1d6d8a7aa       etcd-cp-1             kube-system\n";
        let collapsed = text
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .replace("endpoints ", "endpoints\n")
            .replace("NAMESPACE ", "NAMESPACE\n");
        assert_eq!(read("crictl-ps.txt", text), read("crictl-ps.txt", &collapsed));
        insta::assert_snapshot!(read("crictl-ps.txt", text), @"3: crictlcontainers 1152f083e0d55 | spec: {id: 1152f083e0d55, name: etcd, podID: 9f1c1d6d8a7aa, pod: etcd-cp-1, namespace: kube-system, attempt: 3} status: {state: Running}");
        let old = "CONTAINER ID   IMAGE   CREATED   STATE   NAME   ATTEMPT   POD ID\n1152f083e0d55   0369cf4303ffd   About a minute ago   Exited   kube-apiserver   12   9f1c1d6d8a7aa\n";
        insta::assert_snapshot!(read("crictl-ps.txt", old), @"2: crictlcontainers 1152f083e0d55 | spec: {id: 1152f083e0d55, name: kube-apiserver, podID: 9f1c1d6d8a7aa, attempt: 12} status: {state: Exited}");
    }

    #[test]
    fn sandboxes_images_docker_and_containerd() {
        insta::assert_snapshot!(read("p.txt", "POD ID              CREATED             STATE               NAME        NAMESPACE     ATTEMPT             RUNTIME\n9f1c1d6d8a7aa       2 hours ago         NotReady            etcd-cp-1   kube-system   1                   (default)\n"), @"2: crictlpods 9f1c1d6d8a7aa | spec: {id: 9f1c1d6d8a7aa, name: etcd-cp-1, namespace: kube-system, attempt: 1} status: {state: NotReady}");
        insta::assert_snapshot!(read("i.txt", "IMAGE              TAG        IMAGE ID        SIZE\nk8s.gcr.io/etcd    3.4.13-0   0369cf4303ffd   86.7MB\n"), @"2: crictlimages 0369cf4303ffd | spec: {id: 0369cf4303ffd, image: k8s.gcr.io/etcd:3.4.13-0} status: {size: 86.7MB}");
        insta::assert_snapshot!(read("d.txt", "CONTAINER ID   IMAGE          COMMAND                  CREATED       STATUS                     PORTS     NAMES\n1152f083e0d5   0369cf4303ff   \"etcd --advertise-cl…\"   2 hours ago   Exited (1) 3 minutes ago             k8s_etcd_etcd-cp-1_kube-system_c82d9ced_3\n"), @"2: crictlcontainers 1152f083e0d5 | spec: {id: 1152f083e0d5, name: etcd, pod: etcd-cp-1, namespace: kube-system, attempt: 3} status: {state: Exited, exitCode: 1}");
        insta::assert_snapshot!(read("c.txt", "CONTAINER                                                           IMAGE                   RUNTIME\n1152f083e0d55c8dda8283c29d0a81d4b51723d2e1a1cf41fc6b3897a9cdf8d3    k8s.gcr.io/pause:3.2    io.containerd.runc.v2\n"), @"2: crictlcontainers 1152f083e0d55 | spec: {id: 1152f083e0d55, image: k8s.gcr.io/pause:3.2}");
    }

    #[test]
    fn lists_and_inspect_in_json() {
        let list = r#"{"containers":[{"id":"1152f083e0d55c8dda8283c2","podSandboxId":"9f1c1d6d8a7aa","metadata":{"name":"etcd","attempt":3},"image":{"image":"0369cf"},"state":"CONTAINER_EXITED","createdAt":"1763669461000000000","labels":{"io.kubernetes.pod.name":"etcd-cp-1","io.kubernetes.pod.namespace":"kube-system"}}]}"#;
        insta::assert_snapshot!(read_json("a.json", list), @"1: crictlcontainers 1152f083e0d55 | spec: {id: 1152f083e0d55, name: etcd, attempt: 3, image: 0369cf, podID: 9f1c1d6d8a7aa, pod: etcd-cp-1, namespace: kube-system} status: {state: Exited, createdAt: 2025-11-20T20:11:01Z}");
        let inspect = r#"{"status":{"id":"1152f083e0d55c8d","metadata":{"name":"etcd"},"state":"CONTAINER_EXITED","createdAt":"2025-11-20T20:11:01.5Z","finishedAt":"0001-01-01T00:00:00Z","exitCode":137,"reason":"OOMKilled","image":{"image":"etcd:1"}},"info":{"pid":1}}"#;
        insta::assert_snapshot!(read_json("a.json", inspect), @"1: crictlcontainers 1152f083e0d55 | spec: {id: 1152f083e0d55, name: etcd, attempt: 0, image: etcd:1} status: {state: Exited, createdAt: 2025-11-20T20:11:01.5Z, exitCode: 137, reason: OOMKilled}");
        insta::assert_snapshot!(read_json("a.json", r#"{"items":[{"id":"9f1c1d6d8a7aa","metadata":{"name":"etcd-cp-1","namespace":"kube-system"},"state":"SANDBOX_READY"}]}"#), @"1: crictlpods 9f1c1d6d8a7aa | spec: {id: 9f1c1d6d8a7aa, name: etcd-cp-1, attempt: 0, namespace: kube-system} status: {state: Ready}");
        insta::assert_snapshot!(read_json("a.json", r#"{"kind":"Pod","apiVersion":"v1","status":{"id":"x"}}"#), @"something else");
    }
}
