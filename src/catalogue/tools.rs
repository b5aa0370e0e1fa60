//! What programs say that is wrong, line by line, and in the rows of their tables (`patterns/tools.yaml`).
//!
//! Why data: each tool words its errors and states in its own way, and a new tool is a few lines. What a line means is
//! one of a few classes, for which there is one signature.
//!
//! Invariants: a line is read from its beginning, so that a sentence that speaks of an error is none; what is not known
//! says nothing.

pub use crate::cells::Run;
use crate::cells::{self, Cells, Columns};
use crate::{built_in, wordings};
use facts::lazy_regex::LazyRegex;
use facts::lazy_set::LazySet;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The wordings that class an error of which its row does not say what it is about.
const ERRORS: &str = "command-error";
/// The class of what a row of a table of any kind says by a cell.
pub const OF_ANY_ROW: &str = "row";
/// The class of what no wording knows.
const OTHER: &str = "other";

/// What a line, or a row of a table, says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The program.
    pub tool: &'static str,
    /// What it is about: the class of its row, or of its words.
    pub class: String,
    /// The thing that it speaks of, if it names one.
    pub of: Option<String>,
    /// What is wrong, in the words of the program.
    pub says: String,
    /// Is something wrong?
    pub wrong: bool,
    /// It tells how a thing is, and not that a request failed.
    pub state: bool,
    /// It names a step alone, and why that failed may stand in the lines above.
    pub causes_above: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToolsFile {
    #[serde(rename = "schema")]
    _schema: u32,
    over_when_answered: Vec<String>,
    over_when_written: Vec<String>,
    writes: BTreeSet<String>,
    beside_a_collection: Vec<String>,
    read_of_collections: Vec<String>,
    of_clouds: Vec<String>,
    marks: Vec<MarkRow>,
    faults_of_waiting: Vec<String>,
    faults_of_ending: Vec<String>,
    must_run: Vec<String>,
    lines: Vec<LineRow>,
    tables: Vec<TableRow>,
    cells: Cells,
    /// Lines with what they say; read by a test.
    #[cfg(not(test))]
    #[serde(default, rename = "examples")]
    _examples: serde::de::IgnoredAny,
    #[cfg(test)]
    #[serde(default)]
    examples: Vec<(String, String)>,
}

/// A text that only one program prints.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MarkRow {
    tool: String,
    text: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LineRow {
    tool: String,
    #[serde(default)]
    class: Option<String>,
    matches: String,
    #[serde(default)]
    of_tools: Vec<String>,
    #[serde(default)]
    state: bool,
    #[serde(default)]
    well: bool,
    /// Such a line says nothing, whatever other rows make of it.
    #[serde(default)]
    quiet: bool,
    #[serde(default)]
    causes_above: bool,
}

/// The rows of a table of a program.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableRow {
    tool: String,
    class: String,
    headers: Vec<String>,
    /// What all rows are about, of which the last counts.
    #[serde(default)]
    of: Option<String>,
    /// What a wrong row says, where its words do not.
    #[serde(default)]
    says: Option<String>,
    wrong: String,
    #[serde(skip)]
    regex: Option<LazyRegex>,
}

/// A table that a program prints.
#[derive(Debug, Clone)]
pub enum Table {
    /// Of a program that is known.
    Known {
        /// How its rows are read.
        row: &'static TableRow,
        /// A namespace stands before each name.
        namespaced: bool,
    },
    /// Of kubectl, with any kind of object.
    OfAnyKind(Columns),
}

static ALL: LazyLock<ToolsFile> = LazyLock::new(|| {
    let mut file: ToolsFile = built_in::document("tools.yaml").unwrap_or_default();
    for row in &mut file.tables {
        row.regex = Some(LazyRegex::proven(&row.wrong));
    }
    file.cells.prepare();
    file
});

/// All lines at once: most lines of a text say nothing.
static LINES: LazyLock<LazySet> =
    LazyLock::new(|| LazySet::of(ALL.lines.iter().map(|row| LazyRegex::proven(&anchored(&row.matches))).collect()));

fn anchored(pattern: &str) -> String {
    format!("^(?:{pattern})")
}

/// A line without what stands in front of it in a list, and without the marks of code around it.
fn bare(line: &str) -> &str {
    let line = line.trim();
    let line = ["* ", "- ", "• "].iter().find_map(|bullet| line.strip_prefix(bullet)).unwrap_or(line).trim_start();
    match line.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')) {
        Some(code) if !code.contains('`') => code,
        _ => line,
    }
}

/// What a line says; `tool`: the program whose output it stands in, if that is known.
pub fn line(line: &str, tool: Option<&str>) -> Option<Report> {
    let line = bare(line);
    let own = |at: usize| {
        let row = ALL.lines.get(at)?;
        let is_own = |tool: &str| row.of_tools.iter().any(|known| known == tool);
        (row.of_tools.is_empty() || tool.is_some_and(is_own)).then_some(row)
    };
    let (row, found) = LINES.found(line).find_map(|(at, found)| Some((own(at)?, found)))?;
    if row.quiet {
        return None;
    }
    let group = |name: &str| found.name(name).map(|text| text.as_str().trim().to_owned());
    let says = group("says").unwrap_or_else(|| line.to_owned());
    let class = row.class.clone().unwrap_or_else(|| class_of(&says).to_owned());
    Some(Report {
        tool: &row.tool,
        class,
        of: group("of"),
        says,
        wrong: !row.well,
        state: row.state,
        causes_above: row.causes_above,
    })
}

/// The class of an error by its words.
fn class_of(says: &str) -> &'static str {
    wordings::first(ERRORS, says).map_or(OTHER, |wording| wording.class.as_str())
}

/// The table whose header a line is.
pub fn table(line: &str) -> Option<Table> {
    if !line.trim_start().starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let fits = |row: &&TableRow| row.headers.iter().all(|header| words.contains(&header.as_str()));
    let namespaced = words.starts_with(&["NAMESPACE", "NAME"]);
    let known = ALL.tables.iter().find(fits).map(|row| Table::Known { row, namespaced });
    known.or_else(|| cells::columns(&ALL.cells, line).map(Table::OfAnyKind))
}

impl Table {
    /// Does a program that is known print it, and not kubectl?
    pub fn is_of_a_program(&self) -> bool {
        matches!(self, Table::Known { .. })
    }

    /// The run that a row of kubectl is about.
    pub fn run(&self, line: &str) -> Option<Run> {
        match self {
            Table::Known { .. } => None,
            Table::OfAnyKind(columns) => columns.run(line),
        }
    }

    /// What a row says; `None` for a line that is no row.
    pub fn row(&self, line: &str) -> Option<Report> {
        let (row, namespaced) = match self {
            Table::Known { row, namespaced } => (*row, *namespaced),
            Table::OfAnyKind(columns) => return columns.row(line),
        };
        let mut words = line.split_whitespace();
        let mut first = words.next()?.to_owned();
        if namespaced {
            first = format!("{first}/{}", words.next()?);
        }
        let found = row.regex.as_ref()?.captures(line.trim());
        let group = |name: &str| found.as_ref()?.name(name).map(|text| squeezed(text.as_str()));
        let of = row.of.clone().or_else(|| group("of")).unwrap_or(first);
        let says = group("says").or_else(|| row.says.clone()).unwrap_or_default();
        let wrong = found.is_some();
        Some(Report {
            tool: &row.tool,
            class: row.class.clone(),
            of: Some(of),
            says,
            wrong,
            state: true,
            causes_above: false,
        })
    }
}

/// Words with one blank between them.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Does a program of which something is known here print such a line?
pub fn is_known(text: &str) -> bool {
    line(text, None).is_some() || table(text).is_some()
}

/// Is an error of this class over as soon as the API server answers another command?
pub fn is_over_when_answered(class: &str) -> bool {
    ALL.over_when_answered.iter().any(|known| known == class)
}

/// Is an error of this class over as soon as a command that writes got through?
pub fn is_over_when_written(class: &str) -> bool {
    ALL.over_when_written.iter().any(|known| known == class)
}

/// Does a command of kubectl write? Its verb says so.
pub fn writes(verb: &str) -> bool {
    ALL.writes.contains(verb)
}

/// Is what a program says judged beside a whole collection as well? `state`: it tells how a thing is.
pub fn is_judged_beside(tool: &str, class: &str, state: bool) -> bool {
    let is_read = state && ALL.read_of_collections.iter().any(|known| known == tool);
    !is_read && ALL.beside_a_collection.iter().any(|known| known == class)
}

/// The program that a command runs, without its folder, variables before it and `sudo`.
pub fn program(command: &str) -> Option<&str> {
    let first = command.split_whitespace().find(|word| !word.contains('=') && *word != "sudo")?;
    Some(first.trim_start_matches("./").rsplit('/').next().unwrap_or(first))
}

/// Does a command ask a cloud, and no cluster?
pub fn asks_a_cloud(command: &str) -> bool {
    program(command).is_some_and(|program| ALL.of_clouds.iter().any(|known| known == program))
}

/// The program whose output a file is by its name: `ceph-status.txt`.
pub fn named_by_file(name: &str) -> Option<&'static str> {
    let file = name.rsplit('/').next().unwrap_or(name);
    let first = file.split(['-', '_', '.', ' ']).next().filter(|first| !first.is_empty())?;
    let of_lines = ALL.lines.iter().flat_map(|row| &row.of_tools);
    { of_lines }.find(|tool| *tool == first).map(String::as_str)
}

/// The program whose output a text is by what it holds.
pub fn marked<'t>(lines: impl Iterator<Item = &'t str>) -> Option<&'static str> {
    let own = |line: &str| ALL.marks.iter().find(|mark| line.contains(mark.text.as_str()));
    { lines }.find_map(own).map(|mark| mark.tool.as_str())
}

/// Does a container that waits for this reason do so because of a fault?
pub fn is_fault_of_waiting(reason: &str) -> bool {
    ALL.faults_of_waiting.iter().any(|known| known == reason)
}

/// Does this unit of systemd run on every node that is well?
pub fn must_run(unit: &str) -> bool {
    ALL.must_run.iter().any(|known| known == unit)
}

/// Does a container that ended for this reason lack memory?
pub fn is_fault_of_ending(reason: &str) -> bool {
    ALL.faults_of_ending.iter().any(|known| known == reason)
}

/// The classes that lines and tables name, and those of the wordings.
pub fn classes() -> impl Iterator<Item = &'static str> {
    let of_rows = ALL.lines.iter().filter_map(|row| row.class.as_deref());
    let of_tables = ALL.tables.iter().map(|row| row.class.as_str());
    let of_words = wordings::group(ERRORS).into_iter().flat_map(|group| group.classes());
    of_rows.chain(of_tables).chain(of_words).chain([OTHER, OF_ANY_ROW])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_regex() {
        assert!(!ALL.lines.is_empty() && !ALL.tables.is_empty(), "`patterns/tools.yaml` cannot be read");
        assert!(ALL.cells.are_whole(), "`cells` in `patterns/tools.yaml`");
        let lines = ALL.lines.iter().map(|row| anchored(&row.matches));
        for text in lines.chain(ALL.tables.iter().map(|row| row.wrong.clone())) {
            assert!(LazyRegex::parse(&text).is_ok_and(|regex| regex.compile().is_ok()), "{text}");
        }
    }

    #[test]
    fn examples_say_what_stands_behind_them() {
        for (text, wanted) in &ALL.examples {
            let found = line(text, None).map_or(String::new(), |report| match report.wrong {
                true => {
                    let of = report.of.map_or(String::new(), |of| format!(" {of}"));
                    format!("{} {}{of}: {}", report.tool, report.class, report.says)
                }
                false => "well".to_owned(),
            });
            assert_eq!(found, *wanted, "{text}");
        }
    }

    #[test]
    fn rows_of_any_kind() {
        let said = |header: &str, row: &str| {
            let report = table(header).and_then(|table| table.row(row))?;
            Some(format!("{}: {}", report.of.unwrap_or_default(), report.says))
        };
        let claims = "NAME        STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE";
        assert_eq!(
            said(claims, "data-pg-0   Pending                                      longhorn       26m").as_deref(),
            Some("data-pg-0: STATUS Pending, AGE 26m")
        );
        assert_eq!(said(claims, "data-pg-0   Pending                                      longhorn       26s"), None);
        assert_eq!(said(claims, "data-pg-0   Bound     pvc-1    5Gi        RWO            longhorn       26d"), None);
        let plane = "NAMESPACE   NAME   CLUSTER   API SERVER AVAILABLE   REPLICAS   READY   AGE   VERSION";
        assert_eq!(
            said(plane, "prod        cp     prod      true                   3          1       94d   v1.29.4")
                .as_deref(),
            Some("prod/cp: READY 1, AGE 94d")
        );
        // One of three is taken out while it rolls.
        assert_eq!(
            said(plane, "prod        cp     prod      true                   3          2       94d   v1.29.4"),
            None
        );
        let backups = "NAME     STATUS            ERRORS   CREATED";
        assert_eq!(
            said(backups, "nightly  PartiallyFailed   1        3h").as_deref(),
            Some("nightly: STATUS PartiallyFailed")
        );
        let flux = "NAME      AGE    READY   STATUS";
        assert_eq!(
            said(flux, "tenants   300d   False   kustomization path not found: stat /tmp/k-1/clusters/a: no such file")
                .as_deref(),
            Some(
                "tenants: READY False, AGE 300d: kustomization path not found: stat /tmp/k-1/clusters/a: no such file"
            )
        );
        assert_eq!(said(flux, "tenants   300d   False   Failed").as_deref(), Some("tenants: STATUS Failed, AGE 300d"));
        // Moved cells are not read below the wrong header.
        assert_eq!(said(claims, "Pending is what data-pg-0 has been for 26m"), None);
        let bundles = "NAMESPACE       NAME       BUNDLEDEPLOYMENTS-READY   STATUS";
        let row = "fleet-default   shop-web   1/2                       ErrApplied(1) [Cluster fleet-default/edge-2: field is immutable]";
        assert_eq!(
            said(bundles, row).as_deref(),
            Some("fleet-default/shop-web: STATUS ErrApplied(1) [Cluster fleet-default/edge-2: field is immutable]")
        );
        assert_eq!(said("NAME   READY   STATUS   RESTARTS   AGE", "a   0/1   Pending   0   3d"), None);
        assert_eq!(said("Name   Ready", "a   False"), None);
    }

    #[test]
    fn rows_of_tables() {
        let said = |header: &str, row: &str| {
            let report = table(header).and_then(|table| table.row(row));
            report.map(|report| format!("{} {} {}", report.wrong, report.of.unwrap_or_default(), report.says))
        };
        let helm = "NAME    NAMESPACE       REVISION        UPDATED  STATUS          CHART   APP VERSION";
        assert_eq!(
            said(helm, "vault vault 7 2025-05-02 16:01:07.98 +0200 CEST pending-upgrade vault-0.27.0 1.15.2")
                .as_deref(),
            Some("true vault pending-upgrade")
        );
        assert_eq!(said(helm, "redis apps 3 2025-01-20 deployed redis-18.6.1 7").as_deref(), Some("false redis "));
        let flux = "NAMESPACE\tNAME\tREVISION\tSUSPENDED\tREADY\tMESSAGE";
        assert_eq!(
            said(flux, "flux-system\tapps\tmain@sha1:1b\tFalse\tFalse\tdry-run failed: denied").as_deref(),
            Some("true flux-system/apps False dry-run failed: denied")
        );
        assert_eq!(said(flux, "a b main False True Applied revision: False").as_deref(), Some("false a/b "));
        assert_eq!(said("NAME   READY   STATUS", "x").as_deref(), None);
    }
}
