//! A comparison for a terminal.

use crate::model::{Comparison, ObjectName};
use diagnosis::visible::one_line;
use std::fmt::Write as _;

/// Lines of each section; `--format html` has them all.
const LINES: usize = 20;
/// Fields of one object.
const FIELDS: usize = 6;

/// The comparison as text; `all` prints every list whole.
pub fn text(comparison: &Comparison, all: bool) -> String {
    let most = if all { usize::MAX } else { LINES };
    let mut out = String::new();
    let side = |side: &crate::Side| match &side.as_of {
        Some(time) => format!("{} as of {time}", side.name),
        None => side.name.clone(),
    };
    // Writing to a String cannot fail.
    let _ = writeln!(out, "a: {}\nb: {}", side(&comparison.a), side(&comparison.b));
    let mut section = |title: &str, lines: Vec<String>, cut: usize| {
        if lines.is_empty() {
            return;
        }
        let count = lines.len() + cut;
        let _ = writeln!(out, "\n{title} ({count})");
        for line in lines.iter().take(most) {
            let _ = writeln!(out, "  {}", one_line(line));
        }
        let more = count - lines.len().min(most);
        if more > 0 {
            let _ = writeln!(out, "  and {more} more");
        }
    };
    let cut = |name: &str| comparison.more.get(name).copied().unwrap_or_default();
    section("Findings", findings(comparison), cut("findings"));
    let versions = comparison.versions.iter().map(|v| format!("{} {}: {} -> {}", v.cluster, v.what, v.a, v.b));
    section("Versions", versions.collect(), cut("versions"));
    let images = comparison.images.iter().map(|i| format!("{}: {} -> {}", i.image, i.a.join(", "), i.b.join(", ")));
    section("Images", images.collect(), cut("images"));
    section("New objects", comparison.added.iter().map(object).collect(), cut("added"));
    section("Objects that are gone", comparison.gone.iter().map(object).collect(), cut("gone"));
    section("Changed objects", changed(comparison, all), cut("changed"));
    let template =
        |t: &crate::TemplateChange| format!("{} x {}: {} ({}:{})", t.count, t.source, t.example, t.member, t.line);
    section("New in logs", comparison.new_in_logs.iter().map(template).collect(), cut("new_in_logs"));
    let vanished = comparison.vanished_from_logs.iter().map(template).collect();
    section("No longer in logs", vanished, cut("vanished_from_logs"));
    let lacking = comparison.not_comparable.iter().map(|n| format!("{}: not known in {}", n.what, n.lacks));
    section("Not compared: one of the bundles does not show it", lacking.collect(), cut("not_comparable"));
    if comparison.is_empty() {
        out.push_str("\nNothing that both bundles show differs.\n");
    }
    out
}

/// Which verdict became which.
pub(crate) fn verdicts(a: Option<&str>, b: Option<&str>) -> String {
    let word = |verdict: Option<&str>| verdict.unwrap_or("no sign").replace('_', " ");
    format!("{} -> {}", word(a), word(b))
}

fn findings(comparison: &Comparison) -> Vec<String> {
    let line = |f: &crate::FindingChange| {
        format!("{}  {}: {}", verdicts(f.a.as_deref(), f.b.as_deref()), f.signature, f.headline)
    };
    comparison.findings.iter().map(line).collect()
}

/// An object as a person calls it.
pub(crate) fn object(name: &ObjectName) -> String {
    let namespace = name.namespace.as_ref().map(|namespace| format!("{namespace}/")).unwrap_or_default();
    let count = if name.count > 1 { format!(" ({})", name.count) } else { String::new() };
    format!("{} {namespace}{}{count}", name.kind, name.name)
}

fn changed(comparison: &Comparison, all: bool) -> Vec<String> {
    let most = if all { usize::MAX } else { FIELDS };
    let mut lines = Vec::new();
    for change in &comparison.changed {
        let field = |f: &crate::FieldChange| {
            let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "not set".to_owned());
            format!("{}: {} -> {}", f.path, value(&f.a), value(&f.b))
        };
        let fields: Vec<String> = change.fields.iter().take(most).map(field).collect();
        let more = change.fields.len().saturating_sub(most) + change.more_fields;
        let more = if more > 0 { format!("; and {more} more fields") } else { String::new() };
        lines.push(format!("{}  {}{more}", object(&change.object), fields.join("; ")));
    }
    lines
}
