//! The page at `/` and its box for queries.

use crate::bundle::SECRET;
use crate::running::{Answer, Running, USUAL};

/// What the page says to a query.
fn ask(sql: &str) -> Answer {
    ask_of(&USUAL, sql)
}

fn ask_of(server: &Running, sql: &str) -> Answer {
    let sql: String = sql.bytes().map(|byte| format!("%{byte:02x}")).collect();
    server.send("GET", &format!("/query?sql={sql}"), "text/html", "")
}

/// The cells of the table in an answer, as they stand in the page.
#[cfg(feature = "query")]
fn rows(answer: &Answer) -> Vec<Vec<String>> {
    assert_eq!(answer.code, 200, "{answer:?}");
    let table = answer.body.split("<table class=\"rows found\">").nth(1).and_then(|rest| rest.split("</table>").next());
    let body = table.and_then(|table| table.split("<tbody>").nth(1)).unwrap_or_default();
    let cells = |row: &str| -> Vec<String> {
        let cells = row.split("<td").skip(1).filter_map(|cell| cell.split_once('>')?.1.split_once("</td>"));
        cells.map(|(cell, _)| cell.to_owned()).collect()
    };
    body.split("<tr>").skip(1).map(cells).collect()
}

/// Why there is no answer.
fn refusal(answer: &Answer) -> String {
    assert_eq!(answer.code, 400, "{answer:?}");
    let banner = answer.body.split("role=\"alert\">").nth(1).unwrap_or_else(|| panic!("no reason: {answer:?}"));
    banner.split("</div>").next().unwrap().to_owned()
}

#[test]
fn the_diagnosis_has_a_box_that_leads_to_it() {
    let page = USUAL.send("GET", "/", "text/html", "");
    assert_eq!(page.code, 200);
    assert!(page.body.contains("Casefile diagnosis"), "{}", page.body);
    let form = "<form class=\"ask\" action=\"query\" method=\"get\">";
    let is_built_in = cfg!(feature = "query");
    assert_eq!(page.body.contains(form), is_built_in);
    assert_eq!(page.body.contains("cargo build --release --features query,serve"), !is_built_in);
    let forms = if is_built_in { "form-action &#39;self&#39;" } else { "form-action &#39;none&#39;" };
    assert!(page.body.contains(forms), "{}", &page.body[..2000]);
    // The addresses in the page stand below the token: without a slash behind it they would not.
    let Answer { code, head, .. } = USUAL.send("GET", "", "text/html", "");
    assert_eq!(code, 308);
    assert!(head.contains(&format!("location: /{}/\n", USUAL.token())), "{head}");
}

#[test]
fn the_page_of_queries_loads_nothing_and_lists_what_may_be_asked() {
    let page = USUAL.send("GET", "/query", "text/html", "");
    assert_eq!(page.code, 200);
    assert!(page.head.contains("content-type: text/html; charset=utf-8\n"), "{}", page.head);
    for text in ["default-src 'none'", "form-action 'self'"] {
        assert!(page.body.contains(text), "{text}");
    }
    for table in ["pods", "logs", "widgets_example_com"] {
        assert_eq!(page.body.contains(&format!("<code>{table}</code>")), cfg!(feature = "query"), "{table}");
    }
    assert!(
        !["<script", "<img", " src=", "http:", "https:", "<link"].iter().any(|tag| page.body.contains(tag)),
        "it loads something"
    );
    assert!(!page.body.contains("role=\"alert\"") && !page.body.contains("id=\"found\""), "nothing was asked");
    assert_eq!(USUAL.send("POST", "/query", "", "sql=select 1").code, 405);
}

#[cfg(not(feature = "query"))]
#[test]
fn what_is_not_built_in_says_how_to_get_it() {
    assert!(refusal(&ask("select 1")).contains("cargo build --release --features query,serve"));
}

#[cfg(feature = "query")]
mod built_in {
    use super::*;

    #[test]
    fn tables_are_asked_in_sql() {
        let answer = ask("select namespace, name, restarts from pods where restarts > 5;");
        assert_eq!(rows(&answer), [["shop", "web-1", "7"]]);
        assert!(answer.body.contains("<th scope=\"col\" class=\"num\">restarts</th>"), "{}", answer.body);
        assert!(answer.body.contains(">1 row</h2>"), "{}", answer.body);
        assert_eq!(rows(&ask("select name from pods where name = 'none'")).len(), 0);
        assert!(ask("select name from pods where name = 'none'").body.contains(">No rows</h2>"));
        let logs = ask("select message from logs where pod = 'web-1' order by time desc limit 2");
        assert_eq!(rows(&logs), [["goes on"], ["works"]]);
        let narrowed =
            ask("select message from logs where pod = 'web-1' and message <> 'works' order by time desc limit 2");
        assert_eq!(rows(&narrowed), [["goes on"], ["login password=[redacted]"]]);
        let joined = ask(
            "select p.name, count(*) as lines from logs l join pods p on l.pod = p.name and l.namespace = p.namespace group by p.name order by p.name",
        );
        assert_eq!(rows(&joined), [["two-1", "3"], ["web-1", "5"]]);
        assert!(!rows(&ask("select severity, headline from findings")).is_empty());
        let null = ask("select uid from objects where kind = 'pods' and name = 'two-1'");
        assert_eq!(rows(&null), [["null"]]);
    }

    #[test]
    fn what_is_wrong_with_a_query_is_said_and_the_query_stays_in_the_box() {
        let answer = ask("select nme from pods");
        assert!(refusal(&answer).contains("did you mean") && answer.body.contains("select nme from pods</textarea>"));
        assert!(refusal(&ask("select * from machine")).contains("machine"));
        assert!(refusal(&ask("selec")).contains("cannot be answered"));
        assert!(refusal(&ask("drop table pods; select 1")).len() > 20);
        let long = format!("select '{}' from pods", "x".repeat(4_100));
        assert!(refusal(&ask(&long)).contains("longer than 4000 bytes"));
    }

    #[test]
    fn no_secret_and_no_tag_comes_out() {
        let answer = ask("select json, '<b>&amp;\"' as tag from objects");
        assert!(rows(&answer).len() > 5 && answer.body.contains("&lt;b&gt;&amp;amp;&#34;"), "{}", answer.body);
        assert!(!answer.body.contains("<b>"));
        for answer in [answer, ask("select text, message from logs"), ask("select * from events")] {
            assert!(!answer.body.contains(SECRET), "a secret");
        }
        let echoed = ask("</textarea><script>alert(1)</script>");
        assert!(!echoed.body.contains("<script"), "{}", echoed.body);
        let events = ask("select message from events where reason = 'BackOff'").body;
        assert!(!events.contains('\u{1b}') && events.contains("\u{27e8}U+001B\u{27e9}"), "a terminal would obey");
    }

    #[test]
    fn what_is_shown_is_bounded() {
        let many = ask(
            "select a.member from coverage a cross join coverage b cross join coverage c cross join coverage d limit 5000",
        );
        assert_eq!(rows(&many).len(), 1_000, "{}", refusal(&many));
        assert!(many.body.contains("The first 1000 rows"));
        let wide = ask("select a.json, b.json as other from objects a cross join objects b");
        assert!(wide.body.len() < 12 << 20);
        let cut: Vec<String> = rows(&ask("select json from objects where name = 'web-1' and kind = 'pods'")).concat();
        assert!(cut.iter().all(|cell| cell.chars().count() < 14_000), "{cut:?}");
    }

    #[test]
    fn a_join_without_an_end_is_refused_before_it_is_made() {
        let tables: Vec<String> = (0..12).map(|at| format!("objects t{at}")).collect();
        let crossed = ask(&format!("select count(*) from {}", tables.join(" cross join ")));
        assert!(refusal(&crossed).contains("a join of this query makes up to"), "{}", refusal(&crossed));
        assert!(refusal(&crossed).contains("join on columns that are equal"));
        let listed = ask(&format!("select count(*) from {}", tables.join(", ")));
        assert!(refusal(&listed).contains("a join of this query makes up to"), "{}", refusal(&listed));
        let equal: Vec<String> =
            (1..12).map(|at| format!("join objects t{at} on t0.context = t{at}.context")).collect();
        let same = ask(&format!("select count(*) from objects t0 {}", equal.join(" ")));
        assert!(refusal(&same).contains("name more columns in ON"), "{}", refusal(&same));
    }

    /// A server of its own: what is deep takes Polars some time, and others would wait for it.
    #[test]
    fn no_query_reads_a_file_and_none_makes_it_fall() {
        let dir = tempfile::tempdir().unwrap();
        crate::bundle::write(&dir.path().join("b"));
        let server = Running::start(dir, &["b"]);
        let deep = format!("select {}1{}", "(".repeat(1_900), ")".repeat(1_900));
        let long = format!("select 1{}", " union all select 1".repeat(40));
        let nested = format!("{}select * from pods{}", "select * from (".repeat(200), ") t".repeat(200));
        let sum = format!("select 1{}", "+1".repeat(1_900));
        let either = format!("select name from pods where name = 'a'{}", " or name = 'b'".repeat(60));
        let queries = [
            "select * from read_csv('/etc/passwd')",
            "select * from read_parquet('/etc/passwd')",
            "select * from read_json('b/pods.json')",
            "select * from '/etc/passwd'",
            "select * from \"b/pods.json\"",
            "copy pods to '/tmp/x'",
            "create table x as select * from read_csv('/etc/passwd')",
            "insert into pods values (1)",
            "delete from pods",
            "truncate table pods",
            "select 1/0",
            "select cast('x' as int)",
            "select repeat('x', 100000000) from pods",
            "select name[5] from pods",
            "select * from pods order by 99",
            "select sum(name) from pods",
            "with recursive t as (select 1 as n union all select n + 1 from t) select * from t",
            "explain select * from pods",
            "show tables",
            "select * from pods tablesample (10 percent)",
            "select substr(name, -99, 99999999999) from pods",
            "select regexp_like(name, '(a*)*(b*)*$') from pods",
            "select date_part('xx', time) from logs",
            "select \u{0} from pods",
            "--",
            ";;",
            &deep,
            &long,
            &nested,
            &sum,
            &either,
        ];
        for sql in queries {
            let answer = ask_of(&server, sql);
            let start: String = sql.chars().take(60).collect();
            assert!([200, 400].contains(&answer.code), "{start}: {answer:?}");
            assert!(!answer.body.contains("root:x:"), "{start}: it read a file");
            let next = ask_of(&server, "select name from pods where name = 'web-1'");
            assert_eq!(rows(&next), [["web-1"]], "after {start}");
        }
        assert_eq!(server.get("/healthz").body, "ok");
    }

    /// A server of its own: the questions of other tests would be among those that are told to wait.
    #[test]
    fn many_questions_at_once_are_answered_or_told_to_wait() {
        let dir = tempfile::tempdir().unwrap();
        crate::bundle::write(&dir.path().join("b"));
        let server = Running::start(dir, &["b"]);
        let codes: Vec<u16> = std::thread::scope(|scope| {
            let all: Vec<_> =
                (0..24).map(|_| scope.spawn(|| ask_of(&server, "select count(*) from objects").code)).collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert!(codes.contains(&200) && codes.iter().all(|code| [200, 400].contains(code)), "{codes:?}");
        assert_eq!(ask_of(&server, "select 1 as one from pods limit 1").code, 200);
    }
}
