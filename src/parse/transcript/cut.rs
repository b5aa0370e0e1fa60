//! Cuts a pasted session into commands and what follows each of them.
//!
//! Invariant: every line belongs to exactly one part, and the parts come in the order of the text.

use crate::transcript::cluster_title;
use crate::transcript::dialect::fence;
use crate::transcript::heading;
use crate::transcript::prompt;
use crate::transcript::shell;
use crate::transcript::shell::Shell;
use std::collections::BTreeSet;
use std::ops::Range;

/// A stretch of lines, by their indexes.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The lines of the command itself; empty for what stands before the first command or in a fence
    /// without one.
    pub typed: Range<usize>,
    /// What was typed, if its program is known.
    pub shell: Option<Shell>,
    /// The host that the prompt names.
    pub host: Option<String>,
    /// The context that the prompt names.
    pub context: Option<String>,
    /// The prompt can be nothing else.
    pub strong: bool,
    /// There was no prompt: the line began with the program.
    pub bare: bool,
    /// The lines that follow, up to the next part.
    pub follows: Range<usize>,
    /// They stand in a Markdown fence.
    pub fenced: bool,
    /// The word behind the mark that opened the fence: `bash`, `yaml`.
    pub language: String,
}

impl Part {
    fn empty(at: usize, fenced: bool) -> Self {
        Self {
            typed: at..at,
            shell: None,
            host: None,
            context: None,
            strong: false,
            bare: false,
            follows: at..at,
            fenced,
            language: String::new(),
        }
    }
}

/// Verbs of kubectl: what follows its name in a command, and seldom in a sentence.
const VERBS: [&str; 34] = [
    "get",
    "describe",
    "logs",
    "config",
    "exec",
    "top",
    "version",
    "api-resources",
    "api-versions",
    "apply",
    "delete",
    "auth",
    "cluster-info",
    "annotate",
    "label",
    "rollout",
    "patch",
    "project",
    "events",
    "debug",
    "drain",
    "cordon",
    "uncordon",
    "wait",
    "create",
    "replace",
    "scale",
    "edit",
    "run",
    "taint",
    "explain",
    "adm",
    "diff",
    "set",
];

/// Is this surely a command, not a sentence that begins with the name of a program?
fn is_command(shell: &Shell) -> bool {
    match shell.program.as_str() {
        "kubectl" => VERBS.contains(&shell.command.verb.as_str()),
        "ssh" | "exit" | "logout" => shell.arguments.len() < 4,
        _ => true,
    }
}

/// What was typed in this line, if it is a line of a session.
fn typed(line: &str, in_fence: bool) -> Option<Part> {
    let mut part = Part::empty(0, in_fence);
    if let Some(found) = prompt::read(line) {
        part.host = found.host.map(str::to_owned);
        part.context = found.context.map(str::to_owned);
        part.strong = found.strong;
        part.shell = shell::read_prompted(found.command);
        if part.strong {
            return Some(part);
        }
        let dollar = line.trim_start().starts_with('$');
        if line.contains(['➜', '❯', 'λ']) && part.shell.is_none() {
            // The directory and the branch stand between the arrow and the command.
            let words: Vec<&str> = found.command.split_whitespace().collect();
            part.shell = (1..words.len().min(6)).find_map(|from| shell::read(&words[from..].join(" ")));
        }
        let shell = part.shell.as_ref()?;
        return (is_command(shell) && (dollar || shell.is_read())).then_some(part);
    }
    if let Some((_, shell)) = heading::read(line).filter(|(_, shell)| is_command(shell)) {
        part.shell = Some(shell);
        return Some(part);
    }
    let bare = shell::read(line).filter(|shell| {
        let typed = shell::straighten(line);
        let plain = ["kubectl", "oc", "etcdctl", "crictl", "journalctl"].contains(&shell.program.as_str())
            || shell::is_typed(&shell.program, &shell.arguments);
        let sentence = line.trim_end().ends_with(['.', ':', ',', '?']) || line.starts_with(' ');
        plain && is_command(shell) && !sentence && typed.split_whitespace().count() > 1
    })?;
    part.shell = Some(bare);
    part.bare = true;
    Some(part)
}

/// A heading without a known command, among others that have one: it ends their sections.
fn titled(line: &str, styles: &BTreeSet<heading::Style>, in_fence: bool) -> Option<Part> {
    let text = heading::of_style(line, styles)?;
    let shell = shell::read(text).filter(|shell| shell.program != "several" && is_command(shell));
    Some(Part { shell, bare: true, ..Part::empty(0, in_fence) })
}

/// The sign that begins a line of a session, and all that stands before it.
fn sign(line: &str) -> Option<&str> {
    let found = prompt::read(line)?;
    let end = line.len().checked_sub(found.command.len()).filter(|_| line.ends_with(found.command))?;
    let sign = line.get(..end)?.trim();
    // A comment, a quotation and an item of a list begin with one of these as well.
    (!matches!(sign, "" | "#" | ">" | "%" | "+")).then_some(sign)
}

/// The signs in front of commands that are known: behind one of them every word is a command.
fn signs(lines: &[String]) -> BTreeSet<&str> {
    let is_known = |line: &&String| {
        typed(line, false).is_some_and(|part| !part.bare && part.shell.is_some_and(|shell| shell.is_read()))
    };
    lines
        .iter()
        .filter(|line| line.len() < LONGEST && line.contains(SIGNS))
        .filter(is_known)
        .filter_map(|line| sign(line))
        .collect()
}

/// The places that the signs of a session name, if they name several: who has two terminals open calls them so (`hub> `,
/// `edge$ `). A folder stands there as well, which only `cd` changes.
fn places<'l>(lines: &[String], signs: &BTreeSet<&'l str>) -> BTreeSet<&'l str> {
    let places: BTreeSet<&str> = signs.iter().filter_map(|sign| place(sign)).collect();
    let changes_folder = |line: &String| {
        line.len() < LONGEST && prompt::read(line).is_some_and(|found| found.command.split(' ').next() == Some("cd"))
    };
    if places.len() > 1 && !lines.iter().any(changes_folder) { places } else { BTreeSet::new() }
}

/// The one word of a sign, directly before its mark.
fn place(sign: &str) -> Option<&str> {
    let word = sign.strip_suffix(['$', '#', '>', '%'])?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_shell =
        ["sh-", "bash-"].iter().any(|shell| word.starts_with(shell)) || matches!(word, "sh" | "bash" | "zsh");
    (word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.chars().all(plain) && !is_shell).then_some(word)
}

/// What was typed behind a sign of this session, whatever program it was: it ends what the command above printed.
fn any_typed(line: &str, signs: &BTreeSet<&str>, in_fence: bool) -> Option<Part> {
    if signs.is_empty() || line.len() >= LONGEST || !signs.contains(sign(line)?) {
        return None;
    }
    let found = prompt::read(line)?;
    let begins = found.command.starts_with(|c: char| c.is_ascii_lowercase() || matches!(c, '.' | '/'));
    begins.then(|| Part {
        host: found.host.map(str::to_owned),
        context: found.context.map(str::to_owned),
        strong: true,
        ..Part::empty(0, in_fence)
    })
}

/// Bytes of a line that may be a prompt with its command.
const LONGEST: usize = 500;
/// One of these stands in each prompt that tells others.
const SIGNS: [char; 6] = ['$', '#', '❯', '➜', 'λ', '>'];

/// Is this a line in which a command was typed?
pub(super) fn is_typed(line: &str) -> bool {
    typed(line, false).is_some_and(|part| part.shell.is_some_and(|shell| shell.is_read()))
}

/// Cuts a text that is `dialect::clean`.
pub fn cut(lines: &[String]) -> Vec<Part> {
    let mut parts = vec![Part::empty(0, false)];
    let mut open: Option<String> = None;
    let mut language = String::new();
    let styles = heading::styles(lines);
    let signs = signs(lines);
    let places = places(lines, &signs);
    let titles = cluster_title::styles(lines);
    let mut cluster: Option<String> = None;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if let Some((marks, word)) = fence(line) {
            match &open {
                Some(opened) if opened.starts_with(marks.chars().next().unwrap_or('`')) && word.is_empty() => {
                    open = None
                }
                Some(_) => {}
                None => {
                    open = Some(marks.to_owned());
                    word.split([' ', ',', '{']).next().unwrap_or_default().clone_into(&mut language);
                }
            }
            at += 1;
            // A command whose output stands in the next fence goes on.
            let waits = parts.last().is_some_and(|part| {
                part.shell.is_some() && lines[part.follows.start..at - 1].iter().all(|line| introduces(line))
            });
            if waits && let Some(part) = parts.last_mut() {
                part.follows.end = at;
                part.fenced = open.is_some();
                part.language.clone_from(&language);
            } else {
                let mut part = Part::empty(at - 1, open.is_some());
                part.follows = at - 1..at;
                part.language.clone_from(&language);
                if open.is_some() {
                    part.shell =
                        lines[..at - 1].iter().rev().find(|line| !line.trim().is_empty()).and_then(|line| spoken(line));
                }
                parts.push(part);
            }
            continue;
        }
        let found = typed(line, open.is_some())
            .or_else(|| titled(line, &styles, open.is_some()))
            .or_else(|| any_typed(line, &signs, open.is_some()));
        if let Some(mut part) = found {
            let mut end = at + 1;
            let mut whole = line.trim_end().to_owned();
            while whole.ends_with('\\') && end < lines.len() && end - at < 40 {
                whole.pop();
                whole.push_str(lines[end].trim_start_matches(['>', ' ']).trim_end());
                end += 1;
            }
            if let Some(word) = heredoc(&whole)
                && let Some(length) = lines[end..].iter().take(2000).position(|line| line.trim() == word)
            {
                end += length + 1;
            }
            if end > at + 1
                && let Some(joined) = typed(&whole, open.is_some())
            {
                part = joined;
            }
            if part.host.is_none() && part.context.is_none() && !places.is_empty() {
                part.host = sign(line).and_then(place).filter(|place| places.contains(place)).map(str::to_owned);
            }
            part.context = part.context.or_else(|| cluster.clone().filter(|_| part.shell.is_some()));
            // A title is no command.
            part.typed = if part.shell.is_none() && !part.strong { at..at } else { at..end };
            part.follows = part.typed.end..end;
            part.language.clone_from(&language);
            parts.push(part);
            at = end;
            continue;
        }
        cluster = Some(lines).filter(|_| open.is_none()).and_then(|lines| cluster_of(lines, at, &titles)).or(cluster);
        at += 1;
        if let Some(part) = parts.last_mut() {
            part.follows.end = at;
        }
    }
    parts
}

/// The cluster whose title this line is.
fn cluster_of(lines: &[String], at: usize, styles: &BTreeSet<cluster_title::Style<'_>>) -> Option<String> {
    cluster_title::at(lines, at, styles, |line| typed(line, false).is_some_and(|part| part.shell.is_some()))
}

/// The command in a sentence whose output stands in the fence below it: ``the logs of `kubectl logs web-0` say:``.
fn spoken(line: &str) -> Option<Shell> {
    let line = line.trim().trim_end_matches(['*', '_']);
    if !line.ends_with([':', '：']) {
        return None;
    }
    let mut found =
        line.split('`').skip(1).step_by(2).filter_map(shell::read).filter(|shell| shell.is_read() && is_command(shell));
    found.next().filter(|_| found.next().is_none())
}

/// The word that ends a heredoc.
fn heredoc(command: &str) -> Option<String> {
    let (_, rest) = command.split_once("<<")?;
    let word = rest.trim_start_matches('-').split_whitespace().next()?.trim_matches(['\'', '"']);
    (!word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')).then(|| word.to_owned())
}

/// A line that may stand between a command and its output: blank, a fence, or `The output:`.
pub(crate) fn introduces(line: &str) -> bool {
    let line = line.trim().trim_matches('*').to_lowercase();
    line.is_empty()
        || fence(&line).is_some()
        || heading::is_rule(&line)
        || line.len() < 60
            && line.ends_with(':')
            && ["output", "the output", "result", "the result", "returns", "which gives", "it printed", "this prints"]
                .iter()
                .any(|start| line.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::dialect::clean;

    fn show(text: &str) -> String {
        let lines = clean(text);
        let mut out = String::new();
        for part in cut(&lines) {
            let verb =
                part.shell.map_or("-".to_owned(), |shell| format!("{} {:?}", shell.command.verb, shell.command.kinds));
            let (typed, follows) = (part.typed, part.follows);
            out += &format!("{verb} {:?} typed {typed:?} follows {follows:?}\n", part.host);
        }
        out
    }

    #[test]
    fn commands_and_what_follows() {
        insta::assert_snapshot!(show("a note\n$ kubectl get \\\n  nodes\nNAME\nroot@cp-1:~# ls\nx\n"), @r#"
        - None typed 0..0 follows 0..1
        get ["nodes"] None typed 1..3 follows 3..4
        ls [] Some("cp-1") typed 4..5 follows 5..6
        "#);
    }

    #[test]
    fn a_sign_of_the_session_begins_a_command_of_any_program() {
        insta::assert_snapshot!(show("❯ kubectl get no\nNAME\n❯ nc -zv a 179\nx\n> quoted\n"), @r#"
        - None typed 0..0 follows 0..0
        get ["no"] None typed 0..1 follows 1..2
        - None typed 2..3 follows 3..5
        "#);
        insta::assert_snapshot!(show("kubectl get no\nNAME\n❯ nc -zv a 179\n"), @r#"
        - None typed 0..0 follows 0..0
        get ["no"] None typed 0..1 follows 1..3
        "#);
    }

    #[test]
    fn signs_that_name_their_terminals() {
        let hosts = |text: &str| -> Vec<Option<String>> {
            cut(&clean(text)).into_iter().filter(|part| part.shell.is_some()).map(|part| part.host).collect()
        };
        let two = "hub> kubectl get no\nNAME\nedge> kubectl get no\nNAME\nhub> kubectl get po\n";
        assert_eq!(hosts(two), ["hub", "edge", "hub"].map(|host| Some(host.to_owned())));
        assert_eq!(hosts("hub> kubectl get no\nNAME\nhub> kubectl get po\n"), [None, None]);
        // A folder, and the shell of a container.
        let folders = "infra$ kubectl get no\nNAME\ninfra$ cd ../apps\napps$ kubectl get no\n";
        assert!(hosts(folders).iter().all(Option::is_none));
        let shell = "hub$ kubectl get no\nNAME\nsh-4.4$ kubectl get no\n";
        assert!(hosts(shell).iter().all(Option::is_none));
    }

    #[test]
    fn fences_and_quotes() {
        insta::assert_snapshot!(show("> ```console\n> $ kubectl get no\n> NAME\n> ```\n> end\n"), @r#"
        - None typed 0..0 follows 0..0
        - None typed 0..0 follows 0..1
        get ["no"] None typed 1..2 follows 2..3
        - None typed 3..3 follows 3..5
        "#);
        insta::assert_snapshot!(show("```\nkubectl get no\n```\nOutput:\n```\nNAME\n```\n"), @r#"
        - None typed 0..0 follows 0..0
        - None typed 0..0 follows 0..1
        get ["no"] None typed 1..2 follows 2..6
        - None typed 6..6 follows 6..7
        "#);
    }
}
