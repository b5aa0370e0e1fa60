//! Whose log a command of a session shows.
//!
//! Invariant: only what the command names; which Pod or unit that is, whoever puts the bundle together knows.

use super::shell::Shell;
use super::title::Title;

/// What a command says of whose log it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A Pod, or the workload that made it; the namespace if it was typed, the container if its lines stand among others.
    Pod { namespace: Option<String>, name: String, container: Option<String> },
    /// A container as the runtime of a machine calls it: its ID, or the beginning of it, or a name.
    Container(String),
    /// A unit of systemd.
    Unit(String),
    /// A file of the machine.
    File(String),
    /// What somebody called it who pasted it: of a name the form does not tell what it is of.
    Titled(Title),
}

impl Source {
    /// What wrote a log, by its command: `kubectl -n kube-system logs etcd-cp-1`, `journalctl -u kubelet`,
    /// `tail /var/log/cloud-init-output.log`.
    pub(super) fn of(shell: &Shell) -> Option<Self> {
        let words = &shell.arguments;
        match shell.program.as_str() {
            "kubectl" if shell.command.verb == "logs" => {
                let name = shell.command.names.first()?;
                let name = name.rsplit('/').next().unwrap_or(name).to_owned();
                Some(Source::Pod { namespace: shell.command.namespace.clone(), name, container: None })
            }
            "crictl" | "docker" | "nerdctl" | "podman" => {
                let mut behind = words.iter().skip_while(|word| *word != "logs").skip(1);
                while let Some(word) = behind.next() {
                    match word.as_str() {
                        "-n" | "--tail" | "--since" | "--until" => drop(behind.next()),
                        option if option.starts_with('-') => {}
                        // Another command gives its ID: `$(crictl ps --name etcd -q)`.
                        part if part.starts_with(['$', '`']) => return named(behind.map(String::as_str)),
                        id => return Some(Source::Container(id.to_owned())),
                    }
                }
                None
            }
            "journalctl" => {
                let unit = words.iter().enumerate().find_map(|(at, word)| match word.strip_prefix("--unit=") {
                    Some(unit) => Some(unit),
                    None if matches!(word.as_str(), "-u" | "--unit") => words.get(at + 1).map(String::as_str),
                    None => word.strip_prefix("-u").filter(|unit| !unit.is_empty()),
                })?;
                Some(Source::Unit(unit.trim_end_matches(".service").to_owned()))
            }
            "tail" | "cat" | "head" | "less" | "grep" => {
                let mut files = words.iter().filter(|word| word.contains('/') && !word.starts_with('-'));
                files.next_back().map(|path| Source::File(path.clone()))
            }
            _ => None,
        }
    }

    /// What is named.
    pub fn name(&self) -> &str {
        match self {
            Source::Pod { name, .. } | Source::Unit(name) | Source::Container(name) => name,
            Source::Titled(Title { program, name }) => name.as_deref().or(program.as_deref()).unwrap_or_default(),
            Source::File(path) => path.rsplit('/').next().unwrap_or(path).trim_end_matches(".log"),
        }
    }
}

/// The container that the command inside another one asks for.
fn named<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<Source> {
    let name = words.find_map(|word| match word {
        "--name" => Some(None),
        word => word.strip_prefix("--name=").map(Some),
    })?;
    let name = name.or_else(|| words.next())?;
    let name = name.trim_matches(['\'', '"', '^', '$', ')', '`']);
    (!name.is_empty()).then(|| Source::Container(name.to_owned()))
}

/// Does a command show the log of a container before it was started again?
pub(super) fn is_previous(shell: &Shell) -> bool {
    let is_option = |word: &String| matches!(word.as_str(), "-p" | "--previous" | "--previous=true");
    shell.program == "kubectl" && shell.command.verb == "logs" && shell.arguments.iter().any(is_option)
}

/// Were lines picked by what they hold, up to the last one? `tail` takes what it gets.
pub(super) fn is_picked(shell: &Shell) -> bool {
    let filter = shell.filter.as_deref().unwrap_or_default();
    let program = filter.split_whitespace().next().unwrap_or_default();
    // The first of them leave open what came behind.
    let is_limit = |word: &str| word.starts_with("-m") || word.starts_with("--max-count");
    let of_first = shell.cut_off || filter.split_whitespace().any(is_limit);
    !of_first
        && matches!(
            program,
            "grep" | "egrep" | "zgrep" | "rg" | "ag" | "awk" | "sed" | "jq" | "findstr" | "Select-String"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_were_picked_up_to_the_last_one() {
        let is_picked = |line: &str| super::super::shell::read(line).as_ref().is_some_and(is_picked);
        assert!(is_picked("kubectl logs web-0 | grep ERROR"));
        assert!(is_picked("kubectl logs web-0 | grep ERROR | tail -3"));
        assert!(!is_picked("kubectl logs web-0 --tail=20"));
        assert!(!is_picked("kubectl logs web-0 | tail -3"));
        assert!(!is_picked("kubectl logs web-0 | grep ERROR | head -3"));
        assert!(!is_picked("kubectl logs web-0 | awk '/ERROR/' | head"));
        assert!(!is_picked("kubectl logs web-0 | grep -m3 ERROR"));
    }

    #[test]
    fn a_log_of_a_runtime_is_that_of_the_container_behind_the_options() {
        let of = |line: &str| super::super::shell::read(line).as_ref().and_then(Source::of);
        let container = |id: &str| Some(Source::Container(id.to_owned()));
        assert_eq!(of("crictl logs 6f0f8a2a1dd94"), container("6f0f8a2a1dd94"));
        assert_eq!(of("crictl logs --tail 5000 6f0f"), container("6f0f"));
        assert_eq!(of("docker logs -f --since=2h etcd"), container("etcd"));
        assert_eq!(of("crictl logs --help"), None);
        assert_eq!(of("crictl logs $(crictl ps -a --name etcd -q | head -1)"), container("etcd"));
        assert_eq!(of("crictl logs $(crictl ps -q --name='^etcd$')"), container("etcd"));
        assert_eq!(of("docker logs `docker ps -lq`"), None);
    }
}
