//! `docs/coverage.md` says of every statement of the guides who carries it. Here it is generated from
//! `docs/coverage/*.yaml` and checked: what a row names exists, no line of a guide and no item of a list is left over.
//! `CASEFILE_UPDATE=1` writes it anew. The guides are read from the folder `seeds` beside `CASEFILE_CORPUS`.

#![expect(clippy::disallowed_methods, reason = "the update switch of golden files is an environment variable")]
#![expect(clippy::expect_used, clippy::panic, reason = "a test outside of `cfg(test)`: it fails loudly")]

mod guide;
mod page;
mod project;
mod source;

use project::Project;
use source::Source;
use std::collections::BTreeSet;

/// The guides, and the lists beside them.
const SOURCES: [&str; 9] = [
    "checks",
    "failures",
    "guide-000",
    "guide-001",
    "guide-002",
    "guide-003",
    "kubefleet",
    "look-alikes",
    "object-checks",
];

fn sources(project: &Project) -> Vec<Source> {
    let mut problems = Vec::new();
    let sources = source::read(&project.root.join("docs/coverage"), &mut problems);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    sources
}

fn source<'a>(sources: &'a [Source], name: &str) -> Option<&'a Source> {
    sources.iter().find(|source| source.name == name)
}

fn ids(source: &Source) -> BTreeSet<&str> {
    source.rows.iter().filter_map(|row| row.id.as_deref()).collect()
}

#[test]
fn everything_that_a_row_names_exists() {
    let project = Project::here();
    let problems: Vec<String> = sources(project).iter().flat_map(|source| project.problems(source)).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_page_is_up_to_date() {
    let project = Project::here();
    let wanted = page::page(project, &sources(project));
    let path = project.root.join("docs/coverage.md");
    if std::env::var("CASEFILE_UPDATE").is_ok() {
        std::fs::write(&path, &wanted).expect("written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "docs/coverage.md is not what is generated now; run with CASEFILE_UPDATE=1");
}

#[test]
fn every_line_of_a_guide_is_accounted_for_and_none_is_copied() {
    let Some(corpus) = crate::common::corpus() else { return };
    let seeds = corpus.parent().expect("the corpus has a parent").join("seeds");
    let guides = std::fs::read_dir(&seeds).unwrap_or_else(|error| panic!("{}: {error}", seeds.display()));
    let guides: Vec<_> = guides.flatten().map(|entry| entry.path()).collect();
    let project = Project::here();
    let mut problems = Vec::new();
    for source in sources(project) {
        let Some(number) = source.name.strip_prefix("guide-") else { continue };
        let is_it = |path: &&std::path::PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&format!("{number}_")))
        };
        let path = guides.iter().find(is_it).unwrap_or_else(|| panic!("no guide {number} in {}", seeds.display()));
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        problems.extend(guide::problems(&source, &text));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_source_is_there() {
    let project = Project::here();
    let sources = sources(project);
    for name in SOURCES {
        assert!(source(&sources, name).is_some_and(|source| !source.rows.is_empty()), "docs/coverage/{name}.yaml");
    }
}

#[test]
fn every_failure_of_the_list_has_a_row() {
    let sources = sources(Project::here());
    let failures = source(&sources, "failures").expect("docs/coverage/failures.yaml");
    let wanted: Vec<String> = (1..=55).map(|number| format!("F{number:02}")).collect();
    let wanted: BTreeSet<&str> = wanted.iter().map(String::as_str).collect();
    assert_eq!(ids(failures), wanted);
}

/// The groups of checks of an installation, and how many each has: 120 in all.
const GROUPS: [(char, usize); 8] =
    [('A', 6), ('B', 11), ('C', 20), ('D', 31), ('E', 11), ('G', 20), ('H', 9), ('I', 12)];

#[test]
fn every_check_of_an_installation_has_a_row() {
    let project = Project::here();
    let sources = sources(project);
    let Some(checks) = source(&sources, "checks") else { return };
    let wanted: BTreeSet<String> =
        GROUPS.iter().flat_map(|(group, count)| (1..=*count).map(move |n| format!("{group}{n:02}"))).collect();
    assert_eq!(wanted.len(), 120);
    let rows = page::check_rows(project, Some(checks));
    assert_eq!(rows.keys().cloned().collect::<BTreeSet<_>>(), wanted);
    let known: BTreeSet<&str> = project.checks.iter().map(|check| check.id.as_str()).collect();
    let left_out = checks.rows.iter().filter(|row| row.left_out.is_some()).filter_map(|row| row.id.as_deref());
    let both: Vec<&str> = left_out.filter(|id| known.contains(id)).collect();
    assert!(both.is_empty(), "docs/coverage/checks.yaml leaves out what patterns/checks.yaml has: {both:?}");
    let untested: Vec<&String> = rows.iter().filter(|(_, row)| row.is_untested()).map(|(id, _)| id).collect();
    assert!(untested.is_empty(), "no test expects anything of {untested:?}");
}

/// The problems of a source that is written on the spot.
fn problems(name: &str, text: &str) -> Vec<String> {
    match source::parse(name, text) {
        Ok(source) => Project::here().problems(&source),
        Err(error) => vec![error],
    }
}

#[test]
fn a_row_that_names_what_does_not_exist_is_refused() {
    let row = |carrier: &str| {
        let carried = format!("carried_by: [{carrier}]");
        problems(
            "failures",
            &format!("title: T\nsource: list\nrows:\n- {{ id: F01, says: s, kind: check, {carried} }}\n"),
        )
    };
    assert_eq!(row("{ signature: CF-1001, text: [do_not] }"), Vec::<String>::new());
    let refused = [
        ("{ signature: CF-0000, text: [do_not] }", "no signature has the id CF-0000"),
        ("{ signature: CF-1001 }", "name `evidence` or `text`"),
        ("{ signature: CF-1001, evidence: [nonsense], tests: [x] }", "no evidence `nonsense`"),
        ("{ signature: CF-1001, evidence: [import-label] }", "name a test"),
        ("{ signature: CF-1001, text: [poem] }", "no text `poem`"),
        ("{ signature: CF-1001, text: [claim] }", "no text `claim`"),
        ("{ signature: CF-1001, text: [steps], tests: [nonsense] }", "no test `nonsense`"),
        ("{ check: Z99 }", "no check Z99"),
        ("{ check: B01, tests: [nonsense] }", "no test `nonsense`"),
        ("{ code: tests/patterns/coverage/mod.rs::nonsense }", "no test function nonsense"),
        ("{ code: tests/patterns/coverage/mod.rs::problems }", "no test function problems"),
        ("{ code: tests/nonsense.rs::x }", "no file tests/nonsense.rs"),
        ("{ code: nonsense }", "write path/of/file.rs::function"),
        ("{ sample: failed-import }", "never alone"),
        ("{ signature: CF-1001, text: [steps] }, { sample: nonsense }", "sample-bundles/nonsense"),
        ("{ signature: CF-1001, check: B01 }", "exactly one of signature"),
        ("{ signature: CF-1001, text: [steps], colour: red }", "colour"),
    ];
    for (carrier, wanted) in refused {
        let found = row(carrier);
        assert!(found.iter().any(|problem| problem.contains(wanted)), "{carrier}: {found:?}");
    }
    let this = "{ code: tests/patterns/coverage/mod.rs::a_row_that_names_what_does_not_exist_is_refused }";
    assert_eq!(row(this), Vec::<String>::new());
}

#[test]
fn a_row_is_carried_or_left_out_and_stands_at_one_place() {
    let of = |name: &str, row: &str| problems(name, &format!("title: T\nsource: guide 000\nrows:\n- {{ {row} }}\n"));
    let left_out = "says: s, kind: cure, left_out: why";
    assert_eq!(of("guide-000", &format!("lines: \"1-2, 4\", {left_out}")), Vec::<String>::new());
    let refused = [
        ("guide-000", format!("id: F01, {left_out}"), "a row of a guide has `lines`"),
        ("failures", format!("lines: \"1\", {left_out}"), "one of a list has `id`"),
        ("failures", format!("id: F01, lines: \"1\", {left_out}"), "exactly one of `lines` and `id`"),
        ("guide-000", format!("lines: \"4-2\", {left_out}"), "no line or range"),
        ("guide-000", "lines: \"1\", says: s, kind: cure".to_owned(), "exactly one of `carried_by` and `left_out`"),
        ("guide-000", "lines: \"1\", says: s, kind: song, left_out: why".to_owned(), "song"),
        ("guide-001", format!("lines: \"1\", {left_out}"), "`source` must be `guide 001`"),
    ];
    for (name, row, wanted) in refused {
        let found = of(name, &row);
        assert!(found.iter().any(|problem| problem.contains(wanted)), "{row}: {found:?}");
    }
}

#[test]
fn a_line_that_nobody_accounts_for_is_seen() {
    let text = "title: T\nsource: guide 000\nrows:\n- { lines: \"1, 3\", says: we say it in other words, kind: cure, left_out: w }\n\
                - { lines: \"1\", says: two three four five six seven eight nine ten eleven, kind: cure, left_out: w }\n\
                not_claims:\n- { lines: \"3, 9\", because: heading }\n";
    let source = source::parse("guide-000", text).expect("a source");
    let guide = "One two three. Four five six seven eight nine ten.\n\nheading\nnobody\n \nnor this";
    let said = guide::problems(&source, guide).join("\n");
    insta::assert_snapshot!(said, @r"
    docs/coverage/guide-000.yaml: lines of the guide that are in neither `rows` nor `not_claims`: 4, 6
    docs/coverage/guide-000.yaml: lines that are in `rows` and in `not_claims`: 3
    docs/coverage/guide-000.yaml: lines beyond the end of the guide: 9
    docs/coverage/guide-000.yaml: row 1 copies the guide: two three four five six seven eight nine ten
    ");
}
