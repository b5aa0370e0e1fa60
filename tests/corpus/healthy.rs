//! The good-log gate: what is well must be silent. Every sample bundle whose name begins with `healthy-` must
//! give no confirmed, probable or undecided finding above severity `info`, and must be asked for nothing.

use crate::common::diagnosis;
use std::path::Path;

#[test]
fn every_healthy_sample_bundle_is_silent() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the sample bundles")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("healthy-"))
        .collect();
    names.sort();
    assert!(names.len() >= 3, "only these healthy bundles were found: {names:?}");
    for name in names {
        let diagnosis = diagnosis(&folder.join(&name).join("bundle"));
        assert_eq!(crate::loud(&diagnosis), Vec::<String>::new(), "{name}");
        assert!(diagnosis.asks.is_empty(), "{name}: nothing is suspected, but asked is {:?}", diagnosis.asks);
    }
}
