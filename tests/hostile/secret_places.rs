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

const PLACES: [Place; 25] = [
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
    ("names of objects", |lines| {
        pods(lines, |at, text| {
            let text = in_json(&text.replace('\n', " "));
            format!(
                "{{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{{\"name\":\"harmlessname{at} {text}\",\"namespace\":\"shop\"}},\"spec\":{{\"containers\":[{{\"name\":\"app\",\"image\":\"r.example/app:1\"}}]}},\"status\":{{{CRASHED}}}}}"
            )
        })
    }),
    ("namespaces and nodes", |lines| {
        pods(lines, |at, text| {
            let text = in_json(&text.replace('\n', " "));
            format!(
                "{{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{{\"name\":\"harmlesspod{at}\",\"namespace\":\"shop {text}\"}},\"spec\":{{\"nodeName\":\"n {text}\",\"containers\":[{{\"name\":\"app\",\"image\":\"r.example/app:1\"}}]}},\"status\":{{{CRASHED}}}}}"
            )
        })
    }),
    ("containers and images", |lines| {
        pods(lines, |at, text| {
            let text = in_json(&text.replace('\n', " "));
            let crashed = CRASHED
                .replace("\"name\":\"app\"", &format!("\"name\":\"app {text}\""))
                .replace("r.example/app:1", &format!("r.example/{text}"));
            format!(
                "{{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{{\"name\":\"harmlesspod{at}\",\"namespace\":\"shop\"}},\"spec\":{{\"containers\":[{{\"name\":\"app {text}\",\"image\":\"r.example/{text}\"}}]}},\"status\":{{{crashed}}}}}"
            )
        })
    }),
    ("owners, labels, kinds and conditions", |lines| {
        let items: Vec<String> = lines
            .iter()
            .enumerate()
            .map(|(at, text)| {
                let text = in_json(&text.replace('\n', " "));
                format!(
                    "{{\"apiVersion\":\"g.example/v1\",\"kind\":\"Kind{at} {text}\",\"metadata\":{{\"name\":\"harmlesskind{at}\"}}}},{{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{{\"name\":\"harmlessnode{at}\",\"labels\":{{\"{text}\":\"{text}\"}},\"ownerReferences\":[{{\"apiVersion\":\"v1\",\"kind\":\"Machine\",\"name\":\"{text}\",\"uid\":\"u{at}\",\"controller\":true}}]}},\"status\":{{\"conditions\":[{{\"type\":\"Ready\",\"status\":\"False\",\"reason\":\"{text}\",\"message\":\"{text}\",\"lastTransitionTime\":\"2026-05-14T09:57:59Z\"}}]}}}}"
                )
            })
            .collect();
        vec![(
            "nodes.json".to_owned(),
            format!("{{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[{}]}}", items.join(",")),
        )]
    }),
    ("names of clusters", |lines| {
        let clusters: Vec<String> = lines
            .iter()
            .enumerate()
            .map(|(at, text)| {
                let text = in_json(&text.replace('\n', " "));
                format!(
                    "{{\"apiVersion\":\"cluster.x-k8s.io/v1beta1\",\"kind\":\"Cluster\",\"metadata\":{{\"name\":\"harmlesscluster{at} {text}\",\"namespace\":\"x\"}},\"status\":{{\"phase\":\"Failed\",\"failureMessage\":\"{text}\",\"infrastructureReady\":false}}}}"
                )
            })
            .collect();
        let mut files: Vec<(String, String)> = lines
            .iter()
            .take(40)
            .enumerate()
            .map(|(at, text)| {
                let name: String = text.replace(['/', '\n', '\0'], "_").chars().take(120).collect();
                (
                    format!("clusters/harmlessfolder{at} {name}/nodes.json"),
                    "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"}}]}".to_owned(),
                )
            })
            .collect();
        files.push((
            "clusters.json".to_owned(),
            format!("{{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[{}]}}", clusters.join(",")),
        ));
        files
    }),
    ("prompts and flags of a session", |lines| {
        let text: String = lines
            .iter()
            .map(|text| {
                let text = text.replace('\n', " ");
                format!("[root@harmlesshost ~]# kubectl --context harmlesscontext -n shop get pods -l x={text} {text}\nNo resources found in shop namespace.\n")
            })
            .collect();
        vec![("session.txt".to_owned(), text)]
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
        ("the summary", terminal::summary(&diagnosis, false, None)),
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
                    failed.push(format!("{place}, {what}: {form}\n    …{}", around(output, secret, &seen)));
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

/// The bundle of all places at once: a folder for each.
fn all_places(root: &Path, lot: &mut Lot) -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    for (at, (place, files)) in PLACES.iter().enumerate() {
        let planted: Vec<(String, Vec<String>)> = forms().map(|form| planted(form, lot)).collect();
        let lines: Vec<String> = planted.iter().map(|(text, _)| text.clone()).collect();
        write(&root.join(format!("place{at}")), &files(&lines));
        all.extend(planted.into_iter().map(|(text, secrets)| (format!("{place}: {text}"), secrets)));
    }
    all
}

/// What of the secrets a text shows, and what stands around it.
fn seen_in(text: &str, planted: &[(String, Vec<String>)]) -> Vec<String> {
    let seen = pieces(text);
    let of = |(form, secrets): &(String, Vec<String>)| {
        let secret = secrets
            .iter()
            .find(|secret| secret.as_bytes().windows(8).any(|piece| seen.contains(piece)) && shows(text, secret))?;
        Some(format!("{form}\n    …{}", around(text, secret, &seen)))
    };
    planted.iter().filter_map(of).collect()
}

/// What stands around the first piece of a secret in a text.
fn around<'a>(text: &'a str, secret: &str, seen: &std::collections::BTreeSet<&[u8]>) -> &'a str {
    let piece = secret.as_bytes().windows(8).find(|piece| seen.contains(*piece)).unwrap_or_default();
    let at = text.find(std::str::from_utf8(piece).unwrap()).unwrap_or_default();
    let (from, to) = (at.saturating_sub(160), (at + 60).min(text.len()));
    &text[text.floor_char_boundary(from)..text.ceil_char_boundary(to)]
}

fn casefile(folder: &Path, args: &[&str]) -> std::process::Output {
    std::process::Command::new(env!("CARGO_BIN_EXE_casefile")).current_dir(folder).args(args).output().unwrap()
}

#[test]
fn no_secret_reaches_what_the_program_prints() {
    let dir = tempfile::tempdir().unwrap();
    let planted = all_places(&dir.path().join("bundle"), &mut Lot(13));
    assert!(planted.len() >= 400);
    let mut failed = Vec::new();
    for args in [
        &["diagnose", "bundle", "--format", "html,json,markdown,ticket,message,sarif,junit"][..],
        &["inspect", "bundle", "--verbose", "--all"],
        &["inspect", "bundle", "--format", "json"],
    ] {
        let output = casefile(dir.path(), args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        for (what, bytes) in [("standard output", &output.stdout), ("standard error", &output.stderr)] {
            let seen = seen_in(&String::from_utf8_lossy(bytes), &planted);
            failed.extend(seen.into_iter().map(|form| format!("{args:?}, {what}: {form}")));
        }
    }
    for format in ["html", "json", "md", "junit.xml"] {
        let report = std::fs::read_to_string(dir.path().join(format!("bundle.diagnosis.{format}"))).unwrap();
        failed.extend(seen_in(&report, &planted).into_iter().map(|form| format!("{format}: {form}")));
    }
    assert!(failed.is_empty(), "{} were seen:\n{}", failed.len(), failed.join("\n"));
}

/// A tar archive whose entries say no more than their names: each a file, a link to nowhere and a pipe.
fn archive(names: &[String]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut entry = |name: &str, kind: tar::EntryType, link: &str| {
        let mut header = tar::Header::new_gnu();
        let (name, link) = (&name.as_bytes()[..name.len().min(99)], &link.as_bytes()[..link.len().min(99)]);
        header.as_mut_bytes()[..name.len()].copy_from_slice(name);
        header.as_mut_bytes()[157..157 + link.len()].copy_from_slice(link);
        header.set_entry_type(kind);
        header.set_size(0);
        header.set_cksum();
        out.extend_from_slice(header.as_bytes());
    };
    for name in names {
        let name = name.replace(['\n', '\0'], " ");
        entry(&format!("../{name}"), tar::EntryType::Regular, "");
        entry(&format!("l {name}"), tar::EntryType::Symlink, &name);
        entry(&format!("p {name}"), tar::EntryType::Fifo, "");
    }
    out
}

/// Errors name files, and the names of files hold secrets: those of bundles that cannot be read at all too.
#[test]
fn no_secret_reaches_the_errors_of_what_cannot_be_read() {
    let mut lot = Lot(17);
    let dir = tempfile::tempdir().unwrap();
    let mut failed = Vec::new();
    let planted: Vec<(String, Vec<String>)> = forms().map(|form| planted(form, &mut lot)).collect();
    let names: Vec<String> = planted.iter().map(|(text, _)| text.clone()).collect();
    std::fs::write(dir.path().join("links.tar"), archive(&names)).unwrap();
    std::fs::write(
        dir.path().join("good.json"),
        "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n\"}}",
    )
    .unwrap();
    for args in [
        &["diagnose", "links.tar"][..],
        &["diagnose", "links.tar", "good.json"],
        &["inspect", "links.tar", "good.json", "--all"],
    ] {
        let output = casefile(dir.path(), args);
        let text = [output.stdout, output.stderr].concat();
        let seen = seen_in(&String::from_utf8_lossy(&text), &planted);
        failed.extend(seen.into_iter().map(|form| format!("{args:?}: {form}")));
    }
    // A run for each name would be dear: one of each kind of form is tried.
    for (text, secrets) in planted.iter().step_by(9) {
        let name: String = text.replace(['/', '\n', '\0'], "_").chars().take(120).collect();
        let path = dir.path().join(&name);
        std::fs::write(&path, "").unwrap();
        let output = casefile(dir.path(), &["diagnose", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(3), "{name}");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        if secrets.iter().any(|secret| shows(&told, secret)) {
            failed.push(format!("{text}: {told}"));
        }
    }
    assert!(failed.is_empty(), "{} were seen:\n{}", failed.len(), failed.join("\n"));
}
