//! The prompt of a shell in front of a command.
//!
//! Two strengths. A **strong** prompt names a user and a host, a directory or a context, and nothing else
//! looks like it. A **weak** one is a bare `$`, `#`, `%`, `>` or `+`, which begins prose, comments, quotes
//! and diffs as well: it counts only in front of a program that is known.
//!
//! Invariant: what is in front of the command is taken off whole; a line without a prompt gives `None`.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_till1, take_while, take_while1};
use nom::character::complete::{char, one_of, space0};
use nom::combinator::{opt, peek, recognize, rest, value, verify};
use nom::multi::many_m_n;
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

/// A prompt with the command behind it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Prompt<'a> {
    /// The host it names.
    pub host: Option<&'a str>,
    /// The context of kubectl it names (`(prod:default) $`).
    pub context: Option<&'a str>,
    /// Nothing but a prompt looks like it.
    pub strong: bool,
    /// What was typed; empty if nothing was.
    pub command: &'a str,
}

/// The prompt at the start of a line.
pub(crate) fn read(line: &str) -> Option<Prompt<'_>> {
    // The second line of a prompt of two.
    let line = line.trim();
    let line = if line.starts_with(['╰', '└']) { line.trim_start_matches(['╰', '└', '─']) } else { line };
    let (input, context) = terminated(opt(kube), space0::<&str, nom::error::Error<&str>>).parse(line).ok()?;
    let (command, (host, strong)) =
        alt((bracketed, user_at_host, host_and_folder, shell, windows, arrow, symbol, weak, chosen, home))
            .parse(input)
            .ok()?;
    let context = context.flatten();
    Some(Prompt { host, context, strong: strong || context.is_some(), command: command.trim() })
}

/// Pieces of a prompt that somebody put together.
const MOST_PIECES: usize = 4;

type Found<'a> = IResult<&'a str, (Option<&'a str>, bool)>;

fn word(input: &str) -> IResult<&str, &str> {
    take_while1(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')).parse(input)
}

/// The sign at the end, with a blank or nothing behind it.
fn sign(input: &str) -> IResult<&str, char> {
    terminated(one_of("$#%>"), alt((value((), char(' ')), value((), nom::combinator::eof)))).parse(input)
}

/// `(⎈|prod:default)`, `(prod:default)`; what else stands in brackets (`(venv)`) says nothing.
fn kube(input: &str) -> IResult<&str, Option<&str>> {
    let inner = take_till1(|c: char| c == ')' || c.is_whitespace());
    let (input, inner) = delimited(char('('), inner, char(')')).parse(input)?;
    let inner = inner.trim_start_matches(['⎈', '|']);
    Ok((input, inner.rsplit_once([':', '|']).map(|(context, _)| context).filter(|context| !context.is_empty())))
}

/// `[root@cp-1 ~]# `
fn bracketed(input: &str) -> Found<'_> {
    let at = preceded((word, char('@')), word);
    let (input, host) =
        delimited(char('['), terminated(at, (space0, take_till1(|c| c == ']'))), char(']')).parse(input)?;
    let (input, _) = preceded(space0, sign).parse(input)?;
    Ok((input, (Some(host), true)))
}

/// `admin@cp-1:~/work$ `, `root@cp-1 ~ # `
fn user_at_host(input: &str) -> Found<'_> {
    let (input, host) = preceded((word, char('@')), word).parse(input)?;
    let directory = take_while(|c: char| !c.is_whitespace() && !matches!(c, '$' | '#' | '%' | '>'));
    let (input, _) = (opt(char(':')), space0, directory, space0, sign).parse(input)?;
    Ok((input, (Some(host), true)))
}

/// `cp-1:/home/core # `, `jump:~$ `, `jump:~% `
fn host_and_folder(input: &str) -> Found<'_> {
    let folder = take_while1(|c: char| !c.is_whitespace() && !matches!(c, '$' | '#' | '%' | '>'));
    let (input, host) = terminated(word, char(':')).parse(input)?;
    let (input, _) = preceded(peek(one_of("~/")), (folder, space0, sign)).parse(input)?;
    Ok((input, (Some(host), true)))
}

/// `☩ `, `-> `, `»  `: a sign that somebody chose. It begins lists and quotes as well.
fn symbol(input: &str) -> Found<'_> {
    let odd = recognize(verify(nom::character::complete::anychar, |c| {
        !c.is_ascii() && !c.is_alphanumeric() && !"•‣◦●○–—…├└│".contains(*c)
    }));
    let (input, _) = (alt((tag("->"), tag("=>"), tag(">>>"), odd)), char(' '), space0).parse(input)?;
    let (input, _) =
        peek(verify(rest, |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic()))).parse(input)?;
    Ok((input, (None, false)))
}

/// `sh-4.4# `, `bash-5.1$ `, `/ # `, `~ # `
fn shell(input: &str) -> Found<'_> {
    let version = take_while1(|c: char| c.is_ascii_digit() || c == '.');
    let named = recognize((alt((tag("sh-"), tag("bash-"))), version, sign));
    let folder = recognize((alt((tag("/"), tag("~"))), char(' '), sign));
    let (input, _) = alt((named, folder)).parse(input)?;
    Ok((input, (None, true)))
}

/// `PS C:\Users\a> `, `C:\> `
fn windows(input: &str) -> Found<'_> {
    let drive = (take_while1(|c: char| c.is_ascii_uppercase()), tag(":\\"), take_while(|c| c != '>'), char('>'));
    let (input, _) = (opt(tag("PS ")), drive, space0).parse(input)?;
    Ok((input, (None, true)))
}

/// `➜  work git:(main) ✗ `, `❯ `; the command begins at a program, which the caller knows.
fn arrow(input: &str) -> Found<'_> {
    let (input, _) = (alt((char('➜'), char('❯'), char('λ'))), space0).parse(input)?;
    Ok((input, (None, false)))
}

/// `~ `: a folder and nothing else, as some shells show it.
fn home(input: &str) -> Found<'_> {
    let letter = verify(rest, |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic()));
    let (input, _) = (tag("~ "), peek(letter)).parse(input)?;
    Ok((input, (None, false)))
}

/// `$ `, `# `, `% `, `> `, `+ ` (what `set -x` prints).
fn weak(input: &str) -> Found<'_> {
    let plus = terminated(char('+'), char(' '));
    let (input, _) = alt((sign, plus)).parse(input)?;
    let (input, _) = peek(verify(rest, |text: &str| !text.trim().is_empty())).parse(input)?;
    Ok((input, (None, false)))
}

/// What people put together themselves: `~/src/infra (main) ❯ `, `[prod|shop] $ `, `master ~ # `, `jump$ `, `$> `: a few
/// words, folders and brackets, and a sign. It tells nothing, and prose may look like it.
fn chosen(input: &str) -> Found<'_> {
    let word = || take_while1(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '~' | '@' | ':'));
    let inside = |close: char| take_while(move |c: char| c != close && !"$#%>".contains(c));
    let brackets = recognize(delimited(char('['), inside(']'), char(']')));
    let parentheses = recognize((opt(tag("git:")), delimited(char('('), inside(')'), char(')'))));
    let pieces = many_m_n(0, MOST_PIECES, terminated(alt((brackets, parentheses, word())), space0));
    let ends = || alt((value((), char(' ')), value((), nom::combinator::eof)));
    let double = value((), (one_of("$#%"), char('>')));
    let single = value((), one_of("$#%>❯➜›»λ"));
    let (input, _) = (pieces, alt((double, single)), ends()).parse(input)?;
    let (input, _) = peek(verify(rest, |text: &str| !text.trim().is_empty())).parse(input)?;
    Ok((input, (None, false)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(line: &str) -> String {
        let Some(found) = read(line) else { return "-".to_owned() };
        let strength = if found.strong { "strong" } else { "weak" };
        format!("{strength} {:?} {:?} `{}`", found.host, found.context, found.command)
    }

    #[test]
    fn prompts() {
        insta::assert_snapshot!(show("$ kubectl get no"), @"weak None None `kubectl get no`");
        insta::assert_snapshot!(show("root@cp-1:~# crictl ps -a"), @r#"strong Some("cp-1") None `crictl ps -a`"#);
        insta::assert_snapshot!(show("[core@cp-1 ~]$ ls"), @r#"strong Some("cp-1") None `ls`"#);
        insta::assert_snapshot!(show("ops@jump:~/a/b$"), @r#"strong Some("jump") None ``"#);
        insta::assert_snapshot!(show("(⎈|prod:default) ops@jump:~$ k get po"), @r#"strong Some("jump") Some("prod") `k get po`"#);
        insta::assert_snapshot!(show("(prod:kube-system) $ k get po"), @r#"strong None Some("prod") `k get po`"#);
        insta::assert_snapshot!(show("PS C:\\Users\\a> kubectl get no"), @"strong None None `kubectl get no`");
        insta::assert_snapshot!(show("sh-4.4# etcdctl member list"), @"strong None None `etcdctl member list`");
        insta::assert_snapshot!(show("➜  kubectl get no"), @"weak None None `kubectl get no`");
        insta::assert_snapshot!(show("+ kubectl get no"), @"weak None None `kubectl get no`");
        insta::assert_snapshot!(show("☩ ssh cp-1 kubectl get no"), @"weak None None `ssh cp-1 kubectl get no`");
        insta::assert_snapshot!(show("-> kubectl get no"), @"weak None None `kubectl get no`");
        insta::assert_snapshot!(show("» kubectl get no"), @"weak None None `kubectl get no`");
        insta::assert_snapshot!(show("cp-1:/home/core # crictl ps"), @r#"strong Some("cp-1") None `crictl ps`"#);
        insta::assert_snapshot!(show("jump:~% kubectl get no"), @r#"strong Some("jump") None `kubectl get no`"#);
        insta::assert_snapshot!(show("ops@jump:~/work> kubectl get no"), @r#"strong Some("jump") None `kubectl get no`"#);
    }

    #[test]
    fn prompts_that_people_put_together() {
        let all = [
            "~$ ",
            "~ ❯ ",
            "~ $ ",
            "[prod|shop] $ ",
            "~/src/infra (main) $ ",
            "~/src/infra main ❯ ",
            "jump$ ",
            "master ~ # ",
            "$> ",
            "› ",
            "work git:(main) ➜ ",
            "/srv/app (feature/x) % ",
            "~ ",
            "╰─❯ ",
            "╰─$ ",
        ];
        for prompt in all {
            let line = format!("{prompt}kubectl get no");
            let found = read(&line);
            assert_eq!(found.map(|found| found.command), Some("kubectl get no"), "{line}");
        }
    }

    #[test]
    fn near_misses() {
        for line in ["", "ask me@example.com for $5", "a@b", "# ", "$5 is too much", "(see above) it", "cost: $ 5"] {
            assert!(read(line).is_none_or(|found| !found.strong), "{line}");
        }
        assert_eq!(read("ask me@example.com for $5"), None);
        assert_eq!(read("$5 is too much"), None);
    }
}
