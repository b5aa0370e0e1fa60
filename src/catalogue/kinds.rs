//! Knowledge of the field as data: kinds with their printer columns, and products. Read from
//! `patterns/kinds.yaml` and `patterns/products.yaml`.
//!
//! Why data: a new kind, or a new column of an old one, is a line of YAML and no code.
//!
//! Invariants: a kind is found by a typed word only if that word means one catalogued kind; a column
//! gives a value only where its cell is the value of a path.

use crate::built_in;
use crate::conditions;
use crate::products::Product;
use crate::sources::Sources;
use facts::kind::{KindName, plural_of};
use facts::path::Path;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Headers that any table may have and that tell nothing about its kind.
const COMMON_HEADERS: [&str; 4] = ["NAMESPACE", "NAME", "AGE", "LABELS"];

/// The whole catalogue.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    kinds: BTreeMap<KindName, Kind>,
    /// What columns show by convention, of kinds of operators that have none of their own here.
    conventions: Vec<Column>,
    /// Products with their marks, sorted by name.
    pub products: Vec<Product>,
    /// Which file is which stream of logs.
    pub sources: Sources,
}

/// Where objects of a kind live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KindScope {
    /// In no namespace.
    Cluster,
    /// Each in one namespace.
    Namespaced,
}

#[derive(Debug, Clone)]
pub struct Kind {
    /// Plural and group.
    pub name: KindName,
    /// As `kind:` spells it.
    pub kind: String,
    /// Where its objects live.
    pub scope: KindScope,
    /// What people type instead of the plural.
    pub short: Vec<String>,
    /// Other groups that serve the same objects.
    pub also: Vec<String>,
    /// The role of the cluster that serves it, where that is telling.
    pub role: Option<String>,
    /// Columns that show the value of a path.
    pub columns: Vec<Column>,
    /// Other headers that its tables have.
    pub plain: Vec<String>,
    /// Headers that only the tables of one API version have, and that version.
    pub told_by: BTreeMap<String, String>,
    /// Objects that every cluster has: namespace, if it has one, and name, if it is always the same.
    pub always: Vec<(Option<String>, Option<String>)>,
    /// Where several kinds have its name, it is the one that is meant if nothing tells otherwise.
    pub usual: bool,
}

/// A column of a table and the path that it shows.
#[derive(Debug, Clone)]
pub struct Column {
    /// The header, upper case.
    pub header: String,
    pub path: Path,
    /// Which of several equal headers, from 1; `None` means each.
    pub nth: Option<usize>,
    /// Only if this header is there too.
    pub with: Option<String>,
    /// Only if this header is not there.
    pub without: Option<String>,
    /// The cell says something only if that under the header `with` is one of these.
    pub needs: Vec<String>,
    /// Only these cells say something, and this is what they say; empty means that the cell is the value.
    pub values: BTreeMap<String, String>,
    /// Which part of a cell like `1/3`, from 1.
    pub part: Option<usize>,
    /// The printer shows 0 where the API leaves the field out.
    pub zero_is_unset: bool,
    /// Other cells that mean that the field is not set.
    pub none: Vec<String>,
    /// The value stands before ` (`.
    pub before_brackets: bool,
    /// The value stands between ` (` and `)`.
    pub in_brackets: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KindsFile {
    schema: u32,
    kinds: Vec<KindEntry>,
    #[serde(default)]
    conventions: Vec<ColumnEntry>,
    // Read by [`crate::nouns`]; named here, so that a catalogue with a mistake in it is refused as a whole.
    #[serde(default)]
    #[expect(dead_code, reason = "see above")]
    casefile: Vec<crate::nouns::OwnKind>,
    // Read by [`crate::areas`]; named here for the same reason.
    #[serde(default)]
    #[expect(dead_code, reason = "see above")]
    areas: Vec<crate::areas::Area>,
    // Read by [`crate::tables`]; named here for the same reason.
    #[serde(default)]
    #[expect(dead_code, reason = "see above")]
    tables: Vec<crate::tables::Table>,
    // Read by [`crate::homes`]; named here for the same reason.
    #[serde(default)]
    #[expect(dead_code, reason = "see above")]
    homes: Vec<crate::homes::Home>,
    // Read by [`crate::words`]; named here for the same reason.
    #[serde(default)]
    #[expect(dead_code, reason = "see above")]
    words: crate::words::Words,
    // Read by [`crate::parts`]; named here for the same reason.
    #[serde(default)]
    #[expect(dead_code, reason = "see above")]
    parts: crate::parts::Parts,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KindEntry {
    kind: String,
    plural: Option<String>,
    #[serde(default)]
    group: String,
    scope: KindScope,
    #[serde(default)]
    short: Vec<String>,
    #[serde(default)]
    also: Vec<String>,
    role: Option<String>,
    #[serde(default)]
    columns: Vec<ColumnEntry>,
    #[serde(default)]
    plain: Vec<String>,
    #[serde(default)]
    told_by: BTreeMap<String, String>,
    #[serde(default)]
    always: Vec<String>,
    #[serde(default)]
    usual: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ColumnEntry {
    header: String,
    path: String,
    nth: Option<usize>,
    with: Option<String>,
    without: Option<String>,
    #[serde(default)]
    needs: Vec<String>,
    #[serde(default)]
    values: BTreeMap<String, String>,
    part: Option<usize>,
    #[serde(default)]
    zero_is_unset: bool,
    #[serde(default)]
    none: Vec<String>,
    #[serde(default)]
    before_brackets: bool,
    #[serde(default)]
    in_brackets: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProductsFile {
    schema: u32,
    products: Vec<Product>,
}

/// How to collect what is missing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Collect {
    /// Where to run it: `management`, `workload`, `hub`, `node`...
    pub on: String,
    /// The command.
    pub run: String,
    /// What to look out for.
    pub note: Option<String>,
}

/// Why a catalogue file could not be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {file}: {reason}; compare it with the comments at its top")]
pub struct CatalogueError {
    pub file: &'static str,
    /// What is wrong, with its place.
    pub reason: String,
}

fn in_kinds(reason: String) -> CatalogueError {
    CatalogueError { file: "patterns/kinds.yaml", reason }
}

impl Catalogue {
    /// The catalogue that is embedded in the binary. A test proves that it reads.
    pub fn built_in() -> Self {
        Self::shared().clone()
    }

    /// The same one, read once in a run.
    pub fn shared() -> &'static Self {
        static SHARED: LazyLock<Catalogue> = LazyLock::new(|| {
            let files = built_in::document("kinds.yaml").zip(built_in::document("products.yaml"));
            files.and_then(|(kinds, products)| Catalogue::of(kinds, products).ok()).unwrap_or_default()
        });
        &SHARED
    }

    /// Reads a catalogue from the text of its two files.
    ///
    /// # Errors
    /// If a file is not of the expected shape, or a path in it does not parse.
    pub fn read(kinds: &str, products: &str) -> Result<Self, CatalogueError> {
        let in_products = |reason: String| CatalogueError { file: "patterns/products.yaml", reason };
        let kinds = serde_saphyr::from_str(kinds).map_err(|e| in_kinds(e.to_string()))?;
        let products = serde_saphyr::from_str(products).map_err(|e| in_products(e.to_string()))?;
        Self::of(kinds, products)
    }

    fn of(file: KindsFile, mut products: ProductsFile) -> Result<Self, CatalogueError> {
        if file.schema != 1 || products.schema != 1 {
            return Err(in_kinds("expected `schema: 1` in both files".to_owned()));
        }
        let mut all = BTreeMap::new();
        for entry in file.kinds {
            let kind = Kind::from_entry(entry).map_err(in_kinds)?;
            if let Some(twice) = all.insert(kind.name.clone(), kind) {
                return Err(in_kinds(format!("{} stands there twice", twice.name)));
            }
        }
        let of_rows = file.conventions.into_iter().map(|entry| Column::from_entry(entry, "`conventions`"));
        let of_types = conditions::types().filter_map(Column::of_type).map(Ok);
        let conventions = of_rows.chain(of_types).collect::<Result<_, String>>().map_err(in_kinds)?;
        products.products.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { kinds: all, conventions, products: products.products, sources: Sources::built_in().clone() })
    }

    /// A kind by its exact name.
    pub fn kind(&self, name: &KindName) -> Option<&Kind> {
        self.kinds.get(name)
    }

    /// What the columns of a table of this kind show. A kind of an operator that has no columns of its own here, or that
    /// nobody knows, keeps to what is usual.
    pub fn columns(&self, name: &KindName) -> &[Column] {
        match self.kinds.get(name) {
            Some(kind) if !kind.columns.is_empty() => &kind.columns,
            _ if name.group.contains('.') => &self.conventions,
            _ => &[],
        }
    }

    /// Can a table of this kind have these headers, if somebody says that it lists that kind?
    fn can_have(&self, kind: &Kind, headers: &[String]) -> bool {
        let is_usual = |header: &String| self.columns(&kind.name).iter().any(|column| column.header == *header);
        headers.iter().all(|header| kind.prints(header) || is_usual(header))
    }

    /// All kinds, sorted.
    pub fn kinds(&self) -> impl Iterator<Item = &Kind> {
        self.kinds.values()
    }

    /// The kind of an object by its `apiVersion` and `kind`. Unknown ones get the plural that a CRD would
    /// have; groups that serve the same objects are one kind.
    pub fn kind_of(&self, api_version: &str, kind: &str) -> KindName {
        let group = KindName::group_of(api_version).to_ascii_lowercase();
        self.kinds
            .values()
            .find(|k| k.kind.eq_ignore_ascii_case(kind) && (k.name.group == group || k.also.contains(&group)))
            .map_or_else(|| KindName::guess(api_version, kind), |k| k.name.clone())
    }

    /// The one name of a kind, where several groups serve it.
    pub fn canonical(&self, name: &KindName) -> KindName {
        if self.kinds.contains_key(name) {
            return name.clone();
        }
        self.kinds
            .values()
            .find(|k| {
                (k.name.plural == name.plural || k.kind.eq_ignore_ascii_case(&name.plural))
                    && (k.name.group == name.group || k.also.contains(&name.group))
            })
            .map_or_else(|| name.clone(), |k| k.name.clone())
    }

    /// Every catalogued kind that a typed word can mean: `mhc`, `machines`, `Machine`,
    /// `clusters.platform.tkestack.io`, `machine.cluster.x-k8s.io`, `machines.v1beta1.cluster.x-k8s.io`.
    pub fn meanings(&self, typed: &str) -> Vec<&Kind> {
        let typed = typed.trim().to_ascii_lowercase();
        let (word, group) = match typed.split_once('.') {
            Some((word, group)) => (word, Some(group)),
            None => (typed.as_str(), None),
        };
        let group = group.map(|group| match group.split_once('.') {
            Some((version, rest)) if is_version(version) => rest,
            None if is_version(group) => "",
            _ => group,
        });
        let named = |k: &&Kind| k.name.plural == word || k.kind.eq_ignore_ascii_case(word);
        match group {
            Some(group) => self
                .kinds
                .values()
                .filter(named)
                .filter(|k| k.name.group == group || k.also.iter().any(|also| also == group))
                .collect(),
            None => self.kinds.values().filter(|k| named(k) || k.short.iter().any(|s| s == word)).collect(),
        }
    }

    /// The kind that a typed word means; `None` if it can mean several, or none that is known. A word with
    /// an unknown group is a kind of that group.
    pub fn typed(&self, typed: &str) -> Option<KindName> {
        match self.meanings(typed).as_slice() {
            [one] => Some(one.name.clone()),
            [] if typed.split_once('.').is_some_and(|(word, group)| !word.is_empty() && group.contains('.')) => {
                Some(KindName::parse(typed.trim()))
            }
            _ => None,
        }
    }

    /// The kind that is meant by a word that can mean several, where nothing else tells.
    pub fn usual(&self, typed: &str) -> Option<KindName> {
        let mut usual = self.meanings(typed).into_iter().filter(|kind| kind.usual);
        usual.next().map(|kind| kind.name.clone())
    }

    /// Is the kind without namespaces? `None` if it is not catalogued.
    pub fn cluster_scoped(&self, name: &KindName) -> Option<bool> {
        self.kinds.get(name).map(|k| k.scope == KindScope::Cluster)
    }

    /// The only kind among `meanings` whose tables can have these headers. With all kinds as candidates,
    /// at least two headers must be telling.
    pub fn by_headers<'a>(&'a self, headers: &[String], among: Option<&[&'a Kind]>) -> Option<&'a Kind> {
        let all: Vec<&Kind>;
        let telling = headers.iter().filter(|h| !COMMON_HEADERS.contains(&h.as_str())).collect::<BTreeSet<_>>().len();
        let candidates = match among {
            Some(among) => among,
            None if telling < 2 => return None,
            None => {
                all = self.kinds.values().collect();
                &all
            }
        };
        let fits = |kind: &Kind| if among.is_some() { self.can_have(kind, headers) } else { kind.fits(headers) };
        let mut fitting = candidates.iter().filter(|kind| fits(kind));
        let first = fitting.next()?;
        fitting.next().is_none().then_some(*first)
    }

    /// The command that lists a kind whole, as a default for what to collect next.
    pub fn collect_command(&self, name: &KindName) -> Collect {
        let known = self.kinds.get(name);
        let everywhere = if known.is_some_and(|k| k.scope == KindScope::Cluster) { "" } else { " -A" };
        let note = (name.plural == "secrets" && name.group.is_empty()).then(|| {
            "Secrets hold credentials: remove the values under `data` before you hand the file on.".to_owned()
        });
        Collect {
            on: known.and_then(|k| k.role.clone()).unwrap_or_else(|| "cluster".to_owned()),
            run: format!("kubectl get {name}{everywhere} -o yaml"),
            note,
        }
    }
}

/// `default/kubernetes`, `kube-system/*`, `default`.
fn always(object: &str) -> (Option<String>, Option<String>) {
    let (namespace, name) = match object.split_once('/') {
        Some((namespace, name)) => (Some(namespace.to_owned()), name),
        None => (None, object),
    };
    (namespace, (name != "*").then(|| name.to_owned()))
}

/// `v1`, `v1beta2`.
fn is_version(text: &str) -> bool {
    text.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

impl Kind {
    fn from_entry(entry: KindEntry) -> Result<Self, String> {
        let plural = entry.plural.unwrap_or_else(|| plural_of(&entry.kind));
        let columns = entry.columns.into_iter().map(|column| Column::from_entry(column, &entry.kind));
        Ok(Self {
            name: KindName { plural, group: entry.group },
            scope: entry.scope,
            short: entry.short,
            also: entry.also,
            role: entry.role,
            columns: columns.collect::<Result<_, String>>()?,
            plain: entry.plain,
            told_by: entry.told_by,
            always: entry.always.iter().map(|object| always(object)).collect(),
            usual: entry.usual,
            kind: entry.kind,
        })
    }

    /// The `apiVersion` of the objects in a table with these headers; `None` where no header tells it.
    pub fn api_version(&self, headers: &[String]) -> Option<String> {
        let version = headers.iter().find_map(|header| self.told_by.get(header))?;
        Some(if self.name.group.is_empty() { version.clone() } else { format!("{}/{version}", self.name.group) })
    }

    /// Did somebody choose the columns of a table with these headers? The printer of a kind of Kubernetes prints an age
    /// or a time with every row.
    pub fn chosen(&self, headers: &[String]) -> bool {
        if self.columns.is_empty() && self.plain.is_empty() {
            return false;
        }
        const TIMES: [&str; 5] = ["AGE", "CREATED AT", "LAST SEEN", "FIRST SEEN", "CREATED"];
        let of_kubernetes =
            self.name.group.is_empty() || !self.name.group.contains('.') || self.name.group.ends_with(".k8s.io");
        let has_time = headers.iter().any(|header| TIMES.contains(&header.as_str())) || self.kind == "ComponentStatus";
        !self.fits(headers) || of_kubernetes && !has_time
    }

    /// Can a table of this kind have these headers?
    pub fn fits(&self, headers: &[String]) -> bool {
        headers.iter().all(|header| self.prints(header))
    }

    /// Is this one of the headers of its own tables?
    fn prints(&self, header: &String) -> bool {
        COMMON_HEADERS.contains(&header.as_str())
            || self.plain.contains(header)
            || self.columns.iter().any(|c| c.header == *header)
    }
}

impl Column {
    fn from_entry(entry: ColumnEntry, of: &str) -> Result<Self, String> {
        Ok(Self {
            path: Path::parse(&entry.path).map_err(|e| format!("column {} of {of}: {e}", entry.header))?,
            header: entry.header,
            nth: entry.nth,
            with: entry.with,
            without: entry.without,
            needs: entry.needs,
            values: entry.values,
            part: entry.part,
            zero_is_unset: entry.zero_is_unset,
            none: entry.none,
            before_brackets: entry.before_brackets,
            in_brackets: entry.in_brackets,
        })
    }

    /// The column that is called like a type of condition: it shows the status of that one.
    fn of_type(name: &str) -> Option<Self> {
        let statuses = ["True", "False", "Unknown"].map(|status| (status.to_owned(), status.to_owned()));
        Some(Self {
            header: name.to_ascii_uppercase(),
            path: Path::parse(&format!("status.conditions[type={name}].status")).ok()?,
            nth: None,
            with: None,
            without: None,
            needs: Vec::new(),
            values: statuses.into(),
            part: None,
            zero_is_unset: false,
            none: Vec::new(),
            before_brackets: false,
            in_brackets: false,
        })
    }

    /// Is this the column under a header that stands there for the `nth` time?
    pub fn is_at(&self, header: &str, nth: usize, headers: &[String]) -> bool {
        self.header == header
            && self.nth.is_none_or(|wanted| wanted == nth)
            && self.with.as_ref().is_none_or(|other| headers.contains(other))
            && self.without.as_ref().is_none_or(|other| !headers.contains(other))
    }

    /// What a cell says: `None` says nothing, `Some(None)` says that the field is not set or empty.
    pub fn read<'a>(&'a self, cell: &'a str) -> Option<Option<&'a str>> {
        if !self.values.is_empty() {
            let inside = |cell: &'a str| cell.split_once(" (").map_or("", |(_, inside)| inside.trim_end_matches(')'));
            let cell = if self.in_brackets { inside(cell) } else { cell };
            return self.values.get(cell).map(|value| Some(value.as_str()).filter(|value| !value.is_empty()));
        }
        if matches!(cell, "" | "<none>" | "<unset>") || self.none.iter().any(|none| none == cell) {
            return Some(None);
        }
        if matches!(cell, "<unknown>" | "<invalid>") || cell.ends_with("...") {
            return None;
        }
        let cell = match self.part {
            Some(part) => {
                let (first, second) = cell.split_once('/')?;
                Some(if part == 1 { first } else { second }).filter(|text| !text.contains(' '))?
            }
            None => cell,
        };
        // `False (FailedDiscoveryCheck)` is a status with its reason.
        let cell = match (self.in_brackets, cell.split_once(" (")) {
            (true, Some((_, inside))) => inside.strip_suffix(')')?,
            (true, None) => return None,
            (false, Some((before, _))) if self.before_brackets => before,
            _ => cell,
        };
        Some(Some(cell).filter(|cell| !(self.zero_is_unset && *cell == "0")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: &str = include_str!("../../patterns/kinds.yaml");
    const PRODUCTS: &str = include_str!("../../patterns/products.yaml");

    fn headers(text: &str) -> Vec<String> {
        text.split('|').map(str::to_owned).collect()
    }

    #[test]
    fn the_built_in_catalogue_reads() {
        let catalogue = Catalogue::read(KINDS, PRODUCTS).unwrap();
        assert_eq!(format!("{catalogue:?}"), format!("{:?}", Catalogue::built_in()));
        assert!(catalogue.kinds().count() > 80);
        assert!(!catalogue.products.is_empty());
    }

    #[test]
    fn a_typed_word_means_one_kind_or_none() {
        let catalogue = Catalogue::built_in();
        let typed = |word: &str| catalogue.typed(word).map_or("-".to_owned(), |k| k.to_string());
        assert_eq!(typed("mhc"), "machinehealthchecks.cluster.x-k8s.io");
        assert_eq!(typed("Pod"), "pods");
        assert_eq!(typed("po"), "pods");
        assert_eq!(typed("machines"), "-", "Cluster API and TKEStack both have machines");
        assert_eq!(typed("clusters"), "-");
        assert_eq!(typed("cc"), "-");
        assert_eq!(typed("clusters.platform.tkestack.io"), "clusters.platform.tkestack.io");
        assert_eq!(typed("machine.cluster.x-k8s.io"), "machines.cluster.x-k8s.io");
        assert_eq!(typed("machines.v1beta2.cluster.x-k8s.io"), "machines.cluster.x-k8s.io");
        assert_eq!(typed("deployments.v1.apps"), "deployments.apps");
        assert_eq!(typed("events.events.k8s.io"), "events");
        assert_eq!(typed("widgets.example.com"), "widgets.example.com");
        assert_eq!(typed("widgets"), "-");
    }

    #[test]
    fn an_object_of_an_unknown_kind_gets_the_plural_of_a_crd() {
        let catalogue = Catalogue::built_in();
        assert_eq!(catalogue.kind_of("example.com/v1", "Proxy").to_string(), "proxies.example.com");
        assert_eq!(
            catalogue.kind_of("cluster.alauda.io/v1", "ModuleInfo").to_string(),
            "moduleinfoes.cluster.alauda.io"
        );
        assert_eq!(catalogue.kind_of("events.k8s.io/v1", "Event").to_string(), "events");
    }

    #[test]
    fn headers_tell_a_kind_only_if_they_fit_one() {
        let catalogue = Catalogue::built_in();
        let kind = |text: &str| catalogue.by_headers(&headers(text), None).map(|k| k.name.to_string());
        assert_eq!(kind("NAME|STATUS|ROLES|AGE|VERSION").as_deref(), Some("nodes"));
        assert_eq!(kind("NAMESPACE|NAME|READY|STATUS|RESTARTS|AGE").as_deref(), Some("pods"));
        assert_eq!(
            kind("NAME|CLUSTER|NODENAME|PROVIDERID|PHASE|AGE|VERSION").as_deref(),
            Some("machines.cluster.x-k8s.io")
        );
        assert_eq!(kind("NAME|AGE"), None);
        assert_eq!(kind("NAME|STATUS|AGE"), None);
        assert_eq!(kind("LAST SEEN|TYPE|REASON|OBJECT|MESSAGE").as_deref(), Some("events"));
        let machines = catalogue.meanings("machines");
        let among = |text: &str| catalogue.by_headers(&headers(text), Some(&machines)).map(|k| k.name.to_string());
        assert_eq!(among("NAME|CLUSTER|PHASE|AGE|VERSION").as_deref(), Some("machines.cluster.x-k8s.io"));
        assert_eq!(among("NAME|AGE"), None);
    }

    #[test]
    fn the_default_ask_lists_the_kind_whole() {
        let catalogue = Catalogue::built_in();
        let ask = |name: &str| catalogue.collect_command(&KindName::parse(name));
        assert_eq!(ask("machines.cluster.x-k8s.io").run, "kubectl get machines.cluster.x-k8s.io -A -o yaml");
        assert_eq!(ask("machines.cluster.x-k8s.io").on, "management");
        assert_eq!(ask("nodes").run, "kubectl get nodes -o yaml");
        assert_eq!(ask("widgets.example.com").run, "kubectl get widgets.example.com -A -o yaml");
    }

    #[test]
    fn an_unknown_key_is_refused() {
        let error =
            Catalogue::read("schema: 1\nkinds:\n  - { kind: A, scope: cluster, shrot: [a] }\n", PRODUCTS).unwrap_err();
        assert!(error.to_string().contains("shrot"), "{error}");
    }
}
