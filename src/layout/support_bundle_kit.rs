//! support-bundle-kit: the bundles of Rancher, Harvester and Longhorn.
//!
//! Source: `rancher/support-bundle-kit:pkg/manager/collectors/*.go`, `pkg/types/types.go`.
//!
//! Each file is one list without paging, and a kind without objects gets none: so a missing file says
//! nothing. Secrets are left out but for a few. What is done to values: `parse::null_word`.

use crate::{Found, Is, Layout, Manifest, Rule, document, no_finish, rule};
use facts::node::Node;
use facts::origin::Citation;
use facts::record::{Record, Stamp, Stated};
use facts::shortfall::WhyTruncated;
use facts::unread::{NotAsExpected, Reporter, WhyUnread};
use parse::failure;

pub(crate) const LAYOUT: Layout = Layout {
    name: "support-bundle-kit",
    marks: &[&["metadata.yaml"], &["yamls/cluster/**", "yamls/namespaced/**"]],
    unless: &[],
    is_part: false,
    rules: RULES,
    finish: no_finish,
};

const RULES: &[Rule] = &[
    rule("metadata.yaml", Is::Manifest(metadata)),
    rule("bundleGenerationError.log", Is::Manifest(errors)),
    rule("prometheus-alerts.json", Is::Aside("alerts as Prometheus has them, which no signature rests on")),
    // Only a few Secrets are kept.
    rule("yamls/namespaced/{namespace}/{version}/secrets.yaml", Is::Objects("secrets")),
    // `v1`, and `kubernetes` in old bundles.
    rule("yamls/cluster/{version}/{resource}.yaml", Is::List("")),
    rule("yamls/cluster/{group}/{version}/{resource}.yaml", Is::List("")),
    rule("yamls/namespaced/{namespace}/{version}/{resource}.yaml", Is::List("")),
    rule("yamls/namespaced/{namespace}/{group}/{version}/{resource}.yaml", Is::List("")),
    rule("logs/{namespace}/{pod}/{container}.log", Is::Log(never_cut)),
    rule("logs/{namespace}/{pod}/{container}.log.1", Is::Log(never_cut)),
];

/// The collector asks for whole logs.
fn never_cut(_: u64, _: u64) -> Option<WhyTruncated> {
    None
}

/// Who asked for the bundle, when, and of which Kubernetes.
fn metadata(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let node = document(content)?;
    let mut manifest = Manifest::default();
    for (field, what) in [("bundlecreatedat", Stated::CollectedAt), ("kubernetesversion", Stated::ServerVersion)] {
        let Some(value) = node.field(field) else { continue };
        let Some(text) = value.value.scalar().filter(|text| !text.is_empty()) else { continue };
        let citation = Citation::line(found.member, value.line, &text);
        manifest.records.push(Record::from(Stamp { what, text, citation }));
    }
    if node.field("bundlename").and_then(Node::as_str).is_none() && manifest.records.is_empty() {
        return Err("expected `bundlename`, `bundlecreatedat` or `kubernetesversion`".into());
    }
    Ok(manifest)
}

/// One error on each line.
fn errors(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let mut manifest = Manifest::default();
    for (number, line) in (1..).zip(content.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        if let Some((kind, namespace)) = failure::forbidden(line) {
            let answer = failure::answer(found.member, number, kind, namespace, line);
            manifest.records.push(Record::from(answer));
        }
        manifest.unread.push((number, WhyUnread::Failed(Reporter::Says, failure::trouble(line))));
    }
    Ok(manifest)
}
