//! The folder of static Pods: which files the kubelet reads there, by what `ls` shows of it and by the files of it that a bundle
//! holds.
//!
//! Each is an object `manifestfiles`: `spec.folder`, `spec.file`, `spec.component` (its name up to `.yaml` or `.json`),
//! `spec.copy` (something stands behind that ending); of a file that is here also `spec.etcd`, the etcd that its API server is to ask,
//! as its flag has it, and `spec.etcdServers`, the addresses in it. Only the folder's name, or several files that kubeadm writes into
//! it, tell such a list from any other.
//!
//! Source: `kubernetes/kubernetes:pkg/kubelet/config/file.go` (every file is read whose name does not begin with a dot);
//! coreutils `src/ls.c`.

use crate::answer::Asked;
use crate::text_form::form::{Mark, NONE, TextForm};
use crate::text_form::records;
use crate::text_form::records::Records;
use facts::node::{Node, Value};
use facts::record::{Command, Parsed, Record};

pub(super) const FORM: TextForm =
    TextForm { name: "manifest-folder", mark: Mark::Program(is_first), text: Some(try_parse), ..NONE };

/// What kubeadm, RKE2 and k0s write there.
const STATIC: [&str; 4] = ["etcd.yaml", "kube-apiserver.yaml", "kube-controller-manager.yaml", "kube-scheduler.yaml"];
/// The end of the folder's name.
const FOLDERS: [&str; 2] = ["/kubernetes/manifests", "/agent/pod-manifests"];
const PLURAL: &str = "manifestfiles";
const ENDINGS: [&str; 3] = [".yaml", ".yml", ".json"];

/// Reads a list of the folder; `None` if it is none.
fn try_parse(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let mut lines = records::lines(text).peekable();
    let mut folder =
        asked.command.and_then(listed).or_else(|| FOLDERS.into_iter().find(|end| is_named(asked.name, end)));
    if folder.is_none() && !lines.peek().is_some_and(|(_, line)| is_first(line)) {
        return None;
    }
    let mut records = Records::new(asked, "manifest-folder");
    let mut inside = true;
    for (number, line) in lines {
        if let Some(heading) = heading(line) {
            inside = FOLDERS.iter().any(|end| heading.ends_with(end));
            folder = Some(heading);
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_long = words.len() >= 9 && words.first().is_some_and(|mode| mode.starts_with('-') && mode.len() >= 10);
        let files = if is_long { words.get(8..).unwrap_or_default() } else { words.as_slice() };
        for file in files.iter().filter(|_| inside) {
            if let Some((component, behind)) = component(file) {
                let mut node = node(number, file, component, behind);
                if let Some(folder) = folder {
                    node.set_at(&["spec", "folder"], Node::str(number, folder));
                }
                records.partial(PLURAL, file, node);
            }
        }
    }
    records.finish_if_any()
}

/// A file that a bundle holds from the folder of static Pods, and that describes a Pod: its records say so.
pub(crate) fn of_file(asked: &Asked<'_>, records: &[Record]) -> Option<Record> {
    let (folder, file) = asked.name.rsplit_once('/')?;
    let (component, behind) = component(file).filter(|_| FOLDERS.iter().any(|end| folder.ends_with(end)))?;
    let pod = records.iter().find_map(|record| match record {
        Record::Object(object) if object.node.get("kind").and_then(Node::as_str) == Some("Pod") => Some(object),
        _ => None,
    })?;
    let mut node = node(pod.line, file, component, behind);
    if let Some((line, servers)) = etcd_servers(&pod.node) {
        let addresses = servers.split(',').map(|url| Node::str(line, url.rsplit('/').next().unwrap_or(url))).collect();
        node.set_at(&["spec", "etcd"], Node::str(line, servers));
        node.set_at(&["spec", "etcdServers"], Node::new(line, Value::List(addresses)));
    }
    let mut found = Records::new(asked, "manifest-folder");
    found.partial(PLURAL, file, node);
    found.finish().records.pop()
}

/// What the flag of an API server names, with its line.
fn etcd_servers(pod: &Node) -> Option<(u32, &str)> {
    let containers = pod.at(&["spec", "containers"])?.items().iter();
    let lists = containers.flat_map(|one| [one.get("command"), one.get("args")]).flatten();
    lists.flat_map(Node::items).find_map(|word| Some((word.line, word.as_str()?.strip_prefix("--etcd-servers=")?)))
}

fn node(line: u32, file: &str, component: &str, behind: &str) -> Node {
    let mut node = Node::map(line);
    node.set_at(&["spec", "file"], Node::str(line, file));
    node.set_at(&["spec", "component"], Node::str(line, component));
    node.set_at(&["spec", "copy"], records::boolean(line, !behind.is_empty()));
    node
}

/// Is a file called after the command that lists this folder, with marks for what no name holds? sos:
/// `ls_-la_.etc.kubernetes.manifests`.
fn is_named(file: &str, folder: &str) -> bool {
    let name = file.rsplit(['/', '!']).next().unwrap_or(file);
    let marked = |mark: &str| name.ends_with(&folder.replace('/', mark));
    name.starts_with("ls_") && (marked(".") || marked("_"))
}

/// The folder of static Pods that a command lists, whose output names it no more.
pub(crate) fn listed(command: &Command) -> Option<&str> {
    if !matches!(command.verb.as_str(), "ls" | "ll") {
        return None;
    }
    let words = command.text.split_whitespace().map(|word| word.trim_end_matches(['/', '*']));
    let mut folders = words.filter(|word| word.starts_with('/'));
    folders.next().filter(|word| FOLDERS.iter().any(|end| word.ends_with(end))).filter(|_| folders.next().is_none())
}

/// The heading of the folder, or a row with several of its files.
fn is_first(line: &str) -> bool {
    let line = line.trim_end();
    let is_heading = heading(line).is_some_and(|name| FOLDERS.iter().any(|end| name.ends_with(end)));
    let words = || line.split_whitespace();
    let is_row =
        words().filter(|word| STATIC.contains(word)).count() >= 2 && words().all(|word| component(word).is_some());
    is_heading || is_row
}

/// The folder that `ls` names above its files, as its argument was written.
fn heading(line: &str) -> Option<&str> {
    let name = line.trim_end().strip_suffix(':').filter(|name| name.starts_with('/'))?;
    Some(name.trim_end_matches('/'))
}

/// The component of a file that the kubelet reads, and what stands behind its ending.
fn component(file: &str) -> Option<(&str, &str)> {
    let (at, ending) = ENDINGS.iter().filter_map(|ending| Some((file.find(ending)?, ending))).min()?;
    let (component, behind) = (file.get(..at)?, file.get(at + ending.len()..)?);
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '~');
    (!component.is_empty() && !component.starts_with('.') && file.chars().all(is_name)).then_some((component, behind))
}

#[cfg(test)]
mod tests {
    use super::listed;
    use crate::text_form::testing::read;
    use facts::record::Command;

    #[test]
    fn in_a_row_and_in_the_long_form() {
        insta::assert_snapshot!(read("ls.txt", "etcd.yaml  kube-apiserver.yaml  kube-apiserver.yaml.bak\n"), @r"
        1: manifestfiles etcd.yaml | spec: {file: etcd.yaml, component: etcd, copy: false}
        1: manifestfiles kube-apiserver.yaml | spec: {file: kube-apiserver.yaml, component: kube-apiserver, copy: false}
        1: manifestfiles kube-apiserver.yaml.bak | spec: {file: kube-apiserver.yaml.bak, component: kube-apiserver, copy: true}
        ");
        let long = "/etc/kubernetes/manifests:\ntotal 8\ndrwxr-xr-x 2 root root 4096 Nov 26 08:02 .\n-rw------- 1 root root 4321 Mar  3  2025 .old.yaml\n-rw------- 1 root root 4321 Mar  3  2025 kube-scheduler.yaml\n\n/root:\n-rw------- 1 root root 2392 Mar  3  2025 etcd.yaml\n";
        insta::assert_snapshot!(read("ls.txt", long), @"5: manifestfiles kube-scheduler.yaml | spec: {file: kube-scheduler.yaml, component: kube-scheduler, copy: false, folder: /etc/kubernetes/manifests}");
        let of_several = "/etc/kubernetes/audit:\npolicy.yaml\n\n/etc/kubernetes/manifests/:\ntotal 8\n-rw------- 1 root root 4402 Apr 21 13:31 etcd.yaml\n-rw------- 1 root root 3896 Apr 21 13:22 etcd.yaml.20260421\n";
        let manifests = of_several.split_once("\n\n").expect("two folders").1;
        insta::assert_snapshot!(read("ls.txt", manifests), @r"
        3: manifestfiles etcd.yaml | spec: {file: etcd.yaml, component: etcd, copy: false, folder: /etc/kubernetes/manifests}
        4: manifestfiles etcd.yaml.20260421 | spec: {file: etcd.yaml.20260421, component: etcd, copy: true, folder: /etc/kubernetes/manifests}
        ");
    }

    #[test]
    fn by_the_name_that_sos_gives_its_file() {
        let text = "total 8\n-rw-------. 1 root root 2004 Oct  8 09:03 etcd.yaml\n-rw-------. 1 root root 1947 Oct  8 08:58 etcd.yaml.old\n";
        insta::assert_snapshot!(read("sos_commands/kubernetes/ls_-la_.etc.kubernetes.manifests", text), @r"
        2: manifestfiles etcd.yaml | spec: {file: etcd.yaml, component: etcd, copy: false, folder: /kubernetes/manifests}
        3: manifestfiles etcd.yaml.old | spec: {file: etcd.yaml.old, component: etcd, copy: true, folder: /kubernetes/manifests}
        ");
        insta::assert_snapshot!(read("sos_commands/kubernetes/ls_-la_.root.manifests", text), @"something else");
    }

    #[test]
    fn behind_the_command_that_lists_it() {
        let of = |text: &str| {
            let command = Command { text: text.to_owned(), verb: "ls".to_owned(), ..Command::default() };
            listed(&command).map(str::to_owned).unwrap_or_default()
        };
        assert_eq!(of("ls -la /etc/kubernetes/manifests/"), "/etc/kubernetes/manifests");
        assert_eq!(
            of("ls -l /var/lib/rancher/rke2/agent/pod-manifests/*"),
            "/var/lib/rancher/rke2/agent/pod-manifests"
        );
        for other in ["ls -la /etc/kubernetes", "ls /etc/kubernetes/manifests /root", "ls manifests"] {
            assert_eq!(of(other), "", "{other}");
        }
    }

    #[test]
    fn what_is_another_list() {
        for text in
            ["etcd.yaml  notes about kube-apiserver.yaml\n", "deployment.yaml service.yaml\n", "/root:\netcd.yaml\n"]
        {
            assert_eq!(read("ls.txt", text), "something else", "{text}");
        }
    }
}
