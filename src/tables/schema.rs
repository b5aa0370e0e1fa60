//! The fixed tables and their columns, and the page that lists them.

use crate::{Column, SCHEMA_VERSION, Table, Type, What, views};
use catalogue::kinds::Catalogue;
use std::fmt::Write as _;

/// Name, type and meaning of a column.
type Row = (&'static str, Type, &'static str);

const CONTEXT: Row = ("context", Type::Text, "the cluster");
const MEMBER: Row = ("member", Type::Text, "the member of the bundle that it was read from");
const LINE: Row = ("line", Type::Number, "the line in that member");

const OBJECTS: [Row; 12] = [
    CONTEXT,
    ("kind", Type::Text, "plural and group: `pods`, `machines.cluster.x-k8s.io`"),
    ("namespace", Type::Text, "null where it has none, or nobody showed it"),
    ("name", Type::Text, "its name"),
    ("uid", Type::Text, "its UID"),
    ("created", Type::Time, "`metadata.creationTimestamp`"),
    ("form", Type::Text, "what it was read from: json, yaml, describe, typed-describe, table, derived"),
    ("presence", Type::Text, "there, disputed (something says that it is gone) or gone"),
    ("readings", Type::Number, "how often it was read"),
    MEMBER,
    LINE,
    ("json", Type::Text, "the object as its newest reading shows it, secrets masked, without managedFields"),
];
const CONDITIONS: [Row; 11] = [
    CONTEXT,
    ("kind", Type::Text, "plural and group of the object"),
    ("namespace", Type::Text, "namespace of the object"),
    ("name", Type::Text, "name of the object"),
    ("type", Type::Text, "`Ready`, `Available`"),
    ("status", Type::Text, "`True`, `False`, `Unknown`"),
    ("reason", Type::Text, "the reason in one word"),
    ("message", Type::Text, "what it says"),
    ("since", Type::Time, "`lastTransitionTime`"),
    MEMBER,
    LINE,
];
const EVENTS: [Row; 14] = [
    CONTEXT,
    ("namespace", Type::Text, "namespace of the Event"),
    ("type", Type::Text, "`Normal`, `Warning`"),
    ("reason", Type::Text, "`FailedMount`"),
    ("object_kind", Type::Text, "the kind that it speaks of, as it writes it"),
    ("object_namespace", Type::Text, "namespace of what it speaks of"),
    ("object_name", Type::Text, "name of what it speaks of"),
    ("message", Type::Text, "what it says"),
    ("count", Type::Number, "how often it was seen"),
    ("first", Type::Time, "when it was first seen"),
    ("last", Type::Time, "when it was last seen"),
    ("host", Type::Text, "the machine that sent it"),
    MEMBER,
    LINE,
];
pub(crate) const LOGS: [Row; 12] = [
    ("time", Type::Time, "when it was written; null where it does not tell, or nobody knows the year"),
    ("source", Type::Text, "the stream: `namespace/pod/container`, `node/program`, else the member"),
    ("level", Type::Text, "debug, info, warn, error, fatal; null where it is not known"),
    ("message", Type::Text, "what it says, without time, level and place in the source"),
    ("text", Type::Text, "the whole line"),
    CONTEXT,
    ("namespace", Type::Text, "namespace of the Pod, where it is the log of one"),
    ("pod", Type::Text, "name of the Pod, where it is the log of one"),
    ("container", Type::Text, "the container, where it is the log of one"),
    ("node", Type::Text, "the node, where it is known"),
    MEMBER,
    LINE,
];
const BUNDLES: [Row; 10] = [
    ("name", Type::Text, "its name as given, without folders"),
    ("layout", Type::Text, "the collector that was recognised; `folder` where none was"),
    ("as_of", Type::Time, "its own \"now\"; null where nothing in it tells"),
    ("as_of_source", Type::Text, "what tells that time"),
    ("members", Type::Number, "how many files it holds"),
    ("bytes", Type::Number, "their bytes, uncompressed"),
    ("objects", Type::Number, "objects of any kind that were read"),
    ("unread", Type::Number, "files that were not read, or not to their end"),
    ("answer", Type::Text, "the diagnosis in one sentence"),
    ("casefile", Type::Text, "the version of Casefile that read it"),
];
const VERSIONS: [Row; 3] = [
    CONTEXT,
    ("product", Type::Text, "`Kubernetes`, or another product that was recognised"),
    ("version", Type::Text, "the version that is stated; null where only the product is known"),
];
const OBJECT_COUNTS: [Row; 4] = [
    CONTEXT,
    ("kind", Type::Text, "plural and group: `pods`, `machines.cluster.x-k8s.io`"),
    ("objects", Type::Number, "how many are there, or in dispute"),
    ("gone", Type::Number, "how many are known to be gone"),
];
const FINDINGS: [Row; 14] = [
    ("finding", Type::Number, "its number, from 0"),
    ("signature", Type::Text, "`CF-1001`"),
    ("name", Type::Text, "the short name of the signature"),
    ("title", Type::Text, "what the signature is about"),
    ("severity", Type::Text, "critical, high, medium, low, info"),
    ("verdict", Type::Text, "confirmed, probable, undecided, resolved, ruled_out"),
    CONTEXT,
    ("kind", Type::Text, "kind of the object that it is about"),
    ("namespace", Type::Text, "namespace of that object"),
    ("object", Type::Text, "name of that object"),
    ("since", Type::Time, "since when, where that is known"),
    ("caused_by", Type::Number, "the finding that explains it"),
    ("headline", Type::Text, "what is wrong, in a sentence"),
    ("supported_by", Type::Text, "names of the pieces of evidence that support it, sorted, joined by commas"),
];
const EVIDENCE: [Row; 9] = [
    ("finding", Type::Number, "the number of the finding"),
    ("signature", Type::Text, "the signature of the finding"),
    ("evidence", Type::Text, "its name in the signature"),
    ("state", Type::Text, "supports, contradicts, unknown"),
    ("claim", Type::Text, "what is claimed"),
    ("reason", Type::Text, "why it is in that state"),
    MEMBER,
    LINE,
    ("excerpt", Type::Text, "what stands there"),
];
const COVERAGE: [Row; 8] = [
    CONTEXT,
    ("kind", Type::Text, "plural and group that was asked for"),
    ("namespaces", Type::Text, "`*`, or names joined by commas"),
    ("state", Type::Text, "complete, partial, empty, no-such-kind, not-found, forbidden, error, redacted, truncated"),
    ("basis", Type::Text, "what the answer proves: stated, listed, named"),
    ("detail", Type::Text, "what stands behind the state"),
    MEMBER,
    LINE,
];

pub(crate) fn columns(rows: &[Row]) -> Vec<Column> {
    let column = |(name, of, about): &Row| Column { name: (*name).to_owned(), of: *of, about: (*about).to_owned() };
    rows.iter().map(column).collect()
}

/// The tables that `casefile fleet` reads: what is known of a bundle without its objects, lines and excerpts.
pub const OF_FLEETS: [&str; 5] = ["bundles", "versions", "findings", "object_counts", "coverage"];

/// The tables of [`OF_FLEETS`] with the types of their columns, `bundle_id` first, as JSON: what a program that reads the
/// lines of `casefile export --format jsonl` needs to know.
pub fn for_programs() -> String {
    let mut out = format!("{{\n  \"schema_version\": {SCHEMA_VERSION},\n  \"tables\": {{");
    let tables: Vec<Table> = fixed().into_iter().filter(|table| OF_FLEETS.contains(&table.name.as_str())).collect();
    for (at, table) in tables.iter().enumerate() {
        // Writing to a String cannot fail. No name of a column needs escaping.
        let _ = write!(out, "{}\n    \"{}\": {{\n", if at > 0 { "," } else { "" }, table.name);
        let _ = write!(out, "      \"bundle_id\": \"{}\"", Type::Text.word());
        for column in &table.columns {
            let _ = write!(out, ",\n      \"{}\": \"{}\"", column.name, column.of.word());
        }
        out.push_str("\n    }");
    }
    out.push_str("\n  }\n}\n");
    out
}

/// The tables that every bundle has.
pub fn fixed() -> Vec<Table> {
    let table = |name: &str, about: &str, rows: &[Row], what: What| Table {
        name: name.to_owned(),
        about: about.to_owned(),
        columns: columns(rows),
        what,
    };
    vec![
        table("bundles", "the bundle", &BUNDLES, What::Bundles),
        table("versions", "a product that a cluster states or shows", &VERSIONS, What::Versions),
        table("object_counts", "a kind of which a cluster shows objects", &OBJECT_COUNTS, What::ObjectCounts),
        table("objects", "an object of any kind", &OBJECTS, What::Objects),
        table("conditions", "a condition of an object of any kind", &CONDITIONS, What::Conditions),
        table("events", "an Event", &EVENTS, What::Events),
        table("logs", "a line of a log; read from the bundle when the query names the table", &LOGS, What::Logs),
        table("findings", "a finding of the diagnosis", &FINDINGS, What::Findings),
        table(
            "evidence",
            "a place that a finding cites, or a piece of evidence without one",
            &EVIDENCE,
            What::Evidence,
        ),
        table("coverage", "what was asked of a cluster, and how far it answered", &COVERAGE, What::Coverage),
    ]
}

/// `docs/tables.md`.
pub fn page(catalogue: &Catalogue) -> String {
    let mut out = format!(
        "# Tables\n\nWhat `casefile query` asks and `casefile export` writes; version {SCHEMA_VERSION} of the schema. A cell is \
         null where what was collected does not tell, or where it does not apply. Times are in UTC. `casefile query BUNDLE \
         --explain-schema` prints the tables of one bundle. Exported tables have one more column in front, `bundle_id`: the \
         SHA-256 over the sorted names and contents of the members.\n\nThis page is written by a test.\n"
    );
    for table in fixed() {
        // Writing to a String cannot fail.
        let _ =
            write!(out, "\n## `{}`\n\nA row is {}.\n\n| column | type | |\n|---|---|---|\n", table.name, table.about);
        for column in &table.columns {
            let _ = writeln!(out, "| `{}` | {} | {} |", column.name, column.of.word(), column.about);
        }
    }
    out.push_str(
        "\n## A view for each kind\n\nThe columns of `kubectl get -o wide`, between `context`, `namespace`, `name` and \
         `created`, `member`, `line`. Kinds that only a bundle knows have a view too, with the columns of their \
         CustomResourceDefinition if the bundle has it.\n\n| view | kind | columns |\n|---|---|---|\n",
    );
    for view in views::all(None, catalogue) {
        let What::Kind(kind, _) = &view.what else { continue };
        let own: Vec<String> = views::own(&view.columns).map(|column| format!("`{}`", column.name)).collect();
        let _ = writeln!(out, "| `{}` | {kind} | {} |", view.name, own.join(", "));
    }
    out
}
