//! Archives of many members, names and links.

use super::{grows_with_its_size, pod};
use serde_json::json;
use std::fs;
use std::path::Path;

/// A tar of what `fill` puts into it.
fn tar_of(folder: &Path, fill: impl FnOnce(&mut tar::Builder<Vec<u8>>)) {
    let mut archive = tar::Builder::new(Vec::new());
    fill(&mut archive);
    fs::write(folder.join("b.tar"), archive.into_inner().expect("written")).expect("written");
}

fn add(archive: &mut tar::Builder<Vec<u8>>, name: &str, text: &str) {
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    archive.append_data(&mut header, name, text.as_bytes()).expect("written");
}

fn link(archive: &mut tar::Builder<Vec<u8>>, kind: tar::EntryType, name: &str, target: &str) {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(0);
    archive.append_link(&mut header, name, target).expect("written");
}

#[test]
fn members_of_one_name() {
    grows_with_its_size(500, 10_000, |folder, count| {
        tar_of(folder, |archive| {
            for n in 0..count {
                add(archive, "b/pod.json", &pod(n, &json!({})).to_string());
            }
        });
    });
}

#[test]
fn empty_members() {
    grows_with_its_size(1_000, 30_000, |folder, count| {
        tar_of(folder, |archive| (0..count).for_each(|n| add(archive, &format!("b/e-{n}.log"), "")));
    });
}

#[test]
fn small_logs() {
    grows_with_its_size(500, 15_000, |folder, count| {
        tar_of(folder, |archive| {
            for n in 0..count {
                add(
                    archive,
                    &format!("b/pods/shop/p-{n}/c.log"),
                    &format!("2026-01-01T00:00:00Z ERROR it failed with {n}\n"),
                );
            }
        });
    });
}

#[test]
fn logs_of_pods_that_are_known() {
    grows_with_its_size(300, 5_000, |folder, count| {
        tar_of(folder, |archive| {
            for n in 0..count {
                add(
                    archive,
                    &format!("b/shop_p-{n}_c.log"),
                    &format!("2026-01-01T00:00:00Z ERROR it failed with {n}\n"),
                );
                add(archive, &format!("b/p-{n}.json"), &pod(n, &json!({})).to_string());
            }
        });
    });
}

#[test]
fn links_to_one_member() {
    for kind in [tar::EntryType::Symlink, tar::EntryType::Link] {
        grows_with_its_size(500, 10_000, |folder, count| {
            tar_of(folder, |archive| {
                add(archive, "b/pod.json", &pod(1, &json!({})).to_string());
                (0..count).for_each(|n| link(archive, kind, &format!("b/l-{n}"), "pod.json"));
            });
        });
    }
}

#[test]
fn links_to_links() {
    grows_with_its_size(300, 10_000, |folder, count| {
        tar_of(folder, |archive| {
            add(archive, "b/l-0", &pod(1, &json!({})).to_string());
            (1..count)
                .for_each(|n| link(archive, tar::EntryType::Symlink, &format!("b/l-{n}"), &format!("l-{}", n - 1)));
        });
    });
}

#[test]
fn links_that_go_up_and_down() {
    grows_with_its_size(60, 1_000, |folder, count| {
        tar_of(folder, |archive| {
            add(archive, "b/pod.json", &pod(1, &json!({})).to_string());
            let target = "x/../".repeat(count) + "pod.json";
            (0..400).for_each(|n| link(archive, tar::EntryType::Symlink, &format!("b/l-{n}"), &target));
        });
    });
}

#[test]
fn depth_of_folders() {
    grows_with_its_size(100, 1_000, |folder, count| {
        tar_of(folder, |archive| {
            for n in 0..200 {
                add(archive, &format!("b/{}p-{n}.json", "d/".repeat(count)), &pod(n, &json!({})).to_string());
            }
        });
    });
}

#[test]
fn archives_in_an_archive() {
    grows_with_its_size(100, 2_000, |folder, count| {
        let inner = |n: usize| {
            let mut archive = tar::Builder::new(Vec::new());
            add(&mut archive, "pod.json", &pod(n, &json!({})).to_string());
            archive.into_inner().expect("written")
        };
        tar_of(folder, |archive| {
            for n in 0..count {
                let bytes = inner(n);
                let mut header = tar::Header::new_gnu();
                header.set_size(bytes.len() as u64);
                archive.append_data(&mut header, format!("b/a-{n}.tar"), bytes.as_slice()).expect("written");
            }
        });
    });
}

#[test]
fn files_of_a_folder() {
    grows_with_its_size(300, 10_000, |folder, count| {
        for n in 0..count {
            fs::write(folder.join(format!("p-{n}.json")), pod(n, &json!({})).to_string()).expect("written");
        }
    });
}
