//! Questions about log lines.

use crate::bench::{Bench, CLUSTERS, about_clusters, cluster};
use facts::coverage::Basis;
use facts::log::{Level, LineFields, LineTime, LogHit, ScannedLog, Tally};
use facts::object::ContextId;
use facts::origin::MemberId;
use facts::store::{AsOf, Precision, Stream};
use parse::scan::Literals;
use signature::evidence_state::EvidenceState;
use signature::model::VerdictWord;

const LITERALS: [&str; 3] = ["elected leader", "lost leader", "not found"];

fn at(second: i8) -> LineTime {
    LineTime::Civil(jiff::civil::date(2026, 5, 14).at(10, 0, second, 0))
}

/// Adds a stream; each line is its second of a minute and its text.
fn stream(bench: &mut Bench, name: &str, class: Option<&str>, lines: &[(i8, &str)]) {
    let last = lines.last().map(|(second, _)| at(*second));
    stream_until(bench, name, class, lines, last);
}

/// The same for a stream whose last line was written at a stated time.
fn stream_until(bench: &mut Bench, name: &str, class: Option<&str>, lines: &[(i8, &str)], last: Option<LineTime>) {
    let literals = Literals::new(LITERALS.iter().map(|l| (*l).to_owned()));
    let member = MemberId(bench.facts.members.len() as u32);
    bench.facts.members.insert(member, name.to_owned().into());
    let hits = (1..).zip(lines).map(|(line, (second, text))| LogHit {
        member,
        line,
        text: (*text).into(),
        fields: LineFields {
            time: Some(at(*second)),
            level: Level::Error,
            message: (*text).to_owned(),
            fields: Vec::new(),
            format: "plain",
        },
        around: None,
        literals: LITERALS.iter().filter(|l| text.contains(**l)).filter_map(|l| literals.id(l)).collect(),
    });
    let tally = Tally { last, ..Tally::default() };
    let log = ScannedLog { hits: hits.collect(), tally, ..ScannedLog::default() };
    bench.facts.streams.push(Stream {
        context: ContextId(0),
        name: name.to_owned().into(),
        class: class.map(str::to_owned),
        beside: None,
        node: None,
        pod: None,
        parts: vec![(member, log)],
        ordered: false,
        over: None,
    });
}

const NOT_FOUND: &str = r#"
  - id: logged
    role: hallmark
    claim: 'The provider says so {count} times'
    log:
      source: infrastructure-provider
      any: ['not found']
      count: { gte: 2 }
      attribute:
        - { regex: 'cluster=(?P<named>[a-z]+)', is: $cluster.name }
  - id: phase
    claim: '{cluster} is Provisioned'
    object:
      self: true
      where: [{ path: status.phase, equals: Provisioned }]
"#;

/// Verdicts by entity; `literals` must be those of the streams.
fn verdicts(bench: &Bench, signature: &str) -> Vec<(String, VerdictWord, u64)> {
    let outcome = bench.run_with(&[signature], LITERALS.iter().map(|l| (*l).to_owned()));
    outcome.findings.iter().map(|f| (f.entity.name.clone(), f.verdict, f.evidence[0].at_least)).collect()
}

const RULES: &str = "  confirmed: logged and phase\n  probable: phase\n  ruled_out: not phase";

#[test]
fn a_line_counts_for_the_entity_that_it_names() {
    let mut bench = Bench::new();
    bench.object(CLUSTERS, cluster("bad"));
    bench.object(CLUSTERS, cluster("good"));
    let lines =
        [(1, "cluster=bad not found"), (2, "cluster=bad not found"), (3, "cluster=good not found"), (4, "not found")];
    stream(&mut bench, "provider.log", Some("infrastructure-provider"), &lines);
    stream(&mut bench, "kubelet.log", Some("kubelet"), &[(5, "cluster=good not found"), (6, "cluster=good not found")]);
    assert_eq!(
        verdicts(&bench, &about_clusters(NOT_FOUND, RULES)),
        [("bad".to_owned(), VerdictWord::Confirmed, 2), ("good".to_owned(), VerdictWord::Probable, 1)]
    );
}

#[test]
fn one_line_in_two_files_is_one_line() {
    let mut bench = Bench::new();
    bench.object(CLUSTERS, cluster("bad"));
    let line = [(1, "cluster=bad not found")];
    stream(&mut bench, "a.log", Some("infrastructure-provider"), &line);
    stream(&mut bench, "b.log", Some("infrastructure-provider"), &line);
    stream(&mut bench, "unknown.log", None, &line);
    let once = verdicts(&bench, &about_clusters(NOT_FOUND, RULES));
    assert_eq!(once, [("bad".to_owned(), VerdictWord::Probable, 1)]);
    stream(&mut bench, "c.log", None, &[(2, "cluster=bad not found")]);
    let twice = verdicts(&bench, &about_clusters(NOT_FOUND, RULES));
    assert_eq!(twice, [("bad".to_owned(), VerdictWord::Confirmed, 2)], "a stream of unknown class is read too");
}

#[test]
fn a_line_that_names_nobody_counts_where_it_can_be_nobody_elses() {
    let other = |phase: &str| {
        let mut bench = Bench::new();
        bench.object(CLUSTERS, cluster("bad"));
        let mut other = cluster("other");
        other["status"]["phase"] = phase.into();
        bench.object(CLUSTERS, other);
        stream(&mut bench, "a.log", Some("infrastructure-provider"), &[(1, "not found"), (2, "not found")]);
        bench
    };
    let signature = about_clusters(NOT_FOUND, RULES);
    let bad = |bench: &Bench| verdicts(bench, &signature)[0].clone();
    let mut bench = other("Deleting");
    assert_eq!(bad(&bench), ("bad".to_owned(), VerdictWord::Probable, 0), "there may be clusters that nobody saw");
    bench.listed(CLUSTERS, Basis::Stated);
    assert_eq!(bad(&bench), ("bad".to_owned(), VerdictWord::Confirmed, 2));
    let mut bench = other("Provisioned");
    bench.listed(CLUSTERS, Basis::Stated);
    assert_eq!(bad(&bench), ("bad".to_owned(), VerdictWord::Probable, 0), "it may be of the other one");
}

#[test]
fn the_last_word_of_each_stream_is_its_state() {
    let state = r"
  - id: leaderless
    role: hallmark
    claim: '{count} members lost their leader'
    log:
      source: etcd
      state: { down: ['lost leader'], up: ['elected leader'] }
      count: { gte: 1 }
";
    let run = |streams: &[&[(i8, &str)]]| {
        let mut bench = Bench::new();
        bench.object(CLUSTERS, cluster("one"));
        bench.listed(CLUSTERS, Basis::Stated);
        for (number, lines) in streams.iter().enumerate() {
            stream(&mut bench, &format!("etcd-{number}.log"), Some("etcd"), lines);
        }
        verdicts(&bench, &about_clusters(state, "  confirmed: leaderless"))
    };
    let down: &[(i8, &str)] = &[(1, "elected leader"), (2, "lost leader")];
    let up: &[(i8, &str)] = &[(1, "lost leader"), (2, "elected leader")];
    assert_eq!(run(&[down, down, up]), [("one".to_owned(), VerdictWord::Confirmed, 2)]);
    assert_eq!(run(&[up]), [], "silence of the others is no contradiction, and nothing points at it");
}

#[test]
fn a_state_holds_up_to_the_last_line_of_its_stream() {
    let state = r"
  - id: leaderless
    role: hallmark
    claim: '{count} members lost their leader'
    log:
      source: etcd
      state: { down: ['lost leader'], up: ['elected leader'] }
      within: 30s
      count: { gte: 1 }
";
    let run = |lines: &[(i8, &str)], last: i8| {
        let mut bench = Bench::new();
        bench.object(CLUSTERS, cluster("one"));
        bench.listed(CLUSTERS, Basis::Stated);
        let time = "2026-05-14T10:00:59Z".parse().expect("a time");
        bench.facts.contexts[0].as_of = Some(AsOf {
            time,
            source: "a test".to_owned(),
            citation: None,
            precision: Precision::Stated,
            objects: None,
            logs: None,
        });
        stream_until(&mut bench, "etcd.log", Some("etcd"), lines, Some(at(last)));
        verdicts(&bench, &about_clusters(state, "  confirmed: leaderless")).len()
    };
    let lost: &[(i8, &str)] = &[(1, "lost leader")];
    assert_eq!(run(lost, 40), 1, "it went on for 39 seconds, up to 19 before the clock");
    assert_eq!(run(lost, 5), 0, "after the last line nothing is known");
    assert_eq!(run(&[(1, "lost leader"), (2, "elected leader")], 40), 0, "an old line may end the state");
}

#[test]
fn between_machines_a_minute_is_in_doubt() {
    let near = |window: &str| {
        format!(
            "
  - id: lost
    role: hallmark
    claim: 'A leader was lost'
    log: {{ source: etcd, any: ['lost leader'] }}
  - id: then
    claim: 'Then it was not found'
    log: {{ source: kubelet, any: ['not found'], within: {{ of: lost, duration: {window} }} }}
"
        )
    };
    let run = |window: &str, node: &str| {
        let mut bench = Bench::new();
        bench.object(CLUSTERS, cluster("one"));
        bench.listed(CLUSTERS, Basis::Stated);
        stream(&mut bench, "etcd.log", Some("etcd"), &[(1, "lost leader")]);
        stream(&mut bench, "kubelet.log", Some("kubelet"), &[(11, "not found")]);
        bench.facts.streams[0].node = Some("cp-1".to_owned());
        bench.facts.streams[1].node = Some(node.to_owned());
        let signature = about_clusters(&near(window), "  confirmed: lost and then\n  probable: lost");
        verdicts(&bench, &signature)[0].1
    };
    assert_eq!(run("30s", "cp-1"), VerdictWord::Confirmed);
    assert_eq!(run("30s", "cp-2"), VerdictWord::Probable);
    assert_eq!(run("70s", "cp-2"), VerdictWord::Confirmed);
}

const LOST: &str = "
  - id: again
    role: hallmark
    claim: '{log} lost its leader {count} times'
    log: { self: true, any: [lost leader], lately: 30s, lasting: 10s }
    collect: { on: node, run: journalctl }
  - id: still
    claim: Up to its end
    log: { self: true, any: [lost leader], lately: 5s }
    collect: { on: node, run: journalctl }
";

fn about_logs(verdict: &str) -> String {
    let entity = "entity:\n  name: log\n  stream: { source: etcd, any: [lost leader], lately: 40s }\n";
    crate::bench::signature("T-1", entity, LOST, verdict)
}

/// What is said of each log: the verdict, then the states of its evidence.
fn of_logs(bench: &Bench) -> Vec<String> {
    let outcome =
        bench.run_with(&[&about_logs("  confirmed: again and still\n  probable: again")], LITERALS.map(str::to_owned));
    let states = |finding: &diagnosis::model::Finding| {
        finding.evidence.iter().map(|row| format!("{:?}", row.state)).collect::<Vec<_>>().join(" ")
    };
    outcome.findings.iter().map(|f| format!("{} {:?} {}", f.entity.name, f.verdict, states(f))).collect()
}

#[test]
fn a_log_that_says_it_up_to_its_own_end_is_an_entity() {
    let mut bench = Bench::new();
    let lost = "lost leader";
    stream(&mut bench, "a-still", Some("etcd"), &[(10, lost), (20, lost), (30, lost)]);
    stream_until(&mut bench, "b-over", Some("etcd"), &[(10, lost), (25, lost)], Some(at(40)));
    stream(&mut bench, "c-once", Some("etcd"), &[(30, lost)]);
    stream_until(&mut bench, "d-long-ago", Some("etcd"), &[(1, lost), (2, lost)], Some(at(59)));
    stream(&mut bench, "e-other", Some("kubelet"), &[(10, lost), (30, lost)]);
    stream(&mut bench, "f-well", Some("etcd"), &[(10, "elected leader")]);
    assert_eq!(of_logs(&bench), ["a-still Confirmed Supports Supports", "b-over Probable Supports Contradicts"]);
}

/// Of a piece of a log it is not known how long before it the thing was said; a log that was collected tells.
#[test]
fn how_long_it_lasted_is_known_of_a_piece_that_is_as_long() {
    let of_log = |first: i8, is_pasted: bool| {
        let mut bench = Bench::new();
        stream(&mut bench, "etcd.log", Some("etcd"), &[(30, "lost leader"), (33, "lost leader")]);
        bench.facts.streams[0].parts[0].1.tally.first = Some(at(first));
        bench.facts.streams[0].ordered = is_pasted;
        let verdict = about_logs("  confirmed: again and still\n  probable: still");
        let outcome = bench.run_with(&[&verdict], LITERALS.map(str::to_owned));
        let row = outcome.findings[0].evidence.iter().find(|row| row.id == "again").expect("again");
        (outcome.findings[0].verdict, row.state, row.reason.to_string())
    };
    let (verdict, state, reason) = of_log(30, true);
    assert_eq!((verdict, state), (VerdictWord::Probable, EvidenceState::Unknown));
    assert_eq!(reason, "only 3 s of that log are shown");
    for (first, is_pasted) in [(1, true), (30, false)] {
        let (verdict, state, _) = of_log(first, is_pasted);
        assert_eq!((verdict, state), (VerdictWord::Probable, EvidenceState::Contradicts));
    }
}

#[test]
fn lines_without_a_time_are_not_late() {
    let mut bench = Bench::new();
    stream(&mut bench, "a", Some("etcd"), &[(10, "lost leader"), (20, "lost leader")]);
    let (_, log) = &mut bench.facts.streams[0].parts[0];
    log.hits[1].fields.time = None;
    let outcome = bench.run_with(&[&about_logs("  confirmed: again and still")], LITERALS.map(str::to_owned));
    assert_eq!((outcome.findings.len(), outcome.not_assessed.len()), (0, 1), "one line of unknown time leaves it open");
    log_without_end(&mut bench);
    let outcome = bench.run_with(&[&about_logs("  confirmed: again and still")], LITERALS.map(str::to_owned));
    assert_eq!((outcome.findings.len(), outcome.not_assessed.len()), (0, 0), "no line is late in a log without an end");
}

/// Takes away when the last line of the log was written.
fn log_without_end(bench: &mut Bench) {
    bench.facts.streams[0].parts[0].1.tally.last = None;
}
