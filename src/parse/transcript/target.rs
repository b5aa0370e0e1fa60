//! Where a command of a session ran: host, context and namespace, carried from line to line.
//!
//! The host is what the prompt names, else where `ssh` went until `exit`. The context is what the command
//! names, else the prompt, else the last `use-context` on that host; somebody who goes to a node from a
//! shell with a context goes to a node of that cluster. `sudo` changes nothing.
//!
//! kubectl without a context on one host, and then on another one, may speak of two clusters. The other host is
//! of the same cluster if the first one lists it as a Node, or if both have one name but for numbers and letters
//! that count ([`hosts_apart`]); else it has a context of its own, and no absence there speaks of the first cluster.
//!
//! Invariant: what is not said is not known; a kubeconfig whose name says nothing (`admin.conf`, `config`)
//! names no context.

use crate::transcript::cut::Part;
use crate::transcript::prompt;
use crate::transcript::shell::Shell;
use std::collections::{BTreeMap, BTreeSet};

/// Where one command ran, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Target {
    /// The machine.
    pub host: Option<String>,
    /// The context of kubectl.
    pub context: Option<String>,
    /// The namespace that the context was set to.
    pub namespace: Option<String>,
}

/// The state of a session.
#[derive(Debug, Default)]
pub struct Targets {
    ssh: Vec<String>,
    /// The prompt has named a host since the last `ssh`.
    named: bool,
    /// Per host: context and namespace.
    set: BTreeMap<Option<String>, (Option<String>, Option<String>)>,
    here: Option<String>,
    /// Hosts that have a context of their own.
    apart: BTreeSet<String>,
}

/// The hosts of a session at which kubectl may have spoken of another cluster than at the first one.
pub fn hosts_apart(parts: &[Part], lines: &[&str]) -> BTreeSet<String> {
    let mut targets = Targets::default();
    let mut first: Option<Option<String>> = None;
    let (mut apart, mut listed) = (BTreeSet::new(), BTreeSet::new());
    for part in parts {
        let target = targets.visit(part);
        let is_asked = part.shell.as_ref().is_some_and(|shell| shell.program == "kubectl" && shell.is_read());
        if !is_asked || target.context.is_some() {
            continue;
        }
        let listed_here = || lines.get(part.follows.clone()).unwrap_or_default().iter().filter_map(|line| node(line));
        // A command without a prompt, as in a heading, tells of no machine on which it was typed.
        if target.host.is_none() && lines.get(part.typed.start).is_none_or(|line| prompt::read(line).is_none()) {
            listed.extend(listed_here());
            continue;
        }
        let home = first.get_or_insert_with(|| target.host.clone());
        if target.host == *home {
            listed.extend(listed_here());
        } else if let Some(host) = &target.host
            && !home.as_deref().is_some_and(|home| is_counted_alike(home, host))
        {
            apart.insert(host.clone());
        }
    }
    let short = |host: &str| host.split('.').next().unwrap_or(host).to_owned();
    apart.retain(|host| !listed.iter().any(|node| short(node) == short(host)));
    apart
}

/// The name in a row of `kubectl get nodes`.
fn node(row: &str) -> Option<String> {
    let mut words = row.split_whitespace();
    let (name, status) = (words.next()?, words.next()?);
    let is_node = matches!(status.split(',').next(), Some("Ready" | "NotReady"));
    is_node.then(|| name.to_owned())
}

/// Are they `cp-1` and `cp-2`, or `cp-a` and `cp-b`?
fn is_counted_alike(a: &str, b: &str) -> bool {
    let stem = |host: &str| {
        let short = host.split('.').next().unwrap_or(host);
        let bare = short.trim_end_matches(|c: char| c.is_ascii_digit());
        if bare.len() < short.len() {
            return bare.to_owned();
        }
        match short.rsplit_once('-') {
            Some((stem, letter)) if letter.len() == 1 => format!("{stem}-"),
            _ => short.to_owned(),
        }
    };
    stem(a) == stem(b)
}

impl Targets {
    /// The state at the start of a session in which these hosts have contexts of their own.
    pub fn with_hosts_apart(apart: BTreeSet<String>) -> Self {
        Self { apart, ..Self::default() }
    }

    /// Where a part ran, and what the part changes for those behind it.
    pub fn visit(&mut self, part: &Part) -> Target {
        if part.typed.is_empty() {
            return Target { host: None, ..self.target(None) };
        }
        if let Some(host) = &part.host {
            self.named = true;
            self.go(Some(host.clone()));
        } else if part.strong && (self.named || self.ssh.is_empty()) {
            // A prompt inside a container, or one that names no host: still there.
        } else if self.named || self.ssh.is_empty() {
            // A bare prompt after one that named a host: back where the session began.
            self.ssh.clear();
            self.named = false;
            self.go(None);
        } else {
            self.go(self.ssh.last().cloned());
        }
        let mut target = self.target(part.context.clone());
        let Some(shell) = &part.shell else { return target };
        if let Some(context) = named_cluster(shell).or_else(|| named_by(shell.command.kubeconfig.as_deref())) {
            target.context = Some(context);
        }
        self.change(shell);
        if let (Some(host), true) = (&shell.ssh, shell.program != "ssh") {
            target.host = Some(host.clone());
        }
        target
    }

    fn go(&mut self, host: Option<String>) {
        if self.here != host && !self.set.contains_key(&host) {
            let carried = self.set.get(&self.here).cloned().unwrap_or_default();
            self.set.insert(host.clone(), carried);
        }
        self.here = host;
    }

    fn target(&self, context: Option<String>) -> Target {
        let (set, namespace) = self.set.get(&self.here).cloned().unwrap_or_default();
        let own = self.here.as_ref().filter(|host| self.apart.contains(*host));
        Target { host: self.here.clone(), context: context.or(set).or_else(|| own.cloned()), namespace }
    }

    fn change(&mut self, shell: &Shell) {
        let words: Vec<&str> = shell.arguments.iter().map(String::as_str).collect();
        match (shell.program.as_str(), words.as_slice()) {
            ("ssh", _) => {
                self.ssh.extend(shell.ssh.clone());
                self.named = false;
            }
            ("exit" | "logout", _) => {
                self.ssh.pop();
                self.named = false;
                self.go(self.ssh.last().cloned());
            }
            ("kubectl", ["config", "use-context", name, ..]) | ("kubectx", [name]) if !name.starts_with('-') => {
                self.set.insert(self.here.clone(), (Some((*name).to_owned()), None));
            }
            ("kubectl", ["config", "set-context", rest @ ..]) => {
                let namespace = rest.iter().find_map(|word| word.strip_prefix("--namespace="));
                self.set.entry(self.here.clone()).or_default().1 = namespace.map(str::to_owned);
            }
            ("kubens", [name]) | ("kubectl", ["project", name]) => {
                self.set.entry(self.here.clone()).or_default().1 = Some((*name).to_owned());
            }
            ("export", [assignment, ..]) => {
                if let Some(path) = assignment.strip_prefix("KUBECONFIG=") {
                    self.set.insert(self.here.clone(), (named_by(Some(path)), None));
                }
            }
            _ => {}
        }
    }
}

/// The cluster that the command itself names.
fn named_cluster(shell: &Shell) -> Option<String> {
    shell.command.cluster.clone().or_else(|| shell.command.context.clone())
}

/// The name that the path of a kubeconfig gives its cluster.
fn named_by(path: Option<&str>) -> Option<String> {
    let file = path?.rsplit('/').next()?;
    let stem = file.split('.').next().unwrap_or(file);
    let stem = stem.strip_suffix("-kubeconfig").unwrap_or(stem);
    let says_nothing =
        ["", "config", "kubeconfig", "admin", "super-admin", "kubelet", "controller-manager", "scheduler"];
    (!says_nothing.contains(&stem) && !stem.contains(['<', '$', '{'])).then(|| stem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::cut;

    fn apart(session: &str) -> Vec<String> {
        let lines: Vec<String> = session.lines().map(str::to_owned).collect();
        let borrowed: Vec<&str> = lines.iter().map(String::as_str).collect();
        hosts_apart(&cut::cut(&lines), &borrowed).into_iter().collect()
    }

    #[test]
    fn a_host_is_of_the_same_cluster_only_where_something_says_so() {
        let session = |first: &str, rows: &str, other: &str| {
            format!(
                "[root@{first} ~]# kubectl get nodes\nNAME   STATUS   ROLES   AGE   VERSION\n{rows}\n[root@{first} ~]# ssh {other}\n[root@{other} ~]# kubectl get pods -A\nNo resources found\n"
            )
        };
        let row = "mgmt-1   Ready   <none>   3d   v1.33.4";
        assert_eq!(apart(&session("mgmt-1", row, "edge-cp-1")), ["edge-cp-1"]);
        assert_eq!(apart(&session("mgmt-1", row, "mgmt-2")), [""; 0]);
        let listed = format!("{row}\nedge-cp-1   NotReady   <none>   3d   v1.33.4");
        assert_eq!(apart(&session("mgmt-1", &listed, "edge-cp-1")), [""; 0]);
        // What stands below headings was asked for somewhere, and the one prompt is where.
        let headed = "--- kubectl get nodes\nNAME   STATUS   ROLES   AGE   VERSION\nmgmt-1   Ready   <none>   3d   v1.33.4\n\n--- and now\nroot@jump:~# kubectl get pods -A\nNo resources found\n";
        assert_eq!(apart(headed), [""; 0]);
        // Who reads no cluster there speaks of none.
        let journal = session("mgmt-1", row, "edge-cp-1").replace("kubectl get pods -A", "journalctl -u kubelet");
        assert_eq!(apart(&journal), [""; 0]);
    }
}
