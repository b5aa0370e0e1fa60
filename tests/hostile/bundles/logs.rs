//! Logs and sessions: lines without end or number, times that are none, what is no text.

use super::pack::members;
use super::{Must, bundles, size};
use std::fmt::Write as _;

const FINE: Must = Must::Diagnose(&[]);

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, at| {
        let _ = writeln!(text, "{}", line(at));
        text
    })
}

macro_rules! texts {
    ($($name:ident: $must:expr, $file:literal, $text:expr;)+) => {
        bundles! { $($name: $must, |place| place.file("b.tar", members([($file, $text)]));)+ }
    };
}

texts! {
    nothing_but_line_ends: Must::Diagnose(&["repeated"]), "x.log", vec![b'\n'; size(8 << 20, 60 << 20)];
    one_line_without_end: Must::Diagnose(&["line-bytes"]), "x.log", format!("E0304 06:00:00.000000 1 x.go:1] {}", "word ".repeat(size(1 << 20, 20 << 20)));
    nothing_but_nul: FINE, "x.log", vec![0; size(8 << 20, 1 << 30)];
    binary: FINE, "x.log", (0..size(300_000, 60_000_000) as u64).map(|at| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect::<Vec<u8>>();
    escape_codes: FINE, "x.log", lines(2_000, |at| format!("\x1b[31mE0304 06:00:00.{at:06}       1 x.go:1] \x1b]0;t\x07 etcdserver: no leader \x1b[0m\u{202e}"));
    lines_of_carriage_returns: FINE, "x.log", "pulling 10%\r".repeat(size(50_000, 5_000_000));
    utf16: FINE, "x.log", "E0304 06:00:00.000000       1 x.go:1] etcdserver: no leader\r\n".repeat(200).encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    times_beyond_the_calendar: FINE, "x.log", lines(3_000, |at| format!("{}-{:02}-{:02}T25:61:{}Z E etcdserver: no leader", at * 9_999, at % 99, at % 77, at));
    times_that_go_back: FINE, "x.log", lines(3_000, |at| format!("2026-03-04T{:02}:{:02}:00Z error etcdserver: no leader", 23 - at % 24, 59 - at % 60));
    numbers_beyond_numbers: FINE, "other.log", lines(500, |_| format!("{{\"level\":\"warn\",\"ts\":{},\"msg\":\"etcdserver: no leader\",\"term\":{}}}", "9".repeat(400), "9".repeat(400)));
    secrets_without_number: FINE, "x.log", lines(size(2_000, 200_000), |at| format!("etcdserver: no leader password=hunter{at} token: abcdef.{at:016x} --password x{at}"));
    keys_that_never_end: FINE, "x.log", lines(size(2_000, 200_000), |at| format!("etcdserver: no leader -----BEGIN PRIVATE KEY----- MIIE{at}"));
    base64_within_base64: FINE, "x.log", lines(size(100, 10_000), |at| format!("etcdserver: no leader {}", "QWxhZGRpbjpvcGVuIHNlc2FtZQ".repeat(20 + at % 7)));
    parts_that_never_end: FINE, "x.log", lines(size(5_000, 500_000), |_| "2026-03-04T06:00:00.000000000Z stderr P etcdserver: no".to_owned());
    docker_around_docker: FINE, "x.log", lines(200, |_| {
        (0..6).fold("etcdserver: no leader\n".to_owned(), |text, _| format!("{{\"log\":{},\"stream\":\"stderr\",\"time\":\"2026-03-04T06:00:00.0Z\"}}", serde_json::to_string(&text).unwrap()))
    });
    json_that_goes_in: FINE, "x.log", lines(20, |_| format!("{{\"level\":\"warn\",\"msg\":\"etcdserver: no leader\",\"x\":{}", "{\"a\":".repeat(5_000)));
    wanted_lines_without_number: FINE, "x.log", lines(size(10_000, 2_000_000), |at| format!("E0304 06:{:02}:{:02}.{:06}       1 x.go:1] etcdserver: no leader, try {at}", at / 60 % 60, at % 60, at % 1_000_000));
    other_lines_without_number: FINE, "x.log", lines(size(30_000, 5_000_000), |at| format!("line {at} of nothing that anybody knows"));
    prompts: FINE, "session.txt", lines(size(500, 100_000), |at| format!("[root@m ~]# kubectl get pods -n shop\nNAME    READY   STATUS    RESTARTS   AGE\np-{at}     0/1     Pending   0          3d"));
    prompts_of_hosts_without_number: FINE, "session.txt", lines(size(500, 50_000), |at| format!("[root@host{at} ~]# ssh host{}", at + 1));
    a_session_of_markup: FINE, "session.txt", "$ kubectl get pods <script>alert(1)</script>\nError from server (NotFound): pods \"<img src=x>\" not found\n$ \x1b[2J\n".repeat(50);
    a_session_within_a_session: FINE, "session.txt", "$ ".repeat(20_000) + "kubectl get pods\n";
    events_as_text: FINE, "kubectl-get-events.txt", "NAMESPACE   LAST SEEN   TYPE      REASON    OBJECT      MESSAGE\n".to_owned() + &lines(size(2_000, 300_000), |at| format!("shop        3m          Warning   Failed    pod/web-{at}   it failed {at}"));
}

bundles! {
    sources_without_number: FINE, |place| {
        place.file("b.tar", members((0..size(800, 100_000)).map(|at| (format!("pods/n{at}/p{at}/c.log"), format!("E0304 06:00:00.000000       1 x.go:1] etcdserver: no leader {at}\n")))))
    };
    frames_without_end: FINE, |place| {
        place.file("b.tar", members([("dump.txt", lines(size(1_000, 100_000), |at| format!("==== START logs for container c of pod shop/p{at} ====\nno leader")))]))
    };
}
