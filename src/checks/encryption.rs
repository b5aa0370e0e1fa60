//! D24: whether the encryption configuration of the API server is sound.
//!
//! Invariant: keys are read as masks alone.

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::outcome::{Found, fail, pass, unknown};
use facts::mask;
use facts::mask::{Form, Mask};
use facts::node::Node;
use facts::origin::Citation;

/// Why nothing is said of what a configuration lacks.
pub(super) const NOT_WHOLE: &str = "the file with the encryption configuration ends with its rules, so more may follow";
/// Where a KubeadmControlPlane lists the files that it writes.
const FILES: &str = "spec.kubeadmConfigSpec.files";
/// Where an infrastructure cluster names the Secret that holds it.
const SECRET: &str = "spec.encryptionProviderConfigRef.name";

/// An encryption configuration, its keys masked.
pub(super) struct Configuration<'f> {
    pub(super) node: &'f Node,
    pub(super) citation: Citation,
    /// Nothing of it was cut off, as far as its text shows: what is missing is not there.
    pub(super) is_whole: bool,
}

/// The encryption configuration of an installation.
pub(super) fn configuration<'f>(here: &Installation<'f>) -> Option<Configuration<'f>> {
    let name = here.infrastructure().and_then(|infrastructure| infrastructure.field(SECRET).text());
    let held = |mask: &'f Mask| mask.holds.as_deref();
    let secret = here.named("secrets", name.as_deref().unwrap_or("encryption-provider-config"));
    let in_secret = secret.and_then(|secret| {
        let keys = ["encryption-provider.conf", "encryption-provider-config", "config"];
        let mut paths =
            keys.into_iter().flat_map(|key| ["data", "stringData"].map(|part| format!("{part}[\"{key}\"]")));
        Some((paths.find_map(|path| secret.mask(&path).and_then(held))?, secret.citation()))
    });
    let is_it =
        |file: &&Node| file.get("path").and_then(Node::as_str).is_some_and(|path| path.contains("encryption-provider"));
    let in_plane = || {
        let (files, citation) = here.one("control-plane")?.field(FILES).set()?;
        let file = files.items().iter().find(is_it)?;
        let line = if file.line > 0 { file.line } else { citation.line };
        Some((mask::of_node(file.get("content")?).and_then(held)?, Citation { line, ..citation }))
    };
    let found = in_secret.or_else(in_plane);
    let found = found.map(|(node, citation)| Configuration { node, citation, is_whole: true });
    found.or_else(|| here.encryption_file())
}

/// The items of a list under a key.
pub(super) fn list<'n>(node: &'n Node, key: &str) -> &'n [Node] {
    node.get(key).map_or(&[], Node::items)
}

/// D24: the encryption configuration is sound.
pub(super) fn sound(here: &Installation<'_>, _: &Profile) -> Found {
    let Some(Configuration { node: held, citation, is_whole }) = configuration(here) else {
        let name = here.infrastructure().and_then(|infrastructure| infrastructure.field(SECRET).text());
        let told = name.map(|name| unknown(format!("what the Secret `{name}` holds was not collected")));
        return told.into_iter().collect();
    };
    let rules = list(held, "resources");
    let mut wrong = Vec::new();
    let mut names = rules.iter().flat_map(|rule| list(rule, "resources")).filter_map(Node::as_str);
    if is_whole && !names.any(|name| matches!(name, "secrets" | "*." | "*.*")) {
        wrong.push("no rule of the encryption configuration covers `secrets`".to_owned());
    }
    for (kind, settings) in rules.iter().flat_map(|rule| list(rule, "providers")).flat_map(Node::entries) {
        for key in list(settings, "keys") {
            let name = key.get("name").and_then(Node::as_str).unwrap_or("?");
            match key.get("secret").and_then(mask::of_node).map(|mask| mask.form) {
                Some(Form::Base64 { bytes: 16 | 24 | 32, .. }) | None => {}
                Some(Form::Base64 { bytes, .. }) => {
                    wrong.push(format!("the key `{name}` of {kind} has {bytes} bytes, and must have 16, 24 or 32"));
                }
                Some(_) => wrong.push(format!("the key `{name}` of {kind} is not base64")),
            }
        }
    }
    if wrong.is_empty() && !is_whole {
        return vec![unknown(NOT_WHOLE)];
    }
    if wrong.is_empty() {
        return vec![pass("the encryption configuration is sound", [citation])];
    }
    wrong.into_iter().map(|told| fail(told, [citation.clone()])).collect()
}
