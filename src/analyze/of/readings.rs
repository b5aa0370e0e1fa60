//! Analyzers of what collectors read on nodes: kernel parameters, usage of volumes, certificates, Weave Net.
//!
//! Source: `replicatedhq/troubleshoot:pkg/analyze/{sysctl,k8s_node_metrics,certificates,weave}.go`.

use crate::ask::{Answer, Ask, first};
use crate::files::File;
use crate::known::{Known, Open, Why, shown};
use crate::message::filled;
use crate::model::Outcome as Word;
use crate::spec::Judges;
use crate::when::{Operator, bad, words};
use facts::node::{Node, Value};
use facts::object::Tree;
use facts::origin::Citation;
use facts::stamp::time_of;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;

/// The part of its addresses that a Weave network may use before Troubleshoot warns.
const USED: f64 = 0.85;

fn text(node: &Node, path: &[&str]) -> String {
    node.at(path).and_then(|node| node.value.scalar()).unwrap_or_default()
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The value of a parameter, and its line.
type Parameters = BTreeMap<String, (String, Citation)>;

/// `/proc/sys/net/ipv4/ip_forward = 1`, line by line.
fn parameters(file: &File) -> Known<Parameters> {
    let (text, is_whole) = file.text()?;
    if !is_whole {
        return Err(Why::Cut(file.shown()).into());
    }
    let mut offset = 0;
    let mut out = Parameters::new();
    for line in text.split_inclusive('\n') {
        if let Some((key, value)) = line.trim_end().split_once(" = ") {
            let key = key.strip_prefix("/proc/sys/").unwrap_or(key).replace('/', ".");
            out.insert(key, (value.to_owned(), file.line_at(offset)));
        }
        offset += line.len();
    }
    Ok(out)
}

/// The places that meet a condition; all files where none does.
fn places(met: &[(String, Citation)], files: &[&File]) -> Vec<Citation> {
    match met.is_empty() {
        true => files.iter().map(|file| file.cite()).collect(),
        false => met.iter().map(|(_, at)| at.clone()).collect(),
    }
}

pub(crate) fn sysctl(ask: &Ask<'_>) -> Vec<Answer> {
    let files = match ask.all_files() {
        Ok(files) => files,
        Err(open) => return ask.open(open),
    };
    let mut nodes = BTreeMap::new();
    for file in &files {
        match parameters(file) {
            Ok(parameters) => nodes.insert(shown(last_part(&file.path)), parameters),
            Err(open) => return ask.open(open),
        };
    }
    let mut met: Vec<(String, Citation)> = Vec::new();
    let chosen = first(&ask.analyzer.outcomes, |when| {
        met = nodes_with(when, &nodes)?;
        Ok(!met.is_empty())
    });
    let at = places(&met, &files);
    let answer = Answer::found(ask.title, chosen.clone(), at);
    let Ok(Some(outcome)) = chosen else { return vec![answer] };
    let names: Vec<&str> = met.iter().map(|(name, _)| name.as_str()).collect();
    let message = match names.as_slice() {
        _ if outcome.when.is_empty() => outcome.message.clone(),
        [one] => format!("Node {one}: {}", outcome.message),
        all => format!("Nodes {}: {}", all.join(", "), outcome.message),
    };
    vec![answer.with_message(message)]
}

/// The nodes whose parameter meets a condition; one that a node does not state meets none.
fn nodes_with(when: &str, nodes: &BTreeMap<String, Parameters>) -> Known<Vec<(String, Citation)>> {
    const EXPECTED: &str = "a parameter, a comparison and a value, such as `net.ipv4.ip_forward = 0`";
    let parts = words(when);
    let [name, operator, value @ ..] = parts.as_slice() else { return Err(bad(when, EXPECTED)) };
    let operator = Operator::parse(operator).filter(|one| *one != Operator::NotEqual && !value.is_empty());
    let operator = operator.ok_or_else(|| bad(when, EXPECTED))?;
    let value = value.join(" ");
    let mut met = Vec::new();
    for (node, parameters) in nodes {
        let Some((own, at)) = parameters.get(*name) else { continue };
        let holds = match operator {
            Operator::Equal => own.split_whitespace().eq(value.split_whitespace()),
            _ => {
                let read = own.trim().parse::<i64>().ok().zip(value.parse::<i64>().ok());
                let (own, value) = read.ok_or_else(|| bad(when, EXPECTED))?;
                operator.holds(own.cmp(&value))
            }
        };
        if holds {
            met.push((node.clone(), at.clone()));
        }
    }
    Ok(met)
}

pub(crate) fn node_metrics(ask: &Ask<'_>) -> Vec<Answer> {
    let files = match ask.all_files() {
        Ok(files) => files,
        Err(open) => return ask.open(open),
    };
    let filter = ask.analyzer.setting("filters").and_then(|filters| filters.get("pvc"));
    let wanted = filter.map(|filter| text(filter, &["namespace"])).unwrap_or_default();
    let named = super::text::compiled(
        &filter.map(|filter| text(filter, &["nameRegex"])).unwrap_or_default(),
        "filters.pvc.nameRegex",
    );
    let named = match named {
        Ok(named) => named,
        Err(open) => return ask.open(open),
    };
    // Claims, what part of each is used, and where that stands.
    let mut used: Vec<(String, f64, Citation)> = Vec::new();
    for file in &files {
        let tree = match file.json(ask.world.nesting) {
            Ok(tree) => tree,
            Err(open) => return ask.open(open),
        };
        for pod in tree.get("pods").map(Node::items).unwrap_or_default() {
            if !wanted.is_empty() && wanted != text(pod, &["podRef", "namespace"]) {
                continue;
            }
            for volume in pod.get("volume").map(Node::items).unwrap_or_default() {
                let name = text(volume, &["pvcRef", "name"]);
                if name.is_empty() || named.as_ref().is_some_and(|regex| !regex.is_match(&name)) {
                    continue;
                }
                let number = |key: &str| volume.get(key).and_then(|node| node.value.number());
                if let Some((bytes, all)) =
                    number("usedBytes").zip(number("capacityBytes")).filter(|(_, all)| *all > 0.0)
                {
                    let claim = format!("{}/{name}", text(volume, &["pvcRef", "namespace"]));
                    let at = volume.get("usedBytes").map_or_else(|| file.cite(), |node| file.cite_node(node));
                    used.push((claim, bytes / all * 100.0, at));
                }
            }
        }
    }
    let mut met: Vec<(String, Citation)> = Vec::new();
    let chosen = first(&ask.analyzer.outcomes, |when| {
        const EXPECTED: &str = "a comparison of `pvcUsedPercentage`, such as `pvcUsedPercentage >= 80`";
        let parts = words(when);
        let ["pvcUsedPercentage", operator, value] = parts.as_slice() else { return Err(bad(when, EXPECTED)) };
        let read = Operator::parse(operator).zip(value.parse::<f64>().ok());
        let (operator, value) = read.ok_or_else(|| bad(when, EXPECTED))?;
        let holds = |own: f64| own.partial_cmp(&value).is_some_and(|order| operator.holds(order));
        met = used.iter().filter(|(_, own, _)| holds(*own)).map(|(name, _, at)| (name.clone(), at.clone())).collect();
        Ok(!met.is_empty())
    });
    let at = places(&met, &files);
    let answer = Answer::found(ask.title, chosen.clone(), at);
    let Ok(Some(outcome)) = chosen else { return vec![answer] };
    let names = shown(&met.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", "));
    let field = |path: &[&str]| (path == ["PVC", "ConcatenatedNames"]).then(|| names.clone());
    vec![answer.with_message(filled(&outcome.message, &field))]
}

pub(crate) fn certificates(ask: &Ask<'_>) -> Vec<Answer> {
    let file = match ask.file() {
        Ok(file) => file,
        Err(open) => return ask.open(open),
    };
    let tree = match file.json(ask.world.nesting) {
        Ok(tree) => tree,
        Err(open) => return ask.open(open),
    };
    let mut clocks =
        ask.world.facts.contexts.iter().filter_map(|context| context.as_of.as_ref()).map(|as_of| as_of.time);
    let now = clocks.next();
    let mut answers = Vec::new();
    for collection in tree.items() {
        let [config_map, secret, namespace] =
            ["configMap", "secret", "namespace"].map(|key| text(collection, &["source", key]));
        let source = match (secret.is_empty(), config_map.is_empty()) {
            (false, _) => format!("obtained from {secret} secret within {namespace} namespace"),
            (true, false) => format!("obtained from {config_map} configmap within {namespace} namespace"),
            (true, true) => String::new(),
        };
        for error in collection.get("errors").map(Node::items).unwrap_or_default() {
            let why = Why::CollectorFailed(error.value.scalar().unwrap_or_default());
            answers.push(Answer::open(ask.title, Open { why, at: vec![file.cite_node(error)] }));
        }
        for one in collection.get("certificateChain").map(Node::items).unwrap_or_default() {
            answers.extend(of_certificate(ask, file, one, &source, now));
        }
    }
    if answers.is_empty() {
        answers.push(Answer::nothing(ask.title, vec![file.cite()]));
    }
    answers
}

/// `notAfter < Today + 365 days`: the days.
fn days(when: &str) -> Option<i64> {
    let parts = words(when);
    let ["notAfter", "<", "Today", "+", days, "days"] = parts.as_slice() else { return None };
    days.parse().ok()
}

/// What the outcomes say of one certificate: a fail if it is not valid, a warning if it ends soon, else a pass.
fn of_certificate(ask: &Ask<'_>, file: &File, one: &Node, source: &str, now: Option<Timestamp>) -> Vec<Answer> {
    let at = one.get("notAfter").map_or_else(|| file.cite_node(one), |node| file.cite_node(node));
    let is_valid = one.get("isValid").is_some_and(|node| node.value == Value::Bool(true));
    let name = text(one, &["certName"]);
    let end = time_of(&text(one, &["notAfter"]));
    let (mut passed, mut other) = (Vec::new(), Vec::new());
    for outcome in &ask.analyzer.outcomes {
        let said = |more: &str| format!("{name} {}{more}, {source}", outcome.message);
        let answer = |more: &str| Answer::of(ask.title, outcome, vec![at.clone()]).with_message(said(more));
        match (outcome.judges, is_valid) {
            (Judges::Pass, true) => passed.push(answer("")),
            (Judges::Fail, false) => other.push(answer("")),
            (Judges::Warn, true) => {
                let Some(days) = days(&outcome.when) else { continue };
                let (Some(now), Some(end)) = (now, end) else {
                    other.push(Answer::open(ask.title, Open { why: Why::NoClock, at: vec![at.clone()] }));
                    continue;
                };
                let limit =
                    now.checked_add(SignedDuration::from_hours(days.saturating_mul(24))).unwrap_or(Timestamp::MAX);
                if limit > end {
                    passed.clear();
                    other.push(answer(&format!(" in {days} days")));
                }
            }
            _ => {}
        }
    }
    other.extend(passed);
    other
}

pub(crate) fn weave(ask: &Ask<'_>) -> Vec<Answer> {
    let files = match ask.all_files() {
        Ok(files) => files,
        Err(open) => return ask.open(open),
    };
    let mut reports: Vec<(&File, Tree)> = Vec::new();
    for file in &files {
        match file.json(ask.world.nesting) {
            Ok(tree) => reports.push((*file, tree)),
            Err(open) => return ask.open(open),
        }
    }
    let mut answers = Vec::new();
    answers.extend(reports.iter().find_map(|(file, report)| addresses(file, report)));
    answers.extend(reports.iter().find_map(|(file, report)| {
        let pending = report.at(&["IPAM", "PendingAllocates"]).filter(|list| !list.items().is_empty())?;
        let at = vec![file.cite_node(pending)];
        Some(Answer::own("Pending IP Allocation", Word::Warn, "Waiting for IPs to become available", at))
    }));
    answers.extend(reports.iter().find_map(|(file, report)| connection(file, report)));
    if answers.is_empty() {
        let at = files.iter().map(|file| file.cite()).collect();
        answers.push(Answer::own(ask.title, Word::Pass, "No issues detected in weave report", at));
    }
    answers
}

fn addresses(file: &File, report: &Tree) -> Option<Answer> {
    let number = |key: &str| report.at(&["IPAM", key])?.value.number();
    let (all, used) = (number("RangeNumIPs").filter(|all| *all > 0.0)?, number("ActiveIPs")?);
    if used / all < USED {
        return None;
    }
    let at = report.at(&["IPAM", "ActiveIPs"]).map_or_else(|| file.cite(), |node| file.cite_node(node));
    let message = format!("{used} of {all} total available IPs have been assigned");
    Some(Answer::own("Available Pod IPs", Word::Warn, message, vec![at]))
}

/// The first connection that is not established, or not the fast way.
fn connection(file: &File, report: &Tree) -> Option<Answer> {
    let host = text(report, &["Router", "NickName"]);
    report.at(&["Router", "Connections"])?.items().iter().find_map(|one| {
        let info = text(one, &["Info"]);
        if info.starts_with("cannot connect to ourself") {
            return None;
        }
        let peer = info.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')).map_or("peer", |(_, peer)| peer);
        let (state, way) = (text(one, &["State"]), text(one, &["Attrs", "name"]));
        let message = match (state.as_str(), way.as_str()) {
            ("established", "" | "fastdp") => return None,
            ("established", way) => format!("Connection from {host} to {peer} protocol is \"{way}\", not fastdp"),
            (state, _) => format!("Connection from {host} to {peer} is {state}"),
        };
        Some(Answer::own("Weave Inter-Node Connections", Word::Warn, message, vec![file.cite_node(one)]))
    })
}
