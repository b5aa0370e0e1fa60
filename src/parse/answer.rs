//! What the API server and kubectl say instead of objects: `No resources found`, `(NotFound)`,
//! `Forbidden`, a refused connection.
//!
//! Why a parser of its own: these short texts are the only proof of absence that a bundle can hold, and
//! the easiest to read too much into. The text states its own scope where it can; the kind it may take
//! from the command or the member's name, but never from a name that fits several kinds.
//!
//! Texts as of `kubectl/pkg/cmd/get/get.go@v0.34.0`, `kubectl/pkg/cmd/util/helpers.go@v0.34.0`,
//! `apimachinery/pkg/api/errors/errors.go@v0.34.0`.
//!
//! Invariants: an answer is made only for a kind that the text, the command or the member's name tells;
//! everything else is a reason for `unread`.

use crate::failure;
use crate::secrets;
use crate::text_form::form::{NONE, TextForm};
use catalogue::words;
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::kind::{KindName, plural_of};
use facts::order::Order;
use facts::origin::{Citation, MemberId};
use facts::record::{Command, Parsed, Record};
use facts::shortfall::WhyFailed;
use facts::unread::{NoKind, Reporter, WhyUnread};
use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_until, take_while_m_n, take_while1};
use nom::character::complete::{char, one_of, space0, space1};
use nom::combinator::{all_consuming, map, opt, rest, value, verify};
use nom::error::{Error, ErrorKind};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

/// What was asked, as far as it is known.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The member that the answer stands in.
    pub member: MemberId,
    /// The member's name; it may tell the kind. Empty where it says nothing (a transcript).
    pub name: &'a str,
    /// The command, if it is known. It wins over the name.
    pub command: Option<&'a Command>,
}

/// What one line of kubectl says instead of a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Remark {
    /// An answer about a kind.
    Answer(Box<Answer>),
    /// An answer that proves nothing.
    Unproven {
        /// Why, for `unread`.
        why: WhyUnread,
        /// It is an error, so what stands around it may not be whole.
        trouble: bool,
    },
    /// A remark that changes nothing (`Warning: v1 ComponentStatus is deprecated`).
    Noise,
    /// kubectl could not learn all kinds (`couldn't get resource list for metrics.k8s.io/v1beta1`), so
    /// that a kind it does not know may exist: see [`doubt_missing_kinds`].
    Discovery,
}

/// A line of kubectl, before its kind and scope are known.
#[derive(Debug, Clone, PartialEq)]
enum Text<'a> {
    Nothing { namespace: Option<&'a str>, old: bool },
    NotFound { kind: &'a str, name: &'a str },
    NoSuchKind { kind: &'a str },
    Changed { kind: &'a str, name: &'a str, namespace: Option<&'a str>, gone: bool },
    Forbidden { kind: Option<(&'a str, &'a str)>, scope: Scope<'a>, name: Option<&'a str> },
    Unreachable,
    Failed,
    Noise,
    Discovery,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Scope<'a> {
    Cluster,
    Namespace(&'a str),
    Unsaid,
}

/// Kinds of the core group as `-o name` prints them; others have a group.
pub(crate) const CORE: [&str; 16] = [
    "configmap",
    "endpoints",
    "event",
    "limitrange",
    "namespace",
    "node",
    "persistentvolume",
    "persistentvolumeclaim",
    "pod",
    "podtemplate",
    "replicationcontroller",
    "resourcequota",
    "secret",
    "service",
    "serviceaccount",
    "componentstatus",
];

/// Answers in one file; a text with more lines than this is no answer.
const MAX_LINES: usize = 200;

/// A text of nothing but answers.
pub(crate) const FORM: TextForm = TextForm { name: "answer", text: Some(try_parse), ..NONE };

/// Reads a text that consists of answers; `None` if its first line is none, or if most of it is not.
pub fn try_parse(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let mut parsed = Parsed { format: "answer", ..Parsed::default() };
    let (mut known, mut other, mut discovery) = (0, 0, false);
    for (number, line) in (1u32..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        if known + other >= MAX_LINES {
            return None;
        }
        match self::line(asked, number, line) {
            Some(Remark::Answer(answer)) => parsed.records.push(Record::Answer(answer)),
            Some(Remark::Unproven { why, .. }) => parsed.unread.push((number, why)),
            Some(Remark::Noise) => continue,
            Some(Remark::Discovery) => {
                discovery = true;
                continue;
            }
            None if known == 0 => return None,
            None => {
                other += 1;
                parsed.unread.push((number, WhyUnread::Failed(Reporter::Unknown, failure::trouble(line))));
                continue;
            }
        }
        known += 1;
    }
    if discovery {
        doubt_missing_kinds(&mut parsed.records);
    }
    (known > other).then_some(parsed)
}

/// Where kubectl could not learn all kinds, `the server doesn't have a resource type` is no proof.
pub(crate) fn doubt_missing_kinds(records: &mut [Record]) {
    for record in records {
        if let Record::Answer(answer) = record
            && answer.state == State::NoSuchKind
        {
            answer.state = State::Error(WhyFailed::NoDiscovery);
        }
    }
}

/// Is this line an answer or a remark of kubectl?
pub(crate) fn is_one(line: &str) -> bool {
    text(line.trim()).is_some()
}

/// Is this line an error of kubectl or the API server, and no remark or empty answer?
pub(crate) fn is_error(line: &str) -> bool {
    text(line.trim()).is_some_and(|text| {
        !matches!(text, Text::Nothing { .. } | Text::Changed { .. } | Text::Noise | Text::Discovery)
    })
}

/// Is this line a remark of kubectl, that says nothing of what it was asked for?
pub(crate) fn is_remark(line: &str) -> bool {
    matches!(text(line.trim()), Some(Text::Noise))
}

/// Does this state mean that something went wrong, so that a table or list around it may be cut?
pub(crate) fn is_trouble(state: &State) -> bool {
    matches!(state, State::Forbidden(_) | State::Error(_) | State::NotFound(_) | State::NoSuchKind)
}

/// What one line says; `None` if it is no text of kubectl or the API server.
pub fn line(asked: &Asked<'_>, number: u32, line: &str) -> Option<Remark> {
    text(line.trim())?;
    // Names are read from what is left when its secrets are masked.
    let line = secrets::mask_text(line.trim()).0;
    remark(asked, number, &line, text(&line)?)
}

/// What a text of kubectl or the API server says; `line` is as it was printed, masked.
fn remark(asked: &Asked<'_>, number: u32, line: &str, text: Text<'_>) -> Option<Remark> {
    let citation = Citation::line(asked.member, number, line);
    // Without its command nobody knows what `No resources found` was narrowed to.
    let is_nothing = matches!(text, Text::Nothing { .. });
    let answer = |kind: KindName, namespaces, names, state| {
        Remark::Answer(Box::new(Answer {
            kind,
            namespaces,
            names,
            selector: asked.command.and_then(|command| command.selector.clone()),
            state,
            basis: if is_nothing && asked.command.is_none() { Basis::Listed } else { Basis::Stated },
            order: Order::default(),
            citation: citation.clone(),
        }))
    };
    Some(match text {
        Text::Noise => Remark::Noise,
        Text::Discovery => Remark::Discovery,
        Text::NotFound { kind, name } => answer(
            KindName::parse(kind),
            unsaid_namespace(asked),
            Some(vec![name.to_owned()]),
            State::NotFound(name.to_owned().into()),
        ),
        Text::Changed { kind, name, namespace, gone } => {
            let (word, group) = kind.split_once('.').unwrap_or((kind, ""));
            let kind = KindName { plural: plural_of(word), group: group.to_owned() };
            let namespaces =
                namespace.map_or_else(|| unsaid_namespace(asked), |ns| Namespaces::Some(vec![ns.to_owned()]));
            let state =
                if gone { State::Deleted(name.to_owned().into()) } else { State::Created(name.to_owned().into()) };
            answer(kind, namespaces, Some(vec![name.to_owned()]), state)
        }
        Text::NoSuchKind { kind } => answer(with_group(asked, kind), Namespaces::All, None, State::NoSuchKind),
        Text::Nothing { namespace, old } => {
            let namespaces = match (namespace, asked.command) {
                (Some(namespace), _) => Namespaces::Some(vec![namespace.to_owned()]),
                (None, Some(command)) if command.all_namespaces => Namespaces::All,
                (None, Some(Command { namespace: Some(namespace), .. })) if old => {
                    Namespaces::Some(vec![namespace.clone()])
                }
                (None, _) if old => {
                    return Some(Remark::Unproven {
                        why: WhyUnread::NamespaceUnsaid(short(line).into()),
                        trouble: false,
                    });
                }
                (None, _) => Namespaces::All,
            };
            match asked_kind(asked, namespace) {
                Ok((kind, names)) => answer(kind, namespaces, names, State::Empty),
                Err(why) => {
                    Remark::Unproven { why: WhyUnread::ProvesNothing { said: short(line).into(), why }, trouble: false }
                }
            }
        }
        Text::Forbidden { kind: Some((plural, group)), scope, name } => {
            let namespaces = match scope {
                Scope::Cluster => Namespaces::All,
                Scope::Namespace(namespace) => Namespaces::Some(vec![namespace.to_owned()]),
                Scope::Unsaid => unsaid_namespace(asked),
            };
            let kind = KindName { plural: plural.to_ascii_lowercase(), group: group.to_ascii_lowercase() };
            answer(kind, namespaces, name.map(|name| vec![name.to_owned()]), State::Forbidden(short(line).into()))
        }
        Text::Forbidden { kind: None, .. } | Text::Unreachable | Text::Failed => {
            let state = if matches!(text, Text::Forbidden { .. }) {
                State::Forbidden(short(line).into())
            } else {
                State::Error(WhyFailed::Said(failure::trouble(line)))
            };
            match asked_kind(asked, None) {
                Ok((kind, names)) => answer(kind, unsaid_namespace(asked), names, state),
                Err(_) => Remark::Unproven {
                    why: WhyUnread::Failed(Reporter::Command, failure::trouble(line)),
                    trouble: true,
                },
            }
        }
    })
}

/// A kind that the API server does not know, with the group that was asked for: kubectl prints the bare plural.
fn with_group(asked: &Asked<'_>, printed: &str) -> KindName {
    let kind = KindName::parse(printed);
    if !kind.group.is_empty() {
        return kind;
    }
    let same = |typed: &str| {
        let typed = KindName::parse(typed);
        (!typed.group.is_empty() && typed.plural == kind.plural).then_some(typed)
    };
    let by_command = || asked.command?.kinds.iter().find_map(|typed| same(typed));
    let by_name = || asked.command.is_none().then(|| kind_hint(asked.name)).flatten().and_then(|hint| same(&hint.kind));
    // `apis/platform.tkestack.io/machines.txt`
    let by_folder = || {
        let (folders, _) = asked.name.rsplit_once('/').filter(|_| asked.command.is_none())?;
        let group = folders.rsplit('/').find(|folder| is_group(folder))?;
        Some(KindName { plural: kind.plural.clone(), group: group.to_ascii_lowercase() })
    };
    by_command().or_else(by_name).or_else(by_folder).unwrap_or(kind)
}

/// Could a folder be named after an API group: words of letters with dots between them?
fn is_group(folder: &str) -> bool {
    let words: Vec<&str> = folder.split('.').collect();
    let word = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let last = words.last().is_some_and(|last| last.len() > 1 && last.chars().all(|c| c.is_ascii_alphabetic()));
    words.len() > 1 && words.iter().all(word) && last
}

/// The namespaces of a question whose answer does not repeat them.
///
/// An empty list means: one namespace, and nobody says which. It covers nothing, except for a
/// cluster-scoped kind, where the facts layer reads it as all.
fn unsaid_namespace(asked: &Asked<'_>) -> Namespaces {
    match asked.command {
        Some(command) if command.all_namespaces => Namespaces::All,
        Some(Command { namespace: Some(namespace), .. }) => Namespaces::Some(vec![namespace.clone()]),
        _ => Namespaces::Some(Vec::new()),
    }
}

/// The kind and names that were asked for, by command or by member name; else why it is not known.
fn asked_kind(asked: &Asked<'_>, namespace: Option<&str>) -> Result<(KindName, Option<Vec<String>>), NoKind> {
    if let Some(command) = asked.command {
        let [kind] = command.kinds.as_slice() else {
            return Err(NoKind::NotOne);
        };
        let names = (!command.names.is_empty()).then(|| command.names.clone());
        return unambiguous(kind).map(|kind| (kind, names));
    }
    let hint = kind_hint(asked.name).ok_or(NoKind::NoName)?;
    match hint.rest.as_deref() {
        None => {}
        Some(rest) if Some(rest) == namespace => {}
        Some(rest) => return Err(NoKind::UnknownWord(rest.to_owned().into())),
    }
    unambiguous(&hint.kind).map(|kind| (kind, None))
}

/// The kind of a word as typed, unless it is a plural that exists in several API groups.
///
/// # Errors
/// The reason, with what to ask for instead.
pub(crate) fn unambiguous(typed: &str) -> Result<KindName, NoKind> {
    let typed = typed.to_ascii_lowercase();
    if words::is_ambiguous(&typed) {
        return Err(NoKind::SeveralGroups(typed.into()));
    }
    Ok(KindName::parse(&typed))
}

/// A kind as a member's name tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindHint {
    /// The kind as typed: plural, singular or short name, with or without group.
    pub kind: String,
    /// What else the name says, if anything: a namespace, an object's name or another word.
    pub rest: Option<String>,
}

/// The kind that a member's name tells: `get-machines.txt`, `yaml/clusters.platform.tkestack.io.yaml`,
/// `03-kubectl_get_pods.txt`. `None` where no word could be a kind.
///
/// Words that only say how it was printed (`wide`, `show-labels`, `all`) are dropped.
pub fn kind_hint(member_name: &str) -> Option<KindHint> {
    let file = member_name.rsplit('/').next()?;
    let stem = ["txt", "yaml", "yml", "json", "log", "out", "table", "err"]
        .iter()
        .find_map(|extension| file.strip_suffix(extension)?.strip_suffix('.'))
        .unwrap_or(file);
    let stem = stem.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['-', '_']);
    let mut words: Vec<&str> = stem.split(['-', '_', ' ']).filter(|word| !word.is_empty()).collect();
    // A group has dashes of its own (`cluster.x-k8s.io`), so only the part before the first dot is cut.
    let dotted = stem.split_once('.').map(|(before, _)| before.rfind(['-', '_', ' ']).map_or(0, |cut| cut + 1));
    let mut tail = None;
    if let Some(from) = dotted {
        let before = &stem[..from];
        words = before.split(['-', '_', ' ']).filter(|word| !word.is_empty()).collect();
        let (kind, rest) = split_group(&stem[from..]);
        tail = rest;
        words.push(kind);
    }
    while words.len() > 1 && matches!(words.first(), Some(&("kubectl" | "oc" | "get" | "describe" | "list"))) {
        words.remove(0);
    }
    let kind = (*words.first()?).to_owned();
    let valid = kind.starts_with(|c: char| c.is_ascii_alphabetic())
        && kind.chars().all(|c| c.is_ascii_alphanumeric() || c == '.' || c == '-');
    if !valid {
        return None;
    }
    let rest: Vec<&str> = words.into_iter().skip(1).chain(tail).collect();
    let rest = strip_form(rest.join("-"));
    Some(KindHint { kind, rest: (!rest.is_empty()).then_some(rest) })
}

/// Splits `clusters.cluster.x-k8s.io-wide` behind the group.
fn split_group(text: &str) -> (&str, Option<&str>) {
    FORMS
        .iter()
        .find_map(|form| {
            let head = text.strip_suffix(form)?.strip_suffix(['-', '_'])?;
            Some((head, Some(&text[head.len() + 1..])))
        })
        .unwrap_or((text, None))
}

/// Words at the end of a file name that say how something was printed, not what.
const FORMS: [&str; 12] =
    ["wide", "show-labels", "labels", "yaml", "json", "all-namespaces", "all", "describe", "list", "o", "A", "single"];

fn strip_form(mut rest: String) -> String {
    while let Some(shorter) = FORMS.iter().find_map(|form| {
        let head = rest.strip_suffix(form)?;
        head.is_empty().then_some("").or_else(|| head.strip_suffix('-'))
    }) {
        rest = shorter.to_owned();
    }
    rest
}

/// A text as an excerpt of one line, with its secrets masked.
pub fn short(text: &str) -> String {
    let (text, _) = secrets::mask_text(text.trim());
    match text.char_indices().nth(200) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.into_owned(),
    }
}

fn text(line: &str) -> Option<Text<'_>> {
    let (_, text) = alt((nothing, server_error, client_error, unreachable, noise, changed)).parse(line).ok()?;
    Some(text)
}

fn nothing(input: &str) -> IResult<&str, Text<'_>> {
    let in_namespace = delimited(tag(" in "), is_not(" "), tag(" namespace."));
    let (input, _) = tag("No resources found").parse(input)?;
    all_consuming(alt((
        map(in_namespace, |namespace| Text::Nothing { namespace: Some(namespace), old: false }),
        value(Text::Nothing { namespace: None, old: true }, char('.')),
        value(Text::Nothing { namespace: None, old: false }, space0),
    )))
    .parse(input)
}

fn server_error(input: &str) -> IResult<&str, Text<'_>> {
    let reason = delimited(tag(" ("), take_while1(|c: char| c.is_ascii_alphabetic()), char(')'));
    let (message, reason) = delimited(tag("Error from server"), opt(reason), tag(": ")).parse(input)?;
    match reason {
        Some("NotFound") => alt((all_consuming(not_found), map(rest, |_| Text::Failed))).parse(message),
        Some("Forbidden") => alt((forbidden, map(rest, |_| FORBIDDEN))).parse(message),
        _ => map(rest, |_| Text::Failed).parse(message),
    }
}

const FORBIDDEN: Text<'static> = Text::Forbidden { kind: None, scope: Scope::Unsaid, name: None };

fn not_found(input: &str) -> IResult<&str, Text<'_>> {
    let quoted = delimited(char('"'), is_not("\""), char('"'));
    map((is_not(" \""), preceded(char(' '), terminated(quoted, tag(" not found")))), |(kind, name)| Text::NotFound {
        kind,
        name,
    })
    .parse(input)
}

/// `machines.cluster.x-k8s.io "a" is forbidden: User "u" cannot get resource "machines" in API group
/// "cluster.x-k8s.io" in the namespace "x"`.
fn forbidden(input: &str) -> IResult<&str, Text<'_>> {
    let (input, subject) = take_until(" is forbidden").parse(input)?;
    let name = subject.split_once(" \"").and_then(|(_, name)| name.strip_suffix('"'));
    let (input, _) = (take_until("resource \""), tag("resource \"")).parse(input)?;
    let (input, plural) = terminated(is_not("\""), char('"')).parse(input)?;
    let mut group = delimited(tag(" in API group \""), opt(is_not("\"")), char('"'));
    let (input, group) = group.parse(input)?;
    let mut scope = alt((
        value(Scope::Cluster, tag(" at the cluster scope")),
        map(delimited(tag(" in the namespace \""), is_not("\""), char('"')), Scope::Namespace),
        value(Scope::Unsaid, tag("")),
    ));
    let (input, scope) = scope.parse(input)?;
    Ok((input, Text::Forbidden { kind: Some((plural, group.unwrap_or_default())), scope, name }))
}

fn client_error(input: &str) -> IResult<&str, Text<'_>> {
    let (message, _) = tag("error: ").parse(input)?;
    let kind = delimited(tag("the server doesn't have a resource type \""), is_not("\""), char('"'));
    alt((map(all_consuming(kind), |kind| Text::NoSuchKind { kind }), map(rest, |_| Text::Failed))).parse(message)
}

fn unreachable(input: &str) -> IResult<&str, Text<'_>> {
    alt((
        value(Text::Unreachable, (tag("The connection to the server "), take_until(" was refused"), rest)),
        value(Text::Unreachable, (tag("Unable to connect to the server: "), rest)),
        value(Text::Failed, (tag("Error in configuration"), rest)),
    ))
    .parse(input)
}

/// What kubectl says of a thing that it has changed: `pod "web-1" deleted`, `service/web created`.
/// Source: `kubectl/pkg/cmd/delete/delete.go@v0.34.0`, `cli-runtime/pkg/printers/name.go@v0.34.0`.
fn changed(input: &str) -> IResult<&str, Text<'_>> {
    alt((all_consuming(deleted), all_consuming(made))).parse(input)
}

fn deleted(input: &str) -> IResult<&str, Text<'_>> {
    let (input, kind) = one_kind(input)?;
    let (input, name) = delimited(tag(" \""), is_not("\""), char('"')).parse(input)?;
    let (input, _) = (opt(tag(" force")), tag(" deleted")).parse(input)?;
    let (input, namespace) = opt(delimited(tag(" from "), is_not(" "), tag(" namespace"))).parse(input)?;
    Ok((input, Text::Changed { kind, name, namespace, gone: true }))
}

/// The last words of what is done to a thing that is there afterwards. `evicted` is said when the Pod is gone.
const MADE: [&str; 13] = [
    "created",
    "configured",
    "unchanged",
    "replaced",
    "serverside-applied",
    "patched",
    "scaled",
    "restarted",
    "labeled",
    "annotated",
    "edited",
    "cordoned",
    "uncordoned",
];

fn made(input: &str) -> IResult<&str, Text<'_>> {
    let (input, kind) = terminated(one_kind, char('/')).parse(input)?;
    let (input, name) = take_while1(|c: char| c.is_ascii_alphanumeric() || ".-:_".contains(c)).parse(input)?;
    let (input, word) = preceded(char(' '), is_not(" ")).parse(input)?;
    let (input, _) = opt(tag(" (no change)")).parse(input)?;
    match word {
        "evicted" | "deleted" => Ok((input, Text::Changed { kind, name, namespace: None, gone: true })),
        _ if MADE.contains(&word) => Ok((input, Text::Changed { kind, name, namespace: None, gone: false })),
        _ => Err(nom::Err::Error(Error::new(input, ErrorKind::Tag))),
    }
}

/// A kind as kubectl prints it before a name: one of the core group, or one with its group.
fn one_kind(input: &str) -> IResult<&str, &str> {
    let word = take_while1(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || ".-".contains(c));
    let known = |kind: &&str| {
        CORE.contains(kind) || kind.split_once('.').is_some_and(|(word, group)| !word.is_empty() && !group.is_empty())
    };
    verify(word, move |kind: &str| known(&kind)).parse(input)
}

fn noise(input: &str) -> IResult<&str, Text<'_>> {
    alt((
        value(Text::Noise, alt((tag("Warning: "), tag("Flag --"), tag("Defaulted container ")))),
        // `cluster-info dump` ends so, whether it went to a file or to the terminal.
        value(Text::Noise, tag("Cluster info dumped to ")),
        value(Text::Discovery, preceded(own_log, (take_until("couldn't get "), rest))),
        value(Text::Noise, preceded(own_log, rest)),
    ))
    .parse(input)
}

/// A line of kubectl's own log, by the files that write one while kubectl asks which kinds there are.
/// Source: `client-go/discovery/cached/memory/memcache.go@v0.34.0`, `client-go/rest/{request,warnings}.go@v0.34.0`.
fn own_log(input: &str) -> IResult<&str, ()> {
    let digits = |count| take_while_m_n(count, count, |c: char| c.is_ascii_digit());
    let head = (one_of("IWE"), digits(4), char(' '), is_not(" "), space1, is_not(" "), char(' '));
    let file = alt((tag("memcache.go:"), tag("request.go:"), tag("warnings.go:")));
    value((), (head, file, take_while1(|c: char| c.is_ascii_digit()), tag("] "))).parse(input)
}

#[cfg(test)]
mod tests;
