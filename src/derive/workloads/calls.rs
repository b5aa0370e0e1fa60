//! Which Services a workload serves, and which ones its own trouble names.
//!
//! Why: an application that ends with `dial tcp 10.96.44.7:5432: connect: connection refused` is not what is broken; who
//! stands behind that address is. A person looks the address up in the list of Services.
//!
//! Sources: `kubernetes/dns:docs/specification.md` (`<service>.<namespace>.svc.<zone>`); errors of Go, glibc, musl, the JDK,
//! Node.js and BusyBox name the address or the host that could not be reached.
//!
//! Invariants: a Service is called only if a text that tells of a server which cannot be reached names its address, or its
//! name as its own namespace may call it; nothing follows for who calls nobody.

use crate::reader::{Read, Reader};
use crate::services::Services;
use crate::workloads::{Key, id_of};
use catalogue::wordings;
use facts::derived::Derived;
use facts::provenance::{Cited, Provenance};
use std::collections::{BTreeMap, BTreeSet};

/// The class of the wording `why-ended` that a text must be of.
const UNREACHABLE: &str = "unreachable";
/// Bytes of a text that are looked at.
const MOST: usize = 2_000;

/// The Services of a context, as workloads meet them.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// By their cluster address.
    by_address: BTreeMap<String, String>,
    /// All, as `namespace/name`.
    all: BTreeSet<String>,
    /// By the id of a workload behind them.
    served: BTreeMap<String, BTreeSet<String>>,
}

impl Calls {
    pub(super) fn gather(reader: Reader<'_>, services: &Services<'_>) -> Self {
        let mut made = Self::default();
        for ((namespace, name), service) in &services.all {
            let own = format!("{namespace}/{name}");
            for address in reader.texts(service.id, "spec.clusterIP") {
                if address.text.parse::<std::net::IpAddr>().is_ok() {
                    made.by_address.insert(address.text, own.clone());
                }
            }
            if !service.without_selector {
                for workload in services.workloads_behind(service) {
                    made.served.entry(workload).or_default().insert(own.clone());
                }
            }
            made.all.insert(own);
        }
        made
    }

    /// Writes both into a workload.
    pub(super) fn write<'r>(
        &self,
        made: &mut Derived,
        key: &Key,
        said: impl Iterator<Item = &'r Read>,
        listed: &Provenance,
    ) {
        let serves = self.served.get(&id_of(key));
        if let Some(serves) = serves {
            made.list("status.serves", serves, listed.without_places());
        }
        let (mut calls, mut places): (BTreeSet<&str>, Vec<Cited>) = (BTreeSet::new(), Vec::new());
        for read in
            said.filter(|read| wordings::first("why-ended", &read.text).is_some_and(|why| why.class == UNREACHABLE))
        {
            let named = self.named(&read.text, key.namespace.as_deref().unwrap_or_default());
            let others = named.filter(|name| serves.is_none_or(|serves| !serves.contains(*name)));
            let before = calls.len();
            calls.extend(others);
            if calls.len() > before {
                places.push(read.cited.clone());
            }
        }
        if !calls.is_empty() {
            made.list("status.calls", calls, Provenance::all_or(places, listed));
        }
    }

    /// The Services that a text names.
    fn named<'c>(&'c self, text: &'c str, namespace: &'c str) -> impl Iterator<Item = &'c str> {
        let text = text.get(..MOST).unwrap_or(text);
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
        let words = text.split(move |c| !is_part(c)).map(|word| word.trim_matches(['.', '-']));
        words.filter(|word| !word.is_empty()).filter_map(move |word| {
            if let Some(own) = self.by_address.get(word) {
                return Some(own.as_str());
            }
            let mut labels = word.split('.');
            let (name, place) = (labels.next()?, labels.next().unwrap_or(namespace));
            // Behind the namespace `svc` must follow, or nothing.
            let fits = labels.next().is_none_or(|label| label == "svc");
            self.all.get(&format!("{place}/{name}")).filter(|_| fits).map(String::as_str)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_name_services_by_address_and_by_name() {
        let calls = Calls {
            by_address: BTreeMap::from([("10.96.44.7".to_owned(), "erp/postgres".to_owned())]),
            all: ["erp/postgres", "data/redis-master", "erp/mail"].map(str::to_owned).into(),
            served: BTreeMap::new(),
        };
        let named = |text: &str| calls.named(text, "erp").collect::<Vec<_>>().join(" ");
        for (text, expected) in [
            ("panic: dial tcp 10.96.44.7:5432: connect: connection refused", "erp/postgres"),
            ("getaddrinfo ENOTFOUND postgres", "erp/postgres"),
            ("nc: bad address 'redis-master.data.svc.cluster.local'", "data/redis-master"),
            ("java.net.UnknownHostException: redis-master.data", "data/redis-master"),
            ("could not connect to server: Connection refused, host \"mail\" and port 25", "erp/mail"),
            ("dial tcp 10.96.44.70:5432: connect: connection refused", ""),
            ("lookup redis-master: no such host", ""),
            ("lookup postgres.example.com: no such host", ""),
            ("dial tcp: lookup my-postgres: i/o timeout", ""),
        ] {
            assert_eq!(named(text), expected, "{text}");
        }
    }
}
