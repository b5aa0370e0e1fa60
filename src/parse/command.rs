//! Command lines of kubectl and `oc`: what was asked, so that the answer's scope is known.
//!
//! Invariant: an option that is not known never turns a word behind it into a kind: then the command
//! has no kinds rather than wrong ones.

use crate::secrets;
use facts::record::Command;
use nom::branch::alt;
use nom::bytes::complete::{is_not, take_till1};
use nom::character::complete::{char, space0, space1};
use nom::combinator::{map, opt};
use nom::multi::{fold_many1, separated_list0};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

/// Reads a command line; `None` if it does not call kubectl or `oc`.
///
/// Accepts a path before the program (`/usr/bin/kubectl`), `sudo`, assignments of variables
/// (`KUBECONFIG=a kubectl …`), and stops at `|`, `>`, `;`, `&&`, `2>&1`.
///
/// Its secrets are masked first, while the words that belong together still stand together.
pub fn parse(line: &str) -> Option<Command> {
    let line = &secrets::mask_text(line).0;
    let words = words(line)?;
    let mut words = words.into_iter();
    let mut command = Command { text: line.trim().to_owned(), ..Command::default() };
    loop {
        let word = words.next()?;
        if let Some(path) = word.strip_prefix("KUBECONFIG=") {
            command.kubeconfig = Some(path.to_owned());
        } else if word == "sudo" || word == "time" || is_assignment(&word) {
            continue;
        } else if matches!(word.rsplit('/').next(), Some("kubectl" | "oc" | "k" | "microk8s.kubectl" | "kubectl.exe")) {
            break;
        } else if matches!(word.rsplit('/').next(), Some("k3s" | "rke2" | "k0s" | "microk8s" | "minikube")) {
            // They hold a kubectl of their own.
            match words.next()?.as_str() {
                "kubectl" => break,
                _ => return None,
            }
        } else {
            return None;
        }
    }
    let mut plain = Vec::new();
    let mut sure = true;
    while let Some(word) = words.next() {
        if is_end(&word) {
            break;
        }
        // `minikube kubectl -- get pods`
        if word == "--" && plain.is_empty() {
            continue;
        }
        // Behind it stands what runs in the container, with options of its own.
        if word == "--" {
            break;
        }
        let Some(option) = word.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
            plain.push(word);
            continue;
        };
        let (name, mut attached) = match option.strip_prefix('-') {
            Some(long) => match long.split_once('=') {
                Some((name, text)) => (name.to_owned(), Some(text.to_owned())),
                None => (long.to_owned(), None),
            },
            None => short_option(option),
        };
        let mut argument = || attached.take().or_else(|| words.next());
        match name.as_str() {
            "n" | "namespace" => command.namespace = argument(),
            "l" | "selector" | "field-selector" => {
                let selector = argument();
                command.selector = match (command.selector.take(), selector) {
                    (Some(old), Some(new)) => Some(format!("{old},{new}")),
                    (old, new) => old.or(new),
                };
            }
            "o" | "output" => command.output = argument(),
            "context" => command.context = argument(),
            "kubeconfig" => command.kubeconfig = argument(),
            "cluster" => command.cluster = argument(),
            "s" | "server" => {
                command.cluster = command.cluster.take().or_else(|| argument().and_then(|url| address(&url)))
            }
            "A" | "all-namespaces" => command.all_namespaces = attached.as_deref() != Some("false"),
            "f" if plain.first().is_some_and(|verb| verb == "logs") => {}
            // `kubectl events --for pod/web --types Warning`: some events of all.
            "for" | "types" if plain.iter().any(|word| word == "events") => {
                let chosen = argument().map(|of| format!("--{name} {of}"));
                command.selector = command.selector.take().or(chosen);
            }
            name if TAKES_ARGUMENT.contains(&name) => {
                argument();
            }
            name if attached.is_some() || FLAGS.contains(&name) => {}
            _ => sure = false,
        }
    }
    verb_and_objects(&mut command, plain, sure);
    if command.all_namespaces {
        command.namespace = None;
    }
    Some(command)
}

/// Takes the verb and what it is about; the objects only where each option is known, since a word may belong to one.
fn verb_and_objects(command: &mut Command, plain: Vec<String>, sure: bool) {
    let mut plain = plain.into_iter();
    command.verb = plain.next().unwrap_or_default();
    if command.verb == "alpha" && plain.as_slice().first().is_some_and(|word| word == "events") {
        command.verb = plain.next().unwrap_or_default();
    }
    if command.verb == "events" {
        command.verb = "get".to_owned();
        push_once(&mut command.kinds, "events");
    }
    if sure {
        match command.verb.as_str() {
            "get" | "describe" | "delete" | "wait" => objects(command, plain),
            "logs" => command.names = plain.collect(),
            _ => {}
        }
    }
}

/// `get machines a b`, `get machine/a node/b`, `get machines,kcp`.
fn objects(command: &mut Command, words: impl Iterator<Item = String>) {
    for word in words {
        if let Some((kind, name)) = word.split_once('/') {
            push_once(&mut command.kinds, kind);
            command.names.push(name.to_owned());
        } else if command.kinds.is_empty() {
            for kind in word.split(',').filter(|kind| !kind.is_empty()) {
                push_once(&mut command.kinds, kind);
            }
        } else {
            command.names.push(word);
        }
    }
}

fn push_once(list: &mut Vec<String>, text: &str) {
    if !list.iter().any(|known| known == text) {
        list.push(text.to_owned());
    }
}

/// The address that a URL names; none if it is that of the machine itself, which nobody knows.
fn address(url: &str) -> Option<String> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split('/').next().unwrap_or(rest);
    let own = ["localhost", "127.", "[::1]", "0.0.0.0"].iter().any(|own| host.starts_with(own));
    (!host.is_empty() && !own).then(|| host.to_owned())
}

/// `-nkube-system`, `-oyaml`, `-o=yaml`, `-A`.
fn short_option(option: &str) -> (String, Option<String>) {
    let mut chars = option.chars();
    let name = chars.next().map(String::from).unwrap_or_default();
    let rest = chars.as_str();
    let rest = rest.strip_prefix('=').unwrap_or(rest);
    (name, (!rest.is_empty()).then(|| rest.to_owned()))
}

/// Options with an argument that do not change what the output means here.
/// Source: `kubectl options`, `kubectl get --help`, `kubectl logs --help` @v1.34.
const TAKES_ARGUMENT: [&str; 29] = [
    "as",
    "as-group",
    "as-uid",
    "c",
    "cache-dir",
    "certificate-authority",
    "chunk-size",
    "client-certificate",
    "client-key",
    "container",
    "f",
    "filename",
    "k",
    "kustomize",
    "label-columns",
    "L",
    "limit-bytes",
    "max-log-requests",
    "password",
    "profile",
    "raw",
    "request-timeout",
    "since",
    "since-time",
    "sort-by",
    "subresource",
    "tail",
    "token",
    "v",
];

/// Options without an argument.
const FLAGS: [&str; 25] = [
    "all-containers",
    "all-pods",
    "allow-missing-template-keys",
    "disable-compression",
    "follow",
    "h",
    "help",
    "ignore-errors",
    "ignore-not-found",
    "insecure-skip-tls-verify",
    "match-server-version",
    "no-headers",
    "output-watch-events",
    "p",
    "prefix",
    "previous",
    "R",
    "recursive",
    "show-events",
    "show-kind",
    "show-labels",
    "show-managed-fields",
    "w",
    "watch",
    "watch-only",
];

pub(super) fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    })
}

fn is_end(word: &str) -> bool {
    word.starts_with(['|', '>', ';', '&', '<', '#']) || word.starts_with("2>") || word.starts_with("1>")
}

/// The words of a line as a shell would cut them; `None` if a quote is never closed.
pub(super) fn words(line: &str) -> Option<Vec<String>> {
    let (rest, words) = delimited(space0, separated_list0(space1, word), space0).parse(line.trim()).ok()?;
    rest.is_empty().then_some(words)
}

fn word(input: &str) -> IResult<&str, String> {
    let single = delimited(char('\''), opt(is_not("'")), char('\''));
    let double = delimited(char('"'), opt(is_not("\"")), char('"'));
    let escaped = preceded(char('\\'), nom::bytes::complete::take(1usize));
    let plain = take_till1(|c: char| c.is_whitespace() || "'\"\\".contains(c));
    fold_many1(
        alt((map(single, Option::unwrap_or_default), map(double, Option::unwrap_or_default), escaped, plain)),
        String::new,
        |word, part: &str| word + part,
    )
    .parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(line: &str) -> String {
        let Some(c) = parse(line) else { return "-".to_owned() };
        let mut out = format!("{} {:?} {:?}", c.verb, c.kinds, c.names);
        let options = [
            ("n", c.namespace),
            ("l", c.selector),
            ("o", c.output),
            ("context", c.context),
            ("kubeconfig", c.kubeconfig),
            ("cluster", c.cluster),
            ("A", c.all_namespaces.then(String::new)),
        ];
        for (name, text) in options {
            if let Some(text) = text {
                out += &format!(" {name}={text}");
            }
        }
        out
    }

    #[test]
    fn what_was_asked() {
        insta::assert_snapshot!(show("kubectl -n x get machines -o yaml"), @r#"get ["machines"] [] n=x o=yaml"#);
        insta::assert_snapshot!(show("oc get mhc,kcp -A -owide"), @r#"get ["mhc", "kcp"] [] o=wide A="#);
        insta::assert_snapshot!(show("kubectl get machine/a node/b"), @r#"get ["machine", "node"] ["a", "b"]"#);
        insta::assert_snapshot!(
            show("kubectl --kubeconfig=/tmp/w.conf --context wl describe crp p"),
            @r#"describe ["crp"] ["p"] context=wl kubeconfig=/tmp/w.conf"#
        );
        insta::assert_snapshot!(
            show("KUBECONFIG=w.conf kubectl get work -n m1 -l 'a=b,c!=d' | grep x"),
            @r#"get ["work"] [] n=m1 l=a=b,c!=d kubeconfig=w.conf"#
        );
        insta::assert_snapshot!(
            show("kubectl get pods --field-selector=status.phase=Pending --all-namespaces > out.txt"),
            @r#"get ["pods"] [] l=status.phase=Pending A="#
        );
        insta::assert_snapshot!(show("kubectl --cluster west get svc -A"), @r#"get ["svc"] [] cluster=west A="#);
        insta::assert_snapshot!(
            show("kubectl -s https://10.0.0.9:6443 get svc"),
            @r#"get ["svc"] [] cluster=10.0.0.9:6443"#
        );
        insta::assert_snapshot!(show("kubectl --server=https://127.0.0.1:6443 get svc"), @r#"get ["svc"] []"#);
        insta::assert_snapshot!(show("kubectl logs -f etcd-0 -c etcd"), @r#"logs [] ["etcd-0"]"#);
    }

    #[test]
    fn an_unknown_option_makes_no_kind() {
        insta::assert_snapshot!(show("kubectl get --new-option thing pods"), @"get [] []");
    }

    #[test]
    fn other_programs() {
        assert_eq!(show("etcdctl member list"), "-");
        assert_eq!(show("kubectl get 'unclosed"), "-");
        assert_eq!(show(""), "-");
    }
}
