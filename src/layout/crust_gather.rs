//! crust-gather: one file for each object, whatever its kind.
//!
//! Source: `crust-gather/crust-gather:src/gather/representation.rs`, `src/gather/writer.rs`.
//!
//! Characters that file systems refuse are replaced in names, so an object's name is the one in its file.
//! One file for each object proves no list.

use crate::discovery::Served;
use crate::{Found, Is, Layout, Manifest, Rule, document, no_finish, rule};
use facts::node::Node;
use facts::origin::Citation;
use facts::record::{Record, Stamp, Stated};
use facts::shortfall::WhyTruncated;
use facts::unread::NotAsExpected;

pub(crate) const LAYOUT: Layout = Layout {
    name: "crust-gather",
    marks: &[
        &["api.json", "apis.json", "collected.timestamp"],
        &["cluster/{version}/{kind}/{name}.yaml", "namespaces/{namespace}/{version}/{kind}/**"],
    ],
    unless: &[],
    is_part: false,
    rules: RULES,
    finish: no_finish,
};

const RULES: &[Rule] = &[
    rule("version.yaml", Is::Manifest(version)),
    rule("collected.timestamp", Is::Manifest(collected)),
    rule("api.json", Is::Manifest(discovery)),
    rule("apis.json", Is::Manifest(discovery)),
    rule("app-versions.yaml", Is::Aside("image tags by application, which the Pods show too")),
    rule("event-filter.html", Is::Aside("a page made of the Events, which are read themselves")),
    rule("namespaces/{namespace}/v1/pod/{pod}/{container}/{part}.log", Is::Log(never_cut)),
    rule("namespaces/{namespace}/{version}/{kind}/{name}.yaml", Is::Objects("")),
    rule("cluster/{version}/{kind}/{name}.yaml", Is::Objects("")),
];

/// The collector asks for whole logs.
fn never_cut(_: u64, _: u64) -> Option<WhyTruncated> {
    None
}

/// The version of the API server; the file of Troubleshoot with this name has a kind.
fn version(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let node = document(content)?;
    let version = ["gitVersion", "git_version"].iter().find_map(|field| node.get(field)).and_then(Node::as_str);
    let version = version.ok_or("expected `gitVersion`")?;
    let citation = Citation::line(found.member, node.line, version);
    let stamp = Record::from(Stamp { what: Stated::ServerVersion, text: version.to_owned(), citation });
    Ok(Manifest { records: vec![stamp], ..Manifest::default() })
}

/// A time in quotes: RFC 3339, or as `DateTime<Utc>` prints itself.
fn collected(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let text = content.trim().trim_matches('"');
    let time = match text.strip_suffix(" UTC") {
        Some(rest) => format!("{}Z", rest.replacen(' ', "T", 1)),
        None => text.to_owned(),
    };
    time.parse::<jiff::Timestamp>().map_err(|_| NotAsExpected::Found("a time", text.to_owned().into()))?;
    let citation = Citation::line(found.member, 1, text);
    let stamp = Record::from(Stamp { what: Stated::CollectedAt, text: time, citation });
    Ok(Manifest { records: vec![stamp], ..Manifest::default() })
}

fn discovery(_: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    Ok(Manifest { served: Served::read(&document(content)?)?, ..Manifest::default() })
}
