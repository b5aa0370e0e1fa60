//! Whether the name of a file shows that its list is not whole: `pods-not-running.txt` holds some Pods.
//!
//! Why: `head`, `grep` and `-l` leave no trace in what they print, and often one in the name of the file.
//!
//! Invariant: beside the name of a kind only words are passed over that surely leave nothing out: forms, numbers,
//! dates, and names of clusters, namespaces and Nodes that the bundle shows.

use catalogue::kinds::Catalogue;
use catalogue::words;
use std::collections::BTreeSet;

/// The ends of names that say how a file was written.
const ENDS: [&str; 10] = [".txt", ".yaml", ".yml", ".json", ".log", ".out", ".table", ".lst", ".err", ".gz"];

/// The word of a member's name that may say that something was left out, if any. `names` are those that the bundle
/// shows.
pub(crate) fn narrowed(member: &str, catalogue: &Catalogue, names: &BTreeSet<String>) -> Option<String> {
    let (folders, file) = member.rsplit_once('/').unwrap_or(("", member));
    let by_folder = folders.split('/').filter(|folder| !names.contains(*folder)).flat_map(parts);
    let by_folder = by_folder.filter(|word| words::narrows(word)).map(str::to_owned).next();
    if by_folder.is_some() {
        return by_folder;
    }
    let mut stem = file;
    while let Some(shorter) = ENDS.iter().find_map(|end| stem.strip_suffix(end)) {
        stem = shorter;
    }
    let stem = without_names(stem, names);
    let of_kind = |word: &&str| word.contains('.') || !catalogue.meanings(word).is_empty();
    let words: Vec<&str> = parts(&stem).collect();
    let tells_kind = words.iter().any(of_kind);
    let is_doubtful = |word: &&&str| words::narrows(word) || tells_kind && !of_kind(word) && !words::is_plain(word);
    words.iter().find(is_doubtful).map(|word| (*word).to_owned())
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(['-', '_', ' ', '+', ',', '(', ')', '@', ':', '~']).filter(|word| !word.is_empty())
}

/// The name without those that the bundle shows, the longest first.
fn without_names(stem: &str, names: &BTreeSet<String>) -> String {
    let is_part = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric());
    let mut stem = stem.to_owned();
    let mut fitting: Vec<&String> =
        names.iter().filter(|name| !name.is_empty() && stem.contains(name.as_str())).collect();
    fitting.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for name in fitting {
        let mut from = 0;
        while let Some(at) = stem.get(from..).and_then(|rest| rest.find(name.as_str())).map(|at| at + from) {
            let end = at + name.len();
            let (before, after) = (stem.get(..at).unwrap_or_default(), stem.get(end..).unwrap_or_default());
            if is_part(before.chars().next_back()) && is_part(after.chars().next()) {
                stem = format!("{before} {after}");
            }
            from = at + 1;
        }
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> String {
        let names = ["kube-system", "prod", "cp-1", "edge"].map(str::to_owned).into_iter().collect();
        narrowed(name, &Catalogue::built_in(), &names).unwrap_or_default()
    }

    #[test]
    fn a_rest_that_is_not_understood_narrows() {
        for (name, word) in [
            ("pods-not-running.txt", "not"),
            ("clusters-short.txt", "short"),
            ("a/pods_filtered.json", "filtered"),
            ("not-running-pods.txt", "not"),
            ("get-svc-tier-db.yaml", "tier"),
            ("machines-of-md-0.txt", "of"),
            ("deployments.apps-app=web.yaml", "app=web"),
            ("failing.txt", "failing"),
            ("filtered/pods.txt", "filtered"),
            ("nodes-notready.txt", "notready"),
            ("services-shop.txt", "shop"),
        ] {
            assert_eq!(of(name), word, "{name}");
        }
    }

    #[test]
    fn what_leaves_nothing_out() {
        for name in [
            "pods.txt",
            "get-pods-A-wide.txt",
            "kubectl_get_pods_all_namespaces_o_yaml.txt",
            "03-pods-kube-system.txt",
            "prod-nodes.json",
            "clusters.cluster.x-k8s.io-2026-05-14T10-00.yaml",
            "describe/machines.yaml",
            "pods-before.txt",
            "nodes-cp-1.txt",
            "kube-system/pods.txt",
            "capi-objects.yaml",
            "output.txt",
            "edge.pods.txt",
            "pod.log.txt",
        ] {
            assert_eq!(of(name), "", "{name}");
        }
    }
}
