//! Check lists of an API server: `kubectl get --raw '/readyz?verbose'`, and `/livez`, `/healthz`.
//!
//! Each check is an object `apiserverchecks`: `spec.endpoint`, `spec.check`, `status.ok`, `status.reason`;
//! the list as a whole is one more, named after its endpoint. Source:
//! `kubernetes/apiserver:pkg/server/healthz/healthz.go@v0.34.0`, `handleRootHealth`.
//!
//! Invariant: a bare `ok` is claimed only where the name of the file says of which endpoint.

use crate::answer::Asked;
use crate::text_form::form::{Mark, NONE, TextForm};
use crate::text_form::records;
use crate::text_form::records::Records;
use facts::node::Node;
use facts::record::Parsed;
use facts::unread::WhyUnread;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till1};
use nom::character::complete::space0;
use nom::combinator::{rest, value};
use nom::sequence::preceded;

pub(super) const FORM: TextForm =
    TextForm { name: "checks", mark: Mark::Program(is_first_line), text: Some(try_parse), ..NONE };

const ENDPOINTS: [&str; 3] = ["readyz", "livez", "healthz"];

/// Reads a check list; `None` if it is none.
fn try_parse(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let mut found = Vec::new();
    let mut verdict = None;
    let mut others = Vec::new();
    for (number, line) in records::lines(text) {
        let line = line
            .trim()
            .split_once("(\"[")
            .map_or(line.trim(), |(_, rest)| &line.trim()[line.trim().len() - rest.len() - 1..]);
        if let Some((name, ok, reason)) = check(line) {
            found.push((number, name, ok, reason));
        } else if let Some((endpoint, ok)) = end(line) {
            verdict = Some((number, endpoint, ok));
        } else {
            others.push(number);
        }
    }
    let of_name = || ENDPOINTS.into_iter().find(|endpoint| asked.name.to_ascii_lowercase().contains(endpoint));
    if found.is_empty() && verdict.is_none() {
        // `/healthz` without `?verbose` says one word.
        let (number, _) = records::lines(text).next().filter(|(_, line)| *line == "ok" && others.len() == 1)?;
        verdict = Some((number, of_name()?, true));
        others.clear();
    }
    if others.len() > found.len() {
        return None;
    }
    let mut records = Records::new(asked, "api-server-checks");
    let endpoint = verdict.map(|(_, endpoint, _)| endpoint).or_else(of_name).unwrap_or("healthz");
    let mut add = |line, name: &str, check: &str, ok, reason: &str| {
        let mut node = Node::map(line);
        node.set_at(&["spec", "endpoint"], Node::str(line, endpoint));
        node.set_at(&["spec", "check"], Node::str(line, check));
        node.set_at(&["status", "ok"], records::boolean(line, ok));
        node.set_at(&["status", "reason"], Node::str(line, reason));
        records.whole("apiserverchecks", name, node);
    };
    for (line, name, ok, reason) in &found {
        add(*line, &format!("{endpoint}/{name}"), name, *ok, reason);
    }
    if let Some((line, endpoint, ok)) = verdict {
        add(line, endpoint, endpoint, ok, "");
    }
    for line in others {
        records.unread(line, WhyUnread::no("line of a check list of an API server"));
    }
    Some(records.finish())
}

/// Does a check list begin so?
fn is_first_line(line: &str) -> bool {
    check(line.trim()).is_some()
}

/// `[+]etcd ok`, `[-]etcd failed: reason withheld`.
fn check(line: &str) -> Option<(&str, bool, &str)> {
    let name = take_till1::<_, _, nom::error::Error<&str>>(|c: char| c == ' ');
    let good = preceded(tag("[+]"), name).parse(line);
    if let Ok((after, name)) = good {
        return after.trim_start().starts_with("ok").then_some((name, true, ""));
    }
    let bad = preceded(tag::<_, _, nom::error::Error<&str>>("[-]"), take_till1(|c: char| c == ' '));
    let (after, name) = { bad }.parse(line).ok()?;
    let (_, reason) = preceded((space0, tag::<_, _, nom::error::Error<&str>>("failed")), rest).parse(after).ok()?;
    Some((name, false, reason.trim_start_matches([':', ' '])))
}

/// `readyz check passed`, `healthz check failed`; an error of kubectl has more text behind it.
fn end(line: &str) -> Option<(&'static str, bool)> {
    let endpoint = alt((
        value("readyz", tag::<_, _, nom::error::Error<&str>>("readyz")),
        value("livez", tag("livez")),
        value("healthz", tag("healthz")),
    ));
    let verdict = alt((value(true, tag(" check passed")), value(false, tag(" check failed"))));
    (endpoint, verdict).parse(line).ok().map(|(_, found)| found)
}

#[cfg(test)]
mod tests {
    use crate::text_form::testing::read;

    #[test]
    fn a_list_that_passed_and_one_that_failed() {
        insta::assert_snapshot!(read("readyz.txt", "[+]ping ok\n[+]etcd ok\nreadyz check passed\n"), @r"
        1: apiserverchecks readyz/ping | spec: {endpoint: readyz, check: ping} status: {ok: true, reason: }
        2: apiserverchecks readyz/etcd | spec: {endpoint: readyz, check: etcd} status: {ok: true, reason: }
        3: apiserverchecks readyz | spec: {endpoint: readyz, check: readyz} status: {ok: true, reason: }
        ");
        let failed = "Error from server (InternalError): an error on the server (\"[+]ping ok\n[-]etcd failed: reason withheld\n[+]poststarthook/a ok\nlivez check failed\") has prevented the request from succeeding\n";
        insta::assert_snapshot!(read("x.txt", failed), @r"
        1: apiserverchecks livez/ping | spec: {endpoint: livez, check: ping} status: {ok: true, reason: }
        2: apiserverchecks livez/etcd | spec: {endpoint: livez, check: etcd} status: {ok: false, reason: reason withheld}
        3: apiserverchecks livez/poststarthook/a | spec: {endpoint: livez, check: poststarthook/a} status: {ok: true, reason: }
        4: apiserverchecks livez | spec: {endpoint: livez, check: livez} status: {ok: false, reason: }
        ");
    }

    #[test]
    fn one_word_needs_the_name_of_its_file() {
        insta::assert_snapshot!(read("hosts/cp-1/healthz.txt", "ok"), @"1: apiserverchecks healthz | spec: {endpoint: healthz, check: healthz} status: {ok: true, reason: }");
        insta::assert_snapshot!(read("a.txt", "ok\n"), @"something else");
    }
}
