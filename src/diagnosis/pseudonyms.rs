//! Pseudonyms: names of hosts, clusters and namespaces, and addresses, replaced in a whole diagnosis, so that a report can
//! be shown to strangers.
//!
//! Why in the diagnosis and not in each output: what no output ever sees, none can leak. The mapping is for whoever ran
//! Casefile, and stands in no report.
//!
//! Invariants: one name has one pseudonym in all places; no name that is replaced stands as a word in any text of the
//! result; a pseudonym is no name of the bundle; names that every cluster has (`kube-system`) stay, since signatures and
//! readers go by them. A name of one or two letters is replaced where it stands alone or between slashes and quotes:
//! anywhere else it is a word.

use crate::model::Diagnosis;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, Ipv6Addr};

/// Names of a bundle by what they name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    /// Nodes, machines and whatever else is a host.
    pub hosts: BTreeSet<String>,
    /// Clusters.
    pub clusters: BTreeSet<String>,
    /// Namespaces.
    pub namespaces: BTreeSet<String>,
}

/// What stands for what: pseudonym, then name.
pub type Mapping = BTreeMap<String, String>;

/// Names that say nothing about whose cluster it is.
const PUBLIC: [&str; 34] = [
    "all",
    "argocd",
    "calico-system",
    "cattle-system",
    "cert-manager",
    "cluster",
    "cpaas-system",
    "default",
    "fleet-system",
    "flux-system",
    "global",
    "hub",
    "ingress-nginx",
    "istio-system",
    "kube-node-lease",
    "kube-public",
    "kube-system",
    "kubernetes",
    "local",
    "localhost",
    "longhorn-system",
    "management",
    "member",
    "metallb-system",
    "monitoring",
    "none",
    "olm",
    "openshift",
    "rook-ceph",
    "tigera-operator",
    "unknown",
    "velero",
    "workload",
    "capi-system",
];
/// Beginnings of namespaces that a product makes.
const OF_PRODUCTS: [&str; 5] = ["kube-", "openshift-", "capi-", "cattle-", "cluster-api"];
/// Last labels of names that a DNS server knows. Not `io`, in which API groups end.
const TOP: [&str; 28] = [
    "at", "biz", "ca", "ch", "cloud", "cn", "com", "corp", "de", "es", "eu", "example", "fr", "info", "intra",
    "intranet", "invalid", "it", "jp", "lan", "local", "net", "nl", "org", "pl", "ru", "test", "uk",
];
/// Domains that are nobody's own.
const OPEN_DOMAINS: [&str; 14] = [
    "amazonaws.com",
    "cluster.local",
    "docker.com",
    "github.com",
    "gitlab.com",
    "golang.org",
    "google.com",
    "googleapis.com",
    "microsoft.com",
    "openshift.com",
    "opencontainers.org",
    "pkg.dev",
    "redhat.com",
    "svc.local",
];
/// Fields whose values are words of Casefile, or kinds.
const WORDS: [&str; 22] = [
    "kind",
    "state",
    "verdict",
    "severity",
    "status",
    "cause",
    "risk",
    "role",
    "level",
    "basis",
    "id",
    "signature",
    "switch",
    "limit",
    "why",
    "folded_by",
    "schema_version",
    "sha256",
    "on",
    "layout",
    "class",
    "url",
];
/// Fields that hold nothing of a bundle.
const OURS: [&str; 7] = ["tool", "packs", "overrides", "references", "redactions_by_kind", "counts", "signatures"];
/// Names of bundles that say nothing.
const UNTOLD: [&str; 2] = ["bundle", "stdin"];
/// A name of fewer letters is a word in most places.
const SHORT: usize = 3;

/// Replaces names; gives the diagnosis and what stands for what.
///
/// # Errors
/// If a name is one of the words that the model of a diagnosis is made of, so that it cannot be replaced.
pub fn replace(diagnosis: &Diagnosis, names: &Names) -> serde_json::Result<(Diagnosis, Mapping)> {
    let mut value = serde_json::to_value(diagnosis)?;
    let mut found = Found::default();
    walk(&mut value, &mut |text| found.look(text));
    let table = Table::new(diagnosis, names, found);
    walk(&mut value, &mut |text| {
        if let Some(replaced) = table.replaced(text) {
            *text = replaced;
        }
    });
    Ok((serde_json::from_value(value)?, table.mapping))
}

/// Goes through every text of a bundle, keys of maps excepted.
fn walk(value: &mut Value, act: &mut impl FnMut(&mut String)) {
    match value {
        Value::String(text) => act(text),
        Value::Array(items) => items.iter_mut().for_each(|item| walk(item, act)),
        Value::Object(fields) => {
            for (key, value) in fields {
                let ours = OURS.contains(&key.as_str()) || WORDS.contains(&key.as_str()) && value.is_string();
                if !ours {
                    walk(value, act);
                }
            }
        }
        _ => {}
    }
}

/// Addresses and names of hosts that the texts themselves show.
#[derive(Debug, Default)]
struct Found {
    addresses: BTreeSet<String>,
    hosts: BTreeSet<String>,
}

impl Found {
    fn look(&mut self, text: &str) {
        self.addresses.extend(addresses(text).map(str::to_owned));
        self.hosts.extend(hosts(text).map(str::to_owned));
    }
}

/// The addresses in a text.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_hexdigit() || c == '.' || c == ':';
    text.split(move |c: char| !is_part(c)).filter_map(address)
}

/// The address that a run of digits, dots and colons begins with.
fn address(run: &str) -> Option<&str> {
    let bare = run.trim_end_matches(['.', ':']);
    if bare.parse::<Ipv6Addr>().is_ok_and(|address| !address.is_loopback() && !address.is_unspecified()) {
        return Some(bare);
    }
    let first = bare.split(':').next().unwrap_or(bare);
    first.parse::<Ipv4Addr>().is_ok_and(|address| !address.is_loopback() && !address.is_unspecified()).then_some(first)
}

/// The names in a text that only a DNS server knows: `registry.shop.example`.
fn hosts(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
    text.split(move |c: char| !is_part(c)).map(|run| run.trim_matches(['.', '-'])).filter(|run| {
        let labels: Vec<&str> = run.split('.').collect();
        let last = labels.last().map(|label| label.to_ascii_lowercase()).unwrap_or_default();
        let lower = run.to_ascii_lowercase();
        let open = |domain: &str| lower == domain || lower.ends_with(&format!(".{domain}"));
        labels.len() > 1
            && labels.iter().all(|label| !label.is_empty())
            && TOP.contains(&last.as_str())
            && !OPEN_DOMAINS.iter().any(|domain| open(domain))
    })
}

/// What is replaced by what.
struct Table {
    /// Names in small letters with their pseudonyms.
    by_name: BTreeMap<String, String>,
    /// Bytes of the longest name.
    longest: usize,
    mapping: Mapping,
}

impl Table {
    fn new(diagnosis: &Diagnosis, names: &Names, found: Found) -> Self {
        let is_public = |name: &str| {
            let lower = name.to_ascii_lowercase();
            name.is_empty() || PUBLIC.contains(&lower.as_str()) || OF_PRODUCTS.iter().any(|own| lower.starts_with(own))
        };
        let bundles: BTreeSet<String> = diagnosis.bundles.iter().map(|bundle| bundle.name.clone()).collect();
        let sorts = [
            ("cluster", names.clusters.clone()),
            ("namespace", names.namespaces.clone()),
            ("host", &names.hosts | &found.hosts),
            ("address", found.addresses),
            (
                "bundle",
                bundles.into_iter().filter(|name| name.len() >= SHORT && !UNTOLD.contains(&name.as_str())).collect(),
            ),
        ];
        let taken: BTreeSet<String> =
            sorts.iter().flat_map(|(_, names)| names).map(|name| name.to_ascii_lowercase()).collect();
        let mut table = Self { by_name: BTreeMap::new(), longest: 0, mapping: Mapping::new() };
        for (sort, names) in sorts {
            let mut free = (1..).map(|number| format!("{sort}-{number}")).filter(|word| !taken.contains(word));
            for name in names.into_iter().filter(|name| !is_public(name)) {
                let lower = name.to_ascii_lowercase();
                if table.by_name.contains_key(&lower) {
                    continue;
                }
                let Some(word) = free.next() else { continue };
                table.longest = table.longest.max(name.len());
                table.mapping.insert(word.clone(), name);
                table.by_name.insert(lower, word);
            }
        }
        table
    }

    /// The text with all names replaced; `None` if it has none.
    fn replaced(&self, text: &str) -> Option<String> {
        let lower = text.to_ascii_lowercase();
        let mut out = String::new();
        let mut copied = 0;
        let mut at = 0;
        while at < text.len() {
            let begins = text.is_char_boundary(at) && !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
            match begins.then(|| self.longest_at(&lower, at)).flatten() {
                Some((end, word)) => {
                    out.push_str(&text[copied..at]);
                    out.push_str(word);
                    (at, copied) = (end, end);
                }
                None => at += 1,
            }
        }
        if copied == 0 {
            return None;
        }
        out.push_str(&text[copied..]);
        Some(out)
    }

    /// The longest name that stands at a place as a word, and where it ends.
    fn longest_at(&self, text: &str, at: usize) -> Option<(usize, &str)> {
        let most = (at + self.longest).min(text.len());
        (at + 1..=most).rev().find_map(|end| {
            let name = text.get(at..end)?;
            let after = text.get(end..)?.chars().next();
            if after.is_some_and(|c| c.is_ascii_alphanumeric()) {
                return None;
            }
            let word = self.by_name.get(name)?;
            let before = text.get(..at)?.chars().next_back();
            let apart = |c: Option<char>| c.is_none_or(|c| "/`\"'=,".contains(c));
            (name.len() >= SHORT || apart(before) && apart(after)).then_some((end, word.as_str()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn shown(text: &str) -> (String, Mapping) {
        let names = Names {
            hosts: set(&["acme-prod-cp-1", "acme-prod-cp-11"]),
            clusters: set(&["acme-prod", "cluster"]),
            namespaces: set(&["acme", "kube-system", "a"]),
        };
        let diagnosis = Diagnosis { answer: text.to_owned(), ..Diagnosis::default() };
        let (diagnosis, mapping) = replace(&diagnosis, &names).unwrap_or_default();
        (diagnosis.answer, mapping)
    }

    #[test]
    fn names_are_replaced_as_words_the_longest_first() {
        let (text, mapping) = shown(
            "`a/web` of acme on acme-prod-cp-11: acme-prod-cp-1, ACME-prod lost 172.30.0.12:2380 in kube-system of a cluster",
        );
        assert_eq!(
            text,
            "`namespace-1/web` of namespace-2 on host-2: host-1, cluster-1 lost address-1:2380 in kube-system of a cluster"
        );
        assert_eq!(mapping.get("host-2").map(String::as_str), Some("acme-prod-cp-11"));
        assert_eq!(mapping.get("address-1").map(String::as_str), Some("172.30.0.12"));
    }

    #[test]
    fn addresses_and_hosts_of_texts_are_found_and_times_versions_and_groups_are_not() {
        let (text, _) = shown(
            "20:32:45 v1.31.2 machines.cluster.x-k8s.io dial tcp [fd00:1::5]:6443, https://api.acme.example:6443 127.0.0.1 kubernetes.default.svc.cluster.local",
        );
        assert_eq!(
            text,
            "20:32:45 v1.31.2 machines.cluster.x-k8s.io dial tcp [address-1]:6443, https://host-3:6443 127.0.0.1 kubernetes.default.svc.cluster.local"
        );
    }

    #[test]
    fn a_pseudonym_is_no_name_of_the_bundle() {
        let names = Names { hosts: set(&["host-1", "web"]), ..Names::default() };
        let diagnosis = Diagnosis { answer: "web is not host-1".to_owned(), ..Diagnosis::default() };
        let (diagnosis, mapping) = replace(&diagnosis, &names).unwrap_or_default();
        assert_eq!(diagnosis.answer, "host-3 is not host-2");
        assert_eq!(mapping.len(), 2);
    }
}
