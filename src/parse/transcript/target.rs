//! Where a command of a session ran: host, context and namespace, carried from line to line.
//!
//! The host is what the prompt names, else where `ssh` went until `exit`. The context is what the command
//! names, else the prompt, else the last `use-context` on that host; somebody who goes to a node from a
//! shell with a context goes to a node of that cluster. `sudo` changes nothing.
//!
//! Invariant: what is not said is not known; a kubeconfig whose name says nothing (`admin.conf`, `config`)
//! names no context.

use crate::transcript::cut::Part;
use crate::transcript::shell::Shell;
use std::collections::BTreeMap;

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
}

impl Targets {
    /// Where a part ran, and what the part changes for those behind it.
    pub fn visit(&mut self, part: &Part) -> Target {
        if part.typed.is_empty() {
            return Target { host: None, ..self.target(None) };
        }
        if let Some(host) = &part.host {
            self.named = true;
            self.go(Some(host.clone()));
        } else if part.strong {
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
        Target { host: self.here.clone(), context: context.or(set), namespace }
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
