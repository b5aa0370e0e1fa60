//! `docs/coverage.md`: the page that people read.

use super::project::Project;
use super::source::{Carrier, Row, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The name of the source that holds what the checks of an installation leave out.
const CHECKS: &str = "checks";

/// The page.
pub(super) fn page(project: &Project, sources: &[Source]) -> String {
    let mut out = String::from(
        "# Who carries what\n\n\
         Every statement of the guides and lists that Casefile began with, in our own words, and who carries it: a\n\
         signature with its evidence, texts and tests, a check of an installation, a test function. What nobody can carry\n\
         stands below its table with the reason. Generated from `docs/coverage/*.yaml` and `patterns/checks.yaml` by\n\
         `CASEFILE_UPDATE=1 cargo test --test coverage`; the same test checks that everything named here exists.\n\n\
         | source | statements | carried | left out | what it is |\n|---|---|---|---|---|\n",
    );
    let checks = sources.iter().find(|source| source.name == CHECKS);
    for source in sources.iter().filter(|source| source.name != CHECKS) {
        let left_out = source.rows.iter().filter(|row| row.left_out.is_some()).count();
        let (all, title) = (source.rows.len(), cell(&source.title));
        let _ = writeln!(
            out,
            "| [{}](#{}) | {all} | {} | {left_out} | {title} |",
            source.source,
            source.name,
            all - left_out
        );
    }
    let rows = check_rows(project, checks);
    let left_out = rows.values().filter(|row| row.left_out.is_some()).count();
    let untested = rows.values().filter(|row| row.is_untested()).count();
    let without = if untested == 0 { String::new() } else { format!("; {untested} without a test that names them") };
    let _ = writeln!(
        out,
        "| [checks](#checks) | {} | {} | {left_out} | Checks of an installation of the `global` cluster{without} |",
        rows.len(),
        rows.len() - left_out - untested
    );
    for source in sources.iter().filter(|source| source.name != CHECKS) {
        section(&mut out, project, source);
    }
    check_section(&mut out, &rows);
    out
}

fn section(out: &mut String, project: &Project, source: &Source) {
    let _ = write!(out, "\n<a id=\"{}\"></a>\n\n## {}: {}\n\n", source.name, source.source, source.title);
    let mut rows: Vec<&Row> = source.rows.iter().collect();
    rows.sort_by_key(|row| (row.lines.as_ref().and_then(|lines| lines.0.first().copied()), row.id.clone()));
    let place = if source.name.starts_with("guide-") { "lines" } else { "id" };
    let _ = write!(out, "| {place} | what it says | kind | carried by | tests |\n|---|---|---|---|---|\n");
    for row in rows.iter().filter(|row| row.left_out.is_none()) {
        let (carried, tests) = carriers(project, row);
        let _ = writeln!(out, "| {} | {} | {} | {carried} | {tests} |", row.place(), cell(&row.says), row.kind.word());
    }
    let left_out: Vec<&&Row> = rows.iter().filter(|row| row.left_out.is_some()).collect();
    if !left_out.is_empty() {
        let _ = write!(
            out,
            "\nLeft out:\n\n| {place} | what it says | kind | why nobody carries it |\n|---|---|---|---|\n"
        );
        for row in left_out {
            let why = cell(row.left_out.as_deref().unwrap_or_default());
            let _ = writeln!(out, "| {} | {} | {} | {why} |", row.place(), cell(&row.says), row.kind.word());
        }
    }
    if !source.not_claims.is_empty() {
        let _ = write!(out, "\nLines that state nothing to check:\n\n");
        for row in &source.not_claims {
            let _ = writeln!(out, "- {}: {}", row.lines, row.because.trim());
        }
    }
}

/// Who carries a row, and the tests that show it.
fn carriers(project: &Project, row: &Row) -> (String, String) {
    let (mut carried, mut tests): (Vec<String>, Vec<String>) = Default::default();
    let several = row.carried_by.iter().filter(|carrier| !carrier.tests.is_empty()).count() > 1;
    for Carrier { signature, evidence, text, tests: named, check, code, sample } in &row.carried_by {
        if let Some(id) = signature {
            let mut parts: Vec<String> = evidence.iter().map(|id| format!("`{id}`")).collect();
            parts.extend(text.iter().map(|block| format!("text {}", block.replace('_', " "))));
            carried.push(format!("[{id}](patterns/{id}.md) {}", parts.join(", ")));
            let prefix = if several { format!("{id}: ") } else { String::new() };
            tests.extend(named.iter().map(|name| format!("{prefix}{}", cell(name))));
        }
        if let Some(id) = check {
            carried.push(format!("check {id}"));
            tests.extend(named.iter().map(|name| {
                let known = project.tests_of_check(id).into_iter().find(|(_, test)| test == name);
                format!("{}: {}", known.map_or(id.as_str(), |(signature, _)| signature), cell(name))
            }));
        }
        if let Some(code) = code {
            tests.push(format!("`{code}`"));
            if row.carried_by.len() == 1 {
                carried.push("code".to_owned());
            }
        }
        if let Some(sample) = sample {
            tests.push(format!("sample [{sample}](../sample-bundles/{sample}/README.md)"));
        }
    }
    (carried.join("; "), tests.join("; "))
}

/// What the page says of one check.
pub(super) struct CheckRow {
    title: String,
    tests: Vec<String>,
    left_out: Option<String>,
}

impl CheckRow {
    /// Nothing shows that it works.
    pub(super) fn is_untested(&self) -> bool {
        self.left_out.is_none() && self.tests.is_empty()
    }
}

/// The checks by id: those of `patterns/checks.yaml`, and those that `docs/coverage/checks.yaml` adds or leaves out.
pub(super) fn check_rows(project: &Project, source: Option<&Source>) -> BTreeMap<String, CheckRow> {
    let mut rows = BTreeMap::new();
    for check in &project.checks {
        let tests = project.tests_of_check(&check.id).into_iter();
        let tests = tests.map(|(signature, test)| format!("[{signature}](patterns/{signature}.md): {}", cell(test)));
        rows.insert(check.id.clone(), CheckRow { title: cell(&check.title), tests: tests.collect(), left_out: None });
    }
    for row in source.iter().flat_map(|source| &source.rows) {
        let Some(id) = &row.id else { continue };
        let (carried, tests) = carriers(project, row);
        let shown = rows.entry(id.clone()).or_insert_with(|| CheckRow {
            title: cell(&row.says),
            tests: Vec::new(),
            left_out: row.left_out.clone(),
        });
        let named: BTreeSet<String> = [carried, tests].into_iter().filter(|text| !text.is_empty()).collect();
        shown.tests.extend(named);
    }
    rows
}

fn check_section(out: &mut String, rows: &BTreeMap<String, CheckRow>) {
    out.push_str("\n<a id=\"checks\"></a>\n\n## Checks of an installation of the `global` cluster\n\n");
    out.push_str("| check | what it says | tests |\n|---|---|---|\n");
    for (id, row) in rows.iter().filter(|(_, row)| row.left_out.is_none()) {
        let _ = writeln!(out, "| {id} | {} | {} |", row.title, some(&row.tests));
    }
    if rows.values().any(|row| row.left_out.is_some()) {
        out.push_str("\nLeft out:\n\n| check | what it says | why nobody carries it |\n|---|---|---|\n");
    }
    for (id, row) in rows {
        if let Some(why) = &row.left_out {
            let _ = writeln!(out, "| {id} | {} | {} |", row.title, cell(why));
        }
    }
}

/// Tests that one check lists; the others are counted.
const LISTED: usize = 3;

/// Tests as a cell lists them.
fn some(tests: &[String]) -> String {
    let more = tests.len().saturating_sub(LISTED);
    let listed = tests.iter().take(LISTED).cloned().collect::<Vec<_>>().join("; ");
    if more == 0 { listed } else { format!("{listed}; and {more} more") }
}

/// Text inside a cell of a table.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
