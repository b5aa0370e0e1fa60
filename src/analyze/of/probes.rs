//! Analyzers of what collectors tried out: databases, HTTP, registries, pings between Pods.
//!
//! Source: `replicatedhq/troubleshoot:pkg/analyze/{database_shared,host_http,registry,goldpinger}.go`.

use super::text::or_open;
use crate::ask::{Answer, Ask, first};
use crate::files::File;
use crate::known::{Known, Why, shown};
use crate::model::Outcome as Word;
use crate::spec::{Judges, truth};
use crate::when::{Operator, bad, named_number, range, version, words};
use facts::node::{Node, Value};
use facts::object::Tree;

fn text(node: &Node, path: &[&str]) -> String {
    node.at(path).and_then(|node| node.value.scalar()).unwrap_or_default()
}

/// One answer from the one file of an analyzer.
fn of_file(ask: &Ask<'_>, judge: impl FnOnce(&File, &Tree) -> Known<Answer>) -> Vec<Answer> {
    let file = match ask.file() {
        Ok(file) => file,
        Err(open) => return ask.open(open),
    };
    let answer = file.json(ask.world.nesting).and_then(|tree| judge(file, &tree));
    vec![or_open(ask.title, answer, &[file.cite()])]
}

pub(crate) fn database(ask: &Ask<'_>) -> Vec<Answer> {
    of_file(ask, |file, tree| {
        let connected = tree.get("isConnected");
        let at = connected.map_or_else(|| file.cite(), |node| file.cite_node(node));
        let is_connected = connected.is_some_and(|node| node.value == Value::Bool(true));
        let chosen = first(&ask.analyzer.outcomes, |when| database_is(when, is_connected, &text(tree, &["version"])))?;
        let mut answer = Answer::found(ask.title, Ok(chosen), vec![at]);
        let error = text(tree, &["error"]);
        if let Some(outcome) = chosen
            && outcome.judges == Judges::Fail
            && !outcome.when.is_empty()
            && !error.is_empty()
        {
            answer.message = format!("{} {error}", outcome.message);
        }
        Ok(answer)
    })
}

/// `connected == true`, `version >= 10.x`.
fn database_is(when: &str, is_connected: bool, own: &str) -> Known<bool> {
    const EXPECTED: &str = "`connected == false` or a version, such as `version >= 10.x`";
    let parts = words(when);
    match parts.as_slice() {
        ["connected", operator, wanted] => {
            let read = Operator::parse(operator).zip(truth(wanted));
            let (operator, wanted) = read.ok_or_else(|| bad(when, EXPECTED))?;
            match operator {
                Operator::Equal => Ok(wanted == is_connected),
                Operator::NotEqual => Ok(wanted != is_connected),
                _ => Err(bad(when, EXPECTED)),
            }
        }
        ["version", operator, wanted] => {
            let own = version(own).ok_or_else(|| Why::BadVersion(shown(own)))?;
            // An `x` here is a zero.
            range(&format!("{operator} {}", wanted.replace('x', "0")), &own).map_err(|_| bad(when, EXPECTED))
        }
        _ => Err(bad(when, EXPECTED)),
    }
}

pub(crate) fn http(ask: &Ask<'_>) -> Vec<Answer> {
    of_file(ask, |file, tree| {
        let [response, error] = ["response", "error"].map(|key| tree.get(key).filter(|node| node.value != Value::Null));
        let at = response.and_then(|node| node.get("status")).or(error);
        let at = at.map_or_else(|| file.cite(), |node| file.cite_node(node));
        let status = response.and_then(|node| text(node, &["status"]).parse::<i64>().ok());
        let chosen = first(&ask.analyzer.outcomes, |when| http_is(when, status, error.is_some()));
        Ok(Answer::found(ask.title, chosen, vec![at]))
    })
}

/// `error`, or comparisons of `statusCode` joined by `&&` and `||`.
fn http_is(when: &str, status: Option<i64>, is_error: bool) -> Known<bool> {
    const EXPECTED: &str = "`error` or comparisons such as `statusCode >= 200 && statusCode < 300`";
    if when == "error" {
        return Ok(is_error);
    }
    let mut any = false;
    for part in when.split("||") {
        let mut all = true;
        for one in part.split("&&") {
            let one = one.trim().trim_matches(['(', ')']);
            let holds =
                named_number(one, EXPECTED, |name| (name == "statusCode").then(|| Ok(status.unwrap_or_default())));
            all &= holds.map_err(|_| bad(when, EXPECTED))?;
        }
        any |= all;
    }
    Ok(any && status.is_some())
}

pub(crate) fn registry(ask: &Ask<'_>) -> Vec<Answer> {
    of_file(ask, |file, tree| {
        const EXPECTED: &str = "`verified`, `missing` or `errors`, a comparison and a number, such as `missing > 0`";
        let images = tree.get("images").map(Node::entries).unwrap_or_default();
        let (mut verified, mut missing, mut errors) = (0, 0, 0);
        let mut at = Vec::new();
        for (_, image) in images {
            let is_there = image.get("exists").is_some_and(|node| node.value == Value::Bool(true));
            match (text(image, &["error"]).is_empty(), is_there) {
                (false, _) => errors += 1,
                (true, false) => missing += 1,
                (true, true) => verified += 1,
            }
            if !is_there && at.len() < 5 {
                at.push(file.cite_node(image));
            }
        }
        if at.is_empty() {
            at.push(file.cite());
        }
        let chosen = first(&ask.analyzer.outcomes, |when| {
            named_number(when, EXPECTED, |name| match name {
                "verified" => Some(Ok(verified)),
                "missing" => Some(Ok(missing)),
                "errors" => Some(Ok(errors)),
                _ => None,
            })
        });
        Ok(Answer::found(ask.title, chosen, at))
    })
}

pub(crate) fn goldpinger(ask: &Ask<'_>) -> Vec<Answer> {
    let file = match ask.file() {
        Ok(file) => file,
        Err(open) => return ask.open(open),
    };
    let tree = match file.json(ask.world.nesting) {
        Ok(tree) => tree,
        Err(open) => return ask.open(open),
    };
    let mut answers = Vec::new();
    for host in tree.get("hosts").map(Node::items).unwrap_or_default() {
        let target = text(host, &["podName"]);
        let before = answers.len();
        for (source, answer) in tree.get("responses").map(Node::entries).unwrap_or_default() {
            let result = answer.at(&["response", "podResults"]).and_then(|results| results.get(&target));
            let source = shown(source);
            match result {
                None => {
                    let title = format!("Missing ping results for \"{target}\" pod");
                    let message = format!("Ping result for \"{target}\" pod from \"{source}\" pod is missing");
                    answers.push(Answer::own(&title, Word::Warn, message, vec![file.cite_node(answer)]));
                }
                Some(result) if result.field("OK").is_none_or(|ok| ok.value != Value::Bool(true)) => {
                    let title = format!("Ping from \"{source}\" pod to \"{target}\" pod failed");
                    let message = format!("Ping error: {}", text(result, &["error"]));
                    answers.push(Answer::own(&title, Word::Fail, message, vec![file.cite_node(result)]));
                }
                Some(_) => {}
            }
        }
        if answers.len() == before {
            let title = format!("Pings to \"{target}\" pod succeeded");
            let message = format!("Pings to \"{target}\" pod from all other pods in the cluster succeeded");
            answers.push(Answer::own(&title, Word::Pass, message, vec![file.cite_node(host)]));
        }
    }
    if answers.is_empty() {
        answers.push(Answer::nothing(ask.title, vec![file.cite()]));
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_of_probes() {
        assert_eq!(database_is("connected == false", false, ""), Ok(true));
        assert_eq!(database_is("version >= 10.x.x", true, "10.12.0"), Ok(true));
        assert_eq!(database_is("version < 10.x.x", true, "9.6"), Ok(true));
        assert!(database_is("version < 10", true, "").is_err());
        assert_eq!(http_is("statusCode == 200", Some(404), false), Ok(false));
        assert_eq!(http_is("statusCode >= 200 && statusCode < 300 || statusCode == 404", Some(404), false), Ok(true));
        assert_eq!(http_is("statusCode != 200", None, true), Ok(false));
        assert!(http_is("body == 1", Some(200), false).is_err());
    }
}
