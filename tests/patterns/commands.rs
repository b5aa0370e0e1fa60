//! Every command of every signature, in steps and in asks: a shell can read it, the programs know its flags, and zsh takes
//! it as bash does.
//!
//! Why: nobody runs these commands before the night in which somebody needs them. What a program knows is data,
//! `tests/data/commands/flags.txt`.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use signature::load::Library;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// The commands of the library, each with the signatures that have it. Placeholders read as a word.
fn commands() -> BTreeMap<String, BTreeSet<String>> {
    let library = Library::built_in().expect("the built-in signatures are valid");
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for signature in &library.signatures {
        let steps = signature.remediation.steps.iter();
        let steps = steps.filter_map(|step| step.command.as_ref()).map(ToString::to_string);
        let asks = signature.evidence.iter().filter_map(|evidence| evidence.collect.as_ref());
        for command in steps.chain(asks.map(|ask| ask.run.to_string())) {
            all.entry(filled_in(&command)).or_default().insert(signature.id.clone());
        }
    }
    all
}

/// A command with words for what a person fills in: `<node>`, `{pod.name}`.
fn filled_in(command: &str) -> String {
    let mut out = String::new();
    let mut rest = command;
    while let Some(at) = rest.find(['<', '{']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let close = if from.starts_with('<') { '>' } else { '}' };
        let inner = from.get(1..).and_then(|inner| inner.split_once(close));
        let is_word = |text: &str| {
            !text.is_empty()
                && text.chars().all(|c| c.is_alphanumeric() || "-_./ :'[]=\"*".contains(c))
                && !text.starts_with(' ')
        };
        match inner {
            // `${x}` and `awk '{print $1}'` are the shell's and awk's own.
            Some((word, after)) if is_word(word) && !before.ends_with('$') && !word.starts_with("print") => {
                out.push_str("filled-in");
                rest = after;
            }
            _ => {
                out.push_str(from.get(..1).unwrap_or_default());
                rest = from.get(1..).unwrap_or_default();
            }
        }
    }
    out + rest
}

/// A word of a command, without its quotes, and whether the shell would look for files for it.
#[derive(Default, Debug)]
struct Word {
    text: String,
    globs: bool,
}

/// The simple commands of a line, also those inside of `$(...)`: what separates them is dropped.
fn simple_commands(line: &str) -> Vec<Vec<Word>> {
    let mut all: Vec<Vec<Word>> = Vec::new();
    let mut words: Vec<Word> = Vec::new();
    let mut word: Option<Word> = None;
    let mut chars = line.chars().peekable();
    let mut quote: Option<char> = None;
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('\''), c) => word.get_or_insert_default().text.push(c),
            (_, '$') if chars.peek() == Some(&'(') => {
                chars.next();
                let mut depth = 1;
                let mut inner = String::new();
                for c in chars.by_ref() {
                    depth += match c {
                        '(' => 1,
                        ')' => -1,
                        _ => 0,
                    };
                    if depth == 0 {
                        break;
                    }
                    inner.push(c);
                }
                all.extend(simple_commands(&inner));
                word.get_or_insert_default().text.push('x');
            }
            (_, '\\') => word.get_or_insert_default().text.extend(chars.next()),
            (Some(_), c) => word.get_or_insert_default().text.push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ';' | '|' | '&' | '\n' | '(' | ')') => {
                words.extend(word.take());
                all.push(std::mem::take(&mut words));
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => {
                let word = word.get_or_insert_default();
                word.globs |= matches!(c, '*' | '?' | '[');
                word.text.push(c);
            }
        }
    }
    words.extend(word);
    all.push(words);
    all.retain(|words| !words.is_empty());
    all
}

/// Words that stand before a command: of the shell, and of who runs it.
fn leads(word: &str) -> bool {
    ["sudo", "do", "then", "else", "if", "while", "time", "!", "{"].contains(&word)
        || word.split_once('=').is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
}

/// Which flags which program knows, by its name with the beginning of its subcommand.
fn known() -> BTreeMap<Vec<String>, BTreeSet<String>> {
    let text = include_str!("../data/commands/flags.txt");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let row = |line: &str| {
        let (program, flags) = line.split_once(':').expect("`program: flags`");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        (words(program), words(flags).into_iter().collect())
    };
    lines.map(row).collect()
}

/// What is wrong with the flags of a simple command.
fn unknown_flags(words: &[Word], known: &BTreeMap<Vec<String>, BTreeSet<String>>) -> Vec<String> {
    let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).skip_while(|word| leads(word)).collect();
    let Some(program) = words.first() else { return Vec::new() };
    let program = program.rsplit('/').next().unwrap_or(program);
    if !known.keys().any(|key| key.first().is_some_and(|name| name == program)) {
        return Vec::new();
    }
    // The words that are no flags tell the subcommand, wherever flags stand between them.
    let plain: Vec<&str> = words.iter().copied().skip(1).filter(|word| !word.starts_with('-')).collect();
    let fits = |key: &Vec<String>| {
        key.first().is_some_and(|name| name == program) && key.iter().skip(1).all(|part| plain.contains(&part.as_str()))
    };
    let rows: Vec<(&Vec<String>, &BTreeSet<String>)> = known.iter().filter(|(key, _)| fits(key)).collect();
    let all: BTreeSet<&str> = rows.iter().flat_map(|(_, flags)| flags.iter()).map(String::as_str).collect();
    if all.contains("*") {
        return Vec::new();
    }
    let given =
        words.iter().skip(1).take_while(|word| **word != "--").filter(|word| word.starts_with('-') && word.len() > 1);
    let given = given.map(|word| word.split('=').next().unwrap_or(word));
    // `-n5`, `-sk`: letters that are flags each, or the value of the first.
    let is_known = |flag: &str| {
        let mut letters = flag.chars().skip(1);
        let first = letters.next().map(|letter| format!("-{letter}")).unwrap_or_default();
        let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        let value = |text: &str| !text.bytes().any(|b| b.is_ascii_alphabetic());
        all.contains(flag)
            || !flag.starts_with("--")
                && (all.contains(first.as_str())
                    && (value(flag.get(2..).unwrap_or_default())
                        || letters.all(|letter| all.contains(format!("-{letter}").as_str())))
                    || number(flag.get(1..).unwrap_or_default()))
    };
    given.filter(|flag| !is_known(flag)).map(|flag| format!("{program} does not know {flag}")).collect()
}

#[test]
fn programs_know_the_flags_of_every_command() {
    let known = known();
    let mut wrong = Vec::new();
    for (command, ids) in commands() {
        for words in simple_commands(&command) {
            wrong.extend(unknown_flags(&words, &known).iter().map(|why| format!("{why}: {command} ({ids:?})")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn zsh_leaves_the_words_of_every_command_alone() {
    let mut wrong = Vec::new();
    for (command, ids) in commands() {
        for words in simple_commands(&command) {
            // An absolute path is meant to name files; zsh fails where a word that names none holds such a letter.
            let bad = words.iter().filter(|word| word.globs && !word.text.starts_with('/'));
            wrong.extend(bad.map(|word| format!("{} is not quoted: {command} ({ids:?})", word.text)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn bash_can_read_every_command() {
    if !Path::new("/bin/bash").exists() && !Path::new("/usr/bin/bash").exists() {
        return;
    }
    // All of them as one script, each in a function of its own: one process instead of hundreds.
    let shared = catalogue::texts::commands().map(|command| (command.to_owned(), BTreeSet::new()));
    let commands: Vec<(String, BTreeSet<String>)> = commands().into_iter().chain(shared).collect();
    let script: String = commands.iter().map(|(command, _)| format!("f() {{\n{command}\n}}\n")).collect();
    let readable = |script: &str| {
        // An argument may be too long for the system; a file may not.
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(file.path(), script).expect("written");
        let out = Command::new("bash").arg("-n").arg(file.path()).output().expect("bash runs");
        (out.status.success(), String::from_utf8_lossy(&out.stderr).into_owned())
    };
    if readable(&script).0 {
        return;
    }
    let one = |(command, ids): &(String, BTreeSet<String>)| {
        let (fine, why) = readable(command);
        (!fine).then(|| format!("{command} ({ids:?}): {why}"))
    };
    let wrong: Vec<String> = commands.iter().filter_map(one).collect();
    panic!("{}", wrong.join("\n"));
}

#[test]
fn what_is_wrong_is_found() {
    let known = known();
    let flags = |command: &str| -> Vec<String> {
        simple_commands(command).iter().flat_map(|words| unknown_flags(words, &known)).collect()
    };
    assert!(flags("kubectl get pods -A -o yaml").is_empty());
    assert!(flags("kubectl -n shop logs web-1 -c app --previous --timestamps").is_empty());
    assert_eq!(flags("kubectl get pods --all-namespace"), ["kubectl does not know --all-namespace"]);
    assert_eq!(flags("for c in $(crictl ps --nam etcd); do crictl logs $c; done"), ["crictl does not know --nam"]);
    assert_eq!(flags("x=1; sudo etcdctl endpoint status --cluste -w table"), ["etcdctl does not know --cluste"]);
    assert!(flags("curl -skv https://x; tail -n50 f; head -1 f").is_empty());
    let globs = |command: &str| simple_commands(command).iter().flatten().any(|word| word.globs);
    assert!(globs("curl https://x/readyz?verbose") && !globs("curl 'https://x/readyz?verbose'"));
    assert_eq!(
        filled_in("kubectl logs -n {pod.namespace} <pod> | awk '{print $1}'"),
        "kubectl logs -n filled-in filled-in | awk '{print $1}'"
    );
}
