//! Temporary: dumps what every check finds over many variants.
use super::installation::*;
use crate::common::corpus;
use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, collect};
use facts::node::Node;
use facts::path::Path as P;
use intake::Source;
use signature::load::Library;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

static CATALOGUE: std::sync::LazyLock<Catalogue> = std::sync::LazyLock::new(Catalogue::built_in);

fn dump(inputs: &[(PathBuf, Option<&str>)], profile: Option<&str>, root: &std::path::Path) -> BTreeSet<String> {
    let inputs: Vec<Input> = inputs
        .iter()
        .map(|(path, name)| Input { source: Source::Path(path.clone()), context: name.map(str::to_owned) })
        .collect();
    let options = Options { profile: profile.map(str::to_owned), ..Options::default() };
    let Ok(collected) = collect(&inputs, &Library::default(), &CATALOGUE, &options, &mut Quiet) else {
        return BTreeSet::new();
    };
    let facts = &collected.facts;
    let mut all = BTreeSet::new();
    for (index, object) in facts.objects.iter().enumerate() {
        if !matches!(object.kind.plural.as_str(), "installationchecks" | "installationadvices") {
            continue;
        }
        let node = &object.sightings[0].record.node;
        let id = facts::object::ObjectId(index as u32);
        let mut line = format!(
            "{} {} {} {}",
            profile.unwrap_or("new"),
            facts.context(object.context).name,
            object.kind.plural,
            object.name
        );
        for key in ["state", "soFar", "found", "object", "editions", "whyUnknown"] {
            let _ = write!(line, " | {}", node.at(&["status", key]).and_then(Node::as_str).unwrap_or("-"));
        }
        for c in facts.rests_on(id, &P::parse("status.found").unwrap()) {
            let _ = write!(line, " # {:?}:{}:{:?}", facts.place(c), c.line, c.path);
        }
        all.insert(line.replace(&root.display().to_string(), "ROOT").replace('\n', "\\n"));
    }
    all
}

fn both(set: &Set) -> BTreeSet<String> {
    let (folder, inputs) = written(set);
    let mut all = dump(&inputs, None, folder.path());
    all.extend(dump(&inputs, Some("acp-iid-2026-05"), folder.path()));
    all
}

#[test]
fn zz_dump() {
    let Ok(out) = std::env::var("ZZ_OUT") else { return };
    let mut sets: Vec<(String, Set, Vec<(String, Set)>)> = Vec::new();
    for name in SETS {
        sets.push((name.to_owned(), parsed(&format!("{name}.yaml")), Vec::new()));
    }
    let table: Table = parsed("mutations.yaml");
    for (index, row) in table.rows.iter().enumerate() {
        let (_, base, list) = sets.iter_mut().find(|(name, ..)| *name == row.set).unwrap();
        list.push((format!("row {index} {}", row.id), changed(row)));
        let mut set = base.clone();
        without(&mut set, row, &row.take);
        list.push((format!("take {index} {}", row.id), set));
    }
    let quick = std::env::var("ZZ_QUICK").is_ok();
    for (name, base, list) in &mut sets {
        for (context, files) in base.iter() {
            for (file, text) in files {
                let mut set = base.clone();
                set.get_mut(context).unwrap().remove(file);
                list.push((format!("remove {context}/{file}"), set));
                let mut set = base.clone();
                set.values_mut().for_each(|files| files.retain(|own, _| own == file));
                list.push((format!("alone {file}"), set));
                if quick
                    || !matches!(
                        name.as_str(),
                        "dcs" | "global" | "handover" | "vsphere-pair" | "dcs-pair" | "vsphere" | "baremetal-pair"
                    )
                {
                    continue;
                }
                let lines: Vec<&str> = text.split_inclusive('\n').collect();
                for (at, line) in lines.iter().enumerate() {
                    let mut changes = vec![("gone", String::new())];
                    if let Some((head, value)) = line.trim_end().split_once(": ") {
                        if !value.starts_with(['{', '|', '[']) {
                            for other in
                                ["\"\"", "xyz", "7", "[a, 10.9.9.9]", "https://10.1.1.10:99/x", "c2VjcmV0c2VjcmV0Cg=="]
                            {
                                changes.push((other, format!("{head}: {other}\n")));
                            }
                        }
                    }
                    for (n, (what, new)) in changes.into_iter().enumerate() {
                        if (at * 5 + n) % 9 != 0 {
                            continue;
                        }
                        let mut new_lines: Vec<&str> = lines.clone();
                        new_lines[at] = &new;
                        let mut set = base.clone();
                        set.get_mut(context).unwrap().insert(file.clone(), new_lines.concat());
                        list.push((format!("line {context}/{file}:{at} {what}"), set));
                    }
                }
            }
        }
    }
    let mut text = String::new();
    for (name, base, list) in &sets {
        let was = both(base);
        for line in &was {
            let _ = writeln!(text, "{name}: {line}");
        }
        let half = list.len() / 2;
        let (a, b) = list.split_at(half);
        let go = |part: &[(String, Set)]| {
            let mut text = String::new();
            for (what, set) in part {
                let own = both(set);
                for line in own.difference(&was) {
                    let _ = writeln!(text, "{name} {what}: + {line}");
                }
                for line in was.difference(&own) {
                    let short: String = line.chars().take(70).collect();
                    let _ = writeln!(text, "{name} {what}: - {short}");
                }
            }
            text
        };
        std::thread::scope(|scope| {
            let one = scope.spawn(|| go(a));
            let two = go(b);
            text.push_str(&one.join().unwrap());
            text.push_str(&two);
        });
    }
    if let Some(corpus) = corpus() {
        let samples = corpus.join("samples");
        let rows = std::fs::read_to_string(samples.join("seed003-expected.tsv")).unwrap();
        for row in rows.lines().skip(1) {
            let cells: Vec<&str> = row.split('\t').collect();
            let folder = bundle(&samples, cells[1]);
            for profile in [None, Some("acp-iid-2026-05")] {
                for line in dump(&[(folder.path().to_owned(), None)], profile, folder.path()) {
                    let _ = writeln!(text, "sample {}: {line}", cells[0]);
                }
                for file in cells[1].split_whitespace() {
                    for line in dump(&[(folder.path().join(file), None)], profile, folder.path()) {
                        let _ = writeln!(text, "sample {file}: {line}");
                    }
                }
                if cells[0] == "pair" {
                    let both: Vec<&str> = cells[1].split_whitespace().collect();
                    let inputs = [(samples.join(both[0]), Some("primary")), (samples.join(both[1]), Some("standby"))];
                    for line in dump(&inputs, profile, folder.path()) {
                        let _ = writeln!(text, "sample pair both: {line}");
                    }
                }
            }
        }
    }
    std::fs::write(out, text).unwrap();
}
