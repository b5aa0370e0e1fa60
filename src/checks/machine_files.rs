//! D17 and D29: what the KubeadmControlPlane writes to its machines: SSH keys and files.

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::outcome::{Found, fail, pass, unknown, warn};
use facts::node::Node;
use facts::object::Lookup;

/// Where a KubeadmControlPlane names files that must be written to its machines.
const NAMED_FILES: [&str; 2] = [
    "spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs[\"audit-policy-file\"]",
    "spec.kubeadmConfigSpec.initConfiguration.patches.directory",
];

/// Every OpenSSH key begins with the length and the name of its kind.
fn is_ssh_key(text: &str) -> bool {
    let mut parts = text.split_whitespace();
    let (kind, body) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let known = kind.starts_with("ssh-") || kind.starts_with("ecdsa-");
    known && body.starts_with("AAAA") && body.len() > 40 && !body.contains("...")
}

/// D17: a user of the DCS machines has an SSH key.
pub(super) fn ssh_keys(here: &Installation<'_>, _: &Profile) -> Found {
    let Some(plane) = here.control_plane() else { return Vec::new() };
    let field = plane.field("spec.kubeadmConfigSpec.users");
    let Some(citation) = field.citation() else { return vec![unknown(format!("users of {plane} are not shown"))] };
    let users = field.node().map_or(&[][..], Node::elements).iter();
    let lists = users.filter_map(|user| user.field("sshAuthorizedKeys"));
    let keys: Vec<&str> = lists.flat_map(Node::elements).filter_map(Node::as_str).collect();
    let (count, bad) = (keys.len(), keys.iter().filter(|key| !is_ssh_key(key)).count());
    vec![match (count, bad) {
        (0, _) => fail(format!("no user of {plane} has sshAuthorizedKeys"), [citation]),
        (_, 0) => pass(format!("{count} sshAuthorizedKeys"), [citation]),
        _ => fail(format!("{bad} of {count} sshAuthorizedKeys of {plane} are no OpenSSH keys"), [citation]),
    }]
}

/// D29: the files that the control plane refers to are written to it.
pub(super) fn written(here: &Installation<'_>, _: &Profile) -> Found {
    let Some(plane) = here.control_plane() else { return Vec::new() };
    let field = plane.field("spec.kubeadmConfigSpec.files");
    let (Some(citation), false) = (field.citation(), matches!(field, Lookup::Redacted(_))) else {
        return vec![unknown(format!("files of {plane} are not shown"))];
    };
    let written: Vec<&str> = field.items().iter().filter_map(|file| file.get("path")?.as_str()).collect();
    let is_written = |path: &str| written.iter().any(|file| file.starts_with(path.trim_end_matches('/')));
    let named = NAMED_FILES.iter().filter_map(|path| plane.field(path).valued());
    let missing = named
        .filter(|(path, _)| !is_written(path))
        .map(|(path, at)| warn(format!("{plane} refers to {path}, and writes no such file"), [at, citation.clone()]));
    let missing: Found = missing.collect();
    match (missing.is_empty(), written.len()) {
        (false, _) => missing,
        (true, 0) => vec![unknown("which files the manifest of the release writes is not part of a bundle")],
        (true, count) => vec![pass(format!("{plane} writes {count} files"), [citation])],
    }
}
