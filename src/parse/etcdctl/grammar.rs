//! The lines of etcdctl's simple output, and the rows of its tables.
//!
//! Invariant: a line is one of these only as a whole; what is left over makes it something else.

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_till1, take_while_m_n, take_while1};
use nom::character::complete::{char, digit1, space0, space1};
use nom::combinator::{all_consuming, map, map_res, opt, rest, value};
use nom::multi::{many1, separated_list1};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

/// A line of simple output.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Line<'a> {
    Member {
        id: u64,
        started: bool,
        name: &'a str,
        peers: Vec<&'a str>,
        clients: Vec<&'a str>,
        learner: bool,
    },
    Status {
        endpoint: &'a str,
        id: u64,
        version: &'a str,
        leader: bool,
        learner: bool,
        raft: Option<(u64, u64)>,
        applied: Option<u64>,
        size: Option<&'a str>,
        errors: &'a str,
    },
    Defragmented {
        endpoint: &'a str,
    },
    Health {
        endpoint: &'a str,
        healthy: bool,
        detail: &'a str,
    },
    Alarm {
        id: u64,
        alarm: &'a str,
    },
    Transfer {
        from: u64,
        to: u64,
    },
    /// A member was added, removed or made a voter.
    Changed {
        id: u64,
        change: &'static str,
    },
    /// A variable with which the new member is started.
    Setting {
        name: &'a str,
        value: &'a str,
    },
    StatusFailed {
        endpoint: &'a str,
        error: &'a str,
    },
    HttpStatus(u16),
    NoHttpAnswer(&'a str),
    /// Text that etcdctl adds and that says nothing more.
    Chatter,
}

fn hex_id(input: &str) -> IResult<&str, u64> {
    map_res(take_while_m_n(1, 16, |c: char| c.is_ascii_hexdigit()), |digits| u64::from_str_radix(digits, 16))
        .parse(input)
}

fn boolean(input: &str) -> IResult<&str, bool> {
    alt((value(true, tag("true")), value(false, tag("false")))).parse(input)
}

fn urls(input: &str) -> IResult<&str, Vec<&str>> {
    alt((separated_list1(char(','), take_till1(|c| c == ',' || c == ' ')), map(tag(""), |_| Vec::new()))).parse(input)
}

/// `8e9e05c52164694d, started, cp-1, https://10.0.0.1:2380, https://10.0.0.1:2379, false`; the last field
/// (learner) is absent before 3.4.
fn member_line(input: &str) -> IResult<&str, Line<'_>> {
    let (input, id) = terminated(hex_id, tag(", ")).parse(input)?;
    let (input, started) =
        terminated(alt((value(true, tag("started")), value(false, tag("unstarted")))), tag(",")).parse(input)?;
    let (input, name) = delimited(space0, opt(is_not(", ")), tag(",")).parse(input)?;
    let (input, peers) = delimited(space0, urls, tag(",")).parse(input)?;
    let (input, clients) = preceded(space0, urls).parse(input)?;
    let (input, learner) = opt(preceded((char(','), space0), boolean)).parse(input)?;
    let (input, _) = space0(input)?;
    let line =
        Line::Member { id, started, name: name.unwrap_or(""), peers, clients, learner: learner.unwrap_or(false) };
    Ok((input, line))
}

/// `https://10.0.0.1:2379, 8e9e05c52164694d, 3.5.7, 182 MB, false, false, 812, 9120442, 9120442, ERRORS`
fn status_line(input: &str) -> IResult<&str, Line<'_>> {
    let (input, endpoint) = terminated(take_till1(|c| c == ',' || c == ' '), tag(", ")).parse(input)?;
    let (input, id) = terminated(hex_id, tag(", ")).parse(input)?;
    let (input, version) = terminated(take_till1(|c| c == ','), tag(", ")).parse(input)?;
    // 3.6 prints storage version, size in use, share and quota between version and leader.
    let (input, sizes) = many1(terminated(
        nom::combinator::verify(take_till1(|c| c == ','), |s: &str| s != "true" && s != "false"),
        tag(", "),
    ))
    .parse(input)?;
    let (input, leader) = terminated(boolean, tag(", ")).parse(input)?;
    let (input, learner) = terminated(boolean, tag(", ")).parse(input)?;
    let (input, counts) = separated_list1(tag(", "), digit1).parse(input)?;
    let (input, errors) = preceded((opt(char(',')), space0), rest).parse(input)?;
    // 3.6 ends with the downgrade's target version and a boolean.
    let errors = match errors.rsplitn(3, ", ").collect::<Vec<_>>()[..] {
        ["true" | "false", _, errors] => errors,
        _ => errors,
    };
    let number = |at: usize| counts.get(at).and_then(|text: &&str| text.parse().ok());
    let raft = number(0).zip(number(1));
    let applied = number(2);
    let size = sizes.into_iter().find(|cell: &&str| cell.ends_with('B'));
    Ok((input, Line::Status { endpoint, id, version, leader, learner, raft, applied, size, errors: errors.trim() }))
}

/// `ENDPOINT is healthy: ...` and `ENDPOINT is unhealthy: ...`
fn health_line(input: &str) -> IResult<&str, Line<'_>> {
    let (input, endpoint) = terminated(take_till1(char::is_whitespace), tag(" is ")).parse(input)?;
    let (input, healthy) =
        terminated(alt((value(true, tag("healthy")), value(false, tag("unhealthy")))), tag(": ")).parse(input)?;
    let (input, detail) = rest(input)?;
    Ok((input, Line::Health { endpoint, healthy, detail: detail.trim() }))
}

/// What etcdctl printed for the second version of the API: `member 8e9e05c52164694d is healthy: got healthy result from
/// http://127.0.0.1:2379`, `member fd42 is unreachable: [http://a:2379] are all unreachable`.
/// Source: `etcdctl/ctlv2/command/cluster_health.go@v3.4.31`.
fn cluster_health_line(input: &str) -> IResult<&str, Line<'_>> {
    let (input, _) = delimited(tag("member "), hex_id, tag(" is ")).parse(input)?;
    let got = |word| preceded((tag(word), tag(": got "), tag(word), tag(" result from ")), rest);
    let lost = preceded(tag("unreachable: "), rest);
    let line = |endpoint, healthy, detail| Line::Health { endpoint, healthy, detail };
    alt((
        map(got("healthy"), |endpoint: &str| line(endpoint.trim(), true, "")),
        map(got("unhealthy"), |endpoint: &str| line(endpoint.trim(), false, "got unhealthy result")),
        map(lost, |detail: &str| {
            let first = detail.trim_start_matches('[').split([' ', ']']).next().unwrap_or_default();
            if first.contains("://") { line(first, false, detail.trim()) } else { Line::Chatter }
        }),
    ))
    .parse(input)
}

/// `8e9e05c52164694d: name=cp-1 peerURLs=http://10.0.0.1:2380 clientURLs=http://10.0.0.1:2379 isLeader=true`, and
/// `8e9e05c52164694d[unstarted]: peerURLs=http://10.0.0.1:2380`.
/// Source: `etcdctl/ctlv2/command/member_commands.go@v3.4.31`.
fn old_member_line(input: &str) -> IResult<&str, Line<'_>> {
    let (input, id) = hex_id(input)?;
    let (input, unstarted) = terminated(opt(tag("[unstarted]")), tag(": ")).parse(input)?;
    let (input, name) = opt(delimited(tag("name="), is_not(" "), char(' '))).parse(input)?;
    let (input, peers) = preceded(tag("peerURLs="), urls).parse(input)?;
    let (input, clients) = opt(preceded(tag(" clientURLs="), urls)).parse(input)?;
    let (input, _) = (opt(preceded(tag(" isLeader="), boolean)), space0).parse(input)?;
    let (name, clients) = (name.unwrap_or(""), clients.unwrap_or_default());
    Ok((input, Line::Member { id, started: unstarted.is_none(), name, peers, clients, learner: false }))
}

/// `memberID:10501334649042878790 alarm:NOSPACE`; without a member where etcd cannot tell whose data are wrong.
fn alarm_line(input: &str) -> IResult<&str, Line<'_>> {
    let member = delimited(tag("memberID:"), map_res(digit1, str::parse), tag(" "));
    let (input, id) = opt(member).parse(input)?;
    let (input, alarm) =
        delimited(tag("alarm:"), take_while1(|c: char| c.is_ascii_alphanumeric()), space0).parse(input)?;
    Ok((input, Line::Alarm { id: id.unwrap_or(0), alarm }))
}

/// `Leadership transferred from A to B`: from is the leader before, to the one asked for.
fn transfer_line(input: &str) -> IResult<&str, Line<'_>> {
    let (input, from) = preceded(tag("Leadership transferred from "), hex_id).parse(input)?;
    let (input, to) = delimited(tag(" to "), hex_id, space0).parse(input)?;
    Ok((input, Line::Transfer { from, to }))
}

/// `Failed to get the status of endpoint E (context deadline exceeded)`
fn status_failed_line(input: &str) -> IResult<&str, Line<'_>> {
    let (input, endpoint) =
        preceded(tag("Failed to get the status of endpoint "), take_till1(char::is_whitespace)).parse(input)?;
    let (input, error) = delimited((space0, char('(')), is_not(")"), (char(')'), space0)).parse(input)?;
    Ok((input, Line::StatusFailed { endpoint, error }))
}

/// `cp-1: {"health":"false","reason":"ALARM NOSPACE"}`, as a loop over the members prints it.
pub(super) fn named_answer(input: &str) -> IResult<&str, (&str, &str)> {
    let name = take_while1(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_'));
    let (input, member) = terminated(name, (char(':'), space0)).parse(input)?;
    nom::combinator::peek(char('{')).parse(input)?;
    Ok(("", (member, input.trim_end())))
}

fn http_line(input: &str) -> IResult<&str, Line<'_>> {
    let (input, code) = preceded(
        (tag("HTTP"), opt((char('/'), take_while1(|c: char| c.is_ascii_digit() || c == '.'))), char(' ')),
        map_res(take_while_m_n(3, 3, |c: char| c.is_ascii_digit()), str::parse),
    )
    .parse(input)?;
    let (input, _) = rest(input)?;
    Ok((input, Line::HttpStatus(code)))
}

/// `Finished defragmenting etcd member[https://10.0.0.1:2379]`, with `. took 17ms` from 3.6 on.
fn defragmented_line(input: &str) -> IResult<&str, Line<'_>> {
    let (input, endpoint) =
        delimited(tag("Finished defragmenting etcd member["), take_till1(|c| c == ']'), char(']')).parse(input)?;
    let (input, _) = rest(input)?;
    Ok((input, Line::Defragmented { endpoint }))
}

/// `Member 974ba9f93b40d12d added to cluster 64abd3344ae654f4`; of a learner `added as learner to`.
/// Source: `etcdctl/ctlv3/command/printer_simple.go@v3.5.21`, which pads ids with blanks.
fn changed_line(input: &str) -> IResult<&str, Line<'_>> {
    let (input, id) = delimited((tag("Member"), space1), hex_id, space1).parse(input)?;
    let change = alt((
        value("added", tag("added to cluster")),
        value("added-learner", tag("added as learner to cluster")),
        value("removed", tag("removed from cluster")),
        value("promoted", tag("promoted in cluster")),
    ));
    let (input, change) = terminated(change, (space1, hex_id, space0)).parse(input)?;
    Ok((input, Line::Changed { id, change }))
}

/// `ETCD_NAME="cp-2"`, as `member add` prints it.
fn setting_line(input: &str) -> IResult<&str, Line<'_>> {
    let name = take_while1(|c: char| c.is_ascii_uppercase() || c == '_');
    let (input, name) = preceded(tag("ETCD_"), name).parse(input)?;
    let (input, value) = delimited(tag("=\""), take_till1(|c| c == '"'), (char('"'), space0)).parse(input)?;
    Ok((input, Line::Setting { name, value }))
}

fn chatter_line(input: &str) -> IResult<&str, Line<'_>> {
    let known = alt((
        tag("Error: unhealthy cluster"),
        tag("Error: context deadline exceeded"),
        tag("Error: rpc error:"),
        tag("Error: etcdserver:"),
        tag("Error: no leader endpoint given"),
        tag("Finished defragmenting"),
        tag("Member "),
        tag("cluster is "),
        tag("OK"),
    ));
    map((known, rest), |_| Line::Chatter).parse(input)
}

pub(super) fn simple_line(input: &str) -> Option<Line<'_>> {
    let mut grammar = all_consuming(alt((
        member_line,
        status_line,
        alarm_line,
        transfer_line,
        changed_line,
        setting_line,
        status_failed_line,
        health_line,
        cluster_health_line,
        old_member_line,
        http_line,
        defragmented_line,
        chatter_line,
    )));
    match grammar.parse(input) {
        Ok((_, line)) => Some(line),
        Err(_) if input.to_ascii_lowercase().contains("connection refused") && !input.starts_with('{') => {
            Some(Line::NoHttpAnswer(input))
        }
        Err(_) => None,
    }
}

/// A row of a `+--+` table: cells without their borders and blanks.
pub(super) fn table_row(input: &str) -> Option<Vec<&str>> {
    let mut grammar = all_consuming(delimited(
        char::<&str, nom::error::Error<&str>>('|'),
        separated_list1(char('|'), nom::bytes::complete::take_till(|c| c == '|')),
        (opt(char('|')), space0),
    ));
    let inner = input.trim_end();
    let (_, cells) = grammar.parse(inner.strip_suffix('|').unwrap_or(inner)).ok()?;
    Some(cells.into_iter().map(str::trim).collect())
}
