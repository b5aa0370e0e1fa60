//! Which Services a workload serves, and which ones its own trouble names.
//!
//! Why: who cannot reach a Service suffers from whoever stands behind it.
//!
//! Invariants: a Service is called only if a text that tells of a server which cannot be reached names it; nothing follows
//! for who calls nobody. Where no Service of a namespace was seen, a workload that keeps running is taken to serve one of
//! its own name, as charts and manifests have it.

use crate::named_services::NamedServices;
use crate::reader::{Read, Reader};
use crate::services::Services;
use crate::workloads::{Key, id_of};
use catalogue::wordings;
use facts::derived::Derived;
use facts::provenance::{Cited, Provenance};
use std::collections::{BTreeMap, BTreeSet};

/// The class of the wording `why-ended` that a text must be of.
const UNREACHABLE: &str = "unreachable";

/// The kinds that keep running: a Job serves nobody.
const SERVING: [&str; 4] = ["Deployment", "StatefulSet", "DaemonSet", "Pod"];

/// The StatefulSet of a Pod whose owner nobody shows, by its name: `redis` of `redis-0`.
pub(super) fn of_set(pod: &str) -> Option<&str> {
    let (set, ordinal) = pod.rsplit_once('-')?;
    (!ordinal.is_empty() && ordinal.len() < 3 && ordinal.bytes().all(|byte| byte.is_ascii_digit())).then_some(set)
}

/// The Services of a context, as workloads meet them.
#[derive(Debug, Default)]
pub(super) struct Calls {
    named: NamedServices,
    /// By the id of a workload behind them, as `namespace/name`.
    served: BTreeMap<String, BTreeSet<String>>,
}

impl Calls {
    pub(super) fn gather<'k>(
        reader: Reader<'_>,
        services: &Services<'_>,
        workloads: impl Iterator<Item = &'k Key>,
    ) -> Self {
        let mut made = Self { named: NamedServices::gather(reader), served: BTreeMap::new() };
        for ((namespace, name), service) in services.all.iter().filter(|(_, service)| !service.without_selector) {
            for workload in services.workloads_behind(service) {
                made.served.entry(workload).or_default().insert(format!("{namespace}/{name}"));
            }
        }
        for key in workloads.filter(|key| SERVING.contains(&key.kind.as_str())) {
            let Some(namespace) = key.namespace.as_deref().filter(|own| !services.seen_in(own)) else { continue };
            for name in [Some(key.name.as_str()), of_set(&key.name)].into_iter().flatten() {
                let assumed = format!("{namespace}/{name}");
                made.named.assume(std::iter::once(assumed.clone()));
                made.served.entry(id_of(key)).or_default().insert(assumed);
            }
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
            let named = self.named.within(&read.text, key.namespace.as_deref().unwrap_or_default());
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
}
