//! The Services that a text names, by address or by name.
//!
//! Why: an application that ends with `dial tcp 10.96.44.7:5432: connect: connection refused` is not what is broken; who
//! stands behind that address is. A person looks the address up in the list of Services.
//!
//! Sources: `kubernetes/dns:docs/specification.md` (`<service>.<namespace>.svc.<zone>`); errors of Go, glibc, musl, the JDK,
//! Node.js and BusyBox name the address or the host that could not be reached.
//!
//! Invariant: a name is that of a Service which was seen, or which the caller assumes: with its namespace, or alone in the
//! namespace of who says it.

use crate::reader::Reader;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a text that are looked at.
const MOST: usize = 2_000;

/// The Services of a context by what texts call them.
#[derive(Debug, Default)]
pub struct NamedServices {
    /// By their cluster address.
    by_address: BTreeMap<String, String>,
    /// All, as `namespace/name`.
    all: BTreeSet<String>,
}

impl NamedServices {
    /// Those that were seen.
    pub fn gather(reader: Reader<'_>) -> Self {
        let mut made = Self::default();
        for id in reader.all("services") {
            let object = reader.object(id);
            let Some(namespace) = &object.namespace else { continue };
            let own = format!("{namespace}/{}", object.name);
            for address in reader.texts(id, "spec.clusterIP") {
                if address.text.parse::<std::net::IpAddr>().is_ok() {
                    made.by_address.insert(address.text, own.clone());
                }
            }
            made.all.insert(own);
        }
        // Those that workloads are taken to serve, where they are derived.
        for id in reader.all("workloads.casefile.dev") {
            made.assume(reader.texts(id, "status.serves[*]").into_iter().map(|served| served.text));
        }
        made
    }

    /// Those that a text names, as `namespace/name`; `namespace` is that of who says it.
    pub fn within<'s>(&'s self, text: &'s str, namespace: &'s str) -> impl Iterator<Item = &'s str> {
        let text = text.get(..MOST).unwrap_or(text);
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
        let words = text.split(move |c| !is_part(c)).map(|word| word.trim_matches(['.', '-']));
        words.filter(|word| !word.is_empty()).filter_map(move |word| {
            if let Some(own) = self.by_address.get(word) {
                return Some(own.as_str());
            }
            let labels: Vec<&str> = word.splitn(5, '.').collect();
            // In front of the name of a Service may stand that of a Pod behind it.
            (0..2).find_map(|at| {
                let (name, place) = (labels.get(at)?, labels.get(at + 1).copied().unwrap_or(namespace));
                // Behind the namespace `svc` must follow, or nothing.
                let fits = labels.get(at + 2).is_none_or(|label| *label == "svc");
                self.all.get(&format!("{place}/{name}")).filter(|_| fits).map(String::as_str)
            })
        })
    }

    /// Names that are those of Services as well, as `namespace/name`.
    pub(crate) fn assume(&mut self, names: impl Iterator<Item = String>) {
        self.all.extend(names);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_name_services_by_address_and_by_name() {
        let services = NamedServices {
            by_address: BTreeMap::from([("10.96.44.7".to_owned(), "erp/postgres".to_owned())]),
            all: ["erp/postgres", "data/redis-master", "erp/mail"].map(str::to_owned).into(),
        };
        let named = |text: &str| services.within(text, "erp").collect::<Vec<_>>().join(" ");
        for (text, expected) in [
            ("panic: dial tcp 10.96.44.7:5432: connect: connection refused", "erp/postgres"),
            ("getaddrinfo ENOTFOUND postgres", "erp/postgres"),
            ("nc: bad address 'redis-master.data.svc.cluster.local'", "data/redis-master"),
            ("java.net.UnknownHostException: redis-master.data", "data/redis-master"),
            ("could not connect to server: Connection refused, host \"mail\" and port 25", "erp/mail"),
            ("dial tcp 10.96.44.70:5432: connect: connection refused", ""),
            ("getaddrinfo ENOTFOUND postgres-0.postgres", "erp/postgres"),
            ("dial tcp: lookup redis-0.redis-master.data.svc.cluster.local: no such host", "data/redis-master"),
            ("lookup redis-master: no such host", ""),
            ("lookup www.postgres.com: no such host", ""),
            ("lookup postgres.example.com: no such host", ""),
            ("dial tcp: lookup my-postgres: i/o timeout", ""),
        ] {
            assert_eq!(named(text), expected, "{text}");
        }
    }
}
