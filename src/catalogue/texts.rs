//! Texts that many signatures share, and how tools are called that no node knows by their bare name (`patterns/texts.yaml`).
//!
//! Why: where RKE2 keeps the certificates of etcd is knowledge about RKE2. Written into each step, it is right in some of them.
//!
//! Invariant: a name that stands for no text is a mistake of a signature, which loading it reports; a call is said of a bare
//! tool alone, and never of a command that says itself how it is called.

use crate::built_in;
use serde::Deserialize;
use std::sync::LazyLock;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "schema")]
    _schema: u32,
    texts: Vec<Named>,
    calls: Vec<Call>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
    text: String,
}

/// A tool, or a file that commands read, and how it is had on which product.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    #[serde(default)]
    tool: String,
    #[serde(default)]
    file: String,
    /// What is done before it is used.
    #[serde(rename = "do")]
    pub action: String,
    ways: Vec<Way>,
}

/// How a tool is called on a product.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Way {
    /// Left out for all products that have no row; without such a row nothing is said of those.
    #[serde(default)]
    product: String,
    /// What makes its bare name known to the shell.
    pub command: String,
    /// Why it is called so.
    pub because: String,
}

static FILE: LazyLock<File> = LazyLock::new(|| built_in::document("texts.yaml").unwrap_or_default());

/// What a text of a signature stands for: itself, or the shared text that it names as `@name`.
///
/// # Errors
/// The name, if there is no such text.
pub fn read(text: &str) -> Result<&str, &str> {
    let Some(name) = text.strip_prefix('@') else { return Ok(text) };
    FILE.texts.iter().find(|shared| shared.name == name).map(|shared| shared.text.as_str()).ok_or(name)
}

/// The names of all shared texts.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILE.texts.iter().map(|shared| shared.name.as_str())
}

/// All commands of the file: the shared texts, and what makes tools known.
pub fn commands() -> impl Iterator<Item = &'static str> {
    let ways = FILE.calls.iter().flat_map(|call| &call.ways).map(|way| way.command.as_str());
    FILE.texts.iter().map(|shared| shared.text.as_str()).chain(ways)
}

/// How the tools and files of a command are had where these products were recognised; nothing of those whose name does.
pub fn calls<'p>(
    command: &'p str,
    products: &'p [String],
) -> impl Iterator<Item = (&'static Call, &'static Way)> + use<'p> {
    FILE.calls.iter().filter(|call| call.is_needed(command)).filter_map(|call| {
        let of_product = call.ways.iter().find(|way| products.contains(&way.product));
        Some((call, of_product.or_else(|| call.ways.iter().find(|way| way.product.is_empty()))?))
    })
}

impl Call {
    fn is_needed(&self, command: &str) -> bool {
        !self.tool.is_empty() && is_used(&self.tool, command)
            || !self.file.is_empty() && command.contains(self.file.as_str())
    }
}

/// Does a bare tool begin one of the commands of a line?
fn is_used(tool: &str, line: &str) -> bool {
    line.match_indices(tool).any(|(at, _)| {
        let before = line.get(..at).unwrap_or_default().trim_end();
        let after = line.get(at + tool.len()..).and_then(|rest| rest.chars().next());
        (before.is_empty() || before.ends_with([';', '&', '|', '('])) && after.is_none_or(char::is_whitespace)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_can_be_read() {
        let text = include_str!("../../patterns/texts.yaml");
        let file: File = serde_saphyr::from_str(text).expect("the file has its shape");
        assert_eq!((FILE.texts.len(), FILE.calls.len()), (file.texts.len(), file.calls.len()));
        assert!(read("@kubelet-log").is_ok_and(|text| text.starts_with("journalctl ")));
        assert_eq!(read("kubectl get nodes"), Ok("kubectl get nodes"));
        assert_eq!(read("@no-such-text"), Err("no-such-text"));
    }

    #[test]
    fn a_tool_is_called_as_its_product_has_it() {
        let said = |command: &str, products: &[&str]| {
            let products: Vec<String> = products.iter().map(|product| (*product).to_owned()).collect();
            calls(command, &products).map(|(_, way)| way.product.clone()).reduce(|all, one| all + "+" + &one)
        };
        assert_eq!(said("etcdctl member list", &[]).as_deref(), Some(""));
        assert_eq!(said("rev=$(etcdctl endpoint status -w json)", &["cluster-api"]).as_deref(), Some(""));
        assert_eq!(said("df -h; etcdctl alarm list", &["cluster-api", "rke2"]).as_deref(), Some("rke2"));
        assert_eq!(said("etcdctl defrag", &["openshift"]).as_deref(), Some("openshift"));
        assert_eq!(said("oc exec etcd-0 -- etcdctl member list", &["openshift"]), None);
        assert_eq!(said("ls /root/etcdctl", &[]), None);
        assert_eq!(said("etcdctl-old version", &[]), None);
        let manifest = "grep image /etc/kubernetes/manifests/etcd.yaml";
        assert_eq!(said(manifest, &["cluster-api"]), None);
        assert_eq!(said(manifest, &["etcd-unit"]).as_deref(), Some("etcd-unit"));
        assert_eq!(
            said(&format!("etcdctl alarm list; {manifest}"), &["etcd-unit"]).as_deref(),
            Some("etcd-unit+etcd-unit")
        );
    }
}
