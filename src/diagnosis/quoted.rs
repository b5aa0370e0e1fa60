//! What a place says, on one line: for the first screen, the ticket and the packets, where there is room for the words
//! alone.
//!
//! Invariant: nothing is added, and only what says when, where and how loud a line of a structured log was written is
//! left out; its message comes first, for the line may be cut after it.

use crate::model::CitationInfo;
use serde_json::{Map, Value};

/// Fields that hold the message, the most telling first: zap and klog, logrus and others, docker, journald.
const MESSAGES: [&str; 4] = ["msg", "message", "log", "MESSAGE"];
/// Fields around it that say when, where and how loud it was written.
const AROUND: [&str; 15] = [
    "level",
    "lvl",
    "severity",
    "ts",
    "time",
    "timestamp",
    "@timestamp",
    "caller",
    "logger",
    "file",
    "stream",
    "source",
    "stacktrace",
    "stack",
    "v",
];

/// The first line that stands at a place, without what is around its message; empty if nothing is quoted.
pub fn line(citation: &CitationInfo) -> String {
    let line = citation.excerpt.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    if !line.starts_with('{') {
        return line.to_owned();
    }
    match serde_json::from_str::<Map<String, Value>>(line) {
        Ok(fields) => said(&fields).unwrap_or_else(|| line.to_owned()),
        Err(_) => from_message(line).unwrap_or(line).to_owned(),
    }
}

/// The message and the fields beside it.
fn said(fields: &Map<String, Value>) -> Option<String> {
    let key = MESSAGES.iter().find(|key| fields.get(**key).is_some_and(Value::is_string))?;
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut out = fields.get(*key).map(text)?.trim().to_owned();
    for (name, value) in fields.iter().filter(|(name, _)| name != key && !AROUND.contains(&name.as_str())) {
        out.push_str(&format!(" {name}={}", text(value)));
    }
    Some(out.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The end of a line that was cut, from its message on.
fn from_message(line: &str) -> Option<&str> {
    MESSAGES.iter().find_map(|key| line.get(line.find(&format!("\"{key}\":"))?..))
}

#[cfg(test)]
mod tests {
    use super::line;
    use crate::model::CitationInfo;

    fn of(excerpt: &str) -> String {
        line(&CitationInfo { excerpt: excerpt.to_owned(), ..CitationInfo::default() })
    }

    #[test]
    fn the_message_of_a_structured_line_comes_first() {
        let zap = r#"{"level":"warn","ts":"2026-03-04T09:40:04Z","caller":"etcdhttp/health.go:119","msg":"/health error","output":"{\"health\":\"false\"}","status-code":503}"#;
        assert_eq!(of(zap), r#"/health error output={"health":"false"} status-code=503"#);
        let docker = r#"{"log":"E0304 09:40:04.000000 1 a.go:1] no space left on device\n","stream":"stderr","time":"2026-03-04T09:40:04Z"}"#;
        assert_eq!(of(docker), "E0304 09:40:04.000000 1 a.go:1] no space left on device");
    }

    #[test]
    fn a_line_that_was_cut_begins_at_its_message() {
        let cut = r#"{"level":"warn","ts":"2026-03-04T09:40:04Z","msg":"failed to reach","error":"dial tcp 10.0.0.1…"#;
        assert_eq!(of(cut), r#""msg":"failed to reach","error":"dial tcp 10.0.0.1…"#);
    }

    #[test]
    fn other_lines_are_as_they_stand() {
        assert_eq!(of("\n  reason: CrashLoopBackOff\n"), "reason: CrashLoopBackOff");
        assert_eq!(of(r#"{"health":"true"}"#), r#"{"health":"true"}"#);
        assert_eq!(of(""), "");
    }
}
