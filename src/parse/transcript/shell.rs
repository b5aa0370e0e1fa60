//! A command line as somebody typed it: which program ran, where, and whether its output was narrowed.
//!
//! Why not only `kubectl`: the same etcd is reached by `etcdctl`, `kubectl exec … -- etcdctl`, `crictl exec`
//! and `ssh host etcdctl`, and each of them says something about the place of what it prints.
//!
//! Invariant: a line that runs several programs whose outputs cannot be told apart has no command rather
//! than a wrong one; an output that went through a filter is marked.

use super::aliases;
use super::source::Source;
use crate::command;
use crate::{secrets, text_form};
use catalogue::kinds::Catalogue;
use facts::record::Command;

/// A command line, read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shell {
    /// The program whose output it is: `kubectl`, `etcdctl`, `crictl`.
    pub program: String,
    /// The words behind the program.
    pub arguments: Vec<String>,
    /// What was asked; for programs other than kubectl the verb is the program's name.
    pub command: Command,
    /// What narrowed the output (`grep Ready`), so that it proves no absence.
    pub filter: Option<String>,
    /// `head` cut off what came behind.
    pub cut_off: bool,
    /// What stands before the pipe that feeds the program.
    pub fed_by: Option<String>,
    /// The host that `ssh` was told to go to.
    pub ssh: Option<String>,
    /// The output went to a file.
    pub redirected: bool,
    /// The words behind `date`, which was typed before it in the same line.
    pub after_date: Option<Vec<String>>,
}

/// Programs whose output Casefile reads: one of them behind a prompt is a strong sign of a session.
const READ: [&str; 36] = [
    "kubectl",
    "oc",
    "k",
    "etcdctl",
    "etcdutl",
    "crictl",
    "journalctl",
    "docker",
    "nerdctl",
    "openssl",
    "clusterctl",
    "systemctl",
    "podman",
    "kubectl.exe",
    "k3s",
    "rke2",
    "k0s",
    "microk8s",
    "microk8s.kubectl",
    "minikube",
    "df",
    "du",
    "free",
    "dmesg",
    "helm",
    "flux",
    "argocd",
    "cilium",
    "calicoctl",
    "longhornctl",
    "kubeadm",
    "ceph",
    "timedatectl",
    "chronyc",
    "talosctl",
    "velero",
];

/// Programs that are told from a sentence by the word behind them.
const TYPED: [(&str, &[&str]); 20] = [
    ("docker", &["logs", "ps", "info", "inspect", "version"]),
    ("podman", &["logs", "ps", "info", "inspect"]),
    ("nerdctl", &["logs", "ps", "info", "inspect"]),
    ("clusterctl", &["describe", "get", "upgrade", "init", "move", "version", "delete"]),
    ("systemctl", &["status", "list-units", "--failed", "is-active", "list-unit-files"]),
    ("helm", &["list", "ls", "status", "history", "upgrade", "install", "get", "rollback"]),
    ("flux", &["get", "check", "logs", "events", "reconcile"]),
    ("argocd", &["app", "appset", "cluster", "repo"]),
    ("cilium", &["status", "endpoint", "connectivity"]),
    ("calicoctl", &["node", "get", "ipam"]),
    ("longhornctl", &["check", "get", "install"]),
    ("kubeadm", &["init", "join", "upgrade", "certs", "reset", "token", "config"]),
    ("df", &["-h", "-i", "-hT", "-Th", "-hi", "-ih", "-k"]),
    ("du", &["-h", "-sh", "-xh", "-hs", "-shx", "-xhd1", "-hd1", "-ah"]),
    ("free", &["-h", "-m", "-g"]),
    ("chronyc", &["tracking", "sources", "-n"]),
    ("dmesg", &["-T", "-H", "-w", "-x"]),
    ("ceph", &["-s", "status", "health", "df", "osd"]),
    ("velero", &["get", "backup", "restore", "schedule", "backup-location"]),
    ("talosctl", &["-n", "--nodes", "-e", "dmesg", "logs", "service", "services", "etcd", "health", "get"]),
];

/// Is this surely a command and no sentence?
pub(crate) fn is_typed(program: &str, arguments: &[String]) -> bool {
    let known = TYPED.iter().find(|(name, _)| *name == program).map(|(_, words)| *words);
    known.zip(arguments.first()).is_some_and(|(words, first)| words.contains(&first.as_str()))
}

/// Programs that hold a kubectl of their own: `k3s kubectl get nodes`.
const WITH_KUBECTL: [&str; 5] = ["k3s", "rke2", "k0s", "microk8s", "minikube"];

/// Other programs that people type between them. A weak prompt in front of any other word is prose.
const OTHER: &str = "\
    ssh exit logout sudo su cd ls cat date export echo tail head grep less watch curl ping ip ps vi vim \
    clear kubectx kubens hostname mkdir rm uptime chroot nsenter dig nslookup resolvectl getent nc \
    traceroute lsblk blkid fdisk fsck iostat vmstat sysctl ss netstat findmnt uname lsof iptables nft \
    conntrack ethtool arping tcpdump smartctl nvme mdadm nproc lscpu getenforce sestatus ctr psql jq yq aws \
    az gcloud openstack govc virsh ipmitool rpm dpkg yum dnf apt apt-get zypper terraform ansible-playbook";

fn is_other(program: &str) -> bool {
    OTHER.split(' ').any(|other| other == program)
}

/// Filters that pass every line on. What a pager shows is what somebody scrolled to.
const WHOLE: [&str; 5] = ["tee", "cat", "column", "sort", "pbcopy"];

/// Does a program whose output is read stand in this line as a word? Names of one letter, and words of prose, are none; a
/// kind or a key that begins like a program (`kubeadmcontrolplane`, `kubectl.kubernetes.io/`) is none either.
pub(crate) fn names_program(line: &str) -> bool {
    line.split(|c: char| c.is_whitespace() || "$()`'\";|&=".contains(c))
        .map(|word| word.rsplit('/').next().unwrap_or(word))
        .any(|word| word.len() > 3 && word != "free" && READ.contains(&word))
}

impl Shell {
    /// Casefile reads what this program prints.
    pub(crate) fn is_read(&self) -> bool {
        READ.contains(&self.program.as_str())
            || text_form::lists_manifests(&self.command)
            || text_form::shows_configuration(&self.command)
            || self.is_log_file()
    }

    /// Is what it prints a file with the log of a program?
    fn is_log_file(&self) -> bool {
        self.is_log() && matches!(Source::of(self), Some(Source::File(_)))
    }

    /// Is what it prints the log of a program?
    pub(crate) fn is_log(&self) -> bool {
        let verb = self.arguments.iter().find(|word| !word.starts_with('-')).map(String::as_str);
        match self.program.as_str() {
            "kubectl" => self.command.verb == "logs",
            "docker" | "nerdctl" | "podman" | "crictl" => verb == Some("logs"),
            "systemctl" => verb == Some("status"),
            "journalctl" | "dmesg" => true,
            "talosctl" => self.arguments.iter().any(|word| matches!(word.as_str(), "logs" | "dmesg")),
            "tail" | "cat" | "head" | "less" | "grep" => {
                self.arguments.iter().any(|word| word.contains("log") || word.contains("messages"))
            }
            _ => false,
        }
    }

    /// Is it `etcdctl alarm` with this verb, its whole output on the screen?
    pub(crate) fn is_alarm(&self, verb: &str) -> bool {
        let mut words = self.arguments.iter().filter(|word| !word.starts_with('-')).skip_while(|word| *word != "alarm");
        self.program == "etcdctl"
            && self.filter.is_none()
            && !self.redirected
            && words.next().is_some()
            && words.next().is_some_and(|word| word == verb)
    }
}

/// Reads a command line. `None` if its program is not one that is known.
pub fn read(line: &str) -> Option<Shell> {
    let line = &*secrets::mask_text(line).0;
    joined(without_remark(&straighten(line)), line, 0)
}

/// A line without what people put in brackets behind a command: `kubectl describe crp web   (the bad cluster alone)`. No
/// shell takes brackets there.
fn without_remark(line: &str) -> &str {
    let Some((command, remark)) = line.strip_suffix(')').and_then(|open| open.rsplit_once(" (")) else { return line };
    let is_plain = |c: char| c.is_alphanumeric() || c.is_whitespace() || ".,:;!?'-/".contains(c);
    let is_open = |quote: char| command.matches(quote).count() % 2 == 1;
    let is_remark = remark.contains(char::is_alphabetic) && remark.chars().all(is_plain);
    if is_remark && !is_open('\'') && !is_open('"') && !is_open('`') { command.trim_end() } else { line }
}

/// Commands in one line, or in a script that a command is given: those whose outputs cannot be told apart have none.
fn joined(text: &str, line: &str, depth: usize) -> Option<Shell> {
    let mut found: Option<Shell> = None;
    for part in split(text, &[";", "&&", "||"]) {
        let Some(shell) = pipeline(part, depth) else { continue };
        let quiet =
            |shell: &Shell| matches!(shell.program.as_str(), "cd" | "export" | "echo" | "clear" | "sudo" | "su");
        match &mut found {
            Some(before) if quiet(before) => found = Some(shell),
            // It prints one line, and that stands before all others.
            Some(before) if before.program == "date" => {
                found = Some(Shell { after_date: Some(std::mem::take(&mut before.arguments)), ..shell });
            }
            Some(_) if quiet(&shell) => {}
            Some(before) => {
                before.command = Command { text: line.trim().to_owned(), ..Command::default() };
                before.program = "several".to_owned();
            }
            None => found = Some(shell),
        }
    }
    found
}

/// Programs that are told from an alias of kubectl by nothing but their name.
const NO_ALIASES: [&str; 17] =
    ["git", "go", "kind", "eks", "npm", "apt", "aws", "gh", "kn", "i", "we", "you", "they", "he", "she", "to", "can"];
/// Letters of the longest alias.
const LONGEST_ALIAS: usize = 4;

/// The same for a line behind a prompt: a short name that is asked as only kubectl or etcdctl is, is one that somebody gave
/// it (`kc -n shop get pods`, `e endpoint status`).
pub(crate) fn read_prompted(line: &str) -> Option<Shell> {
    read(line).or_else(|| {
        let typed = straighten(line);
        let (name, rest) = typed.trim().split_once(' ')?;
        let plain = name.len() <= LONGEST_ALIAS && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        if !plain || NO_ALIASES.contains(&name) || READ.contains(&name) || is_other(name) {
            return None;
        }
        let of_etcd = |first: &str, second: &str| match first {
            "endpoint" => matches!(second, "status" | "health" | "hashkv"),
            "alarm" => matches!(second, "list" | "disarm"),
            "member" => second == "list",
            _ => false,
        };
        let words: Vec<&str> = rest.split_whitespace().collect();
        if words.windows(2).take(6).any(|pair| of_etcd(pair[0], pair[1])) {
            return read(&format!("etcdctl {rest}"));
        }
        read(&format!("kubectl {rest}")).filter(|shell| {
            let asked = &shell.command;
            let is_kind = |typed: &String| !Catalogue::shared().meanings(typed).is_empty();
            let shows = matches!(asked.verb.as_str(), "get" | "describe" | "top");
            shows && !asked.kinds.is_empty() && asked.kinds.iter().all(is_kind)
                || asked.verb == "logs" && asked.names.len() == 1
        })
    })
}

fn pipeline(text: &str, depth: usize) -> Option<Shell> {
    let mut parts = split(text, &["|"]).into_iter();
    let first = parts.next()?;
    let (first, redirected) = match split(first, &["2>&1", ">"]).as_slice() {
        [only] => (*only, false),
        [command, rest @ ..] => (*command, rest.iter().any(|part| !part.trim().is_empty())),
        [] => return None,
    };
    let mut shell = simple(first, depth)?;
    shell.redirected = redirected;
    let mut before = first.trim().to_owned();
    for filter in parts {
        // It shows what it was given in a form of its own.
        if let Some(reader) = simple(filter, 0).filter(|reader| reader.program == "openssl") {
            shell = Shell { fed_by: Some(before.clone()), ssh: shell.ssh, ..reader };
            before = format!("{before} | {}", filter.trim());
            continue;
        }
        let program = filter.split_whitespace().next().unwrap_or_default();
        if !program.is_empty() && !WHOLE.contains(&program) {
            shell.filter.get_or_insert_with(|| filter.trim().to_owned());
            shell.cut_off |= program == "head";
        }
    }
    Some(shell)
}

/// How deep `ssh a kubectl exec b -- …` is followed.
const DEEP: usize = 4;

/// What runs inside a container: a program that is known, by itself or in a script of its shell.
fn in_container(arguments: &[String], inner: impl Fn(usize) -> Option<Shell>) -> Shell {
    let known = |word: &str| matches!(word.rsplit('/').next(), Some("etcdctl" | "kubectl" | "openssl" | "ceph"));
    let at = |is_meant: &dyn Fn(&str) -> bool| arguments.iter().position(|word| is_meant(word)).and_then(&inner);
    let scripted = || at(&is_shell).filter(|shell| known(&shell.program));
    // What a shell inside prints belongs to another program.
    let other = || Shell { command: Command { verb: "exec".to_owned(), ..Command::default() }, ..Shell::default() };
    at(&known).or_else(scripted).unwrap_or_else(other)
}

fn is_shell(word: &str) -> bool {
    matches!(word.rsplit('/').next(), Some("sh" | "bash" | "ash"))
}

/// How many words stand before the program (`sudo -u root`, `watch`, `A=b`), and the kubeconfig that they name;
/// `None` where `sudo` runs a shell.
fn before_program(words: &[String]) -> Option<(usize, Option<String>)> {
    let mut at = 0;
    let mut kubeconfig = None;
    while let Some(word) = words.get(at) {
        if let Some(path) = word.strip_prefix("KUBECONFIG=") {
            kubeconfig = Some(path.to_owned());
        } else if matches!(word.as_str(), "time" | "exec" | "nohup" | "command") || command::is_assignment(word) {
        } else if matches!(word.as_str(), "sudo" | "watch") {
            while words.get(at + 1).is_some_and(|next| next.starts_with('-') && next != "-i" && next != "-") {
                // `-u root`, `-n 5`: an option with its argument.
                let takes = words.get(at + 1).is_some_and(|next| matches!(next.as_str(), "-u" | "-g" | "-n"));
                at += if takes { 2 } else { 1 };
            }
            if words.get(at + 1).is_none_or(|next| next.starts_with('-') || next == "su") {
                return None;
            }
        } else {
            break;
        }
        at += 1;
    }
    Some((at, kubeconfig))
}

/// The machine that `ssh` goes to, and what it runs there.
fn over_ssh(arguments: &[String], inner: impl Fn(usize) -> Option<Shell>) -> Shell {
    let takes = |word: &str| matches!(word, "-i" | "-p" | "-l" | "-o" | "-J" | "-F");
    let mut target = None;
    let mut at = 0;
    while let Some(word) = arguments.get(at) {
        if word.starts_with('-') {
            at += if takes(word) { 2 } else { 1 };
        } else {
            target = Some((at, word));
            break;
        }
    }
    // `[email protected]` is what a web page makes of an address.
    let host = target.map(|(_, word)| word.rsplit('@').next().unwrap_or(word));
    let host = host.filter(|host| {
        !arguments.iter().any(|word| word.contains(['[', ']']))
            && host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))
    });
    let ssh = host.map(str::to_owned);
    match target.and_then(|(at, _)| inner(at + 1)) {
        Some(shell) => Shell { ssh, ..shell },
        None => Shell { ssh, ..Shell::default() },
    }
}

fn simple(text: &str, depth: usize) -> Option<Shell> {
    let words = command::words(text).unwrap_or_else(|| text.split_whitespace().map(str::to_owned).collect());
    let Some((at, kubeconfig)) = before_program(&words) else {
        return Some(Shell { program: "sudo".to_owned(), ..Shell::default() });
    };
    let mut program = words.get(at)?.rsplit('/').next().unwrap_or_default().to_owned();
    let mut arguments: Vec<String> = words.get(at + 1..).unwrap_or_default().to_vec();
    if let Some(words) = aliases::words(&program) {
        arguments.splice(..0, words);
        program = "kubectl".to_owned();
    }
    if !READ.contains(&program.as_str()) && !is_other(&program) {
        return None;
    }
    if program == "microk8s.kubectl" {
        program = "kubectl".to_owned();
    }
    if WITH_KUBECTL.contains(&program.as_str()) && arguments.first().is_some_and(|word| word == "kubectl") {
        arguments.remove(0);
        arguments.retain(|word| word != "--");
        program = "kubectl".to_owned();
    }
    let is_kubectl = ["kubectl", "oc", "k", "kubectl.exe"].contains(&program.as_str());
    let watches = |word: &String| word == "-w" || word.starts_with("--watch");
    // Behind `exec` it is an option of the program that is run: `etcdctl member list -w table`.
    let runs = |word: &String| matches!(word.as_str(), "exec" | "debug" | "--");
    let mut own = arguments.iter().take_while(|word| !runs(word));
    let watched = words[..at].iter().any(|word| word == "watch") || is_kubectl && own.any(watches);
    let inner = |from: usize| {
        let rest = arguments.get(from..).filter(|_| depth < DEEP)?;
        match rest {
            // `ssh cp-1 'sudo crictl ps; df -h'`, `kubectl exec etcd-cp-1 -- sh -c 'etcdctl member list'`
            [script] if script.contains(' ') => joined(script, script, depth + 1),
            [shell, option, script, ..] if is_shell(shell) && option == "-c" => joined(script, script, depth + 1),
            _ => simple(&quote(rest), depth + 1),
        }
    };
    let mut shell = match program.as_str() {
        "ssh" => over_ssh(&arguments, inner),
        "kubectl" | "oc" | "k" if debugged(&arguments).is_some() => on_debugged(&arguments, inner),
        // Nodes that are containers, as kind makes them.
        "docker" | "nerdctl" | "podman" if in_node(&arguments).is_some() => {
            let found = in_node(&arguments);
            match found.and_then(|at| Some((arguments.get(at)?, inner(at + 1)?))) {
                Some((node, shell)) => Shell { ssh: Some(node.clone()), ..shell },
                None => Shell::default(),
            }
        }
        "chroot" => inner(1).unwrap_or_default(),
        "nsenter" => {
            let behind = arguments.iter().position(|word| word == "--").map(|at| at + 1);
            behind.and_then(inner).unwrap_or_default()
        }
        "talosctl" => Shell { ssh: talos_node(&arguments), ..Shell::default() },
        "velero" => Shell { command: of_velero(&arguments), ..Shell::default() },
        "kubectl" | "oc" | "k" | "crictl" | "docker" | "nerdctl" | "podman"
            if arguments.iter().take(8).any(|word| word == "exec") =>
        {
            in_container(&arguments, inner)
        }
        _ if is_kubectl => {
            let rest = quote(&arguments);
            Shell { command: command::parse(&format!("kubectl {rest}")).unwrap_or_default(), ..Shell::default() }
        }
        _ => Shell::default(),
    };
    if shell.program.is_empty() {
        shell.arguments = arguments;
        shell.program = match program.as_str() {
            "oc" | "k" | "kubectl.exe" => "kubectl".to_owned(),
            _ => program,
        };
    }
    if shell.command.verb.is_empty() {
        shell.command.verb.clone_from(&shell.program);
    }
    text.trim().clone_into(&mut shell.command.text);
    shell.command.kubeconfig = shell.command.kubeconfig.or(kubeconfig);
    if watched {
        shell.filter.get_or_insert_with(|| "watch".to_owned());
    }
    Some(shell)
}

/// What `kubectl debug node/cp-1 -- chroot /host CMD` runs on the node.
fn on_debugged(arguments: &[String], inner: impl Fn(usize) -> Option<Shell>) -> Shell {
    let behind = arguments.iter().position(|word| word == "--" || word == "chroot");
    let ran = behind.and_then(|at| inner(if arguments.get(at)? == "--" { at + 1 } else { at }));
    let node = debugged(arguments).map(str::to_owned);
    match ran.filter(|shell| !matches!(shell.program.as_str(), "" | "chroot" | "nsenter")) {
        Some(shell) => Shell { ssh: node, ..shell },
        // A shell on the node.
        None => {
            let arguments = node.iter().cloned().collect();
            Shell { ssh: node, program: "ssh".to_owned(), arguments, ..Shell::default() }
        }
    }
}

/// The node of `kubectl debug node/cp-1 -it --image=busybox -- chroot /host …`.
fn debugged(arguments: &[String]) -> Option<&str> {
    let at = arguments.iter().take(6).position(|word| word == "debug")?;
    let named = arguments.get(at..)?.iter().find_map(|word| {
        word.strip_prefix("node/").or_else(|| word.strip_prefix("nodes/")).or_else(|| word.strip_prefix("no/"))
    });
    named.filter(|name| !name.is_empty())
}

/// What only the machine itself is asked with; the tools of one container are none of these.
const OF_NODES: [&str; 7] = ["crictl", "journalctl", "systemctl", "timedatectl", "chronyc", "kubeadm", "dmesg"];

/// Where the name of the container stands in `docker exec -it kind-control-plane crictl ps`.
fn in_node(arguments: &[String]) -> Option<usize> {
    if arguments.first()? != "exec" {
        return None;
    }
    let at = 1 + arguments[1..].iter().position(|word| !word.starts_with('-'))?;
    let program = arguments.get(at + 1)?;
    OF_NODES.contains(&program.rsplit('/').next().unwrap_or(program)).then_some(at)
}

/// The one node that talosctl asks.
fn talos_node(arguments: &[String]) -> Option<String> {
    let at = arguments.iter().position(|word| matches!(word.as_str(), "-n" | "--nodes"));
    let glued = || arguments.iter().find_map(|word| word.strip_prefix("--nodes=").or_else(|| word.strip_prefix("-n=")));
    let node = at.and_then(|at| arguments.get(at + 1)).map(String::as_str).or_else(glued)?;
    (!node.contains([',', '$', '<', '{'])).then(|| node.to_owned())
}

/// Kinds of velero by the nouns of its program.
const OF_VELERO: [(&str, &str); 4] = [
    ("backup", "backups.velero.io"),
    ("restore", "restores.velero.io"),
    ("schedule", "schedules.velero.io"),
    ("backup-location", "backupstoragelocations.velero.io"),
];

/// What `velero backup get` and `velero get backups` list: objects of the namespace in which Velero is installed.
fn of_velero(arguments: &[String]) -> Command {
    let namespace = |word: &String| matches!(word.as_str(), "-n" | "--namespace");
    let at = arguments.iter().position(namespace);
    let named = at.and_then(|at| arguments.get(at + 1)).cloned();
    let options = arguments.iter().enumerate().filter(|(index, word)| {
        let is_value = at.is_some_and(|at| *index == at + 1);
        !word.starts_with('-') && !is_value
    });
    let words: Vec<&str> = options.map(|(_, word)| word.as_str()).collect();
    let kind = |noun: &str| {
        let one = noun.strip_suffix('s').unwrap_or(noun);
        OF_VELERO.iter().find(|(name, _)| *name == one).map(|(_, kind)| (*kind).to_owned())
    };
    let (noun, names) = match words.as_slice() {
        ["get", noun, names @ ..] | [noun, "get", names @ ..] => (*noun, names),
        _ => return Command::default(),
    };
    match kind(noun) {
        Some(kind) => Command {
            verb: "get".to_owned(),
            kinds: vec![kind],
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            namespace: Some(named.unwrap_or_else(|| "velero".to_owned())),
            ..Command::default()
        },
        None => Command::default(),
    }
}

/// Words as a line that reads as the same words.
fn quote(words: &[String]) -> String {
    let quoted = words.iter().map(|word| {
        if word.is_empty() || word.contains([' ', '"', '\\', '|', '>', ';', '&', '<', '#']) && !word.contains('\'') {
            format!("'{word}'")
        } else {
            word.clone()
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// Splits at separators that stand outside of quotes and of `$(…)`.
pub(super) fn split<'t>(text: &'t str, separators: &[&str]) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let (mut start, mut quoted, mut depth, mut skip) = (0, None, 0_u32, 0);
    for (at, c) in text.char_indices() {
        if at < skip {
            continue;
        }
        match (quoted, c) {
            (Some(open), c) if c == open => quoted = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quoted = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, _) if depth == 0 => {
                let rest = &text[at..];
                // `<name>` is a placeholder, and its `>` no redirection.
                let placeholder =
                    c == '>' && text[start..at].rfind('<').is_some_and(|open| !text[start + open..at].contains(' '));
                if let Some(found) = separators.iter().find(|s| rest.starts_with(**s)).filter(|_| !placeholder) {
                    parts.push(&text[start..at]);
                    start = at + found.len();
                    skip = start;
                }
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Undoes what word processors do to a command: curly quotes, long dashes, hard blanks.
pub(crate) fn straighten(text: &str) -> String {
    let plain = |c: char| match c {
        '‘' | '’' | '‚' | '′' => '\'',
        '“' | '”' | '„' | '″' => '"',
        '\u{a0}' | '\u{2007}' | '\u{202f}' => ' ',
        '\u{2010}' | '\u{2011}' | '\u{2012}' | '\u{2212}' => '-',
        c => c,
    };
    let text: String = text.chars().map(plain).collect();
    // `--context` becomes `–context` or `—context`; a single letter had one dash.
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        match c {
            '–' | '—' if before == ' ' => {
                let mut ahead = chars.clone();
                let long =
                    ahead.next().is_some_and(char::is_alphanumeric) && ahead.next().is_some_and(|c| !c.is_whitespace());
                out.push_str(if long || chars.peek() == Some(&' ') { "--" } else { "-" });
            }
            '–' | '—' => out.push('-'),
            c => out.push(c),
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(line: &str) -> String {
        let Some(s) = read(line) else { return "-".to_owned() };
        let mut out = format!("{} {} {:?} {:?}", s.program, s.command.verb, s.command.kinds, s.command.names);
        for (name, text) in [("ssh", s.ssh), ("filter", s.filter), ("kubeconfig", s.command.kubeconfig)] {
            out += &text.map_or(String::new(), |text| format!(" {name}={text}"));
        }
        if s.redirected { out + " redirected" } else { out }
    }

    #[test]
    fn names_that_people_give_to_programs() {
        let show = |line: &str| {
            read_prompted(line).map_or("-".to_owned(), |shell| format!("{} {}", shell.program, shell.command.verb))
        };
        assert_eq!(show("kc -n edge get svc"), "kubectl get");
        assert_eq!(show("e endpoint status --cluster -w table"), "etcdctl etcdctl");
        assert_eq!(show("kk logs web-0"), "kubectl logs");
        for line in
            ["git describe --tags", "go get nodes", "we get it", "i describe things", "helmfile get pods", "ab cd"]
        {
            assert_eq!(show(line), "-", "{line}");
        }
    }

    #[test]
    fn what_ran() {
        insta::assert_snapshot!(show("kubectl get nodes   (only the first ones)"), @r#"kubectl get ["nodes"] []"#);
        insta::assert_snapshot!(show("sudo kubectl get nodes | grep -v Ready"), @r#"kubectl get ["nodes"] [] filter=grep -v Ready"#);
        insta::assert_snapshot!(show("ETCDCTL_API=3 etcdctl --endpoints=https://127.0.0.1:2379 member list"), @"etcdctl etcdctl [] []");
        insta::assert_snapshot!(show("kubectl -n kube-system exec etcd-a -- etcdctl member list"), @"etcdctl etcdctl [] []");
        insta::assert_snapshot!(show("ssh -i key core@cp-1 sudo crictl ps -a"), @"crictl crictl [] [] ssh=cp-1");
        insta::assert_snapshot!(show("ssh [email protected]"), @"ssh ssh [] []");
        insta::assert_snapshot!(show("ssh cp-b timedatectl"), @"timedatectl timedatectl [] [] ssh=cp-b");
        insta::assert_snapshot!(show("kubectl debug node/w-1 -it --image=busybox -- chroot /host journalctl -u kubelet"), @"journalctl journalctl [] [] ssh=w-1");
        insta::assert_snapshot!(show("oc debug node/w-1"), @"ssh ssh [] [] ssh=w-1");
        insta::assert_snapshot!(show("kubectl debug web-0 -it --image=busybox"), @"kubectl debug [] []");
        insta::assert_snapshot!(show("ssh core@cp-1 'sudo crictl ps -a | head'"), @"crictl crictl [] [] ssh=cp-1 filter=head");
        insta::assert_snapshot!(show("kubectl exec -n kube-system etcd-cp-1 -- sh -c 'ETCDCTL_API=3 etcdctl member list'"), @"etcdctl etcdctl [] []");
        insta::assert_snapshot!(show("kubectl exec web-1 -- sh -c 'cat /etc/hosts'"), @"kubectl exec [] []");
        insta::assert_snapshot!(show("docker exec kind-control-plane crictl ps -a"), @"crictl crictl [] [] ssh=kind-control-plane");
        insta::assert_snapshot!(show("docker exec web df -h"), @"docker exec [] []");
        insta::assert_snapshot!(show("talosctl -n 10.0.0.5 dmesg"), @"talosctl talosctl [] [] ssh=10.0.0.5");
        insta::assert_snapshot!(show("sudo chroot /host crictl ps"), @"crictl crictl [] []");
        insta::assert_snapshot!(show("cd /tmp && k get po -A > a.txt"), @r#"kubectl get ["po"] [] redirected"#);
        insta::assert_snapshot!(show("kubectl get no -w"), @r#"kubectl get ["no"] [] filter=watch"#);
        insta::assert_snapshot!(show("kubectl exec etcd-cp-1 -- etcdctl member list -w table"), @"etcdctl etcdctl [] []");
        insta::assert_snapshot!(show("watch -n 5 kubectl get no"), @r#"kubectl get ["no"] [] filter=watch"#);
        insta::assert_snapshot!(show("kubectl get no; kubectl get po"), @"several  [] []");
        insta::assert_snapshot!(show("date -u; kubectl get no"), @r#"kubectl get ["no"] []"#);
        insta::assert_snapshot!(show("kubectl get pods –n x —output wide"), @r#"kubectl get ["pods"] []"#);
        insta::assert_snapshot!(show("sudo -i"), @"sudo  [] []");
        insta::assert_snapshot!(show("velero backup get"), @r#"velero get ["backups.velero.io"] []"#);
        insta::assert_snapshot!(show("velero -n save get restores last"), @r#"velero get ["restores.velero.io"] ["last"]"#);
        insta::assert_snapshot!(show("velero backup describe a"), @"velero velero [] []");
        insta::assert_snapshot!(show("KUBECONFIG=wl.conf kubectl get no"), @r#"kubectl get ["no"] [] kubeconfig=wl.conf"#);
        assert_eq!(show("cost is too much"), "-");
    }
}
