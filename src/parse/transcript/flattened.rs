//! `kubectl describe` text whose indentation was lost on the way: puts it back.
//!
//! Why restored as text: the reader of describe then does the rest, and line numbers stay what they are,
//! because every line stays one line.
//!
//! kubectl sorts the keys of every level, so a key that sorts before the last one of a level cannot belong
//! to it. Lists and references whose fields the API fixes (conditions, addresses, owners, `... Ref`) are
//! closed: nothing else belongs into them. Where a line could still belong to two levels, its section is
//! *ambiguous*, and the caller must not conclude anything from what is missing there.

/// A text with its indentation restored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Restored {
    /// As many lines as were given.
    pub text: String,
    /// Top-level keys below which the depth of some line is not certain.
    pub ambiguous: Vec<String>,
}

/// Sections of the generic form, in the order in which kubectl prints them behind `Kind:`.
const SECTIONS: [&str; 4] = ["Metadata", "Spec", "Status", "Events"];

const REFERENCE: &[&str] =
    &["API Group", "API Version", "Field Path", "Kind", "Name", "Namespace", "Resource Version", "UID"];
const CONDITION: &[&str] = &[
    "Last Heartbeat Time",
    "Last Probe Time",
    "Last Transition Time",
    "Last Update Time",
    "Message",
    "Observed Generation",
    "Reason",
    "Severity",
    "Status",
    "Type",
];
const OWNER: &[&str] = &["API Version", "Block Owner Deletion", "Controller", "Kind", "Name", "UID"];
const ADDRESS: &[&str] = &["Address", "Type"];
const BOOTSTRAP: &[&str] = &["Config Ref", "Data Secret Name"];
const NODE_INFO: &[&str] = &[
    "Architecture",
    "Boot ID",
    "Container Runtime Version",
    "Kernel Version",
    "Kube Proxy Version",
    "Kubelet Version",
    "Machine ID",
    "Operating System",
    "Os Image",
    "System UUID",
];
const ENDPOINT: &[&str] = &["Host", "Port"];

/// The fields that can stand below a key, where the API fixes them.
fn closed(key: &str) -> Option<&'static [&'static str]> {
    match key {
        "Conditions" => Some(CONDITION),
        "Owner References" => Some(OWNER),
        "Addresses" => Some(ADDRESS),
        "Bootstrap" => Some(BOOTSTRAP),
        "Node Info" => Some(NODE_INFO),
        "Control Plane Endpoint" => Some(ENDPOINT),
        key if key.ends_with(" Ref") => Some(REFERENCE),
        _ => None,
    }
}

/// Is this the text of an object in the generic form, without its indentation?
pub(crate) fn is_one(lines: &[&str]) -> bool {
    let starts = lines.first().is_some_and(|line| line.starts_with("Name:"));
    let section = |line: &&str| matches!(line.trim_end(), "Metadata:" | "Spec:" | "Status:");
    let flat = |pair: &[&str]| {
        section(&pair[0])
            && field(pair[1]).is_some_and(|(key, _)| !SECTIONS.contains(&key))
            && !pair[1].starts_with(' ')
    };
    starts && lines.windows(2).any(flat)
}

/// `Key: value` or `Key:`, with a key as kubectl prints one.
fn field(line: &str) -> Option<(&str, &str)> {
    let (key, text) = match line.split_once(": ") {
        Some((key, text)) => (key, text.trim()),
        None => (line.trim_end().strip_suffix(':')?, ""),
    };
    let titled = key.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == 'i')
        && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '/' | '.'));
    (titled && key.split(' ').count() <= 8).then_some((key, text))
}

/// One level of the tree that is open.
struct Level {
    closed: Option<&'static [&'static str]>,
    last: String,
}

impl Level {
    fn takes(&self, key: &str) -> bool {
        match self.closed {
            // An item of a list of conditions begins with one of its times, of others with the first field.
            Some(fields) if fields == CONDITION => {
                fields.contains(&key) && (key > self.last.as_str() || key.starts_with("Last "))
            }
            Some(fields) => fields.contains(&key) && (key > self.last.as_str() || fields.first() == Some(&key)),
            None => key > self.last.as_str(),
        }
    }
}

/// Restores the indentation of one object's text, see [`is_one`].
pub(crate) fn restore(lines: &[&str]) -> Restored {
    let mut out = Restored::default();
    let mut at = head(lines, &mut out.text);
    let mut section = String::new();
    let mut levels: Vec<Level> = Vec::new();
    // The key of the line above, if it had no text: what follows may stand below it.
    let mut open: Option<String> = None;
    while let Some(line) = lines.get(at) {
        let line = line.trim();
        if line.starts_with("Events:") {
            events(&lines[at..], &mut out.text);
            return out;
        }
        let (depth, text) = match field(line) {
            Some((key, _))
                if SECTIONS.contains(&key) && (line.ends_with(':') || levels.is_empty()) && key > section.as_str() =>
            {
                key.clone_into(&mut section);
                levels.clear();
                open = line.ends_with(':').then(|| key.to_owned());
                (0, line.to_owned())
            }
            Some((key, text)) => {
                let sure = enter(&mut levels, open.take(), key);
                if !sure && !out.ambiguous.contains(&section) {
                    out.ambiguous.push(section.clone());
                }
                open = text.is_empty().then(|| key.to_owned());
                (levels.len(), format!("{key}:  {text}"))
            }
            // An item of a list of texts, or the rest of a long text.
            None => {
                open = None;
                (levels.len() + 1, line.to_owned())
            }
        };
        out.text.push_str(&"  ".repeat(depth));
        out.text.push_str(text.trim_end());
        out.text.push('\n');
        at += 1;
    }
    out
}

/// Makes the last of `levels` the one that a key belongs to; `false` if it could be another.
fn enter(levels: &mut Vec<Level>, open: Option<String>, key: &str) -> bool {
    if let Some(parent) = open {
        let closed = closed(&parent);
        let top = levels.is_empty();
        let outside = levels.iter().any(|level| level.takes(key));
        if closed.is_none_or(|fields| fields.contains(&key)) {
            // Below a key of unknown fields that may be empty itself.
            let sure = top || closed.is_some() || !outside;
            levels.push(Level { closed, last: key.to_owned() });
            return sure;
        }
    }
    let Some(deepest) = levels.iter().rposition(|level| level.takes(key)) else {
        // It fits nowhere: the text is damaged here.
        levels.truncate(1);
        if levels.is_empty() {
            levels.push(Level { closed: None, last: String::new() });
        }
        if let Some(level) = levels.last_mut() {
            key.clone_into(&mut level.last);
        }
        return false;
    };
    let fixed = levels[deepest].closed.is_some();
    let sure = fixed || !levels[..deepest].iter().any(|level| level.takes(key));
    levels.truncate(deepest + 1);
    key.clone_into(&mut levels[deepest].last);
    sure
}

/// `Name` to `Kind`: returns the index of the line behind it.
fn head(lines: &[&str], out: &mut String) -> usize {
    let mut block = "";
    let mut at = 0;
    // A name of an annotation without its text: the text stands in the next line.
    let mut name_alone = false;
    while let Some(line) = lines.get(at) {
        let line = line.trim();
        let top = ["Name:", "Namespace:", "Labels:", "Annotations:", "API Version:", "Kind:"]
            .into_iter()
            .find(|key| line.starts_with(key));
        match top {
            Some(key) => {
                let text = line[key.len()..].trim();
                out.push_str(&format!("{key:<14}{text}\n"));
                block = key;
                name_alone = key == "Annotations:" && text.ends_with(':');
            }
            None if matches!(block, "Labels:" | "Annotations:") => {
                let indent = if name_alone { 16 } else { 14 };
                name_alone = !name_alone && line.ends_with(':');
                out.push_str(&format!("{:indent$}{line}\n", ""));
            }
            None => return at,
        }
        at += 1;
        if block == "Kind:" {
            return at;
        }
    }
    at
}

/// The table of events, its cells put in columns again.
fn events(lines: &[&str], out: &mut String) {
    let cut = |line: &str| -> Option<[String; 5]> {
        let mut words = line.split_whitespace();
        let (kind, reason, mut age) = (words.next()?, words.next()?, words.next()?.to_owned());
        let mut from = words.next().unwrap_or_default();
        if from.starts_with("(x") {
            age = format!("{age} {from}");
            for word in words.by_ref() {
                age = format!("{age} {word}");
                if word.ends_with(')') {
                    break;
                }
            }
            from = words.next().unwrap_or_default();
        }
        let message = words.collect::<Vec<_>>().join(" ");
        Some([kind.to_owned(), reason.to_owned(), age, from.to_owned(), message])
    };
    let is_row = |line: &str| ["Type ", "---- ", "Normal ", "Warning "].iter().any(|start| line.starts_with(start));
    let rows: Vec<Option<[String; 5]>> =
        lines.iter().skip(1).map(|line| Some(line.trim()).filter(|line| is_row(line)).and_then(cut)).collect();
    let width = |column: usize| rows.iter().flatten().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3)];
    out.push_str(lines.first().map_or("", |line| line.trim()));
    out.push('\n');
    for (line, row) in lines.iter().skip(1).zip(&rows) {
        match row {
            Some([a, b, c, d, message]) => {
                let [w, x, y, z] = widths;
                out.push_str(&format!("  {a:<w$}  {b:<x$}  {c:<y$}  {d:<z$}  {message}\n"));
            }
            None => out.push_str(&format!("  {}\n", line.trim())),
        }
    }
}

/// How many of the lines belong to the table of events that the first one opens.
pub(crate) fn events_length(lines: &[&str]) -> usize {
    let is_row = |line: &&&str| {
        ["Type ", "----", "Normal ", "Warning "].iter().any(|start| line.trim_start().starts_with(start))
    };
    1 + lines.iter().skip(1).take_while(is_row).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> String {
        let lines: Vec<&str> = text.lines().collect();
        let restored = restore(&lines);
        assert_eq!(restored.text.lines().count(), lines.len());
        format!("{}ambiguous: {:?}", restored.text, restored.ambiguous)
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a text and what it is read as, side by side")]
    fn a_machine() {
        insta::assert_snapshot!(show("\
Name: cp-9
Namespace: edge
Labels: a=b
c=
Annotations: example.com/long:
{\"x\":1}
short: y
API Version: cluster.x-k8s.io/v1beta1
Kind: Machine
Metadata:
Creation Timestamp: 2026-05-01T10:00:00Z
Finalizers:
machine.cluster.x-k8s.io
Generation: 3
Owner References:
API Version: controlplane.cluster.x-k8s.io/v1beta1
Kind: KubeadmControlPlane
Name: edge
UID: 1
Resource Version: 7
UID: 2
Spec:
Bootstrap:
Config Ref:
Kind: KubeadmConfig
Name: x
Data Secret Name: x
Cluster Name: edge
Status:
Conditions:
Last Transition Time: 2026-05-01T10:00:00Z
Status: True
Type: Ready
Last Transition Time: 2026-05-01T10:00:00Z
Reason: NodeProvisioning
Status: False
Type: NodeHealthy
Infrastructure Ready: true
Observed Generation: 3
Phase: Provisioned
Events:
Type Reason Age From Message
---- ------ ---- ---- -------
Normal DetectedUnhealthy 14s (x2 over 5m) mhc-controller Machine a has no node
"), @r#"
        Name:         cp-9
        Namespace:    edge
        Labels:       a=b
                      c=
        Annotations:  example.com/long:
                        {"x":1}
                      short: y
        API Version:  cluster.x-k8s.io/v1beta1
        Kind:         Machine
        Metadata:
          Creation Timestamp:  2026-05-01T10:00:00Z
          Finalizers:
            machine.cluster.x-k8s.io
          Generation:  3
          Owner References:
            API Version:  controlplane.cluster.x-k8s.io/v1beta1
            Kind:  KubeadmControlPlane
            Name:  edge
            UID:  1
          Resource Version:  7
          UID:  2
        Spec:
          Bootstrap:
            Config Ref:
              Kind:  KubeadmConfig
              Name:  x
            Data Secret Name:  x
          Cluster Name:  edge
        Status:
          Conditions:
            Last Transition Time:  2026-05-01T10:00:00Z
            Status:  True
            Type:  Ready
            Last Transition Time:  2026-05-01T10:00:00Z
            Reason:  NodeProvisioning
            Status:  False
            Type:  NodeHealthy
          Infrastructure Ready:  true
          Observed Generation:  3
          Phase:  Provisioned
        Events:
          Type    Reason             Age               From            Message
          ----    ------             ----              ----            -------
          Normal  DetectedUnhealthy  14s (x2 over 5m)  mhc-controller  Machine a has no node
        ambiguous: []
        "#);
    }

    #[test]
    fn what_could_stand_elsewhere_is_said() {
        let text = "Name: a\nKind: X\nSpec:\nAlpha:\nInner: 1\nZulu: 2\n";
        insta::assert_snapshot!(show(text), @r#"
        Name:         a
        Kind:         X
        Spec:
          Alpha:
            Inner:  1
            Zulu:  2
        ambiguous: ["Spec"]
        "#);
    }
}
