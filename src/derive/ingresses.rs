//! Ingresses with what they point to and what of it does not exist: `ingresstargets.casefile.dev`, one for each
//! Ingress.
//!
//! Why derived: an Ingress names many Services and Secrets, and one that is missing is a fault even where the
//! others are there; a query over all names at once cannot tell them apart.
//!
//! | field | meaning |
//! |---|---|
//! | `spec.services`, `spec.secrets`, `spec.class` | what it names |
//! | `status.missingServices`, `status.missingSecrets`, `status.missingClass` | what of it does not exist |
//! | `status.served` | a controller has written an address into its status |
//!
//! Invariant: a name is missing only if a whole list was collected without it, and no object of that name has a
//! namespace that is not known; a field is known to be empty only if every name was found.

use crate::deriver::{Deriver, Inputs};
use crate::reader::{Read, Reader};
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::kind::KindName;
use facts::provenance::{Cited, Provenance};
use facts::store::{Absence, Scope};
use std::collections::BTreeSet;

const INGRESSES: &str = "ingresses.networking.k8s.io";
const SERVICES: &str = "services";
const SECRETS: &str = "secrets";
const CLASSES: &str = "ingressclasses.networking.k8s.io";

/// Where an Ingress names its Services, in `v1` and before.
const SERVICE_PATHS: [&str; 4] = [
    "spec.rules[*].http.paths[*].backend.service.name",
    "spec.defaultBackend.service.name",
    "spec.rules[*].http.paths[*].backend.serviceName",
    "spec.backend.serviceName",
];

pub(crate) const DERIVER: Deriver = Deriver {
    makes: &["ingresstargets"],
    reads: &[INGRESSES, SERVICES, SECRETS, CLASSES],
    logs: &[],
    literals: &[],
    derive,
};

/// The objects of one kind by name; the namespace is not always known.
struct Known<'a> {
    reader: Reader<'a>,
    kind: KindName,
    names: BTreeSet<(&'a str, Option<&'a str>)>,
}

impl<'a> Known<'a> {
    fn of(reader: Reader<'a>, kind: &str) -> Self {
        let kind = KindName::parse(kind);
        let ids = reader.facts.of_kind(reader.context, &kind).iter();
        let names = ids
            .map(|id| reader.facts.object(*id))
            .map(|object| (object.name.as_str(), object.namespace.as_deref()))
            .collect();
        Self { reader, kind, names }
    }

    /// Is there an object of this name?
    fn look_up(&self, namespace: Option<&str>, name: &str) -> Found {
        if self.names.contains(&(name, namespace)) {
            return Found::There;
        }
        if self.names.contains(&(name, None)) {
            return Found::Unknown;
        }
        let scope = Scope { namespace: namespace.map(str::to_owned), name: Some(name.to_owned()) };
        match self.reader.facts.absence(self.reader.context, &self.kind, &scope) {
            Absence::Stated(lists) => Found::Missing(Basis::Stated, lists),
            Absence::Listed(lists) => Found::Missing(Basis::Listed, lists),
            Absence::Unknown { .. } => Found::Unknown,
        }
    }

    /// Writes which of these do not exist.
    fn write(&self, made: &mut Derived, path: &str, namespace: Option<&str>, wanted: &[Read]) {
        let mut unknown = false;
        let mut gone = Vec::new();
        let mut places = Vec::new();
        for read in wanted {
            match self.look_up(namespace, &read.text) {
                Found::There => {}
                Found::Unknown => unknown = true,
                Found::Missing(basis, lists) => {
                    gone.push(read.text.clone());
                    places.push(read.cited.clone());
                    places.extend(lists.into_iter().map(|list| Cited::new(list, basis)));
                }
            }
        }
        let named = || Provenance::all_or(wanted.iter().map(|read| read.cited.clone()), Provenance::bare(Basis::Named));
        if !gone.is_empty() {
            made.list(path, gone, Provenance::all(places).unwrap_or_else(named));
        } else if !unknown {
            made.absent(path, named().without_places());
        }
    }
}

/// What is known of a name.
enum Found {
    There,
    Missing(Basis, Vec<facts::origin::Citation>),
    Unknown,
}

fn derive(inputs: &Inputs<'_>) -> Vec<Derived> {
    let reader = inputs.reader;
    let ingresses = reader.all(INGRESSES);
    if ingresses.is_empty() {
        return Vec::new();
    }
    let (services, secrets, classes) =
        (Known::of(reader, SERVICES), Known::of(reader, SECRETS), Known::of(reader, CLASSES));
    let mut all = Vec::new();
    for id in ingresses {
        let object = reader.object(id);
        let Some(namespace) = object.namespace.as_deref() else { continue };
        let mut made = Derived::new("ingresstargets", Some(namespace), &object.name);
        made.stands_for(KindName::parse(INGRESSES));
        let mut write = |field: &str, known: &Known<'_>, namespace: Option<&str>, paths: &[&str]| {
            let named: Vec<Read> = paths.iter().flat_map(|path| reader.texts(id, path)).collect();
            if named.is_empty() {
                return;
            }
            let spec = format!("spec.{field}");
            let from = Provenance::all_or(named.iter().map(|read| read.cited.clone()), reader.seen(id));
            made.list(&spec, named.iter().map(|read| read.text.clone()), from);
            let (first, rest) = field.split_at(1);
            known.write(&mut made, &format!("status.missing{}{rest}", first.to_uppercase()), namespace, &named);
        };
        write("services", &services, Some(namespace), &SERVICE_PATHS);
        write("secrets", &secrets, Some(namespace), &["spec.tls[*].secretName"]);
        write("class", &classes, None, &["spec.ingressClassName"]);
        if let Some((_, cited)) = reader.nodes(id, "status.loadBalancer.ingress").first() {
            made.flag("status.served", true, cited);
        } else if reader.unset(id, "status.loadBalancer.ingress") {
            made.flag("status.served", false, reader.seen(id));
        }
        all.push(made);
    }
    all
}
