//! Admission webhooks with what stands behind them: `webhookbackends.casefile.dev`, one for each webhook of a
//! configuration that calls a Service, and one for each webhook that only failed calls name.
//!
//! Why derived: that a webhook is down is told by failed calls in events and controllers' conditions, by its
//! Service, and by the Pods behind that; and what it blocks stands at other objects again.
//!
//! Invariant: failed calls are about the past; whether the webhook has `recovered` since is said only by Pods that
//! are ready and by times that are known.
//!
//! What the calls say: `webhook-call` of `patterns/statements.yaml`, `webhook-call-failed` of `patterns/wordings.yaml`.

use crate::deriver::{Deriver, Inputs};
use crate::reader::{Read, Reader, write};
use crate::services::{Service, Services};
use crate::workloads::events::Event;
use crate::workloads::trouble::Class;
use crate::workloads::{Workloads, id_of};
use catalogue::statements;
use catalogue::wordings;
use catalogue::wordings::Wording;
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::kind::KindName;
use facts::provenance::Provenance;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

const CONFIGURATIONS: [&str; 2] = [
    "validatingwebhookconfigurations.admissionregistration.k8s.io",
    "mutatingwebhookconfigurations.admissionregistration.k8s.io",
];

/// A failed call not older than this is about now.
const FRESH: i64 = 30 * 60;

pub(crate) const DERIVER: Deriver = Deriver { makes: &["webhookbackends"], statements: &[], derive };

/// A failed call not older than this speaks of a webhook that fails still, even if a Pod behind it is ready.
const RECENT: i64 = 5 * 60;

/// A Pod that became ready needs a moment until the API server calls it.
const SETTLING: i64 = 60;

struct Failed {
    /// When it was last seen, if that is shown.
    last: Option<Timestamp>,
    service: Option<(String, String)>,
    error: Read,
    object: String,
    workload: Option<String>,
    /// Who was refused made the same later.
    over: bool,
}

/// The reason of the event with which a controller tells that it made an object.
const MADE: &str = "SuccessfulCreate";

/// Why a call failed, by the error.
fn why(call: &Failed) -> Option<&'static Wording> {
    wordings::first("webhook-call-failed", &call.error.text)
}

fn derive(inputs: &Inputs<'_>) -> Vec<Derived> {
    let Inputs { reader, workloads, services, .. } = *inputs;
    let (mut failed, retried) = failed_calls(workloads);
    let finish = |mut made: Derived, named: &Provenance, service: Option<&(String, String)>, calls: &[Failed]| {
        let found = service.and_then(|service| services.all.get(service));
        let webhook = Webhook { reader, services, service, found, named, calls };
        webhook.backend(&mut made);
        webhook.told(&mut made);
        let recovered = webhook.recovered(retried.get(made.name()).copied());
        let ready = found.into_iter().flat_map(|found| services.ready_places(found));
        let places = ready.chain(calls.iter().map(|call| call.error.cited.clone()));
        made.flag("status.recovered", recovered, Provenance::all_or(places, Provenance::bare(Basis::Named)));
        made
    };
    let mut all = Vec::new();
    for (plural, word) in CONFIGURATIONS.iter().zip(["validating", "mutating"]) {
        for id in reader.all(plural) {
            for name in reader.texts(id, "webhooks[*].name") {
                let at = |path: &str| format!("webhooks[name=\"{}\"].{path}", name.text);
                let part = |path: &str| reader.text(id, &at(path)).map(|read| read.text);
                let calls = failed.remove(&name.text).unwrap_or_default();
                let service = part("clientConfig.service.namespace").zip(part("clientConfig.service.name"));
                if service.is_none() && calls.is_empty() {
                    continue;
                }
                let mut made = Derived::new("webhookbackends", None, &name.text);
                made.stands_for(KindName::parse(plural));
                let seen = reader.seen(id);
                made.text("spec.type", word, &seen);
                made.text("spec.configuration", &reader.object(id).name, &name);
                reader.copy(id, &mut made, &[(&at("failurePolicy"), "spec.failurePolicy")]);
                all.push(finish(made, &seen, service.as_ref(), &calls));
            }
        }
    }
    for (name, calls) in failed {
        let service = calls.iter().find_map(|call| call.service.clone());
        let places = calls.iter().map(|call| call.error.cited.clone());
        let named = Provenance::all_or(places, Provenance::bare(Basis::Named)).without_places();
        let made = Derived::new("webhookbackends", None, &name);
        all.push(finish(made, &named, service.as_ref(), &calls));
    }
    all
}

/// The calls that failed, by webhook, and when a controller last failed by it.
fn failed_calls(workloads: &Workloads) -> (BTreeMap<String, Vec<Failed>>, BTreeMap<String, Timestamp>) {
    let mut all: BTreeMap<String, Vec<Failed>> = BTreeMap::new();
    let mut retried: BTreeMap<String, Timestamp> = BTreeMap::new();
    let read = |said: &Read, last: Option<Timestamp>, object: String, workload: Option<String>, over: bool| {
        let found = statements::first("webhook-call", said.text.as_str())?;
        let part = |name: &str| found.named(name).map(str::to_owned);
        let name = part("name")?;
        let (service, error) = (part("namespace").zip(part("service")), part("error").unwrap_or_default());
        let failed = Failed { last, service, error: said.saying(error), object, workload, over };
        Some((name, failed))
    };
    let mut take = |(name, failed): (String, Failed)| all.entry(name).or_default().push(failed);
    let mut told = BTreeSet::new();
    for (key, workload) in &workloads.all {
        for trouble in workload.troubles.iter().filter(|trouble| trouble.class == Class::of("failedCreate")) {
            for message in trouble.details.get("message").into_iter().flatten() {
                let call = read(message, None, format!("{} {}", key.kind, key.name), Some(id_of(key)), false);
                told.extend(call.as_ref().map(|(name, _)| name.clone()));
                call.into_iter().for_each(&mut take);
            }
        }
    }
    for (kind, namespace, name, event) in workloads.events.all() {
        let workload_kind = catalogue::controllers::KINDS.iter().any(|(known, ..)| *known == kind);
        if workload_kind {
            let call = statements::first("webhook-call", event.message.as_str());
            if let Some((webhook, last)) = call.as_ref().and_then(|call| call.named("name")).zip(event.last) {
                let newest = retried.entry(webhook.to_owned()).or_insert(last);
                *newest = last.max(*newest);
            }
            // Where the workload was not collected, nothing but its event tells of the call.
            if call.as_ref().and_then(|call| call.named("name")).is_none_or(|name| told.contains(name)) {
                continue;
            }
        }
        if crate::workloads::events::fresh(event, FRESH) == Some(false) {
            continue;
        }
        let place = namespace.map(|namespace| format!("{namespace}/")).unwrap_or_default();
        let later =
            |made: &&Event| made.reason == MADE && made.age.zip(event.age).is_some_and(|(made, own)| made < own);
        let over = workload_kind && workloads.events.of(kind, namespace, name, None).iter().any(later);
        let call = read(&event.said(), event.last, format!("{kind} {place}{name}"), None, over);
        call.into_iter().for_each(&mut take);
    }
    (all, retried)
}

/// A webhook with what is known of it.
struct Webhook<'a> {
    reader: Reader<'a>,
    services: &'a Services<'a>,
    service: Option<&'a (String, String)>,
    found: Option<&'a Service>,
    named: &'a Provenance,
    calls: &'a [Failed],
}

impl Webhook<'_> {
    /// Does it answer again since calls of it failed? `None` if that cannot be told.
    fn recovered(&self, retried: Option<Timestamp>) -> Option<bool> {
        let Self { reader, services, found, calls, .. } = self;
        if calls.is_empty() {
            return None;
        }
        if calls.iter().all(|call| call.over) {
            return Some(true);
        }
        let blocked = calls.iter().any(|call| call.workload.is_some());
        let untimed = calls.iter().any(|call| call.last.is_none() && (call.workload.is_none() || retried.is_none()));
        let last = calls.iter().filter_map(|call| call.last).chain(retried).max();
        let recent = last.and_then(|last| reader.age_of(last)).is_some_and(|age| age <= RECENT);
        match found.and_then(|found| services.ready_count(found)) {
            Some(0) => Some(false),
            None => (blocked || recent).then_some(false),
            Some(_) => {
                // A Pod that is ready says nothing about the certificate that the API server was told to expect.
                let certificate = |call: &Failed| why(call).is_some_and(|wording| wording.class == "certificate");
                if (blocked || recent) && calls.iter().any(certificate) {
                    return Some(false);
                }
                let after = last?.duration_since(services.ready_since((*found)?)?).as_secs();
                if after < 0 && !untimed { Some(true) } else { (after > SETTLING && recent).then_some(false) }
            }
        }
    }

    /// What stands behind it.
    fn backend(&self, made: &mut Derived) {
        let Self { reader, services, found, named, .. } = self;
        let Some((namespace, name)) = self.service else { return };
        made.text("spec.service", &format!("{namespace}/{name}"), *named);
        made.text("spec.serviceNamespace", namespace, *named);
        made.text("spec.serviceName", name, *named);
        if found.is_some() || services.seen(namespace, name) {
            let seen = found.map_or((*named).clone(), |found| reader.seen(found.id));
            made.flag("status.serviceMissing", false, seen);
        } else if let Some(lists) = reader.missing("services", namespace, name) {
            made.flag("status.serviceMissing", true, lists);
            return;
        }
        let of_pods = reader.listed("pods", Some(namespace));
        if let Some(found) = found {
            if found.followed {
                made.list("status.workloads", services.workloads_of(found), &of_pods);
            }
            let from = Provenance::all_or(services.ready_places(found), &of_pods);
            made.number("status.readyEndpoints", services.ready_count(found), from);
            made.flag("status.starting", services.starting(found), &of_pods);
        } else {
            // No form of the Service showed its selector, or it was not collected: the workloads named after it.
            made.list("status.workloads", services.workloads_named(namespace, name), &of_pods);
        }
    }

    /// What failed calls tell.
    fn told(&self, made: &mut Derived) {
        let calls = self.calls.iter();
        let from = Provenance::all_or(calls.clone().map(|call| call.error.cited.clone()), self.named);
        // That no call failed is known only where the Events are.
        let heard = self.reader.listed("events", None).basis != Basis::Named;
        made.number("status.failedCalls", Some(calls.len() as i64).filter(|count| heard || *count > 0), &from);
        made.list("status.blocked", calls.clone().map(|call| call.object.clone()), from.without_places());
        made.list("status.problems", calls.filter_map(why).map(|wording| wording.means.as_str()), &from);
        write(made, "status.error", self.calls.first().map(|call| &call.error));
    }
}
