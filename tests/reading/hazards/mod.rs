//! What collectors do to the data, one test for each trap that a reader must not fall into. A test is named
//! `hazard_NN_what`; the numbers are those of the list in [`HAZARDS`].

mod containers;
mod contents;
mod coverage;

/// The traps, by number.
const HAZARDS: [&str; 23] = [
    "the forms of a list",
    "a kind that only the path tells",
    "`null` and empty written as the word null",
    "integers written as floats",
    "a trailing NUL in each member, and an archive that loses its step",
    "logs with the newest line first",
    "links as the only name of a log",
    "archives in archives",
    "files of desktops, and names with backslashes",
    "one object in many files",
    "one version of a custom resource only",
    "masked values",
    "what collectors say they did not get",
    "names of files that promise another format",
    "no time of collection",
    "names of logs",
    "logs cut when they were collected",
    "very long lines",
    "names of files with replaced characters",
    "old API groups",
    "two forms of events",
    "an empty list of events",
    "cut and empty files",
];

#[test]
fn each_hazard_has_its_test() {
    let sources = [include_str!("containers.rs"), include_str!("contents.rs"), include_str!("coverage.rs")];
    let missing: Vec<String> = (1..=HAZARDS.len())
        .filter(|number| !sources.iter().any(|text| text.contains(&format!("fn hazard_{number:02}_"))))
        .map(|number| format!("{number}: {}", HAZARDS[number - 1]))
        .collect();
    assert!(missing.is_empty(), "no test for {missing:#?}");
}
