//! A bundle that is held whole: every kind is there with every field, and what is decided is the same.

use crate::common::{LIBRARY, short_list};
use catalogue::kinds::Catalogue;
use diagnose::{Input, Keep, Options, Quiet, collect, decide};
use facts::kind::KindName;
use facts::limit::Limit;
use facts::object::{ContextId, Lookup};
use facts::path::Path as FieldPath;
use intake::{Limits, Source};
use std::path::{Path, PathBuf};

fn input(path: &Path) -> Vec<Input> {
    vec![Input { source: Source::Path(path.to_owned()), context: None }]
}

#[test]
fn what_is_decided_does_not_depend_on_how_much_is_held() {
    let samples = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles")).unwrap();
    let mut samples: Vec<PathBuf> = samples.map(|entry| entry.unwrap().path().join("bundle")).collect();
    samples.retain(|sample| sample.exists());
    samples.sort();
    assert!(samples.len() > 20);
    let catalogue = Catalogue::built_in();
    for sample in samples {
        let found = [Keep::Read, Keep::All].map(|keep| {
            let options = Options { keep, ..Options::default() };
            let collected = collect(&input(&sample), &LIBRARY, &catalogue, &options, &mut Quiet).unwrap();
            short_list(&decide(&collected, &LIBRARY, &catalogue, &options))
        });
        assert_eq!(found[0], found[1], "{}", sample.display());
    }
}

#[test]
fn a_kind_that_nobody_asks_for_is_there_with_every_field_and_a_cut_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let widget = |number: usize| {
        format!(
            "apiVersion: example.com/v1\nkind: Widget\nmetadata: {{ name: w-{number}, namespace: shop, uid: u-{number}, managedFields: [ {{ manager: x }} ] }}\nspec: {{ deep: {{ inside: [ {{ value: {number} }} ] }} }}\n"
        )
    };
    std::fs::write(dir.path().join("widgets.yaml"), (0..400).map(widget).collect::<Vec<_>>().join("---\n")).unwrap();
    let kind = KindName::parse("widgets.example.com");
    let path = FieldPath::parse("spec.deep.inside[0].value").unwrap();
    let read = |keep, memory| {
        let options = Options { keep, limits: Limits { memory, ..Limits::default() }, ..Options::default() };
        collect(&input(dir.path()), &LIBRARY, &Catalogue::built_in(), &options, &mut Quiet).unwrap()
    };
    let held = read(Keep::All, Limits::default().memory);
    let ids = held.facts.of_kind(ContextId(0), &kind);
    assert_eq!(ids.len(), 400);
    assert!(ids.iter().all(|id| matches!(held.facts.lookup(*id, &path), Lookup::Found(_))));
    assert_eq!(read(Keep::Read, Limits::default().memory).facts.of_kind(ContextId(0), &kind).len(), 0);
    let cut = read(Keep::All, 1 << 20);
    assert!(cut.facts.of_kind(ContextId(0), &kind).len() < 400);
    let is_said = cut.bundles[0].contents.values().flat_map(|content| &content.limits_hit);
    assert!(is_said.clone().any(|limit| matches!(limit, Limit::Memory(_))));
}
