//! What a reader sees where no signature knows what is wrong: how processes ended and what went wrong last.
#![expect(clippy::panic, clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, diagnose, gather};
use diagnosis::bounds::bound;
use diagnosis::model::{Diagnosis, LoudLine, Loudness};
use intake::Source;
use report::{html, loudest, markdown, terminal, ticket};
use signature::load::Library;

fn log(pod: &str) -> String {
    format!("namespaces/shop/pods/{pod}/{pod}/{pod}/logs/current.log")
}

fn run(files: &[(String, String)]) -> (tempfile::TempDir, Diagnosis) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join("upload").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let input = Input { source: Source::Path(folder.path().join("upload")), context: None };
    let library = Library::built_in().unwrap();
    let mut diagnosis = diagnose(&[input], &library, &Catalogue::built_in(), &Options::default(), &mut Quiet).unwrap();
    gather(&mut diagnosis);
    bound(&mut diagnosis);
    (folder, diagnosis)
}

/// A log that goes on until ten to ten.
fn busy(name: &str) -> (String, String) {
    let lines: String = (0..50)
        .map(|minute| format!("time=\"2026-03-04T09:{minute:02}:00Z\" level=info msg=\"tick {minute}\"\n"))
        .collect();
    (log(name), lines)
}

fn line<'a>(diagnosis: &'a Diagnosis, part: &str) -> &'a LoudLine {
    let found = diagnosis.loudest.iter().find(|line| line.text.contains(part));
    found.unwrap_or_else(|| panic!("no loud line says {part:?}: {:#?}", diagnosis.loudest))
}

#[test]
fn the_last_error_of_a_log_that_falls_silent_is_told_with_its_cause_in_every_output() {
    let ledger = "time=\"2026-03-04T09:00:00Z\" level=info msg=\"ledger opened\"\n\
                  time=\"2026-03-04T09:20:58Z\" level=error msg=\"cannot seal the ledger\" error=\"page 7 of tenant blue is torn\"\n\
                  time=\"2026-03-04T09:21:00Z\" level=info msg=\"going round again\"\n";
    let (_folder, diagnosis) = run(&[(log("ledger"), ledger.to_owned()), busy("clock")]);
    let loud = line(&diagnosis, "cannot seal the ledger");
    assert_eq!(loud.text, "cannot seal the ledger: page 7 of tenant blue is torn");
    assert_eq!((loud.kind, loud.citation.line), (Loudness::LastError, Some(2)));
    assert_eq!(loud.silent_seconds, Some(28 * 60));
    assert_eq!(loud.time.as_deref(), Some("2026-03-04T09:20:58Z"));
    assert!(!loudest::loudest(&diagnosis).is_empty());
    for (name, text) in [
        ("page", html::render(&diagnosis).unwrap()),
        ("terminal", terminal::summary(&diagnosis, false, None)),
        ("markdown", markdown::render(&diagnosis)),
        ("ticket", ticket::render(&diagnosis)),
    ] {
        assert!(text.contains("page 7 of tenant blue is torn"), "{name}: {text}");
    }
    assert!(terminal::summary(&diagnosis, false, None).contains("the log stops 28 minutes before others do"));
}

#[test]
fn what_several_logs_say_stands_once_and_what_is_fatal_before_errors() {
    let says = |name: &str, level: &str, text: &str| {
        (
            log(name),
            format!(
                "2026-03-04 09:00:00 INFO up\n2026-03-04 09:49:{:02} {level} {text}\n2026-03-04 09:49:59 INFO still here\n",
                name.len()
            ),
        )
    };
    let (_folder, diagnosis) = run(&[
        says("a", "ERROR", "no quorum of brokers in zone 1"),
        says("bb", "ERROR", "no quorum of brokers in zone 2"),
        says("ccc", "ERROR", "no quorum of brokers in zone 33"),
        says("dddd", "FATAL", "the ring is broken"),
        busy("clock"),
    ]);
    let brokers: Vec<&LoudLine> = diagnosis.loudest.iter().filter(|line| line.text.contains("brokers")).collect();
    assert_eq!(brokers.len(), 1, "{:#?}", diagnosis.loudest);
    assert_eq!(brokers[0].also, 2);
    let first = diagnosis.loudest.first().unwrap();
    assert!(first.text.contains("the ring is broken") && first.kind != Loudness::LastError, "{first:#?}");
}

#[test]
fn a_log_whose_newest_line_stands_first_ends_with_its_first_error() {
    let lines: String = (10..50)
        .rev()
        .map(|minute| {
            let level = if minute % 20 == 5 { "ERROR sprocket" } else { "INFO tooth" };
            format!("2026-03-04T09:{minute:02}:00Z {level} {minute}\n")
        })
        .collect();
    let (_folder, diagnosis) = run(&[(log("gear"), lines)]);
    let loud = line(&diagnosis, "sprocket");
    assert!(loud.text.contains("sprocket 45") && loud.count == 2, "{loud:#?}");
}

#[test]
fn what_a_finding_cites_is_not_loud() {
    let (_folder, diagnosis) = run(&[
        (log("web"), "2026-03-04T09:49:00Z starting\npanic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.main()\n\t/x.go:3 +0x1\n".to_owned()),
        busy("clock"),
    ]);
    let cited = diagnosis.findings.iter().flat_map(|finding| &finding.evidence).flat_map(|row| &row.citations);
    assert!(cited.clone().any(|place| place.line == Some(2)), "a finding cites the panic");
    assert!(diagnosis.loudest.iter().all(|line| !line.text.contains("nil map")), "{:#?}", diagnosis.loudest);
}

#[test]
fn the_last_words_in_a_session_stand_where_they_are_cited() {
    let text = "$ kubectl get nodes\nNAME   STATUS   ROLES    AGE   VERSION\nn-1    Ready    <none>   3d    v1.30.4\n\n\
                $ kubectl logs -n shop web-1 --previous\n2026-03-04T09:49:00Z starting\n2026-03-04T09:49:01Z reading\n\
                panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.main()\n\t/x.go:3 +0x1\n";
    let (_folder, diagnosis) = run(&[("session.txt".to_owned(), text.to_owned())]);
    let wanted = 1 + text.lines().position(|line| line.starts_with("panic:")).unwrap() as u32;
    let cited = diagnosis.findings.iter().flat_map(|finding| &finding.evidence).flat_map(|row| &row.citations);
    let cited = cited.chain(diagnosis.loudest.iter().map(|line| &line.citation));
    let lines: Vec<Option<u32>> =
        cited.filter(|place| place.excerpt.contains("nil map")).map(|place| place.line).collect();
    assert!(!lines.is_empty() && lines.iter().all(|line| *line == Some(wanted)), "{lines:?}, not {wanted}");
}

/// Lines of a log and fields of an object stand round what proves something, and the object is named.
#[test]
fn a_proof_stands_in_its_surroundings() {
    let bundle =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles/crashloop-missing-config/bundle");
    let input = Input { source: Source::Path(bundle), context: None };
    let library = Library::built_in().unwrap();
    let diagnosis = diagnose(&[input], &library, &Catalogue::built_in(), &Options::default(), &mut Quiet).unwrap();
    let places: Vec<_> = diagnosis
        .findings
        .iter()
        .flat_map(|finding| &finding.evidence)
        .flat_map(|row| &row.citations)
        .filter(|place| place.excerpt == "exitCode: 1")
        .collect();
    assert!(!places.is_empty());
    for place in places {
        assert!(
            place.object.starts_with("Pod shop/web-") && place.object.contains("containerStatuses[web]"),
            "{place:#?}"
        );
        assert!(!place.before.is_empty() || !place.after.is_empty(), "{place:#?}");
    }
    let page = html::render(&diagnosis).unwrap();
    assert!(page.contains("<mark>exitCode: 1</mark>"));
}

/// An event that no finding speaks of stands beside the lines with the time of its last sighting.
#[test]
fn an_event_is_loud_with_its_time() {
    let event = "apiVersion: v1\nkind: Event\nmetadata: { name: gear.1, namespace: shop }\n\
                 involvedObject: { kind: Gear, namespace: shop, name: gear }\ntype: Warning\nreason: Slipped\n\
                 message: a tooth is gone\ncount: 3\nlastTimestamp: \"2026-03-04T09:30:00Z\"\n";
    let (_folder, diagnosis) = run(&[("events.yaml".to_owned(), event.to_owned()), busy("clock")]);
    let loud = loudest::loudest(&diagnosis);
    let found = loud.iter().find(|line| line.key == "event").unwrap_or_else(|| panic!("{loud:#?}"));
    assert_eq!(found.time, "2026-03-04 09:30:00", "{found:#?}");
    assert!(found.text.contains("a tooth is gone") && !found.place.is_empty(), "{found:#?}");
}
