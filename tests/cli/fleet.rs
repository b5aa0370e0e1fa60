//! `casefile fleet`: what is said over many bundles, and what no result can do to the page.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use assert_cmd::Command;
use serde_json::{Value, json};
use std::path::Path;

fn casefile(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_casefile"));
    command.current_dir(dir).args(args);
    command
}

fn fleet(dir: &Path) -> Value {
    let run = casefile(dir, &["fleet", "results", "--format", "json"]).assert().code(0);
    serde_json::from_slice(&run.get_output().stdout).unwrap()
}

/// The id of a bundle, by its number.
fn id(number: u32) -> String {
    format!("{number:064x}")
}

fn write(dir: &Path, file: &str, rows: &[Value]) {
    let path = dir.join("results").join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    std::fs::write(path, lines).unwrap();
}

fn bundle(number: u32, as_of: Option<&str>) -> Value {
    json!({"bundle_id": id(number), "name": format!("site-{number}.tar.gz"), "as_of": as_of, "objects": 10 * number})
}

fn finding(number: u32, index: u32, signature: &str, verdict: &str, by: &str) -> Value {
    json!({
        "bundle_id": id(number), "finding": index, "signature": signature, "title": format!("What {signature} is about"),
        "severity": if signature == "CF-9" { "info" } else { "high" }, "verdict": verdict, "context": "cluster",
        "since": format!("2026-03-{:02}T00:00:00Z", number + 1), "supported_by": by,
    })
}

fn version(number: u32, version: &str) -> Value {
    json!({"bundle_id": id(number), "context": "cluster", "product": "Kubernetes", "version": version})
}

/// Five bundles: one fault that is old, one that is new, one that is over, a note, a copy, and a file without a result.
fn results(dir: &Path) {
    let days = ["2026-03-01", "2026-03-02", "2026-03-20", "2026-03-21"];
    let of = |number: u32| bundle(number, days.get(number as usize).map(|day| format!("{day}T12:00:00Z")).as_deref());
    write(dir, "bundles/batch=1/part-0.jsonl", &[of(0), of(1), of(2)]);
    write(dir, "bundles/batch=2/part-0.jsonl", &[of(3), of(4), of(3)]);
    write(
        dir,
        "findings/a.jsonl",
        &[
            finding(0, 3, "CF-1", "confirmed", "one,two"),
            finding(0, 5, "CF-2", "ruled_out", ""),
            finding(1, 0, "CF-1", "probable", "one,two"),
            finding(1, 1, "CF-3", "resolved", "late"),
            finding(2, 0, "CF-9", "confirmed", "note"),
            finding(2, 1, "CF-2", "confirmed", "x"),
            finding(2, 2, "CF-1", "confirmed", "one"),
            finding(3, 0, "CF-2", "confirmed", "x"),
            finding(3, 0, "CF-2", "confirmed", "x"),
            // Nobody told of this bundle.
            finding(7, 0, "CF-1", "confirmed", "one"),
        ],
    );
    write(dir, "versions/a.jsonl", &[version(0, "v1.30.1"), version(1, "v1.30.1"), version(2, "v1.31.0")]);
    let lacking = |number: u32, state: &str| json!({"bundle_id": id(number), "kind": "secrets", "state": state});
    write(dir, "coverage/a.jsonl", &[lacking(0, "forbidden"), lacking(1, "forbidden"), lacking(2, "complete")]);
    let input = |file: &str, number: Option<u32>, code: i64, message: &str| json!({"file": file, "bundle_id": number.map(id), "exit_code": code, "message": message});
    write(
        dir,
        "inputs/a.jsonl",
        &[
            input("file:/b/0.tgz", Some(0), 0, ""),
            input("file:/b/copy-of-0.tgz", Some(0), 0, ""),
            input("file:/b/1.tgz", Some(1), 0, ""),
            input("file:/b/2.tgz", Some(2), 0, ""),
            input("file:/b/3.tgz", Some(3), 0, ""),
            input("file:/b/4.tgz", Some(4), 0, ""),
            input("file:/b/poison.tgz", None, 3, "nothing could be read"),
        ],
    );
}

#[test]
fn every_bundle_counts_once_and_new_is_what_no_older_bundle_shows() {
    let dir = tempfile::tempdir().unwrap();
    results(dir.path());
    insta::assert_json_snapshot!(fleet(dir.path()));
}

#[test]
fn the_schema_is_as_checked_in_and_the_json_is_as_it_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/fleet.schema.json");
    let dir = tempfile::tempdir().unwrap();
    let run = casefile(dir.path(), &["schema", "fleet"]).assert().code(0);
    let schema = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    if std::env::var_os("CASEFILE_UPDATE").is_some() {
        std::fs::write(&path, &schema).unwrap();
    }
    let standing = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(standing == schema, "schema/fleet.schema.json is another one; CASEFILE_UPDATE=1 writes it");
    results(dir.path());
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let value = fleet(dir.path());
    let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn the_page_says_the_same_and_loads_and_runs_nothing() {
    let dir = tempfile::tempdir().unwrap();
    results(dir.path());
    casefile(dir.path(), &["fleet", "results", "-o", "fleet.html"]).assert().code(0);
    let page = std::fs::read_to_string(dir.path().join("fleet.html")).unwrap();
    for part in
        ["5 bundles", "CF-2", "new this week", "v1.30.1", "nothing could be read", "forbidden", "copies of another"]
    {
        assert!(page.contains(part), "{part}");
    }
    for part in ["<script", "http:", "https:", "src=", "href=", "url("] {
        assert!(!page.contains(part), "{part}");
    }
    // Its own page is replaced, what others wrote is not.
    casefile(dir.path(), &["fleet", "results", "-o", "fleet.html"]).assert().code(0);
    assert_eq!(page, std::fs::read_to_string(dir.path().join("fleet.html")).unwrap());
    std::fs::write(dir.path().join("mine.html"), "mine").unwrap();
    casefile(dir.path(), &["fleet", "results", "-o", "mine.html"]).assert().code(4);
    casefile(dir.path(), &["fleet", "results", "-o", "results/page.html"]).assert().code(4);
}

#[test]
fn texts_of_strangers_stay_texts_and_stay_short() {
    let dir = tempfile::tempdir().unwrap();
    let evil = "<script>alert(1)</script>\" onload='x' \u{202e}gnp.exe {{ version }} \u{1b}[31m";
    let mut row = bundle(1, Some("2026-03-01T12:00:00Z"));
    row["name"] = evil.into();
    write(dir.path(), "bundles/a.jsonl", &[row]);
    let mut row = finding(1, 0, evil, "confirmed", evil);
    row["title"] = format!("{evil}{}", "x".repeat(1 << 20)).into();
    row["severity"] = evil.into();
    write(dir.path(), "findings/a.jsonl", &[row.clone()]);
    let mut other = row.clone();
    other["bundle_id"] = id(2).into();
    write(dir.path(), "findings/b.jsonl", &[other]);
    write(dir.path(), "bundles/b.jsonl", &[json!({"bundle_id": id(2), "name": evil})]);
    write(
        dir.path(),
        "versions/a.jsonl",
        &[json!({"bundle_id": id(1), "context": "cluster", "product": evil, "version": evil})],
    );
    write(dir.path(), "coverage/a.jsonl", &[json!({"bundle_id": id(1), "kind": evil, "state": "error"})]);
    write(dir.path(), "inputs/a.jsonl", &[json!({"file": evil, "exit_code": 3, "message": evil})]);
    write(dir.path(), "findings/<img src=x>.csv", &[]);
    let run = casefile(dir.path(), &["fleet", "results"]).assert().code(0);
    let page = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    for part in ["<script", "<img", "onload='", "\u{202e}", "\u{1b}", "\" onload"] {
        assert!(!page.contains(part), "{part}");
    }
    assert!(page.contains("&lt;script&gt;") && page.len() < 100_000, "{}", page.len());
    assert!(!String::from_utf8_lossy(&run.get_output().stderr).contains('\u{1b}'));
}

#[test]
fn a_damaged_or_foreign_file_is_named_and_left_out_as_a_whole() {
    let dir = tempfile::tempdir().unwrap();
    results(dir.path());
    let sound = fleet(dir.path());
    let put = |name: &str, text: &str| {
        let path = dir.path().join("results").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let row = finding(0, 9, "CF-8", "confirmed", "");
    put("findings/cut.jsonl", &format!("{row}\n{{\"bundle_id\""));
    put("findings/no-json.jsonl", &format!("{row}\nhello\n"));
    put("findings/no-id.jsonl", &format!("{row}\n{{\"finding\":1}}\n"));
    put("findings/of-another.jsonl", "{\"table\":\"coverage\"}\n");
    put("findings/notes.txt", "hello");
    put("bundles/cut.parquet", "PAR1 PAR1");
    put("bundles/no.parquet", "hello");
    // What engines keep for themselves, and tables that nobody asks for.
    put("findings/_SUCCESS", "");
    put("findings/.part.crc", "x");
    put("_work/x.jsonl", "x");
    put("pods/x.jsonl", "x");
    let mut told = fleet(dir.path());
    let skipped: Vec<String> =
        told["skipped"].as_array().unwrap().iter().map(|row| format!("{}: {}", row["file"], row["reason"])).collect();
    let expected = [
        "bundles/cut",
        "bundles/no",
        "findings/cut",
        "findings/no-id",
        "findings/no-json",
        "findings/notes",
        "findings/of-another",
    ];
    assert_eq!(skipped.len(), expected.len(), "{skipped:?}");
    assert!(skipped.iter().zip(expected).all(|(row, name)| row.starts_with(&format!("\"{name}"))), "{skipped:?}");
    told["skipped"] = json!([]);
    assert_eq!(told, sound);
    let run = casefile(dir.path(), &["fleet", "results", "--format", "json"]).assert().code(0);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("left out findings/cut.jsonl: it ends within a line") && !said.contains("defect"), "{said}");
}

#[test]
fn a_folder_without_results_is_told_with_the_next_step() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("results")).unwrap();
    let run = casefile(dir.path(), &["fleet", "results"]).assert().code(2);
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("casefile export BUNDLE --tables fleet"));
    let run = casefile(dir.path(), &["fleet", "no-such-folder"]).assert().code(2);
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("cannot read the folder no-such-folder"));
}

#[test]
fn with_little_memory_what_is_missing_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let row = |number: u32| bundle(number, None);
    write(dir.path(), "bundles/a.jsonl", &(0..2_000).map(row).collect::<Vec<_>>());
    write(dir.path(), "findings/a.jsonl", &[finding(0, 0, "CF-1", "confirmed", "")]);
    let run = casefile(dir.path(), &["fleet", "results", "--format", "json", "--max-memory", "100k"]).assert().code(0);
    let told: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!(told["bundles"], 2_000);
    assert_eq!(told["skipped"][0]["file"], "findings/a.jsonl");
    assert!(told["skipped"][0]["reason"].as_str().unwrap().contains("--max-memory"));
}

#[test]
fn rows_of_a_bundle_are_written_as_lines_of_json() {
    let dir = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles/etcd-one-member-down/bundle");
    let sample = sample.to_str().unwrap();
    let args = ["export", sample, "--tables", "fleet", "--format", "jsonl", "--to"];
    let run = casefile(dir.path(), &[&args[..], &["-"]].concat()).assert().code(0);
    let printed = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let mut tables: Vec<String> = Vec::new();
    for line in printed.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        assert_eq!(row["bundle_id"].as_str().unwrap().len(), 64);
        tables.push(row["table"].as_str().unwrap().to_owned());
    }
    tables.dedup();
    assert_eq!(tables, ["bundles", "object_counts", "findings", "coverage"]);
    for _ in 0..2 {
        casefile(dir.path(), &[&args[..], &["results"]].concat()).assert().code(0);
    }
    let told = fleet(dir.path());
    assert_eq!((&told["bundles"], &told["with_findings"]), (&json!(1), &json!(1)));
    assert_eq!(told["findings"][0]["signature"], "CF-2010");
    // A file of others is not replaced; what is no bundle leaves nothing behind.
    let file = std::fs::read_dir(dir.path().join("results/bundles")).unwrap().next().unwrap().unwrap().path();
    std::fs::write(&file, "mine").unwrap();
    casefile(dir.path(), &[&args[..], &["results"]].concat()).assert().code(4);
    std::fs::write(dir.path().join("noise"), [7; 1000]).unwrap();
    let export = ["export", "noise", "--tables", "fleet", "--format", "jsonl", "--to", "-"];
    let run = casefile(dir.path(), &export).assert().code(3);
    assert!(run.get_output().stdout.is_empty());
    let logs = ["export", sample, "--tables", "logs", "--format", "jsonl", "--to", "-"];
    let run = casefile(dir.path(), &logs).assert().code(2);
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("--tables logs"));
}

#[test]
fn the_types_of_the_columns_are_told_to_programs() {
    let dir = tempfile::tempdir().unwrap();
    let run = casefile(dir.path(), &["schema", "tables"]).assert().code(0);
    let told: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    for table in tables::fixed().iter().filter(|table| tables::OF_FLEETS.contains(&table.name.as_str())) {
        let columns = told["tables"][&table.name].as_object().unwrap();
        assert_eq!(columns["bundle_id"], "text");
        let expected: Vec<(&str, &str)> =
            table.columns.iter().map(|column| (column.name.as_str(), column.of.word())).collect();
        let seen: Vec<(&str, &str)> =
            columns.iter().skip(1).map(|(name, of)| (name.as_str(), of.as_str().unwrap())).collect();
        assert_eq!(seen, expected);
    }
    assert_eq!(told["schema_version"], tables::SCHEMA_VERSION);
}

#[cfg(feature = "query")]
mod parquet {
    use super::*;

    /// Samples as Parquet and as lines of JSON.
    fn both(dir: &Path) {
        for sample in ["etcd-one-member-down", "failed-import", "crashloop-missing-config"] {
            let bundle = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles").join(sample).join("bundle");
            for (format, to) in [("parquet", "p/results"), ("jsonl", "j/results")] {
                let args = ["export", bundle.to_str().unwrap(), "--tables", "fleet", "--format", format, "--to", to];
                casefile(dir, &args).assert().code(0);
            }
        }
    }

    #[test]
    fn parquet_and_lines_say_the_same() {
        let dir = tempfile::tempdir().unwrap();
        both(dir.path());
        let told = fleet(&dir.path().join("p"));
        assert_eq!(told, fleet(&dir.path().join("j")));
        assert_eq!((&told["bundles"], &told["skipped"]), (&json!(3), &json!([])));
        assert!(told["newest"].is_object() && told["objects"].as_u64().unwrap() > 20);
        let run = casefile(dir.path(), &["export", "p", "--to", "-"]).assert().code(2);
        assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("--format jsonl"));
    }

    #[test]
    fn no_damage_inside_a_file_stops_the_rest() {
        let dir = tempfile::tempdir().unwrap();
        both(dir.path());
        let dir = dir.path().join("p");
        let file = std::fs::read_dir(dir.join("results/findings")).unwrap().next().unwrap().unwrap().path();
        let bytes = std::fs::read(&file).unwrap();
        let mut refused = 0;
        for at in 0..60 {
            let mut damaged = bytes.clone();
            let place = at * bytes.len() / 60;
            damaged[place] ^= 0x55;
            std::fs::write(&file, if at % 6 == 5 { &damaged[..place] } else { &damaged }).unwrap();
            let run = casefile(&dir, &["fleet", "results", "--format", "json"]).assert().code(0);
            let told: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
            assert_eq!(told["bundles"], 3);
            refused += told["skipped"].as_array().unwrap().len();
            assert!(!String::from_utf8_lossy(&run.get_output().stderr).contains("defect"));
        }
        assert!(refused > 20, "{refused} of 60 damaged files were noticed");
    }
}
