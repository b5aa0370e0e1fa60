//! `casefile query` and `casefile export`, where they are built in.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use assert_cmd::Command;
use std::path::Path;

const POD: &str = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1","namespace":"shop","creationTimestamp":"2026-03-04T09:00:00Z","annotations":{"note":"password=hunter2hunter2"}},"spec":{"nodeName":"w-1","containers":[{"name":"web","image":"web:1"}]},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"False","reason":"ContainersNotReady","lastTransitionTime":"2026-03-04T09:05:00Z"}],"containerStatuses":[{"name":"web","ready":false,"restartCount":7,"state":{"waiting":{"reason":"CrashLoopBackOff"}}}]}}"#;
const LOG: &str = "2026-03-04T09:00:00Z INFO starts\n2026-03-04T09:00:01Z ERROR login failed password=hunter2hunter2\n2026-03-04T09:00:02Z ERROR gives up\n";

fn bundle(dir: &Path) {
    std::fs::create_dir_all(dir.join("b/podlogs/shop/web-1/logs")).unwrap();
    std::fs::write(dir.join("b/pod.json"), POD).unwrap();
    std::fs::write(dir.join("b/podlogs/shop/web-1/logs/web.txt"), LOG).unwrap();
}

fn casefile(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_casefile"));
    command.current_dir(dir).args(args);
    command
}

/// `docs/tables.md` is written by this test where `CASEFILE_UPDATE` is set, and compared where it is not.
#[test]
fn the_page_of_the_tables_is_as_the_program_has_them() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tables.md");
    let page = tables::page(&catalogue::kinds::Catalogue::built_in());
    if std::env::var_os("CASEFILE_UPDATE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let standing = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(standing == page, "docs/tables.md is not what the program has; CASEFILE_UPDATE=1 writes it");
}

#[cfg(not(feature = "query"))]
#[test]
fn a_program_without_them_says_how_to_get_them() {
    let dir = tempfile::tempdir().unwrap();
    bundle(dir.path());
    for command in [&["query", "b", "select 1"][..], &["export", "b", "--to", "out"]] {
        let run = casefile(dir.path(), command).assert().code(2);
        assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("--features query"));
    }
    assert!(!dir.path().join("out").exists());
}

#[cfg(feature = "query")]
mod built_in {
    use super::*;

    fn ask(dir: &Path, sql: &str, format: &str) -> String {
        let run = casefile(dir, &["query", "b", sql, "--format", format]).assert().code(0);
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    }

    fn refused(dir: &Path, args: &[&str], code: i32) -> String {
        let run = casefile(dir, args).assert().code(code);
        String::from_utf8(run.get_output().stderr.clone()).unwrap()
    }

    /// Polars adds a condition of its own to such a query, which the table of lines cannot read.
    #[test]
    fn the_newest_lines_are_had_by_order_and_limit() {
        let dir = tempfile::tempdir().unwrap();
        bundle(dir.path());
        let newest = "select message from logs where level = 'error' order by time desc limit 1";
        assert_eq!(ask(dir.path(), newest, "csv"), "message\r\nERROR gives up\r\n");
        let oldest = "select message from logs order by time limit 1";
        assert_eq!(ask(dir.path(), oldest, "csv"), "message\r\nINFO starts\r\n");
    }

    /// What a condition lets a query leave out of its reading is what it leaves out anyway: asked in a form that nobody sees
    /// through, it gives the same rows.
    #[test]
    fn a_query_that_is_spared_work_answers_as_one_that_is_not() {
        let dir = tempfile::tempdir().unwrap();
        bundle(dir.path());
        let json = |at: u8, level: &str, message: &str| {
            format!(
                "{{\"level\":\"{level}\",\"ts\":\"2026-03-04T09:00:{at:02}Z\",\"caller\":\"a.go:1\",\"msg\":\"{message}\"}}\n"
            )
        };
        let log = [
            json(1, "error", "no space left on device"),
            json(2, "info", "no sp\\u0061ce left"),
            json(3, "warn", r#"say \"no space\" in /var/lib"#),
            json(4, "error", "NO SPACE LEFT, password=hunter2hunter2"),
            "no level, no time, no space\n".to_owned(),
            json(5, "error", "Kelvin \u{212a}, caf\u{e9}, no spa\u{17f}e"),
        ];
        std::fs::write(dir.path().join("b/podlogs/shop/web-1/logs/web.txt"), log.concat()).unwrap();
        let conditions = [
            ("@ like '%no space%'", 4),
            ("@ ilike '%no space%'", 5),
            ("@ ilike '%kelvin%'", 1),
            ("@ ilike '% \u{212a},%'", 1),
            ("@ not like '%no space%'", 2),
            ("@ like '%no space%' and level = 'error'", 1),
            ("@ like '%no space%' or level = 'error'", 6),
            ("@ like '%redacted%'", 1),
            ("@ like '%hunter2%'", 0),
            ("@ like '%hunter2%' or @ like '%sword=[re%'", 1),
            ("@ like '%\"no space%'", 1),
            ("@ like '%/var/lib'", 1),
            ("@ like 'no%left%device'", 1),
            ("@ = 'no space left on device'", 1),
            ("@ is not null and level is null", 1),
            ("@ <> 'no space left on device'", 5),
            ("@ not like '%no%space%' and @ not ilike '%zzz%'", 2),
            ("level = 'error' and not (@ ilike '%left%') and time > '2026-03-04 09:00:02'", 1),
        ];
        for (at, (condition, rows)) in conditions.into_iter().enumerate() {
            // What an escape hides stands in the text as it is written: the first ones look for that too.
            for column in ["message", "text"].into_iter().take(if at < 6 { 2 } else { 1 }) {
                // The others show no text, or one that a step above the condition takes.
                let queries = [
                    "select #, level, member, line from logs where ? order by line",
                    "select level, line from logs where ? order by line",
                    "select count(*) as n from logs where ?",
                    "select level, max(#) as last from logs where ? group by level order by level",
                    "select line from (select * from logs where ?) where length(#) > 20 order by line",
                    "with found as (select line, # as said from logs where ?) select said from found order by line",
                    "select a.line, b.# from logs a join logs b on a.line = b.line and a.member = b.member where a.level is not null and ? order by a.line",
                    "select line from logs where ? union all select length(#) from logs where ? order by line",
                ];
                // Each form with some of the conditions.
                let (first, others) = (queries[0], &queries[1..]);
                let pick = |by: usize| others[(3 * at + by) % others.len()];
                for query in [first, pick(column.len()), pick(column.len() + 1), pick(column.len() + 2)] {
                    let is_join = query.contains(" join ");
                    if is_join && condition.contains("level") {
                        continue;
                    }
                    let own = if is_join { format!("a.{column}") } else { column.to_owned() };
                    let sql = |at: &str| query.replace('?', &condition.replace('@', at)).replace('#', column);
                    let hidden = sql(&format!("coalesce({own}, '')")).replace("level =", "coalesce(level, '') =");
                    let (spared, all) = (ask(dir.path(), &sql(&own), "csv"), ask(dir.path(), &hidden, "csv"));
                    assert_eq!(spared, all, "{condition} on {column}: {query}");
                    if column == "message" && query == first {
                        assert_eq!(spared.lines().count(), rows + 1, "{condition}: {spared}");
                    }
                }
            }
        }
        let five = ask(dir.path(), "select text from logs where level = 'error' limit 2", "csv");
        assert_eq!(five.lines().count(), 3, "{five}");
    }

    #[test]
    fn a_join_that_fits_nowhere_is_refused_before_it_is_made() {
        let dir = tempfile::tempdir().unwrap();
        bundle(dir.path());
        let tables: Vec<String> = (0..14).map(|at| format!("logs t{at}")).collect();
        let crossed = format!("select count(*) from logs l cross join {}", tables.join(" cross join "));
        let said = refused(dir.path(), &["query", "b", &crossed, "--max-memory", "64MiB"], 2);
        assert!(said.contains("do not fit into memory; join on columns that are equal"), "{said}");
        assert_eq!(
            ask(dir.path(), "select count(*) as n from logs a join logs b on a.line = b.line", "csv"),
            "n\r\n3\r\n"
        );
    }

    #[test]
    fn each_table_answers() {
        let dir = tempfile::tempdir().unwrap();
        bundle(dir.path());
        let queries = [
            "select namespace, name, restarts, status, ready from pods where restarts > 5 order by restarts desc",
            "select kind, name, created, form from objects where kind = 'pods'",
            "select type, status, reason, since from conditions where name = 'web-1'",
            "select time, level, message, line from logs where level = 'error' order by time",
            "select level, count(*) as n from logs group by level order by level",
            "select source, pod, container from logs limit 1",
            "with bad as (select name from pods) select count(*) as n from bad",
            "select kind, state, basis from coverage where kind = 'pods'",
            "select p.name, l.line from pods p join logs l on p.name = l.pod where l.time > '2026-03-04 09:00:01' order by l.line",
        ];
        let answers: Vec<String> =
            queries.iter().map(|sql| format!("{sql}\n{}", ask(dir.path(), sql, "table"))).collect();
        insta::assert_snapshot!(answers.join("\n"));
        assert!(!ask(dir.path(), "select signature, verdict, headline from findings", "csv").is_empty());
        assert!(!ask(dir.path(), "select finding, evidence, state from evidence", "csv").is_empty());
    }

    #[test]
    fn formats_hold_the_same_and_secrets_are_masked() {
        let dir = tempfile::tempdir().unwrap();
        bundle(dir.path());
        let sql = "select time, message, text, node from logs order by line";
        insta::assert_snapshot!(ask(dir.path(), sql, "csv"));
        let json: serde_json::Value = serde_json::from_str(&ask(dir.path(), sql, "json")).unwrap();
        assert_eq!(json.as_array().unwrap().len(), 3);
        assert_eq!(json[2]["node"], serde_json::Value::Null);
        for sql in ["select * from logs", "select * from objects", "select * from pods", "select * from evidence"] {
            assert!(!ask(dir.path(), sql, "json").contains("hunter2"), "{sql}");
        }
        // A condition cannot ask for what is masked either.
        assert_eq!(ask(dir.path(), "select count(*) as n from logs where text like '%hunter2%'", "csv"), "n\r\n0\r\n");
        casefile(dir.path(), &["query", "b", sql, "--format", "parquet", "-o", "x.parquet"]).assert().code(0);
        assert!(std::fs::read(dir.path().join("x.parquet")).unwrap().starts_with(b"PAR1"));
    }

    #[test]
    fn errors_name_the_next_step() {
        let dir = tempfile::tempdir().unwrap();
        bundle(dir.path());
        let errors: Vec<String> = [
            "select restart from pods",
            "select name from pod",
            "select name from clusters",
            "select name form pods",
            "select message from logs where levl = 'error'",
            "select * from read_csv('/etc/passwd')",
        ]
        .iter()
        .map(|sql| refused(dir.path(), &["query", "b", sql], 2))
        .collect();
        insta::assert_snapshot!(errors.concat());
        let stdin = refused(dir.path(), &["query", "-", "select * from logs"], 3);
        assert!(stdin.contains("nothing could be read"), "{stdin}");
        let schema = casefile(dir.path(), &["query", "b", "--explain-schema"]).assert().code(0);
        let schema = String::from_utf8(schema.get_output().stdout.clone()).unwrap();
        assert!(schema.contains("\npods: an object of pods\n") && schema.contains("restarts "), "{schema}");
    }

    #[test]
    fn lines_of_standard_input_are_queries() {
        let dir = tempfile::tempdir().unwrap();
        bundle(dir.path());
        let input = "select name from pods;\n-- a remark\nselect nothing from pods\n";
        let run = casefile(dir.path(), &["query", "b", "--format", "csv"]).write_stdin(input).assert().code(2);
        assert_eq!(run.get_output().stdout, b"name\r\nweb-1\r\n");
    }

    #[test]
    fn a_query_that_needs_too_much_of_the_logs_ends_with_an_error() {
        let dir = tempfile::tempdir().unwrap();
        bundle(dir.path());
        let line = |at: usize| {
            format!("2026-03-04T09:{:02}:{:02}Z INFO line {at} {}\n", at / 60 % 60, at % 60, "x".repeat(400))
        };
        let text: String = (0..60_000).map(line).collect();
        std::fs::write(dir.path().join("b/podlogs/shop/web-1/logs/web.txt"), text).unwrap();
        let args = ["query", "b", "select text from logs", "--max-memory", "16M"];
        assert!(refused(dir.path(), &args, 2).contains("--max-memory"));
        let args = [
            "query",
            "b",
            "select count(*) as n from logs where text like '%line 59999 %'",
            "--max-memory",
            "16M",
            "--format",
            "csv",
        ];
        let run = casefile(dir.path(), &args).assert().code(0);
        assert_eq!(run.get_output().stdout, b"n\r\n1\r\n");
    }

    #[test]
    fn an_export_has_a_file_for_each_table_with_rows_and_is_written_again_alike() {
        let dir = tempfile::tempdir().unwrap();
        bundle(dir.path());
        let export = || {
            let run = casefile(dir.path(), &["export", "b", "--to", "out"]).assert().code(0);
            String::from_utf8(run.get_output().stdout.clone()).unwrap()
        };
        let first = export();
        assert!(
            first.contains("out/logs/") && first.contains(".parquet: 3 rows") && first.contains("out/pods/"),
            "{first}"
        );
        assert!(!dir.path().join("out/machines_cluster_x_k8s_io").exists());
        let file = std::fs::read_dir(dir.path().join("out/pods")).unwrap().next().unwrap().unwrap().path();
        let bytes = std::fs::read(&file).unwrap();
        assert_eq!(first, export());
        assert_eq!(bytes, std::fs::read(&file).unwrap());
        std::fs::write(&file, "mine").unwrap();
        assert!(refused(dir.path(), &["export", "b", "--to", "out"], 4).contains("did not write"));
        assert!(
            refused(dir.path(), &["export", "b", "--to", "x", "--tables", "pod"], 2).contains("did you mean `pods`")
        );
        assert!(refused(dir.path(), &["export", "b", "--to", "b/out"], 4).contains("inside"));
    }
}
