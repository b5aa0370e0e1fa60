//! What findings of one incident have in common (`patterns/ties.yaml`): the machine, the Node, what a component provides.
//!
//! Why data: a failure of a Node has the same effects whatever failed there. A signature says which of these it breaks or
//! suffers from, so that a new one needs no list of all the others.
//!
//! Invariant: a row that cannot be read is a fault of the library, which a test finds; an entity without a row has no value,
//! and is tied to nothing.

use crate::built_in;
use facts::kind::KindName;
use facts::lazy_regex::LazyRegex;
use facts::lazy_set::LazySet;
use facts::path::Path;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[expect(dead_code, reason = "the version of the file's shape, which serde checks to be there")]
    schema: u32,
    owners: Vec<OwnerRow>,
    ties: Vec<TieRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnerRow {
    kind: String,
    of: String,
    #[serde(default)]
    group: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    name: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TieRow {
    name: String,
    #[serde(default)]
    own: bool,
    at: Vec<PlaceRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaceRow {
    #[serde(default)]
    kind: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    logs: bool,
    #[serde(default)]
    provides: BTreeMap<String, Vec<String>>,
}

/// Whose an object of a kind is, where no owner reference says so.
#[derive(Debug)]
pub struct Owner {
    kind: KindName,
    /// What the owner is called: `MachineSet`, `node pool`.
    pub of: String,
    /// Its group, if that is a kind.
    pub group: String,
    /// Where its name stands.
    pub name: Named,
}

/// Where the name of an owner stands.
#[derive(Debug)]
pub enum Named {
    /// In a field of the object.
    At(Path),
    /// In the object's own name.
    Within(LazyRegex),
}

impl Named {
    /// The owner's name, taken out of the object's own.
    pub fn within<'n>(&self, name: &'n str) -> Option<&'n str> {
        match self {
            Named::At(_) => None,
            Named::Within(regex) => Some(regex.captures(name)?.get(1)?.as_str()),
        }
    }
}

static OWNERS: LazyLock<Vec<Owner>> = LazyLock::new(|| {
    let rows = built_in::document::<File>("ties.yaml").map(|file| file.owners).unwrap_or_default();
    rows.into_iter().filter_map(owner).collect()
});

fn owner(row: OwnerRow) -> Option<Owner> {
    let name = match row.path.is_empty() {
        true => Named::Within(LazyRegex::proven(&format!("^{}$", row.name))),
        false => Named::At(Path::parse(&row.path).ok()?),
    };
    Some(Owner { kind: KindName::parse(&row.kind), of: row.of, group: row.group, name })
}

/// Who may own objects of a kind, the surest first.
pub fn owners(kind: &KindName) -> impl Iterator<Item = &'static Owner> {
    OWNERS.iter().filter(move |owner| owner.kind == *kind)
}

/// Something that findings can have in common.
#[derive(Debug)]
pub struct Tie {
    /// `node`
    pub name: String,
    /// Whatever is wrong with an entity takes it away: its value is the entity itself, as `namespace/name`, where no place
    /// says otherwise.
    pub own: bool,
    /// Where entities have it.
    at: Vec<Place>,
}

/// Where the entities of a kind have it.
#[derive(Debug)]
pub struct Place {
    /// The kind of the entity, or of the object that it stands for; `None`: the entity is a log, and its Node is the value.
    pub kind: Option<KindName>,
    /// The path of the values.
    pub path: Path,
    /// The values are names of components; what each of them provides.
    provides: Vec<(String, LazySet)>,
}

impl Tie {
    /// Where an entity of a kind has it; that of a log with `None`.
    pub fn place(&self, kind: Option<&KindName>) -> Option<&Place> {
        self.at.iter().find(|place| place.kind.as_ref() == kind)
    }
}

impl Place {
    /// Is this what components provide, and not the name of one?
    pub fn provides(&self, value: &str) -> bool {
        self.provides.iter().any(|(provided, _)| provided == value)
    }

    /// What a value of the path stands for: itself, or what the component of that name provides, if it is one.
    pub fn value<'v>(&'v self, value: &'v str) -> Option<&'v str> {
        if self.provides.is_empty() {
            return Some(value);
        }
        let is_one = |names: &LazySet| names.matches(value).next().is_some();
        self.provides.iter().find(|(_, names)| is_one(names)).map(|(provided, _)| provided.as_str())
    }
}

static TIES: LazyLock<Vec<Tie>> = LazyLock::new(|| {
    let rows = built_in::document::<File>("ties.yaml").map(|file| file.ties).unwrap_or_default();
    let tie = |row: TieRow| Tie { name: row.name, own: row.own, at: row.at.into_iter().filter_map(place).collect() };
    rows.into_iter().map(tie).collect()
});

fn place(row: PlaceRow) -> Option<Place> {
    if row.logs {
        return Some(Place { kind: None, path: Path(Vec::new()), provides: Vec::new() });
    }
    let whole = |name: &String| LazyRegex::proven(&format!("^(?:{name})$"));
    let provides =
        row.provides.iter().map(|(what, names)| (what.clone(), LazySet::of(names.iter().map(whole).collect())));
    Some(Place {
        kind: Some(KindName::parse(&row.kind)),
        path: Path::parse(&row.path).ok()?,
        provides: provides.collect(),
    })
}

/// A tie by its name.
pub fn named(name: &str) -> Option<&'static Tie> {
    TIES.iter().find(|tie| tie.name == name)
}

/// The ties that each entity breaks by itself.
pub fn own() -> impl Iterator<Item = &'static Tie> {
    TIES.iter().filter(|tie| tie.own)
}

/// The names of all ties.
pub fn names() -> impl Iterator<Item = &'static str> {
    TIES.iter().map(|tie| tie.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_read() {
        let text = include_str!("../../patterns/ties.yaml");
        let file: File = serde_saphyr::from_str(text).expect("the file has its shape");
        let rows: usize = file.ties.iter().map(|tie| tie.at.len()).sum();
        assert_eq!(TIES.iter().map(|tie| tie.at.len()).sum::<usize>(), rows);
        assert_eq!(OWNERS.len(), file.owners.len());
        assert_eq!(
            names().collect::<Vec<_>>(),
            [
                "host",
                "node",
                "kubelet",
                "machine",
                "component",
                "service",
                "object",
                "named",
                "operator",
                "routes",
                "flux-source"
            ]
        );
    }

    #[test]
    fn who_made_a_pod_is_read_off_its_name() {
        let of = |name: &str| {
            let own = |owner: &Owner| Some(format!("{} {}", owner.of, owner.name.within(name)?));
            owners(&KindName::parse("pods")).find_map(own).unwrap_or_default()
        };
        assert_eq!(of("web-6d4cf56db6-x2x9q"), "Deployment web");
        assert_eq!(of("shop-web-7c67c65579-hr4wn"), "Deployment shop-web");
        assert_eq!(of("calico-node-8vqmz"), "controller calico-node");
        assert_eq!(of("db-0"), "");
        assert_eq!(of("etcd-master"), "", "a vowel: somebody wrote that");
    }

    #[test]
    fn a_component_is_known_by_its_name_and_that_of_its_pods() {
        let provides = |name: &str| {
            let place = named("component")?.place(Some(&KindName::parse("workloads.casefile.dev")))?;
            place.value(name).map(str::to_owned)
        };
        for name in ["calico-node", "calico-node-8vqmz", "rke2-canal-x7k2d", "cilium-9xkzp", "ovnkube-node"] {
            assert_eq!(provides(name).as_deref(), Some("pod-network"), "{name}");
        }
        for name in ["coredns", "coredns-6d4b75cb6d-hf6vx", "rke2-coredns-rke2-coredns-autoscaler-7bd5b6f6b6-x2x9q"] {
            assert_eq!(provides(name).as_deref(), Some("cluster-dns"), "{name}");
        }
        for name in ["calico", "my-calico-node", "cilium-test-client", "web", "hubble-ui"] {
            assert_eq!(provides(name), None, "{name}");
        }
    }
}
