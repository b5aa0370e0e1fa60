//! Every root cause has a packet for the next level of support, in the page and as text.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, diagnose};
use diagnosis::model::Diagnosis;
use intake::Source;
use report::{escalation, html, problems};
use signature::load::Library;
use std::fmt::Write;

/// Objects of many faults, none of which follows from another: more than a page had packets for.
const FAULTS: usize = 14;

fn of(text: &str) -> Diagnosis {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("pods.yaml"), text).unwrap();
    let input = Input { source: Source::Path(folder.path().to_path_buf()), context: None };
    let library = Library::built_in().unwrap();
    let mut found = diagnose(&[input], &library, &Catalogue::built_in(), &Options::default(), &mut Quiet).unwrap();
    diagnose::gather(&mut found);
    diagnosis::bounds::bound(&mut found);
    found
}

/// Pods whose images have names that are not valid, each in a namespace of its own.
fn pods() -> String {
    let mut text = String::from("apiVersion: v1\nkind: PodList\nmetadata: { resourceVersion: \"9\" }\nitems:\n");
    for n in 0..FAULTS {
        write!(
            text,
            "- apiVersion: v1\n  kind: Pod\n  metadata: {{ name: web-{n}, namespace: shop-{n}, creationTimestamp: \"2026-03-04T08:00:00Z\" }}\n  \
             spec: {{ nodeName: w-1, containers: [{{ name: web, image: \"Shop/UI:{n}!\" }}] }}\n  \
             status:\n    phase: Pending\n    containerStatuses:\n    - name: web\n      image: \"Shop/UI:{n}!\"\n      ready: false\n      restartCount: 0\n      \
             state: {{ waiting: {{ reason: InvalidImageName, message: \"couldn't parse image reference\" }} }}\n"
        )
        .unwrap();
    }
    text
}

#[test]
fn each_root_cause_of_many_has_a_packet_in_the_page() {
    let found = of(&pods());
    let roots: Vec<_> = problems::root_causes(&found).collect();
    assert!(roots.len() > 10, "{} root causes: {:#?}", roots.len(), found.answer);
    let page = html::render(&found).unwrap();
    assert_eq!(page.matches("<pre class=\"command packet-text\">").count(), roots.len());
    for root in roots {
        let packet = escalation::text(&found, root.finding);
        let entity = &root.finding.entity;
        let names = [&entity.name, entity.namespace.as_ref().unwrap(), &root.finding.signature.id];
        assert!(names.iter().all(|name| packet.contains(name.as_str())), "{packet}");
        for part in ["Problem", "Object", "Times", "Evidence", "What was tried", "Bundle"] {
            assert!(packet.contains(part), "no {part}: {packet}");
        }
    }
}
