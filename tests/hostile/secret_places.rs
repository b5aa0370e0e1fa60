//! Every form of a secret in every place where a text of a bundle is kept or cited: none reaches a fact or an output.
//!
//! Each place says how a line stands in it, and names a harmless word that must be seen, so that no place is tried
//! that nothing is read from.

#![expect(clippy::unwrap_used, reason = "a test outside of `cfg(test)`: it fails loudly")]

use crate::planted::{Lot, forms, planted, shows};
use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, collect, diagnose};
use inspect::{model, text};
use intake::Source;
use report::{html, json, junit, markdown, terminal};
use signature::load::Library;
use std::path::Path;

/// A text as it stands within a JSON string.
fn in_json(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap();
    quoted[1..quoted.len() - 1].to_owned()
}

/// A line that a signature looks for.
const WANTED: &str = "etcdserver: no leader";

/// A place: its name, and the files that it makes of all lines.
type Place = (&'static str, fn(&[String]) -> Vec<(String, String)>);

fn log(name: &str, lines: &[String], line: impl Fn(usize, &str) -> String) -> Vec<(String, String)> {
    let text: String = lines.iter().enumerate().map(|(at, text)| line(at, text) + "\n").collect();
    vec![(name.to_owned(), text)]
}

fn pods(lines: &[String], pod: impl Fn(usize, &str) -> String) -> Vec<(String, String)> {
    let items: Vec<String> = lines.iter().enumerate().map(|(at, text)| pod(at, text)).collect();
    vec![(
        "pods.json".to_owned(),
        format!("{{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[{}]}}", items.join(",")),
    )]
}

const CRASHED: &str = r#""phase":"Running","containerStatuses":[{"name":"app","ready":false,"restartCount":9,"image":"r.example/app:1","state":{"waiting":{"reason":"CrashLoopBackOff","message":"back-off 5m0s"}},"lastState":{"terminated":{"exitCode":1,"reason":"Error","finishedAt":"2026-05-14T09:57:59Z","message":"MESSAGE"}}}]"#;

const PLACES: [Place; 19] = [
    ("klog", |lines| {
        log("cp-1/etcd.log", lines, |_, text| {
            format!("E0601 10:00:00.000000       1 x.go:1] \"{WANTED}\" harmlessklog {text}")
        })
    }),
    ("zap json", |lines| {
        log("cp-1/etcd.log", lines, |_, text| {
            let text = in_json(text);
            format!(
                "{{\"level\":\"warn\",\"ts\":\"2026-06-01T10:00:00Z\",\"msg\":\"harmlesszap {WANTED}\",\"error\":\"{text}\"}}"
            )
        })
    }),
    ("zap console", |lines| {
        log("cp-1/etcd.log", lines, |_, text| {
            format!(
                "2026-06-01T10:00:00.000Z\tWARN\tx/x.go:1\t{WANTED} harmlessconsole\t{{\"error\": \"{}\"}}",
                in_json(text)
            )
        })
    }),
    ("capnslog", |lines| {
        log("cp-1/etcd.log", lines, |_, text| {
            format!("2026-06-01 10:00:00.000000 W | etcdserver: {WANTED} harmlesscapns {text}")
        })
    }),
    ("logfmt", |lines| {
        log("cp-1/etcd.log", lines, |_, text| {
            format!(
                "time=\"2026-06-01T10:00:00Z\" level=error msg=\"{WANTED} harmlesslogfmt\" error=\"{}\"",
                in_json(text)
            )
        })
    }),
    ("logfmt, bare", |lines| {
        log("cp-1/etcd.log", lines, |_, text| {
            format!("time=\"2026-06-01T10:00:00Z\" level=error msg=\"{WANTED} harmlesslogfmt\" {text}")
        })
    }),
    ("plain", |lines| log("cp-1/etcd.log", lines, |_, text| format!("{WANTED} harmlessplain {text}"))),
    ("cri", |lines| {
        log("cp-1/etcd.log", lines, |_, text| {
            format!("2026-06-01T10:00:00.000000000Z stderr F {WANTED} harmlesscri {text}")
        })
    }),
    ("docker", |lines| {
        log("cp-1/etcd.log", lines, |_, text| {
            format!(
                "{{\"log\":\"{WANTED} harmlessdocker {}\\n\",\"stream\":\"stderr\",\"time\":\"2026-06-01T10:00:00.000000000Z\"}}",
                in_json(text)
            )
        })
    }),
    ("docker around zap", |lines| {
        log("cp-1/etcd.log", lines, |_, text| {
            let inner = format!(
                "{{\"level\":\"warn\",\"ts\":\"2026-06-01T10:00:00Z\",\"msg\":\"harmlessdeep {WANTED}\",\"error\":\"{}\"}}",
                in_json(text)
            );
            format!(
                "{{\"log\":\"{}\\n\",\"stream\":\"stderr\",\"time\":\"2026-06-01T10:00:00.000000000Z\"}}",
                in_json(&inner)
            )
        })
    }),
    ("journal", |lines| {
        log("cp-1/kubelet.log", lines, |_, text| {
            format!("Jun 01 10:00:00 cp-1 kubelet[812]: {WANTED} harmlessjournal {text}")
        })
    }),
    ("etcdctl", |lines| {
        let errors: Vec<String> = lines.iter().map(|text| format!("\"harmlessetcdctl {}\"", in_json(text))).collect();
        let status = format!(
            "[{{\"Endpoint\":\"https://10.50.2.11:2379\",\"Status\":{{\"header\":{{\"cluster_id\":16272283584282658680,\"member_id\":5416877082257088352,\"revision\":771203,\"raft_term\":7}},\"version\":\"3.5.21\",\"dbSize\":81264640,\"raftIndex\":918377,\"raftTerm\":7,\"raftAppliedIndex\":918377,\"errors\":[\"{WANTED}\",{}]}}}}]\n",
            errors.join(",")
        );
        let failed: String = lines
            .iter()
            .map(|text| {
                format!("Failed to get the status of endpoint https://10.50.2.12:2379 ({})\n", text.replace('\n', " "))
            })
            .collect();
        vec![("etcdctl/endpoint-status.json".to_owned(), status), ("etcdctl/endpoint-status.txt".to_owned(), failed)]
    }),
    ("transcript", |lines| {
        let text: String = lines
            .iter()
            .map(|text| {
                let text = text.replace('\n', " ");
                format!("[root@cp-1 ~]# kubectl get pods -n shop {text}\nError from server (NotFound): pods \"harmlesssession {text}\" not found\n[root@cp-1 ~]# kubectl get nodes\nUnable to connect to the server: {text}\n")
            })
            .collect();
        vec![("session.txt".to_owned(), text)]
    }),
    ("names of files", |lines| {
        let names = lines.iter().map(|text| text.replace(['/', '\n', '\0'], "_").chars().take(120).collect::<String>());
        names.enumerate().map(|(at, name)| (format!("harmlessfile{at} {name}"), format!("{WANTED} {at}\n"))).collect()
    }),
    ("fields of objects", |lines| {
        pods(lines, |at, text| {
            let text = in_json(text);
            format!(
                "{{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{{\"name\":\"harmlesspod{at}\",\"namespace\":\"shop\",\"annotations\":{{\"note\":\"{text}\"}}}},\"spec\":{{\"containers\":[{{\"name\":\"app\",\"image\":\"r.example/app:1\",\"command\":[\"sh\",\"-c\",\"{text}\"],\"args\":[\"{text}\"],\"env\":[{{\"name\":\"NOTE\",\"value\":\"{text}\"}}]}}]}},\"status\":{{{}}}}}",
                CRASHED.replace("MESSAGE", &text).replace("back-off 5m0s", &format!("back-off {text}"))
            )
        })
    }),
    ("last words", |lines| {
        let mut files = pods(lines, |at, _| {
            format!(
                "{{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{{\"name\":\"web-{at}\",\"namespace\":\"shop\"}},\"spec\":{{\"containers\":[{{\"name\":\"app\",\"image\":\"r.example/app:1\"}}]}},\"status\":{{{}}}}}",
                CRASHED.replace("MESSAGE", "")
            )
        });
        files.extend(lines.iter().enumerate().map(|(at, text)| {
            (
                format!("logs/shop/web-{at}.log"),
                format!(
                    "2026-05-14T09:57:58Z starting\n2026-05-14T09:57:59Z harmlesslast {}\n",
                    text.replace('\n', " ")
                ),
            )
        }));
        files
    }),
    ("events", |lines| {
        let rows: String = lines
            .iter()
            .map(|text| {
                format!(
                    "shop        3m          Warning   Failed    pod/web-1   harmlessevent {}\n",
                    text.replace('\n', " ")
                )
            })
            .collect();
        vec![(
            "kubectl-get-events.txt".to_owned(),
            format!("NAMESPACE   LAST SEEN   TYPE      REASON    OBJECT      MESSAGE\n{rows}"),
        )]
    }),
    ("describe", |lines| {
        let events: String = lines
            .iter()
            .map(|text| format!("  Warning  Failed  3m   kubelet  harmlessdescribe {}\n", text.replace('\n', " ")))
            .collect();
        vec![(
            "describe/pods.txt".to_owned(),
            format!(
                "Name:         web-1\nNamespace:    shop\nNode:         w-1/10.0.0.1\nStatus:       Running\nContainers:\n  app:\n    Image:  r.example/app:1\nEvents:\n  Type     Reason  Age  From     Message\n  ----     ------  ---  ----     -------\n{events}"
            ),
        )]
    }),
    ("what is not understood", |lines| {
        let mut files = Vec::new();
        for (at, text) in lines.iter().enumerate() {
            files.push((format!("broken/{at}.json"), format!("{{\"kind\":\"Pod\",\"harmlessunread\": {text}")));
            files.push((format!("broken/{at}.yaml"), format!("kind: Pod\nmetadata: [\n{text}\n")));
            files.push((format!("broken/{at}.txt"), format!("Error from server (Forbidden): harmlessunread {text}\n")));
            files.push((
                format!("broken/t{at}.txt"),
                format!("NAME   READY   STATUS\nweb-1   1/1   Running\nerror: {text}\n"),
            ));
        }
        files
    }),
];

fn write(folder: &Path, files: &[(String, String)]) {
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// The facts and all outputs of a bundle.
fn outputs(folder: &Path) -> Vec<(&'static str, String)> {
    let library = Library::built_in().unwrap();
    let catalogue = Catalogue::built_in();
    let inputs = [Input { source: Source::Path(folder.to_owned()), context: None }];
    let collected = collect(&inputs, &library, &catalogue, &Options::default(), &mut Quiet).unwrap();
    let seen = model::inspect(&collected.bundles, &collected.facts, &library, &catalogue);
    let diagnosis = diagnose(&inputs, &library, &catalogue, &Options::default(), &mut Quiet).unwrap();
    vec![
        ("the facts", format!("{:?}", collected.facts)),
        ("inspect", text::text(&seen, true)),
        ("inspect as JSON", serde_json::to_string(&seen).unwrap()),
        ("JSON", json::render(&diagnosis).unwrap()),
        ("HTML", html::render(&diagnosis).unwrap()),
        ("Markdown", markdown::render(&diagnosis)),
        ("JUnit", junit::render(&diagnosis).unwrap()),
        ("the summary", terminal::summary(&diagnosis, false)),
    ]
}

/// The pieces of eight characters of a text that could be one of a secret.
fn pieces(text: &str) -> std::collections::BTreeSet<&[u8]> {
    text.as_bytes().windows(8).filter(|piece| piece.iter().any(u8::is_ascii_digit)).collect()
}

#[test]
fn no_secret_passes_any_place() {
    let mut lot = Lot(11);
    let (mut count, mut failed) = (0, Vec::new());
    for (place, files) in PLACES {
        let planted: Vec<(String, Vec<String>)> = forms().map(|form| planted(form, &mut lot)).collect();
        let lines: Vec<String> = planted.iter().map(|(text, _)| text.clone()).collect();
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &files(&lines));
        let outputs = outputs(folder.path());
        if !outputs.iter().any(|(_, text)| text.contains("harmless") || text.contains("web-0")) {
            failed.push(format!("nothing is read from {place}"));
        }
        for (what, output) in &outputs {
            let seen = pieces(output);
            for ((_, secrets), form) in planted.iter().zip(forms()) {
                count += usize::from(*what == "JSON") * secrets.len();
                let shown = |secret: &String| {
                    secret.as_bytes().windows(8).any(|piece| seen.contains(piece)) && shows(output, secret)
                };
                if let Some(secret) = secrets.iter().find(|secret| shown(secret)) {
                    let piece = secret.as_bytes().windows(8).find(|piece| seen.contains(*piece)).unwrap_or_default();
                    let at = output.find(std::str::from_utf8(piece).unwrap()).unwrap_or_default();
                    let (from, to) = (
                        output.floor_char_boundary(at.saturating_sub(160)),
                        output.ceil_char_boundary((at + 60).min(output.len())),
                    );
                    failed.push(format!("{place}, {what}: {form}\n    …{}", &output[from..to]));
                }
            }
        }
    }
    assert!(count >= 4_000, "only {count} secrets were planted");
    println!("{count} secrets in {} forms and {} places", forms().count(), PLACES.len());
    assert!(
        failed.is_empty(),
        "{} were seen:\n{}",
        failed.len(),
        failed.iter().take(400).cloned().collect::<Vec<_>>().join("\n")
    );
}
