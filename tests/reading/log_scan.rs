//! The streaming pass against a plain one that holds the whole log, and its bounds.

use facts::log::{Level, LineTime, LiteralId, ScannedLog};
use facts::origin::MemberId;
use intake::Limits;
use parse::hits::KEPT;
use parse::scan::{Literals, scan};
use proptest::prelude::*;
use std::io::Read;

fn literals(texts: &[&str]) -> Literals {
    Literals::new(texts.iter().map(|text| (*text).to_owned()))
}

fn scanned(text: &[u8], wanted: &[&str]) -> ScannedLog {
    scan(MemberId(0), text, &literals(wanted), &Limits::default())
}

/// Gives a few bytes at a time, so that every place becomes the end of a chunk.
struct Drip<'a>(&'a [u8], usize);

impl Read for Drip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

/// Fails once its bytes are given, as a damaged archive does.
struct Broken<'a>(&'a [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.0.is_empty() {
            return Err(std::io::Error::other("invalid deflate stream"));
        }
        let count = self.0.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

proptest! {
    #[test]
    fn finds_what_a_plain_search_finds(text in "[ab\r\n\u{e9}]{0,200}", step in 1usize..9) {
        let wanted = ["a", "ab", "bab", "bb"];
        let literals = literals(&wanted);
        let log = scan(MemberId(7), Drip(text.as_bytes(), step), &literals, &Limits::default());
        let body = text.strip_suffix('\n').unwrap_or(&text);
        let lines: Vec<&str> = if text.is_empty() { Vec::new() } else {
            body.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect()
        };
        let expected: Vec<(u32, String, Vec<LiteralId>)> = (1u32..).zip(&lines)
            .map(|(number, line)| {
                let found = wanted.iter().filter(|w| line.contains(**w)).filter_map(|w| literals.id(w)).collect();
                (number, (*line).to_owned(), found)
            })
            .filter(|(_, _, found): &(u32, String, Vec<LiteralId>)| !found.is_empty())
            .collect();
        let found: Vec<_> = log.hits.iter().map(|h| (h.line, h.text.to_string(), h.literals.clone())).collect();
        prop_assert_eq!(found, expected);
        prop_assert_eq!(log.tally.lines, lines.len() as u64);
        prop_assert_eq!(log.tally.bytes, text.len() as u64);
    }
}

#[test]
fn a_long_line_is_cut_and_the_next_one_is_read() {
    let limits = Limits { line_bytes: 10, ..Limits::default() };
    for long in [20, 600_000] {
        let text = format!("wanted {}wanted\nwanted\n", "x".repeat(long));
        let log = scan(MemberId(0), text.as_bytes(), &literals(&["wanted"]), &limits);
        let found: Vec<(u32, &str)> = log.hits.iter().map(|hit| (hit.line, &*hit.text)).collect();
        assert_eq!(found, [(1, "wanted xxx"), (2, "wanted")]);
        assert_eq!((log.tally.cut_lines, log.tally.lines), (1, 2));
    }
}

#[test]
fn a_storm_keeps_its_two_ends_and_counts_the_rest() {
    let mut text = String::new();
    for number in 1..=10_000 {
        text.push_str(if number == 5_000 { "storm rare\n" } else { "storm\n" });
    }
    let wanted = literals(&["storm", "rare", "never"]);
    let log = scan(MemberId(0), text.as_bytes(), &wanted, &Limits::default());
    let lines: Vec<u32> = log.hits.iter().map(|hit| hit.line).collect();
    let expected: Vec<u32> = (1..=KEPT as u32).chain([5_000]).chain(10_001 - KEPT as u32..=10_000).collect();
    assert_eq!(lines, expected);
    let beyond: Vec<_> = log.tally.hits_beyond.iter().map(|(id, count)| (wanted.text(*id), *count)).collect();
    assert_eq!(beyond, [(Some("storm"), 10_000 - 2 * KEPT as u64 - 1)]);
}

#[test]
fn the_bytes_of_a_file_with_several_machines_are_said_once() {
    // The machine that stands first is the last by name, so its log is one of the others.
    let text =
        "May 14 10:00:00 w-2 kubelet[1]: a\nMay 14 10:00:01 w-1 kubelet[1]: b\nMay 14 10:00:02 w-3 kubelet[1]: c\n";
    let log = scanned(text.as_bytes(), &["b"]);
    assert_eq!((log.host.as_deref(), log.others.len()), (Some("w-1"), 2));
    let others: Vec<u64> = log.others.iter().map(|other| other.tally.bytes).collect();
    assert_eq!((log.tally.bytes, others.as_slice()), (text.len() as u64, [0, 0].as_slice()));
}

#[test]
fn odd_bytes_stay_readable() {
    let log = scanned(b"\xef\xbb\xbfw \xff\r\n\0\0\0E0119 12:48:50.143423 1 a.go:1] w\0x\n", &["w"]);
    let found: Vec<&str> = log.hits.iter().map(|hit| &*hit.text).collect();
    assert_eq!(found[0], "w \u{fffd}");
    assert!(found[1].ends_with("w\u{fffd}x"));
    assert!(log.tally.last.is_some(), "the time after a run of NUL bytes is read");
}

#[test]
fn only_a_continuation_takes_the_time_before_it() {
    let log = scanned(b"2026-06-01T10:00:00Z panic: w\ngoroutine 1 [running]: w\n\tmain.go:3 w\nother w\n", &["w"]);
    let times: Vec<bool> = log.hits.iter().map(|hit| hit.fields.time.is_some()).collect();
    assert_eq!(times, [true, true, true, false]);
    assert_eq!(log.hits[2].fields.time, log.hits[0].fields.time);
}

#[test]
fn a_read_error_keeps_what_came_before_it() {
    let log = scan(MemberId(0), Broken(b"first w\nsecond w"), &literals(&["w"]), &Limits::default());
    assert_eq!(log.hits.len(), 2);
    assert_eq!(log.stopped.as_deref(), Some("invalid deflate stream"));
}

#[test]
fn counts_go_by_minute_level_and_component() {
    let text = b"W0119 12:48:50.143423 1 a.go:1] pod web-5d8f is 3 s late\n\
                 W0119 12:48:59.143423 1 a.go:1] pod web-77aa is 4 s late\n\
                 I0119 12:49:00.143423 1 b.go:1] fine\nno time\n";
    let log = scanned(text, &[]);
    insta::assert_debug_snapshot!(log.tally.buckets, @r#"
    {
        (
            "0000-01-19T12:48",
            Warn,
            "a.go",
        ): 2,
        (
            "0000-01-19T12:49",
            Info,
            "b.go",
        ): 1,
    }
    "#);
    let templates: Vec<_> =
        log.tally.templates.iter().map(|(text, found)| (text.as_str(), found.count, found.line)).collect();
    assert_eq!(templates, [("pod # is # s late", 2, 1)]);
}

#[test]
fn a_template_has_the_time_of_its_first_line_wherever_it_stands_in_it() {
    let text = format!(r#"{{"level":"error","msg":"x","detail":"{}","ts":"2026-01-01T00:00:00Z"}}"#, "y".repeat(2_000));
    let log = scanned(text.as_bytes(), &[]);
    let found: Vec<_> = log.tally.templates.values().map(|first| (first.time, first.level, first.line)).collect();
    let time = "2026-01-01T00:00:00Z".parse().map(LineTime::Exact).ok();
    assert_eq!(found, [(time, Level::Error, 1)]);
}

#[test]
fn minutes_and_templates_are_bounded() {
    let mut text = String::new();
    for number in 0u32..60_000 {
        let (day, hour, minute) = (1 + number / 1440 % 28, number / 60 % 24, number % 60);
        let month = 1 + number / 1440 / 28;
        let word: String = number.to_string().bytes().map(|b| char::from(b'a' + b - b'0')).collect();
        text.push_str(&format!("W{month:02}{day:02} {hour:02}:{minute:02}:00.000000 1 {word}.go:1] {word}\n"));
    }
    let tally = scanned(text.as_bytes(), &[]).tally;
    assert!(tally.buckets.len() <= 8_192 && tally.templates.len() <= 512);
    let counted: u64 = tally.buckets.values().map(|count| u64::from(*count)).sum();
    assert_eq!(counted + tally.uncounted, 60_000);
    assert_eq!(tally.templates.values().map(|template| template.count).sum::<u64>() + tally.templates_beyond, 60_000);
}

#[test]
fn a_missing_year_comes_from_the_as_of_clock() {
    let clock = |text: &str| text.parse::<jiff::Timestamp>().ok();
    let resolved = |line: &str, as_of: &str| {
        let time = parse::line::glance(line.as_bytes()).time.and_then(|time: LineTime| time.resolve(clock(as_of)));
        time.map(|time| time.to_string())
    };
    let december = "I1231 23:59:59.000000 1 a.go:1] x";
    let january = "I0101 00:00:01.000000 1 a.go:1] x";
    let leap = "I0229 10:00:00.000000 1 a.go:1] x";
    assert_eq!(resolved(december, "2026-01-01T00:00:10Z").as_deref(), Some("2025-12-31T23:59:59Z"));
    assert_eq!(resolved(january, "2025-12-31T23:59:50Z").as_deref(), Some("2026-01-01T00:00:01Z"));
    // A clock inferred from conditions may lie days before the last lines, but not more than a month.
    assert_eq!(resolved(january, "2025-12-30T12:00:00Z").as_deref(), Some("2026-01-01T00:00:01Z"));
    assert_eq!(resolved(january, "2025-11-20T12:00:00Z").as_deref(), Some("2025-01-01T00:00:01Z"));
    assert_eq!(resolved(leap, "2026-06-01T00:00:00Z").as_deref(), Some("2024-02-29T10:00:00Z"));
    assert_eq!(resolved(leap, "not a clock"), None);
}

#[test]
fn pieces_of_a_runtime_are_joined_per_stream() {
    let text = b"2026-06-01T10:00:00Z stderr P one no\n2026-06-01T10:00:01Z stdout F other\n2026-06-01T10:00:02Z stderr P  lea\n2026-06-01T10:00:03Z stderr F der\n2026-06-01T10:00:04Z stdout P no leader in the end";
    let log = scanned(text, &["no leader"]);
    let found: Vec<(u32, &str)> = log.hits.iter().map(|hit| (hit.line, &*hit.text)).collect();
    assert_eq!(
        found,
        [(1, "2026-06-01T10:00:00Z stderr P one no leader"), (5, "2026-06-01T10:00:04Z stdout P no leader in the end"),]
    );
    assert_eq!(log.tally.lines, 5);
    assert!(log.hits[0].fields.time.is_some());
}

#[test]
fn pieces_of_docker_are_joined() {
    let text = br#"{"log":"no lea","stream":"stderr","time":"2026-06-01T10:00:00Z"}
{"log":"x\n","stream":"stdout","time":"2026-06-01T10:00:00Z"}
{"log":"der\n","stream":"stderr","time":"2026-06-01T10:00:01Z"}
"#;
    let log = scanned(text, &["no leader"]);
    let found: Vec<(u32, &str)> = log.hits.iter().map(|hit| (hit.line, hit.fields.message.as_str())).collect();
    assert_eq!(found, [(1, "no leader")]);
}

#[test]
fn what_is_wrapped_is_found_as_it_was_written() {
    let text = br#"{"log":"E0325 07:00:40.914700 1 r.go:1] ServiceAccount \"sentry\" not found\n","stream":"stderr","time":"2026-03-25T07:00:41Z"}
{"level":"error","ts":"2026-05-11T06:21:20Z","msg":"m","error":"ServiceAccount \"sentry\" not found"}
2026-03-25T07:00:41Z stderr F {"level":"error","error":"ServiceAccount \"sentry\" not found"}
{"log":"{\"level\":\"error\",\"error\":\"ServiceAccount \\\"sentry\\\" not found\"}\n","stream":"stderr","time":"2026-03-25T07:00:41Z"}
{"__REALTIME_TIMESTAMP":"1764338526631719","MESSAGE":[83,101,114,118,105,99,101,65,99,99,111,117,110,116,32,34,115,101,110,116,114,121,34,32,110,111,116,32,102,111,117,110,100]}
"#;
    let coloured = b"Service\x1b[31mAccount \"sentry\"\x1b[0m not found\n";
    let log = scanned(&[&text[..], coloured].concat(), &["ServiceAccount \"sentry\" not found"]);
    let mut lines: Vec<u32> = log.hits.iter().map(|hit| hit.line).collect();
    // The times of these lines fall, which reads as a log with its newest line first.
    lines.sort_unstable();
    assert_eq!(lines, [1, 2, 3, 4, 5, 6]);
}

#[test]
fn traces_take_the_time_of_their_head() {
    let text = b"2026-06-01T10:00:00Z failed\nTraceback (most recent call last):\n  File \"a.py\", line 1 w\nValueError: w\nafter w\n2026-06-01T10:01:00Z failed\njava.io.IOException: w\n\tat a.B.c(B.java:1) w\nCaused by: x.YError: w\nE0101 00:00:00.000000 1 a.go:1] \"m\" err=<\n\tdeep w\n > more=\"w\"\n";
    let log = scanned(text, &["w"]);
    let times: Vec<(u32, bool)> = log.hits.iter().map(|hit| (hit.line, hit.fields.time.is_some())).collect();
    let timed = |line| (line, true);
    assert_eq!(times, [timed(3), timed(4), (5, false), timed(7), timed(8), timed(9), timed(10)], "{:?}", log.hits);
}

#[test]
fn the_panic_at_the_end_of_a_log_takes_the_time_of_the_last_line() {
    let text = b"I0101 00:00:00.000000 1 a.go:1] \"fine\"\npanic: runtime error: w\n[signal SIGSEGV: segmentation violation w]\n\ngoroutine 1 [running]:\nmain.run(0x1, w)\n\t/src/main.go:3 w\nexit w\n";
    let log = scanned(text, &["w"]);
    let times: Vec<(u32, bool)> = log.hits.iter().map(|hit| (hit.line, hit.fields.time.is_some())).collect();
    assert_eq!(times, [(2, true), (3, true), (6, true), (7, true), (8, false)], "{:?}", log.hits);
}
